"""Count a long table: each item's votes packed into a few whole numbers, then those grouped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from algeval.data.names import NOT_ANSWERED
from algeval.errors import DataError
from algeval.io.answers import MOST_ANSWERS, Rules, score_notes
from algeval.io.columns import Column, Places, factorise, unmasked
from algeval.io.counting.grouped import cut_cells, one_sided
from algeval.io.counting.items import item_key, refuse_blank
from algeval.io.counting.packing import NO_ROW, Packing, looked_up
from algeval.io.counting.scan import ROW, Scan
from algeval.io.counting.wide import Counted
from algeval.io.json_files import decoded
from algeval.io.layout import Layout
from algeval.io.long import chosen_judges, repeated_votes
from algeval.io.meaning import Meaning, encode_columns
from algeval.result.wording import how_many

__all__ = ["MOST_JUDGES", "count_long", "votes_notes"]

MOST_JUDGES = 40
"""With more judges nearly every item has answers of its own, and counts are as large as votes."""

_MOST_DISTINCT = 1_000_000
"""Of items with answers of their own; more are not counted but read."""


@dataclass(frozen=True, slots=True)
class _Pairs:
    """The distinct pairs of judge and answer, in the order of their first rows."""

    judge: Column
    answer: Column
    weights: Places
    raw: tuple[list[Any], list[Any]]


def count_long(
    scan: Scan, layout: Layout, judges: tuple[str, ...] | None, rules: Rules
) -> Counted | None:
    """Count the votes of each item, None where they have to be read: many judges or tuples, mixed JSON.

    Raises
    ------
    DataError
        If a row names no item or no judge, or a judge answers an item twice.
    """
    item, judge = item_key(scan, layout.item), item_key(scan, (layout.judge,))
    if item is None or judge is None:
        return None
    judge, answer = f"CAST({judge} AS VARCHAR)", cut_cells(scan, layout.answer, rules)
    for option, name in (*(("item", name) for name in layout.item), ("judge", layout.judge)):
        refuse_blank(scan, str(item_key(scan, (name,))), name, option)
    pairs = _pairs(scan, layout, judge, answer)
    if pairs is None or one_sided([pairs.answer], rules):
        return None
    seen = tuple(map(str, pairs.judge.values))
    meaning, _ = encode_columns([pairs.answer], rules, pairs.weights)
    packing = Packing.of(len(seen), len(meaning.answers))
    found = _packed(scan, (item, judge, answer), pairs, meaning, packing)
    counts = np.asarray(found["n"], np.int64)
    if len(counts) > _MOST_DISTINCT:
        return None
    codes = packing.unpack(found)
    if ((codes != NO_ROW).sum(1) < found["votes"]).any():
        raise _repeated(scan, item, judge)
    names, column_of = chosen_judges(seen, judges)
    places = np.argsort(column_of)[len(seen) - len(names) :]
    codes = np.maximum(codes[:, places], NOT_ANSWERED)
    kept = int(pairs.weights[column_of[pairs.judge.codes] >= 0].sum())
    notes = votes_notes(how_many(len(names), "judge"), kept, int(pairs.weights.sum()) - kept)
    read, *others = notes
    notes = (read, *score_notes(meaning.answers, rules), *others)
    return Counted(names, meaning, codes, counts, notes)


def votes_notes(judges: str, kept: int, others: int) -> tuple[str, ...]:
    """Say how many votes were counted, and how many are of judges that were not asked for."""
    left = (f"{how_many(others, 'row')} of other judges left out",) if others else ()
    return (f"{judges}, {how_many(kept, 'row')} read", *left)


def _pairs(scan: Scan, layout: Layout, judge: str, answer: str) -> _Pairs | None:
    """Learn in one pass which judges there are, and which answers; None where they are too many."""
    most = (MOST_JUDGES + 1) * (MOST_ANSWERS + 1)
    found = scan.run(
        f"SELECT {judge} AS j, {answer} AS a, count(*) AS n FROM {scan.numbered()} GROUP BY ALL "
        f"ORDER BY min({ROW}) LIMIT {most}"
    )
    raw_judges, raw_answers = (unmasked(found[name]).tolist() for name in "ja")
    judges = factorise(layout.judge, raw_judges)
    if len(judges.values) > MOST_JUDGES or len(raw_judges) == most:
        return None
    answers = factorise(layout.answer, decoded(layout.answer, raw_answers, scan.json))
    return _Pairs(judges, answers, np.asarray(found["n"], np.int64), (raw_judges, raw_answers))


def _packed(
    scan: Scan, sql: tuple[str, str, str], pairs: _Pairs, meaning: Meaning, packing: Packing
) -> Any:
    """Group the rows by item, then the items by their packed votes and how many rows they have."""
    item, judge, answer = sql
    raw_judges, raw_answers = pairs.raw
    means = (*meaning.codes[0], NOT_ANSWERED)
    code_of = {a: means[c] for a, c in zip(raw_answers, pairs.answer.codes, strict=True)}
    place_of = dict(zip(raw_judges, pairs.judge.codes.tolist(), strict=True))
    place, code = looked_up(judge, place_of, 0), looked_up(answer, code_of, NOT_ANSWERED)
    words = ", ".join(f"bit_or({word}) AS w{n}" for n, word in enumerate(packing.of_rows("p", "c")))
    return scan.run(
        f"SELECT {packing.names}, votes, count(*) AS n FROM (SELECT {words}, count(*)::INTEGER AS votes "
        f"FROM (SELECT {item} AS i, {place} AS p, {code} AS c FROM {scan.relation}) GROUP BY i) "
        f"GROUP BY ALL LIMIT {_MOST_DISTINCT + 1}"
    )


def _repeated(scan: Scan, item: str, judge: str) -> DataError:
    """Return the complaint about a judge who answers an item twice: the first such row."""
    rows = f"SELECT {item} AS i, {judge} AS j, {ROW} AS r FROM {scan.numbered()}"
    twice = f"SELECT i, j, count(*) AS n, min(r, 2)[2] AS again FROM ({rows}) GROUP BY i, j HAVING n > 1"
    found = scan.run(
        f"SELECT CAST(arg_min(i, again) AS VARCHAR) AS i, CAST(arg_min(j, again) AS VARCHAR) AS j, "
        f"min(again) AS row, sum(n - 1) AS n FROM ({twice})"
    )
    return repeated_votes(found["j"][0], found["i"][0], int(found["row"][0]), int(found["n"][0]))
