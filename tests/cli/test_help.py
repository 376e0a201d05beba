"""Help that fits, is in order of questions, and whose examples run."""

import re
import shlex
import subprocess
import sys

import click
import pytest

from algeval.aggregate.registry import METHODS, SCORE_METHODS
from algeval.cli.main import COMMANDS, FRONT, GROUPS, cli, run
from algeval.cli.options import Former, Further

TUPLES = ["aaaa"] * 9 + ["bbbb"] * 9 + ["aaba", "abaa", "baaa", "abbb", "babb", "bbab"]
VOTES = "\n".join(
    [
        "item,gpt4,claude,gemini,gold",
        *(f"{i},{','.join(row[:3])},{row[3] * (i % 4 > 0)}" for i, row in enumerate(TUPLES)),
        "",
    ]
)
LOADINGS = [(7, 0), (6, 0), (5, 1), (1, 5), (1, 6), (2, 6)]
SCORES = "\n".join(
    [
        "item,i,j,k,l,m,n,length,gold",
        *(
            ",".join([str(q), *(str(a * (q % 7) + b * (q % 5) + q * q % 11) for a, b in LOADINGS)])
            + f",{q % 5},{q % 2}"
            for q in range(140)
        ),
        "",
    ]
)

PAIRS = "\n".join(
    [
        "prompt,model_a,model_b,winner",
        *(
            f"{q},{x},{y},{w}"
            for q in range(12)
            for x, y, w in (("u", "v", "u"), ("v", "u", "tie"))
        ),
        *(f"{q},u,v,v" for q in range(5)),
        "",
    ]
)


def told(capsys, *arguments):
    code = run(list(arguments))
    out = capsys.readouterr()
    return code, out.out, out.err


def examples_of(text):
    """Return the command lines of a help's examples."""
    block = re.search(r"^ *Examples?:\n((?: +.*\n?)+)", text, re.MULTILINE)
    assert block, text
    return [line.strip() for line in block[1].splitlines()]


@pytest.mark.parametrize("columns", [80, 100, 200])
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits(command, columns, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    code, out, err = told(capsys, *command.split(), "--help")
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= min(columns, 100)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_help_has_one_to_three_examples_of_the_command(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    lines = examples_of(told(capsys, command, "--help")[1])
    assert 1 <= len(lines) <= 3
    assert any(re.search(rf"\balgeval {command}\b", line) for line in lines)


def words_of(line):
    return [] if line.startswith("eval ") else shlex.split(line, comments=True)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_example_runs_and_ends_as_it_says(command, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("votes", "a", "b"):
        (tmp_path / f"{name}.csv").write_text(VOTES)
    (tmp_path / "scores.csv").write_text(SCORES)
    (tmp_path / "pairs.csv").write_text(PAIRS)
    (tmp_path / "verdicts.txt").write_text("pass\n" * 9 + "fail\n")
    for line in examples_of(told(capsys, command, "--help")[1]):
        words = words_of(line) or ["algeval", "completion", "bash"]
        assert words[0] == "algeval"
        said = re.search(r"# exit code (\d)", line)
        code, _, err = told(capsys, *words[1:])
        assert code == (int(said[1]) if said else 0), (line, err)
        for flag in ("-o", "--save"):
            if flag in words:
                assert (tmp_path / words[words.index(flag) + 1]).exists(), line


def test_the_first_help_has_the_commands_most_people_need_and_names_all(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    out = told(capsys, "--help")[1]
    front, more = out.split("\nCommands:\n")[1].split("\nMore commands", 1)
    assert [line.split()[0] for line in front.strip().splitlines()] == list(FRONT)
    for name in FRONT:
        assert COMMANDS[name].line in front
    assert "algeval results.csv" in out
    for name in set(COMMANDS) - set(FRONT):
        assert re.search(rf"\b{name}\b", more), name
    assert len(out.splitlines()) <= 45


def test_help_is_asked_for_in_either_way(capsys):
    assert told(capsys, "help") == told(capsys, "--help")
    assert "algeval help rate" in told(capsys, "rate", "--help")[1]
    assert "--not-answered" in told(capsys, "help", "reading")[1]
    code, out, err = told(capsys, "help", "raet")
    assert (code, out) == (2, "")
    assert "'rate'" in err


def shown_options(name, *, full=False):
    """Return the options that help of a command shows: its own, and those on reading."""
    context = click.Context(cli)
    command = cli.get_command(context, name)
    child = click.Context(command, parent=context, info_name=name)
    child.meta["algeval.full"] = full
    shown = [p for p in command.params if isinstance(p, click.Option) and p.get_help_record(child)]
    reading = [p for p in shown if p.name.startswith("read_") and p.name != "read_good"]
    return [p for p in shown if p not in reading], reading


@pytest.mark.parametrize("command", COMMANDS)
def test_no_help_shows_more_than_fifteen_options_of_its_own_and_four_on_reading(command):
    own, reading = shown_options(command)
    assert len(own) <= 15
    assert len(reading) <= 4


@pytest.mark.parametrize("command", COMMANDS)
def test_fuller_help_has_every_option_that_is_not_an_old_name_or_on_reading(command, capsys):
    out = told(capsys, "help", command)[1]
    params = cli.get_command(click.Context(cli), command).params
    for option in params:
        elsewhere = isinstance(option, Further) and option.about == "reading"
        if isinstance(option, click.Option) and not option.hidden and not elsewhere:
            assert option.opts[-1] in out
    left = len(shown_options(command, full=True)[0]) - len(shown_options(command)[0])
    more = re.search(
        r"(\d+) more options?: algeval help " + command, told(capsys, command, "--help")[1]
    )
    assert (int(more[1]) if more else 0) == left


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_no_old_name(command, capsys):
    old = [
        o
        for p in cli.get_command(click.Context(cli), command).params
        if isinstance(p, Former)
        for o in p.opts
    ]
    for text in (told(capsys, command, "--help")[1], told(capsys, "help", command)[1]):
        assert not [name for name in old if re.search(rf"{name}\b(?!-)", text)]


def test_the_list_of_all_commands_is_whole_at_80_columns_and_goes_by_question(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    out = told(capsys, "help", "more")[1]
    assert "..." not in out
    at = [out.index(f"{question}\n") for question in GROUPS]
    assert at == sorted(at)
    starts = set()
    for name, entry in COMMANDS.items():
        assert len(entry.line) <= 60
        line = next(x for x in out.splitlines() if re.match(rf" +{name} ", x))
        starts.add(line.index(entry.line))
    assert len(starts) == 1


def test_help_loads_no_array_library_and_no_command():
    program = (
        "import sys; from algeval.cli.main import run; run(['--help']); "
        "assert not {'numpy', 'scipy', 'sympy', 'algeval.cli.questions'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)


def test_the_methods_are_listed_a_line_each(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    out = told(capsys, "aggregate", "--help")[1]
    of_votes, of_scores = out.split("Methods for scores")
    for part, methods in ((of_votes, METHODS), (of_scores, SCORE_METHODS)):
        for name, method in methods.items():
            line = next(x for x in part.splitlines() if re.match(rf"  {name} ", x))
            assert method.assumes.startswith(line.split(None, 1)[1].strip())


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["reprot", "votes.csv"], "report"),
        (["alarm", "--exampel", "acs"], "--example"),
        (["alarm", "--example", "mtbench"], "mt-bench"),
        (["aggregate", "--example", "acs", "--method", "dawidskene"], "dawid-skene"),
        (["compare", "--example", "acs", "--methods", "majority,algbra"], "algebra"),
        (["figure", "acuracies", "--example", "acs", "-o", "x.svg"], "accuracies"),
        (["decode", "--example", "acs", "--engine", "penicl"], "pencil"),
        (["completion", "bsh"], "bash"),
    ],
)
def test_a_slip_is_answered_with_what_was_probably_meant(arguments, meant, capsys):
    code, out, err = told(capsys, *arguments)
    assert (code, out) == (2, "")
    assert re.search(rf"[Dd]id you mean .*'{meant}'.*\?", err), err
    assert len(err.strip().splitlines()) == 1


def test_a_name_like_none_is_sent_to_the_help(capsys):
    code, _, err = told(capsys, "qqqqqq")
    assert code == 2
    assert "see algeval --help" in err
