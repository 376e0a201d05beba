"""The law of factors: densities and posteriors against matrices written out, what is left over."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from algeval.aggregate.scores.factor import (
    FactorLaw,
    alike_pairs,
    item_log_likelihood,
    posterior,
    principal,
    residual_correlations,
    voices,
)


def some_law(n_judges, k, seed=0):
    rng = np.random.default_rng(seed)
    return FactorLaw(
        rng.normal(size=n_judges), rng.normal(size=(n_judges, k)), rng.uniform(0.2, 2, n_judges)
    )


def some_scores(law, n, missing, seed=1):
    rng = np.random.default_rng(seed)
    n_judges, k = law.loading.shape
    values = law.mean + rng.normal(size=(n, k)) @ law.loading.T
    values += rng.normal(size=(n, n_judges)) * np.sqrt(law.noise)
    values[rng.random(values.shape) < missing] = np.nan
    return values


@pytest.mark.parametrize("k", [0, 1, 2, 3])
def test_items_against_normal_laws_written_out(k, monkeypatch):
    monkeypatch.setattr("algeval.aggregate.policy.FACTOR_ROWS", 7)
    law = some_law(5, k)
    values = some_scores(law, 20, 0.4)
    values[3] = np.nan
    covariance = law.loading @ law.loading.T + np.diag(law.noise)
    found = posterior(law, values)
    for row, mean, spread, height in zip(values, *found, strict=True):
        seen = ~np.isnan(row)
        inner, left = covariance[np.ix_(seen, seen)], (row - law.mean)[seen]
        want = multivariate_normal(law.mean[seen], inner).logpdf(row[seen]) if seen.any() else 0
        gain = law.loading[seen].T @ np.linalg.inv(inner)
        assert height == pytest.approx(want, abs=1e-10)
        np.testing.assert_allclose(mean, gain @ left, atol=1e-10)
        np.testing.assert_allclose(spread, np.eye(k) - gain @ law.loading[seen], atol=1e-10)
    np.testing.assert_array_equal(item_log_likelihood(law, values), found.log_likelihood)


def test_a_judge_without_noise_is_silent():
    law = some_law(4, 2)
    mute = law._replace(noise=law.noise * [1, 1, 1, 0])
    values = some_scores(law, 10, 0.2)
    others = FactorLaw(law.mean[:3], law.loading[:3], law.noise[:3])
    for got, want in zip(posterior(mute, values), posterior(others, values[:, :3]), strict=True):
        np.testing.assert_allclose(got, want, atol=1e-12)


def test_principal_axes_keep_the_law_and_order_the_factors():
    law = some_law(7, 3)
    found = principal(law)
    np.testing.assert_allclose(
        found.loading @ found.loading.T, law.loading @ law.loading.T, atol=1e-12
    )
    inner = found.loading.T @ (found.loading / found.noise[:, None])
    np.testing.assert_allclose(inner, np.diag(np.diag(inner)), atol=1e-10)
    explained = (found.standard_loading**2).sum(axis=0)
    assert (np.diff(explained) <= 0).all()
    assert (found.standard_loading.sum(axis=0) >= 0).all()


def test_residuals_of_judges_who_share_more_than_the_factor():
    """Errors of the first two correlate .8 and of no others; one judge shares no item with them."""
    rng = np.random.default_rng(2)
    n = 20000
    loading, noise = np.full((6, 1), 0.7), np.full(6, 0.5)
    errors = rng.normal(size=(n, 6))
    errors[:, 1] = 0.8 * errors[:, 0] + 0.6 * errors[:, 1]
    values = 3 + rng.normal(size=(n, 1)) @ loading.T + errors * np.sqrt(0.5)
    values[: n // 2, 5] = np.nan
    values[n // 2 :, 0] = np.nan
    found = residual_correlations(FactorLaw(np.full(6, 3.0), loading, noise), values)
    want = np.eye(6)
    want[0, 1] = want[1, 0] = 0.8
    np.testing.assert_allclose(found, want, atol=0.06)
    assert found[0, 5] == 0
    assert alike_pairs(found).tolist() == [[0, 1]]


def test_pairs_stand_in_order():
    residual = np.eye(4)
    residual[0, 3], residual[1, 2], residual[0, 1] = 0.6, 0.9, 0.5
    assert alike_pairs(residual).tolist() == [[1, 2], [0, 3]]


def test_voices_by_hand():
    """Two judges tell 4 each of the first factor, one of them 1 of the second; the last is silent."""
    loading = np.array([[2.0, 1.0], [-2.0, 0.0], [0.0, 0.0], [3.0, 3.0]])
    law = FactorLaw(np.zeros(4), loading, np.array([1.0, 1.0, 1.0, 0.0]))
    np.testing.assert_allclose(voices(law), [2, 1])
    np.testing.assert_allclose(voices(law._replace(loading=np.ones((4, 1)))), [3])
    assert voices(law._replace(loading=np.zeros((4, 2)))).tolist() == [0, 0]
