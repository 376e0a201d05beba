"""Test runs of DeepEval."""

import json

import pytest

from algeval.errors import DataError
from algeval.io import read_votes, read_votes_with_notes


def metric(name, success, score=0.7, model=None, **more):
    return {"name": name, "success": success, "score": score, "evaluationModel": model} | more


def run(tmp_path, cases):
    path = tmp_path / "test_run.json"
    path.write_text(
        json.dumps({"testCases": cases, "conversationalTestCases": [], "metricsScores": []})
    )
    return path


def case(name, metrics, order=0):
    return {"name": name, "order": order, "metricsData": metrics}


def test_a_metric_that_failed_to_run_did_not_say_fail(tmp_path):
    cases = [
        case("t1", [metric("exact", True), metric("geval", False)]),
        case("t2", [metric("exact", False), metric("geval", False, None, error="timeout")]),
    ]
    votes, notes = read_votes_with_notes(run(tmp_path, cases))
    given = [[None if c < 0 else votes.answers[c] for c in codes] for codes in votes.codes.tolist()]
    assert given == [["pass", "fail"], ["fail", None]]
    assert "votes not given: metric error (1)" in notes


def test_one_metric_by_two_models_is_two_judges(tmp_path):
    both = [metric("geval", True, model="gpt"), metric("geval", False, model="claude")]
    assert read_votes(run(tmp_path, [case("t", both)])).judges == ("geval [gpt]", "geval [claude]")


def test_names_that_repeat_give_way_to_the_order(tmp_path):
    both = [metric("exact", True), metric("geval", False)]
    votes = read_votes(run(tmp_path, [case("t", both, 0), case("t", both, 1)]))
    assert votes.items == ("0", "1")
    with pytest.raises(DataError, match="a name of its own"):
        read_votes(run(tmp_path, [case("t", both, 1), case("t", both, 1)]))


def test_a_metric_without_a_name_is_one_sentence(tmp_path):
    with pytest.raises(DataError, match="must have the field 'name'"):
        read_votes(run(tmp_path, [case("t", [{"success": True, "score": 1}])]))
