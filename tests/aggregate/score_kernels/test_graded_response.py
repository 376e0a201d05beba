"""Graded responses: planted curves, integrals by another rule, slopes by differences, odd panels."""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import approx_fprime
from scipy.stats import norm

from algeval.aggregate.scores import graded
from algeval.aggregate.scores.graded import Curves, Levels, fit_graded, grid_posterior, moments
from algeval.io import read_scores

DATA = Path(__file__).parents[3] / "../shared/data"
RUN = {"tol": 1e-6, "max_iter": 2000}
needs_data = pytest.mark.skipif(not DATA.exists(), reason="the scores are not part of the package")


def draw(rng, slope, threshold, n):
    """Scores by the definition: a normal score a theta + noise, cut at the thresholds."""
    theta = rng.normal(size=n)
    behind = theta[:, None] * slope + rng.normal(size=(n, len(slope)))
    return theta, (behind[:, :, None] > threshold).sum(axis=2).astype(float)


def fit(values, **settings):
    levels = Levels.of(values)
    codes = levels.codes(values)
    counts = np.ones(len(values))
    return fit_graded(codes, counts, levels.sizes, **RUN | settings), codes


def planted(seed=0, n=3000, n_judges=7, missing=0.0):
    rng = np.random.default_rng(seed)
    slope = np.linspace(0.3, 1.8, n_judges)
    slope[2] *= -1
    threshold = np.sort(rng.uniform(-1.5, 1.5, (n_judges, 4)), axis=1)
    threshold += np.arange(4) * 0.2
    theta, values = draw(rng, slope, threshold, n)
    values[rng.random(values.shape) < missing] = np.nan
    return slope, threshold, theta, values


@pytest.mark.parametrize("missing", [0.0, 0.4])
def test_planted_curves_are_found(missing):
    slope, threshold, theta, values = planted(n=10_000, missing=missing)
    found, codes = fit(values)
    np.testing.assert_allclose(found.curves.slope, slope, atol=0.08)
    np.testing.assert_allclose(found.curves.threshold, threshold, atol=0.12)
    mean, variance = moments(grid_posterior(codes, found), found.nodes)
    assert ((theta - mean) ** 2).mean() == pytest.approx(variance.mean(), rel=0.04)
    assert ((theta - mean) ** 2 / variance).mean() == pytest.approx(1, rel=0.04)


@pytest.mark.parametrize("seed", range(3))
def test_the_penalised_likelihood_never_falls(seed):
    found, _ = fit(planted(seed, n=400, missing=0.2)[3], tol=1e-9)
    assert found.end.converged
    assert len(found.end.trace) > 5
    assert np.diff(found.end.trace).min() > -1e-7


def pattern_chance(codes, curves):
    """The integral of one row's chance over the trait, adaptively and from the definition."""
    ends = np.pad(curves.threshold, ((0, 0), (1, 1)), constant_values=(-np.inf, np.inf))

    def integrand(theta):
        chance = norm.pdf(theta)
        for j, c in enumerate(codes):
            if c >= 0:
                low, high = ends[j, c : c + 2] - curves.slope[j] * theta
                chance *= norm.cdf(high) - norm.cdf(low)
        return chance

    return quad(integrand, -8, 8, epsabs=1e-13, limit=200)[0]


def test_the_likelihood_is_the_integral():
    found, codes = fit(planted(1, n=15, n_judges=4, missing=0.2)[3])
    want = sum(np.log(pattern_chance(row, found.curves)) for row in codes if (row >= 0).any())
    assert found.log_likelihood == pytest.approx(want, abs=1e-6)


def exact_likelihood(rows, counts, curves):
    """Sum over a grid far finer than any posterior here, from the definition."""
    nodes = np.linspace(-7, 7, 4001)
    ends = np.pad(curves.threshold, ((0, 0), (1, 1)), constant_values=(-np.inf, np.inf))
    total = np.tile(norm.logpdf(nodes) + np.log(nodes[1] - nodes[0]), (len(rows), 1))
    for j, (slope, edges) in enumerate(zip(curves.slope, ends, strict=True)):
        chances = np.diff(norm.cdf(edges[:, None] - slope * nodes), axis=0)
        total += np.log(np.maximum(chances, 1e-300))[rows[:, j]]
    return float(counts @ np.logaddexp.reduce(total, axis=1))


def test_the_end_is_a_maximum():
    """No small move of a slope or threshold raises the integral less the penalty."""
    found, codes = fit(planted(2, n=60, n_judges=4)[3], tol=1e-10)
    rows, counts = np.unique(codes, axis=0, return_counts=True)
    free = np.isfinite(found.curves.threshold)
    at = np.concatenate([found.curves.slope, found.curves.threshold[free]])

    def height(point):
        threshold = np.full(free.shape, np.inf)
        threshold[free] = point[4:]
        penalty = 0.5 * ((point[:4] - point[:4].mean()) ** 2).sum()
        return exact_likelihood(rows, counts, Curves(point[:4], threshold)) - penalty

    assert height(at) == pytest.approx(found.end.trace[-1], abs=1e-5)
    assert np.abs(approx_fprime(at, height, 1e-6)).max() < 2e-3


def test_slopes_of_chances_are_differences():
    curves = Curves(np.array([0.7, -1.2]), np.array([[-1.0, 0.2, 1.5], [-0.3, 0.4, np.inf]]))
    nodes, step = np.array([-2.0, 0.3, 1.9]), 1e-6
    found = curves.slopes_of_chances(nodes)
    for p in range(4):
        moved = [np.zeros((2, 3)), np.zeros(2)]
        if p < 3:
            moved[0][:, p] = step
        else:
            moved[1][:] = step
        up, down = (
            Curves(curves.slope + s * moved[1], curves.threshold + s * moved[0]).chances(nodes)
            for s in (1, -1)
        )
        np.testing.assert_allclose(found[..., p], (up - down) / (2 * step), atol=1e-8)


def test_chances_far_out_keep_their_digits():
    curves = Curves(np.array([3.0]), np.array([[-1.0, 1.0]]))
    low, high = (curves.chances(np.array([theta]))[0, 0] for theta in (-5.0, 5.0))
    np.testing.assert_allclose(low, high[::-1], rtol=1e-12)
    assert high[0] == pytest.approx(norm.cdf(-16), rel=1e-10)


def test_rows_and_their_counts_are_the_items():
    values = planted(3, n=600, n_judges=3)[3]
    levels = Levels.of(values)
    codes = levels.codes(values)
    rows, counts = np.unique(codes, axis=0, return_counts=True)
    assert len(rows) < 200
    grouped = fit_graded(rows, counts.astype(float), levels.sizes, **RUN)
    single, _ = fit(values)
    assert grouped.log_likelihood == pytest.approx(single.log_likelihood, abs=1e-7)
    np.testing.assert_allclose(grouped.curves.slope, single.curves.slope, atol=1e-7)


def test_renaming_judges_renames_the_curves():
    values = planted(4, n=800)[3]
    order = np.random.default_rng(0).permutation(values.shape[1])
    straight, shuffled = fit(values)[0], fit(values[:, order])[0]
    np.testing.assert_allclose(shuffled.curves.slope, straight.curves.slope[order], atol=1e-5)
    assert shuffled.log_likelihood == pytest.approx(straight.log_likelihood, abs=1e-4)


def test_only_the_order_of_scores_counts():
    values = planted(5, n=500)[3]
    straight, bent = fit(values)[0], fit(np.exp(3 * values) - 7)[0]
    assert bent.log_likelihood == straight.log_likelihood
    assert np.array_equal(bent.curves.slope, straight.curves.slope)


def test_a_judge_read_backwards_has_the_other_slope():
    values = planted(6, n=800)[3]
    turned = values.copy()
    turned[:, 0] *= -1
    straight, back = fit(values, tol=1e-9)[0], fit(turned, tol=1e-9)[0]
    # the penalty draws to the mean, which moves a little
    assert back.curves.slope[0] == pytest.approx(-straight.curves.slope[0], abs=0.02)
    assert back.loading[0] == pytest.approx(-straight.loading[0], abs=0.02)


def test_slopes_add_up_to_at_least_zero():
    values = planted(7, n=500)[3]
    for turned in (values, -values):
        assert fit(turned)[0].curves.slope.sum() > 0


def test_a_constant_judge_changes_nothing():
    values = planted(8, n=500)[3]
    constant = np.column_stack([values, np.full(500, 3.0)])
    alone, beside = fit(values)[0], fit(constant)[0]
    assert beside.curves.slope[-1] == beside.loading[-1] == 0
    np.testing.assert_allclose(beside.curves.slope[:-1], alone.curves.slope, atol=1e-5)
    assert beside.log_likelihood == pytest.approx(alone.log_likelihood, abs=1e-6)


def test_an_item_without_scores_changes_nothing_and_keeps_the_prior():
    values = planted(9, n=500)[3]
    silent = np.vstack([values, np.full((100, values.shape[1]), np.nan)])
    alone, (beside, codes) = fit(values)[0], fit(silent)
    np.testing.assert_allclose(beside.curves.slope, alone.curves.slope, atol=1e-12)
    mean, variance = moments(grid_posterior(codes, beside), beside.nodes)
    np.testing.assert_allclose(mean[-100:], 0, atol=1e-12)
    np.testing.assert_allclose(variance[-100:], 1, atol=1e-6)


@pytest.mark.parametrize(
    "values",
    [
        np.array([[1.0, 2, 3], [2, 3, 1]]),
        np.ones((5, 3)),
        np.full((4, 3), np.nan),
        np.tile(np.arange(6.0)[:, None], 4),
        np.tile(np.arange(200.0)[:, None] % 2, 5),
    ],
    ids=["two items", "all constant", "no scores", "copies", "binary copies"],
)
def test_odd_panels_end_with_finite_numbers(values):
    found, codes = fit(values)
    assert np.isfinite(found.curves.slope).all()
    assert np.isfinite(found.log_likelihood)
    assert np.isfinite(grid_posterior(codes, found)).all()


def test_a_sharp_panel_gets_a_finer_grid():
    rng = np.random.default_rng(10)
    slope = np.full(60, 3.0)
    theta, values = draw(rng, slope, np.linspace(-6, 6, 9) * np.ones((60, 1)), 150)
    found, codes = fit(values)
    assert len(found.nodes) > graded.policy.GRADED_NODES
    exact = exact_likelihood(codes, np.ones(150), found.curves)
    assert found.log_likelihood == pytest.approx(exact, abs=0.5)
    mean, _ = moments(grid_posterior(codes, found), found.nodes)
    assert np.corrcoef(mean, theta)[0, 1] > 0.995


def test_steps_that_run_out_are_told():
    end = fit(planted(11, n=200)[3], max_iter=2)[0].end
    assert (end.converged, end.n_iter) == (False, 2)


@needs_data
def test_comments_are_ordered_as_by_people():
    """Half the items called toxic: .751 agree with people, as the scores' normal factor does."""
    table = read_scores(DATA / "civilcomments_judge_scores.csv", item="item", key="gold")
    found, codes = fit(table.values)
    mean, _ = moments(grid_posterior(codes, found), found.nodes)
    toxic = np.array([truth == "1" for truth in table.key])
    assert found.end.converged
    assert ((mean > np.median(mean)) == toxic).mean() == pytest.approx(0.751, abs=0.003)
