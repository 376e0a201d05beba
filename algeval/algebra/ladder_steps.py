"""`ladder`: every step from the counts to both solutions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import sympy

from algeval.algebra.eliminating import TwoPoints, groebner_basis, has_two_points
from algeval.algebra.language import encode
from algeval.algebra.trios import (
    Decoding,
    Equation,
    Ladder,
    LadderStep,
    Moments,
    plain,
    square_part,
)
from algeval.data import Sketch
from algeval.errors import DataError
from algeval.result import Exact, Quadratic, Status
from algeval.result.numbers import as_sympy, how_many

# --- The ladder of all exams at once: the moments stay symbols.


Expr = Any  # sympy.Expr; SymPy is untyped

DECISIONS = ("AAA", "AAB", "ABA", "BAA", "BBA", "BAB", "ABB", "BBB")
"""In the order of S55-S62."""

_PAIRS = tuple(combinations(range(3), 2))
_FIRST_RUNG = 20


@cache
def meaning() -> dict[Expr, Expr]:
    """Return {moment: what it is in the unknowns if errors are independent}, in the order S9-S15."""
    basis = groebner_basis("moments", time_limit=None)
    pairs = zip(basis.observables, basis.generators, strict=True)
    return {symbol: symbol - generator for symbol, generator in pairs}


def from_moments(decision: str, moments: Sequence[Any]) -> Any:
    """Share of a decision tuple in the seven moments, which is true of every exam."""
    shares, pairs, trio = moments[:3], moments[3:6], moments[6]
    alone = [s if answer == "B" else 1 - s for answer, s in zip(decision, shares, strict=True)]
    sign = [1 if answer == "B" else -1 for answer in decision]
    together = sum(
        sign[i] * sign[j] * pair * alone[3 - i - j]
        for (i, j), pair in zip(_PAIRS, pairs, strict=True)
    )
    return alone[0] * alone[1] * alone[2] + together + sign[0] * sign[1] * sign[2] * trio


class Symbols:
    """What the steps need of an exam whose moments are symbols."""

    def __init__(self) -> None:
        self.basis = groebner_basis("moments", engine="sympy", time_limit=None)
        self.encoding = encode(3)
        self.shares = {t: self.encoding.frequency[tuple(t)] for t in DECISIONS}
        self.moments = dict(zip(meaning(), _counted(list(meaning()), self.shares), strict=True))
        self.known = {symbol: symbol for symbol in meaning()}

    def roots(self, two: TwoPoints) -> list[Expr]:
        """Both prevalences: half of 1 +- D / sqrt(a), since the discriminant is a D^2."""
        a, _, _ = two.quadratic()
        trio = self.basis.observables[-1]
        return [sympy.Rational(1, 2) + sign * trio / (2 * sympy.sqrt(a)) for sign in (1, -1)]

    def substitution(self, two: TwoPoints, roots: Sequence[Expr]) -> Iterator[Equation]:
        """Yield S20-S43: the linear equation of each rate, and its coefficients a, b, c."""
        letters = sympy.symbols("a b c")
        for index, rate in enumerate(self.basis.unknowns[:-1]):
            sign = (
                -1 if index % 2 else 1
            )  # of label B the paper writes the rungs with the sign turned
            number = _FIRST_RUNG + 4 * index
            rung = letters[0] + letters[1] * two.free + letters[2] * rate
            yield Equation(sympy.Integer(0), rung, f"S{number}")
            for n, (letter, value) in enumerate(zip(letters, two.rung(rate), strict=True), 1):
                yield Equation(letter, sympy.expand(sign * value), f"S{number + n}")

    def check(self, two: TwoPoints, roots: Sequence[Expr]) -> Iterator[Equation]:
        """Yield each share in the moments, and what the basis leaves of its polynomial."""
        for t in DECISIONS:
            alpha, beta = two.coordinates(self.encoding.encoded[tuple(t)])
            share = from_moments(t, list(meaning()))
            yield Equation(sympy.expand(share), sympy.expand(alpha + beta * two.free))


def _counted(seen: Sequence[Expr], f: dict[str, Expr]) -> list[Expr]:
    """Moments as they are counted: S9-S15."""
    single = [sympy.Add(*(f[t] for t in DECISIONS if t[i] == "B")) for i in range(3)]
    pairs = [
        sympy.Add(*(f[t] for t in DECISIONS if t[i] == t[j] == "B")) - seen[i] * seen[j]
        for i, j in _PAIRS
    ]
    lower = sympy.Add(*(seen[i] * seen[5 - i] for i in range(3)))
    return [*single, *pairs, f["BBB"] - sympy.Mul(*seen[:3]) - lower]


# --- The ladder of one exam: the moments are numbers, and so are the roots.


AnyExpr = Any  # sympy.Expr; SymPy is untyped

_FIRST_RUNG_OF_LADDER_NUMBERS = 20


class Numbers:
    """What the steps need of an exam whose moments are known."""

    def __init__(self, moments: Moments, n_used: int) -> None:
        values = [*moments.marginals, *moments.pairs, moments.trio]
        shares = {t: from_moments(t, values) for t in DECISIONS}
        counts = {t: int(share * n_used) for t, share in shares.items()}
        sketch = Sketch.from_counts(counts, judges=["i", "j", "k"], labels=["A", "B"])
        self.basis = groebner_basis("numeric", sketch=sketch, engine="sympy", time_limit=None)
        self.encoding = encode(3)
        self.shares = {t: as_sympy(share) for t, share in shares.items()}
        self.moments = dict(zip(meaning(), map(as_sympy, values), strict=True))
        self.known = self.moments

    def roots(self, two: TwoPoints) -> list[Any]:
        """Both values of the unknown whose square leads, exactly; SymPy's where they are complex."""
        a, b, c = map(int, two.quadratic())
        discriminant = b * b - 4 * a * c
        middle = Fraction(-b, 2 * a)
        if discriminant < 0:
            half = sympy.sqrt(discriminant) / (2 * a)
            return [as_sympy(middle) + half, as_sympy(middle) - half]
        scale, rest = square_part(discriminant)
        half = Fraction(scale, 2 * a)
        return [Quadratic.make(middle, sign * half, rest) for sign in (1, -1)]

    def substitution(self, two: TwoPoints, roots: Sequence[Exact]) -> Iterator[Equation]:
        """Yield each other unknown as a line in the one that is left, and its values at both roots."""
        in_paper = two.free == self.basis.unknowns[-1]
        for index, unknown in enumerate(u for u in self.basis.unknowns if u != two.free):
            alpha, beta = two.coordinates(unknown)
            number = f"S{_FIRST_RUNG_OF_LADDER_NUMBERS + 4 * index}" if in_paper else ""
            yield Equation(unknown, alpha + beta * two.free, number)
            if beta != 0:
                for value in _values(two, unknown, roots):
                    yield Equation(unknown, as_sympy(value))

    def check(self, two: TwoPoints, roots: Sequence[Exact]) -> Iterator[Equation]:
        """Yield each share beside what its polynomial is at the first root, then at the second."""
        unknowns = self.basis.unknowns
        results = [_values(two, unknown, roots) for unknown in unknowns]
        for root in range(2):
            rates = [values[root] for values in results[:-1]]
            for t in DECISIONS:
                value = _encoded(t, results[-1][root], rates)
                yield Equation(self.shares[t], as_sympy(value))


def _values(two: TwoPoints, unknown: AnyExpr, roots: Sequence[Exact]) -> list[Exact]:
    """Unknown at both roots."""
    alpha, beta = (Fraction(int(v.p), int(v.q)) for v in two.coordinates(unknown))
    return [alpha + beta * root for root in roots]


def _encoded(decision: str, p: Exact, rates: Sequence[Exact]) -> Exact:
    """Share of a decision tuple at prevalence p and rates P_iA, P_iB, P_jA, ..."""
    on_a, on_b = p, 1 - p
    for judge, answer in enumerate(decision):
        right_a, right_b = rates[2 * judge], rates[2 * judge + 1]
        on_a = on_a * (right_a if answer == "A" else 1 - right_a)
        on_b = on_b * (right_b if answer == "B" else 1 - right_b)
    return on_a + on_b


# --- The ladder from counts to evaluations, every rung of it shown: encode, basis, roots, check.
#
# Nothing here knows the closed form that `decode` uses. All comes from a Groebner basis: with symbols for
# the moments it writes S16-S43 of Algebraic Evaluation, with the numbers of three judges it solves them.


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
        text = "The moments of three judges i, j, k and two labels A, B stay symbols."
        return Ladder(
            status=Status.OK,
            message=text,
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
    text = ", ".join(f"{letter} is {name!r}" for letter, name in short)
    message = f"{text}. How it ends: {decoding.reason}."
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


def _zero(polynomial: AnyExpr, unknowns: Sequence[AnyExpr]) -> Equation:
    """Polynomial = 0, its coefficients collected."""
    collected = sympy.collect(polynomial, list(unknowns), func=sympy.factor)
    return Equation(collected, sympy.Integer(0))


def _agreed(equations: Iterator[Equation]) -> Iterator[Equation]:
    for equation in equations:
        if equation.left != equation.right:
            raise RuntimeError("the ladder does not give a share back; please report this")
        yield equation
