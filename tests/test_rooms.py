"""Rooms: few files, shallow folders, and a question enters few of them."""

import os
import sys
from pathlib import Path

import pytest

import algeval as ae

ROOT = Path(ae.__file__).parent
DOOR = ("door", "io", "data", "result", "progress", "errors", "_", "__init__")
MOST_FILES, MOST_BELOW, MOST_ENTERED = 230, 12, 32
VOTES = {"w": list("aabbabab"), "x": list("abbbabaa"), "y": list("aabaabbb")}
GOLD = {"1": "a", "2": "a", "3": "b", "4": "b", "5": "a", "6": "b"}
BATTLES = [
    *[("m1", "m2", "m1"), ("m1", "m3", "m1"), ("m2", "m3", "m3")],
    *[("m2", "m1", "m2"), ("m3", "m1", "m1"), ("m3", "m2", "m2")],
] * 4
QUESTIONS = {
    "alarm": lambda: ae.alarm(VOTES, at_least=0.7),
    "threshold": lambda: ae.threshold(VOTES),
    "aggregate": lambda: ae.aggregate(VOTES),
    "rate": lambda: ae.rate(VOTES, "a", GOLD),
    "leaderboard": lambda: ae.leaderboard(
        [
            {"model_a": a, "model_b": b, "winner": w, "prompt": str(i // 3)}
            for i, (a, b, w) in enumerate(BATTLES)
        ]
    ),
    "prove": lambda: ae.prove("Delta_ij = P_A*P_B*d_i*d_j"),
}


def entered(question):
    """Return the files of the package that run while a question is answered."""
    files = set()

    def look(frame, event, _):
        if event == "call" and frame.f_code.co_filename.startswith(str(ROOT)):
            files.add(os.path.relpath(frame.f_code.co_filename, ROOT))

    question()  # so that the code of imports does not count
    before = sys.getprofile()
    sys.setprofile(look)
    try:
        question()
    finally:
        sys.setprofile(before)
    return files


def test_the_package_has_few_files_in_shallow_folders():
    files = [path.relative_to(ROOT) for path in ROOT.rglob("*.py")]
    assert 100 < len(files) <= MOST_FILES
    assert [str(path) for path in files if len(path.parts) > 3] == []


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_enters_few_files(name):
    files = entered(QUESTIONS[name])
    below = sorted(file for file in files if not file.startswith(DOOR))
    assert below
    assert len(below) <= MOST_BELOW, below
    assert len(files) <= MOST_ENTERED


def test_files_that_are_entered_are_seen():
    assert "logic/questions/alarm.py" in entered(QUESTIONS["alarm"])
