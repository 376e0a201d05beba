"""Integer witnesses at full order: round a labelling, repair it item by item, ask the integer program.

Whatever proposes a witness, it is whole numbers n(u; t) that are checked by addition.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from algeval.logic.full_program import FullProgram, Ints, Levels, level_array, pairs_asked

__all__ = ["integer_program", "repair", "round_cells"]


def round_cells(program: FullProgram, cells: Ints) -> Ints:
    """Round a labelling (U, R) to whole numbers that keep each tuple's count (largest remainders)."""
    whole = np.floor(cells + 1e-9).astype(np.int64)
    short = program.counts - whole.sum(1)
    order = np.argsort(whole - cells, axis=1, kind="stable")
    for u in np.flatnonzero(short):
        if short[u] > 0:
            whole[u, order[u, : short[u]]] += 1
        else:
            whole[u, whole[u].argmax()] += short[u]
    return whole


def repair(program: FullProgram, cells: Ints, levels: Levels, *, max_steps: int = 300) -> Ints:
    """Move single items between labels until every level is met, or return the best seen.

    Each step takes the move that leaves the least sum of squared shortfalls; a pair (tuple, label)
    just left is closed for a few steps, so that the walk does not turn back.
    """
    search = _Search(program, cells, levels)
    best, best_cost = search.cells.copy(), search.cost()
    last_gain = 0
    for step in range(max_steps):
        if best_cost <= 0 or step - last_gain > 60 or not search.step(step):
            break
        cost = search.cost()
        if cost < best_cost - 1e-12:
            best, best_cost, last_gain = search.cells.copy(), cost, step
    return best


class _Search:
    """Local search on whole labellings; shortfalls are floats, since they only rank moves."""

    def __init__(self, program: FullProgram, cells: Ints, levels: Levels) -> None:
        self.cells = cells.copy()
        self.counts = program.counts
        self.held = program.held.astype(float)
        self.hits = [(program.codes == t).astype(float) for t in range(program.n_labels)]
        asked = level_array(levels)
        self.asked = ~np.isnan(asked)
        self.x = np.where(self.asked, asked, 0.0)
        self.surplus = program.correct(cells) - self.x * program.held_counts(cells)
        self.closed = np.full(cells.shape, -1)

    def _penalty(self, surplus: Ints) -> Ints:
        short = np.where(self.asked, np.maximum(-surplus - 1e-9, 0.0), 0.0)
        return short * short

    def cost(self) -> float:
        """Return the sum of squared shortfalls."""
        return float(self._penalty(self.surplus).sum())

    def _change(self, sign: int) -> Ints:
        """(U, R) change of the cost when one item of tuple u enters or leaves label t."""
        now = self._penalty(self.surplus)
        hit = self._penalty(self.surplus + sign * (1 - self.x)) - now
        missed = self._penalty(self.surplus - sign * self.x) - now
        gain = hit - missed
        change: Ints = self.held @ missed
        for t, hits in enumerate(self.hits):
            change[:, t] += hits @ gain[:, t]
        return change

    def step(self, now: int) -> bool:
        """Take the best open move; False when there is none."""
        enter = np.where(self.closed < now, self._change(1), np.inf)
        leave = np.where(self.cells > 0, self._change(-1), np.inf)
        best, move = np.inf, None
        for start in range(leave.shape[1]):
            for end in range(leave.shape[1]):
                if start != end:
                    total = leave[:, start] + enter[:, end]
                    u = int(total.argmin())
                    if total[u] < best:
                        best, move = float(total[u]), (u, start, end)
        if move is None:
            return False
        self._apply(*move)
        self.closed[move[0], move[1]] = now + 7
        return True

    def _apply(self, u: int, start: int, end: int) -> None:
        self.cells[u, start] -= 1
        self.cells[u, end] += 1
        for label, sign in ((start, -1), (end, 1)):
            change = self.hits[label][u] - self.x[:, label] * self.held[u]
            self.surplus[:, label] += sign * change


def integer_program(
    program: FullProgram, levels: Levels, *, time_limit: float | None = None
) -> tuple[Ints | None, bool]:
    """Ask HiGHS for whole numbers that meet every level.

    Returns a labelling that was checked exactly, or None; and whether the solver came to an end
    (None and True: it found the program infeasible, which proves nothing by itself).
    """
    import pulp

    model = pulp.LpProblem("full_order", pulp.LpMinimize)
    counts, n_labels = program.counts.tolist(), program.n_labels
    cells = [
        [pulp.LpVariable(f"n_{u}_{t}", 0, n, "Integer") for t in range(n_labels)]
        for u, n in enumerate(counts)
    ]
    model += pulp.lpSum([])
    for row, n in zip(cells, counts, strict=True):
        model += pulp.lpSum(row) == n
    for i, t in pairs_asked(levels):
        model += pulp.LpAffineExpression(_row(program, cells, i, t, levels[i][t])) >= 0
    seconds = None if time_limit is None else max(time_limit, 0.05)
    status = model.solve(pulp.HiGHS(msg=False, timeLimit=seconds, threads=1))
    if status != pulp.LpStatusOptimal:
        return None, status == pulp.LpStatusInfeasible
    values = np.array([[v.value() or 0.0 for v in row] for row in cells])
    found = round_cells(program, values.reshape(-1, n_labels))
    return (found, True) if program.meets(found, levels) else (None, False)


def _row(
    program: FullProgram, cells: list[list[object]], i: int, t: int, level: Fraction | None
) -> Iterator[tuple[object, int]]:
    """Whole-number coefficients of q C[i,t] - p D[i,t] at level p/q: a miss is a miss by one."""
    x = level or Fraction(0)
    weight = x.denominator * (program.codes[:, i] == t) - x.numerator * program.held[:, i]
    for row, value in zip(cells, weight.tolist(), strict=True):
        if value:
            yield row[t], int(value)


def seconds_left(until: float | None) -> float | None:
    """Return the seconds until a time of `time.monotonic`, None when there is no limit."""
    return None if until is None else until - time.monotonic()
