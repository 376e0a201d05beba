"""All trios of a panel against decoding each of them alone."""

import csv
import json
from importlib import import_module
from itertools import combinations

import numpy as np
import pytest

from algeval.algebra.decoding import Atlas, atlas, decode
from algeval.algebra.trios import trio_of
from algeval.data import Sketch, Votes
from algeval.errors import DataError, TooLargeError
from algeval.result import Status

atlas_module = import_module("algeval.algebra.decoding")


def panel(n_judges, n_items, letters, seed, missing=0.0, skill=0.75):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, len(letters), n_items)
    codes = np.where(
        rng.random((n_items, n_judges)) < skill,
        truth[:, None],
        rng.integers(0, len(letters), (n_items, n_judges)),
    )
    codes[rng.random(codes.shape) < missing] = -1
    names = [f"j{n}" for n in range(n_judges)]
    return Votes(range(n_items), names, letters, letters, codes.astype(np.int16))


@pytest.mark.parametrize(("letters", "missing"), [("ab", 0.0), ("ab", 0.3), ("abc", 0.0)])
def test_every_trio_matches_its_own_decoding(letters, missing):
    votes = panel(6, 400, tuple(letters), 1, missing)
    found = decode(votes)
    assert isinstance(found, Atlas)
    assert len(found.trios) == 20
    for row, places in enumerate(combinations(range(6), 3)):
        names = [votes.judges[p] for p in places]
        alone = decode(votes, names)
        assert found.trios[row].tolist() == list(places)
        assert found.status_of(reversed(names)) is alone.status
        assert found.n_used[row] == alone.n_used
        if alone.best is None or alone.status is Status.UNDETERMINED:
            assert np.isnan(found.prevalence[row]).all()
            continue
        best = alone.best.to_floats()
        assert np.allclose(found.prevalence[row], best.prevalence, atol=1e-12)
        assert np.allclose(found.accuracies[row], best.accuracies(), atol=1e-12)
        assert found.passing[row] == alone.in_range
    assert sum(found.status_counts.values()) == 20


def test_trio_counts_by_matrix_products_are_exact():
    votes = panel(7, 300, ("a", "b"), 2, missing=0.2)
    counts = atlas_module._all_trio_counts(votes.sketch())
    for row, places in enumerate(combinations(range(7), 3)):
        assert tuple(counts[row]) == trio_of(votes, [votes.judges[p] for p in places]).flat


def test_independent_judges_agree_and_the_graph_joins_them():
    votes = panel(5, 20_000, ("a", "b"), 3, skill=0.6)
    result = atlas(votes)
    assert result.status is Status.OK
    assert result.passing.all()
    low, middle, high = result.agreement[:, 0]
    assert 0.45 < low <= middle <= high < 0.55
    graph = result.graph()
    assert graph.number_of_edges() == 10
    assert {data["trios"] for *_, data in graph.edges(data=True)} == {3}
    assert "half of the passing trios say" in result.summary()


def test_no_passing_trio_is_undetermined():
    result = atlas(Sketch.from_counts({"aaaa": 5}, labels=["a", "b"]))
    assert result.status is Status.UNDETERMINED
    assert np.isnan(result.agreement).all()
    assert result.graph().number_of_edges() == 0
    assert result.status_counts["undetermined"] == 4


def test_a_real_panel(real_votes):
    with (real_votes / "bluebird_votes.csv").open() as file:
        rows = list(csv.reader(file))[1:]
    votes = Votes.from_records([tuple(row[:3]) for row in rows])
    result = atlas(votes)
    assert len(result.trios) == len(list(combinations(votes.judges, 3)))
    assert result.passing.any()


def test_refusals(monkeypatch):
    four = Sketch.from_counts({"abab": 1, "baab": 2})
    with pytest.raises(DataError, match="three or more judges"):
        atlas(four, ["1", "2"])
    with pytest.raises(DataError, match="engine is chosen per trio"):
        decode(four, engine="closed")
    with pytest.raises(DataError, match="name one trio"):
        atlas(four).status_of(["1", "2"])
    monkeypatch.setattr(atlas_module, "_MOST_WORK", 10)
    with pytest.raises(TooLargeError, match="choose judges="):
        atlas(four)
    monkeypatch.setattr(atlas_module, "_MOST_PENCILS", 3)
    with pytest.raises(TooLargeError, match="at most 3 trios"):
        atlas(Sketch.from_counts({"abcc": 1, "baab": 2}))


def test_to_dict_is_strict_json_though_some_trios_have_no_estimate():
    document = atlas(Sketch.from_counts({"abab": 1, "baaa": 2})).to_dict()
    assert document["prevalence"][0] == [None, None]
    assert json.dumps(document, allow_nan=False)


def test_a_judge_that_always_contradicts_the_others_passes_where_it_decodes():
    for k in range(1, 12):
        sketch = Sketch.from_counts({"aba": k, "bab": 7})
        assert decode(sketch).status is Status.OK
        assert atlas(sketch).passing.tolist() == [True]


def test_hours_of_pencils_are_refused_with_an_estimate():
    labels = [f"{n:02}" for n in range(40)]
    votes = {tuple([label] * 12): 1 for label in labels}
    with pytest.raises(TooLargeError, match="220 trios of 40 labels need about 3; choose judges="):
        atlas(Sketch.from_counts(votes))
