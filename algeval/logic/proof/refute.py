"""Prove that bounded rows have no solution: floats propose multipliers, fractions dispose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm

from algeval.logic.proof.program import Program
from algeval.logic.proof.solver import Relaxation, propose_multipliers

__all__ = ["contradiction", "refute", "refute_or_relax"]

DENOMINATORS = (1, 12, 240, 10**4, 10**6, 10**9, 10**12, 10**15)


def contradiction(program: Program, multipliers: Mapping[int, Fraction]) -> bool:
    """Check exactly that the multipliers prove the rows impossible.

    With w = sum of y times the rows, no v within its bounds can make w v reach y b when
    sum of max(w lower, w upper) < y b.
    """
    w: dict[int, Fraction] = {}
    target = Fraction(0)
    for place, y in multipliers.items():
        row = program.rows[place]
        if y < 0 and not row.equality:
            return False
        target += y * row.bound
        for column, coefficient in row.terms.items():
            w[column] = w.get(column, Fraction(0)) + y * coefficient
    reach = sum(
        max(weight * program.lower[column], weight * program.upper[column])
        for column, weight in w.items()
    )
    return reach < target


def refute(program: Program) -> dict[int, Fraction] | None:
    """Return exact multipliers {row place: y} that refute the program, or None.

    None means that no proof was found, not that the program has a solution.
    """
    return refute_or_relax(program)[0]


def refute_or_relax(program: Program) -> tuple[dict[int, Fraction] | None, Sequence[float]]:
    """Return multipliers, or None with the real point that violates the rows least."""
    relaxation = propose_multipliers(program)
    if relaxation is None:
        return None, []
    if relaxation.violation > 0:
        for multipliers in _rounded(relaxation):
            if contradiction(program, multipliers):
                return _whole(multipliers), []
    return None, relaxation.point.tolist()


def _rounded(relaxation: Relaxation) -> Iterator[dict[int, Fraction]]:
    largest = float(max(abs(relaxation.multipliers), default=0))
    for scale in (1.0, largest):
        if scale == 0:
            continue
        exact = [Fraction(float(y)) / Fraction(scale) for y in relaxation.multipliers]
        for most in DENOMINATORS:
            rounded = {place: y.limit_denominator(most) for place, y in enumerate(exact) if y}
            yield {place: y for place, y in rounded.items() if y}


def _whole(multipliers: dict[int, Fraction]) -> dict[int, Fraction]:
    """Clear denominators where that keeps the numbers short; a proof may be scaled freely."""
    scale = lcm(*(y.denominator for y in multipliers.values()))
    if scale > 10**6:
        return multipliers
    return {place: y * scale for place, y in multipliers.items()}
