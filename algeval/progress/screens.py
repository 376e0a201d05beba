"""Where a line can be shown: a terminal whose last line is written over, one that cannot, a notebook."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["Screen", "notebook_screen", "terminal_screen"]


class Screen(Protocol):
    """What shows one line at a time."""

    every: float

    def show(self, text: str) -> None:
        """Show a line in place of the last one."""

    def clear(self) -> None:
        """Take the line away."""

    def held(self) -> Any:
        """Return a context in which there is no line."""


class _Terminal:
    """A terminal at the other end of stderr; `rich`, which takes a while to load, loads on first use."""

    every = 0.25

    def __init__(self) -> None:
        self._lock = RLock()
        self._stands = False

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

    @contextmanager
    def held(self) -> Iterator[None]:
        with self._lock:
            self.clear()
            yield


class _Lines:
    """A terminal that gets whole lines, because what it shows cannot be taken back."""

    every = 10.0

    def __init__(self) -> None:
        self._lock = RLock()

    def show(self, text: str) -> None:
        with self._lock:
            print(text, file=sys.stderr, flush=True)

    def clear(self) -> None:
        pass

    @contextmanager
    def held(self) -> Iterator[None]:
        with self._lock:
            yield


class _Notebook:
    """A line below the cell of a notebook."""

    every = 0.5

    def __init__(self) -> None:
        self._handle: Any = None

    def show(self, text: str) -> None:
        from IPython.display import display

        told = {"text/plain": text}
        if self._handle is None:
            self._handle = display(told, raw=True, display_id=True)
        else:
            self._handle.update(told, raw=True)

    def clear(self) -> None:
        if self._handle is not None:
            self._handle.update({"text/plain": ""}, raw=True)

    @contextmanager
    def held(self) -> Iterator[None]:
        yield


def terminal_screen() -> Screen | None:
    """Return the terminal of stderr, None if there is none."""
    if sys.stderr is None or sys.stderr.closed or not sys.stderr.isatty():
        return None
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM", "") in ("dumb", "unknown")
    return _Lines() if plain else _Terminal()


def notebook_screen() -> Screen | None:
    """Return the notebook whose cell is run, None elsewhere."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return _Notebook() if hasattr(shell, "kernel") else None
