"""What is told of files before they are read."""

import gzip
import json
import time

import pytest

from algeval.errors import DataError
from algeval.io import read_votes
from algeval.io.readers.base import Files
from algeval.io.readers.registry import READERS

ROWS = [{"id": 1, "votes": {"x": "yes", "y": "no"}}, {"id": 2, "votes": {"x": "no", "y": "no"}}]


def put(path, text):
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("mark", ["", "\ufeff", "\n  "])
@pytest.mark.parametrize("form", ["list", "lines", "pretty"])
def test_the_first_row_and_all_rows(tmp_path, form, mark, packed):
    if form == "lines":
        text = "\r\n\r\n".join(map(json.dumps, ROWS))
    else:
        text = json.dumps(ROWS, indent=2 if form == "pretty" else None)
    raw = (mark + text).encode()
    files = Files((put(tmp_path / "x.json", gzip.compress(raw) if packed else raw),))
    assert files.first_row() == ROWS[0]
    assert [row for _, row in files.rows()] == ROWS
    assert read_votes(files.path).codes.tolist() == [[1, 0], [0, 0]]


def test_the_first_row_of_a_list_costs_no_reading_of_the_rest(tmp_path):
    rows = [{"item": k, "x": "yes", "y": "no", "text": "t" * 60} for k in range(60_000)]
    path = put(tmp_path / "x.json", json.dumps(rows))
    began = time.perf_counter()
    json.loads(path.read_bytes())
    whole = time.perf_counter() - began
    began = time.perf_counter()
    assert not any(reader.fits(Files((path,))) for reader in READERS)
    assert time.perf_counter() - began < whole / 2


def test_a_first_entry_longer_than_the_head_is_found(tmp_path):
    rows = [ROWS[0] | {"text": "é" * 300_000}, ROWS[1]]
    files = Files((put(tmp_path / "x.json", json.dumps(rows, ensure_ascii=False)),))
    assert files.first_row() == rows[0]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (json.dumps(ROWS)[:-20], "whole JSON list"),
        (json.dumps([ROWS[0], 7]), "entry 2 of x.json"),
        (json.dumps(ROWS[0]) + "\n" + json.dumps(ROWS[1])[:-9], "line 2 is none"),
        ('[{"id": 1, "votes": {"x": "yes", "x": "no"}}]', "'x' twice in one"),
        ('{"id": 1, "votes": {"x": "yes", "x": "no"}}\n{"id": 2, "votes": {}}', "'x' twice in one"),
    ],
)
def test_broken_rows_are_refused_and_no_vote_is_dropped(tmp_path, text, told):
    with pytest.raises(DataError, match=told) as caught:
        read_votes(put(tmp_path / "x.json", text))
    assert "\n" not in str(caught.value)
