"""Exports of Label Studio: tasks with annotations as JSON, or a row per annotation (JSON-MIN, CSV)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from algeval.errors import DataError
from algeval.io.readers.files import Files, keys_of, must_have
from algeval.io.readers.gathered import Gathered, Wanted
from algeval.io.readers.questions import one_question
from algeval.result.wording import how_many

__all__ = ["fits", "read"]

Answer = tuple[str, Any]
"""question, value"""


def fits(files: Files) -> bool:
    """Whether the file is a list of tasks with annotations."""
    if files.several:
        return False
    return {"annotations", "data"} <= keys_of(files.first_row())


def read(files: Files, wanted: Wanted) -> Gathered:
    """Return the votes on one question; annotations marked as ground truth are the key."""
    tasks = [task for _, task in files.rows()]
    question = _question(tasks, wanted.question, files.name)
    found = Gathered("Label Studio", key_name="ground_truth")
    kinds: Counter[str] = Counter()
    for task in tasks:
        item = str(must_have(task, "id", (int, str), f"every task of {files.name}"))
        _task(found, task, item, question, kinds)
    _say(found, kinds, question, files.name)
    return found


def _question(tasks: list[Any], asked: str | None, name: str) -> str:
    counted: Counter[str] = Counter()
    for task in tasks:
        for part in (*(task.get("annotations") or ()), *(task.get("predictions") or ())):
            counted.update(question for question, _ in _answers(part))
    if not counted:
        raise DataError(
            f"{name} must hold choices, ratings or numbers; got {how_many(len(tasks), 'task')} of Label "
            "Studio with none; label some, or export again"
        )
    return one_question(asked, counted, name)


def _answers(part: Any) -> Iterator[Answer]:
    """Yield what an annotation or prediction says, by question."""
    for result in (part.get("result") or ()) if isinstance(part, dict) else ():
        value = result.get("value") or {}
        for kind in ("choices", "rating", "number"):
            if kind in value:
                yield str(result.get("from_name")), value[kind]


def _task(found: Gathered, task: Any, item: str, question: str, kinds: Counter[str]) -> None:
    annotations = task.get("annotations") or ()
    truths = [a for a in annotations if a.get("ground_truth")]
    key = _one(truths[0], question, item) if truths else None
    seen: dict[str, Any] = {}
    for part in annotations:
        if part.get("ground_truth"):
            kinds["truths"] += 1
            continue
        judge = _person(part.get("completed_by"))
        if judge in seen:
            raise DataError(
                f"a person must annotate a task once; {judge!r} did task {item} in annotations {seen[judge]} "
                f"and {part.get('id')}; keep the newer"
            )
        seen[judge] = part.get("id")
        if part.get("was_cancelled"):
            found.no_vote(item, judge, "skipped", key)
        else:
            _vote(found, item, judge, _one(part, question, item), key)
    for part in task.get("predictions") or ():
        if isinstance(part, dict):
            model = str(part.get("model_version") or "model")
            _vote(found, item, model, _one(part, question, item), key)
        else:
            kinds["bare predictions"] += 1


def _vote(found: Gathered, item: str, judge: str, answer: Any, key: Any) -> None:
    if answer is None:
        found.no_vote(item, judge, "question left blank", key)
    else:
        found.vote(item, judge, answer, key)


def _person(completed_by: Any) -> str:
    if isinstance(completed_by, dict):
        return str(completed_by.get("email") or completed_by.get("id"))
    return str(completed_by)


def _one(part: Any, question: str, item: str) -> Any:
    """Return the one answer to a question, None where it was left blank."""
    given = next((value for name, value in _answers(part) if name == question), None)
    if not isinstance(given, list):
        return given
    if len(given) > 1:
        raise DataError(
            f"a vote must be one answer; task {item} has {len(given)} choices for {question!r}; votes on "
            "several choices at once cannot be read"
        )
    return given[0] if given else None


def _say(found: Gathered, kinds: Counter[str], question: str, name: str) -> None:
    truths, bare = kinds["truths"], kinds["bare predictions"]
    if truths and not found.items:
        raise DataError(
            f"annotations marked as ground truth are the key and no votes; all {truths} of {name} are so "
            "marked, as imported ones may be; take the mark off in Label Studio"
        )
    found.notes.append(f"item: task; judge: person, or version of a model; question: {question!r}")
    if truths:
        found.left_out["annotations marked as ground truth, which are the key"] += truths
    if bare:
        found.notes.append(
            f"{how_many(bare, 'prediction is an id', 'predictions are ids')} only; export a snapshot with "
            "predictions to have the models' votes"
        )
