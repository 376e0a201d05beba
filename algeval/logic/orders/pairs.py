"""Order 2: how often each two judges gave each pair of answers.

What order 1 refutes is refuted here as well, so its evidence stands. Otherwise one relaxation
refutes, whole numbers are laid out on the answer key, and a tree closes what is left between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from algeval.data import Sketch, Specification
from algeval.logic.demand import Frame, level_of, read_specification, select_exam
from algeval.logic.orders.base import Order
from algeval.logic.orders.labelling import Labelling, Levels
from algeval.logic.orders.layout import UNANSWERED, Builder, Layout, check_size
from algeval.logic.orders.many_pairs import settle_pairs, shared_pair_level
from algeval.logic.orders.many_tuples import shared_level
from algeval.logic.orders.order1 import Order1, add_judges, finished
from algeval.logic.orders.pair_counts import Pairs, pair_counts
from algeval.logic.orders.pair_messages import Messages, messages_evidence
from algeval.logic.orders.pair_tables import PairTables
from algeval.logic.orders.whole_pairs import WholePairs, labelled
from algeval.logic.policy import (
    ALL_AT_ONCE_BELOW,
    CLOSED_BELOW,
    PAIR_PRODUCTS,
    PAIRS_AT_ONCE,
    STEP_SHARE,
)
from algeval.logic.proof.clock import Clock
from algeval.logic.proof.outcome import Evidence, Outcome
from algeval.logic.proof.shares import Ints, Shares
from algeval.logic.proof.tree import find_shares

__all__ = ["Order2"]


@dataclass(frozen=True, eq=False)
class Order2(Order):
    """Order 2 on one exam: the shares are the key, single answers, then pairs of answers."""

    source: Sketch | Pairs
    """Where the pairs of answers are counted, or their counts."""
    name: ClassVar[int | str] = 2

    @cached_property
    def observed(self) -> Pairs:
        """How often each two judges gave each pair of answers; counted when first asked for."""
        return pair_counts(self.source) if isinstance(self.source, Sketch) else self.source

    def counted_in_time(self, clock: Clock) -> bool:
        """Whether the pairs of answers can be counted before time runs out."""
        if not isinstance(self.source, Sketch) or "observed" in self.__dict__:
            return not clock.over
        width = self.exam.n_judges * (1 + len(self.exam.answers))
        return clock.allows(len(self.source) * width**2 / PAIR_PRODUCTS)

    @cached_property
    def _laid(self) -> tuple[Layout, dict[tuple[int, int], int], dict[tuple[int, ...], int]]:
        """The layout, and the places of single answers and of pairs that were given."""
        exam = self.exam
        check_size(self.n_unknowns)
        builder = Builder(exam)
        single = add_judges(builder, range(exam.n_judges))
        pair: dict[tuple[int, ...], int] = {}
        margins: dict[tuple[Any, ...], list[int]] = {}
        for (i, j), table in self.observed.items():
            for x, y in np.argwhere(table > 0).tolist():
                name = (i, j, x - 1, y - 1)
                pair[name] = builder.part(("pair", *name), ("pair", *name), int(table[x, y]))
                margins.setdefault(("left", i, j, x - 1), []).append(pair[name])
                margins.setdefault(("right", i, j, y - 1), []).append(pair[name])
        for (side, i, j, a), places in margins.items():
            own = single[i if side == "left" else j, a]
            for t in builder.labels:
                builder.adds_up((side, i, j, a, t), places, own, t)
        return finished(builder, single), single, pair

    @cached_property
    def _given(self) -> int:
        """How many pairs of answers were given."""
        return sum(int((table > 0).sum()) for table in self.observed.values())

    @property
    def n_entries(self) -> int:
        """About how many entries a program of all judges has."""
        return 3 * self._given * self.exam.n_labels

    @property
    def n_unknowns(self) -> int:
        """About how many unknowns its programs have."""
        return self._given * self.exam.n_labels

    @property
    def layout(self) -> Layout:
        """Totals are Q, R[i,a] and the counts of pairs of answers."""
        return self._laid[0]

    @property
    def many(self) -> bool:
        """Whether messages and tables are found pair by pair, not by one program of all."""
        return self.n_unknowns > PAIRS_AT_ONCE and min(self.exam.n_labels, self.exam.n_judges) > 1

    @cached_property
    def tables(self) -> PairTables:
        """The pairs of answers as arrays."""
        return PairTables.of(self.exam, self.observed)

    def select(self, judges: Sequence[int]) -> Order2:
        """Return order 2 for some of the judges."""
        kept = {}
        for x, i in enumerate(judges):
            for y, j in enumerate(judges[x + 1 :], x + 1):
                kept[x, y] = self.observed[i, j] if i < j else self.observed[j, i].T
        return Order2(select_exam(self.exam, judges), kept)

    def quick(self, spec: Specification, clock: Clock) -> Outcome:
        """Refute what order 1 refutes; settle many pairs."""
        first = Order1(self.exam).quick(spec, clock)
        if first.refutation is not None:
            return first
        asked = read_specification(self.exam, spec)
        if not asked.simple or not self.counted_in_time(clock) or not self.many:
            return Outcome()
        key = np.array(asked.low), np.array(asked.high)
        messages, whole = settle_pairs(self.tables, asked.levels, key, clock)
        if messages is not None:
            evidence = self._evidence(messages, asked.levels, spec)
            return Outcome(refutation=evidence, judges=tuple(range(self.exam.n_judges)))
        return Outcome() if whole is None else Outcome(witness=self.witness(self.shares(whole)))

    def met_by(self, group: Sequence[int], spec: Specification, clock: Clock) -> Evidence | None:
        """Return a witness of all judges in which a group meets conditions; None without a quick one."""
        asked = read_specification(self.exam, spec)
        if not asked.simple or not self.counted_in_time(clock) or not self.many:
            return None
        none = (None,) * self.exam.n_labels
        levels = [row if i in group else none for i, row in enumerate(asked.levels)]
        key = np.array(asked.low), np.array(asked.high)
        _, whole = settle_pairs(self.tables, levels, key, clock)
        return None if whole is None else self.witness(self.shares(whole))

    def _evidence(self, messages: Messages, levels: Levels, spec: Specification) -> Evidence:
        """Return messages as evidence about a specification that asks for levels."""

        def asks(i: int, t: int) -> int:
            judge, label = self.exam.judges[i], self.exam.labels[t]
            return next(
                c
                for c, one in enumerate(spec.conditions)
                if one.quantity == "accuracy"
                and one.sense != "<="
                and one.judge in (None, judge)
                and one.label in (None, label)
                and level_of(one, self.exam.n_items) == levels[i][t]
            )

        return messages_evidence(self.tables, messages, levels, asks, self.exam.excused)

    def start(self, frame: Frame) -> Ints | None:
        """Lay all items on one label that may hold them all."""
        free = np.array(frame.high) == self.exam.n_items
        others = np.array(frame.low) > 0
        place = next((t for t in np.flatnonzero(free) if not np.delete(others, t).any()), None)
        if place is None or not self.many:
            return None
        shares = np.zeros((len(self.layout.totals), self.exam.n_labels), np.int64)
        shares[:, place] = self.layout.totals
        return shares

    def bound(self, clock: Clock) -> tuple[Fraction, Evidence, Ints | None] | None:
        """Return the best bound by messages between many pairs, with shares close below it."""
        if not self.many or not self.counted_in_time(clock):
            return None
        found = shared_pair_level(self.tables, clock.part(share=STEP_SHARE))
        if found is None:
            return None
        whole = self._by_tuples(clock) if found.whole is None else found.whole
        spec = Specification.at_least(found.value, strict=True)
        evidence = self._evidence(found.messages, found.levels, spec)
        return found.value, evidence, None if whole is None else self.shares(whole)

    def _by_tuples(self, clock: Clock) -> WholePairs | None:
        """Return the tables of a good labelling of whole tuples, which stands at every order."""
        source = self.source
        if not isinstance(source, Sketch) or clock.over:
            return None
        codes, rule = source.codes, self.exam.rule
        labelling = Labelling.of(codes, source.counts, source.n_labels, missing=rule)
        level = shared_level(labelling, clock)
        return None if level is None else labelled(self.tables, source, level.cells)

    def shares(self, whole: WholePairs) -> Ints:
        """Return the shares behind whole tables of judges and pairs."""
        layout, single, pair = self._laid
        at = {
            (i, c): a for i, row in enumerate(self.tables.code.tolist()) for a, c in enumerate(row)
        }
        place = {pair: p for p, pair in enumerate(self.tables.names)}
        shares = np.zeros((len(layout.totals), self.exam.n_labels), np.int64)
        shares[0] = whole.single[0].sum(0)
        for (i, a), part in single.items():
            shares[part] = whole.single[i, at[i, a]]
        for (i, j, a, b), part in pair.items():
            shares[part] = whole.pairs[place[i, j], at[i, a], at[j, b]]
        return shares

    def solve(self, program: Shares, clock: Clock) -> tuple[Ints | None, bool]:
        """Ask the solver for whole-number shares, checked; and whether it came to an end.

        Whole tables of single judges come first: with them given, two labels have whole pair
        tables wherever they have real ones, and more labels nearly always.
        """
        if program.n_columns > ALL_AT_ONCE_BELOW:
            whole = np.arange(len(program.totals)) < program.n_first
            found, ended = find_shares(program, clock, whole=whole)
            if found is None:
                return (None, True) if ended else super().solve(program, clock)
            if not program.satisfied(found):
                fixed = np.where(whole[:, None], found, -1)
                found, _ = find_shares(program, clock, fixed=fixed)
            if found is not None and program.satisfied(found):
                return found, True
        return super().solve(program, clock)

    def witness(self, shares: Ints) -> Evidence:
        """Return whole-number shares as the evidence of a witness."""
        _, single, pair = self._laid
        answers, table = range(len(self.exam.answers)), shares.tolist()
        codes, nothing = [*answers, UNANSWERED], [0] * self.exam.n_labels

        def cells(i: int, j: int) -> list[Any]:
            places = [[pair.get((i, j, a, b)) for b in codes] for a in codes]
            return [[nothing if p is None else table[p] for p in row] for row in places]

        judges = range(self.exam.n_judges)
        pairs = [[i, j, cells(i, j)] for j in judges for i in range(j)]
        tables = [[table[single[i, a]] for a in answers] for i in judges]
        return {"kind": "witness", "key_counts": table[0], "tables": tables, "pairs": pairs}

    def read(self, witness: Evidence) -> Ints:
        """Return the shares behind the evidence of a witness."""
        layout, single, pair = self._laid
        shares = np.zeros((len(layout.totals), self.exam.n_labels), np.int64)
        shares[0] = witness["key_counts"]
        for (i, a), place in single.items():
            table = np.array(witness["tables"][i])
            shares[place] = shares[0] - table.sum(0) if a == UNANSWERED else table[a]
        tables = {(i, j): table for i, j, table in witness["pairs"]}
        for (i, j, a, b), place in pair.items():
            shares[place] = tables[i, j][a][b]
        return shares

    @property
    def closes_always(self) -> bool:
        """Small programs are decided level by level, whether or not that was asked for."""
        return int(self.layout.totals.size) * self.exam.n_labels <= CLOSED_BELOW
