"""Every kind of specification at orders 1, 2 and full, against brute force over whole labellings."""

import copy
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest

from algeval.data import Sketch, Specification
from algeval.logic import alarm
from algeval.verify import verify


def splits(total, width):
    if width == 1:
        return [(total,)]
    return [(k, *rest) for k in range(total + 1) for rest in splits(total - k, width - 1)]


def labellings(data):
    for rows in product(*(splits(int(n), data.n_labels) for n in data.counts)):
        yield np.array(rows)


def counted(data, cells, rule):
    """q, and per judge and label the correct answers and the items it is held to."""
    labels = range(data.n_labels)
    held = (data.codes >= 0) | (rule == "wrong")
    right = [
        [int(cells[data.codes[:, i] == t, t].sum()) for t in labels] for i in range(data.n_judges)
    ]
    asked = [[int(cells[held[:, i], t].sum()) for t in labels] for i in range(data.n_judges)]
    return cells.sum(0).tolist(), right, asked


def quotients(c, data, q, right, asked):
    labels = [t for t, name in enumerate(data.labels) if c.label in (None, name)]
    if c.quantity == "prevalence":
        return [(q[t], data.n_items) for t in labels]
    judges = [i for i, name in enumerate(data.judges) if c.judge in (None, name)]
    if c.quantity == "grade":
        return [(sum(right[i]), sum(asked[i])) for i in judges]
    return [(right[i][t], asked[i][t]) for i in judges for t in labels]


def holds(c, a, b):
    if not b:
        return True
    return (
        a >= c.value * b
        if c.sense == ">="
        else a > c.value * b
        if c.sense == ">"
        else a <= c.value * b
    )


def possible(data, spec, rule):
    for cells in labellings(data):
        parts = counted(data, cells, rule)
        if all(holds(c, a, b) for c in spec.conditions for a, b in quotients(c, data, *parts)):
            return True
    return False


def random_case(seed):
    rng = np.random.default_rng([seed, 7])
    n_judges, n_labels, n_items = (int(rng.integers(2, top)) for top in (5, 4, 6))
    lowest = -1 if rng.random() < 0.4 else 0
    codes = rng.integers(lowest, n_labels, (n_items, n_judges)).astype(np.int16)
    judges, labels = list("wxyz")[:n_judges], list("abc")[:n_labels]
    data = Sketch(judges, labels, labels, codes, np.ones(n_items, int))
    spec = None
    for _ in range(int(rng.integers(1, 4))):
        part = random_condition(rng, judges, labels)
        spec = part if spec is None else spec & part
    return data, spec, "excluded" if rng.random() < 0.5 else "wrong"


def random_condition(rng, judges, labels):
    sense = str(rng.choice([">=", ">", "<="]))
    level = F(int(rng.integers(1, 6)), 6)
    judge = None if rng.random() < 0.3 else str(rng.choice(judges))
    label = None if rng.random() < 0.4 else str(rng.choice(labels))
    kind = int(rng.integers(3))
    if kind == 0:
        return Specification.accuracy(sense, level, judge=judge, label=label)
    if kind == 1:
        return Specification.grade(sense, level, judge=judge)
    return Specification.prevalence(str(rng.choice(labels)), sense, level)


def check(seed):
    data, spec, rule = random_case(seed)
    orders = (1, 2, "full") if data.n_judges > 2 else (1, "full")
    verdicts = []
    for order in orders:
        found = alarm(data, spec, order=order, missing=rule)
        assert found.triggered is not None
        verdict = verify(found.certificate, data)
        assert verdict.ok, verdict.sentence
        verdicts.append(found.triggered)
    assert verdicts == sorted(verdicts)
    assert verdicts[-1] is not possible(data, spec, rule)


@pytest.mark.parametrize("part", range(4))
def test_against_brute_force(part):
    for seed in range(part, 60, 4):
        check(seed)


@pytest.mark.slow
def test_against_brute_force_many_times():
    for seed in range(60, 800):
        check(seed)


def test_a_grade_by_hand_at_full_order():
    """{ab: 5, ba: 5}: the two grades always add up to 1."""
    data = Sketch.from_counts({("a", "b"): 5, ("b", "a"): 5}, judges=["x", "y"])
    both = Specification.grade(">=", "1/2")
    assert alarm(data, both).triggered is False
    more = Specification.grade(">", "1/2")
    loud = alarm(data, more)
    assert loud.triggered is True
    assert alarm(data, more, order=1).triggered is False
    assert verify(loud.certificate, data).ok
    changed = copy.deepcopy(loud.certificate.to_dict())
    changed["claim"]["specification"]["conditions"][0]["sense"] = ">="
    assert not verify(changed, data)


def test_an_upper_limit_by_hand_at_full_order():
    """Judges who always agree: one cannot be good and the other bad."""
    data = Sketch.from_counts({("a", "a"): 3, ("b", "b"): 3}, judges=["x", "y"])
    spec = Specification.accuracy(">=", "2/3", judge="x", label="a")
    spec = spec & Specification.accuracy("<=", "1/3", judge="y", label="a")
    spec = spec & Specification.prevalence("a", ">", 0)
    loud = alarm(data, spec)
    assert loud.triggered is True
    assert alarm(data, spec, order=1).triggered is False
    assert verify(loud.certificate, data).ok


def test_contradictory_prevalences():
    data = Sketch.from_counts({("a", "a", "b"): 2, ("b", "b", "a"): 2})
    spec = Specification.prevalence("a", ">=", 0.9) & Specification.prevalence("b", ">=", 0.9)
    for order in (1, 2, "full"):
        found = alarm(data, spec, order=order)
        assert found.triggered is True
        verdict = verify(found.certificate, data)
        assert verdict.ok, verdict.sentence
        assert found.certificate.claim["order"] == order


@pytest.mark.parametrize("rule", ["excluded", "wrong"])
def test_bounds_on_one_label_that_exclude_each_other(rule):
    data = Sketch.from_counts({("a", "b", None): 2, ("b", "c", "a"): 2})
    spec = Specification.prevalence("b", "<=", "2/3") & Specification.prevalence("b", ">", "3/4")
    for condition in (Specification.grade(">", "2/3"), Specification.at_least(0.1)):
        for order in (1, 2, "full"):
            found = alarm(data, spec & condition, order=order, missing=rule)
            assert found.triggered is True
            assert verify(found.certificate, data).ok
