"""Varimax: turn factors until each judge loads on few, and say which factor most judges share.

Arrays in, arrays out. Kaiser (1958). Two factors have a best angle in closed form; more are turned two
at a time until no pair moves. A turn leaves the likelihood as it is: that the turned factors mean
something is an assumption of whoever turns them.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np

from algeval.aggregate import policy
from algeval.aggregate.results import Floats
from algeval.aggregate.score_kernels.factors import FactorPosterior

__all__ = ["Rotation", "breadth", "turned", "varimax"]


class Rotation(NamedTuple):
    """An orthogonal turn (k, k) and the (N, k) loadings after it, the broadest factor first."""

    turn: Floats
    loading: Floats


def varimax(loading: Floats, *, kaiser: bool = False) -> Rotation:
    """Return the turn of (N, k) standardised loadings with the largest variance of their squares.

    With `kaiser` every judge counts alike; without, judges count by how much the factors explain
    of them, so that judges who are mostly noise hardly matter. The broadest factor comes first, see
    `breadth`; the loadings of each add up to at least 0.
    """
    k = loading.shape[1]
    turn = np.eye(k)
    work = loading / _lengths(loading) if kaiser else loading.copy()
    for _ in range(policy.MOST_TURNS):
        angles = [_turn_pair(work, turn, list(pair)) for pair in combinations(range(k), 2)]
        if max(map(abs, angles), default=0.0) <= policy.LEAST_TURN:
            break
    found = loading @ turn
    order = np.argsort(-breadth(found), kind="stable")
    sign = np.where(found.sum(axis=0) < 0, -1.0, 1.0)
    return Rotation((turn * sign)[:, order], (found * sign)[:, order])


def _lengths(loading: Floats) -> Floats:
    length = np.sqrt((loading**2).sum(axis=1, keepdims=True))
    result: Floats = np.where(length > 0, length, 1.0)
    return result


def _turn_pair(work: Floats, turn: Floats, pair: list[int]) -> float:
    """Turn two factors by their best angle, in place; return the angle."""
    x, y = work[:, pair].T
    u, v = x**2 - y**2, 2 * x * y
    top = 2 * (u @ v - u.sum() * v.sum() / len(u))
    bottom = (u @ u - v @ v) - (u.sum() ** 2 - v.sum() ** 2) / len(u)
    angle = float(np.arctan2(top, bottom)) / 4
    c, s = np.cos(angle), np.sin(angle)
    plane = np.array([[c, -s], [s, c]])
    work[:, pair] = work[:, pair] @ plane
    turn[:, pair] = turn[:, pair] @ plane
    return angle


def breadth(loading: Floats) -> Floats:
    """Return (k,) how many judges share each factor: (sum of squares)^2 / (sum of fourth powers).

    N where all load alike, 1 where one judge alone loads, 0 of an empty factor.
    """
    squares = loading**2
    fourth = (squares**2).sum(axis=0)
    result: Floats = squares.sum(axis=0) ** 2 / np.where(fourth > 0, fourth, 1.0)
    return result


def turned(found: FactorPosterior, turn: Floats) -> FactorPosterior:
    """Return the posterior of factors after a turn."""
    return found._replace(
        mean=found.mean @ turn,
        covariance=np.einsum("ji,njk,kl->nil", turn, found.covariance, turn),
    )
