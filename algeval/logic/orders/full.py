"""Full order: whole decision tuples, each laid on the labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from algeval.data import Evaluation, KeyedSketch, Sketch, Specification
from algeval.logic.demand import Frame, read_specification, select_exam, system_of
from algeval.logic.orders.base import Order
from algeval.logic.orders.closed_form import fill
from algeval.logic.orders.find_key import cap_evidence
from algeval.logic.orders.labelling import Labelling, repair, round_cells
from algeval.logic.orders.layout import Layout, check_size, sparse_ints
from algeval.logic.orders.many_tuples import settle, shared_level
from algeval.logic.orders.weights import best_bound, weights_evidence, weights_writer
from algeval.logic.policy import (
    FIRST_NODES,
    FIRST_NODES_BELOW,
    FULL_NODES,
    TUPLES_AT_ONCE,
    VIOLATED,
)
from algeval.logic.proof.clock import Clock
from algeval.logic.proof.farey import next_fraction
from algeval.logic.proof.outcome import Evidence, Outcome
from algeval.logic.proof.shares import Ints, Rows, Shares
from algeval.logic.proof.tree import relax

__all__ = ["Full"]


@dataclass(frozen=True, eq=False)
class Full(Order):
    """Full order on one exam: the shares are the key, then the cells n(u; t)."""

    sketch: Sketch
    name: ClassVar[int | str] = "full"
    rounds: ClassVar[bool] = True

    @property
    def nodes(self) -> tuple[int, int]:
        """How many relaxations a tree may solve before the integer program, and after it."""
        small = len(self.sketch) * self.exam.n_labels <= FIRST_NODES_BELOW
        return FIRST_NODES[not small], FULL_NODES

    @property
    def many(self) -> bool:
        """Whether weights and labellings are found tuple by tuple, not by one program of all."""
        return len(self.sketch) > TUPLES_AT_ONCE and self.exam.n_labels > 1

    @cached_property
    def labelling(self) -> Labelling:
        """The decision tuples as arrays."""
        s = self.sketch
        return Labelling.of(s.codes, s.counts, s.n_labels, missing=self.exam.rule)

    @property
    def n_entries(self) -> int:
        """About how many entries a program of all judges has."""
        excused = sum(map(bool, self.exam.excused))
        judges = self.exam.n_judges + (excused + 2) * self.exam.n_labels
        return len(self.sketch) * judges

    @property
    def n_unknowns(self) -> int:
        """How many unknowns its programs have."""
        return (len(self.sketch) + 1) * self.exam.n_labels

    @cached_property
    def layout(self) -> Layout:
        """Totals are Q and the counts of the decision tuples."""
        exam, codes, r = self.exam, self.sketch.codes, self.exam.n_labels
        shape = (exam.n_judges * r, (1 + len(codes)) * r)
        u, i = np.nonzero((codes >= 0) & (codes < r))
        t = codes[u, i].astype(np.int64)
        correct = np.column_stack([i * r + t, (1 + u) * r + t, np.ones(len(u), np.int64)])
        excused = np.array([bool(e) for e in exam.excused])
        u, i = np.nonzero((codes >= 0) & excused)
        parts = [np.column_stack([i * r + t, (1 + u) * r + t, np.ones_like(u)]) for t in range(r)]
        parts += [np.array([[i * r + t, t, 1]]) for i in np.flatnonzero(~excused) for t in range(r)]
        rows = range(len(codes))
        columns = np.arange((1 + len(codes)) * r)
        adds = np.column_stack([columns % r, columns, np.where(columns < r, -1, 1)])
        names = [("label", t) for t in range(r)]
        return Layout(
            exam,
            np.concatenate([[exam.n_items], self.sketch.counts]),
            [("size",), *(("tuple", u) for u in rows)],
            [("key",), *(("cell", u) for u in rows)],
            Rows.of(names, sparse_ints(adds, (r, shape[1])), [0] * r, equal=True),
            sparse_ints(correct, shape),
            sparse_ints(np.concatenate(parts), shape),
            links=tuple(range(r)),
        )

    def select(self, judges: Sequence[int]) -> Full:
        """Return full order for some of the judges, on their marginal sketch."""
        part = self.sketch.marginal([self.exam.judges[i] for i in judges])
        return Full(select_exam(self.exam, judges), part)

    def quick(self, spec: Specification, clock: Clock) -> Outcome:
        """Refute by the label caps of order 1, which hold at every order; settle many tuples."""
        asked = read_specification(self.exam, spec)
        found = cap_evidence(self.exam, system_of(self.exam, asked))
        if found is not None:
            return Outcome(refutation=found[0], judges=found[1])
        if not (self.many and asked.simple):
            return Outcome()
        key = np.array(asked.low), np.array(asked.high)
        weights, cells = settle(self.labelling, asked.levels, key, clock)
        if weights is not None:
            judges = tuple(range(self.exam.n_judges))
            return Outcome(refutation=weights_evidence(weights), judges=judges)
        return Outcome() if cells is None else Outcome(witness=self.witness(self.shares(cells)))

    def program(self, spec: Specification, judges: Sequence[int] | None = None) -> Shares:
        """Return the program of a specification, asked of some judges (default: of all)."""
        simple = read_specification(self.exam, spec).simple
        if not simple:
            check_size(self.n_unknowns)
        write = weights_writer(self.exam.n_judges, self.exam.n_labels) if judges is None else None
        return self.layout.program(spec, judges=judges, write=write)

    def near(self, relaxed: Ints) -> Ints:
        """Round tuple by tuple; the key is what the cells add up to."""
        return self.shares(round_cells(self.sketch.counts, relaxed[1:]))

    def shares(self, cells: Ints) -> Ints:
        """Return the shares behind cells (U, R)."""
        return np.vstack([cells.sum(0)[None], cells])

    def start(self, frame: Frame) -> Ints | None:
        """Lay the tuples, in order, on a key within its bounds."""
        counts = self.sketch.counts
        key = fill(frame.low, frame.high, self.exam.n_items)
        ends, cuts = np.cumsum(counts), np.cumsum(key)
        columns = [
            np.maximum(np.minimum(ends, cut) - np.maximum(ends - counts, cut - q), 0)
            for cut, q in zip(cuts, key, strict=True)
        ]
        return self.shares(np.column_stack(columns))

    def bound(self, clock: Clock) -> tuple[Fraction, Evidence, Ints] | None:
        """Return the best bound by weights; of many tuples with shares close below it."""
        if self.many:
            level = shared_level(self.labelling, clock)
            if level is None:
                return None
            return level.value, weights_evidence(level.weights), self.shares(level.cells)
        beyond = next_fraction(Fraction(1), self.exam.n_items)
        found = best_bound(self.labelling, self.proposed, beyond, clock)
        if found is None:
            return None
        near = self.shares(round_cells(self.sketch.counts, found.cells))
        return found.value, weights_evidence(found.weights), near

    def read(self, witness: Evidence) -> Ints:
        """Return the shares behind the evidence of a witness."""
        return self.shares(np.array(witness["cells"], np.int64))

    def repaired(self, program: Shares, shares: Ints, clock: Clock) -> Ints:
        """Move single items until the accuracies asked are met, or as near as that comes."""
        if program.write is None:
            return shares
        levels: list[list[Fraction | None]] = [
            [None] * self.exam.n_labels for _ in self.exam.judges
        ]
        for r, (kind, *places) in enumerate(program.rows.ids):
            if kind == "condition":
                _, i, t = places
                levels[i][t] = Fraction(-program.rows.b[r], program.rows.a[r])
        key = program.low[0], program.high[0]
        return self.shares(repair(self.labelling, shares[1:], levels, key, clock=clock))

    def proposed(self, x: Fraction, clock: Clock) -> tuple[Ints, Ints] | None:
        """Return the weights (N, R) that speak most against level x, and the cells they leave."""
        level = (
            Specification.at_least(x)
            if x <= 1
            else Specification.at_least(Fraction(1), strict=True)
        )
        if not self.in_time(clock):
            return None
        program = self.program(level).plain()
        relaxed = relax(program, program.root(), clock)
        if relaxed is None or relaxed.amount <= VIOLATED:
            return None
        weights = np.zeros((self.exam.n_judges, self.exam.n_labels))
        for r, (kind, *places) in enumerate(program.rows.ids):
            if kind == "condition":
                weights[places[1], places[2]] = relaxed.base[r]
        return weights, relaxed.shares[1:]

    def witness(self, shares: Ints) -> Evidence:
        """Return whole-number shares as the evidence of a witness."""
        return {"kind": "witness", "cells": shares[1:].tolist()}

    def evaluation(self, evidence: Evidence) -> Evaluation:
        """Return the evaluation that a witness shows."""
        cells = np.array(evidence["cells"], np.int64)
        return KeyedSketch(self.sketch, cells).evaluation()

    def among(self, group: Sequence[int], part: Evidence) -> Evidence | None:
        """Return cells of the whole sketch that add up to those of a group's marginal one."""
        marginal = self.sketch.marginal([self.exam.judges[i] for i in group])
        rows = {tuple(codes): place for place, codes in enumerate(marginal.codes.tolist())}
        left = np.array(part["cells"], np.int64)
        cells = np.zeros((len(self.sketch), self.exam.n_labels), np.int64)
        columns = self.sketch.codes[:, list(group)].tolist()
        for u, (codes, need) in enumerate(zip(columns, self.sketch.counts.tolist(), strict=True)):
            row = left[rows[tuple(codes)]]
            for t in range(self.exam.n_labels):
                take = min(need, int(row[t]))
                cells[u, t] = take
                row[t] -= take
                need -= take
        witness: dict[str, Any] = {"kind": "witness", "cells": cells.tolist()}
        return witness
