"""The same evaluations by a PuLP integer program over the Q-complex: a second engine.

The unknowns are q[t] and every judge's table m[i][a][t]. The program is solved again and again, each
time for the largest point in lexicographic order below the last one, until there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from algeval.data import Specification
from algeval.logic.exam import Exam
from algeval.logic.orders.order1 import answers_layout
from algeval.logic.proof.program import Row, as_program, satisfied
from algeval.logic.proof.solver import propose_integers

__all__ = ["MOST_CODES", "points_by_program", "size_of_code"]

MOST_CODES = 10**7
"""Points are numbered in one whole number that the solver must keep exact."""


def size_of_code(exam: Exam) -> int:
    """Return how many numbers the code of a point ranges over."""
    width = exam.n_labels - 1 + exam.n_judges * exam.n_labels
    return int((exam.n_items + 1) ** width)


def points_by_program(
    exam: Exam, low: Sequence[int], high: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]]:
    """Yield (q, correct counts per judge), lexicographically descending."""
    labels, layout = range(exam.n_labels), answers_layout(exam)
    shares = layout.program(Specification.prevalence(None, ">=", 0))
    shares.low[0], shares.high[0] = low, high
    built = as_program(shares)
    right = [
        [layout.columns(layout.correct, i, t)[0] for t in labels] for i in range(exam.n_judges)
    ]
    columns = [*labels[:-1], *(column for row in right for column in row)]
    base = exam.n_items + 1
    code = {column: base**place for place, column in enumerate(reversed(columns))}
    below: list[Row] = []
    while True:
        program = replace(built, rows=[*built.rows, *below])
        objective = {column: float(weight) for column, weight in code.items()}
        values = propose_integers(program, objective=objective).values
        if values is None or not satisfied(program, values):
            return
        found = sum(weight * values[column] for column, weight in code.items())
        below = [
            Row(("below",), {column: -weight for column, weight in code.items()}, False, 1 - found)
        ]
        correct = tuple(tuple(values[column] for column in row) for row in right)
        yield tuple(values[: exam.n_labels]), correct
