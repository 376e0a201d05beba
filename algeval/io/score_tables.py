"""Read scores from a file, a frame or records, and tell tables of scores from tables of votes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.data import Scores, Votes
from algeval.data.names import natural_order
from algeval.data.scores import misaligned
from algeval.errors import DataError
from algeval.io.answers import (
    Column,
    Meaning,
    Places,
    Rules,
    as_number,
    factorise,
    failures,
    failures_note,
    is_infinite,
    look_like_scores,
    spelling_of,
    tally,
)
from algeval.io.formats import is_document
from algeval.io.items import (
    Attributes,
    KeySource,
    attribute_columns,
    attributes_of,
    joined_attributes,
    judge_columns,
    key_codes,
    key_source,
    long_rows,
    one_an_item,
    wide_items,
)
from algeval.io.layout import Asked, Layout, find_layout, shown
from algeval.io.opening import Ways, open_source
from algeval.io.reading import Document, load_with_notes, refuse_export, votes_of_table
from algeval.io.tables import Table, is_path

Notes = tuple[str, ...]
Truths = tuple[str | None, ...] | tuple[float | None, ...]
Read = tuple[tuple[str, ...], tuple[str, ...], NDArray[np.float64], Places, Attributes, Notes]
"""items, judges, values, each row's item, attributes, notes"""


_WAYS = ("format", "reader", "question", "swap", "table", "latest", "ground_truth")


def read_scores(
    source: Any,
    *,
    item: str | Iterable[object] | None = None,
    judge: object = None,
    answer: object = None,
    judges: Iterable[object] | None = None,
    key: Any = None,
    attributes: Any = None,
    format: str | None = None,
    layout: str | None = None,
    missing: str | Iterable[object] | None = None,
    reader: str | None = None,
    question: str | None = None,
    table: str | None = None,
    latest: bool | None = None,
    ground_truth: str | None = None,
) -> Scores:
    """Read scores from whatever `read_votes` reads: CSV to Excel, any data frame, or records.

    Use it for graders that give numbers. ``read_scores(...).cut(x)`` is what ``read_votes(..., cut=x)``
    reads from the same source.

    Parameters
    ----------
    source : path, data frame, DuckDB relation, list of dicts, {column: cells} or Scores
        Wide (a row per item, a column per judge) or long (a row per score). Cells hold numbers or text
        such as "7.5".
    item : str or list of str, optional
        Column of the item ids, as in `read_votes`; a wide table without one gets its row numbers.
    judge, answer : str, optional
        Columns of a long table, `answer` that of the scores.
    judges : list of str, optional
        Columns (wide) or names (long) to keep, in this order. All other columns of a wide table become
        attributes then, but one whose name says answer key (gold, truth, ...) is left out. Without it
        every column of numbers is a judge whose name does not say otherwise.
    attributes : str, list of str, path, data frame or {column: cells}, optional
        What else is known of the items, such as their length: columns of `source`, which are no judges
        then, or a table of its own, joined by item id.
    key : str, path, {item: truth} or data frame, optional
        A column of `source`, or a table of items and truths: classes, or numbers on any scale. Numbers
        that are all 0 or 1 are classes. For scoring only.
    format, layout, missing, reader, question, table, latest, ground_truth
        As for `read_votes`.

    Returns
    -------
    Scores
        (n_items, n_judges) scores, NaN where the cell was empty or meant no answer.

    Raises
    ------
    DataError
        If a cell of a judge is no finite number, or the source cannot be read; one sentence says where
        and what to do.

    Examples
    --------
    >>> table = {"item": ["q1", "q2"], "gpt4": [7, "2.5"], "human": [5, ""], "gold": [1, 0]}
    >>> s = read_scores(table, key="gold")
    >>> s.judges, s.values.tolist(), s.key
    (('gpt4', 'human'), [[7.0, 5.0], [2.5, nan]], ('1', '0'))
    """
    options = {"item": item, "judge": judge, "answer": answer, "judges": judges, "key": key}
    options |= {"attributes": attributes, "format": format, "layout": layout, "missing": missing}
    options |= {"reader": reader, "question": question, "table": table, "latest": latest}
    return read_scores_with_notes(source, **options, ground_truth=ground_truth)[0]


def read_scores_with_notes(
    source: Any,
    *,
    item: str | Iterable[object] | None = None,
    judge: object = None,
    answer: object = None,
    judges: Iterable[object] | None = None,
    key: Any = None,
    attributes: Any = None,
    format: str | None = None,
    layout: str | None = None,
    missing: str | Iterable[object] | None = None,
    reader: str | None = None,
    question: str | None = None,
    table: str | None = None,
    latest: bool | None = None,
    ground_truth: str | None = None,
) -> tuple[Scores, Notes]:
    """Read scores as `read_scores` does, and return with them one sentence per thing done.

    Parameters and errors are those of `read_scores`.

    Examples
    --------
    >>> scores, notes = read_scores_with_notes({"gpt4": [7, 2], "human": [5, None]})
    >>> notes[-1]
    '1 of 4 scores missing'
    """
    if isinstance(source, Scores | Votes):
        others = {"item": item, "judge": judge, "answer": answer, "key": key, "format": format}
        others |= {"layout": layout, "missing": missing, "reader": reader, "question": question}
        others |= {"table": table, "latest": latest, "ground_truth": ground_truth}
        given = [name for name, value in others.items() if value]
        return _with_attributes(*_of_scores(source, judges, given), attributes)
    if is_path(source) and is_document(source):
        raise DataError(
            f"source must be a table of scores; got {str(source)!r}, a document written by algeval; read "
            "it with read_sketch or load"
        )
    asked = Asked.make(item, judge, answer, judges, layout)
    ways = Ways(format, reader, question, None, table, latest, ground_truth)
    opened, asked = open_source(source, asked, ways)
    own, joined = attribute_columns(attributes, opened.names)
    asked = asked.with_attributes(own)
    truth = key_source(opened, key, source)
    asked = asked.with_key(truth.taken)
    found = _scores_of_table(opened, asked, find_layout(opened, asked), truth, missing)
    return _with_attributes(*found, joined)


def read_votes_or_scores(source: Any, **options: Any) -> Document:
    """Read a table as `Scores` where it looks like scores, else as `load` does.

    A table is one of scores if every judge gave numbers, and all together more than 20 different ones,
    or more than 11 of which some are no whole numbers: what commands refuse to take for labels. With
    ``cut=``, ``labels=``, ``exact_labels=`` or ``map=``, which say what the labels are, it is one of votes.

    Parameters
    ----------
    source : path, data frame, records, or an object of the data layer (returned as it is)
    **options
        Those of `load`.

    Raises
    ------
    DataError
        If the source cannot be read.

    Examples
    --------
    >>> table = {"gpt4": [k / 10 for k in range(20)], "human": range(20)}
    >>> read_votes_or_scores(table)
    Scores(20 items, 2 judges, 0 missing, no key)
    >>> read_votes_or_scores(table, cut=1.5).n_labels
    2
    """
    return read_votes_or_scores_with_notes(source, **options)[0]


def read_votes_or_scores_with_notes(source: Any, **options: Any) -> tuple[Document, Notes]:
    """Read as `read_votes_or_scores` does, and return one sentence per thing done.

    Examples
    --------
    >>> read_votes_or_scores_with_notes({"gpt4": range(30), "human": range(30)})[1][-2]
    'read as scores: 30 different numbers; cut= makes votes of them'
    """
    given = {name: value for name, value in options.items() if value is not None}
    known = {"item", "judge", "answer", "judges", "key", "format", "layout", "missing"}
    known |= set(_WAYS)
    in_memory = type(source).__module__.startswith("algeval.")
    if given.keys() - known or in_memory or (is_path(source) and is_document(source)):
        return load_with_notes(source, **given)
    asked = Asked.make(*(given.get(n) for n in ("item", "judge", "answer", "judges", "layout")))
    ways = Ways(**{name: given.get(name) for name in _WAYS})
    table, asked = open_source(source, asked, ways)
    truth = key_source(table, given.get("key"), source)
    asked, missing = asked.with_key(truth.taken), given.get("missing")
    rules = Rules.make(missing, None, None)
    layout = find_layout(table, asked)
    n = scores_in(table, layout, rules)
    if not n:
        return votes_of_table(table, asked, rules, truth)
    scores, (*notes, last) = _scores_of_table(table, asked, layout, truth, missing)
    said = f"read as scores: {n} different numbers; cut= makes votes of them"
    return scores, (*notes, said, last)


def scores_in(table: Table, layout: Layout, rules: Rules) -> int:
    """Return how many different scores a table holds, 0 if it is one of votes."""
    if layout.kind == "long":
        columns = [table.column(layout.answer)]
    else:
        columns, _ = judge_columns(table, layout, rules)
    found = [{text for text in rules.read(column) if text is not None} for column in columns]
    given = [{t for t in texts if as_number(t) is not None} for texts in found if texts]
    numbers = set().union(*given)
    return len(numbers) if given and all(given) and look_like_scores(numbers) else 0


def _of_scores(
    source: Scores | Votes, judges: Iterable[object] | None, given: Sequence[str]
) -> tuple[Scores, Notes]:
    if isinstance(source, Votes):
        raise DataError(
            "source must be a table of scores; got Votes, which hold labels; pass what they were read from"
        )
    if given:
        raise DataError(
            f"Scores must be passed without reading options; got {given[0]}=; leave it out or build "
            "new Scores"
        )
    return (source if judges is None else source.select(judges)), ("source is Scores already",)


def _with_attributes(scores: Scores, notes: Notes, source: Any) -> tuple[Scores, Notes]:
    """Return the scores with the attributes of a table of its own joined by item."""
    if source is None:
        return scores, notes
    more, said = joined_attributes(source, scores.items)
    found = {**(scores.attributes or {}), **more}
    fields = (scores.items, scores.judges, scores.values, scores.key, found, scores.key_kind)
    return Scores(*fields), (*notes, *said)


def _scores_of_table(
    table: Table, asked: Asked, layout: Layout, truth: KeySource, missing: Any
) -> tuple[Scores, Notes]:
    if not asked.anything:
        refuse_export(table)
    rules = Rules.make(
        missing, None, 0
    )  # as for a cut, wherever it is: columns of words are no judges
    read = _read_long if layout.kind == "long" else _read_wide
    items, judges, values, row_items, attributes, notes = read(table, layout, asked, rules)
    absent = int(np.isnan(values).sum())
    if absent == values.size:
        raise DataError(
            "scores must hold at least one number; got none; check the columns of scores"
        )
    key, key_notes = _key(truth, table, items, row_items, missing)
    kind = _kind(key)
    scores = Scores(items, judges, values, key, attributes, kind)
    last = f"{absent} of {values.size} scores missing"
    against = (found.sentence() for found in misaligned(scores))
    return scores, (*table.notes, *layout.notes, *notes, *key_notes, *against, last)


def _read_wide(table: Table, layout: Layout, asked: Asked, rules: Rules) -> Read:
    items = wide_items(table, layout)
    columns, notes = judge_columns(table, layout, rules)
    rows = np.arange(table.n_rows)
    values, failed = _numbers(columns, rules, items, rows)
    judges = tuple(column.name for column in columns)
    attributes, said = attributes_of(table, layout.rest, rules)
    notes = (*notes, f"judges: {shown(judges)}", *said, *failed)
    return items, judges, values, rows, attributes, notes


def _read_long(table: Table, layout: Layout, asked: Asked, rules: Rules) -> Read:
    rows = long_rows(table, layout, asked)
    flat, failed = _numbers([table.column(layout.answer)], rules, rows.items, rows.item_of)
    values = rows.table(flat[:, 0], np.nan)
    attributes, said = attributes_of(table, layout.rest, rules)
    by_item = {name: one_an_item(name, column, rows) for name, column in attributes.items()}
    return rows.items, rows.judges, values, rows.item_of, by_item, (*rows.notes, *said, *failed)


def _numbers(
    columns: Sequence[Column], rules: Rules, items: tuple[str, ...], row_items: Places
) -> tuple[NDArray[np.float64], Notes]:
    """Return (rows, columns): what each cell spells, NaN where it means no answer."""
    texts = [rules.read(column) for column in columns]
    counted = tally(columns, texts)
    failed = failures(counted, rules)
    values = np.empty((len(row_items), len(columns)))
    for place, (column, read) in enumerate(zip(columns, texts, strict=True)):
        kept = [None if text in failed else text for text in read]
        numbers = [None if text is None else as_number(text) for text in kept]
        pairs = zip(kept, numbers, strict=True)
        strange = [text is not None and number is None for text, number in pairs]
        if any(strange):
            row = np.flatnonzero(np.array([*strange, False])[column.codes])[0]
            raise _no_number(column.name, str(kept[column.codes[row]]), items[row_items[row]])
        values[:, place] = np.array([*numbers, None], float)[column.codes]
    return values, failures_note({text: counted[text][0] for text in failed})


def _no_number(column: str, text: str, item: str) -> DataError:
    if is_infinite(text):
        return DataError(
            f"column {column!r} must hold finite numbers; got {text!r} for item {item!r}; leave the cell "
            "empty where there is no score"
        )
    return DataError(
        f"column {column!r} must hold numbers; got {text!r} for item {item!r}; name it in missing= if it "
        "means no score, or choose columns with judges="
    )


def _key(
    source: KeySource, table: Table, items: tuple[str, ...], row_items: Places, missing: Any
) -> tuple[Truths | None, Notes]:
    """Return one truth per item: classes in one spelling each, or numbers."""
    if source.absent:
        return None, ()
    source, joined_notes = source.for_items(items)
    rules = Rules.make(missing, None, None)
    if source.column is not None or source.rows is not None:
        rows = factorise(source.name, list(source.rows or ()))
        column = rows if source.column is None else table.column(source.column)
        read = rules.read(column)
        counted = tally([column], [read])
    else:
        read = [rules.answer(cell) for cell in (source.pairs or ((), ()))[1]]
        met = Counter(text for text in read if text is not None)
        counted = {text: (n, place) for place, (text, n) in enumerate(met.items())}
    numbers = _key_numbers(counted, source.name)
    spelling = spelling_of({} if numbers else counted, None)
    texts = natural_order({t for t in spelling.all(counted) if t is not None})
    meaning = Meaning(texts, texts, spelling, frozenset(), ())
    codes, notes = key_codes(source, table, items, row_items, meaning, rules)
    notes = (*joined_notes, *notes)
    cells: list[Any] = [*(map(numbers.__getitem__, texts) if numbers else texts), None]
    return tuple(cells[code] for code in ([] if codes is None else codes.tolist())), notes


def _key_numbers(texts: Iterable[str], name: str) -> dict[str, float]:
    """Return the number each truth spells; nothing where they are classes."""
    endless = next(filter(is_infinite, texts), None)
    if endless is not None:
        raise DataError(
            f"{name} must hold finite numbers or classes; got {endless!r}; leave the cell empty where the "
            "truth is not known"
        )
    found = {text: as_number(text) for text in texts}
    numbers = {text: number for text, number in found.items() if number is not None}
    words = [text for text in found if text not in numbers]
    if words and numbers:
        raise DataError(
            f"{name} must hold numbers or classes, not both; got {words[0]!r} beside "
            f"{next(iter(numbers))!r}; name in missing= what means no truth, or make all of them classes"
        )
    return {} if numbers.keys() <= {"0", "1"} else numbers


def _kind(key: Truths | None) -> Any:
    return "number" if any(isinstance(truth, float) for truth in key or ()) else "class"
