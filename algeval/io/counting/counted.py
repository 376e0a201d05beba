"""What counting found: what reading does, but the items."""

from __future__ import annotations

from dataclasses import dataclass

from algeval.data import KeyedSketch, Sketch, Summary
from algeval.data.names import NOT_ANSWERED, Codes, Counts
from algeval.data.sketch import keyed_by_row
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
    truth : (rows,) int array or None
        Places in the labels, -1 unknown, where a key was counted too.
    key_notes : tuple of str
    """

    judges: tuple[str, ...]
    meaning: Meaning
    codes: Codes
    counts: Places
    notes: tuple[str, ...] = ()
    truth: Places | None = None
    key_notes: tuple[str, ...] = ()

    @property
    def all_known(self) -> bool:
        """Whether there is a key, and it knows every item."""
        return self.truth is not None and bool((self.truth != NOT_ANSWERED).all())

    def sketch(self) -> Sketch:
        """Return the counts of decision tuples."""
        return Sketch(
            self.judges, self.meaning.labels, self.meaning.answers, self.codes, self.counts
        )

    def data(self) -> Sketch | KeyedSketch:
        """Return the counts of decision tuples, by true label where all are known."""
        sketch = self.sketch()
        if self.truth is None or not self.all_known:
            return sketch
        return keyed_by_row(sketch, self.codes, self.counts, self.truth)

    def said(self, rules: Rules) -> tuple[str, ...]:
        """Return the notes of reading that follow those on the table."""
        absent = sum(
            int(self.counts[self.codes[:, judge] < 0].sum()) for judge in range(len(self.judges))
        )
        return _said(self, rules, absent, int(self.counts.sum()), self.key_notes)


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
    counted: Counted | CountedEach,
    rules: Rules,
    absent: int,
    n_items: int,
    of_key: tuple[str, ...] = (),
) -> tuple[str, ...]:
    answers = answer_notes(counted.meaning.labels, counted.meaning.answers, rules)
    missing = f"{absent} of {n_items * len(counted.judges)} votes missing"
    return (*counted.notes, *counted.meaning.notes, *answers, *of_key, missing)
