"""What else a table knows of items: columns beside the scores, or a table of its own joined by item."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from algeval.errors import DataError
from algeval.io.answers import Rules
from algeval.io.layout import ITEM_NAMES, KEY_NAMES, match, shown
from algeval.io.long import Rows
from algeval.io.tables import Table, open_table
from algeval.io.wide import item_texts
from algeval.result.wording import did_you_mean, how_many

__all__ = [
    "Attributes",
    "attribute_columns",
    "attributes_of",
    "joined_attributes",
    "one_an_item",
]

Attributes = dict[str, tuple[str | None, ...]]
Notes = tuple[str, ...]


def attribute_columns(asked: Any, names: Sequence[str]) -> tuple[tuple[str, ...] | None, Any]:
    """Return what was asked for as columns of the table, or as a table of its own.

    A text is a column where there is one of its name, and a path otherwise.
    """
    if asked is None:
        return None, None
    if isinstance(asked, str) and asked in names:
        return (asked,), None
    listed = isinstance(asked, list | tuple) and all(isinstance(one, str) for one in asked)
    return (tuple(asked), None) if listed else (None, asked)


def attributes_of(table: Table, names: Iterable[str], rules: Rules) -> tuple[Attributes, Notes]:
    """Return columns as texts, a cell per row, but not one that may be a key."""
    names = list(names)
    keys = [name for name in names if name.strip().lower() in KEY_NAMES]
    found: Attributes = {}
    nested = []
    for name in (name for name in names if name not in keys):
        try:
            column = table.column(name)
        except DataError:  # lists and objects, which nobody asked for
            nested.append(name)
            continue
        texts = [*rules.read(column), None]
        found[name] = tuple(texts[code] for code in column.codes.tolist())
    notes: Notes = (f"attributes: {shown(tuple(found))}",) if found else ()
    if keys:
        notes += (
            f"left out {shown(keys)}: the name says answer key; pass key={keys[0]!r} to use it",
        )
    if nested:
        notes += (f"left out {shown(nested)}: lists or objects are no attribute",)
    return found, notes


def one_an_item(name: str, cells: Sequence[str | None], rows: Rows) -> tuple[str | None, ...]:
    """Return one cell per item of the cells of a long table's rows, or say where they differ."""
    found: list[str | None] = [None] * len(rows.items)
    for place, cell in zip(rows.item_of.tolist(), cells, strict=True):
        if cell is None:
            continue
        if found[place] not in (None, cell):
            raise DataError(
                f"attribute {name!r} must be the same in all rows of an item; got {found[place]!r} and "
                f"{cell!r} for {rows.items[place]!r}; leave it out, or correct the rows"
            )
        found[place] = cell
    return tuple(found)


def joined_attributes(source: Any, items: Sequence[str]) -> tuple[Attributes, Notes]:
    """Return the columns of another table in the order of `items`, None where it lacks one.

    Raises
    ------
    DataError
        If the table names no items, names one twice, or none of these.
    """
    table = open_table(source)
    name = match(table.names, ITEM_NAMES)
    if name is None:
        near = did_you_mean("item", table.names, "name it 'item'")
        raise DataError(
            f"a table of attributes must have a column of item ids; got {shown(table.names)}; {near}"
        )
    ids = item_texts(table, (name,))
    rows = {item: row for row, item in enumerate(ids)}
    if len(rows) < len(ids):
        raise DataError(
            f"a table of attributes must have one row per item; got "
            f"{how_many(len(ids) - len(rows), 'repeated id')}; merge or rename its rows"
        )
    absent = sum(item not in rows for item in items)
    if absent == len(items):
        raise DataError(
            f"a table of attributes must name the items that were scored; none of them is there (for "
            f"example {items[0]!r}; it has {ids[0]!r}); write the ids alike"
        )
    rest = [column for column in table.names if column != name]
    found, notes = attributes_of(table, rest, Rules.make(None, None, 0))
    joined = {
        column: tuple(cells[rows[item]] if item in rows else None for item in items)
        for column, cells in found.items()
    }
    if absent:
        notes += (f"{how_many(absent, 'item')} without attributes",)
    return joined, notes
