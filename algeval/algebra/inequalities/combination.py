"""Proofs by combination: claim minus nonnegative multiples of the hypotheses has no negative coefficient.

One kind of node covers Handelman's and Krivine's theorems, Positivstellensatz proofs of low degree,
sums of squares and membership in an ideal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from algeval.algebra.inequalities.domain import Degree, terms
from algeval.algebra.inequalities.goal import Deadline, Goal, Node
from algeval.algebra.inequalities.program import Column, Program, Shape, build, propose
from algeval.algebra.inequalities.recovery import Exact, recover

__all__ = ["combination", "follows", "is_given", "multiplied"]


def combination(goal: Goal, shape: Shape, deadline: Deadline) -> Node | None:
    """Return a proof of one shape, or None."""
    if shape.multiplier is not None and goal.strict:
        return None
    program = build(goal, shape)
    return None if program is None else _solve(goal, program, deadline)


def follows(goal: Goal, raised: int, deadline: Deadline) -> Node | None:
    """Return a proof that the polynomial is zero, by cofactors of the equalities alone."""
    plain = replace(goal, strict=False)
    if goal.polynomial.is_zero():
        return {"kind": "zero"}
    program = build(plain, Shape(0, raised), exactly=True)
    return None if program is None else _solve(plain, program, deadline)


def multiplied(goal: Goal, deadline: Deadline) -> Node | None:
    """Return a proof of a positive multiple of the claim, or None."""
    used = _used(goal)
    single = [tuple(int(b == c) for c in range(len(used))) for b, on in enumerate(used) if on]
    every: Degree = tuple(map(int, used))
    for degree in dict.fromkeys((*single, every)):
        found = combination(goal, Shape(1, multiplier=degree), deadline)
        if found is not None:
            return found
    return None


def _used(goal: Goal) -> list[bool]:
    degrees = [goal.domain.degree(p) for p in (goal.polynomial, *goal.hypotheses)]
    return [any(column) for column in zip(*degrees, strict=True)]


def is_given(goal: Goal) -> Node | None:
    """Return the proof of a claim that is a positive multiple of one hypothesis."""
    if goal.polynomial.is_zero():
        return None
    for k, given in enumerate(goal.ge):
        if given is None or (goal.strict and not given.strict) or given.polynomial.is_zero():
            continue
        ratio = goal.polynomial.coefficient(0) / given.polynomial.coefficient(0)
        if ratio > 0 and ratio * given.polynomial == goal.polynomial:
            degree = list(goal.domain.degree(goal.polynomial))
            term = {"c": str(ratio), "given": [k]}
            return {"kind": "combination", "degree": degree, "terms": [term], "cofactors": []}
    return None


def _solve(goal: Goal, program: Program, deadline: Deadline) -> Node | None:
    proposal = propose(program, deadline)
    values = None if proposal is None else recover(program, proposal)
    return None if values is None else _written(goal, program, values)


def _written(goal: Goal, program: Program, values: Exact) -> Node:
    used = [(v, c) for v, c in zip(values, program.columns, strict=True) if v]
    node: Node = {
        "kind": "combination",
        "degree": list(program.degree),
        "terms": [_term(v, c, program) for v, c in used if c.kind in ("term", "evidence")],
        "cofactors": _cofactors(goal, used),
    }
    margin = [v for v, c in used if c.kind == "margin"]
    if margin:
        node["margin"] = str(margin[0])
    multiplier = [
        [list(c.monomial), str(1 + v)]
        for v, c in zip(values, program.columns, strict=True)
        if c.kind == "multiplier"
    ]
    return node | ({"multiplier": multiplier} if multiplier else {})


def _term(value: Fraction, column: Column, program: Program) -> Node:
    node: Node = {"c": str(value)}
    if column.source:
        node["given"] = list(column.source)
    if any(column.monomial):
        node["times"] = list(column.monomial)
    if column.square is not None:
        node["square"] = terms(program.squares[column.square])
    return node


def _cofactors(goal: Goal, used: Sequence[tuple[Fraction, Column]]) -> list[list[Any]]:
    found: dict[int, list[list[Any]]] = {}
    for value, column in used:
        if column.kind == "cofactor":
            written = [list(column.monomial), str(value)]
            found.setdefault(column.source[0], []).append(written)
    return [[k, polynomial] for k, polynomial in sorted(found.items())]
