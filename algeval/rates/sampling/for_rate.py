"""Items to estimate the rate of a label from."""

from __future__ import annotations

import numpy as np

from algeval.data import Votes
from algeval.errors import DataError
from algeval.rates.inputs import Gold, Panel, panel_of
from algeval.rates.policy import UNCERTAIN_GAIN, UNCERTAIN_GOLD, UNCERTAIN_MIX
from algeval.rates.sampling.design import bands
from algeval.rates.sampling.drawing import Drawing, Floats, Places, not_labelled
from algeval.rates.sampling.result import NextItems
from algeval.rates.sampling.uncertain import calibrated, doubt_chances, gain_of
from algeval.result import percent
from algeval.result.wording import how_many

__all__ = ["for_rate"]


def for_rate(votes: Votes, asked: Drawing, *, uncertain: bool) -> NextItems:
    """Draw items evenly, or by calibrated doubt where that pays."""
    panel = panel_of(votes, asked.label)
    gold, before = asked.labels_of(votes)
    eligible = not_labelled(votes.n_items, None if gold is None else gold.rows)
    n = asked.how_many_of(eligible)
    chances, gain = np.full(len(eligible), n / len(eligible)), None
    if uncertain:
        doubtful, gain = _by_doubt(panel, gold, eligible, n)
        chances = doubtful if gain >= UNCERTAIN_GAIN else chances
    clusters = asked.clusters_of(votes.items, eligible)
    even = np.ptp(chances) < 1e-12
    return asked.draw(
        votes.items,
        eligible,
        chances,
        (bands(panel.share[eligible]), clusters),
        message=_message(n, len(eligible), bool(even), gain, clusters),
        before=before,
        goal="rate",
        strategy="spread" if even else "uncertain",
        drawn="random" if even and not before else "unequal",
        share_differing=None,
        predicted_gain=gain,
    )


def _by_doubt(panel: Panel, gold: Gold | None, eligible: Places, n: int) -> tuple[Floats, float]:
    """Return the chances by calibrated doubt and the share of the variance they save."""
    p = _calibrated(panel, gold)[eligible]
    chances = doubt_chances(p, n)
    return chances, gain_of(p, chances)


def _calibrated(panel: Panel, gold: Gold | None) -> Floats:
    n = 0 if gold is None else len(gold)
    if gold is None or n < UNCERTAIN_GOLD:
        raise DataError(
            f"strategy='uncertain' needs at least {UNCERTAIN_GOLD} labels to calibrate the judges' doubt; "
            f"got {n}; take strategy='spread' first, and pass its labels as gold="
        )
    return calibrated(panel.share, panel.answered, gold.rows, gold.values)


def _message(
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
