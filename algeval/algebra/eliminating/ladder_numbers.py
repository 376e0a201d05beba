"""The ladder of one exam: the moments are numbers, and so are the roots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import sympy

from algeval.algebra.decoding.closed import square_part
from algeval.algebra.decoding.trio import Moments
from algeval.algebra.eliminating.ideals import groebner_basis
from algeval.algebra.eliminating.ladder_steps import Equation
from algeval.algebra.eliminating.ladder_symbols import DECISIONS, from_moments, meaning
from algeval.algebra.eliminating.quotient import TwoPoints
from algeval.algebra.proving.encode import encode
from algeval.data import Sketch
from algeval.result import Exact, Quadratic
from algeval.result.latex import as_sympy

__all__ = ["Numbers"]

Expr = Any  # sympy.Expr; SymPy is untyped

_FIRST_RUNG = 20


class Numbers:
    """What the steps need of an exam whose moments are known."""

    def __init__(self, moments: Moments, n_used: int) -> None:
        values = [*moments.marginals, *moments.pairs, moments.trio]
        shares = {t: from_moments(t, values) for t in DECISIONS}
        counts = {t: int(share * n_used) for t, share in shares.items()}
        sketch = Sketch.from_counts(counts, judges=["i", "j", "k"], labels=["A", "B"])
        self.basis = groebner_basis("numeric", sketch=sketch, engine="sympy", time_limit=None)
        self.encoding = encode(3)
        self.shares = {t: as_sympy(share) for t, share in shares.items()}
        self.moments = dict(zip(meaning(), map(as_sympy, values), strict=True))
        self.known = self.moments

    def roots(self, two: TwoPoints) -> list[Any]:
        """Return both values of the unknown whose square leads, exactly; SymPy's where they are complex."""
        a, b, c = map(int, two.quadratic())
        discriminant = b * b - 4 * a * c
        middle = Fraction(-b, 2 * a)
        if discriminant < 0:
            half = sympy.sqrt(discriminant) / (2 * a)
            return [as_sympy(middle) + half, as_sympy(middle) - half]
        scale, rest = square_part(discriminant)
        half = Fraction(scale, 2 * a)
        return [Quadratic.make(middle, sign * half, rest) for sign in (1, -1)]

    def substitution(self, two: TwoPoints, roots: Sequence[Exact]) -> Iterator[Equation]:
        """Yield each other unknown as a line in the one that is left, and its values at both roots."""
        in_paper = two.free == self.basis.unknowns[-1]
        for place, unknown in enumerate(u for u in self.basis.unknowns if u != two.free):
            alpha, beta = two.coordinates(unknown)
            number = f"S{_FIRST_RUNG + 4 * place}" if in_paper else ""
            yield Equation(unknown, alpha + beta * two.free, number)
            if beta != 0:
                for value in _values(two, unknown, roots):
                    yield Equation(unknown, as_sympy(value))

    def check(self, two: TwoPoints, roots: Sequence[Exact]) -> Iterator[Equation]:
        """Yield each share beside what its polynomial is at the first root, then at the second."""
        unknowns = self.basis.unknowns
        found = [_values(two, unknown, roots) for unknown in unknowns]
        for root in range(2):
            rates = [values[root] for values in found[:-1]]
            for t in DECISIONS:
                value = _encoded(t, found[-1][root], rates)
                yield Equation(self.shares[t], as_sympy(value))


def _values(two: TwoPoints, unknown: Expr, roots: Sequence[Exact]) -> list[Exact]:
    """Return an unknown at both roots."""
    alpha, beta = (Fraction(int(v.p), int(v.q)) for v in two.coordinates(unknown))
    return [alpha + beta * root for root in roots]


def _encoded(decision: str, p: Exact, rates: Sequence[Exact]) -> Exact:
    """Return the share of a decision tuple at prevalence p and rates P_iA, P_iB, P_jA, ..."""
    on_a, on_b = p, 1 - p
    for judge, answer in enumerate(decision):
        right_a, right_b = rates[2 * judge], rates[2 * judge + 1]
        on_a = on_a * (right_a if answer == "A" else 1 - right_a)
        on_b = on_b * (right_b if answer == "B" else 1 - right_b)
    return on_a + on_b
