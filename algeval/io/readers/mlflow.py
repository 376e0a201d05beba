"""Traces of MLflow with their assessments: feedback of judges and people, expectations as the key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from algeval.errors import DataError
from algeval.io.readers.files import Files, keys_of, must_have
from algeval.io.readers.gathered import Gathered, Wanted
from algeval.io.readers.questions import one_question
from algeval.io.readers.repeats import Ballot, one_each

__all__ = ["fits", "read"]


def fits(files: Files) -> bool:
    """Whether the file holds traces with a list of assessments."""
    row = files.first_row() if not files.several else None
    return {"trace_id", "assessments"} <= keys_of(row)


def read(files: Files, wanted: Wanted) -> Gathered:
    """Return the feedback that goes by one name; what was overridden by later feedback is left out."""
    found = Gathered("MLflow", key_name="expectation")
    traces = [(str(must_have(row, "trace_id", str, at)), row, at) for at, row in files.rows()]
    every = [(trace, part, at) for trace, row, at in traces for part in _assessments(row, at)]
    told = [(trace, part, at) for trace, part, at in every if part.get("valid") is not False]
    if len(told) < len(every):
        found.left_out["assessments that later ones override"] += len(every) - len(told)
    silent = len(traces) - len({trace for trace, _, _ in every})
    if silent:
        found.left_out["traces without assessments"] += silent
    feedback = [
        (trace, part, at) for trace, part, at in told if isinstance(part.get("feedback"), dict)
    ]
    asked = Counter(_name(part, at) for _, part, at in feedback)
    if not asked:
        raise DataError(
            f"traces must hold feedback to be read; {files.name} has {len(traces)} traces with none; log "
            "assessments first"
        )
    question = one_question(wanted.question, asked, files.name)
    keys = _keys(told, question)
    found.notes.append(f"item: trace; judge: source of the feedback; question: {question!r}")
    ballots = [_ballot(*one) for one in feedback if _name(one[1], one[2]) == question]
    kept, older = one_each(ballots, wanted.latest)
    if older:
        found.left_out["older feedback of a judge on a trace"] += older
    for ballot in kept:
        held, key = ballot.held["feedback"], keys.get(ballot.item)
        if held.get("error"):
            found.no_vote(ballot.item, ballot.judge, "failed", key)
        else:
            found.vote(ballot.item, ballot.judge, held.get("value"), key)
    return found


def _assessments(row: dict[str, Any], where: str) -> Iterator[dict[str, Any]]:
    held = row.get("assessments")
    if held is not None and not isinstance(held, list):
        raise DataError(
            f"'assessments' must be a list; got {str(held)[:40]!r} in {where}; export again"
        )
    for part in held or ():
        if not isinstance(part, dict):
            raise DataError(
                f"an assessment must be an object; got {str(part)[:40]!r} in {where}; export again"
            )
        yield part


def _name(part: dict[str, Any], where: str) -> str:
    return str(must_have(part, "assessment_name", str, f"every assessment in {where}"))


def _ballot(trace: str, part: dict[str, Any], where: str) -> Ballot:
    source = must_have(part, "source", dict, f"every assessment in {where}")
    judge = must_have(source, "source_id", str, f"the source of every assessment in {where}")
    when = part.get("last_update_time") or part.get("create_time")
    return Ballot(
        trace,
        judge,
        f"assessment {part.get('assessment_id') or 'without id'} of {where}",
        when,
        part,
    )


def _keys(told: list[tuple[str, dict[str, Any], str]], question: str) -> dict[str, Any]:
    """Return {trace: what was expected}: under the question's name, else under the only one there is."""
    found: dict[str, dict[str, Any]] = {}
    for trace, part, where in told:
        if isinstance(part.get("expectation"), dict):
            found.setdefault(_name(part, where), {})[trace] = part["expectation"].get("value")
    if question in found:
        return found[question]
    return next(iter(found.values())) if len(found) == 1 else {}
