"""Logs of Inspect, as .json and as .eval, whole and broken."""

import json
import zipfile

import pytest

from algeval.errors import DataError
from algeval.io import read_scores, read_votes, read_votes_with_notes


def log(samples, scorers=("a", "b"), **more):
    named = [s if isinstance(s, dict) else {"name": s, "options": {}} for s in scorers]
    run = {"packages": {"inspect_ai": "0.3"}, "scorers": named}
    return {"version": 2, "status": "success", "eval": run, "samples": samples} | more


def sample(name, scores, **more):
    held = {
        k: v if isinstance(v, dict) and "value" in v else {"value": v} for k, v in scores.items()
    }
    return {"id": name, "epoch": 1, "target": "red", "scores": held} | more


def written(tmp_path, document, name="run.json"):
    path = tmp_path / name
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def zipped(tmp_path, document, packed=zipfile.ZIP_DEFLATED):
    path = tmp_path / "run.eval"
    with zipfile.ZipFile(path, "w", packed) as archive:
        archive.writestr(
            "header.json", json.dumps({k: v for k, v in document.items() if k != "samples"})
        )
        archive.writestr("_journal/start.json", "{}")
        for one in document["samples"]:
            archive.writestr(f"samples/{one['id']}_epoch_{one['epoch']}.json", json.dumps(one))
    return path


TWO = [sample("q1", {"a": "C", "b": "I"}), sample("q2", {"a": "I", "b": float("nan")})]


@pytest.mark.parametrize("pack", [written, zipped], ids=["json", "eval"])
def test_a_judge_per_scorer_and_why_a_vote_is_missing(tmp_path, pack):
    votes, notes = read_votes_with_notes(pack(tmp_path, log(TWO)))
    assert votes.judges == ("a", "b")
    assert votes.labels == ("C", "I")
    assert votes.codes.tolist() == [[0, 1], [1, -1]]
    assert votes.items == ("q1", "q2")
    assert notes[0].endswith("read as a file of Inspect 0.3")
    assert "votes not given: no value (1)" in notes
    assert not any("target" in note for note in notes), "a grade is no label of the target"


def test_a_scorer_without_an_entry_and_a_failed_sample_are_missing_votes(tmp_path):
    samples = [TWO[0], sample("q2", {"a": "C"}), sample("q3", {}, error={"message": "boom"})]
    votes, notes = read_votes_with_notes(written(tmp_path, log(samples)))
    assert votes.codes.tolist() == [[0, 1], [0, -1], [-1, -1]]
    assert "votes not given: no score (1), sample error (2)" in notes


def test_the_target_is_a_key_where_answers_are_labels(tmp_path):
    samples = [sample("q1", {"a": "red", "b": "blue"}), sample("q2", {"a": "blue", "b": "red"})]
    votes, notes = read_votes_with_notes(written(tmp_path, log(samples)), key="target")
    assert votes.key.tolist() == [votes.labels.index("red")] * 2
    assert any("key='target'" in note for note in notes)


def test_epochs_make_items_and_dicts_make_judges(tmp_path):
    samples = [sample("q1", {"panel": {"value": {"x": "C", "y": "I"}}}, epoch=e) for e in (1, 2)]
    votes = read_votes(zipped(tmp_path, log(samples, ["panel"])))
    assert votes.items == ("q1:1", "q1:2")
    assert votes.judges == ("panel.x", "panel.y")


def panel(votes):
    return {"value": "C", "metadata": {"panel": {"votes": votes, "size": len(votes)}}}


def test_a_panel_is_read_vote_by_vote_under_the_names_of_its_models(tmp_path):
    models = {"name": "graded", "options": {"model": [{"model": "m/one"}, {"model": "m/two"}]}}
    samples = [
        sample("q1", {"graded": panel(["C", None])}),
        sample("q2", {"graded": panel(["I", "C"])}),
    ]
    votes, notes = read_votes_with_notes(written(tmp_path, log(samples, [models])))
    assert votes.judges == ("m/one", "m/two")
    assert votes.codes.tolist() == [[0, -1], [1, 0]]
    assert "votes not given: grader failed (1)" in notes
    three = [sample("q1", {"graded": panel(["C", "C", "I"])})]
    with pytest.raises(DataError, match="has 3 votes of 2 models"):
        read_votes(written(tmp_path, log(three, [models])))


def test_unlike_answers_are_questions_to_choose_from(tmp_path):
    samples = [sample("q1", {"a": "C", "n": 0.07}), sample("q2", {"a": "I", "n": 0.3})]
    path = written(tmp_path, log(samples, ["a", "n"]))
    with pytest.raises(
        DataError, match=r"'a' \(2 votes\), 'n' \(2 votes\); choose with question='a'"
    ):
        read_votes(path)
    votes, notes = read_votes_with_notes(path, question="a")
    assert votes.judges == ("a",)
    assert any("votes on other questions, of 'n' (2)" in note for note in notes)
    assert read_scores(path, question="n").values.ravel().tolist() == [0.07, 0.3]
    assert read_votes(path, judges=["a"]).judges == ("a",)
    with pytest.raises(DataError, match="it asks 'a', 'n'"):
        read_votes(path, question="c")


def test_scores_of_several_judges_are_one_question(tmp_path):
    rows = [sample(f"q{k}", {"a": k / 7, "b": k / 11}) for k in range(1, 7)]
    assert read_scores(written(tmp_path, log(rows))).judges == ("a", "b")


@pytest.mark.parametrize(
    ("document", "told"),
    [
        (log([]), "none (status 'success')"),
        (
            log([sample("q", {}, error={"message": "no key"})], status="error"),
            "first error is 'no key'",
        ),
        (log([TWO[0], TWO[0]]), "an id of its own; got 'q1'"),
        (log([{"scores": {"a": {"value": "C"}}}]), "must have the field 'id'"),
        ({"eval": [], "status": "success", "samples": TWO}, "must have the field 'eval'"),
        (log([sample("q", {"multi_scorer": "C"})], ["multi_scorer"]), "list the scorers"),
        (log([sample("q", {"a": [1, 0]}), sample("r", {"a": [1]})], ["a"]), "same length"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(tmp_path, document, told):
    with pytest.raises(DataError) as caught:
        read_votes(written(tmp_path, document))
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_log_cut_off_is_one_sentence(tmp_path):
    path = written(tmp_path, log(TWO))
    path.write_text(path.read_text()[:-40], encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read_votes(path)
    assert "\n" not in str(caught.value)
    archive = zipped(tmp_path, log(TWO))
    archive.write_bytes(archive.read_bytes()[:-60])
    with pytest.raises(DataError, match="whole archive"):
        read_votes(archive)


def test_a_reader_named_for_another_file_says_so(tmp_path):
    path = written(tmp_path, [{"item": 1, "a": "x", "b": "y"}])
    with pytest.raises(DataError, match="question= is about the files of"):
        read_votes(path, question="a")
    with pytest.raises(DataError, match="reader must be one of"):
        read_votes(path, reader="inspekt")
