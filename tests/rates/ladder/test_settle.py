"""The range of a rate under a belief: fixtures, full order against every key, proofs that are checked."""

import copy
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import algeval as ae
from algeval.data import Sketch, Specification, Summary
from algeval.logic.exam import read_exam
from algeval.logic.orders.full import Full
from algeval.logic.proof import Clock
from algeval.rates.rungs import narrowed, settle

TUPLES = ["AAA", "AAB", "ABA", "BAA", "BBA", "BAB", "ABB", "BBB"]
FIXTURE = Sketch.from_counts(
    dict(zip(TUPLES, (38, 10, 9, 8, 7, 6, 5, 17), strict=True)), labels=["A", "B"]
)
GRADE, LABEL = Specification.grade, Specification.accuracy


def both_orders(sketch, spec, place=0):
    exam = read_exam(sketch)
    first = settle(exam, spec, place, Clock(20))
    return first, narrowed(Full(exam, sketch), spec, place, first, Clock(60))


def in_items(settled, n=100):
    return None if settled.ends is None else tuple(int(end * n) for end in settled.ends)


@pytest.mark.parametrize(
    ("form", "x", "first", "full"),
    [
        (LABEL, "3/4", (50, 82), (59, 81)),
        (LABEL, "4/5", (53, 77), (64, 72)),
        (LABEL, "17/20", (56, 72), None),
        (GRADE, "4/5", (42, 82), (50, 80)),
    ],
)
def test_fixture(form, x, first, full):
    one, joint = both_orders(FIXTURE, form(">=", x))
    assert (in_items(one), in_items(joint)) == (first, full)
    assert one.exact
    proofs = [*one.certificates().values(), *joint.certificates().values()]
    assert len(proofs) == (8 if full else 5)
    assert all(ae.verify(proof, FIXTURE) for proof in proofs)


def votes_of(rng, n_items, n_judges, n_labels):
    codes = rng.integers(-1, n_labels, (n_items, n_judges))
    judges, labels = [f"j{i}" for i in range(n_judges)], list("ABC"[:n_labels])
    return codes, Sketch(judges, labels, labels, codes, np.ones(n_items, int))


def possible(codes, key, form, x):
    """Whether a key lets every judge reach x: straight from the definition."""
    for votes in codes.T:
        groups = [votes >= 0] if form is GRADE else [(votes >= 0) & (key == t) for t in range(3)]
        for held in groups:
            if held.any() and Fraction(int((votes == key)[held].sum()), int(held.sum())) < x:
                return False
    return True


@pytest.mark.parametrize("form", [GRADE, LABEL])
@pytest.mark.parametrize("n_labels", [2, 3])
def test_full_order_is_every_key_and_order_1_is_no_narrower(form, n_labels):
    rng = np.random.default_rng(8 + n_labels)
    narrower = 0
    for _ in range(8):
        codes, sketch = votes_of(rng, 5, 3, n_labels)
        x = Fraction(int(rng.integers(3, 8)), 8)
        keys = [np.array(key) for key in product(range(n_labels), repeat=5)]
        counts = [int((key == 0).sum()) for key in keys if possible(codes, key, form, x)]
        one, joint = both_orders(sketch, form(">=", x))
        assert in_items(joint, 5) == ((min(counts), max(counts)) if counts else None)
        if joint.ends is not None:
            assert one.ends[0] <= joint.ends[0]
            assert joint.ends[1] <= one.ends[1]
        narrower += one.ends != joint.ends
    assert narrower


def test_proofs_say_what_they_prove_and_fail_when_changed():
    first, _ = both_orders(FIXTURE, GRADE(">=", "4/5"))
    proofs = first.certificates()
    assert set(proofs) == {"not below", "lowest", "highest", "not above"}
    assert proofs["not below"].verdict == proofs["not above"].verdict == "impossible"
    assert "prevalence of label 'A' <= 41/100" in proofs["not below"].describe()
    other = Sketch.from_counts(dict.fromkeys(TUPLES, 5), labels=["A", "B"])
    for name, proof in proofs.items():
        document = copy.deepcopy(proof.to_dict())
        level = next(
            c
            for c in document["claim"]["specification"]["conditions"]
            if c["quantity"] == "prevalence"
        )
        level["value"] = "42/100" if name == "not below" else level["value"]
        level["value"] = "41/100" if name == "lowest" else level["value"]
        level["value"] = "82/100" if name == "not above" else level["value"]
        level["value"] = "83/100" if name == "highest" else level["value"]
        assert ae.verify(proof, FIXTURE)
        assert not ae.verify(document, FIXTURE)
        assert not ae.verify(proof, other)


def test_counts_per_judge_prove_the_same():
    summary = FIXTURE.summary()
    found = settle(read_exam(summary), GRADE(">=", "4/5"), 0, Clock(20))
    assert all(ae.verify(proof, summary) for proof in found.certificates().values())
    assert all(ae.verify(proof, FIXTURE) for proof in found.certificates().values())


def test_no_end_is_proved_where_there_is_nothing_beyond():
    found = settle(read_exam(FIXTURE), GRADE(">=", 0), 0, Clock(20))
    assert found.ends == (0, 1)
    assert found.proof.below is None
    assert found.proof.above is None


def test_ceilings_go_by_program():
    """One judge with 60 of 100 votes for A, right on 80% to 90% of A and 70% to 100% of B."""
    summary = Summary.from_counts({"x": {"A": 60, "B": 40}})
    spec = LABEL(">=", 0.8, label="A") & LABEL("<=", 0.9, label="A") & LABEL(">=", 0.7, label="B")
    found = settle(read_exam(summary), spec, 0, Clock(20))
    keys = [
        q
        for q in range(101)
        if any(
            a * 10 >= 8 * q and a * 10 <= 9 * q and b * 10 >= 7 * (100 - q)
            for a in range(q + 1)
            for b in [100 - q - (60 - a)]
            if 0 <= b <= 100 - q
        )
    ]
    assert found.ends == (Fraction(keys[0], 100), Fraction(keys[-1], 100))


def test_without_time_order_1_stands():
    exam = read_exam(FIXTURE)
    first = settle(exam, GRADE(">=", "4/5"), 0, Clock(20))
    assert narrowed(Full(exam, FIXTURE), GRADE(">=", "4/5"), 0, first, Clock(0)) is first
