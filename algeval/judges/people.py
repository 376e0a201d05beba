"""Several people on the same items: how far they agree, judges beside them, alternative annotator test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import ClassVar, NamedTuple

import numpy as np
from scipy.special import stdtr

from algeval.data import NOT_ANSWERED
from algeval.errors import DataError
from algeval.judges.intervals import (
    FEWEST_CLUSTERS,
    Counts,
    Floats,
    Interval,
    cut_interval,
    mean_interval,
    points,
)
from algeval.result import Result, Status, Table, percent
from algeval.result.numbers import how_many, percent_up, signed

FEWEST_ITEMS = 30  # of a person, for the t test of the alternative annotator test
_FALSE_DISCOVERIES = 0.05
_NO_SPREAD = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class People:
    """What several people and the judges said of the same items.

    Attributes
    ----------
    names : tuple of str
    codes : (n_items, n_people) array of int
        Places in the labels; -1 where a person gave none.
    said : (n_items, n_judges) array of int
        The judges' answers to these items; -1: none; from the number of labels on: never right.
    n_labels : int
    clusters : (n_items,) array of int, optional
        Of the items, where several are of one prompt.
    weights : (n_items,) array of float, optional
        One over the chance of each, where they differ.
    """

    names: tuple[str, ...]
    codes: Counts
    said: Counts
    n_labels: int
    clusters: Counts | None = None
    weights: Floats | None = None

    @property
    def counts(self) -> Counts:
        """How many people gave each label to each item, (n_items, n_labels)."""
        return np.stack([(self.codes == t).sum(axis=1) for t in range(self.n_labels)], axis=1)

    def sums(
        self, rows: Counts, values: Floats | Counts, sizes: Floats | Counts | None = None
    ) -> tuple[Floats, Floats]:
        """Weighted sums over clusters of values of some items, and of how many they are."""
        w = np.ones(len(rows)) if self.weights is None else self.weights[rows]
        clusters = rows if self.clusters is None else self.clusters[rows]
        own = np.unique(clusters, return_inverse=True)[1]
        numbers = np.ones(len(rows)) if sizes is None else sizes
        return tuple(np.bincount(own, w * x).astype(float) for x in (values, numbers))  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class HumanGap:
    """A judge beside the people.

    Attributes
    ----------
    judge : str
    n : int
        Items that it and at least two people answered.
    agreement : float or None
        Share on which it agrees with a person drawn at random, a mean over items.
    difference : Interval
        By how much more often than another person it does.
    """

    judge: str
    n: int
    agreement: float | None
    difference: Interval

    def __str__(self) -> str:
        d = self.difference
        if d.value is None:
            return f"{self.judge} answered too few of these items to compare it with people"
        more = "more" if d.value >= 0 else "less"
        shown = "" if d.low > 0 or d.high < 0 else "; not decided"
        return (
            f"{self.judge} agrees with a person {100 * abs(d.value):.0f} points {more} than another person "
            f"does ({points(d, sign=True)}{shown})"
        )


@dataclass(frozen=True, slots=True)
class HumanAgreement:
    """How far several people agree on the same items, and each judge beside them.

    Attributes
    ----------
    people : tuple of str
    n : int
        Items that at least two of them answered.
    split : int
        Of these, items on which no label is the most frequent; they have no label.
    agreement : Interval
        Chance that two of them, drawn at random, agree on an item.
    ceiling : Fraction
        No judge whatever can agree with these people more often, on these items.
    single : float or None
        Accuracy of one of them, if all are equally accurate and err independently, of two labels; None where
        they agree on less than half.
    judges : tuple of HumanGap
    kappa, ac1 : float or None
        Agreement beyond chance: Fleiss' kappa, and Gwet's AC1, which stays high where one label is rare. None
        of kappa where all gave one label.
    """

    people: tuple[str, ...]
    n: int
    split: int
    agreement: Interval
    ceiling: Fraction
    single: float | None
    judges: tuple[HumanGap, ...]
    kappa: float | None = None
    ac1: float | None = None

    @property
    def beyond_chance(self) -> str:
        """Kappa and AC1 as text; nothing where neither is known."""
        named = (("kappa", self.kappa), ("AC1", self.ac1))
        return ", ".join(f"{name} {value:.2f}" for name, value in named if value is not None)

    def lines(self) -> list[str]:
        """Sentences of the agreement, and one for each judge."""
        a = self.agreement
        ends = f" ({100 * a.low:.0f}-{100 * a.high:.0f})"
        both = f"{len(self.people)} people" if len(self.people) > 2 else "both people"
        chance = f" ({self.beyond_chance} beyond chance)" if self.beyond_chance else ""
        first = (
            f"{how_many(self.n, 'item')} answered by two or more of {both}: two drawn at random agree on "
            f"{percent(a.value or 0.0, 0)}{ends}{chance}; no judge whatever can agree with them on more than "
            f"{percent_up(self.ceiling)}."
        )
        if self.split:
            first += f" On {how_many(self.split, 'item')} they are split: no label."
        order = sorted(self.judges, key=lambda g: (g.difference.value or 0.0, g.judge))
        return [first, *(f"{gap}." for gap in order)]


def agreements(counts: Counts) -> Floats:
    """Share of pairs of people that agree, by item; each item has two people or more."""
    m = counts.sum(axis=1)
    return np.asarray((counts * (counts - 1)).sum(axis=1) / (m * (m - 1)), float)


def _with_judge(counts: Counts, said: Counts) -> Floats:
    """Share of people that a judge agrees with, by item."""
    k = counts.shape[1]
    padded = np.concatenate([counts, np.zeros((len(counts), 1), np.int64)], axis=1)
    hits = padded[np.arange(len(said)), np.minimum(said, k)]
    return np.asarray(hits / counts.sum(axis=1), float)


def beyond_chance(counts: Counts) -> tuple[float | None, float | None]:
    """Fleiss' kappa and Gwet's AC1 of the answers of items, (n_items, n_labels) counts of two people or more.

    Source: Fleiss (1971), Gwet (2008), with the labels' shares as the mean over items.
    """
    k = counts.shape[1]
    shares = (counts / counts.sum(axis=1, keepdims=True)).mean(axis=0)
    same = float(agreements(counts).mean())
    kappa = (
        None if (chance := float((shares**2).sum())) > 1 - 1e-12 else (same - chance) / (1 - chance)
    )
    if k < 2:
        return kappa, None
    chance = float((shares * (1 - shares)).sum()) / (k - 1)
    return kappa, (same - chance) / (1 - chance)


def human_agreement(people: People, judges: Sequence[str], level: float) -> HumanAgreement | None:
    """How far people agree, and each judge beside them; None where no item has two people's answers."""
    several = np.flatnonzero(people.counts.sum(axis=1) > 1)
    counts, said = people.counts[several], people.said[several]
    if not len(counts):
        return None
    a, m, top = agreements(counts), counts.sum(axis=1), np.sort(counts, axis=1)
    together = people.sums(several, a)
    g = float(together[0].sum() / together[1].sum())
    sums = [(int(n), int(top[m == n, -1].sum())) for n in np.unique(m)]
    gaps = []
    for j, judge in enumerate(judges):
        own = said[:, j] != NOT_ANSWERED
        b = _with_judge(counts[own], said[own, j])
        gap = mean_interval(*people.sums(several[own], b - a[own]), level=level)
        mean = people.sums(several[own], b)
        gaps.append(
            HumanGap(
                judge,
                int(own.sum()),
                float(mean[0].sum() / mean[1].sum()) if len(b) else None,
                cut_interval(gap, -1.0, 1.0),
            )
        )
    agreement = mean_interval(*together, centre=0.5, level=level)
    if agreement.value is None:
        agreement = Interval(g, 0.0, 1.0)
    return HumanAgreement(
        people.names,
        len(counts),
        int((top[:, -1] == top[:, -2]).sum()),
        cut_interval(agreement, 0.0, 1.0),
        sum((Fraction(most, n) for n, most in sums), Fraction(0)) / len(counts),
        (1 + sqrt(2 * g - 1)) / 2 if people.n_labels == 2 and g >= 0.5 else None,
        tuple(gaps),
        *beyond_chance(counts),
    )


# --- The alternative annotator test (Calderon, Reichart and Dror 2025).


class AltTestPerson(NamedTuple):
    """A judge in place of one person: who is nearer to the others.

    Attributes
    ----------
    person : str
    n : int
        Items that the person, another person and the judge answered.
    difference : float
        Share of these on which the person is at least as near to the others as the judge, less the share
        on which the judge is at least as near as the person.
    p : float or None
        Of the test that the difference is below eps; None where it is eps on all items.
    rejected : bool
        Whether the judge wins against this person, all tests taken together.
    """

    person: str
    n: int
    difference: float
    p: float | None
    rejected: bool


@dataclass(frozen=True, slots=True)
class AltTestRow:
    """One judge in the test.

    Attributes
    ----------
    judge : str
    winning_rate : Fraction or None
        Share of people against whom it wins; None where it answered too few items of each.
    advantage : float or None
        Chance that it is at least as near to the others as a person is, a mean over people.
    passes : bool
        Whether it wins against half of the people or more.
    people : tuple of AltTestPerson
    by_label : dict of Interval
        By what most of the others said: by how much more often than another person it agrees with a person.
    """

    judge: str
    winning_rate: Fraction | None
    advantage: float | None
    passes: bool
    people: tuple[AltTestPerson, ...]
    by_label: dict[str, Interval]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AltTest(Result):
    """Whether judges may stand in for a person, by the alternative annotator test.

    Attributes
    ----------
    status : Status
        ok; undetermined: a judge passes, and so does one that always gives the same label.
    judges : tuple of AltTestRow
    constant : AltTestRow
        A judge that always gives the label people give most.
    eps : Fraction
        By how much a judge may be worse than a person, as it costs less.
    false_discoveries : float
        Level of the Benjamini-Yekutieli procedure over people.
    distance : bool
        Whether answers were compared by how near they are, or by being equal.
    clusters : int or None
        How many clusters the items lie in, where they do.
    warnings : tuple of str
    """

    schema: ClassVar[str] = "algeval.alt_test/1"

    judges: tuple[AltTestRow, ...]
    constant: AltTestRow
    eps: Fraction
    false_discoveries: float = _FALSE_DISCOVERIES
    distance: bool = False
    clusters: int | None = None
    warnings: tuple[str, ...] = ()

    @property
    def meaning(self) -> str:
        """What passing does not mean."""
        return (
            "Passing says that the judge is nearer to the other people than a person is, often enough by the "
            "cost-benefit eps; it does not say that the judge is right, nor that it sees the rarer label."
        )

    def row(self, judge: str) -> AltTestRow:
        """One judge's row.

        Raises
        ------
        DataError
            If there is no such judge.
        """
        for row in self.judges:
            if row.judge == judge:
                return row
        raise DataError(
            f"judge must be one of {[row.judge for row in self.judges]}; got {judge!r}; see judges"
        )

    def verdict(self, judge: str) -> str:
        """What the test says of a judge."""
        row = self.row(judge)
        if row.winning_rate is None:
            return "not tested"
        if not row.passes:
            return "does not pass"
        if self.constant.passes:
            return f"passes, but so does {self.constant.judge}: no evidence"
        return "passes"

    def as_tables(self) -> tuple[Table, ...]:
        """A row a judge; a row for each judge and person; differences by label."""
        rows = [*self.judges, self.constant]
        main = [
            (r.judge, r.winning_rate, r.advantage, r.passes, sum(p.rejected for p in r.people))
            for r in rows
        ]
        people = [(r.judge, *p) for r in rows for p in r.people]
        parts = [(r.judge, label, *d) for r in rows for label, d in r.by_label.items()]
        return (
            Table.of_rows(
                "Alternative annotator test",
                ("judge", "winning_rate", "advantage", "passes", "people_beaten"),
                main,
            ),
            Table.of_rows("Against each person", ("judge", *AltTestPerson._fields), people),
            Table.of_rows(
                "Less another person, by label",
                ("judge", "label", "difference", "low", "high"),
                parts,
            ),
        )

    def summary(self) -> str:
        """A line a judge, the constant one last, and what passing does not mean."""
        lines = []
        for row in [*self.judges, self.constant]:
            if row.winning_rate is None:
                lines.append(f"{row.judge}: answered too few items of each person")
                continue
            beaten = sum(person.rejected for person in row.people)
            said = "" if row is self.constant else self.verdict(row.judge)
            said = said or ("passes" if row.passes else "does not pass")
            parts = ", ".join(
                f"{label} {signed(100 * d.value)}"
                for label, d in row.by_label.items()
                if d.value is not None
            )
            lines.append(
                f"{row.judge}: {said}; wins against {beaten} of {len(row.people)} people, as near to the "
                f"others as a person on {percent(row.advantage or 0.0, 0)}; points less another person by "
                f"label: {parts}"
            )
        return "\n".join(
            [self.message, *lines, *self.warnings, f"What this does not mean: {self.meaning}"]
        )


def benjamini_yekutieli(p: Sequence[float], q: float = _FALSE_DISCOVERIES) -> list[bool]:
    """Which hypotheses are rejected, whatever the dependence between tests (2001)."""
    m = len(p)
    order = sorted(range(m), key=p.__getitem__)
    scale = q / (m * sum(1 / i for i in range(1, m + 1))) if m else 0.0
    last = max((r for r, i in enumerate(order, 1) if p[i] <= r * scale), default=0)
    kept = set(order[:last])
    return [i in kept for i in range(m)]


def loses_by_less(
    d: Counts,
    eps: Fraction,
    drawn: tuple[Floats, Floats] | None = None,
    *,
    uneven: bool = False,
) -> float | None:
    """One-sided p of the t test that the mean of `d` is below eps; None where all of `d` are eps.

    drawn : weighted sums of d over clusters, and their sizes; the test is then that of their ratio, with the
        degrees of as many clusters of the size that a row is in on average.
    uneven : of unequal chances; two more clusters of that size, half a unit above eps and below it, without
        which the test at 5% rejects .12 where a few items of 40 count eight times.
    """
    n = len(d)
    if n < 2 or not np.ptp(d):
        mean = Fraction(int(d.sum()), n)
        return None if mean == eps else float(mean > eps)
    sums, sizes = drawn or (d.astype(float), np.ones(n))
    usual = float((sizes**2).sum() / sizes.sum())
    degrees = max(1.0, float(sizes.sum()) / usual - 1)
    if uneven:
        ends = usual * (float(eps) + np.array([-0.5, 0.5]))
        sums, sizes = np.append(sums, ends), np.append(sizes, [usual, usual])
    total, n_clusters = float(sizes.sum()), len(sums)
    gap = float(sums.sum()) / total
    squares = float(((sums - gap * sizes) ** 2).sum()) * n_clusters / max(1, n_clusters - 1)
    error, gap = sqrt(squares) / total, gap - float(eps)
    if error < _NO_SPREAD:
        return None if abs(gap) < _NO_SPREAD else float(gap > 0)
    return float(stdtr(degrees, gap / error))


def _nearness(codes: Counts, said: Counts, j: int, distance: bool) -> tuple[Counts, Counts]:
    """How near the judge and person j are to the other people, larger is nearer, in whole numbers."""
    others = np.delete(codes, j, axis=1)
    there = others != NOT_ANSWERED
    made = []
    for own in (said, codes[:, j]):
        if distance:  # the mean is over the same people for both
            made.append(-np.where(there, (own[:, None] - others) ** 2, 0).sum(axis=1))
        else:
            made.append((there & (own[:, None] == others)).sum(axis=1))
    return made[0], made[1]


def _alt_test_row(
    judge: str, people: People, said: Counts, eps: Fraction, distance: bool, fewest: int
) -> AltTestRow:
    """Test of one judge; people with fewer than `fewest` items are left out, but stay among the others."""
    there = (said != NOT_ANSWERED) & ((said < people.n_labels) | (not distance))
    kept = np.flatnonzero(((people.codes != NOT_ANSWERED).sum(axis=1) > 1) & there)
    tested, wins = [], []
    for j, name in enumerate(people.names):
        own = kept[people.codes[kept, j] != NOT_ANSWERED]
        if not _enough(people, own, fewest):
            continue
        judges, person = _nearness(people.codes[own], said[own], j, distance)
        d = (person >= judges).astype(np.int64) - (judges >= person)
        sums, sizes = people.sums(own, d)
        p = loses_by_less(d, eps, (sums, sizes), uneven=people.weights is not None)
        tested.append((name, len(own), float(sums.sum() / sizes.sum()), p))
        won = people.sums(own, (judges >= person).astype(np.int64))[0]
        wins.append(float(won.sum() / sizes.sum()))
    rejected = benjamini_yekutieli([1.0 if row[3] is None else row[3] for row in tested])
    rate = Fraction(sum(rejected), len(tested)) if tested else None
    return AltTestRow(
        judge,
        rate,
        float(np.mean(wins)) if wins else None,
        rate is not None and rate >= Fraction(1, 2),
        tuple(AltTestPerson(*row, r) for row, r in zip(tested, rejected, strict=True)),
        {},
    )


def _enough(people: People, rows: Counts, fewest: int) -> bool:
    """Whether a person's items are enough to test, and clusters of them; by weight, what they come to."""
    n: float = len(rows)
    if people.weights is not None and n:
        w = people.weights[rows]
        n = float(w.sum() ** 2 / (w**2).sum())
    apart = FEWEST_CLUSTERS if people.clusters is None else len(np.unique(people.clusters[rows]))
    return n >= max(1, fewest) and apart >= FEWEST_CLUSTERS


def gap_by_label(people: People, said: Counts, level: float) -> list[Interval]:
    """By label that most of the others gave: by how much more often than another person a judge agrees.

    Over pairs of an item and a person with whom, left out, most of the others gave the label; items or
    clusters of them are drawn, and their pairs with them.
    """
    k, counts = people.n_labels, people.counts
    n, m = people.codes.shape
    sums, numbers = np.zeros((n, k)), np.zeros((n, k), np.int64)
    for j in range(m):
        own = people.codes[:, j]
        others = counts - (own[:, None] == np.arange(k))
        left = others.sum(axis=1)
        top = np.sort(others, axis=1)
        rows = np.flatnonzero(
            (own != NOT_ANSWERED)
            & (said != NOT_ANSWERED)
            & (left > 0)
            & ((top[:, -1] > top[:, -2]) if k > 1 else True)
        )
        label = others[rows].argmax(axis=1)
        padded = np.concatenate([others[rows], np.zeros((len(rows), 1), np.int64)], axis=1)
        at = np.arange(len(rows))
        more = padded[at, np.minimum(said[rows], k)] - padded[at, own[rows]]
        np.add.at(sums, (rows, label), more / left[rows])
        np.add.at(numbers, (rows, label), 1)
    made = []
    for t in range(k):
        some = np.flatnonzero(numbers[:, t] > 0)
        difference = mean_interval(*people.sums(some, sums[some, t], numbers[some, t]), level=level)
        made.append(cut_interval(difference, -1.0, 1.0))
    return made


def alt_test(
    people: People,
    judges: Sequence[str],
    labels: Sequence[str],
    eps: Fraction,
    *,
    distance: bool = False,
    level: float = 0.95,
    fewest: int = FEWEST_ITEMS,
) -> AltTest:
    """Alternative annotator test of each judge, and of one that always gives the commonest label."""
    _check(people, fewest)
    w = np.ones(len(people.codes)) if people.weights is None else people.weights
    most = int((w @ people.counts).argmax())
    constant = np.full(len(people.codes), most, np.int64)
    rows = []
    named = [*zip(judges, people.said.T, strict=True), (f"always {labels[most]!r}", constant)]
    for judge, said in named:
        row = _alt_test_row(judge, people, said, eps, distance, fewest)
        parts = dict(zip(labels, gap_by_label(people, said, level), strict=True))
        rows.append(
            AltTestRow(row.judge, row.winning_rate, row.advantage, row.passes, row.people, parts)
        )
    passing = [row.judge for row in rows[:-1] if row.passes]
    empty = bool(passing) and rows[-1].passes
    shared = np.flatnonzero((people.codes != NOT_ANSWERED).sum(axis=1) > 1)
    n = len(shared)
    clusters = None if people.clusters is None else len(np.unique(people.clusters[shared]))
    within = "" if clusters is None else f", in {how_many(clusters, 'cluster')}"
    message = (
        f"Alternative annotator test at eps {float(eps):g}, {len(people.names)} people, "
        f"{how_many(n, 'item')} with two or more{within}: "
        + (
            f"{', '.join(passing)} pass{'es' if len(passing) == 1 else ''}"
            if passing
            else "no judge passes"
        )
        + (f", but so does {rows[-1].judge}: no evidence." if empty else ".")
    )
    warnings = []
    if len(people.names) < 3:
        warnings.append("two people only: the test is meant for three or more")
    if clusters is not None or people.weights is not None:
        drawn = "with unequal chances" if clusters is None else "in clusters"
        warnings.append(
            f"items drawn {drawn}: t tests of weighted sums of clusters, where the published test "
            "takes items as drawn one by one"
        )
    left = sorted({*people.names} - {p.person for p in rows[-1].people})
    if left:
        few = f" or {FEWEST_CLUSTERS} clusters" if clusters is not None else ""
        warnings.append(
            f"not tested, fewer than {fewest} items{few}: {', '.join(left)}; still among the others"
        )
    return AltTest(
        status=Status.UNDETERMINED if empty else Status.OK,
        message=message,
        judges=tuple(rows[:-1]),
        constant=rows[-1],
        eps=eps,
        distance=distance,
        clusters=clusters,
        warnings=tuple(warnings),
    )


def _check(people: People, fewest: int) -> None:
    """Refuse too few people, or too few items."""
    if len(people.names) < 2:
        raise DataError(
            f"alt_test needs answers of at least two people to the same items; got "
            f"{how_many(len(people.names), 'person', 'people')}; three or more are better"
        )
    shared = (people.codes != NOT_ANSWERED).sum(axis=1) > 1
    per_person = (people.codes[shared] != NOT_ANSWERED).sum(axis=0)
    most = int(per_person.max())
    if most < fewest:
        name = people.names[int(per_person.argmax())]
        raise DataError(
            f"alt_test needs a person with at least {fewest} items that another person answered too; got at "
            f"most {most} ({name}); {how_many(fewest - most, 'more such item')} will do"
        )
    rows = [np.flatnonzero(shared & (own != NOT_ANSWERED)) for own in people.codes.T]
    if not any(_enough(people, own, fewest) for own in rows):
        if people.weights is not None:
            raise DataError(
                f"alt_test needs a person with items that come to {fewest} drawn at random by their "
                "chances, and that another person answered too; got none; label more"
            )
        raise DataError(
            f"alt_test needs a person with items in at least {FEWEST_CLUSTERS} clusters that another person "
            "answered too; got none; label items of more clusters"
        )
