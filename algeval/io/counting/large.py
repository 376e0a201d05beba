"""Count a large file by the rules of reading one, without keeping its items."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from algeval.data import KeyedSketch, Sketch, Summary
from algeval.io.answers import Rules
from algeval.io.counting.counted import Counted, CountedEach
from algeval.io.counting.items import check_items
from algeval.io.counting.long import count_long
from algeval.io.counting.scan import Scan, of_file
from algeval.io.counting.wide import LOOKED_AT, count_wide
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
    source: Any,
    given: Mapping[str, Any],
    *,
    scores: bool = False,
    each: bool = False,
    scored: bool = True,
) -> tuple[Sketch | KeyedSketch | Summary, tuple[str, ...]] | None:
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
    each : bool
        Whether counts of each judge are enough, and a `Summary` will do.
    scored : bool
        Whether a key is wanted for more than to be checked.

    Returns
    -------
    Sketch, KeyedSketch or Summary, and notes, or None
        None where the votes are to be read: the table is small or no plain table, or an option needs the
        items. A key is counted that is a column of a wide table; where it does not know every item, and
        is wanted, the votes are to be read.

    Raises
    ------
    DataError
        If the table cannot be read as votes, later rows are not laid out like the first, or the distinct
        tuples are too many to be kept.
    """
    said = {name for name, value in given.items() if value is not None}
    if said - {*_COLUMNS, *_ANSWERS, *_WAYS, "key"}:
        return None
    opened, key = _opened(source, given), given.get("key")
    if opened is None or not (key is None or (isinstance(key, str) and key in opened.cells)):
        return None
    asked = Asked.make(*(given.get(name) for name in _COLUMNS)).with_key(key)
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
    for name in filter(None, (*layout.votes, layout.answer, key)):
        opened.check_plain(name)
    counted = _count(scan, sample, layout, asked, rules, each=each)
    data = None if counted is None else _of_key(counted, scored)
    if counted is None or data is None:
        return None
    rest = (f"columns left out: {shown(layout.rest)}",) if layout.rest else ()
    notes = (*sample.notes, *layout.notes, *rest, *counted.said(rules), _SAID)
    return data, notes


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


def _of_key(counted: Counted | CountedEach, scored: bool) -> Sketch | KeyedSketch | Summary | None:
    """Return the counts, by true label if that is wanted; None where some true labels are not known."""
    if isinstance(counted, CountedEach) or counted.truth is None:
        return counted.data()
    if not scored:
        return counted.sketch()
    return counted.data() if counted.all_known else None


def _count(
    scan: Scan, sample: Table, layout: Layout, asked: Asked, rules: Rules, *, each: bool
) -> Counted | CountedEach | None:
    """Count the rows; JSON is parsed once, and what it holds kept on disk meanwhile."""
    names = filter(None, (*layout.item, layout.judge, layout.answer, *layout.votes, asked.key))
    with tempfile.TemporaryDirectory(prefix="algeval-") as folder:
        if scan.json:
            scan = scan.kept(names, folder)
        if layout.kind == "wide":
            return _count_wide(scan, sample, layout, rules, asked.key)
        return None if asked.key else count_long(scan, layout, asked.judges, rules, each=each)


def _count_wide(
    scan: Scan, sample: Table, layout: Layout, rules: Rules, key: str | None
) -> Counted | None:
    counted = count_wide(scan, sample, layout, rules, key)
    if counted is None or not layout.item:
        return counted
    return counted if check_items(scan, layout.item, int(counted.counts.sum())) else None
