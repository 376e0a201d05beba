"""Programs of shares: counted pairs, exact sums, and multipliers that prove nothing."""

from collections import Counter

import numpy as np
import pytest

from algeval.data import Sketch, Specification
from algeval.logic.exam import read_exam
from algeval.logic.orders.pair_counts import pair_counts
from algeval.logic.orders.rows import full_shares, pair_shares
from algeval.logic.proof.branching import Clock
from algeval.logic.proof.shares import refutation_of_rows
from algeval.logic.proof.tree import branch_shares, find_shares, root_refutation

DATA = Sketch.from_counts({("a", "b", "a"): 3, ("b", "a", "a"): 2, ("b", "b", "b"): 1})
EXAM = read_exam(DATA)


def test_pairs_are_counted_as_one_counts_them():
    rng = np.random.default_rng(4)
    codes = rng.integers(-1, 3, (200, 4)).astype(np.int16)
    data = Sketch(list("wxyz"), list("abc"), list("abc"), codes, rng.integers(1, 9, 200))
    found = pair_counts(data)
    assert set(found) == {(i, j) for j in range(4) for i in range(j)}
    for (i, j), table in found.items():
        expected = Counter()
        for row, n in zip(data.codes.tolist(), data.counts.tolist(), strict=True):
            expected[row[i] + 1, row[j] + 1] += n
        assert {(a, b): int(table[a, b]) for a, b in np.argwhere(table).tolist()} == expected


@pytest.mark.parametrize("build", [full_shares, lambda *a: pair_shares(*a).shares])
def test_multipliers_of_a_possible_specification_prove_nothing(build):
    shares = build(DATA, EXAM, Specification.at_least("1/3"))
    rng = np.random.default_rng(0)
    equal = np.array(shares.rows.equal)
    for _ in range(50):
        base = rng.integers(-9, 10, len(equal))
        base[~equal] = abs(base[~equal])
        assert refutation_of_rows(shares, shares.root(), base, []) is None


@pytest.mark.parametrize("build", [full_shares, lambda *a: pair_shares(*a).shares])
def test_solver_and_tree_agree_and_solutions_are_checked(build):
    for level in ("1/3", "1/2", "2/3", "5/6", "1"):
        shares = build(DATA, EXAM, Specification.at_least(level))
        found, _ = find_shares(shares, Clock(None))
        settled = branch_shares(shares, Clock(None))
        assert (found is None) == (settled.shares is None)
        assert (settled.shares is None) != (settled.evidence is None)
        if found is not None:
            assert shares.satisfied(found)
            broken = found.copy()
            broken[1, 0] += 1
            assert not shares.satisfied(broken)


def test_numbers_beyond_64_bits_stay_exact():
    huge = Sketch(DATA.judges, DATA.labels, DATA.answers, DATA.codes, DATA.counts * 10**12)
    exam = read_exam(huge)
    spec = Specification.at_least("999999999999/1000000000000")
    shares = full_shares(huge, exam, spec)
    evidence, _ = root_refutation(shares, Clock(None))
    assert evidence is not None
    possible = full_shares(huge, exam, Specification.at_least("1/3"))
    base = np.array([10**15 if equal else 10**17 for equal in possible.rows.equal], object)
    assert refutation_of_rows(possible, possible.root(), base, []) is None


def test_a_row_of_one_s_own():
    shares = full_shares(DATA, EXAM, Specification.at_least("1/3"))
    assert root_refutation(shares.with_row({0: 1}, 7), Clock(None))[0] is not None
    assert root_refutation(shares.with_row({0: 1}, 1), Clock(None))[0] is None
