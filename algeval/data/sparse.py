"""Tables of which most cells hold the same value, as votes of thousands of workers on few items each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from algeval.errors import TooLargeError, either_way, option

MOST_DENSE = 4 * 10**9
"""Cells of a table that is written out in full."""

MOST_LISTED = 10**8
"""Cells of a table that is written as lists, as JSON has it."""

SPARSE_FROM = 1 << 22
"""Tables of fewer cells are always written out in full."""

FEW = 8  # of so many cells one holds a vote, at most, where a table is kept as its votes

_INDICES = NDArray[np.int64]


class SparseArray(np.lib.mixins.NDArrayOperatorsMixin):
    """(rows, columns) of which most cells hold `rest`: the others row by row, columns in their order.

    It stands in for the array: comparisons, arithmetic with one number, sums over an axis, products
    with vectors and choices of rows and columns stay sparse; whatever else is done to it is done to the
    array itself, which `np.asarray` makes.

    Parameters
    ----------
    starts : (rows + 1,) int array
        Where the cells of each row begin.
    columns, values : (cells,) arrays
    rest : number
        What all other cells hold.
    """

    __slots__ = ("columns", "rest", "shape", "starts", "values")

    ndim = 2

    def __init__(
        self,
        starts: _INDICES,
        columns: NDArray[np.int32],
        values: NDArray[Any],
        shape: tuple[int, int],
        rest: Any,
    ) -> None:
        self.starts, self.columns, self.values = starts, columns, values
        self.shape, self.rest = shape, values.dtype.type(rest)
        for array in (starts, columns, values):
            array.setflags(write=False)

    # --- What it is.

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the cells."""
        return self.values.dtype

    @property
    def size(self) -> int:
        """Number of cells, written or not."""
        return self.shape[0] * self.shape[1]

    @property
    def rows(self) -> _INDICES:
        """(cells,) the row of each."""
        return np.repeat(np.arange(self.shape[0]), self.lengths)

    @property
    def lengths(self) -> _INDICES:
        """(rows,) how many cells of each row are written."""
        result: _INDICES = np.diff(self.starts)
        return result

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"SparseArray({self.shape[0]} x {self.shape[1]}, {len(self.values)} cells not {self.rest})"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        if self.size > MOST_DENSE:
            raise TooLargeError(
                f"a table of votes that is written out must have at most {MOST_DENSE:.0e} cells; got "
                f"{self.shape[0]} x {self.shape[1]}; choose fewer judges with select(judges=...)"
            )
        result = np.full(self.shape, self.rest, self.dtype)
        result[self.rows, self.columns] = self.values
        return result if dtype is None else result.astype(dtype, copy=False)

    def __getattr__(self, name: str) -> Any:
        unset = name.startswith("_") or name in SparseArray.__slots__
        if unset or not hasattr(np.ndarray, name):
            raise AttributeError(f"a table of votes has no attribute {name!r}")
        return getattr(np.asarray(self), name)

    def __iter__(self) -> Iterator[NDArray[Any]]:
        return (self[row] for row in range(len(self)))

    def __hash__(self) -> int:
        raise TypeError("unhashable type: 'SparseArray'")

    def __reduce__(self) -> tuple[Any, ...]:
        parts = self.starts, self.columns, self.values, self.shape, self.rest
        return SparseArray, parts

    def tolist(self) -> list[list[Any]]:
        """Lists of the cells of each row."""
        if self.size > MOST_LISTED:
            raise TooLargeError(
                f"votes written as JSON must have at most {MOST_LISTED:.0e} cells, missing ones too; got "
                f"{self.shape[0]} items or tuples x {self.shape[1]} judges; write labels to a table with "
                f"{either_way('to_csv or to_parquet', '-o labels.csv')}, or choose fewer judges"
            )
        lists: list[list[Any]] = np.asarray(self).tolist()
        return lists

    def setflags(self, *, write: bool) -> None:
        """Nothing: its arrays are read-only from the start."""

    # --- Arithmetic: cell by cell with a number or with what has the same cells written.

    def _like(self, values: Any, rest: Any) -> SparseArray:
        return SparseArray(self.starts, self.columns, values, self.shape, rest)

    def astype(self, dtype: Any, copy: bool = True) -> SparseArray:
        """Same cells as numbers of another type."""
        same = not copy and self.dtype == np.dtype(dtype)
        return self if same else self._like(self.values.astype(dtype), self.rest)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method == "__call__" and not options:
            if ufunc is np.matmul:
                first, second = inputs
                return (
                    first.times(second)
                    if isinstance(first, SparseArray)
                    else second.transposed_times(first)
                )
            parts = [self._operand(part) for part in inputs]
            if all(part is not None for part in parts):
                values = ufunc(*(part[0] for part in parts if part is not None))
                return self._like(values, ufunc(*(part[1] for part in parts if part is not None)))
            if ufunc is np.multiply and self.rest == 0:
                other = inputs[1] if inputs[0] is self else inputs[0]
                if getattr(other, "shape", None) == (len(self), 1):
                    return self._like(self.values * other[:, 0][self.rows], 0)
        dense = [np.asarray(part) if isinstance(part, SparseArray) else part for part in inputs]
        return getattr(ufunc, method)(*dense, **options)

    def _alike(self, other: SparseArray) -> bool:
        same = other.starts is self.starts and other.columns is self.columns
        return same or (
            other.shape == self.shape
            and np.array_equal(other.starts, self.starts)
            and np.array_equal(other.columns, self.columns)
        )

    def _operand(self, part: Any) -> tuple[Any, Any] | None:
        """Written cells and rest of a part of a sum, None of an array with other cells."""
        if isinstance(part, SparseArray):
            return (part.values, part.rest) if self._alike(part) else None
        return (part, part) if np.ndim(part) == 0 else None

    # --- Sums.

    def sum(self, axis: int | None = None, dtype: Any = None, keepdims: bool = False) -> Any:
        """Sum of all cells, of columns (axis 0) or of rows (axis 1)."""
        kind = dtype or (np.int64 if self.dtype.kind in "bi" else self.dtype)
        if axis is None:
            return (self.values.sum(dtype=kind) + (self.size - len(self.values)) * self.rest)[()]
        axis %= 2
        if axis == 0:
            sums = np.bincount(self.columns, self._weights, self.shape[1])
            lengths = np.bincount(self.columns, minlength=self.shape[1])
        else:
            sums, lengths = self._by_row(np.add, self._weights, 0.0), self.lengths
        total = (sums + (self.shape[axis] - lengths) * float(self.rest)).astype(kind)
        return np.expand_dims(total, axis) if keepdims else total

    @property
    def _weights(self) -> NDArray[np.float64]:
        weights: NDArray[np.float64] = self.values.astype(float)
        return weights

    def _by_row(self, ufunc: Any, values: Any, empty: Any) -> NDArray[Any]:
        """Reduction of the written cells of each row, `empty` where there are none."""
        result = np.full(len(self), empty, np.asarray(values).dtype)
        some = self.lengths > 0
        if some.any():
            result[some] = ufunc.reduceat(values, self.starts[:-1][some])
        return result

    def any(self, axis: int | None = None) -> Any:
        """Whether any cell is not 0."""
        return (self != 0).sum(axis) > 0

    def all(self, axis: int | None = None) -> Any:
        """Whether no cell is 0."""
        return (self == 0).sum(axis) == 0

    def max(self) -> Any:
        """Largest cell."""
        some = [self.values.max()] if len(self.values) else []
        return max([*some, self.rest] if len(self.values) < self.size else some)

    def min(self) -> Any:
        """Smallest cell."""
        some = [self.values.min()] if len(self.values) else []
        return min([*some, self.rest] if len(self.values) < self.size else some)

    def _matrix(self) -> Any:
        """Sparse matrix of what the written cells are above the rest."""
        from scipy.sparse import csr_array

        whole = self.dtype.kind in "biu"
        above = self.values.astype(np.int64 if whole else float) - self.rest
        return csr_array((above, self.columns, self.starts), shape=self.shape)

    def times(self, other: Any) -> NDArray[Any]:
        """Product with an array from the right."""
        other = np.asarray(other)
        result: NDArray[Any] = self._matrix() @ other
        return result + self.rest * other.sum(axis=0) if self.rest else result

    def transposed_times(self, other: Any) -> NDArray[Any]:
        """Product with an array from the left."""
        other = np.asarray(other)
        result: NDArray[Any] = (self._matrix().T @ other.T).T
        return result + self.rest * other.sum(axis=-1, keepdims=True) if self.rest else result

    # --- Rows and columns.

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple) and len(key) == 2 and isinstance(key[0], slice):
            rows, columns = key
            chosen = self if rows == slice(None) else self._chosen_rows(rows)
            if isinstance(columns, slice):
                columns = np.arange(self.shape[1])[columns]
            if np.ndim(columns) == 0:
                return chosen._column(int(columns))
            return chosen._chosen_columns(np.asarray(columns))
        if isinstance(key, slice | list) or (isinstance(key, np.ndarray) and key.ndim == 1):
            return self._chosen_rows(key)
        if isinstance(key, int | np.integer):
            row = range(len(self))[int(key)]
            cells = slice(self.starts[row], self.starts[row + 1])
            result = np.full(self.shape[1], self.rest, self.dtype)
            result[self.columns[cells]] = self.values[cells]
            return result
        return np.asarray(self)[key]

    def _chosen_rows(self, key: Any) -> SparseArray:
        if isinstance(key, slice) and key == slice(None):
            return self
        rows = np.arange(len(self))[key]
        lengths = self.lengths[rows]
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        cells = np.arange(starts[-1]) + np.repeat(self.starts[rows] - starts[:-1], lengths)
        shape = len(rows), self.shape[1]
        return SparseArray(starts, self.columns[cells], self.values[cells], shape, self.rest)

    def _column(self, column: int) -> NDArray[Any]:
        column = range(self.shape[1])[column]
        cells = np.flatnonzero(self.columns == column)
        result = np.full(len(self), self.rest, self.dtype)
        result[np.searchsorted(self.starts, cells, side="right") - 1] = self.values[cells]
        return result

    def _chosen_columns(self, key: NDArray[Any]) -> Any:
        wanted = np.arange(self.shape[1])[key]
        new = np.full(self.shape[1], -1, np.int32)
        new[wanted] = np.arange(len(wanted))
        if (new[wanted] != np.arange(len(wanted))).any():  # a column twice
            return np.asarray(self)[:, key]
        column = new[self.columns]
        kept = column >= 0
        cells = self.rows[kept], column[kept], self.values[kept]
        return sparse_table(*cells, (len(self), len(wanted)), self.rest)


def refuse_pairs(table: object, what: str) -> None:
    """Refuse what goes through all pairs of judges, where thousands voted on few items each."""
    if isinstance(table, SparseArray):
        n = table.shape[1]
        raise TooLargeError(
            f"{what} goes through all pairs of judges; {n:,} judges, each on few items, have "
            f"{n * (n - 1) // 2:,}; choose some hundreds of them with {option('judges')}"
        )


def equal(first: Any, second: Any) -> bool:
    """Whether two tables of codes are equal, without writing out what is sparse."""
    if isinstance(first, SparseArray) and isinstance(second, SparseArray):
        alike = first.rest == second.rest and first._alike(second)
        return bool(alike and np.array_equal(first.values, second.values))
    return bool(np.array_equal(first, second))


def sparse_table(
    rows: NDArray[Any],
    columns: NDArray[Any],
    values: NDArray[Any],
    shape: tuple[int, int],
    rest: Any,
) -> NDArray[Any]:
    """Table of cells in any order, each at most once, that stands in for an array."""
    lengths = np.bincount(rows, minlength=shape[0])
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    cell = rows * np.int64(shape[1]) + columns
    if (np.diff(cell) < 0).any():
        order = np.argsort(cell, kind="stable")
        columns, values = columns[order], values[order]
    table = SparseArray(starts, columns.astype(np.int32), np.array(values), shape, rest)
    return cast(NDArray[Any], table)


def group_sparse_rows(table: SparseArray, n_answers: int) -> tuple[NDArray[Any], _INDICES]:
    """Distinct rows in lexicographic order, of which -1 is the least cell, and which each row is.

    Rows that are alike so far are told apart by their next vote: one on an earlier column is later in
    the order, as others have -1 there.
    """
    n_rows, n_columns = table.shape
    rank, active, lengths = np.zeros(n_rows, np.int64), np.arange(n_rows), table.lengths
    cell = (n_columns - table.columns.astype(np.int64)) * n_answers + table.values + 1
    width, step = (n_columns + 1) * n_answers + 1, 0
    while len(active):
        longer = lengths[active] > step
        word = np.zeros(len(active), np.int64)
        word[longer] = cell[table.starts[active[longer]] + step]
        order = (
            np.lexsort((word, rank[active]))
            if n_rows * width >= 2**62
            else np.argsort(rank[active] * width + word, kind="stable")
        )
        active, word = active[order], word[order]
        old = rank[active]
        group_starts = _changes(old)
        starts = group_starts | _changes(word)
        at = np.arange(len(active))
        first = np.maximum.accumulate(np.where(group_starts, at, 0))
        own = np.maximum.accumulate(np.where(starts, at, 0))
        rank[active] = old + own - first
        alone = starts & np.append(starts[1:], True)
        active = active[~alone & (word > 0)]
        step += 1
    distinct, representative, inverse = np.unique(rank, return_index=True, return_inverse=True)
    del distinct
    return cast(NDArray[Any], table[representative]), inverse


def _changes(values: _INDICES) -> NDArray[np.bool_]:
    """Whether each value is another than the one before it; the first is."""
    result = np.ones(len(values), bool)
    result[1:] = values[1:] != values[:-1]
    return result
