"""Answer keys of a known kind: bounds on their counts, and the conditions that state them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from algeval.data import Specification
from algeval.errors import DataError
from algeval.logic.inputs import Exam

__all__ = ["Frame", "check_key_counts", "frame_of", "key_conditions"]


@dataclass(frozen=True, slots=True)
class Frame:
    """low <= q <= high, and the same as conditions on prevalences."""

    low: tuple[int, ...]
    high: tuple[int, ...]
    conditions: tuple[Specification, ...]

    def specification(self, x: Fraction, *, strict: bool) -> Specification:
        """Return: every judge >= x (or > x) on every label, at such an answer key."""
        spec = Specification.at_least(x, strict=strict)
        for part in self.conditions:
            spec = spec & part
        return spec


def check_key_counts(exam: Exam, key_counts: Sequence[int]) -> tuple[int, ...]:
    """Return answer-key counts as ints, or say what is wrong with them."""
    key = tuple(int(q) for q in key_counts)
    if len(key) != exam.n_labels or sum(key) != exam.n_items or min(key) < 0:
        raise DataError(
            f"answer-key counts must hold one count per label ({exam.n_labels}) and sum to "
            f"{exam.n_items}; got {list(key)}; correct or leave them out"
        )
    return key


def key_conditions(exam: Exam, key_counts: Sequence[int]) -> list[Specification]:
    """Return the conditions that fix the answer-key counts."""
    conditions = []
    for label, q in zip(exam.labels, check_key_counts(exam, key_counts), strict=True):
        share = Fraction(q, exam.n_items)
        conditions.append(Specification.prevalence(label, ">=", share))
        conditions.append(Specification.prevalence(label, "<=", share))
    return conditions


def frame_of(exam: Exam, *, require_labels: bool, key_counts: Sequence[int] | None) -> Frame:
    """Return the kind of answer key asked for."""
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
