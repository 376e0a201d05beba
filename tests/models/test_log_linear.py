"""Log-linear laws: transforms against plain loops, the Ising law, missing votes, refusals."""

from itertools import combinations

import numpy as np
import pytest

from algeval.errors import DataError, TooLargeError
from algeval.models.binary import TwoClass, log_sum_exp, patterns
from algeval.models.ising import Ising
from algeval.models.log_linear import LogLinear, set_energies, set_moments, sets_of_size


def features(k, center):
    rows = patterns(k)
    return np.stack([np.where(s == 1, rows - center, 1.0).prod(axis=1) for s in rows], axis=1)


@pytest.mark.parametrize("k", [1, 2, 5])
def test_transforms_are_the_matrix_of_products_and_its_transpose(k):
    rng = np.random.default_rng(k)
    coefficients, center = rng.normal(size=1 << k), rng.random(k)
    F = features(k, center)
    np.testing.assert_allclose(set_energies(coefficients, center), F @ coefficients, atol=1e-12)
    np.testing.assert_allclose(set_moments(coefficients, center), F.T @ coefficients, atol=1e-12)


def test_sets():
    assert sets_of_size(3, 1, 2) == [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]
    assert len(sets_of_size(12, 2, 3)) == 66 + 220


def test_with_pairs_only_it_is_the_ising_law():
    rng = np.random.default_rng(0)
    upper = np.triu(rng.normal(size=(5, 5)), 1)
    h = rng.normal(size=5)
    ising = Ising(h, upper + upper.T)
    law = LogLinear(h, {(j, k): upper[j, k] for j, k in combinations(range(5), 2)})
    np.testing.assert_allclose(law.probabilities(), ising.probabilities(), atol=1e-14)
    np.testing.assert_allclose(law.marginals(), ising.marginals(), atol=1e-14)
    assert law.log_z == pytest.approx(ising.log_z, abs=1e-12)
    assert (law.order, LogLinear(h).order, law.n_judges) == (2, 1, 5)


def test_one_triple_by_hand():
    law = LogLinear([0.0, 0.0, 0.0], {(2, 0, 1): np.log(3.0)})
    np.testing.assert_allclose(law.probabilities() * 10, [1, 1, 1, 1, 1, 1, 1, 3])
    np.testing.assert_allclose(law.marginals(), [0.6] * 3)
    assert law.interactions == {(0, 1, 2): np.log(3.0)}


def test_votes_left_out_are_summed_over():
    rng = np.random.default_rng(1)
    law = LogLinear(rng.normal(size=4), {(0, 1): 0.7, (1, 2, 3): -1.1, (0, 1, 2, 3): 0.4})
    everything = patterns(4)
    chance = law.probabilities()
    rows = np.unique(rng.integers(-1, 2, (200, 4)), axis=0)
    for row in rows:
        fits = ((row < 0) | (everything == row)).all(axis=1)
        assert law.log_probability(row)[0] == pytest.approx(np.log(chance[fits].sum()), abs=1e-12)
    assert law.log_probability([-1, -1, -1, -1])[0] == pytest.approx(0, abs=1e-12)
    assert log_sum_exp(law.log_probability(everything)) == pytest.approx(0, abs=1e-12)


def test_samples_and_mixture():
    law = LogLinear([-0.5, 0.2, 0.1], {(0, 1, 2): 1.5})
    votes = law.sample(50_000, 3)
    np.testing.assert_allclose(votes.mean(axis=0), law.marginals(), atol=0.01)
    mixture = TwoClass(0.4, LogLinear([-1.0] * 3, {(0, 1, 2): 1.0}), law)
    assert 0 < mixture.bayes_risk() < 0.4


def third_order(eps, trait, weight):
    """The coefficient of J_0 J_1 J_2 in the log of a law with a hidden trait (alternating sum)."""
    odds = np.array([0.4, -0.7, 1.1]) + eps * np.outer(trait, [1.0, 0.8, 1.2])
    log_one, log_zero = -np.logaddexp(0, -odds), -np.logaddexp(0, odds)
    rows = patterns(3)
    chance = weight @ np.exp(log_one @ rows.T + log_zero @ (1 - rows).T)
    return float((-1.0) ** (3 - rows.sum(axis=1)) @ np.log(chance))


def test_third_order_terms_follow_the_skew_of_the_trait():
    """Paper 000, Remark 3: of order eps^3 for a skewed trait; a normal one has none below eps^6."""
    skewed = (np.array([2.0, -0.5]), np.array([0.2, 0.8]))
    nodes = np.linspace(-9, 9, 301)
    weight = np.exp(-(nodes**2) / 2)
    normal = (nodes, weight / weight.sum())
    orders = [
        np.log2(abs(third_order(2 * eps, *law) / third_order(eps, *law)))
        for law, eps in ((skewed, 0.002), (normal, 0.04))
    ]
    assert orders[0] == pytest.approx(3, abs=0.1)
    assert orders[1] == pytest.approx(6, abs=0.2)
    leading = 1.0 * 0.8 * 1.2 * (0.2 * 2.0**3 - 0.8 * 0.5**3)
    assert third_order(0.002, *skewed) / 0.002**3 == pytest.approx(leading, rel=0.05)


@pytest.mark.parametrize(
    ("interactions", "told"),
    [
        ({(0,): 1.0}, "two or more different judges among 0 to 2"),
        ({(0, 0): 1.0}, "two or more different judges"),
        ({(0, 3): 1.0}, "two or more different judges"),
        ({(0, 1): 1.0, (1, 0): 2.0}, r"got \(0, 1\) twice"),
        ({(0, 1): np.inf}, "must be finite"),
    ],
)
def test_refusals(interactions, told):
    with pytest.raises(DataError, match=told):
        LogLinear([0.0, 0.0, 0.0], interactions)


def test_other_refusals():
    with pytest.raises(DataError, match="one number per judge"):
        LogLinear([[0.0]])
    with pytest.raises(TooLargeError, match="at most 24 judges; got 25"):
        LogLinear(np.zeros(25))
