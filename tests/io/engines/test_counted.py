"""A lazy frame is counted by what its first rows show, as reading it whole would have it."""

import polars as pl
import pytest

import algeval as ae
from algeval.errors import DataError
from algeval.io import counting, read_votes, read_votes_with_notes
from algeval.io.answers import ReadOptions
from algeval.io.counting import counted_frame

from .conftest import LAZY

WIDE = {
    "item": [f"q{k}" for k in range(60)],
    "prompt": [f"long text {k}" for k in range(60)],
    "x": [*"aab"] * 20,
    "y": [*"ab", None, *"ab"] * 12,
}
LONG = {
    "question_id": [k // 2 for k in range(60)],
    "judge": ["m1", "m2"] * 30,
    "verdict": [*"aab"] * 20,
    "cost": [0.5] * 60,
}


def but_for_texts(notes, votes):
    """Notes on counts, but for columns of words: votes keep them to be shown with an item."""
    shown = tuple(f"left out {texts.name!r}: looks like metadata" for texts in votes.texts)
    return [note for note in notes[1:] if not note.startswith(shown)]


@pytest.mark.parametrize("cells", [WIDE, LONG], ids=["wide", "long"])
def test_what_is_counted_is_what_is_read(cells):
    votes, notes = read_votes_with_notes(cells)
    sketch, told = counted_frame(pl.LazyFrame(cells))
    assert sketch == votes.sketch()
    assert but_for_texts(told, votes) == list(notes[1:])
    assert told[0] == "counted in a polars LazyFrame"
    texts = [text.name for text in votes.texts]
    assert texts == [name for name in cells if name == "prompt"]
    assert sum(f"left out {name!r}: " in note for name in texts for note in told) == len(texts)


@pytest.mark.parametrize("engine", LAZY)
def test_in_every_engine_only_a_sample_and_counts_come_back(
    engine, frame_in, handed_out, monkeypatch
):
    monkeypatch.setattr(counting, "LOOKED_AT", 20)
    frame = frame_in(engine, WIDE)
    seen = handed_out(engine, frame)
    sketch, _ = counted_frame(frame)
    assert sketch == read_votes(WIDE).sketch()
    assert max(size for size, _ in seen) == 20


@pytest.mark.parametrize(
    "options",
    [
        {"judges": ["y", "x"]},
        {"labels": ["a"], "map": {"b": "c"}},
        {"item": "item", "missing": "b"},
    ],
)
def test_options_are_those_of_reading(options):
    sketch, notes = counted_frame(pl.LazyFrame(WIDE), ReadOptions(**options))
    votes, told = read_votes_with_notes(WIDE, **options)
    assert (sketch, but_for_texts(notes, votes)) == (votes.sketch(), list(told[1:]))


def test_votes_that_have_to_be_read_are_not_counted():
    assert counted_frame(pl.DataFrame(WIDE)) is None
    assert counted_frame(pl.LazyFrame(WIDE), ReadOptions(key="gold")) is None
    assert counted_frame("v.csv") is None
    scores = pl.LazyFrame({"x": [k / 30 for k in range(60)]})
    assert counted_frame(scores, scores=True) is None


def test_rows_unlike_the_first_are_refused(monkeypatch):
    monkeypatch.setattr(counting, "LOOKED_AT", 30)
    cells = WIDE | {"Unnamed: 7": [None] * 30 + ["a"] * 30}
    with pytest.raises(DataError, match=r"no votes in 'Unnamed: 7'.*got votes in other rows of it"):
        counted_frame(pl.LazyFrame(cells))
    again = WIDE | {"item": [f"q{k % 50}" for k in range(60)]}
    with pytest.raises(DataError, match=r"one row per item; got item 'q\d' in 2 rows"):
        counted_frame(pl.LazyFrame(again))


@pytest.mark.parametrize("engine", LAZY)
def test_a_question_about_counts_counts_a_lazy_frame(engine, frame_in, handed_out, monkeypatch):
    monkeypatch.setattr(counting, "LOOKED_AT", 20)
    frame = frame_in(engine, WIDE)
    seen = handed_out(engine, frame)
    assert ae.threshold(frame).lower == ae.threshold(WIDE).lower
    assert max(size for size, _ in seen) == 20


def test_labels_of_items_are_those_of_rows_that_are_in_memory():
    lazy = pl.LazyFrame(WIDE)
    with pytest.raises(DataError, match=r"made from counts; label the rows .* with join"):
        _ = ae.aggregate(lazy, "majority").item_labels
    assert ae.aggregate(lazy.collect(), "majority").item_labels[0] == "a"
    assert ae.aggregate(lazy, "majority").join(lazy).collect()["consensus"][0] == "a"
