"""Data sets of Prodigy as JSON lines: examples accepted or rejected, or one of several options chosen."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from algeval.errors import DataError
from algeval.io.columns import plain
from algeval.io.readers.files import Files, keys_of, must_have
from algeval.io.readers.gathered import Gathered, Wanted
from algeval.io.readers.questions import one_question
from algeval.io.readers.repeats import Ballot, one_each

__all__ = ["fits", "read"]

_FIELDS = {"_input_hash", "_task_hash", "answer"}
_WHO = ("_annotator_id", "_session_id")

Rows = list[tuple[str, dict[str, Any]]]


def fits(files: Files) -> bool:
    """Whether the file holds annotated examples of Prodigy."""
    return not files.several and keys_of(files.first_row()) >= _FIELDS


def read(files: Files, wanted: Wanted) -> Gathered:
    """Return what annotators said of each example; what they ignored is no vote."""
    rows = list(files.rows())
    kind = one_question(wanted.question, Counter(_kind(row) for _, row in rows), files.name)
    chosen = [(where, row) for where, row in rows if _kind(row) == kind]
    by_task = _several_tasks(chosen)
    found = Gathered("Prodigy")
    what = "the option chosen" if kind == "choice" else "accept or reject"
    found.notes.append(f"item: {'task' if by_task else 'input'}; judge: annotator; answer: {what}")
    ballots = [_ballot(row, where, by_task) for where, row in chosen]
    kept, older = one_each(ballots, wanted.latest)
    if older:
        found.left_out["older votes of an annotator on an example"] += older
    for ballot in kept:
        _vote(found, ballot, kind)
    return found


def _kind(row: dict[str, Any]) -> str:
    return "choice" if "options" in row or "accept" in row else "binary"


def _several_tasks(rows: Rows) -> bool:
    """Whether some input was asked about in several ways, so that the task is the item."""
    tasks: dict[str, set[str]] = defaultdict(set)
    for _, row in rows:
        tasks[str(row.get("_input_hash"))].add(str(row.get("_task_hash")))
    return any(len(met) > 1 for met in tasks.values())


def _ballot(row: dict[str, Any], where: str, by_task: bool) -> Ballot:
    item = must_have(row, "_task_hash" if by_task else "_input_hash", (int, str), where)
    told = (row.get(name) for name in _WHO)
    who = next((plain(one) for one in told if isinstance(one, str | int) and plain(one)), None)
    if who is None:
        raise DataError(
            f"every example must say who annotated it; {where} has neither {_WHO[0]!r} nor {_WHO[1]!r}; "
            "annotate in named sessions"
        )
    return Ballot(str(item), who, where, row.get("_timestamp"), row)


def _vote(found: Gathered, ballot: Ballot, kind: str) -> None:
    said = must_have(ballot.held, "answer", str, ballot.place)
    if said not in ("accept", "reject", "ignore"):
        raise DataError(
            f"answer must be accept, reject or ignore; got {said!r} in {ballot.place}; correct it"
        )
    if said == "ignore":
        found.no_vote(ballot.item, ballot.judge, "ignored")
    elif kind == "binary":
        found.vote(ballot.item, ballot.judge, said)
    elif said == "reject":
        found.no_vote(ballot.item, ballot.judge, "rejected, whatever was chosen")
    else:
        found.vote(ballot.item, ballot.judge, _choice(ballot))


def _choice(ballot: Ballot) -> Any:
    chosen = must_have(ballot.held, "accept", list, ballot.place)
    if len(chosen) > 1:
        raise DataError(
            f"a vote must be one choice; {ballot.place} has {len(chosen)}; votes on several choices at once "
            "cannot be read"
        )
    return chosen[0] if chosen else None
