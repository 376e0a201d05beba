"""Batch results of Mechanical Turk: a row per assignment, answers in columns ``Answer.QUESTION...``."""

from __future__ import annotations

from typing import Any

from algeval.errors import DataError
from algeval.io.layout import shown
from algeval.io.readers.files import Files
from algeval.io.readers.gathered import Gathered, Wanted
from algeval.io.readers.questions import one_question
from algeval.io.tables import Table, open_table
from algeval.result.wording import how_many

__all__ = ["fits", "read"]

_COLUMNS = {"HITId", "WorkerId", "AssignmentStatus"}
_ENDINGS = (".label", ".text", ".value")
_TRUTHS = {"true", "false"}

Cells = list[str | None]


def fits(files: Files) -> bool:
    """Whether the file has a row per assignment."""
    return not files.several and set(files.columns()) >= _COLUMNS


def read(files: Files, wanted: Wanted) -> Gathered:
    """Return the answers of workers to one question, rejected assignments left out."""
    table = open_table(files.path)
    columns = {name: table.column(name).texts() for name in table.names if name in _COLUMNS}
    asked = _questions(table)
    if not asked:
        raise DataError(
            f"{files.name} must have answers in columns called Answer.QUESTION; got {shown(table.names)}; "
            "download the results of the batch again"
        )
    counted = {name: _given(answers) for name, answers in asked.items()}
    question = one_question(wanted.question, counted, files.name, noun="answer")
    found = Gathered("Mechanical Turk")
    found.notes.append(f"item: HITId; judge: WorkerId; question: {question!r}")
    rows = zip(*(columns[name] for name in ("HITId", "WorkerId", "AssignmentStatus")), strict=True)
    for number, (item, worker, status) in enumerate(rows, start=1):
        if str(status).lower() == "rejected":
            found.left_out["rejected assignments"] += 1
            continue
        found.vote(item, worker, _answer(asked[question], number, files.name))
    return found


def _questions(table: Table) -> dict[str, dict[str, Cells]]:
    """Return the columns of each question: one, or one per choice that hold true or false.

    A choice is what stands after the last point, as in ``Answer.verdict.good``.
    """
    found: dict[str, dict[str, Cells]] = {}
    for name in table.names:
        if not name.startswith("Answer."):
            continue
        cells = table.column(name).texts()
        stem = name.removeprefix("Answer.")
        question, _, choice = stem.rpartition(".")
        if question and {cell.lower() for cell in cells if cell} <= _TRUTHS and any(cells):
            found.setdefault(question, {})[choice] = cells
        else:
            ending = next((end for end in _ENDINGS if stem.endswith(end)), "")
            found.setdefault(stem.removesuffix(ending), {})[""] = cells
    return found


def _given(answers: dict[str, Cells]) -> int:
    return sum(any(row) for row in zip(*answers.values(), strict=True))


def _answer(answers: dict[str, Cells], number: int, name: str) -> Any:
    """Return the one answer in a row, None where the question was left blank."""
    cells = {choice: column[number - 1] for choice, column in answers.items()}
    if len(cells) == 1:
        return next(iter(cells.values()))
    chosen = [choice for choice, cell in cells.items() if str(cell).lower() == "true"]
    if "" in cells or len(chosen) > 1:
        raise DataError(
            f"a vote must be one answer; row {number} of {name} has {how_many(len(chosen), 'choice')} in "
            f"{shown(tuple(cells))}; votes on several choices at once cannot be read"
        )
    return chosen[0] if chosen else None
