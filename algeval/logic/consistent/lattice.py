"""Count and list the evaluations of order 1 that are consistent with the counts.

At answer-key counts q the correct counts d of one judge are attained exactly when
0 <= d[t] <= c[t] = min(R[t], q[t]) and (R[t] - d[t]) + (q[t] - d[t]) <= Q - sum(d) for every t: a
table with these margins and an empty diagonal needs only that no row and its own column exceed the
rest. Two labels can never both break this, so the points that break it are counted label by label.
The equality that is often written for two labels is wrong where a judge may abstain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import comb, prod

from algeval.logic.orders.closed_form import count_between

__all__ = ["attained", "correct_counts", "count_correct", "count_keys", "count_points"]


def count_keys(n_items: int, n_labels: int) -> int:
    """Count the points of the Q-complex: how many answer-key counts there are.

    Examples
    --------
    >>> count_keys(25, 3)
    351
    """
    return comb(n_items + n_labels - 1, n_labels - 1)


def attained(given: Sequence[int], key: Sequence[int], correct: Sequence[int]) -> bool:
    """Say whether a judge with these answer counts can have these correct counts.

    given, key, correct : (R,) ints; answers that are not labels are whatever `given` leaves over.
    """
    rest = sum(key) - sum(correct)
    return all(
        0 <= d <= min(r, q) and r + q - 2 * d <= rest
        for r, q, d in zip(given, key, correct, strict=True)
    )


def correct_counts(given: Sequence[int], key: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the attained correct counts of one judge, lexicographically descending."""
    ranges = [range(min(r, q), -1, -1) for r, q in zip(given, key, strict=True)]
    return (d for d in product(*ranges) if attained(given, key, d))


def count_correct(given: Sequence[int], key: Sequence[int]) -> int:
    """Count the attained correct counts of one judge without listing them."""
    caps = [min(r, q) for r, q in zip(given, key, strict=True)]
    return count_in_box(given, key, (0,) * len(caps), caps)


def count_in_box(
    given: Sequence[int], key: Sequence[int], low: Sequence[int], high: Sequence[int]
) -> int:
    """Count the attained correct counts d of one judge with low <= d <= high.

    A d is not attained exactly when for one label t, and then for no other, the sum of the other d
    minus d[t] exceeds Q - R[t] - q[t]. With e[t] = d[t] - low[t] and e[s] = high[s] - d[s] elsewhere
    this reads sum(e) <= room.
    """
    widths = [top - bottom for bottom, top in zip(low, high, strict=True)]
    if min(widths) < 0:
        return 0
    total = prod(width + 1 for width in widths)
    for t in range(len(key)):
        room = sum(high) - high[t] - low[t] - (sum(key) - given[t] - key[t]) - 1
        if room >= 0:
            total -= count_between((0,) * (len(key) + 1), (*widths, room), room)
    return total


def count_points(counts: Sequence[Sequence[int]], key: Sequence[int]) -> int:
    """Count the consistent evaluations of several judges at one answer key: they are free of each other.

    counts : (N, >= R) ints.
    """
    labels = len(key)
    return prod(count_correct(given[:labels], key) for given in counts)
