"""Integer witnesses: rounding keeps counts, repair reaches levels, the solver's word is checked."""

from fractions import Fraction

import numpy as np
import pytest

from algeval.data import Sketch
from algeval.logic.orders.full_decide import decide
from algeval.logic.orders.full_program import FullProgram, uniform
from algeval.logic.orders.full_whole import integer_program, repair, round_cells

F = Fraction


def program_of(counts, labels="ab"):
    s = Sketch.from_counts(counts, labels=list(labels))
    return FullProgram.build(s.codes, s.counts, s.n_labels, missing="excluded")


def test_rounding_gives_the_largest_remainders_the_rest():
    program = program_of({"aa": 5, "bb": 4}, "abc")
    cells = np.array([[2.7, 1.6, 0.7], [4.0, 0.0, 0.0]])
    assert round_cells(program, cells).tolist() == [[3, 1, 1], [4, 0, 0]]


@pytest.mark.parametrize("off", [-3.0, 8.0])
def test_rounding_keeps_counts_whatever_it_is_given(off):
    program = program_of({"aa": 5, "bb": 9}, "abc")
    cells = np.clip(np.array([[2.0, 2.0, 1.0], [3.0, 3.0, 3.0]]) + off / 3, 0, None)
    rounded = round_cells(program, cells)
    assert rounded.sum(1).tolist() == [5, 9]
    assert (rounded >= 0).all()


def test_repair_reaches_a_level_from_the_worst_start():
    program = program_of({"ab": 5, "ba": 5})
    levels = uniform(F(1, 2), np.ones((2, 2), bool))
    start = np.array([[5, 0], [0, 5]])
    assert not program.meets(start, levels)
    assert program.meets(repair(program, start, levels), levels)
    assert start.tolist() == [[5, 0], [0, 5]]


def test_repair_of_what_cannot_be_keeps_counts():
    program = program_of({"ab": 5, "ba": 5})
    levels = uniform(F(9, 10), np.ones((2, 2), bool))
    found = repair(program, np.array([[5, 0], [0, 5]]), levels)
    assert found.sum(1).tolist() == [5, 5]
    assert not program.meets(found, levels)


def test_repair_with_one_label_has_no_move():
    program = program_of({"xx": 2}, "a")
    levels = uniform(F(1), np.ones((2, 1), bool))
    assert repair(program, np.array([[2]]), levels).tolist() == [[2]]


def test_meets_refuses_what_is_no_labelling():
    program = program_of({"aa": 2, "bb": 1})
    levels = uniform(F(1), np.ones((2, 2), bool))
    assert program.meets(np.array([[2, 0], [0, 1]]), levels)
    assert not program.meets(np.array([[3, 0], [0, 1]]), levels)
    assert not program.meets(np.array([[3, -1], [0, 1]]), levels)
    assert not program.meets(np.array([[1, 1], [0, 1]]), levels)


def test_integer_program_finds_the_only_key():
    counts = {"aa": 3, "ab": 2, "ba": 1, "bb": 9, "ta": 1, "tb": 7, "tt": 2}
    program = program_of(counts, "abt")
    everywhere = np.ones((2, 3), bool)
    found, ended = integer_program(program, uniform(F(5, 8), everywhere))
    assert ended
    assert tuple(found.sum(0)) in {(6, 16, 3), (8, 14, 3)}
    assert integer_program(program, uniform(F(12, 19), everywhere)) == (None, True)


def test_decide_by_solver_and_by_tree_agree():
    """One item more or less than the relaxation allows, on a program too large for a small tree."""
    rng = np.random.default_rng(11)
    codes = rng.integers(0, 3, (80, 6))
    codes[:, 0] = np.where(rng.random(80) < 0.7, codes[:, 1], codes[:, 0])
    program = FullProgram.build(codes, np.ones(80, np.int64), 3, missing="excluded")
    everywhere, cited = np.ones((6, 3), bool), np.zeros((6, 3), int)
    seen = set()
    for x in (F(1, 3), F(9, 20), F(1, 2), F(11, 20), F(3, 5)):
        levels = uniform(x, everywhere)
        decided = decide(program, levels, cited)
        found, _ = integer_program(program, levels)
        assert decided.feasible is (found is not None)
        if decided.feasible:
            assert program.meets(decided.cells, levels)
        seen.add(decided.feasible)
    assert seen == {True, False}


def test_decide_without_a_tree_asks_the_solver():
    """One node is no tree: the solver's labelling counts, its "infeasible" proves nothing."""
    counts = {"aa": 3, "ab": 2, "ba": 1, "bb": 9, "ta": 1, "tb": 7, "tt": 2}
    program = program_of(counts, "abt")
    everywhere, cited = np.ones((2, 3), bool), np.zeros((2, 3), int)
    reached = decide(program, uniform(F(5, 8), everywhere), cited, max_nodes=1)
    assert program.meets(reached.cells, uniform(F(5, 8), everywhere))
    refuted = decide(program, uniform(F(12, 19), everywhere), cited, max_nodes=1)
    assert refuted.feasible is None
    assert decide(program, uniform(F(12, 19), everywhere), cited).feasible is False
