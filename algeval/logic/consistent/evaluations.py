"""The evaluations consistent with the counts, and the counts of the paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import comb, prod

from algeval.errors import DataError, TooLargeError
from algeval.logic.consistent.by_solver import MOST_CODES, points_by_program, size_of_code
from algeval.logic.consistent.lattice import correct_counts, count_points
from algeval.logic.demand import check_key_counts
from algeval.logic.exam import Data, Exam, read_exam, resolve_order
from algeval.logic.orders.closed_form import compositions
from algeval.logic.results import EvaluationSet, Point
from algeval.result import Status

__all__ = ["count_after_inequalities", "count_conceivable", "count_keys", "evaluations"]

MOST_KEYS = 200_000
"""Answer keys gone through to count; more are refused."""


def evaluations(
    data: Data,
    *,
    q: Sequence[int] | None = None,
    order: int = 1,
    engine: str = "lattice",
    missing: str = "excluded",
) -> EvaluationSet:
    """Return the evaluations that could have produced the counts, enumerated lazily.

    A point is the answer-key counts and, per judge and label, how many items were answered
    correctly. Use it on small exams, to see the set that alarms and bounds speak of.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch or Summary
        What the judges answered; a key is never read.
    q : (R,) ints, optional
        One point of the Q-complex: how many items have each label. All of them if left out.
    order : 1
        Only each judge's own counts are read.
    engine : "lattice" or "pulp"
        Closed-form enumeration, or an integer program solved once per point (small exams only).
    missing : "excluded" or "wrong"
        Echoed; an item left unanswered is one that was not answered correctly, under either rule.

    Returns
    -------
    EvaluationSet
        `count` without enumerating; iterate for the points, in descending lexicographic order.

    Raises
    ------
    DataError
        If the data, q, the order or the engine breaks a rule.
    TooLargeError
        If counting would go through too many answer keys; pass q.

    Notes
    -----
    Paper 003, section II. The printed counts 285 and 235 are 286 and 210.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> found = evaluations(Summary.from_counts({"x": {"a": 4, "b": 6}}))
    >>> found.count, next(iter(found)).key_counts
    (35, (10, 0))
    """
    exam = read_exam(data, missing)
    if order != 1:
        raise DataError(f"order must be 1 for evaluations; got {order!r}; leave it out")
    resolve_order(data, order)
    if engine not in _ENGINES:
        raise DataError(f"engine must be one of {list(_ENGINES)}; got {engine!r}; choose one")
    low, high = _box(exam, q)
    count, points = _ENGINES[engine](exam, low, high)
    return EvaluationSet(
        status=Status.OK,
        message=_sentence(count, q, exam),
        count=count,
        key_counts=None if q is None else low,
        engine=engine,
        points=points,
        **exam.echo(1),
    )


def _sentence(count: int, q: Sequence[int] | None, exam: Exam) -> str:
    where = "" if q is None else " at this answer key"
    return f"{count} evaluations{where} are consistent with how {exam.n_judges} judges answered."


def _box(exam: Exam, q: Sequence[int] | None) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if q is None:
        return (0,) * exam.n_labels, (exam.n_items,) * exam.n_labels
    key = check_key_counts(exam, q)
    return key, key


Built = tuple[int, Callable[[], Iterator[Point]]]


def _lattice(exam: Exam, low: tuple[int, ...], high: tuple[int, ...]) -> Built:
    n_keys = 1 if low == high else count_keys(exam.n_items, exam.n_labels)
    if n_keys > MOST_KEYS:
        raise TooLargeError(
            f"counting would go through {n_keys} answer keys, more than {MOST_KEYS}; pass q= for one "
            "of them, or ask for bounds or a threshold instead"
        )

    def keys() -> Iterator[tuple[int, ...]]:
        return compositions(low, high, exam.n_items)

    def points() -> Iterator[Point]:
        labels = exam.n_labels
        for key in keys():
            for correct in product(
                *(list(correct_counts(row[:labels], key)) for row in exam.counts)
            ):
                yield Point(key, correct)

    return sum(count_points(exam.counts, key) for key in keys()), points


def _pulp(exam: Exam, low: tuple[int, ...], high: tuple[int, ...]) -> Built:
    size = size_of_code(exam)
    if size > MOST_CODES:
        raise TooLargeError(
            f"the integer program would number {size} possible points, more than {MOST_CODES}; use "
            "engine='lattice' or fewer items and judges"
        )
    found = [Point(*point) for point in points_by_program(exam, low, high)]
    return len(found), lambda: iter(found)


_ENGINES: dict[str, Callable[[Exam, tuple[int, ...], tuple[int, ...]], Built]] = {
    "lattice": _lattice,
    "pulp": _pulp,
}


def count_keys(n_items: int, n_labels: int) -> int:
    """Count the points of the Q-complex: how many answer-key counts there are.

    Examples
    --------
    >>> count_keys(25, 3)
    351
    """
    return comb(n_items + n_labels - 1, n_labels - 1)


def count_conceivable(n_items: int, n_labels: int) -> int:
    """Count the evaluations of one judge before anything is observed.

    These are the answer-key counts with at most as many correct answers of each label (paper 003
    prints 285 for ten items and two labels beside the 286 of its own formula).

    Examples
    --------
    >>> count_conceivable(10, 2)
    286
    """
    return comb(n_items + 2 * n_labels - 1, 2 * n_labels - 1)


def count_after_inequalities(data: Data) -> int:
    """Count the evaluations with no more correct answers of a label than answers observed.

    Several judges are counted together. Paper 003 prints 235 in one place and 210 in another for
    one judge with counts (4, 6).

    Raises
    ------
    TooLargeError
        If there are too many answer keys to go through.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> count_after_inequalities(Summary.from_counts({"x": {"a": 4, "b": 6}}))
    210
    """
    exam = read_exam(data)
    n_keys = count_keys(exam.n_items, exam.n_labels)
    if n_keys > MOST_KEYS:
        raise TooLargeError(
            f"counting would go through {n_keys} answer keys, more than {MOST_KEYS}; use fewer items"
        )
    low, high = _box(exam, None)
    return sum(
        prod(min(r, v) + 1 for row in exam.counts for r, v in zip(row, key, strict=False))
        for key in compositions(low, high, exam.n_items)
    )
