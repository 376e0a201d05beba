"""Order m: how often every m judges together gave each answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from algeval.data import Sketch, Specification
from algeval.errors import TooLargeError
from algeval.logic.exam import Frame, select_exam
from algeval.logic.orders.base import UNANSWERED, Builder, Layout, Order, decide, restricted
from algeval.logic.orders.chains import Chains, fits
from algeval.logic.orders.full import Full
from algeval.logic.orders.order1 import Order1, add_judges, finished
from algeval.logic.orders.pair_interior import Pairs, pair_counts
from algeval.logic.policy import (
    ALL_AT_ONCE_BELOW,
    CLOSED_BELOW,
    FULL_SHARE,
    GROUPS_SHARE,
    GROUPS_TRIED,
    LOOKED_AT_FIRST,
    MOST_UNKNOWNS,
    MOST_UNKNOWNS_BETWEEN,
)
from algeval.logic.proof import Clock, Evidence, Ints, Outcome, Shares, find_shares

# --- Order m: tables of every m judges, which agree where they share judges.
#
# The unknowns are the tables of the answers of 2, 3, ... m judges, beside those of order 1. What a lower
# order refutes stands here as well, since its rows are rows of this program. Three things settle most
# questions before that program is built. A labelling of whole tuples has tables of every order, so what full
# order allows is allowed here. Judges that are at most m in number, but for those whose answers follow from
# those of one other, are at full order among themselves. So m judges that cannot meet the conditions by
# themselves are a refutation, and the one that reads best.


Names = tuple[int, ...]


def independent(codes: Ints) -> list[int]:
    """Columns left when those that are a function of one other are dropped (a copy, a constant).

    Examples
    --------
    >>> independent(np.array([[0, 0, 1, 0], [0, 1, 0, 0], [1, 1, 1, 0]]))
    [0, 1, 2]
    """
    left = list(range(codes.shape[1]))
    values = codes.astype(np.int64) - UNANSWERED
    width = int(values.max(initial=0)) + 1

    def follows(i: int, j: int) -> bool:
        return all(
            len(np.unique(part[:, i] * width + part[:, j])) == len(np.unique(part[:, i]))
            for part in (values[:LOOKED_AT_FIRST], values)
        )

    for j in reversed(range(codes.shape[1])):
        if any(i != j and follows(i, j) for i in left):
            left.remove(j)
    return left


class Among(Full):
    """Full order of so few judges that order m of all says the same of them."""

    def as_evidence(self, evidence: Evidence) -> Evidence:
        """Refutation at full order, marked as one in a claim of a lower order."""
        return {"kind": "together", "evidence": evidence}


@dataclass(frozen=True, eq=False)
class Tables(Order):
    """Order m on one exam: the shares are the key, single answers, then those of 2 to m judges."""

    source: Sketch | Pairs
    """Where answers are counted; of pairs alone, also their counts."""
    name: int = 2

    @cached_property
    def full(self) -> Full:
        """Full order of the same votes."""
        assert isinstance(self.source, Sketch)
        return Full(self.exam, self.source)

    def observed_answers(self, judges: Names) -> Iterator[tuple[Names, int]]:
        """Yield answers that some judges gave together, and how often."""
        assert isinstance(self.source, Sketch)
        answers, index = self._grouped(judges)
        counts = np.zeros(len(answers), np.int64)
        np.add.at(counts, index, self.source.counts)
        for row, count in zip(answers.tolist(), counts.tolist(), strict=True):
            yield tuple(row), count

    def _grouped(self, judges: Names) -> tuple[Ints, Ints]:
        """Distinct answers of some judges, and which of them each decision tuple has."""
        assert isinstance(self.source, Sketch)
        columns = self.source.codes[:, list(judges)]
        number = np.zeros(len(columns), np.int64)
        for column in columns.T:
            number = number * (len(self.exam.answers) + 1) + (column - UNANSWERED)
        _, first, index = np.unique(number, return_index=True, return_inverse=True)
        return columns[first], index

    @cached_property
    def _laid(self) -> tuple[Layout, dict[tuple[int, int], int], dict[tuple[Names, Names], int]]:
        """The layout, and the places of single answers and of answers given together."""
        exam = self.exam
        self.check_size()
        builder = Builder(exam)
        single = add_judges(builder, range(exam.n_judges))
        whole: dict[tuple[Names, Names], int] = {}
        whole |= {((i,), (a,)): index for (i, a), index in single.items()}
        for size in range(2, min(self.name, exam.n_judges) + 1):
            for judges in combinations(range(exam.n_judges), size):
                margins: dict[tuple[int, Names], list[int]] = {}
                for said, count in self.observed_answers(judges):
                    form = _form(judges, said)
                    index = whole[judges, said] = builder.part(form, form, count)
                    for k in range(size):
                        margins.setdefault((k, said[:k] + said[k + 1 :]), []).append(index)
                for (k, rest), indices in margins.items():
                    own = whole[judges[:k] + judges[k + 1 :], rest]
                    for t in builder.labels:
                        builder.adds_up((*_margin(judges, k, rest), t), indices, own, t)
        together = {form: index for form, index in whole.items() if len(form[0]) > 1}
        return finished(builder, single), single, together

    @cached_property
    def _answered(self) -> int:
        """About how many answers were given together by 2 to m judges, at most."""
        exam, width = self.exam, len(self.exam.answers) + any(self.exam.missing)
        different = len(self.source) if isinstance(self.source, Sketch) else exam.n_items
        sizes = range(2, min(self.name, exam.n_judges) + 1)
        return sum(comb(exam.n_judges, k) * min(width**k, different) for k in sizes)

    @property
    def n_entries(self) -> int:
        """About how many entries a program of all judges has."""
        return (1 + self.name) * self._answered * self.exam.n_labels

    @property
    def n_unknowns(self) -> int:
        """About how many unknowns its programs have."""
        return self._answered * self.exam.n_labels

    def check_size(self) -> None:
        """Refuse a program that is too large, and name the order that is not."""
        most = MOST_UNKNOWNS if self.name == 2 else MOST_UNKNOWNS_BETWEEN
        if self.n_unknowns > most:
            full = f" (full order has {self.full.n_unknowns})" if self.name > 2 else ""
            raise TooLargeError(
                f"the program of order {self.name} would have up to {self.n_unknowns} unknowns, more than "
                f"{most}; ask at full order{full}, at order 1, or with fewer judges"
            )

    @property
    def layout(self) -> Layout:
        """Totals are Q, R[i,a] and the counts of answers given together."""
        return self._laid[0]

    @property
    def closes_always(self) -> bool:
        """Small programs are decided level by level, whether or not that was asked for."""
        return int(self.layout.totals.size) * self.exam.n_labels <= CLOSED_BELOW

    def select(self, judges: Sequence[int]) -> Order:
        """Same order for some of the judges; of m or fewer that is full order."""
        assert isinstance(self.source, Sketch)
        exam = select_exam(self.exam, judges)
        part = self.source.marginal([self.exam.judges[i] for i in judges])
        if len(independent(part.codes)) <= self.name:
            return Among(exam, part)
        return Tables(exam, part, self.name)

    def quick(self, spec: Specification, clock: Clock) -> Outcome:
        """Settle it at order 1, at full order or by m judges alone, where that will do."""
        first = Order1(self.exam).quick(spec, clock)
        if first.refutation is not None:
            return first
        assert isinstance(self.source, Sketch)
        everyone = tuple(range(self.exam.n_judges))
        among = self.select(everyone)
        above = decide(
            among if isinstance(among, Among) else self.full, spec, clock.part(share=FULL_SHARE)
        )
        if above.witness is not None:
            return Outcome(witness=self.witness(self.shares_of(above.witness)))
        if isinstance(among, Among):
            return above
        if fits(self.exam):
            pairs = Chains(self.exam, pair_counts(self.source))
            _, refuted = pairs.settle(spec, clock)
            if refuted is not None:
                return Outcome(refutation=refuted, judges=everyone)
        outcome = self._by_groups(spec, clock.part(share=GROUPS_SHARE))
        if outcome.refutation is None:
            self.check_size()
        return outcome

    def _by_groups(self, spec: Specification, clock: Clock) -> Outcome:
        """Refute by m judges who cannot meet the conditions by themselves, those who differ most first."""
        assert isinstance(self.source, Sketch)
        names, codes, counts = self.exam.judges, self.source.codes, self.source.counts
        groups = list(combinations(range(self.exam.n_judges), self.name))
        agreed = []
        for group in groups[: 10 * GROUPS_TRIED]:
            votes = [(codes[:, list(group)] == t).sum(1) for t in range(self.exam.n_labels)]
            agreed.append(int((np.max(votes, axis=0) * counts).sum()))
        for index in np.argsort(agreed, kind="stable")[:GROUPS_TRIED].tolist():
            if clock.over:
                break
            group = groups[index]
            wanted = restricted(spec, self.exam, group)
            outcome = decide(self.select(group), wanted, clock.part())
            if outcome.refutation is not None:
                who = [names[i] for i in group]
                tree = {"conflict": 0, "children": dict.fromkeys(who)}
                conflict = {"judges": who, "evidence": outcome.refutation}
                evidence = {"kind": "conflicts", "conflicts": [conflict], "tree": tree}
                return Outcome(refutation=evidence, judges=group)
        return Outcome()

    def start(self, frame: Frame) -> Ints | None:
        """Tables of some labelling of whole tuples."""
        cells = self.full.start(frame)
        return None if cells is None else self.shares_of_cells(cells[1:])

    def among(self, group: Sequence[int], part: Evidence) -> Evidence | None:
        """Tables of all judges behind a labelling of a group's tuples, where it is one."""
        if "cells" not in part:
            return None
        whole = self.full.among(group, part)
        return None if whole is None else self.witness(self.shares_of(whole))

    def shares_of(self, witness: Evidence) -> Ints:
        """Shares behind the witness of a labelling of whole tuples."""
        return self.shares_of_cells(np.array(witness["cells"], np.int64))

    def shares_of_cells(self, cells: Ints) -> Ints:
        """Shares behind a labelling (U, R) of whole decision tuples."""
        layout, single, together = self._laid
        shares = np.zeros((len(layout.totals), self.exam.n_labels), np.int64)
        shares[0] = cells.sum(0)
        sums_of: dict[Names, dict[Names, Ints]] = {}
        alone = {((i,), (a,)): index for (i, a), index in single.items()}
        for (judges, said), total in (alone | together).items():
            if judges not in sums_of:
                answers, index = self._grouped(judges)
                sums = np.zeros((len(answers), self.exam.n_labels), np.int64)
                np.add.at(sums, index, cells)
                sums_of[judges] = {
                    tuple(row): part for row, part in zip(answers.tolist(), sums, strict=True)
                }
            if said in sums_of[judges]:
                shares[total] = sums_of[judges][said]
        return shares

    def solve(self, program: Shares, clock: Clock) -> tuple[Ints | None, bool]:
        """Ask the solver for whole-number shares, checked; and whether it came to an end.

        Whole tables of single judges come first: with them given, two labels have whole pair
        tables wherever they have real ones, and more labels nearly always.
        """
        if program.n_columns > ALL_AT_ONCE_BELOW:
            whole = np.arange(len(program.totals)) < program.n_first
            whole_, ended = find_shares(program, clock, whole=whole)
            if whole_ is None:
                return (None, True) if ended else super().solve(program, clock)
            if not program.satisfied(whole_):
                fixed = np.where(whole[:, None], whole_, -1)
                whole_, _ = find_shares(program, clock, fixed=fixed)
            if whole_ is not None and program.satisfied(whole_):
                return whole_, True
        return super().solve(program, clock)

    def witness(self, shares: Ints) -> Evidence:
        """Whole-number shares as the evidence of a witness."""
        _, single, together = self._laid
        table, answers = shares.tolist(), range(len(self.exam.answers))
        tables = [[table[single[i, a]] for a in answers] for i in range(self.exam.n_judges)]
        sets: dict[Names, list[Any]] = {}
        for (judges, said), index in together.items():
            if len(judges) == self.name:
                sets.setdefault(judges, []).append([list(said), table[index]])
        shown = [[list(judges), rows] for judges, rows in sets.items()]
        return {"kind": "witness", "key_counts": table[0], "tables": tables, "sets": shown}

    def singles(self, witness: Evidence) -> Ints:
        """Shares of the key and of single answers behind a witness, the rest 0."""
        layout, single, _ = self._laid
        shares = np.zeros((len(layout.totals), self.exam.n_labels), np.int64)
        shares[0] = witness["key_counts"]
        for (i, a), index in single.items():
            table = np.array(witness["tables"][i])
            shares[index] = shares[0] - table.sum(0) if a == UNANSWERED else table[a]
        return shares

    def read(self, witness: Evidence) -> Ints:
        """Shares behind the evidence of a witness."""
        shares, together = self.singles(witness), self._laid[2]
        done: set[Names] = set()
        indices = [p for k in range(2, self.name + 1) for p in combinations(range(self.name), k)]
        for judges, rows in witness["sets"]:
            parts = [(p, tuple(judges[k] for k in p)) for p in indices]
            for p, part in parts:
                for said, items in rows if part not in done else ():
                    shares[together[part, tuple(said[k] for k in p)]] += np.array(items)
            done.update(part for _, part in parts)
        return shares


def _form(judges: Names, said: Names) -> tuple[Any, ...]:
    """Name of a total, and of the form that splits its shares: pairs have names of their own."""
    if len(judges) == 2:
        return ("pair", *judges, *said)
    return ("table", judges, said)


def _margin(judges: Names, k: int, rest: Names) -> tuple[Any, ...]:
    """Name, but for the label, of the row that a table adds up to that without the k-th judge."""
    if len(judges) == 2:
        return (("right", "left")[k], *judges, *rest)
    return ("margin", judges, judges[k], rest)
