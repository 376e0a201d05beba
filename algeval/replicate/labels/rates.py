"""Appendix C up to (4): large deviations, Lemma C.1, and the rates of independent classifiers."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import exp, log, sqrt

import numpy as np
import sympy as sp

from algeval.budgets import (
    error_rate,
    log_outcomes,
    majority_accuracy,
    smallest_n,
)
from algeval.budgets.conjecture import vanishes
from algeval.budgets.kernel import exact_law, lead_law
from algeval.budgets.sweep import admissible
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact, numbers, unlike
from algeval.replicate.labels.independent import chances, gap, independent, rate

__all__ = ["rates"]


def rates() -> tuple[Claim, ...]:
    """Return the claims in the order of the appendix."""
    return (*_of_large_deviations(), *_of_one_half(), *independent())


def _slopes_above_their_limit() -> tuple[str, bool]:
    """Compare -log(1 - P)/n with its limit at (p, margin, q) = (.8, .1, .8)."""
    a, b = map(float, gap("0.8", "0.1", "0.8"))
    rate, found = float(error_rate(a, b)), []
    for n in (1, 10, 100, 1000, 10**4, 10**5, 10**6):
        law = log_outcomes(a, b, n)
        found.append(-float(np.logaddexp(law.tie, law.loss)) / n)
    told = f"{found[2]:.7f}, {found[5]:.8f}, {found[6]:.9f} at n = 100, 1e5, 1e6; limit {rate:.8f}"
    return told, found == sorted(found, reverse=True) and 0 < found[-1] - rate < 1e-5


def _lemma_c_1() -> tuple[str, bool]:
    """Compare with the least of x e^t + y e^-t + z over t, x and y being the chances of 1 and -1 of -G."""
    worst, t = 0.0, np.linspace(-6, 6, 240_001)
    for x, y in ((0.04, 0.16), (0.1, 0.3), (0.01, 0.7), (0.2, 0.21)):
        least = float(np.log(x * np.exp(t) + y * np.exp(-t) + 1 - x - y).min())
        worst = max(worst, abs(least + float(error_rate(y, x))))
    exact = abs(float(error_rate(0.16, 0.04)) + log(24 / 25))
    return f"log(24/25) at 4/25, 1/25; elsewhere off by {worst:.1g}", max(worst, exact) < 1e-8


def _rates_of_sums_add() -> tuple[str, bool]:
    """Whether the law of the sum of n, at its least exponential moment, gives n times the rate."""
    worst = 0.0
    for (a, b), n in product(((0.16, 0.04), (0.3, 0.25), (0.5, 0.01)), (2, 7, 30)):
        law = lead_law(a, b, n)
        t = 0.5 * log(a / b)
        moment = float((law * np.exp(-t * np.arange(-n, n + 1))).sum())
        worst = max(worst, abs(log(moment) + n * float(error_rate(a, b))))
    return f"off by at most {worst:.1g}", worst < 1e-10


def _never_worse() -> tuple[str, bool]:
    """Take x = 0: labels that are sure, a better classifier that always is right."""
    a, b = gap("0.7", "0.3", "1")
    chances = [1 - exact_law(a, b, n).win for n in (1, 2, 5)]
    told = f"P(G = -1) = {b}; 1 - P = {', '.join(map(str, chances))}: powers of 7/10"
    right = chances == [Fraction(7, 10) ** n for n in (1, 2, 5)]
    return told, right and abs(float(error_rate(float(a), 0.0)) + log(0.7)) < 1e-14


@cache
def _sampled_rates() -> tuple[float, float]:
    """Return the largest of log rho_m / (m log rho) on the grid of Assumption 1, for m = 3 and 11."""
    rng, found = np.random.default_rng(4), []
    better, worse = (part / 1e4 for part in admissible())
    pair = rng.integers(better.size, size=200_000)
    low, high = np.tril_indices(50)
    place = rng.integers(low.size, size=200_000)
    labels = (0.51 + low[place] / 100, 0.51 + high[place] / 100)
    for m in (3, 11):
        one, several = (
            error_rate(
                *chances(better[pair], worse[pair], *(majority_accuracy(q, k) for q in labels))
            )
            for k in (1, m)
        )
        found.append(float((several / (m * one)).max()))
    return found[0], found[1]


def _theorem_2() -> tuple[str, bool]:
    three, eleven = _sampled_rates()
    told = f"rate of m labels over m times that of one: at most {three:.4f} (m = 3), {eleven:.4f} (m = 11)"
    return told, max(three, eleven) < 1


def _of_large_deviations() -> tuple[Claim, ...]:
    return (
        Claim(
            id="004-T2",
            place="Theorem 2 (and 1), by (2)",
            printed="under Assumption 1 errors die out faster with one label each than with majorities of m",
            compute=fact(_theorem_2),
            tolerance="200,000 points of the grid for each m, seeded; rates to 1e-15",
            note="the proof of Conjecture 1 gives it for every size of the test: 004-CJ1",
        ),
        Claim(
            id="004-Cramer",
            place="appendix C, Cramer's theorem",
            printed="the exponential of the rate bounds the error at every n and is its limit per item",
            compute=fact(_slopes_above_their_limit),
            tolerance="1e-5 at n = 1,000,000: the error also falls like n^-1/2",
        ),
        Claim(
            id="004-C.1",
            place="Lemma C.1",
            printed="for a variable of 1, -1, 0 with chances x, y, z the rate is -log(2 sqrt(x y) + z)",
            compute=fact(_lemma_c_1),
            tolerance="1e-8, the least on a grid of t",
        ),
        Claim(
            id="004-C.1-sums",
            place="Lemma C.1",
            printed="the rate of a sum of n is n times that of one",
            compute=fact(_rates_of_sums_add),
            tolerance="1e-10, rounding",
        ),
        Claim(
            id="004-C.1-zero",
            place="Lemma C.1, proof",
            printed="the least is at t = log(y/x)/2",
            verdict="conditional",
            compute=fact(_never_worse),
            note="where x > 0; at x = 0 (q = 1, p + epsilon = 1) no t is best, and the formula stands as a "
            "limit",
        ),
    )


def _root(m: sp.Expr, e: sp.Expr) -> sp.Expr:
    return (m * (1 - m) - sp.Rational(1, 4)) * e**2 + sp.Rational(1, 16)


def _rate_at_one_half() -> tuple[str, bool]:
    """Compare the rate at p = 1/2, margin 1/10, M = 4/5 with what is printed and corrected."""
    inside = float(_root(sp.Rational(4, 5), sp.Rational(1, 10)))
    found = exp(-rate("1/2", "1/10", "4/5"))
    corrected, printed = 2 * sqrt(inside) + 0.5, 2 * sqrt(inside + 0.5)
    told = f"{found:.7f}; with 1/2 outside the root {corrected:.7f}, inside {printed:.4f}"
    return told, abs(found - corrected) < 1e-14 and printed > 1


def _expansion_at_one_half() -> tuple[str, bool]:
    m, e, n = sp.symbols("M epsilon n", positive=True)
    series = sp.series((2 * sp.sqrt(_root(m, e)) + sp.Rational(1, 2)) ** n, e, 0, 3).removeO()
    second = sp.expand(series.coeff(e, 2))
    right = vanishes(second - n * (4 * m * (1 - m) - 1))
    return f"coefficient of epsilon^2: {sp.factor(second)}", right and second.subs(m, 1) == -n


def _needed(q: str, margin: str) -> int:
    a, b = map(float, gap("1/2", margin, q))
    return smallest_n(a, b, 0.9)


def _tests_grow_with_the_margins_inverse_square() -> list[float]:
    found = [_needed("1", margin) for margin in ("0.1", "0.05", "0.025", "0.0125")]
    return [later / first for first, later in pairwise(found)]


def _tests_explode() -> tuple[str, bool]:
    found = [_needed(q, "0.1") for q in ("0.9", "0.6", "0.55", "0.51")]
    told = ", ".join(f"{n:,}" for n in found)
    return f"{told} items for .9 at q = .9, .6, .55, .51", found == sorted(found) and found[
        -1
    ] > 1e4


def _of_one_half() -> tuple[Claim, ...]:
    place = "C.1, p = 1/2"
    return (
        Claim(
            id="004-C1-root",
            place=place,
            printed="the rate has 2 sqrt((M (1 - M) - 1/4) epsilon^2 + 1/16 + 1/2)",
            verdict="erratum",
            machine_read=True,
            compute=fact(_rate_at_one_half),
            note="1/2 is added to twice the root; inside it, errors would grow",
        ),
        Claim(
            id="004-C1-taylor",
            place=place,
            printed="the error rate is about 1 + (4 (M (1 - M) - 1)) n epsilon^2",
            verdict="erratum",
            compute=fact(_expansion_at_one_half),
            note="1 + (4 M (1 - M) - 1) n epsilon^2, which at M = 1 is 1 - n epsilon^2, as the text goes on",
        ),
        Claim(
            id="004-C1-square",
            place=place,
            printed="with sure labels the items needed grow like 1/epsilon^2",
            compute=numbers([4, 4, 4], _tests_grow_with_the_margins_inverse_square, tolerance=0.2),
            tolerance=".2: items needed for .9 at margins .1, .05, .025, .0125, lower orders left out",
        ),
        Claim(
            id="004-C1-quarter",
            place=place,
            printed="M (1 - M) approaches 4 as q goes to 1/2",
            verdict="erratum",
            machine_read=True,
            compute=unlike(
                4,
                Fraction(1, 4),
                lambda: (
                    majority_accuracy(Fraction(1, 2), 3)
                    * (1 - majority_accuracy(Fraction(1, 2), 3))
                ),
            ),
            note="4 M (1 - M) - 1 then goes to 0",
        ),
        Claim(
            id="004-C1-explodes",
            place=place,
            printed="the samples needed explode as q goes to 1/2",
            compute=fact(_tests_explode),
        ),
    )
