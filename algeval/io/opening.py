"""Any source as a table: a tool's files by their reader, everything else as it stands."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from algeval.data.settings import check_choice
from algeval.errors import DataError
from algeval.io.layout import Asked
from algeval.io.readers.files import Files, keys_of
from algeval.io.readers.gathered import Wanted
from algeval.io.readers.registry import READERS, Reader
from algeval.io.tables import Table, is_path, open_table
from algeval.result.visible import short_list

__all__ = ["open_source"]


def open_source(
    source: Any,
    asked: Asked,
    *,
    format: str | None = None,
    reader: str | None = None,
    question: str | None = None,
) -> tuple[Table, Asked]:
    """Return a source as a table, and what is known of its columns.

    The files of a tool that has a reader become a long table whose columns are known. A reader is looked
    for unless the caller says what the columns are, or the format.

    Parameters
    ----------
    source : path, list of paths, folder, data frame, records, ...
    asked : Asked
        What the caller said of the columns.
    format : str, optional
    reader : str, optional
        The reader to use, whatever the files look like; "table" for none.
    question : str, optional
        Which question of a file that asks several.

    Raises
    ------
    DataError
        If there is no such reader, or none for what it is told to read.
    """
    if reader is not None:
        check_choice("reader", reader, ["table", *(one.name for one in READERS)])
    files = _files(source)
    told = asked.item or asked.judge or asked.answer or asked.layout or format
    found = (
        None
        if files is None or reader == "table" or (told and not reader)
        else _reader(files, reader)
    )
    if found is None or files is None:
        if question is not None or (reader not in (None, "table")):
            raise _no_reader(source, question)
        _refuse_unknown_document(files)
        return open_table(source, format=format), asked
    wanted = Wanted(question, asked.judges)
    table = found.read(files, wanted).table(files.name)
    long = replace(asked, item=("item",), judge="judge", answer="answer", layout="long")
    return table, replace(long, from_reader=True)


def _files(source: Any) -> Files | None:
    """Return the files that a source names, None where it names none that exist."""
    if is_path(source):
        path = Path(source)
        return Files((path,)) if path.is_file() and path.stat().st_size else None
    return None


def _reader(files: Files, name: str | None) -> Reader | None:
    if name is not None:
        return next(reader for reader in READERS if reader.name == name)
    return next((reader for reader in READERS if reader.fits(files)), None)


def _no_reader(source: Any, question: str | None) -> DataError:
    known = ", ".join(reader.title for reader in READERS)
    if question is not None:
        return DataError(
            f"question= chooses among the questions of a tool's file; {_named(source)} is none of {known}; "
            "leave it out"
        )
    return DataError(f"reader= reads files of {known}; got {_named(source)}; leave it out")


def _named(source: Any) -> str:
    return Path(source).name if isinstance(source, str | os.PathLike) else type(source).__name__


def _refuse_unknown_document(files: Files | None) -> None:
    """Refuse one JSON object of no tool known: as a table it would be one row of lists."""
    if files is None or files.path.suffix.lower() != ".json":
        return
    found = files.document()
    if not isinstance(found, dict) or not any(isinstance(v, dict | list) for v in found.values()):
        return
    known = ", ".join(reader.title for reader in READERS)
    raise DataError(
        f"{files.name} must be a table of votes or a file of a tool that algeval knows ({known}); got one "
        f"JSON object with the keys {short_list(_listed(found))}; write one object per vote"
    )


def _listed(found: dict[str, Any]) -> Sequence[str]:
    return sorted(keys_of(found))
