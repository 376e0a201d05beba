"""Scores on the command line: read as such when asked, with attributes, by every method of scores."""

import csv
import json

import numpy as np
import pytest

from algeval.cli.main import run


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    trait, length = rng.normal(size=(2, 300))
    load = np.array([[0.9, 0], [0.8, 0], [0.7, 0], [0.8, 0.1], [0.5, 0.6], [0.4, 0.7]])
    drawn = np.stack([trait, length], 1) @ load.T + 0.4 * rng.normal(size=(300, 6))
    path = tmp_path / "scores.csv"
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["item", *"abcdef", "words", "gold"])
        for k, row in enumerate(np.clip(np.round(5 + 2 * drawn), 0, 10).astype(int).tolist()):
            writer.writerow(
                [f"q{k}", *row, round(100 * float(np.exp(length[k]))), int(trait[k] > 0)]
            )
    return path


def told(capsys, *arguments):
    code = run(["aggregate", *map(str, arguments)])
    out, err = capsys.readouterr()
    return code, out, err


def test_few_numbers_are_labels_with_a_note_and_scores_when_asked(capsys, table):
    base = [table, "--judges", "a,b,c,d,e,f", "--key", "gold"]
    code, out, err = told(capsys, *base[:-2], "--method", "majority")
    assert code == 0
    assert "the 11 numbers were taken for labels; --scores takes them for scores" in out + err
    code, out, _ = told(capsys, *base, "--scores")
    assert code == 0
    assert "Rank factor on 300 items" in out
    assert "items right" in out
    code, _, err = told(capsys, *base, "--method", "factor")
    assert code == 2
    assert "if the numbers are scores, pass --scores" in err


@pytest.mark.parametrize(
    "method", ["average", "median", "uws", "linear", "rank-factor", "graded-response"]
)
def test_a_method_of_scores_needs_no_flag_and_cuts_where_it_is_told(capsys, table, method):
    base = [table, "--attributes", "words", "--key", "gold", "--method", method]
    code, out, _ = told(capsys, *base)
    assert code == 0
    assert "items right" in out
    code, out, _ = told(capsys, *base, "--cut", "5", "--json")
    assert json.loads(out)["settings"]["cut"] == "5"


def test_an_attribute_is_taken_out_when_asked(capsys, table, tmp_path):
    more = tmp_path / "more.csv"
    with table.open() as stream, more.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["item", "words"])
        writer.writerows([row["item"], row["words"]] for row in csv.DictReader(stream))
    act = ["--method", "factor", "--scores", "--set", "discount=words"]
    code, out, _ = told(capsys, table, "--attributes", "words", *act)
    assert code == 0
    assert "By this you say: words is no part of what you mean" in out
    code, joined, _ = told(capsys, table, "--judges", "a,b,c,d,e,f", "--attributes", more, *act)
    assert joined.split("Note: wide")[0] == out.split("Note: wide")[0]


def test_what_makes_no_sense_is_said_in_one_line(capsys, table):
    for arguments, says in (
        (["--scores", "--labels", "0,1"], "--labels makes labels"),
        (["--attributes", "size"], "'size'"),
        (["--method", "factor", "--scores", "--set", "discount=size"], "'size'"),
        (["--scores", "--method", "averge"], "did you mean 'average'"),
    ):
        code, _, err = told(capsys, table, *arguments)
        assert code == 2
        assert says in err
    assert run(["report", str(table), "--scores", "--cut", "5"]) == 2
    assert "leave out --scores" in capsys.readouterr().err
