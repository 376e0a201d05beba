"""`algeval leaderboard`: what it prints, from a file and from a pipe, and what it refuses."""

import io
import json

import pytest

import algeval as ae
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
    assert code == 0  # the truth is a chain: nobody is ever beaten by a lower one
    assert "too one-sided to be weighed with the judges' votes" in out


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
        (["--ties", "elo"], "got 'elo'"),
    ],
)
def test_bad_input_is_one_line_and_code_2(arguments, message, table, capsys):
    code, out, err = told(capsys, table, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1


# --- Judges and people of pairs, side by side.


@pytest.fixture
def judged_pairs(tmp_path):
    rows = ["question,left,right,j_sonnet,j_phi,lena"]
    labels = ["question,label"]
    for k in range(90):
        a, b = ("alpha", "beta", "gamma")[k % 3], ("beta", "gamma", "alpha")[k % 3]
        better = "left" if k % 5 else "right"
        other = "right" if k % 4 == 0 else better
        rows.append(f"q{k},{a},{b},{better},{other},{better if k % 3 == 0 else ''}")
        if k % 3 == 1:
            labels.append(f"q{k},{better}")
    (tmp_path / "t.csv").write_text("\n".join(rows))
    (tmp_path / "labels.csv").write_text("\n".join(labels))
    return tmp_path


@pytest.mark.parametrize(
    ("words", "battles", "labels"),
    [
        ((), 180, 30),
        (("--human", "lena"), 180, 30),
        (("--human", "lena", "--judges", "j_sonnet,j_phi"), 180, 30),
        (("--judges", "j_phi"), 90, 30),
        (("--human", "labels.csv"), 180, 60),
        (("--human", "labels.csv", "--ignore", "lena"), 180, 30),
        (("--same", "left=a,right=b"), 180, 30),
        (("--columns", "roles.toml"), 180, 30),
    ],
)
def test_the_options_on_reading_are_those_of_all_commands(
    judged_pairs, words, battles, labels, monkeypatch, capsys
):
    monkeypatch.chdir(judged_pairs)
    assert run(["columns", "t.csv", "--save", "roles.toml"]) == 0
    capsys.readouterr()
    _, out, err = told(capsys, "t.csv", *words, "--json")
    assert err == ""
    document = json.loads(out)
    assert (document["n_battles"], document["n_gold"]) == (battles, labels)


def test_pairs_are_pairs_whatever_of_their_columns_is_named(judged_pairs):
    table = judged_pairs / "t.csv"
    plain = ae.read_results(table)
    for words in (
        {"human": "lena", "judges": ["j_sonnet", "j_phi"]},
        {"human": "lena"},
        {"judges": ["j_sonnet", "j_phi"]},
    ):
        results = ae.read_results(table, **words)
        assert (results.layout, results.systems) == ("pairwise", plain.systems)
        assert results.human == plain.human
        assert list(results.judged) == ["j_sonnet", "j_phi"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--human", "nobody"), "--human must name a column; got 'nobody'"),
        (("--judges", "nobody"), "--judges must name columns or judges of t.csv; got 'nobody'"),
    ],
)
def test_who_is_not_there_is_refused(judged_pairs, words, sentence, capsys):
    code, _, err = told(capsys, str(judged_pairs / "t.csv"), *words)
    assert code == 2
    assert sentence in err
