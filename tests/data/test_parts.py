"""Small parts of the data types, by hand."""

from fractions import Fraction

import numpy as np
import pytest

from algeval.data import Scores, Votes
from algeval.data.evaluation import shown_share, with_interval
from algeval.data.names import digest_in_parts, digest_of, folded
from algeval.data.reading import is_scores, n_labelled
from algeval.data.scores import syllables
from algeval.data.sketch import whole_table
from algeval.data.specification import parse_specification, read_conditions


def test_shares_and_intervals_are_shown():
    assert [shown_share(x) for x in (0.25, 66.5, None)] == ["25.0%", "-", "-"]
    assert with_interval("86.1%", (0.78, 0.92)) == "86.1% (78-92)"
    assert with_interval("-", (0.1, 0.2)) == "-"


def test_labels_are_folded():
    texts = (" Yes. ", "NOT  sure", "B+", "...")
    assert list(map(folded, texts)) == ["yes", "not sure", "b+", "..."]


@pytest.mark.parametrize(
    "rows", [[[0, 9], [3, 4]], [[7]], [[10, 2], [0, 1]], [[-1, 2], [0, 1]], [[], []], [1, 2], []]
)
def test_rows_of_codes_have_the_digest_of_their_lists(rows):
    for kind in (np.int8, np.int64):
        parts = digest_in_parts({"codes": []}, {"codes": np.array(rows, kind)})
        assert parts == digest_of({"codes": rows})


def test_a_digest_in_parts_is_the_digest():
    whole = {"codes": [[0, 1], [1, 1]], "n": 2}
    parts = digest_in_parts({"codes": [], "n": 2}, {"codes": np.array(whole["codes"])})
    assert parts == digest_of(whole)


def test_scores_and_labels_are_known():
    assert is_scores(Scores.from_columns({"gpt4": [7, 2]}))
    assert not is_scores("scores.csv")
    assert n_labelled(Votes.from_columns({"x": ["a", "b", "a"]}, key=["a", None, None])) == 1
    assert whole_table([[0, 1], [-1, 0]], "codes").tolist() == [[0, 1], [-1, 0]]


def test_syllables():
    words = ("the", "table", "make", "area", "readability")
    assert list(map(syllables, words)) == [1, 2, 1, 2, 5]


def test_specifications_as_text():
    parts = read_conditions("at least 2 judges prevalence(tie) <= 40%", ["prevalence"])
    assert parts == ([("prevalence", "<=", Fraction(2, 5), None, "tie")], 2)
    spec = parse_specification("accuracy >= 60% and prevalence(tie) in 0.1..0.4")
    assert [c.value for c in spec.conditions] == [Fraction(3, 5), Fraction(1, 10), Fraction(2, 5)]
    assert parse_specification("at least 2 judges accuracy >= 0.7").min_judges == 2
