"""What every aggregator shares: read, refuse, start, orient, finish.

A method reads its data (`read_patterns`, `read_binary`) and settings (`run_settings`), refuses what
it cannot identify (`refused`), fits, and hands what it found to a `finish`.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algeval.aggregate import policy
from algeval.aggregate.climb import Climb
from algeval.aggregate.em import Fit, Problem, best_em
from algeval.aggregate.inputs import Patterns, read_patterns
from algeval.aggregate.kernels.one_factor import common_share, scale_of
from algeval.aggregate.kernels.two_classes import soft_majority
from algeval.aggregate.prevalence import PrevalenceRule, read_prevalence, share_of_second
from algeval.aggregate.registry import Reads, entry, law_of
from algeval.aggregate.results import Aggregation, End, Floats, assemble
from algeval.aggregate.votes import vote_counts, vote_shares, vote_sums
from algeval.data import NOT_ANSWERED, Evaluation, KeyedSketch, Sketch, Votes
from algeval.data.names import Codes
from algeval.data.settings import check_number, check_whole
from algeval.errors import DataError
from algeval.io.sources import Source
from algeval.models.binary import Law, TwoClass, expit, log_sum_exp, logit
from algeval.result import Status
from algeval.result.wording import how_many

Data = Votes | Sketch | KeyedSketch

LEFT_OUT = "each leaves its factor out of the product, left out at random"
SUMMED_OVER = "the model sums over them, left out at random"
"""How models treat missing votes, for `missing_note`."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Binary:
    """Two-label votes ready for a model, and what is known of the prevalence.

    `log_odds` is the fixed log-odds of the second label or None; `prior` = (a, b) is the Beta
    prior of its share when free.
    """

    read: Patterns
    votes: NDArray[np.int8]
    counts: NDArray[np.int64]
    rule: PrevalenceRule
    log_odds: float | None
    prior: tuple[float, float]

    @property
    def n_heard(self) -> int:
        """Number of judges who answered anything: only they can identify a model."""
        return n_heard(self.read.sketch)

    @property
    def heard(self) -> NDArray[np.bool_]:
        """(U,) patterns in which anybody answered."""
        given: NDArray[np.bool_] = np.any(self.votes >= 0, axis=1)
        return given

    @property
    def prevalence_settings(self) -> dict[str, Any]:
        """What the kernels are told of the prevalence."""
        return {"log_odds": self.log_odds, "prior": self.prior}

    def everywhere(self, share: Floats, log_odds: float) -> Floats:
        """Return posteriors of all patterns from those heard; silence keeps the prevalence."""
        result = np.full(len(self.votes), float(expit(log_odds)))
        result[self.heard] = share
        return result

    def oriented(self, share: Floats) -> tuple[Floats, bool]:
        """Return posteriors of label 1 as the majority says, and whether that exchanged the names.

        They are exchanged where they lean against the majority, if nothing ties them to a class.
        """
        lean = float(self.counts @ ((share - 0.5) * (soft_majority(self.votes) - 0.5)))
        swapped = bool(lean < 0 and self.rule.symmetric)
        return (1 - share if swapped else share), swapped


def n_heard(sketch: Sketch) -> int:
    """Return how many judges answered anything."""
    return int((sketch.missing < sketch.n_items).sum())


def read_binary(data: Source, prevalence: Any) -> Binary:
    """Read two-label votes and the prevalence setting, or say what is wrong with them."""
    read = read_patterns(data)
    sketch = read.sketch
    if sketch.n_answers != 2:
        numbers = all(answer.replace(".", "", 1).lstrip("-").isdigit() for answer in sketch.answers)
        hint = "; if the numbers are scores, read them with read_scores" if numbers else ""
        raise DataError(
            f"this model must have exactly two answers; got {list(sketch.answers)}; "
            "code other answers as not answered, or use method 'dawid-skene'" + hint
        )
    rule = read_prevalence(prevalence, sketch.labels)
    return Binary(
        read=read,
        votes=sketch.codes.astype(np.int8),
        counts=sketch.counts,
        rule=rule,
        log_odds=_log_odds(rule),
        prior=(float(rule.pseudo[1]) + 1, float(rule.pseudo[0]) + 1),
    )


def _log_odds(rule: PrevalenceRule) -> float | None:
    if rule.fixed is None:
        return None
    return float(logit(share_of_second(rule.fixed)))


def run_settings(*, tol: float, max_iter: int, **starts: int) -> dict[str, Any]:
    """Return the checked settings of an iteration: n_starts and seed where given, max_iter, tol."""
    least = {"n_starts": 1, "seed": 0}
    checked: dict[str, Any] = {
        name: check_whole(name, value, least[name]) for name, value in starts.items()
    }
    checked["max_iter"] = check_whole("max_iter", max_iter)
    return checked | {"tol": check_number("tol", tol, least=0.0)}


def without_effect(name: str, value: object, why: str) -> int:
    """Return 0 for a seed that nothing reads, and warn whoever still passes one."""
    if value is not None:
        told = f"{name} has no effect on this method and will be removed: {why}; leave it out"
        warnings.warn(told, DeprecationWarning, stacklevel=_callers_level())
    return 0


def _callers_level() -> int:
    """Return the stack level of the first line outside the package, for a warning to point at."""
    outside = (
        level
        for level, found in enumerate(inspect.stack(context=0)[1:], 1)
        if not found.frame.f_globals.get("__name__", "").startswith("algeval.")
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


def fit_tables(kind: type[Problem], read: Patterns, run: Mapping[str, Any], **known: Any) -> Fit:
    """Return the best fit of a model of tables by EM; `known` is its own.

    EM starts from `label_starts`, or where it was told to.
    """
    sketch = read.sketch
    votes, counts = vote_sums(sketch.codes, sketch.n_answers), sketch.counts.astype(float)
    starts = (
        label_starts(sketch, run["n_starts"], run["seed"]) if read.start is None else [read.start]
    )
    problem = kind(votes=votes, counts=counts, **known)
    return best_em(problem, starts, tol=run["tol"], max_iter=run["max_iter"])[0]


def table_evaluation(
    sketch: Sketch, confusion: Floats, posterior: Floats, prevalence: Floats
) -> Evaluation:
    """Return the evaluation of (K, R, A) confusion tables with coverage from the posterior."""
    weight = posterior * sketch.counts[:, None]
    answered = (sketch.codes >= 0).astype(float)
    mass = weight.sum(axis=0)
    coverage = (answered.T @ weight) / np.where(mass > policy.NO_MASS, mass, np.inf)
    known = None if sketch.complete else np.minimum(coverage, 1.0)
    return Evaluation(*sketch.axes, prevalence, confusion, known)


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
    """Return a sentence on votes left out, if there are any."""
    missing = int(sketch.missing.sum())
    return [f"{how_many(missing, 'vote is', 'votes are')} missing; {how}."] if missing else []


def silent_note(sketch: Sketch) -> list[str]:
    """Return a sentence on items that nobody answered, if there are any."""
    silent = int(sketch.counts[(sketch.codes == NOT_ANSWERED).all(axis=1)].sum())
    if not silent:
        return []
    return [
        f"{how_many(silent, 'item')} got no answer at all; the posterior there is the prevalence."
    ]


def suspect_note(evaluation: Evaluation) -> list[str]:
    """Return a sentence naming judges who look no better than chance, if there are any."""
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
    """Return a sentence on a direction of the parameters that the votes leave open, if any."""
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
        "pass labels= with all there are"
    )


def fewest(method: str, reads: Reads = "votes") -> int:
    """Return the least number of judges that identifies a method, from its record."""
    return entry(method, reads).fewest


def unsettled_pairs(
    values: Floats, counts: Floats, method: str, advice: str, *, reads: Reads = "votes"
) -> str:
    """Return why (rows, N) values settle no correlations of all pairs of judges, or nothing."""
    varied, least = int((scale_of(values, counts).spread > 0).sum()), fewest(method, reads)
    if varied < least:
        return (
            f"Method {method!r} must have at least {least} judges whose {reads} vary; got {varied}: fewer "
            "correlations fit one trait in endlessly many ways."
        )
    speaks = ~np.isnan(values).all(axis=0)
    return too_little_in_common(values[:, speaks], counts, "its correlation to be told", advice)


def too_little_in_common(values: Floats, counts: Floats, purpose: str, advice: str) -> str:
    """Return why pairs of judges of (rows, N) values share too few items, or nothing."""
    common = common_share((~np.isnan(values)).astype(float), counts)
    if common >= policy.COMMON:
        return ""
    return (
        f"Every pair of judges must have at least {policy.COMMON:.0%} of the items in common for "
        f"{purpose}; the least is {common:.1%}; {advice}."
    )


def refused(read: Patterns, method: str, settings: Mapping[str, Any], why: str) -> Aggregation:
    """Return the result of a model that these judges cannot identify: uniform, nothing decided."""
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
    read: Patterns,
    method: str,
    settings: Mapping[str, Any],
    *,
    message: str,
    posterior: ArrayLike,
    evaluation: Evaluation,
    end: End,
    notes: Sequence[str] = (),
    **rest: Any,
) -> Aggregation:
    """Return the result of any iterated model: its status and the sentence on how it ended.

    `rest` is any other field of `Aggregation`; see `assemble`.
    """
    stopped = f" {end.what} was stopped before it settled."
    return assemble(
        read,
        method=method,
        settings=settings,
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
    read: Patterns,
    method: str,
    settings: Mapping[str, Any],
    *,
    tables: Floats,
    posterior: Floats,
    prevalence: Floats,
    before: Sequence[str] = (),
    suspects: bool = True,
    notes: Sequence[str] = (),
    **rest: Any,
) -> Aggregation:
    """Return the result of a model whose evaluation is (K, R, A) tables.

    Between the notes `before` and `notes`, poor judges are named where `suspects`.
    """
    evaluation = table_evaluation(read.sketch, tables, posterior, prevalence)
    poor = suspect_note(evaluation) if suspects else []
    return finish(
        read,
        method,
        settings,
        posterior=posterior,
        evaluation=evaluation,
        notes=[*before, *poor, *notes],
        **rest,
    )


def finish_two(
    binary: Binary,
    method: str,
    settings: Mapping[str, Any],
    *,
    share: Floats,
    chance: Floats,
    prevalence: float,
    **rest: Any,
) -> Aggregation:
    """Return the result of a two-label model, as `finish_tables`.

    share : (U,) posteriors of label 1; chance : (2, K) chances of a vote for it, per true label.
    """
    return finish_tables(
        binary.read,
        method,
        settings,
        tables=binary_tables(chance),
        posterior=np.stack([1 - share, share], axis=1),
        prevalence=np.array([1 - prevalence, prevalence]),
        **rest,
    )


def finish_climb(
    binary: Binary,
    method: str,
    settings: Mapping[str, Any],
    climbed: tuple[Climb, list[float]],
    *,
    law: TwoClass,
    parameters: Mapping[str, Any],
    missing: str = SUMMED_OVER,
    **rest: Any,
) -> Aggregation:
    """Return the result of a two-label model whose law the highest of some climbs found."""
    best, heights = climbed
    reached = {"penalised_log_likelihood": best.objective, "start_heights": heights}
    return finish_two(
        binary,
        method,
        settings,
        chance=marginals(law),
        prevalence=law.prevalence,
        end=best.end(settings["tol"]),
        before=missing_note(binary.read.sketch, missing),
        parameters={**parameters, **reached},
        **rest,
    )


def mixture(log_odds: float, negative: Law, positive: Law) -> TwoClass:
    """Return the fitted law of votes from the log-odds of label 1 and the laws given the label."""
    edge = policy.SHARE_EDGE
    return TwoClass(float(np.clip(expit(log_odds), edge, 1 - edge)), negative, positive)


def marginals(law: TwoClass) -> Floats:
    """Return (2, K): each judge's chance of a vote for label 1, per true label."""
    return np.stack([law.negative.marginals(), law.positive.marginals()])


def predict(result: Aggregation, codes: Codes) -> Floats:
    """Return (rows, 2) posteriors of other votes under the fitted law of a two-label method."""
    share = law_of(result).posterior(np.asarray(codes).astype(np.int8))
    return np.stack([1 - share, share], axis=1)
