"""The best linear combination: against formulas written out, and the best weights of a planted panel."""

import numpy as np
import pytest

from algeval.aggregate import aggregate
from algeval.data import Scores
from algeval.result import Status


def panel(n_items, loadings, seed):
    rng = np.random.default_rng(seed)
    loadings = np.asarray(loadings)
    trait = rng.normal(size=n_items)
    drawn = trait[:, None] * loadings
    drawn += rng.normal(size=drawn.shape) * np.sqrt(1 - loadings**2)
    widths = np.linspace(1, 3, len(loadings))
    return trait, Scores(
        range(n_items), [f"j{k}" for k in range(len(loadings))], 50 + drawn * widths
    )


def test_the_weights_are_those_of_the_best_regression_on_the_planted_trait():
    trait, scores = panel(100000, [0.9, 0.7, 0.5, 0.3, -0.4], 1)
    found = aggregate(scores, "linear", tol=1e-9)
    centred = scores.values - scores.values.mean(0)
    best = np.linalg.lstsq(centred, trait, rcond=None)[0]
    np.testing.assert_allclose(found.parameters["weights"], best, atol=0.02)
    told = centred @ found.parameters["weights"]
    np.testing.assert_allclose(found.item_traits, told, atol=1e-9)
    assert "j4 put the items in the opposite order" in found.summary()


def test_it_is_no_worse_than_any_other_weights_on_average():
    trait, scores = panel(20000, [0.9, 0.6, 0.6, 0.3], 2)
    best = np.corrcoef(aggregate(scores, "linear").item_traits, trait)[0, 1]
    rng = np.random.default_rng(0)
    others = [np.corrcoef(scores.values @ rng.random(4), trait)[0, 1] for _ in range(200)]
    assert best > max(others) - 2e-3


def test_a_moved_and_stretched_judge_changes_nothing_but_the_scale():
    _, scores = panel(400, [0.9, 0.6, 0.5], 3)
    moved = Scores(scores.items, scores.judges, scores.values * [2, 1, 1] + [7, 0, 0])
    one, other = aggregate(scores, "linear"), aggregate(moved, "linear")
    np.testing.assert_allclose(one.item_traits, other.item_traits, atol=1e-9)
    np.testing.assert_allclose(one.posterior, other.posterior, atol=1e-9)


def test_two_judges_are_refused_and_new_items_predicted():
    _, scores = panel(100, [0.9, 0.6, 0.5], 4)
    assert aggregate(scores.select(judges=["j0", "j1"]), "linear").status is Status.NOT_IDENTIFIABLE
    found = aggregate(scores, "linear")
    again = type(found).from_dict(found.to_dict())
    np.testing.assert_allclose(again.predict(scores), found.posterior_items, atol=1e-12)


def test_asset_without_labels(real_votes):
    import algeval as ae

    path = real_votes / "asset_judge_scores.csv"
    scores = ae.read_scores(path, item="item", key="gold")
    judges = [j for j in scores.judges if j not in ("pair", "rater", "aspect")]
    scores = scores.select(judges=judges)
    gold = np.array(scores.key, float)
    error = {
        m: np.abs(aggregate(scores, m).item_scores - gold).mean() for m in ("linear", "average")
    }
    assert error["linear"] == pytest.approx(28.59, abs=0.2)
    assert error["average"] == pytest.approx(33.80, abs=0.05)
