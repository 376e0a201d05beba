"""Appendix C.2: classifiers that err together."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy as sp

from algeval.budgets import error_rate, majority_accuracy
from algeval.budgets.conjecture import vanishes
from algeval.budgets.sweep import admissible
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact
from algeval.replicate.labels.correlated_labels import RIVALS, correlated_labels, up_and_down

__all__ = ["correlated"]

A, B, Q, M = sp.symbols("A B q M")


def correlated() -> tuple[Claim, ...]:
    """Return the claims in the order of the appendix."""
    return (*_of_correlated_classifiers(), *correlated_labels())


def _expectation() -> tuple[str, bool]:
    for q, m in product((Fraction(3, 5), Fraction(4, 5), Fraction(1)), (1, 3)):
        a, b = up_and_down(q, q, m)
        voted = majority_accuracy(q, m)
        apart = RIVALS.better_alone - RIVALS.worse_alone
        if a - b != (2 * voted - 1) * apart or not a > b:
            return f"differs at q = {q}", False
    return (
        f"E G = (2q - 1) {RIVALS.better_alone - RIVALS.worse_alone} at one pair of classifiers",
        True,
    )


def _rest_is_constant() -> tuple[str, bool]:
    labels = (Fraction(51, 100), Fraction(3, 5), Fraction(4, 5), Fraction(1))
    rests = {1 - sum(up_and_down(q_b, q_w, m)) for q_b, q_w, m in product(labels, labels, (1, 3))}
    return f"P(G = 0) = {', '.join(map(str, rests))} for every q_b, q_w, m", rests == {
        1 - RIVALS.disagree
    }


def _power_of_c_2() -> tuple[str, bool]:
    """Expand P(G = 1) P(G = -1) with c_1 = A^2, c_2 = c_3 = AB, c_4 = B^2."""
    both = (A * Q + B * (1 - Q)) * (A * (1 - Q) + B * Q)
    rest = Q * (1 - Q) * (A**2 + B**2) + (1 - Q) ** 2 * A * B
    holds = [vanishes(both - rest - Q**power * A * B) for power in (1, 2)]
    return "the product is q (1-q) c_1 + q^2 c_2 + (1-q)^2 c_3 + q (1-q) c_4", holds == [
        False,
        True,
    ]


def _sign_of_lambda() -> tuple[str, bool]:
    """Compare signs: the Legendre transform at 0 is not negative, the logarithm of rho is."""
    found = float(error_rate(*map(float, up_and_down(Fraction(4, 5), Fraction(4, 5)))))
    return f"Lambda* = {found:.4g} per item, m log(...) = -{found:.4g} m", found > 0


def _form_of_f() -> tuple[str, bool]:
    printed = (A**2 + B**2 - 2 * A * B) * M * (1 - M) + A * B
    both = (A * M + B * (1 - M)) * (A * (1 - M) + B * M)
    return "(A - B)^2 M (1 - M) + AB, which is P(G = 1) P(G = -1)", vanishes(both - printed)


def _first_constant() -> tuple[str, bool]:
    better, worse = admissible()
    least = int(((better - worse) ** 2).min())
    return f"c_1 + c_4 - 2 c_2 = (A - B)^2, at least {least / 1e8:g} on the grid", least > 0


def _second_constant() -> tuple[str, bool]:
    better, worse = admissible()
    found = int((better * worse == 0).sum())
    return f"AB = 0 at {found:,} of {better.size:,} pairs of classifiers of the grid", found > 0


def _of_correlated_classifiers() -> tuple[Claim, ...]:
    place = "C.2"
    return (
        Claim(
            id="004-C2-mean",
            place=place,
            printed="E G = (2q - 1)((1 - p_w) p_b^0 + p_w (p_b^1 - 1)) > 0",
            compute=fact(_expectation),
        ),
        Claim(
            id="004-C2-rest",
            place="C.2 and C.3",
            printed="P(G = 0) depends neither on q_b, q_w nor on their difference",
            compute=fact(_rest_is_constant),
        ),
        Claim(
            id="004-C2-power",
            place=place,
            printed="under the root q (1 - q) c_1 + q c_2 + (1 - q)(1 - q) c_3 + (1 - q) q c_4",
            verdict="erratum",
            machine_read=True,
            compute=fact(_power_of_c_2),
            note="q^2 c_2; with q c_2 the chances multiply wrongly",
        ),
        Claim(
            id="004-C2-sign",
            place="C.2, and C.3",
            printed="Lambda_X*(0) = m log(...), and -Lambda_X*(0) = m log(...) in C.3",
            verdict="erratum",
            machine_read=True,
            compute=fact(_sign_of_lambda),
            note="the minus is missing in C.2, and in both the prime: it is -Lambda_X'*(0), of sums of m",
        ),
        Claim(
            id="004-C2-form",
            place=place,
            printed="f* = (c_1 + c_4 - 2 c_2) M (1 - M) + c_2, and g* with q for M",
            compute=fact(_form_of_f),
        ),
        Claim(
            id="004-C2-d1",
            place=place,
            printed="c_1 + c_4 - 2 c_2 > 0",
            compute=fact(_first_constant),
            note="strict, as A is above B; the means alone give >= 0",
        ),
        Claim(
            id="004-C2-d2",
            place=place,
            printed="c_2 > 0",
            verdict="conditional",
            compute=fact(_second_constant),
            note="0 where p_b^1 = 1; the argument needs only c_2 >= 0",
        ),
    )
