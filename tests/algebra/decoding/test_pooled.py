"""All trios as one answer: planted truths come back exactly, medians are medians."""

from fractions import Fraction as F
from itertools import combinations, product
from math import prod
from statistics import median

import numpy as np
import pytest

import algeval as ae
from algeval.algebra import pool_trios
from algeval.data import Evaluation, Sketch
from algeval.errors import DataError
from algeval.models.independent import exact_exam, sample

RATES = [
    (F(3, 4), F(2, 3)),
    (F(4, 5), F(1, 3)),
    (F(1, 2), F(5, 6)),
    (F(2, 3), F(3, 4)),
    (F(3, 5), F(1, 2)),
]


def planted(n_judges, share=F(2, 5)):
    tables = [[[x, 1 - x], [1 - y, y]] for x, y in RATES[:n_judges]]
    names = [f"j{i}" for i in range(n_judges)]
    return Evaluation(names, ["a", "b"], ["a", "b"], np.array([share, 1 - share]), np.array(tables))


@pytest.mark.parametrize("n_judges", [4, 5])
@pytest.mark.parametrize("share", [F(2, 5), F(1, 2), F(1, 7)])
def test_exactly_independent_judges_are_graded_exactly(n_judges, share):
    truth = planted(n_judges, share)
    found = pool_trios(exact_exam(truth).sketch)
    assert found.status.ok
    assert found.shared
    assert found.evaluation == truth
    assert found.n_passing == found.n_trios == len(list(combinations(range(n_judges), 3)))
    assert np.allclose(found.prevalence[:, 0], found.prevalence[:, 1])
    assert found.accuracy_of("j1", "b") == pytest.approx((1 / 3, 1 / 3))


def test_three_labels_are_graded_exactly_too():
    rows = [
        [F(3, 5), F(1, 5), F(1, 5)],
        [F(1, 10), F(7, 10), F(1, 5)],
        [F(1, 10), F(3, 10), F(3, 5)],
    ]
    shift = [
        [F(7, 10), F(1, 5), F(1, 10)],
        [F(1, 5), F(3, 5), F(1, 5)],
        [F(1, 10), F(1, 10), F(4, 5)],
    ]
    tables = np.array([rows, shift, shift, rows])
    truth = Evaluation(
        [*"wxyz"], [*"abc"], [*"abc"], np.array([F(1, 5), F(3, 10), F(1, 2)]), tables
    )
    found = pool_trios(exact_exam(truth).sketch)
    assert found.shared
    assert found.evaluation == truth


def test_one_item_moved_is_no_longer_independent():
    counts = dict(exact_exam(planted(4)).sketch.to_counts())
    first, second = list(counts)[:2]
    counts[first] -= 1
    counts[second] += 1
    found = pool_trios(Sketch.from_counts(counts, labels=["a", "b"]))
    assert found.status.value == "inconsistent"
    assert not found.shared
    assert "not exactly independent" in found.message


def test_trios_may_agree_where_all_judges_together_do_not():
    """A fourth-order parity added to independent coins: no trio sees it."""
    coins = {"".join(t): 2 for t in product("ab", repeat=4)}
    parity = {t: n + (1 if t.count("a") % 2 else -1) for t, n in coins.items()}
    planted_counts = {t: n + (32 if t == "bbbb" else 0) for t, n in parity.items()}
    without = {t: n + (32 if t == "bbbb" else 0) for t, n in coins.items()}
    assert pool_trios(Sketch.from_counts(without)).status.ok
    found = pool_trios(Sketch.from_counts(planted_counts))
    assert found.shared
    assert found.status.value == "inconsistent"
    assert "does not give back how all judges answered together" in found.message
    assert found.evaluation.prevalence.tolist() == [F(1, 2), F(1, 2)]


def test_fractions_of_items_are_told():
    """54 items, a quarter of them of label a: every count is whole, 13.5 items are not."""
    rates = {"a": {"a": F(1), "b": F(0)}, "b": {"a": F(1, 3), "b": F(2, 3)}}
    counts = {
        t: 54
        * sum(p * prod(rates[x][said] for said in t) for x, p in (("a", F(1, 4)), ("b", F(3, 4))))
        for t in product("ab", repeat=4)
    }
    assert all(n.denominator == 1 for n in counts.values())
    found = pool_trios(Sketch.from_counts({t: int(n) for t, n in counts.items() if n}))
    assert found.status.value == "not_integral"
    assert found.shared
    assert found.evaluation.prevalence.tolist() == [F(1, 4), F(3, 4)]
    assert "by fractions of items" in found.message


def test_medians_and_ranges_are_those_of_the_trios():
    votes = sample(planted(5).to_floats(), 3000, seed=2)
    found = pool_trios(votes)
    decoded = {t: ae.decode(votes, [votes.judges[i] for i in t]) for t in combinations(range(5), 3)}
    passing = {t: one.best.to_floats() for t, one in decoded.items() if one.in_range}
    assert 0 < len(passing) == found.n_passing
    shares = [e.prevalence_of("a") for e in passing.values()]
    assert found.evaluation.prevalence_of("a") == pytest.approx(median(shares))
    assert found.prevalence_of("a") == pytest.approx((min(shares), max(shares)))
    for i, judge in enumerate(votes.judges):
        for label in "ab":
            values = [e.accuracy(judge, label) for t, e in passing.items() if i in t]
            assert found.evaluation.accuracy(judge, label) == pytest.approx(median(values))
            assert found.accuracy_of(judge, label) == pytest.approx((min(values), max(values)))


def test_a_blind_judge_is_no_proof_of_dependence():
    truth = planted(4)
    blind = np.array(truth.confusion)
    blind[3] = [[F(1, 2), F(1, 2)]] * 2
    found = pool_trios(exact_exam(Evaluation(*truth.axes, truth.prevalence, blind)).sketch)
    assert found.status.value == "undetermined"
    assert found.n_passing == 1
    assert "not exactly independent" not in found.message
    assert found.evaluation.accuracy("j0", "a") == pytest.approx(3 / 4)
    assert np.isnan(found.evaluation.accuracies()[3]).all()


def test_nothing_to_show():
    found = pool_trios(Sketch.from_counts({"aaaa": 5}, labels=["a", "b"]))
    assert found.status.value == "undetermined"
    assert found.evaluation is None
    assert np.isnan(found.prevalence).all()
    with pytest.raises(DataError, match="four or more judges; got 3"):
        pool_trios(Sketch.from_counts({"aab": 5, "bbb": 2}))
