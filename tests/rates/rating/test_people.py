"""Two people or more on an item: none is dropped, a tie counts half, and human accuracy."""

import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import algeval as ae
from algeval.cli.main import run

SEES = (0.98, 0.7)


def words(passes):
    return np.where(passes, "pass", "fail")


def labelled_table(rng, n_items=1000, n_labels=150, people=2, sees=SEES, rate=0.8):
    """A table with three judges and people who overlook some fails, and which items are passes."""
    truth = rng.random(n_items) < rate
    judges = {
        f"gpt{k}": words(np.where(rng.random(n_items) < 0.85, truth, ~truth)) for k in range(3)
    }
    drawn = np.zeros(n_items, bool)
    drawn[rng.choice(n_items, n_labels, replace=False)] = True
    said = {}
    for k in range(people):
        right = rng.random(n_items) < np.where(truth, *sees)
        said[f"human_{k + 1}"] = np.where(drawn, words(np.where(right, truth, ~truth)), None)
    return pd.DataFrame({"id": range(n_items), **judges, **said}), truth


SAID = [  # what people say of four items, and the share of them who say pass
    (["pass", "fail", "fail", "pass"], ["pass", "fail", "pass", "fail"]),
    (["pass", "fail", "fail", None], ["pass", "fail", "pass", "fail"]),
    (
        ["pass", "fail", "pass", "pass"],
        ["fail", "fail", "pass", "fail"],
        [None, "pass", "pass", "fail"],
    ),
]


def shares(said):
    """The mean of people, by hand, of the items that somebody labelled."""
    each = [[x for x in own if x is not None] for own in zip(*said, strict=True)]
    return [Fraction(own.count("pass"), len(own)) for own in each if own]


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("layout", ["columns", "annotators", "votes", "people alone"])
def test_an_item_counts_the_share_of_its_people_who_say_it(said, layout):
    items = ["i1", "i2", "i3", "i4"]
    judges = {"gpt": ["pass", "fail", "pass", "pass"], "claude": ["pass", "fail", "fail", "pass"]}
    columns = {f"human_{k}": own for k, own in enumerate(said)}
    if layout == "people alone":
        judges = {}
    table = pd.DataFrame({"id": items, **judges, **columns})
    human = [*columns]
    if layout == "annotators":
        table = pd.DataFrame({"id": items, **judges})
        rows = [
            (i, who, x)
            for who, own in columns.items()
            for i, x in zip(items, own, strict=True)
            if x
        ]
        human = pd.DataFrame(rows, columns=["id", "annotator", "label"])
    if layout == "votes":
        table, human = ae.read_results(table, human=human).votes, "key"
    found = ae.rate(table, good="pass", human=human)
    wanted = shares(said)
    assert found.n_gold == len(wanted)
    # every item is labelled: the rate of these items is the mean of them
    assert found.rate == pytest.approx(float(sum(wanted) / len(wanted)))


def test_a_tie_between_two_other_labels_is_none_of_a_third():
    rows = [("a", "good", "good"), ("b", "ok", "bad"), ("c", "ok", "good"), ("d", "bad", "bad")]
    table = pd.DataFrame(rows, columns=["id", "human_1", "human_2"])
    table["gpt"] = ["good", "ok", "bad", "bad"]
    found = ae.rate(table, good="good", human=["human_1", "human_2"])
    assert (found.n_gold, found.rate) == (4, pytest.approx(1.5 / 4))


def test_the_head_says_how_often_people_differ():
    table, _ = labelled_table(np.random.default_rng(5))
    both = table[["human_1", "human_2"]].dropna()
    n = int((both.human_1 != both.human_2).sum())
    found = ae.rate(table, good="pass", human=["human_1", "human_2"])
    said = f"2 people differ on {n} of 150 items, which count half"
    assert found.n_gold == 150
    assert said in "\n".join(found.summary().splitlines()[:2])
    alike = table.assign(human_2=table.human_1)
    assert "differ" not in ae.rate(alike, good="pass", human=["human_1", "human_2"]).message


def test_people_of_each_system_are_kept_in_a_comparison():
    rng = np.random.default_rng(2)
    rows = []
    for k in range(60):
        for system in "AB":
            good = rng.random() < (0.4 if system == "A" else 0.9)
            other = good if rng.random() < 0.8 else not good
            row = {"id": f"{system}{k}", "prompt": f"p{k}", "system": system, "gpt": words(good)}
            rows.append(row | {"human_1": words(good), "human_2": words(other)})
    table = pd.DataFrame(rows).astype(str)
    found = ae.versus(table, good="pass", human=["human_1", "human_2"])
    mean = table.assign(x=((table.human_1 == "pass") * 1 + (table.human_2 == "pass")) / 2)
    a, b = (mean[mean.system == s].x.mean() for s in "AB")
    assert found.n_gold == 60
    assert found.difference == pytest.approx(a - b)


def test_judges_are_graded_on_items_that_have_a_label():
    table, _ = labelled_table(np.random.default_rng(5))
    both = table[["human_1", "human_2"]].dropna()
    agreed = int((both.human_1 == both.human_2).sum())
    card = ae.judge_card(table, human=["human_1", "human_2"])
    assert card.n_gold == agreed
    assert card.humans.n == 150


# --- How often people see a pass as a pass, and a fail as a fail.


@pytest.mark.parametrize("people", [1, 2])
@pytest.mark.parametrize("stated", [(0.98, 0.7), "0.98,0.7", ("98%", "7/10"), [1, 1], (0.9, 0.9)])
def test_the_rate_solves_what_people_say_for_what_is_so(people, stated):
    table, _ = labelled_table(np.random.default_rng(3), people=people)
    names = [f"human_{k + 1}" for k in range(people)]
    plain = ae.rate(table, good="pass", human=names, target="population")
    found = ae.rate(table, good="pass", human=names, human_accuracy=stated)
    parts = stated.split(",") if isinstance(stated, str) else stated
    sees_pass, sees_fail = (ae.rates.inputs.exact_share(x, "x") for x in parts)
    for said, so in zip(
        (plain.low, plain.rate, plain.high), (found.low, found.rate, found.high), strict=True
    ):
        solved = (said - (1 - float(sees_fail))) / float(sees_pass + sees_fail - 1)
        assert so == pytest.approx(min(max(solved, 0), 1))
    assert "people see" in found.assumption
    assert "people see" in found.message


@pytest.mark.parametrize("wrong", ["0.5,0.4", (0.9,), "x,y", 3, (1.2, 0.9), "0.9", (0.5, 0.5)])
def test_shares_that_say_nothing_of_the_truth_are_refused(wrong):
    table, _ = labelled_table(np.random.default_rng(3), people=1)
    with pytest.raises(ae.DataError, match="human_accuracy must be two shares"):
        ae.rate(table, good="pass", human="human_1", human_accuracy=wrong)


def test_it_needs_labels():
    table, _ = labelled_table(np.random.default_rng(3), people=0)
    with pytest.raises(ae.DataError, match="human_accuracy is about labels"):
        ae.rate(table, good="pass", human_accuracy=SEES)


def test_the_command_takes_it(tmp_path, capsys):
    table, _ = labelled_table(np.random.default_rng(3), people=1)
    table.to_csv(tmp_path / "t.csv", index=False)
    wanted = ae.rate(table, good="pass", human="human_1", human_accuracy=SEES)
    asked = ["rate", str(tmp_path / "t.csv"), "--good", "pass", "--human-accuracy", "0.98,0.7"]
    assert run([*asked, "--json"]) == 0
    read = json.loads(capsys.readouterr().out)
    assert (read["low"], read["high"]) == pytest.approx((wanted.low, wanted.high))


def _covered(seed, n_draws, people, sees):
    rng = np.random.default_rng(seed)
    held = 0
    for _ in range(n_draws):
        table, truth = labelled_table(rng, people=people)
        names = [f"human_{k + 1}" for k in range(people)]
        votes = ae.read_results(table, human=names).votes
        found = ae.rate(votes, good="pass", human="key", human_accuracy=sees)
        held += found.low <= truth.mean() <= found.high
    return held


@pytest.mark.slow
@pytest.mark.parametrize("people", [1, 2])
def test_intervals_of_people_who_overlook_fails_hold_the_rate(people):
    # with a coverage of .95 fewer than 178 of 200 have a chance below .001
    assert _covered(people, 200, people, SEES) >= 178
