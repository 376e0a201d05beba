"""Count in an engine, ask, write labels back, and get what one machine says."""

from collections import Counter
from functools import cache

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import algeval as ae
from algeval.errors import DataError
from algeval.io import count
from algeval.io.answers import Rules
from algeval.io.joining import TupleTable, join_columns

from .conftest import EAGER, IN_PARTS, LAZY

JUDGES = ["gpt.4", "claude", "anna"]


def cells(n=150):
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 2, n)
    named = np.array(["fail", "pass", None], object)
    table = {
        judge: named[np.where(rng.random(n) < 0.8, truth, 2 * (rng.random(n) < 0.2))].tolist()
        for judge in JUDGES
    }
    table["human"] = named[np.where(rng.random(n) < 0.4, truth, 2)].tolist()
    apps = rng.choice(["A", "B"], n)
    # the first row has "A": engines whose rows have no order name systems by the alphabet
    table["app"] = np.where(apps == apps[0], "A", "B").tolist()
    table["prompt"] = [f"p{seen}" for seen in ranks(table["app"])]
    table["lang"] = rng.choice(["en", "es"], n).tolist()
    return table


def ranks(systems):
    """How many rows before have the same system: a prompt that every system answers once."""
    return [systems[:row].count(system) for row, system in enumerate(systems)]


@pytest.mark.parametrize("engine", [*EAGER, *LAZY])
def test_the_whole_chain_is_that_of_one_machine(engine, frame_in):
    by = {"human": "human", "system": "app", "slice": "lang", "prompt": "prompt"}
    expected = count(cells(), judges=JUDGES, **by)
    counts = count(frame_in(engine, cells()), judges=JUDGES, **by)
    assert counts == expected
    assert counts.pairs[:, 2].sum() > 50
    assert ae.judge_card(counts).to_dict() == ae.judge_card(expected).to_dict()
    assert ae.versus(counts).to_dict() == ae.versus(expected).to_dict()
    assert ae.slices(counts, good="pass").to_dict() == ae.slices(expected, good="pass").to_dict()


@pytest.mark.parametrize("engine", LAZY)
def test_only_distinct_rows_are_handed_out(engine, frame_in, handed_out):
    frame = frame_in(engine, cells())
    seen = handed_out(engine, frame)
    counts = count(frame, judges=JUDGES, human="human", system="app")
    assert counts.n_items == 150
    assert max(n for n, _ in seen) <= len(counts.cells) < 150
    seen.clear()
    paired = count(frame, judges=["claude"], system="app", prompt="prompt")
    assert paired.pairs[:, 2].sum() > 50
    assert max(n for n, _ in seen) <= 9  # two votes or none, by two votes or none
    assert "prompt" not in {name for _, names in seen for name in names}


BY = {"human": "human", "system": "app"}
NEW = ("consensus", "probability")


@cache
def on_one_machine():
    """Votes as every engine gets them, with ids, and the answers without an engine."""
    table = {"id": [f"q{k}" for k in range(150)]} | cells()
    votes = ae.read_votes({judge: table[judge] for judge in JUDGES}, judges=JUDGES)
    fitted = ae.aggregate(votes)
    counts = count(table, judges=JUDGES, **BY)
    return table, fitted, counts, ae.report(counts, label="pass").to_dict()


def collected(frame):
    """Columns of a frame of any engine as lists, None where there is nothing."""
    for name in ("collect", "compute", "toPandas", "to_pyarrow"):
        if hasattr(frame, name) and not (name == "collect" and hasattr(frame, "toPandas")):
            frame = getattr(frame, name)()
            break
    if isinstance(frame, pl.DataFrame):
        return frame.to_dict(as_series=False)
    if isinstance(frame, pd.DataFrame):
        plain = frame.astype(object).where(frame.notna(), None)
        return {name: plain[name].tolist() for name in plain}
    assert isinstance(frame, pa.Table)
    return frame.to_pydict()


def by_id(columns):
    """{id: the other cells}, as Spark and Ibis have rows in no order."""
    return {key: rest for key, *rest in zip(*columns.values(), strict=True)}


def expected_rows(table, fitted):
    top = fitted.posterior_items.max(axis=1).tolist()
    said = [None if label is None else p for label, p in zip(fitted.item_labels, top, strict=True)]
    return by_id(table | {"consensus": fitted.item_labels, "probability": said})


def same_rows(got, wanted):
    assert got.keys() == wanted.keys()
    for key, (*rest, p) in got.items():
        *others, q = wanted[key]
        assert rest == others
        assert p == (None if q is None else pytest.approx(q, abs=1e-8))


@pytest.mark.parametrize("engine", IN_PARTS)
def test_parts_in_several_workers_answer_as_one_machine(engine, in_parts, handed_out):
    table, fitted, counted, report = on_one_machine()
    frame = in_parts(engine, table)
    seen = handed_out(engine, frame)
    counts = count(frame, judges=JUDGES, **BY)
    assert counts == counted
    assert ae.report(counts, label="pass").to_dict() == report
    joined = fitted.join(frame)
    assert type(joined) is type(frame)
    assert ae.aggregate(counts.sketch()).decisions.tolist() == fitted.decisions.tolist()
    assert max(n for n, _ in seen) <= len(counted.cells) < len(table["id"])  # no row was fetched
    rows = collected(joined)
    assert list(rows) == [*table, *NEW]
    same_rows(by_id(rows), expected_rows(table, fitted))


@pytest.mark.parametrize("engine", LAZY)
def test_labels_are_joined_in_the_engine_to_numbers_and_texts(engine, frame_in, handed_out):
    rng = np.random.default_rng(3)
    n = 60
    truth = rng.integers(0, 2, n)
    held = {"string": str, "double": float, "int": int}
    types = {f"judge.{k}": list(held)[k % 3] for k in range(3)}
    table = {"id": [f"q{k}" for k in range(n)]}
    for name, kind in types.items():
        codes = np.where(rng.random(n) < 0.8, truth, 1 - truth).tolist()
        table[name] = [held[kind](code) if rng.random() < 0.8 else None for code in codes]
    fitted = ae.aggregate({name: table[name] for name in types}, "majority")
    frame = frame_in(engine, table, {"id": "string"} | types)
    seen = handed_out(engine, frame)
    joined = fitted.join(frame)
    assert all("id" not in names for _, names in seen)
    rows = collected(joined)
    assert list(rows) == [*table, *NEW]
    same_rows(
        by_id({name: rows[name] for name in ("id", *NEW)}),
        {key: rest[-2:] for key, rest in expected_rows(table, fitted).items()},
    )


@pytest.mark.parametrize("engine", LAZY)
def test_votes_of_many_possible_answers_take_two_numbers(engine, frame_in):
    answers = tuple(f"answer {k}" for k in range(600))
    rng = np.random.default_rng(7)
    codes = np.unique(rng.choice([-1, 3, 599], (40, 7)).astype(np.int16), axis=0)
    names = tuple(f"j{k}" for k in range(7))
    rows = [str(row) for row in range(len(codes))]
    table = TupleTable(names, answers, codes, {"row": rows})
    assert len(list(table.steps())) == 2
    texts = np.array([*answers, None], object)
    cells = {name: texts[codes[:, k]].tolist() for k, name in enumerate(names)} | {"id": rows}
    got = collected(join_columns(frame_in(engine, cells), table, Rules.make(None, None, None)))
    assert got["row"] == got["id"]
    assert sorted(got["id"]) == sorted(rows)


@pytest.mark.parametrize("engine", LAZY)
def test_a_wide_lazy_frame_is_labelled_without_fetching_rows(engine, frame_in, handed_out):
    n = 12_000
    rng = np.random.default_rng(0)
    names = np.array(["no", "yes"], object)
    table = {judge: names[rng.integers(0, 2, n)].tolist() for judge in "xyz"}
    frame = frame_in(engine, table)
    seen = handed_out(engine, frame)
    fitted = ae.aggregate(frame)
    joined = fitted.join(frame)
    assert max(size for size, _ in seen) <= 10_000 < n  # the first rows say what is a vote
    with pytest.raises(DataError, match=r"made from counts; label the rows of a frame with join"):
        _ = fitted.item_labels
    wanted = ae.aggregate(table)
    assert fitted.n_items == n
    rows = collected(joined)
    together = zip(*(rows[name] for name in (*"xyz", "consensus")), strict=True)
    assert sorted(together) == sorted(zip(*table.values(), wanted.item_labels, strict=True))


@pytest.mark.parametrize("engine", LAZY)
def test_votes_not_seen_together_have_no_label_and_names_are_new(engine, frame_in):
    fitted = ae.aggregate({"x": ["a", "b"], "y": ["a", "b"], "z": ["a", "b"]}, "majority")
    table = {"x": ["a", "b", "a"], "y": ["a", "b", "b"], "z": ["a", "b", "b"]}
    frame = frame_in(engine, table)
    rows = collected(fitted.join(frame, label="said", probability="p"))
    got = sorted(zip(*(rows[name] for name in ("x", "y", "said", "p")), strict=True))
    one, other = fitted.posterior_items.max(axis=1).tolist()
    assert [row[:3] for row in got] == [("a", "a", "a"), ("a", "b", None), ("b", "b", "b")]
    assert [row[3] for row in got] == [pytest.approx(one), None, pytest.approx(other)]
    with pytest.raises(DataError, match="names of new columns; got 'x'"):
        fitted.join(frame, label="x")
    if engine in ("ibis", "spark"):
        with pytest.raises(DataError, match="names of new columns; got 'X'"):
            fitted.join(frame, label="X")
    with pytest.raises(DataError, match="must hold answers that were fitted"):
        fitted.join(frame_in(engine, table | {"x": ["a", "c", "b"]}))


def test_dask_keeps_its_index_and_partitions():
    dask = pytest.importorskip("dask.dataframe")
    table, fitted, *_ = on_one_machine()
    frame = dask.from_pandas(pd.DataFrame(table).set_index("id"), npartitions=8, sort=False)
    joined = fitted.join(frame)
    assert joined.npartitions == frame.npartitions
    assert joined.index.name == "id"
    rows = joined.compute()
    assert rows.index.tolist() == table["id"]
    assert rows["consensus"].isna().tolist() == [label is None for label in fitted.item_labels]


@pytest.mark.parametrize("engine", IN_PARTS)
def test_what_to_label_next_is_drawn_where_the_rows_lie(engine, in_parts, handed_out):
    """Tuples, numbers and chances are those of one machine; of each tuple the engine draws the rows."""
    table = on_one_machine()[0]
    plan = ae.next(count(table, judges=JUDGES, human="human"), 30, random=5)
    frame = in_parts(engine, table)
    counts = count(frame, judges=JUDGES, human="human")
    assert ae.next(counts, 30, random=5).to_dict() == plan.to_dict()
    seen = handed_out(engine, frame)
    drawn = plan.draw(frame)
    assert type(drawn) is type(frame)
    assert all("id" not in names for _, names in seen)  # no row was fetched
    rows = by_row(collected(drawn))
    assert list(rows[0]) == [*table, "wave", "strategy", "inclusion"]
    assert Counter(row["id"] for row in rows).most_common(1)[0][1] == 1
    said_before = [row for row in rows if row["human"] is not None]
    fresh = [row for row in rows if row not in said_before]
    chance = {t.answers: t.inclusion for t in plan.tuples}
    wanted = {t.answers: t.n_drawn for t in plan.tuples}
    assert Counter(answers_of(row) for row in fresh) == wanted
    assert all(row["inclusion"] == pytest.approx(chance[answers_of(row)]) for row in fresh)
    assert len(said_before) == sum(label is not None for label in table["human"])
    again = by_row(collected(drawn))
    assert sorted(again, key=lambda row: row["id"]) == sorted(rows, key=lambda row: row["id"])


def by_row(columns):
    return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]


def answers_of(row):
    return tuple(row[judge] for judge in JUDGES)


@pytest.mark.parametrize("engine", IN_PARTS)
def test_each_row_of_a_tuple_is_as_likely_as_another_in_the_engine(engine, in_parts):
    """A third of 6,000 rows of three tuples, drawn at once: no part of the table has more than its share."""
    cells = {"id": [f"q{k}" for k in range(6_000)]}
    cells |= {"i": ["a", "b", "a"] * 2_000, "j": ["a", "a", "b"] * 2_000}
    counts = count(cells, judges=["i", "j"])
    drawn = ae.next(counts, 2_000, random=1).draw(in_parts(engine, cells))
    places = np.array([int(item[1:]) for item in collected(drawn)["id"]])
    assert len(np.unique(places)) == 2_000
    hits = np.bincount(places // 300, minlength=20)
    chi = ((hits - 100) ** 2 / (100 * 2 / 3)).sum()
    assert 4 < chi < 50  # 19 degrees of freedom
    odd = (places // 3) % 2
    assert abs(odd.mean() - 0.5) < 4 * np.sqrt(0.25 * (2 / 3) / 2_000)


@pytest.mark.parametrize("engine", IN_PARTS)
def test_prompts_of_two_systems_are_drawn_where_the_rows_lie(
    engine, in_parts, frame_in, handed_out
):
    """Both outputs of the prompts that one machine names, whatever the order of the rows."""
    table = {name: values[:120] for name, values in on_one_machine()[0].items()}
    by = {"human": "human", "system": "app", "prompt": "prompt"}
    plan = ae.next(count(table, judges=JUDGES, **by), 20, goal="difference", random=3)
    assert sum(t.n_drawn for t in plan.tuples) == 20
    frame = in_parts(engine, table)
    counts = count(frame, judges=JUDGES, **by).in_order(plan.systems)
    assert ae.next(counts, 20, goal="difference", random=3).to_dict() == plan.to_dict()
    seen = handed_out(engine, frame)
    drawn = plan.draw(frame, prompt="prompt")
    assert type(drawn) is type(frame)
    assert all("id" not in names for _, names in seen)  # no row was fetched
    rows = by_row(collected(drawn))
    assert list(rows[0]) == [*table, "inclusion"]
    outputs = {(row["prompt"], row["app"]): row for row in rows}
    prompts = {row["prompt"] for row in rows}
    assert len(outputs) == len(rows) == 2 * len(prompts)
    pairs = [[outputs[p, app] for app in plan.systems] for p in prompts]
    fresh = [own for own in pairs if None in {row["human"] for row in own}]
    expected = {(t.answers, t.other_answers): t.n_drawn for t in plan.tuples}
    assert Counter(tuple(map(answers_of, own)) for own in fresh) == expected
    assert len(pairs) - len(fresh) == sum(t.n_drawn for t in plan.before) > 0
    if engine != "spark":  # it hashes the prompt, too, and takes its time
        other = frame_in(engine.removesuffix(" cluster"), shuffled(table))  # in other parts, too
        again = by_row(collected(plan.draw(other, prompt="prompt")))
        assert {row["id"] for row in again} == {row["id"] for row in rows}


def shuffled(table):
    order = np.random.default_rng(1).permutation(len(table["id"])).tolist()
    return {name: [values[k] for k in order] for name, values in table.items()}
