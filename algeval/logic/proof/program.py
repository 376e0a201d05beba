"""Linear programs kept exact: rows with names, whole-number bounds on every unknown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

__all__ = ["Program", "Row", "satisfied"]


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
