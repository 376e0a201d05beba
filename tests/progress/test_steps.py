import contextvars
import threading

import pytest

from algeval.progress import Board, counted, listening, stages, steps, watched, within


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def shares(board):
    return [work.reached for work in board.look()]


def test_things_themselves_come_back_where_nobody_listens():
    things = [1, 2]
    assert steps(things, "counting") is things
    with counted("counting", 3) as work, within("searching", 1.0), watched("", lambda: 0.5):
        work.step()
    assert Board().look() == []


@pytest.mark.parametrize("things", [list("abcde"), iter("abcde")])
def test_a_loop_gives_its_things_in_order_and_leaves_the_board_empty(things):
    with listening(Board()) as board:
        assert list(steps(things, "spelling", 5)) == list("abcde")
    assert board.under_way == []


def test_without_a_total_no_share_is_told():
    with listening(Board()) as board:
        for _ in steps(iter("abc"), "spelling"):
            assert [work.what for work in board.under_way] == ["spelling"]
            assert board.look() == []


def nested(board, seen):
    with stages("cooking", 3) as dish:
        for pieces in (1, 3, 0):
            for _ in range(pieces):
                for _ in steps(range(4), "cutting"):
                    seen.append(board.look()[0].reached)
            dish.step()
            seen.append(board.look()[0].reached)


def test_the_outer_share_never_falls_and_ends_at_one():
    seen = []
    with listening(Board()) as board:
        nested(board, seen)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    assert all(before < 1.0 for before in seen[:-1])


def test_work_inside_a_step_fills_half_of_what_is_left_of_it():
    seen = []
    with listening(Board()) as board:
        nested(board, seen)
    first = [k / 4 / 2 / 3 for k in range(4)]
    assert seen[:5] == pytest.approx([*first, 1 / 3])
    assert seen[5:14:4] == pytest.approx([1 / 3, 1 / 3 + 1 / 6, 1 / 3 + 1 / 4])


def test_what_falls_is_not_told():
    told = iter([0.5, 0.2, None, 0.9, 7.0])
    with listening(Board()) as board, watched("reading", lambda: next(told)):
        found = [shares(board) for _ in range(5)]
    assert found == [[0.5], [0.5], [], [0.9], [1.0]]


def test_a_time_limit_is_a_share_of_the_time():
    clock = Clock()
    with listening(Board(clock)) as board, within("searching", 10.0):
        clock.now = 4.0
        assert shares(board) == [0.4]
        clock.now = 40.0
        assert shares(board) == [1.0]


def test_one_thing_is_what_is_around_it():
    with listening(Board()) as board, stages("cooking", 2):
        for _ in steps(["pan"], "taking"):
            assert [work.what for work in board.under_way] == ["cooking"]


def cut(error):
    for _ in steps("abc", "cutting"):
        with counted("peeling", 2):
            raise error


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_errors_take_inner_work_off_the_board(error):
    with listening(Board()) as board, stages("cooking", 2):
        with pytest.raises(error):
            cut(error)
        for k in steps("abc", "cutting"):
            if k == "b":
                break
        assert [work.what for work in board.under_way] == ["cooking"]
    assert board.under_way == []


def test_nobody_listens_after_the_end_whatever_happened():
    with pytest.raises(ValueError, match="burnt"), listening(Board()):
        raise ValueError("burnt")
    things = [1, 2]
    assert steps(things, "counting") is things


def test_a_thread_of_its_own_is_silent():
    things, found = [1, 2], []
    with listening(Board()) as board:
        thread = threading.Thread(
            target=contextvars.Context().run, args=(lambda: found.append(steps(things, "x")),)
        )
        thread.start()
        thread.join()
    assert found[0] is things
    assert board.under_way == []


def test_looking_from_another_thread_sees_shares_that_only_rise():
    seen, done = [], threading.Event()
    board = Board()

    def look():
        while not done.is_set():
            seen.append([(id(work), work.reached) for work in board.look()][:1])

    thread = threading.Thread(target=look)
    thread.start()
    with listening(board), stages("counting", 30) as work:
        for _ in range(30):
            for _ in steps(range(300), "adding"):
                pass
            work.step()
    done.set()
    thread.join()
    outer = [share for one in seen for _, share in one]
    assert outer == sorted(outer)
    assert board.under_way == []
