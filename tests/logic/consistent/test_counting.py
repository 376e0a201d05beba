"""Exact counts against brute force over every answer key of every small exam."""

import importlib.util
from collections import Counter
from itertools import product
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algeval.data import Sketch, Summary
from algeval.errors import DataError, TooLargeError
from algeval.logic import count_consistent, evaluations, multiplicities
from algeval.logic.consistent.count import attained, coefficients, count_at, count_in_box, tables_at

_spec = importlib.util.spec_from_file_location(
    "brute_members", Path(__file__).parents[1] / "brute_members.py"
)
brute = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(brute)

SETTINGS = settings(derandomize=True, deadline=None, max_examples=40)
MT_BENCH = {"authors": {"a": 5, "b": 10, "tie": 10}, "gpt4": {"a": 4, "b": 18, "tie": 3}}


def one(*counts, n_items=None, labels=None):
    names = list("abcdef"[: len(counts)])
    return Summary(["x"], names[:labels], names, np.array([counts]), n_items or sum(counts))


def test_the_count_of_the_paper():
    """35 evaluations, as tables and as points: for two labels they are the same."""
    assert count_consistent(one(4, 6)) == 35
    assert count_consistent(one(4, 6), of="points") == 35
    assert count_consistent(one(4, 6), key_counts=(6, 4)) == 5


def test_closed_forms():
    assert count_consistent(one(4, 6)) == 5 * 7
    assert count_consistent(one(3, 4, 5)) == comb(5, 2) * comb(6, 2) * comb(7, 2)
    sketch = Sketch.from_counts({"aa": 3, "ab": 2, "cb": 4}, labels=list("abc"))
    assert count_consistent(sketch, order="full") == comb(5, 2) * comb(4, 2) * comb(6, 2)
    big = Sketch.from_counts({"ab": 10**9, "ba": 10**9})
    assert count_consistent(big, order="full") == (10**9 + 1) ** 2


def test_two_judges_free_of_each_other_at_a_key():
    """Paper 003, Figure 5: at (6, 4) counts (4, 6) leave 5 evaluations, (7, 3) leave 4."""
    pair = Summary.from_counts({"i": {"a": 4, "b": 6}, "j": {"a": 7, "b": 3}})
    assert count_consistent(pair, key_counts=(6, 4)) == 20
    assert count_consistent(pair, key_counts=(6, 4), of="points") == 20
    by_key = [count_consistent(pair, key_counts=(q, 10 - q)) for q in range(11)]
    assert by_key == [a * b for a, b in _figure_5()]
    assert count_consistent(pair) == sum(by_key)


def _figure_5():
    for q in range(11):
        yield tuple(min(r, q) - max(0, r + q - 10) + 1 for r in (4, 7))


def test_tables_are_many_over_few_points_with_three_labels():
    seen = Summary.from_counts(MT_BENCH)
    assert count_consistent(seen, key_counts=(8, 9, 8)) == 854 * 150
    assert count_consistent(seen, key_counts=(8, 9, 8), of="points") == 339 * 90
    assert count_consistent(seen, of="points") == evaluations(seen).count


@given(st.lists(st.integers(0, 3), min_size=1, max_size=4), st.integers(1, 3))
@SETTINGS
def test_table_counts_equal_listing(rows, labels):
    series = coefficients(rows, labels)
    for key in product(range(sum(rows) + 1), repeat=labels):
        if sum(key) == sum(rows):
            listed = list(tables_at(rows, key))
            assert len(listed) == len(set(listed)) == count_at(rows, key) == series.get(key, 0)
            assert listed == sorted(listed, reverse=True)


@given(st.data())
@SETTINGS
def test_correct_counts_in_a_box(data):
    labels = data.draw(st.integers(1, 3))
    given_ = tuple(data.draw(st.integers(0, 4)) for _ in range(labels))
    key = [data.draw(st.integers(0, 4)) for _ in range(labels)]
    key[0] += max(0, sum(given_) - sum(key))
    caps = [min(r, q) for r, q in zip(given_, key, strict=True)]
    low = [data.draw(st.integers(0, c)) for c in caps]
    high = [data.draw(st.integers(a, c)) for a, c in zip(low, caps, strict=True)]
    box = product(*(range(a, b + 1) for a, b in zip(low, high, strict=True)))
    assert count_in_box(given_, tuple(key), low, high) == sum(attained(given_, key, d) for d in box)


@pytest.mark.parametrize("seed", range(12))
def test_every_order_equals_brute_force(seed):
    sketch = brute.random_sketch(seed)
    everything = brute.consistent(sketch)
    orders = [1, 2, "full"] if sketch.n_judges == 3 else [1, "full"]
    for order in orders:
        listed = everything[order]
        assert count_consistent(sketch, order=order) == len(listed)
        points = {brute.point(sketch, member) for member in listed}
        assert count_consistent(sketch, order=order, of="points") == len(points)
        per_key = Counter(member[0] for member in listed)
        for key, count in per_key.items():
            assert count_consistent(sketch, order=order, key_counts=key) == count
        points_per_key = Counter(key for key, _ in points)
        key = max(points_per_key)
        assert (
            count_consistent(sketch, order=order, key_counts=key, of="points")
            == points_per_key[key]
        )


def test_higher_orders_leave_fewer_points():
    """{baa, aba, aab, bbb}: no full table realises some pairwise tables at (2, 2)."""
    sketch = Sketch.from_counts({"baa": 1, "aba": 1, "aab": 1, "bbb": 1})
    counts = [count_consistent(sketch, order=o, of="points") for o in (1, 2, "full")]
    assert counts == sorted(counts, reverse=True)
    assert counts[2] < counts[1] < counts[0]


def test_missing_answers_are_one_more_row():
    """One item answered a, one left out, two true labels each: four tables, no two over one point."""
    sketch = Sketch.from_counts({"a": 1, ".": 1}, judges=["x"], labels=list("ab"))
    assert count_consistent(sketch) == 4
    assert count_consistent(sketch, of="points") == 4
    two = Sketch.from_counts({"a.": 1, ".b": 1}, labels=list("ab"))
    assert count_consistent(two, order="full") == 4


def test_multiplicities_of_figure_6():
    """MT-Bench at (8, 9, 8): gpt4 is right on at most 3 of 8 ties."""
    found = multiplicities(Summary.from_counts(MT_BENCH), (8, 9, 8))
    assert found.total == 854 * 150
    assert all(counts.sum() == found.total for counts in found.counts)
    assert [counts.shape for counts in found.counts] == [(6, 5), (10, 10), (9, 4)]
    assert found.of("tie")[8, 3] == 18 * 15
    assert found.of("a")[0, 0] == 239 * 50
    document = found.to_dict()
    assert document["pair"] == ["authors", "gpt4"]
    assert "not more probable" in found.summary()


def test_multiplicities_equal_listing():
    grades = {"x": {"a": 2, "b": 1, "c": 1}, "y": {"a": 0, "b": 3, "c": 1}, "z": {"a": 4}}
    seen = Summary.from_counts(grades, labels=list("abc"))
    found = multiplicities(seen, (1, 2, 1), judges=["y", "x"])
    tables = [list(tables_at(row, (1, 2, 1))) for row in ((0, 3, 1), (2, 1, 1))]
    for t in range(3):
        counted = Counter((y[t][t], x[t][t]) for y, x in product(*tables))
        assert {k: v for k, v in np.ndenumerate(found.counts[t]) if v} == dict(counted)


def test_large_counts_are_exact_and_fast():
    many = Summary(list("uvwxyz"), ["a", "b"], ["a", "b"], np.full((6, 2), 5000), 10_000)
    assert count_consistent(many, key_counts=(5000, 5000)) == 5001**6
    assert count_consistent(many) == 2 * sum(k**6 for k in range(1, 5001)) + 5001**6


def test_what_is_refused():
    with pytest.raises(TooLargeError, match=r"would take about .* steps, more than"):
        count_consistent(one(10**3, 10**3, 10**3), key_counts=(10**3,) * 3)
    assert count_consistent(one(10**3, 10**3, 10**3)) == comb(1002, 2) ** 3
    wide = Sketch.from_counts({k + "a": 30 for k in "abc"} | {k + "b": 30 for k in "abc"})
    with pytest.raises(TooLargeError, match="projecting every table would take about"):
        count_consistent(wide, order="full", of="points")
    triple = Sketch.from_counts(
        {a + b + c: 9 for a, b, c in product("abc", repeat=3)}, judges=list("xyz")
    )
    with pytest.raises(TooLargeError, match="going through the tables of each pair"):
        count_consistent(triple, order=2)
    many = Sketch.from_counts({"a" * 30: 2, "ab" * 15: 2})
    with pytest.raises(TooLargeError, match="joining the tables of the judges"):
        count_consistent(many, order=2)
    with pytest.raises(DataError, match="of must be one of"):
        count_consistent(one(4, 6), of="evaluations")
    with pytest.raises(DataError, match=r"order must be one of \[1\]"):
        count_consistent(one(4, 6), order=2)
    with pytest.raises(DataError, match="answer-key counts must hold one count per label"):
        count_consistent(one(4, 6), key_counts=(5, 6))
    with pytest.raises(DataError, match="judges must name two judges"):
        multiplicities(one(4, 6), (5, 5))
