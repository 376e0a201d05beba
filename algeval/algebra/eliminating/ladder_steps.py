"""The ladder as an object: steps, and the equations of each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from algeval.data.settings import check_choice
from algeval.result import Result
from algeval.result.base import Record
from algeval.result.latex import aligned, as_html, expression
from algeval.result.tables import Table
from algeval.result.wording import how_many

__all__ = ["Equation", "Ladder", "LadderStep", "plain"]

Expr = Any  # sympy.Expr; SymPy is untyped

_SHARE = re.compile(r"f_\{B_(\w)\}")
_LONG = 12


def plain(value: Expr) -> str:
    """Return an expression in the short names that `prove` reads.

    Examples
    --------
    >>> import sympy
    >>> plain(sympy.Symbol("f_{B_i}") * sympy.Symbol("Delta_{i,j,k}")**2)
    'Delta_ijk^2*f_Bi'
    """
    return re.sub(r"[{},]", "", _SHARE.sub(r"f_B\1", str(value))).replace("**", "^")


@dataclass(frozen=True, slots=True)
class Equation(Record):
    """Two sides, and where Algebraic Evaluation prints it.

    Attributes
    ----------
    left, right : sympy expression
    number : str
        "S16" and so on; empty where the paper does not print it.
    """

    left: Expr
    right: Expr
    number: str = ""

    def __str__(self) -> str:
        right = plain(self.right)
        number = self.right.is_number and len(right) > _LONG
        near = f" = {complex(self.right):.6g}" if number and not self.right.is_real else ""
        near = f" = {float(self.right):.6g}" if number and self.right.is_real else near
        behind = f"   ({self.number})" if self.number else ""
        return f"{plain(self.left)} = {right}{near}{behind}"

    def _repr_latex_(self) -> str:
        return aligned([self.row()])

    def row(self) -> tuple[str, str, str]:
        """Return both sides and the number as LaTeX."""
        number = rf"\text{{({self.number})}}" if self.number else ""
        return expression(self.left), expression(self.right), number


@dataclass(frozen=True, slots=True)
class LadderStep(Record):
    """One step from the counts to the evaluations.

    Attributes
    ----------
    name : str
        One of `Ladder.names`.
    text : str
        What the step does, in a sentence.
    equations : tuple of Equation
    """

    name: str
    text: str
    equations: tuple[Equation, ...]

    def summary(self) -> str:
        """Return the sentence and the equations, a line each."""
        return "\n".join([self.text, *(f"  {equation}" for equation in self.equations)])

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        return f"LadderStep({self.name!r}, {how_many(len(self.equations), 'equation')})"

    def _repr_latex_(self) -> str:
        return aligned([equation.row() for equation in self.equations])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ladder(Result):
    """Every step of decoding three judges by computer algebra.

    Attributes
    ----------
    status : Status
        Of the decoding; `ok` where the moments stay symbols.
    judges, labels : tuple of str
        Who is called i, j, k, and which labels are A and B.
    steps : tuple of LadderStep
        All eight, or those up to where the ladder ends: nothing solves the equations, infinitely many
        evaluations do, or the two that do are complex.
    """

    schema: ClassVar[str] = "algeval.ladder/1"
    names: ClassVar[tuple[str, ...]] = (
        "encode",
        "moments",
        "basis",
        "elimination",
        "quadratic",
        "roots",
        "substitution",
        "check",
    )

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    steps: tuple[LadderStep, ...]

    def __iter__(self) -> Iterator[LadderStep]:
        return iter(self.steps)

    def step(self, name: str) -> LadderStep:
        """Return the step of this name.

        Raises
        ------
        DataError
            If there is none, or the ladder ends before it.
        """
        found = {step.name: step for step in self.steps}
        check_choice("name", name, tuple(found))
        return found[name]

    def equation(self, number: str) -> Equation:
        """Return the equation that Algebraic Evaluation prints under this number."""
        found = {e.number: e for step in self.steps for e in step.equations if e.number}
        check_choice("number", number, tuple(found))
        return found[number]

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per equation: step, left side, right side, number in the paper."""
        rows = [
            (step.name, plain(e.left), plain(e.right), e.number)
            for step in self.steps
            for e in step.equations
        ]
        return (Table.of_rows("Equations", ("step", "left", "right", "number"), rows),)

    def summary(self) -> str:
        """Return every step as a person reads it."""
        steps = [f"{n}. {step.summary()}" for n, step in enumerate(self.steps, start=1)]
        return "\n".join([self.message, *steps])

    def _repr_latex_(self) -> str:
        return "\n\n".join(step._repr_latex_() for step in self.steps)

    def _repr_html_(self) -> str:
        steps = "".join(f"<p>{step.text}</p>{as_html(step._repr_latex_())}" for step in self.steps)
        return f"<div>{Result._repr_html_(self)}{steps}</div>"
