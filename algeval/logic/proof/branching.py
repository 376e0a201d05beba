"""Settle a whole-number program: a solution, or a finite split whose leaves are refutations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor
from time import monotonic
from typing import Any

from algeval.logic.proof.program import Program, Row, satisfied
from algeval.logic.proof.refute import refute_or_relax

__all__ = ["Clock", "Settled", "evidence_of", "multipliers_leaf", "settle"]

Form = tuple[Any, ...]
Leaf = Callable[[Program, dict[int, Fraction]], dict[str, Any] | None]


class Clock:
    """A time limit that is passed around; None never runs out."""

    def __init__(self, limit: float | None) -> None:
        self.end = None if limit is None else monotonic() + limit

    @property
    def left(self) -> float | None:
        """Seconds left, or None."""
        return None if self.end is None else max(0.0, self.end - monotonic())

    @property
    def over(self) -> bool:
        """Whether time has run out."""
        return self.end is not None and monotonic() >= self.end


@dataclass(frozen=True, slots=True)
class Settled:
    """A solution, or a tree of refutations, or neither when time or patience ran out."""

    values: list[int] | None = None
    tree: dict[str, Any] | None = None


def multipliers_leaf(program: Program, multipliers: dict[int, Fraction]) -> dict[str, Any]:
    """Return the evidence of one refutation."""
    rows = [[list(program.rows[place].name), str(y)] for place, y in multipliers.items()]
    return {"kind": "multipliers", "rows": rows}


def evidence_of(tree: dict[str, Any]) -> dict[str, Any]:
    """Return a tree as evidence; a single leaf is evidence by itself."""
    return {"kind": "branches", "tree": tree} if "split" in tree else tree


class _Search:
    def __init__(self, forms: Sequence[Form], leaf: Leaf, clock: Clock, most: int) -> None:
        self.forms, self.leaf, self.clock, self.left = forms, leaf, clock, most
        self.found: list[int] | None = None

    def visit(self, program: Program, depth: int) -> dict[str, Any] | None:
        self.left -= 1
        if self.left < 0 or self.clock.over:
            return None
        multipliers, point = refute_or_relax(program)
        if multipliers is not None:
            return self.leaf(program, multipliers)
        if not point:
            return None
        column = self.column(program, point)
        return None if column is None else self.split(program, column, point[column], depth)

    def column(self, program: Program, point: Sequence[float]) -> int | None:
        """Return the unknown to split on: the most fractional one, or else any that is free."""
        whole = [round(v) for v in point]
        distance = [abs(v - w) for v, w in zip(point, whole, strict=True)]
        column = max(range(len(point)), key=distance.__getitem__)
        if distance[column] > 1e-6:
            return column
        if satisfied(program, whole):
            self.found = whole
            return None
        spans = zip(program.lower, program.upper, strict=True)
        return next((j for j, (low, high) in enumerate(spans) if low < high), None)

    def split(
        self, program: Program, column: int, value: float, depth: int
    ) -> dict[str, Any] | None:
        low, high = program.lower[column], program.upper[column]
        if low >= high:
            return None
        at = min(max(floor(value), low), high - 1)
        parts = {}
        for side in ("low", "high"):
            part = self.visit(
                _narrow(program, self.forms[column], column, at, depth, side), depth + 1
            )
            if part is None:
                return None
            parts[side] = part
        return {"split": list(self.forms[column]), "at": at, **parts}


def _narrow(program: Program, form: Form, column: int, at: int, depth: int, side: str) -> Program:
    """Return one side of a split: key counts narrow their bounds, other forms gain a row."""
    if form[0] == "key":
        if side == "low":
            upper = list(program.upper)
            upper[column] = at
            return replace(program, upper=upper)
        lower = list(program.lower)
        lower[column] = at + 1
        return replace(program, lower=lower)
    sign, bound = (-1, -at) if side == "low" else (1, at + 1)
    row = Row(("split", depth), {column: sign}, False, bound)
    return replace(program, rows=[*program.rows, row])


def settle(
    program: Program,
    forms: Sequence[Form],
    clock: Clock,
    *,
    leaf: Leaf = multipliers_leaf,
    most: int = 2000,
) -> Settled:
    """Branch and bound on the whole-number unknowns, refuting every leaf exactly.

    Parameters
    ----------
    program : Program
        Rows and bounds; every unknown is a whole number.
    forms : sequence
        The name of each unknown in the certificate format.
    leaf : callable
        Turns a refuted node and its multipliers into evidence.
    most : int
        How many nodes to visit at most.
    """
    search = _Search(forms, leaf, clock, most)
    tree = search.visit(program, 0)
    return Settled(values=search.found, tree=None if search.found else tree)
