"""Which table of a database is meant: the one named, or the only one there is."""

from __future__ import annotations

from collections.abc import Mapping

from algeval.errors import DataError
from algeval.result.wording import did_you_mean, how_many

__all__ = ["choose_table"]

_MOST_SHOWN = 12


def choose_table(name: str, tables: Mapping[str, int | None], asked: str | None) -> str:
    """Return the table asked for, or the only one.

    Parameters
    ----------
    name : str
        Of the file.
    tables : mapping
        Tables and views with their rows, None where they cannot be counted.
    asked : str or None
        Databases take "Votes" and "votes" for one name, and so does this.

    Raises
    ------
    DataError
        If there is no such table, none at all, or several and none was named.

    Examples
    --------
    >>> choose_table("x.db", {"votes": 7}, None)
    'votes'
    """
    if not tables:
        raise DataError(f"{name} must hold a table of votes; got a database without tables")
    if asked is None and len(tables) > 1:
        raise DataError(
            f"the table to read must be clear; {name} holds {_listed(tables)}; choose with "
            f"table={max(tables, key=lambda table: tables[table] or 0)!r}"
        )
    wanted = next(iter(tables)) if asked is None else asked
    if wanted in tables:
        return wanted
    alike = [table for table in tables if table.casefold() == wanted.casefold()]
    if len(alike) != 1:
        raise DataError(
            f"table must name a table of {name}; got {wanted!r}; it holds {_listed(tables)}; "
            f"{did_you_mean(wanted, tables)}"
        )
    return alike[0]


def _listed(tables: Mapping[str, int | None]) -> str:
    some = list(tables.items())[:_MOST_SHOWN]
    texts = [repr(t) if n is None else f"{t!r} ({how_many(n, 'row')})" for t, n in some]
    return ", ".join(texts) + (f", ... ({len(tables)} in all)" if len(tables) > len(some) else "")
