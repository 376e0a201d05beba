"""Order 1 in closed form: complete votes, or at most three labels.

With every judge held to every item, q[t] can be at most k[t] = min over judges of
floor(R[i,t] / x), and every q below these caps is attained: being right as often as possible
(min of R[i,t] and q[t]) is possible for all judges and labels at once. So every judge can reach x
exactly when the caps add up to Q, and the highest such x is what Jefferson's rule for apportioning
seats calls the divisor: the Q-th largest of the quotients m[t] / k, m[t] = min over judges of R[i,t].
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb

from algeval.logic.demand import System
from algeval.logic.policy import TERMS_A_SECOND
from algeval.logic.proof.clock import Clock

__all__ = [
    "compositions",
    "count_between",
    "count_in_time",
    "fill",
    "has_box",
    "highest_level",
    "interval",
    "key_box",
]


def highest_level(most: Sequence[int], n_items: int, high: Sequence[int]) -> Fraction:
    """Return the highest x <= 1 with sum over t of min(high[t], floor(most[t] / x)) >= n_items.

    A label that reaches its bound `high` at some level stays there at every lower one, so it is
    given its items and the rest is apportioned again. 0 if no x > 0 will do.
    """
    free = [(m, h) for m, h in zip(most, high, strict=True) if m > 0]
    if n_items <= 0:
        return Fraction(1)
    while free:
        x = _jefferson([m for m, _ in free], n_items)
        if sum(min(h, m // x) for m, h in free) >= n_items:
            return x
        n_items -= sum(h for m, h in free if m // x >= h)
        free = [(m, h) for m, h in free if m // x < h]
    return Fraction(0)


def _jefferson(most: list[int], n_items: int) -> Fraction:
    """Return the n_items-th largest of the quotients m / k, at most 1."""
    x = min(Fraction(1), Fraction(sum(most), n_items))
    seats = [m // x for m in most]
    while sum(seats) < n_items:
        x = max(Fraction(m, k + 1) for m, k in zip(most, seats, strict=True))
        seats = [m // x for m in most]
    return x


def has_box(system: System) -> bool:
    """Say whether the admitted answer keys are all those within bounds, label by label.

    So it is with complete votes. With at most three labels every row on a set of labels is a bound
    on one label: the others add up to the rest.
    """
    return system.complete or system.n_labels <= 3


def key_box(system: System) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Return bounds low <= q <= high such that every q in them that sums to Q is admitted.

    Only where `has_box`; None if there is no such q.
    """
    total = system.n_items
    rooms = [e + sum(caps) - total for e, caps in zip(system.excused, system.caps, strict=True)]
    if any(room < 0 for room in rooms):
        return None
    low, high = list(system.low), list(system.high)
    for e, caps, room in zip(system.excused, system.caps, rooms, strict=True):
        for t, cap in enumerate(caps):
            high[t] = min(high[t], e + cap)
            low[t] = max(low[t], cap - room)
    possible = all(a <= b for a, b in zip(low, high, strict=True))
    if not possible or not sum(low) <= total <= sum(high):
        return None
    return tuple(low), tuple(high)


def interval(system: System, judge: int) -> tuple[int, int] | None:
    """Return the counts of the first of two labels that let one judge meet its levels."""
    n_items, slack = system.n_items, system.excused[judge]
    first, second = system.caps[judge]
    if first + second < n_items - slack:
        return None
    low = max(system.low[0], n_items - system.high[1], n_items - slack - second)
    high = min(system.high[0], n_items - system.low[1], first + slack)
    return (low, high) if low <= high else None


def fill(low: Sequence[int], high: Sequence[int], total: int) -> tuple[int, ...]:
    """Return the lexicographically largest q with low <= q <= high that sums to total."""
    left = total - sum(low)
    result = []
    for a, b in zip(low, high, strict=True):
        more = min(left, b - a)
        result.append(a + more)
        left -= more
    return tuple(result)


def compositions(low: Sequence[int], high: Sequence[int], total: int) -> Iterator[tuple[int, ...]]:
    """Yield every q with low <= q <= high that sums to total, lexicographically descending."""
    if len(low) == 1:
        if low[0] <= total <= high[0]:
            yield (total,)
        return
    least, most = sum(low[1:]), sum(high[1:])
    for first in range(min(high[0], total - least), max(low[0], total - most) - 1, -1):
        for rest in compositions(low[1:], high[1:], total - first):
            yield (first, *rest)


def count_between(low: Sequence[int], high: Sequence[int], total: int) -> int:
    """Count the q with low <= q <= high that sum to total."""
    count = count_in_time(low, high, total, Clock(None))
    assert count is not None  # a clock without a limit stops nothing
    return count


def count_in_time(low: Sequence[int], high: Sequence[int], total: int, clock: Clock) -> int | None:
    """Count the q with low <= q <= high that sum to total, by inclusion and exclusion; or None.

    The sets of labels over their range are grouped by how many items they take: their signed
    counts are the coefficients of the product of (1 - x^(width + 1)). Labels whose range cannot
    bind are left out, so the cost is at most (labels that bind) times (items to place).
    """
    room = total - sum(low)
    widths = [b - a for a, b in zip(low, high, strict=True)]
    if room < 0 or min(widths) < 0:
        return 0
    signed = {0: 1}
    for step in (w + 1 for w in widths if w < room):
        if not clock.allows(len(signed) / TERMS_A_SECOND):
            return None
        for taken, count in sorted(signed.items(), reverse=True):
            if taken + step <= room:
                signed[taken + step] = signed.get(taken + step, 0) - count
    others = len(widths) - 1
    if not clock.allows(len(signed) * others / TERMS_A_SECOND):
        return None
    return sum(n * comb(room - taken + others, others) for taken, n in signed.items() if n)
