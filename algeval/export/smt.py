"""Claims as SMT-LIB 2.6: the negation of the claim, which a solver of real arithmetic should refute.

It holds no proof: what a solver answers is a second opinion, and a time-out means nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from algeval.export.statement import Node, Relation, Statement, number, variable

__all__ = ["text"]


def text(document: Mapping[str, Any]) -> str:
    """Certificate or counterexample as a script that must answer unsat, or sat for a counterexample."""
    statement = Statement.of(document)
    exam = document.get("exam")
    facts = [*_domain(statement), *map(_relation, statement.hypotheses)]
    if statement.claim is not None:
        facts.append(f"(not {_relation(statement.claim)})")
    if exam is not None:
        facts += [
            f"(= {name} {_tree(number(share))})" for name, share in statement.point(exam).items()
        ]
    outcome = (
        "unsat: no exam breaks the claim" if exam is None else "sat: this exam breaks the claim"
    )
    lines = [
        f"; expected answer: {outcome}",
        *(f"; {identifier}: {json.dumps(typed)}" for identifier, typed in statement.legend.items()),
        "(set-logic QF_NRA)",
        *(f"(declare-const {name} Real)" for name in (*statement.base, *statement.definitions)),
        *(f"(assert {fact})" for fact in facts),
        "(check-sat)",
    ]
    return "\n".join(lines) + "\n"


def _domain(statement: Statement) -> Iterable[str]:
    """What holds of the variables whatever the claim says."""
    for block in statement.blocks:
        yield from (f"(>= {name} 0.0)" for name in block)
        yield f"(= {_applied('+', block)} 1.0)"
    if statement.items:
        yield f"(> {statement.items} 0.0)"
    for name, definition in statement.definitions.items():
        yield _relation(Relation("=", variable(name), definition))
    yield from (f"(not (= {_tree(divisor)} 0.0))" for divisor in statement.divisors)


def _relation(relation: Relation) -> str:
    return f"({relation.sign} {_tree(relation.left)} {_tree(relation.right)})"


def _applied(function: str, arguments: Iterable[str]) -> str:
    listed = list(arguments)
    return listed[0] if len(listed) == 1 else f"({function} {' '.join(listed)})"


def _number(x: Fraction) -> str:
    size = f"{abs(x.numerator)}.0"
    size = size if x.denominator == 1 else f"(/ {size} {x.denominator}.0)"
    return size if x >= 0 else f"(- {size})"


def _tree(node: Node) -> str:
    parts = [_tree(part) for part in node.parts]
    if node.kind == "number":
        return _number(node.number)
    if node.kind == "variable":
        return node.name
    if node.kind == "negative":
        return f"(- {parts[0]})"
    if node.kind == "^":
        return _applied("*", parts * int(node.number)) if node.number else "1.0"
    return f"({node.kind} {' '.join(parts)})"
