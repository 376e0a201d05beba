"""Uniform random members of the consistent set: every one exactly as likely as every other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, ClassVar, cast

import numpy as np

from algeval.data.settings import check_choice, check_whole
from algeval.io.sources import Source, read_data
from algeval.logic.consistent.cells import Cells, Rows, Tables, read_rows
from algeval.logic.consistent.counting import (
    ADVICE,
    judge_series,
    points_by_key,
    points_of,
)
from algeval.logic.consistent.draws import Weighted, draw_correct, draw_split, draw_table
from algeval.logic.consistent.pairs import join, pair_tables
from algeval.logic.consistent.tables import (
    Key,
    Table,
    count_all,
    refuse,
    steps,
    stored,
    suffixes,
)
from algeval.logic.policy import MOST_KEPT
from algeval.logic.results import LogicResult, Point
from algeval.progress import steps as one_by_one
from algeval.result import Status
from algeval.result.tables import Table as Grid
from algeval.result.tables import scalars

__all__ = ["Sample", "sample_consistent"]


Member = Point | Tables | Cells
Draw = Callable[[np.random.Generator], Member]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sample(LogicResult):
    """Independent uniform draws from the consistent set.

    Attributes
    ----------
    members : tuple of Point, Tables or Cells
        The draws; one may come twice.
    count : int
        How many members there are to draw from.
    of : "tables" or "points"
        What every one of is equally likely.
    key_counts : tuple of int or None
        The answer key drawn at; None means all of the Q-complex.
    seed : int or None
        What to draw the same again with; None if a generator was given.
    """

    schema: ClassVar[str] = "algeval.sample/1"

    members: tuple[Member, ...]
    count: int
    of: str
    key_counts: tuple[int, ...] | None
    seed: int | None

    def as_tables(self) -> tuple[Grid, ...]:
        """Return a row per draw: its number, and how many items of each label its key has."""
        rows = [(k, *drawn.key_counts) for k, drawn in enumerate(self.members, start=1)]
        names = ("draw", *(f"items of {label}" for label in self.labels))
        return Grid.of_rows("Draws", names, rows), scalars(self)

    @property
    def meaning(self) -> str:
        """What the sample does not mean."""
        return "Uniform is a choice, not knowledge: shares of the sample are not probabilities of truth."


def sample_consistent(
    data: Source,
    n: int,
    *,
    seed: int | np.random.Generator = 0,
    order: int | str = 1,
    key_counts: Sequence[int] | None = None,
    of: str = "tables",
) -> Sample:
    """Draw evaluations uniformly from all that are consistent with the votes.

    Every member has exactly the same probability: they are counted in whole numbers, a place in the
    count is drawn without rounding, and the member at that place is built. Use it to see what the
    consistent set looks like where it is too large to list.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary, or a table
        What the judges answered; a key is never read.
    n : int
        How many draws.
    seed : int or numpy.random.Generator
        Source of randomness.
    order : 1, 2 or "full"
        Each judge alone, every pair, or all judges together (the number of judges means "full").
    key_counts : (R,) ints, optional
        Draw at one answer key only.
    of : "tables" or "points"
        Whether all tables, or all R-space points, are equally likely. The two differ: most tables lie
        over few points.

    Raises
    ------
    DataError
        If the data, n, the order or the key breaks a rule.
    TooLargeError
        If counting would take too long; the message holds the estimate.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> drawn = sample_consistent(Summary.from_counts({"x": {"a": 4, "b": 6}}), 3, key_counts=(6, 4))
    >>> drawn.count, len(drawn.members)
    (5, 3)
    """
    data = read_data(data)
    n = check_whole("n", n, 0)
    rows = read_rows(data, order)
    key = rows.key(key_counts)
    check_choice("of", of, ("tables", "points"))
    count, draw = _SAMPLERS[of, rows.order](rows, key)
    rng = np.random.default_rng(seed)
    return Sample(
        status=Status.OK,
        message=f"{n} uniform draws from {count} {of} consistent with the votes.",
        members=tuple(draw(rng) for _ in one_by_one(range(n), "drawing evaluations")),
        count=count,
        of=of,
        key_counts=key,
        seed=seed if isinstance(seed, int) else None,
        **rows.exam.echo(rows.order),
    )


def _tables_1(rows: Rows, key: Key | None) -> tuple[int, Draw]:
    series = judge_series(rows, key)
    _keep(rows, rows.judges, key)
    keys = Weighted(
        (q, prod(one.get(q, 0) for one in series)) for q in series[0] if key in (None, q)
    )
    after = [suffixes(row, rows.labels, key) for row in rows.judges]

    def draw(rng: np.random.Generator) -> Tables:
        q = cast(Key, keys.draw(rng))
        pairs = zip(rows.judges, after, strict=True)
        return Tables(q, tuple(draw_table(rng, row, q, one) for row, one in pairs))

    return keys.total, draw


def _points_1(rows: Rows, key: Key | None) -> tuple[int, Draw]:
    keys = Weighted(points_by_key(rows, key))

    def draw(rng: np.random.Generator) -> Point:
        q = cast(Key, keys.draw(rng))
        given = (row[: rows.labels] for row in rows.exam.counts)
        return Point(q, tuple(draw_correct(rng, row, q) for row in given))

    return keys.total, draw


def _tables_full(rows: Rows, key: Key | None) -> tuple[int, Draw]:
    labels = rows.labels
    if key is None:
        return count_all(rows.counts, labels), lambda rng: _free_cells(rng, rows)
    refuse(steps(rows.counts, labels, key), "counting tables", "leave key_counts out")
    _keep(rows, [rows.counts], key)
    after = suffixes(rows.counts, labels, key)
    return after[0].get(key, 0), lambda rng: Cells(key, draw_table(rng, rows.counts, key, after))


def _keep(rows: Rows, tables: Sequence[Sequence[int]], key: Key | None) -> None:
    needed = sum(stored(table, rows.labels, key) for table in tables)
    refuse(needed, "keeping the counts to draw from", ADVICE, most=MOST_KEPT)


def _free_cells(rng: np.random.Generator, rows: Rows) -> Cells:
    """Draw at no particular key: every decision tuple is split on its own."""
    cells: Table = tuple(draw_split(rng, count, rows.labels) for count in rows.counts)
    return Cells(tuple(map(sum, zip(*cells, strict=True))), cells)


def _tables_2(rows: Rows, key: Key | None) -> tuple[int, Draw]:
    choices = Weighted(join(rows).choices(key))
    known: dict[Any, Any] = {}

    def tables(pair: tuple[int, int], left: Table, right: Table) -> list[Any]:
        name = pair, left, right
        if name not in known:
            known[name] = list(pair_tables(rows, pair, left, right))
        return cast(list[Any], known[name])

    def draw(rng: np.random.Generator) -> Tables:
        chosen = cast(tuple[Table, ...], choices.draw(rng))
        pairs = []
        for i, j in rows.pairs():
            options = tables((i, j), chosen[i], chosen[j])
            pairs.append((i, j, options[int(rng.integers(len(options)))]))
        return Tables(tuple(map(sum, zip(*chosen[0], strict=True))), chosen, tuple(pairs))

    return choices.total, draw


def _points(rows: Rows, key: Key | None) -> tuple[int, Draw]:
    found = points_of(rows, key)
    return len(found), lambda rng: Point(*found[int(rng.integers(len(found)))])


_SAMPLERS: dict[tuple[str, int | str], Callable[[Rows, Key | None], tuple[int, Draw]]] = {
    ("tables", 1): _tables_1,
    ("tables", 2): _tables_2,
    ("tables", "full"): _tables_full,
    ("points", 1): _points_1,
    ("points", 2): _points,
    ("points", "full"): _points,
}
