"""One default order everywhere; what lower orders prove is never lost; no two questions contradict."""

from fractions import Fraction as F
from itertools import pairwise

import numpy as np
import pytest

import algeval as ae
from algeval.errors import TooLargeError
from algeval.logic.exam import read_exam
from algeval.logic.proof import Clock, Outcome
from algeval.logic.questions import asking
from algeval.verify import verify


def random_exam(rng):
    n_labels, n_judges, n_items = (int(rng.integers(2, high)) for high in (4, 5, 9))
    extra = int(rng.integers(0, 2))
    codes = rng.integers(-int(rng.integers(0, 2)), n_labels + extra, (n_items, n_judges))
    names = list("abcd")
    return ae.Sketch(
        [f"j{i}" for i in range(n_judges)],
        names[:n_labels],
        names[: n_labels + extra],
        codes.astype(np.int16),
        np.ones(n_items, np.int64),
    )


def check_that_none_contradicts(seed, rounds):
    rng, seen = np.random.default_rng(seed), []
    for _ in range(rounds):
        data, x = random_exam(rng), F(int(rng.integers(1, 11)), 10)
        rule = str(rng.choice(["excluded", "wrong"]))
        order = [None, 1, "full"][int(rng.integers(3))]
        options = {"missing": rule, "order": order}
        loud = ae.alarm(data, x, **options)
        short = ae.panel(data, x, **options)
        held = ae.bounds(data, at_least=x, **options)
        empty = held.status is ae.Status.INCONSISTENT
        assert loud.triggered is (short.min_violators >= 1) is empty
        assert loud.order == short.order == held.order
        assert not (empty and held.status.ok)
        proofs = [loud.certificate, short.certificate, short.witness]
        proofs += [one for p in held.certificates.values() for one in p.certificates()]
        for proof in proofs:
            if proof is not None:
                verdict = verify(proof, data)
                assert verdict.ok, verdict.sentence
        seen.append(loud.triggered)
    assert set(seen) == {True, False}


@pytest.mark.parametrize("seed", range(3))
def test_alarm_panel_and_bounds_never_contradict_each_other(seed):
    check_that_none_contradicts(seed, 12)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 120))
def test_a_thousand_data_sets_without_a_contradiction(seed):
    check_that_none_contradicts(seed, 50)


def test_every_question_takes_the_highest_order_the_data_support():
    joint = ae.Sketch.from_counts({"aab": 3, "bab": 2, "bbb": 4})
    two = ae.Sketch.from_counts({"ab": 3, "bb": 4})
    one = joint.summary()
    for data, order in ((joint, "full"), (two, "full"), (one, 1)):
        names = {"judges": data.judges, "labels": data.labels}
        found = [ae.alarm(data, 0.5), ae.panel(data, 0.5), ae.bounds(data), ae.threshold(data)]
        assert {result.order for result in found} == {order}
        if data is not one:
            assert ae.Monitor(0.5, **names).order == order


@pytest.mark.parametrize("seed", range(2))
def test_a_higher_order_is_never_looser(seed):
    rng = np.random.default_rng(seed)
    for _ in range(6):
        data = random_exam(rng)
        orders = [1, "full"] if data.n_judges == 2 else [1, 2, "full"]
        thresholds = [ae.threshold(data, order=o).upper for o in orders]
        assert thresholds == sorted(thresholds, reverse=True)
        x = F(int(rng.integers(3, 9)), 10)
        panels = [ae.panel(data, x, order=o).min_violators for o in orders]
        assert panels == sorted(panels)
        found = [ae.bounds(data, at_least=x, order=o) for o in orders]
        for loose, tight in pairwise(found):
            if tight.status is ae.Status.INCONSISTENT:
                continue
            for judge in data.judges:
                (low, high), (least, most) = (
                    loose.grade_of(judge) or (0, 1),
                    tight.grade_of(judge) or (0, 1),
                )
                assert low <= least <= most <= high


def stepping(verdicts, order=None):
    """Ask a question that order by order gives these outcomes, from the highest down."""
    data = ae.Sketch.from_counts({"aab": 3, "bab": 2, "bbb": 4})
    given = iter(verdicts)

    def ask(asked, clock):
        verdict = next(given)
        if isinstance(verdict, Exception):
            raise verdict
        return verdict

    return asking.answer(data, read_exam(data), order, Clock(None), ask)


OPEN, NO, YES = Outcome(), Outcome(refutation={"kind": "cap"}), Outcome(witness={"kind": "witness"})


def test_what_is_left_open_is_answered_one_step_down_and_said():
    found = stepping([OPEN, TooLargeError("so large"), YES])
    assert (found.order.name, found.outcome) == (1, YES)
    assert "full order and order 2 settled nothing; this is order 1" in found.note


def test_a_named_order_is_answered_below_only_where_that_refutes():
    assert stepping([OPEN, OPEN, YES], "full").outcome.possible is None
    below = stepping([OPEN, OPEN, NO], "full")
    assert (below.outcome.possible, below.order.name) == (False, 1)
    with pytest.raises(TooLargeError):
        stepping([TooLargeError("so large")], "full")


def test_no_time_is_said_and_nothing_is_claimed():
    data = ae.Sketch.from_counts({"aab": 3, "bab": 2, "bbb": 4, "cab": 2, "ccc": 1})
    found = ae.alarm(data, 0.6, order="full", time_limit=0)
    if found.triggered is None:
        assert found.status is ae.Status.TIME_LIMIT


ONE_JUDGE = [
    {"x": list("aabab")},
    ae.Sketch.from_counts({"a": 3, "b": 2}),
    ae.Summary.from_counts({"x": {"a": 3, "b": 2}}),
]


def questions(data, order):
    """Every question that has an order, asked at one."""
    return [
        ae.alarm(data, "2/3", order=order),
        ae.threshold(data, order=order),
        ae.panel(data, "2/3", order=order),
        ae.bounds(data, order=order),
        ae.program(data, "2/3", order=order),
        ae.count_consistent(data, order=order),
        list(ae.evaluations(data, order=order, key_counts=(3, 2))),
        ae.sample_consistent(data, 3, order=order, seed=1),
        ae.is_consistent(next(iter(ae.evaluations(data, key_counts=(3, 2)))), data, order=order),
    ]


@pytest.mark.parametrize("data", ONE_JUDGE, ids=lambda data: type(data).__name__)
def test_the_full_order_of_one_judge_is_order_1(data):
    """All that one judge answered together is what it answered, so a loop over panels needs no case."""
    for full, single in zip(questions(data, "full"), questions(data, 1), strict=True):
        assert getattr(full, "order", 1) == 1
        same = (full.to_dict(), single.to_dict()) if hasattr(full, "to_dict") else (full, single)
        assert str(same[0]) == str(same[1])
    with pytest.raises(ae.DataError, match="order must be one of"):
        ae.alarm(data, order=2)


def test_several_judges_of_a_summary_have_no_full_order():
    two = ae.Summary.from_counts({"x": {"a": 3, "b": 2}, "y": {"a": 1, "b": 4}})
    for order in ("full", 2):
        with pytest.raises(ae.DataError, match="order must be one of"):
            ae.alarm(two, order=order)
