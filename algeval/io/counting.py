"""`count`: decision tuples counted where the data lie, at the size of the data."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from algeval.data import KeyedSketch, Sketch, Summary, Votes
from algeval.data.names import NOT_ANSWERED
from algeval.data.reading import refuse_scores
from algeval.data.votes import LabelledSketch
from algeval.errors import DataError, option
from algeval.io.answers import Rules
from algeval.io.engines import count_frame
from algeval.io.formats import Opened, is_database, is_packed, is_parquet, open_file, spill_folder
from algeval.io.items import read_long, wide_items, wide_votes
from algeval.io.layout import ColumnRoles, Layout, find_layout, open_parts, shown
from algeval.io.opening import table_files
from algeval.io.options import CountOptions, ReadOptions, takes
from algeval.io.reading import refuse_export
from algeval.io.score_tables import scores_in
from algeval.io.sql import LOOKED_AT, count_columns, count_long, count_wide
from algeval.io.tables import (
    FileTable,
    Table,
    arrow_relation,
    is_arrow,
    is_excel,
    is_path,
    is_relation,
    open_frame,
    open_table,
)
from algeval.io.tuples import (
    Counted,
    CountedEach,
    Scan,
    check_items,
    check_there,
    of_file,
    of_relation,
    query_file,
)

__all__ = ["count"]


# --- Count a large file by the rules of reading one, without keeping its items.


LARGE = 100_000
"""Tables with more rows than this are counted where they lie, where counts are enough."""

_COUNTED = {"item", "judge", "answer", "judges", "layout", "missing", "labels", "cut"}
_COUNTED |= {"exact_labels", "map", "format", "reader", "table", "key"}


@dataclass(frozen=True, slots=True)
class Enough:
    """Which counts of a large table will do in place of its votes.

    Attributes
    ----------
    each : bool
        Whether counts of each judge are enough, and a `Summary` will do.
    scored : bool
        Whether a key is wanted for more than to be checked.
    labelled : tuple of str
        Items whose votes are wanted one by one, beside the counts of all.
    """

    each: bool = False
    scored: bool = True
    labelled: tuple[str, ...] = ()


_TUPLES = Enough()


def open_large(source: Any, options: ReadOptions) -> Opened | None:
    """Files of a table that may be large, open; None where they are not to be counted."""
    if options.stated().keys() - _COUNTED:
        return None
    paths = table_files(source, ColumnRoles.of(options), options)
    if not paths or any(is_excel(path) for path in paths) or _surely_small(paths):
        return None
    return open_parts(paths, format=options.format, table=options.table)


def count_large(
    opened: Opened, options: ReadOptions, enough: Enough = _TUPLES, *, scores: bool = False
) -> tuple[Sketch | KeyedSketch | Summary, tuple[str, ...]] | None:
    """Counts and notes that reading a large table gives; None where votes are to be read.

    The layout is that of the first 10,000 rows, then all rows are counted in the memory that DuckDB is
    given; item ids are looked through for repetitions, and forgotten. Votes are to be read where the table
    is small or looks like `scores`, where the key does not know every item and is wanted, and where a
    labelled item is absent. A key is counted that is a column of a wide table.
    """
    key = options.key
    if not (key is None or (isinstance(key, str) and key in opened.cells)):
        return None
    roles, rules = ColumnRoles.of(options).with_key(key), Rules.of(options)
    rows = f"(SELECT * FROM {opened.relation} LIMIT {LARGE + 1})"
    if int(query_file(opened, f"SELECT count(*) AS n FROM {rows}")["n"][0]) <= LARGE:
        return None
    sample = FileTable(
        replace(opened, relation=f"(SELECT * FROM {opened.relation} LIMIT {LOOKED_AT})")
    )
    if not roles.anything:
        refuse_export(sample)
    layout = find_layout(sample, roles)
    if scores and scores_in(sample, layout, rules):
        return None
    for name in filter(None, (*layout.votes, layout.answer, key)):
        opened.check_plain(name)
    counted = _count(of_file(opened), sample, layout, roles, rules, each=enough.each)
    if counted is None:
        return None
    data = _of_key(counted, enough.scored)
    if enough.labelled:
        data = None if key else _with_items(enough.labelled, opened, layout, rules, counted)
    if data is None:
        return None
    rest = (f"columns left out: {shown(layout.rest)}",) if layout.rest else ()
    notes = (*sample.notes, *layout.notes, *rest, *counted.said(rules), _SAID)
    return data, notes


_SAID = (
    f"more than {LARGE} rows: the layout was found from the first {LOOKED_AT}, votes were counted where "
    "they lie, and items were not kept"
)


def _with_items(
    items: tuple[str, ...],
    opened: Opened,
    layout: Layout,
    rules: Rules,
    counted: Counted | CountedEach,
) -> LabelledSketch | None:
    """Counts and the votes on some items; None where an item or an answer is not found."""
    if layout.kind != "wide" or len(layout.item) != 1 or opened.json:
        return None
    if isinstance(counted, CountedEach):
        return None
    cell, run = opened.cells[layout.item[0]], opened.connection.cursor()  # for a table of its own
    run.execute("CREATE OR REPLACE TEMP TABLE labelled (id VARCHAR)")
    run.execute("INSERT INTO labelled SELECT unnest($1)", [list(items)])
    theirs = f"SELECT * FROM {opened.relation} WHERE trim({cell}) IN (SELECT id FROM labelled)"
    try:
        table = FileTable(replace(opened, relation=f"({theirs})", connection=run))
    except DataError:
        return None
    names = wide_items(table, layout)
    chosen = replace(layout, votes=counted.judges, chosen=True)
    _, meaning, codes, _ = wide_votes(table, chosen, rules)
    answers = counted.meaning.answers
    spelled = {rules.form(answer): position for position, answer in enumerate(answers)}
    if set(items) != set(names) or not all(rules.form(a) in spelled for a in meaning.answers):
        return None
    position = np.array(
        [*(spelled[rules.form(a)] for a in meaning.answers), NOT_ANSWERED], np.int16
    )
    axes = counted.judges, counted.meaning.labels, answers
    return LabelledSketch(
        *axes, counted.codes, counted.counts, Votes(names, *axes, position[codes])
    )


def _surely_small(paths: tuple[Path, ...]) -> bool:
    """Whether text is too short to have so many lines."""
    if sum(path.stat().st_size for path in paths) > 2 * LARGE:
        return False
    return not any(is_packed(p) or is_parquet(p) or is_database(p) for p in paths)


def _of_key(counted: Counted | CountedEach, scored: bool) -> Sketch | KeyedSketch | Summary | None:
    """Counts, by true label if that is wanted; None where some true labels are not known."""
    if isinstance(counted, CountedEach) or counted.truth is None:
        return counted.data()
    if not scored:
        return counted.sketch()
    return counted.data() if counted.all_known else None


def _count(
    scan: Scan, sample: Table, layout: Layout, roles: ColumnRoles, rules: Rules, *, each: bool
) -> Counted | CountedEach | None:
    """Count the rows; JSON is parsed once, and what it holds kept on disk meanwhile."""
    names = filter(None, (*layout.item, layout.judge, layout.answer, *layout.votes, roles.key))
    with tempfile.TemporaryDirectory(dir=spill_folder()) as folder:
        if scan.json:
            scan = scan.kept(names, folder)
        if layout.kind == "wide":
            return _count_wide(scan, sample, layout, rules, roles.key)
        return None if roles.key else count_long(scan, layout, roles.judges, rules, each=each)


def _count_wide(
    scan: Scan, sample: Table, layout: Layout, rules: Rules, key: str | None
) -> Counted | None:
    counted = count_wide(scan, sample, layout, rules, key)
    if counted is None or not layout.item:
        return counted
    return counted if check_items(scan, layout.item, int(counted.counts.sum())) else None


# --- Count decision tuples where the data lie: a group-by in DuckDB or in the frame's own engine.


@takes(CountOptions)
def count(source: Any, options: ReadOptions) -> Sketch:
    """Count the decision tuples of a table where it lies, without loading its items.

    Use it for files larger than memory, tables in a database, and the frames of Polars, Dask, Spark and
    Ibis, which count in their own engine: only the distinct tuples come back. The result equals
    ``read_votes(source, ...).sketch()`` with the same options. In a frame, of two spellings that are
    equally common the first in alphabetical order is shown.

    Parameters
    ----------
    source : path, several paths, folder, pattern, data frame (eager or lazy), DuckDB relation, list of dicts
        Wide (a row per item, a column per judge) or long (a row per vote).
    item : str or list of str, optional
        Columns of the item ids: needed for a long table; of a wide one they are looked through for items
        that have two rows, which takes longer than the counting, and are not looked at without it.
    judges : list of str
        Wide: the columns that hold votes, in order. Long: which judges to count, by default all; those of a
        frame are then in natural order.
    {options}

    Raises
    ------
    DataError
        If the source cannot be read as votes, an item or a vote occurs twice, or too many different tuples
        would come back: a frame may have 5,000,000.

    Examples
    --------
    >>> count({"i": ["a", "b", "a"], "j": ["a", "a", None]}, judges=["i", "j"]).to_counts()
    {('a', None): 1, ('a', 'a'): 1, ('b', 'a'): 1}
    >>> votes = {"q": [1, 1, 2], "who": ["i", "j", "i"], "said": ["a", "b", "b"]}
    >>> count(votes, item="q", judge="who", answer="said").to_counts()
    {('a', 'b'): 1, ('b', None): 1}
    """
    roles = ColumnRoles.of(options)
    layout = _layout(roles)
    rules = Rules.of(options)
    refuse_scores(source)
    if isinstance(source, Votes):
        return source.select(roles.judges or source.judges).sketch()
    scan = _scan(source, layout, options)
    if scan is not None:
        return _count_scan(scan, layout, roles, rules).sketch()
    frame = None if is_path(source) else open_frame(source)
    if frame is not None:
        _check_columns(layout, frame.names, f"the {frame.kind}")
        if frame.is_lazy or not frame.mixes(_columns(layout)):
            return count_frame(frame, layout, roles.judges, rules).sketch()
    held = open_table(source)
    _check_columns(layout, held.names, "the table")
    return _sketch_of(held, layout, roles, rules)


def _layout(roles: ColumnRoles) -> Layout:
    """Return what the caller says of the columns."""
    if roles.judge is None and roles.answer is None and roles.judges is not None:
        return Layout("wide", roles.item, votes=roles.judges, chosen=True)
    if not (roles.item and roles.judge and roles.answer):
        raise DataError(
            f"count must be told the columns; got neither {option('judges')} of a wide table nor "
            f"all of {option('item')}, {option('judge')} "
            f"and {option('answer')} of a long one; name them"
        )
    return Layout("long", roles.item, roles.judge, roles.answer)


def _columns(layout: Layout) -> tuple[str, ...]:
    return layout.votes or (*layout.item, layout.judge, layout.answer)


def _check_columns(layout: Layout, names: Iterable[str], what: str) -> None:
    there = tuple(names)
    check_there(layout.votes, there, what)
    check_there(layout.item, there, what, "item")
    for stated, name in (("judge", layout.judge), ("answer", layout.answer)):
        check_there([name] if name else [], there, what, stated)


def _scan(source: Any, layout: Layout, options: ReadOptions) -> Scan | None:
    """Return what DuckDB can go through, None for anything else."""
    votes, format, table = layout.votes or (layout.answer,), options.format, options.table
    if _names_files(source) and not (format in (None, "xlsx") and is_excel(source)):
        paths = table_files(source, ColumnRoles(), ReadOptions(format=format, reader="table"))
        if paths:
            opened = open_parts(paths, format=format, table=table)
        else:
            opened = open_file(source, format=format, table=table)  # says what is wrong with it
        _check_columns(layout, opened.cells, opened.path.name)
        for name in votes:
            opened.check_plain(name)
        return of_file(opened)
    if is_arrow(source) and hasattr(source, "scanner"):  # a stream can be read once only
        source = arrow_relation(source)
    if not is_relation(source):
        return None
    _check_columns(layout, map(str, source.columns), "the relation")
    return of_relation(source, votes)


def _names_files(source: Any) -> bool:
    listed = isinstance(source, list | tuple) and len(source) > 0
    return all(map(is_path, source)) if listed else is_path(source)


def _count_scan(scan: Scan, layout: Layout, roles: ColumnRoles, rules: Rules) -> Counted:
    counted: Counted | CountedEach | None
    if layout.kind == "long":
        counted = count_long(scan, layout, roles.judges, rules)
    else:
        counted = count_columns(scan, layout, rules)
        if (
            counted
            and layout.item
            and not check_items(scan, layout.item, int(counted.counts.sum()))
        ):
            counted = None
    if not isinstance(counted, Counted):
        raise DataError(
            "a table must have item ids of one type, and answers that occur again, to be counted where it "
            "lies; got others; read the votes with read_votes"
        )
    return counted


def _sketch_of(table: Table, layout: Layout, roles: ColumnRoles, rules: Rules) -> Sketch:
    """Counts of a table in memory."""
    if layout.kind == "long":
        _, judges, meaning, codes, _, _ = read_long(table, layout, roles, rules)
    else:
        if layout.item:
            wide_items(table, layout)
        judges, meaning, codes, _ = wide_votes(table, layout, rules)
    return Sketch(judges, meaning.labels, meaning.answers, codes, np.ones(len(codes), np.int64))
