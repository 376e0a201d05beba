"""Long tables: a row per vote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.data.names import NOT_ANSWERED
from algeval.errors import DataError
from algeval.io.answers import Rules, score_notes
from algeval.io.columns import Column, Places, factorise, first_seen, plain
from algeval.io.layout import Asked, Layout, shown
from algeval.io.meaning import encode_columns
from algeval.io.tables import Table
from algeval.io.wide import Encoded, item_texts
from algeval.result.wording import how_many

__all__ = ["Rows", "chosen_judges", "long_rows", "read_long", "repeated_votes"]

_MOST_CELLS = 4 * 10**9


@dataclass(frozen=True, slots=True)
class Rows:
    """Which item and which judge each row of a long table is about."""

    items: tuple[str, ...]
    judges: tuple[str, ...]
    item_of: Places
    kept: NDArray[np.bool_]
    """Whether a row is about one of the judges chosen."""
    judge_of: Places
    """Per row kept, the place of its judge."""
    notes: tuple[str, ...]

    def table(self, cells: NDArray[Any], empty: float) -> NDArray[Any]:
        """Return (items, judges): one cell of each row, `empty` where there is no row."""
        shape = (len(self.items), len(self.judges))
        if shape[0] * shape[1] > _MOST_CELLS:
            raise DataError(
                f"items x judges must stay below {_MOST_CELLS:.0e} cells; got {shape[0]} x {shape[1]}; "
                "choose fewer judges with judges="
            )
        result = np.full(shape, empty, cells.dtype)
        result[self.item_of[self.kept], self.judge_of] = cells[self.kept]
        return result


def read_long(table: Table, layout: Layout, asked: Asked, rules: Rules) -> Encoded:
    """Return the parts of Votes that a long table holds."""
    rows = long_rows(table, layout, asked)
    meaning, flat = encode_columns([table.column(layout.answer)], rules)
    codes = rows.table(flat[:, 0], NOT_ANSWERED)
    read, *others = rows.notes
    notes = (read, *score_notes(meaning.answers, rules), *others)
    return rows.items, rows.judges, meaning, codes, rows.item_of, notes


def long_rows(table: Table, layout: Layout, asked: Asked) -> Rows:
    """Return what each row of a long table is about, refusing a judge twice on an item."""
    items, item_of = _in_order(_item_column(table, layout))
    seen, judge_of = _in_order(_judge_column(table, layout))
    judges, column_of = chosen_judges(seen, asked.judges)
    column = column_of[judge_of]
    kept = column >= 0
    _refuse_repeats(item_of, judge_of, items, seen)
    notes: tuple[str, ...] = (
        f"{how_many(len(judges), 'judge')}, {how_many(int(kept.sum()), 'row')} read",
    )
    if len(judges) < len(seen):
        notes += (f"{how_many(int((~kept).sum()), 'row')} of other judges left out",)
    return Rows(items, judges, item_of, kept, column[kept], notes)


def _item_column(table: Table, layout: Layout) -> Column:
    if len(layout.item) > 1:
        return factorise(":".join(layout.item), item_texts(table, layout.item))
    return _filled(table.column(layout.item[0]), "item")


def _judge_column(table: Table, layout: Layout) -> Column:
    return _filled(table.column(layout.judge), "judge")


def _filled(column: Column, option: str) -> Column:
    """Return a column whose values are texts, refusing rows without one."""
    texts = [plain(value) for value in column.values]
    index = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    blank = index.get(None, -1)
    codes = column.look_up([index[text] for text in texts])
    empty = np.flatnonzero((codes < 0) | (codes == blank))
    if len(empty):
        raise DataError(
            f"every row must name its {option}; row {empty[0] + 1} has none in column "
            f"{column.name!r}; fill it or choose another with {option}="
        )
    return Column(column.name, tuple(index), codes)


def _in_order(column: Column) -> tuple[tuple[str, ...], Places]:
    """Return the names in order of first appearance, and each row's place among them."""
    distinct, places = first_seen(column.codes)
    return tuple(str(column.values[code]) for code in distinct.tolist()), places


def chosen_judges(
    seen: tuple[str, ...], judges: tuple[str, ...] | None
) -> tuple[tuple[str, ...], Places]:
    """Return the judges to keep and, per judge seen, its column (-1: left out)."""
    if judges is None:
        return seen, np.arange(len(seen))
    unknown = [name for name in judges if name not in set(seen)]
    if unknown:
        raise DataError(
            f"judges must be among those in the table; got {unknown[0]!r}; choose from {shown(seen)}"
        )
    place = {name: column for column, name in enumerate(judges)}
    return judges, np.array([place.get(name, -1) for name in seen], np.int64)


def _refuse_repeats(
    item_of: Places, judge_of: Places, items: tuple[str, ...], judges: tuple[str, ...]
) -> None:
    cell = item_of * len(judges) + judge_of
    ordered = np.sort(cell)
    repeats = int((ordered[1:] == ordered[:-1]).sum())
    if not repeats:
        return
    _, first = np.unique(cell, return_index=True)
    again = np.setdiff1d(np.arange(len(cell)), first)[0]
    raise repeated_votes(judges[judge_of[again]], items[item_of[again]], int(again) + 1, repeats)


def repeated_votes(judge: str, item: str, row: int, n: int) -> DataError:
    """Return the complaint about `n` repeated votes, the first of which stands in a row."""
    return DataError(
        f"each judge must answer an item once; got a second vote of {judge!r} on item {item!r} in row {row} "
        f"({n} repeated votes in all); keep one of each"
    )
