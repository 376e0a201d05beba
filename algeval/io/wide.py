"""Wide tables: a row per item, a column per judge."""

from __future__ import annotations

import numpy as np

from algeval.data.names import Codes
from algeval.errors import DataError
from algeval.io.answers import Rules, answer_names, as_number, cut_column
from algeval.io.columns import Column, Places
from algeval.io.layout import Asked, Layout, shown
from algeval.io.tables import Table

__all__ = ["Encoded", "encode_columns", "item_texts", "read_wide", "score_notes"]

Names = tuple[str, ...]
Encoded = tuple[Names, Names, tuple[Names, Names], Codes, Places, Names]
"""items, judges, (labels, answers), codes, each row's item, notes"""

_LOOKS_LIKE_SCORES = 20


def read_wide(table: Table, layout: Layout, asked: Asked, rules: Rules) -> Encoded:
    """Return the parts of Votes that a wide table holds."""
    items = _items(table, layout)
    columns = [table.column(name) for name in layout.votes]
    notes: Names = ()
    if not layout.chosen:
        columns, notes = _only_votes(columns, rules)
    texts = [rules.read(column) for column in columns]
    names, codes = encode_columns(columns, texts, rules)
    judges = tuple(column.name for column in columns)
    notes += (f"judges: {shown(judges)}", *score_notes(names[1], rules))
    return items, judges, names, codes, np.arange(table.n_rows), notes


def encode_columns(
    columns: list[Column], texts: list[list[str | None]], rules: Rules
) -> tuple[tuple[Names, Names], Codes]:
    """Return (labels, answers) and the codes of some columns, a judge each."""
    if rules.cut is not None:
        texts = [
            cut_column(column.name, text, rules.cut)
            for column, text in zip(columns, texts, strict=True)
        ]
    found = [(column.name, text) for column, text in zip(columns, texts, strict=True)]
    labels, answers = answer_names(found, rules.labels)
    index: dict[str | None, int] = {name: place for place, name in enumerate(answers)}
    index[None] = -1
    codes = np.empty((len(columns[0].codes), len(columns)), np.int16)
    for place, (column, text) in enumerate(zip(columns, texts, strict=True)):
        codes[:, place] = column.look_up([index[answer] for answer in text])
    return (labels, answers), codes


def score_notes(answers: Names, rules: Rules) -> Names:
    """Return a hint where answers look like scores, or what the cut did."""
    if rules.cut is not None:
        return (f"scores cut: {float(rules.cut):g} and above is '1', below is '0'",)
    numbers = [name for name in answers if as_number(name) is not None]
    if len(numbers) > _LOOKS_LIKE_SCORES and rules.labels is None:
        return (
            f"answers look like scores ({len(numbers)} numbers); cut= makes two labels of them",
        )
    return ()


def item_texts(table: Table, names: Names) -> list[str]:
    """Return each row's item id; several columns are joined by ':'."""
    parts = []
    for name in names:
        column = table.column(name)
        texts = column.texts()
        if None in texts:
            raise DataError(
                f"every row must name its item; row {texts.index(None) + 1} has none in column "
                f"{name!r}; fill it or choose another with item="
            )
        parts.append([text or "" for text in texts])
    return parts[0] if len(parts) == 1 else list(map(":".join, zip(*parts, strict=True)))


def _items(table: Table, layout: Layout) -> Names:
    if not layout.item:
        return tuple(map(str, range(1, table.n_rows + 1)))
    items = tuple(item_texts(table, layout.item))
    if len(set(items)) < len(items):
        seen: set[str] = set()
        repeated = [item for item in items if item in seen or seen.add(item)]  # type: ignore[func-returns-value]
        raise DataError(
            f"a wide table must have one row per item; got item {repeated[0]!r} again "
            f"({len(set(repeated))} items repeated in {shown(layout.item)}); name another column or a "
            "list of columns with item=, or pass layout='long' with judge= and answer="
        )
    return items


def _only_votes(columns: list[Column], rules: Rules) -> tuple[list[Column], Names]:
    """Leave out columns that cannot be votes, and refuse when it is not clear which are."""
    n_rows = len(columns[0].codes)
    unlike = {c.name: why for c in columns if (why := _no_votes(c, n_rows, rules)) is not None}
    kept = [column for column in columns if column.name not in unlike]
    notes = tuple(f"left out {name!r}: {why}" for name, why in unlike.items())
    if not kept:
        name, why = next(iter(unlike.items()))
        raise DataError(
            f"a wide table must have a column per judge; {name!r} was left out because {why}; "
            "name the judges with judges="
        )
    if rules.cut is None:
        _refuse_strangers(kept, rules)
    return kept, notes


def _no_votes(column: Column, n_rows: int, rules: Rules) -> str | None:
    """Return why a column cannot be votes, None where it can."""
    texts = [text for text in rules.read(column) if text is not None]
    numeric = [text for text in texts if as_number(text) is not None]
    if not texts:
        return "it is empty" if column.name.lower().startswith("unnamed") else None
    if rules.cut is not None:
        return None if numeric else f"it holds texts such as {texts[0]!r}, no scores"
    if len(texts) == n_rows and n_rows > _LOOKS_LIKE_SCORES and not numeric:
        return "it differs on every row"
    return None


def _refuse_strangers(columns: list[Column], rules: Rules) -> None:
    """Refuse columns that fall into groups without one answer in common."""
    groups: list[tuple[list[str], set[str]]] = []
    for column in columns:
        names, together = [column.name], _company(column, rules)
        if not together:
            continue
        for group in [group for group in groups if group[1] & together]:
            names, together = group[0] + names, group[1] | together
            groups.remove(group)
        groups.append((names, together))
    if len(groups) > 1:
        first, second = sorted(groups, key=lambda group: -len(group[0]))[:2]
        raise DataError(
            f"judges must share answers; columns {shown(first[0], 6)} (such as {max(first[1])!r}) and "
            f"{shown(second[0], 6)} (such as {max(second[1])!r}) have none in common; name the voting "
            "columns with judges=, or pass cut= if these are scores"
        )


def _company(column: Column, rules: Rules) -> set[str]:
    """Return a column's answers, with what ties it to others beside them: labels, many numbers."""
    answers = {text for text in rules.read(column) if text is not None}
    labels = set(rules.labels or ())
    if answers & labels:
        answers |= labels
    many = sum(as_number(text) is not None for text in answers) > _LOOKS_LIKE_SCORES
    return answers | {"\0 scores"} if many else answers
