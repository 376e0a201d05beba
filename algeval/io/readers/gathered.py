"""What a reader found in a tool's file: votes, true labels, and what is missing or left out, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from algeval.errors import DataError
from algeval.io.answers import tidy
from algeval.io.columns import plain
from algeval.io.tables import MemoryTable
from algeval.result.wording import how_many

__all__ = ["Gathered", "Wanted"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the caller asked of a reader."""

    question: str | None = None
    judges: tuple[str, ...] | None = None
    swap: str = "two"
    """Of pairs judged in both orders: "two" judges, or one where the orders "agree"."""
    latest: bool = False
    """Whether the newest of a judge's votes on an item counts; else they are refused."""
    truth_votes: bool = False
    """Whether annotations marked as ground truth are votes, as imported ones may all be so marked."""


@dataclass(slots=True)
class Gathered:
    """Votes as they are gathered, a row each.

    Attributes
    ----------
    tool : str
        The tool that wrote the file, with its version where the file says it.
    items, judges, answers : list
        A vote each; the answer is None where it was not given.
    keys : list
        Beside each vote the item's true label, None where unknown.
    key_name : str
        What the tool calls true labels: the name that ``key=`` asks for.
    absent, left_out : Counter
        Votes missing and rows left out, by reason.
    notes : list of str
    """

    tool: str
    key_name: str = "key"
    items: list[str] = field(default_factory=list)
    judges: list[str] = field(default_factory=list)
    answers: list[Any] = field(default_factory=list)
    keys: list[Any] = field(default_factory=list)
    absent: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)

    def vote(self, item: object, judge: object, answer: Any, key: Any = None) -> None:
        """Add a vote; an empty answer is one not given.

        Raises
        ------
        DataError
            If item or judge has no name, or the answer is a list or an object.
        """
        if isinstance(answer, dict | list):
            raise DataError(
                f"a vote must be one plain value; {judge!r} gives item {item!r} {str(answer)[:40]!r}; "
                "flatten it, or choose with question="
            )
        if plain(answer) is None:
            self.no_vote(item, judge, "blank", key)
        else:
            self._add(item, judge, answer, key)

    def no_vote(self, item: object, judge: object, why: str, key: Any = None) -> None:
        """Add a vote that was not given, and why."""
        self._add(item, judge, None, key)
        self.absent[why] += 1

    def _add(self, item: object, judge: object, answer: Any, key: Any) -> None:
        self.items.append(_name(item, f"item; one of judge {judge!r}"))
        self.judges.append(_name(judge, f"judge; one on item {item!r}"))
        self.answers.append(answer)
        self.keys.append(key)

    def answers_by_judge(self) -> dict[str, set[str]]:
        """Return the distinct answers of each judge, in order of first appearance."""
        found: dict[str, set[str]] = {}
        for judge, answer in zip(self.judges, self.answers, strict=True):
            text = tidy(answer)
            found.setdefault(judge, set()).update(() if text is None else (text,))
        return found

    def keep(self, judges: Iterable[str]) -> None:
        """Keep the votes of some judges only."""
        kept = set(judges)
        rows = [row for row, judge in enumerate(self.judges) if judge in kept]
        for column in (self.items, self.judges, self.answers, self.keys):
            column[:] = [column[row] for row in rows]

    def table(self, name: str) -> MemoryTable:
        """Return the votes as a long table with notes.

        Raises
        ------
        DataError
            If there is no vote.
        """
        if not any(answer is not None for answer in self.answers):
            reasons = _reasons(self.absent + self.left_out)
            why = f" ({reasons})" if reasons else ""
            raise DataError(
                f"{name} must hold at least one vote; got a file of {self.tool} with none{why}; run the "
                "judges again, or name another file"
            )
        self._refuse_repeats(name)
        columns = {"item": self.items, "judge": self.judges, "answer": self.answers}
        keyed = self._keyed()
        if keyed:
            columns |= {self.key_name: self.keys}
        return MemoryTable(columns, f"{name} read as a file of {self.tool}", *self._said(keyed))

    def _refuse_repeats(self, name: str) -> None:
        pairs = Counter(zip(self.items, self.judges, strict=True))
        if len(pairs) == len(self.items):
            return
        (item, judge), n = next(pair for pair in pairs.items() if pair[1] > 1)
        others = sum(n > 1 for n in pairs.values()) - 1
        more = f" ({how_many(others, 'more pair')} alike)" if others else ""
        raise DataError(
            f"a judge must vote on an item once; {judge!r} votes {n} times on item {item!r} in {name}{more}; "
            "keep one of each"
        )

    def _said(self, keyed: bool) -> list[str]:
        said = list(self.notes)
        if self.absent:
            said.append(f"votes not given: {_reasons(self.absent)}")
        if self.left_out:
            said.append(f"left out: {_reasons(self.left_out)}")
        if keyed:
            name = self.key_name
            said.append(f"true labels are there as {name!r}; key={name!r} reads them")
        return said

    def _keyed(self) -> bool:
        """Whether what the tool calls true labels are among the answers; grades of an answer are not."""
        answers = {tidy(answer) for answer in self.answers} - {None}
        return any(tidy(key) in answers for key in self.keys)


def _name(given: object, what: str) -> str:
    """Return the name of an item or a judge as text."""
    name = None if isinstance(given, dict | list | bool) else plain(given)
    if name is None:
        got = "none" if given is None else repr(given)[:40]
        raise DataError(
            f"every vote must name its {what} has {got}; write the name, or leave it out"
        )
    return name


def _reasons(counted: Counter[str]) -> str:
    return ", ".join(f"{why} ({n})" for why, n in counted.items())
