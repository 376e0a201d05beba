"""What logic can ever tell: exact sums, a program over all tuples, simulated exams."""

import re
from fractions import Fraction as F
from math import comb
from pathlib import Path

import numpy as np
import pytest

import algeval as ae
from algeval.errors import DataError, TooLargeError
from algeval.logic.questions.reach import _highest, majority_share

TABLE = {
    3: (0.7525, 0.76, 0.7725, 0.79, 0.8125, 0.84, 0.8725, 0.91, 0.9525),
    5: (0.6912, 0.7024, 0.7207, 0.7459, 0.7773, 0.8144, 0.8562, 0.9019, 0.9502),
    7: (0.6609, 0.6748, 0.6972, 0.7274, 0.7642, 0.8062, 0.8521, 0.9004, 0.95),
    9: (0.6422, 0.6582, 0.6838, 0.7177, 0.758, 0.8029, 0.8508, 0.9001, 0.95),
    21: (0.5968, 0.6214, 0.6581, 0.7024, 0.7505, 0.8001, 0.85, 0.9, 0.95),
}


@pytest.mark.parametrize(("n", "row"), TABLE.items())
def test_the_table(n, row):
    for k, value in enumerate(row):
        accuracy = (55 + 5 * k) / 100
        for judges in {n, n - 1} - {20}:
            assert ae.reach(judges, accuracy).limit == pytest.approx(value, abs=6e-5)


def test_the_closed_form_is_the_mean_share_of_the_commoner_answer():
    for p in (F(1, 2), F(3, 5), F(4, 5), F(1)):
        for m in range(1, 16):
            mean = (
                sum(comb(m, k) * p**k * (1 - p) ** (m - k) * max(k, m - k) for k in range(m + 1))
                / m
            )
            assert majority_share(m, p) == mean


def test_other_prevalences_several_labels_and_orders():
    limits = [ae.reach(7, 0.8, prevalence=0.8, order=m).limit for m in range(1, 8)]
    assert limits == pytest.approx([1, 0.84, 0.8276, 0.8144, 0.8092, 0.8062, 0.8039], abs=6e-5)
    three = [ae.reach(m, 0.6, n_labels=3).limit for m in range(2, 6)]
    assert three == pytest.approx([0.72, 0.696, 0.6656, 0.6454], abs=6e-5)
    four = [ae.reach(m, 0.6, n_labels=4).limit for m in range(2, 6)]
    assert four == pytest.approx([0.7067, 0.6723, 0.6493, 0.6319], abs=6e-5)


def test_tuple_by_tuple_says_what_counting_says():
    """Judges who differ a little are laid out tuple by tuple; those alike by how many gave each label."""
    alike = ae.reach(4, 0.7, prevalence=0.6).limit
    near = ae.reach(4, [0.7, 0.7, 0.7, 0.7000001], prevalence=0.6).limit
    assert near == pytest.approx(alike, abs=1e-5)
    assert ae.reach(3, [0.9, 0.8, 0.7]).limit == pytest.approx(0.81, abs=1e-6)


def test_two_labels_meet_where_the_linear_program_says():
    rng = np.random.default_rng(4)
    for _ in range(12):
        m, p, share = int(rng.integers(2, 8)), rng.uniform(0.05, 0.99), rng.uniform(0.01, 0.99)
        chance = [
            sum(
                q * comb(m, k) * r**k * (1 - r) ** (m - k)
                for q, r in ((share, p), (1 - share, 1 - p))
            )
            for k in range(m + 1)
        ]
        shares = np.array([[k, m - k] for k in range(m + 1)], float)[:, None] / m
        by_program = _highest(np.array(chance), shares)
        assert ae.reach(m, p, prevalence=share).limit == pytest.approx(by_program, abs=1e-6)


def test_unequal_judges_by_weights():
    """Two labels, grades: the least over weights of the mean share of weight on the heavier answer."""
    rates = np.array([0.9, 0.7, 0.65])
    votes = np.array(np.meshgrid(*[[0, 1]] * 3, indexing="ij")).reshape(3, -1).T
    chance = sum(np.where(votes == t, rates, 1 - rates).prod(1) / 2 for t in (0, 1))
    grid = [(a, b, 1 - a - b) for a in np.linspace(0, 1, 41) for b in np.linspace(0, 1 - a, 41)]
    best = min(float(chance @ np.maximum(votes @ w, 1 - votes @ w)) for w in map(np.array, grid))
    assert ae.reach(3, rates.tolist()).limit == pytest.approx(best, abs=2e-3)


def test_what_it_says():
    found = ae.reach(5, 0.8)
    assert "refutes every level above 81.4% and none below" in found.message
    assert "9 judges: 80.3%" in found.summary()
    assert found.more_judges == "9 judges of this kind would bring it to 80.3%, 21 to 80.0%."
    assert ae.reach(21, 0.8).more_judges == ae.reach(3, [0.8, 0.8, 0.9]).more_judges == ""
    assert "refutes nothing" in ae.reach(5, 0.8, order=1).message
    assert "refutes nothing" in ae.reach(1, 0.8).message
    for wrong in (
        {"n_judges": 0, "accuracy": 0.8},
        {"n_judges": 3, "accuracy": 1.2},
        {"n_judges": 3, "accuracy": [0.8, 0.7]},
        {"n_judges": 3, "accuracy": 0.8, "order": 4},
        {"n_judges": 3, "accuracy": [0.8, 0.7, 0.6], "order": 2},
        {"n_judges": 3, "accuracy": 0.8, "prevalence": [0.5, 0.6]},
        {"n_judges": 3, "accuracy": 0.8, "n_labels": 1},
    ):
        with pytest.raises(DataError):
            ae.reach(**wrong)
    with pytest.raises(TooLargeError, match="fewer judges"):
        ae.reach(40, [0.8] * 39 + [0.7])


def simulated(n_judges, accuracy, n_items, seed, prevalence=0.5):
    rng = np.random.default_rng(seed)
    truth = (rng.random(n_items) < prevalence).astype(int)[:, None]
    codes = np.where(rng.random((n_items, n_judges)) < accuracy, truth, 1 - truth).astype(np.int16)
    rows, counts = np.unique(codes, axis=0, return_counts=True)
    names = [f"j{i}" for i in range(n_judges)]
    return ae.threshold(ae.Sketch(names, ["a", "b"], ["a", "b"], rows, counts), exact=False)


def test_a_simulated_exam_lies_near_its_limit():
    found = simulated(3, 0.8, 4_000, 0)
    assert 0.82 < found.upper < 0.85  # the limit is 0.84; 1/root of 4,000 is 0.016


ROW = re.compile(r"^\| (\d+) judges, (\.\d+)(?:, share (\.\d+))? \| (.+) \|$", re.MULTILINE)
PAGE = Path(__file__).parents[3] / "docs" / "chapters" / "every-order.md"
ITEMS = (500, 2_000, 20_000)
EXAMS = 10


def printed():
    """Return the rows of the chapter's table of simulated exams."""
    rows = ROW.findall(PAGE.read_text(encoding="utf-8"))
    return [
        (int(n), float(p), float(share or 0.5), [float(x) for x in cells.split(" | ")])
        for n, p, share, cells in rows
    ]


def mean_of_exams(n, p, share, n_items):
    return np.mean([float(simulated(n, p, n_items, k, share).upper) for k in range(EXAMS)])


def test_the_limits_of_the_chapters_table_and_its_smallest_exams():
    rows = printed()
    assert len(rows) == 6
    for n, p, share, (limit, *means) in rows:
        assert ae.reach(n, p, prevalence=share).limit == pytest.approx(limit, abs=6e-5)
        assert means == sorted(means)  # from below
        assert means[-1] < limit
        assert all(0.2 < (limit - x) * q**0.5 < 0.7 for x, q in zip(means, ITEMS, strict=True))
    n, p, share, (_, first, *_) = rows[0]
    assert mean_of_exams(n, p, share, ITEMS[0]) == pytest.approx(first, abs=6e-5)


@pytest.mark.slow
@pytest.mark.parametrize("row", range(6))
def test_the_chapters_table_of_simulated_exams(row):
    n, p, share, (_, *means) = printed()[row]
    for n_items, mean in zip(ITEMS, means, strict=True):
        assert mean_of_exams(n, p, share, n_items) == pytest.approx(mean, abs=6e-5)


@pytest.mark.parametrize("judges", [10_001, 10**9, 10**5000], ids=["10001", "10^9", "10^5000"])
def test_too_many_judges_are_refused_before_anything_is_made_for_each(judges):
    for ask in (lambda: ae.reach(judges, 0.8), lambda: ae.plan(judges=judges, accuracy=0.8)):
        with pytest.raises(TooLargeError, match="judges must be at most 10,000"):
            ask()


def test_thousands_of_judges_take_a_moment_and_come_near_their_accuracy():
    limits = [ae.reach(n, 0.8).limit for n in (1000, 10_000)]
    assert limits == pytest.approx([0.8, 0.8], abs=1e-12)
    exact = majority_share(301, F(52, 100))
    assert ae.reach(301, 0.52).limit == pytest.approx(float(exact), abs=1e-12)
