"""Show how far long work is: a line on a terminal that is taken away again, or in a notebook."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from threading import Event, Thread, get_ident
from types import FrameType

from algeval.progress.screens import Screen, notebook_screen, terminal_screen
from algeval.progress.steps import Board, board, listening
from algeval.progress.wording import sentence

__all__ = ["paused", "show_progress"]

FIRST = 2.0
"""Seconds before anything is shown."""


class _Shown(Board):
    """A board that is shown on a screen."""

    def __init__(self, screen: Screen) -> None:
        super().__init__()
        self.screen = screen


def paused() -> AbstractContextManager[None]:
    """Return a context in which no line stands on the terminal, so that others may write there."""
    shown = board()
    return shown.screen.held() if isinstance(shown, _Shown) else nullcontext()


@contextmanager
def show_progress(*, first: float = FIRST, every: float | None = None) -> Iterator[None]:
    """Show what long work does, how much of it is done, and about how long it will take.

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
    shown, done, worker = _Shown(screen), Event(), get_ident()

    def tell() -> None:
        began, wait = shown.now(), first
        with suppress(OSError, ValueError):  # the terminal has gone
            while not done.wait(wait):
                told = sentence(shown, _modules(sys._current_frames().get(worker)))
                screen.show(f"... {shown.now() - began:.0f} s, {told} (Ctrl-C stops)")
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
    """Return the modules of a stack, outermost first, without those that are being loaded."""
    found = []
    while frame is not None:
        if frame.f_code.co_name != "<module>":
            found.append(str(frame.f_globals.get("__name__", "")))
        frame = frame.f_back
    return found[::-1]
