"""Judgments of FastChat's MT-bench: pairs judged in both orders, or single answers graded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from algeval.errors import DataError
from algeval.io.layout import shown
from algeval.io.readers.files import Files, keys_of, must_have
from algeval.io.readers.gathered import Gathered, Wanted
from algeval.io.readers.pairs import fixed_order, vote_both_ways
from algeval.io.readers.questions import one_question

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
    seen: dict[tuple[str, str], str] = {}
    for path in (path for path in files.paths if kinds[path] == kind):
        for where, row in files.rows(path):
            item, judge = (_pair if kind == "pair" else _single)(found, row, where, wanted.swap)
            if (item, judge) in seen:
                raise DataError(
                    f"a judge must judge an item once; {judge!r} judges {item!r} in {seen[item, judge]} and "
                    f"in {where}; remove the judgments of the earlier run"
                )
            seen[item, judge] = where
    left = [path.name for path in files.paths if kinds[path] != kind]
    if left:
        found.notes.append(f"files left out: {shown(tuple(left), 6)}")
    return found


def _judge(row: Any, where: str) -> str:
    return str(must_have(row, "judge", list, where)[0])


def _pair(found: Gathered, row: Any, where: str, swap: str) -> tuple[str, str]:
    first, second = (must_have(row, name, str, where) for name in ("model_1", "model_2"))
    pair, turned = fixed_order(first, second, where)
    item, judge = f"{row['question_id']}:{row.get('turn', 1)}:{pair}", _judge(row, where)
    sides = dict(zip(("model_1", "model_2"), _NAMES[::-1] if turned else _NAMES, strict=True))
    winners = list(_winners(row, sides, where))
    vote_both_ways(found, item, judge, (winners[0], winners[1]), swap)
    if not found.notes:
        found.notes.append(
            "item: question, turn and pair in a fixed order; answer: which of the pair won"
        )
    return item, judge


def _winners(row: Any, sides: dict[str, str], where: str) -> Iterator[str | None]:
    for name in ("g1_winner", "g2_winner"):
        said = must_have(row, name, str, where)
        if said not in (*sides, "tie", "error"):
            raise DataError(
                f"{name} must be model_1, model_2, tie or error; got {said!r} in {where}; correct it"
            )
        yield None if said == "error" else sides.get(said, "tie")


def _single(found: Gathered, row: Any, where: str, swap: str) -> tuple[str, str]:
    item = f"{row['question_id']}:{row.get('turn', 1)}:{must_have(row, 'model', str, where)}"
    judge, score = _judge(row, where), must_have(row, "score", (int, float), where)
    if score == -1:
        found.no_vote(item, judge, "judge failed")
    else:
        found.vote(item, judge, score)
    if not found.notes:
        found.notes.append("item: question, turn and model; answer: the score")
    return item, judge
