"""`drift`: the same items judged twice; what changed, and whether the judge is now right more often."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from math import ceil, floor
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln

from algeval.data import Votes
from algeval.data.names import RowNumbers, check_number, check_whole
from algeval.errors import DataError, option
from algeval.io.sources import read_with_table
from algeval.judges.intervals import Interval, anytime_count, tango
from algeval.rates.inputs import as_votes, label_or_pass, pass_label, read_gold
from algeval.rates.intervals import exact_ends, log_choose, log_hypergeometric, looks_balance
from algeval.rates.policy import UNBALANCED
from algeval.result import Result, Status, Table, percent
from algeval.result.base import with_reading
from algeval.result.numbers import how_many, level_text, signed

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

_POWER = 0.8
_ENDS = ("low", "high")
_CHANGE = {"change": "value", "low": "low", "high": "high"}
_SHOWN = 10  # items to label that a summary names
_TOO_MANY = 0.01  # chance of so many changed items among labels drawn from all


# --- How many of f changed items the new verdict is right on, when it is on x of n labelled at random.


def exact_count(x: int, n: int, f: int, level: float) -> tuple[int, int]:
    """Ends of the exact set at a number of labels that was fixed beforehand."""
    low, high = exact_ends(x, n, level, n_items=f)
    return round(low * f), round(high * f)


def _count(x: int, n: int, f: int, level: float, *, anytime: bool) -> tuple[int, int]:
    return (anytime_count if anytime else exact_count)(x, n, f, level)


def _decides(x: int, n: int, f: int, level: float, anytime: bool) -> bool:
    low, high = _count(x, n, f, level, anytime=anytime)
    return 2 * low > f or 2 * high < f


def forecast(x: int, n: int, f: int, more: int, level: float, *, anytime: bool) -> float:
    """Chance that so many more labels decide, x of n being right so far; rates uniform beforehand."""
    total = n + more
    low, high = total // 2, total + 1  # fewest right that decide; the other side mirrors it
    while low < high:
        middle = (low + high) // 2
        if middle > total or (2 * middle >= total and _decides(middle, total, f, level, anytime)):
            high = middle
        else:
            low = middle + 1
    k = np.arange(more + 1.0)
    chances = np.exp(
        log_choose(more, k) + betaln(1 + x + k, 1 + n - x + more - k) - betaln(1 + x, 1 + n - x)
    )
    right = x + k
    return float(chances[(right >= low) | (total - right >= low)].sum())


def labels_to_decide(x: int, n: int, f: int, level: float, *, anytime: bool) -> int:
    """More labels of changed items with which it is decided with a chance of 80%, or all."""
    if n == f or _decides(x, n, f, level, anytime):
        return 0
    low, high = 0, 1
    while high < f - n and forecast(x, n, f, high, level, anytime=anytime) < _POWER:
        low, high = high, min(2 * high, f - n)
    while high - low > 1:
        middle = (low + high) // 2
        if forecast(x, n, f, middle, level, anytime=anytime) < _POWER:
            low = middle
        else:
            high = middle
    return high


# --- Results.


@dataclass(frozen=True, slots=True)
class DriftRow:
    """One judge before and after.

    Attributes
    ----------
    before, after : str
        Names of the judge.
    n : int
        Items with both verdicts.
    changed : int
        Of these, items whose verdict changed.
    pass_rate : Interval or None
        Change of the share of good verdicts: exact for these items, with the interval for items like them.
    passes : (int, int) or None
        Good verdicts before and after; None where good is not known.
    certain : (float, float)
        Ends of the change of accuracy that hold whatever the truth of items without a label.
    least_wrong : int
        Of both versions' verdicts, those that are wrong whatever the truth.
    labelled, new_right, old_right : int
        Changed items with a label, and on how many of them each version is right.
    change : Interval
        Of accuracy, on these items; exact at a number of labels fixed beforehand.
    anytime : Interval
        The same, valid at every look.
    recall : dict of Interval
        By label: change of the share of items with this true label that the judge finds, with the interval
        for items like them; of two labels the one that is not good has the specificity.
    labels_needed : int or None
        More labels of changed items that decide with a chance of 80%; None for more than two labels.
    verdict : str
        "better", "worse", "the same" or "not decided".
    """

    before: str
    after: str
    n: int
    changed: int
    pass_rate: Interval | None
    passes: tuple[int, int] | None
    certain: tuple[float, float]
    least_wrong: int
    labelled: int
    new_right: int
    old_right: int
    change: Interval
    anytime: Interval
    recall: dict[str, Interval]
    labels_needed: int | None
    verdict: str

    def __str__(self) -> str:
        name = self.before if self.before == self.after else f"{self.before} to {self.after}"
        if not self.changed:
            return f"{name}: no verdict of {how_many(self.n, 'item')} changed"
        parts = [f"{name}: {self.changed} of {how_many(self.n, 'verdict')} changed"]
        if self.pass_rate is not None and self.passes is not None:
            was, now = (percent(x / self.n, 1) for x in self.passes)
            parts.append(
                f"pass rate {was} to {now} ({_points(self.pass_rate.value or 0.0)} points)"
            )
        low, high = self.certain
        if not self.labelled:
            ends = _range(low, high)
            return f"{', '.join(parts)}; accuracy changed by {ends} points, whatever the truth"
        ends = f"{_range(self.anytime.low, self.anytime.high)} at every look"
        if self.anytime.low == self.anytime.high:
            ends = "exactly: every changed item that matters has a label"
        parts.append(f"accuracy {_points(self.change.value or 0.0)} points ({ends})")
        said = f"{', '.join(parts)}, by {how_many(self.labelled, 'label')} of them"
        word = "not decided by these labels" if self.verdict == "not decided" else self.verdict
        return f"{said}: {word}"


def _points(x: float) -> str:
    return signed(100 * x, 1) if x else "0"


def _range(low: float, high: float) -> str:
    ends = floor(1000 * low + 1e-9) / 1000, ceil(1000 * high - 1e-9) / 1000
    return " to ".join(map(_points, ends))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drift(Result):
    """What changed between two judgements of the same items, and whether the judge is now better.

    Attributes
    ----------
    status : Status
        ok; undetermined: for some judge these labels do not decide whether it is better.
    rows : tuple of DriftRow
        A row a judge.
    labels : tuple of str
    n_items : int
        Items in both tables.
    only_before, only_after : int
        Items in one table alone, which are left out.
    people : dict of str to str
        Labels that people gave, of items in both tables.
    to_label : tuple of str
        Changed items without a label, in the random order in which to label them.
    level : float
    anytime : bool
        Whether verdicts rest on the interval that is valid at every look.
    good : str or None
        The label whose share is the pass rate; None where that is not known.
    random : int
        Seed of the order, which stays when labels come in.
    warnings : tuple of str
    """

    schema: ClassVar[str] = "algeval.drift/1"

    rows: tuple[DriftRow, ...]
    labels: tuple[str, ...]
    n_items: int
    only_before: int
    only_after: int
    people: dict[str, str] = field(default_factory=dict)
    to_label: tuple[str, ...] = ()
    level: float
    anytime: bool
    good: str | None = None
    random: int = 0
    warnings: tuple[str, ...] = ()

    @property
    def n_labelled(self) -> int:
        """Items in both tables with a label."""
        return len(self.people)

    @property
    def meaning(self) -> str:
        """What the intervals do not mean."""
        if not self.people:
            return (
                "What changed need not be better or worse: only labels of changed items say which. It holds "
                "only if the same outputs were judged twice."
            )
        return (
            "They are about these items, and hold only if the same outputs were judged twice and the "
            "labelled ones were drawn at random among those that changed."
        )

    def as_tables(self) -> tuple[Table, ...]:
        """A row a judge, and change of recall by label."""
        rows = self.rows
        columns: dict[str, list[Any]] = {
            name: [getattr(row, name) for row in rows]
            for name in ("before", "after", "n", "changed")
        }
        columns["pass_rate"] = [None if r.pass_rate is None else r.pass_rate.value for r in rows]
        columns |= {f"certain_{end}": [r.certain[k] for r in rows] for k, end in enumerate(_ENDS)}
        for name in ("least_wrong", "labelled", "new_right", "old_right"):
            columns[name] = [getattr(row, name) for row in rows]
        columns |= {name: [getattr(r.change, end) for r in rows] for name, end in _CHANGE.items()}
        columns |= {f"anytime_{end}": [getattr(r.anytime, end) for r in rows] for end in _ENDS}
        for name in ("labels_needed", "verdict"):
            columns[name] = [getattr(row, name) for row in rows]
        recall = [
            (row.before, row.after, label, *change)
            for row in self.rows
            for label, change in row.recall.items()
        ]
        return (
            Table("Drift", columns),
            Table.of_rows(
                "Change of recall", ("before", "after", "label", "change", "low", "high"), recall
            ),
            Table.of_rows("Label next", ("item", "truth"), self._sheet()),
        )

    def _sheet(self) -> list[tuple[str, str]]:
        return [*self.people.items(), *((item, "") for item in self.to_label)]

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write a table to fill in: labels so far, then the changed items to label, from the top.

        Filled in as far as you like, it is what `drift` takes as `human`. A file in which anything would
        be lost is not replaced.
        """
        self.to_file(path, table="Label next")

    def _also(self, label: str) -> str:
        """Other name of the recall of a label."""
        other = self.good is not None and len(self.labels) == 2 and label != self.good
        return " (specificity)" if other else ""

    def summary(self) -> str:
        """A line a judge, how many labels would decide, and which items to label."""
        lines = [self.message]
        for row in self.rows:
            lines.append(f"  {row}")
            if row.least_wrong:
                lines.append(
                    f"    of the {2 * row.n:,} verdicts before and after at least {row.least_wrong:,} are "
                    "wrong, whatever the truth"
                )
            lines += [
                f"    recall of {label}{self._also(label)} {_points(change.value)} points "
                f"(about {_range(change.low, change.high)})"
                for label, change in row.recall.items()
                if change.value is not None
            ]
            if row.labels_needed:
                lines.append(
                    f"    label {row.labels_needed} more of the changed items to decide (chance 80%)"
                )
        if self.to_label and not self.status.ok:
            more = len(self.to_label) - _SHOWN
            shown = ", ".join(self.to_label[:_SHOWN]) + (f" and {more:,} more" if more > 0 else "")
            lines.append(f"Label next, in this order (random, seed {self.random}): {shown}")
        return "\n".join([*lines, *self.warnings, f"What this does not mean: {self.meaning}"])


# --- The question.


def drift(
    before: Any,
    after: Any = None,
    *,
    human: Any = None,
    judges: Any = None,
    good: object = None,
    level: float = 0.95,
    anytime: bool = True,
    random: int = 0,
) -> Drift:
    """Whether a judge that was updated is right more often: the same outputs judged twice.

    Use it for two dates, two versions or two prompts of a judge. Every item whose verdict stayed cancels,
    so only items that changed need labels: draw them at random among those. Without labels it says what
    changed, and how much of it can matter whatever the truth.

    Parameters
    ----------
    before, after : results table, path, data frame, or Votes
        Joined by item id. Without `after`, `before` holds two judges, the old one first.
    human : str, mapping, Series or table, optional
        People's labels; by default those the tables have.
    judges : (str, str), optional
        The old and the new judge, by name.
    good : label, optional
        Whose share is the pass rate.
    level : float
        Of each interval by itself.
    anytime : bool
        Decide by the interval that holds however often you look; False where the number of labels was fixed
        beforehand.
    random : int
        Seed of the order in which changed items are to be labelled.

    Returns
    -------
    Drift
        ok; undetermined: these labels do not decide.

    Raises
    ------
    DataError
        If no item or judge is in both, or texts or labels of an item differ between the tables.

    Notes
    -----
    Of f changed items let the new verdict be right on r: with two labels accuracy changes by (2r - f) / n
    exactly. The set of r is hypergeometric, and at every look that of Waudby-Smith and Ramdas (2020). With
    more labels both versions can be wrong, and two sets share the error.

    Examples
    --------
    >>> old, new = {"judge": "aabbaabb"}, {"judge": "aabbaaaa"}
    >>> change = drift(Votes.from_columns(old), Votes.from_columns(new))
    >>> change.rows[0].changed, change.rows[0].certain
    (2, (-0.25, 0.25))
    """
    level = check_number("level", level, least=0, most=1, strict=True)
    seed = check_whole("random", random, 0)
    pair, warnings = _pair_of(before, after, human, judges)
    chosen = good if good is None else label_or_pass(good, pair.labels)
    label = pass_label(pair.labels, pair.names[0]) if chosen is None else chosen
    rows = []
    for k in range(len(pair.names)):
        row, warning = _row(pair, k, label, level, bool(anytime))
        rows.append(row)
        warnings += warning
    held = pair.truth[pair.truth >= 0]
    absent = [repr(x) for t, x in enumerate(pair.labels) if not (held == t).any()]
    if len(held) and absent:
        warnings.append(
            f"people gave {', '.join(absent)} to none of the {how_many(len(held), 'labelled item')}: changes "
            "hold only if labels were drawn at random, not by what they are"
        )
    open_rows = [row for row in rows if row.verdict == "not decided"]
    changed = sum(row.changed for row in rows)
    both = int(((pair.old >= 0) & (pair.new >= 0)).any(axis=1).sum())
    on = how_many(both, "item")
    if both < pair.n_items:
        on += f" with both verdicts, of {pair.n_items:,}"
    if not changed:
        message = f"No verdict changed on {on}: nothing to label."
    else:
        message = f"{how_many(changed, 'verdict')} changed on {on}; "
        if any(row.labelled for row in rows):
            message += f"intervals are of {level_text(level)}, for these items."
        else:
            message += "none of them has a label."
    result = Drift(
        status=Status.UNDETERMINED if open_rows else Status.OK,
        message=message,
        rows=tuple(rows),
        labels=pair.labels,
        n_items=pair.n_items,
        only_before=pair.left[0],
        only_after=pair.left[1],
        people={pair.items[q]: pair.labels[pair.truth[q]] for q in np.flatnonzero(pair.truth >= 0)},
        to_label=_to_label(pair, seed),
        level=level,
        anytime=bool(anytime),
        good=label if label in pair.labels else None,
        random=seed,
        warnings=tuple(dict.fromkeys(warnings)),
    )
    return with_reading(result, pair.source)


def _to_label(pair: _Judged, seed: int) -> tuple[str, ...]:
    """Changed items without a label; all changed ones are shuffled, so that labels leave the order alone."""
    differ = ((pair.old != pair.new) & (pair.old >= 0) & (pair.new >= 0)).any(axis=1)
    rows = np.random.default_rng(seed).permutation(np.flatnonzero(differ))
    return tuple(pair.items[q] for q in rows.tolist() if pair.truth[q] < 0)


class _Judged(NamedTuple):
    """The same items twice: positions in `labels`, beyond them what is never right, -1 missing."""

    items: tuple[str, ...]
    names: tuple[tuple[str, str], ...]
    labels: tuple[str, ...]
    old: Codes  # (n_items, n_pairs)
    new: Codes
    truth: Codes  # (n_items,)
    left: tuple[int, int]
    source: Votes

    @property
    def n_items(self) -> int:
        return len(self.truth)


def _pair_of(before: Any, after: Any, human: Any, judges: Any) -> tuple[_Judged, list[str]]:
    warnings: list[str] = []
    old, labels_old = _read(before, human, "before")
    names = None if judges is None else _two(judges)
    if after is None:
        if names is None and len(old.judges) != 2:
            raise DataError(
                f"before must hold two judges where after is missing; got {len(old.judges)}; name the old "
                f"and the new with {option('judges')}, or pass a second table"
            )
        first, second = names or (old.judges[0], old.judges[1])
        codes = old.select([first, second]).codes.astype(np.int64)
        truth, pair = _truth_of(old, labels_old, human, warnings), ((first, second),)
        sides = codes[:, :1], codes[:, 1:]
        return _Judged(old.items, pair, old.labels, *sides, truth, (0, 0), old), warnings
    # labels by column are those of the first table; labels by item are read once for each
    new, labels_new = _read(after, human, "after")
    labels = tuple(dict.fromkeys((*old.labels, *new.labels)))
    answers = tuple(dict.fromkeys((*labels, *old.answers, *new.answers)))
    old, new = (_with_labels(votes, labels, answers) for votes in (old, new))
    pairs = _judge_pairs(old, new, names, warnings)
    rows_old, rows_new = _joined(old, new, warnings)
    _same_texts(old, new, rows_old, rows_new)
    truth = _same_truth(
        _truth_of(old, labels_old, human, warnings)[rows_old],
        _truth_of(new, labels_new, human, warnings)[rows_new],
    )
    left = old.n_items - len(rows_old), new.n_items - len(rows_new)
    if any(left):
        warnings.append(
            f"{how_many(sum(left), 'item')} in one table alone, left out ({left[0]} before, {left[1]} after)"
        )
    columns_old = [old.judges.index(a) for a, _ in pairs]
    columns_new = [new.judges.index(b) for _, b in pairs]
    sides = (
        old.codes[rows_old][:, columns_old].astype(np.int64),
        new.codes[rows_new][:, columns_new].astype(np.int64),
    )
    items = tuple(old.items[q] for q in rows_old.tolist())
    return _Judged(items, tuple(pairs), labels, *sides, truth, left, old), warnings


def _read(data: Any, human: Any, which: str) -> tuple[Votes, Any]:
    """Votes, and where people's labels are."""
    read, labels, _ = read_with_table(data, human)
    votes = as_votes(read, which).need_judges()
    if labels is None and votes.key is not None:
        labels = "key"
    if human is None and votes.key is not None and not (votes.key >= 0).any():
        labels = None
    return votes, labels


def _with_labels(votes: Votes, labels: tuple[str, ...], answers: tuple[str, ...]) -> Votes:
    """Same votes with the labels of both tables: a judge may have said one label only, before or after."""
    of = np.array([*(answers.index(a) for a in votes.answers), -1], votes.codes.dtype)
    key = None if votes.key is None else of[votes.key]
    return replace(votes, labels=labels, answers=answers, codes=of[votes.codes], key=key)


def _truth_of(votes: Votes, labels: Any, human: Any, warnings: list[str]) -> Codes:
    """Positions of people's labels."""
    truth = np.full(votes.n_items, -1, np.int64)
    if labels is None:
        return truth
    gold = read_gold(labels, votes, votes.labels[0])
    truth[gold.rows] = np.where(gold.truth < len(votes.labels), gold.truth, -1)
    if gold.inclusion is not None and len(np.unique(gold.inclusion)) > 1:
        warnings.append(
            "labels were drawn with unequal chances: label changed items in the order that is shown"
        )
    return truth


def _two(judges: Any) -> tuple[str, str]:
    names = [judges] if isinstance(judges, str) else list(judges)
    if len(names) != 2:
        raise DataError(
            f"{option('judges')} must name two judges, the old and the new; got {len(names)}; name both"
        )
    return str(names[0]), str(names[1])


def _judge_pairs(
    old: Votes, new: Votes, names: tuple[str, str] | None, warnings: list[str]
) -> list[tuple[str, str]]:
    if names is not None:
        for name, votes, which in ((names[0], old, "before"), (names[1], new, "after")):
            if name not in votes.judges:
                raise DataError(
                    f"{option('judges')} must name a judge {which}, of {list(votes.judges)}; got {name!r}; "
                    "name the old one first"
                )
        return [names]
    if len(old.judges) == len(new.judges) == 1:
        return [(old.judges[0], new.judges[0])]
    common = [name for name in old.judges if name in new.judges]
    if not common:
        raise DataError(
            f"before and after must have a judge in common; got {list(old.judges)} and {list(new.judges)}; "
            f"name the old and the new with {option('judges')}"
        )
    others = len(old.judges) + len(new.judges) - 2 * len(common)
    if others:
        warnings.append(f"{how_many(others, 'judge')} in one table alone, left out")
    return [(name, name) for name in common]


def _joined(old: Votes, new: Votes, warnings: list[str]) -> tuple[Codes, Codes]:
    """Rows of the items in both."""
    bare = [isinstance(votes.items, RowNumbers) for votes in (old, new)]
    if any(bare):
        if not all(bare) or old.n_items != new.n_items:
            raise DataError(
                "before and after must have item ids; got row numbers, which do not say which items are the "
                "same; add a column of ids to both"
            )
        warnings.append("neither table has item ids: rows are taken to be the same items in order")
        every = np.arange(old.n_items)
        return every, every
    row_of = {item: row for row, item in enumerate(new.items)}
    rows = np.array([row for row, item in enumerate(old.items) if item in row_of], np.int64)
    if not len(rows):
        raise DataError(
            f"before and after must have an item in common; got for example {old.items[0]!r} and "
            f"{new.items[0]!r}; write the item ids alike"
        )
    return rows, np.array([row_of[old.items[row]] for row in rows.tolist()], np.int64)


def _same_texts(old: Votes, new: Votes, rows_old: Codes, rows_new: Codes) -> None:
    """Refuse outputs that were made anew: the truth of an item may then have changed."""
    there = {texts.name: texts.cells for texts in new.texts}
    for name, cells, _ in old.texts:
        if name not in there:
            continue
        pairs = zip(rows_old.tolist(), rows_new.tolist(), strict=True)
        differ = sum(
            None not in (a := (cells[i], there[name][j])) and a[0] != a[1] for i, j in pairs
        )
        if differ:
            raise DataError(
                f"before and after must judge the same outputs; got column {name!r} with other words on "
                f"{how_many(differ, 'item')}; judge the same outputs twice, or compare systems with versus"
            )


def _same_truth(a: Codes, b: Codes) -> Codes:
    """People's labels of the joined items, from either table."""
    differ = int(((a >= 0) & (b >= 0) & (a != b)).sum())
    if differ:
        raise DataError(
            f"people's labels must be the same before and after, as the outputs are; got other labels on "
            f"{how_many(differ, 'item')}; keep one of them"
        )
    return np.where(a >= 0, a, b)


# --- One judge.


class _Flips(NamedTuple):
    """Changed items: on which each version can be right, and is, where there is a label."""

    n: int  # items with both verdicts
    f: int
    can: tuple[int, int]  # changed items without a label on which new, old can be right
    labelled: int
    right: tuple[int, int]
    two: bool  # of each changed pair one is right

    @property
    def certain(self) -> tuple[float, float]:
        net = self.right[0] - self.right[1]
        return (net - self.can[1]) / self.n, (net + self.can[0]) / self.n

    def change(self, level: float, *, anytime: bool) -> Interval:
        """Change of accuracy on these items."""
        if not self.f:
            return Interval(0.0, 0.0, 0.0)
        low, high = self.certain
        if not self.labelled:
            return Interval(None, low, high)
        new, old = self.right
        value = self.f * (new - old) / self.labelled / self.n
        if self.two:
            ends = _count(new, self.labelled, self.f, level, anytime=anytime)
            low, high = ((2 * r - self.f) / self.n for r in ends)
        else:
            each = (1 + level) / 2
            gains = _count(new, self.labelled, self.f, each, anytime=anytime)
            losses = _count(old, self.labelled, self.f, each, anytime=anytime)
            low = max(low, (gains[0] - losses[1]) / self.n)
            high = min(high, (gains[1] - losses[0]) / self.n)
        return Interval(min(max(value, low), high), low, high)


def _row(
    pair: _Judged, k: int, good: str, level: float, anytime: bool
) -> tuple[DriftRow, list[str]]:
    names, n_labels = pair.names[k], len(pair.labels)
    kept = (pair.old[:, k] >= 0) & (pair.new[:, k] >= 0)
    old, new, truth = pair.old[kept, k], pair.new[kept, k], pair.truth[kept]
    n = len(old)
    if not n:
        raise DataError(
            f"before and after must hold an item that both {names[0]!r} and {names[1]!r} judged; got none"
        )
    changed = old != new
    plain_old, plain_new = old < n_labels, new < n_labels
    open_ = changed & (truth < 0)
    labelled = changed & (truth >= 0)
    flips = _Flips(
        n,
        int(changed.sum()),
        (int((open_ & plain_new).sum()), int((open_ & plain_old).sum())),
        int(labelled.sum()),
        (int((labelled & (new == truth)).sum()), int((labelled & (old == truth)).sum())),
        n_labels == 2 and bool((plain_old & plain_new)[changed].all()),
    )
    exact = flips.change(level, anytime=False)
    always = flips.change(level, anytime=True)
    decisive = always if anytime else exact
    verdict = "not decided"
    if decisive.low == decisive.high == 0:
        verdict = "the same"
    elif decisive.low > 0 or decisive.high < 0:
        verdict = "better" if decisive.low > 0 else "worse"
    needed = None
    if flips.two or not flips.f:
        x, m = flips.right[0], flips.labelled
        needed = 0
        if verdict == "not decided":
            needed = labels_to_decide(x, m, flips.f, level, anytime=anytime)
    recall, warnings = _recall(pair.labels, (old, new, truth), changed, level)
    warnings += _picked(old[changed], new[changed], truth[changed])
    same_wrong = int((~changed & ~plain_new).sum())
    neither = int((changed & ~plain_new & ~plain_old).sum())
    passes, pass_rate = _pass_rate(pair.labels, good, old, new, level)
    row = DriftRow(
        before=names[0],
        after=names[1],
        n=n,
        changed=flips.f,
        pass_rate=pass_rate,
        passes=passes,
        certain=flips.certain,
        least_wrong=flips.f + neither + 2 * same_wrong,
        labelled=flips.labelled,
        new_right=flips.right[0],
        old_right=flips.right[1],
        change=exact,
        anytime=always,
        recall=recall,
        labels_needed=needed,
        verdict=verdict,
    )
    return row, warnings


def _pass_rate(
    labels: tuple[str, ...], good: str, old: Codes, new: Codes, level: float
) -> tuple[tuple[int, int] | None, Interval | None]:
    """Good verdicts before and after, and the change of their share."""
    if good not in labels:
        return None, None
    was, now = old == labels.index(good), new == labels.index(good)
    return (int(was.sum()), int(now.sum())), tango(
        int((now & ~was).sum()), int((was & ~now).sum()), len(old), level
    )


def _picked(old: Codes, new: Codes, truth: Codes) -> list[str]:
    """Warning where the labelled ones of the changed items have other verdicts than a random draw has."""
    answers = range(max(int(old.max(initial=0)), int(new.max(initial=0))) + 1)
    looks = np.column_stack([codes == a for codes in (old, new) for a in answers]).astype(float)
    balance = abs(looks_balance(looks, np.flatnonzero(truth >= 0)))
    if balance <= UNBALANCED:
        return []
    return [
        "labelled items seem to be no random draw of those that changed: the verdicts on them differ by "
        f"{balance:.1f} standard errors ({UNBALANCED:.0f} is rare by chance)"
    ]


def _recall(
    labels: tuple[str, ...],
    verdicts: tuple[Codes, Codes, Codes],
    changed: NDArray[np.bool_],
    level: float,
) -> tuple[dict[str, Interval], list[str]]:
    """Change of recall by label, where labels may be a random draw of all items."""
    old, new, truth = verdicts
    held = truth >= 0
    if not held.any():
        return {}, []
    n, f, drawn, hits = len(old), int(changed.sum()), int(held.sum()), int((held & changed).sum())
    k = np.arange(hits, min(f, drawn) + 1.0)
    k = k[drawn - k <= n - f]
    chance = np.exp(log_hypergeometric(k, drawn, f, n)).sum()
    if chance < _TOO_MANY:
        return {}, [
            "labels are mostly of changed items: enough for accuracy; change of recall needs labels of "
            "items drawn from all"
        ]
    changes = {}
    for t, label in enumerate(labels):
        own = truth == t
        gained = int((own & (new == t) & (old != t)).sum())
        lost = int((own & (old == t) & (new != t)).sum())
        changes[label] = tango(gained, lost, int(own.sum()), level)
    return changes, []
