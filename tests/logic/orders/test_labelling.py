"""Whole labellings: rounding keeps counts, repair reaches levels, levels are read off exactly."""

from fractions import Fraction

import numpy as np
import pytest

from algeval.data import Sketch, Specification
from algeval.logic.exam import read_exam
from algeval.logic.orders.base import Labelling, repair, round_cells
from algeval.logic.orders.full import Full
from algeval.logic.proof import Clock

F = Fraction


def order_of(counts, labels="ab", missing="excluded"):
    s = Sketch.from_counts(counts, labels=list(labels))
    return Full(read_exam(s, missing), s)


def anywhere(order):
    """Bounds on the key that bind nothing."""
    labels = order.exam.n_labels
    return np.zeros(labels, int), np.full(labels, order.exam.n_items)


def repaired(order, cells, level, key=None):
    levels = [[level] * order.exam.n_labels for _ in order.exam.judges]
    return repair(order.labelling, cells, levels, key or anywhere(order))


def reach(labelling, cells, level):
    """Whether every judge reaches a level on every label, by the counts of right answers."""
    right, held = labelling.correct(cells), labelling.held_counts(cells)
    pairs = zip(right.ravel().tolist(), held.ravel().tolist(), strict=True)
    return all(c >= level * d for c, d in pairs)


def meets(order, cells, level):
    """Whether cells are a labelling of the sketch that reaches a level, exactly."""
    program = order.program(Specification.at_least(level))
    return program.satisfied(order.shares(np.array(cells)))


def test_rounding_gives_the_largest_remainders_the_rest():
    counts = order_of({"aa": 5, "bb": 4}, "abc").sketch.counts
    cells = np.array([[2.7, 1.6, 0.7], [4.0, 0.0, 0.0]])
    assert round_cells(counts, cells).tolist() == [[3, 1, 1], [4, 0, 0]]


@pytest.mark.parametrize("off", [-3.0, 8.0])
def test_rounding_keeps_counts_whatever_it_is_given(off):
    counts = order_of({"aa": 5, "bb": 9}, "abc").sketch.counts
    cells = np.clip(np.array([[2.0, 2.0, 1.0], [3.0, 3.0, 3.0]]) + off / 3, 0, None)
    rounded = round_cells(counts, cells)
    assert rounded.sum(1).tolist() == [5, 9]
    assert (rounded >= 0).all()


def test_repair_reaches_a_level_from_the_worst_start():
    order = order_of({"ab": 5, "ba": 5})
    start = np.array([[5, 0], [0, 5]])
    assert not meets(order, start, F(1, 2))
    found = repaired(order, start, F(1, 2))
    assert meets(order, found, F(1, 2))
    assert reach(order.labelling, found, F(1, 2))
    assert start.tolist() == [[5, 0], [0, 5]]


def test_repair_of_what_cannot_be_keeps_counts():
    order = order_of({"ab": 5, "ba": 5})
    found = repaired(order, np.array([[5, 0], [0, 5]]), F(9, 10))
    assert found.sum(1).tolist() == [5, 5]
    assert not meets(order, found, F(9, 10))


def test_repair_with_one_label_has_no_move():
    order = order_of({"xx": 2}, "a")
    assert repaired(order, np.array([[2]]), F(1)).tolist() == [[2]]


def test_repair_brings_the_key_within_its_bounds():
    order = order_of({"aa": 4, "bb": 4})
    found = repaired(order, np.array([[4, 0], [4, 0]]), F(0), (np.array([0, 3]), np.array([8, 3])))
    assert found.sum(0).tolist() == [5, 3]
    assert found.sum(1).tolist() == [4, 4]


def test_an_order_repairs_for_what_its_program_asks():
    """Levels and bounds on the key are read off the program."""
    order = order_of({"ab": 5, "ba": 5})
    start = order.shares(np.array([[5, 0], [0, 5]]))
    spec = Specification.at_least(F(1, 2)) & Specification.prevalence("a", "<=", F(2, 5))
    program = order.program(spec)
    assert not program.satisfied(start)
    found = order.repaired(program, start, Clock(None))
    assert program.satisfied(found)
    assert found[0, 0] <= 4
    other = order.program(Specification.grade(">=", F(1, 2)))
    assert order.repaired(other, start, Clock(None)) is start


def test_a_program_refuses_what_is_no_labelling():
    order = order_of({"aa": 2, "bb": 1})
    assert meets(order, [[2, 0], [0, 1]], F(1))
    assert not meets(order, [[3, 0], [0, 1]], F(1))
    assert not meets(order, [[3, -1], [0, 1]], F(1))
    assert not meets(order, [[1, 1], [0, 1]], F(1))


def test_missing_rules_hold_different_judges():
    counts = {"a.": 4, ".b": 4}
    orders = excluded, wrong = [order_of(counts, missing=rule) for rule in ("excluded", "wrong")]
    assert excluded.labelling.held.sum() == 2
    assert wrong.labelling.held.all()
    assert [order.exam.excused for order in orders] == [(4, 4), (0, 0)]
    cells = np.array([[0, 4], [4, 0]])
    assert reach(excluded.labelling, cells, F(1))
    assert reach(wrong.labelling, cells, F(0))
    assert not reach(wrong.labelling, cells, F(1, 8))


def test_a_labelling_of_items_that_nobody_is_held_to_asks_nothing():
    labelling = Labelling.of(np.array([[-1, -1]]), np.array([3]), 2, missing="excluded")
    cells = np.array([[1, 2]])
    assert not labelling.correct(cells).any()
    assert not labelling.held_counts(cells).any()
    assert (labelling.n_judges, labelling.n_items) == (2, 3)
