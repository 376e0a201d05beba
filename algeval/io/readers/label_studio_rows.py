"""Label Studio's exports with a row per annotation: CSV, TSV and JSON-MIN."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from algeval.errors import DataError
from algeval.io.columns import plain
from algeval.io.layout import shown
from algeval.io.readers.files import Files
from algeval.io.readers.gathered import Gathered, Wanted
from algeval.io.readers.questions import one_question
from algeval.io.readers.repeats import Ballot, one_each
from algeval.io.tables import open_table

__all__ = ["fits", "read"]

_SURE = {"annotation_id", "annotator", "id"}
_NO_QUESTION = _SURE | {"created_at", "updated_at", "lead_time"}

Row = dict[str, Any]


def fits(files: Files) -> bool:
    """Whether the file has a row per annotation."""
    return not files.several and set(files.columns()) >= _SURE


def read(files: Files, wanted: Wanted) -> Gathered:
    """Return the votes on one question."""
    if wanted.truth_votes:
        raise DataError(
            f"ground_truth= is about Label Studio's JSON; {files.name} has a row per annotation and does not "
            "say which are ground truth; leave it out"
        )
    rows = list(_rows(files))
    question, data = _question(rows, wanted.question, files.name)
    found = Gathered("Label Studio")
    found.notes.append(f"item: task; judge: annotator; question: {question!r}")
    if data:
        found.notes.append(f"the same throughout each task, so its data: {shown(data, 6)}")
    found.notes.append(
        "ground truth is not marked in this export, and counts as votes; JSON marks it"
    )
    kept, older = one_each((_ballot(row, where) for where, row in rows), wanted.latest)
    if older:
        found.left_out["older votes of a judge on a task"] += older
    for ballot in kept:
        answer = _cell(ballot.held.get(question), question, ballot.place)
        if answer is None:
            found.no_vote(ballot.item, ballot.judge, "question left blank")
        else:
            found.vote(ballot.item, ballot.judge, answer)
    return found


def _rows(files: Files) -> Iterator[tuple[str, Row]]:
    if files.first_row() is not None:
        yield from files.rows()
        return
    table = open_table(files.path)
    columns = [table.column(name).texts() for name in table.names]
    for number, cells in enumerate(zip(*columns, strict=True), start=1):
        yield f"row {number} of {files.name}", dict(zip(table.names, cells, strict=True))


def _ballot(row: Row, where: str) -> Ballot:
    for name in ("id", "annotator"):
        if plain(row.get(name)) is None or isinstance(row[name], dict | list):
            raise DataError(f"every annotation must have {name!r}; {where} has none; export again")
    place = f"annotation {row.get('annotation_id')}"
    when = row.get("updated_at") or row.get("created_at")
    return Ballot(str(plain(row["id"])), str(plain(row["annotator"])), place, when, row)


def _question(
    rows: list[tuple[str, Row]], asked: str | None, name: str
) -> tuple[str, tuple[str, ...]]:
    """Return the question, and the columns that hold the data of tasks.

    Nothing in the file tells one from the other but that data are the same in all rows of a task.
    """
    names = [n for n in dict.fromkeys(n for _, row in rows for n in row) if n not in _NO_QUESTION]
    cells: dict[str, dict[str, set[str]]] = {n: defaultdict(set) for n in names}
    for _, row in rows:
        for n in names:
            cells[n][str(row.get("id"))].add(str(row.get(n)))
    differing = [n for n in names if any(len(met) > 1 for met in cells[n].values())]
    likely = differing or names
    given = {n: sum(plain(row.get(n)) is not None for _, row in rows) for n in likely}
    if asked is not None and asked in names:
        return asked, ()
    if not names:
        raise DataError(f"{name} must hold a column of answers; got {shown(list(rows[0][1]))}")
    question = one_question(asked, given, name)
    return question, tuple(n for n in names if n not in likely)


def _cell(cell: Any, question: str, where: str) -> Any:
    """Return the one answer in a cell, which may hold JSON: a rating, a number, several choices."""
    held = cell
    if isinstance(cell, str) and cell[:1] in ("[", "{"):
        try:
            held = json.loads(cell)
        except (ValueError, RecursionError):
            return cell
    while isinstance(held, dict | list):
        if isinstance(held, dict):
            parts = [held[kind] for kind in ("choices", "rating", "number") if kind in held]
        else:
            parts = held
        if len(parts) != 1:
            raise DataError(
                f"a vote must be one choice, rating or number; {where} says {str(cell)[:60]!r} for "
                f"{question!r}; choose another question=, or export other answers"
            )
        held = parts[0]
    return held if plain(held) is not None else None
