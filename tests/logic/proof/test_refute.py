"""Refutations are exact: multipliers are checked in fractions, never believed."""

from fractions import Fraction as F
from itertools import combinations

import numpy as np

from algeval.data import Specification, Summary
from algeval.logic import panel, threshold
from algeval.logic.demand import read_specification, system_of
from algeval.logic.exam import read_exam
from algeval.logic.orders.closed_form import compositions
from algeval.logic.orders.order1 import decide
from algeval.logic.proof.branching import Clock, settle
from algeval.logic.proof.program import Program, Row, satisfied
from algeval.logic.proof.refute import contradiction, refute
from algeval.logic.proof.solver import propose_integers
from algeval.verify import verify


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


def half_way():
    """Six judges, one per pair of four labels: each lets its pair have at most 5 of 10 items.

    So every pair has exactly 5, and every label two and a half: no whole numbers.
    """
    rows = []
    for pair in combinations(range(4), 2):
        rest = iter((4, 3))
        rows.append([1 if t in pair else next(rest) for t in range(4)])
    return Summary(list("uvwxyz"), list("abcd"), list("abcd"), np.array(rows), 10)


def test_a_refutation_that_needs_a_split():
    data, spec = half_way(), Specification.at_least("1/2")
    decision = decide(read_exam(data), spec, Clock(None))
    assert decision.certificate.kind == "branches"
    assert not decision.possible
    assert verify(decision.certificate, data).ok
    found = panel(data, spec)
    assert (found.min_violators, len(found.largest_panel)) == (1, 5)
    assert verify(found.certificate, data).ok
    assert threshold(data).lower < F(1, 2)
    assert verify(threshold(data).refutation, data).ok


def test_incomplete_votes_of_four_and_five_labels_equal_enumeration():
    rng, clock, kinds = np.random.default_rng(11), Clock(None), set()
    for _ in range(60):
        labels, n_items = int(rng.choice([4, 5])), int(rng.integers(3, 8))
        counts = rng.multinomial(n_items, np.ones(labels + 1) / (labels + 1), size=3)[:, :labels]
        names = list("abcde"[:labels])
        data = Summary(list("xyz"), names, names, counts, n_items)
        spec = Specification.at_least(F(int(rng.integers(3, 11)), 10))
        exam = read_exam(data)
        system = system_of(exam, read_specification(exam, spec))
        listed = compositions(system.low, system.high, n_items)
        decision = decide(exam, spec, clock)
        assert decision.possible is any(system.admits(key) for key in listed)
        verdict = verify(decision.certificate, data)
        assert verdict.ok, verdict.sentence
        kinds.add(decision.certificate.kind)
    assert {"witness", "multipliers"} <= kinds


def test_more_labels_than_sets_that_are_listed_at_once():
    """Nine labels: rows for sets of labels are added as they are broken."""
    rng, seen = np.random.default_rng(3), set()
    for level in ("1/4", "1/2", "9/10"):
        counts = rng.multinomial(40, np.ones(10) / 10, size=6)[:, :9]
        data = Summary(list("uvwxyz"), list("abcdefghi"), list("abcdefghi"), counts, 40)
        decision = decide(read_exam(data), Specification.at_least(level), Clock(None))
        assert verify(decision.certificate, data).ok
        seen.add(decision.possible)
    assert seen == {True, False}
