"""`read_votes`, `load`, and the examples that come with the package."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from algeval.data import NOT_ANSWERED, KeyedSketch, Scores, Sketch, Summary, Votes
from algeval.data.names import Caution, Codes, check_names, folded, read_only
from algeval.data.sketch import keyed_by_row
from algeval.errors import DataError, option
from algeval.io.answers import (
    Column,
    Positions,
    Rules,
    answer_notes,
    as_number,
    encode_columns,
    plain,
    tidy,
)
from algeval.io.items import KeySource, groupings_of, key_codes, read_long, read_wide
from algeval.io.layout import (
    ITEM_NAMES,
    JUDGE_NAMES,
    KEY_NAMES,
    ColumnRoles,
    check_columns,
    find_layout,
    match,
    shown,
)
from algeval.io.options import ReadOptions
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
    return unlike({str(a) for a in distinct} for distinct in answers)


def _any_rejected(table: Table) -> bool:
    return any(plain(value) == "Rejected" for value in table.column("AssignmentStatus").values)


def _many_votes_an_item(table: Table) -> bool:
    """Whether rows are votes of several judges, not items with one winner each."""
    if match(table.names, [name for name in JUDGE_NAMES if name != "model"]) is not None:
        return True
    item = match(table.names, ITEM_NAMES)
    return item is not None and len(table.column(item).values) < table.n_rows


def _exports_of_evaluations() -> tuple[_Export, ...]:
    pairs = (
        "pair comparisons in which the two models may change places from row to row; make one item of "
        "question and models in one fixed order, name the winner by its place in it, and pass "
        f"{option('item')}, {option('judge')} and {option('answer')}"
    )
    return (
        _Export(frozenset({"model_a", "model_b", "winner"}), "arena", pairs, _many_votes_an_item),
        _Export(frozenset({"model_1", "model_2", "g1_winner", "g2_winner"}), "FastChat", pairs),
        _Export(
            frozenset({"traceId", "name", "dataType", "value"}),
            "Langfuse",
            f"scores, a row each; pass {option('item', 'traceId')}, {option('judge', 'name')} and "
            f"{option('answer', 'stringValue')} (or {option('answer', 'value')} for numbers)",
        ),
        _Export(
            frozenset({"span_id", "name", "identifier", "annotator_kind"}),
            "Phoenix",
            "annotations of several questions (column 'name'); keep the rows of one question, and pass "
            f"{option('item', 'span_id')}, {option('judge', 'identifier')}, {option('answer', 'label')}",
            _several_names,
        ),
        _Export(
            frozenset({"span_id", "annotation_name", "identifier", "annotator_kind"}),
            "Phoenix",
            "annotations of several questions (column 'annotation_name'); keep the rows of one question, and "
            f"pass {option('item', 'span_id')}, {option('judge', 'identifier')}, "
            f"{option('answer', 'result.label')}",
            _several_names,
        ),
        _Export(
            frozenset({"example_id", "execution_time"}),
            "LangSmith",
            f"feedback of evaluators whose answers have nothing in common; name in {option('judges')} the "
            "columns feedback.* that answer one question",
            _unlike_feedback,
        ),
        _Export(
            frozenset({"trace_id", "assessments"}),
            "MLflow",
            "traces with a list of assessments each; write them as JSON lines and name the file, or one row "
            "per assessment: trace_id as item, source.source_id as judge, feedback.value as answer",
        ),
    )


def _exports_of_labelling() -> tuple[_Export, ...]:
    return (
        _Export(
            frozenset({"_input_hash", "options", "accept"}),
            "Prodigy",
            "choices in the list 'accept'; name the file of JSON lines, or write its one entry as the answer "
            f"and pass {option('item', '_input_hash')}, {option('judge', '_annotator_id')}",
        ),
        _Export(
            frozenset({"HITId", "WorkerId", "AssignmentStatus"}),
            "Mechanical Turk",
            "assignments, some of them rejected; name the CSV file, or leave those out and pass "
            f"{option('item', 'HITId')}, "
            f"{option('judge', 'WorkerId')} and the answer column with {option('answer')}",
            _any_rejected,
        ),
        _Export(
            frozenset({"HITId", "WorkerId", "AssignmentStatus"}),
            "Mechanical Turk",
            f"assignments; pass {option('item', 'HITId')}, {option('judge', 'WorkerId')} and the "
            f"answer column with {option('answer')}",
        ),
    )


def refuse_export(table: Table) -> None:
    """Refuse a known tool's table, where nobody said what its columns are."""
    names = set(table.names)
    for export in (*_exports_of_evaluations(), *_exports_of_labelling()):
        if export.columns <= names and export.applies(table):
            raise DataError(
                f"a table of votes must be wide or long; got one of {export.name} by its columns "
                f"{shown(sorted(export.columns))}, which holds {export.advice}"
            )


# --- Read votes from a file, a frame or records, wide or long, and say what was done.


def votes_of_table(
    table: Table, roles: ColumnRoles, rules: Rules, truth: KeySource
) -> tuple[Votes, tuple[str, ...]]:
    """Votes of a table and one sentence per thing done."""
    if not roles.anything:
        refuse_export(table)
    layout = find_layout(table, roles)
    reader = read_long if layout.kind == "long" else read_wide
    items, names, meaning, codes, row_items, notes = reader(table, layout, roles, rules)
    positions, key_notes = key_codes(truth, table, items, row_items, meaning, rules)
    key = None if positions is None else positions.astype(np.int16)
    read_only(codes)
    said = (*meaning.notes, *answer_notes(meaning.labels, meaning.answers, rules))
    if not (roles.judges or roles.judge or roles.answer or roles.layout or rules.labels):
        _refuse_distinct_texts(names, meaning.answers, codes)
    rest = (f"columns left out: {shown(layout.rest)}",) if layout.rest else ()
    odd = () if rules.labels else _totals_note(items, meaning.answers, codes)
    absent = int((codes == NOT_ANSWERED).sum())
    all_notes = (
        *table.notes,
        *layout.notes,
        *rest,
        *notes,
        *said,
        *odd,
        *key_notes,
        f"{absent} of {np.size(codes)} votes missing",
    )
    groupings = groupings_of(table, layout, roles, row_items, len(items))
    votes = Votes(items, names, meaning.labels, meaning.answers, codes, key, all_notes, groupings)
    return votes, all_notes


def _refuse_distinct_texts(judges: Sequence[str], answers: Sequence[str], codes: Codes) -> None:
    """Refuse a lone judge that says something else of every item: a column of text was taken for votes."""
    texts = all(as_number(answer) is None for answer in answers)
    if len(judges) == 1 and len(answers) > 2 and texts and (codes >= 0).sum() == len(answers):
        raise DataError(
            f"answers must occur again; the only judge, {judges[0]!r}, gives a text of its own to every item "
            f"(such as {answers[0]!r}); name the columns of votes with {option('judges')}, or "
            f"{option('judge')} and {option('answer')}"
        )


_TOTALS = frozenset(
    {"total", "totals", "grand total", "subtotal", "sum", "overall", "average", "mean"}
)


def _totals_note(items: Sequence[str], answers: Sequence[str], codes: Codes) -> tuple[str, ...]:
    """Say where the last item looks like totals, or where few numbers stand among words."""
    note = f"; leave such a row out, or name what means no vote in {option('missing', reads=True)}"
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
    numbers = [answer for answer, is_number in zip(answers, number, strict=False) if is_number]
    of = shown([items[row] for row in rows.tolist()], 3)
    return (Caution(f"numbers among words, {shown(numbers, 4)} of item {of}, may be totals{note}"),)


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
    position_of = {label: t for t, label in enumerate(names)}
    read = [] if truth is None else [*meaning.spelling.all(rules.read(truth)), None]
    truths = [] if truth is None else [read[code] for code in truth.codes.tolist()]
    for row, label in enumerate(truths, start=1):
        if label not in position_of:
            raise DataError(
                f"every true label must be one of the labels {list(names)}; got {label!r} in row {row}; "
                f"pass {option('labels')} to add it"
            )
    sketch = Sketch(tuple(c.name for c in columns), names, meaning.answers, codes, counts)
    positions = np.array([position_of[str(label)] for label in truths], np.intp)
    notes = (*meaning.notes, *answer_notes(names, meaning.answers, rules))
    return keyed_by_row(sketch, codes, counts, positions), notes


def _counted(
    source: Any, judges: Iterable[object] | None, count: str, key: str | None, format: str | None
) -> tuple[list[Column], Positions, Column | None]:
    table = open_table(source, format=format)
    check_columns(table, [("count", count), ("key", key)])
    if judges is None:
        rest = [name for name in table.names if name not in (count, key)]
        odd = match(rest, [*ITEM_NAMES, *KEY_NAMES])
        if odd is not None:
            raise DataError(
                f"a table of counts must hold one column per judge; {odd!r} does not look like one; name "
                f"the judges among {shown(rest)} with {option('judges')}"
            )
        names = check_names("judge", rest)
    else:
        names = check_names("judge", judges)
        check_columns(table, [("judges", name) for name in names])
    columns = [table.column(name) for name in names]
    column = table.column(count)
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
    return columns, column.look_up(numbers), None if key is None else table.column(key)


_OF_COUNTS = {"count", "judges", "key", "labels", "format", "missing", "exact_labels", "map"}


def counts_of(source: Any, options: ReadOptions) -> tuple[Sketch | KeyedSketch, tuple[str, ...]]:
    """Counts in a table of decision tuples, by true label where a key is named, and notes."""
    wrong = next((name for name in options.stated() if name not in _OF_COUNTS), None)
    if wrong is not None:
        raise DataError(
            f"a table of counts must be read without {option(wrong, reads=True)}; it has a row per decision "
            "tuple, a column per judge and one of counts; leave it out"
        )
    rules, count, key = Rules.of(options), str(options.count), options.key
    notes = (f"counts read from column {options.count!r}",)
    if key is None:
        sketch, more = _sketch_of_table(source, options.judges, count, options.format, rules)
        return sketch, (*notes, *more)
    keyed, more = _keyed_of_table(source, options.judges, count, key, options.format, rules)
    return keyed, (*notes, f"true labels read from column {key!r}", *more)
