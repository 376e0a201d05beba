"""The whole ladder: what it says of small panels, real ones, and of what it cannot read."""

import json
import pickle
from fractions import Fraction
from pathlib import Path
from time import perf_counter

import numpy as np
import pandas as pd
import pytest

import algeval as ae
from algeval.data import Sketch, Summary, Votes
from algeval.errors import DataError
from algeval.rates.inputs import read_gold
from algeval.rates.ladder import climb
from algeval.rates.rungs import Rung, apart, side_of
from algeval.result import Status

DATA = Path(__file__).parents[3] / "../shared/data"
TUPLES = ["AAA", "AAB", "ABA", "BAA", "BBA", "BAB", "ABB", "BBB"]
FIXTURE = Sketch.from_counts(
    dict(zip(TUPLES, (38, 10, 9, 8, 7, 6, 5, 17), strict=True)), labels=["A", "B"]
)


@pytest.fixture(scope="module")
def fixture():
    return climb(FIXTURE, "A")


def votes_of(n_items=200, *, rate=0.7, n_judges=4, seed=1, key=None):
    rng = np.random.default_rng(seed)
    truth = rng.random(n_items) >= rate
    wrong = rng.random((n_items, n_judges)) > 0.8
    codes = np.where(wrong, ~truth[:, None], truth[:, None]).astype(int)
    items = [f"q{i}" for i in range(n_items)]
    judges = [f"j{i}" for i in range(n_judges)]
    return Votes(items, judges, ["A", "B"], ["A", "B"], codes, key), truth


def test_rungs_in_order(fixture):
    assert [rung.name for rung in fixture.rungs] == [
        "nothing",
        "judges contradict one another",
        "every judge right on at least 70%",
        "every judge right on at least 80%",
        "every judge right on more than 80.0%",
        "independent errors",
    ]
    assert (fixture.low, fixture.high) == (0, 1)
    assert fixture.status is Status.UNDETERMINED
    assert "Undetermined" in fixture.message


def test_exact_rungs_hold_the_fixtures_numbers(fixture):
    eighty = fixture.rung("every judge right on at least 80%")
    assert (eighty.low, eighty.high, eighty.order) == (Fraction(1, 2), Fraction(4, 5), "full")
    assert (fixture.conclusion_threshold, fixture.possible_up_to) == (
        Fraction(4, 5),
        Fraction(21, 25),
    )
    more = fixture.rung("every judge right on more than 80.0%")
    assert fixture.winner == more.against == "above"
    assert more.low > Fraction(1, 2)


def test_every_proof_is_accepted(fixture):
    assert len(fixture.certificates) > 10
    for name, proof in fixture.certificates.items():
        assert ae.verify(proof, FIXTURE), name


def test_beliefs_that_decide_are_ok():
    found = climb(FIXTURE, "A", at_least="83%")
    assert found.status is Status.OK
    assert found.low > Fraction(1, 2)
    assert found.message.startswith("If every judge is right on at least 83%")


def test_beliefs_that_are_impossible_are_an_alarm():
    found = climb(FIXTURE, "A", at_least=0.85)
    assert found.status is Status.INCONSISTENT
    assert (found.low, found.high) == (0, 1)
    assert "impossible" in found.alarms[0]
    rung = found.rung("every judge right on at least 85%")
    assert rung.low is rung.high is None
    assert rung.status is Status.INCONSISTENT
    proof = found.certificates["every judge right on at least 85%: impossible"]
    assert ae.verify(proof, FIXTURE)


def test_contradictions_rule_out_what_counts_leave(monkeypatch):
    """Two judges of equal counts who differ on 40% of the items: at most 80% of their answers are right."""
    monkeypatch.setattr("algeval.rates.rungs.FULL_TUPLES", 0)
    apart_often = {"x": [*"AAAAABBBBB"], "y": [*"AAABBAABBB"]}
    found = climb(apart_often, "A", at_least=0.85)
    assert found.rung("every judge right on at least 85%").low is not None
    assert "contradict" in found.alarms[0]
    assert climb(apart_often, "A", at_least=0.8).alarms == ()


def test_a_rung_outside_a_believed_one_is_an_alarm():
    """Judges good on both labels say 70%; a belief about the first label says at most half of it."""
    votes, _ = votes_of(2000, n_judges=3, seed=3)
    found = climb(votes, "A", at_least="prevalence(A) <= 0.4")
    assert found.status is Status.INCONSISTENT
    assert "'independent errors' lies outside 'as specified'" in found.alarms[0]


def test_a_rung_outside_a_row_that_nobody_believes_is_a_note():
    """Errors shared by all: independence puts the rate where no panel of 80% could be."""
    rng = np.random.default_rng(5)
    truth = rng.random(2000) < 0.5
    base = np.where(rng.random(2000) < 0.15, False, truth)
    codes = np.where(rng.random((2000, 3)) < 0.02, base[:, None], base[:, None])
    codes = np.where(rng.random((2000, 3)) < 0.02, ~codes, codes).astype(int)
    codes[:, 2] = np.where(rng.random(2000) < 0.35, 1, codes[:, 2])
    judges = list("xyz")
    votes = Votes([str(i) for i in range(2000)], judges, ["A", "B"], ["A", "B"], codes)
    found = climb(votes, "A", at_least=0.5)
    outside = [text for text in found.notes if "lies outside" in text]
    assert found.alarms == ()
    assert len(outside) == sum(
        apart(rung, found.rung("independent errors"))
        for rung in found.rungs
        if rung.exact and rung.low is not None
    )


def test_what_is_believed_of_these_items_says_nothing_of_the_population():
    found = climb(FIXTURE, "A", at_least="accuracy <= 0.9", target="population", time_limit=5)
    assert (found.low, found.high) == (0, 1)
    assert any("these items alone" in note for note in found.notes)


def test_labels_grade_the_judges():
    votes, truth = votes_of(400, n_judges=3, seed=6)
    rows = np.random.default_rng(7).choice(400, 80, replace=False)
    gold = read_gold({votes.items[r]: "AB"[int(truth[r])] for r in rows}, votes, "A")
    found = climb(votes, "A", gold=gold)
    rung = found.rung("judges graded by 80 labels")
    assert 0 < rung.low <= 1 - truth.mean() <= rung.high < 1
    wide = climb(votes, "A", gold=gold, target="population").rung("judges graded by 80 labels")
    assert wide.low < rung.low
    assert wide.high > rung.high
    with pytest.raises(DataError, match="data must be Votes"):
        climb(votes.sketch(), "A", gold=gold)


def test_labels_that_grade_judges_too_high_are_an_alarm():
    """Items where judges agree, labelled: perfect grades that their contradictions refute."""
    codes = np.array([[0, 0]] * 40 + [[0, 1]] * 60)
    votes = Votes([str(i) for i in range(100)], ["x", "y"], ["A", "B"], ["A", "B"], codes)
    gold = read_gold({str(i): "A" for i in range(40)}, votes, "A")
    found = climb(votes, "A", gold=gold)
    assert found.status is Status.INCONSISTENT
    assert "drawn at random" in found.alarms[0]


def test_models_are_rows_and_a_spread():
    found = climb(votes_of(150)[0], "A", models=True)
    rows = [rung for rung in found.rungs if rung.name.startswith("model: ")]
    assert [rung.name for rung in rows] == [
        "model: majority",
        "model: one-coin",
        "model: dawid-skene",
        "model: recommended",
    ]
    rates = [rung.estimate for rung in rows]
    spread = found.rung("spread of the models")
    assert (spread.low, spread.high) == (min(rates), max(rates))


def test_models_without_time_are_left_out():
    found = climb(votes_of(50)[0], "A", models=True, time_limit=0)
    assert not any("model" in rung.name for rung in found.rungs)
    assert sum("time ran out" in note for note in found.notes) == 4


def test_without_time_the_closed_forms_stand():
    found = climb(FIXTURE, "A", time_limit=0)
    eighty = found.rung("every judge right on at least 80%")
    assert (eighty.low, eighty.high, eighty.order) == (Fraction(42, 100), Fraction(82, 100), 1)
    assert found.conclusion_threshold == Fraction(22, 25)


def test_the_key_is_never_read(monkeypatch):
    monkeypatch.setattr("algeval.rates.ladder.MODELS", ("dawid-skene",))
    votes, truth = votes_of(100, n_judges=3)
    with_key = Votes(votes.items, *votes.axes, votes.codes, truth.astype(int))
    found = climb(votes, "A", models=True).to_dict()
    assert climb(with_key, "A", models=True).to_dict() == found
    assert climb(with_key.keyed_sketch(), "A", models=True).to_dict() == found


def test_the_other_label_is_the_complement(fixture):
    other = climb(FIXTURE, "B")
    assert other.winner == "below"
    assert other.conclusion_threshold == fixture.conclusion_threshold
    for one, two in zip(fixture.rungs, other.rungs, strict=True):
        assert two.low == pytest.approx(1 - one.high)
        assert two.high == pytest.approx(1 - one.low)


def test_a_population_widens():
    items, wide = (climb(FIXTURE, "A", at_least=0.8, target=t) for t in ("items", "population"))
    name = "every judge right on at least 80%"
    assert wide.rung(name).target == "population"
    assert wide.rung(name).low < items.rung(name).low
    assert wide.rung("independent errors").high > items.rung("independent errors").high
    assert wide.low == wide.rung(name).low


def test_counts_per_judge_suffice_for_the_exact_rungs():
    counts = {"x": {"A": 80, "B": 20}, "y": {"A": 70, "B": 30}}
    found = climb(Summary.from_counts(counts), "A", against="0.6")
    assert found.rungs[0].name == "nothing"
    assert found.against == Fraction(3, 5)
    assert any("Counts per judge alone" in note for note in found.notes)
    assert climb(counts_as_table(counts), "A", against=0.6).winner == found.winner


def counts_as_table(counts):
    return {
        judge: "".join(t * n for t, n in row.items())
        and [t for t, n in row.items() for _ in range(n)]
        for judge, row in counts.items()
    }


def test_judges_who_know_one_label():
    found = climb({"x": ["A", "A"], "y": ["A", None]}, "A")
    assert [rung.name for rung in found.rungs] == ["nothing"]
    assert "one label" in found.notes[0]
    assert found.conclusion_threshold is None


def test_items_that_nobody_judged():
    votes = Votes.from_columns({"x": ["A", "B", None], "y": ["A", "A", None]})
    found = climb(votes, "A", at_least=1)
    assert found.n_items == 3
    assert found.alarms  # they differ on an item


def test_a_judge_who_answered_nothing():
    votes = Votes.from_columns({"x": ["A", "B", "A"], "y": [None] * 3})
    found = climb(votes, "A", at_least=0.9)
    assert (found.low, found.high) == (Fraction(2, 3), Fraction(2, 3))


def test_three_labels():
    rng = np.random.default_rng(8)
    codes = rng.integers(0, 3, (12, 2))
    votes = Votes([str(i) for i in range(12)], ["x", "y"], [*"ABC"], [*"ABC"], codes)
    found = climb(votes, "B", at_least=0.5)
    assert all(ae.verify(proof, votes.sketch()) for proof in found.certificates.values())
    assert 0 <= found.low <= found.high <= 1


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"label": "C"}, "good must be one of"),
        ({"against": 50}, "from 0 to 1"),
        ({"target": "both"}, "target must be one of"),
        ({"level": 1.5}, "level"),
    ],
)
def test_what_is_refused(change, told):
    settings = {"label": "A"} | change
    with pytest.raises(DataError, match=told):
        climb(FIXTURE, **settings)


def test_it_shows_itself(fixture):
    assert json.loads(json.dumps(fixture.to_dict()))["schema"] == "algeval.rate_ladder/1"
    assert pickle.loads(pickle.dumps(fixture)) == fixture
    frame = fixture.to_frame("pandas")
    assert isinstance(frame, pd.DataFrame)
    assert list(frame["name"]) == [rung.name for rung in fixture.rungs]
    text = fixture.summary()
    assert all(rung.name in text for rung in fixture.rungs)
    assert "no significance" in text
    assert len(repr(fixture)) < 300


def test_sides_and_sets():
    assert side_of(None, Fraction(1, 3), Fraction(1, 2)) == "below"
    assert side_of(Fraction(1, 2), Fraction(1), Fraction(1, 2)) == "undetermined"
    empty = Rung(
        name="x", assumption="", low=None, estimate=None, high=None, against="", breaks_at=""
    )
    assert not apart(empty, empty)


def test_real_votes_on_short_answers():
    path = DATA / "triviaqa_judges_v1.csv"
    if not path.exists():
        pytest.skip("real votes are not here")
    votes = ae.read_votes(path, judges=["Llama3-70B", "GPT-4", "JudgeLM"])
    truth = pd.read_csv(path)["gold"].mean()
    found = climb(votes, "1")
    assert found.winner == "above"
    assert float(found.conclusion_threshold) == pytest.approx(0.732, abs=1e-3)
    for rung in found.rungs:  # all three are right on more than 80% of the items but JudgeLM
        if rung.exact and rung.name != "every judge right on at least 80%":
            assert rung.low <= truth <= rung.high
    estimate = found.rung("independent errors")
    assert not estimate.low <= truth <= estimate.high  # dependence shifts it by a percent or two
    assert all(ae.verify(proof, votes.sketch()) for proof in found.certificates.values())


@pytest.mark.benchmark
def test_a_million_items_and_twenty_judges():
    rng = np.random.default_rng(9)
    n = 10**6
    counts = {
        f"j{i}": {"A": int(k), "B": n - int(k)}
        for i, k in enumerate(rng.integers(5 * 10**5, 7 * 10**5, 20))
    }
    summary = Summary.from_counts(counts)
    climb(FIXTURE, "A")
    began = perf_counter()
    climb(summary, "A")
    assert perf_counter() - began < 1
