"""The published JSON Schemas of everything that is written as JSON."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from algeval.errors import DataError
from algeval.result.wording import did_you_mean

__all__ = ["schema", "schema_names"]


def schema_names() -> tuple[str, ...]:
    """Return the names of all schemas, in alphabetical order."""
    return tuple(sorted(p.name.removesuffix(".json") for p in _folder().iterdir()))


def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a document that algeval writes.

    It stands for itself, and any validator takes it. A document says in its field `schema` which one is
    its own.

    Parameters
    ----------
    name : str
        A name such as "alarm", or what a document says: "algeval.alarm/1".

    Raises
    ------
    DataError
        If there is no such schema, or not of this version.

    Examples
    --------
    >>> found = schema("algeval.sketch/1")
    >>> found["$id"], found["properties"]["counts"]["items"]
    ('urn:algeval:sketch:1', {'type': 'integer'})
    """
    known, short = schema_names(), str(name).removeprefix("algeval.").partition("/")[0]
    if short not in known:
        near = did_you_mean(short, known, "see docs/reference/schemas.md")
        raise DataError(f"name must be that of a schema; got {name!r}; {near}")
    found: dict[str, Any] = json.loads((_folder() / f"{short}.json").read_text(encoding="utf-8"))
    tag = found["$id"].replace("urn:algeval:", "algeval.").replace(":", "/")
    if "/" in name and name != tag:
        raise DataError(
            f"name must be {tag!r}, the version of this algeval; got {name!r}; write it anew"
        )
    return found


def _folder() -> Any:
    return files("algeval") / "schemas"
