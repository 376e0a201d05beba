"""Proposition 1 and Remark 3 of paper 000, by enumeration of all votes."""

import numpy as np
import pytest
from scipy.special import expit, logsumexp

from algeval.errors import DataError
from algeval.models.binary import patterns
from algeval.models.factor import Factor, second_order
from algeval_papers.separation import fourth_order, interaction, remainder


def drawn(rank=1, k=5, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=k), rng.normal(size=(k, rank))


def orders(sizes):
    return np.log2(np.array(sizes[:-1]) / sizes[1:])


@pytest.mark.parametrize("rank", [1, 2])
@pytest.mark.parametrize(("order", "left"), [(2, 4), (4, 6)])
def test_what_is_left_is_of_the_next_order(rank, order, left):
    """The paper proves eps^3 for (13) and (14); it is eps^4, and eps^6 with the fourth order added."""
    eta, shape = drawn(rank, seed=rank)
    sizes = [remainder(Factor(eta, eps * shape), order=order).size for eps in (0.1, 0.05, 0.025)]
    assert orders(sizes) == pytest.approx([left, left], abs=0.2)


def test_equation_14_term_by_term():
    """Fields and couplings by finite differences of the exact log-probabilities in eps^2."""
    eta, shape = drawn(rank=2, k=3)
    rows = patterns(3)

    def exact(eps):
        return Factor(eta, eps * shape).log_probability(rows)

    def terms(logs):
        return np.array([logs[4] - logs[0], logs[6] - logs[4] - logs[2] + logs[0]])

    eps = 1e-3
    slope = (terms(exact(eps)) - terms(exact(0.0))) / eps**2
    p = expit(eta)
    gram = shape @ shape.T
    field = (0.5 - p[0]) * gram[0, 0] - p[1] * gram[0, 1] - p[2] * gram[0, 2]
    assert slope == pytest.approx([field, gram[0, 1]], abs=1e-5)
    h, W = second_order(Factor(eta, eps * shape))
    assert [h[0] - eta[0], W[0, 1]] == pytest.approx(eps**2 * slope, rel=1e-4)


@pytest.mark.parametrize("k", [4, 8, 12, 16])
def test_15_the_remainder_grows_with_judges_while_the_bracket_falls(k):
    """Erratum: at eta = 0 and loadings eps / sqrt(K) it is eps^4 K / 64; no constant does for all K."""
    eps = 0.2
    found = remainder(Factor(np.zeros(k), np.full(k, eps / np.sqrt(k))))
    assert found.size == pytest.approx(eps**4 * k / 64, rel=0.015)
    assert found.printed == pytest.approx(eps**3 / np.sqrt(k) + eps**4)
    assert found.mended > found.size


def test_15_noted_sizes():
    sizes = [
        remainder(Factor(np.zeros(k), np.full(k, 0.2 / np.sqrt(k)))).size for k in (4, 8, 12, 16)
    ]
    assert sizes == pytest.approx([9.9e-5, 2.0e-4, 3.0e-4, 4.0e-4], rel=0.02)


def test_15_the_step_of_the_proof_that_fails():
    """u'Sigma u / 2 = u'u / 2 + O(eps^4 B2^2): over B2^2 the difference grows like K, over B2 B1^2 not."""
    ratios = []
    for k in (10, 100, 1000):
        lam = np.full(k, 0.2 / np.sqrt(k))
        u, m = (lam / 2).sum(), (lam**2).sum() / 4
        off = (u**2 - u**2 / (1 + m)) / 2
        b1, b2 = lam.sum(), (lam**2).sum()
        ratios.append((off / b2**2, off / (b2 * b1**2)))
    printed, mended = np.array(ratios).T
    assert printed[1:] / printed[:-1] == pytest.approx([10, 10], rel=1e-9)
    np.testing.assert_allclose(mended, 1 / 32, rtol=0.01)


@pytest.mark.parametrize("seed", range(6))
def test_the_mended_bracket_bounds_what_is_left_of_weak_factors(seed):
    rank = 1 + seed % 2
    eta, shape = drawn(rank, k=3 + seed, seed=seed)
    found = remainder(Factor(eta, 0.02 * shape))
    assert 0 < found.size <= found.mended


def test_remark_3_orders():
    """Erratum: it puts the first terms beyond pairs at order four, four-way."""
    eta, shape = drawn(k=4)
    for n, eps, order in ((2, 0.02, 2), (3, 0.1, 6), (4, 0.2, 8)):
        sizes = [abs(interaction(Factor(eta, e * shape), range(n))) for e in (eps, eps / 2)]
        assert orders(sizes)[0] == pytest.approx(order, abs=0.2)


def test_remark_3_a_skewed_factor_has_three_way_terms_of_order_three():
    """Its first half is right: a factor of two points with a third moment, by hand, third differences."""
    eta, shape = drawn(k=3)
    values, chances = np.array([-0.5, 2.0]), np.array([0.8, 0.2])
    rows = patterns(3)

    def three_way(eps):
        odds = eta + eps * values[:, None] * shape[:, 0]
        logs = rows @ np.log(expit(odds)).T + (1 - rows) @ np.log(expit(-odds)).T
        signs = (-1.0) ** (3 - rows.sum(axis=1))
        return abs(signs @ logsumexp(logs + np.log(chances), axis=1))

    third = chances @ values**3
    assert orders([three_way(0.02), three_way(0.01)])[0] == pytest.approx(3, abs=0.1)
    assert three_way(0.001) == pytest.approx(1e-9 * third * abs(shape.prod()), rel=0.01)


def test_fourth_order_keeps_the_second_as_loadings_vanish():
    eta, shape = drawn(rank=2)
    for one, other in zip(
        second_order(Factor(eta, 1e-4 * shape)),
        fourth_order(Factor(eta, 1e-4 * shape)),
        strict=True,
    ):
        np.testing.assert_allclose(one, other, atol=1e-14)


def test_interactions_are_those_of_the_definition():
    law = Factor([0.2, -0.4, 1.0], [1.0, -2.0, 0.5])
    logs = law.log_probability(patterns(3))
    assert interaction(law, [0]) == pytest.approx(logs[4] - logs[0])
    assert interaction(law, [2, 0]) == pytest.approx(logs[5] - logs[4] - logs[1] + logs[0])
    assert interaction(law, []) == pytest.approx(logs[0])


def test_wrong_input_is_named():
    law = Factor([0.0, 0.0], [0.1, 0.2])
    with pytest.raises(DataError, match="order must be 2 or 4; got 3"):
        remainder(law, order=3)
    for judges in ([0, 0], [2], [-1]):
        with pytest.raises(DataError, match="judges must be different ones of 0 to 1"):
            interaction(law, judges)
