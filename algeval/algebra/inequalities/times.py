"""Proofs of a multiple of the claim: a product of divisors, which are positive where all is defined."""

from __future__ import annotations

from itertools import product
from math import prod

from algeval.algebra.inequalities.combination import combination
from algeval.algebra.inequalities.domain import Polynomial
from algeval.algebra.inequalities.goal import Deadline, Goal, Node
from algeval.algebra.inequalities.program import Shape

__all__ = ["multiples"]

_MOST = 3


def multiples(goal: Goal, deadline: Deadline) -> Node | None:
    """Return a combination that proves the claim times a product of divisors, or None."""
    if not 1 <= len(goal.divisors) <= _MOST:
        return None
    for powers in sorted(product((0, 1, 2), repeat=len(goal.divisors)), key=sum)[1:]:
        chosen = [[k, power] for k, power in zip(goal.divisors, powers, strict=True) if power]
        factor = prod((_divisor(goal, k) ** power for k, power in chosen), start=goal.domain.one)
        larger = goal.about(goal.domain.affine(factor * goal.polynomial))
        for products in (1, 2):
            found = None if deadline.passed else combination(larger, Shape(products), deadline)
            if found is not None:
                return found | {"times": chosen}
    return None


def _divisor(goal: Goal, number: int) -> Polynomial:
    given = goal.ge[goal.divisors[number]]
    return goal.domain.one if given is None else given.polynomial
