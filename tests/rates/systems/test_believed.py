"""What beliefs leave possible of two systems, against every answer key there is."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import algeval as ae
from algeval.rates.systems import difference_allowed
from algeval.result import Status


def possible(codes, x, n_labels):
    """Return the numbers of passes (label 0) of all keys that leave every judge right on x."""
    found = set()
    for key in product(range(n_labels), repeat=len(codes)):
        right = codes == np.array(key)[:, None]
        if all(right[:, j].sum() >= x * (codes[:, j] >= 0).sum() for j in range(codes.shape[1])):
            found.add(sum(k == 0 for k in key))
    return found


def votes_of(codes, labels=("p", "f")):
    items = tuple(f"q{k}" for k in range(len(codes)))
    return ae.Votes(items, tuple("abc"[: codes.shape[1]]), labels, labels, codes)


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("n_labels", [2, 3])
def test_ends_are_those_of_all_keys_of_both(seed, n_labels):
    """Few tuples of answers, so full order settles them: exact, not one judge at a time."""
    rng = np.random.default_rng(seed)
    n, x = 5, Fraction(int(rng.integers(8, 19)), 20)
    both = [rng.integers(-1 if seed % 2 else 0, n_labels, (n, 2)) for _ in range(2)]
    keys = [possible(codes, x, n_labels) for codes in both]
    labels = ("p", "f", "g")[:n_labels]
    found = ae.compare_systems(*(votes_of(c, labels) for c in both), label="p", at_least=x)
    line = found.table[-1]
    if not all(keys):
        assert (line.low, line.against) == (None, "impossible")
        assert found.status is Status.INCONSISTENT
    else:
        a, b = keys
        assert (line.low, line.high) == (
            Fraction(min(a) - max(b), n),
            Fraction(max(a) - min(b), n),
        )


def sides():
    wrong = np.random.default_rng(4).random((40, 2)) < 0.15
    passes = np.arange(40)[:, None] < 30
    return votes_of((passes ^ wrong).astype(int)), votes_of(wrong.astype(int))


def test_every_end_has_its_proof():
    a, b = sides()
    found = ae.compare_systems(a, b, label="p", at_least="60%", names=("new", "old"))
    belief = "every judge right on at least 60%"
    assert set(found.certificates) >= {
        f"{name}: {belief}: {end}" for name in ("new", "old") for end in ("lowest", "highest")
    }
    for name, votes in (("new", a), ("old", b)):
        for end in ("lowest", "highest"):
            assert ae.verify(found.certificates[f"{name}: {belief}: {end}"], votes.sketch()).ok


def test_beliefs_may_name_judges_and_what_nobody_has_is_refused():
    a, b = sides()
    plain = ae.compare_systems(a, b, label="p", at_least="80%").table[-1]
    one = ae.compare_systems(a, b, label="p", at_least={"b": 0.8}).table[-1]
    assert one.low <= plain.low <= plain.high <= one.high
    with pytest.raises(ae.DataError, match="at_least must name judges"):
        ae.compare_systems(a, b, label="p", at_least={"zz": 0.8})


def test_a_population_is_wider_than_its_items_by_chance():
    a, b = sides()
    items = ae.compare_systems(a, b, label="p", at_least="80%").table[-1]
    found = ae.compare_systems(a, b, label="p", at_least="80%", target="population").table[-1]
    assert found.low < items.low < items.high <= found.high
    assert "chance (5%)" in found.breaks_at


def test_the_population_of_a_belief_that_is_true_is_covered():
    """Judges right on 85% or more of two systems; the range at 80% must hold their difference."""
    rng, misses = np.random.default_rng(0), 0
    for _ in range(40):
        votes = []
        for rate in (0.8, 0.6):
            truth = rng.random(60) < rate
            right = rng.random((2, 60)) < 0.8
            votes.append(votes_of(np.where(right, ~truth, truth).T.astype(int)))
        line = ae.compare_systems(
            *votes, label="p", at_least="80%", target="population", time_limit=0
        ).table[-1]
        misses += line.low is None or not line.low <= 0.2 <= line.high
    assert misses <= 5


def test_differences_are_the_ranges_apart_and_no_more_than_what_can_differ():
    tenths = [tuple(Fraction(k, 10) for k in pair) for pair in ((3, 4), (0, 2), (3, 9), (9, 9))]
    half = Fraction(1, 2)
    assert difference_allowed(tenths[0], tenths[1], half) == (Fraction(1, 10), Fraction(4, 10))
    assert difference_allowed(tenths[2], tenths[1], half) == (Fraction(1, 10), Fraction(5, 10))
    assert difference_allowed(tenths[3], tenths[1], half) is None
    assert difference_allowed(None, tenths[1], half) is None
