"""How far long work is: loops report it, and a terminal or a notebook shows it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil, inf
from threading import Event, RLock, Thread, get_ident
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Any, Self, TypeVar

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["show_progress"]


# --- Where a line can be shown: a terminal whose last line is written over, one that cannot, a
# notebook.


class Screen:
    """What shows one line at a time, at the most every so many seconds; each shows it in its own way."""

    every = 10.0

    def __init__(self) -> None:
        self._lock = RLock()

    def show(self, text: str) -> None:
        """Show a line in place of the last one."""

    def clear(self) -> None:
        """Take the line away."""

    @contextmanager
    def held(self) -> Iterator[None]:
        """Context in which there is no line."""
        with self._lock:
            self.clear()
            yield


class _Terminal(Screen):
    """A terminal at the other end of stderr; `rich`, which takes a while to load, loads on first use."""

    every = 0.25

    _stands = False

    @cached_property
    def _console(self) -> Console:
        from rich.console import Console

        return Console(stderr=True, force_jupyter=False)

    def show(self, text: str) -> None:
        with self._lock:
            self.clear()
            self._stands = True
            shown = text[: self._console.width - 1]
            self._console.print(shown, style="dim", markup=False, highlight=False, end="")

    def clear(self) -> None:
        from rich.control import Control
        from rich.segment import ControlType

        with self._lock:
            if self._stands:
                wipe = (ControlType.ERASE_IN_LINE, 2)
                self._console.control(Control(ControlType.CARRIAGE_RETURN, wipe))
            self._stands = False


class _Lines(Screen):
    """A terminal that gets whole lines, because what it shows cannot be taken back."""

    def show(self, text: str) -> None:
        with self._lock:
            print(text, file=sys.stderr, flush=True)


class _Notebook(Screen):
    """A line below the cell of a notebook."""

    every = 0.5

    _handle: Any = None

    def show(self, text: str) -> None:
        from IPython.display import display

        shown = {"text/plain": text}
        if self._handle is None:
            self._handle = display(shown, raw=True, display_id=True)
        else:
            self._handle.update(shown, raw=True)

    def clear(self) -> None:
        if self._handle is not None:
            self._handle.update({"text/plain": ""}, raw=True)

    @contextmanager
    def held(self) -> Iterator[None]:
        yield


def terminal_screen() -> Screen | None:
    """Terminal of stderr, None if there is none."""
    if sys.stderr is None or sys.stderr.closed or not sys.stderr.isatty():
        return None
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM", "") in ("dumb", "unknown")
    return _Lines() if plain else _Terminal()


def notebook_screen() -> Screen | None:
    """Notebook whose cell is run, None elsewhere."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return _Notebook() if hasattr(shell, "kernel") else None


# --- Loops say how far they are on a board, if somebody listens; if nobody does, they cost nothing.
#
# The outermost work gives the share that is told. A step of it may hold work of its own; as nobody knows
# how much will follow, each piece fills half of what is left of the step. Only of work whose steps take
# about equally long can be told how long it will take.


T = TypeVar("T")


@dataclass(slots=True, eq=False)
class Work:
    """A piece of work under way.

    `total` steps, if that is known, which take about equally long if `even`; `done` of them have ended, and
    work which has ended has filled the share `filled` of the step under way. It began at `begun` and ends
    at `until`, where a time limit stops it, in seconds of the board. `look` returns the share done, where
    something else counts the steps, or None. `reached` is the largest share seen, first at `reached_at`.
    """

    what: str
    total: int | None = None
    even: bool = field(default=True, kw_only=True)
    until: float | None = field(default=None, kw_only=True)
    look: Callable[[], float | None] | None = field(default=None, kw_only=True)
    done: int = field(default=0, init=False)
    filled: float = field(default=0.0, init=False)
    begun: float = field(default=0.0, init=False)
    reached: float = field(default=0.0, init=False)
    reached_at: float = field(default=0.0, init=False)

    def step(self, n: int = 1) -> None:
        """Count n more steps that have ended."""
        self.done, self.filled = self.done + n, 0.0

    def with_piece(self, share: float) -> float:
        """Share of the step under way that is done, with so much of one more piece."""
        return self.filled + (1 - self.filled) / 2 * share

    def share(self, inner: float | None, now: float) -> float | None:
        """Share done, None if unknown; `inner` is that of the work inside this step."""
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

    def look(self) -> list[Work]:
        """Work under way of which a share is known, each with the share it has reached."""
        works, now = list(self.under_way), self.now()
        shares, share = [], None
        for work in reversed(works):
            share = work.share(share, now)
            if share is not None:
                if share > work.reached:  # what was seen before is never taken back
                    work.reached, work.reached_at = min(share, 1.0), now
                shares.append(work)
        return shares[::-1]


_BOARD: ContextVar[Board | None] = ContextVar("algeval_progress", default=None)
_END: ContextVar[float | None] = ContextVar("algeval_end", default=None)


class CountedClock:
    """Seconds from now until work should stop (None never runs out), and the work done so far.

    Only what a caller gave is a limit in seconds. Every bound of our own is counted work, so that the
    same data give the same answer on any machine, however busy. One unit of work is about a second
    of a quiet machine; after `work` of them this part is over.
    """

    def __init__(
        self, limit: float | None, work: float = inf, *, whole: CountedClock | None = None
    ) -> None:
        self.limit, self.end = limit, None if limit is None else monotonic() + limit
        self.whole: CountedClock = self if whole is None else whole.whole
        if whole is None:
            self.spent, self.late = 0.0, False
        self.stop = self.whole.spent + work

    @property
    def left(self) -> float | None:
        """Seconds left, or None: for solvers that can be told when to stop."""
        return None if self.end is None else max(0.0, self.end - monotonic())

    @property
    def work_left(self) -> float:
        """Units of work left; infinite where only seconds count."""
        return max(0.0, self.stop - self.whole.spent)

    @property
    def over(self) -> bool:
        """Whether the work is used up, or time has run out."""
        return self.whole.spent >= self.stop or self._late(0.0)

    @property
    def out_of_time(self) -> bool:
        """Whether the limit of the whole, in seconds or in counted work, has ended some of it."""
        return self.whole.late

    def allows(self, work: float) -> bool:
        """Whether so much work, all at once, ends before the work or the time does."""
        return self.whole.spent + work <= self.stop and not self._late(work)

    def spend(self, work: float) -> None:
        """Count work that was done."""
        self.whole.spent += work

    def over_before(self, work: float) -> bool:
        """Count work that comes next, and say whether none was left for it."""
        over = self.over
        self.spend(work)
        return over

    def note_time(self) -> None:
        """Note that a solver was stopped, where it was by the limit of the whole."""
        self._late(0.01)

    def _late(self, work: float) -> bool:
        late = self.end is not None and monotonic() + work >= self.end
        late |= self.whole.spent + work >= self.whole.stop
        self.whole.late |= late
        return late

    def part(self, work: float = inf, *, share: float = 1.0) -> Self:
        """Clock for one step: a share of what is left, and at most so much work."""
        left = self.left
        seconds = None if left is None else share * left
        return type(self)(seconds, min(work, share * self.work_left), whole=self)


class TimeUp(Exception):  # noqa: N818 - no error of the user's; whoever set the limit catches it
    """The time limit around this work has passed; raised between the steps of loops."""


@contextmanager
def until(seconds: float | None) -> Iterator[None]:
    """Let loops in this context end with `TimeUp` so many seconds from now; None lets them run.

    A limit inside another cannot outlast it.
    """
    ends = [end for end in (_END.get(), None if seconds is None else monotonic() + seconds) if end]
    token = _END.set(min(ends) if ends else None)
    try:
        yield
    finally:
        _END.reset(token)


def limited() -> bool:
    """Whether a time limit was set around this work; one of infinity lets all of it run."""
    return _END.get() is not None


def time_is_up() -> bool:
    """Whether a time limit was set around this work, and has passed."""
    end = _END.get()
    return end is not None and monotonic() >= end


def check_time() -> None:
    """End the work here if its time is up."""
    if time_is_up():
        raise TimeUp


def board() -> Board | None:
    """Board that is listened to here, None if nobody listens."""
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
    sequence: Iterable[T], what: str, total: int | None = None, *, even: bool = True
) -> Iterable[T]:
    """Same things one by one, while the board shows how many are done.

    `what` is done with them, in words; `total` is how many there are, by default their length if they have
    one; `even` says whether they take about equally long.
    """
    if _END.get() is not None:
        total = len(sequence) if total is None and isinstance(sequence, Sized) else total
        sequence = _timed(sequence)
    here = _BOARD.get()
    if here is None:
        return sequence
    if total is None and isinstance(sequence, Sized):
        total = len(sequence)
    if total == 1:  # it is what is around it
        return sequence
    return _counted(here, sequence, Work(what, total, even=even))


def _counted(here: Board, steps_: Iterable[T], work: Work) -> Iterator[T]:
    with here.doing(work):
        for step in steps_:
            yield step
            work.step()


def _timed(steps_: Iterable[T]) -> Iterator[T]:
    for step in steps_:
        check_time()
        yield step


def _doing(work: Work) -> AbstractContextManager[Work]:
    here = _BOARD.get()
    return nullcontext(work) if here is None else here.doing(work)


def counted(what: str, total: int | None = None) -> AbstractContextManager[Work]:
    """Context whose value's `step` says that so many equal steps have ended."""
    return _doing(Work(what, total))


def stages(what: str, total: int) -> AbstractContextManager[Work]:
    """Context whose value's `step` says that one of a few unequal stages has ended."""
    return _doing(Work(what, total, even=False))


def within(what: str, seconds: float | None) -> AbstractContextManager[Work]:
    """Context for work that a time limit stops, None for none; its share is of that time."""
    here = _BOARD.get()
    until = None if here is None or seconds is None else here.now() + seconds
    return _doing(Work(what, until=until))


def watched(what: str, look: Callable[[], float | None]) -> AbstractContextManager[Work]:
    """Context for work whose share something else knows; `look` is called by a thread."""
    return _doing(Work(what, look=look))


# --- What is said of work under way: what it is, how much of it is done, and how long it may take.


_WORK = {
    "algeval.io": "reading the votes",
    "algeval.io.tuples": "looking for repeated items",
    "algeval.logic.questions.alarm": "looking for an answer key that allows this",
    "algeval.logic.questions.threshold": "finding the highest accuracy all judges can have",
    "algeval.logic.questions.panel": "counting judges that must miss it",
    "algeval.logic.questions.bounds": "finding the ranges of accuracies",
    "algeval.logic.consistent": "counting the evaluations that fit",
    "algeval.algebra.proving": "proving",
    "algeval_papers.equations": "proving the equations of the papers",
    "algeval.algebra": "solving the equations of independent errors",
    "algeval.aggregate.bootstrap": "refitting on resampled items for intervals",
    "algeval.aggregate.checks.groups": "looking for near copies among the judges",
    "algeval.aggregate.checks.quality": "predicting held-out votes",
    "algeval.aggregate.methods": "fitting a method",
    "algeval.aggregate.scores.confounders": "fitting factors, and to held-out scores",
    "algeval.aggregate.scores.graded": "fitting a method",
    "algeval.compare.diagnosis": "testing whether errors are independent",
    "algeval.compare.comparison": "comparing methods",
    "algeval.report.figures": "drawing",
    "algeval.verify": "checking certificates",
    "algeval.verify_alarm": "checking certificates",
    "algeval.verify_statements": "checking certificates",
}
"""What is done in a module, or in all modules below it."""

_ENOUGH_SECONDS, _ENOUGH_SHARE = 1.0, 0.02
"""Before so much no time left is told: the first steps load modules, and few say little."""


_MOST_NUMBERED = 10_000
"""Of more steps than this, bytes for example, the number is no help."""


def work_of(modules: Sequence[str]) -> list[str]:
    """What is being done, in words, from the modules at work, outermost first."""
    body: dict[str, None] = {}
    for module in modules:
        parts = module.split(".")
        above = (".".join(parts[:n]) for n in range(len(parts), 1, -1))
        nearest = next((_WORK[name] for name in above if name in _WORK), None)
        body.update({} if nearest is None else {nearest: None})
    return list(body)


def sentence(board: Board, modules: Sequence[str] = ()) -> str:
    """Sentence on what is done, the share of it that is done, and the time left.

    What loops say comes first; where they are silent, the modules at work tell.
    """
    works, looks = list(board.under_way), board.look()
    timed = next((work for work in looks if work.even), None)
    lines = [_what(works, timed, modules)]
    if looks and (len(looks) > 1 or looks[0].until is None):  # a time limit alone says no share
        lines.append(f"{int(100 * looks[0].reached + 1e-9)} %")
    return ", ".join([*lines, *([] if timed is None else _left(timed, works, board.now()))])


def _what(works: Sequence[Work], timed: Work | None, modules: Sequence[str]) -> str:
    """Outermost work, and inside it that whose time is told, or else the innermost."""
    names = [_named(work, outer=index == 0) for index, work in enumerate(works) if work.what]
    results = [name for name in work_of(modules) if not any(name in said for said in names)]
    if len(names) > 1 and timed is not None and timed is not works[0]:
        names.append(timed.what)
    elif len(names) < 2:
        names += results[-1:] if works else results[:2]
    return ": ".join(dict.fromkeys([names[0], names[-1]])) if names else "working"


def _named(work: Work, *, outer: bool) -> str:
    """Piece of work in words, the outer one with the number of the step it is in."""
    if not outer or not work.total or not 1 < work.total <= _MOST_NUMBERED:
        return work.what
    return f"{work.what}, {min(work.done + 1, work.total):,} of {work.total:,}"


def _left(timed: Work, works: Sequence[Work], now: float) -> list[str]:
    """Time left of a piece of work, and whether that is not all of it."""
    inside = " in this step" if works and timed is not works[0] else ""
    if timed.until is not None:
        return [f"at most {_rounded(max(timed.until - now, 0))} left{inside}"]
    left = time_left(timed.reached, now - timed.begun, now - timed.reached_at)
    return [] if left is None else [f"about {_rounded(left)} left{inside}"]


def time_left(share: float, elapsed: float, waited: float = 0.0) -> float | None:
    """Seconds left at the pace so far, None where that cannot be told.

    In seconds, `elapsed` since the work began, and `waited` since the share last rose. What takes longer
    than its pace promised has no time left that could be told, until it goes on.
    """
    if share < _ENOUGH_SHARE or elapsed < _ENOUGH_SECONDS:
        return None
    left = (elapsed - waited) * (1 - share) / share - waited
    return left if left > 0 else None


def _rounded(seconds: float) -> str:
    """Seconds in words, no more exactly than they are known."""
    if seconds <= 10:
        return f"{max(1, ceil(seconds))} s"
    if seconds <= 55:
        return f"{5 * ceil(seconds / 5)} s"
    if seconds <= 55 * 60:
        return f"{ceil(seconds / 60)} min"
    return f"{ceil(seconds / 3600)} h"


# --- Show how far long work is: a line on a terminal that is taken away again, or in a notebook.


FIRST = 2.0
"""Seconds before anything is shown."""


class _Shown(Board):
    """A board that is shown on a screen."""

    screen: Screen


def paused() -> AbstractContextManager[None]:
    """Context in which no line stands on the terminal, so that others may write there."""
    shown = _BOARD.get()
    return shown.screen.held() if isinstance(shown, _Shown) else nullcontext()


@contextmanager
def show_progress(*, first: float = FIRST, every: float | None = None) -> Iterator[None]:
    """Progress of long work: what is done, how much of it, and about how long the rest will take.

    On a terminal one line of stderr is written over and over and taken away at the end; where
    lines cannot be taken away (TERM=dumb, NO_COLOR) whole lines are written now and then. In a
    notebook it is a line below the cell. Elsewhere nothing is written: not into a pipe or a file.

    Parameters
    ----------
    first : float, seconds
        What takes no longer is not shown.
    every : float, seconds, optional
        How long a line stays; usually a quarter of a second, and 10 seconds where lines are whole.

    Examples
    --------
    >>> with show_progress():
    ...     total = sum(range(10))
    """
    screen = notebook_screen() or terminal_screen()
    if screen is None:
        yield
        return
    shown, done, worker = _Shown(), Event(), get_ident()
    shown.screen = screen

    def tell() -> None:
        began, wait = shown.now(), first
        with suppress(OSError, ValueError):  # the terminal has gone
            while not done.wait(wait):
                line = sentence(shown, _modules(sys._current_frames().get(worker)))
                screen.show(f"... {shown.now() - began:.0f} s, {line} (Ctrl-C stops)")
                wait = every or screen.every

    teller = Thread(target=tell, daemon=True)
    teller.start()
    try:
        with listening(shown):
            yield
    finally:
        done.set()
        teller.join()
        with suppress(OSError, ValueError):
            screen.clear()


def _modules(frame: FrameType | None) -> list[str]:
    """Modules of a stack, outermost first, without those that are being loaded."""
    results = []
    while frame is not None:
        if frame.f_code.co_name != "<module>":
            results.append(str(frame.f_globals.get("__name__", "")))
        frame = frame.f_back
    return results[::-1]
