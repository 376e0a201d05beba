"""Lemmas C.2 to C.7."""

from __future__ import annotations

from fractions import Fraction
from math import comb, isqrt
from random import Random
from typing import Any

import numpy as np
import sympy as sp

from algeval.budgets import majority_accuracy
from algeval.budgets.conjecture import error, gain, u, vanishes, x
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact
from algeval.replicate.labels.inequalities import inequalities, proved

__all__ = ["lemmas"]

LABELS = range(3, 14, 2)
DRAWS = 2000


def lemmas() -> tuple[Claim, ...]:
    """Return the claims in the order of the appendix."""
    return (*_of_quotients(), *_of_majorities(), *inequalities(), *_of_more_quotients())


def _c_2() -> tuple[str, bool]:
    """Whether (2X^2 + cX) Y^2 - (2Y^2 + cY) X^2 = c X Y (Y - X), with X, Y the roots of x, y."""
    c, a, b = sp.symbols("c X Y", positive=True)
    left = (2 * a**2 + c * a) * b**2 - (2 * b**2 + c * b) * a**2
    return "difference c X Y (Y - X) over positive terms, X^2 = x, Y^2 = y", vanishes(
        left - c * a * b * (b - a)
    )


def _c_3() -> tuple[str, bool]:
    low, high, d = sp.symbols("x y d")
    found = high * (low + d) - low * (high + d)
    return "difference d (y - x) over positive terms", vanishes(found - d * (high - low))


def _of_quotients() -> tuple[Claim, ...]:
    return (
        Claim(
            id="004-C.2",
            place="Lemma C.2",
            printed="0 < x < y, c > 0: (2x + c sqrt x) / (2y + c sqrt y) >= x/y",
            compute=fact(_c_2),
        ),
        Claim(
            id="004-C.3",
            place="Lemma C.3",
            printed="0 < x < y, d > 0: (x + d) / (y + d) >= x/y",
            compute=fact(_c_3),
        ),
        Claim(
            id="004-C.3-zero",
            place="C.1, before Lemma C.3",
            printed="d = epsilon (1 - p - epsilon) p + ((1 - p - epsilon) p)^2 > 0",
            verdict="conditional",
            compute=fact(_no_room_above),
            note="not at epsilon = 1 - p, which section 2 admits; there Lemma C.3 is an equality, all that "
            "is needed",
        ),
    )


def _no_room_above() -> tuple[str, bool]:
    p, e = Fraction(4, 5), Fraction(1, 5)
    found = e * (1 - p - e) * p + ((1 - p - e) * p) ** 2
    return f"d = {found} at p = 4/5, epsilon = 1/5", found == 0


def _sigma(m: int, q: Any) -> Any:
    """Return sigma as it should stand: the sum of C(k, (k + 1)/2) (q (1 - q))^((k + 1)/2) over odd k."""
    return sum(comb(k, (k + 1) // 2) * (q * (1 - q)) ** ((k + 1) // 2) for k in range(1, m - 1, 2))


def _printed_sigma(m: int, q: Fraction) -> Fraction:
    terms = (
        comb(m - 2, k // 2) * q ** (k // 2) * (1 - q) ** ((k + 1) // 2) for k in range(1, m - 1, 2)
    )
    return sum(terms, Fraction(0))


def _lemma_c_4() -> tuple[str, bool]:
    q, found = Fraction(3, 5), []
    for m in LABELS:
        right, wrong = (q + (2 * q - 1) * sigma for sigma in (_sigma(m, q), _printed_sigma(m, q)))
        found.append(right == majority_accuracy(q, m) != wrong)
    told = f"M_3(3/5) = {majority_accuracy(q, 3)}; as printed {q + Fraction(1, 5) * _printed_sigma(3, q)}"
    same = all(vanishes(1 + 2 * _sigma(m, x) - gain(m).subs(u, x * (1 - x))) for m in LABELS)
    return told, all(found) and same and proved("Lemma 1")[1]


def _recursion() -> tuple[str, bool]:
    for m in range(3, 20, 2):
        added = (2 * x - 1) * comb(m - 2, (m - 1) // 2) * (x * (1 - x)) ** ((m - 1) // 2)
        if not vanishes(error(m - 2, x) - error(m, x) - added):
            return f"differs at m = {m}", False
    return "M_m - M_(m-2) = (2q - 1) C(m - 2, (m - 1)/2) (q (1 - q))^((m - 1)/2), m up to 19", True


def _derivative() -> tuple[str, bool]:
    for m in LABELS:
        slope = m * comb(m - 1, m // 2) * (x * (1 - x)) ** (m // 2)
        if not vanishes(sp.diff(-error(m, x), x) - slope):
            return f"differs at m = {m}", False
    return "slope m C(m - 1, (m - 1)/2) (q (1 - q))^((m - 1)/2), m up to 13", True


def _grows_with_m() -> tuple[str, bool]:
    q = np.arange(501, 1000) / 1000
    rows = np.array([majority_accuracy(q, m) for m in (1, *LABELS)])
    least = float(np.diff(rows, axis=0)[:, q < 0.9].min())
    return f"by at least {least:.1g} from m to m + 2 for q from .501 to .9", least > 0


def _of_majorities() -> tuple[Claim, ...]:
    return (
        Claim(
            id="004-C.4",
            place="Lemma C.4",
            printed="M_m = q + (2q - 1) sigma with sigma the sum over odd k of C(m - 2, floor(k/2)) "
            "q^floor(k/2) "
            "(1 - q)^ceil(k/2)",
            verdict="erratum",
            machine_read=True,
            compute=fact(_lemma_c_4),
            note="sigma is the sum over odd k up to m - 2 of C(k, (k + 1)/2) (q (1 - q))^((k + 1)/2)",
        ),
        Claim(
            id="004-C.4-proof",
            place="Lemma C.4, proof",
            printed="the recursion from m - 2 to m labels",
            compute=fact(_recursion),
            note="right, and it gives the corrected sum; b_n(q, k) is said to have success probability p, "
            "for q",
        ),
        Claim(
            id="004-C1-integral",
            place="C.1, after (5)",
            printed="M_(2n+1)(q) = (2n + 1) C(2n, n) times the integral of x^n (1 - x)^n from 0 to q",
            compute=fact(_derivative),
            note="the derivative, which with M(0) = 0 says the same",
        ),
        Claim(
            id="004-C1-grows",
            place="C.1, before (7)",
            printed="above 1/2 M_m grows with m",
            compute=fact(_grows_with_m),
            note="by 004-C.4-proof: what two more labels add is positive",
        ),
    )


def _c_5() -> tuple[str, bool]:
    """Try fractions: c positive, A to D negative, both differences negative."""
    draw, tried = Random(4), 0
    while tried < DRAWS:
        c1, c2 = (Fraction(draw.randint(1, 50), 10) for _ in range(2))
        a, b, c, d = (-Fraction(draw.randint(1, 50), 10) for _ in range(4))
        if c1 * a - c2 * b >= 0 or c1 * c - c2 * d >= 0:
            continue
        tried += 1
        if ((c1 * a - c2 * b) / (c1 * c - c2 * d) <= a / c) != (c * b >= d * a):
            return f"fails at {c1}, {c2}, {a}, {b}, {c}, {d}", False
    p, r, a, b, c, d = sp.symbols("c_1 c_2 A B C D")
    crossed = c * (p * a - r * b) - a * (p * c - r * d)
    return f"c_2 (DA - CB) when crossed; {tried:,} exact draws", vanishes(
        crossed - r * (d * a - c * b)
    )


def _c_6() -> tuple[str, bool]:
    """Try fractions whose sums are squares, so that both roots are exact."""
    draw, tried = Random(4), 0
    while tried < DRAWS:
        f, g, c = draw.randint(2, 20), draw.randint(2, 20), draw.randint(1, 30)
        f_1, g_1 = Fraction(draw.randint(1, f * f), 2), Fraction(draw.randint(1, g * g), 2)
        f_2, g_2 = f * f - f_1, g * g - g_1
        if f_1 > g_1 or f_2 < g_2 or min(f_2, g_2) <= 0:
            continue
        tried += 1
        if f_1 / g_1 > Fraction(2 * f * f + c * isqrt(f * f), 2 * g * g + c * isqrt(g * g)):
            return f"fails at {f_1}, {f_2}, {g_1}, {g_2}, {c}", False
    a, b, p, q = sp.symbols("f_1 g_1 f_2 g_2")
    step = b**2 * (a + p) - a**2 * (b + q) - ((b - a) * a * b + b**2 * p - a**2 * q)
    return f"its proof's step expanded; {tried:,} exact draws", vanishes(step)


def _c_7() -> tuple[str, bool]:
    a, b, c, d = sp.symbols("A B C D")
    return "BC - AD over positive terms", vanishes((a + b) * c - a * (c + d) - (b * c - a * d))


def _of_more_quotients() -> tuple[Claim, ...]:
    return (
        Claim(
            id="004-C.5",
            place="Lemma C.5",
            printed="A, B, C, D < 0 < c_1, c_2 and both c_1 A < c_2 B, c_1 C < c_2 D: (c_1 A - c_2 B)/(c_1 C "
            "- c_2 D) "
            "<= A/C iff CB >= DA",
            compute=fact(_c_5),
        ),
        Claim(
            id="004-C.6",
            place="Lemma C.6",
            printed="f_1 <= g_1, f_2 >= g_2, all and c > 0: f_1/g_1 <= (2f + c sqrt f)/(2g + c sqrt g) with "
            "f = f_1 + f_2, g = g_1 + g_2",
            compute=fact(_c_6),
        ),
        Claim(
            id="004-C.7",
            place="Lemma C.7",
            printed="A, B, C, D > 0 and AD <= BC: A/C <= (A + B)/(C + D)",
            compute=fact(_c_7),
        ),
    )
