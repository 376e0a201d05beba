"""How good the majority of m labels is, if each is right with chance q, independently."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any, overload

import numpy as np
from scipy.special import betainc

from algeval.data.settings import check_whole
from algeval.errors import DataError

__all__ = ["majority_accuracy", "majority_gain"]


@overload
def majority_accuracy(q: Fraction, m: int) -> Fraction: ...
@overload
def majority_accuracy(q: float, m: int) -> float: ...
@overload
def majority_accuracy(q: Any, m: int) -> Any: ...
def majority_accuracy(q: Any, m: int) -> Any:
    """Return M_m(q), the chance that the majority of m labels is right; a tie is decided by a coin.

    With the coin, 2r labels are as good as 2r - 1: a last label can only make a tie, or break a tie's
    coin its own way.

    Parameters
    ----------
    q : Fraction, float or array of float
        Chance that one label is right, in [0, 1]. A fraction gives a fraction.
    m : int
        Labels, at least 1.

    Raises
    ------
    DataError
        If m is no whole number from 1 on, or q leaves [0, 1].

    Examples
    --------
    >>> majority_accuracy(Fraction(4, 5), 3)
    Fraction(112, 125)
    """
    votes = check_whole("m", m)
    if not np.all((np.asarray(q) >= 0) & (np.asarray(q) <= 1)):
        raise DataError(f"q must be from 0 to 1; got {q!r}; give the chance that a label is right")
    odd = votes - 1 + votes % 2
    if isinstance(q, Fraction):
        return _exactly(q, odd // 2)
    found = betainc(odd // 2 + 1, odd // 2 + 1, q)
    return found if np.ndim(found) else float(found)


def _exactly(q: Fraction, pairs: int) -> Fraction:
    """Return M_m(q) for m = 2 pairs + 1 by its gain over one label, a term for each pair more."""
    right, whole = q.numerator, q.denominator
    term = total = 1
    for j in range(1, pairs + 1):
        term = term * right * (whole - right) * 2 * (2 * j - 1) // j
        total = total * whole**2 + term
    scale = whole ** (2 * pairs)
    return Fraction(whole * scale + (2 * right - whole) * total, 2 * whole * scale)


def majority_gain(q: Any, m: int) -> Any:
    """Return (2 M_m(q) - 1) / (2q - 1), how much steeper a majority is than one label.

    It is the sum of C(2j, j) (q(1 - q))^j over j up to (m - 1)/2, which is 1 + 2 sigma of Lemma C.4 of
    the paper on single labels, with sigma the sum of C(k, (k + 1)/2) (q(1 - q))^((k + 1)/2) over odd
    k <= m - 2; it is taken at its limit where q is 1/2.

    Examples
    --------
    >>> majority_gain(Fraction(1, 2), 3)
    Fraction(3, 2)
    """
    votes = check_whole("m", m)
    return sum(comb(2 * j, j) * (q * (1 - q)) ** j for j in range((votes - 1) // 2 + 1))
