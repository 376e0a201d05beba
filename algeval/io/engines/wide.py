"""Count a wide frame in its own engine: its distinct rows stand for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from algeval.errors import DataError
from algeval.io.answers import MOST_ANSWERS, Rules
from algeval.io.columns import plain
from algeval.io.counting.counted import Counted
from algeval.io.counting.grouped import Grouped, one_sided, spellings_tie
from algeval.io.counting.wide import unlike_the_first
from algeval.io.engines.cells import answer_cell, item_cell
from algeval.io.engines.frame import MOST_ROWS, TOTAL, Frame
from algeval.io.engines.rows import in_order, too_many_rows
from algeval.io.layout import Layout, shown
from algeval.io.tables import Table
from algeval.io.wide import judge_columns, left_out, wide_votes
from algeval.result.wording import how_many

__all__ = ["count_wide_frame", "count_wide_frame_like"]


def count_wide_frame(frame: Frame, layout: Layout, rules: Rules) -> Counted:
    """Count the columns `layout.votes`; where `layout.item` names columns, each item has one row.

    Of two spellings of an answer that are equally common, the first in alphabetical order is shown.

    Raises
    ------
    DataError
        If there are too many different rows, an item has none or two rows, or cells are no votes.
    """
    _refuse_repeated_items(frame, layout.item)
    grouped = _distinct_rows(frame, layout.votes, rules)
    judges, meaning, codes, notes = wide_votes(grouped, layout, rules)
    return Counted(judges, meaning, codes, grouped.weights, notes)


def count_wide_frame_like(frame: Frame, sample: Table, layout: Layout, rules: Rules) -> Counted:
    """Count a frame whose columns of votes are those of its first rows.

    Raises
    ------
    DataError
        If another row shows that they are others.
    """
    columns, _ = judge_columns(sample, layout, rules)
    gone = left_out(sample, layout, rules)
    for name, why in gone.items():
        _refuse_later_votes(frame, name, why, rules)
    kept = tuple(name for name in layout.votes if name not in gone)
    counted = count_wide_frame(frame, replace(layout, votes=kept), rules)
    expected = tuple(column.name for column in columns)
    if counted.judges != expected:
        raise unlike_the_first(f"judges {shown(expected)}", f"judges {shown(counted.judges)}")
    notes = tuple(f"left out {name!r}: {why}" for name, why in gone.items())
    return replace(counted, notes=(*notes, *counted.notes))


def _distinct_rows(frame: Frame, names: Sequence[str], rules: Rules) -> Grouped:
    table = _grouped(frame, names, rules)
    if one_sided([table.column(name) for name in names], rules):
        table = _grouped(frame, names, replace(rules, cut=None))
    return in_order(table) if spellings_tie(table, rules) else table


def _grouped(frame: Frame, names: Sequence[str], rules: Rules) -> Grouped:
    keys = {f"k{place}": answer_cell(frame, name, rules) for place, name in enumerate(names)}
    found, counts = frame.distinct(keys, MOST_ROWS + 1)
    if len(counts) > MOST_ROWS:
        raise too_many_rows(
            frame,
            "rows of answers",
            "name fewer judges with judges=, or pass cut= if these are scores in columns of numbers",
        )
    columns = zip(names, found, strict=True)
    return Grouped({name: replace(column, name=name) for name, column in columns}, counts)


def _refuse_repeated_items(frame: Frame, names: Sequence[str]) -> None:
    import narwhals as nw

    if not names:
        return
    keys = {f"i{place}": item_cell(frame, name) for place, name in enumerate(names)}
    items = frame.grouped(keys)
    odd = nw.col(TOTAL) > 1
    for key in keys:
        odd = odd | nw.col(key).is_null()
    found = frame.fetched(items.filter(odd), 1)
    if not len(found):
        return
    ids = [plain(found[key].to_list()[0]) for key in keys]
    n = int(found[TOTAL].to_list()[0])
    if None in ids:
        raise DataError(
            f"every row must name its item; {how_many(n, 'row')} with none in column "
            f"{names[ids.index(None)]!r}; fill it or choose another with item="
        )
    raise DataError(
        f"a wide table must have one row per item; got item {':'.join(map(str, ids))!r} in {n} rows of the "
        f"{frame.kind}; name another column or a list of columns with item=, or judge= and answer= of a "
        "long table"
    )


def _refuse_later_votes(frame: Frame, name: str, why: str, rules: Rules) -> None:
    """Refuse a column that was left out for its first rows, and holds votes in others."""
    if why.startswith("it differs"):
        return
    (column,), counts = frame.distinct({name: answer_cell(frame, name, rules)}, MOST_ANSWERS)
    alone = Layout("wide", (), votes=(name,))
    if not left_out(Grouped({name: column}, counts), alone, rules):
        raise unlike_the_first(f"no votes in {name!r} ({why})", "votes in other rows of it")
