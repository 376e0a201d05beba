"""Group a data frame in its own engine, eager or lazy."""

from __future__ import annotations

from typing import Any

import numpy as np

from algeval.errors import DataError
from algeval.io.counting.scan import known
from algeval.io.tables import bad_frame, series_cells, with_named_index

__all__ = ["grouped_frame"]


def grouped_frame(source: Any, judges: tuple[str, ...]) -> tuple[list[Any], Any] | None:
    """Group a data frame by its judges' columns, in its own engine; None if it is no frame."""
    import narwhals as nw

    kind = f"{type(source).__module__.split('.')[0]} {type(source).__name__}"
    try:
        frame: Any = nw.from_native(with_named_index(source), pass_through=True)
        if not isinstance(frame, nw.DataFrame | nw.LazyFrame):
            return None
        native = {str(name): name for name in frame.collect_schema().names()}
    except (ValueError, nw.exceptions.NarwhalsError) as error:
        raise bad_frame(kind, error) from None
    known(judges, native, f"the {kind}")
    keys = [native[name] for name in judges]
    total = "algeval count"
    try:
        grouped: Any = frame.group_by(*keys).agg(nw.len().alias(total))
    except TypeError:
        raise DataError(
            f"the judges' columns of the {kind} must hold one plain value per cell; got lists or objects; "
            "flatten them"
        ) from None
    if isinstance(grouped, nw.LazyFrame):
        grouped = grouped.collect()
    counts = np.asarray(grouped[total].to_list(), np.int64)
    return [series_cells(grouped[key]) for key in keys], counts
