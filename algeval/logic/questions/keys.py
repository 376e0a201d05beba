"""Which answer-key counts let every judge meet its levels, and how many there are."""

from __future__ import annotations

from itertools import islice

from algeval.data import Specification
from algeval.errors import DataError, TooLargeError
from algeval.io.sources import Source, read_data
from algeval.logic.demand import System, read_specification, spelled_as, system_of
from algeval.logic.exam import read_exam
from algeval.logic.orders.closed_form import compositions, count_in_time, has_box, key_box
from algeval.logic.policy import MOST_KEYS_TRIED
from algeval.logic.proof.clock import Clock

__all__ = ["count_keys_meeting", "keys_admitted"]


def keys_admitted(
    system: System, most: int, clock: Clock | None = None
) -> tuple[int | None, tuple[tuple[int, ...], ...]]:
    """Return how many answer keys a system admits, and the first of them.

    The count is None, and no key is returned, where it would take too long.
    """
    clock = clock or Clock(None)
    if clock.over:
        return None, ()
    total = system.n_items
    if has_box(system):
        box = key_box(system)
        if box is None:
            return 0, ()
        count = count_in_time(*box, total, clock)
        return count, () if count is None else tuple(islice(compositions(*box, total), most))
    count = count_in_time(system.low, system.high, total, clock)
    if count is None or count > MOST_KEYS_TRIED:
        return None, ()
    found = []
    for key in compositions(system.low, system.high, total):
        if clock.over:
            return None, ()
        if system.admits(key):
            found.append(key)
    return len(found), tuple(found[:most])


def count_keys_meeting(data: Source, at_least: object, *, missing: str = "excluded") -> int:
    """Count the answer-key counts at which every judge could meet a specification (order 1).

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary, or a table
        What the judges answered.
    at_least : number, text or Specification
        Accuracy from below, of every judge and label or of some, and bounds on prevalences.
    missing : "excluded" or "wrong"
        Whether a judge is held to the items it did not answer.

    Raises
    ------
    DataError
        If the specification asks for a grade or for accuracy from above.
    TooLargeError
        With missing answers and four labels or more, if there are too many keys to go through.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> grades = {"authors": {"a": 5, "b": 10, "tie": 10}, "gpt4": {"a": 4, "b": 18, "tie": 3}}
    >>> count_keys_meeting(Summary.from_counts(grades), Specification.at_least(0.5, strict=True))
    27
    """
    data = read_data(data)
    exam = read_exam(data, missing)
    spec, _ = spelled_as(Specification.of(at_least), exam.labels)
    asked = read_specification(exam, spec)
    if not asked.simple or spec.min_judges is not None:
        raise DataError(
            "keys are counted for accuracy from below and bounds on prevalences; got "
            f"{spec.describe()!r}; leave the other conditions out"
        )
    count, _ = keys_admitted(system_of(exam, asked), 0)
    if count is None:
        raise TooLargeError(
            f"counting would try more than {MOST_KEYS_TRIED} answer keys one by one; use fewer items, or "
            "missing='wrong', which has a closed form"
        )
    return count
