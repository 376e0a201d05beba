"""`bounds`: lowest and highest grades, alone and given others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from algeval.data import Condition, Specification, Summary
from algeval.data.names import positions
from algeval.data.reading import Data, as_sketch
from algeval.door import reads
from algeval.errors import DataError
from algeval.logic.exam import (
    Exam,
    System,
    check_key_counts,
    key_conditions,
    order_words,
    read_exam,
    read_specification,
    spelled_as,
    system_of,
    wide_words,
)
from algeval.logic.orders.base import UNANSWERED, Layout, Order, certified, decide
from algeval.logic.orders.order1 import Order1, best_tables
from algeval.logic.orders.pair_interior import pair_counts
from algeval.logic.policy import (
    ALL_AT_ONCE_BELOW,
    END_DENOMINATOR,
    END_HALVINGS,
    END_NODES,
    END_WORK,
    FAIR_SHARES,
    MOST_PROOF_CELLS,
)
from algeval.logic.proof import (
    Certificate,
    Clock,
    Evidence,
    Ints,
    Leaf,
    Outcome,
    Shares,
    branch,
    farey_floor,
    find_shares,
    near_best,
    next_fraction,
    previous_fraction,
    question_clock,
    refutation_at,
    root_refutation,
)
from algeval.logic.questions.asking import answer, highest_that_fits
from algeval.logic.results import Bounds, LogicResult, RangeProof, ends_in_words, ends_of
from algeval.logic.results import Range as Range_of_results
from algeval.progress import steps, within
from algeval.result import Status
from algeval.result.base import with_reading
from algeval.result.tables import Table

# --- The range of the correlation of two judges' answers on the items of a label, at an answer key.
#
# Eq. (18) is not linear, but one answer of each judge makes a 2 by 2 table of the q items of a label:
# x with both answers, r and s with one of them, w with neither. Then q^2 Gamma = x w - r s, and every
# table with 0 <= x <= X, ..., x + r + s + w = q occurs, where X, ... are the counts in the whole exam.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairCorrelations(LogicResult):
    """The lowest and highest correlation of each pair of answers on each label.

    Attributes
    ----------
    judge, other : str
        The two judges.
    key_counts : (R,) tuple of int
        How many items of each label the answer key has.
    ranges : (A, A, R, 2) object array
        Lowest and highest correlation [answer of judge, answer of other, label], as fractions; both
        are attained. None where no item of the label can be one the two are held to.
    both_answered : int
        How many items both judges answered.
    """

    schema: ClassVar[str] = "algeval.pair_correlations/1"

    judge: str
    other: str
    key_counts: tuple[int, ...]
    ranges: NDArray[Any]
    both_answered: int

    @property
    def meaning(self) -> str:
        """What the verdict does not mean."""
        return (
            "Each range stands alone, and holds for this answer key only. A range without 0 shows "
            "answers that go together, or apart, on these items; it does not say why."
        )

    @property
    def dependent(self) -> tuple[tuple[str, str, str], ...]:
        """The (answer of judge, answer of other, label) whose correlation cannot be 0."""
        return tuple(
            (self.answers[a], self.answers[b], self.labels[t])
            for a, b, t in np.ndindex(self.ranges.shape[:3])
            if _without_zero(self.ranges[a, b, t])
        )

    def range_of(
        self, answer: object, other_answer: object, label: object
    ) -> Range_of_results | None:
        """Return (lowest, highest) correlation, or None."""
        a, b = (positions("answer", [name], self.answers)[0] for name in (answer, other_answer))
        (t,) = positions("label", [label], self.labels)
        return ends_of(self.ranges[a, b, t])

    def as_tables(self) -> tuple[Table, ...]:
        """Row per label and pair of answers: lowest and highest correlation."""
        names = ("label", f"answer of {self.judge}", f"answer of {self.other}", "lower", "upper")
        rows = [
            (self.labels[t], self.answers[a], self.answers[b], *self.ranges[a, b, t].tolist())
            for a, b, t in np.ndindex(self.ranges.shape[:3])
        ]
        return (Table.of_rows("Correlations", names, rows),)

    def summary(self) -> str:
        """Verdict and a table of every range."""
        lines = [LogicResult.summary(self)]
        for t, label in enumerate(self.labels):
            for a, first in enumerate(self.answers):
                for b, second in enumerate(self.answers):
                    text = ends_in_words(self.ranges[a, b, t])
                    lines.append(f"{first} and {second} on {label}: {text}")
        return "\n".join(lines)


@reads
def pair_correlations(
    data: Data,
    judge: str,
    other: str,
    *,
    key_counts: Sequence[int],
    missing: str = "excluded",
) -> PairCorrelations:
    """Lowest and highest correlation of two judges' answers, at an answer key.

    Use it to ask what an assumption of independent errors claims: Gamma[a, b, t], the share of the
    items of label t with answers a and b, less the product of the two shares, is 0 on average when
    the judges err independently. Only the votes and how many items have each label are used.
    Without the latter nothing follows: two items of a label may have any correlation.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, or a table
        What the judges answered; a key is never read.
    judge, other : str
        The two judges.
    key_counts : (R,) ints
        How many items of the answer key have each label.
    missing : "excluded" or "wrong"
        "excluded" looks at the items both judges answered (which of them have the label is part of
        what is open); "wrong" at all items, an unanswered one counting as an answer of its own.

    Returns
    -------
    PairCorrelations
        Status `ok`. Closed form and exact at any size, at order 2 and at full order alike: the
        answers of further judges never narrow these ranges.

    Raises
    ------
    DataError
        If the data, the judges or the answer-key counts break a rule.

    Notes
    -----
    No-Knowledge Alarms, appendix C, eqs. (17) and (18). With k = x + w items, the greatest x w and the least
    r s both grow and fall with k so that the best k is the largest, min(q, X + W).

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> same = Sketch.from_counts({("a", "a"): 3, ("b", "b"): 3}, judges=["x", "y"])
    >>> found = pair_correlations(same, "x", "y", key_counts=(4, 2))
    >>> found.range_of("a", "a", "a"), found.range_of("a", "a", "b")
    ((Fraction(3, 16), Fraction(1, 4)), (Fraction(0, 1), Fraction(1, 4)))
    """
    exam = read_exam(data, missing)
    if isinstance(data, Summary):
        raise DataError(
            "data must say how the judges answered together; got counts per judge; give votes or a "
            "sketch"
        )
    if judge == other:
        raise DataError(f"judge and other must be two judges; got {judge!r} twice; name another")
    positions("judge", [judge, other], exam.judges)
    key = check_key_counts(exam, key_counts)
    counts = pair_counts(as_sketch(data).marginal([judge, other]))[0, 1]
    both = int(counts[1:, 1:].sum())
    return PairCorrelations(
        status=Status.OK,
        message=_sentence(judge, other, exam, key),
        judge=str(judge),
        other=str(other),
        key_counts=key,
        ranges=_ranges(counts if missing == "wrong" else counts[1:, 1:], exam, key, both),
        both_answered=both,
        **exam.echo(2),
    )


def _sentence(judge: str, other: str, exam: Exam, key: tuple[int, ...]) -> str:
    words = ", ".join(f"{q} {label}" for q, label in zip(key, exam.labels, strict=True))
    return (
        f"Correlations of the answers of {judge} and {other} that the votes leave possible, if the "
        f"answer key has {words}."
    )


def _without_zero(ends: NDArray[Any]) -> bool:
    low, high = ends.tolist()
    return low is not None and (low > 0 or high < 0)


class _Table(NamedTuple):
    """Counts in the whole exam: both answers, the first only, the second only, neither."""

    both: int
    first: int
    second: int
    neither: int


def _ranges(counts: NDArray[Any], exam: Exam, key: tuple[int, ...], both: int) -> NDArray[Any]:
    n, left_out = len(exam.answers), exam.n_items - both if exam.rule == "excluded" else 0
    array = np.full((n, n, exam.n_labels, 2), None, object)
    first = counts.shape[0] - n
    for a in range(n):
        for b in range(n):
            table = _table(counts, a + first, b + first)
            for t, q in enumerate(key):
                sizes = range(max(1, q - left_out), min(q, sum(table)) + 1)
                if sizes:
                    array[a, b, t] = _lowest(table, sizes), _highest(table, sizes)
    array.setflags(write=False)
    return array


def _table(counts: NDArray[Any], a: int, b: int) -> _Table:
    both = int(counts[a, b])
    first, second = int(counts[a].sum()) - both, int(counts[:, b].sum()) - both
    return _Table(both, first, second, int(counts.sum()) - both - first - second)


def _lowest(table: _Table, sizes: range) -> Fraction:
    """Lowest Gamma: the highest, with the diagonals of the table exchanged, negated."""
    return -_highest(_Table(table.first, table.both, table.neither, table.second), sizes)


def _highest(table: _Table, sizes: range) -> Fraction:
    """Highest Gamma over the numbers q of items in `sizes`, a range of whole numbers.

    It rises with even and with odd q up to twice the smaller of `both` and `neither`, and falls from
    there on, so that a few q are enough.
    """
    peak = 2 * min(table.both, table.neither)
    low, high = sizes[0], sizes[-1]
    tried = {low, low + 1, peak - 1, peak, peak + 1, high - 1, high}
    return max(Fraction(_most(table, q), q * q) for q in tried if q in sizes)


def _most(table: _Table, q: int) -> int:
    """Greatest x w - r s of q items."""
    k = min(q, table.both + table.neither)
    x = min(table.both, table.neither, k // 2)
    wide = max(table.first, table.second)
    return x * (k - x) - wide * max(0, q - k - wide)


# --- The range of a quantity over all consistent evaluations, at any order, both ends proved.
#
# With nothing asked of the judges order 1 has closed forms. Otherwise an end is a value that whole
# numbers attain, found by an integer program, beyond which exact multipliers (or a small tree) leave
# nothing; what the solver calls the best is believed only when that is proved. Where it does not close,
# the end is the best limit that was refuted exactly, and is said to be an outer one.


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
        """Condition that the quantity is so large, or so small."""
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
    attained: tuple[Fraction | None, Fraction | None] = (None, None)
    """Least and greatest value that some key was seen to attain."""

    @property
    def gap(self) -> Fraction | None:
        """Greatest distance of a proved end from what is attained; None where that is not known."""
        seen = [value for value in self.attained if value is not None]
        if self.ends is None or not seen:
            return None
        return max(min(seen) - self.ends[0], self.ends[1] - max(seen))

    def tightened(self, lower: Proved) -> Proved:
        """Range with the ends of a lower order, and their proofs, where these are tighter."""
        if self.exact or self.ends is None or lower.ends is None:
            return self if lower.ends is not None or self.exact else lower
        (low, high), (least, most) = self.ends, lower.ends
        proof = self.proof
        if least > low:
            low, proof = least, replace(proof, lowest=None, below=lower.proof.below)
        if most < high:
            high, proof = most, replace(proof, highest=None, above=lower.proof.above)
        return Proved((low, high), False, proof, self.attained)


_OPEN = Proved((Fraction(0), Fraction(1)), False, RangeProof())


def ranges(
    order: Order, spec: Specification, clock: Clock, wanted: Sequence[Quantity]
) -> Iterator[tuple[Quantity, Proved]]:
    """Yield prevalences, grades and accuracies with their ranges."""
    pairs, late = [], []
    for index, what in enumerate(steps(wanted, "finding each range")):
        part = clock.part(share=min(1.0, FAIR_SHARES / (len(wanted) - index)))
        pairs.append(_range(order, spec, what, part))
        if part.over and not pairs[-1].exact:
            late.append(index)
    for index in late:
        if not clock.over:
            again = _range(order, spec, wanted[index], clock)
            pairs[index] = again if again.exact else pairs[index].tightened(again)
    yield from zip(wanted, pairs, strict=True)


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
        self.reached: Fraction | None = None

    def _program(self, spec: Specification) -> Program:
        return self.order.around(spec, self.what.judge, self.what.label, self.clock)

    def _parts(self, layout: Layout) -> tuple[Columns, Columns | int]:
        """Numerator and denominator, as columns or as a number."""
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
        """Range with its proofs."""
        if self.bottom == 0:
            return Proved(None, True, RangeProof())
        if self.held:
            never = self._refuted(self.spec, self.program)
            if never is not None:
                proof = RangeProof(undefined=self._certified(self.spec, Outcome(refutation=never)))
                return Proved(None, True, proof)
        low, lowest, below = self._end(-1)
        least = self.reached
        high, highest, above = self._end(1)
        exact = lowest is not None and highest is not None
        proof = RangeProof(lowest=lowest, below=below, highest=highest, above=above)
        closed = (below is not None or low == 0) and (above is not None or high == 1)
        return Proved((low, high), exact and closed, proof, (least, self.reached))

    def _end(self, sign: int) -> tuple[Fraction, Certificate | None, Certificate | None]:
        """Greatest value (sign 1) or the least (sign -1), its witness, and its refutation.

        The solver's best is improved from what it left beyond, until nothing is there.
        """
        limit = Fraction(sign > 0)
        value, point = self._attained(sign, self.program[1])
        self.reached = None if point is None else value
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
            self.reached = value
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
        """Specification that the quantity is beyond a value; None where that is no number."""
        if sign > 0:
            return self.spec & self.what.condition(self.exam, ">", value)
        if isinstance(self.bottom, int):
            before = value - Fraction(1, self.bottom)
        else:
            before = previous_fraction(value, self.exam.n_items)
        return None if before < 0 else self.spec & self.what.condition(self.exam, "<=", before)

    def _refuted(self, spec: Specification, program: Program) -> Evidence | None:
        """Evidence that no shares meet the rows, or None."""
        if self.clock.over:
            return None
        quick = self.order.quick(spec, self.clock.part(END_WORK))
        if quick.refutation is not None:
            return quick.refutation
        _, shares, leaf = program
        evidence, relaxed = root_refutation(shares, self.clock.part(END_WORK), leaf=leaf)
        if evidence is not None or relaxed is None or self._some(shares) is not None:
            return evidence
        most = END_NODES[shares.n_columns > ALL_AT_ONCE_BELOW]
        patience = self.clock.part(END_WORK)
        evidence = branch(shares, patience, most=most, leaf=leaf)[1]
        if evidence is None and leaf is not refutation_at:  # splits below the key need every judge
            whole = Order.around(self.order, spec, self.what.judge, self.what.label, self.clock)
            evidence = branch(whole[1], self.clock.part(END_WORK), most=most)[1]
        return evidence

    # whole numbers

    def _some(self, shares: Shares) -> Ints | None:
        """Whole-number shares, checked, if they are found before a tree would refute them."""
        if not self._joint(shares):
            return self._best(shares, (), 0)
        return near_best(shares, np.zeros(shares.n_columns), self.clock.part(END_WORK))

    def _joint(self, shares: Shares) -> bool:
        """Whether it is a large program whose totals are all of one kind, as at full order."""
        return shares.n_columns > ALL_AT_ONCE_BELOW and shares.n_first == 1

    def _best(
        self, shares: Shares, top: Columns, a: int, bottom: Columns = (), b: int = 0
    ) -> Ints | None:
        """Whole-number shares, checked, that maximise a * top + b * bottom, says the solver."""
        weights = np.zeros(shares.n_columns)
        weights[list(top)] += a / max(1, abs(a), abs(b))
        weights[list(bottom)] += b / max(1, abs(a), abs(b))
        first = np.arange(len(shares.totals)) < shares.n_first
        staged = shares.n_columns > ALL_AT_ONCE_BELOW and shares.n_first > 1
        whole = first if staged else None
        clock = self.clock.part(END_WORK)
        if self._joint(shares):
            whole_ = near_best(shares, weights, clock)
            if whole_ is not None:
                return whole_
        whole_, _ = find_shares(shares, clock, whole=whole, objective=weights)
        if whole_ is not None and staged and not shares.satisfied(whole_):
            fixed = np.where(first[:, None], whole_, -1)
            whole_, _ = find_shares(shares, clock, fixed=fixed)
        return whole_ if whole_ is not None and shares.satisfied(whole_) else None

    def _attained(self, sign: int, shares: Shares) -> tuple[Fraction, Ints | None]:
        """Best value of whole-number shares; ratios by Dinkelbach's rule."""
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
        """Limit beyond which one relaxation refutes everything, by halving."""
        near, far, beyond = start, Fraction(sign > 0), None
        for _ in range(END_HALVINGS):
            middle = farey_floor((near + far) / 2, END_DENOMINATOR)
            if self.clock.over or middle in (near, far):
                break
            sense = ">" if sign > 0 else "<="
            spec = self.spec & self.what.condition(self.exam, sense, middle)
            _, shares, leaf = self._program(spec)
            evidence, relaxed = root_refutation(shares, self.clock.part(END_WORK), leaf=leaf)
            if evidence is not None:
                far, beyond = middle, self._certified(spec, Outcome(refutation=evidence))
            elif relaxed is None:
                break
            else:
                near = middle
        return far, beyond


def _sum(columns: Columns, shares: Ints) -> int:
    return int(shares.ravel()[list(columns)].sum())


# --- Order 1 with nothing asked of the judges: every range in closed form, with its proofs.
#
# Every answer key is consistent then. A witness lays the items of each answer of one judge on one label;
# the other judges' answers fit any key. What lies beyond an end is refuted by two or three rows.


TRIVIAL = Specification.prevalence(None, ">=", 0)
"""A specification that asks for nothing."""
Where = Callable[[int], int]


def free_range(order: Order1, what: Quantity, *, proofs: bool = True) -> Proved:
    """Range of a quantity over all evaluations consistent with the counts.

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
            return self._proved(
                (low, most), lambda a: _next(a, last), lambda a: a if 0 <= a <= last else 0
            )
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
        exam = self.exam
        labels = tuple(where(a) for a in range(len(self.given)))
        witness = _Witness(exam, self.judge, labels, where(UNANSWERED))
        spec = TRIVIAL & self.what.condition(exam, sense, value)
        return certified(self.order, spec, Outcome(witness=cast(Evidence, witness)), self.held)

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


@dataclass(frozen=True, slots=True, eq=False)
class _Witness(Mapping[str, Any]):
    """The evidence of a witness, laid out when it is read: of 50 labels a thousand take 1 GB.

    labels : per answer of the judge, the label that all these items have; `unanswered`: the others'.
    """

    exam: Exam
    judge: int
    labels: tuple[int, ...]
    unanswered: int

    def __getitem__(self, name: str) -> Any:
        if name == "kind":
            return "witness"
        if name == "key_counts":
            return self._key()
        if name == "tables":
            tables = best_tables(self.exam, _free_system(self.exam), self._key())
            placed = [[0] * self.exam.n_labels for _ in self.labels]
            for row, (n, t) in zip(placed, self._given(), strict=True):
                row[t] = n
            tables[self.judge] = placed
            return tables
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(("kind", "key_counts", "tables"))

    def __len__(self) -> int:
        return 3

    def __contains__(self, name: object) -> bool:
        return name in tuple(self)

    def _given(self) -> Iterator[tuple[int, int]]:
        return zip(self.exam.counts[self.judge], self.labels, strict=True)

    def _key(self) -> list[int]:
        key = [0] * self.exam.n_labels
        key[self.unanswered] = self.exam.missing[self.judge]
        for n, t in self._given():
            key[t] += n
        return key


@lru_cache(maxsize=1)
def _free_system(exam: Exam) -> System:
    return system_of(exam, read_specification(exam, TRIVIAL))


def _next(a: int, last: int) -> int:
    return a + 1 if 0 <= a < last else 0


# --- The range of every accuracy, grade and prevalence that the votes leave possible.


@reads
def bounds(
    data: Data,
    *,
    order: int | str | None = None,
    at_least: object | None = None,
    key_counts: Sequence[int] | None = None,
    judges: Sequence[str] | None = None,
    missing: str = "excluded",
    time_limit: float | None = None,
) -> Bounds:
    """Lowest and highest value of every quantity over all consistent evaluations.

    With nothing else known, order 1 leaves nearly everything open, and this says so. It becomes
    useful with `at_least` (if all judges are at least this good, how good can each be?) or with
    known answer-key counts.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary, or a table
        What the judges answered; a key is never read.
    order : int, "full" or None
        How many judges' joint answers to use; None is the highest the data supports, which costs an
        integer program or two for every end. Where an end is not settled there, that of order 1
        stands if it is tighter.
    at_least : number, text or Specification, optional
        Only evaluations that meet this are looked at.
    key_counts : (R,) ints, optional
        Only answer keys with these many items of each label.
    judges : sequence of names, optional
        Whose ranges to work out; default all.
    missing : "excluded" or "wrong"
        Whether a judge is held to the items it did not answer.
    time_limit : float or None
        Seconds for the integer programs. By default work is counted, a minute or two of it, so that the
        answer is the same on any machine; `math.inf` for no limit.

    Returns
    -------
    Bounds
        Every end is attained, but for the ranges named in `outer`. An accuracy ranges over the
        evaluations in which the judge is held to an item of that label. Status `ok`;
        `inconsistent` when no evaluation meets `at_least` (all ranges None); `time_limit` or
        `undetermined` when some ranges are missing, or are outer ones.

    Raises
    ------
    DataError
        If the data, the order or the specification breaks a rule.
    TooLargeError
        At orders 2 and full, if the program would have too many unknowns.

    Notes
    -----
    Closed form without `at_least` and `key_counts`. Otherwise each end is found by integer
    programs (fractional ones by Dinkelbach's rule) and checked exactly to be attained, and that
    nothing lies beyond it is proved exactly.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> found = bounds(Summary.from_counts({"x": {"a": 9, "b": 1}}), key_counts=(5, 5))
    >>> found.accuracy_of("x", "b"), found.grade_of("x")
    ((Fraction(0, 1), Fraction(1, 5)), (Fraction(2, 5), Fraction(3, 5)))
    """
    clock = question_clock(time_limit)
    exam = read_exam(data, missing)
    spec, read = _specification(exam, at_least, key_counts)
    chosen = highest_that_fits(data, exam, order, clock, any_condition=True)
    with within("finding the ranges of accuracies", time_limit):
        status, proved = _ranges_of_bounds(data, chosen, spec, clock, _wanted(exam, judges))
    results = [(what, proof.ends) for what, proof in proved]
    outer = tuple(what.name(exam) for what, proof in proved if not proof.exact)
    gaps = [proof.gap for _, proof in proved if not proof.exact and proof.gap is not None]
    why = wide_words(exam, chosen.name, gaps, len(outer)) if outer else ""
    accuracy, grade, prevalence = _arrays(exam, results)
    result = Bounds(
        status=status,
        message=_sentence_of_bounds(status, spec, chosen.name, outer) + why + read,
        accuracy=accuracy,
        grade=grade,
        prevalence=prevalence,
        specification=spec,
        outer=outer,
        certificates={what.name(exam): proof.proof for what, proof in proved},
        time_limit=time_limit,
        **exam.echo(chosen.name),
    )
    return with_reading(result, data)


def _specification(
    exam: Exam, at_least: object | None, key_counts: Sequence[int] | None
) -> tuple[Specification | None, str]:
    parts = [] if at_least is None else [Specification.of(at_least)]
    if key_counts is not None:
        parts += key_conditions(exam, key_counts)
    if not parts:
        return None, ""
    if any(part.min_judges is not None for part in parts):
        raise DataError(
            "bounds must be asked for without min_judges; got a specification with it; leave it out"
        )
    spec = parts[0]
    for part in parts[1:]:
        spec = spec & part
    spec, read = spelled_as(spec, exam.labels)
    spec.check_names(exam.judges, exam.labels)
    return spec, read


def _wanted(exam: Exam, judges: Sequence[str] | None) -> list[Quantity]:
    chosen = {None, *positions("judge", exam.judges if judges is None else judges, exam.judges)}
    return [what for what in quantities(exam) if what.judge in chosen]


def _ranges_of_bounds(
    data: Data,
    order: Order,
    spec: Specification | None,
    clock: Clock,
    wanted: Sequence[Quantity],
) -> tuple[Status, list[tuple[Quantity, Proved]]]:
    """Ranges; of an impossible specification there are none."""
    first = Order1(order.exam)
    if spec is None:
        free = list(_free_ranges(first, wanted, clock))
        if order.name == 1:
            return _status(order, free, clock), free
        spec = TRIVIAL
    else:
        result = answer(data, order.exam, order.name, clock, lambda o, c: decide(o, spec, c))
        if result.outcome.possible is False:
            return Status.INCONSISTENT, []
        free = []
    proved = list(ranges(order, spec, clock, wanted))
    if order.name != 1 and not all(proof.exact for _, proof in proved):
        free = free or list(ranges(first, spec, clock, wanted))
        pairs = zip(proved, free, strict=True)
        proved = [(what, proof.tightened(other)) for (what, proof), (_, other) in pairs]
    return _status(order, proved, clock), proved


def _free_ranges(
    order: Order1, wanted: Sequence[Quantity], clock: Clock
) -> Iterator[tuple[Quantity, Proved]]:
    """Yield closed forms, with proofs while there is time and memory for their tables."""
    exam = order.exam
    cells = 2 * exam.n_judges * len(exam.answers) * exam.n_labels
    for index, what in enumerate(steps(wanted, "finding each range")):
        proofs = index * cells <= MOST_PROOF_CELLS and not clock.over
        yield what, free_range(order, what, proofs=proofs)


def _status(order: Order, result: Sequence[tuple[Quantity, Proved]], clock: Clock) -> Status:
    if all(entry.exact for _, entry in result):
        return Status.OK
    in_time = order.in_time(clock) and not clock.out_of_time
    return Status.UNDETERMINED if in_time else Status.TIME_LIMIT


def _sentence_of_bounds(
    status: Status, spec: Specification | None, order: int | str, outer: Sequence[str]
) -> str:
    if status is Status.INCONSISTENT and spec is not None:
        return f"No evaluation consistent with the votes meets this: {spec.short()}."
    if outer:
        return (
            f"Nothing lies beyond these ranges ({order_words(order)}), but {len(outer)} of them may "
            "be wider than need be."
        )
    whose = "each judge's counts" if order == 1 else f"the votes ({order_words(order)})"
    if spec is None:
        return f"Ranges over all evaluations consistent with {whose}."
    return f"Ranges over all consistent evaluations that meet this: {spec.short()}."


def _arrays(
    exam: Exam, result: Iterable[tuple[Quantity, Range | None]]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    accuracy = np.full((exam.n_judges, exam.n_labels, 2), None, dtype=object)
    grade = np.full((exam.n_judges, 2), None, dtype=object)
    prevalence = np.full((exam.n_labels, 2), None, dtype=object)
    for what, ends in result:
        if ends is None:
            continue
        if what.judge is None:
            prevalence[what.label] = ends
        elif what.label is None:
            grade[what.judge] = ends
        else:
            accuracy[what.judge, what.label] = ends
    for array in (accuracy, grade, prevalence):
        array.setflags(write=False)
    return accuracy, grade, prevalence


# --- How good one judge can be, if all the others are at least so good.


@reads
def if_others(
    data: Data,
    judge: str,
    at_least: object = 0.7,
    *,
    order: int | str | None = None,
    missing: str = "excluded",
    time_limit: float | None = None,
) -> Bounds:
    """Ranges of one judge, over the evaluations in which all others reach a level.

    Use it to ask "if the others are all at least 70 percent accurate on every label, how good can
    this one be?". Nothing else is assumed.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary, or a table
        What the judges answered; a key is never read.
    judge : str
        Whose ranges are asked.
    at_least : number or text
        The accuracy of every other judge on every label.
    order : int, "full" or None
        How many judges' joint answers to use; None is the highest the data supports.
    missing : "excluded" or "wrong"
        Whether a judge is held to the items it did not answer.
    time_limit : float or None
        Seconds; by default work is counted.

    Returns
    -------
    Bounds
        Those of the judge and of the prevalences; status `inconsistent` when the others cannot
        all reach the level.

    Raises
    ------
    DataError
        If the judge is not known, or is the only one.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> apart = Sketch.from_counts({("a", "a"): 5, ("a", "b"): 1, ("b", "a"): 3, ("b", "b"): 1})
    >>> if_others(apart, "1", 0.8).grade_of("1")
    (Fraction(1, 2), Fraction(7, 10))
    """
    exam = read_exam(data, missing)
    (index,) = positions("judge", [judge], exam.judges)
    others = [name for i, name in enumerate(exam.judges) if i != index]
    if not others:
        raise DataError(f"there must be another judge than {judge!r}; got none; add one")
    spec = Specification.accuracy(">=", at_least, judge=others[0])
    for name in others[1:]:
        spec = spec & Specification.accuracy(">=", at_least, judge=name)
    return bounds.core(
        data, order=order, at_least=spec, judges=[judge], missing=missing, time_limit=time_limit
    )
