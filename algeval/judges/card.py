"""`judge_card`: how good each judge is by people's labels, with intervals, and which may be best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from math import floor
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.data import NOT_ANSWERED, Votes
from algeval.data.names import check_number
from algeval.data.votes import BothOrders, LabelledSketch
from algeval.door import reads_as_named
from algeval.errors import DataError, option
from algeval.io.answers import as_number
from algeval.io.results import Results
from algeval.io.sources import clusters_on_items, on_items, read_with_table
from algeval.judges.intervals import (
    FEWEST_CLUSTERS,
    Counts,
    Drawn,
    Floats,
    Interval,
    Looked,
    ac1,
    balanced,
    clustered_share,
    cut_interval,
    kappa,
    may_be_best,
    mcnemar,
    mean_above,
    mean_interval,
    points,
    quadratic_weights,
    recalls_together,
    share,
    tango,
    two_answers,
)
from algeval.judges.needed import (
    LabelsNeeded,
    PairNeeded,
    needed_message,
    pair_needed,
    width_needed,
)
from algeval.judges.people import AltTest, HumanAgreement, People, alt_test, human_agreement
from algeval.rates.inputs import (
    LOOKED_AT,
    Gold,
    as_votes,
    chances_of,
    cluster_codes,
    exact_share,
    in_each_order,
    panel_of,
    people_of_results,
    read_gold,
    refuse_of_counts,
    shared_labels,
)
from algeval.rates.intervals import Balance, balance_of_draw
from algeval.result import Result, Status, Table, percent
from algeval.result.base import with_reading
from algeval.result.numbers import did_you_mean, how_many, level_text, signed


class Sample(NamedTuple):
    """How labelled items were drawn: cluster and weight of each, and the largest weight of any."""

    clusters: NDArray[np.int64] | None = None
    weights: Floats | None = None
    largest: float | None = None
    looked: Looked | None = None  # of labels that one may have stopped at any time


_MOST_LEVELS = 11  # whole numbers up to so many levels are a scale


@dataclass(frozen=True, slots=True)
class JudgeRow:
    """One judge against people's labels.

    Attributes
    ----------
    judge : str
    n : int
        Labelled items it answered.
    accuracy, balanced_accuracy, kappa, ac1 : Interval
        `value` is None where it is not defined: kappa where all rows have one label, balanced accuracy where
        people gave some label to none of them.
    quadratic_kappa : Interval or None
        Of labels that are a scale of whole numbers; else None.
    recall : dict of Interval
        By label: share it found of the items that people gave this label.
    precision : dict of Interval
        By label: share of its own verdicts with this label that people share.
    confusion : tuple of tuple of int
        Row: what it said, in the order of the labels, then answers never right; column: what people said.
    within_1, mean_difference : float or None
        Of a scale: share of its grades at most one level from people's, and how much higher they are on
        average; of the labelled items as they are.
    """

    judge: str
    n: int
    accuracy: Interval
    balanced_accuracy: Interval
    kappa: Interval
    ac1: Interval
    quadratic_kappa: Interval | None
    recall: dict[str, Interval]
    precision: dict[str, Interval]
    confusion: tuple[tuple[int, ...], ...]

    @property
    def within_1(self) -> float | None:
        """Share of its grades at most one level from people's; None of labels that are no scale."""
        if self.quadratic_kappa is None or not self.n:
            return None
        table = np.array(self.confusion[:-1])
        apart = np.abs(np.subtract.outer(*map(np.arange, table.shape)))
        return float(table[apart <= 1].sum()) / self.n

    @property
    def mean_difference(self) -> float | None:
        """Levels by which its grades are above people's on average; None of labels that are no scale."""
        if self.quadratic_kappa is None or not self.n:
            return None
        table = np.array(self.confusion[:-1])
        apart = np.subtract.outer(*map(np.arange, table.shape))
        return float((table * apart).sum()) / self.n


class JudgeComparison(NamedTuple):
    """Two judges on the same labels: by how much the first is right more often, and whether that is shown."""

    names: tuple[str, str]
    difference: Interval
    only_first: int
    only_second: int
    n: int
    p: float
    better: str | None
    test: str = "McNemar mid-p"

    def __str__(self) -> str:
        first, second = self.names
        if self.difference.value is None:
            return f"{first} and {second} have no labelled item in common"
        size = (
            f"{signed(100 * self.difference.value)} points ({points(self.difference, sign=True)})"
        )
        said = f"{first} less {second}: {size} on {how_many(self.n, 'label')}, {self.test} {self.p:.2g}"
        if self.better is None:
            low, high = self.difference.low, self.difference.high
            but = (
                "; the interval leaves 0 but the test does not reject"
                if low > 0 or high < 0
                else ""
            )
            return f"{said}{but}; these labels cannot tell them apart"
        return f"{said}; {self.better} is better"


class BestJudges(NamedTuple):
    """The judges that may be best: a best one is among them with the level's probability."""

    judges: tuple[str, ...]
    p: dict[str, float]
    n: int
    level: float
    guarantee: bool
    missing: int = 0

    def __str__(self) -> str:
        names = ", ".join(self.judges)
        n = len(self.p)
        ends = ""
        if self.missing:
            ends = f", with {how_many(self.missing, 'missing answer')} counted as wrong"
        if len(self.judges) == 1:
            best = f"{names} is the best of {how_many(n, 'judge')}"
            return f"by {how_many(self.n, 'label')}, {best}{ends}"
        do = "does" if self.n == 1 else "do"
        labels = how_many(self.n, "label")
        return f"may be best: {names} (of {n}); {labels} {do} not tell them apart{ends}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgeCard(Result):
    """How good each judge is by people's labels.

    Attributes
    ----------
    status : Status
        ok; undetermined: some label has no labelled item, so that recall of it and balanced accuracy are not
        known; everybody gave the same label; no judge answered a labelled item; or labels were not drawn at
        random.
    judges : tuple of JudgeRow
        In the order of the table.
    constant : JudgeRow
        A judge that always gives the label people give most, to compare with.
    labels : tuple of str
    base_rates : dict of Interval
        By label: how often people give it.
    n_items, n_gold : int
    clusters : int or None
        How many clusters the labelled items lie in, where `cluster` was given.
    level : float
    humans : HumanAgreement or None
        How far several people agree on the same items, and each judge beside them.
    warnings : tuple of str
    """

    schema: ClassVar[str] = "algeval.judge_card/1"

    judges: tuple[JudgeRow, ...]
    constant: JudgeRow
    labels: tuple[str, ...]
    base_rates: dict[str, Interval]
    n_items: int
    n_gold: int
    clusters: int | None
    level: float
    humans: HumanAgreement | None = None
    warnings: tuple[str, ...] = ()
    people: People | None = field(default=None, repr=False)
    was_right: NDArray[np.bool_] = field(repr=False)
    answered: NDArray[np.bool_] = field(repr=False)
    sample: Sample = field(default=Sample(), repr=False)
    differ: Counts = field(default_factory=lambda: np.zeros((0, 0), np.int64), repr=False)
    codes: NDArray[np.int16] = field(default_factory=lambda: np.zeros((0, 0), np.int16), repr=False)

    @property
    def meaning(self) -> str:
        """What the intervals do not mean."""
        if self.sample.looked is not None:
            return (
                "They are about the items of this table, and hold whenever one stops. A judge may be good on "
                "the whole and bad on a kind of item."
            )
        return (
            "They are about items like the labelled ones; they need labelled items drawn at "
            "random. A judge may be good on the whole and bad on a kind of item."
        )

    def row(self, judge: str) -> JudgeRow:
        """One judge's row.

        Raises
        ------
        DataError
            If there is no such judge.
        """
        return self.judges[self._at(judge)]

    def _at(self, judge: str) -> int:
        names = [row.judge for row in self.judges]
        if judge not in names:
            raise DataError(
                f"judge must be one of {names}; got {judge!r}; {did_you_mean(judge, names)}"
            )
        return names.index(judge)

    def compare(self, first: str, second: str) -> JudgeComparison:
        """Which of two judges is right more often, on the labelled items that both answered.

        One is better where Tango's interval leaves 0 and McNemar's mid-p test rejects: of few labels, as 4
        against none, the interval alone would say so too often. Of labels in clusters, or drawn with unequal
        chances, both are by Student's t on weighted sums of clusters. Of a journal of `label` both hold
        whenever one stops, of all items that both answered.

        Raises
        ------
        DataError
            If one is no judge of the card.
        """
        i, j = self._at(first), self._at(second)
        both = self.answered[:, i] & self.answered[:, j]
        right = self.was_right[both]
        b = int((right[:, i] & ~right[:, j]).sum())
        c = int((right[:, j] & ~right[:, i]).sum())
        difference = tango(b, c, int(both.sum()), self.level)
        p, test = mcnemar(b, c), "McNemar mid-p"
        drawn = _drawn(np.zeros((len(right), 2), np.int64), _part(self.sample, both))
        if self.sample.looked is not None:
            of_both, within, binary = self._apart(i, j)
            difference = self.sample.looked.difference(of_both, within, self.level, binary=binary)
            p = self.sample.looked.p_value(of_both, within, binary=binary)
            test = "p at whatever time one stops"
        elif drawn is not None:
            sums, sizes = drawn.sums(right[:, i].astype(float) - right[:, j])
            difference = cut_interval(mean_interval(sums, sizes, level=self.level), -1.0, 1.0)
            p = 2 * min(mean_above(sums, sizes), mean_above(-sums, sizes), 0.5)
            test = "t test over clusters, p" if self.clusters else "weighted t test, p"
        better = first if difference.low > 0 else second if difference.high < 0 else None
        if test == "McNemar mid-p" and p > 1 - self.level:
            better = None
        return JudgeComparison((first, second), difference, b, c, int(both.sum()), p, better, test)

    def best(self, *, guarantee: bool = False) -> BestJudges:
        """Judges that may be the best: the set holds any one best judge with probability `level`.

        A judge leaves the set if another is better by McNemar's test at (1 - level) / (judges - 1), on all
        labelled items; a missing answer counts as wrong.

        Parameters
        ----------
        guarantee : bool
            With exact tests the probability holds at every n and whatever judges share, for rows drawn
            independently; by default with mid-p tests, about so (.950 and more in simulations), and smaller.

        Raises
        ------
        DataError
            If `guarantee` is asked for items in clusters or drawn with unequal chances, for which no test
            has it.
        """
        names = [row.judge for row in self.judges]
        if self.sample.looked is not None:
            return self._best_whenever(names, self.sample.looked)
        drawn = _drawn(np.zeros((self.n_gold, 2), np.int64), self.sample)
        if guarantee and drawn is not None:
            what = "unequal chances" if self.clusters is None else "clusters"
            raise DataError(
                f"guarantee needs labelled items drawn one by one; got {what}; leave it out"
            )
        kept, p = may_be_best(self.was_right, self.level, guarantee=guarantee, drawn=drawn)
        return BestJudges(
            tuple(name for name, stays in zip(names, kept, strict=True) if stays),
            dict(zip(names, map(float, p), strict=True)),
            self.n_gold,
            self.level,
            guarantee,
            int((~self.answered).sum()),
        )

    def _apart(self, i: int, j: int) -> tuple[Counts, NDArray[np.bool_], bool]:
        """What two judges said, the items both answered, and whether one of two that differ is right."""
        codes = self.codes[:, [i, j]].astype(np.int64)
        return codes, (codes != NOT_ANSWERED).all(axis=1), two_answers(codes, len(self.labels))

    def _best_whenever(self, names: list[str], looked: Looked) -> BestJudges:
        """The same of labels that one may have stopped at any time; the probability holds then, too."""
        stays = looked.may_be_best(self.codes.astype(np.int64), len(self.labels), self.level)
        every, p = np.ones(len(self.codes), bool), [1.0] * len(names)
        for i, j in combinations(range(len(names)), 2):
            codes, _, binary = self._apart(i, j)
            chance = looked.p_value(codes, every, binary=binary)
            ahead = looked.difference(codes, every, self.level, binary=binary).value or 0.0
            worse = j if ahead > 0 else i
            p[worse] = min(p[worse], chance)
        kept = tuple(name for name, may in zip(names, stays, strict=True) if may)
        return BestJudges(kept, dict(zip(names, p, strict=True)), self.n_gold, self.level, True)

    def labels_needed(self, half_width: float = 0.05) -> LabelsNeeded:
        """How many more labels tell the two best judges apart, or bring each judge's figures to a width.

        The two are those right most often. Only items on which they differ are worth a label for that; for
        widths, items are drawn at random.

        Parameters
        ----------
        half_width : float
            Half the expected width of the intervals of accuracy and recall.

        Returns
        -------
        LabelsNeeded
            ok.

        Raises
        ------
        DataError
            If `half_width` is not between 0 and 1/2.

        Notes
        -----
        Widths are means over every outcome at the shares so far, (x + 1) / (n + 2); those of recall are
        divided by how often people give the label. Whether one of two judges is right more often is decided
        on these items by the exact set of the hypergeometric law, and for items like these by McNemar's
        mid-p test, each with a chance of 80%.
        """
        width = check_number("half_width", half_width, least=0, most=0.5, strict=True)
        truth = {
            label: sum(row[t] for row in self.constant.confusion)
            for t, label in enumerate(self.labels)
        }
        share_of = {label: n / self.n_gold for label, n in truth.items()}
        widths = []
        for row in self.judges:
            own = {
                label: sum(said[t] for said in row.confusion) for t, label in enumerate(self.labels)
            }
            widths.append(
                width_needed(
                    row.judge, row.accuracy, row.recall, (row.n, own, share_of), width, self.level
                )
            )
        pair = self._two_best()
        return LabelsNeeded(
            status=Status.OK,
            message=needed_message(pair, width, self.level, self.n_items - self.n_gold),
            pair=pair,
            widths=tuple(widths),
            half_width=width,
            n_gold=self.n_gold,
            n_unlabelled=self.n_items - self.n_gold,
            level=self.level,
        )

    def _two_best(self) -> PairNeeded | None:
        """What would tell the two judges apart that are right most often."""
        if len(self.judges) < 2:
            return None
        order = sorted(
            range(len(self.judges)), key=lambda j: -(self.judges[j].accuracy.value or 0.0)
        )
        i, j = order[:2]
        names = self.judges[i].judge, self.judges[j].judge
        both = self.answered[:, i] & self.answered[:, j]
        b = int((self.was_right[both, i] & ~self.was_right[both, j]).sum())
        c = int((self.was_right[both, j] & ~self.was_right[both, i]).sum())
        first, last = min(i, j), max(i, j)
        every, labelled = int(self.differ[first, last]), int(self.differ[last, first])
        counts = (b, c, labelled, every - labelled)
        return pair_needed(names, counts, self.level, binary=len(self.labels) == 2)

    def alt_test(self, *, eps: float | str | Fraction, distance: bool = False) -> AltTest:
        """Whether judges may stand in for a person: the alternative annotator test.

        Each person in turn is left out, and on each item the judge and that person are compared by how many
        of the others they agree with. The judge wins against the person if it is as near as the person on
        most items, but for `eps`; it passes if it wins against half of them. A judge that always gives the
        commonest label is tested beside: where that passes, passing is no evidence.

        Parameters
        ----------
        eps : float
            By how much the judge may be worse, as it costs less: the authors take 0.2 for experts, 0.15 for
            skilled annotators, 0.1 for a crowd.
        distance : bool
            Compare answers on a scale by how far they are from those of others, not by being equal.

        Returns
        -------
        AltTest
            ok; undetermined: a judge passes, and so does one that always gives the same label.

        Raises
        ------
        DataError
            If fewer than two people answered, none of them 30 items that another answered too; if labels
            are no scale and `distance` is asked.

        Notes
        -----
        Calderon, Reichart and Dror (2025): t tests over items, one a person, at the level .05 of Benjamini
        and Yekutieli. The more people, the harder it is to pass. Of items in clusters, or drawn with unequal
        chances, t tests of weighted sums of clusters, which with clusters of one are the published ones.
        """
        share_of = exact_share(eps, "eps")
        names = [row.judge for row in self.judges]
        if self.people is None:
            raise DataError(
                "alt_test needs answers of at least two people to the same items; got one label an item; "
                f"name a column for each person with {option('human')}"
            )
        if distance and not _is_scale(self.labels):
            raise DataError(
                f"distance needs labels that are a scale of whole numbers; got {list(self.labels)}; leave it "
                "out"
            )
        return alt_test(
            self.people, names, self.labels, share_of, distance=distance, level=self.level
        )

    def as_tables(self) -> tuple[Table, ...]:
        """A row a judge; recall and precision by label; what each said of what."""
        rows = [*self.judges, self.constant]
        main: dict[str, list[Any]] = {"judge": [r.judge for r in rows], "n": [r.n for r in rows]}
        for name in ("accuracy", "balanced_accuracy", "kappa", "ac1", "quadratic_kappa"):
            cells = [getattr(r, name) for r in rows]
            if all(cell is None for cell in cells):
                continue
            for part in Interval._fields:
                column = name if part == "value" else f"{name}_{part}"
                main[column] = [None if cell is None else getattr(cell, part) for cell in cells]
        parts = [
            (r.judge, label, *r.recall[label], *r.precision[label])
            for r in rows
            for label in self.labels
        ]
        ends = [
            f"{share}{end}" for share in ("recall", "precision") for end in ("", "_low", "_high")
        ]
        head = ("judge", "label", *ends)
        said = [
            (r.judge, answer, label, r.confusion[a][t])
            for r in rows
            for a, answer in enumerate((*self.labels, "(other)"))
            for t, label in enumerate(self.labels)
        ]
        beside = [] if self.humans is None else self.humans.judges
        gaps = [(g.judge, g.n, g.agreement, *g.difference) for g in beside]
        columns = ("judge", "n", "agreement", "less_another_person", "low", "high")
        return (
            Table("Judges by people's labels", main),
            Table.of_rows("Recall and precision", head, parts),
            Table.of_rows("Confusion", ("judge", "said", "people_said", "items"), said),
            *([Table.of_rows("Beside people", columns, gaps)] if gaps else []),
        )

    @property
    def are_grades(self) -> bool:
        """Whether labels are grades in order, four or more or from 1 on, that judges and people give."""
        return are_grades(self.labels) and any(r.quadratic_kappa is not None for r in self.judges)

    def _by_label(self, rows: Sequence[JudgeRow]) -> list[list[str]]:
        """Cells of the judges' table, and its head."""
        head = ["judge", "labels", "accuracy", "balanced", "kappa"]
        cells = [[*head, *(f"recall {label}" for label in self.labels[:4])]]
        for row in [*rows, self.constant]:
            shares = map(_percent, (row.accuracy, row.balanced_accuracy))
            recalls = (_percent(row.recall[label]) for label in self.labels[:4])
            cells.append([row.judge, str(row.n), *shares, _number(row.kappa), *recalls])
        return cells

    def _by_grade(self, rows: Sequence[JudgeRow]) -> list[list[str]]:
        """Cells of the table of judges who give grades, and its head."""
        cells = [["judge", "labels", "exact", "within 1", "weighted kappa", "higher by"]]
        for row in [*rows, self.constant]:
            quadratic = Interval(None, 0, 1) if row.quadratic_kappa is None else row.quadratic_kappa
            near = "-" if row.within_1 is None else percent(row.within_1, 0)
            grades = (_percent(row.accuracy), near, _number(quadratic), difference_said(row))
            cells.append([row.judge, str(row.n), *grades])
        return cells

    def summary(self) -> str:
        """Judges with their intervals, the worst first, and what cannot be told."""
        rows = sorted(self.judges, key=lambda r: (r.accuracy.value or 0.0, r.judge))
        cells = self._by_grade(rows) if self.are_grades else self._by_label(rows)
        head = cells[0]
        widths = [max(len(row[k]) for row in cells) for k in range(len(head))]
        lines = [
            "  ".join(c.ljust(w) if k == 0 else c.rjust(w) for k, (c, w) in enumerate(pairs))
            for row in cells
            for pairs in [list(zip(row, widths, strict=True))]
        ]
        base = ", ".join(f"{label} {_percent(r)}" for label, r in self.base_rates.items())
        ends = [f"People say: {base}."]
        if self.are_grades:
            ends.append(f"{GRADES_SAID[0].upper()}{GRADES_SAID[1:]}.")
        if len(self.judges) > 1:
            best = str(self.best())
            ends.append(f"{best[0].upper()}{best[1:]}.")
        if self.humans is not None:
            ends += self.humans.lines()
        return "\n".join(
            [
                self.message,
                *lines,
                *ends,
                *self.warnings,
                f"What this does not mean: {self.meaning}",
            ]
        )


GRADES_SAID = (
    "weighted kappa: agreement beyond chance, where a near miss counts in part; higher by: mean grade less "
    "people's"
)


def difference_said(row: JudgeRow) -> str:
    """Levels by which a judge's grades are above people's."""
    return "-" if row.mean_difference is None else signed(row.mean_difference, 1)


def _percent(interval: Interval) -> str:
    if interval.value is None:
        return "-"
    return f"{percent(interval.value, 0)} ({100 * interval.low:.0f}-{100 * interval.high:.0f})"


def _number(interval: Interval) -> str:
    if interval.value is None:
        return "-"
    return f"{interval.value:.2f} ({interval.low:.2f}..{interval.high:.2f})"


@reads_as_named
def judge_card(
    data: Any,
    *,
    human: Any = None,
    cluster: Any = None,
    inclusion: Any = None,
    level: float = 0.95,
) -> JudgeCard:
    """How good each judge is by people's labels: accuracy, recall, precision, kappa, each with an interval.

    Use it where some items have a person's label. The labelled items must be drawn at random, or with
    chances that are given; items picked because they looked wrong say nothing about the others.

    Parameters
    ----------
    data : results table, path, data frame, or Votes with a key
    human : str, list of str, mapping, Series or table, optional
        People's labels: a column of the table, or labels by item, in several tables or files in a list,
        too; by default those the table has.
    cluster : str, mapping or sequence, optional
        The prompt or source of each item, where several items share one: shares then have intervals of
        clusters. A column of the table, {item: cluster}, or one per item.
    inclusion : mapping or table, optional
        The chance with which each labelled item was drawn.
    level : float
        Of the intervals, each by itself.

    Returns
    -------
    JudgeCard
        ok; undetermined: people gave some label to no item, everybody gave the same, or no judge answered a
        labelled item.

    Raises
    ------
    DataError
        If there is no label, or there are fewer than 8 clusters.

    Notes
    -----
    Shares have mid-p intervals (coverage at least .945 in simulations with random class sizes, where
    Wilson's fall to .84); balanced accuracy is the mean of recalls by MOVER; kappa and AC1 are of a smoothed
    table, by the delta method. Of clusters, or with chances, everything counts one over its chance: shares
    have Korn and Graubard's intervals with degrees of freedom of the rarer outcome (coverage at least .935),
    the others those of sums of clusters (.92 and more).

    Examples
    --------
    >>> votes = Votes.from_columns({"x": "aabb", "y": "abab"}, key=["a", "a", "b", "b"])
    >>> card = judge_card(votes)
    >>> card.row("x").accuracy.value, card.row("y").accuracy.value
    (1.0, 0.5)
    >>> print(card.compare("x", "y"))
    x less y: +50 points (-24 to +85) on 4 labels, McNemar mid-p 0.25; these labels cannot tell them apart
    """
    level = check_number("level", level, least=0, most=1, strict=True)
    source = data
    data, labels, results = read_with_table(data, human)
    held = data if isinstance(data, LabelledSketch) else None
    refuse_of_counts(held, {"cluster": cluster, "inclusion": inclusion})
    data = as_votes(data, "data", source)
    data.need_judges()
    if labels is None and data.key is not None:
        labels = "key"
    if labels is None:
        raise DataError(
            f"a judge card needs labels that people gave; got none; name their column with {option('human')}"
        )
    gold = read_gold(labels, data, data.labels[0])
    if not len(gold):
        raise DataError("a judge card needs a labelled item; got none; label some at random")
    where = source if results is None else results
    every = None
    if cluster is not None:
        every = cluster_codes(clusters_on_items(cluster, where, data), data.items)
        _check_clusters(every[gold.rows])
    folded, labelled, of_pairs = data, gold, every  # pairs judged in both orders, an item each
    if held is None:
        data, gold, every = _each_verdict(data, gold, every, inclusion is not None)
    names = None if every is None else every[gold.rows]
    weights = None
    supplied = None if inclusion is None else on_items(inclusion, where, data)
    if inclusion is not None or gold.inclusion is not None:
        drawn = gold.inclusion if inclusion is None else chances_of(supplied, data.items, gold.rows)
        weights = None if drawn is None else 1 / drawn
    largest = None if weights is None else float(weights.max())
    results = source if results is None and isinstance(source, Results) else results
    looked = None
    if names is None and inclusion is None:
        looked = looked_labels(data, gold, results)
    card = _card(data, gold.rows, gold.truth, Sample(names, weights, largest, looked), level, held)
    card = replace(card, warnings=(*card.warnings, *_of_draw(gold, looked)))
    if weights is None and looked is None:
        seen = data if held is None else held
        card = _refused(card, balance_of_draw(panel_of(seen, data.labels[0]), gold.rows, every))
    own = isinstance(labels, str) and labels == "key"
    people = _people(folded, labelled, results if own else None)
    if people is not None:
        every = every if data is folded else of_pairs
        chances = weights, supplied
        card = _with_humans(card, people, folded.items, labelled.rows, every, chances)
    return with_reading(card, folded)


def _refused(card: JudgeCard, balance: Balance) -> JudgeCard:
    """Card of the labelled items alone, where they are no random draw."""
    if not balance.refutes:
        return card
    said = f"Undetermined: {balance.refutes}; what follows is of items labelled like these, not of all."
    return replace(card, status=Status.UNDETERMINED, message=f"{said} {card.message}")


def _each_verdict(
    data: Votes, gold: Gold, every: Counts | None, drawn: bool
) -> tuple[Votes, Gold, Counts | None]:
    """Votes, labels and clusters with an item for each verdict on a pair that was judged in both orders."""
    n = data.n_items
    data, gold = in_each_order(data, gold, drawn=drawn)
    if every is not None:
        return data, gold, np.tile(every, data.n_items // n)
    shared = None if drawn else shared_labels(data, gold)
    if shared is None:
        return data, gold, None
    return data, replace(gold, notes=(*gold.notes, shared[1])), shared[0]


def _with_humans(
    card: JudgeCard,
    people: People,
    items: Sequence[str],
    labelled: Counts,
    every: Counts | None,
    chances: tuple[Floats | None, Any],
) -> JudgeCard:
    """Card with how far people agree; `every`: clusters, `chances`: weights of labels, and chances."""
    rows = np.flatnonzero((people.codes != NOT_ANSWERED).any(axis=1))
    weights, supplied = chances
    own_weights = _weights_of_people(items, labelled, rows, weights, supplied)
    if weights is not None and np.ptp(weights) and own_weights is None:
        split = (
            "agreement of several people is left out: items on which they are split have no chance"
        )
        return replace(card, warnings=(*card.warnings, split))
    people = People(
        people.names,
        people.codes[rows],
        people.said[rows],
        people.n_labels,
        None if every is None else every[rows],
        own_weights,
    )
    humans = human_agreement(people, [row.judge for row in card.judges], card.level)
    return replace(card, people=people, humans=humans)


def _check_clusters(names: Counts) -> None:
    """Refuse labels of fewer clusters than an interval of them takes."""
    n_clusters = len(np.unique(names))
    if n_clusters < FEWEST_CLUSTERS:
        raise DataError(
            f"labelled items must lie in at least {FEWEST_CLUSTERS} clusters; got {n_clusters}; label "
            "items of more of them, not more items of these"
        )


def _weights_of_people(
    items: Sequence[str], labelled: Counts, rows: Counts, weights: Floats | None, supplied: Any
) -> Floats | None:
    """Weights of items that people answered, split ones too; None where equal, or not known of some."""
    if weights is None or not np.ptp(weights):
        return None
    every = np.full(len(items), np.nan)
    every[labelled] = weights
    split = rows[np.isnan(every[rows])]
    if len(split):
        try:
            every[split] = 1 / chances_of({} if supplied is None else supplied, items, split)
        except DataError:
            return None
    return every[rows]


_BEYOND = "intervals of kappa and AC1, and of people's agreement, are for a number of labels fixed beforehand"


def looked_labels(data: Votes, gold: Gold, results: Results | None) -> Looked | None:
    """Labels of a journal, which one may have stopped at any time; None of others.

    Where prompts were drawn, with both outputs of each, the outputs of one system are a random draw.
    """
    draws, n = gold.draws, data.n_items
    if draws is None:
        return None
    strata = np.zeros(n, np.int64) if draws.strata is None else draws.strata
    if draws.by_prompt:
        if results is None or not results.system_of or results.items != data.items:
            return None
        strata = np.unique(results.system_of, return_inverse=True)[1].astype(np.int64)
    truth, drawn = np.full(n, -1), np.zeros(n, bool)
    truth[gold.rows], drawn[draws.rows] = gold.truth, True
    return Looked(strata, truth, drawn & (truth < 0), ~drawn & (truth >= 0))


def _whenever(row: JudgeRow, said: Counts, looked: Looked, level: float) -> JudgeRow:
    """The same judge with shares of the items of the table, at every look at once; `said`: of every item."""
    answered, labels = said != NOT_ANSWERED, list(row.recall)
    codes = dict(enumerate(labels))

    def recall(t: int, level: float) -> Interval:
        return looked.recall(answered & (said == t), answered, t, level)

    recalls = [recall(t, 1 - (1 - level) / len(labels)) for t in codes]
    middle = balanced(recalls)
    if middle.value is not None:
        low, high = (
            sum(ends) / len(recalls) for ends in zip(*(r[1:] for r in recalls), strict=True)
        )
        middle = Interval(middle.value, low, high)
    return replace(
        row,
        accuracy=looked.share(answered, said == looked.truth, level),
        balanced_accuracy=middle,
        recall={label: recall(t, level) for t, label in codes.items()},
        precision={
            label: looked.share(said == t, looked.truth == t, level) for t, label in codes.items()
        },
    )


def _people(data: Votes, gold: Gold, results: Results | None) -> People | None:
    """What people and judges said of all items; None where one person did, or none."""
    named = gold.people if results is None else people_of_results(results, data.items, data.labels)
    if named is None or len(named[0]) < 2:
        return None
    names, codes = named
    return People(names, codes, data.codes.astype(np.int64), len(data.labels))


def _of_draw(gold: Gold, looked: Looked | None) -> tuple[str, ...]:
    """What is to be said of how labels were joined, and of those that one may have stopped at any time."""
    joined = tuple(line for line in gold.cautions if line != LOOKED_AT)
    if gold.draws is None:
        return joined
    return (*joined, _BEYOND if looked is not None else str(LOOKED_AT))


def _card(
    data: Votes,
    rows: Counts,
    truth: Counts,
    sample: Sample,
    level: float,
    held: LabelledSketch | None = None,
) -> JudgeCard:
    """Card of votes whose rows `rows` have the true labels `truth`; `held` counts the other items, too."""
    n_items = data.n_items if held is None else held.n_items
    differ = _differ(data.codes) if held is None else _differ(held.codes, held.counts)
    names = sample.clusters
    codes = data.codes[rows].astype(np.int64)
    answered = codes != NOT_ANSWERED
    right = answered & (codes == truth[:, None])
    counted = np.bincount(truth, minlength=len(data.labels))
    most = int(counted.argmax())
    base = {label: _share(truth == t, sample, level) for t, label in enumerate(data.labels)}
    judges = tuple(
        _row(judge, data, codes[:, j], truth, sample, level) for j, judge in enumerate(data.judges)
    )
    always = np.full(len(rows), most, np.int64)
    constant = _row(f"always {data.labels[most]!r}", data, always, truth, sample, level)
    looked, every = sample.looked, data.codes
    if looked is not None:
        all_items = np.ones(data.n_items, bool)
        judges = tuple(
            _whenever(row, every[:, j].astype(np.int64), looked, level)
            for j, row in enumerate(judges)
        )
        constant = _whenever(constant, np.full(data.n_items, most), looked, level)
        base = {
            label: looked.share(all_items, looked.truth == t, level)
            for t, label in enumerate(data.labels)
        }
    absent = [label for t, label in enumerate(data.labels) if not counted[t]]
    nothing = not answered.any()
    message = _card_message(
        (data.labels, _in_pairs(data, rows, n_items)),
        absent,
        len(judges),
        level,
        whenever=looked is not None,
    )
    if nothing:
        message += " No judge answered a labelled item: nothing is known of them."
    return JudgeCard(
        status=Status.UNDETERMINED if absent or nothing or len(data.labels) == 1 else Status.OK,
        message=message,
        judges=judges,
        constant=constant,
        labels=data.labels,
        base_rates=base,
        n_items=n_items,
        n_gold=len(rows),
        clusters=None if names is None else len(np.unique(names)),
        level=level,
        warnings=_warnings(judges, constant, data, rows, sample),
        was_right=right,
        answered=answered,
        sample=sample,
        codes=every,
        differ=np.triu(differ) + np.tril(_differ(codes)),
    )


def _in_pairs(data: Votes, rows: Counts, n_items: int) -> str:
    """How many items are labelled, of how many; a pair that was judged in both orders is one."""
    for grouping in data.groupings:
        if isinstance(grouping, BothOrders) and n_items == data.n_items:
            pairs = grouping.apart
            n, labelled = len(np.unique(pairs)), len(np.unique(pairs[rows]))
            orders = f" ({len(rows)} of {n_items} with their order)"
            return f"{labelled} of {how_many(n, 'pair')}{orders if n < n_items else ''}"
    return f"{len(rows)} of {how_many(n_items, 'item')}"


def _card_message(
    of: tuple[tuple[str, ...], str],
    absent: list[str],
    n_judges: int,
    level: float,
    *,
    whenever: bool,
) -> str:
    """What was counted, and the labels that people gave to nothing, or to everything; `of`: labels, items."""
    labels, counted = of
    message = (
        f"{how_many(n_judges, 'judge')} against people's labels of {counted}, each with its "
        f"{level_text(level)} interval"
        f"{', which holds whenever one stops' if whenever else ''}."
    )
    if absent:
        message += (
            f" People gave {', '.join(map(repr, absent))} to none of them: its recall, and balanced "
            "accuracy, are not known."
        )
    if len(labels) == 1:
        message += (
            f" Judges and people gave no other label than {labels[0]!r}: whether a judge sees any other "
            "is not known."
        )
    return message


def _differ(codes: NDArray[Any], counts: Counts | None = None) -> Counts:
    """On how many items every two judges answered and differ; `counts`: items of each row."""
    n = codes.shape[1]
    made = np.zeros((n, n), np.int64)
    for j in range(n):
        both = (codes != NOT_ANSWERED) & (codes[:, [j]] != NOT_ANSWERED)
        apart = both & (codes != codes[:, [j]])
        made[j] = apart.sum(axis=0) if counts is None else counts @ apart
    return made


def _share(hits: NDArray[np.bool_], sample: Sample, level: float) -> Interval:
    """Share of rows, by the design of the labels."""
    names, weights, largest, _ = sample
    if not len(hits):
        return Interval(None, 0.0, 1.0)
    if names is None and weights is None:
        return share(int(hits.sum()), len(hits), level)
    return clustered_share(hits, names, weights, level, largest)


def _part(sample: Sample, kept: NDArray[np.bool_]) -> Sample:
    names, weights, largest, looked = sample
    names = None if names is None else names[kept]
    return Sample(names, None if weights is None else weights[kept], largest, looked)


def _drawn(cells: Counts, sample: Sample) -> Drawn | None:
    """How rows of a table were drawn; None one by one with equal chances."""
    names, weights, *_ = sample
    if not len(cells) or (names is None and weights is None):
        return None
    clusters = np.arange(len(cells)) if names is None else np.unique(names, return_inverse=True)[1]
    return Drawn(clusters, np.ones(len(cells)) if weights is None else weights, cells)


def _row(
    judge: str, data: Votes, said: Counts, truth: Counts, sample: Sample, level: float
) -> JudgeRow:
    """One judge: `said` holds its answers to the labelled items."""
    filled = said != NOT_ANSWERED
    said, truth, sample = said[filled], truth[filled], _part(sample, filled)
    k = len(data.labels)
    table = np.zeros((k + 1, k), np.int64)
    np.add.at(table, (np.minimum(said, k), truth), 1)
    recall = {
        label: _share(said[truth == t] == t, _part(sample, truth == t), level)
        for t, label in enumerate(data.labels)
    }
    precision = {
        label: _share(truth[said == t] == t, _part(sample, said == t), level)
        for t, label in enumerate(data.labels)
    }
    square = table[:k] if not table[k].any() else np.pad(table, ((0, 0), (0, 1)))
    ordinal = _is_scale(data.labels) and not table[k].any()
    drawn = _drawn(np.stack([np.minimum(said, k), truth], axis=1), sample)
    together = None if drawn is None else recalls_together(truth, said == truth, drawn, k)
    return JudgeRow(
        judge,
        len(said),
        _share(said == truth, sample, level),
        balanced(list(recall.values()), together),
        kappa(square, None, level, drawn),
        ac1(square, level, drawn),
        kappa(square, quadratic_weights(k), level, drawn) if ordinal else None,
        recall,
        precision,
        tuple(map(tuple, table.tolist())),
    )


def are_grades(labels: Sequence[str]) -> bool:
    """Whether a scale is one of grades, as numbers of classes from 0 to 2 need not be."""
    return _is_scale(labels) and (len(labels) > 3 or as_number(labels[0]) == 1)


def _is_scale(labels: Sequence[str]) -> bool:
    """Whether labels are three whole numbers or more, in order and without a gap."""
    numbers = [as_number(label) for label in labels]
    if len(labels) < 3 or len(labels) > _MOST_LEVELS or any(x is None for x in numbers):
        return False
    steps = np.diff([float(x) for x in numbers if x is not None])
    return bool((steps == 1).all())


def _warnings(
    judges: Sequence[JudgeRow], constant: JudgeRow, data: Votes, rows: Counts, sample: Sample
) -> tuple[str, ...]:
    """What a reader must know before believing the card."""
    said = []
    better = constant.accuracy.value or 0.0
    for row in judges:
        if not row.n:
            said.append(f"{row.judge} answered no labelled item: nothing is known of it")
        if row.n and row.accuracy.value is not None and row.accuracy.value <= better:
            said.append(
                f"{row.judge} is right on {percent(row.accuracy.value, 0)}, no more than a judge that says "
                f"{constant.judge}: {percent(better, 0)}"
            )
    weights = sample.weights
    if weights is not None and np.ptp(weights):
        n = float(weights.sum()) ** 2 / float((weights**2).sum())
        said.append(
            f"labels were drawn with unequal chances: each counts one over its chance, and the {len(rows)} "
            f"labels come to about {floor(n)} drawn at random"
        )
    groups = [name for name, codes in data.groupings if _repeats(codes[rows])]
    if groups and sample.clusters is None:
        said.append(
            f"labelled items share values of {groups[0]!r}: name it with {option('cluster')} if they are "
            "more alike than others"
        )
    return tuple(said)


def _repeats(codes: NDArray[np.int64]) -> bool:
    filled = codes[codes >= 0]
    return FEWEST_CLUSTERS <= len(np.unique(filled)) < len(filled)
