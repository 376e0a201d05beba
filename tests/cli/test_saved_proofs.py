"""What --save writes can be checked by somebody who has nothing but Python."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from algeval.cli.main import run

LONE = {"PATH": os.environ["PATH"]}
"""An environment that knows no package."""


def lines(text):
    start = "Check it yourself: "
    return [line.removeprefix(start) for line in text.splitlines() if line.startswith(start)]


def paste(line, folder):
    """Run a printed line in a shell, with a Python that has nothing installed."""
    command = line.replace("python3 ", f"'{sys.executable}' -S -O ", 1)
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, env=LONE, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("command", ["alarm", "threshold", "panel", "bounds"])
@pytest.mark.parametrize("name", ["proof", "my 'own' $proofs"])
def test_the_printed_command_needed_the_package(command, name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    run([command, "--example", "mt-bench-summary", "--save", name])
    printed = lines(capsys.readouterr().out)
    assert printed
    for line in printed:
        done = paste(line, tmp_path)
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("Verified (")


def test_the_folder_can_be_sent_to_somebody_else(tmp_path, capsys):
    run(["alarm", "--example", "mt-bench", "--at-least", "0.67", "--save", str(tmp_path / "proof")])
    other = tmp_path / "elsewhere"
    shutil.copytree(tmp_path / "proof", other)
    done = paste("python3 verify.py certificate.json sketch.json", other)
    assert done.returncode == 0, done.stderr
    import algeval.verify as module

    for name in ("verify.py", "verify_alarm.py", "verify_statements.py"):
        assert (other / name).read_bytes() == Path(module.__file__).with_name(name).read_bytes()


@pytest.fixture
def votes(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("item,x/../y,評価\n1,a,a\n2,b,b\n3,a,b\n4,b,\n5,a,a\n", encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    "arguments", [[], ["--at-least", "0.6"], ["--at-least", "0.4", "--order", "full"]]
)
def test_bounds_saved_no_certificate(votes, tmp_path, capsys, arguments):
    folder = tmp_path / "proof"
    run(["bounds", votes, "--save", str(folder), *arguments])
    out = capsys.readouterr().out
    (line,) = lines(out)
    done = paste(line, tmp_path)
    assert done.returncode == 0, done.stderr
    saved = sorted(folder.glob("range-*.json"))
    assert len(saved) == done.stdout.count("Verified (") > 8
    assert f"were verified: {len(saved)}." in out
    assert {path.parent for path in saved} == {folder}
    assert all(path.name.isascii() for path in saved)
    run(["bounds", votes, "--json", *arguments])
    document = json.loads(capsys.readouterr().out)
    assert len(document["verified"]) == len(saved)


def test_ranges_saved_before_are_replaced(votes, tmp_path, capsys):
    folder = tmp_path / "proof"
    run(["bounds", votes, "--save", str(folder)])
    (folder / "range-mine.json").write_text("{}")
    first = {path.name for path in folder.glob("range-0*.json")}
    run(["bounds", votes, "--judges", "x/../y", "--save", str(folder)])
    second = {path.name for path in folder.glob("range-0*.json")}
    assert len(second) < len(first)
    assert (folder / "range-mine.json").exists()


def test_a_rejected_range_is_an_internal_error(votes, capsys, monkeypatch):
    monkeypatch.setattr(
        "algeval.certificates.verify",
        lambda certificate, data: type("V", (), {"ok": False, "sentence": "Rejected: no."})(),
    )
    assert run(["bounds", votes]) == 70
    assert "rejected by the verifier" in capsys.readouterr().err


def test_time_that_ran_out_was_not_said(tmp_path, capsys):
    rows = [f"{k},{'ab'[k % 2]},{'ab'[k // 2 % 2]},{'ab'[k // 4 % 2]}" for k in range(40)]
    path = tmp_path / "v.csv"
    path.write_text("\n".join(["item,x,y,z", *rows]) + "\n")
    run(["bounds", str(path), "--at-least", "0.51", "--order", "full", "--time-limit", "0"])
    out = capsys.readouterr().out
    assert "Stopped early" in out
    assert "--time-limit" in out
