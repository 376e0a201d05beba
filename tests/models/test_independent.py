from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algeval.data import Evaluation
from algeval.errors import DataError, TooLargeError
from algeval.models.independent import exact_exam, joint, pmf, posterior, sample

SETTINGS = settings(derandomize=True, deadline=None, max_examples=30)


@st.composite
def evaluations(draw):
    n, r = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    a = r + draw(st.integers(0, 1))

    def law(size):
        parts = draw(st.lists(st.integers(0, 3), min_size=size, max_size=size).filter(any))
        return [F(part, sum(parts)) for part in parts]

    prevalence = np.array(law(r), dtype=object)
    confusion = np.array([[law(a) for _ in range(r)] for _ in range(n)], dtype=object)
    answers = [f"x{k}" for k in range(a)]
    return Evaluation([f"j{i}" for i in range(n)], answers[:r], answers, prevalence, confusion)


def binary(p, tables):
    confusion = [[[x, 1 - x], [1 - y, y]] for x, y in tables]
    judges = [f"j{i}" for i in range(len(tables))]
    return Evaluation(judges, ("a", "b"), ("a", "b"), np.array([p, 1 - p]), np.array(confusion))


@SETTINGS
@given(evaluations())
def test_pmf_is_the_sum_over_labels_by_hand(e):
    n, r, a = e.confusion.shape
    codes = np.array(list(product(range(a), repeat=n)))
    chances = pmf(e, codes)
    assert sum(chances) == 1
    for code, chance in zip(codes, chances, strict=True):
        expected = F(0)
        for t in range(r):
            term = e.prevalence[t]
            for i in range(n):
                term *= e.confusion[i, t, code[i]]
            expected += term
        assert chance == expected


@SETTINGS
@given(evaluations())
def test_exact_exam_gives_the_evaluation_back(e):
    truth = exact_exam(e).evaluation()
    assert truth.prevalence.tolist() == e.prevalence.tolist()
    for t, share in enumerate(e.prevalence):
        if share:
            assert truth.confusion[:, t].tolist() == e.confusion[:, t].tolist()


def test_smallest_exam_by_hand():
    e = binary(F(1, 2), [(F(1, 2), F(1, 2))])
    assert exact_exam(e).n_items == 4
    assert exact_exam(e, 8).n_items == 8
    with pytest.raises(DataError, match="multiple of 4 for whole counts; got 6"):
        exact_exam(e, 6)


def test_missing_answers_leave_their_factor_out():
    e = binary(F(1, 3), [(F(3, 4), F(2, 3)), (F(1, 2), F(4, 5))])
    assert joint(e, [[0, -1]]).tolist() == [[F(1, 4), F(2, 9)]]
    assert posterior(e, [[-1, -1]])[0] == pytest.approx([1 / 3, 2 / 3])
    assert pmf(e, [[-1, -1]]).tolist() == [1]


def test_impossible_tuples_have_no_posterior():
    e = binary(F(1, 2), [(F(1), F(1)), (F(1), F(1))])
    assert np.isnan(posterior(e, [[0, 1]])).all()


def test_samples_follow_the_law():
    e = binary(F(1, 4), [(F(9, 10), F(3, 5)), (F(7, 10), F(4, 5))])
    votes = sample(e, 40_000, seed=3, missing=0.25)
    assert votes.missing / 40_000 == pytest.approx([0.25, 0.25], abs=0.01)
    truth = votes.keyed_sketch().evaluation().to_floats()
    assert truth.prevalence == pytest.approx([0.25, 0.75], abs=0.01)
    assert truth.accuracies() == pytest.approx(np.array([[0.9, 0.6], [0.7, 0.8]]), abs=0.02)
    again = sample(e, 40_000, seed=3, missing=0.25)
    assert (again.codes == votes.codes).all()


def test_bad_requests_get_one_sentence():
    e = binary(F(1, 2), [(F(1, 2), F(1, 2))])
    with pytest.raises(DataError, match="must hold exact fractions"):
        exact_exam(e.to_floats())
    with pytest.raises(DataError, match="one column per judge"):
        pmf(e, [[0, 0]])
    with pytest.raises(DataError, match="n_items must be a whole number of at least 1"):
        sample(e, 0, seed=0)
    with pytest.raises(DataError, match=r"missing must lie in \[0, 1\)"):
        sample(e, 1, seed=0, missing=1)
    many = binary(F(1, 2), [(F(1, 2), F(1, 2))] * 24)
    with pytest.raises(TooLargeError, match="at most 4000000 cells"):
        exact_exam(many)
