"""How many evaluations the votes leave possible, in exact whole numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from algeval.data.names import positions
from algeval.data.settings import check_choice
from algeval.errors import DataError
from algeval.io.sources import Source, read_data
from algeval.logic.consistent.cells import Rows, read_rows
from algeval.logic.consistent.lattice import count_keys, count_points
from algeval.logic.consistent.pairs import join
from algeval.logic.consistent.points import project_cells
from algeval.logic.consistent.tables import (
    Key,
    Series,
    coefficients,
    count_all,
    count_at,
    refuse,
    steps,
)
from algeval.logic.orders.closed_form import compositions
from algeval.logic.policy import MOST_LATTICE_KEYS
from algeval.logic.results import LogicResult
from algeval.progress import steps as one_by_one
from algeval.result import Status
from algeval.result.tables import Table
from algeval.result.wording import how_many

__all__ = [
    "ADVICE",
    "Multiplicities",
    "by_correct",
    "count_consistent",
    "judge_series",
    "multiplicities",
    "points_1",
    "points_by_key",
    "points_of",
]

ADVICE = "pass key_counts= for one answer key, or use fewer items or judges"


def count_consistent(
    data: Source,
    *,
    order: int | str = 1,
    key_counts: Sequence[int] | None = None,
    of: str = "tables",
    missing: str = "excluded",
) -> int:
    """Count the evaluations that could have produced the votes.

    An evaluation of order m says, per true label, how often each joint answer of each m judges was
    given ("tables"). Its R-space point keeps only the answer-key counts and how often each judge was
    right on each label ("points"): for two labels and complete votes of one judge the two are the
    same, otherwise many tables share one point.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary, or a table
        What the judges answered; a key is never read.
    order : 1, 2 or "full"
        Each judge alone, every pair, or all judges together (the number of judges means "full").
    key_counts : (R,) ints, optional
        Count at one answer key only.
    of : "tables" or "points"
        What is counted.
    missing : "excluded" or "wrong"
        Echoed by results; it does not change which evaluations there are.

    Returns
    -------
    int
        Closed forms where there are any (full order or one judge, all keys: the product over tuples or
        answers u of C(n(u)+R-1, R-1)), otherwise generating functions (tables of order 1, full order
        at a key), a closed form per answer key (points of order 1), or exact listing (order 2, points
        of full order).

    Raises
    ------
    DataError
        If the data, the order or the key breaks a rule.
    TooLargeError
        If it would take too long; the message holds the estimate.

    Notes
    -----
    No-Knowledge Alarms, section II: 35 for ten items and one judge with counts (4, 6).

    Examples
    --------
    >>> from algeval.data import Sketch, Summary
    >>> count_consistent(Summary.from_counts({"x": {"a": 4, "b": 6}}))
    35
    >>> count_consistent(Sketch.from_counts({"ab": 5, "ba": 5}), order="full")
    36
    """
    data = read_data(data)
    rows = read_rows(data, order, missing)
    key = rows.key(key_counts)
    check_choice("of", of, ("tables", "points"))
    count: int = _COUNTERS[of, rows.order](rows, key)
    return count


def _tables_1(rows: Rows, key: Key | None) -> int:
    if key is None and len(rows.judges) == 1:
        return count_all(rows.judges[0], rows.labels)
    series = judge_series(rows, key)
    if key is not None:
        return prod(one.get(key, 0) for one in series)
    return sum(prod(one.get(q, 0) for one in series) for q in series[0])


def judge_series(rows: Rows, key: Key | None) -> list[Series]:
    """Return {q: number of tables} of each judge, at one key or at all of them."""
    needed = sum(steps(row, rows.labels, key) for row in rows.judges)
    refuse(needed, "counting tables", ADVICE)
    known: dict[Key, Series] = {}
    for row in map(_sorted, rows.judges):
        if row not in known:
            known[row] = coefficients(row, rows.labels, key)
    return [known[_sorted(row)] for row in rows.judges]


def _sorted(row: Key) -> Key:
    return tuple(sorted(row))


def _tables_full(rows: Rows, key: Key | None) -> int:
    if key is None:
        return count_all(rows.counts, rows.labels)
    refuse(steps(rows.counts, rows.labels, key), "counting tables", "leave key_counts out")
    return count_at(rows.counts, key)


def _tables_2(rows: Rows, key: Key | None) -> int:
    return sum(ways for _, ways in join(rows).choices(key))


def points_by_key(rows: Rows, key: Key | None) -> Iterator[tuple[Key, int]]:
    """Yield each answer key with its number of points of order 1."""
    n_keys = 1
    if key is None:
        n_keys = count_keys(rows.exam.n_items, rows.labels)
        refuse(n_keys, "counting points key by key", ADVICE, most=MOST_LATTICE_KEYS)
    keys = one_by_one(rows.keys(key), "counting points key by key", n_keys)
    return ((q, count_points(rows.exam.counts, q)) for q in keys)


def points_1(rows: Rows, key: Key | None) -> int:
    """Count the points of order 1."""
    return sum(count for _, count in points_by_key(rows, key))


def points_of(rows: Rows, key: Key | None) -> list[tuple[Key, tuple[Key, ...]]]:
    """Return the (q, correct counts) of order 2 or full, lexicographically descending."""
    if rows.order == "full":
        return sorted(project_cells(rows, key), reverse=True)
    found = {
        (tuple(map(sum, zip(*chosen[0], strict=True))), _diagonals(chosen, rows.labels))
        for chosen, _ in join(rows).choices(key)
    }
    return sorted(found, reverse=True)


def _diagonals(chosen: Sequence[Sequence[Key]], labels: int) -> tuple[Key, ...]:
    return tuple(tuple(table[t][t] for t in range(labels)) for table in chosen)


def _points(rows: Rows, key: Key | None) -> int:
    return len(points_of(rows, key))


_COUNTERS: dict[tuple[str, int | str], Any] = {
    ("tables", 1): _tables_1,
    ("tables", 2): _tables_2,
    ("tables", "full"): _tables_full,
    ("points", 1): points_1,
    ("points", 2): _points,
    ("points", "full"): _points,
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Multiplicities(LogicResult):
    """How many evaluations of order 1 have each pair of correct counts, label by label.

    Attributes
    ----------
    key_counts : (R,) ints
        The answer key they are counted at.
    pair : two judge names
        The judges on the axes.
    counts : R object arrays
        ``counts[t][c, d]``: evaluations in which the first judge is right c times and the second d
        times on label t; 0 up to the smaller of answers and key counts.
    total : int
        How many there are; every array sums to it.
    """

    schema: ClassVar[str] = "algeval.multiplicities/1"

    key_counts: tuple[int, ...]
    pair: tuple[str, str]
    counts: tuple[NDArray[Any], ...]
    total: int

    @property
    def meaning(self) -> str:
        """What the counts do not mean."""
        return "A pair of correct counts that many evaluations share is not more probable for that."

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per label and pair of correct counts: how many evaluations have them."""
        one, other = self.pair
        names = ("label", f"{one} correct", f"{other} correct", "evaluations")
        rows = [
            (label, *place, count)
            for label, table in zip(self.labels, self.counts, strict=True)
            for place, count in np.ndenumerate(table)
        ]
        return (Table.of_rows("Pairs of correct counts", names, rows),)

    def of(self, label: object) -> NDArray[Any]:
        """Return the array of one label."""
        (t,) = positions("label", [label], self.labels)
        return self.counts[t]


def multiplicities(
    data: Source, key_counts: Sequence[int], *, judges: Iterable[object] | None = None
) -> Multiplicities:
    """Count, for two judges at one answer key, the evaluations on each pair of correct counts.

    This is the picture of No-Knowledge Alarms, Figure 6: one square per label, the two judges' correct counts
    on its axes. An evaluation here is a pair of whole tables (order 1). The paper does not say whether
    its figure counts tables or R-space points; only one number of its scale is legible.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary, or a table
        What the judges answered.
    key_counts : (R,) ints
        The answer key.
    judges : two names, optional
        Needed when there are more than two.

    Raises
    ------
    DataError
        If there are not exactly two judges, or the key breaks a rule.
    TooLargeError
        If it would take too long.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> grades = {"x": {"a": 4, "b": 6}, "y": {"a": 7, "b": 3}}
    >>> multiplicities(Summary.from_counts(grades), (6, 4)).total
    20
    """
    data = read_data(data)
    rows = read_rows(data, 1)
    names = rows.exam.judges if judges is None else tuple(str(name) for name in judges)
    places = positions("judge", names, rows.exam.judges)
    if len(places) != 2:
        raise DataError(f"judges must name two judges; got {list(names)}; pass judges=(one, other)")
    key = rows.key(key_counts) or ()
    chosen = [rows.judges[place] for place in places]
    refuse(
        sum(steps(row, rows.labels, key) * (max(row) + 1) for row in chosen), "counting", "use less"
    )
    marginals = [[by_correct(row, key, t) for t in range(rows.labels)] for row in chosen]
    counts = tuple(np.outer(first, second) for first, second in zip(*marginals, strict=True))
    total = prod(count_at(row, key) for row in chosen)
    return Multiplicities(
        status=Status.OK,
        message=f"{how_many(total, 'pair of tables is', 'pairs of tables are')} consistent with the counts "
        "at this answer key.",
        key_counts=key,
        pair=(names[0], names[1]),
        counts=counts,
        total=total,
        **rows.exam.echo(1),
    )


def by_correct(row: Key, key: Key, t: int) -> NDArray[Any]:
    """Return (high + 1,): a judge's tables by its correct answers on label t."""
    others = coefficients([*row[:t], *row[t + 1 :]], len(key), key)
    high = tuple(min(row[t], q) for q in key)
    result = np.zeros(high[t] + 1, dtype=object)
    for split in compositions((0,) * len(key), high, row[t]):
        rest = tuple(q - s for q, s in zip(key, split, strict=True))
        result[split[t]] += others.get(rest, 0)
    return result
