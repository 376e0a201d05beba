"""Points that refute, and what is seen on the way; each point is checked against the claim again."""

from fractions import Fraction

import numpy as np
import pytest

from algeval.algebra.inequalities import Domain, FloatPolynomial, Goal, prepare, zeros
from algeval.algebra.inequalities_search import Search
from algeval.algebra.language import system
from algeval.algebra.statements import Space, read_problem, read_texts
from algeval.progress import CountedClock


def search_of(claim, given, judges=2, model="axioms"):
    known = system(model, judges)
    problem = read_problem(read_texts(claim, given, {}, known), Space(known))
    small, moves = prepare(problem)
    return problem, Search(problem, small, moves)


@pytest.mark.parametrize(
    ("claim", "given"),
    [
        ("a_ij >= 3/5", ["g_i >= 3/4", "g_j >= 3/4"]),
        ("Delta_ij <= 1/5", []),
        ("g_i >= 1/2", ["g_j >= 1/2"]),
        ("g_i > 1/2", ["g_i = g_j", "a_ij <= 1/2"]),
        ("prec_i >= 1/2", ["P_A = 1/2"]),
    ],
)
def test_what_is_found_refutes(claim, given):
    problem, search = search_of(claim, given)
    points = [*search.simple(CountedClock(5)), *search.optimised(CountedClock(5))]
    assert points
    assert all(problem.violated(point) and sum(point) == 1 for point in points)
    assert search.feasible
    assert search.least <= 0


def test_the_linear_optimum_is_tight_where_sampling_is_not():
    problem, search = search_of("MV > 5/8", ["g_i >= 3/4", "g_j >= 3/4", "g_k >= 3/4"], 3)
    point = next(search.optimised(CountedClock(10)))
    assert problem.violated(point)
    assert search.least == 0


def test_true_claims_are_not_refuted_and_the_least_value_is_small():
    _, search = search_of("Delta_ij <= 1/4", [])
    assert not list(search.simple(CountedClock(2)))
    assert not list(search.optimised(CountedClock(2)))
    assert 0 <= search.least < Fraction(1, 100)


def test_nothing_feasible_is_seen_where_hypotheses_contradict_each_other():
    _, search = search_of("g_i >= 0", ["g_i >= 3/4", "g_j >= 3/4", "a_ij < 1/2"])
    assert not list(search.simple(CountedClock(1)))
    assert not search.feasible
    assert search.least is None


def test_float_polynomials_are_the_polynomials():
    domain = Domain((3, 2))
    a, b, _, x, y = domain.gens
    p = 3 * a * a * b - b * x / 2 + y - domain.constant(Fraction(1, 7))
    point = tuple(map(Fraction, ("1/2", "1/3", "1/6", "1/4", "3/4")))
    floats = np.array([float(v) for v in point])
    made = FloatPolynomial(domain, p)
    assert made(floats) == pytest.approx(float(domain.at(p, point)))
    slopes = [float(domain.at(p.derivative(c), point)) for c in range(domain.n)]
    assert made.gradient(floats) == pytest.approx(slopes)
    corner = np.array([0.0, 1.0, 0.0, 0.0, 1.0])
    assert made(corner) == pytest.approx(1 - 1 / 7)


def test_zeros_are_zeros():
    domain = Domain((2, 2))
    x, y = domain.coordinates[0], domain.coordinates[2]
    goal = Goal(domain, (x * x - domain.one / 2) ** 2 + (y - domain.one / 3) ** 2)
    (point,) = zeros(goal, CountedClock(20))
    assert point[[0, 2]] == pytest.approx([0.5**0.5, 1 / 3], abs=1e-3)
