"""Exact quotients of polynomials that remember what they divide by.

A quotient is a numerator over a product of *divisors*, each a polynomial written after a division
sign. Nothing is cancelled, so that whoever reads the same text gets the same numerator; only equal
divisors are recognised. A quotient also knows whether it is a count of items (weight 1) or a share.
"""

from __future__ import annotations

from fractions import Fraction
from math import prod

from algeval.algebra.inequalities.domain import Domain, Polynomial
from algeval.errors import DataError, TooLargeError

__all__ = ["Divisors", "Quotient"]

_MOST_TERMS = 200_000
_MOST_PRODUCTS = 20_000_000
_ANY = None
"""The weight of zero, which is a count and a share."""


class Divisors:
    """The divisors of one problem, each once, in the order in which they appear."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self.polynomials: list[Polynomial] = []

    def number(self, polynomial: Polynomial) -> int:
        """Return the number of a divisor, a new one if it was not seen."""
        for k, known in enumerate(self.polynomials):
            if known == polynomial:
                return k
        self.polynomials.append(polynomial)
        return len(self.polynomials) - 1

    def product(self, powers: dict[int, int]) -> Polynomial:
        """Return a product of powers of divisors."""
        return prod((self.polynomials[k] ** p for k, p in powers.items()), start=self.domain.one)


class Quotient:
    """A numerator in affine form, the powers of its divisors, and its weight in counts."""

    __slots__ = ("below", "home", "top", "weight")

    def __init__(
        self, home: Divisors, top: Polynomial, below: dict[int, int], weight: int | None
    ) -> None:
        self.home, self.top, self.below = home, top, below
        self.weight = _ANY if top.is_zero() else weight
        if len(top) > _MOST_TERMS:
            raise TooLargeError(
                f"the claim has a polynomial of {len(top)} terms; at most {_MOST_TERMS} are handled; "
                "state it with fewer judges or in shares and moments"
            )

    def _made(self, value: Quotient | int | Fraction) -> Quotient:
        if isinstance(value, Quotient):
            return value
        return Quotient(self.home, self.home.domain.constant(value), {}, 0)

    def __add__(self, other: Quotient | int | Fraction) -> Quotient:
        other = self._made(other)
        common = {
            k: max(self.below.get(k, 0), other.below.get(k, 0))
            for k in dict.fromkeys((*self.below, *other.below))
        }
        return Quotient(
            self.home, self._over(common) + other._over(common), common, _same(self, other)
        )

    __radd__ = __add__

    def _over(self, common: dict[int, int]) -> Polynomial:
        missing = {k: p - self.below.get(k, 0) for k, p in common.items()}
        return _times(self.top, self.home.product(missing))

    def __neg__(self) -> Quotient:
        return Quotient(self.home, -self.top, self.below, self.weight)

    def __sub__(self, other: Quotient | int | Fraction) -> Quotient:
        return self + -self._made(other)

    def __rsub__(self, other: int | Fraction) -> Quotient:
        return self._made(other) - self

    def __mul__(self, other: Quotient | int | Fraction) -> Quotient:
        other = self._made(other)
        below = dict(self.below)
        for k, power in other.below.items():
            below[k] = below.get(k, 0) + power
        weight = (self.weight or 0) + (other.weight or 0)
        return Quotient(self.home, _times(self.top, other.top), below, weight)

    __rmul__ = __mul__

    def __truediv__(self, other: Quotient | int | Fraction) -> Quotient:
        other = self._made(other)
        if other.top.is_zero():
            raise DataError(
                "a claim must not divide by zero; got a denominator that is always zero; rewrite it"
            )
        top = _times(self.top, self.home.product(other.below))
        weight = (self.weight or 0) - (other.weight or 0)
        if other.top.is_constant():
            return Quotient(self.home, top / other.top.coefficient(0), self.below, weight)
        k = self.home.number(other.top)
        below = self.below | {k: self.below.get(k, 0) + 1}
        return Quotient(self.home, top, below, weight)

    def __rtruediv__(self, other: int | Fraction) -> Quotient:
        return self._made(other) / self

    def __pow__(self, exponent: int) -> Quotient:
        value = self._made(1)
        for _ in range(exponent):
            value = value * self
        return value


def _times(a: Polynomial, b: Polynomial) -> Polynomial:
    if len(a) * len(b) > _MOST_PRODUCTS:
        raise TooLargeError(
            f"the claim needs a product of {len(a)} by {len(b)} terms; at most {_MOST_PRODUCTS} are "
            "multiplied; state it with fewer judges or in shares and moments"
        )
    return a * b


def _same(a: Quotient, b: Quotient) -> int | None:
    """Return the weight of a sum, refusing to add items to shares."""
    if _ANY in (a.weight, b.weight):
        return a.weight if b.weight is _ANY else b.weight
    if a.weight != b.weight:
        raise DataError(
            "an inequality must compare counts with counts and shares with shares; got a sum of both; "
            "divide by Q, or multiply by it"
        )
    return a.weight
