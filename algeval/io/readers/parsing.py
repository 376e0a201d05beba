"""JSON as tools write it, parsed so that no vote is lost: a key that stands twice is refused."""

from __future__ import annotations

import json
from typing import Any

from algeval.errors import DataError

__all__ = ["parsed"]


def parsed(text: str | bytes, name: str) -> Any:
    """Return what JSON holds; a bare NaN is a number.

    Parameters
    ----------
    text : str or bytes
    name : str
        Of the file.

    Raises
    ------
    DataError
        If an object has a key twice: Python would keep the last.
    ValueError, RecursionError
        If it is no JSON.

    Examples
    --------
    >>> parsed('{"a": 1}', "x.json")
    {'a': 1}
    """

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise DataError(
                f"every object of {name} must have a key once; got {twice!r} twice in one; keep the right one"
            )
        return found

    return json.loads(text, object_pairs_hook=once)
