"""Count where more different rows occur than can be translated one by one: scores, wide panels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from algeval.data.names import NOT_ANSWERED, Codes
from algeval.errors import DataError
from algeval.io.answers import MOST_ANSWERS, Rules
from algeval.io.columns import Column, Places, unmasked
from algeval.io.counting.grouped import Grouped, spellings_tie
from algeval.io.counting.packing import Packing, looked_up
from algeval.io.counting.room import check_room, most_tuples
from algeval.io.counting.scan import ROW, Scan
from algeval.io.json_files import decoded
from algeval.io.meaning import Meaning

__all__ = ["Cells", "cells_of", "group_meanings"]

_MOST_CELLS = 200_000
"""More distinct cells than this are no answers, and too many for scores to cut."""


@dataclass(frozen=True, slots=True)
class Cells:
    """The distinct cells of each column, as a table whose rows hold one cell each, and as they are."""

    table: Grouped
    raw: tuple[list[str], ...]


def cells_of(scan: Scan, names: Sequence[str], rules: Rules) -> Cells:
    """Learn in one pass which cells each column holds, and how often.

    Raises
    ------
    DataError
        If they are too many to be answers or scores.
    """
    cells = _cells_of(scan, names, rules, scan.relation, "0")
    if spellings_tie(cells.table, rules):
        return _cells_of(scan, names, rules, scan.numbered(), ROW)
    return cells


def _cells_of(scan: Scan, names: Sequence[str], rules: Rules, relation: str, row: str) -> Cells:
    listed = ", ".join(scan.cells[name] for name in names)
    found = scan.run(
        f"SELECT place, cell, count(*) AS n FROM (SELECT unnest(range({len(names)})) AS place, "
        f"unnest([{listed}]) AS cell, {row} AS first FROM {relation}) WHERE cell IS NOT NULL "
        f"GROUP BY ALL ORDER BY min(first), place LIMIT {_MOST_CELLS + 1}"
    )
    cells = [str(cell) for cell in unmasked(found["cell"])]
    n = len(set(cells))
    if len(cells) > _MOST_CELLS or (rules.cut is None and n > 10 * MOST_ANSWERS):
        raise DataError(
            f"votes must hold at most {MOST_ANSWERS} different answers; got more than "
            f"{min(n, _MOST_CELLS)} different cells; choose other columns with judges="
        )
    places: Places = np.asarray(found["place"], np.int64)
    columns, raw = {}, []
    for place, name in enumerate(names):
        rows = np.flatnonzero(places == place)
        codes = np.full(len(cells), -1, np.int64)
        codes[rows] = np.arange(len(rows))
        raw.append([cells[row] for row in rows.tolist()])
        columns[name] = Column(name, decoded(name, raw[-1], scan.json), codes)
    return Cells(Grouped(columns, np.asarray(found["n"], np.int64)), tuple(raw))


def group_meanings(
    scan: Scan, names: Sequence[str], cells: Cells, meaning: Meaning
) -> tuple[Codes, Places]:
    """Group the rows by what their cells mean: codes (rows, judges) and how often each occurs."""
    codes = []
    for name, raw, means in zip(names, cells.raw, meaning.codes, strict=True):
        numbers = dict(zip(raw, means, strict=True))
        codes.append(looked_up(scan.cells[name], numbers, NOT_ANSWERED))
    packing = Packing.of(len(names), len(meaning.answers))
    words = ", ".join(f"{word} AS w{n}" for n, word in enumerate(packing.of_columns(codes)))
    found = scan.run(
        f"SELECT {words}, count(*) AS n FROM {scan.relation} GROUP BY ALL LIMIT {most_tuples(len(names)) + 1}"
    )
    check_room(len(found["n"]), len(names))
    return packing.unpack(found), np.asarray(found["n"], np.int64)
