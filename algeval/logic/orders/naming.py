"""Names for a person: what the unknowns and rows of an order's program are called in a file.

Files of linear programs allow few characters and 100 of them, so names of judges, labels and answers are
simplified; where two would be called the same, the second gets a number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from algeval.logic.exam import Exam
from algeval.logic.orders.layout import UNANSWERED

__all__ = ["Naming", "distinct"]

_LONGEST_PART, _LONGEST = 24, 90
_UNFIT = re.compile(r"[^A-Za-z0-9]+")


def distinct(names: Sequence[str]) -> list[str]:
    """Return names no two of which are the same, the first of each kept.

    Examples
    --------
    >>> distinct(["a", "b", "a", "a_2"])
    ['a', 'b', 'a_3', 'a_2']
    """
    taken, seen, found = set(names), set(), []
    for name in names:
        other, n = name, 1
        while other in seen or (n > 1 and other in taken):
            n += 1
            other = f"{name}_{n}"
        seen.add(other)
        found.append(other)
    return found


def _simple(kind: str, names: Sequence[str]) -> list[str]:
    """Return names of letters, digits and underscores; those with nothing left are numbered."""
    parts = (_UNFIT.sub("_", name).strip("_")[:_LONGEST_PART] for name in names)
    return distinct([part or f"{kind}{n}" for n, part in enumerate(parts, start=1)])


class Naming:
    """Names of one exam.

    Parameters
    ----------
    exam : Exam
    tuples : sequence of sequences of int
        The decision tuples as places of answers; full order only.
    """

    def __init__(self, exam: Exam, tuples: Sequence[Sequence[int]] = ()) -> None:
        self._judges = _simple("judge", exam.judges)
        self._answers = _simple("answer", exam.answers)
        self._tuples = tuples

    def unknowns(self, forms: Sequence[tuple[Any, ...]], n_labels: int) -> list[str]:
        """Return the name of each share, label by label within each total."""
        stems = [self._total(*form) for form in forms]
        labels = self._answers[:n_labels]
        keys = [f"Q_{label}" for label in labels]
        shares = [f"R_{stem}_true_{label}" for stem in stems[1:] for label in labels]
        return distinct(keys + shares)

    def totals(self, forms: Sequence[tuple[Any, ...]]) -> list[str]:
        """Return the name of the row that each total's shares add up to it."""
        return ["items", *(f"observed_{self._total(*form)}" for form in forms[1:])]

    def row(self, name: tuple[Any, ...]) -> str:
        """Return the name of a row that couples shares, or of a condition."""
        kind, *places = name
        if kind == "label":
            return f"simplex_true_{self._answers[places[0]]}"
        if kind == "key":
            return f"simplex_{self._judges[places[0]]}_true_{self._answers[places[1]]}"
        if kind in ("left", "right"):
            i, j, a, t = places
            own, other = (i, j) if kind == "left" else (j, i)
            whole = f"{self._answer(own, a)}_beside_{self._judges[other]}"
            return f"margin_{whole}_true_{self._answers[t]}"
        c, i, t = places
        what = "grade" if t is None else self._answers[t]
        return f"asked_{c + 1}_{self._judges[i]}_{what}"

    def _total(self, kind: str, *places: int) -> str:
        if kind == "answer":
            return self._answer(*places)
        if kind == "pair":
            i, j, a, b = places
            return f"{self._answer(i, a)}_{self._answer(j, b)}"
        if kind == "cell":
            return self._decision(places[0])
        return kind

    def _answer(self, i: int, a: int) -> str:
        return f"{self._judges[i]}_{self._said(a)}"

    def _said(self, a: int) -> str:
        return "unanswered" if a == UNANSWERED else self._answers[a]

    def _decision(self, u: int) -> str:
        said = "_".join(map(self._said, self._tuples[u]))
        return said if len(said) <= _LONGEST - 2 * _LONGEST_PART else f"tuple{u + 1}"
