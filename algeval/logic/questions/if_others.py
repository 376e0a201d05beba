"""How good one judge can be, if all the others are at least so good."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algeval.data import Specification
from algeval.data.names import positions
from algeval.errors import DataError
from algeval.io.sources import Source, read_data
from algeval.logic.exam import read_exam
from algeval.logic.questions.bounds import bounds

if TYPE_CHECKING:
    from algeval.logic.results import Bounds

__all__ = ["if_others"]


def if_others(
    data: Source,
    judge: str,
    at_least: object = 0.7,
    *,
    order: int | str | None = None,
    missing: str = "excluded",
    time_limit: float | None = 60.0,
) -> Bounds:
    """Return the ranges of one judge, over the evaluations in which all others reach a level.

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
        Seconds; None for no limit.

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
    data = read_data(data)
    exam = read_exam(data, missing)
    (place,) = positions("judge", [judge], exam.judges)
    others = [name for i, name in enumerate(exam.judges) if i != place]
    if not others:
        raise DataError(f"there must be another judge than {judge!r}; got none; add one")
    spec = Specification.accuracy(">=", at_least, judge=others[0])
    for name in others[1:]:
        spec = spec & Specification.accuracy(">=", at_least, judge=name)
    return bounds(
        data, order=order, at_least=spec, judges=[judge], missing=missing, time_limit=time_limit
    )
