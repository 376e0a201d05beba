"""Floors and ceilings of two labels: the closed form against its definition."""

from fractions import Fraction

import numpy as np
import pytest

from algeval.data import Specification, Summary
from algeval.logic.exam import read_exam
from algeval.rates.rungs import Box, box_range


def possible(box, share, rate):
    """Whether some accuracies in the box give the label on this share of the items."""
    (a, most_on), (b, most_off) = box.on, box.off
    least = rate * a + (1 - rate) * (1 - most_off)
    return least <= share <= rate * most_on + (1 - rate) * (1 - b)


def some_box(rng):
    on, off = (sorted(Fraction(int(k), 20) for k in rng.integers(0, 21, 2)) for _ in range(2))
    return Box(tuple(on), tuple(off))


def test_rates_are_those_that_some_accuracies_give():
    rng = np.random.default_rng(21)
    empty = points = 0
    for _ in range(600):
        box, share = some_box(rng), Fraction(int(rng.integers(0, 21)), 20)
        if box.on[0] + box.off[0] <= 1:
            continue
        found = box.rates(share)
        if found is None:
            empty += 1
            assert not any(possible(box, share, Fraction(k, 400)) for k in range(401))
            continue
        low, high = found
        points += low == high
        assert possible(box, share, low)
        assert possible(box, share, high)
        beyond = Fraction(1, 10**6)
        assert low == 0 or not possible(box, share, low - beyond)
        assert high == 1 or not possible(box, share, high + beyond)
    assert empty > 10
    assert points < 100


def test_weak_judges_say_nothing():
    half = Fraction(1, 2)
    assert Box((half, Fraction(1)), (half, Fraction(1))).rates(Fraction(1, 10)) == (0, 1)


def test_a_panel_of_boxes():
    summary = Summary.from_counts({"x": {"A": 50, "B": 50}, "y": {"A": 95, "B": 5}})
    exam = read_exam(summary)
    spec = Specification.at_least(0.8) & Specification.accuracy("<=", 0.9, label="A")
    assert box_range(exam, spec, 0) is None  # y calls A too often
    only = Specification.accuracy(">=", 0.8, judge="x")
    assert box_range(exam, only, 0) == (Fraction(3, 8), Fraction(5, 8))
    assert box_range(exam, only, 1) == (Fraction(3, 8), Fraction(5, 8))


@pytest.mark.parametrize("share", ["1/10", "9/10"])
def test_an_end_is_clipped_only_after_it_is_known_to_exist(share):
    box = Box((Fraction(9, 10), Fraction(1)), (Fraction(9, 10), Fraction(1)))
    low, high = box.rates(Fraction(share))
    assert 0 <= low < high <= 1
