"""The paper's grid: its size, the theorem's conditions on all of it, and seeded slices compared."""

import random

import numpy as np
import pytest

from algeval_papers.conjecture import ITEMS, admissible, count_proved, sweep


def test_the_grid_has_the_papers_size():
    better, worse = admissible()
    assert len(better) == 65_369
    assert len(set(zip(better.tolist(), worse.tolist(), strict=True))) == 63_842
    assert len(better) * 2500 * 2 * len(ITEMS) == 4_902_675_000
    assert (better > worse).all()


def test_every_point_of_assumption_1_meets_the_conditions_of_the_theorem():
    assert count_proved() == 83_345_475 == 65_369 * 50 * 51 // 2


@pytest.mark.parametrize("seed", [1, 2])
def test_no_point_of_seeded_slices_is_against_the_theorem(seed):
    for found in sweep(random.Random(seed).sample(range(65_369), 3)):
        assert found.better == found.points == 1275 * 30
        assert (found.worse, found.open) == (0, 0)


def test_labels_that_favour_the_worse_still_leave_two_thirds_to_one_label():
    """.677 over the whole grid; here 25 pairs of classifiers, so some .09 of spread."""
    found = list(sweep(random.Random(6).sample(range(65_369), 25), biased=True))
    shares = [part.better / part.points for part in found]
    assert np.mean(shares) == pytest.approx(0.677, abs=0.15)
    assert sum(part.worse for part in found) > 0


def test_a_sweep_is_resumed_where_it_stopped():
    places = [3, 30_000]
    begun = sweep(places)
    first = next(begun)
    assert [first, *sweep(places[1:])] == list(sweep(places))
