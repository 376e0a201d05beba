"""The calibrated test of all pairs: size and power by simulation, votes left out, refusals."""

import numpy as np
import pytest

from algeval.aggregate.checks.pairs import drawn_exams, pair_test
from algeval.data import Sketch
from algeval.errors import DataError, NotIdentifiableError


def drawn(accuracies, n_items, n_labels, seed, *, shares=None, missing=0.0, together=0.0):
    """Votes of judges of these accuracies; errors of the first two correlate by `together`."""
    rng = np.random.default_rng(seed)
    key = rng.choice(n_labels, n_items, p=shares)
    wrong = rng.random((n_items, len(accuracies))) >= np.array(accuracies)
    if together:
        p, q = 1 - accuracies[0], 1 - accuracies[1]
        both = p * q + together * np.sqrt(p * (1 - p) * q * (1 - q))
        dice = rng.random(n_items)
        wrong[:, 0] = dice < p
        wrong[:, 1] = (dice < both) | ((dice >= p) & (dice < p + q - both))
    other = (key[:, None] + rng.integers(1, n_labels, wrong.shape)) % n_labels
    codes = np.where(wrong, other, key[:, None])
    codes[rng.random(codes.shape) < missing] = -1
    return sketch(codes, n_labels)


def sketch(codes, n_labels):
    labels = tuple("abcdef"[:n_labels])
    names = tuple(f"j{place}" for place in range(codes.shape[1]))
    return Sketch(names, labels, labels, codes.astype(np.int16), np.ones(len(codes), np.int64))


SHAPES = [
    ((0.9, 0.8, 0.7, 0.9, 0.8), 300, 3, {}),
    ((0.95, 0.92, 0.9), 300, 3, {}),
    ((0.9, 0.8, 0.7, 0.9, 0.8), 300, 2, {}),
    ((0.9, 0.7, 0.8), 200, 4, {"shares": [0.5, 0.2, 0.2, 0.1], "missing": 0.1}),
]


def rejected(shape, exams, **planted):
    accuracies, n_items, n_labels, more = shape
    found = [
        pair_test(drawn(accuracies, n_items, n_labels, seed, **more, **planted), seed=seed)
        for seed in range(exams)
    ]
    assert all(0 < one.p_value <= 1 and one.rejected == (one.p_value <= 0.05) for one in found)
    return float(np.mean([one.rejected for one in found]))


@pytest.mark.parametrize("shape", SHAPES[:3])
def test_independent_judges_with_few_items_a_cell_were_called_dependent(shape):
    assert rejected(shape, 30) <= 0.17  # 6 or more of 30 at 5%: a chance of 0.3%


@pytest.mark.slow
@pytest.mark.parametrize("shape", [*SHAPES, ((0.8, 0.7, 0.6, 0.8, 0.7), 500, 5, {})])
def test_size_over_300_exams(shape):
    assert rejected(shape, 300) <= 0.07


@pytest.mark.parametrize("n_labels", [2, 3])
def test_a_correlation_of_three_tenths_is_found(n_labels):
    shape = ([0.8] * 6, 700, n_labels, {})
    assert rejected(shape, 15, together=0.3) >= 0.8


def test_the_pair_to_blame_comes_first():
    found = pair_test(drawn([0.8] * 5, 1500, 3, 1, together=0.4))
    assert found.p_value == 1 / 200
    assert {*found.worst_pairs(1)[0][:2]} == {"j0", "j1"}
    assert found.pair_correlation[0, 1] == pytest.approx(0.4, abs=0.15)
    np.testing.assert_array_equal(found.pair_z, found.pair_z.T)
    assert "dependent given the label" in found.summary()


def test_the_same_seed_gives_the_same_p_value_and_names_of_judges_do_not_matter():
    first = drawn([0.8] * 4, 200, 3, 2)
    again = Sketch(tuple("wxyz"), first.labels, first.answers, first.codes, first.counts)
    assert pair_test(first).p_value == pair_test(again).p_value


def test_drawing_stops_when_nothing_can_be_rejected():
    found = pair_test(drawn([0.85] * 5, 400, 3, 3))
    assert not found.rejected
    assert 10 <= found.n_replicates < 199
    assert found.p_value >= 10 / 199


def test_drawn_exams_have_the_rates_and_the_gaps_of_the_votes():
    given = drawn([0.9] * 4, 1500, 3, 4, shares=[0.6, 0.3, 0.1], missing=0.3)
    exams = drawn_exams(given, 20, seed=1)
    assert exams.shape == (20, 1500, 4)
    codes = np.repeat(given.codes, given.counts, axis=0)
    np.testing.assert_array_equal(exams[0] < 0, codes < 0)
    for answer in range(3):
        share = (codes == answer).sum() / (codes >= 0).sum()
        assert (exams == answer).sum() / (exams >= 0).sum() == pytest.approx(share, abs=0.01)


def test_larger_exams_are_scaled_not_drawn_whole():
    quiet = drawn([0.8] * 4, 20_000, 2, 5)
    assert drawn_exams(quiet, 2).shape == (2, 2000, 4)
    assert np.abs(pair_test(quiet).pair_z).max() < 5
    assert pair_test(drawn([0.8] * 4, 20_000, 2, 5, together=0.1)).rejected


def test_refusals():
    with pytest.raises(NotIdentifiableError, match="which leave nothing to test; add judges"):
        pair_test(Sketch.from_counts({"aba": 5, "bbb": 5}))
    with pytest.raises(DataError, match="level must be between 0 and 1"):
        pair_test(drawn([0.8] * 4, 50, 2, 0), level=1)
    with pytest.raises(DataError, match="replicates must be a whole number of at least 1"):
        pair_test(drawn([0.8] * 4, 50, 2, 0), replicates=0)


@pytest.mark.parametrize(
    ("n_labels", "n_answers", "share"), [(2, 2, 0.2), (3, 4, 0.0), (3, 4, 0.3)]
)
def test_sums_of_pairs_by_loops(n_labels, n_answers, share):
    from algeval.aggregate.checks.pairs import _shared
    from algeval.models.independent_fit import Laws, marked, posterior

    rng = np.random.default_rng(1)
    codes = rng.integers(n_answers, size=(1, 30, 4))
    codes = np.where(rng.random(codes.shape) < share, -1, codes).astype(np.int16)
    tables = rng.dirichlet(np.ones(n_answers), (1, n_labels, 4)).astype(np.float32)
    laws = Laws(np.full((1, n_labels), 1 / n_labels, np.float32), tables)
    counts = rng.integers(1, 5, (1, 30)).astype(float)
    votes = marked(codes, n_answers)
    chance = posterior(votes, laws)[0] * counts[0][:, None]
    expected = []
    for kind in ("right", "same"):
        for i, j in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]:
            total = 0.0
            for u in range(30):
                if codes[0, u, i] < 0 or codes[0, u, j] < 0:
                    continue
                for t in range(n_labels):
                    for a in [t] if kind == "right" else range(n_answers):
                        one = (codes[0, u, i] == a) - tables[0, t, i, a]
                        total += chance[u, t] * one * ((codes[0, u, j] == a) - tables[0, t, j, a])
            expected.append(total)
    np.testing.assert_allclose(_shared(votes, counts, laws)[0], expected, atol=1e-4)
