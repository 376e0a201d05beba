"""Values are made once, when they are asked for, and an encoding is shown the same everywhere."""

import pytest

from algeval.algebra import encode
from algeval.algebra.language import Lazy


def test_a_value_is_made_once_and_only_if_it_is_asked_for():
    made = []
    table = Lazy({"a": lambda: made.append("a") or 1, "b": lambda: made.append("b") or 2})
    assert list(table) == ["a", "b"]
    assert "a" in table
    assert made == []
    assert table["b"] == table["b"] == 2
    assert made == ["b"]
    with pytest.raises(KeyError):
        table["c"]


def test_what_it_shows_makes_nothing_and_names_no_place_in_memory():
    assert repr(Lazy({"a": lambda: 1 / 0})) == "Lazy(1 keys)"
    assert " at 0x" not in repr(encode(2))
    assert repr(encode(2)) == repr(encode(2))
