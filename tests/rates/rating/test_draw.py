"""Labels that the table refutes as a random draw decide nothing, in every question."""

import numpy as np
import pandas as pd
import pytest

import algeval as ae
from algeval.cli.main import run
from algeval.rates.inputs import panel_of
from algeval.rates.intervals import balance_of_draw
from algeval.result import Status

SAID = "these labels were not drawn at random"


def words(passes):
    return np.where(passes, "pass", "fail")


def table_of(pick, seed=0, n_items=600, n_labels=60):
    """A table with two judges, a column of topics and one of errors, labelled by some rule."""
    rng = np.random.default_rng(seed)
    truth = rng.random(n_items) < 0.75
    failed = rng.random(n_items) < 0.2
    topic = rng.choice(["law", "code", "maths", "art"], n_items)
    chances = {
        "random": np.ones(n_items),
        "looks bad": np.where(truth, 1.0, 12.0),
        "no error": np.where(failed, 0.0, 1.0),
        "one topic": np.where(topic == "law", 9.0, 1.0),
    }[pick]
    drawn = np.zeros(n_items, bool)
    drawn[rng.choice(n_items, n_labels, replace=False, p=chances / chances.sum())] = True
    judges = {
        f"gpt{k}": np.where(failed, None, words(np.where(rng.random(n_items) < 0.9, truth, ~truth)))
        for k in range(2)
    }
    beside = {"topic": topic, "status": np.where(failed, "error", "ok")}
    people = {"human": np.where(drawn, words(truth), None)}
    return pd.DataFrame({"id": range(n_items), **beside, **judges, **people}), truth


PICKED = ["looks bad", "no error", "one topic"]


@pytest.mark.parametrize("pick", PICKED)
@pytest.mark.parametrize("target", ["items", "population"])
def test_a_rate_of_picked_labels_is_what_is_certain(pick, target):
    table, truth = table_of(pick)
    found = ae.rate(table, good="pass", target=target)
    passes = int((table.human == "pass").sum())
    certain = passes / 600, 1 - int((table.human == "fail").sum()) / 600
    assert (found.status, found.rate) == (Status.UNDETERMINED, None)
    assert SAID in found.summary().splitlines()[0]
    if target == "items":
        assert (found.low, found.high) == pytest.approx(certain)
        assert found.low <= truth.mean() <= found.high
    else:
        assert found.low < certain[0] < certain[1] < found.high


@pytest.mark.parametrize("pick", PICKED)
def test_judges_are_not_graded_by_picked_labels_as_if_by_all(pick):
    card = ae.judge_card(table_of(pick)[0])
    assert card.status is Status.UNDETERMINED
    assert SAID in card.summary().splitlines()[0]


@pytest.mark.parametrize("pick", ["looks bad", "no error"])
def test_a_slice_of_picked_labels_is_what_is_certain(pick):
    table, _ = table_of(pick, n_labels=150)
    table["part"] = np.where(np.arange(600) < 480, "most", "rest")
    found = ae.slices(table, by="part", good="pass")
    own = table[table.part == "most"]
    row = next(row for row in found.table if row.value == "most")
    certain = (own.human == "pass").sum() / 480, 1 - (own.human == "fail").sum() / 480
    assert (row.method, row.rate.value) == ("certain", None)
    assert (row.rate.low, row.rate.high) == pytest.approx(certain)
    assert found.status is Status.UNDETERMINED
    assert SAID in found.summary().splitlines()[0]


@pytest.mark.parametrize("pick", PICKED)
def test_the_first_screen_says_so_before_any_number(pick):
    lines = ae.report(table_of(pick)[0]).summary().split("\n\n")
    rates = next(part for part in lines if part.startswith("'pass' rate"))
    assert "not determined" in rates
    assert SAID in " ".join(rates.split())
    judges = next(part for part in lines if "right (95%)" in part)
    assert SAID in " ".join(judges.split())


@pytest.mark.parametrize("pick", PICKED)
@pytest.mark.parametrize(
    "command",
    [
        ["rate", "--require", "above", "--against", "0.05"],
        ["rate", "--require", "below"],
        ["judges"],
    ],
)
def test_no_gate_passes_by_picked_labels(pick, command, tmp_path, capsys):
    table_of(pick)[0].to_csv(tmp_path / "t.csv", index=False)
    name, *settings = command
    assert run([name, str(tmp_path / "t.csv"), "--good", "pass", *settings]) == 1
    assert SAID in capsys.readouterr().out


def of_two_systems(seed, errors, rates=(0.4, 0.9)):
    """Outputs of two systems, of which one fails on half of its prompts, and nobody labelled these."""
    rng = np.random.default_rng(seed)
    rows = []
    for k in range(120):
        for system in "AB":
            failed = errors and system == "B" and k % 2 == 0
            good = rng.random() < rates[system == "B"]
            said = None if failed else str(words(good if rng.random() < 0.9 else not good))
            human = str(words(good)) if not failed and k % 4 else None
            row = {"id": f"{k}{system}", "prompt": f"p{k}", "system": system, "gpt": said}
            rows.append(row | {"status": "error" if failed else "ok", "human": human})
    return pd.DataFrame(rows)


def test_two_systems_of_which_the_errors_of_one_have_no_label(tmp_path, capsys):
    table = of_two_systems(3, errors=True)
    found = ae.versus(table, good="pass")
    assert (found.status, found.verdict) == (Status.UNDETERMINED, "NOT DETERMINED")
    assert SAID in found.message
    table.to_csv(tmp_path / "t.csv", index=False)
    for winner in "AB":
        assert run(["versus", str(tmp_path / "t.csv"), "--good", "pass", "--require", winner]) == 1
    text = " ".join(ae.report(table).summary().split())
    assert "'pass' rate of B: not determined" in text
    assert "better" not in text.split("judge ")[0].replace("is better is not known", "")
    assert ae.versus(of_two_systems(3, errors=False), good="pass").verdict == "B BETTER"


def test_a_table_labelled_for_one_system_mostly_is_no_draw_of_both():
    table = of_two_systems(1, errors=False, rates=(0.7, 0.7))
    table.loc[(table.system == "B") & (np.arange(240) % 5 > 0), "human"] = None
    found = ae.rate(ae.read_results(table).votes, "pass", "key")
    assert found.status is Status.UNDETERMINED
    assert "'system'" in found.message


def test_what_comes_of_the_labelling_refutes_no_draw():
    """Verdicts on labelled items alone, and a column that people filled in as they labelled."""
    table, _ = table_of("random")
    labelled = table.human.notna()
    table["gpt0"], table["gpt1"] = (table[g].where(labelled) for g in ("gpt0", "gpt1"))
    table["queue"] = np.where(labelled, np.where(np.arange(600) % 2, "first", "second"), None)
    assert SAID not in ae.rate(table, good="pass", judges=["gpt0", "gpt1"]).message


def refuted(pick, seed, n_labels):
    votes = ae.read_results(table_of(pick, seed, n_labels=n_labels)[0]).votes
    rows = np.flatnonzero(votes.key >= 0)
    return bool(balance_of_draw(panel_of(votes, "pass"), rows).refutes)


def test_random_draws_are_refuted_in_less_than_one_of_a_hundred():
    # of 60 with a chance of .01 four or more have a chance below .004
    assert sum(refuted("random", seed, (20, 50, 100)[seed % 3]) for seed in range(60)) < 4


@pytest.mark.parametrize("pick", PICKED)
def test_picked_labels_are_mostly_seen(pick):
    assert sum(refuted(pick, seed, 60) for seed in range(12)) >= 9
