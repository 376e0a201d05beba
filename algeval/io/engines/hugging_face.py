"""A data set of the library datasets as an Arrow table, its classes by name."""

from __future__ import annotations

from typing import Any

__all__ = ["arrow_of_dataset", "is_dataset"]


def is_dataset(source: object) -> bool:
    """Whether `source` is a `datasets.Dataset`, whose rows can be had at once."""
    kind = type(source)
    return kind.__module__.split(".")[0] == "datasets" and kind.__name__ == "Dataset"


def arrow_of_dataset(source: Any) -> Any:
    """Return a data set as a PyArrow table: a class has its name, and none where it is numbered -1."""
    table = source.with_format("arrow")[:]
    for place, name in enumerate(table.column_names):
        classes = getattr(source.features.get(name), "names", None)
        if classes is not None:
            table = table.set_column(place, name, _named(table.column(name), classes))
    return table


def _named(codes: Any, classes: list[str]) -> Any:
    import pyarrow as pa

    known = [code if code is not None and code >= 0 else None for code in codes.to_pylist()]
    return pa.array(classes, pa.string()).take(pa.array(known, pa.int64()))
