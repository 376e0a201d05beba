"""Mechanical Turk, Prodigy and MLflow: the files as the tools write them, and those they spoil."""

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

import algeval as ae
from algeval.errors import DataError
from algeval.io import read_results, read_votes, read_votes_with_notes

SAMPLES = Path(__file__).parents[3] / "../shared/formats"
NEEDS_FILES = pytest.mark.skipif(not SAMPLES.is_dir(), reason="the tools' files are not here")


def given(votes):
    names = [*votes.answers, None]
    return {
        (item, judge): names[code]
        for item, codes in zip(votes.items, votes.codes.tolist(), strict=True)
        for judge, code in zip(votes.judges, codes, strict=True)
    }


def table(path, header, *rows):
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([header, *rows])
    return path


def lines(path, rows):
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


class TestMturk:
    START = ("HITId", "WorkerId", "AssignmentStatus")

    def test_rejected_assignments_are_left_out(self, tmp_path):
        path = table(
            tmp_path / "b.csv",
            (*self.START, "Answer.verdict.label"),
            ("h1", "w1", "Approved", "good"),
            ("h1", "w2", "Rejected", "bad"),
            ("h2", "w1", "Submitted", "bad"),
            ("h2", "w3", "Approved", ""),
        )
        votes, notes = read_votes_with_notes(path)
        assert {k: v for k, v in given(votes).items() if v} == {
            ("h1", "w1"): "good",
            ("h2", "w1"): "bad",
        }
        assert votes.judges == ("w1", "w3")
        assert "left out: rejected assignments (1)" in notes
        assert "votes not given: blank (1)" in notes

    def test_a_column_per_choice_is_one_question(self, tmp_path):
        header = (*self.START, "Answer.v.bad", "Answer.v.good")
        rows = [
            ("h1", "w1", "", "true", "false"),
            ("h1", "w2", "", "false", "true"),
            ("h2", "w1", "", "false", "false"),
        ]
        votes = read_votes(table(tmp_path / "b.csv", header, *rows))
        assert given(votes) == {
            ("h1", "w1"): "bad",
            ("h1", "w2"): "good",
            ("h2", "w1"): None,
            ("h2", "w2"): None,
        }
        with pytest.raises(DataError, match=r"row 1 of b\.csv has 2 choices"):
            read_votes(table(tmp_path / "b.csv", header, ("h1", "w1", "", "true", "true")))

    def test_several_questions_are_asked_for_and_true_may_be_a_label(self, tmp_path):
        header = (*self.START, "Answer.v.label", "Answer.sure")
        path = table(
            tmp_path / "b.csv",
            header,
            ("h1", "w1", "", "true", "4"),
            ("h1", "w2", "", "false", "5"),
        )
        with pytest.raises(DataError, match=r"asks 'v' \(2 answers\), 'sure' \(2 answers\)"):
            read_votes(path)
        assert given(read_votes(path, question="v")) == {
            ("h1", "w1"): "true",
            ("h1", "w2"): "false",
        }

    @NEEDS_FILES
    @pytest.mark.parametrize("name", ["mturk-choice.csv", "mturk-radio.csv"])
    def test_the_samples_hold_what_a_plain_count_finds(self, name):
        with (SAMPLES / "tables" / name).open(newline="", encoding="utf-8") as stream:
            rows = [row for row in csv.DictReader(stream) if row["AssignmentStatus"] != "Rejected"]
        told = Counter(
            row.get("Answer.verdict.label")
            or ("good" if row["Answer.verdict.good"] == "true" else "bad")
            for row in rows
        )
        found = Counter(given(read_votes(SAMPLES / "tables" / name)).values())
        assert {answer: n for answer, n in found.items() if answer} == told


class TestProdigy:
    def row(self, item, who, answer, **more):
        return {
            "_input_hash": item,
            "_task_hash": item,
            "_annotator_id": who,
            "answer": answer,
        } | more

    def test_what_was_ignored_is_no_vote(self, tmp_path):
        rows = [self.row(1, "a", "accept"), self.row(1, "b", "ignore"), self.row(2, "a", "reject")]
        votes, notes = read_votes_with_notes(lines(tmp_path / "p.jsonl", rows))
        assert given(votes) == {
            ("1", "a"): "accept",
            ("1", "b"): None,
            ("2", "a"): "reject",
            ("2", "b"): None,
        }
        assert "votes not given: ignored (1)" in notes

    def test_of_options_the_one_chosen_counts(self, tmp_path):
        rows = [
            self.row(1, "a", "accept", accept=["x"]),
            self.row(1, "b", "reject", accept=["x"]),
            self.row(2, "a", "accept", accept=[]),
            self.row(2, "b", "accept", accept=["y"]),
        ]
        votes, notes = read_votes_with_notes(lines(tmp_path / "p.jsonl", rows))
        assert given(votes) == {
            ("1", "a"): "x",
            ("1", "b"): None,
            ("2", "a"): None,
            ("2", "b"): "y",
        }
        assert "votes not given: rejected, whatever was chosen (1), blank (1)" in notes
        rows[0]["accept"] = ["x", "y"]
        with pytest.raises(DataError, match=r"line 1 of p\.jsonl has 2"):
            read_votes(lines(tmp_path / "p.jsonl", rows))

    def test_an_input_asked_about_twice_is_two_items(self, tmp_path):
        rows = [self.row(1, "a", "accept"), self.row(1, "a", "reject") | {"_task_hash": 7}]
        assert read_votes(lines(tmp_path / "p.jsonl", rows)).items == ("1", "7")

    def test_the_newest_of_an_annotator(self, tmp_path):
        rows = [self.row(1, "a", "accept", _timestamp=9), self.row(1, "a", "reject", _timestamp=5)]
        path = lines(tmp_path / "p.jsonl", rows)
        with pytest.raises(DataError, match=r"line 1 of p.jsonl, line 2 of p.jsonl"):
            read_votes(path)
        assert given(read_votes(path, latest=True)) == {("1", "a"): "accept"}

    @pytest.mark.parametrize(
        ("change", "told"),
        [
            ({"_annotator_id": None}, "who annotated it"),
            ({"answer": "yes"}, "accept, reject or ignore"),
        ],
    )
    def test_bad_rows_are_one_sentence(self, tmp_path, change, told):
        rows = [self.row(1, "a", "accept"), self.row(2, "a", "accept") | change]
        with pytest.raises(DataError, match=told):
            read_votes(lines(tmp_path / "p.jsonl", rows))

    @NEEDS_FILES
    def test_the_sample_holds_what_a_plain_count_finds(self):
        path = SAMPLES / "tables/prodigy-choice.jsonl"
        told = {}
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            chosen = row["accept"] if row["answer"] == "accept" else []
            told[str(row["_input_hash"]), row["_annotator_id"]] = chosen[0] if chosen else None
        found = given(read_votes(path))
        assert {pair: found[pair] for pair in told} == told
        assert sum(v is not None for v in found.values()) == sum(
            v is not None for v in told.values()
        )


class TestMlflow:
    def part(self, who, value, name="right", **more):
        source = {"source_type": "HUMAN", "source_id": who}
        return {"assessment_name": name, "source": source, "feedback": {"value": value}} | more

    def trace(self, name, *parts):
        return {"trace_id": name, "state": "OK", "assessments": list(parts)}

    def test_feedback_is_a_vote_and_expectations_are_the_key(self, tmp_path):
        truth = {
            "assessment_name": "truth",
            "source": {"source_id": "x"},
            "expectation": {"value": "yes"},
        }
        failed = self.part("b", None) | {"feedback": {"error": {"error_code": "TIMEOUT"}}}
        rows = [
            self.trace("t1", self.part("a", "yes"), self.part("b", "no"), truth),
            self.trace("t2", self.part("a", "no"), failed),
            self.trace("t3", self.part("a", "yes", valid=False), self.part("a", "no")),
        ]
        votes, notes = read_votes_with_notes(lines(tmp_path / "t.jsonl", rows), key="expectation")
        assert given(votes) == {
            ("t1", "a"): "yes",
            ("t1", "b"): "no",
            ("t2", "a"): "no",
            ("t2", "b"): None,
            ("t3", "a"): "no",
            ("t3", "b"): None,
        }
        assert votes.key.tolist() == [votes.labels.index("yes"), -1, -1]
        assert "votes not given: failed (1)" in notes
        assert "left out: assessments that later ones override (1)" in notes

    def test_several_names_are_asked_for_and_a_judge_counts_once(self, tmp_path):
        path = lines(
            tmp_path / "t.jsonl",
            [self.trace("t1", self.part("a", "yes"), self.part("a", 3, "stars"))],
        )
        with pytest.raises(DataError, match=r"asks 'right' \(1 vote\), 'stars' \(1 vote\)"):
            read_votes(path)
        assert given(read_votes(path, question="right")) == {("t1", "a"): "yes"}
        twice = self.trace("t1", self.part("a", "yes"), self.part("a", "no"))
        with pytest.raises(DataError, match="'a' votes on item 't1' in assessment"):
            read_votes(lines(tmp_path / "t.jsonl", [twice]))

    @NEEDS_FILES
    def test_the_sample_holds_what_a_plain_count_finds(self):
        path = SAMPLES / "platforms/mlflow-traces.jsonl"
        told = Counter()
        for line in path.read_text(encoding="utf-8").splitlines():
            for part in json.loads(line)["assessments"]:
                told[part.get("feedback", {}).get("value")] += 1
        del told[None]
        voters = [
            part["source"]["source_id"]
            for line in path.read_text(encoding="utf-8").splitlines()
            for part in json.loads(line)["assessments"]
            if "feedback" in part
        ]
        found = Counter(given(read_votes(path, judges=list(dict.fromkeys(voters)))).values())
        assert {answer: n for answer, n in found.items() if answer} == told


@NEEDS_FILES
def test_feedback_of_langsmith_that_answers_one_question():
    path = SAMPLES / "langsmith/langsmith1.csv"
    with path.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    chosen = ["feedback.gpt", "feedback.claude", "feedback.fails"]
    found = given(read_votes(path, judges=chosen))
    assert found == {
        (row["example_id"], name): row[name] or None for row in rows for name in chosen
    }


def test_feedback_columns_are_the_judges_of_langsmith(tmp_path):
    header = (
        "inputs.q",
        "outputs.a",
        "feedback.gpt",
        "feedback.llama",
        "execution_time",
        "example_id",
        "id",
    )
    rows = [
        ("q1", "x", "True", "False", "0.1", "e1", "r1"),
        ("q2", "y", "False", "False", "0.2", "e2", "r2"),
    ]
    votes = read_votes(table(tmp_path / "l.csv", header, *rows))
    assert (votes.items, votes.judges, votes.labels) == (
        ("e1", "e2"),
        ("feedback.gpt", "feedback.llama"),
        ("False", "True"),
    )


def test_the_columns_of_a_tool_s_table_are_listed_as_they_stand_in_it(tmp_path):
    header = (
        "HITId",
        "WorkerId",
        "AssignmentStatus",
        "WorkTimeInSeconds",
        "Input.summary",
        "Answer.tone",
    )
    texts = ("the ships left late", "nobody came to the fair", "rain fell on the hills again")
    rows = [
        (f"h{n}", f"w{who}", "Approved", str(31 + 7 * n + who), texts[n % 3] + f" on day {n}", said)
        for n in range(12)
        for who, said in enumerate(("calm", "rude", "calm") if n % 3 else ("rude", "rude", "calm"))
    ]
    batch = table(tmp_path / "batch.csv", header, *rows)
    columns = read_results(batch).columns
    assert dict(zip(columns["column"], columns["role"], strict=True)) == {
        "HITId": "item",
        "WorkerId": "rater",
        "AssignmentStatus": "slice",
        "WorkTimeInSeconds": "covariate",
        "Input.summary": "text",
        "Answer.tone": "answer",
    }
    sides = ("question_id", "model_a", "model_b", "winner", "judge", "category")
    battles = [
        (
            str(n),
            *(("x", "y") if n % 2 else ("y", "x")),
            ("model_a", "model_b", "tie")[n % 5 // 2],
            who,
            kind,
        )
        for n, kind in enumerate(["maths", "law"] * 8)
        for who in ("gpt-4", "claude-3")
    ]
    columns = read_results(table(tmp_path / "battles.csv", sides, *battles)).columns
    roles = dict(zip(columns["column"], columns["role"], strict=True))
    assert roles["model_a"] == roles["model_b"] == "system"
    assert (roles["winner"], roles["judge"], roles["category"]) == ("answer", "rater", "slice")


def test_people_of_battles_are_people_to_every_command(tmp_path):
    sides = ("question_id", "model_a", "model_b", "winner", "judge")
    won = ("model_a", "model_b", "tie")
    battles = [
        (str(n), "x", "y", won[(n * n + (n % 7 == who)) % 3], name)
        for n in range(30)
        for who, name in enumerate(("gpt4_pair", "author_0", "expert_3"))
    ]
    path = table(tmp_path / "battles.csv", sides, *battles)
    assert read_results(path).n_labelled == 30
    votes = read_votes(path)
    assert votes.judges == ("gpt4_pair",)
    assert int((votes.key >= 0).sum()) == 30
    people = table(
        tmp_path / "people.csv", sides, *[row for row in battles if row[-1] != "gpt4_pair"]
    )
    assert read_votes(people).judges == ("author_0", "expert_3")


def test_remarks_of_workers_are_no_second_question(tmp_path):
    header = ("HITId", "WorkerId", "AssignmentStatus", "Answer.faithful", "Answer.feedback")
    rows = [
        (
            f"h{n}",
            f"w{who}",
            "Approved",
            ("yes", "no")[(n + who) % 3 // 2],
            "" if n % 4 else f"the text of task {n} was hard",
        )
        for n in range(20)
        for who in range(3)
    ]
    votes, notes = read_votes_with_notes(table(tmp_path / "batch.csv", header, *rows))
    assert (votes.n_items, votes.labels) == (20, ("no", "yes"))
    assert any("remarks left out: 'feedback'" in note for note in notes)


def test_argilla_records_with_an_empty_external_id_are_named_by_their_id(tmp_path):
    said = [{"user_id": u, "value": "yes", "status": "submitted"} for u in ("u1", "u2")]
    rows = [
        {"id": f"r{k}", "external_id": None, "quality": said if k < 8 else []}
        | {"quality-suggestion": "no" if k % 4 else "yes"}
        | {"quality-suggestion-metadata": {"agent": "gpt-4"}}
        for k in range(20)
    ]
    path = tmp_path / "records.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    results = read_results(str(path))  # people by the tool: nothing is asked
    assert results.items[:2] == ("r0", "r1")
    assert results.n_labelled == 8
    assert [*results.judged] == ["gpt-4"]


BATCH = [
    {
        "HITId": f"h{k}",
        "WorkerId": who,
        "AssignmentStatus": "Rejected" if (k, who) == (2, "w2") else "Approved",
        "WorkTimeInSeconds": 20 + k,
        "Answer.verdict.good": good,
        "Answer.verdict.bad": not good,
    }
    for k in range(6)
    for who, good in (("w1", k % 2 == 0), ("w2", k % 3 == 0), ("w3", k < 4))
]
CHOICES = [
    {
        "_input_hash": 100 + k,
        "_task_hash": 200 + k,
        "text": f"reply {k}",
        "options": [{"id": "good", "text": "Good"}, {"id": "bad", "text": "Bad"}],
        "accept": ["good" if said else "bad"] if (k, who) != (3, "set-b") else [],
        "answer": "accept" if (k, who) != (3, "set-b") else "ignore",
        "_annotator_id": who,
        "_timestamp": 1_700_000_000 + k,
    }
    for k in range(6)
    for who, said in (("set-a", k % 2 == 0), ("set-b", k % 3 == 0))
]
TASKS = [
    {
        "id": k,
        "data": {"text": f"reply {k}"},
        "annotations": [
            {
                "id": 10 * k + n,
                "completed_by": {"email": who},
                "was_cancelled": False,
                "ground_truth": False,
                "result": [
                    {"from_name": "v", "type": "choices", "value": {"choices": [said]}},
                ],
            }
            for n, (who, said) in enumerate(
                (("ann", "good" if k % 2 else "bad"), ("bob", "good" if k % 3 else "bad"))
            )
        ],
        "predictions": [],
    }
    for k in range(6)
]
TRACES = [
    {
        "trace_id": f"t{k}",
        "assessments": [
            {
                "assessment_name": "good",
                "source": {"source_id": who, "source_type": "LLM_JUDGE"},
                "feedback": {"value": said},
            }
            for who, said in (("gpt", k % 2 == 0), ("claude", k % 3 == 0))
        ],
    }
    for k in range(6)
]


@pytest.mark.parametrize("form", ["pandas", "polars", "records", "columns", "duckdb"])
@pytest.mark.parametrize(
    "rows", [BATCH, CHOICES, TASKS, TRACES], ids=["mturk", "prodigy", "ls", "ml"]
)
def test_a_table_in_memory_is_read_as_the_file_of_the_tool(rows, form, tmp_path):
    import pandas as pd
    import polars as pl

    of_batch = rows is BATCH
    path = tmp_path / ("rows.csv" if of_batch else "rows.jsonl")
    frame = pd.DataFrame(rows)
    if of_batch:
        frame.to_csv(path, index=False)
    else:
        lines(path, rows)
    if form == "duckdb":
        duckdb = pytest.importorskip("duckdb")
        if not of_batch:
            return  # lists of a relation are no Python
        source = duckdb.sql("SELECT * FROM frame")
    else:
        source = {
            "pandas": frame,
            "polars": pl.DataFrame(rows),
            "records": rows,
            "columns": {name: frame[name].tolist() for name in frame},
        }[form]
    whole, held = read_votes(path), read_votes(source)
    assert (held.items, held.judges, held.labels) == (whole.items, whole.judges, whole.labels)
    assert held.codes.tolist() == whole.codes.tolist()
    of_path, of_frame = read_results(path), read_results(source)
    assert of_frame.votes.codes.tolist() == of_path.votes.codes.tolist()
    assert [*of_frame.columns["role"]] == [*of_path.columns["role"]]
    assert ae.aggregate(source).summary() == ae.aggregate(path).summary()


def test_labels_of_a_frame_of_a_tool_are_joined_by_item_and_never_by_its_rows(tmp_path):
    import pandas as pd

    frame = pd.DataFrame(BATCH)
    truth = {f"h{k}": "good" if k % 2 else "bad" for k in range(6)}
    expected = ae.rate(frame, "good", human=truth)
    assert expected.n_gold == 6
    table(tmp_path / "truth.csv", ("HITId", "label"), *truth.items())
    for human in (pd.Series(truth), tmp_path / "truth.csv"):
        said = ae.rate(frame, "good", human=human)
        assert (said.rate, said.n_gold) == (expected.rate, 6)
    of_rows = pd.Series(["good"] * len(frame), index=frame.index)
    with pytest.raises(DataError):
        ae.rate(frame, "good", human=of_rows)


def test_columns_of_ones_own_and_named_columns_of_a_frame_are_read_as_they_stand():
    import pandas as pd

    frame = pd.DataFrame(BATCH)
    frame["answer"] = ["good" if good else "bad" for good in frame["Answer.verdict.good"]]
    named = read_votes(frame, item="HITId", judge="WorkerId", answer="answer")
    assert named.judges == ("w1", "w2", "w3")
    assert (named.codes >= 0).sum() == len(frame)  # rejected ones too, as nobody said what they are
    assert (read_votes(frame).codes >= 0).sum() == len(frame) - 1
    with pytest.raises(DataError, match="the table"):
        read_votes(frame, reader="prodigy")
