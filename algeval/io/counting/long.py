"""Count a long table: few judges' votes packed into whole numbers by item, many judges' in order of items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from algeval.data.names import NOT_ANSWERED, Codes, Counts
from algeval.errors import DataError
from algeval.io.answers import Rules, score_notes
from algeval.io.columns import Column, Places, factorise, unmasked
from algeval.io.counting.counted import Counted, CountedEach
from algeval.io.counting.grouped import cut_cells, one_sided
from algeval.io.counting.items import Again, Hashed, first_again, item_key, refuse_blank
from algeval.io.counting.packing import NO_ROW, Packing, looked_up
from algeval.io.counting.room import check_room, most_tuples
from algeval.io.counting.scan import ROW, Scan
from algeval.io.counting.triples import Part, items_in_parts
from algeval.io.counting.tuples import Cells, Tuples
from algeval.io.json_files import decoded
from algeval.io.layout import Layout
from algeval.io.long import chosen_judges, repeated_votes
from algeval.io.meaning import Meaning, encode_columns
from algeval.result.wording import how_many

__all__ = ["MOST_JUDGES", "count_long", "votes_notes"]

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
    weights: Places
    raw: tuple[list[Any], list[Any]]

    @property
    def n_rows(self) -> int:
        """How many votes there are."""
        return int(self.weights.sum())

    def numbers(self, keys: _Keys, meaning: Meaning) -> tuple[str, str]:
        """Return the SQL of a judge's place and of an answer's code."""
        judges, answers = self.raw
        means = (*meaning.codes[0], NOT_ANSWERED)
        code_of = {a: means[c] for a, c in zip(answers, self.answer.codes, strict=True)}
        place_of = dict(zip(judges, self.judge.codes.tolist(), strict=True))
        return looked_up(keys.judge, place_of, 0), looked_up(keys.answer, code_of, NOT_ANSWERED)


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

    Raises
    ------
    DataError
        If a row names no item or no judge, a judge answers an item twice, or the tuples are too many.
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
    if pairs is None or one_sided([pairs.answer], rules):
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
        places = np.argsort(column_of)[len(seen) - len(names) :]
        codes = np.maximum(codes[:, places], NOT_ANSWERED)
        return Counted(names, meaning, codes, counts, notes)
    tuples = None if each else Tuples(len(names), len(meaning.answers))
    n_items = _in_order(scan, keys, pairs, meaning, column_of, tuples)
    if n_items is None:
        return None
    if tuples is not None:
        return Counted(names, meaning, *tuples.dense(), notes)
    return CountedEach(names, meaning, _table(pairs, meaning, column_of), n_items, notes)


def votes_notes(judges: str, kept: int, others: int) -> tuple[str, ...]:
    """Say how many votes were counted, and how many are of judges that were not asked for."""
    left = (f"{how_many(others, 'row')} of other judges left out",) if others else ()
    return (f"{judges}, {how_many(kept, 'row')} read", *left)


def _pairs(scan: Scan, layout: Layout, keys: _Keys) -> _Pairs | None:
    """Learn in one pass which judges there are, and which answers; None where they are too many."""
    found = scan.run(
        f"SELECT {keys.judge} AS j, {keys.answer} AS a, count(*) AS n FROM {scan.numbered()} GROUP BY ALL "
        f"ORDER BY min({ROW}) LIMIT {_MOST_PAIRS + 1}"
    )
    raw_judges, raw_answers = (unmasked(found[name]).tolist() for name in "ja")
    if len(raw_judges) > _MOST_PAIRS:
        return None
    answers = factorise(layout.answer, decoded(layout.answer, raw_answers, scan.json))
    weights = np.asarray(found["n"], np.int64)
    return _Pairs(factorise(layout.judge, raw_judges), answers, weights, (raw_judges, raw_answers))


def _packed(
    scan: Scan, keys: _Keys, pairs: _Pairs, meaning: Meaning
) -> tuple[Codes, Places] | None:
    """Group the rows by item, then the items by their packed votes and how many rows they have.

    None is returned where two items have the same hash.
    """
    n_judges = len(pairs.judge.values)
    packing = Packing.of(n_judges, len(meaning.answers))
    place, code = pairs.numbers(keys, meaning)
    words = ", ".join(f"bit_or({word}) AS w{n}" for n, word in enumerate(packing.of_rows("p", "c")))
    item = Hashed.of(keys.item)
    found = scan.run(
        f"SELECT {packing.names}, votes, mixed, count(*) AS n FROM (SELECT {words}, count(*)::INTEGER AS "
        f"votes, min(g) <> max(g) AS mixed FROM (SELECT {item.first} AS h, {item.second} AS g, {place} AS p, "
        f"{code} AS c FROM {scan.relation}) GROUP BY h) GROUP BY ALL LIMIT {most_tuples(n_judges) + 1}"
    )
    counts = np.asarray(found["n"], np.int64)
    check_room(len(counts), n_judges)
    if np.asarray(found["mixed"]).any():
        return None
    codes = packing.unpack(found)
    if ((codes != NO_ROW).sum(1) < found["votes"]).any():
        raise _repeated(scan, keys)
    return codes, counts


def _in_order(
    scan: Scan,
    keys: _Keys,
    pairs: _Pairs,
    meaning: Meaning,
    column_of: Places,
    tuples: Tuples | None,
) -> int | None:
    """Go through the items with all their votes; return how many, None where two have the same hash."""
    place, code = pairs.numbers(keys, meaning)
    size = len(meaning.answers) + 1
    cell = f"({place}) * {size} + ({code}) - {NOT_ANSWERED}"
    n_items = n_votes = 0
    for part in items_in_parts(scan, Hashed.of(keys.item), cell, pairs.n_rows):
        if part.mixed:
            return None
        if part.again(size).any():
            raise _repeated(scan, keys)
        n_items, n_votes = n_items + part.n_items, n_votes + len(part.cells)
        if tuples is not None:
            tuples.add(*_given(part, column_of, size), n_votes / pairs.n_rows)
    return n_items


def _given(part: Part, column_of: Places, size: int) -> tuple[Cells, Places]:
    """Return the votes given by the judges chosen, and how many each item has."""
    judge, code = np.divmod(part.cells, np.int32(size))
    column = column_of.astype(np.int32)[judge]
    given = (column >= 0) & (code > 0)
    cells: Cells = (column * np.int32(size - 1) + code - np.int32(1))[given]
    return cells, np.bincount(part.item_of[given], minlength=part.n_items)


def _table(pairs: _Pairs, meaning: Meaning, column_of: Places) -> Counts:
    """Return (judges, answers): how often each judge chosen gave each answer."""
    table = np.zeros((int((column_of >= 0).sum()), len(meaning.answers)), np.int64)
    column, code = column_of[pairs.judge.codes], pairs.answer.look_up(meaning.codes[0])
    given = (column >= 0) & (code >= 0)
    np.add.at(table, (column[given], code[given]), pairs.weights[given])
    return table


def _repeated(scan: Scan, keys: _Keys) -> DataError:
    """Return the complaint about a judge who answers an item twice: the first such row."""
    again = cast(Again, first_again(scan, [keys.item, keys.judge]))
    item, judge = again.names
    return repeated_votes(judge, item, again.row, again.n_rows)
