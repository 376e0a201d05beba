"""Counts by human label, system and slice: every question answers from them as from the rows."""

import json
import subprocess
import sys
from math import isclose

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import algeval as ae
from algeval.cli.main import run
from algeval.data.votes import GroupedSketch, LabelledSketch, Split
from algeval.errors import DataError
from algeval.io import count, engines, tuples
from algeval.io.sources import read_labelled

JUDGES = ["j0", "j1", "j2"]
BY = {"human": "human", "system": "app", "slice": ["lang", "tokens"]}


def table(seed, n=240, missing=0.05, labelled=0.35, systems=("A", "B")):
    """A results table in which every system has outputs of its own."""
    rng = np.random.default_rng(seed)
    names = np.array(["fail", "pass", None], object)
    truth = rng.integers(0, 2, n)
    cells = {"id": [f"q{k}" for k in range(n)]}
    for judge in JUDGES:
        said = np.where(rng.random(n) < rng.uniform(0.6, 0.9), truth, 1 - truth)
        cells[judge] = names[np.where(rng.random(n) < missing, 2, said)].tolist()
    cells["human"] = names[np.where(rng.random(n) < labelled, truth, 2)].tolist()
    cells["app"] = [*systems, *rng.choice(systems, n - len(systems)).tolist()]
    cells["lang"] = rng.choice(["en", "es", "fr"], n).tolist()
    cells["tokens"] = rng.integers(0, 30, n).tolist()
    return cells


def both(cells):
    """The table read row by row, and counted."""
    columns = {"human": "human", "system": "app", "slice": "lang", "covariate": "tokens"}
    return (
        ae.read_results(cells, item="id", judges=JUDGES, **columns),
        count(cells, judges=JUDGES, **BY),
    )


def same(a, b):
    """Whether two documents are equal; of numbers that sum floats the last bits may differ."""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, float) and isinstance(b, float):
        return a == b or isclose(a, b, rel_tol=1e-12, abs_tol=1e-12)
    return a == b


def differing(a, b):
    """Fields in which two results differ, but for notes that name items or what reading did."""
    a, b = a.to_dict(), b.to_dict()
    assert a.keys() == b.keys()
    return [name for name in a if name != "warnings" and not same(a[name], b[name])]


QUESTIONS = {
    "rate": lambda data: ae.rate(data, "pass"),
    "rate of a population": lambda data: ae.rate(data, "pass", target="population"),
    "rate by regression": lambda data: ae.rate(data, "pass", method="ppi", predictor="share"),
    "card": ae.judge_card,
    "floor": ae.self_consistency,
    "floor by label counts": lambda data: ae.self_consistency(
        data, label_counts={"pass": (90, 130)}
    ),
    "versus": ae.versus,
    "slices": lambda data: ae.slices(data, "lang", good="pass"),
    "slices of these items": lambda data: ae.slices(data, "lang", good="pass", target="items"),
    "slices of numbers": lambda data: ae.slices(data, ["tokens", "lang"], good="pass"),
    "slices of systems": lambda data: ae.slices(data, "app", good="pass"),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_counts_answer_as_the_rows_do(question):
    for seed in range(1):
        rows, counts = both(table(seed))
        assert not differing(QUESTIONS[question](rows), QUESTIONS[question](counts))


RATES = [name for name in QUESTIONS if name.startswith("rate")]


def check(seed, n, missing, labelled, questions):
    rows, counts = both(table(seed, n, missing, labelled))
    for question in questions:
        try:
            expected = QUESTIONS[question](rows)
        except ae.AlgevalError:  # too few labels for rows, of which counts say that none was given
            continue
        if (
            "not drawn at random: shares of" in expected.message
        ):  # counts hold no columns beside the votes
            continue
        assert not differing(expected, QUESTIONS[question](counts)), question


TABLES = {
    "seed": st.integers(0, 2**32),
    "n": st.integers(20, 150),
    "missing": st.sampled_from([0.0, 0.3]),
    "labelled": st.sampled_from([0.05, 0.4, 1.0]),
}


@settings(max_examples=5, deadline=None)
@given(**TABLES)
def test_counts_of_random_tables_answer_as_the_rows_do(seed, n, missing, labelled):
    check(seed, n, missing, labelled, [name for name in QUESTIONS if name not in RATES])


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(**TABLES)
def test_counts_of_many_random_tables_answer_as_the_rows_do(seed, n, missing, labelled):
    check(seed, n, missing, labelled, QUESTIONS)


@pytest.mark.slow
def test_reports_say_the_same_of_judges_and_labels():
    rows, counts = both(table(5))
    a, b = ae.report(rows, intervals=5), ae.report(counts, intervals=5)
    assert a.overview.table == b.overview.table
    rates = [line for line in a.overview.answers if " rate of " in line]
    assert len(rates) == 2
    assert rates == [line for line in b.overview.answers if " rate of " in line]
    assert a.overview.consensus == b.overview.consensus


def test_two_judges_compared_and_the_best_set():
    rows, counts = both(table(6))
    a, b = ae.judge_card(rows), ae.judge_card(counts)
    assert a.compare("j0", "j2") == b.compare("j0", "j2")
    assert a.best() == b.best()
    assert str(a.labels_needed()) == str(b.labels_needed())


def test_consensus_is_that_of_the_sketch():
    rows, counts = both(table(7))
    fit = ae.aggregate(counts)
    assert same(fit.evaluation.to_dict(), ae.aggregate(rows.votes).evaluation.to_dict())
    alarm = ae.alarm(counts, at_least=0.9)
    assert ae.verify(alarm.certificate, rows.votes.sketch()).ok


# --- Every engine.


SOURCES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "polars lazy": pl.LazyFrame,
    "pyarrow": pa.table,
    "records": lambda cells: [
        dict(zip(cells, row, strict=True)) for row in zip(*cells.values(), strict=True)
    ],
    "duckdb": lambda cells: duckdb.from_arrow(pa.table(cells)),
}


def test_counts_are_the_same_in_every_engine(tmp_path):
    cells = table(8)
    expected = count(cells, judges=JUDGES, **BY)
    pq.write_table(pa.table(cells), tmp_path / "votes.parquet")
    pd.DataFrame(cells).to_csv(tmp_path / "votes.csv", index=False)
    pd.DataFrame(cells).to_json(tmp_path / "votes.jsonl", orient="records", lines=True)
    for name, made in SOURCES.items():
        assert count(made(cells), judges=JUDGES, **BY) == expected, name
    for ending in ("parquet", "csv", "jsonl"):
        assert count(tmp_path / f"votes.{ending}", judges=JUDGES, **BY) == expected, ending


def test_more_rows_than_are_translated_one_by_one_are_grouped_by_meaning(monkeypatch, tmp_path):
    cells = table(9)
    expected = count(cells, judges=JUDGES, **BY)
    pq.write_table(pa.table(cells), tmp_path / "votes.parquet")
    monkeypatch.setattr(tuples, "MOST_TUPLES", 5)
    assert count(tmp_path / "votes.parquet", judges=JUDGES, **BY) == expected


def test_only_distinct_rows_leave_the_engine(monkeypatch):
    fetched = []
    own = pl.LazyFrame.collect

    def watched(frame, *args, **kwargs):
        rows = own(frame, *args, **kwargs)
        fetched.append(len(rows))
        return rows

    monkeypatch.setattr(pl.LazyFrame, "collect", watched)
    cells = table(10, n=5_000)
    counts = count(pl.LazyFrame(cells), judges=JUDGES, human="human", system="app")
    assert counts.n_items == 5_000
    assert fetched == [len(counts.cells), 2]  # cells, and the systems in their order
    assert len(counts.cells) <= 3**3 * 3 * 2


def test_a_person_is_taken_out_of_a_long_table():
    cells = table(11, n=60)
    long = [
        {"item": cells["id"][k], "who": who, "said": cells[who][k]}
        for k in range(60)
        for who in [*JUDGES, "human"]
        if cells[who][k] is not None
    ]
    wide = count(cells, judges=JUDGES, human="human")
    for source in (long, pl.DataFrame(long).lazy()):
        told = count(source, item="item", judge="who", answer="said", judges=JUDGES, human="human")
        assert told == wide
    with pytest.raises(DataError, match="judges must be among those in the table"):
        count(long, item="item", judge="who", answer="said", judges=JUDGES, human="nobody")
    with pytest.raises(DataError, match="counts by system or slice must be of a wide table"):
        count(long, item="item", judge="who", answer="said", system="said")


# --- What counts cannot tell is refused in a sentence.


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (
            lambda c: ae.rate(c, "pass", cluster={"1": "a"}),
            "cluster must come with votes item by item",
        ),
        (
            lambda c: ae.rate(c, "pass", predictor="majority"),
            "predictor must come with votes item by item",
        ),
        (lambda c: ae.rate(c, "pass", human={"1": "pass"}), "counts have no items to join"),
        (lambda c: ae.judge_card(c, cluster={"1": "a"}), "must come with votes item by item"),
        (lambda c: ae.slices(c, "nothing"), "counts must be by nothing; got counts by human"),
        (lambda c: ae.slices(c, {"x": {"1": "a"}}), "must name a column that was counted"),
        (lambda c: ae.slices(c, "lang", inclusion={"1": 1}), "must come with votes item by item"),
        (
            lambda c: ae.versus(c, cluster={"1": "a"}),
            "must come with items that both systems answered",
        ),
        (lambda c: ae.judge_bias(c), "judge_bias permutes items"),
        (
            lambda c: ae.judge_card(c.each("app")["A"].sketch()),
            "which holds counts alone",
        ),
        (lambda c: ae.versus(c.each("app")["A"]), "counts must be by system"),
    ],
)
def test_what_needs_rows_is_refused(ask, words):
    with pytest.raises(DataError, match=words):
        ask(both(table(12))[1])


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"human": ["human", "lang"]}, "human= must name one column"),
        ({"human": "nobody"}, "human must name columns"),
        ({"system": "j0"}, "must be a judge or system"),
        ({"system": "lang", "slice": "lang"}, "must be counted by once"),
        ({"human": "lang"}, "column 'lang'"),
    ],
)
def test_columns_that_do_not_fit_are_refused(columns, words):
    with pytest.raises(DataError, match=words):
        count(table(13), judges=JUDGES, **columns)


def test_a_column_of_too_many_values_is_refused(monkeypatch):
    monkeypatch.setattr(engines, "_MOST_VALUES", 100)
    with pytest.raises(DataError, match="at most 100 different values to count by; got 240"):
        count(table(14), judges=JUDGES, slice="id")


# --- The record itself.


def test_counts_of_parts_add_and_are_written_and_read(tmp_path, capsys):
    cells = table(15)
    parts = [{name: column[k::2] for name, column in cells.items()} for k in range(2)]
    each = [count(part, judges=JUDGES, labels=["fail", "pass"], **BY) for part in parts]
    whole = count(cells, judges=JUDGES, labels=["fail", "pass"], **BY)
    assert each[0] + each[1] == whole
    paths = [tmp_path / f"{k}.json" for k in range(2)]
    turned = each[1].marginal(JUDGES[::-1]).spelled(("pass", "fail"), ("pass", "fail"))
    for path, part in zip(paths, (each[0], turned), strict=True):
        path.write_text(json.dumps(part.to_dict()))
    assert run(["merge", *map(str, paths), "-o", str(tmp_path / "all.json")]) == 0
    for command in ("judges", "versus", "slices"):
        run([command, str(tmp_path / "all.json"), "--json"])
    capsys.readouterr()
    read = ae.io.read_sketch(tmp_path / "all.json")
    assert read == whole
    assert not differing(ae.judge_card(tmp_path / "all.json"), ae.judge_card(whole))


def test_each_system_and_the_counts_of_all():
    cells = table(16)
    counts = count(cells, judges=JUDGES, **BY)
    assert counts.n_items == 240
    assert counts.sketch() == count(cells, judges=JUDGES)
    each = counts.each("system")
    assert {name: part.n_items for name, part in each.items()} == {
        name: cells["app"].count(name) for name in ("A", "B")
    }
    assert not each["A"].has("system")
    labelled = sum(label is not None for label in cells["human"])
    assert counts.keyed_sketch().n_items == labelled
    held, key = read_labelled(counts, None)
    assert isinstance(held, LabelledSketch)
    assert (held.some.n_items, key) == (labelled, "key")
    assert held.others[1].sum() == 240 - labelled


def test_a_keyed_sketch_is_rated_with_its_key():
    rows = both(table(17, labelled=1.0))[0].votes
    assert not differing(ae.rate(rows, "pass", "key"), ae.rate(rows.keyed_sketch(), "pass", "key"))


def test_counts_that_do_not_fit_are_refused():
    axes = ("x",), ("a", "b"), ("a", "b")
    with pytest.raises(DataError, match="human labels must be those of the judges"):
        GroupedSketch(*axes, [[0]], [1], (Split("human", "h", ("b", "a"), np.array([0])),))
    with pytest.raises(DataError, match=r"codes of 'h' must lie in -1\.\.1"):
        GroupedSketch(*axes, [[0]], [1], (Split("human", "h", ("a", "b"), np.array([2])),))
    with pytest.raises(DataError, match="counts to add must be by the same columns"):
        GroupedSketch(*axes, [[0]], [1]) + GroupedSketch(
            *axes, [[0]], [1], (Split("slice", "s", ("u",), np.array([0])),)
        )
    with pytest.raises(DataError, match="must have shape"):
        GroupedSketch(*axes, [[0]], [1, 2])


# --- By the command line: parts counted by processes of their own, and merged.

_SKETCH = ["--judges", "j0,j1,j2", "--human", "human", "--system", "app", "--slice", "lang,tokens"]


def merged(tmp_path, n_shards, sketch):
    """Counts of shards of a table, each made by `sketch`, merged by the command, and those of the whole."""
    cells = pd.DataFrame(table(5, n=60 * n_shards, missing=0.1))
    parts = []
    for k in range(n_shards):
        path = tmp_path / f"part{k}.csv"
        cells.iloc[k::n_shards].to_csv(path, index=False)
        parts.append(str(tmp_path / f"part{k}.json"))
        sketch(["sketch", str(path), *_SKETCH, "-o", parts[-1]])
    assert run(["merge", *parts, "-o", str(tmp_path / "all.json")]) == 0
    cells.to_csv(tmp_path / "all.csv", index=False)
    whole = count(str(tmp_path / "all.csv"), judges=JUDGES, **BY)
    return ae.io.read_sketch(tmp_path / "all.json"), whole


def test_shards_counted_apart_are_merged_to_the_counts_of_the_whole(tmp_path):
    total, whole = merged(tmp_path, 3, lambda words: run(words))
    assert isinstance(total, GroupedSketch)
    assert total.digest == whole.digest


@pytest.mark.slow
def test_twenty_shards_counted_by_separate_processes_equal_one_machine(tmp_path):
    def own(words):
        subprocess.run([sys.executable, "-m", "algeval", *words], check=True, capture_output=True)

    total, whole = merged(tmp_path, 20, own)
    assert total.digest == whole.digest
    results = ae.read_results(
        str(tmp_path / "all.csv"),
        item="id",
        judges=JUDGES,
        human="human",
        system="app",
        slice="lang",
    )
    assert same(ae.judge_card(total).to_dict(), ae.judge_card(whole).to_dict())
    assert same(ae.rate(total, "pass").to_dict(), ae.rate(whole, "pass").to_dict())
    assert total.n_items == len(results.items)


def test_a_sketch_by_columns_refuses_what_needs_rows(tmp_path, capsys):
    path = tmp_path / "t.csv"
    pd.DataFrame(table(1)).to_csv(path, index=False)
    assert run(["sketch", str(path), *_SKETCH, "--trial", "id"]) == 2
    assert "--trial needs the rows" in capsys.readouterr().err


def test_a_report_of_counts_has_the_rate_of_each_system():
    rng = np.random.default_rng(6)
    n = 400
    good = rng.random(n) < np.where(np.arange(n) % 2, 0.8, 0.6)
    said = {name: np.where(rng.random(n) < 0.85, good, ~good) for name in "ab"}
    rows = {
        "id": [f"q{k}" for k in range(n)],
        "system": ["v2" if k % 2 else "v1" for k in range(n)],
        **{name: np.where(says, "pass", "fail").tolist() for name, says in said.items()},
        "human": [("pass" if good[k] else "fail") if k % 5 < 2 else None for k in range(n)],
    }
    counts = ae.io.count(rows, judges=["a", "b"], human="human", system="system")
    of_counts, of_rows = (ae.report(data, intervals=0).summary() for data in (counts, rows))
    rates = [
        [line for line in screen.splitlines() if "human labels; the judges alone" in line]
        for screen in (of_counts, of_rows)
    ]
    assert rates[0] == rates[1]
    assert len(rates[0]) == 2


# --- Outputs of several systems for one prompt, paired in the counting.


def prompts(seed, n=120, systems=("A", "B"), labelled=0.4, lacking=0.1, one_sided=0.05):
    """A row an output: each system answers most prompts, in an order of no meaning but the first row."""
    rng = np.random.default_rng(seed)
    names = np.array(["fail", "pass", None], object)
    people = rng.random(n) < labelled
    rows = []
    for number, system in enumerate(systems):
        truth = (rng.random(n) < 0.5 + 0.1 * number).astype(int)
        for k in np.flatnonzero(rng.random(n) > lacking).tolist():
            said = np.where(rng.random(3) < 0.8, truth[k], 1 - truth[k])
            said = np.where(rng.random(3) < 0.05, 2, said)
            shown = people[k] and rng.random() > one_sided
            votes = dict(zip(JUDGES, names[said].tolist(), strict=True))
            human = names[truth[k]] if shown else None
            rows.append({"prompt": f"p{k}", "app": system, **votes, "human": human})
    order = [0, *(1 + rng.permutation(len(rows) - 1)).tolist()]
    return {name: [rows[row][name] for row in order] for name in rows[0]}


PAIRED = {"human": "human", "system": "app", "prompt": "prompt"}


def of_prompts(cells, **more):
    return ae.read_results(cells, judges=JUDGES, **PAIRED), count(cells, judges=JUDGES, **PAIRED)


def pairs_by_hand(cells):
    """{(system, votes, label) of two outputs: prompts}, the first system first."""
    outputs = {}
    keys = zip(
        cells["prompt"], cells["app"], *(cells[j] for j in JUDGES), cells["human"], strict=True
    )
    for prompt, *output in keys:
        outputs.setdefault(prompt, []).append(tuple(output))
    counted = {}
    for own in outputs.values():
        own.sort(key=lambda output: output[0])
        for k, first in enumerate(own):
            for second in own[k + 1 :]:
                counted[first, second] = counted.get((first, second), 0) + 1
    return counted


def pairs_of(counts):
    (shown,) = counts.as_tables()
    names = [name for name in shown.columns if name in ("app", *JUDGES, "human")]
    assert names[:2] == ["human", "app"]
    cells = list(zip(*(shown.columns[name] for name in ("app", *JUDGES, "human")), strict=True))
    return {(cells[a], cells[b]): n for a, b, n in counts.pairs.tolist()}


@pytest.mark.parametrize("systems", ["AB", "ABC"])
@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.LazyFrame, pa.table])
def test_pairs_are_those_of_counting_by_hand(systems, make):
    cells = prompts(3, systems=systems)
    counts = count(make(cells), judges=JUDGES, **PAIRED)
    assert pairs_of(counts) == pairs_by_hand(cells)


def check_pairs(seed, n, labelled, lacking, one_sided, target):
    rows, counts = of_prompts(prompts(seed, n, "AB", labelled, lacking, one_sided))
    try:
        expected = ae.versus(rows, good="pass", target=target)
    except ae.AlgevalError:
        return
    got = ae.versus(counts, good="pass", target=target)
    assert set(differing(expected, got)) <= {"to_label"}
    plain = [w for w in expected.warnings if "left out" not in w and not w.startswith("unpaired")]
    assert [
        w for w in got.warnings if "left out" not in w and not w.startswith("unpaired")
    ] == plain


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    n=st.integers(5, 150),
    labelled=st.sampled_from([0.0, 0.1, 0.5, 1.0]),
    lacking=st.sampled_from([0.0, 0.3]),
    one_sided=st.sampled_from([0.0, 0.1, 0.6]),
    target=st.sampled_from(["items", "population"]),
)
def test_paired_counts_give_the_interval_of_the_rows(seed, n, labelled, lacking, one_sided, target):
    check_pairs(seed, n, labelled, lacking, one_sided, target)


def test_three_systems_are_paired_from_counts():
    cells = prompts(5, systems="ABC", labelled=0.5, one_sided=0.0, lacking=0.0)
    rows, counts = of_prompts(cells)
    assert not differing(ae.versus(rows, good="pass"), ae.versus(counts, good="pass"))


def test_what_follows_from_beliefs_is_that_of_the_rows():
    rows, counts = of_prompts(prompts(8, lacking=0.0))
    a, b = (ae.versus(data, good="pass", at_least=0.6) for data in (rows, counts))
    assert [same(x.to_dict(), y.to_dict()) for x, y in zip(a.table, b.table, strict=True)] == [
        True
    ] * len(a.table)


def test_paired_parts_add_and_come_back_from_their_document():
    cells = prompts(9)
    whole = count(cells, judges=JUDGES, **PAIRED)
    parts = []
    for parity in (0, 1):
        kept = [k for k, p in enumerate(cells["prompt"]) if int(p[1:]) % 2 == parity]
        part = {name: [column[k] for k in kept] for name, column in cells.items()}
        parts.append(count(part, judges=JUDGES, labels=["fail", "pass"], **PAIRED))
    assert parts[0] + parts[1] == whole
    assert GroupedSketch.from_dict(json.loads(json.dumps(whole.to_dict()))) == whole
    assert ae.versus(whole.marginal(["j0", "j2"]), good="pass").n_items == whole.pairs[:, 2].sum()
    alone = count(cells, judges=JUDGES, human="human", system="app")
    with pytest.raises(DataError, match="both have pairs of outputs, or neither"):
        _ = whole + alone


def test_the_command_pairs_counts_and_compares_them(tmp_path, capsys):
    cells = prompts(11, labelled=0.8)
    pq.write_table(pa.table(cells), tmp_path / "judged.parquet")
    pl.DataFrame(cells).write_csv(tmp_path / "judged.csv")
    pl.DataFrame(cells).write_ndjson(tmp_path / "judged.jsonl")
    expected = count(cells, judges=JUDGES, **PAIRED)
    by = ["--judges", ",".join(JUDGES), "--human", "human", "--system", "app", "--prompt", "prompt"]
    for ending in ("parquet", "csv", "jsonl"):
        written = tmp_path / f"{ending}.json"
        assert run(["sketch", str(tmp_path / f"judged.{ending}"), *by, "-o", str(written)]) == 0
        assert GroupedSketch.from_dict(json.loads(written.read_text())) == expected
    capsys.readouterr()
    run(["versus", str(written), "--good", "pass", "--json"])
    got = json.loads(capsys.readouterr().out)
    assert got["low"] == ae.versus(expected, good="pass").low


@pytest.mark.parametrize(
    "make", [dict, pl.LazyFrame, lambda cells: duckdb.from_arrow(pa.table(cells))]
)
def test_outputs_that_cannot_be_paired_are_refused(make):
    cells = prompts(12, n=8, lacking=0.0)
    twice = {name: [*column, column[0]] for name, column in cells.items()}
    with pytest.raises(
        DataError, match="one output for a prompt to be paired; got 2 of one system"
    ):
        count(make(twice), judges=JUDGES, system=PAIRED["system"], prompt="prompt")
    none = cells | {"prompt": [None, *cells["prompt"][1:]]}
    with pytest.raises(DataError, match="must name its prompt and its system"):
        count(make(none), judges=JUDGES, **PAIRED)
    with pytest.raises(DataError, match="pairs the outputs of systems; got no system"):
        count(make(cells), judges=JUDGES, prompt="prompt")


def of_trials(seed, n=60, trials=3, labelled=18):
    """Cells of a table of two systems with several outputs of a prompt, some prompts labelled."""
    rng = np.random.default_rng(seed)
    some = {*rng.choice(n, labelled, replace=False).tolist()}
    cells = {name: [] for name in ("prompt", "app", "trial", *JUDGES, "human")}
    for k in range(n):
        for system in "AB":
            good = rng.random() < 0.7
            for trial in range(trials):
                words = [("fail", "pass")[int(good == (rng.random() < 0.85))] for _ in JUDGES]
                label = ("fail", "pass")[int(good)] if k in some else None
                row = (f"question {k}?", system, str(trial), *words, label)
                for column, cell in zip(cells.values(), row, strict=True):
                    column.append(cell)
    return cells


@pytest.mark.parametrize(
    "make",
    [dict, pl.LazyFrame, pd.DataFrame, lambda cells: duckdb.from_arrow(pa.table(cells))],
)
def test_of_several_outputs_of_a_prompt_counts_know_the_prompts_of_labels(make):
    cells = of_trials(7)
    counts = count(make(cells), judges=JUDGES, **PAIRED)
    assert counts.pairs is None
    prompts_of = {p for p, label in zip(cells["prompt"], cells["human"], strict=True) if label}
    assert {*counts.split("prompt").values} == prompts_of
    assert GroupedSketch.from_dict(json.loads(json.dumps(counts.to_dict()))) == counts
    rows = ae.read_results(cells, trial="trial", system="app").by_system
    for name, part in counts.each("system").items():
        expected, got = ae.rate(rows[name]), ae.rate(part, human="key")
        ends = (got.rate, got.low, got.high)
        assert ends == pytest.approx((expected.rate, expected.low, expected.high))
        assert "54 labels are of outputs to 18 values of 'prompt'" in " ".join(got.warnings)
    compared = ae.versus(counts, good="pass")
    assert compared.method == "unpaired: clustered, clustered"
    assert "of which counts know the prompts of labelled ones alone" in compared.warnings[0]
    without = count(make(cells), judges=JUDGES, human="human", system="app")
    said = "column 'prompt' may hold prompts and was not counted by: labels count as independent"
    assert said in " ".join(ae.versus(without, good="pass").warnings)
    assert said in " ".join(ae.rate(without, human="key").warnings)
    assert said not in " ".join(got.warnings)
    alone = count(make(cells), judges=JUDGES, human="human", prompt="prompt")
    assert ae.rate(alone, human="key").method == "clustered"
    assert counts + counts != counts  # sums keep the prompts
    assert (counts + counts).split("prompt").values == counts.split("prompt").values


@pytest.mark.parametrize("make", [pl.LazyFrame, lambda cells: duckdb.from_arrow(pa.table(cells))])
def test_too_many_different_pairs_are_refused(make, monkeypatch):
    monkeypatch.setattr(engines, "_MOST_SIDES", 5)
    with pytest.raises(DataError, match="at most 5 different votes together to be counted"):
        count(make(prompts(16)), judges=JUDGES, **PAIRED)


def test_what_needs_the_items_of_paired_outputs_is_refused():
    counts = count(prompts(13), judges=JUDGES, **PAIRED)
    for setting in ({"method": "ppi"}, {"cluster": {"p1": "a"}}, {"drawn": "unequal"}):
        with pytest.raises(DataError, match="must come with outputs item by item; got counts"):
            ae.versus(counts, good="pass", **setting)


def test_scores_that_are_cut_are_paired():
    cells = prompts(14)
    scores = {"fail": 1.0, "pass": 4.5, None: None}
    graded = cells | {judge: [scores[cell] for cell in cells[judge]] for judge in JUDGES}
    graded["human"] = [{"fail": "0", "pass": "1"}.get(cell) for cell in cells["human"]]
    for make in (dict, pl.LazyFrame, lambda own: duckdb.from_arrow(pa.table(own))):
        counts = count(make(graded), judges=JUDGES, cut=3, **PAIRED)
        assert sorted(pairs_by_hand(cells).values()) == sorted(counts.pairs[:, 2].tolist())


def test_pairs_of_cells_that_are_not_there_are_refused():
    counts = count(prompts(15), judges=JUDGES, **PAIRED)
    with pytest.raises(DataError, match="cells of pairs must lie in"):
        counts.paired([[0, 10_000, 1]])
    with pytest.raises(DataError, match="outputs of two systems"):
        counts.paired([[0, 0, 1]])
    a, b, n = counts.pairs[0].tolist()
    with pytest.raises(DataError, match="more pairs than outputs"):
        counts.paired([[a, b, n + 1_000]])
    assert counts.paired([[b, a, n]]).pairs.tolist() == [[a, b, n]]


def test_a_prompt_that_is_no_column_is_refused_with_the_columns():
    table = {"system": ["a", "b"], "gpt": ["pass", "fail"]}
    with pytest.raises(DataError, match="nothere"):
        count(table, judges=["gpt"], system="system", prompt="nothere")


def test_systems_stand_in_the_order_of_the_rows(tmp_path):
    cells = table(18, systems=("new", "old", "10", "9"))
    expected = ("new", "old", "10", "9")
    path = tmp_path / "judged.parquet"
    pq.write_table(pa.table(cells), path)
    counted = {name: count(make(cells), judges=JUDGES, **BY) for name, make in SOURCES.items()}
    counted["file"] = count(str(path), judges=JUDGES, **BY)
    for engine, counts in counted.items():
        assert counts.systems == expected, engine
        assert tuple(counts.each("system")) == expected
        assert counts == counted["file"]
    document = json.loads(json.dumps(counts.to_dict()))
    assert GroupedSketch.from_dict(document).systems == expected
    assert ae.versus(counts).names == ae.versus(both(cells)[0]).names == expected
    first = count({n: c[2:] for n, c in cells.items()}, judges=JUDGES, **BY)
    assert (first + counts).systems == tuple(dict.fromkeys([*cells["app"][2:], *expected]))


def test_of_three_systems_the_pair_without_common_labels_is_compared_unpaired():
    cells = prompts(21, n=150, systems="ABC", labelled=1.0, one_sided=0.0)
    parity = {"A": {0, 1}, "B": {0}, "C": {1}}  # B and C share no labelled prompt
    cells["human"] = [
        said if int(prompt[1:]) % 12 in parity[system] else None
        for said, prompt, system in zip(cells["human"], cells["prompt"], cells["app"], strict=True)
    ]
    rows, counts = of_prompts(cells)
    a, b = ae.versus(rows, good="pass"), ae.versus(counts, good="pass")
    assert not differing(a, b)
    assert a.status.ok
    assert a.pair("A", "B").n_gold > 0
    apart = a.pair("B", "C")
    assert apart.n_gold == 0
    assert apart.low > -1
    assert apart.difference is not None


@settings(max_examples=10, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    labelled=st.sampled_from([0.1, 0.5]),
    one_sided=st.sampled_from([0.0, 0.6, 0.9]),
)
def test_three_systems_of_random_labels_answer_as_the_rows_do(seed, labelled, one_sided):
    cells = prompts(seed, 60, "CAB", labelled, 0.1, one_sided)
    rows, counts = of_prompts(cells)
    try:
        expected = ae.versus(rows, good="pass")
    except ae.AlgevalError:
        return
    assert not differing(expected, ae.versus(counts, good="pass"))


def test_a_sum_of_parts_that_divide_prompts_says_that_pairs_are_lost():
    cells = prompts(22)
    for divided, words in ((0, "none of A shares one with B"), (1, "is not paired")):
        parts = []
        for side in (0, 1):
            kept = [
                row
                for row, (prompt, system) in enumerate(
                    zip(cells["prompt"], cells["app"], strict=True)
                )
                if side == (system == "B" and (not divided or int(prompt[1:]) % 2))
            ]
            part = {name: [column[k] for k in kept] for name, column in cells.items()}
            parts.append(count(part, judges=JUDGES, labels=["fail", "pass"], **PAIRED))
        said = " ".join(ae.versus(parts[0] + parts[1], good="pass").warnings)
        assert "the sum of 2 parts" in said
        assert words in said
        assert "divide the table so that a prompt lies in one part" in said
    whole = count(cells, judges=JUDGES, **PAIRED)
    assert "parts" not in " ".join(ae.versus(whole, good="pass").warnings)
