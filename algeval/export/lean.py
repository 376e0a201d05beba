"""Claims as Lean 4 with Mathlib: the same statement as in Coq.

No Lean was at hand where this was written, and the first line of each text says so.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from algeval.export import NotExported
from algeval.export.statement import Node, Relation, Statement, Style, number, variable, written

__all__ = ["text"]

_SIGNS = {"<=": "≤", ">=": "≥"}
_STYLE = Style(number=lambda x: f"({x} : ℝ)")


def text(document: Mapping[str, Any]) -> str:
    """Identity or counterexample as a theorem.

    Raises
    ------
    NotExported
        For an inequality, or an equation that needs its hypotheses: their proofs are written for Coq alone.
    """
    statement, exam = Statement.of(document), document.get("exam")
    if exam is None and document["proof"]["kind"] != "zero":
        raise NotExported(
            "a claim must be an identity or refuted to be written for Lean; got an inequality or an equation "
            "under hypotheses; choose coq"
        )
    binders = [*_variables(statement), *_hypotheses(statement)]
    claim = _relation(statement.claim) if statement.claim is not None else "False"
    body = (
        [
            "theorem claim",
            *(f"    ({binder})" for binder in binders),
            f"    : {claim} := by",
            *_identity(statement),
        ]
        if exam is None
        else _refutation(statement, binders, claim, exam)
    )  # fmt: skip
    return "\n".join([
        "-- Not compiled by us: no Lean was at hand.",
        *(f"-- {identifier}: {json.dumps(typed)}" for identifier, typed in statement.legend.items()),
        "import Mathlib",
        "",
        *body,
    ]) + "\n"  # fmt: skip


def _variables(statement: Statement) -> Iterable[str]:
    """Binders of the base variables and of what is defined by them."""
    return [f"{name} : ℝ" for name in (*statement.base, *statement.definitions)]


def _hypotheses(statement: Statement) -> Iterable[str]:
    """Binders of domain, definitions, denominators and hypotheses, in that order."""
    for k, block in enumerate(statement.blocks):
        yield from (f"nonneg_{name} : 0 ≤ {name}" for name in block)
        yield f"total_{k} : {' + '.join(block)} = 1"
    if statement.items:
        yield f"pos_{statement.items} : 0 < {statement.items}"
    for name, tree in statement.definitions.items():
        yield f"def_{name} : {_relation(Relation('=', variable(name), tree))}"
    for k, divisor in enumerate(statement.divisors):
        yield f"ne_{k} : {written(divisor, _STYLE)} ≠ 0"
    for k, relation in enumerate(statement.hypotheses):
        yield f"given_{k} : {_relation(relation)}"


def _identity(statement: Statement) -> Iterable[str]:
    """Tactics that insert definitions and last shares, clear denominators and compare polynomials."""
    lasts = []
    for k, block in enumerate(statement.blocks):
        rest = " - ".join(["1", *block[:-1]])
        yield f"  have last_{k} : {block[-1]} = {rest} := by linarith"
        lasts.append(f"last_{k}")
    for name in reversed([*statement.definitions]):
        yield f"  subst def_{name}"
    yield f"  subst {' '.join(lasts)}"
    if statement.divisors:
        yield "  field_simp"
    yield "  ring"


def _refutation(
    statement: Statement, binders: list[str], claim: str, exam: Mapping[str, Any]
) -> Iterable[str]:
    """Theorem that the claim does not hold of all exams, by the values on this exam."""
    values = statement.values(statement.point(exam))
    if values is None:
        raise NotExported("an exam must give every quotient a value; on this one a divisor is zero")
    n = len(statement.base) + len(statement.definitions)
    exact = [_value(values[name]) for name in (*statement.base, *statement.definitions)]
    return [
        "theorem refuted : ¬ (∀",
        *(f"    ({binder})" for binder in binders),
        f"    , {claim}) := by",
        "  intro h",
        f"  have false_claim := h {' '.join(exact)} {' '.join(['(by norm_num)'] * (len(binders) - n))}",
        "  norm_num at false_claim",
    ]


def _value(x: Fraction) -> str:
    return written(number(x), _STYLE)


def _relation(relation: Relation) -> str:
    left, right = (_side(side) for side in (relation.left, relation.right))
    return f"{left} {_SIGNS.get(relation.sign, relation.sign)} {right}"


def _side(node: Node) -> str:
    return written(node, _STYLE)
