"""The mixture of states against scipy's densities, slopes of its likelihood, and a plain EM step."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.special import logsumexp
from scipy.stats import multivariate_normal

from algeval.aggregate.scores.care_tensor import (
    Mixture,
    fit_states,
    mixture_of,
    polished,
    posterior,
    view_moments,
)


def truth(design):
    return Mixture(design.weights, design.means, design.noise, design.views)


def holes(values, share, seed=0):
    return np.where(np.random.default_rng(seed).random(values.shape) < share, np.nan, values)


def log_densities(values, mixture):
    """Row by row, from the marginal of the judges who gave a score."""
    result = np.tile(np.log(mixture.weights), (len(values), 1))
    for row, x in enumerate(values):
        seen = ~np.isnan(x)
        for state, mean in enumerate(mixture.means.T):
            if seen.any():
                law = multivariate_normal(mean[seen], mixture.noise[np.ix_(seen, seen)])
                result[row, state] += law.logpdf(x[seen])
    return result


@pytest.mark.parametrize("share", [0, 0.4])
def test_posteriors_and_likelihood_are_those_of_the_densities(grouped_judges, share):
    design = grouped_judges(0, 60)
    values = holes(design.values, share)
    joint = log_densities(values, truth(design))
    got, total = posterior(values, truth(design))
    np.testing.assert_allclose(total, logsumexp(joint, axis=1), atol=1e-9)
    np.testing.assert_allclose(got, np.exp(joint - total[:, None]), atol=1e-9)


def test_one_judge_and_two_states_by_hand():
    """Means -1 and 1, variance 2: the log-odds of a score x are 2 x / 2."""
    mixture = Mixture(np.array([0.5, 0.5]), np.array([[-1, 1.0]]), np.array([[2.0]]), np.array([0]))
    x = np.array([-3, 0, 0.4, 2])
    got, _ = posterior(x[:, None], mixture)
    np.testing.assert_allclose(got[:, 1], 1 / (1 + np.exp(-x)), atol=1e-12)


def test_an_item_nobody_scored_is_in_each_state_as_often_as_items_are(grouped_judges):
    design = grouped_judges(0, 5, (0.1, 0.2, 0.3, 0.4))
    values = design.values.copy()
    values[2] = np.nan
    got, total = posterior(values, truth(design))
    np.testing.assert_allclose(got[2], design.weights)
    assert total[2] == pytest.approx(0)


def test_scores_far_off_do_not_overflow(grouped_judges):
    design = grouped_judges(0, 2)
    got, total = posterior(np.array([[1e6] * 12, [-1e6] * 12]), truth(design))
    np.testing.assert_allclose(got.sum(axis=1), 1)
    assert np.isfinite(total).all()


@pytest.mark.parametrize("share", [0, 0.2])
def test_true_means_leave_the_true_covariance(grouped_judges, share):
    design = grouped_judges(1, 40_000)
    found = mixture_of(holes(design.values, share), design.weights, design.means, design.views)
    np.testing.assert_allclose(found.noise, design.noise, atol=0.08)
    assert (found.noise[design.views[:, None] != design.views] == 0).all()


def test_wrong_means_leave_a_covariance_that_is_still_one(grouped_judges):
    design = grouped_judges(1, 2000)
    wild = 10 * design.means
    found = mixture_of(design.values, design.weights, wild, design.views)
    correlation = found.noise / np.sqrt(np.outer(*[design.values.var(axis=0)] * 2))
    assert np.linalg.eigvalsh(correlation)[0] == pytest.approx(0.005)


def test_a_constant_judge_says_nothing(grouped_judges):
    design = grouped_judges(0, 3000)
    values, means = design.values.copy(), design.means.copy()
    values[:, 4], means[4] = 2.0, 2.0
    others = np.arange(12) != 4
    found = mixture_of(values, design.weights, means, design.views)
    without = mixture_of(values[:, others], design.weights, means[others], design.views[others])
    got, want = posterior(values, found)[0], posterior(values[:, others], without)[0]
    np.testing.assert_allclose(got, want, atol=1e-9)


def test_a_copy_of_a_judge_in_its_view_hardly_counts(grouped_judges):
    design = grouped_judges(0, 4000)
    once = mixture_of(design.values, design.weights, design.means, design.views)
    values = np.hstack([design.values, design.values[:, [0]]])
    means, views = np.vstack([design.means, design.means[0]]), np.append(design.views, 0)
    twice = mixture_of(values, design.weights, means, views)
    got, want = posterior(values, twice)[0], posterior(design.values, once)[0]
    assert np.abs(got - want).mean() < 0.01


@pytest.mark.parametrize("share", [0, 0.3])
def test_no_step_of_em_makes_scores_less_probable(grouped_judges, share):
    values, start = fitted(grouped_judges(2, 1500), share)
    _, end = polished(values, start, tol=1e-9, max_iter=60)
    assert np.diff(end.trace).min() > -1e-7
    assert end.trace[-1] > end.trace[0] + 5


def fitted(design, share):
    values = holes(design.values, share)
    found = fit_states(view_moments(values, design.views), 4, np.random.default_rng(0))
    return values, mixture_of(values, found.weights, found.means, design.views)


@pytest.mark.parametrize("share", [0, 0.3])
def test_where_em_ends_the_likelihood_is_level(grouped_judges, share):
    """Slopes along all 48 means and 18 covariances within views, by finite differences."""
    design = grouped_judges(0, 400)
    values, start = fitted(design, share)
    top, end = polished(values, start, tol=1e-13, max_iter=3000)
    assert end.converged
    i, j = np.nonzero(np.triu(design.views[:, None] == design.views, 1))

    def height(theta):
        noise = top.noise.copy()
        noise[i, j] = noise[j, i] = theta[48:]
        at = top._replace(means=theta[:48].reshape(12, 4), noise=noise)
        return posterior(values, at)[1].sum()

    theta = np.concatenate([top.means.ravel(), top.noise[i, j]])
    assert np.abs(approx_fprime(theta, height, 1e-6)).max() < 0.05
    assert np.abs(approx_fprime(theta + 0.01, height, 1e-6)).max() > 1


def test_a_step_of_em_in_plain_loops(grouped_judges):
    design = grouped_judges(3, 500)
    values, start = fitted(design, 0)
    step, _ = polished(values, start, tol=0, max_iter=2)
    joint = log_densities(values, start)
    share = np.exp(joint - logsumexp(joint, axis=1)[:, None])
    means = np.array([np.average(values, axis=0, weights=column) for column in share.T]).T
    noise = sum(
        np.cov(values.T, aweights=column, ddof=0) * column.sum() / 500 for column in share.T
    )
    np.testing.assert_allclose(step.weights, share.mean(axis=0), atol=1e-10)
    np.testing.assert_allclose(step.means, means, atol=1e-9)
    same = design.views[:, None] == design.views
    np.testing.assert_allclose(step.noise, np.where(same, noise, 0), atol=1e-9)


def test_em_brings_means_nearer_if_the_mixture_is_true(grouped_judges):
    """5,000 items, 8 seeds, medians: moments .41, EM .28."""
    before, after = [], []
    for seed in range(8):
        design = grouped_judges(seed, 5000)
        values, start = fitted(design, 0)
        before.append(design.error(start.means))
        after.append(design.error(polished(values, start, tol=1e-6, max_iter=50)[0].means))
    assert np.median(after) < 0.8 * np.median(before)


def test_a_state_that_loses_all_items_stays_where_it_is(grouped_judges):
    design = grouped_judges(0, 300)
    start = truth(design)
    start.means[:, 3] = 1e4
    found, _ = polished(design.values, start, tol=1e-6, max_iter=20)
    assert found.weights[3] < 1e-9
    assert np.isfinite(found.noise).all()
