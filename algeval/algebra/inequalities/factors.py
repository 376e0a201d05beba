"""Proofs by factoring: the sign of a product is that of its factors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from algeval.algebra.inequalities.domain import Polynomial, terms
from algeval.algebra.inequalities.goal import Goal, Node

__all__ = ["factors", "irreducible", "signed"]

Prover = Callable[[Goal], Node | None]

_MOST_TERMS = 3_000


def irreducible(polynomial: Polynomial) -> tuple[Any, list[tuple[Polynomial, int]]]:
    """Return the constant and the irreducible factors of a polynomial with their powers."""
    content, found = polynomial.factor()
    return content, [(factor, int(power)) for factor, power in found]


def factors(goal: Goal, prove: Prover) -> Node | None:
    """Return a proof from the signs of the factors, or None where there is one factor or no sign."""
    if len(goal.polynomial) > _MOST_TERMS or goal.polynomial.is_zero():
        return None
    content, found = irreducible(goal.polynomial)
    if sum(power for _, power in found) < 2:
        return None
    sign = 1 if content > 0 else -1
    written = []
    for factor, power in sorted(found, key=lambda one: len(one[0])):
        node: Node = {"polynomial": terms(factor), "power": power}
        if power % 2 or goal.strict:
            decided = signed(goal.about(factor), prove)
            if decided is None:
                return None
            node |= {"sign": decided[0], "proof": decided[1]}
            sign *= decided[0] if power % 2 else 1
        written.append(node)
    return {"kind": "factors", "constant": str(content), "factors": written} if sign > 0 else None


def signed(goal: Goal, prove: Prover) -> tuple[int, Node] | None:
    """Return a sign of the goal's polynomial, 1 or -1, with its proof; None if neither is found."""
    middle = goal.domain.at(goal.polynomial, goal.domain.middle)
    for sign in (1, -1) if middle >= 0 else (-1, 1):
        proof = prove(goal.about(sign * goal.polynomial))
        if proof is not None:
            return sign, proof
    return None
