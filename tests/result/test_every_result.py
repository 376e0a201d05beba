"""Every kind of public result, and the core types: values that copy, show themselves and become frames."""

import copy
import csv
import importlib
import json
import pickle
import pkgutil
import re
import sys
from functools import cache
from tempfile import TemporaryDirectory

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from jsonschema import Draft202012Validator

import algeval as ae
import algeval_papers
from algeval import algebra, compare, logic
from algeval.aggregate.checks.groups import judge_groups
from algeval.aggregate.checks.identified import score_test
from algeval.aggregate.checks.pairs import agreement, pair_test, suspects
from algeval.aggregate.checks.quality import held_out, score
from algeval.algebra.eliminating import groebner_basis
from algeval.data import Summary
from algeval.models.ising import Ising
from algeval.rates import SystemRates
from algeval.result import Result, to_json
from algeval_papers import catalogue, replicate
from algeval_papers.mean_field import mean_field
from algeval_papers.separation import factor_risks

VOTES = ae.Votes.from_columns(
    {"i": "aabbabab", "j": "aabbaabb", "k": "abbbabba"}, key=list("aabbabba")
)
SKETCH = VOTES.sketch()
KEYED = VOTES.keyed_sketch()
SCORES = ae.Scores.from_columns({"x": [1, 2, 8, 9], "y": [1, 3, 2, 4], "z": [0, 1, 1, 2]})
PROGRAM = ae.Scores.from_columns({"w": [3, 1, 4, 1]})
FOUR = ae.Sketch.from_counts({"aaaa": 60, "bbbb": 50, "aabb": 30, "bbaa": 30, "abab": 2})
LONELY = ae.Votes.from_columns({"x": "ab" * 15, "y": "ab" * 15, "z": "ba" * 15})
SMALL = Summary.from_counts({"x": {"a": 4, "b": 6}, "y": {"a": 7, "b": 3}})
SHARED = {"x": list("aabb" * 8), "human_1": list("abbb" * 8), "human_2": list("aaab" * 8)}


def labelled():
    rows = [
        {
            "output_id": f"r{k}",
            "prompt": f"What is {k} and one?",
            "response": f"That is {k + 1}, sir.",
        }
        | {"gpt4": "pf"[k % 3 == 0], "claude": "pf"[k % 4 == 0]}
        for k in range(12)
    ]
    words = {"p": "pass", "f": "fail"}
    rows = [{name: words.get(cell, cell) for name, cell in row.items()} for row in rows]
    with TemporaryDirectory() as folder:
        settings = {"who": "anna", "journal": f"{folder}/j.labels.jsonl"}
        return ae.label(rows, **settings, answer=lambda item: "pass" if item != "r3" else None)


RESULTS = {
    "Plan": lambda: ae.plan(budget=9, accuracy=0.8, margin=0.1, label_accuracy=0.8),
    "RateResult": lambda: ae.rate(VOTES, "a", "key"),
    "JudgeCard": lambda: ae.judge_card(VOTES),
    "AltTest": lambda: ae.judge_card(SHARED, human=["human_1", "human_2"]).alt_test(eps=0.1),
    "LabelsNeeded": lambda: ae.judge_card(VOTES).labels_needed(0.2),
    "Drift": lambda: ae.drift(VOTES, VOTES),
    "JudgeBias": lambda: ae.judge_bias(
        VOTES, {"length": {i: k for k, i in enumerate(VOTES.items)}}
    ),
    "Slices": lambda: ae.slices(
        VOTES, {"half": {i: "xy"[k % 2] for k, i in enumerate(VOTES.items)}}, good="a"
    ),
    "SelfConsistency": lambda: ae.self_consistency(VOTES),
    "SystemRates": lambda: SystemRates.of({"v1": ae.rate(VOTES, "a", "key")}),
    "Disagreement": lambda: ae.disagreement(VOTES),
    "Agreement": lambda: agreement(SKETCH),
    "Confounders": lambda: ae.confounders(SCORES),
    "HeldOut": lambda: held_out(FOUR, folds=2),
    "JudgeGroups": lambda: judge_groups(FOUR),
    "PairTest": lambda: pair_test(FOUR),
    "ScoreTest": lambda: score_test(FOUR),
    "Score": lambda: score(ae.aggregate(SKETCH, "majority"), KEYED),
    "Suspect": lambda: suspects(LONELY)[0],
    "Aggregation": lambda: ae.aggregate(VOTES, "dawid-skene"),
    "ScoreAggregation": lambda: ae.aggregate(SCORES),
    "Bootstrap": lambda: algebra.bootstrap(SKETCH, n_samples=20),
    "ErrorBars": lambda: algebra.error_bars(KEYED.evaluation(), 8),
    "Correlations": lambda: algebra.correlations(KEYED),
    "IndependenceTest": lambda: algebra.independence_test(FOUR),
    "Sensitivity": lambda: algebra.sensitivity(KEYED.evaluation()),
    "Atlas": lambda: ae.decode(FOUR),
    "PooledTrios": lambda: algebra.pool_trios(FOUR),
    "RatesExist": lambda: algebra.rates_exist(SKETCH),
    "BatchDecoding": lambda: algebra.decode_batch([[9, 1, 1, 1, 1, 1, 1, 5]]),
    "Group": lambda: algebra.by_group(VOTES, list("xxxxyyyy")).groups[0],
    "Groups": lambda: algebra.by_group(VOTES, list("xxxxyyyy")),
    "Partition": lambda: algebra.majority(SKETCH),
    "Decoding": lambda: ae.decode(SKETCH),
    "Ladder": lambda: ae.decode(SKETCH).ladder(),
    "Outcome": lambda: catalogue(["S18"])[0].run(),
    "Basis": lambda: groebner_basis("centred", time_limit=None),
    "Counterexample": lambda: ae.prove("f_Bi = f_Bj"),
    "Proof": lambda: ae.prove("Delta_ij = P_A*P_B*d_i*d_j"),
    "Theorem": lambda: ae.prove("P_A*P_B <= 1/4", judges=1),
    "Contradiction": lambda: ae.prove("g_i > 0", given=["d_i > 2"], judges=1),
    "Undecided": lambda: ae.prove(
        "(P_iA^2 - P_jA)^2 + (P_jA^2 - P_iB)^2 + 1/10^9 > 0", time_limit=0.01
    ),
    "Relations": lambda: ae.relations(["Delta_ij", "Delta_ik", "P_A"], given=["P_A = 1/2"]),
    "Replication": lambda: replicate("001", only=["001-n4"]),
    "Comparison": lambda: ae.compare(VOTES),
    "Diagnosis": lambda: ae.diagnose(FOUR, folds=2, n_starts=2),
    "JudgePlan": lambda: ae.plan(judges=3, rho1=0.3, vote_correlation=0.4),
    "LabelPlan": lambda: ae.plan(half_width=0.05),
    "RepeatPlan": lambda: ae.plan(budget=100, rate=0.7, label_accuracy=0.8),
    "Leaderboard": lambda: ae.leaderboard(
        [
            dict(zip(("model_a", "model_b", "winner"), x, strict=True))
            for x in ("aba", "bcb", "cac", "abb")
        ]
    ),
    "LearningCurve": lambda: compare.learning_curve(VOTES, ["majority"], sizes=[3], n_repeats=2),
    "FalsePositives": lambda: ae.false_positives(SCORES, ["average"], cut=3),
    "GreedyJudges": lambda: compare.greedy_judges(SCORES, PROGRAM, {1: 1, 2: 2, 3: 8, 4: 9}),
    "Robustness": lambda: ae.robustness(SCORES, SCORES, ["average"], n_samples=9),
    "NextItems": lambda: ae.next_items(VOTES, 3),
    "NextTuples": lambda: ae.next_items(VOTES.sketch(), 3),
    "Labelling": lambda: labelled(),
    "SystemComparison": lambda: ae.compare_systems(VOTES, VOTES, label="a", gold="key"),
    "SystemsComparison": lambda: ae.compare_systems([VOTES, VOTES], label="a", gold="key"),
    "Nearest": lambda: compare.nearest_consistent(KEYED.evaluation(), SKETCH),
    "AxiomSet": lambda: ae.logic.axioms(1),
    "Multiplicities": lambda: ae.logic.multiplicities(SMALL, (6, 4)),
    "EvaluationSet": lambda: ae.evaluations(SMALL),
    "MemberSet": lambda: ae.logic.members(SMALL, key_counts=(6, 4)),
    "Membership": lambda: ae.is_consistent(KEYED, SKETCH),
    "Sample": lambda: ae.sample_consistent(SMALL, 3, seed=1),
    "HalfVotes": lambda: ae.logic.half_votes({"q1": ["a", "tie"], "q2": ["a", "b"]}),
    "PairCorrelations": lambda: logic.pair_correlations(SKETCH, "i", "j", key_counts=(4, 4)),
    "KeySuspicion": lambda: ae.suspect_key(SMALL),
    "IntegerProgram": lambda: ae.program(SMALL, "0.9"),
    "ProgramSolution": lambda: ae.program(SMALL, "0.5").solve(),
    "Alarm": lambda: ae.alarm(SKETCH, "0.9"),
    "Bounds": lambda: ae.bounds(SMALL),
    "Panel": lambda: ae.panel(SMALL, "0.9"),
    "Reach": lambda: ae.reach(3, 0.8),
    "Threshold": lambda: ae.threshold(SKETCH),
    "MeanField": lambda: mean_field(Ising([0.5, 0.0], [[0.0, 1.0], [1.0, 0.0]])),
    "RiskCurve": lambda: factor_risks(0.7, a=0.5, b=1.0, spread=1.0, n_judges=[1, 5]),
    "Report": lambda: ae.report(VOTES),
}
OTHERS = {
    "Votes": lambda: VOTES,
    "Sketch": lambda: SKETCH,
    "KeyedSketch": lambda: KEYED,
    "Summary": lambda: SMALL,
    "Evaluation": lambda: KEYED.evaluation(),
    "Specification": lambda: ae.Specification.of("0.6"),
    "Certificate": lambda: ae.alarm(SKETCH, "0.9").certificate,
    "Estimate": lambda: ae.compare(VOTES, ["majority"]).estimates[0],
    "Consistency": lambda: compare.consistency(KEYED.evaluation(), SMALL_OF_VOTES),
    "Evaluations by program": lambda: ae.evaluations(SMALL, key_counts=(6, 4), engine="pulp"),
    "Members of pairs": lambda: ae.logic.members(SKETCH, order=2, key_counts=(4, 4)),
}
SMALL_OF_VOTES = VOTES.summary()


def leaves(kind):
    """Return the kinds of result nothing inherits from; slots leave a shadow of each class behind."""
    named = (getattr(sys.modules[part.__module__], part.__name__) for part in kind.__subclasses__())
    below = {leaf for part in named for leaf in leaves(part)}
    return below or {kind}


def test_every_kind_of_result_is_among_them():
    for package in (ae, algeval_papers):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not found.name.endswith("__main__"):
                importlib.import_module(found.name)
    ours = ("algeval.", "algeval_papers.")
    found = {kind.__name__ for kind in leaves(Result) if kind.__module__.startswith(ours)}
    assert found == set(RESULTS)


@cache
def example(kind):
    return (RESULTS | OTHERS)[kind]()


@pytest.mark.parametrize("kind", [*RESULTS, *OTHERS])
def test_results_pickle_and_copy_to_equals(kind):
    result = example(kind)
    if kind in RESULTS:
        assert type(result).__name__ == kind
    for other in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result), copy.copy(result)):
        assert type(other) is type(result)
        assert to_json(other) == to_json(result)
        assert other == result
        assert hash(other) == hash(result)
        if hasattr(result, "lister"):
            assert list(other) == list(result)


@pytest.mark.parametrize("kind", [*RESULTS, *OTHERS])
def test_a_result_differs_from_every_other(kind):
    assert [name for name in [*RESULTS, *OTHERS] if example(name) == example(kind)] == [kind]
    assert example(kind) != 1


@pytest.mark.parametrize("kind", ["Aggregation", "Evaluation", "Bounds", "Votes"])
def test_arrays_are_read_only_in_a_pickle_too(kind):
    other = pickle.loads(pickle.dumps(example(kind)))
    arrays = [getattr(other, name) for name in other.__slots__]
    arrays = [array for array in arrays if isinstance(array, np.ndarray)]
    assert arrays
    assert not any(array.flags.writeable for array in arrays)


TABLED = [*RESULTS, "Votes", "Sketch", "KeyedSketch", "Summary", "Evaluation"]


@pytest.mark.parametrize("kind", TABLED)
def test_what_is_shown_in_a_line_is_short(kind):
    assert len(repr(example(kind))) < 300
    assert repr(example(kind)).startswith(f"{kind}(")


@pytest.mark.parametrize("kind", RESULTS)
def test_print_shows_the_summary(kind):
    assert str(example(kind)) == example(kind).summary()


@pytest.mark.parametrize("kind", TABLED)
def test_a_notebook_shows_tables(kind):
    page = example(kind)._repr_html_()
    assert "<pre" not in page
    assert "<table" in page
    for part in re.findall("<tbody>.*?</tbody>", page):
        assert part.count("<tr>") <= 40


@pytest.mark.parametrize("kind", TABLED)
def test_every_library_gives_the_same_frame(kind):
    result = example(kind)
    frames = [result.to_frame(name) for name in ("pandas", "polars", "pyarrow")]
    assert [type(frame) for frame in frames] == [pd.DataFrame, pl.DataFrame, pa.Table]
    pandas, polars, arrow = frames
    assert list(pandas.columns) == polars.columns == arrow.column_names
    assert len(pandas) == polars.height == arrow.num_rows
    assert polars.rows() == [tuple(row.values()) for row in arrow.to_pylist()]
    assert type(result.to_frame()) is pd.DataFrame


def number_or_text(cell, kind):
    """Return what a cell of a CSV file says, given the type of its column in the frame."""
    if cell == "" and kind != pl.String:
        return None
    if kind == pl.Boolean:
        return {"true": True, "false": False}[cell]
    return float(cell) if kind.is_float() else int(cell) if kind.is_integer() else cell or None


@pytest.mark.parametrize("kind", TABLED)
def test_files_hold_what_the_frame_holds(kind, tmp_path):
    result = example(kind)
    frame = result.to_frame("polars")
    for ending, delimiter in ((".csv", ","), (".tsv", "\t")):
        result.to_file(tmp_path / f"x{ending}")
        with (tmp_path / f"x{ending}").open(newline="", encoding="utf-8") as stream:
            head, *rows = csv.reader(stream, delimiter=delimiter)
        assert head == frame.columns
        found = [
            tuple(number_or_text(*cell) for cell in zip(row, frame.dtypes, strict=True))
            for row in rows
        ]
        assert found == [tuple(None if c == "" else c for c in row) for row in frame.rows()]
    result.to_file(tmp_path / "x.parquet")
    found = duckdb.sql(f"SELECT * FROM '{tmp_path / 'x.parquet'}'")
    assert found.columns == frame.columns
    assert found.fetchall() == frame.rows()
    types = {pl.Float64: "DOUBLE", pl.Int64: "BIGINT", pl.Boolean: "BOOLEAN"}
    assert [str(told) for told in found.types] == [types.get(t, "VARCHAR") for t in frame.dtypes]
    result.to_file(tmp_path / "x.json")
    assert json.loads(
        (tmp_path / "x.json").read_text("utf-8"), parse_constant=pytest.fail
    ) == to_json(result)
    assert len(list(tmp_path.iterdir())) == 4


def cells(line):
    """Return the cells of a row of a Markdown table, without the marks that make them plain."""
    parts = re.split(r"(?<!\\) \| ", line.removeprefix("| ").removesuffix(" |"))
    return [re.sub(r"\\(.)", r"\1", part) for part in parts]


@pytest.mark.parametrize("kind", [kind for kind in TABLED if kind != "Report"])
def test_markdown_holds_every_row_of_every_table(kind, tmp_path):
    result = example(kind)
    result.to_file(tmp_path / "x.md")
    text = (tmp_path / "x.md").read_text("utf-8")
    assert text.startswith(f"# {kind}\n")
    tables = result.as_tables()
    parts = text.split("\n## ")[1:]
    assert [part.splitlines()[0] for part in parts] == [table.title for table in tables]
    for part, table in zip(parts, tables, strict=True):
        head, _, *rows = [line for line in part.splitlines() if line.startswith("| ")]
        assert cells(head) == list(table.columns)
        assert len(rows) == table.n_rows
        for row, values in zip(rows, zip(*table.columns.values(), strict=True), strict=True):
            for shown, value in zip(cells(row), values, strict=True):
                if isinstance(value, float) and value == value:
                    assert float(shown) == pytest.approx(value, rel=1e-3)
                elif isinstance(value, str):
                    assert shown == value


def wrongly_valid(schema, document):
    """Yield what a schema lets through: a field missing, one too many, one of a type that nothing has."""
    fields = schema["properties"]
    outer = Draft202012Validator(schema | {"properties": dict.fromkeys(fields, True)}).is_valid
    if outer(document | {"never": 1}):
        yield "one too many"
    for name, value in document.items():
        if outer({n: v for n, v in document.items() if n != name}):
            yield f"no {name}"
        of_one = Draft202012Validator(fields[name] | {"$defs": schema.get("$defs", {})})
        if of_one.is_valid("?" if isinstance(value, dict) else {"?": {"?": []}}):
            yield f"any {name}"


OPTIONAL = {
    **{key: ["no given", "no define", "no domain"] for key in ("Theorem", "Contradiction")},
    **{key: ["no learned"] for key in ("Aggregation", "ScoreAggregation")},
    "Threshold": ["no keys", "no ladder"],
    "Certificate": ["no read"],
}
"""Fields that a certificate of an inequality has, and one of an identity, of the same schema, has not."""
SIGNED = [kind for kind in [*RESULTS, *OTHERS] if kind not in ("Estimate", "Consistency")]


@pytest.mark.parametrize("kind", SIGNED)
def test_the_schema_holds_for_the_document_and_for_no_other(kind):
    document = json.loads(json.dumps(to_json(example(kind))))
    schema = ae.schema(document["schema"])
    assert Draft202012Validator(schema).is_valid(document)
    assert list(wrongly_valid(schema, document)) == OPTIONAL.get(kind, [])


@pytest.mark.parametrize("kind", RESULTS)
def test_a_result_asks_the_figures_for_its_plot(kind, monkeypatch):
    figures = importlib.import_module("algeval.report.figures")
    monkeypatch.setattr(figures, "plot", lambda *given, **options: (given, options), raising=False)
    result = example(kind)
    assert result.plot() == ((result, None), {})
    assert result.plot("bars", width=3) == ((result, "bars"), {"width": 3})
