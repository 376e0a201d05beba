"""-o FILE and --output-table of the commands that print a result."""

import csv
import json

import click
import duckdb
import pytest

import algeval as ae
from algeval.cli.main import cli, run

CONTEXT = click.Context(cli, info_name="algeval")
OPTIONS = {
    name: {o for p in cli.get_command(CONTEXT, name).params for o in p.opts}
    for name in cli.list_commands(CONTEXT)
}
VOTES = {"x": "aabbabab", "y": "abbbabab", "z": "aababbab"}
NO_RESULT = {
    "sketch",
    "examples",
    "verify",
    "columns",
    "watch",
}  # --save and --state write what the last two have


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answers = enumerate(zip(*VOTES.values(), strict=True))
    rows = ["item,x,y,z", *(",".join([f"q{n}", *row]) for n, row in answers)]
    (tmp_path / "votes.csv").write_text("\n".join(rows))
    return tmp_path


def rows_of(path, delimiter=","):
    with open(path, newline="", encoding="utf-8") as stream:
        return list(csv.reader(stream, delimiter=delimiter))


def parquet(path):
    found = duckdb.sql(f"SELECT * FROM '{path}'")
    return found.columns, found.fetchall()


def test_every_command_that_prints_a_result_as_json_writes_it_to_a_file():
    printing = {name for name, options in OPTIONS.items() if "--json" in options} - NO_RESULT
    assert len(printing) > 15
    assert printing == {name for name, o in OPTIONS.items() if {"--json", "-o"} <= o} - NO_RESULT
    assert printing - {"replicate"} == {
        name for name, o in OPTIONS.items() if "--output-table" in o
    }


@pytest.mark.parametrize("name", OPTIONS)
def test_no_command_has_two_options_of_one_name(name):
    command = cli.get_command(CONTEXT, name)
    told = [option for param in command.params for option in (*param.opts, *param.secondary_opts)]
    assert len(told) == len(set(told))
    assert len(command.params) == len({param.name for param in command.params})


def test_a_file_holds_the_frame_and_the_screen_what_it_held_without(folder, capsys):
    assert run(["bounds", "votes.csv", "--order", "1"]) == 0
    printed = capsys.readouterr().out
    assert run(["bounds", "votes.csv", "--order", "1", "-o", "b.parquet"]) == 0
    assert capsys.readouterr().out == printed
    frame = ae.bounds(folder / "votes.csv", order=1).to_frame("polars")
    assert parquet(folder / "b.parquet") == (frame.columns, frame.rows())


def test_another_table_is_named_by_its_title_and_markdown_has_all(folder, capsys):
    words = ["compare", "votes.csv", "--methods", "majority", "--no-intervals"]
    assert run([*words, "-o", "m.tsv", "--output-table", "METHODS"]) == 0
    assert rows_of(folder / "m.tsv", "\t") == [
        ["method", "status", "assumes"],
        ["majority", "ok", "the majority is right"],
    ]
    assert run([*words, "-o", "m.md"]) == 0
    assert (folder / "m.md").read_text().count("\n## ") == 3
    capsys.readouterr()
    assert run([*words, "-o", "m.csv", "--output-table", "method"]) == 2
    told = "['Side by side', 'Methods', 'Numbers']; got 'method'; did you mean 'Methods'?"
    assert f"--output-table must be one of {told}" in capsys.readouterr().err
    assert not (folder / "m.csv").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["-o", "x.xlsx"], "must end in .v, .csv, .tsv, .parquet, .md or .json; got 'x.xlsx'"),
        (["-o", "x"], "got 'x'; rename it"),
        (["-o", "no/x.csv"], "--output must lie in a folder that exists; got 'no/x.csv'; make 'no' first"),
        (["--output-table", "Ranges"], "--output-table must come with -o FILE of .csv, .tsv"),
        (["--output-table", "Ranges", "-o", "x.md"], "--output-table must come with -o FILE of .csv"),
    ],
)  # fmt: skip
def test_what_cannot_be_written_is_refused_before_anything_is_read(words, told, folder, capsys):
    assert run(["bounds", "there-is-no-such-file.csv", *words]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
def test_aggregate_writes_the_label_and_the_posteriors_of_each_item(ending, folder, capsys):
    words = ["aggregate", "votes.csv", "--method", "majority", "--no-intervals", "-o"]
    assert run([*words, f"l.{ending}"]) == 0
    if ending == "parquet":
        head, rows = parquet(folder / "l.parquet")
    else:
        head, *rows = rows_of(folder / f"l.{ending}", "," if ending == "csv" else "\t")
    assert list(head) == ["item", "label", "p(a)", "p(b)"]
    majority = [max("ab", key=votes.count) for votes in zip(*VOTES.values(), strict=True)]
    assert [row[1] for row in rows] == majority
    assert all(float(row[2]) + float(row[3]) == pytest.approx(1) for row in rows)


def test_other_forms_that_commands_know_are_written(folder, capsys):
    for name in ("x.lp", "x.csv", "x.json"):
        assert run(["program", "votes.csv", "--at-least", "0.5", "-o", name]) == 0
    assert "Subject To" in (folder / "x.lp").read_text()
    assert rows_of(folder / "x.csv")[0] == ["name", "constraint"]
    assert json.loads((folder / "x.json").read_text())["schema"] == "algeval.program/1"
    assert run(["next", "votes.csv", "--n", "2", "-o", "sheet.csv"]) == 0
    assert rows_of(folder / "sheet.csv")[0] == ["item", "wave", "strategy", "inclusion", "truth"]
    assert run(["report", "votes.csv", "--no-intervals", "-o", "r.csv"]) == 0
    assert rows_of(folder / "r.csv")[0][0] == "judge"
    assert run(["replicate", "001", "--only", "001-n4", "-o", "claims.csv"]) == 0
    assert rows_of(folder / "claims.csv")[1][0] == "001-n4"


def test_counts_and_votes_are_written_in_the_same_forms_and_read_again(folder, capsys):
    for name in ("c.json", "c.csv", "c.parquet"):
        assert run(["sketch", "votes.csv", "-o", name]) == 0
    sketch = ae.read_sketch(folder / "c.json")
    counts = [row[-1] for row in parquet(folder / "c.parquet")[1]]
    assert counts == sketch.counts.tolist()
    assert [int(row[-1]) for row in rows_of(folder / "c.csv")[1:]] == counts
    for name in ("v.csv", "v.parquet", "v.json"):
        assert run(["simulate", "--items", "30", "-o", name]) == 0
    by_hand, columns = (
        ae.read_votes(folder / name, key="truth") for name in ("v.csv", "v.parquet")
    )
    assert by_hand == columns == ae.load(folder / "v.json")


NO_VERDICTS_READ = {
    "replicate",
    "simulate",
    "examples",
    "merge",
    "figure",
    "verify",
    "plan",
    "skill",
}


@pytest.mark.parametrize(
    "name", sorted(n for n in OPTIONS if "-o" in OPTIONS[n] and n not in NO_VERDICTS_READ)
)
def test_no_command_writes_over_the_table_that_it_reads(name, folder, capsys):
    before = (folder / "votes.csv").read_text()
    assert run([name, "votes.csv", "-o", "./votes.csv"]) == 2
    assert "--output must be another file than those that are read" in capsys.readouterr().err
    assert (folder / "votes.csv").read_text() == before


def test_a_table_is_not_written_over_by_its_columns_or_the_changed_items(folder, capsys):
    (folder / "new.csv").write_text((folder / "votes.csv").read_text())
    commands = ["columns votes.csv --save", "drift votes.csv new.csv --to-label"]
    for command in map(str.split, commands):
        assert run([*command, "votes.csv"]) == 2
        assert f"{command[-1]} must be another file" in capsys.readouterr().err
    (folder / "gold.csv").write_text("item,truth\nq0,a\nq1,a\n")
    assert run(["judges", "votes.csv", "--human", "gold.csv", "-o", "gold.csv"]) == 2


def test_a_second_sheet_spares_what_people_wrote_in_the_first(folder, capsys):
    draw = ["next", "votes.csv", "--good", "a", "--n", "3", "-o", "sheet.csv"]
    assert run(draw) == 0
    assert run(draw) == 0  # nobody wrote in it yet
    filled = (folder / "sheet.csv").read_text().replace(",\n", ",a\n")
    capsys.readouterr()
    for text in (filled, filled.replace(",", ";")):
        (folder / "sheet.csv").write_text(text)
        assert run(draw) == 2
        assert "and that loses nothing; got 'sheet.csv'" in capsys.readouterr().err
        assert run([*draw, "--human", "sheet.csv"]) == 2
        assert "must be another file than those that are read" in capsys.readouterr().err
        assert (folder / "sheet.csv").read_text() == text
    assert run([*draw[:-1], "all.csv", "--human", "sheet.csv"]) == 0
    rows = rows_of(folder / "all.csv")
    assert [row[-1] for row in rows[1:]].count("a") == 3
    assert len(rows) == 7


def test_a_report_says_which_file_it_wrote(folder, capsys):
    asked = ["report", "votes.csv", "--no-intervals"]
    run(asked)
    assert capsys.readouterr().out.rstrip().endswith("-o report.html for a page to share.")
    run([*asked, "-o", "page.html"])
    *_, advice, last = capsys.readouterr().out.splitlines()
    assert advice == "Add --full for everything, theory included."
    assert last == "page.html written"
    run([*asked, "-o", "table.csv"])
    assert capsys.readouterr().out.endswith("page to share.\ntable.csv written\n")
    run([*asked, "--json", "-o", "page.html"])
    assert "written" not in capsys.readouterr().out
