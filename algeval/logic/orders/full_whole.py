"""Integer witnesses at full order: round a labelling, repair it item by item, ask the integer program.

Whatever proposes a witness, it is whole numbers n(u; t) that are checked by addition.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from algeval.logic.orders.full_program import FullProgram, Ints, Levels, level_array, pairs_asked
from algeval.logic.proof.solver import whole_point

__all__ = ["integer_program", "repair", "round_cells"]


def round_cells(program: FullProgram, cells: Ints) -> Ints:
    """Round a labelling (U, R) to whole numbers that keep each tuple's count (largest remainders)."""
    whole = np.floor(cells + 1e-9).astype(np.int64)
    short = program.counts - whole.sum(1)
    order = np.argsort(whole - cells, axis=1, kind="stable")
    for u in np.flatnonzero(short):
        if short[u] > 0:
            each, rest = divmod(int(short[u]), whole.shape[1])
            whole[u] += each
            whole[u, order[u, :rest]] += 1
        while (over := int(whole[u].sum() - program.counts[u])) > 0:
            most = int(whole[u].argmax())
            whole[u, most] -= min(over, int(whole[u, most]))
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
        self.low, self.high = np.array(program.low), np.array(program.high)
        self.key = cells.sum(0)
        self.closed = np.full(cells.shape, -1)

    def _penalty(self, surplus: Ints) -> Ints:
        short = np.where(self.asked, np.maximum(-surplus - 1e-9, 0.0), 0.0)
        return short * short

    def _key_penalty(self, key: Ints) -> Ints:
        outside = np.maximum(self.low - key, 0) + np.maximum(key - self.high, 0)
        penalty: Ints = outside.astype(float) ** 2
        return penalty

    def cost(self) -> float:
        """Return the sum of squared shortfalls, those of the key's bounds included."""
        return float(self._penalty(self.surplus).sum() + self._key_penalty(self.key).sum())

    def _change(self, sign: int) -> Ints:
        """(U, R) change of the cost when one item of tuple u enters or leaves label t."""
        now = self._penalty(self.surplus)
        hit = self._penalty(self.surplus + sign * (1 - self.x)) - now
        missed = self._penalty(self.surplus - sign * self.x) - now
        gain = hit - missed
        change: Ints = self.held @ missed
        change += self._key_penalty(self.key + sign) - self._key_penalty(self.key)
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
            self.key[label] += sign
            change = self.hits[label][u] - self.x[:, label] * self.held[u]
            self.surplus[:, label] += sign * change


def integer_program(
    program: FullProgram, levels: Levels, *, time_limit: float | None = None
) -> tuple[Ints | None, bool]:
    """Ask HiGHS for whole numbers that meet every level.

    Returns a labelling that was checked exactly, or None; and whether the solver came to an end
    (None and True: it found the program infeasible, which proves nothing by itself).
    """
    from scipy import sparse

    sp: Any = sparse
    n_tuples, n_labels = program.codes.shape[0], program.n_labels
    counts = program.counts.astype(float)
    blocks = [_block(program, levels, t) for t in range(n_labels)]
    tuples = sp.hstack([sp.eye_array(n_tuples)] * n_labels)
    labels = sp.block_diag([np.ones((1, n_tuples))] * n_labels)
    point, ended = whole_point(
        [
            (tuples.tocsr(), counts, counts),
            (sp.block_diag(blocks).tocsr(), 0, np.inf),
            (labels.tocsr(), program.low, program.high),
        ],
        (np.zeros(n_tuples * n_labels), np.tile(counts, n_labels)),
        time_limit=time_limit,
    )
    if point is None:
        return None, ended
    found = round_cells(program, point.reshape(n_labels, n_tuples).T)
    return (found, True) if program.meets(found, levels) else (None, False)


def _block(program: FullProgram, levels: Levels, t: int) -> Ints:
    """Rows q C[i,t] - p D[i,t] >= 0 at level p/q: in whole numbers a miss is a miss by one."""
    rows = []
    for i, label in pairs_asked(levels):
        x = levels[i][label]
        if label == t and x is not None:
            hits, held = program.codes[:, i] == t, program.held[:, i]
            rows.append(float(x.denominator) * hits - float(x.numerator) * held)
    return np.array(rows).reshape(-1, len(program.counts))
