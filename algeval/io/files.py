"""Tell what a file is by looking, and open it in DuckDB with every cell as text."""

from __future__ import annotations

import codecs
import csv
import gzip
import os
import re
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from algeval.data.settings import check_choice
from algeval.errors import DataError

if TYPE_CHECKING:
    import duckdb

__all__ = [
    "Opened",
    "cell_as_text",
    "connect",
    "is_document",
    "one_sentence",
    "open_file",
    "sql_text",
]

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
_FORMATS = ("csv", "tsv", "json", "jsonl", "ndjson", "parquet")
_DELIMITERS = (",", "\t", ";", "|")


@dataclass(frozen=True, slots=True)
class Opened:
    """A file ready to query: `relation` goes after FROM, `cells` gives each column's SQL."""

    path: Path
    connection: duckdb.DuckDBPyConnection
    relation: str
    cells: dict[str, str]
    json: bool
    note: str


def connect() -> duckdb.DuckDBPyConnection:
    """Return a private in-memory DuckDB that never downloads anything."""
    import duckdb

    settings: dict[str, Any] = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "temp_directory": str(Path(tempfile.gettempdir()) / f"algeval-{os.getpid()}"),
    }
    connection = duckdb.connect(":memory:", config=settings)
    # a notebook without ipywidgets refuses the setting; no bar is drawn there anyway
    with suppress(duckdb.InvalidInputException):
        connection.execute("SET enable_progress_bar = false")
    return connection


def open_file(source: str | os.PathLike[str], *, format: str | None = None) -> Opened:
    """Open a file of votes; the format is its extension's, else found by looking."""
    path = _existing(source)
    head = _head(path)
    kind = _kind(path, head, format)
    if kind == "parquet":
        return _open_parquet(path)
    _check_text(path, head)
    return _open_json(path) if kind == "json" else _open_csv(path, head, kind)


def quoted(name: str) -> str:
    """Return a column name as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def sql_text(text: str) -> str:
    """Return text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def one_sentence(path: Path, error: Exception) -> DataError:
    """Return what DuckDB complained about as one sentence of ours."""
    text = str(error).split("\n  file = ")[0]  # what follows repeats the settings
    line = re.search(r"[Ll]ine:? (\d+)", text)
    where = f" near line {line[1]}" if line else ""
    columns = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text)
    if columns:
        return DataError(
            f"every row of {path.name} must have {columns[1]} cells like its header; got {columns[2]} "
            f"on line {line[1] if line else '?'}; fix that row"
        )
    complaint = _not_utf8(path)
    if complaint is not None:
        return complaint
    if "terminated quote" in text:
        return DataError(
            f"every quoted cell of {path.name} must end with a quote; got one that does not{where}; "
            "close it or double the quotes inside it"
        )
    if "line size" in text.lower():
        return DataError(
            f"every line of {path.name} must be shorter than 2 MB; got a longer one{where}; leave long "
            "texts out of the table"
        )
    first = text.splitlines()[0] if text else type(error).__name__
    if "JSON" in text:
        return DataError(
            f"every line of {path.name} must be one JSON object; got bad JSON{where}; fix that line"
        )
    return DataError(f"{path.name} must be readable; got {first!r}{where}; check the file")


def _existing(source: str | os.PathLike[str]) -> Path:
    path = Path(source)
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


def _packed(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(2) == b"\x1f\x8b"


def _head(path: Path, size: int = 1 << 18) -> bytes:
    if not _packed(path):
        with path.open("rb") as stream:
            return stream.read(size)
    try:
        with gzip.open(path) as stream:
            return stream.read(size)
    except (OSError, EOFError) as error:
        raise DataError(
            f"{path.name} must be a whole gzip file; got a broken one ({error}); copy it again"
        ) from None


def _kind(path: Path, head: bytes, format: str | None) -> str:
    if format is not None:
        check_choice("format", format, _FORMATS)
        return "json" if format in ("json", "jsonl", "ndjson") else format
    if head[:4] == b"PAR1":
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


def _not_utf8(path: Path) -> DataError | None:
    """Return the complaint about the first byte that is not UTF-8, None if there is none."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    done = 0
    opener = gzip.open if _packed(path) else open
    with opener(path, "rb") as stream:
        while True:
            pending = len(decoder.getstate()[0])
            chunk = stream.read(1 << 20)
            try:
                decoder.decode(chunk, final=not chunk)
            except UnicodeDecodeError as error:
                place = done - pending + error.start
                return DataError(
                    f"{path.name} must be UTF-8 text; got byte 0x{error.object[error.start]:02x} at "
                    f"position {place} (Latin-1 or Windows-1252?); save it as UTF-8"
                )
            if not chunk:
                return None
            done += len(chunk)


def _read_call(function: str, path: Path, *options: str) -> str:
    """Return a DuckDB table function call; brackets and stars in the path are no patterns."""
    escaped = re.sub(r"([*?\[])", r"[\1]", str(path))
    return f"{function}({', '.join([sql_text(escaped), *options])})"


def _open_parquet(path: Path) -> Opened:
    import duckdb

    connection = connect()
    relation = _read_call("read_parquet", path)
    try:
        described = connection.execute(f"DESCRIBE SELECT * FROM {relation}").fetchall()
    except duckdb.Error:
        raise DataError(
            f"{path.name} must be a whole Parquet file; DuckDB cannot read it; write it again"
        ) from None
    cells = {str(row[0]): cell_as_text(str(row[0]), str(row[1])) for row in described}
    return Opened(path, connection, relation, cells, False, f"{path.name} read as Parquet")


def cell_as_text(name: str, kind: str) -> str:
    """Return the SQL that spells a typed column as the text a reader expects."""
    column = quoted(name)
    if kind == "BOOLEAN":
        return f"CASE WHEN {column} THEN 'True' WHEN NOT {column} THEN 'False' END"
    if kind in ("DOUBLE", "FLOAT"):
        whole = f"isfinite({column}) AND {column} = trunc({column}) AND abs({column}) < 1e15"
        text = f"CASE WHEN isnan({column}) THEN NULL ELSE CAST({column} AS VARCHAR) END"
        return f"CASE WHEN {whole} THEN CAST(CAST({column} AS BIGINT) AS VARCHAR) ELSE {text} END"
    return f"CAST({column} AS VARCHAR)"


def _open_json(path: Path) -> Opened:
    import duckdb

    connection = connect()
    packed = _packed(path)
    relation = _read_call(
        "read_json_objects", path, "format='auto'", *(["compression='gzip'"] if packed else [])
    )
    keys = "SELECT DISTINCT json_type(json), unnest(json_keys(json)) FROM " + relation
    first = f"SELECT json_keys(json) FROM {relation} LIMIT 1"
    try:
        kinds = connection.execute(f"SELECT DISTINCT json_type(json) FROM {relation}").fetchall()
        known = connection.execute(first).fetchone()
        found = {str(row[1]) for row in connection.execute(keys).fetchall()}
    except duckdb.Error as error:
        raise one_sentence(path, error) from None
    if any(row[0] != "OBJECT" for row in kinds):
        raise DataError(
            f"every line of {path.name} must be one JSON object; got {kinds[0][0].lower()}; "
            "write one object per item or vote"
        )
    ordered = [str(name) for name in known[0]] if known else []
    names = ordered + sorted(found - set(ordered))
    # a JSON pointer: a JSON path would read dots and quotes in names as syntax
    cells = {
        name: f"nullif(CAST(json -> {sql_text(_pointer(name))} AS VARCHAR), 'null')"
        for name in names
    }
    return Opened(path, connection, relation, cells, True, f"{path.name} read as JSON lines")


def _pointer(name: str) -> str:
    return "/" + name.replace("~", "~0").replace("/", "~1")


def _open_csv(path: Path, head: bytes, kind: str) -> Opened:
    delimiter, names = _header(path, head, kind)
    # numbered names inside DuckDB, which takes "A" and "a" for one column
    spec = ", ".join(f"c{place}: 'VARCHAR'" for place in range(len(names)))
    options = [
        "auto_detect=false",
        "header=true",
        f"delim={sql_text(delimiter)}",
        "quote='\"'",
        "escape='\"'",
        f"columns={{{spec}}}",
    ]
    if _packed(path):
        options.append("compression='gzip'")
    shown = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "bars"}[delimiter]
    relation = _read_call("read_csv", path, *options)
    cells = {name: f"c{place}" for place, name in enumerate(names)}
    note = f"{path.name} read as text with {shown} between cells"
    return Opened(path, connect(), relation, cells, False, note)


def _header(path: Path, head: bytes, kind: str) -> tuple[str, list[str]]:
    """Return the delimiter and the column names of the first line."""
    text = head.removeprefix(codecs.BOM_UTF8).decode("utf-8", errors="replace")
    if not text.splitlines()[0].strip():
        raise DataError(f"{path.name} must start with its column names; got a blank first line")
    found = {mark: _first_record(text, mark) for mark in _DELIMITERS}
    delimiter = max(_DELIMITERS, key=lambda mark: len(found[mark]))
    if kind == "tsv" and len(found["\t"]) > 1:
        delimiter = "\t"
    names = [name.strip() for name in found[delimiter]]
    if "\ufffd" in "".join(names):
        raise _not_utf8(path) or DataError(f"the header of {path.name} holds an invalid character")
    for place, name in enumerate(names[1:], start=2):
        if not name:
            raise DataError(
                f"every column of {path.name} must have a name; column {place} has none; name it"
            )
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise DataError(
                f"column names of {path.name} must be distinct; got {name!r} twice; "
                "rename one (is the first line a header?)"
            )
        seen.add(name)
    return delimiter, names


def _first_record(text: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader(text.splitlines(keepends=True), delimiter=delimiter), [])
    except csv.Error:
        return []


def is_document(source: str | os.PathLike[str]) -> bool:
    """Whether a file is one of the JSON documents this package writes, not a table of votes."""
    path = Path(source)
    if path.suffix.lower() == ".parquet" or not path.is_file():
        return False
    with path.open("rb") as stream:
        head = stream.read(1 << 16).removeprefix(codecs.BOM_UTF8).lstrip()
    return head[:1] == b"{" and b'"schema"' in head and b'"algeval.' in head
