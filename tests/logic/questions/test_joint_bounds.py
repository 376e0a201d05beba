"""Bounds at order 2 and full, and of one judge given the others, against brute force."""

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest

from algeval.data import Sketch, Specification
from algeval.errors import DataError
from algeval.io import read_votes
from algeval.logic import bounds
from algeval.logic.exam import read_exam
from algeval.logic.orders.base import decide
from algeval.logic.orders.full import Full
from algeval.logic.policy import ALL_AT_ONCE_BELOW
from algeval.logic.proof import Clock
from algeval.logic.questions.bounds import Quantity, _Ends, if_others, ranges
from algeval.result import Status
from algeval.verify import verify


def splits(total, width):
    if width == 1:
        return [(total,)]
    return [(k, *rest) for k in range(total + 1) for rest in splits(total - k, width - 1)]


def evaluations(data, rule):
    labels, held = range(data.n_labels), (data.codes >= 0) | (rule == "wrong")
    for rows in product(*(splits(int(n), data.n_labels) for n in data.counts)):
        cells = np.array(rows)
        right = [
            [int(cells[data.codes[:, i] == t, t].sum()) for t in labels]
            for i in range(data.n_judges)
        ]
        asked = [[int(cells[held[:, i], t].sum()) for t in labels] for i in range(data.n_judges)]
        yield cells.sum(0).tolist(), right, asked


def meets(right, asked, level, judges):
    return all(c >= level * d for i in judges for c, d in zip(right[i], asked[i], strict=True))


def brute_ranges(data, rule, level, judges):
    values = {}
    for q, right, asked in evaluations(data, rule):
        if not meets(right, asked, level, judges):
            continue
        for t, n in enumerate(q):
            values.setdefault((None, t), []).append(F(n, data.n_items))
        for i in range(data.n_judges):
            if sum(asked[i]):
                values.setdefault((i, None), []).append(F(sum(right[i]), sum(asked[i])))
            for t in range(data.n_labels):
                if asked[i][t]:
                    values.setdefault((i, t), []).append(F(right[i][t], asked[i][t]))
    return {what: (min(v), max(v)) for what, v in values.items()}


def range_of(found, i, t):
    if i is None:
        return found.prevalence_of(found.labels[t])
    judge = found.judges[i]
    return found.grade_of(judge) if t is None else found.accuracy_of(judge, found.labels[t])


@pytest.mark.parametrize("seed", range(8))
def test_every_range_against_brute_force(seed):
    rng = np.random.default_rng([seed, 5])
    n_labels, n_judges, n_items = (int(rng.integers(2, top)) for top in (4, 4, 6))
    lowest = -1 if rng.random() < 0.4 else 0
    codes = rng.integers(lowest, n_labels, (n_items, n_judges)).astype(np.int16)
    labels = list("abc")[:n_labels]
    data = Sketch(list("xyz")[:n_judges], labels, labels, codes, np.ones(n_items, int))
    rule, level = ["excluded", "wrong"][seed % 2], F(int(rng.integers(0, 7)), 6)
    spec = Specification.accuracy(">=", level, judge="x")
    wanted = brute_ranges(data, rule, level, [0])
    full = bounds(data, at_least=spec, order="full", missing=rule)
    if not wanted:
        assert full.status == "inconsistent"
        return
    assert full.status.ok
    assert full.outer == ()
    for i, t in product([None, *range(n_judges)], [None, *range(n_labels)]):
        if (i, t) != (None, None):
            assert range_of(full, i, t) == wanted.get((i, t))
    if n_judges > 2:
        pairs = bounds(data, at_least=spec, order=2, missing=rule)
        for (i, t), (low, high) in wanted.items():
            assert range_of(pairs, i, t)[0] <= low
            assert range_of(pairs, i, t)[1] >= high


def test_one_judge_given_the_others():
    data = Sketch.from_counts(
        {("a", "a"): 5, ("a", "b"): 1, ("b", "a"): 3, ("b", "b"): 1}, judges=["x", "y"]
    )
    # y is right on 0.9 of each label only where it is always right: x then agrees on 5 + 1 of 10
    assert if_others(data, "x", 0.9).grade_of("x") == (F(3, 5), F(3, 5))
    wanted = brute_ranges(data, "excluded", F(4, 5), [1])
    found = if_others(data, "x", 0.8)
    assert found.grade_of("x") == wanted[0, None] == (F(1, 2), F(7, 10))
    assert found.grade_of("y") is None
    with pytest.raises(DataError, match="judge 'z' is not known"):
        if_others(data, "z")


def test_others_who_contradict_one_another_leave_nothing():
    data = Sketch.from_counts({("a", "b", "a"): 3, ("b", "a", "a"): 3})
    for order in (2, "full"):
        found = if_others(data, "3", 0.9, order=order)
        assert found.status == "inconsistent"
        assert found.grade_of("3") is None


def test_out_of_time_leaves_limits_that_hold():
    data = Sketch.from_counts({("a", "b", "a"): 3, ("b", "a", "a"): 2, ("b", "b", "b"): 1})
    spec = Specification.at_least(0.2)
    wanted = brute_ranges(data, "excluded", F(1, 5), range(3))
    found = bounds(data, at_least=spec, order="full", time_limit=0.0)
    assert found.outer
    assert found.status == "time_limit"
    assert "may be wider" in found.message
    for (i, t), (low, high) in wanted.items():
        assert range_of(found, i, t)[0] <= low
        assert range_of(found, i, t)[1] >= high


def test_an_end_that_takes_more_than_a_few_splits():
    """Five items, all judges above 0 on b: 243 labellings, every end attained."""
    rows = [(None, "b", "b", "c"), (None, "b", "c", "b"), ("b", "b", "c", None)]
    rows += [("c", None, "c", "c"), ("c", "a", None, None)]
    data = Sketch.from_counts(dict.fromkeys(rows, 1), judges=list("wxyz"), labels=list("abc"))
    spec = Specification.accuracy(">", 0, label="b")
    values = {name: set() for name in data.judges}
    for truth in product("abc", repeat=5):
        met = True
        accuracies = {}
        for place, name in enumerate(data.judges):
            asked = [row[place] for row, t in zip(rows, truth, strict=True) if t == "b"]
            given = [answer for answer in asked if answer is not None]
            if given:
                accuracies[name] = F(given.count("b"), len(given))
                met = met and accuracies[name] > 0
        for name, value in accuracies.items() if met else ():
            values[name].add(value)
    found = bounds(data, order="full", at_least=spec)
    assert found.status is Status.OK
    assert found.outer == ()
    for name in data.judges:
        assert found.accuracy_of(name, "b") == (min(values[name]), max(values[name]))


def test_ends_of_large_exams_were_left_to_one_integer_program_each(real_votes):
    """Whole numbers near the real best attain the end, and a relaxation or a small tree refutes beyond."""
    path = real_votes / "civilcomments_judge_scores.csv"
    votes = read_votes(path, item="item", key="gold", cut=4.5)
    sketch = votes.sketch().marginal(votes.judges[:13])
    exam = read_exam(sketch)
    assert len(sketch) * sketch.n_labels > ALL_AT_ONCE_BELOW
    wanted = [Quantity(None, 0), Quantity(2, None), Quantity(4, None)]
    order, standard = Full(exam, sketch), Specification.at_least("0.15")
    for what, found in ranges(order, standard, Clock(180), wanted):
        assert found.exact
        assert found.proof.lowest is not None
        assert found.proof.highest is not None
        for certificate in found.proof.certificates():
            assert verify(certificate, sketch).ok
        low, high = found.ends
        for sense, value in (("<=", low - F(1, 10**6)), (">", high)):
            if not 0 <= value < 1:
                continue
            beyond = standard & what.condition(exam, sense, value)
            assert decide(order, beyond, Clock(180)).possible is False


@pytest.mark.parametrize("seed", range(3))
def test_whole_numbers_near_the_real_best_end_where_the_best_do(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    codes = rng.integers(-1, 2, (6, 3)).astype(np.int16)
    data = Sketch(["x", "y", "z"], ["a", "b"], ["a", "b"], codes, rng.integers(1, 4, 6))
    plain = bounds(data, order="full", at_least="1/4")
    asked = []
    monkeypatch.setattr(_Ends, "_joint", lambda *_: asked.append(1) or True)
    near = bounds(data, order="full", at_least="1/4")
    assert asked or near.status is Status.INCONSISTENT
    assert near.status == plain.status
    assert near.outer == plain.outer == ()
    for what in ("accuracy", "grade", "prevalence"):
        assert (getattr(plain, what) == getattr(near, what)).all()
    for proof in near.certificates.values():
        assert all(verify(certificate, data).ok for certificate in proof.certificates())
