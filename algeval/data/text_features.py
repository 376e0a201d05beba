"""Numbers about texts: length, form, signs of citation, and how hard they are to read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from math import sqrt

from algeval.errors import DataError

__all__ = ["text_features"]

FEWEST_WORDS = 30
"""A SMOG grade of shorter texts would be noise; the formula was fitted to 30 sentences."""

_WORD = re.compile(r"[^\W\d_]+(?:['\N{RIGHT SINGLE QUOTATION MARK}-][^\W\d_]+)*")
_SENTENCE_END = re.compile(
    r"[.!?\N{HORIZONTAL ELLIPSIS}]+(?=[\s\"')\]\N{RIGHT DOUBLE QUOTATION MARK}]|$)"
)
_LIST_ITEM = re.compile(
    r"^[ \t]*(?:[-*+\N{BULLET}]|\(?(?:\d{1,3}|[a-z])[.)])[ \t]+\S", re.MULTILINE
)
_CITATION = re.compile(
    r"https?://\S+|\[\d+(?:\s*[,\N{EN DASH}-]\s*\d+)*\]|\([^()]*\b(?:1[5-9]|20)\d\d[a-z]?\)"
)
_VOWELS = re.compile(r"[aeiouy]+")


def text_features(texts: Iterable[str | None]) -> dict[str, list[float | None]]:
    """Return numbers about texts, as attributes of the items they belong to.

    Use them to see whether what judges share goes with the form of a text. Each is one plain count,
    made for English where it counts syllables.

    Parameters
    ----------
    texts : iterable of str or None
        None where there is no text; every number is None there.

    Returns
    -------
    dict
        characters; words (runs of letters, apostrophes and hyphens within); sentences (ends in . ! ? or
        an ellipsis, and what follows the last); words per sentence; list items (lines that begin with a
        bullet, a number or a letter and a stop or bracket); digits; citations (web addresses, bracketed
        numbers, brackets that end in a year); upper-case share (of the letters); exclamation marks; SMOG
        grade (McLaughlin 1969: 1.043 sqrt(30 p / s) + 3.1291 of s sentences with p words of three or more
        syllables; None under 30 words). Syllables are groups of vowels, without a silent final e.

    Raises
    ------
    DataError
        If something is no text.

    Examples
    --------
    >>> found = text_features(["Good! See [1].", None])
    >>> found["words"], found["citations"], found["exclamation marks"]
    ([2.0, None], [1.0, None], [1.0, None])
    """
    read = [_checked(text) for text in texts]
    return {
        name: [None if text is None else _number(count(text)) for text in read]
        for name, count in _FEATURES.items()
    }


def _checked(text: object) -> str | None:
    if text is None or isinstance(text, str):
        return text
    if text != text:  # how data frames write what is missing
        return None
    raise DataError(f"texts must be text or None; got {text!r}; convert them with str() first")


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)


def _words(text: str) -> list[str]:
    return _WORD.findall(text)


def _sentences(text: str) -> int:
    return sum(bool(_words(part)) for part in _SENTENCE_END.split(text))


def _words_per_sentence(text: str) -> float | None:
    many = _sentences(text)
    return len(_words(text)) / many if many else None


def _upper_share(text: str) -> float | None:
    letters = [letter for letter in text if letter.isalpha()]
    return sum(map(str.isupper, letters)) / len(letters) if letters else None


def syllables(word: str) -> int:
    """Return how many groups of vowels a word has, without a silent final e; at least 1.

    Examples
    --------
    >>> [syllables(word) for word in ("the", "table", "make", "area", "readability")]
    [1, 2, 1, 2, 5]
    """
    plain = word.lower()
    groups = len(_VOWELS.findall(plain))
    silent = plain.endswith("e") and not plain.endswith(("le", "ee", "ye")) and groups > 1
    return max(groups - silent, 1)


def _smog(text: str) -> float | None:
    words, many = _words(text), _sentences(text)
    if len(words) < FEWEST_WORDS:
        return None
    hard = sum(syllables(word) >= 3 for word in words)
    return 1.043 * sqrt(30 * hard / many) + 3.1291


_FEATURES: dict[str, Callable[[str], float | None]] = {
    "characters": len,
    "words": lambda text: len(_words(text)),
    "sentences": _sentences,
    "words per sentence": _words_per_sentence,
    "list items": lambda text: len(_LIST_ITEM.findall(text)),
    "digits": lambda text: sum(map(str.isdigit, text)),
    "citations": lambda text: len(_CITATION.findall(text)),
    "upper-case share": _upper_share,
    "exclamation marks": lambda text: text.count("!"),
    "SMOG grade": _smog,
}
