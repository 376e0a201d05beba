"""A time limit holds with many judges and labels, and the result says that time ran out."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import count
from time import process_time

import numpy as np
import pytest

import algeval
from algeval import progress
from algeval.data import Sketch, Specification, Summary
from algeval.errors import TooLargeError
from algeval.logic import Certificate, alarm, bounds, panel, threshold
from algeval.logic.exam import System, hard_words, read_exam, wide_words
from algeval.logic.orders.base import decide
from algeval.logic.orders.full import Full
from algeval.logic.orders.order1 import (
    Order1,
    at_level,
    count_between,
    count_in_time,
    highest,
    tables_in_time,
)
from algeval.logic.orders.pairs import Order2
from algeval.logic.proof import Blame, Clock, Conflict, work_of_questions
from algeval.logic.questions.alarm import _as_threshold
from algeval.logic.questions.panel import largest_panel, pairwise_conflicts, search
from algeval.logic.questions.threshold import Bracket, keys_admitted
from algeval.result import Status, percent
from algeval.verify import verify

OVER = Clock(0.0)


def many(n_judges, n_labels, n_items=5000, left_out=0, seed=0):
    """Counts of judges who answer each in their own way."""
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.ones(n_labels), size=n_judges)
    counts = {
        f"j{i}": {f"l{t}": int(n) for t, n in enumerate(rng.multinomial(n_items, row))}
        for i, row in enumerate(shares)
    }
    return Summary.from_counts(counts, n_items=n_items + left_out)


def test_panel_compared_all_pairs_whatever_the_limit():
    data = many(1200, 40)
    start = process_time()
    found = panel(data, 0.9, time_limit=0.2)
    assert process_time() - start < 2.5
    assert found.status is Status.TIME_LIMIT
    assert not found.exact


def test_what_a_panel_says_when_time_ran_out_is_still_proved():
    data = many(300, 5)
    found = panel(data, 0.5, time_limit=0.5)
    for certificate in (found.certificate, found.witness):
        assert certificate is None or verify(certificate, data).ok
    assert found.min_violators + len(found.largest_panel) <= 300


def test_pairs_stop_when_time_is_over_and_say_so():
    n, labels = 200, 3
    caps = ((2, 2, 2),) * n
    system = System(9, caps, (3,) * n, (0,) * labels, (9,) * labels)
    whole, complete = pairwise_conflicts(system, range(n), Clock(None))
    assert complete
    assert whole == []
    tight = System(9, caps, (1,) * n, (0,) * labels, (9,) * labels)
    whole, complete = pairwise_conflicts(tight, range(n), Clock(None))
    assert complete
    assert len(whole) == n * (n - 1) // 2
    some, complete = pairwise_conflicts(tight, range(n), OVER)
    assert not complete
    assert some == whole[: len(some)]
    assert 0 < len(some) < len(whole)
    bounded = System(9, caps, (1,) * n, (1, 0, 0), (9,) * labels)
    some, complete = pairwise_conflicts(bounded, range(n), OVER)
    assert not complete


def test_pairs_listed_are_bounded(monkeypatch):
    monkeypatch.setattr("algeval.logic.questions.panel.MOST_PAIRS", 10)
    tight = System(9, ((2, 2, 2),) * 9, (1,) * 9, (0,) * 3, (9,) * 3)
    assert pairwise_conflicts(tight, range(9), Clock(None)) == (
        [(0, j) for j in range(1, 9)] + [(1, 2), (1, 3)],
        True,
    )


def test_pairs_of_counts_beyond_64_bits_are_exact():
    big = 10**30
    system = System(3 * big, ((big, big), (big, big)), (big // 2, big // 2), (0, 0), (3 * big,) * 2)
    assert pairwise_conflicts(system, [0, 1], Clock(None)) == ([], True)
    system = System(
        3 * big + 1, ((big, big), (big, big)), (big // 2, big // 2), (0, 0), (3 * big,) * 2
    )
    assert pairwise_conflicts(system, [0, 1], Clock(None)) == ([(0, 1)], True)


def test_tables_of_many_judges_are_not_laid_out_when_time_is_over():
    exam = read_exam(many(100, 3, 50), "excluded")
    system = at_level(exam, Fraction(0), (0,) * 3, (50,) * 3)
    assert tables_in_time(exam, system, (50, 0, 0), OVER) is None
    assert len(tables_in_time(exam, system, (50, 0, 0), Clock(None))) == 100


def test_a_threshold_without_time_for_its_witness_is_a_bracket():
    data = many(300, 3, 90)
    found = threshold(data, order=1, time_limit=0)
    assert found.status is Status.TIME_LIMIT
    assert found.witness is None
    assert found.lower == 0
    exact = threshold(data, order=1)
    assert found.lower <= exact.lower <= found.upper


def test_levels_reached_stay_certain_when_time_is_over():
    exam = read_exam(many(80, 3, 60, left_out=9), "excluded")
    low, high = (0,) * 3, (69,) * 3
    known = highest(exam, low, high, Clock(None))
    late = highest(exam, low, high, OVER)
    assert late.lower <= known.lower <= known.upper <= late.upper


def test_keys_are_not_counted_when_time_is_over():
    system = System(9, ((9, 9, 9),), (0,), (0,) * 3, (9,) * 3)
    assert keys_admitted(system, 5, OVER) == (None, ())
    assert keys_admitted(system, 5)[0] == 55


def test_an_alarm_without_time_is_open_and_no_error():
    data = many(600, 200, left_out=500)
    found = alarm(data, 0.9, order=1, time_limit=0)
    assert found.triggered is None
    assert found.status is Status.TIME_LIMIT


def test_a_blame_tree_stops_when_time_is_over():
    conflicts = [Conflict(frozenset((2 * k, 2 * k + 1)), (2 * k, 2 * k + 1), {}) for k in range(8)]
    assert Blame(16, lambda _: None, Clock(None), conflicts).depth(8) == 8
    assert Blame(16, lambda _: None, OVER, conflicts).depth(8) == 0


@pytest.mark.parametrize("what", [largest_panel, search])
def test_a_panel_search_without_time_asks_nothing_of_single_judges(what, monkeypatch):
    order = Order1(read_exam(many(100, 4, 60), "excluded"))
    asked = []
    monkeypatch.setattr(
        "algeval.logic.questions.panel.decide", lambda *a, **k: asked.append(1) or 1 / 0
    )
    found = what(order, Specification.at_least(0.9), Clock(0.0))
    assert found.violators == 0
    assert not asked


def test_large_panels_are_proposed_without_the_integer_program(monkeypatch):
    data = many(12, 4, 60)
    exact = panel(data, 0.3, time_limit=None)
    monkeypatch.setattr("algeval.logic.questions.panel.MOST_PANEL_ROWS", 0)
    found = panel(data, 0.3, time_limit=20)
    assert verify(found.witness, data).ok
    assert 1 <= len(found.largest_panel) <= 12 - exact.min_violators


def wide(n_judges=40, n_items=8_000, labels="ab", seed=0):
    """Joint answers of judges, hardly two items alike."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(len(labels), size=n_items)
    given = rng.integers(len(labels), size=(n_items, n_judges))
    codes = np.where(rng.random(given.shape) < 0.75, truth[:, None], given).astype(np.int16)
    judges = [f"j{i}" for i in range(n_judges)]
    return Sketch(judges, list(labels), list(labels), codes, np.ones(n_items, np.int64))


@pytest.mark.parametrize(
    "ask",
    [
        lambda data: alarm(data, 0.9, order="full", time_limit=0.5),
        lambda data: alarm(data, 0.6, time_limit=0.5),
        lambda data: panel(data, 0.8, order="full", time_limit=0.5),
        lambda data: threshold(data, order="full", exact=True, time_limit=0.5),
        lambda data: bounds(data, at_least=0.3, order="full", time_limit=0.5),
    ],
    ids=["alarm", "any order", "panel", "threshold", "bounds"],
)
def test_full_order_was_built_whatever_the_limit(ask):
    data = wide()
    start = process_time()
    found = ask(data)
    assert process_time() - start < 3.5  # the first question loads the solver, too
    for proof in ("certificate", "witness", "refutation"):
        one = getattr(found, proof, None)
        assert not isinstance(one, Certificate) or verify(one, data).ok


def test_nothing_is_built_that_cannot_be_solved_in_time(monkeypatch):
    """With three labels order 2 has its program alone; many tuples, and chains of two labels, need none."""
    two, three = wide(40, 2000), wide(40, 2000, "abc")
    graded, rare = Specification.grade(">=", "0.8"), Specification.at_least("0.9")
    for data, kind, specs, wanted in (
        (three, Order2, (graded, Specification.at_least("0.5")), [None, None]),
        (two, Order2, (graded, rare), [True, False]),
        (two, Full, (graded, rare), [None, False]),
    ):
        order = kind(read_exam(data), data)
        monkeypatch.setattr(kind, "layout", property(lambda self: 1 / 0))
        found = [decide(order, spec, Clock(None, 0.04)).possible for spec in specs]
        assert found == wanted, kind
        assert not order.in_time(Clock(None, 0.04))
        assert order.in_time(Clock(None))


def test_sizes_are_known_before_a_program_is_built():
    data = wide(6, 60)
    exam = read_exam(data)
    for order in (Full(exam, data), Order2(exam, data), Order1(exam)):
        program = order.program(Specification.at_least("0.7"))
        assert program.rows.n_entries <= 2 * order.n_entries
        assert order.n_entries <= 4 * program.rows.n_entries
        assert order.n_unknowns <= program.n_columns <= 2 * order.n_unknowns


def test_keys_of_hundreds_of_labels_were_counted_whatever_the_limit():
    data = many(5, 300, 50_000)
    start = process_time()
    found = threshold(data, time_limit=0.5)
    assert process_time() - start < 3
    assert found.witness is None or verify(found.witness, data).ok
    assert count_in_time((0,) * 300, (200,) * 300, 50_000, Clock(0.01)) is None
    assert count_in_time((0, 0), (3, 4), 5, Clock(60)) == count_between((0, 0), (3, 4), 5) == 3


def test_ranges_without_time_keep_their_ends_and_are_not_called_exact():
    data = many(20, 4, 60)
    whole, late = bounds(data, time_limit=None), bounds(data, time_limit=0)
    assert whole.status is Status.OK
    assert late.status is Status.TIME_LIMIT
    assert len(late.outer) == 4 + 20 + 80
    assert (late.grade == whole.grade).all()
    assert not any(proof.certificates() for proof in late.certificates.values())


def test_a_program_too_large_at_order_1_was_to_be_asked_at_order_1():
    data = many(3000, 10, 50)
    with pytest.raises(TooLargeError) as error:
        bounds(data, at_least="prevalence(l0) >= 0.01", order=1, time_limit=None)
    assert "at order 1" not in str(error.value)
    assert "fewer judges" in str(error.value)
    few = Summary(data.judges[:3], data.labels, data.answers, data.counts[:3], 50)
    found = bounds(few, at_least="prevalence(l0) >= 0.01", judges=["j0"], time_limit=5)
    assert found.prevalence_of("l0")[0] == Fraction(1, 50)


def test_an_alarm_looks_for_the_witness_that_a_threshold_knows():
    """At sizes where no program of all tuples is built, the two questions share how they round."""
    for seed, n_labels, left_out in ((0, 2, 0.1), (1, 3, 0.0)):
        rng = np.random.default_rng(seed)
        truth = rng.integers(0, n_labels, 700)[:, None]
        codes = np.where(rng.random((700, 12)) < 0.7, truth, rng.integers(0, n_labels, (700, 12)))
        codes[rng.random(codes.shape) < left_out] = -1
        names, labels = [f"j{i}" for i in range(12)], list("abc"[:n_labels])
        data = Sketch(names, labels, labels, codes.astype(np.int16), np.ones(700, int))
        found = threshold(data, order="full", time_limit=None)
        order = Full(read_exam(data, "excluded"), data)
        assert order.many
        search_again = _as_threshold(order, Specification.at_least(found.lower))
        shares = order.read(search_again(Clock(None)))
        reached = Bracket(order, None, Clock(None)).lowest(shares)
        assert reached == found.lower
        told = alarm(data, found.lower, order="full", time_limit=None)
        assert told.triggered is False
        assert verify(told.certificate, data)


def test_a_bound_is_not_said_to_be_attained():
    data = Sketch.from_counts({"aaaa": 2, "babb": 1, "aabb": 1, "baaa": 1, "bbba": 1})
    line = threshold(data).details[-1]
    assert line.startswith("Were items divisible between labels, no more than ")


# the same data, the same answer -----------------------------------------------------------------------


def noisy(seed, n_items=120, n_judges=5):
    """Votes of judges of middling accuracy, all of them on every item."""
    rng = np.random.default_rng(seed)
    truth = rng.random(n_items) < 0.5
    right = rng.random((n_judges, n_items)) < rng.uniform(0.6, 0.9, (n_judges, 1))
    return {f"j{i}": np.where(truth == row, "a", "b").tolist() for i, row in enumerate(right)}


QUESTIONS = {
    "threshold": algeval.threshold,
    "alarm": lambda votes, **more: algeval.alarm(votes, 0.68, **more),
    "panel": lambda votes, **more: algeval.panel(votes, 0.75, **more),
    "bounds": lambda votes, **more: algeval.bounds(votes, at_least=0.6, judges=["j0"], **more),
    "suspect_key": algeval.suspect_key,
}


def answer(name, seed, n_items=120, **more):
    """The whole result as JSON."""
    found = QUESTIONS[name](noisy(seed, n_items), **more)
    return json.dumps(found.to_dict(), sort_keys=True, default=str)


def no_clock():
    raise AssertionError("a clock was read where no time limit was given")


@pytest.mark.parametrize("name", QUESTIONS)
def test_without_a_time_limit_no_clock_is_read(name, monkeypatch):
    """Whatever ends a search then is counted work, the same on any machine."""
    wanted = answer(name, 4, 40, time_limit=None)
    monkeypatch.setattr(progress, "monotonic", no_clock)
    assert answer(name, 4, 40, time_limit=None) == wanted


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_slower_machine_gives_the_same_answer(name, monkeypatch):
    """Seconds that pass faster end nothing but what the time limit ends, and then the status says so."""
    wanted = answer(name, 3, 40)
    start = count()
    monkeypatch.setattr(progress, "monotonic", lambda: next(start) / 2_000)
    assert answer(name, 3, 40) == wanted
    monkeypatch.setattr(progress, "monotonic", lambda: next(start) / 1.0)
    told = json.loads(answer(name, 3, 40))
    assert answer(name, 3, 40) == wanted or told["status"] == "time_limit"


def test_threads_give_the_same_answers():
    asked = [("threshold", 3), ("threshold", 4), ("alarm", 3), ("panel", 4)]
    wanted = [answer(*one) for one in asked]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda one: answer(*one), asked * 2)) == wanted * 2


@pytest.mark.slow
def test_a_busy_machine_gives_the_same_answers():
    """Sequentially, in 8 threads, and beside processes that take all the machine has."""
    asked = [(name, seed) for name in ("threshold", "alarm", "panel") for seed in (3, 4, 7, 8)]
    wanted = [answer(*one) for one in asked]
    burner = [sys.executable, "-c", "while True: pass"]
    burners = [subprocess.Popen(burner) for _ in range(2 * (os.cpu_count() or 1))]
    try:
        beside = [answer(*one) for one in asked]
        with ThreadPoolExecutor(8) as pool:
            threads = list(pool.map(lambda one: answer(*one), asked))
    finally:
        for one in burners:
            one.kill()
            one.wait()
    assert beside == wanted
    assert threads == wanted


# --- Why a question stays open: a level within an item a label of what divisible items would allow.


def an_exam(rng, n_judges, n_items, n_labels, accuracy):
    truth = rng.integers(0, n_labels, n_items)
    guessed = rng.integers(0, n_labels, (n_items, n_judges))
    codes = np.where(rng.random((n_items, n_judges)) < accuracy, truth[:, None], guessed)
    rows, counts = np.unique(codes, axis=0, return_counts=True)
    labels = list("abcd"[:n_labels])
    return Sketch([f"j{i}" for i in range(n_judges)], labels, labels, rows, counts)


def asked_near_and_far(rng, sizes, work):
    """Distances in items a label below the relaxation, of levels that were settled and of those left open."""
    settled, left_open = [], []
    for n_judges, n_items, n_labels in sizes:
        data = an_exam(rng, n_judges, n_items, n_labels, rng.choice([0.0, 0.6]))
        with work_of_questions(2):
            relaxed = threshold(data, exact=False).relaxation
        if relaxed is None:
            continue
        for low, high in ((-12, -1), (-4, -1), (-1, 0), (0.01, 2)):
            items = rng.uniform(low, high)
            x = Fraction(float(relaxed) + items * n_labels / n_items).limit_denominator(10**5)
            if 0 < x < 1:
                with work_of_questions(work):
                    found = alarm(data, x, order="full")
                (left_open if found.triggered is None else settled).append(items)
    return settled, left_open


def test_levels_farther_than_an_item_a_label_from_the_relaxation_are_settled():
    settled, left_open = asked_near_and_far(
        np.random.default_rng(0), [(15, 40, 2), (12, 40, 3)], 0.1
    )
    assert all(-1 < items < 0.01 for items in left_open)
    assert any(items < -1 for items in settled)
    assert any(items > 0.01 for items in settled)


@pytest.mark.slow
def test_distance_to_the_relaxation_predicts_what_stays_open():
    rng = np.random.default_rng(1)
    sizes = [
        (int(rng.choice([15, 21, 30, 40])), int(rng.choice([40, 60, 100])), int(rng.choice([2, 3])))
        for _ in range(40)
    ]
    settled, left_open = asked_near_and_far(rng, sizes, 0.3)
    print(len(settled), "settled,", len(left_open), "open:", sorted(left_open))
    assert len(left_open) > 5
    near = [items for items in left_open if -1 < items < 0.01]
    assert len(near) >= 0.95 * len(left_open)  # 88 of 89 in 880 questions


def test_what_is_left_open_says_how_near_it_is():
    data = an_exam(np.random.default_rng(3), 40, 40, 3, 0.0)
    with work_of_questions(0.2):
        bracket = threshold(data, exact=True)
        relaxed = bracket.relaxation
        found = alarm(data, relaxed - Fraction(2, 100), order="full")
        far = hard_words(read_exam(data), "full", "The level", (relaxed - Fraction(1, 5), relaxed))
    assert found.triggered is None
    assert (
        f"The level is 2 points below {percent(relaxed)}, which no answer key exceeds"
        in found.message
    )
    assert (
        "an item a label (7.5 points) are the hard ones: of many judges, 40 here" in found.message
    )
    assert "Some answer key lets every judge reach" in found.message
    assert "What is reached is" in bracket.message
    assert far.endswith("farther than where such questions are hard, so more time should do.")
    assert "order 2, which such votes never leave open" in hard_words(
        read_exam(an_exam(np.random.default_rng(0), 3, 9, 2, 0.5)), "full"
    )


def test_a_panel_left_open_says_how_near_its_level_is():
    data = an_exam(np.random.default_rng(3), 20, 40, 2, 0.0)
    with work_of_questions(1.0):
        near = panel(data, Fraction(11, 23), order="full")
        far = panel(data, Fraction(51, 100), order="full")
    assert not near.exact
    assert "For all judges the level is 2.1 points below 49.9%" in near.message
    assert "an item a label (5 points) are the hard ones" in near.message
    assert not far.exact
    assert "more time should show that more miss it" in far.message


def test_ranges_left_open_say_how_near_they_are():
    data = an_exam(np.random.default_rng(3), 12, 40, 3, 0.0)
    with work_of_questions(0.5):
        open_ = bounds(data, order="full", judges=["j0", "j1"])
    assert "more time should tell more" in open_.message or open_.status is Status.OK
    exam = read_exam(data)
    words = wide_words(exam, "full", [Fraction(1, 40), Fraction(1, 2)], 3)
    assert "comes within 2.5 points of both ends of 1." in words
    assert words.endswith("Of 2 more time should tell more.")
    assert not wide_words(exam, 1, [], 3)
