"""Read scores from a file, a frame or records, and tell tables of scores from tables of votes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.data import Scores
from algeval.data.names import natural_order
from algeval.data.scores import KeyKind, misaligned
from algeval.errors import DataError, option
from algeval.io.answers import (
    Column,
    Meaning,
    Positions,
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
from algeval.io.items import (
    Attributes,
    KeySource,
    attribute_by_item,
    attributes_of,
    joined_attributes,
    judge_columns,
    key_codes,
    long_rows,
    wide_items,
)
from algeval.io.layout import ColumnRoles, Layout, shown
from algeval.io.reading import refuse_export
from algeval.io.tables import Table

Notes = tuple[str, ...]
Truths = tuple[str | None, ...] | tuple[float | None, ...]
Read = tuple[tuple[str, ...], tuple[str, ...], NDArray[np.float64], Positions, Attributes, Notes]
"""items, judges, values, each row's item, attributes, notes"""


def scores_in(table: Table, layout: Layout, rules: Rules) -> int:
    """How many different scores a table holds, 0 if it is one of votes."""
    if layout.kind == "long":
        columns = [table.column(layout.answer)]
    else:
        columns, _ = judge_columns(table, layout, rules)
    answers = [{text for text in rules.read(column) if text is not None} for column in columns]
    numeric = [{t for t in texts if as_number(t) is not None} for texts in answers if texts]
    numbers = set().union(*numeric)
    return len(numbers) if numeric and all(numeric) and look_like_scores(numbers) else 0


def with_attributes(scores: Scores, source: Any) -> tuple[Scores, Notes]:
    """Scores with attributes from a table of its own, joined by item, and notes."""
    more, notes = joined_attributes(source, scores.items)
    attributes = {**(scores.attributes or {}), **more}
    fields = (scores.items, scores.judges, scores.values, scores.key, attributes, scores.key_kind)
    return Scores(*fields), notes


def scores_of_table(
    table: Table, roles: ColumnRoles, layout: Layout, truth: KeySource, missing: Any
) -> tuple[Scores, Notes]:
    """Scores of a table and one sentence per thing done."""
    if not roles.anything:
        refuse_export(table)
    rules = Rules.make(
        missing, None, 0
    )  # as for a cut, wherever it is: columns of words are no judges
    read = _read_long if layout.kind == "long" else _read_wide
    items, judges, values, row_items, attributes, notes = read(table, layout, roles, rules)
    absent = int(np.isnan(values).sum())
    if absent == values.size:
        raise DataError(
            "scores must hold at least one number; got none; check the columns of scores"
        )
    key, key_notes = _key(truth, table, items, row_items, missing)
    kind: KeyKind = "number" if any(isinstance(t, float) for t in key or ()) else "class"
    scores = Scores(items, judges, values, key, attributes, kind)
    last = f"{absent} of {values.size} scores missing"
    against = (warning.sentence() for warning in misaligned(scores))
    return scores, (*table.notes, *layout.notes, *notes, *key_notes, *against, last)


def _read_wide(table: Table, layout: Layout, roles: ColumnRoles, rules: Rules) -> Read:
    items = wide_items(table, layout)
    columns, notes = judge_columns(table, layout, rules)
    rows = np.arange(table.n_rows)
    values, failed = _numbers(columns, rules, items, rows)
    judges = tuple(column.name for column in columns)
    attributes, said = attributes_of(table, layout.rest, rules)
    notes = (*notes, f"judges: {shown(judges)}", *said, *failed)
    return items, judges, values, rows, attributes, notes


def _read_long(table: Table, layout: Layout, roles: ColumnRoles, rules: Rules) -> Read:
    rows = long_rows(table, layout, roles)
    flat, failed = _numbers([table.column(layout.answer)], rules, rows.items, rows.item_of)
    values = rows.table(flat[:, 0], np.nan)
    attributes, said = attributes_of(table, layout.rest, rules)
    by_item = {name: attribute_by_item(name, column, rows) for name, column in attributes.items()}
    return rows.items, rows.judges, values, rows.item_of, by_item, (*rows.notes, *said, *failed)


def _numbers(
    columns: Sequence[Column], rules: Rules, items: tuple[str, ...], row_items: Positions
) -> tuple[NDArray[np.float64], Notes]:
    """Return (rows, columns): what each cell spells, NaN where it means no answer."""
    texts = [rules.read(column) for column in columns]
    counted = tally(columns, texts)
    failed = failures(counted, rules)
    values = np.empty((len(row_items), len(columns)))
    for position, (column, read) in enumerate(zip(columns, texts, strict=True)):
        kept = [None if text in failed else text for text in read]
        numbers = [None if text is None else as_number(text) for text in kept]
        pairs = zip(kept, numbers, strict=True)
        strange = [text is not None and number is None for text, number in pairs]
        if any(strange):
            row = np.flatnonzero(np.array([*strange, False])[column.codes])[0]
            raise _no_number(column.name, str(kept[column.codes[row]]), items[row_items[row]])
        values[:, position] = np.array([*numbers, None], float)[column.codes]
    return values, failures_note({text: counted[text][0] for text in failed})


def _no_number(column: str, text: str, item: str) -> DataError:
    if is_infinite(text):
        return DataError(
            f"column {column!r} must hold finite numbers; got {text!r} for item {item!r}; leave the cell "
            "empty where there is no score"
        )
    return DataError(
        f"column {column!r} must hold numbers; got {text!r} for item {item!r}; name it in "
        f"{option('missing', reads=True)} if it means no score, or choose columns with {option('judges')}"
    )


def _key(
    source: KeySource, table: Table, items: tuple[str, ...], row_items: Positions, missing: Any
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
        counted = {text: (n, position) for position, (text, n) in enumerate(met.items())}
    numbers = _key_numbers(counted, source.name)
    spelling = spelling_of({} if numbers else counted, None)
    texts = natural_order({t for t in spelling.all(counted) if t is not None})
    meaning = Meaning(texts, texts, spelling, frozenset(), ())
    codes, notes = key_codes(source, table, items, row_items, meaning, rules)
    notes = (*joined_notes, *notes)
    cells: list[Any] = [*(map(numbers.__getitem__, texts) if numbers else texts), None]
    return tuple(cells[code] for code in ([] if codes is None else codes.tolist())), notes


def _key_numbers(texts: Iterable[str], name: str) -> dict[str, float]:
    """Number each truth spells; nothing where they are classes."""
    endless = next(filter(is_infinite, texts), None)
    if endless is not None:
        raise DataError(
            f"{name} must hold finite numbers or classes; got {endless!r}; leave the cell empty where the "
            "truth is not known"
        )
    read = {text: as_number(text) for text in texts}
    numbers = {text: number for text, number in read.items() if number is not None}
    words = [text for text in read if text not in numbers]
    if words and numbers:
        raise DataError(
            f"{name} must hold numbers or classes, not both; got {words[0]!r} beside "
            f"{next(iter(numbers))!r}; name in {option('missing', reads=True)} what means no "
            "truth, or make all of them classes"
        )
    return {} if numbers.keys() <= {"0", "1"} else numbers
