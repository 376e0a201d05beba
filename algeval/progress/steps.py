"""Loops say how far they are on a board, if somebody listens; if nobody does, they cost nothing.

The outermost work gives the share that is told. A step of it may hold work of its own: each of
`parts` pieces fills as much of the step; where nobody knows how many will follow, each fills half of
what is left of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from time import monotonic
from typing import Any, TypeVar

__all__ = ["Board", "Work", "board", "counted", "listening", "steps", "watched", "within"]

Thing = TypeVar("Thing")


class Work:
    """A piece of work under way.

    Attributes
    ----------
    what : str
        In words, as in "reading the votes".
    total : int or None
        How many steps there are, where that is known.
    done : int
        How many of them have ended.
    parts : int or None
        How many pieces of work a step holds, where that is known.
    filled : float
        The share of this step that pieces of work have filled which have ended.
    begun, until : float
        When it began and, where a time limit stops it, when that runs out; seconds of the board.
    look : callable or None
        Returns the share done, where something else counts the steps; None where it cannot tell.
    reached, reached_at : float
        The largest share that was seen, and when it was seen first.
    """

    __slots__ = (
        "begun",
        "done",
        "filled",
        "look",
        "parts",
        "reached",
        "reached_at",
        "total",
        "until",
        "what",
    )

    def __init__(
        self,
        what: str,
        total: int | None = None,
        *,
        parts: int | None = None,
        until: float | None = None,
        look: Callable[[], float | None] | None = None,
    ) -> None:
        self.what, self.total, self.parts, self.until, self.look = what, total, parts, until, look
        self.done, self.filled = 0, 0.0
        self.begun = self.reached = self.reached_at = 0.0

    def step(self, n: int = 1) -> None:
        """Say that n more steps have ended."""
        self.done, self.filled = self.done + n, 0.0

    def with_piece(self, share: float) -> float:
        """Return the share of this step that is done with so much of one more piece of work in it."""
        size = (1 - self.filled) / 2 if self.parts is None else 1 / self.parts
        return min(1.0, self.filled + size * share)

    def share(self, inner: float | None, now: float) -> float | None:
        """Return the share done, None if unknown; `inner` is that of the work inside this step."""
        if self.look is not None:
            return self.look()
        if self.until is not None:
            return max(inner or 0.0, (now - self.begun) / max(self.until - self.begun, 1e-9))
        if self.total is None:
            return inner
        return (self.done + self.with_piece(inner or 0.0)) / max(self.total, 1)


class Board:
    """Where work under way stands, outermost first; another thread may look at any time."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self.now = now
        self.under_way: list[Work] = []

    @contextmanager
    def doing(self, work: Work) -> Iterator[Work]:
        """Put a piece of work on the board as long as it lasts."""
        work.begun = work.reached_at = self.now()
        self.under_way.append(work)
        try:
            yield work
        finally:
            if work in self.under_way:
                del self.under_way[self.under_way.index(work) :]
            if self.under_way:
                step = self.under_way[-1]
                step.filled = step.with_piece(1.0)

    def share(self) -> tuple[Work, float] | None:
        """Return the outermost work and the share of it that is done, which never falls.

        None is returned where there is no work, or no share is known.
        """
        works, now = list(self.under_way), self.now()
        share: float | None = None
        for work in reversed(works):
            share = work.share(share, now)
        if share is None:
            return None
        if min(share, 1.0) > works[0].reached:
            works[0].reached, works[0].reached_at = min(share, 1.0), now
        return works[0], works[0].reached


_BOARD: ContextVar[Board | None] = ContextVar("algeval_progress", default=None)


def board() -> Board | None:
    """Return the board that is listened to here, None if nobody listens."""
    return _BOARD.get()


@contextmanager
def listening(to: Board) -> Iterator[Board]:
    """Let all work in this context go on a board; threads that it starts stay silent."""
    token = _BOARD.set(to)
    try:
        yield to
    finally:
        _BOARD.reset(token)


def steps(
    things: Iterable[Thing], what: str, total: int | None = None, *, parts: int | None = None
) -> Iterable[Thing]:
    """Return the same things one by one, and say how many are done.

    Parameters
    ----------
    things : iterable
    what : str
        What is done with them, in words.
    total : int, optional
        How many there are; their length if they have one.
    parts : int, optional
        How many pieces of work that say how far they are follow one another in a step.

    Examples
    --------
    >>> with listening(Board()) as seen:
    ...     shares = [seen.share()[1] for _ in steps("abcd", "spelling")]
    >>> shares
    [0.0, 0.25, 0.5, 0.75]
    """
    here = _BOARD.get()
    if here is None:
        return things
    if total is None and isinstance(things, Sized):
        total = len(things)
    return _told(here, things, Work(what, total, parts=parts))


def _told(here: Board, things: Iterable[Thing], work: Work) -> Iterator[Thing]:
    with here.doing(work):
        for thing in things:
            yield thing
            work.step()


def _doing(what: str, total: int | None = None, **options: Any) -> AbstractContextManager[Work]:
    here, work = _BOARD.get(), Work(what, total, **options)
    return nullcontext(work) if here is None else here.doing(work)


def counted(
    what: str, total: int | None = None, *, parts: int | None = None
) -> AbstractContextManager[Work]:
    """Return a context whose value's `step` says that a step has ended, where there is no loop.

    Examples
    --------
    >>> with listening(Board()) as seen, counted("cooking", 3) as dish:
    ...     dish.step()
    ...     round(seen.share()[1], 2)
    0.33
    """
    return _doing(what, total, parts=parts)


def within(what: str, seconds: float | None) -> AbstractContextManager[Work]:
    """Return a context for work that a time limit stops, None for none; its share is of that time."""
    here = _BOARD.get()
    until = None if here is None or seconds is None else here.now() + seconds
    return _doing(what, until=until)


def watched(what: str, look: Callable[[], float | None]) -> AbstractContextManager[Work]:
    """Return a context for work whose share something else knows; `look` is called by a thread."""
    return _doing(what, look=look)
