"""Scores from files, frames and records: the same table from all, the votes of a cut, refusals."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import algeval as ae
from algeval.data import Scores, Sketch, Votes
from algeval.errors import DataError
from algeval.io import (
    read_scores,
    read_scores_with_notes,
    read_votes,
    read_votes_or_scores,
    read_votes_or_scores_with_notes,
)

NAN = float("nan")
DATA = Path(__file__).parents[2] / "../shared/data"
shared = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data are not there")

CSV = "item,x,y,gold,pair\nq1,7,5.50,1,p\nq2,2.5,,0,p\nq3,-1,3,,q\n"
COLUMNS = {
    "item": ["q1", "q2", "q3"],
    "x": [7.0, 2.5, -1.0],
    "y": [5.5, None, 3],
    "gold": [1, 0, None],
    "pair": ["p", "p", "q"],
}


def records():
    return [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)]


def csv_file(path, text=CSV, name="scores.csv"):
    (path / name).write_text(text)
    return path / name


def json_lines(path):
    return csv_file(path, "\n".join(map(json.dumps, records())), "scores.jsonl")


def parquet(path):
    pl.DataFrame(COLUMNS).write_parquet(path / "scores.parquet")
    return path / "scores.parquet"


def workbook(path):
    pd.DataFrame(COLUMNS).to_excel(path / "scores.xlsx", index=False)
    return path / "scores.xlsx"


def texts(path):
    return {name: ["" if v is None else str(v) for v in column] for name, column in COLUMNS.items()}


SOURCES = {
    "csv": csv_file,
    "tsv": lambda path: csv_file(path, CSV.replace(",", "\t"), "scores.tsv"),
    "json lines": json_lines,
    "parquet": parquet,
    "excel": workbook,
    "dict": lambda path: COLUMNS,
    "texts": texts,
    "records": lambda path: records(),
    "pandas": lambda path: pd.DataFrame(COLUMNS),
    "pandas by index": lambda path: pd.DataFrame(COLUMNS).set_index("item"),
    "polars": lambda path: pl.DataFrame(COLUMNS),
    "arrow": lambda path: pa.table(COLUMNS),
}


def by_hand(**more):
    return Scores(["q1", "q2", "q3"], ["x", "y"], [[7, 5.5], [2.5, NAN], [-1, 3]], **more)


@pytest.mark.parametrize("kind", SOURCES)
def test_the_same_table_from_every_source(tmp_path, kind):
    source = SOURCES[kind](tmp_path)
    found = read_scores(source, judges=["x", "y"], key="gold")
    assert found == by_hand(key=["1", "0", None], attributes={"pair": ["p", "p", "q"]})
    assert read_scores(source, key="gold") == by_hand(key=["1", "0", None])
    for at in (2.5, 2.6, -1):
        assert written(found.cut(at)) == written(
            read_votes(source, judges=["x", "y"], key="gold", cut=at)
        )


def written(votes):
    return {**votes.to_dict(), "dtype": str(votes.codes.dtype)}


def test_names_that_are_no_judges_are_left_out_with_a_note(tmp_path):
    found, notes = read_scores_with_notes(csv_file(tmp_path))
    assert found == by_hand()
    assert "left out 'gold': the name says answer key; pass key='gold' to use it" in notes
    assert any(note.startswith("left out 'pair'") for note in notes)
    assert notes[-1] == "1 of 6 scores missing"


def test_columns_beside_the_judges_named_are_attributes():
    table = {"id": ["a", "b"], "x": [1, 2], "y": [3, 4], "len": [10, 12.5], "note": ["", "n/a"]}
    found, notes = read_scores_with_notes({**table, "gold": [1, 2]}, judges=["y"])
    assert found == Scores(
        ["a", "b"],
        ["y"],
        [[3], [4]],
        attributes={"x": [1, 2], "len": [10, "12.5"], "note": [None, None]},
    )
    assert "attributes: 'x', 'len', 'note'" in notes
    assert "left out 'gold': the name says answer key; pass key='gold' to use it" in notes
    assert not any(note.startswith("columns left out") for note in notes)
    nested = {**table, "list": [[1], [2]]}
    found, notes = read_scores_with_notes(nested, judges=["x", "y"])
    assert list(found.attributes) == ["len", "note"]
    assert "left out 'list': lists or objects are no attribute" in notes


def test_without_an_item_column_row_numbers_are_the_ids():
    assert read_scores({"x": [1.5, 2]}).items == ("1", "2")
    assert read_scores({"q": ["a", "b"], "r": [1, 2], "x": [1.5, 2]}, item=["q", "r"]).items == (
        "a:1",
        "b:2",
    )


def test_columns_of_words_are_no_judges():
    found, notes = read_scores_with_notes({"x": [1.5, 2], "who": ["me", "you"]})
    assert found.judges == ("x",)
    assert "left out 'who': it holds texts such as 'me', no scores" in notes


def test_texts_that_mean_no_answer_are_missing():
    cells = ["1", "NA", "error", "4", "none given", "2"]
    found, notes = read_scores_with_notes({"x": cells, "y": range(6)}, missing=["none given"])
    assert found.missing.tolist() == [3, 0]
    assert any(
        note.startswith("votes that failed, counted as missing: 'error' (1)") for note in notes
    )


def long_table():
    items, judges = ["q1", "q1", "q2", "q3", "q3"], ["x", "y", "x", "x", "y"]
    return {"item": items, "judge": judges, "score": [7, "5.50", 2.5, -1, 3]}


def test_long_tables():
    found, notes = read_scores_with_notes(long_table())
    assert found == by_hand()
    assert "2 judges, 5 rows read" in notes
    some = read_scores(long_table(), judges=["y"])
    assert some == by_hand().select(judges=["y"])
    told = {"q": long_table()["item"], "w": long_table()["judge"], "s": long_table()["score"]}
    assert read_scores(told, item="q", judge="w", answer="s") == found
    keyed = {**long_table(), "gold": ["6", "6", "4", "0.5", None]}
    assert read_scores(keyed, key="gold").key == (6.0, 4.0, 0.5)
    assert written(read_scores(keyed, key="gold").cut(4)) == written(
        read_votes(keyed, key="gold", cut=4)
    )


KEYS = {
    "classes": (["Yes", "no", "yes."], ("Yes", "no", "Yes"), "class"),
    "numbers": ([8, "2.50", None], (8.0, 2.5, None), "number"),
    "0/1": ([1, "0.0", None], ("1", "0", None), "class"),
    "three whole numbers": ([0, 1, 2], (0.0, 1.0, 2.0), "number"),
    "unknown": (["", None, "NA"], (None, None, None), "class"),
}


@pytest.mark.parametrize("kind", KEYS)
def test_a_key_is_classes_or_numbers(kind):
    cells, key, key_kind = KEYS[kind]
    table = {"item": ["a", "b", "c"], "x": [1.5, 2, 3], "truth": cells}
    found = read_scores(table, key="truth")
    assert (found.key, found.key_kind) == (key, key_kind)
    del table["truth"]
    known = {"c": cells[2], "a": cells[0], "b": cells[1], "other": cells[0]}
    found = read_scores(table, key=known)
    assert (found.key, found.key_kind) == (key, key_kind)


def test_a_key_of_many_numbers_is_kept():
    """Truths are numbered in 64 bits: 40,000 different ones passed the 32,767 of 16 bits."""
    truths = np.arange(40_000) / 7
    found = read_scores({"x": truths, "truth": truths}, key="truth")
    assert found.key == tuple(truths)


def test_a_key_in_a_file_of_its_own(tmp_path):
    path = csv_file(tmp_path, "item,truth\nq3,0\nq1,1\n", "truth.csv")
    assert read_scores(csv_file(tmp_path), key=path, judges=["x", "y"]).key == ("1", None, "0")


REFUSED = [
    (
        {"x": [1, "high", 3, "low"]},
        {},
        "column 'x' must hold numbers; got 'high' for item '2'; name",
    ),
    (
        {"x": [1, "inf"]},
        {},
        "column 'x' must hold finite numbers; got 'inf' for item '2'; leave the",
    ),
    ({"x": [1, "1e400"]}, {}, "column 'x' must hold finite numbers; got '1e400' for item '2'"),
    ({"x": [1, float("-inf")]}, {}, "column 'x' must hold finite numbers; got '-inf' for item '2'"),
    (
        {"item": ["a", "a"], "x": [1, 2]},
        {},
        "one row per item; got item 'a' again",
    ),
    ({"x": ["a", "b"]}, {}, "'x' was left out because it holds texts such as 'a', no scores"),
    ({"x": [None, ""]}, {}, "scores must hold at least one number; got none"),
    ({"x": [1, 2]}, {"judges": ["z"], "layout": "wide"}, "judges must name a column; got 'z'"),
    ({"x": [1, 2]}, {"key": "z"}, "human must name a column or a file; got 'z'"),
    (
        {"x": [1, 2], "t": [0.5, "good"]},
        {"key": "t"},
        "column 't' must hold numbers or classes, not both; got 'good' beside '0.5'",
    ),
    (
        {"x": [1, 2], "t": [0.5, "inf"]},
        {"key": "t"},
        "column 't' must hold finite numbers or classes; got 'inf'",
    ),
    (
        {"x": [1, 2]},
        {"key": {"1": 0.5, "2": "Infinity"}},
        "key must hold finite numbers or classes",
    ),
    ({"x": [1, 2]}, {"key": {"7": 0.5}}, "key must speak of the same items"),
    (
        {"item": ["a", "a"], "judge": ["x", "x"], "score": [1, 2]},
        {},
        "each judge must answer an item once; got a second vote of 'x' on item 'a'",
    ),
    (
        {"item": ["a", "a"], "judge": ["x", "y"], "score": [1, "top"]},
        {},
        "column 'score' must hold numbers; got 'top' for item 'a'",
    ),
    (
        {"item": ["a", "a"], "judge": ["x", "y"], "score": [1, 2], "gold": [3, 4]},
        {"key": "gold"},
        "column 'gold' must hold one truth per item; got '3' and '4' for item 'a'",
    ),
]


@pytest.mark.parametrize(("table", "options", "message"), REFUSED)
def test_refused(table, options, message):
    with pytest.raises(DataError, match=message) as error:
        read_scores(table, **options)
    assert "\n" not in str(error.value)


def test_other_data_and_documents_are_refused_or_returned(tmp_path):
    s = by_hand()
    assert read_scores(s) is s
    assert read_scores(s, judges=["y"]) == s.select(judges=["y"])
    with pytest.raises(DataError, match="Scores must be passed without reading options; got item="):
        read_scores(s, item="q")
    with pytest.raises(DataError, match="got Votes, which hold labels"):
        read_scores(s.cut(3))
    path = csv_file(tmp_path, json.dumps(s.to_dict()), "saved.json")
    with pytest.raises(DataError, match="a document written by algeval; read it with read_sketch"):
        read_scores(path)
    for read in (read_votes, lambda data: ae.count(data, judges=["x"])):
        with pytest.raises(DataError, match=r"got Scores; call \.cut\(x\) on them"):
            read(s)


def test_a_planted_table_comes_back_from_every_form(tmp_path):
    rng = np.random.default_rng(5)
    values = np.round(rng.normal(3, 2, (60, 4)), 3)
    values[rng.random(values.shape) < 0.25] = NAN
    gold = np.round(rng.normal(3, 2, 60), 2)
    frame = pd.DataFrame(values, columns=[*"wxyz"]).assign(item=range(60), gold=gold)
    frame.to_csv(tmp_path / "s.csv", index=False)
    wanted = Scores(range(60), ["w", "x", "y", "z"], values, gold)
    melted = frame.melt(["item", "gold"], [*"wxyz"], "judge", "score").dropna()
    for source in (frame, tmp_path / "s.csv", melted):
        found = read_scores(source, key="gold").select(items=range(60))
        assert found == wanted
        for at in (0, 3.001, np.nanmax(values)):
            cut = read_votes(source, key="gold", cut=at).select(items=range(60))
            assert written(found.cut(at)) == written(cut)


# ---- what a command reads


def test_tables_are_scores_by_their_looks():
    fine = {"x": [k / 10 for k in range(20)], "y": [None, *range(19)], "gold": [0, 1] * 10}
    found, notes = read_votes_or_scores_with_notes(fine, key="gold", judges=["x", "y"])
    assert found == read_scores(fine, key="gold", judges=["x", "y"])
    assert notes[-2:] == (
        "read as scores: 37 different numbers; cut= makes votes of them",
        "1 of 40 scores missing",
    )
    melted = {"item": [*range(40)], "judge": ["x", "y"] * 20, "score": [k / 3 for k in range(40)]}
    assert read_votes_or_scores(melted) == read_scores(melted)


@pytest.mark.parametrize(
    "table",
    [
        {"x": ["a", "b"], "y": ["a", "a"]},
        {"x": [1, 2], "y": [2, 1]},
        {"x": [0, 0.5, 1], "y": [1, 0.5, 0]},
        {"x": [*range(20)], "y": [*range(20)]},
    ],
)
def test_tables_of_labels_are_votes(table):
    found, notes = read_votes_or_scores_with_notes(table)
    assert isinstance(found, Votes)
    wanted, said = ae.io.read_votes_with_notes(table)
    assert (written(found), notes) == (written(wanted), said)


@pytest.mark.parametrize(
    "told", [{"cut": 1.5}, {"exact_labels": True}, {"map": {"0": "none"}}, {"labels": ["0", "1"]}]
)
def test_who_says_what_the_labels_are_gets_votes(told):
    table = {"x": [k / 10 for k in range(30)], "y": range(30)}
    assert isinstance(read_votes_or_scores(table), Scores)
    assert written(read_votes_or_scores(table, **told)) == written(read_votes(table, **told))


def test_words_beside_scores_are_not_dropped_in_silence():
    table = {"x": [k / 10 for k in range(30)], "y": ["yes", "no", "no"] * 10}
    with pytest.raises(DataError, match="judges must share answers"):
        read_votes_or_scores(table)
    table["y"] = [*map(str, range(29)), "high"]
    with pytest.raises(DataError, match="column 'y' must hold numbers; got 'high' for item '30'"):
        read_votes_or_scores(table)


def test_documents_and_data_are_read_as_load_reads_them(tmp_path):
    sketch = Sketch.from_counts({"ab": 2})
    path = csv_file(tmp_path, json.dumps(sketch.to_dict()), "saved.json")
    assert read_votes_or_scores(path) == sketch
    assert read_votes_or_scores(sketch) is sketch
    assert read_votes_or_scores(by_hand()) == by_hand()
    path = csv_file(tmp_path, json.dumps(by_hand().to_dict()), "scores.json")
    assert read_votes_or_scores(path) == by_hand()
    counted = {"i": ["a", "b"], "j": ["a", "a"], "count": [3, 4]}
    assert read_votes_or_scores(counted, count="count").n_items == 7


# ---- real data


@shared
def test_civilcomments():
    path = DATA / "civilcomments_judge_scores.csv"
    found = read_scores(path, key="gold")
    assert (found.n_items, found.n_judges) == (2500, 21)
    assert int(found.missing.sum()) == 487
    assert (found.key_kind, found.key.count("1")) == ("class", 1253)
    assert found.attributes is None
    assert float(np.nanmin(found.values)) == 0
    assert float(np.nanmax(found.values)) == 9
    assert read_scores(pd.read_csv(path), key="gold") == found
    for at in (4.5, 5, 2.14):
        assert written(found.cut(at)) == written(read_votes(path, key="gold", cut=at))
    assert read_votes_or_scores(path, key="gold") == found


@shared
def test_asset():
    path = DATA / "asset_judge_scores.csv"
    frame = pd.read_csv(path)
    judges = [name for name in frame if name not in ("item", "pair", "rater", "aspect", "gold")]
    found = read_scores(path, judges=judges, key="gold")
    assert (found.n_items, found.judges, found.complete) == (2250, tuple(judges), True)
    assert list(found.attributes) == ["pair", "rater", "aspect"]
    assert found.attributes["pair"] == tuple(frame["pair"].astype(str))
    assert found.key_kind == "number"
    assert found.key == tuple(frame["gold"])
    assert read_scores(frame, judges=judges, key="gold") == found
    assert written(found.cut(50)) == written(read_votes(path, judges=judges, key="gold", cut=50))


@shared
def test_judgebench():
    path = DATA / "judgebench_pairs.csv"
    frame = pd.read_csv(path)
    judges = list(frame.columns[2:8])
    found = read_scores(path, judges=judges, key="gold")
    assert np.array_equal(found.values, frame[judges].to_numpy())
    assert list(found.attributes) == ["source", "len_A", "len_B", "len_diff"]
    assert found.key == tuple(frame["gold"].astype(str))
    assert written(found.cut(0)) == written(read_votes(path, judges=judges, key="gold", cut=0))
    assert read_votes_or_scores(path, judges=judges, key="gold") == found


WIDE = {
    "item": ["q1", "q2", "q3"],
    "gpt4": [7, 2.5, None],
    "claude": [5, 1, 3],
    "length": [120, 80, 15],
    "topic": ["law", "art", "law"],
}


def test_columns_named_attributes_are_no_judges():
    scores = read_scores(WIDE, attributes=["length", "topic"])
    assert scores.judges == ("gpt4", "claude")
    assert dict(scores.attributes) == {
        "length": ("120", "80", "15"),
        "topic": ("law", "art", "law"),
    }
    assert read_scores(WIDE, attributes="length").judges == ("gpt4", "claude")
    named = read_scores(WIDE, judges=["gpt4"], attributes=["topic"])
    assert list(named.attributes) == ["topic"]
    with pytest.raises(DataError, match="'size'"):
        read_scores(WIDE, attributes=["size"])


def test_attributes_of_a_table_of_its_own_are_joined_by_item(tmp_path):
    table = {"item": ["q3", "q1", "q9"], "words": [3, 20, 8], "gold": [1, 0, 1]}
    plain = {name: WIDE[name] for name in ("item", "gpt4", "claude")}
    scores, notes = read_scores_with_notes(plain, attributes=table)
    assert dict(scores.attributes) == {"words": ("20", None, "3")}
    assert any("left out 'gold'" in note for note in notes)
    assert "1 item without attributes" in notes
    path = tmp_path / "more.csv"
    path.write_text("item,words\nq1,20\nq3,3\n")
    assert read_scores(plain, attributes=path) == scores
    assert read_scores(plain, attributes=str(path)) == scores
    assert read_scores(read_scores(plain), attributes=path) == scores
    with pytest.raises(DataError, match="none of them is there"):
        read_scores(plain, attributes={"item": ["x"], "words": [1]})
    with pytest.raises(DataError, match="one row per item; got 1 repeated id"):
        read_scores(plain, attributes={"item": ["q1", "q1"], "words": [1, 2]})
    with pytest.raises(DataError, match="must have a column of item ids"):
        read_scores(plain, attributes={"words": [1, 2, 3]})


def test_attributes_of_a_long_table_are_one_an_item():
    rows = [
        {"item": q, "judge": j, "score": s, "length": n}
        for q, n in (("q1", 120), ("q2", None))
        for j, s in (("gpt4", 7), ("claude", 5.5))
    ]
    scores = read_scores(rows, attributes=["length"])
    assert dict(scores.attributes) == {"length": ("120", None)}
    assert (
        read_scores(rows, judges=["claude"], attributes=["length"]).attributes == scores.attributes
    )
    rows[0]["length"] = 99
    with pytest.raises(DataError, match="must be the same in all rows of an item"):
        read_scores(rows, attributes=["length"])
