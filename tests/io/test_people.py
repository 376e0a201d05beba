"""Who judged is said by names, by what somebody states or by a tool: never by fill or by agreement."""

import random

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import algeval as ae
from algeval.errors import DataError

N = 60
WORDS = [("pass", "fail"), ("yes", "no"), ("1", "0"), ("good", "poor"), ("spam", "ham"), ("A", "B")]
UNNAMED = ["verdict", "zq", "ok", "outcome", "col_7", "second", "status", "third_run", "x", "check"]
PERSONS = ["human_label", "expert_label", "human", "gold", "human_score", "ground_truth"]


def said(rng, truth, right, words):
    """Return what somebody says who is right on a share of the rows."""
    return [words[int(t != (rng.random() < right))] for t in truth]


def on_rows(cells, n):
    return [cell if k < n else None for k, cell in enumerate(cells)]


def roles_of(table, **options):
    """Roles of the columns; "ask" of those a question is about, None where nothing can be read."""
    try:
        return dict(ae.read_results(table, **options).roles)
    except DataError as error:
        if error.reading is None:
            return None
        asked = {name for question in error.questions for name in question.columns}
        return {n: "ask" if n in asked else d.role for n, d in error.reading.decided.items()}


def table_of(rng, words, judges=("gpt4o", "claude")):
    truth = [rng.random() < 0.7 for _ in range(N)]
    rows = {"id": [f"s{k}" for k in range(N)]}
    return truth, rows | {name: said(rng, truth, 0.88, words) for name in judges}


@settings(max_examples=80, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(0, N),
    st.sampled_from(UNNAMED),
    st.sampled_from(WORDS),
    st.sampled_from([0.5, 0.85, 0.97, 1.0]),
)
def test_no_column_becomes_a_persons_by_how_full_it_is_or_whom_it_agrees_with(
    seed, filled, name, words, right
):
    rng = random.Random(seed)
    truth, rows = table_of(rng, words)
    roles = roles_of(rows | {name: on_rows(said(rng, truth, right, words), filled)})
    assert roles is None or "human" not in roles.values()


@pytest.mark.parametrize("share", [0, 10, 25, 40, 50, 60, 70, 75, 80, 90, 100])
@pytest.mark.parametrize("person", [False, True])
def test_one_more_run_of_a_judge_is_no_person_on_any_part_of_the_rows(share, person):
    rng = random.Random(share)
    truth, rows = table_of(rng, ("pass", "fail"))
    rows["rerun"] = on_rows(said(rng, truth, 0.88, ("pass", "fail")), N * share // 100)
    if person:
        rows["human"] = on_rows(said(rng, truth, 0.95, ("pass", "fail")), N // 2)
    assert roles_of(rows).get("rerun") != "human"


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from(PERSONS),
    st.sampled_from(WORDS),
    st.sampled_from(["none", "column", "rows", "part"]),
    st.booleans(),
)
def test_named_votes_are_read_alike_beside_other_columns_and_on_other_rows(
    seed, person, words, change, judged
):
    rng = random.Random(seed)
    judges = ("gpt4o", "claude") if judged else ()
    truth, rows = table_of(rng, words, judges)
    rows[person] = said(rng, truth, 0.95, words)
    if change == "column":
        rows[rng.choice(["condition", "arm_no", "locale", "zone"])] = [
            rng.choice(["base", "cue", "north"]) for _ in range(N)
        ]
    if change in ("rows", "part"):
        order = rng.sample(range(N), N if change == "rows" else 20)
        rows = {name: [cells[k] for k in order] for name, cells in rows.items()}
    roles = roles_of(rows)
    assert roles[person] == "human"
    assert all(roles[judge] == "judge" for judge in judges)
    assert [n for n, role in roles.items() if role == "human"] == [person]


@pytest.mark.parametrize("name", ["target", "expected", "reference", "key", "ideal"])
def test_a_reference_is_no_person(name):
    rng = random.Random(5)
    truth, rows = table_of(rng, ("C", "I"), ("score_match", "score_model_graded_qa"))
    rows[name] = [rng.choice("ABCD") for _ in range(N)]
    assert roles_of(rows)[name] == "text"
    for words in WORDS:
        truth, rows = table_of(rng, words)
        rows[name] = said(rng, truth, 0.97, words)
        assert roles_of(rows)[name] == "ask"
        assert roles_of(rows, human=name)[name] == "human"


@pytest.mark.parametrize("who", ["reviewer", "annotator", "reviewed_by", "worker_id"])
@pytest.mark.parametrize("votes", [("judge_score", "human_score"), ("llm_label", "expert_label")])
def test_who_reviewed_never_outranks_votes_that_are_named(who, votes):
    rng = random.Random(8)
    cells = [(k, system, dim) for k in range(10) for system in "xy" for dim in ("tone", "facts")]
    rows = {
        "id": [f"c{k}{system}{dim}" for k, system, dim in cells],
        "case": [f"c{k}" for k, *_ in cells],
        "model_id": [f"model-{system}" for _, system, _ in cells],
        "dimension": [dim for *_, dim in cells],
        **{vote: [rng.randint(1, 5) for _ in cells] for vote in votes},
        who: [rng.choice(["lee", "kim", "ana"]) for _ in cells],
    }
    for table in (rows, {n: c for n, c in rows.items() if n != "id"}):
        roles = roles_of(table)
        assert roles[who] not in ("rater", "judge", "human")
        assert (roles[votes[0]], roles[votes[1]]) == ("judge", "human")


@pytest.mark.parametrize("stem", ["Rater {}", "Grader {}", "coder_{}", "Evaluator {}", "reader{}"])
@pytest.mark.parametrize("ends", [("I", "II", "III"), ("1", "2", "3"), ("A", "B", "C")])
@pytest.mark.parametrize("judged", [False, True])
def test_numbered_columns_of_one_stem_have_one_role(stem, ends, judged):
    rng = random.Random(2)
    truth, rows = table_of(rng, ("pass", "fail"), ("gpt4o",) if judged else ())
    names = [stem.format(end) for end in ends]
    rows |= {name: said(rng, truth, 0.85, ("pass", "fail")) for name in names}
    assert len({roles_of(rows)[name] for name in names}) == 1


@pytest.mark.parametrize("item", ["task_id", "case_id", "question_id", "pair_id", "id", None])
@pytest.mark.parametrize("won", [("model_a", "model_b", "tie"), ("A", "B", "tie")])
@pytest.mark.parametrize("judge", [None, "judge_model", "judge"])
def test_battles_in_a_file_and_in_memory_are_read_alike(item, won, judge, tmp_path):
    rng = random.Random(4)
    pairs = [rng.sample(["gpt-4", "llama", "mistral"], 2) for _ in range(N)]
    rows = {} if item is None else {item: [f"t{k}" for k in range(N)]}
    rows |= {"use_case": [rng.choice(["mail", "sql", "chat"]) for _ in range(N)]}
    rows |= {f"model_{side}": [pair[k] for pair in pairs] for k, side in enumerate("ab")}
    rows["winner"] = [rng.choice(won) for _ in range(N)]
    if judge:
        rows[judge] = [rng.choice(["gpt-5", "claude-4"]) for _ in range(N)]
    path = tmp_path / "battles.csv"
    pd.DataFrame(rows).to_csv(path, index=False)
    roles = roles_of(rows)
    assert roles == roles_of(path)
    assert [n for n, role in roles.items() if role == "system"] == ["model_a", "model_b"]
    assert roles["winner"] in ("judge", "answer")
