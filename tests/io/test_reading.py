import gzip
import json
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algeval.data import Votes
from algeval.errors import DataError
from algeval.io import read_votes, read_votes_with_notes

DATA = Path(__file__).parents[2] / "../shared/data"
WIDE = "item,gpt4,claude\nq1,a,b\nq2,b,\nq3,a,a\n"
LONG = "item,judge,answer\nq1,gpt4,a\nq1,claude,b\nq2,gpt4,b\nq3,claude,a\nq3,gpt4,a\n"


def same(first: Votes, second: Votes) -> bool:
    names = ("items", "judges", "labels", "answers")
    keys = (first.key is None) == (second.key is None) and (
        first.key is None or np.array_equal(first.key, second.key)
    )
    return (
        all(getattr(first, n) == getattr(second, n) for n in names)
        and np.array_equal(first.codes, second.codes)
        and keys
    )


def by_hand() -> Votes:
    return Votes(
        ("q1", "q2", "q3"), ("gpt4", "claude"), ("a", "b"), ("a", "b"), [[0, 1], [1, -1], [0, 0]]
    )


def put(tmp_path, text, name="votes.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_wide_csv(tmp_path):
    assert same(read_votes(put(tmp_path, WIDE)), by_hand())
    assert same(read_votes(str(put(tmp_path, WIDE))), by_hand())


def test_long_csv_gives_the_same_votes(tmp_path):
    votes, notes = read_votes_with_notes(put(tmp_path, LONG))
    assert same(votes, by_hand())
    assert notes[1].startswith("long layout (auto-detected): item 'item', judge 'judge'")
    assert notes[-1] == "1 of 6 votes missing"


@pytest.mark.parametrize("mark", ["\t", ";", "|"])
@pytest.mark.parametrize("name", ["votes.csv", "votes.tsv", "votes.txt", "votes"])
def test_delimiters_are_found_by_looking(tmp_path, mark, name):
    assert same(read_votes(put(tmp_path, WIDE.replace(",", mark), name)), by_hand())


@pytest.mark.parametrize(
    "text",
    [
        WIDE.replace("\n", "\r\n"),
        "\ufeff" + WIDE,
        WIDE.rstrip("\n"),
        WIDE.replace(",", ", "),
        'item,gpt4,claude\n"q1","a","b"\n"q2","b",""\n"q3","a","a"\n',
    ],
)
def test_dialects(tmp_path, text):
    assert same(read_votes(put(tmp_path, text)), by_hand())


def test_gzip_and_names_that_look_like_patterns(tmp_path):
    path = tmp_path / "votes[1]*.csv.gz"
    path.write_bytes(gzip.compress(WIDE.encode()))
    (tmp_path / "votes1x.csv.gz").write_bytes(gzip.compress(b"item,x\n1,2\n"))
    assert same(read_votes(path), by_hand())


def test_json_lines_array_and_lookalikes(tmp_path):
    rows = [
        {"item": "q1", "gpt4": "a", "claude": "b"},
        {"item": "q2", "gpt4": "b"},
        {"claude": "a", "item": "q3", "gpt4": "a"},
    ]
    lines = "\n".join(map(json.dumps, rows))
    for name in ("v.jsonl", "v.ndjson", "v.json", "noname"):
        assert same(read_votes(put(tmp_path, lines, name)), by_hand())
    assert same(read_votes(put(tmp_path, json.dumps(rows), "array.json")), by_hand())
    assert same(read_votes(put(tmp_path, lines, "odd.csv"), format="jsonl"), by_hand())
    packed = tmp_path / "v.jsonl.gz"
    packed.write_bytes(gzip.compress(lines.encode()))
    assert same(read_votes(packed), by_hand())


def test_json_values_keep_their_spelling_and_odd_names_work(tmp_path):
    lines = '{"i.d/x":1.0,"a\\"b":1,"c":true}\n{"i.d/x":2,"a\\"b":1.0,"c":"true"}\n'
    votes = read_votes(
        put(tmp_path, lines, "v.jsonl"), item="i.d/x", judges=['a"b', "c"], exact_labels=True
    )
    assert votes.items == ("1", "2")
    assert votes.answers == ("1", "True", "true")
    assert votes.codes.tolist() == [[0, 1], [0, 2]]


def test_parquet_by_extension_and_by_its_first_bytes(tmp_path):
    frame = pl.DataFrame({"item": ["q1", "q2"], "i": [1.0, None], "j": [1, 0], "k": [True, False]})
    for name in ("v.parquet", "v.csv"):
        frame.write_parquet(tmp_path / name)
        votes = read_votes(tmp_path / name, judges=["i", "j", "k"])
        assert votes.answers == ("0", "1")  # true is 1, false is 0
        assert votes.codes.tolist() == [[1, 1, 1], [-1, 0, 0]]


def frames():
    cells = {"item": ["q1", "q2", "q3"], "gpt4": ["a", "b", "a"], "claude": ["b", None, "a"]}
    con = duckdb.connect()
    con.execute("CREATE TABLE v (item VARCHAR, gpt4 ENUM('b', 'a'), claude VARCHAR)")
    con.execute("INSERT INTO v VALUES ('q1','a','b'), ('q2','b',NULL), ('q3','a','a')")
    yield "pandas", pd.DataFrame(cells)
    yield "pandas object", pd.DataFrame(cells, dtype=object)
    yield "pandas category", pd.DataFrame(cells).astype({"gpt4": "category", "claude": "category"})
    yield "pandas index", pd.DataFrame(cells).set_index("item")
    yield "polars", pl.DataFrame(cells)
    yield "polars lazy", pl.DataFrame(cells).lazy()
    yield "polars enum", pl.DataFrame(cells).with_columns(pl.col("gpt4").cast(pl.Enum(["b", "a"])))
    yield "pyarrow", pa.table(cells)
    yield "mapping", cells
    yield (
        "records",
        [dict(zip(cells, row, strict=True)) for row in zip(*cells.values(), strict=True)],
    )
    yield "duckdb", con.table("v")


FRAMES = [name for name, _ in frames()]


@pytest.mark.parametrize("name", FRAMES)
def test_every_frame_gives_the_same_votes(name):
    assert same(read_votes(dict(frames())[name]), by_hand())


def test_votes_pass_through_and_take_no_options():
    votes = by_hand()
    assert read_votes(votes) is votes
    assert read_votes(votes, judges=["claude"]).judges == ("claude",)
    with pytest.raises(DataError, match="got cut="):
        read_votes(votes, cut=3)


@pytest.mark.parametrize(
    "make", [pd.DataFrame, pl.DataFrame, pa.table, dict], ids=["pandas", "polars", "arrow", "dict"]
)
def test_one_spelling_per_number(make):
    votes = read_votes(make({"i": [1.0, None, 2.5], "j": [1, 0, 2], "k": ["1.0", "2.50", "x"]}))
    assert votes.answers == ("0", "1", "2", "2.5", "x")
    assert votes.codes.tolist() == [[1, 1, 1], [-1, 0, 3], [3, 2, 4]]


def test_narrow_floats_and_nullable_types():
    narrow = pl.DataFrame(
        {"i": [0.1, 0.5], "j": [0.1, 0.5]}, schema={"i": pl.Float32, "j": pl.Float64}
    )
    assert read_votes(narrow).answers == ("0.1", "0.5")
    nullable = pd.DataFrame(
        {"i": pd.array([1, None], "Int64"), "j": pd.array([None, True], "boolean")}
    )
    assert read_votes(nullable, judges=["i", "j"]).codes.tolist() == [[0, -1], [-1, 0]]


def test_true_and_one_are_two_answers():
    votes = read_votes([{"i": True, "j": 1}, {"i": 1, "j": True}], labels=["1", "True"])
    assert votes.codes.tolist() == [[1, 0], [0, 1]]


def test_missing_words_are_counted_and_more_can_be_named(tmp_path):
    text = "item,i,j\n1,a,NA\n2,NaN,null\n3,None,?\n4,,b\n5,a,b\n"
    votes, notes = read_votes_with_notes(put(tmp_path, text), judges=["i", "j"])
    assert votes.answers == ("?", "a", "b")
    assert votes.missing.tolist() == [3, 2]
    votes, notes = read_votes_with_notes(put(tmp_path, text), missing=["?"], judges=["i", "j"])
    assert votes.answers == ("a", "b")
    assert votes.missing.tolist() == [3, 3]
    assert notes[-1] == "6 of 10 votes missing"


def test_a_missing_word_that_is_a_label_is_an_answer(tmp_path):
    path = put(tmp_path, "item,i\n1,None\n2,some\n")
    assert read_votes(path, labels=["some", "None"]).codes.tolist() == [[1], [0]]
    assert read_votes(path, labels=["some", "None"], missing="None").codes.tolist() == [[-1], [0]]


def test_labels_first_other_answers_after():
    votes = read_votes({"i": ["b", "refused", "a"]}, labels=["b", "a"])
    assert (votes.labels, votes.answers) == (("b", "a"), ("b", "a", "refused"))
    assert read_votes({"i": [1.0, 0]}, labels=[1, 0]).labels == ("1", "0")


def test_one_judge_and_one_label_are_allowed(tmp_path):
    votes = read_votes(put(tmp_path, "item,only\n1,a\n2,a\n"))
    assert (votes.judges, votes.labels) == (("only",), ("a",))


def test_rows_are_numbered_without_an_item_column():
    votes, notes = read_votes_with_notes({"i": ["a", "b"], "j": ["a", "a"]})
    assert votes.items == ("1", "2")
    assert "row numbers are the ids" in notes[1]


def test_several_item_columns_are_joined():
    table = {"question": [1, 1, 2], "side": ["x", "y", "x"], "i": ["a", "b", "a"]}
    with pytest.raises(DataError, match=r"one row per item; got item '1' again \(1 item repeated"):
        read_votes(table, judges=["i"])
    votes = read_votes(table, item=["question", "side"], judges=["i"])
    assert votes.items == ("1:x", "1:y", "2:x")


def test_cut_is_exact_and_the_key_is_cut_only_if_it_needs_it():
    table = {"i": [4.4, "4.5", 9], "j": [None, 4.50, "4.49999999999999999999"]}
    votes, notes = read_votes_with_notes(table | {"gold": [0, 1, 1]}, cut=4.5, key="gold")
    assert votes.codes.tolist() == [[0, -1], [1, 1], [1, 0]]
    assert votes.key.tolist() == [0, 1, 1]
    assert "scores cut: 4.5 and above is '1', below is '0'" in notes
    assert "column 'gold' is 0/1 already and was not cut" in notes
    votes = read_votes(table | {"gold": [3, 8, 0]}, cut=4.5, key="gold")
    assert votes.key.tolist() == [0, 1, 0]
    assert read_votes({"i": [1, 2]}, cut=0).labels == ("0", "1")


def test_the_key_is_never_used_to_find_labels(tmp_path):
    table = {"item": ["1", "2"], "i": ["a", "a"], "gold": ["a", "b"]}
    with pytest.raises(DataError, match="got 'b'; pass labels= with every possible truth"):
        read_votes(table, key="gold")
    assert read_votes(table, key="gold", labels=["a", "b"]).key.tolist() == [0, 1]
    votes, notes = read_votes_with_notes(table)
    assert (votes.judges, votes.labels) == (("i",), ("a", "b"))
    assert any("labelled by people ('gold')" in note for note in notes)


@pytest.mark.parametrize("kind", ["file", "mapping", "frame", "records"])
def test_keys_from_elsewhere(tmp_path, kind):
    truth = {"item": [3, 1, 9], "truth": ["b", "a", "a"]}
    key = {
        "file": str(put(tmp_path, "item,truth\n3,b\n1,a\n9,a\n", "truth.csv")),
        "mapping": {3: "b", 1: "a", 9: "a"},
        "frame": pl.DataFrame(truth),
        "records": [
            {"item": 3, "truth": "b"},
            {"item": 1, "truth": "a"},
            {"item": 9, "truth": "a"},
        ],
    }[kind]
    table = {"item": [1, 2, 3], "i": ["a", "b", "b"]}
    votes, notes = read_votes_with_notes(table, key=key)
    assert votes.key.tolist() == [0, -1, 1]
    assert "1 item has no true label" in notes
    assert any("1 item without votes left out" in note for note in notes)


def test_long_key_column_one_truth_per_item():
    table = {"item": [1, 1, 2], "judge": ["i", "j", "i"], "answer": ["a", "b", "b"]}
    votes = read_votes(table | {"gold": ["a", None, "b"]}, key="gold")
    assert votes.key.tolist() == [0, 1]
    with pytest.raises(DataError, match="one truth per item; got 'a' and 'b' for item '1'"):
        read_votes(table | {"gold": ["a", "b", "b"]}, key="gold")


def test_long_judges_keep_items_and_labels():
    table = {"item": [1, 2, 2], "judge": ["i", "i", "j"], "answer": ["a", "b", "c"]}
    votes, notes = read_votes_with_notes(table, judges=["j"])
    assert votes.codes.tolist() == [[-1], [2]]
    assert votes.labels == ("a", "b", "c")
    assert "2 rows of other judges left out" in notes


def test_long_order_is_first_appearance_and_missing_answers_keep_their_judge():
    table = {"item": ["z", "a", "z"], "judge": ["w9", "w1", "w5"], "answer": ["1", "0", None]}
    votes = read_votes(table)
    assert (votes.items, votes.judges) == (("z", "a"), ("w9", "w1", "w5"))
    assert votes.codes.tolist() == [[1, -1, -1], [-1, 0, -1]]


def test_names_that_say_no_judge_are_left_out_with_a_note():
    table = {
        "item": [1, 2],
        "model_a": ["x", "y"],
        "comment": ["p", "q"],
        "i": ["a", "b"],
        "j": ["a", "a"],
    }
    votes, notes = read_votes_with_notes(table)
    assert votes.judges == ("i", "j")
    assert any("'model_a', 'comment'" in note for note in notes)
    votes = read_votes(table | {"label": ["a", "b"]})
    assert votes.judges == ("i", "j")
    assert votes.key.tolist() == [0, 1]


def test_free_text_is_left_out_and_text_columns_under_a_cut():
    n = 30
    table = {
        "item": range(n),
        "essay": [f"t{i}" for i in range(n)],
        "i": [0, 1] * 15,
        "j": [1, 1] * 15,
    }
    votes, notes = read_votes_with_notes(table)
    assert votes.judges == ("i", "j")
    assert "left out 'essay': it differs on every row" in notes
    votes, notes = read_votes_with_notes({"item": [1, 2], "who": ["x", "x"], "i": [3, 7]}, cut=5)
    assert votes.judges == ("i",)
    assert "left out 'who': it holds texts such as 'x', no scores" in notes


def test_a_silent_judge_is_kept():
    votes = read_votes({"item": [1, 2], "i": ["a", "b"], "quiet": [None, None]})
    assert votes.missing.tolist() == [0, 2]


def test_scores_without_a_cut_are_noticed():
    _, notes = read_votes_with_notes({"i": list(range(30)), "j": list(range(30))})
    assert any("look like scores (30 numbers)" in note for note in notes)


def test_high_cardinality_columns_take_the_other_path(tmp_path):
    rows = "".join(f"q{i},{i % 700},{'' if i % 3 else i % 700}\n" for i in range(2000))
    votes = read_votes(put(tmp_path, "item,i,j\n" + rows))
    assert votes.n_labels == 700
    assert votes.items[1999] == "q1999"
    assert [votes.answers[c] for c in votes.codes[:3, 0]] == ["0", "1", "2"]
    assert votes.codes[:4, 1].tolist() == [0, -1, -1, votes.answers.index("3")]
    assert votes.missing.tolist() == [0, sum(bool(i % 3) for i in range(2000))]


answers = st.sampled_from(["a", "b", "tie", None])


@settings(derandomize=True, deadline=None, max_examples=40)
@given(st.lists(st.tuples(answers, answers, answers), min_size=1, max_size=12), st.randoms())
def test_wide_long_and_direct_agree(rows, random):
    if not any(answer for row in rows for answer in row):
        rows = [*rows, ("a", None, None)]
    names = ("i", "j", "k")
    direct = Votes.from_columns(dict(zip(names, zip(*rows, strict=True), strict=True)))
    wide = [{"item": str(q + 1)} | dict(zip(names, row, strict=True)) for q, row in enumerate(rows)]
    long = [
        {"item": row["item"], "judge": name, "answer": row[name]} for row in wide for name in names
    ]
    assert same(read_votes(wide, judges=names), direct)
    assert same(read_votes(long, layout="long"), direct)
    random.shuffle(long)
    shuffled = read_votes(long, layout="long").select(judges=names, items=direct.items)
    assert same(shuffled, direct)


needs_data = pytest.mark.skipif(not DATA.exists(), reason="shared data absent")


@needs_data
def test_civil_comments():
    path = DATA / "civilcomments_judge_scores.csv"
    votes = read_votes(path, key="gold", cut=4.5)
    frame = pd.read_csv(path)
    scores = frame.drop(columns=["item", "gold"])
    assert (len(votes), votes.n_judges, votes.labels) == (2500, 21, ("0", "1"))
    expected = np.where(scores.isna(), -1, scores >= 4.5)
    assert np.array_equal(votes.codes, expected)
    assert np.array_equal(votes.key, frame["gold"])
    assert votes.missing.sum() == scores.isna().sum().sum() == 487
    assert same(read_votes(frame, item="item", key="gold", cut=4.5), votes)


@needs_data
@pytest.mark.parametrize(
    ("name", "items", "judges", "votes_cast", "labels"),
    [
        ("web", 2665, 177, 15567, "01234"),
        ("rte", 800, 164, 8000, "01"),
        ("bluebird", 108, 39, 4212, "01"),
    ],
)
def test_crowd_files(name, items, judges, votes_cast, labels):
    votes = read_votes(DATA / f"{name}_votes.csv", key=DATA / f"{name}_truth.csv")
    assert (votes.n_items, votes.n_judges, votes.labels) == (items, judges, tuple(labels))
    assert (votes.codes >= 0).sum() == votes_cast
    frame = pd.read_csv(DATA / f"{name}_votes.csv")
    records = list(frame[["item", "worker", "label"]].itertuples(index=False, name=None))
    truth = pd.read_csv(DATA / f"{name}_truth.csv").set_index("item")["truth"].to_dict()
    assert same(votes, Votes.from_records(records, key=truth))


@pytest.mark.parametrize("text", ["n/a", "#N/A", "#NA", "NA", "N/A", "null", "None", "nan", "  "])
def test_spreadsheet_spellings_of_missing(tmp_path, text):
    votes, notes = read_votes_with_notes(put(tmp_path, WIDE.replace("q2,b,", f"q2,b,{text}")))
    assert same(votes, by_hand())
    assert notes[-1] == "1 of 6 votes missing"


def test_an_answer_that_looks_missing_gets_a_note(tmp_path):
    path = put(tmp_path, WIDE.replace("q2,b,", "q2,b,?").replace("gpt4,claude", "i,j"))
    votes, notes = read_votes_with_notes(path)
    assert votes.labels == ("?", "a", "b")
    assert any("though they look like missing votes: '?'" in note for note in notes)
    assert np.array_equal(read_votes(path, missing="?").codes, by_hand().codes)
    _, notes = read_votes_with_notes(path, labels=["a", "b", "?"])
    assert not any("look like missing" in note for note in notes)


def test_answers_that_are_no_label_are_named(tmp_path):
    _, notes = read_votes_with_notes(put(tmp_path, WIDE), labels=["a"])
    assert "1 answer is no label, hence never correct: 'b'" in notes
