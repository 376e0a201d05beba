"""Statistics as quotients of polynomials in free parameters, hypotheses solved and put in.

A hypothesis is an equation that is irreducible and linear in some parameter; that parameter is
then a quotient of the others, and whatever is found holds wherever it is defined.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from algeval.algebra.eliminating.modular import PRIME, Residues, value_at
from algeval.algebra.proving.identities import read_identity
from algeval.algebra.proving.ring import Clock, Ring
from algeval.algebra.proving.vocabulary import System
from algeval.errors import DataError

__all__ = ["Parametrised", "parametrise"]

Expr = Any  # sympy.Expr; SymPy is untyped
Polynomial = Any  # flint.fmpq_mpoly


@dataclass(frozen=True, eq=False)
class Parametrised:
    """Statistics under hypotheses.

    Attributes
    ----------
    known : System
    statistics : tuple of sympy expressions
        In parameters and observables of the system.
    solved : dict
        {parameter: its quotient in others}, in the order in which they were put in.
    ring : Ring
        The parameters.
    quotients : tuple of (numerator, denominator)
        The statistics in parameters that are neither solved nor merged: polynomials of `ring`.
    """

    known: System
    statistics: tuple[Expr, ...]
    solved: dict[Expr, Expr]
    ring: Ring
    quotients: tuple[tuple[Polynomial, Polynomial], ...] = field(repr=False)

    def points(self, n: int) -> Residues:
        """Return the statistics (n, k) at n random points modulo the prime."""
        values: dict[Expr, Residues] = {}

        def value(symbol: Expr) -> Residues:
            if symbol not in values:
                values[symbol] = self._value(symbol, value, n)
            return values[symbol]

        columns = [np.broadcast_to(value_at(each, value), n) for each in self.statistics]
        return np.stack(columns, axis=1)

    def _value(self, symbol: Expr, value: Callable[[Expr], Residues], n: int) -> Residues:
        if symbol in self.solved:
            return value_at(self.solved[symbol], value)
        if symbol in self.known.observables:
            return value_at(self.known.observables[symbol], value)
        return np.array([secrets.randbelow(PRIME) for _ in range(n)], object)


def parametrise(
    known: System, texts: Sequence[str], given: Sequence[str], clock: Clock
) -> Parametrised:
    """Read statistics and hypotheses.

    Raises
    ------
    DataError
        For a name that is not known, a hypothesis that no exam of the model fulfils, that says one
        of several things, or that is linear in no parameter.
    """
    claims = [read_identity(text, known) for text in texts]
    conditions = [read_identity(text, known) for text in given]
    ring = Ring(known.parameters, clock)
    encoded = dict(ring.generators)

    def pair(expression: Expr) -> tuple[Polynomial, Polynomial]:
        for symbol in sorted(expression.free_symbols, key=_place(known)):
            _encode(known, ring, encoded, symbol)
        return ring.quotient(expression, encoded)

    solver = _Solver(ring)
    for text, condition in zip(given, conditions, strict=True):
        left, right = pair(condition.left), pair(condition.right)
        solver.take(text, ring.times(left[0], right[1]) - ring.times(right[0], left[1]))
    statistics = tuple(claim.left - claim.right for claim in claims)
    quotients = [solver.put_in(*pair(each)) for each in statistics]
    merged = _merged(ring, quotients)
    return Parametrised(known, statistics, solver.expressions(), ring, tuple(merged))


def _place(known: System) -> Callable[[Expr], int]:
    order = {symbol: place for place, symbol in enumerate(known.observables)}
    return lambda symbol: order.get(symbol, -1)


def _encode(known: System, ring: Ring, encoded: dict[Expr, Polynomial], symbol: Expr) -> None:
    """Add an observable, and those it is made of, as polynomials in the parameters."""
    if symbol in encoded:
        return
    definition = known.observables[symbol]
    for part in sorted(definition.free_symbols, key=_place(known)):
        _encode(known, ring, encoded, part)
    encoded[symbol] = ring.polynomial(definition, encoded)


class _Solver:
    """Parameters solved from hypotheses, one after the other."""

    def __init__(self, ring: Ring) -> None:
        self.ring = ring
        self.found: dict[Expr, tuple[Polynomial, Polynomial]] = {}

    def take(self, text: str, polynomial: Polynomial) -> None:
        """Solve one hypothesis, given as a polynomial that is zero."""
        polynomial = self.put_in(polynomial, self.ring.one)[0]
        if polynomial.is_zero():
            return
        factors = [
            self.ring.polynomial(f, self.ring.generators) for f in self.ring.factors(polynomial)
        ]
        if not factors:
            raise DataError(
                f"hypotheses must be fulfilled by some exam; {text!r} contradicts the model or the "
                "hypotheses before it; leave it out"
            )
        if len(factors) > 1:
            several = " or ".join(f"{self.ring.expression(f)} = 0" for f in factors)
            raise DataError(
                f"a hypothesis must say one thing; {text!r} says {several}; give the one you mean"
            )
        self._solve(text, factors[0])

    def _solve(self, text: str, polynomial: Polynomial) -> None:
        linear = [
            (len(slope), symbol, slope, rest)
            for symbol in self.ring.symbols
            for degree, slope, rest in [self._as_linear(polynomial, symbol)]
            if degree == 1
        ]
        if not linear:
            raise DataError(
                f"a hypothesis must be linear in some parameter to be put in; got {text!r}; state it "
                "as equations of accuracies or prevalences"
            )
        _, symbol, slope, rest = min(linear, key=lambda found: found[0])
        self.found[symbol] = (-rest, slope)

    def _as_linear(
        self, polynomial: Polynomial, symbol: Expr
    ) -> tuple[int, Polynomial, Polynomial]:
        """Return degree, slope and constant in one symbol."""
        degree = int(polynomial.degrees()[self.ring.symbols.index(symbol)])
        if degree != 1:
            return degree, None, None
        rest = self.ring.substitute(polynomial, {symbol: self.ring.one - self.ring.one})
        at_one = self.ring.substitute(polynomial, {symbol: self.ring.one})
        return degree, at_one - rest, rest

    def put_in(self, top: Polynomial, bottom: Polynomial) -> tuple[Polynomial, Polynomial]:
        """Return a quotient with all solved parameters replaced, in lowest terms."""
        for symbol, (over, under) in self.found.items():
            (top, a), (bottom, b) = (self._replaced(p, symbol, over, under) for p in (top, bottom))
            top, bottom = self._scaled(top, under, b - a), self._scaled(bottom, under, a - b)
        if bottom.is_zero():
            raise DataError(
                "a statistic must be defined under the hypotheses; its denominator is 0"
            )
        shared = self.ring.common(top, bottom)
        return (top, bottom) if shared.is_one() else (top / shared, bottom / shared)

    def _scaled(self, polynomial: Polynomial, factor: Polynomial, times: int) -> Polynomial:
        for _ in range(times):
            polynomial = self.ring.times(polynomial, factor)
        return polynomial

    def _replaced(
        self, polynomial: Polynomial, symbol: Expr, over: Polynomial, under: Polynomial
    ) -> tuple[Polynomial, int]:
        """Return (f(over / under) * under^degree, degree) of a polynomial f in one symbol."""
        place = self.ring.symbols.index(symbol)
        degree = int(polynomial.degrees()[place]) if not polynomial.is_zero() else 0
        parts: list[dict[Any, Any]] = [{} for _ in range(degree + 1)]
        for powers, value in polynomial.to_dict().items():
            lower = (*powers[:place], 0, *powers[place + 1 :])
            parts[int(powers[place])][lower] = value
        total = self.ring.one - self.ring.one
        for part in reversed(range(degree + 1)):
            coefficient = self._scaled(
                polynomial.context().from_dict(parts[part]), under, degree - part
            )
            total = self.ring.times(total, over) + coefficient
        return total, degree

    def expressions(self) -> dict[Expr, Expr]:
        """Return the solved parameters as SymPy quotients, each in parameters solved later or free."""
        ring = self.ring
        return {s: ring.expression(a) / ring.expression(b) for s, (a, b) in self.found.items()}


def _merged(
    ring: Ring, quotients: list[tuple[Polynomial, Polynomial]]
) -> list[tuple[Polynomial, Polynomial]]:
    """Return quotients with one of every two parameters that enter only by their sum set to 0."""
    everything = [p for quotient in quotients for p in quotient]
    gone: set[int] = set()
    for i, j in combinations(range(len(ring.symbols)), 2):
        used = any(int(p.degrees()[j]) > 0 for p in everything if not p.is_zero())
        if i in gone or j in gone or not used:
            continue
        if all(p.derivative(i) == p.derivative(j) for p in everything):
            gone.add(j)
    zero = {ring.symbols[j]: ring.one - ring.one for j in gone}
    return [(ring.substitute(a, zero), ring.substitute(b, zero)) for a, b in quotients]
