"""The one way to the terminal: nothing that a file says can steer it."""

from __future__ import annotations

import errno
import json
import os
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from algeval.errors import DataError
from algeval.progress import paused
from algeval.result import visible
from algeval.result.files import json_text, write_json
from algeval.result.tables import ENDINGS

__all__ = [
    "Output",
    "open_closed_streams",
    "print_json",
    "say",
    "say_error",
    "standard_input",
    "standard_output",
    "write_data",
]


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


def print_json(document: Any) -> None:
    """Print one JSON document."""
    text = json_text(document)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = re.sub(r"[^\x00-\x7f]", lambda found: json.dumps(found[0])[1:-1], text)
    with paused():
        click.echo(text)


def write_data(path: str, data: Any) -> None:
    """Write data as the ending says: a table where it is one of tables, else JSON."""
    if Path(path).suffix.lower() in ENDINGS:
        data.to_file(path)
    else:
        write_json(path, data.to_dict())


@dataclass(frozen=True, slots=True)
class Output:
    """What a result becomes beside its lines on the screen: JSON there, and a file.

    Attributes
    ----------
    as_json : bool
        Whether JSON is printed in place of the lines.
    path : str or None
        The file to write, in the form its ending says.
    table : str or None
        The title of the table to write, where it is not the main one.
    """

    as_json: bool
    path: str | None = None
    table: str | None = None

    @property
    def ending(self) -> str:
        """The ending of the file, "" if there is none."""
        return "" if self.path is None else Path(self.path).suffix.lower()

    def give(self, result: Any, read: Any = None, **more: Any) -> bool:
        """Write the file, and print JSON if that was asked for; return whether it was.

        read : a `Source`, whose name and notes the JSON holds too.
        more : what else it holds.
        """
        if self.path is not None and self.ending != ".json":
            self.give_table(result)
        if self.as_json or self.ending == ".json":
            named = {} if read is None else {"source": read.name, "notes": list(read.notes)}
            self._give_json(result.to_dict() | named | more)
        return self.as_json

    def give_table(self, result: Any) -> None:
        """Write the file of a table, or of all that people read."""
        try:
            result.to_file(self.path, table=self.table)
        except DataError as error:
            told = str(error)
            option = "--output-" if told.startswith("table must") else ""
            raise DataError(option + told) from None

    def _give_json(self, document: Mapping[str, Any]) -> None:
        if self.path is not None and self.ending == ".json":
            write_json(self.path, document)
        if self.as_json:
            print_json(document)


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
