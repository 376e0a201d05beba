"""Specifications written as text: ``accuracy >= 0.6 and prevalence(tie) in 0.1..0.4``.

Grammar::

    specification  = ["at least" NUMBER "judges" [":"]] condition {("and" | ";") condition}
    condition      = quantity [arguments] (sense NUMBER | "in" NUMBER ".." NUMBER)
    quantity       = "accuracy" | "grade" | "prevalence"
    arguments      = "(" argument ["," argument] ")"
    argument       = ["judge=" | "label="] (NAME | 'quoted name' | "*")
    sense          = ">=" | ">" | "<="
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from algeval.errors import DataError
from algeval.result import exact

__all__ = ["Part", "read_conditions"]

Part = tuple[str, str, Fraction, str | None, str | None]
"""Quantity, sense, level, judge and label of one condition; None means every one."""

_HELP = "write it like 'accuracy >= 0.6 and prevalence(tie) in 0.1..0.4'"

_PANEL = re.compile(r"\s*at\s+least\s+(\d+)\s+(?:of\s+the\s+)?judges?\b\s*:?\s*", re.IGNORECASE)
_NUMBER = r"\d+(?:\.(?!\.)\d*)?(?:\s*/\s*\d+)?%?|\.\d+%?"
_CONDITION = re.compile(
    rf"""\s*(?P<quantity>[a-z]\w*)\s*
    (?:\((?P<arguments>(?:[^()'"]|'[^']*'|"[^"]*")*)\)\s*)?
    (?:(?P<sense>>=|<=|>|<|==|=|≥|≤)\s*(?P<value>{_NUMBER})
      |in\s+(?P<low>{_NUMBER})\s*\.\.\s*(?P<high>{_NUMBER}))\s*""",
    re.IGNORECASE | re.VERBOSE,
)
_SEPARATOR = re.compile(r"(?:and\b|;|,)\s*", re.IGNORECASE)
_ARGUMENT = re.compile(
    r"""\s*(?:(?P<name>judge|label)\s*=\s*)?(?:'(?P<single>[^']*)'|"(?P<double>[^"]*)"|(?P<bare>[^,'"]*?))\s*(?:,|$)""",
    re.IGNORECASE,
)
_SENSES = {"≥": ">=", "≤": "<="}


def read_conditions(text: str, quantities: Sequence[str]) -> tuple[list[Part], int | None]:
    """Return the conditions that a text states, and of how many judges at least (None: of all).

    Parameters
    ----------
    text : str
        See the grammar of this module. Without arguments a condition speaks of every judge and
        label; ``accuracy(gpt4)`` of one judge, ``accuracy(gpt4, tie)`` of one judge on one label,
        ``accuracy(*, tie)`` or ``accuracy(label=tie)`` of every judge on one label.
    quantities : sequence of str
        What conditions may be about.

    Raises
    ------
    DataError
        If the text does not follow the grammar; the message quotes where it stops making sense.

    Examples
    --------
    >>> read_conditions("at least 2 judges prevalence(tie) <= 40%", ["prevalence"])
    ([('prevalence', '<=', Fraction(2, 5), None, 'tie')], 2)
    """
    panel = _PANEL.match(text)
    place = panel.end() if panel else 0
    conditions: list[Part] = []
    while True:
        found = _CONDITION.match(text, place)
        if not found:
            raise DataError(f"a specification must be conditions; got {text[place:]!r}; {_HELP}")
        conditions += _conditions(found, quantities)
        place = found.end()
        if place == len(text):
            break
        separator = _SEPARATOR.match(text, place)
        if not separator:
            raise DataError(f"conditions must be joined by 'and'; got {text[place:]!r}; {_HELP}")
        place = separator.end()
    return conditions, int(panel.group(1)) if panel else None


def _conditions(found: re.Match[str], quantities: Sequence[str]) -> list[Part]:
    quantity = found["quantity"].lower()
    if quantity not in quantities:
        raise DataError(
            f"quantity must be one of {list(quantities)}; got {found['quantity']!r}; {_HELP}"
        )
    judge, label = _arguments(quantity, found["arguments"])
    if found["value"] is None:
        low, high = _number(found["low"]), _number(found["high"])
        if low > high:
            raise DataError(
                f"a range must go upwards; got {found['low']}..{found['high']}; swap them"
            )
        return [
            (quantity, ">=", low, judge, label),
            (quantity, "<=", high, judge, label),
        ]
    sense = _SENSES.get(found["sense"], found["sense"])
    return [(quantity, sense, _number(found["value"]), judge, label)]


def _number(text: str) -> Fraction:
    return exact(text.replace(" ", ""), "the level")


def _arguments(quantity: str, text: str | None) -> tuple[str | None, str | None]:
    names = {"judge": None, "label": None}
    places = iter(["label"] if quantity == "prevalence" else ["judge", "label"])
    for name, value in _split(text or ""):
        place = name or next(places, None)
        if place is None:
            raise DataError(f"{quantity} must have fewer arguments; got ({text}); {_HELP}")
        names[place] = None if value == "*" else value  # type: ignore[assignment]
    return names["judge"], names["label"]


def _split(text: str) -> list[tuple[str | None, str]]:
    result, place = [], 0
    while place < len(text):
        found = _ARGUMENT.match(text, place)
        if not found:
            raise DataError(
                f"arguments must be names; got ({text}); quote names with odd characters"
            )
        quoted = found["single"] if found["single"] is not None else found["double"]
        name = found["name"].lower() if found["name"] else None
        result.append((name, quoted if quoted is not None else found["bare"]))
        place = found.end()
    return result
