"""Control characters become visible, and nothing else changes."""

import json
from fractions import Fraction

import pytest

from algeval.data import Specification
from algeval.errors import DataError
from algeval.result import exact, json_visible, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31m", r"\x1b[31m"),
        ("\x9b2J", r"\x9b2J"),
        ("a\x7fb\x00", r"a\x7fb\x00"),
        ("a\tb\r\n", r"a\tb\r\n"),
        ("\u202e\u2066\u200b\u2028\ufeff", r"\u202e\u2066\u200b\u2028\ufeff"),
        ("\udcff", r"\udcff"),
        ("Zoë 評価 🙂 да لا 1\u00a0000", "Zoë 評価 🙂 да لا 1\u00a0000"),
    ],
)
def test_control_characters_are_written_out(text, shown):
    assert visible(text) == shown


def test_line_breaks_of_a_text_may_stay():
    assert visible("a\x1b\nb", lines=True) == "a\\x1b\nb"


def test_every_character_survives_json():
    names = [chr(code) for code in range(0x3000) if code]
    text = json.dumps(names, ensure_ascii=False, indent=1)
    safe = json_visible(text)
    assert json.loads(safe) == names
    assert visible(safe, lines=True) == safe


@pytest.mark.parametrize("text", ["1e-1001", "1e1001", "0." + "1" * 1001, "1/1" + "0" * 1000])
def test_numbers_of_any_length_were_expanded(text):
    with pytest.raises(DataError):
        exact(text)


def test_numbers_within_the_limit_are_exact():
    assert exact("1e-999").denominator == 10**999
    assert exact("0e5000000") == 0


def test_a_fraction_too_long_to_print_was_taken_as_a_level():
    with pytest.raises(DataError, match="at most 1000 digits"):
        Specification.at_least(Fraction(1, 10**5000))
