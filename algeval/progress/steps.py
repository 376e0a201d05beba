"""Loops say how far they are on a board, if somebody listens; if nobody does, they cost nothing.

The outermost work gives the share that is told. A step of it may hold work of its own; as nobody knows
how much will follow, each piece fills half of what is left of the step. Only of work whose steps take
about equally long can be told how long it will take.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from time import monotonic
from typing import TypeVar

__all__ = ["Board", "Work", "board", "counted", "listening", "stages", "steps", "watched", "within"]

Thing = TypeVar("Thing")


class Work:
    """A piece of work under way.

    Attributes
    ----------
    what : str
        In words, as in "reading the votes".
    total : int or None
        How many steps there are, where that is known.
    even : bool
        Whether they take about equally long.
    done : int
        How many of them have ended.
    filled : float
        The share of the step under way that was filled by work which has ended.
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
        "even",
        "filled",
        "look",
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
        even: bool = True,
        until: float | None = None,
        look: Callable[[], float | None] | None = None,
    ) -> None:
        self.what, self.total, self.even, self.until, self.look = what, total, even, until, look
        self.done = 0
        self.filled = self.begun = self.reached = self.reached_at = 0.0

    def step(self, n: int = 1) -> None:
        """Say that n more steps have ended."""
        self.done, self.filled = self.done + n, 0.0

    def with_piece(self, share: float) -> float:
        """Return the share of the step under way that is done, with so much of one more piece."""
        return self.filled + (1 - self.filled) / 2 * share

    def share(self, inner: float | None, now: float) -> float | None:
        """Return the share done, None if unknown; `inner` is that of the work inside this step."""
        if self.look is not None:
            return self.look()
        if self.until is not None:
            return max(inner or 0.0, (now - self.begun) / max(self.until - self.begun, 1e-9))
        if self.total is None:
            return inner
        return (self.done + self.with_piece(inner or 0.0)) / max(self.total, 1)

    def reach(self, share: float, now: float) -> None:
        """Take note of a share that was seen; what was seen before is never taken back."""
        if share > self.reached:
            self.reached, self.reached_at = min(share, 1.0), now


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

    def look(self) -> list[Work]:
        """Return the work under way of which a share is known, each with the share it has reached.

        Examples
        --------
        >>> board = Board()
        >>> with board.doing(Work("cooking", 3)) as dish:
        ...     dish.step()
        ...     round(board.look()[0].reached, 2)
        0.33
        """
        works, now = list(self.under_way), self.now()
        known, share = [], None
        for work in reversed(works):
            share = work.share(share, now)
            if share is not None:
                work.reach(share, now)
                known.append(work)
        return known[::-1]


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
    things: Iterable[Thing], what: str, total: int | None = None, *, even: bool = True
) -> Iterable[Thing]:
    """Return the same things one by one, and say how many are done.

    Parameters
    ----------
    things : iterable
    what : str
        What is done with them, in words.
    total : int, optional
        How many there are; their length if they have one.
    even : bool
        Whether they take about equally long.

    Examples
    --------
    >>> with listening(Board()) as board:
    ...     shares = [board.look()[0].reached for _ in steps("abcd", "spelling")]
    >>> shares
    [0.0, 0.25, 0.5, 0.75]
    """
    here = _BOARD.get()
    if here is None:
        return things
    if total is None and isinstance(things, Sized):
        total = len(things)
    if total == 1:  # it is what is around it
        return things
    return _told(here, things, Work(what, total, even=even))


def _told(here: Board, things: Iterable[Thing], work: Work) -> Iterator[Thing]:
    with here.doing(work):
        for thing in things:
            yield thing
            work.step()


def _doing(work: Work) -> AbstractContextManager[Work]:
    here = _BOARD.get()
    return nullcontext(work) if here is None else here.doing(work)


def counted(what: str, total: int | None = None) -> AbstractContextManager[Work]:
    """Return a context whose value's `step` says that so many equal steps have ended."""
    return _doing(Work(what, total))


def stages(what: str, total: int) -> AbstractContextManager[Work]:
    """Return a context whose value's `step` says that one of a few unequal stages has ended."""
    return _doing(Work(what, total, even=False))


def within(what: str, seconds: float | None) -> AbstractContextManager[Work]:
    """Return a context for work that a time limit stops, None for none; its share is of that time."""
    here = _BOARD.get()
    until = None if here is None or seconds is None else here.now() + seconds
    return _doing(Work(what, until=until))


def watched(what: str, look: Callable[[], float | None]) -> AbstractContextManager[Work]:
    """Return a context for work whose share something else knows; `look` is called by a thread."""
    return _doing(Work(what, look=look))
