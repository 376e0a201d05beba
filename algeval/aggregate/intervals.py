"""Intervals of one aggregation: what refits on resampled items say of its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import policy
from algeval.data import Evaluation
from algeval.data.names import expect_schema, positions
from algeval.data.shown import dash_note, shown_accuracy, shown_share, with_interval
from algeval.result import Result, Status, percent
from algeval.result.tables import Table
from algeval.result.wording import how_many

__all__ = ["Bootstrap"]

_Floats = NDArray[np.float64]
_ENDS = ("prevalence", "confusion", "accuracy", "consensus_accuracy")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bootstrap(Result):
    """Intervals of an aggregation from refits on resampled items; see `Aggregation.bootstrap`.

    Attributes
    ----------
    status : Status
        ok; undetermined where fewer than half of the refits ended ok, time_limit where the first
        ones showed that all of them would take too long (all ends are NaN then).
    method : str
    settings : dict
        Those of the fit, used for every refit.
    judges, labels, answers : tuples of str
    n_items : int
    n, n_failed, level, seed
        Refits asked for; those that did not end ok, which are left out; the level of every
        interval by itself; the seed of the resampling.
    evaluation : Evaluation
        The fit's own, which the intervals are around.
    consensus : float
        Expected share of right consensus labels if the posteriors of the fit were right: the mean
        over items of the top posterior. It is no accuracy against a key: that judges share errors,
        or the model is wrong, is not in it. Methods that hold posteriors back for shared errors
        ('recommended', 'pooled-dawid-skene') make it low on purpose; of a method whose
        posteriors are shares of votes it is the mean share of the winner.
    prevalence : (R, 2) array
        Lower and upper end, shares from 0 to 1; so are all below.
    confusion : (N, R, A, 2) array
        NaN in rows that rest on less than one expected item.
    accuracy : (N, 2) array
        Each judge's share of right answers over the items it answered (`Evaluation.grade`).
    consensus_accuracy : (2,) array
        Of `consensus`. It says how `consensus` varies from one set of items to another, not how
        far it lies from the truth.
    warnings : tuple of str
    """

    schema: ClassVar[str] = "algeval.aggregation_bootstrap/1"

    method: str
    settings: dict[str, Any]
    judges: tuple[str, ...]
    labels: tuple[str, ...]
    answers: tuple[str, ...]
    n_items: int
    n: int
    n_failed: int
    level: float
    seed: int
    evaluation: Evaluation
    consensus: float
    prevalence: _Floats
    confusion: _Floats
    accuracy: _Floats
    consensus_accuracy: _Floats
    warnings: tuple[str, ...] = field(default=())

    def prevalence_of(self, label: object) -> tuple[float, float]:
        """Return the interval of the share of items whose true label is `label`."""
        (place,) = positions("label", [label], self.labels)
        return _pair(self.prevalence[place])

    def accuracy_of(self, judge: object, label: object | None = None) -> tuple[float, float]:
        """Return the interval of a judge's accuracy: on items of one label, or on all it answered."""
        (i,) = positions("judge", [judge], self.judges)
        if label is None:
            return _pair(self.accuracy[i])
        (t,) = positions("label", [label], self.labels)
        return _pair(self.confusion[i, t, t])

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per number: quantity, judge, label, answer, value, lower, upper."""
        truth = self.evaluation
        rows: list[tuple[Any, ...]] = [
            ("consensus", None, None, None, self.consensus, *self.consensus_accuracy)
        ]
        for t, label in enumerate(self.labels):
            ends = self.prevalence[t]
            rows.append(("prevalence", None, label, None, truth.prevalence[t], *ends))
        for i, judge in enumerate(self.judges):
            rows.append(("accuracy", judge, None, None, truth.grade(judge), *self.accuracy[i]))
        for i, t, a in np.ndindex(self.confusion.shape[:3]):
            named = ("confusion", self.judges[i], self.labels[t], self.answers[a])
            rows.append((*named, truth.confusion[i, t, a], *self.confusion[i, t, a]))
        names = ("quantity", "judge", "label", "answer", "value", "lower", "upper")
        return (Table.of_rows("Intervals", names, rows),)

    def summary(self) -> str:
        """Return the estimates with their intervals, one judge a line."""
        return "\n".join([self.message, *self.lines(), *(f"Note: {w}" for w in self.warnings)])

    def lines(self) -> list[str]:
        """Return one line for the prevalence, the consensus and each judge, with intervals."""
        consensus = with_interval(shown_share(self.consensus), self.consensus_accuracy)
        lines = [
            *judge_lines(self.evaluation, self.n_items, self),
            f"consensus labels expected right, if the posteriors are: {consensus}",
        ]
        note = dash_note([self.evaluation], self.n_items)
        return [*lines, note] if note else lines

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        expect_schema(document, cls.schema)
        body = {name: value for name, value in document.items() if name != "schema"}
        n, r, a = (len(body[name]) for name in ("judges", "labels", "answers"))
        shapes = ((r, 2), (n, r, a, 2), (n, 2), (2,))
        ends = {
            name: np.array(_known(body[name]), float).reshape(shape)
            for name, shape in zip(_ENDS, shapes, strict=True)
        }
        names = {name: tuple(body[name]) for name in ("judges", "labels", "answers", "warnings")}
        told = {
            "status": Status(body["status"]),
            "evaluation": Evaluation.from_dict(body["evaluation"]),
        }
        return cls(**body | names | told | ends)


def judge_lines(
    evaluation: Evaluation, n_items: int, intervals: Bootstrap | None = None
) -> list[str]:
    """Return a line of prevalences and one a judge, with intervals where there are any."""
    shares = [
        f"{label} {with_interval(shown_share(share), None if intervals is None else ends)}"
        for label, share, ends in zip(
            evaluation.labels,
            evaluation.prevalence.tolist(),
            evaluation.prevalence if intervals is None else intervals.prevalence,
            strict=True,
        )
    ]
    lines = ["prevalence: " + ", ".join(shares)]
    for i, judge in enumerate(evaluation.judges[: policy.MOST_SHOWN]):
        told = ", ".join(
            f"{label} "
            + with_interval(
                shown_accuracy(evaluation, i, t, n_items),
                None if intervals is None else intervals.confusion[i, t, t],
            )
            for t, label in enumerate(evaluation.labels)
        )
        lines.append(f"{judge}: right on {told}")
    left_out = len(evaluation.judges) - policy.MOST_SHOWN
    return lines + [f"... and {left_out} more judges"] * (left_out > 0)


def level_words(intervals: Bootstrap) -> str:
    """Return the sentence that says what the brackets are."""
    made = intervals.n - intervals.n_failed
    return (
        f"In brackets: {percent(intervals.level, 0)} intervals in percent, from {how_many(made, 'refit')} on "
        "resampled items."
    )


def _pair(ends: _Floats) -> tuple[float, float]:
    return float(ends[0]), float(ends[1])


def _known(nested: Any) -> Any:
    """Return nested lists with NaN for null."""
    if isinstance(nested, list):
        return [_known(part) for part in nested]
    return np.nan if nested is None else nested
