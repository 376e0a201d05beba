"""The sentence on two systems: what is shown, what would show it, and no more labels than there are."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import algeval as ae
from algeval.cli.main import run
from algeval.report.first import difference_line


def compared(difference, low, high, verdict="NO DIFFERENCE SHOWN", **more):
    told = {"n_gold": 40, "n_items": 400, "n_own_gold": None, "n_own_items": None} | more
    return SimpleNamespace(
        names=("old", "new"), difference=difference, low=low, high=high, verdict=verdict, **told
    )


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (
            compared(-0.16, -0.27, -0.04, "new BETTER"),
            "new is better by 16 points (+4 to +27): shown.",
        ),
        (compared(-0.12, -0.3, 0.06), "about 124 more prompts labelled for both would show"),
        (compared(0.001, -0.05, 0.05), "old and new are alike to the point (-5 to +5 for old)"),
        (
            compared(-0.12, -0.3, 0.06, n_items=60),
            "takes more labels than there are prompts not labelled for both (20)",
        ),
        (
            compared(
                -0.12, -0.3, 0.06, n_gold=0, n_items=0, n_own_gold=(30, 25), n_own_items=(500, 500)
            ),
            "more labels of each would show a difference of this size",
        ),
        (
            compared(
                -0.12, -0.3, 0.06, n_gold=0, n_items=0, n_own_gold=(30, 25), n_own_items=(40, 50)
            ),
            "more labels than there are unlabelled outputs of each (20)",
        ),
    ],
)
def test_a_difference_is_said_with_the_labels_that_there_are(result, words):
    assert words in difference_line(result, 0.3)


def rows(n=60, of=("A", "B"), labelled=("A", "B")):
    return [
        {
            "id": f"{system}{k}",
            "prompt": f"p{k}",
            "app": system,
            "x": "pass" if (k * 7 + len(system)) % 3 else "fail",
            "y": "pass" if (k * 5) % 4 else "fail",
            "human": ("pass" if (k * 7) % 3 else "fail") if system in labelled and k < 25 else None,
        }
        for k in range(n)
        for system in of
    ]


@pytest.mark.parametrize(("labelled", "asked"), [(("A", "B"), True), (("A",), False)])
def test_systems_are_to_be_compared_where_two_have_labels(labelled, asked, tmp_path):
    path = tmp_path / "t.csv"
    pd.DataFrame(rows(labelled=labelled)).to_csv(path, index=False)
    calls = [step.call for step in ae.report(str(path)).overview.steps]
    assert any("versus" in call for call in calls) == asked


def grown(tmp_path, strategy="spread"):
    """A table that has grown by half, and labels drawn before."""
    path, labels = tmp_path / "grown.csv", tmp_path / "labels.csv"
    before = rows(150, labelled=())
    drawn = ae.next_items(pd.DataFrame(before).drop(columns="human"), 100)
    drawn.write(labels)
    sheet = pd.read_csv(labels, dtype=str)
    sheet["truth"] = ["pass" if int(item[1:]) % 3 else "fail" for item in sheet["item"]]
    sheet.to_csv(labels, index=False)
    pd.DataFrame(rows(200, labelled=())).drop(columns="human").to_csv(path, index=False)
    return str(path), str(labels)


def test_a_table_that_has_grown_is_said_once_in_rate_and_versus(tmp_path, capsys):
    from algeval.cli.main import run

    path, labels = grown(tmp_path)
    for command in ("rate", "versus"):
        run([command, path, "--human", labels, "--good", "pass"])
        out = capsys.readouterr().out
        assert out.count("these labels were drawn from 300 items and the table has 400") == 1


def test_judges_of_the_first_screen_weigh_labels_as_their_card_does(tmp_path):
    path, labels = grown(tmp_path)
    card = ae.judge_card(path, human=labels)
    report = ae.report(path, human=labels)
    table = report.overview.table
    for cells in table.rows:
        row = card.row(cells[0])
        value, low, high = (100 * x for x in row.accuracy)
        assert cells[1] == f"{value:.0f}% ({low:.0f}-{high:.0f})"


def test_an_interval_that_leaves_0_and_settles_nothing_says_why():
    result = compared(
        -0.17,
        -0.28,
        -0.05,
        verdict="NOT SETTLED",
        message="old - new ... NOT SETTLED: the interval leaves 0 but rests on 4 labelled differences.",
    )
    said = difference_line(result, 0.2)
    assert said.startswith("new is better by 17 points (+5 to +28): not settled")
    assert said.endswith("the interval leaves 0 but rests on 4 labelled differences.")


def scored_with_a_file_of_labels(folder):
    rng = np.random.default_rng(5)
    right = rng.random(80) < 0.7
    scores = {f"score_{j}": np.round(rng.normal(right, 0.4), 2) for j in ("gpt4o", "claude")}
    table, labels = folder / "scores.csv", folder / "labels.csv"
    frame = pd.DataFrame({"output_id": [f"o{k}" for k in range(80)], **scores})
    frame.to_csv(table, index=False, sep=";", decimal=",")
    frame[["output_id"]].assign(label=right.astype(int))[:30].to_csv(labels, index=False)
    return table, labels


@pytest.mark.parametrize("cut", [[], ["--cut", "0.5"]])
def test_labels_of_a_file_are_counted_on_the_first_screen_of_scores(tmp_path, capsys, cut):
    table, labels = scored_with_a_file_of_labels(tmp_path)
    assert run(["report", str(table), "--human", str(labels), *cut]) == 0
    said = capsys.readouterr().out
    assert "30 human answers" in said
    assert "from 30 human labels" in said
