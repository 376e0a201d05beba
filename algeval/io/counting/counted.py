"""What counting found: what reading does, but the items."""

from __future__ import annotations

from dataclasses import dataclass

from algeval.data import Sketch, Summary
from algeval.data.names import Codes, Counts
from algeval.io.answers import Rules, answer_notes
from algeval.io.columns import Places
from algeval.io.meaning import Meaning

__all__ = ["Counted", "CountedEach"]


@dataclass(frozen=True, slots=True)
class Counted:
    """Counts of decision tuples.

    Attributes
    ----------
    judges : tuple of str
    meaning : Meaning
    codes : (rows, judges) int array
        Decision tuples, which may occur again.
    counts : (rows,) int array
        How many items each stands for.
    notes : tuple of str
    """

    judges: tuple[str, ...]
    meaning: Meaning
    codes: Codes
    counts: Places
    notes: tuple[str, ...] = ()

    def data(self) -> Sketch:
        """Return the counts of decision tuples."""
        return Sketch(
            self.judges, self.meaning.labels, self.meaning.answers, self.codes, self.counts
        )

    def said(self, rules: Rules) -> tuple[str, ...]:
        """Return the notes of reading that follow those on the table."""
        absent = sum(
            int(self.counts[self.codes[:, judge] < 0].sum()) for judge in range(len(self.judges))
        )
        return _said(self, rules, absent, int(self.counts.sum()))


@dataclass(frozen=True, slots=True)
class CountedEach:
    """How often each judge gave each answer.

    Attributes
    ----------
    judges : tuple of str
    meaning : Meaning
    table : (judges, answers) int array
    n_items : int
    notes : tuple of str
    """

    judges: tuple[str, ...]
    meaning: Meaning
    table: Counts
    n_items: int
    notes: tuple[str, ...] = ()

    def data(self) -> Summary:
        """Return the counts of each judge."""
        return Summary(
            self.judges, self.meaning.labels, self.meaning.answers, self.table, self.n_items
        )

    def said(self, rules: Rules) -> tuple[str, ...]:
        """Return the notes of reading that follow those on the table."""
        absent = self.n_items * len(self.judges) - int(self.table.sum())
        return _said(self, rules, absent, self.n_items)


def _said(
    counted: Counted | CountedEach, rules: Rules, absent: int, n_items: int
) -> tuple[str, ...]:
    answers = answer_notes(counted.meaning.labels, counted.meaning.answers, rules)
    missing = f"{absent} of {n_items * len(counted.judges)} votes missing"
    return (*counted.notes, *counted.meaning.notes, *answers, missing)
