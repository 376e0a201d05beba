"""The one way to the terminal: nothing that a file says can steer it."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import click

from algeval.progress import paused
from algeval.result import json_visible, visible

__all__ = [
    "json_parts",
    "json_text",
    "open_closed_streams",
    "print_json",
    "say",
    "say_error",
    "standard_input",
    "standard_output",
]

_PIECES = 10_000


def say(text: str, *, names: Iterable[str] = (), err: bool = False) -> None:
    """Print lines of text, with control characters written out.

    names : names in the data; the line breaks of these are written out as well.
    """
    broken = {name for name in names if name.splitlines() != [name]}
    for name in sorted(broken, key=len, reverse=True):
        text = text.replace(name, visible(name))
    with paused():
        click.echo(_writable(visible(text, lines=True), err=err), err=err)


def _writable(text: str, *, err: bool) -> str:
    """Return text whose characters the stream has; the others are written out."""
    encoding = getattr(sys.stderr if err else sys.stdout, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def json_text(document: Any) -> str:
    """Return one JSON document as text that is readable and steers no terminal."""
    return json_visible(json.dumps(document, indent=2, ensure_ascii=False))


def json_parts(document: Any) -> Iterator[str]:
    """Yield the text of `json_text` in parts, for documents that are large."""
    pieces = json.JSONEncoder(indent=2, ensure_ascii=False).iterencode(document)
    while part := "".join(islice(pieces, _PIECES)):
        yield json_visible(part)


def print_json(document: Any) -> None:
    """Print one JSON document."""
    text = json_text(document)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(document, indent=2)
    with paused():
        click.echo(text)


def say_error(message: str) -> None:
    """Print one line on stderr, if there is one that can be written."""
    try:
        say(f"algeval: {' '.join(message.split())}", err=True)
    except OSError:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def open_closed_streams() -> None:
    """Point standard streams that are closed at nothing, so that no file opened later takes their place."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def standard_input() -> Any:
    """Return standard input as a stream of bytes, or say that it is closed."""
    if sys.stdin is None:
        raise click.UsageError("standard input must be open to be read; it is closed; name a file")
    return sys.stdin.buffer


def standard_output() -> Any:
    """Return standard output as a stream of text, or say that it is closed."""
    if sys.stdout is None:
        raise OSError(errno.EBADF, "standard output is closed")
    return sys.stdout
