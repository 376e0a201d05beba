"""Sensitivity, error bars and bootstrap, against Table 1, finite differences and simulation."""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from algeval.algebra.correlation.trust import bootstrap, error_bars, error_correlations, sensitivity
from algeval.algebra.decoding.batch import decode_batch
from algeval.algebra.decoding.decode import decode
from algeval.data import Evaluation, KeyedSketch, Sketch
from algeval.errors import DataError, TooLargeError
from algeval.result import Status

F = Fraction
TRIOS = json.loads((Path(__file__).parents[2] / "fixtures" / "trios.json").read_text())
CELLS = np.array(list(product((0, 1), repeat=3)))


@pytest.fixture(scope="module")
def table_1():
    actual = TRIOS["table_1"]["actual"]
    cells = {t: dict(zip(TRIOS["order"], actual[t], strict=True)) for t in "ab"}
    return KeyedSketch.from_counts(cells, judges=["i", "j", "k"])


def evaluation(p, accuracies):
    confusion = [[[a, 1 - a], [1 - b, b]] for a, b in accuracies]
    return Evaluation(("i", "j", "k"), ("a", "b"), ("a", "b"), [p, 1 - p], confusion)


def test_table_1_first_order_prediction(table_1):
    move, _ = sensitivity(table_1.evaluation()).shift(error_correlations(table_1))
    assert round(move, 5) == -0.01115
    actual = float(decode(table_1).best.prevalence_of("a")) - 0.1
    assert round(actual, 5) == -0.01125


def test_correlations_by_hand_and_the_encoding_they_complete(table_1):
    gamma = error_correlations(table_1)
    truth = table_1.evaluation()
    p = [truth.accuracy(j, "a") for j in "ijk"]
    # f(aaa | a) = P P P + sum P Gamma_pair + Gamma_trio
    pairs = (("j", "k"), ("i", "k"), ("i", "j"))
    encoded = p[0] * p[1] * p[2] + gamma["i", "j", "k"][0]
    encoded += sum(one * gamma[pair][0] for one, pair in zip(p, pairs, strict=True))
    assert encoded == F(424, 2000)


@pytest.mark.parametrize("group", range(4))
@pytest.mark.parametrize("label", range(2))
def test_every_coefficient_is_the_derivative_of_the_decoder(group, label):
    p, accuracies = 0.3, np.array([[0.7, 0.8], [0.65, 0.9], [0.4, 0.85]])
    groups = ((0, 1), (0, 2), (1, 2), (0, 1, 2))
    s = sensitivity(evaluation(p, accuracies))
    share = (p, 1 - p)[label]
    sign = np.where(label == CELLS, 1, -1)
    right = np.where(label == CELLS, accuracies[:, label], 1 - accuracies[:, label])
    outside = [n for n in range(3) if n not in groups[group]]
    direction = share * sign[:, list(groups[group])].prod(1) * right[:, outside].prod(1)
    base = sum(
        w * np.where(t == CELLS, accuracies[:, t], 1 - accuracies[:, t]).prod(1)
        for t, w in enumerate((p, 1 - p))
    )
    scale, step = 2_000_000, 1e-3
    ends = []
    for h in (step, -step):
        counts = np.rint((base + h * direction) * scale).astype(np.int64)
        found = decode_batch(counts[None])
        ends.append(np.concatenate([found.prevalence, found.accuracies.ravel()]))
    slope = (ends[0] - ends[1]) / (2 * step)
    assert abs(slope[0] - s.prevalence[group, label]) < 0.02
    assert np.allclose(slope[1:], s.accuracies[:, :, group, label].ravel(), atol=0.02)


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


def test_bootstrap_is_seeded_counts_statuses_and_covers_the_estimate(table_1):
    one, two = bootstrap(table_1, seed=3), bootstrap(table_1, seed=3)
    assert one.prevalence.tolist() == two.prevalence.tolist()
    assert one.prevalence.tolist() != bootstrap(table_1, seed=4).prevalence.tolist()
    assert sum(one.status_counts.values()) == one.n_samples == 1000
    low, high = one.prevalence
    assert low < 0.0887 < high
    assert 0.06 < high - low < 0.14
    assert "of the population" in one.message


def test_bootstrap_of_unrelated_judges_is_undetermined():
    result = bootstrap(Sketch.from_counts({"aaa": 5}, labels=["a", "b"]), n_samples=20)
    assert (result.status, result.n_used) == (Status.UNDETERMINED, 0)
    assert np.isnan(result.prevalence).all()
    assert "resampling says nothing" in result.message
    assert "nan" not in result.summary()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: error_bars(evaluation(0.3, [(0.7, 0.8)] * 3)), "n_items must be given"),
        (lambda: error_bars(evaluation(1.3, [(0.7, 0.8)] * 3), 9), r"must lie in \[0, 1\]"),
        (lambda: error_bars(evaluation(0.3, [(0.7, 0.8)] * 3), 9, of="x"), "of must be"),
        (lambda: sensitivity(evaluation(0.3, [(0.7, 0.3)] * 3)), "tell them apart"),
        (lambda: bootstrap(Sketch.from_counts({"abc": 1})), "two labels"),
        (lambda: error_bars(evaluation(0.3, [(0.7, 0.8)] * 3), 0), "whole number >= 1; got 0"),
        (lambda: error_bars(evaluation(0.3, [(0.7, 0.8)] * 3), 2.5), "whole number >= 1; got 2.5"),
        (
            lambda: sensitivity(evaluation(0.3, [(0.7, 0.8)] * 3)).shift({("i",): (0, 0)}),
            "for two or three judges",
        ),
        (
            lambda: sensitivity(evaluation(0.3, [(0.7, 0.8)] * 3)).shift({("i", "j"): (0.1,)}),
            "one number per label",
        ),
        (lambda: bootstrap(Sketch.from_counts({"aba": 1}), level=2), "level must lie"),
        (
            lambda: error_correlations(KeyedSketch.from_counts({"a": {"ab": 1}, "b": {"ab": 1}})),
            "three judges and two labels",
        ),
        (
            lambda: error_correlations(KeyedSketch.from_counts({"a": {"ab.": 1}, "b": {"aba": 1}})),
            "answered every item",
        ),
        (
            lambda: error_correlations(
                KeyedSketch.from_counts({"a": {"aba": 1}}, labels=["a", "b"])
            ),
            "label 'b' must occur",
        ),
        (
            lambda: sensitivity(decode(Sketch.from_counts({"aaa": 1}, labels=["a", "b"]))),
            "must have a best evaluation",
        ),
        (
            lambda: sensitivity(
                Evaluation(("i",), ("a", "b"), ("a", "b"), [0.5, 0.5], [[[1, 0], [0, 1]]])
            ),
            "three judges and two answers",
        ),
    ],
)
def test_refusals(call, message):
    with pytest.raises(DataError, match=message):
        call()


def test_a_bootstrap_larger_than_memory_is_refused(table_1):
    with pytest.raises(TooLargeError, match="at most 1000000; got 1000000000, whose counts"):
        bootstrap(table_1, n_samples=10**9)
