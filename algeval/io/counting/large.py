"""Count a large file by the rules of reading one, without keeping its items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from algeval.data import Sketch
from algeval.io.answers import Rules
from algeval.io.counting.items import check_items
from algeval.io.counting.long import count_long
from algeval.io.counting.scan import Scan, of_file
from algeval.io.counting.wide import LOOKED_AT, Counted, count_wide
from algeval.io.databases import is_database
from algeval.io.exports import refuse_export
from algeval.io.layout import Asked, Layout, find_layout, shown
from algeval.io.opened import Opened, is_packed, is_parquet
from algeval.io.opening import Ways, table_files
from algeval.io.score_tables import scores_in
from algeval.io.shards import open_parts
from algeval.io.tables import FileTable, Table, is_excel

__all__ = ["LARGE", "count_large"]

LARGE = 100_000
"""Tables with more rows than this are counted where they lie, where counts are enough."""

_COLUMNS = ("item", "judge", "answer", "judges", "layout")
_ANSWERS = ("missing", "labels", "cut", "exact_labels", "map")
_WAYS = ("format", "reader", "table")


def count_large(
    source: Any, given: Mapping[str, Any], *, scores: bool = False
) -> tuple[Sketch, tuple[str, ...]] | None:
    """Return the counts that reading a large table would give, and the notes of it.

    The layout is found from the first 10,000 rows, then all rows are counted in the memory that DuckDB is
    given; item ids are looked through for repetitions, and forgotten.

    Parameters
    ----------
    source : path, list of paths, folder or pattern of paths
    given : dict
        Options of `read_votes`.
    scores : bool
        Whether a table that looks like scores is to be read as scores, hence not counted.

    Returns
    -------
    Sketch and notes, or None
        None where the votes are to be read: the table is small or no plain table, an option needs the
        items, or the tuples are too many to be counted.

    Raises
    ------
    DataError
        If the table cannot be read as votes, or later rows are not laid out like the first.
    """
    said = {name for name, value in given.items() if value is not None}
    if said - {*_COLUMNS, *_ANSWERS, *_WAYS}:
        return None
    opened = _opened(source, given)
    if opened is None:
        return None
    asked = Asked.make(*(given.get(name) for name in _COLUMNS))
    rules = Rules.make(*(given.get(name) for name in _ANSWERS))
    scan = of_file(opened)
    few = f"(SELECT * FROM {opened.relation} LIMIT {LARGE + 1})"
    if int(scan.run(f"SELECT count(*) AS n FROM {few}")["n"][0]) <= LARGE:
        return None
    sample = FileTable(
        replace(opened, relation=f"(SELECT * FROM {opened.relation} LIMIT {LOOKED_AT})")
    )
    if not asked.anything:
        refuse_export(sample)
    layout = find_layout(sample, asked)
    if scores and scores_in(sample, layout, rules):
        return None
    for name in (*layout.votes, *([layout.answer] if layout.answer else ())):
        opened.check_plain(name)
    counted = _count(scan, sample, layout, asked, rules)
    if counted is None:
        return None
    rest = (f"columns left out: {shown(layout.rest)}",) if layout.rest else ()
    notes = (*sample.notes, *layout.notes, *rest, *counted.said(rules), _SAID)
    return counted.sketch(), notes


_SAID = (
    f"more than {LARGE} rows: the layout was found from the first {LOOKED_AT}, votes were counted where "
    "they lie, and items were not kept"
)


def _opened(source: Any, given: Mapping[str, Any]) -> Opened | None:
    """Open the files of a table that may be large."""
    asked = Asked.make(*(given.get(name) for name in _COLUMNS))
    paths = table_files(source, asked, Ways(**{name: given.get(name) for name in _WAYS}))
    if not paths or any(is_excel(path) for path in paths) or _surely_small(paths):
        return None
    return open_parts(paths, format=given.get("format"), table=given.get("table"))


def _surely_small(paths: tuple[Path, ...]) -> bool:
    """Whether text is too short to have so many lines."""
    if sum(path.stat().st_size for path in paths) > 2 * LARGE:
        return False
    return not any(is_packed(p) or is_parquet(p) or is_database(p) for p in paths)


def _count(scan: Scan, sample: Table, layout: Layout, asked: Asked, rules: Rules) -> Counted | None:
    if layout.kind == "long":
        return count_long(scan, layout, asked.judges, rules)
    counted = count_wide(scan, sample, layout, rules)
    if counted is None or not layout.item:
        return counted
    return counted if check_items(scan, layout.item, int(counted.counts.sum())) else None
