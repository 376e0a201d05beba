"""How right judges who contradict one another can be: against every answer key."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from algeval.data import Sketch, Summary, Votes
from algeval.errors import DataError
from algeval.rates.ladder import accuracy_of_calls, most_contradicting


def some_votes(rng, n_labels):
    codes = rng.integers(-1, n_labels + 1, (4, 3))
    labels = list("ABC"[:n_labels])
    return Votes(list("1234"), list("xyz"), labels, [*labels, "refused"], codes)


@pytest.mark.parametrize("n_labels", [2, 3])
def test_ends_are_those_of_all_keys(n_labels):
    rng = np.random.default_rng(31)
    for _ in range(25):
        votes = some_votes(rng, n_labels)
        answered = int((votes.codes >= 0).sum())
        right = [
            int((votes.codes == np.array(key)[:, None]).sum())
            for key in product(range(n_labels), repeat=4)
        ]
        for data in (votes, votes.sketch()):
            found = accuracy_of_calls(data)
            assert found.lowest == Fraction(min(right), answered)
            assert found.highest == Fraction(max(right), answered)
            assert found.n_answers == answered


def test_a_swapped_order_costs_half_of_what_flips():
    first = list("AAAAAAAABB")
    second = list("AAAAAABBBB")  # 2 of 10 flip
    found = accuracy_of_calls({"A first": first, "B first": second})
    assert found.contradicted == Fraction(1, 5)
    assert found.highest == 1 - Fraction(1, 5) / 2


def test_two_judges_of_two_labels_add_up():
    """Their accuracies add up to between d and 2 - d, d the share on which they differ."""
    found = accuracy_of_calls({"x": list("AABB"), "y": list("ABBA")})
    assert (2 * found.lowest, 2 * found.highest) == (Fraction(1, 2), Fraction(3, 2))
    three = accuracy_of_calls({"x": list("AABC"), "y": list("ABBA")})
    assert three.lowest == 0


def test_the_pair_that_differs_most():
    sketch = Sketch.from_counts({"AAB": 5, "ABB": 3, "BBB": 1}, judges=["x", "y", "z"])
    assert most_contradicting(sketch) == ("x", "z")
    lonely = Votes.from_columns({"x": ["A", None], "y": [None, "B"]})
    assert most_contradicting(lonely) is None


def test_what_is_refused():
    with pytest.raises(DataError, match="two or more"):
        accuracy_of_calls({"x": list("AB"), "y": list("AB")}, ["x"])
    with pytest.raises(DataError, match="same item"):
        accuracy_of_calls(Summary.from_counts({"x": {"A": 1}, "y": {"A": 1}}))
