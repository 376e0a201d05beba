"""The interior point of all pairs against the solver's answer to the program of all pairs."""

import numpy as np
import pytest

from algeval.data import Sketch, Specification
from algeval.logic.exam import read_exam
from algeval.logic.orders.pair_interior import pairs_at_levels, pairs_at_threshold
from algeval.logic.orders.pairs import Order2
from algeval.logic.proof import Clock, relax


def order(n_judges, n_labels, missing, rule="excluded"):
    rng = np.random.default_rng([n_judges, n_labels])
    truth = rng.integers(0, n_labels, 300)[:, None]
    right = rng.random((300, n_judges)) < np.linspace(0.5, 0.9, n_judges)
    codes = np.where(right, truth, rng.integers(0, n_labels, right.shape))
    codes[rng.random(codes.shape) < missing] = -1
    names = list("abcd")[:n_labels]
    data = Sketch(
        list("tuvwxyz")[:n_judges], names, names, codes.astype(np.int16), np.ones(300, int)
    )
    return Order2(read_exam(data, rule), data)


CASES = [
    (3, 2, 0.0, "excluded"),
    (5, 3, 0.0, "excluded"),
    (4, 3, 0.3, "excluded"),
    (4, 3, 0.3, "wrong"),
]


@pytest.mark.parametrize("case", CASES)
def test_the_threshold_is_where_the_program_turns_impossible(case):
    asked = order(*case)
    level = float(pairs_at_threshold(asked.tables, Clock(None)).levels.max())
    for more, sign in ((-1e-3, -1), (1e-3, 1)):
        program = asked.program(Specification.at_least(level + more)).plain()
        missed = relax(program, program.root(), Clock(None), surplus=300.0)
        assert missed.amount * sign > 0


@pytest.mark.parametrize("case", CASES)
def test_the_least_surplus_is_that_of_the_program(case):
    asked = order(*case)
    n, labels = case[:2]
    for x in (0.6, 0.95):
        levels = np.full((n, labels), x)
        found = pairs_at_levels(asked.tables, levels, np.ones(levels.shape, bool), Clock(None))
        program = asked.program(Specification.at_least(x)).plain()
        amount = relax(program, program.root(), Clock(None), surplus=300.0).amount
        assert np.sign(found.most) == np.sign(-amount)
        assert found.least * 300 - 1e-3 <= -amount <= found.most * 300 + 1e-3


def test_single_tables_are_margins_of_pair_tables():
    asked = order(4, 3, 0.3)
    tables = asked.tables
    levels = np.full((4, 3), 0.6)
    found = pairs_at_levels(tables, levels, np.ones(levels.shape, bool), Clock(None))
    assert np.allclose(found.pairs.sum(2), found.single[tables.left], atol=1e-6)
    assert np.allclose(found.pairs.sum(1), found.single[tables.right], atol=1e-6)
    assert np.allclose(found.pairs.sum(3), tables.counts / 300, atol=1e-9)
