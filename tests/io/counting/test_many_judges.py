"""Many judges who answer few items each: counted part by part, as reading and plain Python count them."""

from collections import Counter, defaultdict

import numpy as np
import pandas as pd
import pytest

from algeval.data import sparse as votes_alone
from algeval.data.names import is_sparse
from algeval.errors import DataError
from algeval.io import count, counting, engines, read_votes_with_notes, tuples
from algeval.io import tuples as items
from algeval.io import tuples as room
from algeval.io import tuples as triples
from algeval.io.answers import ReadOptions
from algeval.io.counting import Enough, count_large, open_large
from algeval.io.formats import one_sentence


def large(source, given, *, scores=False, **enough):
    """Return what counting a large source gives, None where its votes are to be read."""
    options = ReadOptions(**given)
    opened = open_large(source, options)
    if opened is None:
        return None
    return count_large(opened, options, Enough(**enough), scores=scores)


LIMITS = (engines.MOST_JUDGES, triples._PART, room.most_tuples(8), room.most_tuples(60))
NAMES = ["o'neil", 'the "judge"', "é\u00df", "a b", "1", "None-such", "%s", "w;--"]
KINDS = {
    "texts": ["yes", "no", "ünsure"],
    "odd": ["it's", 'say "a"', "1,5"],
    "ints": [0, 1, 2],
    "bools": [True, False],
}


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Take small tables for large ones, and few votes for many."""
    monkeypatch.setattr(counting, "LARGE", 30)
    monkeypatch.setattr(counting, "LOOKED_AT", 25)
    monkeypatch.setattr(engines, "MOST_JUDGES", 3)
    monkeypatch.setattr(triples, "_PART", 40)
    monkeypatch.setattr(tuples, "_AT_A_TIME", 7)


def sparse(seed, kind="texts", n_items=60, n_judges=20):
    rng = np.random.default_rng(seed)
    judges = [*NAMES, *(f"w{k}" for k in range(n_judges - len(NAMES)))]
    rows = [
        (f"q {i}", judges[j], KINDS[kind][rng.integers(len(KINDS[kind]))])
        for i in range(n_items)
        for j in rng.choice(len(judges), rng.integers(1, 5), replace=False)
    ]
    rows += [(f"q {i}", judges[0], KINDS[kind][0]) for i in range(n_items, n_items + 20)]
    rows = [rows[k] for k in rng.permutation(len(rows))]
    return pd.DataFrame(rows, columns=["item", "judge", "answer"])


def by_hand(frame, judges):
    """Count the tuples with dictionaries."""
    votes = defaultdict(dict)
    for item, judge, answer in frame.itertuples(index=False):
        votes[item][judge] = None if pd.isna(answer) else str(answer)
    return Counter(tuple(given.get(judge) for judge in judges) for given in votes.values())


def written(frame, path):
    if path.suffix == ".csv":
        frame.to_csv(path, index=False)
    elif path.suffix == ".parquet":
        frame.to_parquet(path)
    else:
        frame.to_json(path, orient="records", lines=True)
    return path


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("kind", "form"),
    [("texts", ".csv"), ("odd", ".jsonl"), ("ints", ".parquet"), ("bools", ".csv")],
)
def test_three_ways_count_alike(tmp_path, kind, form, seed):
    frame = sparse(seed, kind)
    path = written(frame, tmp_path / f"v{form}")
    read, notes = read_votes_with_notes(path, exact_labels=True)
    counted, said = large(path, {"exact_labels": True})
    assert counted == read.sketch()
    assert sorted(said[:-1]) == sorted(notes)
    assert counted.to_counts() == by_hand(frame, counted.judges)
    each, of_each = large(path, {"exact_labels": True}, each=True)
    assert each.to_dict() == read.summary().to_dict()
    assert of_each == said


def test_judges_may_be_chosen_and_votes_may_be_missing(tmp_path):
    frame = sparse(5)
    frame.loc[::7, "answer"] = None
    path = written(frame, tmp_path / "v.parquet")
    chosen = ["w3", NAMES[0], NAMES[1]]
    read, notes = read_votes_with_notes(path, judges=chosen)
    counted, said = large(path, {"judges": chosen})
    assert counted == read.sketch()
    assert sorted(said[:-1]) == sorted(notes)
    kept = by_hand(frame, chosen)
    assert counted.to_counts() == kept
    assert (None, None, None) in kept
    assert large(path, {"judges": chosen}, each=True)[0] == read.summary()


def test_scores_are_cut(tmp_path):
    frame = sparse(6, "ints")
    frame["answer"] = frame["answer"] / 4
    path = written(frame, tmp_path / "v.csv")
    counted, _ = large(path, {"cut": 0.25})
    frame["answer"] = (frame["answer"] >= 0.25).astype(int)
    assert counted.to_counts() == by_hand(frame, counted.judges)


def test_tuples_of_many_parts_are_added_up(tmp_path, monkeypatch):
    monkeypatch.setattr(room, "_MOST_CELLS", 400)
    few = ["a", "b"]
    rows = [(i, f"w{j}", few[i % 2]) for i in range(300) for j in range(i % 5 + 1)]
    frame = pd.DataFrame(rows, columns=["item", "judge", "answer"])
    path = written(frame, tmp_path / "v.parquet")
    counted, _ = large(path, {})
    assert counted.to_counts() == by_hand(frame, counted.judges)
    assert len(counted) == 10


@pytest.mark.parametrize("each", [False, True])
def test_repeated_votes_are_refused_with_the_sentence_of_reading(tmp_path, each):
    frame = sparse(2)
    again = pd.concat([frame, frame.iloc[[30, 4]]], ignore_index=True)
    path = written(again, tmp_path / "v.csv")
    with pytest.raises(DataError) as read:
        read_votes_with_notes(path)
    with pytest.raises(DataError) as counted:
        large(path, {}, each=each)
    assert str(counted.value) == str(read.value)
    assert "(2 repeated votes in all)" in str(read.value)


@pytest.mark.parametrize("most_judges", [3, 40])
def test_two_items_of_one_hash_are_left_to_reading(tmp_path, monkeypatch, most_judges):
    monkeypatch.setattr(engines, "MOST_JUDGES", most_judges)
    path = written(sparse(1), tmp_path / "v.csv")
    whole = items.Hashed.of
    assert large(path, {}) is not None
    monkeypatch.setattr(
        items.Hashed, "of", lambda key: items.Hashed(f"length({key})::UBIGINT", whole(key).second)
    )
    assert large(path, {}) is None


def test_more_tuples_than_fit_are_refused_with_an_estimate(tmp_path, monkeypatch):
    monkeypatch.setattr(room, "_MOST_CELLS", 400)
    path = written(sparse(3, n_items=200), tmp_path / "v.csv")
    with pytest.raises(DataError, match=r"20 judges must be at most 20; got about \d+ .*--summary"):
        large(path, {})
    assert large(path, {}, each=True)[0].n_items == 220
    monkeypatch.setattr(engines, "MOST_JUDGES", 40)
    with pytest.raises(DataError, match="must be at most 20; got more;"):
        large(path, {})


def test_a_vote_is_repeated_however_far_apart(tmp_path):
    rows = [(f"q{k % 3}", f"w{k // 3}", "ab"[k % 2]) for k in range(60)]
    path = written(
        pd.DataFrame([*rows, rows[1]], columns=["item", "judge", "answer"]), tmp_path / "v.csv"
    )
    with pytest.raises(DataError, match=r"second vote of 'w0' on item 'q1' in row 61 \(1 rep"):
        large(path, {})


def test_no_room_is_told_as_that(tmp_path):
    path = written(sparse(1), tmp_path / "v.parquet")
    for text, where in (
        (
            "Out of Memory Error: could not allocate block of size 256.0 KiB (9 used)",
            "in memory; got",
        ),
        ("Out of Memory Error: Allocation failure", "in memory; got"),
        ("Out of Memory Error: failed to offload data block of size 256.0 KiB", "on disk for"),
        ("IO Error: No space left on device", "on disk for"),
    ):
        assert f"v.parquet must have room {where}" in str(one_sentence(path, Exception(text)))
    assert "readable; got 'Invalid Input'" in str(one_sentence(path, Exception("Invalid Input")))


def test_counting_in_too_little_memory_says_that(tmp_path, monkeypatch):
    """DuckDB itself runs out of memory, with two megabytes of it."""
    rng = np.random.default_rng(1)
    votes = {f"j{k}": rng.choice(["a", "b"], 60_000) for k in range(15)}
    path = written(pd.DataFrame(votes), tmp_path / "v.parquet")
    monkeypatch.setattr(tuples, "_BASE", 2)
    monkeypatch.setattr(tuples, "_PER_THREAD", 0)
    with pytest.raises(
        DataError, match=r"^counting v\.parquet must have room in memory; got 'Out of Mem"
    ):
        count(path, judges=[*votes])


def test_rows_keep_their_order_after_parts_were_written(tmp_path, monkeypatch):
    monkeypatch.setattr(triples, "_PART", 50_000)
    rows = [(f"q{k}", f"w{k % 9}", "ab"[k % 2]) for k in range(200_000)]
    rows += [("q7", "w7", "a"), ("q3", "w3", "b")]
    path = written(pd.DataFrame(rows, columns=["item", "judge", "answer"]), tmp_path / "v.parquet")
    with pytest.raises(DataError, match=r"second vote of 'w7' on item 'q7' in row 200001 \(2 rep"):
        large(path, {})


def test_the_limits_are_what_the_pages_say():
    assert LIMITS == (40, 4_000_000, 10_000_000, 4_166_666)


@pytest.mark.parametrize("form", [".csv", ".parquet", ".jsonl"])
def test_tuples_kept_as_their_votes_are_the_same(tmp_path, monkeypatch, form):
    frame = sparse(4, n_judges=70)
    path = written(frame, tmp_path / f"v{form}")
    dense, notes = large(path, {})
    monkeypatch.setattr(votes_alone, "SPARSE_FROM", 0)
    counted, said = large(path, {})
    assert is_sparse(counted.codes)
    assert not is_sparse(dense.codes)
    assert (counted, said) == (dense, notes)


def test_more_votes_than_fit_are_refused_with_an_estimate(tmp_path, monkeypatch):
    monkeypatch.setattr(votes_alone, "SPARSE_FROM", 0)
    monkeypatch.setattr(room, "_MOST_VOTES", 50)
    path = written(sparse(3, n_items=200, n_judges=70), tmp_path / "v.csv")
    with pytest.raises(DataError, match=r"of at most 50 votes; got about \d+ of \d+; .*--summary"):
        large(path, {})
    assert large(path, {}, each=True)[0].n_judges == 70
