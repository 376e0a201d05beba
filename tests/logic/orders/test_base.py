"""Settling a specification: the solver and the tree agree, and the solver's word is checked."""

from fractions import Fraction

import numpy as np
import pytest

from algeval.data import Sketch, Specification
from algeval.logic.exam import read_exam
from algeval.logic.orders.base import certified, decide
from algeval.logic.orders.full import Full
from algeval.logic.orders.order1 import Order1
from algeval.logic.orders.pairs import Order2
from algeval.logic.proof import Clock, find_shares
from algeval.verify import verify

F = Fraction
TABLE_1 = {"aa": 3, "ab": 2, "ba": 1, "bb": 9, "ta": 1, "tb": 7, "tt": 2}


def order_of(s, missing="excluded"):
    return Full(read_exam(s, missing), s)


def test_the_integer_program_finds_the_only_keys():
    order = order_of(Sketch.from_counts(TABLE_1, labels=list("abt")))
    program = order.program(Specification.at_least(F(5, 8)))
    found, ended = find_shares(program, Clock(None))
    assert ended
    assert tuple(found[1:].sum(0).tolist()) in {(6, 16, 3), (8, 14, 3)}
    assert program.satisfied(found)
    above = order.program(Specification.at_least(F(12, 19)))
    assert find_shares(above, Clock(None)) == (None, True)


def correlated():
    """Eighty items and six judges, two of whom mostly agree."""
    rng = np.random.default_rng(11)
    codes = rng.integers(0, 3, (80, 6))
    codes[:, 0] = np.where(rng.random(80) < 0.7, codes[:, 1], codes[:, 0])
    labels, judges = list("abc"), list("uvwxyz")
    return Sketch(judges, labels, labels, codes.astype(np.int16), np.ones(80, np.int64))


def test_decide_by_solver_and_by_tree_agree():
    """One item more or less than the relaxation allows, on a program too large for a small tree."""
    s, seen = correlated(), set()
    order = order_of(s)
    for x in (F(1, 3), F(9, 20), F(1, 2), F(11, 20), F(3, 5)):
        spec = Specification.at_least(x)
        decided = decide(order, spec, Clock(None))
        program = order.program(spec)
        found, _ = find_shares(program, Clock(None))
        assert decided.possible is (found is not None)
        if decided.possible:
            shares = order.read(decided.witness)
            assert program.satisfied(shares)
            held = order.labelling.held_counts(shares[1:]).astype(object)
            assert (order.labelling.correct(shares[1:]) >= x * held).all()
        verdict = verify(certified(order, spec, decided), s)
        assert verdict, verdict.sentence
        seen.add(decided.possible)
    assert seen == {True, False}


def test_decide_without_a_tree_asks_the_solver():
    """One node is no tree: the solver's labelling counts, its "infeasible" proves nothing."""
    order = order_of(Sketch.from_counts(TABLE_1, labels=list("abt")))
    reached, above = (Specification.at_least(x) for x in (F(5, 8), F(12, 19)))
    found = decide(order, reached, Clock(None), most=1)
    assert order.program(reached).satisfied(order.read(found.witness))
    assert decide(order, above, Clock(None), most=1).possible is None
    assert certified(order, above, decide(order, above, Clock(None), most=1)) is None
    assert decide(order, above, Clock(None)).possible is False


@pytest.mark.parametrize("place", range(3), ids=["1", "2", "full"])
@pytest.mark.parametrize("rule", ["excluded", "wrong"])
def test_a_witness_is_read_back_at_every_order(place, rule):
    """What an order shows and reads are the shares of its own program."""
    data = Sketch.from_counts({"aba": 3, "b.a": 2, "bbb": 1}, labels=["a", "b"])
    exam = read_exam(data, rule)
    order = (Order1(exam), Order2(exam, data), Full(exam, data))[place]
    program = order.program(Specification.at_least("1/6"))
    found, _ = find_shares(program, Clock(None))
    assert program.satisfied(found)
    read = order.read(order.witness(found))
    assert read.tolist() == found.tolist()
    assert program.satisfied(read)
