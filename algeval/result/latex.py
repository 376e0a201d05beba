"""Formulas as LaTeX: names, exact numbers, expressions of SymPy, equations under each other."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

from algeval.result.numbers import Quadratic
from algeval.result.visible import visible

__all__ = ["aligned", "as_html", "as_sympy", "expression", "grid", "name", "products"]

_MOST_TERMS = 40
_MOST_ROWS = 64
_GREEK = re.compile(r"^(Gamma|Delta)(?=_)")
_SPECIAL = {c: "\\" + c for c in " #$%&_{}"} | {
    "\\": r"\backslash ",
    "^": r"\hat{\ }",
    "~": r"\sim ",
}


def name(text: str) -> str:
    r"""Return the name of a judge or label in upright letters; every TeX reads it, MathJax too.

    Examples
    --------
    >>> print(name("gpt_4 100%"))
    \mathrm{gpt\_4\ 100\%}
    """
    return r"\mathrm{" + "".join(_SPECIAL.get(c, c) for c in visible(text)) + "}"


def expression(value: Any, *, most: int | None = _MOST_TERMS) -> str:
    r"""Return a number or an expression of SymPy; of a sum of more terms than `most`, how many.

    Examples
    --------
    >>> print(expression(Fraction(-2, 3)))
    - \frac{2}{3}
    """
    if value is None or value != value:
        return r"\text{--}"
    if isinstance(value, float):
        return f"{value:.4g}"
    import sympy

    written = as_sympy(value)
    terms = len(sympy.Add.make_args(written))
    if most is not None and terms > most:
        return rf"\text{{a sum of {terms} terms}}"
    symbols = {s: _GREEK.sub(r"\\\1", s.name) for s in written.free_symbols}
    return str(sympy.latex(written, symbol_names=symbols))


def as_sympy(value: Any) -> Any:
    """Return a fraction or a + b*sqrt(d) as SymPy writes it; expressions as they are."""
    import sympy

    if isinstance(value, Quadratic):
        return as_sympy(value.a) + as_sympy(value.b) * sympy.sqrt(value.d)
    if isinstance(value, Fraction):
        return sympy.Rational(value.numerator, value.denominator)
    return sympy.sympify(value)


def aligned(rows: Iterable[tuple[str, str, str]]) -> str:
    """Return equations under each other: left side, right side, and a remark behind, all LaTeX.

    A row without a left side goes on with the one above. Of many rows the first are shown.
    """
    lines = []
    for left, right, remark in islice(rows, _MOST_ROWS + 1):
        equals = "&=" if left else r"&\quad"
        lines.append(f"{left} {equals} {right}" + (f" && {remark}" if remark else ""))
    lines[_MOST_ROWS:] = [r"&\;\;\vdots"] * (len(lines) > _MOST_ROWS)
    return "$$\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}$$"


def products(total: Any, terms: Sequence[tuple[Any, Any]]) -> str:
    """Return an expression as the sum of products of two factors, one a line; as 0 if there is none."""
    factors = [rf"\left({expression(a)}\right) \left({expression(b)}\right)" for a, b in terms]
    first, *more = factors or ["0"]
    return aligned([(expression(total), first, ""), *(("", f"+ {part}", "") for part in more)])


def grid(rows: Iterable[Sequence[str]], columns: str) -> str:
    """Return a table of formulas; `columns` says how they are set, as in an array of LaTeX."""
    lines = " \\\\\n".join(" & ".join(row) for row in rows)
    return f"$$\\begin{{array}}{{{columns}}}\n{lines}\n\\end{{array}}$$"


def as_html(formula: str) -> str:
    """Return formulas as a part of a page that MathJax sets."""
    return f'<div class="math">{html.escape(formula)}</div>'
