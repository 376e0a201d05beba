"""Tables and frames, wherever they lie, as columns."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from algeval.errors import DataError
from algeval.io.answers import Column, Positions, factorise, plain, unmasked
from algeval.io.formats import (
    Opened,
    cell_as_text,
    columns_of,
    connect,
    decoded,
    is_nested,
    is_parquet,
    is_workbook,
    one_sentence,
    open_file,
    quoted,
    read_workbook,
    sql_text,
    watched_query,
)
from algeval.io.journal import is_journal, journal_table

# --- A data set of the library datasets as an Arrow table, its classes by name.


def is_dataset(source: object) -> bool:
    """Whether `source` is a `datasets.Dataset`, whose rows can be had at once."""
    kind = type(source)
    return kind.__module__.split(".")[0] == "datasets" and kind.__name__ == "Dataset"


def arrow_of_dataset(source: Any) -> Any:
    """Data set as a PyArrow table: a class has its name, and none where it is numbered -1."""
    import pyarrow as pa

    table = source.with_format("arrow")[:]
    for position, name in enumerate(table.column_names):
        classes = getattr(source.features.get(name), "names", None)
        if classes is not None:
            codes = table.column(name).to_pylist()
            valid = [code if code is not None and code >= 0 else None for code in codes]
            named = pa.array(classes, pa.string()).take(pa.array(valid, pa.int64()))
            table = table.set_column(position, name, named)
    return table


# --- A data frame of any library: questions are answered in its own engine, and only answers come
# back.


MOST_ROWS = 5_000_000  # more distinct rows than this are not brought into memory
TOTAL = "algeval n"  # what the count of a group is called
LEAVING = "Dask support is moving out of Narwhals"
"""How narwhals' warning begins that a later release of it asks for a package beside it."""


@dataclass(frozen=True, slots=True)
class Index:
    """The columns of a table that were the index of a data frame, and whether it had names."""

    columns: tuple[str, ...] = ()
    named: bool = False
    counts_rows: bool = False  # an index that only numbered the rows from 0 on
    sayer: str | None = None  # column of who answered, where the file says which it is


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame and the columns it has."""

    data: Any  # narwhals DataFrame or LazyFrame
    kind: str  # library and class
    native: dict[str, Any]  # the frame's own name of each column
    index: Index = Index()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns as text."""
        return tuple(self.native)

    @property
    def is_lazy(self) -> bool:
        """Whether rows are made only when they are asked for."""
        import narwhals as nw

        return isinstance(self.data, nw.LazyFrame)

    def dtype(self, name: str) -> Any:
        """Type of a column, as narwhals calls it."""
        return self.data.collect_schema()[self.native[name]]

    def mixes(self, names: Iterable[str]) -> bool:
        """Whether a column holds Python objects, which its library may take for alike: 1 and True."""
        import narwhals as nw

        return any(self.dtype(name) == nw.Object for name in names)

    def column(self, name: str) -> Any:
        """Expression of a column."""
        import narwhals as nw

        return nw.col(self.native[name])

    def where(self, holds: Any) -> Frame:
        """Rows of which an expression holds."""
        return Frame(self.data.filter(holds), self.kind, self.native, self.index)

    def grouped(self, keys: Mapping[str, Any], **sums: Any) -> Any:
        """Distinct rows of {name: expression}, how often each occurs, and sums of expressions over them."""
        import narwhals as nw

        rows = self.data.select(**keys, **sums)
        return rows.group_by(*keys).agg(
            nw.len().alias(TOTAL), *(nw.col(name).sum() for name in sums)
        )

    def distinct(self, keys: Mapping[str, Any], most: int) -> tuple[list[Column], Positions]:
        """Return at most so many distinct rows of some expressions, and how often each occurs."""
        rows = self.fetched(self.grouped(keys), most)
        counts = np.asarray(rows[TOTAL].to_numpy(), np.int64)
        return [factorise(name, series_cells(rows[name])) for name in keys], counts

    def fetched(self, rows: Any, most: int) -> Any:
        """Return at most so many rows of a narwhals frame in memory."""
        return self._run(rows.head(most))

    def cells(self, names: Iterable[str], most: int | None = None) -> dict[str, Any]:
        """Cells of some columns, of the first rows or of all."""
        native = {name: self.native[name] for name in names}
        rows = self.data.select(*native.values())
        frame = self._run(rows if most is None else rows.head(most))
        return {name: series_cells(frame[key]) for name, key in native.items()}

    def _run(self, rows: Any) -> Any:
        if not self.is_lazy:
            return rows
        streamed = {"engine": "streaming"} if self.kind.startswith("polars") else {}
        try:
            return rows.collect(**streamed)
        except DataError:
            raise
        except Exception as error:  # every engine has kinds of its own
            raise DataError(
                f"the {self.kind} must run in its engine; got {_first_line(error)!r}; correct what it is "
                "made of"
            ) from error


def open_frame(source: Any) -> Frame | None:
    """Data frame of any library that narwhals knows, None for anything else."""
    import narwhals as nw

    kind = f"{type(source).__module__.split('.')[0]} {type(source).__name__}"
    try:
        if is_dataset(source):
            source = arrow_of_dataset(source)
        source, index = with_index(source)
        named = _with_plain_names(source)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=LEAVING)
            data: Any = nw.from_native(named[0], pass_through=True)
        if not isinstance(data, nw.DataFrame | nw.LazyFrame):
            if kind.startswith("dask"):  # which a later narwhals no longer reads by itself
                raise DataError(
                    f"a {kind} must be known to narwhals; got one that is not; pip install narwhals-dask"
                )
            return None
        native = data.collect_schema().names()
    except (ValueError, nw.exceptions.NarwhalsError) as error:
        raise DataError(
            f"the {kind} must have distinct column names; got {_first_line(error)!r}; rename them"
        ) from None
    names = [str(name) for name in named[1] or native]
    if len(set(names)) < len(names):
        raise DataError(f"column names of the {kind} must be distinct as text; got {names}")
    return Frame(data, kind, dict(zip(names, native, strict=True)), index)


def _with_plain_names(source: Any) -> tuple[Any, list[str]]:
    """Spark frame with columns c0, c1, ..., as a dot in a name means a part to Spark, and the names."""
    if type(source).__module__.split(".")[0] not in ("pyspark", "sqlframe"):
        return source, []
    names = list(getattr(source, "columns", ()))
    return source.toDF(*(f"c{position}" for position in range(len(names)))), names


def with_index(source: Any) -> tuple[Any, Index]:
    """Pandas frame with its index as columns, unless it only counts rows from 0 on; others as they are."""
    index = getattr(source, "index", None)
    names = getattr(index, "names", None)
    if names is None or not hasattr(source, "reset_index"):
        return source, Index()
    frame, said = source, Index(counts_rows=True)
    if any(name is not None for name in names) or not is_row_numbers(index):
        frame = source.reset_index()
        said = Index(
            tuple(map(_flat, frame.columns[: len(names)])), any(n is not None for n in names)
        )
    columns = getattr(frame, "columns", None)
    if columns is None or all(isinstance(name, str) for name in columns):
        return frame, said
    texts = list(map(_flat, columns))
    if len(set(texts)) < len(texts) == len(set(columns)):
        raise DataError(f"column names of the data frame must be distinct as text; got {texts}")
    plain_names = frame.copy(deep=False) if hasattr(frame, "copy") else frame
    plain_names.columns = texts
    return plain_names, said


def is_row_numbers(index: Any) -> bool:
    """Whether an index without a name says no more than the number of each row, from 0 on."""
    if type(index).__name__ == "RangeIndex":
        return bool(index.start == 0 and index.step == 1)
    kind = getattr(getattr(index, "dtype", None), "kind", "O")
    if kind not in "iu" or type(index).__module__.startswith("dask"):  # whose rows are not made yet
        return False
    return bool(np.array_equal(np.asarray(index), np.arange(len(index))))


def _flat(name: Any) -> str:
    """Name of a column as one text."""
    return (
        ".".join(str(part) for part in name if str(part)) if isinstance(name, tuple) else str(name)
    )


def series_cells(series: Any) -> list[Any] | NDArray[Any]:
    """Cells of a narwhals series: numbers as an array, the rest as a list."""
    kind = series.dtype
    if kind.is_float() or (kind.is_integer() and not series.null_count()):
        numbers: NDArray[Any] = series.to_numpy()
        return numbers
    cells: list[Any] = series.to_list()
    return cells


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


# --- One face for every source: column names, a row count, and columns by distinct value.


Needed = Callable[[Sequence[str]], Sequence[str]]
"""Which columns reading looks at, of all that a table has."""

_FEW = 256  # up to this many distinct values a column is encoded inside DuckDB


class Table(Protocol):
    """What the readers need of a source."""

    names: tuple[str, ...]
    n_rows: int
    notes: tuple[str, ...]

    @property
    def index(self) -> Index:
        """Which columns were the index of a data frame."""
        ...

    @property
    def weights(self) -> Positions | None:
        """How many rows of the source each cell of a column stands for; None: one."""
        ...

    def column(self, name: str) -> Column:
        """Return one column by distinct value."""
        ...

    def same_values(self, name: str) -> Positions | None:
        """Return which rows hold the same value (-1: none), None where that is not looked at."""
        ...


def _state_of(path: Path) -> tuple[int, int, int] | None:
    """What changes where a file is written anew; None where there is none."""
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_ino, state.st_size, state.st_mtime_ns


class FileTable:
    """A file loaded into DuckDB, every cell as text; Parquet is read column by column where it lies."""

    weights: Positions | None = None
    index = Index()

    def __init__(self, opened: Opened) -> None:
        import duckdb

        self._opened = opened
        self._run = opened.connection
        self.names = tuple(opened.cells)
        self._read: dict[str, Column] = {}
        self._place = {name: f"c{position}" for position, name in enumerate(self.names)}
        if not self.names:
            raise DataError(f"{opened.path.name} must hold columns; got none; check the export")
        lies = opened.path.is_file() and is_parquet(opened.path)
        self._state = _state_of(opened.path) if lies else None
        try:
            kind = "VIEW" if lies else "TABLE"
            columns = columns_of(opened.cells, opened.relation, opened.pointers, self.names)
            query = f"CREATE OR REPLACE TEMP {kind} cells AS {columns}"
            with watched_query(self._run, query):
                self._run.execute(query)
        except duckdb.Error as error:
            raise one_sentence(opened.path, error) from None
        row = self._fetched("SELECT count(*) FROM cells", "fetchone")
        self.n_rows = int(row[0]) if row else 0
        self.notes: tuple[str, ...] = (opened.note, *opened.more_notes)
        if not self.n_rows:
            raise DataError(f"{opened.path.name} must hold votes; got only a header; add rows")

    def _fetched(self, query: str, how: str = "fetchall") -> Any:
        """Result of a query; Parquet is read now, and may be damaged, or another file than before."""
        import duckdb

        path, result, failed = self._opened.path, None, None
        try:
            result = getattr(self._run.execute(query), how)()
        except duckdb.Error as error:
            failed = error
        if self._state is not None and _state_of(path) != self._state:
            raise DataError(
                f"{path.name} must stay the same while it is read; it was written or removed meanwhile; "
                "read it again"
            )
        if failed is not None:
            raise one_sentence(path, failed) from None
        return result

    def column(self, name: str) -> Column:
        """Return one column by distinct value, encoded in DuckDB when it has few."""
        if name not in self._read:
            self._read[name] = self._column(name)
        return self._read[name]

    def _column(self, name: str) -> Column:
        self._opened.check_plain(name)
        cell = self._place[name]
        query = f"SELECT DISTINCT {cell} FROM cells WHERE {cell} IS NOT NULL LIMIT {_FEW + 1}"
        values = [str(row[0]) for row in self._fetched(query)]
        if len(values) > _FEW:
            cells = self._fetched(f"SELECT {cell} FROM cells", "fetchnumpy")[cell]
            raw = factorise(name, unmasked(cells))
            return Column(name, decoded(name, raw.values, self._opened.json), raw.codes)
        return Column(name, decoded(name, values, self._opened.json), self._encode(cell, values))

    def same_values(self, name: str) -> Positions:
        """Return which rows hold the same value (-1: none), without bringing long texts into memory."""
        self._opened.check_plain(name)
        cell = self._place[name]
        blank = "('', 'null', '\"\"')" if self._opened.json else "('')"
        query = (
            f"SELECT CASE WHEN trim({cell}) NOT IN {blank} THEN hash({cell}) END AS h FROM cells"
        )
        hashes = self._fetched(query, "fetchnumpy")["h"]
        codes = np.unique(np.ma.getdata(hashes), return_inverse=True)[1].astype(np.int64)
        codes[np.ma.getmaskarray(hashes)] = -1
        return codes

    def _encode(self, cell: str, values: list[str]) -> np.ndarray[Any, np.dtype[np.int64]]:
        if not values:
            return np.full(self.n_rows, -1, np.int64)
        kinds = ", ".join(map(sql_text, values))
        query = f"SELECT enum_code(CAST({cell} AS ENUM({kinds})))::INTEGER AS code FROM cells"
        codes = self._fetched(query, "fetchnumpy")["code"]
        return np.asarray(np.ma.filled(codes, -1), np.int64)


class MemoryTable:
    """Columns already in memory, as lists or arrays."""

    weights: Positions | None = None
    index = Index()
    people: frozenset[str] = frozenset()
    """Who of the judges of a tool's file are people, beside machines."""
    file: Path | Callable[[], Table] | None = None
    """The tool's file, where it is itself a table, or what makes that table of one in memory."""

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

    def same_values(self, name: str) -> Positions | None:
        """Return which rows hold the same value (-1: none)."""
        return self._same(self._columns[name])

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield rows with the cells that hold something, as JSON would have them."""
        for cells in zip(*self._columns.values(), strict=True):
            pairs = zip(self._columns, map(_as_json, cells), strict=True)
            yield {name: cell for name, cell in pairs if cell is not None}

    def _same(self, cells: Any) -> Positions:
        column = factorise("", cells)
        return column.look_up(
            [-1 if plain(value) is None else code for code, value in enumerate(column.values)]
        )


class FrameTable(MemoryTable):
    """A data frame of which those columns were brought into memory that are needed, all together."""

    def __init__(self, frame: Frame, needed: Iterable[str]) -> None:
        super().__init__(frame.cells(needed), f"read from a {frame.kind}")
        self.names = frame.names
        self.index = frame.index
        self._frame = frame

    def same_values(self, name: str) -> Positions | None:
        """Return which rows hold the same value (-1: none), None where rows are not in memory."""
        if self._frame.is_lazy:
            return None
        return super()._same(self._frame.cells([name])[name])

    def column(self, name: str) -> Column:
        """Return one column by distinct value; with one not foreseen all are brought anew, in one order."""
        if name not in self._columns:
            self._columns, self._read = self._frame.cells(self.names), {}
        return super().column(name)


class Without:
    """A table but for one column."""

    def __init__(self, table: Table, name: str) -> None:
        self.names = tuple(own for own in table.names if own != name)
        self.n_rows, self.notes = table.n_rows, table.notes
        self.index, self.weights = table.index, table.weights
        self.column, self.same_values = table.column, table.same_values


def _as_json(cell: Any) -> Any:
    """Cell of a frame as JSON would have it: no types of NumPy, times as text, None where there is none."""
    if isinstance(cell, np.ndarray | np.generic):
        cell = cell.tolist()
    kind = type(cell).__name__
    if cell is None or kind in ("NaTType", "NAType") or cell != cell:
        return None
    return str(cell.isoformat()) if hasattr(cell, "isoformat") else cell


def is_path(source: object) -> bool:
    """Whether `source` names a file."""
    return isinstance(source, str | os.PathLike)


def refuse_no_path(source: Any) -> None:
    """Refuse an empty text, which would name the folder that work is done in."""
    if isinstance(source, str) and not source.strip():
        raise DataError(f"source must name a file; got {source!r}; write its path")


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
    """Any source as a table; `needed` picks from all names the columns of a frame brought into memory."""
    if is_path(source):
        return _open_path(source, format, table)
    if is_relation(source):
        return MemoryTable(from_relation(source), "read from a DuckDB relation")
    if is_arrow(source):
        return MemoryTable(from_relation(arrow_relation(source)), f"read from {_named(source)}")
    if isinstance(source, Mapping):
        columns = {str(name): _as_list(name, cells) for name, cells in source.items()}
        return MemoryTable(columns, "read from a mapping of columns")
    if isinstance(source, np.ndarray):
        return MemoryTable(_columns_of_array(source), "read from an array, a column per judge")
    if isinstance(source, Sequence) and isinstance(
        next(iter(source), None), list | tuple | np.ndarray
    ):
        return MemoryTable(_columns_of_rows(source), "read from rows, a column per judge")
    if isinstance(source, Sequence):
        return MemoryTable(_from_records(source), "read from a list of records")
    frame = open_frame(source)
    if frame is None:
        raise DataError(
            "source must be a path, a data frame, a list of records or Votes; "
            f"got {type(source).__name__}; convert it first, for example with its to_pandas()"
        )
    return FrameTable(frame, frame.names if needed is None else needed(frame.names))


def _open_path(source: Any, format: str | None, table: str | None) -> Table:
    """File as a table: a workbook, a journal of labels, or what DuckDB reads."""
    refuse_no_path(source)
    if format in (None, "xlsx") and is_excel(source):
        columns, notes = read_workbook(Path(source), table)
        return MemoryTable(columns, *notes)
    if is_journal(source):
        columns, notes = journal_table(source)
        return MemoryTable(columns, *notes)
    return FileTable(open_file(source, format=format, table=table))


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
    """Arrow stream, batch or data set as a DuckDB relation."""
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
        f"{quoted(name) if is_nested(str(kind)) else cell_as_text(name, str(kind))} AS c{position}"
        for position, (name, kind) in enumerate(zip(names, relation.types, strict=True))
    ]
    try:
        columns = relation.project(", ".join(cells)).fetchnumpy()
    except duckdb.Error as error:
        raise bad_relation(error) from None
    return {name: unmasked(columns[f"c{position}"]) for position, name in enumerate(names)}


def bad_relation(error: Exception) -> DataError:
    """Return what DuckDB complained about a relation as one sentence of ours."""
    first = str(error).splitlines()[0]
    return DataError(f"the DuckDB relation must run; got {first!r}; correct its query")


def _from_records(records: Sequence[Any]) -> dict[str, list[object]]:
    wrong = [row for row in records if not isinstance(row, Mapping)]
    if wrong:
        raise DataError(
            f"a list of votes must hold one mapping per row; got {wrong[0]!r}; "
            "write {'item': ..., 'judge': ..., 'answer': ...}"
        )
    names = dict.fromkeys(name for row in records for name in row)
    return {str(name): [row.get(name) for row in records] for name in names}


def _columns_of_array(array: NDArray[Any]) -> dict[str, Any]:
    """Columns of a (n_items, n_judges) array under the names "judge 1", "judge 2", ..."""
    if array.ndim != 2 or not array.size:
        raise DataError(
            f"an array of votes must have a row per item and a column per judge; got shape {array.shape}; "
            "reshape it"
        )
    cells = unmasked(array)
    return {f"judge {number}": column for number, column in enumerate(cells.T, start=1)}


def _columns_of_rows(rows: Sequence[Any]) -> dict[str, Any]:
    """Columns of rows with one answer per judge; None or NaN where there is none."""
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
    return {f"judge {number}": list(column) for number, column in enumerate(columns, start=1)}
