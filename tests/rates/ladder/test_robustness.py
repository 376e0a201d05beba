"""How little dependence moves an estimate: closed form, and the smallest shared correlation."""

from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import minimize

from algeval.rates.ladder import Moved, shared_to, worst_to

TRIO = np.array([[0.8, 0.7], [0.75, 0.8], [0.7, 0.75]])
CELLS = np.array(list(np.ndindex(2, 2, 2)))
PAIRS = list(combinations(range(3), 2))


def test_sums_of_the_fixture():
    pairs, third = Moved(0.6, TRIO, 0.5).terms()
    assert pairs.sum() == pytest.approx(2.24707, abs=1e-5)
    assert third.sum() == pytest.approx(1.28279, abs=1e-5)


@pytest.mark.parametrize(
    ("to", "r"), [(0.55, 0.0142), (0.5, 0.0283), (0.45, 0.0425), (0.4, 0.0567)]
)
def test_worst_way_in_closed_form(to, r):
    assert worst_to(Moved(0.6, TRIO, to)) == pytest.approx(r, abs=5e-5)


def split(law, to):
    """Return correlations (6,) and third cumulants (2,) of a split of the triples' chances by label."""

    def of(cells):
        pairs, third = [], []
        for weights in (cells / to, (law - cells) / (1 - to)):
            mean = weights @ (1 - CELLS)
            off = 1 - CELLS - mean
            spread = np.sqrt(np.maximum(mean * (1 - mean), 1e-12))
            pairs += [weights @ (off[:, i] * off[:, j]) / (spread[i] * spread[j]) for i, j in PAIRS]
            third.append(weights @ off.prod(1) / spread.prod())
        return np.array(pairs), np.array(third)

    return of


def smallest(to, kind, starts):
    """Return the smallest bound over splits of the fixture's eight chances, by another search."""
    a = np.where(CELLS == 0, TRIO[:, 0], 1 - TRIO[:, 0]).prod(1)
    b = np.where(CELLS == 1, TRIO[:, 1], 1 - TRIO[:, 1]).prod(1)
    law = 0.6 * a + 0.4 * b
    of, rng, best = split(law, to), np.random.default_rng(71), 9.0
    limits = [{"type": "eq", "fun": lambda z: z[:8].sum() - to}]
    if kind == "shared":
        limits += [
            {"type": "eq", "fun": lambda z: of(z[:8])[1]},
            {"type": "ineq", "fun": lambda z: z[8] - of(z[:8])[0]},
            {"type": "ineq", "fun": lambda z: of(z[:8])[0]},
        ]
    else:
        limits += [
            {"type": "ineq", "fun": lambda z: z[8] - np.concatenate(of(z[:8]))},
            {"type": "ineq", "fun": lambda z: z[8] + np.concatenate(of(z[:8]))},
        ]
    for _ in range(starts):
        first = law * rng.uniform(0.2, 0.9, 8)
        first = np.append(first * to / first.sum(), 0.3)
        found = minimize(
            lambda z: z[8],
            first,
            method="SLSQP",
            bounds=[(0, chance) for chance in law] + [(0, 1)],
            constraints=limits,
            options={"maxiter": 500, "ftol": 1e-11},
        )
        if found.success:
            best = min(best, found.x[8])
    return best


def test_shared_errors_as_a_search_over_all_splits_finds_them():
    assert smallest(0.5, "shared", 6) == pytest.approx(0.08047, abs=1e-4)
    assert shared_to(Moved(0.6, TRIO, 0.5)) == pytest.approx(0.08047, abs=1e-4)


def test_worst_way_is_a_little_generous():
    exact = smallest(0.5, "worst", 6)
    assert exact == pytest.approx(0.0275, abs=2e-4)
    assert exact < worst_to(Moved(0.6, TRIO, 0.5)) < 1.06 * exact


def test_nothing_to_move():
    assert worst_to(Moved(0.6, TRIO, 0.6)) == 0
    assert shared_to(Moved(0.6, TRIO, 0.6)) == pytest.approx(0, abs=1e-5)


def test_renaming_labels_changes_nothing():
    other = Moved(0.4, TRIO[:, ::-1], 0.7)
    found = Moved(0.6, TRIO, 0.3)
    assert worst_to(other) == pytest.approx(worst_to(found))
    assert shared_to(other) == pytest.approx(shared_to(found), abs=1e-3)


def test_no_correlation_is_enough():
    strong = np.full((3, 2), 0.995)
    assert worst_to(Moved(0.9, strong, 0.1)) is None
    assert shared_to(Moved(0.9, strong, 0.1)) is None
    assert shared_to(Moved(0.9, strong, 1.0)) is None
    assert worst_to(Moved(0.9, np.ones((3, 2)), 0.5)) is None
