"""The rows of order 2 and of full order for any specification, as the certificate format names them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np

from algeval.data import Condition, Sketch, Specification
from algeval.errors import TooLargeError
from algeval.logic.demand import floor_condition, level_of, read_specification
from algeval.logic.exam import Exam
from algeval.logic.orders.pair_counts import Pairs, pair_counts
from algeval.logic.proof.shares import Ints, ShareRows, Shares

__all__ = ["MOST_UNKNOWNS", "PairLayout", "full_shares", "pair_shares"]

MOST_UNKNOWNS = 300_000
"""Programs with more unknowns are refused."""

UNANSWERED = -1
Columns = tuple[int, ...]


class _Builder:
    """Totals first, one after another; then rows on their shares; then the conditions."""

    def __init__(self, exam: Exam, spec: Specification, judges: Sequence[int] | None) -> None:
        self.exam, self.spec = exam, spec
        self.judges = frozenset(range(exam.n_judges) if judges is None else judges)
        self.labels = range(exam.n_labels)
        self.totals = [exam.n_items]
        self.parts: list[tuple[Any, ...]] = [("size",)]
        self.forms: list[tuple[Any, ...]] = [("key",)]
        self.rows = ShareRows()
        self.rounded: list[tuple[tuple[Any, ...], Columns, Fraction, int]] = []

    def part(self, name: tuple[Any, ...], form: tuple[Any, ...], total: int) -> int:
        """Add a total; return its place."""
        self.totals.append(total)
        self.parts.append(name)
        self.forms.append(form)
        return len(self.totals) - 1

    def columns(self, parts: Sequence[int], t: int) -> Columns:
        """Return the shares of label t in some totals."""
        return tuple(p * len(self.labels) + t for p in parts)

    def conditions(
        self, correct: Callable[[int, int], Columns], held: Callable[[int, int], Columns]
    ) -> None:
        """Add the rows of accuracies and grades."""
        for c, condition in enumerate(self.spec.conditions):
            if condition.quantity == "prevalence":
                continue
            for i, judge in enumerate(self.exam.judges):
                if condition.judge not in (None, judge) or i not in self.judges:
                    continue
                if condition.quantity == "grade":
                    right = tuple(v for t in self.labels for v in correct(i, t))
                    self._grade(c, i, condition, right)
                    continue
                for t, label in enumerate(self.exam.labels):
                    if condition.label in (None, label):
                        self._accuracy((c, i, t), condition, correct(i, t), held(i, t))

    def _accuracy(
        self, place: tuple[int, int, int], condition: Condition, right: Columns, held: Columns
    ) -> None:
        x = level_of(condition, self.exam.n_items)
        sign = -1 if condition.sense == "<=" else 1
        p, q = x.numerator, x.denominator
        terms = dict.fromkeys(right, sign * q)
        for column in held:
            terms[column] = terms.get(column, 0) - sign * p
        if sign > 0 and not p:
            return
        self.rows.add(("condition", *place), terms, 0, scale=q)
        if sign > 0:
            _, i, t = place
            most = self.exam.counts[i][t] * q // p
            self.rows.add(("cap", *place), dict.fromkeys(held, -1), -most)
            if not self.exam.excused[i]:
                self.rounded.append((("rounded", *place), right, x, t))

    def _grade(self, c: int, i: int, condition: Condition, right: Columns) -> None:
        bound = level_of(condition, self.exam.n_items) * self.exam.held(i)
        if condition.sense == "<=":
            terms, least = dict.fromkeys(right, -1), -floor(bound)
        else:
            terms, least = dict.fromkeys(right, 1), ceil(bound)
        self.rows.add(("condition", c, i, None), terms, least)

    def build(self, correct: Callable[[int, int], Columns], n_first: int) -> Shares:
        """Return the program, its rows as a sparse matrix."""
        from scipy import sparse

        sp: Any = sparse
        rows, n_labels = self.rows, len(self.labels)
        totals = np.array(self.totals, np.int64)
        high = np.repeat(totals[:, None], n_labels, 1)
        low = np.zeros_like(high)
        asked = read_specification(self.exam, self.spec)
        low[0], high[0] = asked.low, asked.high
        shape = (len(rows.ids), high.size)
        entries = np.array(rows.value, np.int64), (rows.place, rows.column)
        matrix = sp.csr_array(entries, shape=shape, dtype=np.int64)
        table = [[correct(i, t) for t in self.labels] for i in range(self.exam.n_judges)]
        floors = [floor_condition(self.exam, self.spec, t, asked.low[t]) for t in self.labels]
        return Shares(
            totals,
            self.parts,
            self.forms,
            rows,
            matrix,
            low,
            high,
            self.rounded,
            table,
            n_first,
            floors,
        )


def full_shares(sketch: Sketch, exam: Exam, spec: Specification) -> Shares:
    """Return the program of full order: totals are Q and the counts of the decision tuples."""
    _check_size((len(sketch) + 1) * exam.n_labels)
    builder = _Builder(exam, spec, None)
    for u, count in enumerate(sketch.counts.tolist()):
        builder.part(("tuple", u), ("cell", u), count)
    tuples = range(1, len(sketch) + 1)
    for t in builder.labels:
        terms = dict.fromkeys(builder.columns(tuples, t), 1) | {t: -1}
        builder.rows.add(("label", t), terms, 0, equal=True)
    codes = sketch.codes

    def correct(i: int, t: int) -> Columns:
        return builder.columns((np.flatnonzero(codes[:, i] == t) + 1).tolist(), t)

    def held(i: int, t: int) -> Columns:
        if not exam.excused[i]:
            return (t,)
        return builder.columns((np.flatnonzero(codes[:, i] >= 0) + 1).tolist(), t)

    builder.conditions(correct, held)
    return builder.build(correct, 1)


@dataclass(frozen=True, slots=True, eq=False)
class PairLayout:
    """The program of order 2, with the places of its totals.

    single[i, a] and pair[i, j, a, b] are places; a pair of answers that was never given has none.
    """

    shares: Shares
    single: dict[tuple[int, int], int]
    pair: dict[tuple[int, int, int, int], int]

    def evidence(self, exam: Exam, shares: Ints) -> dict[str, Any]:
        """Return whole-number shares as the evidence of a witness."""
        answers, labels = range(len(exam.answers)), exam.n_labels
        codes = [*answers, UNANSWERED]
        table = shares.tolist()
        nothing = [0] * labels
        pairs = [
            [
                i,
                j,
                [
                    [
                        table[self.pair[i, j, a, b]] if (i, j, a, b) in self.pair else nothing
                        for b in codes
                    ]
                    for a in codes
                ],
            ]
            for j in range(exam.n_judges)
            for i in range(j)
        ]
        tables = [[table[self.single[i, a]] for a in answers] for i in range(exam.n_judges)]
        return {"kind": "witness", "key_counts": table[0], "tables": tables, "pairs": pairs}

    def read(self, evidence: dict[str, Any]) -> Ints:
        """Return the shares behind the evidence of a witness."""
        shares = np.zeros(self.shares.low.shape, np.int64)
        shares[0] = evidence["key_counts"]
        for (i, a), place in self.single.items():
            if a != UNANSWERED:
                shares[place] = evidence["tables"][i][a]
        tables = {(i, j): table for i, j, table in evidence["pairs"]}
        for (i, j, a, b), place in self.pair.items():
            shares[place] = tables[i, j][a][b]
        return shares


def pair_shares(
    sketch: Sketch,
    exam: Exam,
    spec: Specification,
    observed: Pairs | None = None,
    *,
    judges: Sequence[int] | None = None,
) -> PairLayout:
    """Return the program of order 2: totals are Q, R[i,a] and the counts of pairs of answers.

    observed : the counts of pairs, where they are known already.
    judges : whom the conditions are asked of; default all.
    """
    observed = pair_counts(sketch) if observed is None else observed
    _check_size(sum(int((table > 0).sum()) for table in observed.values()) * exam.n_labels)
    builder = _Builder(exam, spec, judges)
    single = _singles(builder)
    pair: dict[tuple[int, int, int, int], int] = {}
    for (i, j), table in observed.items():
        for x, y in np.argwhere(table > 0).tolist():
            a, b = x - 1, y - 1
            name = (i, j, a, b)
            pair[name] = builder.part(("pair", *name), ("pair", *name), int(table[x, y]))
    _margins(builder, single, pair)
    excused, answers = exam.excused, range(len(exam.answers))

    def correct(i: int, t: int) -> Columns:
        return builder.columns([single[i, t]], t)

    def held(i: int, t: int) -> Columns:
        return builder.columns([single[i, a] for a in answers], t) if excused[i] else (t,)

    builder.conditions(correct, held)
    return PairLayout(builder.build(correct, 1 + len(single)), single, pair)


def _singles(builder: _Builder) -> dict[tuple[int, int], int]:
    exam = builder.exam
    single: dict[tuple[int, int], int] = {}
    for i in range(exam.n_judges):
        for a, count in enumerate(exam.counts[i]):
            single[i, a] = builder.part(("observed", i, a), ("answer", i, a), count)
        if exam.missing[i]:
            name = ("unanswered", i)
            single[i, UNANSWERED] = builder.part(name, ("answer", i, UNANSWERED), exam.missing[i])
        places = [place for (judge, _), place in single.items() if judge == i]
        for t in builder.labels:
            terms = dict.fromkeys(builder.columns(places, t), 1) | {t: -1}
            builder.rows.add(("key", i, t), terms, 0, equal=True)
    return single


def _margins(
    builder: _Builder,
    single: dict[tuple[int, int], int],
    pair: dict[tuple[int, int, int, int], int],
) -> None:
    """Both margins of each pair table agree with the tables of the two judges."""
    margins: dict[tuple[str, int, int, int], list[int]] = {}
    for (i, j, a, b), place in pair.items():
        margins.setdefault(("left", i, j, a), []).append(place)
        margins.setdefault(("right", i, j, b), []).append(place)
    for (side, i, j, a), places in margins.items():
        own = single[i if side == "left" else j, a]
        for t in builder.labels:
            terms = dict.fromkeys(builder.columns(places, t), 1)
            terms[builder.columns([own], t)[0]] = -1
            builder.rows.add((side, i, j, a, t), terms, 0, equal=True)


def _check_size(n_unknowns: int) -> None:
    if n_unknowns > MOST_UNKNOWNS:
        raise TooLargeError(
            f"the program would have {n_unknowns} unknowns, more than {MOST_UNKNOWNS}; ask at "
            "order 1, or with fewer judges or decision tuples"
        )
