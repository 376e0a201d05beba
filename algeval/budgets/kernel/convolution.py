"""The same law by raising (a z + c + b / z) to a power: exact for fractions, with certified balls for floats.

Independent of the integral: nothing is tilted or left out.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

import numpy as np

from algeval.data.score_checks import Floats

__all__ = ["Law", "by_squaring", "certified_law", "exact_law", "lead_law"]


class Law(NamedTuple):
    """The chances that a sum is positive, zero, negative."""

    win: Any
    tie: Any
    loss: Any


def exact_law(a: Fraction, b: Fraction, n: int) -> Law:
    """Return the law as fractions.

    Examples
    --------
    >>> exact_law(Fraction(3, 10), Fraction(1, 5), 2).tie
    Fraction(37, 100)
    """
    from flint import fmpz_poly

    unit = lcm(a.denominator, b.denominator)
    up, down = int(a * unit), int(b * unit)
    power = fmpz_poly([down, unit - up - down, up]) ** n
    parts = [int(power[k]) for k in range(2 * n + 1)]
    whole = unit**n
    sums = sum(parts[n + 1 :]), parts[n], sum(parts[:n])
    return Law(*(Fraction(part, whole) for part in sums))


def certified_law(a: float, b: float, n: int, digits: int = 15) -> Law:
    """Return the law of two floats as they stand, as balls of arb that hold the true values.

    The precision is doubled until each ball that is not zero is small against its middle.
    """
    from flint import arb, arb_poly, ctx

    before, bits = ctx.prec, 128
    try:
        while True:
            ctx.prec = bits
            power = arb_poly([arb(b), 1 - arb(a) - arb(b), arb(a)]) ** n
            parts = [power[k] for k in range(2 * n + 1)]
            law = Law(sum(parts[n + 1 :], arb(0)), parts[n], sum(parts[:n], arb(0)))
            if all(ball == 0 or ball.rel_accuracy_bits() > 3.4 * digits for ball in law):
                return law
            bits *= 2
    finally:
        ctx.prec = before


def by_squaring(a: float, b: float, n: int) -> Law:
    """Return the law as floats; tails below 1e-13 are rounding noise, as all of it is summed at one scale."""
    law = lead_law(a, b, n)
    return Law(float(law[n + 1 :].sum()), float(law[n]), float(law[:n].sum()))


def lead_law(a: float, b: float, n: int) -> Floats:
    """Return the chances that the sum is -n, ..., n."""
    law, power, left = np.ones(1), np.array([b, 1 - a - b, a]), n
    while left:
        if left % 2:
            law = np.convolve(law, power)
        left //= 2
        if left:
            power = np.convolve(power, power)
    return law
