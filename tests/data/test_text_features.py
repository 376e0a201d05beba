"""Numbers about texts, against texts counted by hand."""

import re

import pytest

from algeval.data.scores import syllables, text_features
from algeval.errors import DataError

LETTER = """Dear reader,

See http://example.org/a?b=1 and [3], or (Smith, 2019). It's GOOD!
1. well-kept lists
2) two
- three
* four
Not 5. a list? No... 3 words here.
"""


def of(text):
    return {name: column[0] for name, column in text_features([text]).items()}


def test_a_letter_counted_by_hand():
    told = of(LETTER)
    assert told["characters"] == len(LETTER)
    assert told["list items"] == 4
    assert told["citations"] == 3
    assert told["exclamation marks"] == 1
    assert told["digits"] == len(re.findall("[0-9]", LETTER)) == 1 + 1 + 4 + 2 + 1 + 1


def test_words_and_sentences_counted_by_hand():
    told = of("It's a well-kept house. Is it? Yes! At 3.5 degrees, it's cold")
    assert told["words"] == 4 + 2 + 1 + 4
    assert told["sentences"] == 4
    assert told["words per sentence"] == 11 / 4
    assert told["upper-case share"] == pytest.approx(4 / 40)
    assert told["SMOG grade"] is None


def test_a_smog_grade_by_hand():
    """Three sentences of ten words; possible, readability and elephant have three syllables or more."""
    text = (
        "The possible readability of one short text is not much. "
        "An elephant may be seen from here if you look. "
        "We do not know how he got to be so."
    )
    told = of(text)
    assert (told["words"], told["sentences"]) == (30, 3)
    assert told["SMOG grade"] == pytest.approx(1.043 * (30 * 3 / 3) ** 0.5 + 3.1291)
    assert of(text.replace("so.", "."))["SMOG grade"] is None


@pytest.mark.parametrize(
    ("word", "many"),
    [
        *[
            ("cat", 1),
            ("table", 2),
            ("make", 1),
            ("made", 1),
            ("agree", 2),
            ("the", 1),
            ("rhythm", 1),
        ],
        *[("banana", 3), ("elephant", 3), ("university", 5), ("Readability", 5), ("possible", 3)],
    ],
)
def test_syllables(word, many):
    assert syllables(word) == many


@pytest.mark.parametrize("text", ["", "   ", "123 !!", "\N{SNOWMAN}"])
def test_texts_without_words(text):
    told = of(text)
    assert told["words"] == told["sentences"] == 0
    assert told["words per sentence"] is told["upper-case share"] is told["SMOG grade"] is None


def test_what_is_missing_stays_missing():
    found = text_features(["a b", None, float("nan")])
    assert found["words"] == [2, None, None]
    assert all(column[1:] == [None, None] for column in found.values())
    with pytest.raises(DataError, match="texts must be text or None; got 7"):
        text_features([7])


def test_other_scripts_have_words_and_sentences():
    told = of("\u041c\u044b \u0438\u0434\u0451\u043c. \u00c9t\u00e9, d\u2019ao\u00fbt?")
    assert (told["words"], told["sentences"]) == (4, 2)


def test_a_long_line_takes_no_time():
    assert of("(" * 20000 + "a" * 20000 + "[1" * 20000)["citations"] == 0
