"""Exports of Label Studio: tasks with annotations as JSON, or a row per annotation (JSON-MIN, CSV)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from algeval.errors import DataError
from algeval.io.columns import plain
from algeval.io.readers import label_studio_rows
from algeval.io.readers.files import Files, keys_of, must_have
from algeval.io.readers.gathered import Gathered, Wanted
from algeval.io.readers.questions import one_question
from algeval.io.readers.repeats import Ballot, one_each
from algeval.result.wording import how_many

__all__ = ["fits", "read"]

Answer = tuple[str, Any]
"""question, value"""


def fits(files: Files) -> bool:
    """Whether the file is a list of tasks with annotations, or has a row per annotation."""
    if files.several:
        return False
    tasks = {"annotations", "data"} <= keys_of(files.first_row())
    return tasks or label_studio_rows.fits(files)


def read(files: Files, wanted: Wanted) -> Gathered:
    """Return the votes on one question; annotations marked as ground truth are the key."""
    if label_studio_rows.fits(files):
        return label_studio_rows.read(files, wanted)
    tasks = [task for _, task in files.rows()]
    question = _question(tasks, wanted.question, files.name)
    marked = _marked(tasks, wanted, files.name)
    found = Gathered("Label Studio", key_name="ground_truth")
    found.notes.append(f"item: task; judge: person, or version of a model; question: {question!r}")
    keys = {_id(task): _key(found, task, question) for task in tasks} if marked else {}
    ballots = [one for task in tasks for one in _ballots(task, marked)]
    kept, older = one_each(ballots, wanted.latest)
    if older:
        found.left_out["older votes of a judge on a task"] += older
    for ballot in kept:
        key = keys.get(ballot.item)
        if ballot.held.get("was_cancelled"):
            found.no_vote(ballot.item, ballot.judge, "skipped", key)
            continue
        answer = _one(ballot.held, question, f"{ballot.place} of task {ballot.item}")
        if answer is None:
            found.no_vote(ballot.item, ballot.judge, "question left blank", key)
        else:
            found.vote(ballot.item, ballot.judge, answer, key)
    _say(found, tasks, marked, files.name)
    return found


def _id(task: dict[str, Any]) -> str:
    return str(must_have(task, "id", (int, str), "every task"))


def _parts(task: dict[str, Any], name: str) -> list[Any]:
    """Return the annotations or predictions of a task; those that are ids only among them."""
    held = task.get(name)
    if held is not None and not isinstance(held, list):
        raise DataError(
            f"{name!r} of task {task.get('id')} must be a list; got {str(held)[:40]!r}; export the file again"
        )
    return held or []


def _written(task: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return [part for part in _parts(task, name) if isinstance(part, dict)]


def _question(tasks: list[dict[str, Any]], asked: str | None, name: str) -> str:
    counted: Counter[str] = Counter()
    for task in tasks:
        for part in (*_written(task, "annotations"), *_written(task, "predictions")):
            counted.update(question for question, _ in _answers(part))
    if not counted:
        raise DataError(
            f"{name} must hold choices, ratings or numbers; got {how_many(len(tasks), 'task')} of Label "
            "Studio with none; label some, or export again"
        )
    return one_question(asked, counted, name)


def _answers(part: dict[str, Any]) -> Iterator[Answer]:
    """Yield what an annotation or prediction says, by question."""
    results = part.get("result")
    for result in filter(keys_of, results if isinstance(results, list) else ()):
        value = result.get("value")
        for kind in ("choices", "rating", "number"):
            if isinstance(value, dict) and kind in value:
                yield str(result.get("from_name")), value[kind]


def _marked(tasks: list[dict[str, Any]], wanted: Wanted, name: str) -> bool:
    """Whether annotations marked as ground truth are the key; refuse to count some of them as votes."""
    if not wanted.truth_votes:
        return True
    marks = [bool(a.get("ground_truth")) for task in tasks for a in _written(task, "annotations")]
    if not all(marks):
        raise DataError(
            "ground_truth='as-votes' is about exports where every annotation is marked as ground truth, as "
            f"imported ones are; {name} marks {sum(marks)} of {len(marks)}: these are the key, the others "
            "are the votes; leave it out"
        )
    return False


def _ballots(task: dict[str, Any], marked: bool) -> Iterator[Ballot]:
    item = _id(task)
    for part in _written(task, "annotations"):
        if not (marked and part.get("ground_truth")):
            place = f"annotation {part.get('id')}"
            yield Ballot(item, _person(part, f"{place} of task {item}"), place, _when(part), part)
    for part in _written(task, "predictions"):
        version = part.get("model_version")
        model = plain(version) if isinstance(version, str | int) else None
        yield Ballot(item, model or "model", f"prediction {part.get('id')}", _when(part), part)


def _when(part: dict[str, Any]) -> Any:
    return part.get("updated_at") or part.get("created_at")


def _person(part: dict[str, Any], where: str) -> str:
    who = must_have(part, "completed_by", (int, str, dict), where)
    name = who.get("email") or who.get("id") if isinstance(who, dict) else who
    if not isinstance(name, str | int) or plain(name) is None:
        raise DataError(f"{where} must say who made it; got {who!r}; export the file again")
    return str(plain(name))


def _key(found: Gathered, task: dict[str, Any], question: str) -> Any:
    """Return the truth of a task, None where marked annotations differ."""
    truths = [
        _one(part, question, f"annotation {part.get('id')} of task {_id(task)}")
        for part in _written(task, "annotations")
        if part.get("ground_truth") and not part.get("was_cancelled")
    ]
    told = {plain(truth) for truth in truths} - {None}
    if len(told) > 1:
        found.left_out["true labels of tasks whose ground truths differ"] += 1
    return next(t for t in truths if t is not None) if len(told) == 1 else None


def _one(part: dict[str, Any], question: str, where: str) -> Any:
    """Return the one answer to a question, None where it was left blank."""
    values = [value for name, value in _answers(part) if name == question]
    given = [one for value in values for one in (value if isinstance(value, list) else [value])]
    if len(given) > 1:
        raise DataError(
            f"a vote must be one answer; {where} has {len(given)} choices for {question!r}; votes on several "
            "choices at once cannot be read"
        )
    return given[0] if given else None


def _say(found: Gathered, tasks: list[dict[str, Any]], marked: bool, name: str) -> None:
    parts = [part for task in tasks for part in _written(task, "annotations")]
    truths = sum(bool(part.get("ground_truth")) for part in parts)
    bare = sum(not isinstance(p, dict) for task in tasks for p in _parts(task, "predictions"))
    if truths and marked and not found.items:
        raise DataError(
            f"annotations marked as ground truth are the key and no votes; all {truths} of {name} are so "
            "marked, as imported ones may be; count them with ground_truth='as-votes', or take the mark off "
            "in Label Studio"
        )
    if truths and marked:
        found.left_out["annotations marked as ground truth, which are the key"] += truths
    elif truths:
        found.notes.append(
            f"all {truths} annotations are marked as ground truth, and count as votes"
        )
    if bare:
        found.notes.append(
            f"{how_many(bare, 'prediction is an id', 'predictions are ids')} only; export a snapshot with "
            "predictions to have the models' votes"
        )
