import io
import os
import re
import signal
import subprocess
import sys
import time

import pytest

import algeval as ae
from algeval.progress import Board, listening, paused, show_progress, steps

pty = pytest.importorskip("pty")

LOOP = """
import sys, time
import rich.console, rich.control  # what takes long to load
from algeval.cli.output import say
from algeval.progress import show_progress, steps
with show_progress(first=0.05, every=0.02):
    for k in steps(range(40), "counting"):
        time.sleep(0.015)
        if k == 20:
            say("half")
print("end")
"""


def on_a_terminal(code, *, stop_at=None, stdout=None, **environment):
    """Run code whose stderr, and stdout unless told, is a terminal; return what it saw, the code."""
    ours, theirs = pty.openpty()
    env = os.environ | {"TERM": "xterm-256color", "COLUMNS": "80"} | environment
    env.pop("NO_COLOR", None) if "NO_COLOR" not in environment else None
    done = subprocess.Popen(
        [sys.executable, "-c", code], stderr=theirs, stdout=stdout or theirs, env=env
    )
    os.close(theirs)
    seen = b""
    while True:
        try:
            seen += os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if stop_at is not None and stop_at in seen:
            done.send_signal(signal.SIGINT)
            stop_at = None
    os.close(ours)
    out = done.stdout.read() if done.stdout else b""
    if done.stdout:
        done.stdout.close()
    return seen.decode(), out.decode(), done.wait()


def screen(seen):
    """Return the lines that stand on a terminal at the end: what was wiped is gone."""
    lines = []
    for line in seen.replace("\r\n", "\n").split("\n"):
        line = line.split("\r\x1b[2K")[-1]
        lines.append(re.sub(r"\x1b\[[0-9;]*m", "", line))
    return lines


def test_one_line_is_written_over_and_over_and_then_taken_away():
    seen, _, code = on_a_terminal(LOOP)
    assert code == 0
    percents = [int(found) for found in re.findall(r"counting, \d+ of 40, (\d+) %", seen)]
    assert len(percents) > 2
    assert percents == sorted(percents)
    assert screen(seen) == ["half", "end", ""]


def test_no_line_is_longer_than_the_terminal():
    seen, _, _ = on_a_terminal(LOOP.replace('"counting"', '"counting" * 30'), COLUMNS="40")
    assert max(map(len, re.findall(r"\.\.\. [^\x1b\r\n]*", seen))) == 39


def test_stdout_holds_what_was_said_and_nothing_else():
    seen, out, _ = on_a_terminal(LOOP, stdout=subprocess.PIPE)
    assert out == "half\nend\n"
    assert "counting" in seen
    assert screen(seen) == [""]


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_that_takes_nothing_back_gets_whole_lines(environment):
    seen, _, _ = on_a_terminal(LOOP, **environment)
    assert "\x1b" not in seen
    assert "\r" not in seen.replace("\r\n", "")
    told = [line for line in seen.replace("\r\n", "\n").split("\n") if line.startswith("...")]
    assert len(told) > 2
    assert all(line.endswith("(Ctrl-C stops)") for line in told)


def test_ctrl_c_leaves_a_clean_line():
    code = LOOP.replace("time.sleep(0.015)", "time.sleep(1)").replace(
        "with show", "sys.excepthook = lambda *_: print('stopped', file=sys.stderr)\nwith show"
    )
    seen, _, _ = on_a_terminal(code, stop_at=b"counting, ")
    assert screen(seen) == ["stopped", ""]


@pytest.mark.parametrize("where", ["pipe", "closed", "none"])
def test_nothing_is_written_anywhere_else(where, monkeypatch, capsys):
    stream = {"pipe": io.StringIO(), "closed": io.StringIO(), "none": None}[where]
    if where == "closed":
        stream.close()
    monkeypatch.setattr(sys, "stderr", stream)
    with show_progress(first=0.0, every=0.005):
        things = [1, 2]
        assert steps(things, "counting") is things
        time.sleep(0.05)
    assert where != "pipe" or stream.getvalue() == ""
    assert capsys.readouterr().out == ""


def test_short_work_is_silent():
    seen, _, _ = on_a_terminal(
        "from algeval.progress import show_progress\nwith show_progress(): pass"
    )
    assert seen == ""


def test_a_terminal_that_goes_away_stops_no_work(monkeypatch):
    class Gone(io.StringIO):
        def isatty(self):
            return True

        def write(self, text):
            raise OSError("gone")

    monkeypatch.setattr(sys, "stderr", Gone())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    with show_progress(first=0.0, every=0.005):
        total = sum(1 for _ in steps(range(5), "counting") if not time.sleep(0.01))
    assert total == 5


def test_pausing_where_nothing_is_shown_does_nothing():
    with paused(), listening(Board()), paused():
        pass


def test_listening_changes_no_result():
    votes, methods = ae.example("mt-bench"), ["majority", "dawid-skene"]
    quiet = ae.compare(votes, methods, intervals=5).to_dict()
    with listening(Board()) as board:
        assert ae.compare(votes, methods, intervals=5).to_dict() == quiet
    assert board.under_way == []


def test_a_notebook_shows_a_line_below_the_cell(monkeypatch):
    shown = []

    class Handle:
        def update(self, told, raw):
            shown.append(told["text/plain"])

    class Shell:
        kernel = object()

    module = type(sys)("IPython")
    module.get_ipython = Shell
    module.display = type(sys)("IPython.display")
    module.display.display = lambda told, raw, display_id: (
        shown.append(told["text/plain"]) or Handle()
    )
    monkeypatch.setitem(sys.modules, "IPython", module)
    monkeypatch.setitem(sys.modules, "IPython.display", module.display)
    with show_progress(first=0.0, every=0.005):
        for _ in steps(range(5), "counting"):
            time.sleep(0.02)
    assert len(shown) > 2
    assert "counting, " in shown[1]
    assert shown[-1] == ""
