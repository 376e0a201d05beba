"""Say what a long command is at: whole lines on stderr, and only on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread, get_ident
from types import FrameType

import click

__all__ = ["still_working", "work_of"]

FIRST, EVERY = 2.0, 10.0

_WORK = {
    "algeval.io": "reading the votes",
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


def work_of(modules: list[str]) -> str:
    """Return what is being done, in words, from the modules at work, outermost first.

    Examples
    --------
    >>> work_of(["algeval.cli.main", "algeval.aggregate.bootstrap", "algeval.aggregate.em"])
    'refitting on resampled items for intervals'
    """
    told: dict[str, None] = {}
    for module in modules:
        parts = module.split(".")
        above = (".".join(parts[:n]) for n in range(len(parts), 1, -1))
        told.update({_WORK[name]: None for name in above if name in _WORK})
    return ": ".join(list(told)[:2]) or "working"


def _modules(frame: FrameType | None) -> list[str]:
    """Return the modules of a stack, outermost first."""
    found = []
    while frame is not None:
        found.append(str(frame.f_globals.get("__name__", "")))
        frame = frame.f_back
    return found[::-1]


@contextmanager
def still_working(*, first: float = FIRST, every: float = EVERY) -> Iterator[None]:
    """Print what is being done, and for how long, after `first` seconds and then every `every`.

    Lines are complete, so they never mix with what the command prints; nothing is printed when
    stderr is no terminal, or closed.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    done, start, worker = Event(), time.monotonic(), get_ident()

    def tell() -> None:
        wait = first
        while not done.wait(wait):
            work = work_of(_modules(sys._current_frames().get(worker)))
            click.echo(f"... {time.monotonic() - start:.0f} s, {work} (Ctrl-C stops)", err=True)
            wait = every

    teller = Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()
