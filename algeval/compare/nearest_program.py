"""The programs behind `nearest_consistent`: the key first, then one judge at a time.

A cell n near a target t costs |n - t|. With f = floor(t), n = f + u + p - m where u in [0, 1] costs
|f + 1 - t| - |f - t| and p, m >= 0 cost 1: exact at whole n, and between them the straight line.
Given whole key counts the tables form a transportation problem, whose corners are whole; so only
the key's counts need to be declared whole.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from math import floor
from typing import Any

import numpy as np

from algeval.errors import NotSolvedError

__all__ = ["nearest_key", "nearest_table"]

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
        for place, weight in terms:
            held[place] = held.get(place, 0.0) + weight
        self.rows.append(held)
        self.low.append(low)
        self.high.append(high)

    def solve(self, time_limit: float | None = None) -> Any:
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csr_array

        ends = list(accumulate((len(row) for row in self.rows), initial=0))
        matrix = csr_array(
            (
                [weight for row in self.rows for weight in row.values()],
                [place for row in self.rows for place in row],
                ends,
            ),
            shape=(len(self.rows), len(self.cost)),
        )
        options: dict[str, Any] = {"mip_rel_gap": 0.0}
        if time_limit is not None:
            options["time_limit"] = time_limit
        return milp(
            np.array(self.cost),
            constraints=LinearConstraint(matrix, self.low, self.high),
            bounds=Bounds(np.zeros(len(self.cost)), np.array(self.upper)),
            integrality=np.array(self.whole),
            options=options,  # type: ignore[arg-type]
        )


def _add_table(
    program: _Program, target: Table, given: list[int], whole: bool
) -> tuple[list[list[tuple[int, list[tuple[int, float]]]]], list[tuple[int, Any]]]:
    """Add one judge's table with its columns fixed; return its cells and its rows' sums."""
    cells = [[program.near(wanted, whole) for wanted in row] for row in target]
    for answer, count in enumerate(given):
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
    time_limit: float,
) -> tuple[list[int], bool]:
    """Return the key counts of the nearest possible evaluation, and whether that is proved."""
    program = _Program()
    keys = [program.near(wanted, True) for wanted in key_target]
    left = n_items - sum(base for base, _ in keys)
    program.row([term for _, moves in keys for term in moves], left, left)
    for target, given in zip(targets, counts, strict=True):
        complete = sum(given) == n_items
        _, rows = _add_table(program, target, given, False)
        for (base, terms), (key_base, key_moves) in zip(rows, keys, strict=True):
            minus = [(place, -weight) for place, weight in key_moves]
            gap = key_base - base
            program.row([*terms, *minus], gap if complete else -np.inf, gap)
    solved = program.solve(time_limit)
    if solved.x is None:
        return _rounded(key_target, n_items), False
    values = np.rint(solved.x)
    key = [base + int(sum(w * values[p] for p, w in moves)) for base, moves in keys]
    return key, bool(solved.status == 0)


def _rounded(key_target: list[Fraction], n_items: int) -> list[int]:
    """Return whole numbers near the targets that add up, by largest remainders."""
    key = [floor(wanted) for wanted in key_target]
    order = sorted(range(len(key)), key=lambda t: key[t] - key_target[t])
    for place in range(n_items - sum(key)):
        key[order[place % len(key)]] += 1
    return key


def nearest_table(target: Table, given: list[int], key: list[int], n_items: int) -> list[list[int]]:
    """Return the whole table nearest to `target` with these column sums and rows that fit the key.

    Raises
    ------
    NotSolvedError
        If the solver's table does not meet its margins in whole numbers.
    """
    program = _Program()
    cells, rows = _add_table(program, target, given, True)
    complete = sum(given) == n_items
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
        if _fits(table, given, key, complete):
            return table
    raise NotSolvedError(
        f"the table of counts {given} with key {key} was not solved: {solved.message}"
    )


def _fits(table: list[list[int]], given: list[int], key: list[int], complete: bool) -> bool:
    columns = [sum(column) for column in zip(*table, strict=True)]
    rows = [sum(row) for row in table]
    within = rows == key if complete else all(r <= k for r, k in zip(rows, key, strict=True))
    return columns == given and within and all(n >= 0 for row in table for n in row)
