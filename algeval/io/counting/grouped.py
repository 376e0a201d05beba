"""Group by the raw cells first: a table of the distinct rows, each with how often it occurs."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from algeval.io.answers import Rules, as_number
from algeval.io.columns import Column, Places, factorise, unmasked
from algeval.io.counting.scan import ROW, Scan
from algeval.io.folding import tally
from algeval.io.json_files import decoded

__all__ = ["MOST_TUPLES", "Grouped", "cut_cells", "group_rows", "one_sided", "spellings_tie"]

MOST_TUPLES = 100_000
"""More distinct rows than this are grouped by what their cells mean, in a second pass."""

_NEAR = 1e-6
"""Scores as near as this to the cut, as a share of it, are compared exactly, by their text."""


class Grouped:
    """Distinct rows of some columns as a table; each stands for as many rows as it weighs."""

    def __init__(
        self, columns: dict[str, Column], weights: Places, notes: tuple[str, ...] = ()
    ) -> None:
        self._columns = columns
        self.names = tuple(columns)
        self.weights = weights
        self.n_rows = int(weights.sum())
        self.notes = notes

    def column(self, name: str) -> Column:
        """Return one column of the distinct rows by distinct value."""
        return self._columns[name]


def group_rows(
    scan: Scan, names: Sequence[str], rules: Rules, key: str | None = None
) -> Grouped | None:
    """Return the distinct rows of some columns and of a key, None where there are too many.

    Scores far from the cut are only told to lie above or below it: their number says nothing else. Rows come
    in the order of their first appearance where two spellings of an answer are equally common.
    """
    columns = [_raw(scan, name, rules) for name in names]
    columns += [] if key is None else [_raw(scan, key, None)]
    grouped = _grouped(scan, columns, scan.relation, "0")
    if grouped is None or one_sided([grouped.column(name) for name in names], rules):
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
    return any(sorted(found)[-2:] == [max(found)] * 2 for found in votes.values())


@dataclass(frozen=True, slots=True)
class _Raw:
    """A column as it is grouped, and the SQL of its cells as text once that is done."""

    name: str
    grouped: str
    text: str | None = None


def _raw(scan: Scan, name: str, rules: Rules | None) -> _Raw:
    """Return a column to group, a key without rules: as it is stored, unless scores are cut."""
    if rules is not None and rules.cut is not None:
        return _Raw(name, cut_cells(scan, name, rules))
    stored = scan.stored(name)
    return _Raw(name, scan.cells[name]) if stored is None else _Raw(name, stored, scan.cells[name])


def _grouped(scan: Scan, columns: Sequence[_Raw], relation: str, row: str) -> Grouped | None:
    inner, outer = [], []
    for place, column in enumerate(columns):
        inner.append(column.grouped if column.text else f"{column.grouped} AS k{place}")
        outer.append(f"{column.text or f'k{place}'} AS r{place}")
    found = scan.run(
        f'SELECT {", ".join(outer)}, "algeval n" FROM (SELECT {", ".join(inner)}, count(*) AS '
        f'"algeval n", min({row}) AS "algeval first" FROM {relation} GROUP BY ALL '
        f'LIMIT {MOST_TUPLES + 1}) ORDER BY "algeval first"'
    )
    counts = np.asarray(found["algeval n"], np.int64)
    if len(counts) > MOST_TUPLES:
        return None
    read = {}
    for place, column in enumerate(columns):
        raw = factorise(column.name, unmasked(found[f"r{place}"]))
        read[column.name] = Column(
            column.name, decoded(column.name, raw.values, scan.json), raw.codes
        )
    return Grouped(read, counts)


def one_sided(columns: Sequence[Column], rules: Rules) -> bool:
    """Whether all scores lie on one side of the cut: a text beside many may mean that a judge failed."""
    if rules.cut is None:
        return False
    texts = {text for column in columns for text in rules.read(column)} - {None}
    numbers = [text for text in texts if text is not None and as_number(text) is not None]
    return len(numbers) < 2 and len(numbers) < len(texts)


def cut_cells(scan: Scan, name: str, rules: Rules) -> str:
    """Return the SQL of a column's texts; where scores are cut, one text stands for each side."""
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
    """Return the numbers that mean no vote, or have a new name."""
    said = (as_number(text) for text in (*rules.missing, *rules.absent_forms, *rules.renamed))
    return sorted({number for number in said if number is not None})


def room(number: float) -> float:
    """Return how far a number of few digits may be from what its text spells."""
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
