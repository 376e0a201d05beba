"""What is drawn for each goal: a rate, a difference of two systems, better consensus labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import entr

from algeval.aggregate import aggregate
from algeval.data import Votes
from algeval.errors import DataError
from algeval.rates.inputs import Gold, Panel, cluster_codes, panel_of, read_gold
from algeval.rates.inputs.both import read_both
from algeval.rates.inputs.pairs import (
    UNJUDGED,
    Pairs,
    join_gold,
    join_systems,
    no_labels,
    same_outputs,
)
from algeval.rates.policy import UNCERTAIN_GAIN, UNCERTAIN_GOLD, UNCERTAIN_MIX
from algeval.rates.sampling.design import bands, chances_for, spread_order, systematic
from algeval.rates.sampling.result import NextItems
from algeval.rates.sampling.uncertain import calibrated, doubt_chances, gain_of
from algeval.result import Status, percent
from algeval.result.wording import how_many

__all__ = ["Drawing", "for_difference", "for_labels", "for_rate"]

Places = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drawing:
    """What every goal is asked: how many items, what is labelled, what belongs together."""

    n: int
    gold: Any
    cluster: Any
    label: object
    random: int

    def labels_of(self, votes: Votes) -> tuple[Gold | None, dict[str, tuple[str, ...]]]:
        """Return the labels there are, and the same by item."""
        if self.gold is None:
            return None, {}
        gold = read_gold(self.gold, votes, self.label)
        truths = zip(gold.rows.tolist(), gold.truth.tolist(), strict=True)
        return gold, {votes.items[row]: (votes.labels[code],) for row, code in truths}

    def clusters_of(self, items: tuple[str, ...], rows: Places) -> Places | None:
        """Return the clusters of some of the items, numbered from 0 without gaps."""
        if self.cluster is None:
            return None
        codes = cluster_codes(self.cluster, items)[rows]
        return np.unique(codes, return_inverse=True)[1].astype(np.int64)

    def draw(self, chances: Floats, strata: Places, clusters: Places | None) -> Places:
        """Return which of the eligible items are drawn."""
        rng = np.random.default_rng(self.random)
        return systematic(chances, spread_order(strata, clusters, rng), rng)

    def how_many_of(self, eligible: Places) -> int:
        """Return how many are drawn of those left."""
        if not len(eligible):
            raise DataError(
                "items must be left to label; got none; every one that counts is labelled"
            )
        return min(self.n, len(eligible))


def _others(n_items: int, labelled: Places) -> Places:
    """Return the places that are not labelled."""
    left = np.ones(n_items, bool)
    left[labelled] = False
    return np.flatnonzero(left)


def for_rate(votes: Votes, asked: Drawing, *, uncertain: bool) -> NextItems:
    """Draw items to estimate the rate of a label from."""
    panel = panel_of(votes, asked.label)
    gold, before = asked.labels_of(votes)
    eligible = _others(votes.n_items, np.empty(0, np.int64) if gold is None else gold.rows)
    n = asked.how_many_of(eligible)
    chances, gain = np.full(len(eligible), n / len(eligible)), None
    if uncertain:
        p = _calibrated(panel, gold)[eligible]
        doubtful = doubt_chances(p, n)
        gain = gain_of(p, doubtful)
        chances = doubtful if gain >= UNCERTAIN_GAIN else chances
    clusters = asked.clusters_of(votes.items, eligible)
    drawn = asked.draw(chances, bands(panel.share[eligible]), clusters)
    even = np.ptp(chances) < 1e-12
    return NextItems(
        status=Status.OK,
        message=_rate_message(n, len(eligible), even, gain, clusters),
        items=tuple(votes.items[row] for row in eligible[drawn].tolist()),
        inclusion=tuple(chances[drawn].tolist()),
        before=before,
        goal="rate",
        strategy="spread" if even else "uncertain",
        drawn="random" if even and not before else "unequal",
        n_items=votes.n_items,
        n_eligible=len(eligible),
        share_differing=None,
        predicted_gain=gain,
        random=asked.random,
    )


def _calibrated(panel: Panel, gold: Gold | None) -> Floats:
    n = 0 if gold is None else len(gold)
    if gold is None or n < UNCERTAIN_GOLD:
        raise DataError(
            f"strategy='uncertain' needs at least {UNCERTAIN_GOLD} labels to calibrate the judges' doubt; "
            f"got {n}; take strategy='spread' first, and pass its labels as gold="
        )
    return calibrated(panel.share, panel.answered, gold.rows, gold.values)


def _rate_message(
    n: int, n_eligible: int, even: bool, gain: float | None, clusters: Places | None
) -> str:
    over = "the bands of the judges' shares"
    if clusters is not None:
        over = f"{how_many(int(clusters.max()) + 1, 'cluster')} and {over}"
    told = f"{how_many(n, 'item')} of {n_eligible}, spread over {over}"
    if gain is None:
        return f"{told}; each had the same chance."
    saved = (
        f"chances by calibrated doubt would save about {percent(max(gain, 0), 0)} of the variance"
    )
    if even:
        return f"{told}; {saved}, too little to be worth it, so each had the same chance."
    kept = percent(UNCERTAIN_MIX, 0)
    return f"{told}; {saved}, so they were taken for {percent(1 - UNCERTAIN_MIX, 0)}, even ones for {kept}."


def for_difference(
    votes: tuple[Votes, Votes], outputs: tuple[Any, Any], asked: Drawing
) -> NextItems:
    """Draw items to tell two systems apart by: where outputs differ, or more often where verdicts do."""
    pairs = join_systems(*votes, asked.label)
    labels, before = no_labels(), {}
    if asked.gold is not None:
        golds = read_both(asked.gold, votes, asked.label)
        labels = join_gold(pairs, *golds)
        before = _both_labels(pairs, votes, golds, labels.rows)
    same = same_outputs(pairs, *outputs)
    eligible = _others(pairs.n_items, labels.rows)
    if same is not None:
        eligible = eligible[~same[eligible]]
    n = asked.how_many_of(eligible)
    verdicts = pairs.verdicts
    apart = verdicts != 0 if same is None else ~same
    chances = np.full(len(eligible), n / len(eligible))
    if same is None and apart[eligible].any():
        more = apart[eligible] / apart[eligible].sum()
        chances = chances_for(UNCERTAIN_MIX / len(eligible) + (1 - UNCERTAIN_MIX) * more, n)
    strata = np.where(verdicts == UNJUDGED, 3, verdicts + 1).astype(np.int64)[eligible]
    clusters = None
    if asked.cluster is not None:
        clusters = asked.clusters_of(votes[0].items, pairs.rows_a[eligible])
    drawn = asked.draw(chances, strata, clusters)
    share = float(apart.mean())
    return NextItems(
        status=Status.OK,
        message=_difference_message(n, len(eligible), share, known=same is not None),
        items=tuple(pairs.items[row] for row in eligible[drawn].tolist()),
        inclusion=tuple(chances[drawn].tolist()),
        before=before,
        goal="difference",
        strategy="differing",
        drawn="differing" if same is not None and not before else "unequal",
        n_items=pairs.n_items,
        n_eligible=len(eligible),
        share_differing=share,
        predicted_gain=None,
        random=asked.random,
    )


def _both_labels(
    pairs: Pairs, votes: tuple[Votes, Votes], golds: tuple[Gold, Gold], rows: Places
) -> dict[str, tuple[str, ...]]:
    told = []
    for one, gold in zip(votes, golds, strict=True):
        pairs_of = zip(gold.rows.tolist(), gold.truth.tolist(), strict=True)
        told.append({one.items[row]: one.labels[code] for row, code in pairs_of})
    items = [pairs.items[row] for row in rows.tolist()]
    return {item: (told[0][item], told[1][item]) for item in items}


def _difference_message(n: int, n_eligible: int, share: float, *, known: bool) -> str:
    if known:
        return (
            f"{how_many(n, 'item')} of {n_eligible} whose outputs differ ({percent(share)} of all): there "
            "alone the systems can differ; pass the outputs and drawn='differing' to compare_systems."
        )
    kept, rest = percent(UNCERTAIN_MIX, 0), percent(1 - UNCERTAIN_MIX, 0)
    return (
        f"{how_many(n, 'item')} of {n_eligible}: {rest} of the chance where the verdicts differ "
        f"({percent(share)} of the items), {kept} spread over all, since judges may err alike on both."
    )


def for_labels(votes: Votes, asked: Drawing) -> NextItems:
    """Pick the items whose consensus label is the most doubtful."""
    gold, before = asked.labels_of(votes)
    eligible = _others(votes.n_items, np.empty(0, np.int64) if gold is None else gold.rows)
    n = asked.how_many_of(eligible)
    fit = aggregate(votes.without_key(), "recommended")
    doubt = entr(fit.posterior).sum(axis=1)[fit.item_pattern][eligible]
    shuffled = np.random.default_rng(asked.random).permutation(len(eligible))
    picked = eligible[shuffled[np.argsort(-doubt[shuffled], kind="stable")[:n]]]
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
        random=asked.random,
    )
