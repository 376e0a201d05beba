"""The two graders of 25 MT-Bench pairs, as the paper's text and its Table I count them."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np

from algeval.data import Summary, Votes
from algeval.io import example
from algeval.logic import multiplicities, threshold

__all__ = [
    "GPT4",
    "LABELS",
    "Counts",
    "columns",
    "graders",
    "key_levels",
    "keyed_by_experts",
    "most_right",
    "table_1",
    "tally",
]

LABELS = ("a", "b", "tie")
Counts = tuple[int, int, int]
AUTHORS: Counts = (5, 10, 10)
GPT4: Counts = (4, 18, 3)


def graders(gpt4: Counts = GPT4) -> Summary:
    """Return both graders' counts; by default those of the paper's text."""
    rows = np.array([AUTHORS, gpt4])
    return Summary(("authors", "gpt4"), LABELS, LABELS, rows, 25)


def table_1() -> Votes:
    """Return the votes of Table I as printed: experts, authors, gpt4."""
    found = example("mt-bench")
    assert isinstance(found, Votes)
    return found


@cache
def key_levels(gpt4: Counts = GPT4) -> tuple[tuple[Fraction, Counts], ...]:
    """Return, for every answer key, the highest accuracy both graders can have on every label; ascending."""
    data = graders(gpt4)
    keys = [(a, b, 25 - a - b) for a in range(26) for b in range(26 - a)]
    return tuple(sorted((threshold(data, order=1, key_counts=key).lower, key) for key in keys))


def most_right(judge: str, label: str, key: Counts, gpt4: Counts = GPT4) -> Fraction:
    """Return the highest accuracy of one grader on one label at an answer key."""
    found = multiplicities(graders(gpt4), key)
    axis = 1 - found.pair.index(judge)
    ways = found.of(label).sum(axis=axis)
    place = LABELS.index(label)
    return Fraction(max(right for right, many in enumerate(ways) if many), key[place])


def tally(judge: str, votes: Votes | None = None) -> list[int]:
    """Count one judge's answers, by default in Table I."""
    summary = (votes or table_1()).summary()
    row: list[int] = summary.counts[summary.judges.index(judge)].tolist()
    return row


def columns(votes: Votes) -> dict[object, list[str]]:
    """Return {judge: answers}."""
    return {
        judge: [votes.answers[code] for code in votes.codes[:, place]]
        for place, judge in enumerate(votes.judges)
    }


def keyed_by_experts(votes: Votes) -> Votes:
    """Return the other judges' votes, with the experts' as the key."""
    found = columns(votes)
    key = found.pop("experts")
    return Votes.from_columns(found, items=votes.items, labels=LABELS, key=key)
