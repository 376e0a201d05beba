"""Any source as a table: a tool's files by their reader, everything else as it stands."""

from __future__ import annotations

import glob
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from algeval.data.names import check_choice
from algeval.errors import DataError, option
from algeval.io.formats import Opened, is_database, open_file
from algeval.io.layout import ColumnRoles, open_parts, shown
from algeval.io.options import ReadOptions
from algeval.io.readers.base import Files, Wanted, are_parts, keys_of, refuse_stranger, tables_of
from algeval.io.readers.harnesses import gather
from algeval.io.readers.registry import READERS, Reader
from algeval.io.tables import FileTable, Needed, Table, is_path, open_table, refuse_no_path

_MOST_FILES = 10_000

_LOG = ("eval", "samples", "status", "model_dump")
"""What a log in memory has, as Inspect's own reader returns it."""


def _check(options: ReadOptions) -> None:
    if options.reader is not None:
        check_choice("reader", options.reader, ["table", *(reader.name for reader in READERS)])
    if options.swap is not None:
        check_choice("swap", options.swap, ["two", "agree"])
    if options.ground_truth is not None:
        check_choice("ground_truth", options.ground_truth, ["key", "as-votes"])


def _only_of_readers(options: ReadOptions) -> list[str]:
    """Names of the stated options that only readers of tools' files can follow."""
    names = ("question", "swap", "latest", "ground_truth")
    return [name for name in names if getattr(options, name) not in (None, False)]


def open_source(
    source: Any,
    roles: ColumnRoles,
    options: ReadOptions,
    needed: Needed | None = None,
    opened: Opened | None = None,
) -> tuple[Table, ColumnRoles]:
    """Source as a table, and what is said about its columns.

    The files of a tool that has a reader become a long table with columns of fixed names. A reader is
    looked for unless the caller says what the columns are, or the format. `needed` picks the columns of a
    frame that are brought into memory.
    """
    _check(options)
    wanted = Wanted(
        options.question,
        roles.judges,
        options.swap or "two",
        bool(options.latest),
        options.ground_truth == "as-votes",
    )
    if all(hasattr(source, name) for name in _LOG):
        _refuse_strange(READERS[0], "the log", options)
        return gather(source.model_dump(), "the log", wanted).table("the log"), _long(roles)
    files = _files(source)
    reader = None if opened is not None else _fitting(files, roles, options)
    if reader is not None and files is not None:
        _refuse_strange(reader, files.name, options)
        return reader.read(files, wanted).table(files.name), _long(roles)
    if files is not None or not is_path(source):
        what = Path(source).name if is_path(source) else type(source).__name__
        readers = [] if options.reader in (None, "table") else ["reader"]
        name = next(iter(readers + _only_of_readers(options)), None)
        if name is not None:
            about = (
                ", ".join(reader.title for reader in READERS if name in reader.options) or _titles()
            )
            raise DataError(
                f"{option(name)} is about the files of {about}; {what} is none; leave it out"
            )
        if options.table is not None and not (is_path(source) and _is_database(Path(source))):
            raise DataError(
                f"{option('table')} is about databases (DuckDB, SQLite); {what} is none; leave it out"
            )
    if files is not None and not roles.anything and options.format is None:
        refuse_stranger(files)
    _refuse_unknown_document(files)
    if opened is not None:
        opened.connection.execute("RESET memory_limit")
        return FileTable(opened), roles
    if files is not None and (len(files.paths) > 1 or options.format == "hive"):
        return FileTable(open_parts(tables_of(files), format=options.format)), roles
    table = open_table(source, format=options.format, table=options.table, needed=needed)
    return table, roles


def table_files(source: Any, roles: ColumnRoles, options: ReadOptions) -> tuple[Path, ...]:
    """Files of a source that are parts of one table, none where a reader reads them."""
    _check(options)
    files = _files(source)
    if files is None or _fitting(files, roles, options) is not None:
        return ()
    return tables_of(files)


def _fitting(files: Files | None, roles: ColumnRoles, options: ReadOptions) -> Reader | None:
    """Reader of some files, None where they are read as they stand."""
    plain_table = roles.item or roles.judge or roles.answer or roles.layout or options.format
    looked_for = options.reader != "table" and (options.reader or not plain_table)
    reader = _reader(files, options.reader) if files is not None and looked_for else None
    if (
        reader is None
        or files is None
        or reader.name != "folder"
        or options.reader
        or options.question
    ):
        return reader
    return None if are_parts(files, roles.judges) else reader


def _long(roles: ColumnRoles) -> ColumnRoles:
    long = replace(roles, item=("item",), judge="judge", answer="answer", layout="long")
    return replace(long, from_reader=True)


def _files(source: Any) -> Files | None:
    """Files that a source names, None where it names none that exist."""
    if isinstance(source, list | tuple):
        if not source or not all(map(is_path, source)):
            return None
        absent = next((path for path in source if not Path(path).is_file()), None)
        if absent is not None:
            open_file(absent)  # says what is wrong with it
        return Files(tuple(map(Path, source)))
    if not is_path(source):
        return None
    refuse_no_path(source)
    path = Path(source)
    if path.is_file():
        return Files((path,)) if path.stat().st_size else None
    if path.is_dir():
        return _of_folder(path)
    matching = sorted(map(Path, glob.glob(str(source), recursive=True)))
    paths = tuple(path for path in matching if path.is_file())
    return Files(paths) if paths else None


def _of_folder(folder: Path) -> Files:
    names = sorted(path for path in folder.rglob("*") if not path.name.startswith("."))
    paths = tuple(path for path in names if path.is_file() and path.stat().st_size)
    if not paths or len(paths) > _MOST_FILES:
        raise DataError(
            f"a folder must hold from 1 to {_MOST_FILES} files; got {len(paths)} in {str(folder)!r}; name a "
            "folder of votes"
        )
    return Files(paths, folder)


def _reader(files: Files, name: str | None) -> Reader | None:
    if name is None:
        return next((reader for reader in READERS if reader.fits(files)), None)
    named = next(reader for reader in READERS if reader.name == name)
    if named.fits(files):
        return named
    raise DataError(
        f"{option('reader', name)} reads files of {named.title}; {files.name} does not look like "
        "one; leave it out"
    )


def _is_database(path: Path) -> bool:
    return path.is_file() and is_database(path)


def _refuse_strange(reader: Reader, name: str, options: ReadOptions) -> None:
    """Refuse what a reader would not follow."""
    stated = [*_only_of_readers(options), *(["table"] if options.table is not None else [])]
    strange = next((name for name in stated if name not in reader.options), None)
    if strange is not None:
        takers = ", ".join(other.title for other in READERS if strange in other.options)
        about = takers or "databases"
        raise DataError(
            f"{option(strange)} is about the files of {about}; {name} is read as one of "
            f"{reader.title}; leave it out"
        )


def _refuse_unknown_document(files: Files | None) -> None:
    """Refuse one JSON object of no tool known: as a table it would be one row of lists."""
    if files is None or files.path.suffix.lower() != ".json":
        return
    document = files.document()
    if not isinstance(document, dict):
        return
    if not any(isinstance(value, dict | list) for value in document.values()):
        return
    keys: Sequence[str] = sorted(keys_of(document))
    raise DataError(
        f"{files.name} must be a table of votes or a file of {_titles()}; got one JSON object with the keys "
        f"{shown(keys, 6)}; write one object per vote"
    )


def _titles() -> str:
    return ", ".join(reader.title for reader in READERS)
