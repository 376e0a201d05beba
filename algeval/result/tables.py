"""Tables of a result: text, markdown, frames."""

from __future__ import annotations

import dataclasses
import html
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from importlib.util import find_spec
from itertools import islice
from typing import Any, ClassVar

from algeval.errors import DataError
from algeval.result import files
from algeval.result.numbers import Quadratic, did_you_mean, visible

# --- Cells of tables: plain values for frames and files, a few characters for people.


def plain_column(column: Sequence[Any]) -> list[Any]:
    """Cells that every library takes: of one kind, with None where there is nothing."""
    cells = [_plain(cell) for cell in column]
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds <= {int, float} and float in kinds:
        return [None if cell is None else float(cell) for cell in cells]
    if len(kinds) > 1:
        return [None if cell is None else str(cell) for cell in cells]
    return cells


def _plain(cell: Any) -> Any:
    if hasattr(cell, "item"):  # a NumPy scalar, without importing NumPy
        cell = cell.item()
    if isinstance(cell, Fraction | Quadratic):
        return float(cell)
    if isinstance(cell, float) and cell != cell:
        return None
    if isinstance(cell, bool | float) or cell is None:
        return cell
    if isinstance(cell, int):
        return cell if abs(cell) < 2**63 else str(cell)
    return str(cell)


def holds_numbers(column: Sequence[Any]) -> bool:
    """Whether every cell is a number, or missing."""
    return {type(cell) for cell in plain_column(column)} <= {int, float, type(None)}


def shown(cell: Any) -> str:
    """Cell in few characters, with a dash where there is nothing."""
    if hasattr(cell, "item"):
        cell = cell.item()
    if cell is None or cell != cell:
        return "-"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, Fraction | Quadratic):
        return str(cell) if cell in (0, 1) else f"{cell} ({float(cell):.4g})"
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)


# --- Text and tables as Markdown in which no name can be read as markup.


_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~$&!]|:(?=//)|(?<=www)\.)", re.IGNORECASE)
"""Marks, and what would make a bare address a link."""


def plain(text: str) -> str:
    """Text in which no character is read as markup, or steers a terminal."""
    return _MARKS.sub(r"\\\1", visible(text))


def pipe_table(
    names: Sequence[str], ends: Sequence[str], rows: Iterable[Sequence[str]]
) -> Iterator[str]:
    """Yield the lines of a table: names, how each column is aligned ("---" or "---:"), cells."""
    for row in (map(plain, names), ends, *(map(plain, row) for row in rows)):
        yield f"| {' | '.join(row)} |"
    yield ""


# --- What a result shows as tables: one neutral structure, for HTML, data frames and files.


LIBRARIES = ("pandas", "polars", "pyarrow")
"""Where frames come from, unless one is named: the first that the program uses, or has installed."""

ENDINGS = (*files.OF_TABLES, ".md", ".json")
"""What a result can be written as."""

MOST_ROWS = 30
MOST_COLUMNS = 20


@dataclasses.dataclass(frozen=True, slots=True)
class Table:
    """A title, and columns by name; cells are raw values, as long as each other.

    Examples
    --------
    >>> Table("Grades", {"judge": ["x", "y"], "grade": [0.5, 1.0]}).n_rows
    2
    """

    title: str
    columns: Mapping[str, Any]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return max(map(len, self.columns.values()), default=0)

    @classmethod
    def of_rows(cls, title: str, names: Sequence[str], rows: Sequence[Sequence[Any]]) -> Table:
        """Table of these rows."""
        return cls(title, {name: [row[k] for row in rows] for k, name in enumerate(names)})

    @classmethod
    def of_records(
        cls, title: str, names: type | Sequence[str], records: Sequence[Any], **more: Sequence[Any]
    ) -> Table:
        """Row per record, a column per name, or per field of a dataclass; `more` follow.

        Examples
        --------
        >>> Table.of_records("Numbers", ["real", "imag"], [1 + 2j, 3j]).columns["imag"]
        [2.0, 3.0]
        """
        if isinstance(names, type):
            names = [field.name for field in dataclasses.fields(names)]
        return cls(title, {n: [getattr(record, n) for record in records] for n in names} | more)

    def frame(self, library: str | None = None) -> Any:
        """Data frame; see `Tabled.to_frame`."""
        import narwhals as nw

        backend: Any = _library(library)
        return nw.from_dict(self.cells(), backend=backend).to_native()

    def cells(self) -> dict[str, list[Any]]:
        """Columns of a frame: cells of one kind each, None where there is nothing."""
        return {name: plain_column(column) for name, column in self.columns.items()}

    def markdown(self) -> Iterator[str]:
        """Yield the lines of a heading and a table of all rows, with numbers as HTML shows them."""
        ends = ["---:" if holds_numbers(column) else "---" for column in self.columns.values()]
        yield from (f"## {plain(self.title)}", "")
        rows = (list(map(shown, row)) for row in zip(*self.columns.values(), strict=True))
        yield from pipe_table(list(self.columns), ends, rows)

    def html(self) -> str:
        """HTML table of the first rows and columns, and what is left out."""
        columns = dict(islice(self.columns.items(), MOST_COLUMNS))
        head = "".join(f"<th>{_escaped(name)}</th>" for name in columns)
        body = "".join(
            f"<tr>{''.join(f'<td>{_escaped(shown(cell))}</td>' for cell in row)}</tr>"
            for row in islice(zip(*columns.values(), strict=True), MOST_ROWS)
        )
        table = (
            f"<table><caption>{_escaped(self.title)}</caption><thead><tr>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table>"
        )
        more = {"rows": self.n_rows - MOST_ROWS, "columns": len(self.columns) - MOST_COLUMNS}
        left = " and ".join(f"{number} more {what}" for what, number in more.items() if number > 0)
        return f"{table}<p>... and {left}</p>" if left else table


class Tabled:
    """What has tables: a frame for programs, HTML for notebooks."""

    __slots__ = ()

    frame_table: ClassVar[int] = 0
    """Which of the tables `to_frame` returns."""

    def as_tables(self) -> tuple[Table, ...]:
        """All there is to show, most important first."""
        return (scalars(self),)

    def _file_tables(self) -> tuple[Table, ...]:
        """Tables as files hold them, from which they can be read back."""
        return self.as_tables()

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        raise NotImplementedError

    def to_frame(self, library: str | None = None, *, table: str | None = None) -> Any:
        """Data frame; the class says which columns it has.

        Exact numbers become floats, and what is missing is missing in the frame too.

        Parameters
        ----------
        library : "pandas", "polars" or "pyarrow", optional
            By default the first of them that the program has imported, else that is installed.
        table : str, optional
            The title of another table than the main one; `as_tables` has them all.

        Raises
        ------
        DataError
            If the library is not one of these or is not installed, or there is no such table.
        """
        return self.one_table(table).frame(library)

    def one_table(self, title: str | None = None) -> Table:
        """Main table, or the one of this title; see `to_frame`."""
        tables = self.as_tables()
        if title is None:
            return tables[self.frame_table]
        named = {table.title.casefold(): table for table in tables}
        name = str(title).casefold()
        if name not in named:
            titles = [table.title for table in tables]
            near = did_you_mean(str(title), titles)
            raise DataError(f"table must be one of {titles}; got {title!r}; {near}")
        return named[name]

    def to_file(self, path: str | os.PathLike[str], *, table: str | None = None) -> None:
        """Write a file, in the form that its ending says; none of which anything would be lost is replaced.

        .csv, .tsv and .parquet hold one table, as `to_frame` returns it: exact numbers are floats
        there, written so that they are read back the same. .md holds the message and all tables for
        people, with numbers of four digits. .json holds what `to_dict` returns: everything, exactly.
        The file is written whole or not at all.

        Parameters
        ----------
        path : path
        table : str, optional
            The title of the table, where another than the main one is wanted.

        Raises
        ------
        DataError
            If the path ends in something else, there is no such table, or the file that is there is not of
            algeval, was changed, or is a table of which columns or rows would be lost.
        """
        ending = files.check_ending(path, ENDINGS)
        if ending in files.OF_TABLES:
            files.write_table(path, self._in_file(table).cells())
        elif ending == ".md":
            files.write_text(path, self._markdown(table))
        else:
            check_no_table(table, ending)
            files.write_json(path, self.to_dict())

    def _in_file(self, title: str | None) -> Table:
        """Table of this title, or the main one as files hold it."""
        own = type(self)._file_tables is not Tabled._file_tables
        return self._file_tables()[0] if own and title is None else self.one_table(title)

    def _markdown(self, title: str | None) -> str:
        tables = self._file_tables() if title is None else (self._in_file(title),)
        head = [f"# {plain(type(self).__name__)}", "", plain(getattr(self, "message", "")), ""]
        return "\n".join([*head, *(line for table in tables for line in table.markdown())])

    def headline(self) -> str:
        """Line above the tables."""
        return repr(self)

    def _repr_html_(self) -> str:
        tables = "".join(table.html() for table in self.as_tables() if table.n_rows)
        return f"<div><p>{_escaped(self.headline())}</p>{tables}</div>"


def scalars(owner: Any, title: str = "In short", **more: Any) -> Table:
    """One-row table of the fields of a dataclass that are plain values, and some more."""
    fields = [field.name for field in dataclasses.fields(owner) if field.repr]
    named = {name: getattr(owner, name) for name in fields if name not in _NOT_SHOWN} | more
    plain = (str, bool, int, float, Fraction, Quadratic)
    kept = {n: [v] for n, v in named.items() if v is None or isinstance(v, plain)}
    return Table(title, kept)


_NOT_SHOWN = ("message", "sketch_digest")
"""Shown above the tables, and of no use in one."""


def check_no_table(table: str | None, ending: str) -> None:
    """Refuse the title of a table for a file that holds all of them."""
    if table is not None:
        raise DataError(
            f"table must come with a file of one table; got {table!r} and {ending}, which holds "
            f"everything; leave it out, or write {', '.join(files.OF_TABLES)}"
        )


def free_name(name: str, taken: Iterable[str]) -> str:
    """Column name that no judge or label has."""
    while name in taken:
        name += "_"
    return name


def _library(wanted: str | None) -> str:
    if wanted is not None and wanted not in LIBRARIES:
        raise DataError(f"library must be one of {list(LIBRARIES)}; got {wanted!r}; choose one")
    in_use = sorted(LIBRARIES, key=lambda name: name not in sys.modules)
    tried = in_use if wanted is None else [wanted]
    for name in tried:
        if find_spec(name) is not None:
            return name
    raise DataError(
        f"a data frame must come from an installed library; got none of {sorted(tried)}; install one, for "
        "example with pip install pandas"
    )


def _escaped(text: str) -> str:
    return html.escape(visible(str(text)))
