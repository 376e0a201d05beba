"""How an order lays its observed counts on the labels, and the conditions of any specification.

A layout knows the totals of an order (decision tuples, pairs of answers, answers of one judge), how
they hang together, and which shares add up to the correct answers C[i,t] and to the items D[i,t] that
a judge is held to. It is built once for an exam; `program` adds the rows of one specification, named
as the certificate format names them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np

from algeval.data import Condition, Specification
from algeval.errors import TooLargeError
from algeval.logic.demand import Asked, floor_condition, level_of, read_specification
from algeval.logic.exam import Exam
from algeval.logic.policy import MOST_UNKNOWNS
from algeval.logic.proof.shares import Ints, Rows, Shares, Writer

__all__ = ["UNANSWERED", "Builder", "Layout", "check_size", "sparse_ints"]


UNANSWERED = -1
Columns = tuple[int, ...]
RowId = tuple[Any, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The unknowns of one order and what couples them.

    Attributes
    ----------
    totals : (P,) ints
        Part 0 is Q, whose shares are the answer key.
    parts, forms : P tuples
        The row of a total, and the form to split its shares on.
    coupling : Rows
        The rows that hold whatever is asked.
    correct, held : (N * R, P * R) sparse 0/1
        Row i * R + t adds up C[i,t], D[i,t].
    n_first : int
        How many of the first totals to split before the rest.
    links : ints
        See `Shares`.
    """

    exam: Exam
    totals: Ints
    parts: Sequence[RowId]
    forms: Sequence[RowId]
    coupling: Rows
    correct: Any
    held: Any
    n_first: int = 1
    links: tuple[int, ...] = ()

    def occurs(self, program: Shares, i: int, t: int) -> Shares:
        """Return a program in which judge i is held to at least one item of label t."""
        row = Rows.of([("held", 0)], self.held[[i * self.exam.n_labels + t]], [1])
        return replace(program, rows=program.rows + row)

    def columns(self, matrix: Any, i: int, t: int) -> Columns:
        """Return the unknowns that add up to C[i,t] or D[i,t]."""
        row = i * self.exam.n_labels + t
        return tuple(matrix.indices[matrix.indptr[row] : matrix.indptr[row + 1]].tolist())

    def program(
        self,
        spec: Specification,
        *,
        judges: Sequence[int] | None = None,
        write: Writer | None = None,
    ) -> Shares:
        """Return the program of a specification, asked of some judges (default: of all)."""
        exam, labels = self.exam, self.exam.n_labels
        asked = read_specification(exam, spec)
        conditions = _Conditions(self, spec, asked, judges)
        high = np.repeat(self.totals[:, None], labels, 1)
        low = np.zeros_like(high)
        low[0], high[0] = (np.array(ends, high.dtype) for ends in (asked.low, asked.high))
        return Shares(
            totals=self.totals,
            parts=self.parts,
            forms=self.forms,
            rows=self.coupling + conditions.rows(),
            low=low,
            high=high,
            rounded=conditions.rounded,
            asked={pair: self.columns(self.correct, *pair) for pair in conditions.pairs},
            n_first=self.n_first,
            floors=[floor_condition(exam, spec, t, asked.low[t]) for t in range(labels)],
            links=self.links,
            write=write if asked.simple else None,
        )


class _Conditions:
    """The rows of accuracies and grades: each is a * C + b * D, or a sum of such."""

    def __init__(
        self, layout: Layout, spec: Specification, asked: Asked, judges: Sequence[int] | None
    ) -> None:
        self.layout, self.exam, self.asked = layout, layout.exam, asked
        self.ids: list[RowId] = []
        self.a: list[int] = []
        self.b: list[int] = []
        self.bound: list[int] = []
        self.scale: list[int] = []
        self.first: list[list[int]] = []
        self.second: list[list[int]] = []
        self.rounded: list[tuple[RowId, Columns, Fraction, int]] = []
        self.pairs: dict[tuple[int, int], None] = {}
        self.done: set[tuple[int, int]] = set()
        chosen = frozenset(range(self.exam.n_judges) if judges is None else judges)
        for c, condition in enumerate(spec.conditions):
            for i, judge in enumerate(self.exam.judges):
                if i in chosen and condition.judge in (None, judge):
                    self._condition(c, i, condition)

    def _condition(self, c: int, i: int, condition: Condition) -> None:
        if condition.quantity == "grade":
            self._grade(c, i, condition)
        if condition.quantity == "accuracy":
            for t, label in enumerate(self.exam.labels):
                if condition.label in (None, label):
                    self._accuracy(c, i, t, condition)

    def _add(
        self,
        name: RowId,
        first: list[int],
        second: list[int],
        numbers: tuple[int, int, int, int],
    ) -> None:
        """Add a * (rows `first` of C) + b * (rows `second` of D) >= bound, scaled."""
        self.ids.append(name)
        self.first.append(first)
        self.second.append(second)
        for part, number in zip((self.a, self.b, self.bound, self.scale), numbers, strict=True):
            part.append(number)

    def _accuracy(self, c: int, i: int, t: int, condition: Condition) -> None:
        x = level_of(condition, self.exam.n_items)
        p, q = x.numerator, x.denominator
        row = [i * self.exam.n_labels + t]
        name = ("condition", c, i, t)
        if condition.sense == "<=":
            self.pairs[i, t] = None
            self._add(name, row, row, (-q, p, 0, q))
            return
        if not p or x != self.asked.levels[i][t] or (i, t) in self.done:
            return  # a higher level is asked by another condition
        self.done.add((i, t))
        self.pairs[i, t] = None
        self._add(name, row, row, (q, -p, 0, q))
        most = 0 if x > 1 else self.exam.counts[i][t] * q // p
        self._add(("cap", c, i, t), [], row, (0, -1, -most, 1))
        if not self.exam.excused[i]:
            right = self.layout.columns(self.layout.correct, i, t)
            self.rounded.append((("rounded", c, i, t), right, x, t))

    def _grade(self, c: int, i: int, condition: Condition) -> None:
        bound = level_of(condition, self.exam.n_items) * self.exam.held(i)
        rows = [i * self.exam.n_labels + t for t in range(self.exam.n_labels)]
        sign = -1 if condition.sense == "<=" else 1
        least = -floor(bound) if sign < 0 else ceil(bound)
        self._add(("condition", c, i, None), rows, [], (sign, 0, least, 1))

    def rows(self) -> Rows:
        """Return what was added."""
        layout = self.layout
        return Rows(
            tuple(self.ids),
            _sums(self.first, layout.correct),
            _sums(self.second, layout.held),
            tuple(self.a),
            tuple(self.b),
            tuple(self.bound),
            tuple(self.scale),
            np.zeros(len(self.ids), bool),
        )


def _sums(chosen: Sequence[Sequence[int]], matrix: Any) -> Any:
    """Return one row per list: the sum of the chosen rows of a matrix."""
    from scipy import sparse

    sp: Any = sparse
    places = np.repeat(np.arange(len(chosen)), [len(rows) for rows in chosen])
    columns = np.array([r for rows in chosen for r in rows], np.intp)
    entries = (np.ones(len(columns), np.int64), (places, columns))
    picks = sp.csr_array(entries, shape=(len(chosen), matrix.shape[0]), dtype=np.int64)
    return (picks @ matrix).tocsr()


class Builder:
    """Totals first, one after another; then rows on their shares."""

    def __init__(self, exam: Exam) -> None:
        self.exam, self.labels = exam, range(exam.n_labels)
        self.totals = [exam.n_items]
        self.parts: list[RowId] = [("size",)]
        self.forms: list[RowId] = [("key",)]
        self.ids: list[RowId] = []
        self.entries: list[tuple[int, int, int]] = []

    def part(self, name: RowId, form: RowId, total: int) -> int:
        """Add a total; return its place."""
        self.totals.append(total)
        self.parts.append(name)
        self.forms.append(form)
        return len(self.totals) - 1

    def adds_up(self, name: RowId, places: Sequence[int], whole: int, t: int) -> None:
        """Add the row that the shares of label t in some totals add up to that in another."""
        row, n = len(self.ids), len(self.labels)
        self.ids.append(name)
        self.entries += [(row, p * n + t, 1) for p in places]
        self.entries.append((row, whole * n + t, -1))

    def layout(self, correct: Any, held: Any, n_first: int) -> Layout:
        """Return the layout; `correct` and `held` give the totals whose shares add up to C and D."""
        n = len(self.totals) * len(self.labels)
        matrix = sparse_ints(self.entries, (len(self.ids), n))
        coupling = Rows.of(self.ids, matrix, [0] * len(self.ids), equal=True)
        right, asked = (
            sparse_ints(
                [
                    (i * len(self.labels) + t, p * len(self.labels) + t, 1)
                    for i in range(self.exam.n_judges)
                    for t in self.labels
                    for p in places(i, t)
                ],
                (self.exam.n_judges * len(self.labels), n),
            )
            for places in (correct, held)
        )
        totals = np.array(self.totals, np.int64)
        return Layout(self.exam, totals, self.parts, self.forms, coupling, right, asked, n_first)


def sparse_ints(entries: Any, shape: tuple[int, int]) -> Any:
    """Return a sparse matrix of (row, column, value) triples."""
    from scipy import sparse

    sp: Any = sparse
    table = np.array(entries, np.int64).reshape(-1, 3)
    return sp.csr_array((table[:, 2], (table[:, 0], table[:, 1])), shape=shape, dtype=np.int64)


def check_size(n_unknowns: int, *, lowest: bool = False) -> None:
    """Refuse a program that is too large, with its size, and say what to do.

    lowest : whether it is the program of order 1, below which there is none.
    """
    if n_unknowns > MOST_UNKNOWNS:
        way_out = (
            "give counts of fewer judges, or merge labels"
            if lowest
            else "ask at order 1, or with fewer judges or decision tuples"
        )
        raise TooLargeError(
            f"the program would have {n_unknowns} unknowns, more than {MOST_UNKNOWNS}; {way_out}"
        )
