"""Panels: how many fall short, with chains and blame trees that verify."""

import csv
import itertools
from pathlib import Path

import numpy as np
import pytest

from algeval.data import Specification, Summary, Votes
from algeval.errors import DataError
from algeval.logic import alarm, panel, proof
from algeval.logic.exam import System
from algeval.logic.orders.order1 import find_key
from algeval.logic.proof import Clock
from algeval.logic.questions.panel import pairwise_conflicts
from algeval.verify import verify

JUDGES = Path(__file__).parents[3] / "../shared/data/civilcomments_judge_scores.csv"


def proved(result, data):
    for certificate in (result.certificate, result.witness):
        if certificate is not None:
            verdict = verify(certificate, data)
            assert verdict.ok, verdict.sentence


def test_packing_conflicts_is_not_enough():
    """(0,2), (1,1), (2,0) at 1: any two conflict, two fall short, only one conflict is disjoint."""
    data = Summary.from_counts(
        {"x": {"a": 0, "b": 2}, "y": {"a": 1, "b": 1}, "z": {"a": 2, "b": 0}}
    )
    found = panel(data, 1)
    assert found.min_violators == 2
    assert len(found.largest_panel) == 1
    assert found.exact
    assert sorted(map(sorted, found.conflicts.edges)) == [["x", "y"], ["x", "z"], ["y", "z"]]
    proved(found, data)


def test_whole_numbers_matter():
    """Judge (1, 2), five items, 7/12: real end points would let it pass."""
    data = Summary(["x"], ["a", "b"], ["a", "b", "none"], np.array([[1, 2, 2]]), 5)
    found = panel(data, "7/12")
    assert found.failing == ("x",)
    assert found.min_violators == 1
    assert found.largest_panel == ()
    assert found.witness is None
    proved(found, data)


@pytest.mark.parametrize("seed", range(6))
def test_three_labels_against_every_subset(seed):
    rng = np.random.default_rng(seed)
    counts = np.array([rng.multinomial(20, p) for p in rng.dirichlet(np.ones(3), size=6)])
    data = Summary(list("uvwxyz"), list("abc"), list("abc"), counts, 20)
    level = 0.8
    sizes = [
        size
        for size in range(1, 7)
        for chosen in itertools.combinations(range(6), size)
        if sum(int(m / level + 1e-9) for m in counts[list(chosen)].min(0)) >= 20
    ]
    found = panel(data, level)
    assert found.exact
    assert len(found.largest_panel) == max(sizes)
    proved(found, data)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("rule", ["excluded", "wrong"])
def test_three_labels_with_missing_answers_verify(seed, rule):
    rng = np.random.default_rng(seed)
    counts = np.array([rng.multinomial(20, p)[:3] for p in rng.dirichlet((3, 3, 3, 1), size=5)])
    data = Summary(list("vwxyz"), list("abc"), list("abc"), counts, 20)
    found = panel(data, 0.9, missing=rule)
    assert found.exact
    proved(found, data)


def test_a_specification_with_a_grade():
    data = Summary.from_counts(
        {"x": {"a": 8, "b": 0}, "y": {"a": 4, "b": 4}, "z": {"a": 0, "b": 8}, "w": {"a": 7, "b": 1}}
    )
    found = panel(data, Specification.grade(">=", 0.8))
    # grade >= 4/5 is 7 of 8 right: x and w agree at 7 or 8 of a, y and z stand alone
    assert found.min_violators == 2
    assert set(found.largest_panel) == {"x", "w"}
    assert found.exact
    proved(found, data)


def test_one_judge_s_own_condition():
    data = Summary.from_counts({"x": {"a": 9, "b": 1, "c": 0}, "y": {"a": 1, "b": 9, "c": 0}})
    spec = Specification.accuracy(">=", 1, judge="x") & Specification.prevalence("b", ">=", 0.9)
    found = panel(data, spec)
    assert found.failing == ("x",)
    assert found.largest_panel == ("y",)
    proved(found, data)


def test_everybody_can_be_right():
    data = Summary.from_counts({"x": {"a": 5, "b": 5}, "y": {"a": 5, "b": 5}})
    found = panel(data, 1)
    assert found.min_violators == 0
    assert found.certificate is None
    assert found.largest_panel == ("x", "y")
    assert "lets all 2 judges" in found.message
    proved(found, data)


def test_contradictory_prevalences_leave_nobody():
    data = Summary.from_counts({"x": {"a": 3, "b": 3}, "y": {"a": 3, "b": 3}})
    spec = Specification.prevalence("a", ">=", 0.9) & Specification.prevalence("b", ">=", 0.9)
    found = panel(data, spec)
    assert found.largest_panel == ()
    assert found.min_violators == 2
    proved(found, data)


def test_an_upper_limit_no_answer_key_meets_leaves_nobody():
    """Three labels of at most a quarter each: refuted without naming any judge."""
    data = Summary.from_counts({name: {"a": 2, "b": 1, "c": 1} for name in "xyz"})
    nowhere = Specification.prevalence(None, "<=", "1/4")
    for spec in (nowhere, nowhere & Specification.at_least("1/2")):
        found = panel(data, spec)
        assert found.largest_panel == ()
        assert found.min_violators == 3
        assert found.certificate is not None
        proved(found, data)
        asked = alarm(data, spec.by_at_least(1))
        assert asked.triggered is True
        assert verify(asked.certificate, data).ok


def test_every_label_can_be_required_of_some_of_the_judges():
    """y always says a, so only x can be good where b occurs."""
    data = Summary.from_counts({"x": {"a": 1, "b": 1}, "y": {"a": 2, "b": 0}})
    text = "accuracy >= 1"
    for needed, triggered in ((1, False), (2, True)):
        asked = alarm(data, f"at least {needed} judges: {text}", require_labels=True)
        assert asked.triggered is triggered
        assert asked.specification.min_judges == needed
        assert verify(asked.certificate, data).ok
    both_labels = Specification.of(text, require_labels=True).conditions
    assert asked.specification.conditions == both_labels


def test_pairs_in_closed_form_equal_the_search():
    rng = np.random.default_rng(5)
    clock = Clock(None)
    for _ in range(60):
        caps = rng.integers(0, 7, size=(2, 3))
        excused = rng.integers(0, 4, size=2)
        system = System(
            12, tuple(map(tuple, caps.tolist())), tuple(excused.tolist()), (0,) * 3, (12,) * 3
        )
        alone = [find_key(system.select([i]), clock)[0] is not None for i in range(2)]
        if not all(alone):
            continue
        together = find_key(system, clock)[0] is None
        assert pairwise_conflicts(system, [0, 1], clock) == ([(0, 1)] if together else [], True)


@pytest.mark.skipif(not JUDGES.exists(), reason="the judge data is not part of the project")
@pytest.mark.parametrize(("level", "short"), [(0.5, 3), (0.6, 5), (0.7, 7), (0.8, 10), (0.9, 15)])
def test_twenty_one_language_model_judges(level, short):
    """Binary at cut 4.5, the half of the comments that is at hand; the whole set says the same."""
    with JUDGES.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = [name for name in rows[0] if name not in ("item", "gold")]
    columns = {n: [None if not r[n] else int(float(r[n]) >= 4.5) for r in rows] for n in names}
    votes = Votes.from_columns(columns)
    complete = np.flatnonzero((votes.codes >= 0).all(1)) + 1
    votes = votes.select(items=complete.tolist())
    assert votes.n_judges == 21
    found = panel(votes, level, order=1)
    assert found.min_violators == short
    assert found.exact
    proved(found, votes)


def test_messages():
    data = Summary.from_counts({"x": {"a": 1, "b": 1}})
    with pytest.raises(DataError, match="without min_judges"):
        panel(data, Specification.at_least(0.5).by_at_least(1))


def test_a_proof_with_too_many_cases_is_cut_off_and_said_so(monkeypatch):
    """Twenty judges of three labels: with few nodes the panel stands, the proved number is smaller."""
    rng = np.random.default_rng(20)
    counts = np.array([rng.multinomial(200, p) for p in rng.dirichlet(2 * np.ones(3), size=20)])
    data = Summary(list(map(str, range(20))), list("abc"), list("abc"), counts, 200)
    whole = panel(data, 0.9)
    assert whole.exact
    assert "nodes" in whole.certificate.evidence
    proved(whole, data)
    monkeypatch.setattr(proof, "MOST_BLAMED", 100)
    found = panel(data, 0.9)
    assert not found.exact
    assert found.status.value == "too_large"
    assert found.min_violators + len(found.largest_panel) < 20
    assert "largest set found" in found.message
    proved(found, data)
