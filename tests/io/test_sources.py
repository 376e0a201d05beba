"""Every function that asks for data takes what people have."""

import inspect
import json
import timeit

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import algeval as ae
from algeval import door, logic
from algeval.aggregate import agreement, suspects
from algeval.errors import DataError
from algeval.io import answers, counting, sources
from algeval.io.sources import read_data, read_data_or_scores

ROWS = [*[["a", "a", "b"]] * 6, *[["b", "b", "b"]] * 7, *[["a", "b", "a"]] * 3, ["b", None, "a"]]
JUDGES = ("judge 1", "judge 2", "judge 3")
VOTES = ae.Votes.from_columns({f"judge {j + 1}": [row[j] for row in ROWS] for j in range(3)})
COMPLETE = VOTES.select(items=VOTES.items[:-1])
FRAME = pd.DataFrame(ROWS, columns=JUDGES)


def csv(folder):
    path = folder / "votes.csv"
    FRAME.to_csv(path, index=False)
    return path


TABLES = {
    "path": csv,
    "text": lambda folder: str(csv(folder)),
    "pandas": lambda folder: FRAME,
    "polars": lambda folder: pl.DataFrame(ROWS, schema=list(JUDGES), orient="row"),
    "pyarrow": lambda folder: pa.Table.from_pandas(FRAME),
    "array": lambda folder: np.array(ROWS, object),
    "rows": lambda folder: ROWS,
    "arrays": lambda folder: [np.array(row, object) for row in ROWS],
    "columns": lambda folder: {name: FRAME[name].tolist() for name in JUDGES},
}


@pytest.mark.parametrize("kind", TABLES)
def test_every_kind_of_table_is_the_same_votes(kind, tmp_path):
    assert read_data(TABLES[kind](tmp_path)).to_dict() == VOTES.to_dict()


def test_a_float_array_has_whole_numbers_as_labels_and_nan_as_missing():
    votes = read_data(np.array([[1.0, 0.0], [0.0, np.nan]]))
    assert (votes.judges, votes.labels) == (("judge 1", "judge 2"), ("0", "1"))
    assert votes.codes.tolist() == [[1, 0], [0, -1]]


def test_a_masked_cell_is_missing():
    cells = np.ma.masked_array([[1, 0], [0, 1]], [[False, False], [True, False]])
    assert read_data(cells).codes.tolist() == [[1, 0], [-1, 1]]


def test_a_document_of_algeval_is_read_as_what_it_is(tmp_path):
    path = tmp_path / "counts.json"
    path.write_text(json.dumps(VOTES.sketch().to_dict()))
    assert read_data(path) == VOTES.sketch()


@pytest.mark.parametrize("make", [lambda v: v, ae.Votes.sketch, ae.Votes.summary])
def test_data_are_returned_as_they_are(make):
    data = make(VOTES)
    assert read_data(data) is data


def refusal(ask, data):
    with pytest.raises(ae.NotIdentifiableError) as refused:
        ask(data)
    return str(refused.value)


ASK = {
    "alarm": ae.alarm,
    "bounds": lambda data: ae.bounds(data, order=1),
    "check": lambda data: ae.check(data, 0.1, order=1),
    "compare": lambda data: ae.compare(data, ["majority"], intervals=0),
    "count_consistent": ae.count_consistent,
    "decode": ae.decode,
    "diagnose": lambda data: ae.diagnose(data, replicates=19, n_starts=1),
    "disagreement": ae.disagreement,
    "evaluations": ae.evaluations,
    "if_others": lambda data: logic.if_others(data, "judge 1", order=1),
    "is_consistent": lambda data: ae.is_consistent(
        next(iter(logic.members(COMPLETE))), data, order=1
    ),
    "drift": lambda data: ae.drift(data, data),
    "judge_bias": lambda data: ae.judge_bias(data, {"length": {str(k): k for k in range(1, 17)}}),
    "slices": lambda data: ae.slices(
        data, {"half": {str(k): "ab"[k % 2] for k in range(1, 17)}}, good="a"
    ),
    "judge_card": lambda data: ae.judge_card(data, human={"1": "a", "2": "b"}),
    "judge_groups": lambda data: ae.judge_groups(data, replicates=19),
    "members": logic.members,
    "multiplicities": lambda data: logic.multiplicities(data, (8, 8), judges=JUDGES[:2]),
    "panel": lambda data: ae.panel(data, order=1),
    "rate": lambda data: ae.rate(data, "a", {"1": "a"}),
    "self_consistency": ae.self_consistency,
    "sample_consistent": lambda data: ae.sample_consistent(data, 2),
    "suspect_key": lambda data: ae.suspect_key(data, order=1),
    "program": lambda data: ae.program(data, "2/3"),
    "threshold": lambda data: ae.threshold(data, order=1),
    "report": lambda data: ae.report(data, intervals=0),
    "aggregate": lambda data: ae.aggregate(data, "majority"),
    "agreement": agreement,
    "score_test": lambda data: refusal(ae.score_test, data),  # three judges are too few for it
    "suspects": lambda data: suspects(data) or agreement(data),
}


def said(result):
    return result if isinstance(result, int | str) else result.message


@pytest.mark.parametrize("name", ASK)
def test_a_function_says_of_a_frame_what_it_says_of_the_votes(name):
    assert said(ASK[name](FRAME[:-1])) == said(ASK[name](COMPLETE))


def test_every_public_function_of_data_is_asked_above():
    asking = {
        name
        for name in ae.__all__
        if callable(value := getattr(ae, name))
        and not inspect.isclass(value)
        and "data" in inspect.signature(value).parameters
        and name not in ("verify", *OF_SCORES)
    }
    assert asking <= set(ASK)


OF_SCORES = {
    "confounders": lambda data: ae.confounders(data, folds=2),
    "false_positives": lambda data: ae.false_positives(data, cut=5),
}


@pytest.mark.parametrize("name", OF_SCORES)
def test_a_function_of_scores_says_of_a_frame_what_it_says_of_the_scores(name):
    rng = np.random.default_rng(0)
    values = 5 + rng.normal(size=(60, 1)) + rng.normal(size=(60, 5))
    frame = pd.DataFrame(np.round(values, 2), columns=list("abcde"))
    assert said(OF_SCORES[name](frame)) == said(OF_SCORES[name](ae.read_scores(frame)))


@pytest.mark.parametrize("call", [ae.alarm, ae.report, ae.aggregate, agreement])
def test_a_text_that_names_no_file_gives_one_sentence(call):
    with pytest.raises(DataError, match=r"must be a file that exists; got 'nope\.csv'; check"):
        call("nope.csv")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (5, "a table of votes .* got int; pass one"),
        (None, "got NoneType"),
        ([("q1", "x", "a")], "must be lists .*from_records"),
        ([["a"], ["a", "b"]], r"one cell per judge; got lengths \[1, 2\]"),
        ([[]], "one cell per judge"),
        (np.zeros(3), r"row per item and a column per judge; got shape \(3,\)"),
        (np.zeros((0, 2)), "got shape"),
        ([1, 2], "one mapping per row; got 1"),
    ],
)
def test_what_is_no_table_is_refused(data, words):
    with pytest.raises(DataError, match=words):
        ae.alarm(data)


NUMBERS = np.arange(60).reshape(30, 2) / 7


def test_numbers_are_refused_where_labels_are_needed():
    with pytest.raises(DataError, match=r"60 different numbers.*read_votes\(data, cut=x\)"):
        ae.alarm(NUMBERS)
    with pytest.raises(DataError, match=r"call \.cut\(x\)"):
        ae.alarm(ae.read_scores(NUMBERS))


def test_scores_on_file_are_refused_where_labels_are_needed(tmp_path):
    path = tmp_path / "scores.json"
    path.write_text(json.dumps(ae.read_scores(NUMBERS).to_dict()))
    with pytest.raises(DataError, match="From where on is an output good"):
        ae.alarm(path)


def test_numbers_are_scores_where_scores_will_do():
    found = read_data_or_scores(NUMBERS)
    assert isinstance(found, ae.Scores)
    assert np.array_equal(found.values, NUMBERS)
    assert read_data_or_scores(found) is found
    with pytest.raises(DataError, match="got int"):
        read_data_or_scores(7)


def test_a_table_is_read_once(monkeypatch, tmp_path):
    times = []
    opened, look = sources.open_source, door.votes_of
    monkeypatch.setattr(
        sources, "open_source", lambda *a, **k: times.append(a[0]) or opened(*a, **k)
    )
    monkeypatch.setattr(door, "votes_of", lambda data: times.append(data) or look(data))
    for path, once in ((csv(tmp_path), 1), (tmp_path / "votes.tsv", 2)):  # looked at, then read
        FRAME.to_csv(path, index=False, sep="," if once == 1 else "\t")
        ae.threshold(path, order=1)
        assert times == [path] * once
        ae.compare(path, ["majority"], intervals=0)
        assert times == [path] * 2 * once
        times.clear()
    ae.compare(VOTES, ["majority"], intervals=0)
    assert times == []


def test_data_pass_in_next_to_no_time():
    sketch = VOTES.sketch()
    assert min(timeit.repeat(lambda: read_data(sketch), number=1000, repeat=5)) / 1000 < 20e-6


def test_a_fit_predicts_a_frame():
    fit = ae.aggregate(FRAME, "dawid-skene")
    assert np.array_equal(fit.predict(FRAME), fit.predict(VOTES))


@pytest.fixture
def large_file(tmp_path, monkeypatch):
    """Take small tables for large ones."""
    monkeypatch.setattr(counting, "LARGE", 10)
    path = tmp_path / "votes.csv"
    pd.DataFrame(ROWS, columns=["x", "y", "z"]).to_csv(path, index=False)
    return path


def test_a_large_file_is_counted_unless_items_are_needed(large_file, monkeypatch):
    read = ae.read_votes(large_file)
    counted = read_data(large_file)
    assert isinstance(counted, ae.Sketch)
    assert counted == read.sketch()
    assert read_data_or_scores(large_file, items=False) == counted
    assert read_data(large_file, items=True) == read
    assert read_data_or_scores(large_file) == read
    monkeypatch.setattr(counting, "LARGE", 100)
    assert read_data(large_file) == read


@pytest.mark.parametrize("name", ["alarm", "threshold", "panel", "decode"])
def test_answers_of_counts_are_those_of_votes(large_file, name):
    ask = getattr(ae, name)
    asked = {} if name == "decode" else {"order": 1}
    counted, read = (
        ask(data, **asked).to_dict() for data in (large_file, ae.read_votes(large_file))
    )
    assert counted == read


def test_items_are_named_however_large_the_file_is(large_file):
    assert len(ae.aggregate(str(large_file), "majority").item_labels) == len(ROWS)
    assert ae.compare(large_file, ["majority"], intervals=0).summary()


def test_numbers_of_a_large_file_are_no_labels(large_file):
    rows = [[k, k + 1, k + 2] for k in range(40)]
    pd.DataFrame(rows, columns=["x", "y", "z"]).to_csv(large_file, index=False)
    with pytest.raises(DataError, match="look like scores"):
        ae.alarm(large_file)
    assert isinstance(read_data_or_scores(large_file, items=False), ae.Scores)


_TYPED = ("gpt-4o", "llm"), ("claude-3", "llm"), ("llama-70b", "llm"), ("x7", "person")


@pytest.mark.parametrize(
    ("person", "typed", "judges"),
    [
        ("human", False, None),
        ("expert_3", False, None),
        ("anna", False, None),
        ("x7", True, None),
        ("human", False, ["gpt-4o", "claude-3"]),
    ],
)
def test_a_person_late_in_a_large_long_file_is_no_judge(
    tmp_path, monkeypatch, person, typed, judges
):
    monkeypatch.setattr(counting, "LARGE", 300)
    monkeypatch.setattr(counting, "LOOKED_AT", 60)
    path = tmp_path / "votes.csv"
    rng = np.random.default_rng(1)
    rows = [(k, who, kind) for k in range(150) for who, kind in _TYPED[:3]]
    rows += [(k, person, "person") for k in range(40)]
    labels = np.where(rng.random(len(rows)) < 0.6, "yes", "no")
    frame = pd.DataFrame(rows, columns=["item", "rater", "kind"]).assign(label=labels)
    (frame if typed else frame.drop(columns="kind")).to_csv(path, index=False)
    asked = {} if judges is None else {"judges": judges}
    small = ae.read_votes(path, **asked)
    read = sources.read(str(path), answers.ReadOptions(**asked), enough=counting.Enough()).data
    names = judges or [who for who, _ in _TYPED[:3]]
    assert list(read.judges) == list(small.judges) == names
    assert read.key is not None
    if not judges:
        assert ae.alarm(path).summary() == ae.alarm(small).summary()
    if typed:
        assert [row.judge for row in ae.judge_card(path).judges] == names
        assert "40 human answers" in ae.report(path).summary()
        assert ae.rate(path).n_gold == 40


def test_a_new_judge_late_in_a_large_long_file_is_counted(tmp_path, monkeypatch):
    monkeypatch.setattr(counting, "LARGE", 300)
    monkeypatch.setattr(counting, "LOOKED_AT", 60)
    path = tmp_path / "votes.csv"
    rows = [(k, who) for who in ("gpt-4o", "claude-3", "mistral") for k in range(150)]
    labels = ["yes" if k % 3 else "no" for k, _ in rows]
    pd.DataFrame(rows, columns=["item", "rater"]).assign(label=labels).to_csv(path, index=False)
    assert read_data(path) == ae.read_votes(path).sketch()
