"""Count decision tuples where the data lie: a group-by in DuckDB or in the frame's own engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from algeval.data import Sketch, Votes
from algeval.data.reading import refuse_scores
from algeval.errors import DataError
from algeval.io.answers import Rules
from algeval.io.counting.counted import Counted, CountedEach
from algeval.io.counting.items import check_items
from algeval.io.counting.long import count_long
from algeval.io.counting.scan import Scan, known, of_file, of_relation
from algeval.io.counting.wide import count_columns
from algeval.io.engines.counted import count_frame
from algeval.io.engines.frame import open_frame
from algeval.io.files import open_file
from algeval.io.layout import Asked, Layout
from algeval.io.long import read_long
from algeval.io.opening import Ways, table_files
from algeval.io.shards import open_parts
from algeval.io.tables import (
    Table,
    arrow_relation,
    is_arrow,
    is_excel,
    is_path,
    is_relation,
    open_table,
)
from algeval.io.wide import wide_items, wide_votes

__all__ = ["count"]


def count(
    source: Any,
    *,
    judges: Iterable[object] | None = None,
    item: str | Iterable[object] | None = None,
    judge: object = None,
    answer: object = None,
    labels: Iterable[object] | None = None,
    cut: object = None,
    format: str | None = None,
    table: str | None = None,
    missing: str | Iterable[object] | None = None,
    exact_labels: bool = False,
    map: Mapping[Any, object] | None = None,
) -> Sketch:
    """Count the decision tuples of a table where it lies, without loading its items.

    Use it for files larger than memory, tables in a database, and the frames of Polars, Dask, Spark and
    Ibis, which count in their own engine: only the distinct tuples come back. The result equals
    ``read_votes(source, ...).sketch()`` with the same options. In a frame, of two spellings that are
    equally common the first in alphabetical order is shown.

    Parameters
    ----------
    source : path, several paths, folder, pattern, data frame (eager or lazy), DuckDB relation, list of dicts
        Wide (a row per item, a column per judge) or long (a row per vote).
    judges : list of str
        Wide: the columns that hold votes, in order. Long: which judges to count, by default all; those of a
        frame are then in natural order.
    item : str or list of str, optional
        Columns of the item ids: needed for a long table; of a wide one they are looked through for items
        that have two rows, which takes longer than the counting, and are not looked at without it.
    judge, answer : str, optional
        Columns of a long table.
    labels, cut, format, table, missing, exact_labels, map
        As for `read_votes`.

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
    asked = Asked.make(item, judge, answer, judges)
    layout = _layout(asked)
    rules = Rules.make(missing, labels, cut, exact_labels, map)
    refuse_scores(source)
    if isinstance(source, Votes):
        return source.select(asked.judges or source.judges).sketch()
    scan = _scan(source, layout, format, table)
    if scan is not None:
        return _count_scan(scan, layout, asked, rules).sketch()
    frame = None if is_path(source) else open_frame(source)
    if frame is not None:
        _known(layout, frame.names, f"the {frame.kind}")
        if frame.is_lazy or not frame.mixes(_columns(layout)):
            return count_frame(frame, layout, asked.judges, rules).sketch()
    held = open_table(source)
    _known(layout, held.names, "the table")
    return _sketch_of(held, layout, asked, rules)


def _layout(asked: Asked) -> Layout:
    """Return what the caller says of the columns."""
    if asked.judge is None and asked.answer is None and asked.judges is not None:
        return Layout("wide", asked.item, votes=asked.judges, chosen=True)
    if not (asked.item and asked.judge and asked.answer):
        raise DataError(
            "count must be told the columns; got neither judges= of a wide table nor all of item=, judge= "
            "and answer= of a long one; name them"
        )
    return Layout("long", asked.item, asked.judge, asked.answer)


def _columns(layout: Layout) -> tuple[str, ...]:
    return layout.votes or (*layout.item, layout.judge, layout.answer)


def _known(layout: Layout, names: Iterable[str], what: str) -> None:
    there = tuple(names)
    known(layout.votes, there, what)
    known(layout.item, there, what, "item")
    for option, name in (("judge", layout.judge), ("answer", layout.answer)):
        known([name] if name else [], there, what, option)


def _scan(source: Any, layout: Layout, format: str | None, table: str | None) -> Scan | None:
    """Return what DuckDB can go through, None for anything else."""
    votes = layout.votes or (layout.answer,)
    if _names_files(source) and not (format in (None, "xlsx") and is_excel(source)):
        paths = table_files(source, Asked(), Ways(format, reader="table"))
        if paths:
            opened = open_parts(paths, format=format, table=table)
        else:
            opened = open_file(source, format=format, table=table)  # says what is wrong with it
        _known(layout, opened.cells, opened.path.name)
        for name in votes:
            opened.check_plain(name)
        return of_file(opened)
    if is_arrow(source) and hasattr(source, "scanner"):  # a stream can be read once only
        source = arrow_relation(source)
    if not is_relation(source):
        return None
    _known(layout, map(str, source.columns), "the relation")
    return of_relation(source, votes)


def _names_files(source: Any) -> bool:
    listed = isinstance(source, list | tuple) and len(source) > 0
    return all(map(is_path, source)) if listed else is_path(source)


def _count_scan(scan: Scan, layout: Layout, asked: Asked, rules: Rules) -> Counted:
    counted: Counted | CountedEach | None
    if layout.kind == "long":
        counted = count_long(scan, layout, asked.judges, rules)
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


def _sketch_of(table: Table, layout: Layout, asked: Asked, rules: Rules) -> Sketch:
    """Return the counts of a table in memory."""
    if layout.kind == "long":
        _, judges, meaning, codes, _, _ = read_long(table, layout, asked, rules)
    else:
        if layout.item:
            wide_items(table, layout)
        judges, meaning, codes, _ = wide_votes(table, layout, rules)
    return Sketch(judges, meaning.labels, meaning.answers, codes, np.ones(len(codes), np.int64))
