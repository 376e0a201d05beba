"""Judgments of FastChat's MT-bench: pairs judged in both orders, or single answers graded."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from algeval.errors import DataError
from algeval.io.columns import plain
from algeval.io.layout import shown
from algeval.io.readers.files import Files, keys_of, must_have
from algeval.io.readers.gathered import Gathered, Wanted
from algeval.io.readers.pairs import fixed_order, vote_both_ways
from algeval.io.readers.questions import one_question
from algeval.io.readers.repeats import Ballot, one_each

__all__ = ["fits", "read"]

_PAIR = {"question_id", "judge", "g1_winner", "g2_winner"}
_SINGLE = {"question_id", "judge", "model", "score"}
_NAMES = ("first", "second")


def fits(files: Files) -> bool:
    """Whether a file, or one in the folder, holds judgments of FastChat."""
    return any(_kind(files, path) for path in files.paths)


def _kind(files: Files, path: Path) -> str:
    """Return "pair", "single", or nothing where a file holds neither."""
    first = files.first_row(path)
    if first is None or not isinstance(first.get("judge"), list):
        return ""
    return "pair" if keys_of(first) >= _PAIR else "single" if keys_of(first) >= _SINGLE else ""


def read(files: Files, wanted: Wanted) -> Gathered:
    """Return the votes of every judge's file."""
    kinds = {path: _kind(files, path) for path in files.paths}
    asked = Counter(sorted(filter(None, kinds.values())))
    kind = one_question(wanted.question, asked, files.name, noun="file")
    found = Gathered("FastChat")
    chosen = [path for path in files.paths if kinds[path] == kind]
    rows = (_ballot(kind, row, where) for path in chosen for where, row in files.rows(path))
    ballots, older = one_each(rows, wanted.latest)
    for ballot in ballots:
        if kind == "pair":
            _pair(found, ballot, wanted.swap)
        else:
            _single(found, ballot)
    found.notes.insert(0, _MADE[kind])
    if older:
        found.left_out["judgments of earlier runs"] += older
    left = [path.name for path in files.paths if kinds[path] != kind]
    if left:
        found.notes.append(f"files left out: {shown(tuple(left), 6)}")
    return found


_MADE = {
    "pair": "item: question, turn and pair in a fixed order; answer: which of the pair won",
    "single": "item: question, turn and model; answer: the score",
}


def _ballot(kind: str, row: Any, where: str) -> Ballot:
    """Return a judgment with its item, which is the same whichever model stands first."""
    question = must_have(row, "question_id", (int, str), where)
    if kind == "pair":
        of, _ = fixed_order(*_models(row, where), where)
    else:
        of = must_have(row, "model", str, where)
    judge = must_have(row, "judge", list, where)
    if len(judge) != 2 or not isinstance(judge[0], str) or plain(judge[0]) is None:
        raise DataError(
            f"{where} must name its judge and the prompt; got {str(judge)[:40]!r}; correct it"
        )
    turn = must_have({"turn": 1} | row, "turn", int, where)
    item = f"{question}:{turn}:{of}"
    return Ballot(item, str(plain(judge[0])), where, row.get("tstamp"), row)


def _models(row: Any, where: str) -> tuple[str, str]:
    return must_have(row, "model_1", str, where), must_have(row, "model_2", str, where)


def _pair(found: Gathered, ballot: Ballot, swap: str) -> None:
    _, turned = fixed_order(*_models(ballot.held, ballot.place), ballot.place)
    sides = dict(zip(("model_1", "model_2"), _NAMES[::-1] if turned else _NAMES, strict=True))
    first, second = (
        _winner(ballot.held, name, sides, ballot.place) for name in ("g1_winner", "g2_winner")
    )
    vote_both_ways(found, ballot.item, ballot.judge, (first, second), swap)


def _winner(row: Any, name: str, sides: dict[str, str], where: str) -> str | None:
    said = must_have(row, name, str, where)
    if said not in (*sides, "tie", "error"):
        raise DataError(
            f"{name} must be model_1, model_2, tie or error; got {said!r} in {where}; correct it"
        )
    return None if said == "error" else sides.get(said, "tie")


def _single(found: Gathered, ballot: Ballot) -> None:
    score = must_have(ballot.held, "score", (int, float), ballot.place)
    if score == -1:
        found.no_vote(ballot.item, ballot.judge, "judge failed")
    else:
        found.vote(ballot.item, ballot.judge, score)
