"""Programs of shares: exact sums, and multipliers that prove nothing."""

import numpy as np
import pytest

from algeval.data import Sketch, Specification
from algeval.logic.exam import read_exam
from algeval.logic.orders.full import Full
from algeval.logic.orders.order1 import Order1
from algeval.logic.orders.pairs import Order2
from algeval.logic.proof import Clock, branch, find_shares, refutation, root_refutation

DATA = Sketch.from_counts({("a", "b", "a"): 3, ("b", "a", "a"): 2, ("b", "b", "b"): 1})
EXAM = read_exam(DATA)
ORDERS = [Order1(EXAM), Order2(EXAM, DATA), Full(EXAM, DATA)]
NAMES = [str(order.name) for order in ORDERS]


@pytest.mark.parametrize("order", ORDERS, ids=NAMES)
def test_multipliers_of_a_possible_specification_prove_nothing(order):
    shares = order.program(Specification.at_least("1/3"))
    rng = np.random.default_rng(0)
    equal = np.array(shares.rows.equal)
    for _ in range(50):
        base = rng.integers(-9, 10, len(equal))
        base[~equal] = abs(base[~equal])
        assert refutation(shares, shares.root(), base, []) is None


@pytest.mark.parametrize("order", ORDERS, ids=NAMES)
def test_solver_and_tree_agree_and_solutions_are_checked(order):
    for level in ("1/3", "1/2", "2/3", "5/6", "1"):
        shares = order.program(Specification.at_least(level))
        found, _ = find_shares(shares, Clock(None))
        settled, evidence = branch(shares, Clock(None), most=2_000)
        assert (found is None) == (settled is None)
        assert (settled is None) != (evidence is None)
        assert settled is None or shares.satisfied(settled)
        if found is not None:
            assert shares.satisfied(found)
            broken = found.copy()
            broken[1, 0] += 1
            assert not shares.satisfied(broken)


def test_numbers_beyond_64_bits_stay_exact():
    huge = Sketch(DATA.judges, DATA.labels, DATA.answers, DATA.codes, DATA.counts * 10**12)
    exam = read_exam(huge)
    spec = Specification.at_least("999999999999/1000000000000")
    shares = Full(exam, huge).program(spec)
    evidence, _ = root_refutation(shares, Clock(None))
    assert evidence is not None
    possible = Full(exam, huge).program(Specification.at_least("1/3"))
    base = np.array([10**15 if equal else 10**17 for equal in possible.rows.equal], object)
    assert refutation(possible, possible.root(), base, []) is None


def test_a_row_of_one_s_own():
    shares = Full(EXAM, DATA).program(Specification.at_least("1/3"))
    assert root_refutation(shares.with_row(((0,), 1), ((), 0), 7), Clock(None))[0] is not None
    assert root_refutation(shares.with_row(((0,), 1), ((), 0), 1), Clock(None))[0] is None
