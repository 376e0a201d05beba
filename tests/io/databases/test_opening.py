"""Tables in files of DuckDB and SQLite: read as the same table from CSV is, counted, or refused."""

import sqlite3
import subprocess
import sys
from contextlib import closing

import duckdb
import pytest

from algeval.errors import DataError
from algeval.io import (
    count,
    counting,
    engines,
    read_scores,
    read_votes,
    read_votes_with_notes,
    tuples,
)
from algeval.io.answers import ReadOptions
from algeval.io.counting import Enough, count_large, open_large


def large(source, given, *, scores=False, **enough):
    """Return what counting a large source gives, None where its votes are to be read."""
    options = ReadOptions(**given)
    opened = open_large(source, options)
    if opened is None:
        return None
    return count_large(opened, options, Enough(**enough), scores=scores)


ROWS = [("q1", "yes", "no", 1.0), ("q2", "no", None, 2.5), ("ünï", 'it\'s "1"\r\n', "no", None)]
KINDS = ("duckdb", "sqlite")


def make(path, *statements, rows=ROWS):
    connection = duckdb.connect(str(path)) if path.suffix == ".duckdb" else sqlite3.connect(path)
    with closing(connection):
        connection.execute(
            'CREATE TABLE votes (item VARCHAR, x VARCHAR, "Y ""y"" z" VARCHAR, n DOUBLE)'
        )
        connection.executemany("INSERT INTO votes VALUES (?, ?, ?, ?)", rows)
        for statement in statements:
            connection.execute(statement)
        if path.suffix == ".sqlite":
            connection.commit()
    return path


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


def test_the_only_table_is_read_whatever_the_file_is_called(tmp_path, kind):
    path = make(tmp_path / f"v.{kind}").rename(tmp_path / "votes.csv")
    votes, notes = read_votes_with_notes(path, judges=["x", 'Y "y" z'])
    assert votes.items == ("q1", "q2", "ünï")
    names = [*votes.answers, None]
    cells = [[names[code] for code in row] for row in votes.codes.tolist()]
    assert cells == [["yes", "no"], ["no", None], ['it\'s "1"', "no"]]
    assert any("table 'votes'" in note for note in notes)
    assert count(path, judges=["x", 'Y "y" z']) == votes.sketch()


def test_numbers_and_nothing(tmp_path, kind):
    path = make(tmp_path / f"v.{kind}")
    assert read_scores(path, judges=["n"]).values.tolist()[:2] == [[1.0], [2.5]]


def test_several_tables_are_listed_with_their_rows_and_one_is_chosen(tmp_path, kind):
    path = make(
        tmp_path / f"v.{kind}",
        'CREATE TABLE "my ""votes" AS SELECT item, x FROM votes LIMIT 2',
        "CREATE VIEW seen AS SELECT item, x FROM votes LIMIT 1",
    )
    with pytest.raises(DataError) as caught:
        read_votes(path)
    for told in (
        "'votes' (3 rows)",
        "'my \"votes' (2 rows)",
        "'seen' (1 row)",
        "choose with table=",
    ):
        assert told in str(caught.value)
    assert read_votes(path, table='my "votes').n_items == 2
    assert read_votes(path, table="SEEN").n_items == 1
    with pytest.raises(DataError, match=r"got 'vote'.*did you mean 'votes'\?"):
        read_votes(path, table="vote")


def test_a_name_is_no_query(tmp_path, kind):
    path = make(tmp_path / f"v.{kind}", 'CREATE TABLE "x; DROP TABLE votes" (a VARCHAR)')
    with pytest.raises(DataError):
        read_votes(path, table="x; DROP TABLE votes")
    assert read_votes(path, table="votes", judges=["x"]).n_items == 3


def test_a_file_is_left_as_it_was(tmp_path, kind):
    path = make(tmp_path / f"v.{kind}")
    before = path.read_bytes()
    read_votes(path, judges=["x"])
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_broken_and_empty_databases_are_one_sentence(tmp_path, kind):
    path = make(tmp_path / f"v.{kind}", "DROP TABLE votes")
    with pytest.raises(DataError, match="a database without tables"):
        read_votes(path)
    path = make(tmp_path / f"w.{kind}", rows=ROWS * 40)
    for size in (20, 600, path.stat().st_size - 4096):
        path.write_bytes(path.read_bytes()[:size])
        with pytest.raises(DataError) as caught:
            read_votes(path, judges=["x"])
        assert "\n" not in str(caught.value)
        assert path.name in str(caught.value)


def test_a_file_open_for_writing_elsewhere_is_told(tmp_path):
    path = make(tmp_path / "v.duckdb")
    held = f"import duckdb, sys; c = duckdb.connect({str(path)!r}); print(1, flush=True); sys.stdin.read()"
    other = subprocess.Popen(
        [sys.executable, "-c", held], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        other.stdout.readline()
        with pytest.raises(DataError, match="must not be open elsewhere"):
            read_votes(path)
    finally:
        other.communicate()


def test_large_tables_are_counted_where_they_lie(tmp_path, kind, monkeypatch):
    monkeypatch.setattr(counting, "LARGE", 50)
    path = make(
        tmp_path / f"v.{kind}", rows=[(f"i{k}", "ab"[k % 2], "ab"[k % 3 > 0], k) for k in range(99)]
    )
    asked = {"item": "item", "judges": ["x", 'Y "y" z']}
    sketch, notes = large(path, asked | {"table": "VOTES"})
    assert sketch == read_votes(path, **asked).sketch()
    assert sketch.n_items == 99
    assert any("counted where they lie" in note for note in notes)


def test_votes_of_many_judges_are_put_in_order_on_disk(tmp_path, kind, monkeypatch):
    """The parts are files of our own, which a database that sees no other file may write."""
    for name, most in (("LARGE", 30), ("LOOKED_AT", 25)):
        monkeypatch.setattr(counting, name, most)
    monkeypatch.setattr(engines, "MOST_JUDGES", 3)
    monkeypatch.setattr(tuples, "_PART", 40)
    rows = [(f"i{k}", f"j{j}", "ab"[(k * j) % 3 > 0]) for k in range(30) for j in range(7)]
    path = tmp_path / f"v.{kind}"
    connection = duckdb.connect(str(path)) if kind == "duckdb" else sqlite3.connect(path)
    with closing(connection):
        connection.execute("CREATE TABLE votes (item VARCHAR, judge VARCHAR, answer VARCHAR)")
        connection.executemany("INSERT INTO votes VALUES (?, ?, ?)", rows)
        if kind == "sqlite":
            connection.commit()
    sketch, _ = large(path, {"item": "item", "judge": "judge", "answer": "answer"})
    assert sketch == read_votes(path).sketch()


def test_a_table_of_what_is_no_database_and_parts(tmp_path):
    path = tmp_path / "v.csv"
    path.write_text("item,x\n1,a\n2,b\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"table= is about databases"):
        read_votes(path, table="votes")
    with pytest.raises(DataError, match="is a database; name it alone"):
        read_votes([path, make(tmp_path / "v.duckdb")], reader="table")


def test_what_a_database_cannot_run_is_no_complaint_about_text(tmp_path):
    path = make(tmp_path / "v.duckdb", "CREATE VIEW bad AS SELECT item, error(x) AS x FROM votes")
    with pytest.raises(DataError, match=r"v\.duckdb must be readable; got .*yes"):
        read_votes(path, table="bad")
