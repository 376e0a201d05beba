"""Run one method and say what it assumed, how it ended and whether it is logically possible."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from math import comb, isfinite
from typing import Any

from algeval.aggregate import METHODS, Aggregation, Bootstrap, aggregate
from algeval.aggregate.bootstrap import shown_intervals
from algeval.aggregate.checks.scoring import Score, score
from algeval.algebra import PooledTrios, decode, pool_trios
from algeval.compare.consistency import Consistency, consistency
from algeval.data import Evaluation, KeyedSketch, Sketch, Votes
from algeval.errors import AlgevalError, NotIdentifiableError, TooLargeError
from algeval.result import Status
from algeval.result.base import Record

__all__ = ["DEFAULT_METHODS", "Estimate", "estimate"]

DEFAULT_METHODS = ("algebra", "majority", "dawid-skene", "recommended")

_ALGEBRA = "errors exactly independent on this test"
_MOST_WORK = 1_000_000  # about two seconds


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
    ranges : PooledTrios or None
        Lowest and highest of each number over the trios of more than three judges, where the
        evaluation is the median over them.
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
    ranges: PooledTrios | None = None
    fit: Aggregation | None = field(default=None, repr=False)

    @property
    def ends(self) -> Bootstrap | PooledTrios | None:
        """What says between which ends each number lies: intervals, or ranges over trios."""
        return self.ranges if self.intervals is None else self.intervals

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
    elif votes.n_judges < 3:
        why = f"the algebra needs three judges; got {votes.n_judges}"
    elif comb(votes.n_judges, 3) * _work_of_a_trio(votes.n_labels) > _MOST_WORK:
        told = f"not done here: {votes.n_judges} judges have {comb(votes.n_judges, 3)} trios"
        return ended(status=Status.TOO_LARGE, message=told)
    if why is not None:
        return ended(status=Status.UNDETERMINED, message=why)
    found: Any = decode(votes) if votes.n_judges == 3 else pool_trios(votes)
    ranges = found if isinstance(found, PooledTrios) and not found.shared else None
    best = found.evaluation if isinstance(found, PooledTrios) else found.best
    return ended(
        status=found.status,
        message=found.message,
        evaluation=best,
        consistency=None if best is None or ranges else consistency(best, votes.summary()),
        ranges=None if best is None else ranges,
    )


def _work_of_a_trio(n_labels: int) -> int:
    """Two labels have a closed form, more need the determinants of R x R tables."""
    return 1 if n_labels == 2 else 20 * n_labels**3


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
