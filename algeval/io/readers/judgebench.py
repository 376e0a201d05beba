"""Judgments of JudgeBench: pairs with a label, judged in both orders, a file per judge."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

from algeval.errors import DataError
from algeval.io.readers.files import Files, keys_of, must_have
from algeval.io.readers.gathered import Gathered, Wanted
from algeval.io.readers.pairs import vote_both_ways

__all__ = ["fits", "read"]

_TURNED = {"A>B": "B>A", "B>A": "A>B", "A=B": "A=B"}


def fits(files: Files) -> bool:
    """Whether a file, or one in the folder, holds judgments of JudgeBench."""
    return any(_is_one(files, path) for path in files.paths)


def _is_one(files: Files, path: Path) -> bool:
    return {"pair_id", "judgments"} <= keys_of(files.first_row(path))


def read(files: Files, wanted: Wanted) -> Gathered:
    """Return the votes of every judge's file."""
    found = Gathered("JudgeBench", key_name="label")
    pairs: dict[str, set[str]] = {}
    for path in (path for path in files.paths if _is_one(files, path)):
        judge = _judge(path)
        if judge in pairs:
            raise DataError(
                f"every file must be of another judge; got {judge!r} twice, again in {path.name}; keep one"
            )
        pairs[judge] = set()
        orders: dict[int, str] = {}
        for where, row in files.rows(path):
            _same_orders(orders, len(must_have(row, "judgments", list, where)), where)
            pairs[judge].add(_row(found, judge, row, where, wanted.swap))
    _same_data(pairs)
    found.notes.append("item: pair; judge: from the file's name; the second order turned back")
    return found


def _judge(path: Path) -> str:
    """Return the judge's name and model, which the rows lack."""
    parts = dict(part.partition("=")[::2] for part in path.stem.split(","))
    named = [parts[name] for name in ("judge_name", "judge_model") if parts.get(name)]
    return " ".join(named) or path.stem


def _row(found: Gathered, judge: str, row: Any, where: str, swap: str) -> str:
    item = str(must_have(row, "pair_id", (str, int), where))
    given = must_have(row, "judgments", list, where)
    answers = [_decision(one, where) for one in given]
    key = row.get("label")
    if len(answers) == 2:
        first, second = answers
        vote_both_ways(found, item, judge, (first, second and _TURNED[second]), swap, key)
    elif len(answers) == 1:
        vote = (item, judge)
        found.no_vote(*vote, "judge failed", key) if answers[0] is None else found.vote(
            *vote, answers[0], key
        )
    else:
        raise DataError(
            f"a pair must be judged in one or two orders; {where} has {len(answers)}; leave the line out"
        )
    return item


def _same_orders(met: dict[int, str], n: int, where: str) -> None:
    """Refuse a pair judged in one order beside others judged in two: they would be other judges."""
    met.setdefault(n, where)
    if len(met) > 1:
        told = " and ".join(f"{n} in {place}" for n, place in met.items())
        raise DataError(
            f"all pairs of a file must be judged in as many orders; got {told}; judge them again"
        )


def _decision(judgment: Any, where: str) -> str | None:
    said = judgment.get("decision") if isinstance(judgment, dict) else None
    if said is not None and said not in list(_TURNED):
        raise DataError(
            f"a decision must be one of {list(_TURNED)}; got {str(said)[:40]!r} in {where}; correct it"
        )
    return said


def _same_data(pairs: dict[str, set[str]]) -> None:
    judges = list(pairs)
    for one, other in pairwise(judges):
        if not pairs[one] & pairs[other]:
            raise DataError(
                f"the files must be of one set of pairs; {one!r} and {other!r} share none; name files of one "
                "data set"
            )
