"""Appendix E of paper 000: Lemmas 1 to 3 and equations (27) to (34), each computed."""

from fractions import Fraction
from itertools import product
from math import comb, log

import numpy as np
import pytest
from scipy.special import logsumexp

from algeval.models.count_rules import changes, independent_decisions
from algeval.models.curie_weiss import CurieWeiss, log_binomials, magnetisation, separation
from algeval_papers.mean_field import fixed_points, objective

SIZES = (10, 101, 1000, 10_000)


def spins(k):
    return 2 * np.arange(k + 1) / k - 1


def log_mass(law, chosen):
    return logsumexp(law.log_pmf()[chosen])


def test_27_and_30_the_law_of_m_is_that_of_all_patterns():
    """With exp(beta / 2K) = 11/10 and exp(h) = 4/5, fractions over 2^5 patterns of spins."""
    k, x, y = 5, Fraction(11, 10), Fraction(4, 5)
    for field in (Fraction(1), y):
        weight = {x_: x ** (sum(x_) ** 2) * field ** sum(x_) for x_ in product((-1, 1), repeat=k)}
        total = sum(weight.values())
        by_m = [
            sum(w for x_, w in weight.items() if sum(x_) == 2 * r - k) / total for r in range(k + 1)
        ]
        counted = [
            comb(k, r) * x ** ((2 * r - k) ** 2) * field ** (2 * r - k) for r in range(k + 1)
        ]
        assert by_m == [one / sum(counted) for one in counted]
        law = CurieWeiss(k, 2 * k * log(x), log(field))
        np.testing.assert_allclose(law.pmf(), [float(p) for p in by_m], rtol=1e-13)


def test_28_binomials_are_entropy_up_to_log_k_plus_1():
    """exp(K H) / (K + 1) <= (K over r) <= exp(K H) for every r: O(log K), uniformly, with its constant."""
    for k in SIZES:
        off = k * objective(spins(k), 0.0) - log_binomials(k)
        assert off.min() > -1e-9
        assert off.max() < np.log(k + 1)
    small = [comb(12, r) for r in range(13)]
    np.testing.assert_allclose(np.exp(log_binomials(12)), small, rtol=1e-13)


@pytest.mark.parametrize(("beta", "field"), [(0.5, 0.0), (1.5, 0.0), (0.5, -0.5), (2.0, 0.01)])
def test_29_and_31_the_law_is_k_times_the_objective_up_to_log_k(beta, field):
    for k in SIZES:
        told = k * objective(spins(k), beta, field)
        off = CurieWeiss(k, beta, field).log_pmf() - (told - logsumexp(told))
        assert abs(off).max() < np.log(k + 1)


def test_lemma_1_below_1_the_objective_is_concave_with_its_peak_at_0():
    grid = np.linspace(-1, 1, 4001)
    for beta in (0.1, 0.5, 0.9, 0.999):
        values = objective(grid, beta)
        assert (np.diff(values, 2) < 0).all()
        assert values.argmax() == 2000
        assert [point.m for point in fixed_points(beta)] == [0.0]


def test_lemma_1_above_1_there_are_two_peaks_and_0_is_between_them():
    grid = np.linspace(-1, 1, 4001)
    for beta in (1.01, 1.2, 2.0, 5.0):
        low, middle, high = fixed_points(beta)
        assert (low.m, high.m) == pytest.approx(
            (-magnetisation(beta), magnetisation(beta)), abs=1e-12
        )
        assert (low.stable, middle.stable, high.stable) == (True, False, True)
        assert middle.m == pytest.approx(0, abs=1e-12)
        assert high.height >= objective(grid, beta).max() - 1e-12
        assert high.height > middle.height == pytest.approx(np.log(2))


def test_lemma_1_the_ends_are_lower_though_not_for_the_reason_given():
    """Erratum: the proof compares with log 2, which is less than beta / 2 from beta = 2 log 2 on."""
    for beta in (1.1, 1.5, 3.0, 6.0):
        ends, peak = objective([-1.0, 1.0], beta), fixed_points(beta)[-1].height
        assert ends == pytest.approx([beta / 2] * 2)
        assert (ends[0] > np.log(2)) == (beta > 2 * np.log(2))
        assert peak > beta / 2


@pytest.mark.parametrize(("beta", "delta"), [(0.5, 0.3), (0.5, 0.7), (0.9, 0.4)])
def test_lemma_2_the_tail_falls_exponentially_at_the_rate_of_the_proof(beta, delta):
    grid = np.linspace(delta, 1, 20_001)
    rate = float(np.log(2) - objective(grid, beta).max())
    assert rate > 0
    for k in (50, 500, 5000):  # even, so that 0 is among the values of M
        tail = log_mass(CurieWeiss(k, beta), abs(spins(k)) >= delta - 1e-12)
        assert tail <= -k * rate + 2 * np.log(k + 1)
    assert -tail / 5000 == pytest.approx(rate, abs=2e-3)


@pytest.mark.parametrize(("beta", "eps"), [(1.5, 0.2), (2.0, 0.1), (5.0, 0.05)])
def test_lemma_3_and_34_the_size_concentrates_exponentially(beta, eps):
    m_star = magnetisation(beta)
    grid = np.linspace(0, 1, 40_001)
    off = abs(grid - m_star) >= eps
    rate = float(objective(m_star, beta) - objective(grid, beta)[off].max())
    assert rate > 0
    for c in (0.0, 1.5):
        for k in (200, 2000, 20_000):
            law = CurieWeiss(k, beta, c / k)
            tail = log_mass(law, abs(abs(spins(k)) - m_star) >= eps)
            nearest = abs(spins(k) - m_star).argmin()
            reached = k * (objective(m_star, beta) - objective(spins(k)[nearest], beta))
            assert tail <= -k * rate + 2 * np.log(k + 1) + 2 * c + reached
        assert -tail / 20_000 == pytest.approx(rate, abs=1e-3)


def test_32_with_a_fixed_field_m_settles_at_m0():
    m0 = magnetisation(0.5, -0.5)
    spread = []
    for k in (100, 10_000):
        law, m = CurieWeiss(k, 0.5, -0.5).pmf(), spins(k)
        mean = law @ m
        spread.append(np.sqrt(law @ (m - mean) ** 2))
        assert mean == pytest.approx(m0, abs=1 / k)
    assert spread[1] == pytest.approx(spread[0] / 10, rel=0.02)
    exact = 1 - m0**2
    assert spread[1] == pytest.approx(np.sqrt(exact / (1 - 0.5 * exact) / 10_000), rel=1e-3)


@pytest.mark.parametrize(("beta", "c"), [(2.0, 1.5), (5.0, 1.0), (1.3, 0.4)])
def test_33_the_two_phases_weigh_exp_2cm(beta, c):
    """Pair by pair P(M = m) / P(M = -m) = exp(2 c m) exactly; so nothing of order log K is left to cancel."""
    m_star, p = magnetisation(beta), 1 / (1 + np.exp(-2 * c * magnetisation(beta)))
    for k in (101, 1001, 20_001):
        law, m = CurieWeiss(k, beta, c / k), spins(k)
        np.testing.assert_allclose(law.log_pmf() - law.log_pmf()[::-1], 2 * c * m, atol=1e-7)
        right = law.pmf()[m > 0].sum()
        off = abs(right - p)
    assert off < 5e-4
    near = abs(m - m_star) < 0.1, abs(m + m_star) < 0.1
    assert np.exp(log_mass(law, near[0]) - log_mass(law, near[1])) == pytest.approx(
        np.exp(2 * c * m_star), rel=2e-3
    )


@pytest.mark.parametrize(("beta1", "c"), [(2.0, 1.5), (5.0, 1.0)])
def test_theorem_2_the_independent_rule_cuts_between_the_marginals(beta1, c):
    """E.2, item (3): one cut between q0 and q1, beyond it the right phase, before it the wrong one."""
    k = 5000
    known = separation(0.7, beta0=0.5, field0=-0.5, beta1=beta1, c=c)
    both = CurieWeiss(k, 0.5, -0.5), CurieWeiss(k, beta1, c / k)
    says = independent_decisions(0.7, *(law.log_pmf() for law in both))
    assert changes(says) == 1
    cut = np.flatnonzero(says)[0] / k
    assert known.q0 < cut < known.q1
    assert (1 - known.m_star) / 2 < known.q0 < cut < (1 + known.m_star) / 2
    assert both[1].pmf()[~says].sum() == pytest.approx(1 - known.p, abs=2e-5)
    assert both[0].pmf()[says].sum() < 1e-10
