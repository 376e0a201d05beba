"""What every aggregator shares: settings, starts, which way round two classes are."""

import numpy as np
import pytest

from algeval.aggregate.fitting import checked, label_starts, loose_note, mixture, read_binary
from algeval.data import Sketch
from algeval.errors import DataError
from algeval.models.ising import Ising

VOTES = Sketch.from_counts({"aab": 6, "bbb": 3, "...": 1})


@pytest.mark.parametrize(
    ("settings", "rule"),
    [
        ({"n_starts": 0}, "n_starts must be a whole number of at least 1"),
        ({"seed": -1}, "seed must be a whole number of at least 0"),
        ({"max_iter": 2.5}, "max_iter must be a whole number of at least 1"),
        ({"tol": -1e-9}, "tol must be at least 0"),
        ({"tol": "small"}, "tol must be at least 0; got 'small'"),
    ],
)
def test_settings_of_an_iteration(settings, rule):
    good = {"tol": 0, "max_iter": 5.0, "seed": 2}
    assert checked(**good) == {"seed": 2, "max_iter": 5, "tol": 0.0}
    with pytest.raises(DataError, match=rule):
        checked(**good | settings)


def test_classes_are_turned_only_where_nothing_ties_their_names():
    free, tied = read_binary(VOTES, "free"), read_binary(VOTES, [0.3, 0.7])
    against = np.array([0.1 if row.sum() > 1 else 0.9 for row in VOTES.codes])
    for binary, share, swapped in (
        (free, against, True),
        (free, 1 - against, False),
        (tied, against, False),
    ):
        got, exchanged = binary.oriented(share)
        assert exchanged is swapped
        assert got.tolist() == (1 - share if swapped else share).tolist()


def test_silence_keeps_the_prevalence():
    binary = read_binary(VOTES, "free")
    share = binary.everywhere(np.array([0.25, 0.75]), np.log(4))
    assert share[~binary.heard].tolist() == pytest.approx([0.8])
    assert share[binary.heard].tolist() == [0.25, 0.75]


def test_starts_are_softened_vote_shares_then_noise_of_the_seed():
    first, second = label_starts(VOTES, 2, 7)
    shares = {tuple(r): p for r, p in zip(VOTES.codes.tolist(), first, strict=True)}
    assert shares[0, 0, 1] == pytest.approx([0.8 * 2 / 3 + 0.1, 0.8 / 3 + 0.1])
    assert shares[-1, -1, -1] == pytest.approx([0.5, 0.5])
    assert second.sum(axis=1) == pytest.approx([1, 1, 1])
    assert np.array_equal(label_starts(VOTES, 2, 7)[1], second)
    assert not np.array_equal(label_starts(VOTES, 2, 8)[1], second)


def test_a_mixture_exists_even_where_the_prevalence_is_all_one_label():
    law = Ising(np.zeros(2), np.zeros((2, 2)))
    assert mixture(-np.inf, law, law).prevalence == pytest.approx(1e-12)
    assert mixture(800.0, law, law).prevalence < 1


def test_a_direction_nobody_knows_is_named():
    assert loose_note(1.0) == []
    assert "standard error of 1.5 without the ridge" in loose_note(1.5)[0]
    assert "standard error of endless" in loose_note(np.inf)[0]
