"""Open JSON lines, or a list of JSON objects, in DuckDB."""

from __future__ import annotations

import codecs
import gzip
import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from algeval.errors import DataError
from algeval.io.opened import (
    Opened,
    connect,
    is_packed,
    nested_cells,
    one_sentence,
    read_call,
    sql_text,
)

if TYPE_CHECKING:
    import duckdb

__all__ = ["decoded", "open_json"]

_BOM = codecs.BOM_UTF8


def open_json(path: Path) -> Opened:
    """Open JSON lines or one list of objects; the names are all keys seen."""
    import duckdb

    _check_closed(path)
    connection = connect()
    options = ["compression='gzip'"] if is_packed(path) else []
    relation = read_call("read_json_objects", path, "format='auto'", *options)
    try:
        kinds = connection.execute(f"SELECT DISTINCT json_type(json) FROM {relation}").fetchall()
        _check_objects(path, [str(row[0]) for row in kinds])
        names = _names(path, connection, relation)
    except duckdb.Error as error:
        raise one_sentence(path, error) from None
    # a JSON pointer: a JSON path would read dots and quotes in names as syntax
    cells = {
        name: f"nullif(CAST(json -> {sql_text(_pointer(name))} AS VARCHAR), 'null')"
        for name in names
    }
    return Opened(path, connection, relation, cells, True, f"{path.name} read as JSON lines")


def _names(path: Path, connection: duckdb.DuckDBPyConnection, relation: str) -> list[str]:
    """Return all keys, those of the first object first, refusing an object with one key twice."""
    keys = f"SELECT json_keys(json) AS keys FROM {relation}"
    first = connection.execute(f"{keys} LIMIT 1").fetchall()
    kinds = f"SELECT DISTINCT keys FROM ({keys})"
    query = f"SELECT keys FROM ({kinds}) WHERE len(keys) <> len(list_distinct(keys)) LIMIT 1"
    twice = connection.execute(query).fetchall()
    if twice:
        listed = list(twice[0][0])
        name = next(key for key in listed if listed.count(key) > 1)
        raise DataError(
            f"every object of {path.name} must have a key once; got {str(name)!r} twice in one; keep the "
            "right one"
        )
    found = connection.execute(f"SELECT DISTINCT unnest(keys) FROM ({kinds})").fetchall()
    ordered = [str(name) for name in first[0][0]] if first else []
    return ordered + sorted({str(row[0]) for row in found} - set(ordered))


def _check_objects(path: Path, kinds: list[str]) -> None:
    wrong = [kind for kind in kinds if kind != "OBJECT"]
    if wrong:
        raise DataError(
            f"every line of {path.name} must be one JSON object; got {wrong[0].lower()}; "
            "write one object per item or vote"
        )


def _pointer(name: str) -> str:
    return "/" + name.replace("~", "~0").replace("/", "~1")


def _check_closed(path: Path) -> None:
    """Refuse a list that was cut off: DuckDB reads one that ends after a comma as whole."""
    if is_packed(path):
        with gzip.open(path) as stream:
            opens = stream.read(1 << 12)
            last = b""
            while opens.removeprefix(_BOM).lstrip()[:1] == b"[" and (block := stream.read(1 << 20)):
                last = block.rstrip() or last
            last = last or opens.rstrip()
    else:
        with path.open("rb") as stream:
            opens = stream.read(1 << 12)
            stream.seek(max(0, path.stat().st_size - (1 << 16)))
            last = stream.read().rstrip()
    if opens.removeprefix(_BOM).lstrip()[:1] == b"[" and last and not last.endswith(b"]"):
        raise DataError(
            f"the JSON list of {path.name} must end with ]; got {last[-1:].decode('latin-1')!a} at its "
            "end, so it was cut off; copy it again"
        )


def decoded(name: str, values: Iterable[object], from_json: bool) -> tuple[object, ...]:
    """Return distinct cells as values: JSON fragments are parsed, text stays text."""
    if not from_json:
        return tuple(values)
    return tuple(None if value is None else _parsed(name, str(value)) for value in values)


def _parsed(name: str, text: str) -> Any:
    if text[:1] in ("{", "["):
        raise nested_cells(name)
    try:
        return json.loads(text, parse_float=_finite, parse_constant=_constant)
    except ValueError:
        short = text if len(text) <= 40 else f"{text[:30]}... ({len(text)} characters)"
        raise DataError(
            f"column {name!r} must hold texts and finite numbers of at most 4300 digits; got {short}; "
            "write it as text, in quotes"
        ) from None


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _constant(text: str) -> float:
    """Return the number a bare NaN stands for; Infinity is none."""
    if text != "NaN":
        raise ValueError(text)
    return math.nan
