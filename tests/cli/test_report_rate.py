"""`algeval report --good`: the rate in the report, and `--plot` of the commands about systems."""

import csv
import json

import numpy as np
import pytest

from algeval.cli.main import run


@pytest.fixture
def files(tmp_path):
    rng = np.random.default_rng(0)
    truth = (rng.random(60) < 0.7).tolist()
    for name in ("a", "b"):
        rows = [["item", "x", "y", "z", "gold"]]
        for k, passes in enumerate(truth):
            said = [passes ^ (rng.random() < 0.15) for _ in range(3)]
            rows.append([f"q{k}", *("fp"[one] for one in said), "fp"[passes]])
        with (tmp_path / f"{name}.csv").open("w", newline="") as file:
            csv.writer(file).writerows(rows)
    with (tmp_path / "battles.csv").open("w", newline="") as file:
        battles = [(*"pq", "pq"[k % 3 == 0]) for k in range(30)]
        csv.writer(file).writerows([("model_a", "model_b", "winner"), *battles])
    return tmp_path


FAST = ["--no-intervals", "--time-limit", "5"]


def test_labels_in_the_table_are_evidence_and_can_be_left_out(files, capsys):
    table = str(files / "a.csv")
    counted = {}
    for more in ([], ["--key", "gold"], ["--human", "gold"], ["--ignore", "gold"]):
        assert run(["report", table, "--good", "p", *more, *FAST, "--json"]) == 0
        document = json.loads(capsys.readouterr().out)
        (section,) = [s for s in document["sections"] if "system" in s["title"]]
        counted[" ".join(more)] = section["results"]["rate"]["n_gold"]
    assert counted == {"": 60, "--key gold": 60, "--human gold": 60, "--ignore gold": 0}


def test_without_a_label_the_full_text_has_the_command(files, capsys):
    table = str(files / "a.csv")
    assert run(["report", table, "--judges", "x,y,z", "--ignore", "gold", "--full", *FAST]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert (
        f"algeval next {table} --judges x,y,z --ignore gold --n 50 -o to_label.csv; fill in the file"
        in text
    )
    assert (
        f"algeval rate {table} --judges x,y,z --ignore gold --human to_label.csv --good p" in text
    )


def test_labels_of_a_file_stay_in_the_commands_that_come_next(files, capsys):
    (files / "gold.csv").write_text("item,truth\nq0,p\nq1,f\n")
    people = ["--human", str(files / "gold.csv")]
    assert run(["report", str(files / "a.csv"), "--ignore", "gold", *people, *FAST]) == 0
    out = capsys.readouterr().out
    calls = [line for line in out.splitlines() if line.startswith("  algeval ")]
    assert calls
    assert all(" ".join(people) in line for line in calls)


def test_labels_without_the_name_of_a_good_one_score_the_judges(files, capsys):
    named = (files / "a.csv").read_text().replace(",p", ",u").replace(",f", ",v")
    (files / "a.csv").write_text(named)
    (files / "gold.csv").write_text("item,truth\nq0,u\n")
    given = ["report", str(files / "a.csv"), "--ignore", "gold", "--human", str(files / "gold.csv")]
    assert run([*given, *FAST]) == 0
    out = capsys.readouterr().out
    assert "on what people labelled" in out
    assert f"--human {files / 'gold.csv'}" in out
    assert run(["report", str(files / "a.csv"), "--full", *FAST]) == 0
    assert "choose a label" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["rate", "a.csv", "--good", "p", "--human", "gold"], "compared with"),
        (["versus", "a.csv", "b.csv", "--good", "p", "--human", "gold"], "judges only"),
        (["leaderboard", "battles.csv"], "ranks"),
        (["plan", "--half-width", "0.05", "--rho2", "0.3"], "labels and judges"),
    ],
)
def test_commands_about_systems_draw_their_result(command, words, files, monkeypatch, capsys):
    monkeypatch.chdir(files)
    out = files / "figure.svg"
    assert run([*command, "--plot", str(out)]) in (0, 1)
    assert capsys.readouterr().err == ""
    assert words in out.read_text(encoding="utf-8")
