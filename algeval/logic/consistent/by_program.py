"""The consistent tables and points by integer programs, solved again and again: a second engine.

The program knows the axioms (observation, simplex, marginalisation) and bounds, nothing else. The cells
that determine all others are written in binary digits; tables found are cut off by asking that at least
one digit differ, points by asking for a smaller one. The solver's point is rounded and checked exactly
before it counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from math import prod

from algeval.logic.consistent.cells import Cells, Rows, Tables
from algeval.logic.consistent.tables import Key, Table
from algeval.logic.proof.program import Program, Row, satisfied
from algeval.logic.proof.solver import propose_integers
from algeval.logic.results import Point

__all__ = ["members_by_program", "most_programs", "points_by_program", "size_of_code"]


Name = tuple[object, ...]


class _Builder:
    def __init__(self, rows: Rows, key: Key | None) -> None:
        self.source = rows
        self.labels = range(rows.labels)
        self.places: dict[Name, int] = {}
        self.lower: list[int] = []
        self.upper: list[int] = []
        self.rows: list[Row] = []
        self.free: list[int] = []
        items = rows.exam.n_items
        self.most = (items,) * rows.labels if key is None else key
        for t in self.labels:
            self.column(("key", t), 0 if key is None else key[t], self.most[t])
        self.add({("key", t): 1 for t in self.labels}, items)

    def column(self, name: Name, low: int, high: int) -> int:
        self.places[name] = len(self.lower)
        self.lower.append(low)
        self.upper.append(high)
        return self.places[name]

    def add(self, terms: dict[Name, int], bound: int) -> None:
        columns = {self.places[name]: value for name, value in terms.items()}
        self.rows.append(Row(("axiom",), columns, True, bound))

    def observed(self, name: Name, count: int, *, free: bool) -> None:
        """Add the cells of one observed count, one per true label; all but the last may be free."""
        for t in self.labels:
            column = self.column((*name, t), 0, min(count, self.most[t]))
            if free and self.upper[column] and t < len(self.labels) - 1:
                self.free.append(column)
        self.add({(*name, t): 1 for t in self.labels}, count)

    def simplex(self, names: list[Name]) -> None:
        for t in self.labels:
            self.add({(*name, t): 1 for name in names} | {("key", t): -1}, 0)

    def judges(self, *, free: bool, only: int | None = None) -> None:
        for i, row in enumerate(self.source.judges):
            if only not in (None, i):
                continue
            for a, count in enumerate(row):
                self.observed(("judge", i, a), count, free=free)
            self.simplex([("judge", i, a) for a in range(len(row))])

    def pairs(self) -> None:
        answers = range(len(self.source.answers))
        for i, j in self.source.pairs():
            seen = self.source.pair_counts(i, j)
            for a, b in product(answers, answers):
                self.observed(("pair", i, j, a, b), seen.get((a, b), 0), free=True)
            for a, t in product(answers, self.labels):
                left: dict[Name, int] = {("pair", i, j, a, b, t): 1 for b in answers}
                self.add(left | {("judge", i, a, t): -1}, 0)
                right: dict[Name, int] = {("pair", i, j, b, a, t): 1 for b in answers}
                self.add(right | {("judge", j, a, t): -1}, 0)

    def cells(self) -> None:
        for u, count in enumerate(self.source.counts):
            self.observed(("cell", u), count, free=True)
        self.simplex([("cell", u) for u in range(len(self.source.counts))])

    def solve(self, cuts: list[Row], objective: dict[int, int] | None = None) -> list[int] | None:
        """Return a point of the program and the cuts, rounded and checked exactly, or None."""
        program = Program([*self.rows, *cuts], self.lower, self.upper)
        weights = None if objective is None else {c: float(w) for c, w in objective.items()}
        values = propose_integers(program, objective=weights).values
        return None if values is None or not satisfied(program, values) else values

    def digits(self) -> list[int]:
        """Write the free columns in binary; return the columns of the digits."""
        found = []
        for free in self.free:
            terms: dict[Name, int] = {
                ("digit", free, k): 2**k for k in range(self.upper[free].bit_length())
            }
            found += [self.column(name, 0, 1) for name in terms]
            columns = {self.places[name]: value for name, value in terms.items()}
            self.rows.append(Row(("digits",), columns | {free: -1}, True, 0))
        return found


def members_by_program(rows: Rows, key: Key | None) -> Iterator[Tables | Cells]:
    """Yield every consistent member in the order in which the solver finds them."""
    builder = _Builder(rows, key)
    if rows.order == "full":
        builder.cells()
    else:
        builder.judges(free=rows.order == 1)
    if rows.order == 2:
        builder.pairs()
    digits = builder.digits()

    def cut(values: list[int]) -> Row:
        ones = sum(values[d] for d in digits)
        return Row(("cut",), {d: 1 - 2 * values[d] for d in digits}, False, 1 - ones)

    cuts: list[Row] = []
    while (values := builder.solve(cuts)) is not None:
        yield _read(rows, builder, values)
        cuts.append(cut(values))


def size_of_code(rows: Rows) -> int:
    """Return how many numbers the code of a point ranges over, where the key is open."""
    keys = (rows.exam.n_items + 1) ** (rows.labels - 1)
    return int(keys * prod(_correct_sizes(rows, (rows.exam.n_items,) * rows.labels)))


def most_programs(rows: Rows, key: Key) -> int:
    """Return how many programs the points at one key may take: each judge is listed on its own."""
    return sum(_correct_sizes(rows, key))


def _correct_sizes(rows: Rows, most: Key) -> list[int]:
    """Return how many correct counts each judge may have, each label on its own."""
    return [prod(min(r, q) + 1 for r, q in zip(row, most, strict=False)) for row in rows.judges]


def points_by_program(rows: Rows, key: Key | None) -> Iterator[Point]:
    """Yield every consistent point of order 1, lexicographically descending.

    At one key the judges have nothing to do with each other: each is listed alone.
    """
    labels, judges = range(rows.labels), range(rows.exam.n_judges)
    keys: list[Name] = [("key", t) for t in labels]
    correct: list[list[Name]] = [[("judge", i, t, t) for t in labels] for i in judges]
    if key is not None:
        listed = []
        for i in judges:
            builder = _Builder(rows, key)
            builder.judges(free=False, only=i)
            listed.append([found(correct[i]) for found in _descending(builder, correct[i])])
        yield from (Point(key, each) for each in product(*listed))
        return
    builder = _Builder(rows, None)
    builder.judges(free=False)
    for found in _descending(builder, keys[:-1] + [name for row in correct for name in row]):
        yield Point(found(keys), tuple(map(found, correct)))


def _descending(builder: _Builder, names: list[Name]) -> Iterator[Callable[[list[Name]], Key]]:
    """Yield the solutions, each as what reads values by name, in descending order of some names.

    Their values are numbered in one whole number; each program asks for the largest below the last.
    """
    places, code, weight = builder.places, {}, 1
    for place in [places[name] for name in reversed(names)]:
        code[place] = weight
        weight *= builder.upper[place] + 1
    below: list[Row] = []
    while (values := builder.solve(below, code)) is not None:
        number = sum(size * values[place] for place, size in code.items())
        below = [Row(("below",), {place: -size for place, size in code.items()}, False, 1 - number)]
        yield partial(_of, places, values)


def _of(places: Mapping[Name, int], values: Sequence[int], names: list[Name]) -> Key:
    return tuple(values[places[name]] for name in names)


def _read(rows: Rows, builder: _Builder, values: list[int]) -> Tables | Cells:
    def cells(*name: object) -> Key:
        return _of(builder.places, values, [(*name, t) for t in range(rows.labels)])

    key = cells("key")
    if rows.order == "full":
        return Cells(key, tuple(cells("cell", u) for u in range(len(rows.counts))))
    answers = range(len(rows.answers))
    tables: tuple[Table, ...] = tuple(
        tuple(cells("judge", i, a) for a in answers) for i in range(rows.exam.n_judges)
    )
    if rows.order == 1:
        return Tables(key, tables)
    pairs = tuple(
        (i, j, tuple(tuple(cells("pair", i, j, a, b) for b in answers) for a in answers))
        for i, j in rows.pairs()
    )
    return Tables(key, tables, pairs)
