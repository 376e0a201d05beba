"""Labels of two systems' answers to the same items, in one table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from algeval.data import Votes
from algeval.errors import DataError
from algeval.io.items.rows import read_item_rows
from algeval.io.layout import match, shown
from algeval.io.tables import open_table
from algeval.rates.inputs.gold import Gold, read_gold

__all__ = ["check_letters", "read_both", "read_side"]

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
        If there is no column for either system, and as `read_gold` does.

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
    check_letters(gold, "ab")
    return read_side(gold, "a", votes[0], label), read_side(gold, "b", votes[1], label)


def check_letters(gold: Any, letters: str) -> None:
    """Refuse labels of one system, which would be taken for the others' too."""
    columns = _columns(gold)
    if any(match(columns, _names(letter)) is None for letter in letters):
        wanted = ", ".join(f"truth_{letter}" for letter in letters)
        got = shown(columns, 4) if columns else "{item: label}"
        raise DataError(
            f"gold must be a table with columns item, {wanted}, one of each system; got {got}; rename "
            "them, or give each system's labels apart"
        )


def _columns(gold: Any) -> list[str]:
    """Return the names of a table's columns; none where it is {item: label}."""
    if not isinstance(gold, Mapping):
        return list(open_table(gold).names)
    held = all(isinstance(c, list | tuple) or hasattr(c, "shape") for c in gold.values())
    return [str(name) for name in gold] if held else []


def _names(letter: str) -> tuple[str, ...]:
    """Return the names by which the column of a system's labels is known."""
    return (*(f"{word}_{letter}" for word in _NAMES), letter)


def read_side(gold: Any, letter: str, votes: Votes, label: object) -> Gold:
    """Return the labels of one system from a table of all, where a is the first system."""
    rows = read_item_rows(gold, "gold", _names(letter), ("inclusion",))
    return read_gold(rows, votes, label, name=f"gold of {letter}")
