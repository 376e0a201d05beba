"""Arrow streams and frames with odd columns are read, or refused with the way out."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pytest

from algeval.errors import DataError
from algeval.io import count, read_votes, read_votes_with_notes
from algeval.io.counting import LOOKED_AT

TABLE = pa.table({"item": ["1", "2"], "x": ["a", "b"], "y": ["a", None]})
ARROW = {
    "batch": lambda t: t.to_batches()[0],
    "reader": lambda t: t.to_reader(),
    "data set": pyarrow.dataset.dataset,
    "table": lambda t: t,
}


@pytest.mark.parametrize("kind", ARROW)
def test_arrow_in_every_form_is_read(kind):
    votes = read_votes(ARROW[kind](TABLE))
    assert (votes.items, votes.judges) == (("1", "2"), ("x", "y"))
    assert votes.codes.tolist() == [[0, 0], [1, -1]]
    assert count(ARROW[kind](TABLE), judges=["x", "y"]) == votes.sketch()


@pytest.mark.parametrize("kind", ARROW)
def test_arrow_lists_are_no_labels(kind):
    listed = pa.table({"item": ["1", "2"], "x": [["a"], ["b"]], "y": ["a", "b"]})
    with pytest.raises(DataError, match="one plain value per cell"):
        read_votes(ARROW[kind](listed))


def test_columns_of_several_levels_are_joined():
    frame = pd.DataFrame({("gpt", "vote"): ["a", "b"], ("claude", "vote"): ["a", "a"]})
    frame.index = pd.Index(["q1", "q2"], name="item")
    votes = read_votes(frame)
    assert (votes.items, votes.judges) == (("q1", "q2"), ("gpt.vote", "claude.vote"))
    assert count(frame, judges=["gpt.vote", "claude.vote"]) == votes.sketch()
    assert frame.columns.nlevels == 2


def test_several_tables_in_one_are_refused_with_the_way_out():
    with pytest.raises(DataError, match=r"pass one, as in source\['train'\]"):
        read_votes({"train": pd.DataFrame({"x": ["a"]})})


def test_what_is_no_table_is_refused_with_the_way_out():
    with pytest.raises(DataError, match=r"for example with its to_pandas\(\)"):
        read_votes(object())


@pytest.mark.parametrize(
    ("options", "brought"),
    [
        ({}, {"item", "x", "y", "gold"}),
        ({"judges": ["x"]}, {"item", "x", "gold"}),
        ({"judges": ["y"], "item": "x"}, {"item", "prompt", "x", "y", "comment", "gold"}),
        ({"key": "gold"}, {"item", "x", "y", "gold"}),
        ({"item": "item", "judge": "x", "answer": "y"}, {"item", "x", "y"}),
    ],
)
def test_of_a_lazy_frame_only_columns_are_brought_that_reading_looks_at(
    options, brought, monkeypatch
):
    cells = {"item": ["q1", "q2"], "prompt": ["", ""], "x": ["a", "b"], "y": ["b", "b"]}
    frame = pl.LazyFrame(cells | {"comment": ["-", "-"], "gold": ["a", "b"]})
    seen, collect = [], pl.LazyFrame.collect

    def noted(*args, **kwargs):
        seen.append(collect(*args, **kwargs))
        return seen[-1]

    monkeypatch.setattr(pl.LazyFrame, "collect", noted)
    votes, notes = read_votes_with_notes(frame, **options)
    first, rest = seen  # the first rows of all columns say what each is
    assert len(first) <= LOOKED_AT
    assert set(rest.columns) == brought
    expected, told = read_votes_with_notes(
        cells | {"comment": ["-", "-"], "gold": ["a", "b"]}, **options
    )
    assert (votes.to_dict(), notes[1:]) == (expected.to_dict(), told[1:])
