"""Decision tuples counted by a database: scans, groups, and packing of many judges."""

from __future__ import annotations

import math
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.data import KeyedSketch, Sketch, Summary
from algeval.data.names import NOT_ANSWERED, Codes, Counts, is_sparse, mostly_empty
from algeval.data.sketch import group_rows as group_rows_of_sketch
from algeval.data.sketch import keyed_by_row
from algeval.data.sparse import SparseArray
from algeval.data.votes import GroupedSketch, Split
from algeval.errors import DataError, option
from algeval.io.answers import (
    Column,
    Meaning,
    Positions,
    Rules,
    answer_notes,
    as_number,
    factorise,
    tally,
    unmasked,
)
from algeval.io.formats import (
    Opened,
    cell_as_text,
    columns_of,
    decoded,
    is_nested,
    one_sentence,
    quoted,
    read_call,
    spill_folder,
    sql_text,
    watched_query,
)
from algeval.io.items import repeated_items
from algeval.io.layout import shown
from algeval.io.tables import Index, bad_relation

# --- What counting found: what reading does, but the items.


@dataclass(frozen=True, slots=True)
class Counted:
    """Counts of decision tuples."""

    judges: tuple[str, ...]
    meaning: Meaning
    codes: Codes  # (rows, judges), which may occur again
    counts: Positions  # (rows,) items each stands for
    notes: tuple[str, ...] = ()
    truth: Positions | None = None  # positions in the labels, -1 unknown
    key_notes: tuple[str, ...] = ()
    splits: tuple[Split, ...] = ()  # of the rows, by human label, system or slice
    raters: Mapping[str, int] = field(default_factory=dict)  # rows of each, of a long table

    @property
    def all_known(self) -> bool:
        """Whether there is a key, and it knows every item."""
        return self.truth is not None and bool((self.truth != NOT_ANSWERED).all())

    def sketch(self) -> Sketch:
        """Counts of decision tuples."""
        return Sketch(
            self.judges, self.meaning.labels, self.meaning.answers, self.codes, self.counts
        )

    def grouped(self) -> GroupedSketch:
        """Counts of decision tuples by what their items are counted by."""
        meaning = self.meaning
        axes = self.judges, meaning.labels, meaning.answers
        return GroupedSketch(*axes, self.codes, self.counts, self.splits)

    def data(self) -> Sketch | KeyedSketch:
        """Counts of decision tuples, by true label where all are known."""
        sketch = self.sketch()
        if self.truth is None or not self.all_known:
            return sketch
        return keyed_by_row(sketch, self.codes, self.counts, self.truth)

    def said(self, rules: Rules) -> tuple[str, ...]:
        """Notes of reading that follow those on the table."""
        if is_sparse(self.codes):
            absent = int(self.counts @ (self.codes < 0).sum(axis=1))
        else:
            columns = (self.codes[:, judge] < 0 for judge in range(len(self.judges)))
            absent = sum(int(self.counts[column].sum()) for column in columns)
        return _said(self, rules, absent, int(self.counts.sum()), self.key_notes)


@dataclass(frozen=True, slots=True)
class CountedEach:
    """How often each judge gave each answer."""

    judges: tuple[str, ...]
    meaning: Meaning
    table: Counts  # (judges, answers)
    n_items: int
    notes: tuple[str, ...] = ()
    raters: Mapping[str, int] = field(default_factory=dict)

    def data(self) -> Summary:
        """Counts of each judge."""
        return Summary(
            self.judges, self.meaning.labels, self.meaning.answers, self.table, self.n_items
        )

    def said(self, rules: Rules) -> tuple[str, ...]:
        """Notes of reading that follow those on the table."""
        absent = self.n_items * len(self.judges) - int(self.table.sum())
        return _said(self, rules, absent, self.n_items)


def _said(
    counted: Counted | CountedEach,
    rules: Rules,
    absent: int,
    n_items: int,
    of_key: tuple[str, ...] = (),
) -> tuple[str, ...]:
    answers = answer_notes(counted.meaning.labels, counted.meaning.answers, rules)
    missing = f"{absent} of {n_items * len(counted.judges)} votes missing"
    return (*counted.notes, *counted.meaning.notes, *answers, *of_key, missing)


# --- Answers of many judges in a few whole numbers, which a database groups faster than texts.


NO_ROW = NOT_ANSWERED - 1
"""The code of a judge of whom a long table says nothing on an item, not even that there is no answer."""

_BITS = 62  # of a whole number of DuckDB, what is used


@dataclass(frozen=True, slots=True)
class Packing:
    """Where the code of each judge's answer stands: `width` bits each, 0 for no row."""

    n_judges: int
    width: int

    @classmethod
    def of(cls, n_judges: int, n_answers: int) -> Packing:
        """Packing with room for every answer, for none, and for no row."""
        return cls(n_judges, (n_answers + 1).bit_length())

    @property
    def in_a_word(self) -> int:
        """How many judges' answers go into one whole number."""
        return _BITS // self.width

    @property
    def n_words(self) -> int:
        """How many whole numbers an item takes."""
        return -(-self.n_judges // self.in_a_word)

    @property
    def names(self) -> str:
        """What the whole numbers are called, as SQL lists them."""
        return ", ".join(f"w{word}" for word in range(self.n_words))

    def of_rows(self, column: str, code: str) -> list[str]:
        """SQL of a row's part of each whole number, given its judge's place and its code."""
        shift = f"(({column} % {self.in_a_word}) * {self.width})"
        return [
            f"CASE WHEN {column} // {self.in_a_word} = {word} THEN ({code} - {NO_ROW}) << {shift} ELSE 0 END"
            for word in range(self.n_words)
        ]

    def of_columns(self, codes: Sequence[str]) -> list[str]:
        """SQL of each whole number, given that of each judge's code."""
        step = self.in_a_word
        return [
            " | ".join(
                f"(({code} - {NO_ROW}) << {at * self.width})"
                for at, code in enumerate(codes[word * step : (word + 1) * step])
            )
            for word in range(self.n_words)
        ]

    def unpack(self, words: Mapping[str, Any]) -> Codes:
        """Return (rows, judges): the codes that were packed into the columns w0, w1, ..."""
        columns = []
        for judge in range(self.n_judges):
            word, at = divmod(judge, self.in_a_word)
            packed = np.asarray(words[f"w{word}"], np.int64) >> (at * self.width)
            columns.append(((packed & ((1 << self.width) - 1)) + NO_ROW).astype(np.int16))
        return np.stack(columns, axis=1)


def looked_up(
    sql: str, numbers: Mapping[Any, int], otherwise: int, *, all_listed: bool = True
) -> str:
    """SQL of the whole number that stands for a text, or for none; some texts may not be listed."""
    texts = [text for text in numbers if text is not None]
    if not texts:
        return f"{otherwise}::BIGINT"
    kinds = ", ".join(sql_text(str(text)) for text in texts)
    listed = ", ".join(str(numbers[text]) for text in texts)
    cast = "CAST" if all_listed else "TRY_CAST"
    code = f"enum_code({cast}({sql} AS ENUM({kinds})))::BIGINT + 1"
    return f"coalesce(([{listed}]::BIGINT[])[{code}], {otherwise})"


# --- Rows that DuckDB can go through again and again: a file's, several files' or a relation's.


Run = Callable[[str], Mapping[str, Any]]

ROW = '"algeval row"'  # what the number of a row is called in SQL
_BASE, _PER_THREAD = 300, 50  # MB that DuckDB may use before it writes to disk
_BASE_OF_PARTS = 200  # the same while items are gone through in parts


@dataclass(frozen=True, slots=True)
class Scan:
    """A table that a query goes through without loading it."""

    run: Run  # columns that a query gives
    relation: str  # what goes after FROM
    cells: dict[str, str]  # SQL of each column as text, null for no cell
    kinds: dict[str, str]  # DuckDB types of the columns stored as one
    json: bool = False  # texts are fragments of JSON
    nested: frozenset[str] = frozenset()  # columns of lists or objects
    pointers: Mapping[str, str] = field(
        default_factory=dict
    )  # where a column is in an object of JSON
    limit: Callable[[int], None] | None = None  # sets the megabytes of a connection of our own

    def stored(self, name: str) -> str | None:
        """SQL of a column as it is stored, None where only its text can be had."""
        cell = self.cells[name]
        kept = [raw for raw in (quoted(name), cell) if raw.strip('"') in self.kinds]
        return kept[0] if kept else None

    def number(self, name: str) -> str:
        """SQL of a column as a number, null or not finite where a cell spells none."""
        kind = self.kinds.get(name, "")
        typed = bool(kind) and self.cells[name] == cell_as_text(name, kind) and kind != "BOOLEAN"
        return f"TRY_CAST({quoted(name) if typed else self.cells[name]} AS DOUBLE)"

    def parsed(self, names: Iterable[str]) -> Scan:
        """Some of the columns; an object of JSON is parsed once for all of them."""
        cells = {name: f"c{position}" for position, name in enumerate(dict.fromkeys(names))}
        columns = columns_of(self.cells, self.relation, self.pointers, cells)
        return Scan(self.run, f"({columns})", cells, {}, self.json, limit=self.limit)

    def kept(self, names: Iterable[str], folder: str) -> Scan:
        """Some of the columns as they are once parsed, in a file that is gone through faster."""
        parsed = self.parsed(names)
        cells, columns = parsed.cells, parsed.relation[1:-1]
        path = Path(folder, "cells.parquet")
        target = sql_text(str(path))
        self.run(f"COPY ({columns}) TO {target} (FORMAT parquet)")
        return Scan(
            self.run, read_call("read_parquet", path), cells, {}, self.json, limit=self.limit
        )

    def numbered(self) -> str:
        """Return what goes after FROM with the number of each row from 1 on, which takes one thread."""
        return f"(SELECT *, row_number() OVER () AS {ROW} FROM {self.relation})"


def check_there(
    wanted: Iterable[str], names: Iterable[str], what: str, option: str = "judges"
) -> None:
    """Refuse names that are no columns, of judges unless another option is said to give them."""
    there = tuple(names)
    unknown = [name for name in wanted if name not in there]
    if unknown:
        raise DataError(
            f"{option} must name columns of {what}; got {unknown[0]!r}; the columns are {shown(there)}"
        )


def query_file(opened: Opened, query: str) -> Mapping[str, Any]:
    """Columns that a query of an open file gives."""
    import duckdb

    try:
        with watched_query(opened.connection, query):
            columns: Mapping[str, Any] = opened.connection.execute(query).fetchnumpy()
    except duckdb.Error as error:
        raise one_sentence(opened.path, error) from None
    return columns


def of_file(opened: Opened) -> Scan:
    """Opened file to be gone through, in memory that spills to disk."""
    run = partial(query_file, opened)
    limit_memory(opened, _BASE)
    described = run(f"SELECT * FROM (DESCRIBE SELECT * FROM {opened.relation})")
    pairs = zip(described["column_name"], described["column_type"], strict=True)
    kinds = {} if opened.json else {str(name): str(kind) for name, kind in pairs}
    cells, nested = opened.cells, opened.nested
    limit = partial(limit_memory, opened)
    return Scan(run, opened.relation, cells, kinds, opened.json, nested, opened.pointers, limit)


def limit_memory(opened: Opened, base: int) -> None:
    """Let DuckDB use so many megabytes, and some more for each thread, before it writes to disk."""
    threads = int(query_file(opened, "SELECT current_setting('threads') AS n")["n"][0])
    opened.connection.execute(f"SET memory_limit = '{base + _PER_THREAD * threads}MB'")


def of_relation(source: Any) -> Scan:
    """DuckDB relation to be gone through."""
    import duckdb

    kinds = dict(zip(map(str, source.columns), map(str, source.types), strict=True))

    def run(query: str) -> Mapping[str, Any]:
        try:
            columns: Mapping[str, Any] = source.query("algeval_votes", query).fetchnumpy()
        except duckdb.Error as error:
            raise bad_relation(error) from None
        return columns

    nested = frozenset(name for name, kind in kinds.items() if is_nested(kind))
    cells = {name: cell_as_text(name, kind) for name, kind in kinds.items()}
    return Scan(run, "algeval_votes", cells, kinds, nested=nested)


# --- Group by the raw cells first: a table of the distinct rows, each with how often it occurs.


MOST_TUPLES = 100_000
"""More distinct rows than this are grouped by what their cells mean, in a second pass."""

_NEAR = 1e-6
"""Scores as near as this to the cut, as a share of it, are compared exactly, by their text."""


class Grouped:
    """Distinct rows of some columns as a table; each stands for as many rows as it weighs."""

    index = Index()

    def __init__(
        self, columns: dict[str, Column], weights: Positions, notes: tuple[str, ...] = ()
    ) -> None:
        self._columns = columns
        self.names = tuple(columns)
        self.weights = weights
        self.n_rows = int(weights.sum())
        self.notes = notes

    def same_values(self, name: str) -> None:
        """Return None: the rows stand for items that are counted."""

    def column(self, name: str) -> Column:
        """Return one column of the distinct rows by distinct value."""
        return self._columns[name]


def has_many_tuples(scan: Scan, names: Sequence[str], rules: Rules) -> bool:
    """Whether the first rows differ so much that all would be too many to group by their raw cells."""
    if rules.cut is not None:
        return False
    cells = ", ".join(scan.cells[name] for name in names)
    first = f"SELECT {cells} FROM {scan.relation} LIMIT {_FIRST_ROWS}"
    n = scan.run(f"SELECT count(*) AS n FROM (SELECT DISTINCT * FROM ({first}))")["n"][0]
    return 8 * int(n) > _FIRST_ROWS


_FIRST_ROWS = 20_000


def group_rows(
    scan: Scan, names: Sequence[str], rules: Rules, beside: Sequence[str] = ()
) -> Grouped | None:
    """Distinct rows of some columns and of those beside them, None where there are too many.

    Of scores far from the cut the side is kept alone. Rows come in the order of their first appearance
    where two spellings of an answer are equally common.
    """
    columns = [_raw(scan, name, rules) for name in names]
    columns += [_raw(scan, name, None) for name in beside]
    grouped = _grouped(scan, columns, scan.relation, "0")
    if grouped is None or above_or_below([grouped.column(name) for name in names], rules):
        return None
    if not spellings_tie(grouped, rules):
        return grouped
    return _grouped(scan, columns, scan.numbered(), ROW)


def spellings_tie(table: Grouped, rules: Rules) -> bool:
    """Whether two spellings of an answer are equally common, so that the first is to be shown."""
    if rules.exact or rules.cut is not None:
        return False
    columns = [table.column(name) for name in table.names]
    votes = defaultdict(list)
    for text, (n, _) in tally(columns, list(map(rules.read, columns)), table.weights).items():
        votes[rules.form(text)].append(n)
    return any(sorted(counts)[-2:] == [max(counts)] * 2 for counts in votes.values())


@dataclass(frozen=True, slots=True)
class _Raw:
    """A column as it is grouped, and the SQL of its cells as text once that is done."""

    name: str
    grouped: str
    text: str | None = None


def _raw(scan: Scan, name: str, rules: Rules | None) -> _Raw:
    """Column to group, a key without rules: as it is stored, unless scores are cut."""
    if rules is not None and rules.cut is not None:
        return _Raw(name, cut_cells(scan, name, rules))
    stored = scan.stored(name)
    return _Raw(name, scan.cells[name]) if stored is None else _Raw(name, stored, scan.cells[name])


def _grouped(scan: Scan, columns: Sequence[_Raw], relation: str, row: str) -> Grouped | None:
    inner, outer = [], []
    for position, column in enumerate(columns):
        inner.append(column.grouped if column.text else f"{column.grouped} AS k{position}")
        outer.append(f"{column.text or f'k{position}'} AS r{position}")
    rows = scan.run(
        f'SELECT {", ".join(outer)}, "algeval n" FROM (SELECT {", ".join(inner)}, count(*) AS '
        f'"algeval n", min({row}) AS "algeval first" FROM {relation} GROUP BY ALL '
        f'LIMIT {MOST_TUPLES + 1}) ORDER BY "algeval first"'
    )
    counts = np.asarray(rows["algeval n"], np.int64)
    if len(counts) > MOST_TUPLES:
        return None
    read = {}
    for position, column in enumerate(columns):
        raw = factorise(column.name, unmasked(rows[f"r{position}"]))
        read[column.name] = Column(
            column.name, decoded(column.name, raw.values, scan.json), raw.codes
        )
    return Grouped(read, counts)


def above_or_below(columns: Sequence[Column], rules: Rules) -> bool:
    """Whether all scores lie on one side of the cut: a text beside many may mean that a judge failed."""
    if rules.cut is None:
        return False
    texts = {text for column in columns for text in rules.read(column)} - {None}
    numbers = [text for text in texts if text is not None and as_number(text) is not None]
    return len(numbers) < 2 and len(numbers) < len(texts)


def cut_cells(scan: Scan, name: str, rules: Rules) -> str:
    """SQL of a column's texts; where scores are cut, one text stands for each side."""
    cell = scan.cells[name]
    if rules.cut is None:
        return cell
    number, kept = scan.number(name), kept_numbers(rules)
    low, high, below, above = sides(rules.cut, kept)
    same = "".join(f"{number} BETWEEN {v - room(v)!r} AND {v + room(v)!r} OR " for v in kept)
    return (
        f"CASE WHEN {same}NOT isfinite({number}) THEN {cell} WHEN {number} > {high!r} THEN '{above}' "
        f"WHEN {number} < {low!r} THEN '{below}' ELSE {cell} END"
    )


def kept_numbers(rules: Rules) -> list[float]:
    """Numbers that mean no vote, or have a new name."""
    said = (as_number(text) for text in (*rules.missing, *rules.absent_forms, *rules.renamed))
    return sorted({number for number in said if number is not None})


def room(number: float) -> float:
    """How far a number of few digits may be from what its text spells."""
    return _NEAR * max(1.0, abs(number))


def sides(cut: Fraction, kept: Sequence[float]) -> tuple[float, float, int, int]:
    """Return from where to where a score is near the cut, and a number on each side of that."""
    limit = float(cut)
    low, high = limit - room(limit), limit + room(limit)
    below, above = math.floor(low) - 1, math.ceil(high) + 1
    while float(below) in kept or below >= low:
        below -= 1 + abs(below)
    while float(above) in kept or above <= high:
        above += 1 + abs(above)
    return low, high, below, above


# --- Item ids of a table that is not loaded: every row has one, and a wide table has each once.


SPACES = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008"
    "\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""What `str.strip` takes away: DuckDB's trim knows the plain space alone."""

_MOST_SORTED = 5_000_000
"""Hashes of so many items (40 MB) are sorted at a time; where a file is slow to go through again, of four
times as many, and those of more are grouped by DuckDB, which writes to disk."""

_MOST_BITS = 500_000_000
"""Whole numbers in so wide a range (60 MB) are marked in it, a bit each."""

_WHOLE = (
    "TINYINT",
    "SMALLINT",
    "INTEGER",
    "BIGINT",
    "UTINYINT",
    "USMALLINT",
    "UINTEGER",
    "UBIGINT",
)


def item_key(scan: Scan, names: Sequence[str]) -> str | None:
    """SQL that tells items apart as texts do, null for none; None for JSON that mixes numbers and texts."""
    keys = [_key(scan, name) for name in names]
    known_keys = [key for key in keys if key is not None]
    if len(known_keys) < len(keys):
        return None
    return known_keys[0] if len(known_keys) == 1 else " || ':' || ".join(map(_text, known_keys))


def _text(key: str) -> str:
    return f"CAST({key} AS VARCHAR)"


def _key(scan: Scan, name: str) -> str | None:
    cell = scan.cells[name]
    if scan.json:
        return _json_key(scan, cell)
    stored = scan.stored(name)
    if stored is not None and "INT" in scan.kinds[stored.strip('"')] and cell.startswith("CAST("):
        return stored
    return _trimmed(scan, cell)


def _even(text: str) -> str:
    """SQL of whether a text begins and ends with a letter, digit or mark of ASCII."""
    ends = f"{text}[-1] >= '!' AND {text}[-1] < '\x7f'"
    return f"({text} >= '!' AND {text} < '\x7f' AND {ends})"


def _json_key(scan: Scan, cell: str) -> str | None:
    row = scan.run(
        f"SELECT count(*) FILTER ({cell}[1] = '\"') AS texts, count(*) FILTER (regexp_full_match({cell}, "
        f"'-?[0-9]+')) AS wholes, count(*) FILTER (contains({cell}, '\\')) AS escaped, count({cell}) AS n "
        f"FROM {scan.relation}"
    )
    n = int(row["n"][0])
    if int(row["wholes"][0]) == n:
        return cell
    if int(row["texts"][0]) < n:
        return None
    text = f"{cell} ->> '$'" if row["escaped"][0] else f"{cell}[2:-2]"
    return _trimmed(scan, f"({text})")


def _trimmed(scan: Scan, text: str) -> str:
    row = scan.run(f"SELECT count(*) AS n FROM {scan.relation} WHERE NOT {_even(text)}")
    return f"nullif(trim({text}, {sql_text(SPACES)}), '')" if row["n"][0] else text


def refuse_blank(scan: Scan, key: str, column: str, option: str) -> None:
    """Refuse a row that names no item, or no judge."""
    blank = scan.run(f"SELECT count(*) AS n FROM {scan.relation} WHERE {key} IS NULL")
    if not blank["n"][0]:
        return
    row = scan.run(f"SELECT min({ROW}) AS n FROM {scan.numbered()} WHERE {key} IS NULL")
    raise DataError(
        f"every row must name its {option}; row {row['n'][0]} has none in column {column!r}; fill it or "
        f"choose another with {option}="
    )


def check_items(scan: Scan, names: Sequence[str], n_rows: int) -> bool:
    """Refuse a wide table with a row that names no item, or with two rows of one."""
    if surely_distinct(scan, names, n_rows):
        return True
    key = item_key(scan, names)
    if key is None:
        return False
    for name in names:
        part = key if len(names) == 1 else str(item_key(scan, (name,)))
        refuse_blank(scan, part, name, "item")
    again = first_again(scan, [key])
    if again is not None:
        raise repeated_items(again.names[0], again.n_names, names)
    return True


def surely_distinct(scan: Scan, names: Sequence[str], n_rows: int) -> bool:
    """Whether no two ids are the same, or have the same hash of 64 bits; none is to be trimmed or missing."""
    if len(names) > 1:
        return False
    name = names[0]
    cell, stored = scan.cells[name], scan.stored(name)
    if scan.json:
        return _json_hashed_once(scan, cell, n_rows)
    kind = "" if stored is None else scan.kinds[stored.strip('"')]
    whole = "INT" in kind
    if kind in _WHOLE and _marked_once(scan, str(stored), n_rows):
        return True
    if _in_ascending_order(scan, str(stored) if whole else cell, whole):
        return True
    hashed = f"CASE WHEN {f'{stored} IS NOT NULL' if whole else _even(cell)} THEN hash({cell}) ELSE 0 END"
    again = "read_parquet(" in scan.relation  # which goes through one column of it alone
    if n_rows <= _MOST_SORTED or again or n_rows <= 4 * _MOST_SORTED:
        return _hashed_once(scan, hashed, -(-n_rows // _MOST_SORTED) if again else 1)
    grouped = f"SELECT {hashed} AS h FROM {scan.relation} GROUP BY ALL"
    row = scan.run(f"SELECT count(*) AS n, count(*) FILTER (h = 0) AS odd FROM ({grouped})")
    return not row["odd"][0] and int(row["n"][0]) == n_rows


_PLAIN_ID = r'"[!-\[\]-~]([ !-\[\]-~]*[!-\[\]-~])?"'
"""Texts of JSON that are nothing but ASCII without an escape, a space neither first nor last."""


def _json_hashed_once(scan: Scan, cell: str, n_rows: int) -> bool:
    """Whether ids are plain texts or whole numbers of JSON, and no two have the same hash of 64 bits.

    A text and a number that read alike have one hash; what is to be looked at more closely has 0.
    """
    hashed = (
        f"CASE WHEN regexp_full_match({cell}, {sql_text(_PLAIN_ID)}) THEN hash({cell}) "
        f"WHEN regexp_full_match({cell}, '-?[0-9]+') THEN hash('\"' || {cell} || '\"') ELSE 0 END"
    )
    parsed_again = "read_parquet(" not in scan.relation
    if parsed_again and n_rows > 4 * _MOST_SORTED:
        return False
    return _hashed_once(scan, hashed, 1 if parsed_again else -(-n_rows // _MOST_SORTED))


def _marked_once(scan: Scan, number: str, n_rows: int) -> bool:
    """Whether whole numbers that lie in a narrow range have as many bits in it as there are rows."""
    ends = scan.run(
        f"SELECT min({number}) AS low, max({number}) AS high, count({number}) AS n FROM {scan.relation}"
    )
    if int(ends["n"][0]) < n_rows or not n_rows:
        return False
    low, high = int(ends["low"][0]), int(ends["high"][0])
    if high - low > min(_MOST_BITS, 8 * n_rows + 1000):
        return False
    bits = scan.run(
        f"SELECT bit_count(bitstring_agg({number}, {low}, {high})) AS n FROM {scan.relation}"
    )
    return int(bits["n"][0]) == n_rows


_FIRST = 20_000  # rows that are looked at before all of them are


def _in_ascending_order(scan: Scan, key: str, whole: bool) -> bool:
    """Whether each id is above that of the row before: then none occurs twice."""
    even = f"{key} IS NOT NULL" if whole else _even(key)
    for rows in (f"(SELECT * FROM {scan.relation} LIMIT {_FIRST})", scan.relation):
        row = scan.run(
            f"SELECT count(*) AS n FROM (SELECT {key} AS k, lag({key}) OVER () AS l, {even} AS e "
            f"FROM {rows}) WHERE k <= l OR e IS NOT TRUE"
        )
        if row["n"][0]:
            return False
    return True


def _hashed_once(scan: Scan, hashed: str, n_parts: int) -> bool:
    """Whether no hash occurs twice, or is 0, a part of the hashes after the other."""
    for part in range(n_parts):
        rows = f"(SELECT {hashed} AS h FROM {scan.relation}) WHERE h % {n_parts} = {part}"
        hashes = scan.run(f"SELECT h FROM {rows}")["h"]
        hashes.sort()
        if (len(hashes) and not hashes[0]) or (hashes[1:] == hashes[:-1]).any():
            return False
    return True


@dataclass(frozen=True, slots=True)
class Hashed:
    """The SQL of what stands for an item of any length: 64 bits, and 32 more that tell a chance apart."""

    first: str
    second: str

    @classmethod
    def of(cls, key: str) -> Hashed:
        """Hashes of an item given as SQL."""
        text = f"CAST({key} AS VARCHAR)"
        return cls(f"hash({key})", f"(hash({text} || '#') % 4294967296)::UINTEGER")


@dataclass(frozen=True, slots=True)
class Again:
    """The first row that names something a second time: what, where, and how often that happens."""

    names: tuple[str, ...]
    row: int
    n_names: int
    n_rows: int


def first_again(scan: Scan, keys: Sequence[str]) -> Again | None:
    """First of the rows whose keys were those of an earlier one; of equal hashes the texts are compared."""
    said = [f"k{position}" for position in range(len(keys))]
    listed, named = (
        ", ".join(said),
        ", ".join(f"{k} AS {n}" for k, n in zip(keys, said, strict=True)),
    )
    hashed = f"hash({', '.join(keys)})"
    first = ", ".join(f"CAST(arg_min({name}, r) AS VARCHAR) AS {name}" for name in said)
    again = f"SELECT {hashed} AS h FROM {scan.relation} GROUP BY h HAVING count(*) > 1"
    if not scan.run(f"SELECT count(*) AS n FROM ({again})")["n"][0]:
        return None
    rows = scan.run(
        f"WITH rows AS (SELECT {named}, {ROW} AS r FROM {scan.numbered()} WHERE {hashed} IN ({again})), "
        f"twice AS (SELECT {listed}, min(r) AS f FROM rows GROUP BY {listed} HAVING count(*) > 1) "
        f"SELECT {first}, min(r) AS row, count(*) AS n, (SELECT count(*) FROM twice) AS names "
        f"FROM rows JOIN twice USING ({listed}) WHERE r > f"
    )
    if not rows["n"][0]:
        return None
    names = tuple(str(rows[name][0]) for name in said)
    return Again(names, int(rows["row"][0]), int(rows["names"][0]), int(rows["n"][0]))


# --- How many distinct decision tuples are kept, and what is said where there are more.


_MOST_CELLS = 250_000_000
"""Answers in all distinct tuples together, two bytes each; making a sketch takes thrice as much."""

_MOST_TUPLES = 10_000_000  # of few judges

_MOST_VOTES = 50_000_000
"""Votes in all distinct tuples together, where most judges answered none of them: 30 bytes each."""


def most_tuples(n_judges: int) -> int:
    """How many distinct tuples of so many judges are kept."""
    return min(_MOST_TUPLES, _MOST_CELLS // max(n_judges, 1))


def check_room(n_tuples: int, n_judges: int, share: float = 0.0) -> None:
    """Refuse more distinct tuples than are kept, of so large a share of the items."""
    most = most_tuples(n_judges)
    if n_tuples <= most:
        return
    got = "more"
    if share:
        expected = int(n_tuples / share)
        got = f"about {_short(expected)} ({expected * n_judges * 2 / 1e9:.1f} GB)"
    raise DataError(
        f"distinct decision tuples of {n_judges} judges must be at most {_short(most)}; got {got}; name "
        f"fewer judges with {option('judges')}, or count each judge alone with algeval sketch --summary"
    )


def _short(n: int) -> str:
    """Large number in few digits."""
    return f"{n / 1e6:.3g} million" if n >= 1_000_000 else f"{n:,}"


# --- Distinct decision tuples of few votes each: the judges who answered, not those who did not.


Cells = NDArray[np.int32] | NDArray[np.int16]
"""A judge's place and its answer's code in one number: place x n_answers + code."""

_AT_A_TIME = 1_000_000


class Tuples:
    """How many items have which votes, added up part by part."""

    def __init__(self, n_judges: int, n_answers: int) -> None:
        self._n_judges, self._n_answers = n_judges, n_answers
        self._parts: dict[int, list[tuple[Cells, Positions]]] = {}
        self._kept = 0
        self._kind = np.int16 if n_judges * n_answers <= np.iinfo(np.int16).max else np.int32

    def add(self, cells: Cells, lengths: Positions, share: float) -> None:
        """Add items, of each how many of the cells are its votes; cells of an item are in order."""
        starts = np.cumsum(lengths) - lengths
        for length in np.unique(lengths).tolist():
            first = starts[lengths == length]
            rows = cells[first[:, None] + np.arange(length)]
            parts = self._parts.setdefault(length, [])
            parts.append(self._grouped(rows.astype(self._kind), np.ones(len(rows), np.int64)))
        if self._n_tuples > max(2 * self._kept, most_tuples(self._n_judges) // 4, _AT_A_TIME):
            self._merge(share)

    @property
    def _n_tuples(self) -> int:
        return sum(len(counts) for parts in self._parts.values() for _, counts in parts)

    @property
    def _n_votes(self) -> int:
        each = ((n, counts) for n, parts in self._parts.items() for _, counts in parts)
        return sum(n * len(counts) for n, counts in each)

    @property
    def _few(self) -> bool:
        """Whether the tuples are kept as their votes."""
        return mostly_empty(self._n_tuples * self._n_judges, self._n_votes)

    @property
    def _fits(self) -> bool:
        if self._few:
            return self._n_tuples <= _MOST_TUPLES and self._n_votes <= _MOST_VOTES
        return self._n_tuples <= most_tuples(self._n_judges)

    def _merge(self, share: float = 1.0) -> None:
        """Make one part of those whose tuples are equally long."""
        for parts in self._parts.values():
            rows, counts = map(np.concatenate, zip(*parts, strict=True))
            parts.clear()
            parts.append(self._grouped(rows, counts))
        self._kept = self._n_tuples
        if self._few and not self._fits:
            raise DataError(
                f"distinct decision tuples must be at most {_short(_MOST_TUPLES)}, of at most "
                f"{_short(_MOST_VOTES)} votes; got about {_short(int(self._kept / share))} of "
                f"{_short(int(self._n_votes / share))}; count a part of the items, or each judge alone with "
                "algeval sketch --summary"
            )
        if not self._few:
            check_room(self._kept, self._n_judges, share)

    def _grouped(self, rows: Cells, counts: Positions) -> tuple[Cells, Positions]:
        if not rows.shape[1]:
            return rows[:1], counts.sum(keepdims=True)
        distinct, which = group_rows_of_sketch(rows, self._n_judges * self._n_answers)
        totals = np.zeros(len(distinct), np.int64)
        np.add.at(totals, which, counts)
        return distinct, totals

    def table(self) -> tuple[Codes, Positions]:
        """(tuples, judges) codes, which may occur again, and how many items have each; only once."""
        if not self._fits:
            self._merge()
        n_tuples = self._n_tuples
        if self._few:
            return self._votes()
        codes = np.full((n_tuples, self._n_judges), NOT_ANSWERED, np.int16)
        counts, row = np.empty(n_tuples, np.int64), 0
        for length in sorted(self._parts):
            for cells, n in self._parts.pop(length):
                self._write(cells, codes[row : row + len(n)])
                counts[row : row + len(n)] = n
                row += len(n)
        return codes, counts

    def _votes(self) -> tuple[Codes, Positions]:
        """The same, as the votes alone."""
        columns, values, counts, lengths = [], [], [], []
        for length in sorted(self._parts):
            for cells, n in self._parts.pop(length):
                columns.append((cells // self._n_answers).astype(np.int32).ravel())
                values.append((cells % self._n_answers).astype(np.int16).ravel())
                counts.append(n)
                lengths.append(np.full(len(n), length))
        starts = np.concatenate([[0], np.cumsum(np.concatenate(lengths))]).astype(np.int64)
        shape = len(starts) - 1, self._n_judges
        cells_ = np.concatenate(columns), np.concatenate(values)
        table: Any = SparseArray(starts, *cells_, shape, NOT_ANSWERED)
        return table, np.concatenate(counts)

    def _write(self, cells: Cells, codes: Codes) -> None:
        step = max(1, _AT_A_TIME // max(1, cells.shape[1]))
        for start in range(0, len(cells), step):
            some = cells[start : start + step]
            rows = np.arange(start, start + len(some))[:, None]
            codes[rows, some // self._n_answers] = some % self._n_answers


# --- Votes of a long table in order of their items: a part of the items at a time, whatever their
# number.


_PART = 4_000_000  # votes that are sorted at a time; all votes of an item are in one part


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the items, with all their votes."""

    cells: Cells  # (votes,) number of judge and answer; an item's together and in order
    item_of: Positions  # (votes,) from 0 on
    n_items: int
    mixed: bool  # two items have one hash, and are taken for one

    def again(self, cells_of_a_judge: int) -> NDArray[np.bool_]:
        """(votes - 1,) whether the next vote is of the same judge on the same item."""
        judge = self.cells // cells_of_a_judge
        same: NDArray[np.bool_] = self.item_of[1:] == self.item_of[:-1]
        same &= judge[1:] == judge[:-1]
        return same


def items_in_parts(scan: Scan, item: Hashed, cell: str, n_rows: int) -> Iterator[Part]:
    """Yield the items with all their votes, of which `item` and `cell` are the SQL; all go to disk once."""
    n_parts = -(-n_rows // _PART)
    if scan.limit is not None:
        scan.limit(_BASE_OF_PARTS)
    with tempfile.TemporaryDirectory(dir=spill_folder()) as folder:
        parts = Path(folder, "parts")
        scan.run("SET preserve_insertion_order = false")  # rows would wait in memory for their turn
        scan.run(
            f"COPY (SELECT {item.first} AS h, {item.second} AS g, ({cell})::INTEGER AS c, "
            f"{item.first} % {n_parts} AS part FROM {scan.relation}) TO {sql_text(str(parts))} "
            "(FORMAT parquet, PARTITION_BY (part), COMPRESSION uncompressed)"
        )
        scan.run("SET preserve_insertion_order = true")
        for part in range(n_parts):
            files = sorted(Path(parts, f"part={part}").glob("*.parquet"))
            if files:
                yield _part(scan, read_call("read_parquet", files, "hive_partitioning=false"))


def _part(scan: Scan, files: str) -> Part:
    rows = scan.run(f"SELECT h, g, c FROM {files} ORDER BY h, c")
    hashes, others = np.asarray(rows["h"]), np.asarray(rows["g"])
    new = hashes[1:] != hashes[:-1]
    mixed = bool((others[1:] != others[:-1])[~new].any())
    item_of = np.zeros(len(hashes), np.int64)
    np.cumsum(new, out=item_of[1:])
    return Part(np.asarray(rows["c"], np.int32), item_of, int(item_of[-1]) + 1, mixed)
