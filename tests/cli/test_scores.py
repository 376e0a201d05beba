"""Tables of scores on the command line: read as scores where that means something, else refused."""

import csv
import json

import numpy as np
import pytest

from algeval.cli.main import run as run_command


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(1)
    trait = rng.normal(size=80)
    path = tmp_path / "scores.csv"
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["item", "x", "y", "z", "gold"])
        for i, t in enumerate(trait):
            drawn = [f"{t + rng.normal():.3f}" for _ in range(3)]
            writer.writerow([f"i{i}", *drawn, int(t > 0)])
    return str(path)


@pytest.fixture
def run(capsys):
    def run_it(*arguments):
        code = run_command([str(a) for a in arguments])
        told = capsys.readouterr()
        return code, told.out + told.err

    return run_it


def test_aggregate_reads_scores_and_writes_them(run, table, tmp_path):
    out = tmp_path / "out.csv"
    code, told = run("aggregate", table, "--prevalence", "0.4", "-o", out)
    assert code == 0
    assert "Rank factor on 80 items and 3 judges converged" in told
    assert "40.0% (told)" in told
    assert "read as scores" in told
    rows = list(csv.DictReader(out.read_text().splitlines()))
    assert list(rows[0]) == ["item", "label", "p(0)", "p(1)", "score"]
    assert [r["label"] == "1" for r in rows] == [float(r["p(1)"]) > 0.5 for r in rows]


def test_a_cut_of_the_scale_can_be_told_without_cutting(run, table):
    _, told = run("aggregate", table, "--set", "cut=1", "--json")
    assert json.loads(told)["settings"]["cut"] == "1"
    assert "algeval.aggregation/1" in run("aggregate", table, "--cut", "1", "--json")[1]


def test_the_report_of_scores_says_what_it_cannot_say(run, table):
    code, told = run("report", table, "--key", "gold")
    assert code == 0
    assert "logical questions need votes" in told
    assert "of 80 items right" in told
    assert told.count("\n") <= 40
    assert run("report", table, "--json")[0] == 0


@pytest.mark.parametrize(
    "command", ["alarm", "threshold", "panel", "compare", "diagnose", "decode"]
)
def test_questions_about_labels_refuse_scores_in_a_sentence(run, table, command):
    code, told = run(command, table)
    assert code == 2
    assert "--cut" in told
    assert "Traceback" not in told


def test_a_report_asked_for_a_level_refuses_scores(run, table):
    code, told = run("report", table, "--at-least", "0.6")
    assert code == 2
    assert "pass --cut X" in told
