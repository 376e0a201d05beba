"""Beliefs about a population: coverage where every judge sits on the edge of what is believed."""

from fractions import Fraction

import numpy as np
import pytest

from algeval.data import Specification, Summary
from algeval.logic.exam import read_exam
from algeval.rates.ladder import population_range
from algeval.rates.rungs import Floors, covers_of, floors_of, key_range

RATE, X = 0.5, Fraction(4, 5)


def covered(n_judges, n_items, runs, seed, *, by_label=False):
    """Return how often the range holds the rate, and how often the one of these items does.

    Every judge is right on all items of A and wrong on 40% of the others: right on 80%, and f = .7 is
    as far above the rate as that allows. By label: on 80% of A and on all others, f = .4.
    """
    rng = np.random.default_rng(seed)
    share = 0.8 * RATE if by_label else RATE + 0.2
    floors = Floors(by_label, ((X, X),) * n_judges)
    names = [f"j{i}" for i in range(n_judges)]
    wide = bare = 0
    for row in rng.binomial(n_items, share, (runs, n_judges)):
        counts = np.column_stack([row, n_items - row])
        exam = read_exam(Summary(names, ["A", "B"], ["A", "B"], counts, n_items))
        found = population_range(exam, floors, 0, 0.95)
        wide += found is not None and found[0] <= RATE <= found[1]
        spec = Specification.at_least(X) if by_label else Specification.grade(">=", X)
        items = key_range(covers_of(exam, spec), n_items, 0)
        bare += items is not None and items[0] <= RATE * n_items <= items[1]
    return wide / runs, bare / runs


@pytest.mark.parametrize("by_label", [False, True])
def test_ten_judges_at_the_edge(by_label):
    wide, bare = covered(10, 400, 150, 41, by_label=by_label)
    assert wide >= 0.94
    assert bare < 0.1  # what widening is for


@pytest.mark.slow
@pytest.mark.parametrize("n_judges", [1, 3, 10, 21])
@pytest.mark.parametrize("n_items", [50, 400, 2000])
def test_any_number_of_judges_at_the_edge(n_judges, n_items):
    wide, _ = covered(n_judges, n_items, 4000, 42)
    assert wide >= 0.94


def test_judges_who_leave_items_out():
    """A judge that answers half of the items says nothing of the other half."""
    rows = {"x": {"A": 250, "B": 250}}
    exam = read_exam(Summary.from_counts(rows, n_items=1000))
    for spec, ends in [
        (Specification.grade(">=", 0.8), (0.15, 0.85)),
        (Specification.at_least(0.8), (0.1875, 0.8125)),
    ]:
        low, high = population_range(exam, floors_of(exam, spec), 0, 0.95)
        assert ends[0] - 0.08 < low < ends[0]
        assert ends[1] < high < ends[1] + 0.08


def test_more_items_come_near_the_range_of_these_items():
    for spec in (Specification.grade(">=", 0.7), Specification.at_least(0.7)):
        n = 10**7
        exam = read_exam(Summary.from_counts({"x": {"A": 6 * n // 10, "B": 4 * n // 10}}))
        found = population_range(exam, floors_of(exam, spec), 0, 0.95)
        items = key_range(covers_of(exam, spec), n, 0)
        np.testing.assert_allclose(found, np.array(items) / n, atol=1e-3)


def test_impossible_at_this_confidence():
    exam = read_exam(Summary.from_counts({"x": {"A": 900, "B": 100}, "y": {"A": 100, "B": 900}}))
    assert population_range(exam, floors_of(exam, Specification.grade(">=", 0.8)), 0, 0.95) is None
    assert population_range(exam, floors_of(exam, Specification.at_least(0.8)), 0, 0.95) is None


def test_labels_turn_around():
    exam = read_exam(Summary.from_counts({"x": {"A": 60, "B": 40}, "y": {"A": 70, "B": 30}}))
    for spec in (Specification.grade(">=", 0.8), Specification.at_least(0.8)):
        low, high = population_range(exam, floors_of(exam, spec), 0, 0.9)
        other = population_range(exam, floors_of(exam, spec), 1, 0.9)
        assert other == pytest.approx((1 - high, 1 - low))
