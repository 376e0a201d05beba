"""The law of the sign of a sum of +1, 0 and -1, three ways."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, logsumexp, xlogy

from algeval.data.scores import Floats

# --- Ties, losses and wins where few items decide, by a recurrence whose terms are all positive.
#
# The chances Q(k) of the tilted walk of `integral` obey
# d (n - k + 1) Q(k - 1) = C k Q(k) + d (n + k + 1) Q(k + 1), so their ratios are a continued fraction,
# taken
# from far out down to Q(1)/Q(0), and every sum over k is a nested product along the way.


def sums_by_recurrence(
    step: Floats, stay: Floats, weights: list[Floats], n: Floats, start: int = 40
) -> list[Floats]:
    """Return, for each w, the sum of w^k Q(k) / Q(0) over 1 <= k <= start.

    `step, stay`: d and C; `weights`: the values of w; `n`: how many steps the walk makes; `start`: where to
    begin; 40 is plenty where n d < 1, and n is exact.
    """
    ratio = np.zeros_like(n)
    sums = [np.zeros_like(n) for _ in weights]
    for k in range(start, 0, -1):
        ratio = step * np.maximum(n - k + 1, 0) / (stay * k + step * (n + k + 1) * ratio)
        with np.errstate(over="ignore"):
            sums = [w * ratio * (1 + s) for w, s in zip(weights, sums, strict=True)]
    return sums


# --- Ties and losses of many items, by a trapezoid over the characteristic function of a tilted
# walk.
#
# With a and b the chances of +1 and -1 and c the rest, S the sum of n of them and a >= b, tilting gives
# P(S = -k) = rho^n r^k Q(k), rho = c + 2 sqrt(ab), r = sqrt(b/a), where Q is the law of a symmetric walk
# that
# steps with chance d = sqrt(ab)/rho either way and stays with chance C = c/rho. Q decays like a bell, so 2H
# nodes give it to e^-T, and of these some 25 count, whatever n is. Where the walk seldom stays, the nodes
# mirrored at t = pi/2 count too. A node is then taken with its mirror: the sum and the difference of the
# two
# are known to the last digits even where they nearly cancel.


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
    """Q(0) and the sum of r^k Q(k) over k >= 1, as the rows of an array.

    `step, stay`: d and C; n d is at least 1; `less`: 1 - r^2, exact where r is near 1; `log_r`: log r, at
    most 0; `n`: whole numbers from 3 on.
    """
    half = _half_period(step, n)
    angle = 2 * np.arcsin(np.sqrt(np.minimum(T / (4 * n * step), 0.5)))
    near = _mirror_counts(step, stay, n, np.cos(angle))
    nodes = np.minimum(np.ceil(half * angle / np.pi), half // 2) + 1
    result = np.empty((2, n.size))
    for chosen, law in ((near, _mirrored), (~near, _plain)):
        if chosen.any():
            walk = _Walk(*(part[chosen] for part in (step, stay, less, log_r, n, half)))
            result[:, chosen] = law(walk, int(nodes[chosen].max()))
    return result


def _half_period(step: Floats, n: Floats) -> Floats:
    """H, even; from n on the trapezoid is exact."""
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
    """Both sums without the mirrored nodes; a row a node, as rows are added up fast."""
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
    """Sin(k angle), a row for each k from 1 to below nodes; none may exceed pi/4.

    The rows known are turned by the last of them, so that they double: a fourth of the work of a sine each.
    Row k is off by at most k roundings, and rows of large k weigh little.
    """
    sine, cosine = np.empty((2, nodes - 1, angle.size))
    sine[0], cosine[0] = np.sin(angle), np.cos(angle)
    computed = 1
    while computed < nodes - 1:
        more = min(computed, nodes - 1 - computed)
        s, c = sine[computed - 1], cosine[computed - 1]
        np.multiply(sine[:more], c, out=sine[computed : computed + more])
        sine[computed : computed + more] += cosine[:more] * s
        np.multiply(cosine[:more], c, out=cosine[computed : computed + more])
        cosine[computed : computed + more] -= sine[:more] * s
        computed += more
    return sine


def _powers(less: Floats, n: Floats) -> Floats:
    """Turn less, phi - 1, into phi^n in its own place, as new places cost as much as the work."""
    np.maximum(less, -1, out=less)
    with np.errstate(divide="ignore"):
        np.log1p(less, out=less)
    less *= n
    return np.exp(less, out=less)


def _mirrored(walk: _Walk, nodes: int) -> list[Floats]:
    """Both sums over pairs of mirrored nodes."""
    step, stay, less, log_r, n, half = (part[:, None] for part in walk)
    node = np.arange(nodes, dtype=float)
    t = np.minimum(np.pi * node / half, np.pi / 2)
    both, apart = _with_mirror(step, stay, n, t)
    weight = _weights(node, half)
    even, odd = _loss_kernel(less, log_r, half, node, t)
    tie = (weight * both).sum(axis=1)
    return [tie, (weight * (both * even + apart * odd)).sum(axis=1)]


def _with_mirror(step: Floats, stay: Floats, n: Floats, t: Floats) -> list[Floats]:
    """Phi(t)^n + phi(pi - t)^n and phi(t)^n - phi(pi - t)^n, without cancellation."""
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
    """Weight of each pair of mirrored nodes in the mean over 2H nodes."""
    inner = np.where((node > 0) & (2 * node < half), 2.0, 1.0)
    counted: Floats = np.where(2 * node > half, 0.0, inner)
    return counted / (2 * half)


def _loss_kernel(
    less: Floats, log_r: Floats, half: Floats, node: Floats, t: Floats
) -> list[Floats]:
    """Even and the odd part of the sum of r^k cos kt over 1 <= k <= H, its last term halved."""
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


# --- Logarithms of the chances that a sum of n independent +1, 0 and -1 is positive, zero,
# negative.
#
# Each is known to 1e-14 of itself, or 2e-16 for each nat of its logarithm, however small it is: the smaller
# tail and the tie are computed, never left over from one.


AT_ONCE = 480
"""Values at a time: their nodes stay in the cache, and in memory that is not asked of the system anew."""


class LogLaw(NamedTuple):
    """Natural logarithms of the three chances, arrays of one shape."""

    win: Floats
    tie: Floats
    loss: Floats


def rest(a: Floats, b: Floats) -> Floats:
    """1 - a - b to its last digits, at least 0: what a + b rounds off is taken off again."""
    total = a + b
    rounded = np.where(a >= b, (total - a) - b, (total - b) - a)
    left: Floats = np.maximum((1 - total) + rounded, 0)
    return left


def log_rho(a: Floats, b: Floats) -> Floats:
    """Log(c + 2 sqrt(ab)), at most 0: minus the rate at which errors die out per item."""
    rho = rest(a, b) + 2 * np.sqrt(a) * np.sqrt(b)
    off = (np.abs(a - b) / (np.sqrt(a) + np.sqrt(b) + (a + b == 0))) ** 2
    with np.errstate(divide="ignore"):
        rate: Floats = np.where(rho < 0.5, np.log(rho), np.log1p(-np.minimum(off, 1)))
    return rate


def log_law(a: Floats, b: Floats, n: Floats) -> LogLaw:
    """Logarithms for arrays that broadcast: chances a of +1, b of -1, and whole numbers n."""
    up, down, many = np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in (a, b, n)))
    shape = up.shape
    up, down, many = up.ravel(), down.ravel(), many.ravel()
    flat = np.empty((3, up.size))
    for at in range(0, up.size, AT_ONCE):
        part = slice(at, at + AT_ONCE)
        flat[:, part] = _ordered(up[part], down[part], many[part])
    return LogLaw(*np.minimum(flat, 0).reshape(3, *shape))


def _ordered(a: Floats, b: Floats, n: Floats) -> Floats:
    """Three rows; the better side goes first into the kernels and comes back in its place."""
    swapped = b > a
    rows = _better_first(np.where(swapped, b, a), np.where(swapped, a, b), n)
    return np.where(swapped, rows[::-1], rows)


def _better_first(a: Floats, b: Floats, n: Floats) -> Floats:
    c, rows = rest(a, b), np.empty((3, a.size))
    with np.errstate(under="ignore"):
        crowd = n * np.sqrt(a) * np.sqrt(b) >= c + 2 * np.sqrt(a) * np.sqrt(b)
    least = b == 0
    for chosen, law in (
        (n <= 2, _two_at_most),
        ((n > 2) & least, _never_down),
        ((n > 2) & ~least & ~crowd, _few),
        ((n > 2) & ~least & crowd, _many),
    ):
        if chosen.any():
            rows[:, chosen] = law(a[chosen], b[chosen], c[chosen], n[chosen])
    return rows


def _two_at_most(a: Floats, b: Floats, c: Floats, n: Floats) -> list[Floats]:
    nothing, certain = np.zeros_like(n), np.ones_like(n)
    win, tie, loss = (
        np.choose(n.astype(int), choices)
        for choices in (
            (nothing, a, a * (a + 2 * c)),
            (certain, c, c**2 + 2 * a * b),
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
    """D, C and log r."""
    root = np.sqrt(a) * np.sqrt(b)
    rho = c + 2 * root
    apart = (a - b) / a
    near = apart < 0.5
    log_r = np.where(near, np.log1p(-np.where(near, apart, 0)), np.log(b) - np.log(a)) / 2
    return root / rho, c / rho, log_r


# --- The same law as a mixture: how many items decide is binomial, and so is how many of these are
# won.
#
# In logarithms throughout, so that nothing underflows. The logarithm of n! is about n log n, and its last
# digit is lost: the relative error is some n log n times 2e-16, so 1e-12 from n = 1,000 on.


def log_mixture(a: float, b: float, n: int) -> LogLaw:
    """Logarithms of win, tie and loss; memory grows as n squared."""
    decided = np.arange(n + 1)[:, None]
    won = np.arange(n + 1)[None, :]
    possible = won <= decided
    lost = np.where(possible, decided - won, 0)
    undecided = n - decided
    c = rest(np.asarray(a), np.asarray(b))
    log_orders = gammaln(n + 1) - gammaln(undecided + 1) - gammaln(won + 1) - gammaln(lost + 1)
    logs = log_orders + xlogy(undecided, c) + xlogy(won, a) + xlogy(lost, b)
    lead = 2 * won - decided
    with np.errstate(divide="ignore"):
        return LogLaw(
            *(
                logsumexp(np.where(possible & chosen, logs, -np.inf))
                for chosen in (lead > 0, lead == 0, lead < 0)
            )
        )


# --- The same law by raising (a z + c + b / z) to a power: exact for fractions, with certified
# balls for floats.
#
# Independent of the integral: nothing is tilted or left out.


class Law(NamedTuple):
    """The chances that a sum is positive, zero, negative."""

    win: Any
    tie: Any
    loss: Any


def exact_law(a: Fraction, b: Fraction, n: int) -> Law:
    """Law as fractions."""
    from flint import fmpz_poly

    unit = lcm(a.denominator, b.denominator)
    up, down = int(a * unit), int(b * unit)
    power = fmpz_poly([down, unit - up - down, up]) ** n
    parts = [int(power[k]) for k in range(2 * n + 1)]
    whole = unit**n
    sums = sum(parts[n + 1 :]), parts[n], sum(parts[:n])
    return Law(*(Fraction(part, whole) for part in sums))


def certified_law(a: float, b: float, n: int, digits: int = 15) -> Law:
    """Law of two floats as they stand, as balls of arb that hold the true values.

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
    """Law as floats; tails below 1e-13 are rounding noise, as all of it is summed at one scale."""
    law = lead_law(a, b, n)
    return Law(float(law[n + 1 :].sum()), float(law[n]), float(law[:n].sum()))


def lead_law(a: float, b: float, n: int) -> Floats:
    """Chances that the sum is -n, ..., n."""
    law, power, left = np.ones(1), np.array([b, 1 - a - b, a]), n
    while left:
        if left % 2:
            law = np.convolve(law, power)
        left //= 2
        if left:
            power = np.convolve(power, power)
    return law
