"""Item ids of a table that is not loaded: every row has one, and a wide table has each once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from algeval.errors import DataError
from algeval.io.counting.scan import ROW, Scan
from algeval.io.opened import sql_text
from algeval.io.wide import repeated_items

__all__ = ["SPACES", "Again", "check_items", "first_again", "item_key", "refuse_blank"]

SPACES = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008"
    "\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""What `str.strip` takes away: DuckDB's trim knows the plain space alone."""

_MOST_SORTED = 20_000_000
"""Hashes of more items than this (160 MB) are grouped by DuckDB, which writes to disk."""


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
    return f"nullif(trim({cell}, {sql_text(SPACES)}), '')" if _odd(scan, cell) else cell


def _odd(scan: Scan, cell: str) -> bool:
    """Whether some text is empty, or may begin or end with a space; trimming each takes long."""
    found = scan.run(f"SELECT count(*) AS n FROM {scan.relation} WHERE NOT {_even(cell)}")
    return bool(found["n"][0])


def _even(text: str) -> str:
    """Return the SQL of whether a text begins and ends with a letter, digit or mark of ASCII."""
    ends = f"{text}[-1] >= '!' AND {text}[-1] < '\x7f'"
    return f"({text} >= '!' AND {text} < '\x7f' AND {ends})"


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
    return f"nullif(trim({cell} ->> '$', {sql_text(SPACES)}), '')"


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


def check_items(scan: Scan, names: Sequence[str], n_rows: int) -> bool:
    """Refuse a wide table with a row that names no item, or with two rows of one.

    Returns
    -------
    bool
        Whether that could be told: JSON that mixes numbers and texts has to be read for it.
    """
    if len(names) == 1 and _surely_distinct(scan, names[0], n_rows):
        return True
    key = item_key(scan, names)
    if key is None:
        return False
    for name in names:
        refuse_blank(scan, str(item_key(scan, (name,))), name, "item")
    _refuse_repeated(scan, key, names, n_rows)
    return True


def _surely_distinct(scan: Scan, name: str, n_rows: int) -> bool:
    """Whether no two ids have the same hash of 64 bits, and none needs to be trimmed or is missing."""
    cell, stored = scan.cells[name], scan.stored(name)
    if scan.json:
        return False
    whole = stored is not None and "INT" in scan.kinds[stored.strip('"')]
    hashed = f"CASE WHEN {f'{stored} IS NOT NULL' if whole else _even(cell)} THEN hash({cell}) ELSE 0 END"
    if n_rows <= _MOST_SORTED:
        found = scan.run(f"SELECT {hashed} AS h FROM {scan.relation}")["h"]
        found.sort()
        return bool(found[0] and (found[1:] != found[:-1]).all())
    grouped = f"SELECT {hashed} AS h FROM {scan.relation} GROUP BY ALL"
    row = scan.run(f"SELECT count(*) AS n, count(*) FILTER (h = 0) AS odd FROM ({grouped})")
    return not row["odd"][0] and int(row["n"][0]) == n_rows


def _refuse_repeated(scan: Scan, key: str, names: Sequence[str], n_rows: int) -> None:
    found = scan.run(f"SELECT count(DISTINCT {key}) AS n FROM {scan.relation}")
    if int(found["n"][0]) < n_rows:
        again = first_again(scan, [key])
        raise repeated_items(again.names[0], again.n_names, names)


@dataclass(frozen=True, slots=True)
class Again:
    """The first row that names something a second time: what, where, and how often that happens."""

    names: tuple[str, ...]
    row: int
    n_names: int
    n_rows: int


def first_again(scan: Scan, keys: Sequence[str]) -> Again:
    """Return the first of the rows whose keys were those of an earlier one; there must be one."""
    said = [f"k{place}" for place in range(len(keys))]
    listed, named = (
        ", ".join(said),
        ", ".join(f"{k} AS {n}" for k, n in zip(keys, said, strict=True)),
    )
    first = ", ".join(f"CAST(arg_min({name}, r) AS VARCHAR) AS {name}" for name in said)
    found = scan.run(
        f"WITH rows AS (SELECT {named}, {ROW} AS r FROM {scan.numbered()}), twice AS (SELECT {listed}, "
        f"min(r) AS f FROM rows GROUP BY {listed} HAVING count(*) > 1) SELECT {first}, min(r) AS row, "
        f"count(*) AS n, (SELECT count(*) FROM twice) AS names FROM rows JOIN twice USING ({listed}) "
        "WHERE r > f"
    )
    names = tuple(str(found[name][0]) for name in said)
    return Again(names, int(found["row"][0]), int(found["names"][0]), int(found["n"][0]))
