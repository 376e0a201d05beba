"""Order 1 finds an answer key or proves that there is none: splits, many labels, enumeration."""

from fractions import Fraction as F
from itertools import combinations

import numpy as np

from algeval.data import Sketch, Specification, Summary
from algeval.logic import panel, threshold
from algeval.logic.exam import read_exam, read_specification, system_of
from algeval.logic.orders.base import certified, decide
from algeval.logic.orders.full import Full
from algeval.logic.orders.order1 import Order1, cap_evidence, compositions
from algeval.logic.proof import Clock, Outcome
from algeval.verify import verify


def settled(data, spec):
    """Whether order 1 finds a specification possible, and its certificate."""
    order = Order1(read_exam(data))
    outcome = decide(order, spec, Clock(None))
    return outcome.possible, certified(order, spec, outcome)


def half_way():
    """Six judges, one per pair of four labels: each lets its pair have at most 5 of 10 items.

    So every pair has exactly 5, and every label two and a half: no whole numbers.
    """
    rows = []
    for pair in combinations(range(4), 2):
        rest = iter((4, 3))
        rows.append([1 if t in pair else next(rest) for t in range(4)])
    return Summary(list("uvwxyz"), list("abcd"), list("abcd"), np.array(rows), 10)


def test_a_refutation_that_needs_a_split():
    data, spec = half_way(), Specification.at_least("1/2")
    possible, certificate = settled(data, spec)
    assert certificate.kind == "branches"
    assert possible is False
    assert verify(certificate, data).ok
    found = panel(data, spec)
    assert (found.min_violators, len(found.largest_panel)) == (1, 5)
    assert verify(found.certificate, data).ok
    assert threshold(data).lower < F(1, 2)
    assert verify(threshold(data).refutation, data).ok


def test_incomplete_votes_of_four_and_five_labels_equal_enumeration():
    rng, kinds = np.random.default_rng(11), set()
    for _ in range(60):
        labels, n_items = int(rng.choice([4, 5])), int(rng.integers(3, 8))
        counts = rng.multinomial(n_items, np.ones(labels + 1) / (labels + 1), size=3)[:, :labels]
        names = list("abcde"[:labels])
        data = Summary(list("xyz"), names, names, counts, n_items)
        spec = Specification.at_least(F(int(rng.integers(3, 11)), 10))
        exam = read_exam(data)
        system = system_of(exam, read_specification(exam, spec))
        listed = compositions(system.low, system.high, n_items)
        possible, certificate = settled(data, spec)
        assert possible is any(system.admits(key) for key in listed)
        verdict = verify(certificate, data)
        assert verdict.ok, verdict.sentence
        kinds.add(certificate.kind)
    assert {"witness", "multipliers"} <= kinds


def test_more_labels_than_sets_that_are_listed_at_once():
    """Nine labels: rows for sets of labels are added as they are broken."""
    rng, seen = np.random.default_rng(3), set()
    for level in ("1/4", "1/2", "9/10"):
        counts = rng.multinomial(40, np.ones(10) / 10, size=6)[:, :9]
        data = Summary(list("uvwxyz"), list("abcdefghi"), list("abcdefghi"), counts, 40)
        possible, certificate = settled(data, Specification.at_least(level))
        assert verify(certificate, data).ok
        seen.add(possible)
    assert seen == {True, False}


def test_caps_are_evidence_of_every_order():
    data = Sketch.from_counts({"cc": 1, "aa": 1, "cb": 1}, labels=list("abc"))
    exam = read_exam(data)
    refused, reached = (Specification.at_least(x) for x in (F(2, 3), F(1, 2)))
    systems = [system_of(exam, read_specification(exam, spec)) for spec in (refused, reached)]
    evidence, judges = cap_evidence(exam, systems[0])
    assert evidence["kind"] == "cap"
    assert (len(evidence["judges"]), judges) == (3, (0, 1))
    for order in (Order1(exam), Full(exam, data)):
        assert verify(certified(order, refused, Outcome(refutation=evidence)), data).ok
        assert not verify(certified(order, reached, Outcome(refutation=evidence)), data).ok
    assert cap_evidence(exam, systems[1]) is None
