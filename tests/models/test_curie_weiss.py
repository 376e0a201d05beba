"""Curie-Weiss laws: the {0, 1} form, Theorems 1 and 2 of paper 000, samples."""

import numpy as np
import pytest

from algeval.errors import DataError
from algeval.models.binary import TwoClass, count_risks, patterns
from algeval.models.curie_weiss import CurieWeiss, magnetisation, separation


def risks(k, *, prevalence, beta0, field0, beta1, field1):
    return count_risks(
        prevalence, CurieWeiss(k, beta0, field0).log_pmf(), CurieWeiss(k, beta1, field1).log_pmf()
    )


@pytest.mark.parametrize(("beta", "field"), [(0.5, 0.0), (1.5, 0.0), (0.7, -0.4), (2.0, 0.3)])
def test_zero_one_form(beta, field):
    """Fields 2 h - 2 beta (1 - 1/K), couplings 4 beta / K, from the law on spins itself."""
    k = 5
    law = CurieWeiss(k, beta, field)
    spin_sum = (2.0 * patterns(k) - 1).sum(axis=1)
    energy = beta * spin_sum**2 / (2 * k) + field * spin_sum
    p = np.exp(energy) / np.exp(energy).sum()
    np.testing.assert_allclose(law.to_ising().probabilities(), p, rtol=1e-12)
    np.testing.assert_allclose(np.exp(law.log_probability(patterns(k))), p, rtol=1e-12)
    np.testing.assert_allclose(law.marginals(), law.to_ising().marginals(), rtol=1e-12)
    gaps = patterns(k).copy()
    gaps[:, [0, 3]] = -1
    np.testing.assert_allclose(
        law.log_probability(gaps), law.to_ising().log_probability(gaps), atol=1e-12
    )


@pytest.mark.parametrize(
    ("beta1", "c", "bayes", "limit", "at_100"),
    [
        (2.0, 1.5, (0.046625, 0.011563, 0.002548, 0.000137), 0.037470, 0.037728),
        (5.0, 1.0, (0.060049, 0.000420, 0.000003, 0.0), 0.083455, 0.083457),
    ],
)
def test_theorem_2(beta1, c, bayes, limit, at_100):
    found = [
        risks(k, prevalence=0.7, beta0=0.5, field0=-0.5, beta1=beta1, field1=c / k)
        for k in (10, 50, 100, 200)
    ]
    assert [round(best, 6) for best, _ in found] == list(bayes)
    assert round(found[2][1], 6) == at_100
    s = separation(0.7, beta0=0.5, field0=-0.5, beta1=beta1, c=c)
    assert round(s.independent_risk, 6) == limit
    far = risks(20_000, prevalence=0.7, beta0=0.5, field0=-0.5, beta1=beta1, field1=c / 20_000)
    assert far[1] == pytest.approx(s.independent_risk, abs=2e-6)


def test_theorem_2_marginals_are_limits_not_values():
    """Erratum: q0 and q1 are printed with equality; at K = 10 q0 is .1727, the limit .1561."""
    s = separation(0.7, beta0=0.5, field0=-0.5, beta1=2.0, c=1.5)
    assert round(CurieWeiss(10, 0.5, -0.5).marginals()[0], 4) == 0.1727
    assert round(s.q0, 4) == 0.1561
    assert CurieWeiss(4000, 0.5, -0.5).marginals()[0] == pytest.approx(s.q0, abs=1e-4)
    assert CurieWeiss(4000, 2.0, 1.5 / 4000).marginals()[0] == pytest.approx(s.q1, abs=1e-3)
    with pytest.raises(DataError, match="0 < beta0 < 1 < beta1"):
        separation(0.7, beta0=1.5, field0=-0.5, beta1=2.0, c=1.5)
    with pytest.raises(DataError, match="\\(1 - m_star\\) / 2 < q0"):
        separation(0.7, beta0=0.5, field0=-3.0, beta1=1.05, c=1.5)


def test_theorem_1():
    for k, bayes in ((10, 0.207631), (50, 0.01166), (100, 0.000367)):
        best, independent = risks(k, prevalence=0.5, beta0=0.5, field0=0.0, beta1=1.5, field1=0.0)
        assert best == pytest.approx(bayes, abs=6e-7 if k != 50 else 5e-6)
        assert independent == pytest.approx(0.5, abs=1e-12)
    for prevalence in (0.3, 0.8):
        _, independent = risks(
            30, prevalence=prevalence, beta0=0.5, field0=0.0, beta1=1.5, field1=0.0
        )
        assert independent == pytest.approx(min(prevalence, 1 - prevalence), abs=1e-12)


def test_counts_and_patterns_give_the_same_risks():
    mixture = TwoClass(0.7, CurieWeiss(7, 0.5, -0.5), CurieWeiss(7, 2.0, 1.5 / 7))
    from_counts = risks(7, prevalence=0.7, beta0=0.5, field0=-0.5, beta1=2.0, field1=1.5 / 7)
    assert mixture.bayes_risk() == pytest.approx(from_counts[0], abs=1e-14)
    assert mixture.independent_risk() == pytest.approx(from_counts[1], abs=1e-14)


def test_the_printed_threshold_rule_can_lose_to_independence():
    """Paper 000, F.2's threshold (|m0| + m*) / 2 on |M| is worse than independence at K = 10."""
    k, s = 10, separation(0.7, beta0=0.5, field0=-0.5, beta1=2.0, c=1.5)
    size = abs(2 * np.arange(k + 1) / k - 1)
    says_one = size >= (abs(s.m0) + s.m_star) / 2
    p0, p1 = CurieWeiss(k, 0.5, -0.5).pmf(), CurieWeiss(k, 2.0, 1.5 / k).pmf()
    threshold = 0.3 * p0[says_one].sum() + 0.7 * p1[~says_one].sum()
    _, independent = risks(k, prevalence=0.7, beta0=0.5, field0=-0.5, beta1=2.0, field1=1.5 / k)
    assert threshold > independent


def test_samples_keep_the_weight_of_the_wrong_phase():
    law = CurieWeiss(50, 2.0, 1.5 / 50)
    votes = law.sample(20_000, 3)
    wrong = (votes.mean(axis=1) < 0.5).mean()
    exact = law.pmf()[:25].sum()
    assert abs(wrong - exact) < 4 * np.sqrt(exact / 20_000)
    assert 0.04 < exact < 0.07
    assert abs(votes.mean(axis=0) - law.marginals()).max() < 0.01


def test_magnetisation_solves_its_equation():
    for beta, field in ((1.5, 0.0), (0.5, -0.5), (3.0, 0.1), (0.9, 0.2)):
        m = magnetisation(beta, field)
        assert m == pytest.approx(np.tanh(beta * m + field), abs=1e-12)
    assert magnetisation(0.9) == 0.0
    assert magnetisation(1.5) > 0.8


def test_wrong_input_is_named():
    with pytest.raises(DataError, match="n_judges must be a whole number of at least 1"):
        CurieWeiss(0, 1.0)
    with pytest.raises(DataError, match="beta and field must be finite"):
        CurieWeiss(3, float("inf"))
