"""Judges that copy each other: an exact test, and panels in which copies count once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from algeval.aggregate import policy
from algeval.data import NOT_ANSWERED, Sketch
from algeval.data.names import Codes
from algeval.progress import check_time
from algeval.result import percent
from algeval.result.numbers import how_many

Floats = NDArray[np.float64]


class Copy(NamedTuple):
    """Two judges who differ on too few items for two that err by themselves.

    first, second : their positions.
    n_common, n_different : items both answered, and those on which they differ.
    p_value : chance of as few differences between some pair of judges, each right with chance between 5%
        and 95% on every item, at most.
    merged : whether they count as one judge: they differ on at most 4% of what unrelated columns would.
    """

    first: int
    second: int
    n_common: int
    n_different: int
    p_value: float
    merged: bool


def copy_chance(n_common: int, n_different: int, n_judges: int) -> float:
    """Bound on the chance that some pair of independent judges differs on as few of its common items.

    If both are right with a chance from 1 - A to A on each item, A = 95%, they differ on it with a chance of
    at least 2 A (1 - A), whatever the truth; over all pairs the chances are added up (Bonferroni).
    """
    cap = policy.COPY_ACCURACY
    each = binom.cdf(n_different, n_common, 2 * cap * (1 - cap))
    return min(1.0, float(each) * n_judges * (n_judges - 1) / 2)


def copies_of(sketch: Sketch) -> tuple[Copy, ...]:
    """Pairs of judges that the exact test rejects, in the order of the panel; none in huge panels."""
    n_judges = int((sketch.missing < sketch.n_items).sum())
    work = sketch.n_judges**2 * len(sketch) * sketch.n_answers
    if n_judges < 2 or work > policy.MOST_PAIR_WORK:
        return ()
    common, same, chance = _pairs(sketch)
    copies = []
    for i, j in np.argwhere(np.triu(common >= policy.COPY_ITEMS, 1)).tolist():
        m, d = int(common[i, j]), int(common[i, j] - same[i, j])
        if d > policy.COPY_DIFFERENT * m:  # p is above one half there
            continue
        p = copy_chance(m, d, n_judges)
        if p <= policy.COPY_LEVEL:
            unrelated = m * (1 - chance[i, j])
            copies.append(Copy(i, j, m, d, p, d <= policy.COPY_SHARE * unrelated))
    return tuple(copies)


def _pairs(sketch: Sketch) -> tuple[Floats, Floats, Floats]:
    """Common items of each pair, those they agree on, and the share that unrelated columns agree on."""
    shape = sketch.n_judges, sketch.n_judges
    same, common, shares = np.zeros(shape), np.zeros(shape), []
    counts = sketch.counts.astype(float)
    for answer in range(sketch.n_answers):
        check_time()
        column = (sketch.codes == answer).astype(float)
        same += (column * counts[:, None]).T @ column
        shares.append(counts @ column)
    answered = (sketch.codes != NOT_ANSWERED).astype(float)
    common = (answered * counts[:, None]).T @ answered
    each = np.array(shares) / np.maximum(counts @ answered, 1)
    return common, same, np.asarray(each.T @ each, float)


def merged_groups(copies: tuple[Copy, ...], n_judges: int) -> tuple[tuple[int, ...], ...]:
    """Positions of judges that count as one, each group in the order of the panel."""
    group = list(range(n_judges))
    for copy in copies:
        if copy.merged:
            old, new = sorted((group[copy.first], group[copy.second]), reverse=True)
            group = [new if g == old else g for g in group]
    members: dict[int, list[int]] = {}
    for judge, first in enumerate(group):
        members.setdefault(first, []).append(judge)
    return tuple(tuple(judges) for judges in members.values() if len(judges) > 1)


def without_copies(codes: Codes, groups: tuple[tuple[int, ...], ...]) -> tuple[list[int], Codes]:
    """Judges that stay, and (rows, K) codes in which the first of a group has its copies' answers too."""
    gone = {judge for group in groups for judge in group[1:]}
    kept = [judge for judge in range(codes.shape[1]) if judge not in gone]
    if not groups:
        return kept, codes
    filled = np.array(codes)
    for first, *others in groups:
        for other in others:
            empty = filled[:, first] == NOT_ANSWERED
            filled[empty, first] = codes[empty, other]
    return kept, filled[:, kept]


def copies_notes(
    sketch: Sketch, copies: tuple[Copy, ...], groups: tuple[tuple[int, ...], ...]
) -> list[str]:
    """Sentences on the judges merged, and on those who are nearly alike and count as they are."""
    names, notes = sketch.judges, []
    for group in groups:
        rows = [c for c in copies if c.merged and {c.first, c.second} <= set(group)]
        most = max(c.n_different for c in rows)
        differ = "never differ" if not most else f"differ on at most {how_many(most, 'item')}"
        counted = f"{', '.join(names[j] for j in group)} {differ} of {rows[0].n_common}"
        notes.append(
            f"Copies: {counted if most else counted.replace(' of ', ' on ')}; counted once."
        )
    near = [c for c in copies if not c.merged]
    for c in near[: policy.MOST_RIVALS]:
        notes.append(
            f"{names[c.first]} and {names[c.second]} differ on "
            f"{percent(c.n_different / c.n_common)} of {c.n_common}: independent judges would have to be "
            f"right on more than {percent(policy.COPY_ACCURACY, 0)}; each counts."
        )
    if len(near) > policy.MOST_RIVALS:
        notes.append(f"So do {how_many(len(near) - policy.MOST_RIVALS, 'more pair')} of judges.")
    return notes
