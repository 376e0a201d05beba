"""The files a person named, looked into once: what each is, and what it holds as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from algeval.errors import DataError
from algeval.io.readers.columns import columns_of

__all__ = ["Files", "keys_of", "must_have"]

MOST_BYTES = 200 * 2**20
"""A JSON document is read whole; larger ones are refused."""

_LOOKED_AT = 1 << 16


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
            self._columns[path] = columns_of(path)
        return self._columns[path]

    def document(self, path: Path | None = None) -> Any:
        """Return the JSON document that a file is as a whole, None where it is none or many.

        Raises
        ------
        DataError
            If it is larger than may be read whole.
        """
        path = self.path if path is None else path
        if path not in self._documents:
            self._documents[path] = _document(path)
        return self._documents[path]

    def first(self, path: Path | None = None) -> dict[str, Any] | None:
        """Return the first object of JSON lines, None where a file holds none."""
        path = self.path if path is None else path
        if path not in self._firsts:
            self._firsts[path] = _first(path)
        found: dict[str, Any] | None = self._firsts[path]
        return found

    def lines(self, path: Path | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the objects of JSON lines with the number of their line.

        Raises
        ------
        DataError
            If a line is no JSON object.
        """
        path = self.path if path is None else path
        with path.open(encoding="utf-8-sig") as stream:
            for number, line in enumerate(stream, start=1):
                if line.strip():
                    yield number, _object(path, number, line)


def _document(path: Path) -> Any:
    if not _begins(path, b"{["):
        return None
    if _is_lines(path):
        return None
    if path.stat().st_size > MOST_BYTES and _begins(path, b"["):
        return None  # a list of rows, perhaps, which need not be read whole
    if path.stat().st_size > MOST_BYTES:
        raise DataError(
            f"a JSON document must be smaller than {MOST_BYTES >> 20} MB to be read whole; {path.name} has "
            f"{path.stat().st_size >> 20} MB; export JSON lines, Parquet or CSV in its place"
        )
    try:
        return json.loads(path.read_bytes().decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None  # the reader of tables says what is wrong


def _begins(path: Path, marks: bytes) -> bool:
    with path.open("rb") as stream:
        head = stream.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()
    return bool(head) and head[0] in marks


def _is_lines(path: Path) -> bool:
    """Whether the first line is an object by itself, and there is another line."""
    with path.open("rb") as stream:
        line = stream.readline(MOST_BYTES)
        more = any(rest.strip() for rest in iter(lambda: stream.readline(_LOOKED_AT), b""))
    return more and _plain_object(line) is not None


def _first(path: Path) -> dict[str, Any] | None:
    if not _begins(path, b"{"):
        return None
    with path.open("rb") as stream:
        return _plain_object(stream.readline(MOST_BYTES))


def _plain_object(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _object(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise DataError(
            f"every line of {path.name} must be one JSON object; line {number} is none; it may have been cut "
            "off: copy the file again"
        )
    return found


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
