"""File formats: CSV, Excel, JSON, Parquet, DuckDB and SQLite files."""

from __future__ import annotations

import atexit
import codecs
import csv
import gzip
import io
import json
import math
import os
import re
import shutil
import sqlite3
import tempfile
import weakref
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from threading import Timer
from time import monotonic
from typing import IO, TYPE_CHECKING, Any
from weakref import WeakSet

import numpy as np

from algeval.data.names import Caution, check_choice
from algeval.errors import DataError, option
from algeval.io.answers import plain
from algeval.progress import board, counted, watched
from algeval.result.numbers import did_you_mean, how_many
from algeval.result.tables import free_name

if TYPE_CHECKING:
    import duckdb


# --- Which table of a database is meant: the one named, or the only one there is.


_MOST_SHOWN = 12
_LOOKED_AT = 60  # rows from the top by which headings are told from the names of columns


def choose_table(
    name: str,
    tables: Sequence[str],
    stated: str | None,
    count: Callable[[Sequence[str]], list[int | None]],
) -> str:
    """Table stated, whatever the case of its name as databases have it, or the only one.

    The rows of tables are counted only to be listed where the choice is not clear.
    """
    if not tables:
        raise DataError(f"{name} must hold a table of votes; got a database without tables")
    if stated is None and len(tables) > 1:
        listed, largest = _listed(tables, count)
        raise DataError(
            f"the table to read must be clear; {name} holds {listed}; choose with {option('table', largest)}"
        )
    wanted = tables[0] if stated is None else stated
    if wanted in tables:
        return wanted
    alike = [table for table in tables if table.casefold() == wanted.casefold()]
    if len(alike) != 1:
        raise DataError(
            f"table must name a table of {name}; got {wanted!r}; it holds {_listed(tables, count)[0]}; "
            f"{did_you_mean(wanted, tables)}"
        )
    return alike[0]


def _listed(
    tables: Sequence[str], count: Callable[[Sequence[str]], list[int | None]]
) -> tuple[str, str]:
    """First tables with their rows, and the largest of them."""
    some = tables[:_MOST_SHOWN]
    rows = dict(zip(some, count(some), strict=True))
    texts = [repr(t) if n is None else f"{t!r} ({how_many(n, 'row')})" for t, n in rows.items()]
    more = f", ... ({len(tables)} in all)" if len(tables) > len(some) else ""
    return ", ".join(texts) + more, max(rows, key=lambda table: rows[table] or 0)


# --- Read the first sheet of an Excel workbook that holds anything.


_MOST_UNPACKED = 1 << 29
"""Bytes; a workbook that unpacks to more is refused before it fills the memory."""

_MOST_ROWS = 1_048_576
"""Of a sheet, in any spreadsheet program; a row of a higher number would come after as many empty ones."""

_MOST_CELLS = 50_000_000  # of a sheet, empty ones before the last of a row included


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


class _Formula(str):
    """What stands in a cell with a formula but no stored value: it would read as a vote not given."""

    cell: str

    @classmethod
    def at(cls, cell: str) -> _Formula:
        """Formula of a cell such as B2."""
        made = cls("=")
        made.cell = cell
        return made


@dataclass(frozen=True, slots=True)
class _Sheet:
    """Rows of a sheet from the first that is filled on, and cells that were merged downwards."""

    title: str
    rows: list[tuple[Any, ...]]
    merged: dict[tuple[int, int], tuple[int, int]]  # row, column: those of the cell that is filled
    above: int = 0  # empty rows left out at the top


@dataclass(frozen=True, slots=True)
class _Part:
    """A table on a sheet: its title, the names of its columns, and where its rows and columns are."""

    title: str
    names: list[str]
    columns: list[int]
    rows: list[int]
    notes: tuple[str, ...] = ()
    own: tuple[int, ...] = ()  # columns that no other table on the sheet has


def read_workbook(
    path: Path, table: str | None = None
) -> tuple[dict[str, list[object]], tuple[str, ...]]:
    """Columns of the sheet that holds a table, of all that have the same, and notes on what was read."""
    with zipfile.ZipFile(path) as archive:
        size = sum(member.file_size for member in archive.infolist())
    if size > _MOST_UNPACKED:
        raise DataError(
            f"{path.name} must unpack to at most {_MOST_UNPACKED >> 20} MB; got {size >> 20} MB; save the "
            "sheet as CSV"
        )
    sheets, left = _sheets(path, table)
    parts = [(sheet, part) for sheet in sheets for part in _tables_on(path, sheet)]
    titles = ", ".join(repr(sheet.title) for sheet in sheets)
    what = "sheet" if len(sheets) == 1 else "sheets"
    notes = (f"{path.name} read as an Excel workbook, {what} {titles}", *parts[0][1].notes)
    made = [_columns_of_part(path, sheet, part) for sheet, part in parts]
    filled = Counter(name for _, names in made for name in names)
    if filled:
        listed = ", ".join(f"{name!r} ({n})" for name, n in list(filled.items())[:_MOST_SHOWN])
        notes += (Caution(f"merged cells hold for every row they cover: {listed}"),)
    if left:
        others = ", ".join(map(repr, left))
        notes += (f"sheets left out: {others}; {option('table', left[0])} reads another",)
    if len(made) == 1:
        return made[0][0], notes
    return _stacked([columns for columns, _ in made], parts, len(sheets) > 1, notes)


def _stacked(
    tables: Sequence[dict[str, list[object]]],
    parts: Sequence[tuple[_Sheet, _Part]],
    several: bool,
    notes: tuple[str, ...],
) -> tuple[dict[str, list[object]], tuple[str, ...]]:
    """Tables with the same columns as one, and a column that says which a row is of."""
    names = list(tables[0])
    name = free_name("sheet" if several else "table", names)
    titles = [sheet.title if several else part.title for sheet, part in parts]
    if several and len(set(titles)) < len(titles):
        titles = [f"{sheet.title} {part.title}" for sheet, part in parts]
    rows = [len(next(iter(columns.values()))) for columns in tables]
    by_form = [{n.casefold(): cells for n, cells in columns.items()} for columns in tables]
    columns: dict[str, list[object]] = {
        n: [cell for columns in by_form for cell in columns[n.casefold()]] for n in names
    }
    columns[name] = [title for title, n in zip(titles, rows, strict=True) for _ in range(n)]
    listed = ", ".join(map(repr, titles[:_MOST_SHOWN])) + (", ..." * (len(titles) > _MOST_SHOWN))
    said = f"{len(tables)} tables with the same columns are read as one, {listed}: column {name!r} says which"
    rest = f"; {option('table', titles[0])} reads one" if several else ""
    return columns, (*notes, Caution(f"{said}{rest}"))


def _columns_of_part(
    path: Path, sheet: _Sheet, part: _Part
) -> tuple[dict[str, list[object]], list[str]]:
    """Cells of a table by column, and the column of each cell that was merged into others."""
    columns: dict[str, list[object]] = {}
    filled = []
    for name, position in zip(part.names, part.columns, strict=False):
        cells: list[object] = []
        for at in part.rows:
            cell = _cell(sheet, at, position)
            of = sheet.merged.get((at, position)) if cell is None else None
            if of is not None and of[0] >= part.rows[0]:
                cell = _cell(sheet, *of)
                if (of[0] + 1, position) == (at, position):
                    filled.append(name)
            if isinstance(cell, _Formula):
                raise DataError(
                    f"every formula of {path.name} must have a value; cell {cell.cell} of sheet "
                    f"{sheet.title!r} has none; open it in a spreadsheet program and save it again"
                )
            cells.append(cell)
        columns[name] = cells
    return columns, filled


def _cell(sheet: _Sheet, row: int, column: int) -> Any:
    cells = sheet.rows[row]
    return cells[column] if column < len(cells) else None


# --- Which sheet of a workbook, and which part of a sheet, is a table.


def _sheets(path: Path, table: str | None) -> tuple[list[_Sheet], list[str]]:
    """Sheets to be read, and the titles of others with cells: the one named, or those with one header."""
    from openpyxl import load_workbook

    # opened here, because openpyxl refuses a name with another ending, and leaves files open
    with path.open("rb") as first, path.open("rb") as second:
        try:
            values = load_workbook(first, read_only=True, data_only=True)
            formulas = load_workbook(second, read_only=True)
            titles = [sheet.title for sheet in values.worksheets]
            if table is not None:
                title = choose_table(path.name, titles, table, lambda some: [None] * len(some))
                picked, others = [title], []
            else:
                tops = {s.title: _top_of(path, s) for s in values.worksheets}
                filled = {title: rows for title, rows in tops.items() if rows}
                picked = _with_same_header(filled)
                others = [title for title in filled if title not in picked]
            made = [_sheet(path, values[title], formulas[title]) for title in picked]
        except DataError:
            raise
        except Exception as error:  # openpyxl raises many kinds for a file that is no workbook
            raise DataError(
                f"{path.name} must be a whole Excel workbook; got a broken one ({type(error).__name__}); "
                "save it again, or as CSV"
            ) from None
    if not any(sheet.rows for sheet in made):
        raise DataError(
            f"{path.name} must hold votes; got a workbook without cells; check the export"
        )
    return made, others


def _top_of(path: Path, sheet: Any) -> list[list[str]]:
    """Texts of the first rows of a sheet that are filled, empty columns left out."""
    rows: list[tuple[Any, ...]] = []
    for row in _within(path, sheet.title, _rows(sheet, values_only=True)):
        if rows or any(cell is not None for cell in row):
            rows.append(row)
        if len(rows) == _LOOKED_AT:
            break
    width = max(map(len, rows), default=0)
    texts = [_texts_of(row, width) for row in rows]
    kept = [k for k in range(width) if any(row[k] for row in texts)]
    return [[row[k] for k in kept] for row in texts]


def _with_same_header(tops: Mapping[str, Sequence[Sequence[str]]]) -> list[str]:
    """Titles of the sheets to be read: those with the columns of the first that is more than a cover."""
    usual = {
        t: sorted(sum(map(bool, row)) for row in rows)[len(rows) // 2] for t, rows in tops.items()
    }
    if not tops:
        return []
    wide = [t for t in tops if usual[t] > 2 and len(tops[t]) > 1]
    first = next(iter(tops))
    first = wide[0] if usual[first] <= 2 and wide else first
    header = {name.casefold() for name in headings(tops[first])[1]} - {""}
    alike = [
        title
        for title, rows in tops.items()
        if len(rows) > 1 and {name.casefold() for name in headings(rows)[1]} - {""} == header
    ]
    return alike if len(header) > 1 and first in alike else [first]


def _sheet(path: Path, values: Any, formulas: Any) -> _Sheet:
    """Rows of a sheet from the first with a cell on."""
    rows = list(_within(path, values.title, _rows(values, values_only=True)))
    top = next((k for k, row in enumerate(rows) if any(c is not None for c in row)), len(rows))
    for (at, position), cell in _uncomputed(rows, _rows(formulas)).items():
        top = min(top, at)
        own = [*rows[at], *([None] * (position + 1 - len(rows[at])))]
        own[position] = _Formula.at(cell)
        rows[at] = tuple(own)
    merged = {
        (row - top, column): (first - top, column)
        for first, last, column in _merged_down(path, values)
        for row in range(first + 1, last + 1)
    }
    return _Sheet(values.title, rows[top:], merged, top)


_MERGED = re.compile(
    rb'<(?:\w+:)?mergeCell\s[^>]*?ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"'
)


def _merged_down(path: Path, sheet: Any) -> Iterator[tuple[int, int, int]]:
    """First and last row, from 0 on, and first column of cells that are merged over several rows."""
    from openpyxl.utils import column_index_from_string

    # what openpyxl does not read where it reads row by row
    inside = str(getattr(sheet, "_worksheet_path", "")).lstrip("/")
    with zipfile.ZipFile(path) as archive:
        if inside not in archive.namelist():
            return
        tail = b""
        with archive.open(inside) as stream:
            while block := stream.read(_BLOCK):
                tail = tail[-64:] + block if b"sheetData>" not in tail[:-64] else tail + block
    for left, first, _, last in _MERGED.findall(tail):
        if int(last) > int(first) and int(last) <= _MOST_ROWS:
            yield int(first) - 1, int(last) - 1, column_index_from_string(left.decode()) - 1


def _rows(sheet: Any, **how: bool) -> Iterator[tuple[Any, ...]]:
    """Yield all rows of a sheet, whatever size it says it has: writers get that wrong."""
    sheet.reset_dimensions()
    return map(tuple, sheet.iter_rows(**how))


def _within(path: Path, title: str, rows: Iterator[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Yield rows while they are no more than a sheet can have."""
    n_cells = 0
    for number, row in enumerate(rows, start=1):
        n_cells += len(row)
        if number > _MOST_ROWS or n_cells > _MOST_CELLS:
            raise DataError(
                f"a sheet of {path.name} must have at most {_MOST_ROWS} rows and {_MOST_CELLS} cells; "
                f"{title!r} has more; save it as CSV"
            )
        yield row


def _uncomputed(
    rows: list[tuple[Any, ...]], formulas: Iterator[tuple[Any, ...]]
) -> dict[tuple[int, int], str]:
    """Cells with a formula but no stored value, by row and column: they would read as votes not given."""
    return {
        (row, position): cell.coordinate
        for row, (values, cells) in enumerate(zip(rows, formulas, strict=False))
        for position, (value, cell) in enumerate(zip(values, cells, strict=False))
        if value is None and getattr(cell, "data_type", "") == "f"
    }


def _tables_on(path: Path, sheet: _Sheet) -> list[_Part]:
    """Tables on a sheet: one, or several with the same columns below or beside each other.

    Columns that are empty from top to bottom, such as those that set others apart, are left out.
    """
    width = max(map(len, sheet.rows))
    texts = [_texts_of(row, width) for row in sheet.rows]
    bands = _bands([[bool(row[k]) for row in texts] for k in range(width)])
    beside, shared = _same_beside(texts, bands)
    if len(beside) > 1:
        sides = [sorted([*shared, *band]) for band in beside]
        heads = [_header_at([[row[k] for k in band] for row in texts]) for band in beside]
        parts = [
            replace(
                part, title=_title_over(texts, band, head) or f"table {number}", own=tuple(band)
            )
            for number, (columns, band, head) in enumerate(
                zip(sides, beside, heads, strict=True), 1
            )
            for part in [_part(path, sheet, texts, columns, head, len(texts))]
        ]
        return [_of_own_cells(texts, part) for part in parts]
    bands, left = _without_legends(texts, bands)
    columns = sorted(k for band in bands for k in band)
    again = _header_again([[row[k] for k in columns] for row in texts])
    ends = [*again[1:], len(texts)]
    parts = []
    for number, (at, end) in enumerate(zip(again, ends, strict=True), 1):
        own = _title_over(texts, columns, at) if len(again) > 1 else ""
        below = _title_over(texts, columns, end) if end < len(texts) else ""
        part = _part(path, sheet, texts, columns, at, end - bool(below))
        parts.append(replace(part, title=own or f"table {number}"))
    return [replace(parts[0], notes=(*parts[0].notes, *left)), *parts[1:]]


def _part(
    path: Path,
    sheet: _Sheet,
    texts: Sequence[Sequence[str]],
    columns: Sequence[int],
    start: int,
    end: int,
) -> _Part:
    """Table in some columns, whose headings or names begin in row `start`, up to row `end`."""
    own = [[row[k] for k in columns] for row in texts[start:end]]
    above, header = headings(own[:_LOOKED_AT])
    names = list(header) if above else own[0]
    while names and not names[-1]:
        names.pop()
    names = distinct_names(names)
    last = above + 1 + rows_of_data(own[above + 1 :], names)
    notes: tuple[str, ...] = ()
    if above + start:
        notes += (below_headings(above + start),)
    if last < len(own):
        notes += (left_below(own[last:]),)
    body = [at for at in range(above + 1, last) if any(own[at])]
    for at in body:
        if any(own[at][len(names) :]):
            raise DataError(
                f"every row of {path.name} must have {len(names)} cells like its header; row "
                f"{start + at + 1} of sheet {sheet.title!r} has more; name the column or clear the cell"
            )
    return _Part("", names, list(columns), [start + at for at in body], notes)


def _bands(filled: Sequence[Sequence[bool]]) -> list[list[int]]:
    """Columns side by side, parted by those that are empty from top to bottom."""
    bands: list[list[int]] = [[]]
    for position, column in enumerate(filled):
        if any(column):
            bands[-1].append(position)
        elif bands[-1]:
            bands.append([])
    return [band for band in bands if band]


def _header_at(rows: Sequence[Sequence[str]]) -> int:
    """The first row that is no title."""
    return next(
        (k for k, row in enumerate(rows) if sum(map(bool, row)) > 1 and not _is_title(row)), 0
    )


def _same_beside(
    texts: Sequence[Sequence[str]], bands: Sequence[list[int]]
) -> tuple[list[list[int]], list[int]]:
    """Bands of columns that have the same names in the same row, and the columns of the others."""
    heads: dict[tuple[int, tuple[str, ...]], list[list[int]]] = {}
    for band in bands:
        rows = [[row[k] for k in band] for row in texts]
        at = _header_at(rows)
        if len(band) > 1 and _are_names(rows[at], rows[at + 1 : at + _LOOKED_AT]):
            heads.setdefault((at, tuple(n.casefold() for n in rows[at])), []).append(band)
    same = max(heads.values(), key=len, default=[])
    return same, [k for band in bands if band not in same for k in band]


def _title_over(texts: Sequence[Sequence[str]], columns: Sequence[int], at: int) -> str:
    """The only cell of the row above some columns' names, "" where there is none such."""
    above = [texts[at - 1][k] for k in columns if texts[at - 1][k]] if at else []
    return above[0] if len(above) == 1 else ""


def _of_own_cells(texts: Sequence[Sequence[str]], part: _Part) -> _Part:
    """Part without rows in which only columns are filled that it shares with others."""
    return replace(part, rows=[at for at in part.rows if any(texts[at][k] for k in part.own)])


def _header_again(rows: Sequence[Sequence[str]]) -> list[int]:
    """Rows that hold the names of the columns, those above more tables too; the first row where it is one."""
    at = _header_at(rows)
    again = [k for k in range(at + 1, len(rows)) if list(rows[k]) == list(rows[at])]
    between = [row for k, row in enumerate(rows[at + 1 :], at + 1) if k not in again]
    names = [name for name in rows[at] if name]
    only_names = len(names) > 1 and _are_names([n or "-" for n in rows[at]], between)
    return [at, *again] if again and only_names and len(set(names)) == len(names) else [0]


def _without_legends(
    texts: Sequence[Sequence[str]], bands: Sequence[list[int]]
) -> tuple[list[list[int]], tuple[str, ...]]:
    """Bands of columns without short lists beside the top of a table, which explain it, and notes on them."""
    last = {
        id(band): max(k for k, row in enumerate(texts) if any(row[j] for j in band))
        for band in bands
    }
    most = max(last.values())
    kept, notes = [], []
    for band in bands:
        rows = [[row[k] for k in band] for row in texts[: last[id(band)] + 1]]
        first = next(k for k, row in enumerate(rows) if any(row))
        body = rows[first + 1 :]
        each = [row[0] for row in body]
        listed = len(band) > 1 and len(body) > 1 and all(each) and len(set(each)) == len(each)
        if listed and 2 * last[id(band)] < most and not any(map(_FIGURE.fullmatch, each)):
            names = ", ".join(repr(name) for name in rows[first] if name)
            notes.append(
                Caution(
                    f"left out beside the table, as a legend: {names} ({how_many(len(body), 'row')})"
                )
            )
        else:
            kept.append(band)
    return (kept, tuple(notes)) if kept else ([*bands], ())


def _texts_of(row: tuple[Any, ...], width: int) -> list[str]:
    texts = ["" if cell is None else str(cell).strip() for cell in row]
    return texts + [""] * (width - len(texts))


def headings(rows: Sequence[Sequence[str]]) -> tuple[int, list[str]]:
    """How many rows of headings stand above the names of the columns, and the names.

    A title is a row of one cell, or of a word and what it is at the left; a row of groups has empty cells
    that the next row fills. The next row holds the names if they are words that no cell below them repeats;
    a group's name is put before them. What stands in one of both rows is a name by itself.
    """
    above = 0
    while above + 2 < len(rows) and _is_title(rows[above]):
        above += 1
    top = rows[above]
    if above + 2 < len(rows) and _have_groups(top, rows[above + 1]):
        names = [name or over for name, over in zip(rows[above + 1], top, strict=True)]
        if _are_names(names, rows[above + 2 :]):
            return above + 1, _grouped(top, rows[above + 1])
    if above and _are_names(top, rows[above + 1 :]):
        return above, list(top)
    return 0, list(rows[0])


def _is_title(row: Sequence[str]) -> bool:
    """Whether a row of a table of several columns has one cell, or two at the left."""
    filled = [position for position, cell in enumerate(row) if cell]
    return len(filled) <= 1 < len(row) - 1 or (len(row) > 4 and filled == [0, 1])


def _have_groups(top: Sequence[str], names: Sequence[str]) -> bool:
    """Whether a quarter of the cells of a row, two or more, are empty as those of merged cells are.

    One will do where the next row is empty just below what heads a single column.
    """
    if len(top) != len(names):
        return False
    empty = len(top) - sum(map(bool, top))
    below = any(not name and over for name, over in zip(names, top, strict=True))
    return (empty > 1 and 4 * empty >= len(top)) or (empty > 0 and below and any(names))


def _are_names(names: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether all cells of a row are words that no cell below them repeats; a mark may number the rows."""
    return all(
        name and len(name) <= 60 and not re.fullmatch(r"[-+]?[\d.,%]+", name) for name in names
    ) and not any(
        name.casefold() == cell.casefold()
        for row in below
        for name, cell in zip(names, row, strict=False)
    )


def _grouped(top: Sequence[str], names: Sequence[str]) -> list[str]:
    """Names with that of their group before them; what heads the first columns is left out."""
    group, first, named = "", True, list(names)
    for position, name in enumerate(names):
        first = first and (position == 0 or not top[position])
        group = top[position] or group
        if not name:  # a column with a heading of its own ends the group before it
            named[position], group = top[position], ""
        elif group and name != group and not (first and names.count(name) == 1):
            named[position] = f"{group}/{name}"
    return named


# --- Totals and remarks below a table, which are no rows of it.


_MOST_BELOW = 20  # rows at the end among which totals and remarks are looked for

_TOTALS = re.compile(
    r"\W*(?:grand |sub-?)?(?:totals?|sums?|mean|average|avg|median|count|summe|gesamt|mittelwert|mittel|"
    r"durchschnitt|anzahl|moyenne|somme|media|promedio|suma|totale|totaal|gemiddelde)\b"
    r"|\W*(?:合计|合計|总计|總計|小计|小計|平均|汇总|计数|합계|평균)",
    re.IGNORECASE,
)
_REMARK = re.compile(
    r"(?:notes?|n\.?b\.?|source|legend|comments?|remarks?|hinweis|anmerkung(?:en)?|bemerkung|nota|legende|"
    r"remarque|quelle|备注|注|说明|注記|備考|비고)\s*[:：]|[*†‡※] ?\w",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"[-+$€£]?\s?[\d.,]*\d[\d.,]*\s?%?|=.*|\d+ ?/ ?\d+|#\w+[/!?]?\w*[!?]?")
"""A number, a share, a formula that was not computed or that failed."""


def rows_of_data(rows: Sequence[Sequence[str]], names: Sequence[str] = ()) -> int:
    """How many rows from the top are data: totals and remarks at the end are none, nor what is below them.

    Totals are numbers beside at most one word, where a column that every row fills is empty; they stand
    among words, are said to be totals, or are set off by an empty row.
    """
    end, fewest = len(rows), max(len(rows) - _MOST_BELOW, (len(rows) + 1) // 2)
    while end > fewest and (not any(rows[end - 1]) or _may_be_below(rows[end - 1])):
        end -= 1
    if (apart_from := _set_apart(rows, names)) < end:
        return apart_from
    if end < 2 or end == len(rows):
        return len(rows)
    body = [row for row in rows[:end] if any(row)]
    columns = [[row[k] for row in body if k < len(row)] for k in range(max(map(len, body)))]
    usual = sorted(sum(map(bool, row)) for row in body)[len(body) // 2]
    apart = False
    for position in range(end, len(rows)):
        row = rows[position]
        apart = apart or not any(row)
        if any(row) and (_is_total(row, columns, apart) or _is_remark(row, columns, usual)):
            return _last_filled(rows[:position])
    last = _last_filled(rows)
    return last if any(map(all, columns)) else len(rows)


def _set_apart(rows: Sequence[Sequence[str]], names: Sequence[str]) -> int:
    """How many rows are data before a small list below an empty row, which is about the table itself.

    So are a legend of its labels and a summary of its judges, as cells name them: no row of it fills more
    than half the columns that usual rows do, and none those that all others do.
    """
    for end in range(len(rows) // 2, len(rows)):
        below = [row for row in rows[end + 1 :] if any(row)] if not any(rows[end]) else []
        body = [row for row in rows[:end] if any(row)]
        if not below or not body:
            continue
        usual = sorted(sum(map(bool, row)) for row in body)[len(body) // 2]
        if max(sum(map(bool, row)) for row in below) > usual / 2:
            continue
        columns = [[row[k] for row in body if k < len(row)] for k in range(max(map(len, body)))]
        words = {name.casefold() for name in names}
        words |= {c.casefold() for cells in columns if _holds_labels(cells) for c in cells if c}
        first = [next(filter(None, row)).casefold() for row in below]
        empty = any(
            all(cells) and not any(row[k] for row in below) for k, cells in enumerate(columns)
        )
        if len(below) > 1 and empty and not words.isdisjoint(first):
            return _last_filled(rows[:end])
    return len(rows)


def _last_filled(rows: Sequence[Sequence[str]]) -> int:
    """How many rows there are without empty ones at the end."""
    return next((k for k in range(len(rows), 0, -1) if any(rows[k - 1])), 0)


def _may_be_below(row: Sequence[str]) -> bool:
    """Whether a row has a word or two and numbers alone, or words alone that say they are a remark."""
    words = [cell for cell in row if cell and not _FIGURE.fullmatch(cell)]
    filled = sum(map(bool, row))
    return len(row) > 2 and (
        len(words) <= 1
        or bool(_TOTALS.match(words[0]))
        or (filled <= 3 and 2 * filled < len(row) and bool(_REMARK.match(words[0])))
    )


def _is_total(row: Sequence[str], columns: Sequence[Sequence[str]], apart: bool) -> bool:
    words = [cell for cell in row if cell and not _FIGURE.fullmatch(cell)]
    figures = [k for k, cell in enumerate(row) if cell and _FIGURE.fullmatch(cell)]
    if not figures or len(words) > 1 or any(k >= len(columns) for k in figures):
        return False
    gap = any(all(cells) and not row[k] for k, cells in enumerate(columns) if k < len(row))
    among_words = sum(_holds_labels(columns[k]) for k in figures)
    named = bool(words) and _TOTALS.match(words[0]) is not None
    odd = named and all(map(_FIGURE.fullmatch, filter(None, columns[row.index(words[0])])))
    if named and (apart or gap or odd or among_words):
        return True
    formulas = apart and any(row[k].startswith("=") for k in figures)
    return gap and (among_words > 1 or (apart and among_words == 1) or formulas)


def _holds_labels(cells: Sequence[str]) -> bool:
    """Whether a column holds words, no numbers, which come again."""
    filled = [cell for cell in cells if cell]
    again = 2 * len(set(filled)) <= len(filled)
    return again and bool(filled) and not any(map(_FIGURE.fullmatch, filled))


def _is_remark(row: Sequence[str], columns: Sequence[Sequence[str]], usual: int) -> bool:
    filled = [k for k, cell in enumerate(row) if cell]
    if len(filled) > 3 or usual < 3 or filled[0] > 1:
        return False
    text = row[filled[0]]
    if _REMARK.match(text):
        return 2 * len(filled) < len(row)
    if len(filled) > 2:
        return False
    cells = [cell for cell in columns[filled[0]] if cell] if filled[0] < len(columns) else []
    sentences = sum(len(cell.split()) > 2 for cell in cells)
    return len(filled) == 1 and len(text.split()) > 2 and 10 * sentences < max(1, len(cells))


def left_below(rows: Iterable[Sequence[str]]) -> Caution:
    """Sentence on rows of totals and remarks that are left out."""
    said = [next(filter(None, row)) for row in rows if any(row)]
    if not said:
        return Caution("left out below the table: empty rows")
    listed = ", ".join(repr(text if len(text) <= 40 else f"{text[:37]}...") for text in said[:4])
    more = f", ... ({len(said)} in all)" if len(said) > 4 else ""
    return Caution(
        f"left out below the table, as totals and remarks: {how_many(len(said), 'row')} ({listed}{more})"
    )


def distinct_names(names: Iterable[str]) -> list[str]:
    """Names of columns: one without a name is 'Unnamed: K', as its place says, a second 'a' is 'a.1'."""
    named = [name or f"Unnamed: {position}" for position, name in enumerate(names)]
    fields: dict[str, None] = {}
    for name in named:
        new, k = name, 0
        while new in fields or (k and new in named):
            k += 1
            new = f"{name}.{k}"
        fields[new] = None
    return list(fields)


# --- A file opened in DuckDB: what all formats share, and DuckDB's complaints as sentences of ours.


@dataclass(frozen=True, slots=True)
class Opened:
    """A file ready to query: `relation` goes after FROM, `cells` gives each column's SQL."""

    path: Path
    connection: duckdb.DuckDBPyConnection
    relation: str
    cells: dict[str, str]
    json: bool
    note: str
    nested: frozenset[str] = frozenset()  # columns of lists or objects, whose cells are no votes
    more_notes: tuple[str, ...] = ()
    kept: Any = None  # what must live as long as the file is read, such as a temporary folder
    pointers: Mapping[str, str] = field(
        default_factory=dict
    )  # where a column is in an object of JSON

    def check_plain(self, name: str) -> None:
        """Refuse a column of lists or objects."""
        if name in self.nested:
            raise nested_cells(name)


def nested_cells(name: str) -> DataError:
    """Complaint about a column of lists or objects."""
    return DataError(
        f"column {name!r} must hold one plain value per cell; got lists or objects; "
        f"flatten it or leave it out with {option('judges')}"
    )


_CONNECTIONS: WeakSet[duckdb.DuckDBPyConnection] = WeakSet()


def connect() -> duckdb.DuckDBPyConnection:
    """Private in-memory DuckDB that never downloads anything."""
    import duckdb

    settings: dict[str, Any] = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "temp_directory": spill_folder(),
    }
    connection = duckdb.connect(":memory:", config=settings)
    # a notebook without ipywidgets refuses the setting; no bar is drawn there anyway
    with suppress(duckdb.InvalidInputException):
        connection.execute("SET enable_progress_bar = false")
    _CONNECTIONS.add(connection)
    return connection


@cache
def spill_folder() -> str:
    """Folder of this process for what does not fit in memory: of a name nobody can guess, gone at its end."""
    folder = tempfile.mkdtemp(prefix="algeval-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def shut_in(connection: duckdb.DuckDBPyConnection) -> None:
    """Leave a connection what is attached and what spills: a view may name any file, or the environment."""
    connection.execute(f"SET allowed_directories = [{sql_text(spill_folder())}]")
    connection.execute("SET python_enable_replacements = false")
    connection.execute("SET enable_external_access = false")  # which no query can take back


def interrupt_queries() -> None:
    """End the queries that run now in other threads."""
    for connection in list(_CONNECTIONS):
        connection.interrupt()


def watched_query(
    connection: duckdb.DuckDBPyConnection, query: str
) -> AbstractContextManager[object]:
    """Context for one query, which says what share of the rows DuckDB has seen."""
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
    """Column name as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def sql_text(text: str) -> str:
    """Text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def _no_room(path: Path, text: str) -> DataError:
    """Complaint about too little memory, or disk for what does not fit in it."""
    first = text.splitlines()[0]
    if "offload" in first or "No space left" in text:
        return DataError(
            f"counting {path.name} must have room on disk for what does not fit in memory; got {first!r}; "
            f"free some of the temporary folder, {tempfile.gettempdir()}"
        )
    return DataError(
        f"counting {path.name} must have room in memory; got {first!r}; free some, raise the limit of "
        "memory, or name fewer judges"
    )


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
        return _no_room(path, text)
    complaint = None if _is_binary(path) else not_utf8(path)
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


def _is_binary(path: Path) -> bool:
    """Whether a file is Parquet or a database, which hold more than text."""
    with path.open("rb") as stream:
        head = stream.read(16)
    return head[:4] == b"PAR1" or head[8:12] == b"DUCK" or head == b"SQLite format 3\0"


def is_packed(path: Path) -> bool:
    """Whether a file is gzip, whatever its name."""
    with path.open("rb") as stream:
        return stream.read(2) == b"\x1f\x8b"


_MOST_FOR_NOTHING = 1 << 28  # bytes that a small file may unpack to
_MOST_PER_BYTE = 200
"""Unpacked bytes per packed one; of votes there are 5 to 50, of a bomb a thousand."""


class _Unpacked(io.RawIOBase):
    """The bytes of a gzip file, refused where they are too many for what they are packed in."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._packed = path.open("rb")
        self._stream = gzip.GzipFile(fileobj=self._packed)
        self._most = max(_MOST_FOR_NOTHING, _MOST_PER_BYTE * path.stat().st_size)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def readinto(self, buffer: Any) -> int:
        block = self._stream.read(len(buffer))
        buffer[: len(block)] = block
        if self._stream.tell() > self._most:
            raise DataError(
                f"{self._path.name} must unpack to at most {self._most >> 20} MB, {_MOST_PER_BYTE} times its "
                "size; got more, which is next to nothing again and again; unpack it first to read it anyway"
            )
        return len(block)

    def close(self) -> None:
        self._stream.close()
        self._packed.close()
        super().close()


def unpacked(path: Path) -> IO[bytes]:
    """Open a file for reading, unpacked if it is gzip."""
    if not is_packed(path):
        return path.open("rb")
    return io.BufferedReader(_Unpacked(path), 1 << 20)


def not_utf8(path: Path) -> DataError | None:
    """Complaint about the first byte that is not UTF-8, None if there is none."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    done = 0
    with unpacked(path) as stream:
        while True:
            pending = len(decoder.getstate()[0])
            chunk = stream.read(1 << 20)
            try:
                decoder.decode(chunk, final=not chunk)
            except UnicodeDecodeError as error:
                offset = done - pending + error.start
                return DataError(
                    f"{path.name} must be UTF-8 text; got byte 0x{error.object[error.start]:02x} at "
                    f"position {offset} (another encoding, such as Windows-1252 or GBK?); save it as "
                    "UTF-8 (in a spreadsheet: as 'CSV UTF-8')"
                )
            if not chunk:
                return None
            done += len(chunk)


def read_call(function: str, path: Path | Sequence[Path], *options: str) -> str:
    """DuckDB table function call; brackets and stars in a path are no patterns."""
    named = _escaped(path) if isinstance(path, Path) else f"[{', '.join(map(_escaped, path))}]"
    return f"{function}({', '.join([named, *options])})"


def _escaped(path: Path) -> str:
    return sql_text(re.sub(r"([*?\[])", r"[\1]", utf8(path)))


def utf8(path: Path) -> str:
    """Path as DuckDB wants it, whatever the locale has made of its letters."""
    # absolute, as a name like postgres:x or file:/x is an address to DuckDB
    try:
        return os.fsencode(path.absolute()).decode("utf-8")
    except UnicodeError:
        raise DataError(
            f"a file's path must be UTF-8; got {str(path)!a}; rename the file or its folder"
        ) from None


# --- A table of a SQLite file, copied into DuckDB as text.


_BLOCK_OF_SQLITE_FILE = 50_000  # rows copied at once
PATIENCE = 1.0  # seconds for counting the tables that a sentence lists: a view may take for ever
_LONGEST_CELL = 1 << 26  # bytes; a view can make a cell of a billion out of nothing
_STEPS = 1_000_000  # of SQLite's machine, between two looks at the clock
_TABLES = (
    "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' "
    "ESCAPE '\\' ORDER BY type, name"
)


def open_sqlite(path: Path, table: str | None) -> Opened:
    """Open a table or view of a SQLite file, read only."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as source:
            source.execute("PRAGMA trusted_schema = OFF")
            source.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_CELL)
            # looking at the clock lets Python hear Ctrl-C, which SQLite makes an error of its own
            source.set_progress_handler(lambda: False, _STEPS)
            tables = [str(name) for (name,) in source.execute(_TABLES).fetchall()]
            name = choose_table(path.name, tables, table, lambda some: _counted(source, some))
            return _copied(path, source, name)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        if str(error) == "interrupted":
            raise KeyboardInterrupt from None
        raise DataError(
            f"{path.name} must be a SQLite file that can be read; got {str(error)!r}; check the file, and "
            "copy one that is in use with what lies beside it (-wal)"
        ) from None
    except MemoryError:
        raise DataError(
            f"the rows of {path.name} must fit in memory; got more; leave long texts out with a smaller table"
        ) from None


def _counted(source: sqlite3.Connection, tables: Sequence[str]) -> list[int | None]:
    """Rows of tables, None of what is gone or takes too long to count."""
    counted: list[int | None] = []
    end = monotonic() + PATIENCE
    source.set_progress_handler(lambda: monotonic() > end, _STEPS)
    for table in tables:
        counted.append(None)
        with suppress(sqlite3.Error):
            counted[-1] = source.execute(f"SELECT count(*) FROM {quoted(table)}").fetchone()[0]
    return counted


def _copied(path: Path, source: sqlite3.Connection, name: str) -> Opened:
    rows = source.execute(f"SELECT * FROM {quoted(name)}")
    columns = [str(column[0]) for column in rows.description]
    if len(set(columns)) < len(columns):
        raise DataError(
            f"column names of {name!r} in {path.name} must be distinct; got {columns}; rename them"
        )
    aliases = [f"c{position}" for position in range(len(columns))]
    connection = connect()
    connection.execute(f"CREATE TABLE copied ({', '.join(f'{p} VARCHAR' for p in aliases)})")
    binary: set[str] = set()
    while block := rows.fetchmany(_BLOCK_OF_SQLITE_FILE):
        for column, held in zip(columns, zip(*block, strict=True), strict=True):
            if any(isinstance(cell, bytes) for cell in held):
                binary.add(column)
        _add(connection, aliases, block)
    cells = dict(zip(columns, aliases, strict=True))
    note = f"{path.name} read as a SQLite file, table {name!r}"
    return Opened(path, connection, "copied", cells, False, note, frozenset(binary))


def _add(
    connection: duckdb.DuckDBPyConnection, aliases: list[str], block: list[tuple[Any, ...]]
) -> None:
    columns = {}
    for alias, cells in zip(aliases, zip(*block, strict=True), strict=True):
        columns[alias] = np.empty(len(block), object)
        columns[alias][:] = [None if isinstance(cell, bytes) else plain(cell) for cell in cells]
    connection.register("block", columns)
    listed = ", ".join(f"CAST({alias} AS VARCHAR)" for alias in aliases)
    connection.execute(f"INSERT INTO copied SELECT {listed} FROM block")
    connection.unregister("block")


# --- Open Parquet in DuckDB, every cell as text; numbered classes get their names back.


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
    cells, nested = _cells(kinds)
    whole = {name for name, kind in kinds.items() if "INT" in kind} - nested
    named = {name: names for name, names in classes.items() if name in whole}
    cells |= {name: _class_as_text(name, names) for name, names in named.items()}
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
        row = connection.execute(f"SELECT count(DISTINCT k) FROM ({query}) t(k)").fetchone()
        if row and row[0] > 1:
            raise DataError(
                f"files that are parts of one table must have the same {what}; {paths[0].name} and "
                f"{len(paths) - 1} more differ in them; write them alike, or read them one by one"
            )


def is_nested(kind: str) -> bool:
    """Whether a type of DuckDB is a list or an object."""
    return kind.endswith("]") or kind.startswith(("STRUCT", "MAP", "UNION"))


def _cells(kinds: Mapping[str, str]) -> tuple[dict[str, str], frozenset[str]]:
    """SQL of each column as text, and which columns are nested."""
    nested = frozenset(name for name, kind in kinds.items() if is_nested(kind))
    cells = {name: cell_as_text(name, kind) for name, kind in kinds.items()}
    return cells | dict.fromkeys(nested, "CAST(NULL AS VARCHAR)"), nested


def _class_names(path: Path, connection: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    """Return {column: its class names} as Hugging Face data sets write them into the file."""
    query = f"SELECT value FROM {read_call('parquet_kv_metadata', path)} WHERE key = 'huggingface'"
    rows = connection.execute(query).fetchall()
    try:
        features = json.loads(bytes(rows[0][0]))["info"]["features"] if rows else {}
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
    """SQL that gives a numbered class its name, and -1 none."""
    column = quoted(name)
    cases = " ".join(f"WHEN {code} THEN {sql_text(text)}" for code, text in enumerate(names))
    return f"CASE {column} WHEN -1 THEN NULL {cases} ELSE CAST({column} AS VARCHAR) END"


def cell_as_text(name: str, kind: str) -> str:
    """SQL that spells a typed column as the text a reader expects."""
    column = quoted(name)
    if kind == "BOOLEAN":
        return f"CASE WHEN {column} THEN 'True' WHEN NOT {column} THEN 'False' END"
    if kind in ("DOUBLE", "FLOAT"):
        whole = f"isfinite({column}) AND {column} = trunc({column}) AND abs({column}) < 1e15"
        text = f"CASE WHEN isnan({column}) THEN NULL ELSE CAST({column} AS VARCHAR) END"
        return f"CASE WHEN {whole} THEN CAST(CAST({column} AS BIGINT) AS VARCHAR) ELSE {text} END"
    return f"CAST({column} AS VARCHAR)"


# --- Open JSON lines, or a list of JSON objects, in DuckDB.


_BOM = codecs.BOM_UTF8


def open_json(path: Path) -> Opened:
    """Open JSON lines or one list of objects; the names are all keys seen."""
    import duckdb

    _check_closed(path)
    connection = connect()
    options = ["compression='gzip'"] if is_packed(path) else []
    relation = read_call("read_json_objects", path, "format='auto'", *options)
    try:
        names, plain = _names(path, connection, relation)
        pointers = {name: _pointer(name) for name in names}
        if not plain:
            pointers = _fields(connection, relation, pointers)
    except duckdb.Error as error:
        raise one_sentence(path, error) from None
    cells = {
        name: f"nullif(CAST(json -> {sql_text(pointer)} AS VARCHAR), 'null')"
        for name, pointer in pointers.items()
    }
    note = f"{path.name} read as JSON lines"
    return Opened(path, connection, relation, cells, True, note, pointers=pointers)


def open_rows(path: Path, rows: Sequence[Mapping[str, object]], note: str) -> Opened:
    """Open objects found in a file by a copy of theirs, one a line."""
    folder = _Folder()
    copy = folder.path / "rows.jsonl"
    with copy.open("w", encoding="utf-8") as lines:
        lines.writelines(f"{json.dumps(row, default=str)}\n" for row in rows)
    opened = open_json(copy)
    return replace(opened, path=path, note=note, kept=(folder, opened.kept))


def columns_of(
    cells: Mapping[str, str], relation: str, pointers: Mapping[str, str], names: Iterable[str]
) -> str:
    """SQL that selects some columns as c0, c1, ...; an object of JSON is parsed once for all of them."""
    if not pointers:
        listed = ", ".join(f"{cells[name]} AS c{k}" for k, name in enumerate(names))
        return f"SELECT {listed} FROM {relation}"
    paths = [sql_text(pointers[name]) for name in names]
    listed = ", ".join(
        f"nullif(CAST(f[{k + 1}] AS VARCHAR), 'null') AS c{k}" for k in range(len(paths))
    )
    return f"SELECT {listed} FROM (SELECT json_extract(json, [{', '.join(paths)}]) AS f FROM {relation})"


_DEEPEST = 4  # objects in objects whose fields become columns


def _fields(
    connection: duckdb.DuckDBPyConnection, relation: str, pointers: dict[str, str], depth: int = 1
) -> dict[str, str]:
    """Return {name: pointer}; the fields of an object are columns of their own, as 'scores.gpt'.

    A pointer, as a JSON path would read dots and quotes in names as syntax.
    """
    if not pointers:
        return {}
    paths = ", ".join(map(sql_text, pointers.values()))
    kinds = ", ".join(
        f"bool_or(k[{n}] = 'OBJECT') AND NOT bool_or(k[{n}] NOT IN ('OBJECT', 'NULL'))"
        for n in range(1, len(pointers) + 1)
    )
    row = connection.execute(
        f"SELECT {kinds} FROM (SELECT json_type(json, [{paths}]) AS k FROM {relation})"
    ).fetchall()[0]
    cells: dict[str, str] = {}
    for (name, pointer), are_objects in zip(pointers.items(), row, strict=True):
        if not are_objects or depth == _DEEPEST:
            cells[name] = pointer
            continue
        keys = f"SELECT DISTINCT unnest(json_keys(json, {sql_text(pointer)})) AS k FROM {relation}"
        first = f"SELECT json_keys(json, {sql_text(pointer)}) AS k FROM {relation}"
        ordered = connection.execute(f"SELECT k FROM ({first}) WHERE k IS NOT NULL LIMIT 1")
        fields = [str(key) for key in (ordered.fetchall() or [[()]])[0][0]]
        fields += sorted({str(key) for (key,) in connection.execute(keys).fetchall()} - set(fields))
        inner = {f"{name}.{key}": f"{pointer}{_pointer(key)}" for key in dict.fromkeys(fields)}
        taken = cells.keys() | pointers.keys()
        inside = _fields(connection, relation, inner, depth + 1)
        cells |= {free_name(field, taken): at for field, at in inside.items()} or {name: pointer}
    return cells


def _names(
    path: Path, connection: duckdb.DuckDBPyConnection, relation: str
) -> tuple[list[str], bool]:
    """All keys, those of the first object first, and whether no object is seen to have objects in it.

    An object with one key twice is refused.
    """
    keys = f"SELECT json_keys(json) AS keys FROM {relation}"
    first = connection.execute(f"{keys} LIMIT 1").fetchall()
    if first and first[0][0] and len(set(first[0][0])) == len(first[0][0]):
        alike = f"json_keys(json) = [{', '.join(map(sql_text, first[0][0]))}]"
        inner = "CAST(json AS VARCHAR) LIKE '%{%{%'"
        row = connection.execute(
            f"SELECT bool_and({alike}), bool_or({inner}) FROM {relation}"
        ).fetchall()[0]
        if row[0]:
            return [str(name) for name in first[0][0]], not row[1]
    every = [
        list(keys or ())
        for (keys,) in connection.execute(f"SELECT DISTINCT * FROM ({keys})").fetchall()
    ]
    if not all(every):  # an empty object, or none
        kinds = connection.execute(f"SELECT DISTINCT json_type(json) FROM {relation}").fetchall()
        _check_objects(path, [str(row[0]) for row in kinds])
    twice = next((keys for keys in every if len(set(keys)) < len(keys)), None)
    if twice is not None:
        name = next(key for key in twice if twice.count(key) > 1)
        raise DataError(
            f"every object of {path.name} must have a key once; got {str(name)!r} twice in one; keep the "
            "right one"
        )
    ordered = [str(name) for name in first[0][0]] if first else []
    return ordered + sorted({str(name) for keys in every for name in keys} - set(ordered)), False


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
        with unpacked(path) as stream:  # to its end, as DuckDB does not mind how much that is
            opens = stream.read(1 << 12)
            last = b""
            while block := stream.read(1 << 20):
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


_LONGEST_LIST = 100_000  # letters of a list of one text


def decoded(name: str, values: Iterable[object], from_json: bool) -> tuple[object, ...]:
    """Distinct cells as values: JSON fragments are parsed, text stays text."""
    if not from_json:
        return tuple(values)
    return tuple(None if value is None else _parsed(name, str(value)) for value in values)


def _parsed(name: str, text: str) -> Any:
    if text[:1] in ("{", "["):
        deep = len(text) > _LONGEST_LIST or re.match(r"\{|\[\s*[\[{]", text)
        held = None if deep else json.loads(text)
        if not isinstance(held, list) or len(held) > 1:
            raise nested_cells(name)
        return held[0] if held else None  # a list of one is that one
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
    """Number a bare NaN stands for; Infinity is none."""
    if text != "NaN":
        raise ValueError(text)
    return math.nan


# --- What DuckDB leaves to us about lines: ends of two kinds, and lines longer than its buffer.


LONGEST_LINE = 2_000_000
"""Bytes; DuckDB's own limit, which it forgets beyond its buffer of 32 MB: it drops such a line."""

_BLOCK = 1 << 20


def too_long(path: Path, line: int | None = None) -> DataError:
    """Complaint about a line that is too long."""
    where = "" if line is None else f" near line {line}"
    return DataError(
        f"every line of {path.name} must be shorter than 2 MB; got a longer one{where}; leave long "
        "texts out of the table"
    )


def survey(path: Path) -> None:
    """Refuse a file with a line so long that DuckDB would drop it without a word."""
    if not is_packed(path) and path.stat().st_size < 4 * _BLOCK:
        return
    without = 0
    for block in _blocks(path):
        without = 0 if b"\n" in block or b"\r" in block else without + 1
        if without > 2:
            raise too_long(path)


def _blocks(path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file, unpacked, and say how many there were."""
    packed = is_packed(path)
    size = None if packed else path.stat().st_size
    with unpacked(path) as stream, counted("looking at the lines", size) as read:
        while block := stream.read(_BLOCK):
            yield block
            read.step(len(block))


class _Folder:
    """A temporary folder that lives as long as this object."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="algeval-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


def with_equal_line_ends(path: Path) -> tuple[Path, _Folder | None]:
    """File whose lines all end alike: this one, or a copy where it mixes CRLF and LF."""
    if not _mixed(path):
        return path, None
    folder = _Folder()
    copy = folder.path / "votes.csv"
    with unpacked(path) as source, copy.open("wb") as target:
        while block := source.read(_BLOCK):
            while block.endswith(b"\r") and (more := source.read(1)):
                block += more
            target.write(block.replace(b"\r\n", b"\n"))
    return copy, folder


def _mixed(path: Path) -> bool:
    """Whether some lines end in CRLF and some in LF alone."""
    both = alone = False
    last = b""
    for block in _blocks(path):
        ends, pairs = block.count(b"\n"), block.count(b"\r\n")
        pairs += last == b"\r" and block[:1] == b"\n"
        both, alone = both or pairs > 0, alone or ends > pairs
        if both and alone:
            break
        last = block[-1:]
    return both and alone


# --- Text that a spreadsheet saved in an encoding of its own.


_ENCODINGS = {
    "utf-16": "UTF-16",
    "cp1252": "Windows-1252",
    "cp932": "Shift-JIS",
    "cp1251": "Windows-1251",
}
_MOST_ENCODED = 1 << 27  # bytes of a file that is written anew as UTF-8
_SIGNS = frozenset(
    "\u20ac\u201a\u201e\u2026\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u00a0\u00a3\u00a7\u00ab\u00b0\u00b7\u00bb\u00bf\u00a1\u00ba\u00aa\u00b2\u00ae"
)


def _other_encoding(path: Path, head: bytes) -> str | None:
    """Encoding of text that is not UTF-8, where its letters leave no doubt."""
    if path.stat().st_size > _MOST_ENCODED:
        return None
    if head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return "utf-16"
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
        return None
    except UnicodeDecodeError:
        raw = b"".join(_blocks(path))
    if b"\0" in raw:
        return None
    kinds = (("cp932", _is_japanese), ("cp1252", _is_western), ("cp1251", _is_cyrillic))
    for encoding, fits in kinds:
        with suppress(UnicodeDecodeError):
            if fits(raw.decode(encoding)):
                return encoding
    return None


def _is_japanese(text: str) -> bool:
    """Whether it has kana, and none of half width, which Chinese would seem to have."""
    kana = sum("\u3041" <= c <= "\u30fe" for c in text)
    return kana > 2 and not any("\uff61" <= c <= "\uff9f" for c in text)


def _is_cyrillic(text: str) -> bool:
    """Whether 30 letters or more are Cyrillic, small, and as common as in words."""
    letters = [c for c in text if ord(c) > 127 and c.isalpha()]
    small = sum("\u0430" <= c <= "\u045f" for c in letters)
    common = sum(c in "\u043e\u0430\u0435\u0438\u043d\u0442\u0456" for c in letters)
    cyrillic = all("\u0401" <= c <= "\u0491" for c in letters)
    return (
        cyrillic
        and len(letters) >= 30
        and 4 * small >= 3 * len(letters)
        and 4 * common >= len(letters)
    )


def _is_western(text: str) -> bool:
    """Whether letters with marks stand one by one among plain ones, as Cyrillic or Greek would not."""
    others = [c for c in text if ord(c) > 127 and c not in _SIGNS]
    letters = sum(c.isalpha() for c in text)
    marked = all(
        "\u00c0" <= c <= "\u00ff" or c in "\u0152\u0153\u0160\u0161\u0178\u017d\u017e"
        for c in others
    )
    return marked and 5 * len(others) <= letters and not re.search("[\u00c0-\u00ff]{3}", text)


def _open_encoded(path: Path, encoding: str, kind: str) -> Opened:
    """Open delimited text of another encoding by a copy in UTF-8."""
    folder = _Folder()
    copy = folder.path / path.with_suffix(".tsv" if kind == "tsv" else ".csv").name
    try:
        text = b"".join(_blocks(path)).decode(encoding)
    except UnicodeDecodeError:
        raise DataError(
            f"{path.name} must be UTF-8 text; got broken {_ENCODINGS[encoding]}; save it as UTF-8"
        ) from None
    copy.write_bytes(text.encode())
    opened = open_csv(copy, copy.read_bytes()[: 1 << 18], kind)
    note = f"letters of {path.name} are read as {_ENCODINGS[encoding]}; it is not UTF-8"
    return replace(
        opened, path=path, more_notes=(*opened.more_notes, note), kept=(folder, opened.kept)
    )


# --- A table of a DuckDB file, queried where it lies.


_TABLES_OF_DUCKDB_FILE = (
    "SELECT table_schema, table_name FROM information_schema.tables WHERE table_catalog = 'votes_file' "
    "ORDER BY table_schema <> 'main', table_schema, table_name"
)


def open_duckdb(path: Path, table: str | None) -> Opened:
    """Open a table or view of a DuckDB file, read only; a view sees nothing but this file."""
    import duckdb

    connection = connect()
    try:
        where = sql_text(utf8(path))
        connection.execute(f"ATTACH {where} AS votes_file (READ_ONLY, TYPE duckdb)")
        connection.execute("USE votes_file")  # a view names the tables it reads without the file
        shut_in(connection)
        rows = connection.execute(_TABLES_OF_DUCKDB_FILE).fetchall()
        paths = {
            table
            if schema == "main"
            else f"{schema}.{table}": f"votes_file.{quoted(schema)}.{quoted(table)}"
            for schema, table in rows
        }
        name = choose_table(
            path.name,
            list(paths),
            table,
            lambda some: _counted_of_duckdb_file(
                connection, [paths[table_name] for table_name in some]
            ),
        )
        described = connection.execute(f"DESCRIBE SELECT * FROM {paths[name]}").fetchall()
    except duckdb.Error as error:
        raise _refusal(path, error) from None
    cells, nested = _cells(dict(row[:2] for row in described))
    note = f"{path.name} read as a DuckDB file, table {name!r}"
    return Opened(path, connection, paths[name], cells, False, note, nested)


def _counted_of_duckdb_file(
    connection: duckdb.DuckDBPyConnection, paths: Sequence[str]
) -> list[int | None]:
    import duckdb

    counted: list[int | None] = []
    end = monotonic() + PATIENCE
    for path in paths:
        clock = Timer(max(0.0, end - monotonic()), connection.interrupt)
        clock.start()
        try:
            row = connection.execute(f"SELECT count(*) FROM {path}").fetchone()
            counted.append(int(row[0]) if row else None)
        except duckdb.Error:  # a view of what is gone, or one that takes too long
            counted.append(None)
        finally:
            clock.cancel()
    return counted


def _refusal(path: Path, error: Exception) -> DataError:
    first = str(error).splitlines()[0]
    if "disabled by configuration" in first or "disabled through configuration" in first:
        return DataError(
            f"a view of {path.name} must read that file alone; got one that reads another or the "
            f"environment; export what it shows as Parquet, or name a table with {option('table')}"
        )
    if "lock" in first.lower() or "already attached" in first or "file handle" in first:
        return DataError(
            f"{path.name} must not be open elsewhere while it is read; another connection holds it; close "
            "that, or pass one of its relations, as con.table('votes')"
        )
    return DataError(
        f"{path.name} must be a DuckDB file that DuckDB can open; got {first[:200]!r}; check the file, or "
        "export the table as Parquet"
    )


# --- A table of a database's file, ready to query like any other.


def is_database(path: Path) -> bool:
    """Whether a file is a database of DuckDB or SQLite, by its first bytes."""
    return _kind(path) != ""


def _kind(path: Path) -> str:
    with path.open("rb") as stream:
        head = stream.read(16)
    if head == b"SQLite format 3\0":
        return "sqlite"
    return "duckdb" if head[8:12] == b"DUCK" else ""


def open_database(path: Path, table: str | None = None) -> Opened:
    """Open one table of a database, read only."""
    return open_sqlite(path, table) if _kind(path) == "sqlite" else open_duckdb(path, table)


# --- Open text with a delimiter in DuckDB: its delimiter, its column names, every cell as text.


_MOST_COLUMNS = 20_000  # DuckDB takes some seconds for so many, and the square of that for more
_DELIMITERS = (",", "\t", ";", "|")


def open_csv(path: Path, head: bytes, kind: str) -> Opened:
    """Open delimited text; the delimiter is the one that cuts the first line into most names."""
    delimiter, names, above, more = _header_of_csv_files(path, head, kind)
    survey(path)
    if len(names) == 1:
        # blank lines may be votes not given, or nothing
        with unpacked(path) as stream:
            text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace", newline="")
            for row in (reader := csv.reader(text)):
                if not "".join(row).strip():
                    raise DataError(
                        f"a table of one column must have no blank lines; {path.name} has one at line "
                        f"{reader.line_num}; write NA for a vote that is missing, else delete the line"
                    )
    # numbered names inside DuckDB, which takes "A" and "a" for one column
    spec = ", ".join(f"c{position}: 'VARCHAR'" for position in range(len(names)))
    options = [
        "auto_detect=false",
        "header=true",
        f"delim={sql_text(delimiter)}",
        "quote='\"'",
        "escape='\"'",
        f"columns={{{spec}}}",
        *([f"skip={above}"] if above else []),
    ]
    read, folder = with_equal_line_ends(path)
    if len(names) > 2 and (below := _below_table(read, delimiter, names, above)) is not None:
        read, folder, said = below
        more = (*more, said)
    if is_packed(read):
        options.append("compression='gzip'")
    relation = read_call("read_csv", read, *options)
    cells = {name: f"c{position}" for position, name in enumerate(names)}
    read_as = {",": "CSV", "\t": "TSV", ";": "CSV with semicolons", "|": "CSV with bars"}[delimiter]
    note = f"{path.name} read as {read_as}"
    return Opened(path, connect(), relation, cells, False, note, more_notes=more, kept=folder)


def _below_table(
    path: Path, delimiter: str, names: Sequence[str], above: int
) -> tuple[Path, _Folder, str] | None:
    """Copy of delimited text without the totals and remarks at its end, None where there are none."""
    size, width = path.stat().st_size, len(names)
    if is_packed(path) or size > _MOST_ENCODED:
        return None
    with path.open("rb") as stream:
        stream.seek(max(0, size - _BLOCK // 8))
        tail = stream.read().decode("utf-8", errors="replace")
    lines = tail.splitlines(keepends=True)[1 + (above if size <= _BLOCK // 8 else 0) :]
    whole = [line for line in lines[-4 * _MOST_BELOW :] if line.count('"') % 2 == 0]
    rows = [[cell.strip() for cell in _first_record(line, delimiter)] for line in whole]
    kept = [k for k, row in enumerate(rows) if len(row) <= width]
    data = rows_of_data([rows[k] + [""] * (width - len(rows[k])) for k in kept], names)
    if data == len(kept):
        return None
    rows, whole = rows[kept[data] :], whole[kept[data] :]
    text = "".join(whole)
    left = len(text.encode())
    if not text.strip() or not tail.endswith(text) or "\ufffd" in text:
        return None
    if _quotes(path, size - left) % 2:
        return None  # the end of a cell of several lines
    folder = _Folder()
    copy = folder.path / path.name
    with path.open("rb") as source, copy.open("wb") as target:
        target.write(source.read(size - left))
    return copy, folder, left_below(rows)


def _quotes(path: Path, size: int) -> int:
    """How many quotes there are in the first bytes of a file."""
    with path.open("rb") as stream:
        return stream.read(size).count(b'"')


def below_headings(above: int) -> str:
    """Sentence on rows above the names of the columns."""
    return f"column names are in row {above + 1}; {how_many(above, 'row')} above taken for headings"


def _header_of_csv_files(
    path: Path, head: bytes, kind: str
) -> tuple[str, list[str], int, tuple[str, ...]]:
    """Delimiter, the column names, how many more lines are no data, and a sentence on these."""
    text = head.removeprefix(codecs.BOM_UTF8).decode("utf-8", errors="replace")
    if not next(io.StringIO(text, newline="")).strip():
        raise DataError(f"{path.name} must start with its column names; got a blank first line")
    headers = {mark: _first_record(text, mark) for mark in _DELIMITERS}
    delimiter = max(_DELIMITERS, key=lambda mark: len(headers[mark]))
    if kind == "tsv" and len(headers["\t"]) > 1:
        delimiter = "\t"
    above, header = headings(_first_records(text, delimiter) or [headers[delimiter]])
    if len(headers[delimiter]) == 1 and (below := _below_title(text)) is not None:
        delimiter, above, header = below
    notes = (below_headings(above),) if above else ()
    imported = _rows_of_import(text, delimiter)
    if imported:
        above, notes = (
            imported,
            ("an export of Qualtrics: its rows of questions and import ids are left out",),
        )
    names = distinct_names(
        name.strip() for name in (header if above and not imported else headers[delimiter])
    )
    if "\ufffd" in "".join(names):
        raise not_utf8(path) or DataError(f"the header of {path.name} holds an invalid character")
    if not names:
        raise DataError(
            f"a name in the header of {path.name} must have at most {csv.field_size_limit()} characters; "
            "got a longer one; shorten it"
        )
    _check_names(path, names)
    return delimiter, names, above, notes


def _below_title(text: str) -> tuple[str, int, list[str]] | None:
    """Delimiter, lines above, and the names of columns where these stand below lines of one cell."""
    lines = text.splitlines()[:_LOOKED_AT]
    for mark in _DELIMITERS:
        widths = [len(_first_record(line, mark)) if line.strip() else 0 for line in lines]
        first = next((k for k, width in enumerate(widths) if width > 1), 0)
        if (
            0 < first < len(lines) - 2
            and widths[first] > 2
            and len({*widths[first : first + 3]}) == 1
        ):
            return mark, first, [cell.strip() for cell in _first_record(lines[first], mark)]
    return None


def _check_names(path: Path, names: list[str]) -> None:
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


def is_there(name: str) -> bool:
    """Whether a file or a folder has this name; False of a text that cannot be a name of one."""
    try:
        return bool(name.strip()) and Path(name).exists()
    except (OSError, ValueError):
        return False


def _rows_of_import(text: str, delimiter: str) -> int:
    """Rows under the names of an export of Qualtrics, its questions and its import ids; 0 for others."""
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        rows = [row for _, row in zip(range(3), lines, strict=False)]
    except csv.Error:
        return 0
    ids = [cell.lstrip() for row in rows[2:] for cell in row]
    ended = bool(ids) and lines.line_num == 3 and all(c.startswith('{"ImportId"') for c in ids)
    return 2 if ended else 0


def _first_records(text: str, delimiter: str) -> list[list[str]]:
    """First rows of delimited text, one a line; none where the first has no empty cell."""
    rows: list[list[str]] = []
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        for row in lines:
            if lines.line_num > len(rows) + 1 and len(rows) < 5:
                break  # a cell of several lines
            rows.append([cell.strip() for cell in row])
            if all(rows[0]) or len(rows) == _LOOKED_AT:
                break
    except csv.Error:
        return []
    return rows if rows and not all(rows[0]) else []


def first_line(path: Path, head: bytes) -> bytes:
    """Start of a file with its whole first line, however long its header is."""
    with unpacked(path) as stream:
        marks = (b"\n", b"\r")
        while not any(m in head and head[: head.index(m)].count(b'"') % 2 == 0 for m in marks):
            if len(head) > LONGEST_LINE:
                raise too_long(path, 1)
            stream.seek(0)
            longer = stream.read(4 * len(head))
            if len(longer) == len(head):
                return head
            head = longer
    return head


# --- Tell what a file is by looking, and open it in DuckDB with every cell as text.


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


def _refuse_binary(path: Path, head: bytes) -> None:
    """Refuse what is no text."""
    if head[:2] == b"PK":
        raise DataError(
            f"{path.name} must be text or Parquet; got a zip archive (an Excel workbook?); save it as CSV"
        )
    if head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        raise DataError(f"{path.name} must be UTF-8 text; got UTF-16; save it as UTF-8")
    if b"\0" in head:
        raise DataError(
            f"{path.name} must be text; got binary data (a zero byte at position {head.index(0)}); "
            f"is this the right file? else pass {option('format')}"
        )


def open_file(
    source: str | os.PathLike[str], *, format: str | None = None, table: str | None = None
) -> Opened:
    """File of votes, open; the format is its extension's, else found by looking."""
    path = _existing(source)
    if format == "xlsx":
        raise DataError(
            f"{path.name} must be an Excel workbook; got something else; leave {option('format')} out"
        )
    if format is None and is_database(path):
        return open_database(path, table)
    try:
        head = _head(path)
        kind = _kind_of_files(path, head, format)
        if kind == "parquet":
            return open_parquet(path)
        if kind != "json" and (encoding := _other_encoding(path, head)) is not None:
            return _open_encoded(path, encoding, kind)
        _refuse_binary(path, head)
        if not head.removeprefix(codecs.BOM_UTF8).strip():
            raise DataError(f"{path.name} must hold votes; got only blank lines; check the export")
        if kind == "json":
            return open_json(path)
        return open_csv(path, first_line(path, head), kind)
    except (zlib.error, EOFError, gzip.BadGzipFile) as error:
        raise DataError(
            f"{path.name} must be a whole gzip file; got a broken one ({error}); copy it again"
        ) from None


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
    with unpacked(path) as stream:
        return stream.read(size)


def _kind_of_files(path: Path, head: bytes, format: str | None) -> str:
    if format is not None:
        check_choice("format", format, _FORMATS)
        return "json" if format in ("json", "jsonl", "ndjson") else format
    if is_parquet(path):
        return "parquet"
    suffixes = [part.lower() for part in path.suffixes if part.lower() != ".gz"]
    kind = _BY_EXTENSION.get(suffixes[-1]) if suffixes else None
    if kind is not None:
        return kind
    text = head.removeprefix(codecs.BOM_UTF8).lstrip()
    return "json" if text[:1] in (b"{", b"[") else "csv"


def is_document(source: str | os.PathLike[str]) -> bool:
    """Whether a file is one of the JSON documents this package writes, not a table of votes."""
    path = Path(source)
    if path.suffix.lower() == ".parquet" or not path.is_file():
        return False
    with path.open("rb") as stream:
        head = stream.read(1 << 16).removeprefix(codecs.BOM_UTF8).lstrip()
    return head[:1] == b"{" and b'"schema"' in head and b'"algeval.' in head
