"""The command line as a user meets it: what it prints, its exit codes, its one-line errors."""

import json
import subprocess
import sys

import pytest

from algeval.cli.main import cli, run

MAIN = "from algeval.cli import main; main()"


@pytest.fixture
def call(capsys):
    def run_it(*arguments):
        code = run([str(a) for a in arguments])
        out = capsys.readouterr()
        return code, out.out, out.err

    return run_it


@pytest.fixture
def votes_file(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("item,x,y,z\n1,a,a,b\n2,b,b,b\n3,a,b,a\n4,b,,b\n5,a,a,a\n", encoding="utf-8")
    return path


def test_threshold_of_the_two_graders(call):
    code, out, err = call("threshold", "--example", "mt-bench-summary", "--order", 1)
    assert (code, err) == (0, "")
    assert "2/3" in out
    assert out.count("Verified (") == 3  # the level, the level above it, and the answer keys
    code, out, _ = call("threshold", "--example", "mt-bench-summary", "--json")
    document = json.loads(out)
    assert (document["lower"], document["upper"], document["exact"]) == ("2/3", "2/3", True)
    assert document["answer_keys"] == [[6, 15, 4]]
    assert document["key_count"] == 1


@pytest.mark.parametrize(("level", "code"), [("0.66", 0), ("2/3", 0), ("0.67", 1), ("67%", 1)])
def test_alarm_exit_codes(call, level, code):
    found, out, err = call("alarm", "--example", "mt-bench-summary", "--at-least", level)
    assert (found, err) == (code, "")
    assert ("No alarm" in out) == (code == 0)
    assert "Certificate. Verified (" in out


def test_saved_certificates_verify_without_the_package_dependencies(call, tmp_path):
    code, out, _ = call(
        "alarm", "--example", "mt-bench-summary", "--at-least", "0.67", "--save", tmp_path
    )
    assert code == 1
    assert "Check it yourself" in out
    files = [str(tmp_path / "certificate.json"), str(tmp_path / "summary.json")]
    command = [sys.executable, "-S", "-m", "algeval.verify", *files]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0
    assert "impossible whatever the answer key" in checked.stdout
    assert call("verify", *files)[0] == 0
    document = json.loads((tmp_path / "certificate.json").read_text())
    document["claim"]["specification"]["conditions"][0]["value"] = "1/2"
    (tmp_path / "certificate.json").write_text(json.dumps(document))
    assert call("verify", *files)[0] == 1


def test_decode_of_the_census_example(call):
    code, out, _ = call("decode", "--example", "acs", "--json")
    assert code == 0
    document = json.loads(out)
    assert document["status"] == "irrational"
    prevalence = document["evaluations"][0]["prevalence"][0]
    value = eval_quadratic(prevalence)
    assert value == pytest.approx(0.088745250126, abs=1e-12)
    code, out, _ = call("decode", "--example", "acs")
    assert "8.8745%" in out
    assert "exactly independent" in out


def eval_quadratic(number):
    from fractions import Fraction

    return float(Fraction(number["a"])) + float(Fraction(number["b"])) * number["sqrt"] ** 0.5


def test_evaluations_by_both_engines(call, tmp_path):
    summary = {
        "schema": "algeval.summary/1",
        "judges": ["i"],
        "labels": ["a", "b"],
        "answers": ["a", "b"],
        "counts": [[4, 6]],
        "n_items": 10,
    }
    path = tmp_path / "one.json"
    path.write_text(json.dumps(summary))
    for engine in ("lattice", "pulp"):
        code, out, _ = call("evaluations", path, "--engine", engine, "--most", 3, "--json")
        assert code == 0
        assert json.loads(out)["count"] == 35
        assert len(json.loads(out)["points"]) == 3


def test_evaluations_of_one_answer_key(call):
    keyed = ("evaluations", "--example", "mt-bench-summary", "--q", "6,15,4", "--json")
    document = json.loads(call(*keyed)[1])
    assert document["count"] == 13825
    assert all(point["key_counts"] == [6, 15, 4] for point in document["points"])


def test_report_of_the_example_is_quiet_and_complete(call):
    code, out, err = call("report", "--example", "mt-bench", "--full")
    assert (code, err) == (0, "")
    for words in (
        "25 items, 3 judges",
        "full order",
        "algebra",
        "majority",
        "Side by side",
    ):
        assert words in out, words
    assert "Table I" in out


def test_report_with_a_standard_guards_a_pipeline(call, votes_file, tmp_path):
    page = tmp_path / "report.html"
    code, out, err = call("report", votes_file, "--at-least", "1", "--full", "-o", page)
    assert (code, err) == (1, "")
    assert "ALARM" in out
    assert "1 of 15 votes are missing" in out
    html = page.read_text(encoding="utf-8")
    assert html.startswith("<!doctype html>")
    assert "votes.csv" in html
    code, _, _ = call("report", votes_file, "--at-least", "0.1")
    assert code == 0


def test_report_json_holds_every_verdict(call, votes_file):
    code, out, _ = call("report", votes_file, "--json")
    assert code == 0
    document = json.loads(out)
    assert document["schema"] == "algeval.report/1"
    assert document["verified"] >= 3
    titles = [section["title"] for section in document["sections"]]
    assert len(titles) >= 5


def test_a_key_changes_no_estimate(call, tmp_path):
    rows = ["item,x,y,z,gold", "1,a,a,b,a", "2,b,b,b,b", "3,a,b,a,a", "4,b,a,b,b", "5,a,a,a,b"]
    path = tmp_path / "keyed.csv"
    path.write_text("\n".join(rows) + "\n")
    judges = ("--judges", "x,y,z")
    keyed = json.loads(call("compare", path, *judges, "--key", "gold", "--json")[1])
    blind = json.loads(call("compare", path, *judges, "--ignore", "gold", "--json")[1])
    assert keyed["truth"] is not None
    assert blind["truth"] is None
    for a, b in zip(keyed["estimates"], blind["estimates"], strict=True):
        assert a | {"score": None} == b | {"score": None}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["report"], "name one votes file"),
        (["report", "votes.csv", "--example", "mt-bench"], "name one votes file"),
        (["report", "nowhere.csv"], "nowhere.csv"),
        (["alarm", "--example", "nothing"], "mt-bench"),
        (["alarm", "--example", "mt-bench", "--at-least", "60"], "must lie in [0, 1]; got 60"),
        (["alarm", "--example", "mt-bench", "--order", "none"], "--order must be"),
        (["threshold", "--example", "mt-bench", "--judges", "nobody"], "'nobody' is not known"),
        (
            ["decode", "--example", "mt-bench-summary"],
            "decode must see votes; got counts per judge",
        ),
        (["alarm", "--example", "mt-bench", "--key", "gold"], "--key describes a votes file"),
        (
            ["report", "--example", "mt-bench", "-o", "report.pdf"],
            "--output must end in .html, .txt, .csv, .tsv, .parquet, .md or .json; got 'report.pdf'",
        ),
        (["verify", "nowhere.json", "nowhere.json"], "cannot be read"),
        (["alarm", "--example", "mt-bench", "--time-limit", "nan"], "must be seconds from 0 on"),
        (["alarm", "--example", "mt-bench", "--time-limit", "-1"], "must be seconds from 0 on"),
        (["evaluations", "--example", "mt-bench", "--most", "-1"], "-1 is not in the range"),
        (["simulate", "--seed", "-1"], "-1 is not in the range"),
        (["simulate", "--items", "999999999999"], "is not in the range"),
        (["simulate", "--accuracy", "2"], "--accuracy must lie in [0, 1]"),
        (
            ["aggregate", "--example", "mt-bench", "--method", "mace", "--set", "knowing=3"],
            "--set must give values that 'mace' can use; got 'knowing=3'",
        ),
        (
            ["aggregate", "--example", "mt-bench", "--method", "ising", "--set", "ridge=x"],
            "ridge must be at least 0; got 'x'; change it",
        ),
        (["report", "--example", "mt-bench", "-o", "no/folder/r.html"], "no/folder"),
        (["decode", "--example", "mt-bench", "--judges", "gpt4,authors"], "pass --judges with"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(call, arguments, words):
    code, out, err = call(*arguments)
    assert code == 2, (out, err)
    assert words in err
    assert len(err.strip().splitlines()) == 1
    assert "Traceback" not in err


def test_internal_errors_ask_for_a_report(call, monkeypatch):
    monkeypatch.setattr("algeval.io.example_names", lambda: 1 / 0)
    code, _, err = call("examples")
    assert code == 70
    for words in ("please report the command", "algeval --version", "ALGEVAL_TRACEBACK=1"):
        assert words in err
    assert len(err.strip().splitlines()) == 1


def test_every_command_has_help(call):
    for name in cli.list_commands(None):
        code, out, _ = call(name, "--help")
        assert code == 0
        assert "Usage: algeval" in out


def test_simulated_votes_can_be_read_back(call, tmp_path):
    code, out, _ = call("simulate", "--items", 200, "--seed", 1, "--missing", "0.1")
    assert code == 0
    path = tmp_path / "simulated.csv"
    path.write_text(out)
    code, out, _ = call("sketch", path, "--item", "item", "--key", "truth")
    assert code == 0
    assert sum(json.loads(out)["counts"]) == 200


def test_aggregate_writes_labels(call, votes_file, tmp_path):
    target = tmp_path / "labels.csv"
    code, out, _ = call("aggregate", votes_file, "--method", "majority", "-o", target)
    assert code == 0, out
    lines = target.read_text().splitlines()
    assert lines[0] == "item,label,p(a),p(b)"
    assert len(lines) == 6
    assert lines[2].startswith("2,b,")


def test_no_command_shows_the_help_as_it_is_written(call):
    code, out, err = call()
    assert (code, out) == (2, "")
    assert "\nCommands:\n" in err


def test_votes_come_from_a_pipe(votes_file):
    def run_it(*arguments, text):
        command = [sys.executable, "-c", MAIN, *arguments]
        return subprocess.run(command, input=text, capture_output=True, text=True, check=False)

    text = votes_file.read_text()
    for name in ("-", "/dev/stdin"):
        found = run_it("sketch", name, text=text)
        assert found.returncode == 0, found.stderr
        assert sum(json.loads(found.stdout)["counts"]) == 5
    empty = run_it("sketch", "-", text="")
    assert empty.returncode == 2
    assert "got an empty file" in empty.stderr


def test_a_closed_pipe_is_no_alarm():
    command = f"{sys.executable} -c '{MAIN}' simulate --items 100000"
    script = f"set -o pipefail; {command} | head -1; exit ${{PIPESTATUS[0]}}"
    found = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert found.returncode == 141
    assert found.stderr == ""


@pytest.mark.parametrize(
    "command", ["alarm", "threshold", "panel", "bounds", "evaluations", "aggregate", "compare"]
)
def test_every_command_says_what_reading_left_out(call, tmp_path, command):
    path = tmp_path / "keyed.csv"
    path.write_text("item,x,y,z,gold\n1,a,a,b,a\n2,b,b,b,b\n3,a,b,a,a\n4,b,a,b,b\n")
    _, out, _ = call(command, path)
    assert "labelled by people ('gold')" in out
    _, out, _ = call(command, path, "--json")
    assert any("labelled by people ('gold')" in note for note in json.loads(out)["notes"])


def test_names_with_commas_stand_in_quotes(call, tmp_path):
    path = tmp_path / "commas.csv"
    path.write_text('item,"x, y",z\n1,"a, b",c\n2,c,c\n')
    names = ("--judges", '"x, y", z', "--labels", 'c,"a, b"')
    document = json.loads(call("sketch", path, *names)[1])
    assert document["judges"] == ["x, y", "z"]
    assert document["labels"] == ["c", "a, b"]


def test_texts_that_mean_missing_can_be_named(call, tmp_path):
    path = tmp_path / "marks.csv"
    path.write_text("item,x,y\n1,a,?\n2,b,b\n3,-,a\n")
    _, out, _ = call("alarm", path)
    assert "look like missing votes: '-', '?'; name them in --not-answered" in out
    code, out, _ = call("report", path, "--not-answered", "?,-", "--full")
    assert code == 0
    assert "2 of 6 votes are missing" in out


def test_the_line_to_check_a_proof_can_be_pasted(call, tmp_path):
    folder = tmp_path / "my proofs"
    _, out, _ = call("alarm", "--example", "mt-bench-summary", "--save", folder)
    line = next(line for line in out.splitlines() if line.startswith("Check it yourself: "))
    command = line.removeprefix("Check it yourself: ").replace("python3", sys.executable, 1)
    checked = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    code, _, err = call("alarm", "--example", "mt-bench-summary", "--save", folder / "summary.json")
    assert code == 2
    assert "got File exists; check the path" in err


def test_an_open_alarm_and_an_impossible_standard_are_not_quiet(call):
    code, out, _ = call("bounds", "--example", "mt-bench-summary", "--at-least", "0.9")
    assert code == 1, out
    code, out, _ = call(
        "alarm",
        "--example",
        "mt-bench",
        "--at-least",
        "0.55",
        "--time-limit",
        "0",
        "--order",
        "full",
    )
    assert code == 1
    assert "Open" in out or "Alarm" in out


def test_many_labels_are_counted_in_time(call, tmp_path):
    import random

    draw = random.Random(0)
    rows = [",".join([str(i), *(str(draw.randrange(101)) for _ in range(3))]) for i in range(300)]
    path = tmp_path / "scores.csv"
    path.write_text("item,x,y,z\n" + "\n".join(rows) + "\n")
    code, out, _ = call("threshold", path, "--order", 1, "--exact-labels")
    assert code == 0
    assert "101 labels" in out or "accurate" in out


def test_program_writes_a_file_and_solves(call, tmp_path):
    path = tmp_path / "alarm.lp"
    words = ("program", "--example", "mt-bench-summary")
    code, out, _ = call(*words, "--at-least", "2/3", "-o", path, "--solve")
    assert code == 0
    assert "HiGHS found an answer key" in out
    assert "asked_1_gpt4_b: - 2 Q_b + 3 R_gpt4_b_true_b >= 0" in path.read_text()
    code, out, _ = call(
        *words, "--at-least", "2/3", "-o", tmp_path / "alarm.mps", "--solver", "HiGHS"
    )
    assert code == 0
    assert "HiGHS found an answer key" in out
    assert (tmp_path / "alarm.mps").read_text().startswith("*SENSE")
    assert "ROWS" in (tmp_path / "alarm.mps").read_text()
    code, out, err = call(*words, "--solver", "glop")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "--solver must be a solver that PuLP has here; got 'glop'; choose from [" in err
    code, out, _ = call(*words, "--at-least", "0.67", "--solve")
    assert code == 1
    assert "asked_1_gpt4_b: - 67 Q_b + 100 R_gpt4_b_true_b >= 0" in out
    assert "no proof" in out
    code, out, _ = call(*words, "--at-least", "0.67", "--q", "6,15,4", "--json")
    assert code == 0
    assert json.loads(out)["variables"][1] == {"name": "Q_b", "low": 15, "high": 15}
    assert "solution" not in json.loads(out)
    assert json.loads(call(*words, "--solve", "--json")[1])["solution"]["feasible"] is True
