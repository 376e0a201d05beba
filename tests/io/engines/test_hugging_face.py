"""Data sets of the library datasets: read as Arrow tables, classes by name. A stand-in has its face."""

from types import SimpleNamespace

import pyarrow as pa
import pytest

from algeval import alarm
from algeval.errors import DataError
from algeval.io import count, read_votes
from algeval.io.tables import is_dataset

TABLE = pa.table({"item": ["q1", "q2", "q3"], "x": [1, 0, -1], "y": ["good", None, "bad"]})
FEATURES = {"item": SimpleNamespace(), "x": SimpleNamespace(names=["bad", "good"])}


def dataset(kind="Dataset"):
    def with_format(self, name):
        assert name == "arrow"
        return TABLE

    TABLE_LIKE = {"__module__": "datasets.arrow_dataset", "with_format": with_format}
    made = type(kind, (), TABLE_LIKE | {"features": FEATURES, "column_names": [*"ixy"]})()
    assert is_dataset(made) == (kind == "Dataset")
    return made


def test_classes_have_their_names_and_no_class_is_no_vote():
    expected = {("good", "good"): 1, ("bad", None): 1, (None, "bad"): 1}
    assert count(dataset(), judges=["x", "y"]).to_counts() == expected
    votes = read_votes(dataset())
    assert (votes.items, votes.sketch().to_counts()) == (("q1", "q2", "q3"), expected)
    assert alarm(dataset(), at_least=0).triggered is False


def test_a_stream_of_rows_is_refused_with_the_way_out():
    with pytest.raises(DataError, match=r"got IterableDataset; convert it first, .* to_pandas\(\)"):
        alarm(dataset("IterableDataset"), at_least=0)
