"""The shortest proof: every coefficient of the lift is nonnegative."""

from __future__ import annotations

from algeval.algebra.inequalities.domain import Degree, Domain, Polynomial
from algeval.algebra.inequalities.goal import Goal, Node

__all__ = ["MOST_TERMS", "coefficients", "corner_exponents", "negatives", "raised"]

MOST_TERMS = 150_000
"""Coefficients above which a lift is not made."""


def coefficients(goal: Goal, steps: int = 0) -> Node | None:
    """Return the proof by the coefficients of the lift, `steps` above the polynomial's own degree.

    Where the claim is strict the coefficient of each corner must be positive too: at every point
    some corner's monomial is.
    """
    domain = goal.domain
    degree = raised(domain.degree(goal.polynomial), steps)
    if domain.size(degree) > MOST_TERMS:
        return None
    lifted = domain.lift(goal.polynomial, degree).to_dict()
    if any(value < 0 for value in lifted.values()):
        return None
    if goal.strict and not _positive_at_corners(domain, lifted, degree):
        return None
    return {"kind": "coefficients", "degree": list(degree)}


def raised(degree: Degree, steps: int) -> Degree:
    """Return a degree raised by so many steps in each block in which it is not 0."""
    return tuple(d + steps if d else 0 for d in degree)


def negatives(domain: Domain, polynomial: Polynomial) -> int:
    """Return how many coefficients of the least lift are negative."""
    lifted = domain.lift(polynomial, domain.degree(polynomial))
    return sum(value < 0 for value in lifted.coeffs())


def corner_exponents(domain: Domain, corner: tuple[int, ...], degree: Degree) -> tuple[int, ...]:
    """Return the exponents of the monomial that is 1 at a corner."""
    powers = [0] * domain.n
    for coordinate, d in zip(corner, degree, strict=True):
        powers[coordinate] = d
    return tuple(powers)


def _positive_at_corners(
    domain: Domain, lifted: dict[tuple[int, ...], object], degree: Degree
) -> bool:
    blocks = [block if d else block[:1] for block, d in zip(domain.blocks, degree, strict=True)]
    from itertools import product

    return all(corner_exponents(domain, c, degree) in lifted for c in product(*blocks))
