"""Columns that hold one vote between them are one judge, not several."""

import itertools
import os
from pathlib import Path

import numpy as np
import pytest

import algeval as ae
from algeval.errors import DataError
from algeval.io import read_votes, read_votes_with_notes

SHARED = Path(os.environ.get("ALGEVAL_SHARED", Path(__file__).parents[2] / "../shared"))
WINNERS = ["model_a", "tie", "model_b", "tie", "tie", "model_a", "tie", "model_b"]


def one_hot(winners, stem="winner", endings=("model_a", "model_b", "tie")):
    return {f"{stem}_{end}": [int(winner == end) for winner in winners] for end in endings}


def refusal(columns):
    with pytest.raises(DataError) as caught:
        read_votes(columns)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_one_hot_winners_are_one_vote_and_no_alarm():
    votes, notes = read_votes_with_notes({"id": range(8), **one_hot(WINNERS)})
    assert votes.judges == ("winner",)
    assert [votes.answers[code] for (code,) in votes.codes] == WINNERS
    assert ae.alarm(votes, at_least=0.6).triggered is False
    assert any("read as judge 'winner' answering 'model_a', 'model_b', 'tie'" in n for n in notes)


def test_a_candidate_that_never_wins_is_a_label_and_no_judge():
    votes = read_votes(one_hot(["model_a", "tie"] * 4))
    assert votes.judges == ("winner",)
    assert votes.answers == ("model_a", "model_b", "tie")
    assert votes.summary().counts.tolist() == [[4, 0, 4]]


def test_several_one_hot_judges_become_one_column_each():
    columns = one_hot(WINNERS, "gpt.winner") | one_hot(WINNERS[::-1], "claude.winner")
    votes = read_votes({"item": range(8), **columns})
    assert votes.judges == ("gpt.winner", "claude.winner")
    assert [votes.answers[code] for code in votes.codes[:, 1]] == WINNERS[::-1]


def test_one_vote_is_no_score_to_cut():
    with pytest.raises(DataError, match="'winner' was left out because it holds texts"):
        read_votes(one_hot(WINNERS), cut=0.5)


def test_an_empty_row_is_a_vote_not_given():
    columns = {name: [*cells, None] for name, cells in one_hot(WINNERS).items()}
    assert read_votes(columns).missing.tolist() == [1]


def test_winners_that_do_not_sum_to_one_are_refused():
    columns = one_hot(WINNERS)
    columns["winner_tie"][0] = 1
    message = refusal(columns)
    assert "7 of 8 rows have one 1, but row 1 sums to 2" in message
    assert "pass judges= to count each as a judge" in message
    assert read_votes(columns, judges=list(columns)).n_judges == 3


def test_one_slip_in_many_rows_is_refused_under_any_name():
    columns = one_hot(WINNERS * 3, "mark")
    columns["mark_tie"][5] = 1
    assert "sums to 2" in refusal(columns)


def test_two_columns_that_never_agree_are_not_guessed():
    assert "two columns that never agree" in refusal(one_hot(["a", "b"] * 4, "said", ("a", "b")))


@pytest.mark.parametrize("stem", ["judge", "rater", "x"])
def test_judges_who_vote_0_and_1_stay_judges(stem):
    cube = np.array(list(itertools.product([0, 1], repeat=3)))
    columns = {f"{stem}_{name}": cube[:, place].tolist() for place, name in enumerate("abc")}
    assert read_votes(columns).n_judges == 3


def test_numbered_judges_of_whom_one_says_yes_stay_judges():
    assert read_votes(one_hot(WINNERS, "judge")).n_judges == 3


def test_the_one_hot_sample_raises_no_alarm():
    path = SHARED / "formats" / "huggingface" / "a-onehot.csv"
    if not path.exists():
        pytest.skip("the shared file is not here")
    votes = read_votes(path)
    assert votes.judges == ("winner",)
    assert votes.summary().counts.tolist() == [[6, 9, 17]]
    assert ae.alarm(votes).triggered is False
