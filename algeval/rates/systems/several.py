"""Several systems on the same items: all pairs at once.

Intervals are those of two systems at a level that m pairs share (Bonferroni). Verdicts step down (Holm): as
pairs are settled, those left share the error between fewer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from string import ascii_lowercase, ascii_uppercase
from typing import Any

import numpy as np

from algeval.data import Votes
from algeval.data.settings import check_number
from algeval.errors import DataError
from algeval.rates.inputs import as_votes
from algeval.rates.inputs.both import check_letters, read_side
from algeval.rates.inputs.gold import Gold, read_gold
from algeval.rates.intervals.ranks import ranks_of
from algeval.rates.systems.compare import compare_two
from algeval.rates.systems.question import read_question
from algeval.rates.systems.result import SystemComparison
from algeval.rates.systems.several_result import Pair, SystemsComparison
from algeval.result import Status, percent
from algeval.result.wording import how_many

__all__ = ["Systems", "compare_several"]

Found = dict[tuple[str, str], SystemComparison]


@dataclass(frozen=True, slots=True)
class Systems:
    """Several systems by name, with their votes and their labels, if any."""

    label: object
    votes: dict[str, Votes]
    golds: dict[str, Gold] | None

    @classmethod
    def of(cls, votes: Any, names: Sequence[str] | None, label: object, gold: Any) -> Systems:
        """Return the systems as they were given: {name: votes}, or a list and perhaps names."""
        given = list(votes.values()) if isinstance(votes, Mapping) else votes
        if not isinstance(given, list | tuple) or len(given) < 2:
            raise DataError(
                "compare_systems needs two systems or more; got one; pass votes_b, {name: votes} or a list"
            )
        if names is None:
            names = list(votes) if isinstance(votes, Mapping) else ascii_uppercase[: len(given)]
        found = [str(name) for name in names]
        if len(set(found)) != len(given) or len(found) != len(given):
            raise DataError(
                f"names must be {len(given)} different names, one a system; got {names!r}; pass names="
            )
        read = {n: as_votes(one, f"votes of {n}") for n, one in zip(found, given, strict=True)}
        return cls(label, read, None if gold is None else _golds(gold, read, label))

    def compared(self, pair: tuple[str, str], **settings: Any) -> SystemComparison:
        """Return the comparison of two of them."""
        a, b = pair
        golds = (None, None) if self.golds is None else (self.golds[a], self.golds[b])
        question = read_question(
            self.votes[a],
            self.votes[b],
            self.label,
            golds=(*golds, None),
            outputs=(None, None),
            names=pair,
            usual=(),
            **settings,
        )
        return compare_two(question)


def _golds(gold: Any, votes: dict[str, Votes], label: object) -> dict[str, Gold]:
    """Return the labels of each system: a list in their order, by name, a table of all, or their keys."""
    if isinstance(gold, Mapping) and set(gold) == set(votes):
        each = [gold[name] for name in votes]
    elif isinstance(gold, list | tuple) and not all(_is_row(one) for one in gold):
        each = list(gold)
    elif isinstance(gold, str) and gold == "key":
        each = ["key"] * len(votes)
    else:
        check_letters(gold, ascii_lowercase[: len(votes)])
        letters = zip(ascii_lowercase, votes.items(), strict=False)
        return {name: read_side(gold, letter, one, label) for letter, (name, one) in letters}
    if len(each) != len(votes):
        raise DataError(
            f"gold must hold the labels of each of the {len(votes)} systems; got {len(each)}; add the others"
        )
    return {
        name: read_gold(labels, one, label, name=f"gold of {name}")
        for (name, one), labels in zip(votes.items(), each, strict=True)
    }


def _is_row(one: Any) -> bool:
    """Whether it is a row of a table of all systems, and not {item: label} of one."""
    return isinstance(one, Mapping) and any(str(key).lower() == "truth_a" for key in one)


def compare_several(systems: Systems, *, level: float, **settings: Any) -> SystemsComparison:
    """Return every pair, with intervals, verdicts and ranks that hold together at a level."""
    alpha = 1 - check_number("level", level, least=0, most=1, strict=True)
    pairs = list(combinations(systems.votes, 2))

    def at(n_pairs: int, asked: Sequence[tuple[str, str]]) -> Found:
        shared = 1 - alpha / n_pairs
        return {pair: systems.compared(pair, level=shared, **settings) for pair in asked}

    first = at(len(pairs), pairs)
    verdicts = _stepped_down(first, at)
    names = tuple(systems.votes)
    one = first[pairs[0]]
    return SystemsComparison(
        status=_status(first),
        message=_message(names, first, verdicts, level),
        names=names,
        label=one.label,
        target=one.target,
        level=level,
        pairs=tuple(_pair(pair, first[pair], verdicts[pair]) for pair in pairs),
        ranks=dict(zip(names, ranks_of(_ahead(names, first)), strict=True)),
        warnings=_warnings(first),
    )


def _stepped_down(
    first: Found, at: Callable[[int, Sequence[tuple[str, str]]], Found]
) -> dict[tuple[str, str], str]:
    """Return the verdicts: pairs left open are asked again at the level that fewer share."""
    verdicts = {pair: found.verdict for pair, found in first.items()}
    left = [pair for pair in first if not _settled(verdicts[pair])]
    n_before = len(first)
    while left and len(left) < n_before and any(found.status.ok for found in first.values()):
        n_before = len(left)
        verdicts |= {pair: found.verdict for pair, found in at(n_before, left).items()}
        left = [pair for pair in left if not _settled(verdicts[pair])]
    return verdicts


def _settled(verdict: str) -> bool:
    return verdict.endswith(" BETTER")


def _ahead(names: tuple[str, ...], found: Found) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Return (k, k): whether the interval of a pair says that the one is ahead of the other."""
    ahead = np.zeros((len(names), len(names)), bool)
    for (a, b), one in found.items():
        i, j = names.index(a), names.index(b)
        ahead[i, j] = one.verdict == f"{a} BETTER"
        ahead[j, i] = one.verdict == f"{b} BETTER"
    return ahead


def _status(found: Found) -> Status:
    statuses = [one.status for one in found.values()]
    if Status.INCONSISTENT in statuses:
        return Status.INCONSISTENT
    return Status.OK if all(status.ok for status in statuses) else Status.UNDETERMINED


def _message(
    names: tuple[str, ...], found: Found, verdicts: dict[tuple[str, str], str], level: float
) -> str:
    n = len(found)
    if not any(one.status.ok for one in found.values()):
        return (
            f"{how_many(len(names), 'system')}, no labels: NOT DETERMINED. Judges who favour one system look "
            "like a better system."
        )
    settled = sum(map(_settled, verdicts.values()))
    return (
        f"{how_many(len(names), 'system')}: {settled} of {how_many(n, 'pair')} settled, all at once at "
        f"{percent(level, 0)}."
    )


def _pair(pair: tuple[str, str], found: SystemComparison, verdict: str) -> Pair:
    return Pair(
        first=pair[0],
        second=pair[1],
        difference=found.difference,
        low=found.low,
        high=found.high,
        verdict=verdict,
        n_items=found.n_items,
        n_gold=found.n_gold,
        n_discordant=found.n_discordant,
    )


def _warnings(found: Found) -> tuple[str, ...]:
    told = [f"{a}, {b}: {one}" for (a, b), pair in found.items() for one in pair.warnings]
    return tuple(told)
