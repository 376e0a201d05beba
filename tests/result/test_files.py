"""Files of results: whole or not at all, of the types and names that the table has."""

import os
import stat
from fractions import Fraction as F

import duckdb
import pytest

import algeval as ae
from algeval.errors import DataError
from algeval.result.files import whole_file, write_table, write_text
from algeval.result.tables import Table

FIT = ae.aggregate(ae.Votes.from_columns({"x": "aab", "y": "abb", "z": "aab"}), "majority")
COLUMNS = {
    "none": [None, None],
    "flag": [True, None],
    "huge": [2**62 + 1, -(2**62)],
    "third": [1 / 3, 1e-300],
    'a "b", c': ['say "no"', "two\nlines"],
}


def parquet(path):
    found = duckdb.sql(f"SELECT * FROM '{path}'")
    return found.columns, [str(told) for told in found.types], found.fetchall()


def test_types_names_and_numbers_are_kept_in_parquet(tmp_path):
    write_table(tmp_path / "it's.parquet", COLUMNS)
    names, types, rows = parquet(str(tmp_path / "it's.parquet").replace("'", "''"))
    assert names == list(COLUMNS)
    assert types == ["VARCHAR", "BOOLEAN", "BIGINT", "DOUBLE", "VARCHAR"]
    assert rows == list(zip(*COLUMNS.values(), strict=True))


def test_csv_is_read_back_by_another_reader(tmp_path):
    write_table(tmp_path / "x.csv", COLUMNS)
    found = duckdb.sql(f"SELECT * FROM read_csv('{tmp_path / 'x.csv'}', header = true)").fetchall()
    assert found == list(zip(*COLUMNS.values(), strict=True))


def test_no_library_of_frames_is_needed(tmp_path, monkeypatch):
    for name in ("pandas", "polars", "pyarrow"):
        monkeypatch.setitem(__import__("sys").modules, name, None)
    FIT.to_file(tmp_path / "x.parquet")
    monkeypatch.undo()
    assert parquet(tmp_path / "x.parquet")[0] == ["item", "a", "b", "decision"]


def test_names_that_parquet_cannot_tell_apart_are_refused_and_the_old_file_stays(tmp_path):
    (tmp_path / "x.parquet").write_text("old")
    with pytest.raises(
        DataError, match=r"must differ in more than case; got 'Yes' and 'yes'; write"
    ):
        write_table(tmp_path / "x.parquet", {"Yes": [1], "yes": [2]})
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("x.parquet", "old")]


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path):
    target = tmp_path / "x.csv"
    write_text(target, "old\n")
    target.chmod(0o640)

    def stopped():
        with whole_file(target) as beside:
            beside.write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        stopped()
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("x.csv", "old\n")]
    write_text(target, "old,new\n")
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("x.csv", "old,new\n")]
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_link_stays_a_link_and_a_pipe_a_pipe(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "x.md").symlink_to(tmp_path / "there" / "y.md")
    write_text(tmp_path / "x.md", "told")
    assert (tmp_path / "x.md").is_symlink()
    assert (tmp_path / "there" / "y.md").read_text().startswith("told\n<!-- written by algeval ")
    write_text(os.devnull, "gone")
    assert not os.path.isfile(os.devnull)


@pytest.mark.parametrize("name", ["folder.csv", "nowhere/x.csv"])
def test_what_cannot_be_written_is_an_error_that_names_it(tmp_path, name):
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(OSError, match=name):
        write_text(tmp_path / name, "x")
    assert [p.name for p in tmp_path.iterdir()] == ["folder.csv"]


def test_an_ending_or_a_table_that_is_not_known_is_refused(tmp_path):
    with pytest.raises(
        DataError,
        match=r"path must end in \.csv, \.tsv, \.parquet, \.md or \.json; got '.*x\.xlsx'; rename",
    ):
        FIT.to_file(tmp_path / "x.xlsx")
    with pytest.raises(DataError, match=r"table must be one of .*did you mean 'Prevalences'"):
        FIT.to_file(tmp_path / "x.csv", table="prevalence")
    with pytest.raises(DataError, match=r"table must come with a file of one table; got 'Prev"):
        FIT.to_file(tmp_path / "x.json", table="Prevalences")
    assert list(tmp_path.iterdir()) == []


def test_another_table_is_written_by_its_title(tmp_path):
    FIT.to_file(tmp_path / "x.csv", table="prevalences")
    assert (tmp_path / "x.csv").read_text() == f"label,prevalence\na,{2 / 3}\nb,{1 / 3}\n"
    FIT.to_file(tmp_path / "x.md", table="Prevalences")
    assert (tmp_path / "x.md").read_text().count("\n## ") == 1
    assert FIT.to_frame("polars", table="Prevalences").columns == ["label", "prevalence"]


def test_numbers_stand_on_the_right_of_a_markdown_table():
    table = Table("T", {"n": [1, None], "f": [F(1, 2), 0.5], "s": ["1", "x"], "b": [True, False]})
    assert list(table.markdown())[2:5] == [
        "| n | f | s | b |",
        "| ---: | ---: | --- | --- |",
        "| 1 | 1/2 (0.5) | 1 | yes |",
    ]


def test_a_set_of_evaluations_is_a_row_each_or_refused_if_they_are_many():
    few = ae.evaluations(ae.Summary.from_counts({"x": {"a": 1, "b": 1}}))
    rows = few.to_frame("polars").rows()
    # by hand: both items a, then x is right on one; one of each, right on both or none; both b
    assert rows == [(2, 0, 1, 0), (1, 1, 1, 1), (1, 1, 0, 0), (0, 2, 0, 1)]
    many = ae.evaluations(ae.Summary.from_counts({"x": {"a": 200, "b": 200}}))
    assert [table.title for table in many.as_tables()] == ["In short"]
    with pytest.raises(DataError, match=r"at most 10000 evaluations; got \d{5}; list"):
        many.to_frame()


@pytest.mark.parametrize("name", [None, 3, "", "nope"])
def test_what_names_no_schema_and_no_table_is_refused_in_a_sentence(name):
    with pytest.raises(ae.DataError, match=rf"must be that of a schema; got {name!r}"):
        ae.schema(name)
    if name is not None:
        with pytest.raises(ae.DataError, match=rf"table must be one of .*; got {name!r}"):
            ae.threshold({"x": [*"ab"], "y": [*"ba"]}).to_frame(table=name)
