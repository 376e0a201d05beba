"""A weak factor, expanded exactly: log P(J) as a power series in its strength, in fractions.

Judge j says 1 with the chance sigma(eta_j + eps l_j z) at the factor z. Where sigma(eta_j) is a fraction, so
are all derivatives there: d p / d eta = p (1 - p). The moments of z then give every coefficient exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import factorial

__all__ = [
    "Series",
    "interaction_series",
    "log_ratio_series",
    "normal_moments",
    "two_point_moments",
]

Series = list[Fraction]
"""Coefficients of 1, eps, eps^2, ..."""


def normal_moments(order: int) -> Series:
    """Return the moments of a standard normal factor: 1, 0, 1, 0, 3, ..."""
    moments = [Fraction(1), Fraction(0)]
    for n in range(2, order + 1):
        moments.append((n - 1) * moments[n - 2])
    return moments


def two_point_moments(
    order: int, values: Sequence[Fraction], chances: Sequence[Fraction]
) -> Series:
    """Return the moments of a factor with a few values."""
    pairs = list(zip(values, chances, strict=True))
    return [sum((p * v**n for v, p in pairs), Fraction(0)) for n in range(order + 1)]


def _logistic_taylor(p: Fraction, order: int) -> Series:
    """Return the Taylor coefficients of sigma(eta + t), where sigma(eta) = p."""
    polynomial, found = [Fraction(0), Fraction(1)], []
    for n in range(order + 1):
        found.append(sum((c * p**i for i, c in enumerate(polynomial)), Fraction(0)) / factorial(n))
        slope = [i * c for i, c in enumerate(polynomial)][1:]
        following = [Fraction(0)] * (len(slope) + 2)
        for i, c in enumerate(slope):
            following[i + 1] += c
            following[i + 2] -= c
        polynomial = following
    return found


def _times(one: Series, other: Series) -> Series:
    return [
        sum((one[i] * other[n - i] for i in range(n + 1)), Fraction(0)) for n in range(len(one))
    ]


def _log(series: Series) -> Series:
    """Return the log of a series that starts with 1."""
    found = [Fraction(0)]
    for n in range(1, len(series)):
        rest = sum((k * found[k] * series[n - k] for k in range(1, n)), Fraction(0))
        found.append(series[n] - rest / n)
    return found


def log_ratio_series(
    votes: Sequence[int], p: Sequence[Fraction], shape: Sequence[Fraction], moments: Series
) -> Series:
    """Return log P(votes) less its value at eps = 0, in powers of eps up to the last moment."""
    order = len(moments) - 1
    total = [Fraction(1)] + [Fraction(0)] * order
    for vote, chance, load in zip(votes, p, shape, strict=True):
        taylor = _logistic_taylor(chance, order)
        taylor = taylor if vote else [1 - taylor[0], *(-c for c in taylor[1:])]
        total = _times(total, [c * load**n / taylor[0] for n, c in enumerate(taylor)])
    return _log([c * m for c, m in zip(total, moments, strict=True)])


def interaction_series(
    judges: Sequence[int], p: Sequence[Fraction], shape: Sequence[Fraction], moments: Series
) -> Series:
    """Return the term of a set of judges in log P, the others voting 0, without its part at eps = 0."""
    found = [Fraction(0)] * len(moments)
    for chosen in product((0, 1), repeat=len(judges)):
        votes = [0] * len(p)
        for judge, vote in zip(judges, chosen, strict=True):
            votes[judge] = vote
        sign = (-1) ** (len(judges) - sum(chosen))
        one = log_ratio_series(votes, p, shape, moments)
        found = [a + sign * b for a, b in zip(found, one, strict=True)]
    return found
