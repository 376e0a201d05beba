"""Wide tables: a row per item, a column per judge."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from algeval.data.names import Codes
from algeval.errors import DataError
from algeval.io.answers import LOOKS_LIKE_SCORES, Rules, as_number, score_notes
from algeval.io.columns import Column, Places
from algeval.io.layout import Asked, Layout, shown
from algeval.io.meaning import Meaning, encode_columns
from algeval.io.onehot import fold_one_hot
from algeval.io.tables import Table
from algeval.progress import steps
from algeval.result.wording import how_many

__all__ = [
    "Encoded",
    "item_texts",
    "judge_columns",
    "left_out",
    "read_wide",
    "repeated_items",
    "wide_items",
    "wide_votes",
]

Names = tuple[str, ...]
Encoded = tuple[Names, Names, Meaning, Codes, Places, Names]
"""items, judges, what answers mean, codes, each row's item, notes"""


def read_wide(table: Table, layout: Layout, asked: Asked, rules: Rules) -> Encoded:
    """Return the parts of Votes that a wide table holds."""
    items = wide_items(table, layout)
    judges, meaning, codes, notes = wide_votes(table, layout, rules)
    return items, judges, meaning, codes, np.arange(table.n_rows), notes


def wide_votes(table: Table, layout: Layout, rules: Rules) -> tuple[Names, Meaning, Codes, Names]:
    """Return what read_wide does, but the items: judges, what answers mean, codes, notes."""
    columns, notes = judge_columns(table, layout, rules)
    if not layout.chosen and rules.cut is None:
        _refuse_strangers(columns, rules)
    meaning, codes = encode_columns(columns, rules, table.weights)
    judges = tuple(column.name for column in columns)
    notes += (f"judges: {shown(judges)}", *score_notes(meaning.answers, rules))
    return judges, meaning, codes, notes


def judge_columns(table: Table, layout: Layout, rules: Rules) -> tuple[list[Column], Names]:
    """Return the columns that are judges, with a note on each thing done to find them."""
    columns = [table.column(name) for name in steps(layout.votes, "reading columns")]
    if layout.chosen:
        return columns, ()
    columns, folds = fold_one_hot(columns, table.weights)
    columns, left = _only_votes(columns, table.n_rows, rules)
    return columns, (*folds, *left)


def left_out(table: Table, layout: Layout, rules: Rules) -> dict[str, str]:
    """Return {column: why} of the columns that cannot be votes by what they hold."""
    if layout.chosen:
        return {}
    columns, _ = fold_one_hot([table.column(name) for name in layout.votes], table.weights)
    return _unlike(columns, table.n_rows, rules)


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


def wide_items(table: Table, layout: Layout) -> Names:
    """Return the item ids of a wide table, its row numbers where no column holds any."""
    if not layout.item:
        return tuple(map(str, range(1, table.n_rows + 1)))
    items = tuple(item_texts(table, layout.item))
    if len(set(items)) < len(items):
        seen: set[str] = set()
        repeated = [item for item in items if item in seen or seen.add(item)]  # type: ignore[func-returns-value]
        raise repeated_items(repeated[0], len(set(repeated)), layout.item)
    return items


def repeated_items(item: str, n: int, names: Sequence[str]) -> DataError:
    """Return the complaint about items that have several rows, one of them and how many they are."""
    return DataError(
        f"a wide table must have one row per item; got item {item!r} again "
        f"({how_many(n, 'item')} repeated in {shown(names)}); name another column or a "
        "list of columns with item=, or pass layout='long' with judge= and answer="
    )


def _unlike(columns: list[Column], n_rows: int, rules: Rules) -> dict[str, str]:
    return {c.name: why for c in columns if (why := _no_votes(c, n_rows, rules)) is not None}


def _only_votes(columns: list[Column], n_rows: int, rules: Rules) -> tuple[list[Column], Names]:
    """Leave out columns that cannot be votes."""
    unlike = _unlike(columns, n_rows, rules)
    kept = [column for column in columns if column.name not in unlike]
    notes = tuple(f"left out {name!r}: {why}" for name, why in unlike.items())
    if not kept:
        name, why = next(iter(unlike.items()))
        raise DataError(
            f"a wide table must have a column per judge; {name!r} was left out because {why}; "
            "name the judges with judges="
        )
    return kept, notes


def _no_votes(column: Column, n_rows: int, rules: Rules) -> str | None:
    """Return why a column cannot be votes, None where it can."""
    texts = [text for text in rules.read(column) if text is not None]
    numeric = [text for text in texts if as_number(text) is not None]
    if not texts:
        return "it is empty" if column.name.lower().startswith("unnamed") else None
    if rules.cut is not None:
        return None if numeric else f"it holds texts such as {texts[0]!r}, no scores"
    if len(texts) == n_rows and n_rows > LOOKS_LIKE_SCORES and not numeric:
        return "it differs on every row"
    return None


def _refuse_strangers(columns: list[Column], rules: Rules) -> None:
    """Refuse columns that fall into groups without one answer in common."""
    groups: list[tuple[list[str], dict[str, str]]] = []
    for column in columns:
        names, together = [column.name], _company(column, rules)
        if not together:
            continue
        for group in [group for group in groups if group[1].keys() & together.keys()]:
            names, together = group[0] + names, group[1] | together
            groups.remove(group)
        groups.append((names, together))
    if len(groups) > 1:
        first, second = sorted(groups, key=lambda group: -len(group[0]))[:2]
        raise DataError(
            f"judges must share answers; columns {shown(first[0], 6)} (such as {_example(first[1])}) and "
            f"{shown(second[0], 6)} (such as {_example(second[1])}) have none in common; name the voting "
            "columns with judges=, or pass cut= if these are scores"
        )


def _example(company: dict[str, str]) -> str:
    return repr(max(company.values()))


def _company(column: Column, rules: Rules) -> dict[str, str]:
    """Return a column's answers by form, with what ties it to others: labels, many numbers."""
    answers = {text for text in rules.read(column) if text is not None}
    form = rules.form
    company = {form(text): text for text in answers}
    labels = {form(label): label for label in rules.labels or ()}
    if company.keys() & labels.keys():
        company |= labels
    if sum(as_number(text) is not None for text in answers) > LOOKS_LIKE_SCORES:
        company["\0 scores"] = ""
    return company
