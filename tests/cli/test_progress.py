import time

import pytest

from algeval.cli.progress import still_working


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
