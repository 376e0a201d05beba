"""Answer keys: a column of the table, a second table of items and truths, or a mapping."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from algeval.data.names import NOT_ANSWERED, natural_order
from algeval.errors import DataError
from algeval.io.answers import Rules, cut_column, tidy
from algeval.io.columns import Places, plain
from algeval.io.layout import ITEM_NAMES, KEY_NAMES, match, shown
from algeval.io.meaning import Meaning
from algeval.io.tables import Table, open_table
from algeval.result.wording import how_many

__all__ = ["KeySource", "key_codes", "key_source"]

_TRUTH_NAMES = [*KEY_NAMES, "label", "answer", "true", "y", "class", "value"]


@dataclass(frozen=True, slots=True)
class KeySource:
    """Where the truths are: a column of the votes' table, or pairs of item and truth."""

    column: str | None = None
    pairs: tuple[tuple[str, ...], tuple[object, ...]] | None = None
    name: str = "key"


def key_source(table: Table, key: Any) -> KeySource:
    """Tell a column from a file from a mapping."""
    if key is None:
        return KeySource()
    if isinstance(key, str) and key in table.names:
        return KeySource(column=key, name=f"column {key!r}")
    if isinstance(key, Mapping):
        return KeySource(pairs=_checked_pairs(key.keys(), tuple(key.values()), "key"))
    if isinstance(key, str) and not Path(key).exists():
        raise DataError(
            f"key must name a column or a file; got {key!r}; the columns are {shown(table.names)}"
        )
    if isinstance(key, list | tuple) and not all(isinstance(row, Mapping) for row in key):
        raise DataError("key must map items to truths; got a plain list; write {item: truth}")
    return _from_table(open_table(key), key)


def _from_table(table: Table, key: Any) -> KeySource:
    name = Path(key).name if isinstance(key, str | os.PathLike) else "key"
    item = match(table.names, ITEM_NAMES)
    if item is None and len(table.names) == 2:
        item = next(n for n in table.names if n != match(table.names, _TRUTH_NAMES))
    others = [column for column in table.names if column != item]
    truth = others[0] if len(others) == 1 else match(others, _TRUTH_NAMES)
    if item is None or truth is None:
        raise DataError(
            f"{name} must have an item and a truth column; got {shown(table.names)}; name them 'item' and "
            "'truth'"
        )
    truths = table.column(truth)
    values = [*truths.values, None]
    cells = tuple(values[code] for code in truths.codes.tolist())
    return KeySource(pairs=_checked_pairs(table.column(item).texts(), cells, name), name=name)


def _checked_pairs(
    items: Iterable[object], truths: tuple[object, ...], name: str
) -> tuple[tuple[str, ...], tuple[object, ...]]:
    ids = tuple(plain(item) or "" for item in items)
    seen: dict[str, str | None] = {}
    for item, truth in zip(ids, truths, strict=True):
        text = tidy(truth)
        if seen.setdefault(item, text) != text:
            raise DataError(
                f"{name} must hold one truth per item; got {seen[item]!r} and {text!r} for item {item!r}; "
                "keep one"
            )
    return ids, truths


def key_codes(
    source: KeySource,
    table: Table,
    items: tuple[str, ...],
    row_items: Places,
    meaning: Meaning,
    rules: Rules,
) -> tuple[Places | None, tuple[str, ...]]:
    """Return the key as positions in the labels (-1 unknown), with notes; None without a key."""
    labels = meaning.labels
    if source.column is not None:
        column = table.column(source.column)
        read = [rules.answer(value) for value in column.values]
        texts, notes = _truths(read, source.name, rules, meaning)
        codes = column.look_up(_positions(texts, labels, source.name))
        return _by_item(codes, row_items, items, labels, source.name), notes
    if source.pairs is None:
        return None, ()
    ids, cells = source.pairs
    read = [rules.answer(value) for value in cells]
    texts, notes = _truths(read, source.name, rules, meaning)
    places = _positions(texts, labels, source.name)
    truth = dict(zip(ids, places, strict=True))
    joined = [truth.get(item, NOT_ANSWERED) for item in items]
    matched = sum(item in truth for item in items)
    if not matched:
        raise DataError(
            f"{source.name} must speak of the same items as the votes; it has {ids[0]!r} and the votes "
            f"{items[0]!r}, none in common; check the item ids"
        )
    extra = len(truth) - matched
    if extra:
        notes += (f"{source.name}: {how_many(extra, 'item')} without votes left out",)
    return np.array(joined, np.int64), notes + _unknown_note(joined)


def _unknown_note(codes: Iterable[int]) -> tuple[str, ...]:
    unknown = sum(code == NOT_ANSWERED for code in codes)
    return (f"{how_many(unknown, 'item has', 'items have')} no true label",) if unknown else ()


def _truths(
    texts: list[str | None], name: str, rules: Rules, meaning: Meaning
) -> tuple[list[str | None], tuple[str, ...]]:
    """Spell a key as the answers are; cut a key of scores, but not one that is 0/1 already."""
    if rules.cut is None:
        spelled = meaning.spelling.all(texts)
        pairs = zip(texts, spelled, strict=True)
        other = sorted({(str(old), new) for old, new in pairs if old != new})
        said = ", ".join(f"{old!r} as {new!r}" for old, new in other)
        return spelled, (f"{name}: read {said}",) if said else ()
    if {text for text in texts if text is not None} <= {"0", "1"}:
        return texts, (f"{name} is 0/1 already and was not cut",)
    return cut_column(name, texts, rules.cut), (f"{name} cut like the scores",)


def _positions(texts: list[str | None], labels: tuple[str, ...], name: str) -> list[int]:
    index: dict[str | None, int] = {label: place for place, label in enumerate(labels)}
    index[None] = NOT_ANSWERED
    unknown = natural_order({text for text in texts if text is not None and text not in index})
    if unknown:
        raise DataError(
            f"every true label of {name} must be one of the labels {shown(labels)} (read from the answers, "
            f"never from the key); got {unknown[0]!r}; pass labels= with every possible truth"
        )
    return [index[text] for text in texts]


def _by_item(
    codes: Places, row_items: Places, items: tuple[str, ...], labels: tuple[str, ...], name: str
) -> Places:
    """Return one code per item, refusing rows of an item that disagree."""
    key = np.full(len(items), NOT_ANSWERED, np.int64)
    known = codes != NOT_ANSWERED
    key[row_items[known]] = codes[known]
    clash = np.flatnonzero(known & (key[row_items] != codes))
    if len(clash):
        row = clash[0]
        raise DataError(
            f"{name} must hold one truth per item; got {labels[codes[row]]!r} and "
            f"{labels[key[row_items[row]]]!r} for item {items[row_items[row]]!r}; correct one"
        )
    return key
