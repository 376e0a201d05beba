"""Scores of which low ones are good: cut="<=2", and the same on the command line."""

import random

import pandas as pd
import pytest

import algeval as ae
from algeval.cli.main import run


def graded(n=80, seed=2, people="words"):
    """Grades of two systems, low where people say good on nine in ten."""
    draw = random.Random(seed)
    rows = []
    for k in range(n):
        for system in "ab":
            good = draw.random() < 0.6
            low = good == (draw.random() < 0.9)
            grade = draw.choice([1, 2] if low else [3, 4, 5])
            said = {
                "words": "good" if good else "bad",
                "01": int(good),
                "grades": draw.choice([1, 2] if good else [3, 4, 5]),
            }
            row = {"id": k, "system": system, "gpt_grade": grade, "human": said[people]}
            rows.append(row)
    return pd.DataFrame(rows)


def numbers(result):
    return result.difference, result.low, result.high, result.verdict


@pytest.mark.parametrize("people", ["words", "01", "grades"])
def test_low_grades_answer_as_the_same_grades_turned_round(people):
    low = graded(people=people)[::3]
    high = low.assign(gpt_grade=6 - low.gpt_grade)
    if people == "grades":
        high = high.assign(human=6 - low.human)
    assert numbers(ae.versus(low, cut="<=2")) == numbers(ae.versus(high, cut=4))
    card, other = ae.judge_card(low, cut="<=2"), ae.judge_card(high, cut=4)
    assert card.row("gpt_grade").accuracy == other.row("gpt_grade").accuracy
    assert card.row("gpt_grade").accuracy.value > 0.8


def test_a_cut_up_to_a_score_holds_that_score_and_is_exact():
    rows = [{"id": k, "gpt": x} for k, x in enumerate([0.1, 0.3, 0.30000000000000004, 0.5] * 9)]
    votes = ae.read_votes(rows, cut="<=0.3")
    assert [votes.labels[c] for c in votes.codes[:4, 0]] == ["1", "1", "0", "0"]


def test_each_column_may_have_its_own():
    frame = graded(people="words").assign(claude=lambda t: 6 - t.gpt_grade)
    results = ae.read_results(frame, cut={"gpt_grade": "<=2", "claude": 4})
    votes = results.votes
    assert (votes.codes[:, 0] == votes.codes[:, 1]).all()
    assert any("gpt_grade up to 2" in note for note in votes.notes)


def test_what_is_counted_is_said():
    found = ae.rate(graded(people="01"), cut="<=2", good="1")
    assert found.counted == "at or below 2"
    assert "SHARE AT OR BELOW 2" in found.summary()


def test_people_alone_may_grade_so_too():
    frame = graded(people="grades")[["id", "system", "human"]]
    share = float((frame.human <= 2).mean())
    assert ae.rate(frame, cut="<=2").rate == pytest.approx(share)


def test_rows_that_are_counted_where_they_lie_are_cut_alike():
    frame = pd.DataFrame({"x": [1, 2, 3, 4] * 5, "y": [2, 3, 2, 1] * 5})
    assert ae.count(frame, judges=["x", "y"], cut="<=2") == ae.read_votes(frame, cut="<=2").sketch()


def test_a_judge_who_surely_goes_against_people_is_asked_about_with_this_answer():
    with pytest.raises(ae.DataError, match="people's labels surely say the contrary") as asked:
        ae.versus(graded(), cut=3)
    answers = asked.value.questions[0].answers
    assert "cut={'gpt_grade': '<=2'} (low scores are good)" in answers
    assert ae.versus(graded(), cut={"gpt_grade": "<=2"}).n_gold == 80


def test_the_command_takes_it_and_refuses_what_is_no_cut(tmp_path, capsys):
    path = str(tmp_path / "graded.csv")
    graded().to_csv(path, index=False)
    assert run(["versus", path, "--cut", "<=2"]) == 0
    plain = capsys.readouterr().out
    assert "'good' is gpt_grade up to 2, else 'bad'" in plain
    assert run(["versus", path, "--cut", "gpt_grade=<=2"]) == 0
    assert capsys.readouterr().out == plain
    assert run([path, "--cut", "judges=<=2,human=4"]) == 0
    assert run(["versus", path, "--cut", "<2"]) == 2
    assert "'<=X' where low ones are" in capsys.readouterr().err
    assert run(["help", "reading"]) == 0
    assert "'<=X'" in capsys.readouterr().out
