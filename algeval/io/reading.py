"""Any source opened as a table, and a table read as votes, scores or counts."""

from __future__ import annotations

import glob
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.data import NOT_ANSWERED, KeyedSketch, Scores, Sketch, Summary, Votes
from algeval.data.column_words import TOTAL_ROWS
from algeval.data.names import (
    Caution,
    Codes,
    check_choice,
    check_names,
    folded,
    is_sparse,
    natural_order,
    read_only,
)
from algeval.data.scores import KeyKind, misaligned
from algeval.data.sketch import keyed_by_row
from algeval.data.votes import GroupedSketch
from algeval.errors import DataError, option
from algeval.io.answers import (
    Column,
    Meaning,
    Positions,
    ReadOptions,
    Rules,
    answer_notes,
    as_number,
    encode_columns,
    factorise,
    failures,
    failures_note,
    is_infinite,
    look_like_scores,
    people_of,
    plain,
    saved_reading,
    spelling_of,
    tally,
    tidy,
)
from algeval.io.evidence import (
    names_a_verdict,
    names_a_verdict_of_a_model,
    names_a_verdict_of_a_person,
    names_more,
)
from algeval.io.formats import Opened, is_database, open_file, open_rows
from algeval.io.items import (
    Attributes,
    KeySource,
    attribute_by_item,
    attributes_of,
    groupings_of,
    joined_attributes,
    judge_columns,
    key_codes,
    long_rows,
    read_long,
    read_wide,
    wide_items,
)
from algeval.io.layout import (
    ITEM_NAMES,
    JUDGE_NAMES,
    KEY_NAMES,
    ColumnRoles,
    Export,
    Layout,
    check_columns,
    counted_rows,
    export_of,
    find_layout,
    match,
    open_parts,
    shown,
)
from algeval.io.readers.base import (
    Files,
    Held,
    Rows,
    Wanted,
    are_parts,
    holders_of,
    keys_of,
    lists_beside_machines,
    lists_votes,
    parsed,
    refuse_stranger,
    rows_inside,
    rows_of_runs,
    tables_of,
    unlike,
)
from algeval.io.readers.harnesses import gather
from algeval.io.readers.registry import READERS, Reader
from algeval.io.tables import (
    FileTable,
    Index,
    MemoryTable,
    Needed,
    Table,
    is_excel,
    is_path,
    open_table,
    refuse_no_path,
)
from algeval.result import exact

_MOST_FILES = 10_000

_LOG = ("eval", "samples", "status", "model_dump")
"""What a log in memory has, as Inspect's own reader returns it."""


def _check(options: ReadOptions) -> None:
    if options.reader is not None:
        check_choice("reader", options.reader, ["table", *(reader.name for reader in READERS)])
    if options.swap is not None and options.reader is not None:  # else it may name a column
        check_choice("swap", options.swap, ["two", "agree"])
    if options.ground_truth is not None:
        check_choice("ground_truth", options.ground_truth, ["key", "as-votes"])


def _only_of_readers(options: ReadOptions) -> list[str]:
    """Names of the stated options that only readers of tools' files can follow."""
    names = ("question", "latest", "ground_truth")
    stated = [name for name in names if getattr(options, name) not in (None, False)]
    return (
        [*stated, "swap"] if options.swap in ("two", "agree") else stated
    )  # else it names a column


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
    files, held = _files(source), None
    if files is None and opened is None and needed is None and not is_path(source):
        held = open_table(source)
    of_tool = _held(held) or files
    reader = None if opened is not None else _fitting(of_tool, roles, options)
    if reader is not None and of_tool is not None:
        return _table_of_tool(of_tool, reader, options, wanted), _long(roles)
    _refuse_of_readers(source, files, options)
    if files is not None and not roles.anything and options.format is None:
        refuse_stranger(files)
    inside = _rows_of(files) if files is not None and options.format is None else None
    if inside is not None and files is not None:
        return _table_of(files, inside), roles
    _refuse_unknown_document(files)
    if opened is not None:
        opened.connection.execute("RESET memory_limit")
        return FileTable(opened), roles
    if files is not None and (len(files.paths) > 1 or options.format == "hive"):
        return FileTable(open_parts(tables_of(files), format=options.format)), roles
    table = held or open_table(source, format=options.format, table=options.table, needed=needed)
    table = _without_lists(table, files)
    export = export_of(table.names)
    more = has_more_columns(table) or says_columns(options)
    more |= export is not None and export.any_case
    return (counted_rows(table) if more else table), roles


def _held(table: Table | None) -> Files | None:
    """A table in memory as a tool's file, where its columns are one's; None of others."""
    if not isinstance(table, MemoryTable):
        return None
    names = {name.lower() for name in table.names}
    return Held((), held=table) if any(signs <= names for signs in _SIGNS) else None


def _refuse_of_readers(source: Any, files: Files | None, options: ReadOptions) -> None:
    """Refuse options of readers, and of databases, where a source is read as it stands."""
    if files is None and is_path(source):
        return
    what = Path(source).name if is_path(source) else type(source).__name__
    readers = [] if options.reader in (None, "table") else ["reader"]
    name = next(iter(readers + _only_of_readers(options)), None)
    if name is not None:
        about = ", ".join(reader.title for reader in READERS if name in reader.options) or _titles()
        raise DataError(
            f"{option(name)} is about the files of {about}; {what} is none; leave it out"
        )
    of_several = is_excel(source) or (is_path(source) and _is_database(Path(source)))
    if options.table is not None and not of_several:
        raise DataError(
            f"{option('table')} is about databases (DuckDB, SQLite) and workbooks; {what} is none; "
            "leave it out"
        )


def _table_of_tool(
    files: Files, reader: Reader, options: ReadOptions, wanted: Wanted
) -> MemoryTable:
    """Votes that a tool's reader reads, as a long table."""
    _refuse_strange(reader, files.name, options)
    table = reader.read(files, wanted).table(files.name)
    table.notes += _not_read(files, reader, options.question)
    is_table = reader.name in _FLAT and reader.name != "listed" and not files.several
    if is_table:
        table.file = files.in_cells if isinstance(files, Held) else files.path
    return table


def _table_of(files: Files, inside: Rows) -> FileTable:
    """Rows within a file as a table, which knows who gave the votes where the file says it."""
    held = open_rows(files.path, inside.rows, inside.note)
    table = FileTable(replace(held, more_notes=inside.more_notes))
    table.index = Index(sayer=inside.rater)
    return table


def _without_lists(table: Table, files: Files | None) -> Table:
    """Table of a file with a note on lists of votes that are left out."""
    lists = lists_beside_machines(files) if files is not None else ()
    if lists:
        table.notes += (
            Caution(
                f"left out, lists of votes beside the verdicts of a row: {shown(lists)}; take the columns of "
                "verdicts out to read them"
            ),
        )
    return table


def _not_read(files: Files, reader: Reader, question: str | None) -> tuple[Caution, ...]:
    """Note on columns beside those of FastChat or lm-eval that are not read."""
    columns = _fields(files)
    export = export_of(columns)
    if reader.runs is None or export is None:
        return ()
    names = (name.partition(".")[0] for name in columns)
    metrics = {str(m) for m in (files.first_row() or {}).get("metrics") or ()}
    own = {n: None for n in names if export.role(n) is None and n not in metrics}
    more = [name for name in own if name not in _OF_SYSTEMS]
    if not more:
        return ()
    said = f"columns beside those of {export.title}, {shown(more, 4)}, are not read"
    if files.several and (question is not None or not reader.runs(files)):
        return (Caution(f"{said} of several files: name one file to use them"),)
    return (Caution(f"{said}: say what one is to use them, as {option('slice', more[0])}"),)


_OF_SYSTEMS = ("model_name", "model")


def _rows_of(files: Files) -> Rows | None:
    """Rows of a document, of lists of votes, or of runs in several files; None of others."""
    reader = _reader(files, None) if files.several else None
    if reader is not None and reader.runs is not None and (runs := reader.runs(files)):
        return rows_of_runs(files, runs)
    return rows_inside(files)


def _fields(files: Files) -> tuple[str, ...]:
    """Names of columns in any of the files, those within objects after a dot."""
    if not files.several:
        return files.fields() or files.columns()
    each = (Files((path,)) for path in tables_of(files))
    return tuple(dict.fromkeys(name for own in each for name in own.fields() or own.columns()))


def table_files(source: Any, roles: ColumnRoles, options: ReadOptions) -> tuple[Path, ...]:
    """Files of a source that are parts of one table, none where a reader reads them."""
    _check(options)
    files = _files(source)
    if files is None or _fitting(files, roles, options) is not None or export_of(files.columns()):
        return ()
    if lists_votes(files) and options.format is None:
        return ()
    return tables_of(files)


def has_reader(source: Any, options: ReadOptions) -> bool:
    """Whether a reader of a tool's files reads a source."""
    return _fitting(_files(source), ColumnRoles.of(options), options) is not None


def _fitting(files: Files | None, roles: ColumnRoles, options: ReadOptions) -> Reader | None:
    """Reader of some files, None where they are read as they stand."""
    plain_table = roles.item or roles.judge or roles.answer or roles.layout or options.format
    looked_for = options.reader != "table" and (options.reader or not plain_table)
    reader = _reader(files, options.reader) if files is not None and looked_for else None
    flat = reader is not None and options.reader is None and options.question is None
    if flat and files is not None and _has_more(files, reader, options):
        return None
    if (
        reader is None
        or files is None
        or reader.name != "folder"
        or options.reader
        or options.question
    ):
        return reader
    return None if are_parts(files, roles.judges) else reader


_FLAT = ("label-studio", "mturk", "fastchat", "prodigy", "lm-eval", "listed")
"""Readers of tables in which columns of a person's own may stand beside those of the tool."""


_OF_ROWS = ("label-studio", "mlflow", "mturk", "prodigy")
"""Readers of files that are a row each of what somebody labelled, which a table in memory may hold, too."""

_SIGNS = (
    {"annotations", "data"},
    {"annotation_id", "annotator", "id"},
    {"trace_id", "assessments"},
    {"hitid", "workerid", "assignmentstatus"},
    {"_input_hash", "_task_hash", "answer"},
)
"""Columns of these, in small letters."""


def _has_more(files: Files, reader: Reader | None, options: ReadOptions) -> bool:
    """Whether rows of a tool have columns beside the tool's that an option names, or that hold verdicts.

    So they do where their names say a model's or a person's; of rows with an object of votes all others.
    """
    if reader is None or reader.name not in _FLAT:
        return False
    if files.several and (reader.runs is None or not reader.runs(files)):
        return False
    columns = files.fields() or files.columns() if reader.runs is None else _fields(files)
    if reader.name == "label-studio" and "annotations" in columns:
        return False  # tasks, of which a row is no vote
    if reader.name == "listed":
        return lists_votes(files) or _is_a_record(files, options, columns)
    export = export_of(columns)
    named = not _named_columns(options).isdisjoint(columns)
    named |= reader.name == "lm-eval" and not files.several and _is_scored_text(files, columns)
    if files.several and reader.runs is not None:  # the folder says which model it is
        columns = tuple(name for name in columns if name not in _OF_SYSTEMS)
    return named or any(says_more(name, export) for name in columns)


def _is_scored_text(files: Files, columns: Sequence[str]) -> bool:
    """Whether rows of lm-eval hold what one model wrote, and whether it was right."""
    answers = (files.first_row() or {}).get("filtered_resps")
    export = export_of(columns)
    written = isinstance(answers, list) and answers and isinstance(answers[0], str)
    return bool(written) and any(
        export is not None and export.role(name) == "judge" for name in columns
    )


def says_columns(options: ReadOptions) -> bool:
    """Whether options on the roles of columns are stated."""
    return bool(_named_columns(options))


_OF_A_READER = {"item", "judge", "answer", "target"}
"""Columns of the table that a reader of a tool's files makes."""


def _named_columns(options: ReadOptions) -> set[str]:
    """Names that options on columns have; labels in tables and files name none."""
    stated = [getattr(options, name) for name in ("judges", *NAMING)]
    listed = [value if isinstance(value, list | tuple) else [value] for value in stated]
    saved = set() if options.columns is None else {*saved_reading(options.columns)["columns"]}
    saved = set() if saved <= _OF_A_READER else saved
    return {*saved, *(name for names in listed for name in names if isinstance(name, str))}


NAMING = ("human", "prompt", "system", "systems", "trial", "slice", "covariate", "text", "ignore")
"""Options that name columns of a results table alone."""


def says_more(name: str, export: Export | None) -> bool:
    """Whether a column that is none of a tool's own holds a model's or a person's verdicts, by its name."""
    if export is not None and export.role(name) is not None:
        return False
    systems = export is not None and export.title == "lm-eval" and name in ("model_name", "model")
    if export is not None and export.answers and not systems:  # llm.answer, beside answer
        name = re.sub(rf"[._ -](?:answer|{export.answers})$", "_verdict", name)
    return systems or names_a_verdict(name)


def _is_a_record(files: Files, options: ReadOptions, columns: Sequence[str]) -> bool:
    """Whether rows hold an object of verdicts beside more than an id and a true label."""
    row = files.first_row() or {}
    holders = holders_of(row)
    if len(holders) != 1 or not isinstance(row[holders[0]], dict):
        return False
    judges = [
        name.removeprefix(f"{holders[0]}.") for name in columns if name.startswith(f"{holders[0]}.")
    ]
    if not set(map(str, options.judges or judges)) <= {
        *columns,
        *(judges if not options.judges else ()),
    }:
        return False
    more = [
        n for n in columns if n.rpartition(".")[2] not in judges and not n.startswith(holders[0])
    ]
    named = _named_columns(options).isdisjoint(more)
    return not named or any(map(names_more, more)) or any(map(names_a_verdict_of_a_person, judges))


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
    of_rows = [r for r in READERS if r.name in _OF_ROWS or not isinstance(files, Held)]
    if name is None:
        return next((reader for reader in of_rows if reader.fits(files)), None)
    named = next(reader for reader in READERS if reader.name == name)
    if named in of_rows and named.fits(files):
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


Notes = tuple[str, ...]
Truths = tuple[str | None, ...] | tuple[float | None, ...]
Read = tuple[tuple[str, ...], tuple[str, ...], NDArray[np.float64], Positions, Attributes, Notes]
"""items, judges, values, each row's item, attributes, notes"""


def scores_in(table: Table, layout: Layout, rules: Rules) -> int:
    """How many different scores a table holds, 0 if it is one of votes."""
    if layout.kind == "long":
        columns = [table.column(layout.answer)]
    else:
        columns, _ = judge_columns(table, layout, rules)
    answers = [{text for text in rules.read(column) if text is not None} for column in columns]
    numeric = [{t for t in texts if as_number(t) is not None} for texts in answers if texts]
    numbers = set().union(*numeric)
    return len(numbers) if numeric and all(numeric) and look_like_scores(numbers) else 0


def with_attributes(scores: Scores, source: Any) -> tuple[Scores, Notes]:
    """Scores with attributes from a table of its own, joined by item, and notes."""
    more, notes = joined_attributes(source, scores.items)
    attributes = {**(scores.attributes or {}), **more}
    fields = (scores.items, scores.judges, scores.values, scores.key, attributes, scores.key_kind)
    return Scores(*fields), notes


def scores_of_table(
    table: Table, roles: ColumnRoles, layout: Layout, truth: KeySource, missing: Any
) -> tuple[Scores, Notes]:
    """Scores of a table and one sentence per thing done."""
    if not roles.anything:
        refuse_export(table)
    rules = Rules.make(
        missing, None, 0
    )  # as for a cut, wherever it is: columns of words are no judges
    read = _read_long if layout.kind == "long" else _read_wide
    items, judges, values, row_items, attributes, notes = read(table, layout, roles, rules)
    absent = int(np.isnan(values).sum())
    if absent == values.size:
        raise DataError(
            "scores must hold at least one number; got none; check the columns of scores"
        )
    key, key_notes = _key(truth, table, items, row_items, missing)
    kind: KeyKind = "number" if any(isinstance(t, float) for t in key or ()) else "class"
    scores = Scores(items, judges, values, key, attributes, kind)
    last = f"{absent} of {values.size} scores missing"
    against = (warning.sentence() for warning in misaligned(scores))
    return scores, (*table.notes, *layout.notes, *notes, *key_notes, *against, last)


def _read_wide(table: Table, layout: Layout, roles: ColumnRoles, rules: Rules) -> Read:
    items = wide_items(table, layout)
    columns, notes = judge_columns(table, layout, rules)
    rows = np.arange(table.n_rows)
    values, failed = _numbers(columns, rules, items, rows)
    judges = tuple(column.name for column in columns)
    attributes, said = attributes_of(table, layout.rest, rules)
    notes = (*notes, f"judges: {shown(judges)}", *said, *failed)
    return items, judges, values, rows, attributes, notes


def _read_long(table: Table, layout: Layout, roles: ColumnRoles, rules: Rules) -> Read:
    rows = long_rows(table, layout, roles)
    flat, failed = _numbers([table.column(layout.answer)], rules, rows.items, rows.item_of)
    values = rows.table(flat[:, 0], np.nan)
    attributes, said = attributes_of(table, layout.rest, rules)
    by_item = {name: attribute_by_item(name, column, rows) for name, column in attributes.items()}
    return rows.items, rows.judges, values, rows.item_of, by_item, (*rows.notes, *said, *failed)


def _numbers(
    columns: Sequence[Column], rules: Rules, items: tuple[str, ...], row_items: Positions
) -> tuple[NDArray[np.float64], Notes]:
    """Return (rows, columns): what each cell spells, NaN where it means no answer."""
    texts = [rules.read(column) for column in columns]
    counted = tally(columns, texts)
    failed = failures(counted, rules)
    values = np.empty((len(row_items), len(columns)))
    for position, (column, read) in enumerate(zip(columns, texts, strict=True)):
        kept = [None if text in failed else text for text in read]
        numbers = [None if text is None else as_number(text) for text in kept]
        pairs = zip(kept, numbers, strict=True)
        strange = [text is not None and number is None for text, number in pairs]
        if any(strange):
            row = np.flatnonzero(np.array([*strange, False])[column.codes])[0]
            raise _no_number(column.name, str(kept[column.codes[row]]), items[row_items[row]])
        values[:, position] = np.array([*numbers, None], float)[column.codes]
    return values, failures_note({text: counted[text][0] for text in failed})


def _no_number(column: str, text: str, item: str) -> DataError:
    if is_infinite(text):
        return DataError(
            f"column {column!r} must hold finite numbers; got {text!r} for item {item!r}; leave the cell "
            "empty where there is no score"
        )
    return DataError(
        f"column {column!r} must hold numbers; got {text!r} for item {item!r}; name it in "
        f"{option('missing', reads=True)} if it means no score, or choose columns with {option('judges')}"
    )


def _key(
    source: KeySource, table: Table, items: tuple[str, ...], row_items: Positions, missing: Any
) -> tuple[Truths | None, Notes]:
    """Return one truth per item: classes in one spelling each, or numbers."""
    if source.absent:
        return None, ()
    source, joined_notes = source.for_items(items)
    rules = Rules.make(missing, None, None)
    if source.column is not None or source.rows is not None:
        rows = factorise(source.name, list(source.rows or ()))
        column = rows if source.column is None else table.column(source.column)
        read = rules.read(column)
        counted = tally([column], [read])
    else:
        read = [rules.answer(cell) for cell in (source.pairs or ((), ()))[1]]
        met = Counter(text for text in read if text is not None)
        counted = {text: (n, position) for position, (text, n) in enumerate(met.items())}
    numbers = _key_numbers(counted, source.name)
    spelling = spelling_of({} if numbers else counted, None)
    texts = natural_order({t for t in spelling.all(counted) if t is not None})
    meaning = Meaning(texts, texts, spelling, frozenset(), ())
    codes, notes = key_codes(source, table, items, row_items, meaning, rules)
    notes = (*joined_notes, *notes)
    cells: list[Any] = [*(map(numbers.__getitem__, texts) if numbers else texts), None]
    return tuple(cells[code] for code in ([] if codes is None else codes.tolist())), notes


def _key_numbers(texts: Iterable[str], name: str) -> dict[str, float]:
    """Number each truth spells; nothing where they are classes."""
    endless = next(filter(is_infinite, texts), None)
    if endless is not None:
        raise DataError(
            f"{name} must hold finite numbers or classes; got {endless!r}; leave the cell empty where the "
            "truth is not known"
        )
    read = {text: as_number(text) for text in texts}
    numbers = {text: number for text, number in read.items() if number is not None}
    words = [text for text in read if text not in numbers]
    if words and numbers:
        raise DataError(
            f"{name} must hold numbers or classes, not both; got {words[0]!r} beside "
            f"{next(iter(numbers))!r}; name in {option('missing', reads=True)} what means no "
            "truth, or make all of them classes"
        )
    return {} if numbers.keys() <= {"0", "1"} else numbers


# --- Tables of known tools whose columns mean something else than their names suggest.


@dataclass(frozen=True, slots=True)
class _Export:
    """A table told by its columns, why it is no plain table of votes, and what to do."""

    columns: frozenset[str]
    name: str
    advice: str
    applies: Callable[[Table], bool] = lambda table: True


def _several_names(table: Table) -> bool:
    name = "name" if "name" in table.names else "annotation_name"
    return len({plain(value) for value in table.column(name).values} - {None}) > 1


def _unlike_feedback(table: Table) -> bool:
    """Whether evaluators give answers that have nothing in common."""
    names = [name for name in table.names if name.startswith("feedback.")]
    columns = [table.column(name) for name in names if not name.lower().endswith("comment")]
    answers = [{tidy(value) for value in column.values} - {None} for column in columns]
    return unlike({str(a) for a in distinct} for distinct in answers)


def _any_rejected(table: Table) -> bool:
    return any(plain(value) == "Rejected" for value in table.column("AssignmentStatus").values)


def _exports_of_evaluations() -> tuple[_Export, ...]:
    pairs = (
        "pair comparisons in which the two models may change places from row to row; make one item of "
        "question and models in one fixed order, name the winner by its place in it, and pass "
        f"{option('item')}, {option('judge')} and {option('answer')}"
    )
    return (
        _Export(frozenset({"model_a", "model_b", "winner"}), "arena", pairs, _winners_alone),
        _Export(frozenset({"model_1", "model_2", "g1_winner", "g2_winner"}), "FastChat", pairs),
        _Export(
            frozenset({"span_id", "name", "identifier", "annotator_kind"}),
            "Phoenix",
            "annotations of several questions (column 'name'); keep the rows of one question, and pass "
            f"{option('item', 'span_id')}, {option('judge', 'identifier')}, {option('answer', 'label')}",
            _several_names,
        ),
        _Export(
            frozenset({"span_id", "annotation_name", "identifier", "annotator_kind"}),
            "Phoenix",
            "annotations of several questions (column 'annotation_name'); keep the rows of one question, and "
            f"pass {option('item', 'span_id')}, {option('judge', 'identifier')}, "
            f"{option('answer', 'result.label')}",
            _several_names,
        ),
        _Export(
            frozenset({"example_id", "execution_time"}),
            "LangSmith",
            f"feedback of evaluators whose answers have nothing in common; name in {option('judges')} the "
            "columns feedback.* that answer one question",
            _unlike_feedback,
        ),
        _Export(
            frozenset({"trace_id", "assessments"}),
            "MLflow",
            "traces with a list of assessments each; write them as JSON lines and name the file, or one row "
            "per assessment: trace_id as item, source.source_id as judge, feedback.value as answer",
        ),
    )


def _exports_of_labelling() -> tuple[_Export, ...]:
    return (
        _Export(
            frozenset({"_input_hash", "options", "accept"}),
            "Prodigy",
            "choices in the list 'accept'; name the file of JSON lines, or write its one entry as the answer "
            f"and pass {option('item', '_input_hash')}, {option('judge', '_annotator_id')}",
        ),
        _Export(
            frozenset({"HITId", "WorkerId", "AssignmentStatus"}),
            "Mechanical Turk",
            "assignments, some of them rejected; name the CSV file, or leave those out and pass "
            f"{option('item', 'HITId')}, "
            f"{option('judge', 'WorkerId')} and the answer column with {option('answer')}",
            _any_rejected,
        ),
        _Export(
            frozenset({"HITId", "WorkerId", "AssignmentStatus"}),
            "Mechanical Turk",
            f"assignments; pass {option('item', 'HITId')}, {option('judge', 'WorkerId')} and the "
            f"answer column with {option('answer')}",
        ),
    )


_OF_TOOLS = frozenset(
    {
        "winner",
        "g1_winner",
        "dataType",
        "annotator_kind",
        "execution_time",
        "assessments",
        "accept",
        "HITId",
    }
)
"""A column of each export, so that most tables need no closer look."""


def _winners_alone(table: Table) -> bool:
    """Whether an item has several winners, and neither a judge nor a model's verdict stands beside them."""
    if any(map(names_a_verdict_of_a_model, table.names)):
        return False
    item = match(table.names, ITEM_NAMES)
    judge = match(table.names, [name for name in JUDGE_NAMES if name != "model"])
    again = [n is not None and len(table.column(n).values) < table.n_rows for n in (item, judge)]
    return again[0] and not again[1]


def refuse_export(table: Table) -> None:
    """Refuse a known tool's table, where nobody said what its columns are, and none says so itself."""
    names = set(table.names)
    if names.isdisjoint(_OF_TOOLS) or has_more_columns(table):
        return
    for export in (*_exports_of_evaluations(), *_exports_of_labelling()):
        if export.columns <= names and export.applies(table):
            raise DataError(
                f"a table of votes must be wide or long; got one of {export.name} by its columns "
                f"{shown(sorted(export.columns))}, which holds {export.advice}"
            )


def has_more_columns(table: Table) -> bool:
    """Whether a known tool's table has columns of verdicts beside the tool's own, or its own count them."""
    export = export_of(table.names)
    if export is None:
        return False
    scored = export.title == "lm-eval" and any(export.role(name) == "judge" for name in table.names)
    return scored or any(says_more(name, export) for name in table.names)


# --- Read votes from a file, a frame or records, wide or long, and say what was done.


def votes_of_table(
    table: Table, roles: ColumnRoles, rules: Rules, truth: KeySource
) -> tuple[Votes, tuple[str, ...]]:
    """Votes of a table and one sentence per thing done."""
    if not roles.anything:
        refuse_export(table)
    layout = find_layout(table, roles)
    reader = read_long if layout.kind == "long" else read_wide
    items, names, meaning, codes, row_items, notes = reader(table, layout, roles, rules)
    positions, key_notes = key_codes(truth, table, items, row_items, meaning, rules)
    key = None if positions is None else positions.astype(np.int16)
    read_only(codes)
    said = (*meaning.notes, *answer_notes(meaning.labels, meaning.answers, rules))
    if not (roles.judges or roles.judge or roles.answer or roles.layout or rules.labels):
        _refuse_distinct_texts(names, meaning.answers, codes)
    rest = (f"columns left out: {shown(layout.rest)}",) if layout.rest else ()
    odd = () if rules.labels else _totals_note(items, meaning.answers, codes)
    absent = int((codes == NOT_ANSWERED).sum())
    all_notes = (
        *table.notes,
        *layout.notes,
        *rest,
        *notes,
        *said,
        *odd,
        *key_notes,
        f"{absent} of {codes.size} votes missing",
    )
    groupings = groupings_of(table, layout, roles, row_items, len(items))
    votes = Votes(items, names, meaning.labels, meaning.answers, codes, key, all_notes, groupings)
    return votes, all_notes


def _refuse_distinct_texts(judges: Sequence[str], answers: Sequence[str], codes: Codes) -> None:
    """Refuse a lone judge that says something else of every item: a column of text was taken for votes."""
    texts = all(as_number(answer) is None for answer in answers)
    if len(judges) == 1 and len(answers) > 2 and texts and (codes >= 0).sum() == len(answers):
        raise DataError(
            f"answers must occur again; the only judge, {judges[0]!r}, gives a text of its own to every item "
            f"(such as {answers[0]!r}); name the columns of votes with {option('judges')}, or "
            f"{option('judge')} and {option('answer')}"
        )


def _totals_note(items: Sequence[str], answers: Sequence[str], codes: Codes) -> tuple[str, ...]:
    """Where the last item looks like totals, or few numbers stand among words."""
    if len(items) > 2 and folded(items[-1]) in TOTAL_ROWS:
        return (Caution(f"the last item, {items[-1]!r}, looks like a row of totals{_leave_out()}"),)
    number = np.array([as_number(answer) is not None for answer in answers] + [False])
    if not number.any() or number[:-1].all():
        return ()
    votes = codes.values if is_sparse(codes) else codes[codes >= 0]
    counts = np.bincount(votes, minlength=len(answers))
    n, others = int(counts[number[:-1]].sum()), counts[~number[:-1]]
    if not n or n > 2 * codes.shape[1] or 2 * n > others.sum() or others.max() < 2:
        return ()
    if is_sparse(codes):
        rows = np.unique(codes.rows[number[votes]])
    else:
        rows = np.flatnonzero(number[codes].any(axis=1))
    numbers = [answer for answer, is_number in zip(answers, number, strict=False) if is_number]
    of = shown([items[row] for row in rows.tolist()], 3)
    return (
        Caution(
            f"numbers among words, {shown(numbers, 4)} of item {of}, may be totals{_leave_out()}"
        ),
    )


def _leave_out() -> str:
    return f"; leave such a row out, or name what means no vote in {option('missing', reads=True)}"


# --- Read counts and the JSON documents the package writes, and tell them from tables of votes.


Document = Sketch | KeyedSketch | Summary | Votes | Scores
_CLASSES: dict[str, type[Document]] = {
    "algeval.sketch/1": Sketch,
    "algeval.keyed_sketch/1": KeyedSketch,
    "algeval.grouped_sketch/1": GroupedSketch,
    "algeval.summary/1": Summary,
    "algeval.votes/1": Votes,
    "algeval.scores/1": Scores,
}


def read_sketch(path: str | os.PathLike[str]) -> Document:
    """Read a JSON file written from `to_dict` of a Sketch, KeyedSketch, Summary, Votes or Scores.

    Parameters
    ----------
    path : path
        The schema tag in the file says which of them it is; its digest is checked.

    Raises
    ------
    DataError
        If the file is no such document.

    Examples
    --------
    >>> import json, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "s.json"
    >>> _ = path.write_text(json.dumps(Sketch.from_counts({"ab": 2}).to_dict()))
    >>> read_sketch(path).n_items
    2
    """
    if not is_path(path):
        raise DataError(
            f"path must name a file; got {type(path).__name__}; write its path, or use load for other data"
        )
    document = _document(Path(path))
    schema = document.get("schema") if isinstance(document, Mapping) else None
    if not isinstance(document, Mapping) or schema not in _CLASSES:
        raise DataError(
            f"{Path(path).name} must be a sketch, summary, votes or scores document; got schema {schema!r}; "
            f"the schema must be one of {list(_CLASSES)}"
        )
    try:
        return _CLASSES[schema].from_dict(document)
    except DataError:
        raise
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise DataError(
            f"{Path(path).name} must be a whole {schema} document; got a broken one "
            f"({type(error).__name__}: {error}); write it again"
        ) from None


def _document(path: Path) -> Any:
    try:
        return parsed(path.read_bytes().decode("utf-8-sig"), path.name)
    except DataError:
        raise
    except OSError as error:
        raise DataError(
            f"source must be a readable file; got {str(path)!r}; {error.strerror}"
        ) from None
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path.name} must be a JSON document; {error}; check the file") from None


def read_counts(
    source: Any,
    *,
    judges: Iterable[object] | None = None,
    count: str = "count",
    labels: Iterable[object] | None = None,
    format: str | None = None,
    missing: str | Iterable[object] | None = None,
    exact_labels: bool | None = None,
    map: Mapping[Any, object] | None = None,
) -> Sketch:
    """Read a table of counted decision tuples: a column per judge and one of counts.

    Parameters
    ----------
    source : path, data frame, list of dicts or {column: cells}
        A row per decision tuple; rows with the same tuple are added up.
    judges : list of str, optional
        Columns that hold answers; all but `count` by default.
    count : str
        The column of counts, whole numbers.
    labels, format, missing, exact_labels, map
        As for `read_votes`.

    Raises
    ------
    DataError
        If a column is missing or a count is no whole number.

    Examples
    --------
    >>> read_counts({"i": ["a", "b"], "j": ["a", "a"], "count": [3, 4]}).to_counts()
    {('a', 'a'): 3, ('b', 'a'): 4}
    """
    rules = Rules.make(missing, labels, None, exact_labels, map)
    return _sketch_of_table(source, judges, count, format, rules)[0]


def _sketch_of_table(
    source: Any, judges: Iterable[object] | None, count: str, format: str | None, rules: Rules
) -> tuple[Sketch, tuple[str, ...]]:
    columns, counts, _ = _counted(source, judges, count, None, format)
    meaning, codes = encode_columns(columns, rules, counts)
    names = tuple(column.name for column in columns)
    sketch = Sketch(names, meaning.labels, meaning.answers, codes, counts)
    return sketch, (*meaning.notes, *answer_notes(meaning.labels, meaning.answers, rules))


def read_keyed_counts(
    source: Any,
    *,
    key: str,
    judges: Iterable[object] | None = None,
    count: str = "count",
    labels: Iterable[object] | None = None,
    format: str | None = None,
    missing: str | Iterable[object] | None = None,
    exact_labels: bool | None = None,
    map: Mapping[Any, object] | None = None,
) -> KeyedSketch:
    """Read counted decision tuples whose true label stands in the column `key`.

    Other parameters and errors are those of `read_counts`; labels are read from the answers.

    Examples
    --------
    >>> table = {"i": ["a", "b"], "truth": ["b", "b"], "count": [3, 4]}
    >>> read_keyed_counts(table, key="truth").evaluation().accuracy("i", "b")
    Fraction(4, 7)
    """
    rules = Rules.make(missing, labels, None, exact_labels, map)
    return _keyed_of_table(source, judges, count, key, format, rules)[0]


def _keyed_of_table(
    source: Any,
    judges: Iterable[object] | None,
    count: str,
    key: str,
    format: str | None,
    rules: Rules,
) -> tuple[KeyedSketch, tuple[str, ...]]:
    columns, counts, truth = _counted(source, judges, count, key, format)
    meaning, codes = encode_columns(columns, rules, counts)
    names = meaning.labels
    position_of = {label: t for t, label in enumerate(names)}
    read = [] if truth is None else [*meaning.spelling.all(rules.read(truth)), None]
    truths = [] if truth is None else [read[code] for code in truth.codes.tolist()]
    for row, label in enumerate(truths, start=1):
        if label not in position_of:
            raise DataError(
                f"every true label must be one of the labels {list(names)}; got {label!r} in row {row}; "
                f"pass {option('labels')} to add it"
            )
    sketch = Sketch(tuple(c.name for c in columns), names, meaning.answers, codes, counts)
    positions = np.array([position_of[str(label)] for label in truths], np.intp)
    notes = (*meaning.notes, *answer_notes(names, meaning.answers, rules))
    return keyed_by_row(sketch, codes, counts, positions), notes


def _counted(
    source: Any, judges: Iterable[object] | None, count: str, key: str | None, format: str | None
) -> tuple[list[Column], Positions, Column | None]:
    table = open_table(source, format=format)
    check_columns(table, [("count", count), ("key", key)])
    if judges is None:
        rest = [name for name in table.names if name not in (count, key)]
        odd = match(rest, [*ITEM_NAMES, *KEY_NAMES])
        if odd is not None:
            raise DataError(
                f"a table of counts must hold one column per judge; {odd!r} does not look like one; name "
                f"the judges among {shown(rest)} with {option('judges')}"
            )
        names = check_names("judge", rest)
    else:
        names = check_names("judge", judges)
        check_columns(table, [("judges", name) for name in names])
    columns = [table.column(name) for name in names]
    column = table.column(count)
    numbers = []
    blank = [plain(value) is None for value in column.values]
    empty = np.flatnonzero(column.look_up(list(map(int, blank))) != 0)
    if len(empty):
        raise DataError(
            f"column {column.name!r} must hold a count in every row; row {empty[0] + 1} has none; fill it"
        )
    for value in column.values:
        text = plain(value) or ""
        number = exact(text, f"column {column.name!r}")
        if number.denominator != 1 or not 0 <= number < 2**63:
            raise DataError(
                f"column {column.name!r} must hold whole numbers from 0 to 2^63-1; got {text!r}; count items"
            )
        numbers.append(int(number))
    return columns, column.look_up(numbers), None if key is None else table.column(key)


_OF_COUNTS = {
    "count",
    "judges",
    "human",
    "good",
    "key",
    "labels",
    "format",
    "missing",
    "exact_labels",
    "map",
}


def counts_of(source: Any, options: ReadOptions) -> tuple[Sketch | KeyedSketch, tuple[str, ...]]:
    """Counts in a table of decision tuples, by true label where a key is named, and notes."""
    wrong = next((name for name in options.stated() if name not in _OF_COUNTS), None)
    if wrong is not None:
        raise DataError(
            f"a table of counts must be read without {option(wrong, reads=True)}; it has a row per decision "
            "tuple, a column per judge and one of counts; leave it out"
        )
    rules, count, key = Rules.of(options), str(options.count), people_of(options)
    notes = (f"counts read from column {options.count!r}",)
    if key is None:
        sketch, more = _sketch_of_table(source, options.judges, count, options.format, rules)
        return sketch, (*notes, *more)
    keyed, more = _keyed_of_table(source, options.judges, count, key, options.format, rules)
    return keyed, (*notes, f"true labels read from column {key!r}", *more)
