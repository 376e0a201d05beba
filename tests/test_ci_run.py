"""The check fails where any step fails, those that run beside others too, and shows what each one said."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TOOLS = ("pip", "python", "ruff", "mypy", "lint-imports")
STUB = """#!/bin/sh
said="$(basename "$0") $*"
echo "$said"
case "$said" in *"$FAILS"*) exit 3 ;; esac
"""
README = """<!-- main-job -->
```bash
mkdir -p .venv && cp -r stubs .venv/bin && echo "v2 is better"
```

<!-- tests -->
```bash
.venv/bin/python -m pytest -n auto
```
"""
STEPS = {
    "the README's tests": "pytest -n auto",
    "examples in docstrings": "pytest -n 0 --doctest-modules",
    "tools for lint, types, layers, docs, engines": "pip install",
    "lint": "ruff format",
    "lint ": "ruff check",
    "types": "mypy",
    "layers": "lint-imports",
    "verifier and statement under -O, standard library only": "-m algeval.verify",
    "docs": "-m sphinx",
    "counting in Dask, Ibis and Spark": "pytest -n 0 -rs",
}


@pytest.fixture
def check(tmp_path):
    """Return a function that runs the script with tools that do nothing, one of which fails."""
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    (tmp_path / "README.md").write_text(README, encoding="utf-8")
    (tmp_path / "stubs").mkdir()
    for tool in TOOLS:
        (tmp_path / "stubs" / tool).write_text(STUB, encoding="utf-8")
        (tmp_path / "stubs" / tool).chmod(0o755)

    def run(fails):
        env = {**os.environ, "FAILS": fails, "JAVA_HOME": "here", "TMPDIR": str(tmp_path)}
        command = ["bash", str(tmp_path / ".ci" / "run")]
        return subprocess.run(command, env=env, capture_output=True, text=True, check=False)

    return run


def test_all_steps_run_and_show_what_they_said(check):
    ended = check("nothing")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert all(f"== {step.strip()} (" in ended.stdout for step in STEPS)
    assert all(command in ended.stdout for command in STEPS.values())
    assert ended.stdout.count("ruff check") == ended.stdout.count("-m sphinx") == 1
    assert "== done (" in ended.stdout


@pytest.mark.parametrize("step", STEPS)
def test_a_step_that_fails_fails_the_check(check, step):
    ended = check(STEPS[step])
    assert ended.returncode == 3, ended.stdout + ended.stderr
    assert STEPS[step] in ended.stdout
    assert "== done" not in ended.stdout
