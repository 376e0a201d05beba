"""Verdicts on systems in columns of one row: baseline_correct, pass_v2; or judges, or a question."""

import random

import pytest

import algeval as ae
from algeval.cli.main import run

DRAW = {
    "01": lambda draw: draw.randint(0, 1),
    "pf": lambda draw: draw.choice(["pass", "fail"]),
    "5": lambda draw: draw.randint(1, 5),
    "x": lambda draw: round(draw.random(), 3),
    "text": lambda draw: f"This is what the system put out, number {draw.random():.6f}.",
}


def table(columns, n=40, seed=1):
    """Rows of a question and columns of the kinds above; people answered half of the rows."""
    draw = random.Random(seed)
    rows = []
    for k in range(n):
        row = {"id": k, "question": f"What is {k} plus {k}, please?"}
        for name, kind in columns.items():
            row[name] = None if "human" in name and k >= n // 2 else DRAW[kind](draw)
        rows.append(row)
    return rows


def both(kind, *names):
    return dict.fromkeys(names, kind)


ARMS = [
    (both("01", "baseline_correct", "candidate_correct"), "baseline candidate", "correct"),
    (both("pf", "control_pass", "treatment_pass"), "control treatment", "pass"),
    (both("01", "baseline_is_correct", "candidate_is_correct"), "baseline candidate", "correct"),
    (both("01", "Baseline Correct", "Candidate Correct"), "Baseline Candidate", "Correct"),
    (both("x", "baseline_score", "candidate_score"), "baseline candidate", "score"),
    (
        both("5", "baseline_helpfulness", "candidate_helpfulness"),
        "baseline candidate",
        "helpfulness",
    ),
    (
        both("text", "output_v1", "output_v2") | both("pf", "pass_v1", "pass_v2"),
        "v1 v2",
        "pass",
    ),
    (both("text", "v1_answer", "v2_answer") | both("5", "v1_score", "v2_score"), "v1 v2", "score"),
    (both("text", "output_a", "output_b") | both("pf", "pass_a", "pass_b"), "a b", "pass"),
    (
        both("5", "score_old", "score_new") | both("01", "human_old", "human_new"),
        "old new",
        "score",
    ),
    (
        both("x", "score_old", "score_new") | both("01", "human_old", "human_new"),
        "old new",
        "score",
    ),
    (
        both("x", "gpt_score_old", "gpt_score_new") | both("5", "human_old", "human_new"),
        "old new",
        "gpt_score",
    ),
]


@pytest.mark.parametrize(("columns", "systems", "judge"), ARMS)
def test_verdicts_on_arms_are_a_row_for_each_output(columns, systems, judge):
    results = ae.read_results(table(columns))
    assert results.layout == "systems"
    assert list(results.systems) == systems.split()
    assert list({**results.judged, **results.scored}) == [judge]
    assert results.n_items == 80
    assert results.n_prompts == 40


def test_it_is_said_and_the_options_that_say_otherwise_are_named():
    columns = both("01", "baseline_correct", "candidate_correct")
    notes = " ".join(ae.read_results(table(columns)).votes.cautions)
    assert "a judge's verdicts on the systems baseline, candidate" in notes
    assert "human=['baseline_correct', 'candidate_correct'] if people gave them" in notes
    assert "judges=['baseline_correct', 'candidate_correct'] if they are judges" in notes


def long(rows, columns):
    """The same as a long table: columns are {name: (system, role)}."""
    systems = dict.fromkeys(system for system, _ in columns.values())
    made = []
    for system in systems:
        for row in rows:
            cells = {role: row[name] for name, (s, role) in columns.items() if s == system}
            made.append({"prompt": row["question"], "system": system, **cells})
    return made


def test_answers_are_those_of_the_long_table():
    names = both("01", "correct_old", "correct_new") | both("01", "human_old", "human_new")
    rows = table(names, 60, 5)
    grid = {n: (n.split("_")[1], n.split("_")[0]) for n in names}
    wide, tall = ae.versus(rows), ae.versus(long(rows, grid), judges=["correct"])
    assert (wide.names, wide.difference, wide.low, wide.high) == (
        tall.names,
        tall.difference,
        tall.low,
        tall.high,
    )
    assert wide.n_gold == 30


def test_verdicts_that_people_gave_are_labels_of_both_systems():
    columns = both("01", "baseline_correct", "candidate_correct")
    rows = table(columns, 50, 3)
    found = ae.versus(ae.read_results(rows, human=[*columns]), target="items")
    share = [sum(row[name] for row in rows) / 50 for name in columns]
    assert found.difference == pytest.approx(share[0] - share[1])
    assert found.n_gold == 50
    assert "BETTER" in found.verdict


ASKED = [
    both("01", "old_correct", "new_correct"),
    both("pf", "pass_v1", "pass_v2", "pass_v3"),
    both("5", "score_before", "score_after"),
    both("01", "baseline_correct", "candidate_correct", "human"),
]


@pytest.mark.parametrize("columns", ASKED)
def test_where_versions_may_be_judges_one_question_is_asked(columns):
    names = [name for name in columns if name != "human"]
    with pytest.raises(ae.DataError, match="verdicts on systems side by side, or judges") as asked:
        ae.read_results(table(columns))
    assert len(asked.value.questions) == 1
    systems, people, judges = asked.value.questions[0].answers
    assert systems.startswith("systems=")
    assert people.startswith("human=")
    assert judges == f"judges={names!r}"
    halves = [set(name.split("_")) for name in names]
    arms = [(half - set.intersection(*halves)).pop() for half in halves]
    kept = {name: kind for name, kind in columns.items() if name != "human"}
    by_judge = ae.read_results(table(kept), systems=arms)
    assert list(by_judge.systems) == arms
    assert len({**by_judge.judged, **by_judge.scored}) == 1
    by_people = ae.read_results(table(kept), human=names)
    assert list(by_people.systems) == arms
    assert not by_people.judged
    assert len(by_people.said) == 1
    assert [*ae.read_results(table(kept), judges=names).judged] == names


def test_the_answers_are_typed_alike(tmp_path, capsys):
    rows = table(both("pf", "pass_v1", "pass_v2"))
    path = tmp_path / "sides.csv"
    lines = [",".join(rows[0]), *(",".join(f'"{c}"' for c in row.values()) for row in rows)]
    path.write_text("\n".join(lines), encoding="utf-8")
    assert run([str(path)]) == 2
    refused = capsys.readouterr().err
    assert "--systems v1,v2 or --human pass_v1,pass_v2 (systems, judged by people)" in refused
    assert run(["versus", str(path), "--human", "pass_v1,pass_v2"]) == 0
    assert "v1 - v2 = " in capsys.readouterr().out
    assert run([str(path), "--systems", "v1,v2"]) == 0
    assert "systems v1, v2; 1 judge" in capsys.readouterr().out


@pytest.mark.parametrize(
    "columns",
    [
        both("01", "gpt4_correct", "claude_correct", "human"),
        both("pf", "llama_judge", "gemini_judge"),
        both("pf", "judge_1", "judge_2", "judge_3"),
        both("pf", "strict_judge", "lenient_judge", "human"),
        both("5", "gpt4_score", "claude_score", "human_score"),
        both("01", "correct_gpt4", "correct_claude"),
        both("pf", "rater_a", "rater_b"),
    ],
)
def test_judges_stay_judges(columns):
    results = ae.read_results(table(columns))
    assert results.layout == "wide"
    assert not results.systems
    assert len(results.judged) == len([name for name in columns if "human" not in name])


def test_a_label_that_stands_once_beside_two_systems_is_asked_about():
    columns = both("text", "output_v1", "output_v2") | both("pf", "pass_v1", "pass_v2", "human")
    with pytest.raises(ae.DataError, match="'human' stands once a row, beside verdicts on v1, v2"):
        ae.read_results(table(columns))
    assert ae.read_results(table(columns), ignore="human").layout == "systems"


def test_systems_that_are_named_keep_their_judges_apart():
    columns = both("pf", "gpt4_v1", "gpt4_v2", "claude_v1", "claude_v2")
    results = ae.read_results(table(columns), systems=["v1", "v2"])
    assert list(results.judged) == ["gpt4", "claude"]
