"""Evaluations: prevalence and confusion tables, and how they are shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from algeval.data.names import (
    Axes,
    axes_in,
    axes_to_dict,
    check_axes,
    expect_schema,
    positions,
    set_fields,
)
from algeval.errors import DataError
from algeval.result import Exact, from_json_number, percent, to_json
from algeval.result.numbers import ByValue, expression, grid, name, rounded, short_list
from algeval.result.tables import Table, Tabled

# --- What every method estimates: prevalences and one confusion table per judge.


Number = Exact | float


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation(Axes, Tabled, ByValue):
    """Prevalences and confusion tables: an estimate, a truth or a logical witness.

    Parameters
    ----------
    judges, labels, answers : sequences of str
        Names of the axes.
    prevalence : (R,) array
        Share of items with each true label.
    confusion : (N, R, A) array
        confusion[judge, true, answered]; rows sum to 1. A row is None (NaN in floats) where the
        judge answered no item of that label, so that nothing can be said.
    coverage : (N, R) array, optional
        Share of the items of each true label that the judge answered; 1 everywhere if left out.

    Arrays of dtype object hold exact numbers (fractions or a + b*sqrt(d)); otherwise floats.

    Raises
    ------
    DataError
        If the shapes do not fit the names.
    """

    frame_table: ClassVar[int] = 2

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    answers: tuple[str, ...]
    prevalence: NDArray[Any]
    confusion: NDArray[Any]
    coverage: NDArray[Any] | None = None

    def __post_init__(self) -> None:
        judges, labels, answers = check_axes(*self.axes)
        n, r, a = len(judges), len(labels), len(answers)
        coverage = self.coverage
        set_fields(
            self,
            judges=judges,
            labels=labels,
            answers=answers,
            prevalence=_shaped("prevalence", self.prevalence, (r,)),
            confusion=_shaped("confusion", self.confusion, (n, r, a)),
            coverage=None if coverage is None else _shaped("coverage", coverage, (n, r)),
        )

    @classmethod
    def from_counts(
        cls,
        judges: Iterable[object],
        labels: Iterable[object],
        answers: Iterable[object],
        key_counts: ArrayLike,
        tables: ArrayLike,
    ) -> Self:
        """Build the exact evaluation from item counts.

        Parameters
        ----------
        key_counts : (R,) int array
            How many items have each true label.
        tables : (N, R, A) int array
            How many items of each true label got each answer from each judge.
        """
        key = [int(v) for v in np.asarray(key_counts, dtype=object).tolist()]
        total = sum(key)
        counts = np.asarray(tables, dtype=object)
        confusion = np.empty(counts.shape, dtype=object)
        coverage = np.empty(counts.shape[:2], dtype=object)
        for cell in np.ndindex(counts.shape[:2]):
            row = [int(v) for v in counts[cell].tolist()]
            answered = sum(row)
            confusion[cell] = [Fraction(v, answered) if answered else None for v in row]
            coverage[cell] = Fraction(answered, key[cell[1]]) if key[cell[1]] else None
        prevalence = np.array([Fraction(v, total) if total else None for v in key], dtype=object)
        full = all(share is None or share == 1 for share in coverage.ravel())
        return cls(
            *check_axes(judges, labels, answers), prevalence, confusion, None if full else coverage
        )

    @property
    def exact(self) -> bool:
        """Whether the numbers are exact."""
        return self.confusion.dtype == object

    def prevalence_of(self, label: object) -> Number | None:
        """Share of items whose true label is `label`."""
        (position,) = positions("label", [label], self.labels)
        value: Number | None = self.prevalence[position]
        return value

    def accuracy(self, judge: object, label: object) -> Number | None:
        """How often the judge is right on items of this label; None if it answered none."""
        (i,) = positions("judge", [judge], self.judges)
        (t,) = positions("label", [label], self.labels)
        return _number_or_none(self.confusion[i, t, t])

    def grade(self, judge: object) -> Number | None:
        """Judge's share of correct answers over all the items it answered."""
        (i,) = positions("judge", [judge], self.judges)
        correct: Any = 0
        answered: Any = 0
        for t in range(len(self.labels)):
            right = _number_or_none(self.confusion[i, t, t])
            share = 1 if self.coverage is None else _number_or_none(self.coverage[i, t])
            if right is None or share is None:
                continue
            correct = correct + self.prevalence[t] * share * right
            answered = answered + self.prevalence[t] * share
        return correct / answered if answered else None

    def accuracies(self) -> NDArray[Any]:
        """Return (N, R): the diagonal of every confusion table."""
        diagonal = np.arange(len(self.labels))
        return self.confusion[:, diagonal, diagonal]

    def to_floats(self) -> Evaluation:
        """Same evaluation in floating point (None becomes NaN)."""
        if not self.exact:
            return self
        coverage = None if self.coverage is None else _floats(self.coverage)
        return Evaluation(*self.axes, _floats(self.prevalence), _floats(self.confusion), coverage)

    def to_dict(self) -> dict[str, Any]:
        """JSON types (schema `algeval.evaluation/1`)."""
        return {
            "schema": "algeval.evaluation/1",
            **axes_to_dict(self),
            "exact": bool(self.exact),
            "prevalence": to_json(self.prevalence),
            "confusion": to_json(self.confusion),
            "coverage": to_json(self.coverage),
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        expect_schema(document, "algeval.evaluation/1")
        dtype = object if document["exact"] else float
        n, r, a = map(len, axes_in(document))
        coverage = document.get("coverage")
        return cls(
            *axes_in(document),
            _read(document["prevalence"], (r,), dtype),
            _read(document["confusion"], (n, r, a), dtype),
            None if coverage is None else _read(coverage, (n, r), dtype),
        )

    def __repr__(self) -> str:
        kind = "exact" if self.exact else "float"
        return f"Evaluation({len(self.judges)} judges, labels {short_list(self.labels)}, {kind})"

    def __hash__(self) -> int:
        return hash(self.axes)

    def as_tables(self) -> tuple[Table, ...]:
        """Accuracies, the prevalences, and every cell of the confusion tables.

        `to_frame` returns the last: a row per judge, true label and answer.
        """
        accuracies = self.accuracies()
        by_judge: dict[str, Any] = {"judge": self.judges}
        by_judge |= {f"on {label}": accuracies[:, t] for t, label in enumerate(self.labels)}
        shares: dict[str, Any] = {"label": self.labels, "prevalence": self.prevalence}
        cells = [
            (judge, label, answer, self.confusion[i, t, a])
            for i, judge in enumerate(self.judges)
            for t, label in enumerate(self.labels)
            for a, answer in enumerate(self.answers)
        ]
        names = ("judge", "label", "answer", "value")
        return (
            Table("Accuracies", by_judge),
            Table("Prevalences", shares),
            Table.of_rows("Confusion tables", names, cells),
        )

    def _repr_latex_(self) -> str:
        head = ["", name("prevalence"), *(name(judge) for judge in self.judges)]
        accuracies = zip(self.labels, self.prevalence, self.accuracies().T, strict=True)
        rows = [[name(label), *map(expression, (p, *right))] for label, p, right in accuracies]
        return grid([head, *rows], "l" + "r" * (1 + len(self.judges)))


def _number_or_none(value: Any) -> Number | None:
    return None if value is None or value != value else value


def _shaped(name: str, value: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    array = np.asarray(value)
    if array.shape != shape:
        raise DataError(
            f"{name} must have shape {shape}; got {array.shape}; axis order is judge, label"
        )
    return np.array(array, dtype=object if array.dtype == object else float)


def _floats(array: NDArray[Any]) -> NDArray[np.float64]:
    flat = [np.nan if value is None else float(value) for value in array.ravel().tolist()]
    return np.array(flat, float).reshape(array.shape)


def _read(nested: Any, shape: tuple[int, ...], dtype: type) -> NDArray[Any]:
    flat: list[Any] = [nested]
    for _ in shape:
        flat = [item for part in flat for item in part]
    result: NDArray[Any] = np.empty(len(flat), dtype)
    for position, value in enumerate(flat):
        number = from_json_number(value)
        result[position] = np.nan if number is None and dtype is float else number
    return result.reshape(shape)


# --- How shares and accuracies are shown: a percentage, or a dash where none can be meant, and why.


DASH = "-"
_ROUNDING = 1e-9  # a share that misses [0, 1] by less was rounded out of it
_NARROW = 2.0  # intervals of fewer percents are shown in tenths


def is_share(value: Any) -> bool:
    """Whether a number is known and lies in [0, 1], up to rounding."""
    return value is not None and value == value and -_ROUNDING <= float(value) <= 1 + _ROUNDING


def shown_share(value: Any, digits: int = 1) -> str:
    """Percentage from 0 to 100, or a dash."""
    return percent(min(max(float(value), 0.0), 1.0), digits) if is_share(value) else DASH


def with_interval(text: str, ends: Any) -> str:
    """Percentage with its interval in whole percents, in tenths if narrower than two; a dash stays a dash."""
    if text == DASH or ends is None or not all(map(is_share, ends)):
        return text
    low, high = ends
    digits = 1 if 100 * (float(high) - float(low)) < _NARROW else 0
    return f"{text} ({rounded(low, digits, 100)}-{rounded(high, digits, 100)})"


def items_behind(evaluation: Evaluation, judge: int, label: int, n_items: int) -> float:
    """How many items an accuracy rests on: those of the label that the judge answered."""
    share = evaluation.prevalence[label]
    covered = 1 if evaluation.coverage is None else evaluation.coverage[judge, label]
    is_covered = is_share(share) and covered is not None and covered == covered
    return n_items * float(share) * float(covered) if is_covered else 0.0


def shown_accuracy(evaluation: Evaluation, judge: int, label: int, n_items: int) -> str:
    """Accuracy as a percentage, or a dash where it leaves [0, 1] or rests on no item."""
    if items_behind(evaluation, judge, label, n_items) < 1 - _ROUNDING:
        return DASH
    return shown_share(evaluation.confusion[judge, label, label])


def dash_note(evaluations: Iterable[Evaluation], n_items: int) -> str:
    """Sentence that says what the dashes of these evaluations mean; empty for none."""
    outside = thin = False
    for e in evaluations:
        accuracies = e.accuracies()
        numbers = [v for v in (*e.prevalence, *accuracies.ravel()) if v is not None and v == v]
        outside = outside or not all(map(is_share, numbers))
        thin = thin or any(
            items_behind(e, i, t, n_items) < 1 - _ROUNDING
            for i in range(len(e.judges))
            for t in range(len(e.labels))
            if is_share(e.prevalence[t])
        )
    reasons = ["no share leaves 0% to 100%, and no accuracy is known on one that does"] * outside
    reasons += ["an accuracy that rests on less than one item says nothing"] * thin
    return f"A dash: {'; '.join(reasons)}." if reasons else ""
