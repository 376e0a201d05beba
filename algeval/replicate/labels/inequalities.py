"""Appendix C.1 from (6) to (14): the inequalities on majorities."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import Any

import sympy as sp

from algeval.budgets import conjecture, majority_accuracy, majority_gain
from algeval.budgets.conjecture import bernstein, gain, u, vanishes
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact

__all__ = ["inequalities", "proved"]

LABELS = range(3, 14, 2)


def proved(*names: str) -> tuple[str, bool]:
    """Prove statements of the label budgets by machine; say how many, and which are whole."""
    found = list(conjecture.lemmas(names))
    whole = sum(lemma.complete for lemma in found)
    rest = "" if whole == len(found) else ", the others up to 16 votes or 19 labels"
    told = f"{len(found)} statements proved, {whole} of them for every size{rest}"
    return told, len(found) == len(names) and all(lemma.holds for lemma in found)


def _in_u(of: Callable[[int], Any], power: Callable[[int], int]) -> tuple[str, bool]:
    """Whether polynomials in u = q (1 - q) have no negative Bernstein coefficient on [0, 1/4]."""
    for m in LABELS:
        lowered = sp.expand(sp.cancel(of(m) / u ** power(m)))
        if min(bernstein(lowered, u, Fraction(0), Fraction(1, 4))) < 0:
            return f"fails at m = {m}", False
    return "no negative Bernstein coefficient in q (1 - q), m up to 13", True


def _top(m: int) -> Any:
    return comb(m - 1, m // 2) * u ** (m // 2)


def _equation_9() -> tuple[str, bool]:
    return "no negative Bernstein coefficient in q (1 - q), m up to 19", proved("(9)")[1]


def _equation_10() -> tuple[str, bool]:
    """Slopes in u, which falls as q grows: that of the left side is at most that of the right."""
    return _in_u(
        lambda m: m * _top(m) * gain(m) - sp.diff(u * _top(m) * gain(m), u), lambda m: m // 2
    )


def _equation_11() -> tuple[str, bool]:
    """Divided by 1 - 2q < 0: (m + 1)/2 w + u w' <= m w."""
    return _in_u(
        lambda m: (m - sp.Rational(m + 1, 2)) * gain(m) - u * sp.diff(gain(m), u), lambda m: 0
    )


def _equation_12() -> tuple[str, bool]:
    """Whether the sum in (12) is u sigma', and (m - 1)/2 (1 + 2 sigma) at least twice it."""
    for m in LABELS:
        odd = range(1, m - 1, 2)
        total = sum(
            sp.Rational(k + 1, 2) * comb(k, (k + 1) // 2) * u ** ((k + 1) // 2) for k in odd
        )
        if not vanishes(2 * total - u * sp.diff(gain(m), u)):
            return f"differs at m = {m}", False
        rest = sp.Poly(sp.expand(sp.Rational(m - 1, 2) * gain(m) - 2 * total), u)
        if min(rest.all_coeffs()) < 0:
            return f"fails at m = {m}", False
    return "difference with no negative coefficient in q (1 - q), m up to 13", True


def _equation_14() -> tuple[str, bool]:
    least = min(
        majority_gain(q, m) - 1
        for m in LABELS
        for q in (Fraction(1, 2), Fraction(3, 4), Fraction(99, 100))
    )
    return f"2 sigma from {float(least):.3g} up, so 2 sigma / (1 + 2 sigma) < 1", least > 0


def _near_one() -> tuple[str, bool]:
    parts = []
    for q in (Fraction(999, 1000), Fraction(999_999, 1_000_000)):
        v, m = q * (1 - q), majority_accuracy(q, 5)
        parts.append((majority_gain(q, 5) * comb(4, 2) * v**3, m * (1 - m)))
    told = f"{float(parts[1][0]):.2g} and {float(parts[1][1]):.2g} at q = .999999, m = 5"
    return told, all(0 < late < early for early, late in zip(*parts, strict=True))


def inequalities() -> tuple[Claim, ...]:
    """Return the claims in the order of the appendix."""
    return (
        Claim(
            id="004-9",
            place="(6) to (9)",
            printed="(1 + 2 sigma) C(m - 1, (m - 1)/2) (q (1 - q))^((m + 1)/2) <= M (1 - M)",
            compute=fact(_equation_9),
            note="for every odd m by integrals: chapter on majorities, where the reverse is bounded too",
        ),
        Claim(
            id="004-9-end",
            place="after (9)",
            printed="both sides tend to 0 from above as q goes to 1",
            compute=fact(_near_one),
        ),
        Claim(
            id="004-10",
            place="(10)",
            printed="the slope in q of the left side of (9) is at least that of the right side",
            compute=fact(_equation_10),
        ),
        Claim(
            id="004-11",
            place="(11)",
            printed="(1 + 2 sigma) (m + 1)/2 (1 - 2q) + 2 q (1 - q) sigma' >= m (1 - 2 M)",
            compute=fact(_equation_11),
        ),
        Claim(
            id="004-12",
            place="(12)",
            printed="(m - 1)/2 >= 2/(1 + 2 sigma) times the sum of (k + 1)/2 C(k, (k + 1)/2) (q (1 - q))^((k "
            "+ 1)/2)",
            compute=fact(_equation_12),
        ),
        Claim(
            id="004-13",
            place="C.1",
            printed="equations numbered (12), then (14)",
            verdict="wording",
            note="there is no (13), and nothing refers to it",
        ),
        Claim(
            id="004-14",
            place="(14)",
            printed="(m - 1)/2 >= (m - 1)/2 times 2 sigma / (1 + 2 sigma)",
            compute=fact(_equation_14),
        ),
    )
