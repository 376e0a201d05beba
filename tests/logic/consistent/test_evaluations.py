"""Consistent evaluations: the paper's counts, both engines, and brute force."""

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algeval.data import Sketch, Summary
from algeval.errors import DataError, TooLargeError
from algeval.io import example
from algeval.logic.consistent.count import attained, correct_counts, count_correct, count_keys
from algeval.logic.consistent.members import (
    count_after_inequalities,
    count_conceivable,
    evaluations,
    members,
)

_spec = importlib.util.spec_from_file_location("brute", Path(__file__).parents[1] / "brute.py")
brute = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(brute)

SETTINGS = settings(derandomize=True, deadline=None, max_examples=60)


def one(*counts, n_items=None, labels=None):
    names = list("abcdef"[: len(counts)])
    return Summary(["x"], names[:labels], names, np.array([counts]), n_items or sum(counts))


def test_the_counts_of_the_paper():
    """Ten items, (4, 6): 286, 210 and 35; the printed 285 and 235 are errata."""
    summary = one(4, 6)
    assert count_conceivable(10, 2) == 286
    assert count_conceivable(10, 2) == 11 * 12 * 13 // 6  # the paper's own formula
    assert count_after_inequalities(summary) == 210
    assert evaluations(summary).count == 35
    assert evaluations(summary, engine="pulp").count == 35
    assert count_keys(25, 3) == 351


def test_counts_by_listing():
    assert count_keys(7, 4) == len(brute.keys(7, 4))
    listed = sum((q + 1) * (7 - q + 1) for q in range(8))
    assert count_conceivable(7, 2) == listed


def test_the_paper_s_impossible_evaluation_is_left_out():
    """(correct a 3, correct b 1) at q = (7, 3) breaks the axiom; (2, 1) obeys it."""
    points = {p.correct[0] for p in evaluations(one(4, 6), q=(7, 3))}
    assert (3, 1) not in points
    assert (2, 1) in points


def test_an_observed_count_above_the_largest_key_count_adds_no_invalid_points():
    """Responses (4, 6) at q = (5, 5): a known trap of another package."""
    points = [p.correct[0] for p in evaluations(one(4, 6), q=(5, 5))]
    assert points == [(4, 5), (3, 4), (2, 3), (1, 2), (0, 1)]


def test_a_judge_who_always_abstains():
    """The equality for two labels is wrong here: Q = 6, R = (0, 0), q = (0, 6), d = (0, 0)."""
    summary = Summary(["x"], ["a", "b"], ["a", "b", "none"], np.array([[0, 0, 6]]), 6)
    assert attained((0, 0), (0, 6), (0, 0))
    assert [p.correct for p in evaluations(summary, q=(0, 6))] == [((0, 0),)]


@given(
    st.integers(1, 4).flatmap(lambda r: st.lists(st.integers(0, 3), min_size=r + 1, max_size=r + 1))
)
@SETTINGS
def test_attained_equals_every_table(parts):
    given_, extra = tuple(parts[:-1]), parts[-1]
    n_items, labels = sum(parts), len(given_)
    if not 1 <= n_items <= 6:
        return
    for key in brute.keys(n_items, labels):
        tables = brute.outcomes(given_, labels, key, extra, "wrong")
        found = list(correct_counts(given_, key))
        assert set(found) == {correct for correct, _ in tables}
        assert found == sorted(found, reverse=True)
        assert count_correct(given_, key) == len(found)


@given(
    st.lists(st.integers(0, 40), min_size=3, max_size=3),
    st.integers(0, 10),
    st.lists(st.integers(0, 10**4), min_size=3, max_size=3),
)
@SETTINGS
def test_counting_equals_listing_on_larger_exams(given_, extra, weights):
    n_items = sum(given_) + extra
    first = n_items * weights[0] // (sum(weights) + 1)
    second = n_items * weights[1] // (sum(weights) + 1)
    key = (first, second, n_items - first - second)
    assert count_correct(given_, key) == sum(1 for _ in correct_counts(given_, key))


@pytest.mark.parametrize(
    ("counts", "labels", "n_items"),
    [((4, 6), 2, 10), ((2, 3), 2, 6), ((1, 1, 2), 2, 4), ((2, 1, 1), 3, 4), ((1, 0, 1), 3, 3)],
)
def test_the_engines_agree_point_by_point(counts, labels, n_items):
    summary = one(*counts, n_items=n_items, labels=labels)
    lattice, program = evaluations(summary), evaluations(summary, engine="pulp")
    assert list(lattice) == list(program)
    assert len(lattice) == len(program) == len(list(lattice))


def test_the_engines_agree_on_two_judges():
    summary = Summary(["x", "y"], ["a", "b"], ["a", "b"], np.array([[2, 1], [0, 2]]), 3)
    assert list(evaluations(summary)) == list(evaluations(summary, engine="pulp"))
    assert list(evaluations(summary, q=(1, 2))) == list(
        evaluations(summary, q=(1, 2), engine="pulp")
    )


def test_at_one_key_judges_are_listed_one_by_one():
    """The two graders of the paper: 90 and 339 evaluations, each listed by programs of its own."""
    summary = example("mt-bench-summary")
    alone = [
        evaluations(summary.select(judges=[j]), q=(8, 9, 8), engine="pulp") for j in summary.judges
    ]
    assert [found.count for found in alone] == [339, 90]
    together = evaluations(summary, q=(8, 9, 8), engine="pulp")
    assert together.count == 30_510 == 90 * 339
    assert list(together) == list(evaluations(summary, q=(8, 9, 8)))
    with pytest.raises(TooLargeError, match="or key_counts= for one answer key"):
        evaluations(summary, engine="pulp")


def test_counting_needs_no_listing():
    summary = one(4 * 10**5, 6 * 10**5)
    found = evaluations(summary, q=(5 * 10**5, 5 * 10**5))
    assert found.count == 4 * 10**5 + 1
    many = Summary(list("uvwxyz"), ["a", "b"], ["a", "b"], np.full((6, 2), 50), 100)
    assert evaluations(many, q=(50, 50)).count == 51**6
    assert next(iter(evaluations(many))).key_counts == (100, 0)


def test_what_is_refused():
    with pytest.raises(TooLargeError, match="more than 200000; pass key_counts="):
        evaluations(one(10**5, 10**5, 10**5))
    with pytest.raises(TooLargeError, match="use engine='lattice'"):
        evaluations(one(100, 100, 100), q=(100, 100, 100), engine="pulp")
    with pytest.raises(TooLargeError, match="use fewer items"):
        count_after_inequalities(one(10**5, 10**5, 10**5))
    with pytest.raises(DataError, match="answer-key counts must hold one count per label"):
        evaluations(one(4, 6), q=(5, 6))
    with pytest.raises(DataError, match="engine must be one of"):
        evaluations(one(4, 6), engine="cbc")
    with pytest.raises(DataError, match="order must be 1 for evaluations"):
        evaluations(Sketch.from_counts({"ab": 2, "ba": 3}), order=2)
    with pytest.raises(DataError, match="order must be one of"):
        evaluations(one(4, 6), order=2)


def test_the_result_says_what_it_holds():
    found = evaluations(one(4, 6), q=(6, 4))
    assert "at this answer key" in found.message
    assert "not probable" in found.summary()
    document = found.to_dict()
    assert document["schema"] == "algeval.evaluations/1"
    assert document["count"] == found.count
    assert "points" not in document


def test_a_set_too_large_for_len_still_says_that_it_is_not_empty():
    many = Summary(list("klmnopqrstuv"), ["a", "b"], ["a", "b"], np.full((12, 2), 50), 100)
    found = evaluations(many, key_counts=(50, 50))
    assert found.count == 51**12 > sys.maxsize
    assert bool(found)
    assert next(iter(found)).correct == ((50, 50),) * 12
    with pytest.raises(OverflowError, match=rf"got {51**12} members; read \.count"):
        len(found)
    tables = members(many, key_counts=(50, 50))
    assert tables
    with pytest.raises(OverflowError, match=r"read \.count"):
        len(tables)


def test_a_set_that_fits_has_its_length_and_an_empty_one_is_false():
    found = members(one(4, 6), key_counts=(6, 4))
    assert len(found) == found.count == len(list(found)) == 5
    empty = replace(found, count=0)
    assert not empty
    assert len(empty) == 0


def test_q_is_the_paper_s_name_for_key_counts():
    by_q, by_name = (evaluations(one(4, 6), **{name: (6, 4)}) for name in ("q", "key_counts"))
    assert by_q.to_dict() == by_name.to_dict()
    assert list(by_q) == list(by_name)
    with pytest.raises(DataError, match="q must be left out with key_counts"):
        evaluations(one(4, 6), q=(6, 4), key_counts=(6, 4))
