"""Items to tell two systems apart by: where outputs differ, or more often where verdicts do."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.data import Votes
from algeval.rates.inputs import Gold
from algeval.rates.inputs.both import read_both
from algeval.rates.inputs.pairs import UNJUDGED, Pairs, join_gold, join_systems, same_outputs
from algeval.rates.policy import UNCERTAIN_MIX
from algeval.rates.sampling.design import chances_for
from algeval.rates.sampling.drawing import Before, Drawing, Floats, Places, not_labelled
from algeval.rates.sampling.result import NextItems
from algeval.result import percent
from algeval.result.wording import how_many

__all__ = ["for_difference"]


def for_difference(
    votes: tuple[Votes, Votes], outputs: tuple[Any, Any], asked: Drawing
) -> NextItems:
    """Draw items among those whose outputs differ, or else of all, differing verdicts more often."""
    pairs = join_systems(*votes, asked.label)
    labelled, before = _labelled(pairs, votes, asked)
    same = same_outputs(pairs, *outputs)
    eligible = not_labelled(pairs.n_items, labelled)
    if same is not None:
        eligible = eligible[~same[eligible]]
    n = asked.how_many_of(eligible)
    apart = pairs.verdicts != 0 if same is None else ~same
    share = float(apart.mean())
    return asked.draw(
        pairs.items,
        eligible,
        _chances(apart[eligible], n),
        _spread(pairs, votes[0], asked, eligible),
        message=_message(n, len(eligible), share, known=same is not None),
        before=before,
        goal="difference",
        strategy="differing",
        drawn="differing" if same is not None and not before else "unequal",
        share_differing=share,
        predicted_gain=None,
    )


def _labelled(
    pairs: Pairs, votes: tuple[Votes, Votes], asked: Drawing
) -> tuple[Places | None, Before]:
    """Return the items labelled for both, and their labels."""
    if asked.gold is None:
        return None, {}
    golds = read_both(asked.gold, votes, asked.label)
    rows = join_gold(pairs, *golds).rows
    return rows, _both_labels(pairs, votes, golds, rows)


def _chances(apart: NDArray[np.bool_], n: int) -> Floats:
    """Return even chances, half of which go to where the two are apart if that is only some."""
    even = np.full(len(apart), 1 / len(apart))
    if apart.all() or not apart.any():
        return n * even
    return chances_for(UNCERTAIN_MIX * even + (1 - UNCERTAIN_MIX) * apart / apart.sum(), n)


def _spread(
    pairs: Pairs, votes_a: Votes, asked: Drawing, eligible: Places
) -> tuple[Places, Places | None]:
    """Return the strata and the clusters of eligible items."""
    verdicts = pairs.verdicts[eligible].astype(np.int64)
    strata = np.where(verdicts == UNJUDGED, 3, verdicts + 1)
    return strata, asked.clusters_of(votes_a.items, pairs.rows_a[eligible])


def _both_labels(
    pairs: Pairs, votes: tuple[Votes, Votes], golds: tuple[Gold, Gold], rows: Places
) -> Before:
    told = []
    for one, gold in zip(votes, golds, strict=True):
        pairs_of = zip(gold.rows.tolist(), gold.truth.tolist(), strict=True)
        told.append({one.items[row]: one.labels[code] for row, code in pairs_of})
    items = [pairs.items[row] for row in rows.tolist()]
    return {item: (told[0][item], told[1][item]) for item in items}


def _message(n: int, n_eligible: int, share: float, *, known: bool) -> str:
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
