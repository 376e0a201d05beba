"""What reaches the terminal, and what happens where there is none."""

import json
import os
import re
import subprocess
import sys

import pytest

from algeval.cli.main import run

STEERS = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]"
)
NAMES = ("\x1b[31mj1\x1b[0m", "j\u202e2", "j\u200b3")
LABELS = ("\x1b]0;owned\x07a", "b\x9b2J\x08\x7f")


@pytest.fixture
def hostile(tmp_path):
    """A sketch with names that would colour, retitle and erase a terminal, and break lines."""
    document = {
        "schema": "algeval.sketch/1",
        "judges": list(NAMES),
        "labels": [*LABELS, "c\nVerified"],
        "answers": [*LABELS, "c\nVerified"],
        "codes": [[0, 0, 1], [0, 1, 2], [1, 1, 1], [2, 0, 0]],
        "counts": [4, 3, 5, 2],
    }
    path = tmp_path / "hostile.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "arguments",
    [
        ("alarm",),
        ("threshold",),
        ("panel",),
        ("bounds",),
        ("bounds", "--at-least", "1/3"),
        ("evaluations", "--most", "2"),
        ("decode",),
        ("aggregate", "--method", "majority"),
        ("aggregate",),
        ("compare",),
        ("report",),
        ("diagnose", "--starts", "1"),
        ("sketch",),
        ("bounds", "--json"),
        ("report", "--json"),
    ],
)
def test_names_wrote_control_sequences_to_the_terminal(hostile, capsys, arguments):
    run([arguments[0], str(hostile), *arguments[1:]])
    out, err = capsys.readouterr()
    assert "internal error" not in err
    assert not STEERS.search(out + err)
    assert "\\x1b" in out + err or "\\u001b" in out + err
    assert not re.search("^Verified$", out, re.MULTILINE)


def test_sketch_json_kept_the_c1_byte(hostile, capsys):
    run(["sketch", str(hostile)])
    text = capsys.readouterr().out
    assert "\\u009b" in text
    assert json.loads(text)["labels"] == [*LABELS, "c\nVerified"]


def test_errors_showed_the_names_of_files_raw(capsys):
    assert run(["alarm", "no\x1b[2J\u202efile.csv"]) == 2
    assert not STEERS.search(capsys.readouterr().err)


def test_the_page_kept_escape_characters(hostile, tmp_path, capsys):
    page = tmp_path / "r.html"
    run(["report", str(hostile), "-o", str(page)])
    text = page.read_text(encoding="utf-8")
    assert not STEERS.search(text)
    assert "\\x1b]0;owned\\x07a" in text


def test_letters_of_any_script_stay_readable(tmp_path, capsys):
    path = tmp_path / "v.csv"
    path.write_text("item,Zoë,評価者,🙂\n1,да,да,لا\n2,لا,да,لا\n", encoding="utf-8")
    run(["bounds", str(path), "--judges", "Zoë,評価者,🙂"])
    out = capsys.readouterr().out
    for name in ("Zoë", "評価者", "🙂", "да", "لا"):
        assert name in out


def shell(line, folder):
    """Run a command of a shell in which `algeval` is the command line."""
    inner = f"algeval() {{ '{sys.executable}' -m algeval \"$@\"; }}; {line}"
    roots = {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run(
        ["bash", "-c", inner],
        cwd=folder,
        env=os.environ | roots,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("algeval alarm v.csv --at-least 0.1 2>&-", 0),
        ("algeval alarm v.csv --at-least 1 2>&-", 1),
        ("algeval threshold v.csv 2>&-", 0),
        ("algeval examples 2>&-", 0),
        ("algeval alarm missing.csv 2>&-", 2),
        ("algeval alarm missing.csv 2>/dev/full", 2),
        ("algeval alarm v.csv --at-least 1 >&-", 1),
        ("algeval alarm v.csv --at-least 0.1 <&-", 0),
        ("algeval report v.csv <&- >&- 2>&-", 0),
        ("algeval alarm v.csv >/dev/full", 2),
    ],
)
def test_a_closed_stream_was_an_internal_error(tmp_path, line, code):
    (tmp_path / "v.csv").write_text("item,x,y\n1,a,b\n2,b,b\n3,a,a\n")
    found, _, err = shell(line, tmp_path)
    assert found == code
    assert "internal error" not in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("algeval alarm - <&-", "standard input must be open"),
        ("algeval simulate --items 3 >&-", "standard output is closed"),
    ],
)
def test_a_stream_that_is_needed_and_closed_is_one_sentence(tmp_path, line, words):
    code, out, err = shell(line, tmp_path)
    assert (code, out) == (2, "")
    assert words in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    "level", ["0." + "3" * 5000, "1e-9999999", "1/" + "3" * 1001, "1e9999999", "3" * 2500]
)
def test_a_level_of_thousands_of_digits_was_an_internal_error(tmp_path, capsys, level):
    path = tmp_path / "v.csv"
    path.write_text("item,x,y\n1,a,b\n2,b,b\n3,a,a\n")
    assert run(["alarm", str(path), "--at-least", level]) == 2
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert len(err) < 400
