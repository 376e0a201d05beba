"""Counting where the votes lie must give what reading them gives: the same sketch, the same notes."""

import gzip
import json
from collections import Counter
from dataclasses import replace

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from algeval.errors import DataError
from algeval.io import counting, engines, formats, read_votes_with_notes, tuples
from algeval.io.answers import ReadOptions
from algeval.io.counting import Enough, count_large, open_large


def large(source, given, *, scores=False, **enough):
    """Return what counting a large source gives, None where its votes are to be read."""
    options = ReadOptions(**given)
    opened = open_large(source, options)
    if opened is None:
        return None
    return count_large(opened, options, Enough(**enough), scores=scores)


LIMITS = (counting.LARGE, counting.LOOKED_AT, tuples.MOST_TUPLES)
SPELLED = ["a", "A", "a.", "B", "b", " b", "tie", "Tie", "NA", "", None, "error"]
SHARES = [0.2, 0.05, 0.05, 0.1, 0.15, 0.05, 0.1, 0.1, 0.05, 0.05, 0.05, 0.05]


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Take small tables for large ones."""
    monkeypatch.setattr(counting, "LARGE", 30)
    monkeypatch.setattr(counting, "LOOKED_AT", 25)


def wide_table(n=200, seed=0):
    rng = np.random.default_rng(seed)
    cells = {f"j{k}": rng.choice(SPELLED, n, p=SHARES).tolist() for k in range(3)}
    return pd.DataFrame({"item": [f"q{k}" for k in rng.permutation(n)], **cells})


def long_table(n=120, seed=0):
    rng = np.random.default_rng(seed)
    rows = wide_table(n, seed).melt("item", var_name="judge", value_name="answer")
    kept = rows[rng.random(len(rows)) < 0.8]
    return kept.sample(frac=1, random_state=seed).reset_index(drop=True)


def written(frame, path):
    kind = path.suffix
    if kind == ".csv":
        frame.to_csv(path, index=False)
    elif kind == ".gz":
        path.write_bytes(gzip.compress(frame.to_csv(index=False).encode()))
    elif kind == ".parquet":
        frame.to_parquet(path)
    else:
        rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
        path.write_text("\n".join(map(json.dumps, rows)))
    return path


def same(source, **options):
    votes, notes = read_votes_with_notes(source, **options)
    found = large(source, options)
    assert found is not None
    sketch, (*said, last) = found
    assert sketch == votes.sketch()
    kept = tuple(f"left out {texts.name!r}: " for texts in votes.texts)  # counts have no texts
    assert sorted(note for note in said if not note.startswith(kept)) == sorted(notes)
    assert "items were not kept" in last
    return sketch


FORMS = [".csv", ".csv.gz", ".parquet", ".jsonl"]
OPTIONS = [
    {},
    {"exact_labels": True},
    {"labels": ["a", "b"]},
    {"missing": ["tie"]},
    {"map": {"a": "yes", "b": "no"}},
    {"judges": ["j2", "j0"]},
]


CASES = [
    (form, OPTIONS[k % 6], OPTIONS[(k + 3) % 6]) for k, form in enumerate([*FORMS, *FORMS[1:3]])
]


@pytest.mark.parametrize("make", [wide_table, long_table])
@pytest.mark.parametrize(("form", "first", "second"), CASES)
def test_counting_is_reading(tmp_path, form, first, second, make):
    path = written(make(seed=len(form)), tmp_path / f"v{form}")
    same(path, **first)
    same(path, **second)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("make", [wide_table, long_table])
def test_of_equally_common_spellings_the_first_is_shown(tmp_path, make, seed):
    frame = make(40, seed)
    frame = frame.replace({"A": "a", "a.": "AA", "AA": "Aa"})
    same(written(frame, tmp_path / "v.csv"))


@pytest.mark.parametrize(
    ("form", "kind"),
    [(".csv", str), (".jsonl", np.float64), (".parquet", np.float64), (".parquet", np.float32)],
)
def test_scores_cut_in_the_database_are_cut_alike(tmp_path, form, kind):
    rng = np.random.default_rng(5)
    scores = np.round(rng.normal(size=(300, 3)), 1).astype(kind)
    frame = pd.DataFrame(scores, columns=["x", "y", "z"])
    frame.insert(0, "item", range(300))
    frame.loc[::9, "y"] = None
    path = written(frame, tmp_path / f"v{form}")
    assert same(path, cut=0.7).labels == ("0", "1")
    same(path, cut=-0.3, missing=["0.9", "-1"])
    long = frame.melt("item", var_name="judge", value_name="score")
    same(written(long, tmp_path / f"l{form}"), cut=0.5, item="item", judge="judge", answer="score")


def test_a_judge_that_failed_is_one_too_where_all_scores_lie_above_the_cut(tmp_path):
    path = tmp_path / "v.csv"
    path.write_text("x,y\n" + "".join(f"0.{k},{k % 7}\n" for k in range(100, 200)) + "error,3\n")
    assert same(path, cut=-1).missing.tolist() == [1, 0]


@pytest.mark.parametrize("form", [".csv", ".parquet", ".jsonl"])
def test_many_different_rows_are_translated_before_they_are_grouped(tmp_path, form, monkeypatch):
    monkeypatch.setattr(tuples, "MOST_TUPLES", 50)
    path = written(wide_table(300, 4), tmp_path / f"v{form}")
    for options in OPTIONS[1::2]:
        same(path, **options)


def test_too_many_cells_are_no_answers(tmp_path, monkeypatch):
    monkeypatch.setattr(tuples, "MOST_TUPLES", 50)
    monkeypatch.setattr(engines, "_MOST_CELLS", 100)
    path = tmp_path / "v.csv"
    path.write_text("x,y\n" + "".join(f"{k},{k % 7}\n" for k in range(200)))
    with pytest.raises(DataError, match=r"more than \d+ different cells"):
        large(path, {"exact_labels": True})


@pytest.mark.parametrize(
    ("form", "column"),
    [
        *((".parquet", c) for c in ("q", 7, " padded", "é", 2.5)),
        (".csv", "q"),
        (".jsonl", " é"),
        (".jsonl", 7),
        (".jsonl", 2.5),
    ],
)
def test_repeated_items_are_refused_with_the_sentence_of_reading(tmp_path, form, column):
    ids = [f"{column}{k}" if isinstance(column, str) else column + k for k in range(60)]
    ids[40], ids[50] = ids[8], ids[3]
    frame = pd.DataFrame({"item": ids, "x": list("ab") * 30, "y": list("aab") * 20})
    path = written(frame, tmp_path / f"v{form}")
    with pytest.raises(DataError) as read:
        read_votes_with_notes(path)
    if form == ".jsonl" and column == 2.5:
        assert large(path, {}) is None  # floats in JSON are told apart by reading them
        return
    with pytest.raises(DataError) as counted:
        large(path, {})
    assert str(counted.value) == str(read.value)
    assert "2 items repeated" in str(read.value)


ODD_IDS = {
    "plain": ("q3", None),
    "a quote": ('say "x"', None),
    "a backslash": ("a\\b", None),
    "another alphabet": ("\u00e9", None),
    "a space within": ("q 3", None),
    "the same as a number": ("12", 12),
    "a space after": ("q3", "q3 "),
    "nothing": (" ", None),
}


@pytest.mark.parametrize("name", ODD_IDS)
@pytest.mark.parametrize("most", [10, 5_000_000])
def test_ids_of_json_are_told_apart_as_reading_does(tmp_path, monkeypatch, name, most):
    monkeypatch.setattr(tuples, "_MOST_SORTED", most)
    first, second = ODD_IDS[name]
    ids = [f"q{k}" for k in range(100, 140)] + [first] + ([] if second is None else [second])
    rows = [{"item": item, "x": "ab"[k % 2], "y": "aab"[k % 3]} for k, item in enumerate(ids)]
    path = tmp_path / "v.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    try:
        votes = read_votes_with_notes(path)[0]
    except DataError as error:
        refusals = [str(error), None]  # mixed ids are left to reading
        try:
            counted = large(path, {})
        except DataError as other:
            counted = str(other)
        assert counted in refusals
    else:
        assert large(path, {})[0] == votes.sketch()


def test_ids_that_differ_by_space_only_are_one_item(tmp_path):
    frame = pd.DataFrame(
        {"item": [f"q{k}" for k in range(59)] + ["q3\u2003"], "x": list("ab") * 30}
    )
    path = written(frame, tmp_path / "v.parquet")
    with pytest.raises(DataError, match="got item 'q3' again"):
        large(path, {})


@pytest.mark.parametrize("most", [10, 1000])
def test_items_are_hashed_and_sorted_or_grouped(tmp_path, most, monkeypatch):
    monkeypatch.setattr(tuples, "_MOST_SORTED", most)
    frame = wide_table()
    same(written(frame, tmp_path / "v.parquet"))
    frame.loc[150, "item"] = frame.loc[20, "item"]
    with pytest.raises(DataError, match="1 item repeated"):
        large(written(frame, tmp_path / "w.parquet"), {})


WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UINTEGER", "UBIGINT")


@pytest.mark.parametrize("kind", [*WHOLE, "HUGEINT", "VARCHAR"])
@pytest.mark.parametrize("ids", ["(i * 37) % 100", "i", "i * 1000000"])
@pytest.mark.parametrize("again", [None, 3])
def test_ids_that_occur_twice_are_seen_whatever_proves_that_none_does(tmp_path, kind, ids, again):
    least = 0 if kind.startswith("U") or kind == "VARCHAR" else 50
    if "1000000" in ids and kind in ("TINYINT", "SMALLINT"):
        pytest.skip("too large for the type")
    path = tmp_path / "v.parquet"
    row = "i" if again is None else f"CASE WHEN i = 70 THEN {again} ELSE i END"
    duckdb.sql(
        f"COPY (SELECT CAST({ids} - {least} AS {kind}) AS item, CASE i % 3 WHEN 0 THEN 'a' ELSE 'b' END AS "
        f"x FROM (SELECT {row} AS i FROM range(100) r(i))) TO '{path}' (FORMAT parquet)"
    )
    scan = tuples.of_file(formats.open_file(path))
    if again is None:
        assert tuples.check_items(scan, ["item"], 100)
    else:
        with pytest.raises(DataError, match="1 item repeated"):
            tuples.check_items(scan, ["item"], 100)


def test_hashes_are_sorted_part_by_part(monkeypatch):
    cells = {"item": [f"q{(k * 37) % 100}" for k in range(100)], "x": [*"ab"] * 50}
    scan = tuples.of_relation(duckdb.from_arrow(pa.table(cells)))
    asked = []
    counted = replace(scan, run=lambda query: asked.append(query) or scan.run(query))
    key = scan.cells["item"]
    for n_parts in (1, 7):
        assert tuples._hashed_once(counted, f"hash({key})", n_parts)
        assert not tuples._hashed_once(counted, f"hash({key}) % 90", n_parts)
    assert len(asked) > 8


def test_several_columns_may_name_an_item(tmp_path):
    frame = wide_table()
    frame.insert(1, "part", [k % 3 for k in range(len(frame))])
    path = written(frame, tmp_path / "v.parquet")
    same(path, item=["item", "part"])
    frame.loc[7, "part"] = None
    with pytest.raises(DataError, match="row 8 has none in column 'part'"):
        large(written(frame, path), {"item": ["item", "part"]})


def test_the_spaces_are_those_that_python_strips():
    assert {chr(n) for n in range(0x110000) if not chr(n).strip()} == set(tuples.SPACES)


@pytest.mark.parametrize("form", FORMS[2:])
def test_repeated_votes_are_refused_with_the_sentence_of_reading(tmp_path, form):
    frame = long_table(60, 3)
    again = pd.concat([frame, frame.iloc[[30, 4]]], ignore_index=True)
    again.loc[len(again) - 2, "answer"] = "b"
    path = written(again, tmp_path / f"v{form}")
    with pytest.raises(DataError) as read:
        read_votes_with_notes(path)
    with pytest.raises(DataError) as counted:
        large(path, {})
    assert str(counted.value) == str(read.value)
    assert "(2 repeated votes in all)" in str(read.value)


@pytest.mark.parametrize("column", ["item", "judge"])
def test_a_row_without_item_or_judge_is_refused_alike(tmp_path, column):
    frame = long_table(60, 3)
    frame.loc[44, column] = None
    path = written(frame, tmp_path / "v.csv")
    with pytest.raises(DataError) as read:
        read_votes_with_notes(path)
    with pytest.raises(DataError) as counted:
        large(path, {})
    assert str(counted.value) == str(read.value)
    assert "row 45 has none" in str(read.value)


def test_one_vote_in_several_columns(tmp_path):
    rng = np.random.default_rng(0)
    won = rng.integers(0, 3, 300)
    columns = {f"winner_{name}": (won == k).astype(int) for k, name in enumerate("abt")}
    same(written(pd.DataFrame({"id": range(300), **columns}), tmp_path / "v.parquet"))


def test_columns_that_are_no_votes_are_left_out_as_from_the_first_rows(tmp_path):
    frame = wide_table()
    frame["prompt text"] = [f"say {k}" for k in range(len(frame))]
    path = written(frame, tmp_path / "v.csv")
    same(path)
    votes, notes = read_votes_with_notes(path)  # which keeps them to be shown with an item
    assert [texts.name for texts in votes.texts] == ["prompt text"]
    assert not any("prompt text" in note for note in notes)
    assert "left out 'prompt text': it differs on every row" in large(path, {})[1]


def test_what_the_first_rows_hide_is_refused(tmp_path):
    frame = pd.DataFrame(
        {"x": [1, 2] * 100, "y": [1, 2, 2, 1] * 50, "z": ["word"] * 30 + ["2"] * 170}
    )
    path = written(frame, tmp_path / "v.csv")
    with pytest.raises(DataError, match=r"no votes in 'z' \(it holds texts.*170 votes"):
        large(path, {"cut": 0.5})
    frame = wide_table()[["item", "j0", "j1"]]
    frame["unnamed: 9"] = [None] * 190 + ["b"] * 10
    with pytest.raises(
        DataError, match=r"the first 25, which have no votes in 'unnamed: 9'.*10 votes"
    ):
        large(written(frame, path), {})


def test_strangers_in_later_rows_are_refused(tmp_path):
    frame = pd.DataFrame({"x": ["a", "b"] * 50, "y": ["a", "b"] * 15 + ["4", "5"] * 35})
    same(written(frame, tmp_path / "v.csv"))
    frame = pd.DataFrame({"x": ["a", "b"] * 50, "y": [None] * 40 + ["4", "5"] * 30})
    with pytest.raises(DataError, match="have none in common"):
        large(written(frame, tmp_path / "v.csv"), {})


KEYED = [{}, {"exact_labels": True}, {"labels": ["a", "b", "tie"]}, {"missing": ["tie"]}]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("given", KEYED)
def test_a_key_in_a_column_is_counted_with_the_votes(tmp_path, form, given):
    frame = wide_table(150, 7)
    spelled = ["a", "b", "tie"] if "exact_labels" in given else ["A", "b", "B.", "tie"]
    spelled = [text for text in spelled if text not in given.get("missing", ())]
    frame["gold"] = np.random.default_rng(7).choice(spelled, len(frame))
    path = written(frame, tmp_path / f"v{form}")
    votes, notes = read_votes_with_notes(path, key="gold", **given)
    counted, said = large(path, given | {"key": "gold"})
    assert counted == votes.keyed_sketch()
    assert sorted(said[:-1]) == sorted(notes)
    assert large(path, given | {"key": "gold"}, scored=False)[0] == votes.sketch()


def test_a_key_of_scores_is_cut_like_them(tmp_path):
    rng = np.random.default_rng(8)
    frame = pd.DataFrame(rng.integers(0, 30, (200, 3)), columns=["x", "y", "gold"])
    path = written(frame, tmp_path / "v.parquet")
    given = {"key": "gold", "cut": 11}
    counted, _ = large(path, given)
    rows = zip(*(np.where(frame[name] >= 11, "1", "0") for name in frame), strict=True)
    by_hand = Counter(rows)
    assert {
        (*counted.sketch.decision(row), counted.sketch.labels[t]): n
        for row, line in enumerate(counted.keyed.tolist())
        for t, n in enumerate(line)
        if n
    } == by_hand
    assert counted == read_votes_with_notes(path, **given)[0].keyed_sketch()


def test_a_key_that_does_not_know_every_item_is_checked_or_read(tmp_path):
    frame = wide_table(150, 7)
    frame["gold"] = ["a", None] * 75
    path = written(frame, tmp_path / "v.csv")
    assert large(path, {"key": "gold"}) is None
    votes, _ = read_votes_with_notes(path, key="gold")
    assert large(path, {"key": "gold"}, scored=False)[0] == votes.sketch()
    frame["gold"] = "c"
    with pytest.raises(DataError, match="every true label of column 'gold' must be one of"):
        large(written(frame, path), {"key": "gold"}, scored=False)


@pytest.mark.parametrize("key", ["gold.csv", {"q1": "a"}])
def test_a_key_apart_from_the_votes_is_read(tmp_path, key):
    assert large(written(wide_table(), tmp_path / "v.csv"), {"key": key}) is None


@pytest.mark.parametrize("given", [{"count": "n"}, {"question": "x"}])
def test_what_needs_the_items_is_read(tmp_path, given):
    assert large(written(wide_table(), tmp_path / "v.csv"), given) is None


def test_small_tables_are_read(tmp_path):
    assert large(written(wide_table(30), tmp_path / "v.csv"), {}) is None
    assert large(written(wide_table(31), tmp_path / "w.csv"), {}) is not None


def test_scores_are_left_to_the_reader_of_scores(tmp_path):
    frame = pd.DataFrame({"x": range(100), "y": range(100)})
    path = written(frame, tmp_path / "v.csv")
    assert large(path, {}, scores=True) is None
    assert large(path, {})[0].n_labels == 100


def test_forty_judges_and_many_labels_take_several_words(tmp_path):
    rng = np.random.default_rng(1)
    rows = [(i, f"w{j}", f"l{rng.integers(0, 30)}") for i in range(20) for j in range(40)]
    frame = pd.DataFrame(rows, columns=["item", "judge", "answer"]).sample(frac=0.9, random_state=0)
    assert same(written(frame, tmp_path / "v.parquet")).n_judges == 40


def test_nested_cells_are_refused(tmp_path):
    path = tmp_path / "v.parquet"
    duckdb.sql(f"COPY (SELECT i AS item, [i] AS x, 'a' AS y FROM range(99) r(i)) TO '{path}'")
    with pytest.raises(DataError, match="column 'x' must hold one plain value"):
        large(path, {})


def test_the_limits_are_what_the_pages_say():
    assert LIMITS == (100_000, 10_000, 100_000)
