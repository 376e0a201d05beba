"""Read votes from a file, a frame or records, wide or long, and say what was done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np

from algeval.data import NOT_ANSWERED, Votes
from algeval.data.names import Codes, read_only
from algeval.data.reading import refuse_scores
from algeval.errors import DataError
from algeval.io.answers import Rules, answer_notes
from algeval.io.exports import refuse_export
from algeval.io.files import is_document
from algeval.io.items.keys import KeySource, key_codes, key_source
from algeval.io.layout import Asked, find_layout, needed_columns, shown
from algeval.io.long import read_long
from algeval.io.opening import Ways, open_source
from algeval.io.tables import Table, is_path
from algeval.io.wide import read_wide

__all__ = ["read_votes", "read_votes_with_notes", "votes_of_table"]


def read_votes(
    source: Any,
    *,
    item: str | Iterable[object] | None = None,
    judge: object = None,
    answer: object = None,
    judges: Iterable[object] | None = None,
    key: Any = None,
    labels: Iterable[object] | None = None,
    cut: object = None,
    format: str | None = None,
    layout: str | None = None,
    missing: str | Iterable[object] | None = None,
    exact_labels: bool | None = None,
    map: Mapping[Any, object] | None = None,
    reader: str | None = None,
    question: str | None = None,
    swap: str | None = None,
    table: str | None = None,
    latest: bool | None = None,
    ground_truth: str | None = None,
) -> Votes:
    """Read votes from CSV, TSV, JSON lines, Parquet or Excel, a tool's files, any data frame, or records.

    Use it for every table of votes that fits in memory; `count` counts larger ones where they lie.
    The layout is found by looking at column names and content, and every guess can be overridden;
    `read_votes_with_notes` says what was guessed.

    Parameters
    ----------
    source : path, data frame, DuckDB relation, list of dicts, {column: cells}, 2-d array or Votes
        A path may name a file, a folder or a pattern of files; a list may hold several paths. A table is
        wide (a row per item, a column per judge) or long (a row per vote). The columns of an array, or of a
        list of lists, are the judges "judge 1", "judge 2", ...
    item : str or list of str, optional
        Column of the item ids; several columns are joined by ":". A wide table without one gets
        its row numbers 1, 2, ... as ids.
    judge, answer : str, optional
        Columns of a long table.
    judges : list of str, optional
        Columns (wide) or names (long) to keep, in this order; needed for a wide table with columns
        that are no votes.
    key : str, path, {item: truth} or data frame, optional
        A column of `source`, or a table of items and truths. For scoring only: labels are read
        from the answers.
    labels : list, optional
        The possible truths, in order; other answers are kept and never correct.
    cut : number, optional
        Scores at or above it become label "1", below it "0"; so does a numeric key unless it is
        0/1 already.
    format : {"csv", "tsv", "jsonl", "parquet", "xlsx"}, optional
        By default the extension decides, else the first bytes.
    layout : {"wide", "long"}, optional
        By default found by looking.
    missing : list of str, optional
        Further texts that mean "not answered", beside an empty cell, NA, NaN, null and None. "error",
        "ignore", "[invalid]" and their like do where two other answers are left, unless `labels` has them.
    exact_labels : bool, optional
        Keep "Yes", "YES" and "yes." apart. By default labels that differ in case, space and trailing
        punctuation only are one, in the spelling of `labels`, else the commonest, else the first; the
        answer key is read alike.
    map : {answer: label}, optional
        New names for answers, such as ``{"yes": 1, "no": 0}``; answers that it leaves out keep theirs.
    reader : str, optional
        The reader of the tool that wrote the files, or "table" for none. By default found by looking,
        where nothing was said of format, layout or columns.
    question : str, optional
        Which question (scorer, metric, task) of files that ask several.
    swap : {"two", "agree"}, optional
        Of pairs judged in both orders: two judges, the default, or one who is "inconsistent" where they
        differ.
    table : str, optional
        Of a DuckDB or SQLite file, which table or view; by default the only one.
    latest : bool, optional
        Where a tool's file holds several votes of a judge on an item, the newest counts. By default they
        are refused.
    ground_truth : {"key", "as-votes"}, optional
        Label Studio's annotations marked as ground truth are the key, the default, or votes where every
        annotation is so marked, as imported ones are.

    Returns
    -------
    Votes
        Numbers have one spelling, so 1 and 1.0 are the same answer "1".

    Raises
    ------
    DataError
        If the source cannot be read as votes; one sentence says why and what to do.

    Examples
    --------
    >>> rows = [{"item": 1, "gpt4": "a", "human": "b"}, {"item": 2, "gpt4": "b", "human": None}]
    >>> read_votes(rows).codes.tolist()
    [[0, 1], [1, -1]]
    """
    votes, _ = read_votes_with_notes(
        source,
        item=item,
        judge=judge,
        answer=answer,
        judges=judges,
        key=key,
        labels=labels,
        cut=cut,
        format=format,
        layout=layout,
        missing=missing,
        exact_labels=exact_labels,
        map=map,
        reader=reader,
        question=question,
        swap=swap,
        table=table,
        latest=latest,
        ground_truth=ground_truth,
    )
    return votes


def read_votes_with_notes(
    source: Any,
    *,
    item: str | Iterable[object] | None = None,
    judge: object = None,
    answer: object = None,
    judges: Iterable[object] | None = None,
    key: Any = None,
    labels: Iterable[object] | None = None,
    cut: object = None,
    format: str | None = None,
    layout: str | None = None,
    missing: str | Iterable[object] | None = None,
    exact_labels: bool | None = None,
    map: Mapping[Any, object] | None = None,
    reader: str | None = None,
    question: str | None = None,
    swap: str | None = None,
    table: str | None = None,
    latest: bool | None = None,
    ground_truth: str | None = None,
) -> tuple[Votes, tuple[str, ...]]:
    """Read votes as `read_votes` does, and return with them one sentence per thing done.

    Parameters and errors are those of `read_votes`. The notes say which format and layout were
    found, which columns were left out, what was cut, and how many votes are missing.

    Examples
    --------
    >>> votes, notes = read_votes_with_notes({"gpt4": ["a", "b"], "human": ["a", "a"]})
    >>> notes[1]
    'wide layout (found by looking): no item column, row numbers are the ids'
    """
    if isinstance(source, Votes):
        others = {"item": item, "judge": judge, "answer": answer, "key": key, "labels": labels}
        others |= {"cut": cut, "format": format, "layout": layout, "missing": missing}
        others |= {"exact_labels": exact_labels or None, "map": map}
        others |= {"reader": reader, "question": question, "swap": swap, "table": table}
        others |= {"latest": latest or None, "ground_truth": ground_truth}
        return _of_votes(source, judges, others)
    refuse_scores(source)
    if is_path(source) and is_document(source):
        raise DataError(
            f"source must be a table of votes; got {str(source)!r}, a document written by algeval; read it "
            "with read_sketch or load"
        )
    asked = Asked.make(item, judge, answer, judges, layout)
    rules = Rules.make(missing, labels, cut, exact_labels, map)
    with_key = asked.with_key(key if isinstance(key, str) else None)
    needed = partial(needed_columns, asked=with_key)
    ways = Ways(format, reader, question, swap, table, latest, ground_truth)
    opened, asked = open_source(source, asked, ways, needed)
    truth = key_source(opened, key)
    return votes_of_table(opened, asked.with_key(truth.column), rules, truth)


def _of_votes(
    votes: Votes, judges: Iterable[object] | None, others: Mapping[str, Any]
) -> tuple[Votes, tuple[str, ...]]:
    given = [name for name, value in others.items() if value is not None]
    if given:
        raise DataError(
            f"Votes must be passed without reading options; got {given[0]}=; leave it out or build "
            "new Votes"
        )
    return (votes if judges is None else votes.select(judges)), ("source is Votes already",)


def votes_of_table(
    table: Table, asked: Asked, rules: Rules, truth: KeySource
) -> tuple[Votes, tuple[str, ...]]:
    """Return the votes of a table and one sentence per thing done."""
    if not asked.anything:
        refuse_export(table)
    layout = find_layout(table, asked)
    reader = read_long if layout.kind == "long" else read_wide
    items, names, meaning, codes, row_items, notes = reader(table, layout, asked, rules)
    places, key_notes = key_codes(truth, table, items, row_items, meaning, rules)
    key = None if places is None else places.astype(np.int16)
    read_only(codes)
    votes = Votes(items, names, meaning.labels, meaning.answers, codes, key)
    said = (*meaning.notes, *answer_notes(meaning.labels, meaning.answers, rules))
    rest = (f"columns left out: {shown(layout.rest)}",) if layout.rest else ()
    all_notes = (
        *table.notes,
        *layout.notes,
        *rest,
        *notes,
        *said,
        *key_notes,
        *_missing_note(codes),
    )
    return votes, all_notes


def _missing_note(codes: Codes) -> tuple[str, ...]:
    absent = int((codes == NOT_ANSWERED).sum())
    return (f"{absent} of {np.size(codes)} votes missing",)
