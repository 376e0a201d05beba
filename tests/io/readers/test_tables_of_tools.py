"""Label Studio, lm-eval, Argilla, lists of votes, and folders of one judge a file."""

import json

import pytest

from algeval.errors import DataError
from algeval.io import read_results, read_votes, read_votes_with_notes


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
