"""A value that an option cannot have: one sentence that names the option, what must hold and what it got."""

import pandas as pd
import pytest

from algeval.cli.main import run


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    rows = [
        {"id": f"o{k}", "gpt": "pass" if k % 3 else "fail", "claude": "pass" if k % 4 else "fail"}
        | {"human": ("pass" if k % 3 else "fail") if k < 30 else None}
        for k in range(60)
    ]
    file = tmp_path_factory.mktemp("absurd") / "t.csv"
    pd.DataFrame(rows).to_csv(file, index=False)
    return str(file)


@pytest.mark.parametrize(
    ("command", "typed", "sentence"),
    [
        ("rate", "--cut abc", "--cut must be a number, or <= before one; got 'abc'; write X where"),
        ("rate", "--cut <=abc", "--cut must be a number, or <= before one; got '<=abc'; write X"),
        ("rate", "--cut human=x", "--cut must be a number, or <= before one; got 'x'; write X"),
        ("rate", "--level abc", "--level must be a number; got 'abc'; write it like 0.5"),
        ("next", "--n 3.5", "--n must be a whole number; got '3.5'; write it like 50"),
        (
            "next",
            "--goal rates",
            "--goal must be one of rate, difference, labels; got 'rates'; did you mean 'rate'?",
        ),
        ("next", "--goal pie", "--goal must be one of rate, difference, labels; got 'pie'; choose"),
        ("next", "--other=", "--other must name a file; got ''; write its path"),
        ("rate", "--cluster abc", "--cluster must be a column, or a file that exists; got 'abc'"),
        (
            "rate",
            "--cluster abc",
            "no column and no file is called so; choose one; the columns are 'id', ",
        ),
        ("judges", "--cluster iid", "called so; did you mean 'id'?; the columns are 'id', "),
        (
            "judges",
            "--same a=b=c",
            "one new name; got 'a=b=c', and no cell is 'a=b'; write it like yes=1",
        ),
        (
            "rate",
            "--drawn unequal --inclusion abc",
            "--inclusion must be a file that exists; got 'abc'; check",
        ),
        ("rate", "--labels a,a", "--labels must be distinct; got 'a' more than once"),
        ("rate", "--columns abc", "got 'abc', which does not exist; write it again"),
        ("rate", "--columns /", "got '/', a folder; write it again"),
        ("judges", "--alt-test abc", "--alt-test must be a finite number; got 'abc'"),
        ("judges", "--alt-test 4", "--alt-test must lie from 0 to 1; got '4'"),
        ("judges", "--labels-needed 3", "--labels-needed must be between 0 and 0.5; got 3.0"),
        ("judges", "--labels-needed 1e400", "--labels-needed must be less than 1e308 in size"),
        ("report", "--intervals 99999999999999999999", "--intervals must be a whole number from 0"),
        ("columns", "--attributes abc", "No such option '--attributes'"),
        ("leaderboard", "--count abc", "No such option '--count'"),
        ("rate", "--level 95%", "--level must be a number; got '95%'; write it as 0.95"),
        ("rate", "--level 95", "must be between 0 and 1; got 95.0; write 95 percent as 0.95"),
        ("report", "--html", "no option is called '--html'; -o report.html writes a page"),
        ("judges", "--csv", "no option is called '--csv'; -o FILE.csv writes one"),
        ("leaderboard", "--level 0.9", "systems of one column, each output judged by itself, are"),
        ("report", "--at-least [1", "the level must be a finite number; got '[1'"),
    ],
)
def test_it_is_refused_in_a_sentence(command, typed, sentence, path, capsys):
    assert run([command, path, *typed.split(" ")]) == 2
    said = capsys.readouterr().err.strip()
    assert sentence in said
    assert said.startswith("algeval: ")
    assert not any(word in said for word in ("Invalid value", "Error", "float", "integer"))


def test_what_is_no_option_keeps_its_name(capsys):
    assert run(["rate", "/no/such/file"]) == 2
    assert "source must be a file that exists; got '/no/such/file'" in capsys.readouterr().err
