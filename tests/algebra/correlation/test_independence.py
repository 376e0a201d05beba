"""The Wald test: exact zeros under independence, gradients, size and power in simulation."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from algeval.algebra import independence
from algeval.algebra.independence import independence_test
from algeval.data import Sketch
from algeval.errors import DataError, TooLargeError
from algeval.result import Status

SKILLS = np.array([[0.7, 0.75], [0.8, 0.65], [0.72, 0.7], [0.78, 0.8]])
CELLS = np.array(list(product((0, 1), repeat=4)))


def law(p, copies=0.0):
    """Four independent judges; with chance `copies` the second repeats the first."""
    total = np.zeros(16)
    for t, share in ((0, p), (1, 1 - p)):
        right = np.where(t == CELLS, SKILLS[:, t], 1 - SKILLS[:, t])
        copied = right[:, 0] * (CELLS[:, 0] == CELLS[:, 1]) * right[:, 2:].prod(1)
        total += share * ((1 - copies) * right.prod(1) + copies * copied)
    return total


def test_the_invariants_vanish_exactly_for_independent_judges():
    p, skills = (
        Fraction(2, 7),
        [
            (Fraction(3, 4), Fraction(2, 3)),
            (Fraction(1, 5), Fraction(1, 2)),
            (Fraction(5, 6), Fraction(3, 5)),
            (Fraction(4, 7), Fraction(8, 9)),
        ],
    )
    f = {}
    for cell in product((0, 1), repeat=4):
        on_a, on_b = p, 1 - p
        for answer, (a, b) in zip(cell, skills, strict=True):
            on_a, on_b = on_a * (1 - a if answer else a), on_b * (b if answer else 1 - b)
        f[cell] = on_a + on_b
    mean = [sum(v for cell, v in f.items() if cell[i]) for i in range(4)]
    d = {
        s: sum(v * np.prod([cell[i] - mean[i] for i in s]) for cell, v in f.items())
        for size in (2, 3, 4)
        for s in combinations(range(4), size)
    }
    assert d[0, 1] * d[2, 3] - d[0, 2] * d[1, 3] == 0
    values, _ = independence._invariants(d)
    assert np.abs(values).max() < 1e-15
    exact = d[0, 1, 2, 3] * d[0, 2] * d[1, 2] - d[2, 3] * (
        d[0, 1] * d[0, 2] * d[1, 2] + d[0, 1, 2] ** 2
    )
    assert exact == 0


def test_the_covariance_is_that_of_the_invariants_under_resampling():
    f = law(0.3)
    values, covariance = independence._four_binary(f.reshape((2,) * 4))
    assert np.abs(values).max() < 1e-15
    rng = np.random.default_rng(0)
    n = 200_000
    drawn = [
        independence._four_binary(c.reshape((2,) * 4) / n)[0]
        for c in rng.multinomial(n, f, size=3000)
    ]
    spread = np.cov(np.array(drawn).T) * n
    scale = np.sqrt(np.outer(np.diag(covariance), np.diag(covariance)))
    assert np.abs((spread - covariance) / scale).max() < 0.08


def rejections(f, n, times, seed):
    rng = np.random.default_rng(seed)
    hits = 0
    for counts in rng.multinomial(n, f, size=times):
        found = independence._four_binary(counts.reshape((2,) * 4) / n)
        hits += independence._upper_tail(independence._wald(*found, n), 6) < 0.05
    return hits / times


def test_size_and_power_of_the_four_judge_test():
    assert 0.02 < rejections(law(0.3), 20_000, 500, 1) < 0.09
    assert rejections(law(0.3, 0.05), 20_000, 200, 2) > 0.8
    assert rejections(law(0.3, 0.2), 20_000, 50, 3) == 1


def three_label_law(copies):
    p = np.array([0.5, 0.3, 0.2])
    tables = [
        np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.2, 0.1, 0.7]]),
        np.array([[0.8, 0.1, 0.1], [0.2, 0.6, 0.2], [0.1, 0.1, 0.8]]),
        np.array([[0.6, 0.3, 0.1], [0.1, 0.7, 0.2], [0.0, 0.2, 0.8]]),
    ]
    free = np.einsum("t,ta,tb,tc->abc", p, *tables)
    copied = np.einsum("t,ta,tc,ab->abc", p, tables[0], tables[2], np.eye(3))
    return (1 - copies) * free + copies * copied


@pytest.mark.parametrize(("copies", "low", "high"), [(0.0, 0.02, 0.09), (0.2, 0.8, 1.0)])
def test_size_and_power_of_the_three_label_test(copies, low, high):
    rng = np.random.default_rng(4)
    n, times, hits = 50_000, 300, 0
    for counts in rng.multinomial(n, three_label_law(copies).ravel(), size=times):
        found = independence._three_judges(counts.reshape(3, 3, 3) / n)
        hits += independence._upper_tail(independence._wald(*found, n), 6) < 0.05
    assert low <= hits / times <= high


def test_the_three_label_statistics_vanish_for_independent_judges():
    values, covariance = independence._three_judges(three_label_law(0.0))
    assert np.abs(values).max() < 1e-12
    assert np.linalg.matrix_rank(covariance) == 6


def as_sketch(counts, letters):
    cells = product(letters, repeat=round(np.log(counts.size) / np.log(len(letters))))
    flat = dict(zip(map("".join, cells), map(int, counts.ravel()), strict=True))
    return Sketch.from_counts(flat, labels=list(letters))


def test_public_results():
    quiet = independence_test(as_sketch(np.rint(law(0.3) * 10**6), "ab"))
    assert (quiet.status, quiet.dof) == (Status.OK, 6)
    assert quiet.p_value > 0.99
    assert "which does not show independence" in quiet.message
    loud = independence_test(as_sketch(np.rint(law(0.3, 0.3) * 10**6), "ab"))
    assert (loud.p_value, loud.n_replicates) == (1 / 200, 199)
    assert (
        independence_test(as_sketch(np.rint(law(0.3, 0.3) * 10**6), "ab"), replicates=0).p_value
        < 1e-6
    )
    assert "not independent" in loud.summary()
    three = independence_test(as_sketch(np.rint(three_label_law(0.0) * 10**6), "abc"))
    assert (three.dof, three.n_used) == (6, 10**6)
    assert three.p_value > 0.99


def test_relabelling_the_labels_changes_nothing():
    counts = np.rint(law(0.3, 0.1) * 10**4).reshape((2,) * 4)
    one = independence_test(as_sketch(counts, "ab"))
    other = independence_test(as_sketch(counts[::-1, ::-1, ::-1, ::-1], "ab"))
    assert one.statistic == pytest.approx(other.statistic, rel=1e-9)


@pytest.mark.parametrize(
    ("counts", "labels"),
    [({"aaaa": 9}, "ab"), ({".aaa": 9}, "ab"), ({"abc": 3, "aaa": 2}, "abc")],
)
def test_degenerate_counts_are_undetermined(counts, labels):
    result = independence_test(Sketch.from_counts(counts, labels=list(labels)))
    assert result.status is Status.UNDETERMINED
    assert (result.statistic, result.p_value) == (None, None)
    assert "cannot be run" in result.message


def test_refusals():
    with pytest.raises(DataError, match="three binary judges leave nothing to test"):
        independence_test(Sketch.from_counts({"aba": 1}))
    with pytest.raises(DataError, match="no answers beyond the labels"):
        independence_test(Sketch.from_counts({"abax": 1}, labels=["a", "b"]))
    with pytest.raises(DataError, match="at least two labels; got \\['a'\\]"):
        independence_test(Sketch.from_counts({"aaa": 5}))
    names = [f"{n:02}" for n in range(13)]
    with pytest.raises(TooLargeError, match="at most 12 labels; got 13"):
        independence_test(Sketch.from_counts({(name,) * 3: 1 for name in names}))


def even_law(accuracies, n_labels):
    """Return the cells of three independent judges whose wrong answers are spread evenly."""
    wrong = [(1 - right) / (n_labels - 1) for right in accuracies]
    tables = [
        np.full((n_labels, n_labels), w) + np.eye(n_labels) * (right - w)
        for right, w in zip(accuracies, wrong, strict=True)
    ]
    return np.einsum("ta,tb,tc->abc", *tables) / n_labels


def p_values(law, n_items, exams, letters, **settings):
    rng = np.random.default_rng(11)
    drawn = rng.multinomial(n_items, law.ravel(), size=exams).reshape(-1, *law.shape)
    found = [independence_test(as_sketch(counts, letters), **settings) for counts in drawn]
    return np.array([one.p_value for one in found if one.p_value is not None])


def test_sparse_tables_of_three_labels_made_independent_judges_dependent():
    law = even_law((0.9, 0.8, 0.7), 3)
    wrong = p_values(law, 300, 100, "abc", replicates=0) <= 0.05
    right = p_values(law, 300, 100, "abc") <= 0.05
    assert wrong.mean() > 0.1  # the tail of chi-square, which the drawn exams replace
    assert right.mean() <= 0.1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("accuracies", "n_items", "letters"),
    [
        ((0.9, 0.8, 0.7), 300, "abc"),
        ((0.8, 0.7, 0.6), 500, "abcde"),
        ((0.9, 0.8, 0.7), 3000, "abc"),
    ],
)
def test_size_of_the_calibrated_test(accuracies, n_items, letters):
    p = p_values(even_law(accuracies, len(letters)), n_items, 400, letters)
    assert (p <= 0.05).mean() <= 0.075


def test_a_copy_is_still_found_by_the_calibrated_test():
    counts = np.random.default_rng(3).multinomial(50_000, three_label_law(0.2).ravel())
    assert independence_test(as_sketch(counts.reshape(3, 3, 3), "abc")).p_value <= 0.05


@pytest.mark.parametrize(("n_labels", "size"), [(2, 4), (3, 3)])
def test_statistics_of_many_sets_at_once_are_those_of_each(n_labels, size):
    rng = np.random.default_rng(n_labels)
    shape = (n_labels,) * size
    law = rng.dirichlet(np.ones(n_labels**size), 8)
    cubes = np.array([rng.multinomial(200, p) for p in law]).reshape(8, *shape)
    cubes[3] = 0
    cubes[5] = 0
    cubes[5].flat[0] = 200
    many = independence.wald_statistics(cubes)
    single = [independence.wald_statistic(cube)[1] for cube in cubes]
    assert [value is None for value in single] == np.isnan(many).tolist()
    assert np.isnan(many[[3, 5]]).all()
    assert np.isfinite(many).sum() >= 4
    usable = np.isfinite(many)
    assert many[usable] == pytest.approx([value for value in single if value is not None])
