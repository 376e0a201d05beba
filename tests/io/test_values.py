"""What cells mean: named labels are answers, 1 is true, and words beside verdicts are asked about."""

import itertools
import json

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import algeval as ae
from algeval.cli.main import run
from algeval.errors import AlgevalError, DataError

WORDS = ("Ignore", "No response", "invalid", "skipped", "error", "timeout", "NA", "none", "pending")
"""Words that mean no answer in some tables, and are answers where `labels` has them."""


def rows(judge, human):
    cells = zip(judge, ["Yes", "No", "No"] * 4, human, strict=True)
    return [
        {"item": f"q{k}", "judge a": a, "judge b": b, "human": h}
        for k, (a, b, h) in enumerate(cells)
    ]


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("missing", [None, []])
@pytest.mark.parametrize("word", WORDS)
def test_what_labels_names_is_an_answer_everywhere(word, missing, exact, tmp_path):
    table = rows(["Yes", "No", word] * 4, ["Yes", "No", word] * 4)
    path = tmp_path / "named.csv"
    pd.DataFrame(table).to_csv(path, index=False)
    said = {"labels": ["Yes", "No", word], "exact_labels": exact, "missing": missing}
    for source in (table, path):
        read = ae.read_results(source, judges=["judge a", "judge b"], human="human", **said)
        card = ae.judge_card(read)
        assert [card.row(name).n for name in read.votes.judges] == [12, 12]
        assert card.row("judge b").accuracy.value == pytest.approx(8 / 12)
        assert read.votes.labels == ("Yes", "No", word)
        assert ae.read_votes(source, judges=["judge a"], **said).labels == ("Yes", "No", word)
        assert ae.read_results(source, **said).roles["human"] == "human"


@pytest.mark.parametrize("word", WORDS)
def test_an_empty_list_of_missing_texts_means_that_none_is(word, tmp_path, capsys):
    table = rows(["Yes", "No", word] * 4, ["Yes", "No", word] * 4)
    read = ae.read_results(table, judges=["judge a", "judge b"], human="human", missing=[])
    assert ae.judge_card(read).row("judge a").n == 12
    assert word in read.votes.labels
    path = tmp_path / "all.csv"
    pd.DataFrame(table).to_csv(path, index=False)
    assert run(["judges", str(path), "--not-answered", ""]) == 0
    assert "labels of 12 of 12 items" in capsys.readouterr().out


@pytest.mark.parametrize("word", ["error", "timeout", "[ERROR] judge timed out after 30s"])
def test_a_card_says_what_was_counted_as_missing(word):
    table = rows(["Yes", "No", "No"] * 3 + ["Yes", "No", word], ["Yes", "No", "No"] * 4)
    card = ae.judge_card(table, judges=["judge a", "judge b"], human="human")
    assert card.row("judge a").n == 11
    assert any("counted as missing" in note and repr(word) in note for note in card.warnings)
    assert repr(word) in card.summary()


@pytest.mark.parametrize("word", ["Ignore", "invalid", "No response"])
def test_a_word_of_a_rubric_is_an_answer(word):
    read = ae.read_results(rows(["Yes", "No", word] * 4, ["Yes", "No", word] * 4))
    assert ae.judge_card(read).row("judge b").n == 12


@pytest.mark.parametrize(
    "words", [("GRID: C",), ("I cannot grade this answer.", "GRID: C"), ("maybe", "n.p.")]
)
def test_words_of_judges_beside_the_two_of_people_are_asked_about(words, tmp_path):
    cells = [*["Yes", "No"] * 10, *itertools.islice(itertools.cycle(words), 4)]
    people = [*["Yes", "No"] * 8, *[None] * 8]
    table = pd.DataFrame({"id": range(24), "judge": cells, "human": people})
    path = tmp_path / "graded.csv"
    table.to_csv(path, index=False)
    for ask in (ae.rate, ae.judge_card, ae.report):
        with pytest.raises(DataError, match=r"People say .* alone, and judges") as caught:
            ask(path)
        (question,) = caught.value.questions
    missing, labels = question.answers
    assert missing.startswith("missing=")
    none = ae.read_results(path, missing=[*words])
    assert none.votes.labels == ("No", "Yes")
    assert (none.votes.codes < 0).sum() == 4
    every = ae.read_results(path, labels=["Yes", "No", *words])
    assert (every.votes.codes < 0).sum() == 0
    assert all(word in labels for word in words)


KINDS = {"1/0": (1, 0), "'1'/'0'": ("1", "0"), "bool": (True, False), "words": ("true", "false")}


@pytest.mark.parametrize("constant", [0, 1, None])
@pytest.mark.parametrize(("judge", "human"), list(itertools.product(KINDS, KINDS)))
def test_numbers_and_truths_are_graded_as_pass_and_fail_are(judge, human, constant):
    def table(said, people):
        cells = [said[0], said[1], said[1]] * 4 if constant is None else [said[constant]] * 12
        return pd.DataFrame({"id": range(12), "gpt": cells, "human": [people[0], people[1]] * 6})

    words = ae.judge_card(table(("pass", "fail"), ("pass", "fail")))
    own = table(KINDS[judge], KINDS[human])
    card = ae.judge_card(own)
    assert card.row("gpt").n == 12
    assert card.row("gpt").accuracy.value == words.row("gpt").accuracy.value
    assert ae.rate(own).n_gold == 12
    assert ae.report(own)


@pytest.mark.parametrize("kind", [*KINDS.values(), ("pass", "fail")])
def test_a_judge_of_each_constant_is_graded(kind):
    cells = {"gpt": [kind[0]] * 12, "claude": [kind[1]] * 12, "human": [kind[0], kind[1]] * 6}
    card = ae.judge_card({"id": [f"q{k}" for k in range(12)], **cells})
    assert [card.row(name).accuracy.value for name in ("gpt", "claude")] == [0.5, 0.5]


def trials(*, ids, differ, texts=""):
    made = []
    for k in range(90):
        prompt, trial = divmod(k, 3)
        row = {"id": f"r{k}"} if ids else {}
        row |= {"prompt_id": f"p{prompt}", "trial": trial, "judge": "pass" if k % 2 else "fail"}
        row["human"] = "pass" if (k if differ else prompt) % 3 else "fail"
        if texts:
            row["response"] = f"the words of output {k if texts == 'each' else prompt}"
        made.append(row)
    return pd.DataFrame(made)


@pytest.mark.parametrize("texts", ["", "each"])
@pytest.mark.parametrize("differ", [True, False])
def test_unique_ids_of_rows_are_outputs_of_their_own(differ, texts):
    read = ae.read_results(trials(ids=True, differ=differ, texts=texts))
    assert len(read.items) == 90
    assert read.roles["prompt_id"] == "prompt"


@pytest.mark.parametrize(("ids", "texts"), [(False, ""), (False, "same"), (True, "same")])
def test_labels_that_differ_within_an_id_refute_that_one_output_is_judged_again(ids, texts):
    table = trials(ids=ids, differ=True, texts=texts)
    with pytest.raises(DataError, match="People's labels in 'human' differ within it") as caught:
        ae.rate(table)
    assert {c for q in caught.value.questions for c in q.columns} == {"prompt_id"}
    assert len(ae.read_results(table, trial="rows").items) == 30
    if not ids:
        assert len(ae.read_results(table, prompt="prompt_id").items) == 90
    alike = trials(ids=ids, differ=False, texts=texts)
    assert len(ae.read_results(alike).items) == 30


LEAVES = st.one_of(
    st.sampled_from(["pass", "fail", "", "some words to read", "[1, 2]", "{}", "\u00e9"]),
    *(st.none(), st.booleans(), st.integers(-1, 5), st.floats(-2, 2), st.just(10**20)),
)
NAMED = ("id", "verdict", "parsed", "score", "scores", "score_total", "judge", "human", "model")
NAMES = st.sampled_from([*NAMED, "label", "answer", "response", "status"])
NESTED = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.dictionaries(NAMES, NESTED, min_size=1, max_size=5), min_size=1, max_size=12))
def test_nested_records_end_in_a_table_a_question_or_one_sentence(tmp_path_factory, records):
    path = tmp_path_factory.mktemp("nested") / "t.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in records), encoding="utf-8")
    for read in (ae.read_results, ae.read_votes):
        refusal = None
        try:
            read(path)
        except AlgevalError as error:
            refusal = error
        assert refusal is None or refusal.questions or "\n" not in str(refusal)


@pytest.mark.parametrize("name", ["score", "label", "steps"])
def test_lists_beside_columns_of_longer_names_are_left_out(name, tmp_path, capsys):
    made = [
        {"id": f"q{k}", "verdict": "pass", "parsed": {name: [1, 2], f"{name}_total": k // 2}}
        for k in range(12)
    ]
    path = tmp_path / "c.jsonl"
    path.write_text("\n".join(map(json.dumps, made)))
    assert run(["columns", str(path)]) == 0
    assert "it holds lists or objects" in capsys.readouterr().out
