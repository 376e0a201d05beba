"""Distinct rows that came back from an engine: not too many, and in an order that no engine decides."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from algeval.errors import DataError
from algeval.io.columns import Column, Places, plain
from algeval.io.counting.grouped import Grouped
from algeval.io.engines.frame import MOST_ROWS, Frame

__all__ = ["in_order", "too_many_rows"]


def too_many_rows(frame: Frame, what: str, advice: str) -> DataError:
    """Return the complaint that more would come back than is brought into memory."""
    return DataError(
        f"the {frame.kind} must have at most {MOST_ROWS} different {what} to be counted; got more; {advice}"
    )


def in_order(table: Grouped) -> Grouped:
    """Return the same rows, sorted by the texts of their cells, the first column before the second.

    Examples
    --------
    >>> column = Column("j", ("b", "a"), np.array([0, 1, -1]))
    >>> in_order(Grouped({"j": column}, np.array([5, 7, 9]))).weights.tolist()
    [9, 7, 5]
    """
    columns = [_ranked(table.column(name)) for name in table.names]
    order = np.lexsort([column.codes for column in reversed(columns)])
    ordered = {c.name: replace(c, codes=c.codes[order]) for c in columns}
    return Grouped(ordered, table.weights[order], table.notes)


def _ranked(column: Column) -> Column:
    """Return a column whose values are in alphabetical order."""
    texts = [plain(value) or "" for value in column.values]
    order = sorted(range(len(texts)), key=texts.__getitem__)
    rank: Places = np.full(len(texts) + 1, -1, np.int64)
    rank[order] = np.arange(len(order))
    return Column(column.name, tuple(column.values[place] for place in order), rank[column.codes])
