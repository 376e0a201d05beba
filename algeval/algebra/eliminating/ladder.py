"""The ladder from counts to evaluations, every rung of it shown: encode, basis, roots, check.

Nothing here knows the closed form that `decode` uses. All comes from a Groebner basis: with symbols for
the moments it writes S16-S43 of Algebraic Evaluation, with the numbers of three judges it solves them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy

from algeval.algebra.decoding.results import Decoding
from algeval.algebra.eliminating.ladder_numbers import Numbers
from algeval.algebra.eliminating.ladder_steps import Equation, Ladder, LadderStep, plain
from algeval.algebra.eliminating.ladder_symbols import DECISIONS, Symbols, meaning
from algeval.algebra.eliminating.quotient import TwoPoints, has_two_points
from algeval.errors import DataError
from algeval.result import Status
from algeval.result.latex import as_sympy
from algeval.result.wording import how_many

__all__ = ["ladder"]

Expr = Any  # sympy.Expr; SymPy is untyped

_FIRST_MOMENT, _FIRST_SHARE = 9, 55


def ladder(decoding: Decoding | None = None) -> Ladder:
    """Show how three judges of two labels are graded by computer algebra, step by step.

    Use it to see what `decode` rests on, and to teach it. A basis with symbols takes SymPy a second, one
    with numbers less.

    Parameters
    ----------
    decoding : Decoding, optional
        Of three judges and two labels: the ladder climbs with their numbers. Without it the moments
        stay symbols, and the rungs are the paper's S16-S43 as they must read.

    Returns
    -------
    Ladder
        It ends early where there are not two real points; its message says why.

    Raises
    ------
    DataError
        If the decoding is not of two answers, the labels, or of no items.

    Notes
    -----
    Algebraic Evaluation, S9-S43 and S55-S62; what is misprinted there `misprints` lists.

    Examples
    --------
    >>> quadratic = ladder().step("quadratic")
    >>> print(quadratic.equations[1])
    a = Delta_ijk^2 + 4*Delta_ij*Delta_ik*Delta_jk   (S17)
    """
    if decoding is None:
        told = "The moments of three judges i, j, k and two labels A, B stay symbols."
        return Ladder(
            status=Status.OK,
            message=told,
            judges=("i", "j", "k"),
            labels=("A", "B"),
            steps=tuple(_steps(Symbols())),
        )
    if not isinstance(decoding, Decoding):
        raise DataError(
            f"decoding must be a Decoding or left out; got {type(decoding).__name__}; pass decode(votes)"
        )
    if decoding.moments is None:
        raise DataError(
            "a ladder must have three judges who gave two answers, the labels; got answers "
            f"{list(decoding.answers)} on {decoding.n_used} items; choose other judges or merge labels"
        )
    return Ladder(
        status=decoding.status,
        message=_message(decoding),
        judges=decoding.judges,
        labels=decoding.labels,
        steps=tuple(_steps(Numbers(decoding.moments, decoding.n_used))),
    )


def _message(decoding: Decoding) -> str:
    short = zip("ijkAB", (*decoding.judges, *decoding.labels), strict=True)
    told = ", ".join(f"{letter} is {name!r}" for letter, name in short)
    message = f"{told}. How it ends: {decoding.reason}."
    if decoding.best is None:
        return message
    share = float(decoding.best.prevalence[0])
    return (
        f"{message} Of two solutions, that with P_A = {share:.6g} has the greater total accuracy."
    )


def _steps(exam: Symbols | Numbers) -> Iterator[LadderStep]:
    """Yield the steps up to where there is nothing more to solve."""
    yield from _start(exam)
    if not has_two_points(exam.basis):
        return
    two = TwoPoints(exam.basis)
    roots = exam.roots(two)
    yield _elimination(two)
    yield _quadratic(two)
    values = [as_sympy(root) for root in roots]
    yield _step(
        "roots",
        f"The two roots for {plain(two.free)}: one for each way to name the labels.",
        (Equation(two.free, value) for value in values),
    )
    if any(value.is_real is False for value in values):
        return
    yield _step(
        "substitution",
        "Once a root is chosen, each other unknown follows from a linear equation.",
        exam.substitution(two, roots),
    )
    yield _step(
        "check",
        "Put into all eight polynomials of the first step, both solutions give the shares back.",
        _agreed(exam.check(two, roots)),
    )


def _step(name: str, text: str, equations: Any) -> LadderStep:
    return LadderStep(name, text, tuple(equations))


def _start(exam: Symbols | Numbers) -> Iterator[LadderStep]:
    yield _step(
        "encode",
        "If errors are independent, the share of each decision tuple is a polynomial in seven unknowns.",
        (
            Equation(exam.shares[t], exam.encoding.encoded[tuple(t)], f"S{n}")
            for n, t in enumerate(DECISIONS, start=_FIRST_SHARE)
        ),
    )
    counted = (
        Equation(symbol, value, f"S{n}")
        for n, (symbol, value) in enumerate(exam.moments.items(), start=_FIRST_MOMENT)
    )
    meant = (Equation(exam.known[symbol], value) for symbol, value in meaning().items())
    yield _step(
        "moments",
        "Seven moments hold as much as the eight shares: how they are counted, and what they are.",
        [*counted, *meant],
    )
    unknowns, polynomials = exam.basis.unknowns, exam.basis.polynomials
    yield _step(
        "basis",
        f"The Groebner basis of these equations, {' > '.join(map(plain, unknowns))}: "
        f"{how_many(len(polynomials), 'polynomial')}.",
        (_zero(polynomial, unknowns) for polynomial in polynomials),
    )


def _elimination(two: TwoPoints) -> LadderStep:
    return _step(
        "elimination",
        "What the equations say of each unknown alone: the generator of its elimination ideal.",
        (_zero(two.alone(unknown), [unknown]) for unknown in two.basis.unknowns),
    )


def _quadratic(two: TwoPoints) -> LadderStep:
    prevalence = two.basis.unknowns[-1]
    paper = two.free == prevalence
    numbers = [f"S{n}" if paper else "" for n in (16, 17, 18, 19)]
    a, b, c = sympy.symbols("a b c")
    v, (x, y, z) = two.free, two.quadratic()
    text = (
        f"The quadratic of {plain(v)}, from which everything else follows."
        if paper
        else f"Both solutions have the same {plain(prevalence)}, so the quadratic is that of {plain(v)}; "
        "the paper's ladder says 0 = 0 here."
    )
    rows = zip((sympy.Integer(0), a, b, c), (a * v**2 + b * v + c, x, y, z), numbers, strict=True)
    discriminant = Equation(b**2 - 4 * a * c, sympy.factor(y * y - 4 * x * z))
    return _step("quadratic", text, [*(Equation(*row) for row in rows), discriminant])


def _zero(polynomial: Expr, unknowns: Sequence[Expr]) -> Equation:
    """Return a polynomial = 0, its coefficients collected."""
    collected = sympy.collect(polynomial, list(unknowns), func=sympy.factor)
    return Equation(collected, sympy.Integer(0))


def _agreed(equations: Iterator[Equation]) -> Iterator[Equation]:
    for equation in equations:
        if equation.left != equation.right:
            raise RuntimeError("the ladder does not give a share back; please report this")
        yield equation
