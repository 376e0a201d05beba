import csv
from fractions import Fraction as F
from pathlib import Path

import numpy as np
import pytest

from algeval.aggregate.checks.pairs import suspects
from algeval.data import Sketch, Votes
from algeval.errors import DataError

DATA = Path(__file__).parents[3] / "../shared/data"


def votes_of(codes):
    judges = [f"j{i}" for i in range(codes.shape[1])]
    return Votes(range(len(codes)), judges, list("ab"), list("ab"), codes.astype(np.int16))


def good_judges(n=400, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    wrong = rng.random((n, 4)) > [0.9, 0.8, 0.85, 0.75]
    return np.where(wrong, 1 - truth[:, None], truth[:, None])


def test_good_judges_raise_no_suspicion():
    assert suspects(votes_of(good_judges())) == ()


def test_swapped_labels_are_called_flipped():
    codes = good_judges()
    codes[:, 2] = 1 - codes[:, 2]
    (found,) = suspects(votes_of(codes))
    assert (found.judge, found.cause, found.n_compared) == ("j2", "flipped", 3)
    assert found.best_kappa < 0
    assert "its labels may be swapped" in found.message


def test_shifted_rows_are_called_out_of_step():
    # two labels alternate, so rows that slip by one are maximally wrong; by two halves, unrelated
    truth = np.arange(400) // 2 % 2
    codes = np.stack([truth, truth, truth, np.roll(truth, 1)], axis=1)
    (found,) = suspects(votes_of(codes))
    assert (found.judge, found.cause) == ("j3", "unrelated")
    assert found.best_kappa == 0
    assert "rows may be out of step" in found.message


def test_a_constant_judge_is_named_as_such():
    codes = good_judges()
    codes[:, 1] = 0
    (found,) = suspects(votes_of(codes))
    assert (found.judge, found.cause, found.best_kappa) == ("j1", "constant", F(0))
    assert "it always answers 'a'" in found.message


def test_few_common_items_prove_nothing():
    s = Sketch.from_counts({"aab": 4, "bba": 4}, judges=["i", "j", "k"])
    assert suspects(s) == ()
    assert [found.judge for found in suspects(s, min_shared=8)] == ["k"]


def test_two_judges_that_disagree_are_both_named():
    s = Sketch.from_counts({"ab": 30, "ba": 30}, judges=["i", "j"])
    found = suspects(s)
    assert [f.judge for f in found] == ["i", "j"]
    assert found[0].worst_kappa == -1
    assert "the one judge" in found[0].message


def test_message():
    with pytest.raises(DataError, match="at_most must be a number"):
        suspects(Sketch.from_counts({"ab": 3}), at_most=None)
    with pytest.raises(DataError, match="min_shared must be a whole number of at least 1"):
        suspects(Sketch.from_counts({"ab": 3}), min_shared=0)


@pytest.mark.skipif(not DATA.exists(), reason="the real votes are not here")
def test_a_real_judge_with_its_rows_out_of_order_is_named():
    with (DATA / "civilcomments_judge_scores.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    names = [name for name in rows[0] if name not in ("item", "gold")]
    columns = {
        name: [None if r[name] == "" else str(int(float(r[name]) >= 4.5)) for r in rows]
        for name in names
    }
    assert suspects(Votes.from_columns(columns)) == ()
    for victim in names:
        column = columns[victim]
        found = suspects(Votes.from_columns(columns | {victim: column[::-1]}))
        assert [f.judge for f in found] == [victim]
        assert found[0].cause == "unrelated"


def test_pooled_kappa_by_hand():
    s = Sketch.from_counts({"ab.": 30, "ba.": 30, "a.b": 20, "b.b": 20}, judges=["i", "j", "k"])
    first = suspects(s)[0]
    # i and j: 60 items, none agrees, 30 by chance; i and k: 40 items, 20 agree, 20 by chance
    assert (first.best_kappa, first.worst_kappa) == (0, -1)
    assert first.pooled_kappa == F(-30 + 0, 30 + 20)
    assert first.to_dict()["pooled_kappa"] == "-3/5"


def test_one_lucky_pair_does_not_hide_a_suspect_but_a_clear_one_does():
    rng = np.random.default_rng(1)
    codes = np.concatenate([good_judges(1000), rng.integers(0, 2, (1000, 1))], axis=1)
    (found,) = suspects(votes_of(codes))
    assert found.judge == "j4"
    twin = np.concatenate([codes, codes[:, 4:]], axis=1)
    assert suspects(votes_of(twin)) == ()  # the two guess alike, so each has a companion
