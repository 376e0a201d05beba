"""Settle a program of shares: whole-number shares, or a tree whose leaves are exact refutations.

The tree is the certificate. Splits go first on the answer key, then on correct counts, then on single
shares; every leaf is refuted by multipliers that were rounded to whole numbers and checked exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import floor
from typing import Any

import numpy as np

from algeval.logic.policy import (
    APART,
    ENTRIES_A_SECOND,
    LARGEST_COUNT,
    MAX_DEPTH,
    ROUNDINGS,
    SIMPLEX_BELOW,
    TRIED_BELOW,
    VIOLATED,
)
from algeval.logic.proof.clock import Clock
from algeval.logic.proof.outcome import Evidence
from algeval.logic.proof.shares import (
    Ints,
    Node,
    Shares,
    best_totals,
    empty_total,
    refutation,
)
from algeval.logic.proof.solver import Violation, least_violation, whole_point

__all__ = [
    "Leaf",
    "Relaxation",
    "branch",
    "find_shares",
    "keys_meeting",
    "real_shares",
    "refutation_at",
    "relax",
    "root_refutation",
]


@dataclass(frozen=True, slots=True, eq=False)
class Relaxation:
    """The least violation in items, its multipliers, and the real shares (P, R)."""

    amount: float
    base: Ints
    extra: Ints
    shares: Ints


class _GaveUp(Exception):  # noqa: N818
    """Time, nodes or depth ran out."""


class _Found(Exception):  # noqa: N818
    """Whole-number shares meet every row; holds them."""


def relax(shares: Shares, node: Node, clock: Clock, *, surplus: float = 1.0) -> Relaxation | None:
    """Solve the relaxation at a node: the least violation of its inequalities, equalities exact.

    surplus : how many items beyond the rows count (the violation is negative where all are met).
    """
    if not clock.allows(shares.rows.n_entries / ENTRIES_A_SECOND):
        return None
    unit = max(1.0, float(shares.totals[0]) / LARGEST_COUNT)
    made = _Arrays.of(shares, node, unit)
    solved = made.solve(clock, surplus)
    if solved is None and not clock.over:
        return _elastic(shares, made, unit, clock)
    return None if solved is None else made.read(shares, solved, unit)


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
        equal = shares.rows.equal
        matrix, bound = shares.rows.real
        bound = bound / unit
        lengths = [len(row.columns) for row in node.extra]
        signs = np.repeat([row.sign for row in node.extra], lengths).astype(float)
        places = np.repeat(np.arange(len(lengths)), lengths)
        columns = [c for row in node.extra for c in row.columns]
        more = sp.csr_array((signs, (places, columns)), shape=(len(lengths), shares.n_columns))
        adds = sp.kron(sp.eye_array(len(shares.totals)), np.ones((1, shares.n_labels)))
        left = sp.vstack([matrix[~equal], more]).tocsr()
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
            method="highs-ipm" if len(self.box[0]) > SIMPLEX_BELOW else "highs-ds",
            surplus=surplus,
        )

    def read(self, shares: Shares, solved: Violation, unit: float) -> Relaxation:
        base = np.zeros(len(shares.rows.ids))
        n_own = int((~self.unequal).sum())
        base[~self.unequal] = solved.multipliers[:n_own]
        base[self.unequal] = solved.equal_multipliers[: int(self.unequal.sum())]
        point = solved.point.reshape(shares.low.shape) * unit
        return Relaxation(solved.amount * unit, base, solved.multipliers[n_own:], point)


def _elastic(shares: Shares, made: _Arrays, unit: float, clock: Clock) -> Relaxation | None:
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


def refutation_at(shares: Shares, node: Node, relaxed: Relaxation) -> Evidence | None:
    """Round the multipliers, more and more finely, until they refute the node exactly."""
    if relaxed.amount <= VIOLATED:
        return None
    base = relaxed.base.copy()
    if shares.links:
        base[list(shares.links)] = _left_on_key(shares, node, relaxed)
    proposed = np.concatenate([base, relaxed.extra])
    most = float(np.abs(proposed).max(initial=0.0))
    if most <= 0:
        return None
    last = None
    for scale in ROUNDINGS:
        whole = np.rint(proposed / most * scale).astype(np.int64)
        whole //= int(np.gcd.reduce(whole)) or 1
        if last is not None and np.array_equal(whole, last):
            continue
        last = whole
        found = refutation(shares, node, whole[: len(base)], whole[len(base) :].tolist())
        if found is not None:
            return found
    return None


def _left_on_key(shares: Shares, node: Node, relaxed: Relaxation) -> Ints:
    """(R,) what the multipliers leave on the counts of the answer key, its own total included."""
    matrix, _ = shares.rows.real
    labels = shares.n_labels
    gains = np.asarray(matrix[:, :labels].T @ relaxed.base, float)
    for y, row in zip(relaxed.extra, node.extra, strict=True):
        for column in row.columns if len(row.columns) == 1 else ():
            if column < labels:
                gains[column] += y * row.sign
    offset, _ = best_totals(gains[None], node.low[:1], node.high[:1], shares.totals[:1])
    left: Ints = gains + offset[0]
    return left


Leaf = Callable[[Shares, Node, Relaxation], Evidence | None]


def root_refutation(
    shares: Shares, clock: Clock, *, leaf: Leaf = refutation_at
) -> tuple[Evidence | None, Relaxation | None]:
    """Return a refutation without any split, or else the relaxation.

    Where another way to write refutations is known, the conditions are tried alone first: what
    rests on them alone is short, and a person can read it.
    """
    node = shares.root()
    empty = empty_total(shares, node)
    if empty is not None or clock.over:
        return empty, None
    relaxed = None
    for program in (shares.plain(), shares) if shares.write is not None else (shares,):
        node = program.root()
        relaxed = relax(program, node, clock)
        if relaxed is None:
            return None, None
        evidence = leaf(program, node, relaxed)
        if evidence is not None:
            return evidence, None
    return None, relaxed


def find_shares(
    shares: Shares,
    clock: Clock,
    *,
    whole: Ints | None = None,
    fixed: Ints | None = None,
    objective: Ints | None = None,
) -> tuple[Ints | None, bool]:
    """Ask the solver for whole-number shares; return them, rounded, and whether it finished.

    whole : (P,) bool
        Totals whose shares must be whole numbers; the rest is rounded.
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
    if not clock.allows(shares.rows.n_entries / ENTRIES_A_SECOND):
        return None, False
    made = _Arrays.of(shares, Node(low, high), 1.0)
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


def real_shares(shares: Shares, clock: Clock, objective: Ints) -> Ints | None:
    """Return real shares (P, R) that maximise an objective (P * R,), as the solver proposes."""
    if not clock.allows(shares.rows.n_entries / ENTRIES_A_SECOND):
        return None
    made = _Arrays.of(shares, shares.root(), 1.0)
    matrix, bound = made.equal
    point, _ = whole_point(
        [(matrix, bound, bound), (made.left, made.right, np.inf)],
        made.box,
        whole=np.zeros(shares.n_columns, bool),
        objective=objective,
        time_limit=clock.left,
    )
    return None if point is None else point.reshape(shares.low.shape)


Split = tuple[list[Any], int, Node, Node]


class _Tree:
    def __init__(
        self, shares: Shares, clock: Clock, most: int, leaf: Leaf, near: Any = None
    ) -> None:
        self.shares, self.clock, self.left, self.leaf, self.near = shares, clock, most, leaf, near

    def relax(self, node: Node) -> tuple[Node, Relaxation | Evidence]:
        """Return a node as it stands, with its relaxation or the evidence that it is empty."""
        self.left -= 1
        if self.left < 0 or self.clock.over or node.depth > MAX_DEPTH:
            raise _GaveUp
        node = self.shares.refreshed(node)
        empty = empty_total(self.shares, node)
        if empty is not None:
            return node, empty
        relaxed = relax(self.shares, node, self.clock)
        if relaxed is None:
            raise _GaveUp
        return node, relaxed

    def visit(self, node: Node, solved: Any = None) -> Evidence:
        """Return the tree below a node; raises when shares are found, or when it gives up."""
        node, relaxed = solved or self.relax(node)
        if not isinstance(relaxed, Relaxation):
            return relaxed
        leaf = self.leaf(self.shares, node, relaxed)
        if leaf is not None:
            return leaf
        whole = np.rint(relaxed.shares).astype(np.int64)
        for found in (whole,) if self.near is None else (whole, self.near(relaxed.shares)):
            if self.shares.satisfied(found):
                raise _Found(found)
        (form, at, low, high), below, above = self.choose(node, relaxed.shares)
        return {
            "split": form,
            "at": at,
            "low": self.visit(low, below),
            "high": self.visit(high, above),
        }

    def choose(self, node: Node, point: Ints) -> tuple[Split, Any, Any]:
        """Return the next split; among several key counts, try each and keep the strongest."""
        keys = [self._at(node, t, point) for t in self._fractional(node, point[:1])]
        if len(keys) > 1 and self.shares.n_labels > 2 and self.shares.n_columns <= TRIED_BELOW:
            tried = [(split, self.relax(split[2]), self.relax(split[3])) for split in keys]
            return max(tried, key=lambda one: min(_strength(one[1]), _strength(one[2])))
        for split in (*keys, *self._inner(node, point)):
            return split, None, None
        raise _GaveUp

    def _inner(self, node: Node, point: Ints) -> Iterator[Split]:
        """Yield splits below the key: its roundings, correct counts, the first totals, any share."""
        key = np.rint(point[0]).astype(np.int64).tolist()
        flat = point.ravel()
        for _, columns, x, t in self.shares.rounded:
            least = -(-x.numerator * key[t] // x.denominator)
            if node.low[0, t] < key[t] and float(flat[list(columns)].sum()) < least - APART:
                yield self._key(node, t, key[t] - 1)
        yield from self._correct(node, flat)
        for part in (point[: self.shares.n_first], point):
            for column in self._fractional(node, part):
                yield self._at(node, column, point)
        for column in np.flatnonzero(node.low.ravel() < node.high.ravel())[:1].tolist():
            yield self._at(node, column, point)

    def _correct(self, node: Node, flat: Ints) -> Iterator[Split]:
        """Split the most fractional correct count that sums several unknowns."""
        apart = []
        for pair, columns in self.shares.asked.items():
            value = float(flat[list(columns)].sum())
            if len(columns) > 1 and abs(value - round(value)) > APART:
                apart.append((abs(value - round(value)), pair, floor(value)))
        for _, pair, at in sorted(apart, reverse=True)[:1]:
            columns = self.shares.asked[pair]
            low, high = (node.with_row(columns, at, above=side) for side in (False, True))
            yield ["correct", *pair], at, low, high

    def _fractional(self, node: Node, shares: Ints) -> list[int]:
        """Return the fractional unknowns of the first totals, the most fractional one first."""
        free = (node.low < node.high)[: len(shares)]
        distance = (np.abs(shares - np.rint(shares)) * free).ravel()
        apart = np.flatnonzero(distance > APART)
        return [int(c) for c in apart[np.argsort(-distance[apart], kind="stable")]]

    def _at(self, node: Node, column: int, point: Ints) -> Split:
        low, high = int(node.low.flat[column]), int(node.high.flat[column])
        return self._key(node, column, min(max(floor(point.flat[column]), low), high - 1))

    def _key(self, node: Node, column: int, at: int) -> Split:
        sides = node.narrowed(column, at, above=False), node.narrowed(column, at, above=True)
        return self.shares.split_form(column), at, *sides


def _strength(solved: tuple[Node, Any]) -> float:
    """Return how far a side of a split is from possible."""
    relaxed = solved[1]
    return relaxed.amount if isinstance(relaxed, Relaxation) else np.inf


def branch(
    shares: Shares,
    clock: Clock,
    *,
    most: int,
    leaf: Leaf = refutation_at,
    near: Callable[[Ints], Ints] | None = None,
    node: Node | None = None,
) -> tuple[Ints | None, Evidence | None]:
    """Decide by branch and bound: whole-number shares, or evidence that there are none, or neither.

    Parameters
    ----------
    shares : Shares
    most : int
        How many relaxations to solve at most.
    leaf : callable
        Turns a node and its relaxation into a refutation, where it can.
    near : callable, optional
        Whole-number shares near real ones; simple rounding is always tried.
    node : Node, optional
        Where to start; default the root.
    """
    tree = _Tree(shares, clock, most, leaf, near)
    try:
        found = tree.visit(shares.root() if node is None else node)
    except _GaveUp:
        return None, None
    except _Found as whole:
        return whole.args[0], None
    return None, found if "kind" in found else {"kind": "branches", "tree": found}


def keys_meeting(
    shares: Shares, clock: Clock, *, most: int, near: Callable[[Ints], Ints] | None = None
) -> list[tuple[int, ...]] | None:
    """Return every answer key (counts by label) at which the rows can be met.

    None when time ran out. Boxes of keys are halved and dropped as soon as they are refuted.
    """
    tree = _Tree(shares, clock, most, refutation_at, near)
    waiting, keys = [shares.root()], []
    while waiting:
        node = _tightened(waiting.pop(), int(shares.totals[0]))
        try:
            node, relaxed = tree.relax(node)
        except _GaveUp:
            return None
        if not isinstance(relaxed, Relaxation) or refutation_at(shares, node, relaxed) is not None:
            continue
        low, high = node.low[0], node.high[0]
        t = int((high - low).argmax())
        if low[t] < high[t]:
            _, _, below, above = tree._key(node, t, int(low[t] + high[t]) // 2)
            waiting += [above, below]
            continue
        found, evidence = branch(shares, clock, most=most, near=near, node=node)
        if found is not None:
            keys.append(tuple(low.tolist()))
        elif evidence is None:
            return None
    return sorted(keys)


def _tightened(node: Node, n_items: int) -> Node:
    """Return the node with the bounds on the key that its own sum implies."""
    low, high = node.low.copy(), node.high.copy()
    least, most = int(low[0].sum()), int(high[0].sum())
    low[0] = np.maximum(node.low[0], n_items - most + node.high[0])
    high[0] = np.minimum(node.high[0], n_items - least + node.low[0])
    return Node(low, high, node.cited, node.extra, node.depth)
