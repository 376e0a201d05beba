"""Wide frames: every engine gives what counting by hand gives, and hands out counts only."""

import random
from collections import Counter

import polars as pl
import pytest

from algeval.errors import DataError
from algeval.io import count, engines

from .conftest import EAGER, LAZY

ENGINES = [*EAGER, *LAZY]


def drawn(kinds, n, seed):
    rng = random.Random(seed)
    return [rng.choice(kinds) for _ in range(n)]


def by_hand(*columns):
    """Count rows of cells, each as the text a person would write; blanks and None are no answer."""

    def text(cell):
        if cell is None:
            return None
        whole = isinstance(cell, float) and cell == int(cell)
        return str(int(cell) if whole else cell).strip() or None

    return dict(Counter(tuple(map(text, row)) for row in zip(*columns, strict=True)))


EXAMS = {
    "texts": (
        {"gpt-4.1": ["a", "b", " a", None, ""], "the claude": ["a", "b", "tie"]},
        {"gpt-4.1": "string", "the claude": "string"},
    ),
    "numbers": ({"i": [1, 2, None], "j": [1.0, 2.0, 1.5, None]}, {"i": "int", "j": "double"}),
    "truth values": (
        {"i": [True, False, None], "j": [True, False]},
        {"i": "boolean", "j": "boolean"},
    ),
}


@pytest.mark.parametrize("exam", EXAMS)
@pytest.mark.parametrize("engine", ENGINES)
def test_counts_are_those_of_counting_by_hand(engine, exam, frame_in):
    kinds, types = EXAMS[exam]
    cells = {name: drawn(kinds[name], 60, seed) for seed, name in enumerate(kinds)}
    frame = frame_in(engine, cells, types)
    assert count(frame, judges=list(cells)).to_counts() == by_hand(*cells.values())


@pytest.mark.parametrize("engine", LAZY)
def test_only_distinct_rows_leave_a_lazy_frame(engine, frame_in, handed_out):
    n = 3_000
    cells = {"id": [f"q{k}" for k in range(n)], "why": [f"because {k}" for k in range(n)]}
    cells |= {name: drawn(["a", "b", None], n, name) for name in "ij"}
    frame = frame_in(engine, cells)
    seen = handed_out(engine, frame)
    sketch = count(frame, judges=["i", "j"], item="id")
    assert sketch.to_counts() == by_hand(cells["i"], cells["j"])
    assert {size for size, _ in seen} == {0, 9}  # repeated items, distinct rows
    assert "why" not in {name for _, names in seen for name in names}


@pytest.mark.parametrize("engine", ENGINES)
def test_scores_are_cut_in_the_engine(engine, frame_in, monkeypatch):
    monkeypatch.setattr(engines, "MOST_ROWS", 12)
    cells = {"i": [k / 100 for k in range(99)] + [None], "j": [0.5, 0.25, -1.0, None] * 25}
    frame = frame_in(engine, cells, {"i": "double", "j": "double"})
    cut = count(frame, judges=["i", "j"], cut=0.5, missing=["-1"])
    sides = [
        [None if x in (None, -1.0) else int(x >= 0.5) for x in column] for column in cells.values()
    ]
    assert cut.to_counts() == by_hand(*sides)


def test_a_score_as_near_to_the_cut_as_floats_get_falls_on_its_side():
    below, above = 0.3 - 2**-54, 0.3 + 2**-54
    cells = {"i": [below, above, 0.3, 1e308, -1e308, 0.1], "j": [0, 1, 1, 1, 0, 0]}
    counts = count(pl.LazyFrame(cells), judges=["i"], cut=0.3).to_counts()
    assert counts == {("0",): 3, ("1",): 3}
    endless = pl.LazyFrame({"i": [float("inf"), 1.0]})
    with pytest.raises(DataError, match="must hold numbers to be cut"):
        count(endless, judges=["i"], cut=0.3)


@pytest.mark.parametrize("engine", ENGINES)
def test_an_item_has_one_row(engine, frame_in):
    cells = {"id": ["q1", "q2", " q2", "q3"], "part": ["1", "1", "1", None], "i": [*"abab"]}
    frame = frame_in(engine, cells)
    assert count(frame, judges=["i"]).n_items == 4
    with pytest.raises(DataError, match="got item 'q2' in 2 rows of the"):
        count(frame, judges=["i"], item="id")
    with pytest.raises(DataError, match=r"must name its item; 1 row with none in column 'part'"):
        count(
            frame_in(engine, {k: [*v[:2], v[3]] for k, v in cells.items()}),
            judges=["i"],
            item=["id", "part"],
        )


@pytest.mark.parametrize("engine", ["pandas", "polars lazy", "dask"])
def test_too_many_different_rows_are_refused_before_they_come_back(
    engine, frame_in, handed_out, monkeypatch
):
    monkeypatch.setattr(engines, "MOST_ROWS", 9)
    monkeypatch.setattr(engines, "MOST_ROWS", 9)
    cells = {"i": [f"answer {k}" for k in range(100)], "j": ["a", "b"] * 50}
    frame = frame_in(engine, cells)
    seen = handed_out(engine, frame) if engine in ("polars lazy", "dask") else []
    with pytest.raises(
        DataError, match=r"at most 9 different rows of answers .* got more; name fewer"
    ):
        count(frame, judges=["i", "j"])
    assert all(size == 10 for size, _ in seen)
    assert count(frame, judges=["j"]).to_counts() == {("a",): 50, ("b",): 50}


@pytest.mark.parametrize("order", [1, -1])
def test_of_spellings_equally_common_no_order_of_rows_decides(order):
    cells = {"i": ["Yes", "yes", "YES", "no"][::order]}
    assert count(pl.LazyFrame(cells), judges=["i"]).labels == ("YES", "no")


def test_columns_that_are_no_votes_are_refused():
    frame = pl.LazyFrame({"i": [["a"], ["b"]], "j": ["a", "b"]})
    with pytest.raises(DataError, match="column 'i' must hold one plain value per cell"):
        count(frame, judges=["i"])
    with pytest.raises(
        DataError, match="judges must name columns of the polars LazyFrame; got 'k'"
    ):
        count(frame, judges=["k"])
    with pytest.raises(DataError, match="item must name columns of the polars LazyFrame; got 'k'"):
        count(frame, judges=["j"], item="k")
