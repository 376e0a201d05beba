"""`read_votes`, `load`, and the examples that come with the package."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np

from algeval.data import NOT_ANSWERED, KeyedSketch, Scores, Sketch, Summary, Votes
from algeval.data.names import Caution, Codes, check_choice, check_names, folded, read_only
from algeval.data.reading import refuse_scores
from algeval.data.sketch import keyed_by_row
from algeval.errors import DataError
from algeval.io.answers import (
    Column,
    Places,
    Rules,
    answer_notes,
    as_number,
    encode_columns,
    plain,
    tidy,
)
from algeval.io.formats import is_document
from algeval.io.items import KeySource, key_codes, key_source, read_long, read_wide
from algeval.io.layout import (
    ITEM_NAMES,
    JUDGE_NAMES,
    KEY_NAMES,
    Asked,
    find_layout,
    known_columns,
    match,
    needed_columns,
    shown,
)
from algeval.io.opening import Ways, open_source
from algeval.io.readers.base import parsed, unlike
from algeval.io.tables import Table, is_path, open_table
from algeval.result import exact

# --- Tables of known tools whose columns mean something else than their names suggest.


@dataclass(frozen=True, slots=True)
class _Export:
    """A table told by its columns, why it is no plain table of votes, and what to do."""

    columns: frozenset[str]
    name: str
    advice: str
    applies: Callable[[Table], bool] = lambda table: True


def _several_names(table: Table) -> bool:
    name = "name" if "name" in table.names else "annotation_name"
    return len({plain(value) for value in table.column(name).values} - {None}) > 1


def _unlike_feedback(table: Table) -> bool:
    """Whether evaluators give answers that have nothing in common."""
    columns = [table.column(name) for name in table.names if name.startswith("feedback.")]
    answers = [{tidy(value) for value in column.values} - {None} for column in columns]
    return unlike({str(a) for a in found} for found in answers)


def _any_rejected(table: Table) -> bool:
    return any(plain(value) == "Rejected" for value in table.column("AssignmentStatus").values)


def _many_votes_an_item(table: Table) -> bool:
    """Whether rows are votes of several judges, not items with one winner each."""
    if match(table.names, [name for name in JUDGE_NAMES if name != "model"]) is not None:
        return True
    item = match(table.names, ITEM_NAMES)
    return item is not None and len(table.column(item).values) < table.n_rows


_PAIRS = (
    "pair comparisons in which the two models may change places from row to row; make one item of "
    "question and models in one fixed order, name the winner by its place in it, and pass item=, judge= "
    "and answer="
)

_EXPORTS = (
    _Export(frozenset({"model_a", "model_b", "winner"}), "arena", _PAIRS, _many_votes_an_item),
    _Export(frozenset({"model_1", "model_2", "g1_winner", "g2_winner"}), "FastChat", _PAIRS),
    _Export(
        frozenset({"traceId", "name", "dataType", "value"}),
        "Langfuse",
        "scores, a row each; pass item='traceId', judge='name' and answer='stringValue' (or answer='value' "
        "for numbers)",
    ),
    _Export(
        frozenset({"span_id", "name", "identifier", "annotator_kind"}),
        "Phoenix",
        "annotations of several questions (column 'name'); keep the rows of one question, and pass "
        "item='span_id', judge='identifier', answer='label'",
        _several_names,
    ),
    _Export(
        frozenset({"span_id", "annotation_name", "identifier", "annotator_kind"}),
        "Phoenix",
        "annotations of several questions (column 'annotation_name'); keep the rows of one question, and "
        "pass item='span_id', judge='identifier', answer='result.label'",
        _several_names,
    ),
    _Export(
        frozenset({"example_id", "execution_time"}),
        "LangSmith",
        "feedback of evaluators whose answers have nothing in common; name in judges= the columns feedback.* "
        "that answer one question",
        _unlike_feedback,
    ),
    _Export(
        frozenset({"trace_id", "assessments"}),
        "MLflow",
        "traces with a list of assessments each; write them as JSON lines and name the file, or one row "
        "per assessment: trace_id as item, source.source_id as judge, feedback.value as answer",
    ),
    _Export(
        frozenset({"_input_hash", "options", "accept"}),
        "Prodigy",
        "choices in the list 'accept'; name the file of JSON lines, or write its one entry as the answer and "
        "pass item='_input_hash', judge='_annotator_id'",
    ),
    _Export(
        frozenset({"HITId", "WorkerId", "AssignmentStatus"}),
        "Mechanical Turk",
        "assignments, some of them rejected; name the CSV file, or leave those out and pass item='HITId', "
        "judge='WorkerId' and the answer column with answer=",
        _any_rejected,
    ),
    _Export(
        frozenset({"HITId", "WorkerId", "AssignmentStatus"}),
        "Mechanical Turk",
        "assignments; pass item='HITId', judge='WorkerId' and the answer column with answer=",
    ),
)


def refuse_export(table: Table) -> None:
    """Refuse a known tool's table, where nobody said what its columns are.

    Raises
    ------
    DataError
        If the table is one of those known; the sentence says how to read it.
    """
    names = set(table.names)
    for export in _EXPORTS:
        if export.columns <= names and export.applies(table):
            raise DataError(
                f"a table of votes must be wide or long; got one of {export.name} by its columns "
                f"{shown(sorted(export.columns))}, which holds {export.advice}"
            )


# --- Read votes from a file, a frame or records, wide or long, and say what was done.


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
    'wide layout (auto-detected): no item column, row numbers are the ids'
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
    truth = key_source(opened, key, source)
    return votes_of_table(opened, asked.with_key(truth.taken), rules, truth)


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
    said = (*meaning.notes, *answer_notes(meaning.labels, meaning.answers, rules))
    if not (asked.judges or asked.judge or asked.answer or asked.layout or rules.labels):
        _refuse_one_text_each(names, meaning.answers, codes)
    rest = (f"columns left out: {shown(layout.rest)}",) if layout.rest else ()
    odd = () if rules.labels else _totals_note(items, meaning.answers, codes)
    all_notes = (
        *table.notes,
        *layout.notes,
        *rest,
        *notes,
        *said,
        *odd,
        *key_notes,
        *_missing_note(codes),
    )
    votes = Votes(items, names, meaning.labels, meaning.answers, codes, key, all_notes)
    return votes, all_notes


def _missing_note(codes: Codes) -> tuple[str, ...]:
    absent = int((codes == NOT_ANSWERED).sum())
    return (f"{absent} of {np.size(codes)} votes missing",)


def _refuse_one_text_each(judges: Sequence[str], answers: Sequence[str], codes: Codes) -> None:
    """Refuse a lone judge that says something else of every item: a column of text was taken for votes."""
    texts = all(as_number(answer) is None for answer in answers)
    if len(judges) == 1 and len(answers) > 2 and texts and (codes >= 0).sum() == len(answers):
        raise DataError(
            f"answers must occur again; the only judge, {judges[0]!r}, gives a text of its own to every item "
            f"(such as {answers[0]!r}); name the columns of votes with judges=, or judge= and answer="
        )


_TOTALS = frozenset(
    {"total", "totals", "grand total", "subtotal", "sum", "overall", "average", "mean"}
)


def _totals_note(items: Sequence[str], answers: Sequence[str], codes: Codes) -> tuple[str, ...]:
    """Say where the last item looks like totals, or where few numbers stand among words."""
    note = "; leave such a row out, or name what means no vote in missing="
    if len(items) > 2 and folded(items[-1]) in _TOTALS:
        return (Caution(f"the last item, {items[-1]!r}, looks like a row of totals{note}"),)
    number = np.array([as_number(answer) is not None for answer in answers] + [False])
    if not number.any() or number[:-1].all():
        return ()
    counts = np.bincount(codes[codes >= 0], minlength=len(answers))
    n, others = int(counts[number[:-1]].sum()), counts[~number[:-1]]
    rows = np.flatnonzero(number[codes].any(axis=1))
    if not n or n > 2 * codes.shape[1] or 2 * n > others.sum() or others.max() < 2:
        return ()
    found = [answer for answer, is_one in zip(answers, number, strict=False) if is_one]
    of = shown([items[row] for row in rows.tolist()], 3)
    return (Caution(f"numbers among words, {shown(found, 4)} of item {of}, may be totals{note}"),)


# --- Read counts and the JSON documents the package writes, and tell them from tables of votes.


Document = Sketch | KeyedSketch | Summary | Votes | Scores
_CLASSES: dict[str, type[Document]] = {
    "algeval.sketch/1": Sketch,
    "algeval.keyed_sketch/1": KeyedSketch,
    "algeval.summary/1": Summary,
    "algeval.votes/1": Votes,
    "algeval.scores/1": Scores,
}


def read_sketch(path: str | os.PathLike[str]) -> Document:
    """Read a JSON file written from `to_dict` of a Sketch, KeyedSketch, Summary, Votes or Scores.

    Parameters
    ----------
    path : path
        The schema tag in the file says which of them it is; its digest is checked.

    Raises
    ------
    DataError
        If the file is no such document.

    Examples
    --------
    >>> import json, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "s.json"
    >>> _ = path.write_text(json.dumps(Sketch.from_counts({"ab": 2}).to_dict()))
    >>> read_sketch(path).n_items
    2
    """
    if not is_path(path):
        raise DataError(
            f"path must name a file; got {type(path).__name__}; write its path, or use load for other data"
        )
    document = _document(Path(path))
    schema = document.get("schema") if isinstance(document, Mapping) else None
    if not isinstance(document, Mapping) or schema not in _CLASSES:
        raise DataError(
            f"{Path(path).name} must be a sketch, summary, votes or scores document; got schema {schema!r}; "
            f"the schema must be one of {list(_CLASSES)}"
        )
    try:
        return _CLASSES[schema].from_dict(document)
    except DataError:
        raise
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise DataError(
            f"{Path(path).name} must be a whole {schema} document; got a broken one "
            f"({type(error).__name__}: {error}); write it again"
        ) from None


def _document(path: Path) -> Any:
    try:
        return parsed(path.read_bytes().decode("utf-8-sig"), path.name)
    except DataError:
        raise
    except OSError as error:
        raise DataError(
            f"source must be a readable file; got {str(path)!r}; {error.strerror}"
        ) from None
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path.name} must be a JSON document; {error}; check the file") from None


def read_counts(
    source: Any,
    *,
    judges: Iterable[object] | None = None,
    count: str = "count",
    labels: Iterable[object] | None = None,
    format: str | None = None,
    missing: str | Iterable[object] | None = None,
    exact_labels: bool | None = None,
    map: Mapping[Any, object] | None = None,
) -> Sketch:
    """Read a table of counted decision tuples: a column per judge and one of counts.

    Parameters
    ----------
    source : path, data frame, list of dicts or {column: cells}
        A row per decision tuple; rows with the same tuple are added up.
    judges : list of str, optional
        Columns that hold answers; all but `count` by default.
    count : str
        The column of counts, whole numbers.
    labels, format, missing, exact_labels, map
        As for `read_votes`.

    Raises
    ------
    DataError
        If a column is missing or a count is no whole number.

    Examples
    --------
    >>> read_counts({"i": ["a", "b"], "j": ["a", "a"], "count": [3, 4]}).to_counts()
    {('a', 'a'): 3, ('b', 'a'): 4}
    """
    rules = Rules.make(missing, labels, None, exact_labels, map)
    return _sketch_of_table(source, judges, count, format, rules)[0]


def _sketch_of_table(
    source: Any, judges: Iterable[object] | None, count: str, format: str | None, rules: Rules
) -> tuple[Sketch, tuple[str, ...]]:
    columns, counts, _ = _counted(source, judges, count, None, format)
    meaning, codes = encode_columns(columns, rules, counts)
    names = tuple(column.name for column in columns)
    sketch = Sketch(names, meaning.labels, meaning.answers, codes, counts)
    return sketch, (*meaning.notes, *answer_notes(meaning.labels, meaning.answers, rules))


def read_keyed_counts(
    source: Any,
    *,
    key: str,
    judges: Iterable[object] | None = None,
    count: str = "count",
    labels: Iterable[object] | None = None,
    format: str | None = None,
    missing: str | Iterable[object] | None = None,
    exact_labels: bool | None = None,
    map: Mapping[Any, object] | None = None,
) -> KeyedSketch:
    """Read counted decision tuples whose true label stands in the column `key`.

    Other parameters and errors are those of `read_counts`; labels are read from the answers.

    Examples
    --------
    >>> table = {"i": ["a", "b"], "truth": ["b", "b"], "count": [3, 4]}
    >>> read_keyed_counts(table, key="truth").evaluation().accuracy("i", "b")
    Fraction(4, 7)
    """
    rules = Rules.make(missing, labels, None, exact_labels, map)
    return _keyed_of_table(source, judges, count, key, format, rules)[0]


def _keyed_of_table(
    source: Any,
    judges: Iterable[object] | None,
    count: str,
    key: str,
    format: str | None,
    rules: Rules,
) -> tuple[KeyedSketch, tuple[str, ...]]:
    columns, counts, truth = _counted(source, judges, count, key, format)
    meaning, codes = encode_columns(columns, rules, counts)
    names = meaning.labels
    place = {label: t for t, label in enumerate(names)}
    read = [] if truth is None else [*meaning.spelling.all(rules.read(truth)), None]
    truths = [] if truth is None else [read[code] for code in truth.codes.tolist()]
    for row, label in enumerate(truths, start=1):
        if label not in place:
            raise DataError(
                f"every true label must be one of the labels {list(names)}; got {label!r} in row {row}; "
                "pass labels= to add it"
            )
    sketch = Sketch(tuple(c.name for c in columns), names, meaning.answers, codes, counts)
    known = np.array([place[str(label)] for label in truths], np.intp)
    notes = (*meaning.notes, *answer_notes(names, meaning.answers, rules))
    return keyed_by_row(sketch, codes, counts, known), notes


def _counted(
    source: Any,
    judges: Iterable[object] | None,
    count: str,
    key: str | None,
    format: str | None,
) -> tuple[list[Column], Places, Column | None]:
    table = open_table(source, format=format)
    known_columns(table, [("count", count), ("key", key)])
    if judges is None:
        rest = [name for name in table.names if name not in (count, key)]
        odd = match(rest, [*ITEM_NAMES, *KEY_NAMES])
        if odd is not None:
            raise DataError(
                f"a table of counts must hold one column per judge; {odd!r} does not look like one; name "
                f"the judges among {shown(rest)} with judges="
            )
        names = check_names("judge", rest)
    else:
        names = check_names("judge", judges)
        known_columns(table, [("judges", name) for name in names])
    columns = [table.column(name) for name in names]
    return columns, _whole(table.column(count)), None if key is None else table.column(key)


def _whole(column: Column) -> Places:
    numbers = []
    blank = [plain(value) is None for value in column.values]
    empty = np.flatnonzero(column.look_up(list(map(int, blank))) != 0)
    if len(empty):
        raise DataError(
            f"column {column.name!r} must hold a count in every row; row {empty[0] + 1} has none; fill it"
        )
    for value in column.values:
        text = plain(value) or ""
        number = exact(text, f"column {column.name!r}")
        if number.denominator != 1 or not 0 <= number < 2**63:
            raise DataError(
                f"column {column.name!r} must hold whole numbers from 0 to 2^63-1; got {text!r}; count items"
            )
        numbers.append(int(number))
    return column.look_up(numbers)


def load(source: Any, **options: Any) -> Document:
    """Read whatever a person names: a JSON document by its schema tag, else votes.

    Parameters
    ----------
    source : path, data frame, records, or an object of the data layer (returned as it is)
    **options
        Passed to `read_votes`; with ``count=`` a column name, `read_counts` reads the table, or
        `read_keyed_counts` where ``key=`` names a column too.

    Raises
    ------
    DataError
        If the source cannot be read, or options are given for a JSON document.

    Examples
    --------
    >>> load({"gpt4": ["a", "b"], "human": ["a", "a"]}).n_items
    2
    """
    return load_with_notes(source, **options)[0]


def load_with_notes(source: Any, **options: Any) -> tuple[Document, tuple[str, ...]]:
    """Load as `load` does, and return one sentence per thing done.

    Examples
    --------
    >>> load_with_notes(Sketch.from_counts({"ab": 2}))[1]
    ()
    """
    given = {name: value for name, value in options.items() if value is not None}
    if isinstance(source, Sketch | KeyedSketch | Summary | Scores) or (
        is_path(source) and is_document(source)
    ):
        found = read_sketch(source) if is_path(source) else source
        name = Path(source).name if is_path(source) else ""
        if given:
            raise DataError(
                f"{name or 'a sketch, summary or scores'} must be loaded without reading options; got "
                f"{next(iter(given))}=; it already knows its judges"
            )
        return found, (f"{name} read as a {type(found).__name__} document",) if name else ()
    if "count" in given:
        return _load_counts(source, given)
    return read_votes_with_notes(source, **given)


_OF_COUNTS = ("count", "judges", "key", "labels", "format", "missing", "exact_labels", "map")


def _load_counts(source: Any, given: Mapping[str, Any]) -> tuple[Document, tuple[str, ...]]:
    """Read a table of counts, by true label where a key is named."""
    wrong = next((name for name in given if name not in _OF_COUNTS), None)
    if wrong is not None:
        raise DataError(
            f"a table of counts must be read without {wrong}=; it has a row per decision tuple, a column "
            "per judge and one of counts; leave it out"
        )
    options = ("missing", "labels", "cut", "exact_labels", "map")
    rules = Rules.make(*(given.get(name) for name in options))
    columns = (given.get("judges"), given["count"])
    said = (f"counts read from column {given['count']!r}",)
    format, key = given.get("format"), given.get("key")
    if key is None:
        sketch, notes = _sketch_of_table(source, *columns, format, rules)
        return sketch, (*said, *notes)
    keyed, notes = _keyed_of_table(source, *columns, key, format, rules)
    return keyed, (*said, f"true labels read from column {key!r}", *notes)


# --- Small published data sets that come with the package, as printed in the papers.


Example = Votes | Summary | KeyedSketch


@dataclass(frozen=True, slots=True)
class _Entry:
    build: Callable[[], Example]
    notes: tuple[str, ...]


def _with_file(name: str, read: Callable[[Path], Example]) -> Example:
    with as_file(files("algeval.io") / "examples" / name) as path:
        return read(path)


def _mt_bench() -> Example:
    return _with_file(
        "mt-bench.csv",
        lambda path: read_votes(
            path,
            item=["question", "model_a", "model_b"],
            judges=["experts", "authors", "gpt4"],
            labels=["a", "b", "tie"],
        ),
    )


def _mt_bench_summary() -> Example:
    counts = {"authors": (5, 10, 10), "gpt4": (4, 18, 3)}
    labels = ("a", "b", "tie")
    return Summary.from_counts(
        {judge: dict(zip(labels, row, strict=True)) for judge, row in counts.items()},
        labels=labels,
    )


def _acs() -> Example:
    return _with_file(
        "acs.csv",
        lambda path: read_keyed_counts(
            path, key="truth", judges=["1", "2", "3"], labels=["A", "B"]
        ),
    )


_ALARMS = "'No-Knowledge Alarms for Misaligned LLMs-as-Judges' (A. Corrada-Emmanuel)"

_EXAMPLES = {
    "mt-bench": _Entry(
        _mt_bench,
        (
            "25 pair comparisons of the MT-Bench benchmark: which of two model answers is better (a, b or "
            "tie), by human experts (weighted vote), the benchmark's authors and gpt4.",
            f"Source: {_ALARMS}, Table I, as printed; model names garbled in the scan are corrected.",
            "Item ids are question:model_a:model_b, because questions repeat.",
            "The table tallies experts (4, 14, 7), authors (5, 10, 10), gpt4 (5, 18, 2) for (a, b, tie); the "
            "paper's text states gpt4 (4, 18, 3): one vote differs, see mt-bench-summary.",
        ),
    ),
    "mt-bench-summary": _Entry(
        _mt_bench_summary,
        (
            "Summaries of authors (5, 10, 10) and gpt4 (4, 18, 3) for (a, b, tie) on the same 25 items.",
            f"Source: the text of {_ALARMS}, whose worked examples use these counts; its Table I "
            "tallies gpt4 as (5, 18, 2).",
        ),
    ),
    "acs": _Entry(
        _acs,
        (
            "Three binary classifiers on 20,000 rows of the 2018 American Community Survey, counts of "
            "decision tuples by true label.",
            "Source: 'Algebraic Evaluation Theorems' (A. Corrada-Emmanuel), Table 1, columns 'actual'.",
        ),
    ),
}


def example_names() -> tuple[str, ...]:
    """Return the names `example` knows.

    Examples
    --------
    >>> example_names()
    ('mt-bench', 'mt-bench-summary', 'acs')
    """
    return tuple(_EXAMPLES)


def example(name: str) -> Example:
    """Return a published data set: Votes, a Summary or a KeyedSketch.

    Use it to try a method, or to check it against numbers in print; `example_notes` says where the
    numbers come from.

    Raises
    ------
    DataError
        If no example has this name.

    Examples
    --------
    >>> example("mt-bench").summary().counts.tolist()
    [[4, 14, 7], [5, 10, 10], [5, 18, 2]]
    """
    return _entry(name).build()


def example_notes(name: str) -> tuple[str, ...]:
    """Return where an example comes from and what to know about it, a sentence each.

    Examples
    --------
    >>> len(example_notes("acs"))
    2
    """
    return _entry(name).notes


def _entry(name: str) -> _Entry:
    check_choice("example", name, tuple(_EXAMPLES))
    return _EXAMPLES[name]
