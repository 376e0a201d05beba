"""Item ids of a table that is not loaded: every row has one, and a wide table has each once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from algeval.errors import DataError
from algeval.io.counting.scan import ROW, Scan
from algeval.io.opened import sql_text
from algeval.io.wide import repeated_items

__all__ = ["SPACES", "Again", "Hashed", "check_items", "first_again", "item_key", "refuse_blank"]

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
    return _trimmed(scan, cell)


def _odd(scan: Scan, cell: str) -> bool:
    """Whether some text is empty, or may begin or end with a space; trimming each takes long."""
    found = scan.run(f"SELECT count(*) AS n FROM {scan.relation} WHERE NOT {_even(cell)}")
    return bool(found["n"][0])


def _even(text: str) -> str:
    """Return the SQL of whether a text begins and ends with a letter, digit or mark of ASCII."""
    ends = f"{text}[-1] >= '!' AND {text}[-1] < '\x7f'"
    return f"({text} >= '!' AND {text} < '\x7f' AND {ends})"


def _json_key(scan: Scan, cell: str) -> str | None:
    found = scan.run(
        f"SELECT count(*) FILTER ({cell}[1] = '\"') AS texts, count(*) FILTER (regexp_full_match({cell}, "
        f"'-?[0-9]+')) AS wholes, count(*) FILTER (contains({cell}, '\\')) AS escaped, count({cell}) AS n "
        f"FROM {scan.relation}"
    )
    n = int(found["n"][0])
    if int(found["wholes"][0]) == n:
        return cell
    if int(found["texts"][0]) < n:
        return None
    text = f"{cell} ->> '$'" if found["escaped"][0] else f"{cell}[2:-2]"
    return _trimmed(scan, f"({text})")


def _trimmed(scan: Scan, text: str) -> str:
    return f"nullif(trim({text}, {sql_text(SPACES)}), '')" if _odd(scan, text) else text


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
        part = key if len(names) == 1 else str(item_key(scan, (name,)))
        refuse_blank(scan, part, name, "item")
    _refuse_repeated(scan, key, names)
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


def _refuse_repeated(scan: Scan, key: str, names: Sequence[str]) -> None:
    again = first_again(scan, [key])
    if again is not None:
        raise repeated_items(again.names[0], again.n_names, names)


@dataclass(frozen=True, slots=True)
class Hashed:
    """The SQL of what stands for an item of any length: 64 bits, and 32 more that tell a chance apart."""

    first: str
    second: str

    @classmethod
    def of(cls, key: str) -> Hashed:
        """Return the hashes of an item given as SQL."""
        text = f"CAST({key} AS VARCHAR)"
        return cls(f"hash({key})", f"(hash({text} || '#') % 4294967296)::UINTEGER")


@dataclass(frozen=True, slots=True)
class Again:
    """The first row that names something a second time: what, where, and how often that happens."""

    names: tuple[str, ...]
    row: int
    n_names: int
    n_rows: int


def first_again(scan: Scan, keys: Sequence[str]) -> Again | None:
    """Return the first of the rows whose keys were those of an earlier one, None if there is none.

    Only rows whose hash occurs again are compared by their texts, which could not all be kept.
    """
    said = [f"k{place}" for place in range(len(keys))]
    listed, named = (
        ", ".join(said),
        ", ".join(f"{k} AS {n}" for k, n in zip(keys, said, strict=True)),
    )
    hashed = f"hash({', '.join(keys)})"
    first = ", ".join(f"CAST(arg_min({name}, r) AS VARCHAR) AS {name}" for name in said)
    again = f"SELECT {hashed} AS h FROM {scan.relation} GROUP BY h HAVING count(*) > 1"
    if not scan.run(f"SELECT count(*) AS n FROM ({again})")["n"][0]:
        return None
    found = scan.run(
        f"WITH rows AS (SELECT {named}, {ROW} AS r FROM {scan.numbered()} WHERE {hashed} IN ({again})), "
        f"twice AS (SELECT {listed}, min(r) AS f FROM rows GROUP BY {listed} HAVING count(*) > 1) "
        f"SELECT {first}, min(r) AS row, count(*) AS n, (SELECT count(*) FROM twice) AS names "
        f"FROM rows JOIN twice USING ({listed}) WHERE r > f"
    )
    if not found["n"][0]:
        return None
    names = tuple(str(found[name][0]) for name in said)
    return Again(names, int(found["row"][0]), int(found["names"][0]), int(found["n"][0]))
