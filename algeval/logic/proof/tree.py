"""Settle a program of shares: whole-number shares, or a tree whose leaves are exact refutations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import floor
from typing import Any

import numpy as np

from algeval.logic.proof.branching import Clock, evidence_of
from algeval.logic.proof.shares import Evidence, Ints, Node, Shares, empty_total, refutation_of_rows
from algeval.logic.proof.solver import Violation, least_violation, whole_point

__all__ = ["SettledShares", "branch_shares", "find_shares", "relax_shares", "root_refutation"]

_LARGE = 10**6
_NOISE = 1e-10
_SCALES = (1, 2, 6, 12, 60, 1000, 10**6, 10**9, 10**12)
_MAX_DEPTH = 200
_SIMPLEX = 20_000
"""Above this many unknowns the interior-point method is the quicker one."""


@dataclass(frozen=True, slots=True, eq=False)
class Relaxation:
    """The least violation in items, its multipliers, and the real shares (P, R)."""

    amount: float
    base: Ints
    extra: Ints
    shares: Ints


@dataclass(frozen=True, slots=True, eq=False)
class SettledShares:
    """Whole-number shares, or evidence that there are none, or neither (gave up)."""

    shares: Ints | None = None
    evidence: Evidence | None = None


class _GaveUp(Exception):  # noqa: N818
    """Time, nodes or depth ran out."""


def relax_shares(
    shares: Shares, node: Node, clock: Clock, *, surplus: float = 1.0
) -> Relaxation | None:
    """Solve the relaxation at a node: the least violation of its inequalities, equalities exact.

    surplus : how many items beyond the rows count (the violation is negative where all are met).
    """
    unit = max(1.0, float(shares.totals[0]) / _LARGE)
    made = _Arrays.of(shares, node, unit)
    solved = made.solve(clock, surplus)
    if solved is None and not clock.over:
        return _elastic(shares, node, made, unit, clock)
    if solved is None:
        return None
    return made.read(shares, solved, unit)


@dataclass(frozen=True, slots=True, eq=False)
class _Arrays:
    """A program in floats: its inequalities, its equalities, its box."""

    unequal: Ints
    left: Any
    right: Ints
    equal: tuple[Any, Ints]
    box: tuple[Ints, Ints]

    @classmethod
    def of(cls, shares: Shares, node: Node, unit: float) -> _Arrays:
        from scipy import sparse

        sp: Any = sparse
        rows = shares.rows
        equal = np.array(rows.equal, bool)
        scale = np.array(rows.scale, float)
        bound = np.array(rows.bound, float) / scale / unit
        matrix = shares.matrix.astype(float).multiply(1 / scale[:, None]).tocsr()
        n = shares.n_columns
        more = sp.lil_array((len(node.extra), n))
        for k, row in enumerate(node.extra):
            more[[k], list(row.columns)] = row.sign
        adds = sp.kron(sp.eye_array(len(shares.totals)), np.ones((1, shares.n_labels)))
        left = sp.vstack([matrix[~equal], more.tocsr()]).tocsr()
        right = np.concatenate([bound[~equal], [row.bound / unit for row in node.extra]])
        together = (
            sp.vstack([matrix[equal], adds]).tocsr(),
            np.concatenate([bound[equal], shares.totals / unit]),
        )
        box = node.low.ravel() / unit, node.high.ravel() / unit
        return cls(equal, left, right, together, box)

    def solve(self, clock: Clock, surplus: float) -> Violation | None:
        return least_violation(
            self.left,
            self.right,
            self.box,
            equal=self.equal,
            time_limit=clock.left,
            method="highs-ipm" if len(self.box[0]) > _SIMPLEX else "highs-ds",
            surplus=surplus,
        )

    def read(self, shares: Shares, solved: Violation, unit: float) -> Relaxation:
        base = np.zeros(len(shares.rows.ids))
        n_own = int((~self.unequal).sum())
        base[~self.unequal] = solved.multipliers[:n_own]
        base[self.unequal] = solved.equal_multipliers[: int(self.unequal.sum())]
        point = solved.point.reshape(shares.low.shape) * unit
        return Relaxation(solved.amount * unit, base, solved.multipliers[n_own:], point)


def _elastic(
    shares: Shares, node: Node, made: _Arrays, unit: float, clock: Clock
) -> Relaxation | None:
    """Let the coupling equalities be missed too, where bounds make them impossible."""
    from scipy import sparse

    sp: Any = sparse
    matrix, bound = made.equal
    n_coupling = int(made.unequal.sum())
    coupling, rest = matrix[:n_coupling], matrix[n_coupling:]
    left = sp.vstack([coupling, -coupling, made.left]).tocsr()
    right = np.concatenate([bound[:n_coupling], -bound[:n_coupling], made.right])
    solved = least_violation(
        left, right, made.box, equal=(rest, bound[n_coupling:]), time_limit=clock.left
    )
    if solved is None:
        return None
    up, down, own = np.split(solved.multipliers, [n_coupling, 2 * n_coupling])
    plain = Violation(solved.amount, own, up - down, solved.point)
    return made.read(shares, plain, unit)


def _whole(values: Ints, scale: int) -> Ints:
    most = float(np.abs(values).max(initial=0.0))
    if most <= 0:
        return np.zeros(values.shape, np.int64)
    return np.rint(values / most * scale).astype(np.int64)


def refutation_at(shares: Shares, node: Node, relaxed: Relaxation) -> Evidence | None:
    """Round the multipliers, more and more finely, until they refute the node exactly."""
    if relaxed.amount <= _NOISE:
        return None
    proposed = np.concatenate([relaxed.base, relaxed.extra])
    for scale in _SCALES:
        whole = _whole(proposed, scale)
        base, extra = whole[: len(relaxed.base)], whole[len(relaxed.base) :]
        found = refutation_of_rows(shares, node, base, extra.tolist())
        if found is not None:
            return found
    return None


def root_refutation(shares: Shares, clock: Clock) -> tuple[Evidence | None, Relaxation | None]:
    """Return a refutation without any split, or else the relaxation."""
    node = shares.root()
    empty = empty_total(shares, node)
    if empty is not None:
        return empty, None
    relaxed = relax_shares(shares, node, clock)
    if relaxed is None:
        return None, None
    return refutation_at(shares, node, relaxed), relaxed


def find_shares(
    shares: Shares,
    clock: Clock,
    *,
    whole: Ints | None = None,
    fixed: Ints | None = None,
    objective: Ints | None = None,
) -> tuple[Ints | None, bool]:
    """Ask the solver for whole-number shares; return them, checked, and whether it finished.

    whole : (P,) bool
        Totals whose shares must be whole numbers; the rest is rounded and checked.
    fixed : (P, R), optional
        Shares below 0 are free, others are given.
    objective : (P * R,), optional
        What to maximise.
    """
    low, high = shares.low, shares.high
    if fixed is not None:
        low, high = np.where(fixed >= 0, fixed, low), np.where(fixed >= 0, fixed, high)
    if (low > high).any():
        return None, True
    made = _Arrays.of(shares, Node(low, high, {}), 1.0)
    matrix, bound = made.equal
    integral = None if whole is None else np.repeat(whole, shares.n_labels)
    point, finished = whole_point(
        [(matrix, bound, bound), (made.left, made.right, np.inf)],
        made.box,
        whole=integral,
        objective=objective,
        time_limit=clock.left,
    )
    if point is None:
        return None, finished
    return np.rint(point).astype(np.int64).reshape(low.shape), finished


class _Tree:
    def __init__(self, shares: Shares, clock: Clock, most: int) -> None:
        self.shares, self.clock, self.left = shares, clock, most
        self.found: Ints | None = None

    def visit(self, node: Node) -> Evidence | None:
        """Return the tree below a node, None once shares are found; raises when it gives up."""
        self.left -= 1
        if self.left < 0 or self.clock.over or node.depth > _MAX_DEPTH:
            raise _GaveUp
        node = self.shares.refreshed(node)
        empty = empty_total(self.shares, node)
        if empty is not None:
            return empty
        relaxed = relax_shares(self.shares, node, self.clock)
        if relaxed is None:
            raise _GaveUp
        leaf = refutation_at(self.shares, node, relaxed)
        if leaf is not None:
            return leaf
        whole = np.rint(relaxed.shares).astype(np.int64)
        if self.shares.satisfied(whole):
            self.found = whole
            return None
        return self.split(node, relaxed.shares)

    def split(self, node: Node, point: Ints) -> Evidence | None:
        """Split where the first fractional quantity says so."""
        for form, at, low, high in self.splits(node, point):
            below = self.visit(low)
            above = None if below is None else self.visit(high)
            if below is None or above is None:
                return None
            return {"split": form, "at": at, "low": below, "high": above}
        raise _GaveUp

    def splits(self, node: Node, point: Ints) -> Iterator[tuple[list[Any], int, Node, Node]]:
        column = self._fractional(node, point[:1])
        if column is None:
            yield from self._correct(node, point)
            column = self._fractional(node, point[: self.shares.n_first])
        if column is None:
            column = self._fractional(node, point)
        if column is None:
            column = self._free(node)
        if column is not None:
            low, high = int(node.low.flat[column]), int(node.high.flat[column])
            at = min(max(floor(point.flat[column]), low), high - 1)
            sides = node.narrowed(column, at, above=False), node.narrowed(column, at, above=True)
            yield self.shares.split_form(column), at, *sides

    def _fractional(self, node: Node, shares: Ints) -> int | None:
        """Return the most fractional unknown of the first totals, or None."""
        free = (node.low < node.high)[: len(shares)]
        distance = (np.abs(shares - np.rint(shares)) * free).ravel()
        column = int(distance.argmax())
        return column if distance[column] > 1e-6 else None

    def _correct(self, node: Node, point: Ints) -> Iterator[tuple[list[Any], int, Node, Node]]:
        """Split a fractional correct count that sums several unknowns."""
        flat = point.ravel()
        for i, row in enumerate(self.shares.correct):
            for t, columns in enumerate(row):
                value = float(flat[list(columns)].sum())
                if len(columns) > 1 and abs(value - round(value)) > 1e-6:
                    at = floor(value)
                    low, high = (node.with_row(columns, at, above=side) for side in (False, True))
                    yield ["correct", i, t], at, low, high

    def _free(self, node: Node) -> int | None:
        free = np.flatnonzero(node.low.ravel() < node.high.ravel())
        return int(free[0]) if len(free) else None


def branch_shares(shares: Shares, clock: Clock, *, most: int = 2000) -> SettledShares:
    """Decide by branch and bound; splits go first on the key, then on correct counts, then on shares."""
    tree = _Tree(shares, clock, most)
    try:
        found = tree.visit(shares.root())
    except _GaveUp:
        return SettledShares()
    if tree.found is not None:
        return SettledShares(shares=tree.found)
    return SettledShares(evidence=None if found is None else evidence_of(found))
