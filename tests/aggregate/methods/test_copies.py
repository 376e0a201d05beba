"""The exact test of copies: its bound, its size, what is merged and what is only named."""

from math import comb

import numpy as np
import pytest
from scipy.stats import binom

from algeval.aggregate import aggregate
from algeval.aggregate.methods.recommended import (
    copies_of,
    copy_chance,
    merged_groups,
    recommended,
    without_copies,
)
from algeval.data import Votes


def panel(rng, n_items, accuracy, *, share=0.5, copies=(), noise=0.0):
    """Independent judges; each of `copies` repeats the first but for a share of `noise`."""
    key = rng.random(n_items) < share
    right = rng.random((n_items, len(accuracy))) < np.array(accuracy)
    codes = np.where(right, key[:, None], ~key[:, None])
    extra = [codes[:, 0] ^ (rng.random(n_items) < noise) for _ in copies]
    codes = np.column_stack([codes, *extra]).astype(np.int16)
    names = [f"j{k}" for k in range(codes.shape[1])]
    return Votes(range(n_items), names, ["0", "1"], ["0", "1"], codes, key.astype(np.int16))


@pytest.mark.parametrize(
    ("m", "d", "n", "p"),
    [
        (100, 0, 5, 4.622e-4),
        (100, 2, 5, 0.03053),
        (200, 4, 5, 2.054e-4),
        (70, 0, 5, 0.009234),
        (69, 0, 5, 0.0102),
        (98, 0, 20, 0.0107),
        (99, 0, 20, 0.0097),
    ],
)
def test_chances_are_those_of_the_binomial(m, d, n, p):
    assert copy_chance(m, d, n) == pytest.approx(p, rel=0.005)
    q = 2 * 0.95 * 0.05
    by_hand = sum(comb(m, k) * q**k * (1 - q) ** (m - k) for k in range(d + 1))
    assert copy_chance(m, d, n) == pytest.approx(min(1, by_hand * n * (n - 1) / 2))


@pytest.mark.parametrize(
    ("n_items", "seeds"), [(100, 20), pytest.param(100, 400, marks=pytest.mark.slow)]
)
def test_independent_judges_are_never_merged(n_items, seeds):
    merged = 0
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        votes = panel(rng, n_items, rng.uniform(0.6, 0.95, 5))
        merged += bool(merged_groups(copies_of(votes.sketch()), 5))
    assert merged <= 0.01 * seeds


@pytest.mark.parametrize("seeds", [20, pytest.param(200, marks=pytest.mark.slow)])
def test_one_exact_copy_among_five_judges_on_a_hundred_items_is_always_merged(seeds):
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        votes = panel(rng, 100, rng.uniform(0.6, 0.9, 4), copies=(0,))
        assert merged_groups(copies_of(votes.sketch()), 5) == ((0, 4),)


def test_fewer_than_seventy_items_say_nothing():
    rng = np.random.default_rng(0)
    assert not copies_of(panel(rng, 50, (0.8,) * 4, copies=(0,)).sketch())


def test_a_merged_copy_counts_once_in_everything():
    rng = np.random.default_rng(3)
    votes = panel(rng, 400, (0.9, 0.85, 0.8, 0.7), copies=(0, 0))
    single = votes.select(judges=["j0", "j1", "j2", "j3"])
    both, alone = aggregate(votes), aggregate(single)
    np.testing.assert_allclose(both.posterior_items, alone.posterior_items, atol=1e-9)
    np.testing.assert_allclose(both.predict(votes), both.posterior_items, atol=1e-9)
    assert both.parameters["copies"] == [["j0", "j4", "j5"]]
    assert any("j0, j4, j5" in note and "counted as one judge" in note for note in both.warnings)
    assert both.evaluation.judges == votes.judges
    same = both.evaluation.confusion[[0, 4, 5]]
    assert same[1] == pytest.approx(same[0])
    assert same[2] == pytest.approx(same[0])
    kept = aggregate(votes, copies="keep")
    assert kept.parameters["copies"] == []
    assert not np.allclose(kept.posterior_items, both.posterior_items)


def test_near_copies_are_named_and_count_as_they_are():
    rng = np.random.default_rng(1)
    votes = panel(rng, 1000, (0.8, 0.75, 0.7, 0.8), copies=(0,), noise=0.055)
    pairs = copies_of(votes.sketch())
    assert [(c.first, c.second, c.merged) for c in pairs] == [(0, 4, False)]
    held = aggregate(votes)
    assert held.parameters["copies"] == []
    assert any("j0 and j4 differ on" in note and "more than 95%" in note for note in held.warnings)


def test_rare_labels_do_not_merge_good_judges():
    for seed in range(20):
        votes = panel(np.random.default_rng(seed), 1000, (0.95,) * 5, share=0.05)
        assert not merged_groups(copies_of(votes.sketch()), 5)


def test_a_copy_answers_where_its_original_did_not():
    codes = np.array([[0, 1, 0], [-1, 1, 1], [-1, 0, -1]], np.int16)
    kept, filled = without_copies(codes, ((0, 2),))
    assert kept == [0, 1]
    assert filled.tolist() == [[0, 1], [1, 1], [-1, 0]]


@pytest.mark.parametrize("n_judges", [3, 4, 6])
def test_each_row_has_its_own_posterior_where_merging_joins_rows(n_judges):
    """Copies that differ now and then: their rows are one row of the panel, and two of the votes."""
    rng = np.random.default_rng(n_judges)
    truth = rng.integers(0, 2, 400)
    codes = np.where(rng.random((400, n_judges)) < 0.8, truth[:, None], 1 - truth[:, None])
    codes[:, 1] = codes[:, 0]
    codes[:2, 1] = 1 - codes[:2, 0]
    names = [f"j{k}" for k in range(n_judges)]
    votes = Votes(
        [str(k) for k in range(400)], names, ["a", "b"], ["a", "b"], codes.astype(np.int16)
    )
    fit = recommended(votes)
    assert fit.parameters["copies"] == [["j0", "j1"]]
    assert len(fit.posterior) == len(fit.patterns)
    rest = [0, *range(2, n_judges)]
    kept = [names[judge] for judge in rest]
    alone = Votes(votes.items, kept, ["a", "b"], ["a", "b"], votes.codes[:, rest])
    merged = recommended(alone)
    assert np.allclose(
        fit.posterior[fit.item_pattern], merged.posterior[merged.item_pattern], atol=1e-9
    )
    assert np.allclose(fit.predict(votes), fit.posterior[fit.item_pattern])


def power(n_items, noise, accuracy):
    """Chances that a copy among five judges is merged, and named: differences are binomial."""
    differs = noise * 2 * accuracy * (1 - accuracy)
    reject = [d for d in range(n_items) if copy_chance(n_items, d, 5) <= 0.01]
    most = max(reject, default=-1)
    return [binom.cdf(d, n_items, differs).mean() for d in (min(most, 0.0199 * n_items), most)]


@pytest.mark.slow
@pytest.mark.parametrize("n_items", [50, 70, 100, 200, 1000])
@pytest.mark.parametrize("noise", [0.0, 0.02, 0.05, 0.1])
def test_power_of_the_test_of_copies(n_items, noise):
    """A copy among five judges answers by itself, as well as the first, on a share of `noise`."""
    hits, accuracies = [], []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        accuracy = rng.uniform(0.6, 0.9, 4)
        plain = panel(rng, n_items, (*accuracy, accuracy[0]))
        codes = np.array(plain.codes)
        copied = rng.random(n_items) >= noise
        codes[copied, 4] = codes[copied, 0]
        votes = Votes(plain.items, plain.judges, plain.labels, plain.answers, codes)
        pairs = copies_of(votes.sketch())
        hits.append((bool(merged_groups(pairs, 5)), bool(pairs)))
        accuracies.append(accuracy[0])
    shares, expected = np.mean(hits, axis=0), power(n_items, noise, np.array(accuracies))
    print(
        f"{n_items} items, {noise:.0%}: merged {shares[0]:.2f}, named {shares[1]:.2f} of 100",
        expected,
    )
    for share, chance in zip(shares, expected, strict=True):
        assert abs(share - chance) <= 3 * np.sqrt(chance * (1 - chance) / 100) + 0.03


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n_judges", "n_items", "low", "high", "share"),
    [
        (5, 100, 0.6, 0.9, 0.5),
        (20, 100, 0.6, 0.9, 0.5),
        (5, 100, 0.9, 0.95, 0.5),
        (5, 1000, 0.95, 0.95, 0.5),
        (5, 100, 0.95, 0.95, 0.5),
        (5, 1000, 0.95, 0.95, 0.05),
    ],
)
def test_size_of_the_test_of_copies(n_judges, n_items, low, high, share):
    named = merged = 0
    for seed in range(200):
        rng = np.random.default_rng(1000 + seed)
        votes = panel(rng, n_items, rng.uniform(low, high, n_judges), share=share)
        pairs = copies_of(votes.sketch())
        named, merged = named + bool(pairs), merged + bool(merged_groups(pairs, n_judges))
    print(
        f"{n_judges} judges of {low}-{high}, {n_items} items: named {named}, merged {merged} of 200"
    )
    assert named <= 7  # of 2 expected at the level of 1%: chance .001
