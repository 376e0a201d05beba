"""One face for every source: column names, a row count, and columns by distinct value."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from algeval.errors import DataError
from algeval.io.columns import Column, Places, factorise, unmasked
from algeval.io.engines.frame import Frame, open_frame
from algeval.io.excel import is_workbook, read_workbook
from algeval.io.files import open_file
from algeval.io.json_files import decoded
from algeval.io.opened import Opened, connect, one_sentence, quoted, sql_text, watched_query
from algeval.io.parquet_files import cell_as_text, is_nested

__all__ = [
    "FileTable",
    "MemoryTable",
    "Needed",
    "Table",
    "arrow_relation",
    "bad_relation",
    "from_relation",
    "is_arrow",
    "is_excel",
    "is_path",
    "is_relation",
    "open_table",
]

Needed = Callable[[Sequence[str]], Sequence[str]]
"""Which columns reading looks at, of all that a table has."""

_FEW = 256
"""Up to this many distinct values a column is encoded inside DuckDB."""


class Table(Protocol):
    """What the readers need of a source."""

    names: tuple[str, ...]
    n_rows: int
    notes: tuple[str, ...]

    @property
    def weights(self) -> Places | None:
        """How many rows of the source each cell of a column stands for; None: one."""
        ...

    def column(self, name: str) -> Column:
        """Return one column by distinct value."""
        ...


class FileTable:
    """A file loaded into DuckDB, every cell as text."""

    weights: Places | None = None

    def __init__(self, opened: Opened) -> None:
        import duckdb

        self._opened = opened
        self._run = opened.connection
        self.names = tuple(opened.cells)
        self._read: dict[str, Column] = {}
        self._place = {name: f"c{place}" for place, name in enumerate(self.names)}
        cells = ", ".join(f"{sql} AS {self._place[name]}" for name, sql in opened.cells.items())
        if not cells:
            raise DataError(f"{opened.path.name} must hold columns; got none; check the export")
        try:
            query = f"CREATE TEMP TABLE cells AS SELECT {cells} FROM {opened.relation}"
            with watched_query(self._run, query):
                self._run.execute(query)
        except duckdb.Error as error:
            raise one_sentence(opened.path, error) from None
        row = self._run.execute("SELECT count(*) FROM cells").fetchone()
        self.n_rows = int(row[0]) if row else 0
        self.notes: tuple[str, ...] = (opened.note, *opened.more_notes)
        if not self.n_rows:
            raise DataError(f"{opened.path.name} must hold votes; got only a header; add rows")

    def column(self, name: str) -> Column:
        """Return one column by distinct value, encoded in DuckDB when it has few."""
        if name not in self._read:
            self._read[name] = self._column(name)
        return self._read[name]

    def _column(self, name: str) -> Column:
        self._opened.check_plain(name)
        place = self._place[name]
        query = f"SELECT DISTINCT {place} FROM cells WHERE {place} IS NOT NULL LIMIT {_FEW + 1}"
        values = [str(row[0]) for row in self._run.execute(query).fetchall()]
        if len(values) > _FEW:
            found = self._run.execute(f"SELECT {place} FROM cells").fetchnumpy()[place]
            raw = factorise(name, unmasked(found))
            return Column(name, decoded(name, raw.values, self._opened.json), raw.codes)
        return Column(name, decoded(name, values, self._opened.json), self._encode(place, values))

    def _encode(self, place: str, values: list[str]) -> np.ndarray[Any, np.dtype[np.int64]]:
        if not values:
            return np.full(self.n_rows, -1, np.int64)
        kinds = ", ".join(map(sql_text, values))
        query = f"SELECT enum_code(CAST({place} AS ENUM({kinds})))::INTEGER AS code FROM cells"
        found = self._run.execute(query).fetchnumpy()["code"]
        return np.asarray(np.ma.filled(found, -1), np.int64)


class MemoryTable:
    """Columns already in memory, as lists or arrays."""

    weights: Places | None = None

    def __init__(self, columns: Mapping[str, Any], *notes: str) -> None:
        self.names = tuple(columns)
        self._columns = columns
        self._read: dict[str, Column] = {}
        lengths = {len(column) for column in columns.values()}
        if len(lengths) > 1:
            raise DataError(
                f"columns must have one cell per row; got lengths {sorted(lengths)}; fill the gaps"
            )
        self.n_rows = lengths.pop() if lengths else 0
        self.notes: tuple[str, ...] = notes
        if not self.n_rows:
            raise DataError("source must hold votes; got a table without rows; check the selection")

    def column(self, name: str) -> Column:
        """Return one column by distinct value."""
        if name not in self._read:
            self._read[name] = factorise(name, self._columns[name])
        return self._read[name]


class FrameTable(MemoryTable):
    """A data frame of which those columns were brought into memory that are needed, all together."""

    def __init__(self, frame: Frame, needed: Iterable[str]) -> None:
        super().__init__(frame.cells(needed), f"read from a {frame.kind}")
        self.names = frame.names
        self._frame = frame

    def column(self, name: str) -> Column:
        """Return one column by distinct value; with one not foreseen all are brought anew.

        Two runs of an engine need not give the rows in the same order.
        """
        if name not in self._columns:
            self._columns, self._read = self._frame.cells(self.names), {}
        return super().column(name)


def is_path(source: object) -> bool:
    """Whether `source` names a file."""
    return isinstance(source, str | os.PathLike)


def is_relation(source: object) -> bool:
    """Whether `source` is a DuckDB relation."""
    kind = type(source)
    return kind.__name__ == "DuckDBPyRelation" and "duckdb" in kind.__module__


def open_table(
    source: Any,
    *,
    format: str | None = None,
    table: str | None = None,
    needed: Needed | None = None,
) -> Table:
    """Return any source as a table: a path, a frame, a DuckDB relation, records, columns, rows.

    table : of a database's file, which.
    needed : picks from all names the columns of a data frame that are brought into memory.
    """
    if is_path(source):
        if format in (None, "xlsx") and is_excel(source):
            columns, notes = read_workbook(Path(source))
            return MemoryTable(columns, *notes)
        return FileTable(open_file(source, format=format, table=table))
    if is_relation(source):
        return MemoryTable(from_relation(source), "read from a DuckDB relation")
    if is_arrow(source):
        return MemoryTable(from_relation(arrow_relation(source)), f"read from {_named(source)}")
    if isinstance(source, Mapping):
        columns = {str(name): _as_list(name, cells) for name, cells in source.items()}
        return MemoryTable(columns, "read from a mapping of columns")
    if isinstance(source, np.ndarray):
        return MemoryTable(_columns_of_array(source), "read from an array, a column per judge")
    if isinstance(source, Sequence) and _is_rows(source):
        return MemoryTable(_columns_of_rows(source), "read from rows, a column per judge")
    if isinstance(source, Sequence):
        return MemoryTable(_from_records(source), "read from a list of records")
    return _from_frame(source, needed)


def is_excel(source: Any) -> bool:
    """Whether `source` names an Excel workbook."""
    return is_path(source) and Path(source).is_file() and is_workbook(Path(source))


def is_arrow(source: object) -> bool:
    """Whether `source` is an Arrow stream, batch or data set that no frame library reads."""
    kind = type(source)
    from_arrow = kind.__module__.split(".")[0] == "pyarrow" and kind.__name__ != "Table"
    odd = from_arrow or kind.__module__.split(".")[0] in ("datasets", "nanoarrow", "arro3")
    return odd and (hasattr(source, "__arrow_c_stream__") or hasattr(source, "scanner"))


def arrow_relation(source: Any) -> Any:
    """Return an Arrow stream, batch or data set as a DuckDB relation."""
    import duckdb

    try:
        return duckdb.from_arrow(source, connection=connect())
    except Exception as error:  # DuckDB and pyarrow raise kinds of their own
        raise DataError(
            f"{_named(source)} must be readable as an Arrow table; got {type(error).__name__}; convert it "
            "with to_table() or to_pandas()"
        ) from None


def _named(source: object) -> str:
    return f"a {type(source).__module__.split('.')[0]} {type(source).__name__}"


def _as_list(name: object, cells: Any) -> Any:
    if hasattr(cells, "column_names") or type(cells).__name__ in ("DataFrame", "Table"):
        raise DataError(
            f"source must be one table; got several, {name!r} among them; pass one, as in source[{name!r}]"
        )
    if isinstance(cells, str) or not isinstance(cells, Iterable):
        raise DataError(
            f"column {name!r} must be a list of cells; got {cells!r}; write {{column: [cells]}}"
        )
    return cells if isinstance(cells, np.ndarray) else list(cells)


def from_relation(relation: Any) -> dict[str, Any]:
    """Run a DuckDB relation once and return its columns as text, None where they are null."""
    import duckdb

    names = [str(name) for name in relation.columns]
    cells = [
        f"{quoted(name) if is_nested(str(kind)) else cell_as_text(name, str(kind))} AS c{place}"
        for place, (name, kind) in enumerate(zip(names, relation.types, strict=True))
    ]
    try:
        found = relation.project(", ".join(cells)).fetchnumpy()
    except duckdb.Error as error:
        raise bad_relation(error) from None
    return {name: unmasked(found[f"c{place}"]) for place, name in enumerate(names)}


def bad_relation(error: Exception) -> DataError:
    """Return what DuckDB complained about a relation as one sentence of ours."""
    first = str(error).splitlines()[0]
    return DataError(f"the DuckDB relation must run; got {first!r}; correct its query")


def _from_records(records: Sequence[Any]) -> dict[str, list[object]]:
    wrong = next((row for row in records if not isinstance(row, Mapping)), None)
    if wrong is not None:
        raise DataError(
            f"a list of votes must hold one mapping per row; got {wrong!r}; "
            "write {'item': ..., 'judge': ..., 'answer': ...}"
        )
    names = dict.fromkeys(name for row in records for name in row)
    return {str(name): [row.get(name) for row in records] for name in names}


def _is_rows(source: Sequence[Any]) -> bool:
    """Whether a sequence holds rows of cells: lists, tuples or arrays."""
    return len(source) > 0 and isinstance(source[0], list | tuple | np.ndarray)


def _columns_of_array(array: NDArray[Any]) -> dict[str, Any]:
    """Return the columns of a (n_items, n_judges) array under the names "judge 1", "judge 2", ...

    Examples
    --------
    >>> sorted(_columns_of_array(np.array([["a", "b"], ["b", "b"]])))
    ['judge 1', 'judge 2']
    """
    if array.ndim != 2 or not array.size:
        raise DataError(
            f"an array of votes must have a row per item and a column per judge; got shape {array.shape}; "
            "reshape it"
        )
    cells = unmasked(array)
    return {f"judge {place}": column for place, column in enumerate(cells.T, start=1)}


def _columns_of_rows(rows: Sequence[Any]) -> dict[str, Any]:
    """Return the columns of rows with one answer per judge; None or NaN where there is none.

    Raises
    ------
    DataError
        If a row is no list, or rows differ in length. Tuples are refused: they may well be triples
        of item, judge and answer.
    """
    wrong = next((row for row in rows if not isinstance(row, list | np.ndarray)), None)
    if wrong is not None:
        raise DataError(
            f"rows of votes must be lists with one answer per judge, or mappings; got {wrong!r}; use "
            "Votes.from_records for (item, judge, answer)"
        )
    lengths = sorted({len(row) for row in rows})
    if len(lengths) > 1 or not lengths[0]:
        raise DataError(
            f"rows of votes must have one cell per judge; got lengths {lengths}; write None where a judge "
            "did not answer"
        )
    columns = zip(*rows, strict=True)
    return {f"judge {place}": list(column) for place, column in enumerate(columns, start=1)}


def _from_frame(source: Any, needed: Needed | None) -> MemoryTable:
    frame = open_frame(source)
    if frame is None:
        raise DataError(
            "source must be a path, a data frame, a list of records or Votes; "
            f"got {type(source).__name__}; convert it first, for example with its to_pandas()"
        )
    return FrameTable(frame, frame.names if needed is None else needed(frame.names))
