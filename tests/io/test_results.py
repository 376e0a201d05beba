"""Results tables: every column in its role, questions where two readings would change an answer."""

import csv
import json
import re
import shlex

import numpy as np
import openpyxl
import pandas as pd
import pytest

import algeval as ae
from algeval.cli.main import run
from algeval.data.names import folded
from algeval.errors import DataError
from algeval.io.answers import commas_in
from algeval.io.evidence import Evidence, _text, _texts_of, share
from algeval.io.roles import is_majority, recodes
from algeval.io.tables import MemoryTable

from ..conftest import DATA

RESULTS = DATA.parent / "results"
needs_results = pytest.mark.skipif(not RESULTS.exists(), reason="the sample tables are not here")
EXPECTED = {
    folder: json.loads((RESULTS / folder / "expected.json").read_text(encoding="utf-8"))["files"]
    for folder in ("", "independent")
    if (RESULTS / folder / "expected.json").exists()
}
ALIKE = ({"text", "prompt"}, {"text", "reason"}, {"slice", "ignored"})
ASKS_MORE = {"langsmith-experiment-export.csv", "18-filtered.csv"}
"""Two criteria, and a column on a part of the rows whose name says no person: asked about."""
COUNTED_BY_ITEM = {"summeval_coherence_long.csv"}  # 142 verdicts of people, on 48 items


def stated(option):
    """Return the keyword arguments that an option of the command line stands for."""
    words = shlex.split(option.split(" (")[0])
    pairs = zip((w[2:] for w in words[::2]), words[1::2], strict=True)
    return {name: value.split(",") if name == "judges" else value for name, value in pairs}


def alike(role, wanted):
    wanted = wanted if isinstance(wanted, list) else [wanted]
    return any(role == one or any({role, one} <= pair for pair in ALIKE) for one in wanted)


def wrong_roles(results, roles):
    read = dict(zip(results.columns["column"], results.columns["role"], strict=True))
    return {
        name: (read.get(name.strip()), wanted)
        for name, wanted in roles.items()
        if wanted != "ask" and not alike(read.get(name, read.get(name.strip())), wanted)
    }


def files(asking):
    return [
        pytest.param(folder, name, expected, id=name)
        for folder, listed in EXPECTED.items()
        for name, expected in listed.items()
        if bool(expected.get("ask")) == asking
    ]


@needs_results
@pytest.mark.parametrize(("folder", "name", "expected"), files(asking=False))
def test_a_table_is_read_as_its_author_meant_it(folder, name, expected):
    path = RESULTS / folder / name
    if name in ASKS_MORE:
        with pytest.raises(DataError) as caught:
            ae.read_results(path)
        assert caught.value.questions
        return
    results = ae.read_results(path)
    assert wrong_roles(results, expected["roles"]) == {}
    if expected.get("items") is not None:
        assert len(results.items) == expected["items"]
    if name not in COUNTED_BY_ITEM:
        assert len(results.human) == expected["human_labels"]
    assert (results.good or "").lower() == (expected["good"] or "").lower()
    assert sorted(results.systems) == sorted(expected.get("systems", results.systems))
    assert results.n_trials == expected.get("trials", results.n_trials)


@needs_results
@pytest.mark.parametrize(("folder", "name", "expected"), files(asking=True))
def test_what_can_be_read_in_two_ways_is_asked_and_each_answer_settles_it(folder, name, expected):
    path = RESULTS / folder / name
    with pytest.raises(DataError) as caught:
        ae.read_results(path)
    questions = caught.value.questions
    assert questions
    assert all(question.answers for question in questions)
    for after in expected.get("after", ()):
        results = ae.read_results(path, **stated(after["option"]))
        assert wrong_roles(results, expected["roles"] | after["roles"]) == {}
        if "items" in after:
            assert len(results.items) == after["items"]
        if "human_labels" in after:
            assert len(results.human) == after["human_labels"]
        if "good" in after:
            assert results.good == after["good"]


@needs_results
@pytest.mark.parametrize(
    "name", ["01-support.csv", "05-traces.parquet", "12-names.csv", "19-tiers.tsv"]
)
def test_the_order_of_columns_and_rows_changes_no_role(name):
    path = RESULTS / name
    frame = (
        pd.read_parquet(path)
        if name.endswith("parquet")
        else pd.read_csv(path, sep=None, engine="python")
    )
    expected = ae.read_results(frame).roles
    rng = np.random.default_rng(1)
    for _ in range(3):
        names = rng.permutation(list(frame.columns)).tolist()
        assert ae.read_results(frame[names]).roles == expected
    shuffled = ae.read_results(frame.sample(frac=1, random_state=2)).roles
    assert shuffled.pop("index") == "ignored"
    assert shuffled == expected


def support(n=120, seed=3):
    """Two systems on the same prompts, three judges, some human answers."""
    rng = np.random.default_rng(seed)
    good = rng.random(n) < 0.7
    said = {
        judge: np.where((rng.random(n) < right) == good, "pass", "fail")
        for judge, right in (("gpt4o", 0.9), ("claude", 0.85), ("gemini", 0.75))
    }
    human = np.where(good, "pass", "fail").astype(object)
    human[rng.random(n) < 0.6] = None
    return pd.DataFrame(
        {
            "output_id": [f"out_{k:03d}" for k in range(n)],
            "prompt": [f"What is the rule for request number {k // 2}?" for k in range(n)],
            "system": ["v1", "v2"] * (n // 2),
            **said,
            "human": human,
            "tokens": rng.integers(40, 400, n),
        }
    )


def test_roles_of_the_table_everybody_has():
    results = ae.read_results(support())
    assert results.roles == {
        "output_id": "item",
        "prompt": "prompt",
        "system": "system",
        "gpt4o": "judge",
        "claude": "judge",
        "gemini": "judge",
        "human": "human",
        "tokens": "covariate",
    }
    assert results.votes.judges == ("gpt4o", "claude", "gemini")
    assert results.systems == ("v1", "v2")
    assert results.good == "pass"
    assert results.votes.texts[0].name == "prompt"
    assert "2 systems (v1, v2) are taken together" in " ".join(results.votes.cautions)


def test_every_way_to_name_the_human_column_gives_the_same_rate():
    frame = support()
    by_id = dict(zip(frame.output_id, frame.human, strict=True))
    rates = [
        ae.rate(frame),
        ae.rate(frame, human="human"),
        ae.rate(frame, human=frame.human),
        ae.rate(frame, human=frame[["human"]]),
        ae.rate(frame, human=frame[["output_id", "human"]]),
        ae.rate(frame, human=by_id),
        ae.rate(frame.sample(frac=1, random_state=5)),
        ae.rate(frame.set_index("output_id")),
        ae.rate(ae.read_results(frame)),
    ]
    assert len({(r.label, r.rate, r.low, r.high, r.n_gold) for r in rates}) == 1
    assert rates[0].n_gold == frame.human.notna().sum()


def test_systems_of_one_table_are_compared_by_prompt():
    frame = support(n=400)
    frame["human"] = np.where(frame.gpt4o == "pass", "pass", "fail")
    result = ae.compare_systems(frame)
    assert result.names == ("v1", "v2")
    assert result.n_items == 200
    parts = ae.read_results(frame).split("system")
    assert {name: len(part.items) for name, part in parts.items()} == {"v1": 200, "v2": 200}


def test_a_pass_of_a_judge_of_hallucinations_is_asked_about():
    answers = ["yes", "no", "no", "no"] * 10
    frame = {
        "id": list(range(40)),
        "gpt_hallucination": answers,
        "human": [*answers[:12], *[None] * 28],
    }
    with pytest.raises(DataError) as caught:
        ae.rate(frame)
    assert caught.value.questions[0].answers == ("good='no'", "good='yes'")
    assert ae.rate(frame, good="no").label == "no"
    assert ae.aggregate(frame, method="majority").status.ok  # needs no good label


def test_words_that_judges_and_people_do_not_share_are_asked_about_unless_they_go_together():
    frame = {
        "id": [f"q{k}" for k in range(40)],
        "gpt4o": ["pass", "fail"] * 20,
        "human": [1, 0] * 20,
    }
    results = ae.read_results(frame)
    assert (results.votes.key == results.votes.codes[:, 0]).all()
    assert any("human says '1': taken for 'pass'" in note for note in results.notes)
    frame["human"] = [0, 1] * 20
    with pytest.raises(DataError) as caught:
        ae.read_results(frame)
    both = ["same={'0': 'pass', '1': 'fail'}", "same={'0': 'fail', '1': 'pass'}"]
    assert list(caught.value.questions[0].answers[:2]) == both  # the likelier first
    frame["human"] = [1, 0] * 20
    votes = ae.read_results(frame, same={"1": "pass", "0": "fail"}).votes
    assert (votes.key == votes.codes[:, 0]).all()


def test_roles_are_saved_and_given_again(tmp_path, capsys):
    path, roles = tmp_path / "results.csv", tmp_path / "roles.toml"
    support().to_csv(path, index=False)
    assert run(["columns", str(path), "--save", str(roles)]) == 0
    out = capsys.readouterr().out
    assert "gpt4o" in out
    assert "the name says a model" in out
    again = ae.read_results(path, columns=str(roles))
    assert again.roles == ae.read_results(path).roles
    roles.write_text(roles.read_text().replace('"gemini" = "judge"', '"gemini" = "ignored"'))
    assert ae.read_results(path, columns=str(roles)).votes.judges == ("gpt4o", "claude")
    assert run(["rate", str(path), "--columns", str(roles)]) in (0, 1)


def test_a_file_alone_is_reported_on_and_the_answer_comes_first(tmp_path, capsys):
    path = tmp_path / "results.csv"
    support().to_csv(path, index=False)
    assert run([str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 40
    first = next(k for k, line in enumerate(lines) if line.startswith("'pass' rate of v1"))
    assert lines[first + 1].startswith("'pass' rate of v2")
    assert first < next(k for k, line in enumerate(lines) if "votes alone prove it" in line)
    assert any("passes what people fail" in line for line in lines)
    assert not any("if errors shared" in line for line in lines)  # what the labels may refute


def test_decimal_commas_are_numbers_in_a_frame_too_and_thousands_are_not():
    rng = np.random.default_rng(0)
    trait = rng.normal(size=60)
    columns = {
        j: np.round(5 + trait + rng.normal(size=60) / 2, 1) for j in ("gpt4o_score", "claude_score")
    }
    frame = pd.DataFrame(
        {name: [str(x).replace(".", ",") for x in v] for name, v in columns.items()}
    )
    results = ae.read_results(frame.assign(expert=np.round(5 + trait).astype(int)))
    assert results.roles == {"gpt4o_score": "score", "claude_score": "score", "expert": "human"}
    assert results.scores.values[0, 0] == columns["gpt4o_score"][0]
    thousands = pd.DataFrame({"gpt4o": ["pass", "fail"] * 20, "cost": ["1,234", "2,345"] * 20})
    assert "score" not in ae.read_results(thousands).roles.values()


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["0,892", "0,5", "1"], "decimal"),
        (["4,5", "3,5", "4"], "decimal"),
        (["1,0", "2,5", "-0,5"], "decimal"),
        (["1.234,5", "12,0", "1.234"], "decimal"),  # and points set off thousands
        (["3.5", "4,5"], "decimal"),  # a sheet with numbers beside texts
        (["1,234", "2,105", "2"], "either"),
        (["1,234", "523"], "thousand"),
        (["1,234,567", "2,105"], "thousand"),
        (["1,234.5", "2,105"], "thousand"),
        (["1,2", "1,3", "2"], "list"),
        (["1,2,3", "2"], ""),
        (["4,5", "good"], ""),
        (["45", "4.5"], ""),
    ],
)
def test_what_commas_in_numbers_are_is_seen_in_the_whole_column(cells, kind):
    assert commas_in(cells) == kind


@pytest.mark.parametrize("how", ["quotes", "semicolons", "sheet"])
def test_scores_with_decimal_commas_are_read_and_it_is_said(tmp_path, capsys, how):
    rng = np.random.default_rng(2)
    good = rng.random(80) < 0.7
    values = np.round(np.clip(rng.normal(0.4 + 0.3 * good, 0.15), 0, 1), 3)
    rows = [("frage_id", "score_gpt4o", "human")]
    for k in range(80):
        person = ("pass" if good[k] else "fail") if k % 2 else ""
        rows.append((f"q{k}", f"{values[k]:.3f}".replace(".", ",") if k else "n/a", person))
    path = tmp_path / ("scores.xlsx" if how == "sheet" else "scores.csv")
    if how == "sheet":
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append(row)
        book.save(path)
    else:
        with path.open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream, delimiter=";" if how == "semicolons" else ",").writerows(rows)
    scores = ae.read_scores(path)
    assert np.array_equal(scores.values[1:, 0], values[1:])
    assert np.isnan(scores.values[0, 0])
    assert run([str(path)]) == 0
    said = capsys.readouterr().out
    assert "decimal commas in 'score_gpt4o': 4,5 is read as 4.5" in said
    assert "'pass' rate" in said
    cut = ae.read_votes(path, judges=["score_gpt4o"], cut=0.5)
    assert (cut.codes[1:, 0] == (values[1:] >= 0.5)).all()


def test_numbers_whose_comma_may_be_two_things_are_taken_as_the_table_says():
    rng = np.random.default_rng(0)
    verdicts = list(rng.choice(["pass", "fail"], 40))
    reward = [f"{rng.integers(1, 9)},{rng.integers(0, 999):03d}" for _ in verdicts]
    frame = pd.DataFrame({"gpt4o": verdicts, "reward": reward})
    results = ae.read_results(frame)
    assert results.scores.values[0, 0] == float(reward[0].replace(",", ""))
    assert any("'reward': 1,234 is taken for 1234" in note for note in results.notes)
    frame["claude_score"] = [f"{rng.integers(0, 9)},{rng.integers(10, 99)}" for _ in verdicts]
    results = ae.read_results(frame)
    assert results.scores.values[0, 0] == float(reward[0].replace(",", "."))
    assert any("'reward': 1,234 is taken for 1.234" in note for note in results.notes)


def test_ids_with_commas_stay_as_they_are_written_and_labels_with_commas_meet_theirs():
    grades = ["1,5", "2,5", "3,0", "2,0", "1,0", "3,5"] * 5
    frame = pd.DataFrame(
        {"id": [f"{k},000" for k in range(1, 31)], "gpt4o": grades, "claude": grades}
    )
    labels = {"1,000": "1,5", "2,000": "3,0"}
    results = ae.read_results(frame, human=labels)
    assert results.items[:2] == ("1,000", "2,000")
    assert results.human == {"1,000": "1.5", "2,000": "3"}


def test_a_judge_under_an_unknown_name_who_shares_labels_is_never_taken_for_a_group():
    frame = support().rename(columns={"gemini": "zq"}).drop(columns="human")
    rng = np.random.default_rng(1)
    frame["zq"] = rng.choice(["pass", "fail"], len(frame))
    with pytest.raises(DataError) as caught:
        ae.read_results(frame)
    assert [question.columns for question in caught.value.questions] == [("zq",)]


def test_one_role_a_column_and_near_names_are_offered():
    with pytest.raises(DataError, match="one role; got 'gpt4o'"):
        ae.read_results(support(), judges=["gpt4o"], slice="gpt4o")
    with pytest.raises(DataError, match="did you mean 'human'"):
        ae.read_results(support(), human="humann")
    with pytest.raises(DataError, match="none matches"):
        ae.read_results(support(), human={"elsewhere": "pass"})


# --- Crowds beside a model, words that differ between judges, and what else a second author's tables had.


def crowd(n=60, **more):
    """A long table: three workers an item, and a model's label repeated on each of its rows."""
    draw, rows = np.random.default_rng(3), []
    for k in range(n):
        truth = draw.choice(["none", "spam", "hate"], p=[0.6, 0.25, 0.15])
        model = truth if draw.random() < 0.8 else "none"
        for worker in draw.choice(12, 3, replace=False):
            said = truth if draw.random() < 0.9 else "spam"
            row = {
                "task": f"t{k}",
                "worker_id": f"w{worker}",
                "violates?": said,
                "prediction": model,
            }
            rows.append(row | {name: make(k) for name, make in more.items()})
    return {name: [row[name] for row in rows] for name in rows[0]}


def test_workers_beside_a_model_are_people():
    results = ae.read_results(crowd())
    assert results.roles == {
        "task": "item",
        "worker_id": "rater",
        "violates?": "answer",
        "prediction": "judge",
    }
    assert list(results.judged) == ["prediction"]
    assert len(results.human) == 60
    assert results.votes.labels == ("hate", "none", "spam")
    assert any("12 people" in note for note in results.notes)


def test_a_sparse_gold_answer_is_not_what_workers_said():
    table = crowd(**{"Gold answer": lambda k: "spam" if k % 10 == 0 else None})
    results = ae.read_results(table)
    assert results.roles["violates?"] == "answer"
    assert results.roles["Gold answer"] == "human"
    assert results.human["t10"] == "spam"


def test_raters_who_may_be_models_are_asked_about():
    table = crowd()
    table["rater"] = table.pop("worker_id")
    with pytest.raises(DataError, match="whose answers are the truth") as caught:
        ae.read_results(table)
    (question,) = caught.value.questions
    assert question.columns == ("rater",)
    assert ae.read_results(table, human="rater").said
    without = ae.read_results(table, ignore="prediction")
    assert len(without.judged) == 12
    assert not without.human


def test_a_crowd_without_a_model_votes_as_before():
    table = {name: cells for name, cells in crowd().items() if name != "prediction"}
    table["label"] = table.pop("violates?")
    assert len(ae.read_votes(table).judges) == 12


def two_words(agrees):
    draw = np.random.default_rng(5)
    truth = draw.random(80) < 0.7
    wrong = {name: draw.random(80) < 0.15 for name in ("gpt4o", "claude", "gemini")}
    good = {name: truth != wrong[name] for name in wrong}
    return {
        "id": [f"q{k}" for k in range(80)],
        "gpt4o": ["pass" if x else "fail" for x in good["gpt4o"]],
        "claude": ["pass" if x else "fail" for x in good["claude"]],
        "gemini": [int(x == agrees) for x in good["gemini"]],
    }


def test_a_judge_who_says_1_and_0_passes_and_fails():
    results = ae.read_results(two_words(True))
    assert results.votes.labels == ("fail", "pass")
    assert results.good == "pass"
    table = two_words(True)
    plain = dict(table, gemini=["pass" if x else "fail" for x in table["gemini"]])
    assert np.array_equal(results.votes.codes, ae.read_votes(plain).codes)
    assert any("gemini says '1' and '0'" in note for note in results.notes)
    assert np.array_equal(ae.read_votes(table).codes, results.votes.codes)


def test_a_judge_whose_1_goes_with_fail_is_asked_about():
    with pytest.raises(DataError) as caught:
        ae.read_results(two_words(False))
    (question,) = caught.value.questions
    assert question.columns == ("gemini",)
    same = ae.read_results(two_words(False), same={"0": "pass", "1": "fail"})
    assert np.array_equal(same.votes.codes, ae.read_results(two_words(True)).votes.codes)


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("QA verdict", "human"),
        ("Note Prüfer", "human"),
        ("user_thumbs", "human"),
        ("revisión", "human"),
    ],
)
def test_people_by_other_names(name, role):
    table = {"id": list("abcdefgh"), "gpt4o": ["pass", "fail"] * 4}
    table[name] = ["pass", "fail", "pass", "pass", None, None, None, None]
    table["QA reviewer"] = ["Ann", "Bo", "Ann", "Cy", None, None, None, None]
    assert ae.read_results(table).roles[name] == role


def test_lists_of_answers_are_asked_about():
    table = {"id": list("abcdefgh"), "gpt4o": [1, 2, 3, 4] * 2}
    table["responses"] = ["[1, 2]", "[2, 2]", "[3]", "[4, 3]"] * 2
    with pytest.raises(DataError, match="lists of answers") as caught:
        ae.read_results(table)
    assert ae.read_results(table, ignore="responses").roles["responses"] == "ignored"
    assert caught.value.questions[0].columns == ("responses",)


def test_what_was_done_is_no_verdict():
    table = {"id": list("abcdefgh"), "gpt4o": ["yes", "no"] * 4, "human": ["yes", "no"] * 4}
    table["human_reviewed"] = ["yes", "yes", "no", "no"] * 2
    assert ae.read_results(table).roles["human_reviewed"] == "slice"


def test_references_are_texts_and_no_answers():
    table = {"id": list("abcdefgh"), "score_match": ["C", "I"] * 4, "score_graded": ["C", "C"] * 4}
    table["target"] = [84, 7, 12, 3, 9, 8, 1, 2]
    results = ae.read_results(table)
    assert results.roles["target"] == "text"
    assert results.good == "C"


# --- a third round of tables that were written before anybody looked at the rules


def _drawn(n=60, seed=3):
    """Verdicts of two judges, and of a person on every third row."""
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < 0.7
    said = [np.where(truth ^ (rng.random(n) < p), "pass", "fail").tolist() for p in (0.1, 0.2)]
    person = [("pass" if t else "fail") if k % 3 == 0 else None for k, t in enumerate(truth)]
    return said[0], said[1], person


def test_a_column_of_systems_leaves_no_systems_side_by_side():
    a, b, person = _drawn()
    table = {"uid": [f"u{k}" for k in range(60)], "system": ["x", "y"] * 30}
    table |= {"judge_ax": a, "judge_bx": b, "judge_cx": b[::-1], "human": person}
    results = ae.read_results(table)
    assert results.systems == ("x", "y")
    assert list(results.judged) == ["judge_ax", "judge_bx", "judge_cx"]
    assert list(results.said) == ["human"]


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("vérité terrain", "human"),
        ("annotations.rating", "ask"),
        ("rater_JM", "ask"),
        ("GOLDEN:result", "human"),
        ("Auto QA", "judge"),
    ],
)
def test_more_people_and_machines_by_name(name, role):
    a, b, person = _drawn()
    table = {"id": [f"q{k}" for k in range(60)], "gpt4o": a, "claude": b}
    table[name] = b[::-1] if role == "judge" else person
    if role != "ask":
        assert ae.read_results(table).roles[name] == role
        return
    with pytest.raises(DataError, match=f"Who gave column '{name}'"):
        ae.read_results(table)


def test_sparse_verdicts_beside_plain_judges_are_asked_about():
    a, b, person = _drawn()
    table = {"id": [f"q{k}" for k in range(60)], "j1": a, "j2": b, "zq": person}
    with pytest.raises(DataError, match="Who gave column 'zq'") as caught:
        ae.read_results(table)
    assert "human='zq'" in caught.value.questions[0].answers


def test_sparse_numbers_beside_scores_are_asked_about():
    rng = np.random.default_rng(0)
    trait = rng.normal(70, 10, 60)
    table = {"id": [f"q{k}" for k in range(60)]}
    table |= {"XCOMET": (trait + rng.normal(0, 3, 60)).round(2).tolist()}
    table["da_score"] = [round(t, 1) if k % 2 else None for k, t in enumerate(trait)]
    with pytest.raises(DataError, match="Who gave column 'da_score'"):
        ae.read_results(table)
    assert ae.read_results(table, human="da_score").roles["XCOMET"] == "score"


def test_grades_of_several_criteria_are_no_judges_of_one_question():
    a, b, _ = _drawn()
    table = {"item.id": [f"q{k}" for k in range(60)]}
    table |= {"grades.correctness.passed": a, "grades.style.passed": b}
    table["item.expected_answer"] = ["Paris", "42", "blue"] * 20
    with pytest.raises(DataError, match="answer one question, or several") as caught:
        ae.read_results(table)
    assert caught.value.reading.decided["item.expected_answer"].role == "text"
    assert ae.read_results(table, judges=["grades.style.passed"]).roles["item.id"] == "item"


def test_labels_and_their_numbers_are_one_verdict():
    a, b, _ = _drawn()
    b = ["factual" if x == "pass" else "hallucinated" for x in b]
    table = {"span_id": [f"q{k}" for k in range(60)]}
    table |= {"eval.Made up.label": b}
    table["eval.Made up.score"] = [int(x == "hallucinated") for x in b]
    table |= {"eval.Right.label": a, "eval.Right.score": [int(x == "pass") for x in a]}
    table["name"] = ["llm"] * 60
    with pytest.raises(DataError, match="one question, or several") as caught:
        ae.read_results(table)
    roles = {name: d.role for name, d in caught.value.reading.decided.items()}
    assert roles["eval.Made up.score"] == roles["eval.Right.score"] == roles["name"] == "ignored"
    assert roles["span_id"] == "item"


def test_a_column_that_differs_within_each_id_may_say_who_judged():
    rng = np.random.default_rng(1)
    rows = []
    for k in range(40):
        for name in ("gpt4o-correct", "haiku-correct", "human-correct")[: 2 + (k % 3 == 0)]:
            rows.append({"id": f"s{len(rows)}", "traceId": f"t{k}", "name": name})
            rows[-1]["value"] = int(rng.random() < 0.7)
    with pytest.raises(DataError, match="whose output was judged, or who judged it") as caught:
        ae.read_results(rows)
    assert any(a.startswith("judge='name'") for a in caught.value.questions[0].answers)
    results = ae.read_results(rows, judge="name")
    assert list(results.judged) == ["gpt4o-correct", "haiku-correct"]
    assert (list(results.said), results.n_items) == (["human-correct"], 40)


def test_a_crowd_whose_columns_have_parts():
    rng = np.random.default_rng(2)
    rows = []
    for k in range(30):
        for worker in rng.permutation(8)[:3]:
            row = {"INPUT:image": f"https://x.org/{k}.jpg", "OUTPUT:result": rng.choice(["a", "b"])}
            row |= {"GOLDEN:result": "a" if k < 6 else None, "ASSIGNMENT:worker_id": f"w{worker}"}
            rows.append(row | {"ASSIGNMENT:assignment_id": f"as{k}-{worker}"})
    results = ae.read_results(rows)
    assert results.reading.item == ("INPUT:image",)
    assert list(results.said) == ["GOLDEN:result"]
    assert len(results.human) == 6


def test_app_id_names_systems_and_a_score_with_a_mark_is_no_text():
    a, b, _ = _drawn()
    table = {"record_id": [f"q{k}" for k in range(60)], "app_id": ["v1", "v2"] * 30}
    table |= {"gpt4o": a, "claude": b, "sure": [f"{k}%" for k in range(60)]}
    results = ae.read_results(table)
    assert results.systems == ("v1", "v2")
    assert results.roles["sure"] in ("score", "covariate")


def test_answers_to_questions_can_be_pasted_into_python():
    a, b, _ = _drawn()
    table = {"id": [f"q{k}" for k in range(60)], "accuracy": a, "tone": b}
    with pytest.raises(DataError) as caught:
        ae.read_results(table)
    for answer in caught.value.questions[0].answers:
        pasted = answer.removesuffix(" (one question)").removesuffix(" (judges of one question)")
        assert eval(f"ae.read_results(table, {pasted})").judged
    words = {"id": table["id"], "gpt4o": a, "human": [0 if x == "pass" else 1 for x in a]}
    with pytest.raises(DataError) as caught:
        ae.read_results(words)
    assert eval(f"ae.read_results(words, {caught.value.questions[0].answers[0]})").good == "pass"


def test_a_japanese_sheet_of_a_spreadsheet(tmp_path):
    a, b, person = _drawn()
    words = {"pass": "合格", "fail": "不合格", None: ""}
    rows = ["番号,質問,回答,GPT-4判定,Claude判定,人手評価"]
    for k in range(60):
        cells = [words[x] for x in (a[k], b[k], person[k])]
        rows.append(",".join([str(k + 1), f"これは質問です {k}", f"回答の文章 {7 * k}", *cells]))
    path = tmp_path / "hyouka.csv"
    path.write_bytes("\n".join(rows).encode("cp932"))
    results = ae.read_results(path)
    assert results.reading.item == ("番号",)
    assert list(results.judged) == ["GPT-4判定", "Claude判定"]
    assert (list(results.said), results.good) == (["人手評価"], "合格")


def test_a_column_of_metrics_may_say_who_judged(tmp_path):
    rng = np.random.default_rng(4)
    rows = ["test_case,metric,score,threshold,success"]
    for k in range(40):
        for metric in ("Answer Relevancy", "Faithfulness"):
            x = rng.random()
            rows.append(f"tc_{k},{metric},{x:.2f},0.5,{x > 0.5}")
    path = tmp_path / "deepeval.csv"
    path.write_text("\n".join(rows))
    for read in (ae.read_results, ae.report):  # which reads plain tables of votes, too
        with pytest.raises(DataError, match="or who judged it") as caught:
            read(path)
        assert any(a.startswith("judge='metric'") for a in caught.value.questions[0].answers)
    assert ae.read_results(path, judge="metric", answer="success").n_items == 40


def test_turns_of_a_conversation_are_outputs():
    rng = np.random.default_rng(5)
    rows = [
        {"question_id": q, "model": m, "judge": "gpt-4", "turn": t, "score": rng.integers(1, 11)}
        for q in range(81, 101)
        for m in ("gpt-4", "llama")
        for t in (1, 2)
    ]
    results = ae.read_results(rows)
    assert results.reading.item == ("question_id", "model", "turn")
    assert (results.roles["question_id"], results.roles["judge"]) == ("prompt", "ignored")
    assert (results.systems, results.n_items) == (("gpt-4", "llama"), 80)


def test_the_model_behind_a_path_is_a_system():
    a, b, _ = _drawn()
    table = {"instance_id": [f"q{k // 2}" for k in range(60)], "gpt4o": a, "claude": b}
    table["model_name_or_path"] = ["x", "y"] * 30
    assert ae.read_results(table).systems == ("x", "y")


def test_labels_of_several_people_in_a_file_of_their_own(tmp_path, capsys):
    a, b, _ = _drawn()
    rows = [
        "output_id,system,gpt4o,claude",
        *(f"o{k},{'xy'[k % 2]},{a[k]},{b[k]}" for k in range(60)),
    ]
    (tmp_path / "votes.csv").write_text("\n".join(rows))
    people = ["output_id,annotator,label"]
    people += [f"o{k},{who},{x}" for k in range(20) for who, x in (("ann", "pass"), ("bo", a[k]))]
    (tmp_path / "people.csv").write_text("\n".join(people))
    paths = [str(tmp_path / "votes.csv"), "--human", str(tmp_path / "people.csv")]
    assert run(["report", *paths]) == 0
    n = sum(a[k] == "pass" for k in range(20))  # the others are ties
    screen = capsys.readouterr().out
    assert f"{n} human answers" in screen
    assert run(["judges", *paths]) in (0, 1)


def test_texts_of_a_plain_table_are_no_columns_left_out(tmp_path):
    a, b, _ = _drawn()
    table = {
        "id": [f"q{k}" for k in range(60)],
        "prompt": [f"why is it {k} of them?" for k in range(60)],
    }
    votes = ae.read_votes(table | {"gpt4o": a, "claude": b})
    assert not any("left out" in note for note in votes.notes)


@pytest.mark.parametrize("heading", ['"a\nb",j1,j2', '0,j1,"a\nb"', '"a\n\nb",j1,j2'])
def test_a_heading_of_several_lines_is_read(tmp_path, heading):
    path = tmp_path / "votes.csv"
    path.write_text(heading + "\n" + "pass,fail,pass\nfail,fail,pass\n" * 4, encoding="utf-8")
    assert ae.read_votes(path).n_items == 8


def evidence(name, cells):
    return Evidence.of(MemoryTable({name: cells}), name)


@pytest.mark.parametrize("last", ["pass", "PASS.", "  fail", "none"])
def test_one_label_among_many_texts_is_shared_with_a_judge(last):
    """Of a column of many texts no list of labels is kept; what it has in common is the same."""
    judge = evidence("judge", ["pass", "fail"] * 200)
    texts = [f"item {k}" for k in range(399)]
    assert not share(evidence("text", [*texts, "other"]), judge)
    found = evidence("text", [*texts, last])
    assert found.many
    assert not found.verdict_like
    assert not found.binary
    assert not found.numeric
    assert share(found, judge) is share(judge, found) is (last != "none")
    assert bool({"pass", "fail"} & set(found.labels)) is (last != "none")
    numbers = evidence("length", [str(k) for k in range(400)])
    assert numbers.many
    assert numbers.numeric
    assert numbers.is_score


def test_a_column_computed_from_the_others_is_left_out_however_late_it_differs():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (5000, 3))
    most = (codes.sum(1) > 1).astype(int)
    other = most.copy()
    other[-1] = 1 - other[-1]
    words = np.array(["fail", "pass"])
    judges = [evidence(f"j{k}", words[codes[:, k]].tolist()) for k in range(3)]
    assert is_majority(evidence("m", words[most].tolist()), judges)
    assert not is_majority(evidence("m", words[other].tolist()), judges)
    assert not is_majority(judges[0], [judges[1], judges[2], judges[1]])
    assert recodes(judges[0], evidence("c", (1 - codes[:, 0]).astype(str).tolist()))
    late = (1 - codes[:, 0]).astype(str)
    late[-1] = str(codes[-1, 0])
    assert not recodes(judges[0], evidence("c", late.tolist()))


# ---- answers to questions


def offered(path, words, capsys):
    """Return the answers that are offered after some options were typed, and what refuses these."""
    code = run(["columns", str(path), "--json", *words])
    said = capsys.readouterr()
    if code:
        return [], said.err
    questions = json.loads(said.out)["questions"]
    return [answer for question in questions for answer in question["answers"]], ""


def refused(path, capsys, words=(), depth=4, seen=None):
    """Yield every way in which answers that were offered, up to four after each other, are refused."""
    seen = set() if seen is None else seen
    if frozenset(words) in seen:
        return
    seen.add(frozenset(words))
    answers, complaint = offered(path, words, capsys)
    if complaint:
        yield words, complaint
    for answer in answers if depth else ():
        typed = shlex.split(re.sub(r" \([^()]*\)$", "", answer))
        yield from refused(path, capsys, (*words, *typed), depth - 1, seen)


def asking_tables():
    """Return tables that ask: whose columns are, what is good, what people say, on which scale."""
    rng = np.random.default_rng(3)
    frame = support()
    n = len(frame)
    words = rng.choice(["pass", "fail"], n)
    yield frame.rename(columns={"human": "verdict", "gemini": "zq"})
    yield frame.assign(outcome=words, resolved=rng.choice(["pass", "fail"], n))
    yield frame.assign(reviewer_score=rng.integers(0, 100, n), verdict=words, final=words[::-1])
    numbers = {"auto.tone": rng.integers(1, 6, n), "expert_mark": rng.integers(1, 10, n)}
    yield frame.drop(columns="human").assign(**numbers, checked=rng.choice(["yes", "no"], n))
    yield frame.drop(columns=["human", "gemini"]).assign(
        build=np.tile(["v1", "v2"], n)[:n],
        score=rng.integers(1, 6, n),
        thumbs=rng.integers(0, 2, n),
    )


@pytest.mark.parametrize("number", range(5))
def test_every_answer_that_is_offered_is_taken_whatever_was_answered_before(
    tmp_path, capsys, number
):
    path = tmp_path / "table.csv"
    list(asking_tables())[number].to_csv(path, index=False)
    assert list(refused(path, capsys)) == []


@needs_results
def test_every_answer_offered_for_the_samples_is_taken(capsys):
    for folder, listed in EXPECTED.items():
        for name, expected in listed.items():
            if expected.get("ask"):
                assert list(refused(RESULTS / folder / name, capsys)) == []


def test_options_typed_again_add_up_and_what_is_ignored_has_no_other_role(tmp_path, capsys):
    path = tmp_path / "table.csv"
    groups = {"grp": list("abcd" * 30), "kind": list("xyz" * 40)}
    support().assign(**groups).to_csv(path, index=False)
    words = ["--slice", "grp", "--slice", "kind", "--judges", "gpt4o,claude", "--ignore", "claude"]
    assert run(["columns", str(path), "--json", *words]) == 0
    columns = json.loads(capsys.readouterr().out)["columns"]
    roles = {row["column"]: row["role"] for row in columns}
    assert (roles["grp"], roles["kind"]) == ("slice", "slice")
    assert (roles["gpt4o"], roles["claude"]) == ("judge", "ignored")
    results = ae.read_results(support(), human=["human", "gemini"], ignore="gemini")
    assert list(results.said) == ["human"]


def test_people_on_a_scale_that_no_judge_gives_are_asked_about():
    rng = np.random.default_rng(3)
    frame = support().assign(human=rng.integers(0, 100, 120))
    with pytest.raises(DataError, match="are no labels of the judges") as caught:
        ae.read_results(frame, human="human", judges=["gpt4o", "claude", "gemini"])
    assert caught.value.questions[0].answers == ("ignore='human'",)
    assert ae.read_results(frame, human="human", ignore="human").human == {}


SPELLED = [
    "pass",
    " Pass. ",
    "PASS",
    "✔",
    "❌ no",
    "NaN",
    "n/a",
    "nat",
    "NAT ",
    "-",
    "-- x",
    "#N/A",
    "<NA>",
]
SPELLED += [
    "1.0",
    "1.50",
    "none",
    "None",
    "Straße",
    "ß",
    "ŠŠ",
    "",
    " ",
    "-1.0",
    "ok!",
    "\ufe0fpass",
    "no",
]


def test_texts_of_cells_are_those_of_each_cell():
    assert _texts_of(SPELLED) == [_text(value) for value in SPELLED]
    mixed = [*SPELLED, 1, 2.0, None, True]
    assert _texts_of(mixed) == [_text(value) for value in mixed]


@pytest.mark.parametrize("word", SPELLED)
def test_whether_a_column_of_many_texts_shares_a_label_is_seen_without_folding_all(word):
    texts = [f"text {k}" for k in range(300)]
    column = Evidence.of(MemoryTable({"x": [*texts, word]}), "x")
    for other in SPELLED:
        form = folded(other)
        wanted = frozenset({form}) - column.absent
        assert column.shares_any(frozenset({form})) == any(
            folded(t) in wanted for t in column.texts
        )


# --- A file of columns holds all that reading was told.


def long_table():
    rng = np.random.default_rng(5)
    return [
        {"conversation": f"c{k}", "system": ("m1", "m2")[k % 2], "rater": who, "verdict": said}
        for k in range(40)
        for who in ("claude", "gpt", "human_anna")
        for said in ["yes" if rng.random() < 0.6 else "no"]
    ]


def pairs_table():
    names = ("alpha", "beta", "gamma")
    return [
        {
            "question": f"q{k}",
            "left": names[k % 3],
            "right": names[(k + 1) % 3],
            "j_sonnet": ("left", "right", "tie")[k % 3 if k % 5 else 2],
            "j_phi": ("left", "right")[k % 2],
            "lena": ("left" if k % 3 else "right") if k < 25 else None,
        }
        for k in range(60)
    ]


def scores_table(two_scales=True):
    rng = np.random.default_rng(2)
    trait = rng.normal(size=60)
    top = 10 if two_scales else 5
    grade = np.clip(np.rint(top / 2 + 0.5 + trait * top / 5), 1, top).astype(int)
    person = np.clip(np.rint(3 + trait), 1, 5).astype(object)
    person[30:] = None
    return {"id": [f"x{k}" for k in range(60)], "gpt4o_judge": grade, "human": person}


SAVED = {
    "wide": (support, {}),
    "wide, told": (
        support,
        {"same": {"pass": "ok", "fail": "bad"}, "good": "ok", "ignore": ["gemini"]},
    ),
    "long": (long_table, {}),
    "long, some judges": (long_table, {"judges": ["claude"], "human": ["human_anna"]}),
    "pairs": (pairs_table, {}),
    "pairs, told": (pairs_table, {"human": ["lena"], "judges": ["j_sonnet", "j_phi"]}),
    "scores": (scores_table, {}),
    "scores, cut": (scores_table, {"cut": {"judges": 7.0, "human": 4.0}}),
    "scores, one cut": (lambda: scores_table(False), {"cut": 4.0}),
}


def check_alike(first, second):
    kept = ("roles", "layout", "items", "human", "systems", "good", "judged", "scored", "said")
    for name in kept:
        assert str(getattr(first, name)) == str(getattr(second, name))
    if first.judged:
        assert first.votes.judges == second.votes.judges
        assert (first.votes.codes == second.votes.codes).all()


@pytest.mark.parametrize("shape", SAVED)
@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".xlsx"])
def test_what_was_saved_reads_the_same(shape, ending, tmp_path, capsys):
    make, words = SAVED[shape]
    path, roles = tmp_path / f"t{ending}", tmp_path / "roles.toml"
    frame = pd.DataFrame(make())
    if ending == ".csv":
        frame.to_csv(path, index=False)
    elif ending == ".jsonl":
        frame.to_json(path, orient="records", lines=True)
    else:
        with pd.ExcelWriter(path) as writer:
            frame.to_excel(writer, sheet_name="votes", index=False)
            pd.DataFrame({"note": ["about"]}).to_excel(writer, sheet_name="notes", index=False)
        words = words | {"table": "votes"}
    typed = [word for name, value in words.items() for word in (f"--{name}", spelled(value))]
    assert run(["columns", str(path), *typed, "--save", str(roles)]) == 0
    plain = ae.read_results(path, **words)
    check_alike(ae.read_results(path, columns=str(roles)), plain)
    capsys.readouterr()
    assert (
        run(["columns", str(path), "--columns", str(roles), "--save", str(tmp_path / "b.toml")])
        == 0
    )
    assert (tmp_path / "b.toml").read_text() == roles.read_text()  # and is saved as it was
    capsys.readouterr()
    if ending == ".csv":
        outs = []
        for more in (typed, ["--columns", str(roles)]):
            code = run(["rate", str(path), *more])
            said = capsys.readouterr()
            rows = [x for x in (said.out + said.err).splitlines() if x.startswith("labels")]
            outs.append((code, rows))
        assert outs[0] == outs[1]


def spelled(value):
    if isinstance(value, dict):
        return ",".join(f"{k}={v}" for k, v in value.items())
    return ",".join(value) if isinstance(value, list) else str(value)


@needs_results
@pytest.mark.parametrize("folder", EXPECTED)
def test_every_sample_table_reads_the_same_from_its_file_of_columns(folder, tmp_path, capsys):
    for name in EXPECTED[folder]:
        path, roles = RESULTS / folder / name, tmp_path / "roles.toml"
        try:
            plain = ae.read_results(path)
        except DataError:
            continue
        assert run(["columns", str(path), "--save", str(roles)]) == 0
        check_alike(ae.read_results(path, columns=str(roles)), plain)


def test_a_file_of_columns_is_of_this_table(tmp_path):
    path, roles = tmp_path / "results.csv", tmp_path / "roles.toml"
    support().to_csv(path, index=False)
    roles.write_text('[columns]\n"nobody" = "judge"\n"nothing" = "item"\n')
    with pytest.raises(DataError, match="none of which it has"):
        ae.read_results(path, columns=str(roles))
    roles.write_text('[columns]\n"nobody" = "judge"\n"gemini" = "ignored"\n')
    results = ae.read_results(path, columns=str(roles))
    assert results.votes.judges == ("gpt4o", "claude")
    assert any("names 'nobody', which is not in this table" in note for note in results.notes)
    roles.write_text('[columns]\n"gemini" = "ignored"\n[options]\nsmae = {}\n')
    with pytest.raises(DataError, match="must be those of reading; got 'smae'"):
        ae.read_results(path, columns=str(roles))


def test_what_is_stated_beside_a_file_of_columns_counts(tmp_path):
    path, roles = tmp_path / "results.csv", tmp_path / "roles.toml"
    support().to_csv(path, index=False)
    assert (
        run(["columns", str(path), "--same", "pass=ok", "--good", "ok", "--save", str(roles)]) == 0
    )
    again = ae.read_results(path, columns=str(roles), same={"fail": "bad"}, good="bad")
    assert (set(again.labels), again.good) == ({"bad", "ok"}, "bad")


FORMATS = DATA.parent / "formats"


@pytest.mark.skipif(not FORMATS.exists(), reason="the sample files of tools are not here")
@pytest.mark.parametrize(
    "name",
    [
        "fastchat/model_judgment/gpt-4_pair.jsonl",
        "tables/mturk-radio.csv",
        "tables/prodigy-choice.jsonl",
        "huggingface/a-arena.parquet",
        "inspect/dict-panel.json",
        "lm-eval/panel",
    ],
)
def test_files_of_tools_read_the_same_from_their_file_of_columns(name, tmp_path, capsys):
    path, roles = FORMATS / name, tmp_path / "roles.toml"
    words = {"question": "toy_mc"} if name == "lm-eval/panel" else {}
    typed = ["--question", "toy_mc"] if words else []
    plain = ae.read_results(path, **words)
    assert run(["columns", str(path), *typed, "--save", str(roles)]) == 0
    check_alike(ae.read_results(path, columns=str(roles)), plain)
    votes = ae.read_votes(path, columns=str(roles))
    assert votes.judges == plain.votes.judges


# --- Two people who answer in different words.


def two_people(good, bad, n=80):
    rng = np.random.default_rng(4)
    truth = rng.random(n) < 0.6

    def said(right, first, other):
        return np.where(np.where(rng.random(n) < right, truth, ~truth), first, other).astype(object)

    anna, ben = said(0.95, good, bad), said(0.95, "pass", "fail")
    anna[40:], ben[:20], ben[60:] = None, None, None
    rows = {"id": [f"i{k}" for k in range(n)], "gpt4o": said(0.9, "pass", "fail")}
    return pd.DataFrame(
        rows | {"claude": said(0.8, "pass", "fail"), "human_anna": anna, "human_ben": ben}
    )


@pytest.mark.parametrize("words", [("ok", "bad"), ("yes", "no"), ("zork", "mork")])
def test_two_people_in_different_words_both_count(words):
    frame = two_people(*words)
    same = dict(zip(words, ("pass", "fail"), strict=True))
    results = ae.read_results(frame, human=["human_anna", "human_ben"], same=same)
    anna, ben = frame.human_anna.map(same), frame.human_ben
    expected = {
        i: a if pd.isna(b) or a == b else b if pd.isna(a) else None
        for i, a, b in zip(frame.id, anna, ben, strict=True)
        if not (pd.isna(a) and pd.isna(b))
    }
    assert results.human == expected
    both = anna.notna() & ben.notna()
    share, n = results.people_agree
    assert (share, n) == ((anna == ben)[both].mean(), both.sum())
    n_ties = sum(label is None for label in expected.values())
    assert f"{len(expected)} human answers" in results.headline()  # one count everywhere
    assert any(f"{len(expected)} items labelled by people" in note for note in results.notes)
    assert ae.rate(results.votes, good="pass", human="key").n_gold == len(expected)
    assert any(f"{n_ties} tie" in note for note in results.notes) or not n_ties
    assert (results.votes.key >= 0).sum() == len(expected) - n_ties


def test_what_is_asked_of_two_people_leads_to_both():
    frame = two_people("zork", "mork")
    with pytest.raises(DataError, match="They have no label in common") as caught:
        ae.read_results(frame, human=["human_anna", "human_ben"])
    answers = caught.value.questions[0].answers
    both = next(a for a in answers if "same" in a)
    assert "'zork': 'pass'" in both  # the likelier of the two ways first
    assert len(ae.read_results(frame, **eval(f"dict({both})")).said) == 2


def test_people_in_two_vocabularies_are_put_into_the_judges(tmp_path):
    frame = two_people("ok", "bad")
    frame["human_ben"] = frame.human_ben.map({"pass": "yes", "fail": "no"})
    results = ae.read_results(frame)
    assert set(results.labels) == {"pass", "fail"}
    assert len(results.said) == 2
    assert results.people_agree[0] > 0.8


@pytest.mark.parametrize("seed", range(6))
def test_judges_of_few_cells_and_many_labels_are_all_judges(seed):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 10, 25)

    def said(right):
        codes = np.where(rng.random(25) < right, truth, rng.integers(0, 10, 25))
        cells = np.array([*"ABCDEFGHIJ"], object)[codes]
        cells[rng.permutation(25)[:13]] = None
        return cells.tolist()

    names = ("gpt", "claude", "gemini")
    table = {"item": [f"i{k}" for k in range(25)]} | {name: said(0.75) for name in names}
    assert ae.read_votes(table).judges == names
    assert tuple(ae.read_results(table).judged) == names


@pytest.mark.parametrize("written", ["{:.0f}%", "{:.1f} %", "{:.1f}%,"])
def test_percentages_are_numbers(written):
    rng = np.random.default_rng(3)
    share = 100 * rng.random((60, 2))
    cells = [[written.format(x) for x in row] for row in share]
    if written.endswith(","):  # 87,5%
        cells = [[cell[:-1].replace(".", ",") for cell in row] for row in cells]
    good = ["pass" if a + b > 100 else "fail" for a, b in share.tolist()]
    table = {
        "id": [f"i{k}" for k in range(60)],
        "gpt4o_score": [row[0] for row in cells],
        "claude_score": [row[1] for row in cells],
        "human": [*good[:30], *[None] * 30],
    }
    results = ae.read_results(table)
    assert results.holds_scores
    places = 0 if ".0f" in written else 1
    assert np.allclose(results.scores.values, np.round(share, places), atol=10**-places)
    assert any("87% is read as 87" in note for note in results.notes)
    votes = ae.read_results(table, cut=50).votes
    assert (votes.codes == (results.scores.values >= 50)).all()
    assert ae.read_scores(table).judges == ("gpt4o_score", "claude_score")


def test_a_percentage_among_words_is_a_word():
    table = {"id": [*range(40)], "gpt4o": ["fail", "pass"] * 20, "note": ["10% off", "5%"] * 20}
    assert not any("87%" in note for note in ae.read_results(table).notes)


@pytest.mark.parametrize("ends", [("v3", "v4"), ("baseline", "candidate"), ("a", "b")])
def test_answers_and_verdicts_that_name_two_systems_say_which_is_better(ends, tmp_path):
    first, second = ends
    won = [first if k % 4 == 0 else "tie" if k % 9 == 0 else second for k in range(80)]
    rows = [
        {
            "pair_id": f"p{k}",
            f"answer_{first}": f"the first of the words on subject {k} are these",
            f"answer_{second}": f"other words were written about subject {k} as well",
            "gpt4o_pick": {first: second, second: first, "tie": "tie"}[who] if k % 7 == 0 else who,
            "human_pick": who if k % 3 else "",
        }
        for k, who in enumerate(won)
    ]
    results = ae.read_results(pd.DataFrame(rows))
    if first == "a":  # places, of whatever systems
        assert results.systems == ()
        return
    assert (results.layout, results.systems) == ("pairwise", ends)
    path = tmp_path / "pairs.csv"
    pd.DataFrame(rows).to_csv(path, index=False)
    labelled = [who for k, who in enumerate(won) if k % 3]
    n = sum(who != "tie" for who in labelled)
    share = round(100 * labelled.count(second) / n)
    assert f"By people: {second} wins {share}% (" in " ".join(ae.report(path).summary().split())


def test_people_among_raters_are_people_where_the_columns_are_stated_too():
    rows = [
        {
            "trace": f"t{k}",
            "name": who,
            "value": "yes" if (k * k + 3 * at) % 7 < 4 else "no",
            "tag": k % 4,
        }
        for k in range(40)
        for at, who in enumerate(("correct-gpt-4", "correct-sonnet", "correct-human"))
    ]
    results = ae.read_results(rows, item="trace", judge="name", answer="value")
    assert [*results.judged] == ["correct-gpt-4", "correct-sonnet"]
    votes = ae.read_votes(rows, item="trace", judge="name", answer="value")
    assert votes.judges == ("correct-gpt-4", "correct-sonnet")
    assert int((votes.key >= 0).sum()) == 40
    every = ae.read_votes(
        rows, item="trace", judge="name", answer="value", judges=[*results.judged, "correct-human"]
    )
    assert len(every.judges) == 3


# --- Which half of scores that are cut is the good one.


def graded(n=100, labelled=50, words=("pass", "fail"), seed=8, **names):
    """Scores from 0 to 10 of two judges, and people's words for some of the outputs."""
    rng = np.random.default_rng(seed)
    truth = rng.random(n)
    scores = [(10 * np.clip(truth + rng.normal(0, 0.1, n), 0, 1)).round(2) for _ in "ab"]
    said = [words[0 if x > 0.5 else 1] if k < labelled else None for k, x in enumerate(truth)]
    return pd.DataFrame({"id": range(n), "gpt4": scores[0], "claude": scores[1], "human": said})


@pytest.mark.parametrize("words", [("pass", "fail"), ("up", "down"), ("yes", "no"), ("1", "0")])
def test_a_cut_reads_judges_alike_whichever_label_is_counted(words):
    table = graded(words=words)
    cards = [ae.judge_card(ae.read_results(table, cut=5, good=good)).judges for good in words]
    agree = (table.gpt4[:50] >= 5) == (table.human[:50] == words[0])
    for judges in cards:
        assert next(j for j in judges if j.judge == "gpt4").accuracy.value == agree.mean() > 0.8
    high, low = (ae.rate(table, cut=5, good=good, target="items") for good in words)
    assert low.rate == pytest.approx(1 - high.rate)
    assert (low.low, low.high) == pytest.approx((1 - high.high, 1 - high.low))


def test_words_that_do_not_tell_take_the_stated_label_for_the_upper_half():
    votes = ae.read_results(graded(words=("red", "blue")), cut=5, good="red").votes
    assert votes.answers[votes.codes[0, 0]] == ("red" if graded().gpt4[0] >= 5 else "blue")


@pytest.mark.parametrize(("bad", "good"), [("toxic", "safe"), ("yes", "no")])
def test_high_scores_of_bad_news_are_people_s_bad_word(bad, good):
    table = graded(words=(bad, good)).rename(
        columns={"gpt4": "gpt4_toxicity", "claude": "claude_toxicity"}
    )
    if bad == "yes":
        table = table.rename(columns={"human": "human_is_toxic"})
    rates = []
    for counted in (bad, good):
        results = ae.read_results(table, cut=5, good=counted)
        assert all(j.accuracy.value > 0.8 for j in ae.judge_card(results).judges)
        rates.append(ae.rate(results, good=counted).rate)
    assert any("gpt4_toxicity below 5" in note for note in results.votes.notes)
    assert sum(rates) == pytest.approx(1)


def test_a_suggested_cut_of_bad_news_calls_as_many_bad_as_people_do():
    table = graded(words=("toxic", "safe")).rename(
        columns={"gpt4": "gpt4_toxicity", "claude": "claude_toxicity"}
    )
    table.loc[:49, "human"] = np.where(table.gpt4_toxicity[:50] >= 8, "toxic", "safe")
    with pytest.raises(DataError) as asked:
        ae.judge_card(ae.read_results(table))
    at = float(re.search(r"'gpt4_toxicity': '([\d.]+)'", str(asked.value)).group(1))
    assert (table.gpt4_toxicity[:50] >= at).mean() == (table.human[:50] == "toxic").mean()


@pytest.mark.parametrize("words", [("pass", "fail"), ("1", "0")])
def test_a_judge_whose_cut_scores_go_against_people_is_asked_about(words):
    table = graded(words=words)
    table["gpt4"] = 10 - table.gpt4
    with pytest.raises(DataError, match=r"good of 'gpt4' from 5, .* contrary") as asked:
        ae.read_results(table, cut=5)
    stated, low, left = asked.value.questions[0].answers
    assert "gpt4': '<=" in low
    assert "leave out" in left
    assert "the judge is wrong" in stated
    kept = ae.judge_card(ae.read_results(table, cut={"gpt4": 5, "judges": 5})).judges
    assert next(j for j in kept if j.judge == "gpt4").accuracy.value < 0.2
    assert ae.read_results(table, cut=5, ignore="gpt4").votes.judges == ("claude",)
    few = table.assign(human=table.human.where(table.id < 29))
    assert ae.read_results(few, cut=5).votes.judges == ("gpt4", "claude")
    both = table.assign(claude=10 - table.claude)
    with pytest.raises(DataError, match=r"good of 'gpt4' from 5, 'claude' from 5, ") as asked:
        ae.read_results(both, cut={"judges": 5})
    assert len(asked.value.questions) == 1
    stated, low = asked.value.questions[0].answers
    assert "'gpt4': '5', 'claude': '5'" in stated
    assert "low scores are good" in low
    assert ae.read_results(both, cut={"judges": 5, "gpt4": 5, "claude": 5}).votes.n_judges == 2
    bad = table.rename(columns={"gpt4": "gpt4_errors"})
    turned = ae.judge_card(ae.read_results(bad, cut=5)).judges
    assert all(j.accuracy.value > 0.8 for j in turned)


def test_a_percentage_for_all_judges_is_of_each_one_s_own_cells():
    scores = graded(60)
    table = pd.DataFrame(
        {
            "id": scores.id,
            "gpt4_score": [f"{round(10 * x)}%" for x in scores.gpt4],
            "claude_score": [round(x / 10, 2) for x in scores.claude],
            "human": scores.human,
        }
    )
    votes = ae.read_results(table, cut={"judges": "50%"}).votes
    assert (votes.codes == ae.read_results(table, cut="50%").votes.codes).all()
    expected = [
        [round(10 * x) >= 50 for x in scores.gpt4],
        [round(x / 10, 2) >= 0.5 for x in scores.claude],
    ]
    assert (votes.codes == np.array(expected).T).all()


@pytest.mark.parametrize("kind", ["language of a slice", "three answers", "pass and fail beside"])
def test_texts_and_words_that_name_no_two_systems_are_no_pair(kind):
    said = ["pass" if k % 3 else "fail" for k in range(60)]
    words = [f"some words that were put out on subject {k}" for k in range(60)]
    rows = {"id": range(60), "answer_en": words, "answer_de": [w + " again" for w in words]}
    if kind == "three answers":
        rows |= {
            "answer_fr": [w + " at last" for w in words],
            "gpt4_pick": [("en", "de")[k % 2] for k in range(60)],
        }
    else:
        name = "language" if kind == "language of a slice" else "gpt4_pick"
        rows |= {name: [("en", "de")[k % 2] for k in range(60)]}
    rows |= {
        "claude_verdict": said,
        "human_label": [s if k % 5 else "fail" for k, s in enumerate(said)],
    }
    if kind == "three answers":
        rows = {
            name: of for name, of in rows.items() if name not in ("claude_verdict", "human_label")
        }
    try:
        layout = ae.read_results(rows).layout
    except DataError as error:  # asked who gave gpt4_pick, or what it says
        layout = error.reading.layout
    assert layout != "pairwise"


def test_a_machine_named_after_people_is_a_machine():
    raters = ("gpt-4", "claude", "gpt_human_aligned", "expert-router-llm")
    rows = [
        {"item": k, "name": who, "value": "yes" if (k * k + at) % 5 < 3 else "no"}
        for k in range(40)
        for at, who in enumerate(raters)
    ]
    votes = ae.read_votes(rows, item="item", judge="name", answer="value")
    assert (votes.judges, votes.key) == (raters, None)


def test_columns_of_a_tool_s_file_that_is_gone_are_those_that_were_read(tmp_path):
    path = tmp_path / "judgments.jsonl"
    rows = [
        {"question_id": k, "judge": [who, "v1"], "model": "x", "score": 7 + k % 2}
        for k in range(12)
        for who in ("gpt", "llama")
    ]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    results = ae.read_results(path)
    path.unlink()
    assert {"item", "judge", "answer"} == set(results.columns["column"])


def test_customers_alone_are_asked_about_and_people_who_suggest_are_people():
    said = ["pass" if k % 3 else "fail" for k in range(60)]
    rows = {"id": range(60), "gpt_verdict": said, "claude_verdict": said[::-1]}
    labels = [s if k % 3 == 0 else None for k, s in enumerate(said)]
    assert ae.read_results({**rows, "reviewer_suggested_label": labels}).n_labelled == 20


def test_a_crowd_on_one_scale_is_offered_one_cut():
    rng = np.random.default_rng(2)
    rows = []
    for item in range(60):
        mean = rng.normal(3.3, 0.9)
        for worker in rng.choice(25, 5, replace=False).tolist():
            rating = int(np.clip(round(mean + rng.normal(0, 0.7)), 1, 5))
            rows.append({"item_id": f"h{item}", "worker": f"A{worker}XQ", "rating": rating})
    with pytest.raises(DataError, match=r"Answer with cut='4' \(4 and above count\)"):
        ae.rate(rows)
