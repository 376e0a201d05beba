"""One spelling per label: "Yes", "YES" and " yes." are one answer, and the note says so."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from algeval.data.names import folded
from algeval.io.answers import tidy
from algeval.io.columns import Column, Places
from algeval.result.wording import how_many

__all__ = ["Spelling", "renamed_notes", "spelling_of", "tally"]

_MOST_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Spelling:
    """Which spelling stands for each answer, and what to say about it."""

    shown: dict[str, str] = field(default_factory=dict)
    """The spelling shown, by folded form; empty where labels are taken exactly."""
    apart: frozenset[str] = frozenset()
    """Folded forms that several of the labels asked for share, which therefore stay apart."""
    notes: tuple[str, ...] = ()

    def of(self, text: str | None) -> str | None:
        """Return the spelling shown for an answer or a truth."""
        return None if text is None else self.shown.get(folded(text), text)

    def all(self, texts: Iterable[str | None]) -> list[str | None]:
        """Return the spelling shown for each of some answers."""
        return list(map(self.of, texts))


def tally(
    columns: Sequence[Column],
    texts: Sequence[Sequence[str | None]],
    weights: Places | None = None,
) -> dict[str, tuple[int, int]]:
    """Return {answer: (votes, place of the first)}, places counted along the rows."""
    votes: Counter[str] = Counter()
    first: dict[str, int] = {}
    for place, (column, read) in enumerate(zip(columns, texts, strict=True)):
        known = column.codes >= 0
        codes, given = column.codes[known], None if weights is None else weights[known]
        sums = _sums(codes, given, len(read))
        where = _first_rows(codes, np.flatnonzero(known), len(read))
        for text, n, row in zip(read, sums, where, strict=True):
            if text is None or row < 0:
                continue
            votes[text] += n
            at = row * len(columns) + place
            first[text] = min(first.get(text, at), at)
    return {text: (n, first[text]) for text, n in votes.items()}


def _sums(codes: Places, weights: Places | None, size: int) -> list[int]:
    if weights is None:
        return [int(n) for n in np.bincount(codes, minlength=size)]
    total = np.zeros(size, np.int64)
    np.add.at(total, codes, weights)
    return [int(n) for n in total]


def _first_rows(codes: Places, rows: Any, size: int) -> list[int]:
    first = np.full(size, -1, np.int64)
    first[codes[::-1]] = rows[::-1]  # the earliest row is written last
    return [int(row) for row in first]


def spelling_of(found: dict[str, tuple[int, int]], labels: Sequence[str] | None) -> Spelling:
    """Choose a spelling per folded form: the label asked for, else the commonest, else the first.

    Examples
    --------
    >>> chosen = spelling_of({"Yes": (3, 0), "yes": (5, 2), "no": (4, 1)}, None)
    >>> chosen.of("YES."), chosen.notes
    ('yes', ("read as 'yes': 'Yes' (3 votes); exact_labels= keeps spellings apart",))
    """
    forms: defaultdict[str, list[str]] = defaultdict(list)
    for text in found:
        forms[folded(text)].append(text)
    asked: defaultdict[str, list[str]] = defaultdict(list)
    for label in labels or ():
        asked[folded(label)].append(label)
    shown, notes, apart = {}, [], set()
    for form in dict.fromkeys((*asked, *forms)):
        texts, wanted = forms[form], asked[form]
        if len(wanted) > 1:
            apart.add(form)
            notes.append(_apart_note(wanted))
            continue
        best = wanted[0] if wanted else min(texts, key=lambda t: (-found[t][0], found[t][1]))
        shown[form] = best
        others = [text for text in texts if text != best]
        if others:
            notes.append(_merged_note(best, others, found))
    return Spelling(shown, frozenset(apart), tuple(notes))


def renamed_notes(
    renamed: dict[str, str],
    columns: Sequence[Column],
    form: Callable[[str], str],
    weights: Places | None = None,
) -> tuple[str, ...]:
    """Say which spellings a map gave which name, with their votes, and which it never met."""
    if not renamed:
        return ()
    texts = [[tidy(value) for value in column.values] for column in columns]
    found = tally(columns, texts, weights)
    met: defaultdict[str, list[str]] = defaultdict(list)
    for text, (n, _) in sorted(found.items(), key=lambda pair: -pair[1][0]):
        if form(text) in renamed:
            met[renamed[form(text)]].append(_votes(text, n))
    unmet = [old for old in renamed if old not in map(form, found)]
    notes = [
        f"named {new!r} by map=: {', '.join(old[:_MOST_SHOWN])}"
        + (", ..." * (len(old) > _MOST_SHOWN))
        for new, old in met.items()
    ]
    if unmet:
        notes.append(f"map= names answers that nobody gave: {', '.join(map(repr, unmet))}")
    return tuple(notes)


def _apart_note(wanted: Sequence[str]) -> str:
    return f"not folded, because labels= names them apart: {', '.join(map(repr, wanted))}"


def _merged_note(best: str, others: list[str], found: dict[str, tuple[int, int]]) -> str:
    ordered = sorted(others, key=lambda text: (-found[text][0], found[text][1]))
    parts = [_votes(text, found[text][0]) for text in ordered[:_MOST_SHOWN]]
    rest = ordered[_MOST_SHOWN:]
    if rest:
        total = sum(found[text][0] for text in rest)
        parts.append(f"{how_many(len(rest), 'more spelling')} ({how_many(total, 'vote')})")
    return f"read as {best!r}: {', '.join(parts)}; exact_labels= keeps spellings apart"


def _votes(text: str, n: int) -> str:
    return f"{text!r} ({n} vote{'' if n == 1 else 's'})"
