"""Run one method and say what it assumed, how it ended and whether it is logically possible."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from math import isfinite
from typing import Any

from algeval.aggregate import METHODS, Aggregation, Bootstrap, aggregate
from algeval.aggregate.bootstrap import shown_intervals
from algeval.aggregate.checks.scoring import Score, score
from algeval.algebra import decode
from algeval.compare.consistency import Consistency, consistency
from algeval.data import Evaluation, KeyedSketch, Sketch, Votes
from algeval.errors import AlgevalError, NotIdentifiableError, TooLargeError
from algeval.result import Status
from algeval.result.base import Record

__all__ = ["DEFAULT_METHODS", "Estimate", "estimate"]

DEFAULT_METHODS = ("algebra", "majority", "dawid-skene", "recommended")

_ALGEBRA = "errors exactly independent on this test"


_REFUSALS: tuple[tuple[type[AlgevalError], Status], ...] = (
    (NotIdentifiableError, Status.NOT_IDENTIFIABLE),
    (TooLargeError, Status.TOO_LARGE),
    (AlgevalError, Status.UNDETERMINED),
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Estimate(Record):
    """What one method says.

    Attributes
    ----------
    method, assumes : str
    status : Status
    message : str
    evaluation : Evaluation or None
        None where the method does not apply or found none.
    consistency : Consistency or None
        Whether the evaluation is logically possible.
    score : Score or None
        Against the key, where there is one; computed after everything else.
    intervals : Bootstrap or None
        Of the evaluation, from refits on resampled items; None where none were asked for.
    fit : Aggregation or None
        The result itself; not written to JSON.
    """

    method: str
    assumes: str
    status: Status
    message: str
    evaluation: Evaluation | None = None
    consistency: Consistency | None = None
    score: Score | None = None
    intervals: Bootstrap | None = None
    fit: Aggregation | None = field(default=None, repr=False)

    @property
    def ended(self) -> str:
        """The status; of a fit that ended well on what no test can have been, that it is impossible."""
        impossible = self.consistency is not None and not self.consistency.possible
        return (
            "impossible" if impossible and self.status.ok and not self._drawn else self.status.value
        )

    @property
    def _drawn(self) -> str:
        record = METHODS.get(self.method)
        found = self.consistency
        return record.drawn if record and found is not None and isfinite(found.gap) else ""

    @property
    def standing(self) -> str:
        """The sentence on whether the evaluation is logically possible; empty where not tested."""
        found = self.consistency
        if found is None:
            return ""
        if found.possible or not self._drawn:
            return f"It is {found.describe()}."
        return (
            f"Its tables lean on {self._drawn} too and miss what was counted by up to {found.gap:.1f} "
            f"items ({found.where}): read them as estimates, no test came out so."
        )


def estimate(
    method: str,
    votes: Votes | Sketch,
    key: Votes | KeyedSketch | None,
    *,
    intervals: int | str = 0,
) -> Estimate:
    """Run one method on votes without a key, then score it against the key if there is one.

    intervals : refits for intervals, "auto" where they cost little, 0 for none.
    """
    if method == "algebra":
        return _algebra(votes)
    return _aggregate(method, votes, key, intervals=intervals)


def _algebra(votes: Votes | Sketch) -> Estimate:
    ended = partial(Estimate, method="algebra", assumes=_ALGEBRA)
    why = None
    if votes.n_labels < 2:
        why = "the algebra needs two labels; here is one"
    elif votes.n_judges != 3:
        why = f"the algebra reads three judges at a time; got {votes.n_judges}"
    if why is not None:
        return ended(status=Status.UNDETERMINED, message=why)
    found: Any = decode(votes)
    best = found.best
    return ended(
        status=found.status,
        message=found.message,
        evaluation=best,
        consistency=None if best is None else consistency(best, votes.summary()),
    )


def _aggregate(
    method: str, votes: Votes | Sketch, key: Votes | KeyedSketch | None, *, intervals: int | str
) -> Estimate:
    assumes = METHODS[method].assumes
    try:
        found = aggregate(votes, method)
    except AlgevalError as error:
        status = next(s for kind, s in _REFUSALS if isinstance(error, kind))
        message = f"does not apply here: {error}"
        return Estimate(method=method, assumes=assumes, status=status, message=message)
    fitted = found.evaluation
    partial = method == "majority" and found.n_undecided > 0
    message = found.message
    if partial:
        message += (
            " Its evaluation speaks of the decided items only, so it is not tested for consistency."
        )
    return Estimate(
        method=method,
        assumes=assumes,
        status=found.status,
        message=message,
        evaluation=fitted,
        consistency=None if fitted is None or partial else consistency(fitted, votes.summary()),
        score=None if key is None or fitted is None else score(found, key),
        intervals=shown_intervals(found, intervals),
        fit=found,
    )
