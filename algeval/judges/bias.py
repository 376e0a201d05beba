"""`judge_bias`: whether a judge's verdict depends on length, system or slice, given what is true."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from math import ceil, comb, prod, sqrt
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtrc, ndtr, ndtri, stdtr, stdtrit

from algeval.data import NOT_ANSWERED, Votes
from algeval.data.names import check_number, check_whole
from algeval.data.scores import mid_ranks
from algeval.door import reads_as_named
from algeval.errors import DataError, option
from algeval.io.results import (
    Results,
    judges_of_pairs,
    numbered_systems,
    pairs_shown,
    sides_won,
    turned_rows,
)
from algeval.io.roles import Roles
from algeval.io.sources import clusters_on_items
from algeval.judges.columns import By, columns_of, read_judged, sources_of
from algeval.judges.intervals import holm, tango
from algeval.judges.unlabelled import GapLine, LengthLine, gap_lines, length_lines
from algeval.judges.wrong import Tallies
from algeval.rates.inputs import cluster_codes, pass_label, read_gold
from algeval.result import Result, Status, Table, percent
from algeval.result.numbers import did_you_mean, how_many, level_text, signed

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

_ARRANGEMENTS = 10**6  # up to so many, all of them
_DRAWS = 9_999
_LARGE = 200  # labelled items from which the normal form does
_FEWEST_CLUSTERS = 10
_MOST_VALUES = 12  # of a column of groups
_TOLERANCE = 1e-9
_POWER = float(ndtri(0.8))
_POINTS = 10.0  # an effect that a line without a finding says the labels for
_OF_LENGTH = re.compile("token|length|chars|words", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class BiasLine:
    """One judge and one column: whether the verdict depends on it, given what is true.

    Attributes
    ----------
    judge, by : str
    value : str or None
        Group that differs most from the others, of a column of groups; None of numbers.
    n : int
        Labelled items with a verdict and a value.
    points : float or None
        By how much the share of the good label (of right verdicts, with several labels) moves, in points:
        from the first to the third quartile of a column of numbers, or from the other groups to `value`.
    low, high : float or None
        Ends of its interval.
    p, p_adjusted : float or None
        Of the test, and adjusted for all lines (Holm); None where nothing can be told.
    method : str
        "exact", "permutations", "normal" or "clusters".
    message : str
    visible : float or None
        An effect of so many points would have been shown with a chance of about 80%, smaller ones hardly;
        None of more than two groups, or where nothing is tested.
    """

    judge: str
    by: str
    value: str | None
    n: int
    points: float | None
    low: float | None
    high: float | None
    p: float | None
    p_adjusted: float | None
    method: str
    message: str
    visible: float | None = None

    def labels_needed(self, points: float = 10.0) -> int | None:
        """About how many labels in all show an effect of so many points with a chance of 80%.

        Raises
        ------
        DataError
            If `points` is not above 0 and at most 100.
        """
        size = check_number("points", points, least=0, most=100, strict=True)
        return None if self.visible is None else ceil(self.n * (self.visible / size) ** 2)


@dataclass(frozen=True, slots=True)
class GroupDescription:
    """A group of outputs, without people's labels: how often judges differ, and verdicts that are wrong.

    Attributes
    ----------
    by, value : str
    n : int
    least_wrong, n_verdicts : int
        Verdicts that are wrong whatever the truth, of how many.
    shares : dict of float or None
        By judge: share of the good label among its verdicts.
    """

    by: str
    value: str
    n: int
    least_wrong: int
    n_verdicts: int
    shares: dict[str, float | None]


@dataclass(frozen=True, slots=True)
class PositionLine:
    """One judge of pairs shown in both orders: whether it prefers a side.

    Attributes
    ----------
    judge : str
    n_pairs : int
        Pairs judged in both orders.
    n_first, n_second : int
        Pairs where it took the answer shown first, or second, both times.
    share, low, high : float
        Share of choices of the answer shown first, with its interval.
    p : float
    message : str
    """

    judge: str
    n_pairs: int
    n_first: int
    n_second: int
    share: float
    low: float
    high: float
    p: float
    message: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgeBias(Result):
    """Whether verdicts depend on a column, given what is true; without labels a description of groups.

    Attributes
    ----------
    status : Status
        ok; undetermined where no line could be tested, or nobody labelled anything.
    lines : tuple of BiasLine
        A line for each judge and column, the smallest adjusted p first.
    groups : tuple of GroupDescription
        Without labels only.
    positions : tuple of PositionLine
        Of judges of pairs that were shown in both orders; these need no labels.
    gaps : tuple of GapLine
        Without labels only: two judges whose gap differs between a group and the others.
    lengths : tuple of LengthLine
        Of judges of pairs of two systems: how often one wins, and at equal length.
    good : str
        The label whose share moves; "" where right verdicts are counted.
    n_labelled : int
    level : float
    random : int
        Seed of the permutations.
    warnings : tuple of str
    """

    schema: ClassVar[str] = "algeval.judge_bias/1"

    lines: tuple[BiasLine, ...]
    groups: tuple[GroupDescription, ...]
    positions: tuple[PositionLine, ...]
    gaps: tuple[GapLine, ...] = ()
    lengths: tuple[LengthLine, ...] = ()
    good: str
    n_labelled: int
    level: float
    random: int
    warnings: tuple[str, ...] = ()

    @property
    def meaning(self) -> str:
        """What the numbers do not mean."""
        if not self.n_labelled:
            return (
                "Without labels nothing says whether a judge errs more in one group than in another: the "
                "truth may differ between groups."
            )
        return (
            "A line without a finding is not proof of none: its interval says how large an effect may be. "
            "An effect shown is one of what goes with the column, which need not be its cause."
        )

    def as_tables(self) -> tuple[Table, ...]:
        """A row a line, and a row a group."""
        groups = [
            (g.by, g.value, g.n, g.least_wrong, g.n_verdicts, *g.shares.values())
            for g in self.groups
        ]
        judges = [f"share of {j}" for j in (self.groups[0].shares if self.groups else ())]
        head = ("by", "value", "items", "least_wrong", "verdicts", *judges)
        return (
            Table.of_records("By column", BiasLine, self.lines),
            Table.of_rows("Groups", head, groups),
            Table.of_records("Position", PositionLine, self.positions),
            Table.of_records("Two judges by group", GapLine, self.gaps),
            Table.of_records("At equal length", LengthLine, self.lengths),
        )

    def summary(self) -> str:
        """A sentence a line; without labels a sentence a group."""
        lines = [self.message] if self.lines or not self.positions else []
        lines += [line.message for line in self.positions]
        lines += [line.message for line in self.lengths]
        lines += [line.message for line in self.lines]
        for g in self.groups:
            low = f"{1000 * g.least_wrong // max(1, g.n_verdicts) / 10:.1f}%"  # rounded down
            lines.append(
                f"{g.by} {g.value}: {how_many(g.n, 'item')}, at least {low} of the verdicts are wrong, "
                "whatever the truth."
            )
        shown = [line for line in self.gaps if line.p_adjusted <= 1 - self.level]
        lines += [line.message for line in shown or self.gaps[:1]]
        lines += [f"{warning[0].upper()}{warning[1:]}." for warning in self.warnings]
        return "\n".join([*lines, f"What this does not mean: {self.meaning}"])


# --- The test: verdicts shuffled among items of the same truth.


def shuffled_p(x: Floats, j: Floats, strata: Whole, random: int = 0) -> tuple[float, str] | None:
    """Two-sided p of a sum of products within strata, and how it was computed; None where nothing varies.

    x: (n, columns), one column for numbers and one a group; j: (n,). All arrangements of j within strata
    where they are few, the normal form from 200 rows on, permutations else.
    """
    if not (parts := _varied(x, j, strata)):
        return None
    centred = [(x[rows] - x[rows].mean(axis=0), j[rows] - j[rows].mean()) for rows in parts]
    variance = sum((a**2).sum(axis=0) * (b**2).sum() / (len(b) - 1) for a, b in centred)
    varied = variance > _TOLERANCE
    centred = [(a[:, varied], b) for a, b in centred]
    variance = variance[varied]
    sums = np.sum([a.T @ b for a, b in centred], axis=0)
    seen = float((sums**2 / variance).sum())
    binary = all(len(np.unique(b)) == 2 for _, b in centred)
    if binary and prod(comb(len(b), int((b > 0).sum())) for _, b in centred) <= _ARRANGEMENTS:
        return _exact_p(centred, variance, seen), "exact"
    if len(variance) == 1 and sum(len(b) for _, b in centred) >= _LARGE:
        return float(2 * ndtr(-sqrt(seen))), "normal"
    rng = np.random.default_rng(random)
    drawn = np.zeros((_DRAWS, len(variance)))
    in_groups = binary and bool(np.isin(x, (0, 1)).all() and (x.sum(axis=1) <= 1).all())
    for rows, (a, b) in zip(parts, centred, strict=True):
        if in_groups:  # how many of the high ones each group has
            sizes = x[rows][:, varied].sum(axis=0).astype(np.int64)
            step, high = b.max() - b.min(), int((b > 0).sum())
            draws = rng.multivariate_hypergeometric(
                [*sizes, len(rows) - sizes.sum()], high, _DRAWS, method="marginals"
            )
            drawn += step * (draws[:, :-1] - sizes * high / len(rows))
            continue
        for start in range(0, _DRAWS, 500):
            n = min(500, _DRAWS - start)
            drawn[start : start + n] += rng.permuted(np.tile(b, (n, 1)), axis=1) @ a
    larger = ((drawn**2 / variance).sum(axis=1) >= seen * (1 - _TOLERANCE)).sum()
    return float((1 + larger) / (1 + _DRAWS)), "permutations"


def _varied(x: Floats, j: Floats, strata: Whole) -> list[Whole]:
    """Rows of each stratum in which both vary."""
    parts = [np.flatnonzero(strata == s) for s in np.unique(strata)]
    return [
        rows
        for rows in parts
        if len(rows) > 1 and np.ptp(j[rows]) and np.ptp(x[rows], axis=0).any()
    ]


def _exact_p(centred: list[tuple[Floats, Floats]], variance: Floats, seen: float) -> float:
    """Share of all arrangements that are as far from 0."""
    totals = np.zeros((1, len(variance)))
    for a, b in centred:
        high = b > 0
        values = b[high][0] - b[~high][0]
        k = int(high.sum())
        rows = np.array(list(combinations(range(len(b)), k)))
        own = a[rows].sum(axis=1) * values  # the columns of a sum to 0
        totals = (totals[:, None] + own[None]).reshape(-1, len(variance))
    return float(((totals**2 / variance).sum(axis=1) >= seen * (1 - _TOLERANCE)).mean())


# --- The effect in points: least squares with robust errors.


def slope(
    x: Floats, j: Floats, strata: Whole, clusters: Whole | None, level: float
) -> tuple[float, float, float, float] | None:
    """Slope of j on x beside a constant a stratum, ends of its interval, and p; None where it has none.

    HC3 errors; of clusters CR3, each left out once.
    """
    dummies = (strata[:, None] == np.unique(strata)).astype(float)
    design = np.column_stack([dummies, x - x.mean()])
    n, k = design.shape
    if n <= k or np.linalg.matrix_rank(design) < k:
        return None
    inverse = np.linalg.inv(design.T @ design)
    beta = inverse @ design.T @ j
    residuals = j - design @ beta
    if clusters is None:
        hats = np.einsum("ij,jk,ik->i", design, inverse, design)
        if (hats > 1 - _TOLERANCE).any():
            return None
        scores = design * (residuals / (1 - hats))[:, None]
        variance = (inverse @ scores.T @ scores @ inverse)[-1, -1]
        freedom = n - k
    else:
        without = _without_each(design, j, clusters)
        if without is None:
            return None
        n_groups = len(without)
        freedom = n_groups - 1
        variance = freedom / n_groups * float(((without - beta[-1]) ** 2).sum())
    error = sqrt(max(float(variance), 0.0))
    half = -float(stdtrit(freedom, (1 - level) / 2)) * error
    value = float(beta[-1])
    p = float(2 * stdtr(freedom, -abs(value) / error)) if error else float(value == 0)
    return value, value - half, value + half, p


def _without_each(design: Floats, j: Floats, clusters: Whole) -> Floats | None:
    """Last coefficient without each cluster in turn, by normal equations; None where one settles it alone."""
    _, group = np.unique(clusters, return_inverse=True)
    n_groups, k = int(group.max()) + 1, design.shape[1]
    own = np.zeros((n_groups, k, k))
    np.add.at(own, group, design[:, :, None] * design[:, None, :])
    right = np.zeros((n_groups, k))
    np.add.at(right, group, design * j[:, None])
    left = design.T @ design - own
    size = np.sqrt(np.maximum(np.einsum("gii->gi", left), np.finfo(float).tiny))
    scaled = left / (size[:, :, None] * size[:, None, :])  # 1 on the diagonal
    if (np.linalg.eigvalsh(scaled)[:, 0] < 1e-10).any() or (
        np.einsum("gii->gi", left) < _TOLERANCE
    ).any():
        return None
    rest = (design.T @ j - right) / size
    solved = np.linalg.solve(scaled, rest[:, :, None])[:, :, 0]
    return np.asarray(solved[:, -1] / size[:, -1], float)


def midranks(x: Floats) -> Floats:
    """Ranks from 1, of equal values their mean, as shares of how many there are."""
    return mid_ranks(x) / len(x)


# --- One line.


@dataclass(frozen=True, slots=True)
class _Labelled:
    """Labelled items: verdicts, truth, clusters, and what is counted of a verdict."""

    votes: Votes
    rows: Whole
    truth: Whole
    clusters: Whole | None
    good: int  # -1: right verdicts are counted


def _line(labelled: _Labelled, judge: int, by: By, level: float, random: int) -> BiasLine:
    votes, rows = labelled.votes, labelled.rows
    codes = votes.codes[rows, judge]
    kept = (codes != NOT_ANSWERED) & by.there[rows]
    name = votes.judges[judge]
    truth, codes, rows = labelled.truth[kept], codes[kept], rows[kept]
    j = (codes == (truth if labelled.good < 0 else labelled.good)).astype(float)
    empty = BiasLine(name, by.name, None, len(rows), None, None, None, None, None, "", "")
    clusters = None if labelled.clusters is None else labelled.clusters[kept]
    if by.numbers is not None:
        x = midranks(by.numbers[rows])[:, None] if len(rows) else np.zeros((0, 1))
        step = float(np.subtract(*np.quantile(x, [0.75, 0.25]))) if len(rows) else 0.0
        value = None
    else:
        assert by.groups is not None
        own = by.groups[rows]
        x = (own[:, None] == np.arange(len(by.values))).astype(float)
        x, step, value = x[:, np.ptp(x, axis=0) > 0] if len(rows) else x, 1.0, None
    if not len(rows) or not x.shape[1] or not np.ptp(x, axis=0).any():
        return replace(empty, message=f"{name}, {by.name}: the same on all labelled items.")
    tested: tuple[float, str] | None = (1.0, "clusters") if _varied(x, j, truth) else None
    if clusters is None:
        tested = shuffled_p(x[:, :1] if x.shape[1] == 2 else x, j, truth, random)
    if tested is None:
        return replace(
            empty,
            message=f"{name}, {by.name}: its verdicts do not vary within a truth class here.",
        )
    p, method = tested
    column = x[:, 0]
    if by.name == "family" and by.values == ("others", "its own family"):
        column, value = (by.groups[rows] == 1).astype(float), by.values[1]  # type: ignore[index]
    elif by.numbers is None:
        column, value = _farthest(by, rows, j, truth)
    fitted = slope(column, j, truth, clusters, level)
    if clusters is not None:
        if fitted is None:
            return replace(empty, message=f"{name}, {by.name}: one cluster decides; not told.")
        p, method = fitted[3], "clusters"
        p = min(1.0, p * x.shape[1]) if x.shape[1] > 2 else p  # the farthest of so many groups
    points = (None, None, None) if fitted is None else tuple(100 * step * v for v in fitted[:3])
    error = None  # of the points; judge_bias makes of it what could have been seen
    if fitted is not None and x.shape[1] <= 2 and step:
        k = len(np.unique(truth)) + 1
        freedom = len(rows) - k if clusters is None else len(np.unique(clusters)) - 1
        error = 100 * step * (fitted[2] - fitted[0]) / float(stdtrit(freedom, (1 + level) / 2))
    return replace(
        empty,
        value=value,
        points=points[0],
        low=points[1],
        high=points[2],
        p=p,
        method=method,
        visible=error or None,
    )


def _farthest(by: By, rows: Whole, j: Floats, truth: Whole) -> tuple[Floats, str]:
    """The group whose verdicts differ most from the others' of the same truth, as a column of 0 and 1."""
    assert by.groups is not None
    best, column, value = -1.0, np.zeros(len(rows)), ""
    for k, text in enumerate(by.values):
        x = (by.groups[rows] == k).astype(float)
        top = bottom = 0.0
        for t in np.unique(truth):
            part = truth == t
            a, b = x[part] - x[part].mean(), j[part] - j[part].mean()
            top += float(a @ b)
            bottom += float((a**2).sum() * (b**2).sum()) / max(1, part.sum() - 1)
        size = abs(top) / sqrt(bottom) if bottom > _TOLERANCE else 0.0
        if size > best + _TOLERANCE:
            best, column, value = size, x, text
    return column, value


def _worded(line: BiasLine, good: str, level: float) -> str:
    """One line as a sentence."""
    if line.p is None or line.p_adjusted is None:
        return line.message
    what = f"gives {good!r}" if good else "is right"
    if line.points is None or line.low is None or line.high is None:
        size = "size not known"
    else:
        size = f"{signed(line.points)} points ({signed(line.low)} to {signed(line.high)})"
    on = (
        f"from the first to the third quarter of {line.by}"
        if line.value is None
        else f"on {line.by} {line.value!r} against the others"
    )
    p = f"p {line.p:.2g}, adjusted {line.p_adjusted:.2g}"
    if line.p_adjusted <= 1 - level:
        return f"{line.judge} {what} more or less often {on} at the same truth: {size}; {p}: shown."
    bound = ""
    if line.low is not None and line.high is not None:
        bound = f"; moves it by at most {max(abs(line.low), abs(line.high)):.0f} points"
    if (needed := line.labels_needed(_POINTS) or 0) > line.n:
        bound += f"; an effect of {_POINTS:.0f} takes about {needed:,} labels to be seen"
    return f"{line.judge}, {line.by}: {size} {on}; {p}: not shown{bound}."


# --- Groups without labels.


def _described(votes: Votes, by: By, good: str) -> Iterator[GroupDescription]:
    groups, values = by.in_groups()
    code = votes.labels.index(good) if good else 0
    for k, value in enumerate(values):
        codes = votes.codes[groups == k]
        if not len(codes):
            continue
        tallies = Tallies.of(codes, votes.n_labels)
        answered = (codes != NOT_ANSWERED).sum(axis=0)
        gave = (codes == code).sum(axis=0)
        shares = {
            judge: float(gave[i] / answered[i]) if good and answered[i] else None
            for i, judge in enumerate(votes.judges)
        }
        n = tallies.n_verdicts
        yield GroupDescription(by.name, value, len(codes), n - tallies.most_right(), n, shares)


# --- Position: pairs judged in both orders.


def position_test(
    first: int, second: int, n_pairs: int, level: float = 0.95
) -> tuple[float, float, float, float]:
    """Share of first choices with its interval, and mid-p, of pairs judged in both orders.

    `first`, `second`: pairs where the judge took the one shown first, or second, both times.
    """
    n = first + second
    most = max(first, second)
    p = 1.0 if not n else min(1.0, 2 * float(bdtrc(most - 1, n, 0.5)) - comb(n, most) / 2**n)
    p = 1.0 if first == second else p
    gap = tango(first, second, n_pairs, level)
    return 0.5 + (gap.value or 0.0) / 2, 0.5 + gap.low / 2, 0.5 + gap.high / 2, p


def position_lines(results: Results | None, level: float) -> tuple[PositionLine, ...]:
    """Judges of pairs that were shown in both orders: the same two systems, exchanged, on one prompt.

    Verdicts are counted by place; a column of swapped rows says where the second system was shown first.
    """
    if results is None:
        return ()
    reading = results.reading
    if results.layout != "pairwise":
        return ()
    ids = reading.named("prompt") or list(reading.item)
    if len(reading.named("system")) != 2 or not ids:
        return ()
    pair_of, leads = _pairs_and_orders(reading, reading.columns[ids[0]].codes)
    made = []
    for judge in judges_of_pairs(results):
        won = sides_won(results, judge)
        if won is None:
            continue
        rows = np.full((int(pair_of.max(initial=-1)) + 1, 2), -1)  # of each pair, in either order
        answered = np.flatnonzero(won >= 0)
        rows[pair_of[answered], leads[answered]] = answered
        said = won[rows[(rows >= 0).all(axis=1)]]
        if len(said):
            first, second = ((said == s).all(axis=1).sum() for s in (0, 1))
            made.append(_position(judge, int(first), int(second), len(said), level))
    return tuple(made)


def _pairs_and_orders(
    reading: Roles, prompts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of each row the pair of answers that was shown, and which of its two systems was shown first."""
    a, b = numbered_systems(reading)
    texts = np.unique(pairs_shown(reading) or [""] * len(prompts), return_inverse=True)[1]
    pairs = np.stack([prompts, np.minimum(a, b), np.maximum(a, b), texts])
    other_first = ((a > b) ^ turned_rows(reading)) & (a != b)
    pair_of = np.unique(pairs, axis=1, return_inverse=True)[1].ravel()
    return pair_of, other_first.astype(np.int64)


def _position(judge: str, first: int, second: int, n: int, level: float) -> PositionLine:
    share, low, high, p = position_test(first, second, n, level)
    ends = f"{100 * low:.0f}-{100 * high:.0f}"
    verdict = "shown" if p <= 1 - level else "not shown"
    message = (
        f"{judge} took the answer shown first in both orders on {first} of {how_many(n, 'pair')}, "
        f"the one shown second on {second}: first choices {percent(share, 0)} ({ends}), p {p:.2g}: "
        f"{verdict}."
    )
    return PositionLine(judge, n, first, second, share, low, high, p, message)


# --- The function.


@reads_as_named
def judge_bias(
    data: Any,
    by: Any = None,
    *,
    human: Any = None,
    good: object = None,
    cluster: Any = None,
    level: float = 0.95,
    random: int = 0,
) -> JudgeBias:
    """Whether a judge's verdict depends on length, system, language, ..., given what people say is true.

    Verdicts are shuffled among items of the same true label, so that a column that goes with the truth is no
    finding by itself. P values are adjusted for all judges and columns of the call. Without labels nothing is
    tested: groups are described.

    Parameters
    ----------
    data : results table, path, data frame, or Votes with a key
    by : str, list of str or mapping, optional
        Columns of the table (numbers, groups, systems; "length" is that of the answer's text), by default
        or as "all" all; "family": whether a judged system is of the judge's own family; or
        {name: values by item}.
    human : str, list of str, mapping, Series or table, optional
        People's labels, as `judge_card` takes them.
    good : str, optional
        The label whose share is looked at; without one, and with several labels, right verdicts are.
    cluster : str, mapping or sequence, optional
        The prompt or source of each item, where several share one: errors are then those of clusters.
    level : float
        Of the intervals, and 1 less the share of false findings over all lines.
    random : int
        Seed of the permutations.

    Returns
    -------
    JudgeBias
        ok; undetermined where nothing could be tested.

    Raises
    ------
    DataError
        If a column is not there, holds too many groups, or there are fewer than 10 clusters.

    Notes
    -----
    Stratified permutation test of a linear statistic of midranks; Holm (1979). Effect by least squares with
    HC3 errors (MacKinnon and White 1985), of clusters by the jackknife CR3. A regression of judge less truth
    on the column is not used: it finds an effect wherever the column goes with the truth.

    Examples
    --------
    >>> votes = Votes.from_columns({"x": "ppfpfp" * 4}, key=list("pfpfpf" * 4))
    >>> found = judge_bias(votes, {"length": {str(i + 1): 10 * i for i in range(24)}})
    >>> found.lines[0].method
    'exact'
    """
    level = check_number("level", level, least=0, most=1, strict=True)
    random = check_whole("random", random, 0)
    judged = read_judged(data, human)
    votes, labels, results = judged.votes.need_judges(), judged.labels, judged.results
    if judged.counted is not None:
        raise DataError(
            "judge_bias permutes items and reads their columns; got counts; pass the rows"
        )
    positions, lengths = position_lines(results, level), length_lines(results, level)
    alone = bool(positions or lengths) and by is None and not sources_of(results)
    names = [by] if isinstance(by, str) else by
    family = isinstance(names, list) and "family" in names and "family" not in sources_of(results)
    if family:
        by = [name for name in names if name != "family"]
    columns = [] if alone or (family and not by) else columns_of(judged, by, "judge_bias")
    own: list[By | None] = _families(votes, results) if family else [None] * votes.n_judges
    label = _good(votes, good, results)
    gold = None if labels is None else read_gold(labels, votes, votes.labels[0])
    if gold is None or not len(gold):
        groups = tuple(g for column in columns for g in _described(votes, column, label))
        made = _result((), groups, label, 0, (level, random), ())
        gaps = gap_lines(votes, columns, label, level)
        return replace(made, positions=positions, lengths=lengths, gaps=gaps)
    clusters = None
    if cluster is not None:
        clusters = cluster_codes(clusters_on_items(cluster, judged.where, votes), votes.items)
        clusters = clusters[gold.rows]
        if len(np.unique(clusters)) < _FEWEST_CLUSTERS:
            raise DataError(
                f"labelled items must lie in at least {_FEWEST_CLUSTERS} clusters; got "
                f"{len(np.unique(clusters))}; label items of more of them"
            )
    index = votes.labels.index(label) if label else -1
    index = index if len(votes.labels) == 2 else -1
    labelled = _Labelled(votes, gold.rows, gold.truth, clusters, index)
    lines = [
        _line(labelled, k, column, level, random)
        for column in columns
        for k in range(votes.n_judges)
    ]
    lines += [
        _line(labelled, k, column, level, random)
        for k, column in enumerate(own)
        if column is not None
    ]
    tested = [k for k, line in enumerate(lines) if line.p is not None]
    adjusted = holm([lines[k].p or 0.0 for k in tested])
    quantiles = -float(ndtri((1 - level) / 2 / max(1, len(tested)))) + _POWER
    for k, p in zip(tested, adjusted, strict=True):
        error = lines[k].visible
        visible = None if error is None else quantiles * error
        lines[k] = replace(lines[k], p_adjusted=p, visible=visible)
    shown = label if index >= 0 else ""
    lines = [replace(line, message=_worded(line, shown, level)) for line in lines]
    lines.sort(
        key=lambda line: (2.0 if line.p_adjusted is None else line.p_adjusted, line.p or 0.0)
    )
    cautions = _cautions(votes, labelled, cluster)
    made = _result(tuple(lines), (), shown, len(gold), (level, random), cautions)
    return replace(made, positions=positions, lengths=lengths)


_FAMILIES = {
    "gpt": "gpt chatgpt o davinci openai",
    "claude": "claude sonnet haiku opus anthropic",
    "gemini": "gemini gemma palm bard google",
    "llama": "llama vicuna alpaca meta",
    "mistral": "mistral mixtral ministral pixtral codestral zephyr",
    "qwen": "qwen qwq",
    "cohere": "cohere command",
    "deepseek": "deepseek",
    "grok": "grok",
    "phi": "phi",
}


def _family(name: str) -> str | None:
    """Family of the model that a judge or a system is called by; None where the name says none."""
    stems = {re.sub(r"\d.*", "", word) for word in re.split("[^a-z0-9]+", name.lower())}
    return next((f for f, words in _FAMILIES.items() if not stems.isdisjoint(words.split())), None)


def _families(votes: Votes, results: Results | None) -> list[By | None]:
    """Of each judge: whether the system whose output it judged is of its own family."""
    systems = () if results is None else results.system_of
    of_system = {name: _family(name) for name in dict.fromkeys(systems)}
    columns: list[By | None] = []
    for judge in votes.judges:
        family = _family(judge)
        own = {name for name, other in of_system.items() if other == family}
        if family is None or len(own) < 2 or len(of_system) - len(own) < 2:
            columns.append(None)
            continue
        groups = np.array([int(name in own) for name in systems], np.int64)
        columns.append(By("family", None, groups, ("others", "its own family")))
    if not any(columns):
        raise DataError(
            f"{option('by', 'family')} needs a judge, and two systems of its family and two of others, by "
            f"their names; got judges {list(votes.judges)} and systems {list(of_system)}: system and "
            "family are one and the same here; look by the systems themselves"
        )
    return columns


def _good(votes: Votes, good: object, results: Results | None) -> str:
    if good is not None:
        if str(good) not in votes.labels:
            raise DataError(
                f"{option('good')} must be one of {list(votes.labels)}; got {good!r}; "
                f"{did_you_mean(str(good), votes.labels)}"
            )
        return str(good)
    own = None if results is None else results.good
    return own if own in votes.labels else pass_label(votes.labels, votes.judges)


def _cautions(votes: Votes, labelled: _Labelled, cluster: Any) -> tuple[str, ...]:
    absent = [label for t, label in enumerate(votes.labels) if not (labelled.truth == t).any()]
    said: tuple[str, ...] = ()
    if absent:
        said = (
            f"people gave {', '.join(map(repr, absent))} to none of the labelled items: whether verdicts on "
            "such items depend on a column is not known",
        )
    groups = [
        name
        for name, codes in votes.groupings
        if _FEWEST_CLUSTERS <= len(np.unique(codes[labelled.rows])) < len(labelled.rows)
    ]
    if cluster is not None or not groups:
        return said
    return (
        *said,
        f"labelled items share values of {groups[0]!r}: if their verdicts are more alike than others', p "
        f"is too small; name it with {option('cluster')}",
    )


def _result(
    lines: tuple[BiasLine, ...],
    groups: tuple[GroupDescription, ...],
    good: str,
    n_labelled: int,
    settings: tuple[float, int],
    warnings: tuple[str, ...],
) -> JudgeBias:
    level, random = settings
    tested = [line for line in lines if line.p is not None]
    effects = [line for line in tested if (line.p_adjusted or 0.0) <= 1 - level]
    if not n_labelled:
        message = (
            "No label of a person: whether verdicts depend on a column, given the truth, is not known; label "
            "some outputs of each group."
        )
    elif not tested:
        message = f"Nothing could be tested on {how_many(n_labelled, 'labelled item')}."
    else:
        message = (
            f"{len(effects)} of {how_many(len(tested), 'line')} shown at {level_text(level)}, all together, "
            f"by {how_many(n_labelled, 'label')}."
        )
    return JudgeBias(
        status=Status.OK if tested else Status.UNDETERMINED,
        message=message,
        lines=lines,
        groups=groups,
        positions=(),
        good=good,
        n_labelled=n_labelled,
        level=level,
        random=random,
        warnings=warnings,
    )
