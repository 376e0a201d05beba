"""A number of each item, such as the chance with which it was drawn to be labelled."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.errors import DataError
from algeval.io.answers import as_number
from algeval.io.items.rows import read_item_rows
from algeval.io.layout import shown
from algeval.result.wording import how_many

__all__ = ["chances_of", "check_chances", "numbers_by_item"]

Floats = NDArray[np.float64]
_NAMES = ("value", "score", "probability", "chance", "p", "pi")


def _is_table(given: Any) -> bool:
    """Whether numbers are named by item: {item: number}, a path, a frame or records."""
    if isinstance(given, str | os.PathLike | Mapping) or hasattr(given, "columns"):
        return True
    return isinstance(given, list | tuple) and bool(given) and isinstance(given[0], Mapping)


def numbers_by_item(given: Any, items: Sequence[str], name: str) -> Floats:
    """Return a number per item from {item: number}, a table, a path, or numbers in item order.

    Raises
    ------
    DataError
        If an item has none, or one that is not finite.
    """
    if _is_table(given):
        rows = read_item_rows(given, name, (name, *_NAMES))
        texts = dict(zip(rows.items, rows.values, strict=True))
        found = [as_number(texts.get(item) or "") for item in items]
    else:
        found = list(np.asarray(given, np.float64).ravel())
        if len(found) != len(items):
            raise DataError(
                f"{name} must hold one number per item ({len(items)}); got {len(found)}; or pass "
                "{item: number}"
            )
    values = np.array([np.nan if value is None else value for value in found], np.float64)
    lacking = np.flatnonzero(~np.isfinite(values))
    if len(lacking):
        raise DataError(
            f"every item must have a finite number in {name}; {how_many(len(lacking), 'item')} "
            f"without: {shown([items[row] for row in lacking.tolist()], 3)}; add them"
        )
    return values


def chances_of(
    given: Any, items: Sequence[str], rows: NDArray[np.int64], name: str = "inclusion"
) -> Floats:
    """Return the chance with which each labelled item was drawn.

    Parameters
    ----------
    given : mapping, path, table or sequence
        By item, where only labelled items need one; or one per item, labelled or not.
    items : sequence of str
    rows : (n,) int array
        Which of them are labelled.
    name : str

    Raises
    ------
    DataError
        If a labelled item has none, or one outside (0, 1].

    Examples
    --------
    >>> chances_of({"q2": 0.5}, ["q1", "q2"], np.array([1])).tolist()
    [0.5]
    """
    labelled = [items[row] for row in rows.tolist()]
    if _is_table(given):
        chances = numbers_by_item(given, labelled, name)
    else:
        chances = numbers_by_item(given, items, name)[rows]
    check_chances(chances, labelled, name)
    return chances


def check_chances(chances: Floats, items: Sequence[str], name: str) -> None:
    """Refuse chances that are none."""
    wrong = np.flatnonzero(~((chances > 0) & (chances <= 1)))
    if len(wrong):
        raise DataError(
            f"{name} must be above 0 and at most 1, the chance with which an item was drawn to be labelled; "
            f"got {chances[wrong[0]]:g} for {shown([items[int(wrong[0])]], 1)}; take it from what next_items "
            "wrote, or leave it out"
        )
