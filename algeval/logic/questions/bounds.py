"""The range of every accuracy, grade and prevalence that the votes leave possible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.data import Specification
from algeval.data.names import positions
from algeval.errors import DataError
from algeval.io.sources import Source, read_data
from algeval.logic.demand import key_conditions, spelled_as
from algeval.logic.exam import Data, Exam, order_words, read_exam
from algeval.logic.orders.base import Order, decide
from algeval.logic.orders.order1 import Order1
from algeval.logic.policy import MOST_PROOF_CELLS
from algeval.logic.proof.clock import Clock
from algeval.logic.questions.ends import Proved, Quantity, Range, quantities, ranges
from algeval.logic.questions.free_ends import TRIVIAL, free_range
from algeval.logic.questions.steps import answer, highest_that_fits
from algeval.logic.results import Bounds
from algeval.progress import steps, within
from algeval.result import Status

__all__ = ["bounds"]


def bounds(
    data: Source,
    *,
    order: int | str | None = None,
    at_least: object | None = None,
    key_counts: Sequence[int] | None = None,
    judges: Sequence[str] | None = None,
    missing: str = "excluded",
    time_limit: float | None = 60.0,
) -> Bounds:
    """Return the lowest and highest value of every quantity over all consistent evaluations.

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
        Seconds for the integer programs; None for no limit.

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
    data = read_data(data)
    clock = Clock(time_limit)
    exam = read_exam(data, missing)
    spec, read = _specification(exam, at_least, key_counts)
    asked = highest_that_fits(data, exam, order, clock, any_condition=True)
    with within("finding the ranges of accuracies", time_limit):
        status, proved = _ranges(data, asked, spec, clock, _wanted(exam, judges))
    found = [(what, one.ends) for what, one in proved]
    outer = tuple(what.name(exam) for what, one in proved if not one.exact)
    accuracy, grade, prevalence = _arrays(exam, found)
    return Bounds(
        status=status,
        message=_sentence(status, spec, asked.name, outer) + read,
        accuracy=accuracy,
        grade=grade,
        prevalence=prevalence,
        specification=spec,
        outer=outer,
        certificates={what.name(exam): one.proof for what, one in proved},
        time_limit=time_limit,
        **exam.echo(asked.name),
    )


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


def _ranges(
    data: Data,
    order: Order,
    spec: Specification | None,
    clock: Clock,
    wanted: Sequence[Quantity],
) -> tuple[Status, list[tuple[Quantity, Proved]]]:
    """Return the ranges; of an impossible specification there are none."""
    first = Order1(order.exam)
    if spec is None:
        free = list(_free_ranges(first, wanted, clock))
        if order.name == 1:
            return _status(order, free, clock), free
        spec = TRIVIAL
    else:
        found = answer(data, order.exam, order.name, clock, lambda o, c: decide(o, spec, c))
        if found.outcome.possible is False:
            return Status.INCONSISTENT, []
        free = []
    proved = list(ranges(order, spec, clock, wanted))
    if order.name != 1 and not all(one.exact for _, one in proved):
        free = free or list(ranges(first, spec, clock, wanted))
        pairs = zip(proved, free, strict=True)
        proved = [(what, one.tightened(other)) for (what, one), (_, other) in pairs]
    return _status(order, proved, clock), proved


def _free_ranges(
    order: Order1, wanted: Sequence[Quantity], clock: Clock
) -> Iterator[tuple[Quantity, Proved]]:
    """Yield closed forms, with proofs while there is time and memory for their tables."""
    exam = order.exam
    cells = 2 * exam.n_judges * len(exam.answers) * exam.n_labels
    for place, what in enumerate(steps(wanted, "finding each range")):
        proofs = place * cells <= MOST_PROOF_CELLS and not clock.over
        yield what, free_range(order, what, proofs=proofs)


def _status(order: Order, found: Sequence[tuple[Quantity, Proved]], clock: Clock) -> Status:
    if all(one.exact for _, one in found):
        return Status.OK
    return Status.UNDETERMINED if order.in_time(clock) else Status.TIME_LIMIT


def _sentence(
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
    exam: Exam, found: Iterable[tuple[Quantity, Range | None]]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    accuracy = np.full((exam.n_judges, exam.n_labels, 2), None, dtype=object)
    grade = np.full((exam.n_judges, 2), None, dtype=object)
    prevalence = np.full((exam.n_labels, 2), None, dtype=object)
    for what, ends in found:
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
