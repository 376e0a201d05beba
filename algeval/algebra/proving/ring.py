"""Exact polynomial arithmetic behind proofs: SymPy expressions in, python-flint polynomials inside."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import inf
from time import monotonic
from typing import Any

import sympy
from flint import fmpq, fmpq_mpoly_ctx

from algeval.errors import NotSolvedError, TooLargeError

__all__ = ["Clock", "Ring"]

Expr = Any  # sympy.Expr; SymPy is untyped
Polynomial = Any  # flint.fmpq_mpoly; python-flint is untyped

_MOST_PRODUCTS = 30_000_000
_MOST_COMMON = 1_000_000
"""Terms times terms up to which a fraction is reduced; nothing rests on that it is."""


class Clock:
    """Ends work that takes too long, at the next step at which it asks.

    Python cannot interrupt a single product or substitution; `Ring` bounds the size of each.
    """

    def __init__(self, time_limit: float, about: str) -> None:
        self._limit, self._about = time_limit, about
        self._start = monotonic()
        self._end = self._start + time_limit

    def used(self) -> float:
        """Return the seconds that have passed."""
        return monotonic() - self._start

    def part(self, seconds: float) -> Clock:
        """Return a clock for some of the time that is left."""
        return Clock(min(seconds, max(0.0, self._end - monotonic())), self._about)

    def check(self) -> None:
        """Raise NotSolvedError if time has run out."""
        if monotonic() > self._end:
            raise NotSolvedError(
                f"{self._about} must be decided within {self._limit:g} seconds; it was not; raise "
                "time_limit, or state a simpler identity"
            )


class Ring:
    """Polynomials with rational coefficients in a fixed list of SymPy symbols."""

    def __init__(self, symbols: Iterable[Expr], clock: Clock | None = None) -> None:
        self._clock = clock or Clock(inf, "a polynomial")
        self.symbols: tuple[Expr, ...] = tuple(symbols)
        names = tuple(f"v{place}" for place in range(len(self.symbols)))
        self._context = fmpq_mpoly_ctx.get(names, "lex")
        self.generators: dict[Expr, Polynomial] = dict(
            zip(self.symbols, self._context.gens(), strict=True)
        )
        self.one = self._context.constant(1)

    def quotient(
        self, expression: Expr, values: Mapping[Expr, Polynomial]
    ) -> tuple[Polynomial, Polynomial]:
        """Return numerator and denominator with symbols replaced by polynomials."""
        if expression.is_Symbol:
            return values[expression], self.one
        if expression.is_Rational:
            return self._context.constant(fmpq(int(expression.p), int(expression.q))), self.one
        if expression.is_Pow:
            top, bottom = self.quotient(expression.base, values)
            exponent = int(expression.exp)
            if exponent < 0:
                top, bottom = bottom, top
            return self._power(top, abs(exponent)), self._power(bottom, abs(exponent))
        parts = [self.quotient(part, values) for part in expression.args]
        return self._product(parts) if expression.is_Mul else self._sum(parts)

    def polynomial(self, expression: Expr, values: Mapping[Expr, Polynomial]) -> Polynomial:
        """Return an expression without denominators as a polynomial."""
        return self.quotient(expression, values)[0]

    def times(self, a: Polynomial, b: Polynomial) -> Polynomial:
        """Multiply, refusing products that would not fit in memory."""
        self._clock.check()
        size = len(a) * len(b)
        if size > _MOST_PRODUCTS:
            raise TooLargeError(
                f"expanding the identity needs a product of {len(a)} by {len(b)} terms; at most "
                f"{_MOST_PRODUCTS} are multiplied; state it in moments (Delta_ij, f_Bi) instead of "
                "raw frequencies, or with fewer judges"
            )
        return a * b

    def _power(self, base: Polynomial, exponent: int) -> Polynomial:
        result = self.one
        for _ in range(exponent):
            result = self.times(result, base)
        return result

    def _product(
        self, parts: Sequence[tuple[Polynomial, Polynomial]]
    ) -> tuple[Polynomial, Polynomial]:
        top, bottom = self.one, self.one
        for numerator, denominator in parts:
            top, bottom = self.times(top, numerator), self.times(bottom, denominator)
        return top, bottom

    def _sum(self, parts: Sequence[tuple[Polynomial, Polynomial]]) -> tuple[Polynomial, Polynomial]:
        groups: list[tuple[Polynomial, Polynomial]] = []
        for numerator, denominator in parts:
            for place, (top, bottom) in enumerate(groups):
                if bottom == denominator:
                    groups[place] = (top + numerator, bottom)
                    break
            else:
                groups.append((numerator, denominator))
        top, bottom = groups[0]
        for numerator, denominator in groups[1:]:
            top = self.times(top, denominator) + self.times(numerator, bottom)
            bottom = self.times(bottom, denominator)
        return top, bottom

    def expression(self, polynomial: Polynomial) -> Expr:
        """Return a polynomial as a SymPy expression, expanded."""
        terms = {
            tuple(map(int, powers)): sympy.Rational(int(c.p), int(c.q))
            for powers, c in polynomial.to_dict().items()
        }
        if not self.symbols:
            return terms.get((), sympy.Integer(0))
        return sympy.Poly.from_dict(terms or {(0,) * len(self.symbols): 0}, *self.symbols).as_expr()

    def substitute(self, polynomial: Polynomial, values: Mapping[Expr, Polynomial]) -> Polynomial:
        """Replace some of the symbols by polynomials, refusing what would not fit in memory."""
        self._clock.check()
        places = {self.symbols.index(symbol): value for symbol, value in values.items()}
        self._check_substitution(polynomial, places)
        arguments = [places.get(i, g) for i, g in enumerate(self.generators.values())]
        return polynomial.compose(*arguments, ctx=self._context)

    def _check_substitution(self, polynomial: Polynomial, places: Mapping[int, Polynomial]) -> None:
        lengths = {place: max(1, len(value)) for place, value in places.items()}
        degrees = {place: value.degrees() for place, value in places.items()}
        monomials = [tuple(map(int, powers)) for powers in polynomial.monoms()]
        highest = [0] * len(self.symbols)
        work = 0
        for powers in monomials:
            used = [(place, power) for place, power in enumerate(powers) if power]
            work += min(math.prod(lengths.get(i, 1) ** k for i, k in used), _MOST_PRODUCTS)
            for place in range(len(highest)):
                reached = sum(
                    k * (int(degrees[i][place]) if i in degrees else int(i == place))
                    for i, k in used
                )
                highest[place] = max(highest[place], reached)
        dense = math.prod(degree + 1 for degree in highest) * len(monomials)
        if min(work, dense) > _MOST_PRODUCTS:
            raise TooLargeError(
                f"the substitution that decides this identity needs about {min(work, dense)} products; "
                f"at most {_MOST_PRODUCTS} are done; state it in moments (Delta_ij, f_Bi) instead "
                "of raw frequencies, or with fewer judges"
            )

    def factored(self, polynomial: Polynomial) -> Expr:
        """Return a polynomial as a SymPy product of irreducible factors."""
        content, factors = polynomial.factor()
        parts = [self.expression(factor) ** int(power) for factor, power in factors]
        return sympy.Mul(sympy.Rational(int(content.p), int(content.q)), *parts)

    def common(self, a: Polynomial, b: Polynomial) -> Polynomial:
        """Return the greatest common divisor, or 1 where finding it would take long."""
        self._clock.check()
        return a.gcd(b) if len(a) * len(b) <= _MOST_COMMON else self.one

    def factors(self, polynomial: Polynomial) -> list[Expr]:
        """Return the irreducible factors of a polynomial that are not constants."""
        return [self.expression(factor) for factor, _ in polynomial.factor()[1]]

    def at(self, polynomial: Polynomial, values: Mapping[Expr, Fraction]) -> Fraction:
        """Return the value of a polynomial at a point given for every symbol it uses."""
        point = [
            fmpq(value.numerator, value.denominator)
            for value in (values.get(symbol, Fraction(0)) for symbol in self.symbols)
        ]
        found = polynomial(*point)
        return Fraction(int(found.p), int(found.q))
