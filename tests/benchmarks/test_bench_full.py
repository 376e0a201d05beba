"""Full order on 2,500 items and 21 judges: weights and rounding against bisected relaxations."""

import time
from fractions import Fraction

import numpy as np
import pytest

from algeval.data import Sketch, Specification
from algeval.logic.exam import Frame, read_exam
from algeval.logic.orders.full import Full
from algeval.logic.proof import Clock, relax
from algeval.logic.questions.threshold import Bracket

WIDTH = Fraction(1, 1000)


def panel_sketch(n_items=2500, n_judges=21, left_out=0.0):
    """Two labels, judges between 55 and 90 percent right."""
    rng = np.random.default_rng(2500)
    truth = rng.integers(0, 2, n_items)
    right = rng.random((n_items, n_judges)) < np.linspace(0.55, 0.9, n_judges)
    codes = np.where(right, truth[:, None], 1 - truth[:, None])
    codes = np.where(rng.random(codes.shape) < left_out, -1, codes)
    judges = [str(i) for i in range(n_judges)]
    return Sketch(judges, ["0", "1"], ["0", "1"], codes.astype(np.int16), np.ones(n_items, int))


def bracketed(s, missing):
    """The bracket alone, nothing being known of order 1."""
    order = Full(read_exam(s, missing), s)
    free = Frame((0,) * s.n_labels, (s.n_items,) * s.n_labels, ())
    bracket = Bracket(order, free, Clock(None))
    bracket.run(Fraction(1), None)
    return bracket


def bisected_relaxations(s, missing):
    """The upper end alone, halved down to the least distance of two attainable levels."""
    order = Full(read_exam(s, missing), s)
    low, high = Fraction(0), Fraction(1)
    while high - low > Fraction(1, s.n_items**2):
        middle = (low + high) / 2
        program = order.program(Specification.at_least(middle)).plain()
        relaxed = relax(program, program.root(), Clock(None))
        low, high = (low, middle) if relaxed.amount > 1e-9 else (middle, high)
    return high


@pytest.mark.benchmark
@pytest.mark.parametrize("missing", ["excluded", "wrong"])
@pytest.mark.parametrize("left_out", [0.0, 0.02])
def test_bracket_costs_less_than_twice_the_bisected_upper_end(missing, left_out):
    s = panel_sketch(left_out=left_out)
    start = time.perf_counter()
    bracket = bracketed(s, missing)
    taken = time.perf_counter() - start
    start = time.perf_counter()
    upper = bisected_relaxations(s, missing)
    bisected = time.perf_counter() - start
    assert bracket.upper - bracket.lower < WIDTH
    assert abs(bracket.upper - upper) < Fraction(1, s.n_items)
    print(f"\n{missing}, {left_out:.0%} left out: bracket {taken:.2f} s, bisected {bisected:.2f} s")
    assert taken < 2 * bisected
