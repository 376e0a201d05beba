"""Members of the consistent set: tested, listed, drawn."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate, pairwise, product
from math import comb, prod
from typing import Any, ClassVar, Generic, TypeVar, cast

import numpy as np

from algeval.data import KeyedSketch
from algeval.data.names import check_choice, check_whole
from algeval.data.reading import Data, Source
from algeval.door import reads
from algeval.door import table as read_table
from algeval.errors import DataError, TooLargeError, option
from algeval.logic.consistent.count import (
    Cells,
    Key,
    PairTable,
    Rows,
    Series,
    Table,
    Tables,
    advice,
    correct_counts,
    count_all,
    count_consistent,
    count_in_box,
    count_keys,
    join,
    judge_series,
    pair_tables,
    point_of,
    points_1,
    points_by_key,
    points_of,
    reachable,
    read_rows,
    refuse,
    steps,
    stored,
    suffixes,
    tables_at,
)
from algeval.logic.orders.order1 import compositions
from algeval.logic.policy import (
    MOST_CODES,
    MOST_KEPT,
    MOST_LATTICE_KEYS,
    MOST_PROGRAMS,
    MOST_ROWS_OF_POINTS,
)
from algeval.logic.proof import Program, Row, propose_integers, satisfied
from algeval.logic.results import LogicResult, Point
from algeval.progress import steps as one_by_one
from algeval.result import Status
from algeval.result.numbers import how_many
from algeval.result.tables import Table as Grid
from algeval.result.tables import Table as Table_of_tables
from algeval.result.tables import scalars

# --- Exactly uniform draws: whole numbers of any size, tables, and correct counts.


def below(rng: np.random.Generator, bound: int) -> int:
    """Draw a whole number from 0 to bound - 1, however large: bits, and again if too large."""
    bits = bound.bit_length()
    excess = -bits % 8
    while True:
        value = int.from_bytes(rng.bytes((bits + 7) // 8), "little") >> excess
        if value < bound:
            return value


class Weighted:
    """Values to draw with whole-number weights."""

    def __init__(self, pairs: Iterable[tuple[object, int]]) -> None:
        listed = [(value, weight) for value, weight in pairs if weight]
        self.values = [value for value, _ in listed]
        self.ends = list(accumulate(weight for _, weight in listed))

    @property
    def total(self) -> int:
        """Sum of the weights."""
        return self.ends[-1] if self.ends else 0

    def draw(self, rng: np.random.Generator) -> object:
        """Return one value."""
        return self.values[bisect_right(self.ends, below(rng, self.total))]


def draw_split(rng: np.random.Generator, count: int, labels: int) -> Key:
    """Draw one of the ways to write `count` as an ordered sum of `labels` whole numbers."""
    total = count + labels - 1
    chosen: set[int] = set()
    while len(chosen) < labels - 1:  # a uniform set of bars among the stars
        chosen.add(below(rng, total))
    ends = [-1, *sorted(chosen), total]
    return tuple(b - a - 1 for a, b in pairwise(ends))


def draw_table(
    rng: np.random.Generator, rows: Sequence[int], key: Key, after: Sequence[Series]
) -> Table:
    """Draw one of the tables with these row and column sums, row by row.

    after : for every k the numbers of tables of rows k, k+1, ... by column sums (`suffixes`).
    """
    table: list[Key] = []
    left = key
    zero = (0,) * len(key)
    for k, count in enumerate(rows):
        index = below(rng, after[k][left])
        for split in compositions(zero, tuple(min(count, q) for q in left), count):
            rest = tuple(q - s for q, s in zip(left, split, strict=True))
            index -= after[k + 1].get(rest, 0)
            if index < 0:
                break
        table.append(split)
        left = rest
    return tuple(table)


def draw_correct(rng: np.random.Generator, values: Key, key: Key) -> Key:
    """Draw one of the attained correct counts of a judge, halving one label's range after another."""
    low = [0] * len(key)
    high = [min(r, q) for r, q in zip(values, key, strict=True)]
    index = below(rng, count_in_box(values, key, low, high))
    for t in range(len(key)):
        while low[t] < high[t]:
            middle = (low[t] + high[t]) // 2
            half = count_in_box(values, key, low, [*high[:t], middle, *high[t + 1 :]])
            if index < half:
                high[t] = middle
            else:
                index -= half
                low[t] = middle + 1
    return tuple(low)


# --- The consistent tables and points by integer programs, solved again and again: a second engine.
#
# The program knows the axioms (observation, simplex, marginalisation) and bounds, nothing else. The cells
# that determine all others are written in binary digits; tables found are cut off by asking that at least
# one digit differ, points by asking for a smaller one. The solver's point is rounded and checked exactly
# before it counts.


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
        """Point of the program and the cuts, rounded and checked exactly, or None."""
        program = Program([*self.rows, *cuts], self.lower, self.upper)
        weights = None if objective is None else {c: float(w) for c, w in objective.items()}
        values = propose_integers(program, objective=weights).values
        return None if values is None or not satisfied(program, values) else values

    def digits(self) -> list[int]:
        """Write the free columns in binary; return the columns of the digits."""
        results = []
        for free in self.free:
            terms: dict[Name, int] = {
                ("digit", free, k): 2**k for k in range(self.upper[free].bit_length())
            }
            results += [self.column(name, 0, 1) for name in terms]
            columns = {self.places[name]: value for name, value in terms.items()}
            self.rows.append(Row(("digits",), columns | {free: -1}, True, 0))
        return results


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
    """How many numbers the code of a point ranges over, where the key is open."""
    keys = (rows.exam.n_items + 1) ** (rows.labels - 1)
    return int(keys * prod(_correct_sizes(rows, (rows.exam.n_items,) * rows.labels)))


def most_programs(rows: Rows, key: Key) -> int:
    """How many programs the points at one key may take: each judge is listed on its own."""
    return sum(_correct_sizes(rows, key))


def _correct_sizes(rows: Rows, most: Key) -> list[int]:
    """How many correct counts each judge may have, each label on its own."""
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
            listed.append([result(correct[i]) for result in _descending(builder, correct[i])])
        yield from (Point(key, each) for each in product(*listed))
        return
    builder = _Builder(rows, None)
    builder.judges(free=False)
    for result in _descending(builder, keys[:-1] + [name for row in correct for name in row]):
        yield Point(result(keys), tuple(map(result, correct)))


def _descending(builder: _Builder, names: list[Name]) -> Iterator[Callable[[list[Name]], Key]]:
    """Yield the solutions, each as what reads values by name, in descending order of some names.

    Their values are numbered in one whole number; each program asks for the largest below the last.
    """
    indices, code, weight = builder.places, {}, 1
    for index in [indices[name] for name in reversed(names)]:
        code[index] = weight
        weight *= builder.upper[index] + 1
    below: list[Row] = []
    while (values := builder.solve(below, code)) is not None:
        number = sum(size * values[index] for index, size in code.items())
        below = [Row(("below",), {index: -size for index, size in code.items()}, False, 1 - number)]
        yield partial(_of, indices, values)


def _of(indices: Mapping[Name, int], values: Sequence[int], names: list[Name]) -> Key:
    return tuple(values[indices[name]] for name in names)


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


# --- A consistent set listed lazily: what `evaluations` and `members` return.


Item = TypeVar("Item")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Listing(LogicResult, Generic[Item]):
    """Members counted at once and listed on demand; true when there is one."""

    count: int  # how many there are, as large as it gets
    key_counts: tuple[int, ...] | None  # the answer key asked for; None means all of the Q-complex
    engine: str  # how they are found
    lister: Callable[[], Iterator[Item]] = field(repr=False)

    @property
    def meaning(self) -> str:
        """What the set does not mean."""
        return "Consistent is not probable: nothing here says that one of them is more likely."

    def as_tables(self) -> tuple[Table_of_tables, ...]:
        """Return one row: how many there are, of what; the members are there by iterating."""
        return (scalars(self),)

    def __iter__(self) -> Iterator[Item]:
        return self.lister()

    def __bool__(self) -> bool:
        return self.count > 0

    def __len__(self) -> int:
        """Return `count`, where Python's `len` can: OverflowError above `sys.maxsize`."""
        if self.count > sys.maxsize:
            raise OverflowError(
                f"len() must be at most {sys.maxsize}; got {self.count} members; read .count"
            )
        return self.count


# --- The evaluations consistent with the counts, and the counts of the paper.


Built = tuple[int, Callable[[], Iterator[Point]]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EvaluationSet(Listing[Point]):
    """The evaluations consistent with the counts, enumerated lazily.

    Iterating yields `Point` after `Point`, answer keys in descending lexicographic order.
    As long as `count`, up to Python's `sys.maxsize`; true when there is one.

    Attributes
    ----------
    count : int
        How many there are, known without enumerating them (engine "lattice").
    key_counts : tuple of int or None
        The answer-key counts asked for; None means all of the Q-complex.
    engine : "lattice" or "pulp"
        How they are found.
    """

    schema: ClassVar[str] = "algeval.evaluations/1"

    def as_tables(self) -> tuple[Table_of_tables, ...]:
        """How many there are, and a row for each if they are not more than 10,000.

        A row has the items of each label in the answer key, and how many of them each judge has right.
        """
        return (scalars(self), *([self._points()] if self.count <= MOST_ROWS_OF_POINTS else []))

    def one_table(self, title: str | None = None) -> Table_of_tables:
        """Evaluations, or the table of this title; see `to_frame`."""
        if title is not None:
            return LogicResult.one_table(self, title)
        if self.count > MOST_ROWS_OF_POINTS:
            raise DataError(
                f"a table must have at most {MOST_ROWS_OF_POINTS} evaluations; got {self.count}; list the "
                f"first ones by iterating, ask for one answer key with {option('key_counts')}, "
                "draw some with "
                "sample_consistent, or take the table 'In short'"
            )
        return self._points()

    def _points(self) -> Table_of_tables:
        points = list(self)
        key = {
            f"items of {label}": [p.key_counts[t] for p in points]
            for t, label in enumerate(self.labels)
        }
        correct = {
            f"{judge} right on {label}": [p.correct[i][t] for p in points]
            for i, judge in enumerate(self.judges)
            for t, label in enumerate(self.labels)
        }
        return Table_of_tables("Evaluations", key | correct)


@reads
def evaluations(
    data: Data,
    *,
    key_counts: Sequence[int] | None = None,
    order: int = 1,
    engine: str = "lattice",
    missing: str = "excluded",
    q: Sequence[int] | None = None,
) -> EvaluationSet:
    """Evaluations that could have produced the counts, enumerated lazily.

    A point is the answer-key counts and, per judge and label, how many items were answered
    correctly. Use it on small exams, to see the set that alarms and bounds speak of.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary, or a table
        What the judges answered; a key is never read.
    key_counts : (R,) ints, optional
        One point of the Q-complex: how many items have each label. All of them if left out.
    order : 1
        Only each judge's own counts are read.
    engine : "lattice" or "pulp"
        Closed-form enumeration, or an integer program solved once per point, at one key once per
        judge and point of that judge (small exams only).
    missing : "excluded" or "wrong"
        Echoed; an item left unanswered is one that was not answered correctly, under either rule.
    q : (R,) ints, optional
        The paper's name for `key_counts`.

    Returns
    -------
    EvaluationSet
        `count` without enumerating; iterate for the points, in descending lexicographic order.

    Raises
    ------
    DataError
        If the data, the key, the order or the engine breaks a rule.
    TooLargeError
        If counting would go through too many answer keys; pass key_counts.

    Notes
    -----
    No-Knowledge Alarms, section II. The printed counts 285 and 235 are 286 and 210.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> found = evaluations(Summary.from_counts({"x": {"a": 4, "b": 6}}))
    >>> found.count, next(iter(found)).key_counts
    (35, (10, 0))
    """
    if q is not None and key_counts is not None:
        raise DataError(
            f"q must be left out with key_counts; got {option('q', q)}; they mean the same"
        )
    check_choice("engine", engine, tuple(_ENGINES))
    rows = read_rows(data, order, missing)
    if rows.order != 1:
        raise DataError(f"order must be 1 for evaluations; got {order!r}; leave it out")
    key = rows.key(q if key_counts is None else key_counts)
    count, lister = _ENGINES[engine](rows, key)
    where = "" if key is None else " at this answer key"
    judges = how_many(rows.exam.n_judges, "judge")
    text = how_many(count, f"evaluation{where} is", f"evaluations{where} are")
    return EvaluationSet(
        status=Status.OK,
        message=f"{text} consistent with how {judges} answered.",
        count=count,
        key_counts=key,
        engine=engine,
        lister=lister,
        **rows.exam.echo(1),
    )


def _lattice(rows: Rows, key: Key | None) -> Built:
    return points_1(rows, key), partial(_points_of_evaluations, rows, key)


def _points_of_evaluations(rows: Rows, key: Key | None) -> Iterator[Point]:
    counts = [row[: rows.labels] for row in rows.exam.counts]
    for q in rows.keys(key):
        for correct in product(*(list(correct_counts(row, q)) for row in counts)):
            yield Point(q, correct)


def _pulp(rows: Rows, key: Key | None) -> Built:
    if key is None:
        size = size_of_code(rows)
        text = f"the integer program would number {size} possible points, more than {MOST_CODES}"
        if size > MOST_CODES:
            raise TooLargeError(
                f"{text}; use {option('engine', 'lattice')}, or "
                f"{option('key_counts')} for one answer key"
            )
    elif (programs := most_programs(rows, key)) > MOST_PROGRAMS:
        raise TooLargeError(
            f"up to {programs} integer programs would be solved, more than {MOST_PROGRAMS}; use "
            f"{option('engine', 'lattice')} or fewer items and judges"
        )
    values = tuple(points_by_program(rows, key))
    return len(values), partial(iter, values)


_ENGINES: dict[str, Callable[[Rows, Key | None], Built]] = {"lattice": _lattice, "pulp": _pulp}


def count_conceivable(n_items: int, n_labels: int) -> int:
    """Count the evaluations of one judge before anything is observed.

    These are the answer-key counts with at most as many correct answers of each label (No-Knowledge Alarms
    prints 285 for ten items and two labels beside the 286 of its own formula).

    Examples
    --------
    >>> count_conceivable(10, 2)
    286
    """
    return comb(n_items + 2 * n_labels - 1, 2 * n_labels - 1)


@reads
def count_after_inequalities(data: Data) -> int:
    """Count the evaluations with no more correct answers of a label than answers observed.

    Several judges are counted together. No-Knowledge Alarms prints 235 in one place and 210 in another for
    one judge with counts (4, 6).

    Raises
    ------
    TooLargeError
        If there are too many answer keys to go through.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> count_after_inequalities(Summary.from_counts({"x": {"a": 4, "b": 6}}))
    210
    """
    rows = read_rows(data, 1)
    n_keys = count_keys(rows.exam.n_items, rows.labels)
    refuse(n_keys, "counting key by key", "use fewer items", most=MOST_LATTICE_KEYS)
    return sum(
        prod(min(r, v) + 1 for row in rows.exam.counts for r, v in zip(row, key, strict=False))
        for key in rows.keys(None)
    )


# --- Uniform random members of the consistent set: every one exactly as likely as every other.


Drawn = Point | Tables | Cells
Draw = Callable[[np.random.Generator], Drawn]


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

    members: tuple[Drawn, ...]
    count: int
    of: str
    key_counts: tuple[int, ...] | None
    seed: int | None

    def as_tables(self) -> tuple[Grid, ...]:
        """Row per draw: its number, and how many items of each label its key has."""
        rows = [(k, *drawn.key_counts) for k, drawn in enumerate(self.members, start=1)]
        names = ("draw", *(f"items of {label}" for label in self.labels))
        return Grid.of_rows("Draws", names, rows), scalars(self)

    @property
    def meaning(self) -> str:
        """What the sample does not mean."""
        return "Uniform is a choice, not knowledge: shares of the sample are not probabilities of truth."


@reads
def sample_consistent(
    data: Data,
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
        (q, prod(entry.get(q, 0) for entry in series)) for q in series[0] if key in (None, q)
    )
    after = [suffixes(row, rows.labels, key) for row in rows.judges]

    def draw(rng: np.random.Generator) -> Tables:
        q = cast(Key, keys.draw(rng))
        pairs = zip(rows.judges, after, strict=True)
        return Tables(q, tuple(draw_table(rng, row, q, entry) for row, entry in pairs))

    return keys.total, draw


def _points_1(rows: Rows, key: Key | None) -> tuple[int, Draw]:
    keys = Weighted(points_by_key(rows, key))

    def draw(rng: np.random.Generator) -> Point:
        q = cast(Key, keys.draw(rng))
        counts = (row[: rows.labels] for row in rows.exam.counts)
        return Point(q, tuple(draw_correct(rng, row, q) for row in counts))

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
    refuse(needed, "keeping the counts to draw from", advice(), most=MOST_KEPT)


def _free_cells(rng: np.random.Generator, rows: Rows) -> Cells:
    """Draw at no particular key: every decision tuple is split on its own."""
    cells: Table = tuple(draw_split(rng, count, rows.labels) for count in rows.counts)
    return Cells(tuple(map(sum, zip(*cells, strict=True))), cells)


def _tables_2(rows: Rows, key: Key | None) -> tuple[int, Draw]:
    choices = Weighted(join(rows).choices(key))
    names: dict[Any, Any] = {}

    def tables(pair: tuple[int, int], left: Table, right: Table) -> list[Any]:
        name = pair, left, right
        if name not in names:
            names[name] = list(pair_tables(rows, pair, left, right))
        return cast(list[Any], names[name])

    def draw(rng: np.random.Generator) -> Tables:
        chosen = cast(tuple[Table, ...], choices.draw(rng))
        pairs = []
        for i, j in rows.pairs():
            options = tables((i, j), chosen[i], chosen[j])
            pairs.append((i, j, options[int(rng.integers(len(options)))]))
        return Tables(tuple(map(sum, zip(*chosen[0], strict=True))), chosen, tuple(pairs))

    return choices.total, draw


def _points(rows: Rows, key: Key | None) -> tuple[int, Draw]:
    result = points_of(rows, key)
    return len(result), lambda rng: Point(*result[int(rng.integers(len(result)))])


_SAMPLERS: dict[tuple[str, int | str], Callable[[Rows, Key | None], tuple[int, Draw]]] = {
    ("tables", 1): _tables_1,
    ("tables", 2): _tables_2,
    ("tables", "full"): _tables_full,
    ("points", 1): _points_1,
    ("points", 2): _points,
    ("points", "full"): _points,
}


# --- Whether one point, table or set of cells obeys the axioms, each breach in words.


Member = Point | Tables | Cells


def project(rows: Rows, member: Member) -> Member:
    """Check the shape, and leave out what speaks of a higher order than asked."""
    member = type(member)(*map(_plain, member))
    _shape("key_counts", member.key_counts, [rows.labels])
    answers, judges = len(rows.answers), rows.exam.n_judges
    if isinstance(member, Point):
        _shape("correct", member.correct, [judges, rows.labels])
        return member
    if isinstance(member, Cells):
        if rows.order != "full":
            raise DataError(
                f"order must be 'full' for cells; got {rows.order}; leave it out, or give tables"
            )
        _shape("cells", member.cells, [len(rows.patterns), rows.labels])
        return member
    tables = _completed(rows, member)
    _shape("tables", tables, [judges, answers, rows.labels])
    if rows.order == 1:
        return Tables(member.key_counts, tables)
    if member.pairs and [(i, j) for i, j, _ in member.pairs] != rows.pairs():
        raise DataError(f"pairs must be {rows.pairs()}; got others; give each pair once, in order")
    for _, _, table in member.pairs:
        _shape("pairs", table, [answers, answers, rows.labels])
    return Tables(member.key_counts, tables, member.pairs)


def _plain(value: Any) -> Any:
    """Lists and arrays as nested tuples of Python numbers."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    return tuple(map(_plain, value)) if isinstance(value, list | tuple) else value


def _completed(rows: Rows, member: Tables) -> tuple[Table, ...]:
    """Add the row of items left out where it is not given."""
    answers = len(rows.exam.answers)
    if len(rows.answers) == answers or any(len(table) != answers for table in member.tables):
        return member.tables
    return tuple(
        (
            *table,
            tuple(
                q - sum(c) for q, c in zip(member.key_counts, zip(*table, strict=True), strict=True)
            ),
        )
        for table in member.tables
    )


def _shape(name: str, value: object, wanted: Sequence[int]) -> None:
    if not _fits(value, wanted):
        raise DataError(
            f"{name} must be whole numbers of shape {tuple(wanted)}; got {value!r}; see the names of "
            "judges, answers and labels"
        )


def _fits(value: object, wanted: Sequence[int]) -> bool:
    if not wanted:
        return isinstance(value, int) and not isinstance(value, bool)
    if not isinstance(value, Sequence) or len(value) != wanted[0]:
        return False
    return all(_fits(part, wanted[1:]) for part in value)


def violations(rows: Rows, member: Member) -> list[str]:
    """Axioms and inequalities that a member breaks on its own."""
    return [*_size(rows, member.key_counts), *_own(rows, member)]


def _size(rows: Rows, key: Key) -> Iterator[str]:
    if sum(key) != rows.exam.n_items:
        yield f"size axiom: the answer-key counts sum to {sum(key)}, not {rows.exam.n_items}"
    for label, q in zip(rows.exam.labels, key, strict=True):
        if q < 0:
            yield f"counts are not negative: the answer key has {q} items of {label}"


def _own(rows: Rows, member: Member) -> Iterator[str]:
    if isinstance(member, Point):
        for i, correct in enumerate(member.correct):
            yield from _correct(rows, i, member.key_counts, correct)
    elif isinstance(member, Cells):
        names = [", ".join(rows.answers[a] for a in pattern) for pattern in rows.patterns]
        yield from _table(rows, names, rows.counts, member.cells, member.key_counts)
    else:
        for i, table in enumerate(member.tables):
            names = [f"{rows.exam.judges[i]} = {answer}" for answer in rows.answers]
            yield from _table(rows, names, rows.judges[i], table, member.key_counts)
        yield from _pairs(rows, member)


def _correct(rows: Rows, i: int, key: Key, correct: Key) -> Iterator[str]:
    """Say what is wrong with the correct counts of one judge (see `lattice`)."""
    judge, total, right = rows.exam.judges[i], rows.exam.n_items, sum(correct)
    values = rows.judges[i]
    for label, r, q, d in zip(rows.exam.labels, values, key, correct, strict=False):
        if d < 0:
            yield f"counts are not negative: {judge} is right {d} times on {label}"
        elif d > r:
            yield f"{judge} is right {d} times on {label} but answered it only {r} times"
        elif d > q:
            yield f"{judge} is right {d} times on {label} but only {q} items are {label}"
        elif right - d > d - q + total - r:
            yield (
                f"single-judge axiom of {judge} on {label}: {d} - {q} + {total - r} = "
                f"{d - q + total - r} answers other than {label} are on other items, "
                f"but {right - d} are right there"
            )


def _table(
    rows: Rows, names: Sequence[str], seen: Sequence[int], table: Table, key: Key
) -> Iterator[str]:
    for name, count, row in zip(names, seen, table, strict=True):
        yield from _observed(name, count, row)
    for t, (label, q) in enumerate(zip(rows.exam.labels, key, strict=True)):
        result = sum(row[t] for row in table)
        if result != q:
            what = names[0].split(" = ")[0] if " = " in names[0] else "decision tuples"
            yield f"simplex axiom: the answers of {what} on items of {label} sum to {result}, not {q}"


def _observed(name: str, count: int, cell: Key) -> Iterator[str]:
    if min(cell) < 0:
        yield f"counts are not negative: {name} has {list(cell)}"
    if sum(cell) != count:
        yield (
            f"observation axiom: {name} was seen {count} times, but by true label {list(cell)} sum to "
            f"{sum(cell)}"
        )


def _pairs(rows: Rows, member: Tables) -> Iterator[str]:
    answers = range(len(rows.answers))
    for i, j, table in member.pairs:
        pair = rows.exam.judges[i], rows.exam.judges[j]
        seen = rows.pair_counts(i, j)
        for a, b in product(answers, answers):
            name = f"{pair[0]}, {pair[1]} = {rows.answers[a]}, {rows.answers[b]}"
            yield from _observed(name, seen.get((a, b), 0), table[a][b])
        for a, t in product(answers, range(rows.labels)):
            left = sum(table[a][b][t] for b in answers)
            right = sum(table[b][a][t] for b in answers)
            yield from _margin(rows, pair, (i, a, t), left, member)
            yield from _margin(rows, pair, (j, a, t), right, member)


def _margin(
    rows: Rows, pair: tuple[str, str], index: tuple[int, int, int], result: int, member: Tables
) -> Iterator[str]:
    i, a, t = index
    wanted = member.tables[i][a][t]
    if result != wanted:
        yield (
            f"marginalisation axiom: the pair {pair[0]}, {pair[1]} has {result} items of "
            f"{rows.exam.labels[t]} that {rows.exam.judges[i]} answered {rows.answers[a]}, its own table "
            f"{wanted}"
        )


def extend(rows: Rows, member: Member) -> list[str]:
    """Whether nothing of the order asked lies above a member of a lower order."""
    if rows.order == 1 or isinstance(member, Cells):
        return []
    if rows.order == "full":
        return _extend_full(rows, member)
    if isinstance(member, Point):
        key = member.key_counts
        pairs = (key, member.correct) in set(points_of(rows, key))
        return [] if pairs else ["no tables of the pairs, with any answer key, give this point"]
    if member.pairs:
        return []
    margins = join(rows).margins
    return [
        f"no table of the pair {rows.exam.judges[i]}, {rows.exam.judges[j]} has these two margins"
        for i, j in rows.pairs()
        if member.tables[j] not in margins[i, j].get(member.tables[i], {})
    ]


def _extend_full(rows: Rows, member: Point | Tables) -> list[str]:
    if isinstance(member, Point):
        target = (*member.key_counts, *(d for row in member.correct for d in row))
        result = target in reachable(rows, point_of, target)
    elif member.pairs:
        target = tuple(
            n for _, _, table in member.pairs for row in table for cell in row for n in cell
        )
        result = target in reachable(rows, _pairs_of, target)
    else:
        target = tuple(n for table in member.tables for row in table for n in row)
        result = target in reachable(rows, _tables_of, target)
    return [] if result else ["no answer key laid on the decision tuples gives this"]


def _tables_of(rows: Rows, pattern: Key, split: Key) -> Key:
    zero = (0,) * rows.labels
    answers = range(len(rows.answers))
    return tuple(n for values in pattern for a in answers for n in (split if a == values else zero))


def _pairs_of(rows: Rows, pattern: Key, split: Key) -> Key:
    zero = (0,) * rows.labels
    cells = list(product(range(len(rows.answers)), repeat=2))
    return tuple(
        n
        for i, j in rows.pairs()
        for cell in cells
        for n in (split if cell == (pattern[i], pattern[j]) else zero)
    )


# --- The members of the consistent set: list them, and say of one why it is in or out.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MemberSet(Listing[Tables | Cells]):
    """The tables consistent with the votes, enumerated lazily.

    Iterating yields `Tables` (orders 1 and 2) or `Cells` (full order), lexicographically descending:
    answer-key counts first, then the judges' tables, then the pairs'.
    As long as `count`, up to Python's `sys.maxsize`; true when there is one.

    Attributes
    ----------
    count : int
        How many there are.
    key_counts : tuple of int or None
        The answer key asked for; None means all of the Q-complex.
    engine : "lattice" or "pulp"
        How they are found.
    """

    schema: ClassVar[str] = "algeval.members/1"


@reads
def members(
    data: Data,
    *,
    order: int | str = 1,
    key_counts: Sequence[int] | None = None,
    engine: str = "lattice",
    missing: str = "excluded",
) -> MemberSet:
    """List every table that could lie behind the votes, lazily and in a stable order.

    `evaluations` lists R-space points; this lists the whole tables that the points are a shadow of.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary, or a table
        What the judges answered; a key is never read.
    order : 1, 2 or "full"
        Each judge alone, every pair, or all judges together (the number of judges means "full").
    key_counts : (R,) ints, optional
        One answer key; all of them if left out.
    engine : "lattice" or "pulp"
        Row by row, or an integer program solved once per member, each cut off in turn (small exams).
    missing : "excluded" or "wrong"
        Echoed; it does not change which tables there are.

    Raises
    ------
    DataError
        If the data, the order, the key or the engine breaks a rule.
    TooLargeError
        If counting, or joining pairs, or solving programs would take too long.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> found = members(Summary.from_counts({"x": {"a": 4, "b": 6}}), key_counts=(6, 4))
    >>> found.count, next(iter(found)).tables
    (5, (((4, 0), (2, 4)),))
    """
    rows = read_rows(data, order, missing)
    key = rows.key(key_counts)
    check_choice("engine", engine, tuple(_ENGINES_OF_MEMBERS))
    count = count_consistent.core(data, order=order, key_counts=key_counts, missing=missing)
    if engine == "pulp" and count > MOST_PROGRAMS:
        raise TooLargeError(
            f"{count} integer programs would be solved, more than {MOST_PROGRAMS}; use "
            f"{option('engine', 'lattice')}, or {option('key_counts')} for one answer key"
        )
    return MemberSet(
        status=Status.OK,
        message=f"{how_many(count, 'table is', 'tables are')} consistent with how "
        f"{how_many(rows.exam.n_judges, 'judge')} answered.",
        count=count,
        key_counts=key,
        engine=engine,
        lister=partial(_ENGINES_OF_MEMBERS[engine], rows, key),
        **rows.exam.echo(rows.order),
    )


def _by_program(rows: Rows, key: Key | None) -> Iterator[Tables | Cells]:
    return iter(sorted(members_by_program(rows, key), reverse=True))


def _lattice_of_members(rows: Rows, key: Key | None) -> Iterator[Tables | Cells]:
    if rows.order == 2:
        yield from _order_2(rows, key)
        return
    for q in rows.keys(key):
        if rows.order == "full":
            yield from (Cells(q, cells) for cells in tables_at(rows.counts, q))
        else:
            yield from (Tables(q, tables) for tables in _judges(rows.judges, q))


def _judges(judges: tuple[Key, ...], q: Key) -> Iterator[tuple[Table, ...]]:
    """Yield one table per judge; `product` would hold all tables of every judge in memory."""
    if not judges:
        yield ()
        return
    for first in tables_at(judges[0], q):
        for others in _judges(judges[1:], q):
            yield (first, *others)


def _order_2(rows: Rows, key: Key | None) -> Iterator[Tables]:
    for chosen, _ in join(rows).choices(key):
        q = tuple(map(sum, zip(*chosen[0], strict=True)))
        options: list[list[tuple[int, int, PairTable]]] = [
            [(i, j, table) for table in pair_tables(rows, (i, j), chosen[i], chosen[j])]
            for i, j in rows.pairs()
        ]
        for pairs in product(*options):
            yield Tables(q, chosen, pairs)


_ENGINES_OF_MEMBERS: dict[str, Callable[[Rows, Key | None], Iterator[Tables | Cells]]] = {
    "lattice": _lattice_of_members,
    "pulp": _by_program,
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Membership(LogicResult):
    """Whether one evaluation could lie behind the votes, and if not, why.

    Attributes
    ----------
    ok : bool
        Whether it could.
    violated : tuple of str
        Each axiom or inequality it breaks, in words and with the numbers.
    """

    schema: ClassVar[str] = "algeval.membership/1"

    ok: bool
    violated: tuple[str, ...]

    def __bool__(self) -> bool:
        return self.ok

    @property
    def meaning(self) -> str:
        """What the verdict does not mean."""
        return "Consistent is not probable, and says nothing about which answer key is true."

    def as_tables(self) -> tuple[Grid, ...]:
        """Verdict in one row, and what is violated."""
        return scalars(self), Grid("Violated", {"violated": self.violated})

    def summary(self) -> str:
        """Verdict and everything that is broken."""
        return "\n".join([LogicResult.summary(self), *(f"- {text}" for text in self.violated)])


def is_consistent(
    member: Member | KeyedSketch,
    data: Source,
    *,
    order: int | str | None = None,
    missing: str = "excluded",
) -> Membership:
    """Whether a point or table could lie behind the votes, and which axiom it breaks if not.

    Parameters
    ----------
    member : Point, Tables, Cells or KeyedSketch
        A point (answer-key counts and correct counts), the tables of orders 1 and 2, or the cells of
        full order; a keyed sketch must be of these votes.
    data : Votes, Sketch, KeyedSketch, Summary, or a table
        What the judges answered; a key is never read.
    order : 1, 2 or "full", optional
        The member's own if left out. At a higher order: whether something of that order lies above it.
        At a lower one: whether what it says at that order is consistent.
    missing : "excluded" or "wrong"
        Echoed; it does not change the verdict.

    Raises
    ------
    DataError
        If the member does not have the shape of the data.
    TooLargeError
        If finding something of a higher order above it would take too long.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> seen = Summary.from_counts({"x": {"a": 4, "b": 6}})
    >>> is_consistent(Point((7, 3), ((2, 1),)), seen).ok
    True
    >>> print(is_consistent(Point((7, 3), ((5, 1),)), seen).violated[0])
    x is right 5 times on a but answered it only 4 times
    """
    data = read_table(data)
    values: Member = _cells(member, data) if isinstance(member, KeyedSketch) else member
    if not isinstance(values, Point | Tables | Cells):
        raise DataError(
            f"member must be a Point, Tables, Cells or KeyedSketch; got {type(member).__name__}; "
            "build one of them"
        )
    rows = read_rows(data, _own_order(values) if order is None else order, missing)
    same = project(rows, values)
    broken = violations(rows, same) or extend(rows, same)
    return Membership(
        status=Status.OK,
        message=_verdict(broken, rows),
        ok=not broken,
        violated=tuple(broken),
        **rows.exam.echo(rows.order),
    )


def _own_order(member: Member) -> int | str:
    if isinstance(member, Cells):
        return "full"
    return 2 if isinstance(member, Tables) and member.pairs else 1


def _cells(member: KeyedSketch, data: Data) -> Cells:
    rows = read_rows(data, "full")
    other = read_rows(member, "full")
    if (rows.patterns, rows.counts) != (other.patterns, other.counts):
        raise DataError("member must be an exam with these votes; got other votes; use its sketch")
    cells = tuple(map(tuple, member.keyed.tolist()))
    return Cells(tuple(member.keyed.sum(0).tolist()), cells)


def _verdict(broken: Sequence[str], rows: Rows) -> str:
    if not broken:
        return f"It is consistent with the votes at order {rows.order}."
    return f"It is not consistent with the votes at order {rows.order}: {broken[0]}."
