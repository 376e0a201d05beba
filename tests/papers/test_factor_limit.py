"""Theorem 3 of paper 000: (21), (22), the two scores, and the limits of both risks."""

import numpy as np
import pytest
from scipy import integrate, stats
from scipy.special import expit

from algeval.errors import DataError
from algeval.models.binary import count_risks
from algeval.models.factor import ExchangeableFactor
from algeval_papers.separation import FactorLimit, bernoulli_divergence, factor_risks

LIMIT = FactorLimit(prevalence=0.7, a=0.5, b=1.0, spread=2.0)
SHARES = np.linspace(0.01, 0.99, 99)


@pytest.mark.parametrize(
    ("spread", "noted", "digits"),
    [
        (0.1, 5.385e-8, 5e-12),
        (0.15 * np.sqrt(1.5), 2.746e-6, 5e-10),
        (1.0, 0.033550, 5e-7),
        (2.0, 0.07707, 5e-6),
    ],
)
def test_the_excess_is_the_difference_of_the_risks(spread, noted, digits):
    limit = FactorLimit(prevalence=0.7, a=0.5, b=1.0, spread=spread)
    assert limit.excess_risk == pytest.approx(noted, abs=digits)
    assert limit.independent_risk - limit.bayes_risk == pytest.approx(limit.excess_risk, abs=1e-15)


def test_21_is_the_law_that_is_summed():
    """Chances of counts, by adaptive quadrature over (21) as printed, factor by factor."""
    for label in (0, 1):
        for lam, sigma in ((1.0, 2.0), (-1.0, 2.0), (4.0, 0.5)):
            want = [
                integrate.quad(
                    lambda z, s=s, lam=lam, sigma=sigma, sign=2 * label - 1: (
                        stats.binom.pmf(s, 5, expit(1.0 + sign * (0.5 + lam * z)))
                        * stats.norm.pdf(z, 0, sigma)
                    ),
                    -10 * sigma,
                    10 * sigma,
                    epsabs=1e-13,
                    limit=200,
                )[0]
                for s in range(6)
            ]
            np.testing.assert_allclose(LIMIT.law(5, label).pmf(), want, atol=1e-10)
    z = np.array([-1.0, 0.0, 2.0])
    np.testing.assert_allclose(LIMIT.vote_chance(0, z), expit(0.5 - 2 * z))
    np.testing.assert_allclose(LIMIT.vote_chance(1, z), expit(1.5 + 2 * z))


def test_22_is_a_density_and_the_limit_of_k_times_the_law():
    for label in (0, 1):
        total = integrate.quad(lambda s, y=label: LIMIT.density(s, y), 0, 1, limit=400)[0]
        assert total == pytest.approx(1, abs=1e-7)
        off = []
        for k in (100, 1000):
            s = np.array([k // 10, k // 2, 9 * k // 10])
            near = k * LIMIT.law(k, label).pmf()[s] / LIMIT.density(s / k, label)
            off.append(abs(near - 1).max())
        assert off[1] < off[0] / 8  # of order 1 / K
        assert off[1] < 0.01


def test_the_best_score_is_the_log_ratio_of_densities():
    ratio = np.log(0.7 * LIMIT.density(SHARES, 1) / (0.3 * LIMIT.density(SHARES, 0)))
    np.testing.assert_allclose(LIMIT.bayes_log_odds(SHARES), ratio, atol=1e-12)
    assert LIMIT.bayes_log_odds(LIMIT.bayes_cut) == pytest.approx(0, abs=1e-12)


def test_the_independent_score_is_a_difference_of_divergences():
    q0, q1 = LIMIT.marginal(0), LIMIT.marginal(1)
    by_kl = bernoulli_divergence(SHARES, q0) - bernoulli_divergence(SHARES, q1)
    np.testing.assert_allclose(LIMIT.independent_score(SHARES), by_kl, atol=1e-14)
    assert LIMIT.independent_score(LIMIT.independent_cut) == pytest.approx(0, abs=1e-15)
    assert q0 < LIMIT.independent_cut < q1
    for s, q in ((0.2, 0.6), (0.9, 0.35)):
        want = stats.entropy([s, 1 - s], [q, 1 - q])
        assert bernoulli_divergence(s, q) == pytest.approx(want, abs=1e-14)


def test_limits_are_those_of_direct_integration():
    """Over s: the mass of each label on the wrong side of each rule, and the excess as printed."""
    prior, s = 0.7, expit(np.linspace(-30, 30, 2_000_001))
    f1, f0 = LIMIT.density(s, 1), LIMIT.density(s, 0)
    steps = s * (1 - s) * 60 / 2_000_000
    bayes, naive = LIMIT.bayes_log_odds(s) >= 0, LIMIT.independent_score(s) >= 0
    risks = [
        (steps * np.where(says, (1 - prior) * f0, prior * f1)).sum() for says in (bayes, naive)
    ]
    assert LIMIT.bayes_risk == pytest.approx(risks[0], abs=1e-5)
    assert LIMIT.independent_risk == pytest.approx(risks[1], abs=1e-5)
    eta = expit(LIMIT.bayes_log_odds(s))
    share = steps * (prior * f1 + (1 - prior) * f0)
    printed = (abs(2 * eta - 1) * share)[bayes != naive].sum()
    assert LIMIT.excess_risk == pytest.approx(printed, abs=1e-5)


def test_the_exact_identity_at_finite_k():
    """R(ind) - R(Bayes) = E |2 eta - 1| where the rules differ, before any limit is taken."""
    l0, l1 = LIMIT.law(20, 0).log_pmf(), LIMIT.law(20, 1).log_pmf()
    odds = np.log(0.7 / 0.3) + l1 - l0
    mass = 0.7 * np.exp(l1) + 0.3 * np.exp(l0)
    q0, q1 = LIMIT.marginal(0), LIMIT.marginal(1)
    s = np.arange(21)
    naive = np.log(0.7 / 0.3) + 20 * LIMIT.independent_score(s / 20) >= 0
    assert q0 < q1
    excess = (abs(2 * expit(odds) - 1) * mass)[(odds >= 0) != naive].sum()
    best, independent = count_risks(0.7, l0, l1)
    assert independent - best == pytest.approx(excess, abs=1e-14)


def test_the_captions_of_figure_5_show_nothing():
    """Erratum: at (|lambda|, sigma^2) = (.1, 1) and (.15, 1.5) no picture can show a separation."""
    for spread in (0.1, 0.15 * np.sqrt(1.5)):
        found = factor_risks(0.7, a=0.5, b=1.0, spread=spread, n_judges=[10, 50, 100, 200])
        assert all(0 <= row.lost < 3e-3 for row in found.rows)
        assert found.limit.independent - found.limit.bayes < 3e-6
    clear = factor_risks(0.7, a=0.5, b=1.0, spread=1.0, n_judges=[200])
    assert clear.rows[0].lost > 0.03


def test_a_fixed_rule_of_gauss_and_hermite_breaks_where_judges_are_many():
    """40 nodes are 5% off for 20 judges and useless for 2,000; the dense trapezoid is not."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(40)
    weights = weights / weights.sum()

    def by_nodes(k):
        chances = expit(0.5 + 2.0 * nodes)
        return stats.binom.pmf(np.arange(k + 1)[:, None], k, chances) @ weights

    assert abs(by_nodes(20) / ExchangeableFactor(20, 0.5, 2.0).pmf() - 1).max() < 0.05
    worst = abs(by_nodes(2000) / ExchangeableFactor(2000, 0.5, 2.0).pmf() - 1)[200:1801].max()
    assert worst > 0.5
    assert ExchangeableFactor(2000, 0.5, 2.0).pmf().sum() == pytest.approx(1, abs=1e-10)


def test_wrong_input_is_named():
    for name in ("a", "spread"):
        with pytest.raises(DataError, match=f"{name} must be above 0"):
            FactorLimit(**({"prevalence": 0.5, "a": 1.0, "b": 0.0, "spread": 1.0} | {name: 0.0}))
    with pytest.raises(DataError, match="label must be one of"):
        LIMIT.density(0.5, 2)
