"""Several people on the same items: the alternative annotator test, and judges beside people."""

from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from jsonschema import Draft202012Validator
from scipy.stats import t, ttest_1samp

import algeval as ae
from algeval.cli.main import run
from algeval.errors import DataError
from algeval.judges.intervals import mean_interval
from algeval.judges.people import (
    People,
    alt_test,
    benjamini_yekutieli,
    human_agreement,
    loses_by_less,
)


def people_of(humans, judges, labels="AB"):
    def coded(rows):
        return np.array([[labels.find(x) for x in row] for row in rows]).T.reshape(-1, len(rows))

    names = tuple(f"h{k}" for k in range(1, len(humans) + 1))
    return People(names, coded(humans), coded(judges), len(labels))


WORKED = people_of(["ABABBA", "ABBBBA", "AABBAA"], ["ABABAA"])


def test_the_worked_case_to_its_digits():
    test = alt_test(WORKED, ["j"], "AB", Fraction(1, 10), fewest=1)
    row = test.row("j")
    assert [p.p for p in row.people] == [0.0, 0.0, pytest.approx(0.085248, abs=5e-7)]
    assert [p.rejected for p in row.people] == [True, True, False]
    assert (row.winning_rate, row.advantage, row.passes) == (Fraction(2, 3), 1.0, True)
    wider = alt_test(WORKED, ["j"], "AB", Fraction(1, 5), fewest=1).row("j")
    assert wider.people[2].p == pytest.approx(0.039547, abs=5e-7)


def test_false_discoveries_of_tests_that_depend():
    assert benjamini_yekutieli([0.001, 0.02, 0.03, 0.5]) == [True, False, False, False]
    assert benjamini_yekutieli([0.01, 0.02, 0.024, 0.024]) == [True] * 4
    assert benjamini_yekutieli([]) == []
    for rank, limit in enumerate((0.009091, 0.018182, 0.027273), 1):  # of three
        for p, n in ((limit - 1e-6, rank), (limit + 1e-6, 0)):
            assert sum(benjamini_yekutieli([p] * rank + [1.0] * (3 - rank))) == n


def test_differences_without_spread():
    same = np.zeros(30, np.int64)
    assert loses_by_less(same, Fraction(1, 10)) == 0.0
    assert loses_by_less(same + 1, Fraction(1, 10)) == 1.0
    assert loses_by_less(same, Fraction(0)) is None


@pytest.mark.parametrize("distance", [False, True])
def test_the_test_by_hand(distance):
    """Shares, or mean squares, as fractions; t tests by SciPy."""
    rng = np.random.default_rng(5)
    codes = rng.integers(0, 4, (60, 4))
    codes[rng.random((60, 4)) < 0.2] = -1
    said = rng.integers(-1, 4, 60)
    people = People(tuple("abcd"), codes, said[:, None], 4)
    row = alt_test(people, ["j"], "1234", Fraction(1, 5), distance=distance, fewest=5).row("j")
    for j, person in enumerate(row.people):
        d, wins = [], []
        for own, x in zip(codes.tolist(), said.tolist(), strict=True):
            others = [y for k, y in enumerate(own) if k != j and y >= 0]
            if own[j] < 0 or x < 0 or not others:
                continue

            def near(z, others=others):
                far = (Fraction((z - y) ** 2 if distance else z != y) for y in others)
                return -sum(far) / len(others)

            d.append(int(near(own[j]) >= near(x)) - int(near(x) >= near(own[j])))
            wins.append(near(x) >= near(own[j]))
        assert person.n == len(d)
        assert person.difference == pytest.approx(np.mean(d))
        assert person.p == pytest.approx(ttest_1samp(d, 0.2, alternative="less").pvalue)
    assert row.advantage is not None


def alike(rng, n, rate, accuracy, size=5, icc=0.3):
    """Truth and answers of clusters: each draw is that of its cluster with chance sqrt(icc)."""
    of = np.arange(n) // size

    def uniform():
        own, shared = rng.random(n), rng.random(n // size + 1)[of]
        return np.where(rng.random(n) < np.sqrt(icc), shared, own)

    truth = uniform() < rate
    said = [np.where(uniform() < a, truth, ~truth) for a in accuracy]
    return np.stack(said, axis=1).astype(np.int64), of


def answers(rng, n, rate, accuracy):
    truth = rng.random(n) < rate
    right = rng.random((n, len(accuracy))) < np.array(accuracy)
    return np.where(right, truth[:, None], ~truth[:, None]).astype(np.int64)


def test_where_a_constant_judge_passes_passing_is_no_evidence():
    rng = np.random.default_rng(1)
    table = answers(rng, 100, 0.9, [0.85, 0.85, 0.85, 0.9])
    people = People(("a", "b", "c"), table[:, :3], table[:, 3:], 2)
    test = alt_test(people, ["j"], ["fail", "pass"], Fraction(1, 5))
    assert test.constant.passes
    assert test.row("j").passes
    assert test.status.value == "undetermined"
    assert "always 'pass': no evidence" in test.verdict("j")
    assert test.constant.by_label["fail"].high < 0  # what the test does not see
    assert "no evidence" in test.summary()


def test_too_few_people_or_items_are_refused_with_how_many():
    rng = np.random.default_rng(2)
    table = answers(rng, 25, 0.5, [0.8] * 3)
    with pytest.raises(DataError, match=r"at most 25 \(a\); 5 more such items"):
        alt_test(People(("a", "b"), table[:, :2], table[:, 2:], 2), ["j"], "AB", Fraction(1, 5))
    with pytest.raises(DataError, match="at least two people"):
        alt_test(People(("a",), table[:, :1], table[:, 2:], 2), ["j"], "AB", Fraction(1, 5))
    alone = np.where(rng.random((25, 1)) < 2, np.where(np.eye(25, 2, dtype=bool), 0, -1), -1)
    with pytest.raises(DataError, match="at most 0"):
        alt_test(People(("a", "b"), alone, table[:, 2:], 2), ["j"], "AB", Fraction(1, 5))


def test_a_person_with_few_items_stays_among_the_others():
    rng = np.random.default_rng(3)
    table = answers(rng, 80, 0.5, [0.9] * 4)
    table[20:, 2] = -1
    test = alt_test(
        People(tuple("abc"), table[:, :3], table[:, 3:], 2), ["j"], "AB", Fraction(1, 5)
    )
    assert [p.person for p in test.row("j").people] == ["a", "b"]
    assert "not tested, fewer than 30 items: c" in test.summary()
    with pytest.raises(DataError, match="judge must be one of"):
        test.row("k")


# --- Agreement of people.


def test_agreement_by_counting_pairs():
    rng = np.random.default_rng(4)
    codes = rng.integers(-1, 3, (40, 4))
    said = rng.integers(-1, 4, (40, 2))
    made = human_agreement(People(tuple("abcd"), codes, said, 3), ["x", "y"], 0.95)
    rows = [[y for y in row if y >= 0] for row in codes.tolist()]
    kept = [(row, x) for row, x in zip(rows, said.tolist(), strict=True) if len(row) > 1]

    def pairs(row):
        both = [(p, q) for p, q in product(range(len(row)), repeat=2) if p != q]
        return Fraction(sum(row[p] == row[q] for p, q in both), len(both))

    assert made.n == len(kept)
    assert made.agreement.value == pytest.approx(float(sum(pairs(r) for r, _ in kept) / len(kept)))
    top = [Fraction(max(row.count(t) for t in range(3)), len(row)) for row, _ in kept]
    assert made.ceiling == sum(top) / len(kept)
    for j, gap in enumerate(made.judges):
        own = [(r, s[j]) for r, s in kept if s[j] >= 0]
        d = [Fraction(r.count(x), len(r)) - pairs(r) for r, x in own]
        assert gap.n == len(own)
        assert gap.difference.value == pytest.approx(float(sum(d) / len(d)))
    assert made.single is None  # three labels
    assert human_agreement(People(("a",), codes[:, :1], said, 3), ["x", "y"], 0.95) is None


def test_no_key_and_no_judge_beats_the_ceiling():
    rng = np.random.default_rng(6)
    for _ in range(20):
        codes = rng.integers(0, 2, (5, 3))
        every = np.array(list(product(range(2), repeat=5))).T
        made = human_agreement(
            People(tuple("abc"), codes, every, 2), [str(k) for k in range(32)], 0.95
        )
        assert max(g.agreement for g in made.judges) == pytest.approx(float(made.ceiling))


def test_one_persons_accuracy_where_errors_are_independent():
    rng = np.random.default_rng(7)
    table = answers(rng, 40_000, 0.7, [0.85] * 3)
    made = human_agreement(People(tuple("abc"), table, table[:, :1], 2), ["x"], 0.95)
    assert made.single == pytest.approx(0.85, abs=0.005)


ROWS = {
    "id": [f"q{k}" for k in range(60)],
    "gpt4o": ["pass"] * 30 + ["fail"] * 30,
    "human_1": ["pass"] * 25 + ["fail"] * 35,
    "human_2": (["pass"] * 3 + ["fail"]) * 15,
    "human_3": ["pass"] * 20 + ["fail"] * 30 + [None] * 10,
}


def test_people_in_every_form():
    frame = pd.DataFrame(ROWS)
    wanted = ae.judge_card(ROWS)
    assert wanted.humans.people == ("human_1", "human_2", "human_3")
    long = frame.melt(id_vars="id", var_name="rater", value_name="verdict").dropna()
    people = frame.drop(columns="gpt4o").melt(
        id_vars="id", var_name="annotator", value_name="label"
    )
    for card in (
        ae.judge_card(frame),
        ae.judge_card(ae.read_results(frame)),
        ae.judge_card(long),
        ae.judge_card(frame[["id", "gpt4o"]], human=people.dropna()),
        ae.judge_card(ae.read_results(frame), human=["human_1", "human_2", "human_3"]),
    ):
        assert card.humans == wanted.humans
        assert card.alt_test(eps=0.2) == wanted.alt_test(eps="20%")
    text = wanted.summary()
    assert "two drawn at random agree on" in text
    assert "no judge whatever can agree with them on more than" in text
    assert wanted.humans.split == sum(x is None for x in ae.read_results(ROWS).human.values()) == 7
    assert "On 7 items they are split" in text


def test_clusters_of_one_item_change_nothing_and_items_written_five_times_are_one():
    plain = ae.judge_card(ROWS)
    alone = ae.judge_card(ROWS, cluster={i: i for i in ROWS["id"]})
    assert alone.humans == plain.humans
    assert alone.alt_test(eps=0.2).judges == plain.alt_test(eps=0.2).judges
    assert alone.alt_test(eps=0.2).clusters == 60
    five = {name: [x for x in cells for _ in range(5)] for name, cells in ROWS.items()}
    five["id"] = [f"{i}{k}" for k, i in enumerate(five["id"])]
    card = ae.judge_card(five, cluster={i: str(k // 5) for k, i in enumerate(five["id"])})
    for one, other in zip(plain.humans.judges, card.humans.judges, strict=True):
        assert tuple(one.difference) == pytest.approx(tuple(other.difference))
    one, other = (c.alt_test(eps=0.2).row("gpt4o") for c in (plain, card))
    assert [p.p for p in other.people] == pytest.approx([p.p for p in one.people])
    assert other.by_label.keys() == one.by_label.keys()
    for label, gap in one.by_label.items():
        assert tuple(other.by_label[label]) == pytest.approx(tuple(gap))
    assert "in 60 clusters" in card.alt_test(eps=0.2).message
    assert "takes items as drawn one by one" in card.alt_test(eps=0.2).warnings[0]


def test_items_count_one_over_their_chance():
    chances = {i: 1.0 if k % 2 else 0.25 for k, i in enumerate(ROWS["id"])}
    card = ae.judge_card(ROWS, inclusion=chances)
    people, w = card.people, np.array([1 / chances[i] for i in ROWS["id"]])
    counts = people.counts
    m = counts.sum(axis=1)
    a = (counts * (counts - 1)).sum(axis=1) / (m * (m - 1))
    b = counts[np.arange(60), people.said[:, 0]] / m
    gap = card.humans.judges[0]
    assert gap.difference.value == pytest.approx(w @ (b - a) / w.sum())
    assert gap.agreement == pytest.approx(w @ b / w.sum())
    assert card.humans.ceiling == ae.judge_card(ROWS).humans.ceiling  # of these items
    row = card.alt_test(eps=0.2).row("gpt4o").people[0]
    said, own = people.codes[:, 1:], people.codes[:, 0]
    near = [(said == x[:, None]).sum(axis=1) for x in (people.said[:, 0], own)]
    d = (near[1] >= near[0]).astype(int) - (near[0] >= near[1])
    assert row.difference == pytest.approx(w @ d / w.sum())
    degrees = w.sum() ** 2 / (w @ w) - 1
    w, d = np.append(w, [w @ w / w.sum()] * 2), np.append(d, [-0.3, 0.7])  # two more, around eps
    mean = w @ d / w.sum()
    error = np.sqrt(62 / 61 * (w**2 @ (d - mean) ** 2)) / w.sum()
    assert row.p == pytest.approx(t.cdf((mean - 0.2) / error, degrees))
    rare = ae.judge_card(ROWS, inclusion=dict(zip(ROWS["id"], [0.01] * 3 + [1] * 57, strict=True)))
    with pytest.raises(DataError, match="come to 30 drawn at random"):
        rare.alt_test(eps=0.2)
    some = {i: c for i, c in chances.items() if ae.read_results(ROWS).human[i]}
    without = ae.judge_card(ROWS, inclusion=some)  # split items have no chance
    assert without.humans is None
    assert "split have no chance" in " ".join(without.warnings)


def test_people_whose_items_are_of_few_clusters_are_not_tested():
    wide = {i: str(k) if k >= 40 else "first" for k, i in enumerate(ROWS["id"])}
    few = ae.judge_card(ROWS, cluster=wide).people
    kept = np.flatnonzero(np.arange(60) < 45)
    people = People(few.names, few.codes[kept], few.said[kept], 2, few.clusters[kept])
    with pytest.raises(DataError, match="at least 8 clusters"):
        alt_test(people, ["gpt4o"], ["fail", "pass"], Fraction(1, 5))


def test_a_file_of_annotators_beside_two_systems(tmp_path, monkeypatch, capsys):
    """The people of the file were merged into one where outputs are of several systems."""
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame(ROWS)
    systems = frame[["id", "gpt4o"]].assign(
        system=["v1", "v2"] * 30, prompt=[f"p{k // 2}" for k in range(60)]
    )
    systems.to_csv("systems.csv", index=False)
    people = frame.melt("id", ["human_1", "human_2", "human_3"], "annotator", "label").dropna()
    people.to_csv("people.csv", index=False)
    assert run(["judges", "systems.csv", "--human", "people.csv"]) == 0
    assert "of 3 people: two drawn at random agree on" in capsys.readouterr().out
    asked = ["--alt-test", "0.2", "--cluster", "prompt"]
    assert run(["judges", "systems.csv", "--human", "people.csv", *asked]) in (0, 1)
    assert "3 people, 60 items with two or more, in 30 clusters" in capsys.readouterr().out


def test_documents_are_of_their_schemas():
    card = ae.judge_card(ROWS)
    assert Draft202012Validator(ae.schema("judge_card")).is_valid(card.to_dict())
    test = card.alt_test(eps=0.1)
    assert Draft202012Validator(ae.schema("alt_test")).is_valid(test.to_dict())
    assert {t.title for t in card.as_tables()} >= {"Beside people"}
    assert len(test.as_tables()) == 3


@pytest.mark.parametrize(
    ("data", "options", "words"),
    [
        (ROWS, {"eps": 2}, "eps must lie from 0 to 1"),
        (ROWS, {"eps": 0.1, "distance": True}, "scale of whole numbers"),
        ({k: ROWS[k] for k in ("id", "gpt4o", "human_1")}, {"eps": 0.1}, "one label an item"),
    ],
)
def test_what_cannot_be_tested_is_said(data, options, words):
    with pytest.raises(DataError, match=words):
        ae.judge_card(data).alt_test(**options)


def test_grades_are_compared_by_distance():
    rng = np.random.default_rng(8)
    truth = rng.integers(1, 6, 60)

    def near():
        return np.clip(truth + rng.integers(-1, 2, 60), 1, 5).tolist()

    table = {"id": [f"q{k}" for k in range(60)], "gpt4o": near()}
    table |= {f"human_{k}": near() for k in range(1, 4)}
    card = ae.judge_card(table)
    test = card.alt_test(eps=0.2, distance=True)
    assert test.distance
    assert test.row("gpt4o").people != card.alt_test(eps=0.2).row("gpt4o").people


# --- What the methods claim, by simulation.


@pytest.mark.parametrize(
    ("n", "draws"), [(15, 400), pytest.param(60, 2000, marks=pytest.mark.slow)]
)
def test_the_interval_beside_people_holds(n, draws):
    """Truth by 200,000 items; a judge at .9, three people at .85."""
    rng = np.random.default_rng(9)
    rates = [0.85, 0.85, 0.85, 0.9]

    def gap(table):
        counts = np.stack([(table[:, :3] == t).sum(axis=1) for t in range(2)], axis=1)
        a = (counts * (counts - 1)).sum(axis=1) / 6
        b = counts[np.arange(len(table)), table[:, 3]] / 3
        return a, b - a

    agree, truth = (x.mean() for x in gap(answers(rng, 200_000, 0.8, rates)))
    held = np.zeros(2)
    for _ in range(draws):
        a, d = gap(answers(rng, n, 0.8, rates))
        low, high = mean_interval(d)[1:]
        held += low <= truth <= high, 0
        low, high = mean_interval(a, centre=0.5)[1:]
        held += 0, low <= agree <= high
    assert (held / draws > 0.925).all()


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n", "eps"), [(3, 30, 0.1), (3, 100, 0.2), (5, 50, 0.2)])
def test_at_the_boundary_each_test_rejects_at_its_level(m, n, eps):
    """People and judge so that the mean difference is eps: single tests reject about 5%, few pass."""
    rng = np.random.default_rng(10)
    low, high = 0.3, 0.85
    for _ in range(25):
        middle = (low + high) / 2
        table = answers(rng, 40_000, 0.5, [0.85] * m + [middle])
        people = People(tuple(map(str, range(m))), table[:, :m], table[:, m:], 2)
        row = alt_test(people, ["j"], "AB", Fraction(1, 5)).row("j")
        gap = np.mean([p.difference for p in row.people])
        low, high = (low, middle) if gap < eps else (middle, high)
    rejected = passed = 0
    draws = 400
    for _ in range(draws):
        table = answers(rng, n, 0.5, [0.85] * m + [low])
        people = People(tuple(map(str, range(m))), table[:, :m], table[:, m:], 2)
        row = alt_test(people, ["j"], "AB", Fraction(str(eps))).row("j")
        rejected += np.mean([p.p is not None and p.p <= 0.05 for p in row.people])
        passed += row.passes
    assert rejected / draws < 0.08
    assert passed / draws < 0.045


def at_boundary(draw, m, eps):
    """Accuracy of a judge at which the mean difference to people right on 85% is eps."""
    low, high = 0.3, 0.95
    for _ in range(16):
        middle = (low + high) / 2
        table = draw(30_000, [0.85] * m + [middle])
        people = People(tuple(map(str, range(m))), table[:, :m], table[:, m:], 2)
        row = alt_test(people, ["j"], "AB", Fraction(1, 5)).row("j")
        gap = np.mean([p.difference for p in row.people])
        low, high = (low, middle) if gap < eps else (middle, high)
    return low


def rejections(rng, design, m, n, eps, rate, draws):
    """Shares of single tests that reject at 5%, as drawn and by rows, and of judges that pass."""
    accuracy = at_boundary(lambda k, a: alike(rng, k, rate, a)[0], m, eps)
    counts = np.zeros(3)
    for _ in range(draws):
        if design == "clusters":
            table, clusters = alike(rng, n, rate, [0.85] * m + [accuracy])
            weights = None
        else:  # 1 to 8, drawn from independent items
            table, clusters = alike(rng, n, rate, [0.85] * m + [accuracy], size=1)[0], None
            weights = np.where(rng.random(n) < 8 / 9, 1.0, 8.0)
        names = tuple(map(str, range(m)))
        people = People(names, table[:, :m], table[:, m:], 2, clusters, weights)
        for k, own in enumerate((people, People(names, table[:, :m], table[:, m:], 2))):
            row = alt_test(own, ["j"], "AB", Fraction(str(eps))).row("j")
            counts[k] += np.mean([p.p is not None and p.p <= 0.05 for p in row.people])
            counts[2] += row.passes * (k == 0)
    return counts / draws


def test_clusters_hold_the_level_where_rows_do_not():
    own, rows, _ = rejections(np.random.default_rng(12), "clusters", 3, 100, 0.1, 0.5, 120)
    assert own <= 0.1  # .052 in 1,500 draws
    assert rows >= 0.07  # .12


@pytest.mark.slow
@pytest.mark.parametrize(
    ("design", "m", "eps", "rate", "n"),
    [
        *(("clusters", 3, 0.1, 0.5, n) for n in (40, 60, 100, 200)),
        *(("clusters", 3, 0.2, 0.8, n) for n in (40, 60, 100, 200)),
        *(("chances", 3, 0.2, 0.5, n) for n in (100, 200)),
    ],
)
def test_the_level_of_clusters_and_of_unequal_chances(design, m, eps, rate, n):
    own, rows, passed = rejections(np.random.default_rng(n), design, m, n, eps, rate, 1000)
    print(f"{design} n {n} eps {eps} rate {rate}: {own:.3f} by rows {rows:.3f} pass {passed:.3f}")
    assert own <= 0.085
    assert passed <= 0.045


@pytest.mark.slow
@pytest.mark.parametrize("n", [40, 100, 200])
def test_the_interval_beside_people_holds_in_clusters(n):
    """Clusters of 5, correlation .3 of every answer; by rows too narrow."""
    rng = np.random.default_rng(n)
    rates, held = [0.85, 0.85, 0.85, 0.9], np.zeros(2)

    def people(k, one_by_one=False):
        table, of = alike(rng, k, 0.8, rates)
        return People(tuple("abc"), table[:, :3], table[:, 3:], 2, None if one_by_one else of)

    truth = human_agreement(people(200_000, True), ["j"], 0.95).judges[0].difference.value
    for _ in range(1500):
        own = people(n)
        rows = People(own.names, own.codes, own.said, 2)
        for k, data in enumerate((own, rows)):
            low, high = human_agreement(data, ["j"], 0.95).judges[0].difference[1:]
            held[k] += low <= truth <= high
    print(f"D, {n} items in clusters of 5: {held[0] / 1500:.3f}, by rows {held[1] / 1500:.3f}")
    assert held[0] / 1500 > 0.925


@pytest.mark.slow
@pytest.mark.parametrize(
    ("eps", "rate", "passes"),
    [(0.2, 0.8, 0.93), (0.2, 0.9, 1.0), (0.1, 0.8, 0.21), (0.1, 0.9, 0.9)],
)
def test_how_often_a_constant_judge_passes(eps, rate, passes):
    rng = np.random.default_rng(11)
    n = 0
    for _ in range(300):
        table = answers(rng, 100, rate, [0.85] * 3)
        people = People(tuple("abc"), table, table[:, :1], 2)
        n += alt_test(people, ["j"], "AB", Fraction(str(eps))).constant.passes
    assert n / 300 == pytest.approx(passes, abs=0.07)
