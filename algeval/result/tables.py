"""What a result shows as tables: one neutral structure, for HTML and for data frames."""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from importlib.util import find_spec
from itertools import islice
from typing import Any, ClassVar

from algeval.errors import DataError
from algeval.result.numbers import Quadratic
from algeval.result.visible import visible

__all__ = ["Table", "Tabled", "free_name", "scalars"]

LIBRARIES = ("pandas", "polars", "pyarrow")
"""Where frames come from, the first that is installed unless one is named."""

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
        """Return the table of these rows."""
        return cls(title, {name: [row[k] for row in rows] for k, name in enumerate(names)})

    @classmethod
    def of_records(
        cls, title: str, names: type | Sequence[str], records: Sequence[Any], **more: Sequence[Any]
    ) -> Table:
        """Return a row per record, a column per name, or per field of a dataclass; `more` follow.

        Examples
        --------
        >>> Table.of_records("Numbers", ["real", "imag"], [1 + 2j, 3j]).columns["imag"]
        [2.0, 3.0]
        """
        if isinstance(names, type):
            names = [field.name for field in dataclasses.fields(names)]
        return cls(title, {n: [getattr(one, n) for one in records] for n in names} | more)

    def frame(self, library: str | None = None) -> Any:
        """Return a data frame; see `Tabled.to_frame`."""
        import narwhals as nw

        cells = {name: _plain_column(column) for name, column in self.columns.items()}
        backend: Any = _library(library)
        return nw.from_dict(cells, backend=backend).to_native()

    def html(self) -> str:
        """Return an HTML table of the first rows and columns, and what is left out."""
        names = list(self.columns)[:MOST_COLUMNS]
        head = "".join(f"<th>{_escaped(name)}</th>" for name in names)
        body = "".join(
            f"<tr>{''.join(f'<td>{_escaped(_shown(cell))}</td>' for cell in row)}</tr>"
            for row in islice(self._rows(names), MOST_ROWS)
        )
        table = (
            f"<table><caption>{_escaped(self.title)}</caption><thead><tr>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table>"
        )
        return table + "".join(f"<p>... and {told}</p>" for told in self._left_out())

    def _rows(self, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        return zip(*(self.columns[name] for name in names), strict=True)

    def _left_out(self) -> list[str]:
        rows, columns = self.n_rows - MOST_ROWS, len(self.columns) - MOST_COLUMNS
        told = [f"{rows} more rows"] * (rows > 0) + [f"{columns} more columns"] * (columns > 0)
        return [" and ".join(told)] if told else []


class Tabled:
    """What has tables: a frame for programs, HTML for notebooks."""

    __slots__ = ()

    frame_table: ClassVar[int] = 0
    """Which of the tables `to_frame` returns."""

    def as_tables(self) -> tuple[Table, ...]:
        """Return what there is to show, most important first."""
        return (scalars(self),)

    def to_frame(self, library: str | None = None) -> Any:
        """Return a data frame; the class says which columns it has.

        Exact numbers become floats, and what is missing is missing in the frame too.

        Parameters
        ----------
        library : "pandas", "polars" or "pyarrow", optional
            By default the first of them that is installed.

        Raises
        ------
        DataError
            If the library is not one of these or is not installed.
        """
        return self.as_tables()[self.frame_table].frame(library)

    def headline(self) -> str:
        """Return the line above the tables."""
        return repr(self)

    def _repr_html_(self) -> str:
        tables = "".join(table.html() for table in self.as_tables() if table.n_rows)
        return f"<div><p>{_escaped(self.headline())}</p>{tables}</div>"


def scalars(owner: Any, title: str = "In short", **more: Any) -> Table:
    """Return the one-row table of the fields of a dataclass that are plain values, and some more."""
    fields = [field.name for field in dataclasses.fields(owner) if field.repr]
    named = {name: getattr(owner, name) for name in fields if name not in _NOT_SHOWN} | more
    plain = (str, bool, int, float, Fraction, Quadratic)
    kept = {n: [v] for n, v in named.items() if v is None or isinstance(v, plain)}
    return Table(title, kept)


_NOT_SHOWN = ("message", "sketch_digest")
"""Shown above the tables, and of no use in one."""


def free_name(name: str, taken: Sequence[str]) -> str:
    """Return a column name that no judge or label has.

    Examples
    --------
    >>> free_name("item", ["gpt4", "item"])
    'item_'
    """
    while name in taken:
        name += "_"
    return name


def _library(wanted: str | None) -> str:
    if wanted is not None and wanted not in LIBRARIES:
        raise DataError(f"library must be one of {list(LIBRARIES)}; got {wanted!r}; choose one")
    tried = LIBRARIES if wanted is None else (wanted,)
    for name in tried:
        if find_spec(name) is not None:
            return name
    raise DataError(
        f"a data frame must come from an installed library; got none of {list(tried)}; install one, for "
        "example with pip install pandas"
    )


def _plain_column(column: Sequence[Any]) -> list[Any]:
    """Return cells that every library takes: of one kind, with None where there is nothing."""
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


def _shown(cell: Any) -> str:
    if hasattr(cell, "item"):
        cell = cell.item()
    if cell is None or cell != cell:
        return "-"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, Fraction | Quadratic):
        return str(cell) if cell in (0, 1) else f"{cell} ({float(cell):.4g})"
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)


def _escaped(text: str) -> str:
    return html.escape(visible(str(text)))
