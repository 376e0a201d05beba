"""Several people on the same items: the alternative annotator test, and judges beside people."""

from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from jsonschema import Draft202012Validator
from scipy.stats import ttest_1samp

import algeval as ae
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


def test_agreement_in_clusters_says_what_it_takes_for_granted():
    card = ae.judge_card(ROWS, cluster={i: str(k // 3) for k, i in enumerate(ROWS["id"])})
    assert any("take items as drawn one by one" in line for line in card.warnings)
    assert not any("take items as drawn" in line for line in ae.judge_card(ROWS).warnings)


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
