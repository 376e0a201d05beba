"""Distinct decision tuples of few votes each: the judges who answered, not those who did not."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from algeval.data.counts import group_rows
from algeval.data.names import NOT_ANSWERED, Codes
from algeval.io.columns import Places
from algeval.io.counting.room import check_room, most_tuples

__all__ = ["Cells", "Tuples"]

Cells = NDArray[np.int32] | NDArray[np.int16]
"""A judge's place and its answer's code in one number: place x n_answers + code."""

_AT_A_TIME = 1_000_000


class Tuples:
    """How many items have which votes, added up part by part.

    Examples
    --------
    >>> tuples = Tuples(n_judges=3, n_answers=2)
    >>> cells = np.array([0, 5, 0, 5, 2], np.int32)
    >>> tuples.add(cells, np.array([2, 2, 1, 0]), share=1.0)
    >>> [part.tolist() for part in tuples.dense()]
    [[[-1, -1, -1], [-1, 0, -1], [0, -1, 1]], [1, 1, 2]]
    """

    def __init__(self, n_judges: int, n_answers: int) -> None:
        self._n_judges, self._n_answers = n_judges, n_answers
        self._parts: dict[int, list[tuple[Cells, Places]]] = {}
        self._kept = 0
        self._kind = np.int16 if n_judges * n_answers <= np.iinfo(np.int16).max else np.int32

    def add(self, cells: Cells, lengths: Places, share: float) -> None:
        """Add items, of each how many of the cells are its votes; cells of an item are in order.

        Raises
        ------
        DataError
            If the distinct tuples are too many; `share` of all items are counted then.
        """
        starts = np.cumsum(lengths) - lengths
        for length in np.unique(lengths).tolist():
            first = starts[lengths == length]
            rows = cells[first[:, None] + np.arange(length)]
            parts = self._parts.setdefault(length, [])
            parts.append(self._grouped(rows.astype(self._kind), np.ones(len(rows), np.int64)))
        if sum(map(len, self._counts())) > max(2 * self._kept, most_tuples(self._n_judges) // 4):
            self._merge(share)

    def _counts(self) -> list[Places]:
        return [counts for parts in self._parts.values() for _, counts in parts]

    def _merge(self, share: float = 1.0) -> None:
        """Make one part of those whose tuples are equally long."""
        for parts in self._parts.values():
            rows, counts = map(np.concatenate, zip(*parts, strict=True))
            parts.clear()
            parts.append(self._grouped(rows, counts))
        self._kept = sum(map(len, self._counts()))
        check_room(self._kept, self._n_judges, share)

    def _grouped(self, rows: Cells, counts: Places) -> tuple[Cells, Places]:
        if not rows.shape[1]:
            return rows[:1], counts.sum(keepdims=True)
        distinct, which = group_rows(rows, self._n_judges * self._n_answers)
        totals = np.zeros(len(distinct), np.int64)
        np.add.at(totals, which, counts)
        return distinct, totals

    def dense(self) -> tuple[Codes, Places]:
        """Return (tuples, judges) codes, -1 where a judge did not answer, and how many items have each.

        Tuples may occur again. What was added is gone.
        """
        n_tuples = sum(map(len, self._counts()))
        if n_tuples > most_tuples(self._n_judges):
            self._merge()
            n_tuples = self._kept
        codes = np.full((n_tuples, self._n_judges), NOT_ANSWERED, np.int16)
        counts, row = np.empty(n_tuples, np.int64), 0
        for length in sorted(self._parts):
            for cells, n in self._parts.pop(length):
                self._write(cells, codes[row : row + len(n)])
                counts[row : row + len(n)] = n
                row += len(n)
        return codes, counts

    def _write(self, cells: Cells, codes: Codes) -> None:
        step = max(1, _AT_A_TIME // max(1, cells.shape[1]))
        for start in range(0, len(cells), step):
            some = cells[start : start + step]
            rows = np.arange(start, start + len(some))[:, None]
            codes[rows, some // self._n_answers] = some % self._n_answers
