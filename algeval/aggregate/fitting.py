"""What methods of votes share: kernels of two classes and of one factor, and how a fit ends."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from algeval.aggregate import policy
from algeval.aggregate.em import (
    Climb,
    Fit,
    PrevalenceRule,
    Problem,
    Step,
    best_em,
    iterate,
    read_prevalence,
    share_of_second,
    vote_counts,
    vote_shares,
    vote_sums,
)
from algeval.aggregate.registry import Reads, entry, law_of
from algeval.aggregate.results import Aggregation, End, Patterns, assemble, read_patterns
from algeval.data import NOT_ANSWERED, Evaluation, KeyedSketch, Sketch, Votes
from algeval.data.names import Codes, check_number, check_whole
from algeval.data.reading import Source
from algeval.errors import DataError, either_way, option
from algeval.models.binary import (
    Floats,
    Law,
    TwoClass,
    completions,
    expit,
    log_expit,
    log_sum_exp,
    logit,
)
from algeval.result import Status, percent
from algeval.result.numbers import how_many

# --- What the kernels of two-class models share: the prevalence, penalty, completed patterns,
# starts.
#
# Arrays in, arrays out.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TwoClassProblem:
    """Items with each pattern, and what is known of the prevalence.

    `log_odds` fixes the log-odds of the second label. Where it is None they are free: the last entry
    of the vector the climb moves, with `prior` = (a, b), the Beta prior of the label's share.
    """

    counts: Floats
    log_odds: float | None
    prior: tuple[float, float]

    @property
    def free(self) -> bool:
        """Whether the prevalence is free."""
        return self.log_odds is None

    @property
    def n_items(self) -> float:
        """Number of items."""
        return float(self.counts.sum())

    @property
    def penalties(self) -> tuple[tuple[float, int], ...]:
        """The ridge and the number of the entries of each kind, in the order of the vector."""
        raise NotImplementedError

    @property
    def size(self) -> int:
        """Number of free parameters."""
        return sum(entries for _, entries in self.penalties) + self.free

    @property
    def ridges(self) -> Floats:
        """The penalty of each entry of the vector; none of the prevalence."""
        heights, entries = zip(*self.penalties, (0.0, int(self.free)), strict=True)
        return np.repeat(heights, entries)

    def odds(self, theta: Floats) -> float:
        """Log-odds of the prevalence."""
        return float(theta[-1]) if self.log_odds is None else self.log_odds

    def odds_slope(self, theta: Floats, mass: Floats) -> list[Floats]:
        """Slope along free log-odds, given the weight (2,) of the labels, as a block."""
        return [mass[1:] - mass.sum() * expit(theta[-1:])] if self.free else []

    def penalised(self, theta: Floats, height: float, blocks: list[Floats]) -> tuple[float, Floats]:
        """Penalised height, and its slope from the blocks of the height's."""
        cost, pull = penalty(theta, self.ridges, self.prior if self.free else None)
        return height - cost, np.concatenate(blocks) - pull

    def first_point(self, held: Floats) -> Floats:
        """Vector of independence, with the prevalence of `held` posteriors where free."""
        theta = np.zeros(self.size)
        if self.free:
            share = float(np.clip(self.counts @ held / self.n_items, *policy.FIRST_SHARE))
            theta[-1] = np.log(share / (1 - share))
        return theta


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CompletedProblem(TwoClassProblem):
    """Patterns with every vote left out filled in, in turn, by both answers.

    `origin` is the observed pattern of each completed one, `starts` where those of each begin;
    `center` is the mean votes (K,) around which fields are penalised.
    """

    origin: NDArray[np.intp]
    starts: NDArray[np.intp]
    center: Floats
    ridge: float
    field_ridge: float

    @property
    def k(self) -> int:
        """Number of judges."""
        return len(self.center)

    def posteriors(self, joint: Floats) -> tuple[Floats, Floats]:
        """Posterior of label 1 and the log-probability of each observed pattern.

        `joint` is the log-probability (rows, 2) of each completed pattern with each label.
        """
        total = self._summed(np.logaddexp(joint[:, 0], joint[:, 1]))
        return np.exp(self._summed(joint[:, 1]) - total), total

    def _summed(self, logs: Floats) -> Floats:
        if len(self.starts) == len(logs):
            return logs
        return np.logaddexp.reduceat(logs, self.starts)

    def weigh(self, joint: Floats, held: Floats | None) -> tuple[Floats, float]:
        """Weights (rows, 2) of completed patterns by label, and the log-likelihood.

        With `held` posteriors of label 1, those of the M-step and its objective.
        """
        origin, counts = self.origin, self.counts
        if held is None:
            total = self._summed(np.logaddexp(joint[:, 0], joint[:, 1]))
            return np.exp(joint - total[origin, None]) * counts[origin, None], float(counts @ total)
        share = (counts / np.bincount(origin))[origin]
        weights = np.stack([1 - held, held], axis=1)[origin] * share[:, None]
        return weights, float((weights * joint).sum())


def complete(votes: NDArray[np.int8], counts: NDArray[np.int64]) -> tuple[Floats, dict[str, Any]]:
    """Completed patterns, and origin, starts, counts and mean votes.

    The mean vote of a judge is the share of 1 among its votes, 0 without any.
    """
    rows, origin = completions(votes)
    weight = counts[:, None] * (votes >= 0)
    return rows.astype(float), {
        "origin": origin,
        "starts": np.flatnonzero(np.diff(origin, prepend=-1)),
        "counts": counts.astype(float),
        "center": (weight * (votes == 1)).sum(axis=0) / np.maximum(weight.sum(axis=0), 1),
    }


def soft_majority(votes: NDArray[np.int8]) -> Floats:
    """Return (U,): each pattern's share of 1 votes, clipped to [.1, .9]; no votes give .5."""
    answered = (votes >= 0).sum(axis=1)
    share = np.where(answered > 0, (votes == 1).sum(axis=1) / np.maximum(answered, 1), 0.5)
    return np.clip(share, *policy.SOFT_MAJORITY)


def starting_points(votes: NDArray[np.int8], starts: int, rng: np.random.Generator) -> list[Floats]:
    """Soft-majority posteriors and perturbed copies of them, `starts` in all."""
    first = soft_majority(votes)
    log_odds = np.log(first / (1 - first))
    points = [first]
    for _ in range(starts - 1):
        points.append(expit(log_odds + rng.normal(0.0, policy.NOISE, len(first))))
    return points


def penalty(
    theta: Floats, scale: Floats, prior: tuple[float, float] | None
) -> tuple[float, Floats]:
    """Half the scaled squares, less the log of the Beta prior of the prevalence; and slope.

    `prior` is None where the prevalence is fixed; else its log-odds stands last in the vector.
    """
    height, slope = 0.5 * float((scale * theta**2).sum()), scale * theta
    if prior is not None:
        a, b, odds = prior[0] - 1, prior[1] - 1, float(theta[-1])
        height -= a * float(log_expit(odds)) + b * float(log_expit(-odds))
        slope[-1] = (a + b) * expit(odds) - a
    return height, slope


# --- One normal trait behind standardised scores, by EM on a correlation matrix (Rubin and Thayer
# 1982).
#
# Judge j's standardised score is loading_j * trait + error_j, trait and errors normal and independent.
# Everything below reads rows (distinct tuples of votes, or items) with counts.


class Scale(NamedTuple):
    """Mean and standard deviation (K,) of each judge's scores; a spread of 0 says nothing."""

    center: Floats
    spread: Floats

    def standard(self, values: Floats) -> Floats:
        """Return (rows, K) standardised scores, 0 where missing or without spread."""
        moving = self.spread > 0
        scaled = (values - self.center) / np.where(moving, self.spread, 1.0)
        result: Floats = np.where(moving & ~np.isnan(values), scaled, 0.0)
        return result


Values = Floats | NDArray[np.integer[Any]]
"""(rows, K) scores, NaN where missing, or votes 0 and 1, below 0 where none was given."""


def blocks_of(values: Values) -> Iterator[tuple[slice, Floats]]:
    """Rows as scores, some at a time, lest a table of floats be made of votes."""
    for start in range(0, len(values), policy.ROWS_AT_ONCE):
        rows = slice(start, start + policy.ROWS_AT_ONCE)
        block = values[rows].astype(float)
        if values.dtype.kind == "i":
            block[block < 0] = np.nan
        yield rows, block


def scale_of(values: Values, counts: Floats) -> Scale:
    """Scale of scores on rows that stand for `counts`."""
    weight, total, squares = np.zeros((3, values.shape[1]))
    for rows, block in blocks_of(values):
        weight += counts[rows] @ ~np.isnan(block)
        total += counts[rows] @ np.nan_to_num(block)
    center = total / np.maximum(weight, 1)
    for rows, block in blocks_of(values):
        squares += counts[rows] @ np.nan_to_num((block - center) ** 2)
    spread = np.sqrt(squares / np.maximum(weight, 1))
    return Scale(center, np.where(spread > policy.NO_SPREAD, spread, 0.0))


def common_share(values: Values, counts: Floats) -> float:
    """Least share of items that some pair of judges has in common."""
    common = np.zeros((values.shape[1],) * 2)
    for rows, block in blocks_of(values):
        seen = (~np.isnan(block)).astype(float)
        common += (seen * counts[rows, None]).T @ seen
    return float(common.min() / counts.sum())


def correlations(standard: Floats, seen: Floats, counts: Floats) -> Floats:
    """Return the (K, K) correlations over the items each pair has in common, made positive."""
    common = (seen * counts[:, None]).T @ seen
    return _positive((standard * counts[:, None]).T @ standard, common)


def correlations_of(values: Values, scale: Scale, counts: Floats) -> Floats:
    """Return `correlations` of values that have yet to be standardised."""
    common, products = np.zeros((2, *(values.shape[1],) * 2))
    for rows, block in blocks_of(values):
        seen, standard = (~np.isnan(block)).astype(float), scale.standard(block)
        common += (seen * counts[rows, None]).T @ seen
        products += (standard * counts[rows, None]).T @ standard
    return _positive(products, common)


def _positive(products: Floats, common: Floats) -> Floats:
    matrix = products / np.maximum(common, 1)
    np.fill_diagonal(matrix, 1.0)
    least, vectors = np.linalg.eigh(matrix)
    if least[0] >= 0:
        return matrix
    matrix = (vectors * np.maximum(least, 0.0)) @ vectors.T
    size = np.sqrt(np.diag(matrix))
    result: Floats = matrix / np.outer(size, size)
    return result


class Standardised(NamedTuple):
    """Standardised scores (rows, K), 0 where missing; marks of presence; correlations; the scale."""

    scores: Floats
    seen: Floats
    matrix: Floats
    scale: Scale


def standardised(values: Floats, counts: Floats | None = None) -> Standardised:
    """Return (rows, K) values, NaN where missing, as standardised scores with their correlations."""
    counts = np.ones(len(values)) if counts is None else counts
    scale = scale_of(values, counts)
    scores, seen = scale.standard(values), (~np.isnan(values)).astype(float)
    return Standardised(scores, seen, correlations(scores, seen, counts), scale)


def chance_unrelated(matrix: Floats, common: Floats) -> float:
    """Chance of correlations (K, K) at least so large if no two judges were related.

    Schott's (2005) test, which holds for more judges than items too: the squares of unrelated
    correlations over n + 1 items have mean 1 / n, so that n r^2 - 1 adds up to about nothing.

    `matrix` (K, K).
    `common` (K, K): how many items each pair has in common; pairs of fewer than 3 say nothing.
    """
    pairs = np.triu(common >= 3, 1)
    if not pairs.any():
        return 1.0
    free = common[pairs] - 1
    excess = float((free * matrix[pairs] ** 2 - 1).sum())
    variance = float((2 * (free - 1) / (free + 2)).sum())
    return float(ndtr(-excess / np.sqrt(variance)))


class OneFactor(NamedTuple):
    """Loadings and error variances (K,) of standardised scores, and how the iteration ended."""

    loading: Floats
    noise: Floats
    end: End


def fit_one_factor(matrix: Floats, n_items: float, *, tol: float, max_iter: int) -> OneFactor:
    """Maximum-likelihood factor of a (K, K) correlation matrix.

    Loadings add up to at least 0. Error variances stay above `policy.LEAST_NOISE`, where a copied
    judge would drive them to 0. The height is n_items times the normal log-likelihood, up to a
    constant; no step lowers it.
    """

    def step(at: tuple[Floats, Floats]) -> Step:
        loading, noise = at
        weight = loading / noise
        signal = 1 + float(loading @ weight)
        height = (
            -n_items
            / 2
            * (
                np.log(noise).sum()
                + np.log(signal)
                + (1 / noise).sum()
                - float(weight @ matrix @ weight) / signal
            )
        )
        slope = weight / signal
        with_trait = matrix @ slope
        trait_variance = 1 - float(slope @ loading) + float(slope @ with_trait)
        new = with_trait / trait_variance
        left = 1 - 2 * new * with_trait + new**2 * trait_variance
        following = new, np.maximum(left, policy.LEAST_NOISE)
        return Step(at, following, float(np.abs(new - loading).max()), float(height))

    values, vectors = np.linalg.eigh(matrix)
    first = vectors[:, -1] * np.sqrt(max(values[-1], 0.0))
    start = first, np.maximum(1 - first**2, policy.FIRST_NOISE)
    (loading, noise), end = iterate(step, start, tol=tol, n_items=n_items, max_iter=max_iter)
    turned = -loading if loading.sum() < 0 else loading
    return OneFactor(turned, noise, end)


def trait(standard: Floats, seen: Floats, factor: OneFactor) -> tuple[Floats, Floats]:
    """Posterior mean and variance (rows,) of the trait given the scores seen."""
    variance = 1 / (1 + seen @ (factor.loading**2 / factor.noise))
    return (standard @ (factor.loading / factor.noise)) * variance, variance


class KeyLaw(NamedTuple):
    """The key as one more judge: its loading, and where its own score is cut for the higher class."""

    loading: float
    threshold: float


def key_law(
    factor: OneFactor, variance: Floats, counts: Floats, prevalence: float, *, fixed: bool
) -> KeyLaw:
    """Law of a key that loads as judges do in the root mean square.

    Of a prevalence that was told, the threshold is the quantile of the key's score: probabilities
    are of that share on average. One that was only counted among the judges' answers is a hint, for
    judges share a lean too: then the trait's mean is cut at its own quantile, which has less spread
    and so lies nearer the middle. Judges without spread have no loading and are left out of the mean.
    """
    moving = factor.loading[factor.loading != 0]
    loading = float(np.sqrt((moving**2).mean())) if len(moving) else 0.0
    loading = min(loading, policy.MOST_LOADING)
    quantile = -float(ndtri(prevalence))
    if fixed:
        return KeyLaw(loading, quantile)
    left = 1 - float(counts @ variance) / float(counts.sum())
    return KeyLaw(loading, loading * quantile * float(np.sqrt(max(left, 0.0))))


def key_posterior(mean: Floats, variance: Floats, key: KeyLaw) -> Floats:
    """Return (rows,) the probability that the key's class is the higher one."""
    left = 1 - key.loading**2 * (1 - variance)
    result: Floats = ndtr((key.loading * mean - key.threshold) / np.sqrt(left))
    return result


class Fitted(NamedTuple):
    """A trait fitted to rows, the key's law, and for each row the trait and the higher class."""

    scale: Scale
    matrix: Floats
    found: OneFactor
    key: KeyLaw
    mean: Floats
    variance: Floats
    share: Floats


def fit_key(
    values: Values, counts: Floats, prevalence: float, *, fixed: bool, tol: float, max_iter: int
) -> Fitted:
    """Fit trait and key to (rows, K) values; see `key_law` for `fixed`."""
    scale = scale_of(values, counts)
    matrix = correlations_of(values, scale, counts)
    factor = fit_one_factor(matrix, counts.sum(), tol=tol, max_iter=max_iter)
    mean, variance, share = np.empty((3, len(values)))
    voted = np.empty(len(values), bool)
    for rows, block in blocks_of(values):
        seen = ~np.isnan(block)
        voted[rows] = seen.any(axis=1)
        mean[rows], variance[rows] = trait(scale.standard(block), seen.astype(float), factor)
    key = key_law(factor, variance, counts, prevalence, fixed=fixed)
    share = np.where(voted, key_posterior(mean, variance, key), prevalence)
    return Fitted(scale, matrix, factor, key, mean, variance, share)


def key_parameters(fit: Fitted) -> dict[str, Any]:
    """Return what `read_key` reads back."""
    return {
        "key_loading": fit.key.loading,
        "key_threshold": fit.key.threshold,
        "center": fit.scale.center,
        "spread": fit.scale.spread,
    }


def read_key(parameters: Mapping[str, Any]) -> tuple[Scale, KeyLaw]:
    """Judges' scale and the key's law that a result holds."""
    scale = Scale(np.array(parameters["center"], float), np.array(parameters["spread"], float))
    return scale, KeyLaw(float(parameters["key_loading"]), float(parameters["key_threshold"]))


def higher_share(
    values: Floats, scale: Scale, factor: OneFactor, key: KeyLaw, prevalence: float
) -> Floats:
    """Return (rows,) probabilities of the higher class for other values of the judges fitted."""
    seen = (~np.isnan(values)).astype(float)
    mean, variance = trait(scale.standard(values), seen, factor)
    return _answered_share(seen, mean, variance, key, prevalence)


def _answered_share(
    seen: Floats, mean: Floats, variance: Floats, key: KeyLaw, prevalence: float
) -> Floats:
    """Key's posteriors, and the prevalence for rows that nobody answered."""
    return np.where(seen.any(axis=1), key_posterior(mean, variance, key), prevalence)


# --- What every aggregator shares: read, refuse, start, orient, finish.
#
# A method opens its case (`opened`, `opened_binary`): the votes, and its settings, each checked by its
# name. It refuses what it cannot identify (`Case.refused`), fits, and ends in a `finish` of its case.


Data = Votes | Sketch | KeyedSketch | Patterns

LEFT_OUT = "each leaves its factor out of the product, left out at random"
SUMMED_OVER = "the model sums over them, left out at random"
"""How models treat missing votes, for `missing_note`."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Case:
    """Votes under a method: its name, its checked settings, and what is known of the prevalence."""

    read: Patterns
    rule: PrevalenceRule
    method: str = ""
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def sketch(self) -> Sketch:
        """Distinct decision tuples with their counts."""
        return self.read.sketch

    @property
    def run(self) -> dict[str, Any]:
        """Where an iteration ends: `tol` and `max_iter`."""
        return {name: self.settings[name] for name in ("tol", "max_iter")}

    @property
    def n_heard(self) -> int:
        """Number of judges who answered anything: only they can identify a model."""
        return int((self.sketch.missing < self.sketch.n_items).sum())

    @property
    def too_few(self) -> bool:
        """Whether fewer judges answered than the method's record says it must have."""
        return self.n_heard < fewest(self.method)

    def refused(self, why: str) -> Aggregation:
        """Result of a method that these votes cannot settle: uniform, nothing decided."""
        return refused(self.read, self.method, self.settings, why)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Binary(Case):
    """Two-label votes ready for a model, and what is known of the prevalence.

    `log_odds` is the fixed log-odds of the second label or None; `prior` = (a, b) is the Beta
    prior of its share when free.
    """

    votes: NDArray[np.int8]
    counts: NDArray[np.int64]
    log_odds: float | None
    prior: tuple[float, float]

    @property
    def heard(self) -> NDArray[np.bool_]:
        """(U,) patterns in which anybody answered."""
        answered: NDArray[np.bool_] = np.any(self.votes >= 0, axis=1)
        return answered

    @property
    def prevalence_settings(self) -> dict[str, Any]:
        """What the kernels are told of the prevalence."""
        return {"log_odds": self.log_odds, "prior": self.prior}

    def everywhere(self, share: Floats, log_odds: float) -> Floats:
        """Posteriors of all patterns from those heard; silence keeps the prevalence."""
        result = np.full(len(self.votes), float(expit(log_odds)))
        result[self.heard] = share
        return result

    def oriented(self, share: Floats) -> tuple[Floats, bool]:
        """Posteriors of label 1 as the majority says, and whether that exchanged the names.

        They are exchanged where they lean against the majority, if nothing ties them to a class.
        """
        lean = float(self.counts @ ((share - 0.5) * (soft_majority(self.votes) - 0.5)))
        swapped = bool(lean < 0 and self.rule.symmetric)
        return (1 - share if swapped else share), swapped


def opened(method: str, data: Source | Patterns, **settings: Any) -> Case:
    """Votes for a method, with its settings in the order in which results echo them."""
    read = read_patterns(data)
    rule = read_prevalence(settings.get("prevalence", "free"), read.sketch.labels)
    given = checked(**settings)
    if "prevalence" in given:
        given["prevalence"] = rule.setting
    return Case(read=read, rule=rule, method=method, settings=given)


def opened_binary(method: str, data: Source | Patterns, **settings: Any) -> Binary:
    """As `opened`, of exactly two answers."""
    read = read_patterns(data)
    sketch = read.sketch
    if sketch.n_answers != 2:
        numbers = all(answer.replace(".", "", 1).lstrip("-").isdigit() for answer in sketch.answers)
        scores = either_way("read them with read_scores", "pass --scores")
        hint = f"; if the numbers are scores, {scores}" if numbers else ""
        raise DataError(
            f"this model must have exactly two answers; got {list(sketch.answers)}; "
            "code other answers as not answered, or use method 'dawid-skene'" + hint
        )
    case = opened(method, read, **settings)
    rule = case.rule
    return Binary(
        read=read,
        rule=rule,
        method=method,
        settings=case.settings,
        votes=np.asarray(sketch.codes, np.int8),
        counts=sketch.counts,
        log_odds=None if rule.fixed is None else float(logit(share_of_second(rule.fixed))),
        prior=(float(rule.pseudo[1]) + 1, float(rule.pseudo[0]) + 1),
    )


def read_binary(data: Source, prevalence: Any) -> Binary:
    """Two-label votes that no method has opened yet."""
    return opened_binary("", data, prevalence=prevalence)


_WHOLE = {"n_starts": 1, "seed": 0, "max_iter": 1, "n_steps": 1}
"""Settings that are whole numbers, and the least each may be."""

_RANGES: dict[str, dict[str, Any]] = {
    "tol": {"least": 0.0},
    "smoothing": {"least": 0.0},
    "habit": {"least": 1.0},
    "vote_share": {"least": 0.0, "most": 1.0},
    "spread": {"least": 0.0, "strict": True},
    "field_ridge": {"least": 0.0, "strict": True},
    "loading_ridge": {"least": 0.0, "strict": True},
}
"""Settings that are numbers, and where each must lie: the same in every method that has it."""


def checked(**settings: Any) -> dict[str, Any]:
    """Settings by name, each as its name demands; one of another name is left as it is."""
    return {name: _checked(name, value) for name, value in settings.items()}


def _checked(name: str, value: Any) -> Any:
    if name in _WHOLE:
        return check_whole(name, value, _WHOLE[name])
    return check_number(name, value, **_RANGES[name]) if name in _RANGES else value


def without_effect(name: str, value: object, why: str) -> int:
    """Return 0 for a seed that nothing reads, and warn whoever still passes one."""
    if value is not None:
        sentence = f"{name} has no effect on this method and will be removed: {why}; leave it out"
        warnings.warn(sentence, DeprecationWarning, stacklevel=_callers_level())
    return 0


def _callers_level() -> int:
    """Stack level of the first line outside the package, for a warning to point at."""
    outside = (
        level
        for level, frame in enumerate(inspect.stack(context=0)[1:], 1)
        if not frame.frame.f_globals.get("__name__", "").startswith("algeval.")
    )
    return next(outside, 1)


def label_starts(sketch: Sketch, n_starts: int, seed: int) -> list[Floats]:
    """Return (U, R) starting posteriors: the vote shares, softened, then perturbed copies."""
    shares = (1 - policy.SOFTEN) * vote_shares(vote_counts(sketch))
    shares += policy.SOFTEN / sketch.n_labels
    rng = np.random.default_rng(seed)
    starts = [shares]
    for _ in range(n_starts - 1):
        noisy = np.log(shares) + rng.normal(0, policy.NOISE, shares.shape)
        starts.append(np.exp(noisy - log_sum_exp(noisy)[:, None]))
    return starts


def fit_tables(kind: type[Problem], case: Case, **own: Any) -> Fit:
    """Best fit of a model of tables with its `own` fields, by EM from `label_starts` or `start`."""
    sketch, start, settings = case.sketch, case.read.start, case.settings
    votes, counts = vote_sums(sketch.codes, sketch.n_answers), sketch.counts.astype(float)
    drawn = settings["n_starts"], settings["seed"]
    starts = label_starts(sketch, *drawn) if start is None else [start]
    problem = kind(votes=votes, counts=counts, prevalence=case.rule, **own)
    return best_em(problem, starts, **case.run)[0]


def table_evaluation(
    sketch: Sketch, confusion: Floats, posterior: Floats, prevalence: Floats
) -> Evaluation:
    """Evaluation of (K, R, A) confusion tables with coverage from the posterior."""
    weight = posterior * sketch.counts[:, None]
    answered = (sketch.codes >= 0).astype(float)
    mass = weight.sum(axis=0)
    coverage = (weight.T @ answered).T / np.where(mass > policy.NO_MASS, mass, np.inf)
    seen = None if sketch.complete else np.minimum(coverage, 1.0)
    return Evaluation(*sketch.axes, prevalence, confusion, seen)


def binary_tables(chance: Floats) -> Floats:
    """Return (K, 2, 2) confusion tables of (2, K) chances of answering the second label."""
    return np.stack([1 - chance.T, chance.T], axis=2)


def coin_tables(accuracy: Floats, n_labels: int, n_answers: int) -> Floats:
    """Return (K, R, A) confusion tables of judges with one accuracy, the rest spread evenly."""
    wrong = (1 - accuracy) / (n_answers - 1)
    tables = np.repeat(wrong[:, None, None], n_labels, axis=1).repeat(n_answers, axis=2)
    diagonal = np.arange(n_labels)
    tables[:, diagonal, diagonal] = accuracy[:, None]
    return tables


def best_naming(agreement: Floats) -> NDArray[np.intp]:
    """Return, for each label, the class that should bear its name; the identity on ties.

    agreement[class, label] is (R, R): how far the class goes with the label.
    """
    same = np.arange(len(agreement))
    diagonal = np.diag(agreement)
    if (agreement.max(0) <= diagonal).all() and (agreement.max(1) <= diagonal).all():
        return same
    from scipy.optimize import linear_sum_assignment

    label, order = linear_sum_assignment(agreement.T, maximize=True)
    gained = agreement.T[label, order].sum() - diagonal.sum()
    return order if gained > policy.ROUNDING * agreement.sum() else same


def missing_note(sketch: Sketch, how: str) -> list[str]:
    """Sentence on votes left out, if there are any."""
    missing = int(sketch.missing.sum())
    return [f"{how_many(missing, 'vote is', 'votes are')} missing; {how}."] if missing else []


def silent_note(sketch: Sketch) -> list[str]:
    """Sentence on items that nobody answered, if there are any."""
    silent = int(sketch.counts[(sketch.codes == NOT_ANSWERED).all(axis=1)].sum())
    if not silent:
        return []
    return [
        f"{how_many(silent, 'item')} got no answer at all; the posterior there is the prevalence."
    ]


def suspect_note(evaluation: Evaluation) -> list[str]:
    """Sentence naming judges who look no better than chance, if there are any."""
    accuracy = evaluation.accuracies()
    poor = [
        judge
        for judge, right in zip(evaluation.judges, accuracy, strict=True)
        if float(np.mean(right)) <= 1 / len(evaluation.labels)
    ]
    if not poor:
        return []
    return [
        f"{', '.join(poor)} look no better than chance; besides being poor, a judge can look so "
        "when its answers are matched to the wrong items."
    ]


def loose_note(error: float) -> list[str]:
    """Sentence on a direction of the parameters that the votes leave open, if any."""
    if error <= 1:
        return []
    size = f"{error:.3g}" if np.isfinite(error) else "endless"
    return [
        f"Some direction of the parameters has a standard error of {size} without the ridge: "
        "there the ridge and the start decide, not the votes."
    ]


def one_answer(model: str, answers: Sequence[str]) -> str:
    """Return why a model of right and wrong answers refuses an exam on which none can be wrong."""
    return (
        f"{model} must have at least two answers, or nobody can be wrong; got {list(answers)}; "
        f"pass {option('labels')} with all there are"
    )


def fewest(method: str, reads: Reads = "votes") -> int:
    """Least number of judges that identifies a method, from its record."""
    return entry(method, reads).fewest


def unsettled_pairs(
    values: Values, counts: Floats, method: str, advice: str, *, reads: Reads = "votes"
) -> str:
    """Return why (rows, N) values settle no correlations of all pairs of judges, or nothing."""
    varied, least = int((scale_of(values, counts).spread > 0).sum()), fewest(method, reads)
    if varied < least:
        return (
            f"Method {method!r} must have at least {least} judges whose {reads} vary; got {varied}: fewer "
            "correlations fit one trait in endlessly many ways."
        )
    speaks = np.zeros(values.shape[1], bool)
    for _, block in blocks_of(values):
        speaks |= ~np.isnan(block).all(axis=0)
    return too_little_in_common(values[:, speaks], counts, "its correlation to be told", advice)


def too_little_in_common(values: Values, counts: Floats, purpose: str, advice: str) -> str:
    """Return why pairs of judges of (rows, N) values share too few items, or nothing."""
    common = common_share(values, counts)
    if common >= policy.COMMON:
        return ""
    return (
        f"Every pair of judges must have at least {percent(policy.COMMON, 0)} of the items in common for "
        f"{purpose}; the least is {percent(common)}; {advice}."
    )


def refused(read: Patterns, method: str, settings: Mapping[str, Any], why: str) -> Aggregation:
    """Result of a model that these judges cannot identify: uniform, nothing decided."""
    sketch = read.sketch
    return assemble(
        read,
        method=method,
        settings=settings,
        message=why,
        posterior=np.full((len(sketch), sketch.n_labels), 1 / sketch.n_labels),
        evaluation=None,
        status=Status.NOT_IDENTIFIABLE,
        decisions=np.full(len(sketch), NOT_ANSWERED),
        converged=False,
    )


def finish(
    case: Case,
    *,
    message: str,
    posterior: ArrayLike,
    evaluation: Evaluation,
    end: End,
    notes: Sequence[str] = (),
    **rest: Any,
) -> Aggregation:
    """Result of any iterated model: its status and the sentence on how it ended.

    `rest` is any other field of `Aggregation`; see `assemble`.
    """
    stopped = f" {end.what} was stopped before it settled."
    return assemble(
        case.read,
        method=case.method,
        settings=case.settings,
        message=message + ("" if end.converged or not end.what else stopped),
        posterior=posterior,
        evaluation=evaluation,
        status=Status.OK if end.converged else Status.NOT_CONVERGED,
        n_iter=end.n_iter,
        converged=end.converged,
        trace=end.trace,
        warnings=tuple(notes),
        **rest,
    )


def finish_tables(
    case: Case,
    *,
    tables: Floats,
    posterior: Floats,
    prevalence: Floats,
    before: Sequence[str] = (),
    suspects: bool = True,
    notes: Sequence[str] = (),
    **rest: Any,
) -> Aggregation:
    """Result of a model whose evaluation is (K, R, A) tables.

    Between the notes `before` and `notes`, poor judges are named where `suspects`.
    """
    evaluation = table_evaluation(case.sketch, tables, posterior, prevalence)
    poor = suspect_note(evaluation) if suspects else []
    return finish(
        case, posterior=posterior, evaluation=evaluation, notes=[*before, *poor, *notes], **rest
    )


def finish_two(
    binary: Binary, *, share: Floats, chance: Floats, prevalence: float, **rest: Any
) -> Aggregation:
    """Result of a two-label model, as `finish_tables`.

    share : (U,) posteriors of label 1; chance : (2, K) chances of a vote for it, per true label.
    """
    return finish_tables(
        binary,
        tables=binary_tables(chance),
        posterior=np.stack([1 - share, share], axis=1),
        prevalence=np.array([1 - prevalence, prevalence]),
        **rest,
    )


def finish_climb(
    binary: Binary,
    climbed: tuple[Climb, list[float]],
    *,
    law: TwoClass,
    parameters: Mapping[str, Any],
    missing: str = SUMMED_OVER,
    **rest: Any,
) -> Aggregation:
    """Result of a two-label model whose law the highest of some climbs found."""
    best, heights = climbed
    reached = {"penalised_log_likelihood": best.objective, "start_heights": heights}
    return finish_two(
        binary,
        chance=marginals(law),
        prevalence=law.prevalence,
        end=best.end(binary.settings["tol"]),
        before=missing_note(binary.sketch, missing),
        parameters={**parameters, **reached},
        **rest,
    )


def mixture(log_odds: float, negative: Law, positive: Law) -> TwoClass:
    """Fitted law of votes from the log-odds of label 1 and the laws given the label."""
    edge = policy.SHARE_EDGE
    return TwoClass(float(np.clip(expit(log_odds), edge, 1 - edge)), negative, positive)


def marginals(law: TwoClass) -> Floats:
    """Return (2, K): each judge's chance of a vote for label 1, per true label."""
    return np.stack([law.negative.marginals(), law.positive.marginals()])


def predict(result: Aggregation, codes: Codes) -> Floats:
    """Return (rows, 2) posteriors of other votes under the fitted law of a two-label method."""
    share = law_of(result).posterior(np.asarray(codes).astype(np.int8))
    return np.stack([1 - share, share], axis=1)
