import numpy as np
import pytest

from algeval.errors import DataError
from algeval.io import example, example_names, example_notes


def test_every_example_has_notes_with_its_source():
    for name in example_names():
        assert any("Source:" in note for note in example_notes(name))
        assert example(name).n_items > 0


def test_mt_bench_tallies_as_printed():
    votes = example("mt-bench")
    assert votes.judges == ("experts", "authors", "gpt4")
    assert votes.labels == votes.answers == ("a", "b", "tie")
    assert votes.items[0] == "82:gpt-4:claude-v1"
    assert len(set(votes.items)) == 25
    assert votes.complete
    # the caption says experts (4, 14, 7); the text's gpt4 = (4, 18, 3) is not what the table tallies
    assert votes.summary().counts.tolist() == [[4, 14, 7], [5, 10, 10], [5, 18, 2]]
    named = {part for item in votes.items for part in item.split(":")[1:]}
    assert named == {
        "gpt-4", "claude-v1", "llama-13b", "vicuna-13b-v1.2", "gpt-3.5-turbo", "alpaca-13b",
    }  # fmt: skip
    row = votes.items.index("91:gpt-3.5-turbo:gpt-4")
    assert [votes.answers[c] for c in votes.codes[row]] == ["tie", "tie", "a"]


def test_mt_bench_summary_is_that_of_the_text():
    summary = example("mt-bench-summary")
    assert (summary.judges, summary.n_items) == (("authors", "gpt4"), 25)
    assert summary.labels == ("a", "b", "tie")
    assert summary.counts.tolist() == [[5, 10, 10], [4, 18, 3]]


def test_acs_adds_up_to_the_observed_column():
    keyed = example("acs")
    observed = {
        "AAA": 568, "AAB": 553, "ABA": 649, "BAA": 1813,
        "BBA": 3534, "BAB": 3607, "ABB": 1068, "BBB": 8208,
    }  # fmt: skip
    assert keyed.sketch.to_counts() == {tuple(k): n for k, n in observed.items()}
    assert (keyed.sketch.judges, keyed.sketch.labels) == (("1", "2", "3"), ("A", "B"))
    assert keyed.n_items == 20_000
    assert np.array_equal(keyed.keyed.sum(0), [2000, 18000])


def test_unknown_example():
    with pytest.raises(DataError, match="example must be one of"):
        example("mt")
