"""Latent-factor laws: quadrature against SciPy, Theorem 3 and Proposition 1 of paper 000."""

import numpy as np
import pytest
from scipy import integrate, stats
from scipy.special import expit

from algeval.errors import DataError, TooLargeError
from algeval.models.binary import count_risks, patterns
from algeval.models.factor import (
    ExchangeableFactor,
    Factor,
    limiting_excess_risk,
    second_order,
    trapezoid,
)
from algeval.models.ising import Ising


def adaptive(eta, lam, pattern):
    def inner(z):
        p = expit(np.asarray(eta) + np.asarray(lam) * z)
        return np.prod(np.where(pattern, p, 1 - p)) * stats.norm.pdf(z)

    return integrate.quad(inner, -12, 12, epsabs=1e-14, epsrel=1e-12, limit=400)[0]


def test_probabilities_match_adaptive_quadrature():
    eta, lam = [0.5, -1.0, 0.2, 2.0], [1.0, 3.0, -0.5, 0.0]
    law = Factor(eta, lam)
    got = np.exp(law.log_probability(patterns(4)))
    want = [adaptive(eta, lam, row) for row in patterns(4)]
    np.testing.assert_allclose(got, want, rtol=1e-9)
    assert got.sum() == pytest.approx(1, abs=1e-12)
    np.testing.assert_allclose(law.marginals(), got @ patterns(4), rtol=1e-12)


def test_a_vote_left_out_is_summed_over():
    law = Factor([0.5, -1.0, 0.2], [1.0, 2.0, -0.5])
    p = np.exp(law.log_probability(patterns(3))).reshape(2, 2, 2)
    got = np.exp(law.log_probability([[1, -1, 0], [-1, -1, -1]]))
    np.testing.assert_allclose(got, [p[1, :, 0].sum(), 1.0], rtol=1e-12)


def test_equal_judges_need_only_counts():
    law = ExchangeableFactor(6, 0.4, 1.7)
    p = np.exp(law.to_factor().log_probability(patterns(6)))
    by_count = np.bincount(patterns(6).sum(axis=1), weights=p)
    np.testing.assert_allclose(law.pmf(), by_count, rtol=1e-11)
    many = ExchangeableFactor(4000, 0.4, 1.7).pmf()
    assert many.sum() == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize(
    ("spread", "printed", "digits"),
    [
        (0.1, 5.385e-8, 5e-12),
        (0.15 * np.sqrt(1.5), 2.746e-6, 5e-10),
        (1.0, 0.033550, 5e-7),
        (2.0, 0.07707, 5e-6),
    ],
)
def test_theorem_3_limits(spread, printed, digits):
    limit = limiting_excess_risk(0.7, a=0.5, b=1.0, spread=spread)
    assert limit == pytest.approx(printed, abs=digits)


def test_theorem_3_limit_against_direct_integration():
    prior, a, b, sd = 0.7, 0.5, 1.0, 2.0
    q0, q1 = (
        integrate.quad(lambda z, c=c: expit(c + sd * z) * stats.norm.pdf(z), -12, 12)[0]
        for c in (b - a, b + a)
    )
    theta = np.linspace(-40, 40, 2_000_001)
    f1, f0 = (stats.norm.pdf(theta, c, sd) for c in (b + a, b - a))
    s = expit(theta)
    independent = s * np.log(q1 / q0) + (1 - s) * np.log((1 - q1) / (1 - q0)) >= 0
    bayes = prior * f1 >= (1 - prior) * f0
    gap = np.abs(prior * f1 - (1 - prior) * f0)[independent != bayes].sum() * (theta[1] - theta[0])
    assert limiting_excess_risk(prior, a=a, b=b, spread=sd) == pytest.approx(gap, abs=1e-5)


def test_finite_panels_approach_the_limit():
    limit = limiting_excess_risk(0.7, a=0.5, b=1.0, spread=2.0)
    gaps = []
    for k in (10, 100, 1000):
        bayes, independent = count_risks(
            0.7,
            ExchangeableFactor(k, 0.5, 2.0).log_pmf(),
            ExchangeableFactor(k, 1.5, 2.0).log_pmf(),
        )
        gaps.append(independent - bayes)
    assert gaps[0] < gaps[1] < gaps[2] < limit
    assert gaps[2] == pytest.approx(limit, abs=1e-3)


@pytest.mark.parametrize("rank", [1, 2])
def test_proposition_1_remainder_is_of_fourth_order(rank):
    """The paper proves eps^3; halving eps divides the remainder by 2^3.9 and more."""
    rng = np.random.default_rng(rank)
    eta, shape = rng.normal(size=5), rng.normal(size=(5, rank))
    rows = patterns(5).astype(float)
    sizes = []
    for eps in (0.2, 0.1, 0.05, 0.025):
        law = Factor(eta, eps * shape)
        h, W = second_order(law)
        left = law.log_probability(patterns(5)) - rows @ h - 0.5 * ((rows @ W) * rows).sum(axis=1)
        sizes.append(np.ptp(left))
    orders = np.log2(np.array(sizes[:-1]) / sizes[1:])
    assert (orders > 3.9).all()
    assert (orders < 4.1).all()
    near = Ising(*second_order(Factor(eta, 0.05 * shape))).probabilities()
    exact = np.exp(Factor(eta, 0.05 * shape).log_probability(patterns(5)))
    np.testing.assert_allclose(near, exact, rtol=1e-4)


def test_remark_3_three_and_four_way_terms_are_of_order_six_and_eight():
    """Erratum: Remark 3 puts the first terms beyond pairs at order four, four-way."""
    rng = np.random.default_rng(0)
    eta, lam = rng.normal(size=4), rng.normal(size=4)
    rows = patterns(4)

    def interaction(eps, size):
        logs = Factor(eta, eps * lam).log_probability(rows)
        inside = (rows[:, size:] == 0).all(axis=1)
        sign = (-1.0) ** (size - rows.sum(axis=1))
        return abs((sign * logs)[inside].sum())

    assert np.log2(interaction(0.1, 3) / interaction(0.05, 3)) == pytest.approx(6, abs=0.1)
    assert np.log2(interaction(0.2, 4) / interaction(0.1, 4)) == pytest.approx(8, abs=0.2)


def test_samples_follow_the_law():
    law = Factor([0.5, -1.0, 0.2], [1.0, 2.0, -1.5])
    votes = law.sample(40_000, 9)
    share = np.bincount(votes @ np.array([4, 2, 1]), minlength=8) / 40_000
    assert abs(share - np.exp(law.log_probability(patterns(3)))).max() < 0.01


def test_trapezoid_integrates_polynomials():
    nodes, log_weights = trapezoid(10.0)
    weights = np.exp(log_weights)
    assert weights @ nodes[:, 0] ** 2 == pytest.approx(1, abs=1e-13)
    assert weights @ nodes[:, 0] ** 4 == pytest.approx(3, abs=1e-12)


def test_wrong_input_is_named():
    with pytest.raises(DataError, match="one row per intercept"):
        Factor([0.0], [1.0, 2.0])
    with pytest.raises(DataError, match="must be finite"):
        Factor([0.0], [np.inf])
    with pytest.raises(DataError, match="a and spread must be positive"):
        limiting_excess_risk(0.5, a=-1.0, b=0.0, spread=1.0)
    with pytest.raises(TooLargeError, match="the factors need"):
        trapezoid(1.0, rank=5)
