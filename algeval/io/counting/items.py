"""Item ids of a table that is not loaded: every row has one, and a wide table has each once."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from algeval.errors import DataError
from algeval.io.counting.scan import ROW, Scan
from algeval.io.opened import sql_text
from algeval.io.wide import repeated_items

__all__ = ["item_key", "refuse_blank", "refuse_repeated_items"]

_SPACES = "".join(chr(n) for n in range(sys.maxunicode + 1) if chr(n).isspace())


def item_key(scan: Scan, names: Sequence[str]) -> str | None:
    """Return the SQL that tells items apart as their texts do, null for none.

    None is returned where only the texts themselves can tell: JSON that mixes numbers and texts.
    """
    keys = [_key(scan, name) for name in names]
    found = [key for key in keys if key is not None]
    if len(found) < len(keys):
        return None
    return found[0] if len(found) == 1 else " || ':' || ".join(map(_text, found))


def _text(key: str) -> str:
    return f"CAST({key} AS VARCHAR)"


def _key(scan: Scan, name: str) -> str | None:
    cell = scan.cells[name]
    if scan.json:
        return _json_key(scan, cell)
    stored = scan.stored(name)
    if stored is not None and "INT" in scan.kinds[stored.strip('"')] and cell.startswith("CAST("):
        return stored
    return f"nullif(trim({cell}, {sql_text(_SPACES)}), '')" if _odd(scan, cell) else cell


def _odd(scan: Scan, cell: str) -> bool:
    """Whether some text is empty, or may begin or end with a space; trimming each takes long."""
    ends = " OR ".join(f"{end} < '!' OR {end} >= '\x7f'" for end in (f"{cell}[1]", f"{cell}[-1]"))
    found = scan.run(f"SELECT count(*) AS n FROM {scan.relation} WHERE {ends}")
    return bool(found["n"][0])


def _json_key(scan: Scan, cell: str) -> str | None:
    texts, wholes = f"{cell}[1] = '\"'", f"regexp_full_match({cell}, '-?[0-9]+')"
    found = scan.run(
        f"SELECT count(*) FILTER ({texts}) AS texts, count(*) FILTER ({wholes}) AS wholes, "
        f"count({cell}) AS n FROM {scan.relation}"
    )
    n = int(found["n"][0])
    if int(found["wholes"][0]) == n:
        return cell
    if int(found["texts"][0]) < n:
        return None
    return f"nullif(trim({cell} ->> '$', {sql_text(_SPACES)}), '')"


def refuse_blank(scan: Scan, key: str, column: str, option: str) -> None:
    """Refuse a row that names no item, or no judge."""
    found = scan.run(f"SELECT count(*) AS n FROM {scan.relation} WHERE {key} IS NULL")
    if not found["n"][0]:
        return
    row = scan.run(f"SELECT min({ROW}) AS n FROM {scan.numbered()} WHERE {key} IS NULL")
    raise DataError(
        f"every row must name its {option}; row {row['n'][0]} has none in column {column!r}; fill it or "
        f"choose another with {option}="
    )


def refuse_repeated_items(scan: Scan, key: str, names: Sequence[str]) -> None:
    """Refuse a wide table that has two rows of one item.

    Items are told apart by a hash of 64 bits; where two are alike, by themselves.
    """
    counted = f"SELECT count(*) AS n FROM {scan.relation} GROUP BY"
    found = scan.run(f"SELECT count(*) AS items, sum(n) AS n FROM ({counted} hash({key}))")
    if not found["n"][0] or int(found["items"][0]) == int(found["n"][0]):
        return
    again = (
        f"SELECT {key} AS item, min({ROW}, 2)[2] AS second FROM {scan.numbered()} GROUP BY item "
        "HAVING count(*) > 1"
    )
    twice: Any = scan.run(
        f"SELECT CAST(arg_min(item, second) AS VARCHAR) AS item, count(*) AS n FROM ({again})"
    )
    if twice["n"][0]:
        raise repeated_items(str(twice["item"][0]), int(twice["n"][0]), names)
