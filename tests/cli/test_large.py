"""Commands on large files, several files, and sketches that add."""

import json

import duckdb
import pytest

from algeval.cli import questions
from algeval.cli.main import run
from algeval.io import counting, joining, read_votes, tuples

ROWS = 2000


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Take small tables for large ones."""
    monkeypatch.setattr(counting, "LARGE", 500)


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    folder = tmp_path_factory.mktemp("large")
    judges = ", ".join(
        f"CASE WHEN hash(i * {k}) % 10 < 7 THEN 'a' ELSE 'b' END AS j{k}" for k in (3, 5, 7)
    )
    duckdb.sql(
        f"COPY (SELECT 'q' || i AS item, {judges} FROM range({ROWS}) r(i)) TO '{folder}/v.parquet'"
    )
    for part, where in (("one", "< 'q5'"), ("two", ">= 'q5'")):
        duckdb.sql(
            f"COPY (SELECT * FROM '{folder}/v.parquet' WHERE item {where}) TO '{folder}/{part}.parquet'"
        )
    return folder


@pytest.mark.parametrize(
    "command",
    [
        "alarm",
        "threshold --order 1",
        "panel --order 1",
        "bounds --order 1",
        "decode",
        "aggregate --no-intervals",
    ],
)
def test_items_are_not_kept_where_counts_are_enough(large, capsys, command):
    assert run([*command.split(), str(large / "v.parquet")]) in (0, 1)
    said = capsys.readouterr().out
    assert "votes were counted where they lie, and items were not kept" in said


def test_a_report_is_one_of_counts(large, capsys):
    assert run(["report", str(large / "v.parquet"), "--no-intervals", "--json"]) == 0
    notes = json.loads(capsys.readouterr().out)["notes"]
    assert notes[-1].endswith("items were not kept")


def test_numbers_taken_for_labels_are_told_as_in_small_tables(tmp_path, capsys):
    path = tmp_path / "v.csv"
    path.write_text("x,y\n" + "1,2\n2,3\n3,3\n" * 200)
    assert run(["aggregate", "--no-intervals", "--method", "majority", str(path)]) == 0
    said = capsys.readouterr().out
    assert "the 3 numbers were taken for labels; --scores takes them for scores" in said
    assert "items were not kept" in said


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
def test_labels_of_a_large_table_are_written_row_by_row(
    large, tmp_path, capsys, ending, monkeypatch
):
    command = [
        "aggregate",
        "--method",
        "majority",
        "--no-intervals",
        str(large / "v.parquet"),
        "-o",
    ]
    assert run([*command, str(tmp_path / f"rows.{ending}")]) == 0
    said = capsys.readouterr().out
    assert "labels were written row by row, by the votes of each" in said
    monkeypatch.setattr(counting, "LARGE", 10 * ROWS)
    assert run([*command, str(tmp_path / f"items.{ending}")]) == 0
    assert "row by row" not in capsys.readouterr().out
    one, other = (
        duckdb.sql(f"SELECT * FROM '{tmp_path}/{name}.{ending}'").fetchall()
        for name in ("rows", "items")
    )
    assert [row[:2] for row in one] == [row[:2] for row in other]
    assert [row[2:] for row in one] == [pytest.approx(row[2:], abs=1e-6) for row in other]
    assert len(one) == ROWS


@pytest.mark.parametrize("with_items", [True, False])
def test_json_of_a_large_table_is_written_a_part_at_a_time(
    large, tmp_path, monkeypatch, with_items
):
    """Byte for byte what is written of items in memory, but for what the notes say."""
    source = large / "v.parquet"
    if not with_items:
        source = tmp_path / "w.parquet"
        duckdb.sql(f"COPY (SELECT j3, j5, j7 FROM '{large}/v.parquet') TO '{source}'")
    monkeypatch.setattr(questions, "LONG_PART", 75)
    command = ["aggregate", "--method", "majority", "--no-intervals", str(source), "-o"]
    assert run([*command, str(tmp_path / "rows.json")]) == 0
    monkeypatch.setattr(counting, "LARGE", 10 * ROWS)
    assert run([*command, str(tmp_path / "items.json")]) == 0
    texts = [(tmp_path / f"{name}.json").read_text() for name in ("rows", "items")]
    bodies = [text[: text.index('"notes": [')] for text in texts]
    assert bodies[0] == bodies[1]
    assert len(json.loads(texts[0])["item_pattern"]) == ROWS
    assert json.loads(texts[0])["notes"][-1].startswith("labels were written row by row")


def test_a_large_long_table_is_read_to_be_labelled(large, tmp_path, capsys):
    long = "UNPIVOT (SELECT * FROM '{}/v.parquet') ON j3, j5, j7 INTO NAME judge VALUE answer"
    duckdb.sql(f"COPY ({long.format(large)}) TO '{tmp_path}/long.parquet'")
    command = [
        "aggregate",
        "--method",
        "majority",
        "--no-intervals",
        str(tmp_path / "long.parquet"),
    ]
    assert run([*command, "-o", str(tmp_path / "labels.csv")]) == 0
    assert "row by row" not in capsys.readouterr().out
    assert len((tmp_path / "labels.csv").read_text().splitlines()) == ROWS + 1


def test_a_large_table_of_many_tuples_is_read_to_be_labelled(large, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(joining, "MOST_TUPLES", 3)
    command = ["aggregate", "--method", "majority", "--no-intervals", str(large / "v.parquet")]
    assert run([*command, "-o", str(tmp_path / "labels.csv")]) == 0
    assert "row by row" not in capsys.readouterr().out
    assert len((tmp_path / "labels.csv").read_text().splitlines()) == ROWS + 1


def test_parts_and_merged_sketches_are_the_whole(large, tmp_path, capsys):
    def sketch(name, *files):
        assert (
            run(["sketch", *(str(large / file) for file in files), "-o", str(tmp_path / name)]) == 0
        )
        return json.loads((tmp_path / name).read_text())

    whole = sketch("whole.json", "v.parquet")
    assert whole == read_votes(large / "v.parquet").sketch().to_dict()
    assert sketch("both.json", "one.parquet", "two.parquet") == whole
    sketch("one.json", "one.parquet")
    sketch("two.json", "two.parquet")
    parts = [str(tmp_path / name) for name in ("one.json", "two.json")]
    assert run(["merge", *parts, "-o", str(tmp_path / "all.json")]) == 0
    assert json.loads((tmp_path / "all.json").read_text()) == whole
    assert "an item in two of the files counts twice" in capsys.readouterr().err


def written(path, text):
    path.write_text(text)
    return str(path)


def test_sketches_that_do_not_fit_are_refused(tmp_path, capsys):
    files = []
    for name, text in (
        ("ab", "x,y\na,b\nb,a\n"),
        ("yx", "y,x\nb,b\na,a\n"),
        ("ac", "x,y\na,c\nc,a\n"),
        ("xz", "x,z\na,b\nb,a\n"),
    ):
        path = written(tmp_path / f"{name}.csv", text)
        files.append(str(tmp_path / f"{name}.json"))
        assert run(["sketch", path, "-o", files[-1]]) == 0
    capsys.readouterr()
    assert run(["merge", *files[:2]]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["judges"], sum(found["counts"])) == (["x", "y"], 4)
    assert found["codes"] == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert run(["merge", files[0], files[2]]) == 2
    assert "must have the same labels" in capsys.readouterr().err
    assert run(["merge", files[0], files[3]]) == 2
    assert "must have the same judges" in capsys.readouterr().err
    assert run(["merge", files[0], written(tmp_path / "k.csv", "x,y\na,b\n")]) == 2
    assert run(["alarm", *files[:2]]) == 2
    assert "algeval merge" in capsys.readouterr().err


@pytest.fixture
def keyed(tmp_path):
    path = tmp_path / "keyed.parquet"
    cells = ", ".join(
        f"CASE WHEN hash(i * {k}) % 10 < 7 THEN i % 2 ELSE 0 END AS j{k}" for k in (3, 5, 7)
    )
    duckdb.sql(f"COPY (SELECT i AS item, i % 2 AS gold, {cells} FROM range(900) r(i)) TO '{path}'")
    return str(path)


def test_a_key_in_a_column_scores_counts_as_it_scores_votes(keyed, capsys, monkeypatch):
    command = ["aggregate", "--method", "majority", "--no-intervals", "--key", "gold", keyed]
    assert run(command) == 0
    counted = capsys.readouterr().out
    monkeypatch.setattr(counting, "LARGE", 10_000)
    assert run(command) == 0
    read = capsys.readouterr().out
    assert "Against the key" in read
    assert "items were not kept" in counted
    assert [
        line for line in counted.splitlines() if "items were not kept" not in line
    ] == read.splitlines()


def test_a_key_that_is_not_used_is_checked_where_votes_are_counted(keyed, capsys):
    assert run(["alarm", "--order", "1", "--key", "gold", keyed]) in (0, 1)
    said = capsys.readouterr().out
    assert "items were not kept" in said
    assert "the key was not used" in said


def test_each_judge_is_counted_alone_where_tuples_are_too_many(tmp_path, capsys, monkeypatch):
    path = tmp_path / "v.parquet"
    votes = "'q' || i AS item, 'w' || ((i + k * 7) % 50) AS judge, (hash(i, k) % 3)::INT AS answer"
    duckdb.sql(f"COPY (SELECT {votes} FROM range(300) r(i), range(5) s(k)) TO '{path}'")
    monkeypatch.setattr(tuples, "_MOST_CELLS", 1000)
    assert run(["sketch", str(path)]) == 2
    assert "count each judge alone with algeval sketch --summary" in capsys.readouterr().err
    assert run(["sketch", "--summary", str(path)]) == 0
    assert json.loads(capsys.readouterr().out) == read_votes(path).summary().to_dict()
