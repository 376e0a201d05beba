"""How many distinct decision tuples are kept, and what is said where there are more."""

from __future__ import annotations

from algeval.errors import DataError

__all__ = ["check_room", "most_tuples"]

_MOST_CELLS = 250_000_000
"""Answers in all distinct tuples together, two bytes each; making a sketch takes thrice as much."""

_MOST_TUPLES = 10_000_000
"""Of few judges."""


def most_tuples(n_judges: int) -> int:
    """Return how many distinct tuples of so many judges are kept.

    Examples
    --------
    >>> most_tuples(8), most_tuples(5000)
    (10000000, 50000)
    """
    return min(_MOST_TUPLES, _MOST_CELLS // max(n_judges, 1))


def check_room(n_tuples: int, n_judges: int, share: float = 0.0) -> None:
    """Refuse more distinct tuples than are kept.

    share : of the items, that were counted so far; the sentence estimates what all of them would take.

    Raises
    ------
    DataError
        If there are more than `most_tuples`.
    """
    most = most_tuples(n_judges)
    if n_tuples <= most:
        return
    got = "more"
    if share:
        expected = int(n_tuples / share)
        got = f"about {_short(expected)} ({expected * n_judges * 2 / 1e9:.1f} GB)"
    raise DataError(
        f"distinct decision tuples of {n_judges} judges must be at most {_short(most)}; got {got}; name "
        "fewer judges with judges=, or count each judge alone with algeval sketch --summary"
    )


def _short(n: int) -> str:
    """Return a large number in few digits.

    Examples
    --------
    >>> _short(12_345), _short(2_500_000)
    ('12,345', '2.5 million')
    """
    return f"{n / 1e6:.3g} million" if n >= 1_000_000 else f"{n:,}"
