import re

import pandas as pd
import polars as pl
import pytest

from algeval.errors import DataError
from algeval.io import read_votes


def put(tmp_path, text, name="votes.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def refused(source, **options):
    with pytest.raises(DataError) as caught:
        read_votes(source, **options)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 400
    return message


FILES = {
    "empty": ("", "got an empty file"),
    "blank": ("\n\n  \n", "only blank lines"),
    "header only": ("item,i,j\n", "only a header"),
    "blank first line": ("\nitem,i\n1,a\n", "blank first line"),
    "short row": ("item,i,j\n1,a,b\n2,a\n", "must have 3 cells like its header; got 2 on line 3"),
    "long row": (
        "item,i,j\n1,a,b\n2,a,b,c\n",
        "must have 3 cells like its header; got 4 on line 3",
    ),
    "open quote": ('item,i\n1,"a\n2,b\n', "must end with a quote"),
    "long line": ("item,i\n1,a\n2," + "z" * 3_000_000 + "\n", "shorter than 2 MB"),
    "same item but for blanks": ("item,i\n 1,a\n1,b\n", "got item '1' again"),
    "latin-1": (
        b"item,i\n1,caf\xe9\x81\n",
        "such as Windows-1252 or GBK?); save it as UTF-8 (in a spreadsheet: as 'CSV UTF-8')",
    ),
    "cyrillic": ("item,судья\n1,верно\n".encode("cp1251"), "byte 0xf1 at position 5"),
    "koi8": (("item,судья\n" + "1,верно сказано\n" * 9).encode("koi8-r"), "save it as UTF-8"),
    "korean": (("item,i\n" + "1,정답입니다 그렇습니다\n" * 9).encode("euc-kr"), "save it as UTF-8"),
    "gbk": ("item,i\n1,正确\n".encode("gbk"), "save it as UTF-8"),
    "broken utf-16": ("item,i\n1,a\n".encode("utf-16")[:-1], "broken UTF-16"),
    "binary": (b"item,i\n1,\x00\x01\n", "a zero byte at position 9"),
    "excel": (b"PK\x03\x04rest", "an Excel workbook?"),
    "broken gzip": (b"\x1f\x8b\x08rest", "whole gzip file"),
    "broken parquet": (b"PAR1 nothing", "whole Parquet file"),
    "all missing": ("item,i\n1,\n2,NA\n", "at least one answer"),
    "wide twice": (
        "item,i\n1,a\n1,b\n2,a\n2,b\n",
        "got item '1' again (2 items repeated in 'item')",
    ),
    "no item id": ("item,i\n1,a\n,b\n", "row 2 has none in column 'item'"),
    "long twice": (
        "item,judge,answer\n1,i,a\n1,j,a\n1,i,b\n1,j,b\n",
        "second vote of 'i' on item '1' in row 3 (2 repeated votes in all)",
    ),
    "long no judge": ("item,judge,answer\n1,i,a\n1,,a\n", "name its judge; row 2"),
    "strangers": (
        "item,p,q,i\n1,x,y,a\n2,y,x,b\n",
        "columns 'p', 'q' (such as 'y') and 'i' (such as 'b') have none in common",
    ),
    "counts": ("i,j,count\na,a,5\nb,a,3\n", "use read_counts"),
    "no judges": ("item,comment\n1,x\n2,y\n", "found none in 'item', 'comment'"),
}


@pytest.mark.parametrize("case", FILES)
def test_bad_files_get_one_sentence(tmp_path, case):
    text, expected = FILES[case]
    message = refused(put(tmp_path, text))
    assert expected in message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"item":1,"i":"a"}\n{"item":2,"i":\n', "one JSON object; got bad JSON near line"),
        ("[1, 2]", "one JSON object; got"),
        ("not json", "one JSON object"),
        ("[]", "must hold columns; got none"),
        ('{"item":1,"i":["a","b"]}', "one plain value per cell"),
        (b'{"item":1,"i":"caf\xe9"}', "byte 0xe9 at position 18"),
    ],
)
def test_bad_json(tmp_path, text, expected):
    assert expected in refused(put(tmp_path, text, "votes.jsonl"))


def test_paths(tmp_path):
    assert "exists; got" in refused(tmp_path / "none.csv")
    assert "folder" in refused(tmp_path)
    assert "format must be one of" in refused(put(tmp_path, "item,i\n1,a\n"), format="xml")


@pytest.mark.parametrize(
    ("encoding", "said", "words"),
    [
        ("cp1252", "Windows-1252", ("Prüfung", "gut", "nicht_bestanden")),
        ("utf-16", "UTF-16", ("Оценка", "да", "нет")),
        ("cp932", "Shift-JIS", ("テストの判定", "合格", "不合格")),
        ("cp1251", "Windows-1251", ("Оценка ответа", "верно", "неверно")),
    ],
)
def test_text_of_spreadsheets_in_other_encodings(tmp_path, encoding, said, words):
    name, good, bad = words
    rows = "".join(f"q{k}\t{good if k % 3 else bad}\t{good}\n" for k in range(20))
    path = put(tmp_path, f"id\t{name} 1\t{name} 2\n{rows}".encode(encoding), "votes.txt")
    votes = read_votes(path)
    assert votes.judges == (f"{name} 1", f"{name} 2")
    assert set(votes.answers) == {good, bad}
    assert any(f"are read as {said}" in note for note in votes.notes)


def test_utf8_error_far_into_the_file(tmp_path):
    head = b"item,i\n" + b"".join(b"%d,a\n" % i for i in range(300_000))
    message = refused(put(tmp_path, head + "9x,é\n".encode() + b"y,\xff\n"))
    assert f"byte 0xff at position {len(head) + 8}" in message


TABLE = {"item": [1, 2], "i": ["a", "b"], "j": ["a", "a"]}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"item": "id"}, "item must name a column; got 'id'; the columns are 'item', 'i', 'j'"),
        ({"judges": ["i", "k"]}, "judges must name a column; got 'k'"),
        ({"judges": []}, "at least one judge"),
        ({"judges": "i"}, "must be a list"),
        ({"judge": "worker"}, "judge must name a column; got 'worker'"),
        ({"key": "gold"}, "human must name a column or a file; got 'gold'; the columns are"),
        ({"key": ["a", "b"]}, "never joined by position"),
        ({"key": {"8": "a"}}, "none in common"),
        ({"key": {1: "c"}}, "got 'c'; pass labels="),
        ({"key": {1: "a", "1": "b"}}, "one truth per item; got 'a' and 'b'"),
        ({"key": [{"q": 1, "r": "a", "s": "b"}]}, "a column of items and one of values"),
        ({"layout": "square"}, "layout must be 'wide' or 'long'"),
        ({"layout": "long"}, "must name its column of judges"),
        ({"judge": "i", "answer": "i"}, "must be different columns"),
        ({"item": "i", "judges": ["i"]}, "must not be the item or key column"),
        (
            {"cut": 1, "judges": ["i"]},
            "column 'i' must hold numbers to be cut at 1; got 'a' and 1 more",
        ),
        ({"cut": 1}, "no scores; name the judges"),
        ({"cut": "high"}, "cut must be a finite number"),
        ({"cut": 1, "labels": ["low", "high"]}, "leave labels= out"),
        ({"labels": "ab"}, "must be a list of names"),
        ({"labels": ["a", ""]}, "every label must have a name"),
        ({"labels": ["X", "Y"]}, "no judge answered any of them (they answered 'a', 'b'"),
    ],
)
def test_bad_options_get_one_sentence(options, expected):
    assert expected in refused(TABLE, **options)


def test_long_judges_that_are_not_there():
    table = {"item": [1, 1], "judge": ["i", "j"], "answer": ["a", "b"]}
    assert "got 'k'; choose from 'i', 'j'" in refused(table, judges=["k"])


def test_scores_without_cut():
    table = {"i": [k + 0.5 for k in range(1200)], "j": list(range(1200))}
    message = refused(table)
    assert "at most 1000 different answers; got 2400 (1200 in column 'i'); pass cut=" in message


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (3, "must be a path, a data frame"),
        ([], "without rows"),
        ([1, 2], "one mapping per row; got 1"),
        ({"i": "ab"}, "must be a list of cells"),
        ({"i": ["a"], "j": []}, "one cell per row"),
        ({"i": [["a"], ["b"]]}, "one plain value per cell"),
        (pl.DataFrame({"i": []}), "without rows"),
        (pd.DataFrame([["a", "b"]], columns=["i", "i"]), "distinct column names"),
        (pd.DataFrame([["a", "b"]], columns=["1", 1]), "distinct as text"),
    ],
)
def test_bad_sources(source, expected):
    assert expected in refused(source)


def test_no_traceback_text_of_the_engine(tmp_path):
    for case, (text, _) in FILES.items():
        message = refused(put(tmp_path, text))
        assert not re.search(r"Error:|Possible|ignore_errors|strict_mode", message), case
