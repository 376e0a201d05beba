"""The ladder of all exams at once: the moments stay symbols."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import Any

import sympy

from algeval.algebra.eliminating.ideals import groebner_basis
from algeval.algebra.eliminating.ladder_steps import Equation
from algeval.algebra.eliminating.quotient import TwoPoints
from algeval.algebra.proving.encode import encode

__all__ = ["DECISIONS", "Symbols", "from_moments", "meaning"]

Expr = Any  # sympy.Expr; SymPy is untyped

DECISIONS = ("AAA", "AAB", "ABA", "BAA", "BBA", "BAB", "ABB", "BBB")
"""In the order of S55-S62."""

_PAIRS = tuple(combinations(range(3), 2))
_FIRST_RUNG = 20


@cache
def meaning() -> dict[Expr, Expr]:
    """Return {moment: what it is in the unknowns if errors are independent}, in the order S9-S15."""
    basis = groebner_basis("moments", time_limit=None)
    pairs = zip(basis.observables, basis.generators, strict=True)
    return {symbol: symbol - generator for symbol, generator in pairs}


def from_moments(decision: str, moments: Sequence[Any]) -> Any:
    """Return the share of a decision tuple in the seven moments, which is true of every exam."""
    shares, pairs, trio = moments[:3], moments[3:6], moments[6]
    alone = [s if answer == "B" else 1 - s for answer, s in zip(decision, shares, strict=True)]
    sign = [1 if answer == "B" else -1 for answer in decision]
    together = sum(
        sign[i] * sign[j] * pair * alone[3 - i - j]
        for (i, j), pair in zip(_PAIRS, pairs, strict=True)
    )
    return alone[0] * alone[1] * alone[2] + together + sign[0] * sign[1] * sign[2] * trio


class Symbols:
    """What the steps need of an exam whose moments are symbols."""

    def __init__(self) -> None:
        self.basis = groebner_basis("moments", engine="sympy", time_limit=None)
        self.encoding = encode(3)
        self.shares = {t: self.encoding.frequency[tuple(t)] for t in DECISIONS}
        self.moments = dict(zip(meaning(), _counted(list(meaning()), self.shares), strict=True))
        self.known = {symbol: symbol for symbol in meaning()}

    def roots(self, two: TwoPoints) -> list[Expr]:
        """Return both prevalences: half of 1 +- D / sqrt(a), since the discriminant is a D^2."""
        a, _, _ = two.quadratic()
        trio = self.basis.observables[-1]
        return [sympy.Rational(1, 2) + sign * trio / (2 * sympy.sqrt(a)) for sign in (1, -1)]

    def substitution(self, two: TwoPoints, roots: Sequence[Expr]) -> Iterator[Equation]:
        """Yield S20-S43: the linear equation of each rate, and its coefficients a, b, c."""
        letters = sympy.symbols("a b c")
        for place, rate in enumerate(self.basis.unknowns[:-1]):
            sign = (
                -1 if place % 2 else 1
            )  # of label B the paper writes the rungs with the sign turned
            number = _FIRST_RUNG + 4 * place
            rung = letters[0] + letters[1] * two.free + letters[2] * rate
            yield Equation(sympy.Integer(0), rung, f"S{number}")
            for n, (letter, value) in enumerate(zip(letters, two.rung(rate), strict=True), 1):
                yield Equation(letter, sympy.expand(sign * value), f"S{number + n}")

    def check(self, two: TwoPoints, roots: Sequence[Expr]) -> Iterator[Equation]:
        """Yield each share in the moments, and what the basis leaves of its polynomial."""
        for t in DECISIONS:
            alpha, beta = two.coordinates(self.encoding.encoded[tuple(t)])
            share = from_moments(t, list(meaning()))
            yield Equation(sympy.expand(share), sympy.expand(alpha + beta * two.free))


def _counted(seen: Sequence[Expr], f: dict[str, Expr]) -> list[Expr]:
    """Return the moments as they are counted: S9-S15."""
    single = [sympy.Add(*(f[t] for t in DECISIONS if t[i] == "B")) for i in range(3)]
    pairs = [
        sympy.Add(*(f[t] for t in DECISIONS if t[i] == t[j] == "B")) - seen[i] * seen[j]
        for i, j in _PAIRS
    ]
    lower = sympy.Add(*(seen[i] * seen[5 - i] for i in range(3)))
    return [*single, *pairs, f["BBB"] - sympy.Mul(*seen[:3]) - lower]
