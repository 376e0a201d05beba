"""`drift`: the same items judged twice; what changed, and whether the judge is now right more often."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, log
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln

from algeval.data import Votes
from algeval.data.names import RowNumbers, check_number
from algeval.errors import DataError, option
from algeval.io.sources import read_with_table
from algeval.judges.intervals import Interval, tango
from algeval.rates.inputs import as_votes, label_or_pass, pass_label, read_gold
from algeval.rates.intervals import exact_ends, log_choose
from algeval.result import Result, Status, Table
from algeval.result.base import with_reading
from algeval.result.numbers import how_many, level_text

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

_POWER = 0.8
_ENDS = ("low", "high")
_CHANGE = {"change": "value", "low": "low", "high": "high"}
_TOO_MANY = 0.01  # chance of so many changed items among labels drawn from all


# --- How many of f changed items the new verdict is right on, when it is on x of n labelled at random.


def exact_count(x: int, n: int, f: int, level: float) -> tuple[int, int]:
    """Ends of the exact set at a number of labels that was fixed beforehand."""
    low, high = exact_ends(x, n, level, n_items=f)
    return round(low * f), round(high * f)


def anytime_count(x: int, n: int, f: int, level: float) -> tuple[int, int]:
    """Ends of the set that is valid at every look: ratio of prior to posterior below 1 / (1 - level).

    The prior is uniform on 0, ..., f (Waudby-Smith and Ramdas 2020).
    """
    r = np.arange(x, f - (n - x) + 1.0)
    posterior = (
        log_choose(f - n, r - x) + betaln(r + 1, f - r + 1) - betaln(1 + x, 1 + n - x)
    )  # of r - x among the f - n others
    kept = r[-log(f + 1) - posterior < -log(1 - level)]
    return int(kept[0]), int(kept[-1])


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
        By label: change of the share of items with this true label that the judge finds.
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
        if self.pass_rate is not None:
            parts.append(f"pass rate {_points(self.pass_rate.value or 0.0)} points")
        low, high = self.certain
        if not self.labelled:
            ends = _range(low, high)
            return f"{', '.join(parts)}; accuracy changed by {ends} points, whatever the truth"
        ends = _range(self.anytime.low, self.anytime.high)
        parts.append(f"accuracy {_points(self.change.value or 0.0)} points ({ends} at every look)")
        said = f"{', '.join(parts)}, by {how_many(self.labelled, 'label')} of them"
        word = "not decided by these labels" if self.verdict == "not decided" else self.verdict
        return f"{said}: {word}"


def _points(x: float) -> str:
    return f"{100 * x:+.1f}" if x else "0"


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
    n_labelled : int
        Items in both tables with a label.
    level : float
    anytime : bool
        Whether verdicts rest on the interval that is valid at every look.
    warnings : tuple of str
    """

    schema: ClassVar[str] = "algeval.drift/1"

    rows: tuple[DriftRow, ...]
    labels: tuple[str, ...]
    n_items: int
    only_before: int
    only_after: int
    n_labelled: int
    level: float
    anytime: bool
    warnings: tuple[str, ...] = ()

    @property
    def meaning(self) -> str:
        """What the intervals do not mean."""
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
        )

    def summary(self) -> str:
        """A line a judge, and how many labels would decide."""
        lines = [self.message]
        for row in self.rows:
            lines.append(f"  {row}")
            lines += [
                f"    recall of {label} {_points(change.value)} points "
                f"(about {_range(change.low, change.high)})"
                for label, change in row.recall.items()
                if change.value is not None
            ]
            if row.labels_needed:
                lines.append(
                    f"    label {row.labels_needed} more of the changed items to decide (chance 80%)"
                )
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
    pair, warnings = _pair_of(before, after, human, judges)
    chosen = good if good is None else label_or_pass(good, pair.labels)
    label = pass_label(pair.labels, pair.names[0]) if chosen is None else chosen
    rows = []
    for k in range(len(pair.names)):
        row, warning = _row(pair, k, label, level, bool(anytime))
        rows.append(row)
        warnings += warning
    open_rows = [row for row in rows if row.verdict == "not decided"]
    changed = sum(row.changed for row in rows)
    if not changed:
        message = f"No verdict changed on {how_many(pair.n_items, 'item')}: nothing to label."
    else:
        message = (
            f"{how_many(changed, 'verdict')} changed on {how_many(pair.n_items, 'item')}; intervals are of "
            f"{level_text(level)}, for these items."
        )
    result = Drift(
        status=Status.UNDETERMINED if open_rows else Status.OK,
        message=message,
        rows=tuple(rows),
        labels=pair.labels,
        n_items=pair.n_items,
        only_before=pair.left[0],
        only_after=pair.left[1],
        n_labelled=int((pair.truth >= 0).sum()),
        level=level,
        anytime=bool(anytime),
        warnings=tuple(dict.fromkeys(warnings)),
    )
    return with_reading(result, pair.source)


class _Judged(NamedTuple):
    """The same items twice: positions in `labels`, beyond them what is never right, -1 missing."""

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
    old, key = _read(before, human, "before")
    names = None if judges is None else _two(judges)
    if after is None:
        if names is None and len(old.judges) != 2:
            raise DataError(
                f"before must hold two judges where after is missing; got {len(old.judges)}; name the old "
                f"and the new with {option('judges')}, or pass a second table"
            )
        first, second = names or (old.judges[0], old.judges[1])
        both = old.select([first, second])
        truth = key if key is not None else np.full(old.n_items, -1)
        codes = both.codes.astype(np.int64)
        pair = ((first, second),)
        return _Judged(pair, old.labels, codes[:, :1], codes[:, 1:], truth, (0, 0), old), []
    # labels by column are those of the first table; labels by item are read once for each
    new, new_key = _read(after, human, "after")
    warnings: list[str] = []
    pairs = _judge_pairs(old, new, names, warnings)
    rows_old, rows_new = _joined(old, new, warnings)
    _same_texts(old, new, rows_old, rows_new)
    labels = tuple(dict.fromkeys((*old.labels, *new.labels)))
    answers = tuple(dict.fromkeys((*labels, *old.answers, *new.answers)))

    def spelled(votes: Votes, own: list[str], rows: Codes) -> Codes:
        of = np.array([*(answers.index(a) for a in votes.answers), -1], np.int64)
        columns = [votes.judges.index(name) for name in own]
        return np.asarray(of[votes.codes[rows][:, columns]])

    truth = _truth((old, key, rows_old), (new, new_key, rows_new), labels)
    left = old.n_items - len(rows_old), new.n_items - len(rows_new)
    if any(left):
        warnings.append(
            f"{how_many(sum(left), 'item')} in one table alone, left out ({left[0]} before, {left[1]} after)"
        )
    return _Judged(
        tuple(pairs),
        labels,
        spelled(old, [a for a, _ in pairs], rows_old),
        spelled(new, [b for _, b in pairs], rows_new),
        truth,
        left,
        old,
    ), warnings


def _read(data: Any, human: Any, which: str) -> tuple[Votes, Codes | None]:
    """Votes, and positions of people's labels."""
    read, labels, _ = read_with_table(data, human)
    votes = as_votes(read, which)
    if labels is None and votes.key is not None:
        labels = "key"
    if labels is None:
        return votes, None
    if human is None and votes.key is not None and not (votes.key >= 0).any():
        return votes, None
    gold = read_gold(labels, votes, votes.labels[0])
    truth = np.full(votes.n_items, -1, np.int64)
    truth[gold.rows] = np.where(gold.truth < len(votes.labels), gold.truth, -1)
    return votes, truth


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
    for name, cells in old.texts:
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


def _truth(
    first: tuple[Votes, Codes | None, Codes],
    second: tuple[Votes, Codes | None, Codes],
    labels: tuple[str, ...],
) -> Codes:
    """People's labels of the joined items, from either table."""
    truths = []
    for votes, key, rows in (first, second):
        of = np.array([*(labels.index(label) for label in votes.labels), -1], np.int64)
        truths.append(np.full(len(rows), -1) if key is None else of[key[rows]])
    a, b = truths
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
        needed = labels_to_decide(x, m, flips.f, level, anytime=anytime) if flips.f else 0
    recall, warnings = _recall(pair.labels, (old, new, truth), changed, level)
    same_wrong = int((~changed & ~plain_new).sum())
    neither = int((changed & ~plain_new & ~plain_old).sum())
    row = DriftRow(
        before=names[0],
        after=names[1],
        n=n,
        changed=flips.f,
        pass_rate=_pass_rate(pair.labels, good, old, new, level),
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
) -> Interval | None:
    if good not in labels:
        return None
    was, now = old == labels.index(good), new == labels.index(good)
    return tango(int((now & ~was).sum()), int((was & ~now).sum()), len(old), level)


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
    chance = np.exp(log_choose(f, k) + log_choose(n - f, drawn - k) - log_choose(n, drawn)).sum()
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
