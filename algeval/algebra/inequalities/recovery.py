"""From what a solver proposed to exact numbers: rounded, or solved for on the rows that are tight.

Whatever comes out is checked: the remainder of every row must be nonnegative, in exact arithmetic.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat
from numpy.typing import NDArray

from algeval.algebra.inequalities.domain import Exponents, rational
from algeval.algebra.inequalities.program import Program

__all__ = ["recover", "rounded", "solved"]

Exact = list[Fraction]

_DENOMINATORS = (1, 2, 3, 4, 6, 8, 12, 24, 60, 360, 10**4, 10**7)
_SMALL = 1e-7
_MOST_CELLS = 250_000


def recover(program: Program, proposal: NDArray[np.float64]) -> Exact | None:
    """Return exact values of the unknowns that the program accepts, or None."""
    found = rounded(program, proposal)
    return solved(program, proposal) if found is None else found


def rounded(program: Program, proposal: NDArray[np.float64]) -> Exact | None:
    """Return the proposal rounded to the smallest denominators that are accepted."""
    tried: list[Exact] = []
    for denominator in _DENOMINATORS:
        values = [Fraction(float(x)).limit_denominator(denominator) for x in proposal]
        if values not in tried and accepted(program, values):
            return values
        tried = [values]
    return None


def accepted(program: Program, values: Exact) -> bool:
    """Return whether exact values leave no negative coefficient (none at all where `exactly`)."""
    pairs = list(zip(values, program.columns, strict=True))
    if any(value < 0 and column.kind != "cofactor" for value, column in pairs):
        return False
    evidence = [value for value, column in pairs if column.kind in ("margin", "evidence")]
    if evidence and not any(evidence):
        return False
    rest = remainder(program, values)
    if program.exactly:
        return not any(rest.values())
    return all(value >= 0 for value in rest.values())


def remainder(program: Program, values: Exact) -> dict[Exponents, Any]:
    """Return the target minus the columns times their values."""
    rest: dict[Exponents, Any] = defaultdict(fmpq, program.target)
    for value, column in zip(values, program.columns, strict=True):
        if value:
            factor = rational(value)
            for powers, coefficient in column.vector.items():
                rest[powers] -= factor * coefficient
    return rest


def solved(program: Program, proposal: NDArray[np.float64]) -> Exact | None:
    """Return the exact solution of the rows that are tight, in the unknowns that are not zero."""
    support = [j for j, x in enumerate(proposal) if abs(x) > _SMALL]
    rest = _float_remainder(program, proposal)
    tight = [powers for powers, value in rest.items() if program.exactly or value < _SMALL]
    if not support or len(tight) * (len(support) + 1) > _MOST_CELLS:
        return None
    table = [
        [program.columns[j].vector.get(powers, 0) for j in support]
        + [program.target.get(powers, 0)]
        for powers in tight
    ]
    values = _particular(table, [float(proposal[j]) for j in support])
    if values is None:
        return None
    full = [Fraction(0)] * len(program.columns)
    for j, value in zip(support, values, strict=True):
        full[j] = value
    return full if accepted(program, full) else None


def _float_remainder(program: Program, proposal: NDArray[np.float64]) -> dict[Exponents, float]:
    rest: dict[Exponents, float] = defaultdict(float)
    number: Callable[[Any], float] = lambda v: float(v.p) / float(v.q)  # noqa: E731
    for powers, value in program.target.items():
        rest[powers] += number(value)
    for x, column in zip(proposal, program.columns, strict=True):
        for powers, value in column.vector.items():
            rest[powers] -= float(x) * number(value)
    return rest


def _particular(table: list[list[Any]], near: list[float]) -> Exact | None:
    """Solve a linear system exactly, its free unknowns rounded from `near`; None if it has no solution."""
    if not table:
        return [Fraction(x).limit_denominator(_DENOMINATORS[-1]) for x in near]
    reduced, rank = fmpq_mat(table).rref()
    width = len(near)
    free = [Fraction(x).limit_denominator(360) for x in near]
    values = list(free)
    pivots = []
    for row in range(rank):
        pivot = next(j for j in range(width + 1) if reduced[row, j] != 0)
        if pivot == width:
            return None
        pivots.append((row, pivot))
    basic = {pivot for _, pivot in pivots}
    for row, pivot in pivots:
        value = _fraction(reduced[row, width])
        for j in range(pivot + 1, width):
            if j not in basic and reduced[row, j] != 0:
                value -= _fraction(reduced[row, j]) * free[j]
        values[pivot] = value
    return values


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))
