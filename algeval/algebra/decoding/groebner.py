"""Decode by computer algebra: a Groebner basis of the eight polynomials, read as a solution.

Nothing here knows the closed form. The engine exists so that two methods that share no formula
can be compared, and so that the reader sees the basis itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from algeval.algebra.decoding.closed import square_part
from algeval.algebra.decoding.trio import Trio
from algeval.algebra.decoding.verdict import EMPTY, Verdict, binary_solution, judge_solutions
from algeval.result import Quadratic, Status

__all__ = ["basis_of", "decode_groebner"]

Value = Any  # Fraction or Quadratic


def decode_groebner(trio: Trio) -> Verdict:
    """Return the verdict on a binary trio by a lexicographic basis with the prevalence last."""
    if not trio.n_used:
        return EMPTY
    basis = basis_of(trio.flat)
    if basis.exprs == [1]:
        return Verdict(
            Status.INCONSISTENT, "the ideal is everything: no evaluation reproduces the counts"
        )
    leads = [polynomial.LM(order=basis.order).exponents for polynomial in basis.polys]
    dimension = _dimension(leads, len(basis.gens))
    if dimension:
        blind = _uninformative(basis)
        reason = f"the evaluations that reproduce the counts form a set of dimension {dimension}"
        return Verdict(Status.UNDETERMINED, reason, dimension=dimension, uninformative=blind)
    points = _solve(basis)
    if points is None:
        return Verdict(Status.COMPLEX, "both points of the variety are complex", dimension=0)
    solutions = [binary_solution(v[6], [(v[0], v[1]), (v[2], v[3]), (v[4], v[5])]) for v in points]
    return judge_solutions(solutions, trio)


def basis_of(flat: Sequence[int]) -> Any:
    """Return SymPy's reduced Groebner basis of f_t - enc_t over the rationals (Algebraic Evaluation, eq. 2).

    Unknowns, in decreasing order: P_iA, P_iB, P_jA, P_jB, P_kA, P_kB, P_A.
    """
    import sympy

    names = "P_iA P_iB P_jA P_jB P_kA P_kB P_A"
    unknowns = sympy.symbols(names)
    q = sum(flat)
    generators = []
    p = unknowns[6]
    for count, decision in zip(flat, product((0, 1), repeat=3), strict=True):
        on_a, on_b = p, 1 - p
        for judge, answer in enumerate(decision):
            right_a, right_b = unknowns[2 * judge], unknowns[2 * judge + 1]
            on_a *= 1 - right_a if answer else right_a
            on_b *= right_b if answer else 1 - right_b
        generators.append(sympy.expand(on_a + on_b) - sympy.Rational(count, q))
    return sympy.groebner(generators, *unknowns, order="lex", method="buchberger")


def _dimension(leads: list[tuple[int, ...]], n: int) -> int:
    """Return the largest number of unknowns that no leading monomial lies in alone."""
    supports = [{v for v, power in enumerate(lead) if power} for lead in leads]
    free = 0
    for chosen in product((False, True), repeat=n):
        inside = {v for v, taken in enumerate(chosen) if taken}
        if len(inside) > free and not any(support <= inside for support in supports):
            free = len(inside)
    return free


def _uninformative(basis: Any) -> tuple[int, ...]:
    """Return the judges whose P_iA + P_iB - 1 the ideal forces to zero."""
    gens = basis.gens
    return tuple(
        judge for judge in range(3) if basis.contains(gens[2 * judge] + gens[2 * judge + 1] - 1)
    )


def _solve(basis: Any) -> list[list[Value]] | None:
    """Return the points of a zero-dimensional basis, None when they are complex.

    Reads the basis from the last unknown to the first. Each unknown has a basis element whose
    leading monomial is a power of it: of degree one it is a number or follows from later
    unknowns; the one of degree two is where the label swap enters.
    """
    n = len(basis.gens)
    partial: list[list[Value]] = [[Fraction(0)] * n]
    for v in reversed(range(n)):
        terms = _power_element(basis, v)
        extended: list[list[Value]] = []
        for point in partial:
            roots = _roots(_substitute(terms, v, point))
            if roots is None:
                return None
            extended += [[*point[:v], root, *point[v + 1 :]] for root in roots]
        partial = extended
    return partial


def _power_element(basis: Any, v: int) -> list[tuple[tuple[int, ...], Fraction]]:
    """Return the terms of the basis element whose leading monomial is a power of unknown `v`."""
    for polynomial in basis.polys:
        lead = polynomial.LM(order=basis.order).exponents
        if lead[v] and sum(lead) == lead[v]:
            return [
                (tuple(monomial), Fraction(int(c.p), int(c.q)))
                for monomial, c in polynomial.terms()
            ]
    raise RuntimeError("a zero-dimensional basis lacks a power of an unknown; please report this")


def _substitute(
    terms: list[tuple[tuple[int, ...], Fraction]], v: int, point: list[Value]
) -> list[Value]:
    """Return the coefficients, constant first, in unknown `v` with later unknowns filled in."""
    degree = max(monomial[v] for monomial, _ in terms)
    coefficients: list[Value] = [Fraction(0)] * (degree + 1)
    for monomial, coefficient in terms:
        value: Value = coefficient
        for place, power in enumerate(monomial):
            if place != v:
                for _ in range(power):
                    value = value * point[place]
        coefficients[monomial[v]] = coefficients[monomial[v]] + value
    return coefficients


def _roots(coefficients: list[Value]) -> list[Value] | None:
    if len(coefficients) == 2:
        return [-coefficients[0] / coefficients[1]]
    c, b, a = coefficients
    disc = b * b - 4 * a * c
    if disc < 0:
        return None
    scale, rest = square_part(disc.numerator * disc.denominator)
    half = Fraction(scale, disc.denominator) / (2 * a)
    middle = -b / (2 * a)
    return [Quadratic.make(middle, sign * half, rest) for sign in (1, -1)]
