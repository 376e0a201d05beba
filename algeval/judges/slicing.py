"""`slices`: the pass rate of each group of outputs, and which group regressed from one system to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, inf, sqrt
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtr, stdtrit

from algeval.data import Sketch, Votes
from algeval.data.names import check_choice, check_number, natural_order
from algeval.data.votes import Grouping
from algeval.door import reads_as_named
from algeval.errors import DataError, option
from algeval.io.sources import clusters_on_items, on_items
from algeval.judges.card import looked_labels
from algeval.judges.columns import (
    By,
    Judged,
    columns_of,
    columns_of_counts,
    read_judged,
    sources_of,
)
from algeval.judges.intervals import (
    FEWEST_CLUSTERS,
    Floats,
    Interval,
    Looked,
    anytime_count,
    anytime_share,
    clustered_share,
    holm,
    mover,
    share,
    share_of_items,
)
from algeval.judges.wrong import self_consistency
from algeval.rates.inputs import (
    LOOKED_AT,
    answered_by,
    chances_of,
    cluster_codes,
    label_or_pass,
    likely_grade,
    panel_of,
    read_gold,
    refuse_of_counts,
)
from algeval.rates.intervals import NOT_RANDOM, exact_ends, where_few
from algeval.rates.sizes import fewest
from algeval.result import Result, Status, Table
from algeval.result.base import with_reading
from algeval.result.numbers import did_you_mean, how_many, level_text, signed

Whole = NDArray[np.int64]
Mask = NDArray[np.bool_]

_MOST_SLICES = 50  # of a column
_NARROW = 0.2  # width that further labels should bring
_POWER = float(ndtri(0.8))
_PICKED = 0.01  # chance of labels so unlike the other outputs, over all slices


# --- One slice: strata by the judges' verdict, put together by MOVER.


class Stratum(NamedTuple):
    """Outputs of a slice with one verdict: how many, labelled, and labelled good."""

    size: int
    labelled: int
    good: int


def slice_rate(
    strata: Sequence[Stratum], level: float, *, target: str = "items", exact: bool = False
) -> Interval:
    """Share of good outputs in a slice, with its interval.

    target : "items": these outputs, by hypergeometric ends; "population": outputs like them, by binomial
        ends and the spread of the verdicts themselves.
    exact : for levels near 1, ends without the half of mid-p, and where good ones or others are few no end
        inside that of the labels alone, of which the root of a sum of squares knows nothing so far out.

    Of these items mid-p is too narrow once a quarter of them are labelled, and MOVER once two thirds are,
    for whole numbers of few items are not near to normal: then the strata's exact ends are added.
    """
    n_items, labelled, good = map(sum, zip(*strata, strict=True))
    if target == "items" and 3 * labelled > 2 * n_items:
        return _added(strata, n_items, level)
    if target == "population" and labelled == n_items:
        strata = [Stratum(n_items, labelled, good)]  # verdicts add nothing
    parts = []
    for size, n, x in strata:
        of = size if target == "items" else None
        if n == 0:
            parts.append(Interval(None, 0.0, 1.0))
        elif exact or (of and 4 * labelled > n_items):
            parts.append(Interval(x / n, *exact_ends(x, n, level, n_items=of)))
        else:
            parts.append(share_of_items(x, n, of, level) if of else share(x, n, level))
    weights = [s.size / n_items for s in strata]
    between = 0.0
    if target == "population":
        rates = np.array([0.5 if p.value is None else p.value for p in parts])
        w = np.array(weights)
        spread = float(w @ (rates - w @ rates) ** 2)
        between = float(ndtri((1 + level) / 2)) ** 2 * spread / n_items
    value, low, high = mover(parts, weights, between)
    if exact:
        of = n_items if target == "items" else None
        low, high = where_few(low, high, good, labelled, level, n_items=of)
    return Interval(value, low, high)


def _added(strata: Sequence[Stratum], n_items: int, level: float) -> Interval:
    """Share of these items, with the sums of the strata's exact ends: they hold at every number of labels."""
    n_open = sum(s.labelled < s.size for s in strata)
    each = 1 - (1 - level) / max(1, n_open)
    value = low = high = 0.0
    for size, n, x in strata:
        ends = exact_ends(x, n, each, n_items=size)
        value += size * (x / n if n else 0.5)
        low, high = low + size * ends[0], high + size * ends[1]
    return Interval(value / n_items, low / n_items, high / n_items)


def labels_to_narrow(
    strata: Sequence[Stratum], level: float, *, target: str = "items", narrow: float = _NARROW
) -> int:
    """More labels, drawn at random, with which the interval is expected to be so narrow, or all."""
    left = sum(s.size - s.labelled for s in strata)

    def width(more: int) -> float:
        after = []
        for size, n, x in strata:
            added = round(more * (size - n) / left)
            good = x + round(added * (x + 1) / (n + 2))
            after.append(Stratum(size, n + added, good))
        interval = slice_rate(after, level, target=target)
        return interval.high - interval.low

    return fewest(left, width, narrow)


def _whenever(
    looked: Looked, inside: Mask, good: Mask, level: float, target: str
) -> Interval | None:
    """Share of good outputs in a slice, with an interval that holds whenever one stopped labelling.

    None where the draws of a slice do not lead to outputs like these: they were made within strata, or it
    is not known of some labels how they came.
    """
    if target == "items":
        return looked.share(inside, good, level)
    if (inside & looked.certain).any() or np.ptp(looked.strata[inside]):
        return None
    held = inside & (looked.truth >= 0)
    x, n, unclear = int((held & good).sum()), int(held.sum()), int((inside & looked.unclear).sum())
    if not n:
        return Interval(None, 0.0, 1.0)
    low = anytime_share(x, n + unclear, level)[0]
    return Interval(x / n, low, anytime_share(x + unclear, n + unclear, level)[1])


def _more_whenever(counts: Stratum, level: float, target: str, narrow: float) -> int:
    """More labels of a slice with which that interval is expected to be so narrow, or all."""
    size, n, x = counts

    def width(more: int) -> float:
        good = x + round(more * (x + 1) / (n + 2))
        if target == "population":
            low, high = anytime_share(good, n + more, level)
            return high - low
        least, most = anytime_count(good, n + more, size, level)
        return (most - least) / size

    return fewest(size - n, width, narrow)


# --- Two systems on the same prompts: the change of the pass rate, slice by slice.


class GroupChanges(NamedTuple):
    """Change in each group, variance of its estimate (inf where it has too few labels), and freedom."""

    change: Floats
    variance: Floats
    freedom: int
    labelled: Whole


def changes_by_group(
    d: Floats, f: Floats, groups: Whole, clusters: Whole, *, target: str = "items"
) -> GroupChanges:
    """Change of the labels, helped by that of the judges' votes, in each group of prompts.

    d : (n,), new label less old, NaN where a prompt is not labelled for both; f : (n,), the same of the
    judges; groups : (n,), from 0; clusters : (n,), each prompt its own where they are drawn one by one.

    One slope for all groups, cut to [0, 1]. The variance is the largest of the group's own, the pooled one
    and that of a single label that differs.
    """
    n_groups = int(groups.max()) + 1
    every = [np.flatnonzero(groups == g) for g in range(n_groups)]
    rows = [r[~np.isnan(d[r])] for r in every]
    sizes = np.array([len(np.unique(clusters[r])) for r in rows])
    usable = np.flatnonzero(sizes > 1).tolist()
    centred = [(f[rows[g]] - f[rows[g]].mean(), d[rows[g]]) for g in usable]
    bottom = sum(float(a @ a) for a, _ in centred)
    slope = sum(float(a @ b) for a, b in centred) / bottom if bottom > 0 else 0.0
    slope = min(1.0, max(0.0, slope))
    change, squares, further = np.zeros((3, n_groups))
    for g in usable:
        r, k = rows[g], int(sizes[g])
        residuals = d[r] - slope * f[r]
        change[g] = residuals.mean() + slope * f[every[g]].mean()
        own = _sums(residuals, clusters[r])
        squares[g] = float(own @ own) * (k / len(r)) ** 2
        if target == "population":  # the judges' change is that of a sample, too
            all_of, of_labelled = _sums(f[every[g]], clusters[every[g]]), _sums(f[r], clusters[r])
            mixed = k / (k - 1) * float(own @ of_labelled) / len(r)
            further[g] = slope**2 * float(all_of @ all_of) / len(every[g]) ** 2
            further[g] += 2 * slope * max(mixed, 0.0) / len(every[g])
    n_clusters = len(np.unique(clusters[np.concatenate(rows)]))
    freedom = min(int(sizes[usable].sum()) - len(usable), n_clusters) - 1
    variance = np.full(n_groups, inf)
    for g in usable if freedom > 0 else []:
        k = int(sizes[g])
        variance[g] = max(squares[g] / (k - 1), squares.sum() / freedom, 1 / (k - 1)) / k
        variance[g] *= 1 - len(rows[g]) / len(every[g]) if target == "items" else 1.0
    return GroupChanges(change, variance + further, freedom, np.array([len(r) for r in rows]))


def _sums(values: Floats, clusters: Whole) -> Floats:
    """Sum of centred values in each cluster."""
    own = np.unique(clusters, return_inverse=True)[1]
    return np.bincount(own, values - values.mean()).astype(float)


# --- Results.


@dataclass(frozen=True, slots=True)
class SliceRow:
    """One slice: outputs with one value of a column, of one system where there are several.

    Attributes
    ----------
    by, value : str
        Column and group.
    system : str
        "" where outputs of one system were judged, or systems are taken together.
    n, labelled, good : int
        Outputs; those with a label; those of them whose label is the good one.
    rate : Interval
        Pass rate, its interval by itself; no value where the labels are too few to name one.
    together : Interval
        The same with the interval that holds for all slices at once.
    least_wrong, n_verdicts : int
        Of the judges' verdicts, those that are wrong whatever the truth; needs no label.
    labels_needed : int or None
        More labels for an interval of .2, or of `show_width`, where they are too few; None where not.
    method : str
        "strata", "clusters", "chances", "anytime" (of a journal: it holds whenever one stops), "certain" (of
        labels that were not drawn at random: the others may be anything), or "none" without labels.
    message : str
    """

    by: str
    value: str
    system: str
    n: int
    labelled: int
    good: int
    rate: Interval
    together: Interval
    least_wrong: int
    n_verdicts: int
    labels_needed: int | None
    method: str
    message: str

    @property
    def name(self) -> str:
        """Column, value and system in a few words."""
        return f"{self.by} {self.value}" + (f", {self.system}" if self.system else "")


@dataclass(frozen=True, slots=True)
class SliceChange:
    """One slice of prompts that both systems answered: whether the pass rate fell.

    Attributes
    ----------
    by, value : str
    n, labelled : int
        Prompts, and those labelled for both systems.
    change : Interval
        Pass rate of the new system less that of the old, its interval by itself.
    p, p_adjusted : float or None
        One-sided, that it did not fall, and adjusted for all slices (Holm); None where nothing is tested.
    visible : float or None
        A drop of this size would have been shown with a chance of about 80%; smaller ones hardly.
    verdict : str
        "regressed", "not shown" or "too few labels".
    message : str
    """

    by: str
    value: str
    n: int
    labelled: int
    change: Interval
    p: float | None
    p_adjusted: float | None
    visible: float | None
    verdict: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Slices(Result):
    """Pass rate of each slice, which slice regressed, and how many verdicts are wrong in each.

    Attributes
    ----------
    status : Status
        ok; undetermined: no slice has enough labels for a rate, or labels of one were not drawn at random.
    table : tuple of SliceRow
        A row a slice, and of each slice one a system.
    changes : tuple of SliceChange
        Of two systems, a row a slice of prompts, the smallest p first.
    systems : tuple of str
        The old one first where two are compared.
    good : str
        The label whose share is the pass rate; "" without labels where it is not known.
    n_items, n_labelled : int
    target : str
        "items" or "population".
    level : float
        Of the intervals, and 1 less the chance that any slice is wrongly said to have regressed.
    warnings : tuple of str
    """

    schema: ClassVar[str] = "algeval.slices/1"

    table: tuple[SliceRow, ...]
    changes: tuple[SliceChange, ...]
    systems: tuple[str, ...]
    good: str
    n_items: int
    n_labelled: int
    target: str
    level: float
    warnings: tuple[str, ...] = ()

    @property
    def meaning(self) -> str:
        """What the numbers do not mean."""
        if not self.n_labelled:
            return (
                "A slice where judges differ more need not be one where the system fails more: without "
                "labels nothing says how often outputs are good."
            )
        if self.changes:
            return (
                "A slice that is not shown to have regressed may have: a drop smaller than the one named "
                "for it could not have been seen. Nothing here says why a slice fell."
            )
        return (
            "Two slices whose intervals overlap are not shown to be equal. A low slice is low in what goes "
            "with the column, which need not be its cause."
        )

    @property
    def regressed(self) -> tuple[SliceChange, ...]:
        """Slices shown to have regressed."""
        return tuple(c for c in self.changes if c.verdict == "regressed")

    def as_tables(self) -> tuple[Table, ...]:
        """A row a slice, and a row a change."""
        names = ["by", "value", "system", "n", "labelled", "good"]
        columns: dict[str, list[Any]] = {n: [getattr(r, n) for r in self.table] for n in names}
        columns["rate"] = [r.rate.value for r in self.table]
        for name in ("rate", "together"):
            for end in ("low", "high"):
                columns[f"{name}_{end}"] = [getattr(getattr(r, name), end) for r in self.table]
        for name in ("least_wrong", "n_verdicts", "labels_needed", "method"):
            columns[name] = [getattr(r, name) for r in self.table]
        changes = [
            (c.by, c.value, c.n, c.labelled, *c.change, c.p, c.p_adjusted, c.visible, c.verdict)
            for c in self.changes
        ]
        head = ["by", "value", "n", "labelled", "change", "low", "high"]
        head += ["p", "p_adjusted", "visible", "verdict"]
        return Table("Slices", columns), Table.of_rows("Changes", head, changes)

    def summary(self) -> str:
        """Slices with their intervals, then what changed."""
        lines = [self.message]
        cells: list[tuple[str, ...]] = [(r.name, str(r.n), *_cells(r)) for r in self.table]
        if self.n_labelled:
            cells = [
                ("slice", "outputs", "labels", "pass rate", "all together", "surely wrong"),
                *cells,
            ]
        else:
            cells = [("slice", "outputs", "surely wrong"), *((*r[:2], r[-1]) for r in cells)]
        judged = any(row.n_verdicts for row in self.table)
        cells = cells if judged else [row[:-1] for row in cells]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        for row in cells:
            padded = zip(row, widths, strict=True)
            lines.append(
                "  ".join(c.rjust(w) if k else c.ljust(w) for k, (c, w) in enumerate(padded))
            )
        if self.n_labelled:
            lines += [r.message for r in self.table if r.labels_needed is not None]
        lines += [c.message for c in self.changes]
        if self.n_labelled:
            lines.append(
                "pass rate: with its interval by itself, then the one that holds for all slices at once."
            )
        if judged:
            lines.append(
                "surely wrong: verdicts of the judges that are wrong whatever the truth, at least."
            )
        lines += [f"{warning[0].upper()}{warning[1:]}." for warning in self.warnings]
        return "\n".join([*lines, f"What this does not mean: {self.meaning}"])


def _ends(interval: Interval) -> str:
    return f"{100 * interval.low:.0f}-{100 * interval.high:.0f}"


def _wrong(row: SliceRow) -> str:
    return f"{1000 * row.least_wrong // max(1, row.n_verdicts) / 10:.1f}%"  # rounded down


def _cells(row: SliceRow) -> tuple[str, str, str, str]:
    if not row.labelled:
        return "0", "-", "-", _wrong(row)
    point = "" if row.rate.value is None else f"{100 * row.rate.value:.0f}%"
    rate = f"{point or '?'} ({_ends(row.rate)})"
    return str(row.labelled), rate, _ends(row.together), _wrong(row)


# --- Outputs with all that is known of them.


@dataclass(frozen=True, slots=True)
class _Outputs:
    """What is known of each output: verdict, label, cluster, weight, system and prompt."""

    votes: Votes
    verdict: NDArray[np.int8]
    share: Floats  # of the votes that say good; NaN where nobody judged
    truth: Floats  # 1 or 0, NaN without a label
    clusters: Whole | None
    weights: Floats  # one over the chance of a labelled output
    system: Whole
    systems: tuple[str, ...]
    counts: Whole  # how many outputs each row stands for
    looked: Looked | None  # of labels that one may have stopped at any time

    @property
    def labelled(self) -> Mask:
        return ~np.isnan(self.truth)

    def total(self, rows: Whole | Mask) -> int:
        """How many outputs some rows stand for."""
        return int(self.counts[rows].sum())

    def good(self, rows: Whole) -> int:
        """How many of them have the good label."""
        return int(np.nansum(self.truth[rows] * self.counts[rows]))


@dataclass(frozen=True, slots=True)
class _Settings:
    target: str
    level: float
    show_width: float

    def shared(self, n: int) -> float:
        """Level of each of n intervals that hold together."""
        return 1 - (1 - self.level) / max(1, n)


def _good_label(judged: Judged, good: object, *, needed: bool) -> str:
    votes, results = judged.votes, judged.results
    if good is None and results is not None and results.good in votes.labels:
        return str(results.good)
    if good is None and not needed:
        return ""
    return label_or_pass(good, votes.labels, answered_by(votes), likely_grade(votes))


def _outputs(
    judged: Judged, label: str, cluster: Any, inclusion: Any, systems: tuple[tuple[str, ...], Whole]
) -> _Outputs:
    votes = judged.votes
    n = votes.n_items
    refuse_of_counts(judged.counted, {"cluster": cluster, "inclusion": inclusion})
    truth, weights = np.full(n, np.nan), np.ones(n)
    verdict, votes_share = np.full(n, -1, np.int8), np.full(n, np.nan)
    looked = None
    if label:
        panel = panel_of(votes, label)
        verdict, votes_share = panel.verdict, panel.share
    if judged.labels is not None:
        gold = read_gold(judged.labels, votes, label)
        truth[gold.rows] = gold.values
        if cluster is None and inclusion is None:
            looked = looked_labels(votes, gold, judged.results)
        votes = replace(votes, notes=(*votes.notes, *gold.cautions))
        chances = gold.inclusion
        if inclusion is not None:
            by_item = on_items(inclusion, judged.where, votes)
            chances = chances_of(by_item, votes.items, gold.rows)
        if chances is not None:
            weights[gold.rows] = 1 / chances
    clusters = None
    if cluster is not None:
        clusters = cluster_codes(clusters_on_items(cluster, judged.where, votes), votes.items)
    counts = np.ones(n, np.int64) if judged.counted is None else judged.counted.cells
    labelled = truth, clusters, weights
    return _Outputs(votes, verdict, votes_share, *labelled, systems[1], systems[0], counts, looked)


def _systems_of(judged: Judged, system: Any, by: Sequence[By]) -> tuple[tuple[str, ...], Whole]:
    """Names of systems, and of each output its place among them; none where there is one, or it is `by`."""
    results, n = judged.results, judged.votes.n_items
    cells: Sequence[Any] = () if results is None else results.system_of
    role = [] if results is None else results.reading.named("system")
    if judged.counted is not None and judged.counted.has("system"):
        split = judged.counted.split("system")
        cells, role = np.array([*split.values, None], object)[split.codes].tolist(), [split.name]
    if isinstance(system, str) and results is not None and system in results.slices:
        cells, role = [results.slices[system].get(item) for item in results.items], [system]
    present = tuple(dict.fromkeys(cell for cell in cells if cell is not None))
    if judged.counted is not None:
        present = natural_order(present)
    if system is not None and len(present) < 2:
        raise DataError(
            f"{option('system')} needs a results table with a column of systems; got none with two; name it "
            f"when the table is read, or leave {option('system')} out"
        )
    if len(present) < 2 or (system is None and {b.name for b in by} & {*role, " ".join(role)}):
        return (), np.zeros(n, np.int64)
    names = present
    if system is not None and not (isinstance(system, str) and system in {*role, " ".join(role)}):
        names = (system,) if isinstance(system, str) else tuple(map(str, system))
        strange = [name for name in names if name not in present]
        if strange or len(set(names)) != 2 or len(names) != 2:
            wrong = strange[0] if strange else names
            near = did_you_mean(wrong, present) if strange else "the old one first"
            raise DataError(
                f"{option('system')} must name the column of systems, or the old and the new one of "
                f"{list(present)}; got {wrong!r}; {near}"
            )
    index = {name: k for k, name in enumerate(names)}
    return names, np.array([index.get(cell, -1) for cell in cells], np.int64)


# --- Rows.


def _alone(names: Whole) -> bool:
    """Whether every output is a cluster of its own."""
    return len(np.unique(names)) == len(names)


def _strata(outputs: _Outputs, rows: Whole) -> list[Stratum]:
    parts = (rows[outputs.verdict[rows] == v] for v in np.unique(outputs.verdict[rows]))
    return [
        Stratum(outputs.total(r), outputs.total(r[outputs.labelled[r]]), outputs.good(r))
        for r in parts
    ]


def _design(outputs: _Outputs, rows: Whole) -> str:
    """How the labels of a slice were drawn: of clusters, with unequal chances, or each as likely as any."""
    held = rows[outputs.labelled[rows]]
    if not len(held):
        return "none"
    if outputs.clusters is not None and not _alone(outputs.clusters[rows]):
        return "clusters"
    weights = outputs.weights[held]
    return "chances" if np.ptp(weights) > 1e-9 * weights.max() else "strata"


def _looked_at(
    outputs: _Outputs, rows: Whole, n_rows: int, s: _Settings
) -> tuple[Interval, Interval] | None:
    """Rate of a slice of a journal, by itself and with all slices; None where it has another design."""
    if outputs.looked is None or not outputs.labelled[rows].any():
        return None
    inside, good = np.zeros(len(outputs.truth), bool), outputs.truth == 1
    inside[rows] = True
    rate = _whenever(outputs.looked, inside, good, s.level, s.target)
    together = _whenever(outputs.looked, inside, good, s.shared(n_rows), s.target)
    return None if rate is None or together is None else (rate, together)


def _row(
    outputs: _Outputs, name: tuple[str, str, str], rows: Whole, n_rows: int, s: _Settings
) -> SliceRow:
    held = rows[outputs.labelled[rows]]
    method = _design(outputs, rows)
    n, n_held, good = outputs.total(rows), outputs.total(held), outputs.good(held)
    everything = Interval(None, 0.0, 1.0)
    rate = together = everything
    needed: int | None = None
    strata = _strata(outputs, rows)
    looked = _looked_at(outputs, rows, n_rows, s)
    if looked is not None:
        method = "anytime"
        rate, together = looked
    elif method == "strata":
        rate = slice_rate(strata, s.level, target=s.target)
        together = rate
        if n_rows > 1:
            together = slice_rate(strata, s.shared(n_rows), target=s.target, exact=True)
    elif method != "none":
        clusters = None if outputs.clusters is None else outputs.clusters[held]
        if clusters is None or len(np.unique(clusters)) >= FEWEST_CLUSTERS:
            right, w = outputs.truth[held] == 1, outputs.weights[held]
            rate = clustered_share(right, clusters, w, s.level)
            together = clustered_share(right, clusters, w, s.shared(n_rows))
    width = rate.high - rate.low
    if width > s.show_width or rate.value is None:
        left = n - n_held
        narrow = min(_NARROW, s.show_width)
        needed = max(1, ceil(min(n_held * ((width / max(narrow, 1e-3)) ** 2 - 1), n)))
        if method == "anytime":
            needed = _more_whenever(Stratum(n, n_held, good), s.level, s.target, narrow)
        elif method in ("strata", "none"):
            needed = (
                labels_to_narrow(strata, s.level, target=s.target, narrow=narrow) if left else 0
            )
        needed = min(needed, left)
        rate, together = rate._replace(value=None), together._replace(value=None)
    floor = None
    if (codes := outputs.votes.codes[rows]).size and (codes >= 0).any():
        floor = self_consistency(Sketch(*outputs.votes.axes, codes, outputs.counts[rows]))
    row = SliceRow(
        *name,
        n=n,
        labelled=n_held,
        good=good,
        rate=rate,
        together=together,
        least_wrong=0 if floor is None else floor.least_wrong,
        n_verdicts=0 if floor is None else floor.n_verdicts,
        labels_needed=needed,
        method=method,
        message="",
    )
    return replace(row, message=_worded(row, outputs))


def _worded(row: SliceRow, outputs: _Outputs) -> str:
    """One slice as a sentence."""
    if row.labels_needed is None:
        return (
            f"{row.name}: {100 * (row.rate.value or 0):.0f}% ({_ends(row.rate)}) by "
            f"{how_many(row.labelled, 'label')} of {how_many(row.n, 'output')}."
        )
    if row.labelled and row.rate == (None, 0.0, 1.0) and row.method == "clusters":
        return (
            f"{row.name}: labels lie in fewer than {FEWEST_CLUSTERS} clusters; label outputs of more "
            "prompts, not more outputs of these."
        )
    more = f"label {row.labels_needed} more here" if row.labels_needed else "all are labelled"
    if row.labels_needed and row.labels_needed == row.n - row.labelled:
        more += ", all there are"
    if not row.labelled:
        return f"{row.name}: no label; {more}."
    ends = f"{100 * row.rate.low:.0f}% and {100 * row.rate.high:.0f}%"
    return f"{row.name}: too few labels, between {ends}; {more}."


def _rows(
    outputs: _Outputs, columns: Sequence[By], prompts: Sequence[Grouping], s: _Settings
) -> tuple[tuple[SliceRow, ...], list[str]]:
    """Row of each slice and system, and what must be known before believing them.

    prompts : groupings whose outputs hang together.
    """
    parts: list[tuple[tuple[str, str, str], Whole]] = []
    warnings = []
    for by in columns:
        groups, values = by.in_groups()
        used = outputs.system >= 0
        lacking = outputs.total(used & (groups < 0))
        if lacking:
            warnings.append(
                f"{how_many(lacking, 'output')} without {by.name!r} left out of its slices"
            )
        for g, value in enumerate(values):
            for k, system in enumerate(outputs.systems or ("",)):
                rows = np.flatnonzero((groups == g) & (outputs.system == k))
                if len(rows):
                    parts.append(((by.name, value, system), rows))
        if len(np.unique(groups[used & (groups >= 0)])) < 2:
            warnings.append(f"{by.name!r} has one value only, so there is nothing to compare")
    with_labels = sum(bool(outputs.labelled[rows].any()) for _, rows in parts)
    made = tuple(_row(outputs, name, rows, with_labels, s) for name, rows in parts)
    made = tuple(
        _certain(row) if row.method == "strata" and _picked(outputs, rows, with_labels) else row
        for row, (_, rows) in zip(made, parts, strict=True)
    )
    shared = [name for name, codes in prompts if _repeated(codes, parts, outputs)]
    if outputs.clusters is None and shared:
        warnings.append(
            f"labelled outputs of a slice share values of {shared[0]!r}: if they are more alike than others, "
            f"intervals are too narrow; name it with {option('cluster')}"
        )
    return made, warnings


def _picked(outputs: _Outputs, rows: Whole, n_rows: int) -> bool:
    """Whether labels are so unlike all outputs of the slice that a random draw hardly gives them.

    What judges say is looked at, and whether any says something, where some such output has no label.
    """
    held, missing = outputs.labelled[rows], np.isnan(outputs.share[rows])
    n, n_held = outputs.total(rows), outputs.total(rows[held])
    marks = [outputs.verdict[rows] == 1, *([missing] if (~missing & ~held).any() else [])]
    level = 1 - _PICKED / max(1, n_rows) / len(marks)
    drawn = [share_of_items(outputs.total(rows[mark & held]), n_held, n, level) for mark in marks]
    shares = [outputs.total(rows[mark]) / n for mark in marks]
    return not all(own.low <= x <= own.high for own, x in zip(drawn, shares, strict=True))


def _certain(row: SliceRow) -> SliceRow:
    """Slice with what its labels leave, as they were not drawn at random."""
    ends = Interval(None, row.good / row.n, 1 - (row.labelled - row.good) / row.n)
    why = f"{row.name}: {NOT_RANDOM}, certain is {_ends(ends)}% of these outputs."
    return replace(row, rate=ends, together=ends, method="certain", message=why)


def _repeated(codes: Whole, parts: Sequence[tuple[Any, Whole]], outputs: _Outputs) -> bool:
    """Whether labelled outputs of some slice share a group."""
    held = (codes[rows[outputs.labelled[rows]]] for _, rows in parts)
    return any(not _alone(own[own >= 0]) for own in held)


# --- Changes.


def _pairs(judged: Judged, outputs: _Outputs) -> tuple[Whole, Whole]:
    """Outputs of the old and of the new system on the same prompts."""
    assert judged.results is not None
    rows = [np.flatnonzero(outputs.system == k) for k in range(2)]
    prompts = [judged.results.only(own).by_prompt().items for own in rows]
    new = dict(zip(prompts[1], rows[1].tolist(), strict=True))
    both = [
        (row, new[prompt])
        for prompt, row in zip(prompts[0], rows[0].tolist(), strict=True)
        if prompt in new
    ]
    first, second = zip(*both, strict=True) if both else ((), ())
    return np.array(first, np.int64), np.array(second, np.int64)


def _changes(
    outputs: _Outputs, columns: Sequence[By], pairs: tuple[Whole, Whole], s: _Settings
) -> tuple[tuple[SliceChange, ...], list[str]]:
    """Change of each slice of prompts, the smallest p first."""
    old, new = pairs
    d = outputs.truth[new] - outputs.truth[old]
    f = np.nan_to_num(outputs.share[new] - outputs.share[old])
    clusters = np.arange(len(old)) if outputs.clusters is None else outputs.clusters[old]
    made: list[SliceChange] = []
    freedoms: list[int] = []
    warnings = []
    for by in columns:
        groups, values = by.in_groups()
        moved = int((groups[old] != groups[new]).sum())
        if moved:
            warnings.append(
                f"{by.name!r} differs between the two outputs of {how_many(moved, 'prompt')}, which are left "
                "out of its changes"
            )
        kept = (groups[old] == groups[new]) & (groups[old] >= 0)
        if not kept.any():
            continue
        of_pair = groups[old][kept]
        changed = changes_by_group(d[kept], f[kept], of_pair, clusters[kept], target=s.target)
        for g in np.unique(of_pair).tolist():
            apart = _alone(clusters[kept][of_pair == g])
            held = kept & ~np.isnan(d) & (groups[old] == g)
            few = not apart and len(np.unique(clusters[held])) < FEWEST_CLUSTERS
            uneven = any(np.ptp(outputs.weights[side][held]) > 0 for side in pairs if held.any())
            made.append(
                _change(by.name, values[g], int((of_pair == g).sum()), changed, g, s)
                if not few and not uneven
                else _untested(by.name, values[g], int((of_pair == g).sum()), int(held.sum()))
            )
            freedoms.append(changed.freedom)
            if uneven:
                warnings.append(
                    f"labels of {by.name} {values[g]} were drawn with unequal chances, so no change is tested"
                )
    return _adjusted(made, freedoms, outputs.systems, s), warnings


def _untested(by: str, value: str, n: int, labelled: int) -> SliceChange:
    nothing = Interval(None, -1.0, 1.0)
    return SliceChange(by, value, n, labelled, nothing, None, None, None, "too few labels", "")


def _change(by: str, value: str, n: int, of: GroupChanges, g: int, s: _Settings) -> SliceChange:
    e, v, n_labelled = float(of.change[g]), float(of.variance[g]), int(of.labelled[g])
    empty = _untested(by, value, n, n_labelled)
    if not np.isfinite(v):
        return empty
    error = sqrt(v)
    half = float(stdtrit(of.freedom, (1 + s.level) / 2)) * error
    e = min(1.0, max(-1.0, e))
    p = float(stdtr(of.freedom, e / error)) if error else float(e >= 0)
    interval = Interval(e, max(-1.0, e - half), min(1.0, e + half))
    return replace(empty, change=interval, p=p, visible=error, verdict="not shown")


def _adjusted(
    made: list[SliceChange], freedoms: Sequence[int], systems: tuple[str, ...], s: _Settings
) -> tuple[SliceChange, ...]:
    """Changes with adjusted p, the drop that could have been seen, and a sentence each."""
    tested = [k for k, c in enumerate(made) if c.p is not None]
    adjusted = holm([made[k].p or 0.0 for k in tested])
    for k, p in zip(tested, adjusted, strict=True):
        first = -float(stdtrit(freedoms[k], (1 - s.level) / len(tested)))
        visible = (first + _POWER) * (made[k].visible or 0.0)
        fell = p <= 1 - s.level
        verdict = "regressed" if fell else "not shown" if visible < 1 else "too few labels"
        made[k] = replace(made[k], p_adjusted=p, visible=visible, verdict=verdict)
    lines = [replace(c, message=_changed(c, systems)) for c in made]
    return tuple(sorted(lines, key=lambda c: 2.0 if c.p is None else c.p))


def _changed(c: SliceChange, systems: tuple[str, ...]) -> str:
    """One change as a sentence."""
    name = f"{c.by} {c.value}"
    on = f"{how_many(c.labelled, 'prompt')} labelled for both"
    if c.p is None or c.change.value is None:
        return f"{name}: {on} of {c.n}: too few to say whether it regressed."
    low, value, high = (100 * x for x in (c.change.low, c.change.value, c.change.high))
    said = f"{name}: {signed(value)} points ({signed(low)} to {signed(high)}), {on}"
    if c.verdict == "regressed":
        return f"{said}; adjusted p {c.p_adjusted:.2g}: {systems[1]} regressed here."
    if c.verdict == "too few labels":
        return f"{said}: too few to see any drop."
    return (
        f"{said}; a drop under about {100 * (c.visible or 0):.0f} points could not have been seen."
    )


# --- The question.


@reads_as_named
def slices(
    data: Any,
    by: Any = None,
    *,
    human: Any = None,
    good: object = None,
    cluster: Any = None,
    inclusion: Any = None,
    system: Any = None,
    target: str = "population",
    level: float = 0.95,
    show_width: float = 0.5,
) -> Slices:
    """Pass rate of each group of outputs, and which group regressed between two systems.

    Use it with a results table that has a column of topics, languages, customers, lengths, ... and people's
    labels of some outputs of each group, drawn at random. Where labels are too few, no rate is named, but
    how many more would do. Without labels it says how many verdicts are wrong in each group, at least.

    Parameters
    ----------
    data : results table, path, data frame, or Votes with a key
    by : str, list of str or mapping, optional
        Columns of the table, by default all groups, and as "all" numbers too, which are cut into thirds; or
        {name: values by item}.
    human : str, list of str, mapping, Series or table, optional
        People's labels, as `judge_card` takes them.
    good : str, optional
        The label whose share is the pass rate.
    cluster : str, mapping or sequence, optional
        The prompt or source of each output, where several of a slice share one.
    inclusion : mapping or table, optional
        The chance with which each labelled output was drawn.
    system : str or (str, str), optional
        The column of systems, or the old and the new one by name; by default the systems of the table, in
        the order met. Two are compared on the prompts that both answered.
    target : "population" or "items"
        Rates and changes of outputs like these, or of these alone.
    level : float
        Of the intervals, and 1 less the chance that any slice is wrongly said to have regressed.
    show_width : float
        Interval from which labels are too few to name a rate.

    Returns
    -------
    Slices
        ok; undetermined: no slice has enough labels.

    Raises
    ------
    DataError
        If a column or a system is not there, or it is not known which label is good.

    Notes
    -----
    Outputs of a slice fall into strata by the judges' majority, whose rates have mid-p intervals and are put
    together by MOVER (Zou and Donner 2008); intervals of all slices at once have Bonferroni's level and exact
    ends. About their level in simulations. With clusters, or chances that differ within a stratum, they are
    those of `judge_card`. Changes are labels regressed on the judges' change of mind, with the largest of
    three variances and Holm's adjustment of one-sided p.

    Examples
    --------
    >>> votes = Votes.from_columns({"x": "ppfp" * 25}, key=list("ppff" * 25))
    >>> of = {"language": {str(k + 1): "en" if k < 60 else "es" for k in range(100)}}
    >>> rates = slices(votes, of, good="p")
    >>> [(row.value, row.labelled, row.rate.value) for row in rates.table]
    [('en', 60, 0.5), ('es', 40, 0.5)]
    """
    check_choice("target", target, ("items", "population"))
    level = check_number("level", level, least=0, most=1, strict=True)
    width = check_number("show_width", show_width, least=0, most=1)
    settings = _Settings(target, level, width)
    judged = read_judged(data, human)
    columns = _columns(judged, by)
    if not columns:
        raise DataError(f"{option('by')} must name a column; got none; name one, or leave it out")
    systems = _systems_of(judged, system, columns)
    label = _good_label(judged, good, needed=judged.labels is not None)
    outputs = _outputs(judged, label, cluster, inclusion, systems)
    groups: list[str] = []
    if judged.results is not None:
        groups = [*judged.results.slices, *judged.results.reading.named("system")]
    prompts = [g for g in judged.votes.groupings if g.name not in groups]
    rows, warnings = _rows(outputs, columns, prompts, settings)
    changes: tuple[SliceChange, ...] = ()
    if len(outputs.systems) == 2 and judged.counted is not None:
        warnings.append(
            "no change is tested: counts do not say which outputs answer one prompt; pass the rows"
        )
    elif len(outputs.systems) == 2 and outputs.labelled.any():
        pairs = _pairs(judged, outputs)
        if len(pairs[0]):
            changes, more = _changes(outputs, columns, pairs, settings)
            warnings += more
        else:
            warnings.append("the two systems share no prompt, so no change is tested")
    elif len(outputs.systems) > 2:
        warnings.append(
            f"{how_many(len(outputs.systems), 'system')}: name the old and the new one with "
            f"{option('system')} to see which slice regressed"
        )
    held = outputs.truth[outputs.labelled]
    if len(held) and not np.ptp(held):
        absent = [repr(x) for x in outputs.votes.labels if (x == label) != bool(held[0])]
        warnings.append(
            f"people gave {' or '.join(absent) or 'another label'} to none of the "
            f"{how_many(outputs.total(outputs.labelled), 'labelled output')}: rates hold only if labels "
            "were drawn at random, not by what they are"
        )
    looked = any(name == "draw" for name, *_ in judged.votes.drawn)
    if looked or LOOKED_AT in outputs.votes.notes:
        warnings += _of_draw(rows, changes)
    result = Slices(
        status=_status(rows),
        message=_message(rows, changes, outputs, settings),
        table=rows,
        changes=changes,
        systems=outputs.systems,
        good=label,
        n_items=int(outputs.counts.sum()),
        n_labelled=outputs.total(outputs.labelled),
        target=target,
        level=level,
        warnings=tuple(dict.fromkeys(warnings)),
    )
    pooled = "" if judged.results is None or not systems[0] else judged.results.pooled
    notes = tuple(note for note in judged.votes.notes if note != pooled)
    return with_reading(result, replace(judged.votes, notes=notes))


def _columns(judged: Judged, by: Any) -> list[By]:
    """Columns of groups, by default those that have two values or more, else numbers; "all": both."""
    if judged.counted is not None:
        return columns_of_counts(judged.counted, by, _MOST_SLICES)
    both = isinstance(by, str | list) and by in ("all", ["all"])
    both = both and "all" not in sources_of(judged.results)
    if (by is None or both) and judged.results is not None:
        columns = columns_of(judged, None, "slices", _MOST_SLICES)
        grouped = [c for c in columns if c.name in judged.results.slices and len(c.values) > 1]
        system = " ".join(judged.results.reading.named("system"))
        others = [c for c in columns if c.name != system]
        if others:
            return others if both else grouped or others
    return columns_of(judged, by, "slices", _MOST_SLICES)


def _status(rows: Sequence[SliceRow]) -> Status:
    rated = any(row.rate.value is not None for row in rows)
    return Status.OK if rated and all(r.method != "certain" for r in rows) else Status.UNDETERMINED


def _message(
    rows: Sequence[SliceRow], changes: Sequence[SliceChange], outputs: _Outputs, s: _Settings
) -> str:
    n = outputs.total(outputs.labelled)
    if not n:
        return (
            "No label of a person: how often each slice passes is not known; label some outputs of each, "
            "drawn at random."
        )
    rated = [r for r in rows if r.rate.value is not None]
    picked = [r.message for r in rows if r.method == "certain"]
    few = len(rows) - len(rated) - len(picked)
    message = " ".join(["Undetermined:", *picked, ""]) if picked else ""
    message += f"{how_many(len(rows), 'slice')} by {how_many(n, 'label')}"
    message += f", {few} with too few." if few else "."
    pair = " to ".join(outputs.systems)
    fell = [f"{c.by} {c.value}" for c in changes if c.verdict == "regressed"]
    seen = [c.visible for c in changes if c.verdict == "not shown" and c.visible is not None]
    if fell:
        level = level_text(s.level)
        message += f" Regressed from {pair}, at {level} all together: {', '.join(fell)}."
    elif seen:
        ends = f"{100 * min(seen):.0f}"
        if len(seen) > 1:
            ends += f" to {100 * max(seen):.0f}"
        message += (
            f" No slice shown to have regressed from {pair}; a drop under about {ends} points could not have "
            "been seen."
        )
    return message + _lower(rated)


def _of_draw(rows: Sequence[SliceRow], changes: Sequence[SliceChange]) -> list[str]:
    """What is to be said of labels that one may have stopped at any time."""
    if any(row.method != "anytime" for row in rows if row.labelled):
        return [str(LOOKED_AT)]
    fixed = "intervals of rates hold whenever one stops labelling, those of changes for a number fixed before"
    return [fixed] if changes else []


def _lower(rated: Sequence[SliceRow]) -> str:
    """Slices of a column shown to pass less often than others, by the intervals that hold together."""
    pairs = [
        (
            low,
            [
                r
                for r in rated
                if (r.by, r.system) == (low.by, low.system) and r.together.low > low.together.high
            ],
        )
        for low in rated
    ]
    said = [
        f" {low.name} passes less often than {', '.join(r.value for r in higher)}: shown."
        for low, higher in pairs
        if higher
    ]
    return "".join(said[:3])
