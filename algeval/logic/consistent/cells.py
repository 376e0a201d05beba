"""What is counted, listed and drawn: the rows of each order, and the members of the consistent set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from algeval.data import KeyedSketch, Sketch
from algeval.data.reading import Data, as_sketch
from algeval.logic.consistent.tables import Key, Table
from algeval.logic.demand import check_key_counts
from algeval.logic.exam import Exam, read_exam, resolve_order
from algeval.logic.orders.closed_form import compositions

__all__ = ["Cells", "PairTable", "Rows", "Tables", "read_rows"]

PairTable = tuple[Table, ...]
"""table[a][b][t]: items of true label t that one judge answered a and the other b."""


class Tables(NamedTuple):
    """An evaluation of order 1 or 2: per judge, how often each answer was given per true label.

    Attributes
    ----------
    key_counts : (R,) ints
        How many items have each label.
    tables : (N, A, R) nested tuples of ints
        ``tables[i][a][t]``: items of true label t that judge i answered with a; where any judge left
        items out, one more row holds those.
    pairs : tuple
        Order 2 only: for each pair i < j of judges (i, j, table) with ``table[a][b][t]``.
    """

    key_counts: tuple[int, ...]
    tables: tuple[Table, ...]
    pairs: tuple[tuple[int, int, PairTable], ...] = ()

    @property
    def correct(self) -> tuple[tuple[int, ...], ...]:
        """Per judge and label, how many items of the label it answered correctly."""
        labels = range(len(self.key_counts))
        return tuple(tuple(table[t][t] for t in labels) for table in self.tables)


class Cells(NamedTuple):
    """An evaluation of full order: how often each decision tuple was given per true label.

    Attributes
    ----------
    key_counts : (R,) ints
        How many items have each label.
    cells : (U, R) nested tuples of ints
        ``cells[u][t]``: items with decision tuple u and true label t, tuples as in the sketch.
    """

    key_counts: tuple[int, ...]
    cells: Table

    def keyed(self, sketch: Sketch) -> KeyedSketch:
        """Return the exam with this answer key."""
        return KeyedSketch(sketch, np.array(self.cells, np.int64).reshape(len(sketch), -1))


@dataclass(frozen=True, slots=True)
class Rows:
    """Row sums at one order.

    Attributes
    ----------
    order : 1, 2 or "full"
        Resolved: the number of judges is "full".
    judges : N tuples of ints
        R[i,a]; the last entry counts items left out, where any judge left any.
    patterns : U tuples of N ints
        Decision tuples; an item left out is the last answer. Empty at order 1.
    counts : U ints
        How often each was given.
    """

    exam: Exam
    order: int | str
    judges: tuple[tuple[int, ...], ...]
    patterns: tuple[tuple[int, ...], ...]
    counts: tuple[int, ...]

    @property
    def labels(self) -> int:
        """Number of labels, R."""
        return self.exam.n_labels

    @property
    def answers(self) -> tuple[str, ...]:
        """Names of the rows of a judge's table."""
        left = ("not answered",) if any(self.exam.missing) else ()
        return (*self.exam.answers, *left)

    def pairs(self) -> list[tuple[int, int]]:
        """Return every pair of judges, i < j."""
        return list(combinations(range(self.exam.n_judges), 2))

    def pair_counts(self, i: int, j: int) -> dict[tuple[int, int], int]:
        """Return how often judges i and j gave each pair of answers."""
        result: dict[tuple[int, int], int] = {}
        for pattern, count in zip(self.patterns, self.counts, strict=True):
            ab = pattern[i], pattern[j]
            result[ab] = result.get(ab, 0) + count
        return dict(sorted(result.items()))

    def key(self, key_counts: Sequence[int] | None) -> Key | None:
        """Return checked answer-key counts."""
        return None if key_counts is None else check_key_counts(self.exam, key_counts)

    def keys(self, key: Key | None) -> Iterator[Key]:
        """Yield the one answer key asked for, or every one, lexicographically descending."""
        if key is not None:
            return iter((key,))
        total = self.exam.n_items
        return compositions((0,) * self.labels, (total,) * self.labels, total)


def read_rows(data: Data, order: int | str | None, missing: str = "excluded") -> Rows:
    """Read the counts that one order speaks of; None asks for order 1."""
    exam = read_exam(data, missing)
    left = any(exam.missing)
    judges = tuple(
        (*row, gone) if left else row for row, gone in zip(exam.counts, exam.missing, strict=True)
    )
    chosen = resolve_order(data, 1 if order is None else order)
    if chosen == 1:
        return Rows(exam, 1, judges, (), ())
    sketch = as_sketch(data)
    last = len(exam.answers)
    patterns = tuple(
        tuple(last if code < 0 else code for code in row) for row in sketch.codes.tolist()
    )
    return Rows(exam, chosen, judges, patterns, tuple(sketch.counts.tolist()))
