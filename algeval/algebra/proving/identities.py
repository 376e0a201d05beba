"""Identities: read from text or SymPy without executing anything."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy

from algeval.algebra.proving.names import names_of_kinds, near_names
from algeval.algebra.proving.reading import MOST_POWER, MOST_TEXT, read_expression, tidy
from algeval.algebra.proving.vocabulary import System
from algeval.errors import DataError

__all__ = ["Identity", "has_premise", "judges_of", "read_identity", "spoken_of", "unknown_name"]

Expr = Any  # sympy.Expr; SymPy is untyped


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
    "an identity must be one equation; got a claim under a premise, {0}; write premises as "
    "`prove(claim, given=[...])`"
)
_REFUSED = (
    "an identity must be an equation; got the inequality {0}; `prove` decides inequalities; to count "
    "both sides on an exam write them as an equation"
)


def _from_text(text: str, known: System) -> Identity:
    if len(text) > MOST_TEXT:
        raise DataError(f"identity must have at most {MOST_TEXT} characters; got {len(text)}")
    if has_premise(text):
        raise DataError(_PREMISE.format(repr(text)))
    if re.search(r"[<>≤≥]|!=|≠", text):
        raise DataError(_REFUSED.format(repr(text)))
    sides = tidy(text).split("=")
    if len(sides) > 2:
        raise DataError(f"identity must have at most one '='; got {text!r}; prove one at a time")
    inside = _Symbolic(known)
    values = [read_expression(side, text, inside) for side in sides]
    found = (*inside.divided, *_divisors(values))
    left, right = (*values, sympy.Integer(0))[:2]
    return Identity(text.strip(), left, right, tuple(dict.fromkeys(found)))


def has_premise(text: str) -> bool:
    """Return whether a text says that one relation follows from another.

    An arrow "=>" that follows no relation is taken for a mistyped ">=".
    """
    before, *after = _ARROW.split(re.sub(r"\{[^{}]*\}", "", text))
    return bool(after) and any(_RELATION.search(part) for part in (before, *after[:-1]))


def _divisors(sides: Iterable[Expr]) -> tuple[Expr, ...]:
    """Return what the expressions themselves divide by: definitions of names divide, too."""
    parts = (part for side in sides for part in sympy.preorder_traversal(side))
    return tuple(dict.fromkeys(p.base for p in parts if p.is_Pow and p.exp.is_negative))


class _Symbolic:
    """SymPy expressions on a system's names; keeps every divisor."""

    def __init__(self, known: System) -> None:
        self._known = known
        self.divided: list[Expr] = []

    def name(self, name: str) -> Expr:
        return _look_up(name, self._known)

    def number(self, value: Fraction) -> Expr:
        return sympy.Rational(value.numerator, value.denominator)

    def quotient(self, a: Expr, b: Expr) -> Expr:
        if b == 0:
            raise DataError("identity must not divide by zero; got a zero denominator; rewrite it")
        if not b.is_Rational:
            self.divided.append(b)
        return a / b

    def power(self, base: Expr, exponent: int) -> Expr:
        return base**exponent


def _look_up(name: str, known: System) -> Expr:
    value = known.look_up(name)
    if value is None:
        raise unknown_name(name, known)
    return value


def unknown_name(name: str, known: System) -> DataError:
    """Return the error that says which names there are, and which look like this one."""
    near = near_names(name, known.meanings)
    meant = f"did you mean {' or '.join(near)}? " if near else ""
    if name.startswith(("d_", "Delta")) and len(known.labels) != 2:
        meant = "d and Delta are about two labels; " + meant
    return DataError(
        f"names must be known to the {known.model} model; got {name!r}; {meant}names are written "
        f"like {', '.join(names_of_kinds(known.meanings))}, with judges {_listed(known.judges)} "
        f"and labels {_listed(known.labels)}"
    )


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
            if not part.exp.is_Integer or abs(int(part.exp)) > MOST_POWER:
                raise DataError(
                    f"an exponent must be a whole number of at most {MOST_POWER}; got {part.exp}; "
                    "square both sides to remove a root"
                )
        elif not (part.is_Symbol or part.is_Rational or part.is_Add or part.is_Mul):
            raise DataError(
                f"identity must be a polynomial or a quotient of polynomials; got {part}; "
                "write functions out"
            )
    return value.xreplace({s: _look_up(s.name.replace(" ", ""), known) for s in value.free_symbols})
