"""`columns.toml`: what the columns of tables are, kept beside them, an entry for each header."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from algeval.errors import DataError, option
from algeval.io.answers import ReadOptions, saved_reading, with_saved
from algeval.io.layout import shown

NAME = "columns.toml"
"""The file that is looked for beside a table."""

ROLES = (
    *("item", "prompt", "text", "judge", "human", "system", "trial", "swap", "covariate", "slice"),
    *("time", "score", "reason", "ignored", "rater", "answer"),
)
OPTIONS = (
    "good",
    "cut",
    "labels",
    "missing",
    "same",
    "map",
    "exact_labels",
    "swap",
    "trial",
    "systems",
    "judges",
)
"""Settings of an entry beside the columns, named as in `read_results`."""

_HEAD = """\
# What the columns of tables are: read by every algeval command on a table of this header in this folder.
# A [[table]] each: `columns` gives roles, `header` (all columns, in any order) says of which table it is;
# good, cut, labels, missing, same, trial and systems are as in `algeval help reading`.
"""
_ENTRY = re.compile(r"^\[\[\s*table\s*\]\][^\n]*$", re.MULTILINE)


@dataclass(frozen=True)
class Entry:
    """What the columns of a table of one header are, and how its cells are read.

    `header` are its columns, in any order; without it the entry is of any table that has all of `columns`.
    """

    columns: Mapping[str, str]
    header: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)

    def is_of(self, names: Iterable[str]) -> bool:
        """Whether a table of these columns is meant."""
        held = {*names}
        return held == {*self.header} if self.header else {*self.columns} <= held

    def __str__(self) -> str:
        lines = ["[[table]]"]
        lines += [f"header = {_quoted(list(self.header))}"] if self.header else []
        lines += [f"{name} = {_quoted(value)}" for name, value in self.options.items()]
        lines += [
            "[table.columns]",
            *(f"{_quoted(n)} = {_quoted(r)}" for n, r in self.columns.items()),
        ]
        return "\n".join(lines) + "\n"


def beside(source: Any) -> Path | None:
    """The file of columns in the folder of a table; None where there is none, or no single file is read."""
    if not isinstance(source, str | os.PathLike):
        return None
    path = Path(source)
    try:
        there = path.is_file() and (path.parent / NAME).is_file()
    except (OSError, ValueError):
        return None
    return path.parent / NAME if there and path.name != NAME else None


def read_entries(path: str | os.PathLike[str]) -> list[Entry]:
    """Entries of a file of columns.

    Raises
    ------
    DataError
        If it is no TOML, or says something that an entry does not have; the file is left alone.
    """
    try:
        document = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise _broken(path, " ".join(str(error).split())) from None
    tables = document.get("table", [])
    if {*document} - {"table"} or not isinstance(tables, list):
        raise _broken(path, f"{shown([*document], 6)} at its top")
    return [_entry(path, table) for table in tables]


def entry_of(path: str | os.PathLike[str], names: Sequence[str]) -> Entry | None:
    """Entry of the table that has these columns: of the same header before one of some of its columns."""
    fitting = [entry for entry in read_entries(path) if entry.is_of(names)]
    return min(fitting, key=lambda entry: not entry.header, default=None)


def save_entry(path: str | os.PathLike[str], entry: Entry) -> None:
    """Write an entry in place of that of the same header; those of other tables are kept as they are."""
    target = Path(path)
    text = ""
    if target.exists():
        read_entries(target)  # a broken file is left alone
        text = target.read_text(encoding="utf-8")
    head, parts = _parts(text)
    others = [part for part in parts if {*_entry(path, *_tables(part)).header} != {*entry.header}]
    texts = [head.rstrip() or _HEAD.rstrip(), *(part.rstrip() for part in others), str(entry)]
    made = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        made.write_text("\n\n".join(texts), encoding="utf-8")
        made.replace(target)
    except OSError as error:
        made.unlink(missing_ok=True)
        raise DataError(
            f"{target} must be written; got {error.strerror}; name another file"
        ) from None


def with_entry(
    options: ReadOptions, source: Any, names: Callable[[], Sequence[str] | None]
) -> ReadOptions:
    """Options with what a file of columns says of a table: the file that is named, or the one beside it.

    names : what gives the columns of the table, None where they cannot be told
    """
    columns = options.columns
    if isinstance(columns, str) and columns == "none":
        return replace(options, columns=None)
    named = isinstance(columns, str | os.PathLike)
    path = Path(columns) if named else beside(source) if columns is None else None
    if path is None or (named and "table" not in saved_reading(columns)):
        return options
    held = names()
    entry = None if held is None else entry_of(path, held)
    if entry is None and named:
        raise DataError(
            f"{option('columns')} must have an entry for this table; {str(path)!r} has none whose header is "
            f"{shown(list(held or ()), 6)}; write it with `algeval columns FILE --save {path}`"
        )
    if entry is None:
        return options
    stated = {**options.stated(), "columns": options_of(entry, path.name)}
    return ReadOptions(**with_saved(stated))


def options_of(entry: Entry, name: str) -> dict[str, Any]:
    """What `columns=` of a reader takes for an entry, under the name of its file."""
    return {"columns": dict(entry.columns), "options": dict(entry.options), "file": name}


def _parts(text: str) -> tuple[str, list[str]]:
    """What stands before the entries of a file, and the text of each."""
    at = [m.start() for m in _ENTRY.finditer(text)]
    return text[: at[0]] if at else text, [text[a:b] for a, b in pairwise([*at, len(text)])]


def _tables(part: str) -> Iterator[dict[str, Any]]:
    yield from tomllib.loads(part)["table"]


def _entry(path: str | os.PathLike[str], table: Any) -> Entry:
    """Entry of a table of TOML, checked."""
    if not isinstance(table, dict):
        raise _broken(path, f"{table!r} for a table")
    columns, header = table.get("columns", {}), table.get("header", [])
    options = {name: value for name, value in table.items() if name not in ("columns", "header")}
    strange = sorted({*options} - {*OPTIONS})
    if strange:
        raise _broken(path, f"the setting {strange[0]!r}; settings are {', '.join(OPTIONS)}")
    if (
        not isinstance(columns, dict)
        or not isinstance(header, list)
        or not all(isinstance(n, str) for n in header)
    ):
        raise _broken(path, "columns that are no table, or a header that is no list of names")
    bad = next(((n, r) for n, r in columns.items() if r not in ROLES), None)
    if bad is not None:
        raise _broken(path, f"the role {bad[1]!r} for {bad[0]!r}; roles are {', '.join(ROLES)}")
    unknown = [name for name in columns if header and name not in header]
    if unknown or not (columns or header):
        raise _broken(
            path,
            f"the column {unknown[0]!r}, which its header lacks" if unknown else "an empty table",
        )
    return Entry(columns, tuple(header), options)


def _broken(path: str | os.PathLike[str], got: str) -> DataError:
    return DataError(
        f"{Path(path)} must be a file of columns, a [[table]] for each header; got {got}; correct it, write "
        f"it again with `algeval columns FILE --save`, or leave it out with {option('columns', 'none')}"
    )


def _quoted(value: Any) -> str:
    """Value as TOML has it, which writes texts, lists, numbers and truths as JSON does."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_quoted(str(n))} = {_quoted(v)}" for n, v in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def schema() -> dict[str, Any]:
    """The JSON Schema of a file of columns, as a document of its tables."""
    words = {f.name: str(f.metadata["declared"].help) for f in fields(ReadOptions)}
    table = {
        "type": "object",
        "properties": {
            "columns": {
                "description": "The role of each column.",
                "type": "object",
                "additionalProperties": {"enum": list(ROLES)},
            },
            "header": {
                "description": "All columns of the table, in any order; without it any that has `columns`.",
                "type": "array",
                "items": {"type": "string"},
            },
            **{name: {"description": words[name]} for name in OPTIONS},
        },
        "required": [],
        "additionalProperties": False,
    }
    tables = {"description": "An entry for each header.", "type": "array", "items": table}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:algeval:columns-file:1",
        "title": "Columns of tables",
        "description": "What the columns of tables are: columns.toml beside them (in preparation).",
        "type": "object",
        "properties": {"table": tables},
        "required": [],
        "additionalProperties": False,
    }
