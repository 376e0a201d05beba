"""Identities: read from text or SymPy without executing anything."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy

from algeval.algebra.proving.names import names_of_kinds, near_names
from algeval.algebra.proving.vocabulary import System
from algeval.errors import DataError
from algeval.result import exact

__all__ = ["Identity", "judges_of", "read_identity", "spoken_of"]

Expr = Any  # sympy.Expr; SymPy is untyped

_MOST_TEXT = 20_000
_MOST_POWER = 64
_BRACED = re.compile(r"[A-Za-z][A-Za-z0-9]*_\{[^{}]*\}(?:\^\{\([^{}()]*\)\})?")


@dataclass(frozen=True, eq=False)
class Identity:
    """Two sides that are claimed equal, the text they came from, and all it divides by.

    `divided` holds every divisor as written: SymPy cancels while it reads, and what was cancelled
    must not be zero all the same.
    """

    text: str
    left: Expr
    right: Expr = field(default_factory=lambda: sympy.Integer(0))
    divided: tuple[Expr, ...] = ()


def spoken_of(claim: Identity) -> set[Expr]:
    """Return the symbols in an identity and in all that it divides by."""
    return set().union(*(e.free_symbols for e in (claim.left, claim.right, *claim.divided)))


def judges_of(claim: Identity, known: System) -> tuple[int, ...]:
    """Return the places of the judges an identity speaks of: no other can matter to it."""
    return tuple(sorted({i for symbol in spoken_of(claim) for i in known.symbols[symbol].judges}))


def read_identity(identity: Any, known: System) -> Identity:
    """Read an identity from text or SymPy; nothing in the text is ever executed.

    Text is arithmetic (+ - * / ^ or **, numbers, brackets) on the names of the vocabulary, with
    one `=` or none (then it is claimed to be zero).

    Raises
    ------
    DataError
        For an inequality, a premise, an unknown name, or anything that is not arithmetic.
    """
    if isinstance(identity, str):
        return _from_text(identity, known)
    if isinstance(identity, sympy.Equality):
        left, right = identity.lhs, identity.rhs
    elif isinstance(identity, sympy.Implies | sympy.Equivalent):
        raise DataError(_PREMISE.format(identity))
    elif isinstance(identity, sympy.Rel):
        raise DataError(_REFUSED.format(identity))
    elif isinstance(identity, sympy.Expr):
        left, right = identity, sympy.Integer(0)
    else:
        raise DataError(
            f"identity must be text or a SymPy expression or Eq; got {type(identity).__name__}; "
            "write it like 'Delta_ij = P_A*P_B*d_i*d_j'"
        )
    sides = _from_sympy(left, known), _from_sympy(right, known)
    return Identity(str(identity), *sides, _divisors(sides))


_ARROW = re.compile(r"<=>|={1,2}>|[-–]+>|[⇒⟹⇔→]|\b(?:implies|if|when|given|then)\b")
_RELATION = re.compile(r"[=<>≤≥≠]")
_PREMISE = (
    "identity must be one equation; got a claim under a premise, {0}; `prove` takes no premises: "
    "state the identity behind it, as 'Delta_ijk = (2*P_A - 1)*P_A*P_B*d_i*d_j*d_k' is behind what "
    "follows from P_A = 1/2, or count both on an exam with `holds_on`"
)
_REFUSED = (
    "identity must be an equation; got the inequality {0}; inequalities have no cofactors: "
    "`bounds` and `threshold` decide what the counts force"
)


def _from_text(text: str, known: System) -> Identity:
    if len(text) > _MOST_TEXT:
        raise DataError(f"identity must have at most {_MOST_TEXT} characters; got {len(text)}")
    if _has_premise(text):
        raise DataError(_PREMISE.format(repr(text)))
    if re.search(r"[<>≤≥]|!=|≠", text):
        raise DataError(_REFUSED.format(repr(text)))
    plain = text.replace("Δ", "Delta").replace("Γ", "Gamma").replace("−", "-").replace("==", "=")
    sides = plain.split("=")
    if len(sides) > 2:
        raise DataError(f"identity must have at most one '='; got {text!r}; prove one at a time")
    divided: list[Expr] = []
    values = [_parse_side(side, text, known, divided) for side in sides]
    found = (*divided, *_divisors(values))
    left, right = (*values, sympy.Integer(0))[:2]
    return Identity(text.strip(), left, right, tuple(dict.fromkeys(found)))


def _has_premise(text: str) -> bool:
    """Return whether a text says that one relation follows from another.

    An arrow "=>" that follows no relation is taken for a mistyped ">=".
    """
    before, *after = _ARROW.split(re.sub(r"\{[^{}]*\}", "", text))
    return bool(after) and any(_RELATION.search(part) for part in (before, *after[:-1]))


def _divisors(sides: Iterable[Expr]) -> tuple[Expr, ...]:
    """Return what the expressions themselves divide by: definitions of names divide, too."""
    parts = (part for side in sides for part in sympy.preorder_traversal(side))
    return tuple(dict.fromkeys(p.base for p in parts if p.is_Pow and p.exp.is_negative))


def _parse_side(side: str, text: str, known: System, divided: list[Expr]) -> Expr:
    braced: dict[str, str] = {}

    def stand_in(match: re.Match[str]) -> str:
        name = f"braced__{len(braced)}"
        braced[name] = match.group().replace(" ", "")
        return name

    source = _BRACED.sub(stand_in, side).replace("^", "**").strip()
    try:
        tree = ast.parse(source, mode="eval")
        return _build(tree.body, source, braced, known, divided)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(
            f"identity must be arithmetic on known names; could not read {side.strip()!r} in "
            f"{text!r}; write it like 'Delta_ij = P_A*P_B*d_i*d_j'"
        ) from error


_OPERATORS: dict[type, Any] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
}


def _quotient(a: Expr, b: Expr, divided: list[Expr]) -> Expr:
    if b == 0:
        raise DataError("identity must not divide by zero; got a zero denominator; rewrite it")
    if not b.is_Rational:
        divided.append(b)
    return a / b


def _build(
    node: ast.AST,
    source: str,
    braced: Mapping[str, str],
    known: System,
    divided: list[Expr],
) -> Expr:
    if isinstance(node, ast.Name):
        return _look_up(braced.get(node.id, node.id), known)
    if isinstance(node, ast.Constant):
        return _number(ast.get_source_segment(source, node) or "")
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd | ast.USub):
        value = _build(node.operand, source, braced, known, divided)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp):
        left = _build(node.left, source, braced, known, divided)
        right = _build(node.right, source, braced, known, divided)
        if isinstance(node.op, ast.Pow):
            return _power(left, right, divided)
        if isinstance(node.op, ast.Div):
            return _quotient(left, right, divided)
        if type(node.op) in _OPERATORS:
            return _OPERATORS[type(node.op)](left, right)
    raise DataError(
        "identity must use only names, numbers, brackets and + - * / ^; got "
        f"{ast.get_source_segment(source, node)!r}; write functions out"
    )


def _number(text: str) -> Expr:
    value = exact(text.replace("_", ""), "a number in the identity")
    return sympy.Rational(value.numerator, value.denominator)


def _power(base: Expr, exponent: Expr, divided: list[Expr]) -> Expr:
    if not exponent.is_Integer or abs(int(exponent)) > _MOST_POWER:
        raise DataError(
            f"an exponent must be a whole number of at most {_MOST_POWER}; got {exponent}; "
            "square both sides to remove a root"
        )
    if exponent < 0:
        return _quotient(sympy.Integer(1), base, divided) ** (-exponent)
    return base**exponent


def _look_up(name: str, known: System) -> Expr:
    value = known.look_up(name)
    if value is None:
        near = near_names(name, known.meanings)
        meant = f"did you mean {' or '.join(near)}? " if near else ""
        if name.startswith(("d_", "Delta")) and len(known.labels) != 2:
            meant = "d and Delta are about two labels; " + meant
        raise DataError(
            f"names must be known to the {known.model} model; got {name!r}; {meant}names are written "
            f"like {', '.join(names_of_kinds(known.meanings))}, with judges {_listed(known.judges)} "
            f"and labels {_listed(known.labels)}"
        )
    return value


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names if len(names) < 6 else (*names[:2], "...", names[-1]))


def _from_sympy(value: Expr, known: System) -> Expr:
    """Replace every symbol by what the vocabulary says, after checking the shape of the tree."""
    for part in sympy.preorder_traversal(value):
        if part.is_Float:
            raise DataError(
                f"identity must hold exact numbers; got the float {part}; write it as a fraction"
            )
        if part.is_Pow:
            _power(sympy.Integer(2), part.exp, [])
        elif not (part.is_Symbol or part.is_Rational or part.is_Add or part.is_Mul):
            raise DataError(
                f"identity must be a polynomial or a quotient of polynomials; got {part}; "
                "write functions out"
            )
    return value.xreplace({s: _look_up(s.name.replace(" ", ""), known) for s in value.free_symbols})
