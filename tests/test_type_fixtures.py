"""The JSON of every core type and status, kept on file, so that a change of format is noticed.

After a change that is meant, say so in the changelog, raise the number of the schema if old files
can no longer be read, delete the file and run ``python tests/test_type_fixtures.py``.
"""

import json
from fractions import Fraction as F
from pathlib import Path

import numpy as np
import pytest

import algeval as ae
from algeval.aggregate import (
    Aggregation,
    Agreement,
    Bootstrap,
    ScoreAggregation,
    agreement,
    score,
    suspects,
)
from algeval.algebra import decode
from algeval.compare import Disagreement
from algeval.logic import Certificate
from algeval.result import Quadratic, Result, Status

FOLDER = Path(__file__).parent / "fixtures" / "types"
TRIOS = ["aaa", "aab", "aba", "baa", "bba", "bab", "abb", "bbb"]


def votes():
    columns = {"gpt4": ["a", "b", None, "a"], "human": ["a", "a", "b", "refused"]}
    return ae.Votes.from_columns(columns, labels=["a", "b"], key=["a", None, "b", "a"])


def scores():
    columns = {"gpt4": [7, 2.5, None], "human": [5, 0.1, 3]}
    return ae.Scores.from_columns(
        columns, items=["q1", "q2", "q3"], key=[6.5, None, 2], attributes={"pair": [1, 1, None]}
    )


def panel_of_scores():
    columns = {"i": [1, 2, 8, 9, None], "j": [1, 3, 2, 4, 4], "k": [0, 1, 1, 2, 1]}
    return ae.Scores.from_columns(columns)


def sketch():
    return ae.Sketch.from_counts({"aab": 3, "bab": 2, "bbb": 4, "aaa": 3}, judges=["i", "j", "k"])


def keyed_sketch():
    return ae.KeyedSketch(sketch(), np.array([[3, 0], [2, 1], [1, 1], [0, 4]]))


def graders():
    return ae.example("mt-bench-summary")


def pairs():
    return ae.example("mt-bench").select(judges=["authors", "gpt4"]).sketch()


def evaluation(kind):
    a, b, one, half = F(3, 4), F(2, 3), F(1), F(1, 2)
    if kind == "quadratic":
        a, b = Quadratic.make(half, F(1, 8), 2), Quadratic.make(half, F(1, 9), 2)
    table = np.array([[[a, one - a], [one - b, b]]], dtype=object)
    exact = ae.Evaluation(["i"], ["a", "b"], ["a", "b"], np.array([half, half]), table)
    return exact.to_floats() if kind == "float" else exact


def trio(*counts):
    kept = {t: n for t, n in zip(TRIOS, counts, strict=True) if n}
    return decode(ae.Sketch.from_counts(kept, judges=["i", "j", "k"], labels=["a", "b"]))


def specification():
    return (
        ae.Specification.at_least(F(3, 5)) & ae.Specification.prevalence("tie", "<=", F(2, 5))
    ).by_at_least(2)


def lone_judge():
    return ae.Sketch.from_counts({"aab": 40, "bba": 40, "abb": 5}, judges=["i", "j", "k"])


TYPES = {
    "votes": votes,
    "scores": scores,
    "sketch": sketch,
    "keyed_sketch": keyed_sketch,
    "summary": graders,
    "evaluation_exact": lambda: evaluation("exact"),
    "evaluation_float": lambda: evaluation("float"),
    "evaluation_quadratic": lambda: evaluation("quadratic"),
    "specification": specification,
    "alarm": lambda: ae.alarm(graders(), at_least="0.67"),
    "alarm_silent": lambda: ae.alarm(graders(), at_least="0.6"),
    "threshold": lambda: ae.threshold(graders()),
    "panel": lambda: ae.panel(graders(), at_least="0.7"),
    "bounds": lambda: ae.bounds(graders(), at_least="0.6"),
    "evaluations": lambda: ae.evaluations(graders().select(["gpt4"])),
    "decoding": lambda: trio(1, 1, 1, 1, 1, 1, 1, 9),
    "aggregation": lambda: ae.aggregate(votes().select(judges=["gpt4", "human"]), "majority"),
    "score_aggregation": lambda: ae.aggregate(panel_of_scores()),
    "agreement": lambda: agreement(sketch()),
    "score": lambda: score(ae.aggregate(votes(), "majority"), votes()),
    "suspect": lambda: suspects(lone_judge())[0],
    "aggregation_bootstrap": lambda: ae.aggregate(sketch(), "majority").bootstrap(n=10),
    "comparison": lambda: ae.compare(keyed_sketch(), intervals=0),
    "disagreement": lambda: ae.disagreement(keyed_sketch(), ae.aggregate(sketch(), "dawid-skene")),
    "report": lambda: ae.report(graders(), source="mt-bench-summary"),
    "certificate_witness": lambda: ae.threshold(graders()).witness,
    "certificate_cap": lambda: ae.alarm(graders(), at_least="0.67").certificate,
    "certificate_weights": lambda: ae.alarm(pairs(), at_least="0.66").certificate,
    "certificate_branches": lambda: ae.threshold(pairs(), exact=True).refutation,
}
"""{file: how to make the value again}."""

STATUSES = {
    Status.OK: lambda: ae.threshold(graders()),
    Status.NOT_CONVERGED: lambda: ae.aggregate(sketch(), "dawid-skene", max_iter=1),
    Status.TIME_LIMIT: lambda: ae.threshold(
        ae.example("mt-bench"), order="full", exact=True, time_limit=1e-9
    ),
    Status.TOO_LARGE: lambda: Result(status=Status.TOO_LARGE, message="No easy way here."),
    Status.NOT_IDENTIFIABLE: lambda: ae.aggregate(pairs(), "dawid-skene"),
    Status.UNDETERMINED: lambda: trio(4, 0, 0, 0, 0, 0, 0, 0),
    Status.INCONSISTENT: lambda: trio(0, 0, 0, 0, 1, 1, 1, 5),
    Status.IRRATIONAL: lambda: trio(568, 553, 649, 1813, 3534, 3607, 1068, 8208),
    Status.NOT_INTEGRAL: lambda: trio(0, 0, 0, 2, 1, 1, 1, 3),
    Status.OUT_OF_RANGE: lambda: trio(0, 0, 0, 1, 1, 4, 1, 1),
    Status.COMPLEX: lambda: trio(0, 1, 1, 1, 1, 1, 3, 0),
}

ALL = TYPES | {f"status_{status.value}": build for status, build in STATUSES.items()}

READERS = {
    "algeval.votes/1": ae.Votes,
    "algeval.scores/1": ae.Scores,
    "algeval.sketch/1": ae.Sketch,
    "algeval.keyed_sketch/1": ae.KeyedSketch,
    "algeval.summary/1": ae.Summary,
    "algeval.evaluation/1": ae.Evaluation,
    "algeval.specification/1": ae.Specification,
    "algeval.certificate/1": Certificate,
    "algeval.aggregation/1": Aggregation,
    "algeval.score_aggregation/1": ScoreAggregation,
    "algeval.agreement/1": Agreement,
    "algeval.aggregation_bootstrap/1": Bootstrap,
    "algeval.disagreement/1": Disagreement,
}
CERTIFIED = {
    "certificate_witness": graders,
    "certificate_cap": graders,
    "certificate_weights": pairs,
    "certificate_branches": pairs,
}


def on_file(name):
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def written(value):
    """Return what a reader of the JSON gets."""
    return json.loads(json.dumps(value.to_dict(), allow_nan=False))


def names(value, path=""):
    """Return the paths of all fields; the items of a list share one."""
    if isinstance(value, dict):
        inner = [f for key, v in value.items() for f in names(v, f"{path}.{key}")]
        return sorted({*inner, *(f"{path}.{key}" for key in value)})
    if isinstance(value, list):
        return sorted({field for item in value for field in names(item, f"{path}[]")})
    return []


def test_every_type_and_status_is_on_file():
    assert {path.stem for path in FOLDER.glob("*.json")} == set(ALL)
    assert set(STATUSES) == set(Status)


@pytest.mark.parametrize("name", ALL)
def test_todays_code_writes_the_same_fields(name):
    kept, made = on_file(name), written(ALL[name]())
    assert made.get("schema") == kept.get("schema")
    if "certificate" not in name:  # another proof of the same claim is as good
        assert names(made) == names(kept)
    else:
        assert set(made) == set(kept)
        assert names(made["claim"]) == names(kept["claim"])


@pytest.mark.parametrize("name", ALL)
def test_todays_code_reads_the_file_and_writes_it_back(name):
    kept = on_file(name)
    reader = READERS.get(kept["schema"])
    if reader is None:
        assert not hasattr(type(ALL[name]()), "from_dict"), "add the type to READERS"
        return
    assert written(reader.from_dict(kept)) == kept


@pytest.mark.parametrize("status", Status)
def test_each_status_is_reached(status):
    assert STATUSES[status]().status is status
    assert on_file(f"status_{status.value}")["status"] == status.value


@pytest.mark.parametrize("name", CERTIFIED)
def test_a_certificate_on_file_is_accepted(name):
    assert ae.verify(on_file(name), CERTIFIED[name]()).ok


@pytest.mark.parametrize("name", ["votes", "scores", "sketch", "summary", "keyed_sketch"])
def test_data_on_file_are_equal_to_the_data(name):
    kept, made = READERS[on_file(name)["schema"]].from_dict(on_file(name)), ALL[name]()
    assert written(kept) == written(made)


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for stem, make in ALL.items():
        place = FOLDER / f"{stem}.json"
        if not place.exists():
            place.write_text(json.dumps(written(make()), indent=1) + "\n", encoding="utf-8")
