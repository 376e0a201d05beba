"""Order 1 with nothing asked of the judges: every range in closed form, with its proofs.

Every answer key is consistent then. A witness lays the items of each answer of one judge on one label;
the other judges' answers fit any key. What lies beyond an end is refuted by two or three rows.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from algeval.data import Specification
from algeval.logic.demand import read_specification, system_of
from algeval.logic.orders.base import certified
from algeval.logic.orders.layout import UNANSWERED
from algeval.logic.orders.order1 import Order1
from algeval.logic.orders.tables import best_tables
from algeval.logic.proof.certificate import Certificate
from algeval.logic.proof.farey import next_fraction, previous_fraction
from algeval.logic.proof.outcome import Outcome
from algeval.logic.questions.ends import Proved, Quantity
from algeval.logic.results import RangeProof

__all__ = ["TRIVIAL", "free_range"]

TRIVIAL = Specification.prevalence(None, ">=", 0)
"""A specification that asks for nothing."""
Where = Callable[[int], int]


def free_range(order: Order1, what: Quantity, *, proofs: bool = True) -> Proved:
    """Return the range of a quantity over all evaluations consistent with the counts.

    proofs : whether there is room and time for them; without, the range is not called exact.
    """
    return _Free(order, what, proofs).range()


class _Free:
    def __init__(self, order: Order1, what: Quantity, proofs: bool) -> None:
        self.proofs = proofs
        self.order, self.exam, self.what = order, order.exam, what
        self.judge, self.label = what.judge or 0, what.label
        self.held = [] if what.judge is None or what.label is None else [(self.judge, what.label)]
        self.given = self.exam.counts[self.judge]

    def range(self) -> Proved:
        exam, last = self.exam, self.exam.n_labels - 1
        total = exam.held(self.judge)
        if self.what.judge is None:
            t = self.label or 0
            other = (t + 1) % exam.n_labels
            ends = (Fraction(not last), Fraction(1))
            return self._proved(ends, lambda _: other, lambda _: t)
        if not total:
            undefined = None if self.label is None else self._never()
            return Proved(None, True, RangeProof(undefined=undefined))
        if self.label is None:
            most = Fraction(sum(self.given[: exam.n_labels]), total)
            low = most if not last else Fraction(0)
            return self._proved((low, most), lambda a: _next(a, last), lambda a: _own(a, last))
        t, count = self.label, self.given[self.label]
        low, high = Fraction(count == total), Fraction(count > 0)
        if not last:
            low = high = Fraction(count, total)
        return self._proved((low, high), self._wrong_on(t), self._right_on(t))

    def _right_on(self, t: int) -> Where:
        """Put answer t, and nothing else, on label t; where it was never given, another answer."""
        if not self.given[t]:
            return self._wrong_on(t)
        last = self.exam.n_labels - 1
        return lambda a: t if a == t else a if 0 <= a <= last else _next(t, last)

    def _wrong_on(self, t: int) -> Where:
        """Put one other answer, and nothing else, on label t."""
        last = self.exam.n_labels - 1
        others = [a for a, n in enumerate(self.given) if n and a != t]
        if not others and not self.exam.excused[self.judge] and self.exam.missing[self.judge]:
            others = [UNANSWERED]
        if not others:
            return lambda a: t if a == t else _next(t, last)
        return lambda a: t if a == others[0] else _next(t, last)

    # proofs

    def _proved(self, ends: tuple[Fraction, Fraction], least: Where, most: Where) -> Proved:
        low, high = ends
        if not self.proofs:
            return Proved(ends, False, RangeProof())
        proof = RangeProof(
            lowest=self._witness("<=", low, least),
            below=None if low == 0 else self._refuted(low, -1),
            highest=self._witness(">=", high, most),
            above=None if high == 1 else self._refuted(high, 1),
        )
        return Proved(ends, True, proof)

    def _witness(self, sense: str, value: Fraction, where: Where) -> Certificate | None:
        exam, labels = self.exam, range(self.exam.n_labels)
        placed = [[n * (where(a) == t) for t in labels] for a, n in enumerate(self.given)]
        skipped = exam.missing[self.judge]
        key = [sum(row[t] for row in placed) + skipped * (where(UNANSWERED) == t) for t in labels]
        tables = best_tables(exam, system_of(exam, read_specification(exam, TRIVIAL)), key)
        tables[self.judge] = placed
        spec = TRIVIAL & self.what.condition(exam, sense, value)
        return certified(
            self.order, spec, Outcome(witness=self.order.at_key(key, tables)), self.held
        )

    def _refuted(self, value: Fraction, sign: int) -> Certificate | None:
        """Refute what is beyond an end by the row of the condition, and those that balance it."""
        exam, i, t = self.exam, self.judge, self.label
        if sign > 0:
            sense, level = ">", value
            x = next_fraction(value, exam.n_items)
        else:
            sense = "<="
            level = x = previous_fraction(value, exam.n_items)
        spec = TRIVIAL & self.what.condition(exam, sense, level)
        rows: list[list[object]] = []
        if self.what.judge is None:
            rows = [[["condition", 1, None, t], "1"], [["size"], str(-sign)]]
        elif t is None:
            rows = [[["condition", 1, i, None], "1"], *self._all_on_one()]
        else:
            rows = [[["condition", 1, i, t], "1"], [["held", 0], str(x if sign > 0 else 1 - x)]]
            if sign < 0 and not exam.excused[i]:
                rows.append([["key", i, t], "1"])
        evidence = {"kind": "multipliers", "rows": rows}
        return certified(self.order, spec, Outcome(refutation=evidence), self.held)

    def _all_on_one(self) -> list[list[object]]:
        """With one label only, every answer that is the label is right."""
        if self.exam.n_labels > 1:
            return []
        return [[["observed", self.judge, 0], "1"]]

    def _never(self) -> Certificate | None:
        """Refute that a judge who answered nothing is held to an item."""
        evidence = {"kind": "multipliers", "rows": [[["held", 0], "1"]]}
        return certified(self.order, TRIVIAL, Outcome(refutation=evidence), self.held)


def _next(a: int, last: int) -> int:
    return a + 1 if 0 <= a < last else 0


def _own(a: int, last: int) -> int:
    return a if 0 <= a <= last else 0
