"""Claims as Coq theorems: the statement as typed, and a proof that its kernel checks."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from algeval.export import NotExported
from algeval.export.coq_statement import Opening, literal, quoted
from algeval.export.coq_theorems import Derivation
from algeval.export.statement import Point, Statement, holds

__all__ = ["TRUSTED", "text", "theory"]

TRUSTED = frozenset(
    {
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",
    }
)
"""Axioms of Coq's real numbers: a claim may rest on these and on no others."""

_HEAD = """\
(* Written by algeval from certificates; compiled by: coqc -Q FOLDER Algeval FILE.v
   where FOLDER is algeval.export.coq_library(). What was typed stands in strings alone. *)
From Algeval Require Import Tac."""

_SAYS = {
    "claim": "(* The claim holds wherever the hypotheses do. *)",
    "refuted": "(* The claim fails: here is an exam on which its hypotheses hold and it does not. *)",
    "contradiction": (
        "(* No exam satisfies the hypotheses. The theorem says that, and nothing of any other claim. *)"
    ),
}

_TRIES = 3000
"""Exams that are tried for one on which all hypotheses hold."""


def text(document: Mapping[str, Any]) -> str:
    """One certificate, or counterexample, as a Coq file."""
    return theory([document])


def theory(documents: Iterable[Mapping[str, Any]], names: Sequence[str] | None = None) -> str:
    """Several as one Coq file, a module each, with what they rest on printed at the end.

    names : of the modules; claim1, claim2, ... unless they are passed.
    """
    modules = [_module(document) for document in documents]
    if not modules:
        raise NotExported("there must be a certificate to write; got none")
    names = names or [f"claim{n}" for n in range(1, len(modules) + 1)]
    parts = [_HEAD]
    for name, (body, _) in zip(names, modules, strict=True):
        parts.append(f"Module {name}.\n{body}\nEnd {name}.")
    listed = [f"{name}.{theorem}" for name, (_, theorem) in zip(names, modules, strict=True)]
    parts.append(f"Definition theorems := ({', '.join(listed)}).\nPrint Assumptions theorems.")
    return "\n\n".join(parts) + "\n"


def _module(document: Mapping[str, Any]) -> tuple[str, str]:
    """Body of a module, and the name of its theorem."""
    statement = Statement.of(document)
    opening = Opening(statement)
    head = [*_typed(document, statement), _definition("statement", opening.lines())]
    if document["schema"] == "algeval.counterexample/1":
        values = _counterexample(document, statement)
        proof = _refutation("refuted", "statement", opening, values)
        return "\n".join([*head, _SAYS["refuted"], *proof]), "refuted"
    says = _SAYS["claim" if statement.claim is not None else "contradiction"]
    derivation = Derivation(document, opening)
    equation = statement.claim is not None and statement.claim.sign == "="
    plain = equation and document["proof"] == {"kind": "zero"} and not statement.hypotheses
    proof = _identity(opening) if plain else ["Theorem claim : statement.", *derivation.proof()]
    conditional = statement.claim is not None and (statement.hypotheses or statement.divisors)
    example = _example(opening, derivation) if conditional else []
    return "\n".join([*head, *derivation.nodes.lines, says, *proof, *example]), "claim"


def _typed(document: Mapping[str, Any], statement: Statement) -> list[str]:
    """What the reader typed, and what each identifier stands for, as strings."""
    claim = document["identity" if document["schema"] == "algeval.counterexample/1" else "claim"]
    texts = [claim, *document.get("given", ())]
    texts += [f"{name} := {meaning}" for name, meaning in document.get("define", {}).items()]
    legend = "; ".join(f'("{v}", {quoted(typed)})' for v, typed in statement.legend.items())
    return [
        f"Definition typed := [{'; '.join(map(quoted, texts))}]%string.",
        f"Definition legend := [{legend}]%string.",
    ]


def _definition(name: str, lines: Sequence[str]) -> str:
    return f"Definition {name} :=\n" + "\n".join(f"  {line}" for line in lines) + "."


# Identities --------------------------------------------------------------------------------------------


def _identity(opening: Opening) -> list[str]:
    """Definitions put in place, both sides are equal as fractions, by ring or field.

    Where they are equal even if the shares do not sum to 1, that is not used: the fractions are shorter.
    """
    lasts = not _homogeneous(opening.statement)
    return [
        "Theorem claim : statement.",
        *opening.start(),
        f"{opening.expand(lasts=lasts)}; fractions. Qed.",
    ]


def _homogeneous(statement: Statement) -> bool:
    """Whether the two sides agree at three points off the domain."""
    draw, claim = random.Random(0), statement.claim
    for _ in range(3):
        values = statement.values({v: Fraction(draw.randint(1, 10**6)) for v in statement.base})
        if claim is None or values is None or not holds(claim, values):
            return False
    return True


# Exams --------------------------------------------------------------------------------------------------


def _counterexample(document: Mapping[str, Any], statement: Statement) -> Point:
    """Values on the exam of a counterexample, whose hypotheses must hold and whose claim must not."""
    values = statement.values(statement.point(document["exam"]))
    if values is None or not statement.admits(values) or statement.claim is None:
        raise NotExported("a counterexample must satisfy the hypotheses and divide by no zero")
    if holds(statement.claim, values):
        raise NotExported("a counterexample must be an exam on which the claim fails; it holds")
    return values


def _refutation(name: str, goal: str, opening: Opening, values: Point) -> list[str]:
    """Put numbers for all variables; what is left is arithmetic with numbers."""
    st = opening.statement
    steps = len([*st.base]) + len(st.blocks)
    base = " ".join(literal(values[v]) for v in st.base)
    lines = [
        f"Theorem {name} : ~ {goal}.",
        f"Proof. unfold {goal}. intro K. specialize (K {base}).",
    ]
    lines.append(f"do {steps} feed K number.")
    lines += [f"specialize (K {literal(values[v])}). feed K number." for v in st.definitions]
    rest = len(st.divisors) + len(st.hypotheses)
    lines += [f"do {rest} feed K number."] if rest else []
    return [*lines, "revert K. number. Qed."]


def _example(opening: Opening, derivation: Derivation) -> list[str]:
    """An exam that satisfies the hypotheses, so that the theorem is not empty."""
    values = derivation.example(_TRIES)
    if values is None:
        return [
            "(* No exam that satisfies all hypotheses was found: the theorem may say nothing. *)"
        ]
    return [
        "(* The theorem is about something: on this exam all hypotheses hold. *)",
        _definition("empty", opening.lines("False")),
        *_refutation("example", "empty", opening, values),
    ]
