"""Refutations are exact: multipliers are checked in fractions, never believed."""

from fractions import Fraction as F

import numpy as np

from algeval.logic.branching import Clock, settle
from algeval.logic.program import Program, Row, satisfied
from algeval.logic.refute import contradiction, refute
from algeval.logic.solver import propose_integers


def row(name, terms, bound, *, equality=False):
    return Row((name,), terms, equality, bound)


def test_a_contradiction_by_hand():
    """u + v = 3 with u, v <= 1."""
    program = Program([row("sum", {0: 1, 1: 1}, 3, equality=True)], [0, 0], [1, 1])
    assert contradiction(program, {0: F(1)})
    assert not contradiction(program, {0: F(-1)})
    assert refute(program) == {0: 1}


def test_a_negative_multiplier_of_an_inequality_proves_nothing():
    program = Program([row("least", {0: 1}, -5)], [0], [1])
    assert not contradiction(program, {0: F(-1)})


def test_a_feasible_program_is_not_refuted():
    program = Program([row("sum", {0: 1, 1: 1}, 3, equality=True)], [0, 0], [5, 5])
    assert refute(program) is None
    point = propose_integers(program).values
    assert satisfied(program, point)


def test_a_thin_gap_needs_an_exact_check():
    """p u >= q v + tiny has no float slack to speak of, yet the fractions decide."""
    tight = Program(
        [row("first", {0: F(1, 3), 1: -1}, 0), row("second", {0: -1, 1: 3}, F(1, 10**6))],
        [0, 0],
        [9, 9],
    )
    found = refute(tight)
    assert found is not None
    assert contradiction(tight, found)


def test_every_integer_program_is_settled_like_enumeration():
    rng = np.random.default_rng(2)
    for _ in range(60):
        rows = [
            row("r", dict(enumerate(map(int, rng.integers(-3, 4, 3)))), int(rng.integers(-2, 5)))
            for _ in range(4)
        ]
        program = Program(rows, [0] * 3, [3] * 3)
        points = np.array(np.meshgrid(*[range(4)] * 3)).T.reshape(-1, 3)
        possible = any(satisfied(program, p.tolist()) for p in points)
        settled = settle(program, [("key", t) for t in range(3)], Clock(None))
        assert (settled.values is not None) is possible
        assert (settled.tree is None) is possible
        proposal = propose_integers(program)
        assert proposal.finished
        assert (proposal.values is not None) is possible


def test_no_time_settles_nothing():
    program = Program([row("half", {0: 2}, 1, equality=True)], [0], [1])
    assert settle(program, [("key", 0)], Clock(0.0)).tree is None
    assert settle(program, [("key", 0)], Clock(None), most=1).tree is None
    assert "split" in settle(program, [("key", 0)], Clock(None)).tree
