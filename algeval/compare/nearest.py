"""`nearest_consistent`: how far an evaluation is from what the votes allow."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import floor
from typing import Any, ClassVar

import numpy as np

from algeval.compare.comparison import Consistency, consistency
from algeval.data import Evaluation, Summary
from algeval.data.reading import Source, as_summary
from algeval.door import table as read_table
from algeval.errors import DataError, NotSolvedError, TooLargeError
from algeval.result import Result, Status
from algeval.result.numbers import how_many
from algeval.result.tables import Table as Table_of_tables
from algeval.result.tables import scalars

# --- The programs behind `nearest_consistent`: the key first, then one judge at a time.
#
# A cell n near a target t costs |n - t|. With f = floor(t), n = f + u + p - m where u in [0, 1] costs
# |f + 1 - t| - |f - t| and p, m >= 0 cost 1: exact at whole n, and between them the straight line.
# Given whole key counts the tables form a transportation problem, whose corners are whole; so only
# the key's counts need to be declared whole.


NEAREST_ENTRIES = 30_000_000
"""Entries of programs solved, a node each, where there is no time limit: about half a minute."""

Table = list[list[Fraction]]


class _Program:
    """A program under construction: variables with costs and bounds, rows with bounds."""

    def __init__(self) -> None:
        self.cost: list[float] = []
        self.upper: list[float] = []
        self.whole: list[int] = []
        self.rows: list[dict[int, float]] = []
        self.low: list[float] = []
        self.high: list[float] = []
        self.base = 0.0

    def variable(self, cost: float, upper: float, whole: bool) -> int:
        self.cost.append(cost)
        self.upper.append(upper)
        self.whole.append(int(whole))
        return len(self.cost) - 1

    def near(self, target: Fraction, whole: bool) -> tuple[int, list[tuple[int, float]]]:
        """Add a whole quantity that should be near `target`; return floor and its moves."""
        base = floor(target)
        rest = float(target - base)
        self.base += rest
        first = self.variable(1 - 2 * rest, 1, whole)
        up = self.variable(1, np.inf, whole)
        down = self.variable(1, base, whole)
        return base, [(first, 1.0), (up, 1.0), (down, -1.0)]

    def row(self, terms: list[tuple[int, float]], low: float, high: float) -> None:
        held: dict[int, float] = {}
        for index, weight in terms:
            held[index] = held.get(index, 0.0) + weight
        self.rows.append(held)
        self.low.append(low)
        self.high.append(high)

    def solve(self, time_limit: float | None = None) -> Any:
        """Solution within so many seconds, or within so many nodes."""
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csr_array

        ends = list(accumulate((len(row) for row in self.rows), initial=0))
        matrix = csr_array(
            (
                [weight for row in self.rows for weight in row.values()],
                [index for row in self.rows for index in row],
                ends,
            ),
            shape=(len(self.rows), len(self.cost)),
        )
        options: dict[str, Any] = {"mip_rel_gap": 0.0}
        if time_limit is not None:
            options["time_limit"] = time_limit
        else:
            options["node_limit"] = 1 + NEAREST_ENTRIES // (1 + matrix.nnz)
        return milp(
            np.array(self.cost),
            constraints=LinearConstraint(matrix, self.low, self.high),
            bounds=Bounds(np.zeros(len(self.cost)), np.array(self.upper)),
            integrality=np.array(self.whole),
            options=options,  # type: ignore[arg-type]
        )


def _add_table(
    program: _Program, target: Table, counts: list[int], whole: bool
) -> tuple[list[list[tuple[int, list[tuple[int, float]]]]], list[tuple[int, Any]]]:
    """Add one judge's table with its columns fixed; return its cells and its rows' sums."""
    cells = [[program.near(wanted, whole) for wanted in row] for row in target]
    for answer, count in enumerate(counts):
        column = [row[answer] for row in cells]
        left = count - sum(base for base, _ in column)
        program.row([term for _, moves in column for term in moves], left, left)
    rows = [(sum(base for base, _ in row), [t for _, moves in row for t in moves]) for row in cells]
    return cells, rows


def nearest_key(
    key_target: list[Fraction],
    targets: list[Table],
    counts: list[list[int]],
    n_items: int,
    time_limit: float | None,
) -> tuple[list[int], bool]:
    """Key counts of the nearest possible evaluation, and whether that is proved."""
    program = _Program()
    keys = [program.near(wanted, True) for wanted in key_target]
    left = n_items - sum(base for base, _ in keys)
    program.row([term for _, moves in keys for term in moves], left, left)
    for target, counts_of in zip(targets, counts, strict=True):
        complete = sum(counts_of) == n_items
        _, rows = _add_table(program, target, counts_of, False)
        for (base, terms), (key_base, key_moves) in zip(rows, keys, strict=True):
            minus = [(index, -weight) for index, weight in key_moves]
            gap = key_base - base
            program.row([*terms, *minus], gap if complete else -np.inf, gap)
    solved = program.solve(time_limit)
    if solved.x is None:
        return _rounded(key_target, n_items), False
    values = np.rint(solved.x)
    key = [base + int(sum(w * values[p] for p, w in moves)) for base, moves in keys]
    return key, bool(solved.status == 0)


def _rounded(key_target: list[Fraction], n_items: int) -> list[int]:
    """Whole numbers near the targets that add up, by largest remainders."""
    key = [floor(wanted) for wanted in key_target]
    order = sorted(range(len(key)), key=lambda t: key[t] - key_target[t])
    for index in range(n_items - sum(key)):
        key[order[index % len(key)]] += 1
    return key


def nearest_table(
    target: Table, counts: list[int], key: list[int], n_items: int
) -> list[list[int]]:
    """Whole table nearest to `target` with these column sums and rows that fit the key."""
    program = _Program()
    cells, rows = _add_table(program, target, counts, True)
    complete = sum(counts) == n_items
    for (base, terms), items in zip(rows, key, strict=True):
        gap = items - base
        program.row(terms, gap if complete else -np.inf, gap)
    solved = program.solve()
    if solved.x is not None:
        values = np.rint(solved.x)
        table = [
            [base + int(sum(w * values[p] for p, w in moves)) for base, moves in row]
            for row in cells
        ]
        if _fits(table, counts, key, complete):
            return table
    raise NotSolvedError(
        f"the table of counts {counts} with key {key} was not solved: {solved.message}"
    )


def _fits(table: list[list[int]], counts: list[int], key: list[int], complete: bool) -> bool:
    columns = [sum(column) for column in zip(*table, strict=True)]
    rows = [sum(row) for row in table]
    within = rows == key if complete else all(r <= k for r, k in zip(rows, key, strict=True))
    return columns == counts and within and all(n >= 0 for row in table for n in row)


# --- Move an estimate to the nearest evaluation that is logically possible, in whole items.
#
# A finished test is whole numbers: an answer key's counts, and for each judge a table of true labels by
# answers whose columns are the observed counts and whose rows fit the key (No-Knowledge Alarms, the axioms
# of single judges). Estimates miss them by fractions of an item at best.


_MOST_CELLS = 100_000
_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Nearest(Result):
    """The nearest logically possible evaluation.

    Attributes
    ----------
    status : Status
        ok; time_limit where the search for the nearest key was stopped: the evaluation is
        possible, but a nearer one may exist.
    evaluation : Evaluation
        Exact.
    key_counts : (R,) int array
        Items of each true label.
    tables : (N, R, A) int array
        Items of each true label that got each answer, by judge.
    distance : Fraction
        Sum of |moved - estimated| over the key's counts and every cell of every table, in items.
    key_distance : Fraction
        The key's part of it.
    judge_distance : tuple of Fraction
        Each judge's part.
    was_consistent : bool
        Whether the estimate was such whole numbers already (distance 0).
    before : Consistency
        The estimate against the observed counts, with half an item of grace.
    n_items : int
    judges : tuple of str
    """

    schema: ClassVar[str] = "algeval.nearest/1"

    evaluation: Evaluation
    key_counts: Any
    tables: Any
    distance: Fraction
    key_distance: Fraction
    judge_distance: tuple[Fraction, ...]
    was_consistent: bool
    before: Consistency
    n_items: int
    judges: tuple[str, ...]

    def as_tables(self) -> tuple[Table_of_tables, ...]:
        """Row per judge: by how many items its table moved; and the evaluation reached."""
        moved = {"judge": self.judges, "items moved": self.judge_distance}
        return Table_of_tables("Moves", moved), scalars(self), *self.evaluation.as_tables()[:2]

    def summary(self) -> str:
        """How far the estimate moved, and which judges most."""
        order = sorted(range(len(self.judges)), key=lambda j: -self.judge_distance[j])
        lines = [self.message, f"Before: {self.before.describe()}."]
        lines += [
            f"  {self.judges[j]}: moved {float(self.judge_distance[j]):.2f} items"
            for j in order[:_SHOWN]
            if self.judge_distance[j]
        ]
        return "\n".join(lines)


def nearest_consistent(
    evaluation: Evaluation,
    data: Source,
    *,
    time_limit: float | None = None,
) -> Nearest:
    """Logically possible evaluation (order 1) nearest to an estimate.

    Use it to report an estimate as whole items that could have happened. It assumes nothing beyond
    the observed counts of each judge; it makes an estimate possible, not better.

    Parameters
    ----------
    evaluation : Evaluation
        Floats or exact, of the judges, labels and answers of `data`. Rows without a value count as
        zero items.
    data : Votes, Sketch, KeyedSketch, Summary, or a table
        A key is not read.
    time_limit : float, optional
        Seconds for the search over answer keys; by default its nodes are counted, and the answer is the
        same on any machine.

    Returns
    -------
    Nearest
        Status ok or time_limit.

    Raises
    ------
    DataError
        If the names differ, or numbers leave [0, 1].
    TooLargeError
        If there are more than 100,000 cells.

    Notes
    -----
    A mixed-integer program finds the key; given it, each judge is a transportation problem, solved
    by itself in whole numbers. Margins and distances are then recomputed exactly: the evaluation is
    possible and so far away. That none is nearer is the word of the solver; it carries no proof.

    Examples
    --------
    >>> s = Summary.from_counts({"i": {"a": 3, "b": 2}})
    >>> guess = Evaluation(("i",), ("a", "b"), ("a", "b"), [0.5, 0.5], [[[0.9, 0.1], [0.3, 0.7]]])
    >>> nearest_consistent(guess, s).tables.tolist()
    [[[2, 0], [1, 2]]]
    """
    data = read_table(data)
    summary = as_summary(data)
    _check(evaluation, summary)
    key_target = [summary.n_items * _fraction(p) for p in evaluation.prevalence.tolist()]
    targets = _targets(evaluation, summary, key_target)
    counts = summary.counts.astype(int).tolist()
    key, proved = nearest_key(key_target, targets, counts, summary.n_items, time_limit)
    tables = [
        nearest_table(target, counts_of, key, summary.n_items)
        for target, counts_of in zip(targets, counts, strict=True)
    ]
    moved = [_distance(table, target) for table, target in zip(tables, targets, strict=True)]
    key_moved = sum((abs(k - t) for k, t in zip(key, key_target, strict=True)), Fraction(0))
    distance = sum(moved, key_moved)
    return Nearest(
        status=Status.OK if proved else Status.TIME_LIMIT,
        message=_message(distance, summary, proved),
        evaluation=Evaluation.from_counts(*summary.axes, key, tables),
        key_counts=np.array(key, np.int64),
        tables=np.array(tables, np.int64),
        distance=distance,
        key_distance=key_moved,
        judge_distance=tuple(moved),
        was_consistent=distance == 0,
        before=consistency(evaluation, summary),
        n_items=summary.n_items,
        judges=summary.judges,
    )


def _message(distance: Fraction, summary: Summary, proved: bool) -> str:
    if distance == 0:
        return "The estimate is logically possible as it stands: whole items with these counts."
    per_judge = float(distance) / len(summary.judges)
    text = (
        f"The nearest logically possible evaluation is {float(distance):.2f} items away "
        f"({per_judge:.2f} per judge, of {how_many(summary.n_items, 'item')})"
    )
    return text + "." if proved else text + ", or nearer: the search was stopped."


def _check(evaluation: Evaluation, summary: Summary) -> None:
    for kind in ("judges", "labels", "answers"):
        if getattr(evaluation, kind) != getattr(summary, kind):
            raise DataError(
                f"evaluation must have the {kind} of the data {list(getattr(summary, kind))}; "
                f"got {list(getattr(evaluation, kind))}"
            )
    if summary.counts.size * len(summary.labels) > _MOST_CELLS:
        raise TooLargeError(
            f"the tables must have at most {_MOST_CELLS} cells; got "
            f"{summary.counts.size * len(summary.labels)}; choose judges with select(judges=...)"
        )
    floats = evaluation.to_floats()
    for name in ("prevalence", "confusion"):
        values = np.nan_to_num(getattr(floats, name))
        if values.min() < -1e-9 or values.max() > 1 + 1e-9:
            raise DataError(
                f"{name} must lie in [0, 1]; got {values.min():.3g}..{values.max():.3g}; "
                "an estimate outside it is no evaluation to move"
            )


def _fraction(value: Any) -> Fraction:
    """Number exactly; nothing (None, NaN) counts as 0."""
    if value is None or value != value:
        return Fraction(0)
    if hasattr(value, "sign"):  # a + b sqrt(d): a float is near enough to be moved from
        return Fraction(float(value))
    return Fraction(value)


def _targets(
    evaluation: Evaluation, summary: Summary, key_target: list[Fraction]
) -> list[list[list[Fraction]]]:
    """Estimated items of each judge, true label and answer."""
    results = []
    for judge, table in enumerate(evaluation.confusion.tolist()):
        answered = Fraction(int(summary.answered[judge]), summary.n_items)
        rows = []
        for label, row in enumerate(table):
            share = answered
            if evaluation.coverage is not None:
                share = _fraction(evaluation.coverage[judge, label])
            rows.append([key_target[label] * share * _fraction(value) for value in row])
        results.append(rows)
    return results


def _distance(table: list[list[int]], target: list[list[Fraction]]) -> Fraction:
    cells = zip(table, target, strict=True)
    return sum(
        (abs(n - t) for row, wanted in cells for n, t in zip(row, wanted, strict=True)), Fraction(0)
    )
