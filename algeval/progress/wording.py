"""What is said of work under way: what it is, how much of it is done, and how long it may take."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from algeval.progress.steps import Board, Work

__all__ = ["sentence", "time_left", "work_of"]

_WORK = {
    "algeval.io": "reading the votes",
    "algeval.io.counting.items": "looking for repeated items",
    "algeval.logic.questions.alarm": "looking for an answer key that allows this",
    "algeval.logic.questions.threshold": "finding the highest accuracy all judges can have",
    "algeval.logic.questions.panel": "finding how many judges must fall short",
    "algeval.logic.questions.bounds": "finding the ranges of accuracies",
    "algeval.logic.consistent": "counting the evaluations that fit",
    "algeval.algebra.proving": "proving",
    "algeval.algebra.papers": "proving the equations of the papers",
    "algeval.algebra": "solving the equations of independent errors",
    "algeval.aggregate.bootstrap": "refitting on resampled items for intervals",
    "algeval.aggregate.checks.groups": "looking for near copies among the judges",
    "algeval.aggregate.checks.held_out": "predicting held-out votes",
    "algeval.aggregate.methods": "fitting a method",
    "algeval.aggregate.score_checks.shared_factors": "fitting factors, and to held-out scores",
    "algeval.aggregate.score_methods": "fitting a method",
    "algeval.compare.diagnose": "testing whether errors are independent",
    "algeval.compare.comparison": "comparing methods",
    "algeval.report.figures": "drawing",
    "algeval.verify": "checking certificates",
}
"""What is done in a module, or in all modules below it."""

_ENOUGH_SECONDS, _ENOUGH_SHARE = 1.0, 0.02
"""Before so much no time left is told: the first steps load modules, and few say little."""


_MOST_NUMBERED = 10_000
"""Of more steps than this, bytes for example, the number is no help."""


def work_of(modules: Sequence[str]) -> list[str]:
    """Return what is being done, in words, from the modules at work, outermost first.

    Examples
    --------
    >>> work_of(["algeval.cli.main", "algeval.aggregate.bootstrap", "algeval.aggregate.em"])
    ['refitting on resampled items for intervals']
    """
    told: dict[str, None] = {}
    for module in modules:
        parts = module.split(".")
        above = (".".join(parts[:n]) for n in range(len(parts), 1, -1))
        nearest = next((_WORK[name] for name in above if name in _WORK), None)
        told.update({} if nearest is None else {nearest: None})
    return list(told)


def sentence(board: Board, modules: Sequence[str] = ()) -> str:
    """Return what is done, the share of it that is done, and the time left.

    What loops say comes first; where they are silent, the modules at work tell.

    Examples
    --------
    >>> clock = iter([0.0, 6.0, 6.0]).__next__
    >>> board = Board(clock)
    >>> with board.doing(Work("refitting", 200)) as work:
    ...     work.step(50)
    ...     sentence(board)
    'refitting, 51 of 200, 25 %, about 20 s left'
    """
    works, known = list(board.under_way), board.look()
    timed = next((work for work in known if work.even), None)
    told = [_what(works, timed, modules), *_share(known)]
    return ", ".join([*told, *([] if timed is None else _left(timed, works, board.now()))])


def _what(works: Sequence[Work], timed: Work | None, modules: Sequence[str]) -> str:
    """Return the outermost work, and inside it that whose time is told, or else the innermost."""
    names = [_named(work, outer=place == 0) for place, work in enumerate(works) if work.what]
    found = [name for name in work_of(modules) if not any(name in said for said in names)]
    if len(names) > 1 and timed is not None and timed is not works[0]:
        names.append(timed.what)
    elif len(names) < 2:
        names += found[-1:] if works else found[:2]
    return ": ".join(dict.fromkeys([names[0], names[-1]])) if names else "working"


def _named(work: Work, *, outer: bool) -> str:
    """Return what a piece of work is, the outer one with the number of the step it is in."""
    if not outer or not work.total or not 1 < work.total <= _MOST_NUMBERED:
        return work.what
    return f"{work.what}, {min(work.done + 1, work.total):,} of {work.total:,}"


def _share(known: Sequence[Work]) -> list[str]:
    """Return the share of the outermost work, unless all there is to tell is a time limit."""
    if not known or (len(known) == 1 and known[0].until is not None):
        return []
    return [f"{int(100 * known[0].reached + 1e-9)} %"]


def _left(timed: Work, works: Sequence[Work], now: float) -> list[str]:
    """Return the time left of a piece of work, and whether that is not all of it."""
    inside = " in this step" if works and timed is not works[0] else ""
    if timed.until is not None:
        return [f"at most {_rounded(max(timed.until - now, 0))} left{inside}"]
    left = time_left(timed.reached, now - timed.begun, now - timed.reached_at)
    return [] if left is None else [f"about {_rounded(left)} left{inside}"]


def time_left(share: float, elapsed: float, waited: float = 0.0) -> float | None:
    """Return the seconds left at the pace so far, None where that cannot be told.

    Parameters
    ----------
    share : float
        Share done, from 0 to 1.
    elapsed, waited : float, seconds
        Since the work began, and since the share last rose. What takes longer than its pace
        promised has no time left that could be told, until it goes on.

    Examples
    --------
    >>> time_left(0.25, 10.0)
    30.0
    """
    if share < _ENOUGH_SHARE or elapsed < _ENOUGH_SECONDS:
        return None
    left = (elapsed - waited) * (1 - share) / share - waited
    return left if left > 0 else None


def _rounded(seconds: float) -> str:
    """Return seconds in words, no more exactly than they are known."""
    if seconds <= 10:
        return f"{max(1, ceil(seconds))} s"
    if seconds <= 55:
        return f"{5 * ceil(seconds / 5)} s"
    if seconds <= 55 * 60:
        return f"{ceil(seconds / 60)} min"
    return f"{ceil(seconds / 3600)} h"
