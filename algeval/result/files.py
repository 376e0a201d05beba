"""Results as JSON files."""

from __future__ import annotations

import csv
import errno
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from filecmp import cmp
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import uuid4

from algeval.errors import DataError
from algeval.result.numbers import json_visible

# --- JSON for people and machines: a field a line, and a row of numbers on one line.


_PIECES = 10_000
"""Joined before they are handed on."""

_IN_A_LINE = 25
"""Numbers in a line; more go on in the next."""

_NUMBERS = {int, float, bool, type(None)}

_encoded = json.JSONEncoder(ensure_ascii=False).encode


def json_parts(document: Any) -> Iterator[str]:
    """Yield a document as text that is readable and steers no terminal, in parts."""
    pieces = _pieces(document, "\n")
    while part := "".join(islice(pieces, _PIECES)):
        yield json_visible(part)


LONG_PART = 2_000 * _IN_A_LINE


class Long:
    """List of a document that is made a part at a time, lest it be held whole.

    parts : makes its parts, of `LONG_PART` entries but for the last; numbers : whether these are numbers.
    """

    def __init__(self, parts: Callable[[], Iterator[list[Any]]], *, numbers: bool) -> None:
        self.parts, self.numbers = parts, numbers

    def pieces(self, inner: str, line: str) -> Iterator[str]:
        """Yield the text of the list as that of any other."""
        before = "["
        apart = ", " if self.numbers else f",{inner}"
        encoded = json.JSONEncoder(ensure_ascii=False, separators=(apart, ": ")).encode
        for part in self.parts():
            for start in range(0, len(part), _IN_A_LINE):
                yield f"{before}{inner}{encoded(part[start : start + _IN_A_LINE])[1:-1]}"
                before = ","
        yield f"{line}]" if before == "," else "[]"


def _pieces(value: Any, line: str) -> Iterator[str]:
    """Yield the text of a value; `line` begins a line of what it stands in."""
    inner = line + "  "
    if isinstance(value, Mapping) and value:
        yield "{"
        for index, (name, held) in enumerate(value.items()):
            key = name if isinstance(name, str) else json.dumps(name)
            yield f"{',' * (index > 0)}{inner}{_encoded(key)}: "
            yield from _pieces(held, inner)
        yield line + "}"
    elif isinstance(value, Long):
        yield from value.pieces(inner, line)
    elif isinstance(value, list | tuple) and value:
        if set(map(type, value)) <= _NUMBERS:
            yield _numbers(value, inner, line)
            return
        yield "["
        for index, held in enumerate(value):
            yield f"{',' * (index > 0)}{inner}"
            yield from _pieces(held, inner)
        yield line + "]"
    else:
        yield _encoded(value)


def _numbers(row: list[Any] | tuple[Any, ...], inner: str, line: str) -> str:
    if len(row) <= _IN_A_LINE:
        return _encoded(row)
    starts = range(0, len(row), _IN_A_LINE)
    lines = (_encoded(row[start : start + _IN_A_LINE])[1:-1] for start in starts)
    return f"[{inner}{f',{inner}'.join(lines)}{line}]"


# --- Results as files: CSV, TSV and Parquet of a table, text and JSON of all; never half a file.


OF_TABLES = (".csv", ".tsv", ".parquet")
"""Endings of files that hold one table."""

_TYPES = {bool: "BOOLEAN", int: "BIGINT", float: "DOUBLE", str: "VARCHAR"}


def either(endings: Sequence[str]) -> str:
    """Endings as a sentence has them."""
    return " or ".join(", ".join(endings).rsplit(", ", 1))


def check_ending(path: str | os.PathLike[str], endings: Sequence[str], called: str = "path") -> str:
    """Ending of a path in small letters, or refuse one that is not among these."""
    ending = Path(path).suffix.lower()
    if ending not in endings:
        raise DataError(f"{called} must end in {either(endings)}; got {str(path)!r}; rename it")
    return ending


def check_target(
    path: str | os.PathLike[str], endings: Sequence[str], called: str = "path"
) -> None:
    """Refuse a path of another form, or in a folder that is not there."""
    check_ending(path, endings, called)
    folder = Path(path).parent
    if not folder.is_dir():
        raise DataError(
            f"{called} must lie in a folder that exists; got {str(path)!r}; make {str(folder)!r} first"
        )
    spare(path)


# --- Which file may be replaced: one that algeval wrote and nobody changed, or that the new one holds.


_COMMENTS = {
    **dict.fromkeys((".html", ".htm", ".md", ".svg"), b"<!-- %b -->"),
    **{".v": b"(* %b *)", ".lean": b"-- %b", ".tex": b"%% %b", ".sing": b"// %b", ".m2": b"-- %b"},
    **{".sage": b"# %b", ".smt2": b"; %b"},
    **{".toml": b"# %b", ".pdf": b"%%%b", ".lp": b"\\ %b", ".mps": b"* %b", ".txt": b"%b"},
}
"""Last line of a file of this ending: that algeval wrote it, and the digest of what comes before."""


def _seal(data: bytes, ending: str) -> bytes:
    """The line that ends a file with these bytes before it."""
    return _COMMENTS[ending] % f"written by algeval {sha256(data).hexdigest()}".encode() + b"\n"


def _mark(path: Path) -> bytes:
    """What only a file has that algeval wrote: its schema, or a seal that is whole; empty without."""
    ending = path.suffix.lower()
    if ending in OF_TABLES:  # has no room for a mark: the new one must hold it
        return ending.encode()
    data = path.read_bytes()
    if ending in _COMMENTS:
        *lines, last = data.splitlines(keepends=True)
        return ending.encode() * (last == _seal(b"".join(lines), ending))
    of = {
        ".json": rb'\{\n  "schema": "(algeval\.[^"/]+)/',
        ".png": rb"\x89PNG.{,99}Software\0algeval",
    }
    match = re.match(of.get(ending, rb"(?!)"), data, re.DOTALL)
    return match[match.re.groups] if match else b""


def _rows(path: Path) -> Iterator[Sequence[str]]:
    """Names and rows of a table, or the names alone of the fields of JSON; of others nothing."""
    ending = path.suffix.lower()
    if ending == ".parquet":
        raise ValueError  # only the same again
    if ending in OF_TABLES:
        with path.open(newline="", encoding="utf-8") as stream:
            yield from csv.reader(stream, delimiter="," if ending == ".csv" else "\t")
    elif ending == ".json":
        with path.open(encoding="utf-8") as stream:
            yield [line.split('"')[1] for line in stream if line.startswith('  "')]


def _is_held(old: Path, new: Path) -> bool:
    """Whether a file has the columns and rows of another, in their order; empty cells may be filled."""
    before, now = _rows(old), _rows(new)
    names, own = next(before, ()), next(now, ())
    if not {*names} <= {*own} or len({*names}) < len(names):
        return False
    at = [own.index(name) for name in names]

    def has(other: Sequence[str], row: Sequence[str]) -> bool:
        pairs = zip(row, at, strict=False)
        return not any(row[len(at) :]) and all(cell in ("", other[k]) for cell, k in pairs)

    return all(any(has(other, row) for other in now) for row in before if any(row))


def spare(path: str | os.PathLike[str], new: Path | None = None) -> None:
    """Refuse to replace a file of which anything would be lost.

    new : what takes its place; without, only what needs no look at it.

    Raises
    ------
    DataError
        If algeval did not write it, somebody changed it, or the new one lacks some of it.
    """
    old = Path(path)
    if not old.is_file() or not old.stat().st_size or (new and cmp(old, new, shallow=False)):
        return
    lossless = False
    with suppress(ValueError, IndexError, csv.Error):  # whatever is wrong with it, it is not ours
        lossless = _mark(old) != b"" and (
            not new or (_mark(old) == _mark(new) and _is_held(old, new))
        )
    if not lossless:
        raise DataError(
            "output must be a new file, or one that algeval wrote and that loses nothing; got "
            f"{str(path)!r}; write to another file, or remove this one"
        )


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a file to write to that takes the place of `path` when all is written, else goes.

    Raises
    ------
    DataError
        If something that people wrote would be lost.
    OSError
        If there can be no such file; it names `path`.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not (target.is_file() or target.is_dir()):  # a pipe, or /dev/null
        yield target
        return
    beside = target.with_name(f".algeval-{uuid4().hex}{target.suffix}")
    try:
        if target.is_dir() or (target.exists() and not os.access(target, os.W_OK)):
            number = errno.EISDIR if target.is_dir() else errno.EACCES
            raise OSError(number, os.strerror(number))
        yield beside
        with beside.open("rb+") as stream:  # on the disk before it takes the other's name
            if (ending := target.suffix.lower()) in _COMMENTS:
                data = stream.read()
                whole = b"" if data.endswith(b"\n") else b"\n"
                stream.write(whole + _seal(data + whole, ending))
                stream.flush()
            os.fsync(stream.fileno())
        spare(path, beside)
        if target.exists():
            beside.chmod(target.stat().st_mode)
        beside.replace(target)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from None
    finally:
        beside.unlink(missing_ok=True)


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file, whole or not at all."""
    with whole_file(path) as beside:
        beside.write_text(text, encoding="utf-8", newline="")


def json_text(document: Any) -> str:
    """One JSON document as text that is readable and steers no terminal."""
    return "".join(json_parts(document))


def write_json(path: str | os.PathLike[str], document: Any) -> None:
    """Write one JSON document, however large, whole or not at all."""
    with whole_file(path) as beside, beside.open("w", encoding="utf-8", newline="") as stream:
        stream.writelines(json_parts(document))
        stream.write("\n")


def write_table(path: str | os.PathLike[str], columns: Mapping[str, list[Any]]) -> None:
    """Write columns of one kind each, with None for what is missing, in the form the ending says.

    Raises
    ------
    DataError
        If the path ends in something else, or Parquet cannot tell two columns apart.
    """
    ending = check_ending(path, OF_TABLES)
    with whole_file(path) as beside:
        if ending == ".parquet":
            _write_parquet(beside, columns)
        else:
            cells = (
                [str(cell).lower() if isinstance(cell, bool) else cell for cell in column]
                for column in columns.values()
            )
            with beside.open("w", newline="", encoding="utf-8") as stream:
                mark = "," if ending == ".csv" else "\t"
                writer = csv.writer(stream, delimiter=mark, lineterminator="\n")
                writer.writerow(columns)
                writer.writerows(zip(*cells, strict=True))


def _write_parquet(path: Path, columns: Mapping[str, list[Any]]) -> None:
    import duckdb
    import numpy as np

    refuse_alike(list(columns))
    cells = {f"c{k}": np.empty(len(column), object) for k, column in enumerate(columns.values())}
    for array, column in zip(cells.values(), columns.values(), strict=True):
        array[:] = column
    parts = []
    for index, (name, column) in zip(cells, columns.items(), strict=True):
        # a column with nothing in it is text
        kind = next((_TYPES[type(cell)] for cell in column if cell is not None), "VARCHAR")
        quoted = name.replace('"', '""')
        parts.append(f'CAST({index} AS {kind}) AS "{quoted}"')
    with duckdb.connect(":memory:") as connection:
        connection.register("cells", cells)
        connection.execute("SET enable_progress_bar = false")
        target = str(path).replace("'", "''")
        connection.execute(
            f"COPY (SELECT {', '.join(parts)} FROM cells) TO '{target}' (FORMAT parquet)"
        )


def refuse_alike(names: Sequence[str]) -> None:
    """Refuse names that DuckDB would write as others, for to it their case is nothing."""
    seen: dict[str, str] = {}
    for name in names:
        other = seen.setdefault(name.lower(), name)
        if other != name:
            raise DataError(
                f"columns of a Parquet file must differ in more than case; got {other!r} and {name!r}; "
                "write .csv, or give the judges or labels other names"
            )
