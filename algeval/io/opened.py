"""A file opened in DuckDB: what all formats share, and DuckDB's complaints as sentences of ours."""

from __future__ import annotations

import codecs
import gzip
import os
import re
import tempfile
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from algeval.errors import DataError
from algeval.progress import board, watched

if TYPE_CHECKING:
    import duckdb

__all__ = [
    "Opened",
    "connect",
    "is_packed",
    "is_parquet",
    "nested_cells",
    "not_utf8",
    "one_sentence",
    "quoted",
    "read_call",
    "sql_text",
    "watched_query",
]


@dataclass(frozen=True, slots=True)
class Opened:
    """A file ready to query: `relation` goes after FROM, `cells` gives each column's SQL."""

    path: Path
    connection: duckdb.DuckDBPyConnection
    relation: str
    cells: dict[str, str]
    json: bool
    note: str
    nested: frozenset[str] = frozenset()
    """Columns of lists or objects, whose cells are no votes."""
    more_notes: tuple[str, ...] = ()
    kept: Any = None
    """What must live as long as the file is read, such as a temporary folder."""

    def check_plain(self, name: str) -> None:
        """Refuse a column of lists or objects."""
        if name in self.nested:
            raise nested_cells(name)


def nested_cells(name: str) -> DataError:
    """Return the complaint about a column of lists or objects."""
    return DataError(
        f"column {name!r} must hold one plain value per cell; got lists or objects; "
        "flatten it or leave it out with judges="
    )


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


def watched_query(
    connection: duckdb.DuckDBPyConnection, query: str
) -> AbstractContextManager[object]:
    """Return a context for one query, which says what share of the rows DuckDB has seen."""
    if board() is None:
        return nullcontext()
    import duckdb

    stages = 1
    with suppress(duckdb.Error):  # what is wrong with the query is said where it runs
        connection.execute("SET enable_progress_bar_print = false")
        connection.execute("SET enable_progress_bar = true")
        plan = connection.execute(f"EXPLAIN (FORMAT json) {query}").fetchall()[0][1]
        stages += len(re.findall(_BLOCKING, plan))

    def seen() -> float | None:
        try:
            percent = connection.query_progress()
        except duckdb.Error:
            return None
        return min(1.0, stages * percent / 100) if percent >= 0 else None

    return watched("a pass over the rows", seen)


_BLOCKING = r'"name": "\w*(?:GROUP_BY|ORDER_BY|TOP_N)"'
"""What waits for all rows: each is as much as the scan to DuckDB, and next to nothing on the clock."""


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
    if text.startswith("Out of Memory Error") or "No space left" in text:
        return DataError(
            f"counting {path.name} must have room on disk for what does not fit in memory; got "
            f"{text.splitlines()[0]!r}; free some of the temporary folder, {tempfile.gettempdir()}"
        )
    complaint = None if is_parquet(path) else not_utf8(path)
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


def is_parquet(path: Path) -> bool:
    """Whether a file is Parquet, whatever its name."""
    with path.open("rb") as stream:
        return stream.read(4) == b"PAR1"


def is_packed(path: Path) -> bool:
    """Whether a file is gzip, whatever its name."""
    with path.open("rb") as stream:
        return stream.read(2) == b"\x1f\x8b"


def not_utf8(path: Path) -> DataError | None:
    """Return the complaint about the first byte that is not UTF-8, None if there is none."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    done = 0
    opener = gzip.open if is_packed(path) else open
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


def read_call(function: str, path: Path | Sequence[Path], *options: str) -> str:
    """Return a DuckDB table function call; brackets and stars in a path are no patterns."""
    named = _escaped(path) if isinstance(path, Path) else f"[{', '.join(map(_escaped, path))}]"
    return f"{function}({', '.join([named, *options])})"


def _escaped(path: Path) -> str:
    return sql_text(re.sub(r"([*?\[])", r"[\1]", _utf8(path)))


def _utf8(path: Path) -> str:
    """Return a path as DuckDB wants it, whatever the locale has made of its letters."""
    try:
        return os.fsencode(path).decode("utf-8")
    except UnicodeError:
        raise DataError(
            f"a file's path must be UTF-8; got {str(path)!a}; rename the file or its folder"
        ) from None
