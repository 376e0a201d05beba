"""The rung of independent errors: error bars, coverage, what it says where there is no solution."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from algeval.data import Sketch, Summary, Votes
from algeval.rates.ladder import climb, decoded_trios, independence
from algeval.result import Status

HALF = Fraction(1, 2)
ON_A, ON_B = np.array([0.8, 0.75, 0.7]), np.array([0.7, 0.8, 0.75])
CELLS = np.array(list(np.ndindex(2, 2, 2)))


def law(rate):
    """Return the chance of each triple of votes: three judges, errors independent."""
    a = np.where(CELLS == 0, ON_A, 1 - ON_A).prod(1)
    b = np.where(CELLS == 1, ON_B, 1 - ON_B).prod(1)
    return rate * a, (1 - rate) * b


def sketch_of(counts):
    return Sketch(["x", "y", "z"], ["A", "B"], ["A", "B"], CELLS, counts)


def test_error_bars_of_the_fixture():
    n = 10**6
    (trio,) = decoded_trios(sketch_of(np.rint(n * sum(law(0.6))).astype(int)))
    assert trio.rate == pytest.approx(0.6, abs=1e-4)
    assert trio.error("items") * n**0.5 == pytest.approx(1.83090, abs=2e-3)
    assert trio.error("population") * n**0.5 == pytest.approx(1.89531, abs=2e-3)


def coverage(n_items, target, runs, seed):
    rng = np.random.default_rng(seed)
    cells = np.concatenate(law(0.6))
    good = usable = 0
    for counts in rng.multinomial(n_items, cells, size=runs).reshape(runs, 2, 8):
        rung = independence(sketch_of(counts.sum(0)), 0, HALF, target=target, level=0.95).rung
        truth = 0.6 if target == "population" else counts[0].sum() / n_items
        usable += rung.low is not None
        good += rung.low is not None and rung.low <= truth <= rung.high
    return good / usable, usable / runs


@pytest.fixture
def quick(monkeypatch):
    """Leave out what coverage does not ask for."""
    monkeypatch.setattr("algeval.rates.ladder._robustness", lambda *given: None)
    monkeypatch.setattr("algeval.rates.ladder._breaks", lambda *given: "")
    monkeypatch.setattr("algeval.rates.ladder._notes", lambda *given: ())


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("target", ["items", "population"])
def test_intervals_cover(target):
    found, usable = coverage(500, target, 250, 61)
    assert 0.91 <= found <= 0.99
    assert usable > 0.9


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("target", ["items", "population"])
@pytest.mark.parametrize(("n_items", "most"), [(200, 1), (500, 0.98), (2000, 0.965)])
def test_intervals_cover_in_many_runs(n_items, most, target):
    """On few items the error bar is as noisy as the estimate, and the interval is too wide: .99 at 200."""
    found, usable = coverage(n_items, target, 2000, 62)
    print(n_items, target, found, usable)
    assert 0.935 <= found <= most


def test_the_other_label_is_the_complement():
    counts = sketch_of(np.rint(9000 * sum(law(0.6))).astype(int))
    one, other = (independence(counts, t, HALF, target="items", level=0.95) for t in (0, 1))
    assert other.rung.estimate == pytest.approx(1 - one.rung.estimate)
    assert other.rung.low == pytest.approx(1 - one.rung.high)
    assert other.robustness.worst == pytest.approx(one.robustness.worst)
    assert other.robustness.shared == pytest.approx(one.robustness.shared, abs=1e-3)
    assert (one.rung.against, other.rung.against) == ("above", "below")


def independent_votes(n_items, n_judges, seed):
    rng = np.random.default_rng(seed)
    key = rng.random(n_items) >= 0.7
    wrong = rng.random((n_items, n_judges)) > 0.8
    codes = np.where(wrong, ~key[:, None], key[:, None]).astype(int)
    items = [str(i) for i in range(n_items)]
    return Votes(items, [f"j{i}" for i in range(n_judges)], ["A", "B"], ["A", "B"], codes), key


def test_many_judges_by_their_median_trio():
    votes, key = independent_votes(3000, 5, 63)
    rung = independence(votes, 0, HALF, target="items", level=0.95).rung
    rates = [trio.rate for trio in decoded_trios(votes)]
    assert len(rates) == 10
    assert rung.estimate == pytest.approx(np.median(rates))
    assert rung.low <= 1 - key.mean() <= rung.high
    by_sketch = independence(votes.sketch(), 0, HALF, target="items", level=0.95).rung
    assert by_sketch.estimate == pytest.approx(rung.estimate)


def test_trios_are_counted_over_what_all_three_answered():
    votes = Votes.from_columns(
        {"x": ["A", "B", "A", None], "y": ["A", "B", "B", "A"], "z": [*"ABAB"]}
    )
    (trio,) = decoded_trios(votes)
    assert trio.counts.tolist() == [1, 0, 1, 0, 0, 0, 0, 1]
    nobody = Votes.from_columns({"x": ["A", None], "y": [None, "B"], "z": ["B", "A"]})
    assert decoded_trios(nobody) == ()
    assert (
        independence(nobody, 0, HALF, target="items", level=0.95).rung.status is Status.UNDETERMINED
    )


def test_of_many_trios_some_are_taken_evenly(monkeypatch):
    monkeypatch.setattr("algeval.rates.ladder.MOST_TRIOS", 6)
    votes, _ = independent_votes(50, 6, 64)
    trios = decoded_trios(votes)
    names = [trio.judges for trio in trios]
    assert len(names) == 6
    assert set(names) < set(combinations(votes.judges, 3))
    assert names[0] == votes.judges[:3]
    assert names[-1] == votes.judges[3:]


def test_no_solution_is_said():
    apart = sketch_of([5, 20, 20, 20, 20, 20, 20, 5])
    found = independence(apart, 0, HALF, target="items", level=0.95)
    assert found.rung.status in (Status.COMPLEX, Status.OUT_OF_RANGE)
    assert found.rung.low is None
    assert found.robustness is None
    assert "broken" in found.rung.breaks_at


def test_judges_who_tell_nothing_apart_leave_it_open():
    """The third judge answers with no regard to the others: any number of solutions."""
    found = independence(sketch_of([6, 6, 2, 2, 2, 2, 6, 6]), 0, HALF, target="items", level=0.95)
    assert found.rung.status is Status.UNDETERMINED
    assert "nothing to break" in found.rung.breaks_at


@pytest.mark.usefixtures("quick")
def test_a_solution_that_leaves_the_rates_is_out_of_range():
    """Weak judges on 200 items: the decoded accuracies pass 1 by chance in about every sixth exam."""
    rng = np.random.default_rng(65)
    rows = rng.multinomial(200, sum(law(0.6)), size=60)
    found = [independence(sketch_of(r), 0, HALF, target="items", level=0.95).rung for r in rows]
    lost = [rung for rung in found if rung.low is None]
    assert 3 <= len(lost) <= 20
    assert {rung.status for rung in lost} <= {Status.OUT_OF_RANGE, Status.COMPLEX}


def test_two_judges_or_three_labels_have_no_such_rung():
    pair = Sketch.from_counts({"AB": 5, "AA": 5})
    three = Sketch.from_counts({"ABC": 5, "AAA": 5, "CCC": 1})
    for data in (pair, three, Summary.from_counts({"x": {"A": 3, "B": 2}})):
        assert "independent errors" not in [rung.name for rung in climb(data, "A").rungs]


@pytest.mark.parametrize(
    ("rate", "right", "answered"),
    [
        (0.8, (0.85, 0.8, 0.75), 370),
        (0.8, (0.97, 0.96, 0.95), 381),
        (0.97, (0.85, 0.8, 0.75), 131),
        (0.7, (0.62, 0.6, 0.58), 97),
    ],
)
@pytest.mark.parametrize("runs", [60, pytest.param(400, marks=pytest.mark.slow)])
def test_how_often_independent_errors_answer(rate, right, answered, runs):
    """The numbers of 400 runs are those of the chapter."""
    rng, found = np.random.default_rng(0), 0
    for _ in range(runs):
        truth = rng.random(600) < rate
        columns = {
            f"j{k}": np.where((rng.random(600) < p) == truth, "pass", "fail").tolist()
            for k, p in enumerate(right)
        }
        votes = Votes.from_columns(columns, labels=["fail", "pass"])
        trios = decoded_trios(votes)
        found += any(t.rate is not None and t.error("items") is not None for t in trios)
    expected = answered / 400
    assert abs(found / runs - expected) <= 3.5 * (expected * (1 - expected) / runs) ** 0.5
    if runs == 400:
        assert found == answered
