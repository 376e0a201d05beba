"""Check a specification in a pipeline: silence returns, impossibility raises."""

from __future__ import annotations

from algeval.data import Specification
from algeval.errors import ImpossibleError
from algeval.io.sources import Source, read_data
from algeval.logic.demand import standard
from algeval.logic.questions.alarm import alarm
from algeval.logic.results import Alarm

__all__ = ["check"]


def check(
    data: Source,
    at_least: object = None,
    *,
    order: int | str | None = None,
    missing: str = "excluded",
    require_labels: bool = False,
    time_limit: float | None = None,
    specification: object = None,
) -> Alarm:
    """Raise `ImpossibleError` if no answer key lets the judges meet a specification.

    Use it in a test of a pipeline, beside the asserts on everything else: the error is an
    `AssertionError`, and its message is the verdict in one sentence. It needs no answer key.
    Passing shows nothing but that the votes do not contradict the specification.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary, or a table
        What the judges answered; a key is never read.
    at_least : text, number or Specification
        Such as ``"accuracy >= 0.6"``; a number is asked of every judge on every label.
    order : int, "full" or None
        How many judges' joint answers to use; None is the highest the data supports.
    missing : "excluded" or "wrong"
        Whether a judge is held to the items it did not answer.
    require_labels : bool
        Whether every label must occur in the answer key.
    time_limit : float, optional
        Seconds after which an answer still open counts as not solved.
    specification : optional
        The former name of `at_least`; deprecated.

    Returns
    -------
    Alarm
        The silent alarm, with a witness: one answer key and evaluation that meet the specification.

    Raises
    ------
    ImpossibleError
        If the specification is impossible; `error.alarm.certificate` proves it.
    NotSolvedError
        If it could not be settled within the limits: a guard must not pass what it did not check.
    DataError
        If the data, the order or the specification breaks a rule.

    Notes
    -----
    No-Knowledge Alarms, section III.

    Examples
    --------
    >>> from algeval.data import Sketch
    >>> judges = Sketch.from_counts({"aa": 6, "bb": 3, "ab": 1}, judges=["first", "second"])
    >>> check(judges, "accuracy >= 0.6").triggered
    False
    """
    data = read_data(data)
    asked = Specification.of(standard(at_least, specification), require_labels=require_labels)
    result = alarm(data, asked, order=order, missing=missing, time_limit=time_limit)
    if result.triggered:
        raise ImpossibleError(result.message, result)
    return result.raise_for_status()
