"""Files written by the tools themselves, where they lie beside the project: read as was recorded by hand."""

import json
from collections import Counter
from pathlib import Path

import pytest

from algeval.errors import DataError
from algeval.io import read_votes, read_votes_or_scores
from algeval.io.answers import tidy

FORMATS = Path(__file__).parents[3] / "../shared/formats"
NEEDS_FILES = pytest.mark.skipif(not FORMATS.is_dir(), reason="the tools' files are not here")


def expected(tool):
    path = FORMATS / tool / "expected.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def counted(data):
    """Return {judge: {answer: votes}} of votes or scores, missing ones as "None"."""
    if hasattr(data, "codes"):
        names = [*data.answers, "None"]
        columns = [[names[code] for code in column] for column in data.codes.T.tolist()]
    else:
        columns = [["None" if x != x else tidy(x) for x in c] for c in data.values.T.tolist()]
    return {judge: dict(Counter(c)) for judge, c in zip(data.judges, columns, strict=True)}


def with_absent(recorded, n_items):
    """Return the record with votes nobody wrote down counted as missing."""
    full = {}
    for judge, counts in recorded.items():
        absent = n_items - sum(counts.values())
        full[judge] = counts | ({"None": counts.get("None", 0) + absent} if absent else {})
    return full


REFUSED = {
    "dict-rubric.eval": "choose with question='rubric_dict'",
    "dict-rubric.json": "choose with question='rubric_dict'",
    "numbers-and-bools.eval": "choose with question=",
    "numbers-and-bools.json": "choose with question=",
    "multi-scorer-reducer.eval": "list the scorers",
    "multi-scorer-reducer.json": "list the scorers",
    "failed-samples.eval": "the first error is",
}


@NEEDS_FILES
@pytest.mark.parametrize("tool", ["inspect", "promptfoo", "deepeval"])
def test_files_of_the_tool_are_read_as_recorded_or_refused_in_a_sentence(tool):
    files = expected(tool)
    assert files
    for name, record in files.items():
        path = FORMATS / tool / name
        if name in REFUSED:
            with pytest.raises(DataError, match=REFUSED[name].replace("(", r"\(")):
                read_votes(path)
            continue
        found = read_votes(path)
        assert len(found) == record["items"], name
        assert counted(found) == with_absent(record["counts"], record["items"]), name


@NEEDS_FILES
@pytest.mark.parametrize("form", ["eval", "json"])
def test_each_question_of_a_file_of_several(form):
    record = expected("inspect")[f"dict-rubric.{form}"]["counts"]
    path = FORMATS / "inspect" / f"dict-rubric.{form}"
    rubric = read_votes(path, question="rubric_dict")
    assert counted(rubric) == {j: c for j, c in record.items() if j.startswith("rubric")}
    number = read_votes_or_scores(path, question="judge_num")
    assert counted(number) == {"judge_num": record["judge_num"]}


CHOSEN = {
    "fastchat": {"pair": ("model_judgment", "pair"), "single": ("model_judgment", "single")},
    "judgebench": {"folder": ("", None)},
    "lm-eval": {
        "panel toy_mc none": ("panel", "toy_mc"),
        "panel toy_gen strict": ("panel", "toy_gen/strict"),
        "panel toy_gen flexible": ("panel", "toy_gen/flexible"),
    },
    "label-studio": {"team.json verdict": ("team.json", "verdict")},
    "argilla": {"a1-flat.json verdict": ("a1-flat.json", "verdict")},
}


@NEEDS_FILES
@pytest.mark.parametrize("tool", CHOSEN)
def test_folders_and_files_of_several_questions_as_recorded(tool):
    records = expected(tool)
    for name, (path, question) in CHOSEN[tool].items():
        record = records[name]
        people = {"label-studio", "argilla"} & {
            tool
        }  # whose answers are the labels, but for being named
        found = read_votes_or_scores(
            FORMATS / tool / path,
            question=question,
            judges=list(record["counts"]) if people else None,
        )
        assert found.n_items == record["items"], name
        assert counted(found) == with_absent(record["counts"], record["items"]), name


@NEEDS_FILES
@pytest.mark.parametrize(
    ("path", "question", "told"),
    [
        ("label-studio/server-export.json", "verdict", "on item '1' in annotation 2, annotation 3"),
        ("label-studio/multi-choice-and-stars.json", "verdict", "2 choices"),
        ("huggingface/a-lists.parquet", None, "one entry per vote"),
        ("fastchat/model_judgment", None, "choose with question='pair'"),
        ("lm-eval/panel", "toy_gen", "filtered in several ways"),
        ("lm-eval/panel/org__beta/results_2026-11-21T19-24-49.089229.json", None, "--log_samples"),
        ("argilla/a1.json", None, r"flatten=True\)"),
        ("pydantic-evals/report1.json", None, "a report of pydantic-evals"),
    ],
)
def test_what_the_tools_write_and_cannot_be_read(path, question, told):
    with pytest.raises(DataError, match=told) as caught:
        read_votes(FORMATS / path, question=question)
    assert "\n" not in str(caught.value)


@NEEDS_FILES
def test_arena_tables_are_pairs_whatever_their_file():
    for form in ("jsonl", "parquet"):
        found = read_votes(FORMATS / "huggingface" / f"a-arena.{form}")
        assert {"model_a", "model_b"} <= set(found.labels)
    assert read_votes(FORMATS / "huggingface" / "a-onehot.csv").n_judges == 1
