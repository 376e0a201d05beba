"""The files a person named, looked into once: what each is, and what it holds as JSON."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from algeval.errors import DataError
from algeval.io.opened import is_packed
from algeval.io.readers.columns import columns_of
from algeval.io.readers.parsing import parsed
from algeval.progress import counted

__all__ = ["Files", "keys_of", "must_have"]

MOST_BYTES = 200 * 2**20
"""A JSON document is read whole; larger ones are refused."""

_LOOKED_AT = 1 << 16
_BROKEN = (ValueError, RecursionError, OSError, EOFError, zlib.error)
"""What reading or parsing a file that was cut off or packed badly may raise."""


@dataclass(frozen=True, slots=True)
class Files:
    """Paths, and their content as far as it was looked at.

    Attributes
    ----------
    paths : tuple of Path
        The files, those of a folder in the order of their names.
    folder : Path or None
        The folder, where one was named.
    """

    paths: tuple[Path, ...]
    folder: Path | None = None
    _documents: dict[Path, Any] = field(default_factory=dict, repr=False, compare=False)
    _firsts: dict[Path, Any] = field(default_factory=dict, repr=False, compare=False)
    _columns: dict[Path, tuple[str, ...]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def path(self) -> Path:
        """The first file."""
        return self.paths[0]

    @property
    def name(self) -> str:
        """What they are called in sentences."""
        return self.folder.name if self.folder is not None else self.path.name

    @property
    def several(self) -> bool:
        """Whether a folder was named, or more than one file."""
        return self.folder is not None or len(self.paths) > 1

    def is_zip(self, path: Path) -> bool:
        """Whether a file is a zip archive."""
        with path.open("rb") as stream:
            return stream.read(4) == b"PK\x03\x04"

    def columns(self, path: Path | None = None) -> tuple[str, ...]:
        """Return the column names of a table, none of anything else."""
        path = self.path if path is None else path
        if path not in self._columns:
            self._columns[path] = columns_of(path) or tuple(self.first_row(path) or ())
        return self._columns[path]

    def document(self) -> dict[str, Any] | None:
        """Return the JSON object that the first file is as a whole, None where it is none or many.

        Raises
        ------
        DataError
            If it is larger than may be read whole.
        """
        if self.path not in self._documents:
            self._documents[self.path] = _document(self.path)
        found: dict[str, Any] | None = self._documents[self.path]
        return found

    def first_row(self, path: Path | None = None) -> dict[str, Any] | None:
        """Return the first object of JSON lines or of a JSON list, None where a file holds none.

        No more of the file is read than holds it.
        """
        path = self.path if path is None else path
        if path not in self._firsts:
            mark = _mark(path)
            self._firsts[path] = (
                _first_line(path) if mark == "{" else _first_entry(path) if mark == "[" else None
            )
        found: dict[str, Any] | None = self._firsts[path]
        return found

    def rows(self, path: Path | None = None) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the objects of JSON lines or of a JSON list, and where each stands.

        Raises
        ------
        DataError
            If a line or an entry is no JSON object, or a list is broken or larger than may be read whole.
        """
        path = self.path if path is None else path
        if _mark(path) == "[":
            yield from _entries(path)
            return
        size = None if is_packed(path) else path.stat().st_size
        with _opened(path) as stream, counted("reading lines", size) as read:
            for number, line in enumerate(stream, start=1):
                read.step(len(line))
                if line.strip():
                    yield f"line {number} of {path.name}", _object(path, number, line)


def _opened(path: Path) -> IO[bytes]:
    """Open a file for reading, unpacked if it is gzip."""
    return gzip.open(path) if is_packed(path) else path.open("rb")  # type: ignore[return-value]


def _mark(path: Path) -> str:
    """Return the first letter that is no space."""
    try:
        with _opened(path) as stream:
            head = stream.read(_LOOKED_AT).removeprefix(b"\xef\xbb\xbf").lstrip()
    except _BROKEN:
        return ""
    return head[:1].decode("latin-1")


def _document(path: Path) -> dict[str, Any] | None:
    if _mark(path) != "{" or _is_lines(path):
        return None
    try:
        found = parsed(_whole(path), path.name)
    except DataError:
        raise
    except _BROKEN as error:
        if path.suffix.lower() != ".json" or not isinstance(error, json.JSONDecodeError):
            return None  # the reader of tables says what is wrong
        raise _cut_off(path, "document", error) from None
    return found if isinstance(found, dict) else None


def _whole(path: Path) -> str:
    with _opened(path) as stream:
        text = stream.read(MOST_BYTES + 1)
    if len(text) > MOST_BYTES:
        raise DataError(
            f"a JSON document must be smaller than {MOST_BYTES >> 20} MB to be read whole; {path.name} is "
            "larger; export JSON lines, Parquet or CSV in its place"
        )
    return text.decode("utf-8-sig")


def _is_lines(path: Path) -> bool:
    """Whether the first line is an object by itself, and there is another line."""
    try:
        with _opened(path) as stream:
            line = _first_text(stream)
            rest = iter(lambda: stream.readline(_LOOKED_AT), b"")
            return any(more.strip() for more in rest) and _as_object(line) is not None
    except _BROKEN:
        return False


def _first_text(stream: IO[bytes]) -> bytes:
    """Return the first line that is not blank."""
    lines = iter(lambda: stream.readline(MOST_BYTES), b"")
    return next((line for line in lines if line.strip()), b"")


def _first_line(path: Path) -> dict[str, Any] | None:
    try:
        with _opened(path) as stream:
            return _as_object(_first_text(stream))
    except _BROKEN:
        return None


def _first_entry(path: Path) -> dict[str, Any] | None:
    """Return the first entry of a list; the head read grows until it holds one."""
    size = _LOOKED_AT
    while size <= 8 * MOST_BYTES:
        try:
            with _opened(path) as stream:
                head = stream.read(size)
        except _BROKEN:
            return None
        text = head.decode("utf-8-sig", errors="ignore").lstrip()[1:].lstrip()
        try:
            found, _ = json.JSONDecoder().raw_decode(text)
            return found if isinstance(found, dict) else None
        except (ValueError, RecursionError):
            if len(head) < size:
                return None
        size *= 8
    return None


def _as_object(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _object(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        found = parsed(line.decode("utf-8-sig"), path.name)
    except DataError:
        raise
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise DataError(
            f"every line of {path.name} must be one JSON object; line {number} is none; it may have been cut "
            "off: copy the file again"
        )
    return found


def _entries(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    try:
        found = parsed(_whole(path), path.name)
    except DataError:
        raise
    except _BROKEN as error:
        raise _cut_off(path, "list", error) from None
    for number, entry in enumerate(found, start=1):
        where = f"entry {number} of {path.name}"
        if not isinstance(entry, dict):
            raise DataError(
                f"every entry of {path.name} must be a JSON object; got {str(entry)[:40]!r} in {where}; "
                "export the file again"
            )
        yield where, entry


def _cut_off(path: Path, what: str, error: Exception) -> DataError:
    told = str(error).splitlines()[0][:80] if str(error) else type(error).__name__
    return DataError(
        f"{path.name} must be a whole JSON {what}; got a broken one ({told}); copy it again"
    )


def keys_of(value: Any) -> set[str]:
    """Return the keys of an object, none of anything else."""
    return set(value) if isinstance(value, dict) else set()


def must_have(holder: Any, name: str, kind: type | tuple[type, ...], where: str) -> Any:
    """Return a field that a tool always writes, or say that it is absent.

    Raises
    ------
    DataError
        If the field is not there, or of another kind.
    """
    found = holder.get(name) if isinstance(holder, dict) else None
    if isinstance(found, bool) or not isinstance(found, kind):
        got = "none" if found is None else type(found).__name__
        raise DataError(f"{where} must have the field {name!r}; got {got}; export the file again")
    return found
