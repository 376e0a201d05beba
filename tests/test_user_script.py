"""A script as a user writes it runs, and a type checker follows it."""

import subprocess
import sys
import tomllib
from pathlib import Path

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


def test_a_type_checker_follows_it_and_finds_what_is_wrong():
    """`mypy` reads both scripts in the run that reads the package; an ignore without an error fails it."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
    assert settings["strict"] is True
    assert settings["modules"] == ["user_script", "user_mistakes"]
    assert "tests/fixtures/types" in settings["mypy_path"]
    lines = (SCRIPT.parent / "user_mistakes.py").read_text(encoding="utf-8").splitlines()
    mistakes = [line for line in lines if line.startswith("ae.")]
    assert len(mistakes) == 4
    assert all("# type: ignore[" in line for line in mistakes)
