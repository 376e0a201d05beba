"""Ising above 24 judges: annealed log Z against enumeration, pseudo-likelihood M-step."""

import json

import numpy as np
import pytest

import algeval.aggregate.methods.ising as ising_module
from algeval.aggregate import Aggregation, aggregate
from algeval.aggregate.ising_kernels import (
    _pseudo_value,
    annealed_log_partition,
    make_problem,
    mean_field,
)
from algeval.data import Sketch
from algeval.errors import DataError
from algeval.models.binary import TwoClass, patterns
from algeval.models.ising import Ising, log_partition


def sketch(votes):
    names = tuple(f"j{place}" for place in range(votes.shape[1]))
    return Sketch(names, ("0", "1"), ("0", "1"), votes.astype(np.int16), np.ones(len(votes), int))


def blocks(n, n_blocks, seed):
    """Blocks of six judges who copy each other; no judge knows another block's errors."""
    W = np.full((6, 6), 0.8)
    np.fill_diagonal(W, 0)
    rng = np.random.default_rng(seed)
    labels = (rng.random(n) < 0.5).astype(int)
    votes = np.empty((n, 6 * n_blocks), int)
    for block in range(n_blocks):
        for label, side in ((0, -0.25), (1, 0.25)):
            chosen = labels == label
            law = Ising(side - W.sum(axis=1) / 2, W)
            votes[chosen, 6 * block : 6 * block + 6] = law.sample(int(chosen.sum()), rng)
    return labels, votes


@pytest.mark.parametrize("scale", [0.3, 0.7, 1.2])
@pytest.mark.parametrize("seed", [0, 1])
def test_annealing_beats_mean_field_at_twenty_judges(scale, seed):
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.normal(0, scale, (20, 20)), 1)
    W = upper + upper.T
    h = rng.normal(size=20) - W.sum(axis=1) / 2
    exact, mean, _ = log_partition(h, W)
    found = annealed_log_partition(h, W, 0)
    bound, _ = mean_field(h, W)
    assert bound < exact
    assert abs(found.log_z - exact) < max(4 * found.error, 0.02)
    assert abs(found.log_z - exact) < 0.5 * (exact - bound)
    assert abs(found.mean - mean).max() < 0.2


def test_annealing_without_couplings_is_exact():
    h = np.random.default_rng(0).normal(size=30)
    found = annealed_log_partition(h, np.zeros((30, 30)), 0)
    assert found.log_z == pytest.approx(np.log1p(np.exp(h)).sum(), abs=1e-9)
    assert found.error < 1e-9


@pytest.mark.parametrize("couplings", [1, 2])
def test_pseudo_gradient_matches_differences(couplings):
    rng = np.random.default_rng(1)
    problem = make_problem(
        patterns(4),
        rng.integers(1, 9, 16),
        couplings=couplings,
        ridge=2.0,
        field_ridge=0.1,
        log_odds=0.0,
        prior=(1.0, 1.0),
    )
    weights = rng.random((16, 2)) * 5
    theta = rng.normal(0, 0.5, problem.size)
    _, slope = _pseudo_value(theta, problem, weights)
    for place in range(problem.size):
        step = np.zeros(problem.size)
        step[place] = 1e-5
        up, down = (_pseudo_value(theta + s * step, problem, weights)[0] for s in (1, -1))
        assert slope[place] == pytest.approx((up - down) / 2e-5, abs=1e-5)


def test_on_the_laws_own_frequencies_it_finds_the_law(monkeypatch):
    """Eight judges as if they were too many: pseudo-likelihood is consistent, log Z nearly exact."""
    block = np.full((4, 4), 0.8) - 0.8 * np.eye(4)
    W = np.kron(np.eye(2), block)
    truth = TwoClass(*(0.4, *(Ising(side - W.sum(axis=1) / 2, W) for side in (-0.8, 0.8))))
    counts = np.round(1e8 * np.exp(truth.log_probability(patterns(8)))).astype(np.int64)
    names = tuple("abcdefgh")
    data = Sketch(names, ("0", "1"), ("0", "1"), patterns(8).astype(np.int16), counts)
    monkeypatch.setattr(ising_module, "MOST_ENUMERATED", 7)
    found = aggregate(data, "ising", n_starts=1)
    assert found.warnings[0].startswith("With 8 judges log Z is estimated")
    assert abs(np.array(found.parameters["couplings"])[0] - W).max() < 0.1
    assert counts @ abs(found.posterior[:, 1] - truth.posterior(patterns(8))) / counts.sum() < 0.03
    assert found.log_likelihood / 1e8 == pytest.approx(
        np.exp(truth.log_probability(patterns(8))) @ truth.log_probability(patterns(8)),
        abs=4 * max(found.parameters["log_z_error"]),
    )


@pytest.mark.slow
def test_thirty_judges():
    labels, votes = blocks(3000, 5, 0)
    data = sketch(votes)
    found = aggregate(data, "ising", n_starts=1)
    W = np.array(found.parameters["couplings"])[0]
    same = np.kron(np.eye(5), np.ones((6, 6))) - np.eye(30) > 0
    apart = ~same & ~np.eye(30, dtype=bool)
    assert abs(W[same].mean() - 0.8) < 0.15
    assert abs(W[apart]).mean() < 0.15
    losses = {}
    for method, result in (("ising", found), ("dawid-skene", aggregate(data, "dawid-skene"))):
        rows = {
            tuple(r): p
            for r, p in zip(result.patterns.tolist(), result.posterior[:, 1], strict=True)
        }
        chance = np.array([rows[tuple(r)] for r in votes.tolist()])
        losses[method] = -np.log(
            np.clip(np.where(labels == 1, chance, 1 - chance), 1e-12, 1)
        ).mean()
    assert losses["ising"] < 0.75 * losses["dawid-skene"]
    again = Aggregation.from_dict(json.loads(json.dumps(found.to_dict())))
    np.testing.assert_allclose(again.predict(data), found.posterior, atol=1e-9)


def test_votes_left_out_are_refused_with_what_to_do():
    votes = blocks(20, 5, 1)[1]
    votes[0, 0] = -1
    with pytest.raises(DataError, match="more than 24 judges must be complete"):
        aggregate(sketch(votes), "ising")
    with pytest.raises(DataError, match="ridge a number"):
        aggregate(sketch(votes[1:]), "ising", ridge="cv")
