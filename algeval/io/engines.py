"""Rows counted where they lie: in DuckDB by SQL, in any other engine by narwhals.

SQL stays for files: 10^6 items x 8 judges took 2.7 x as long through narwhals over DuckDB (Parquet, and 1.7 x
the memory), as a long CSV 1.3 x (and 1.5 x the memory), with equal sketches. All but the queries is shared.
"""

from __future__ import annotations

import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from algeval.data.names import NOT_ANSWERED, Codes, Counts, natural_order
from algeval.data.votes import Split
from algeval.errors import DataError, option
from algeval.io.answers import (
    MOST_ANSWERS,
    Column,
    Meaning,
    Positions,
    Rules,
    encode_columns,
    factorise,
    plain,
    score_notes,
    unmasked,
)
from algeval.io.formats import decoded, nested_cells, spill_folder
from algeval.io.items import (
    chosen_judges,
    key_codes,
    key_source,
    left_out,
    repeated_votes,
    wide_votes,
)
from algeval.io.layout import Layout
from algeval.io.tables import MOST_ROWS, TOTAL, Frame, series_cells
from algeval.io.tuples import (
    NO_ROW,
    ROW,
    Again,
    Counted,
    CountedEach,
    Grouped,
    Hashed,
    Packing,
    Part,
    Scan,
    Tuples,
    above_or_below,
    check_items,
    check_room,
    cut_cells,
    first_again,
    group_rows,
    has_many_tuples,
    item_key,
    items_in_parts,
    kept_numbers,
    looked_up,
    most_tuples,
    refuse_blank,
    room,
    sides,
    spellings_tie,
    surely_distinct,
)
from algeval.io.tuples import Cells as Cells_of_tuples
from algeval.result.numbers import how_many

Beside = Mapping[str, str]
"""{column: "human", "system", "slice" or "prompt"}: what decision tuples are counted by; prompts come last,
and are those of the rows with a human label."""


def split_by(counted: Counted, table: Any, beside: Beside, rules: Rules) -> Counted:
    """Counts with the value of each row in the columns beside its votes; `table` holds these columns."""
    splits, said = [], counted.key_notes
    each = np.arange(len(counted.codes))
    for name, kind in beside.items():
        if kind == "human":
            ids = tuple(map(str, each.tolist()))
            source = key_source(table, name)
            truth, more = key_codes(source, table, ids, each, counted.meaning, rules)
            assert truth is not None  # of a column
            splits.append(Split(kind, name, counted.meaning.labels, truth))
            said = (*said, *more)
            continue
        column = table.column(name)
        texts = [(plain(value) or "").strip() or None for value in column.values]
        if kind == "prompt":
            truth = next(split.codes for split in splits if split.kind == "human")
            splits.append(_prompts_of_labels(name, column, texts, truth != NOT_ANSWERED))
            continue
        values = natural_order({text for text in texts if text is not None})
        index: dict[str | None, int] = {value: k for k, value in enumerate(values)}
        index[None] = NOT_ANSWERED
        if len(values) > _MOST_VALUES:
            raise DataError(
                f"column {name!r} must hold at most {_MOST_VALUES:,} different values to count by; got "
                f"{len(values):,}; cut it into groups"
            )
        codes = column.look_up([index[text] for text in texts])
        splits.append(Split(kind, name, values, np.asarray(codes, np.int64)))
    return replace(counted, splits=tuple(splits), key_notes=said)


_MOST_VALUES = 10_000


def _prompts_of_labels(
    name: str, column: Column, texts: Sequence[str | None], labelled: NDArray[np.bool_]
) -> Split:
    """Prompt of each row with a human label."""
    rows = np.where(labelled, column.codes, NOT_ANSWERED)
    held = [texts[k] for k in np.unique(rows[rows >= 0]).tolist()]
    values = natural_order({text for text in held if text is not None})
    index: dict[str | None, int] = {value: k for k, value in enumerate(values)}
    codes = np.array([*(index.get(text, NOT_ANSWERED) for text in texts), NOT_ANSWERED], np.int64)
    return Split("prompt", name, values, codes[rows])


def _people_and_prompt(beside: Beside) -> tuple[str, str] | None:
    """Columns of people's labels and of prompts, where tuples are counted by both."""
    name_of = {kind: name for name, kind in beside.items()}
    return (name_of["human"], name_of["prompt"]) if "prompt" in name_of else None


def _prompts_where_labelled(scan: Scan, human: str, prompt: str) -> Scan:
    """Same table, with the prompts of rows with a human label alone."""
    labelled = f"nullif(trim({scan.cells[human]}), '') IS NOT NULL"
    cell = f"CASE WHEN {labelled} THEN {scan.cells[prompt]} END"
    kinds = {name: kind for name, kind in scan.kinds.items() if name != prompt}
    return replace(scan, cells={**scan.cells, prompt: cell}, kinds=kinds)


class SeveralOutputsError(DataError):
    """A system has several outputs of a prompt, which cannot be paired."""


class Prompt(NamedTuple):
    """Columns by which outputs are paired."""

    system: str
    prompt: str


Sides = tuple[Grouped, Grouped]
"""Outputs of one system and of another, row by row; each row stands for as many prompts as it weighs."""

_MOST_SIDES = 1_000_000


def sides_of(names: Sequence[str], columns: Sequence[Column], counts: Positions) -> Sides:
    """Both sides of columns that come side by side."""
    if len(counts) > _MOST_SIDES:
        raise _too_many_sides()
    n = len(names)
    first, second = (
        {name: replace(c, name=name) for name, c in zip(names, side, strict=True)}
        for side in (columns[:n], columns[n:])
    )
    return Grouped(first, counts), Grouped(second, counts)


def _too_many_sides() -> DataError:
    return DataError(
        f"two outputs of a prompt must have at most {_MOST_SIDES:,} different votes together to be "
        f"counted; got more; name fewer judges with {option('judges')}, or leave out {option('prompt')}"
    )


def refuse_prompts(by: Prompt, prompt: str | None, n: int) -> DataError:
    """Complaint about rows without a prompt or a system, and about two outputs of one system."""
    if prompt is None:
        return DataError(
            f"every row must name its prompt and its system to be paired; got {how_many(n, 'row')} without "
            f"in columns {by.prompt!r} and {by.system!r}; fill them, or leave out {option('prompt')}"
        )
    return SeveralOutputsError(
        f"a system must have one output for a prompt to be paired; got {n} of one system for prompt "
        f"{prompt!r}; name what sets them apart with another {option('prompt')}, or leave it out"
    )


class Rows(Protocol):
    """Rows of a table that an engine counts."""

    def ready(
        self, layout: Layout, key: str | None, beside: Sequence[str] = ()
    ) -> AbstractContextManager[Rows]:
        """Context in which these columns are gone through several times."""

    def wide(self, layout: Layout, rules: Rules, key: str | None = None) -> Counted | None:
        """Counts of the columns of votes, by true label where a column holds it; None: to be read."""

    @property
    def names(self) -> tuple[str, ...]:
        """All columns."""

    def split(self, layout: Layout, rules: Rules, beside: Beside) -> Counted:
        """Counts of the columns of votes, by what the columns beside them hold."""

    def paired(self, names: Sequence[str], votes: int, by: Prompt, rules: Rules) -> Sides:
        """Distinct rows of these columns, the first of which are votes, of two systems on one prompt."""

    def long(
        self, layout: Layout, judges: tuple[str, ...] | None, rules: Rules, *, each: bool = False
    ) -> Counted | CountedEach | None:
        """Counts of the votes on each item, of `each` judge alone where that is allowed; None: to be read."""

    def in_order(self, name: str) -> tuple[str, ...]:
        """Values of a column in the order of the rows; some or none where the engine has no such order."""

    def votes_in(self, name: str, rules: Rules) -> str:
        """Votes that a column holds, in words; nothing where it holds none."""

    def check_items(self, names: Sequence[str], n_rows: int) -> bool:
        """Refuse a row without an item, and two rows of one item; False where that cannot be seen."""


@dataclass(frozen=True, slots=True)
class _Pairs:
    """The distinct pairs of judge and answer, and how many rows have each."""

    judge: Column
    answer: Column
    weights: Positions

    @property
    def raters(self) -> dict[str, int]:
        """Rows of each judge, of those left out, too."""
        rows = np.bincount(self.judge.codes, self.weights, len(self.judge.values))
        return {str(v): int(n) for v, n in zip(self.judge.values, rows, strict=True)}

    def notes(self, names: Sequence[str], meaning: Meaning, rules: Rules) -> tuple[str, ...]:
        """How many judges and votes are counted, and how many are left out."""
        chosen = set(names)
        is_chosen = np.array([str(value) in chosen for value in self.judge.values], bool)
        kept = int(self.weights[is_chosen[self.judge.codes]].sum())
        others = int(self.weights.sum()) - kept
        left = (f"{how_many(others, 'row')} of other judges left out",) if others else ()
        read = f"{how_many(len(names), 'judge')}, {how_many(kept, 'row')} read"
        return (read, *score_notes(meaning.answers, rules), *left)


# --- Wide tables in DuckDB where more different rows occur than can be translated one by one.


_MOST_CELLS = 200_000
"""More distinct cells than this are no answers, and too many for scores to cut."""


@dataclass(frozen=True, slots=True)
class Cells:
    """The distinct cells of each column, as a table whose rows hold one cell each, and as they are."""

    table: Grouped
    raw: tuple[list[str], ...]


def cells_of(scan: Scan, names: Sequence[str], rules: Rules) -> Cells:
    """Learn in one pass which cells each column holds, and how often."""
    cells = _cells_of(scan, names, rules, scan.relation, "0")
    if spellings_tie(cells.table, rules):
        return _cells_of(scan, names, rules, scan.numbered(), ROW)
    return cells


def _cells_of(scan: Scan, names: Sequence[str], rules: Rules, relation: str, row: str) -> Cells:
    columns_ = [f"c{position}" for position in range(len(names))]
    held = ", ".join(f"{scan.cells[n]} AS {c}" for n, c in zip(names, columns_, strict=True))
    which = " ".join(f"WHEN grouping({c}) = 0 THEN {k}" for k, c in enumerate(columns_))
    sets = ", ".join(f"({c})" for c in columns_)
    selected = scan.run(
        f"SELECT * FROM (SELECT CASE {which} END AS place, coalesce({', '.join(columns_)}) AS cell, "
        f"count(*) AS n, min(first) AS first FROM (SELECT {held}, {row} AS first FROM {relation}) GROUP BY "
        f"GROUPING SETS ({sets})) WHERE cell IS NOT NULL ORDER BY first, place LIMIT {_MOST_CELLS + 1}"
    )
    cells = [str(cell) for cell in unmasked(selected["cell"])]
    n = len(set(cells))
    if len(cells) > _MOST_CELLS or (rules.cut is None and n > 10 * MOST_ANSWERS):
        raise DataError(
            f"votes must hold at most {MOST_ANSWERS} different answers; got more than "
            f"{min(n, _MOST_CELLS)} different cells; choose other columns with {option('judges')}"
        )
    positions: Positions = np.asarray(selected["place"], np.int64)
    columns, raw = {}, []
    for position, name in enumerate(names):
        rows = np.flatnonzero(positions == position)
        codes = np.full(len(cells), -1, np.int64)
        codes[rows] = np.arange(len(rows))
        raw.append([cells[row] for row in rows.tolist()])
        columns[name] = Column(name, decoded(name, raw[-1], scan.json), codes)
    return Cells(Grouped(columns, np.asarray(selected["n"], np.int64)), tuple(raw))


def group_meanings(
    scan: Scan, names: Sequence[str], cells: Cells, meaning: Meaning, more: str = ""
) -> tuple[Codes, Positions, Mapping[str, Any]]:
    """Group the rows by what their cells mean: codes (rows, judges), how often each occurs, all columns.

    more : SQL of further columns to group by.
    """
    codes = []
    for name, raw, means in zip(names, cells.raw, meaning.codes, strict=True):
        numbers = dict(zip(raw, means, strict=True))
        codes.append(looked_up(scan.cells[name], numbers, NOT_ANSWERED))
    packing = Packing.of(len(names), len(meaning.answers))
    words = ", ".join(f"{word} AS w{n}" for n, word in enumerate(packing.of_columns(codes)))
    words += f", {more}" if more else ""
    rows = scan.run(
        f"SELECT {words}, count(*) AS n FROM {scan.relation} GROUP BY ALL LIMIT {most_tuples(len(names)) + 1}"
    )
    check_room(len(rows["n"]), len(names))
    return packing.unpack(rows), np.asarray(rows["n"], np.int64), rows


# --- DuckDB: raw cells grouped first where they are few; long tables of few judges packed into whole
# numbers by item, those of many in order of items.


MOST_JUDGES = 40
"""Votes of more judges are put in order of their items: packed, most of the whole numbers would be empty."""

_MOST_PAIRS = 1_000_000
"""Of a judge and an answer; with more, answers are scores or texts of their own, or judges are items."""


@dataclass(frozen=True, slots=True)
class _Keys:
    """SQL of a row's item, judge and answer, and the texts of the latter two in the order of `_Pairs`."""

    item: str
    judge: str
    answer: str
    raw: tuple[list[Any], list[Any]] = ([], [])

    def numbers(self, pairs: _Pairs, meaning: Meaning) -> tuple[str, str]:
        """SQL of a judge's position and of an answer's code."""
        judges, answers = self.raw
        means = (*meaning.codes[0], NOT_ANSWERED)
        code_of = {a: means[c] for a, c in zip(answers, pairs.answer.codes, strict=True)}
        column_of = dict(zip(judges, pairs.judge.codes.tolist(), strict=True))
        return looked_up(self.judge, column_of, 0), looked_up(self.answer, code_of, NOT_ANSWERED)


@dataclass(frozen=True, slots=True)
class _Json:
    """A file of JSON, and what makes a file of its parsed cells once that is worth while."""

    scan: Scan
    kept: Callable[[], Scan]


@dataclass(frozen=True, slots=True)
class FileRows:
    """Rows that DuckDB goes through: a file's, several files' or a relation's."""

    scan: Scan
    json: _Json | None = None
    masked: bool = False  # whether prompts are those of rows with a human label alone

    @property
    def names(self) -> tuple[str, ...]:
        """All columns."""
        return (*self.scan.cells,)

    @contextmanager
    def ready(
        self, layout: Layout, key: str | None, beside: Sequence[str] = ()
    ) -> Iterator[FileRows]:
        """Parsed JSON is kept on disk meanwhile, where it is gone through often; lists are refused."""
        votes = [*layout.votes, *filter(None, (layout.answer, key)), *beside]
        nested = next((name for name in votes if name in self.scan.nested), None)
        if nested is not None:
            raise nested_cells(nested)
        names = [*filter(None, (*layout.item, layout.judge, *votes))]
        with tempfile.TemporaryDirectory(dir=spill_folder()) as folder:
            if not self.scan.json:
                yield self
            elif layout.kind == "long" or beside:
                yield FileRows(self.scan.kept(names, folder))
            else:  # few passes will do: most of the time would go into writing what is parsed
                later = cache(lambda: self.scan.kept(names, folder))
                yield FileRows(self.scan.parsed(names), _Json(self.scan, later))

    def wide(self, layout: Layout, rules: Rules, key: str | None = None) -> Counted | None:
        """Counts of the columns of votes; None of too many rows with a key, or a vote in several columns.

        The few distinct rows of raw cells are translated; where they are too many, the cells are, and the
        rows grouped by what they mean.
        """
        many = key is None and has_many_tuples(self.scan, layout.votes, rules)
        beside = () if key is None else (key,)
        grouped = None if many else group_rows(self.scan, layout.votes, rules, beside)
        if grouped is not None:
            counted = _of_distinct(grouped, layout, rules)
            if key is None:
                return counted
            each = np.arange(len(grouped.weights))
            names = tuple(map(str, each.tolist()))
            source = key_source(grouped, key)
            truth, said = key_codes(source, grouped, names, each, counted.meaning, rules)
            return replace(counted, truth=truth, key_notes=said)
        if key is not None:
            return None
        if self.json is not None:
            return FileRows(self.json.kept()).wide(layout, rules)
        cells = cells_of(self.scan, layout.votes, rules)
        judges, meaning, _, notes = wide_votes(cells.table, layout, rules)
        if judges != layout.votes:
            return None
        codes, counts, _ = group_meanings(self.scan, judges, cells, meaning)
        return Counted(judges, meaning, codes, counts, notes)

    def split(self, layout: Layout, rules: Rules, beside: Beside) -> Counted:
        """Counts of the columns of votes, by what the columns beside them hold."""
        both = _people_and_prompt(beside)
        if both is not None and not self.masked:
            scan = _prompts_where_labelled(self.scan, *both)
            return replace(self, scan=scan, masked=True).split(layout, rules, beside)
        many = has_many_tuples(self.scan, (*layout.votes, *beside), rules)
        grouped = None if many else group_rows(self.scan, layout.votes, rules, tuple(beside))
        if grouped is not None:
            return split_by(_of_distinct(grouped, layout, rules), grouped, beside, rules)
        cells = cells_of(self.scan, layout.votes, rules)
        others = cells_of(self.scan, tuple(beside), replace(rules, cut=None))
        judges, meaning, _, notes = wide_votes(cells.table, layout, rules)
        names = [f"b{k}" for k in range(len(beside))]
        numbered = {
            name: dict(zip(raw, range(len(raw)), strict=True))
            for name, raw in zip(beside, others.raw, strict=True)
        }
        more = ", ".join(
            f"{looked_up(self.scan.cells[column], numbered[column], NOT_ANSWERED)} AS {name}"
            for name, column in zip(names, beside, strict=True)
        )
        codes, counts, rows = group_meanings(self.scan, judges, cells, meaning, more)
        held = {
            column: Column(
                column,
                tuple(decoded(column, list(numbered[column]), self.scan.json)),
                np.asarray(rows[name], np.int64),
            )
            for name, column in zip(names, beside, strict=True)
        }
        counted = Counted(judges, meaning, codes, counts, notes)
        return split_by(counted, Grouped(held, counts), beside, rules)

    def paired(self, names: Sequence[str], votes: int, by: Prompt, rules: Rules) -> Sides:
        """Distinct rows of these columns of two systems on one prompt, by a join of the table with itself."""
        scan = self.scan
        prompt, system = (
            f"nullif(trim({scan.cells[name]}), '')" for name in (by.prompt, by.system)
        )
        cells = [cut_cells(scan, name, rules) for name in names[:votes]]
        cells += [scan.cells[name] for name in names[votes:]]
        self._refuse_prompts(by, prompt, system)
        listed = ", ".join(f"{cell} AS c{k}" for k, cell in enumerate(cells))
        for salt in ("", "#"):  # whole numbers are joined faster than the cells they stand for
            hashed = f"hash({', '.join(cells)}, '{salt}')"
            kinds = scan.run(
                f"SELECT {hashed} AS h, {listed} FROM {scan.relation} GROUP BY ALL LIMIT {_MOST_SIDES + 1}"
            )
            if len(kinds["h"]) > _MOST_SIDES:
                raise _too_many_sides()
            order = np.argsort(kinds["h"])
            hashes = np.asarray(kinds["h"])[order]
            if (hashes[1:] != hashes[:-1]).all():
                break
        own = f"SELECT {prompt} AS p, {system} AS s, {hashed} AS h FROM {scan.relation}"
        rows = scan.run(
            f"SELECT a.h AS a, b.h AS b, count(*) AS n FROM ({own}) a JOIN ({own}) b "
            f"ON a.p = b.p AND a.s < b.s GROUP BY ALL LIMIT {_MOST_SIDES + 1}"
        )
        columns = []
        for side in "ab":
            position = np.searchsorted(hashes, rows[side])
            if not np.array_equal(hashes[np.minimum(position, len(hashes) - 1)], rows[side]):
                raise DataError(
                    "the table must stay the same while it is counted; count a copy of it"
                )
            kind_of = order[position]
            for k, name in enumerate(names):
                raw = factorise(name, unmasked(kinds[f"c{k}"]))
                values = decoded(name, raw.values, scan.json)
                columns.append(Column(name, values, raw.codes[kind_of]))
        return sides_of(names, columns, np.asarray(rows["n"], np.int64))

    def _refuse_prompts(self, by: Prompt, prompt: str, system: str) -> None:
        """Refuse a row without a prompt or a system, and two outputs of one system for a prompt."""
        relation = self.scan.relation
        lacking = f"{prompt} IS NULL OR {system} IS NULL"
        blank = self.scan.run(f"SELECT count(*) FILTER ({lacking}) AS n FROM {relation}")["n"][0]
        if blank:
            raise refuse_prompts(by, None, int(blank))
        again = (
            f"SELECT hash({prompt}, {system}) AS h FROM {relation} GROUP BY h HAVING count(*) > 1"
        )
        if not self.scan.run(f"SELECT count(*) AS n FROM ({again})")["n"][0]:
            return
        twice = self.scan.run(
            f"SELECT {prompt} AS p, count(*) AS n FROM {relation} "
            f"WHERE hash({prompt}, {system}) IN ({again}) GROUP BY p, {system} HAVING count(*) > 1 "
            "ORDER BY p LIMIT 1"
        )
        if len(twice["n"]):
            raise refuse_prompts(by, str(twice["p"][0]), int(twice["n"][0]))

    def in_order(self, name: str) -> tuple[str, ...]:
        """Values of a column in the order of the rows."""
        cell = f"nullif(trim({self.scan.cells[name]}), '')"
        rows = self.scan.run(
            f"SELECT {cell} AS s FROM {self.scan.numbered()} WHERE {cell} IS NOT NULL GROUP BY s "
            f"ORDER BY min({ROW})"
        )
        return tuple(
            str(plain(value)).strip() for value in decoded(name, list(rows["s"]), self.scan.json)
        )

    def votes_in(self, name: str, rules: Rules) -> str:
        """How many votes a column holds, in words."""
        number, cell = self.scan.number(name), self.scan.cells[name]
        what = f"isfinite({number})" if rules.cut is not None else f"{cell} <> ''"
        n = self.scan.run(f"SELECT count(*) FILTER ({what}) AS n FROM {self.scan.relation}")["n"][0]
        return f"{how_many(int(n), 'vote')} in it" if n else ""

    def check_items(self, names: Sequence[str], n_rows: int) -> bool:
        """Refuse a row without an item, and two rows of one item; False for JSON of mixed ids."""
        if self.json is None:
            return check_items(self.scan, names, n_rows)
        if surely_distinct(self.json.scan.parsed(names), names, n_rows):
            return True
        return check_items(self.json.kept(), names, n_rows)

    def long(
        self, layout: Layout, judges: tuple[str, ...] | None, rules: Rules, *, each: bool = False
    ) -> Counted | CountedEach | None:
        """Counts of the votes on each item, None for JSON of mixed ids, and too many pairs."""
        scan = self.scan
        item, judge = item_key(scan, layout.item), item_key(scan, (layout.judge,))
        if item is None or judge is None:
            return None
        for name in layout.item:
            part = item if len(layout.item) == 1 else str(item_key(scan, (name,)))
            refuse_blank(scan, part, name, "item")
        refuse_blank(scan, judge, layout.judge, "judge")
        keys = _Keys(item, f"CAST({judge} AS VARCHAR)", cut_cells(scan, layout.answer, rules))
        rows = scan.run(
            f"SELECT {keys.judge} AS j, {keys.answer} AS a, count(*) AS n FROM {scan.numbered()} "
            f"GROUP BY ALL ORDER BY min({ROW}) LIMIT {_MOST_PAIRS + 1}"
        )
        raw_judges, raw_answers = (unmasked(rows[name]).tolist() for name in "ja")
        if len(raw_judges) > _MOST_PAIRS:
            return None
        keys = replace(keys, raw=(raw_judges, raw_answers))
        answers = factorise(layout.answer, decoded(layout.answer, raw_answers, scan.json))
        weights = np.asarray(rows["n"], np.int64)
        pairs = _Pairs(factorise(layout.judge, raw_judges), answers, weights)
        return (
            None
            if above_or_below([answers], rules)
            else self._long(pairs, keys, judges, rules, each)
        )

    def _long(
        self, pairs: _Pairs, keys: _Keys, judges: tuple[str, ...] | None, rules: Rules, each: bool
    ) -> Counted | CountedEach | None:
        seen = tuple(map(str, pairs.judge.values))
        meaning, _ = encode_columns([pairs.answer], rules, pairs.weights)
        names, column_of = chosen_judges(seen, judges)
        notes = pairs.notes(names, meaning, rules)
        if len(seen) <= MOST_JUDGES:
            packed = self._packed(keys, pairs, meaning)
            if packed is None:
                return None
            codes, counts = packed
            order = np.argsort(column_of)[len(seen) - len(names) :]
            codes = np.maximum(codes[:, order], NOT_ANSWERED)
            return Counted(names, meaning, codes, counts, notes, raters=pairs.raters)
        tuples = None if each else Tuples(len(names), len(meaning.answers))
        n_items = self._in_order(keys, pairs, meaning, column_of, tuples)
        if n_items is None:
            return None
        if tuples is not None:
            return Counted(names, meaning, *tuples.table(), notes, raters=pairs.raters)
        table: Counts = np.zeros((len(names), len(meaning.answers)), np.int64)
        column, code = column_of[pairs.judge.codes], pairs.answer.look_up(meaning.codes[0])
        answered = (column >= 0) & (code >= 0)
        np.add.at(table, (column[answered], code[answered]), pairs.weights[answered])
        return CountedEach(names, meaning, table, n_items, notes, pairs.raters)

    def _packed(
        self, keys: _Keys, pairs: _Pairs, meaning: Meaning
    ) -> tuple[Codes, Positions] | None:
        """Items grouped by their packed votes and how many rows they have; None if two have one hash."""
        n_judges = len(pairs.judge.values)
        packing = Packing.of(n_judges, len(meaning.answers))
        column, code = keys.numbers(pairs, meaning)
        words = ", ".join(
            f"bit_or({word}) AS w{n}" for n, word in enumerate(packing.of_rows("p", "c"))
        )
        item = Hashed.of(keys.item)
        rows = self.scan.run(
            f"SELECT {packing.names}, votes, mixed, count(*) AS n FROM (SELECT {words}, count(*)::INTEGER AS "
            f"votes, min(g) <> max(g) AS mixed FROM (SELECT {item.first} AS h, {item.second} AS g, "
            f"{column} AS p, {code} AS c FROM {self.scan.relation}) GROUP BY h) GROUP BY ALL "
            f"LIMIT {most_tuples(n_judges) + 1}"
        )
        counts = np.asarray(rows["n"], np.int64)
        check_room(len(counts), n_judges)
        if np.asarray(rows["mixed"]).any():
            return None
        codes = packing.unpack(rows)
        if ((codes != NO_ROW).sum(1) < rows["votes"]).any():
            raise self._repeated(keys)
        return codes, counts

    def _in_order(
        self,
        keys: _Keys,
        pairs: _Pairs,
        meaning: Meaning,
        column_of: Positions,
        tuples: Tuples | None,
    ) -> int | None:
        """Go through the items with all their votes; return how many, None where two have the same hash."""
        column, code = keys.numbers(pairs, meaning)
        size, n_rows = len(meaning.answers) + 1, int(pairs.weights.sum())
        cell = f"({column}) * {size} + ({code}) - {NOT_ANSWERED}"
        n_items = n_votes = 0
        for part in items_in_parts(self.scan, Hashed.of(keys.item), cell, n_rows):
            if part.mixed:
                return None
            if part.again(size).any():
                raise self._repeated(keys)
            n_items, n_votes = n_items + part.n_items, n_votes + len(part.cells)
            if tuples is not None:
                tuples.add(*_answered_cells(part, column_of, size), n_votes / n_rows)
        return n_items

    def _repeated(self, keys: _Keys) -> DataError:
        """Complaint about a judge who answers an item twice: the first such row."""
        again = cast(Again, first_again(self.scan, [keys.item, keys.judge]))
        item, judge = again.names
        return repeated_votes(judge, item, again.row, again.n_rows)


def _of_distinct(grouped: Grouped, layout: Layout, rules: Rules) -> Counted:
    judges, meaning, codes, notes = wide_votes(grouped, layout, rules)
    return Counted(judges, meaning, codes, grouped.weights, notes)


def _answered_cells(
    part: Part, column_of: Positions, size: int
) -> tuple[Cells_of_tuples, Positions]:
    """Votes given by the judges chosen, and how many each item has."""
    judge, code = np.divmod(part.cells, np.int32(size))
    column = column_of.astype(np.int32)[judge]
    answered = (column >= 0) & (code > 0)
    cells: Cells_of_tuples = (column * np.int32(size - 1) + code - np.int32(1))[answered]
    return cells, np.bincount(part.item_of[answered], minlength=part.n_items)


# --- Any frame: cells as expressions of its own engine; what comes back has an order that no engine
# decides.


_MOST_CELLS_COMPARED = 2_000
"""Of different cells of answers, each of which an engine compares with every row."""

_UNIT = 1 << 20
"""What a vote adds to the sum of its judge and item, beside the number of its answer."""


def in_order(table: Grouped) -> Grouped:
    """Same rows, sorted by the texts of their cells, the first column before the second."""
    columns = []
    for column in map(table.column, table.names):
        texts = [plain(value) or "" for value in column.values]
        order = sorted(range(len(texts)), key=texts.__getitem__)
        rank: Positions = np.full(len(texts) + 1, -1, np.int64)
        rank[order] = np.arange(len(order))
        values = tuple(column.values[position] for position in order)
        columns.append(Column(column.name, values, rank[column.codes]))
    rows = np.lexsort([column.codes for column in reversed(columns)])
    ordered = {c.name: replace(c, codes=c.codes[rows]) for c in columns}
    return Grouped(ordered, table.weights[rows], table.notes)


def plain_cell(frame: Frame, name: str) -> Any:
    """Expression of a cell as text, number or truth value."""
    import narwhals as nw

    kind, cell = frame.dtype(name), frame.column(name)
    if kind.is_nested():
        raise nested_cells(name)
    if kind.is_integer() or kind.is_float() or kind in (nw.String, nw.Boolean, nw.Object):
        return cell
    return cell.cast(nw.String)


def answer_cell(frame: Frame, name: str, rules: Rules) -> Any:
    """Expression of an answer; where scores are cut, one number stands for each side.

    Numbers near the cut, those that mean no vote or have a new name, and such as are not finite stay as
    they are. So do texts.
    """
    import narwhals as nw

    cell, kind = plain_cell(frame, name), frame.dtype(name)
    if rules.cut is None or not (kind.is_integer() or kind.is_float()):
        return cell
    kept = kept_numbers(rules)
    low, high, below, above = sides(rules.cut, kept)
    end = sys.float_info.max
    over, under = (cell > high) & (cell <= end), (cell < low) & (cell >= -end)
    for number in kept:
        other = (cell < number - room(number)) | (cell > number + room(number))
        over, under = over & other, under & other
    score = cell.cast(nw.Float64)
    return (
        nw.when(over)
        .then(nw.lit(float(above)))
        .otherwise(nw.when(under).then(nw.lit(float(below))).otherwise(score))
    )


def _item_cells(frame: Frame, names: Sequence[str]) -> dict[str, Any]:
    """Expressions of items' ids: texts without the spaces around them, null where they are empty."""
    import narwhals as nw

    cells = {}
    for position, name in enumerate(names):
        cell = plain_cell(frame, name)
        if frame.dtype(name) == nw.String:
            text = cell.str.strip_chars()
            cell = nw.when(text != "").then(text)
        cells[f"i{position}"] = cell
    return cells


def is_any_of(cell: Any, values: Iterable[object]) -> Any:
    """Whether a cell holds one of some values; not so where it is null."""
    first, *others = (cell == value for value in values)
    for other in others:
        first = first | other
    return first


@dataclass(frozen=True, slots=True)
class FrameRows:
    """Rows of a frame, counted in its own engine; of which only the distinct ones come back.

    Of two spellings of an answer that are equally common, the first in alphabetical order is shown.
    """

    frame: Frame

    @property
    def names(self) -> tuple[str, ...]:
        """All columns."""
        return (*self.frame.names,)

    def ready(
        self, layout: Layout, key: str | None, beside: Sequence[str] = ()
    ) -> AbstractContextManager[FrameRows]:
        """Same rows."""
        return nullcontext(self)

    def wide(self, layout: Layout, rules: Rules, key: str | None = None) -> Counted:
        """Counts of the columns of votes, of items that have one row each."""
        return _of_distinct(self._table(layout, rules), layout, rules)

    def split(self, layout: Layout, rules: Rules, beside: Beside) -> Counted:
        """Counts of the columns of votes, by what the columns beside them hold."""
        table = self._table(layout, rules, beside)
        return split_by(_of_distinct(table, layout, rules), table, beside, rules)

    def _table(
        self, layout: Layout, rules: Rules, beside: Beside = MappingProxyType({})
    ) -> Grouped:
        """Distinct rows of the columns of votes and of those beside them."""
        self._refuse_repeated_items(layout.item)
        names = layout.votes
        table = self._grouped(names, rules, beside)
        if above_or_below([table.column(name) for name in names], rules):
            table = self._grouped(names, replace(rules, cut=None), beside)
        return in_order(table) if spellings_tie(table, rules) else table

    def _grouped(self, names: Sequence[str], rules: Rules, beside: Beside) -> Grouped:
        import narwhals as nw

        keys = {f"k{k}": answer_cell(self.frame, name, rules) for k, name in enumerate(names)}
        keys |= {f"b{k}": plain_cell(self.frame, name) for k, name in enumerate(beside)}
        if (both := _people_and_prompt(beside)) is not None:
            human, prompt = (plain_cell(self.frame, name).cast(nw.String) for name in both)
            labelled = ~human.is_null() & (human.str.strip_chars() != "")
            keys[f"b{[*beside].index(both[1])}"] = nw.when(labelled).then(prompt)
        grouped_columns, counts = self.frame.distinct(keys, MOST_ROWS + 1)
        if len(counts) > MOST_ROWS:
            raise self._too_many(
                "rows of answers",
                f"name fewer judges with {option('judges')}, or pass {option('cut')} if these are "
                "scores in columns of numbers",
            )
        columns = zip((*names, *beside), grouped_columns, strict=True)
        return Grouped({name: replace(column, name=name) for name, column in columns}, counts)

    def paired(self, names: Sequence[str], votes: int, by: Prompt, rules: Rules) -> Sides:
        """Distinct rows of these columns of two systems on one prompt, by a join of the frame with itself."""
        import narwhals as nw

        frame = self.frame
        prompt, system = _item_cells(frame, (by.prompt, by.system)).values()
        odd = frame.grouped({"p": prompt, "s": system}).filter(
            nw.col("p").is_null() | nw.col("s").is_null() | (nw.col(TOTAL) > 1)
        )
        rows = frame.fetched(odd, 1)
        if len(rows):
            p, s, n = (rows[name].to_list()[0] for name in ("p", "s", TOTAL))
            raise refuse_prompts(by, None if p is None or s is None else str(plain(p)), int(n))
        cells = [answer_cell(frame, name, rules) for name in names[:votes]]
        cells += [plain_cell(frame, name) for name in names[votes:]]
        a, b = (
            frame.data.select(
                prompt.alias("p"),
                system.alias(f"{side} s"),
                *(cell.alias(f"{side}{k}") for k, cell in enumerate(cells)),
            )
            for side in "ab"
        )
        keys = [f"{side}{k}" for side in "ab" for k in range(len(names))]
        both = a.join(b, on="p", how="inner").filter(nw.col("a s") < nw.col("b s"))
        rows = frame.fetched(both.group_by(keys).agg(nw.len().alias(TOTAL)), _MOST_SIDES + 1)
        columns = [factorise(key, series_cells(rows[key])) for key in keys]
        return sides_of(names, columns, np.asarray(rows[TOTAL].to_numpy(), np.int64))

    def _too_many(self, what: str, advice: str) -> DataError:
        return DataError(
            f"the {self.frame.kind} must have at most {MOST_ROWS} different {what} to be counted; got more; "
            f"{advice}"
        )

    def in_order(self, name: str) -> tuple[str, ...]:
        """Values of a column in the order of the rows, which frames in parts need not have: none of those."""
        import narwhals as nw

        native = self.frame.data.select(plain_cell(self.frame, name).alias("s")).to_native()
        if self.frame.kind.startswith("polars"):
            rows = nw.from_native(native.unique(maintain_order=True))
            rows = self.frame.fetched(rows, _MOST_VALUES)
        elif not self.frame.is_lazy:
            rows = nw.from_native(native).unique(maintain_order=True)
        else:
            return ()
        return tuple(str(plain(value) or "").strip() for value in rows["s"].to_list())

    def votes_in(self, name: str, rules: Rules) -> str:
        """Whether a column holds votes, in words."""
        (column,), counts = self.frame.distinct(
            {name: answer_cell(self.frame, name, rules)}, MOST_ANSWERS
        )
        alone = Layout("wide", (), votes=(name,))
        gone = left_out(Grouped({name: column}, counts), alone, rules)
        return "" if gone else "votes in other rows of it"

    def check_items(self, names: Sequence[str], n_rows: int) -> bool:
        """Whether items are known to have one row each."""
        return True

    def _refuse_repeated_items(self, names: Sequence[str]) -> None:
        """Refuse a row without an item, and two rows of one item; an index without a name may repeat."""
        import narwhals as nw

        index = self.frame.index
        if not names or (not index.named and set(names) & set(index.columns)):
            return
        keys = _item_cells(self.frame, names)
        odd = nw.col(TOTAL) > 1
        for key in keys:
            odd = odd | nw.col(key).is_null()
        rows = self.frame.fetched(self.frame.grouped(keys).filter(odd), 1)
        if not len(rows):
            return
        ids = [plain(rows[key].to_list()[0]) for key in keys]
        n = int(rows[TOTAL].to_list()[0])
        if None in ids:
            raise DataError(
                f"every row must name its item; {how_many(n, 'row')} with none in column "
                f"{names[ids.index(None)]!r}; fill it or choose another with {option('item')}"
            )
        raise DataError(
            f"a wide table must have one row per item; got item {':'.join(map(str, ids))!r} in {n} rows of "
            f"the {self.frame.kind}; name another column or a list of columns with {option('item')}, or "
            f"{option('judge')} and {option('answer')} of a long table"
        )

    def long(
        self, layout: Layout, judges: tuple[str, ...] | None, rules: Rules, *, each: bool = False
    ) -> Counted:
        """Counts of the votes on each item, of at most 40 judges; in natural order unless they are named.

        A sum per judge and item is made in the engine, and the items are counted by their sums. Repeated
        votes are looked for among the judges that are counted.
        """
        read_by = rules
        pairs, held = self._pairs(layout, rules)
        if rules.cut is not None and above_or_below([pairs.answer], rules):
            read_by = replace(rules, cut=None)
            pairs, held = self._pairs(layout, read_by)
        names, _ = chosen_judges(natural_order(held), judges)
        if len(names) > MOST_JUDGES:
            raise DataError(
                f"a long table must have at most {MOST_JUDGES} judges to be counted; got {len(names)}; name "
                f"some of them with {option('judges')}, or read the votes with read_votes"
            )
        meaning, _ = encode_columns([pairs.answer], rules, pairs.weights)
        number = self._number(layout, pairs.answer, read_by, meaning)
        sums, counts = self._by_sums(layout, [held[name] for name in names], number)
        again = (sums >= 2 * _UNIT).any(0)
        if again.any():
            row = int(np.argmax(again))
            n_items = int(counts[sums[:, row] >= 2 * _UNIT].sum())
            raise self._repeated(layout, names[row], held[names[row]], n_items)
        codes = (sums % _UNIT - 1).astype(np.int16)
        notes = pairs.notes(names, meaning, rules)
        return Counted(names, meaning, codes, counts, notes, raters=pairs.raters)

    def _pairs(self, layout: Layout, rules: Rules) -> tuple[_Pairs, dict[str, list[object]]]:
        """Pairs, and {judge: what the frame holds for it}; every row must name its item and judge."""
        import narwhals as nw

        frame = self.frame
        blanks = {
            f"blank {position}": nw.when(cell.is_null()).then(nw.lit(1)).otherwise(nw.lit(0))
            for position, cell in enumerate(_item_cells(frame, layout.item).values())
        }
        keys = {"a": answer_cell(frame, layout.answer, rules), "j": plain_cell(frame, layout.judge)}
        rows = frame.fetched(frame.grouped(keys, **blanks), _MOST_PAIRS + 1)
        if len(rows) > _MOST_PAIRS:
            raise DataError(
                f"a long table must have at most {_MOST_PAIRS} different pairs of judge and answer to be "
                f"counted; got more; pass {option('cut')} if these are scores, or name other columns "
                f"with {option('judge')} and {option('answer')}"
            )
        for name, blank in zip(layout.item, blanks, strict=True):
            _refuse_blank("item", name, sum(rows[blank].to_list()))
        columns = {key: factorise(key, series_cells(rows[key])) for key in keys}
        table = in_order(Grouped(columns, np.asarray(rows[TOTAL].to_numpy(), np.int64)))
        texts = table.column("j").texts()
        nameless = [text is None for text in texts]
        _refuse_blank("judge", layout.judge, int(table.weights[nameless].sum()))
        held: defaultdict[str, list[object]] = defaultdict(list)
        for value in table.column("j").values:
            held[str(plain(value))].append(value)
        answer = replace(table.column("a"), name=layout.answer)
        return _Pairs(factorise("j", texts), answer, table.weights), dict(held)

    def _number(self, layout: Layout, answer: Column, rules: Rules, meaning: Meaning) -> Any:
        """Expression of an answer's number from 1 on, 0 where a vote is missing."""
        import narwhals as nw

        if len(answer.values) > _MOST_CELLS_COMPARED:
            raise DataError(
                f"column {layout.answer!r} must have at most {_MOST_CELLS_COMPARED} different cells to be "
                f"counted; got {len(answer.values)}; make it a column of numbers if these are scores to cut"
            )
        meant: defaultdict[int, list[object]] = defaultdict(list)
        for value, code in zip(answer.values, meaning.codes[0], strict=True):
            if code != NOT_ANSWERED:
                meant[code].append(value)
        cell, number = answer_cell(self.frame, layout.answer, rules), nw.lit(0)
        for code, values in meant.items():
            is_it = is_any_of(cell, values)
            number = number + nw.when(is_it).then(nw.lit(code + 1)).otherwise(nw.lit(0))
        return number

    def _by_sums(
        self, layout: Layout, judges: Sequence[Sequence[object]], number: Any
    ) -> tuple[Positions, Positions]:
        """Distinct sums that items have, (rows, judges), and how many items have them."""
        import narwhals as nw

        frame, judge = self.frame, plain_cell(self.frame, layout.judge)
        votes = {  # what a row adds to the sum of its item: 0 if it is about another judge
            f"w{position}": nw.when(is_any_of(judge, held))
            .then(number + nw.lit(_UNIT))
            .otherwise(nw.lit(0))
            for position, held in enumerate(judges)
        }
        items = frame.grouped(_item_cells(frame, layout.item), **votes)
        rows = frame.fetched(items.group_by(*votes).agg(nw.len().alias("items")), MOST_ROWS + 1)
        if len(rows) > MOST_ROWS:
            raise self._too_many(
                "items by their answers",
                f"name fewer judges with {option('judges')}, or count parts of it",
            )
        sums = [np.asarray(rows[name].to_numpy(), np.int64) for name in votes]
        return np.stack(sums, axis=1), np.asarray(rows["items"].to_numpy(), np.int64)

    def _repeated(
        self, layout: Layout, judge: str, held: Sequence[object], n_items: int
    ) -> DataError:
        """Complaint about a judge who answers some items twice, with one of them."""
        import narwhals as nw

        theirs = self.frame.where(is_any_of(plain_cell(self.frame, layout.judge), held))
        keys = _item_cells(self.frame, layout.item)
        rows = theirs.fetched(theirs.grouped(keys).filter(nw.col(TOTAL) > 1), 1)
        item = ":".join(str(plain(rows[key].to_list()[0])) for key in keys)
        return DataError(
            f"each judge must answer an item once; got {rows[TOTAL].to_list()[0]} votes of {judge!r} on item "
            f"{item!r} ({how_many(n_items, 'item')} with repeated votes of this judge); keep one of each"
        )


def _refuse_blank(option: str, column: str, n_rows: int) -> None:
    if n_rows:
        raise DataError(
            f"every row must name its {option}; got {how_many(n_rows, 'row')} with none in column "
            f"{column!r}; fill it or choose another with {option}="
        )
