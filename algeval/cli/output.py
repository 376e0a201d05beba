"""What commands print and write, streams, and their words."""

from __future__ import annotations

import errno
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from shutil import disk_usage
from stat import S_ISBLK, S_ISCHR
from typing import IO, Any

import click

from algeval.errors import DataError
from algeval.export import FILES, NotExported
from algeval.progress import paused
from algeval.result import visible
from algeval.result.files import check_ending, json_text, write_json, write_text
from algeval.result.numbers import did_you_mean
from algeval.result.tables import ENDINGS

# --- Sentences written for Python, said as a person at a terminal would type them.

VARIABLE = "_ALGEVAL_COMPLETE"
"""What a shell sets when it asks for completions; the name is click's."""


def usage_sentence(error: click.ClickException) -> str:
    """Sentence on what is wrong with a command line, and which choice was probably meant."""
    message = error.format_message()
    if isinstance(error, click.NoSuchOption) and error.option_name in _MEANT:
        return f"no option is called {error.option_name!r}; {_MEANT[error.option_name]}"
    parameter = getattr(error, "param", None)
    if not isinstance(error, click.BadParameter) or parameter is None:
        return message
    is_option = isinstance(parameter, click.Option)
    name = max(parameter.opts, key=len) if is_option else parameter.human_readable_name
    choices = getattr(parameter.type, "choices", ())
    wrong = re.fullmatch(r"(?s)(.*) is not (a valid \w+|one of .*)\.", error.message)
    if wrong is None:
        return message.replace(f"Invalid value for {name!r}:", f"{name}:")
    typed = wrong[1].strip("'\"")
    rule, do = _KINDS.get(wrong[2], ("be of another kind", f"see {name} in the help"))
    percent = re.fullmatch(r"([0-9]{1,2}(?:\.[0-9]+)?)\s*%", typed)
    if percent and wrong[2] == "a valid float":
        do = f"write it as {float(percent[1]) / 100:g}"
    if wrong[2].startswith("one of"):
        rule = f"be one of {', '.join(map(str, choices))}"
        do = did_you_mean(typed, [*choices], "choose one")
    return f"{name} must {rule}; got {typed!r}; {do}"


_PAGE = "-o report.html writes a page"
_MEANT = {"--html": _PAGE, "--page": _PAGE, "--out": "-o FILE writes a file"} | {
    f"--{form}": f"-o FILE.{form} writes one" for form in ("csv", "parquet")
}
"""What is typed for options that no command has, and what does that."""

_KINDS = {
    "a valid float": ("be a number", "write it like 0.5"),
    "a valid integer": ("be a whole number", "write it like 50"),
}
"""What a value must be, by what click says that it is not, and how it is written."""


def typed_sentence(message: str, typed: Sequence[str]) -> str:
    """Sentence that calls what it begins with by the option under which it was typed."""
    begins = re.match(r"(\w+) must (?:be|name|lie)\b", message)
    if begins is None:
        return message
    name = f"--{begins[1].replace('_', '-')}"
    if begins[1] == "source":
        values = {value: option for option, value in pairwise(typed) if option.startswith("--")}
        joined = (word.partition("=") for word in typed if word.startswith("--"))
        values |= {value: option for option, equals, value in joined if equals}
        got = next((v for v in values if repr(v) in message), None)
        name = "" if got is None else values[got]
    elif not any(word == name or word.startswith(f"{name}=") for word in typed):
        name = ""
    rest = message[len(begins[1]) :]
    if name == "--cluster":
        rest = rest.replace("be a file", "be a column, or a file")
    return f"{name}{rest}" if name else message


def os_sentence(error: OSError) -> str:
    """Sentence on what the operating system refused."""
    name = "the output" if error.filename is None else repr(str(error.filename))
    return (
        f"{name} must be a place that can be read or written; got {error.strerror or error}; "
        "check the path, its folder and the room on the disk"
    )


# --- The one way to the terminal: nothing that a file says can steer it.


def say(text: str, *, names: Iterable[str] = (), err: bool = False) -> None:
    """Print lines of text, with control characters written out.

    names : names in the data; the line breaks of these are written out as well.
    """
    broken = {name for name in names if name.splitlines() != [name]}
    for name in sorted(broken, key=len, reverse=True):
        text = text.replace(name, visible(name))
    text = visible(text, lines=True)
    text = _COMMAND.sub(lambda mark: f"{mark[0][:-1]}\\x{ord(mark[0][-1]):02x}", text)
    # characters that the stream does not have are written out
    encoding = getattr(sys.stderr if err else sys.stdout, "encoding", None) or "utf-8"
    text = text.encode(encoding, "backslashreplace").decode(encoding)
    with paused():
        click.echo(text, err=err)


_COMMAND = re.compile(r"^[^\S\n]*:(?=:)|##(?=\[|vso\[)", re.MULTILINE)
"""What makes a line of output a command where a workflow runs: a name may start a line."""


def print_json(document: Any) -> None:
    """Print one JSON document."""
    text = json_text(document).replace("##", "#\\u0023")  # a line with ##[ is a workflow's command
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = re.sub(r"[^\x00-\x7f]", lambda match: json.dumps(match[0])[1:-1], text)
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

    `as_json` prints JSON in place of the lines; `path` is the file to write, in the form its ending says, and
    `table` the title of the table to write, where it is not the main one.
    """

    as_json: bool
    path: str | None = None
    table: str | None = None

    @property
    def ending(self) -> str:
        """The ending of the file, "" if there is none."""
        return "" if self.path is None else Path(self.path).suffix.lower()

    def give(self, result: Any, read: Any = None, **more: Any) -> bool:
        """Whether JSON is printed, after that and the file are written.

        read : a `Source`, whose name and notes the JSON holds too.
        more : what else it holds.
        """
        in_json = self.ending == ".json"
        if self.path is not None and not in_json:
            try:
                result.to_file(self.path, table=self.table)
            except DataError as error:
                option = "--output-" if str(error).startswith("table must") else ""
                raise DataError(f"{option}{error}") from None
        if self.as_json or in_json:
            named = {}
            if read is not None:
                named = {"source": read.name, "read": read.read, "notes": list(read.notes)}
            document = result.to_dict() | named | more
            if in_json:
                write_json(str(self.path), document)
            if self.as_json:
                print_json(document)
        return self.as_json


def export(
    result: Any, kind: str | None, out: Output, lines: Callable[[Output], None], code: int
) -> int:
    """Exit code of a command, after its lines are printed, and its result for another system in their place.

    Then the lines go to stderr, and the text to the file of `out`, or stdout.

    kind : the system; None for the lines alone.
    lines : prints them, and writes the file of the `Output` that it is passed.
    code : exit code where nothing is exported, or all is.
    """
    if kind is None:
        lines(out)
        return code
    if out.as_json:
        raise click.UsageError("--export must stand without --json; leave one out")
    if out.path is not None:
        check_ending(out.path, (FILES[kind],), "--output")
    try:
        if not hasattr(result, "export"):
            raise NotExported("what is undecided has no proof, so there is nothing to export")
        text, reason = result.export(kind), ""
    except NotExported as error:
        text, reason = "", str(error)
    with redirect_stdout(sys.stderr):
        lines(Output(as_json=False))
    if reason:
        say_error(f"nothing was exported: {reason}")
        return 2
    if out.path is None:
        click.echo(text, nl=False)
    else:
        write_text(out.path, text)
        say(f"Written to {out.path}.", err=True)
    return code


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
    """Standard input as a stream of bytes, or say that it is closed."""
    if sys.stdin is None:
        raise click.UsageError("standard input must be open to be read; it is closed; name a file")
    return sys.stdin.buffer


def standard_output() -> Any:
    """Standard output as a stream of text, or say that it is closed."""
    if sys.stdout is None:
        raise OSError(errno.EBADF, "standard output is closed")
    return sys.stdout


# --- Keep what a pipe says in a file, because readers look at the start twice.


PATIENCE = 10.0
"""Seconds a named pipe may go without anybody writing to it."""

MOST_BYTES = 4 << 30
"""Of a pipe; and no more than half the room there is to keep it."""

_PAUSE = 0.02
_BLOCK = 1 << 20


def is_stream(path: str) -> bool:
    """Whether a path is a pipe, which can be read once only."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


@contextmanager
def kept_stream(path: str) -> Iterator[str]:
    """Yield the name of a file with what standard input ("-") or a pipe said."""
    kind = os.stat(path).st_mode if path != "-" else 0
    if (S_ISCHR(kind) and path != "/dev/stdin") or S_ISBLK(kind):
        raise DataError(
            f"source must be a file or a pipe; got the device {path!r}; name a file of votes"
        )
    with tempfile.TemporaryDirectory(prefix="algeval-") as folder:
        kept = Path(folder) / ("votes" if path == "-" else Path(path).name)
        with kept.open("wb") as target:
            if path == "-":
                _keep(standard_input(), target)
            else:
                waiting = getattr(os, "O_NONBLOCK", 0)  # for a pipe that nobody writes to yet

                def opener(name: str, flags: int) -> int:
                    return os.open(name, flags | waiting)

                with open(path, "rb", opener=opener) as stream:
                    _copy(path, stream, target)
        yield str(kept)


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
    _keep(stream, target)


def _keep(stream: IO[bytes], target: IO[bytes]) -> None:
    """Copy what a pipe says, as long as that is an amount somebody can have meant."""
    most = min(MOST_BYTES, disk_usage(tempfile.gettempdir()).free // 2)
    while block := stream.read(_BLOCK):
        target.write(block)
        if target.tell() > most:
            raise DataError(
                f"a pipe must say at most {most >> 20} MB, for which there is room in the temporary folder; "
                "got more; keep it in a file and name that"
            )
