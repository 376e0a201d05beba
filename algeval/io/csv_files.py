"""Open text with a delimiter in DuckDB: its delimiter, its column names, every cell as text."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
from pathlib import Path

from algeval.errors import DataError
from algeval.io.lines import LONGEST_LINE, one_line_ending, survey, too_long
from algeval.io.opened import Opened, connect, is_packed, not_utf8, read_call, sql_text

__all__ = ["first_line", "open_csv"]

_MOST_COLUMNS = 20_000
"""DuckDB takes some seconds for so many, and the square of that for more."""

_DELIMITERS = (",", "\t", ";", "|")


def open_csv(path: Path, head: bytes, kind: str) -> Opened:
    """Open delimited text; the delimiter is the one that cuts the first line into most names."""
    delimiter, names = _header(path, head, kind)
    survey(path)
    if len(names) == 1:
        _refuse_blank_lines(path)
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
    read, folder = one_line_ending(path)
    if is_packed(read):
        options.append("compression='gzip'")
    shown = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "bars"}[delimiter]
    relation = read_call("read_csv", read, *options)
    cells = {name: f"c{place}" for place, name in enumerate(names)}
    note = f"{path.name} read as text with {shown} between cells"
    return Opened(path, connect(), relation, cells, False, note, kept=folder)


def _header(path: Path, head: bytes, kind: str) -> tuple[str, list[str]]:
    """Return the delimiter and the column names of the first line."""
    text = head.removeprefix(codecs.BOM_UTF8).decode("utf-8", errors="replace")
    if not next(io.StringIO(text, newline="")).strip():
        raise DataError(f"{path.name} must start with its column names; got a blank first line")
    found = {mark: _first_record(text, mark) for mark in _DELIMITERS}
    delimiter = max(_DELIMITERS, key=lambda mark: len(found[mark]))
    if kind == "tsv" and len(found["\t"]) > 1:
        delimiter = "\t"
    names = [name.strip() for name in found[delimiter]]
    if "\ufffd" in "".join(names):
        raise not_utf8(path) or DataError(f"the header of {path.name} holds an invalid character")
    _check_names(path, names)
    return delimiter, names


def _check_names(path: Path, names: list[str]) -> None:
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
    if len(names) > _MOST_COLUMNS:
        raise DataError(
            f"a wide table must have at most {_MOST_COLUMNS} columns; {path.name} has {len(names)}; write a "
            "long table, one row per vote: item, judge, answer"
        )


def _first_record(text: str, delimiter: str) -> list[str]:
    lines = io.StringIO(text, newline="")  # splits where DuckDB does, not at U+2028 or VT
    try:
        return next(csv.reader(lines, delimiter=delimiter), [])
    except csv.Error:
        return []


def first_line(path: Path, head: bytes) -> bytes:
    """Return the start of a file with its whole first line, however long its header is.

    Raises
    ------
    DataError
        If the first line is longer than DuckDB reads.
    """
    opener = gzip.open if is_packed(path) else open
    with opener(path, "rb") as stream:
        while not _holds_a_line(head):
            if len(head) > LONGEST_LINE:
                raise too_long(path, 1)
            stream.seek(0)
            longer = stream.read(4 * len(head))
            if len(longer) == len(head):
                return head
            head = longer
    return head


def _holds_a_line(head: bytes) -> bool:
    return any(
        mark in head and head[: head.index(mark)].count(b'"') % 2 == 0 for mark in (b"\n", b"\r")
    )


def _refuse_blank_lines(path: Path) -> None:
    """Refuse a table of one column with blank lines, which may be votes not given or nothing."""
    opener = gzip.open if is_packed(path) else open
    with opener(path, "rt", encoding="utf-8-sig", errors="replace", newline="") as stream:
        for row in (reader := csv.reader(stream)):
            if not "".join(row).strip():
                raise DataError(
                    f"a table of one column must have no blank lines; {path.name} has one at line "
                    f"{reader.line_num}; write NA for a vote that is missing, else delete the line"
                )
