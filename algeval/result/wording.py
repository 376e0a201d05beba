"""Words that messages share: nouns that are counted, and the name that was probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import ceil

__all__ = ["did_you_mean", "how_many", "level_text", "percent_up"]


def how_many(n: int, noun: str, many: str = "") -> str:
    """Return a number with its noun, in the singular for one.

    many : the plural where it is not the noun and an s.

    Examples
    --------
    >>> how_many(1, "judge"), how_many(3, "item"), how_many(2, "entry", "entries")
    ('1 judge', '3 items', '2 entries')
    """
    return f"{n} {noun}" if n == 1 else f"{n} {many or noun + 's'}"


def level_text(level: float) -> str:
    """Return a level of confidence as it was asked for, never rounded up to certainty.

    Examples
    --------
    >>> level_text(0.95), level_text(0.999), level_text(1 - 0.95)
    ('95%', '99.9%', '5%')
    """
    return f"{100 * level:.10g}%"


def percent_up(share: Fraction) -> str:
    """Return a share as a percentage rounded up, so that what holds above it holds above the text too.

    Examples
    --------
    >>> percent_up(Fraction(1, 3)), percent_up(Fraction(1, 2))
    ('33.4%', '50.0%')
    """
    return f"{ceil(1000 * share) / 10:.1f}%"


def did_you_mean(name: object, choices: Iterable[object], otherwise: str = "choose one") -> str:
    """Return a question about the choice nearest to a name, or `otherwise` if none is near.

    Examples
    --------
    >>> did_you_mean("reprot", ["report", "alarm"]), did_you_mean("x", ["report", "alarm"])
    ("did you mean 'report'?", 'choose one')
    """
    from difflib import get_close_matches

    plain = {str(choice).casefold(): choice for choice in choices}
    near = get_close_matches(str(name).casefold(), plain, 1)
    return f"did you mean {plain[near[0]]!r}?" if near else otherwise
