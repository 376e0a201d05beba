"""Arithmetic of Ising models: arrays in, arrays out."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import policy
from algeval.aggregate.em import (
    Climb,
    PrevalenceRule,
    Step,
    best_climb_from,
    best_em,
    climb_value,
    iterate,
    vote_sums,
)
from algeval.aggregate.em import Problem as Problem_of_em
from algeval.aggregate.fitting import CompletedProblem, complete, penalty, starting_points
from algeval.aggregate.results import End
from algeval.models.binary import Floats, expit, log_expit, log_sum_exp, logit, patterns
from algeval.models.ising import log_partition
from algeval.models.log_linear import set_energies, set_moments, sets_of_size

# --- Estimates of log Z for more judges than can be enumerated.
#
# Arrays in, arrays out. Annealed importance sampling is unbiased for Z and tells its own error; the
# mean-field value is a bound that misses by whole nats where couplings are strong, and starts the
# annealing.


@dataclass(frozen=True, slots=True, eq=False)
class Annealed:
    """Estimated log Z, its standard error, and (K,) estimated means of the votes."""

    log_z: float
    error: float
    mean: Floats


def mean_field(
    h: Floats, W: Floats, sweeps: int = policy.MEAN_FIELD_SWEEPS
) -> tuple[float, Floats]:
    """Mean-field lower bound on log Z and its means (damped fixed point)."""
    m = expit(h + 0.5 * W.sum(axis=1))
    for _ in range(sweeps):
        m = 0.5 * m + 0.5 * expit(h + W @ m)
    m = np.clip(m, policy.SHARE_EDGE, 1 - policy.SHARE_EDGE)
    entropy = -(m * np.log(m) + (1 - m) * np.log1p(-m)).sum()
    return float(h @ m + 0.5 * m @ W @ m + entropy), m


def annealed_log_partition(
    h: Floats,
    W: Floats,
    seed: int,
    *,
    chains: int = policy.CHAINS,
    steps: int = policy.ANNEALING_STEPS,
) -> Annealed:
    """Anneal from independent votes with the mean-field means to the coupled law.

    The seed is part of the estimate: equal seeds give a smooth function of h and W.
    """
    rng = np.random.default_rng(seed)
    _, m = mean_field(h, W)
    base = logit(np.clip(m, policy.BASE_EDGE, 1 - policy.BASE_EDGE))
    J = (rng.random((chains, len(h))) < expit(base)).astype(float)
    log_weight = np.zeros(chains)
    temperatures = np.linspace(0, 1, steps + 1)
    for low, high in itertools.pairwise(temperatures):
        gain = J @ (h - base) + 0.5 * ((J @ W) * J).sum(axis=1)
        log_weight += (high - low) * gain
        _sweep(J, (1 - high) * base + high * h, high * W, rng)
    top = log_weight.max()
    weight = np.exp(log_weight - top)
    start = float(-log_expit(-base).sum())
    average = float(weight.mean())
    error = float(weight.std(ddof=1) / (average * np.sqrt(chains)))
    return Annealed(start + top + float(np.log(average)), error, weight @ J / weight.sum())


def _sweep(J: Floats, h: Floats, W: Floats, rng: np.random.Generator) -> None:
    """Draw every judge's vote in turn given the others, in all chains at once, in place."""
    luck = rng.random(J.shape)
    for judge in range(J.shape[1]):
        J[:, judge] = luck[:, judge] < expit(h[judge] + J @ W[judge])


# --- The penalised likelihood of two log-linear classes on the table of all vote patterns.
#
# Arrays in, arrays out. Terms are products of centred votes, J_j - m_j with m the mean votes, so that
# exchanging the two answers only changes signs and the penalty does not notice; with pairs only they
# are the coordinates of `kernels.ising`. The gradient is the M-step's at the current posteriors.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LogLinearProblem(CompletedProblem):
    """Votes and terms.

    `place` is the row of each completed pattern in the table of all patterns; `singles` and
    `terms` are the places of single judges and of the sets with a term.
    """

    place: NDArray[np.int64]
    singles: NDArray[np.int64]
    terms: NDArray[np.int64]

    @property
    def penalties(self) -> tuple[tuple[float, int], ...]:
        """Of fields and of terms."""
        return (self.field_ridge, 2 * self.k), (self.ridge, len(self.terms))


def make_log_linear_problem(
    votes: NDArray[np.int8], counts: NDArray[np.int64], *, order: int, **settings: Any
) -> LogLinearProblem:
    """Place the completed patterns in the table, and list the sets of 2 to `order` judges."""
    rows, shared = complete(votes, counts)
    k = votes.shape[1]
    bits = 1 << np.arange(k - 1, -1, -1)
    return LogLinearProblem(
        place=rows.astype(np.int64) @ bits,
        singles=bits,
        terms=np.array([bits[list(s)].sum() for s in sets_of_size(k, 2, order)], np.int64),
        **shared,
        **settings,
    )


def class_coefficients(theta: Floats, problem: LogLinearProblem) -> Floats:
    """Return (2, 2^K): the centred coefficients of each class, over sets of judges."""
    k = problem.k
    result = np.zeros((2, 1 << k))
    result[:, problem.singles] = theta[: 2 * k].reshape(2, k)
    result[:, problem.terms] = theta[2 * k : 2 * k + len(problem.terms)]
    return result


def plain_coefficients(theta: Floats, problem: LogLinearProblem) -> Floats:
    """Return (2, 2^K): the coefficients of plain products of votes (Balasubramanian et al., eq. 20)."""
    result = class_coefficients(theta, problem)
    for y in range(2):
        for judge, m in enumerate(problem.center):
            part = result[y].reshape(1 << judge, 2, -1)
            part[:, 0] -= m * part[:, 1]
    return result


def _tables(theta: Floats, problem: LogLinearProblem) -> Floats:
    rows = [set_energies(c, problem.center) for c in class_coefficients(theta, problem)]
    result = np.stack(rows)
    return result - log_sum_exp(result)[:, None]


def _joint(tables: Floats, theta: Floats, problem: LogLinearProblem) -> Floats:
    return tables[:, problem.place].T + log_expit(np.array([-1.0, 1.0]) * problem.odds(theta))


def log_linear_posteriors(theta: Floats, problem: LogLinearProblem) -> tuple[Floats, Floats]:
    """Posterior of label 1 and the log-probability of each observed pattern."""
    return problem.posteriors(_joint(_tables(theta, problem), theta, problem))


def log_linear_value(
    theta: Floats, problem: LogLinearProblem, held: Floats | None = None
) -> tuple[float, Floats]:
    """Penalised log-likelihood and its gradient; with `held` label posteriors fixed."""
    tables = _tables(theta, problem)
    weights, height = problem.weigh(_joint(tables, theta, problem), held)
    slopes = []
    for y in range(2):
        seen = np.bincount(problem.place, weights[:, y], tables.shape[1])
        slopes.append(set_moments(seen - seen.sum() * np.exp(tables[y]), problem.center))
    blocks = [slope[problem.singles] for slope in slopes]
    blocks.append((slopes[0] + slopes[1])[problem.terms])
    blocks += problem.odds_slope(theta, weights.sum(axis=0))
    return problem.penalised(theta, height, blocks)


def log_linear_scores(
    coefficients: Floats, terms: NDArray[np.int64], log_odds: float
) -> tuple[Floats, Floats]:
    """Gradient of each pattern's log-probability, and the probabilities themselves.

    `coefficients` (2, 2^K): of plain products of votes, per class.
    `terms` (T,): places of the sets whose coefficient the classes share.

    `scores` (2^K, 2K + T + 1): columns: fields of class 0, of class 1, shared terms, log-odds of
      the prevalence.
    `chance` (2^K,).
    """
    k = coefficients.shape[1].bit_length() - 1
    zero = np.zeros(k)
    singles = 1 << np.arange(k - 1, -1, -1)
    logs = np.stack([set_energies(c, zero) for c in coefficients])
    logs -= log_sum_exp(logs)[:, None]
    means = [set_moments(np.exp(log), zero) for log in logs]
    joint = logs.T + log_expit(np.array([-1.0, 1.0]) * log_odds)
    total = log_sum_exp(joint)
    share = np.exp(joint - total[:, None])
    votes = patterns(k).astype(float)
    inside = (np.arange(1 << k)[:, None] & terms) == terms
    blocks = [share[:, y : y + 1] * (votes - means[y][singles]) for y in range(2)]
    blocks.append(inside - share @ np.stack([mean[terms] for mean in means]))
    blocks.append(share[:, 1:] - expit(log_odds))
    return np.concatenate(blocks, axis=1), np.exp(total)


# --- The penalised likelihood of two Ising classes on vote patterns, and its climb.
#
# Arrays in, arrays out. Rows are completed vote patterns; the completions of one observed pattern
# stand together and are summed over, so a vote left out costs 2^(votes left out) rows and nothing
# else. The gradient of the observed log-likelihood is that of the M-step at the current posteriors
# (Fisher's identity), so L-BFGS on it climbs the function EM climbs and stops at the same points,
# after some dozens of evaluations instead of hundreds of steps.


Moments = tuple[float, Floats, Floats]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Problem(CompletedProblem):
    """Votes; `couplings` is 0 (none: independence), 1 (shared by the classes) or 2 (one per class)."""

    J: Floats
    couplings: int

    @property
    def n_pairs(self) -> int:
        """Number of pairs of judges."""
        return self.k * (self.k - 1) // 2

    @property
    def penalties(self) -> tuple[tuple[float, int], ...]:
        """Of fields and of couplings."""
        return (self.field_ridge, 2 * self.k), (self.ridge, self.couplings * self.n_pairs)


@dataclass(frozen=True, slots=True, eq=False)
class Parameters:
    """Fields (2, K), couplings (2, K, K) and the log-odds of the prevalence."""

    h: Floats
    W: Floats
    log_odds: float

    def to_dict(self) -> dict[str, Any]:
        """Return what the result of a fit holds of them."""
        return {"fields": self.h, "couplings": self.W, "log_odds": self.log_odds}

    @classmethod
    def from_dict(cls, body: Mapping[str, Any]) -> Parameters:
        """Read them back."""
        h, W = np.array(body["fields"], float), np.array(body["couplings"], float)
        return cls(h, W, float(body["log_odds"]))


def make_problem(votes: NDArray[np.int8], counts: NDArray[np.int64], **settings: Any) -> Problem:
    """Fill in the votes left out and centre the fields at the mean votes."""
    rows, shared = complete(votes, counts)
    return Problem(J=rows, **shared, **settings)


def unpack(theta: Floats, problem: Problem) -> Parameters:
    """Parameters of Balasubramanian et al., eq. (1), from the vector the climb moves.

    The vector holds fields around the mean votes, h + W m, which couplings move much less.
    """
    k, pairs = problem.k, problem.n_pairs
    upper = np.triu_indices(k, 1)
    W = np.zeros((2, k, k))
    for y in range(problem.couplings and 2):
        block = 2 * k + (problem.couplings - 1) * y * pairs
        W[y][upper] = theta[block : block + pairs]
        W[y] += W[y].T
    h = theta[: 2 * k].reshape(2, k) - W @ problem.center
    return Parameters(h, W, problem.odds(theta))


def partition(h: Floats, W: Floats, coupled: bool) -> Moments:
    """Log Z, the means and the second moments of one class."""
    if coupled:
        return log_partition(h, W)
    mean = expit(h)
    second = np.outer(mean, mean)
    np.fill_diagonal(second, mean)
    return float(-log_expit(-h).sum()), mean, second


def log_joint(parameters: Parameters, problem: Problem, parts: list[Moments]) -> Floats:
    """Return (rows, 2): log-probability of each completed pattern with each label."""
    J = problem.J
    result = J @ parameters.h.T
    for y in range(2):
        if problem.couplings:
            result[:, y] += 0.5 * ((J @ parameters.W[y]) * J).sum(axis=1)
        result[:, y] += log_expit((2 * y - 1) * parameters.log_odds) - parts[y][0]
    return result


def posteriors(theta: Floats, problem: Problem) -> tuple[Floats, Floats]:
    """Posterior of label 1 and the log-probability of each observed pattern."""
    parameters = unpack(theta, problem)
    return problem.posteriors(log_joint(parameters, problem, _partitions(parameters, problem)))


def _partitions(parameters: Parameters, problem: Problem) -> list[Moments]:
    coupled = problem.couplings > 0
    return [partition(parameters.h[y], parameters.W[y], coupled) for y in range(2)]


def value(theta: Floats, problem: Problem, held: Floats | None = None) -> tuple[float, Floats]:
    """Penalised log-likelihood and its gradient.

    With `held` posteriors of label 1 it is the M-step's objective, else the observed one.
    """
    parameters = unpack(theta, problem)
    parts = _partitions(parameters, problem)
    weights, likelihood = problem.weigh(log_joint(parameters, problem, parts), held)
    blocks = _slopes(weights, parts, problem)
    blocks += problem.odds_slope(theta, weights.sum(axis=0))
    return problem.penalised(theta, likelihood, blocks)


def _slopes(weights: Floats, parts: list[Moments], problem: Problem) -> list[Floats]:
    """Slope of the log-likelihood along fields and couplings, in blocks."""
    J, k = problem.J, problem.k
    totals = weights.sum(axis=0)
    upper = np.triu_indices(k, 1)
    fields = np.empty((2, k))
    pairs = np.empty((2, problem.n_pairs))
    for y in range(2):
        fields[y] = weights[:, y] @ J - totals[y] * parts[y][1]
        if problem.couplings:
            second = (J * weights[:, y : y + 1]).T @ J - totals[y] * parts[y][2]
            shift = np.outer(fields[y], problem.center)
            pairs[y] = (second - shift - shift.T)[upper]
    tested = {0: [], 1: [pairs.sum(axis=0)], 2: [pairs.ravel()]}
    return [fields.ravel(), *tested[problem.couplings]]


def climb(
    theta: Floats, problem: Problem, *, max_iter: int, tol: float, held: Floats | None = None
) -> Climb:
    """Climb the observed objective from one point, or the M-step's with `held` posteriors."""
    objective = partial(value, problem=problem, held=held)
    return climb_value(theta, objective, problem.n_items, max_iter=max_iter, tol=tol)


def best_climb(
    problem: Problem, points: list[Floats], *, max_iter: int, tol: float, screen: int = 0
) -> tuple[Climb, list[float]]:
    """Climb from every starting point; keep the highest. `screen` > 0 finishes only the best.

    Returns the best climb and every start's penalised log-likelihood.
    """
    thetas = [problem.first_point(held) for held in points]
    whole, n, limit = partial(value, problem=problem), problem.n_items, screen or max_iter
    best, heights = best_climb_from(points, thetas, whole, n, max_iter=limit, tol=tol)
    if screen and best.gradient > tol:
        best = climb(best.theta, problem, max_iter=max_iter, tol=tol)
    return best, heights


def swap_classes(parameters: Parameters) -> Parameters:
    """Same law with the names of the two labels exchanged."""
    return Parameters(parameters.h[::-1].copy(), parameters.W[::-1].copy(), -parameters.log_odds)


# --- Ising aggregation above 24 judges: pseudo-likelihood M-step, estimated log Z in the E-step.
#
# Arrays in, arrays out. The pseudo-likelihood only moves the parameters; posteriors always come from
# the normalised law, so that inflated couplings are not rewarded.


class ManyFit(NamedTuple):
    """Parameters, posteriors (U,), log-probabilities (U,) and the two estimates of log Z."""

    parameters: Parameters
    share: Floats
    total: Floats
    partitions: tuple[Annealed, Annealed]


def many_joint(parameters: Parameters, log_z: tuple[float, float] | Floats, J: Floats) -> Floats:
    """Return (U, 2): log-probability of complete votes with each label."""
    joint = J @ parameters.h.T
    for y in range(2):
        joint[:, y] += 0.5 * ((J @ parameters.W[y]) * J).sum(axis=1) - log_z[y]
        joint[:, y] += log_expit((2 * y - 1) * parameters.log_odds)
    return joint


def fit_many(
    problem: Problem, held: Floats, *, seed: int, max_iter: int, tol: float
) -> tuple[ManyFit, End]:
    """Run EM from some posteriors until they stand still; see `iterate` for `tol`."""

    def step(at: tuple[Floats, Floats]) -> Step:
        theta, share = at
        theta = _m_step(theta, problem, share)
        parameters = unpack(theta, problem)
        first, second = (
            annealed_log_partition(parameters.h[y], parameters.W[y], seed) for y in range(2)
        )
        joint = many_joint(parameters, (first.log_z, second.log_z), problem.J)
        fresh = expit(joint[:, 1] - joint[:, 0])
        total = np.logaddexp(joint[:, 0], joint[:, 1])
        fit = ManyFit(parameters, fresh, total, (first, second))
        return Step(fit, (theta, fresh), float(np.abs(fresh - share).max()))

    start = (np.zeros(problem.size), held)
    return iterate(step, start, tol=tol, n_items=problem.n_items, max_iter=max_iter)


def _m_step(theta: Floats, problem: Problem, held: Floats) -> Floats:
    weights = np.stack([1 - held, held], axis=1) * problem.counts[:, None]
    few, loose = policy.MANY_M_STEP
    objective = partial(_pseudo_value, problem=problem, weights=weights)
    solved_ = climb_value(theta, objective, problem.n_items, max_iter=few, tol=loose).theta
    if problem.free:
        a, b = problem.prior
        no, yes = weights.sum(axis=0) + np.array([b - 1, a - 1]) + policy.EDGE
        solved_[-1] = np.log(yes) - np.log(no)
    return solved_


def _pseudo_value(theta: Floats, problem: Problem, weights: Floats) -> tuple[float, Floats]:
    """Penalised weighted pseudo-log-likelihood and its gradient (prevalence apart)."""
    parameters = unpack(theta, problem)
    k, J = problem.k, problem.J
    upper = np.triu_indices(k, 1)
    height = 0.0
    fields, pairs = np.empty((2, k)), np.empty((2, problem.n_pairs))
    for y in range(2):
        odds = parameters.h[y] + J @ parameters.W[y]
        weight = weights[:, y]
        height += float(weight @ log_expit(np.where(J > 0.5, odds, -odds)).sum(axis=1))
        left_over = weight[:, None] * (J - expit(odds))
        fields[y] = left_over.sum(axis=0)
        cross = left_over.T @ J
        shift = np.outer(fields[y], problem.center)
        pairs[y] = (cross + cross.T - shift - shift.T)[upper]
    tested = pairs.sum(axis=0) if problem.couplings == 1 else pairs.ravel()
    gradient = np.zeros(len(theta))
    gradient[: 2 * k] = fields.ravel()
    gradient[2 * k : 2 * k + len(tested)] = tested
    cost, pull = penalty(theta, problem.ridges, None)
    return height - cost, gradient - pull


# --- The independent fit of yes/no votes that the score test starts from: EM on patterns.
#
# Arrays in, arrays out. A vote left out leaves its factor out. Error rates carry a Beta(1 + a, 1 + a)
# prior with a tiny a, so that no rate reaches 0 or 1, where scores do not exist.


class NullFit(NamedTuple):
    """Fitted fields and prevalence, posterior of label 1, and whether EM stopped by itself."""

    parameters: Parameters
    posterior: Floats
    converged: bool


def null_joint(parameters: Parameters, votes: NDArray[np.int8]) -> Floats:
    """Return (U, 2): log-probability of each pattern with each label."""
    ones, zeros = (votes == 1).astype(float), (votes == 0).astype(float)
    prior = np.array([log_expit(-parameters.log_odds), log_expit(parameters.log_odds)])
    result: Floats = ones @ log_expit(parameters.h).T + zeros @ log_expit(-parameters.h).T + prior
    return result


def fit_independent(
    votes: NDArray[np.int8],
    counts: NDArray[np.int64],
    *,
    rule: PrevalenceRule,
    starts: int,
    rng: np.random.Generator,
    max_iter: int,
) -> NullFit:
    """Best of several EM climbs; a prior on the prevalence is not used."""
    k = votes.shape[1]
    problem = Problem_of_em(
        votes=vote_sums(votes.astype(np.int16), 2),
        counts=counts.astype(float),
        pseudo=np.full((k, 2, 2), policy.PSEUDO_VOTES),
        prevalence=replace(rule, pseudo=np.zeros(2)),
    )
    points = [np.stack([1 - held, held], axis=1) for held in starting_points(votes, starts, rng)]
    _, fits = best_em(problem, points, tol=policy.NULL_TOL, max_iter=max_iter)
    fit = max(fits, key=lambda one: one.log_likelihood)
    share = float(np.clip(fit.prevalence[1], policy.EDGE, 1 - policy.EDGE))
    parameters = Parameters(
        logit(fit.confusion[:, :, 1].T), np.zeros((2, k, k)), float(logit(share))
    )
    return NullFit(parameters, fit.posterior[:, 1], fit.converged)


def filled(parameters: Parameters, votes: NDArray[np.int8], label: int) -> Floats:
    """Return (U, K): the votes, with a vote left out replaced by its chance given the label."""
    chance = expit(parameters.h[label])
    return np.where(votes < 0, chance, votes.astype(float))


def null_scores(
    parameters: Parameters, votes: NDArray[np.int8], *, couplings: int, prevalence_free: bool
) -> tuple[Floats, Floats]:
    """Return (U, d) scores and (U,) log-probabilities of patterns under independence.

    Columns: fields of class 0, of class 1, prevalence if free, then couplings around the means.
    """
    joint = null_joint(parameters, votes)
    total = np.logaddexp(joint[:, 0], joint[:, 1])
    share = np.exp(joint - total[:, None])
    left, right = np.triu_indices(votes.shape[1], 1)
    center = expit(parameters.h).mean(axis=0)
    fields, pairs = [], []
    for y in range(2):
        chance = expit(parameters.h[y])
        J = filled(parameters, votes, y)
        fields.append(share[:, y : y + 1] * (J - chance))
        moved, mean = J - center, chance - center
        expected = mean[left] * mean[right]
        pairs.append(share[:, y : y + 1] * (moved[:, left] * moved[:, right] - expected))
    if prevalence_free:
        fields.append(share[:, 1:] - expit(parameters.log_odds))
    tested = [pairs[0] + pairs[1]] if couplings == 1 else pairs
    return np.concatenate(fields + tested, axis=1), total
