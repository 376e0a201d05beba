import json
from fractions import Fraction

import polars as pl
import pytest

from algeval.data import KeyedSketch, Sketch, Summary, Votes
from algeval.errors import DataError
from algeval.io import (
    load,
    load_with_notes,
    read_counts,
    read_keyed_counts,
    read_sketch,
    read_votes,
)

SKETCH = Sketch.from_counts({"ab": 5, "b.": 2}, judges=["i", "j"])
KEYED = KeyedSketch.from_counts({"a": {"ab": 3, "aa": 1}, "b": {"bb": 2}}, judges=["i", "j"])
VOTES = Votes.from_columns({"i": ["a", "b"], "j": ["a", None]}, key=["a", "b"])


def put(tmp_path, document, name="d.json"):
    path = tmp_path / name
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return path


@pytest.mark.parametrize(
    "thing", [SKETCH, KEYED, VOTES, SKETCH.summary()], ids=lambda x: type(x).__name__
)
@pytest.mark.parametrize("read", [read_sketch, load])
def test_documents_come_back_as_what_they_were(tmp_path, thing, read):
    found = read(put(tmp_path, thing.to_dict()))
    assert type(found) is type(thing)
    assert found.to_dict() == thing.to_dict()


def test_pretty_documents_and_objects_pass_through(tmp_path):
    path = put(tmp_path, json.dumps(SKETCH.to_dict(), indent=2))
    assert load_with_notes(path) == (SKETCH, ("d.json read as a Sketch document",))
    assert load(SKETCH) is SKETCH
    assert load(VOTES) is VOTES


def test_load_reads_votes_and_counts(tmp_path):
    lines = put(tmp_path, '{"item":1,"i":"a"}\n{"item":2,"i":"b"}\n', "v.json")
    assert isinstance(load(lines), Votes)
    table = put(tmp_path, "i,j,n\na,b,5\nb,,2\n", "c.csv")
    found, notes = load_with_notes(table, count="n", judges=None)
    assert found == SKETCH
    assert notes == (
        "Read as counts: 7 items, 2 graders i, j; labels a, b; rows are tuples of answers (counted in 'n')",
    )
    with pytest.raises(DataError, match="without reading options; got cut="):
        load(put(tmp_path, SKETCH.to_dict()), cut=1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{", "must be a JSON document"),
        ("[1]", "got schema None"),
        ('{"schema": "algeval.certificate/1"}', "got schema 'algeval.certificate/1'"),
        (
            '{"schema": "algeval.sketch/1", "judges": ["i"]}',
            "must be a whole algeval.sketch/1 document",
        ),
        (json.dumps(SKETCH.to_dict() | {"counts": [6, 2]}), "digest must match"),
    ],
)
def test_broken_documents_get_one_sentence(tmp_path, text, expected):
    with pytest.raises(DataError, match=expected) as caught:
        read_sketch(put(tmp_path, text))
    assert "\n" not in str(caught.value)


def test_missing_document(tmp_path):
    with pytest.raises(DataError, match="readable file"):
        read_sketch(tmp_path / "none.json")


def test_counts_by_hand():
    table = {"i": ["a", "b", "a"], "j": ["b", None, "b"], "count": [2, 2, 3]}
    assert read_counts(table) == SKETCH
    assert read_counts(pl.DataFrame(table)) == SKETCH
    assert read_counts(table, judges=["j"]).to_counts() == {(None,): 2, ("b",): 5}


@pytest.mark.parametrize(
    ("table", "options", "expected"),
    [
        ({"i": ["a"], "n": [1]}, {}, "count must name a column; got 'count'"),
        ({"i": ["a"], "count": [1.5]}, {}, "whole numbers from 0 to"),
        ({"i": ["a"], "count": [-1]}, {}, "whole numbers from 0 to"),
        ({"i": ["a"], "count": [str(2**63)]}, {}, "whole numbers from 0 to"),
        ({"i": ["a"], "count": ["many"]}, {}, "must be a finite number; got 'many'"),
        ({"i": ["a", "b"], "count": [1, None]}, {}, "row 2 has none"),
        ({"i": ["a"], "truth": ["a"], "count": [1]}, {}, "'truth' does not look like one"),
        ({"i": ["a"], "count": [1]}, {"judges": ["k"]}, "judges must name a column; got 'k'"),
        ({"count": [1]}, {}, "at least one judge"),
    ],
)
def test_bad_counts_get_one_sentence(table, options, expected):
    with pytest.raises(DataError, match=expected):
        read_counts(table, **options)


def test_keyed_counts():
    table = {
        "i": ["a", "a", "b", "b"],
        "j": ["b", "a", "b", "b"],
        "t": ["a", "a", "b", "b"],
        "count": [3, 1, 1, 1],
    }
    found = read_keyed_counts(table, key="t")
    assert found.to_dict() == KEYED.to_dict()
    assert found.evaluation().accuracy("j", "a") == Fraction(1, 4)
    with pytest.raises(DataError, match="got None in row 1; pass labels="):
        read_keyed_counts(table | {"t": [None, "a", "b", "b"]}, key="t")


def test_a_summary_is_not_votes(tmp_path):
    path = put(tmp_path, Summary.from_counts({"i": {"a": 1}}).to_dict())
    with pytest.raises(
        DataError, match="a document written by algeval; read it with read_sketch or load"
    ):
        read_votes(path)
