"""How many more labels tell the two best judges apart, or bring a judge's figures to a width."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import ClassVar, NamedTuple

from algeval.judges.drifting import labels_to_decide
from algeval.judges.intervals import Interval, mcnemar
from algeval.rates.sizes import rows_for_width, rows_to_tell
from algeval.result import Result, Table
from algeval.result.numbers import how_many, level_text

# --- Results.


class PairNeeded(NamedTuple):
    """What would tell two judges apart.

    Attributes
    ----------
    first, second : str
        The judges that are right most often.
    only_first, only_second : int
        Labelled items on which only one of them is right.
    differ : int
        Items without a label on which their verdicts differ; labels of other items say nothing.
    these_items : int or None
        How many of these to label, at random, so that it is decided with a chance of 80% who is right more
        often on these items; 0 where it is; None where labels are more than two.
    like_these : int or None
        How many labels of items on which they differ decide with a chance of 80% for items like these, if one
        is right as often among them as so far; 0 where it is decided; None where both are right alike so far.
    """

    first: str
    second: str
    only_first: int
    only_second: int
    differ: int
    these_items: int | None
    like_these: int | None


@dataclass(frozen=True, slots=True)
class WidthNeeded:
    """More labels, drawn at random, for intervals of this half width.

    Attributes
    ----------
    judge : str
    accuracy : int
    recall : dict of int or None
        By label; None where people gave it to no item, so that its share is not known.
    """

    judge: str
    accuracy: int
    recall: dict[str, int | None]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LabelsNeeded(Result):
    """How many more labels tell the two best judges apart, or bring figures to a width.

    Attributes
    ----------
    status : Status
        ok: a plan says null where no number of labels will do.
    pair : PairNeeded or None
        None of a single judge.
    widths : tuple of WidthNeeded
    half_width : float
    n_gold, n_unlabelled : int
    level : float
    """

    schema: ClassVar[str] = "algeval.labels_needed/1"

    pair: PairNeeded | None
    widths: tuple[WidthNeeded, ...]
    half_width: float
    n_gold: int
    n_unlabelled: int
    level: float

    @property
    def meaning(self) -> str:
        """What a plan does not promise."""
        return (
            "A plan takes shares to be what they are so far; with other shares it takes more labels or "
            "fewer. Labels must be of items drawn at random, one by one."
        )

    def as_tables(self) -> tuple[Table, ...]:
        """A row a judge and figure; the two best judges."""
        rows = [
            (row.judge, name, more)
            for row in self.widths
            for name, more in [
                ("accuracy", row.accuracy),
                *((f"recall {label}", n) for label, n in row.recall.items()),
            ]
        ]
        tables = [Table.of_rows("More labels for a width", ("judge", "figure", "labels"), rows)]
        if self.pair is not None:
            tables.append(
                Table.of_rows("To tell two judges apart", PairNeeded._fields, [self.pair])
            )
        return tuple(tables)

    def summary(self) -> str:
        """Sentences: the two best judges, then a line a judge."""
        lines = [self.message]
        for row in self.widths:
            parts = [f"accuracy {row.accuracy}"]
            parts += [
                f"recall of {label} {'not known' if n is None else n}"
                for label, n in row.recall.items()
            ]
            lines.append(f"  {row.judge}: {', '.join(parts)}")
        return "\n".join([*lines, f"What this does not mean: {self.meaning}"])


def pair_needed(
    names: tuple[str, str], counts: tuple[int, int, int, int], level: float, *, binary: bool
) -> PairNeeded:
    """Two judges of whom each alone is right on so many labelled items.

    counts : items only the first has right, only the second, labelled items on which they differ, and others
        on which they differ.
    """
    b, c, differ, left = counts
    here = None
    if binary:
        here = labels_to_decide(b, b + c, b + c + left, level, anytime=False) if b + c + left else 0
    there = 0 if mcnemar(b, c) <= 1 - level else None
    if there is None and b != c:
        rows = rows_to_tell(b / (b + c), level)
        there = None if rows is None else max(0, ceil((rows - b - c) * differ / (b + c)))
    return PairNeeded(*names, b, c, left, here, there)


def width_needed(
    judge: str,
    accuracy: Interval,
    recall: dict[str, Interval],
    sizes: tuple[int, dict[str, int], dict[str, float]],
    half_width: float,
    level: float,
) -> WidthNeeded:
    """More labels drawn at random.

    sizes : labelled items that it answered, those of each label, and the share of each label.
    """
    n, of_label, shares = sizes

    def more(part: Interval, own: int, rate: float) -> int:
        p = ((part.value or 0.0) * own + 1) / (own + 2)  # never 0 or 1
        return max(0, ceil((rows_for_width(p, half_width, level) - own) / rate))

    by_label = {
        label: more(r, of_label[label], shares[label]) if shares[label] else None
        for label, r in recall.items()
    }
    return WidthNeeded(judge, more(accuracy, n, 1.0), by_label)


def needed_message(
    pair: PairNeeded | None, half_width: float, level: float, n_unlabelled: int
) -> str:
    """What it takes, in sentences."""
    said = ""
    if pair is not None:
        who = f"{pair.first} and {pair.second}"
        here, there = pair.these_items, pair.like_these
        if here == 0:
            said = f"On these items it is decided which of {who} is right more often. "
        elif here is not None:
            said = (
                f"{who} differ on {how_many(pair.differ, 'item')} without a label: labels of {here} of them, "
                "drawn at random, decide with a chance of 80% which is right more often on these items. "
            )
        if there is None:
            said += "So far the two are right alike: no number of labels tells them apart. "
        elif there:
            said += (
                f"For items like these it takes {how_many(there, 'more label')} of items on which they "
                "differ. "
            )
        else:
            said += (
                "For items like these there are labels enough, if they differ as they do so far. "
            )
    return (
        f"{said}More labels of items drawn at random for {level_text(level)} intervals to within "
        f"{100 * half_width:g} points ({how_many(n_unlabelled, 'item')} without a label so far):"
    )
