"""Verdicts on systems in columns of one row: asked about, and read as `systems` says."""

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
    (both("01", "Baseline Correct", "Candidate Correct"), "Baseline Candidate", "correct"),
    (both("x", "baseline_score", "candidate_score"), "baseline candidate", "score"),
    (both("text", "output_a", "output_b") | both("pf", "pass_a", "pass_b"), "a b", "pass"),
    (
        both("x", "gpt_score_old", "gpt_score_new") | both("5", "human_old", "human_new"),
        "old new",
        "gpt_score",
    ),
]


@pytest.mark.parametrize(("columns", "systems", "judge"), ARMS)
def test_columns_of_systems_are_asked_about_and_read_as_systems_says(columns, systems, judge):
    with pytest.raises(ae.DataError) as asked:
        ae.read_results(table(columns))
    assert len(asked.value.questions) == 1
    results = ae.read_results(table(columns), systems=systems.split())
    assert results.layout == "systems"
    assert list(results.systems) == systems.split()
    assert list({**results.judged, **results.scored}) == [judge]
    assert (results.n_items, results.n_prompts) == (80, 40)


def test_a_judge_and_a_person_of_each_system_are_proposed_as_systems():
    columns = both("5", "judge_old", "judge_new") | both("5", "human_old", "human_new")
    with pytest.raises(ae.DataError) as asked:
        ae.read_results(table(columns))
    assert asked.value.questions[0].answers[0] == "systems=['old', 'new']"
    results = ae.read_results(table(columns), yes=True)
    assert (results.layout, list(results.systems)) == ("systems", ["old", "new"])


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
    wide = ae.versus(rows, systems=["old", "new"])
    tall = ae.versus(long(rows, grid), judges=["correct"])
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
    results = ae.read_results(rows, human=[*columns], systems=["baseline", "candidate"])
    found = ae.versus(results, target="items")
    share = [sum(row[name] for row in rows) / 50 for name in columns]
    assert found.difference == pytest.approx(share[0] - share[1])
    assert found.n_gold == 50
    assert "BETTER" in found.verdict


def test_the_answers_are_typed_alike(tmp_path, capsys):
    rows = table(both("pf", "pass_v1", "pass_v2"))
    path = tmp_path / "sides.csv"
    lines = [",".join(rows[0]), *(",".join(f'"{c}"' for c in row.values()) for row in rows)]
    path.write_text("\n".join(lines), encoding="utf-8")
    people = ["--human", "pass_v1,pass_v2", "--systems", "v1,v2"]
    assert run(["versus", str(path), *people]) == 0
    assert "v1 - v2 = " in capsys.readouterr().out
    assert run([str(path), "--systems", "v1,v2"]) == 0
    assert "systems v1, v2; 1 judge" in capsys.readouterr().out


@pytest.mark.parametrize(
    "columns",
    [
        both("pf", "llama_judge", "gemini_judge"),
        both("pf", "judge_1", "judge_2", "judge_3"),
        both("pf", "strict_judge", "lenient_judge", "human"),
        both("5", "gpt4_score", "claude_score", "human_score"),
        both("pf", "rater_a", "rater_b"),
    ],
)
def test_judges_stay_judges(columns):
    results = ae.read_results(table(columns))
    assert results.layout == "wide"
    assert not results.systems
    assert len(results.judged) == len([name for name in columns if "human" not in name])


def test_a_label_that_stands_once_beside_two_systems_is_left_out_and_named():
    columns = both("text", "output_v1", "output_v2") | both("pf", "pass_v1", "pass_v2", "human")
    results = ae.read_results(table(columns), systems=["v1", "v2"])
    assert (results.layout, results.reading.unused) == ("systems", ("human",))
    with pytest.raises(ae.DataError, match="must name one of the systems 'v1', 'v2'; got 'human'"):
        ae.read_results(table(columns), systems=["v1", "v2"], human="human")


def test_systems_that_no_column_names_are_refused():
    columns = both("pf", "pass_v1", "pass_v2")
    with pytest.raises(ae.DataError, match="systems= must be words of the names"):
        ae.read_results(table(columns), systems=["v1", "v3"])


def test_people_who_are_named_leave_no_other_column_to_people():
    columns = both("01", "baseline_correct", "candidate_correct", "human")
    results = ae.read_results(table(columns), human=["baseline_correct", "candidate_correct"])
    assert list(results.said) == ["baseline_correct", "candidate_correct"]
    assert results.reading.unused == ("human",)


def test_systems_that_are_named_keep_their_judges_apart():
    columns = both("pf", "gpt4_v1", "gpt4_v2", "claude_v1", "claude_v2")
    results = ae.read_results(table(columns), systems=["v1", "v2"])
    assert list(results.judged) == ["gpt4", "claude"]
