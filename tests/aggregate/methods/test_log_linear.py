"""Log-linear aggregation: order 2 is `ising`, threes are found, guard, symmetry, votes left out."""

import json
from itertools import combinations

import numpy as np
import pytest

from algeval.aggregate import Aggregation, aggregate
from algeval.aggregate.checks.identified import MODELS, check_identifiable, mixture_scores
from algeval.aggregate.checks.quality import held_out
from algeval.aggregate.ising_kernels import (
    Parameters,
    log_linear_posteriors,
    log_linear_scores,
    log_linear_value,
    make_log_linear_problem,
    plain_coefficients,
)
from algeval.aggregate.methods.ising import fitted_law_log_linear as fitted_law
from algeval.aggregate.methods.ising import log_linear
from algeval.data import Sketch
from algeval.errors import DataError, NotIdentifiableError, TooLargeError
from algeval.models.binary import TwoClass, expit, patterns
from algeval.models.log_linear import LogLinear
from algeval.result import Status


def sketch(votes):
    names = tuple(f"j{place}" for place in range(votes.shape[1]))
    return Sketch(names, ("0", "1"), ("0", "1"), votes.astype(np.int16), np.ones(len(votes), int))


TRIPLES = {(0, 1): 0.5, (0, 1, 2): 1.6, (3, 4, 5): -1.6}


def truth(k=8):
    return TwoClass(
        0.5, LogLinear(np.full(k, -1.3), TRIPLES), LogLinear(np.linspace(0.9, 1.6, k), TRIPLES)
    )


def small_problem(log_odds, order):
    rng = np.random.default_rng(0)
    rows = np.unique(rng.integers(-1, 2, (40, 5)).astype(np.int8), axis=0)
    return rows, make_log_linear_problem(
        rows,
        rng.integers(1, 9, len(rows)),
        order=order,
        ridge=0.5,
        field_ridge=0.1,
        log_odds=log_odds,
        prior=(2.0, 3.0),
    )


@pytest.mark.parametrize("log_odds", [None, 0.3])
@pytest.mark.parametrize("em_step", [False, True])
def test_gradient_matches_differences(log_odds, em_step):
    rows, problem = small_problem(log_odds, 3)
    rng = np.random.default_rng(1)
    theta = rng.normal(size=problem.size)
    held = rng.random(len(rows)) if em_step else None
    _, slope = log_linear_value(theta, problem, held)
    for place in range(problem.size):
        step = np.zeros(problem.size)
        step[place] = 1e-5
        up, down = (log_linear_value(theta + s * step, problem, held)[0] for s in (1, -1))
        assert slope[place] == pytest.approx((up - down) / 2e-5, abs=2e-5, rel=1e-6)


def test_likelihood_is_that_of_the_law():
    rows, problem = small_problem(0.3, 3)
    theta = np.random.default_rng(2).normal(size=problem.size)
    plain = plain_coefficients(theta, problem)
    bits = [16, 8, 4, 2, 1]
    shared = {
        s: plain[0, sum(bits[j] for j in s)] for n in (2, 3) for s in combinations(range(5), n)
    }
    laws = [LogLinear(plain[y, bits], shared) for y in range(2)]
    law = TwoClass(float(expit(0.3)), laws[0], laws[1])
    posterior, total = log_linear_posteriors(theta, problem)
    np.testing.assert_allclose(total, law.log_probability(rows), atol=1e-10)
    np.testing.assert_allclose(posterior, law.posterior(rows), atol=1e-10)


@pytest.mark.parametrize("holes", [0.0, 0.1])
def test_order_two_is_ising(holes):
    rng = np.random.default_rng(3)
    _, votes = truth(6).sample(3000, rng)
    data = sketch(np.where(rng.random(votes.shape) < holes, -1, votes))
    for ridge in (1.0, 10.0):
        options = {"ridge": ridge, "n_starts": 1, "tol": 1e-7}
        pairs, ising = log_linear(data, order=2, **options), aggregate(data, "ising", **options)
        assert pairs.log_likelihood == pytest.approx(ising.log_likelihood, abs=1e-6)
        np.testing.assert_allclose(pairs.posterior, ising.posterior, atol=1e-5)
        for name in ("linear", "fields", "log_odds", "worst_standard_error"):
            np.testing.assert_allclose(pairs.parameters[name], ising.parameters[name], rtol=1e-3)


def test_threes_are_found_and_predict_unseen_votes_better():
    law = truth()
    _, votes = law.sample(20_000, 4)
    data = sketch(votes)
    found = log_linear(data, ridge=1, n_starts=2)
    assert found.status.ok
    told = dict(
        zip(map(tuple, found.parameters["sets"]), found.parameters["interactions"], strict=True)
    )
    assert max(abs(told[s] - v) for s, v in TRIPLES.items()) < 0.5
    strongest = sorted(told, key=lambda s: -abs(told[s]) * (len(s) == 3))[:2]
    assert set(strongest) == {(0, 1, 2), (3, 4, 5)}
    compared = held_out(
        data,
        ("ising", "log-linear"),
        folds=2,
        settings={"ising": {"n_starts": 1, "ridge": 1}, "log-linear": {"n_starts": 1, "ridge": 1}},
    )
    assert compared.z[1, 0] > 5
    weight = np.exp(law.log_probability(patterns(8)))
    gap = abs(found.predict(sketch(patterns(8)))[:, 1] - law.posterior(patterns(8)))
    assert weight @ gap < 0.03


def test_likelihood_never_falls():
    _, votes = truth(6).sample(2000, 5)
    for order in (2, 3):
        trace = log_linear(sketch(votes), order=order, ridge=1, n_starts=1).trace
        assert len(trace) > 5
        assert (np.diff(trace) >= -1e-6).all()


def by_row(found):
    return {tuple(r): p for r, p in zip(found.patterns.tolist(), found.posterior, strict=True)}


def test_renaming_labels_and_judges_commutes():
    _, votes = truth(6).sample(3000, 6)
    options = {"n_starts": 1, "tol": 1e-8}
    first = log_linear(sketch(votes), **options)
    rows = first.patterns.tolist()
    flipped = log_linear(sketch(1 - votes), **options)
    assert flipped.log_likelihood == pytest.approx(first.log_likelihood, abs=1e-5)
    table = by_row(flipped)
    turned = np.array([table[tuple(1 - v for v in row)][::-1] for row in rows])
    np.testing.assert_allclose(turned, first.posterior, atol=1e-4)
    order = [3, 5, 0, 2, 1, 4]
    moved = log_linear(sketch(votes[:, order]), **options)
    assert moved.log_likelihood == pytest.approx(first.log_likelihood, abs=1e-5)
    table = by_row(moved)
    again = np.array([table[tuple(row[j] for j in order)] for row in rows])
    np.testing.assert_allclose(again, first.posterior, atol=1e-4)


def test_votes_left_out_json_and_the_weighted_vote():
    rng = np.random.default_rng(7)
    _, votes = truth(6).sample(3000, rng)
    holes = np.where(rng.random(votes.shape) < 0.2, -1, votes)
    holes[0] = -1
    data = sketch(holes)
    found = log_linear(data, n_starts=1, prevalence=[0.4, 0.6])
    again = Aggregation.from_dict(json.loads(json.dumps(found.to_dict(), allow_nan=False)))
    np.testing.assert_allclose(again.predict(data), found.posterior, atol=1e-10)
    assert again.to_dict() == found.to_dict()
    assert found.evaluation.prevalence.tolist() == pytest.approx([0.4, 0.6])
    assert by_row(found)[(-1,) * 6].tolist() == pytest.approx([0.4, 0.6])
    assert any("votes are missing" in warning for warning in found.warnings)
    law = fitted_law(again)
    odds = found.parameters["intercept"] + patterns(6) @ np.array(found.parameters["linear"])
    np.testing.assert_allclose(law.log_odds(patterns(6)), odds, atol=1e-10)


def rank_modulo(rows, prime=2**31 - 1):
    """Rank of an integer matrix modulo a prime: never above the true rank."""
    rows, rank = [[v % prime for v in row] for row in rows], 0
    for column in range(len(rows[0])):
        pivot = next((r for r in range(rank, len(rows)) if rows[r][column]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        scale = pow(rows[rank][column], -1, prime)
        rows[rank] = [v * scale % prime for v in rows[rank]]
        for r in range(rank + 1, len(rows)):
            if factor := rows[r][column]:
                rows[r] = [
                    (a - factor * b) % prime for a, b in zip(rows[r], rows[rank], strict=True)
                ]
        rank += 1
    return rank


@pytest.mark.parametrize("k", [3, 4, 5, 6, 7])
def test_the_guard_is_the_exact_rank(k):
    """Unnormalised, in log-parameters, the Jacobian is whole: one column more than parameters."""
    rng = np.random.default_rng(k)
    sets = [s for n in (2, 3) for s in combinations(range(k), n)]
    x = [[int(v) for v in rng.integers(2, 1000, k)] for _ in range(2)]
    w = {s: int(v) for s, v in zip(sets, rng.integers(2, 1000, len(sets)), strict=True)}
    rows = []
    for votes in patterns(k).tolist():
        on = [s for s in sets if all(votes[j] for j in s)]
        q = []
        for y in range(2):
            chance = 1
            for j in range(k):
                chance *= x[y][j] if votes[j] else 1
            for s in on:
                chance *= w[s]
            q.append(chance)
        row = [q[y] * one for y in range(2) for one in [1, *votes]]
        rows.append(row + [sum(q) if s in on else 0 for s in sets])
    full = MODELS["log-linear"].n_parameters(k) + 1
    assert len(rows[0]) == full
    assert (rank_modulo(rows) == full) == (k >= MODELS["log-linear"].minimum)


def test_scores_with_pairs_only_are_those_of_ising():
    rng = np.random.default_rng(8)
    upper = np.triu(rng.normal(size=(4, 4)), 1)
    W = upper + upper.T
    h = rng.normal(size=(2, 4))
    bits = np.array([8, 4, 2, 1])
    left, right = np.triu_indices(4, 1)
    terms = bits[left] + bits[right]
    coefficients = np.zeros((2, 16))
    coefficients[:, bits], coefficients[:, terms] = h, upper[left, right]
    ours = log_linear_scores(coefficients, terms, 0.3)
    theirs = mixture_scores(Parameters(h, np.stack([W, W]), 0.3), patterns(4), 1)
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(mine, other, atol=1e-12)


def test_refusals():
    _, votes = truth(13).sample(200, 9)
    with pytest.raises(TooLargeError, match="at most 12 judges; got 13, which have 364 terms"):
        log_linear(sketch(votes))
    four = log_linear(sketch(votes[:, :4]))
    assert four.status is Status.NOT_IDENTIFIABLE
    assert "third-order log-linear model must have at least 5 judges; got 4" in four.message
    assert log_linear(sketch(votes[:, :4]), order=2, n_starts=1).evaluation is not None
    with pytest.raises(NotIdentifiableError, match="15 frequencies for 19 parameters"):
        check_identifiable("log-linear", 4)
    silent = np.where(np.arange(5) == 0, -1, votes[:, :5])
    assert log_linear(sketch(silent)).status is Status.NOT_IDENTIFIABLE
    assert log_linear(sketch(np.full((3, 6), -1))).status is Status.NOT_IDENTIFIABLE
    five = log_linear(sketch(votes[:, :5]), n_starts=1)
    assert any("saturated (31 parameters, 31 frequencies)" in told for told in five.warnings)
    some = sketch(votes[:, :6])
    with pytest.raises(DataError, match="order must be 2 or 3; got 4"):
        log_linear(some, order=4)
    with pytest.raises(DataError, match="ridge must be at least 0"):
        log_linear(some, ridge=-1)
    with pytest.raises(DataError, match="must be a fit of method 'log-linear'"):
        fitted_law(aggregate(some, "majority"))
    assert log_linear(some, max_iter=1, n_starts=1).status is Status.NOT_CONVERGED
