"""Rates of the systems of a results table."""

import csv
import json

import numpy as np
import pandas as pd
import pytest
from jsonschema import Draft202012Validator

import algeval as ae
from algeval.cli.main import run


def test_a_file_holds_the_rate_of_each_system(tmp_path, capsys):
    path = tmp_path / "rates.csv"
    assert run(["rate", "--example", "support-bot", "-o", str(path)]) == 0
    with path.open(encoding="utf-8", newline="") as stream:
        rows = {row["system"]: row for row in csv.DictReader(stream)}
    assert list(rows) == ["v1", "v2"]
    for name, part in ae.example("support-bot").split("system").items():
        alone = ae.rate(part)
        assert float(rows[name]["low"]) == alone.low
        assert float(rows[name]["high"]) == alone.high
        assert int(rows[name]["n_gold"]) == alone.n_gold == 40
    assert run(["rate", "--example", "support-bot", "-o", str(tmp_path / "rates.json")]) == 0
    document = json.loads((tmp_path / "rates.json").read_text(encoding="utf-8"))
    assert Draft202012Validator(ae.schema("rates")).is_valid(document)
    capsys.readouterr()


def test_a_demand_holds_for_every_system(capsys):
    assert run(["rate", "--example", "support-bot", "--against", "0.6", "--require", "above"]) == 1
    assert run(["rate", "--example", "support-bot", "--against", "0.5", "--require", "above"]) == 0
    assert run(["rate", "--example", "support-bot", "--plot", "x.svg"]) == 2
    assert "versus --plot" in capsys.readouterr().err


@pytest.mark.parametrize("good", ["pass", "fail"])
def test_the_good_label_of_a_table_is_the_one_that_is_counted(good):
    rng = np.random.default_rng(3)
    truth = rng.random(40) < 0.7
    cells = {"id": [f"q{k}" for k in range(40)], "human": np.where(truth, "pass", "fail")}
    for judge in ("gpt4o", "claude"):
        cells[judge] = np.where(rng.random(40) < 0.8, cells["human"], "fail")
    frame = pd.DataFrame(cells)
    table = ae.read_results(frame, good=good)
    assert ae.rate(table).label == good
    assert ae.rate(table).labelled_share == pytest.approx((cells["human"] == good).mean())
    assert ae.rate(table, good="pass").label == "pass"
    b = ae.read_results(frame.assign(human="pass"), good=good)
    assert ae.versus(table, b).label == good


@pytest.mark.parametrize("n", [4, 5, 17, 20, 33])
def test_labels_of_all_outputs_refute_no_row_of_a_judge_who_is_always_right(n):
    truth = ["pass" if k % 5 < 3 else "fail" for k in range(n)]
    votes = ae.Votes.from_columns({"x": truth, "y": truth}, key=truth)
    rows = ae.rate(votes, good="pass", human="key").table
    assert [row.name for row in rows if row.refuted] == []
    wrong = ae.Votes.from_columns(
        {"x": truth, "y": ["fail", *truth[1:]]}, key=["pass"] + ["fail"] * (n - 1)
    )
    if n >= 10:
        assert any(row.refuted for row in ae.rate(wrong, good="pass", human="key").table)


def test_a_system_without_labels_leaves_the_rates_of_the_others(tmp_path, capsys):
    words = ["pass", "pass", "fail"] * 10
    frame = pd.DataFrame(
        {
            "id": [f"o{k}" for k in range(90)],
            "system": ["v1"] * 30 + ["v2"] * 30 + ["v3"] * 30,
            "gpt4o": words * 3,
            "human": words + [None] * 30 + words,
        }
    )
    frame.to_csv(tmp_path / "three.csv", index=False)
    assert run(["rate", str(tmp_path / "three.csv"), "--json"]) == 1  # one is not determined
    rates = json.loads(capsys.readouterr().out)["systems"]
    assert [rates[name]["labelled_share"] for name in ("v1", "v2", "v3")] == [
        20 / 30,
        None,
        20 / 30,
    ]
    parts = ae.read_results(frame).by_system
    assert (ae.rate(parts["v2"]).status, ae.rate(parts["v2"]).n_gold) == (
        ae.Status("undetermined"),
        0,
    )
    assert ae.rate(parts["v3"]).n_gold == 30


def test_a_system_whose_outputs_no_judge_judged_has_a_page():
    words = ["pass", "fail", "pass"] * 8
    frame = pd.DataFrame(
        {
            "id": [f"o{k}" for k in range(48)],
            "system": ["v1"] * 24 + ["v2"] * 24,
            "gpt4o": words + [None] * 24,
            "human": words + words[::-1],
        }
    )
    rated = ae.rate(ae.read_results(frame).by_system["v2"])
    assert rated.rate == 16 / 24
    assert "raw judge votes" in rated.summary()
    assert "raw judge votes" in rated._repr_html_()
