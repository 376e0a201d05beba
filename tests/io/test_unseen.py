"""Exports and sheets written before the rules were looked at: read rightly, or asked about."""

import numpy as np
import pytest

import algeval as ae
from algeval.errors import DataError
from algeval.io.options import ReadOptions
from algeval.io.sources import read

from .unseen import TABLES, written

ALIKE = (
    {"text", "prompt"},
    {"text", "reason"},
    {"text", "ignored"},
    {"reason", "ignored"},
    {"slice", "ignored"},
    {"covariate", "ignored"},
    {"covariate", "slice"},
    {"time", "ignored"},
)
ASKS = {
    "reason_json": "Who gave column 'verdict'",
    "inspect_table": "answer one question, or several",
    "likert": "From which grade of 'likert \\(Anna\\)' on is an output 'pass'",
    "argilla_csv": "'quality.responses' holds lists of answers",
    "azure": "answer one question, or several",
    "initials": "Who gave columns 'PB', 'KM', 'Agreed outcome': people, or more judges",
    "vertex_pairs": "Who gave column 'rater_choice'",
    "confident_ai": "Is column 'success' a judge",
    "patronus": "Is column 'pass' a judge",
    "humanloop": "Does 'prompt_version' say whose output was judged",
    "surge": "Who gave column 'preferred'",
    "triage": "Who gave column 'Adjuster decision'",
    "radiology": "Who gave column 'biopsy'",
    "csat": "Who gave column 'csat'",
    "majority": "Who gave column 'final_label'",
    "openai_evals": "write a row per sample",
}
OF_TOOLS = {"argilla_flat", "argilla_hub"}
"""Read by a tool's reader, whose columns have names of their own."""


def suits(role, wanted):
    wanted = wanted if isinstance(wanted, list) else [wanted]
    return role in wanted or any({role, each} in ALIKE for each in wanted)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__)
def test_no_column_is_silently_read_as_what_it_is_not(table, tmp_path):
    path, roles, good = written(table, tmp_path)
    if table.__name__ in ASKS:
        with pytest.raises(DataError, match=ASKS[table.__name__]):
            ae.read_results(path)
        return
    results = ae.read_results(path)
    if table.__name__ in OF_TOOLS:
        assert list(results.judged) == ["gpt-4o"]
        assert len(results.human) == 40
    else:
        roles_read = results.roles
        wrong = {
            n: (roles_read[n], each) for n, each in roles.items() if not suits(roles_read[n], each)
        }
        assert wrong == {}
    if good is not None:
        assert (results.good or "").lower() == good.lower()
    reading = read(str(path), ReadOptions(), "data or scores")  # as every command does
    judges = reading.data.judges if reading.results is None else results.judged or results.scored
    assert sorted(judges) == sorted(results.judged or results.scored)


@pytest.mark.parametrize("agreed", [0.95, 0.05, 0.5])
def test_a_yes_that_is_bad_by_its_name_is_turned_where_it_opposes_the_others(agreed):
    rng = np.random.default_rng(3)
    true = rng.random(80) < 0.5
    same = rng.random(80) < agreed
    rows = {
        "id": [f"i{k}" for k in range(80)],
        "gpt4o_correct": ["yes" if t else "no" for t in true],
        "claude_has_error": ["yes" if t == s else "no" for t, s in zip(true, same, strict=True)],
    }
    if agreed == 0.5:
        with pytest.raises(DataError, match="'yes' of 'claude_has_error' mean the same as 'yes'"):
            ae.read_results(rows)
        return
    results = ae.read_results(rows)
    votes = results.votes.codes
    assert (votes[:, 0] == votes[:, 1]).mean() > 0.9
    assert results.good == "yes"
    assert any("turned round" in note for note in results.notes) == (agreed < 0.5)


@pytest.mark.parametrize(
    ("name", "answer", "labels"),
    [
        ("likert", {"same": {"1": "fail", "2": "fail", "3": "fail", "4": "pass", "5": "pass"}}, 2),
        ("initials", {"human": ["PB", "KM", "Agreed outcome"]}, 2),
        ("majority", {"human": "final_label"}, 3),
    ],
)
def test_the_answers_offered_settle_the_question(name, answer, labels, tmp_path):
    table = next(table for table in TABLES if table.__name__ == name)
    path, roles, _ = written(table, tmp_path)
    results = ae.read_results(path, **answer)
    assert len(results.judged) == labels
    assert set(results.said) == {n for n, role in roles.items() if role == "human"}


def test_raters_who_answered_a_part_beside_models_are_asked_about(tmp_path):
    rows = [
        {"id": f"e{k}", "judge": who, "label": ["yes", "no"][(k * step) % 7 % 2]}
        for who, step, n in (("gpt-4o", 1, 40), ("llama-70b", 3, 40), ("t.berg", 5, 15))
        for k in range(n)
    ]
    with pytest.raises(
        DataError, match=r"Are 't\.berg' of 'judge' people, or more judges"
    ) as caught:
        ae.read_results(rows)
    assert [a.partition("=")[0] for a in caught.value.questions[0].answers] == ["human", "judges"]
    assert list(ae.read_results(rows, human="t.berg").judged) == ["gpt-4o", "llama-70b"]
    everyone = ["gpt-4o", "llama-70b", "t.berg"]
    assert list(ae.read_results(rows, judges=everyone).judged) == everyone
    named = [row | {"kind": "HUMAN" if row["judge"] == "t.berg" else "LLM"} for row in rows]
    assert list(ae.read_results(named).said) == ["t.berg"]
    people = [row | {"judge": row["judge"].replace("t.berg", "t@x.org")} for row in rows]
    assert list(ae.read_results(people).said) == ["t@x.org"]


VOTING = {"judge", "human", "score", "system", "rater", "answer"}


def roles_or_questions(frame):
    try:
        return ae.read_results(frame).roles
    except DataError as error:
        if not error.questions:
            raise
        return None


@pytest.mark.parametrize("name", ["helm", "german", "phoenix_spans", "confidence_cols", "toloka"])
def test_changes_of_a_table_change_no_role_in_silence(name):
    table = next(table for table in TABLES if table.__name__ == name)
    frame, roles, _ = table(np.random.default_rng([1, len(name)]))
    rng = np.random.default_rng(2)
    expected = ae.read_results(frame).roles
    voting = {n: role for n, role in expected.items() if role in VOTING}
    assert ae.read_results(frame[rng.permutation(list(frame.columns))]).roles == expected
    shuffled = frame.sample(frac=1, random_state=1).reset_index(drop=True)
    assert ae.read_results(shuffled).roles == expected
    for column in (n for n, role in roles.items() if role in ("human", "judge")):
        got = roles_or_questions(frame.rename(columns={column: "zq"}))
        assert got is None or got["zq"] == expected[column]
    for cells in (rng.choice(["p", "q"], len(frame)), rng.random(len(frame)).round(3)):
        got = roles_or_questions(frame.assign(zx=cells))
        assert got is None or {n: r for n, r in got.items() if r in VOTING} == voting
