"""The exam of a question: who answered what, and what is demanded of whom."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor
from typing import Any

from algeval.data import Condition, KeyedSketch, Sketch, Specification, Summary
from algeval.data.names import Axes
from algeval.data.reading import Data, as_counts
from algeval.errors import DataError
from algeval.logic.proof import next_fraction
from algeval.result import percent

# --- What the logic reads: the counts of an exam, whatever it was given as, and at which order.


Order = int | str

RULES = ("excluded", "wrong")


@dataclass(frozen=True, slots=True)
class Exam(Axes):
    """Counts of one exam as Python integers, and the rule for missing answers."""

    judges: tuple[str, ...]
    labels: tuple[str, ...]
    answers: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]  # how often judge i gave answer a, R[i,a]
    missing: tuple[int, ...]  # how many items judge i did not answer
    n_items: int
    rule: str
    digest: str
    data: Sketch | Summary | None = None  # what the counts are of, where it is kept

    @property
    def excused(self) -> tuple[int, ...]:
        """(N,) how many items judge i is not held to."""
        return self.missing if self.rule == "excluded" else (0,) * self.n_judges

    def held(self, judge: int) -> int:
        """How many items a judge is held to."""
        return self.n_items - self.excused[judge]

    def echo(self, order: int | str) -> dict[str, Any]:
        """Fields every logical result repeats."""
        return {
            "order": order,
            "missing_rule": self.rule,
            "n_items": self.n_items,
            "judges": self.judges,
            "labels": self.labels,
            "answers": self.answers,
            "missing_counts": self.missing,
            "data": self.data,
        }


def read_exam(data: Data, missing: str = "excluded") -> Exam:
    """Read the counts of each judge, and the digest that certificates will quote."""
    if missing not in RULES:
        raise DataError(f"missing must be one of {list(RULES)}; got {missing!r}; choose one")
    plain = as_counts(data)
    summary = plain.summary()
    if summary.n_items < 1:
        raise DataError("data must hold at least one item; got none; check the file or selection")
    return Exam(
        judges=summary.judges,
        labels=summary.labels,
        answers=summary.answers,
        counts=_rows(summary.counts.tolist()),
        missing=tuple(summary.missing.tolist()),
        n_items=summary.n_items,
        rule=missing,
        digest=plain.digest,
        data=plain,
    )


def _rows(table: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(row) for row in table)


def resolve_order(data: Data, order: Order | None) -> Order:
    """Order to use; None asks for the highest the data support.

    `data`: a summary of several judges supports order 1 only; `order`: the number of judges means
    "full", which is order 1 of one judge.
    """
    n_judges, available = _n_judges(data), _available(data)
    if order is None:
        return available[-1]
    joint = n_judges == 1 or not isinstance(data, Summary)
    wanted = available[-1] if joint and order in (n_judges, "full") else order
    if wanted not in available or isinstance(order, bool):
        raise DataError(
            f"order must be one of {list(available)} or None (counts per judge, or one judge, have "
            f"order 1 only); got {order!r}; choose one of them"
        )
    return wanted


def orders_down_from(data: Data, order: Order) -> tuple[Order, ...]:
    """Order, and those of 2 and 1 below it, which are cheap; the highest first."""
    cheap = [name for name in _available(data) if name in (1, 2, order)]
    return tuple(cheap[cheap.index(order) :: -1])


def _available(data: Data) -> tuple[Order, ...]:
    if isinstance(data, Summary) or _n_judges(data) < 2:
        return (1,)
    return (*range(1, _n_judges(data)), "full")


def order_words(order: Order) -> str:
    """Order as a sentence names it."""
    return "full order" if order == "full" else f"order {order}"


def hard_words(
    exam: Exam, order: Order, subject: str = "", below: tuple[Fraction, Fraction] | None = None
) -> str:
    """Why a question stayed open, and what to do, with a space before it; nothing at order 1.

    subject, below : what is at the first of two levels; the second is what no key exceeds even if items are
        divisible
    """
    if order == 1:
        return ""
    hard = "are NP-hard (they contain Closest String and Independent Set)."
    if below is None:
        return f" With many judges such questions {hard}{_remedy(exam, 'level')}"
    level, relaxed = below
    item = Fraction(exam.n_labels, exam.n_items)
    points, width = 100 * float(relaxed - level), 100 * float(item)
    where = (
        f" {subject} is {points:.2g} points below {percent(relaxed)}, which no answer key exceeds even if "
        "items are divisible between labels"
    )
    if relaxed - level > item:
        return f"{where}: farther than where such questions are hard, so more time should do."
    return (
        f"{where}. Questions nearer to it than about an item a label ({width:.2g} points) are the hard ones: "
        f"of many judges, {exam.n_judges} here, they {hard}{_remedy(exam, 'level')}"
    )


def wide_words(exam: Exam, order: Order, gaps: Sequence[Fraction], n_open: int) -> str:
    """How far ranges left open may be too wide, why, and what to do; nothing at order 1.

    gaps : of those where it is known, how far an end that is proved lies at most from what is attained
    """
    if order == 1:
        return ""
    item = Fraction(exam.n_labels, exam.n_items)
    near = [gap for gap in gaps if gap <= item]
    words = ""
    if near:
        gap, width = (f"{100 * float(x):.2g}" for x in (max(near), item))
        words = (
            f" What is attained comes within {gap} points of both ends of {len(near)}. Such questions nearer "
            f"than about an item a label ({width} points) are the hard ones: of many judges they are "
            "NP-hard (they contain Closest String and Independent Set)."
            f"{_remedy(exam, 'condition')}"
        )
    far = n_open - len(near)
    return f"{words} Of {far} more time should tell more." if far else words


def _remedy(exam: Exam, what: str) -> str:
    easy = exam.n_labels == 2 and not any(exam.missing)
    lower = "order 2, which such votes never leave open" if easy else "a lower order"
    return f" To settle it use another {what}, fewer judges, {lower}, or more time."


def _n_judges(data: Data) -> int:
    return (data.sketch if isinstance(data, KeyedSketch) else data).n_judges


# --- What is asked of each judge, label and answer key, in whole numbers, and the keys in question.


def standard(at_least: object, specification: object = None) -> object:
    """Return what is asked, under the name of today or the one before.

    `specification=` is what `at_least=` was called where it could be a whole specification.
    """
    if specification is None:
        if at_least is None:
            raise DataError("at_least must be a number or conditions; got nothing; write 0.6")
        return at_least
    warnings.warn(
        "specification= is called at_least= now, and will go with the next release",
        DeprecationWarning,
        stacklevel=3,
    )
    return specification


def spelled_as(spec: Specification, labels: Sequence[str]) -> tuple[Specification, str]:
    """Specification whose labels are spelled as in the votes, and a note if any was not.

    A label is taken for the only one it equals but for case, space and trailing punctuation. The note
    is a sentence with a space before it.
    """
    result = spec.spelled(labels)
    pairs = zip(spec.conditions, result.conditions, strict=True)
    read = {f"{a.label!r} as {b.label!r}": None for a, b in pairs if a.label != b.label}
    return result, f" Of the labels in the conditions, read: {', '.join(read)}." if read else ""


def level_of(condition: Condition, n_items: int) -> Fraction:
    """X, or for "> x" the next fraction that an accuracy can take."""
    return next_fraction(condition.value, n_items) if condition.sense == ">" else condition.value


@dataclass(frozen=True, slots=True)
class System:
    """Which answer-key counts q let every judge meet its levels (order 1).

    low <= q <= high, sum of q = n_items, and for each judge i the items above its caps must be
    items it is not held to: sum over t of max(0, q[t] - caps[i][t]) <= excused[i].
    """

    n_items: int
    caps: tuple[tuple[int, ...], ...]
    excused: tuple[int, ...]
    low: tuple[int, ...]
    high: tuple[int, ...]

    @property
    def n_labels(self) -> int:
        """Number of labels, R."""
        return len(self.low)

    @property
    def complete(self) -> bool:
        """Whether every judge is held to every item."""
        return not any(self.excused)

    def excess(self, judge: int, key: Sequence[int]) -> int:
        """How many items lie above a judge's caps."""
        return sum(max(0, q - cap) for q, cap in zip(key, self.caps[judge], strict=True))

    def admits(self, key: Sequence[int]) -> bool:
        """Check answer-key counts exactly."""
        inside = all(a <= q <= b for a, q, b in zip(self.low, key, self.high, strict=True))
        return (
            inside
            and sum(key) == self.n_items
            and all(self.excess(i, key) <= self.excused[i] for i in range(len(self.caps)))
        )

    def select(self, judges: Sequence[int]) -> System:
        """System of some of the judges."""
        return replace(
            self,
            caps=tuple(self.caps[i] for i in judges),
            excused=tuple(self.excused[i] for i in judges),
        )

    def within(self, low: Sequence[int], high: Sequence[int]) -> System:
        """System with other bounds on the answer key."""
        return replace(self, low=tuple(low), high=tuple(high))


@dataclass(frozen=True, slots=True)
class Asked:
    """A specification read against an exam.

    `levels[i][t]` is the accuracy asked of judge i on label t from below (None: nothing);
    `simple` says that nothing else is asked but bounds on the answer key.
    """

    levels: tuple[tuple[Fraction | None, ...], ...]
    low: tuple[int, ...]
    high: tuple[int, ...]
    simple: bool


def read_specification(exam: Exam, spec: Specification) -> Asked:
    """Turn conditions into levels per judge and label, and bounds on the answer key."""
    spec.check_names(exam.judges, exam.labels)
    levels: list[list[Fraction | None]] = [[None] * exam.n_labels for _ in exam.judges]
    low, high = [0] * exam.n_labels, [exam.n_items] * exam.n_labels
    for c in spec.conditions:
        if c.quantity == "prevalence":
            for t, label in enumerate(exam.labels):
                if c.label not in (None, label):
                    continue
                if c.sense == "<=":
                    high[t] = min(high[t], floor(c.value * exam.n_items))
                else:
                    low[t] = max(low[t], ceil(level_of(c, exam.n_items) * exam.n_items))
        elif c.quantity == "accuracy" and c.sense != "<=":
            _raise_levels(c, exam, levels)
    simple = all(
        c.quantity == "prevalence" or (c.quantity == "accuracy" and c.sense != "<=")
        for c in spec.conditions
    )
    return Asked(tuple(map(tuple, levels)), tuple(low), tuple(high), simple)


def _raise_levels(c: Condition, exam: Exam, levels: list[list[Fraction | None]]) -> None:
    x = level_of(c, exam.n_items)
    for i, judge in enumerate(exam.judges):
        for t, label in enumerate(exam.labels):
            if c.judge in (None, judge) and c.label in (None, label):
                present = levels[i][t]
                levels[i][t] = x if present is None else max(present, x)


def floor_condition(exam: Exam, spec: Specification, t: int, low: int) -> tuple[Any, ...] | None:
    """Row id of the condition that bounds q[t] by `low` from below, or None."""
    for c, condition in enumerate(spec.conditions if low else ()):
        about = condition.quantity == "prevalence" and condition.sense != "<="
        reaches = ceil(level_of(condition, exam.n_items) * exam.n_items) == low
        if about and reaches and condition.label in (None, exam.labels[t]):
            return ("condition", c, None, t)
    return None


def system_of(exam: Exam, question: Asked) -> System:
    """System of answer keys for the levels asked."""
    excused = exam.excused
    caps = tuple(
        _caps(row, counts, exam.n_items - out)
        for row, counts, out in zip(question.levels, exam.counts, excused, strict=True)
    )
    return System(exam.n_items, caps, excused, question.low, question.high)


def _caps(row: Sequence[Fraction | None], counts: Sequence[int], held: int) -> tuple[int, ...]:
    """Most items of each label that a judge can be held to and still reach its level."""
    caps, last, p, q = [], None, 0, 1
    for x, right in zip(row, counts, strict=False):  # answers that are no label come last
        if x is not last:
            last, (p, q) = x, (0, 1) if x is None else x.as_integer_ratio()
        caps.append(0 if p > q else min(held, right * q // p) if p else held)
    return tuple(caps)


def select_exam(exam: Exam, judges: Sequence[int]) -> Exam:
    """Exam of some of the judges, in the order given."""
    return replace(
        exam,
        judges=tuple(exam.judges[i] for i in judges),
        counts=tuple(exam.counts[i] for i in judges),
        missing=tuple(exam.missing[i] for i in judges),
    )


@dataclass(frozen=True, slots=True)
class Frame:
    """low <= q <= high, and the same as conditions on prevalences."""

    low: tuple[int, ...]
    high: tuple[int, ...]
    conditions: tuple[Specification, ...]

    @property
    def bounded(self) -> bool:
        """Whether the key is of a special kind at all."""
        return bool(self.conditions)

    def specification(self, x: Fraction, *, strict: bool) -> Specification:
        """Return: every judge >= x (or > x) on every label, at such an answer key."""
        spec = Specification.at_least(x, strict=strict)
        for part in self.conditions:
            spec = spec & part
        return spec


def check_key_counts(exam: Exam, key_counts: Sequence[int]) -> tuple[int, ...]:
    """Answer-key counts as ints, or say what is wrong with them."""
    key = tuple(int(q) for q in key_counts)
    if len(key) != exam.n_labels or sum(key) != exam.n_items or min(key) < 0:
        raise DataError(
            f"answer-key counts must hold one count per label ({exam.n_labels}) and sum to "
            f"{exam.n_items}; got {list(key)}; correct or leave them out"
        )
    return key


def key_conditions(exam: Exam, key_counts: Sequence[int]) -> list[Specification]:
    """Conditions that fix the answer-key counts."""
    conditions = []
    for label, q in zip(exam.labels, check_key_counts(exam, key_counts), strict=True):
        share = Fraction(q, exam.n_items)
        conditions.append(Specification.prevalence(label, ">=", share))
        conditions.append(Specification.prevalence(label, "<=", share))
    return conditions


def frame_of(exam: Exam, *, require_labels: bool, key_counts: Sequence[int] | None) -> Frame:
    """Kind of answer key asked for."""
    low, high = (0,) * exam.n_labels, (exam.n_items,) * exam.n_labels
    conditions: list[Specification] = []
    if require_labels:
        low = (1,) * exam.n_labels
        conditions.append(Specification.prevalence(None, ">", 0))
    if key_counts is not None:
        key = check_key_counts(exam, key_counts)
        low, high = tuple(map(max, low, key)), key
        conditions += key_conditions(exam, key)
    return Frame(low, high, tuple(conditions))
