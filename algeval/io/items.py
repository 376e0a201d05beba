"""Rows of a table as answers, and what tables know of items: true labels, attributes, clusters."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.data.names import (
    NOT_ANSWERED,
    Caution,
    Codes,
    CutNote,
    FrameRows,
    RowNumbers,
    folded,
    natural_order,
)
from algeval.data.sparse import MOST_DENSE
from algeval.data.votes import Grouping, Texts, votes_table
from algeval.errors import DataError, option, parameter
from algeval.io.answers import (
    LOOKS_LIKE_SCORES,
    Column,
    Meaning,
    Positions,
    Rules,
    as_number,
    cut_column,
    encode_columns,
    factorise,
    first_seen,
    plain,
    refuse_other_scale,
    score_notes,
    tidy,
)
from algeval.io.formats import is_there
from algeval.io.journal import BY_SYSTEM, DRAWN, EVEN
from algeval.io.layout import (
    ITEM_NAMES,
    JUDGE_NAMES,
    KEY_NAMES,
    TEXT_NAMES,
    ColumnRoles,
    Layout,
    fold_one_hot,
    is_measure,
    is_shared,
    is_text,
    item_column,
    item_columns,
    match,
    shown,
    words_of,
)
from algeval.io.roles import good_label
from algeval.io.tables import Table, is_path, is_row_numbers, open_table
from algeval.progress import steps
from algeval.result.numbers import did_you_mean, how_many

# --- Wide tables: a row per item, a column per judge.


Names = tuple[str, ...]
Encoded = tuple[Names, Names, Meaning, Codes, Positions, Names]
"""items, judges, what answers mean, codes, each row's item, notes"""


def read_wide(table: Table, layout: Layout, roles: ColumnRoles, rules: Rules) -> Encoded:
    """Parts of Votes that a wide table holds."""
    items = wide_items(table, layout)
    judges, meaning, codes, notes = wide_votes(table, layout, rules)
    return items, judges, meaning, codes, np.arange(table.n_rows), notes


def wide_votes(table: Table, layout: Layout, rules: Rules) -> tuple[Names, Meaning, Codes, Names]:
    """Return what read_wide does, but the items: judges, what answers mean, codes, notes."""
    columns, notes = judge_columns(table, layout, rules)
    if not layout.chosen and rules.cut is None:
        refuse_two_questions(columns, rules)
    meaning, codes = encode_columns(columns, rules, table.weights)
    judges = tuple(column.name for column in columns)
    notes += (f"judges: {shown(judges)}", *score_notes(meaning.answers, rules))
    return judges, meaning, codes, notes


def refuse_two_questions(columns: Sequence[Column], rules: Rules) -> None:
    """Refuse columns without an answer in common: they answer two questions."""
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
            f"columns with {option('judges')}, or pass {option('cut')} if these are scores"
        )


def judge_columns(table: Table, layout: Layout, rules: Rules) -> tuple[list[Column], Names]:
    """Columns that are judges, with a note on each thing done to find them."""
    columns = [table.column(name) for name in steps(layout.votes, "reading columns")]
    if layout.chosen:
        return columns, ()
    columns, folds = fold_one_hot(columns, table.weights)
    unlike = _unlike(columns, table.n_rows, rules)
    kept = [column for column in columns if column.name not in unlike]
    if not kept:
        name, why = next(iter(unlike.items()))
        raise DataError(
            f"a wide table must have a column per judge; {name!r} was left out because {why}; "
            f"name the judges with {option('judges')}"
        )
    return kept, (*folds, *left_out_notes(unlike))


def left_out(table: Table, layout: Layout, rules: Rules) -> dict[str, str]:
    """Return {column: why} of the columns that cannot be votes by what they hold."""
    if layout.chosen:
        return {}
    columns, _ = fold_one_hot([table.column(name) for name in layout.votes], table.weights)
    return _unlike(columns, table.n_rows, rules)


def item_texts(table: Table, names: Names) -> list[str]:
    """Each row's item id; several columns are joined by ':'."""
    parts = []
    for name in names:
        column = table.column(name)
        texts = column.texts()
        if None in texts:
            raise DataError(
                f"every row must name its item; row {texts.index(None) + 1} has none in column "
                f"{name!r}; fill it or choose another with {option('item')}"
            )
        parts.append([text or "" for text in texts])
    return parts[0] if len(parts) == 1 else list(map(":".join, zip(*parts, strict=True)))


def wide_items(table: Table, layout: Layout) -> Names:
    """Item ids of a wide table, its row numbers where no column holds any."""
    if not layout.item:
        return (FrameRows if table.index.counts_rows else RowNumbers).of(table.n_rows)
    items = tuple(item_texts(table, layout.item))
    if len(set(items)) < len(items):
        seen: set[str] = set()
        repeated = [item for item in items if item in seen or seen.add(item)]  # type: ignore[func-returns-value]
        raise repeated_items(repeated[0], len(set(repeated)), layout.item)
    return items


def repeated_items(item: str, n: int, names: Sequence[str]) -> DataError:
    """Complaint about items that have several rows, one of them and how many they are."""
    return DataError(
        f"a wide table must have one row per item; got item {item!r} again ({how_many(n, 'item')} repeated "
        f"in {shown(names)}); name another column or a list of columns with {option('item')}, or pass "
        f"{option('layout', 'long')} with {option('judge')} and {option('answer')}"
    )


def _unlike(columns: list[Column], n_rows: int, rules: Rules) -> dict[str, str]:
    """Return {column: why} of those that cannot be votes by what they hold, or beside the others."""
    reasons = {c.name: why for c in columns if (why := _no_votes(c, n_rows, rules)) is not None}
    left = [column for column in columns if column.name not in reasons]
    if rules.cut is None:
        reasons |= _strangers(left, rules)
    return reasons


_FIGURES = re.compile(r"[-+]?[\d.,%]+")  # numbers, also with decimal commas or as percentages


def _strangers(columns: list[Column], rules: Rules) -> dict[str, str]:
    """Columns that share no answer with the votes, and whose name says a measure or a text."""
    held = {column.name: _company(column, rules).keys() for column in columns}
    reasons: dict[str, str] = {}
    for column in columns:
        own = held[column.name]
        others = [held[c.name] for c in columns if c is not column and c.name not in reasons]
        if not own or any(own & other for other in others) or len(held) - len(reasons) < 2:
            continue
        texts = [text for text in rules.read(column) if text is not None]
        numeric = all(as_number(text) is not None for text in texts)
        words = [t for c in columns if c is not column for t in rules.read(c) if t is not None]
        if numeric and is_measure(column.name) and not any(_FIGURES.fullmatch(t) for t in words):
            reasons[column.name] = f"its name says a measure; {option('judges')} counts it as votes"
        elif not numeric and words_of(column.name)[-1:] and words_of(column.name)[-1] in TEXT_NAMES:
            reasons[column.name] = (
                f"its name says text, and no judge answers so; {option('judges')} counts it"
            )
    return reasons


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
    return f"it reads as text; {option('judges')} counts it as votes" if is_text(column) else None


def left_out_notes(unlike: dict[str, str]) -> Names:
    """Say of each column that was left out why."""
    return tuple(Caution(f"left out {name!r}: {why}") for name, why in unlike.items())


def is_certain(why: str) -> bool:
    """Whether no later row can make votes of a column that was left out for its first ones."""
    return why.startswith(("it differs", "it reads", "its name"))


def _example(company: dict[str, str]) -> str:
    return repr(max(company.values()))


def _company(column: Column, rules: Rules) -> dict[str, str]:
    """Column's answers by form, with what ties it to others: labels, many numbers."""
    answers = {text for text in rules.read(column) if text is not None}
    form = rules.form
    company = {form(text): text for text in answers}
    labels = {form(label): label for label in rules.labels or ()}
    if company.keys() & labels.keys():
        company |= labels
    if sum(as_number(text) is not None for text in answers) > LOOKS_LIKE_SCORES:
        company["\0 scores"] = ""
    return company


# --- A table with an item and a value in each row: true labels, clusters, whatever is known of
# items.


@dataclass(frozen=True, slots=True)
class Values:
    """Values in a row, as a Series, array or list holds them."""

    cells: list[Any]
    index: Any = None  # a pandas index that names the cells, where anything does
    name: str | None = None

    @property
    def has_ids(self) -> bool:
        """Whether the index says more than the number of each value."""
        if self.index is None:
            return False
        return any(n is not None for n in self.index.names) or not is_row_numbers(self.index)

    @property
    def numbers_rows(self) -> bool:
        """Whether the index may be that of a data frame whose rows were only numbered."""
        kind = getattr(getattr(self.index, "dtype", None), "kind", "O")
        return self.index is not None and all(n is None for n in self.index.names) and kind in "iu"


@dataclass(frozen=True, slots=True)
class Labels:
    """True labels, and the setting they were given as, for sentences."""

    source: Any
    name: str


def values_of(source: Any) -> Values | None:
    """Values of a Series, of a one-dimensional array or list, or of a frame of one column."""
    if isinstance(source, str | bytes | os.PathLike | Mapping) or is_waves(source):
        return None
    index = getattr(source, "index", None)
    if hasattr(index, "names") and hasattr(source, "iloc"):
        if getattr(source, "ndim", 1) == 2:
            if len(source.columns) != 1 or item_column(map(str, source.columns)) is not None:
                return None
            source = source.iloc[:, 0]
        return Values(source.tolist(), index, None if source.name is None else str(source.name))
    if isinstance(source, list | tuple):
        nested = any(isinstance(cell, Mapping | list | tuple | os.PathLike) for cell in source)
        return None if nested or not source else Values(list(source))
    if hasattr(source, "columns") or hasattr(source, "column_names"):
        return None
    for method in ("to_list", "to_pylist", "tolist"):
        if hasattr(source, method) and getattr(source, "ndim", 1) == 1:
            name = getattr(source, "name", None)
            listed = getattr(source, method)()
            return Values(listed, None, name or None) if isinstance(listed, list) else None
    return None


def index_texts(index: Any) -> list[str]:
    """Ids that an index holds; levels are joined by ':'."""
    return [
        ":".join(plain(part) or "" for part in (value if isinstance(value, tuple) else (value,)))
        for value in index.tolist()
    ]


def ids_of(
    values: Values, what: str, items: Sequence[str] | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Item of each value, with notes: by id; by position only where nothing has ids."""
    n = len(values.cells)
    if values.has_ids:
        ids = index_texts(values.index)
        if values.numbers_rows and isinstance(items, RowNumbers):
            ids = _counted_from_1(ids, what, items)
        return tuple(ids), ()
    if isinstance(items, RowNumbers) and n == len(items):
        return items, (
            Caution(f"{what} was joined by position, as nothing in it or the votes is an id"),
        )
    numbers = tuple(map(str, range(n)))
    if values.index is not None and items is not None and set(items) <= set(numbers):
        return numbers, ()
    if isinstance(items, RowNumbers):
        raise DataError(
            f"{what} must name its items where it is not one value per item ({len(items)}); got "
            f"{how_many(n, 'value')} without ids; write {{item: {what}}}, or a table with a column of items"
        )
    example = f", for example {items[0]!r}" if items else ""
    raise DataError(
        f"{what} must name its items, as the votes do{example}; got {how_many(n, 'value')} without ids, "
        f"never joined by position; write {{item: {what}}}, or make the ids the index of the Series"
    )


def _counted_from_1(ids: list[str], what: str, items: RowNumbers) -> list[str]:
    """Row numbers from 1 on for those of a frame, which start at 0."""
    if isinstance(items, FrameRows):
        return [str(int(number) + 1) for number in ids]
    if "0" in ids:
        raise DataError(
            f"{what} must name the items of the votes, which are numbered from 1; got numbers from 0; read "
            "votes and labels from one data frame, or give both a column of items"
        )
    return ids


@dataclass(frozen=True, slots=True)
class ItemRows:
    """What the rows of such a table say, in their order; an item may have several."""

    name: str  # of the table, for sentences
    items: tuple[str, ...]
    values: tuple[str | None, ...]  # None: empty, or means missing
    sayers: tuple[str | None, ...] | None = None  # who said so
    beside: dict[str, tuple[str | None, ...]] = field(default_factory=dict)  # other columns
    notes: tuple[str, ...] = ()


def read_item_rows(
    source: Any,
    what: str,
    names: tuple[str, ...],
    beside: tuple[str, ...] = (),
    items: Sequence[str] | None = None,
    rules: Rules | None = None,
) -> ItemRows:
    """Rows of {item: value}, or of a path, a frame or records with two named columns.

    Of two columns in all, the one that holds no items has the values whatever its name. The column that
    holds most of `items` names the items; a Series or array without ids fits only row numbers.
    """
    rules = rules or Rules.make(None, None, None)
    if is_waves(source):
        parts = [read_item_rows(part, what, names, beside, items, rules) for part in source]
        return _joined_waves(parts, items)
    if isinstance(source, Mapping) and not _holds_columns(source, names):
        if not source:
            raise DataError(
                f"{what} must name at least one item; got none; leave {option(what)} out"
            )
        ids = _ids_of_mapping(source, what, items)
        return ItemRows(what, ids, tuple(rules.answer(value) for value in source.values()))
    values = values_of(source)
    if values is not None:
        ids, notes = ids_of(values, what, items)
        return ItemRows(what, ids, tuple(map(rules.answer, values.cells)), notes=notes)
    if isinstance(source, Sequence | Mapping) and not isinstance(source, str) and not source:
        raise DataError(f"{what} must name at least one item; got none; leave {option(what)} out")
    framed = any(hasattr(source, name) for name in ("columns", "column_names", "scanner"))
    listed = isinstance(source, str | os.PathLike | Mapping | Sequence) or hasattr(
        source, "__array__"
    )
    if not (framed or listed or hasattr(source, "__arrow_c_stream__")):
        raise DataError(
            f"{what} must be {{item: value}}, a Series, or a path or table with a column of items; got "
            f"{type(source).__name__}; pass one of these"
        )
    table = open_table(source)
    name = Path(source).name if isinstance(source, str | os.PathLike) else what
    value, sayer = _columns(table, name, names, beside, items)
    ids, notes = _items_of(source, table, (value, sayer), name, items)
    more = {wanted: column for wanted in beside if (column := match(table.names, (wanted,)))}
    return ItemRows(
        name,
        ids,
        _texts(table, value, rules),
        None if sayer is None else _texts(table, sayer, rules),
        {wanted: _texts(table, column, rules) for wanted, column in more.items()},
        notes,
    )


def is_waves(source: Any) -> bool:
    """Whether labels are several files or frames, as those that were bought one after another."""
    return isinstance(source, list | tuple) and bool(source) and all(map(_is_wave, source))


def waves_of(source: Any) -> list[Any]:
    """The files or frames of labels: several, or the one that there is."""
    return [*source] if is_waves(source) else [source]


def _is_file(name: object) -> bool:
    return isinstance(name, str) and is_there(name) and not Path(name).is_dir()


def refuse_files_beside(human: Any) -> None:
    """Refuse a list that names files, and what is none."""
    if not isinstance(human, list | tuple) or not all(isinstance(name, str) for name in human):
        return
    files = [name for name in human if _is_file(name)]
    if files and len(files) < len(human):
        other = next(name for name in human if name not in files)
        raise DataError(
            f"{parameter('human')} must be a list of files alone, or of columns; got {files[0]!r}, which is "
            f"a file, and {other!r}, which is none; check the path"
        )


def _is_wave(part: Any) -> bool:
    if isinstance(part, str):
        return _is_file(part)
    if isinstance(part, os.PathLike) or hasattr(part, "column_names"):
        return True
    named = hasattr(part, "columns") or getattr(part, "index", None) is not None
    return named and not isinstance(part, list | tuple | Mapping)


def _joined_waves(parts: Sequence[ItemRows], items: Sequence[str] | None) -> ItemRows:
    """Labels of several tables in one, where the later table counts on an item that two label."""
    if len(parts) == 1:
        return parts[0]
    names = [part.name for part in parts]
    several = len({*names}) == len(names)  # of frames, which have no names
    name = (
        f"{', '.join(names[:-1])} and {names[-1]}" if several else f"{len(names)} tables of labels"
    )
    said, last, differ = dict[str, set[str]](), dict[str, int](), set[str]()
    is_label = Rules.make(None, None, None).answer
    for k, part in enumerate(parts):
        own: dict[str, set[str]] = {}
        for item, value in zip(part.items, part.values, strict=True):
            if is_label(value) is not None:
                own.setdefault(item, set()).add(folded(str(value)))
        differ |= {item for item, texts in own.items() if said.get(item, texts) != texts}
        said |= own
        last |= dict.fromkeys(own, k)
    notes = tuple(dict.fromkeys(note for part in parts for note in part.notes))
    if differ:
        n = how_many(len(differ), "item has", "items have")
        notes = (*notes, Caution(f"{n} different labels in {name}: the later one counts"))
    drawn = [part for part in parts if not {"inclusion", "draw"}.isdisjoint(part.beside)]
    if drawn and (len(drawn) < len(parts) or not _each_even(parts, items)):
        whole = [part for part in drawn if last.keys() <= {*part.items}]
        if not whole:
            raise _chance_unknown(drawn[-1], last, name)
        return _relabelled(whole[-1], parts, last, name, notes)
    if drawn:
        notes = (*notes, f"{name}: each was drawn evenly from all items, so together a random draw")
    kept = [
        (k, row)
        for k, part in enumerate(parts)
        for row, item in enumerate(part.items)
        if last.get(item, k) == k
    ]
    beside = {column for part in parts for column in part.beside} - {*DRAWN}
    return ItemRows(
        name,
        tuple(parts[k].items[row] for k, row in kept),
        tuple(parts[k].values[row] for k, row in kept),
        _cells_of([part.sayers for part in parts], kept),
        {
            column: _cells_of([part.beside.get(column) for part in parts], kept) or ()
            for column in sorted(beside)
        },
        notes,
    )


def _cells_of(
    columns: Sequence[tuple[str | None, ...] | None], kept: Sequence[tuple[int, int]]
) -> tuple[str | None, ...] | None:
    """Cells of the rows that are kept, none where a table lacks the column; None where all do."""
    if all(cells is None for cells in columns):
        return None
    return tuple(None if (own := columns[k]) is None else own[row] for k, row in kept)


def _each_even(parts: Sequence[ItemRows], items: Sequence[str] | None) -> bool:
    """Whether each table was drawn from all the items, with the same chance for each of them."""
    for part in parts:
        chances = {*part.beside.get("inclusion", ())}
        hows = {*part.beside.get("strategy", ())} - {None, *EVEN}
        size = None if hows or len(chances) != 1 or "draw" in part.beside else _drawn_from(part)
        if size is None or items is None or abs(size - len(items)) > 0.5:
            return False
    return True


def _chance_unknown(drawn: ItemRows, items: Iterable[str], name: str) -> DataError:
    """Complaint on an item that was labelled beside a table with chances, in which it had one, too."""
    here = {*drawn.items}
    strange = next(item for item in items if item not in here)
    how = "was labelled one by one" if "draw" in drawn.beside else "has chances of being drawn"
    return DataError(
        f"{option('human')} must be one table where labels were drawn with known chances; got {name}, of "
        f"which {drawn.name} {how} and lacks item {strange!r}, whose chance in all of them together is not "
        f"known; draw a wave with {option('human')} naming the last, so that it holds all, or take the "
        "chances out where every item had the same"
    )


def _relabelled(
    drawn: ItemRows,
    parts: Sequence[ItemRows],
    last: Mapping[str, int],
    name: str,
    notes: tuple[str, ...],
) -> ItemRows:
    """Table with chances with the labels of the table that counts on each item."""
    of_each = [dict(zip(part.items, part.values, strict=True)) for part in parts]
    own = next(k for k, part in enumerate(parts) if part is drawn)
    values = tuple(
        value if (k := last.get(item, own)) == own else of_each[k][item]
        for item, value in zip(drawn.items, drawn.values, strict=True)
    )
    said = f"{drawn.name} holds every item of {name}, and its chances count"
    return replace(drawn, name=name, values=values, notes=(*notes, said))


def _ids_of_mapping(
    source: Mapping[Any, Any], what: str, items: Sequence[str] | None
) -> tuple[str, ...]:
    """Items that a mapping names; numbers may be those of a frame's rows, from 0 on."""
    ids = tuple(plain(item) or "" for item in source)
    if not isinstance(items, FrameRows) or not all(type(item) is int for item in source):
        return ids
    if "0" in ids:
        return tuple(str(int(number) + 1) for number in ids)
    if str(len(items)) in ids:
        return ids
    raise DataError(
        f"{what} must name its items clearly; got numbers that can be the index of the data frame, from 0 "
        "on, or row numbers, from 1 on; pass a Series with the index of the frame, or name a column of ids "
        f"with {option('item')}"
    )


def _items_of(
    source: Any,
    table: Table,
    others: tuple[str | None, ...],
    name: str,
    items: Sequence[str] | None,
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Item of each row: of the columns that may name it, the one that fits the votes best."""
    index = table.index.columns
    ranked = [n for n in item_columns(table.names) if n not in (*others, *index)]
    rest = [n for n in table.names if n not in (*ranked, *others, *index)]
    choices: list[tuple[str, ...]] = [(column,) for column in ranked]
    choices += [index] if index else []
    choices += [(column,) for column in rest] if len(rest) == 1 or items is not None else []
    wanted_ids = set(items or ())
    best: tuple[int, tuple[str, ...]] | None = None
    wrong: DataError | None = None
    for choice in choices:
        try:
            ids = item_texts(table, choice)
        except DataError as error:  # a row without one, or lists
            wrong = wrong or error
            continue
        if choice == index and not table.index.named and isinstance(items, FrameRows):
            ids = [str(int(column) + 1) if column.isdecimal() else column for column in ids]
        n = len(wanted_ids.intersection(ids))
        if (best is None or n > best[0]) and (
            n or not wanted_ids or choice[0] in ranked or choice == index
        ):
            best = n, tuple(ids)
    if wanted_ids and not (best and best[0]) and (joint := _joint_ids(table, others, items or ())):
        return joint, ()
    if best is not None:
        return best[1], ()
    if wrong is not None and ranked:
        raise wrong
    held = getattr(source, "index", None) if table.index.counts_rows else None
    return ids_of(Values([None] * table.n_rows, held), name, items)


_MOST_JOINT = 8


def _joint_ids(
    table: Table, others: tuple[str | None, ...], items: Sequence[str]
) -> tuple[str, ...]:
    """Items that several columns name together, as a prompt and a system do; nothing where none fit."""
    names = [name for name in table.names if name not in others]
    n_parts = items[0].count(":") + 1
    if not 1 < n_parts <= 3 or len(names) > _MOST_JOINT:
        return ()
    wanted = set(items)
    best: tuple[int, tuple[str, ...]] = (0, ())
    for choice in permutations(names, n_parts):
        try:
            ids = item_texts(table, choice)
        except DataError:
            continue
        best = max(best, (len(wanted.intersection(ids)), tuple(ids)), key=itemgetter(0))
    return best[1]


def _holds_columns(source: Mapping[Any, Any], names: tuple[str, ...]) -> bool:
    """Whether a mapping is a table, {column: cells}, and not {item: value}."""
    keys = [str(key) for key in source]
    listed = all(
        isinstance(cells, list | tuple) or hasattr(cells, "shape") for cells in source.values()
    )
    return listed and item_column(keys) is not None and match(keys, names) is not None


def _columns(
    table: Table,
    name: str,
    names: tuple[str, ...],
    beside: tuple[str, ...],
    items: Sequence[str] | None,
) -> tuple[str, str | None]:
    """Column of values, and that of who said so where there is one."""
    index = table.index.columns
    ids = [c for c in item_columns(table.names) if c not in index]
    rest = [c for c in table.names if c not in index and c.lower() not in beside]
    parts = [] if items is None or len(rest) < 3 else _naming_items(table, rest, items)
    if len(parts) > 1 and len(rest) - len(parts) == 1:  # a prompt, a system and a label
        return next(c for c in rest if c not in parts), None
    sayer = match([c for c in rest if c not in ids], JUDGE_NAMES) if len(rest) > 2 else None
    rest = [column for column in rest if column != sayer]
    item = item_column(c for c in rest if c != match(rest, names))
    left = [column for column in rest if column != item]
    value = left[0] if len(left) == 1 else match([c for c in rest if c not in ids], names)
    value = value or match(left, names)
    if value is None or (
        item is None and len(rest) > 2 and not index and not table.index.counts_rows
    ):
        lacks = "items" if item is None else f"values (one of {', '.join(names[:4])})"
        raise DataError(
            f"{name} must have a column of items and one of values; got {shown(table.names)}, and none of "
            f"{lacks}; name the columns 'item' and {names[0]!r}"
        )
    return value, sayer


def _naming_items(table: Table, names: Sequence[str], items: Sequence[str]) -> list[str]:
    """Columns whose cells are parts of the items' ids, which several columns make together."""
    parts = {part for item in items if ":" in item for part in item.split(":")}
    held = ({t for t in _plain_texts(table, name) if t is not None} for name in names)
    return [name for name, texts in zip(names, held, strict=True) if texts and texts <= parts]


def _texts(table: Table, column: str, rules: Rules) -> tuple[str | None, ...]:
    found = table.column(column)
    texts = [*rules.read(found), None]
    return tuple(texts[code] for code in found.codes.tolist())


# --- Answer keys: a column of the table, a second table of items and truths, or a mapping.


TRUTH_NAMES = (
    *(*KEY_NAMES, "label", "answer", "true", "y", "class", "value"),
    *("human", "human_label", "label_human", "expert", "expert_label", "adjudicated", "annotation"),
)
"""What a column of true labels is called in a table of them."""


@dataclass(frozen=True, slots=True)
class KeySource:
    """Where the truths are: a column of the votes' table, pairs of item and truth, or a table of them."""

    column: str | None = None
    pairs: tuple[tuple[str, ...], tuple[object, ...]] | None = None
    rows: tuple[object, ...] | None = None  # the truth of each row of the votes' table
    beside: str | None = None  # the column of that table with the same labels, so no judge
    drawn: tuple[Texts, ...] = ()  # of joined labels, how their items were drawn
    table: Any = None  # joined once the items are known
    name: str = "key"
    names: tuple[str, ...] = ()  # what a column of that table may be called, too

    @property
    def taken(self) -> str | None:
        """The column of the votes' table that holds the truth and no votes."""
        return self.column or self.beside

    @property
    def absent(self) -> bool:
        """Whether there is no key."""
        return (
            self.column is None and self.pairs is None and self.rows is None and self.table is None
        )

    def for_items(self, items: Sequence[str]) -> tuple[KeySource, tuple[str, ...]]:
        """Same with a table as pairs, joined on these items, and notes."""
        if self.table is None:
            return self, ()
        raw = Rules(frozenset(), None, None)  # what is missing is asked of the votes' own rules
        names = (*TRUTH_NAMES, *self.names)
        rows = read_item_rows(self.table, self.name, names, DRAWN, items, raw)
        rows = of_grown_table(rows, items)
        notes = rows.notes
        drawn: tuple[Texts, ...] = ()
        is_journal = "draw" in rows.beside
        if is_journal or "inclusion" in rows.beside:
            drawn = tuple(
                Texts(name, _on_items(rows.items, cells, items))
                for name, cells in rows.beside.items()
            )
        elif len(set(rows.items)) < len(rows.items) and _names_people(self.table):
            several = "several people an item make one label, that of most (ties none)"
            notes = (*notes, f"{rows.name}: {several}")
        if is_journal or notes != rows.notes:
            rows = _of_most(rows)
        pairs = _checked_pairs(rows.items, rows.values, rows.name)
        return replace(self, pairs=pairs, drawn=drawn, table=None, name=rows.name), notes


def of_grown_table(rows: ItemRows, items: Sequence[str]) -> ItemRows:
    """Labels of a table that has grown since they were drawn as such: they are no draw from all its items.

    A journal says of how many items it is; the chance of an even draw is its size over that number.
    """
    n_drawn_from = _drawn_from(rows)
    if n_drawn_from is None or n_drawn_from > len(items) - 0.5 or not set(rows.items) <= set(items):
        return rows
    every = len(rows.items)
    hows = rows.beside.get("strategy", ("random",) * every)
    chances = rows.beside.get("inclusion", ("1",) * every)
    own = [how in (*EVEN, BY_SYSTEM, None) for how in hows]
    beside = rows.beside | {
        "wave": rows.beside.get("wave", ("1",) * every),
        "strategy": tuple("unknown" if k else how for k, how in zip(own, hows, strict=True)),
        "inclusion": tuple("1" if k else x for k, x in zip(own, chances, strict=True)),
    }
    note = (
        f"{rows.name}: these labels were drawn from {n_drawn_from:.0f} items and the table has {len(items)}: "
        "rows were added since, or items that were drawn left out; those added had no chance to be labelled"
    )
    return replace(rows, beside=beside, notes=(*rows.notes, Caution(note)))


def _drawn_from(rows: ItemRows) -> float | None:
    """How many items labels were drawn from evenly; None where nothing says it."""
    sizes = {size for size in rows.beside.get("of_items", ()) if size is not None}
    if sizes:
        return min(map(float, sizes))
    chances = rows.beside.get("inclusion")
    if chances is None or "draw" in rows.beside or not rows.items:
        return None
    numbers = rows.beside.get("wave", ("1",) * len(chances))
    hows = rows.beside.get("strategy", ("random",) * len(chances))
    cells = {item: cell for item, *cell in zip(rows.items, numbers, hows, chances, strict=True)}
    waves = sorted({(str(n), str(how)) for n, how, _ in cells.values() if how != "unknown"})
    unknown = sum(how == "unknown" for _, how, _ in cells.values())
    if {how for _, how in waves} == {BY_SYSTEM}:
        drawn = [as_number(str(x)) or 1 for _, how, x in cells.values() if how == BY_SYSTEM]
        return unknown + sum(1 / chance for chance in drawn)
    if not waves or waves[0][1] not in EVEN:
        return None
    even = [as_number(str(chance)) for _, how, chance in cells.values() if how in EVEN]
    chance = even[0] if even and len(set(even)) == 1 else None
    if chance is None or not 0 < chance < 1:
        return None
    return unknown + len(even) / float(chance)


def _on_items(
    ids: Sequence[str], cells: Sequence[str | None], items: Sequence[str]
) -> tuple[str | None, ...]:
    cell_of = dict(zip(ids, cells, strict=True))
    return tuple(map(cell_of.get, items))


def _of_most(rows: ItemRows) -> ItemRows:
    """A row per item with the value of most of its people; none of an item on which they are split."""
    values: dict[str, Counter[str]] = {}
    for item, value in zip(rows.items, rows.values, strict=True):
        values.setdefault(item, Counter()).update([] if value is None else [value])
    most = {item: counts.most_common(2) for item, counts in values.items()}
    settled = {
        item: ranked[0][0]
        for item, ranked in most.items()
        if ranked and (len(ranked) < 2 or ranked[0][1] > ranked[1][1])
    }
    kept = tuple(map(settled.get, values))
    return replace(rows, items=tuple(values), values=kept, sayers=None)


def key_source(table: Table, key: Any, source: Any = None) -> KeySource:
    """Key as a column, a file, a mapping or a Series, which is joined on the index of the frame `source`."""
    if key is None:
        return KeySource()
    if isinstance(key, str) and key in table.names:
        return KeySource(column=key, name=f"column {key!r}")
    if isinstance(key, str) and not is_there(key):
        raise DataError(
            f"{parameter('human')} must name a column or a file; got {key!r}; the columns are "
            f"{shown(table.names)}"
        )
    refuse_files_beside(key)
    if isinstance(key, Mapping) and not key:
        raise DataError(f"key must name at least one item; got none; leave {option('key')} out")
    name = "key"
    if isinstance(key, Labels):
        key, name = key.source, key.name
    values = values_of(key)
    if values is None:
        return KeySource(table=key, name=name)
    column, same = _own_column(table, values, source)
    if column is not None and same:
        return KeySource(column=column, name=name if name != "key" else f"column {column!r}")
    beside = values.name if values.name in table.names else None
    rows = tuple(values.cells) if column is not None else rows_by_index(values, source)
    return KeySource(rows=rows, beside=beside, table=key if rows is None else None, name=name)


def _own_column(table: Table, values: Values, source: Any) -> tuple[str | None, bool]:
    """Column of the table whose rows some values are, and whether they are its very cells.

    Cells renamed one for one are its rows too; cells in another order are not.
    """
    index = index_of(source)
    is_framed = hasattr(source, "columns") or hasattr(source, "column_names")
    if not is_framed or len(values.cells) != table.n_rows:
        return None, False
    if values.index is not None and index is not None and not index.equals(values.index):
        return None, False
    own = factorise(values.name or "", values.cells).texts()
    if len(set(own)) < 2:
        return None, False
    for name in table.names if values.name is None else (values.name,):
        if name in table.names and _plain_texts(table, name) == own:
            return name, True
    if values.name not in table.names:
        return None, False
    pairs = set(zip(_plain_texts(table, str(values.name)), own, strict=True))
    is_bijection = len(pairs) == len({old for old, _ in pairs}) == len({new for _, new in pairs})
    if not is_bijection and not values.has_ids:
        raise _other_rows(str(values.name))
    return (values.name if is_bijection else None), False


def _plain_texts(table: Table, name: str) -> list[str | None]:
    try:
        return table.column(name).texts()
    except DataError:  # lists or objects
        return []


def index_of(source: Any) -> Any:
    """Index of a pandas frame, None for anything else."""
    index = getattr(source, "index", None)
    return index if hasattr(index, "names") and hasattr(source, "iloc") else None


def rows_by_index(values: Values, source: Any) -> tuple[object, ...] | None:
    """Value of each row of a data frame, where a Series has labels of its index."""
    index = index_of(source)
    if index is None or values.index is None or list(index.names) != list(values.index.names):
        return None
    labels, ids = index_texts(index), index_texts(values.index)
    if len(set(labels)) < len(labels) or len(set(ids)) < len(ids) or set(labels).isdisjoint(ids):
        return None
    if not values.has_ids and (is_row_numbers(index) or not set(labels) <= set(ids)):
        return None
    cell_of = dict(zip(ids, values.cells, strict=True))
    rows = tuple(cell_of.get(label) for label in labels)
    is_its_own = values.name in list(map(str, source.columns)) and not _contradict(
        source, values.name, rows
    )
    n = len(set(labels).intersection(ids))
    for name in source.columns:
        if source[name].isna().any() or not source[name].is_unique:
            continue
        held = list(map(plain, source[name].tolist()))
        fit = len(set(held).intersection(ids))
        if fit > n and item_column([str(name)]) is not None:
            return None  # a column of ids that holds more of them than the index does fits better
        if is_its_own or index.names != [None] or 2 * fit <= n or (n == len(ids) > fit):
            continue
        if any(plain(cell_of.get(i or "")) != plain(r) for i, r in zip(held, rows, strict=True)):
            raise DataError(
                "labels must say which rows they are for; their index fits both the index of the data frame "
                f"and its column {str(name)!r}, which pair them otherwise; write {{item: label}}, or call "
                f"set_index({str(name)!r}) before you take the labels"
            )
    if not values.has_ids and _contradict(source, values.name, rows):
        raise _other_rows(str(values.name))
    return rows


def _other_rows(name: str) -> DataError:
    return DataError(
        f"labels called {name!r} must be those of the column {name!r} of the votes' table; got others "
        "without ids, so that their rows cannot be told; keep the index of the frame, or write {item: label}"
    )


def _contradict(source: Any, name: str | None, rows: Sequence[object]) -> bool:
    """Whether the frame has a column of that name with other values in these rows."""
    if name is None or name not in list(map(str, source.columns)):
        return False
    own = {str(column): column for column in source.columns}[name]
    held = map(plain, source[own].tolist())
    return any(old is not None and old != plain(new) for old, new in zip(held, rows, strict=True))


_PEOPLE = frozenset(
    ["annotator", "rater", "worker", "reviewer", "expert", "labeler", "labeller", "coder", "person"]
)


def _names_people(source: Any) -> bool:
    """Whether a table of labels has a column that says who gave each."""
    if is_waves(source):
        return any(map(_names_people, source))
    names = getattr(source, "columns", None) if not isinstance(source, Mapping) else source
    if is_path(source):
        names = open_table(source).names
    words = [set(words_of(str(name))) for name in (names if names is not None else ())]
    return any(not _PEOPLE.isdisjoint(own) for own in words)


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
    row_items: Positions,
    meaning: Meaning,
    rules: Rules,
) -> tuple[Positions | None, tuple[str, ...]]:
    """Key as positions in the labels (-1 unknown), with notes; None without a key."""
    labels = meaning.labels
    source, joined_notes = source.for_items(items)
    if source.column is not None or source.rows is not None:
        rows = factorise(source.name, list(source.rows or ()))
        column = rows if source.column is None else table.column(source.column)
        used = np.isin(np.arange(len(column.values)), column.codes)
        read = [rules.answer(v) if k else None for v, k in zip(column.values, used, strict=True)]
        texts, notes = _truths(read, source.name, rules, meaning)
        codes = column.look_up(_positions(texts, labels, source.name))
        key = np.full(len(items), NOT_ANSWERED, np.int64)
        labelled = codes != NOT_ANSWERED
        key[row_items[labelled]] = codes[labelled]
        clash = np.flatnonzero(labelled & (key[row_items] != codes))
        if len(clash):
            row = clash[0]
            raise DataError(
                f"{source.name} must hold one truth per item; got {labels[codes[row]]!r} and "
                f"{labels[key[row_items[row]]]!r} for item {items[row_items[row]]!r}; correct one"
            )
        return key, notes
    if source.pairs is None:
        return None, ()
    ids, cells = source.pairs
    read = [rules.answer(value) for value in cells]
    texts, notes = _truths(read, source.name, rules, meaning)
    positions = _positions(texts, labels, source.name)
    truth = dict(zip(ids, positions, strict=True))
    joined = [truth.get(item, NOT_ANSWERED) for item in items]
    matched = sum(item in truth for item in items)
    notes = (*joined_notes, *notes)
    if not matched:
        raise DataError(
            f"{source.name} must speak of the same items as the votes; it has {ids[0]!r} and the votes "
            f"{items[0]!r}, none in common; check the item ids"
        )
    extra = len(truth) - matched
    if extra and isinstance(items, RowNumbers):
        other = next(stranger for stranger in truth if stranger not in set(items))
        raise DataError(
            f"every item of {source.name} must be one of the votes', which are row numbers from 1 to "
            f"{len(items)}; got {other!r}; give both a column of ids"
        )
    if extra:
        notes += (f"{source.name}: {how_many(extra, 'item')} without votes left out",)
    unknown = joined.count(NOT_ANSWERED)
    if unknown:
        notes += (f"{how_many(unknown, 'item has', 'items have')} no true label",)
    return np.array(joined, np.int64), notes


def _truths(
    texts: list[str | None], name: str, rules: Rules, meaning: Meaning
) -> tuple[list[str | None], tuple[str, ...]]:
    """Spell a key as the answers are; cut a key of scores, but not one that is 0/1 already."""
    if (rules.labels is None or rules.cut is not None) and not rules.exact:
        cut = None if rules.cut is None else CutNote(rules.cut)
        refuse_other_scale(name, texts, meaning.answers, cut=cut)
    if rules.cut is None:
        spelled = meaning.spelling.all(texts)
        pairs = zip(texts, spelled, strict=True)
        other = sorted({(str(old), new) for old, new in pairs if old != new})
        said = ", ".join(f"{old!r} as {new!r}" for old, new in other)
        return spelled, (f"{name}: read {said}",) if said else ()
    if {text for text in texts if text is not None} <= {"0", "1"}:
        return texts, (f"{name} is 0/1 already and was not cut",)
    said_good = None
    if all(as_number(text) is None for text in texts if text is not None):
        said_good = good_label(text for text in texts if text is not None)
    if said_good is not None:
        own = [None if t is None else "1" if t.casefold() == said_good else "0" for t in texts]
        note = f"{name} is no number and was not cut: {said_good!r} read as {float(rules.cut):g} and above"
        return own, (Caution(f"{note}, the rest as below"),)
    words = natural_order({t for t in texts if t is not None and as_number(t) is None})
    if words:
        raise DataError(
            f"{name} must hold numbers to be cut at {float(rules.cut):g} like the scores, or two labels of "
            f"which one says pass; got {shown(words, 4)}; leave it out with {option('ignore')}, or the cut"
        )
    return cut_column(name, texts, rules.cut), (f"{name} cut like the scores",)


def _positions(texts: list[str | None], labels: tuple[str, ...], name: str) -> list[int]:
    index: dict[str | None, int] = {label: position for position, label in enumerate(labels)}
    index[None] = NOT_ANSWERED
    unknown = natural_order({text for text in texts if text is not None and text not in index})
    if unknown:
        raise DataError(
            f"every true label of {name} must be one of the labels {shown(labels)} (read from the answers, "
            f"never from the key); got {unknown[0]!r}; pass {option('labels')} with every possible truth"
        )
    return [index[text] for text in texts]


# --- Long tables: a row per vote.


@dataclass(frozen=True, slots=True)
class Rows:
    """Which item and which judge each row of a long table is about."""

    items: tuple[str, ...]
    judges: tuple[str, ...]
    item_of: Positions
    kept: NDArray[np.bool_]  # whether a row is about one of the judges chosen
    judge_of: Positions  # per row kept, the place of its judge
    notes: tuple[str, ...]

    def table(self, cells: NDArray[Any], empty: float) -> NDArray[Any]:
        """Return (items, judges): one cell of each row, `empty` where there is no row."""
        shape = (len(self.items), len(self.judges))
        if cells.dtype.kind == "i":
            return votes_table(self.item_of[self.kept], self.judge_of, cells[self.kept], shape)
        if shape[0] * shape[1] > MOST_DENSE:
            raise DataError(
                f"items x judges must stay below {MOST_DENSE:.0e} cells; got {shape[0]} x {shape[1]}; "
                f"choose fewer judges with {option('judges')}"
            )
        result = np.full(shape, empty, cells.dtype)
        result[self.item_of[self.kept], self.judge_of] = cells[self.kept]
        return result


def read_long(table: Table, layout: Layout, roles: ColumnRoles, rules: Rules) -> Encoded:
    """Parts of Votes that a long table holds."""
    rows = long_rows(table, layout, roles)
    meaning, flat = encode_columns([table.column(layout.answer)], rules)
    codes = rows.table(flat[:, 0], NOT_ANSWERED)
    read, *others = rows.notes
    notes = (read, *score_notes(meaning.answers, rules), *others)
    return rows.items, rows.judges, meaning, codes, rows.item_of, notes


def long_rows(table: Table, layout: Layout, roles: ColumnRoles) -> Rows:
    """Return what each row of a long table is about, refusing a judge twice on an item."""
    items, item_of = _in_order(_item_column(table, layout))
    seen, judge_of = _in_order(_filled(table.column(layout.judge), "judge"))
    judges, column_of = chosen_judges(seen, roles.judges)
    column = column_of[judge_of]
    kept = column >= 0
    cell = item_of * len(seen) + judge_of
    ordered = np.sort(cell)
    repeats = int((ordered[1:] == ordered[:-1]).sum())
    if repeats:
        _, first = np.unique(cell, return_index=True)
        again = np.setdiff1d(np.arange(len(cell)), first)[0]
        raise repeated_votes(seen[judge_of[again]], items[item_of[again]], int(again) + 1, repeats)
    notes: tuple[str, ...] = (
        f"{how_many(len(judges), 'judge')}, {how_many(int(kept.sum()), 'row')} read",
    )
    if len(judges) < len(seen):
        notes += (f"{how_many(int((~kept).sum()), 'row')} of other judges left out",)
    return Rows(items, judges, item_of, kept, column[kept], notes)


def _item_column(table: Table, layout: Layout) -> Column:
    if len(layout.item) > 1:
        return factorise(":".join(layout.item), item_texts(table, layout.item))
    return _filled(table.column(layout.item[0]), "item")


def _filled(column: Column, option: str) -> Column:
    """Column whose values are texts, refusing rows without one."""
    texts = [plain(value) for value in column.values]
    index = {text: position for position, text in enumerate(dict.fromkeys(texts))}
    blank = index.get(None, -1)
    codes = column.look_up([index[text] for text in texts])
    empty = np.flatnonzero((codes < 0) | (codes == blank))
    if len(empty):
        raise DataError(
            f"every row must name its {option}; row {empty[0] + 1} has none in column "
            f"{column.name!r}; fill it or choose another with {option}="
        )
    return Column(column.name, tuple(index), codes)


def _in_order(column: Column) -> tuple[tuple[str, ...], Positions]:
    """Names in order of first appearance, and each row's place among them."""
    distinct, rank = first_seen(column.codes)
    return tuple(str(column.values[code]) for code in distinct.tolist()), rank


def chosen_judges(
    seen: tuple[str, ...], judges: tuple[str, ...] | None
) -> tuple[tuple[str, ...], Positions]:
    """Judges to keep and, per judge seen, its column (-1: left out)."""
    if judges is None:
        return seen, np.arange(len(seen))
    unknown = [name for name in judges if name not in set(seen)]
    if unknown:
        raise DataError(
            f"judges must be among those in the table; got {unknown[0]!r}; choose from {shown(seen)}"
        )
    column_of = {name: column for column, name in enumerate(judges)}
    return judges, np.array([column_of.get(name, -1) for name in seen], np.int64)


def repeated_votes(judge: str, item: str, row: int, n: int) -> DataError:
    """Complaint about `n` repeated votes, the first of which stands in a row."""
    return DataError(
        f"each judge must answer an item once; got a second vote of {judge!r} on item {item!r} in row {row} "
        f"({n} repeated votes in all); keep one of each"
    )


# --- What else a table knows of items: columns beside the scores, or a table of its own joined by
# item.


Attributes = dict[str, tuple[str | None, ...]]
Notes = tuple[str, ...]


def attribute_columns(roles: Any, names: Sequence[str]) -> tuple[tuple[str, ...] | None, Any]:
    """Attributes as columns of the table, which a text is where one has its name, or as another table."""
    if roles is None:
        return None, None
    if isinstance(roles, str) and roles in names:
        return (roles,), None
    listed = isinstance(roles, list | tuple) and all(isinstance(name, str) for name in roles)
    return (tuple(roles), None) if listed else (None, roles)


def groupings_of(
    table: Table, layout: Layout, roles: ColumnRoles, row_items: Positions, n_items: int
) -> tuple[Grouping, ...]:
    """Columns of prompts or sources whose values half of the items share, and at most a tenth lack."""
    used = {layout.judge, layout.answer, *layout.votes, roles.key, *roles.attributes}
    used |= set(layout.item) if len(layout.item) == 1 else set()
    groupings = []
    for name in (name for name in table.names if name not in used and is_shared(name)):
        try:
            rows = table.same_values(name)
        except DataError:  # lists or objects
            continue
        if rows is None:
            continue
        codes = np.full(n_items, -1, np.int64)
        codes[row_items] = rows
        sizes = np.bincount(codes[codes >= 0])
        absent = n_items - int(sizes.sum())
        shared = sizes[sizes > 1]
        clear = len(shared) > 1 and 2 * shared.sum() >= n_items and 10 * absent <= n_items
        if clear and (codes[row_items] == rows).all():
            _, from_0 = np.unique(codes, return_inverse=True)
            groupings.append(Grouping(name, from_0 - (absent > 0)))
    return tuple(groupings)


def attributes_of(table: Table, names: Iterable[str], rules: Rules) -> tuple[Attributes, Notes]:
    """Columns as texts, a cell per row, but not one that may be a key."""
    names = list(names)
    keys = [name for name in names if name.strip().lower() in KEY_NAMES]
    attributes: Attributes = {}
    nested = []
    for name in (name for name in names if name not in keys):
        try:
            column = table.column(name)
        except DataError:  # lists and objects, which nobody asked for
            nested.append(name)
            continue
        texts = [*rules.read(column), None]
        attributes[name] = tuple(texts[code] for code in column.codes.tolist())
    notes: Notes = (f"attributes: {shown(tuple(attributes))}",) if attributes else ()
    if keys:
        notes += (
            f"left out {shown(keys)}: the name says answer key; pass {option('key', keys[0])} to use it",
        )
    if nested:
        notes += (f"left out {shown(nested)}: lists or objects are no attribute",)
    return attributes, notes


def attribute_by_item(name: str, cells: Sequence[str | None], rows: Rows) -> tuple[str | None, ...]:
    """Return one cell per item of the cells of a long table's rows, or say where they differ."""
    values: list[str | None] = [None] * len(rows.items)
    for position, cell in zip(rows.item_of.tolist(), cells, strict=True):
        if cell is None:
            continue
        if values[position] not in (None, cell):
            raise DataError(
                f"attribute {name!r} must be the same in all rows of an item; got {values[position]!r} and "
                f"{cell!r} for {rows.items[position]!r}; leave it out, or correct the rows"
            )
        values[position] = cell
    return tuple(values)


def joined_attributes(source: Any, items: Sequence[str]) -> tuple[Attributes, Notes]:
    """Columns of another table in the order of `items`, None where it lacks one."""
    table = open_table(source)
    name = match(table.names, ITEM_NAMES)
    if name is None:
        near = did_you_mean("item", table.names, "name it 'item'")
        raise DataError(
            f"a table of attributes must have a column of item ids; got {shown(table.names)}; {near}"
        )
    ids = item_texts(table, (name,))
    rows = {item: row for row, item in enumerate(ids)}
    if len(rows) < len(ids):
        raise DataError(
            f"a table of attributes must have one row per item; got "
            f"{how_many(len(ids) - len(rows), 'repeated id')}; merge or rename its rows"
        )
    absent = sum(item not in rows for item in items)
    if absent == len(items):
        raise DataError(
            f"a table of attributes must name the items that were scored; none of them is there (for "
            f"example {items[0]!r}; it has {ids[0]!r}); write the ids alike"
        )
    rest = [column for column in table.names if column != name]
    attributes, notes = attributes_of(table, rest, Rules.make(None, None, 0))
    joined = {
        column: tuple(cells[rows[item]] if item in rows else None for item in items)
        for column, cells in attributes.items()
    }
    if absent:
        notes += (f"{how_many(absent, 'item')} without attributes",)
    return joined, notes
