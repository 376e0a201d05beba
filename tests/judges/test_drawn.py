"""Labels drawn in clusters or with unequal chances: the card weighs them, and its intervals hold."""

import numpy as np
import pytest

import algeval as ae
from algeval.errors import DataError
from algeval.judges.intervals import (
    Drawn,
    ac1,
    balanced,
    clustered_share,
    kappa,
    may_be_best,
    mean_interval,
    recalls_together,
)


def drawn_of(cells, clusters=None, weights=None):
    n = len(cells)
    return Drawn(
        np.arange(n) if clusters is None else clusters,
        np.ones(n) if weights is None else weights,
        cells,
    )


def counted(cells, k=2):
    table = np.zeros((k, k), np.int64)
    np.add.at(table, tuple(cells.T), 1)
    return table


@pytest.mark.parametrize("figure", [kappa, ac1])
def test_rows_of_their_own_are_rows_drawn_one_by_one(figure):
    """But for n / (n - 1) in the variance."""
    cells = np.random.default_rng(0).integers(0, 2, (90, 2))
    plain = figure(counted(cells))
    own = figure(counted(cells), drawn=drawn_of(cells))
    assert own.value == pytest.approx(plain.value)
    assert own[1:] == pytest.approx(plain[1:], abs=0.003)


def test_a_weight_of_three_is_the_point_of_three_rows():
    cells = np.random.default_rng(1).integers(0, 3, (60, 2))
    weights = np.where(np.arange(60) < 20, 3.0, 1.0)
    thrice = np.concatenate([cells[:20], cells[:20], cells])
    for figure in (kappa, ac1):
        weighted = figure(counted(cells, 3), drawn=drawn_of(cells, weights=weights))
        assert weighted.value == pytest.approx(figure(counted(thrice, 3)).value)
        assert (
            weighted.high - weighted.low
            > figure(counted(thrice, 3)).high - figure(counted(thrice, 3)).low
        )


def test_clusters_of_one_repeated_row_are_one_row_each():
    cells = np.random.default_rng(2).integers(0, 2, (40, 2))
    clusters = np.repeat(np.arange(40), 5)
    one = kappa(counted(cells), drawn=drawn_of(cells))
    five = kappa(
        counted(np.repeat(cells, 5, axis=0)), drawn=drawn_of(np.repeat(cells, 5, axis=0), clusters)
    )
    assert five == pytest.approx(one)


def table_of(n, cluster=None):
    rng = np.random.default_rng(3)
    truth = rng.random(n) < 0.7

    def say(accuracy):
        return np.where((rng.random(n) < accuracy) == truth, "pass", "fail").tolist()

    rows = {"id": [f"q{k}" for k in range(n)], "x": say(0.95), "y": say(0.8)}
    rows["human"] = np.where(truth, "pass", "fail").tolist()
    return rows | ({} if cluster is None else {"prompt_id": cluster})


def test_the_card_of_unequal_chances_says_so_and_weighs():
    rows = table_of(80)
    chances = {i: 1.0 if k % 2 else 0.125 for k, i in enumerate(rows["id"])}
    card = ae.judge_card(rows, inclusion=chances)
    right = [a == b for a, b in zip(rows["x"], rows["human"], strict=True)]
    w = [1 / chances[i] for i in rows["id"]]
    share = sum(x * y for x, y in zip(w, right, strict=True)) / sum(w)
    assert card.row("x").accuracy.value == pytest.approx(share)
    assert any("come to about 49 drawn at random" in line for line in card.warnings)
    told = card.compare("x", "y")
    assert "weighted t test" in str(told)
    assert told.difference.low < told.difference.value < told.difference.high
    with pytest.raises(DataError, match="got unequal chances"):
        card.best(guarantee=True)
    even = ae.judge_card(rows, inclusion=dict.fromkeys(rows["id"], 0.3))
    assert not any("unequal" in line for line in even.warnings)


def test_clusters_widen_what_they_should():
    rows = table_of(20)
    rows = {name: [x for x in cells for _ in range(4)] for name, cells in rows.items()}
    rows["id"] = [f"q{k}" for k in range(80)]
    prompts = {"prompt_id": [f"p{k // 4}" for k in range(80)]}
    plain, wide = ae.judge_card(rows), ae.judge_card(rows | prompts, cluster="prompt_id")
    for name in ("accuracy", "balanced_accuracy", "kappa", "ac1"):
        a, b = (getattr(card.row("y"), name) for card in (plain, wide))
        assert a.value == pytest.approx(b.value)
        assert b.high - b.low > 1.4 * (a.high - a.low), name
    a, b = (card.compare("x", "y").difference for card in (plain, wide))
    assert b.high - b.low > 1.4 * (a.high - a.low)
    assert set(wide.best().judges) >= set(plain.best().judges)


def test_a_class_that_lies_in_one_cluster_has_no_interval_of_its_own():
    assert clustered_share(np.array([True, False, True]), np.zeros(3, int)) == (2 / 3, 0.0, 1.0)
    rows = table_of(60)
    of = {i: "one" if h == "fail" else i for i, h in zip(rows["id"], rows["human"], strict=True)}
    recall = ae.judge_card(rows, cluster=of).row("y").recall["fail"]
    assert 0 < recall.value < 1
    assert recall[1:] == (0.0, 1.0)


# --- Coverage: rows of a population in which some kinds are rare, and drawn more often or less.


def population(rng, design, size, rate, accuracies, shared):
    """(truth, right, cluster, weight) of one draw; `size` is of rows, or of clusters."""
    if design == "clusters":
        of = np.repeat(np.arange(size), rng.integers(1, 11, size))
        n = len(of)

        def uniform():  # of one cluster more alike: with chance `shared` a row has its cluster's draw
            own, cluster = rng.random(n), rng.random(size)[of]
            return np.where(rng.random(n) < shared, cluster, own)

        truth = uniform() < rate
        hard = uniform()
        right = np.stack([np.where(truth, hard < a, hard < b) for a, b in accuracies], axis=1)
        return truth.astype(int), right, of, np.ones(n)
    n = 30 * size
    truth = rng.random(n) < rate
    right = np.stack([rng.random(n) < np.where(truth, a, b) for a, b in accuracies], axis=1)
    said = np.where(right[:, 0], truth, ~truth)
    odd = rng.random(n) < 0.5 if design == "1 to 8" else said  # or verdicts of pass are drawn less
    chance = np.where(odd, 0.125, 1.0)
    rows = rng.choice(n, size, replace=False, p=chance / chance.sum())
    return truth[rows].astype(int), right[rows], np.arange(size), 1 / chance[rows]


def truth_of(rate, a, b):
    """Accuracy, balanced accuracy, kappa and AC1 of a judge with recalls a and b."""
    p = np.array([[(1 - rate) * b, rate * (1 - a)], [(1 - rate) * (1 - b), rate * a]])
    seen, said = float(np.trace(p)), p[1].sum()
    by_chance = said * rate + (1 - said) * (1 - rate)
    pi = (said + rate) / 2
    other = 2 * pi * (1 - pi)
    return seen, (a + b) / 2, (seen - by_chance) / (1 - by_chance), (seen - other) / (1 - other)


def covered(rng, design, size, rate, accuracies, draws):
    """Shares of draws in which the intervals hold: four figures, the difference of two, the best set."""
    (a, b), (c, d) = accuracies
    wanted = [*truth_of(rate, a, b), truth_of(rate, a, b)[0] - truth_of(rate, c, d)[0]]
    best = int(wanted[4] < 0)
    held, n = np.zeros(6), np.zeros(6)
    for _ in range(draws):
        truth, right, clusters, weights = population(rng, design, size, rate, accuracies, 0.5)
        said = np.where(right[:, 0], truth, 1 - truth)
        drawn = Drawn(clusters, weights, np.stack([said, truth], axis=1))
        names = clusters if design == "clusters" else None
        recalls = [
            clustered_share(
                right[k, 0], None if names is None else names[k], weights[k], 0.95, weights.max()
            )
            for t in (0, 1)
            if (k := truth == t).any()
        ]
        table = counted(drawn.cells)
        together = recalls_together(truth, right[:, 0], drawn, 2)
        made = [
            clustered_share(right[:, 0], names, weights),
            balanced(recalls, together) if len(recalls) == 2 else None,
            kappa(table, drawn=drawn),
            ac1(table, drawn=drawn),
            mean_interval(*drawn.sums(right[:, 0].astype(float) - right[:, 1])),
        ]
        for k, interval in enumerate(made):
            if interval is not None:
                n[k] += 1
                held[k] += interval.low - 1e-12 <= wanted[k] <= interval.high + 1e-12
        n[5] += 1
        held[5] += may_be_best(right, drawn=drawn)[0][best]
    return held / n


SETTINGS = [
    (design, size, rate, accuracies)
    for design, sizes in (("clusters", (15, 30, 80)), ("1 to 8", (30, 150)), ("verdict", (50, 150)))
    for size in sizes
    for rate in (0.5, 0.8)
    for accuracies in (((0.9, 0.8), (0.8, 0.9)), ((0.98, 0.6), (0.9, 0.7)))
]


def test_intervals_hold_in_a_few_designs():
    rng = np.random.default_rng(4)
    for setting in (SETTINGS[1], SETTINGS[13], SETTINGS[21]):
        assert (covered(rng, *setting, 120) > 0.89).all(), setting


@pytest.mark.slow
def test_intervals_hold_in_every_design():
    rng = np.random.default_rng(5)
    held = np.array([covered(rng, *setting, 500) for setting in SETTINGS])
    print(held.min(axis=0), held.mean(axis=0))
    assert (held.min(axis=0) > 0.91).all()
    assert (held.mean(axis=0) > 0.945).all()
