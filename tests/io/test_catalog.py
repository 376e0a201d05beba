"""The examples that come along."""

import json

import numpy as np
import pytest

import algeval as ae
from algeval.cli.main import run
from algeval.data import NOT_ANSWERED
from algeval.errors import DataError
from algeval.io import example, example_names, example_notes

from .support_bot import FILE, write


def test_every_example_has_notes_with_its_source():
    for name in example_names():
        assert any("Source:" in note for note in example_notes(name))
        assert example(name).n_items > 0


def test_mt_bench_tallies_as_printed():
    votes = example("mt-bench")
    assert votes.judges == ("experts", "authors", "gpt4")
    assert votes.labels == votes.answers == ("a", "b", "tie")
    assert votes.items[0] == "82:gpt-4:claude-v1"
    assert len(set(votes.items)) == 25
    assert votes.complete
    # the caption says experts (4, 14, 7); the text's gpt4 = (4, 18, 3) is not what the table tallies
    assert votes.summary().counts.tolist() == [[4, 14, 7], [5, 10, 10], [5, 18, 2]]
    named = {part for item in votes.items for part in item.split(":")[1:]}
    assert named == {
        "gpt-4", "claude-v1", "llama-13b", "vicuna-13b-v1.2", "gpt-3.5-turbo", "alpaca-13b",
    }  # fmt: skip
    row = votes.items.index("91:gpt-3.5-turbo:gpt-4")
    assert [votes.answers[c] for c in votes.codes[row]] == ["tie", "tie", "a"]


def test_mt_bench_summary_is_that_of_the_text():
    summary = example("mt-bench-summary")
    assert (summary.judges, summary.n_items) == (("authors", "gpt4"), 25)
    assert summary.labels == ("a", "b", "tie")
    assert summary.counts.tolist() == [[5, 10, 10], [4, 18, 3]]


def test_acs_adds_up_to_the_observed_column():
    keyed = example("acs")
    observed = {
        "AAA": 568, "AAB": 553, "ABA": 649, "BAA": 1813,
        "BBA": 3534, "BAB": 3607, "ABB": 1068, "BBB": 8208,
    }  # fmt: skip
    assert keyed.sketch.to_counts() == {tuple(k): n for k, n in observed.items()}
    assert (keyed.sketch.judges, keyed.sketch.labels) == (("1", "2", "3"), ("A", "B"))
    assert keyed.n_items == 20_000
    assert np.array_equal(keyed.keyed.sum(0), [2000, 18000])


def test_unknown_example():
    with pytest.raises(DataError, match="example must be one of"):
        example("mt")


def test_the_support_bot_is_what_its_program_makes(tmp_path):
    write(tmp_path / "made.csv")
    assert (tmp_path / "made.csv").read_bytes() == FILE.read_bytes()


def test_the_support_bot_is_a_results_table():
    results = example("support-bot")
    assert results.systems == ("v1", "v2")
    assert list(results.votes.judges) == ["gpt4o", "claude", "gemini"]
    assert len(results.human) == 80
    assert results.good == "pass"
    assert set(results.texts) == {"question", "response"}
    assert set(results.covariates) == {"tokens"}
    assert "made up" in " ".join(example_notes("support-bot"))


def test_the_support_bot_on_the_command_line(tmp_path, capsys):
    path = tmp_path / "mine.csv"
    assert run(["examples", "support-bot", "-o", str(path)]) == 0
    assert path.read_bytes() == FILE.read_bytes()
    assert run(["examples", "-o", str(path)]) == 2
    assert run(["rate", "--example", "support-bot", "--json"]) == 0
    capsys.readouterr()
    assert run(["rate", "--example", "support-bot"]) == 0
    out = capsys.readouterr().out
    assert "v1: RATE OF pass" in out
    assert "v2: RATE OF pass" in out
    assert "taken together" not in out
    assert run(["versus", "--example", "support-bot"]) == 0
    out = capsys.readouterr().out
    assert "v2 BETTER" in out
    assert "taken together" not in out


@pytest.mark.parametrize("words", [["--example", "support-bot"], [str(FILE)]])
def test_columns_says_what_a_table_answers(words, capsys):
    assert run(["columns", *words]) == 0
    lines = capsys.readouterr().out.split("It can answer:")[1].split("Missing:")
    commands = [line.split("#")[0].strip() for line in lines[0].splitlines() if "#" in line]
    assert [c.split()[1] for c in commands] == [
        "rate",
        "versus",
        "slices",
        "judges",
        "judges",
        "threshold",
        "aggregate",
        "next",
    ]
    for command in commands:
        words = command.split()[1:]
        assert run([w for w in words if w not in ("labels.csv", "to_label.csv", "-o")]) in (0, 1), (
            command
        )
    assert "labelled for both" in lines[1]


def test_more_labels_leave_less_missing(tmp_path, capsys):
    rows = FILE.read_text(encoding="utf-8").splitlines()
    bare = tmp_path / "bare.csv"
    bare.write_text("\n".join(row.rsplit(",", 1)[0] for row in rows), encoding="utf-8")
    run(["columns", str(bare), "--json"])
    missing = {m["question"]: m["needs"] for m in json.loads(capsys.readouterr().out)["missing"]}
    needs = missing["the rate of each system to within 10 points"]
    for system, part in example("support-bot").split("system").items():
        votes = part.votes
        given = votes.codes[votes.codes != NOT_ANSWERED]
        share = float((given == votes.answers.index("pass")).mean())
        planned = ae.plan(half_width=0.1, rate=share, items=200)
        assert f"{planned.labels} of {system}" in needs
    assert run(["columns", "--example", "mt-bench"]) == 2
