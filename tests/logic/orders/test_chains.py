"""Order 2 of two labels by chains of judges: against the integer program, and the verifier."""

import copy
from fractions import Fraction as F
from itertools import combinations, product
from time import process_time

import numpy as np
import pytest

import algeval as ae
from algeval.data import Condition, Sketch, Specification
from algeval.logic.exam import read_exam
from algeval.logic.orders.base import decide_program, refuted, restricted
from algeval.logic.orders.full import Full
from algeval.logic.orders.pairs import Order2
from algeval.logic.proof import Clock
from algeval.verify import verify

ODD = Sketch.from_counts({"baa": 1, "aba": 1, "aab": 1, "bbb": 2})


def exam(rng, n_judges, n_items, low=0.3, high=0.95):
    truth = rng.integers(0, 2, n_items)[:, None]
    skill = rng.uniform(low, high, n_judges)
    codes = np.where(rng.random((n_items, n_judges)) < skill, truth, 1 - truth)
    rows, counts = np.unique(codes.astype(np.int16), axis=0, return_counts=True)
    return Sketch([f"j{i}" for i in range(n_judges)], ["a", "b"], ["a", "b"], rows, counts)


def asked(rng, data):
    """A level for all, or a few conditions of any kind."""
    size = int(rng.integers(1, data.n_items + 1))
    x = F(int(rng.integers(0, size + 1)), size)
    if rng.random() < 0.5:
        return Specification.at_least(x, strict=bool(rng.random() < 0.3))
    conditions = []
    for _ in range(rng.integers(1, 5)):
        quantity = str(rng.choice(["accuracy", "accuracy", "grade", "prevalence"]))
        sense = str(rng.choice([">=", ">", "<="]))
        level = F(int(rng.integers(0, size + 1)), size)
        judge = (
            None
            if quantity == "prevalence" or rng.random() < 0.5
            else f"j{rng.integers(data.n_judges)}"
        )
        label = None if quantity == "grade" or rng.random() < 0.5 else str(rng.choice(["a", "b"]))
        if quantity == "prevalence":
            level = level / 2 if sense != "<=" else 1 - level / 2
        conditions.append(Condition(quantity, sense, level, judge, label))
    return Specification(tuple(conditions))


def compare(rng, tries):
    """Verdicts of chains beside those of the integer program; how many were settled."""
    settled = 0
    for _ in range(tries):
        data = exam(rng, int(rng.integers(3, 6)), int(rng.integers(2, 15)))
        spec, order = asked(rng, data), Order2(read_exam(data), data)
        program = order.program(spec)
        point, evidence = order.chains.settle(spec, Clock(None))
        outcome = decide_program(order, program, Clock(None))
        assert outcome.possible is not None
        if point is not None:
            assert outcome.possible
            assert program.satisfied(order.at_counts(*point))
        elif evidence is not None:
            assert not outcome.possible
            verdict = verify(refuted(order, spec, evidence), data)
            assert verdict.ok, verdict.sentence
        settled += point is not None or evidence is not None
    return settled


def test_chains_say_what_the_integer_program_says():
    assert compare(np.random.default_rng(0), 25) >= 22


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 9))
def test_chains_say_what_the_integer_program_says_of_many(seed):
    assert compare(np.random.default_rng(seed), 250) >= 230


def test_a_chain_reads_from_judge_to_judge():
    found = ae.threshold(ODD, order=2)
    assert (found.lower, found.upper) == (F(3, 4), F(3, 4))
    cases = found.refutation.evidence["cases"]
    assert all(len(case["at_least"]) == len(case["at_most"]) == 3 for case in cases)
    assert sum(b - a + 1 for a, b in (case["items"] for case in cases)) == ODD.n_items + 1
    assert "chains of judges" in verify(found.refutation, ODD).sentence
    assert "chains of judges" in found.refutation.explain(found.judges, found.labels)


def test_what_chains_refute_higher_orders_refute():
    rng = np.random.default_rng(5)
    data = exam(rng, 5, 40, 0.6, 0.8)
    pairs = ae.threshold(data, order=2)
    loud = ae.alarm(data, Specification.at_least(pairs.upper, strict=True), order=3)
    assert loud.triggered
    assert verify(loud.certificate, data).ok


def test_forged_chains_are_rejected():
    good = ae.threshold(ODD, order=2).refutation.to_dict()
    assert verify(good, ODD).ok

    def rejected(change, words=""):
        bad = copy.deepcopy(good)
        change(bad, bad["evidence"]["cases"])
        verdict = verify(bad, ODD)
        assert not verdict.ok
        assert words in verdict.sentence

    rejected(lambda _, cases: cases.pop(), "must cover every number of items")
    rejected(lambda _, cases: cases.pop(0), "must cover every number of items")
    for k, case in enumerate(good["evidence"]["cases"]):
        one = case["items"][0] == case["items"][1]
        rejected(lambda _, cases, k=k: cases[k].__setitem__("at_least", cases[k]["at_most"]))
        if not one:
            rejected(lambda _, cases, k=k: cases[k].__setitem__("items", [0, 5]))

    def level(document, _):
        document["claim"]["specification"]["conditions"][0]["value"] = "1/2"

    rejected(level, "the chains leave")

    def order(document, _):
        document["claim"]["order"] = 1

    rejected(order, "order 2 on")

    def full(document, _):
        document["claim"]["order"] = "full"

    rejected(full, "order 2 on")
    missing = Sketch.from_counts({("b", "a", "a"): 1, ("a", "b", None): 1, ("a", "a", "b"): 1})
    moved = copy.deepcopy(good)
    moved["claim"]["data"] = missing.digest
    assert "every vote" in verify(moved, missing).sentence


@pytest.mark.benchmark
def test_21_judges_and_100_000_items():
    data = exam(np.random.default_rng(1), 21, 100_000, 0.6, 0.9)
    ae.threshold(ODD, order=2)
    start = process_time()
    found = ae.threshold(data, order=2)
    seconds = process_time() - start
    assert found.exact
    assert seconds < 2, seconds


def some_key_meets(codes, pair, level):
    """Whether some answer key lets both judges reach a level on both labels: all keys of the four answers."""
    kinds = [
        np.all(codes[:, pair] == answers, axis=1).sum() for answers in product((0, 1), repeat=2)
    ]
    for first in product(
        *(range(n + 1) for n in kinds)
    ):  # items of label 0 by the two judges' answers
        q, other = sum(first), [n - k for n, k in zip(kinds, first, strict=True)]
        right = [
            (first[0] + first[1], other[2] + other[3]),
            (first[0] + first[2], other[1] + other[3]),
        ]
        if all(a >= level * q and b >= level * (len(codes) - q) for a, b in right):
            return True
    return False


def test_pairs_that_meet_a_level_are_those_of_all_keys():
    rng, seen = np.random.default_rng(5), set()
    for _ in range(40):
        codes = rng.integers(2, size=(int(rng.integers(3, 13)), 4)).astype(np.int16)
        rows, counts = np.unique(codes, axis=0, return_counts=True)
        data = Sketch([f"j{i}" for i in range(4)], ["a", "b"], ["a", "b"], rows, counts)
        level = F(int(rng.integers(40, 101)), 100)
        for order in (Order2(read_exam(data), data), Full(read_exam(data), data)):
            met = order.pairs_met(Specification.at_least(level), Clock(None))
            for i, j in combinations(range(4), 2):
                expected = some_key_meets(codes, [i, j], level)
                assert bool(met[i, j]) == expected == bool(met[j, i])
                seen.add(expected)
    assert seen == {True, False}


def test_pairs_that_meet_a_specification_do_by_the_integer_program():
    rng, n_met = np.random.default_rng(6), 0
    for _ in range(40):
        data = exam(rng, 3, int(rng.integers(2, 15)))
        spec, order = asked(rng, data), Order2(read_exam(data), data)
        for pair in np.argwhere(np.triu(order.pairs_met(spec, Clock(None)), 1)).tolist():
            of_pair, own = order.select(pair), restricted(spec, order.exam, pair)
            assert decide_program(of_pair, of_pair.program(own), Clock(None)).possible
            n_met += 1
    assert n_met > 40
