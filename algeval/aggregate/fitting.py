"""What the aggregators of yes/no votes share: settings read, warnings, results put together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate.inputs import Patterns, read_patterns
from algeval.aggregate.prevalence import PrevalenceRule, read_prevalence
from algeval.aggregate.results import Aggregation, Floats, assemble
from algeval.data import Evaluation, KeyedSketch, Sketch, Votes
from algeval.errors import DataError
from algeval.models.binary import logit
from algeval.result import Status

Data = Votes | Sketch | KeyedSketch


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
        return int((self.votes >= 0).any(axis=0).sum())


def read_binary(data: Data, prevalence: Any) -> Binary:
    """Read two-label votes and the prevalence setting, or say what is wrong with them."""
    read = read_patterns(data)
    sketch = read.sketch
    if sketch.n_answers != 2:
        raise DataError(
            f"this model must have exactly two answers; got {list(sketch.answers)}; "
            "code other answers as not answered, or use method 'dawid-skene'"
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
    share = float(rule.fixed[1])
    if not 0 < share < 1:
        raise DataError(
            f"prevalence must give both labels a positive share; got {rule.fixed.tolist()}; "
            "with one label only there is nothing to find"
        )
    return float(logit(share))


def check_number(name: str, value: float, *, least: float, strict: bool = False) -> float:
    """Return a finite number that is at least (or above) a bound, or say what is wrong."""
    number = float(value)
    if not np.isfinite(number) or number < least or (strict and number == least):
        bound = f"above {least:g}" if strict else f"at least {least:g}"
        raise DataError(f"{name} must be {bound}; got {value}; change it")
    return number


def check_whole(name: str, value: int, least: int = 1) -> int:
    """Return a whole number of at least `least`, or say what is wrong."""
    if isinstance(value, bool) or int(value) != value or value < least:
        raise DataError(f"{name} must be a whole number of at least {least}; got {value!r}")
    return int(value)


def evaluation_of(
    sketch: Sketch, chance: Floats, posterior: Floats, prevalence: Floats | None = None
) -> Evaluation:
    """Return the evaluation of (2, K) chances of answering the second label, per true label.

    Coverage comes from the posterior; the prevalence too, unless it is given.
    """
    confusion = np.stack([1 - chance.T, chance.T], axis=2)
    return table_evaluation(sketch, confusion, posterior, prevalence)


def table_evaluation(
    sketch: Sketch, confusion: Floats, posterior: Floats, prevalence: Floats | None
) -> Evaluation:
    """Return the evaluation of (K, R, A) confusion tables with coverage from the posterior."""
    weight = posterior * sketch.counts[:, None]
    total = weight.sum(axis=0)
    answered = (sketch.codes >= 0).astype(float)
    coverage = (answered.T @ weight) / np.maximum(total, 1e-300)
    shares = total / total.sum() if prevalence is None else prevalence
    return Evaluation(
        sketch.judges,
        sketch.labels,
        sketch.answers,
        shares,
        confusion,
        None if sketch.complete else np.minimum(coverage, 1.0),
    )


def data_warnings(sketch: Sketch, how_missing: str) -> list[str]:
    """Return one sentence each on votes left out and on judges who disagree with everybody."""
    told = []
    missing = int(sketch.missing.sum())
    if missing:
        told.append(f"{missing} votes are missing; {how_missing}.")
    return told


def suspect_warnings(evaluation: Evaluation) -> list[str]:
    """Return a sentence naming judges who look no better than chance."""
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


def refused(read: Patterns, method: str, settings: Mapping[str, Any], why: str) -> Aggregation:
    """Return the result of a model that these judges cannot identify: uniform, nothing decided."""
    sketch = read.sketch
    uniform = np.full((len(sketch), sketch.n_labels), 1 / sketch.n_labels)
    return assemble(
        read,
        method=method,
        settings=settings,
        message=why,
        posterior=uniform,
        evaluation=None,
        status=Status.NOT_IDENTIFIABLE,
        converged=False,
    )
