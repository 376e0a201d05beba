"""What the command line says of spellings, scores, counts and pipes."""

import io
import json
import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from algeval.cli import output
from algeval.cli.main import run
from algeval.data import Scores

SHARED = Path(os.environ.get("ALGEVAL_SHARED", Path(__file__).parents[2] / "../shared"))


@pytest.fixture
def call(capsys):
    def run_it(*arguments):
        code = run([str(a) for a in arguments])
        out = capsys.readouterr()
        assert code < 2 or "\n" not in out.err.rstrip("\n")
        return code, out.out, out.err

    return run_it


@pytest.fixture
def messy(tmp_path):
    path = tmp_path / "messy.csv"
    path.write_text("item,x,y\n1,Yes,yes\n2,NO,yes\n3,yes.,no\n4,no,no\n")
    return path


@pytest.fixture
def scores(tmp_path):
    draw = random.Random(1)
    rows = [f"{i},{draw.random():.3f},{draw.random():.3f}" for i in range(100)]
    path = tmp_path / "scores.csv"
    path.write_text("item,x,y\n" + "\n".join(rows) + "\n")
    return path


def test_merged_spellings_are_printed_as_a_note(call, messy):
    _, out, _ = call("alarm", messy)
    assert "Note: read as 'yes': 'Yes' (1 vote), 'yes.' (1 vote); --exact-labels keeps" in out
    _, out, _ = call("alarm", messy, "--exact-labels")
    assert "Note: read as" not in out
    assert "'yes.'" in out


def test_a_map_is_typed_as_pairs(call, messy):
    _, out, _ = call("alarm", messy, "--map", "yes=1,no=0")
    assert "Note: named '1': 'yes' (2 votes), 'Yes' (1 vote), 'yes.' (1 vote)" in out
    assert "the answer key '0'" in out


@pytest.mark.parametrize("text", ["yes", "=1", "yes=", "yes=1,yes=0"])
def test_a_bad_map_is_one_sentence(call, messy, text):
    code, out, err = call("alarm", messy, "--map", text)
    assert (code, out) == (2, "")
    assert "--map must give each answer one new name" in err


def test_conditions_are_folded_like_the_labels(call, messy):
    code, out, _ = call("alarm", messy, "--at-least", "accuracy(x, YES) >= 0.5")
    assert code == 0
    assert "accuracy of 'x' on label 'yes' >= 1/2" in out or "on label 'yes' >= 1/2" in out
    code, _, err = call("alarm", messy, "--exact-labels", "--at-least", "accuracy(x, YES) >= 0.5")
    assert code == 2
    assert "label 'YES' is not known" in err


@pytest.mark.parametrize("command", ["alarm", "threshold", "panel", "bounds", "evaluations"])
def test_scores_are_refused_at_once_and_cut_is_named(call, scores, command):
    start = time.perf_counter()
    code, out, err = call(command, scores)
    assert (code, out) == (2, "")
    assert "look like scores; pass --cut to make two labels of them" in err
    assert time.perf_counter() - start < 2


def test_scores_that_are_cut_or_labels_by_word_are_taken(call, scores, tmp_path):
    code, out, _ = call("alarm", scores, "--cut", "0.5", "--order", 1)
    assert code in (0, 1)
    assert "Note: scores cut" in out
    code, _, _ = call("sketch", scores)
    assert code == 0
    few = tmp_path / "few.csv"
    few.write_text("item,x,y\n" + "".join(f"{i},{i},{i}\n" for i in range(25)))
    assert call("alarm", few)[0] == 2
    assert call("alarm", few, "--exact-labels", "--order", 1)[0] == 0


def test_half_points_and_five_stars_are_labels(call, tmp_path):
    path = tmp_path / "stars.csv"
    path.write_text("item,x,y\n" + "".join(f"{i},{i / 2},{5 - i / 2}\n" for i in range(10)))
    assert call("alarm", path, "--order", 1)[0] in (0, 1)


def test_the_newcomers_scores_are_answered_in_two_seconds():
    path = SHARED / "newcomer" / "floats.csv"
    if not path.exists():
        pytest.skip("the shared file is not here")
    start = time.perf_counter()
    assert run(["threshold", str(path)]) == 2
    assert time.perf_counter() - start < 2


def test_tables_of_counts_are_read(call, tmp_path):
    path = tmp_path / "counts.csv"
    path.write_text("x,y,n,truth\na,a,5,a\nb,b,4,b\nA,b,1,b\n")
    code, out, _ = call("alarm", path, "--count", "n", "--key", "truth")
    assert code == 0
    assert "(10 items; judges " in out
    assert "Note: read as 'a': 'A' (1 vote); --exact-labels keeps" in out
    code, out, _ = call("sketch", path, "--count", "n", "--judges", "x,y")
    assert code == 0
    assert '"counts"' in out


def test_counts_are_read_with_and_without_their_option(call, tmp_path):
    path = tmp_path / "counts.csv"
    path.write_text("x,y,count\na,a,5\nb,b,4\n")
    code, out, _ = call("alarm", path)
    assert code == 0
    assert out.startswith("Read as counts: 9 items, 2 graders x, y; labels a, b;")
    assert call("alarm", path, "--count", "count")[0] == 0
    code, _, err = call("alarm", path, "--count", "count", "--item", "x")
    assert code == 2
    assert "must be read without --item" in err


@pytest.mark.parametrize("level", ["0." + "3" * 5000, "accuracy >= 1e-9999999", "1e-9999999"])
def test_endless_levels_are_one_sentence(call, messy, level):
    start = time.perf_counter()
    code, _, err = call("alarm", messy, "--at-least", level)
    assert code == 2
    assert len(err) < 300
    assert time.perf_counter() - start < 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_nobody_feeds_is_not_waited_for(call, tmp_path, monkeypatch):
    monkeypatch.setattr(output, "PATIENCE", 0.2)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    start = time.perf_counter()
    code, _, err = call("alarm", pipe)
    assert code == 2
    assert "got nothing from" in err
    assert time.perf_counter() - start < 5


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_that_is_fed_slowly_is_read_to_its_end(call, tmp_path, monkeypatch, messy):
    monkeypatch.setattr(output, "PATIENCE", 5.0)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def feed():
        time.sleep(0.1)
        with pipe.open("w") as stream:
            time.sleep(0.2)
            for line in messy.read_text().splitlines(keepends=True):
                stream.write(line)
                stream.flush()
                time.sleep(0.05)

    writer = threading.Thread(target=feed)
    writer.start()
    code, out, err = call("alarm", pipe)
    writer.join()
    assert (code, err) == (0, "")
    assert "(4 items; judges " in out


def test_closed_standard_input_is_one_sentence(call, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    code, _, err = call("alarm", "-")
    assert code == 2
    assert "standard input must be open" in err


def test_standard_input_is_read(call, monkeypatch, messy):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(messy.read_bytes())))
    assert call("alarm", "-")[0] == 0


@pytest.mark.skipif(sys.platform == "win32", reason="no C locale there")
def test_a_path_beyond_ascii_in_the_c_locale(messy):
    odd = messy.with_name("m\u00fc.csv")
    messy.rename(odd)
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    kept = {k: v for k, v in os.environ.items() if k != "LANG"}
    command = [
        sys.executable,
        "-c",
        "from algeval.cli import main; main()",
        "alarm",
        os.fsencode(odd),
    ]
    done = subprocess.run(command, env=kept | plain, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_saved_table_of_scores_is_refused_with_the_way_out(call, tmp_path):
    path = tmp_path / "scores.json"
    path.write_text(json.dumps(Scores.from_columns({"x": [1, 2.5], "y": [3, 4]}).to_dict()))
    for command in ("alarm", "sketch"):
        code, out, err = call(command, path)
        assert (code, out) == (2, "")
        assert "got Scores; call .cut(x) on them" in err


@pytest.mark.parametrize("judges", ["nope", "gpt4o,nope"])
@pytest.mark.parametrize("source", [["--example", "support-bot"], ["plain.csv"]])
def test_a_judge_that_no_column_is_called_is_refused(call, tmp_path, monkeypatch, judges, source):
    monkeypatch.chdir(tmp_path)
    rows = [f"{k},pass,fail,pass" for k in range(9)] + ["9,fail,pass,fail"]
    (tmp_path / "plain.csv").write_text("\n".join(["item,gpt4o,claude,human", *rows]))
    code, out, err = call("judges", *source, "--judges", judges)
    assert (code, out) == (2, "")
    assert "--judges must name a column; got 'nope'" in err


@pytest.fixture
def labels_beside(tmp_path):
    """A results table with what a system wrote, and a file of people's labels of some of its items."""
    rows = [f"q{k},Open page {k} of it,{'pass' if k % 3 else 'fail'},pass" for k in range(40)]
    table = tmp_path / "results.csv"
    table.write_text("\n".join(["id,answer,judge_a,judge_b", *rows]))
    labels = tmp_path / "week2.csv"
    labels.write_text(
        "id,human\n" + "".join(f"q{k},{'pass' if k % 4 else 'fail'}\n" for k in range(12))
    )
    return table, labels


@pytest.mark.parametrize("command", ["report", "rate", "judges", "next", "aggregate", "versus"])
def test_labels_beside_a_table_are_no_judge_and_no_system(command, call, labels_beside):
    for files in (labels_beside, labels_beside[::-1]):
        code, _, err = call(command, *files)
        assert code == 2
        assert "people's labels" in err
        assert "alone, with --human" in err


def test_a_file_of_labels_under_the_name_of_something_else_is_sent_to_human(call, labels_beside):
    table, labels = labels_beside
    code, _, err = call("rate", table, "--labels", labels)
    assert code == 2
    assert f"people's labels in a file: --human '{labels}'" in err
    code, _, err = call("merge", table, labels)
    assert code == 2
    assert "results.csv is a table" in err
    assert "name the table, with --human" in err


def test_short_verdicts_in_a_file_each_are_still_judges(call, tmp_path):
    for name in ("a", "b"):
        rows = "".join(f"q{k},does not pass {k % 4}\n" for k in range(40))
        (tmp_path / f"{name}.csv").write_text(f"id,answer\n{rows}")
    code, out, _ = call("alarm", tmp_path / "a.csv", tmp_path / "b.csv")
    assert code < 2
    assert "2 judges" in out or "No alarm" in out


def test_a_cut_of_scores_is_offered_only_where_labels_allow_it(call, tmp_path):
    for labels, offered in ((["good", "bad"], True), (["cat", "dog", "cow"], False)):
        table = tmp_path / f"{len(labels)}.csv"
        of = [labels[k % len(labels)] for k in range(60)]
        rows = [
            f"q{k},{of[k]},{of[k - (k % 5 == 0)]},0.{k + 10},{of[k] if k < 30 else ''}"
            for k in range(60)
        ]
        table.write_text("\n".join(["id,a_pred,b_pred,a_score,gold", *rows]))
        _, out, _ = call("judges", table)
        assert "numbers beside the verdicts, not used as votes: 'a_score'" in out
        assert ("--judges 'a_score' with --cut makes votes of them" in out) is offered
        code, _, err = call("judges", table, "--judges", "a_score", "--cut", "0.4")
        assert (code < 2) is offered
    assert "column 'gold' must hold numbers to be cut at 0.4 like the scores" in err
    assert "got 'cat', 'cow', 'dog'; leave it out with --ignore" in err


def test_a_sheet_of_labels_that_a_spreadsheet_saved_with_decimal_commas_is_read(call, tmp_path):
    rows = [
        f"q{k};{'gut' if k % 3 else 'schlecht'};{'gut' if k % 4 else 'schlecht'}" for k in range(60)
    ]
    table = tmp_path / "t.csv"
    table.write_text("\n".join(["id;bot_judge;Prüferin", *rows]))
    said = []
    for comma in (".", ","):
        sheet = tmp_path / "sheet.csv"
        lines = [f"q{k};1;random;0{comma}3333;{'gut' if k % 4 else 'schlecht'}" for k in range(20)]
        sheet.write_text("\n".join(["item;wave;strategy;inclusion;truth", *lines]))
        code, out, err = call("rate", table, "--ignore", "Prüferin", "--human", sheet)
        assert (code, err) == (0, "")
        said.append(out)
    assert said[0] == said[1]
    assert "20 labels" in said[0]


def test_spanish_column_names_of_another_encoding_are_read(call, tmp_path):
    rows = [f"{k};No;Dónde encuentro la factura del pedido {k}" for k in range(30)]
    table = tmp_path / "es.csv"
    table.write_bytes("\n".join(["Nº;Veredicto bot;Consulta", *rows]).encode("cp1252"))
    code, out, _ = call("columns", table)
    assert code == 0
    assert "Nº" in out
    assert "Consulta" in out


def with_labels_below(folder, column, cell):
    """Write a table with rows of labels alone below its own; return its path and its own rows."""
    rows = [
        f"q{k},{cell(k)},{'pass' if k % 3 else 'fail'},{'pass' if k < 9 else ''}" for k in range(40)
    ]
    more = [f"q{k},,,{'pass' if k % 2 else 'fail'}" for k in range(20, 30)]
    table = folder / "t.csv"
    table.write_text("\n".join([f"id,{column},judge_x,human", *rows, *more]))
    return table, rows


def test_rows_of_labels_without_any_verdict_have_a_rate(call, tmp_path):
    table, _ = with_labels_below(tmp_path, "system", lambda k: "ab"[k % 2])
    code, out, _ = call("rate", table, "--prompt", "id")
    assert code < 2
    assert "raw judge votes" in out


def test_labels_appended_below_a_table_are_asked_about_as_such(call, tmp_path):
    table, rows = with_labels_below(tmp_path, "answer", "words of it {}".format)
    code, _, err = call("rate", table)
    assert code == 2
    assert "Are rows with labels alone below the table? Keep them in a file of their own" in err
    assert "name it with --human" in err
    again = [
        f"q{k},words of it {k},{'pass' if k % 5 else 'fail'},{'pass' if k < 9 else ''}"
        for k in range(40)
    ]
    table.write_text("\n".join(["id,answer,judge_x,human", *rows, *again]))
    assert "Keep them" not in call("rate", table)[2]
