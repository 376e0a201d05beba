"""One trait behind scores: against formulas written out, another package, planted keys and real scores."""

import numpy as np
import pytest
from scipy.stats import norm, rankdata

from algeval.aggregate import aggregate
from algeval.aggregate.checks.quality import score
from algeval.data import Scores, Votes
from algeval.errors import DataError
from algeval.io import read_scores
from algeval.result import Status

METHOD = "rank-factor"


def panel(n_items, loadings, seed, prevalence=0.5, key_loading=0.7):
    """Scores on scales of their own, and a key cut from one more judge of the same trait."""
    rng = np.random.default_rng(seed)
    loadings = np.array([*loadings, key_loading])
    trait = rng.normal(size=(n_items, 1))
    drawn = trait * loadings + rng.normal(size=(n_items, len(loadings))) * np.sqrt(1 - loadings**2)
    key = (drawn[:, -1] > -norm.ppf(prevalence)).astype(int)
    scales = [lambda x: 3 * x + 50, np.exp, lambda x: x, lambda x: np.round(2 * x)]
    values = np.stack([scales[k % 4](drawn[:, k]) for k in range(len(loadings) - 1)], axis=1)
    return Scores(range(n_items), [f"j{k}" for k in range(values.shape[1])], values, key)


def test_against_the_formulas_written_out_item_by_item():
    scores = panel(200, [0.8, 0.7, 0.6, 0.5], 1)
    values = scores.values.copy()
    values[3, 2] = values[9, 0] = np.nan
    holes = Scores(scores.items, scores.judges, values)
    found = aggregate(holes, METHOD, prevalence=0.3, tol=1e-12, max_iter=20000)
    standard = np.full(values.shape, np.nan)
    for j in range(4):
        seen = ~np.isnan(values[:, j])
        z = norm.ppf((rankdata(values[seen, j]) - 0.5) / seen.sum())
        standard[seen, j] = (z - z.mean()) / z.std()
    load, noise = found.loading, found.noise
    for place in (0, 3, 9, 77):
        seen = ~np.isnan(values[place])
        cov = np.outer(load, load)[np.ix_(seen, seen)] + np.diag(noise[seen])
        mean = load[seen] @ np.linalg.solve(cov, standard[place, seen])
        variance = 1 - load[seen] @ np.linalg.solve(cov, load[seen])
        assert found.item_traits[place] == pytest.approx(mean, abs=1e-9)
        assert found.item_spread[place] == pytest.approx(np.sqrt(variance), abs=1e-9)
        key = np.sqrt(np.mean(load**2))
        z = (key * mean - found.parameters["key_threshold"]) / np.sqrt(1 - key**2 * (1 - variance))
        assert found.posterior_items[place, 1] == pytest.approx(norm.cdf(z), abs=1e-9)


def test_the_factor_is_that_of_another_package_and_its_likelihood_never_falls():
    analysis = pytest.importorskip("sklearn.decomposition")
    scores = panel(2000, [0.9, 0.8, 0.6, 0.5, 0.3], 2)
    found = aggregate(scores, METHOD, tol=1e-10, max_iter=20000)
    z = norm.ppf((rankdata(scores.values, axis=0) - 0.5) / 2000)
    z = (z - z.mean(0)) / z.std(0)
    other = analysis.FactorAnalysis(1, tol=1e-10, max_iter=20000).fit(z)
    loading = other.components_[0] * np.sign(other.components_[0].sum())
    np.testing.assert_allclose(found.loading, loading, atol=1e-4)
    assert np.diff(found.trace).min() >= -1e-9 * abs(found.trace[-1])


def test_a_key_that_is_one_more_judge_is_met_with_calibrated_posteriors():
    scores = panel(20000, np.tile([0.8, 0.7, 0.6], 3), 4)
    told = score(aggregate(scores, METHOD, prevalence=0.5), scores)
    assert told.calibration_error < 0.015
    share = score(aggregate(scores.without_key().cut(0), "majority"), scores)
    assert told.log_loss < share.log_loss


@pytest.mark.parametrize("prevalence", [0.5, 0.2])
def test_a_told_prevalence_is_what_the_probabilities_add_up_to(prevalence):
    scores = panel(20000, np.tile([0.8, 0.7, 0.6], 3), 5, prevalence)
    found = aggregate(scores, METHOD, prevalence=prevalence)
    assert found.posterior[:, 1].mean() == pytest.approx(prevalence, abs=0.01)
    assert score(found, scores).calibration_error < 0.015


def test_a_share_that_was_only_counted_moves_the_threshold_less():
    scores = panel(5000, np.tile([0.8, 0.7, 0.6], 3), 5, 0.2)
    counted = aggregate(scores, METHOD, cut=60)
    told = aggregate(scores, METHOD, prevalence=counted.prevalence)
    assert 0 < counted.parameters["key_threshold"] < told.parameters["key_threshold"]


def test_only_the_order_of_a_judges_scores_is_read():
    scores = panel(300, [0.8, 0.7, 0.6, 0.5], 6)
    stretched = Scores(scores.items, scores.judges, np.arctan(scores.values / 100) * 7 - 3)
    one, other = aggregate(scores, METHOD), aggregate(stretched, METHOD)
    np.testing.assert_allclose(one.posterior, other.posterior, atol=1e-12)


def test_where_the_prevalence_comes_from_is_named():
    scores = panel(500, [0.8, 0.7, 0.6], 7)
    even, told, cut = (aggregate(scores, **kw) for kw in ({}, {"prevalence": 0.2}, {"cut": "1/2"}))
    assert "50.0% (taken as balanced, not told)" in even.message
    assert "20.0% (told)" in told.message
    share = (scores.values >= 0.5).mean()
    assert cut.prevalence == pytest.approx(share)
    assert "the share of scores from 1/2 on" in cut.message
    with pytest.raises(DataError, match="prevalence and cut must not both be given"):
        aggregate(scores, METHOD, prevalence=0.5, cut=1)
    for wrong in ("free", 0, 1.5, ("prior", 2), [0.2, 0.2]):
        with pytest.raises(DataError, match="prevalence"):
            aggregate(scores, METHOD, prevalence=wrong)


def test_no_key_order_or_name_changes_anything():
    scores = panel(200, [0.8, 0.7, 0.6, 0.4], 8)
    found = aggregate(scores, METHOD)
    assert np.array_equal(aggregate(scores.without_key(), METHOD).posterior, found.posterior)
    turned = scores.select(judges=scores.judges[::-1], items=scores.items[::-1])
    np.testing.assert_allclose(
        aggregate(turned, METHOD).posterior[::-1], found.posterior, atol=1e-5
    )


def test_prediction_and_json():
    scores = panel(300, [0.8, 0.7, 0.6, 0.4], 9)
    found = aggregate(scores, METHOD)
    np.testing.assert_allclose(found.predict(scores), found.posterior_items, atol=1e-12)
    again = type(found).from_dict(found.to_dict())
    np.testing.assert_allclose(again.predict(scores), found.posterior_items, atol=1e-12)
    silent = Scores(["x"], scores.judges, np.full((1, 4), np.nan))
    assert found.predict(silent).tolist() == [[0.5, 0.5]]
    with pytest.raises(DataError, match="judge 'z'"):
        found.predict(Scores(["x"], ["z"], [[1.0]]))
    with pytest.raises(DataError, match="data must be Scores"):
        found.predict(scores.cut(0))


def test_refusals_and_notes():
    scores = panel(100, [0.8, 0.7, 0.6], 10)
    two = aggregate(scores.select(judges=["j0", "j1"]))
    assert two.status is Status.NOT_IDENTIFIABLE
    assert two.item_labels == [None] * 100
    values = scores.values.copy()
    values[:90, 0] = np.nan
    sparse = aggregate(Scores(scores.items, scores.judges, values))
    assert sparse.status is Status.NOT_IDENTIFIABLE
    assert "in common" in sparse.message
    against = Scores(scores.items, scores.judges, scores.values * [1, 1, -1])
    assert "j2 put the items in the opposite order" in aggregate(against).summary()
    with pytest.raises(DataError, match="'dawid-skene' must be given votes"):
        aggregate(scores, "dawid-skene")
    votes = Votes.from_columns({"i": ["a", "b"], "j": ["a", "b"], "k": ["b", "b"]})
    with pytest.raises(DataError, match="'rank-factor' must be given Scores; got votes"):
        aggregate(votes, METHOD)


def real(path):
    return read_scores(path / "civilcomments_judge_scores.csv", item="item", key="gold")


@pytest.mark.parametrize(
    ("told", "accuracy", "log_loss"),
    [({"prevalence": 0.5}, 0.745, 0.51), ({"cut": 4.5}, 0.725, 0.535)],
)
def test_real_scores_of_language_models(real_votes, told, accuracy, log_loss):
    scores = real(real_votes)
    found = score(aggregate(scores, **told), scores)
    assert found.accuracy >= accuracy
    assert found.log_loss <= log_loss
    if "prevalence" in told:
        assert found.calibration_error <= 0.03


def test_real_scores_thinned_to_few_positives_stay_near_the_vote_share(real_votes):
    scores, rng = real(real_votes), np.random.default_rng(3)
    truth = np.array([k == "1" for k in scores.key])
    excess = []
    for _ in range(20):
        kept = rng.choice(np.flatnonzero(truth), int((~truth).sum() * 0.15 / 0.85), replace=False)
        places = np.sort(np.concatenate([kept, np.flatnonzero(~truth)]))
        part = scores.select(items=[scores.items[p] for p in places])
        share = score(aggregate(part.cut(4.5), "majority"), part)
        excess.append(score(aggregate(part, cut=4.5), part).log_loss - share.log_loss)
    assert max(excess) <= 0.06


@pytest.mark.parametrize("n_judges", [3, 5, 7])
def test_few_real_judges_beat_the_share_of_their_votes(real_votes, n_judges):
    scores, rng = real(real_votes), np.random.default_rng(n_judges)
    losses = []
    for _ in range(20):
        part = scores.select(judges=rng.choice(scores.judges, n_judges, replace=False))
        share = score(aggregate(part.cut(4.5), "majority"), part).log_loss
        losses.append((score(aggregate(part, cut=4.5), part).log_loss, share))
    mean = np.mean(losses, axis=0)
    assert mean[0] < mean[1]


def test_unrelated_judges_are_said_to_be_so_and_related_ones_are_not():
    rng, warned = np.random.default_rng(11), 0
    for _ in range(300):
        scores = Scores(range(60), ["x", "y", "z"], rng.random((60, 3)))
        warned += "cannot be told" in " ".join(aggregate(scores, METHOD, max_iter=5).warnings)
    assert 0.92 <= warned / 300 <= 0.98
    assert not any("cannot be told" in w for w in aggregate(panel(60, [0.7, 0.6, 0.6], 1)).warnings)
