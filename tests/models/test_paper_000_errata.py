"""Every line of the table of errata of the separation theory, asserted; and the table has no other line."""

import re
from math import log, sqrt
from pathlib import Path

import numpy as np
import pytest

from algeval.models.binary import patterns
from algeval.models.count_rules import changes, size_log_ratio, size_posterior_decisions
from algeval.models.curie_weiss import CurieWeiss, separation
from algeval.models.factor import Factor
from algeval.models.ising import Ising
from algeval_papers.mean_field import count_law_after, fair_counts, fixed_points, objective
from algeval_papers.separation import FactorLimit, curie_weiss_risks, interaction, remainder

PAGE = Path(__file__).resolve().parents[2] / "docs" / "chapters" / "separation" / "errata.md"
UPPER = {"beta0": 0.5, "field0": -0.5, "beta1": 2.0, "c": 1.5}
LOWER = {"beta0": 0.5, "field0": -0.5, "beta1": 5.0, "c": 1.0}


def the_half():
    """Appendix B, P(J = (0, 1, 1) | Y = 0) = 0.00483 and P((1, 0, 1) | Y = 0) = 0.9099."""
    W = np.array([[0, -2.7496, 4.4583], [-2.7496, 0, -4.8249], [4.4583, -4.8249, 0]])
    h = np.array([-1.7447, 2.2991, 3.5085])
    rows = patterns(3).astype(float)

    def table(factor):
        energy = rows @ h + factor * ((rows @ W) * rows).sum(axis=1)
        return np.exp(energy) / np.exp(energy).sum()

    assert [round(p, 5) for p in table(0.5)[[3]]] == [0.00483]
    assert round(table(0.5)[5], 4) == 0.9099
    np.testing.assert_allclose(table(0.5), Ising(h, W).probabilities(), rtol=1e-12)
    assert table(1.0)[5] > 0.99
    assert table(1.0)[3] < 1e-3


def limits():
    known = separation(0.7, **UPPER)
    assert round(CurieWeiss(10, 0.5, -0.5).marginals()[0], 4) == 0.1727
    assert round(known.q0, 4) == 0.1561
    assert abs(CurieWeiss(10_000, 0.5, -0.5).marginals()[0] - known.q0) < 1e-4
    assert abs(CurieWeiss(10, 2.0, 0.15).marginals()[0] - known.q1) > 0.003


def remark_1():
    for prevalence in (0.3, 0.7):
        near = separation(prevalence, **(UPPER | {"c": 1e-6})).independent_risk
        assert near == pytest.approx(prevalence / 2, abs=1e-5)
        symmetric = curie_weiss_risks(prevalence, beta0=0.5, beta1=2.0, n_judges=[500])
        assert symmetric.rows[0].independent == pytest.approx(min(prevalence, 1 - prevalence))


def laws(k, *, beta0, field0, beta1, c):
    return CurieWeiss(k, beta0, field0).log_pmf(), CurieWeiss(k, beta1, c / k).log_pmf()


def falls_first():
    for k in range(2, 200):
        _, ratio = size_log_ratio(*laws(k, **UPPER))
        assert (np.diff(ratio) > 0).all() == (k < 10)
    for k in (50, 100, 1000):
        size, ratio = size_log_ratio(*laws(k, **UPPER))
        assert k == 1000 or size[ratio.argmin()] == pytest.approx(0.32)
        assert size[ratio.argmin()] == pytest.approx(0.5 / 1.5, abs=0.02)
        assert ratio[0] > ratio.min() + 3


def two_thresholds():
    for k in (50, 100, 1000):
        upper = size_posterior_decisions(0.7, *laws(k, **UPPER))[k // 2 :]
        other = {"beta0": 0.1, "field0": -1.0, "beta1": 2.0, "c": 1.0}
        strong = size_posterior_decisions(0.7, *laws(k, **other))[k // 2 :]
        assert (changes(upper), changes(strong)) == (1, 2)


def threshold_rule():
    for given, last in ((UPPER, 58), (LOWER, 15)):
        rows = curie_weiss_risks(0.7, **given, n_judges=range(1, 150)).rows
        assert [r.n_judges for r in rows if r.threshold > r.independent][-1] == last


def glauber():
    for given, exact in ((UPPER, 0.054), (LOWER, 0.119)):
        for k in (50, 100):
            law = CurieWeiss(k, given["beta1"], given["c"] / k)
            assert 0.43 < count_law_after(law, 100, fair_counts(k))[: k // 2].sum() < 0.495
            assert law.pmf()[: k // 2].sum() == pytest.approx(exact, abs=6e-4)


def captions():
    for spread, told in ((0.1, 5.4e-8), (0.15 * sqrt(1.5), 2.7e-6), (2.0, 0.077)):
        limit = FactorLimit(prevalence=0.7, a=0.5, b=1.0, spread=spread)
        assert limit.excess_risk == pytest.approx(told, rel=0.02)


def label_dependent():
    """Votes of a factor that turns with the label and of one that does not, the label known."""
    eta, lam = np.array([0.2, -1.0, 0.5]), np.array([1.0, 2.0, -0.7])
    one, other = (Factor(eta, sign * lam).log_probability(patterns(3)) for sign in (1, -1))
    np.testing.assert_allclose(one, other, atol=1e-13)
    wrong = Factor(eta, lam * [1, -1, 1]).log_probability(patterns(3))
    assert abs(wrong - one).max() > 0.1


def bracket():
    found = [remainder(Factor(np.zeros(k), np.full(k, 0.2 / sqrt(k)))) for k in (4, 8, 16)]
    for k, one in zip((4, 8, 16), found, strict=True):
        assert one.size == pytest.approx(0.2**4 * k / 64, rel=0.015)
        assert one.size < one.mended
    assert [one.printed for one in found] == sorted((one.printed for one in found), reverse=True)


def remark_3():
    rng = np.random.default_rng(0)
    eta, lam = rng.normal(size=4), rng.normal(size=4)
    for n, order in ((3, 6), (4, 8)):
        terms = [interaction(Factor(eta, eps * lam), range(n)) for eps in (0.2, 0.1)]
        assert np.log2(terms[0] / terms[1]) == pytest.approx(order, abs=0.25)
    sizes = [remainder(Factor(eta, eps * lam), order=4).size for eps in (0.1, 0.05)]
    assert np.log2(sizes[0] / sizes[1]) == pytest.approx(6, abs=0.1)


def ends():
    for beta in (1.2, 1.5, 4.0):
        assert objective(1.0, beta) == beta / 2 < fixed_points(beta)[-1].height
        assert (beta / 2 > log(2)) == (beta > 2 * log(2))


ROWS = {
    "Section 1, the display": the_half,
    "Theorem 2, $q_0$ and $q_1$": limits,
    "Remark 1": remark_1,
    "D.2, likelihood ratio": falls_first,
    "D.2, one threshold": two_thresholds,
    "F.2, threshold rule": threshold_rule,
    "F.2, Glauber dynamics": glauber,
    "Figure 5, captions": captions,
    "C.3.1, the factor": label_dependent,
    "Proposition 1, (15)": bracket,
    "Remark 3": remark_3,
    "Lemma 1, proof": ends,
}


@pytest.mark.parametrize("row", ROWS)
def test_the_line_is_so(row):
    ROWS[row]()


def test_the_table_has_these_lines_and_no_others():
    lines = re.findall(r"^\| ([^|]+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert lines == ["where", *ROWS]
