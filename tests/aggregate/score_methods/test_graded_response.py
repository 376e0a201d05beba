"""Graded responses as a method: planted grades, calibration, refusals, predictions, real scores."""

import numpy as np
import pytest

from algeval.aggregate import aggregate
from algeval.data import Scores
from algeval.errors import DataError
from algeval.result import Status

NAME = "graded-response"


def grades(n_items=2000, n_judges=8, seed=0, n_levels=5):
    """Traits, grades 1 to 5 of judges of their own leniency, and a standard normal score per item.

    The last is behind what one more judge says, drawn for each item from those of the panel.
    """
    rng = np.random.default_rng(seed)
    trait = rng.normal(size=n_items)
    slope = np.resize([0.8, 1.0, 1.2, 1.4], n_judges)
    behind = trait[:, None] * slope + rng.normal(size=(n_items, n_judges))
    lean = rng.normal(size=n_judges) * 0.3
    thresholds = np.linspace(-1.5, 1.5, n_levels - 1) + lean[:, None]
    values = 1.0 + (behind[:, :, None] > thresholds).sum(axis=2)
    drawn = rng.choice(slope, n_items)
    one_more = (trait * drawn + rng.normal(size=n_items)) / np.sqrt(1 + drawn**2)
    return trait, Scores(range(n_items), [f"j{k}" for k in range(n_judges)], values), one_more


def test_the_trait_is_found_better_than_by_the_average():
    trait, scores, _ = grades()
    found = aggregate(scores, NAME)
    assert found.status is Status.OK
    best = np.corrcoef(found.item_traits, trait)[0, 1]
    assert best > np.corrcoef(scores.values.mean(axis=1), trait)[0, 1]
    error = (found.item_traits - trait) / found.item_spread
    assert (error**2).mean() == pytest.approx(1, abs=0.1)
    assert set(np.unique(found.item_scores)) <= {1.0, 2.0, 3.0, 4.0, 5.0}


def reliability(share, truth, bins=5):
    """Largest gap between mean probability and frequency over bins of equal size."""
    order = np.array_split(np.argsort(share), bins)
    return max(abs(share[part].mean() - truth[part].mean()) for part in order)


@pytest.mark.parametrize("prevalence", [None, 0.25])
def test_classes_are_those_of_one_more_judge(prevalence):
    """No constant is tuned to it, and its answers were not read."""
    _, scores, one_more = grades(8000)
    higher = one_more > np.quantile(one_more, 1 - (prevalence or 0.5))
    found = aggregate(scores, NAME, prevalence=prevalence)
    assert found.posterior_items[:, 1].mean() == pytest.approx(prevalence or 0.5, abs=0.02)
    assert reliability(found.posterior_items[:, 1], higher) < 0.04
    sure = aggregate(scores, NAME, prevalence=prevalence, posterior="trait")
    assert reliability(sure.posterior_items[:, 1], higher) > 0.08


def test_at_a_cut_the_class_is_that_of_judges_as_lenient_as_the_panel():
    _, scores, _ = grades(4000)
    others = scores.select(judges=[f"j{k}" for k in range(7)])
    for cut in (2, 4.5):
        found = aggregate(others, NAME, cut=cut)
        higher = found.posterior_items[:, 1]
        assert f"the higher class for what it scores {cut} or more" in found.message
        given = (scores.values >= cut).mean()
        assert higher.mean() == pytest.approx(given, abs=0.02)


def test_missing_grades_are_left_out():
    trait, scores, _ = grades()
    values = scores.values.copy()
    values[np.random.default_rng(1).random(values.shape) < 0.6] = np.nan
    values[:3] = np.nan
    found = aggregate(Scores(scores.items, scores.judges, values), NAME)
    error = (found.item_traits - trait) / found.item_spread
    assert (error**2).mean() == pytest.approx(1, abs=0.1)
    assert found.posterior_items[:3, 1].tolist() == [0.5] * 3
    assert np.isfinite(found.item_scores).all()
    assert f"{np.isnan(values).all(axis=1).sum()} items got no score" in found.summary()


def test_judges_who_settle_nothing_are_refused():
    _, scores, _ = grades(50, 3)
    pair = aggregate(scores.select(judges=["j0", "j1"]), NAME)
    assert pair.status is Status.NOT_IDENTIFIABLE
    assert "at least 3 judges whose scores vary" in pair.message
    values = np.full((6, 3), np.nan)
    values[[0, 1, 2, 3, 4, 5], [0, 0, 1, 1, 2, 2]] = [1, 2, 1, 2, 1, 2]
    assert "got 0" in aggregate(Scores(range(6), list("abc"), values), NAME).message


def test_a_silent_a_constant_and_a_backward_judge_are_told():
    _, scores, _ = grades(400, 5)
    odd = np.column_stack(
        [scores.values, np.full(400, np.nan), np.full(400, 3.0), 6 - scores.values[:, 0]]
    )
    found = aggregate(Scores(scores.items, list("abcdefgh"), odd), NAME, cut=3)
    assert found.loading[[5, 6]].tolist() == [0, 0]
    assert found.loading[7] < 0
    said = found.summary()
    assert "f, g gave every item the same score or none" in said
    assert "h put the items in the opposite order" in said


def test_many_distinct_scores_are_binned_and_said_to_be():
    rng = np.random.default_rng(0)
    trait = rng.normal(size=(500, 1))
    scores = Scores(range(500), list("abc"), trait + rng.normal(size=(500, 3)))
    found = aggregate(scores, NAME)
    assert "a, b, c used more than 15 distinct scores" in found.summary()
    assert len(found.parameters["level_scores"][0]) == 15
    assert "distinct scores" not in aggregate(grades(100)[1], NAME).summary()


@pytest.mark.parametrize("settings", [{}, {"cut": 3}, {"prevalence": 0.3, "posterior": "weighted"}])
def test_other_items_are_predicted_also_after_a_round_trip(settings):
    _, scores, _ = grades(300)
    found = aggregate(scores, NAME, **settings)
    again = type(found).from_dict(found.to_dict())
    np.testing.assert_allclose(again.predict(scores), found.posterior_items, atol=1e-12)
    few = again.predict(scores.select(judges=["j0", "j3"]))[:, 1]
    assert 0.2 < few.var() / found.posterior_items[:, 1].var() < 0.9
    silent = Scores(["x"], ["j0"], [[np.nan]])
    assert again.predict(silent)[0, 1] == pytest.approx(found.prevalence)


def test_settings_are_checked():
    scores = grades(30)[1]
    with pytest.raises(DataError, match="posterior must be one of"):
        aggregate(scores, NAME, posterior="platt")
    with pytest.raises(DataError, match="must not both be given"):
        aggregate(scores, NAME, prevalence=0.3, cut=3)
    assert aggregate(scores, NAME, max_iter=1).status is Status.NOT_CONVERGED


def test_asset_and_civilcomments_without_labels(real_votes):
    """29.46 and .751 were measured with another program; binning and a penalty differ a little."""
    import algeval as ae

    asset = ae.read_scores(real_votes / "asset_judge_scores.csv", item="item", key="gold")
    asset = asset.select(judges=[j for j in asset.judges if j not in ("pair", "rater", "aspect")])
    found = aggregate(asset, NAME)
    assert np.abs(found.item_scores - np.array(asset.key, float)).mean() == pytest.approx(
        29.46, abs=0.2
    )
    comments = ae.read_scores(
        real_votes / "civilcomments_judge_scores.csv", item="item", key="gold"
    )
    toxic = np.array([truth == "1" for truth in comments.key])
    found = aggregate(comments, NAME)
    middle = np.median(found.item_traits)
    assert ((found.item_traits > middle) == toxic).mean() == pytest.approx(0.751, abs=0.003)
    share = found.posterior_items[:, 1]
    assert -np.log(np.where(toxic, share, 1 - share)).mean() < 0.51
