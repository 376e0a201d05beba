"""What the aggregators of yes/no votes share: settings read, warnings, results put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate.inputs import Patterns, read_patterns
from algeval.aggregate.results import Aggregation, Floats, assemble
from algeval.data import Evaluation, KeyedSketch, Sketch, Votes
from algeval.data.names import positions
from algeval.errors import DataError
from algeval.models.binary import logit
from algeval.result import Status

Prevalence = float | Sequence[float] | Mapping[str, float] | None
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
    log_odds: float | None
    prior: tuple[float, float]


def read_binary(data: Data, prevalence: Prevalence, prevalence_prior: Prevalence) -> Binary:
    """Read two-label votes and the prevalence settings, or say what is wrong with them."""
    read = read_patterns(data)
    sketch = read.sketch
    if sketch.n_answers != 2:
        raise DataError(
            f"this model must have exactly two answers; got {list(sketch.answers)}; "
            "code other answers as not answered, or use method 'dawid-skene'"
        )
    shares = read_shares("prevalence", prevalence, sketch.labels)
    prior = read_prior(prevalence_prior, sketch.labels)
    return Binary(
        read=read,
        votes=sketch.codes.astype(np.int8),
        counts=sketch.counts,
        log_odds=None if shares is None else float(logit(shares[1])),
        prior=(float(prior[1]), float(prior[0])),
    )


def read_shares(name: str, value: Prevalence, labels: tuple[str, ...]) -> Floats | None:
    """Return (R,) known shares of the labels, or None when they are free.

    A single number is the share of the second of two labels.
    """
    if value is None:
        return None
    shares = _by_label(name, value, labels)
    if (shares <= 0).any() or abs(shares.sum() - 1) > 1e-6:
        raise DataError(
            f"{name} must be positive shares that add up to 1; got {shares.tolist()}; "
            "give one share per label, or leave it out to estimate them"
        )
    result: Floats = shares / shares.sum()
    return result


def read_prior(value: Prevalence, labels: tuple[str, ...]) -> Floats:
    """Return (R,) Dirichlet weights of the prevalence; 1 for every label is flat."""
    if value is None or isinstance(value, int | float):
        weights = np.full(len(labels), 1.0 if value is None else float(value))
    else:
        weights = _by_label("prevalence_prior", value, labels)
    if not (np.isfinite(weights).all() and (weights >= 1).all()):
        raise DataError(
            f"prevalence_prior must be at least 1 per label; got {weights.tolist()}; "
            "1 is flat, 1 + m is worth m items of that label"
        )
    return weights


def _by_label(
    name: str, value: float | Sequence[float] | Mapping[str, float], labels: tuple[str, ...]
) -> Floats:
    if isinstance(value, Mapping):
        positions("label", value, labels)
        if len(value) < len(labels):
            raise DataError(f"{name} must name every label {list(labels)}; got {list(value)}")
        return np.array([float(value[label]) for label in labels])
    if isinstance(value, int | float):
        if len(labels) != 2:
            raise DataError(f"{name} must be one number per label {list(labels)}; got {value}")
        return np.array([1 - float(value), float(value)])
    result = np.asarray(value, float)
    if result.shape != (len(labels),):
        raise DataError(
            f"{name} must be one number per label {list(labels)}; got {result.tolist()}"
        )
    return result


def plain(value: Prevalence) -> Any:
    """Return a prevalence setting as JSON types, for the result to echo."""
    if value is None or isinstance(value, int | float):
        return value
    if isinstance(value, Mapping):
        return {str(label): float(share) for label, share in value.items()}
    return [float(share) for share in value]


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
