"""A mapping whose values are made when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Generic, TypeVar

__all__ = ["Lazy"]

Key = TypeVar("Key")
Value = TypeVar("Value")


class Lazy(Mapping[Key, Value], Generic[Key, Value]):
    """Keys in a fixed order, each with a function of no arguments that makes its value.

    Twelve judges have 33,000 names; an identity speaks of a handful.
    """

    def __init__(self, makers: Mapping[Key, Callable[[], Value]]) -> None:
        self._makers = dict(makers)
        self._made: dict[Key, Value] = {}

    def __getitem__(self, key: Key) -> Value:
        if key not in self._made:
            self._made[key] = self._makers[key]()
        return self._made[key]

    def __contains__(self, key: object) -> bool:
        return key in self._makers

    def __iter__(self) -> Iterator[Key]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)

    def __repr__(self) -> str:
        return f"Lazy({len(self)} keys)"
