"""A table with an item and a value in each row: true labels, clusters, whatever is known of items."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from algeval.errors import DataError
from algeval.io.answers import Rules
from algeval.io.columns import plain
from algeval.io.layout import ITEM_NAMES, JUDGE_NAMES, match, shown
from algeval.io.tables import Table, open_table
from algeval.io.wide import item_texts

__all__ = ["ItemRows", "read_item_rows"]


@dataclass(frozen=True, slots=True)
class ItemRows:
    """What the rows of such a table say, in their order; an item may have several.

    Attributes
    ----------
    name : str
        Of the table, for sentences about it.
    items : tuple of str
    values : tuple of str or None
        None where the cell is empty or means missing.
    sayers : tuple of str or None
        Who said so, where a column holds it.
    beside : dict of str to tuple
        Other columns asked for and found, by the name asked for.
    """

    name: str
    items: tuple[str, ...]
    values: tuple[str | None, ...]
    sayers: tuple[str | None, ...] | None = None
    beside: dict[str, tuple[str | None, ...]] = field(default_factory=dict)


def read_item_rows(
    source: Any, what: str, names: tuple[str, ...], beside: tuple[str, ...] = ()
) -> ItemRows:
    """Return the rows of {item: value}, or of a path, a frame or records with two named columns.

    Parameters
    ----------
    source : mapping, path, data frame or list of records
    what : str
        The setting it was given as, for the sentence when something is wrong.
    names : tuple of str
        Names by which the column of values is known, in lower case; where there are two columns in
        all, the one that holds no items is it whatever its name.
    beside : tuple of str
        Columns to return too, where they are there.

    Raises
    ------
    DataError
        If there is no column of items, or none of values.

    Examples
    --------
    >>> read_item_rows({"q1": "pass", 2: None}, "gold", ("label",)).values
    ('pass', None)
    """
    rules = Rules.make(None, None, None)
    if isinstance(source, Mapping) and not _holds_columns(source, names):
        if not source:
            raise DataError(f"{what} must name at least one item; got none; leave {what}= out")
        ids = tuple(plain(item) or "" for item in source)
        return ItemRows(what, ids, tuple(rules.answer(value) for value in source.values()))
    table = open_table(source)
    name = Path(source).name if isinstance(source, str | os.PathLike) else what
    item, value, sayer = _columns(table, name, names, beside)
    more = {wanted: found for wanted in beside if (found := match(table.names, (wanted,)))}
    return ItemRows(
        name,
        tuple(item_texts(table, (item,))),
        _texts(table, value, rules),
        None if sayer is None else _texts(table, sayer, rules),
        {wanted: _texts(table, found, rules) for wanted, found in more.items()},
    )


def _holds_columns(source: Mapping[Any, Any], names: tuple[str, ...]) -> bool:
    """Whether a mapping is a table, {column: cells}, and not {item: value}."""
    keys = [str(key) for key in source]
    listed = all(
        isinstance(cells, list | tuple) or hasattr(cells, "shape") for cells in source.values()
    )
    return listed and match(keys, ITEM_NAMES) is not None and match(keys, names) is not None


def _columns(
    table: Table, name: str, names: tuple[str, ...], beside: tuple[str, ...]
) -> tuple[str, str, str | None]:
    """Return the columns of items and of values, and that of who said so where there is one."""
    item = match(table.names, ITEM_NAMES)
    rest = [column for column in table.names if column != item and column.lower() not in beside]
    sayer = match(rest, JUDGE_NAMES) if len(rest) > 1 else None
    rest = [column for column in rest if column != sayer]
    value = rest[0] if len(rest) == 1 else match(rest, names)
    if item is None or value is None:
        lacks = "items" if item is None else f"values (one of {', '.join(names[:4])})"
        raise DataError(
            f"{name} must have a column of items and one of values; got {shown(table.names)}, and none of "
            f"{lacks}; name the columns 'item' and {names[0]!r}"
        )
    return item, value, sayer


def _texts(table: Table, column: str, rules: Rules) -> tuple[str | None, ...]:
    found = table.column(column)
    texts = [*rules.read(found), None]
    return tuple(texts[code] for code in found.codes.tolist())
