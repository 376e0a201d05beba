"""What is to be shown: a polynomial is nonnegative where the hypotheses hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any, NamedTuple

from algeval.algebra.inequalities.domain import Domain, Polynomial

__all__ = ["Deadline", "Given", "Goal", "Node"]

Node = dict[str, Any]
"""One node of a certificate, as JSON."""


class Given(NamedTuple):
    """A hypothesis: this polynomial is nonnegative, or positive where `strict`."""

    polynomial: Polynomial
    strict: bool


@dataclass(frozen=True, eq=False)
class Goal:
    """The polynomial is >= 0 (> 0 where `strict`) wherever every `ge` is >= 0 and every `eq` is 0.

    All polynomials are affine forms on the domain. A hypothesis that was dropped is None, so that
    the numbers of the others stay. `divisors` says which of `ge` are divisors: {number: place}.
    """

    domain: Domain
    polynomial: Polynomial
    strict: bool = False
    ge: tuple[Given | None, ...] = ()
    eq: tuple[Polynomial, ...] = ()
    divisors: Mapping[int, int] = field(default_factory=dict)

    def about(self, polynomial: Polynomial, strict: bool | None = None) -> Goal:
        """Return the same goal for another polynomial."""
        wanted = self.strict if strict is None else strict
        return replace(self, polynomial=polynomial, strict=wanted)

    def without_givens(self) -> Goal:
        """Return the goal with no hypotheses but equalities."""
        return replace(self, ge=(None,) * len(self.ge), divisors={})

    def dropped(self, node: Node) -> Node:
        """Return a node that proves the goal without its inequalities, as one that says so."""
        there = [k for k, given in enumerate(self.ge) if given is not None]
        return node | ({"drop": there} if there else {})

    def through(self, domain: Domain, arguments: Sequence[Polynomial]) -> Goal:
        """Return the goal with each coordinate replaced by a polynomial on another domain."""

        def moved(polynomial: Polynomial) -> Polynomial:
            return domain.affine(domain.through(polynomial, arguments))

        ge = tuple(g and Given(moved(g.polynomial), g.strict) for g in self.ge)
        eq = tuple(map(moved, self.eq))
        return Goal(domain, moved(self.polynomial), self.strict, ge, eq, self.divisors)

    @property
    def hypotheses(self) -> list[Polynomial]:
        """The polynomials of all hypotheses that are left."""
        return [g.polynomial for g in self.ge if g is not None] + list(self.eq)

    def same(self, other: Goal) -> bool:
        """Whether two goals on one domain ask for the same."""
        return (
            self.polynomial == other.polynomial
            and list(self.eq) == list(other.eq)
            and [g and g.polynomial for g in self.ge] == [g and g.polynomial for g in other.ge]
        )


class Deadline:
    """A moment after which work stops at the next step that asks."""

    def __init__(self, seconds: float) -> None:
        self._end = monotonic() + seconds

    def left(self) -> float:
        """Return the seconds that are left, 0 when there are none."""
        return max(0.0, self._end - monotonic())

    def part(self, seconds: float) -> Deadline:
        """Return a deadline after some of the time that is left."""
        return Deadline(min(seconds, self.left()))

    @property
    def passed(self) -> bool:
        """Whether no time is left."""
        return monotonic() >= self._end
