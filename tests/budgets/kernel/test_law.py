"""Against ball arithmetic, exact fractions and the numbers of an earlier prototype."""

import math
from fractions import Fraction

import numpy as np
import pytest

from algeval.budgets.kernel import certified_law, exact_law, log_law, log_mixture, log_rho, rest

SIZES = [0, 1, 2, 3, 4, 5, 7, 8, 12, 13, 25, 40, 41, 60, 61, 99, 100, 150, 151]


def draw(rng):
    """Return a, b, n of one of five kinds: plain, rarely decided, rarely tied, lopsided, nearly even."""
    share, small = rng.uniform(), 10.0 ** -rng.uniform(0, 16)
    tiny = 10.0 ** -rng.uniform(0, 30)
    kinds = (
        rng.dirichlet([1, 1, 1])[:2],
        (small * share, small * (1 - share)),
        ((1 - small) * share, (1 - small) * (1 - share)),
        ((1 - small) * (1 - tiny), (1 - small) * tiny),
        (share / 2, share / 2 * (1 - small)),
    )
    a, b = map(float, kinds[rng.integers(5)])
    while Fraction(a) + Fraction(b) > 1:
        a, b = math.nextafter(a, 0), math.nextafter(b, 0)
    return (a, b, int(rng.choice(SIZES))) if rng.integers(2) else (b, a, int(rng.choice(SIZES)))


def log_ball(ball):
    return -math.inf if ball == 0 else float(ball.log().mid())


def worst_error(points):
    """Return the largest relative error, past what 2^-52 of the logarithm itself comes to."""
    found, worst = log_law(*np.array(points).T), 0.0
    for k, (a, b, n) in enumerate(points):
        for mine, ball in zip(found, certified_law(a, b, n), strict=True):
            told, true = float(mine[k]), log_ball(ball)
            if true == -math.inf:
                assert told == true
            else:
                worst = max(worst, abs(told - true) - 2**-51 * max(0.0, -true - 700))
    return worst


def points(seed, n):
    rng = np.random.default_rng(seed)
    return [draw(rng) for _ in range(n)]


def test_both_tails_and_the_tie_agree_with_certified_balls_on_ten_thousand_points():
    assert worst_error(points(15, 10_000)) < 1e-12


def test_ten_thousand_points_are_probabilities_that_sum_to_one():
    law = [np.exp(part) for part in log_law(*np.array(points(16, 10_000)).T)]
    assert all(((part >= 0) & (part <= 1)).all() for part in law)
    assert np.abs(sum(law) - 1).max() < 1e-14


@pytest.mark.parametrize(
    ("a", "b", "n"),
    [(0.3, 0.29, 2000), (0.5, 0.4999, 1501), (1e-3, 9e-4, 2000), (0.6, 0.399999, 1201)],
)
def test_large_tests_agree_with_certified_balls(a, b, n):
    assert worst_error([(a, b, n), (b, a, n)]) < 1e-12


def test_the_mixture_agrees_to_the_last_digits_of_a_log_factorial():
    for a, b, n in points(17, 150):
        found = log_law(*map(np.asarray, (a, b, n)))
        for mine, other in zip(found, log_mixture(a, b, n), strict=True):
            assert float(mine) == pytest.approx(float(other), rel=1e-15, abs=1e-12)


def test_fractions_are_met_exactly_on_small_tests():
    for up, down in ((3, 2), (1, 1), (9, 1), (7, 0), (5, 5), (0, 4)):
        for n in range(12):
            exact = exact_law(Fraction(up, 10), Fraction(down, 10), n)
            found = np.exp(log_law(*map(np.asarray, (up / 10, down / 10, n))))
            np.testing.assert_allclose(found, list(map(float, exact)), rtol=2e-14)


def test_no_ties_without_agreement_on_an_odd_number():
    law = log_law(np.asarray(0.5), np.asarray(0.5), np.array([7, 101, 100_001]))
    assert (law.tie == -np.inf).all()
    np.testing.assert_allclose(np.exp(law.win), 0.5, rtol=1e-15)


@pytest.mark.parametrize(
    ("a", "b", "n", "expected", "digits"),
    [
        (0.3, 0.05, 1001, -114.3032319147566, 1e-12),
        (0.45, 0.001, 1001, -528.7498868109, 1e-10),
        (0.3, 0.05, 15015, -1671.04845, 5e-6),
    ],
)
def test_tails_that_underflow(a, b, n, expected, digits):
    law = log_law(np.asarray(a), np.asarray(b), np.asarray(n))
    assert float(np.logaddexp(law.tie, law.loss)) == pytest.approx(expected, abs=digits)


def test_the_rest_is_known_where_a_and_b_round_it_off():
    a, b = 0.3, 0.7 - 1e-17
    exact = 1 - Fraction(a) - Fraction(b)
    assert float(rest(np.asarray(a), np.asarray(b))) == float(max(exact, 0))
    assert float(rest(np.asarray(1 / 3), np.asarray(2 / 3))) == float(
        1 - Fraction(1 / 3) - Fraction(2 / 3)
    )


def test_many_more_items_cost_no_more_nodes():
    law = log_law(np.asarray(0.16), np.asarray(0.154), np.array([10**6, 10**9]))
    # normal approximation with the exact mean and variance
    mean, spread = 6e-3, 0.314 - 6e-3**2
    expected = [math.erfc(mean * math.sqrt(n / spread / 2)) / 2 for n in (10**6,)]
    assert math.exp(law.loss[0]) == pytest.approx(expected[0], rel=0.01)
    assert law.loss[1] == pytest.approx(
        1e9 * float(log_rho(np.asarray(0.16), np.asarray(0.154))), rel=1e-3
    )
