"""Read the first sheet of an Excel workbook that holds anything."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from algeval.errors import DataError

__all__ = ["is_workbook", "read_workbook"]

_MOST_UNPACKED = 1 << 29
"""Bytes; a workbook that unpacks to more is refused before it fills the memory."""


def is_workbook(path: Path) -> bool:
    """Whether a file is an .xlsx workbook, by its content."""
    with path.open("rb") as stream:
        if stream.read(4) != b"PK\x03\x04":
            return False
    try:
        with zipfile.ZipFile(path) as archive:
            return "xl/workbook.xml" in archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError):
        return False


def read_workbook(path: Path) -> tuple[dict[str, list[object]], tuple[str, ...]]:
    """Return the columns of the first sheet with cells, and notes on what was read.

    Raises
    ------
    DataError
        If the workbook is broken, has no cells, or a formula in it was never computed.
    """
    _check_size(path)
    rows, title, others = _first_sheet(path)
    names = _header(path, rows[0])
    body = [row for row in rows[1:] if any(cell is not None for cell in row)]
    for number, row in enumerate(rows[1:], start=2):
        if any(cell is not None for cell in row[len(names) :]):
            raise DataError(
                f"every row of {path.name} must have {len(names)} cells like its header; row {number} of "
                f"sheet {title!r} has more; name the column or clear the cell"
            )
    columns = {
        name: [row[place] if place < len(row) else None for row in body]
        for place, name in enumerate(names)
    }
    notes: tuple[str, ...] = (f"{path.name} read as an Excel workbook, sheet {title!r}",)
    if others:
        notes += (f"sheets left out: {', '.join(map(repr, others))}",)
    return columns, notes


def _check_size(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        size = sum(member.file_size for member in archive.infolist())
    if size > _MOST_UNPACKED:
        raise DataError(
            f"{path.name} must unpack to at most {_MOST_UNPACKED >> 20} MB; got {size >> 20} MB; save the "
            "sheet as CSV"
        )


def _first_sheet(path: Path) -> tuple[list[tuple[Any, ...]], str, list[str]]:
    """Return the rows of the first sheet with cells, its title and the titles of other sheets."""
    from openpyxl import load_workbook

    # opened here, because openpyxl refuses a name with another ending, and leaves files open
    with path.open("rb") as first, path.open("rb") as second:
        try:
            values = load_workbook(first, read_only=True, data_only=True)
            formulas = load_workbook(second, read_only=True)
            for sheet in values.worksheets:
                rows = [tuple(row) for row in sheet.iter_rows(values_only=True)]
                if any(cell is not None for row in rows for cell in row):
                    _check_computed(path, sheet.title, rows, formulas[sheet.title].iter_rows())
                    others = [o.title for o in values.worksheets if o.title != sheet.title]
                    return _from_first_cell(rows), sheet.title, others
        except DataError:
            raise
        except Exception as error:  # openpyxl raises many kinds for a file that is no workbook
            raise DataError(
                f"{path.name} must be a whole Excel workbook; got a broken one ({type(error).__name__}); "
                "save it again, or as CSV"
            ) from None
    raise DataError(f"{path.name} must hold votes; got a workbook without cells; check the export")


def _from_first_cell(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return rows[next(k for k, row in enumerate(rows) if any(cell is not None for cell in row)) :]


def _check_computed(
    path: Path, title: str, rows: list[tuple[Any, ...]], formulas: Iterator[tuple[Any, ...]]
) -> None:
    """Refuse a formula without a stored value: it would read as a vote not given."""
    for row, cells in zip(rows, formulas, strict=False):
        for value, cell in zip(row, cells, strict=False):
            if value is None and getattr(cell, "data_type", "") == "f":
                raise DataError(
                    f"every formula of {path.name} must have a value; cell {cell.coordinate} of sheet "
                    f"{title!r} has none; open it in a spreadsheet program and save it again"
                )


def _header(path: Path, row: tuple[Any, ...]) -> list[str]:
    texts = ["" if cell is None else str(cell).strip() for cell in row]
    while texts and not texts[-1]:
        texts.pop()
    for place, text in enumerate(texts[1:], start=2):
        if not text:
            raise DataError(
                f"every column of {path.name} must have a name; column {place} has none; name it"
            )
        if text in texts[: place - 1]:
            raise DataError(
                f"column names of {path.name} must be distinct; got {text!r} twice; rename one"
            )
    return texts
