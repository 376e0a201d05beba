"""Say that a long command is still at work: whole lines on stderr, and only on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

import click

__all__ = ["still_working"]

FIRST, EVERY = 2.0, 10.0


@contextmanager
def still_working(*, first: float = FIRST, every: float = EVERY) -> Iterator[None]:
    """Print how long it has been after `first` seconds and then every `every` seconds.

    Lines are complete, so they never mix with what the command prints; nothing is printed when
    stderr is no terminal, or closed.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    done, start = Event(), time.monotonic()

    def tell() -> None:
        wait = first
        while not done.wait(wait):
            click.echo(f"... {time.monotonic() - start:.0f} s (Ctrl-C stops)", err=True)
            wait = every

    teller = Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()
