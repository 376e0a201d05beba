"""Decide one set of levels at full order: a labelling, a refutation, or neither in the time given.

The cheap means come first: label caps, one relaxation, rounding with repair, a small tree; then
HiGHS looks for a labelling, and a full tree writes the refutation that solvers do not export.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from algeval.logic.orders.full_leaf import cap_evidence
from algeval.logic.orders.full_program import FullProgram, Ints, Levels
from algeval.logic.orders.full_tree import branch, root_leaf
from algeval.logic.orders.full_whole import integer_program, repair, round_cells

__all__ = ["Decided", "decide"]

_SMALL_TREE = 40
_BEFORE_SOLVER = 400
"""Below this many cells a tree is at least as quick as a call of the solver."""


@dataclass(frozen=True, slots=True, eq=False)
class Decided:
    """A labelling that meets every level (cells), or evidence that none does, or neither."""

    cells: Ints | None = None
    evidence: dict[str, Any] | None = None

    @property
    def feasible(self) -> bool | None:
        """True, False, or None when undecided."""
        if self.cells is None and self.evidence is None:
            return None
        return self.cells is not None


def decide(
    program: FullProgram,
    levels: Levels,
    conditions: Ints,
    *,
    until: float | None = None,
    max_nodes: int = 20_000,
) -> Decided:
    """Decide whether some key and labelling meets every level (all of them C >= x D)."""
    quick = without_tree(program, levels, conditions, until=until)
    if quick.feasible is not None:
        return quick
    small = _SMALL_TREE if program.counts.size * program.n_labels > _BEFORE_SOLVER else 500
    tree = branch(program, levels, conditions, until=until, max_nodes=min(small, max_nodes))
    left = None if until is None else (until - time.monotonic()) / 2
    if tree.cells is None and tree.evidence is None and (left is None or left > 0):
        cells, ended = integer_program(program, levels, time_limit=left)
        if cells is not None:
            return Decided(cells=cells)
        if ended:
            tree = branch(program, levels, conditions, until=until, max_nodes=max_nodes)
    return Decided(tree.cells, tree.evidence)


def without_tree(
    program: FullProgram, levels: Levels, conditions: Ints, *, until: float | None = None
) -> Decided:
    """Try label caps, one relaxation, and rounding with repair."""
    caps = cap_evidence(program, levels, conditions)
    if caps is not None:
        return Decided(evidence=caps)
    evidence, cells = root_leaf(program, levels, conditions, until=until)
    if evidence is not None or cells is None:
        return Decided(evidence=evidence)
    found = repair(program, round_cells(program, cells), levels)
    return Decided(cells=found if program.meets(found, levels) else None)
