"""Count a wide table by the rules of reading one: its distinct rows stand for all of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from algeval.errors import DataError
from algeval.io.answers import Rules
from algeval.io.columns import Places
from algeval.io.counting.counted import Counted
from algeval.io.counting.grouped import Grouped, group_rows
from algeval.io.counting.scan import Scan
from algeval.io.counting.two_passes import cells_of, group_meanings
from algeval.io.items.keys import key_codes, key_source
from algeval.io.layout import Layout, shown
from algeval.io.meaning import Meaning
from algeval.io.tables import Table
from algeval.io.wide import judge_columns, left_out, wide_votes
from algeval.result.wording import how_many

__all__ = ["LOOKED_AT", "count_columns", "count_wide", "unlike_the_first"]

LOOKED_AT = 10_000
"""Rows from which the layout of a table is found that is not loaded."""


def count_columns(
    scan: Scan, layout: Layout, rules: Rules, key: str | None = None
) -> Counted | None:
    """Count the columns `layout.votes`, by true label where a column holds it.

    None is returned where of too many rows one vote stands in several columns, or a key is to be counted.

    The raw cells are grouped first, and the few distinct rows translated; where they are too many, the
    cells are translated, and the rows grouped by what they mean.
    """
    grouped = group_rows(scan, layout.votes, rules, key)
    if grouped is not None:
        judges, meaning, codes, notes = wide_votes(grouped, layout, rules)
        truth, said = _truth(grouped, key, meaning, rules)
        return Counted(judges, meaning, codes, grouped.weights, notes, truth, said)
    if key is not None:
        return None
    cells = cells_of(scan, layout.votes, rules)
    judges, meaning, _, notes = wide_votes(cells.table, layout, rules)
    if judges != layout.votes:
        return None
    return Counted(judges, meaning, *group_meanings(scan, judges, cells, meaning), notes)


def _truth(
    grouped: Grouped, key: str | None, meaning: Meaning, rules: Rules
) -> tuple[Places | None, tuple[str, ...]]:
    """Return the true label of each distinct row, as of so many items, and what reading says of it."""
    if key is None:
        return None, ()
    each = np.arange(len(grouped.weights))
    names = tuple(map(str, each.tolist()))
    return key_codes(key_source(grouped, key), grouped, names, each, meaning, rules)


def count_wide(
    scan: Scan, sample: Table, layout: Layout, rules: Rules, key: str | None = None
) -> Counted | None:
    """Count a table whose columns of votes are those of its first rows.

    Raises
    ------
    DataError
        If a later row shows that they are others.
    """
    columns, _ = judge_columns(sample, layout, rules)
    gone = left_out(sample, layout, rules)
    for name, why in gone.items():
        _refuse_later_votes(scan, name, why, rules)
    kept = tuple(name for name in layout.votes if name not in gone)
    counted = count_columns(scan, replace(layout, votes=kept), rules, key)
    if counted is None:
        return None
    expected = tuple(column.name for column in columns)
    if counted.judges != expected:
        raise unlike_the_first(f"judges {shown(expected)}", f"judges {shown(counted.judges)}")
    notes = tuple(f"left out {name!r}: {why}" for name, why in gone.items())
    return replace(counted, notes=(*notes, *counted.notes))


def _refuse_later_votes(scan: Scan, name: str, why: str, rules: Rules) -> None:
    """Refuse a column that was left out for its first rows, and holds votes in later ones."""
    if why.startswith("it differs"):
        return  # more different texts than any column of votes may have
    what = (
        f"isfinite({scan.number(name)})" if rules.cut is not None else f"{scan.cells[name]} <> ''"
    )
    found = scan.run(f"SELECT count(*) FILTER ({what}) AS n FROM {scan.relation}")
    if found["n"][0]:
        later = how_many(int(found["n"][0]), "vote")
        raise unlike_the_first(f"no votes in {name!r} ({why})", f"{later} in it")


def unlike_the_first(expected: str, got: str) -> DataError:
    """Return the complaint that later rows are not what the first ones promised."""
    return DataError(
        f"all rows must be laid out like the first {LOOKED_AT}, which have {expected}; got {got} from all "
        "rows; name the columns of votes with judges="
    )
