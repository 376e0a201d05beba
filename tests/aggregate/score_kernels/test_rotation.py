"""Varimax: simple structure that was turned comes back; the best angle against a fine grid."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from algeval.aggregate.scores.factor import (
    FactorLaw,
    breadth,
    fit_factors,
    posterior,
    turned,
    varimax,
    without_attribute,
)
from algeval.aggregate.scores.simple import by_presence, judge_scale

DATA = Path(__file__).parents[3] / "../shared/data"
shared = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data are not there")


def some_turn(k, seed):
    return np.linalg.qr(np.random.default_rng(seed).normal(size=(k, k)))[0]


SIMPLE = np.zeros((9, 3))
SIMPLE[:4, 0], SIMPLE[4:7, 1], SIMPLE[7:, 2] = [0.9, 0.8, 0.7, 0.6], [0.8, 0.7, 0.9], [0.6, 0.8]


@pytest.mark.parametrize("kaiser", [False, True])
@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_simple_structure_comes_back_broadest_first(k, seed, kaiser):
    found = varimax(SIMPLE[:, :k] @ some_turn(k, seed), kaiser=kaiser)
    np.testing.assert_allclose(found.loading, SIMPLE[:, :k], atol=1e-8)
    np.testing.assert_allclose(found.turn.T @ found.turn, np.eye(k), atol=1e-12)


@pytest.mark.parametrize("kaiser", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_no_angle_is_better(seed, kaiser):
    loading = np.random.default_rng(seed).uniform(-0.6, 0.8, (8, 2))

    def simplicity(turn):
        size = np.linalg.norm(loading, axis=1, keepdims=True) if kaiser else 1
        return ((loading / size @ turn) ** 2).var(axis=0).sum()

    angles = np.linspace(0, np.pi, 5001)
    grid = [simplicity(np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])) for a in angles]
    best = simplicity(varimax(loading, kaiser=kaiser).turn)
    assert best >= max(grid) - 1e-12
    assert best == pytest.approx(max(grid), rel=1e-5)


def test_judges_renamed_and_silent_judges():
    loading = np.random.default_rng(3).uniform(-0.2, 0.9, (8, 3))
    order = np.random.default_rng(4).permutation(8)
    found, other = varimax(loading), varimax(loading[order])
    np.testing.assert_allclose(other.loading, found.loading[order], atol=1e-7)
    mute = np.vstack([SIMPLE, np.zeros((1, 3))]) @ some_turn(3, 0)
    assert np.isfinite(varimax(mute, kaiser=True).loading).all()
    assert varimax(np.zeros((4, 0))).turn.shape == (0, 0)
    assert not varimax(np.zeros((4, 2))).loading.any()


def test_breadth_counts_judges():
    loading = np.array([[0.5, 0.9, 0], [-0.5, 0, 0], [0.5, 0, 0], [0.5, 0, 0]])
    np.testing.assert_allclose(breadth(loading), [4, 1, 0])


def test_a_turned_posterior_is_that_of_the_turned_law():
    rng = np.random.default_rng(5)
    law = FactorLaw(np.zeros(6), rng.normal(size=(6, 3)), rng.uniform(0.5, 1, 6))
    values = rng.normal(size=(10, 6))
    values[2, :4] = np.nan
    turn = some_turn(3, 1)
    want = posterior(law._replace(loading=law.loading @ turn), values)
    for got, wanted in zip(turned(posterior(law, values), turn), want, strict=True):
        np.testing.assert_allclose(got, wanted, atol=1e-12)


@shared
def test_on_trivia_the_second_factor_is_string_matching():
    """Turned away it takes truth with it: no turn knows what it turns away."""
    table = pd.read_csv(DATA / "triviaqa_judges_v1.csv")
    judges = [*table.columns[3 : table.columns.get_loc("n_chars_response")]]
    values = table[judges].to_numpy(float)
    scores = judge_scale(values, "normal").transform(values)
    law = fit_factors(scores, 2, rng=np.random.default_rng(0)).law
    loading = varimax(law.standard_loading).loading[:, 1]
    order = np.argsort(-loading)
    assert [judges[j] for j in order[:2]] == ["EM", "Contains"]
    np.testing.assert_allclose(loading[order[:2]], [0.87, 0.715], atol=0.015)


def test_the_direction_without_the_second_factor_is_the_first():
    f = np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]])
    turn = without_attribute(f, f @ [0.8, 0.6], f[:, 1])
    np.testing.assert_allclose(turn[:, 0], [1, 0], atol=1e-9)


def test_rows_of_one_pattern_of_presence_come_together():
    marks = np.array([[True], [False], [True]])
    assert [rows.tolist() for _, rows in by_presence(marks)] == [[1], [0, 2]]
