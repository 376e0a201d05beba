"""One more judge: shares and medians by draws, thresholds, the measured table on real votes."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

from algeval.aggregate.scores import graded
from algeval.aggregate.scores.graded import Curves, Levels, fit_graded, grid, grid_posterior
from algeval.io import read_scores

DATA = Path(__file__).parents[3] / "../shared/data"
TRIVIA = ["JudgeLM", "Gemma-2B", "Llama3-70B", "Llama-70B", "GPT-4", "Llama-7B", "Llama3-8B"]
TRIVIA += ["Llama-13B", "Mistral-7B"]
needs_data = pytest.mark.skipif(not DATA.exists(), reason="the scores are not part of the package")


def panel():
    """Two judges of three and two levels, and one posterior in the middle of the grid."""
    curves = Curves(np.array([1.0, 2.0]), np.array([[-0.5, 0.5], [0.2, np.inf]]))
    levels = Levels.of(np.array([[10.0, 5], [20, 25], [30, np.nan]]))
    nodes, weights = grid(121)
    return curves, levels, nodes, weights


def test_shares_of_levels_are_those_drawn_from_all_items():
    curves, _, nodes, weights = panel()
    found = graded.level_shares(weights[None], curves.chances(nodes))[0]
    marginal = curves.threshold / np.sqrt(1 + curves.slope**2)[:, None]
    want = np.diff(norm.cdf(np.pad(marginal, ((0, 0), (1, 1)), constant_values=(-99, 99))), axis=1)
    np.testing.assert_allclose(found, want, atol=1e-6)


def test_the_median_is_that_of_many_draws():
    curves, levels, nodes, weights = panel()
    chances, drawn = curves.chances(nodes), np.array([0.3, 0.7])
    rng = np.random.default_rng(0)
    for center in (-1.5, -0.2, 0.3, 1.0):
        posterior = weights * np.exp(-0.5 * ((nodes - center) / 0.4) ** 2)
        posterior /= posterior.sum()
        theta = rng.choice(nodes, 20_001, p=posterior)
        judge = rng.choice(2, 20_001, p=drawn)
        behind = curves.slope[judge] * theta + rng.normal(size=20_001)
        level = (behind[:, None] > curves.threshold[judge]).sum(axis=1)
        scores = [levels.scores[j][c] for j, c in zip(judge, level, strict=True)]
        found = graded.median_score(posterior[None], chances, levels, drawn)
        assert found.tolist() == [np.median(scores)]


def test_long_tables_are_cut_without_a_seam(monkeypatch):
    curves, levels, nodes, _ = panel()
    posterior = np.random.default_rng(1).dirichlet(np.ones(len(nodes)), size=25)
    whole = graded.median_score(posterior, curves.chances(nodes), levels, np.ones(2))
    monkeypatch.setattr(graded.policy, "PREDICTED_ROWS", 4)
    cut = graded.median_score(posterior, curves.chances(nodes), levels, np.ones(2))
    assert np.array_equal(cut, whole)


def test_judges_are_drawn_by_squares_and_never_backwards():
    assert graded.panel_weights(np.array([1.0, -5, 2])).tolist() == [0.2, 0, 0.8]
    assert graded.panel_weights(np.zeros(4)).tolist() == [0.25] * 4


def test_a_told_prevalence_is_the_share_over_all_items():
    _, _, nodes, weights = panel()
    slope = np.array([0.3, 1.0, 4.0])
    threshold = graded.prevalence_thresholds(slope, 0.2)
    for weight in np.eye(3):
        share = graded.higher_share(weights[None], nodes, slope, threshold, weight)
        assert share[0] == pytest.approx(0.2, abs=1e-6)


def test_own_thresholds_stand_at_the_cut():
    curves, levels, _, _ = panel()
    assert graded.own_thresholds(curves, levels, 15).tolist() == [-0.5, 0.2]
    assert graded.own_thresholds(curves, levels, 20).tolist() == [-0.5, 0.2]
    assert graded.own_thresholds(curves, levels, 28).tolist() == [0.5, np.inf]
    assert graded.own_thresholds(curves, levels, 1).tolist() == [-np.inf, -np.inf]


@pytest.mark.parametrize("prevalence", [0.5, 0.2, 0.93])
def test_a_share_of_all_items_is_above_the_trait_that_leaves_it(prevalence):
    nodes, weights = grid(61)
    share = graded.trait_share(weights[None], nodes, prevalence)[0]
    assert share == pytest.approx(prevalence, abs=2e-3)


def log_loss(share, truth):
    return -np.log(np.clip(np.where(truth, share, 1 - share), 1e-15, None)).mean()


@needs_data
@pytest.mark.parametrize(
    ("name", "judges", "own", "told"),
    [
        ("civilcomments_judge_scores", None, (0.581, 0.606), (0.566, 0.588)),
        ("triviaqa_judges_v1", [*TRIVIA, "EM", "Contains"], (0.215, 0.209), (0.176, 0.169)),
        ("triviaqa_judges_v2", TRIVIA, (0.290, 0.253), (0.219, 0.178)),
    ],
)
def test_binary_votes_are_graded_as_measured_before(name, judges, own, told):
    """Log losses of an independent two-parameter probit: uniform draws, and by squared loadings."""
    table = read_scores(DATA / f"{name}.csv", item="item", key="gold", judges=judges)
    votes = np.where(
        np.isnan(table.values), np.nan, table.values >= (4.5 if judges is None else 0.5)
    )
    levels = Levels.of(votes)
    codes = levels.codes(votes)
    found = fit_graded(codes, np.ones(len(codes)), levels.sizes, tol=1e-6, max_iter=2000)
    truth = np.array([label == "1" for label in table.key])
    posterior, slope = grid_posterior(codes, found), found.curves.slope
    weights = np.full(len(slope), 1 / len(slope)), graded.panel_weights(found.loading)
    for expected, thresholds in (
        (own, graded.own_thresholds(found.curves, levels, 0.5)),
        (told, graded.prevalence_thresholds(slope, truth.mean())),
    ):
        shares = [
            graded.higher_share(posterior, found.nodes, slope, thresholds, w) for w in weights
        ]
        assert [log_loss(s, truth) for s in shares] == pytest.approx(expected, abs=0.0015)


@needs_data
def test_the_median_of_a_new_judge_on_asset():
    """29.46 with all slopes squared and no penalty; judges of negative slope are left out here."""
    table = read_scores(DATA / "asset_judge_scores.csv", item="item", key="gold")
    levels = Levels.of(table.values)
    codes = levels.codes(table.values)
    found = fit_graded(codes, np.ones(len(codes)), levels.sizes, tol=1e-6, max_iter=2000)
    chances, posterior = found.curves.chances(found.nodes), grid_posterior(codes, found)
    slope, gold = found.curves.slope, np.array(table.key, float)
    for weight in (graded.panel_weights(slope), slope**2 / (slope**2).sum()):
        score = graded.median_score(posterior, chances, levels, weight)
        assert np.abs(score - gold).mean() == pytest.approx(29.46, abs=0.2)
