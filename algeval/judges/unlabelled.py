"""What judges say without people's labels: gaps between two of them by group, wins at equal length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import exp, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtr, stdtrit

from algeval.data import NOT_ANSWERED, Votes
from algeval.io.evidence import SAID
from algeval.io.results import Results, judges_of_pairs, sides_won, turned_rows
from algeval.judges.columns import By
from algeval.judges.intervals import holm, tango
from algeval.result import percent
from algeval.result.numbers import how_many, signed

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

_FEWEST = 10  # items of a group, and of the others
_MOST_PAIRS = 45
_STEEPEST = 12.0  # of a coefficient: beyond it the two kinds are separated


# --- Two judges, a group and the others: the gap between their shares of the good label.


@dataclass(frozen=True, slots=True)
class GapLine:
    """Two judges and a group: how far the gap between their shares of good verdicts is another there.

    Attributes
    ----------
    first, second : str
        The two judges.
    by, value : str
        The column, and its group.
    inside, outside : float
        Points by which the first gives the good label more often, in the group and on the other items.
    difference, low, high : float
        Of the two, in points, with its interval.
    p, p_adjusted : float
        Of no difference, and adjusted for all lines (Holm).
    message : str
        All of it as a sentence.
    """

    first: str
    second: str
    by: str
    value: str
    inside: float
    outside: float
    difference: float
    low: float
    high: float
    p: float
    p_adjusted: float
    message: str


def gap_lines(votes: Votes, columns: Sequence[By], good: str, level: float) -> tuple[GapLine, ...]:
    """A line for each pair of judges and each group, the smallest adjusted p first."""
    if not good or votes.n_judges * (votes.n_judges - 1) // 2 > _MOST_PAIRS:
        return ()
    lines = [line for by in columns for line in _gaps(votes, by, good, level)]
    adjusted = holm([line.p for line in lines])
    worded = [
        replace(line, p_adjusted=p, message=_gap_said(line, p, good, level))
        for line, p in zip(lines, adjusted, strict=True)
    ]
    return tuple(sorted(worded, key=lambda line: (line.p_adjusted, line.p)))


def _gaps(votes: Votes, by: By, good: str, level: float) -> Iterator[GapLine]:
    groups, values = by.in_groups()
    code = votes.labels.index(good)
    for a, b in combinations(range(votes.n_judges), 2):
        both = (votes.codes[:, [a, b]] != NOT_ANSWERED).all(axis=1) & (groups >= 0)
        gave = votes.codes[:, [a, b]] == code
        only = gave[:, 0] & ~gave[:, 1], gave[:, 1] & ~gave[:, 0]
        for k, value in enumerate(values[: 1 if len(values) == 2 else None]):
            parts = [both & (groups == k), both & (groups != k)]
            counts = [(int(only[0][p].sum()), int(only[1][p].sum()), int(p.sum())) for p in parts]
            if min(n for _, _, n in counts) < _FEWEST:
                continue
            inside, outside = (tango(*c, level) for c in counts)
            own, other = inside.value or 0.0, outside.value or 0.0
            gap = own - other
            low = gap - sqrt((own - inside.low) ** 2 + (outside.high - other) ** 2)
            high = gap + sqrt((inside.high - own) ** 2 + (other - outside.low) ** 2)
            yield GapLine(
                first=votes.judges[a],
                second=votes.judges[b],
                by=by.name,
                value=value,
                inside=100 * own,
                outside=100 * other,
                difference=100 * gap,
                low=100 * low,
                high=100 * high,
                p=_gap_p(*counts),
                p_adjusted=1.0,
                message="",
            )


def _gap_p(inside: tuple[int, int, int], outside: tuple[int, int, int]) -> float:
    """Two-sided p of no difference between two gaps, one pseudo-item more on each side (Bonett and Price)."""
    centre, square = 0.0, 0.0
    for sign, (b, c, n) in ((1, inside), (-1, outside)):
        gap = (b - c) / (n + 2)
        centre += sign * gap
        square += ((b + c + 2) / (n + 2) - gap**2) / (n + 2)
    return float(2 * ndtr(-abs(centre) / sqrt(square)))


def _gap_said(line: GapLine, p: float, good: str, level: float) -> str:
    where = f"{line.by} {line.value!r}"
    said = (
        f"{line.first} gives {good!r} {_points(line.inside)} than {line.second} on {where} and "
        f"{_points(line.outside)} on the others: {signed(line.difference)} points ({signed(line.low)} to "
        f"{signed(line.high)}), adjusted p {p:.2g}"
    )
    if p > 1 - level:
        return f"{said}: no difference shown."
    return (
        f"{said}: their error rates cannot both be free of {line.by} unless the truth differs between "
        f"groups; which of the two shifts, only labels tell."
    )


def _points(points: float) -> str:
    return f"{abs(points):.0f} points {'more' if points >= 0 else 'less'} often"


# --- Pairs of two systems: how often one wins, and how often it would at equal length.


@dataclass(frozen=True, slots=True)
class LengthLine:
    """One judge of pairs of two systems: wins of the second, as they are and at equal length.

    Attributes
    ----------
    judge, system : str
        Wins of this system are counted.
    n_pairs : int
        Pairs with a winner, and a text of each.
    win_rate : float
        Share of those pairs.
    controlled, low, high : float or None
        Win rate at equal length, with its interval; None where length and winner cannot be told apart.
    message : str
        All of it as a sentence.
    """

    judge: str
    system: str
    n_pairs: int
    win_rate: float
    controlled: float | None
    low: float | None
    high: float | None
    message: str


_EQUALLY_LONG = (
    "what it would be if both answers were equally long; not which is better, as a better answer may have "
    "to be longer"
)


def length_lines(results: Results | None, level: float) -> tuple[LengthLine, ...]:
    """A line a judge of a table of pairs of two systems with a text of each answer."""
    reading = None if results is None else results.reading
    if results is None or reading is None or results.layout != "pairwise":
        return ()
    if len(results.systems) != 2 or len(reading.named("system")) != 2:
        return ()
    shown = [reading.columns[name] for name in reading.named("text")]
    texts = [column.name for column in shown if column.says(SAID) and not column.asks][:2]
    if len(texts) < 2:
        return ()
    lengths = []
    for name in texts:
        column = reading.columns[name]
        own = np.array([*map(len, column.texts), np.nan])
        lengths.append(own[column.codes])
    systems = [
        np.array([*c.texts, ""], object)[c.codes]
        for c in (reading.columns[n] for n in reading.named("system"))
    ]
    second = results.systems[1]
    sign = np.where(systems[1] == second, 1.0, -1.0)  # the second system's answer stands second
    usable = (systems[0] != systems[1]) & ~np.isnan(lengths[0] + lengths[1])
    gap = sign * (lengths[1] - lengths[0])
    prompts = reading.named("prompt")
    codes = reading.columns[prompts[0]].codes if prompts else np.arange(reading.n_rows)
    turned = turned_rows(reading)
    made = []
    for judge in judges_of_pairs(results):
        sides = sides_won(results, judge)
        if sides is None:
            continue
        flip = (sign < 0) ^ turned  # the second system's answer is shown first
        won = np.where((sides == 0) | (sides == 1), (sides == 1) ^ flip, np.nan)
        kept = usable & ~np.isnan(won)
        if kept.sum() >= _FEWEST:
            made.append(_length_line(judge, second, won[kept], gap[kept], codes[kept], level))
    return tuple(made)


def _length_line(
    judge: str, system: str, won: Floats, gap: Floats, clusters: Whole, level: float
) -> LengthLine:
    raw = float(won.mean())
    fitted = rate_at_equal_length(won, gap, clusters, level)
    said = f"{judge}: {system} wins {percent(raw, 0)} of {how_many(len(won), 'pair')} with a winner"
    if fitted is None:
        message = f"{said}; at equal length not known: length and winner go together here."
        return LengthLine(judge, system, len(won), raw, None, None, None, message)
    value, low, high = fitted
    ends = f"({100 * low:.0f}-{100 * high:.0f})"
    message = f"{said}, {percent(value, 0)} {ends} at equal length: {_EQUALLY_LONG}."
    return LengthLine(judge, system, len(won), raw, value, low, high, message)


def rate_at_equal_length(
    won: Floats, gap: Floats, clusters: Whole, level: float = 0.95
) -> tuple[float, float, float] | None:
    """Win rate where answers are equally long, with its interval; None where the fit separates.

    Logistic regression on tanh(gap / sd) (Dubois et al. 2024, without terms for items), the interval on the
    logit with the jackknife over clusters, one Newton step each.
    """
    spread = float(gap.std())
    n_groups = len(np.unique(clusters))
    if not spread or won.min() == won.max() or n_groups < _FEWEST:
        return None
    design = np.column_stack([np.ones(len(gap)), np.tanh(gap / spread)])
    beta = np.zeros(2)
    for _ in range(50):
        p = expit(design @ beta)
        information = (design * (p * (1 - p))[:, None]).T @ design
        if np.linalg.cond(information) > 1e12:
            return None
        step = np.linalg.solve(information, design.T @ (won - p))
        beta = beta + step
        if np.abs(beta).max() > _STEEPEST:
            return None
        if np.abs(step).max() < 1e-10:
            break
    else:
        return None
    p = expit(design @ beta)
    _, group = np.unique(clusters, return_inverse=True)
    score, own = np.zeros((n_groups, 2)), np.zeros((n_groups, 2, 2))
    np.add.at(score, group, design * (won - p)[:, None])
    np.add.at(own, group, design[:, :, None] * design[:, None, :] * (p * (1 - p))[:, None, None])
    moved = np.linalg.solve(information - own, score[:, :, None])[:, 0, 0]
    error = sqrt((n_groups - 1) / n_groups * float((moved**2).sum()))
    half = -float(stdtrit(n_groups - 1, (1 - level) / 2)) * error
    low, value, high = (1 / (1 + exp(-(beta[0] + shift))) for shift in (-half, 0.0, half))
    return value, low, high
