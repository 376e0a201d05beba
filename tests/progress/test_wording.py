import re
from importlib.util import find_spec

import pytest

from algeval import progress
from algeval.progress import (
    Board,
    counted,
    listening,
    sentence,
    stages,
    steps,
    time_left,
    within,
    work_of,
)

SECONDS = {"s": 1, "min": 60, "h": 3600}


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def left(told):
    """Return the seconds that a sentence says are left."""
    found = re.search(r"about (\d+) (s|min|h) left", told)
    return None if found is None else int(found[1]) * SECONDS[found[2]]


@pytest.mark.parametrize(("n", "pace"), [(4, 3.0), (100, 0.2), (1000, 0.5), (50, 300.0)])
def test_the_time_left_at_a_steady_pace_is_within_a_factor_of_two_from_the_middle_on(n, pace):
    clock, told = Clock(), []
    with listening(Board(clock)) as board:
        for k in steps(range(n), "counting"):
            for part in range(4):  # looked at four times a step
                clock.now = (k + part / 4) * pace
                told.append((n * pace - clock.now, left(sentence(board))))
    later = [(true, said) for true, said in told[len(told) // 2 :] if true >= 2]
    assert later
    assert all(said is not None and true / 2 <= said <= 2 * true for true, said in later)


def test_no_time_is_told_before_there_is_enough_to_tell():
    assert time_left(0.01, 100.0) is None
    assert time_left(0.5, 0.5) is None
    assert time_left(0.5, 12.0) == 12.0


def test_a_step_that_takes_longer_than_its_pace_has_no_time_left_to_tell():
    assert time_left(0.5, 14.0, waited=4.0) == 6.0
    assert time_left(0.5, 24.0, waited=14.0) is None


def test_percent_never_falls_and_never_passes_100():
    clock, found = Clock(), []
    with listening(Board(clock)) as board, stages("report", 3) as work:
        for pieces in (2, 0, 5):
            for _ in range(pieces):
                for _ in steps(range(3), "refitting"):
                    clock.now += 1
                    found.append(int(re.search(r"(\d+) %", sentence(board))[1]))
            work.step()
        found.append(int(re.search(r"(\d+) %", sentence(board))[1]))
    assert found == sorted(found)
    assert found[-1] == 100


def test_unequal_stages_have_a_share_and_their_step_has_a_time():
    clock = Clock()
    with listening(Board(clock)) as board, stages("report", 4) as work:
        work.step()
        for k in steps(range(10), "refitting"):
            clock.now = 2.0 * k
            told = sentence(board)
    assert told == "report, 2 of 4: refitting, 36 %, about 2 s left in this step"


def test_of_work_within_work_that_is_told_whose_time_is():
    with listening(Board()) as board, stages("comparing", 7):
        for _ in steps(range(10), "refitting"):
            for _ in steps(range(3), "starting"):
                told = sentence(board)
                break
        with stages("fitting", 2), stages("starting", 2):
            unequal = sentence(board)
    assert told == "comparing, 1 of 7: refitting, 6 %"
    assert unequal.startswith("comparing, 1 of 7: starting, ")


def test_a_time_limit_is_what_is_left_at_most():
    clock = Clock()
    with listening(Board(clock)) as board, within("searching", 10.0):
        clock.now = 4.0
        assert sentence(board) == "searching, at most 6 s left"


@pytest.mark.parametrize(
    ("share", "told"), [(0.5, "about 45 s"), (0.2, "about 3 min"), (0.02, "about 36 min")]
)
def test_time_is_rounded_up(share, told):
    clock = Clock()
    with listening(Board(clock)) as board, counted("reading", 100) as work:
        clock.now = 44.0
        work.step(int(100 * share))
        assert sentence(board).endswith(f"{told} left")


def test_bytes_are_not_numbered():
    with listening(Board()) as board, counted("looking at the lines", 10**6) as read:
        read.step(500_000)
        assert sentence(board) == "looking at the lines, 50 %"


@pytest.mark.parametrize(
    ("modules", "told"),
    [
        (["algeval.cli.main"], []),
        (["numpy", "algeval.io.items", "algeval.io.answers"], ["reading the votes"]),
        (["algeval.io.tuples", "algeval.io.formats"], None),
        (
            [
                "algeval.compare.diagnosis",
                "algeval.aggregate.methods.ising",
                "algeval.aggregate.em",
            ],
            ["testing whether errors are independent", "fitting a method"],
        ),
        (["algeval_papers.equations"], ["proving the equations of the papers"]),
    ],
)
def test_modules_at_work_say_what_is_done(modules, told):
    found = work_of(modules)
    assert found == (["looking for repeated items", "reading the votes"] if told is None else told)


def test_modules_tell_where_loops_are_silent():
    deep = ["algeval.compare.comparison", "algeval.aggregate.methods.tables"]
    with listening(Board()) as board:
        assert sentence(board) == "working"
        assert sentence(board, deep) == "comparing methods: fitting a method"
        with stages("report", 2):
            assert sentence(board, deep) == "report, 1 of 2: fitting a method, 0 %"


def test_every_module_named_exists():
    assert [name for name in progress._WORK if find_spec(name) is None] == []
