"""The nearest possible evaluation, against brute force over every exam on tiny sizes."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import algeval as ae
from algeval.compare import nearest_consistent


def compositions(total, parts):
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in compositions(total - first, parts - 1):
            yield (first, *rest)


def tables(given, key, complete):
    """Every whole table with these column sums and rows that fit the key."""
    for columns in product(*(compositions(c, len(key)) for c in given)):
        rows = [sum(column[t] for column in columns) for t in range(len(key))]
        if rows == list(key) if complete else all(r <= k for r, k in zip(rows, key, strict=True)):
            yield [[column[t] for column in columns] for t in range(len(key))]


def brute(evaluation, summary):
    """The smallest distance over every key and every table, in exact numbers."""
    q = summary.n_items
    wanted = [q * Fraction(p) for p in evaluation.prevalence.tolist()]
    best = None
    for key in compositions(q, len(summary.labels)):
        total = sum(abs(k - w) for k, w in zip(key, wanted, strict=True))
        for j, counts in enumerate(summary.counts.tolist()):
            complete = sum(counts) == q
            cover = Fraction(sum(counts), q)
            target = [
                [wanted[t] * cover * Fraction(v) for v in row]
                for t, row in enumerate(evaluation.confusion[j].tolist())
            ]
            total += min(
                sum(
                    abs(n - w)
                    for row, goal in zip(table, target, strict=True)
                    for n, w in zip(row, goal, strict=True)
                )
                for table in tables(counts, key, complete)
            )
        best = total if best is None else min(best, total)
    return best


def random_case(seed, n_items, n_judges, n_labels, n_answers, missing):
    rng = np.random.default_rng(seed)
    labels = "abc"[:n_labels]
    answers = labels + "xy"[: n_answers - n_labels]
    counts = {
        f"j{j}": dict(
            zip(
                answers,
                rng.multinomial(
                    n_items - (missing and j), np.full(n_answers, 1 / n_answers)
                ).tolist(),
                strict=True,
            )
        )
        for j in range(n_judges)
    }
    summary = ae.Summary.from_counts(
        counts, n_items=n_items, labels=list(labels), answers=list(answers)
    )
    prevalence = rng.dirichlet(np.ones(n_labels))
    confusion = rng.dirichlet(np.ones(n_answers), (n_judges, n_labels))
    return ae.Evaluation(
        summary.judges, summary.labels, summary.answers, prevalence, confusion
    ), summary


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize(
    ("n_items", "n_judges", "n_labels", "n_answers"), [(5, 2, 2, 2), (4, 3, 2, 3), (4, 2, 3, 3)]
)
@pytest.mark.parametrize("seed", range(4))
def test_brute_force(seed, n_items, n_judges, n_labels, n_answers, missing):
    evaluation, summary = random_case(seed, n_items, n_judges, n_labels, n_answers, missing)
    found = nearest_consistent(evaluation, summary)
    assert found.status.ok
    assert float(found.distance) == pytest.approx(float(brute(evaluation, summary)), abs=1e-9)


def by_hand(found, summary):
    assert found.tables.sum(1).tolist() == summary.counts.tolist()
    assert found.key_counts.sum() == summary.n_items
    assert (found.tables.sum(2) <= found.key_counts).all()
    assert (found.tables >= 0).all()
    assert found.evaluation.exact


@settings(derandomize=True, deadline=None, max_examples=25)
@given(st.integers(0, 10**6), st.integers(1, 60), st.integers(1, 4), st.booleans())
def test_every_answer_meets_the_axioms(seed, n_items, n_judges, missing):
    evaluation, summary = random_case(seed, n_items + 4, n_judges, 3, 4, missing)
    found = nearest_consistent(evaluation, summary)
    by_hand(found, summary)
    assert found.distance == found.key_distance + sum(found.judge_distance)


@settings(derandomize=True, deadline=None, max_examples=20)
@given(st.integers(0, 10**6))
def test_the_truth_does_not_move(seed):
    rng = np.random.default_rng(seed)
    codes = rng.integers(-1, 3, (30, 3)).astype(np.int16)
    key = rng.integers(0, 3, 30).astype(np.int16)
    votes = ae.Votes(range(30), range(3), list("abc"), list("abc"), codes, key)
    truth = votes.keyed_sketch().evaluation()
    found = nearest_consistent(truth, votes)
    assert found.distance == 0
    assert found.was_consistent
    assert found.evaluation.to_dict() == truth.to_dict()
    assert "as it stands" in found.message


def test_by_hand():
    # key target 2.5, 2.5; table targets 2.25 .25 / .75 1.75; columns 3, 2
    summary = ae.Summary.from_counts({"i": {"a": 3, "b": 2}})
    names = (("i",), ("a", "b"), ("a", "b"))
    guess = ae.Evaluation(*names, [0.5, 0.5], [[[0.9, 0.1], [0.3, 0.7]]])
    found = nearest_consistent(guess, summary)
    assert found.tables.tolist() == [[[2, 0], [1, 2]]]
    assert found.key_counts.tolist() == [2, 3]
    assert found.key_distance == 1
    assert float(found.distance) == pytest.approx(1 + 4 * 0.25)
    assert "i: moved 1.00 items" in found.summary()


def test_an_estimate_of_em_moves_a_little_and_becomes_possible():
    rng = np.random.default_rng(0)
    key = rng.integers(0, 2, 500)
    codes = np.where(rng.random((500, 5)) < 0.8, key[:, None], 1 - key[:, None])
    votes = ae.Votes(range(500), range(5), ["0", "1"], ["0", "1"], codes.astype(np.int16))
    fitted = ae.aggregate(votes, "dawid-skene").evaluation
    found = nearest_consistent(fitted, votes)
    by_hand(found, votes.summary())
    assert 0 < found.distance < 5 * 4
    assert found.before.possible


def test_quadratic_numbers_are_moved_too():
    trio = ae.Sketch.from_counts({"aaa": 5, "aab": 1, "aba": 2, "baa": 1, "bbb": 4, "abb": 1})
    summary = trio.summary()
    root = ae.Quadratic.make(Fraction(1, 2), Fraction(1, 10), 2)
    table = np.empty((3, 2, 2), object)
    table[:] = [[root, 1 - root], [1 - root, root]]
    names = (summary.judges, summary.labels, summary.answers)
    guess = ae.Evaluation(*names, np.array([root, 1 - root], object), table)
    by_hand(nearest_consistent(guess, trio), summary)


def test_refusals():
    evaluation, summary = random_case(0, 5, 2, 2, 2, False)
    with pytest.raises(ae.DataError, match="must have the judges of the data"):
        nearest_consistent(evaluation, ae.Summary.from_counts({"z": {"a": 1, "b": 1}}))
    with pytest.raises(ae.DataError, match="data must be Votes"):
        nearest_consistent(evaluation, 1)
    bad = ae.Evaluation(
        evaluation.judges, evaluation.labels, evaluation.answers, [1.5, -0.5], evaluation.confusion
    )
    with pytest.raises(ae.DataError, match=r"prevalence must lie in \[0, 1\]"):
        nearest_consistent(bad, summary)


def test_many_judges_are_refused_with_the_size(monkeypatch):
    evaluation, summary = random_case(0, 5, 2, 2, 2, False)
    monkeypatch.setattr(ae.compare.nearest, "_MOST_CELLS", 7)
    with pytest.raises(ae.TooLargeError, match="at most 7 cells; got 8"):
        nearest_consistent(evaluation, summary)
