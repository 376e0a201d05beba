"""Whole labellings of the decision tuples: n(u; t) as arrays, rounded, repaired, measured exactly.

Written once for both rules of missing answers: `held` says on which tuples a judge is held to
the item. C[i,t] sums n(u;t) over tuples where judge i answers t, D[i,t] over those i is held to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Self

import numpy as np

from algeval.logic.policy import REPAIR_CLOSED, REPAIR_STEPS, REPAIR_STUCK, SPARSE_BELOW
from algeval.logic.proof.clock import Clock
from algeval.logic.proof.shares import Ints

__all__ = ["Labelling", "Levels", "repair", "round_cells"]

Levels = Sequence[Sequence[Fraction | None]]


@dataclass(frozen=True, eq=False)
class Labelling:
    """Decision tuples (U, N), their counts (U,), and who is held to which of them."""

    codes: Ints
    counts: Ints
    n_labels: int
    held: Ints

    @classmethod
    def of(cls, codes: Ints, counts: Ints, n_labels: int, *, missing: str) -> Self:
        """Read arrays as a sketch holds them; `missing` is "excluded" or "wrong"."""
        codes = np.asarray(codes, np.int64)
        held = np.ones(codes.shape, bool) if missing == "wrong" else codes >= 0
        return cls(codes, np.asarray(counts, np.int64), n_labels, held)

    @property
    def n_judges(self) -> int:
        """N."""
        return int(self.codes.shape[1])

    @property
    def n_items(self) -> int:
        """Q."""
        return int(self.counts.sum())

    @cached_property
    def given(self) -> tuple[list[Any], Any] | None:
        """Sparse (U, N) 0/1: who answers each label, and is held to it; None where most are held."""
        if self.held.size == 0 or self.held.mean() >= SPARSE_BELOW:
            return None
        from scipy import sparse

        sp: Any = sparse
        hits = [sp.csr_array(self.codes == t, dtype=np.int64) for t in range(self.n_labels)]
        return hits, sp.csr_array(self.held, dtype=np.int64)

    def correct(self, cells: Ints) -> Ints:
        """(N, R) correct answers C of labelled tuples, cells (U, R)."""
        if self.given is not None:
            return np.stack(
                [hits.T @ column for hits, column in zip(self.given[0], cells.T, strict=True)], 1
            )
        return np.stack([cells[:, t] @ (self.codes == t) for t in range(self.n_labels)], 1)

    def held_counts(self, cells: Ints) -> Ints:
        """(N, R) items D that each judge is held to, by label."""
        held: Ints = self.held.astype(np.int64) if self.given is None else self.given[1]
        counts: Ints = held.T @ cells
        return counts


def round_cells(counts: Ints, cells: Ints) -> Ints:
    """Round cells (U, R) to whole numbers that keep each tuple's count (largest remainders)."""
    whole = np.floor(cells + 1e-9).astype(np.int64)
    short = counts - whole.sum(1)
    order = np.argsort(whole - cells, axis=1, kind="stable")
    for u in np.flatnonzero(short):
        if short[u] > 0:
            each, rest = divmod(int(short[u]), whole.shape[1])
            whole[u] += each
            whole[u, order[u, :rest]] += 1
        while (over := int(whole[u].sum() - counts[u])) > 0:
            most = int(whole[u].argmax())
            whole[u, most] -= min(over, int(whole[u, most]))
    return whole


def repair(
    labelling: Labelling,
    cells: Ints,
    levels: Levels,
    key: tuple[Any, Any],
    *,
    among: Ints | None = None,
    max_steps: int = REPAIR_STEPS,
    clock: Clock | None = None,
) -> Ints:
    """Move single items between labels until every level is met, or return the best seen.

    Each step takes the move that leaves the least sum of squared shortfalls; a pair (tuple, label)
    just left is closed for a few steps, so that the walk does not turn back.

    key : two (R,) arrays
        Bounds on the answer key.
    among : ints, optional
        Tuples whose items may be moved; default all.
    """
    among = np.arange(len(cells)) if among is None else among
    search = _Search(labelling, cells, levels, key, among)
    best, best_cost = search.cells.copy(), search.cost()
    last_gain = 0
    for step in range(max_steps):
        late = clock is not None and clock.over
        if late or best_cost <= 0 or step - last_gain > REPAIR_STUCK or not search.step(step):
            break
        cost = search.cost()
        if cost < best_cost - 1e-12:
            best, best_cost, last_gain = search.cells.copy(), cost, step
    repaired = cells.copy()
    repaired[among] = best
    return repaired


class _Search:
    """Local search on whole labellings; shortfalls are floats, since they only rank moves."""

    def __init__(
        self, labelling: Labelling, cells: Ints, levels: Levels, key: tuple[Any, Any], among: Ints
    ) -> None:
        self.cells = cells[among]
        self.held = labelling.held[among].astype(float)
        codes = labelling.codes[among]
        self.hits = [(codes == t).astype(float) for t in range(labelling.n_labels)]
        asked = np.array([[np.nan if x is None else float(x) for x in row] for row in levels])
        self.asked = ~np.isnan(asked)
        self.x = np.where(self.asked, asked, 0.0)
        self.surplus = labelling.correct(cells) - self.x * labelling.held_counts(cells)
        self.low, self.high = key
        self.key = cells.sum(0)
        self.closed = np.full(self.cells.shape, -1)

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
        self.closed[move[0], move[1]] = now + REPAIR_CLOSED
        return True

    def _apply(self, u: int, start: int, end: int) -> None:
        self.cells[u, start] -= 1
        self.cells[u, end] += 1
        for label, sign in ((start, -1), (end, 1)):
            self.key[label] += sign
            change = self.hits[label][u] - self.x[:, label] * self.held[u]
            self.surplus[:, label] += sign * change
