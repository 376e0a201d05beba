"""What to label next, from counts: the tuples and numbers that the rows give, drawn where the rows lie."""

import json
from collections import Counter

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import algeval as ae
from algeval.cli.main import run
from algeval.errors import DataError
from algeval.io import count
from algeval.rates.intervals import bands
from algeval.rates.sampling import chances_for, doubt_chances, gain_of

JUDGES = ["x", "y", "z"]


def table(n=90, labelled=0.0, seed=3):
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < 0.6
    names = np.array(["fail", "pass", None], object)
    cells = {"id": [f"q{k}" for k in range(n)]}
    for judge in JUDGES:
        said = np.where(rng.random(n) < 0.8, truth, ~truth).astype(int)
        cells[judge] = names[np.where(rng.random(n) < 0.1, 2, said)].tolist()
    cells["human"] = names[np.where(rng.random(n) < labelled, truth, 2)].tolist()
    return cells


def both(cells):
    human = "human" if any(cells["human"]) else None
    more = {} if human is None else {"human": human}
    rows = ae.read_results(cells, item="id", judges=JUDGES, **more)
    return rows, count(cells, judges=JUDGES, **more)


def tuples_of_rows(cells, drawn):
    place = {item: k for k, item in enumerate(cells["id"])}
    return Counter(tuple(cells[j][place[item]] for j in JUDGES) for item in drawn.items)


def tuples_of_counts(drawn):
    return Counter({t.answers: t.n_drawn for t in drawn.tuples})


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(1, 9)), min_size=1, max_size=12),
    st.booleans(),
)
def test_bands_and_chances_of_counted_values_are_those_of_the_items(pairs, gaps):
    values = np.array([v for v, _ in pairs]) / 7
    values[values < gaps * 0.1] = np.nan
    sizes = np.array([n for _, n in pairs])
    each = np.repeat(np.arange(len(values)), sizes)
    assert (bands(values, sizes)[each] == bands(values[each])).all()
    p, n = np.nan_to_num(values * 0.9 + 0.05, nan=0.5), int(sizes.sum() // 2 + 1)
    n = min(n, int(sizes.sum()))
    np.testing.assert_allclose(doubt_chances(p, n, sizes)[each], doubt_chances(p[each], n))
    chances = doubt_chances(p, n, sizes)
    assert gain_of(p, chances, sizes) == pytest.approx(gain_of(p[each], chances[each]), abs=1e-9)
    np.testing.assert_allclose(chances_for(p, n, sizes)[each], chances_for(p[each], n))


@pytest.mark.parametrize(
    ("labelled", "strategy"), [(0.0, "spread"), (0.3, "spread"), (0.7, "uncertain")]
)
def test_tuples_are_drawn_as_often_as_the_rows_draw_them(labelled, strategy):
    cells = table(90, labelled)
    rows, counts = both(cells)
    drawn = [[], []]
    for seed in range(250):
        setting = {"strategy": strategy, "random": seed}
        of_rows, of_counts = ae.next_items(rows, 9, **setting), ae.next_items(counts, 9, **setting)
        drawn[0].append(tuples_of_rows(cells, of_rows))
        drawn[1].append(tuples_of_counts(of_counts))
    assert (of_rows.strategy, of_rows.n_eligible) == (of_counts.strategy, of_counts.n_eligible)
    assert of_rows.predicted_gain == pytest.approx(of_counts.predicted_gain)
    kinds = sorted({k for each in drawn for own in each for k in own}, key=str)
    a, b = (np.array([[own[k] for k in kinds] for own in each]) for each in drawn)
    assert (a.sum(1) == 9).all()
    assert (b.sum(1) == 9).all()
    spread = np.sqrt((a.var(0) + b.var(0)) / len(a)) + 1e-3
    assert (np.abs(a.mean(0) - b.mean(0)) / spread).max() < 4
    assert np.abs(a.std(0) - b.std(0)).max() < 0.25


@pytest.mark.parametrize(
    ("labelled", "strategy"), [(0.0, "spread"), (0.3, "spread"), (0.7, "uncertain")]
)
def test_every_chance_is_that_of_the_rows(labelled, strategy):
    cells = table(200, labelled)
    rows, counts = both(cells)
    of_rows = ae.next_items(rows, 30, strategy=strategy)
    of_counts = ae.next_items(counts, 30, strategy=strategy)
    place = {item: k for k, item in enumerate(cells["id"])}
    chances = {
        tuple(cells[j][place[item]] for j in JUDGES): chance
        for item, chance in zip(of_rows.items, of_rows.inclusion, strict=True)
    }
    for t in of_counts.tuples:
        if t.answers in chances:
            assert t.inclusion == pytest.approx(chances[t.answers])
    waves = {(wave, how) for wave, how, _ in of_rows.waves.values()}
    assert waves == set(of_counts.waves)
    earlier = {chance for item, (_, _, chance) in of_rows.waves.items() if item in of_rows.before}
    assert {t.inclusion for t in of_counts.before} == earlier <= {None}
    assert sum(t.n_drawn for t in of_counts.before) == len(of_rows.before)


def test_the_most_doubtful_are_picked_as_from_the_rows():
    cells = table(120, 0.2)
    rows, counts = both(cells)
    for n in (5, 30, 500):
        of_rows, of_counts = (ae.next_items(data, n, goal="labels") for data in (rows, counts))
        assert len(of_rows.items) == sum(t.n_drawn for t in of_counts.tuples)
        assert of_counts.waves == ()
    assert tuples_of_rows(cells, of_rows) == tuples_of_counts(of_counts)  # all that are left


FRAMES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "polars lazy": pl.LazyFrame,
    "pyarrow": pa.table,
    "duckdb": lambda cells: duckdb.from_arrow(pa.table(cells)),
}


def collected(drawn):
    if isinstance(drawn, pl.LazyFrame):
        drawn = drawn.collect()
    if isinstance(drawn, duckdb.DuckDBPyRelation):
        drawn = pl.from_arrow(drawn.to_arrow_table())
    if isinstance(drawn, pd.DataFrame):
        return drawn.astype(object).where(drawn.notna(), None).to_dict("records")
    return pl.DataFrame(drawn).to_dicts() if not isinstance(drawn, pa.Table) else drawn.to_pylist()


@pytest.mark.parametrize("engine", FRAMES)
@pytest.mark.parametrize("labelled", [0.0, 0.7])
def test_rows_are_drawn_in_the_engine(engine, labelled, tmp_path):
    cells = table(300, labelled)
    rows, counts = both(cells)
    strategy = "uncertain" if labelled else "spread"
    plan = ae.next_items(counts, 40, strategy=strategy)
    frame = FRAMES[engine](cells)
    drawn = plan.draw(frame)
    assert type(drawn) is type(frame)
    found = collected(drawn)
    assert len({row["id"] for row in found}) == len(found)
    fresh = [row for row in found if row["human"] is None]
    assert Counter(tuple(r[j] for j in JUDGES) for r in fresh) == tuples_of_counts(plan)
    assert len(found) - len(fresh) == sum(label is not None for label in cells["human"])
    chances = {round(t.inclusion, 8) for t in plan.tuples}
    assert {round(row["inclusion"], 8) for row in fresh} == chances
    assert {(row["wave"], row["strategy"]) for row in fresh} == {plan.waves[-1]}
    if engine.startswith("p"):  # a table whose rows keep their order
        assert collected(plan.draw(frame)) == found
    path = tmp_path / "labels.csv"
    filled = [row | {"truth": row["human"] or "pass"} for row in found]
    names = ["id", "wave", "strategy", "inclusion", "truth"]
    pd.DataFrame(filled)[names].rename(columns={"id": "item"}).to_csv(path, index=False)
    rated = ae.rate(rows.votes.without_key(), "pass", str(path))
    assert rated.n_gold == len(found)
    assert rated.rate is not None


@pytest.mark.parametrize("engine", FRAMES)
def test_each_row_of_a_tuple_is_as_likely_as_another(engine):
    cells = table(60)
    counts = both(cells)[1]
    frame = FRAMES[engine](cells)
    hits = Counter(
        row["id"]
        for seed in range(60)
        for row in collected(ae.next_items(counts, 20, random=seed).draw(frame))
    )
    expected = 60 * 20 / 60
    assert sum(hits.values()) == 60 * 20
    chi = sum((hits[item] - expected) ** 2 / (expected * 2 / 3) for item in cells["id"])
    assert 20 < chi < 110  # 59 degrees of freedom at most


def test_what_counts_cannot_draw_is_refused():
    cells = table(40, 0.2)
    counts = both(cells)[1]
    for settings_, words in (
        (
            {"goal": "difference"},
            "draws prompts that two systems answered; got counts of 0 systems",
        ),
        ({"cluster": {"q1": "a"}}, "cluster must come with votes item by item"),
        ({"strategy": "uncertain"}, "needs at least 50 labels"),
        ({"human": {"q1": "pass"}}, "counts have no items to join"),
    ):
        with pytest.raises(DataError, match=words):
            ae.next_items(counts, 5, **settings_)
    with pytest.raises(DataError, match="must be left to label; got none"):
        ae.next_items(count(table(40, 1.0), judges=JUDGES, human="human"), 5)
    plan = ae.next_items(counts, 20)
    with pytest.raises(DataError, match="must hold the rows that were counted"):
        plan.draw(pd.DataFrame(cells).head(5))


def test_the_command_prints_tuples_and_numbers(tmp_path, capsys):
    cells = table(200)
    pd.DataFrame(cells).to_csv(tmp_path / "t.csv", index=False)
    counts = str(tmp_path / "c.json")
    assert run(["sketch", str(tmp_path / "t.csv"), "--judges", "x,y,z", "-o", counts]) == 0
    capsys.readouterr()
    assert run(["next", counts, "--n", "30"]) == 0
    out = capsys.readouterr().out
    assert "30 items of 200" in out
    assert "x pass, y pass, z pass" in out
    assert run(["next", counts, "--n", "30", "-o", str(tmp_path / "plan.csv"), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert sum(t["n_drawn"] for t in document["tuples"]) == 30
    written = pd.read_csv(tmp_path / "plan.csv")
    assert list(written) == [*JUDGES, "label", "n", "of", "wave", "strategy", "inclusion"]
    assert written["n"].sum() == 30


def two_systems(n=200, labelled=0.0, seed=5):
    """Outputs of two systems for each prompt, in a random order; some prompts are labelled for both."""
    rng = np.random.default_rng(seed)
    rows = []
    for k in range(n):
        known = rng.random() < labelled
        for app, share in (("old", 0.5), ("new", 0.7)):
            good = rng.random() < share
            row = {"id": f"{app}{k}", "prompt": f"p{k}", "app": app}
            row |= {j: ("fail", "pass")[good == (rng.random() < 0.8)] for j in JUDGES}
            row["truth"] = ("fail", "pass")[good]
            row["human"] = row["truth"] if known or rng.random() < 0.2 * labelled else None
            rows.append(row)
    order = rng.permutation(len(rows))
    return [rows[k] for k in order.tolist()]


def counted_pairs(rows, human):
    cells = {name: [row[name] for row in rows] for name in rows[0]}
    return count(cells, judges=JUDGES, system="app", prompt="prompt", human=human)


def sides(rows):
    """Votes of either system by prompt, and the labels of prompts labelled for both."""
    parts = [
        {row["prompt"]: row for row in rows if row["app"] == app}
        for app in counted_pairs(rows, None).systems
    ]
    names = sorted(parts[0])
    votes = [
        ae.read_votes({"item": names} | {j: [part[p][j] for p in names] for j in JUDGES})
        for part in parts
    ]
    both = [p for p in names if None not in (parts[0][p]["human"], parts[1][p]["human"])]
    truths = {
        f"truth_{x}": [part[p]["human"] for p in both] for x, part in zip("ab", parts, strict=True)
    }
    return parts, votes, pd.DataFrame({"item": both} | truths)


def kind_of(parts, prompt):
    return tuple(tuple(part[prompt][j] for j in JUDGES) for part in parts)


@pytest.mark.parametrize("labelled", [0.0, 0.3])
def test_prompts_to_tell_two_systems_apart_are_drawn_as_from_the_rows(labelled):
    rows = two_systems(120, labelled)
    counts = counted_pairs(rows, "human" if labelled else None)
    parts, (first, other), truths = sides(rows)
    more = {"human": truths} if labelled else {}
    drawn = [[], []]
    for seed in range(150):
        of_rows = ae.next(first, 15, goal="difference", other=other, random=seed, **more)
        of_counts = ae.next(counts, 15, goal="difference", random=seed)
        drawn[0].append(Counter(kind_of(parts, item) for item in of_rows.items))
        drawn[1].append(
            Counter({(t.answers, t.other_answers): t.n_drawn for t in of_counts.tuples})
        )
        chances = zip(of_rows.items, of_rows.inclusion, strict=True)
        by_kind = {kind_of(parts, item): chance for item, chance in chances}
        for t in of_counts.tuples:
            if (t.answers, t.other_answers) in by_kind and labelled == 0:
                assert t.inclusion == pytest.approx(by_kind[t.answers, t.other_answers])
    assert of_counts.message == of_rows.message
    assert (of_counts.n_items, of_counts.n_eligible) == (of_rows.n_items, of_rows.n_eligible)
    assert sum(t.n_drawn for t in of_counts.before) == len(of_rows.before) == len(truths)
    kinds = sorted({k for each in drawn for own in each for k in own})
    a, b = (np.array([[own[k] for k in kinds] for own in each]) for each in drawn)
    assert set(a.sum(1)) == set(b.sum(1)) == {15}
    spread = np.sqrt((a.var(0) + b.var(0)) / len(a)) + 0.02
    assert (np.abs(a.mean(0) - b.mean(0)) / spread).max() < 4


def test_joint_chances_are_the_shares_of_either_kind_that_are_labelled():
    rows = two_systems(150, 0.3)
    plan = ae.next(counted_pairs(rows, "human"), 30, goal="difference")
    verdict = {
        t: sum(a == "pass" for a in t) * 2 > len(t)
        for t in {u for t in plan.tuples for u in (t.answers, t.other_answers)}
    }
    for apart in (False, True):
        own = [t for t in plan.tuples if (verdict[t.answers] != verdict[t.other_answers]) == apart]
        parts = sides(rows)[0]
        of_kind = [p for p in parts[0] if (most(parts[0][p]) != most(parts[1][p])) == apart]
        done = [p for p in of_kind if None not in (parts[0][p]["human"], parts[1][p]["human"])]
        expected = sum(t.n_drawn for t in own) / (len(of_kind) - len(done))
        assert {round(t.inclusion, 9) for t in own} == {round(expected, 9)}


def most(row):
    return sum(row[j] == "pass" for j in JUDGES) * 2 > len(JUDGES)


@pytest.mark.parametrize("engine", FRAMES)
@pytest.mark.parametrize("labelled", [0.0, 0.3])
def test_both_outputs_of_a_prompt_are_drawn_in_the_engine(engine, labelled, tmp_path):
    rows = two_systems(300, labelled)
    plan = ae.next(counted_pairs(rows, "human" if labelled else None), 60, goal="difference")
    frame = FRAMES[engine]({name: [row[name] for row in rows] for name in rows[0]})
    drawn = plan.draw(frame, prompt="prompt")
    assert type(drawn) is type(frame)
    found = collected(drawn)
    assert list(found[0]) == [*rows[0], "inclusion"]
    check_both_outputs(rows, plan, found, labelled)
    labels = tmp_path / "labels.csv"
    sheet = pd.DataFrame(found)[["id", "inclusion", "truth"]].rename(columns={"id": "item"})
    sheet.to_csv(labels, index=False)
    own = [{k: v for k, v in row.items() if k not in ("human", "truth")} for row in rows]
    compared = ae.versus(ae.read_results(own, human=str(labels)), good="pass")
    assert f"{len(found) // 2} labelled for both" in compared.message
    (a, b), votes, _ = sides(rows)
    chances = {row["prompt"]: row["inclusion"] for row in found}
    by_prompt = pd.DataFrame({"item": list(chances), "inclusion": list(chances.values())})
    by_prompt["truth_a"] = [a[p]["truth"] for p in chances]
    by_prompt["truth_b"] = [b[p]["truth"] for p in chances]
    own = ae.versus(*votes, human=by_prompt, good="pass")
    assert compared.names == plan.systems
    assert compared.difference == pytest.approx(own.difference)


def check_both_outputs(rows, plan, found, labelled):
    parts = sides(rows)[0]
    prompts = Counter(row["prompt"] for row in found)
    assert set(prompts.values()) == {2}
    assert len({row["id"] for row in found}) == len(found)
    done = {p for p in parts[0] if None not in (parts[0][p]["human"], parts[1][p]["human"])}
    done = done if labelled else set()
    assert done <= set(prompts)
    fresh = Counter(kind_of(parts, p) for p in prompts if p not in done)
    assert fresh == {(t.answers, t.other_answers): t.n_drawn for t in plan.tuples}
    chance = {(t.answers, t.other_answers): t.inclusion for t in plan.tuples}
    for row in found:
        if row["prompt"] not in done:
            assert row["inclusion"] == pytest.approx(chance[kind_of(parts, row["prompt"])])


def test_prompts_that_counts_cannot_draw_are_refused():
    rows = two_systems(40)
    cells = {name: [row[name] for row in rows] for name in rows[0]}
    for counts, words in (
        (count(cells, judges=JUDGES), "two systems answered; got counts of 0 systems"),
        (count(cells, judges=JUDGES, system="app"), "got counts of 2 systems without prompts"),
    ):
        with pytest.raises(DataError, match=words):
            ae.next(counts, 5, goal="difference")
    plan = ae.next(counted_pairs(rows, None), 10, goal="difference")
    for frame, name, words in (
        (pd.DataFrame(rows), None, "prompt must name the column of prompts"),
        (pd.DataFrame(rows), "question", "must have a column 'question'"),
        (pd.DataFrame(rows).assign(inclusion=1.0), "prompt", "must have no column 'inclusion'"),
        (pd.DataFrame(rows[:9]), "prompt", "must hold the prompts that were counted"),
    ):
        with pytest.raises(DataError, match=words):
            plan.draw(frame, prompt=name)
    one = ae.next(count(cells, judges=JUDGES), 5)
    with pytest.raises(DataError, match="be left out elsewhere; got 'prompt'"):
        one.draw(pd.DataFrame(rows), prompt="prompt")
    with pytest.raises(DataError, match="belongs to goal='rate'"):
        ae.next(counted_pairs(rows, None), 5, goal="difference", strategy="uncertain")


@pytest.mark.parametrize("cells", [(1.0, 2.0), (True, False), (" a", "b ")])
def test_systems_are_the_same_rows_in_memory_lazily_and_in_sql(cells):
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        [
            {"q": f"p{k}", "model": cell, **{j: "ab"[int(rng.integers(2))] for j in "xyz"}}
            for k in range(60)
            for cell in cells
        ]
    )
    counts = ae.count(frame, judges=["x", "y", "z"], system="model", prompt="q")
    chosen = ae.next(counts, 8, goal="difference")
    lazily = pl.from_pandas(frame).lazy()
    drawn = [
        chosen.draw(frame, prompt="q"),
        chosen.draw(lazily, prompt="q").collect().to_pandas(),
        chosen.draw(duckdb.from_df(frame), prompt="q").df(),
    ]
    for rows in drawn:
        assert len(rows) == 16
        assert {*rows["model"].map(str).str.strip()} == {str(cell).strip() for cell in cells}
        assert rows["q"].nunique() == 8
