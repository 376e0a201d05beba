"""Pairs of responses: one item whichever stands first, and one or two votes of a judge asked both ways."""

from __future__ import annotations

from algeval.errors import DataError
from algeval.io.readers.gathered import Gathered

__all__ = ["INCONSISTENT", "fixed_order", "vote_both_ways"]

INCONSISTENT = "inconsistent"
"""The answer of a judge who changes with the order, where the orders must agree."""


def fixed_order(first: str, second: str, where: str) -> tuple[str, bool]:
    """Return a name of the pair that does not depend on its order, and whether it was turned.

    Raises
    ------
    DataError
        If both are the same.
    """
    if first == second:
        raise DataError(
            f"a pair must be of two systems; got {first!r} twice in {where}; correct it"
        )
    turned = second < first
    return ":".join((second, first) if turned else (first, second)), turned


def vote_both_ways(
    found: Gathered,
    item: str,
    judge: str,
    answers: tuple[str | None, str | None],
    swap: str,
    key: str | None = None,
) -> None:
    """Add what a judge said of a pair in its two orders, both told from the same side.

    swap : "two" for a judge per order, "agree" for one who is inconsistent where they differ.
    """
    if swap == "two":
        for place, answer in enumerate(answers, start=1):
            _add(found, item, f"{judge} g{place}", answer, key)
        return
    first, second = answers
    if first is None or second is None:
        _add(found, item, judge, None, key)
    else:
        _add(found, item, judge, first if first == second else INCONSISTENT, key)


def _add(found: Gathered, item: str, judge: str, answer: str | None, key: str | None) -> None:
    if answer is None:
        found.no_vote(item, judge, "judge failed", key)
    else:
        found.vote(item, judge, answer, key)
