"""Judges asked about the same two answers in both orders: how often they say something else."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.rates.leaderboards.battles import Battles
from algeval.rates.leaderboards.outcomes import FIRST, TIE

__all__ = ["Flips", "flips_of"]


class Flips(NamedTuple):
    """How often the answer changes with the order, and what that says of accuracy.

    Attributes
    ----------
    n_pairs : int
        Pairs of answers that one judge compared in both orders.
    rate : Fraction or None
        Share of these that did not get the same answer every time; None without such a pair.
    ceiling : Fraction or None
        No judge was right on more than this share of these calls, both orders together: of two
        different answers one at most is right. 1 - rate/2 where each order was asked once. It is no
        bound on one order alone, and none where a tie counts as half right.
    """

    n_pairs: int
    rate: Fraction | None
    ceiling: Fraction | None


def flips_of(battles: Battles) -> Flips:
    """Return what the battles of one item, judge and pair of systems say in both orders."""
    if battles.item is None:
        return Flips(0, None, None)
    low = np.minimum(battles.first, battles.second)
    high = np.maximum(battles.first, battles.second)
    judge = np.zeros(len(battles), np.int64) if battles.judge is None else battles.judge
    k, j = len(battles.systems), int(judge.max()) + 1
    asked = np.unique(((battles.item * j + judge) * k + low) * k + high, return_inverse=True)[1]
    in_order = battles.first == low
    said = np.where(battles.outcome == TIE, TIE, (battles.outcome == FIRST) != in_order)
    both = _any(asked, in_order) & _any(asked, ~in_order)
    if not both.any():
        return Flips(0, None, None)
    times = np.stack([np.bincount(asked, said == one, len(both)) for one in (0, 1, TIE)])[:, both]
    same, calls = times.max(axis=0), times.sum(axis=0)
    n = int(both.sum())
    return Flips(
        n,
        Fraction(int((same < calls).sum()), n),
        Fraction(int(same.sum()), int(calls.sum())),
    )


def _any(group: NDArray[np.intp], where: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return np.bincount(group, where) > 0
