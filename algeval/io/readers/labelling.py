"""Files of labelling tools: Label Studio, Argilla, Prodigy, Mechanical Turk."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from algeval.errors import DataError, option
from algeval.io.answers import plain
from algeval.io.layout import ITEM_NAMES, match, shown, words_of
from algeval.io.readers.base import (
    Ballot,
    Files,
    Gathered,
    Wanted,
    keys_of,
    must_have,
    single_question,
    without_repeats,
)
from algeval.io.tables import Table
from algeval.result.numbers import how_many

# --- Data sets of Prodigy as JSON lines: examples accepted or rejected, or one of several options
# chosen.


_FIELDS = {"_input_hash", "_task_hash", "answer"}
_WHO = ("_annotator_id", "_session_id")

Rows = list[tuple[str, dict[str, Any]]]


def fits_prodigy(files: Files) -> bool:
    """Whether the file holds annotated examples of Prodigy."""
    return not files.several and keys_of(files.first_row()) >= _FIELDS


def read(files: Files, wanted: Wanted) -> Gathered:
    """Return what annotators said of each example; what they ignored is no vote."""
    rows = list(files.rows())
    kind = single_question(wanted.question, Counter(_kind(row) for _, row in rows), files.name)
    chosen = [(where, row) for where, row in rows if _kind(row) == kind]
    # the task is the item where an input has several
    tasks: dict[str, set[str]] = defaultdict(set)
    for _, row in chosen:
        tasks[str(row.get("_input_hash"))].add(str(row.get("_task_hash")))
    by_task = any(len(met) > 1 for met in tasks.values())
    votes = Gathered("Prodigy")
    what = "the option chosen" if kind == "choice" else "accept or reject"
    votes.notes.append(f"item: {'task' if by_task else 'input'}; judge: annotator; answer: {what}")
    ballots = [_ballot(row, where, by_task) for where, row in chosen]
    older = "older votes of an annotator on an example"
    for ballot in without_repeats(ballots, wanted.latest, votes.left_out, older):
        said = must_have(ballot.held, "answer", str, ballot.place)
        if said not in ("accept", "reject", "ignore"):
            raise DataError(
                f"answer must be accept, reject or ignore; got {said!r} in {ballot.place}; correct it"
            )
        failed = "ignored" if said == "ignore" else ""
        if kind != "binary" and said == "reject":
            failed = "rejected, whatever was chosen"
        answer = said if kind == "binary" or failed else _choice(ballot)
        votes.vote(ballot.item, ballot.judge, answer, failed=failed)
    return votes


def _kind(row: dict[str, Any]) -> str:
    return "choice" if "options" in row or "accept" in row else "binary"


def _ballot(row: dict[str, Any], where: str, by_task: bool) -> Ballot:
    item = must_have(row, "_task_hash" if by_task else "_input_hash", (int, str), where)
    names = (row.get(name) for name in _WHO)
    who = next(
        (plain(person) for person in names if isinstance(person, str | int) and plain(person)), None
    )
    if who is None:
        raise DataError(
            f"every example must say who annotated it; {where} has neither {_WHO[0]!r} nor {_WHO[1]!r}; "
            "annotate in named sessions"
        )
    return Ballot(str(item), who, where, row.get("_timestamp"), row)


def _choice(ballot: Ballot) -> Any:
    chosen = must_have(ballot.held, "accept", list, ballot.place)
    if len(chosen) > 1:
        raise DataError(
            f"a vote must be one choice; {ballot.place} has {len(chosen)}; votes on several choices at once "
            "cannot be read"
        )
    return chosen[0] if chosen else None


# --- Label Studio's exports with a row per annotation: CSV, TSV and JSON-MIN.


_SURE = {"annotation_id", "annotator", "id"}
_OLDER = "older votes of a judge on a task"
_NO_QUESTION = _SURE | {"created_at", "updated_at", "lead_time"}

Row = dict[str, Any]


def fits(files: Files) -> bool:
    """Whether the file has a row per annotation."""
    return not files.several and set(files.columns()) >= _SURE


def read_label_studio_rows(files: Files, wanted: Wanted) -> Gathered:
    """Votes on one question."""
    if wanted.truth_votes:
        raise DataError(
            f"{option('ground_truth')} is about Label Studio's JSON; {files.name} has a row per annotation "
            "and does not say which are ground truth; leave it out"
        )
    rows = list(_rows(files))
    question, data = _question(rows, wanted.question, files.name)
    votes = Gathered("Label Studio")
    votes.notes.append(f"item: task; judge: annotator; question: {question!r}")
    if data:
        votes.notes.append(f"the same throughout each task, so its data: {shown(data, 6)}")
    votes.notes.append(
        "ground truth is not marked in this export, and counts as votes; JSON marks it"
    )
    ballots = (_ballot_of_label_studio_rows(row, where) for where, row in rows)
    for ballot in without_repeats(ballots, wanted.latest, votes.left_out, _OLDER):
        answer = _cell(ballot.held.get(question), question, ballot.place)
        votes.vote(ballot.item, ballot.judge, answer, blank="question left blank")
    return votes


def _rows(files: Files) -> Iterator[tuple[str, Row]]:
    if files.first_row() is not None:
        yield from files.rows()
        return
    table = files.table()
    columns = [table.column(name).texts() for name in table.names]
    for number, cells in enumerate(zip(*columns, strict=True), start=1):
        yield f"row {number} of {files.name}", dict(zip(table.names, cells, strict=True))


def _ballot_of_label_studio_rows(row: Row, where: str) -> Ballot:
    for name in ("id", "annotator"):
        if plain(row.get(name)) is None or isinstance(row[name], dict | list):
            raise DataError(f"every annotation must have {name!r}; {where} has none; export again")
    described = f"annotation {row.get('annotation_id')}"
    when = row.get("updated_at") or row.get("created_at")
    return Ballot(str(plain(row["id"])), str(plain(row["annotator"])), described, when, row)


def _question(
    rows: list[tuple[str, Row]], wanted: str | None, name: str
) -> tuple[str, tuple[str, ...]]:
    """Question, and the columns of data of tasks, told apart by being the same in all rows of a task."""
    names = [n for n in dict.fromkeys(n for _, row in rows for n in row) if n not in _NO_QUESTION]
    cells: dict[str, dict[str, set[str]]] = {n: defaultdict(set) for n in names}
    for _, row in rows:
        for n in names:
            cells[n][str(row.get("id"))].add(str(row.get(n)))
    differing = [n for n in names if any(len(met) > 1 for met in cells[n].values())]
    short = [n for n in names if not _is_prose({str(row.get(n)) for _, row in rows}, len(rows))]
    likely = differing or short or names
    answered = {n: sum(plain(row.get(n)) is not None for _, row in rows) for n in likely}
    if wanted is not None and wanted in names:
        return wanted, ()
    if not names:
        raise DataError(f"{name} must hold a column of answers; got {shown(list(rows[0][1]))}")
    question = single_question(wanted, answered, name)
    return question, tuple(n for n in names if n not in likely)


def _is_prose(texts: set[str], n_rows: int) -> bool:
    """Whether cells are words that tasks show: of their own on most rows, and several words each."""
    several = sum(len(t.split()) > 2 and t[:1] not in "[{" for t in texts)
    return 2 * len(texts) > n_rows and 2 * several > len(texts)


def _cell(cell: Any, question: str, where: str) -> Any:
    """Return the one answer in a cell, which may hold JSON: a rating, a number, several choices."""
    held = cell
    if isinstance(cell, str) and cell[:1] in ("[", "{"):
        try:
            held = json.loads(cell)
        except (ValueError, RecursionError):
            return cell
    while isinstance(held, dict | list):
        if isinstance(held, dict):
            parts = [held[kind] for kind in ("choices", "rating", "number") if kind in held]
        else:
            parts = held
        if len(parts) != 1:
            raise DataError(
                f"a vote must be one choice, rating or number; {where} says {str(cell)[:60]!r} for "
                f"{question!r}; choose another {option('question')}, or export other answers"
            )
        held = parts[0]
    return held if plain(held) is not None else None


# --- Batch results of Mechanical Turk: a row per assignment, answers in columns
# ``Answer.QUESTION...``.


_COLUMNS = ("hitid", "workerid", "assignmentstatus")  # HITId in the tool's own case
_ANSWER = re.compile(
    r"answer[._]", re.IGNORECASE
)  # a warehouse writes it small, and for the dot a line
_ENDINGS = (".label", ".text", ".value")
_TRUTHS = {"true", "false"}

Cells = list[str | None]


def fits_mturk(files: Files) -> bool:
    """Whether the file has a row per assignment."""
    return not files.several and {name.lower() for name in files.columns()} >= {*_COLUMNS}


def read_mturk(files: Files, wanted: Wanted) -> Gathered:
    """Answers of workers to one question, rejected assignments left out."""
    table = files.table()
    names = {name.lower(): name for name in table.names}
    questions = _questions_of_mturk(table)
    if not questions:
        raise DataError(
            f"{files.name} must have answers in columns called Answer.QUESTION; got {shown(table.names)}; "
            "download the results of the batch again"
        )
    remarks = [name for name, answers in questions.items() if _are_remarks(name, answers)]
    votes_on = {n: of for n, of in questions.items() if n not in remarks} or questions
    counted = {
        name: sum(any(row) for row in zip(*answers.values(), strict=True))
        for name, answers in (votes_on if wanted.question is None else questions).items()
    }
    question = single_question(wanted.question, counted, files.name, noun="answer")
    votes = Gathered("Mechanical Turk")
    item_, judge, _ = own = [names[name] for name in _COLUMNS]
    votes.notes.append(f"item: {item_}; judge: {judge}; question: {question!r}")
    if remarks and question not in remarks:
        votes.notes.append(f"remarks left out: {shown(tuple(remarks), 4)}")
    rows = zip(*(table.column(name).texts() for name in own), strict=True)
    for number, (item, worker, status) in enumerate(rows, start=1):
        if str(status).lower() == "rejected":
            votes.left_out["rejected assignments"] += 1
            continue
        votes.vote(item, worker, _answer(questions[question], number, files.name))
    return votes


def _questions_of_mturk(table: Table) -> dict[str, dict[str, Cells]]:
    """Columns of each question: one, or one of true and false per choice, as ``Answer.verdict.good``."""
    questions: dict[str, dict[str, Cells]] = {}
    for name in table.names:
        if not _ANSWER.match(name):
            continue
        cells = table.column(name).texts()
        stem = _ANSWER.sub("", name, count=1)
        question, _, choice = stem.rpartition(".")
        if question and {cell.lower() for cell in cells if cell} <= _TRUTHS and any(cells):
            questions.setdefault(question, {})[choice] = cells
        else:
            ending = next((end for end in _ENDINGS if stem.endswith(end)), "")
            questions.setdefault(stem.removesuffix(ending), {})[""] = cells
    return questions


_COMMENTS = {"comment", "comments", "remark", "remarks", "notes"}
_REMARKS = {*_COMMENTS, "feedback", "note", "reason", "why"}


def _are_remarks(name: str, answers: dict[str, Cells]) -> bool:
    """Whether the answers to a question are words of a worker's own, and no votes."""
    said = [text for cells in answers.values() for text in cells if text]
    if len(answers) > 1 or not said:
        return False
    own = len(set(said)) > 2 and 2 * len(set(said)) > len(said)
    of_words = sum(len(text.split()) for text in said) > 2 * len(said)
    comments = not _COMMENTS.isdisjoint(words_of(name)[-1:])
    return comments or (of_words and (own or not _REMARKS.isdisjoint(words_of(name))))


def _answer(answers: dict[str, Cells], number: int, name: str) -> Any:
    """Return the one answer in a row, None where the question was left blank."""
    cells = {choice: column[number - 1] for choice, column in answers.items()}
    if len(cells) == 1:
        return next(iter(cells.values()))
    chosen = [choice for choice, cell in cells.items() if str(cell).lower() == "true"]
    if "" in cells or len(chosen) > 1:
        raise DataError(
            f"a vote must be one answer; row {number} of {name} has {how_many(len(chosen), 'choice')} in "
            f"{shown(tuple(cells))}; votes on several choices at once cannot be read"
        )
    return chosen[0] if chosen else None


# --- Exports of Label Studio: tasks with annotations as JSON, or a row per annotation (JSON-MIN,
# CSV).


Answer = tuple[str, Any]  # question, value


def fits_label_studio(files: Files) -> bool:
    """Whether the file is a list of tasks with annotations, or has a row per annotation."""
    if files.several:
        return False
    tasks = {"annotations", "data"} <= keys_of(files.first_row())
    return tasks or fits(files)


def read_label_studio(files: Files, wanted: Wanted) -> Gathered:
    """Votes on one question; annotations marked as ground truth are the key."""
    if fits(files):
        return read_label_studio_rows(files, wanted)
    tasks = [task for _, task in files.rows()]
    question = _question_of_label_studio(tasks, wanted.question, files.name)
    marked = _marked(tasks, wanted, files.name)
    votes = Gathered("Label Studio", key_name="ground_truth")
    votes.notes.append(f"item: task; judge: person, or version of a model; question: {question!r}")
    keys = {_id(task): _key(votes, task, question) for task in tasks} if marked else {}
    ballots = [entry for task in tasks for entry in _ballots(task, marked)]
    votes.people.update(ballot.judge for ballot in ballots if ballot.person)
    for ballot in without_repeats(ballots, wanted.latest, votes.left_out, _OLDER):
        key = keys.get(ballot.item)
        if ballot.held.get("was_cancelled"):
            votes.vote(ballot.item, ballot.judge, None, key, blank="skipped")
            continue
        answer = _single_answer(ballot.held, question, f"{ballot.place} of task {ballot.item}")
        votes.vote(ballot.item, ballot.judge, answer, key, blank="question left blank")
    _say(votes, tasks, marked, files.name)
    return votes


def _id(task: dict[str, Any]) -> str:
    return str(must_have(task, "id", (int, str), "every task"))


def _parts(task: dict[str, Any], name: str) -> list[Any]:
    """Annotations or predictions of a task; those that are ids only among them."""
    held = task.get(name)
    if held is not None and not isinstance(held, list):
        raise DataError(
            f"{name!r} of task {task.get('id')} must be a list; got {str(held)[:40]!r}; export the file again"
        )
    return held or []


def _written(task: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return [part for part in _parts(task, name) if isinstance(part, dict)]


def _question_of_label_studio(tasks: list[dict[str, Any]], wanted: str | None, name: str) -> str:
    counted: Counter[str] = Counter()
    for task in tasks:
        for part in (*_written(task, "annotations"), *_written(task, "predictions")):
            counted.update(question for question, _ in _answers(part))
    if not counted:
        raise DataError(
            f"{name} must hold choices, ratings or numbers; got {how_many(len(tasks), 'task')} of Label "
            "Studio with none; label some, or export again"
        )
    return single_question(wanted, counted, name)


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
            f"{option('ground_truth', 'as-votes')} is about exports where every annotation is marked as "
            f"ground truth, as imported ones are; {name} marks {sum(marks)} of {len(marks)}: these are the "
            "key, the others are the votes; leave it out"
        )
    return False


def _ballots(task: dict[str, Any], marked: bool) -> Iterator[Ballot]:
    item = _id(task)
    for part in _written(task, "annotations"):
        if not (marked and part.get("ground_truth")):
            where = f"annotation {part.get('id')}"
            who = _person(part, f"{where} of task {item}")
            yield Ballot(item, who, where, _when(part), part, person=True)
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


def _key(votes: Gathered, task: dict[str, Any], question: str) -> Any:
    """Truth of a task, None where marked annotations differ."""
    truths = [
        _single_answer(part, question, f"annotation {part.get('id')} of task {_id(task)}")
        for part in _written(task, "annotations")
        if part.get("ground_truth") and not part.get("was_cancelled")
    ]
    labels = {plain(truth) for truth in truths} - {None}
    if len(labels) > 1:
        votes.left_out["true labels of tasks whose ground truths differ"] += 1
    return next(t for t in truths if t is not None) if len(labels) == 1 else None


def _single_answer(part: dict[str, Any], question: str, where: str) -> Any:
    """Return the one answer to a question, None where it was left blank."""
    values = [value for name, value in _answers(part) if name == question]
    answers = [
        answer for value in values for answer in (value if isinstance(value, list) else [value])
    ]
    if len(answers) > 1:
        raise DataError(
            f"a vote must be one answer; {where} has {len(answers)} choices for {question!r}; votes on "
            "several choices at once cannot be read"
        )
    return answers[0] if answers else None


def _say(votes: Gathered, tasks: list[dict[str, Any]], marked: bool, name: str) -> None:
    parts = [part for task in tasks for part in _written(task, "annotations")]
    truths = sum(bool(part.get("ground_truth")) for part in parts)
    bare = sum(not isinstance(p, dict) for task in tasks for p in _parts(task, "predictions"))
    if truths and marked and not votes.items:
        raise DataError(
            f"annotations marked as ground truth are the key and no votes; all {truths} of {name} are so "
            f"marked, as imported ones may be; count them with {option('ground_truth', 'as-votes')}, or take "
            "the mark off in Label Studio"
        )
    if truths and marked:
        votes.left_out["annotations marked as ground truth, which are the key"] += truths
    elif truths:
        votes.notes.append(
            f"all {truths} annotations are marked as ground truth, and count as votes"
        )
    if bare:
        votes.notes.append(
            f"{how_many(bare, 'prediction is an id', 'predictions are ids')} only; export a snapshot with "
            "predictions to have the models' votes"
        )


# --- Records of Argilla in their flat form: three parallel lists a question, and a model's
# suggestion.


_SUBMITTED = "submitted"


def fits_argilla(files: Files) -> bool:
    """Whether the file holds flat records of Argilla, or those that it writes for a hub of data sets."""
    if files.several:
        return False
    return bool(_questions(_flat_record(files.first_row() or {})))


def _flat_record(row: dict[str, Any]) -> dict[str, Any]:
    """Record with parallel lists in place of {question: [{user_id, value, status}], question-suggestion}."""
    flat = dict(row)
    for name, held in row.items():
        answers = held or []
        if f"{name}-suggestion" not in row or not isinstance(answers, list):
            continue
        if not all({"user_id", "value"} <= keys_of(answer) for answer in answers):
            continue
        flat[f"{name}.responses"] = [answer["value"] for answer in answers]
        flat[f"{name}.responses.users"] = [answer["user_id"] for answer in answers]
        flat[f"{name}.responses.status"] = [answer.get("status", _SUBMITTED) for answer in answers]
        flat[f"{name}.suggestion"] = row[f"{name}-suggestion"]
        about = row.get(f"{name}-suggestion-metadata")
        flat[f"{name}.suggestion.agent"] = about.get("agent") if isinstance(about, dict) else None
    return flat


def _questions(row: dict[str, Any]) -> list[str]:
    """Questions that have responses, users and status."""
    names = [name.removesuffix(".responses") for name in row if name.endswith(".responses")]
    return [
        name
        for name in names
        if {f"{name}.responses.users", f"{name}.responses.status"} <= set(row)
    ]


def read_argilla(files: Files, wanted: Wanted) -> Gathered:
    """Submitted responses to one question, and suggestions as votes of their agents."""
    rows = [(where, _flat_record(row)) for where, row in files.rows()]
    questions = Counter(question for _, row in rows for question in _questions(row))
    question = single_question(wanted.question, questions, files.name, noun="record")
    by_own = any(row.get("external_id") is not None for _, row in rows)
    left = {name: cell for name, cell in rows[0][1].items() if name != "external_id"}
    item = "external_id" if by_own else match(left, ITEM_NAMES)
    votes = Gathered("Argilla")
    votes.notes.append(
        f"item: {item or 'number of the row'}; judge: user, or agent of a suggestion"
    )
    for number, (where, row) in enumerate(rows, start=1):
        _record(votes, row, row.get(item) if item else number, question, where)
    return votes


def _record(votes: Gathered, row: Any, item: Any, question: str, where: str) -> None:
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
        votes.vote(item, user, answer, failed="" if status == _SUBMITTED else f"{status}")
        votes.people.add(str(plain(user)))
    suggestion = row.get(f"{question}.suggestion")
    if suggestion is not None:
        votes.vote(item, plain(row.get(f"{question}.suggestion.agent")) or "suggestion", suggestion)
