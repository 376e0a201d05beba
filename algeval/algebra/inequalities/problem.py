"""A question about a domain, as it was read: claim, hypotheses, and what they divide by."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from typing import Literal, NamedTuple

from algeval.algebra.inequalities.domain import Domain, Point, Polynomial
from algeval.algebra.inequalities.goal import Node

__all__ = ["Move", "Problem", "Relation", "Statement"]

Relation = Literal[">=", ">", "="]

_HOLDS: dict[Relation, Callable[[Fraction, int], bool]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "=": operator.eq,
}


class Statement(NamedTuple):
    """A relation to zero of `polynomial` over a product of divisors.

    `powers` holds (number of a divisor, its power); `number` is the place among the hypotheses.
    """

    polynomial: Polynomial
    relation: Relation
    powers: tuple[tuple[int, int], ...] = ()
    number: int = -1

    @property
    def odd(self) -> tuple[int, ...]:
        """The divisors with an odd power: their signs matter."""
        return tuple(k for k, power in self.powers if power % 2)

    @property
    def plain(self) -> bool:
        """Whether there is no divisor."""
        return not self.powers


class Move(NamedTuple):
    """A step to a smaller domain, as the certificate writes it.

    `arguments` holds every old coordinate in the new ones; `used` the hypotheses it makes use of;
    `left` what must be >= 0 beside them.
    """

    step: Node
    domain: Domain
    arguments: Sequence[Polynomial]
    used: frozenset[int] = frozenset()
    left: tuple[Polynomial, ...] = ()


@dataclass(frozen=True, eq=False)
class Problem:
    """A claim under hypotheses on a domain, wherever no divisor is zero.

    Attributes
    ----------
    domain : Domain
    claim : Statement
    given : tuple of Statement
        Those that no step used up.
    divisors : tuple of polynomials
    left : tuple of polynomials
        What steps require to be >= 0.
    """

    domain: Domain
    claim: Statement
    given: tuple[Statement, ...] = ()
    divisors: tuple[Polynomial, ...] = ()
    left: tuple[Polynomial, ...] = ()

    def after(self, move: Move) -> Problem:
        """Return the problem on the smaller domain."""

        def moved(polynomial: Polynomial) -> Polynomial:
            return move.domain.affine(move.domain.through(polynomial, move.arguments))

        def stated(one: Statement) -> Statement:
            return one._replace(polynomial=moved(one.polynomial))

        return replace(
            self,
            domain=move.domain,
            claim=stated(self.claim),
            given=tuple(stated(g) for g in self.given if g.number not in move.used),
            divisors=tuple(map(moved, self.divisors)),
            left=(*map(moved, self.left), *move.left),
        )

    def value(self, statement: Statement, point: Point, signs: Sequence[int]) -> Fraction:
        """Return the value that must be related to zero at a point, given the divisors' signs there."""
        return self.domain.at(statement.polynomial, point) * prod(signs[k] for k in statement.odd)

    def difference(self, point: Point) -> Fraction:
        """Return the larger side of the claim minus the smaller, at a point where it divides by no zero."""
        below = self.domain.all_at(self.divisors, point)
        top = self.domain.at(self.claim.polynomial, point)
        return top / prod(below[k] ** power for k, power in self.claim.powers)

    def signs(self, point: Point) -> list[int]:
        """Return the sign of every divisor at a point."""
        values = self.domain.all_at(self.divisors, point)
        return [(v > 0) - (v < 0) for v in values]

    def admits(self, point: Point) -> bool:
        """Return whether every hypothesis holds at a point and nothing is divided by zero."""
        signs = self.signs(point)
        return all(signs) and all(
            _HOLDS[g.relation](self.value(g, point, signs), 0) for g in self.given
        )

    def fails(self, point: Point) -> bool:
        """Return whether the claim is false at a point."""
        value = self.value(self.claim, point, self.signs(point))
        return not _HOLDS[self.claim.relation](value, 0)

    def violated(self, point: Point) -> bool:
        """Return whether the hypotheses hold at a point and the claim does not."""
        return self.fails(point) and self.admits(point)
