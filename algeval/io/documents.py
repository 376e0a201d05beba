"""Read counts and the JSON documents the package writes, and tell them from tables of votes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from algeval.data import KeyedSketch, Scores, Sketch, Summary, Votes
from algeval.data.names import check_names
from algeval.data.sketch import keyed_by_row
from algeval.errors import DataError
from algeval.io.answers import Rules, answer_notes
from algeval.io.columns import Column, Places, plain
from algeval.io.files import is_document
from algeval.io.layout import ITEM_NAMES, KEY_NAMES, known_columns, match, shown
from algeval.io.meaning import encode_columns
from algeval.io.readers.parsing import parsed
from algeval.io.reading import read_votes_with_notes
from algeval.io.tables import is_path, open_table
from algeval.result import exact

__all__ = ["load", "load_with_notes", "read_counts", "read_keyed_counts", "read_sketch"]

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
