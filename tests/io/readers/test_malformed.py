"""Fields of a wrong kind: whatever stands where a tool writes something else is read or refused."""

import copy
import json

import pytest

from algeval.errors import DataError
from algeval.io import read_votes

_SCORES = {"value": "C", "metadata": {"panel": None}}
_GRADED = {"componentResults": [{"pass": True, "assertion": {"metric": "m"}, "metadata": {}}]}
_RESULT = [{"from_name": "v", "value": {"choices": ["a"]}}]
_ANNOTATION = {"id": 1, "completed_by": {"email": "e"}, "ground_truth": False, "result": _RESULT}
_METRIC = {"name": "m", "score": 1.0, "success": True, "evaluationModel": "g"}
_LLM = {"source_type": "LLM_JUDGE", "source_id": "g"}
TOOLS = {
    "inspect.json": {
        "eval": {"scorers": [{"name": "s", "options": {"model": ["a"]}}], "packages": {}},
        "status": "success",
        "samples": [{"id": k, "epoch": 1, "target": "x", "scores": {"s": _SCORES}} for k in (1, 2)],
    },
    "promptfoo.jsonl": [
        {"testIdx": k, "promptIdx": 0, "provider": {"id": "p"}, "gradingResult": _GRADED} for k in (0, 1)
    ],
    "label-studio.json": [
        {"id": k, "data": {}, "annotations": [_ANNOTATION], "predictions": [7]} for k in (1, 2)
    ],
    "deepeval.json": {
        "metricsScores": [],
        "testCases": [{"name": n, "order": k, "metricsData": [_METRIC]} for k, n in enumerate("ab")],
    },
    "fastchat.jsonl": [
        {"question_id": k, "turn": 1, "model_1": "a", "model_2": "b", "judge": ["g", "p"]}
        | {"g1_winner": "tie", "g2_winner": "model_1", "tstamp": 1.0}
        for k in (1, 2)
    ],
    "judgebench.jsonl": [
        {"pair_id": k, "label": "A>B", "judgments": [{"decision": "A>B"}, None]} for k in "ab"
    ],
    "lm-eval.jsonl": [
        {"doc_id": k, "doc_hash": "h", "filter": "none", "target": "0"}
        | {"filtered_resps": [["-1", "True"], ["-2", "False"]]}
        for k in (0, 1)
    ],
    "argilla.json": [
        {"id": k, "q.responses": ["x"], "q.responses.users": ["u"], "q.responses.status": ["submitted"]}
        for k in "ab"
    ],
    "mlflow.jsonl": [
        {"trace_id": k, "assessments": [{"assessment_name": "n", "source": _LLM, "feedback": {"value": 1}}]}
        for k in "ab"
    ],
    "prodigy.jsonl": [
        {"_input_hash": k, "_task_hash": k, "_annotator_id": "a", "options": [], "accept": ["x"]}
        | {"answer": "accept"}
        for k in (1, 2)
    ],
    "listed.json": [{"id": k, "votes": [{"judge": "g", "value": "yes", "status": None}]} for k in "ab"],
}  # fmt: skip
BAD = [None, float("nan"), 7, {}]


def places(held, before=()):
    for key in (
        held if isinstance(held, dict) else range(len(held)) if isinstance(held, list) else ()
    ):
        yield (*before, key)
        yield from places(held[key], (*before, key))


def spoilt(held, place, value):
    found = copy.deepcopy(held)
    inner = found
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    return found


def write(path, held):
    listed = path.suffix == ".jsonl"
    path.write_text(
        "\n".join(map(json.dumps, held)) if listed else json.dumps(held), encoding="utf-8"
    )
    return path


def outcome(path):
    """Return the sentence that refuses a file, else the names that were read."""
    try:
        votes = read_votes(path)
    except DataError as refused:
        return (str(refused),)
    return (*votes.items, *votes.judges)


@pytest.mark.parametrize("name", TOOLS)
def test_whatever_stands_in_a_field_is_read_or_refused(tmp_path, name):
    held = TOOLS[name]
    assert read_votes(write(tmp_path / name, held)).n_items == 2
    for place in places(held):
        for value in BAD:
            told = outcome(write(tmp_path / name, spoilt(held, place, value)))
            assert not set(told) & {"None", "nan", "[]", "{}"}, (place, value)
            assert "\n" not in told[0], (place, value)


@pytest.mark.parametrize("name", [name for name in TOOLS if name.endswith(".json")])
def test_a_document_that_was_cut_off_is_refused_wherever(tmp_path, name):
    text = write(tmp_path / name, TOOLS[name]).read_bytes()
    for size in range(2, len(text), 17):
        (tmp_path / name).write_bytes(text[:size])
        with pytest.raises(DataError):
            read_votes(tmp_path / name)
