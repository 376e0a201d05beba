"""Records of Argilla in their flat form: three parallel lists a question, and a model's suggestion."""

from __future__ import annotations

from collections import Counter
from typing import Any

from algeval.errors import DataError
from algeval.io.columns import plain
from algeval.io.layout import ITEM_NAMES, match
from algeval.io.readers.files import Files
from algeval.io.readers.gathered import Gathered, Wanted
from algeval.io.readers.questions import one_question

__all__ = ["fits", "read"]

_SUBMITTED = "submitted"


def fits(files: Files) -> bool:
    """Whether the file holds flat records of Argilla."""
    if files.several:
        return False
    return bool(_questions(files.first_row() or {}))


def _questions(row: dict[str, Any]) -> list[str]:
    """Return the questions that have responses, users and status."""
    names = [name.removesuffix(".responses") for name in row if name.endswith(".responses")]
    return [
        name
        for name in names
        if {f"{name}.responses.users", f"{name}.responses.status"} <= set(row)
    ]


def read(files: Files, wanted: Wanted) -> Gathered:
    """Return submitted responses to one question, and suggestions as votes of their agents."""
    rows = list(files.rows())
    asked = Counter(question for _, row in rows for question in _questions(row))
    question = one_question(wanted.question, asked, files.name, noun="record")
    item = match(rows[0][1], ITEM_NAMES)
    found = Gathered("Argilla")
    found.notes.append(
        f"item: {item or 'number of the row'}; judge: user, or agent of a suggestion"
    )
    for number, (where, row) in enumerate(rows, start=1):
        _record(found, row, row.get(item) if item else number, question, where)
    return found


def _record(found: Gathered, row: Any, item: Any, question: str, where: str) -> None:
    parts = [row.get(f"{question}.responses{more}") or [] for more in ("", ".users", ".status")]
    if not all(isinstance(part, list) for part in parts):
        raise DataError(
            f"responses, users and status of {question!r} must be lists; got others in {where}; export again"
        )
    if len({len(part) for part in parts}) > 1:
        raise DataError(
            f"responses, users and status of {question!r} must be as many; got {[len(p) for p in parts]} in "
            f"{where}; export again"
        )
    for answer, user, status in zip(*parts, strict=True):
        if status == _SUBMITTED and answer is not None:
            found.vote(item, user, answer)
        else:
            found.no_vote(item, user, str(status) if status != _SUBMITTED else "blank")
    suggestion = row.get(f"{question}.suggestion")
    if suggestion is not None:
        found.vote(item, plain(row.get(f"{question}.suggestion.agent")) or "suggestion", suggestion)
