"""The Ising likelihood: gradient, completions, stationary points of EM."""

import numpy as np
import pytest

from algeval.aggregate.fitting import starting_points
from algeval.aggregate.ising_kernels import (
    best_climb,
    climb,
    make_problem,
    posteriors,
    unpack,
    value,
)
from algeval.models.binary import TwoClass, patterns
from algeval.models.ising import Ising


def problem(couplings, *, log_odds=None, missing=True, seed=0):
    rng = np.random.default_rng(seed)
    rows = np.unique(rng.integers(-1 if missing else 0, 2, (60, 4)).astype(np.int8), axis=0)
    counts = rng.integers(1, 20, len(rows))
    return make_problem(
        rows,
        counts,
        couplings=couplings,
        ridge=2.0,
        field_ridge=0.1,
        log_odds=log_odds,
        prior=(2.0, 3.0),
    )


@pytest.mark.parametrize("couplings", [0, 1, 2])
@pytest.mark.parametrize("log_odds", [None, 0.4])
@pytest.mark.parametrize("em_step", [False, True])
def test_gradient_matches_differences(couplings, log_odds, em_step):
    p = problem(couplings, log_odds=log_odds)
    rng = np.random.default_rng(1)
    theta = rng.normal(0, 0.5, p.size)
    held = rng.random(len(p.counts)) if em_step else None
    _, slope = value(theta, p, held)
    for place in range(p.size):
        step = np.zeros(p.size)
        step[place] = 1e-5
        numeric = (value(theta + step, p, held)[0] - value(theta - step, p, held)[0]) / 2e-5
        assert slope[place] == pytest.approx(numeric, abs=2e-5, rel=1e-6)


def pack(parameters, p):
    """The vector of some parameters: fields around the mean votes, couplings, log-odds."""
    W, upper = parameters.W, np.triu_indices(p.k, 1)
    fields = (parameters.h + W @ p.center).ravel()
    odds = [parameters.log_odds] if p.free else []
    return np.concatenate([fields, *(W[y][upper] for y in range(p.couplings)), odds])


@pytest.mark.parametrize("couplings", [0, 1, 2])
def test_pack_inverts_unpack(couplings):
    p = problem(couplings)
    theta = np.random.default_rng(2).normal(size=p.size)
    np.testing.assert_allclose(pack(unpack(theta, p), p), theta, atol=1e-14)


def test_likelihood_and_posterior_are_those_of_the_law():
    p = problem(2)
    theta = np.random.default_rng(3).normal(0, 0.7, p.size)
    found = unpack(theta, p)
    share = 1 / (1 + np.exp(-found.log_odds))
    law = TwoClass(share, Ising(found.h[0], found.W[0]), Ising(found.h[1], found.W[1]))
    rng = np.random.default_rng(0)
    rows = np.unique(rng.integers(-1, 2, (60, 4)).astype(np.int8), axis=0)
    posterior, total = posteriors(theta, p)
    np.testing.assert_allclose(posterior, law.posterior(rows), atol=1e-12)
    np.testing.assert_allclose(total, law.log_probability(rows), atol=1e-12)


def test_without_couplings_votes_left_out_leave_their_factor_out():
    p = problem(0)
    theta = np.random.default_rng(4).normal(0, 0.7, p.size)
    found = unpack(theta, p)
    rng = np.random.default_rng(0)
    rows = np.unique(rng.integers(-1, 2, (60, 4)).astype(np.int8), axis=0)
    rate = 1 / (1 + np.exp(-found.h))
    prior = 1 / (1 + np.exp(-found.log_odds))
    for row, total in zip(rows, posteriors(theta, p)[1], strict=True):
        each = [
            np.prod([r if v == 1 else 1 - r for r, v in zip(rate[y], row, strict=True) if v >= 0])
            for y in range(2)
        ]
        assert np.exp(total) == pytest.approx((1 - prior) * each[0] + prior * each[1], rel=1e-12)


def test_a_climb_ends_where_em_stands_still():
    counts = np.random.default_rng(7).integers(1, 20, 16)
    p = make_problem(
        patterns(4),
        counts,
        couplings=1,
        ridge=2.0,
        field_ridge=0.1,
        log_odds=None,
        prior=(2.0, 3.0),
    )
    start = starting_points(patterns(4), 1, np.random.default_rng(0))
    best, heights = best_climb(p, start, max_iter=2000, tol=1e-9)
    assert best.gradient <= 1e-8  # the last digits hang on the machine
    held, _ = posteriors(best.theta, p)
    again = climb(best.theta, p, max_iter=500, tol=1e-9, held=held)
    np.testing.assert_allclose(again.theta, best.theta, atol=1e-5)
    assert heights == [best.objective]
    assert (np.diff(best.trace) >= -1e-9).all()


def test_exact_em_steps_climb_to_the_same_point():
    """Algorithm 1 itself, one exact M-step after another, against the quasi-Newton climb."""
    law = [Ising(np.full(4, h), np.zeros((4, 4))) for h in (-1.0, 1.2)]
    _, votes = TwoClass(0.4, *law).sample(3000, 5)
    rows, counts = np.unique(votes, axis=0, return_counts=True)
    p = make_problem(
        rows, counts, couplings=1, ridge=10.0, field_ridge=0.1, log_odds=0.0, prior=(1.0, 1.0)
    )
    start = starting_points(rows, 1, np.random.default_rng(0))
    best, _ = best_climb(p, start, max_iter=2000, tol=1e-9)
    theta, held, last = np.zeros(p.size), start[0], -np.inf
    for _ in range(400):
        theta = climb(theta, p, max_iter=200, tol=1e-8, held=held).theta
        held, _ = posteriors(theta, p)
        height = value(theta, p)[0]
        assert height >= last - 1e-7
        last = height
    assert last <= best.objective + 1e-7
    assert last == pytest.approx(best.objective, abs=0.05)
