"""Several files of one kind, a judge each, joined on the item."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path

from algeval.errors import DataError
from algeval.io.answers import tidy
from algeval.io.layout import ANSWER_NAMES, ITEM_NAMES, JUDGE_NAMES, candidates, match, shown
from algeval.io.readers.columns import columns_of
from algeval.io.readers.files import Files
from algeval.io.readers.gathered import Gathered, Wanted
from algeval.io.tables import Table, open_table

__all__ = ["are_parts", "fits", "read", "tables_of"]

_KINDS = {".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet", ".xlsx"}
_FOR_PEOPLE = {".md", ".txt", ".log", ".html", ".yaml", ".yml"}


def fits(files: Files) -> bool:
    """Whether several files were named, by a list or a folder."""
    return files.several


def tables_of(files: Files) -> tuple[Path, ...]:
    """Return the files that are not for people to read."""
    return tuple(path for path in files.paths if path.suffix.lower() not in _FOR_PEOPLE)


def are_parts(files: Files, judges: tuple[str, ...] | None) -> bool:
    """Whether files are parts of one table, not the votes of a judge each, by the names of their columns.

    They are where all have the same columns, and these name the judges (a long table), or are two judges
    or more; a column called like an answer makes a file one judge's.
    """
    found = [files.columns(path) for path in tables_of(files)]
    if not found or not found[0] or any(set(names) != set(found[0]) for names in found):
        return False
    names = list(found[0])
    if judges is not None and set(judges) <= set(names):
        return True
    item = match(names, ITEM_NAMES)
    rest = [name for name in names if name != item]
    if match(rest, ANSWER_NAMES) is not None:
        return item is not None and match(rest, JUDGE_NAMES) is not None
    return len(candidates(rest)[0]) > 1


def read(files: Files, wanted: Wanted) -> Gathered:
    """Return the votes of each file's judge, which is named like the file."""
    tables = list(tables_of(files))
    strange = [path.name for path in tables if path.suffix.lower() not in _KINDS]
    if strange or not tables:
        raise DataError(
            f"the files of {files.name} must be tables, a judge each; got "
            f"{shown(tuple(strange), 4) or 'none'}; name the files of votes, a log of Inspect by itself"
        )
    found = Gathered(f"{len(tables)} judges, a file each")
    names = _judges(tables)
    seen: set[str] = set()
    for judge, path in zip(names, tables, strict=True):
        own = _read_one(found, judge, path, wanted.question)
        if seen and not own & seen:
            raise DataError(
                f"the files must speak of the same items; {path.name} has none of those before it (it "
                f"has {min(own)!r}); write the ids alike"
            )
        seen |= own
    found.notes.insert(0, "judge: the file's name; item and answer: its columns")
    return found


def _judges(paths: list[Path]) -> list[str]:
    """Return the names of files without what all of them begin and end with."""
    stems = [path.stem for path in paths]
    if len(stems) < 2 or len(set(stems)) < len(stems):
        return (
            stems if len(set(stems)) == len(stems) else [f"{p.parent.name}/{p.stem}" for p in paths]
        )
    before = _common(stems)
    after = _common([stem[before:][::-1] for stem in stems])
    cut = [stem[before : len(stem) - after] for stem in stems]
    return cut if all(cut) else stems


def _common(texts: list[str]) -> int:
    """Return how many characters all texts begin with."""
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(*texts, strict=False))
    return sum(1 for _ in alike)


def _read_one(found: Gathered, judge: str, path: Path, question: str | None) -> set[str]:
    names = columns_of(path)
    if match(names, JUDGE_NAMES) is not None and match(names, ANSWER_NAMES) is not None:
        raise DataError(
            f"every file must hold the votes of one judge; {path.name} names judges in column "
            f"{match(names, JUDGE_NAMES)!r}; put the files into one table"
        )
    table = open_table(path)
    item = match(table.names, ITEM_NAMES)
    if item is None:
        raise DataError(
            f"every file must have a column of item ids, as judges are joined on them; {path.name} has "
            f"{shown(table.names)}; name one 'item'"
        )
    answer = _answer(table, item, path, question)
    own: dict[str, int] = {}
    for row, (name, cell) in enumerate(
        zip(table.column(item).texts(), table.column(answer).texts(), strict=True), start=1
    ):
        if name is None:
            raise DataError(
                f"every row must name its item; row {row} of {path.name} has none; fill it"
            )
        if name in own:
            raise DataError(
                f"a judge must vote on an item once; {path.name} has {name!r} in rows {own[name]} and {row}; "
                "keep one"
            )
        own[name] = row
        if tidy(cell) is None:
            found.no_vote(name, judge, "blank")
        else:
            found.vote(name, judge, cell)
    return set(own)


def _answer(table: Table, item: str, path: Path, question: str | None) -> str:
    if question is not None and question in table.names:
        return question
    rest = [name for name in table.names if name != item]
    answer = rest[0] if len(rest) == 1 else match(rest, ANSWER_NAMES)
    if answer is None or question is not None:
        raise DataError(
            f"every file must have one column of answers; {path.name} has {shown(tuple(rest))}; name it "
            "'answer', or choose with question="
        )
    return answer
