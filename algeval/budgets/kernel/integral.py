"""Ties and losses of many items, by a trapezoid over the characteristic function of a tilted walk.

With a and b the chances of +1 and -1 and c the rest, S the sum of n of them and a >= b, tilting gives
P(S = -k) = rho^n r^k Q(k), rho = c + 2 sqrt(ab), r = sqrt(b/a), where Q is the law of a symmetric walk that
steps with chance d = sqrt(ab)/rho either way and stays with chance C = c/rho. Q decays like a bell, so 2H
nodes give it to e^-T, and of these some 25 count, whatever n is. Where the walk seldom stays, the nodes
mirrored at t = pi/2 count too. A node is then taken with its mirror: the sum and the difference of the two
are known to the last digits even where they nearly cancel.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.data.score_checks import Floats

__all__ = ["tie_and_loss"]

T = 37.0
"""Nats: what the walk may do beyond H has a chance of at most 4 e^-T (Bernstein's inequality)."""


class _Walk(NamedTuple):
    """What the nodes are made of: d, C, 1 - r^2, log r, n and H."""

    step: Floats
    stay: Floats
    less: Floats
    log_r: Floats
    n: Floats
    half: Floats


def tie_and_loss(step: Floats, stay: Floats, less: Floats, log_r: Floats, n: Floats) -> Floats:
    """Return Q(0) and the sum of r^k Q(k) over k >= 1, as the rows of an array.

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
    angle = 2 * np.arcsin(np.sqrt(np.minimum(T / (4 * n * step), 0.5)))
    near = _mirror_counts(step, stay, n, np.cos(angle))
    nodes = np.minimum(np.ceil(half * angle / np.pi), half // 2) + 1
    found = np.empty((2, n.size))
    for chosen, way in ((near, _mirrored), (~near, _plain)):
        if chosen.any():
            walk = _Walk(*(part[chosen] for part in (step, stay, less, log_r, n, half)))
            found[:, chosen] = way(walk, int(nodes[chosen].max()))
    return found


def _half_period(step: Floats, n: Floats) -> Floats:
    """Return H, even; from n on the trapezoid is exact."""
    spread = 2 * step * n
    reach = np.ceil(T / 3 + np.sqrt((T / 3) ** 2 + 2 * T * spread))
    half: Floats = np.minimum(reach, n)
    return half + half % 2


def _mirror_counts(step: Floats, stay: Floats, n: Floats, last: Floats) -> NDArray[np.bool_]:
    """Whether phi(pi - t)^n is above e^-T phi(t)^n at some node that counts; last: cos t at the last one.

    The ratio is largest at the first or the last node.
    """
    counts = np.zeros(n.shape, dtype=bool)
    for cosine in (1.0, last):
        swing = 2 * step * cosine
        counts |= 2 * n * np.minimum(stay, swing) < T * (stay + swing)
    return counts


def _plain(walk: _Walk, nodes: int) -> list[Floats]:
    """Return both sums without the mirrored nodes; a row a node, as rows are added up fast."""
    step, log_r, n, half = walk.step, walk.log_r, walk.n, walk.half
    r, below, last = np.exp(log_r), -np.expm1(log_r), np.exp(half * log_r)
    sine = _sines(np.pi / 2 / half, nodes)
    sine *= sine
    here = _powers(sine * (-4 * step), n)
    bent = 4 * sine
    bent += below**2 / r
    sine *= -2
    sine += below
    np.divide(sine, bent, out=bent)
    bent *= here
    with np.errstate(divide="ignore", invalid="ignore"):
        first = np.where(log_r < 0, -np.expm1(half * log_r) / below, half)
    odd, even = ((here[k::2].sum(axis=0), bent[k::2].sum(axis=0)) for k in (0, 1))
    loss = (r * first - last / 2) / 2 + (odd[1] + even[1]) + last * (odd[1] - even[1])
    return [(0.5 + odd[0] + even[0]) / half, (loss + last * (odd[0] - even[0]) / 2) / half]


def _sines(angle: Floats, nodes: int) -> Floats:
    """Return sin(k angle), a row for each k from 1 to below nodes; none may exceed pi/4.

    The rows known are turned by the last of them, so that they double: a fourth of the work of a sine each.
    Row k is off by at most k roundings, and rows of large k weigh little.
    """
    sine, cosine = np.empty((2, nodes - 1, angle.size))
    sine[0], cosine[0] = np.sin(angle), np.cos(angle)
    known = 1
    while known < nodes - 1:
        more = min(known, nodes - 1 - known)
        s, c = sine[known - 1], cosine[known - 1]
        np.multiply(sine[:more], c, out=sine[known : known + more])
        sine[known : known + more] += cosine[:more] * s
        np.multiply(cosine[:more], c, out=cosine[known : known + more])
        cosine[known : known + more] -= sine[:more] * s
        known += more
    return sine


def _powers(less: Floats, n: Floats) -> Floats:
    """Turn less, phi - 1, into phi^n in its own place, as new places cost as much as the work."""
    np.maximum(less, -1, out=less)
    with np.errstate(divide="ignore"):
        np.log1p(less, out=less)
    less *= n
    return np.exp(less, out=less)


def _mirrored(walk: _Walk, nodes: int) -> list[Floats]:
    """Return both sums over pairs of mirrored nodes."""
    step, stay, less, log_r, n, half = (part[:, None] for part in walk)
    node = np.arange(nodes, dtype=float)
    t = np.minimum(np.pi * node / half, np.pi / 2)
    both, apart = _with_mirror(step, stay, n, t)
    weight = _weights(node, half)
    even, odd = _loss_kernel(less, log_r, half, node, t)
    tie = (weight * both).sum(axis=1)
    return [tie, (weight * (both * even + apart * odd)).sum(axis=1)]


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
