"""Appendix C.3: labels that err with the classifiers, and labels whose accuracy varies."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import sympy as sp

from algeval.budgets import LabelAccuracy, Rivals, error_rate, gap_chances, majority_accuracy
from algeval.budgets.conjecture import bernstein, gain, u, vanishes
from algeval.budgets.sweep import admissible
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact

__all__ = ["RIVALS", "correlated_labels", "up_and_down"]

A, B, Q, D = sp.symbols("A B q delta")
RIVALS = Rivals.correlated(Fraction(7, 10), Fraction(4, 5), Fraction(9, 10))
LABELS = (3, 5, 9)


def correlated_labels() -> tuple[Claim, ...]:
    """Return the claims in the order of the appendix."""
    return (*_of_slopes(), *_of_the_end())


def up_and_down(q_b: Fraction, q_w: Fraction, m: int = 1) -> tuple[Fraction, Fraction]:
    """Return the chances of +1 and -1 for one pair of classifiers."""
    return gap_chances(RIVALS, LabelAccuracy.of((q_b, q_w)), m)


def _voted(q: sp.Expr, m: int) -> sp.Expr:
    return sum(comb(m, k) * q**k * (1 - q) ** (m - k) for k in range(m // 2 + 1, m + 1))


def _slope_of_g() -> tuple[str, bool]:
    both = (A * (Q + D) + B * (1 - Q)) * (A * (1 - Q - D) + B * Q)
    printed = A**2 * (1 - 2 * (Q + D)) - A * B * (1 - 2 * Q)
    return "c_1 (1 - 2 (q + delta)) - c_2 (1 - 2q)", vanishes(sp.diff(both, D) - printed)


def _slope_of_f() -> tuple[str, bool]:
    """Compare d f*/d delta with its last line, and with the lines above in which delta has the other sign."""
    for m in (3, 5):
        more, here, r = _voted(Q + D, m), _voted(Q, m), m // 2
        f = A**2 * more * (1 - more) + A * B * (here * more + (1 - here) * (1 - more))
        scale = m * comb(m - 1, r) * (Q + D) ** r
        inner, cross = A**2 * (1 - 2 * more), A * B * (2 * here - 1)
        at = {A: 2, B: 1, Q: sp.Rational(3, 5), D: sp.Rational(1, 10)}
        right = scale * (inner + cross) * (1 - Q - D) ** r
        printed = scale * (inner * (1 - Q - D) ** r + cross * (1 - Q + D) ** r)
        slope = sp.diff(f, D)
        if not vanishes(slope - right) or slope.subs(at) == printed.subs(at):
            return f"differs at m = {m}", False
    return "(1 - q - delta)^((m - 1)/2) in every term, m = 3, 5", True


def _signs_in_delta() -> tuple[str, bool]:
    found = [
        a * b
        for a, b in (
            up_and_down(Fraction(3, 5) + d, Fraction(3, 5)) for d in (Fraction(0), Fraction(1, 100))
        )
    ]
    told = f"g* = {float(found[0]):.6f}, and {float(found[1]):.6f} at delta = .01"
    return told, found[0] > found[1] > 0


def _ordered_constants() -> tuple[str, bool]:
    better, worse = admissible()
    least = int((better * (better - worse)).min())
    return f"c_1 - c_2 = A (A - B), at least {least / 1e8:g} on the grid", least > 0


def _falling_gain() -> tuple[str, bool]:
    coefficients = [
        c for m in range(3, 20, 2) for c in sp.Poly(sp.diff(gain(m), u), u).all_coeffs()
    ]
    return "1 + 2 sigma grows with q (1 - q), m up to 19: no negative coefficient", min(
        coefficients
    ) > 0


def _equation_17() -> tuple[str, bool]:
    """Both sides are (1 + product of leads)/2, and leads 2q - 1 grow to 2M - 1."""
    r = sp.Symbol("r")
    same = vanishes(Q * r + (1 - Q) * (1 - r) - (1 + (2 * Q - 1) * (2 * r - 1)) / 2)
    grid = [Fraction(k, 50) for k in range(25, 51)]
    grown = all(majority_accuracy(q, m) >= q for q in grid for m in LABELS)
    return "q r + (1 - q)(1 - r) = (1 + (2q - 1)(2r - 1))/2, and M >= q", same and grown


def _concave() -> tuple[str, bool]:
    for m in range(3, 20, 2):
        curve = sp.Poly(sp.diff(_voted(Q, m), Q, 2), Q).as_expr()
        if max(bernstein(curve, Q, Fraction(1, 2), Fraction(1))) > 0:
            return f"not decided at m = {m}", False
    return "M'' <= 0 on [1/2, 1] by Bernstein, m up to 19", True


def _falling_quotient() -> tuple[str, bool]:
    """M (1 - M)/u grows with u: u (M (1 - M))' - M (1 - M), divided by powers of u, is never negative."""
    for m in range(3, 14, 2):
        doubt = sp.expand((1 - (1 - 4 * u) * gain(m) ** 2) / 4)
        found = sp.expand(sp.cancel((u * sp.diff(doubt, u) - doubt) / u ** (m // 2 + 1)))
        if min(bernstein(found, u, Fraction(0), Fraction(1, 4))) < 0:
            return f"fails at m = {m}", False
    return "rises with q (1 - q) by Bernstein, m up to 13", True


def _rising_in_delta() -> tuple[str, bool]:
    """Whether m rate_1 - rate_m rises with delta, on q = .51, .6, .75 and steps of .01."""
    least, better, worse = np.inf, float(RIVALS.better_alone), float(RIVALS.worse_alone)
    for q, m in product((0.51, 0.6, 0.75), (3, 11)):
        q_b = np.arange(q, 1.0, 0.01)
        rates = []
        for k in (1, m):
            v, w = majority_accuracy(q_b, k), majority_accuracy(q, k)
            up = better * v + worse * (1 - w)
            rates.append(error_rate(up, better + worse - up))
        least = min(least, float(np.diff(m * rates[0] - rates[1]).min()))
    return f"every step of .01 in delta adds at least {least:.1g}", least > 0


def _of_slopes() -> tuple[Claim, ...]:
    return (
        Claim(
            id="004-C3-g",
            place="C.3",
            printed="g*' = c_1 (1 - 2 (q + delta)) - c_2 (1 - 2q)",
            compute=fact(_slope_of_g),
        ),
        Claim(
            id="004-C3-f",
            place="C.3",
            printed="f*' with (1 - q + delta)^((m - 1)/2) in the two terms of c_2",
            verdict="erratum",
            machine_read=True,
            compute=fact(_slope_of_f),
            note="the last line of the same display has it right",
        ),
        Claim(
            id="004-C3-c1",
            place="C.3",
            printed="c_1 > c_2",
            compute=fact(_ordered_constants),
        ),
        Claim(
            id="004-C3-signs",
            place="C.3",
            printed="f* and g*, products of two chances, are negative",
            verdict="erratum",
            machine_read=True,
            compute=fact(_signs_in_delta),
            note="their slopes in delta are",
        ),
        Claim(
            id="004-C3-sigma",
            place="C.3, after Lemma C.5",
            printed="sigma falls as its argument grows above 1/2",
            compute=fact(_falling_gain),
        ),
        Claim(
            id="004-17",
            place="(17)",
            printed="q (q + delta) + (1 - q)(1 - q - delta) <= the same of M_m(q), M_m(q + delta)",
            compute=fact(_equation_17),
            note="shorter than by convexity in delta",
        ),
        Claim(
            id="004-C3-concave",
            place="C.3, after (17)",
            printed="M_m is concave above 1/2",
            compute=fact(_concave),
        ),
        Claim(
            id="004-19",
            place="(18), (19)",
            printed="M (1 - M) / (x (1 - x)) falls as x grows above 1/2",
            compute=fact(_falling_quotient),
        ),
        Claim(
            id="004-C3-rising",
            place="C.3, (15) to (19)",
            printed="the difference of the rates rises with delta = q_b - q_w",
            compute=fact(_rising_in_delta),
            tolerance="steps of .01 in delta at six choices of q, m and one pair of classifiers",
        ),
    )


def _dominance() -> tuple[str, bool]:
    """Labels that vary under Assumption 2: P(G = 1) with m of them is at most that of their means."""
    labels = LabelAccuracy.of(
        {
            "better": {Fraction(3, 5): Fraction(1, 2), Fraction(1): Fraction(1, 2)},
            "worse": {Fraction(4, 5): 1},
        }
    )
    found = [gap_chances(RIVALS, labels, m)[0] for m in LABELS]
    alike = [up_and_down(Fraction(4, 5), Fraction(4, 5), m)[0] for m in LABELS]
    told = ", ".join(f"{float(a):.4f} < {float(b):.4f}" for a, b in zip(found, alike, strict=True))
    return f"m = 3, 5, 9: {told}", all(a < b for a, b in zip(found, alike, strict=True))


def _last_display() -> tuple[str, bool]:
    """Compare with P(G = 1): A M_b - B M_w differs from it by B, the printed next line not so."""
    right, left = sp.symbols("M_b M_w")
    chance, before = A * right + B * (1 - left), A * right - B * left
    printed = A * right - B * (1 - left)
    same = vanishes(chance - before - B)
    return "A M_b + B (1 - M_w) = A M_b - B M_w + B", same and sp.diff(printed - before, left) != 0


def _of_the_end() -> tuple[Claim, ...]:
    return (
        Claim(
            id="004-C3-dominance",
            place="C.3, end",
            printed="under Assumption 2, P(G = 1) with m labels is no larger if accuracy varies",
            compute=fact(_dominance),
        ),
        Claim(
            id="004-C3-last",
            place="C.3, last display",
            printed="A M_b - B M_w becomes A M_b - B (1 - M_w) on both sides (A = (1 - p_w) p_b^0, B = p_w "
            "(1 - p_b^1))",
            verdict="erratum",
            compute=fact(_last_display),
            note="A M_b + B (1 - M_w), which is P(G = 1)",
        ),
    )
