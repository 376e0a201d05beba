"""The linear relaxation of the full-order program, its rows named; floats that only propose.

Every row is written as ``>=``. The program asks for the least violation s of all rows at once, so
it always has a solution; its dual gives the multipliers of a refutation, its primal a labelling.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from algeval.logic.orders.full_program import FullProgram, Ints, Levels, pairs_asked
from algeval.logic.proof.solver import least_violation

__all__ = ["Relaxed", "Row", "condition_rows", "key_rows", "relax"]


_LARGE = 10**6
"""Counts that add up to more are scaled down for the solver."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row over the cells of label `label`, written as ``>=``.

    kind : "condition" (C - x D >= 0), "rounded" (C >= bound), "cap" (-D >= -bound), "low"
    (q >= bound), "high" (-q >= -bound), or a split on C or on one cell, "correct" and "cell",
    with `sign` 1 (form >= bound) or -1 (form <= bound).
    place : the judge, or the decision tuple of a cell.
    split : which split on the path to the node, for the splits.
    """

    kind: str
    place: int
    label: int
    bound: int = 0
    sign: int = 1
    split: int = -1

    @property
    def right(self) -> int:
        """The right side of the row."""
        return -self.bound if self.kind in ("cap", "high") else self.sign * self.bound


@dataclass(frozen=True, slots=True, eq=False)
class Relaxed:
    """Least violation of all rows, the multipliers (one per row) and a labelling (U, R)."""

    violation: float
    multipliers: Ints
    cells: Ints


def condition_rows(levels: Levels) -> list[Row]:
    """Return the rows C - x D >= 0 that can fail."""
    return [Row("condition", i, t) for i, t in pairs_asked(levels)]


def key_rows(program: FullProgram, low: Sequence[int], high: Sequence[int]) -> list[Row]:
    """Return the rows q >= low and q <= high that say something."""
    rows = []
    for t, (least, most) in enumerate(zip(low, high, strict=True)):
        if least > 0:
            rows.append(Row("low", -1, t, least))
        if most < program.n_items:
            rows.append(Row("high", -1, t, most))
    return rows


def _coefficients(program: FullProgram, row: Row, levels: Levels) -> Ints:
    """(U,) coefficients of a row on the cells of its label."""
    result: Ints = np.full(len(program.counts), 1.0 if row.kind == "low" else -1.0)
    if row.kind in ("condition", "rounded", "correct"):
        result = row.sign * (program.codes[:, row.place] == row.label).astype(float)
    if row.kind == "condition":
        result -= float(levels[row.place][row.label] or 0) * program.held[:, row.place]
    if row.kind == "cap":
        result = -program.held[:, row.place].astype(float)
    if row.kind == "cell":
        result = np.zeros(len(program.counts))
        result[row.place] = row.sign
    return result


@dataclass(frozen=True, slots=True, eq=False)
class _Assembled:
    """The columns of the solver's program, its rows ordered by label."""

    left: Any
    right: Ints
    upper: Ints
    equal: tuple[Any, Ints] | None
    order: list[int]


def _assemble(
    program: FullProgram, rows: Sequence[Row], levels: Levels, counts: Ints, unit: float
) -> _Assembled:
    """Write rows over the cells, label by label; with two labels the second is what is left."""
    from scipy import sparse

    sp: Any = sparse
    n_tuples, n_labels = len(counts), program.n_labels
    blocks = [[i for i, row in enumerate(rows) if row.label == t] for t in range(n_labels)]
    order = [i for block in blocks for i in block]
    matrices = [
        sp.csr_array(
            np.array([_coefficients(program, rows[i], levels) for i in block]).reshape(-1, n_tuples)
        )
        for block in blocks
    ]
    right = np.array([rows[i].right / unit for i in order])
    if n_labels == 2:
        right[len(blocks[0]) :] -= matrices[1] @ counts
        return _Assembled(sp.vstack([matrices[0], -matrices[1]]), right, counts, None, order)
    whole = sp.hstack([sp.eye_array(n_tuples)] * n_labels)
    upper = np.tile(counts, n_labels)
    return _Assembled(sp.block_diag(matrices), right, upper, (whole, counts), order)


def relax(
    program: FullProgram, rows: Sequence[Row], levels: Levels, *, time_limit: float | None = None
) -> Relaxed | None:
    """Solve the relaxation; None when the solver gave up or ran out of time."""
    unit = max(1.0, program.n_items / _LARGE)
    n = program.counts / unit
    made = _assemble(program, rows, levels, n, unit)
    solved = least_violation(
        made.left,
        made.right,
        (np.zeros_like(made.upper), made.upper),
        equal=made.equal,
        time_limit=time_limit,
    )
    if solved is None:
        return None
    multipliers = np.zeros(len(rows))
    multipliers[made.order] = solved.multipliers
    cells = solved.point.reshape(-1, len(n)).T
    if program.n_labels == 2:
        cells = np.column_stack([cells[:, 0], n - cells[:, 0]])
    return Relaxed(solved.amount * unit, multipliers, np.clip(cells, 0, None) * unit)
