"""The ladder as Algebraic Evaluation prints it, beside what a Groebner basis says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy

from algeval.algebra.eliminating.ladder import ladder
from algeval.algebra.eliminating.ladder_steps import Ladder, plain
from algeval.result.base import Record
from algeval.result.latex import aligned, expression

__all__ = ["Misprint", "misprints", "printed_ladder"]

Expr = Any  # sympy.Expr; SymPy is untyped

_PRINTED = {
    "S17": "D**2 + 4*X*Y*Z",
    "S18": "-(D**2 + 4*X*Y*Z)",
    "S19": "X*Y*Z",
    "S21": "D*(D - Z*(1 - f_i)) + 2*X*Y*Z",
    "S22": "4*X*Y*Z - D**2",
    "S23": "Z*D",
    "S25": "f_i*Z*D - 2*X*Y*Z",
    "S26": "D**2 + 4*X*Y*Z",
    "S27": "-Z*D",
    "S29": "D*(D - Y*(1 - f_j)) + 2*X*Y*Z",
    "S30": "4*X*Y*Z - D**2",
    "S31": "Y*D",
    "S33": "f_j*Y*D - 2*X*Y*Z",
    "S34": "D**2 + 4*X*Y*Z",
    "S35": "-Y*D",
    "S37": "D*(D - Y*(1 - f_j)) + 2*X*Y*Z",
    "S38": "4*X*Y*Z - D**2",
    "S39": "X*D",
    "S41": "f_k*Y*D - 2*X*Y*Z",
    "S42": "D**2 + 4*X*Y*Z",
    "S43": "-X*D",
}
"""The coefficients of S16-S43 as printed; X, Y, Z, D are Delta_ij, Delta_ik, Delta_jk, Delta_ijk."""

_NAMES = {
    **{f"f_{i}": f"f_{{B_{i}}}" for i in "ijk"},
    "X": "Delta_{i,j}",
    "Y": "Delta_{i,k}",
    "Z": "Delta_{j,k}",
    "D": "Delta_{i,j,k}",
}


@dataclass(frozen=True, slots=True)
class Misprint(Record):
    """An equation that a Groebner basis contradicts.

    Attributes
    ----------
    number : str
        Of Algebraic Evaluation.
    printed, derived : sympy expression
        Its right side there, and as it must read.
    """

    number: str
    printed: Expr
    derived: Expr

    def __str__(self) -> str:
        return f"{self.number}: printed {plain(self.printed)}, must be {plain(self.derived)}"

    def _repr_latex_(self) -> str:
        remark = rf"\text{{printed }} {expression(self.printed)}"
        return aligned([(rf"\text{{{self.number}}}", expression(self.derived), remark)])


def printed_ladder() -> dict[str, Expr]:
    """Return the coefficients of the quadratic and of the six linear equations as printed, by number.

    S18 is printed as -a. The symbols are those of `ladder`.

    Examples
    --------
    >>> print(plain(printed_ladder()["S22"]))
    -Delta_ijk^2 + 4*Delta_ij*Delta_ik*Delta_jk
    """
    symbols = {short: sympy.Symbol(name) for short, name in _NAMES.items()}
    return {number: sympy.sympify(text, locals=symbols) for number, text in _PRINTED.items()}


def misprints(
    derived: Ladder | None = None, printed: Mapping[str, Expr] | None = None
) -> tuple[Misprint, ...]:
    """Return the equations of the printed ladder that a Groebner basis contradicts.

    Parameters
    ----------
    derived : Ladder, optional
        With symbols, as `ladder()` makes it, which is the default.
    printed : mapping, optional
        {number: right side}, by default `printed_ladder()`.

    Examples
    --------
    >>> [one.number for one in misprints()]
    ['S22', 'S30', 'S37', 'S38', 'S41']
    """
    found = ladder() if derived is None else derived
    shown = printed_ladder() if printed is None else printed
    pairs = [(number, text, found.equation(number).right) for number, text in shown.items()]
    return tuple(Misprint(*pair) for pair in pairs if sympy.expand(pair[1] - pair[2]) != 0)
