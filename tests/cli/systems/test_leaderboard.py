"""`algeval leaderboard`: what it prints, from a file and from a pipe, and what it refuses."""

import io
import json

import pytest

from algeval.cli.main import run

TABLE = "\n".join(
    [
        "prompt,model_a,model_b,winner,human",
        *(f"{q},{x},{y},{x if q % 5 else y},{x}" for q in range(30) for x, y in ("ab", "bc", "ac")),
        "",
    ]
)


def told(capsys, *arguments):
    code = run(["leaderboard", *arguments])
    out = capsys.readouterr()
    return code, out.out, out.err


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(TABLE)
    return str(path)


def test_the_table_of_ranks(table, capsys):
    code, out, err = told(capsys, table)
    assert (code, err) == (0, "")
    assert out.startswith("pairs.csv: a is first of 3 systems")
    assert "90 battles, 30 clusters by prompt; ties: davidson." in out


def test_json_and_a_pipe(table, capsys, monkeypatch):
    found = json.loads(told(capsys, table, "--json", "--level", "90%")[1])
    assert (found["schema"], found["level"]) == ("algeval.leaderboard/1", 0.9)
    assert [row["system"] for row in found["table"]] == ["a", "b", "c"]

    class Pipe:
        buffer = io.BytesIO(TABLE.encode())

    monkeypatch.setattr("sys.stdin", Pipe())
    assert told(capsys, "-")[1].startswith("standard input: a is first")


def test_gold_is_a_column(table, capsys):
    code, out, _ = told(capsys, table, "--human", "human")
    assert code == 1  # the truth is a chain: nobody is ever beaten by a lower one
    assert "The fit did not end" in out


def test_no_common_scale_is_code_1(tmp_path, capsys):
    (tmp_path / "chain.csv").write_text("model_a,model_b,winner\na,b,a\nc,d,c\n")
    code, out, _ = told(capsys, str(tmp_path / "chain.csv"))
    assert code == 1
    assert "no common scale" in out
    assert "Warning: battles are taken as independent" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--cluster", "promt"], "cluster must name a column; got 'promt'"),
        (["--level", "95"], "--level must be between 0 and 1; got 95"),
        (["--winner", "wins"], "must name a column; got 'wins'"),
        (["--ties", "elo"], "'elo' is not one of"),
    ],
)
def test_bad_input_is_one_line_and_code_2(arguments, message, table, capsys):
    code, out, err = told(capsys, table, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1
