"""Appendix C.1 up to (5): independent classifiers, and the rise of (3)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from algeval.budgets import LabelAccuracy, Rivals, error_rate, gap_chances, majority_accuracy
from algeval.budgets.sweep import admissible
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact

__all__ = ["chances", "gap", "independent", "rate"]


def gap(p: str, margin: str, q: str | Fraction, m: int = 1) -> tuple[Fraction, Fraction]:
    """Return the chances of +1 and -1 for independent classifiers."""
    return gap_chances(Rivals.independent(Fraction(p), Fraction(margin)), LabelAccuracy.of(q), m)


def rate(p: str, margin: str, q: str | Fraction, m: int = 1) -> float:
    """Return how fast errors die out."""
    return float(error_rate(*map(float, gap(p, margin, q, m))))


def chances(better: Any, worse: Any, q_b: Any, q_w: Any) -> list[Any]:
    """Return arrays of the chances of +1 and -1."""
    up = np.clip(better * q_b + worse * (1 - q_w), 0, 1)
    return [up, np.clip(better + worse - up, 0, 1)]


def _products() -> tuple[str, bool]:
    """Whether P(G = 1) P(G = -1) and the rest are as printed, at enough points for the degrees."""
    for p, e, q, m in product(
        ("1/2", "3/5", "7/10"), ("1/20", "1/10"), ("3/5", "4/5", "9/10"), (1, 3)
    ):
        a, b = gap(p, e, Fraction(q), m)
        voted, both = (
            majority_accuracy(Fraction(q), m),
            (1 - Fraction(p) - Fraction(e)) * Fraction(p),
        )
        if a * b != voted * (1 - voted) * Fraction(e) ** 2 + Fraction(e) * both + both**2:
            return f"differ at p = {p}", False
        if 1 - a - b != 1 - Fraction(e) - 2 * both:
            return f"the rest differs at p = {p}", False
    return "equal at 36 points of p, epsilon, q, m", True


def _strictly_below_one() -> tuple[str, bool]:
    better, worse = (part / 1e4 for part in admissible())
    least = min(
        float(np.min(error_rate(*chances(better, worse, q_b, q_w))))
        for q_b, q_w in ((0.51, 0.51), (0.75, 0.6), (1.0, 1.0))
    )
    return f"least rate on the grid {least:.1g}", least > 0


def _coins_tell_nothing() -> tuple[str, bool]:
    found = [rate(p, "0.05", "1/2", m) for p in ("1/2", "0.8", "0.9") for m in (1, 3, 11)]
    return f"rates {max(found):g} for every m", max(map(abs, found)) < 1e-15


def _differences(q: np.ndarray, p: float, margin: float, m: int) -> np.ndarray:
    better, worse = (1 - p) * (p + margin), p * (1 - p - margin)
    one, several = (
        error_rate(*chances(better, worse, voted, voted)) for voted in (q, majority_accuracy(q, m))
    )
    return np.asarray(m * one - several)


def _rising_difference() -> tuple[str, bool]:
    q, least = np.linspace(0.5, 1, 501), np.inf
    for p, margin, m in product((0.5, 0.7, 0.9), (0.01, 0.05, 0.1), (3, 11)):
        least = min(least, float(np.diff(_differences(q, p, margin, m)).min()))
    return f"every step of q = .5, .501, ..., 1 adds at least {least:.1g}", least > 0


def independent() -> tuple[Claim, ...]:
    """Return the claims in the order of the appendix."""
    return (
        Claim(
            id="004-C1-product",
            place="C.1",
            printed="P(G = 1) P(G = -1) = M (1 - M) epsilon^2 + epsilon (1 - p - epsilon) p + ((1 - p - "
            "epsilon) p)^2, "
            "and P(G = 0) = 1 - epsilon - 2 p (1 - p - epsilon)",
            compute=fact(_products),
        ),
        Claim(
            id="004-C1-negative",
            place="C.1",
            printed="2 sqrt(x y) + z < 1 wherever E G > 0",
            compute=fact(_strictly_below_one),
        ),
        Claim(
            id="004-C1-start",
            place="C.1",
            printed="(2), strict, holds at q = 1/2, as both sides differ by the factor m",
            verdict="erratum",
            compute=fact(_coins_tell_nothing),
            tolerance="1e-15, rounding",
            note="both sides are 0 there: equality, from which a strict rise in q (004-C1-rising) still "
            "proves (2)",
        ),
        Claim(
            id="004-C1-rising",
            place="C.1, (3) to (5)",
            printed="the left side of (3) rises with q",
            compute=fact(_rising_difference),
            tolerance="steps of .001 in q at 18 choices of p, epsilon, m",
            note="with 1 - epsilon - 2 p (1 - p - epsilon) outside the root, as in the display "
            "before (3); the "
            "text we read has it inside in (3)",
        ),
    )
