"""JSON for people and machines: a field a line, and a row of numbers on one line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from algeval.result.visible import json_visible

__all__ = ["json_parts"]

_PIECES = 10_000
"""Joined before they are handed on."""

_IN_A_LINE = 25
"""Numbers in a line; more go on in the next."""

_NUMBERS = {int, float, bool, type(None)}

_encoded = json.JSONEncoder(ensure_ascii=False).encode


def json_parts(document: Any) -> Iterator[str]:
    """Yield a document as text that is readable and steers no terminal, in parts.

    Examples
    --------
    >>> print("".join(json_parts({"judges": ["x", "y"], "codes": [[0, 1], [1, -1]], "share": None})))
    {
      "judges": [
        "x",
        "y"
      ],
      "codes": [
        [0, 1],
        [1, -1]
      ],
      "share": null
    }
    """
    pieces = _pieces(document, "\n")
    while part := "".join(islice(pieces, _PIECES)):
        yield json_visible(part)


def _pieces(value: Any, line: str) -> Iterator[str]:
    """Yield the text of a value; `line` begins a line of what it stands in."""
    inner = line + "  "
    if isinstance(value, Mapping) and value:
        yield "{"
        for place, (name, held) in enumerate(value.items()):
            key = name if isinstance(name, str) else json.dumps(name)
            yield f"{',' * (place > 0)}{inner}{_encoded(key)}: "
            yield from _pieces(held, inner)
        yield line + "}"
    elif isinstance(value, list | tuple) and value:
        if set(map(type, value)) <= _NUMBERS:
            yield _numbers(value, inner, line)
            return
        yield "["
        for place, held in enumerate(value):
            yield f"{',' * (place > 0)}{inner}"
            yield from _pieces(held, inner)
        yield line + "]"
    else:
        yield _encoded(value)


def _numbers(row: list[Any] | tuple[Any, ...], inner: str, line: str) -> str:
    if len(row) <= _IN_A_LINE:
        return _encoded(row)
    starts = range(0, len(row), _IN_A_LINE)
    lines = (_encoded(row[start : start + _IN_A_LINE])[1:-1] for start in starts)
    return f"[{inner}{f',{inner}'.join(lines)}{line}]"
