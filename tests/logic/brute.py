"""Brute force for small exams: every answer key, every table, no cleverness."""

from fractions import Fraction
from functools import cache
from itertools import product


def keys(n_items, n_labels):
    """Every answer-key count, by listing all vectors."""
    return [q for q in product(range(n_items + 1), repeat=n_labels) if sum(q) == n_items]


@cache
def columns(total, width):
    """Every way to write `total` as an ordered sum of `width` whole numbers."""
    if width == 1:
        return [(total,)]
    return [(k, *rest) for k in range(total + 1) for rest in columns(total - k, width - 1)]


@cache
def outcomes(counts, n_labels, key, missing, rule):
    """Every (correct, held) a judge may have at this key: rows of its table are split over labels."""
    states = {(tuple(key), (), ())}
    for a, n in enumerate([*counts, missing]):
        states = {
            (
                tuple(q - c for q, c in zip(left, row, strict=True)),
                (*correct, row[a]) if a < n_labels else correct,
                row,
            )
            for left, correct, _ in states
            for row in columns(n, n_labels)
            if all(c <= q for q, c in zip(left, row, strict=True))
        }
    unanswered = rule == "excluded"
    return {
        (correct, tuple(q - s * unanswered for q, s in zip(key, last, strict=True)))
        for left, correct, last in states
        if not any(left)
    }


def judges(summary):
    """Each judge's counts and how many items it left out."""
    return list(zip(map(tuple, summary.counts.tolist()), summary.missing.tolist(), strict=True))


def possible(summary, rule, meets, keys_allowed=None):
    """Whether at some key every judge has an outcome that meets(correct, held)."""
    labels = summary.n_labels
    allowed = keys(summary.n_items, labels) if keys_allowed is None else keys_allowed
    return any(
        all(
            any(meets(*o) for o in outcomes(row, labels, key, left, rule))
            for row, left in judges(summary)
        )
        for key in allowed
    )


def worst(correct, held):
    """The smallest accuracy; a label the judge is not held to says nothing (1)."""
    return min(
        [Fraction(c, d) for c, d in zip(correct, held, strict=True) if d], default=Fraction(1)
    )


def best_worst(summary, rule, low=0):
    """{key: per judge the highest smallest accuracy}, by enumeration."""
    labels = summary.n_labels
    result = {}
    for key in keys(summary.n_items, labels):
        if min(key) < low:
            continue
        result[key] = [
            max(worst(c, d) for c, d in outcomes(row, labels, key, left, rule))
            for row, left in judges(summary)
        ]
    return result
