"""Which keys leave judges right so often: closed forms against every way to lay answers on labels."""

from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from algeval.data import Specification, Summary
from algeval.io import read_votes
from algeval.logic.exam import read_exam
from algeval.logic.proof import Clock
from algeval.rates.rungs import Cover, closed, covers_of, floors_of, key_range, settle

DATA = Path(__file__).parents[3] / "../shared/data"
LEVELS = ["0", "0.3", "1/3", "0.5", "0.55", "0.6", "2/3", "0.7", "0.75", "0.8", "0.9", "1"]


@cache
def laid_out(amount, room):
    """Return every way to lay so many equal answers on items, of which each label has so much room."""
    if len(room) == 1:
        return [(amount,)] if amount <= room[0] else []
    return [
        (here, *rest)
        for here in range(min(amount, room[0]) + 1)
        for rest in laid_out(amount - here, room[1:])
    ]


@cache
def tables(counts, key):
    """Return (correct, held) per label of every way to lay a judge's answers on a key's labels."""
    found = {((), key)}
    for amount in counts:
        found = {
            ((*table, row), tuple(np.subtract(room, row)))
            for table, room in found
            for row in laid_out(amount, room)
        }
    n = len(key)
    return {
        (tuple(table[t][t] for t in range(n)), tuple(np.subtract(key, room).tolist()))
        for table, room in found
    }


def possible_counts(rows, n_items, n_labels, place, allowed):
    """Return which counts of a label some key has at which every judge can meet what is asked."""
    keys = [q for q in product(range(n_items + 1), repeat=n_labels) if sum(q) == n_items]
    return sorted(
        {
            q[place]
            for q in keys
            if all(
                any(allowed(i, right, held) for right, held in tables(row, q))
                for i, row in enumerate(rows)
            )
        }
    )


def some_exam(rng, n_labels, *, most=6):
    """Return a summary with missing answers, and now and then one that is no label."""
    n_items, n_judges = int(rng.integers(1, most + 1)), int(rng.integers(1, 4))
    refusals = int(rng.random() < 0.3)
    chances = rng.dirichlet(np.ones(n_labels + refusals + 1), n_judges)
    complete = rng.random() < 0.4
    if complete:
        chances[:, -1] = 0
        chances /= chances.sum(1, keepdims=True)
    rows = [tuple(rng.multinomial(n_items, chance)[:-1].tolist()) for chance in chances]
    labels = list("ABC"[:n_labels])
    answers = labels + ["refused"] * refusals
    judges = [f"j{i}" for i in range(n_judges)]
    return Summary(judges, labels, answers, np.array(rows), n_items), rows


def by_grade(levels):
    return lambda i, right, held: sum(right) >= levels[i] * sum(held)


def by_label(levels):
    return lambda i, right, held: all(
        c >= x * d for c, d, x in zip(right, held, levels[i], strict=True)
    )


def asked_of(summary, rng, kind):
    """Return a specification with other levels for each judge, and the same as a test of one table."""
    if kind == "grade":
        levels = [Fraction(rng.choice(LEVELS)) for _ in summary.judges]
        parts = [
            Specification.grade(">=", x, judge=j)
            for j, x in zip(summary.judges, levels, strict=True)
        ]
        test = by_grade(levels)
    else:
        levels = [[Fraction(rng.choice(LEVELS)) for _ in summary.labels] for _ in summary.judges]
        parts = [
            Specification.accuracy(">=", x, judge=j, label=t)
            for j, row in zip(summary.judges, levels, strict=True)
            for t, x in zip(summary.labels, row, strict=True)
        ]
        test = by_label(levels)
    spec = parts[0]
    for part in parts[1:]:
        spec = spec & part
    return spec, test


def check_one(rng, n_labels, kind, *, program=False, most=6):
    summary, rows = some_exam(rng, n_labels, most=most)
    spec, test = asked_of(summary, rng, kind)
    exam = read_exam(summary)
    place = int(rng.integers(n_labels))
    truth = possible_counts(rows, exam.n_items, n_labels, place, test)
    covers = covers_of(exam, spec)
    if closed(covers, exam.n_items):
        found = key_range(covers, exam.n_items, place)
        assert found == ((truth[0], truth[-1]) if truth else None)
        if n_labels == 2 and truth:  # no gap: every count between the ends is possible
            assert truth == list(range(truth[0], truth[-1] + 1))
        return True
    if program:
        ends = settle(exam, spec, place, Clock(20)).ends
        n = exam.n_items
        assert ends == ((Fraction(truth[0], n), Fraction(truth[-1], n)) if truth else None)
    return False


@pytest.mark.parametrize("kind", ["grade", "accuracy"])
def test_two_labels_as_brute_force(kind):
    rng = np.random.default_rng(2)
    assert all(check_one(rng, 2, kind) for _ in range(400))


def test_three_labels_by_label_as_brute_force():
    rng = np.random.default_rng(3)
    assert sum(check_one(rng, 3, "accuracy", most=4) for _ in range(60)) > 15


def test_three_labels_without_closed_form_as_brute_force():
    rng = np.random.default_rng(4)
    found = [check_one(rng, 3, "grade", program=True, most=4) for _ in range(12)]
    assert not all(found)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["grade", "accuracy"])
def test_two_labels_as_brute_force_on_many(kind):
    rng = np.random.default_rng(5)
    assert all(check_one(rng, 2, kind) for _ in range(4000))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["grade", "accuracy"])
def test_three_labels_as_brute_force_on_many(kind):
    rng = np.random.default_rng(6)
    for _ in range(1000):
        check_one(rng, 3, kind, program=True, most=5)


def test_three_constant_judges_leave_one_key():
    """One-label balls would leave 2 to 4 items; each judge needs two of its own label, of six."""
    counts = {"x": {"A": 6}, "y": {"B": 6}, "z": {"C": 6}}
    summary = Summary.from_counts(counts, labels=["A", "B", "C"])
    found = settle(read_exam(summary), Specification.grade(">=", "1/3"), 0, Clock(20))
    assert found.ends == (Fraction(1, 3), Fraction(1, 3))


@pytest.mark.parametrize(("right", "most"), [(33, 60), (55, 100), (66, 120), (99, 180)])
def test_levels_are_decimals_not_floats(right, most):
    summary = Summary.from_counts({"x": {"A": right, "B": 200 - right}})
    (cover,) = covers_of(read_exam(summary), Specification.accuracy(">=", 0.55))
    assert cover.caps[0] == most
    assert int(right / 0.55) == most - 1  # the trap


def test_missing_answers_are_no_mistakes():
    """Crowd votes, each worker on a few items: naive forms see a contradiction where there is none."""
    path = DATA / "rte_votes.csv"
    if not path.exists():
        pytest.skip("real votes are not here")
    summary = read_votes(path, layout="long").summary()
    exam = read_exam(summary)
    naive_low = max(Fraction(row[0], sum(row)) - Fraction(3, 10) for row in exam.counts)
    naive_high = min(Fraction(row[0], sum(row)) + Fraction(3, 10) for row in exam.counts)
    assert naive_low > naive_high
    spec = Specification.grade(">=", 0.7)
    covers = covers_of(exam, spec)
    assert key_range(covers, exam.n_items, 1) == (413, 709)  # 52% to 89%
    low, high = key_range(covers, exam.n_items, 0)
    assert low < high
    for q in (low, high):
        for row, left_out in zip(exam.counts, exam.missing, strict=True):
            n = sum(row)
            assert min(row[0], q) + min(row[1], n + left_out - q) >= Fraction(7, 10) * n


def test_floors_are_nothing_else():
    exam = read_exam(Summary.from_counts({"x": {"A": 3, "B": 1}}))
    assert floors_of(exam, Specification.grade("<=", 0.7)) is None
    assert floors_of(exam, Specification.grade(">=", 0.7) & Specification.at_least(0.5)) is None
    assert not closed([Cover((1, 1, 1), 2)], 3)


def test_renaming_labels_turns_the_range_around():
    rng = np.random.default_rng(7)
    for _ in range(50):
        rows = rng.multinomial(20, [0.5, 0.4, 0.1], size=3)
        covers = [Cover(tuple(row[:2].tolist()), 11) for row in rows]
        turned = [Cover(cover.caps[::-1], 11) for cover in covers]
        found = key_range(covers, 20, 0)
        assert key_range(turned, 20, 1) == found
        other = key_range(covers, 20, 1)
        assert (found is None) == (other is None)
        if found is not None:
            assert other == (20 - found[1], 20 - found[0])
