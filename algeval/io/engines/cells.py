"""What is asked of a cell in a frame's own engine: its value, the side of a cut, an item's id."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from algeval.io.answers import Rules
from algeval.io.counting.grouped import kept_numbers, room, sides
from algeval.io.engines.frame import Frame
from algeval.io.opened import nested_cells

__all__ = ["answer_cell", "is_any_of", "item_cell", "plain_cell"]


def plain_cell(frame: Frame, name: str) -> Any:
    """Return the expression of a cell as text, number or truth value.

    Raises
    ------
    DataError
        If the column holds lists or objects.
    """
    import narwhals as nw

    kind, cell = frame.dtype(name), frame.column(name)
    if kind.is_nested():
        raise nested_cells(name)
    if kind.is_integer() or kind.is_float() or kind in (nw.String, nw.Boolean, nw.Object):
        return cell
    return cell.cast(nw.String)


def answer_cell(frame: Frame, name: str, rules: Rules) -> Any:
    """Return the expression of an answer; where scores are cut, one number stands for each side.

    Numbers near the cut, those that mean no vote or have a new name, and such as are not finite stay as
    they are. So do texts.
    """
    import narwhals as nw

    cell, kind = plain_cell(frame, name), frame.dtype(name)
    if rules.cut is None or not (kind.is_integer() or kind.is_float()):
        return cell
    kept = kept_numbers(rules)
    low, high, below, above = sides(rules.cut, kept)
    end = sys.float_info.max
    over, under = (cell > high) & (cell <= end), (cell < low) & (cell >= -end)
    for number in kept:
        other = (cell < number - room(number)) | (cell > number + room(number))
        over, under = over & other, under & other
    score = cell.cast(nw.Float64)
    return (
        nw.when(over)
        .then(nw.lit(float(above)))
        .otherwise(nw.when(under).then(nw.lit(float(below))).otherwise(score))
    )


def item_cell(frame: Frame, name: str) -> Any:
    """Return the expression of an item's id: texts without the spaces around them, null where it is empty."""
    import narwhals as nw

    cell = plain_cell(frame, name)
    if frame.dtype(name) != nw.String:
        return cell
    text = cell.str.strip_chars()
    return nw.when(text != "").then(text)


def is_any_of(cell: Any, values: Iterable[object]) -> Any:
    """Return whether a cell holds one of some values; not so where it is null."""
    first, *others = (cell == value for value in values)
    for other in others:
        first = first | other
    return first
