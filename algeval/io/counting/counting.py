"""Count decision tuples where the data lie: a group-by in DuckDB or in the frame's own engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np

from algeval.data import Sketch, Votes
from algeval.data.names import check_names
from algeval.data.reading import refuse_scores
from algeval.io.answers import Rules
from algeval.io.columns import Column, factorise
from algeval.io.counting.counted import Counted
from algeval.io.counting.frames import grouped_frame
from algeval.io.counting.scan import Scan, known, of_file, of_relation
from algeval.io.counting.wide import count_columns
from algeval.io.files import open_file
from algeval.io.layout import Layout
from algeval.io.meaning import encode_columns
from algeval.io.tables import arrow_relation, is_arrow, is_excel, is_path, is_relation, open_table

__all__ = ["count", "sketch_of_columns"]

Names = tuple[str, ...]


def count(
    source: Any,
    *,
    judges: Iterable[object],
    labels: Iterable[object] | None = None,
    cut: object = None,
    format: str | None = None,
    missing: str | Iterable[object] | None = None,
    exact_labels: bool = False,
    map: Mapping[Any, object] | None = None,
) -> Sketch:
    """Count the decision tuples of a wide table without loading its items.

    Use it for files larger than memory, lazy frames and tables in a database: only the distinct
    tuples come back. The result equals ``read_votes(source, judges=judges, ...).sketch()``, except
    that repeated item ids are not looked for. Files and DuckDB relations are scanned once, or twice where
    more than 100,000 different rows occur. Of two spellings equally common in a frame, either is shown.

    Parameters
    ----------
    source : path, data frame (eager or lazy), DuckDB relation or list of dicts
        A wide table: a row per item, a column per judge.
    judges : list of str
        The columns that hold votes, in order.
    labels, cut, format, missing, exact_labels, map
        As for `read_votes`.

    Raises
    ------
    DataError
        If the source cannot be read as votes.

    Examples
    --------
    >>> count({"i": ["a", "b", "a"], "j": ["a", "a", None]}, judges=["i", "j"]).to_counts()
    {('a', None): 1, ('a', 'a'): 1, ('b', 'a'): 1}
    """
    names = check_names("judge", judges)
    rules = Rules.make(missing, labels, cut, exact_labels, map)
    refuse_scores(source)
    if isinstance(source, Votes):
        return source.select(names).sketch()
    if is_path(source) and not (format in (None, "xlsx") and is_excel(source)):
        opened = open_file(source, format=format)
        known(names, opened.cells, Path(source).name)
        for name in names:
            opened.check_plain(name)
        return _count_scan(of_file(opened), names, rules)
    if is_arrow(source) and hasattr(source, "scanner"):  # a stream can be read once only
        source = arrow_relation(source)
    if is_relation(source):
        return _count_scan(of_relation(source, names), names, rules)
    grouped = grouped_frame(source, names)
    if grouped is None:
        table = open_table(source)
        known(names, table.names, "the table")
        columns = [table.column(name) for name in names]
        return sketch_of_columns(columns, np.ones(table.n_rows, np.int64), rules)
    columns = [factorise(name, cells) for name, cells in zip(names, grouped[0], strict=True)]
    return sketch_of_columns(columns, grouped[1], rules)


def sketch_of_columns(columns: list[Column], counts: Any, rules: Rules) -> Sketch:
    """Return the sketch of tuples given by column; equal tuples are added up."""
    weights = np.asarray(counts)
    meaning, codes = encode_columns(columns, rules, weights)
    judges = tuple(c.name for c in columns)
    return Sketch(judges, meaning.labels, meaning.answers, codes, weights)


def _count_scan(scan: Scan, judges: Names, rules: Rules) -> Sketch:
    named = Layout("wide", (), votes=judges, chosen=True)
    return cast(Counted, count_columns(scan, named, rules)).sketch()
