"""Counts and codes: checked, grouped into distinct decision tuples, split by true label."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from typing import Any, TypeVar

import numpy as np

from algeval.data.names import Codes, Counts
from algeval.errors import DataError

__all__ = [
    "add_checked",
    "check_codes",
    "check_counts",
    "group_rows",
    "split_by_truth",
    "whole_counts",
    "whole_table",
]

_MOST = np.iinfo(np.int64).max
NDArrayInt = np.ndarray[Any, np.dtype[np.intp]]
Kind = TypeVar("Kind", bound=np.signedinteger[Any])
Rows = np.ndarray[Any, np.dtype[Kind]]


def group_rows(codes: Rows[Kind], n_answers: int) -> tuple[Rows[Kind], NDArrayInt]:
    """Return the distinct rows in lexicographic order, and which of them each row is.

    Codes run from -1 to n_answers - 1. Columns are packed into as few 64-bit words as hold them.
    """
    if not len(codes):
        return codes, np.zeros(0, np.intp)
    words = _pack(codes, n_answers + 1)
    if len(words) == 1:
        _, first, inverse = np.unique(words[0], return_index=True, return_inverse=True)
        return codes[first], inverse
    order = np.lexsort(words[::-1])
    changed = np.zeros(len(codes), bool)
    for word in words:
        changed[1:] |= np.diff(word[order]) != 0
    inverse = np.empty(len(codes), np.intp)
    inverse[order] = np.cumsum(changed)
    starts = np.concatenate([[0], np.flatnonzero(changed)])
    return codes[order[starts]], inverse


def _pack(codes: Rows[Any], base: int) -> list[Counts]:
    per_word = max(1, int(62 / np.log2(max(base, 2))))
    words = []
    for start in range(0, codes.shape[1], per_word):
        columns = codes[:, start : start + per_word].T
        word = np.zeros(len(codes), np.int64)
        for column in columns:
            word *= base
            word += column
            word += 1
        words.append(word)
    return words


def split_by_truth(
    codes: Codes, counts: Counts, truth: NDArrayInt, *, n_answers: int, n_labels: int
) -> Counts:
    """Return (U, R): the counts of each distinct tuple by true label."""
    kept = counts > 0
    distinct, inverse = group_rows(codes[kept], n_answers)
    keyed = np.zeros((len(distinct), n_labels), np.int64)
    np.add.at(keyed, (inverse, truth[kept]), counts[kept])
    return keyed


def whole_counts(values: Iterable[object]) -> Counts:
    """Return counts as int64, refusing what is no whole number or does not fit."""
    listed: list[Any] = list(values)
    for value in listed:
        if isinstance(value, bool) or not isinstance(value, int | np.integer):
            raise DataError(f"counts must be whole numbers; got {value!r}; count items, not shares")
        if not 0 <= int(value) <= _MOST:
            raise DataError(f"counts must lie in 0..2^63-1; got {value}; split the data or recount")
    return np.array([int(value) for value in listed], np.int64)


def whole_table(values: Any, name: str) -> Any:
    """Return nested lists of whole numbers as int64: 0.5, true and text are none.

    Examples
    --------
    >>> whole_table([[0, 1], [-1, 0]], "codes").tolist()
    [[0, 1], [-1, 0]]
    """
    wrong = next(
        (x for x in _leaves(values) if not isinstance(x, int) or isinstance(x, bool)), None
    )
    if wrong is not None:
        raise DataError(f"{name} must be whole numbers; got {wrong!r}; write the document again")
    return np.asarray(values, np.int64)


def _leaves(values: Any) -> Iterator[Any]:
    for value in values:
        if isinstance(value, list | tuple):
            yield from _leaves(value)
        else:
            yield value.item() if isinstance(value, np.generic) else value


def check_counts(counts: Any, shape: tuple[int, ...]) -> Counts:
    """Return whole counts of this shape as int64, or say what is wrong with them."""
    array = np.asarray(counts)
    if array.dtype.kind not in "iu":
        if array.size:
            raise DataError(f"counts must be whole numbers; got dtype {array.dtype}; count items")
        array = array.astype(np.int64)
    if array.shape != shape:
        raise DataError(f"counts must have shape {shape}; got {array.shape}; one count per tuple")
    if (array < 0).any() or (array > _MOST).any():
        raise DataError("counts must lie in 0..2^63-1; got one outside; recount")
    if array.size and int(array.max()) * array.size > _MOST:
        reduce(add_checked, map(int, array.ravel()), 0)
    return array.astype(np.int64)


def add_checked(total: int, count: int) -> int:
    """Return the sum of two counts, refusing what does not fit 64 bits."""
    if total + count > _MOST:
        raise DataError("the counts must add up to at most 2^63-1 items; got more; split the data")
    return total + count


def check_codes(codes: Any, n_judges: int, n_answers: int, *, copy: bool = True) -> Codes:
    """Return (items, N) answer codes as int16, or say what is wrong with them.

    copy : whether the array must be another one where its kind is right already.
    """
    array = np.asarray(codes)
    if array.ndim != 2 or array.shape[1] != n_judges:
        raise DataError(
            f"codes must have one column per judge ({n_judges}); got shape {array.shape}; "
            "axis order is item, judge"
        )
    if array.dtype.kind not in "iu" and array.size:
        raise DataError(f"codes must be whole numbers; got dtype {array.dtype}; encode the answers")
    if array.size and not (array.min() >= -1 and array.max() < n_answers):
        raise DataError(f"codes must lie in -1..{n_answers - 1}; got {array.min()}..{array.max()}")
    return array.astype(np.int16, copy=copy)
