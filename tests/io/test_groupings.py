"""Columns of prompts, sources or conversations whose values items share are kept, and named by `rate`."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import algeval as ae
from algeval.cli.main import run

N, PROMPTS = 240, 40
OF = np.arange(N) // (N // PROMPTS)


def frame(**more):
    rng = np.random.default_rng(1)
    votes = {j: rng.choice(["pass", "fail"], N).tolist() for j in ("x", "y")}
    prompts = [f"Write a poem on topic {k}, please." for k in OF]
    return pd.DataFrame({"item": [f"i{k}" for k in range(N)], "prompt": prompts, **more, **votes})


def written(kind, folder):
    table = frame()
    if kind == "csv":
        table.to_csv(folder / "v.csv", index=False)
        return folder / "v.csv"
    if kind == "parquet":
        table.to_parquet(folder / "v.parquet")
        return folder / "v.parquet"
    if kind == "jsonl":
        table.to_json(folder / "v.jsonl", orient="records", lines=True)
        return folder / "v.jsonl"
    if kind == "long":
        return table.melt(["item", "prompt"], var_name="judge", value_name="answer")
    return {"pandas": table, "polars": pl.DataFrame(table), "rows": table.to_dict("records")}[kind]


KINDS = ["csv", "parquet", "jsonl", "pandas", "polars", "rows", "long"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_groups_are_those_of_the_column_whatever_the_source(kind, tmp_path):
    votes = ae.read_votes(written(kind, tmp_path))
    (grouping,) = votes.groupings
    assert grouping.name == "prompt"
    by_item = dict(zip(votes.items, grouping.codes.tolist(), strict=True))
    assert len(set(by_item.values())) == PROMPTS
    for k in range(1, N):
        assert (by_item[f"i{k}"] == by_item[f"i{k - 1}"]) == (OF[k] == OF[k - 1])


@pytest.mark.parametrize(
    ("name", "cells", "kept"),
    [
        ("conversation_id", OF // 2, True),
        ("source", [f"s{k}" for k in OF], True),
        ("promptId", OF, True),
        ("prompt_tokens", OF, False),  # a measure
        ("topic", OF, False),  # no prompt, source or conversation by its name
        ("source", np.arange(N), False),  # a value an item
        ("source", [None if k % 5 else str(j) for k, j in enumerate(OF)], False),  # mostly none
        ("source", ["web"] * N, False),  # one group
        ("source", [{"at": int(k)} for k in OF], False),  # objects
    ],
)
def test_what_is_kept(name, cells, kept):
    votes = ae.read_votes(frame(**{name: cells}))
    assert [of.name for of in votes.groupings] == ["prompt", *([name] if kept else [])]


def test_blank_cells_belong_to_no_group():
    cells = [str(k) for k in OF]
    cells[3], cells[7] = None, ""
    _, grouping = ae.read_votes(frame(source=cells)).groupings
    assert np.flatnonzero(grouping.codes < 0).tolist() == [3, 7]


def test_values_that_differ_within_an_item_are_no_groups():
    table = frame().melt(["item", "prompt"], var_name="judge", value_name="answer")
    table.loc[table.judge == "y", "prompt"] = "Another one."
    assert ae.read_votes(table).groupings == ()


def test_groups_follow_items_and_are_not_compared():
    votes = ae.read_votes(frame())
    some = votes.select(items=votes.items[6:18])
    assert len(set(some.groupings[0].codes.tolist())) == 2
    assert votes == ae.read_votes(frame().drop(columns="prompt"))
    assert votes.without_key().groupings == votes.groupings


GOLD = {f"i{k}": ["pass", "fail"][k % 2] for k in range(0, N, 2)}


def shared(result):
    return [line for line in result.remarks if "values of 'prompt'" in line]


def test_rate_names_the_column_until_it_is_told_the_clusters():
    plain = ae.rate(frame(), "pass", GOLD, target="population")
    (line,) = shared(plain)
    assert line.startswith("240 items share 40 values of 'prompt'")
    assert "--cluster prompt" in line
    named = ae.rate(frame(), "pass", GOLD, target="population", cluster="prompt")
    assert shared(named) == []
    by_item = {f"i{k}": str(g) for k, g in enumerate(OF)}
    same = ae.rate(frame(), "pass", GOLD, target="population", cluster=by_item)
    assert (named.low, named.high) == (same.low, same.high) != (plain.low, plain.high)


def test_a_few_groups_are_not_named():
    assert shared(ae.rate(frame(prompt=np.arange(N) // 60), "pass", GOLD)) == []


def test_the_command_takes_the_column_it_names(tmp_path, capsys):
    votes, labels = written("csv", tmp_path), tmp_path / "gold.csv"
    pd.DataFrame({"item": GOLD.keys(), "label": GOLD.values()}).to_csv(labels, index=False)
    told = ["rate", str(votes), "--good", "pass", "--human", str(labels)]
    run(told)
    assert "--cluster prompt" in capsys.readouterr().out
    run([*told, "--cluster", "prompt", "--target", "population"])
    out = capsys.readouterr().out
    assert "clusters are the unit, 40 of them with labels" in out
    assert "values of 'prompt'" not in out
