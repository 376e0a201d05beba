"""Long frames: votes are put side by side in the engine, repeated ones are found in the same pass."""

import random
from collections import Counter

import polars as pl
import pytest

from algeval.errors import DataError
from algeval.io import count, engines

from .conftest import EAGER, LAZY

ENGINES = [*EAGER, *LAZY]
COLUMNS = {"item": "q", "judge": "who", "answer": "said"}
TYPES = {"q": "int", "who": "string", "said": "string"}


def votes(n_items=30, judges=("gpt-4.1", "the claude", "x"), seed=0):
    rng = random.Random(seed)
    drawn = [
        (item, judge, rng.choice(["yes", "no", None]))
        for item in range(n_items)
        for judge in judges
        if rng.random() < 0.8
    ]
    rng.shuffle(drawn)
    return drawn


def columns_of(drawn):
    return dict(zip(TYPES, map(list, zip(*drawn, strict=True)), strict=True))


def by_hand(drawn, judges):
    """Count the answers of each item, of some judges, over all items that anybody judged."""
    said = {(item, judge): answer for item, judge, answer in drawn}
    items = {item for item, _, _ in drawn}
    return dict(Counter(tuple(said.get((item, judge)) for judge in judges) for item in items))


@pytest.mark.parametrize("engine", ENGINES)
def test_counts_are_those_of_counting_by_hand(engine, frame_in):
    drawn = votes()
    frame = frame_in(engine, columns_of(drawn), TYPES)
    sketch = count(frame, **COLUMNS)
    assert sketch.judges == ("gpt-4.1", "the claude", "x")
    assert sketch.to_counts() == by_hand(drawn, sketch.judges)
    some = count(frame, **COLUMNS, judges=["x", "gpt-4.1"])
    assert some.to_counts() == by_hand(drawn, ["x", "gpt-4.1"])
    assert some.labels == ("no", "yes")


@pytest.mark.parametrize("engine", LAZY)
def test_only_pairs_and_tuples_leave_a_lazy_frame(engine, frame_in, handed_out):
    drawn = votes(1_000)
    frame = frame_in(
        engine,
        columns_of(drawn) | {"why": [str(k) for k in range(len(drawn))]},
        TYPES | {"why": "string"},
    )
    seen = handed_out(engine, frame)
    assert count(frame, **COLUMNS).to_counts() == by_hand(drawn, ["gpt-4.1", "the claude", "x"])
    assert {size for size, _ in seen} == {9, len(by_hand_sums(drawn))}
    assert "why" not in {name for _, names in seen for name in names}


def by_hand_sums(drawn):
    """Return the distinct rows side by side, where no answer and no row are two things."""
    said = {(item, judge): (answer,) for item, judge, answer in drawn}
    judges = sorted({judge for _, judge, _ in drawn})
    return {tuple(said.get((item, judge)) for judge in judges) for item, _, _ in drawn}


@pytest.mark.parametrize("engine", ENGINES)
def test_a_repeated_vote_is_refused_with_an_item(engine, frame_in):
    drawn = [
        (1, "x", "a"),
        (1, "y", "b"),
        (2, "x", "a"),
        (3, "y", "a"),
        (3, "y", None),
        (3, "y", "b"),
    ]
    frame = frame_in(engine, columns_of(drawn), TYPES)
    with pytest.raises(
        DataError, match=r"got 3 votes of 'y' on item '3' \(1 item with repeated votes"
    ):
        count(frame, **COLUMNS)
    assert count(frame, **COLUMNS, judges=["x"]).to_counts() == {("a",): 2, (None,): 1}


@pytest.mark.parametrize("engine", ["pandas", *LAZY])
def test_a_row_names_its_item_and_its_judge(engine, frame_in):
    types = TYPES | {"q": "string"}
    frame = frame_in(
        engine, columns_of([("q1", "x", "a"), (None, "x", "b"), (" ", "y", "b")]), types
    )
    with pytest.raises(DataError, match="must name its item; got 2 rows with none in column 'q'"):
        count(frame, **COLUMNS)
    frame = frame_in(engine, columns_of([("q1", None, "a"), ("q2", "x", "b")]), types)
    with pytest.raises(DataError, match="must name its judge; got 1 row with none in column 'who'"):
        count(frame, **COLUMNS)


def test_scores_numbered_judges_and_items_of_two_columns():
    cells = {
        "q": [1, 1, 2, 2],
        "part": ["a", "a", "a", "b"],
        "who": [1, 2, 2, 1],
        "said": [0.2, 0.9, 0.5, 0.1],
    }
    asked = {"item": ["q", "part"], "judge": "who", "answer": "said", "cut": 0.5}
    sketch = count(pl.LazyFrame(cells), **asked)
    assert sketch.judges == ("1", "2")
    assert sketch.to_counts() == {("0", "1"): 1, (None, "1"): 1, ("0", None): 1}


def test_too_much_for_counting_is_refused(monkeypatch):
    many = pl.LazyFrame(
        {"q": list(range(50)), "who": [f"j{k}" for k in range(50)], "said": ["a", "b"] * 25}
    )
    with pytest.raises(DataError, match="at most 40 judges to be counted; got 50; name some"):
        count(many, **COLUMNS)
    assert count(many, **COLUMNS, judges=["j1"]).to_counts() == {("b",): 1, (None,): 49}
    monkeypatch.setattr(engines, "_MOST_PAIRS", 49)
    with pytest.raises(DataError, match="at most 49 different pairs of judge and answer"):
        count(many, **COLUMNS)
    monkeypatch.undo()
    monkeypatch.setattr(engines, "MOST_ROWS", 2)
    monkeypatch.setattr(engines, "MOST_ROWS", 2)
    with pytest.raises(DataError, match="at most 2 different items by their answers"):
        count(many, **COLUMNS, judges=["j1", "j2", "j3"])


def test_columns_must_be_told():
    frame = pl.LazyFrame(columns_of(votes()))
    with pytest.raises(DataError, match="neither judges= of a wide table nor all of item="):
        count(frame, item="q", judge="who")
    with pytest.raises(
        DataError, match="answer must name columns of the polars LazyFrame; got 'x'"
    ):
        count(frame, item="q", judge="who", answer="x")
