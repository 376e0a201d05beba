"""One trait behind a panel's votes, and the key as one more judge."""

import numpy as np
import pytest
from scipy.stats import norm

from algeval.aggregate import aggregate
from algeval.aggregate.checks.quality import score
from algeval.data import Sketch, Votes
from algeval.errors import DataError
from algeval.result import Status

METHOD = "vote-factor"


def panel(n_items, loadings, seed, prevalence=0.5, key_loading=0.7):
    """Votes and key cut from one normal trait: exactly what the method assumes."""
    rng = np.random.default_rng(seed)
    loadings = np.array([*loadings, key_loading])
    trait = rng.normal(size=(n_items, 1))
    scores = trait * loadings + rng.normal(size=(n_items, len(loadings))) * np.sqrt(1 - loadings**2)
    cuts = np.append(rng.normal(0, 0.3, len(loadings) - 1), -norm.ppf(prevalence))
    codes = (scores > cuts).astype(np.int16)
    judges = [f"j{k}" for k in range(len(loadings) - 1)]
    return Votes(range(n_items), judges, ["n", "y"], ["n", "y"], codes[:, :-1], codes[:, -1])


def test_against_the_formulas_written_out_item_by_item():
    votes = panel(400, [0.8, 0.7, 0.6, 0.5], 1)
    codes = votes.codes.astype(float)
    codes[3, 2] = codes[9, 0] = np.nan
    holes = Votes(
        votes.items,
        votes.judges,
        ["n", "y"],
        ["n", "y"],
        np.nan_to_num(codes, nan=-1).astype(np.int16),
        None,
    )
    found = aggregate(holes, METHOD, tol=1e-12, max_iter=20000, prevalence=0.3)
    told = found.parameters
    center, spread = np.nanmean(codes, 0), np.nanstd(codes, 0)
    standard = (codes - center) / spread
    load, noise = told["loading"], told["noise"]
    for place in (0, 3, 9, 77):
        seen = ~np.isnan(codes[place])
        cov = np.outer(load, load)[np.ix_(seen, seen)] + np.diag(noise[seen])
        mean = load[seen] @ np.linalg.solve(cov, standard[place, seen])
        variance = 1 - load[seen] @ np.linalg.solve(cov, load[seen])
        key = np.sqrt(np.mean(load**2))
        z = (key * mean - told["key_threshold"]) / np.sqrt(1 - key**2 * (1 - variance))
        assert found.posterior_items[place, 1] == pytest.approx(norm.cdf(z), abs=1e-9)


def test_the_factor_is_that_of_another_package():
    analysis = pytest.importorskip("sklearn.decomposition")
    votes = panel(3000, [0.9, 0.8, 0.6, 0.5, 0.3], 2)
    found = aggregate(votes, METHOD, tol=1e-10, max_iter=20000).parameters
    standard = (votes.codes - votes.codes.mean(0)) / votes.codes.std(0)
    other = analysis.FactorAnalysis(1, tol=1e-10, max_iter=20000).fit(standard)
    loading = other.components_[0] * np.sign(other.components_[0].sum())
    np.testing.assert_allclose(found["loading"], loading, atol=1e-4)
    np.testing.assert_allclose(found["noise"], other.noise_variance_, atol=1e-4)


def test_the_likelihood_never_falls():
    found = aggregate(panel(300, [0.8, 0.7, 0.2, 0.6], 3), METHOD)
    assert found.status.ok
    assert np.diff(found.trace).min() >= -1e-9 * abs(found.trace[-1])


def test_a_key_that_is_one_more_judge_is_met_with_calibrated_posteriors():
    votes = panel(20000, np.tile([0.8, 0.7, 0.6], 4), 4)
    told = score(aggregate(votes, METHOD), votes)
    assert told.calibration_error < 0.04
    assert told.log_loss < score(aggregate(votes, "dawid-skene"), votes).log_loss


@pytest.mark.parametrize("prevalence", [0.5, 0.3])
def test_a_told_prevalence_is_what_the_probabilities_add_up_to(prevalence):
    votes = panel(20000, np.tile([0.8, 0.7, 0.6], 4), 4, prevalence)
    found = aggregate(votes, METHOD, prevalence=prevalence)
    assert found.posterior_items[:, 1].mean() == pytest.approx(prevalence, abs=0.03)
    # correlations of cut votes are below those of what was cut, so it is too modest
    assert score(found, votes).calibration_error < 0.05


def test_the_prevalence_is_named_and_moves_the_threshold():
    votes = panel(500, [0.8, 0.7, 0.6], 5)
    even, told, counted = (aggregate(votes, METHOD, prevalence=p) for p in ("equal", 0.2, "votes"))
    assert "50.0% (taken as balanced, not told)" in even.message
    assert "20.0% (told)" in told.message
    assert counted.parameters["prevalence"] == pytest.approx(votes.codes.mean())
    assert (told.posterior_items[:, 1] < even.posterior_items[:, 1]).all()
    assert told.settings["prevalence"] == [0.8, 0.2]
    again = aggregate(votes, METHOD, prevalence=[0.8, 0.2])
    assert np.array_equal(again.posterior, told.posterior)


def test_prediction_and_names_commute():
    votes = panel(300, [0.8, 0.7, 0.6, 0.4], 6)
    found = aggregate(votes, METHOD)
    np.testing.assert_allclose(found.predict(votes), found.posterior_items, atol=1e-12)
    again = type(found).from_dict(found.to_dict())
    np.testing.assert_allclose(again.predict(votes), found.predict(votes))
    turned = Votes(
        votes.items, votes.judges, ["y", "n"], ["y", "n"], (1 - votes.codes).astype(np.int16), None
    )
    other = aggregate(turned, METHOD)
    np.testing.assert_allclose(other.posterior_items[:, ::-1], found.posterior_items, atol=1e-6)
    silent = Votes(["x"], votes.judges, ["n", "y"], ["n", "y"], np.full((1, 4), -1, np.int16), None)
    told = aggregate(votes, METHOD, prevalence=0.2).predict(silent)
    assert told.tolist() == [[0.8, 0.2]]


def test_a_sparse_crowd_few_judges_and_bad_settings_are_refused():
    votes = panel(300, [0.8, 0.7, 0.6, 0.4], 7)
    codes = votes.codes.copy()
    codes[:280, 0] = -1
    sparse = Votes(votes.items, votes.judges, ["n", "y"], ["n", "y"], codes, None)
    found = aggregate(sparse, METHOD)
    assert found.status is Status.NOT_IDENTIFIABLE
    assert "in common" in found.message
    assert (
        aggregate(Sketch.from_counts({"nn": 3, "ny": 2}), METHOD).status is Status.NOT_IDENTIFIABLE
    )
    for wrong in ("free", ("prior", 2), 1.5, [1, 0], "half"):
        with pytest.raises(DataError, match="prevalence"):
            aggregate(votes, METHOD, prevalence=wrong)
