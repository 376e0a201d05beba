"""R-space points of full order, by projection."""

from __future__ import annotations

from collections.abc import Callable
from math import comb, prod

from algeval.logic.consistent.cells import Rows
from algeval.logic.consistent.tables import Key, refuse
from algeval.logic.orders.closed_form import compositions
from algeval.logic.policy import MOST_POINTS

__all__ = ["point_of", "project_cells", "reachable"]

ADVICE = "ask about a lower order, or use fewer items or judges"


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
    return {
        (s[:labels], tuple(s[labels * (i + 1) : labels * (i + 2)] for i in range(judges)))
        for s in reachable(rows, point_of, key)
    }


def point_of(rows: Rows, pattern: Key, split: Key) -> Key:
    """Return what the items of one decision tuple, split by true label, add to a point."""
    labels = range(rows.labels)
    return (*split, *(split[t] if answer == t else 0 for answer in pattern for t in labels))


def reachable(
    rows: Rows, feature: Callable[[Rows, Key, Key], Key], bound: Key | None = None
) -> set[Key]:
    """Return the sums of features over all ways to split every decision tuple by true label.

    Sums that exceed `bound` (which may be shorter) in any entry are left out.
    """
    zero = (0,) * rows.labels
    states: set[Key] = {(0,) * len(feature(rows, rows.patterns[0], zero))}
    for pattern, n in zip(rows.patterns, rows.counts, strict=True):
        splits = compositions(zero, (n,) * rows.labels, n)
        moves = [feature(rows, pattern, split) for split in splits]
        refuse(len(states) * len(moves), "the next of many steps", ADVICE, most=10 * MOST_POINTS)
        states = {
            state
            for old in states
            for move in moves
            if _within(state := tuple(map(int.__add__, old, move)), bound)
        }
    return states


def _within(state: Key, bound: Key | None) -> bool:
    return bound is None or all(a <= b for a, b in zip(state, bound, strict=False))
