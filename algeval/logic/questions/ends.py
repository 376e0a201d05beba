"""The range of a quantity over all consistent evaluations, at any order, both ends proved.

With nothing asked of the judges order 1 has closed forms. Otherwise an end is a value that whole
numbers attain, found by an integer program, beyond which exact multipliers (or a small tree) leave
nothing; what the solver calls the best is believed only when that is proved. Where it does not close,
the end is the best limit that was refuted exactly, and is said to be an outer one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from algeval.data import Condition, Specification
from algeval.logic.exam import Exam
from algeval.logic.orders.base import Order, certified
from algeval.logic.orders.layout import Layout
from algeval.logic.policy import (
    ALL_AT_ONCE_BELOW,
    END_DENOMINATOR,
    END_HALVINGS,
    END_NODES,
    END_SECONDS,
    FAIR_SHARES,
)
from algeval.logic.proof.certificate import Certificate
from algeval.logic.proof.clock import Clock
from algeval.logic.proof.farey import farey_floor, previous_fraction
from algeval.logic.proof.near import near_best
from algeval.logic.proof.outcome import Evidence, Outcome
from algeval.logic.proof.shares import Ints, Shares
from algeval.logic.proof.tree import (
    Leaf,
    branch,
    find_shares,
    refutation_at,
    root_refutation,
)
from algeval.logic.results import RangeProof
from algeval.progress import steps

__all__ = ["Proved", "Quantity", "quantities", "ranges"]

Range = tuple[Fraction, Fraction]
Columns = tuple[int, ...]
Program = tuple[Layout, Shares, Leaf]


@dataclass(frozen=True, slots=True)
class Quantity:
    """What is bounded: judge None means a prevalence, label None a grade."""

    judge: int | None
    label: int | None

    def name(self, exam: Exam) -> str:
        """Return what is bounded in words."""
        if self.judge is None:
            return f"prevalence of {exam.labels[self.label or 0]}"
        judge = exam.judges[self.judge]
        if self.label is None:
            return f"grade of {judge}"
        return f"accuracy of {judge} on {exam.labels[self.label]}"

    def condition(self, exam: Exam, sense: str, value: Fraction) -> Specification:
        """Return the condition that the quantity is so large, or so small."""
        judge = None if self.judge is None else exam.judges[self.judge]
        label = None if self.label is None else exam.labels[self.label]
        kind = "prevalence" if judge is None else "grade" if label is None else "accuracy"
        return Specification((Condition(kind, sense, value, judge, label),))


def quantities(exam: Exam) -> Iterator[Quantity]:
    """Yield every prevalence, grade and accuracy."""
    for t in range(exam.n_labels):
        yield Quantity(None, t)
    for i in range(exam.n_judges):
        yield Quantity(i, None)
        for t in range(exam.n_labels):
            yield Quantity(i, t)


@dataclass(frozen=True, slots=True)
class Proved:
    """A range (None: the quantity is never defined), whether both ends are attained, and the proofs."""

    ends: Range | None
    exact: bool
    proof: RangeProof

    def tightened(self, lower: Proved) -> Proved:
        """Return the range with the ends of a lower order, and their proofs, where these are tighter."""
        if self.exact or self.ends is None or lower.ends is None:
            return self if lower.ends is not None or self.exact else lower
        (low, high), (least, most) = self.ends, lower.ends
        proof = self.proof
        if least > low:
            low, proof = least, replace(proof, lowest=None, below=lower.proof.below)
        if most < high:
            high, proof = most, replace(proof, highest=None, above=lower.proof.above)
        return Proved((low, high), False, proof)


_OPEN = Proved((Fraction(0), Fraction(1)), False, RangeProof())


def ranges(
    order: Order, spec: Specification, clock: Clock, wanted: Sequence[Quantity]
) -> Iterator[tuple[Quantity, Proved]]:
    """Yield prevalences, grades and accuracies with their ranges."""
    found, late = [], []
    for place, what in enumerate(steps(wanted, "finding each range")):
        part = clock.part(share=min(1.0, FAIR_SHARES / (len(wanted) - place)))
        found.append(_range(order, spec, what, part))
        if part.over and not found[-1].exact:
            late.append(place)
    for place in late:
        if not clock.over:
            again = _range(order, spec, wanted[place], clock)
            found[place] = again if again.exact else found[place].tightened(again)
    yield from zip(wanted, found, strict=True)


def _range(order: Order, spec: Specification, what: Quantity, clock: Clock) -> Proved:
    if not order.around_in_time(spec, what.judge, clock):
        return _OPEN
    return _Ends(order, spec, what, clock).range()


class _Ends:
    """Both ends of one quantity over the evaluations that meet a specification."""

    def __init__(self, order: Order, spec: Specification, what: Quantity, clock: Clock) -> None:
        self.order, self.exam, self.spec, self.what, self.clock = (
            order,
            order.exam,
            spec,
            what,
            clock,
        )
        self.held = [] if what.judge is None or what.label is None else [(what.judge, what.label)]
        self.program = self._program(spec)
        self.top, self.bottom = self._parts(self.program[0])

    def _program(self, spec: Specification) -> Program:
        return self.order.around(spec, self.what.judge, self.what.label, self.clock)

    def _parts(self, layout: Layout) -> tuple[Columns, Columns | int]:
        """Return numerator and denominator, as columns or as a number."""
        judge, label = self.what.judge, self.what.label
        if judge is None:
            return (label or 0,), self.exam.n_items
        if label is None:
            labels = range(self.exam.n_labels)
            right = [c for t in labels for c in layout.columns(layout.correct, judge, t)]
            return tuple(right), self.exam.held(judge)
        own = layout.columns(layout.correct, judge, label)
        return own, layout.columns(layout.held, judge, label)

    def range(self) -> Proved:
        """Return the range with its proofs."""
        if self.bottom == 0:
            return Proved(None, True, RangeProof())
        if self.held:
            never = self._refuted(self.spec, self.program)
            if never is not None:
                proof = RangeProof(undefined=self._certified(self.spec, Outcome(refutation=never)))
                return Proved(None, True, proof)
        low, lowest, below = self._end(-1)
        high, highest, above = self._end(1)
        exact = lowest is not None and highest is not None
        proof = RangeProof(lowest=lowest, below=below, highest=highest, above=above)
        closed = (below is not None or low == 0) and (above is not None or high == 1)
        return Proved((low, high), exact and closed, proof)

    def _end(self, sign: int) -> tuple[Fraction, Certificate | None, Certificate | None]:
        """Return the greatest value (sign 1) or the least (sign -1), its witness, and its refutation.

        The solver's best is improved from what it left beyond, until nothing is there.
        """
        limit = Fraction(sign > 0)
        value, point = self._attained(sign, self.program[1])
        while point is not None and value != limit:
            spec = self._beyond(value, sign)
            if spec is None:
                break
            program = self._program(spec)
            evidence = self._refuted(spec, program)
            if evidence is not None:
                beyond = self._certified(spec, Outcome(refutation=evidence))
                return value, self._witness(value, sign, point), beyond
            further, better = self._attained(sign, program[1])
            if better is None:
                outer, beyond = self._outer(value, sign)
                return outer, None, beyond
            value, point = further, better
        if point is None:
            outer, beyond = self._outer(1 - limit, sign)
            return outer, None, beyond
        return value, self._witness(value, sign, point), None

    # proofs

    def _certified(self, spec: Specification, outcome: Outcome) -> Certificate | None:
        return certified(self.order, spec, outcome, self.held)

    def _witness(self, value: Fraction, sign: int, point: Ints) -> Certificate | None:
        spec = self.spec & self.what.condition(self.exam, ">=" if sign > 0 else "<=", value)
        shown = self.order.completed(self.spec, self.what.judge, point)
        return self._certified(spec, Outcome(witness=shown))

    def _beyond(self, value: Fraction, sign: int) -> Specification | None:
        """Return the specification that the quantity is beyond a value; None where that is no number."""
        if sign > 0:
            return self.spec & self.what.condition(self.exam, ">", value)
        if isinstance(self.bottom, int):
            before = value - Fraction(1, self.bottom)
        else:
            before = previous_fraction(value, self.exam.n_items)
        return None if before < 0 else self.spec & self.what.condition(self.exam, "<=", before)

    def _refuted(self, spec: Specification, program: Program) -> Evidence | None:
        """Return evidence that no shares meet the rows, or None."""
        if self.clock.over:
            return None
        quick = self.order.quick(spec, self.clock.part(END_SECONDS))
        if quick.refutation is not None:
            return quick.refutation
        _, shares, leaf = program
        evidence, relaxed = root_refutation(shares, self.clock.part(END_SECONDS), leaf=leaf)
        if evidence is not None or relaxed is None or self._some(shares) is not None:
            return evidence
        most = END_NODES[shares.n_columns > ALL_AT_ONCE_BELOW]
        patience = self.clock.part(END_SECONDS)
        evidence = branch(shares, patience, most=most, leaf=leaf)[1]
        if evidence is None and leaf is not refutation_at:  # splits below the key need every judge
            whole = Order.around(self.order, spec, self.what.judge, self.what.label, self.clock)
            evidence = branch(whole[1], self.clock.part(END_SECONDS), most=most)[1]
        return evidence

    # whole numbers

    def _some(self, shares: Shares) -> Ints | None:
        """Return whole-number shares, checked, if they are found before a tree would refute them."""
        if not self._joint(shares):
            return self._best(shares, (), 0)
        return near_best(shares, np.zeros(shares.n_columns), self.clock.part(END_SECONDS))

    def _joint(self, shares: Shares) -> bool:
        """Whether it is a large program whose totals are all of one kind, as at full order."""
        return shares.n_columns > ALL_AT_ONCE_BELOW and shares.n_first == 1

    def _best(
        self, shares: Shares, top: Columns, a: int, bottom: Columns = (), b: int = 0
    ) -> Ints | None:
        """Return whole-number shares, checked, that maximise a * top + b * bottom, says the solver."""
        weights = np.zeros(shares.n_columns)
        weights[list(top)] += a / max(1, abs(a), abs(b))
        weights[list(bottom)] += b / max(1, abs(a), abs(b))
        first = np.arange(len(shares.totals)) < shares.n_first
        staged = shares.n_columns > ALL_AT_ONCE_BELOW and shares.n_first > 1
        whole = first if staged else None
        clock = self.clock.part(END_SECONDS)
        if self._joint(shares):
            found = near_best(shares, weights, clock)
            if found is not None:
                return found
        found, _ = find_shares(shares, clock, whole=whole, objective=weights)
        if found is not None and staged and not shares.satisfied(found):
            fixed = np.where(first[:, None], found, -1)
            found, _ = find_shares(shares, clock, fixed=fixed)
        return found if found is not None and shares.satisfied(found) else None

    def _attained(self, sign: int, shares: Shares) -> tuple[Fraction, Ints | None]:
        """Return the best value of whole-number shares; ratios by Dinkelbach's rule."""
        point = None if self.clock.over else self._best(shares, self.top, sign)
        value, best = Fraction(-sign), point
        while point is not None:
            total = self.bottom if isinstance(self.bottom, int) else _sum(self.bottom, point)
            reached = Fraction(_sum(self.top, point), total)
            if best is not point and sign * (reached - value) <= 0:
                break
            value, best = reached, point
            if isinstance(self.bottom, int) or self.clock.over:
                break
            p, q = value.numerator, value.denominator
            point = self._best(shares, self.top, sign * q, self.bottom, -sign * p)
        return value, best

    def _outer(self, start: Fraction, sign: int) -> tuple[Fraction, Certificate | None]:
        """Return a limit beyond which one relaxation refutes everything, by halving."""
        near, far, beyond = start, Fraction(sign > 0), None
        for _ in range(END_HALVINGS):
            middle = farey_floor((near + far) / 2, END_DENOMINATOR)
            if self.clock.over or middle in (near, far):
                break
            sense = ">" if sign > 0 else "<="
            spec = self.spec & self.what.condition(self.exam, sense, middle)
            _, shares, leaf = self._program(spec)
            evidence, relaxed = root_refutation(shares, self.clock.part(END_SECONDS), leaf=leaf)
            if evidence is not None:
                far, beyond = middle, self._certified(spec, Outcome(refutation=evidence))
            elif relaxed is None:
                break
            else:
                near = middle
        return far, beyond


def _sum(columns: Columns, shares: Ints) -> int:
    return int(shares.ravel()[list(columns)].sum())
