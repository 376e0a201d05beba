"""Several files: parts of one table, or the votes of a judge each."""

import json

import duckdb
import pandas as pd
import pytest

from algeval.errors import DataError
from algeval.io import counting, read_votes, read_votes_with_notes
from algeval.io.answers import ReadOptions
from algeval.io.counting import Enough, count_large, open_large


def large(source, given, *, scores=False, **enough):
    """Return what counting a large source gives, None where its votes are to be read."""
    options = ReadOptions(**given)
    opened = open_large(source, options)
    if opened is None:
        return None
    return count_large(opened, options, Enough(**enough), scores=scores)


TABLE = pd.DataFrame(
    {"item": range(60), "x": list("ab") * 30, "y": list("aab") * 20, "z": list("abbbaa") * 10}
)
LONG = TABLE.melt("item", var_name="judge", value_name="answer").sort_values("item")


def parts(folder, frame, form):
    """Write a table in three parts."""
    n = len(frame) // 3
    paths = [folder / f"part-{k}.{form}" for k in range(3)]
    for k, path in enumerate(paths):
        piece = frame[k * n : (k + 1) * n]
        if form == "csv":
            piece.to_csv(path, index=False)
        elif form == "parquet":
            piece.to_parquet(path, index=False)
        else:
            path.write_text("\n".join(map(json.dumps, piece.to_dict("records"))))
    return paths


@pytest.mark.parametrize("form", ["csv", "parquet", "jsonl"])
@pytest.mark.parametrize("frame", [TABLE, LONG], ids=["wide", "long"])
def test_parts_are_one_table(tmp_path, monkeypatch, frame, form):
    monkeypatch.setattr(counting, "LARGE", 30)
    paths = parts(tmp_path, frame, form)
    whole = read_votes(frame)
    for source in (paths, tmp_path, tmp_path / f"part-*.{form}"):
        votes, notes = read_votes_with_notes(source)
        assert (votes.items, votes.sketch()) == (whole.items, whole.sketch())
        assert notes[0].startswith(f"part-0.{form} and 2 more read as")
    assert large(paths, {})[0] == whole.sketch()


def test_columns_in_another_order_are_the_same_columns(tmp_path):
    paths = parts(tmp_path, TABLE, "csv")
    pd.read_csv(paths[1])[["z", "item", "y", "x"]].to_csv(paths[1], index=False)
    assert read_votes(paths).select(["x", "y", "z"]).sketch() == read_votes(TABLE).sketch()


def test_a_file_with_one_column_of_answers_is_a_judge(tmp_path):
    for name in ("x", "y"):
        one = TABLE[["item", name]].rename(columns={name: "answer"})
        one.assign(note="n").to_csv(tmp_path / f"{name}.csv", index=False)
    votes = read_votes([tmp_path / "x.csv", tmp_path / "y.csv"])
    assert votes.judges == ("x", "y")
    assert votes.sketch() == read_votes(TABLE[["item", "x", "y"]]).sketch()


def test_what_was_asked_decides_between_the_two(tmp_path):
    paths = parts(tmp_path, TABLE.rename(columns={"x": "answer"}), "csv")
    with pytest.raises(DataError, match="same items"):
        read_votes(paths)  # a judge a file: parts have no item in common
    assert read_votes(paths, reader="table", judges=["answer", "y"]).n_items == 60
    assert read_votes(paths, judges=["answer", "y"]).n_items == 60
    with pytest.raises(DataError, match="one column of answers"):
        read_votes(parts(tmp_path, TABLE, "csv"), reader="folder")


def test_an_item_in_two_parts_is_refused(tmp_path):
    paths = parts(tmp_path, TABLE, "parquet")
    with pytest.raises(DataError, match="got item '0' again"):
        read_votes([*paths, paths[0]])


def test_parts_that_differ_are_refused(tmp_path):
    paths = parts(tmp_path, TABLE, "parquet")
    TABLE.rename(columns={"x": "w"}).to_parquet(paths[2])
    with pytest.raises(
        DataError, match=r"the same columns and types; part-0\.parquet and 2 more differ"
    ):
        read_votes(paths, reader="table")
    csv = parts(tmp_path, TABLE, "csv")
    csv[1].write_text("item,x,y,v\n1,a,b,a\n")
    with pytest.raises(
        DataError, match=r"same columns; part-0\.csv has 'item', 'x', 'y', 'z', part-1"
    ):
        read_votes(csv, reader="table")
    with pytest.raises(DataError, match=r"of one kind; part-0\.csv and part-0\.parquet are not"):
        read_votes([csv[0], paths[0]], reader="table")


def test_folders_are_columns_only_when_asked(tmp_path):
    duckdb.register("frame", TABLE)
    duckdb.sql(
        f"COPY (SELECT * EXCLUDE z, z AS side FROM frame) TO '{tmp_path / 'd'}' "
        "(FORMAT parquet, PARTITION_BY (side))"
    )
    plain = read_votes(tmp_path / "d")
    assert (plain.judges, plain.n_items) == (("x", "y"), 60)
    asked = read_votes(tmp_path / "d", format="hive", judges=["x", "y", "side"])
    expected = read_votes(TABLE.rename(columns={"z": "side"}), judges=["x", "y", "side"])
    assert asked.sketch() == expected.sketch()
