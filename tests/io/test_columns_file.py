"""The file of columns beside tables: found by its header, kept, refused where it is broken."""

import json
import tomllib
from pathlib import Path

import jsonschema
import pytest

from algeval.errors import DataError
from algeval.io.columns_file import (
    NAME,
    OPTIONS,
    Entry,
    beside,
    entry_of,
    read_entries,
    save_entry,
    schema,
)

FIRST = Entry({"id": "item", "x": "judge"}, ("id", "x"), {"good": "pass", "missing": ["-1", "n/a"]})
OTHER = Entry({"q": "item", "w y": "human"}, ("q", "w y", "z"), {"same": {"1": "pass"}, "cut": 3.5})


def test_an_entry_is_read_as_it_was_written(tmp_path):
    save_entry(tmp_path / NAME, FIRST)
    save_entry(tmp_path / NAME, OTHER)
    assert read_entries(tmp_path / NAME) == [FIRST, OTHER]
    assert entry_of(tmp_path / NAME, ["z", "q", "w y"]) == OTHER  # in any order
    assert entry_of(tmp_path / NAME, ["q", "w y"]) is None  # another header


def test_an_entry_takes_the_place_of_its_own_header_and_no_other(tmp_path):
    path = tmp_path / NAME
    save_entry(path, OTHER)
    by_hand = path.read_text() + '\n[[table]]  # by hand\ncolumns = {a = "judge", b = "human"}\n'
    path.write_text(by_hand)
    changed = Entry({"w y": "judge"}, ("z", "w y", "q"))
    save_entry(path, changed)
    assert "# by hand" in path.read_text()
    assert [dict(e.columns) for e in read_entries(path)] == [
        {"a": "judge", "b": "human"},
        {"w y": "judge"},
    ]


def test_a_table_by_hand_needs_no_header(tmp_path):
    (tmp_path / NAME).write_text('[[table]]\ngood = "pass"\ncolumns = {score = "human"}\n')
    assert entry_of(tmp_path / NAME, ["id", "score"]).options == {"good": "pass"}
    assert entry_of(tmp_path / NAME, ["id"]) is None
    save_entry(tmp_path / NAME, Entry({"score": "judge"}, ("id", "score")))
    assert entry_of(tmp_path / NAME, ["id", "score"]).columns == {
        "score": "judge"
    }  # its own header first


@pytest.mark.parametrize(
    "text",
    [
        "[[table]\n",
        'columns = {a = "judge"}\n',
        '[[table]]\ncolumns = {a = "verdict"}\n',
        '[[table]]\ncolumns = {a = "judge"}\nheader = ["b"]\n',
        '[[table]]\nlayout = "wide"\ncolumns = {a = "judge"}\n',
        "[[table]]\ncolumns = 3\n",
        "[[table]]\nheader = [1]\n",
        "[[table]]\n",
        "table = 3\n",
        "\x00",
    ],
)
def test_a_broken_file_is_refused_and_left_alone(tmp_path, text):
    path = tmp_path / NAME
    path.write_text(text)
    with pytest.raises(DataError, match="must be a file of columns"):
        read_entries(path)
    with pytest.raises(DataError, match="must be a file of columns"):
        save_entry(path, FIRST)
    assert path.read_text() == text


def test_only_a_file_has_one_beside_it(tmp_path):
    (tmp_path / "t.csv").write_text("a\n1\n")
    assert beside(tmp_path / "t.csv") is None
    save_entry(tmp_path / NAME, FIRST)
    assert beside(str(tmp_path / "t.csv")) == tmp_path / NAME
    assert beside("-") is None
    assert beside(tmp_path) is None
    assert beside({"a": [1]}) is None
    assert beside(tmp_path / NAME) is None


def test_the_schema_takes_what_is_written_and_refuses_what_is_not(tmp_path):
    save_entry(tmp_path / NAME, FIRST)
    save_entry(tmp_path / NAME, OTHER)
    document = tomllib.loads((tmp_path / NAME).read_text())
    jsonschema.validate(document, schema())
    for broken in ({"columns": {"a": "verdict"}}, {"layout": "wide"}, {"header": [1]}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({"table": [broken]}, schema())
    shipped = json.loads(
        (Path(__file__).parents[2] / "algeval/schemas/columns-file.json").read_text()
    )
    assert shipped == schema()
    assert {*OPTIONS} < {*schema()["properties"]["table"]["items"]["properties"]}
