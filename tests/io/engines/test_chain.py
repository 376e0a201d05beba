"""Count by human labels, systems and slices in an engine, ask, and get what one machine says."""

import numpy as np
import pytest

import algeval as ae
from algeval.io import count

from .conftest import EAGER, LAZY

JUDGES = ["gpt.4", "claude", "anna"]


def cells(n=150):
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 2, n)
    named = np.array(["fail", "pass", None], object)
    table = {
        judge: named[np.where(rng.random(n) < 0.8, truth, 2 * (rng.random(n) < 0.2))].tolist()
        for judge in JUDGES
    }
    table["human"] = named[np.where(rng.random(n) < 0.4, truth, 2)].tolist()
    table["app"] = rng.choice(["A", "B"], n).tolist()
    table["lang"] = rng.choice(["en", "es"], n).tolist()
    return table


@pytest.mark.parametrize("engine", [*EAGER, *LAZY])
def test_the_whole_chain_is_that_of_one_machine(engine, frame_in):
    by = {"human": "human", "system": "app", "slice": "lang"}
    expected = count(cells(), judges=JUDGES, **by)
    counts = count(frame_in(engine, cells()), judges=JUDGES, **by)
    assert counts == expected
    assert ae.judge_card(counts).to_dict() == ae.judge_card(expected).to_dict()
    assert ae.versus(counts).to_dict() == ae.versus(expected).to_dict()
    assert ae.slices(counts, good="pass").to_dict() == ae.slices(expected, good="pass").to_dict()


@pytest.mark.parametrize("engine", LAZY)
def test_only_distinct_rows_are_handed_out(engine, frame_in, handed_out):
    frame = frame_in(engine, cells())
    seen = handed_out(engine, frame)
    counts = count(frame, judges=JUDGES, human="human", system="app")
    assert counts.n_items == 150
    assert max(n for n, _ in seen) <= len(counts.cells) < 150
