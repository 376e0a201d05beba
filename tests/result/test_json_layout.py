"""The text of a document against the standard library's, which knows what JSON is."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algeval.result.files import json_parts

PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
NUMBERS = st.lists(st.integers() | st.floats(allow_nan=False) | st.none(), max_size=60)
NAMES = st.text() | st.integers() | st.booleans() | st.none()
DOCUMENTS = st.recursive(
    PLAIN | NUMBERS,
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(NAMES, inner),
    max_leaves=20,
)


@given(DOCUMENTS)
def test_it_says_what_the_standard_library_says(document):
    assert json.loads("".join(json_parts(document))) == json.loads(json.dumps(document))


def test_rows_of_numbers_are_lines_and_long_ones_are_broken():
    text = "".join(
        json_parts({"rows": [[1, 2], [3, None]], "long": list(range(60)), "names": ["a"]})
    )
    lines = text.splitlines()
    assert lines[1:5] == ['  "rows": [', "    [1, 2],", "    [3, null]", "  ],"]
    assert [line.count(",") for line in lines[6:9]] == [25, 25, 9]
    assert lines[-4:] == ['  "names": [', '    "a"', "  ]", "}"]


@pytest.mark.parametrize("text", ["\x1b[2J", "\u202e", "\x9b"])
def test_no_text_steers_a_terminal(text):
    shown = "".join(json_parts({text: [text]}))
    assert text not in shown
    assert json.loads(shown) == {text: [text]}
