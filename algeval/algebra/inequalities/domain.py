"""A product of simplices, and polynomials on it.

A domain is a list of blocks; the coordinates of a block are nonnegative and sum to 1. Two polynomials
agree on it exactly when their *affine forms* do: the last coordinate of every block replaced by 1
minus the others. `Domain.lift` makes an affine form homogeneous again, of a given degree in each
block; its coefficients are the Bernstein coefficients up to positive factors.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement, pairwise, product
from typing import Any

from flint import fmpq, fmpq_mpoly_ctx

__all__ = ["Degree", "Domain", "Exponents", "Point", "Polynomial", "rational", "read", "terms"]

Polynomial = Any  # flint.fmpq_mpoly; python-flint is untyped
Exponents = tuple[int, ...]
Degree = tuple[int, ...]
Point = tuple[Fraction, ...]


def rational(value: Fraction | int) -> Any:
    """Return a fraction as python-flint's."""
    value = Fraction(value)
    return fmpq(value.numerator, value.denominator)


class Domain:
    """A product of simplices with `sizes` coordinates each.

    Attributes
    ----------
    sizes : tuple of int
        Coordinates in each block.
    n : int
        Coordinates of all blocks, which are numbered through.
    """

    def __init__(self, sizes: Iterable[int]) -> None:
        self.sizes: tuple[int, ...] = tuple(sizes)
        self.n = sum(self.sizes)
        self.context = fmpq_mpoly_ctx.get(tuple(f"z{place}" for place in range(self.n)), "lex")
        self.one: Polynomial = self.context.constant(1)

    @cached_property
    def gens(self) -> tuple[Polynomial, ...]:
        """The coordinates as polynomials."""
        return tuple(self.context.gens())

    @cached_property
    def blocks(self) -> tuple[range, ...]:
        """The numbers of the coordinates of each block."""
        ends = [0]
        for size in self.sizes:
            ends.append(ends[-1] + size)
        return tuple(range(a, b) for a, b in pairwise(ends))

    @cached_property
    def coordinates(self) -> tuple[Polynomial, ...]:
        """The coordinates in affine form."""
        found = list(self.gens)
        for block in self.blocks:
            found[block[-1]] = self.one - sum((self.gens[c] for c in block[:-1]), 0 * self.one)
        return tuple(found)

    @cached_property
    def pairs(self) -> tuple[int, ...]:
        """The blocks of two coordinates."""
        return tuple(b for b, size in enumerate(self.sizes) if size == 2)

    @cached_property
    def middle(self) -> Point:
        """The point at which all coordinates of a block are equal."""
        return tuple(Fraction(1, size) for size in self.sizes for _ in range(size))

    def constant(self, value: Fraction | int) -> Polynomial:
        """Return a number as a polynomial."""
        return self.context.constant(rational(value))

    def affine(self, polynomial: Polynomial) -> Polynomial:
        """Return the affine form of a polynomial."""
        return self.through(polynomial, self.coordinates)

    def through(self, polynomial: Polynomial, arguments: Sequence[Polynomial]) -> Polynomial:
        """Return a polynomial of another domain with its coordinates replaced by some of this one."""
        return polynomial.compose(*arguments, ctx=self.context)

    def degree(self, polynomial: Polynomial) -> Degree:
        """Return the degree in each block."""
        monomials = [tuple(map(int, powers)) for powers in polynomial.monoms()]
        return tuple(
            max((sum(powers[c] for c in block) for powers in monomials), default=0)
            for block in self.blocks
        )

    def size(self, degree: Degree) -> int:
        """Return how many monomials have exactly this degree."""
        return math.prod(
            math.comb(size - 1 + d, d) for size, d in zip(self.sizes, degree, strict=True)
        )

    def lift(self, polynomial: Polynomial, degree: Degree) -> Polynomial:
        """Return the polynomial of exactly this degree in each block that equals an affine form."""
        for block, d in zip(self.blocks, degree, strict=True):
            parts: dict[int, dict[Exponents, Any]] = defaultdict(dict)
            for powers, value in polynomial.to_dict().items():
                parts[sum(int(powers[c]) for c in block)][powers] = value
            total = sum((self.gens[c] for c in block), 0 * self.one)
            polynomial = 0 * self.one
            for k in range(d + 1):
                polynomial = polynomial * total + self.context.from_dict(parts.get(k, {}))
        return polynomial

    def monomials(self, degree: Degree) -> Iterator[Exponents]:
        """Yield the exponents of every monomial of exactly this degree."""
        choices = [
            [_exponents(chosen, block) for chosen in combinations_with_replacement(block, d)]
            for block, d in zip(self.blocks, degree, strict=True)
        ]
        for parts in product(*choices):
            yield tuple(power for part in parts for power in part)

    def corners(self) -> Iterator[tuple[int, ...]]:
        """Yield one coordinate of each block, in every way."""
        return product(*self.blocks)

    def at(self, polynomial: Polynomial, point: Point) -> Fraction:
        """Return the value at a point."""
        return self.all_at((polynomial,), point)[0]

    def all_at(self, polynomials: Iterable[Polynomial], point: Point) -> Point:
        """Return the values of some polynomials at a point."""
        place = [rational(x) for x in point]
        values = (polynomial(*place) for polynomial in polynomials)
        return tuple(Fraction(int(value.p), int(value.q)) for value in values)


def _exponents(chosen: Sequence[int], block: range) -> Exponents:
    return tuple(chosen.count(c) for c in block)


def terms(polynomial: Polynomial) -> list[list[Any]]:
    """Return a polynomial as JSON: [[exponents, coefficient as text], ...]."""
    return [[list(map(int, powers)), str(value)] for powers, value in polynomial.to_dict().items()]


def read(written: Iterable[Sequence[Any]], domain: Domain) -> Polynomial:
    """Return the polynomial that `terms` wrote."""
    return domain.context.from_dict(
        {tuple(powers): rational(Fraction(value)) for powers, value in written}
    )
