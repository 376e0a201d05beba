"""Equal by value: two results, or two sets of data, are equal when all they hold is."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

__all__ = ["ByValue", "same"]


def same(one: Any, other: Any) -> bool:
    """Whether two values hold the same: arrays compared cell by cell, NaN equal to NaN.

    A list equals a tuple or an array of the same values, as it does after a round trip through JSON.

    Examples
    --------
    >>> same({"x": (1, float("nan"))}, {"x": [1, float("nan")]})
    True
    """
    if one is other:
        return True
    if hasattr(one, "dtype") and hasattr(other, "dtype"):
        return _same_array(one, other)
    one, other = _listed(one), _listed(other)
    if isinstance(one, Mapping):
        return isinstance(other, Mapping) and _same_mapping(one, other)
    if isinstance(one, list | tuple):
        return isinstance(other, list | tuple) and _same_sequence(one, other)
    if isinstance(one, partial):
        return isinstance(other, partial) and same(_parts(one), _parts(other))
    if dataclasses.is_dataclass(one) and not isinstance(one, type):
        return _same_fields(one, other)
    return bool(one == other) or bool(one != one and other != other)


def _listed(value: Any) -> Any:
    return value.tolist() if hasattr(value, "dtype") else value


def _same_sequence(one: Sequence[Any], other: Sequence[Any]) -> bool:
    return len(one) == len(other) and all(map(same, one, other))


def _same_mapping(one: Mapping[Any, Any], other: Mapping[Any, Any]) -> bool:
    return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)


def _same_array(one: Any, other: Any) -> bool:
    if one.shape != other.shape:
        return False
    if one.dtype == object or other.dtype == object:
        return same(one.tolist(), other.tolist())
    return bool(((one == other) | ((one != one) & (other != other))).all())


def _parts(call: partial[Any]) -> tuple[Any, ...]:
    return call.func, call.args, call.keywords


def _same_fields(one: Any, other: Any) -> bool:
    if type(one) is not type(other):
        return False
    names = [field.name for field in dataclasses.fields(one) if field.compare]
    return all(same(getattr(one, name), getattr(other, name)) for name in names)


class ByValue:
    """A frozen dataclass whose equality, hash, copies and pickles go by its fields.

    The hash reads texts alone, so that it agrees with equality whatever else there is.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return _same_fields(self, other) if isinstance(other, ByValue) else NotImplemented

    def __hash__(self) -> int:
        values = _state(self).values()
        return hash((type(self).__name__, *(v for v in values if isinstance(v, str))))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), _state(self))


def _state(value: Any) -> dict[str, Any]:
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}


def _restored(kind: type, state: dict[str, Any]) -> Any:
    """Make an object of its fields; arrays are read-only again, which a pickle forgets."""
    value: Any = object.__new__(kind)
    for name, kept in state.items():
        if hasattr(kept, "setflags"):
            kept.setflags(write=False)
        object.__setattr__(value, name, kept)
    return value
