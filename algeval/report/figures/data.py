"""What figures show, as exact numbers: every point, level and multiplicity, before any ink."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from algeval.data.names import positions
from algeval.data.reading import Data
from algeval.data.settings import check_choice
from algeval.errors import TooLargeError
from algeval.logic.consistent.cells import read_rows
from algeval.logic.consistent.counting import by_correct
from algeval.logic.consistent.lattice import correct_counts, count_keys
from algeval.logic.consistent.tables import refuse, steps
from algeval.logic.demand import check_key_counts
from algeval.logic.exam import Exam, read_exam
from algeval.logic.orders.closed_form import compositions, highest_level

__all__ = [
    "STAGES",
    "CorrectCounts",
    "KeyLevel",
    "correct_multiplicities",
    "evaluation_points",
    "key_levels",
    "keys_above",
    "label_levels",
    "prevalence_points",
]

STAGES = ("conceivable", "inequalities", "axioms")
"""Before anything is observed; no more correct than answered; consistent with the answers."""

MOST_KEYS = 50_000


class KeyLevel(NamedTuple):
    """The highest accuracy that all judges could reach together at one answer key.

    Attributes
    ----------
    key : tuple of int
        How many items have each label, q.
    level : Fraction
        On every label, or on the one asked for.
    """

    key: tuple[int, ...]
    level: Fraction


class CorrectCounts(NamedTuple):
    """What the judges' correct answers on one label can be, at one answer key.

    Attributes
    ----------
    label : str
    q : int
        How many items have the label.
    ways : tuple of {correct: ways}
        Per judge, in how many response tables it answers so many of them correctly.
    """

    label: str
    q: int
    ways: tuple[dict[int, int], ...]


def key_levels(data: Data, *, missing: str = "excluded") -> tuple[KeyLevel, ...]:
    """Return, for every answer key, the highest accuracy all judges could reach on every label.

    The smallest over judges of the largest they could have (order 1), in ascending order: paper
    003, figure 7. The last one is the threshold.

    Raises
    ------
    TooLargeError
        If there are more answer keys than a figure can show.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> levels = key_levels(Summary.from_counts({"x": {"a": 1, "b": 1}, "y": {"a": 0, "b": 2}}))
    >>> [(k.key, str(k.level)) for k in levels]
    [((2, 0), '0'), ((1, 1), '0'), ((0, 2), '1/2')]
    """
    exam = read_exam(data, missing)
    labels = exam.n_labels
    found = [
        KeyLevel(
            key,
            min(
                highest_level(row[:labels], exam.held(i), key) for i, row in enumerate(exam.counts)
            ),
        )
        for key in _keys(exam)
    ]
    return tuple(sorted(found, key=lambda k: k.level))


def label_levels(
    data: Data, *, missing: str = "excluded"
) -> dict[str, tuple[tuple[KeyLevel, ...], int]]:
    """Return the same for each label by itself, and the number of keys without the label.

    At such a key the label says nothing, so the key is left out: "No-Knowledge Alarms", figure 8.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> levels, without = label_levels(Summary.from_counts({"x": {"a": 1, "b": 1}}))["a"]
    >>> [(k.key, str(k.level)) for k in levels], without
    ([((2, 0), '1/2'), ((1, 1), '1')], 1)
    """
    exam = read_exam(data, missing)
    keys = list(_keys(exam))
    result = {}
    for t, label in enumerate(exam.labels):
        present = [key for key in keys if key[t]]
        found = [KeyLevel(key, _on_label(exam, key[t], t)) for key in present]
        ordered = tuple(sorted(found, key=lambda k: k.level))
        result[label] = ordered, len(keys) - len(present)
    return result


def _on_label(exam: Exam, q: int, t: int) -> Fraction:
    """Return the smallest over judges of R / (the fewest items of the label it is held to)."""
    fewest = [max(q - excused, 0) for excused in exam.excused]
    return min(
        Fraction(row[t], d) if row[t] < d else Fraction(1)
        for row, d in zip(exam.counts, fewest, strict=True)
    )


def keys_above(levels: Sequence[KeyLevel], x: Fraction) -> int:
    """Count the answer keys that allow more than x."""
    return sum(k.level > x for k in levels)


def _keys(exam: Exam) -> Iterator[tuple[int, ...]]:
    many = count_keys(exam.n_items, exam.n_labels)
    if many > MOST_KEYS:
        raise TooLargeError(
            f"a figure over the answer keys would show {many} of them, more than {MOST_KEYS}; use "
            "fewer items, or ask for the threshold instead"
        )
    low, high = (0,) * exam.n_labels, (exam.n_items,) * exam.n_labels
    return compositions(low, high, exam.n_items)


def evaluation_points(
    data: Data, stage: str = "axioms", judge: object = None
) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """Return one judge's evaluations as (key counts, correct counts): its figures 1, 3, 4.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch or Summary
    stage : "conceivable", "inequalities" or "axioms"
        What is taken into account: the number of items; that no more answers were correct than
        given; all of what order 1 says.
    judge : name, optional
        The first one by default.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> x = Summary.from_counts({"x": {"a": 4, "b": 6}})
    >>> [len(evaluation_points(x, stage)) for stage in STAGES]
    [286, 210, 35]
    """
    check_choice("stage", stage, STAGES)
    exam = read_exam(data)
    (place,) = [0] if judge is None else positions("judge", [judge], exam.judges)
    given = exam.counts[place][: exam.n_labels]
    found: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    for key in _keys(exam):
        if stage == "axioms":
            correct = correct_counts(given, key)
        else:
            caps = key if stage == "conceivable" else map(min, given, key)
            correct = product(*(range(c + 1) for c in caps))
        found += [(key, d) for d in correct]
        if len(found) > MOST_KEYS:
            raise TooLargeError(
                f"a figure would show more than {MOST_KEYS} evaluations; use fewer items or labels"
            )
    return tuple(found)


def prevalence_points(
    points: Sequence[tuple[tuple[int, ...], tuple[int, ...]]],
) -> tuple[tuple[Fraction, ...], ...]:
    """Return the evaluations as (prevalence of the first label, accuracy per label): figure 2.

    Those at keys without some label are left out: its accuracy is 0 of 0.
    """
    return tuple(
        (Fraction(key[0], sum(key)), *(Fraction(d, q) for d, q in zip(correct, key, strict=True)))
        for key, correct in points
        if all(key)
    )


def correct_multiplicities(
    data: Data, q: Sequence[int], *, missing: str = "wrong"
) -> tuple[CorrectCounts, ...]:
    """Return how often each number of correct answers occurs among all response tables at q.

    A response table says how many items of each true label got each answer; order 1 allows every
    table with the judge's counts as margins. The judges are free of one another, so their ways
    multiply: "No-Knowledge Alarms", figures 5 and 6. Two labels leave one table per number.

    Raises
    ------
    DataError
        If q is no answer key of this exam.
    TooLargeError
        If there are too many tables to count.
    """
    rows = read_rows(data, 1, missing)
    key = check_key_counts(rows.exam, q)
    needed = sum(steps(row, rows.labels, key) * (max(row) + 1) for row in rows.judges)
    refuse(needed * rows.labels, "counting response tables", "use fewer items, labels or answers")
    found = []
    for t, label in enumerate(rows.exam.labels):
        ways = [enumerate(by_correct(row, key, t).tolist()) for row in rows.judges]
        attained = tuple({right: n for right, n in one if n} for one in ways)
        found.append(CorrectCounts(label, key[t], attained))
    return tuple(found)
