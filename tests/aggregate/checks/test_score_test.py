"""The score test: size, power, agreement with a likelihood-ratio test, votes left out."""

import numpy as np
import pytest

from algeval.aggregate.checks.identified import score_test
from algeval.data import Sketch
from algeval.errors import DataError, NotIdentifiableError
from algeval.models.binary import TwoClass
from algeval.models.ising import Ising


def sketch(votes):
    names = tuple(f"j{place}" for place in range(votes.shape[1]))
    return Sketch(names, ("0", "1"), ("0", "1"), votes.astype(np.int16), np.ones(len(votes), int))


def independent(k, seed):
    h = np.random.default_rng(seed).uniform(0.5, 1.8, k)
    flat = np.zeros((k, k))
    return TwoClass(0.4, Ising(-h, flat), Ising(0.8 * h, flat))


def coupled(k, strength, pairs=((0, 1),)):
    W = np.zeros((k, k))
    for i, j in pairs:
        W[i, j] = W[j, i] = strength
    return TwoClass(0.5, Ising(np.full(k, -1.2), W), Ising(1.2 - W.sum(axis=1), W))


def rejections(k, n, trials, missing=0.0):
    values = []
    for seed in range(trials):
        rng = np.random.default_rng(seed)
        _, votes = independent(k, seed).sample(n, rng)
        votes = np.where(rng.random(votes.shape) < missing, -1, votes)
        values.append(score_test(sketch(votes), n_starts=1).p_value)
    return np.array(values)


def test_size():
    p = rejections(5, 1000, 60)
    assert (p < 0.05).mean() <= 0.15
    assert 0.25 < (p < 0.5).mean() < 0.75


@pytest.mark.slow
@pytest.mark.parametrize(("k", "n", "missing"), [(5, 500, 0), (6, 1000, 0.2), (8, 2000, 0)])
def test_size_over_400_trials(k, n, missing):
    p = rejections(k, n, 400, missing)
    assert 0.02 <= (p < 0.05).mean() <= 0.09


def test_power_and_the_pair_to_blame():
    _, votes = coupled(6, 1.5).sample(2000, 1)
    found = score_test(sketch(votes))
    assert found.status.ok
    assert found.degrees == 15
    assert found.p_value < 1e-20
    first, second, z, correlation = found.worst_pairs(1)[0]
    assert {first, second} == {"j0", "j1"}
    assert z > 10
    assert correlation > 0.2
    assert "dependent" in found.summary()
    np.testing.assert_array_equal(found.pair_z, found.pair_z.T)


def test_a_negative_coupling_has_a_negative_z():
    _, votes = coupled(6, -1.5).sample(4000, 2)
    assert score_test(sketch(votes)).pair_z[0, 1] < -5


def test_statistic_is_near_twice_the_log_likelihood_gain():
    """Two methods: the likelihood-ratio statistic of one weak coupling everywhere."""
    from algeval.aggregate.fitting import starting_points
    from algeval.aggregate.ising_kernels import best_climb, make_problem

    _, votes = coupled(5, 0.35, ((0, 1), (2, 3))).sample(20_000, 3)
    rows, counts = np.unique(votes, axis=0, return_counts=True)
    heights = []
    for couplings in (0, 1):
        problem = make_problem(
            rows,
            counts,
            couplings=couplings,
            ridge=1e-6,
            field_ridge=1e-6,
            log_odds=None,
            prior=(1.0, 1.0),
        )
        start = starting_points(rows, 1, np.random.default_rng(0))
        heights.append(best_climb(problem, start, max_iter=3000, tol=1e-8)[0].objective)
    ratio = 2 * (heights[1] - heights[0])
    assert score_test(sketch(votes)).statistic == pytest.approx(ratio, rel=0.25)


def test_votes_left_out_keep_the_verdict():
    rng = np.random.default_rng(4)
    _, votes = coupled(6, 1.5).sample(3000, rng)
    votes = np.where(rng.random(votes.shape) < 0.2, -1, votes)
    found = score_test(sketch(votes))
    assert found.p_value < 1e-6
    assert found.information == "enumerated"
    assert {*found.worst_pairs(1)[0][:2]} == {"j0", "j1"}


def test_class_dependent_alternative_and_many_judges():
    _, votes = independent(6, 0).sample(1500, 5)
    assert score_test(sketch(votes), couplings="per class").degrees == 30
    _, votes = independent(18, 0).sample(800, 6)
    found = score_test(sketch(votes), n_starts=1, prevalence=[0.6, 0.4])
    assert found.information == "sampled"
    assert found.degrees == 153
    assert found.to_dict()["settings"]["prevalence"] == [0.6, 0.4]


def test_z_of_a_pair_with_couplings_per_class_was_the_larger_of_two():
    """Size of a pair's own z: the larger of two passes 1.96 in one pair of ten."""
    found = []
    for seed in range(30):
        _, votes = independent(6, seed).sample(3000, np.random.default_rng(seed))
        z = score_test(sketch(votes), couplings="per class", n_starts=1).pair_z
        found += z[np.triu_indices(6, 1)].tolist()
    assert len(found) == 450
    assert np.mean(np.abs(found) > 1.96) <= 0.08
    assert 0.85 < np.std(found) < 1.15


def test_refusals():
    _, votes = independent(4, 0).sample(50, 1)
    with pytest.raises(NotIdentifiableError, match="at least 4 judges; got 3"):
        score_test(sketch(votes[:, :3]))
    with pytest.raises(NotIdentifiableError, match="at least 5 judges; got 4"):
        score_test(sketch(votes), couplings="per class")
    with pytest.raises(DataError, match="couplings must be one of"):
        score_test(sketch(votes), couplings="all")
    with pytest.raises(DataError, match="exactly two answers"):
        score_test(Sketch.from_counts({"aaaa": 3, "bbbc": 2}))
