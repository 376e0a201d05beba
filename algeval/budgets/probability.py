"""How probable it is that the better of two classifiers wins on n labelled items."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from algeval.budgets.kernel.law import LogLaw, log_law, log_rho
from algeval.data.score_checks import Floats
from algeval.data.settings import check_number
from algeval.errors import DataError

__all__ = ["Outcomes", "error_rate", "log_outcomes", "outcomes", "smallest_n", "win_probability"]

MOST_ITEMS = 2**53
"""Whole numbers above it are not all floats."""


class Outcomes(NamedTuple):
    """The chances that the sum is positive, zero, negative; floats, or arrays of one shape."""

    win: Any
    tie: Any
    loss: Any


def win_probability(a: Any, b: Any, n: Any) -> Any:
    """Return the chance that the sum of n items, each +1 with chance a and -1 with chance b, is positive.

    The items are independent, and 0 with what is left of the chance. A tied test is no win. The value is
    right to some 1e-14 of itself, be it next to 0 or to 1, and takes as long for a million items as for a
    dozen.

    Parameters
    ----------
    a, b : float or array of float
        Chances of +1 and -1, at least 0 and at most 1 together.
    n : int or array of int
        Number of items, at least 0; all three broadcast.

    Returns
    -------
    float or array of float
        In [0, 1].

    Raises
    ------
    DataError
        If a or b is no chance, or n no whole number.

    Examples
    --------
    >>> round(win_probability(0.16, 0.154, 1500), 5)
    0.65237
    """
    return outcomes(a, b, n).win


def outcomes(a: Any, b: Any, n: Any) -> Outcomes:
    """Return the chances of a win, a tie and a loss; see `win_probability`.

    Each is right to some 1e-14 of itself while it is no smaller than a float can be.

    Examples
    --------
    >>> [round(part, 2) for part in outcomes(0.5, 0.25, 2)]
    [0.5, 0.31, 0.19]
    """
    return Outcomes(*(_plain(np.exp(part)) for part in log_outcomes(a, b, n)))


def log_outcomes(a: Any, b: Any, n: Any) -> LogLaw:
    """Return the natural logarithms of the chances of a win, a tie and a loss; see `win_probability`.

    Examples
    --------
    >>> round(log_outcomes(0.45, 0.001, 100_000).loss)
    -52530
    """
    up, down, many = _checked(a, b, n)
    return LogLaw(*map(_plain, log_law(up, down, many)))


def error_rate(a: Any, b: Any) -> Any:
    """Return -log(c + 2 sqrt(ab)), c = 1 - a - b: how fast errors die out, in nats per item.

    For a > b the chance of no win is at most exp(-n rate), and its logarithm divided by n tends to -rate
    (Lemma C.1 of the paper on single labels, and Cramer's theorem).

    Examples
    --------
    >>> round(error_rate(0.16, 0.10), 8)
    0.00704253
    """
    up, down, _ = _checked(a, b, 1)
    return _plain(-log_rho(up, down) + 0.0)


def smallest_n(a: float, b: float, target: float) -> int:
    """Return the fewest items on which the better classifier wins with at least the target probability.

    The chance of a win is not monotone in n, as an even number of items ties more often. Half the ties
    added, it is; where that falls short, so does the win. From there on every n is tried.

    Raises
    ------
    DataError
        If a is not above b, or the target not between 0 and 1.

    Examples
    --------
    >>> smallest_n(0.5, 0.25, 0.9)
    23
    """
    goal = check_number("target", target, least=0, most=1, strict=True)
    _checked(a, b, 1)
    if not a > b:
        raise DataError(
            f"a must be above b for any number of items to do; got {a!r} and {b!r}; change one"
        )
    high = 1
    while _fair(a, b, high) < goal:
        high *= 2
        if high > MOST_ITEMS:
            raise DataError(
                f"target must be within reach of 2^53 items; got {target!r}; ask for less"
            )
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _fair(a, b, middle) < goal else (low, middle)
    return _first_from(a, b, high, goal)


def _fair(a: float, b: float, n: int) -> float:
    win, tie, _ = outcomes(a, b, n)
    return float(win + tie / 2)


def _first_from(a: float, b: float, start: int, goal: float) -> int:
    block = 256
    while True:
        tried = np.arange(start, start + block)
        reached = np.flatnonzero(win_probability(a, b, tried) >= goal)
        if reached.size:
            return int(tried[reached[0]])
        start, block = start + block, min(2 * block, 2**16)


def _plain(value: Any) -> Any:
    return value if np.ndim(value) else float(value)


def _checked(a: Any, b: Any, n: Any) -> tuple[Floats, Floats, Floats]:
    up, down = (_chances(name, value) for name, value in (("a", a), ("b", b)))
    if np.any(up + down > 1 + 1e-12):
        raise DataError(
            f"a and b must be at most 1 together; got up to {float((up + down).max()):g}; "
            "give the chances of +1 and of -1"
        )
    many = _counts(n)
    try:
        np.broadcast_shapes(up.shape, down.shape, many.shape)
    except ValueError:
        shapes = [up.shape, down.shape, many.shape]
        raise DataError(
            f"a, b and n must have shapes that broadcast; got {shapes}; make them alike"
        ) from None
    return up, down, many


def _chances(name: str, value: Any) -> Floats:
    try:
        found = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        found = np.asarray(np.nan)
    if not np.all((found >= 0) & (found <= 1)):
        raise DataError(f"{name} must be chances from 0 to 1; got {value!r}; change it")
    return found


def _counts(value: Any) -> Floats:
    try:
        found = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        found = np.asarray(np.nan)
    if not np.all((found >= 0) & (found <= MOST_ITEMS) & (found == np.floor(found))):
        raise DataError(f"n must be whole numbers from 0 to 2^53; got {value!r}; change it")
    return found
