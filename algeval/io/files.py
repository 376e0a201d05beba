"""Tell what a file is by looking, and open it in DuckDB with every cell as text."""

from __future__ import annotations

import codecs
import gzip
import os
import re
import zlib
from pathlib import Path

from algeval.data.settings import check_choice
from algeval.errors import DataError
from algeval.io.csv_files import first_line, open_csv
from algeval.io.databases import is_database, open_database
from algeval.io.json_files import open_json
from algeval.io.opened import Opened, is_packed, is_parquet
from algeval.io.parquet_files import open_parquet

__all__ = ["is_document", "open_file"]

_BY_EXTENSION = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "json",
    ".ndjson": "json",
    ".json": "json",
    ".parquet": "parquet",
    ".pq": "parquet",
}
_FORMATS = ("csv", "tsv", "json", "jsonl", "ndjson", "parquet", "xlsx")


def open_file(
    source: str | os.PathLike[str], *, format: str | None = None, table: str | None = None
) -> Opened:
    """Open a file of votes; the format is its extension's, else found by looking.

    table : of a database, which.
    """
    path = _existing(source)
    if format == "xlsx":
        raise DataError(
            f"{path.name} must be an Excel workbook; got something else; leave format= out"
        )
    if format is None and is_database(path):
        return open_database(path, table)
    try:
        return _opened(path, format)
    except (zlib.error, EOFError, gzip.BadGzipFile) as error:
        raise DataError(
            f"{path.name} must be a whole gzip file; got a broken one ({error}); copy it again"
        ) from None


def _opened(path: Path, format: str | None) -> Opened:
    head = _head(path)
    kind = _kind(path, head, format)
    if kind == "parquet":
        return open_parquet(path)
    _check_text(path, head)
    if kind == "json":
        return open_json(path)
    return open_csv(path, first_line(path, head), kind)


def _existing(source: str | os.PathLike[str]) -> Path:
    path = Path(source)
    address = re.match(r"([A-Za-z][A-Za-z0-9+.-]+):/+", str(source))
    if address and not path.exists():
        raise DataError(
            f"source must be a file on this machine; got the address {str(source)!r}; download it and name "
            "the file"
        )
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise DataError(
            f"source must be a file; got {str(path)!r}, a pipe or a device; keep what it says in a file"
        )
    if path.is_dir():
        raise DataError(f"source must be a file; got the folder {str(path)!r}; name a file in it")
    if not path.exists():
        raise DataError(f"source must be a file that exists; got {str(path)!r}; check the path")
    try:
        if path.stat().st_size == 0:
            raise DataError(f"{path.name} must hold votes; got an empty file; check the export")
        with path.open("rb"):
            return path
    except OSError as error:
        raise DataError(
            f"source must be a readable file; got {str(path)!r}; {error.strerror}"
        ) from None


def _head(path: Path, size: int = 1 << 18) -> bytes:
    if not is_packed(path):
        with path.open("rb") as stream:
            return stream.read(size)
    with gzip.open(path) as stream:
        return stream.read(size)


def _kind(path: Path, head: bytes, format: str | None) -> str:
    if format is not None:
        check_choice("format", format, _FORMATS)
        return "json" if format in ("json", "jsonl", "ndjson") else format
    if is_parquet(path):
        return "parquet"
    suffixes = [part.lower() for part in path.suffixes if part.lower() != ".gz"]
    known = _BY_EXTENSION.get(suffixes[-1]) if suffixes else None
    if known is not None:
        return known
    text = head.removeprefix(codecs.BOM_UTF8).lstrip()
    return "json" if text[:1] in (b"{", b"[") else "csv"


def _check_text(path: Path, head: bytes) -> None:
    if head[:2] == b"PK":
        raise DataError(
            f"{path.name} must be text or Parquet; got a zip archive (an Excel workbook?); "
            "save it as CSV"
        )
    if head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        raise DataError(f"{path.name} must be UTF-8 text; got UTF-16; save it as UTF-8")
    if b"\0" in head:
        raise DataError(
            f"{path.name} must be text; got binary data (a zero byte at position {head.index(0)}); "
            "is this the right file? else pass format="
        )
    if not head.removeprefix(codecs.BOM_UTF8).strip():
        raise DataError(f"{path.name} must hold votes; got only blank lines; check the export")


def is_document(source: str | os.PathLike[str]) -> bool:
    """Whether a file is one of the JSON documents this package writes, not a table of votes."""
    path = Path(source)
    if path.suffix.lower() == ".parquet" or not path.is_file():
        return False
    with path.open("rb") as stream:
        head = stream.read(1 << 16).removeprefix(codecs.BOM_UTF8).lstrip()
    return head[:1] == b"{" and b'"schema"' in head and b'"algeval.' in head
