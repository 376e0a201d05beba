"""Full order tuple by tuple: against brute force, the program of all tuples, and the verifier."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from algeval.data import Sketch, Specification
from algeval.logic import alarm, threshold
from algeval.logic.exam import read_exam
from algeval.logic.orders import full
from algeval.logic.orders import full as many_tuples
from algeval.logic.orders.full import Full
from algeval.logic.proof import Clock
from algeval.verify import verify

F = Fraction
RULES = ["excluded", "wrong"]


@pytest.fixture
def tuple_by_tuple(monkeypatch):
    monkeypatch.setattr(full, "TUPLES_AT_ONCE", 0)


def at_once(monkeypatch):
    monkeypatch.setattr(full, "TUPLES_AT_ONCE", 10**9)


def sketch(codes, counts, n_labels, n_answers=None):
    names = "abcdef"[: n_answers or n_labels]
    judges = [f"j{i}" for i in range(np.shape(codes)[1])]
    codes = np.array(codes, np.int16)
    return Sketch(judges, list(names[:n_labels]), list(names), codes, np.array(counts))


def labelled(n, parts):
    """Every way to write n as an ordered sum."""
    if parts == 1:
        return [(n,)]
    return [(k, *rest) for k in range(n + 1) for rest in labelled(n - k, parts - 1)]


def brute(s, missing):
    """The highest level that some labelling attains, by going through all of them."""
    best = F(0)
    tuples = s.codes.tolist()
    for cells in product(*(labelled(n, s.n_labels) for n in s.counts.tolist())):
        level = F(1)
        for i, t in product(range(s.n_judges), range(s.n_labels)):
            right = sum(c[t] for u, c in zip(tuples, cells, strict=True) if u[i] == t)
            held = sum(
                c[t] for u, c in zip(tuples, cells, strict=True) if missing == "wrong" or u[i] >= 0
            )
            level = min(level, F(right, held)) if held else level
        best = max(best, level)
    return best


def proved(found, s):
    for certificate in (found.witness, found.refutation):
        if certificate is not None:
            verdict = verify(certificate.to_dict(), s.to_dict())
            assert verdict, verdict.sentence
    assert found.lower == 0 or found.witness is not None
    assert found.upper == 1 or found.refutation is not None


def small(seed, n_labels):
    rng = np.random.default_rng(seed)
    n_tuples = 5 if n_labels == 2 else 3
    codes = rng.integers(-1, n_labels + 1, (n_tuples, 3))
    return sketch(codes, rng.integers(1, 4, n_tuples), n_labels, n_labels + 1)


@pytest.mark.usefixtures("tuple_by_tuple")
@pytest.mark.parametrize("missing", RULES)
@pytest.mark.parametrize("n_labels", [2, 3])
@pytest.mark.parametrize("seed", range(1, 4))
def test_brackets_and_alarms_hold_the_truth_of_all_labellings(seed, n_labels, missing):
    s = small(seed, n_labels)
    truth = brute(s, missing)
    found = threshold(s, order="full", missing=missing, exact=False, time_limit=None)
    assert found.lower <= truth <= found.upper
    proved(found, s)
    for level in (truth / 2, truth, (1 + truth) / 2):
        told = alarm(s, level, order="full", missing=missing, time_limit=None)
        assert told.triggered is (level > truth)
        assert verify(told.certificate.to_dict(), s.to_dict())


@pytest.mark.usefixtures("tuple_by_tuple")
@pytest.mark.parametrize("missing", RULES)
def test_an_exact_threshold_can_still_be_asked_for(missing):
    s = small(1, 2)
    found = threshold(s, order="full", missing=missing, exact=True, time_limit=None)
    assert found.lower == found.upper == brute(s, missing)


def panel(seed, n_items, n_labels=2, left_out=0.0, n_judges=7):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, n_labels, n_items)
    right = rng.random((n_items, n_judges)) < np.linspace(0.5, 0.9, n_judges)
    wrong = (truth[:, None] + rng.integers(1, n_labels, right.shape)) % n_labels
    codes = np.where(right, truth[:, None], wrong)
    return np.where(rng.random(codes.shape) < left_out, -1, codes)


def few_votes(codes):
    codes = codes.copy()
    codes[3:, 0] = codes[40:, 1] = -1
    return codes


def tied(codes):
    codes = codes.copy()
    codes[:, 1] = codes[:, 0]
    codes[:, 2] = 1 - codes[:, 3]
    return codes


def never_one_label(codes):
    return np.where((codes == 1) & (np.arange(codes.shape[1]) == 0), 0, codes)


EXAMS = {
    "two labels": (2, panel(1, 3000)),
    "three labels": (3, panel(2, 4000, 3, n_judges=4)),
    "missing": (2, panel(3, 3000, 2, 0.1, 5)),
    "three labels, missing": (3, panel(4, 4000, 3, 0.1, 4)),
    "few votes": (2, few_votes(panel(5, 3000, n_judges=6))),
    "tied": (2, tied(panel(6, 3000))),
    "a label that one judge never says": (3, never_one_label(panel(7, 4000, 3, n_judges=4))),
}


def exam(name):
    n_labels, codes = EXAMS[name]
    return sketch(codes, np.ones(len(codes), int), n_labels)


@pytest.mark.parametrize("missing", RULES)
@pytest.mark.parametrize("name", EXAMS)
def test_brackets_are_those_of_the_program_of_all_tuples(monkeypatch, name, missing):
    s = exam(name)
    at_once(monkeypatch)
    order = Full(read_exam(s, missing), s)
    value = order.bound(Clock(None))
    monkeypatch.setattr(full, "TUPLES_AT_ONCE", 0)
    found = threshold(s, order="full", missing=missing, exact=False)
    proved(found, s)
    upper = F(1) if value is None else min(F(1), value[0])
    assert found.upper <= upper + F(1, 10**6)
    assert found.upper - found.lower < F(1, 1000) or found.lower == found.upper


@pytest.mark.usefixtures("tuple_by_tuple")
@pytest.mark.parametrize("missing", RULES)
@pytest.mark.parametrize("name", EXAMS)
def test_alarms_on_both_sides_of_a_bracket(name, missing):
    s = exam(name)
    found = threshold(s, order="full", missing=missing, exact=False)
    for level, triggered in ((found.lower - F(1, 500), False), (found.upper + F(1, 500), True)):
        if 0 <= level <= 1:
            told = alarm(s, level.limit_denominator(10**4), order="full", missing=missing)
            assert told.triggered is triggered
            verdict = verify(told.certificate.to_dict(), s.to_dict())
            assert verdict, verdict.sentence


@pytest.mark.usefixtures("tuple_by_tuple")
def test_levels_of_single_judges_and_bounds_on_the_key():
    codes = panel(8, 1500)
    accuracy, prevalence = Specification.accuracy, Specification.prevalence
    s = sketch(codes, np.ones(len(codes), int), 2)
    good = accuracy(">=", F(4, 5), judge="j6")
    for spec, triggered in (
        (good & accuracy(">=", F(2, 5), judge="j0", label="a"), False),
        (good & accuracy(">=", F(4, 5), judge="j0"), True),
        (good & prevalence("a", ">=", F(2, 5)), False),
    ):
        told = alarm(s, spec, order="full")
        assert told.triggered is triggered
        assert verify(told.certificate.to_dict(), s.to_dict())


def test_what_is_far_from_decided_takes_no_program(monkeypatch):
    """No relaxation of all tuples is built for a bracket, nor for an alarm off the threshold."""
    codes = panel(9, 4000, n_judges=15)
    s = sketch(codes, np.ones(len(codes), int), 2)
    assert len(s) > full.TUPLES_AT_ONCE

    def refuse(*_, **__):
        raise AssertionError("a program of all tuples was built")

    monkeypatch.setattr(Full, "program", refuse)
    found = threshold(s, order="full")
    assert found.upper - found.lower < F(1, 1000)
    assert alarm(s, found.lower - F(1, 100), order="full").triggered is False
    assert alarm(s, found.upper + F(1, 100), order="full").triggered is True


def test_weights_that_fade_are_taken_from_a_little_above():
    """No weights attain the bound 1/2 here: those at it round to nothing, those above do not."""
    s = Sketch.from_counts({"ac": 5, "ca": 5, "bb": 5}, labels=list("abc"))
    bound = many_tuples.shared_level(Full(read_exam(s), s).labelling, Clock(None))
    assert F(1, 2) < bound.value < F(1, 2) + F(1, 1000)
    assert (bound.weights.sum(0) > 0).all()


def test_nothing_is_settled_where_nothing_is_asked():
    s = Sketch.from_counts({"ab": 5, "ba": 5}, labels=list("ab"))
    labelling = Full(read_exam(s), s).labelling
    key = np.zeros(2), np.full(2, 10)
    none = [[None, None], [F(0), None]]
    assert many_tuples.settle(labelling, none, key, Clock(None)) == (None, None)
