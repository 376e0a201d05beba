"""Two systems compared: labels decide, judges sharpen, votes alone say nothing."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtri
from scipy.stats import binom, binomtest, fisher_exact

import algeval as ae
from algeval.rates.inputs import Gold, Scope, join_systems, panel_of
from algeval.rates.intervals import (
    Drawn,
    Estimate,
    Predictor,
    exact_chance,
    fewest_discordant,
    normal_quantile,
    paired_strata,
    picked_labels,
)
from algeval.rates.systems import _correlation, _OfBoth, _Side, fisher_chance, still_possible
from algeval.result import Status

DATA = Path(__file__).parents[3] / "../shared/data"
shared = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data are not there")


def votes_of(verdicts, items=None, labels=("fail", "pass")):
    """Return votes of judges whose columns are rows of 0 and 1."""
    columns = {f"j{k}": [labels[v] for v in row] for k, row in enumerate(np.atleast_2d(verdicts))}
    items = [f"q{k}" for k in range(len(columns["j0"]))] if items is None else items
    return ae.Votes.from_columns(columns, items=items, labels=labels)


def gold_of(truth, rows):
    return {f"q{k}": "pass" if truth[k] else "fail" for k in rows}


def exam(seed=0, n_items=400, a=0.8, b=0.6, right=0.9, favour=0.0):
    """Return truths of two systems and votes of three judges; `favour` turns fails of B into passes."""
    rng = np.random.default_rng(seed)
    ease = rng.random(n_items)
    truths = (ease < a).astype(int), (ease < b).astype(int)
    found = []
    for k, truth in enumerate(truths):
        wrong = rng.random((3, n_items)) > right
        verdicts = np.where(wrong, 1 - truth, truth)
        if k and favour:
            verdicts = np.maximum(verdicts, rng.random(n_items) < favour)
        found.append(votes_of(verdicts))
    return truths, found


TRUTHS, (A, B) = exam()
ROWS = np.random.default_rng(1).choice(400, 80, replace=False)
GOLD_A, GOLD_B = gold_of(TRUTHS[0], ROWS), gold_of(TRUTHS[1], ROWS)
TRUE = float((TRUTHS[0] - TRUTHS[1]).mean())


def asked(**settings):
    given = {"label": "pass", "gold_a": GOLD_A, "gold_b": GOLD_B} | settings
    return ae.compare_systems(given.pop("a", A), given.pop("b", B), **given)


def test_labels_and_judges_find_the_better_system():
    found = asked()
    assert found.verdict == "A BETTER"
    assert found.status is Status.OK
    assert found.low < TRUE < found.high
    assert found.low > 0
    assert (found.n_gold, found.n_items, found.method) == (80, 400, "strata of the verdicts")
    assert found.n_discordant == int((TRUTHS[0] != TRUTHS[1])[ROWS].sum())
    assert 0.3 < found.rho2 < 1
    judges, alone, together = found.table
    assert [line.name for line in found.table] == ["judges only", "labels only", "labels + judges"]
    assert found.table[1].breaks_at == "5% chance of error, or labels not drawn as said"
    assert judges.low is None
    assert together.high - together.low < alone.high - alone.low


def test_the_worse_system_is_told_by_the_same_numbers_with_the_sign_changed():
    found, swapped = asked(), asked(a=B, b=A, gold_a=GOLD_B, gold_b=GOLD_A)
    assert swapped.verdict == "B BETTER"
    assert swapped.difference == pytest.approx(-found.difference)
    assert swapped.low == pytest.approx(-found.high, abs=0.01)


@pytest.mark.parametrize("target", ["items", "population"])
@pytest.mark.parametrize("seed", range(6))
def test_systems_that_change_places_have_the_same_ends_to_the_last_digit(seed, target):
    rng = np.random.default_rng(seed)
    truth = rng.random((2, 30)) < 0.6
    if seed == 5:
        truth[1] = truth[0][::-1]  # in both orders the same counts
    votes = [votes_of(np.where(rng.random(30) < 0.8, own, ~own).astype(int)) for own in truth]
    if seed == 5:
        votes = [votes_of(own.astype(int)) for own in truth]
    golds = [gold_of(own, range(0, 30) if seed == 5 else range(2, 16)) for own in truth]
    a, b = (
        ae.versus(
            votes[i], votes[j], label="pass", human_a=golds[i], human_b=golds[j], target=target
        )
        for i, j in ((0, 1), (1, 0))
    )
    assert (a.low, a.difference, a.high) == (-b.high, -b.difference, -b.low)


def test_votes_alone_never_decide():
    """Judges all but agree that A is better; nothing says that they do not favour it."""
    sure = votes_of(np.ones((9, 300), int)), votes_of(np.zeros((9, 300), int))
    found = ae.compare_systems(*sure, label="pass")
    assert found.verdict == "NOT DETERMINED"
    assert found.status is Status.UNDETERMINED
    assert found.difference is None
    assert (found.low, found.high) == (-1, 1)
    assert "not determined by these votes" in found.message
    assert "A BETTER" not in found.summary()
    assert len(found.to_label) == 300


def test_without_labels_beliefs_say_what_they_allow():
    verdicts = np.zeros((2, 10), int)
    verdicts[:, :8] = 1
    found = ae.compare_systems(
        votes_of(verdicts), votes_of(1 - verdicts), label="pass", at_least="90%"
    )
    line = found.table[-1]
    assert (line.low, line.high) == (Fraction(4, 10), Fraction(8, 10))
    assert (found.low, found.high) == (0.4, 0.8)
    assert line.against == "above"
    assert found.verdict == "NOT DETERMINED"
    shown = ae.compare_systems(votes_of(verdicts), votes_of(1 - verdicts), label="pass")
    assert [x.name for x in shown.table[2:]] == [f" + accuracy {x}%" for x in (70, 80, 90)]
    assert (shown.low, shown.high) == (-1, 1)


def test_a_belief_that_the_votes_contradict_is_said_to():
    torn = votes_of([[1] * 10, [0] * 10])
    found = ae.compare_systems(torn, torn, label="pass", at_least=0.9)
    assert found.status is Status.INCONSISTENT
    assert found.table[-1].against == "impossible"
    assert found.table[-1].low is None
    assert (
        "no answer keys leave it possible that every judge is right on at least 90%"
        in found.message
    )


def of_counts(more, less, same, n_items=2000, **settings):
    """Ask with judges that agree with labels, so many of which are in favour of A, of B, and alike."""
    n = more + less + same
    a = np.ones(n_items, int)
    b = np.ones(n_items, int)
    b[:more] = 0
    a[more : more + less] = 0
    gold = gold_of(a, range(n)), gold_of(b, range(n))
    settings = {"gold_a": gold[0], "gold_b": gold[1]} | settings
    return ae.compare_systems(votes_of(a), votes_of(b), label="pass", **settings)


def test_five_labelled_differences_settle_nothing_and_six_do():
    five = of_counts(5, 0, 15, n_items=30, target="items")
    assert five.low > 0
    assert five.verdict == "NOT SETTLED"
    assert "rests on 5 labelled differences (6 needed)" in five.message
    six = of_counts(6, 0, 14, n_items=30, target="items")
    assert six.verdict == "A BETTER"


def by_labels(more, less, same, level=0.95, n_items=2000, target="population"):
    """Ask with a judge who passes everything, and so is of no help."""
    n = more + less + same
    a, b = np.ones(n, int), np.ones(n, int)
    b[:more] = 0
    a[more : more + less] = 0
    votes = votes_of(np.ones(n_items, int))
    gold = {"gold_a": gold_of(a, range(n)), "gold_b": gold_of(b, range(n))}
    return ae.compare_systems(votes, votes, label="pass", level=level, target=target, **gold)


@pytest.mark.parametrize(("level", "needed"), [(0.95, 6), (0.99, 8), (0.999, 11)])
def test_the_differences_needed_follow_the_level(level, needed):
    assert by_labels(needed, 0, 25, level).verdict == "A BETTER"
    assert by_labels(needed - 1, 0, 25, level).verdict in ("NOT SETTLED", "NO DIFFERENCE SHOWN")


@pytest.mark.parametrize("split", [(7, 1), (9, 2), (12, 4), (13, 4), (6, 0), (17, 6), (18, 6)])
@pytest.mark.parametrize("level", [0.95, 0.99])
def test_labels_alone_settle_nothing_that_the_exact_test_does_not(split, level):
    found = by_labels(*split, 60 - sum(split), level)
    rejects = binomtest(split[0], sum(split)).pvalue <= 1 - level
    assert found.verdict == "A BETTER" if rejects else found.verdict != "A BETTER"
    if found.verdict == "NOT SETTLED":
        assert "exact McNemar" in found.message or "needed" in found.message


@pytest.mark.parametrize(("level", "most"), [(0.95, 0.05), (0.99, 0.01)])
@pytest.mark.parametrize("apart", [0.1, 0.2, 0.3])
def test_labels_alone_err_no_more_than_the_level_over_all_splits(level, most, apart):
    """Of 100 labels of two equal systems: the chance of each split, and whether it may be a verdict."""
    wrong = 0.0
    for m in range(101):
        k = np.arange(m + 1)
        rejects = np.array([exact_chance(int(x), m - int(x)) <= 1 - level for x in k])
        assert rejects.any() == (m >= fewest_discordant(level))
        wrong += binom.pmf(m, 100, apart) * binom.pmf(k, m, 0.5)[rejects].sum()
    assert 0.002 < wrong <= most


def test_a_sign_that_no_other_label_can_turn_is_settled():
    assert by_labels(5, 0, 15, n_items=24, target="items").verdict == "A BETTER"
    assert "no other label can turn it" in by_labels(5, 0, 15, n_items=24, target="items").message
    assert by_labels(5, 0, 15, n_items=25, target="items").verdict != "A BETTER"


@pytest.mark.slow
@pytest.mark.parametrize(("level", "most"), [(0.95, 0.05), (0.99, 0.01)])
@pytest.mark.parametrize("accuracy", [0.0, 0.3, 0.8])
def test_with_judges_equal_systems_are_parted_no_more_than_the_level(level, most, accuracy):
    rng, wrong, n_runs = np.random.default_rng(3), 0, 1000
    for _ in range(n_runs):
        d = rng.choice([-1, 0, 1], 1000, p=[0.1, 0.8, 0.1])
        seen = np.where(
            rng.random(1000) < accuracy, d, rng.choice([-1, 0, 1], 1000, p=[0.15, 0.7, 0.15])
        )
        rows = rng.permutation(1000)[:100]
        gold = {"gold_a": gold_of(d >= 0, rows), "gold_b": gold_of(d <= 0, rows)}
        found = ae.compare_systems(
            votes_of((seen >= 0) * 1),
            votes_of((seen <= 0) * 1),
            label="pass",
            level=level,
            target="population",
            **gold,
        )
        wrong += found.verdict.endswith("BETTER")
    assert wrong / n_runs <= most + 2 * (most / n_runs) ** 0.5


OWN_A = votes_of([[1] * 30 + [0] * 10] * 3, items=[f"a{k}" for k in range(40)])
OWN_B = votes_of([[1] * 10 + [0] * 30] * 3, items=[f"b{k}" for k in range(40)])


def own(votes, passes, n):
    """Labels of n items spread over all, of which the first `passes` pass."""
    spread = votes.items[:: len(votes.items) // n][:n]
    return {item: "pass" if k < passes else "fail" for k, item in enumerate(spread)}


def test_systems_on_items_of_their_own_are_compared_unpaired():
    golds = own(OWN_A, 18, 20), own(OWN_B, 6, 20)
    found = ae.compare_systems(
        OWN_A, OWN_B, label="pass", gold_a=golds[0], gold_b=golds[1], target="population"
    )
    assert found.status is Status.OK
    assert "unpaired: 20 of 40 items of A labelled, 20 of 40 items of B labelled" in found.message
    assert (found.n_items, found.n_own_items, found.n_own_gold) == (0, (40, 40), (20, 20))
    rates = [
        ae.rate(v, "pass", g, target="population")
        for v, g in ((OWN_A, golds[0]), (OWN_B, golds[1]))
    ]
    a, b = rates
    down = ((a.rate - a.low) ** 2 + (b.high - b.rate) ** 2) ** 0.5
    assert (found.difference, found.low) == pytest.approx((a.rate - b.rate, a.rate - b.rate - down))
    assert found.verdict == "A BETTER"
    assert "label the same items for both, and write their ids alike" in found.warnings[0]
    none = ae.compare_systems(OWN_A, OWN_B, label="pass")
    assert (none.status, none.verdict) == (Status.UNDETERMINED, "NOT DETERMINED")


def test_unpaired_labels_alone_settle_nothing_that_fishers_test_does_not():
    alike = [votes_of([[1] * 200], items=[f"{s}{k}" for k in range(200)]) for s in "ab"]
    for a, b in [(10, 5), (10, 6), (9, 4), (9, 3), (8, 2), (10, 4), (7, 1)]:
        found = ae.compare_systems(
            *alike,
            label="pass",
            target="population",
            gold_a=own(alike[0], a, 10),
            gold_b=own(alike[1], b, 10),
        )
        exact = fisher_exact([[a, 10 - a], [b, 10 - b]]).pvalue
        assert fisher_chance(a, 10, b, 10) == pytest.approx(exact)
        assert found.verdict != "A BETTER" or exact <= 0.05


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (
            {"drawn": "differing"},
            "drawn='differing' must come with items that both systems answered",
        ),
        ({"at_least": 0.8}, "at_least must come with items that both"),
        ({"method": "ppi"}, "method='ppi' must come with items that both"),
    ],
)
def test_what_needs_items_in_common_is_refused_unpaired(settings, words):
    with pytest.raises(ae.DataError, match=words):
        ae.compare_systems(OWN_A, OWN_B, label="pass", **settings)


def test_no_difference_shown_says_how_large_it_may_be():
    found = of_counts(3, 3, 60, n_items=80, target="items")
    assert found.verdict == "NO DIFFERENCE SHOWN"
    high, low = (round(100 * abs(end)) for end in (found.high, found.low))
    assert high == low == 1
    assert found.message.endswith("A may be better by up to 1 point, B by up to 1.")


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (-0.45, 0.16, "new may be better by up to 45 points, old by up to 16"),
        (-0.16, 0.45, "old may be better by up to 45 points, new by up to 16"),
        (0.0, 0.01, "old may be better by up to 1 point, or both alike"),
        (-0.002, 0.3, "old may be better by up to 30 points, new by up to 0.2"),
        (0.0, 0.0, "both have the same share"),
    ],
)
def test_what_an_open_interval_allows_is_said_of_each_side(low, high, words):
    assert still_possible(("old", "new"), low, high) == words


def test_with_every_item_labelled_nothing_is_left_to_luck():
    found = of_counts(2, 1, 17, n_items=20, target="items")
    assert (found.low, found.difference, found.high) == pytest.approx((0.05, 0.05, 0.05))
    assert found.verdict == "A BETTER"
    assert "every item that can differ is labelled" in found.message
    assert of_counts(2, 2, 16, n_items=20, target="items").verdict == "NO DIFFERENCE SHOWN"
    of_more = of_counts(2, 1, 17, n_items=20)  # the default
    assert (of_more.target, of_more.verdict) == ("population", "NO DIFFERENCE SHOWN")
    assert "on these 20 items A has 1 more" in of_more.message


def test_fewer_than_ten_labels_do_not_use_the_judges():
    found = of_counts(3, 0, 6, n_items=18)
    assert found.method == "labels alone"
    assert found.table[-1].low == found.table[-2].low
    assert "too few to use the judges" in found.warnings[0]


def test_items_of_one_file_count_in_its_rate_and_pairs_that_were_asked_for_leave_them_out():
    some = A.select(items=A.items[2:])
    rows = [k for k in ROWS if k > 1]
    found = asked(a=some, gold_a=gold_of(TRUTHS[0], rows))
    assert (found.n_items, found.n_own_items) == (398, (398, 400))
    said = "398 items were answered by both, 2 by B alone: the difference is that of the two rates"
    assert any(said in warning for warning in found.warnings)
    pairs = asked(a=some, gold_a=gold_of(TRUTHS[0], rows), method="strata")
    assert pairs.n_own_items is None
    assert any("2 items of B alone left out: 'q0', 'q1'" in warning for warning in pairs.warnings)


def test_the_order_of_the_items_does_not_matter():
    turned = B.select(items=B.items[::-1])
    assert asked(b=turned).low == asked().low


def test_labels_of_one_side_are_counted_and_said():
    found = asked(gold_b=gold_of(TRUTHS[1], ROWS[:70]))
    assert found.n_gold == 70
    assert any("10 items labelled for one system only" in told for told in found.warnings)


def test_outputs_that_are_the_same_differ_in_nothing():
    same = TRUTHS[0] == TRUTHS[1]
    outputs = [f"text {k}" for k in range(400)]
    others = [text if s else "another" for text, s in zip(outputs, same, strict=True)]
    plain = asked()
    found = asked(outputs_a=outputs, outputs_b=others)
    assert found.high - found.low < plain.high - plain.low
    assert found.n_differing == int((~same).sum())
    assert found.low <= TRUE <= found.high
    none = ae.compare_systems(A, B, label="pass", outputs_a=outputs, outputs_b=others)
    assert none.high == pytest.approx(1 - same.mean())


def test_labels_among_differing_outputs_alone_give_the_whole_difference():
    rng = np.random.default_rng(5)
    truths, (a, b) = exam(seed=7, a=0.75, b=0.7)
    differ = (truths[0] != truths[1]) | (rng.random(400) < 0.1)
    outputs = dict.fromkeys(a.items, "x")
    others = {item: "y" if d else "x" for item, d in zip(a.items, differ, strict=True)}
    rows = rng.choice(np.flatnonzero(differ), 25, replace=False)
    gold_a, gold_b = gold_of(truths[0], rows), gold_of(truths[1], rows)
    given = {"label": "pass", "gold_a": gold_a, "gold_b": gold_b, "drawn": "differing"}
    found = ae.compare_systems(a, b, outputs_a=outputs, outputs_b=others, **given)
    truth = float((truths[0] - truths[1]).mean())
    assert found.low < truth < found.high < 0.25
    assert found.high - found.low < 0.12
    with pytest.raises(ae.DataError, match="needs to know which outputs differ"):
        ae.compare_systems(a, b, **given)


def test_labels_that_differ_on_one_output_are_named():
    outputs = ["x"] * 400
    found = asked(outputs_a=outputs, outputs_b=["y", *outputs[1:]])
    assert any("labels differ on identical outputs" in told for told in found.warnings)


def test_chances_of_inclusion_undo_an_unequal_draw():
    """Differing verdicts are labelled five times as often; the chances say so."""
    rng = np.random.default_rng(6)
    apart = (A.codes.sum(1) >= 2) != (B.codes.sum(1) >= 2)
    chances = np.where(apart, 0.5, 0.1)
    misses = 0
    for _ in range(30):
        rows = np.flatnonzero(rng.random(400) < chances)
        inclusion = {f"q{k}": chances[k] for k in rows}
        found = asked(
            gold_a=gold_of(TRUTHS[0], rows), gold_b=gold_of(TRUTHS[1], rows), inclusion=inclusion
        )
        misses += not found.low <= TRUE <= found.high
    assert found.drawn == "unequal"
    assert found.method == "strata of the verdicts"  # one chance in each
    assert misses <= 5  # at .95 once in 100 slices more
    mixed = inclusion | {next(iter(inclusion)): 0.3}
    gold = {"gold_a": gold_of(TRUTHS[0], rows), "gold_b": gold_of(TRUTHS[1], rows)}
    assert asked(inclusion=mixed, **gold).method == "regression on the verdicts"


def test_chances_that_cannot_be_of_all_items_are_refused():
    with pytest.raises(ae.DataError, match=r"stand for all 400 .* stand for about 100"):
        asked(inclusion=dict.fromkeys(GOLD_A, 0.8))


def test_a_table_of_both_labels_is_the_same_as_two():
    rows = [
        {"item": q, "truth_a": GOLD_A[q], "truth_b": GOLD_B[q], "inclusion": 0.2} for q in GOLD_A
    ]
    both = asked(gold=rows, gold_a=None, gold_b=None)
    assert (both.low, both.high) == (asked().low, asked().high)
    assert both.drawn == "unequal"


def test_the_keys_of_both_are_gold():
    keyed = [
        ae.Votes(v.items, *v.axes, v.codes, np.array(t, np.int16))
        for v, t in zip((A, B), TRUTHS, strict=True)
    ]
    found = ae.compare_systems(*keyed, label="pass", gold="key", target="items")
    assert found.difference == pytest.approx(TRUE)
    assert found.n_gold == 400


def test_frames_and_files_are_votes_too(tmp_path):
    frames = []
    for v in (A, B):
        table = {"item": v.items} | {
            j: [v.labels[c] for c in v.codes[:, k]] for k, j in enumerate(v.judges)
        }
        frames.append(pd.DataFrame(table))
    path = tmp_path / "b.csv"
    frames[1].to_csv(path, index=False)
    assert asked(a=frames[0], b=path).message == asked().message


def test_items_nobody_judged_are_a_stratum_of_their_own():
    codes = A.codes.copy()
    codes[:40] = -1
    unjudged = ae.Votes(A.items, *A.axes, codes)
    found = asked(a=unjudged)
    assert found.low < TRUE < found.high
    graded = asked(a=unjudged, method="ppi")
    assert graded.low < TRUE < graded.high


def test_three_labels_and_shares():
    rng = np.random.default_rng(9)
    truth = rng.integers(0, 3, (2, 300))
    labels = ("bad", "good", "tie")
    pair = [
        votes_of(
            np.where(rng.random((5, 300)) < 0.8, t, rng.integers(0, 3, (5, 300))), None, labels
        )
        for t in truth
    ]
    rows = rng.choice(300, 100, replace=False)
    gold = [{f"q{k}": labels[t[k]] for k in rows} for t in truth]
    true = float(((truth[0] == 1) * 1 - (truth[1] == 1)).mean())
    for method in ("auto", "ppi"):
        found = ae.compare_systems(
            *pair, label="good", gold_a=gold[0], gold_b=gold[1], method=method
        )
        assert found.low < true < found.high
        assert found.rho2 > 0.3


def test_clusters_widen_what_they_should_and_few_are_refused():
    clusters = {f"q{k}": k // 10 for k in range(400)}
    ease = np.repeat(np.random.default_rng(2).random(40), 10)
    truths = (ease < 0.9).astype(int), (ease < 0.5).astype(int)
    a, b = (votes_of([t] * 3) for t in truths)
    rows = np.arange(0, 400, 2)
    gold = {"gold_a": gold_of(truths[0], rows), "gold_b": gold_of(truths[1], rows)}
    given = {"a": a, "b": b, "target": "population"} | gold
    plain, known = asked(**given), asked(cluster=clusters, **given)
    assert known.high - known.low > 2 * (plain.high - plain.low)
    assert known.method == "regression on the verdicts"
    few = {"gold_a": gold_of(truths[0], rows[:40]), "gold_b": gold_of(truths[1], rows[:40])}
    found = asked(cluster=clusters, **(given | few))
    assert found.verdict == "NOT DETERMINED"
    assert found.status is Status.UNDETERMINED
    assert "the labels lie in 8 clusters and 10 are needed" in found.message


def picked(rows, **settings):
    return asked(gold_a=gold_of(TRUTHS[0], rows), gold_b=gold_of(TRUTHS[1], rows), **settings)


SHARES = A.codes.sum(1), B.codes.sum(1)
PICKS = {
    "easy for both": -(SHARES[0] + SHARES[1]),
    "A passes": -SHARES[0],
    "B fails": SHARES[1],
    "the two differ": -abs(SHARES[0] - SHARES[1]),
    "A better": SHARES[1] - SHARES[0],
    "disputed": abs(SHARES[0] - 1.5) + abs(SHARES[1] - 1.5),
}


@pytest.mark.parametrize("how", PICKS)
@pytest.mark.parametrize(
    "settings", [{}, {"method": "ppi"}, {"target": "population"}, {"drawn": "random"}]
)
def test_labels_that_were_picked_decide_nothing(how, settings):
    found = picked(np.argsort(PICKS[how], kind="stable")[:80], **settings)
    assert (found.status, found.verdict) == (Status.UNDETERMINED, "NOT DETERMINED")
    assert (found.difference, found.low, found.high) == (None, -1, 1)
    assert found.message.endswith("NOT DETERMINED: these labels were not drawn at random.")


def test_labels_with_chances_and_those_of_every_item_are_not_taken_for_picked():
    rows = np.argsort(PICKS["the two differ"], kind="stable")
    chances = np.where(PICKS["the two differ"] < 0, 0.9, 0.1)
    drawn = np.flatnonzero(np.random.default_rng(3).random(400) < chances)
    given = {f"q{k}": chances[k] for k in drawn}
    assert picked(drawn, inclusion=given).status is Status.OK
    assert picked(rows).status is Status.OK  # all 400


def test_no_missing_label_can_turn_a_sign_however_the_others_were_drawn():
    rows = np.argsort(PICKS["A passes"], kind="stable")[:390]
    found = picked(rows, target="items")
    assert found.verdict == "A BETTER"
    assert "no other label can turn it" in found.message
    (verdicts,) = found.warnings
    assert verdicts.endswith("the verdict holds all the same, the interval may miss")


def test_labels_where_outputs_differ_are_a_random_draw_of_those():
    same = np.random.default_rng(5).random(400) < 0.5
    votes = votes_of(np.where(same, A.codes.T, B.codes.T))
    truth = np.where(same, *TRUTHS)
    outputs = {"outputs_a": ["x"] * 400, "outputs_b": np.where(same, "x", "y").tolist()}
    rows = np.random.default_rng(6).permutation(np.flatnonzero(~same))[:60]
    gold = {"gold_a": gold_of(TRUTHS[0], rows), "gold_b": gold_of(truth, rows)}
    for drawn in ("differing", None):
        assert asked(b=votes, drawn=drawn, **outputs, **gold).status is Status.OK
    easy = np.flatnonzero(~same)
    easy = easy[np.argsort(-SHARES[0][easy], kind="stable")[:60]]
    gold = {"gold_a": gold_of(TRUTHS[0], easy), "gold_b": gold_of(truth, easy)}
    found = asked(b=votes, drawn="differing", **outputs, **gold)
    assert "these labels were not drawn at random" in found.message


def test_random_draws_are_seldom_taken_for_picked():
    """A draw in 370 is; of 400 fewer than 8 are in all but one run of 10,000."""
    pairs = join_systems(A, B, "pass")
    rng, every = np.random.default_rng(7), np.ones(400, bool)
    draws = (rng.permutation(400)[: 20 + 20 * (k % 5)] for k in range(400))
    assert sum(bool(picked_labels(pairs, np.sort(rows), every, None)) for rows in draws) < 8


def test_unpaired_labels_of_one_system_that_were_picked_decide_nothing():
    some = dict.fromkeys(OWN_A.items[:20], "pass")  # all that the judges pass
    found = ae.compare_systems(
        OWN_A, OWN_B, label="pass", gold_a=some, gold_b=own(OWN_B, 6, 20), names=("new", "old")
    )
    assert (found.status, found.verdict) == (Status.UNDETERMINED, "NOT DETERMINED")
    assert "of new these labels were not drawn at random" in found.message


def test_what_to_label_next_is_where_the_verdicts_differ_and_no_label_is():
    found = asked()
    apart = (A.codes.sum(1) >= 2) != (B.codes.sum(1) >= 2)
    assert set(found.to_label) == {f"q{k}" for k in np.flatnonzero(apart)} - set(GOLD_A)
    assert found.n_differing == int(apart.sum())
    assert f": {len(found.to_label)} such of 400 are not labelled" in found.summary()


def test_judges_who_favour_a_system_mislead_votes_and_not_the_labels():
    """Votes of judges who pass a sixth of B's failures make B look better: it is worse."""
    misled, misses, n_runs = 0, 0, 25
    for seed in range(n_runs):
        truths, (a, b) = exam(seed=seed, a=0.75, b=0.7, favour=0.35)
        rows = np.random.default_rng(seed).choice(400, 60, replace=False)
        gold = {"gold_a": gold_of(truths[0], rows), "gold_b": gold_of(truths[1], rows)}
        found = asked(a=a, b=b, random=seed, **gold)
        truth = float((truths[0] - truths[1]).mean())
        judged = found.table[0].estimate
        misled += judged < 0 < truth
        misses += not found.low <= truth <= found.high
        assert found.verdict != "B BETTER"
    assert misled >= 0.7 * n_runs
    assert misses <= 4  # at .95 once in 140 slices more


def test_a_comparison_is_json_and_a_table():
    found = asked()
    document = json.loads(json.dumps(found.to_dict()))
    assert document["schema"] == "algeval.system-comparison/1"
    assert document["table"][-1]["low"] == found.low
    assert found.to_frame()["name"].tolist() == [line.name for line in found.table]
    assert "<-" in found.summary()
    assert "labelled items were drawn at random" in found.summary()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"label": "good"}, "good must be one of"),
        ({"gold_b": None}, "labels must be of both systems"),
        ({"gold": "key"}, "human= or as human_a="),
        ({"target": "all"}, "target must be one of"),
        ({"drawn": "any"}, "drawn must be one of"),
        ({"drawn": "unequal"}, "needs the chance of each labelled item"),
        ({"drawn": "random", "inclusion": {"q1": 0.5}}, "inclusion must come with"),
        ({"inclusion": {"q1": 0.5}}, "every item must have a finite number in inclusion"),
        ({"inclusion": dict.fromkeys(GOLD_A, 1.5)}, r"inclusion must be .* at most 1.*; got 1.5"),
        ({"method": "wald"}, "method must be one of"),
        ({"level": 95}, "level must be between"),
        ({"names": ("A", "A")}, "two different names"),
        ({"at_least": 1.2}, "at_least must lie from 0 to 1"),
        ({"outputs_a": ["x"] * 400}, "outputs of both systems"),
        ({"outputs_a": ["x"], "outputs_b": ["x"] * 400}, "one output per item .400.; got 1"),
        ({"a": A.sketch()}, "votes_a must be votes item by item"),
        ({"gold_a": {"z": "pass"}}, "every item of human_a must be among"),
    ],
)
def test_what_is_wrong_is_said(settings, words):
    with pytest.raises(ae.DataError, match=words):
        asked(**settings)


JUDGES = (
    *("Mistral-7B", "Llama-7B", "Llama-13B", "Llama3-8B", "Gemma-2B", "Llama-70B", "EM"),
    *("Llama3-70B", "GPT-4", "JudgeLM", "Contains"),
)


def taker(name, judges=JUDGES, version="v1"):
    """Return the votes on one exam taker's answers, with their key."""
    table = pd.read_csv(DATA / f"triviaqa_judges_{version}.csv")
    table = table[table.exam_taker == name].drop_duplicates("question_key")
    return ae.Votes.from_columns(
        {j: [None if x != x else str(int(x)) for x in table[j]] for j in judges if j in table},
        items=table.question_key,
        labels=["0", "1"],
        key=[str(int(x)) for x in table.gold],
    )


def some_of(votes, items):
    known = dict(zip(votes.items, votes.key.tolist(), strict=True))
    return {item: votes.labels[known[item]] for item in items}


@shared
def test_gpt4_against_llama_on_real_answers():
    a, b = taker("gpt-4t"), taker("llama2-70b-base")
    found = ae.compare_systems(a.without_key(), b.without_key(), label="1")
    assert (found.n_items, found.n_differing, len(found.to_label)) == (192, 22, 22)
    assert found.table[0].estimate == pytest.approx(0.08, abs=0.005)
    assert found.verdict == "NOT DETERMINED"
    rng = np.random.default_rng(0)
    for _ in range(5):
        items = rng.choice(a.items, 50, replace=False)
        found = ae.compare_systems(
            a, b, label="1", gold_a=some_of(a, items), gold_b=some_of(b, items)
        )
        assert found.low <= 12 / 192 <= found.high
        assert found.high - found.low < 0.2
        assert "B BETTER" not in found.message


def real_coverage(version, n, n_runs, judges=JUDGES):
    """Return the mean coverage and width over pairs of exam takers, labels drawn at random."""
    table = pd.read_csv(DATA / f"triviaqa_judges_{version}.csv")
    names = sorted(set(table.exam_taker))
    takers = {name: taker(name, judges, version) for name in names}
    rng, hits, widths = np.random.default_rng(n), [], []
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            a, b = takers[one], takers[other]
            common = [item for item in a.items if item in set(b.items)]
            gold = "key"
            truth = ae.compare_systems(a, b, label="1", gold=gold).difference
            for _ in range(n_runs):
                items = rng.choice(common, n, replace=False)
                found = ae.compare_systems(
                    a, b, label="1", gold_a=some_of(a, items), gold_b=some_of(b, items)
                )
                hits.append(found.low <= truth <= found.high)
                widths.append(found.high - found.low)
    return float(np.mean(hits)), float(np.mean(widths))


@pytest.mark.slow
@pytest.mark.parametrize("favour", [0.0, 0.15, 0.35])
@pytest.mark.parametrize("n", [20, 50, 100, 200])
def test_votes_alone_miss_where_labels_and_judges_cover(favour, n):
    """Judges of .9 who pass some of B's failures, with the interval that votes alone would print."""
    rng, n_items, n_runs = np.random.default_rng(n), 1000, 1000
    votes_only = with_labels = 0
    for run in range(n_runs):
        ease = rng.random(n_items)
        truths = (ease < 0.76).astype(int), (ease < 0.7).astype(int)
        verdicts = []
        for k, truth in enumerate(truths):
            votes = np.where(rng.random((3, n_items)) > 0.9, 1 - truth, truth)
            if k:
                votes = np.maximum(votes, rng.random(n_items) < favour)
            verdicts.append((votes.sum(axis=0) >= 2).astype(int))
        d, f = truths[0] - truths[1], verdicts[0] - verdicts[1]
        half = 1.96 * f.std() / n_items**0.5
        votes_only += abs(f.mean() - 0.06) <= half
        rows = rng.choice(n_items, n, replace=False)
        counts = np.zeros((3, 3), int)
        np.add.at(counts, (f[rows] + 1, d[rows] + 1), 1)
        found = paired_strata(counts, np.bincount(f + 1, minlength=3), random=run, draws=4000)
        with_labels += found.low <= d.mean() <= found.high
    print(
        f"favour {favour} n {n}: votes {votes_only / n_runs:.3f} labels {with_labels / n_runs:.3f}"
    )
    assert favour == 0 or votes_only / n_runs < 0.1
    assert with_labels / n_runs >= 0.94


@shared
@pytest.mark.slow
@pytest.mark.parametrize("version", ["v1", "v2"])
@pytest.mark.parametrize("n", [20, 50, 100])
def test_real_pairs_are_covered(version, n):
    hit, width = real_coverage(version, n, 40)
    print(f"triviaqa {version}, n = {n}: coverage {hit:.3f}, width {width:.3f}")
    assert hit >= 0.94


@pytest.mark.parametrize(("labels", "judges"), [("01", 2), ("01", 4), ("abc", 3), ("abc", 4)])
def test_what_judges_say_alone_adds_up_over_the_labels(labels, judges):
    # of an item the labels with most votes share 1 between them, so that no label is favoured by a tie
    def panel(seed):
        chosen = np.random.default_rng(seed).integers(-1, len(labels), (60, judges))
        columns = {
            f"j{k}": [labels[v] if v >= 0 else None for v in chosen[:, k]] for k in range(judges)
        }
        return ae.Votes.from_columns(columns, items=[f"q{k}" for k in range(60)], labels=[*labels])

    def credit(votes, label):
        by_item = {}
        for row, codes in enumerate(votes.codes.tolist()):
            said = [votes.labels[code] for code in codes if code >= 0]
            most = max(map(said.count, said), default=0)
            first = [name for name in votes.labels if said.count(name) == most]
            if said:
                by_item[row] = Fraction(label in first, len(first))
        return by_item

    a, b = panel(1), panel(2)
    alone = [ae.versus(a, b, good=label).table[0] for label in labels]
    for line, label in zip(alone, labels, strict=True):
        own, other = credit(a, label), credit(b, label)
        both = own.keys() & other.keys()
        assert line.estimate == pytest.approx(
            float(sum(own[k] - other[k] for k in both) / len(both))
        )
        assert line.remark.endswith("; ties of judges count in equal parts")
    assert sum(line.estimate for line in alone) == pytest.approx(0)
    apart = [
        ae.versus(a, replace(b, items=tuple(f"p{k}" for k in range(60))), good=label).table[0]
        for label in labels
    ]
    assert sum(line.estimate for line in apart) == pytest.approx(0)


@pytest.mark.parametrize("labels", [("fail", "pass"), ("a", "b")])
def test_rates_of_two_labels_and_their_differences_mirror(labels):
    rng = np.random.default_rng(4)
    truths = [rng.random(150) < share for share in (0.6, 0.7)]
    votes, golds = [], []
    for truth in truths:
        wrong = rng.random((150, 2)) > 0.8
        said = np.where(wrong, ~truth[:, None], truth[:, None]).astype(int)
        assert (said.sum(axis=1) == 1).any()  # ties
        columns = {f"j{k}": [labels[v] for v in said[:, k]] for k in range(2)}
        items = [f"q{k}" for k in range(150)]
        votes.append(ae.Votes.from_columns(columns, items=items, labels=labels))
        golds.append({f"q{k}": labels[int(truth[k])] for k in range(40)})
    no, yes = labels
    for own, gold in zip(votes, golds, strict=True):
        first, second = (ae.rate(own, good=label, human=gold) for label in labels)
        assert first.rate == pytest.approx(1 - second.rate)
        assert first.low == pytest.approx(1 - second.high, abs=0.008)  # its ends are drawn
    both = [
        ae.versus(*votes, good=label, human_a=golds[0], human_b=golds[1]) for label in (no, yes)
    ]
    assert both[0].difference == pytest.approx(-both[1].difference)
    assert both[0].low == pytest.approx(-both[1].high, abs=0.008)
    assert both[0].high == pytest.approx(-both[1].low, abs=0.008)
    assert both[0].to_label == both[1].to_label


@pytest.mark.parametrize("stated", [["pass", "fail", "unsure"], ["pass", "fail"]])
def test_rates_of_people_s_two_labels_mirror_whatever_else_judges_say(stated):
    rng = np.random.default_rng(3)
    rows = []
    for system, right in (("v1", 0.7), ("v2", 0.5)):
        for k, truth in enumerate(rng.random(90) < right):
            verdicts = [
                "unsure"
                if rng.random() < 0.3
                else "pass"
                if (rng.random() < 0.8) == truth
                else "fail"
                for _ in "ab"
            ]
            human = ("pass" if truth else "fail") if rng.random() < 0.5 else None
            rows.append([k, system, *verdicts, human])
    table = pd.DataFrame(rows, columns=["prompt", "system", "gpt4", "claude", "human"])
    options = {"labels": stated}
    rows, items = ae.read_results(table, **options), {"target": "items"}  # no draws
    good, bad = (ae.versus(rows, good=g, **items) for g in ("pass", "fail"))
    good, bad = ((r[0] if isinstance(r, list | tuple) else r) for r in (good, bad))
    assert good.difference == pytest.approx(-bad.difference)
    assert (good.low, good.high) == pytest.approx((-bad.high, -bad.low))
    alone = table[table.system == "v1"].drop(columns="system")
    rows = ae.read_results(alone, **options)
    up, down = (ae.rate(rows, good=g, **items) for g in ("pass", "fail"))
    assert up.rate + down.rate == pytest.approx(1)
    assert (up.low, up.high) == pytest.approx((1 - down.high, 1 - down.low))


def partly_shared(seed, n, both, only_a, only_b, *, rates=(0.7, 0.55), alike=0.5, right=0.85):
    """Outputs of two systems of the same prompts, some labelled for one system only; the true difference."""
    rng = np.random.default_rng(seed)
    ease = rng.multivariate_normal([0, 0], [[1, alike], [alike, 1]], n)
    order = rng.permutation(n)
    of_b = [*order[:both], *order[both + only_a : both + only_a + only_b]]
    labelled = ({*order[: both + only_a].tolist()}, {int(k) for k in of_b})
    rows, good = [], ease < ndtri(rates)
    for k in range(n):
        for side, system in enumerate("AB"):
            passes = bool(good[k, side])
            says = passes if rng.random() < right else not passes
            label = ("fail", "pass")[passes] if k in labelled[side] else None
            rows.append((f"{system}{k}", f"p{k}", system, ("fail", "pass")[says], label))
    frame = pd.DataFrame(rows, columns=["id", "prompt", "system", "gpt4o", "human"])
    return frame, float(good[:, 0].mean() - good[:, 1].mean())


@pytest.mark.parametrize(
    ("both", "only_a", "only_b"), [(1, 20, 20), (9, 20, 20), (10, 20, 20), (20, 20, 0), (30, 5, 9)]
)
@pytest.mark.parametrize("target", ["items", "population"])
def test_a_difference_is_that_of_the_rates_where_some_labels_are_of_one_system(
    both, only_a, only_b, target
):
    results = ae.read_results(partly_shared(3, 90, both, only_a, only_b)[0])
    found = ae.versus(results, target=target)
    a, b = (ae.rate(part, target=target) for part in results.by_system.values())
    assert found.difference == pytest.approx(a.rate - b.rate)
    assert (found.n_gold, found.n_own_gold) == (both, (a.n_gold, b.n_gold))
    apart = np.hypot(a.rate - a.low, b.high - b.rate)
    assert found.low >= found.difference - 1.45 * apart - 1e-9  # a correlation of -1 at worst


def overlapping(seed, n, both, *, labelled=0.5, rates=(0.7, 0.55), alike=0.5, trials=1, ease_b=0.0):
    """Outputs of two systems with `both` of n prompts in common; labels are drawn output by output."""
    rng = np.random.default_rng(seed)
    total, rows = 2 * n - both, []
    together = rng.random(total) < alike
    luck = rng.random(total)
    for system, prompts, rate in (
        ("A", range(n), rates[0]),
        ("B", range(n - both, total), rates[1]),
    ):
        some = {*rng.choice(n, round(labelled * n), replace=False).tolist()}
        for at, k in enumerate(prompts):
            own = rate + (ease_b if k >= n else 0.0)
            for trial in range(trials):
                passes = int((luck[k] if together[k] else rng.random()) < own)
                words = [("fail", "pass")[int(passes == (rng.random() < 0.85))] for _ in range(3)]
                label = ("fail", "pass")[passes] if at in some else None
                rows.append((f"{system}{k}.{trial}", f"what is {k}?", system, *words, label))
    return pd.DataFrame(
        rows, columns=["id", "prompt", "system", "gpt4o", "claude", "qwen", "human"]
    )


@pytest.mark.parametrize("both", [0, 2, 20, 39, 40])
@pytest.mark.parametrize("target", ["items", "population"])
def test_systems_that_answered_other_prompts_differ_by_what_their_rates_differ(both, target):
    results = ae.read_results(overlapping(5, 40, both))
    found = ae.versus(results, target=target)
    a, b = (ae.rate(part, target=target) for part in results.by_system.values())
    assert found.difference == pytest.approx(a.rate - b.rate)
    assert (found.n_items, found.n_own_items, found.n_own_gold) == (both, (40, 40), (20, 20))
    said = " ".join(found.warnings)
    assert ("only if chance dealt the items" in said) == (both < 40)
    alone = f"{both} items were answered by both, {40 - both} by A alone and {40 - both} by B alone"
    assert (alone in said) == (0 < both < 40)


def test_with_every_output_labelled_the_difference_of_unequal_prompts_is_that_of_the_rates():
    frame = overlapping(2, 30, 20, labelled=1.0)
    shares = frame.assign(passes=frame.human == "pass").groupby("system").passes.mean()
    found = ae.versus(frame, target="items")
    assert (found.low, found.difference, found.high) == pytest.approx([shares.A - shares.B] * 3)
    common = frame[frame.prompt.isin([f"what is {k}?" for k in range(10, 30)])]
    shares = common.assign(passes=common.human == "pass").groupby("system").passes.mean()
    ahead, lead = ("A" if shares.A > shares.B else "B"), abs(shares.A - shares.B)
    assert f"on the 20 of both {ahead} leads by {lead:.2f} ({lead:+.2f} to" in found.warnings[-1]


def test_prompts_that_chance_did_not_deal_leave_those_of_both():
    frame = overlapping(4, 150, 75, rates=(0.55, 0.5), ease_b=0.45)
    found = ae.versus(frame, target="items")
    said = "judges say 'pass' of 91% of what B alone answered, and of 52% of its answers to the items of both"
    assert f"chance did not deal the items to the systems ({said})" in " ".join(found.warnings)
    common = frame[frame.prompt.isin([f"what is {k}?" for k in range(75, 150)])]
    alone = ae.versus(common, target="items")
    assert (found.low, found.difference, found.high) == (alone.low, alone.difference, alone.high)
    blind = frame.drop(columns=["claude", "qwen"]).assign(gpt4o="pass")
    blind.loc[::7, "gpt4o"] = "fail"  # judges see nothing of it, but people do
    found = ae.versus(blind)
    assert found.difference > -0.1
    assert "people say 'pass' of" in " ".join(found.warnings)


@pytest.mark.parametrize("seed", range(5))
def test_prompts_that_chance_dealt_are_seldom_taken_for_others(seed):
    found = [ae.versus(overlapping(100 * seed + k, 40, 12 + k)).n_own_items for k in range(12)]
    assert sum(items != (40, 40) for items in found) <= 1  # .27% of each of four looks


def side_of(prompts, values, both):
    """One system, of a rate with a standard error of one; `values`: its labels, NaN for none."""
    n, rows = len(prompts), np.flatnonzero(~np.isnan(values))
    votes, z = votes_of([[1] * n]), normal_quantile(0.95)
    panel, gold = panel_of(votes, "pass"), Gold(rows, np.zeros(len(rows), np.int64), values[rows])
    nothing = Predictor("share", np.zeros(n), named=False)
    drawn = Drawn(gold=gold, panel=panel, predictor=nothing, target="items", level=0.95)
    estimate = Estimate(0.5 - z, 0.5, 0.5 + z)
    side = _Side("A", votes, panel, "exact", drawn, estimate, estimate)
    return _OfBoth(side, prompts, panel.verdict, values, np.ones(both, np.int64))


@pytest.mark.parametrize(("both", "trials"), [(0, 1), (10, 1), (30, 1), (10, 3)])
def test_errors_of_two_rates_go_together_by_the_prompts_of_both(both, trials):
    """The covariance of errors of draws of the labels, of which those of one prompt go together."""
    rng = np.random.default_rng(both)
    n = 30 * trials
    labelled = np.zeros((2, n), bool)
    labelled[0, 12 * trials :: 2] = labelled[1, : 21 * trials : 3] = True
    prompts = np.full((2, n), -1)
    prompts[0, n - both * trials :] = prompts[1, : both * trials] = np.repeat(
        np.arange(both), trials
    )
    luck = np.column_stack([rng.normal(size=(20_000, both)), np.zeros(20_000)])
    error = []
    for own, some in zip(prompts, labelled, strict=True):
        y = luck[:, own] + rng.normal(size=(20_000, n))
        error.append(y[:, some].mean(axis=1) - y.mean(axis=1))
    by_draws = np.mean(error[0] * error[1])

    values = np.where(labelled, rng.random((2, n)) < 0.5, np.nan)
    a, b = (side_of(own, y, both) for own, y in zip(prompts, values, strict=True))
    covariance = _correlation((a, b), Scope(target="items", level=0.95), judged=True)
    means = [(np.nansum(y) + 0.5) / ((~np.isnan(y)).sum() + 1) for y in values]
    products = [
        (values[0, i] - means[0]) * (values[1, j] - means[1])
        for i in np.flatnonzero(labelled[0] & (prompts[0] >= 0))
        for j in np.flatnonzero(labelled[1] & (prompts[1] == prompts[0, i]))
    ]
    assert covariance == pytest.approx(by_draws * np.mean(products or [0.0]), abs=0.001)


def test_the_tenth_prompt_labelled_for_both_does_not_make_the_interval_wider():
    widths = [
        np.mean(
            [
                np.subtract(
                    *(getattr(ae.versus(frame, target="items"), end) for end in ("high", "low"))
                )
                for frame in (partly_shared(seed, 80, both, 20, 20)[0] for seed in range(3))
            ]
        )
        for both in (9, 10, 20)
    ]
    assert widths[1] < 1.1 * widths[0]
    assert widths[2] < widths[1]


@pytest.mark.slow
@pytest.mark.parametrize("target", ["items", "population"])
@pytest.mark.parametrize("alike", [-0.5, 0.0, 0.5, 0.9])
@pytest.mark.parametrize("right", [0.5, 0.85])
@pytest.mark.parametrize(
    ("both", "only_a", "only_b"), [(5, 15, 15), (10, 0, 30), (10, 20, 20), (20, 20, 20), (30, 5, 5)]
)
def test_labels_of_both_and_of_one_system_cover(both, only_a, only_b, right, alike, target):
    hits = wrong = 0
    for seed in range(150):
        rates = (0.7, 0.7) if seed % 2 else (0.9, 0.8)
        made = partly_shared(seed, 200, both, only_a, only_b, rates=rates, alike=alike, right=right)
        frame, true = made
        true = true if target == "items" else rates[0] - rates[1]
        found = ae.versus(frame, target=target, good="pass")
        hits += found.low - 1e-9 <= true <= found.high + 1e-9
        wrong += seed % 2 and found.verdict.endswith("BETTER") and target == "population"
    print(
        f"{both, only_a, only_b} {right} {alike} {target}: covers {hits / 150:.3f}, wrong {wrong}"
    )
    assert hits >= 150 * 0.95 - 3 * (150 * 0.95 * 0.05) ** 0.5
    assert wrong <= 75 * 0.05 + 3 * (75 * 0.05 * 0.95) ** 0.5


def test_labels_alone_that_would_show_what_the_judges_take_back_are_said():
    rng = np.random.default_rng(2)
    differs = np.array([1] * 9 + [-1] * 1 + [0] * 20 + [1] * 26 + [-1] * 34 + [0] * 60)
    ease = rng.random(len(differs)) < 0.5
    truths = [np.where(differs, differs == s, ease).astype(int) for s in (1, -1)]
    a, b = (votes_of(truth) for truth in truths)  # judges who do not err
    found = ae.versus(
        a,
        b,
        good="pass",
        **{f"human_{s}": gold_of(t, range(30)) for s, t in zip("ab", truths, strict=True)},
    )
    assert found.verdict == "NO DIFFERENCE SHOWN"
    p = binomtest(1, 10, 0.5).pvalue
    assert p <= 0.05
    assert f"labels alone would show one: exact McNemar p = {p:.2g})" in found.message
