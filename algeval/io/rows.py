"""Rows without names: a 2-d array or a list of lists, whose columns are the judges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.errors import DataError
from algeval.io.columns import unmasked

__all__ = ["columns_of_array", "columns_of_rows", "is_rows"]


def is_rows(source: Sequence[Any]) -> bool:
    """Whether a sequence holds rows of cells: lists, tuples or arrays."""
    return len(source) > 0 and isinstance(source[0], list | tuple | np.ndarray)


def columns_of_array(array: NDArray[Any]) -> dict[str, Any]:
    """Return the columns of a (n_items, n_judges) array under the names "judge 1", "judge 2", ...

    Examples
    --------
    >>> sorted(columns_of_array(np.array([["a", "b"], ["b", "b"]])))
    ['judge 1', 'judge 2']
    """
    if array.ndim != 2 or not array.size:
        raise DataError(
            f"an array of votes must have a row per item and a column per judge; got shape {array.shape}; "
            "reshape it"
        )
    cells = unmasked(array)
    return {f"judge {place}": column for place, column in enumerate(cells.T, start=1)}


def columns_of_rows(rows: Sequence[Any]) -> dict[str, Any]:
    """Return the columns of rows with one answer per judge; None or NaN where there is none.

    Raises
    ------
    DataError
        If a row is no list, or rows differ in length. Tuples are refused: they may well be triples
        of item, judge and answer.
    """
    wrong = next((row for row in rows if not isinstance(row, list | np.ndarray)), None)
    if wrong is not None:
        raise DataError(
            f"rows of votes must be lists with one answer per judge, or mappings; got {wrong!r}; use "
            "Votes.from_records for (item, judge, answer)"
        )
    lengths = sorted({len(row) for row in rows})
    if len(lengths) > 1 or not lengths[0]:
        raise DataError(
            f"rows of votes must have one cell per judge; got lengths {lengths}; write None where a judge "
            "did not answer"
        )
    columns = zip(*rows, strict=True)
    return {f"judge {place}": list(column) for place, column in enumerate(columns, start=1)}
