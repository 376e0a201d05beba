"""R-space points: those of full order by projection, those of order 1 inside a box."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, prod

from algeval.logic.counting_inputs import Rows
from algeval.logic.counting_tables import Key, refuse
from algeval.logic.order1 import compositions, count_between

__all__ = ["count_in_box", "project_cells"]

MOST_POINTS = 1_000_000


def project_cells(rows: Rows, key: Key | None) -> set[tuple[Key, tuple[Key, ...]]]:
    """Return every (q, correct counts) that some answer key laid on the decision tuples gives."""
    labels, judges = rows.labels, rows.exam.n_judges
    done, needed, tables = 0, 0, 1
    for n in rows.counts:
        done += n
        tables *= comb(n + labels - 1, labels - 1)
        box = prod(min(c, done) + 1 for row in rows.exam.counts for c in row[:labels])
        needed += min(tables, comb(done + labels - 1, labels - 1) * box)
    refuse(needed, "projecting every table", "pass key_counts= or order=1", most=MOST_POINTS)
    width = labels * (judges + 1)
    states = {(0,) * width}
    for pattern, n in zip(rows.patterns, rows.counts, strict=True):
        moves = [
            (*split, *(split[t] if answer == t else 0 for answer in pattern for t in range(labels)))
            for split in compositions((0,) * labels, (n,) * labels, n)
        ]
        states = {
            state
            for old in states
            for move in moves
            if _within(state := tuple(map(int.__add__, old, move)), key)
        }
    return {
        (s[:labels], tuple(s[labels * (i + 1) : labels * (i + 2)] for i in range(judges)))
        for s in states
    }


def _within(state: Key, key: Key | None) -> bool:
    return key is None or all(a <= b for a, b in zip(state, key, strict=False))


def count_in_box(given: Key, key: Key, low: Sequence[int], high: Sequence[int]) -> int:
    """Count the attained correct counts d of one judge with low <= d <= high.

    As in `lattice`, a d is not attained exactly when for one label t, and then for no other,
    sum of the other d minus d[t] exceeds Q - R[t] - q[t].
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
