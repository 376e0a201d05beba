"""Do rates between 0 and 1 exist that give the counts back, if errors are independent: yes or no, exactly.

For binary judges the question is whether a table of counts has nonnegative rank two. Two conditions decide
it: every flattening has rank at most two, and after naming each judge's two answers suitably the table is
supermodular: joint counts are never larger than those of the tuples above and below.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import ClassVar

import flint

from algeval.data import Sketch
from algeval.data.names import NOT_ANSWERED
from algeval.data.reading import as_sketch
from algeval.errors import DataError, TooLargeError
from algeval.io.sources import Source, read_data
from algeval.result import Result, Status
from algeval.result.base import Record
from algeval.result.tables import Table, scalars
from algeval.result.wording import how_many

__all__ = ["Binomial", "Minor", "RatesExist", "rates_exist"]

_MOST_JUDGES = 9
Counts = dict[tuple[int, ...], int]


@dataclass(frozen=True, slots=True)
class Minor(Record):
    """Three rows and three columns of a flattening whose determinant is not zero.

    Attributes
    ----------
    rows, columns : tuples of 3 str
        Joint answers of the judges on one side, and of those on the other.
    counts : (3, 3) nested tuple of int
    determinant : int
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    determinant: int


@dataclass(frozen=True, slots=True)
class Binomial(Record):
    """Two decision tuples given more often than supermodularity allows.

    Attributes
    ----------
    high : tuple of str
        The answer of each judge that counts as the higher one.
    one, other : tuple of str
        Decision tuples whose counts, multiplied, exceed those of `meet` and `join`.
    meet, join : tuple of str
        Judge by judge the lower, and the higher, of the two answers.
    counts : tuple of 4 int
        Of one, other, meet, join.
    """

    high: tuple[str, ...]
    one: tuple[str, ...]
    other: tuple[str, ...]
    meet: tuple[str, ...]
    join: tuple[str, ...]
    counts: tuple[int, int, int, int]

    def __str__(self) -> str:
        a, b, c, d = self.counts
        named = (",".join(t) for t in (self.one, self.other, self.meet, self.join))
        return "n({})*n({}) > n({})*n({}): {} > {}".format(*named, a * b, c * d)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RatesExist(Result):
    """Whether a prevalence and accuracies in [0, 1] give the counts back, if errors are independent.

    Attributes
    ----------
    exist : bool
        Exact. True where there are some; that they are real numbers, not that whole items do it.
    minor : Minor or None
        The proof where some flattening has rank three or more.
    violated : tuple of Binomial
        The proof where all have rank two: one for each way to call answers higher, 2^(N-1) of them.
    n_used : int
        Items that all the judges answered.
    """

    schema: ClassVar[str] = "algeval.rates-exist/1"

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    n_used: int
    exist: bool
    minor: Minor | None
    violated: tuple[Binomial, ...]

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per violated binomial, and the verdict."""
        rows = [(",".join(one.high), str(one)) for one in self.violated]
        return scalars(self), Table.of_rows("Violated", ("higher answers", "binomial"), rows)

    def summary(self) -> str:
        """Return the verdict, and what proves it."""
        lines = [self.message]
        if self.minor is not None:
            rows, columns = " | ".join(self.minor.rows), " | ".join(self.minor.columns)
            table = "; ".join(" ".join(map(str, row)) for row in self.minor.counts)
            lines.append(f"  rows {rows}; columns {columns}: {table}")
        lines += [f"  {','.join(one.high)} higher: {one}" for one in self.violated]
        return "\n".join(lines)


def rates_exist(data: Source, judges: Iterable[object] | None = None) -> RatesExist:
    """Say exactly whether rates in [0, 1] exist that explain binary judges by independent errors.

    Use it where `decode` says `out_of_range` or `irrational`, and for more than three judges: the answer
    is complete, and a no comes with whole numbers that anybody can multiply.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, or a table
        Two labels and no other answer; a key is never used.
    judges : judge names, optional
        Two to nine of them; only items that all of them answered are used.

    Raises
    ------
    DataError
        If there are fewer than two judges, other answers than two labels, or no items.
    TooLargeError
        If there are more than nine judges.

    Notes
    -----
    Allman, Rhodes, Sturmfels and Zwiernik, *Tensors of nonnegative rank two* (2015): a nonnegative
    table has nonnegative rank at most two exactly if it is supermodular and its flattenings have rank at
    most two. With real votes of four judges or more the ranks nearly always forbid it.

    Examples
    --------
    >>> found = rates_exist(Sketch.from_counts({"aab": 3, "aba": 2, "baa": 2, "bbb": 1}))
    >>> found.exist, len(found.violated)
    (False, 4)
    """
    sketch = as_sketch(read_data(data))
    part = sketch if judges is None else sketch.marginal(judges)
    counts = _checked(part)
    minor = _minor(part, counts)
    violated = () if minor is not None else _violated(part, counts)
    exist = minor is None and not violated
    return RatesExist(
        status=Status.OK if exist else Status.INCONSISTENT,
        message=_message(part, exist, minor),
        judges=part.judges,
        labels=part.labels,
        n_used=sum(counts.values()),
        exist=exist,
        minor=minor,
        violated=violated,
    )


def _checked(part: Sketch) -> Counts:
    kept = (part.codes != NOT_ANSWERED).all(1)
    codes, counts = part.codes[kept].tolist(), part.counts[kept].tolist()
    binary = part.n_labels == 2 and all(code < 2 for row in codes for code in row)
    if not binary or not counts or part.n_judges < 2:
        raise DataError(
            "rates_exist must have two or more judges who gave two answers, the labels, to some items; got "
            f"{how_many(part.n_judges, 'judge')}, answers {list(part.answers)} and "
            f"{how_many(sum(counts), 'item')}; choose judges=, or merge labels"
        )
    if part.n_judges > _MOST_JUDGES:
        raise TooLargeError(
            f"rates_exist must have at most {_MOST_JUDGES} judges; got {part.n_judges}; choose judges="
        )
    return {tuple(row): int(n) for row, n in zip(codes, counts, strict=True)}


def _message(part: Sketch, exist: bool, minor: Minor | None) -> str:
    names = how_many(part.n_judges, "judge")
    if exist:
        return (
            f"Yes: a prevalence and accuracies between 0 and 1 give back all counts of the {names} if errors "
            "are independent; that shows neither that they are, nor that the numbers are true."
        )
    why = "some three rows and columns have a determinant other than 0"
    if minor is None:
        why = "whatever answer of each judge is called the higher, some product of counts is too large"
    return f"No: no rates between 0 and 1 give back the counts of the {names} by independent errors: {why}."


def _minor(part: Sketch, counts: Counts) -> Minor | None:
    """Return three rows and columns of a flattening that are independent, None if there are none."""
    n = part.n_judges
    sides = (s for size in range(2, n // 2 + 1) for s in combinations(range(n), size))
    for side in sides:
        rest = tuple(i for i in range(n) if i not in side)
        rows = sorted({tuple(u[i] for i in side) for u in counts})
        columns = sorted({tuple(u[i] for i in rest) for u in counts})
        table = [
            [counts.get(_merged(side, row, rest, column), 0) for column in columns] for row in rows
        ]
        chosen = _independent(table)
        if chosen is None:
            continue
        across = _independent([[table[r][c] for r in chosen] for c in range(len(columns))])
        picked = tuple(tuple(table[r][c] for c in across or ()) for r in chosen)
        return Minor(
            tuple(_said(part, side, rows[r]) for r in chosen),
            tuple(_said(part, rest, columns[c]) for c in across or ()),
            picked,
            int(flint.fmpz_mat([list(row) for row in picked]).det()),
        )
    return None


def _merged(
    side: tuple[int, ...], row: tuple[int, ...], rest: tuple[int, ...], column: tuple[int, ...]
) -> tuple[int, ...]:
    answers = dict(zip((*side, *rest), (*row, *column), strict=True))
    return tuple(answers[i] for i in range(len(answers)))


def _said(part: Sketch, side: tuple[int, ...], answers: tuple[int, ...]) -> str:
    pairs = zip(side, answers, strict=True)
    return " ".join(f"{part.judges[i]}={part.answers[a]}" for i, a in pairs)


def _independent(table: list[list[int]]) -> list[int] | None:
    """Return the places of three independent rows, None if the rank is two or less."""
    chosen: list[int] = []
    for place in range(len(table)):
        rows = [table[p] for p in (*chosen, place)]
        if flint.fmpz_mat(rows).rank() == len(rows):
            chosen.append(place)
        if len(chosen) == 3:
            return chosen
    return None


def _violated(part: Sketch, counts: Counts) -> tuple[Binomial, ...]:
    """Return a violated binomial for each way to call answers higher; none if one way has none."""
    found = []
    for flips in product((0, 1), repeat=part.n_judges - 1):
        broken = next(_broken(counts, (0, *flips)), None)
        if broken is None:
            return ()
        found.append(_binomial(part, counts, (0, *flips), broken))
    return tuple(found)


def _broken(counts: Counts, flips: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield pairs of tuples, their meet and join, whose counts are not supermodular."""
    for one, other in combinations(sorted(counts), 2):
        meet, join = _meet_and_join(one, other, flips)
        if counts[one] * counts[other] > counts.get(meet, 0) * counts.get(join, 0):
            yield one, other, meet, join


def _meet_and_join(
    one: tuple[int, ...], other: tuple[int, ...], flips: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the lower and higher answers, where of a flipped judge answer 0 is the higher."""
    ranked = [sorted((a ^ f, b ^ f)) for a, b, f in zip(one, other, flips, strict=True)]
    low = tuple(pair[0] ^ f for pair, f in zip(ranked, flips, strict=True))
    return low, tuple(pair[1] ^ f for pair, f in zip(ranked, flips, strict=True))


def _binomial(
    part: Sketch, counts: Counts, flips: tuple[int, ...], broken: tuple[tuple[int, ...], ...]
) -> Binomial:
    one, other, meet, join = (tuple(part.answers[a] for a in t) for t in broken)
    a, b, c, d = (counts.get(t, 0) for t in broken)
    high = tuple(part.labels[1 - f] for f in flips)
    return Binomial(high, one, other, meet, join, (a, b, c, d))
