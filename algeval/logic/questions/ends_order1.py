"""Order 1: the least and greatest value of a quantity over all consistent evaluations.

With nothing asked of the judges everything is known in closed form. Otherwise the ends come from
integer programs: each end is attained by whole numbers checked exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from algeval.data import Specification
from algeval.logic.demand import Asked, System, read_specification, system_of
from algeval.logic.exam import Exam
from algeval.logic.orders.order1_rows import Order1, build_rows
from algeval.logic.proof.branching import Clock
from algeval.logic.proof.program import Program, Row, satisfied
from algeval.logic.proof.solver import propose_integers

__all__ = ["Quantity", "Undecided", "free_range", "quantities", "range_within"]

Range = tuple[Fraction, Fraction]


class Undecided(Exception):  # noqa: N818
    """The solver stopped without an answer."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """What is bounded: judge None means a prevalence, label None a grade."""

    judge: int | None
    label: int | None


def quantities(exam: Exam) -> Iterator[Quantity]:
    """Yield every prevalence, grade and accuracy."""
    for t in range(exam.n_labels):
        yield Quantity(None, t)
    for i in range(exam.n_judges):
        yield Quantity(i, None)
        for t in range(exam.n_labels):
            yield Quantity(i, t)


def free_range(exam: Exam, what: Quantity) -> Range | None:
    """Return the range with nothing asked: every answer key is consistent at order 1."""
    zero, one = Fraction(0), Fraction(1)
    if what.judge is None:
        return (zero, one) if exam.n_labels > 1 else (one, one)
    held = exam.held(what.judge)
    given = exam.counts[what.judge][: exam.n_labels]
    if held == 0:
        return None
    highest = Fraction(sum(given), held)
    if exam.n_labels == 1:
        return highest, highest
    if what.label is None:
        return zero, highest
    count = given[what.label]
    return (one if count == held else zero), (one if count else zero)


class _Ends:
    """The integer program of one judge, with the other judges through the answer key alone."""

    def __init__(
        self, exam: Exam, spec: Specification, asked: Asked, judge: int | None, clock: Clock
    ) -> None:
        self.exam, self.judge, self.clock = exam, judge, clock
        if not asked.simple:
            self.built = build_rows(exam, spec, asked.low, asked.high)
            self.program = self.built.program
            return
        own = [] if judge is None else [judge]
        self.built = build_rows(exam, spec, asked.low, asked.high, judges=own)
        others = [i for i in range(exam.n_judges) if i != judge]
        self.program = _with_others(self.built, system_of(exam, asked), others)

    def solve(self, objective: dict[int, Fraction], extra: Sequence[Row]) -> list[int] | None:
        """Return a point that maximises the objective, None where there is none."""
        base = self.program
        program = Program([*base.rows, *extra], base.lower, base.upper)
        weights = {column: float(weight) for column, weight in objective.items()}
        proposal = propose_integers(program, objective=weights, time_limit=self.clock.left)
        if proposal.values is None and proposal.finished:
            return None
        if proposal.values is None or not satisfied(program, proposal.values):
            raise Undecided
        return proposal.values

    def parts(self, what: Quantity) -> tuple[dict[int, int], dict[int, int] | int]:
        """Return numerator and denominator, as columns or as a number."""
        if what.judge is None:
            return {what.label or 0: 1}, self.exam.n_items
        columns, labels = self.built.columns, range(self.exam.n_labels)
        if what.label is None:
            return {columns[what.judge, t, t]: 1 for t in labels}, self.exam.held(what.judge)
        t = what.label
        correct = {columns[what.judge, t, t]: 1}
        if not self.exam.excused[what.judge]:
            return correct, {t: 1}
        answers = range(len(self.exam.answers))
        return correct, {columns[what.judge, a, t]: 1 for a in answers}

    def end(self, what: Quantity, sign: int) -> Fraction | None:
        """Return the greatest value (sign 1) or the least (sign -1); None where undefined.

        A ratio is improved by Dinkelbach's rule: maximise numerator - value * denominator until
        no point is better.
        """
        top, bottom = self.parts(what)
        if isinstance(bottom, int):
            point = self.solve({c: Fraction(sign * w) for c, w in top.items()}, [])
            return None if point is None or not bottom else Fraction(_sum(top, point), bottom)
        defined = [Row(("defined",), bottom, False, 1)]
        point = self.solve({}, defined)
        value: Fraction | None = None
        while point is not None:
            reached = Fraction(_sum(top, point), _sum(bottom, point))
            if value is not None and sign * (reached - value) <= 0:
                break
            value = reached
            p, q = value.numerator, value.denominator
            surplus = {c: Fraction(sign * q * w) for c, w in top.items()}
            for c, w in bottom.items():
                surplus[c] = surplus.get(c, Fraction(0)) - sign * p * w
            better = Row(("better",), dict(surplus), False, 1)
            point = self.solve(surplus, [*defined, better])
        return value


def _sum(columns: dict[int, int], point: Sequence[int]) -> int:
    return sum(weight * point[column] for column, weight in columns.items())


def _with_others(built: Order1, system: System, others: Sequence[int]) -> Program:
    """Add what the other judges ask of the answer key: their items above caps are not held to."""
    base = built.program
    rows, lower, upper = list(base.rows), list(base.lower), list(base.upper)
    for i in others:
        excused, caps = system.excused[i], system.caps[i]
        if not excused:
            rows += [Row(("other", i, t), {t: -1}, False, -cap) for t, cap in enumerate(caps)]
            continue
        first = len(lower)
        lower += [0] * len(caps)
        upper += [excused] * len(caps)
        for t, cap in enumerate(caps):
            rows.append(Row(("other", i, t), {t: -1, first + t: 1}, False, -cap))
        above = dict.fromkeys(range(first, first + len(caps)), -1)
        rows.append(Row(("excused", i), above, False, -excused))
    return Program(rows, lower, upper)


def range_within(
    exam: Exam, spec: Specification, clock: Clock
) -> Iterator[tuple[Quantity, Range | None]]:
    """Yield every quantity with its range over the evaluations that meet the specification."""
    asked = read_specification(exam, spec)
    programs: dict[int | None, _Ends] = {}
    for what in quantities(exam):
        if what.judge not in programs:
            programs = {what.judge: _Ends(exam, spec, asked, what.judge, clock)}
        ends = programs[what.judge]
        if clock.over:
            raise Undecided
        low = ends.end(what, -1)
        high = None if low is None else ends.end(what, 1)
        yield what, None if low is None or high is None else (low, high)
