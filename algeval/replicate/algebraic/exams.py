"""Exams that several claims rest on: Table 1, exact exams of independent judges, one that misleads."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from algeval.algebra import decode
from algeval.algebra.trios import Decoding
from algeval.data import Evaluation, KeyedSketch, Sketch, Votes
from algeval.io import example
from algeval.models.independent import exact_exam, sample

__all__ = [
    "LABELS",
    "RATES",
    "TUPLES",
    "correlated_yet_rational",
    "decoded",
    "drawn_exam",
    "evaluation_of",
    "independent_exam",
    "table_1",
]

LABELS, JUDGES = ("A", "B"), ("i", "j", "k", "l")

TUPLES = ("AAA", "AAB", "ABA", "BAA", "BBA", "BAB", "ABB", "BBB")
"""Decision tuples in the order of Table 1."""

Rates = Sequence[tuple[Fraction, Fraction]]

RATES: Rates = (
    (Fraction(3, 4), Fraction(2, 3)),
    (Fraction(1, 2), Fraction(3, 4)),
    (Fraction(2, 3), Fraction(5, 6)),
)
"""Accuracies of three judges on labels A and B, where a claim needs some."""


def table_1() -> KeyedSketch:
    """Return the counts of Table 1 by true label, with judges i, j, k."""
    found = example("acs")
    assert isinstance(found, KeyedSketch)
    s = found.sketch
    return KeyedSketch(Sketch(JUDGES[:3], LABELS, LABELS, s.codes, s.counts), found.keyed)


def evaluation_of(share: Fraction, rates: Rates) -> Evaluation:
    """Return the evaluation of judges with given accuracies on labels A and B."""
    confusion = np.array([[[a, 1 - a], [1 - b, b]] for a, b in rates])
    prevalence = np.array([share, 1 - share])
    return Evaluation(JUDGES[: len(rates)], LABELS, LABELS, prevalence, confusion)


def independent_exam(share: Fraction, rates: Rates) -> KeyedSketch:
    """Return the smallest exam on which judges of these accuracies err exactly independently."""
    return exact_exam(evaluation_of(share, rates))


def drawn_exam() -> Votes:
    """Draw sixty items with their key."""
    return sample(evaluation_of(Fraction(1, 3), RATES), 60, seed=1)


def correlated_yet_rational() -> KeyedSketch:
    """Return 4,096 items whose judges err dependently, though decoding gives fractions in [0, 1]."""
    on_a = (459, 153, 117, 117, 75, 39, 39, 25)
    on_b = (75, 225, 117, 117, 459, 351, 351, 1377)
    cells: dict[object, dict[str, int]] = {
        label: dict(zip(TUPLES, counts, strict=True))
        for label, counts in zip(LABELS, (on_a, on_b), strict=True)
    }
    return KeyedSketch.from_counts(cells, judges=JUDGES[:3])


def decoded(exam: KeyedSketch) -> Decoding:
    """Decode three judges, the key unread."""
    found = decode(exam.sketch)
    assert isinstance(found, Decoding)
    return found
