"""Scores on the command line: read as such when asked, with attributes, by every method of scores."""

import csv
import json
import random
import re

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
    code, out, err = told(capsys, *base[:-2], "--ignore", "gold", "--method", "majority")
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


def scored_outputs(path, people):
    """Write scores of outputs of two systems; `people`: how many are labelled, and whether by words."""
    labelled, words = people
    rng = random.Random(3)
    lines = ["id,prompt,system,gpt4o,claude,human"]
    for k in range(40):
        for system, mean in (("A", 5.0), ("B", 7.5)):
            good = rng.gauss(mean, 1.5)
            own = [f"{min(10, max(0, round(2 * rng.gauss(good, 1)) / 2)):g}" for _ in "xyz"]
            said = ("fail", "pass")[good > 6] if words else own[2]
            lines.append(
                f"{system}{k},p{k},{system},{own[0]},{own[1]},{said if k < labelled else ''}"
            )
    path.write_text("\n".join(lines))
    return str(path)


@pytest.mark.parametrize("labelled", [0, 20, 40])
def test_rate_and_versus_of_two_systems_suggest_one_cut(labelled, tmp_path, capsys):
    path = scored_outputs(tmp_path / "t.csv", (labelled, False))
    cuts = set()
    for command in ("rate", "versus", "judges", "next"):
        assert run([command, path]) == 2
        cuts.add(re.search(r"t\.csv give numbers.*--cut (\S+)", capsys.readouterr().err)[1])
    assert len(cuts) == 1
    (cut,) = cuts
    run(["rate", path, "--cut", cut])
    assert f"A: SHARE AT OR ABOVE {cut}" in capsys.readouterr().out


def test_words_of_people_give_each_system_a_rate_without_a_cut(tmp_path, capsys):
    path = scored_outputs(tmp_path / "t.csv", (40, True))
    assert run(["rate", path]) == 0
    out = capsys.readouterr().out
    lines = [line.split(",") for line in (tmp_path / "t.csv").read_text().splitlines()[1:]]
    for system in "AB":
        said = [line[5] for line in lines if line[2] == system]
        assert f"{system}: RATE OF pass " in out
        assert f"Of these 40 themselves, all labelled, {said.count('pass')} are it." in out


@pytest.mark.parametrize(("labelled", "offered"), [(0, True), (20, True), (40, False)])
def test_next_is_offered_while_some_output_has_no_label(labelled, offered, tmp_path, capsys):
    path = scored_outputs(tmp_path / "t.csv", (labelled, False))
    run(["report", path])
    assert ("algeval next" in capsys.readouterr().out) == offered
