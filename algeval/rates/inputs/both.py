"""Labels of two systems' answers to the same items, in one table."""

from __future__ import annotations

from typing import Any

from algeval.data import Votes
from algeval.io.items.rows import read_item_rows
from algeval.rates.inputs.gold import Gold, read_gold

__all__ = ["read_both", "read_side"]

_NAMES = ("truth", "gold", "label", "key", "answer")


def read_both(gold: Any, votes: tuple[Votes, Votes], label: object) -> tuple[Gold, Gold]:
    """Return the labels of each system.

    Parameters
    ----------
    gold : path, table or "key"
        With columns item, truth_a and truth_b, and perhaps inclusion; or the keys of both votes.
    votes : (Votes, Votes)
    label : str

    Raises
    ------
    DataError
        As `read_gold` does.

    Examples
    --------
    >>> votes = Votes.from_columns({"j": ["pass", "fail"]}, items=["q1", "q2"])
    >>> table = {"item": ["q2"], "truth_a": ["pass"], "truth_b": ["fail"]}
    >>> [found.values.tolist() for found in read_both(table, (votes, votes), "pass")]
    [[1.0], [0.0]]
    """
    if isinstance(gold, str) and gold == "key":
        a = read_gold(gold, votes[0], label, name="gold")
        return a, read_gold(gold, votes[1], label, name="gold")
    return read_side(gold, "a", votes[0], label), read_side(gold, "b", votes[1], label)


def read_side(gold: Any, letter: str, votes: Votes, label: object) -> Gold:
    """Return the labels of one system from a table of all, where a is the first system."""
    names = tuple(f"{word}_{letter}" for word in _NAMES)
    rows = read_item_rows(gold, "gold", (*names, letter), ("inclusion",))
    return read_gold(rows, votes, label, name=f"gold of {letter}")
