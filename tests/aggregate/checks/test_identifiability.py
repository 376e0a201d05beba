"""The guard table, by the rank of the Jacobian, and the information behind the warning."""

import numpy as np
import pytest

from algeval.aggregate.checks.identified import (
    MODELS,
    check_identifiable,
    generic_rank,
    mixture_scores,
    worst_standard_error,
)
from algeval.aggregate.ising_kernels import Parameters
from algeval.errors import DataError, NotIdentifiableError
from algeval.models.binary import TwoClass, patterns
from algeval.models.ising import Ising


@pytest.mark.parametrize("model", list(MODELS))
@pytest.mark.parametrize("k", range(2, 8))
def test_generic_rank_is_full_exactly_from_the_minimum(model, k):
    row = MODELS[model]
    rank = generic_rank(model, k)
    assert (rank == row.n_parameters(k)) == (k >= row.minimum)
    assert rank <= 2**k - 1


def test_parameter_counts():
    assert [MODELS[m].n_parameters(6) for m in MODELS] == [13, 28, 43, 48]


def test_refused_saturated_and_fine():
    with pytest.raises(NotIdentifiableError, match="at least 5 judges; got 4"):
        check_identifiable("ising-class-dependent", 4)
    assert "saturated" in check_identifiable("ising-class-dependent", 5)
    assert "saturated" in check_identifiable("independent", 3)
    assert check_identifiable("ising", 6) == ""
    with pytest.raises(DataError, match="model must be one of"):
        check_identifiable("magic", 6)
    with pytest.raises(DataError, match="n_judges must be a whole number from 1 to 10"):
        generic_rank("ising", 11)


def parameters(k, spread, seed=0):
    rng = np.random.default_rng(seed)
    W = np.zeros((2, k, k))
    for y in range(2):
        upper = np.triu(rng.normal(0, spread, (k, k)), 1)
        W[y] = upper + upper.T
    h = np.array([[-1.0], [1.0]]) - W.sum(axis=2) / 2
    return Parameters(h, W, 0.0)


def test_scores_are_the_gradient_of_the_law():
    p = parameters(3, 0.5)
    scores, chance = mixture_scores(p, patterns(3), 2)
    np.testing.assert_allclose(chance @ scores, 0, atol=1e-12)

    def log_law(h, W, log_odds):
        share = 1 / (1 + np.exp(-log_odds))
        return TwoClass(share, Ising(h[0], W[0]), Ising(h[1], W[1])).log_probability(patterns(3))

    step = 1e-6
    h, W = p.h.copy(), p.W.copy()
    h[1, 2] += step
    np.testing.assert_allclose(
        (log_law(h, p.W, 0) - log_law(p.h, p.W, 0)) / step, scores[:, 5], atol=1e-5
    )
    W[0, 0, 2] += step
    W[0, 2, 0] += step
    np.testing.assert_allclose(
        (log_law(p.h, W, 0) - log_law(p.h, p.W, 0)) / step, scores[:, 6 + 1], atol=1e-5
    )
    np.testing.assert_allclose(
        (log_law(p.h, p.W, step) - log_law(p.h, p.W, 0)) / step, scores[:, -1], atol=1e-5
    )


def test_worst_standard_error_falls_with_the_root_of_n_and_shows_a_flat_direction():
    p = parameters(6, 0.7)
    few, many = (worst_standard_error(p, 2, n) for n in (1000, 100_000))
    assert few / many == pytest.approx(10, rel=1e-9)
    assert few > 1
    assert worst_standard_error(parameters(4, 0.7), 2, 10**6) > 1e3


def test_six_judges_with_class_dependent_couplings_need_tens_of_thousands_of_items():
    needed = []
    for seed in range(10):
        p = parameters(6, 0.7, seed)
        needed.append((worst_standard_error(p, 2, 1) / 0.5) ** 2)
        assert worst_standard_error(p, 2, 3000) > 1
    assert min(needed) > 12_000


def test_above_fourteen_judges_it_is_sampled():
    p = Parameters(np.stack([np.full(15, -0.8), np.full(15, 0.8)]), np.zeros((2, 15, 15)), 0.0)
    assert 0 < worst_standard_error(p, 0, 10_000, seed=1) < 0.2
