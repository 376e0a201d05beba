"""Keep what a pipe says in a file, because readers look at the start twice."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfileobj
from typing import IO

from algeval.cli.output import standard_input
from algeval.errors import DataError

__all__ = ["is_stream", "kept_stream"]

PATIENCE = 10.0
"""Seconds a named pipe may go without anybody writing to it."""

_PAUSE = 0.02


def is_stream(path: str) -> bool:
    """Whether a path is a pipe, which can be read once only."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


@contextmanager
def kept_stream(path: str) -> Iterator[str]:
    """Yield the name of a file with what standard input ("-") or a pipe said.

    Raises
    ------
    DataError
        If nobody writes to the pipe.
    """
    with tempfile.TemporaryDirectory(prefix="algeval-") as folder:
        kept = Path(folder) / ("votes" if path == "-" else Path(path).name)
        with kept.open("wb") as target:
            if path == "-":
                copyfileobj(standard_input(), target)
            else:
                with open(path, "rb", opener=_without_waiting) as stream:
                    _copy(path, stream, target)
        yield str(kept)


def _without_waiting(path: str, flags: int) -> int:
    """Open a file even if it is a pipe that nobody writes to."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _copy(path: str, stream: IO[bytes], target: IO[bytes]) -> None:
    """Wait for the first byte or a writer, then read to the end, however slow the writer is."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            first = os.read(stream.fileno(), 1 << 16)
        except BlockingIOError:  # somebody writes, but has not said anything yet
            break
        if first:
            target.write(first)
            break
        if time.monotonic() > end:
            raise DataError(
                f"a pipe must be written to; got nothing from {path!r} in {PATIENCE:g} seconds; start what "
                "writes to it first, or name a file"
            )
        time.sleep(_PAUSE)
    if hasattr(os, "set_blocking"):
        os.set_blocking(stream.fileno(), True)
    copyfileobj(stream, target)
