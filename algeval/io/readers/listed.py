"""Rows that hold all votes of an item: a list of {judge, vote}, a dict {judge: vote}, or two lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from algeval.errors import DataError
from algeval.io.answers import as_number, tidy
from algeval.io.layout import ANSWER_NAMES, ITEM_NAMES, JUDGE_NAMES, KEY_NAMES, match, shown
from algeval.io.opened import is_parquet
from algeval.io.readers.files import Files
from algeval.io.readers.gathered import Gathered, Wanted
from algeval.io.readers.questions import keep_one_question

__all__ = ["fits", "read"]

_HOLDERS = ("votes", "judgments", "judgements", "annotations", "responses", "assessments", "scores")
_ANSWERS = (*ANSWER_NAMES, "feedback", "winner", "verdicts")
_SAYERS = ("annotators", "judges", "raters", "workers", "graders")
_FAILED = ("error", "failure")

Vote = tuple[Any, Any, str]
"""judge, answer, why it is missing"""


def fits(files: Files) -> bool:
    """Whether the rows of a file hold a list or dict of votes."""
    if files.several:
        return False
    row = _first(files)
    return row is not None and bool(_holders(row))


def _first(files: Files) -> dict[str, Any] | None:
    return next(_of_parquet(files), None) if is_parquet(files.path) else files.first_row()


def _of_parquet(files: Files) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file that has one of the columns."""
    from algeval.io.opened import connect, sql_text

    names = files.columns()
    if match(names, _HOLDERS) is None:
        return
    found = connect().execute(f"SELECT * FROM read_parquet({sql_text(str(files.path))})")
    while block := found.fetchmany(10_000):
        for row in block:
            yield dict(zip(names, row, strict=True))


def _rows(files: Files) -> Iterator[tuple[str, dict[str, Any]]]:
    if not is_parquet(files.path):
        yield from files.rows()
        return
    for number, row in enumerate(_of_parquet(files), start=1):
        yield f"row {number} of {files.name}", row


def _holders(row: dict[str, Any]) -> list[str]:
    """Return the columns that hold the votes of an item."""
    low = {name.lower(): name for name in row}
    return [low[name] for name in _HOLDERS if name in low and _looks_like_votes(row, low[name])]


def _looks_like_votes(row: dict[str, Any], name: str) -> bool:
    held = row[name]
    if isinstance(held, dict):
        return bool(held) and not any(isinstance(value, dict | list) for value in held.values())
    if not isinstance(held, list) or not held:
        return False
    if isinstance(held[0], dict):
        return match(held[0], JUDGE_NAMES) is not None and match(held[0], _ANSWERS) is not None
    return _sayers(row) is not None


def _sayers(row: dict[str, Any]) -> str | None:
    """Return the column that names who gave the votes of a list."""
    return match(row, _SAYERS)


def read(files: Files, wanted: Wanted) -> Gathered:
    """Return the votes of every row."""
    first = _first(files) or {}
    holders = _holders(first)
    if len(holders) > 1 and wanted.question is None:
        raise DataError(
            f"the votes of {files.name} must stand in one column; {shown(tuple(holders))} hold votes; choose "
            f"with question={holders[0]!r}"
        )
    holder = wanted.question or holders[0]
    item, key = match(first, ITEM_NAMES), match(first, KEY_NAMES)
    found = Gathered(f"rows with votes in {holder!r}")
    made = f"item: {item!r}" if item else "item: the number of the row"
    found.notes.append(f"{made}; judge and answer: from {holder!r}")
    for number, (where, row) in enumerate(_rows(files), start=1):
        name = row.get(item) if item else number
        if not row.get(holder):
            found.left_out["rows without votes"] += 1
        for judge, answer, why in _votes(row, holder, where):
            truth = row.get(key) if key else None
            if why:
                found.no_vote(name, judge, why, truth)
            else:
                found.vote(name, judge, answer, truth)
    if any(as_number(tidy(answer) or "0") is None for answer in found.answers):
        keep_one_question(found, {}, Wanted(judges=wanted.judges), files.name)
    return found


def _votes(row: dict[str, Any], holder: str, where: str) -> Iterator[Vote]:
    held = row.get(holder)
    if held is None:
        return
    if isinstance(held, dict):
        yield from ((j, a, "blank" if a is None else "") for j, a in held.items())
        return
    if not isinstance(held, list):
        raise DataError(
            f"{holder!r} must be a list or an object in every row; got {str(held)[:40]!r} in {where}"
        )
    if held and isinstance(held[0], dict):
        yield from (_vote(one, holder, where) for one in held)
        return
    sayers = row.get(_sayers(row) or "") or []
    if len(sayers) != len(held):
        raise DataError(
            f"{holder!r} and the list of who gave them must have one entry per vote; got {len(held)} and "
            f"{len(sayers)} in {where}; export them together"
        )
    yield from ((j, a, "blank" if a is None else "") for j, a in zip(sayers, held, strict=True))


def _vote(one: Any, holder: str, where: str) -> Vote:
    judge = match(one, JUDGE_NAMES) if isinstance(one, dict) else None
    answer = match(one, _ANSWERS) if isinstance(one, dict) else None
    if judge is None:
        raise DataError(
            f"every vote in {holder!r} must name its judge; one of {where} does not; name it 'judge'"
        )
    failed = one.get("success") is False or any(one.get(name) for name in _FAILED)
    status = str(one.get("status") or "submitted")
    given = one.get(answer) if answer else None
    why = "failed" if failed else "" if status == "submitted" else status
    return one[judge], given, why or ("blank" if given is None else "")
