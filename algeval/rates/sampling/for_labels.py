"""Items whose consensus label people would improve most."""

from __future__ import annotations

import numpy as np
from scipy.special import entr

from algeval.aggregate import aggregate
from algeval.data import Votes
from algeval.rates.sampling.drawing import Drawing, Floats, not_labelled
from algeval.rates.sampling.result import NextItems
from algeval.result import Status
from algeval.result.wording import how_many

__all__ = ["for_labels"]


def for_labels(votes: Votes, asked: Drawing) -> NextItems:
    """Pick the items whose consensus label is the most doubtful, ties in a random order."""
    gold, before = asked.labels_of(votes)
    eligible = not_labelled(votes.n_items, None if gold is None else gold.rows)
    n = asked.how_many_of(eligible)
    shuffled = np.random.default_rng(asked.random).permutation(eligible)
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
        random=asked.random,
    )


def _doubt(votes: Votes) -> Floats:
    """Return the entropy of each item's posterior."""
    fit = aggregate(votes.without_key(), "recommended")
    return np.asarray(entr(fit.posterior).sum(axis=1)[fit.item_pattern])
