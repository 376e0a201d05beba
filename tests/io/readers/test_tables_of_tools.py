"""Label Studio, lm-eval, Argilla, lists of votes, and folders of one judge a file."""

import csv
import json

import numpy as np
import pandas as pd
import pytest

import algeval as ae
from algeval.errors import DataError
from algeval.io import read_results, read_votes, read_votes_with_notes
from algeval.rates import leaderboard


def given(votes):
    """Return {item: {judge: answer}}."""
    names = [*votes.answers, None]
    return {
        item: {j: names[code] for j, code in zip(votes.judges, codes, strict=True)}
        for item, codes in zip(votes.items, votes.codes.tolist(), strict=True)
    }


def put(path, held):
    path.parent.mkdir(parents=True, exist_ok=True)
    listed = path.suffix == ".jsonl"
    text = "\n".join(map(json.dumps, held)) + "\n" if listed else json.dumps(held)
    path.write_text(text, encoding="utf-8")
    return path


class TestLabelStudio:
    def part(self, who, choice, **more):
        result = [] if choice is None else [
            {"from_name": "verdict", "type": "choices", "value": {"choices": [choice]}}
        ]  # fmt: skip
        return {"id": 1, "completed_by": who, "result": result} | more

    def task(self, name, annotations, predictions=()):
        return {
            "id": name,
            "annotations": annotations,
            "predictions": list(predictions),
            "data": {},
        }

    def test_ground_truth_is_the_key_and_no_vote(self, tmp_path):
        model = {"model_version": "gpt", "result": self.part(0, "good")["result"]}
        tasks = [
            self.task(
                1, [self.part(1, "good", ground_truth=True), self.part({"email": "a@b"}, "bad")]
            ),
            self.task(2, [self.part({"email": "a@b"}, "good"), self.part(3, None)], [model]),
            self.task(
                3,
                [self.part({"email": "a@b"}, "bad", was_cancelled=True), self.part(3, "bad")],
                [7],
            ),
        ]
        path = put(tmp_path / "export.json", tasks)
        votes, notes = read_votes_with_notes(path, key="ground_truth")
        assert given(votes) == {
            "1": {"a@b": "bad", "3": None, "gpt": None},
            "2": {"a@b": "good", "3": None, "gpt": "good"},
            "3": {"a@b": None, "3": "bad", "gpt": None},
        }
        assert votes.key.tolist() == [votes.labels.index("good"), -1, -1]
        assert any("1 prediction is an id only" in note for note in notes)
        assert "votes not given: question left blank (1), skipped (1)" in notes

    @pytest.mark.parametrize(
        ("annotations", "told"),
        [
            ([("a", "good"), ("a", "bad")], "on item '1' in annotation 1, annotation 1"),
            ([], "choices, ratings or numbers"),
        ],
    )
    def test_bad_exports_are_one_sentence(self, tmp_path, annotations, told):
        tasks = [self.task(1, [self.part(who, said) for who, said in annotations])]
        with pytest.raises(DataError, match=told):
            read_votes(put(tmp_path / "e.json", tasks))

    def test_all_ground_truth_leaves_no_vote(self, tmp_path):
        tasks = [self.task(1, [self.part("a", "good", ground_truth=True)])]
        with pytest.raises(DataError, match="take the mark off"):
            read_votes(put(tmp_path / "e.json", tasks))

    def test_several_choices_are_no_vote(self, tmp_path):
        part = self.part("a", "good")
        part["result"][0]["value"]["choices"].append("bad")
        with pytest.raises(DataError, match="2 choices for 'verdict'"):
            read_votes(put(tmp_path / "e.json", [self.task(1, [part])]))


class TestLmEval:
    def row(self, doc, resps, target="0", mark="h", **more):
        held = {
            "doc_id": doc,
            "doc_hash": f"{mark}{doc}",
            "filtered_resps": resps,
            "target": target,
        }
        return held | {"filter": "none"} | more

    def test_the_likeliest_choice_of_each_model(self, tmp_path):
        when = "2026-11-21T19-24-02.7"
        one = [
            self.row(0, [["-0.5", "F"], ["-2", "F"]]),
            self.row(1, [["-3", "F"], ["-1", "F"]], "1"),
        ]
        put(tmp_path / f"org__a/samples_mc_{when}.jsonl", one)
        put(tmp_path / f"org__b/samples_mc_{when}.jsonl", one[:1])
        put(tmp_path / "org__b/samples_mc_2026-11-22T00-00-00.1.jsonl", one[1:])
        votes = read_votes(tmp_path, key="target")
        assert given(votes) == {
            "0": {"org/a": "0", "org/b": None},
            "1": {"org/a": "1", "org/b": "1"},
        }, "of two runs the later counts"
        assert votes.key.tolist() == [0, 1]

    def test_generated_answers_filters_and_metrics(self, tmp_path):
        rows = [
            self.row(0, ["4"], exact_match=1.0, filter="strict"),
            self.row(0, ["[invalid]"], exact_match=0.0, filter="loose"),
            self.row(1, ["5"], exact_match=0.0, filter="strict"),
            self.row(1, ["6"], exact_match=1.0, filter="loose"),
        ]
        put(tmp_path / "m/samples_gen_2026-11-21T00-00-00.1.jsonl", rows)
        with pytest.raises(DataError, match="question='gen/strict'"):
            read_votes(tmp_path)
        assert given(read_votes(tmp_path, question="gen/loose")) == {
            "0": {"m": None},
            "1": {"m": "6"},
        }
        scored = read_votes(tmp_path, question="gen/strict/exact_match")
        assert given(scored) == {"0": {"m": "1"}, "1": {"m": "0"}}

    def test_another_document_under_the_same_number_is_refused(self, tmp_path):
        put(tmp_path / "a/samples_t_2026-11-21T00-00-00.1.jsonl", [self.row(0, ["x"])])
        put(tmp_path / "b/samples_t_2026-11-21T00-00-00.1.jsonl", [self.row(0, ["x"], mark="g")])
        with pytest.raises(DataError, match="document 0 of 'b' is another than that of 'a'"):
            read_votes(tmp_path)


class TestArgilla:
    def record(self, name, answers, status):
        return {"id": name, "q.responses": answers, "q.responses.users": ["u", "v"][: len(answers)],
                "q.responses.status": status, "q.suggestion": "x", "q.suggestion.agent": "gpt"}  # fmt: skip

    def test_only_submitted_responses_are_votes(self, tmp_path):
        rows = [
            self.record("r1", ["x", "y"], ["submitted", "discarded"]),
            self.record("r2", ["y"], ["submitted"]),
        ]
        path = put(tmp_path / "r.jsonl", rows)
        votes, notes = read_votes_with_notes(path, judges=["u", "v", "gpt"])
        assert given(votes) == {
            "r1": {"u": "x", "v": None, "gpt": "x"},
            "r2": {"u": "y", "v": None, "gpt": "x"},
        }
        assert "votes not given: discarded (1)" in notes

    def test_people_label_and_agents_judge(self, tmp_path):
        rows = [
            self.record("r1", ["x", "x"], ["submitted", "submitted"]),
            self.record("r2", ["y"], ["submitted"]),
            self.record("r3", [], []),
        ]
        path = put(tmp_path / "r.jsonl", rows)
        results = read_results(path)
        assert list(results.judged) == ["gpt"]
        assert results.human == {"r1": "x", "r2": "y"}
        columns = results.columns
        assert list(columns["role"]) == ["item", "rater", "answer"]
        assert list(columns["why"])[1].startswith(
            "of the tool: user, or agent of a suggestion; people's"
        )
        votes = read_votes(path)
        assert votes.judges == ("gpt",)
        assert [votes.labels[k] if k >= 0 else None for k in votes.key] == ["x", "y", None]
        hub = [
            {
                "external_id": row["id"],
                "q": [
                    {"user_id": u, "value": v, "status": s}
                    for u, v, s in zip(
                        row["q.responses.users"],
                        row["q.responses"],
                        row["q.responses.status"],
                        strict=True,
                    )
                ],
                "q-suggestion": "x",
                "q-suggestion-metadata": {"agent": "gpt", "score": 0.5},
            }
            for row in rows
        ]
        assert read_results(put(tmp_path / "hub.jsonl", hub)).human == results.human

    def test_lists_of_unequal_length_are_refused(self, tmp_path):
        with pytest.raises(DataError, match=r"must be as many; got \[2, 2, 1\]"):
            read_votes(put(tmp_path / "r.jsonl", [self.record("r", ["x", "y"], ["submitted"])]))


class TestListed:
    def test_a_list_of_votes_with_who_failed(self, tmp_path):
        rows = [
            {"id": "q1", "votes": [{"model": "a", "value": "yes"}, {"model": "b", "value": "no"}]},
            {
                "id": "q2",
                "votes": [{"model": "a", "value": "no"}, {"model": "b", "error": "timeout"}],
            },
        ]
        votes, notes = read_votes_with_notes(put(tmp_path / "v.jsonl", rows))
        assert given(votes) == {"q1": {"a": "yes", "b": "no"}, "q2": {"a": "no", "b": None}}
        assert "votes not given: failed (1)" in notes

    @pytest.mark.parametrize("name", ["v.json", "v.jsonl"])
    def test_a_dict_and_two_lists(self, tmp_path, name):
        rows = [
            {"id": "q1", "scores": {"a": "yes", "b": None}},
            {"id": "q2", "scores": {"a": "no", "b": "yes"}},
        ]
        assert given(read_votes(put(tmp_path / name, rows)))["q1"] == {"a": "yes", "b": None}
        two = [{"id": "q1", "annotations": ["yes", "no"], "annotators": ["a", "b"]}]
        assert given(read_votes(put(tmp_path / name, two))) == {"q1": {"a": "yes", "b": "no"}}
        two.append({"id": "q2", "annotations": ["yes"], "annotators": ["a", "b"]})
        with pytest.raises(DataError, match=r"got 1 and 2 in (line|entry) 2"):
            read_votes(put(tmp_path / name, two))

    def test_two_columns_of_votes_must_be_chosen_from(self, tmp_path):
        rows = [{"id": 1, "votes": {"a": "x", "b": "y"}, "scores": {"a": "u", "b": "w"}}]
        path = put(tmp_path / "v.jsonl", rows)
        with pytest.raises(DataError, match="choose with question='votes'"):
            read_votes(path)
        assert given(read_votes(path, question="scores")) == {"1": {"a": "u", "b": "w"}}


class TestFolder:
    def test_a_file_a_judge_named_by_what_differs(self, tmp_path):
        for name, votes in {"gpt": "1,yes\n2,no", "llama": "2,no\n3,yes"}.items():
            (tmp_path / f"run-{name}-votes.csv").write_text(
                f"item,verdict\n{votes}\n", encoding="utf-8"
            )
        (tmp_path / "README.md").write_text("notes", encoding="utf-8")
        wanted = {
            "1": {"gpt": "yes", "llama": None},
            "2": {"gpt": "no", "llama": "no"},
            "3": {"gpt": None, "llama": "yes"},
        }
        assert given(read_votes(tmp_path)) == wanted
        assert given(read_votes(str(tmp_path / "*.csv"))) == wanted
        assert given(read_votes(sorted(tmp_path.glob("*.csv")))) == wanted

    @pytest.mark.parametrize(
        ("second", "told"),
        [
            ("item,verdict\n7,yes\n", "none of those before it"),
            ("verdict\nyes\n", "column of item ids"),
            ("item,verdict\n1,yes\n1,no\n", "rows 1 and 2"),
            ("item,verdict,comment_x\n1,yes,hm\n", None),
            ("item,x,y\n1,yes,hm\n", "one column of answers"),
            ("item,judge,answer\n1,a,hm\n", "votes of one judge"),
        ],
    )
    def test_files_that_do_not_fit_together(self, tmp_path, second, told):
        (tmp_path / "a.csv").write_text("item,verdict\n1,yes\n2,no\n", encoding="utf-8")
        (tmp_path / "b.csv").write_text(second, encoding="utf-8")
        if told is None:
            assert given(read_votes(tmp_path))["1"] == {"a": "yes", "b": "yes"}
            return
        with pytest.raises(DataError, match=told) as caught:
            read_votes(tmp_path)
        assert "\n" not in str(caught.value)

    def test_an_empty_folder_and_a_pattern_without_files(self, tmp_path):
        with pytest.raises(DataError, match="from 1 to 10000 files; got 0"):
            read_votes(tmp_path)
        with pytest.raises(DataError, match="file that exists"):
            read_votes(str(tmp_path / "*.csv"))


def row_of_fastchat(k):
    won = "model_1" if k % 3 else "model_2"
    return {"question_id": k, "turn": 1, "model_1": "x", "model_2": "y", "g1_winner": won,
            "g2_winner": "tie" if k % 5 == 0 else won, "judge": ["gpt-4", "pair-v2"],
            "g1_user_prompt": f"Which is better, {k}?", "tstamp": 1.7e9 + k}  # fmt: skip


def rows_of_mturk(n, truth, **more):
    return [
        {"HITId": f"h{k}", "WorkerId": f"w{(k + j) % 5}", "AssignmentId": f"a{k}-{j}",
         "AssignmentStatus": "Rejected" if (k + j) % 7 == 0 else "Approved",
         "Input.text": f"words of {k}", "Input.gpt4_verdict": truth[k % len(truth)]} | answer
        for k in range(n) for j in range(3) for answer in [more["answer"](k, j)]
    ]  # fmt: skip


class TestColumnsBesideThoseOfATool:
    """Columns of one's own make a file of a tool a table, which all options and commands read alike."""

    def test_a_persons_winner_beside_both_orders_of_fastchat(self, tmp_path):
        rows = [row_of_fastchat(k) | {"human_winner": "model_1"} for k in range(30)]
        results = read_results(put(tmp_path / "pairs.jsonl", rows))
        assert list(results.judged) == ["g1_winner", "g2_winner"]
        assert results.reading.named("system") == ["model_1", "model_2"]
        assert set(results.human.values()) == {"model_1"}
        assert results.roles["judge"] == "ignored"
        found = leaderboard(put(tmp_path / "pairs.jsonl", rows))
        assert set(found.systems) == {"x", "y"}

    def test_without_such_a_column_the_readers_judges_stay(self, tmp_path):
        rows = [row_of_fastchat(k) for k in range(30)]
        assert read_votes(put(tmp_path / "pairs.jsonl", rows)).judges == ("gpt-4 g1", "gpt-4 g2")

    def test_an_option_that_names_a_column_reads_the_table(self, tmp_path):
        rows = [row_of_fastchat(k) | {"vote": "model_1"} for k in range(30)]
        results = read_results(put(tmp_path / "p.jsonl", rows), human="vote", judges=["g1_winner"])
        assert list(results.judged) == ["g1_winner"]
        assert list(results.said) == ["vote"]

    def test_single_grades_of_fastchat_and_a_persons(self, tmp_path):
        rows = [
            {"question_id": k, "model": m, "judge": ["gpt-4", "single-v1"], "judgment": f"It is {k}",
             "score": -1 if k == 4 else 1 + (k + len(m)) % 10, "human_score": 1 + k % 10, "turn": 1}
            for k in range(30) for m in ("a", "bb")
        ]  # fmt: skip
        results = read_results(put(tmp_path / "s.jsonl", rows))
        assert results.roles["score"] in ("judge", "score")
        assert results.roles["human_score"] == "human"
        assert results.roles["model"] == "system"
        texts, codes = {**results.judged, **results.scored}["score"]
        assert "-1" not in {texts[k] for k in codes if k >= 0}, "a judge that failed"

    @pytest.mark.parametrize("who", [("kit",), ("kit", "lou")])
    def test_a_models_answer_beside_those_of_prodigy(self, tmp_path, who):
        rows = [
            {"text": f"post {k} of some words", "_input_hash": 7 * k, "_task_hash": 9 * k,
             "llm": {"answer": "accept" if k % 3 else "reject"}, "_annotator_id": name,
             "answer": "ignore" if k == 5 else "accept" if k % 4 else "reject", "_timestamp": 1.7e9 + k}
            for k in range(24) for name in who
        ]  # fmt: skip
        results = read_results(put(tmp_path / "p.jsonl", rows))
        assert list(results.judged) == ["llm.answer"]
        human = {item: label for item, label in results.human.items() if label}
        assert human == {str(7 * k): "accept" if k % 4 else "reject" for k in range(24) if k != 5}

    def test_tasks_of_one_input_are_judged_each(self, tmp_path):
        rows = [
            {"text": f"post {k} of some words", "_input_hash": 7 * k, "_task_hash": 100 * k + j,
             "label": "AB"[j], "llm": {"answer": "accept" if (k + j) % 3 else "reject"},
             "answer": "accept" if (k + j) % 4 else "reject", "_annotator_id": name}
            for k in range(20) for j in range(2) for name in ("kit", "lou")
        ]  # fmt: skip
        results = read_results(put(tmp_path / "p.jsonl", rows))
        assert results.human == {
            str(100 * k + j): "accept" if (k + j) % 4 else "reject"
            for k in range(20)
            for j in (0, 1)
        }
        assert results.roles["_input_hash"] == "prompt"

    def test_one_choice_of_prodigy_is_what_was_said(self, tmp_path):
        rows = [
            {"text": f"post {k} of some words", "_input_hash": 7 * k, "_task_hash": 9 * k,
             "options": [{"id": "a"}, {"id": "b"}], "accept": ["a" if k % 3 else "b"],
             "model_label": "a" if k % 4 else "b", "answer": "reject" if k == 3 else "accept",
             "_annotator_id": "kit"}
            for k in range(24)
        ]  # fmt: skip
        results = read_results(put(tmp_path / "p.jsonl", rows))
        assert results.human == {str(7 * k): "a" if k % 3 else "b" for k in range(24) if k != 3}
        assert any(
            "left out, ignore or reject by 'answer': 1 row" in n for n in results.table_notes
        )

    @pytest.mark.parametrize("radio", [False, True])
    def test_workers_are_people_where_a_model_has_judged(self, tmp_path, radio):
        def answer(k, j):
            said = "good" if (k % 3 > 0) ^ (j == 2 and k % 4 == 0) else "bad"
            one = {"Answer.ok.label": said}
            several = {f"Answer.ok.{c}": str(said == c).lower() for c in ("good", "bad")}
            return several if radio else one

        rows = rows_of_mturk(21, ["bad", "good", "good", "good"], answer=answer)
        lines = [",".join(rows[0]), *[",".join(map(str, row.values())) for row in rows]]
        path = tmp_path / "batch.csv"
        path.write_text("\n".join(lines), encoding="utf-8")
        results = read_results(path)
        assert list(results.judged) == ["Input.gpt4_verdict"]
        counted = [row for row in rows if row["AssignmentStatus"] != "Rejected"]
        for item, label in results.human.items():
            said = [
                row["Answer.ok.label"] if not radio else "good" if row["Answer.ok.good"] == "true" else "bad"
                for row in counted if row["HITId"] == item
            ]  # fmt: skip
            most = [w for w in ("good", "bad") if 2 * said.count(w) > len(said)]
            assert label in (most or [None])
        left = len(rows) - len(counted)
        assert any(
            f"left out, rejected by 'AssignmentStatus': {left}" in n for n in results.table_notes
        )
        assert "Input.gpt4_verdict" in read_votes(path).judges

    @pytest.mark.parametrize("several", [False, True])
    def test_samples_of_lm_eval_with_a_judge_and_a_person(self, tmp_path, several):
        rows = [
            {"model_name": m, "doc_id": k, "doc": {"question": f"How many are {k} and {k}?"},
             "target": str(2 * k), "filtered_resps": [str(2 * k)], "resps": [[f"It is {2 * k}"]],
             "filter": "none", "doc_hash": f"{k:064x}", "metrics": ["exact_match"],
             "exact_match": float((k + len(m)) % 3 > 0), "llm_judge": (k + len(m)) % 4 > 0,
             "human_check": (k + len(m)) % 3 > 0 if k % 2 else None}
            for m in (("a", "bb") if several else ("a",)) for k in range(25)
        ]  # fmt: skip
        results = read_results(put(tmp_path / "samples.jsonl", rows))
        assert list(results.judged) == ["exact_match", "llm_judge"]
        assert list(results.said) == ["human_check"]
        assert results.systems == (("a", "bb") if several else ())
        assert results.n_items == len(rows)

    def test_annotations_of_label_studio_beside_a_prediction(self, tmp_path):
        rows = [
            {"id": 500 + k, "annotation_id": 900 + k, "annotator": 1 + k % 3, "lead_time": 2.5 + k,
             "text": f"Some words about {k} to read", "mood": "good" if k % 3 else "bad",
             "prediction": "good" if k % 4 else "bad", "prediction_score": 0.5 + k / 100,
             "created_at": "2026-10-05T10:00:00Z"}
            for k in range(30)
        ]  # fmt: skip
        results = read_results(put(tmp_path / "min.json", rows))
        wanted = {"id": "item", "mood": "human", "prediction": "judge", "prediction_score": "score",
                  "annotation_id": "ignored", "annotator": "slice", "lead_time": "covariate"}  # fmt: skip
        assert {name: results.roles[name] for name in wanted} == wanted

    def test_an_object_of_scores_beside_a_system_is_a_table(self, tmp_path):
        rows = [
            {"id": f"r{k}", "input": f"q{k // 2}", "metadata": {"model": "ab"[k % 2]},
             "scores": {"Factuality": int(k % 3 > 0), "human_review": int(k % 4 > 0) if k % 2 else None}}
            for k in range(40)
        ]  # fmt: skip
        results = read_results(put(tmp_path / "e.jsonl", rows))
        assert list(results.judged) == ["scores.Factuality"]
        assert list(results.said) == ["scores.human_review"]
        assert results.systems == ("a", "b")

    def test_a_list_of_one_label_is_that_label(self, tmp_path):
        rows = [
            {"id": k, "text": f"Some words about {k} to read", "label": ["ok" if k % 3 else "hate"],
             "llm_label": "ok" if k % 4 else "hate", "tags": []}
            for k in range(30)
        ]  # fmt: skip
        results = read_results(put(tmp_path / "d.jsonl", rows), human="label")
        assert results.human["0"] == "hate"
        assert results.roles["llm_label"] == "judge"

    def test_a_models_winner_beside_that_of_an_arena(self, tmp_path):
        rows = [
            {"question_id": f"q{k}", "model_a": "xy"[k % 2], "model_b": "z", "judge": f"u{k % 4}",
             "winner": "model_a" if k % 3 else "tie", "llm_winner": "model_a" if k % 4 else "model_b"}
            for k in range(30)
        ]  # fmt: skip
        path = put(tmp_path / "battles.jsonl", rows)
        with pytest.raises(DataError, match="Who gave column 'winner'"):
            read_results(path)
        results = read_results(path, human="winner")
        assert list(results.judged) == ["llm_winner"]
        assert results.systems == ("x", "z", "y")

    def test_saved_roles_of_a_tools_file_are_read_alike(self, tmp_path):
        rows = [row_of_fastchat(k) for k in range(30)]
        path = put(tmp_path / "pairs.jsonl", rows)
        roles = {"question_id": "item", "model_1": "system", "model_2": "system", "g1_winner": "judge",
                 "g2_winner": "human"}  # fmt: skip
        results = read_results(path, columns=roles)
        assert list(results.judged) == ["g1_winner"]
        assert list(results.said) == ["g2_winner"]


def said_by(names, people, k):
    """Verdicts of one item: judges err on every third, people on none and not on the last."""
    good = k % 2 == 0
    return [
        {"annotator": n, "label": "pass" if good ^ (n not in people and (k + j) % 3 == 0) else "fail"}
        for j, n in enumerate(names)
        if n not in people or k < 30
    ]  # fmt: skip


class TestVotesInLists:
    @pytest.mark.parametrize("holder", ["verdicts", "votes"])
    @pytest.mark.parametrize(
        ("person", "more"),
        [("human", {}), ("human_1", {}), ("r7", {"r7": "human"}), ("Anna", {})],
    )
    def test_are_read_as_the_long_table_that_they_are(self, tmp_path, holder, person, more):
        names = ("gpt-4o", "claude-3", person)
        rows = [
            {"id": f"q{k}", "lang": "en" if k % 4 else "de", holder: said_by(names, [person], k)}
            for k in range(40)
        ]
        for row in rows if more else ():
            for vote in row[holder]:
                vote["rater_type"] = more.get(vote["annotator"], "model")
        path = put(tmp_path / "v.jsonl", rows)
        long = [{"id": r["id"], "lang": r["lang"], **vote} for r in rows for vote in r[holder]]
        flat = put(tmp_path / "flat.jsonl", long)
        mine, same = read_results(path), read_results(flat)
        assert list(mine.judged) == list(same.judged) == ["gpt-4o", "claude-3"]
        assert mine.human == same.human
        assert sum(label is not None for label in mine.human.values()) == 30
        assert list(mine.slices) == ["lang"]
        for source in (path, flat):
            assert [c.n for c in ae.judge_card(source).judges] == [30, 30]
        lines = [ae.report(source, intervals=0).summary().splitlines() for source in (path, flat)]
        assert lines[0][2] == lines[1][2]
        assert read_votes(path).judges == ("gpt-4o", "claude-3")

    def test_labels_beside_a_list_are_peoples_in_every_command(self, tmp_path):
        rows = [
            {
                "id": k,
                "verdicts": said_by("abc", "", k),
                "human_label": ["pass", "fail"][k % 2] if k < 20 else None,
            }
            for k in range(40)
        ]
        path = put(tmp_path / "v.jsonl", rows)
        assert sum(label is not None for label in read_results(path).human.values()) == 20
        assert (read_votes(path).key >= 0).sum() == 20
        assert [j.n for j in ae.judge_card(path).judges] == [20, 20, 20]
        assert "20 human answers" in ae.report(path, intervals=0).summary()

    def test_names_that_stand_in_both_places_are_kept_apart(self, tmp_path):
        rows = [
            {
                "id": k,
                "model": "xy"[k % 2],
                "votes": [{"model": j, "value": "ab"[(k + (j == "g")) % 2]} for j in "fgh"],
            }
            for k in range(12)
        ]
        results = read_results(put(tmp_path / "v.jsonl", rows))
        assert list(results.judged) == ["f", "g", "h"]
        assert results.systems == ("x", "y")

    def test_a_first_row_without_votes_does_not_hide_the_others(self, tmp_path):
        rows = [{"verdicts": [] if k == 0 else said_by("abc", "", k)} for k in range(9)]
        votes = read_votes(put(tmp_path / "v.jsonl", rows))
        assert votes.judges == ("a", "b", "c")
        assert votes.n_items == 8
        assert any("rows without votes (1)" in note for note in votes.notes)

    def votes_with(self, people=(), **cells):
        """Rows of 40 items with two judges, a label by people, and more cells in each vote."""
        rows = []
        for k in range(40):
            votes = said_by(("gpt-4o", "claude-3", *people), people, k)
            for j, vote in enumerate(votes):
                vote |= {name: cell(k, j) for name, cell in cells.items()}
            rows.append({"id": f"q{k}", "human_label": ["pass", "fail"][k % 2], "verdicts": votes})
        return rows

    @pytest.mark.parametrize("labelled", [25, 40])
    @pytest.mark.parametrize("name", ["response", "answer", "feedback", "rationale"])
    def test_words_beside_a_verdict_are_no_outputs(self, tmp_path, name, labelled):
        rows = self.votes_with(**{name: lambda k, j: f"It is so because of reason {k} of {j}"})
        path = put(tmp_path / "v.jsonl", rows)
        results = read_results(path)
        assert list(results.judged) == ["gpt-4o", "claude-3"]
        assert results.n_items == results.n_labelled == 40
        assert results.systems == ()
        assert results.roles[name] == "reason"
        assert read_votes(path).judges == ("gpt-4o", "claude-3")
        assert [c.n for c in ae.judge_card(path).judges] == [40, 40]
        flat = [
            {"id": r["id"], "human_label": r["human_label"], **v}
            for r in rows
            for v in r["verdicts"]
        ]
        for row in flat:
            row["judge"] = row.pop("annotator")
            row["human_label"] = row["human_label"] if int(row["id"][1:]) < labelled else None
        same = read_results(flat)
        assert list(same.judged) == ["gpt-4o", "claude-3"]
        assert same.n_labelled == labelled
        assert same.roles[name] == "reason"

    @pytest.mark.parametrize("first", ["verdict", "grade"])
    def test_grades_beside_a_verdict_do_not_take_its_role(self, tmp_path, first):
        rows = self.votes_with(rating=lambda k, j: 1 + (3 * k + j) % 10)
        for row in rows:
            row["verdicts"] = [
                {"annotator": v["annotator"], first: v["label"], "rating": v["rating"]}
                for v in row["verdicts"]
            ]
        results = read_results(put(tmp_path / "v.jsonl", rows))
        assert results.labels == ("fail", "pass")
        assert list(results.said) == ["human_label"]
        assert results.n_labelled == 40

    @pytest.mark.parametrize("holder", ["reviews", "ratings", "labels"])
    def test_a_list_beside_verdicts_of_models_multiplies_no_outputs(self, tmp_path, holder):
        wide = [
            {"id": k, "gpt4_verdict": "pass" if k % 3 else "fail",
             "judge_verdict": "pass" if k % 4 else "fail", "human_label": "pass" if k % 5 else "fail"}
            for k in range(40)
        ]  # fmt: skip
        listed = [
            row | {holder: [{"reviewer": n, "rating": 1 + (row["id"] + j) % 5} for j, n in enumerate("abc")]}
            for row in wide
        ]  # fmt: skip
        alone, mine = (
            read_results(put(tmp_path / f"{n}.jsonl", rows))
            for n, rows in (("alone", wide), ("listed", listed))
        )
        assert mine.n_items == mine.n_labelled == 40
        assert list(mine.judged) == list(alone.judged) == ["gpt4_verdict", "judge_verdict"]
        assert mine.human == alone.human
        assert any("left out, lists of votes beside" in n and holder in n for n in mine.table_notes)

    @pytest.mark.parametrize(
        "beside",
        [
            {"model_name": "llama-3"}, {"judge_model": "gpt-4o"}, {"gpt4_response": "Paris"},
            {"prediction": "Paris"}, {"gpt4": "Paris is the capital of France, as is known"},
            {"llm_tokens": 512}, {"model_size": 7}, {"judge_prompt_version": 2},
        ],
    )  # fmt: skip
    def test_what_a_model_is_or_wrote_hides_no_list(self, tmp_path, beside):
        rows = [{"id": k, **beside, "ratings": said_by("abc", "", k)} for k in range(20)]
        assert read_votes(put(tmp_path / "v.jsonl", rows)).judges == ("a", "b", "c")

    def test_answers_of_models_in_lists_are_not_taken_for_judges(self, tmp_path):
        rows = [
            {"prompt": f"What is {k} and {k}?", "ratings": [
                {"model": m, "response": f"I say {k} of {m}", "rating": ["pass", "fail"][(k + j) % 2]}
                for j, m in enumerate(("v1", "v2"))]}
            for k in range(30)
        ]  # fmt: skip
        assert read_results(put(tmp_path / "v.jsonl", rows)).systems == ("v1", "v2")

    def test_a_vote_that_failed_has_no_answer(self, tmp_path):
        rows = self.votes_with()
        for row in rows[:3]:
            row["verdicts"][0]["status"] = "draft"
        results = read_results(put(tmp_path / "v.jsonl", rows))
        assert (results.votes.codes == -1).sum() == 3
        assert "votes not given: draft (3)" in results.table_notes

    @pytest.mark.parametrize("people", [(), ("human",), ("Anna", "human_2")])
    @pytest.mark.parametrize(
        "names", [("annotator", "label"), ("judge", "verdict"), ("grade", "rater")]
    )
    @pytest.mark.parametrize(
        "cells",
        [
            {},
            {"rating": lambda k, j: 1 + (3 * k + j) % 10},
            {"score": lambda k, j: (7 * k + j) % 11 / 10},
            {"confidence": lambda k, j: (7 * k + 3 * j) % 101 / 100},
            {"rationale": lambda k, j: f"It is so because of reason {k} of {j}"},
            {"criterion": lambda k, j: "helpful"},
            {"time": lambda k, j: f"2026-01-{1 + k % 28:02d}T10:{j:02d}:00"},
            {"note": lambda k, j: None},
        ],
    )
    def test_lists_and_the_flat_table_of_them_say_the_same(self, tmp_path, people, names, cells):
        rows = self.votes_with(people, **cells)
        for row in rows:
            called = {
                n: "label" if n in ("label", "verdict", "grade") else "annotator" for n in names
            }
            row["verdicts"] = [
                {n: vote[old] for n, old in called.items()} | {n: vote[n] for n in cells}
                for vote in row["verdicts"]
            ]
        for row in rows if people else ():
            del row["human_label"]
        flat = [
            {n: c for n, c in (r | v).items() if n != "verdicts"}
            for r in rows
            for v in r["verdicts"]
        ]
        with (tmp_path / "flat.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, list(flat[0]))
            writer.writeheader()
            writer.writerows(flat)
        path = put(tmp_path / "v.jsonl", rows)
        mine, same = read_results(path), read_results(tmp_path / "flat.csv")
        assert list(mine.judged) == list(same.judged)
        assert list(mine.said) == list(same.said)
        assert mine.roles == same.roles
        assert mine.labels == same.labels
        assert mine.human == same.human
        assert np.array_equal(mine.votes.codes, same.votes.codes)
        votes = [read_votes(source) for source in (path, tmp_path / "flat.csv")]
        assert votes[0].judges == votes[1].judges
        assert votes[0].answers == votes[1].answers
        assert np.array_equal(votes[0].codes, votes[1].codes)


def samples_of(model, k, **more):
    ok = (k + len(model)) % 3 > 0
    return {"doc_id": k, "doc": {"question": f"How many are {k} and {k}?"}, "target": str(2 * k),
            "filtered_resps": [str(2 * k)], "resps": [[f"It is {2 * k}"]], "filter": "none",
            "doc_hash": f"{k:064x}", "metrics": ["exact_match"], "exact_match": float(ok)} | more  # fmt: skip


class TestOwnColumnsOfRuns:
    """Columns of a user's own beside those of FastChat and lm-eval are kept, or said to be left out."""

    def folder(self, tmp_path, **own):
        for model in ("org__a", "org__bb"):
            rows = [
                samples_of(model, k, **{n: cell(model, k) for n, cell in own.items()})
                for k in range(25)
            ]
            (tmp_path / model).mkdir()
            put(tmp_path / model / "samples_sums_2026-10-01T10-00-00.0.jsonl", rows)
        return tmp_path

    def test_labels_and_groups_of_a_folder_of_lm_eval_are_kept(self, tmp_path):
        people = {"human_label": lambda model, k: (k + len(model)) % 3 > 0 if k % 2 else None}
        folder = self.folder(tmp_path, lang=lambda model, k: ["de", "en"][k % 2], **people)
        results = read_results(folder)
        assert results.systems == ("org/a", "org/bb")
        assert list(results.said) == ["human_label"]
        assert list(results.judged) == ["exact_match"]
        assert "lang" in results.slices
        assert results.n_labelled == 24
        assert read_votes(folder).n_items == 50
        assert (read_votes(folder).key >= 0).sum() == 24

    def test_a_group_alone_is_said_to_be_left_out_and_read_when_named(self, tmp_path):
        folder = self.folder(tmp_path, lang=lambda model, k: ["de", "en"][k % 2])
        votes = read_votes(folder)
        assert votes.judges == ("org/a", "org/bb")
        assert any("'lang', are not read" in note for note in votes.notes)
        assert "lang" in read_results(folder, slice="lang").slices

    def test_without_columns_of_ones_own_nothing_is_said(self, tmp_path):
        assert not any("not read" in note for note in read_votes(self.folder(tmp_path)).notes)

    @pytest.mark.parametrize("judges", [("gpt-4",), ("gpt-4", "claude")])
    def test_a_folder_of_fastchat(self, tmp_path, judges):
        for judge in judges:
            rows = [
                row_of_fastchat(k)
                | {"judge": [judge, "pair-v2"], "category": ["math", "code"][k % 2]}
                | {"human_winner": "model_1" if k % 4 else "model_2"}
                for k in range(30)
            ]
            put(tmp_path / f"{judge}_pair.jsonl", rows)
        if len(judges) == 1:
            results = read_results(tmp_path)
            assert list(results.judged) == ["g1_winner", "g2_winner"]
            assert list(results.said) == ["human_winner"]
            assert list(results.slices) == ["category"]
        else:
            votes = read_votes(tmp_path)
            assert votes.n_judges == 4
            assert any(
                "'human_winner', 'category'" in note or "'category', 'human_winner'" in note
                for note in votes.notes
            )


@pytest.mark.parametrize("dot", [".", "_"])
@pytest.mark.parametrize("case", [str.lower, str.upper])
def test_headers_of_mechanical_turk_in_another_case_are_read_alike(case, dot, tmp_path):
    rng = np.random.default_rng(8)
    rows = [
        {
            "HITId": f"H{k}",
            "AssignmentId": f"a{k}{who}",
            "WorkerId": who,
            "AssignmentStatus": "Rejected" if rng.random() < 0.2 else "Approved",
            "WorkTimeInSeconds": int(rng.integers(9, 60)),
            "Answer.label": ("bad", "good")[int(rng.random() < 0.6)],
        }
        for k in range(20)
        for who in ("W1", "W2", "W3")
    ]
    frame = pd.DataFrame(rows)
    plain, other = tmp_path / "batch.csv", tmp_path / "small.csv"
    frame.to_csv(plain, index=False)
    small = frame.rename(columns=lambda name: case(name.replace(".", dot)))
    small.to_csv(other, index=False)
    rejected = (frame["AssignmentStatus"] == "Rejected").sum()
    first, *others = (ae.read_results(source) for source in (str(plain), str(other), small))
    assert np.sum(first.votes.codes >= 0) == 60 - rejected
    for results in others:
        assert list(results.columns["role"]) == list(first.columns["role"])
        assert results.votes.items == first.votes.items
        assert {*results.votes.judges} == {"W1", "W2", "W3"}
        by_judge = [first.votes.judges.index(judge) for judge in results.votes.judges]
        assert np.array_equal(results.votes.codes, first.votes.codes[:, by_judge])


@pytest.mark.parametrize("between", [".", "-"])
def test_suggestions_of_a_model_are_a_judge_and_responses_beside_them_people(between):
    rng = np.random.default_rng(2)
    truth = rng.random(40) < 0.6
    words = [np.where(rng.random(40) < p, truth, ~truth) for p in (0.8, 0.9, 0.7)]
    said = [np.where(cells, "good", "bad") for cells in words]
    frame = pd.DataFrame({"id": [f"q{k}" for k in range(40)]})
    frame[f"quality{between}suggestion"], frame["gpt4o"] = said[0], said[2]
    alone = ae.read_results(frame.assign(human=said[1])).columns
    assert dict(zip(alone["column"], alone["role"], strict=True)) == {
        "id": "item",
        f"quality{between}suggestion": "judge",
        "gpt4o": "judge",
        "human": "human",
    }
    results = ae.read_results(frame.assign(**{"quality.responses": said[1]}))
    assert [*results.said] == ["quality.responses"]
    assert {*results.judged} == {f"quality{between}suggestion", "gpt4o"}
    free = frame.assign(
        **{"reviewer suggestion": [f"please mend part {k} of it" for k in range(40)]}
    )
    assert "reviewer suggestion" not in ae.read_results(free).judged
