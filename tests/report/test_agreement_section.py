"""What the report says of judges who answer alike."""

import numpy as np

from algeval.data import Sketch, Votes
from algeval.report.sections import agreement_section


def test_near_copies_are_named_where_agreement_is_shown():
    rng = np.random.default_rng(0)
    key = rng.integers(2, size=400)
    poor = np.where(rng.random(400) < 0.65, key, 1 - key)
    copies = [np.where(rng.random(400) < 0.97, poor, 1 - poor) for _ in range(3)]
    good = [np.where(rng.random(400) < 0.92, key, 1 - key) for _ in range(2)]
    codes = np.stack([*copies, *good], axis=1).astype(np.int16)
    votes = Votes(range(400), ["c1", "c2", "c3", "g1", "g2"], ["n", "y"], ["n", "y"], codes, None)
    section = agreement_section(votes.sketch())
    assert any("c1, c2, c3 answer nearly alike: count them as one" in s for s in section.lines)
    assert section.results["groups"].groups[0] == ("c1", "c2", "c3")


def test_where_copies_cannot_be_told_nothing_is_said_of_them():
    three = Sketch.from_counts({"aaa": 20, "bbb": 20, "aab": 9})
    section = agreement_section(three)
    assert "groups" not in section.results
    many = Sketch(range(101), ["a", "b"], ["a", "b"], np.zeros((1, 101), np.int16), [5])
    assert any("not looked for among so many judges" in s for s in agreement_section(many).lines)
