"""The exam of Table 1 of paper 001, shared by the tests of correlation."""

import json
from pathlib import Path

import pytest

from algeval.data import KeyedSketch

TRIOS = json.loads((Path(__file__).parents[2] / "fixtures" / "trios.json").read_text())


@pytest.fixture(scope="module")
def table_1():
    actual = TRIOS["table_1"]["actual"]
    cells = {t: dict(zip(TRIOS["order"], actual[t], strict=True)) for t in "ab"}
    return KeyedSketch.from_counts(cells, judges=["i", "j", "k"])
