"""Which items to label next."""

from __future__ import annotations

import csv
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import entr, expit, log_expit, logit

from algeval.aggregate import aggregate
from algeval.data import Votes
from algeval.data.names import check_choice, check_whole
from algeval.errors import DataError, option, parameter
from algeval.io.journal import EVEN
from algeval.io.sources import Source, clusters_on_items, read_labelled, reads_as_named
from algeval.progress import until
from algeval.rates.inputs import (
    UNJUDGED,
    UNKNOWN,
    Floats,
    Gold,
    Ints,
    Pairs,
    Panel,
    Waves,
    as_votes,
    cluster_codes,
    either_setting,
    inclusion_of,
    join_gold,
    join_systems,
    panel_of,
    read_both,
    read_gold,
    same_outputs,
)
from algeval.rates.intervals import bands, drawn_balance, picked_labels
from algeval.rates.policy import (
    UNBALANCED,
    UNCERTAIN_GAIN,
    UNCERTAIN_GOLD,
    UNCERTAIN_MIX,
    UNCERTAIN_RIDGE,
)
from algeval.result import Result, Status, Table, percent
from algeval.result.base import with_reading
from algeval.result.files import whole_file
from algeval.result.numbers import how_many

# --- What is to be labelled next, and with what chance it was drawn.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NextItems(Result):
    """Items to label next.

    Attributes
    ----------
    status : Status
        Always ok: a plan that would not pay is replaced by an even one, and the message says so.
    items : tuple of str
        In the order of the votes; by goal "labels" the most doubtful first.
    inclusion : tuple of float or None
        The chance with which each was drawn, in this wave or in earlier even ones that it goes on; None
        by goal "labels", whose items are picked, not drawn.
    before : dict of str to tuple of str
        Items labelled before and their labels.
    before_inclusion : tuple of float
        By goal "difference", the joint chance of each of these: 1 where it counts for its item alone.
    waves : dict of str to tuple
        By goal "rate", of each item labelled before or drawn now: its wave, the strategy of that wave, and
        its chance.
    goal : "rate", "difference" or "labels"
    strategy : str
        What was done: "spread", "uncertain", "differing", or "doubt" by goal "labels".
    drawn : str or None
        What `rate` or `versus` is to be told of how labels were drawn; None by goal "labels".
    n_items : int
    n_eligible : int
        Items that could be drawn.
    share_differing : float or None
        By goal "difference": share of items whose outputs, or else verdicts, differ.
    predicted_gain : float or None
        Share of the variance that chances by the judges' doubt would save; None where not asked for.
    random : int
        Seed of the draw.
    """

    schema: ClassVar[str] = "algeval.next-items/1"
    meaning: ClassVar[str] = (
        "Keep the chances beside the labels: without them no unbiased estimate can be made of these items."
    )

    items: tuple[str, ...]
    inclusion: tuple[float, ...] | None
    before: dict[str, tuple[str, ...]]
    before_inclusion: tuple[float, ...] = ()
    waves: dict[str, tuple[int, str, float]] = field(default_factory=dict)
    goal: str
    strategy: str
    drawn: str | None
    n_items: int
    n_eligible: int
    share_differing: float | None
    predicted_gain: float | None
    random: int

    @property
    def chances(self) -> dict[str, float]:
        """The joint chance of each item drawn or labelled before: the `inclusion` of estimates.

        Where a wave looked at labels, it is one over the weight that averages the waves, at most 1.
        """
        if self.waves:
            numbers, hows, columns = zip(*self.waves.values(), strict=True)
            weights, _ = Waves(np.array(numbers), hows).weights(np.array(columns), self.n_items)
            joint = np.minimum(1 / np.maximum(weights, 1.0), 1.0)
            return dict(zip(self.waves, joint.tolist(), strict=True))
        drawn = zip(self.items, self.inclusion or (), strict=False)
        return self._earlier | dict(drawn)

    @property
    def _earlier(self) -> dict[str, float]:
        """The chances of items labelled before; 1 where none was kept."""
        if not self.before_inclusion:
            return dict.fromkeys(self.before, 1.0)
        return dict(zip(self.before, self.before_inclusion, strict=True))

    @property
    def ledger(self) -> list[dict[str, Any]]:
        """The rows of the file that `write` makes: every label so far, and an empty one per item drawn."""
        names, rows = self._sheet()
        return [dict(zip(names, row, strict=True)) for row in rows]

    def as_tables(self) -> tuple[Table, ...]:
        """Row per item: the columns of the file that `write` makes."""
        names, rows = self._sheet()
        return (Table.of_rows("Label next", names, rows),)

    def _sheet(self) -> tuple[list[str], list[list[Any]]]:
        truths = ["truth_a", "truth_b"] if self.goal == "difference" else ["truth"]
        if self.inclusion is None:
            return ["item", *truths], [[item, ""] for item in self.items]
        if self.waves:
            lines = [
                (item, *wave, *self.before.get(item, ("",))) for item, wave in self.waves.items()
            ]
            return ["item", "wave", "strategy", "inclusion", "truth"], [list(row) for row in lines]
        earlier = self._earlier
        rows: list[list[Any]] = [
            [item, earlier[item], *lines] for item, lines in self.before.items()
        ]
        empty = [""] * len(truths)
        pairs = zip(self.items, self.inclusion, strict=True)
        return ["item", "inclusion", *truths], rows + [[i, chance, *empty] for i, chance in pairs]

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write a CSV file to fill in: item, inclusion, and an empty column for the labels.

        Items labelled before come first, with their labels; by goal "rate" with wave and strategy too.
        Filled in, it is what `rate` and `versus` take as `human`, and the next `next`.
        """
        names, rows = self._sheet()
        with whole_file(path) as beside, beside.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows([names, *rows])

    def summary(self) -> str:
        """Message, the items with their chances, and what to keep."""
        shown = list(self.items[:_SHOWN])
        if self.inclusion is not None:
            shown = [f"{i}  {p:.4g}" for i, p in zip(shown, self.inclusion, strict=False)]
        more = len(self.items) - _SHOWN
        rest = [f"  ... and {how_many(more, 'item')} more"] if more > 0 else []
        meaning = [] if self.inclusion is None else [self.meaning]
        return "\n".join([self.message, *(f"  {line}" for line in shown), *rest, *meaning])


_SHOWN = 20
"""Items listed in a summary."""


# --- Draws of so many items with chances that are known: fixed size, systematic, in a random order.
#
# Source: Madow (1949). Chances add up to the number drawn; an item is drawn where their running sum passes
# one of equally spaced marks with a random start.


DesignPlaces = Ints


def chances_for(weights: Floats, n: int) -> Floats:
    """Chances of inclusion in proportion to positive weights, at most 1 each, that add up to n.

    What is capped at 1 is redistributed over the others.
    """
    chances: Floats = np.minimum(n * weights / weights.sum(), 1.0)
    while (free := chances < 1).any() and n - chances.sum() > 1e-9:
        left = n - (len(chances) - free.sum())
        chances[free] = np.minimum(left * weights[free] / weights[free].sum(), 1.0)
    return chances


def systematic(chances: Floats, order: DesignPlaces, rng: np.random.Generator) -> DesignPlaces:
    """Places drawn, increasing; each is drawn with its chance, and all chances add up to n.

    `chances`: (n_items,); `order`: (n_items,), neighbours in it are seldom drawn together.
    """
    n = round(float(chances.sum()))
    edges = np.concatenate([[0.0], np.cumsum(chances[order])])
    edges *= n / edges[-1]  # so that rounding neither adds nor drops an item
    marks = np.arange(n) + rng.random()
    drawn = np.searchsorted(edges, marks, side="right") - 1
    return np.sort(order[np.minimum(drawn, len(order) - 1)])


def spread_order(
    strata: DesignPlaces, clusters: DesignPlaces | None, rng: np.random.Generator
) -> DesignPlaces:
    """Order by strata, random inside; items of a cluster stand together in its mean stratum.

    Systematic draws along it give each stratum its share of the labels, and clusters no second label before
    nearly all have one.
    """
    shuffle = rng.permutation(len(strata))
    if clusters is None:
        return np.lexsort((shuffle, strata))
    sizes = np.maximum(np.bincount(clusters), 1)
    middle = np.bincount(clusters, strata) / sizes
    order = rng.permutation(len(sizes))
    return np.lexsort((shuffle, order[clusters], middle[clusters]))


# --- Chances that follow the judges' doubt, once labels have said what the doubt is worth.
#
# Uncalibrated, the judges' own doubt is the wrong guide: many of their errors lie where they agree, and
# labels there would be rare and weigh much.


def calibrated(shares: Floats, answered: Ints, rows: Ints, y: Floats) -> Floats:
    """Each item's chance to have the label: a logistic curve of the logit of the share.

    `shares`: (n_items,), NaN where nobody judged, which counts as one half; `answered`: (n_items,), how
    many judges each share is of; half a vote is added on both sides; `rows, y`: (n,), labelled items and
    their labels, 0 or 1.
    """
    from scipy.optimize import minimize

    passes = np.nan_to_num(shares * answered, nan=0.0)
    x = logit((passes + 0.5) / (answered + 1))
    sign = 2 * y - 1

    def loss(c: Floats) -> tuple[float, Floats]:
        z = sign * (c[0] + c[1] * x[rows])
        pull = -sign * expit(-z)
        value = -log_expit(z).sum() + UNCERTAIN_RIDGE / 2 * float(c @ c)
        return value, np.array([pull.sum(), pull @ x[rows]]) + UNCERTAIN_RIDGE * c

    slope = minimize(loss, np.zeros(2), jac=True, method="BFGS").x
    return np.asarray(expit(slope[0] + slope[1] * x))


def doubt_chances(p: Floats, n: int) -> Floats:
    """Chances half even, half in proportion to sqrt(p (1 - p)), that add up to n."""
    doubt = np.sqrt(p * (1 - p))
    return chances_for(UNCERTAIN_MIX / len(p) + (1 - UNCERTAIN_MIX) * doubt / doubt.sum(), n)


def gain_of(p: Floats, chances: Floats) -> float:
    """By how much the chances lower the variance that even ones would have, from 0 to 1."""
    variance = p * (1 - p)
    even = float(variance.sum()) * (len(p) / chances.sum() - 1)
    if even <= 0:
        return 0.0
    return float(1 - (variance * (1 / chances - 1)).sum() / even)


# --- What every goal is asked, and what is drawn of the items that have no label yet.


Before = dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drawing:
    """What every goal is asked: how many items, what is labelled, what belongs together."""

    n: int
    gold: Any
    cluster: Any
    label: object
    random: int

    def labels_of(self, votes: Votes) -> tuple[Gold | None, Before]:
        """Labels there are, and the same by item."""
        if self.gold is None:
            return None, {}
        gold = read_gold(self.gold, votes, self.label)
        truths = zip(gold.rows.tolist(), gold.truth.tolist(), strict=True)
        return gold, {votes.items[row]: (votes.labels[code],) for row, code in truths}

    def clusters_of(self, items: tuple[str, ...], rows: Ints) -> Ints | None:
        """Clusters of some of the items, numbered from 0 without gaps."""
        if self.cluster is None:
            return None
        codes = cluster_codes(self.cluster, items)[rows]
        return np.unique(codes, return_inverse=True)[1].astype(np.int64)

    def draw(
        self,
        items: Sequence[str],
        eligible: Ints,
        chances: Floats,
        spread: tuple[Ints, Ints | None],
        **fields: Any,
    ) -> NextItems:
        """What is drawn of the eligible items, with these chances.

        `spread`: the strata and the clusters of the eligible items; `fields`: further fields of the result.
        """
        rng = np.random.default_rng(self.random)
        drawn = systematic(chances, spread_order(*spread, rng), rng)
        return NextItems(
            status=Status.OK,
            items=tuple(items[row] for row in eligible[drawn].tolist()),
            inclusion=tuple(chances[drawn].tolist()),
            n_items=len(items),
            n_eligible=len(eligible),
            random=self.random,
            **fields,
        )

    def how_many_of(self, eligible: Ints) -> int:
        """How many are drawn of those left."""
        if not len(eligible):
            raise DataError(
                f"{parameter('items')} must be left to label; got none; every one that counts is labelled"
            )
        return min(self.n, len(eligible))


def not_labelled(n_items: int, labelled: Ints | None) -> Ints:
    """Places that are not labelled."""
    left = np.ones(n_items, bool)
    left[[] if labelled is None else labelled] = False
    return np.flatnonzero(left)


# --- Items to tell two systems apart by: where outputs differ, or more often where verdicts do.


def for_difference(
    votes: tuple[Votes, Votes], outputs: tuple[Any, Any], drawing: Drawing
) -> NextItems:
    """Draw items among those whose outputs differ, or else of all, differing verdicts more often."""
    pairs = join_systems(*votes, drawing.label)
    same = same_outputs(pairs, *outputs)
    apart = pairs.verdicts != 0 if same is None else ~same
    rows, own, before = _labelled(pairs, votes, drawing, apart, same)
    eligible = not_labelled(pairs.n_items, rows)
    if same is not None:
        eligible = eligible[~same[eligible]]
    n = drawing.how_many_of(eligible)
    share = float(apart.mean())
    message = _message(n, len(eligible), share, in_clusters=same is not None)
    drawn = drawing.draw(
        pairs.items,
        eligible,
        _chances(apart[eligible], n),
        _spread(pairs, votes[0], drawing, eligible),
        message=message + _of_earlier(own),
        before=before,
        goal="difference",
        strategy="differing",
        drawn="differing" if same is not None and not own.any() else "unequal",
        share_differing=share,
        predicted_gain=None,
    )
    return _jointly(drawn, pairs, apart, (rows, own)) if before else drawn


def _jointly(
    drawn: NextItems,
    pairs: Pairs,
    apart: NDArray[np.bool_],
    earlier: tuple[Ints, NDArray[np.bool_]],
) -> NextItems:
    """What is drawn with the joint chance of all labels.

    No wave looks at labels, and each is even among items that are apart and among the others. So all its
    labels are one random draw of either kind, and their chance is the share of the kind that is labelled.
    Labels that count for their own items alone have a chance of 1, and leave the others.
    """
    rows, own = earlier
    row_of = {item: row for row, item in enumerate(pairs.items)}
    every = np.concatenate([rows, [row_of[item] for item in drawn.items]]).astype(np.int64)
    alone = np.concatenate([own, np.zeros(len(drawn.items), bool)])
    kinds = apart.astype(np.int64)
    sizes = np.bincount(kinds, minlength=2) - np.bincount(kinds[every[alone]], minlength=2)
    counts = np.bincount(kinds[every[~alone]], minlength=2)
    chances = np.where(alone, 1.0, (counts / np.maximum(sizes, 1))[kinds[every]]).tolist()
    return replace(
        drawn,
        before_inclusion=tuple(chances[: len(rows)]),
        inclusion=tuple(chances[len(rows) :]),
    )


def _labelled(
    pairs: Pairs,
    votes: tuple[Votes, Votes],
    drawing: Drawing,
    apart: NDArray[np.bool_],
    same: NDArray[np.bool_] | None,
) -> tuple[Ints, NDArray[np.bool_], Before]:
    """Items labelled for both, whether each counts for itself alone, and their labels."""
    if drawing.gold is None:
        return np.empty(0, np.int64), np.empty(0, bool), {}
    golds = read_both(drawing.gold, votes, drawing.label)
    labels = join_gold(pairs, *golds)
    rows = labels.rows
    chances = inclusion_of(None, golds, pairs, labels)
    if chances is None:
        can_differ = np.ones(pairs.n_items, bool) if same is None else ~same
        own = np.full(len(rows), bool(picked_labels(pairs, rows, can_differ, None)))
    else:
        own = _own_alone(chances, apart, rows)
    return rows, own, _both_labels(pairs, votes, golds, rows)


def _own_alone(chances: Floats, apart: NDArray[np.bool_], rows: Ints) -> NDArray[np.bool_]:
    """Which labels count for their own items alone: those of chance 1, or all if a kind's vary."""
    own = np.zeros(len(rows), bool)
    for kind in (False, True):
        of_kind = apart[rows] == kind
        certain = of_kind & (chances == 1)
        if certain.sum() < (apart == kind).sum():
            own |= certain
        drawn = chances[of_kind & ~own]
        if len(drawn) and np.ptp(drawn) > 1e-6:
            return np.ones(len(rows), bool)
    return own


_NO_DRAW = "how they were drawn is not known, they look picked, or the table has grown since they were drawn"


def _of_earlier(own: NDArray[np.bool_]) -> str:
    sentence = ""
    if (~own).any():
        sentence += f" {how_many(int((~own).sum()), 'earlier label')} count in full."
    if own.any():
        n = how_many(int(own.sum()), "earlier label")
        sentence += f" {n} count for their own items alone: {_NO_DRAW}."
    return sentence


def _chances(apart: NDArray[np.bool_], n: int) -> Floats:
    """Even chances, half of which go to where the two are apart if that is only some."""
    even = np.full(len(apart), 1 / len(apart))
    if apart.all() or not apart.any():
        return n * even
    return chances_for(UNCERTAIN_MIX * even + (1 - UNCERTAIN_MIX) * apart / apart.sum(), n)


def _spread(
    pairs: Pairs, votes_a: Votes, drawing: Drawing, eligible: Ints
) -> tuple[Ints, Ints | None]:
    """Strata and the clusters of eligible items."""
    verdicts = pairs.verdicts[eligible].astype(np.int64)
    strata = np.where(verdicts == UNJUDGED, 3, verdicts + 1)
    return strata, drawing.clusters_of(votes_a.items, pairs.rows_a[eligible])


def _both_labels(
    pairs: Pairs, votes: tuple[Votes, Votes], golds: tuple[Gold, Gold], rows: Ints
) -> Before:
    parts = []
    for system, gold in zip(votes, golds, strict=True):
        pairs_of = zip(gold.rows.tolist(), gold.truth.tolist(), strict=True)
        parts.append({system.items[row]: system.labels[code] for row, code in pairs_of})
    items = [pairs.items[row] for row in rows.tolist()]
    return {item: (parts[0][item], parts[1][item]) for item in items}


def _message(n: int, n_eligible: int, share: float, *, in_clusters: bool) -> str:
    if in_clusters:
        return (
            f"{how_many(n, 'item')} of {n_eligible} whose outputs differ ({percent(share)} of all): there "
            f"alone the systems can differ; pass the outputs and {option('drawn', 'differing')} to "
            "versus."
        )
    kept, rest = percent(UNCERTAIN_MIX, 0), percent(1 - UNCERTAIN_MIX, 0)
    return (
        f"{how_many(n, 'item')} of {n_eligible}: {rest} of the chance where the verdicts differ "
        f"({percent(share)} of the items), {kept} spread over all, since judges may err alike on both."
    )


# --- Items to estimate the rate of a label from.


def for_rate(votes: Votes, drawing: Drawing, *, uncertain: bool) -> NextItems:
    """Draw items evenly, or by calibrated doubt where that pays."""
    panel = panel_of(votes, drawing.label)
    gold, before = drawing.labels_of(votes)
    waves = None if gold is None else waves_of(gold, panel)
    eligible = not_labelled(votes.n_items, None if gold is None else gold.rows)
    n = drawing.how_many_of(eligible)
    chances, gain = np.full(len(eligible), n / len(eligible)), None
    if uncertain:
        doubtful, gain = _by_doubt(panel, gold, eligible, n)
        chances = doubtful if gain >= UNCERTAIN_GAIN else chances
    clusters = drawing.clusters_of(votes.items, eligible)
    even = bool(np.ptp(chances) < 1e-12)
    strategy = "spread" if even else "uncertain"
    drawn = drawing.draw(
        votes.items,
        eligible,
        chances,
        (bands(panel.share[eligible]), clusters),
        message=_message_of_for_rate(n, len(eligible), even, gain, clusters)
        + _for_rate_of_earlier(waves),
        before=before,
        goal="rate",
        strategy=strategy,
        drawn="unequal",
        share_differing=None,
        predicted_gain=gain,
    )
    return _with_ledger(drawn, gold, waves)


def waves_of(gold: Gold, panel: Panel) -> Waves:
    """Waves of labels; of labels that tell none, a guess that costs no validity.

    A plain table is one random draw, as `rate` takes it too, unless the judges' votes on it say otherwise.
    A table of chances alone is one draw, but for what has a chance of 1.
    """
    n, chances = len(gold), gold.inclusion
    if gold.waves is not None:
        return gold.waves
    if chances is None or np.ptp(chances) == 0:
        picked = abs(drawn_balance(panel.share, gold.rows)) > UNBALANCED
        return Waves(np.ones(n, np.int64), (UNKNOWN if picked else "random",) * n)
    certain = chances == 1
    number = np.where(certain, 1, 2) if certain.any() else np.ones(n, np.int64)
    return Waves(
        number, tuple(UNKNOWN if certain_item else "unequal" for certain_item in certain.tolist())
    )


def _with_ledger(drawn: NextItems, gold: Gold | None, waves: Waves | None) -> NextItems:
    """What is drawn with the waves of all labels; even waves in a row have one joint chance."""
    items, hows, numbers = list(drawn.before), [], []
    chances = np.full(len(items), 1.0)
    if gold is not None and waves is not None:
        hows, numbers = list(waves.strategy), waves.number.tolist()
        chances = chances if gold.inclusion is None else gold.inclusion.copy()
    number = max(numbers, default=0) + 1
    every = Waves(
        np.array([*numbers, *[number] * len(drawn.items)], np.int64),
        (*hows, *[drawn.strategy] * len(drawn.items)),
    )
    chances = np.concatenate([chances, drawn.inclusion or ()])
    left = drawn.n_items
    for rows, how in every.blocks():
        if how == "random":
            chances[rows] = len(rows) / left
        left -= len(rows)
    items += drawn.items
    columns = zip(items, every.number.tolist(), every.strategy, chances.tolist(), strict=True)
    return replace(
        drawn,
        inclusion=tuple(chances[len(drawn.before) :].tolist()),
        waves={item: (wave, how, chance) for item, wave, how, chance in columns},
        drawn="random" if len(every.blocks()) == 1 and drawn.strategy in EVEN else "unequal",
    )


def _for_rate_of_earlier(waves: Waves | None) -> str:
    if waves is None:
        return ""
    n = sum(how == UNKNOWN for how in waves.strategy)
    if n:
        return f" {how_many(n, 'earlier label')} count for their own items alone: {_NO_DRAW}."
    return (
        f" {how_many(len(waves.strategy), 'earlier label')} keep their chances and count in full."
    )


def _by_doubt(panel: Panel, gold: Gold | None, eligible: Ints, n: int) -> tuple[Floats, float]:
    """Chances by calibrated doubt and the share of the variance they save."""
    p = _calibrated(panel, gold)[eligible]
    chances = doubt_chances(p, n)
    return chances, gain_of(p, chances)


def _calibrated(panel: Panel, gold: Gold | None) -> Floats:
    n = 0 if gold is None else len(gold)
    if gold is None or n < UNCERTAIN_GOLD:
        raise DataError(
            f"{option('strategy', 'uncertain')} needs at least {UNCERTAIN_GOLD} labels to "
            "calibrate the judges' doubt; "
            f"got {n}; take {option('strategy', 'spread')} first, and pass its labels as {option('human')}"
        )
    return calibrated(panel.share, panel.answered, gold.rows, gold.values)


def _message_of_for_rate(
    n: int, n_eligible: int, even: bool, gain: float | None, clusters: Ints | None
) -> str:
    over = "the bands of the judges' shares"
    if clusters is not None:
        over = f"{how_many(int(clusters.max()) + 1, 'cluster')} and {over}"
    sentence = f"{how_many(n, 'item')} of {n_eligible}, spread over {over}"
    if gain is None:
        return f"{sentence}; each had the same chance."
    saved = (
        f"chances by calibrated doubt would save about {percent(max(gain, 0), 0)} of the variance"
    )
    if even:
        return f"{sentence}; {saved}, too little to be worth it, so each had the same chance."
    kept = percent(UNCERTAIN_MIX, 0)
    mixed = percent(1 - UNCERTAIN_MIX, 0)
    return f"{sentence}; {saved}, so they were taken for {mixed}, even ones for {kept}."


# --- Items whose consensus label people would improve most.


def for_labels(votes: Votes, drawing: Drawing) -> NextItems:
    """Pick the items whose consensus label is the most doubtful, ties in a random order."""
    gold, before = drawing.labels_of(votes)
    eligible = not_labelled(votes.n_items, None if gold is None else gold.rows)
    n = drawing.how_many_of(eligible)
    shuffled = np.random.default_rng(drawing.random).permutation(eligible)
    picked = shuffled[np.argsort(-_doubt(votes)[shuffled], kind="stable")[:n]]
    return NextItems(
        status=Status.OK,
        message=(
            f"The {how_many(n, 'item')} of {len(eligible)} whose consensus label is the most doubtful. They "
            "were picked, not drawn: no interval of a rate may be made of their labels."
        ),
        items=tuple(votes.items[row] for row in picked.tolist()),
        inclusion=None,
        before=before,
        goal="labels",
        strategy="doubt",
        drawn=None,
        n_items=votes.n_items,
        n_eligible=len(eligible),
        share_differing=None,
        predicted_gain=None,
        random=drawing.random,
    )


def _doubt(votes: Votes) -> Floats:
    """Entropy of each item's posterior."""
    with until(inf):
        fit = aggregate(votes.without_key(), "recommended")
    return np.asarray(entr(fit.posterior).sum(axis=1)[fit.item_pattern])


# --- Which items to label next, drawn so that what is estimated from them stays unbiased.


GOALS = ("rate", "difference", "labels")
STRATEGIES = ("spread", "uncertain")


@reads_as_named
def next(
    votes: Source,
    n: int = 50,
    human: Any = None,
    cluster: Any = None,
    goal: str = "rate",
    other: Source | None = None,
    *,
    good: object = None,
    outputs: Any = None,
    other_outputs: Any = None,
    strategy: str = "spread",
    random: int = 0,
    label: object = None,
    gold: Any = None,
) -> NextItems:
    """Items that people should label next, drawn at random, with the chance that each had.

    Labels are spread: every band of the judges' shares gets its part of them, and every cluster one before
    any gets two, as far as that goes. Following the judges' doubt instead sounds better and is worse unless
    it is calibrated, since many errors of judges lie where they agree. `next_items`, the old name, is the
    same function; ``from algeval import *`` leaves `next` out, for Python has a function of that name.

    Parameters
    ----------
    votes : Votes or table
    n : int
        How many; all that are left, if fewer.
    human : name of a column, mapping, path, table, Series or "key", optional
        Items labelled before: they are not drawn again. What an earlier draw wrote, filled in, says in which
        wave and how each was drawn; other labels are taken for one random draw. By goal "difference" a table
        of both systems' labels, as `versus` takes it. Of a results table its human column is taken without
        it.
    cluster : mapping, table or sequence, optional
        Items that belong together.
    goal : "rate", "difference" or "labels"
        To estimate a rate; to compare with a second system; or to improve the consensus labels, for which
        the most doubtful items are picked and from which no interval may be made.
    other : Votes or table
        By goal "difference": the judges' votes on the second system's answers.
    good : str, optional
        The label that counts; of two labels it does not matter. By default the last of the labels.
    outputs, other_outputs : mapping, table or sequence, optional
        By goal "difference": what the systems put out. Items with the same text are left out then, as
        their difference is 0; without, they cannot be told and half of the labels are spread over all.
    strategy : "spread" or "uncertain"
        "uncertain" draws half of the labels by doubt that 50 labels or more have calibrated, if that saves
        5% of the variance or more.
    random : int
        Seed.
    label, gold : optional
        The old names of `good` and `human`, for one release.

    Returns
    -------
    NextItems

    Raises
    ------
    DataError
        If nothing is left to label, labels are too few to calibrate with, or a setting is wrong.

    Examples
    --------
    >>> from algeval.data import Votes
    >>> votes = Votes.from_columns({"a": ["pass", "fail"] * 10, "b": ["pass"] * 20})
    >>> drawn = next(votes, 4)
    >>> drawn.items, drawn.inclusion
    (('9', '14', '19', '20'), (0.2, 0.2, 0.2, 0.2))
    """
    check_choice("goal", goal, GOALS)
    check_choice("strategy", strategy, STRATEGIES)
    _check_fits(goal, other, (outputs, other_outputs), strategy)
    source = votes
    label = either_setting(label, good, "label", "good")
    votes, gold = read_labelled(votes, either_setting(gold, human, "gold", "human"))
    data = as_votes(votes)
    drawing = Drawing(
        n=check_whole("n", n),
        gold=gold,
        cluster=clusters_on_items(cluster, source, data),
        label=data.labels[-1] if label is None else label,
        random=check_whole("random", random, least=0),
    )
    if goal == "labels":
        return with_reading(for_labels(data, drawing), data)
    if goal == "rate":
        return with_reading(for_rate(data, drawing, uncertain=strategy == "uncertain"), data)
    both = data, as_votes(other, "other")
    return with_reading(for_difference(both, (outputs, other_outputs), drawing), *both)


next_items = next  # its old name


def _check_fits(goal: str, other: object, outputs: tuple[Any, Any], strategy: str) -> None:
    """Refuse settings that the goal has no use for."""
    if (other is not None) != (goal == "difference"):
        raise DataError(
            f"{parameter('other')} must hold the second system's votes where "
            f"{option('goal', 'difference')}, and be left out elsewhere; "
            f"got {option('goal', goal)} {'without' if other is None else 'with'} it; change one"
        )
    if goal != "difference" and outputs != (None, None):
        raise DataError(
            f"outputs belong to {option('goal', 'difference')}; got "
            f"{option('goal', goal)}; leave them out"
        )
    if goal != "rate" and strategy != "spread":
        raise DataError(
            f"{option('strategy', strategy)} belongs to {option('goal', 'rate')}; got "
            f"{option('goal', goal)}; leave it out"
        )
