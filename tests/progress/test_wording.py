import time

import pytest

from algeval.cli import progress
from algeval.cli.progress import still_working, work_of


@pytest.mark.parametrize("terminal", [True, False])
def test_long_work_is_told_on_a_terminal_only(terminal, capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal, raising=False)
    with still_working(first=0.02, every=0.02):
        time.sleep(0.2)
    out, err = capsys.readouterr()
    assert out == ""
    assert ("Ctrl-C stops" in err) == terminal
    assert all(line.startswith("... ") for line in err.splitlines())


def test_short_work_is_silent(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with still_working():
        pass
    assert capsys.readouterr().err == ""


def test_what_is_being_done_is_told(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    names = {"__name__": "algeval.logic.questions.threshold"}
    exec("def work(wait): wait(0.2)", names)
    with still_working(first=0.02, every=0.02):
        names["work"](time.sleep)
    assert "finding the highest accuracy all judges can have (Ctrl-C" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("modules", "told"),
    [
        (["algeval.cli.main"], "working"),
        (["numpy", "algeval.io.wide", "algeval.io.answers"], "reading the votes"),
        (
            [
                "algeval.compare.diagnose.run",
                "algeval.aggregate.methods.ising",
                "algeval.aggregate.em",
            ],
            "testing whether errors are independent: fitting a method",
        ),
        (["algeval.algebra.papers.catalogue", "algeval.algebra.proving.ring"], None),
    ],
)
def test_the_outermost_work_comes_first(modules, told):
    found = work_of(modules)
    assert found == told if told else found.startswith("proving the equations of the papers: ")


def test_every_module_named_exists():
    from importlib.util import find_spec

    assert [name for name in progress._WORK if find_spec(name) is None] == []
