"""Polynomials over the rationals, dense and sparse."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy
from flint import fmpq, fmpq_mpoly_ctx

from algeval.errors import NotSolvedError, TooLargeError, option
from algeval.progress import CountedClock

# --- Exact polynomial arithmetic behind proofs: SymPy expressions in, python-flint polynomials
# inside.


Expr = Any  # sympy.Expr; SymPy is untyped
Polynomial = Any  # flint.fmpq_mpoly; python-flint is untyped

_MOST_PRODUCTS = 30_000_000
_A_CHECK, _A_PRODUCT = 2e-5, 1e-7
"""Work of a step, and of a product of two terms."""
_MOST_COMMON = 1_000_000
"""Terms times terms up to which a fraction is reduced; nothing rests on that it is."""


class Clock:
    """Ends work that takes too long, at the next step at which it asks.

    Python cannot interrupt a single product or substitution; `Ring` bounds the size of each.
    """

    def __init__(self, counted: CountedClock, about: str) -> None:
        self._counted, self._about = counted, about

    def used(self) -> float:
        """Work that was counted, in units of about a second of a quiet machine."""
        return self._counted.whole.spent

    def part(self, work: float) -> Clock:
        """Clock for so much work, within what is left."""
        return Clock(self._counted.part(work), self._about)

    def check(self, n_products: int = 0) -> None:
        """Count products of terms; raise NotSolvedError if the time or the work is over."""
        self._counted.spend(_A_CHECK + _A_PRODUCT * n_products)
        if self._counted.over:
            limit = self._counted.whole.limit
            most = "the work done by default" if limit is None else f"{limit:g} seconds"
            raise NotSolvedError(
                f"{self._about} must be decided within {most}; it was not; pass "
                f"{option('time_limit')} for longer, or state a simpler identity"
            )


class Ring:
    """Polynomials with rational coefficients in a fixed list of SymPy symbols."""

    def __init__(self, symbols: Iterable[Expr], clock: Clock | None = None) -> None:
        self._clock = clock or Clock(CountedClock(None), "a polynomial")
        self.symbols: tuple[Expr, ...] = tuple(symbols)
        names = tuple(f"v{index}" for index in range(len(self.symbols)))
        self._context = fmpq_mpoly_ctx.get(names, "lex")
        self.generators: dict[Expr, Polynomial] = dict(
            zip(self.symbols, self._context.gens(), strict=True)
        )
        self.one = self._context.constant(1)

    def quotient(
        self, expression: Expr, values: Mapping[Expr, Polynomial]
    ) -> tuple[Polynomial, Polynomial]:
        """Numerator and denominator with symbols replaced by polynomials."""
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
        """Expression without denominators as a polynomial."""
        return self.quotient(expression, values)[0]

    def times(self, a: Polynomial, b: Polynomial) -> Polynomial:
        """Multiply, refusing products that would not fit in memory."""
        size = len(a) * len(b)
        self._clock.check(size)
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
            for index, (top, bottom) in enumerate(groups):
                if bottom == denominator:
                    groups[index] = (top + numerator, bottom)
                    break
            else:
                groups.append((numerator, denominator))
        top, bottom = groups[0]
        for numerator, denominator in groups[1:]:
            top = self.times(top, denominator) + self.times(numerator, bottom)
            bottom = self.times(bottom, denominator)
        return top, bottom

    def expression(self, polynomial: Polynomial) -> Expr:
        """Polynomial as a SymPy expression, expanded."""
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
        indices = {self.symbols.index(symbol): value for symbol, value in values.items()}
        self._check_substitution(polynomial, indices)
        arguments = [indices.get(i, g) for i, g in enumerate(self.generators.values())]
        return polynomial.compose(*arguments, ctx=self._context)

    def _check_substitution(
        self, polynomial: Polynomial, indices: Mapping[int, Polynomial]
    ) -> None:
        lengths = {index: max(1, len(value)) for index, value in indices.items()}
        degrees = {index: value.degrees() for index, value in indices.items()}
        monomials = [tuple(map(int, powers)) for powers in polynomial.monoms()]
        highest = [0] * len(self.symbols)
        work = 0
        for powers in monomials:
            used = [(index, power) for index, power in enumerate(powers) if power]
            work += min(math.prod(lengths.get(i, 1) ** k for i, k in used), _MOST_PRODUCTS + 1)
            for index in range(len(highest)):
                reached = sum(
                    k * (int(degrees[i][index]) if i in degrees else int(i == index))
                    for i, k in used
                )
                highest[index] = max(highest[index], reached)
        dense = math.prod(degree + 1 for degree in highest) * len(monomials)
        if min(work, dense) > _MOST_PRODUCTS:
            raise TooLargeError(
                f"the substitution that decides this identity needs about {min(work, dense)} products; "
                f"at most {_MOST_PRODUCTS} are done; state it in moments (Delta_ij, f_Bi) instead "
                "of raw frequencies, or with fewer judges"
            )

    def factored(self, polynomial: Polynomial) -> Expr:
        """Polynomial as a SymPy product of irreducible factors."""
        content, factors = polynomial.factor()
        parts = [self.expression(factor) ** int(power) for factor, power in factors]
        return sympy.Mul(sympy.Rational(int(content.p), int(content.q)), *parts)

    def common(self, a: Polynomial, b: Polynomial) -> Polynomial:
        """Greatest common divisor, or 1 where finding it would take long."""
        self._clock.check()
        return a.gcd(b) if len(a) * len(b) <= _MOST_COMMON else self.one

    def factors(self, polynomial: Polynomial) -> list[Expr]:
        """Irreducible factors of a polynomial that are not constants."""
        return [self.expression(factor) for factor, _ in polynomial.factor()[1]]

    def at(self, polynomial: Polynomial, values: Mapping[Expr, Fraction]) -> Fraction:
        """Value of a polynomial at a point given for every symbol it uses."""
        point = [
            fmpq(value.numerator, value.denominator)
            for value in (values.get(symbol, Fraction(0)) for symbol in self.symbols)
        ]
        result = polynomial(*point)
        return Fraction(int(result.p), int(result.q))
