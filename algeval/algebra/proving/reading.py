"""Arithmetic read from text, in whatever the caller computes with; nothing is ever executed."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Protocol

from algeval.errors import DataError
from algeval.result import exact

__all__ = ["MOST_POWER", "MOST_TEXT", "NAME", "Arithmetic", "read_expression", "tidy"]

Value = Any  # whatever the arithmetic computes with

MOST_TEXT = 20_000
MOST_POWER = 64
_BRACED = r"[A-Za-z][A-Za-z0-9]*_\{[^{}]*\}(?:\^\{\([^{}()]*\)\})?"
NAME = re.compile(r"(?<![\w.])(?:" + _BRACED + r"|[A-Za-z_]\w*)")
"""A name as identities write it, in braces or without."""
_IN_BRACES = re.compile(_BRACED)


class Arithmetic(Protocol):
    """What a text is computed in; values have + - * and a unary minus of their own."""

    def name(self, name: str) -> Value:
        """Return what a name stands for, or raise DataError."""

    def number(self, value: Fraction) -> Value:
        """Return a number."""

    def quotient(self, a: Value, b: Value) -> Value:
        """Return a / b, or raise DataError where b is zero."""

    def power(self, base: Value, exponent: int) -> Value:
        """Return a power with an exponent >= 0."""


def tidy(text: str) -> str:
    """Return a text in plain characters: Delta, Gamma, -, one equals sign, >= and <=."""
    for old, new in (
        ("Δ", "Delta"), ("Γ", "Gamma"), ("−", "-"), ("≥", ">="), ("≤", "<="), ("==", "="), ("**", "^"),
    ):  # fmt: skip
        text = text.replace(old, new)
    return text.strip()


def read_expression(side: str, text: str, arithmetic: Arithmetic) -> Value:
    """Return the value of one side of a statement; `text` is the whole statement, for errors."""
    braced: dict[str, str] = {}

    def stand_in(match: re.Match[str]) -> str:
        name = f"braced__{len(braced)}"
        braced[name] = match.group().replace(" ", "")
        return name

    source = _IN_BRACES.sub(stand_in, side).replace("^", "**").strip()
    try:
        tree = ast.parse(source, mode="eval")
        return _Reader(source, braced, arithmetic).build(tree.body)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(
            f"identity must be arithmetic on known names; could not read {side.strip()!r} in "
            f"{text!r}; write it like 'Delta_ij = P_A*P_B*d_i*d_j'"
        ) from error


class _Reader:
    """Walks the tree of one text."""

    def __init__(self, source: str, braced: Mapping[str, str], arithmetic: Arithmetic) -> None:
        self._source, self._braced, self._in = source, braced, arithmetic

    def build(self, node: ast.AST) -> Value:
        if isinstance(node, ast.Name):
            return self._in.name(self._braced.get(node.id, node.id))
        if isinstance(node, ast.Constant):
            text = ast.get_source_segment(self._source, node) or ""
            return self._in.number(exact(text.replace("_", ""), "a number in the identity"))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd | ast.USub):
            value = self.build(node.operand)
            return -value if isinstance(node.op, ast.USub) else value
        if isinstance(node, ast.BinOp):
            return self._operation(node)
        raise self._refused(node)

    def _operation(self, node: ast.BinOp) -> Value:
        left = self.build(node.left)
        if isinstance(node.op, ast.Pow):
            return self._power(left, self._exponent(node.right))
        right = self.build(node.right)
        if isinstance(node.op, ast.Div):
            return self._in.quotient(left, right)
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.Sub):
            return left - right
        if isinstance(node.op, ast.Mult):
            return left * right
        raise self._refused(node)

    def _exponent(self, node: ast.AST) -> int:
        shown = ast.get_source_segment(self._source, node)
        exponent = _Reader(self._source, self._braced, _Numbers(shown)).build(node)
        return _whole(exponent, shown)

    def _power(self, base: Value, exponent: int) -> Value:
        if exponent < 0:
            base = self._in.quotient(self._in.number(Fraction(1)), base)
        return self._in.power(base, abs(exponent))

    def _refused(self, node: ast.AST) -> DataError:
        return DataError(
            "identity must use only names, numbers, brackets and + - * / ^; got "
            f"{ast.get_source_segment(self._source, node)!r}; write functions out"
        )


def _whole(exponent: Any, shown: object) -> int:
    if (
        not isinstance(exponent, Fraction)
        or exponent.denominator != 1
        or abs(exponent) > MOST_POWER
    ):
        raise DataError(
            f"an exponent must be a whole number of at most {MOST_POWER}; got {shown}; "
            "square both sides to remove a root"
        )
    return int(exponent)


class _Numbers:
    """Arithmetic without names, for exponents."""

    def __init__(self, shown: object) -> None:
        self._shown = shown

    def name(self, name: str) -> Value:
        """Refuse a name."""
        return _whole(None, self._shown)

    def number(self, value: Fraction) -> Value:
        return value

    def quotient(self, a: Value, b: Value) -> Value:
        return a / b if b else _whole(None, self._shown)

    def power(self, base: Value, exponent: int) -> Value:
        return base**exponent
