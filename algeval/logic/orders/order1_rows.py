"""The whole-number program of order 1, row by row as the certificate format names them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Any

from algeval.data import Condition, Specification
from algeval.logic.demand import level_of
from algeval.logic.exam import Exam
from algeval.logic.proof.program import Program, Row

__all__ = ["Order1", "build_rows"]

Terms = dict[int, Fraction | int]
UNANSWERED = -1


@dataclass(frozen=True, slots=True)
class Order1:
    """A program whose columns are q[t], then m[i][a][t] of the judges built.

    `forms` names each column as a form to split on.
    """

    program: Program
    forms: tuple[tuple[Any, ...], ...]
    columns: dict[tuple[int, int, int], int]

    def tables(self, exam: Exam, values: Sequence[int]) -> list[list[list[int]]]:
        """Return tables[i][a][t] of a solution, for every judge of the exam."""
        labels, answers = range(exam.n_labels), range(len(exam.answers))
        return [
            [[values[self.columns[i, a, t]] for t in labels] for a in answers]
            for i in range(exam.n_judges)
        ]


def build_rows(
    exam: Exam,
    spec: Specification | None,
    low: Sequence[int],
    high: Sequence[int],
    *,
    judges: Sequence[int] | None = None,
) -> Order1:
    """Build the rows about some of the judges, with low <= q <= high.

    Bounds that the specification puts on the answer key must be in `low` and `high`.
    """
    chosen = list(range(exam.n_judges) if judges is None else judges)
    builder = _Builder(exam, chosen)
    builder.observed()
    for place, condition in enumerate(() if spec is None else spec.conditions):
        builder.condition(place, condition)
    program = Program(builder.rows, [*low, *([0] * len(builder.upper))], [*high, *builder.upper])
    return Order1(program, tuple(builder.forms), builder.columns)


class _Builder:
    def __init__(self, exam: Exam, judges: list[int]) -> None:
        self.exam, self.judges, self.labels = exam, judges, range(exam.n_labels)
        self.rows: list[Row] = []
        self.upper: list[int] = []
        self.columns: dict[tuple[int, int, int], int] = {}
        self.forms: list[tuple[Any, ...]] = [("key", t) for t in self.labels]
        for i in judges:
            for a in [*range(len(exam.answers)), *([UNANSWERED] if exam.missing[i] else [])]:
                for t in self.labels:
                    self.columns[i, a, t] = len(self.forms)
                    self.forms.append(("answer", i, a, t))
                    self.upper.append(self.given(i, a))

    def given(self, i: int, a: int) -> int:
        return self.exam.missing[i] if a == UNANSWERED else self.exam.counts[i][a]

    def add(self, name: tuple[Any, ...], terms: Terms, bound: Fraction | int) -> None:
        self.rows.append(Row(name, terms, False, bound))

    def observed(self) -> None:
        self.rows.append(Row(("size",), dict.fromkeys(self.labels, 1), True, self.exam.n_items))
        for i in self.judges:
            answers = range(len(self.exam.answers))
            for a in answers:
                terms: Terms = {self.columns[i, a, t]: 1 for t in self.labels}
                self.rows.append(Row(("observed", i, a), terms, True, self.given(i, a)))
            left = [UNANSWERED] if self.exam.missing[i] else []
            if left:
                terms = {self.columns[i, UNANSWERED, t]: 1 for t in self.labels}
                self.rows.append(Row(("unanswered", i), terms, True, self.exam.missing[i]))
            for t in self.labels:
                terms = {self.columns[i, a, t]: 1 for a in [*answers, *left]}
                self.rows.append(Row(("key", i, t), terms | {t: -1}, True, 0))

    def held(self, i: int, t: int) -> list[int]:
        """Return the columns that sum to D[i,t]."""
        if not self.exam.excused[i]:
            return [t]
        return [self.columns[i, a, t] for a in range(len(self.exam.answers))]

    def condition(self, c: int, condition: Condition) -> None:
        if condition.quantity == "prevalence":
            return
        for i in self.judges:
            if condition.judge not in (None, self.exam.judges[i]):
                continue
            if condition.quantity == "grade":
                self.grade(c, i, condition)
                continue
            for t, label in enumerate(self.exam.labels):
                if condition.label in (None, label):
                    self.accuracy(c, i, t, condition)

    def accuracy(self, c: int, i: int, t: int, condition: Condition) -> None:
        x = level_of(condition, self.exam.n_items)
        sign = -1 if condition.sense == "<=" else 1
        terms: Terms = {self.columns[i, t, t]: Fraction(sign)}
        for column in self.held(i, t):
            terms[column] = terms.get(column, Fraction(0)) - sign * x
        self.add(("condition", c, i, t), terms, 0)
        if sign > 0 and x > 0:
            caps: Terms = dict.fromkeys(self.held(i, t), -1)
            self.add(("cap", c, i, t), caps, -floor(self.exam.counts[i][t] / x))

    def grade(self, c: int, i: int, condition: Condition) -> None:
        bound = level_of(condition, self.exam.n_items) * self.exam.held(i)
        correct = [self.columns[i, t, t] for t in self.labels]
        if condition.sense == "<=":
            self.add(("condition", c, i, None), dict.fromkeys(correct, -1), -floor(bound))
        else:
            self.add(("condition", c, i, None), dict.fromkeys(correct, 1), ceil(bound))
