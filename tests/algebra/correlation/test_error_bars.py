"""Standard errors, against Table 1 and simulation."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from algeval.algebra.correlation import error_bars
from algeval.algebra.decoding import decode
from algeval.algebra.trios import decode_batch
from algeval.data import Evaluation
from algeval.errors import DataError

F = Fraction
CELLS = np.array(list(product((0, 1), repeat=3)))


def evaluation(p, accuracies):
    confusion = [[[a, 1 - a], [1 - b, b]] for a, b in accuracies]
    return Evaluation(("i", "j", "k"), ("a", "b"), ("a", "b"), [p, 1 - p], confusion)


def test_error_bars_of_table_1(table_1):
    bars = error_bars(table_1.evaluation(), table_1.n_items)
    assert round(bars.prevalence, 3) == 0.026
    decoded = error_bars(decode(table_1))
    assert decoded.n_items == 20000
    assert round(decoded.prevalence, 3) == 0.023
    assert "on these items" in decoded.summary()
    v = [[p * (1 - p) for p in row] for row in table_1.evaluation().accuracies()]
    d = [a + b - 1 for a, b in table_1.evaluation().accuracies()]
    p, q = F(1, 10), F(9, 10)
    trio = 4 * (q * v[0][1] * v[1][1] * v[2][1] + p * v[0][0] * v[1][0] * v[2][0])
    variance = trio / (d[0] * d[1] * d[2]) ** 2
    for m, n in ((0, 1), (0, 2), (1, 2)):
        variance += (q * v[m][1] * v[n][1] + p * v[m][0] * v[n][0]) / (d[m] * d[n]) ** 2
    assert bars.prevalence == pytest.approx(float(variance / 20000) ** 0.5, rel=1e-12)


def test_error_bars_agree_with_simulation_of_exams_and_of_populations():
    p, accuracies = 0.4, np.array([[0.8, 0.75], [0.7, 0.9], [0.85, 0.7]])
    rng = np.random.default_rng(5)
    q, m = 10_000, 3000
    laws = [np.where(t == CELLS, accuracies[:, t], 1 - accuracies[:, t]).prod(1) for t in (0, 1)]
    parts = [rng.multinomial(n, law, size=m) for n, law in zip((4000, 6000), laws, strict=True)]
    found = decode_batch(parts[0] + parts[1])
    exam = error_bars(evaluation(p, accuracies), q)
    assert np.std(found.prevalence - p) == pytest.approx(exam.prevalence, rel=0.06)
    for t in (0, 1):
        truth = parts[t] @ (t == CELLS) / parts[t].sum(1, keepdims=True)
        spread = np.std(found.accuracies[:, :, t] - truth, axis=0)
        assert np.allclose(spread, exam.accuracies[:, t], rtol=0.08)
    drawn = decode_batch(rng.multinomial(q, p * laws[0] + (1 - p) * laws[1], size=m))
    population = error_bars(evaluation(p, accuracies), q, of="population")
    assert np.std(drawn.prevalence) == pytest.approx(population.prevalence, rel=0.06)
    assert np.allclose(drawn.accuracies.std(0), population.accuracies, rtol=0.08)
    assert population.prevalence > exam.prevalence


def test_coverage_of_the_95_percent_interval_taken_at_the_estimate():
    p, accuracies = 0.4, np.array([[0.8, 0.75], [0.7, 0.9], [0.85, 0.7]])
    rng = np.random.default_rng(7)
    q, m = 10_000, 1500
    laws = [np.where(t == CELLS, accuracies[:, t], 1 - accuracies[:, t]).prod(1) for t in (0, 1)]
    counts = sum(rng.multinomial(n, law, size=m) for n, law in zip((4000, 6000), laws, strict=True))
    found = decode_batch(counts)
    hits = 0
    for share, rights in zip(found.prevalence, found.accuracies, strict=True):
        bars = error_bars(evaluation(float(share), rights), q)
        hits += abs(share - p) <= 1.96 * bars.prevalence
    assert 0.92 <= hits / m <= 0.97


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: error_bars(evaluation(0.3, [(0.7, 0.8)] * 3)), "n_items must be given"),
        (lambda: error_bars(evaluation(1.3, [(0.7, 0.8)] * 3), 9), r"must lie in \[0, 1\]"),
        (lambda: error_bars(evaluation(0.3, [(0.7, 0.8)] * 3), 9, of="x"), "of must be"),
        (
            lambda: error_bars(evaluation(0.3, [(0.7, 0.8)] * 3), 0),
            "whole number of at least 1; got 0",
        ),
        (
            lambda: error_bars(evaluation(0.3, [(0.7, 0.8)] * 3), 2.5),
            "whole number of at least 1; got 2.5",
        ),
    ],
)
def test_refusals(call, message):
    with pytest.raises(DataError, match=message):
        call()
