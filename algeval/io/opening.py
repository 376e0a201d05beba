"""Any source as a table: a tool's files by their reader, everything else as it stands."""

from __future__ import annotations

import glob
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from algeval.data.names import check_choice
from algeval.errors import DataError
from algeval.io.formats import is_database, open_file
from algeval.io.layout import Asked, open_parts, shown
from algeval.io.readers.base import Files, Wanted, are_parts, keys_of, refuse_stranger, tables_of
from algeval.io.readers.harnesses import as_document, gather, is_log
from algeval.io.readers.registry import READERS, Reader
from algeval.io.tables import FileTable, Needed, Table, is_path, open_table, refuse_no_path

_MOST_FILES = 10_000


@dataclass(frozen=True, slots=True)
class Ways:
    """How a source is to be opened, as far as the caller said it.

    Attributes
    ----------
    format : str or None
        Of a table in a file.
    reader : str or None
        The reader to use; "table" for none.
    question : str or None
        Which question of files that ask several.
    swap : str or None
        A judge asked about a pair in both orders is "two" judges, or one who is "inconsistent" where they
        do not "agree".
    table : str or None
        Of a database, which table.
    latest : bool or None
        Whether the newest of a judge's votes on an item counts.
    ground_truth : str or None
        Annotations marked as ground truth are the "key", or "as-votes" where all are so marked.
    """

    format: str | None = None
    reader: str | None = None
    question: str | None = None
    swap: str | None = None
    table: str | None = None
    latest: bool | None = None
    ground_truth: str | None = None

    def __post_init__(self) -> None:
        if self.reader is not None:
            check_choice("reader", self.reader, ["table", *(one.name for one in READERS)])
        if self.swap is not None:
            check_choice("swap", self.swap, ["two", "agree"])
        if self.ground_truth is not None:
            check_choice("ground_truth", self.ground_truth, ["key", "as-votes"])

    def given(self) -> dict[str, Any]:
        """Return what was said that only readers of tools' files can follow."""
        said = {
            name: getattr(self, name) for name in ("question", "swap", "latest", "ground_truth")
        }
        return {name: value for name, value in said.items() if value not in (None, False)}

    def wanted(self, judges: tuple[str, ...] | None) -> Wanted:
        """Return what a reader is asked."""
        truth = self.ground_truth == "as-votes"
        return Wanted(self.question, judges, self.swap or "two", bool(self.latest), truth)


def open_source(
    source: Any, asked: Asked, ways: Ways, needed: Needed | None = None
) -> tuple[Table, Asked]:
    """Return a source as a table, and what is known of its columns.

    The files of a tool that has a reader become a long table whose columns are known. A reader is looked
    for unless the caller says what the columns are, or the format.

    Parameters
    ----------
    source : path, list of paths, folder, pattern of paths, log in memory, data frame, records, ...
    asked : Asked
        What the caller said of the columns.
    ways : Ways
    needed : callable, optional
        Picks the columns of a data frame to be brought into memory, from all their names.

    Raises
    ------
    DataError
        If there is no reader for what it is told to read, or the files cannot be read.
    """
    wanted = ways.wanted(asked.judges)
    if is_log(source):
        _refuse_strange(READERS[0], "the log", ways)
        return gather(as_document(source), "the log", wanted).table("the log"), _long(asked)
    files = _files(source)
    reader = _fitting(files, asked, ways)
    if reader is None or files is None:
        if files is not None or not is_path(source):
            _refuse_choices(source, ways)
        if files is not None and not asked.anything and ways.format is None:
            refuse_stranger(files)
        _refuse_unknown_document(files)
        if files is not None and (len(files.paths) > 1 or ways.format == "hive"):
            return FileTable(open_parts(tables_of(files), format=ways.format)), asked
        table = open_table(source, format=ways.format, table=ways.table, needed=needed)
        return table, asked
    _refuse_strange(reader, files.name, ways)
    return reader.read(files, wanted).table(files.name), _long(asked)


def table_files(source: Any, asked: Asked, ways: Ways) -> tuple[Path, ...]:
    """Return the files of a source that are parts of one table, none where a reader reads them.

    Errors are those of `open_source`.
    """
    files = _files(source)
    if files is None or _fitting(files, asked, ways) is not None:
        return ()
    return tables_of(files)


def _fitting(files: Files | None, asked: Asked, ways: Ways) -> Reader | None:
    """Return the reader of some files, None where they are read as they stand."""
    told = asked.item or asked.judge or asked.answer or asked.layout or ways.format
    looked_for = ways.reader != "table" and (ways.reader or not told)
    reader = _reader(files, ways.reader) if files is not None and looked_for else None
    if reader is None or files is None or reader.name != "folder" or ways.reader or ways.question:
        return reader
    return None if are_parts(files, asked.judges) else reader


def _long(asked: Asked) -> Asked:
    long = replace(asked, item=("item",), judge="judge", answer="answer", layout="long")
    return replace(long, from_reader=True)


def _files(source: Any) -> Files | None:
    """Return the files that a source names, None where it names none that exist."""
    if isinstance(source, list | tuple):
        if not source or not all(map(is_path, source)):
            return None
        absent = next((one for one in source if not Path(one).is_file()), None)
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
    found = tuple(one for one in matching if one.is_file())
    return Files(found) if found else None


def _of_folder(folder: Path) -> Files:
    names = sorted(path for path in folder.rglob("*") if not path.name.startswith("."))
    found = tuple(path for path in names if path.is_file() and path.stat().st_size)
    if not found or len(found) > _MOST_FILES:
        raise DataError(
            f"a folder must hold from 1 to {_MOST_FILES} files; got {len(found)} in {str(folder)!r}; name a "
            "folder of votes"
        )
    return Files(found, folder)


def _reader(files: Files, name: str | None) -> Reader | None:
    if name is None:
        return next((reader for reader in READERS if reader.fits(files)), None)
    named = next(reader for reader in READERS if reader.name == name)
    if named.fits(files):
        return named
    raise DataError(
        f"reader={name!r} reads files of {named.title}; {files.name} does not look like one; leave it out"
    )


def _refuse_choices(source: Any, ways: Ways) -> None:
    """Refuse choices that only a reader can make, and a table of what is no database."""
    what = Path(source).name if is_path(source) else type(source).__name__
    given = ({"reader": ways.reader} if ways.reader not in (None, "table") else {}) | ways.given()
    if given:
        name = next(iter(given))
        about = ", ".join(one.title for one in READERS if name in one.options) or _known()
        raise DataError(f"{name}= is about the files of {about}; {what} is none; leave it out")
    if ways.table is not None and not (is_path(source) and _is_database(Path(source))):
        raise DataError(f"table= is about databases (DuckDB, SQLite); {what} is none; leave it out")


def _is_database(path: Path) -> bool:
    return path.is_file() and is_database(path)


def _refuse_strange(reader: Reader, name: str, ways: Ways) -> None:
    """Refuse what a reader would not follow."""
    given = [*ways.given(), *(["table"] if ways.table is not None else [])]
    strange = next((option for option in given if option not in reader.options), None)
    if strange is not None:
        about = ", ".join(one.title for one in READERS if strange in one.options) or "databases"
        raise DataError(
            f"{strange}= is about the files of {about}; {name} is read as one of {reader.title}; leave it out"
        )


def _refuse_unknown_document(files: Files | None) -> None:
    """Refuse one JSON object of no tool known: as a table it would be one row of lists."""
    if files is None or files.path.suffix.lower() != ".json":
        return
    found = files.document()
    if not isinstance(found, dict) or not any(isinstance(v, dict | list) for v in found.values()):
        return
    keys: Sequence[str] = sorted(keys_of(found))
    raise DataError(
        f"{files.name} must be a table of votes or a file of {_known()}; got one JSON object with the keys "
        f"{shown(keys, 6)}; write one object per vote"
    )


def _known() -> str:
    return ", ".join(reader.title for reader in READERS)
