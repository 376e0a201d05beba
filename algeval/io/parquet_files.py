"""Open Parquet in DuckDB, every cell as text; numbered classes get their names back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from algeval.errors import DataError
from algeval.io.opened import Opened, connect, quoted, read_call, sql_text

if TYPE_CHECKING:
    import duckdb

__all__ = ["cell_as_text", "is_nested", "open_parquet"]


def open_parquet(path: Path, *more: Path, hive: bool = False) -> Opened:
    """Open Parquet files with the same columns; folders named like x=1 are columns only if `hive`."""
    import duckdb

    connection, paths = connect(), (path, *more)
    relation = read_call("read_parquet", paths, f"hive_partitioning={str(hive).lower()}")
    try:
        _refuse_other_columns(paths, connection)
        described = connection.execute(f"DESCRIBE SELECT * FROM {relation}").fetchall()
        classes = _class_names(path, connection)
    except duckdb.Error:
        raise DataError(
            f"{path.name} must be a whole Parquet file; DuckDB cannot read it; write it again"
        ) from None
    kinds = {str(row[0]): str(row[1]) for row in described}
    nested = frozenset(name for name, kind in kinds.items() if is_nested(kind))
    named = {name: names for name, names in classes.items() if _is_whole(kinds.get(name, ""))}
    cells = {name: cell_as_text(name, kind) for name, kind in kinds.items()}
    cells |= {name: _class_as_text(name, names) for name, names in named.items()}
    cells |= dict.fromkeys(nested, "CAST(NULL AS VARCHAR)")
    return Opened(
        path,
        connection,
        relation,
        cells,
        False,
        f"{path.name}{f' and {len(more)} more' if more else ''} read as Parquet",
        nested,
        (f"classes named as the file says, -1 is no vote: {', '.join(map(repr, named))}",)
        if named
        else (),
    )


def _refuse_other_columns(paths: Sequence[Path], connection: duckdb.DuckDBPyConnection) -> None:
    """Refuse parts of a table whose columns, or their types or classes, differ."""
    paths = list(dict.fromkeys(paths))
    if len(paths) == 1:
        return
    kinds = "list((name, type, type_length, scale, CAST(logical_type AS VARCHAR)) ORDER BY name)"
    about = {
        "columns and types": f"SELECT {kinds} FROM {read_call('parquet_schema', paths)} GROUP BY file_name",
        "class names": f"SELECT value FROM {read_call('parquet_kv_metadata', paths)} WHERE key = "
        "'huggingface'",
    }
    for what, query in about.items():
        found = connection.execute(f"SELECT count(DISTINCT k) FROM ({query}) t(k)").fetchone()
        if found and found[0] > 1:
            raise DataError(
                f"files that are parts of one table must have the same {what}; {paths[0].name} and "
                f"{len(paths) - 1} more differ in them; write them alike, or read them one by one"
            )


def is_nested(kind: str) -> bool:
    """Whether a type of DuckDB is a list or an object."""
    return kind.endswith("]") or kind.startswith(("STRUCT", "MAP", "UNION"))


def _is_whole(kind: str) -> bool:
    return "INT" in kind and not is_nested(kind)


def _class_names(path: Path, connection: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    """Return {column: its class names} as Hugging Face data sets write them into the file."""
    query = f"SELECT value FROM {read_call('parquet_kv_metadata', path)} WHERE key = 'huggingface'"
    found = connection.execute(query).fetchall()
    try:
        features = json.loads(bytes(found[0][0]))["info"]["features"] if found else {}
    except (ValueError, KeyError, TypeError, RecursionError):
        return {}
    if not isinstance(features, Mapping):
        return {}
    return {str(name): names for name, kind in features.items() if (names := _names_in(kind))}


def _names_in(kind: Any) -> list[str]:
    names = kind.get("names") if isinstance(kind, Mapping) else None
    right = isinstance(names, list) and kind.get("_type") == "ClassLabel"
    return list(map(str, names)) if right and names is not None else []


def _class_as_text(name: str, names: list[str]) -> str:
    """Return the SQL that gives a numbered class its name, and -1 none."""
    column = quoted(name)
    cases = " ".join(f"WHEN {place} THEN {sql_text(text)}" for place, text in enumerate(names))
    return f"CASE {column} WHEN -1 THEN NULL {cases} ELSE CAST({column} AS VARCHAR) END"


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
