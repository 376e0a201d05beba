"""A data frame of any library: questions are answered in its own engine, and only answers come back."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.errors import DataError
from algeval.io.columns import Column, Places, factorise
from algeval.io.engines.hugging_face import arrow_of_dataset, is_dataset

__all__ = ["MOST_ROWS", "TOTAL", "Frame", "open_frame", "series_cells", "with_named_index"]

MOST_ROWS = 5_000_000
"""More distinct rows than this are not brought into memory."""

TOTAL = "algeval n"
"""What the count of a group is called."""

_LEAVING = "Dask support is moving out of Narwhals"
"""How narwhals' warning begins that a later release of it asks for a package beside it."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame and the columns it has.

    Attributes
    ----------
    data : narwhals DataFrame or LazyFrame
    kind : str
        Library and class, as a person knows them.
    native : dict
        What the frame calls a column, by its name as text.
    """

    data: Any
    kind: str
    native: dict[str, Any]

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
        """Return the type of a column, as narwhals calls it."""
        return self.data.collect_schema()[self.native[name]]

    def mixes(self, names: Iterable[str]) -> bool:
        """Whether a column holds Python objects, which its library may take for alike: 1 and True."""
        import narwhals as nw

        return any(self.dtype(name) == nw.Object for name in names)

    def column(self, name: str) -> Any:
        """Return the expression of a column."""
        import narwhals as nw

        return nw.col(self.native[name])

    def where(self, holds: Any) -> Frame:
        """Return the rows of which an expression holds."""
        return Frame(self.data.filter(holds), self.kind, self.native)

    def grouped(self, keys: Mapping[str, Any], **sums: Any) -> Any:
        """Return the frame of the distinct rows of some expressions, how often each occurs, and sums.

        Parameters
        ----------
        keys : {name: expression}
        **sums : expressions of whole numbers
            Added up over the rows that are alike.
        """
        import narwhals as nw

        rows = self.data.select(**keys, **sums)
        return rows.group_by(*keys).agg(
            nw.len().alias(TOTAL), *(nw.col(name).sum() for name in sums)
        )

    def distinct(self, keys: Mapping[str, Any], most: int) -> tuple[list[Column], Places]:
        """Return at most so many distinct rows of some expressions, and how often each occurs."""
        found = self.fetched(self.grouped(keys), most)
        counts = np.asarray(found[TOTAL].to_numpy(), np.int64)
        return [factorise(name, series_cells(found[name])) for name in keys], counts

    def fetched(self, rows: Any, most: int) -> Any:
        """Return at most so many rows of a narwhals frame in memory."""
        return self._run(rows.head(most))

    def cells(self, names: Iterable[str], most: int | None = None) -> dict[str, Any]:
        """Return the cells of some columns, of the first rows or of all."""
        native = {name: self.native[name] for name in names}
        rows = self.data.select(*native.values())
        found = self._run(rows if most is None else rows.head(most))
        return {name: series_cells(found[key]) for name, key in native.items()}

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
    """Return a data frame of any library that narwhals knows, None for anything else.

    Raises
    ------
    DataError
        If two columns have the same name.
    """
    import narwhals as nw

    kind = f"{type(source).__module__.split('.')[0]} {type(source).__name__}"
    try:
        if is_dataset(source):
            source = arrow_of_dataset(source)
        named = _with_plain_names(with_named_index(source))
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=_LEAVING)
            data: Any = nw.from_native(named[0], pass_through=True)
        if not isinstance(data, nw.DataFrame | nw.LazyFrame):
            _refuse_dask(kind)
            return None
        native = data.collect_schema().names()
    except (ValueError, nw.exceptions.NarwhalsError) as error:
        raise DataError(
            f"the {kind} must have distinct column names; got {_first_line(error)!r}; rename them"
        ) from None
    names = [str(name) for name in named[1] or native]
    if len(set(names)) < len(names):
        raise DataError(f"column names of the {kind} must be distinct as text; got {names}")
    return Frame(data, kind, dict(zip(names, native, strict=True)))


def _refuse_dask(kind: str) -> None:
    """Refuse Dask where narwhals no longer reads it by itself."""
    if kind.startswith("dask"):
        raise DataError(
            f"a {kind} must be known to narwhals; got one that is not; pip install narwhals-dask"
        )


def _with_plain_names(source: Any) -> tuple[Any, list[str]]:
    """Return a Spark frame whose columns are called c0, c1, ..., and their names; any other as it is.

    Spark reads a dot in a name as a part of a column, and narwhals does not quote it.
    """
    if type(source).__module__.split(".")[0] not in ("pyspark", "sqlframe"):
        return source, []
    names = list(getattr(source, "columns", ()))
    return source.toDF(*(f"c{place}" for place in range(len(names)))), names


def with_named_index(source: Any) -> Any:
    """Return a pandas frame with its named index as columns, and one name a column."""
    names = getattr(getattr(source, "index", None), "names", None)
    if names is None or not hasattr(source, "reset_index"):
        return source
    frame = source if all(n is None for n in names) else source.reset_index()
    if getattr(getattr(frame, "columns", None), "nlevels", 1) == 1:
        return frame
    joined = frame.copy(deep=False)
    joined.columns = [".".join(str(part) for part in name if str(part)) for name in frame.columns]
    return joined


def series_cells(series: Any) -> list[Any] | NDArray[Any]:
    """Return the cells of a narwhals series: numbers as an array, the rest as a list."""
    kind = series.dtype
    if kind.is_float() or (kind.is_integer() and not series.null_count()):
        numbers: NDArray[Any] = series.to_numpy()
        return numbers
    cells: list[Any] = series.to_list()
    return cells


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
