"""Linear programs kept exact: rows with names, whole-number bounds on every unknown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from algeval.logic.proof.shares import Shares

__all__ = ["Program", "Row", "as_program", "satisfied"]


@dataclass(frozen=True, slots=True)
class Row:
    """One row: sum of terms = bound, or >= bound.

    `name` is the row id of the certificate format; `terms` maps columns to coefficients.
    """

    name: tuple[Any, ...]
    terms: Mapping[int, Fraction | int]
    equality: bool
    bound: Fraction | int


@dataclass(frozen=True, slots=True)
class Program:
    """Rows over unknowns v with lower <= v <= upper."""

    rows: Sequence[Row]
    lower: Sequence[int]
    upper: Sequence[int]

    @property
    def n_columns(self) -> int:
        """Number of unknowns."""
        return len(self.lower)


def satisfied(program: Program, values: Sequence[int]) -> bool:
    """Check a point exactly."""
    if any(
        not low <= v <= high
        for low, v, high in zip(program.lower, values, program.upper, strict=True)
    ):
        return False
    for row in program.rows:
        total = sum(coefficient * values[column] for column, coefficient in row.terms.items())
        if total < row.bound or (row.equality and total != row.bound):
            return False
    return True


def as_program(shares: Shares) -> Program:
    """Return a program of shares as rows with named terms, for solvers that read such."""
    rows, labels = [], range(shares.n_labels)
    for p, (name, total) in enumerate(zip(shares.parts, shares.totals.tolist(), strict=True)):
        rows.append(Row(name, {p * len(labels) + t: 1 for t in labels}, True, total))
    own = shares.rows
    for r, name in enumerate(own.ids):
        terms: dict[int, Fraction | int] = {}
        for matrix, factor in ((own.first, own.a[r]), (own.second, own.b[r])):
            row = matrix[[r]].tocoo()
            for column, value in zip(row.col.tolist(), row.data.tolist(), strict=True):
                terms[column] = terms.get(column, 0) + Fraction(factor * value, own.scale[r])
        bound = Fraction(own.bound[r], own.scale[r])
        rows.append(Row(name, terms, bool(own.equal[r]), bound))
    return Program(rows, shares.low.ravel().tolist(), shares.high.ravel().tolist())
