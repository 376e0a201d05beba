"""What a table of scores may hold: numbers, a key of classes or of numbers, attributes as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Real
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from algeval.errors import DataError

__all__ = [
    "Attributes",
    "Floats",
    "Key",
    "KeyKind",
    "checked_attributes",
    "checked_key",
    "checked_values",
]

Floats: TypeAlias = NDArray[np.float64]
Key: TypeAlias = tuple[str | None, ...] | tuple[float | None, ...]
KeyKind: TypeAlias = Literal["class", "number"]
Attributes: TypeAlias = Mapping[str, tuple[str | None, ...]]


def _absent(value: Any) -> bool:
    """Whether a cell is None, NaN or what a frame library writes for them."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float | np.floating) and bool(value != value)


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def checked_values(values: Any, items: tuple[str, ...], judges: tuple[str, ...]) -> Floats:
    """Return scores as float64 with one NaN and one zero, or say which of them is none."""
    array = _as_array(values)
    shape = (len(items), len(judges))
    if array.shape != shape:
        raise DataError(
            f"values must have one row per item and one column per judge {shape}; got shape {array.shape}"
        )
    if array.dtype.kind not in "iuf":
        array = _from_objects(array, items, judges)
    if array.dtype in (np.float16, np.float32):
        array = array.astype(str)  # 0.7 in 32 bits is the score 0.7, as it is in a file
    result = array.astype(np.float64) + 0.0  # no negative zero
    wrong = np.argwhere(np.isinf(result))
    if len(wrong):
        row, column = wrong[0]
        raise DataError(
            f"scores must be finite; got {result[row, column]} of judge {judges[column]!r} on item "
            f"{items[row]!r}; leave it out (NaN) or give a number"
        )
    result[np.isnan(result)] = np.nan
    return result


def _as_array(values: Any) -> NDArray[Any]:
    if isinstance(values, np.ndarray):
        return values
    try:
        return np.array(values, dtype=object)
    except ValueError:
        raise DataError(
            "values must be rows of the same length; got rows of different lengths; "
            "write None where there is no score"
        ) from None


def _from_objects(
    array: NDArray[Any], items: tuple[str, ...], judges: tuple[str, ...]
) -> NDArray[Any]:
    """Return cells as floats, None as NaN, refusing what is no number."""
    result = np.full(array.shape, np.nan)
    for (row, column), value in np.ndenumerate(array.astype(object)):
        if _absent(value):
            continue
        if not _is_number(value):
            raise DataError(
                f"scores must be numbers; got {value!r} of judge {judges[column]!r} on item {items[row]!r}; "
                "leave it out (None), or read text with read_scores"
            )
        try:
            short = isinstance(value, np.float16 | np.float32)
            result[row, column] = float(str(value)) if short else float(value)
        except OverflowError:
            result[row, column] = np.inf
    return result


def checked_key(
    key: Iterable[Any], items: tuple[str, ...], kind: KeyKind | None
) -> tuple[Key, KeyKind]:
    """Return a key as classes or as numbers, None where it is not known, and which of them it is."""
    truths = [None if _absent(truth) else truth for truth in key]
    if len(truths) != len(items):
        raise DataError(f"key must have one entry per item ({len(items)}); got {len(truths)}")
    if kind not in (None, "class", "number"):
        raise DataError(f"key_kind must be 'class' or 'number'; got {kind!r}; leave it out")
    known = [truth for truth in truths if truth is not None]
    if kind != "number" and not any(map(_is_number, known)):
        return tuple(None if truth is None else str(truth) for truth in truths), "class"
    for item, truth in zip(items, truths, strict=True):
        if truth is not None and not (_is_number(truth) and abs(truth) < float("inf")):
            raise DataError(
                f"a key must hold finite numbers, or classes as text; got {truth!r} for item {item!r} "
                "beside numbers; write None where the truth is not known"
            )
    if kind == "class" or (kind is None and all(truth in (0, 1) for truth in known)):
        return tuple(map(_text, truths)), "class"
    return tuple(None if truth is None else float(truth) + 0.0 for truth in truths), "number"


def checked_attributes(found: Any, n_items: int) -> dict[str, tuple[str | None, ...]]:
    """Return columns of text, None for what is not known."""
    if found is not None and not isinstance(found, Mapping):
        raise DataError(
            f"attributes must be columns by name; got {found!r}; write {{column: cells}}"
        )
    cells = (found or {}).items()
    return {str(name): _checked_attribute(name, column, n_items) for name, column in cells}


def _checked_attribute(name: object, column: Any, n_items: int) -> tuple[str | None, ...]:
    texts = None if isinstance(column, str) else tuple(map(_text, column))
    if texts is None or len(texts) != n_items:
        got = "text" if texts is None else f"{len(texts)}"
        raise DataError(
            f"attribute {str(name)!r} must have one entry per item ({n_items}); got {got}"
        )
    return texts


def _text(value: Any) -> str | None:
    if _absent(value):
        return None
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value)
