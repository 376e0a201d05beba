"""A proof by cofactors for other programs: Lean with Mathlib, a SymPy script, LaTeX.

Each step says that a polynomial is a sum of cofactors times generators, and each generator is a definition
or the polynomial of a step before. That is what Mathlib's `linear_combination` checks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import sympy

from algeval.result.latex import expression as as_latex

__all__ = ["Line", "latex_text", "lean_text", "lines_of", "sympy_text"]

Expr = Any  # sympy.Expr; SymPy is untyped


class Line(NamedTuple):
    """One step: `claim` equals the sum of cofactor times what a name says is zero."""

    name: str
    claim: Expr
    terms: tuple[tuple[str, Expr], ...]


class _Written(NamedTuple):
    """Hypotheses by name, steps, and symbols; all under names that a program can read."""

    hypotheses: dict[str, Expr]
    lines: tuple[Line, ...]
    symbols: tuple[Expr, ...]


def lines_of(steps: Iterable[tuple[Expr, Sequence[tuple[Expr, Expr]]]]) -> _Written:
    """Return the steps (claim, ((generator, cofactor), ...)) of a proof under plain names."""
    steps = list(steps)
    everything = [
        e for claim, terms in steps for e in (claim, *(x for pair in terms for x in pair))
    ]
    used = sorted(set().union(*(e.free_symbols for e in everything)), key=str)
    plain = _plain_names(used)
    known: dict[Expr, str] = {}
    hypotheses: dict[str, Expr] = {}
    lines = []
    for number, (claim, terms) in enumerate(steps, start=1):
        told = []
        for generator, cofactor in terms:
            expanded = sympy.expand(generator)
            if expanded not in known:
                known[expanded] = f"h{len(hypotheses) + 1}"
                hypotheses[known[expanded]] = generator.xreplace(plain)
            told.append((known[expanded], cofactor.xreplace(plain)))
        known[sympy.expand(claim)] = f"s{number}"
        lines.append(Line(f"s{number}", claim.xreplace(plain), tuple(told)))
    return _Written(hypotheses, tuple(lines), tuple(plain[s] for s in used))


def _plain_names(symbols: Iterable[Expr]) -> dict[Expr, Expr]:
    """Return symbols whose names are letters, digits and single underscores, no two alike."""
    plain: dict[Expr, Expr] = {}
    taken: set[str] = set()
    for symbol in symbols:
        name = re.sub(r"[^A-Za-z0-9]+", "_", symbol.name).strip("_")
        while name in taken:
            name += "_"
        taken.add(name)
        plain[symbol] = sympy.Symbol(name)
    return plain


def lean_text(identity: str, written: _Written) -> str:
    """Return a theorem of Lean 4 with Mathlib."""

    def told(expression: Expr) -> str:
        return str(expression).replace("**", "^")

    def combined(line: Line) -> str:
        terms = (f"({told(cofactor)}) * {name}" for name, cofactor in line.terms)
        return f"linear_combination {' + '.join(terms)}" if line.terms else "ring"

    *derived, main = written.lines
    variables = " ".join(map(str, written.symbols))
    head = [f"example ({variables} : ℝ)"] if variables else ["example"]
    head += [f"    ({name} : {told(zero)} = 0)" for name, zero in written.hypotheses.items()]
    body = [f"  have {one.name} : {told(one.claim)} = 0 := by {combined(one)}" for one in derived]
    return "\n".join(
        [
            "import Mathlib.Data.Real.Basic",
            "import Mathlib.Tactic.LinearCombination",
            "",
            f"-- {' '.join(identity.split())}, over a common denominator",
            *head,
            f"    : {told(main.claim)} = 0 := by",
            *body,
            f"  {combined(main)}",
            "",
        ]
    )


def sympy_text(identity: str, written: _Written) -> str:
    """Return a script that checks every step with SymPy alone and stops where one is wrong."""
    names = ", ".join(map(str, written.symbols))
    lines = [f"# {' '.join(identity.split())}, over a common denominator", "import sympy", ""]
    if names:
        lines += [f'{names}{"," * (len(written.symbols) == 1)} = sympy.symbols("{names},")', ""]
    lines += [f"{name} = {zero}  # zero by definition" for name, zero in written.hypotheses.items()]
    for one in written.lines:
        terms = " + ".join(f"({cofactor}) * {name}" for name, cofactor in one.terms) or "0"
        lines += [f"{one.name} = {one.claim}", f"assert sympy.expand({one.name} - ({terms})) == 0"]
    return "\n".join([*lines, ""])


def latex_text(steps: Iterable[tuple[Expr, Sequence[tuple[Expr, Expr]]]]) -> str:
    """Return the steps as aligned formulas: each polynomial as cofactors times what is zero."""
    rows = []
    for claim, terms in steps:
        parts = [
            rf"\left({as_latex(cofactor, most=None)}\right) \left({as_latex(generator, most=None)}\right)"
            for generator, cofactor in terms
        ]
        rows.append(f"{as_latex(claim, most=None)} &= " + (r" \\ &\quad + ".join(parts) or "0"))
    return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"
