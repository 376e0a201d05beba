"""Full order for any specification: grades, upper limits, conditions on some judges or labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from algeval.data import Sketch, Specification
from algeval.logic.exam import Exam
from algeval.logic.orders.full_program import FullProgram
from algeval.logic.orders.full_whole import round_cells
from algeval.logic.orders.rows import full_shares
from algeval.logic.proof.branching import Clock
from algeval.logic.proof.shares import Ints, Shares
from algeval.logic.proof.tree import branch_shares, find_shares, root_refutation

__all__ = ["General", "decide_general"]

_MOST_NODES = 4_000


@dataclass(frozen=True, slots=True, eq=False)
class General:
    """Cells n(u;t) that meet the specification, or evidence that none do, or neither."""

    cells: Ints | None = None
    evidence: dict[str, Any] | None = None


def decide_general(sketch: Sketch, exam: Exam, spec: Specification, clock: Clock) -> General:
    """Settle a specification: one relaxation, whole numbers from the solver, then a tree.

    Raises
    ------
    TooLargeError
        If there are too many decision tuples.
    """
    shares = full_shares(sketch, exam, spec)
    evidence, relaxed = root_refutation(shares, clock)
    if evidence is not None or relaxed is None:
        return General(evidence=evidence)
    found = _rounded(sketch, shares, relaxed.shares)
    if found is None:
        proposed, _ = find_shares(shares, clock)
        found = proposed if proposed is not None and shares.satisfied(proposed) else None
    if found is None and not clock.over:
        settled = branch_shares(shares, clock, most=_MOST_NODES)
        found, evidence = settled.shares, settled.evidence
    return General(None if found is None else found[1:], evidence)


def _rounded(sketch: Sketch, shares: Shares, relaxed: Ints) -> Ints | None:
    """Round the relaxation tuple by tuple; the key is what its cells add up to."""
    program = FullProgram.build(sketch.codes, sketch.counts, sketch.n_labels, missing="wrong")
    cells = round_cells(program, relaxed[1:])
    found = np.vstack([cells.sum(0)[None], cells])
    return found if shares.satisfied(found) else None
