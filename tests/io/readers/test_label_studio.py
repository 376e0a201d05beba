"""Exports of Label Studio with a row per annotation, the newest of several, imported ground truth."""

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from algeval.errors import DataError
from algeval.io import read_scores, read_votes, read_votes_with_notes

SAMPLES = Path(__file__).parents[3] / "../shared/formats/label-studio"
HEADER = (
    "annotation_id",
    "annotator",
    "created_at",
    "id",
    "lead_time",
    "text",
    "updated_at",
    "verdict",
)
ROWS = [
    (1, "ann", "t", 1, "", "one", "2026-01-01T10:00:00Z", "good"),
    (2, "bob", "t", 1, "", "one", "2026-01-01T10:00:00Z", "bad"),
    (3, "ann", "t", 2, "", "two", "2026-01-01T10:00:00Z", "bad"),
    (4, "bob", "t", 2, "", "two", "2026-01-01T10:00:00Z", ""),
]
AGAIN = (5, "ann", "t", 2, "", "two", "2026-01-01T11:00:00+02:00", "good")


def put(path, rows, header=HEADER):
    if path.suffix == ".json":
        path.write_text(json.dumps([dict(zip(header, row, strict=True)) for row in rows]))
        return path
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream, quoting=csv.QUOTE_NONNUMERIC).writerows([header, *rows])
    return path


def given(votes):
    names = [*votes.answers, None]
    return {
        (item, judge): names[code]
        for item, codes in zip(votes.items, votes.codes.tolist(), strict=True)
        for judge, code in zip(votes.judges, codes, strict=True)
    }


@pytest.mark.parametrize("name", ["export.csv", "export.json"])
class TestRows:
    def test_a_row_is_a_vote_and_a_blank_is_none(self, tmp_path, name):
        votes, notes = read_votes_with_notes(put(tmp_path / name, ROWS))
        assert given(votes) == {
            ("1", "ann"): "good",
            ("1", "bob"): "bad",
            ("2", "ann"): "bad",
            ("2", "bob"): None,
        }
        assert "votes not given: question left blank (1)" in notes
        assert any("its data: 'text'" in note for note in notes)

    def test_a_person_twice_is_refused_or_the_newest_taken(self, tmp_path, name):
        path = put(tmp_path / name, [*ROWS, AGAIN])
        with pytest.raises(
            DataError, match="'ann' votes on item '2' in annotation 3, annotation 5"
        ):
            read_votes(path)
        # 11:00 two hours east of Greenwich is 9:00 there: the older one, whatever its text says
        votes, notes = read_votes_with_notes(path, latest=True)
        assert given(votes)["2", "ann"] == "bad"
        assert "left out: older votes of a judge on a task (1)" in notes

    @pytest.mark.parametrize("when", ["", "2026-01-01T10:00:00Z", "soon"])
    def test_a_newest_that_cannot_be_told_is_refused(self, tmp_path, name, when):
        row = (*AGAIN[:6], when, "good")
        with pytest.raises(DataError, match="with no time or the same"):
            read_votes(put(tmp_path / name, [*ROWS, row]), latest=True)

    def test_questions_are_told_from_data_or_asked_for(self, tmp_path, name):
        header = (*HEADER, "why")
        path = put(tmp_path / name, [(*row, f"w{row[0]}") for row in ROWS], header)
        with pytest.raises(DataError, match=r"asks 'verdict' \(3 votes\), 'why' \(4 votes\)"):
            read_votes(path)
        assert given(read_votes(path, question="verdict"))["1", "bob"] == "bad"
        alone = put(tmp_path / f"alone-{name}", [ROWS[0], ROWS[2]])
        with pytest.raises(DataError, match=r"'text' \(2 votes\), 'verdict' \(2 votes\)"):
            read_votes(alone)

    def test_ratings_stand_as_json_and_several_choices_are_no_vote(self, tmp_path, name):
        stars = [(*row[:7], f'[{{"rating": {row[0]}}}]') for row in ROWS]
        header = (*HEADER[:7], "stars")
        assert read_scores(put(tmp_path / name, stars, header)).values.tolist() == [[1, 2], [3, 4]]
        several = [(*ROWS[0][:7], '{"choices": ["good", "bad"]}'), *ROWS[1:]]
        with pytest.raises(DataError, match="annotation 1 says"):
            read_votes(put(tmp_path / name, several))

    def test_rows_without_a_person_are_refused(self, tmp_path, name):
        row = (9, None if name.endswith("json") else "", *ROWS[0][2:])
        with pytest.raises(DataError, match="must have 'annotator'"):
            read_votes(put(tmp_path / name, [*ROWS, row]))


class TestGroundTruth:
    def tasks(self, *marks, who=("ann", "bob")):
        return [
            {
                "id": 1,
                "data": {},
                "annotations": [
                    {
                        "id": place,
                        "completed_by": {"email": name},
                        "ground_truth": mark,
                        "updated_at": f"2026-01-0{place + 1}",
                        "result": [
                            {
                                "from_name": "verdict",
                                "value": {"choices": ["good" if place else "bad"]},
                            }
                        ],
                    }
                    for place, (mark, name) in enumerate(zip(marks, who, strict=True))
                ],
            }
        ]

    def put(self, path, tasks):
        path.write_text(json.dumps(tasks))
        return path

    def test_all_marked_is_refused_or_read_as_votes(self, tmp_path):
        path = self.put(tmp_path / "x.json", self.tasks(True, True))
        with pytest.raises(DataError, match="count them with ground_truth='as-votes'"):
            read_votes(path)
        votes, notes = read_votes_with_notes(path, ground_truth="as-votes")
        assert given(votes) == {("1", "ann"): "bad", ("1", "bob"): "good"}
        assert "all 2 annotations are marked as ground truth, and count as votes" in notes

    def test_some_marked_are_never_votes(self, tmp_path):
        path = self.put(tmp_path / "x.json", self.tasks(True, False))
        with pytest.raises(DataError, match=r"marks 1 of 2: these are the key"):
            read_votes(path, ground_truth="as-votes")

    def test_the_newest_annotation_of_a_person(self, tmp_path):
        path = self.put(tmp_path / "x.json", self.tasks(False, False, who=("ann", "ann")))
        with pytest.raises(DataError, match="annotation 0, annotation 1"):
            read_votes(path)
        assert given(read_votes(path, latest=True)) == {("1", "ann"): "good"}

    def test_truths_that_differ_are_no_key(self, tmp_path):
        tasks = self.tasks(True, True, False, who=("ann", "bob", "cy"))
        votes, notes = read_votes_with_notes(self.put(tmp_path / "x.json", tasks))
        assert given(votes) == {("1", "cy"): "good"}
        assert any("whose ground truths differ (1)" in note for note in notes)

    def test_two_answers_to_a_question_in_one_annotation_are_no_vote(self, tmp_path):
        tasks = self.tasks(False, False)
        tasks[0]["annotations"][0]["result"] *= 2
        with pytest.raises(DataError, match="annotation 0 of task 1 has 2 choices"):
            read_votes(self.put(tmp_path / "x.json", tasks))


def test_an_option_that_no_reader_follows_is_refused(tmp_path):
    path = put(tmp_path / "x.csv", ROWS)
    with pytest.raises(
        DataError, match=r"swap= is about the files of FastChat, JudgeBench; x\.csv"
    ):
        read_votes(path, swap="agree")
    (tmp_path / "y.csv").write_text("item,x,y\n1,a,b\n")
    with pytest.raises(
        DataError,
        match=r"latest= is about the files of FastChat, Label Studio, MLflow, Prodigy; y\.csv",
    ):
        read_votes(tmp_path / "y.csv", latest=True)


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the tools' files are not here")
@pytest.mark.parametrize("name", ["team.csv", "team-min.json"])
def test_the_samples_hold_what_a_plain_count_finds(name):
    path = SAMPLES / name
    if name.endswith("csv"):
        with path.open(newline="", encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream))
    else:
        rows = json.loads(path.read_text(encoding="utf-8"))
    newest = {}
    for row in sorted(rows, key=lambda row: row["updated_at"]):
        newest[str(row["id"]), str(row["annotator"])] = row["verdict"] or None
    found = given(read_votes(path, latest=True))
    assert {pair: found[pair] for pair in newest} == newest
    assert Counter(found.values())[None] == len(found) - sum(v is not None for v in newest.values())
