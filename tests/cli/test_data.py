"""`algeval sketch | simulate | examples`: the same options as elsewhere, and text that fits."""

import json

import pytest

from algeval.cli.main import run


def test_sketch_writes_what_it_prints(tmp_path, capsys):
    assert run(["sketch", "--example", "mt-bench"]) == 0
    printed = capsys.readouterr().out
    assert run(["sketch", "--example", "mt-bench", "--json"]) == 0
    assert capsys.readouterr().out == printed
    assert run(["sketch", "--example", "mt-bench", "-o", str(tmp_path / "c.json")]) == 0
    assert capsys.readouterr().out == ""
    assert json.loads((tmp_path / "c.json").read_text()) == json.loads(printed)


def test_simulate_writes_what_it_prints_and_knows_the_old_spelling(tmp_path, capsys):
    settings = ["simulate", "--items", "50", "--seed", "3"]
    told = []
    for option in ("--unanswered", "--missing"):
        assert run([*settings, option, "0.3"]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    assert 20 < told[0].count(",,") + told[0].count(",\n") < 80
    assert run([*settings, "--unanswered", "0.3", "-o", str(tmp_path / "v.csv")]) == 0
    assert (tmp_path / "v.csv").read_text() == told[0]


@pytest.mark.parametrize("columns", [50, 80, 300])
def test_examples_are_sentences_that_fit(columns, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    assert run(["examples"]) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= min(columns, 100)
    assert "paper 00" not in out
    assert run(["examples", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["examples"]
    assert list(told) == ["support-bot", "mt-bench", "mt-bench-summary", "acs"]
    assert all(note.endswith(".") for notes in told.values() for note in notes)
    assert all(name in out for name in told)
