"""`algeval report --label`: the rate in the report, and `--plot` of the commands about systems."""

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


def test_a_key_takes_part_only_where_it_is_named(files, capsys):
    table = str(files / "a.csv")
    told = {}
    for name, more in (("alone", []), ("key", ["--gold", "key"])):
        assert run(["report", table, "--key", "gold", "--label", "p", *more, *FAST, "--json"]) == 0
        document = json.loads(capsys.readouterr().out)
        (section,) = [s for s in document["sections"] if "system" in s["title"]]
        told[name] = section["results"]["rate"]["n_gold"], " ".join(section["lines"])
    assert told["alone"][0] == 0
    assert "had no part in this; with --gold key" in told["alone"][1]
    assert told["key"][0] == 60
    assert "The labels are those of the key (--gold key): 60 of 60 items" in told["key"][1]


def test_without_a_label_the_full_text_has_the_command(files, capsys):
    table = str(files / "a.csv")
    assert run(["report", table, "--judges", "x,y,z", "--full", *FAST]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert f"algeval next {table} --judges x,y,z --n 50 -o to_label.csv; fill in the file" in text
    assert f"algeval rate {table} --judges x,y,z --gold to_label.csv --label f" in text


def test_labels_without_the_name_of_one_are_refused(files, capsys):
    assert run(["report", str(files / "a.csv"), "--key", "gold", "--gold", "key"]) == 2
    assert "--gold must come with --label" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["rate", "a.csv", "--label", "p", "--key", "gold", "--gold", "key"], "compared with"),
        (["versus", "a.csv", "b.csv", "--label", "p", "--key", "gold"], "judges only"),
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
