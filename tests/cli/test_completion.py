"""Completion, asked for as a shell asks, and in bash itself where there is one."""

import os
import shutil
import subprocess
import sys

import pytest

from algeval.cli.main import COMMANDS, run

ROOTS = os.pathsep.join(path for path in sys.path if path)


def completed(monkeypatch, capsys, *words):
    """Return what would complete the last word."""
    monkeypatch.setenv("_ALGEVAL_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", " ".join(["algeval", *words]))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    assert run([]) == 0
    lines = capsys.readouterr().out.split()
    return [tuple(line.split(",", 1)) for line in lines]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["thr"], [("plain", "threshold")]),
        (["alarm", "--example", "mt-bench-"], [("plain", "mt-bench-summary")]),
        (["aggregate", "--method", "dawid"], [("plain", "dawid-skene")]),
        (["aggregate", "--meth"], [("plain", "--method")]),
        (["report", "vot"], [("file", "vot")]),
        (["aggregate", "-o", "lab"], [("file", "lab")]),
        (["sketch", "--key", "go"], [("file", "go")]),
        (["decode", "--trio"], []),
    ],
)
def test_words_are_completed(words, found, monkeypatch, capsys):
    assert completed(monkeypatch, capsys, *words) == found


def test_an_empty_word_is_completed_by_every_command(monkeypatch, capsys):
    assert completed(monkeypatch, capsys, "") == [("plain", name) for name in COMMANDS]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_for_each_shell(shell, capsys):
    assert run(["completion", shell]) == 0
    out = capsys.readouterr().out
    assert "_ALGEVAL_COMPLETE" in out
    assert f"{shell}_complete" in out


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes_after_the_script_was_evaluated(tmp_path):
    program = tmp_path / "algeval"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m algeval "$@"\n')
    program.chmod(0o755)
    script = """
eval "$(algeval completion bash)"
COMP_WORDS=(algeval alarm --example mt-bench-s); COMP_CWORD=3
$(complete -p algeval | sed 's/.*-F \\([^ ]*\\).*/\\1/') algeval
echo "${COMPREPLY[@]}"
"""
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script],
        env=os.environ | {"PATH": path, "PYTHONPATH": ROOTS},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "mt-bench-summary\n"
