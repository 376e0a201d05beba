"""Brute force for small exams: every answer key, every table, no cleverness."""

from fractions import Fraction
from itertools import product


def keys(n_items, n_labels):
    """Every answer-key count, by listing all vectors."""
    return [q for q in product(range(n_items + 1), repeat=n_labels) if sum(q) == n_items]


def columns(total, width):
    """Every way to write `total` as an ordered sum of `width` whole numbers."""
    if width == 1:
        return [(total,)]
    return [(k, *rest) for k in range(total + 1) for rest in columns(total - k, width - 1)]


def outcomes(counts, n_labels, key, missing, rule):
    """Every (correct, held) a judge may have at this key: rows of its table are split over labels."""
    found = set()
    rows = [*counts, missing]
    for table in product(*(columns(n, n_labels) for n in rows)):
        if tuple(map(sum, zip(*table, strict=True))) != tuple(key):
            continue
        correct = tuple(table[t][t] for t in range(n_labels))
        left = table[-1] if rule == "excluded" else (0,) * n_labels
        held = tuple(q - s for q, s in zip(key, left, strict=True))
        found.add((correct, held))
    return found


def worst(correct, held):
    """The smallest accuracy; a label the judge is not held to says nothing (1)."""
    return min([Fraction(c, d) for c, d in zip(correct, held, strict=True) if d], default=Fraction(1))


def best_worst(summary, rule, low=0):
    """{key: per judge the highest smallest accuracy}, by enumeration."""
    labels = summary.n_labels
    result = {}
    for key in keys(summary.n_items, labels):
        if min(key) < low:
            continue
        result[key] = [
            max(worst(c, d) for c, d in outcomes(row, labels, key, left, rule))
            for row, left in zip(summary.counts.tolist(), summary.missing.tolist(), strict=True)
        ]
    return result
