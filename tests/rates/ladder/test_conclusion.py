"""Which beliefs decide: closed forms, halving between decisions, and fixtures worked out before."""

from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest

import algeval as ae
from algeval.data import Sketch, Specification, Summary
from algeval.logic.exam import read_exam
from algeval.logic.orders.full import Full
from algeval.logic.orders.order1 import Order1
from algeval.logic.proof import Clock
from algeval.rates.ladder import conclude
from algeval.rates.rungs import Accuracies, Grades, best_grade

HALF = Fraction(1, 2)
FIXTURE = Sketch.from_counts(
    dict(
        zip(
            ["AAA", "AAB", "ABA", "BAA", "BBA", "BAB", "ABB", "BBB"],
            (38, 10, 9, 8, 7, 6, 5, 17),
            strict=True,
        )
    ),
    labels=["A", "B"],
)


def first_order(data, place=0, against=HALF, **form):
    return conclude(Order1(read_exam(data)), place, against, Clock(60), **form)


def full_order(sketch, place=0, against=HALF, **form):
    before = first_order(sketch, place, against, **form)
    order = Full(read_exam(sketch), sketch)
    return conclude(order, place, against, Clock(60), before=before, **form)


def test_fixture_at_order_1():
    found = first_order(FIXTURE)
    assert (found.winner, found.threshold, found.possible_up_to) == ("above", Fraction(22, 25), 1)


def test_fixture_at_full_order():
    found = full_order(FIXTURE)
    assert (found.winner, found.threshold, found.possible_up_to) == (
        "above",
        Fraction(4, 5),
        Fraction(21, 25),
    )
    assert found.exact
    proofs = found.certificates()
    assert set(proofs) == {
        f"threshold {side}: {what}"
        for side in ("at most", "at least")
        for what in ("witness", "refutation")
    }
    assert all(ae.verify(proof, FIXTURE) for proof in proofs.values())


def test_fixture_label_by_label():
    found = full_order(FIXTURE, by_label=True)
    assert found.threshold == Fraction(68, 100)
    assert all(ae.verify(proof, FIXTURE) for proof in found.certificates().values())


def test_against_an_end_of_the_rates():
    assert first_order(FIXTURE, against=Fraction(1)).winner != "above"
    assert first_order(FIXTURE, against=Fraction(0)).winner == "above"


def by_halving(sketch, order, sense, against):
    """Return the highest k/Q that `ae.alarm` leaves possible, by asking each k in turn of a halving."""
    n = sketch.n_items
    low, high = 0, n
    while low < high:
        middle = (low + high + 1) // 2
        spec = Specification.grade(">=", Fraction(middle, n)) & Specification.prevalence(
            "A", sense, against
        )
        alarm = ae.alarm(sketch, spec, order=order)
        assert alarm.triggered is not None
        low, high = (low, middle - 1) if alarm.triggered else (middle, high)
    return Fraction(low, n)


@pytest.mark.parametrize("order", [1, "full"])
def test_levels_are_those_of_alarms(order):
    rng = np.random.default_rng(11)
    conclusions = set()
    for _ in range(3):
        counts = rng.multinomial(23, rng.dirichlet(np.ones(8)))
        sketch = Sketch.from_counts(
            dict(zip(map("".join, product("AB", repeat=3)), counts.tolist(), strict=True)),
            labels=["A", "B"],
        )
        found = (first_order if order == 1 else full_order)(sketch)
        assert found.at_most.reached == by_halving(sketch, order, "<=", HALF)
        assert found.at_least.reached == by_halving(sketch, order, ">=", HALF)
        assert found.exact
        conclusions.add(found.winner)
    assert len(conclusions) > 1


def test_closed_form_of_complete_votes():
    """x* = min(1, 3/2 - max f, 1 - (max f - min f)/2), and 1/2 + min f on the other side; up to 1/Q."""
    rng = np.random.default_rng(12)
    for _ in range(200):
        n = 2 * int(rng.integers(5, 60))
        row = rng.integers(0, n + 1, int(rng.integers(1, 5)))
        summary = Summary.from_counts(
            {f"j{i}": {"A": int(r), "B": n - int(r)} for i, r in enumerate(row)}
        )
        exam = read_exam(summary)
        top, low = Fraction(int(row.max()), n), Fraction(int(row.min()), n)
        most = 1 - (top - low) / 2
        expected = min(Fraction(1), Fraction(3, 2) - top, most), min(Fraction(1), HALF + low, most)
        found = best_grade(exam, 0, 0, n // 2), best_grade(exam, 0, n // 2, n)
        for one, other in zip(found, expected, strict=True):
            assert 0 <= other - one < Fraction(1, n)


def test_best_grade_is_the_best_of_all_keys():
    rng = np.random.default_rng(13)
    for _ in range(100):
        n = int(rng.integers(1, 20))
        rows = rng.multinomial(n, rng.dirichlet(np.ones(3)), size=3)[:, :2]
        summary = Summary([*"xyz"], [*"AB"], [*"AB"], rows, n)
        exam = read_exam(summary)
        low, high = sorted(rng.integers(0, n + 1, 2).tolist())
        every = [
            min(
                [Fraction(int(min(a, q) + min(b, n - q)), int(a + b)) for a, b in rows if a + b],
                default=Fraction(1),
            )
            for q in range(low, high + 1)
        ]
        assert best_grade(exam, 0, low, high) == max(every)


def test_three_labels():
    rng = np.random.default_rng(14)
    for _ in range(3):
        n = 9
        rows = rng.multinomial(n, rng.dirichlet(np.ones(3)), size=3)
        summary = Summary([*"xyz"], [*"ABC"], [*"ABC"], rows, n)
        found = first_order(summary)
        keys = [q for q in product(range(n + 1), repeat=3) if sum(q) == n]
        worst = {q: min(int(np.minimum(row, q).sum()) for row in rows) for q in keys}
        assert found.at_most.reached == Fraction(
            max(w for q, w in worst.items() if 2 * q[0] <= n), n
        )
        assert found.at_least.reached == Fraction(
            max(w for q, w in worst.items() if 2 * q[0] >= n), n
        )
        assert all(ae.verify(proof, summary) for proof in found.certificates().values())


def test_the_other_label_sees_the_other_side():
    other = first_order(FIXTURE, place=1)
    found = first_order(FIXTURE)
    assert (found.winner, other.winner) == ("above", "below")
    assert found.threshold == other.threshold
    assert found.possible_up_to == other.possible_up_to


def test_where_no_belief_decides():
    even = Summary.from_counts({"x": {"A": 50, "B": 50}, "y": {"A": 50, "B": 50}})
    found = first_order(even)
    assert found.winner is None
    assert found.threshold == found.possible_up_to == 1
    assert "No belief about accuracy decides" in found.sentence("A", HALF)


def test_out_of_time_the_limits_are_those_of_order_1():
    before = first_order(FIXTURE)
    order = Full(read_exam(FIXTURE), FIXTURE)
    found = conclude(order, 0, HALF, Clock(0), before=before)
    assert not found.exact
    assert found.winner is None
    assert found.at_most.limit == before.at_most.limit


def test_grids_hold_every_level():
    held = (3, 5, 8)
    levels = sorted({Fraction(k, n) for n in held for k in range(n + 1)})
    grid = Grades(held)
    for below, above in pairwise(levels):
        middle = (below + above) / 2
        assert grid.above(below) == grid.up(middle) == grid.up(above) == above
        assert grid.below(above) == grid.below(middle) == below
    farey = Accuracies(5)
    assert farey.up(Fraction(3, 5)) == Fraction(3, 5)
    assert farey.up(Fraction(5, 9)) == Fraction(3, 5)


def test_judges_of_trivia():
    """Three judges of short answers: a belief of 73.3% and more decides, and is possible."""
    path = Path(__file__).parents[3] / "../shared/data/triviaqa_judges_v1.csv"
    if not path.exists():
        pytest.skip("real votes are not here")
    judges = ["Llama3-70B", "GPT-4", "Llama3-8B"]
    votes = ae.read_votes(path, judges=judges)
    found = first_order(votes.summary(), votes.labels.index("1"))
    assert found.winner == "above"
    assert float(found.threshold) == pytest.approx(0.733, abs=0.002)
    assert float(found.possible_up_to) > 0.9
