"""What logic allows of two systems, against every answer key there is."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from algeval.data import Votes
from algeval.rates.systems.allowed import difference_allowed, passes_allowed


def possible(codes, x, n_labels):
    """Return the numbers of passes (label 0) of all keys that leave every judge right on x."""
    found = set()
    for key in product(range(n_labels), repeat=len(codes)):
        right = codes == np.array(key)[:, None]
        if all(right[:, j].sum() >= x * (codes[:, j] >= 0).sum() for j in range(codes.shape[1])):
            found.add(sum(k == 0 for k in key))
    return found


@pytest.mark.parametrize("seed", range(120))
def test_two_labels_are_exact_judge_by_judge_with_missing_answers(seed):
    rng = np.random.default_rng(seed)
    n, x = int(rng.integers(3, 8)), Fraction(int(rng.integers(0, 21)), 20)
    codes = rng.integers(-1 if seed % 2 else 0, 2, (n, int(rng.integers(1, 4))))
    votes = Votes(
        tuple(map(str, range(n))), tuple("abc"[: codes.shape[1]]), ("p", "f"), ("p", "f"), codes
    )
    found = passes_allowed(votes, np.arange(n), "p", x)
    each = [possible(codes[:, [j]], x, 2) for j in range(codes.shape[1])]
    keys = set.intersection(*each)
    assert found == ((min(keys), max(keys)) if keys else None)
    assert possible(codes, x, 2) <= set(range(found[0], found[1] + 1) if found else ())


@pytest.mark.parametrize("seed", range(30))
def test_three_labels_are_never_cut_short(seed):
    rng = np.random.default_rng(seed)
    codes = rng.integers(-1, 3, (5, 2))
    votes = Votes(tuple("12345"), ("a", "b"), ("p", "q", "r"), ("p", "q", "r"), codes)
    keys = possible(codes, Fraction(1, 2), 3)
    found = passes_allowed(votes, np.arange(5), "p", Fraction(1, 2))
    if keys:
        assert found is not None
        assert found[0] <= min(keys)
        assert max(keys) <= found[1]


def test_differences_are_the_ranges_apart_and_no_more_than_what_can_differ():
    assert difference_allowed((3, 4), (0, 2), 5, 10) == (Fraction(1, 10), Fraction(4, 10))
    assert difference_allowed((3, 9), (0, 2), 5, 10) == (Fraction(1, 10), Fraction(5, 10))
    assert difference_allowed((9, 9), (0, 2), 5, 10) is None
    assert difference_allowed(None, (0, 2), 5, 10) is None
