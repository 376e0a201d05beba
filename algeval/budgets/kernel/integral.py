"""Ties and losses of many items, by a trapezoid over the characteristic function of a tilted walk.

With a and b the chances of +1 and -1 and c the rest, S the sum of n of them and a >= b, tilting gives
P(S = -k) = rho^n r^k Q(k), rho = c + 2 sqrt(ab), r = sqrt(b/a), where Q is the law of a symmetric walk that
steps with chance d = sqrt(ab)/rho either way and stays with chance C = c/rho. Q decays like a bell, so 2H
nodes give it to e^-T, and of these some 40 count, whatever n is. Every node is taken with its mirror: the sum
and the difference of the two are known to the last digits even where they nearly cancel.
"""

from __future__ import annotations

import numpy as np

from algeval.data.score_checks import Floats

__all__ = ["tie_and_loss"]

T = 42.0
"""Nats: what the walk may do beyond H has a chance of at most 4 e^-T (Bernstein's inequality)."""


def tie_and_loss(
    step: Floats, stay: Floats, less: Floats, log_r: Floats, n: Floats
) -> list[Floats]:
    """Return Q(0) and the sum of r^k Q(k) over k >= 1, as one-dimensional arrays.

    Parameters
    ----------
    step, stay : array of float
        d and C; n d is at least 1.
    less : array of float
        1 - r^2, exact where r is near 1.
    log_r : array of float
        log r, at most 0.
    n : array of float
        Whole numbers from 3 on.
    """
    half = _half_period(step, n)
    node = np.arange(_most_nodes(half, step, n), dtype=float)
    t = np.minimum(np.pi * node / half[:, None], np.pi / 2)
    both, apart = _with_mirror(step[:, None], stay[:, None], n[:, None], t)
    weight = _weights(node, half[:, None])
    even, odd = _loss_kernel(less[:, None], log_r[:, None], half[:, None], node, t)
    tie = (weight * both).sum(axis=1)
    return [tie, (weight * (both * even + apart * odd)).sum(axis=1)]


def _half_period(step: Floats, n: Floats) -> Floats:
    """Return H, even; from n on the trapezoid is exact."""
    spread = 2 * step * n
    reach = np.ceil(T / 3 + np.sqrt((T / 3) ** 2 + 2 * T * spread))
    half: Floats = np.minimum(reach, n)
    return half + half % 2


def _most_nodes(half: Floats, step: Floats, n: Floats) -> int:
    """Return how many nodes of the first quarter count: phi^n <= exp(-8 n d j^2 / H^2) there."""
    needed = np.minimum(np.ceil(half * np.sqrt(T / (8 * n * step))), half / 2)
    return int(needed.max()) + 1


def _with_mirror(step: Floats, stay: Floats, n: Floats, t: Floats) -> list[Floats]:
    """Return phi(t)^n + phi(pi - t)^n and phi(t)^n - phi(pi - t)^n, without cancellation."""
    swing = 2 * step * np.maximum(np.cos(t), 0)
    here = np.exp(n * np.log1p(-np.minimum(4 * step * np.sin(t / 2) ** 2, 1)))
    nearer = np.minimum(stay, swing)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = n * np.log1p(-2 * nearer / (stay + swing))
    ratio = np.where(stay + swing > 0, ratio, 0)
    more, fewer = here * (1 + np.exp(ratio)), -here * np.expm1(ratio)
    negative = (swing > stay) & (n % 2 == 1)
    return [np.where(negative, fewer, more), np.where(negative, more, fewer)]


def _weights(node: Floats, half: Floats) -> Floats:
    """Return the weight of each pair of mirrored nodes in the mean over 2H nodes."""
    inner = np.where((node > 0) & (2 * node < half), 2.0, 1.0)
    counted: Floats = np.where(2 * node > half, 0.0, inner)
    return counted / (2 * half)


def _loss_kernel(
    less: Floats, log_r: Floats, half: Floats, node: Floats, t: Floats
) -> list[Floats]:
    """Return the even and the odd part of the sum of r^k cos kt over 1 <= k <= H, its last term halved."""
    r, sign = np.exp(log_r), 1 - 2 * (node % 2)
    last = np.exp(half * log_r)
    cut = np.where(sign > 0, -np.expm1(half * log_r), 1 + last)
    sine = np.where(node == 0, 0, np.sin(t) ** 2)
    below = np.where(node == 0, 1, less**2 + 4 * r**2 * sine)
    with np.errstate(divide="ignore", invalid="ignore"):
        first = np.where(log_r < 0, -np.expm1(half * log_r) / less, half / 2)
    peak = np.where(node == 0, first, less * cut / below)
    even = r**2 * (peak - 2 * cut * sine / below) - sign * last / 2
    return [even, r * np.maximum(np.cos(t), 0) * peak]
