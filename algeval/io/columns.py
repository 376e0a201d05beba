"""One column of a table as its distinct values and, per row, which of them it holds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count as counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.errors import DataError

__all__ = ["Column", "Places", "factorise", "first_seen", "plain", "unmasked"]

Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Column:
    """Distinct values of a column and, per row, the place of its value (-1: no value)."""

    name: str
    values: tuple[object, ...]
    codes: Places

    def look_up(self, meanings: Sequence[int]) -> Places:
        """Return per row the number that stands for its value; -1 where the row has none."""
        return np.array([*meanings, -1], np.int64)[self.codes]

    def texts(self) -> list[str | None]:
        """Return per row the value as text, None where there is none."""
        names: list[str | None] = [plain(value) for value in self.values]
        names.append(None)
        return list(map(names.__getitem__, self.codes.tolist()))


def plain(value: object) -> str | None:
    """Return a cell as text, None when it is blank; whole floats read as whole numbers.

    Examples
    --------
    >>> plain(8.0), plain(" a "), plain(float("nan"))
    ('8', 'a', None)
    """
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, float):
        if value != value:
            return None
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    return str(value).strip() or None


def factorise(name: str, values: Sequence[object] | NDArray[Any]) -> Column:
    """Return the column of these cells; numeric arrays are sorted, the rest hashed."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuf":
        return _factorise_numbers(name, values)
    listed = values.tolist() if isinstance(values, np.ndarray) else list(values)
    kinds = set(map(type, listed))
    if bool in kinds and len(kinds) > 1:  # True == 1 would make one value of two
        listed = [plain(value) for value in listed]
    index: defaultdict[object, int] = defaultdict(counter().__next__)
    try:
        codes = np.fromiter(map(index.__getitem__, listed), np.int64, len(listed))
    except TypeError:
        raise DataError(
            f"column {name!r} must hold one plain value per cell; got lists or objects; "
            "flatten it or leave it out with judges="
        ) from None
    if None in index:
        codes[codes == index[None]] = -1
    return Column(name, tuple(index), codes)


def _factorise_numbers(name: str, values: NDArray[Any]) -> Column:
    distinct, codes = np.unique(values, return_inverse=True)
    codes = codes.astype(np.int64)
    if values.dtype.kind == "f":
        codes[np.isnan(values)] = -1
        distinct = distinct[~np.isnan(distinct)]
        if distinct.dtype.itemsize < 8:  # 0.1 in 32 bits is the answer "0.1"
            return Column(name, tuple(float(str(value)) for value in distinct), codes)
    return Column(name, tuple(distinct.tolist()), codes)


def unmasked(cells: NDArray[Any]) -> NDArray[Any]:
    """Return an array as DuckDB fetched it with None where it is null."""
    if not isinstance(cells, np.ma.MaskedArray):
        return cells
    if not cells.mask.any():
        return np.asarray(cells.data)
    filled = cells.data.astype(object)
    filled[cells.mask] = None
    return filled


def first_seen(codes: Places) -> tuple[Places, Places]:
    """Return the distinct codes in order of first appearance, and each row's place among them."""
    first = np.full(int(codes.max(initial=-1)) + 1, len(codes), np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # the earliest row is written last
    order = np.argsort(first, kind="stable")[: int((first < len(codes)).sum())]
    rank = np.empty(len(first), np.int64)
    rank[order] = np.arange(len(order))
    return order, rank[codes]
