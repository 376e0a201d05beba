"""Tables of known tools are read rightly or refused by name, never misread."""

import os
from pathlib import Path

import pytest

import algeval as ae
from algeval.errors import DataError
from algeval.io import read_votes, read_votes_with_notes

SHARED = Path(os.environ.get("ALGEVAL_SHARED", Path(__file__).parents[2] / "../shared"))

EXPORTS = {
    "arena": {"question_id": [1, 1], "model_a": ["p", "q"], "model_b": ["q", "p"]}
    | {"winner": ["model_a", "model_b"], "judge": ["i", "j"]},
    "FastChat": {"question_id": [1, 1], "model_1": ["p"] * 2, "model_2": ["q"] * 2}
    | {"g1_winner": ["tie"] * 2, "g2_winner": ["error"] * 2},
    "Phoenix": {"span_id": [1, 1], "name": ["right", "kind"], "annotator_kind": ["LLM"] * 2}
    | {"identifier": ["i", "j"], "label": ["a", "b"]},
    "MLflow": {"trace_id": [1, 2], "assessments": ["x", "y"]},
    "Prodigy": {
        "_input_hash": [1, 1],
        "options": ["x", "y"],
        "accept": ["x", "y"],
        "answer": ["a", "b"],
    },
}


@pytest.mark.parametrize("tool", EXPORTS)
def test_tables_of_known_tools_are_refused_by_name(tool):
    with pytest.raises(DataError) as caught:
        read_votes(EXPORTS[tool])
    assert f"got one of {tool} by its columns" in str(caught.value)
    assert "\n" not in str(caught.value)


def scores_of_langfuse(*names, sources=None, numbers=False):
    """Return rows of scores under some names, on twelve traces, as Langfuse exports them."""
    rows = []
    for trace in range(12):
        for k, name in enumerate(names):
            said = (trace + k) % (2 + k) > 0
            row = {"id": f"s{len(rows)}", "traceId": f"t{trace}", "name": name, "value": int(said)}
            row |= {"dataType": "NUMERIC" if numbers else "BOOLEAN", "comment": ""}
            row |= {"stringValue": "" if numbers else str(said)}
            rows.append(row | ({"source": sources[k]} if sources else {}))
    return rows


def test_scores_of_langfuse_are_read_by_who_gave_them():
    results = ae.read_results(scores_of_langfuse("gpt-correct", "claude-correct", "human-correct"))
    assert list(results.judged) == ["gpt-correct", "claude-correct"]
    assert (results.layout, len(results.human), results.labels) == ("long", 12, ("False", "True"))
    assert results.roles["value"] == "ignored"
    one = scores_of_langfuse("help", "help", sources=["EVAL", "ANNOTATION"], numbers=True)
    results = ae.read_results(one)
    assert (list(results.judged), len(results.human)) == (["EVAL"], 12)
    assert (results.roles["source"], results.roles["value"]) == ("rater", "answer")


def test_scores_of_langfuse_that_may_answer_several_questions_are_asked_about():
    rows = scores_of_langfuse("helpful", "concise", "toxic")
    with pytest.raises(
        DataError, match="'helpful', 'concise', 'toxic' of 'name' answer one question"
    ):
        ae.read_results(rows)
    assert len(ae.read_results(rows, judge="name", answer="stringValue").judged) == 3


def test_one_question_of_phoenix_is_a_long_table():
    votes = read_votes(EXPORTS["Phoenix"] | {"name": ["right", "right"]})
    assert (votes.items, votes.judges, votes.answers) == (("1",), ("i", "j"), ("a", "b"))


def test_who_gave_a_column_of_winners_beside_a_model_is_asked():
    table = {"id": [1, 2], "model_a": ["p", "q"], "model_b": ["q", "p"]}
    table |= {"winner": ["a", "b"], "gpt": ["b", "a"]}
    with pytest.raises(DataError, match="Who gave column 'winner'"):
        read_votes(table)
    assert read_votes(table, judges=["winner", "gpt"]).judges == ("winner", "gpt")


_ARENA = ("author_0", "author_1", "expert_0", "arena_user_7")
READ = {
    "huggingface/a-classlabel.parquet": (("gpt", "claude"), ("bad", "good"), 4),
    "huggingface/a-onehot.csv": (("winner",), ("model_a", "model_b", "tie"), 0),
    "huggingface/a-arena.jsonl": (_ARENA, ("model_a", "model_b", "tie", "tie (bothbad)"), 40),
    "huggingface/a-arena.parquet": (_ARENA, ("model_a", "model_b", "tie", "tie (bothbad)"), 40),
    "tables/prodigy-binary.jsonl": (("set-ann", "set-bob", "set-cy"), ("accept", "reject"), 3),
}
REFUSED = {
    "huggingface/a-classlabel.jsonl": "got -1 beside 2 classes",
    "huggingface/a-lists.parquet": "one entry per vote; got 4 and 3 in row 6",
    "langsmith/langsmith1.csv": "judges= the columns feedback.*",
    "platforms/phoenix-annotations.csv": "one of Phoenix",
}


def sample(name):
    path = SHARED / "formats" / name
    if not path.exists():
        pytest.skip("the shared file is not here")
    return path


@pytest.mark.parametrize("name", READ)
def test_samples_that_can_be_read_are_read_rightly(name):
    votes = read_votes(sample(name))
    assert (votes.judges, votes.answers, int(votes.missing.sum())) == READ[name]


@pytest.mark.parametrize("name", REFUSED)
def test_samples_that_cannot_be_read_are_refused_by_name(name):
    with pytest.raises(DataError) as caught:
        read_votes_with_notes(sample(name))
    assert REFUSED[name] in str(caught.value)


def test_every_sample_of_two_kinds_is_accounted_for():
    kinds = ("huggingface", "langsmith", "platforms", "tables")
    for kind in kinds:
        sample(kind)
    here = {
        f"{kind}/{path.name}"
        for kind in kinds
        for path in (SHARED / "formats" / kind).iterdir()
        if path.suffix != ".md"
    }
    assert here == READ.keys() | REFUSED.keys() | {
        "platforms/mlflow-traces.jsonl",
        "platforms/langfuse-scores.jsonl",
        "tables/mturk-choice.csv",
        "tables/mturk-radio.csv",
        "tables/prodigy-choice.jsonl",
        "tables/crowdkit.csv",
        "tables/crowdkit-index.tsv",
    }
