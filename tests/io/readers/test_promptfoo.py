"""Results of promptfoo, as one object and as lines."""

import json

import pytest

from algeval.errors import DataError
from algeval.io import read_votes, read_votes_with_notes


def part(metric, passed, **more):
    assertion = {"type": "llm-rubric"} | ({"metric": metric} if metric else {})
    return {"assertion": assertion, "pass": passed, "score": int(passed)} | more


def row(test, parts, prompt=0, provider="echo", **more):
    graded = None if parts is None else {"pass": True, "componentResults": parts}
    held = {"testIdx": test, "promptIdx": prompt, "provider": {"id": provider, "label": ""}}
    return held | {"gradingResult": graded, "failureReason": 0} | more


ROWS = [
    row(1, [part("gpt", True), part("claude", False)]),
    row(0, [part("gpt", False), part("claude", False, metadata={"graderError": True})]),
    row(2, None, failureReason=2),
]


def document(tmp_path, rows, version=3):
    path = tmp_path / "out.json"
    held = {"version": version, "results": rows}
    path.write_text(json.dumps({"results": held, "metadata": {"promptfooVersion": "0.121"}}))
    return path


def lines(tmp_path, rows):
    path = tmp_path / "out.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("write", [document, lines])
def test_a_grader_that_failed_did_not_say_fail(tmp_path, write):
    votes, notes = read_votes_with_notes(write(tmp_path, ROWS))
    assert votes.items == ("1:0:echo", "0:0:echo")
    assert votes.judges == ("gpt", "claude")
    given = [[None if c < 0 else votes.answers[c] for c in codes] for codes in votes.codes.tolist()]
    assert given == [["pass", "fail"], ["fail", None]]
    assert "votes not given: grader error (1)" in notes
    assert "left out: outputs that were not graded (errors) (1)" in notes


def test_assertions_without_a_name_are_told_by_type_and_place(tmp_path):
    votes = read_votes(
        lines(tmp_path, [row(0, [part(None, True), part(None, False)])] * 1 + ROWS[:0])
    )
    assert votes.judges == ("llm-rubric 1", "llm-rubric 2")


def test_another_version_is_read_with_a_note(tmp_path):
    _, notes = read_votes_with_notes(document(tmp_path, ROWS, version=9))
    assert "results of version 9, read as version 3" in notes


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([row(0, None)], "at least one vote"),
        ([row(0, [part("g", True, componentResults=[part("h", True)])])], "side by side"),
        ([{**row(0, [part("g", True)]), "promptIdx": None}], "must have the field 'promptIdx'"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(tmp_path, rows, told):
    with pytest.raises(DataError, match=told) as caught:
        read_votes(document(tmp_path, rows))
    assert "\n" not in str(caught.value)


def test_the_same_output_twice_is_refused(tmp_path):
    with pytest.raises(DataError, match="0:0:echo"):
        read_votes(document(tmp_path, [ROWS[1], ROWS[1]]))


def test_a_result_without_its_assertions_keeps_the_verdict_of_the_test(tmp_path):
    rows = [
        {"testIdx": k, "promptIdx": 0, "provider": {"id": "openai:gpt"}}
        | {"gradingResult": {"pass": k % 3 > 0, "score": 1.0 * (k % 3 > 0), "reason": ""}}
        for k in range(9)
    ]
    path = tmp_path / "out.json"
    path.write_text(json.dumps({"results": {"version": 3, "results": rows}}), encoding="utf-8")
    votes = read_votes(str(path))
    assert votes.judges == ("all assertions",)
    assert [votes.answers[k] for k in votes.codes[:, 0]] == ["fail", "pass", "pass"] * 3
