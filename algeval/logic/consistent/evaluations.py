"""The evaluations consistent with the counts, and the counts of the paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import comb, prod
from typing import ClassVar

from algeval.data.settings import check_choice
from algeval.errors import DataError, TooLargeError
from algeval.io.sources import Source, read_data
from algeval.logic.consistent.by_program import most_programs, points_by_program, size_of_code
from algeval.logic.consistent.cells import Rows, read_rows
from algeval.logic.consistent.counting import points_1
from algeval.logic.consistent.lattice import correct_counts, count_keys
from algeval.logic.consistent.listing import Listing
from algeval.logic.consistent.tables import Key, refuse
from algeval.logic.policy import (
    MOST_CODES,
    MOST_LATTICE_KEYS,
    MOST_PROGRAMS,
    MOST_ROWS_OF_POINTS,
)
from algeval.logic.results import LogicResult, Point
from algeval.result import Status
from algeval.result.tables import Table, scalars
from algeval.result.wording import how_many

__all__ = ["EvaluationSet", "count_after_inequalities", "count_conceivable", "evaluations"]

Built = tuple[int, Callable[[], Iterator[Point]]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EvaluationSet(Listing[Point]):
    """The evaluations consistent with the counts, enumerated lazily.

    Iterating yields `Point` after `Point`, answer keys in descending lexicographic order.
    As long as `count`, up to Python's `sys.maxsize`; true when there is one.

    Attributes
    ----------
    count : int
        How many there are, known without enumerating them (engine "lattice").
    key_counts : tuple of int or None
        The answer-key counts asked for; None means all of the Q-complex.
    engine : "lattice" or "pulp"
        How they are found.
    """

    schema: ClassVar[str] = "algeval.evaluations/1"

    def as_tables(self) -> tuple[Table, ...]:
        """Return how many there are, and a row for each if they are not more than 10,000.

        A row has the items of each label in the answer key, and how many of them each judge has right.
        """
        return (scalars(self), *([self._points()] if self.count <= MOST_ROWS_OF_POINTS else []))

    def one_table(self, title: str | None = None) -> Table:
        """Return the evaluations, or the table of this title; see `to_frame`."""
        if title is not None:
            return LogicResult.one_table(self, title)
        if self.count > MOST_ROWS_OF_POINTS:
            raise DataError(
                f"a table must have at most {MOST_ROWS_OF_POINTS} evaluations; got {self.count}; list the "
                "first ones by iterating, ask for one answer key with key_counts=, draw some with "
                "sample_consistent, or take the table 'In short'"
            )
        return self._points()

    def _points(self) -> Table:
        points = list(self)
        key = {
            f"items of {label}": [p.key_counts[t] for p in points]
            for t, label in enumerate(self.labels)
        }
        correct = {
            f"{judge} right on {label}": [p.correct[i][t] for p in points]
            for i, judge in enumerate(self.judges)
            for t, label in enumerate(self.labels)
        }
        return Table("Evaluations", key | correct)


def evaluations(
    data: Source,
    *,
    key_counts: Sequence[int] | None = None,
    order: int = 1,
    engine: str = "lattice",
    missing: str = "excluded",
    q: Sequence[int] | None = None,
) -> EvaluationSet:
    """Return the evaluations that could have produced the counts, enumerated lazily.

    A point is the answer-key counts and, per judge and label, how many items were answered
    correctly. Use it on small exams, to see the set that alarms and bounds speak of.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary, or a table
        What the judges answered; a key is never read.
    key_counts : (R,) ints, optional
        One point of the Q-complex: how many items have each label. All of them if left out.
    order : 1
        Only each judge's own counts are read.
    engine : "lattice" or "pulp"
        Closed-form enumeration, or an integer program solved once per point, at one key once per
        judge and point of that judge (small exams only).
    missing : "excluded" or "wrong"
        Echoed; an item left unanswered is one that was not answered correctly, under either rule.
    q : (R,) ints, optional
        The paper's name for `key_counts`.

    Returns
    -------
    EvaluationSet
        `count` without enumerating; iterate for the points, in descending lexicographic order.

    Raises
    ------
    DataError
        If the data, the key, the order or the engine breaks a rule.
    TooLargeError
        If counting would go through too many answer keys; pass key_counts.

    Notes
    -----
    No-Knowledge Alarms, section II. The printed counts 285 and 235 are 286 and 210.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> found = evaluations(Summary.from_counts({"x": {"a": 4, "b": 6}}))
    >>> found.count, next(iter(found)).key_counts
    (35, (10, 0))
    """
    data = read_data(data)
    if order != 1:
        raise DataError(f"order must be 1 for evaluations; got {order!r}; leave it out")
    if q is not None and key_counts is not None:
        raise DataError(f"q must be left out with key_counts; got q={q!r}; they mean the same")
    check_choice("engine", engine, tuple(_ENGINES))
    rows = read_rows(data, order, missing)
    key = rows.key(q if key_counts is None else key_counts)
    count, lister = _ENGINES[engine](rows, key)
    where = "" if key is None else " at this answer key"
    judges = how_many(rows.exam.n_judges, "judge")
    told = how_many(count, f"evaluation{where} is", f"evaluations{where} are")
    return EvaluationSet(
        status=Status.OK,
        message=f"{told} consistent with how {judges} answered.",
        count=count,
        key_counts=key,
        engine=engine,
        lister=lister,
        **rows.exam.echo(1),
    )


def _lattice(rows: Rows, key: Key | None) -> Built:
    return points_1(rows, key), partial(_points, rows, key)


def _points(rows: Rows, key: Key | None) -> Iterator[Point]:
    given = [row[: rows.labels] for row in rows.exam.counts]
    for q in rows.keys(key):
        for correct in product(*(list(correct_counts(row, q)) for row in given)):
            yield Point(q, correct)


def _pulp(rows: Rows, key: Key | None) -> Built:
    if key is None:
        size = size_of_code(rows)
        told = f"the integer program would number {size} possible points, more than {MOST_CODES}"
        if size > MOST_CODES:
            raise TooLargeError(f"{told}; use engine='lattice', or key_counts= for one answer key")
    elif (programs := most_programs(rows, key)) > MOST_PROGRAMS:
        raise TooLargeError(
            f"up to {programs} integer programs would be solved, more than {MOST_PROGRAMS}; use "
            "engine='lattice' or fewer items and judges"
        )
    found = tuple(points_by_program(rows, key))
    return len(found), partial(iter, found)


_ENGINES: dict[str, Callable[[Rows, Key | None], Built]] = {"lattice": _lattice, "pulp": _pulp}


def count_conceivable(n_items: int, n_labels: int) -> int:
    """Count the evaluations of one judge before anything is observed.

    These are the answer-key counts with at most as many correct answers of each label (No-Knowledge Alarms
    prints 285 for ten items and two labels beside the 286 of its own formula).

    Examples
    --------
    >>> count_conceivable(10, 2)
    286
    """
    return comb(n_items + 2 * n_labels - 1, 2 * n_labels - 1)


def count_after_inequalities(data: Source) -> int:
    """Count the evaluations with no more correct answers of a label than answers observed.

    Several judges are counted together. No-Knowledge Alarms prints 235 in one place and 210 in another for
    one judge with counts (4, 6).

    Raises
    ------
    TooLargeError
        If there are too many answer keys to go through.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> count_after_inequalities(Summary.from_counts({"x": {"a": 4, "b": 6}}))
    210
    """
    data = read_data(data)
    rows = read_rows(data, 1)
    n_keys = count_keys(rows.exam.n_items, rows.labels)
    refuse(n_keys, "counting key by key", "use fewer items", most=MOST_LATTICE_KEYS)
    return sum(
        prod(min(r, v) + 1 for row in rows.exam.counts for r, v in zip(row, key, strict=False))
        for key in rows.keys(None)
    )
