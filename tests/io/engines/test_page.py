"""The blocks of the how-to that need an engine do what they say; the others are run with all pages."""

import re
import sys
from pathlib import Path
from textwrap import dedent

import polars as pl
import pytest

from algeval.io import count, read_sketch

from .conftest import module_of

PAGE = Path(__file__).parents[3] / "docs" / "howto" / "ten-billion-votes.md"
BLOCKS = [
    dedent(code)
    for code in re.findall(
        r"```\{code-block\} python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL
    )
]


@pytest.fixture
def votes(tmp_path, monkeypatch):
    """Parts of a wide and of a long table of the same votes, where the page has them."""
    monkeypatch.chdir(tmp_path)
    wide = {"gpt-4.1": [*"aabba"], "claude": ["a", "b", "b", None, "a"]}
    long = [
        {"item": item, "model": judge, "verdict": answers[item]}
        for judge, answers in wide.items()
        for item in range(5)
    ]
    for folder, rows in (("votes", wide), ("long", long)):
        Path(folder).mkdir()
        frame = pl.DataFrame(rows)
        frame[: len(frame) // 2].write_parquet(f"{folder}/0.parquet")
        frame[len(frame) // 2 :].write_parquet(f"{folder}/1.parquet")
    return {("a", "a"): 2, ("a", "b"): 1, ("b", "b"): 1, ("b", None): 1}


@pytest.mark.parametrize("engine", ["dask.dataframe", "ibis"])
def test_dask_and_ibis(engine, votes):
    module_of(engine)
    code = next(block for block in BLOCKS if f"import {engine}" in block)
    names = {"count": count}
    exec(compile(code, PAGE.name, "exec"), names)
    assert names["sketch"].to_counts() == votes


@pytest.mark.spark
def test_spark(votes, spark, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "argv", ["count_votes.py", str(tmp_path / "long"), "counts.json"])
    exec(compile(BLOCKS[0], "count_votes.py", "exec"), {})
    sketch = read_sketch("counts.json")  # Spark reads the files of a folder in an order of its own
    order = [sketch.judges.index(judge) for judge in ("gpt-4.1", "claude")]
    assert {tuple(said[k] for k in order): n for said, n in sketch.to_counts().items()} == votes
