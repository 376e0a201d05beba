"""Fits of factors: planted laws, other programs' optima, missing scores, panels that are hard."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.special import ndtr
from scipy.stats import multivariate_normal, spearmanr
from sklearn.decomposition import FactorAnalysis

from algeval.aggregate import policy
from algeval.aggregate.scores.factor import (
    alike_pairs,
    fit_factors,
    freedom,
    item_log_likelihood,
    posterior,
    residual_correlations,
    turned,
    varimax,
    voices,
)
from algeval.aggregate.scores.simple import judge_scale

DATA = Path(__file__).parents[3] / "../shared/data"
shared = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data are not there")


def fit(values, k, **settings):
    return fit_factors(values, k, rng=np.random.default_rng(0), **settings)


def planted(n, loading, noise, seed=0, missing=0.0):
    rng = np.random.default_rng(seed)
    loading = np.asarray(loading, float)
    values = rng.normal(size=(n, loading.shape[1])) @ loading.T
    values += rng.normal(size=(n, len(loading))) * np.sqrt(noise)
    values[rng.random(values.shape) < missing] = np.nan
    return values


TWO = np.array([[0.9, 0], [0.8, 0.1], [0.7, 0.2], [0.6, 0.6], [0.1, 0.7], [0, 0.8], [0.2, 0.5]])


@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("k", [1, 2])
def test_planted_laws_come_back(k, missing):
    loading, noise = TWO[:, :k] + 0.3 * (k == 1), np.linspace(0.3, 0.9, 7)
    values = 5 + 3 * planted(20000, loading, noise, missing=missing)
    found = fit(values, k)
    assert found.end.converged
    shared_part = found.law.loading @ found.law.loading.T
    np.testing.assert_allclose(shared_part, 9 * loading @ loading.T, atol=0.4)
    np.testing.assert_allclose(found.law.noise, 9 * noise, atol=0.4)
    np.testing.assert_allclose(found.law.mean, 5, atol=0.12)
    assert not found.at_floor.any()


@pytest.mark.parametrize("k", [1, 2])
def test_another_program_finds_no_higher_likelihood(k):
    values = planted(400, TWO, np.linspace(0.3, 0.9, 7)) * np.arange(1, 8) + 4
    other = FactorAnalysis(k, tol=1e-9, max_iter=20000, svd_method="lapack").fit(values)
    want = other.score(values) * len(values)
    found = fit(values, k, tol=1e-9).log_likelihood
    assert found >= want * (1 + 1e-6)
    if k == 1:
        assert found == pytest.approx(want, rel=1e-6)


def test_the_height_is_that_of_the_law():
    for missing in (0.0, 0.2):
        values = 2 + 3 * planted(200, TWO, np.full(7, 0.5), missing=missing)
        values[4] = np.nan
        for k in range(4):
            found = fit(values, k)
            height = item_log_likelihood(found.law, values).sum()
            assert found.log_likelihood == pytest.approx(height, rel=1e-10)


def test_missing_scores_against_direct_maximisation():
    """Every row's normal density written out, and climbed without a slope."""
    values = planted(80, [[0.9], [0.7], [0.6], [0.8]], [0.4, 0.5, 0.6, 0.3], 3, missing=0.25)
    rows = [(row[~np.isnan(row)], ~np.isnan(row)) for row in values]

    def deviance(point):
        mean, loading, noise = point[:4], point[4:8], np.exp(point[8:])
        matrix = np.outer(loading, loading) + np.diag(noise)
        return -sum(
            multivariate_normal(mean[seen], matrix[np.ix_(seen, seen)]).logpdf(row)
            for row, seen in rows
            if seen.any()
        )

    start = np.r_[np.zeros(4), np.full(4, 0.7), np.log(np.full(4, 0.5))]
    want = minimize(deviance, start, method="BFGS", options={"gtol": 1e-4})
    found = fit(values, 1, tol=1e-8)
    assert found.log_likelihood == pytest.approx(-want.fun, abs=1e-4)
    np.testing.assert_allclose(found.law.mean, want.x[:4], atol=2e-3)
    np.testing.assert_allclose(found.law.loading[:, 0], want.x[4:8], atol=2e-3)
    np.testing.assert_allclose(found.law.noise, np.exp(want.x[8:]), atol=2e-3)


@pytest.mark.parametrize("missing", [0.0, 0.4])
def test_no_step_lowers_the_likelihood(missing):
    values = planted(150, TWO, np.full(7, 0.4), 5, missing)
    for k in (1, 2, 3):
        trace = np.array(fit(values, k).end.trace)
        assert len(trace) > 3
        assert (np.diff(trace) >= -1e-9).all()


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_other_units_and_another_order_of_judges(missing):
    values = planted(200, TWO, np.full(7, 0.5), missing=missing)
    order = np.random.default_rng(4).permutation(7)
    scale, shift = np.linspace(0.1, 90, 7), np.linspace(-50, 1000, 7)
    for k in (1, 2):
        plain = fit(values, k, tol=1e-8)
        other = fit((values * scale + shift)[:, order], k, tol=1e-8)
        np.testing.assert_allclose(
            other.law.loading / scale[order, None], plain.law.loading[order], atol=1e-5
        )
        np.testing.assert_allclose(
            other.law.noise / scale[order] ** 2, plain.law.noise[order], atol=1e-5
        )
        np.testing.assert_allclose(
            (other.law.mean - shift[order]) / scale[order], plain.law.mean[order], atol=1e-5
        )


def test_missing_scores_that_are_few_move_little():
    """The climb over rows and the climb over covariances are two programs of one model."""
    values = planted(500, TWO, np.full(7, 0.5))
    whole = fit(values, 2)
    holed = values.copy()
    holed[0, 0] = np.nan
    found = fit(holed, 2)
    np.testing.assert_allclose(found.law.loading, whole.law.loading, atol=0.02)
    assert found.end.what == whole.end.what == "The climb"
    lost = item_log_likelihood(found.law, values).sum()
    assert whole.log_likelihood >= lost
    assert whole.log_likelihood == pytest.approx(lost, abs=0.1)


def test_the_best_of_several_peaks_is_kept():
    found = fit(planted(60, TWO, np.full(7, 0.5), 8), 3)
    assert len(found.heights) == policy.FACTOR_STARTS
    assert found.heights[0] == max(found.heights) == found.end.trace[-1]
    assert found.heights[-1] < found.heights[0] - 1e-3


def check_sound(values, k):
    found = fit(values, k)
    for part in (*found.law, found.variance, found.log_likelihood, *posterior(found.law, values)):
        assert np.isfinite(part).all()
    assert np.isfinite(residual_correlations(found.law, values)).all()
    return found


@pytest.mark.parametrize("k", [0, 1, 2, 3])
@pytest.mark.parametrize("missing", [0.0, 0.1])
class TestHardPanels:
    def base(self, missing, n=120):
        return planted(n, TWO, np.full(7, 0.5), 6, missing)

    def test_constant_and_empty_judges_are_silent(self, k, missing):
        values = np.column_stack([self.base(missing), np.full(120, 4.0), np.full(120, np.nan)])
        found = check_sound(values, k)
        assert found.silent.tolist() == [False] * 7 + [True] * 2
        assert not found.law.loading[7:].any()
        assert found.log_likelihood == pytest.approx(fit(values[:, :7], k).log_likelihood)

    def test_an_item_without_scores_keeps_the_prior(self, k, missing):
        values = self.base(missing)
        plain = fit(values, k).log_likelihood
        values = np.vstack([values, np.full((1, 7), np.nan)])
        found = check_sound(values, k)
        assert found.log_likelihood == pytest.approx(plain)
        last = posterior(found.law, values[-1:])
        assert not last.mean.any()
        np.testing.assert_allclose(last.covariance[0], np.eye(k))

    def test_more_judges_than_items(self, k, missing):
        rng = np.random.default_rng(1)
        values = rng.normal(size=(6, 1)) + rng.normal(size=(6, 15))
        values[rng.random(values.shape) < missing] = np.nan
        check_sound(values, k)

    def test_one_or_two_judges(self, k, missing):
        for n_judges in (1, 2):
            check_sound(self.base(missing)[:, :n_judges], k)

    def test_no_judge_says_anything(self, k, missing):
        found = check_sound(np.full((5, 3), np.nan if missing else 1.0), k)
        assert found.silent.all()

    def test_opposite_judges_load_with_opposite_signs(self, k, missing):
        values = self.base(missing)
        values = np.column_stack([values, -values[:, 0], -values[:, 1]])
        found = check_sound(values, k)
        if k:
            loading = found.law.loading
            assert (np.sign(loading[[0, 1], 0]) == -np.sign(loading[[7, 8], 0])).all()
            assert (found.law.standard_loading.sum(axis=0) >= 0).all()


def test_a_copied_judge_is_at_the_floor():
    values = planted(300, [[0.4]] * 5, np.full(5, 0.84), 2)
    found = fit(np.column_stack([values, values[:, 0]]), 1)
    assert found.at_floor.tolist() == [True, False, False, False, False, True]
    np.testing.assert_allclose(
        found.law.noise[[0, 5]], policy.LEAST_UNIQUE * found.variance[[0, 5]]
    )


def test_copies_that_the_factor_does_not_follow_show_in_the_residuals():
    values = planted(300, [[0.8]] * 20, np.full(20, 0.36), 2)
    copy = values[:, 3] + 0.3 * np.random.default_rng(1).normal(size=300)
    values = np.column_stack([values, copy])
    found = fit(values, 1)
    assert not found.at_floor.any()
    assert alike_pairs(residual_correlations(found.law, values)).tolist() == [[3, 20]]


def test_a_pair_that_made_the_factor_its_own_shows_in_the_voices():
    """Neither at the floor nor correlated in what is left: two of nine judges are all of the factor."""
    rng = np.random.default_rng(2)
    values = 0.8 * rng.normal(size=(300, 1)) + 0.6 * rng.normal(size=(300, 8))
    plain = fit(values, 1)
    values = np.column_stack([values, values[:, 3] + 0.2 * rng.normal(size=300)])
    found = fit(values, 1)
    assert not found.at_floor.any()
    assert len(alike_pairs(residual_correlations(found.law, values))) == 0
    assert voices(found.law)[0] < 3 < 6 < voices(plain.law)[0]


def test_a_climb_whose_memory_leads_nowhere_goes_on():
    """Found once: a first climb stops on a slope of .09, far from any peak."""
    rng = np.random.default_rng(2)
    values = 0.8 * rng.normal(size=(300, 1)) + 0.6 * rng.normal(size=(300, 8))
    for spread in (0, 0.05, 0.1, 0.2, 0.3):
        noisy = values[:, 3] + spread * rng.normal(size=300)
        assert fit(np.column_stack([values, noisy]), 1).end.converged


def test_freedom_is_known_from_textbooks():
    assert [freedom(n, k) for n, k in [(3, 1), (4, 1), (5, 2), (4, 2), (6, 3)]] == [0, 2, 1, -1, 0]


@pytest.fixture(scope="module")
def panel():
    table = pd.read_csv(DATA / "civilcomments_judge_scores.csv")
    facts = pd.read_csv(DATA / "civilcomments_attributes.csv").set_index("item")
    values = table.drop(columns=["item", "gold"])
    scores = judge_scale(values.to_numpy(float), "normal").transform(values.to_numpy(float))
    return list(values), scores, table.gold.to_numpy(), facts.loc[table.item]


@shared
class TestComments:
    """21 judges of 2,500 comments; what was measured beforehand with other code."""

    def test_one_factor(self, panel):
        _, scores, gold, facts = panel
        found = fit(scores, 1)
        at = posterior(found.law, scores)
        score = at.mean[:, 0]
        assert spearmanr(score, facts.human_toxicity)[0] == pytest.approx(0.604, abs=0.001)
        assert ((score > np.median(score)) == gold).mean() == pytest.approx(0.750, abs=0.002)
        share = one_more_judge(found.law.standard_loading[:, 0], score, at.covariance[:, 0, 0])
        assert log_loss(share, gold) == pytest.approx(0.5035, abs=0.0005)

    def test_the_second_factor_is_length(self, panel):
        judges, scores, gold, facts = panel
        law = fit(scores, 2).law
        turn = varimax(law.standard_loading)
        at = turned(posterior(law, scores), turn.turn)
        broad, narrow = at.mean.T
        order = np.argsort(-turn.loading[:, 1])
        assert [judges[j] for j in order[:3]] == [
            "gemma-3-1b-it",
            "Qwen3-0.6B",
            "Llama-3.2-1B-Instruct",
        ]
        np.testing.assert_allclose(turn.loading[order[:3], 1], [0.69, 0.59, 0.47], atol=0.006)
        assert spearmanr(narrow, facts.n_chars)[0] == pytest.approx(0.62, abs=0.006)
        assert spearmanr(broad, facts.human_toxicity)[0] == pytest.approx(0.633, abs=0.002)
        assert ((broad > np.median(broad)) == gold).mean() == pytest.approx(0.772, abs=0.003)
        share = one_more_judge(turn.loading[:, 0], broad, at.covariance[:, 0, 0])
        assert log_loss(share, gold) == pytest.approx(0.488, abs=0.0005)

    def test_one_factor_follows_copies_of_length_and_the_broadest_does_not(self, panel):
        _, scores, _, facts = panel
        length = facts.n_chars.to_numpy(float)[:, None]
        length = judge_scale(length, "normal").transform(length)
        noise = np.random.default_rng(3).normal(size=(len(scores), 16))
        values = np.column_stack([scores, np.sqrt(0.9) * length + np.sqrt(0.1) * noise])
        one, two = fit(values, 1), fit(values, 2)
        turn = varimax(two.law.standard_loading).turn
        first = posterior(one.law, values).mean[:, 0]
        broad = (posterior(two.law, values).mean @ turn)[:, 0]
        assert abs(spearmanr(first, facts.human_toxicity)[0]) < 0.1
        assert spearmanr(broad, facts.human_toxicity)[0] == pytest.approx(0.617, abs=0.003)
        assert len(alike_pairs(residual_correlations(one.law, values))) > 20


def one_more_judge(loading, mean, variance):
    slope = np.maximum(loading / np.sqrt(1 - loading**2), 0)
    inner = slope * mean[:, None] / np.sqrt(1 + slope**2 * variance[:, None])
    return ndtr(inner).mean(axis=1)


def log_loss(share, gold):
    return -np.log(np.where(gold == 1, share, 1 - share)).mean()


@pytest.mark.parametrize("copies", [2, 4])
def test_one_factor_is_climbed_to_the_highest_peak_beside_near_copies(copies):
    """Two copies of something else draw the first start away from a peak 2,000 nats higher."""
    rng = np.random.default_rng(0)
    load = np.linspace(0.8, 0.35, 12)
    good = rng.normal(size=(3000, 1)) * load + rng.normal(size=(3000, 12)) * np.sqrt(1 - load**2)
    other = rng.normal(size=(3000, 1)) + rng.normal(size=(3000, copies)) / 3
    good[:, 9:] += 0.5 * other[:, :1]
    values = np.column_stack([good, other])
    found = fit_factors(values, 1, rng=np.random.default_rng(1))
    many = [
        fit_factors(values, 1, rng=np.random.default_rng(seed)).log_likelihood
        for seed in range(100, 110)
    ]
    assert found.log_likelihood >= max(many) - 1e-3
    assert found.heights[0] - found.heights[-1] > 1000
