"""Standard errors of a decoded binary trio whose judges err independently."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from algeval.algebra.correlation.sensitivity import (
    GROUPS,
    Floats,
    binary_trio,
    coefficients,
    rates_of,
)
from algeval.algebra.decoding.results import Decoding
from algeval.data import Evaluation
from algeval.data.names import read_only
from algeval.data.settings import check_choice, check_whole
from algeval.data.shown import shown_share
from algeval.errors import DataError
from algeval.result import Result, Status, percent
from algeval.result.tables import Table
from algeval.result.wording import how_many

__all__ = ["ErrorBars", "error_bars"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ErrorBars(Result):
    """Standard errors of a decoded binary trio whose judges err independently.

    Attributes
    ----------
    of : str
        "exam": distance from the truth on this very test. "population": distance from the rates
        in the population the test was drawn from, which adds the luck of the draw.
    prevalence : float
        Standard error of the share of the first (and of the second) label.
    accuracies : (3, 2) float array
        Standard errors of every judge's accuracy on every label.
    """

    schema: ClassVar[str] = "algeval.error_bars/1"

    of: str
    n_items: int
    judges: tuple[str, ...]
    labels: tuple[str, ...]
    evaluation: Evaluation
    prevalence: float
    accuracies: Floats

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per number: quantity, judge, label, value, standard error."""
        truth = self.evaluation
        rows: list[tuple[Any, ...]] = [
            ("prevalence", None, label, truth.prevalence_of(label), self.prevalence)
            for label in self.labels
        ]
        rows += [
            ("accuracy", judge, label, truth.accuracy(judge, label), self.accuracies[i, t])
            for i, judge in enumerate(self.judges)
            for t, label in enumerate(self.labels)
        ]
        names = ("quantity", "judge", "label", "value", "standard error")
        return (Table.of_rows("Standard errors", names, rows),)

    def summary(self) -> str:
        """Return the estimates with their standard errors."""
        lines = [self.message]
        for t, label in enumerate(self.labels):
            share = float(self.evaluation.prevalence[t])
            lines.append(f"  {label}: {shown_share(share)} +- {percent(self.prevalence)}")
            for i, judge in enumerate(self.judges):
                value = float(self.evaluation.confusion[i, t, t])
                lines.append(
                    f"    {judge}: {shown_share(value)} +- {percent(self.accuracies[i, t])}"
                )
        return "\n".join(lines)


def error_bars(
    evaluation: Evaluation | Decoding,
    n_items: int | None = None,
    *,
    of: Literal["exam", "population"] = "exam",
) -> ErrorBars:
    """Return first-order standard errors, assuming the judges err independently.

    Use it on a decoding whose status is ok, irrational or not_integral. It says nothing about
    correlated judges: for those see `sensitivity`.

    Parameters
    ----------
    evaluation : Evaluation or Decoding
        Two labels, three judges; a decoding stands for its `best`.
    n_items : int
        Size of the test; taken from a decoding.
    of : {"exam", "population"}
        What the estimate is of: the truth on these items, or the rates they were drawn from.

    Notes
    -----
    "exam": on a finite test independent judges have sample correlations of variance
    v v / Q_t and v v v / Q_t with v = P (1 - P); they enter through `sensitivity`.
    "population": multinomial covariance of the frequencies through the inverse Jacobian.
    """
    chosen = binary_trio(evaluation)
    if n_items is None:
        if not isinstance(evaluation, Decoding):
            raise DataError("n_items must be given with an evaluation; pass n_items=")
        n_items = evaluation.n_used
    n_items = check_whole("n_items", n_items)
    check_choice("of", of, ("exam", "population"))
    p, accuracy = rates_of(chosen)
    if not (0 < p < 1 and ((accuracy >= 0) & (accuracy <= 1)).all()):
        raise DataError(
            "the evaluation must lie in [0, 1] with both labels present; it does not; "
            "error bars assume independent judges"
        )
    variances = _exam_variances if of == "exam" else _population_variances
    errors = np.sqrt(variances(p, accuracy) / n_items)
    what = "on these items" if of == "exam" else "in the population the items were drawn from"
    return ErrorBars(
        status=Status.OK,
        message=f"Standard errors of the rates {what}, if the judges err independently "
        f"({how_many(n_items, 'item')}).",
        of=of,
        n_items=n_items,
        judges=chosen.judges,
        labels=chosen.labels,
        evaluation=chosen,
        prevalence=float(errors[0]),
        accuracies=read_only(errors[1:].reshape(3, 2)),
    )


def _exam_variances(p: float, accuracy: Floats) -> Floats:
    """Return Q times the variances of p and the six accuracies around the exam's own truth."""
    into_p, into_accuracy = coefficients(p, accuracy)
    v = accuracy * (1 - accuracy)
    spread = np.array([v[list(group)].prod(0) for group in GROUPS]) / np.array([p, 1 - p])
    rows = np.concatenate([into_p[None], into_accuracy.reshape(6, 4, 2)])
    result: Floats = (rows**2 * spread).sum((1, 2))
    return result


def _population_variances(p: float, accuracy: Floats) -> Floats:
    """Return Q times the variances of p and the six accuracies under multinomial sampling."""
    cells = np.array(list(np.ndindex(2, 2, 2)))
    on_a = np.where(cells == 0, accuracy[:, 0], 1 - accuracy[:, 0])
    on_b = np.where(cells == 1, accuracy[:, 1], 1 - accuracy[:, 1])
    f = p * on_a.prod(1) + (1 - p) * on_b.prod(1)
    jacobian = np.zeros((8, 7))
    jacobian[:, 0] = on_a.prod(1) - on_b.prod(1)
    for i in range(3):
        rest = [n for n in range(3) if n != i]
        jacobian[:, 1 + 2 * i] = p * np.where(cells[:, i] == 0, 1, -1) * on_a[:, rest].prod(1)
        jacobian[:, 2 + 2 * i] = (1 - p) * np.where(cells[:, i] == 1, 1, -1) * on_b[:, rest].prod(1)
    covariance = np.diag(f) - np.outer(f, f)
    inverse = np.linalg.pinv(jacobian)
    return np.diag(inverse @ covariance @ inverse.T).copy()
