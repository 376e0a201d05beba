"""Ising laws against plain sums over patterns, and the numbers of paper 000, Appendix B."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algeval.errors import DataError, TooLargeError
from algeval.models.binary import TwoClass, completions, patterns
from algeval.models.curie_weiss import CurieWeiss
from algeval.models.factor import Factor
from algeval.models.ising import Ising, bayes_rule, energies, log_partition, moments

SHARED_W = np.array([[0, -2.7496, 4.4583], [-2.7496, 0, -4.8249], [4.4583, -4.8249, 0]])
SHARED = TwoClass(
    0.5,
    Ising([-1.7447, 2.2991, 3.5085], SHARED_W),
    Ising([-2.0094, 0.1721, -2.7597], SHARED_W),
)
SPLIT = TwoClass(
    0.5,
    Ising(
        [2.7369, 1.3602, 1.9559],
        [[0, -2.4445, 2.4553], [-2.4445, 0, -2.9206], [2.4553, -2.9206, 0]],
    ),
    Ising(
        [-2.5484, -2.2580, -0.9266],
        [[0, -3.3637, 3.0718], [-3.3637, 0, -0.0677], [3.0718, -0.0677, 0]],
    ),
)


def random_law(k, seed, scale=1.0):
    rng = np.random.default_rng(seed)
    W = np.triu(scale * rng.normal(size=(k, k)), 1)
    return Ising(rng.normal(size=k), W + W.T)


def plain_weight(h, W, pattern):
    k = len(h)
    pairs = sum(W[i][j] * pattern[i] * pattern[j] for i in range(k) for j in range(i + 1, k))
    return float(np.exp(sum(a * b for a, b in zip(h, pattern, strict=True)) + pairs))


def printed(value, digits):
    """The number as the paper prints it: so many significant digits."""
    return f"{value:.{digits - 1}e}"


def test_appendix_b_shared_couplings_to_every_printed_digit():
    table = {
        (0, 0, 0): ("0.00181", "0.3196"),
        (0, 0, 1): ("0.0603", "0.0202"),
        (0, 1, 0): ("0.0180", "0.3796"),
        (0, 1, 1): ("0.00483", "1.93e-4"),
        (1, 0, 0): ("3.16e-4", "0.0428"),
        (1, 0, 1): ("0.9099", "0.2342"),
        (1, 1, 0): ("2.01e-4", "0.00325"),
        (1, 1, 1): ("0.00465", "1.43e-4"),
    }
    for row, pattern in enumerate(product((0, 1), repeat=3)):
        for law, text in zip((SHARED.negative, SHARED.positive), table[pattern], strict=True):
            digits = len(text.split("e")[0].replace(".", "").lstrip("0"))
            assert printed(law.probabilities()[row], digits) == printed(float(text), digits)
    assert SHARED.negative.marginals().round(4).tolist() == [0.9150, 0.0277, 0.9797]
    assert SHARED.positive.marginals().round(4).tolist() == [0.2804, 0.3832, 0.2548]


def test_appendix_b_posteriors_flip_under_independence():
    assert SHARED.posterior([[0, 1, 1]])[0] == pytest.approx(0.0384402, abs=5e-8)
    assert SHARED.independent_posterior([[0, 1, 1]])[0] == pytest.approx(0.9682440, abs=5e-8)
    assert SPLIT.posterior([[1, 1, 0]])[0] == pytest.approx(0.0305240, abs=5e-8)
    assert SPLIT.independent_posterior([[1, 1, 0]])[0] == pytest.approx(0.9570563, abs=5e-8)
    assert np.exp(SPLIT.negative.log_probability([[1, 1, 0]]))[0] == pytest.approx(
        0.00393, abs=5e-6
    )
    assert np.exp(SPLIT.positive.log_probability([[1, 1, 0]]))[0] == pytest.approx(
        1.24e-4, abs=5e-7
    )


def test_bayes_rule_is_linear_exactly_when_couplings_are_shared():
    assert bayes_rule(SHARED).is_linear
    assert not bayes_rule(SPLIT).is_linear
    for mixture in (SHARED, SPLIT):
        rule, rows = bayes_rule(mixture), patterns(3)
        np.testing.assert_allclose(rule.log_odds(rows), mixture.log_odds(rows), atol=1e-12)
        assert rule.decide(rows).tolist() == (mixture.posterior(rows) >= 0.5).tolist()
        assert rule.to_dict()["intercept"] == rule.intercept
    with pytest.raises(DataError, match="votes must be complete"):
        bayes_rule(SHARED).log_odds([[0, 1, -1]])
    with pytest.raises(DataError, match="both classes must be Ising laws"):
        bayes_rule(TwoClass(0.5, SHARED.negative, Factor(np.zeros(3), np.ones(3))))


def test_two_judges_by_hand():
    law = Ising([np.log(2), np.log(3)], [[0, np.log(5)], [np.log(5), 0]])
    np.testing.assert_allclose(law.probabilities(), np.array([1, 3, 2, 30]) / 36, rtol=1e-14)
    np.testing.assert_allclose(law.marginals(), [32 / 36, 33 / 36], rtol=1e-14)
    assert law.second_moments()[0, 1] == pytest.approx(30 / 36, rel=1e-14)
    assert np.exp(law.log_z) == pytest.approx(36, rel=1e-14)


@settings(derandomize=True, deadline=None, max_examples=25)
@given(st.integers(1, 6), st.integers(0, 10**6))
def test_partition_moments_and_energies_match_a_plain_sum(k, seed):
    law = random_law(k, seed, 1.5)
    rows = list(product((0, 1), repeat=k))
    weights = np.array([plain_weight(law.fields, law.couplings, row) for row in rows])
    np.testing.assert_allclose(np.exp(energies(law.fields, law.couplings)), weights, rtol=1e-12)
    assert law.log_z == pytest.approx(np.log(weights.sum()), abs=1e-12)
    J, p = np.array(rows, float), weights / weights.sum()
    np.testing.assert_allclose(law.second_moments(), (J.T * p) @ J, atol=1e-13)
    np.testing.assert_allclose(law.log_probability(rows), np.log(p), atol=1e-11)


def test_gradient_of_log_partition_is_the_moments():
    h, W = np.array([0.3, -1.0, 0.5, 0.2]), random_law(4, 3).couplings.copy()
    _, mean, second = log_partition(h, W)
    for j in range(4):
        up, down = h.copy(), h.copy()
        up[j] += 1e-6
        down[j] -= 1e-6
        slope = (log_partition(up, W)[0] - log_partition(down, W)[0]) / 2e-6
        assert slope == pytest.approx(mean[j], abs=1e-8)
    up, down = W.copy(), W.copy()
    up[0, 2] = up[2, 0] = W[0, 2] + 1e-6
    down[0, 2] = down[2, 0] = W[0, 2] - 1e-6
    slope = (log_partition(h, up)[0] - log_partition(h, down)[0]) / 2e-6
    assert slope == pytest.approx(second[0, 2], abs=1e-8)


def test_moments_of_any_weights():
    total, mean, second = moments(np.array([1.0, 2.0, 3.0, 4.0]))
    assert total == 10.0
    np.testing.assert_allclose(mean, [0.7, 0.6])
    np.testing.assert_allclose(second, [[0.7, 0.4], [0.4, 0.6]])


def test_votes_left_out_are_summed_over():
    law = random_law(4, 8)
    p = law.probabilities().reshape(2, 2, 2, 2)
    got = np.exp(law.log_probability([[1, -1, 0, -1], [-1, -1, -1, -1], [0, 0, 1, 1]]))
    np.testing.assert_allclose(got, [p[1, :, 0, :].sum(), 1.0, p[0, 0, 1, 1]], rtol=1e-12)


def test_many_votes_left_out_are_summed_over_too():
    law = random_law(11, 9, 0.5)
    rows = np.full((4, 11), -1)
    rows[1, 3], rows[2, [0, 10]], rows[3, :3] = 1, [1, 0], [0, 1, 1]
    p = law.probabilities().reshape((2,) * 11)
    want = [1.0, law.marginals()[3], p[1, ..., 0].sum(), p[0, 1, 1].sum()]
    np.testing.assert_allclose(np.exp(law.log_probability(rows)), want, rtol=1e-12)


def test_too_many_votes_left_out_are_refused_with_the_number():
    with pytest.raises(TooLargeError, match="at most 8 ways in all; got 16"):
        completions(np.full((1, 4), -1, np.int8), most=8)
    with pytest.raises(TooLargeError, match="2\\^41"):
        completions(np.full((1, 41), -1, np.int8))


def test_spins_give_the_same_law():
    rng = np.random.default_rng(5)
    h, W = rng.normal(size=4), random_law(4, 6).couplings
    spins = 2.0 * patterns(4) - 1
    energy = spins @ h + 0.5 * ((spins @ W) * spins).sum(axis=1)
    p = np.exp(energy) / np.exp(energy).sum()
    np.testing.assert_allclose(Ising.from_spins(h, W).probabilities(), p, rtol=1e-12)


def test_samples_have_the_listed_frequencies():
    law = random_law(3, 2)
    votes = law.sample(40_000, 11)
    share = np.bincount(votes @ np.array([4, 2, 1]), minlength=8) / 40_000
    assert abs(share - law.probabilities()).max() < 4 * 0.5 / 200
    labels, drawn = SHARED.sample(20_000, 4)
    assert abs(labels.mean() - 0.5) < 0.015
    assert abs(drawn[labels == 1].mean(axis=0) - SHARED.positive.marginals()).max() < 0.02


def test_bayes_risk_is_the_smallest_of_all_256_rules():
    best = min(SHARED.risk([(rule >> place) & 1 for place in range(8)]) for rule in range(256))
    assert SHARED.bayes_risk() == pytest.approx(best, abs=1e-15)
    assert SHARED.independent_risk() > SHARED.bayes_risk()


def test_wrong_input_is_named():
    with pytest.raises(DataError, match="couplings must be symmetric with a zero diagonal"):
        Ising([0, 0], [[0, 1], [2, 0]])
    with pytest.raises(DataError, match="couplings must have shape \\(2, 2\\)"):
        Ising([0, 0], [[0]])
    with pytest.raises(DataError, match="must be finite"):
        Ising([np.nan], [[0]])
    with pytest.raises(DataError, match="fields must be one number per judge"):
        Ising([[0]], [[0]])
    with pytest.raises(TooLargeError, match="at most 24 judges; got 25"):
        Ising(np.zeros(25), np.zeros((25, 25)))
    with pytest.raises(DataError, match="votes must be 0, 1 or -1"):
        SHARED.posterior([[2, 0, 0]])
    with pytest.raises(DataError, match="one column per judge \\(3\\)"):
        SHARED.posterior([[0, 0]])
    with pytest.raises(DataError, match="prevalence must be between 0 and 1"):
        TwoClass(1.0, SHARED.negative, SHARED.positive)
    with pytest.raises(DataError, match="the two laws must have the same judges"):
        TwoClass(0.5, SHARED.negative, CurieWeiss(4, 1.0))
