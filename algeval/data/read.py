"""Votes of a table of nothing but ids and votes about which nothing need be said.

Columns get their roles by the contract. Any other table is for the readers behind the door: it has more
columns, is asked about, may hold counts, comes in another kind of file, or has cells that need a sentence.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.data.cells import LOOKS_MISSING, MISSING, Column, as_number, factorise, is_slip, plain
from algeval.data.column_words import (
    CELLS,
    COUNT,
    COUNTED_ITEM,
    PERCENT,
    TOTAL,
    TOTAL_ROWS,
    WEAK_COUNT,
    WHO,
)
from algeval.data.contract import contract
from algeval.data.facts import Facts, facts_of_column, shared_by_all
from algeval.data.names import (
    NOT_ANSWERED,
    FrameRows,
    RowNumbers,
    folded,
    natural_order,
    shown,
)
from algeval.data.votes import Votes
from algeval.errors import DataError

MOST_BYTES, MOST_ROWS = 1 << 20, 20_000
"""A larger table is for the readers, which count it where it lies and show how far they are."""

_MOST_LABELS = 12
_UNCLEAR = re.compile(
    r"[\[{|].*|:?-{3,}:?|(\S+\s){3}.*|(?=.*\s).{25,}"
    r"|.*\b(error|timed? ?out|garbage|unpars\w*|invalid|exception|traceback)\b.*",
    re.IGNORECASE | re.DOTALL,
)
"""Cells that are lists, rules, texts or errors, of which a reader says something."""

_TOTALS = TOTAL | TOTAL_ROWS
_COUNTS = COUNT | WEAK_COUNT | PERCENT | {*CELLS} | {"weights"}
"""Words of a column that may count items or be a share of them; in `io.summaries` each has its rule."""
_ITEMS = COUNTED_ITEM | {"query", "uid"}
"""Words of ids beside which 0 and 1 are votes."""


class _Source(NamedTuple):
    """Columns of a source, what it is, and the ids of rows without one."""

    columns: Mapping[str, Sequence[Any] | NDArray[Any]]
    note: str
    rows: type[RowNumbers] = RowNumbers


def votes_of(source: object) -> Votes | None:
    """Votes of {judge: answers}, records, a data frame in memory or a CSV file; None of other tables.

    Examples
    --------
    >>> votes_of({"id": ["s", "t", "u"], "gpt4": ["a", "b", "a"], "claude": ["a", None, "b"]}).codes.tolist()
    [[0, 0], [1, -1], [0, 1]]
    >>> votes_of({"gpt4": ["a", "b", "a"], "human": ["a", "b", "b"]}) is None
    True
    """
    opened = _opened(source)
    sizes = [] if opened is None else [*{len(column) for column in opened.columns.values()}]
    if opened is None or len(sizes) != 1 or not 0 < sizes[0] <= MOST_ROWS:
        return None
    try:
        columns = {name: factorise(name, cells) for name, cells in opened.columns.items()}
    except DataError:  # lists or objects
        return None
    facts = {name: facts_of_column(column) for name, column in columns.items()}
    judges, ids = _judges_and_ids(facts)
    labels = natural_order({text for column in judges for text in column.texts})
    if _needs_words(labels, judges, ids, columns) or _may_be_counts(labels, judges, ids):
        return None
    n_rows = judges[0].n_rows
    code_of = {label: code for code, label in enumerate(labels)}
    codes = np.empty((n_rows, len(judges)), np.int16)
    for position, column in enumerate(judges):
        own = [*(code_of[text] for text in column.texts), NOT_ANSWERED]
        codes[:, position] = np.array(own)[column.codes]
    names = tuple(column.name for column in judges)
    items: tuple[str, ...] = opened.rows.of(n_rows)
    layout = "no item column, row numbers are the ids"
    if ids:
        items = tuple(ids[0].texts[code] for code in ids[0].codes.tolist())
        layout = f"item {ids[0].name!r}"
    notes = (
        opened.note,
        f"wide layout (auto-detected): {layout}",
        f"judges: {shown(names)}",
        f"{int((codes < 0).sum())} of {codes.size} votes missing",
    )
    return Votes(items, names, labels, labels, codes, notes=notes)


def _judges_and_ids(facts: Mapping[str, Facts]) -> tuple[list[Facts], list[Facts]]:
    """Judges of a table by the contract, and the column of ids if there is one; none of any other table."""
    reading = contract(facts, votes_only=True)
    judges, ids = reading.of("judge"), reading.of("item")
    alone = len(judges) + len(ids) == len(facts) and len(ids) < 2 and reading.layout == "wide"
    said = {"raters", "only id"} & {*reading.rules.values()}  # of which the readers say something
    return ([], []) if said or reading.tool or reading.runs or not alone else (judges, ids)


# --- Kinds of sources.


def _opened(source: Any) -> _Source | None:
    """Columns of a source by its kind; None of a kind that is not read here."""
    if isinstance(source, str | os.PathLike):
        return _of_file(Path(source))
    if isinstance(source, Mapping):
        held = {str(name): cells for name, cells in source.items()}
        plain_columns = all(
            isinstance(c, list | tuple) or (isinstance(c, np.ndarray) and c.ndim == 1)
            for c in held.values()
        )
        whole = bool(held) and len(held) == len(source) and plain_columns
        return _Source(held, "read from a mapping of columns") if whole else None
    if isinstance(source, list | tuple):
        if not source or not all(isinstance(row, Mapping) for row in source):
            return None
        names = dict.fromkeys(name for row in source for name in row)
        cells = {str(name): [row.get(name) for row in source] for name in names}
        return _Source(cells, "read from a list of records") if len(cells) == len(names) else None
    return _of_frame(source)


def _of_frame(source: Any) -> _Source | None:
    """Columns of a data frame of pandas or Polars whose rows are numbered from 0 on, if at all."""
    library = type(source).__module__.partition(".")[0]
    if library not in ("pandas", "polars") or type(source).__name__ != "DataFrame":
        return None
    if len(source) > MOST_ROWS:
        return None
    names, rows = list(source.columns), RowNumbers
    if library == "pandas":
        index = source.index
        if type(index).__name__ != "RangeIndex" or index.name is not None or source.columns.name:
            return None
        if (index.start, index.step) != (0, 1):
            return None
        rows = FrameRows
    if len({*names}) < len(names) or not all(isinstance(name, str) for name in names):
        return None
    import narwhals

    frame = narwhals.from_native(source, eager_only=True)
    cells = {name: frame[name].to_list() for name in names}
    return _Source(cells, f"read from a {library} DataFrame", rows) if cells else None


def _of_file(path: Path) -> _Source | None:
    """Columns of a small CSV file of UTF-8 with commas and a header, which nothing is said of elsewhere."""
    try:
        if path.suffix.lower() != ".csv" or not 0 < path.stat().st_size <= MOST_BYTES:
            return None
        if (path.parent / "columns.toml").exists():
            return None
        text = path.read_bytes().decode("utf-8-sig")
        head, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    except (
        OSError,
        ValueError,
        csv.Error,
    ):  # a text that is no path, other encodings, marks or quotes
        return None
    cells = {cell for row in rows for cell in row}
    named = len({*head}) == len(head) > 1 and cells.isdisjoint(head)
    if not rows or not named or not all(_is_name(name) for name in head):
        return None
    if any(len(row) != len(head) or not any(row) for row in rows):
        return None
    columns = dict(zip(head, zip(*rows, strict=True), strict=True))
    return _Source(columns, f"{path.name} read as CSV")


def _is_name(text: str) -> bool:
    """Whether a cell of the first row is the name of a column."""
    return bool(text) and text == text.strip() and text[0].isalpha()


# --- What must be said, or may be no votes.


def _needs_words(
    labels: Sequence[str],
    judges: Sequence[Facts],
    ids: Sequence[Facts],
    columns: Mapping[str, Column],
) -> bool:
    """Whether something is to be said: of spellings, slips, codes, errors, labels not shared, odd ids."""
    if not 1 < len(labels) <= _MOST_LABELS or not shared_by_all(judges):
        return True
    for column in ids:
        last = column.texts[column.codes[-1]]
        if not column.unique or column.kind == "number" or folded(last) in _TOTALS:
            return True
    stated = {plain(value) for column in judges for value in columns[column.name].values} - {None}
    missing = stated.difference(labels)
    if not missing <= MISSING or not MISSING.isdisjoint(labels):
        return True
    forms = [folded(label) for label in labels]
    if len({*forms}) < len(forms) or any(is_slip(a, b) for a, b in permutations(forms, 2)):
        return True
    return any(_UNCLEAR.fullmatch(t) or t.lower() in LOOKS_MISSING for t in labels)


def _may_be_counts(labels: Sequence[str], judges: Sequence[Facts], ids: Sequence[Facts]) -> bool:
    """Whether numbers may be counts, shares, codes or one choice in several columns.

    Numbers are read here where they are 0 and 1, in columns and beside ids that are not called like counts.
    """
    numbers = [t for t in labels if t[0] in "+-.,0123456789" or as_number(t) is not None]
    if any(column.unique for column in judges) or len(labels) > len(numbers) > 0:
        return True
    numbered_ids = any(text[0] in ".0123456789" for column in ids for text in column.texts)
    if not numbers and not numbered_ids:
        return False
    if any((_COUNTS | _TOTALS) & {*column.words, column.low} for column in (*judges, *ids)):
        return True
    if not numbers:
        return False
    if {*labels} != {"0", "1"} or judges[0].n_rows < 3 or _may_be_a_choice(judges):
        return True
    return any(
        not c.words or not {*c.words} <= _ITEMS or not _TOTALS.isdisjoint(map(str.lower, c.texts))
        for c in ids
    )


def _may_be_a_choice(judges: Sequence[Facts]) -> bool:
    """Whether columns of 0 and 1 are called like the choices of one judge: winner_a, winner_b."""
    parts = [re.split(r"[_. -]+", column.name.lower()) for column in judges]
    stems = Counter(words[0] for words in parts)
    return any(stems[words[0]] > 1 and (len(words) > 2 or words[0] not in WHO) for words in parts)
