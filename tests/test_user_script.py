"""A script as a user writes it runs, and a type checker follows it."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "tests" / "fixtures" / "types" / "user_script.py"


def run(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_script_runs():
    done = run(
        sys.executable,
        "-W",
        "error",
        "-c",
        f"import runpy; runpy.run_path({str(SCRIPT)!r}, run_name='__main__')",
    )
    assert done.returncode == 0, done.stderr


def test_a_type_checker_follows_it_and_finds_what_is_wrong(tmp_path):
    pytest.importorskip("mypy")
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        "import algeval as ae\n"
        "ae.treshold\n"
        "ae.threshold(3)\n"
        "ae.threshold([['a']]).lover\n"
        "ae.aggregate([['a']]).loading\n",
        encoding="utf-8",
    )
    done = run(
        sys.executable, "-m", "mypy", "--strict", str(SCRIPT), str(wrong)
    )  # fills the cache of `mypy`
    lines = [line.split(":")[1] for line in done.stdout.splitlines() if ": error:" in line]
    assert lines == ["2", "3", "4", "5"], done.stdout
