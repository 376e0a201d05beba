"""`algeval figure`: every kind once, options where they belong, a start that stays fast."""

import csv
import importlib
import subprocess
import sys

import pytest

from algeval.cli.main import run
from algeval.report.figures import KINDS
from algeval.report.figures.drawing import OF_SCORES, TABLE, options_of

OF_DATA = [kind for kind, told in TABLE.items() if told.command == "figure"]

GIVEN = {
    "accuracies": ["--methods", "majority", "--ceiling", "90%", "--intervals", "5"],
    "agreement": ["--measure", "kappa"],
    "confusion": ["--method", "majority", "--page", "1"],
    "posterior": ["--method", "majority"],
    "disagreement": ["--most", "3"],
    "reliability": ["--methods", "majority"],
    "learning-curve": ["--methods", "majority", "--measure", "log_loss"],
    "threshold-curve": ["--time-limit", "5"],
    "panel-curve": ["--levels", "60%,90%"],
    "bounds": ["--of", "accuracy"],
    "conflicts": ["--at-least", "0.9"],
    "loadings": ["--most", "4"],
    "attributes": ["--attributes", "length"],
    "shift": ["--attributes", "length", "--method", "median"],
    "correctness": ["--q", "10,20", "--judges", "x,y,z"],
    "rate": ["--good", "y"],
    "thresholds": ["--levels", "1/2"],
}


@pytest.fixture
def table(tmp_path, make_rows):
    path = tmp_path / "votes.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(make_rows)
    return path


@pytest.fixture
def make_rows():
    rows = [["item", "w", "x", "y", "z", "gold"]]
    for k in range(30):
        truth = k % 3 > 0
        said = [truth ^ (k % m == 0) for m in (5, 7, 11, 4)]
        rows.append([f"i{k}", *("ny"[one] for one in said), "ny"[truth]])
    return rows


@pytest.fixture
def scores(tmp_path):
    path = tmp_path / "scores.csv"
    rows = [["item", *"vwxyz", "length", "gold"]]
    for k in range(90):
        quality, length = k % 7, k * k % 5
        drawn = [
            a * quality + b * length + k * a * a % 11
            for a, b in ((5, 0), (4, 0), (3, 1), (1, 4), (2, 4))
        ]
        rows.append([f"i{k}", *drawn, length, k % 2])
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


@pytest.mark.parametrize("kind", OF_DATA)
def test_every_kind_is_drawn(kind, table, scores, tmp_path, capsys):
    out = tmp_path / "figure.svg"
    told = scores if kind in OF_SCORES else table
    code = run(["figure", kind, str(told), "--human", "gold", "-o", str(out), *GIVEN.get(kind, [])])
    told = capsys.readouterr()
    assert (code, told.err) == (0, "")
    assert f"{kind} written to" in told.out
    assert out.read_text(encoding="utf-8").startswith("<svg ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["bounds", "--page", "2"], "--page must come with confusion; got bounds; leave it out"),
        (
            ["posterior", "--time-limit", "3"],
            "--time-limit must come with threshold-curve, panel-curve, bounds, conflicts; got posterior",
        ),
        (["accuracies", "--stage", "all"], "--stage must come with evaluations; got accuracies"),
        (["pie"], "got 'pie'"),
        (["rule-risks"], "'rule-risks' is not drawn from votes; use plot() of the result"),
        (["plan"], "'plan' is not drawn from votes; use algeval plan --plot"),
        (["correctness", "--q", "1,x"], "--q must be whole numbers"),
    ],
)
def test_what_does_not_belong_is_refused_in_a_sentence(arguments, sentence, tmp_path, capsys):
    out = str(tmp_path / "x.svg")
    assert run(["figure", *arguments, "--example", "mt-bench", "-o", out]) == 2
    told = capsys.readouterr().err
    assert sentence in told
    assert len(told.strip().splitlines()) <= 3


def test_help_has_a_line_for_every_kind_of_votes_and_scores(capsys):
    assert run(["figure", "--help"]) == 0
    text = capsys.readouterr().out
    for kind, told in TABLE.items():
        assert (f"{kind} " in text) == (kind in OF_DATA)
        assert (told.line in text) == (kind in OF_DATA)
    assert "algeval figure accuracies --example acs -o accuracies.svg" in text


def test_a_kind_that_is_not_drawn_from_votes_has_a_command_that_takes_the_option():
    elsewhere = {name: kind.command for name, kind in TABLE.items() if kind.command != "figure"}
    assert elsewhere == {
        "difference": "versus --plot",
        "label-plan": "plan --plot",
        "leaderboard": "leaderboard --plot",
        "plan": "plan --plot",
        "slices": "slices --plot",
        "rule-risks": None,
        "label-stream": None,
        "reach": "plan --plot",
    }
    group = importlib.import_module("algeval.cli.main").cli
    for told in filter(None, elsewhere.values()):
        name, option = told.split()
        command = group.get_command(None, name)
        assert option in {o for parameter in command.params for o in parameter.opts}, told


def test_every_option_of_the_command_belongs_to_some_kind():
    from algeval.cli.questions import figure

    reading = {"votes", "example"}
    own = {p.name for p in figure.params} - {*reading, "kind", "output"}
    own = {name for name in own if not name.startswith("read_")}
    assert own
    assert own <= {name for kind in KINDS for name in options_of(kind)}


def test_the_list_of_commands_stays_fast():
    code = (
        "import sys\n"
        "from algeval.cli.main import run\n"
        "run(['--help'])\n"
        "print([m for m in ('scipy', 'matplotlib', 'algeval.report') if m in sys.modules])\n"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.splitlines()[-1] == "[]"
