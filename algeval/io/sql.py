"""Wide and long tables counted by a database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from algeval.data.names import NOT_ANSWERED, Codes, Counts
from algeval.errors import DataError, option
from algeval.io.answers import (
    MOST_ANSWERS,
    Column,
    Meaning,
    Positions,
    Rules,
    encode_columns,
    factorise,
    score_notes,
    unmasked,
)
from algeval.io.formats import decoded
from algeval.io.items import (
    chosen_judges,
    is_certain,
    judge_columns,
    key_codes,
    key_source,
    left_out,
    left_out_notes,
    repeated_votes,
    wide_votes,
)
from algeval.io.layout import Layout, shown
from algeval.io.tables import Table
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
    check_room,
    cut_cells,
    first_again,
    group_rows,
    item_key,
    items_in_parts,
    looked_up,
    most_tuples,
    refuse_blank,
    spellings_tie,
)
from algeval.io.tuples import Cells as Cells_of_tuples
from algeval.result.numbers import how_many

# --- Count where more different rows occur than can be translated one by one: scores, wide panels.


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
    listed = ", ".join(scan.cells[name] for name in names)
    selected = scan.run(
        f"SELECT place, cell, count(*) AS n FROM (SELECT unnest(range({len(names)})) AS place, "
        f"unnest([{listed}]) AS cell, {row} AS first FROM {relation}) WHERE cell IS NOT NULL "
        f"GROUP BY ALL ORDER BY min(first), place LIMIT {_MOST_CELLS + 1}"
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
    scan: Scan, names: Sequence[str], cells: Cells, meaning: Meaning
) -> tuple[Codes, Positions]:
    """Group the rows by what their cells mean: codes (rows, judges) and how often each occurs."""
    codes = []
    for name, raw, means in zip(names, cells.raw, meaning.codes, strict=True):
        numbers = dict(zip(raw, means, strict=True))
        codes.append(looked_up(scan.cells[name], numbers, NOT_ANSWERED))
    packing = Packing.of(len(names), len(meaning.answers))
    words = ", ".join(f"{word} AS w{n}" for n, word in enumerate(packing.of_columns(codes)))
    rows = scan.run(
        f"SELECT {words}, count(*) AS n FROM {scan.relation} GROUP BY ALL LIMIT {most_tuples(len(names)) + 1}"
    )
    check_room(len(rows["n"]), len(names))
    return packing.unpack(rows), np.asarray(rows["n"], np.int64)


# --- Count a wide table by the rules of reading one: its distinct rows stand for all of them.


LOOKED_AT = 10_000
"""Rows from which the layout of a table is found that is not loaded."""


def count_columns(
    scan: Scan, layout: Layout, rules: Rules, key: str | None = None
) -> Counted | None:
    """Count the columns `layout.votes`, by true label where a column holds it.

    None is returned where of too many rows one vote stands in several columns, or a key is to be counted.

    The raw cells are grouped first, and the few distinct rows translated; where they are too many, the
    cells are translated, and the rows grouped by what they mean.
    """
    grouped = group_rows(scan, layout.votes, rules, key)
    if grouped is not None:
        judges, meaning, codes, notes = wide_votes(grouped, layout, rules)
        truth, said = _truth(grouped, key, meaning, rules)
        return Counted(judges, meaning, codes, grouped.weights, notes, truth, said)
    if key is not None:
        return None
    cells = cells_of(scan, layout.votes, rules)
    judges, meaning, _, notes = wide_votes(cells.table, layout, rules)
    if judges != layout.votes:
        return None
    return Counted(judges, meaning, *group_meanings(scan, judges, cells, meaning), notes)


def _truth(
    grouped: Grouped, key: str | None, meaning: Meaning, rules: Rules
) -> tuple[Positions | None, tuple[str, ...]]:
    """True label of each distinct row, as of so many items, and what reading says of it."""
    if key is None:
        return None, ()
    each = np.arange(len(grouped.weights))
    names = tuple(map(str, each.tolist()))
    return key_codes(key_source(grouped, key), grouped, names, each, meaning, rules)


def count_wide(
    scan: Scan, sample: Table, layout: Layout, rules: Rules, key: str | None = None
) -> Counted | None:
    """Count a table whose columns of votes are those of its first rows."""
    columns, _ = judge_columns(sample, layout, rules)
    gone = left_out(sample, layout, rules)
    for name, why in gone.items():
        _refuse_later_votes(scan, name, why, rules)
    kept = tuple(name for name in layout.votes if name not in gone)
    counted = count_columns(scan, replace(layout, votes=kept), rules, key)
    if counted is None:
        return None
    expected = tuple(column.name for column in columns)
    if counted.judges != expected:
        raise unlike_the_first(f"judges {shown(expected)}", f"judges {shown(counted.judges)}")
    return replace(counted, notes=(*left_out_notes(gone), *counted.notes))


def _refuse_later_votes(scan: Scan, name: str, why: str, rules: Rules) -> None:
    """Refuse a column that was left out for its first rows, and holds votes in later ones."""
    if is_certain(why):
        return  # more different texts than any column of votes may have
    what = (
        f"isfinite({scan.number(name)})" if rules.cut is not None else f"{scan.cells[name]} <> ''"
    )
    row = scan.run(f"SELECT count(*) FILTER ({what}) AS n FROM {scan.relation}")
    if row["n"][0]:
        later = how_many(int(row["n"][0]), "vote")
        raise unlike_the_first(f"no votes in {name!r} ({why})", f"{later} in it")


def unlike_the_first(expected: str, got: str) -> DataError:
    """Complaint that later rows are not what the first ones promised."""
    return DataError(
        f"all rows must be laid out like the first {LOOKED_AT}, which have {expected}; got {got} from all "
        f"rows; name the columns of votes with {option('judges')}"
    )


# --- Count a long table: few judges' votes packed into whole numbers by item, many judges' in order
# of items.


MOST_JUDGES = 40
"""Votes of more judges are put in order of their items: packed, most of the whole numbers would be empty."""

_MOST_PAIRS = 1_000_000
"""Of a judge and an answer; with more, answers are texts of their own, or judges do not return."""


@dataclass(frozen=True, slots=True)
class _Keys:
    """The SQL of a row's item, judge and answer, as they are told apart."""

    item: str
    judge: str
    answer: str


@dataclass(frozen=True, slots=True)
class _Pairs:
    """The distinct pairs of judge and answer, in the order of their first rows."""

    judge: Column
    answer: Column
    weights: Positions
    raw: tuple[list[Any], list[Any]]

    @property
    def n_rows(self) -> int:
        """How many votes there are."""
        return int(self.weights.sum())

    def numbers(self, keys: _Keys, meaning: Meaning) -> tuple[str, str]:
        """SQL of a judge's place and of an answer's code."""
        judges, answers = self.raw
        means = (*meaning.codes[0], NOT_ANSWERED)
        code_of = {a: means[c] for a, c in zip(answers, self.answer.codes, strict=True)}
        column_of = dict(zip(judges, self.judge.codes.tolist(), strict=True))
        return looked_up(keys.judge, column_of, 0), looked_up(keys.answer, code_of, NOT_ANSWERED)


def count_long(
    scan: Scan,
    layout: Layout,
    judges: tuple[str, ...] | None,
    rules: Rules,
    *,
    each: bool = False,
) -> Counted | CountedEach | None:
    """Count the votes of each item, None where they have to be read: mixed JSON, too many pairs.

    each : whether judges may be counted one by one where they are many.
    """
    item, judge = item_key(scan, layout.item), item_key(scan, (layout.judge,))
    if item is None or judge is None:
        return None
    keys = _Keys(item, f"CAST({judge} AS VARCHAR)", cut_cells(scan, layout.answer, rules))
    for name in layout.item:
        part = item if len(layout.item) == 1 else str(item_key(scan, (name,)))
        refuse_blank(scan, part, name, "item")
    refuse_blank(scan, judge, layout.judge, "judge")
    pairs = _pairs(scan, layout, keys)
    if pairs is None or above_or_below([pairs.answer], rules):
        return None
    seen = tuple(map(str, pairs.judge.values))
    meaning, _ = encode_columns([pairs.answer], rules, pairs.weights)
    names, column_of = chosen_judges(seen, judges)
    kept = int(pairs.weights[column_of[pairs.judge.codes] >= 0].sum())
    read, *others = votes_notes(how_many(len(names), "judge"), kept, pairs.n_rows - kept)
    notes = (read, *score_notes(meaning.answers, rules), *others)
    if len(seen) <= MOST_JUDGES:
        packed = _packed(scan, keys, pairs, meaning)
        if packed is None:
            return None
        codes, counts = packed
        order = np.argsort(column_of)[len(seen) - len(names) :]
        codes = np.maximum(codes[:, order], NOT_ANSWERED)
        return Counted(names, meaning, codes, counts, notes)
    tuples = None if each else Tuples(len(names), len(meaning.answers))
    n_items = _in_order(scan, keys, pairs, meaning, column_of, tuples)
    if n_items is None:
        return None
    if tuples is not None:
        return Counted(names, meaning, *tuples.dense(), notes)
    return CountedEach(names, meaning, _table(pairs, meaning, column_of), n_items, notes)


def votes_notes(judges: str, kept: int, others: int) -> tuple[str, ...]:
    """How many votes were counted, and how many are of judges that were not asked for."""
    left = (f"{how_many(others, 'row')} of other judges left out",) if others else ()
    return (f"{judges}, {how_many(kept, 'row')} read", *left)


def _pairs(scan: Scan, layout: Layout, keys: _Keys) -> _Pairs | None:
    """Learn in one pass which judges there are, and which answers; None where they are too many."""
    rows = scan.run(
        f"SELECT {keys.judge} AS j, {keys.answer} AS a, count(*) AS n FROM {scan.numbered()} GROUP BY ALL "
        f"ORDER BY min({ROW}) LIMIT {_MOST_PAIRS + 1}"
    )
    raw_judges, raw_answers = (unmasked(rows[name]).tolist() for name in "ja")
    if len(raw_judges) > _MOST_PAIRS:
        return None
    answers = factorise(layout.answer, decoded(layout.answer, raw_answers, scan.json))
    weights = np.asarray(rows["n"], np.int64)
    return _Pairs(factorise(layout.judge, raw_judges), answers, weights, (raw_judges, raw_answers))


def _packed(
    scan: Scan, keys: _Keys, pairs: _Pairs, meaning: Meaning
) -> tuple[Codes, Positions] | None:
    """Group the rows by item, then the items by their packed votes and how many rows they have.

    None is returned where two items have the same hash.
    """
    n_judges = len(pairs.judge.values)
    packing = Packing.of(n_judges, len(meaning.answers))
    column, code = pairs.numbers(keys, meaning)
    words = ", ".join(f"bit_or({word}) AS w{n}" for n, word in enumerate(packing.of_rows("p", "c")))
    item = Hashed.of(keys.item)
    rows = scan.run(
        f"SELECT {packing.names}, votes, mixed, count(*) AS n FROM (SELECT {words}, count(*)::INTEGER AS "
        f"votes, min(g) <> max(g) AS mixed FROM (SELECT {item.first} AS h, {item.second} AS g, "
        f"{column} AS p, "
        f"{code} AS c FROM {scan.relation}) GROUP BY h) GROUP BY ALL LIMIT {most_tuples(n_judges) + 1}"
    )
    counts = np.asarray(rows["n"], np.int64)
    check_room(len(counts), n_judges)
    if np.asarray(rows["mixed"]).any():
        return None
    codes = packing.unpack(rows)
    if ((codes != NO_ROW).sum(1) < rows["votes"]).any():
        raise _repeated(scan, keys)
    return codes, counts


def _in_order(
    scan: Scan,
    keys: _Keys,
    pairs: _Pairs,
    meaning: Meaning,
    column_of: Positions,
    tuples: Tuples | None,
) -> int | None:
    """Go through the items with all their votes; return how many, None where two have the same hash."""
    column, code = pairs.numbers(keys, meaning)
    size = len(meaning.answers) + 1
    cell = f"({column}) * {size} + ({code}) - {NOT_ANSWERED}"
    n_items = n_votes = 0
    for part in items_in_parts(scan, Hashed.of(keys.item), cell, pairs.n_rows):
        if part.mixed:
            return None
        if part.again(size).any():
            raise _repeated(scan, keys)
        n_items, n_votes = n_items + part.n_items, n_votes + len(part.cells)
        if tuples is not None:
            tuples.add(*_answered_cells(part, column_of, size), n_votes / pairs.n_rows)
    return n_items


def _answered_cells(
    part: Part, column_of: Positions, size: int
) -> tuple[Cells_of_tuples, Positions]:
    """Votes given by the judges chosen, and how many each item has."""
    judge, code = np.divmod(part.cells, np.int32(size))
    column = column_of.astype(np.int32)[judge]
    answered = (column >= 0) & (code > 0)
    cells: Cells_of_tuples = (column * np.int32(size - 1) + code - np.int32(1))[answered]
    return cells, np.bincount(part.item_of[answered], minlength=part.n_items)


def _table(pairs: _Pairs, meaning: Meaning, column_of: Positions) -> Counts:
    """Return (judges, answers): how often each judge chosen gave each answer."""
    table = np.zeros((int((column_of >= 0).sum()), len(meaning.answers)), np.int64)
    column, code = column_of[pairs.judge.codes], pairs.answer.look_up(meaning.codes[0])
    answered = (column >= 0) & (code >= 0)
    np.add.at(table, (column[answered], code[answered]), pairs.weights[answered])
    return table


def _repeated(scan: Scan, keys: _Keys) -> DataError:
    """Complaint about a judge who answers an item twice: the first such row."""
    again = cast(Again, first_again(scan, [keys.item, keys.judge]))
    item, judge = again.names
    return repeated_votes(judge, item, again.row, again.n_rows)
