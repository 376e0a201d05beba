"""Files of preferences between two answers: FastChat, JudgeBench."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

from algeval.errors import DataError
from algeval.io.answers import plain
from algeval.io.layout import shown
from algeval.io.readers.base import (
    Ballot,
    Files,
    Gathered,
    Runs,
    Wanted,
    fixed_order,
    keys_of,
    must_have,
    single_question,
    vote_both_orders,
    without_repeats,
)

# --- Judgments of JudgeBench: pairs with a label, judged in both orders, a file per judge.


_TURNED = {"A>B": "B>A", "B>A": "A>B", "A=B": "A=B"}


def fits(files: Files) -> bool:
    """Whether a file, or one in the folder, holds judgments of JudgeBench."""
    return any(_is_judgebench(files, path) for path in files.paths)


def _is_judgebench(files: Files, path: Path) -> bool:
    return {"pair_id", "judgments"} <= keys_of(files.first_row(path))


def read(files: Files, wanted: Wanted) -> Gathered:
    """Votes of every judge's file."""
    votes = Gathered("JudgeBench", key_name="label")
    pairs: dict[str, set[str]] = {}
    for path in (path for path in files.paths if _is_judgebench(files, path)):
        # judge's name and model, which the rows lack
        parts = dict(part.partition("=")[::2] for part in path.stem.split(","))
        named = [parts[name] for name in ("judge_name", "judge_model") if parts.get(name)]
        judge = " ".join(named) or path.stem
        if judge in pairs:
            raise DataError(
                f"every file must be of another judge; got {judge!r} twice, again in {path.name}; keep one"
            )
        pairs[judge] = set()
        orders: dict[int, str] = {}
        for where, row in files.rows(path):
            _same_orders(orders, len(must_have(row, "judgments", list, where)), where)
            pairs[judge].add(_row(votes, judge, row, where, wanted.swap))
    for first, second in pairwise(pairs):
        if not pairs[first] & pairs[second]:
            raise DataError(
                f"the files must be of one set of pairs; {first!r} and {second!r} share none; name "
                "files of one data set"
            )
    votes.notes.append("item: pair; judge: from the file's name; the second order turned back")
    return votes


def _row(votes: Gathered, judge: str, row: Any, where: str, swap: str) -> str:
    item = str(must_have(row, "pair_id", (str, int), where))
    judgments = must_have(row, "judgments", list, where)
    answers = [_decision(judgment, where) for judgment in judgments]
    key = row.get("label")
    if len(answers) == 2:
        first, second = answers
        vote_both_orders(votes, item, judge, (first, second and _TURNED[second]), swap, key)
    elif len(answers) == 1:
        votes.vote(item, judge, answers[0], key, blank="judge failed")
    else:
        raise DataError(
            f"a pair must be judged in one or two orders; {where} has {len(answers)}; leave the line out"
        )
    return item


def _same_orders(met: dict[int, str], n: int, where: str) -> None:
    """Refuse a pair judged in one order beside others judged in two: they would be other judges."""
    met.setdefault(n, where)
    if len(met) > 1:
        orders = " and ".join(f"{n} in {order}" for n, order in met.items())
        raise DataError(
            f"all pairs of a file must be judged in as many orders; got {orders}; judge them again"
        )


def _decision(judgment: Any, where: str) -> str | None:
    said = judgment.get("decision") if isinstance(judgment, dict) else None
    if said is not None and said not in list(_TURNED):
        raise DataError(
            f"a decision must be one of {list(_TURNED)}; got {str(said)[:40]!r} in {where}; correct it"
        )
    return said


# --- Judgments of FastChat's MT-bench: pairs judged in both orders, or single answers graded.


_PAIR = {"question_id", "judge", "g1_winner", "g2_winner"}
_SINGLE = {"question_id", "judge", "model", "score"}
_NAMES = ("first", "second")


def fits_fastchat(files: Files) -> bool:
    """Whether a file, or one in the folder, holds judgments of FastChat."""
    return any(_kind(files, path) for path in files.paths)


def _kind(files: Files, path: Path) -> str:
    """Return "pair", "single", or nothing where a file holds neither."""
    first = files.first_row(path)
    if first is None or not isinstance(first.get("judge"), list):
        return ""
    return "pair" if keys_of(first) >= _PAIR else "single" if keys_of(first) >= _SINGLE else ""


def read_fastchat(files: Files, wanted: Wanted) -> Gathered:
    """Votes of every judge's file."""
    kinds = {path: _kind(files, path) for path in files.paths}
    questions = Counter(sorted(filter(None, kinds.values())))
    kind = single_question(wanted.question, questions, files.name, noun="file")
    votes = Gathered("FastChat")
    chosen = [path for path in files.paths if kinds[path] == kind]
    rows = (_ballot(kind, row, where) for path in chosen for where, row in files.rows(path))
    older = "judgments of earlier runs"
    for ballot in without_repeats(rows, wanted.latest, votes.left_out, older):
        if kind == "pair":
            _, turned = fixed_order(*_models(ballot.held, ballot.place), ballot.place)
            sides = dict(
                zip(("model_1", "model_2"), _NAMES[::-1] if turned else _NAMES, strict=True)
            )
            first, second = (
                _winner(ballot.held, name, sides, ballot.place)
                for name in ("g1_winner", "g2_winner")
            )
            vote_both_orders(votes, ballot.item, ballot.judge, (first, second), wanted.swap)
        else:
            score = must_have(ballot.held, "score", (int, float), ballot.place)
            failed = "judge failed" if score == -1 else ""
            votes.vote(ballot.item, ballot.judge, score, failed=failed)
    votes.notes.insert(0, _MADE[kind])
    left = [path.name for path in files.paths if kinds[path] != kind]
    if left:
        votes.notes.append(f"files left out: {shown(tuple(left), 6)}")
    return votes


def runs_of_fastchat(files: Files) -> Runs:
    """Files of one judge's judgments of one kind; none where they are of several."""
    kinds = {path: kind for path in files.paths if (kind := _kind(files, path))}
    judges = {str((files.first_row(path) or {}).get("judge")) for path in kinds}
    alone = len({*kinds.values()}) == 1 and len(judges) == 1
    return [(path, {}) for path in kinds] if alone else []


_MADE = {
    "pair": "item: question, turn and pair in a fixed order; answer: which of the pair won",
    "single": "item: question, turn and model; answer: the score",
}


def _ballot(kind: str, row: Any, where: str) -> Ballot:
    """Judgment with its item, which is the same whichever model stands first."""
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


def _winner(row: Any, name: str, sides: dict[str, str], where: str) -> str | None:
    said = must_have(row, name, str, where)
    if said not in (*sides, "tie", "error"):
        raise DataError(
            f"{name} must be model_1, model_2, tie or error; got {said!r} in {where}; correct it"
        )
    return None if said == "error" else sides.get(said, "tie")
