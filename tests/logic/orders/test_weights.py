"""Weight certificates: exact values by hand, roots, and what must refute nothing."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from algeval.data import Sketch
from algeval.logic.orders.full_program import FullProgram, uniform
from algeval.logic.orders.full_relax import Row, condition_rows, relax
from algeval.logic.orders.weights import best_bound, root, surplus, weights_evidence, whole_weights

F = Fraction


def program_of(counts, labels="ab", missing="excluded"):
    s = Sketch.from_counts(counts, labels=list(labels))
    return FullProgram.build(s.codes, s.counts, s.n_labels, missing=missing)


def g_by_the_book(program, y, x):
    """g(y, x), term by term from its definition."""
    total = F(0)
    for u, n in zip(program.codes.tolist(), program.counts.tolist(), strict=True):
        held = [code >= 0 for code in u]
        total += n * max(
            sum(y[i][t] * ((u[i] == t) - x * held[i]) for i in range(len(u)))
            for t in range(program.n_labels)
        )
    return total


def test_surplus_by_hand():
    # ab: judge 1 right on a, judge 2 on b. With y = 1 on (1, a) and (2, b) at x = 1/2 (times 2):
    # ab gives max(2 - 1, 2 - 1) = 1, ba gives max(-1, -1) = -1.
    program = program_of({"ab": 5, "ba": 3})
    y = np.array([[1, 0], [0, 1]])
    assert surplus(program, 2 * y, y) == 5 - 3


def test_surplus_of_numbers_beyond_64_bits():
    program = program_of({"ab": 2**61, "ba": 3})
    y = np.array([[10**30, 0], [0, 10**30]], object)
    assert surplus(program, 2 * y, y) == 10**30 * (2**61 - 3)


def test_surplus_with_label_and_cell_terms():
    program = program_of({"aa": 2, "bb": 1})
    zero = np.zeros((2, 2), int)
    assert surplus(program, zero, zero, np.array([3, -1], object)) == 9
    assert surplus(program, zero, zero, None, {(0, 1): 4}) == 8


@pytest.mark.parametrize("seed", range(6))
def test_root_is_where_g_vanishes(seed):
    rng = np.random.default_rng(seed)
    rows = ["".join(row) for row in product("abx.", repeat=2)]
    counts = {u: int(n) for u, n in zip(rows, rng.integers(0, 9, len(rows)), strict=True)}
    s = Sketch.from_counts(counts, labels=["a", "b"], answers=["a", "b", "x"])
    program = FullProgram.build(s.codes, s.counts, 2, missing="excluded")
    y = rng.integers(0, 5, (2, 2))
    for start in (F(0), F(1, 3), F(3, 2)):
        z = root(program, y, start)
        if z is None:
            assert g_by_the_book(program, y.tolist(), F(3, 2)) >= 0
        else:
            assert g_by_the_book(program, y.tolist(), z) == 0
            assert g_by_the_book(program, y.tolist(), z + F(1, 1000)) < 0


def test_a_label_without_weight_refutes_nothing():
    program = program_of({"ab": 5, "ba": 3})
    assert root(program, np.array([[1, 0], [1, 0]]), F(1)) is None
    touching = program_of({"a": 3})
    assert root(touching, np.array([[1, 0]]), F(3, 2)) is None


def test_whole_weights_are_in_lowest_terms():
    assert whole_weights(np.array([[0.5, 0.25], [0.0, 1.0]]), 4).tolist() == [[2, 1], [0, 4]]
    assert whole_weights(np.array([[0.2, 0.2]]), 60).tolist() == [[1, 1]]
    assert whole_weights(np.zeros((1, 2)), 60).tolist() == [[0, 0]]


def test_best_bound_on_the_swapped_exam():
    bound = best_bound(program_of({"ab": 5, "ba": 5}), np.ones((2, 2), bool), F(11, 10))
    assert bound.value == F(1, 2)
    assert bound.weights.sum() == 2


def test_best_bound_where_no_single_weights_suffice():
    # The threshold is 1/2 and every y stops short of it: the bound must stay above.
    program = program_of({"ac": 5, "ca": 5, "bb": 5}, "abc")
    bound = best_bound(program, np.ones((2, 3), bool), F(16, 15))
    assert F(1, 2) < bound.value < F(1, 2) + F(1, 10**5)
    assert g_by_the_book(program, bound.weights.tolist(), F(8, 15)) < 0


def test_no_bound_when_nothing_can_be_refuted():
    mask = np.array([[True, False], [True, False]])
    assert best_bound(program_of({"ab": 5, "ba": 5}), mask, F(11, 10)) is None


def test_evidence_is_text():
    evidence = weights_evidence(np.array([[1, 0]]))
    assert evidence == {"kind": "weights", "weights": [["1", "0"]]}


@pytest.mark.parametrize("labels", ["ab", "abc"])
def test_relaxation_and_its_dual_agree(labels):
    """Strong duality: the least violation is what the multipliers certify, in floats."""
    rng = np.random.default_rng(5)
    counts = {"".join(u): int(rng.integers(1, 9)) for u in product(labels, repeat=3)}
    program = program_of(counts, labels)
    levels = uniform(F(9, 10), np.ones((3, len(labels)), bool))
    rows = [*condition_rows(levels), Row("low", -1, 0, 4), Row("high", -1, 1, 9)]
    relaxed = relax(program, rows, levels)
    assert relaxed.cells.sum(1) == pytest.approx(program.counts)
    assert relaxed.multipliers.sum() == pytest.approx(1)
    y = np.zeros((3, len(labels)))
    for row, value in zip(rows[:-2], relaxed.multipliers, strict=False):
        y[row.place, row.label] += value
    low, high = relaxed.multipliers[-2:]
    extra = [low, -high] + [0.0] * (len(labels) - 2)
    total = 0.0
    for u, n in zip(program.codes.tolist(), program.counts.tolist(), strict=True):
        total += n * max(
            sum(y[i, t] * ((u[i] == t) - 0.9) for i in range(3)) + extra[t]
            for t in range(len(labels))
        )
    assert low * 4 - high * 9 - total == pytest.approx(relaxed.violation)
    assert relaxed.violation > 0


def test_missing_rules_hold_different_judges():
    counts = {"a.": 4, ".b": 4}
    excluded, wrong = (program_of(counts, missing=rule) for rule in ("excluded", "wrong"))
    assert excluded.held.sum() == 2
    assert wrong.held.all()
    assert (excluded.always.tolist(), wrong.always.tolist()) == ([False] * 2, [True] * 2)
    cells = np.array([[0, 4], [4, 0]])
    everywhere = np.ones((2, 2), bool)
    assert excluded.lowest(cells, everywhere) == 1
    assert wrong.lowest(cells, everywhere) == 0
