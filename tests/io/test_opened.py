import pytest

from algeval.io.formats import connect, watched_query
from algeval.progress import Board, listening

GROUPED = "SELECT i % 7 AS k, count(*) AS n FROM range(1000) AS t(i) GROUP BY ALL ORDER BY k"


class Told:
    """A connection that plans as DuckDB does and tells what it is told to tell."""

    def __init__(self, percents):
        self.percents, self.real = iter(percents), connect()

    def execute(self, query):
        return self.real.execute(query)

    def query_progress(self):
        return next(self.percents)


def shares(query, percents):
    """Return the share seen after each percent that DuckDB tells of a query."""
    with listening(Board()) as board, watched_query(Told(percents), query):
        return [[work.reached for work in board.look()] for _ in percents]


def test_a_scan_is_told_as_duckdb_tells_it():
    assert shares("SELECT i + 1 FROM range(1000) AS t(i)", [-1.0, 25.0, 80.0]) == [
        [],
        [0.25],
        [0.8],
    ]


def test_what_waits_for_all_rows_is_not_counted_as_rows():
    """Grouping and sorting are a third each to DuckDB: at 20 of 100 the scan has done 3 x 20."""
    found = shares(GROUPED, [20.0, 33.3, 60.0])
    assert [one[0] for one in found] == pytest.approx([0.6, 0.999, 1.0])


def test_a_query_runs_as_ever_and_draws_no_bar(capfd):
    connection = connect()
    quiet = connection.execute(GROUPED).fetchall()
    with listening(Board()), watched_query(connection, GROUPED):
        assert connection.execute(GROUPED).fetchall() == quiet
    with listening(Board()), watched_query(connection, "SELECT nonsense"):
        pass
    shown = connection.execute("SELECT current_setting('enable_progress_bar_print')").fetchall()
    assert shown == [(False,)]
    assert capfd.readouterr() == ("", "")


def test_nothing_is_asked_where_nobody_listens():
    with watched_query(None, GROUPED):
        pass
