"""What every method of scores keeps: no key read, items in order, hard panels said in a sentence."""

import numpy as np
import pytest

from algeval.aggregate import SCORE_METHODS, ScoreAggregation, aggregate
from algeval.aggregate.registry import method, settings_of
from algeval.data import Scores
from algeval.errors import DataError
from algeval.result import Status

NAMES = [name for name in SCORE_METHODS if name != "recommended"]
LOADING = np.array([0.9, 0.8, 0.7, 0.7, 0.6, 0.5])


def panel(n_items=240, seed=0, missing=0.0, n_judges=6):
    rng = np.random.default_rng(seed)
    load = LOADING[:n_judges]
    trait = rng.normal(size=(n_items, 1))
    drawn = trait * load + rng.normal(size=(n_items, n_judges)) * np.sqrt(1 - load**2)
    values = np.clip(np.round(5 + 2 * drawn), 0, 10)
    values[rng.random(values.shape) < missing] = np.nan
    key = (trait[:, 0] + rng.normal(size=n_items) > 0).astype(int)
    return Scores(range(n_items), [f"j{k}" for k in range(n_judges)], values, key)


def widened(scores, column, name):
    return Scores(scores.items, [*scores.judges, name], np.column_stack([scores.values, column]))


def with_values(scores, values):
    return Scores(scores.items, scores.judges, values)


SCORES = panel()
SILENT = SCORES.values.copy()
SILENT[:5] = np.nan
HARD = {
    "constant judge": widened(SCORES, np.full(240, 3.0), "flat"),
    "silent judge": widened(SCORES, np.full(240, np.nan), "mute"),
    "duplicated judge": widened(SCORES, SCORES.values[:, 0], "twin"),
    "reversed judge": with_values(SCORES, SCORES.values * [1, 1, -1, 1, 1, 1]),
    "more judges than items": Scores(range(5), SCORES.judges, SCORES.values[:5]),
    "items nobody scored": with_values(SCORES, SILENT),
    "one item": Scores(["q"], SCORES.judges, SCORES.values[:1]),
    "one judge": SCORES.select(judges=["j0"]),
    "all the same": with_values(SCORES, np.full((240, 6), 4.0)),
    "nothing scored": with_values(SCORES, np.full((240, 6), np.nan)),
    "tiny scores": with_values(SCORES, SCORES.values * 1e-200),
    "judges who never met": with_values(
        SCORES, np.where((np.arange(240)[:, None] % 6) == np.arange(6), SCORES.values, np.nan)
    ),
    "items of two judges each": with_values(
        SCORES,
        np.where(
            np.isin((np.arange(6) - np.arange(240)[:, None]) % 6, (0, 1)), SCORES.values, np.nan
        ),
    ),
}
SAYS = {
    "constant judge": "flat gave every item the same score",
    "silent judge": "mute gave every item the same score or none",
    "items nobody scored": "5 items got no score",
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", HARD)
def test_hard_panels_get_a_status_and_a_sentence(name, kind):
    scores = HARD[kind]
    found = aggregate(scores, name)
    assert isinstance(found, ScoreAggregation)
    assert len(found.message) > 30
    assert found.posterior.shape == (scores.n_items, 2)
    np.testing.assert_allclose(found.posterior.sum(axis=1), 1)
    assert np.isfinite(found.posterior).all()
    assert np.isfinite(found.loadings).all()
    assert (np.abs(found.loadings[:, 0]) <= 1 + 1e-9).all()
    if found.status.ok:
        assert np.isfinite(found.item_scores).all()
        assert SAYS.get(kind, "") in found.summary()
        assert ((found.item_spread >= 0) & (found.item_spread <= 1 + 1e-9)).all()
    else:
        assert found.status in (
            Status.NOT_IDENTIFIABLE,
            Status.UNDETERMINED,
            Status.INCONSISTENT,
            Status.NOT_CONVERGED,
        )
    assert type(found).from_dict(found.to_dict()) == found
    assert len(repr(found)) < 300


@pytest.mark.parametrize("name", NAMES)
def test_scores_whose_squares_overflow_are_refused(name):
    with pytest.raises(DataError, match="within 1e\\+100 of 0"):
        aggregate(with_values(SCORES, SCORES.values * 1e200), name)


@pytest.mark.parametrize("name", NAMES)
def test_silent_items_keep_the_prevalence_and_say_that_nothing_is_known(name):
    found = aggregate(HARD["items nobody scored"], name, prevalence=0.3)
    np.testing.assert_allclose(found.posterior[:5], [[0.7, 0.3]] * 5)
    assert (found.item_spread[:5] == 1).all()
    if found.status.ok:
        assert (found.item_traits[:5] == 0).all()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_no_key_is_read_and_names_and_order_of_items_do_not_matter(name, missing):
    scores = panel(seed=3, missing=missing)
    found = aggregate(scores, name)
    assert found == aggregate(scores.without_key(), name)
    wrong = Scores(scores.items, scores.judges, scores.values, 1 - np.array(scores.key, int))
    assert found == aggregate(wrong, name)
    turned = scores.select(items=scores.items[::-1])
    other = aggregate(turned, name)
    assert other.status is found.status
    np.testing.assert_allclose(other.posterior[::-1], found.posterior, atol=1e-4)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_new_items_get_what_the_old_ones_got(name, missing):
    scores = panel(seed=4, missing=missing)
    found = aggregate(scores, name)
    if not found.status.ok:
        pytest.skip(f"{name} does not classify here: {found.status.value}")
    np.testing.assert_allclose(found.predict(scores), found.posterior, atol=1e-7)
    again = type(found).from_dict(found.to_dict())
    np.testing.assert_allclose(again.predict(scores), found.posterior, atol=1e-7)
    fewer = scores.select(judges=scores.judges[:4])
    assert np.isfinite(found.predict(fewer)).all()


@pytest.mark.parametrize("name", NAMES)
def test_better_judges_load_more_and_the_consensus_is_near_the_truth(name):
    rng = np.random.default_rng(6)
    trait = rng.normal(size=2000)
    drawn = trait[:, None] * LOADING + rng.normal(size=(2000, 6)) * np.sqrt(1 - LOADING**2)
    found = aggregate(Scores(range(2000), list("abcdef"), 5 + drawn), name)
    if not found.status.ok:
        assert name == "care-tensor"
        return
    assert found.loading[0] > found.loading[-1] + 0.1
    assert np.corrcoef(found.item_traits, trait)[0, 1] > 0.88


@pytest.mark.parametrize("name", NAMES)
def test_every_method_takes_a_prevalence_and_a_cut_but_not_both(name):
    assert {"prevalence", "cut"} <= set(settings_of(name, "scores"))
    assert callable(method(name, "scores"))
    with pytest.raises(DataError, match="must not both be given"):
        aggregate(SCORES, name, prevalence=0.5, cut=5)
    for wrong in (0, 1, 2, "most", -0.1):
        with pytest.raises(DataError, match="prevalence"):
            aggregate(SCORES, name, prevalence=wrong)


@pytest.mark.parametrize("name", NAMES)
def test_where_nothing_was_found_there_is_nothing_to_predict_and_no_scale(name):
    scores = HARD["all the same"]
    for scale in ("judges", "trait", {"mean": 50, "sd": 20}):
        found = aggregate(scores, name, scale=scale)
        assert not found.status.ok
        assert np.isnan(found.item_scores).all()
    with pytest.raises(DataError, match="must hold a fit to predict from"):
        found.predict(scores)


@pytest.mark.parametrize("name", ["linear", "rank-factor", "factor", "graded-response", "care-svd"])
def test_models_of_noise_say_that_it_may_be_noise(name):
    draws = np.random.default_rng(5).normal(size=(20, 30 if name != "care-svd" else 5))
    names = [f"j{k}" for k in range(draws.shape[1])]
    found = aggregate(Scores(range(20), names, draws), name)
    if found.status.ok:
        assert "judges who have nothing to do with each other" in found.summary()


@pytest.mark.parametrize("name", ["average", "factor", "graded-response"])
def test_groups_of_judges_that_no_item_links_are_told_of(name):
    values = SCORES.values.copy()
    values[:120, :3] = values[120:, 3:] = np.nan
    said = "fall into 2 groups with no item in common"
    assert said in aggregate(with_values(SCORES, values), name).summary()
    values[0] = SCORES.values[0]
    assert said not in aggregate(with_values(SCORES, values), name).summary()
