"""Every logical verdict on tiny exams against brute force, at order 1, order 2 and full order.

Run all of it with ``pytest -m slow -s tests/attack``; ALGEVAL_ATTACK_SECONDS bounds each check.
"""

from fractions import Fraction

import brute
import pytest
from tries import (
    Tries,
    amounts,
    as_sketch,
    conditions_of,
    random_exam,
    random_level,
    random_rule,
    random_specification,
)

import algeval as ae
from algeval.data import Specification

ORDERS = [1, 2, 3, "full"]

DEFAULT = [None]
"""The order that a function takes when it is not told: the same one for all that are asked one question."""

by_order = pytest.mark.parametrize("order", ORDERS)

SOME_OPEN = {"verdicts": 100, "ranges": 25}
"""Of so many searches one may end without an answer; a wrong answer is never allowed."""


def asked_of(order, exam):
    """Return the order as algeval is asked for it: two judges have no order 2, one has only order 1."""
    return 1 if exam.n_judges == 1 else "full" if order == exam.n_judges else order


def proved(exam, data, certificate, verdict=None):
    """Check that a certificate verifies, and that what it claims is true by brute force."""
    document = certificate.to_dict()
    assert verdict in (None, document["claim"]["verdict"])
    checked = ae.verify(document, data)
    assert checked.ok, checked.sentence
    assert brute.is_true(exam, document["claim"]), document["claim"]


def context(exam, order, rule, spec):
    """What to print when a check fails."""
    text = spec.to_dict() if isinstance(spec, Specification) else spec
    return {"votes": exam.votes, "R": exam.n_labels, "order": order, "rule": rule, "asked": text}


def few_open(tries, what):
    """Few searches stayed open."""
    told = tries.counted["ranges" if what == "ranges" else "tried"]
    assert tries.counted["open"] <= 2 + told // SOME_OPEN[what], tries.counted


# alarms -------------------------------------------------------------------------------------------


@amounts(80, 100_000)
@by_order
def test_alarms(order, most, least, seconds):
    tries = Tries(
        f"alarms at order {order}", most if order == 1 else most // 10 + 40, least, seconds
    )
    for rng in tries:
        exam, rule = random_exam(rng, order), random_rule(rng)
        data = as_sketch(exam)
        for _ in range(4):
            check_alarm(tries, rng, exam, data, order, rule)
    few_open(tries, "verdicts")
    tries.done()


def check_alarm(tries, rng, exam, data, order, rule):
    spec, needed = random_specification(rng, exam), exam.n_judges
    if rng.random() < 0.2:
        needed = rng.randint(1, exam.n_judges)
        spec = spec.by_at_least(needed)
    possible = brute.most_judges(exam, order, rule, conditions_of(spec)) >= needed
    found = ae.alarm(data, spec, order=asked_of(order, exam), missing=rule)
    tries.count()
    if found.triggered is None:
        return tries.count("open")
    assert found.triggered is not possible, context(exam, order, rule, spec)
    tries.count("triggered" if found.triggered else "silent")
    return proved(exam, data, found.certificate, "possible" if possible else "impossible")


# thresholds ---------------------------------------------------------------------------------------


@amounts(40, 10_000)
@by_order
def test_thresholds(order, most, least, seconds):
    tries = Tries(
        f"thresholds at order {order}", most if order == 1 else most // 4, least // 4, seconds
    )
    for rng in tries:
        exam, rule, every = random_exam(rng, order), random_rule(rng), rng.random() < 0.3
        data = as_sketch(exam)
        level, keys = brute.highest(exam, order, rule, every_label=every)
        found = ae.threshold(
            data, order=asked_of(order, exam), exact=True, missing=rule, require_labels=every
        )
        tries.count()
        told = context(exam, order, rule, f"require_labels={every}")
        if level < 0:
            assert found.status == "inconsistent", told
            continue
        if found.lower != found.upper:
            tries.count("open")
        assert found.lower <= level <= found.upper, told
        for certificate in (found.witness, found.refutation):
            if certificate is not None:
                proved(exam, data, certificate)
        if order == 1:
            assert found.key_count == len(keys), told
            assert set(found.answer_keys) <= keys, told
    few_open(tries, "verdicts")
    tries.done()


# panels -------------------------------------------------------------------------------------------


@amounts(32, 20_000)
@by_order
def test_panels(order, most, least, seconds):
    tries = Tries(
        f"panels at order {order}", most if order == 1 else most // 4, least // 4, seconds
    )
    for rng in tries:
        exam, rule = random_exam(rng, order), random_rule(rng)
        spec = random_specification(rng, exam)
        best = brute.most_judges(exam, order, rule, conditions_of(spec))
        if best >= 0:
            check_panel(tries, exam, order, rule, spec, best)
    few_open(tries, "verdicts")
    tries.done()


def check_panel(tries, exam, order, rule, spec, best):
    data, told = as_sketch(exam), context(exam, order, rule, spec)
    found = ae.panel(data, spec, order=asked_of(order, exam), missing=rule)
    tries.count()
    assert found.min_violators <= exam.n_judges - best, told
    assert len(found.largest_panel) <= best, told
    able = brute.panels(exam, order, rule, conditions_of(spec))
    assert any(set(found.largest_panel) <= judges for judges in able), told
    if not found.exact:
        tries.count("open")
    elif found.min_violators + len(found.largest_panel) != exam.n_judges:
        pytest.fail(str(told))
    assert {j for j in exam.judges if not any(j in some for some in able)} == set(found.failing), (
        told
    )
    for first, second in found.pairwise:
        assert not any({first, second} <= judges for judges in able), told
    for certificate in (found.certificate, found.witness):
        if certificate is not None:
            proved(exam, data, certificate)
    assert (found.certificate is None) == (found.min_violators == 0), told


# bounds -------------------------------------------------------------------------------------------


def read_range(found, judge, label):
    """Return a range as the result gives it; None where the quantity is never defined."""
    if judge is None:
        return found.prevalence_of(label)
    return found.grade_of(judge) if label is None else found.accuracy_of(judge, label)


def check_ranges(tries, exam, found, wanted, judges, told):
    """Compare every range with brute force; one that is said to be an outer one may be wider."""
    for judge in (None, *judges):
        for label in exam.labels if judge is None else (None, *exam.labels):
            value = read_range(found, judge, label)
            value = None if value is None else tuple(value)
            right = wanted.get((judge, label))
            tries.count("ranges")
            if value != right:
                assert found.outer, (told, judge, label, value, right)
                assert value is not None, (told, judge, label, value, right)
                assert value[0] <= right[0] <= right[1] <= value[1], (told, judge, label)
                tries.count("open")


def check_range_proofs(tries, exam, data, found, told):
    """Every certificate of a range verifies and is true; each end is attained, and nothing is beyond."""
    for name, proof in found.certificates.items():
        for certificate in proof.certificates():
            proved(exam, data, certificate)
            tries.count("certificates")
        if name not in found.outer and proof.undefined is None and proof.certificates():
            assert proof.lowest is not None, (told, name)
            assert proof.highest is not None, (told, name)


@amounts(8, 10_000)
@by_order
def test_bounds(order, most, least, seconds):
    tries = Tries(
        f"bounds at order {order}", most if order == 1 else most // 2, least // 2, seconds
    )
    for rng in tries:
        exam, rule = random_exam(rng, order), random_rule(rng)
        data, spec, key = as_sketch(exam), random_specification(rng, exam), None
        if rng.random() < 0.15:
            spec = None
        if rng.random() < 0.15:
            key = rng.choice(exam.worlds(order, rule)).key
        asked = [] if spec is None else conditions_of(spec)
        wanted = brute.ranges(exam, order, rule, [*asked, *fixed(exam, key)])
        found = ae.bounds(
            data, order=asked_of(order, exam), at_least=spec, key_counts=key, missing=rule
        )
        tries.count()
        told = (context(exam, order, rule, spec or "nothing"), key)
        assert (found.status == "inconsistent") == (not wanted), told
        if wanted:
            check_ranges(tries, exam, found, wanted, exam.judges, told)
            check_range_proofs(tries, exam, data, found, told)
    few_open(tries, "ranges")
    tries.done()


def fixed(exam, key):
    """Return the conditions that say which key it is."""
    if key is None:
        return []
    common = {"quantity": "prevalence", "judge": None}
    return [
        common | {"label": label, "sense": sense, "value": str(Fraction(q, exam.n_items))}
        for label, q in zip(exam.labels, key, strict=True)
        for sense in (">=", "<=")
    ]


def test_bounds_at_order_1_are_as_wide_as_they_should_be():
    """Votes are missing, something is asked: a solver's best is believed only when it is proved."""
    counts = [(16, 22), (7, 26), (23, 14), (19, 12), (16, 21)]
    judges = {f"j{i}": dict(zip("ab", row, strict=True)) for i, row in enumerate(counts)}
    five = ae.Summary.from_counts(judges, n_items=61)
    _, highest = ae.bounds(five, at_least="0.7", order=1).prevalence_of("a")
    assert highest == Fraction(38, 61)
    three = {"x": {"a": 1, "b": 2}, "y": {"a": 2, "b": 3}, "z": {"a": 3, "b": 0}}
    summary = ae.Summary.from_counts(three, n_items=7)
    assert tuple(ae.logic.if_others(summary, "y", "1/3", order=1).grade_of("y")) == (0, 1)


def test_bounds_of_one_answer_close_at_order_1():
    """One of seven items answered with b, so an accuracy of 6/7 on b is one of 1."""
    summary = ae.Summary.from_counts({"x": {"a": 0, "b": 1, "c": 1}}, n_items=7)
    found = ae.bounds(summary, order=1, at_least="accuracy(*, b) >= 6/7", time_limit=None)
    assert found.status.ok
    assert tuple(found.accuracy_of("x", "b")) == (1, 1)


@amounts(4, 4_000)
@by_order
def test_if_others(order, most, least, seconds):
    tries = Tries(f"if_others at order {order}", most, least, seconds)
    for rng in tries:
        exam, rule = random_exam(rng, order), random_rule(rng)
        if exam.n_judges == 1:
            continue
        data, judge, level = as_sketch(exam), rng.choice(exam.judges), random_level(rng, exam)
        others = [Specification.accuracy(">=", level, judge=j) for j in exam.judges if j != judge]
        asked = [c for one in others for c in conditions_of(one)]
        wanted = brute.ranges(exam, order, rule, asked)
        found = ae.logic.if_others(data, judge, level, order=asked_of(order, exam), missing=rule)
        tries.count()
        told = (context(exam, order, rule, str(level)), judge)
        assert (found.status == "inconsistent") == (not wanted), told
        if wanted:
            check_ranges(tries, exam, found, wanted, [judge], told)
            check_range_proofs(tries, exam, data, found, told)
    few_open(tries, "ranges")
    tries.done()


# one question, three ways of asking ---------------------------------------------------------------


@amounts(4, 5_000)
@pytest.mark.parametrize("order", [*ORDERS, *DEFAULT])
def test_an_alarm_a_panel_and_bounds_agree(order, most, least, seconds):
    """alarm(x) goes off if and only if somebody must fall short, if and only if nothing is left."""
    tries = Tries(f"three ways at order {order}", most, least, seconds)
    for rng in tries:
        exam, rule = random_exam(rng, order or rng.choice(ORDERS)), random_rule(rng)
        if exam.n_judges == 1 and order is not None:
            continue
        data, level = as_sketch(exam), random_level(rng, exam)
        asked = {"order": order and asked_of(order, exam), "missing": rule}
        alarm, panel = ae.alarm(data, level, **asked), ae.panel(data, level, **asked)
        bounds = ae.bounds(data, at_least=level, **asked)
        tries.count()
        told = context(exam, order, rule, str(level))
        assert alarm.order == panel.order == bounds.order, told
        assert alarm.triggered is (panel.min_violators >= 1), told
        assert alarm.triggered is (bounds.status == "inconsistent"), told
        tries.count("triggered" if alarm.triggered else "silent")
    tries.done()
