"""Move an estimate to the nearest evaluation that is logically possible, in whole items.

A finished test is whole numbers: an answer key's counts, and for each judge a table of true labels
by answers whose columns are the observed counts and whose rows fit the key (No-Knowledge Alarms, the axioms
of single judges). Estimates miss them by fractions of an item at best.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from algeval.compare.consistency import Consistency, consistency
from algeval.compare.nearest_program import nearest_key, nearest_table
from algeval.data import Evaluation, Summary
from algeval.data.reading import as_summary
from algeval.errors import DataError, TooLargeError
from algeval.io.sources import Source, read_data
from algeval.result import Result, Status
from algeval.result.tables import Table, scalars
from algeval.result.wording import how_many

__all__ = ["Nearest", "nearest_consistent"]

_MOST_CELLS = 100_000
_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Nearest(Result):
    """The nearest logically possible evaluation.

    Attributes
    ----------
    status : Status
        ok; time_limit where the search for the nearest key was stopped: the evaluation is
        possible, but a nearer one may exist.
    evaluation : Evaluation
        Exact.
    key_counts : (R,) int array
        Items of each true label.
    tables : (N, R, A) int array
        Items of each true label that got each answer, by judge.
    distance : Fraction
        Sum of |moved - estimated| over the key's counts and every cell of every table, in items.
    key_distance : Fraction
        The key's part of it.
    judge_distance : tuple of Fraction
        Each judge's part.
    was_consistent : bool
        Whether the estimate was such whole numbers already (distance 0).
    before : Consistency
        The estimate against the observed counts, with half an item of grace.
    n_items : int
    judges : tuple of str
    """

    schema: ClassVar[str] = "algeval.nearest/1"

    evaluation: Evaluation
    key_counts: Any
    tables: Any
    distance: Fraction
    key_distance: Fraction
    judge_distance: tuple[Fraction, ...]
    was_consistent: bool
    before: Consistency
    n_items: int
    judges: tuple[str, ...]

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per judge: by how many items its table moved; and the evaluation reached."""
        moved = {"judge": self.judges, "items moved": self.judge_distance}
        return Table("Moves", moved), scalars(self), *self.evaluation.as_tables()[:2]

    def summary(self) -> str:
        """Return how far the estimate moved, and which judges most."""
        order = sorted(range(len(self.judges)), key=lambda j: -self.judge_distance[j])
        lines = [self.message, f"Before: {self.before.describe()}."]
        lines += [
            f"  {self.judges[j]}: moved {float(self.judge_distance[j]):.2f} items"
            for j in order[:_SHOWN]
            if self.judge_distance[j]
        ]
        return "\n".join(lines)


def nearest_consistent(
    evaluation: Evaluation,
    data: Source,
    *,
    time_limit: float = 30.0,
) -> Nearest:
    """Return the logically possible evaluation (order 1) nearest to an estimate.

    Use it to report an estimate as whole items that could have happened. It assumes nothing beyond
    the observed counts of each judge; it makes an estimate possible, not better.

    Parameters
    ----------
    evaluation : Evaluation
        Floats or exact, of the judges, labels and answers of `data`. Rows without a value count as
        zero items.
    data : Votes, Sketch, KeyedSketch, Summary, or a table
        A key is not read.
    time_limit : float
        Seconds for the search over answer keys.

    Returns
    -------
    Nearest
        Status ok or time_limit.

    Raises
    ------
    DataError
        If the names differ, or numbers leave [0, 1].
    TooLargeError
        If there are more than 100,000 cells.

    Notes
    -----
    A mixed-integer program finds the key; given it, each judge is a transportation problem, solved
    by itself in whole numbers. Margins and distances are then recomputed exactly: the evaluation is
    possible and so far away. That none is nearer is the word of the solver; it carries no proof.

    Examples
    --------
    >>> s = Summary.from_counts({"i": {"a": 3, "b": 2}})
    >>> guess = Evaluation(("i",), ("a", "b"), ("a", "b"), [0.5, 0.5], [[[0.9, 0.1], [0.3, 0.7]]])
    >>> nearest_consistent(guess, s).tables.tolist()
    [[[2, 0], [1, 2]]]
    """
    data = read_data(data)
    summary = as_summary(data)
    _check(evaluation, summary)
    key_target = [summary.n_items * _fraction(p) for p in evaluation.prevalence.tolist()]
    targets = _targets(evaluation, summary, key_target)
    counts = summary.counts.astype(int).tolist()
    key, proved = nearest_key(key_target, targets, counts, summary.n_items, time_limit)
    tables = [
        nearest_table(target, given, key, summary.n_items)
        for target, given in zip(targets, counts, strict=True)
    ]
    moved = [_distance(table, target) for table, target in zip(tables, targets, strict=True)]
    key_moved = sum((abs(k - t) for k, t in zip(key, key_target, strict=True)), Fraction(0))
    distance = sum(moved, key_moved)
    return Nearest(
        status=Status.OK if proved else Status.TIME_LIMIT,
        message=_message(distance, summary, proved),
        evaluation=Evaluation.from_counts(*summary.axes, key, tables),
        key_counts=np.array(key, np.int64),
        tables=np.array(tables, np.int64),
        distance=distance,
        key_distance=key_moved,
        judge_distance=tuple(moved),
        was_consistent=distance == 0,
        before=consistency(evaluation, summary),
        n_items=summary.n_items,
        judges=summary.judges,
    )


def _message(distance: Fraction, summary: Summary, proved: bool) -> str:
    if distance == 0:
        return "The estimate is logically possible as it stands: whole items with these counts."
    per_judge = float(distance) / len(summary.judges)
    told = (
        f"The nearest logically possible evaluation is {float(distance):.2f} items away "
        f"({per_judge:.2f} per judge, of {how_many(summary.n_items, 'item')})"
    )
    return told + "." if proved else told + ", or nearer: the search was stopped."


def _check(evaluation: Evaluation, summary: Summary) -> None:
    for kind in ("judges", "labels", "answers"):
        if getattr(evaluation, kind) != getattr(summary, kind):
            raise DataError(
                f"evaluation must have the {kind} of the data {list(getattr(summary, kind))}; "
                f"got {list(getattr(evaluation, kind))}"
            )
    if summary.counts.size * len(summary.labels) > _MOST_CELLS:
        raise TooLargeError(
            f"the tables must have at most {_MOST_CELLS} cells; got "
            f"{summary.counts.size * len(summary.labels)}; choose judges with select(judges=...)"
        )
    floats = evaluation.to_floats()
    for name in ("prevalence", "confusion"):
        values = np.nan_to_num(getattr(floats, name))
        if values.min() < -1e-9 or values.max() > 1 + 1e-9:
            raise DataError(
                f"{name} must lie in [0, 1]; got {values.min():.3g}..{values.max():.3g}; "
                "an estimate outside it is no evaluation to move"
            )


def _fraction(value: Any) -> Fraction:
    """Return a number exactly; nothing (None, NaN) counts as 0."""
    if value is None or value != value:
        return Fraction(0)
    if hasattr(value, "sign"):  # a + b sqrt(d): a float is near enough to be moved from
        return Fraction(float(value))
    return Fraction(value)


def _targets(
    evaluation: Evaluation, summary: Summary, key_target: list[Fraction]
) -> list[list[list[Fraction]]]:
    """Return the estimated items of each judge, true label and answer."""
    found = []
    for judge, table in enumerate(evaluation.confusion.tolist()):
        answered = Fraction(int(summary.answered[judge]), summary.n_items)
        rows = []
        for label, row in enumerate(table):
            share = answered
            if evaluation.coverage is not None:
                share = _fraction(evaluation.coverage[judge, label])
            rows.append([key_target[label] * share * _fraction(value) for value in row])
        found.append(rows)
    return found


def _distance(table: list[list[int]], target: list[list[Fraction]]) -> Fraction:
    cells = zip(table, target, strict=True)
    return sum(
        (abs(n - t) for row, wanted in cells for n, t in zip(row, wanted, strict=True)), Fraction(0)
    )
