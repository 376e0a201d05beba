"""Logarithms of the chances that a sum of n independent +1, 0 and -1 is positive, zero, negative.

Each is known to 1e-14 of itself, or 2e-16 for each nat of its logarithm, however small it is: the smaller
tail and the tie are computed, never left over from one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from algeval.budgets.kernel.integral import tie_and_loss
from algeval.budgets.kernel.recurrence import sums_by_recurrence
from algeval.data.score_checks import Floats

__all__ = ["LogLaw", "log_law", "log_rho", "rest"]

AT_ONCE = 480
"""Values at a time: their nodes stay in the cache, and in memory that is not asked of the system anew."""


class LogLaw(NamedTuple):
    """Natural logarithms of the three chances, arrays of one shape."""

    win: Floats
    tie: Floats
    loss: Floats


def rest(a: Floats, b: Floats) -> Floats:
    """Return 1 - a - b to its last digits, at least 0: what a + b rounds off is taken off again."""
    total = a + b
    rounded = np.where(a >= b, (total - a) - b, (total - b) - a)
    left: Floats = np.maximum((1 - total) + rounded, 0)
    return left


def log_rho(a: Floats, b: Floats) -> Floats:
    """Return log(c + 2 sqrt(ab)), at most 0: minus the rate at which errors die out per item."""
    rho = rest(a, b) + 2 * np.sqrt(a) * np.sqrt(b)
    off = (np.abs(a - b) / (np.sqrt(a) + np.sqrt(b) + (a + b == 0))) ** 2
    with np.errstate(divide="ignore"):
        found: Floats = np.where(rho < 0.5, np.log(rho), np.log1p(-np.minimum(off, 1)))
    return found


def log_law(a: Floats, b: Floats, n: Floats) -> LogLaw:
    """Return the logarithms for arrays that broadcast: chances a of +1, b of -1, and whole numbers n."""
    up, down, many = np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in (a, b, n)))
    shape = up.shape
    up, down, many = up.ravel(), down.ravel(), many.ravel()
    flat = np.empty((3, up.size))
    for at in range(0, up.size, AT_ONCE):
        part = slice(at, at + AT_ONCE)
        flat[:, part] = _ordered(up[part], down[part], many[part])
    return LogLaw(*np.minimum(flat, 0).reshape(3, *shape))


def _ordered(a: Floats, b: Floats, n: Floats) -> Floats:
    """Return the three rows; the better side goes first into the kernels and comes back in its place."""
    swapped = b > a
    rows = _better_first(np.where(swapped, b, a), np.where(swapped, a, b), n)
    return np.where(swapped, rows[::-1], rows)


def _better_first(a: Floats, b: Floats, n: Floats) -> Floats:
    c, rows = rest(a, b), np.empty((3, a.size))
    with np.errstate(under="ignore"):
        crowd = n * np.sqrt(a) * np.sqrt(b) >= c + 2 * np.sqrt(a) * np.sqrt(b)
    least = b == 0
    for chosen, way in (
        (n <= 2, _two_at_most),
        ((n > 2) & least, _never_down),
        ((n > 2) & ~least & ~crowd, _few),
        ((n > 2) & ~least & crowd, _many),
    ):
        if chosen.any():
            rows[:, chosen] = way(a[chosen], b[chosen], c[chosen], n[chosen])
    return rows


def _two_at_most(a: Floats, b: Floats, c: Floats, n: Floats) -> list[Floats]:
    nothing, one = np.zeros_like(n), np.ones_like(n)
    win, tie, loss = (
        np.choose(n.astype(int), choices)
        for choices in (
            (nothing, a, a * (a + 2 * c)),
            (one, c, c**2 + 2 * a * b),
            (nothing, b, b * (b + 2 * c)),
        )
    )
    with np.errstate(divide="ignore"):
        return [np.log(win), np.log(tie), np.log(loss)]


def _never_down(a: Floats, b: Floats, c: Floats, n: Floats) -> list[Floats]:
    with np.errstate(divide="ignore"):
        tie = n * np.log1p(-a)
        return [np.log(-np.expm1(tie)), tie, np.full_like(n, -np.inf)]


def _few(a: Floats, b: Floats, c: Floats, n: Floats) -> list[Floats]:
    step, stay, log_r = _tilted(a, b, c)
    weights = [np.ones_like(a), np.exp(log_r), np.exp(-log_r)]
    norm, low, high = sums_by_recurrence(step, stay, weights, n)
    tie = n * log_rho(a, b) - np.log1p(2 * norm)
    loss = tie + np.log(low)
    others = np.exp(tie) + np.exp(loss)
    direct = tie + np.log(high)
    win = np.where(others < 0.5, np.log1p(-np.minimum(others, 0.5)), direct)
    return [win, tie, loss]


def _many(a: Floats, b: Floats, c: Floats, n: Floats) -> list[Floats]:
    step, stay, log_r = _tilted(a, b, c)
    tie, loss = tie_and_loss(step, stay, (a - b) / a, log_r, n)
    tilt = n * log_rho(a, b)
    with np.errstate(divide="ignore"):
        logs = [tilt + np.log(part) for part in (tie, loss)]
    return [np.log1p(-np.exp(logs[0]) - np.exp(logs[1])), *logs]


def _tilted(a: Floats, b: Floats, c: Floats) -> tuple[Floats, Floats, Floats]:
    """Return d, C and log r."""
    root = np.sqrt(a) * np.sqrt(b)
    rho = c + 2 * root
    apart = (a - b) / a
    near = apart < 0.5
    log_r = np.where(near, np.log1p(-np.where(near, apart, 0)), np.log(b) - np.log(a)) / 2
    return root / rho, c / rho, log_r
