"""Frames of any library are opened by their names, and run with a sentence where they cannot."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from algeval.errors import DataError
from algeval.io import count, read_votes
from algeval.io.tables import open_frame

from .conftest import LAZY, module_of

CELLS = {"item": ["q1", "q2", "q3"], "i": ["a", "b", "a"], "j": ["a", None, "b"]}
COUNTS = {("a", "a"): 1, ("a", "b"): 1, ("b", None): 1}


@pytest.mark.parametrize("engine", ["pandas", "polars", "pyarrow", *LAZY])
def test_a_frame_knows_its_columns_and_whether_rows_are_made_when_asked_for(engine, frame_in):
    frame = open_frame(frame_in(engine, CELLS))
    assert frame.names == ("item", "i", "j")
    assert frame.is_lazy == (engine not in ("pandas", "polars", "pyarrow"))
    assert {name: list(cells) for name, cells in frame.cells(["j"], 1).items()} == {"j": ["a"]}


def test_other_things_are_no_frames():
    assert all(open_frame(other) is None for other in (3, {"i": ["a"]}, [{"i": "a"}], "v.csv"))


def test_names_of_two_columns_differ():
    class DataFrame:
        __module__ = "dask.dataframe"

    with pytest.raises(DataError, match="distinct column names"):
        open_frame(pd.DataFrame([["a", "b"]], columns=["i", "i"]))
    with pytest.raises(DataError, match="must be distinct as text"):
        open_frame(pd.DataFrame([["a", "b"]], columns=[1, "1"]))
    with pytest.raises(DataError, match=r"dask DataFrame must be known .* narwhals-dask"):
        open_frame(DataFrame())


def test_what_an_engine_complains_about_is_one_sentence():
    frame = pl.LazyFrame(CELLS).with_columns(k=pl.col("i").str.to_integer())
    with pytest.raises(
        DataError, match=r"polars LazyFrame must run in its engine; got .*parsing failed"
    ):
        count(frame, judges=["k"])


def test_python_objects_are_told_apart_by_reading():
    mixed = pd.DataFrame({"i": [1, True, "a", None]}, dtype=object)
    assert count(mixed, judges=["i"]).to_counts() == {
        ("1",): 1,
        ("True",): 1,
        ("a",): 1,
        (None,): 1,
    }


@pytest.mark.parametrize(
    "make",
    [
        lambda: pd.DataFrame(CELLS).set_index("item"),
        lambda: pd.DataFrame(CELLS).astype("category"),
        lambda: pa.table(CELLS | {"i": pa.array(CELLS["i"]).dictionary_encode()}),
        lambda: pl.LazyFrame(CELLS).with_columns(pl.col("i", "j").cast(pl.Categorical)),
        lambda: pl.DataFrame(CELLS, schema_overrides={"i": pl.Enum(["a", "b"])}),
    ],
    ids=["index", "category", "dictionary", "categorical", "enum"],
)
def test_tables_of_every_make_are_counted(make):
    assert count(make(), judges=["i", "j"]).to_counts() == COUNTS
    assert read_votes(make(), judges=["i", "j"]).sketch().to_counts() == COUNTS


def test_categories_of_dask_partitions():
    frame = module_of("dask.dataframe").from_pandas(
        pd.DataFrame(CELLS).astype("category"), npartitions=2
    )
    assert count(frame, judges=["i", "j"]).to_counts() == COUNTS
    long = pd.DataFrame({"q": [1, 1, 2], "who": ["i", "j", "i"], "said": ["a", "b", "b"]})
    long = module_of("dask.dataframe").from_pandas(
        long.astype({"who": "category", "said": "category"}), npartitions=2
    )
    counts = count(long, item="q", judge="who", answer="said").to_counts()
    assert counts == {("a", "b"): 1, ("b", None): 1}
