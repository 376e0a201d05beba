"""Forms whose squares may be needed, found without a semidefinite program.

First the user's and those under even powers in the claim itself; then forms that vanish where the
claim is zero, for a sum of squares is zero only where all of them are: every form of half the degree,
or differences of products of what the claim names, as in ad - bc.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product

import numpy as np
from numpy.typing import NDArray

from algeval.algebra.inequalities.domain import Domain, Polynomial
from algeval.algebra.inequalities.floats import FloatPolynomial
from algeval.algebra.inequalities.goal import Deadline, Goal
from algeval.algebra.inequalities.zeros import zeros

__all__ = ["forms"]

Array = NDArray[np.float64]

_MOST_MONOMIALS = 120
_MOST_FORMS = 3_000
_MOST_NAMED = 12
_SMALL = 1e-4
_DENOMINATOR = 12


def forms(
    goal: Goal, given: Sequence[Polynomial], named: Sequence[Polynomial], deadline: Deadline
) -> Iterator[list[Polynomial]]:
    """Yield lists of forms to be squared, the likeliest first.

    `given` are forms from the user or the claim, `named` the polynomials that its names stand for.
    """
    if given:
        yield list(given)
    monomials = _half(goal)
    if not 1 < len(monomials) <= _MOST_MONOMIALS:
        return
    points = zeros(goal, deadline)
    minors = _minors(goal.domain, named, points)
    if minors:
        yield [*given, *minors]
    values = np.array([[_value(m, point) for m in monomials] for point in points])
    basis = _vanishing(values, len(monomials))
    found = [_form(goal.domain, monomials, row) for row in basis]
    yield from _with_pairs([*given, *(f for f in found if not f.is_zero())])
    yield from _with_pairs(_binomials(goal.domain, monomials, values))


def _minors(
    domain: Domain, named: Sequence[Polynomial], points: Sequence[Array]
) -> list[Polynomial]:
    """Return ab - cd for named quantities, where that is zero at all points."""
    if not points or not 2 <= len(named) <= _MOST_NAMED:
        return []
    floats = [FloatPolynomial(domain, p) for p in named]
    values = np.array([[f(point) for point in points] for f in floats])
    pairs = list(combinations_with_replacement(range(len(named)), 2))
    found: list[Polynomial] = []
    for (a, b), (c, d) in combinations(pairs, 2):
        if np.abs(values[a] * values[b] - values[c] * values[d]).max() < _SMALL:
            form = named[a] * named[b] - named[c] * named[d]
            if not form.is_zero() and form not in found:
                found.append(form)
    return found


def _half(goal: Goal) -> list[tuple[int, ...]]:
    """Return the exponents of all affine monomials of at most half the degree in each block."""
    domain = goal.domain
    degree = domain.degree(goal.polynomial)
    choices = []
    for block, d in zip(domain.blocks, degree, strict=True):
        size, half = len(block), (d + 1) // 2
        inner = [z for z in product(range(half + 1), repeat=size - 1) if sum(z) <= half]
        choices.append([(*z, 0) for z in inner])
    count = np.prod([float(len(choice)) for choice in choices])
    if count > _MOST_MONOMIALS:
        return []
    return [tuple(k for part in parts for k in part) for parts in product(*choices)]


def _value(monomial: tuple[int, ...], point: Array) -> float:
    return float(np.prod(point ** np.array(monomial, float)))


def _vanishing(values: Array, width: int) -> list[list[Fraction]]:
    """Return a basis, with small numbers, of the forms that vanish at all points."""
    if not len(values):
        return [[Fraction(int(i == j)) for j in range(width)] for i in range(width)]
    _, singular, turned = np.linalg.svd(values)
    rank = int((singular > _SMALL * max(1.0, singular[0])).sum())
    return [
        [Fraction(float(x)).limit_denominator(_DENOMINATOR) for x in row]
        for row in _echelon(turned[rank:])
    ]


def _echelon(rows: Array) -> Array:
    """Return rows of the same span that are as sparse as elimination makes them."""
    rows = rows.copy()
    used: list[int] = []
    for r in range(len(rows)):
        free = np.abs(rows[r])
        free[used] = 0
        pivot = int(np.argmax(free > 0.5 * free.max())) if free.max() > 0 else 0
        if abs(rows[r, pivot]) < _SMALL:
            continue
        rows[r] /= rows[r, pivot]
        used.append(pivot)
        for other in range(len(rows)):
            if other != r:
                rows[other] -= rows[other, pivot] * rows[r]
    rows[np.abs(rows) < _SMALL] = 0
    return rows


def _form(
    domain: Domain, monomials: Sequence[tuple[int, ...]], row: Sequence[Fraction]
) -> Polynomial:
    total = 0 * domain.one
    for z, value in zip(monomials, row, strict=True):
        if value:
            total += domain.constant(value) * domain.context.from_dict({z: 1})
    return total


def _binomials(
    domain: Domain, monomials: Sequence[tuple[int, ...]], values: Array
) -> list[Polynomial]:
    """Return m - r m' for pairs of monomials whose ratio is the same at all points of zero."""
    found = []
    for (a, one), (b, other) in combinations(enumerate(monomials), 2):
        ratio = _ratio(values, a, b)
        if ratio is not None:
            row = domain.context.from_dict({one: 1})
            found.append(row - domain.constant(ratio) * domain.context.from_dict({other: 1}))
    return found


def _ratio(values: Array, a: int, b: int) -> Fraction | None:
    if not len(values) or np.abs(values[:, b]).min() < _SMALL:
        return None
    ratios = values[:, a] / values[:, b]
    if np.ptp(ratios) > _SMALL:
        return None
    return Fraction(float(ratios[0])).limit_denominator(_DENOMINATOR)


def _with_pairs(found: list[Polynomial]) -> Iterator[list[Polynomial]]:
    """Yield the forms with sums and differences of each two of them."""
    if found and len(found) ** 2 <= _MOST_FORMS:
        pairs = list(combinations(found, 2))
        yield [*found, *(a + b for a, b in pairs), *(a - b for a, b in pairs)]
