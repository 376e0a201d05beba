"""Uniform draws: chi-square against the whole consistent set, with fixed seeds."""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chi2

from algeval.data import Sketch, Summary
from algeval.errors import DataError, TooLargeError
from algeval.logic import count_consistent, evaluations, is_consistent, members, sample_consistent
from algeval.logic.consistent.count import correct_counts, points_of, read_rows
from algeval.logic.consistent.members import below, draw_correct, draw_split

SEEN = Summary.from_counts({"x": {"a": 4, "b": 6}})
PAIR = Summary.from_counts({"x": {"a": 1, "b": 2, "c": 1}, "y": {"a": 2, "b": 0, "c": 2}})
TRIO = Sketch.from_counts({"baa": 1, "aba": 1, "aab": 1, "bbb": 1})
MISSING = Sketch.from_counts({"a.": 1, "ab": 1, "bb": 2, ".a": 1})


def uniform(draws, everything):
    """Whether draws fit the uniform law over everything: chi-square inside its central 99.8%."""
    everything = list(everything)
    counted = Counter(draws)
    assert set(counted) <= set(everything)
    expected = len(draws) / len(everything)
    assert expected >= 5
    statistic = sum((counted[one] - expected) ** 2 / expected for one in everything)
    low, high = chi2.ppf([0.001, 0.999], len(everything) - 1)
    return low < statistic < high


CASES = [
    (SEEN, 1, None, "tables"),
    (SEEN, 1, (6, 4), "tables"),
    (SEEN, 1, None, "points"),
    (PAIR, 1, (1, 2, 1), "tables"),
    (PAIR, 1, (2, 1, 1), "points"),
    (MISSING, 1, (2, 3), "tables"),
    (MISSING, 1, None, "points"),
    (MISSING, "full", None, "tables"),
    (MISSING, "full", (3, 2), "tables"),
    (MISSING, "full", None, "points"),
    (TRIO, 2, None, "tables"),
    (TRIO, 2, (2, 2), "tables"),
    (TRIO, 2, None, "points"),
    (TRIO, "full", (2, 2), "tables"),
]


def everything(data, order, key, of):
    if of == "tables":
        return list(members(data, order=order, key_counts=key))
    if order == 1:
        return list(evaluations(data, q=key))
    return points_of(read_rows(data, order), key)


@pytest.mark.parametrize("place", range(len(CASES)))
def test_every_member_is_as_likely_as_every_other(place):
    data, order, key, of = CASES[place]
    listed = everything(data, order, key, of)
    n = max(2000, 8 * len(listed))
    drawn = sample_consistent(data, n, seed=place, order=order, key_counts=key, of=of)
    assert drawn.count == len(listed) == count_consistent(data, order=order, key_counts=key, of=of)
    assert uniform(drawn.members, listed)


def test_the_chi_square_would_see_a_bias():
    """Drawing a key first and then a point at it, uniformly each, is not uniform over the points."""
    rng = np.random.default_rng(0)
    points = list(evaluations(SEEN))
    by_key = {}
    for point in points:
        by_key.setdefault(point.key_counts, []).append(point)
    keys = list(by_key)
    biased = []
    for _ in range(2000):
        options = by_key[keys[int(rng.integers(len(keys)))]]
        biased.append(options[int(rng.integers(len(options)))])
    assert not uniform(biased, points)


def test_tables_and_points_are_different_laws():
    """Three labels: one point may have many tables over it, so it comes up as often as they do."""
    draws = sample_consistent(PAIR, 3000, seed=1, key_counts=(1, 2, 1)).members
    shadows = [(m.key_counts, m.correct) for m in draws]
    points = [tuple(p) for p in evaluations(PAIR, q=(1, 2, 1))]
    assert not uniform(shadows, points)


def test_whole_numbers_of_any_size_are_uniform():
    rng = np.random.default_rng(2)
    for bound in (1, 2, 5, 8, 300):
        draws = [below(rng, bound) for _ in range(max(2000, 10 * bound))]
        assert set(draws) <= set(range(bound))
        assert bound == 1 or uniform(draws, range(bound))
    huge = 3**400
    draws = [below(rng, huge) for _ in range(2000)]
    assert max(draws) < huge
    assert uniform([16 * d // huge for d in draws], range(16))


def test_splits_and_correct_counts_are_uniform():
    rng = np.random.default_rng(3)
    assert uniform(
        [draw_split(rng, 4, 3) for _ in range(2000)],
        {(a, b, 4 - a - b) for a in range(5) for b in range(5 - a)},
    )
    assert draw_split(rng, 7, 1) == (7,)
    given, key = (3, 2, 4), (2, 4, 3)
    draws = [draw_correct(rng, given, key) for _ in range(2000)]
    assert uniform(draws, correct_counts(given, key))


def test_large_exams_are_drawn_without_listing():
    grades = {"authors": {"a": 5, "b": 10, "tie": 10}, "gpt4": {"a": 4, "b": 18, "tie": 3}}
    bench = Summary.from_counts(grades)
    drawn = sample_consistent(bench, 50, seed=4)
    assert drawn.count == count_consistent(bench)
    assert all(is_consistent(member, bench) for member in drawn.members)
    huge = Sketch.from_counts({"ab": 10**6, "ba": 10**6, "aa": 10**6}, labels=list("abc"))
    full = sample_consistent(huge, 5, order="full")
    assert all(is_consistent(member, huge) for member in full.members)
    binary = Summary.from_counts({"x": {"a": 4000, "b": 6000}, "y": {"a": 7000, "b": 3000}})
    points = sample_consistent(binary, 20, seed=5, of="points")
    assert all(is_consistent(member, binary) for member in points.members)


def test_the_seed_decides():
    one = sample_consistent(SEEN, 20, seed=7)
    assert one.members == sample_consistent(SEEN, 20, seed=7).members
    assert one.members != sample_consistent(SEEN, 20, seed=8).members
    rng = np.random.default_rng(7)
    assert sample_consistent(SEEN, 20, seed=rng).members == one.members
    assert sample_consistent(SEEN, 20, seed=rng).seed is None
    document = one.to_dict()
    assert document["schema"] == "algeval.sample/1"
    assert document["count"] == 35
    assert "not probabilities" in one.summary()


def test_what_is_refused():
    with pytest.raises(DataError, match="n must be a whole number"):
        sample_consistent(SEEN, -1)
    with pytest.raises(DataError, match="of must be one of"):
        sample_consistent(SEEN, 1, of="keys")
    wide = Summary(["x"], list("abc"), list("abc"), np.array([[10**3] * 3]), 3 * 10**3)
    with pytest.raises(TooLargeError, match="counting tables would take about"):
        sample_consistent(wide, 1)
    with pytest.raises(TooLargeError, match="counting points key by key would take about"):
        sample_consistent(wide, 1, of="points")
    assert sample_consistent(wide, 1, of="points", key_counts=(10**3,) * 3).count > 10**8
