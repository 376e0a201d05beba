"""Several files as one table: the parts that engines write, of one kind and with the same columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from algeval.errors import DataError
from algeval.io.databases import is_database
from algeval.io.files import open_file
from algeval.io.layout import shown
from algeval.io.opened import Opened, is_parquet
from algeval.io.parquet_files import open_parquet

__all__ = ["open_parts"]


def open_parts(
    paths: Sequence[Path], *, format: str | None = None, table: str | None = None
) -> Opened:
    """Open files as one table; an item in two of them is two rows.

    Parameters
    ----------
    paths : list of Path
    format : str, optional
        That of each; "hive" for Parquet in folders named like ``split=test``, which become columns.
    table : str, optional
        Of a database, which.

    Raises
    ------
    DataError
        If there is no file, or they differ in kind or columns.
    """
    if not paths:
        raise DataError("parts of a table must be files; got none; name the files of votes")
    if format == "hive":
        return open_parquet(*paths, hive=True)
    if all(is_parquet(path) for path in paths):
        return open_parquet(*paths)
    if len(paths) == 1:
        return open_file(paths[0], format=format, table=table)
    database = next((path for path in paths if is_database(path)), None)
    if database is not None:
        raise DataError(
            f"files that are parts of one table must be tables; {database.name} is a database; name it alone"
        )
    return _joined(paths, [open_file(path, format=format) for path in paths])


def _joined(paths: Sequence[Path], parts: Sequence[Opened]) -> Opened:
    first = parts[0]
    for path, part in zip(paths, parts, strict=True):
        _refuse_other(paths[0], first, path, part)
    cells = dict(cell for part in parts for cell in part.cells.items())
    if not first.json:  # the same column may stand in another place
        cells = {name: f"p{place}" for place, name in enumerate(first.cells)}
    selected = [
        "json" if part.json else ", ".join(f"{part.cells[n]} AS {cells[n]}" for n in cells)
        for part in parts
    ]
    pairs = zip(selected, parts, strict=True)
    union = " UNION ALL ".join(f"SELECT {columns} FROM {part.relation}" for columns, part in pairs)
    note = first.note.replace(" read as", f" and {len(parts) - 1} more read as", 1)
    kept = [part.kept for part in parts]
    return replace(first, relation=f"({union})", cells=cells, note=note, kept=kept)


def _refuse_other(first_path: Path, first: Opened, path: Path, part: Opened) -> None:
    parquet = is_parquet(first_path) == is_parquet(path)
    if part.json != first.json or not parquet:
        raise DataError(
            f"files that are parts of one table must be of one kind; {first_path.name} and {path.name} are "
            "not; name those of one kind"
        )
    if not part.json and set(part.cells) != set(first.cells):
        raise DataError(
            f"files that are parts of one table must have the same columns; {first_path.name} has "
            f"{shown(list(first.cells), 6)}, {path.name} {shown(list(part.cells), 6)}; name those alike"
        )
