"""Columns that are asked about once, and kept: --yes, --save, columns.toml beside a table."""

import random

import pytest

import algeval as ae
from algeval.cli import main
from algeval.cli.main import run

HEADER = "id,gpt4o,claude,verdict"


@pytest.fixture
def table(tmp_path):
    rng = random.Random(1)
    rows = [f"s{k}," + ",".join(rng.choice(["pass", "fail"]) for _ in range(3)) for k in range(60)]
    path = tmp_path / "t.csv"
    path.write_text("\n".join([HEADER, *rows]) + "\n", encoding="utf-8")
    return path


def test_a_script_is_asked_once_with_the_answers_to_copy(table, capsys):
    assert run(["rate", str(table)]) == 2
    said = capsys.readouterr().err
    assert "Proposed: 'verdict' as human" in said
    assert "--human verdict or --judges gpt4o,claude,verdict or --ignore verdict" in said
    assert "--yes takes the first answer" in said
    with pytest.raises(ae.DataError) as caught:
        ae.read_results(table)
    assert caught.value.questions[0].columns == ("verdict",)
    assert not (table.parent / "columns.toml").exists()


def test_yes_takes_the_proposal_and_the_first_line_says_so(table, capsys):
    assert run(["rate", str(table), "--yes"]) in (0, 1)
    first, second = capsys.readouterr().out.splitlines()[:2]
    assert first.startswith("t.csv (columns as proposed, unconfirmed): ")
    assert second == "judges: gpt4o, claude; people: verdict"
    assert ae.read_results(table, yes=True).roles == ae.read_results(table, human="verdict").roles


def test_what_is_saved_beside_a_table_is_read_by_itself(table, tmp_path, capsys):
    assert run(["columns", str(table), "--yes", "--save"]) == 0
    assert (tmp_path / "columns.toml").exists()
    capsys.readouterr()
    assert run(["rate", str(table)]) in (0, 1)
    assert capsys.readouterr().out.startswith("t.csv (columns by columns.toml): ")
    assert ae.read_results(table).roles["verdict"] == "human"
    assert ae.read_votes(table).key is not None
    assert run(["rate", str(table), "--columns", "none"]) == 2
    other = tmp_path / "other.csv"
    other.write_text(table.read_text(encoding="utf-8").replace("verdict", "outcome"))
    assert run(["rate", str(other)]) == 2  # another header


def test_what_is_typed_beats_what_is_kept(table):
    assert run(["columns", str(table), "--yes", "--save"]) == 0
    judges = ["gpt4o", "claude", "verdict"]
    assert ae.read_results(table, judges=judges).votes.judges == tuple(judges)


def test_entries_of_other_tables_and_files_that_people_wrote_are_left_alone(
    table, tmp_path, capsys
):
    kept = tmp_path / "columns.toml"
    kept.write_text('[[table]]\n[table.columns]\nq = "item"  # mine\n', encoding="utf-8")
    assert run(["columns", str(table), "--yes", "--save"]) == 0
    assert "# mine" in kept.read_text(encoding="utf-8")
    kept.write_text("no toml [", encoding="utf-8")
    assert run(["rate", str(table)]) == 2
    assert "must be a file of columns" in capsys.readouterr().err
    assert kept.read_text(encoding="utf-8") == "no toml ["


def test_settings_are_kept_beside_the_columns(table, tmp_path):
    words = ["--human", "verdict", "--good", "fail"]
    assert run(["columns", str(table), *words, "--save", str(tmp_path / "a.toml")]) == 0
    assert ae.read_results(table, columns=tmp_path / "a.toml").good == "fail"


@pytest.mark.parametrize(("key", "kept"), [("y", True), ("n", False)])
def test_a_key_at_a_terminal_keeps_the_proposal(table, monkeypatch, capsys, key, kept):
    for stream in ("stdin", "stderr"):
        monkeypatch.setattr(getattr(main.sys, stream), "isatty", lambda: True, raising=False)
    monkeypatch.setattr(main.click, "getchar", lambda: key)
    code = run(["rate", str(table)])
    assert (table.parent / "columns.toml").exists() is kept
    assert (code in (0, 1)) is kept


def test_unnamed_columns_that_may_be_votes_are_named_as_not_used(tmp_path, capsys):
    path = tmp_path / "t.csv"
    rows = [f"s{k},{k % 2},{k % 2},{k % 2}" for k in range(40)]
    path.write_text("\n".join(["id,gpt4o,human,flagged_by_bot", *rows]) + "\n", encoding="utf-8")
    assert run(["rate", str(path), "--good", "1"]) in (0, 1)
    assert "not used: flagged_by_bot" in capsys.readouterr().out
