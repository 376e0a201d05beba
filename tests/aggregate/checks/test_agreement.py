import json
from fractions import Fraction as F
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algeval.aggregate.checks.pairs import (
    Agreement,
    agreement,
    fleiss_kappa,
    krippendorff_alpha,
    pair_tables,
)
from algeval.data import Sketch, Votes
from algeval.errors import DataError, TooLargeError
from algeval.result import Status

ROWS = st.lists(st.text("abc.", min_size=4, max_size=4), min_size=2, max_size=25)


def votes_of(rows):
    return Votes.from_columns(
        {j: [None if r[j] == "." else r[j] for r in rows] for j in range(len(rows[0]))},
        labels=list("abc"),
    )


def by_pairs(rows):
    """Krippendorff's alpha from the coincidences, ordered pair by ordered pair."""
    pairs = []
    for row in rows:
        values = row.replace(".", "")
        pairs += [(x, y, F(1, len(values) - 1)) for x, y in permutations(values, 2)]
    n = sum(w for _, _, w in pairs)
    observed = sum(w for x, y, w in pairs if x != y)
    totals = [sum(w for x, _, w in pairs if x == c) for c in "abc"]
    expected = sum(p * q for i, p in enumerate(totals) for j, q in enumerate(totals) if i != j)
    return 1 - (n - 1) * observed / expected if expected else None


def test_cohen_by_hand():
    s = Sketch.from_counts({"aa": 20, "ab": 5, "ba": 10, "bb": 15}, judges=["i", "j"])
    found = agreement(s)
    assert found.percent("i", "j") == F(7, 10)
    assert found.cohen("i", "j") == F(2, 5)  # (7/10 - 1/2) / (1 - 1/2)
    assert found.cohens()[0, 1] == found.cohens()[1, 0] == F(2, 5)
    assert found.cohens()[0, 0] is None
    assert found.shared().tolist() == [[50, 50], [50, 50]]


def test_fleiss_example_of_fourteen_raters():
    given_ = [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ]
    kappa = fleiss_kappa(np.array(given_), np.ones(10, int))
    # by hand: sum of squares 828, so mean agreement 688/1820; answers 20 28 39 21 32 of 140
    observed, expected = F(688, 1820), F(400 + 784 + 1521 + 441 + 1024, 19600)
    assert kappa == (observed - expected) / (1 - expected)
    assert round(float(kappa), 3) == 0.210


def test_krippendorff_example_of_four_observers():
    columns = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."]
    votes = Votes.from_columns(
        {j: [None if c == "." else c for c in column] for j, column in enumerate(columns)}
    )
    found = agreement(votes)
    assert round(float(found.alpha), 3) == 0.743
    assert found.fleiss is None
    assert any("Fleiss' kappa is not defined" in note for note in found.warnings)
    assert any("1 item has fewer than two answers" in note for note in found.warnings)


@settings(derandomize=True, deadline=None, max_examples=80)
@given(ROWS)
def test_alpha_against_the_coincidence_matrix(rows):
    kept = [row for row in rows if len(row.replace(".", "")) > 1]
    assert agreement(votes_of([*rows, "aaaa"])).alpha == by_pairs([*kept, "aaaa"])


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.lists(st.text("abc", min_size=4, max_size=4), min_size=2, max_size=20))
def test_alpha_and_fleiss_on_complete_votes(rows):
    found = agreement(votes_of(rows))
    if found.fleiss is None:
        assert found.alpha is None
    else:
        n = 4 * len(rows)
        assert 1 - found.alpha == (1 - found.fleiss) * F(n - 1, n)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(ROWS)
def test_cohen_against_counting_by_hand(rows):
    found = agreement(votes_of(rows))
    for i in range(4):
        for j in range(4):
            both = [(r[i], r[j]) for r in rows if "." not in (r[i], r[j])]
            if not both:
                assert found.percent(str(i), str(j)) is None
                continue
            n = len(both)
            same = F(sum(x == y for x, y in both), n)
            chance = F(sum(x == y for x, _ in both for _, y in both), n * n)
            assert found.percent(str(i), str(j)) == same
            expected = None if chance == 1 else (same - chance) / (1 - chance)
            assert found.cohen(str(i), str(j)) == expected


def test_scikit_learn_agrees():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (200, 2)).astype(np.int16)
    codes[:80, 1] = codes[:80, 0]
    votes = Votes(range(200), ["i", "j"], list("abc"), list("abc"), codes)
    expected = metrics.cohen_kappa_score(codes[:, 0], codes[:, 1])
    assert float(agreement(votes).cohen("i", "j")) == pytest.approx(expected)


def test_huge_counts_stay_exact():
    big = 2**60
    s = Sketch.from_counts({"aa": big, "ab": 1, "bb": big - 7}, judges=["i", "j"])
    assert agreement(s).percent("i", "j") == F(2 * big - 7, 2 * big - 6)
    assert agreement(s).pairs[0, 1].tolist() == [[big, 1], [0, big - 7]]


def test_answers_that_are_no_labels():
    s = Sketch.from_counts({"ax": 1, "aa": 2, "xx": 3, "bb": 2}, labels=["a", "b"])
    assert agreement(s).percent("1", "2") == F(7, 8)
    only = agreement(s, counted="labels")
    assert only.percent("1", "2") == 1
    assert only.answers == ("a", "b")
    assert any("7 votes are missing or not counted" in note for note in only.warnings)


def test_nothing_to_compare():
    found = agreement(Sketch.from_counts({"a.": 1, ".b": 2}))
    assert found.status is Status.UNDETERMINED
    assert found.alpha is None
    assert found.fleiss is None
    assert "No two of 2 judges" in found.message
    same = agreement(Sketch.from_counts({"aa": 5}))
    assert same.fleiss is same.alpha is same.cohen("1", "2") is None
    assert same.percent("1", "2") == 1


def test_json_round_trip():
    s = Sketch.from_counts({"aab": 20, "abb": 5, "ba.": 10, "bbb": 15})
    found = agreement(s)
    again = Agreement.from_dict(json.loads(json.dumps(found.to_dict())))
    assert again.to_dict() == found.to_dict()
    assert again.alpha == found.alpha
    assert "Krippendorff's alpha" in again.summary()


def test_messages():
    s = Sketch.from_counts({"aa": 5})
    with pytest.raises(DataError, match="counted must be one of"):
        agreement(s, counted="votes")
    with pytest.raises(DataError, match="judge 'z' is not known"):
        agreement(s).cohen("1", "z")
    with pytest.raises(TooLargeError, match="choose judges with select"):
        pair_tables(np.zeros((1, 5000), np.int16), np.ones(1, int), 2)
    assert krippendorff_alpha(np.array([[1, 0]]), np.array([3])) is None
    assert fleiss_kappa(np.array([[1, 0]]), np.array([3])) is None
