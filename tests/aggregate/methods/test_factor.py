"""Latent-factor aggregation: gradient, recovery, votes left out, refusals."""

import json

import numpy as np
import pytest

from algeval.aggregate import Aggregation, aggregate
from algeval.aggregate.methods.factor import (
    factor,
    factor_posteriors,
    factor_value,
    fitted_law,
    make_factor_problem,
)
from algeval.data import Sketch
from algeval.errors import DataError, TooLargeError
from algeval.models.binary import TwoClass, log_expit, patterns
from algeval.models.factor import Factor
from algeval.result import Status


def sketch(votes):
    names = tuple(f"j{place}" for place in range(votes.shape[1]))
    return Sketch(names, ("0", "1"), ("0", "1"), votes.astype(np.int16), np.ones(len(votes), int))


def truth(k=8, loading=1.0, prevalence=0.5):
    rng = np.random.default_rng(0)
    effect = rng.uniform(2.0, 3.5, k)
    lam = loading * rng.uniform(0.5, 1.5, k)
    baseline = rng.normal(0, 0.4, k)
    laws = [Factor(baseline + side * effect, lam) for side in (-0.5, 0.5)]
    return TwoClass(prevalence, laws[0], laws[1])


def small_problem(log_odds, rank=1):
    rng = np.random.default_rng(0)
    rows = np.unique(rng.integers(-1, 2, (40, 4)).astype(np.int8), axis=0)
    return rows, make_factor_problem(
        rows,
        rng.integers(1, 9, len(rows)),
        rank=rank,
        n_nodes=81,
        ridge=0.1,
        loading_ridge=0.3,
        log_odds=log_odds,
        prior=(2.0, 3.0),
    )


@pytest.mark.parametrize("log_odds", [None, 0.3])
@pytest.mark.parametrize("em_step", [False, True])
@pytest.mark.parametrize("rank", [1, 2])
def test_gradient_matches_differences(log_odds, em_step, rank):
    rows, problem = small_problem(log_odds, rank)
    rng = np.random.default_rng(1)
    theta = rng.normal(size=problem.size)
    held = rng.random(len(rows)) if em_step else None
    _, slope = factor_value(theta, problem, held)
    for place in range(problem.size):
        step = np.zeros(problem.size)
        step[place] = 1e-5
        up, down = (factor_value(theta + s * step, problem, held)[0] for s in (1, -1))
        assert slope[place] == pytest.approx((up - down) / 2e-5, abs=2e-5, rel=1e-6)


@pytest.mark.parametrize("rank", [1, 2])
def test_likelihood_is_that_of_the_law(rank):
    rows, problem = small_problem(0.3, rank)
    theta = np.random.default_rng(2).normal(size=problem.size)
    b, a, *axes = theta.reshape(2 + rank, 4)
    lam = np.stack(axes, axis=1)
    law = TwoClass(float(np.exp(log_expit(0.3))), Factor(b - a / 2, lam), Factor(b + a / 2, lam))
    posterior, total = factor_posteriors(theta, problem)
    np.testing.assert_allclose(total, law.log_probability(rows), atol=1e-9)
    np.testing.assert_allclose(posterior, law.posterior(rows), atol=1e-9)


def test_recovers_a_moderate_factor():
    law = truth()
    _, votes = law.sample(20_000, 1)
    found = factor(sketch(votes), loading_ridge=0.1, n_starts=1)
    assert found.status.ok
    assert abs(np.array(found.parameters["loading"]) - law.positive.loadings[:, 0]).max() < 0.3
    everything = patterns(8)
    weight = np.exp(law.log_probability(everything))
    gap = abs(found.predict(sketch(everything))[:, 1] - law.posterior(everything))
    assert weight @ gap < 0.03
    assert (np.diff(found.trace) >= -1e-6).all()


def test_it_knows_better_than_independence_how_sure_to_be():
    law = truth(loading=2.0)
    labels, votes = law.sample(8000, 2)
    data = sketch(votes)
    rows = {}
    for method in ("factor", "dawid-skene"):
        settings = {"loading_ridge": 0.5, "n_starts": 1} if method == "factor" else {}
        found = aggregate(data, method, **settings)
        by_row = {
            tuple(r): p for r, p in zip(found.patterns.tolist(), found.posterior[:, 1], strict=True)
        }
        chance = np.array([by_row[tuple(r)] for r in votes.tolist()])
        right = np.where(labels == 1, chance, 1 - chance)
        rows[method] = -np.log(np.clip(right, 1e-12, 1)).mean()
    assert rows["factor"] < rows["dawid-skene"]


def test_votes_left_out_and_json():
    rng = np.random.default_rng(3)
    law = truth()
    _, votes = law.sample(4000, rng)
    holes = np.where(rng.random(votes.shape) < 0.3, -1, votes)
    data = sketch(holes)
    found = factor(data, n_starts=1)
    again = Aggregation.from_dict(json.loads(json.dumps(found.to_dict())))
    np.testing.assert_allclose(again.predict(data), found.posterior, atol=1e-6)
    assert any("votes are missing" in warning for warning in found.warnings)
    assert found.settings["n_nodes"] == 61
    law2 = fitted_law(again)
    assert np.exp(law2.log_probability(patterns(8))).sum() == pytest.approx(1, abs=1e-10)


def test_known_prevalence_is_kept():
    _, votes = truth(prevalence=0.3).sample(2000, 4)
    found = factor(sketch(votes), prevalence=[0.7, 0.3], n_starts=1)
    assert found.evaluation.prevalence.tolist() == pytest.approx([0.7, 0.3])


def two_traits(k=8):
    """One trait sways the first half of the judges, another the second half."""
    rng = np.random.default_rng(1)
    effect = rng.uniform(2.0, 3.5, k)
    lam = np.zeros((k, 2))
    lam[: k // 2, 0], lam[k // 2 :, 1] = 2.0, 1.5
    return TwoClass(0.5, Factor(-effect / 2, lam), Factor(effect / 2, lam))


def test_two_traits_need_rank_two():
    law = two_traits()
    _, votes = law.sample(100_000, 6)
    data = sketch(votes)
    options = {"n_starts": 1, "loading_ridge": 0.5, "n_nodes": 21}
    one, two = factor(data, **options), factor(data, rank=2, **options)
    assert two.status.ok
    true = law.log_probability(patterns(8))
    place = votes.astype(int) @ (1 << np.arange(7, -1, -1))
    assert two.log_likelihood >= true[place].sum() > one.log_likelihood + 500
    loading = np.array(two.parameters["loading"])
    gram, planted = loading @ loading.T, law.positive.loadings @ law.positive.loadings.T
    assert abs(gram - planted).max() < 1.2
    assert abs((gram - planted)[:4, 4:]).max() < 0.5
    assert abs(loading[:, 0] @ loading[:, 1]) < 1e-9
    assert (loading.sum(axis=0) >= 0).all()
    assert (np.diff(two.trace) >= -1e-6).all()
    weight = np.exp(law.log_probability(patterns(8)))
    gaps = [
        weight @ abs(found.predict(sketch(patterns(8)))[:, 1] - law.posterior(patterns(8)))
        for found in (one, two)
    ]
    assert gaps[1] < min(0.03, gaps[0])


def test_rank_two_with_one_trait_finds_no_second():
    _, votes = truth().sample(4000, 7)
    data = sketch(votes)
    one, two = (factor(data, rank=r, n_starts=1, n_nodes=21) for r in (1, 2))
    start = np.array(two.parameters["loading"])
    assert two.log_likelihood >= one.log_likelihood - 0.1
    assert (start[:, 1] ** 2).sum() < 0.2 * (start[:, 0] ** 2).sum()


def test_rank_two_json_votes_left_out_and_a_grid_fine_enough():
    rng = np.random.default_rng(8)
    _, votes = two_traits(6).sample(600, rng)
    data = sketch(np.where(rng.random(votes.shape) < 0.05, -1, votes))
    found = factor(data, rank=2, n_starts=1)
    assert (found.settings["rank"], found.settings["n_nodes"]) == (2, 25)
    assert "with two hidden traits" in found.message
    again = Aggregation.from_dict(json.loads(json.dumps(found.to_dict(), allow_nan=False)))
    np.testing.assert_allclose(again.predict(data), found.posterior, atol=1e-6)
    fine = factor(data, rank=2, n_starts=1, n_nodes=41)
    assert fine.log_likelihood == pytest.approx(found.log_likelihood, abs=1e-4)


def test_rank_refusals():
    _, votes = truth().sample(100, 5)
    with pytest.raises(DataError, match="rank must be 1 or 2; got 3"):
        factor(sketch(votes), rank=3)
    four = factor(sketch(votes[:, :4]), rank=2)
    assert four.status is Status.NOT_IDENTIFIABLE
    assert "at least 5 judges at rank 2; got 4" in four.message
    assert "15 frequencies for 16 parameters" in four.message
    with pytest.raises(TooLargeError, match="GB for each array; lower n_nodes or rank"):
        factor(sketch(votes), rank=2, n_nodes=2001)


def test_refusals():
    _, votes = truth().sample(100, 5)
    three = factor(sketch(votes[:, :3]))
    assert three.status is Status.NOT_IDENTIFIABLE
    assert "at least 4 judges; got 3" in three.message
    with pytest.raises(DataError, match="loading_ridge must be above 0"):
        factor(sketch(votes), loading_ridge=0)
    with pytest.raises(DataError, match="n_nodes must be a whole number of at least 11"):
        factor(sketch(votes), n_nodes=3)
    with pytest.raises(DataError, match="must be a fit of method 'factor'"):
        fitted_law(aggregate(sketch(votes), "majority"))
    assert factor(sketch(votes), max_iter=1, n_starts=1).status is Status.NOT_CONVERGED
