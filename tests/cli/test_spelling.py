"""Sentences name options as the caller types them: in Python, or at a command line."""

import ast
import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import algeval as ae
from algeval import errors
from algeval.cli.main import COMMANDS, _typed, cli, run
from algeval.errors import DataError, either_way, method_setting, option, parameter, refusal

ONE_LABEL = "item,x,y\n1,pass,pass\n2,pass,pass\n3,pass,pass\n"
BATTLES = "model_a,model_b,winner\n" + "m1,m2,m1\nm2,m1,m2\nm1,m3,m1\nm3,m2,m3\nm2,m3,m2\n" * 3
THREE = "item,x,y,z\n1,a,a,b\n2,b,b,b\n3,a,c,a\n"
LEAKS = {
    "labels": (ONE_LABEL, ["rate", "--good", "pass"], "name the others with --labels"),
    "cluster": (BATTLES, ["leaderboard"], "name the column with --cluster"),
    "prior": (THREE, ["aggregate", "--method", "dawid-skene"], "--set prior=2 steadies"),
}
PYTHON = re.compile(r"(?<![-\w])(labels|cluster|prior|judges|key|cut|missing|gold)=(?!\d)")


@pytest.mark.parametrize("name", LEAKS)
def test_notes_and_warnings_on_the_terminal_name_options(name, tmp_path, capsys):
    text, (command, *more), words = LEAKS[name]
    path = tmp_path / "v.csv"
    path.write_text(text)
    run([command, str(path), *more])
    out = capsys.readouterr().out
    assert words in " ".join(out.split())
    assert not PYTHON.search(out)


def test_the_same_sentences_name_parameters_in_python():
    votes = {"x": ["pass"] * 3, "y": ["pass"] * 3}
    assert any("with labels= when" in note for note in ae.rate(votes, "pass").remarks) or (
        "with labels= when" in ae.rate(votes, "pass").summary()
    )
    cells = {j: list(c) for j, c in {"x": "aba", "y": "abc", "z": "bba"}.items()}
    assert "prior=2 steadies" in ae.aggregate(cells, "dawid-skene").summary()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["alarm", "{v}", "--item", "nope"], "--item must name a column; got 'nope'"),
        (["rate", "{v}", "--good", "a", "--gold", "key"], "--human 'key' needs votes"),
        (["rate", "{v}", "--good", "a", "--level", "2"], "--level must be"),
        (["next", "{v}", "--n", "0"], "--n must be a whole number"),
        (["plan", "--half-width", "0.1", "--label-accuracy", "3"], "a plan with --half-width for"),
        (
            [
                "plan",
                "--budget",
                "9",
                "--accuracy",
                ".7",
                "--margin",
                ".1",
                *["--label-accuracy", "3"],
            ],
            "--label-accuracy must",
        ),
        (["next", "{v}", "--n", "1", "--goal", "difference"], "where --goal 'difference'"),
        (
            ["plan", "--budget", "9", "--accuracy", ".7", "--margin", ".1"],
            "--label-accuracy must be",
        ),
        (["plan", "--budget", "9", "--rate", ".7"], "must know --label-accuracy or the agreement"),
        (["sketch", "{v}", "--swap", "two"], "--swap is about the files of"),
        (["sketch", "{v}", "--count", "z", "--cut", "1"], "must be read without --cut"),
    ],
)
def test_refusals_name_options(arguments, words, tmp_path, capsys):
    path = tmp_path / "v.csv"
    path.write_text(THREE)
    assert run([a.format(v=path) for a in arguments]) == 2
    assert words in capsys.readouterr().err


def test_a_missing_that_reads_and_one_that_counts_are_told_apart(tmp_path, capsys):
    path = tmp_path / "v.csv"
    path.write_text(THREE.replace("3,a,c,a", "3,a,b,?"))
    run(["alarm", str(path), "--missing", "wrong"])
    assert "name them in --not-answered if they are" in capsys.readouterr().out


def by_run(arguments):
    run(arguments)


def by_click(arguments):
    CliRunner().invoke(cli, arguments)


@pytest.mark.parametrize("call", [by_run, by_click])
@pytest.mark.parametrize("arguments", [["examples"], ["rate", "no-such-file"], ["rate", "--no"]])
def test_python_is_spoken_again_after_a_command(call, arguments):
    call(arguments)
    assert option("judges") == "judges="
    assert (parameter("half_width"), either_way("p", "t")) == ("half_width", "p")
    assert method_setting("prior", 2) == "prior=2"
    error = refusal("level", "be below 1", 2, "change it")
    assert isinstance(error, DataError)
    assert str(error) == "level must be below 1; got 2; change it"


def test_an_option_that_the_command_lacks_is_spelled_as_in_python():
    with errors.spelled_as_typed({"half_width": "--half-width"}):
        assert (parameter("half_width"), option("judges")) == ("--half-width", "judges=")
    assert parameter("half_width") == "half_width"


def test_no_command_calls_two_options_alike():
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        typed = [o for p in command.params if isinstance(p, click.Option) for o in p.opts]
        assert len(typed) == len(set(typed)), name


SPELLING = {"option", "parameter", "either_way", "method_setting"}


def spelled_on_import(tree):
    """Lines that spell an option when a module is imported, before anybody has said who reads it."""
    left, lines = [tree], []
    while left:
        node = left.pop()
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            left += node.args.defaults + [d for d in node.args.kw_defaults if d is not None]
            continue
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) in SPELLING:
            lines.append(node.lineno)
        left += ast.iter_child_nodes(node)
    return lines


def test_no_sentence_is_spelled_before_its_reader_is_known():
    assert spelled_on_import(ast.parse("x = option('a')\ndef f():\n    option('b')")) == [1]
    root = Path(ae.__file__).parent
    early = {
        path.relative_to(root).as_posix(): lines
        for path in root.rglob("*.py")
        if (lines := spelled_on_import(ast.parse(path.read_text())))
    }
    assert early == {}


def test_an_option_of_two_names_is_called_by_its_first():
    command = cli.get_command(click.Context(cli), "next")
    typed = _typed(command.params)
    assert (typed["random"], typed["output"]) == ("--random", "--output")
    assert (typed["read_missing"], "votes" in typed) == ("--not-answered", False)


def test_a_range_of_prevalence_is_written_with_a_colon_low_end_first(capsys):
    assert run(["aggregate", "--example", "support-bot", "--prevalence", "0.1:0.9"]) == 0
    assert "'pass' between 10.0% and 90.0%" in capsys.readouterr().out
    assert run(["aggregate", "--example", "support-bot", "--prevalence", "0.9:0.1"]) == 2
    assert "LOW:HIGH with LOW below HIGH" in capsys.readouterr().err
