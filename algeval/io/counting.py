"""Count decision tuples where the data lie: a group-by in DuckDB or in the frame's own engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from algeval.data import Sketch, Votes
from algeval.data.names import check_names
from algeval.data.reading import refuse_scores
from algeval.errors import DataError
from algeval.io.answers import MOST_ANSWERS, Rules
from algeval.io.columns import Column, factorise, unmasked
from algeval.io.files import open_file
from algeval.io.json_files import decoded
from algeval.io.layout import shown
from algeval.io.meaning import encode_columns, meaning_of
from algeval.io.opened import nested_cells, one_sentence, sql_text
from algeval.io.parquet_files import cell_as_text, is_nested
from algeval.io.tables import (
    arrow_relation,
    bad_frame,
    bad_relation,
    is_arrow,
    is_excel,
    is_path,
    is_relation,
    open_table,
    series_cells,
    with_named_index,
)

__all__ = ["count", "sketch_of_columns"]

Names = tuple[str, ...]
Run = Callable[[str], Mapping[str, Any]]

_MOST_CELLS = 200_000
"""More distinct cells than this are no answers, and too many for scores to cut."""


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
    that repeated item ids are not looked for, and that of two spellings equally common the one that
    sorts first is shown. Files and DuckDB relations are scanned twice.

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
        return _count_file(source, names, rules, format)
    if is_arrow(source) and hasattr(source, "scanner"):  # a stream can be read once only
        source = arrow_relation(source)
    if is_relation(source):
        return _count_relation(source, names, rules)
    grouped = _grouped_frame(source, names)
    if grouped is None:
        table = open_table(source)
        _known(names, table.names, "the table")
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


def _known(judges: Names, names: Iterable[str], what: str) -> None:
    there = tuple(names)
    unknown = [name for name in judges if name not in there]
    if unknown:
        raise DataError(
            f"judges must name columns of {what}; got {unknown[0]!r}; the columns are {shown(there)}"
        )


def _count_file(source: Any, judges: Names, rules: Rules, format: str | None) -> Sketch:
    import duckdb

    opened = open_file(source, format=format)
    _known(judges, opened.cells, Path(source).name)
    for name in judges:
        opened.check_plain(name)
    cells = [opened.cells[name] for name in judges]

    def run(query: str) -> Mapping[str, Any]:
        try:
            found: Mapping[str, Any] = opened.connection.execute(query).fetchnumpy()
        except duckdb.Error as error:
            raise one_sentence(opened.path, error) from None
        return found

    return _count_sql(run, opened.relation, cells, judges, rules, opened.json)


def _count_relation(source: Any, judges: Names, rules: Rules) -> Sketch:
    import duckdb

    kinds = dict(zip(map(str, source.columns), map(str, source.types), strict=True))
    _known(judges, kinds, "the relation")

    def run(query: str) -> Mapping[str, Any]:
        try:
            found: Mapping[str, Any] = source.query("algeval_votes", query).fetchnumpy()
        except duckdb.Error as error:
            raise bad_relation(error) from None
        return found

    for name in judges:
        if is_nested(kinds[name]):
            raise nested_cells(name)
    cells = [cell_as_text(name, kinds[name]) for name in judges]
    return _count_sql(run, "algeval_votes", cells, judges, rules, False)


def _count_sql(
    run: Run, relation: str, cells: list[str], judges: Names, rules: Rules, from_json: bool
) -> Sketch:
    """Learn the distinct cells in one pass, then group by what they mean in a second."""
    listed = ", ".join(cells)
    found = run(
        f"SELECT cell, count(*) AS n FROM (SELECT unnest([{listed}]) AS cell FROM {relation}) "
        f"WHERE cell IS NOT NULL GROUP BY cell ORDER BY n DESC, cell LIMIT {_MOST_CELLS + 2}"
    )
    raw = [str(cell) for cell in unmasked(found["cell"])]
    if len(raw) > _MOST_CELLS or (rules.cut is None and len(raw) > 10 * MOST_ANSWERS):
        raise DataError(
            f"votes must hold at most {MOST_ANSWERS} different answers; got more than "
            f"{min(len(raw), _MOST_CELLS)} different cells; choose other columns with judges="
        )
    texts = [rules.answer(value) for value in decoded("judges", raw, from_json)]
    votes = np.asarray(found["n"]).tolist()
    meaning = meaning_of([("judges", texts)], _tallied(texts, votes), rules)
    grouped = run(_group_query(relation, cells, raw, list(meaning.codes[0])))
    codes = np.stack([np.asarray(grouped[f"a{place}"]) for place in range(len(judges))], axis=1)
    counts = np.asarray(grouped["n"])
    return Sketch(judges, meaning.labels, meaning.answers, codes.astype(np.int16), counts)


def _tallied(texts: list[str | None], votes: list[int]) -> dict[str, tuple[int, int]]:
    """Return {answer: (votes, place)}; of equally many votes the text that sorts first comes first."""
    found: dict[str, tuple[int, int]] = {}
    for place, (text, n) in enumerate(zip(texts, votes, strict=True)):
        if text is not None:
            before, at = found.get(text, (0, place))
            found[text] = (before + n, at)
    return found


def _group_query(relation: str, cells: list[str], raw: list[str], codes: list[int]) -> str:
    texts = ", ".join(map(sql_text, raw))
    numbers = ", ".join(map(str, codes))
    columns = ", ".join(f"{cell} AS r{place}" for place, cell in enumerate(cells))
    picked = ", ".join(f"coalesce(m{p}.code, -1) AS a{p}" for p in range(len(cells)))
    joins = " ".join(
        f"LEFT JOIN meaning m{place} ON r{place} = m{place}.raw" for place in range(len(cells))
    )
    return (
        f"WITH meaning AS MATERIALIZED (SELECT unnest([{texts}]) AS raw, "
        f"unnest([{numbers}]::SMALLINT[]) AS code), votes AS (SELECT {columns} FROM {relation}) "
        f"SELECT {picked}, count(*) AS n FROM votes {joins} GROUP BY ALL"
    )


def _grouped_frame(source: Any, judges: Names) -> tuple[list[Any], Any] | None:
    """Group a data frame by its judges' columns, in its own engine; None if it is no frame."""
    import narwhals as nw

    kind = f"{type(source).__module__.split('.')[0]} {type(source).__name__}"
    try:
        frame: Any = nw.from_native(with_named_index(source), pass_through=True)
        if not isinstance(frame, nw.DataFrame | nw.LazyFrame):
            return None
        native = {str(name): name for name in frame.collect_schema().names()}
    except (ValueError, nw.exceptions.NarwhalsError) as error:
        raise bad_frame(kind, error) from None
    _known(judges, native, f"the {kind}")
    keys = [native[name] for name in judges]
    total = "algeval count"
    try:
        grouped: Any = frame.group_by(*keys).agg(nw.len().alias(total))
    except TypeError:
        raise DataError(
            f"the judges' columns of the {kind} must hold one plain value per cell; got lists or objects; "
            "flatten them"
        ) from None
    if isinstance(grouped, nw.LazyFrame):
        grouped = grouped.collect()
    counts = np.asarray(grouped[total].to_list(), np.int64)
    return [series_cells(grouped[key]) for key in keys], counts
