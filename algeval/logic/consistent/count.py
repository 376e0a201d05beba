"""How many evaluations are consistent with the counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations, product
from math import comb, prod
from operator import mul
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.data import KeyedSketch, Sketch
from algeval.data.names import check_choice, positions
from algeval.data.reading import Data, as_sketch
from algeval.door import reads
from algeval.errors import DataError, TooLargeError, option
from algeval.logic.exam import Exam, check_key_counts, read_exam, resolve_order
from algeval.logic.orders.order1 import compositions, count_between
from algeval.logic.policy import MOST_JOINED, MOST_LATTICE_KEYS, MOST_POINTS, MOST_STEPS
from algeval.logic.results import LogicResult
from algeval.progress import steps as one_by_one
from algeval.result import Status
from algeval.result.numbers import how_many
from algeval.result.tables import Table as Table_of_tables

# --- Count and list the evaluations of order 1 that are consistent with the counts.
#
# At answer-key counts q the correct counts d of one judge are attained exactly when
# 0 <= d[t] <= c[t] = min(R[t], q[t]) and (R[t] - d[t]) + (q[t] - d[t]) <= Q - sum(d) for every t: a
# table with these margins and an empty diagonal needs only that no row and its own column exceed the
# rest. Two labels can never both break this, so the points that break it are counted label by label.
# The equality that is often written for two labels is wrong where a judge may abstain.


def count_keys(n_items: int, n_labels: int) -> int:
    """Count the points of the Q-complex: how many answer-key counts there are.

    Examples
    --------
    >>> count_keys(25, 3)
    351
    """
    return comb(n_items + n_labels - 1, n_labels - 1)


def attained(counts: Sequence[int], key: Sequence[int], correct: Sequence[int]) -> bool:
    """Whether a judge with these answer counts can have these correct counts.

    given, key, correct : (R,) ints; answers that are not labels are whatever `given` leaves over.
    """
    rest = sum(key) - sum(correct)
    return all(
        0 <= d <= min(r, q) and r + q - 2 * d <= rest
        for r, q, d in zip(counts, key, correct, strict=True)
    )


def correct_counts(counts: Sequence[int], key: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the attained correct counts of one judge, lexicographically descending."""
    ranges = [range(min(r, q), -1, -1) for r, q in zip(counts, key, strict=True)]
    return (d for d in product(*ranges) if attained(counts, key, d))


def count_correct(counts: Sequence[int], key: Sequence[int]) -> int:
    """Count the attained correct counts of one judge without listing them."""
    caps = [min(r, q) for r, q in zip(counts, key, strict=True)]
    return count_in_box(counts, key, (0,) * len(caps), caps)


def count_in_box(
    counts: Sequence[int], key: Sequence[int], low: Sequence[int], high: Sequence[int]
) -> int:
    """Count the attained correct counts d of one judge with low <= d <= high.

    A d is not attained exactly when for one label t, and then for no other, the sum of the other d
    minus d[t] exceeds Q - R[t] - q[t]. With e[t] = d[t] - low[t] and e[s] = high[s] - d[s] elsewhere
    this reads sum(e) <= room.
    """
    widths = [top - bottom for bottom, top in zip(low, high, strict=True)]
    if min(widths) < 0:
        return 0
    total = prod(width + 1 for width in widths)
    for t in range(len(key)):
        room = sum(high) - high[t] - low[t] - (sum(key) - counts[t] - key[t]) - 1
        if room >= 0:
            total -= count_between((0,) * (len(key) + 1), (*widths, room), room)
    return total


def count_points(counts: Sequence[Sequence[int]], key: Sequence[int]) -> int:
    """Count the consistent evaluations of several judges at one answer key: they are free of each other.

    counts : (N, >= R) ints.
    """
    labels = len(key)
    return prod(count_correct(counts_of[:labels], key) for counts_of in counts)


# --- Tables of whole numbers with given row and column sums: count, list and draw them exactly.
#
# A judge at order 1 is such a table (rows: answers, columns: true labels, row sums: how often each
# answer was given, column sums: the answer-key counts), and so is a whole exam at full order (rows:
# decision tuples). The number of tables with row sums n is the coefficient of x^q in the product over
# the rows of h_n(x), the sum of all monomials of degree n; that product is built row by row.


Key = tuple[int, ...]
Table = tuple[Key, ...]
Series = dict[Key, int]


def refuse(needed: int, what: str, advice: str, *, most: int = MOST_STEPS) -> None:
    """Raise `TooLargeError` with the estimate if more is needed than is done."""
    if needed > most:
        raise TooLargeError(
            f"{what} would take about {needed:.3g} steps, more than {most}; {advice}"
        )


def steps(rows: Sequence[int], labels: int, high: Key | None = None) -> int:
    """Estimate the additions that `coefficients` needs."""
    total, done = 0, 0
    for n in sorted(rows):
        done += n
        states = comb(done + labels - 1, labels - 1)
        if high is not None:
            states = min(states, prod(h + 1 for h in high[1:]))
        total += states if labels <= 2 else states * comb(n + labels - 1, labels - 1)
    return total


def stored(rows: Sequence[int], labels: int, high: Key | None = None) -> int:
    """Estimate the numbers that `suffixes` keeps."""
    total, done = 0, 0
    for n in reversed(rows):
        done += n
        states = comb(done + labels - 1, labels - 1)
        total += states if high is None else min(states, prod(h + 1 for h in high[1:]))
    return total


def count_all(rows: Sequence[int], labels: int) -> int:
    """Count the tables with these row sums, whatever the column sums: a closed form."""
    return prod(comb(n + labels - 1, labels - 1) for n in rows)


def coefficients(rows: Sequence[int], labels: int, high: Key | None = None) -> Series:
    """Return {q: number of tables with row sums `rows` and column sums q}.

    With `high`, columns sums above it in any column are left out.
    """
    series: Series = {(0,) * labels: 1}
    for n in sorted(rows):
        series = _times(series, n, high)
    return series


def suffixes(rows: Sequence[int], labels: int, high: Key | None = None) -> list[Series]:
    """Coefficients of rows k, k+1, ... for every k, for drawing from the first row on."""
    result: list[Series] = [{(0,) * labels: 1}]
    for n in reversed(rows):
        result.append(_times(result[-1], n, high))
    return result[::-1]


def _times(series: Series, n: int, high: Key | None) -> Series:
    if n == 0:
        return series
    labels = len(next(iter(series)))
    if labels == 2:
        return _times_two(series, n, high)
    bound = (n,) * labels if high is None else tuple(min(n, h) for h in high)
    steps_ = list(compositions((0,) * labels, bound, n))
    result: Series = {}
    for old, options in series.items():
        for step in steps_:
            new = tuple(map(int.__add__, old, step))
            if high is None or all(a <= b for a, b in zip(new, high, strict=True)):
                result[new] = result.get(new, 0) + options
    return result


def _times_two(series: Series, n: int, high: Key | None) -> Series:
    """Two labels: a sliding window of n + 1 terms."""
    total = sum(next(iter(series)))
    sums = [0, *accumulate(series.get((k, total - k), 0) for k in range(total + 1))]
    size = total + n
    low, top = (0, size) if high is None else (max(0, size - high[1]), min(size, high[0]))
    windows = {
        (k, size - k): sums[min(k, total) + 1] - sums[max(0, k - n)] for k in range(low, top + 1)
    }
    return {key: options for key, options in windows.items() if options}


def count_at(rows: Sequence[int], key: Key) -> int:
    """Count the tables with these row sums and column sums."""
    return coefficients(rows, len(key), key).get(key, 0)


def tables_at(rows: Sequence[int], key: Key) -> Iterator[Table]:
    """Yield every table with these row and column sums, lexicographically descending.

    Every beginning can be completed, so nothing is tried in vain.
    """
    if not rows:
        if not any(key):
            yield ()
        return
    zero = (0,) * len(key)
    for first in compositions(zero, key, rows[0]):
        rest = tuple(k - f for k, f in zip(key, first, strict=True))
        for others in tables_at(rows[1:], rest):
            yield (first, *others)


# --- What is counted, listed and drawn: the rows of each order, and the members of the consistent
# set.


PairTable = tuple[Table, ...]
"""table[a][b][t]: items of true label t that one judge answered a and the other b."""


class Tables(NamedTuple):
    """An evaluation of order 1 or 2: per judge, how often each answer was given per true label.

    Attributes
    ----------
    key_counts : (R,) ints
        How many items have each label.
    tables : (N, A, R) nested tuples of ints
        ``tables[i][a][t]``: items of true label t that judge i answered with a; where any judge left
        items out, one more row holds those.
    pairs : tuple
        Order 2 only: for each pair i < j of judges (i, j, table) with ``table[a][b][t]``.
    """

    key_counts: tuple[int, ...]
    tables: tuple[Table, ...]
    pairs: tuple[tuple[int, int, PairTable], ...] = ()

    @property
    def correct(self) -> tuple[tuple[int, ...], ...]:
        """Per judge and label, how many items of the label it answered correctly."""
        labels = range(len(self.key_counts))
        return tuple(tuple(table[t][t] for t in labels) for table in self.tables)


class Cells(NamedTuple):
    """An evaluation of full order: how often each decision tuple was given per true label.

    Attributes
    ----------
    key_counts : (R,) ints
        How many items have each label.
    cells : (U, R) nested tuples of ints
        ``cells[u][t]``: items with decision tuple u and true label t, tuples as in the sketch.
    """

    key_counts: tuple[int, ...]
    cells: Table

    def keyed(self, sketch: Sketch) -> KeyedSketch:
        """Exam with this answer key."""
        return KeyedSketch(sketch, np.array(self.cells, np.int64).reshape(len(sketch), -1))


@dataclass(frozen=True, slots=True)
class Rows:
    """Row sums at one order."""

    exam: Exam
    order: int | str  # resolved: the number of judges is "full"
    # R[i,a]; the last entry counts items left out, where any judge left any
    judges: tuple[tuple[int, ...], ...]
    # decision tuples; an item left out is the last answer. Empty at order 1
    patterns: tuple[tuple[int, ...], ...]
    counts: tuple[int, ...]  # how often each was given

    @property
    def labels(self) -> int:
        """Number of labels, R."""
        return self.exam.n_labels

    @property
    def answers(self) -> tuple[str, ...]:
        """Names of the rows of a judge's table."""
        left = ("not answered",) if any(self.exam.missing) else ()
        return (*self.exam.answers, *left)

    def pairs(self) -> list[tuple[int, int]]:
        """Every pair of judges, i < j."""
        return list(combinations(range(self.exam.n_judges), 2))

    def pair_counts(self, i: int, j: int) -> dict[tuple[int, int], int]:
        """How often judges i and j gave each pair of answers."""
        result: dict[tuple[int, int], int] = {}
        for pattern, count in zip(self.patterns, self.counts, strict=True):
            ab = pattern[i], pattern[j]
            result[ab] = result.get(ab, 0) + count
        return dict(sorted(result.items()))

    def key(self, key_counts: Sequence[int] | None) -> Key | None:
        """Checked answer-key counts."""
        return None if key_counts is None else check_key_counts(self.exam, key_counts)

    def keys(self, key: Key | None) -> Iterator[Key]:
        """Yield the one answer key asked for, or every one, lexicographically descending."""
        if key is not None:
            return iter((key,))
        total = self.exam.n_items
        return compositions((0,) * self.labels, (total,) * self.labels, total)


def read_rows(data: Data, order: int | str | None, missing: str = "excluded") -> Rows:
    """Read the counts that one order speaks of; None asks for order 1."""
    exam = read_exam(data, missing)
    left = any(exam.missing)
    judges = tuple(
        (*row, gone) if left else row for row, gone in zip(exam.counts, exam.missing, strict=True)
    )
    chosen = resolve_order(data, 1 if order is None else order)
    if chosen == 1:
        return Rows(exam, 1, judges, (), ())
    if chosen not in (2, "full"):
        raise DataError(
            f"order must be 1, 2 or 'full' where evaluations are listed, counted or drawn; got {order!r}; "
            "ask alarm, threshold, panel, bounds or program about orders between"
        )
    sketch = as_sketch(data)
    last = len(exam.answers)
    patterns = tuple(
        tuple(last if code < 0 else code for code in row) for row in sketch.codes.tolist()
    )
    return Rows(exam, chosen, judges, patterns, tuple(sketch.counts.tolist()))


# --- R-space points of full order, by projection.


ADVICE_OF_POINTS = "ask about a lower order, or use fewer items or judges"


def project_cells(rows: Rows, key: Key | None) -> set[tuple[Key, tuple[Key, ...]]]:
    """Every (q, correct counts) that some answer key laid on the decision tuples gives."""
    labels, judges = rows.labels, rows.exam.n_judges
    done, needed, tables = 0, 0, 1
    for n in rows.counts:
        done += n
        tables *= comb(n + labels - 1, labels - 1)
        box = prod(min(c, done) + 1 for row in rows.exam.counts for c in row[:labels])
        needed += min(tables, comb(done + labels - 1, labels - 1) * box)
    refuse(
        needed,
        "projecting every table",
        f"pass {option('key_counts')} or {option('order', 1)}",
        most=MOST_POINTS,
    )
    return {
        (s[:labels], tuple(s[labels * (i + 1) : labels * (i + 2)] for i in range(judges)))
        for s in reachable(rows, point_of, key)
    }


def point_of(rows: Rows, pattern: Key, split: Key) -> Key:
    """Return what the items of one decision tuple, split by true label, add to a point."""
    labels = range(rows.labels)
    return (*split, *(split[t] if answer == t else 0 for answer in pattern for t in labels))


def reachable(
    rows: Rows, feature: Callable[[Rows, Key, Key], Key], bound: Key | None = None
) -> set[Key]:
    """Sums of features over all ways to split every decision tuple by true label.

    Sums that exceed `bound` (which may be shorter) in any entry are left out.
    """
    zero = (0,) * rows.labels
    states: set[Key] = {(0,) * len(feature(rows, rows.patterns[0], zero))}
    for pattern, n in zip(rows.patterns, rows.counts, strict=True):
        splits = compositions(zero, (n,) * rows.labels, n)
        moves = [feature(rows, pattern, split) for split in splits]
        refuse(
            len(states) * len(moves),
            "the next of many steps",
            ADVICE_OF_POINTS,
            most=10 * MOST_POINTS,
        )
        states = {
            state
            for old in states
            for move in moves
            if _within(state := tuple(map(int.__add__, old, move)), bound)
        }
    return states


def _within(state: Key, bound: Key | None) -> bool:
    return bound is None or all(a <= b for a, b in zip(state, bound, strict=False))


# --- Order 2: tables of judges that the tables of every pair of them agree with.
#
# Once every judge's own table is fixed, the pairs are free of one another. So for each pair all its
# tables are summed up by their two margins, and tables of the judges are joined one after the other.


Margins = dict[Table, dict[Table, int]]


def advice_of_pairs() -> str:
    """Return what to do where pairs are too many to be counted."""
    return f"use {option('order', 1)}, or fewer items or judges"


@dataclass(frozen=True, slots=True)
class Joined:
    """Every choice of one table per judge at order 2, and how many pair tables go with it."""

    rows: Rows
    margins: dict[tuple[int, int], Margins]

    def choices(self, key: Key | None = None) -> Iterator[tuple[tuple[Table, ...], int]]:
        """Yield (one table per judge, number of ways), keys and tables lexicographically descending."""
        refuse(
            self._most(), "joining the tables of the judges", advice_of_pairs(), most=MOST_JOINED
        )
        first = self.margins[0, 1]
        starts = sorted(first, key=lambda table: (_key(table), table), reverse=True)
        for key_of_start in dict.fromkeys(map(_key, starts)):
            if key in (None, key_of_start):
                for start in starts:
                    if _key(start) == key_of_start:
                        yield from self._extend((start,), 1)

    def _most(self) -> int:
        """Bound the choices tried: every pair with the first judge allows so many tables of the other."""
        others = range(1, self.rows.exam.n_judges)
        degrees = ([len(self.margins[0, k][table]) for k in others] for table in self.margins[0, 1])
        return sum(sum(accumulate(row, mul)) for row in degrees)

    def _extend(
        self, chosen: tuple[Table, ...], options: int
    ) -> Iterator[tuple[tuple[Table, ...], int]]:
        k = len(chosen)
        if k == self.rows.exam.n_judges:
            yield chosen, options
            return
        for table in sorted(self.margins[0, k][chosen[0]], reverse=True):
            more = options
            for j, other in enumerate(chosen):
                more *= self.margins[j, k][other].get(table, 0)
            if more:
                yield from self._extend((*chosen, table), more)


def _key(table: Table) -> Key:
    return tuple(map(sum, zip(*table, strict=True)))


def join(rows: Rows) -> Joined:
    """Sum up every pair's tables by their margins; refuse what would take too long."""
    needed = 0
    for i, j in rows.pairs():
        pair = count_all(list(rows.pair_counts(i, j).values()), rows.labels)
        margins = count_all((*rows.judges[i], *rows.judges[j]), rows.labels)
        needed += min(pair, margins)
    refuse(needed, "going through the tables of each pair", advice_of_pairs(), most=MOST_JOINED)
    return Joined(rows, {(i, j): _margins(rows, i, j) for i, j in rows.pairs()})


def _margins(rows: Rows, i: int, j: int) -> Margins:
    empty: Table = ((0,) * rows.labels,) * len(rows.answers)
    states: dict[tuple[Table, Table], int] = {(empty, empty): 1}
    bound = (0,) * rows.labels
    for (a, b), count in rows.pair_counts(i, j).items():
        splits = list(compositions(bound, (count,) * rows.labels, count))
        grown: dict[tuple[Table, Table], int] = {}
        for (left, right), options in states.items():
            for split in splits:
                state = _plus(left, a, split), _plus(right, b, split)
                grown[state] = grown.get(state, 0) + options
        states = grown
    result: Margins = {}
    for (left, right), options in states.items():
        result.setdefault(left, {})[right] = options
    return result


def _plus(table: Table, row: int, split: Key, sign: int = 1) -> Table:
    new = tuple(x + sign * y for x, y in zip(table[row], split, strict=True))
    return (*table[:row], new, *table[row + 1 :])


def pair_tables(
    rows: Rows, pair: tuple[int, int], left: Table, right: Table
) -> Iterator[PairTable]:
    """Yield every pair table with these margins, cells lexicographically descending."""
    cells = list(rows.pair_counts(*pair).items())
    zero = (0,) * rows.labels
    for splits in _fill(cells, left, right, zero):
        table = dict(zip((ab for ab, _ in cells), splits, strict=True))
        answers = range(len(rows.answers))
        flat = {ab: table.get(ab, zero) for ab in product(answers, answers)}
        yield tuple(tuple(flat[a, b] for b in answers) for a in answers)


def _fill(
    cells: list[tuple[tuple[int, int], int]], left: Table, right: Table, zero: Key
) -> Iterator[tuple[Key, ...]]:
    if not cells:
        yield ()
        return
    ((a, b), count), rest = cells[0], cells[1:]
    room = tuple(map(min, left[a], right[b]))
    for split in compositions(zero, room, count):
        for others in _fill(rest, _plus(left, a, split, -1), _plus(right, b, split, -1), zero):
            yield (split, *others)


# --- How many evaluations the votes leave possible, in exact whole numbers.


def advice() -> str:
    """Return what to do where evaluations are too many to be counted."""
    return f"pass {option('key_counts')} for one answer key, or use fewer items or judges"


@reads
def count_consistent(
    data: Data,
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
        return prod(entry.get(key, 0) for entry in series)
    return sum(prod(entry.get(q, 0) for entry in series) for q in series[0])


def judge_series(rows: Rows, key: Key | None) -> list[Series]:
    """Return {q: number of tables} of each judge, at one key or at all of them."""
    needed = sum(steps(row, rows.labels, key) for row in rows.judges)
    refuse(needed, "counting tables", advice())
    names: dict[Key, Series] = {}
    for row in map(_sorted, rows.judges):
        if row not in names:
            names[row] = coefficients(row, rows.labels, key)
    return [names[_sorted(row)] for row in rows.judges]


def _sorted(row: Key) -> Key:
    return tuple(sorted(row))


def _tables_full(rows: Rows, key: Key | None) -> int:
    if key is None:
        return count_all(rows.counts, rows.labels)
    refuse(steps(rows.counts, rows.labels, key), "counting tables", "leave key_counts out")
    return count_at(rows.counts, key)


def _tables_2(rows: Rows, key: Key | None) -> int:
    return sum(options for _, options in join(rows).choices(key))


def points_by_key(rows: Rows, key: Key | None) -> Iterator[tuple[Key, int]]:
    """Yield each answer key with its number of points of order 1."""
    n_keys = 1
    if key is None:
        n_keys = count_keys(rows.exam.n_items, rows.labels)
        refuse(n_keys, "counting points key by key", advice(), most=MOST_LATTICE_KEYS)
    keys = one_by_one(rows.keys(key), "counting points key by key", n_keys)
    return ((q, count_points(rows.exam.counts, q)) for q in keys)


def points_1(rows: Rows, key: Key | None) -> int:
    """Count the points of order 1."""
    return sum(count for _, count in points_by_key(rows, key))


def points_of(rows: Rows, key: Key | None) -> list[tuple[Key, tuple[Key, ...]]]:
    """Return the (q, correct counts) of order 2 or full, lexicographically descending."""
    if rows.order == "full":
        return sorted(project_cells(rows, key), reverse=True)
    results = {
        (tuple(map(sum, zip(*chosen[0], strict=True))), _diagonals(chosen, rows.labels))
        for chosen, _ in join(rows).choices(key)
    }
    return sorted(results, reverse=True)


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

    def as_tables(self) -> tuple[Table_of_tables, ...]:
        """Row per label and pair of correct counts: how many evaluations have them."""
        entry, other = self.pair
        names = ("label", f"{entry} correct", f"{other} correct", "evaluations")
        rows = [
            (label, *index, count)
            for label, table in zip(self.labels, self.counts, strict=True)
            for index, count in np.ndenumerate(table)
        ]
        return (Table_of_tables.of_rows("Pairs of correct counts", names, rows),)

    def of(self, label: object) -> NDArray[Any]:
        """Array of one label."""
        (t,) = positions("label", [label], self.labels)
        return self.counts[t]


@reads
def multiplicities(
    data: Data, key_counts: Sequence[int], *, judges: Iterable[object] | None = None
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
    rows = read_rows(data, 1)
    names = rows.exam.judges if judges is None else tuple(str(name) for name in judges)
    indices = positions("judge", names, rows.exam.judges)
    if len(indices) != 2:
        raise DataError(f"judges must name two judges; got {list(names)}; pass judges=(one, other)")
    key = rows.key(key_counts) or ()
    chosen = [rows.judges[index] for index in indices]
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
