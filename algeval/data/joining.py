"""Tables of scores put side by side on item ids: whose score stands where, and what does not agree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from algeval.data.score_checks import Floats
from algeval.errors import DataError

__all__ = ["Joined", "joined"]

Cells = dict[str, Any]


class Part(Protocol):
    """What a table of scores holds; see `Scores`."""

    @property
    def items(self) -> tuple[str, ...]: ...
    @property
    def judges(self) -> tuple[str, ...]: ...
    @property
    def values(self) -> Floats: ...
    @property
    def key(self) -> Any: ...
    @property
    def attributes(self) -> Any: ...
    @property
    def key_kind(self) -> Any: ...


class Joined(NamedTuple):
    """The fields of the joined table, in the order in which `Scores` takes them."""

    items: tuple[str, ...]
    judges: tuple[str, ...]
    values: Floats
    key: tuple[Any, ...] | None
    attributes: dict[str, tuple[Any, ...]]
    key_kind: Any


def joined(tables: Sequence[Part]) -> Joined:
    """Return tables of different judges as one, an item of any of them with NaN where it has no score.

    Raises
    ------
    DataError
        If a judge is in two tables, or keys or attributes contradict each other on an item.
    """
    judges = tuple(judge for table in tables for judge in table.judges)
    repeated = [judge for judge in judges if judges.count(judge) > 1]
    if repeated:
        raise DataError(
            f"a judge must be in one of the tables only; got {repeated[0]!r} in two; rename it, or leave "
            "it out of one with select(judges=...)"
        )
    items = tuple(dict.fromkeys(item for table in tables for item in table.items))
    key = _column("key", ((t.items, t.key) for t in tables), items)
    names = dict.fromkeys(name for table in tables for name in table.attributes or ())
    attributes = {
        name: _column(name, ((t.items, (t.attributes or {}).get(name)) for t in tables), items)
        for name in names
    }
    known = {name: column for name, column in attributes.items() if column is not None}
    return Joined(items, judges, _values(tables, items), key, known, _kind(tables))


def _values(tables: Sequence[Part], items: tuple[str, ...]) -> Floats:
    place = {item: at for at, item in enumerate(items)}
    columns = []
    for table in tables:
        part = np.full((len(items), len(table.judges)), np.nan)
        part[[place[item] for item in table.items]] = table.values
        columns.append(part)
    return np.hstack(columns)


def _column(
    name: str, parts: Iterable[tuple[tuple[str, ...], Any]], items: tuple[str, ...]
) -> tuple[Any, ...] | None:
    """Return what the tables say of each item, None where none does; or None if none has the column."""
    told: Cells = {}
    given = False
    for part, column in parts:
        given = given or column is not None
        for item, value in zip(part, column or (), strict=bool(column)):
            if value is None:
                continue
            if told.setdefault(item, value) != value:
                raise DataError(
                    f"{name} must be the same in every table; got {told[item]!r} and {value!r} for item "
                    f"{item!r}; are the ids those of the same items? leave one of the two out if so"
                )
    return tuple(told.get(item) for item in items) if given else None


def _kind(tables: Sequence[Part]) -> Any:
    kinds = {table.key_kind for table in tables if table.key is not None}
    if len(kinds) > 1:
        raise DataError(
            "keys must hold classes in every table, or numbers in every table; got both; call "
            "without_key() on one"
        )
    return next(iter(kinds), None)
