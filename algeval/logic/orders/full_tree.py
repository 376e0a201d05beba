"""Branch and bound on the full-order program, written so that its tree is the certificate.

Splits go first on the answer key, then on correct counts, then on single cells; every leaf is
refuted by multipliers that were rounded to whole numbers and checked exactly.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from algeval.logic.orders.full_leaf import Evidence, leaf_evidence, refutes
from algeval.logic.orders.full_program import FullProgram, Ints, Levels, cap_judges, pairs_asked
from algeval.logic.orders.full_relax import Relaxed, Row, condition_rows, key_rows, relax
from algeval.logic.orders.full_whole import round_cells
from algeval.logic.orders.weights import whole_weights

__all__ = ["Branching", "Node", "Tree", "attaining_keys", "branch", "root_leaf", "root_node"]

_SCALES = (1, 2, 3, 4, 6, 12, 60, 1000, 10**6, 10**9)
_MAX_DEPTH = 250
_NOISE = 1e-10

Split = tuple[tuple[Any, ...], int]


@dataclass(frozen=True, slots=True)
class Node:
    """What is known at a node: low <= q <= high, and the rows of the splits above it."""

    low: tuple[int, ...]
    high: tuple[int, ...]
    splits: tuple[Row, ...] = ()
    depth: int = 0

    def child(self, split: Split, *, above: bool) -> Node:
        """Return what is known where the form is at most `at`, or at least `at + 1`."""
        (kind, *places), at = split
        bound, sign = (at + 1, 1) if above else (at, -1)
        low, high, rows = list(self.low), list(self.high), self.splits
        if kind == "key":
            if above:
                low[places[0]] = max(low[places[0]], bound)
            else:
                high[places[0]] = min(high[places[0]], bound)
        else:
            rows = (*rows, Row(kind, places[0], places[1], bound, sign, self.depth))
        return Node(tuple(low), tuple(high), rows, self.depth + 1)


@dataclass(frozen=True, slots=True, eq=False)
class Branching:
    """How a tree ended: a labelling that meets every level, or evidence, or neither (gave up)."""

    cells: Ints | None = None
    evidence: Evidence | None = None
    n_nodes: int = 0


class _GaveUp(Exception):  # noqa: N818
    """Time, nodes or depth ran out."""


class _Found(Exception):  # noqa: N818
    """A labelling meets every level; holds it."""


def root_node(program: FullProgram) -> Node:
    """Return the node at which no more is known of the answer key than its given bounds."""
    return Node(program.low, program.high)


@dataclass(eq=False)
class Tree:
    """One refutation in progress."""

    program: FullProgram
    levels: Levels
    conditions: Ints
    until: float | None = None
    max_nodes: int = 20_000
    n_nodes: int = 0
    caps: list[tuple[int, int] | None] = field(init=False)
    slack_caps: list[Row] = field(init=False)

    def __post_init__(self) -> None:
        self.caps = cap_judges(self.program, self.levels)
        observed = self.program.observed().tolist()
        self.slack_caps = []
        for i, t in pairs_asked(self.levels):
            x = self.levels[i][t]
            if x and not self.program.always[i]:
                most = observed[i][t] * x.denominator // x.numerator
                self.slack_caps.append(Row("cap", i, t, most))

    def rows(self, node: Node) -> list[Row]:
        """Return every row that holds at a node."""
        rows = condition_rows(self.levels)
        for i, t in pairs_asked(self.levels):
            bound = _ceiling(self.levels[i][t], node.low[t])
            if self.program.always[i] and bound > 0:
                rows.append(Row("rounded", i, t, bound))
        for t, cap in enumerate(self.caps):
            if cap is not None and cap[0] < node.high[t]:
                rows.append(Row("cap", cap[1], t, cap[0]))
        rows += key_rows(self.program, node.low, node.high)
        return rows + self.slack_caps + list(node.splits)

    def relax(self, node: Node) -> tuple[list[Row], Relaxed]:
        """Solve the relaxation at a node."""
        rows = self.rows(node)
        return rows, self.solve(rows)

    def solve(self, rows: Sequence[Row]) -> Relaxed:
        """Solve the relaxation of some rows, counting it."""
        left = None if self.until is None else self.until - time.monotonic()
        if self.n_nodes >= self.max_nodes or (left is not None and left <= 0):
            raise _GaveUp
        self.n_nodes += 1
        relaxed = relax(self.program, rows, self.levels, time_limit=left)
        if relaxed is None:
            raise _GaveUp
        return relaxed

    def leaf(self, rows: Sequence[Row], relaxed: Relaxed) -> Evidence | None:
        """Return a checked refutation of a node, None when there is none."""
        if relaxed.violation <= _NOISE:
            return None
        for scale in _SCALES:
            whole = whole_weights(relaxed.multipliers, scale).tolist()
            if refutes(self.program, self.levels, rows, whole):
                return leaf_evidence(self.program, self.levels, self.conditions, rows, whole)
        return None

    def refute(self, node: Node, solved: tuple[list[Row], Relaxed] | None = None) -> Evidence:
        """Return the tree below a node; raises when a labelling turns up or the effort runs out."""
        rows, relaxed = solved or self.relax(node)
        leaf = self.leaf(rows, relaxed)
        if leaf is not None:
            return leaf
        rounded = round_cells(self.program, relaxed.cells)
        if self.program.meets(rounded, self.levels):
            raise _Found(rounded)
        split, below, above = self._choose(node, relaxed, rounded)
        (form, at) = split
        return {
            "split": list(form),
            "at": at,
            "low": self.refute(node.child(split, above=False), below),
            "high": self.refute(node.child(split, above=True), above),
        }

    def _choose(self, node: Node, relaxed: Relaxed, rounded: Ints) -> tuple[Split, Any, Any]:
        """Return the next split; among several key counts, try each and keep the strongest."""
        if node.depth >= _MAX_DEPTH:
            raise _GaveUp
        keys = _fractional_keys(node, relaxed.cells)
        if len(keys) > 1 and self.program.n_labels > 2:
            tried = [
                (
                    split,
                    self.relax(node.child(split, above=False)),
                    self.relax(node.child(split, above=True)),
                )
                for split in keys
            ]
            return max(tried, key=lambda one: min(one[1][1].violation, one[2][1].violation))
        if keys:
            return keys[0], None, None
        for split in self._whole_key_splits(node, relaxed.cells):
            return split, None, None
        return self._inner_split(node, relaxed.cells, rounded), None, None

    def _whole_key_splits(self, node: Node, cells: Ints) -> Iterator[Split]:
        """Split at a whole key count whose own rounding the labelling violates."""
        right, key = self.program.correct(cells), np.rint(cells.sum(0)).astype(int).tolist()
        for i, t in pairs_asked(self.levels):
            if self.program.always[i] and node.low[t] < key[t]:
                asked = _ceiling(self.levels[i][t], key[t])
                if right[i, t] < asked - 1e-6:
                    yield ("key", t), key[t] - 1

    def _inner_split(self, node: Node, cells: Ints, rounded: Ints) -> Split:
        """Split a fractional correct count, else a fractional cell, else any that is still free."""
        right = self.program.correct(cells)
        pairs = pairs_asked(self.levels)
        distance = [abs(right[i, t] - round(right[i, t])) for i, t in pairs]
        if distance and max(distance) > 1e-6:
            i, t = pairs[int(np.argmax(distance))]
            return ("correct", i, t), int(np.floor(right[i, t]))
        apart = np.abs(cells - np.rint(cells))
        if apart.max() > 1e-6:
            u, t = (int(p) for p in np.unravel_index(apart.argmax(), apart.shape))
            return ("cell", u, t), int(np.floor(cells[u, t]))
        return self._free_cell(node, rounded)

    def _free_cell(self, node: Node, rounded: Ints) -> Split:
        low = np.zeros_like(rounded)
        high = np.repeat(self.program.counts[:, None], self.program.n_labels, 1)
        for row in node.splits:
            if row.kind == "cell":
                ends, pick = (low, max) if row.sign > 0 else (high, min)
                ends[row.place, row.label] = pick(ends[row.place, row.label], row.bound)
        free = np.argwhere(low < high)
        if not len(free):
            raise _GaveUp
        u, t = (int(p) for p in free[0])
        value = int(np.clip(rounded[u, t], low[u, t], high[u, t]))
        return ("cell", u, t), value - 1 if value > low[u, t] else value


def _ceiling(level: Fraction | None, count: int) -> int:
    return 0 if level is None else -(-level.numerator * count // level.denominator)


def _fractional_keys(node: Node, cells: Ints) -> list[Split]:
    key = cells.sum(0)
    result: list[Split] = []
    for t, (low, high) in enumerate(zip(node.low, node.high, strict=True)):
        at = int(np.floor(key[t]))
        if abs(key[t] - round(float(key[t]))) > 1e-6 and low <= at < high:
            result.append((("key", t), at))
    return result


def root_leaf(
    program: FullProgram, levels: Levels, conditions: Ints, *, until: float | None = None
) -> tuple[Evidence | None, Ints | None]:
    """Return a refutation without any split, or else the labelling of the relaxation (U, R).

    The conditions are tried alone first: their multipliers are weights, which a person can read.
    """
    tree = Tree(program, levels, conditions, until)
    node = root_node(program)
    plain = condition_rows(levels) + key_rows(program, node.low, node.high)
    try:
        relaxed = tree.solve(plain)
        evidence = tree.leaf(plain, relaxed)
        if evidence is None and len(tree.rows(node)) > len(plain):
            rows, relaxed = tree.relax(node)
            evidence = tree.leaf(rows, relaxed)
    except _GaveUp:
        return None, None
    return evidence, relaxed.cells


def branch(
    program: FullProgram,
    levels: Levels,
    conditions: Ints,
    *,
    node: Node | None = None,
    until: float | None = None,
    max_nodes: int = 20_000,
) -> Branching:
    """Decide by branch and bound whether some key and labelling meets every level."""
    tree = Tree(program, levels, conditions, until, max_nodes)
    try:
        found = tree.refute(node or root_node(program))
    except _GaveUp:
        return Branching(n_nodes=tree.n_nodes)
    except _Found as labelling:
        return Branching(cells=labelling.args[0], n_nodes=tree.n_nodes)
    evidence = found if "kind" in found else {"kind": "branches", "tree": found}
    return Branching(evidence=evidence, n_nodes=tree.n_nodes)


def attaining_keys(
    program: FullProgram, levels: Levels, conditions: Ints, *, until: float | None = None
) -> list[tuple[int, ...]] | None:
    """Return every answer key (counts by label) at which the levels can be met.

    None when time ran out. Boxes of keys are halved and dropped as soon as they are refuted.
    """
    tree = Tree(program, levels, conditions, until)
    waiting, keys = [root_node(program)], []
    while waiting:
        node = _tighten(waiting.pop(), program.n_items)
        if node is None:
            continue
        try:
            rows, relaxed = tree.relax(node)
        except _GaveUp:
            return None
        if tree.leaf(rows, relaxed) is not None:
            continue
        widths = [high - low for low, high in zip(node.low, node.high, strict=True)]
        if max(widths) > 0:
            t = widths.index(max(widths))
            split: Split = ("key", t), (node.low[t] + node.high[t]) // 2
            waiting += [node.child(split, above=True), node.child(split, above=False)]
            continue
        decided = branch(program, levels, conditions, node=node, until=until)
        if decided.cells is not None:
            keys.append(node.low)
        elif decided.evidence is None:
            return None
    return sorted(keys)


def _tighten(node: Node, n_items: int) -> Node | None:
    """Return the node with the bounds its own sum implies, None when no key lies in it."""
    low, high = node.low, node.high
    low_sum, high_sum = sum(low), sum(high)
    if (
        low_sum > n_items
        or high_sum < n_items
        or any(a > b for a, b in zip(low, high, strict=True))
    ):
        return None
    tight_low = tuple(max(a, n_items - high_sum + b) for a, b in zip(low, high, strict=True))
    tight_high = tuple(min(b, n_items - low_sum + a) for a, b in zip(low, high, strict=True))
    return Node(tight_low, tight_high, node.splits, node.depth)
