"""A key that is given is used for scoring, or said not to be used."""

import csv
import json
import math

import pytest

from algeval.cli.main import run

ROWS = ["1,a,a,b,a", "2,b,b,b,b", "3,a,b,a,a", "4,b,a,b,b", "5,a,a,a,b", "6,b,b,a,", "7,a,a,b,b"]
"""The majority says a, b, a, b, a, b, a; the key knows all but 6 and differs on 5 and 7."""


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("\n".join(["item,x,y,z,gold", *ROWS, ""]))
    return str(path)


@pytest.fixture
def ask(capsys):
    def asked(*arguments):
        code = run(list(arguments))
        return code, capsys.readouterr().out

    return asked


def test_aggregate_scores_its_labels_and_changes_none(ask, table):
    keyed = ("aggregate", table, "--method", "majority", "--no-intervals", "--json")
    document = json.loads(ask(*keyed, "--key", "gold")[1])
    score = document.pop("score")
    assert (score["n_scored"], score["n_correct"], score["accuracy"]) == (6, 4, 4 / 6)
    assert score["balanced_accuracy"] == pytest.approx((2 / 2 + 2 / 4) / 2)
    ask(*keyed[:-1], "-o", table + ".out.csv")
    with open(table + ".out.csv", encoding="utf-8", newline="") as stream:
        chances = [(float(row["p(a)"]), float(row["p(b)"])) for row in csv.DictReader(stream)]
    most, least = max(map(max, chances)), max(chances[0])
    keys = {0: "a", 1: "b", 2: "a", 3: "b", 4: "b", 6: "b"}
    losses = [-math.log(chances[i]["ab".index(label)]) for i, label in keys.items()]
    assert score["log_loss"] == pytest.approx(sum(losses) / 6)
    right = {most: [1, 0], least: [1, 1, 1, 0]}  # items 2 and 5, of one mind; and the others
    error = sum(len(r) * abs(c - sum(r) / len(r)) for c, r in right.items()) / 6
    assert score["calibration_error"] == pytest.approx(error)
    blind = json.loads(ask(*keyed, "--judges", "x,y,z", "--ignore", "gold")[1])
    assert "score" not in blind
    assert document["posterior"] == blind["posterior"]


def test_aggregate_says_that_the_key_was_for_scoring_only(ask, table):
    line = ("aggregate", table, "--method", "majority", "--no-intervals")
    out = ask(*line, "--key", "gold")[1]
    assert "used for scoring only: majority: 4 of 6 items right (66.7%)" in out
    for words in ("balanced accuracy 75.0%", "log loss", "calibration error"):
        assert words in out
    assert "scoring only" not in ask(*line, "--judges", "x,y,z", "--ignore", "gold")[1]


def test_a_keyed_example_is_scored(ask):
    out = ask("aggregate", "--example", "acs", "--method", "majority", "--no-intervals")[1]
    assert "of 20000 items right" in out


def test_a_key_that_cannot_score_is_said_not_to_be_used(ask, tmp_path):
    path = tmp_path / "scores.csv"
    rows = [f"{i},{i / 9},{i / 8},{i / 7},{i % 5}.5" for i in range(20)]
    path.write_text("\n".join(["item,x,y,z,gold", *rows, ""]))
    _, out = ask("aggregate", str(path), "--key", "gold")
    assert "the key was not used: key must be scores that carry a key of classes" in out


@pytest.mark.parametrize("command", ["decode", "alarm", "threshold", "panel", "bounds"])
def test_a_question_without_use_for_a_key_says_so(ask, table, command):
    assert "Note: the key was not used" in ask(command, table, "--key", "gold")[1]
    assert "the key was not used" not in ask(command, table)[1]


@pytest.mark.parametrize(
    ("command", "words"),
    [(("diagnose", "--starts", "1"), "scoring only"), (("compare",), "scored by 6 human labels")],
)
def test_a_comparison_says_that_it_only_scores(ask, table, command, words):
    assert words in ask(*command, table, "--key", "gold")[1]


def test_a_result_of_no_key_has_no_note_of_one(ask, table):
    assert "scoring only" not in ask("diagnose", table, "--starts", "1")[1]
