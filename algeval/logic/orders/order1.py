"""Order 1: how often each judge gave each answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from algeval.data import Specification
from algeval.logic.demand import read_specification, select_exam, system_of
from algeval.logic.exam import Exam
from algeval.logic.orders.base import Order
from algeval.logic.orders.find_key import (
    ALL_SETS,
    find_key,
    first_cuts,
    key_rows,
    refute_keys,
    restated,
)
from algeval.logic.orders.layout import UNANSWERED, Builder, Layout, check_size
from algeval.logic.orders.tables import best_tables, tables_in_time
from algeval.logic.proof.clock import Clock
from algeval.logic.proof.outcome import Evidence, Outcome
from algeval.logic.proof.shares import Ints, Shares
from algeval.logic.proof.tree import Leaf

__all__ = ["Order1", "add_judges", "answers_layout"]


def add_judges(builder: Builder, judges: Sequence[int]) -> dict[tuple[int, int], int]:
    """Add what some judges answered; return the place of each answer's total."""
    exam, single = builder.exam, {}
    for i in judges:
        places = []
        for a, count in enumerate(exam.counts[i]):
            single[i, a] = builder.part(("observed", i, a), ("answer", i, a), count)
            places.append(single[i, a])
        if exam.missing[i]:
            name = ("unanswered", i)
            single[i, UNANSWERED] = builder.part(name, ("answer", i, UNANSWERED), exam.missing[i])
            places.append(single[i, UNANSWERED])
        for t in builder.labels:
            builder.adds_up(("key", i, t), places, 0, t)
    return single


def finished(builder: Builder, single: dict[tuple[int, int], int]) -> Layout:
    """Return a layout in which single answers say who is right, and who is held to an item."""
    exam, answers = builder.exam, range(len(builder.exam.answers))

    def correct(i: int, t: int) -> list[int]:
        return [single[i, t]] if (i, t) in single else []

    def held(i: int, t: int) -> list[int]:
        if not exam.excused[i]:
            return [0]
        return [single[i, a] for a in answers if (i, a) in single]

    return builder.layout(correct, held, 1 + len(single))


def answers_layout(exam: Exam, judges: Sequence[int] | None = None) -> Layout:
    """Return the layout of order 1, of some of the judges (default: of all)."""
    chosen = range(exam.n_judges) if judges is None else judges
    check_size((1 + len(chosen) * len(exam.answers)) * exam.n_labels, lowest=True)
    builder = Builder(exam)
    return finished(builder, add_judges(builder, chosen))


@dataclass(frozen=True, eq=False)
class Order1(Order):
    """Order 1 on one exam: the shares are the key, then each judge's answers by true label."""

    name: ClassVar[int | str] = 1

    @property
    def n_entries(self) -> int:
        """About how many entries a program of all judges has."""
        return 3 * self.exam.n_judges * len(self.exam.answers) * self.exam.n_labels

    @property
    def n_unknowns(self) -> int:
        """How many unknowns its programs have, but for votes not given."""
        return (1 + self.exam.n_judges * len(self.exam.answers)) * self.exam.n_labels

    @cached_property
    def layout(self) -> Layout:
        """Totals are Q and how often each judge gave each answer."""
        return answers_layout(self.exam)

    def select(self, judges: Sequence[int]) -> Order1:
        """Return order 1 for some of the judges."""
        return Order1(select_exam(self.exam, judges))

    def quick(self, spec: Specification, clock: Clock) -> Outcome:
        """Settle accuracies from below by the answer-key counts alone."""
        asked = read_specification(self.exam, spec)
        if not asked.simple:
            return Outcome()
        system = system_of(self.exam, asked)
        key, ended = find_key(system, clock)
        if key is not None:
            tables = tables_in_time(self.exam, system, key, clock)
            return Outcome(witness=None if tables is None else self.at_key(key, tables))
        found = refute_keys(self.exam, spec, system, clock, self.part) if ended else None
        return Outcome() if found is None else Outcome(refutation=found[0], judges=found[1])

    def part(self, spec: Specification, judges: Sequence[int]) -> Shares:
        """Return the program that knows some of the judges only."""
        return answers_layout(self.exam, judges).program(spec, judges=judges)

    def around(
        self, spec: Specification, judge: int | None, label: int | None, clock: Clock
    ) -> tuple[Layout, Shares, Leaf]:
        """Return a program that knows one judge in full, and the others by what they ask of the key."""
        asked = read_specification(self.exam, spec)
        if not self._by_key(spec, judge):
            return super().around(spec, judge, label, clock)
        own = [] if judge is None else [judge]

        def part(judges: Sequence[int]) -> Shares:
            layout = answers_layout(self.exam, judges)
            program = layout.program(spec, judges=judges)
            if judge is None or label is None:
                return program
            return layout.occurs(program, judge, label)

        program, others = part(own), [i for i in range(self.exam.n_judges) if i != judge]
        system = system_of(self.exam, asked).select(others)
        rows = key_rows(system, first_cuts(system), program.n_columns) if others else None
        if rows is not None:
            names = tuple((kind, others[place]) for kind, place in rows.ids)
            program = replace(program, rows=program.rows + replace(rows, ids=names))
        layout = answers_layout(self.exam, own)
        return layout, program, restated(part, own, set(), clock)

    def around_in_time(self, spec: Specification, judge: int | None, clock: Clock) -> bool:
        """Whether the program of `around` can be built and solved before time runs out."""
        return not clock.over and (self._by_key(spec, judge) or self.in_time(clock))

    def _by_key(self, spec: Specification, judge: int | None) -> bool:
        """Whether all judges but one ask something of the key alone."""
        name = None if judge is None else self.exam.judges[judge]
        simple = all(
            c.quantity == "prevalence"
            or (c.judge is not None and c.judge == name)
            or (c.quantity == "accuracy" and c.sense != "<=")
            for c in spec.conditions
        )
        return simple and self.exam.n_labels <= ALL_SETS

    def completed(self, spec: Specification, judge: int | None, shares: Ints) -> Evidence | None:
        """Return tables of all judges at the key of these shares."""
        if not self._by_key(spec, judge):
            return self.witness(shares)
        key = shares[0].tolist()
        system = system_of(self.exam, read_specification(self.exam, spec))
        tables = best_tables(self.exam, system, key)
        if judge is not None:
            tables[judge] = shares[1 : 1 + len(self.exam.answers)].tolist()
        return self.at_key(key, tables)

    def witness(self, shares: Ints) -> Evidence:
        """Return whole-number shares as the evidence of a witness."""
        table, tables, place = shares.tolist(), [], 1
        answers = len(self.exam.answers)
        for missing in self.exam.missing:
            tables.append(table[place : place + answers])
            place += answers + bool(missing)
        return self.at_key(table[0], tables)

    def read(self, witness: Evidence) -> Ints:
        """Return the shares behind the evidence of a witness."""
        rows, key = [witness["key_counts"]], np.array(witness["key_counts"])
        for table, missing in zip(witness["tables"], self.exam.missing, strict=True):
            rows += table
            if missing:
                rows.append((key - np.sum(table, axis=0)).tolist())
        return np.array(rows, np.int64)

    def at_key(self, key: Sequence[int], tables: list[list[list[int]]]) -> Evidence:
        """Return the witness of answer-key counts and tables m[i][a][t]."""
        return {"kind": "witness", "key_counts": list(key), "tables": tables}

    def among(self, group: Sequence[int], part: Evidence) -> Evidence | None:
        """Return tables of all judges at the group's key: the others' answers fit any key."""
        key = part["key_counts"]
        free = Specification.prevalence(None, ">=", 0)
        system = system_of(self.exam, read_specification(self.exam, free))
        tables = best_tables(self.exam, system, key)
        for place, i in enumerate(group):
            tables[i] = part["tables"][place]
        return self.at_key(key, tables)
