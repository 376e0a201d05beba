"""What is worth a line beside a rate: warnings that shake it, and remarks that explain it."""

from __future__ import annotations

import numpy as np

from algeval.rates.inputs import Gold, Panel
from algeval.rates.intervals.estimate import Estimate, Floats
from algeval.rates.intervals.labelled import balance, explained
from algeval.rates.policy import FEWEST_DISPUTED, UNBALANCED
from algeval.rates.rating.choosing import Drawn
from algeval.rates.rating.page import short
from algeval.result import percent
from algeval.result.wording import how_many, level_text

__all__ = ["balance_of", "gold_remarks", "missing_votes", "unjudged", "warnings_of"]


def unjudged(n: int) -> str:
    """Return the warning of items without a vote."""
    return f"nobody judged {how_many(n, 'item')} of these; they count, and may be anything"


def balance_of(panel: Panel, gold: Gold) -> float:
    """Return the balance of the labelled items in the share of votes, over items that were judged.

    Or in how far judges agree, whichever is the worse: picking what they dispute need not move the share.
    """
    judged = np.isfinite(panel.share)
    labelled = gold.rows[judged[gold.rows]]
    agreed = np.abs(panel.share - 0.5)
    looked_at = (panel.share, agreed) if len(labelled) >= FEWEST_DISPUTED else (panel.share,)
    found = [balance(x[labelled], x[judged]) for x in looked_at]
    return max(found, key=abs)


def warnings_of(drawn: Drawn, unbalanced: float | None) -> list[str]:
    """Return a sentence on each thing that shakes an interval from labels."""
    told = []
    if unbalanced is not None and abs(unbalanced) > UNBALANCED:
        told.append(
            f"the labelled items do not look drawn at random: the judges' votes on them differ from those "
            f"on all by {abs(unbalanced):.1f} standard errors (3 is rare by chance)"
        )
    told += _against_judges(drawn.gold.values, drawn.labelled)
    told += _unlabelled_verdict(drawn)
    if drawn.inclusion is not None and drawn.clusters is not None and drawn.target == "population":
        told.append("clusters are not counted as the unit where chances are unequal")
    if drawn.panel.n_unjudged:
        told.append(unjudged(drawn.panel.n_unjudged))
    return told


def _against_judges(y: Floats, f: Floats) -> list[str]:
    rho2 = explained(y, f)
    if rho2 is None or rho2 * len(y) < UNBALANCED**2 or np.corrcoef(y, f)[0, 1] > 0:
        return []
    return [
        f"the labels go against the judges (correlation -{short(rho2**0.5)}): are labels or items swapped?"
    ]


def _unlabelled_verdict(drawn: Drawn) -> list[str]:
    verdict = drawn.panel.verdict
    seen = set(verdict[drawn.gold.rows].tolist())
    names = {1: repr(drawn.panel.label), 0: f"not {drawn.panel.label!r}"}
    return [
        f"none of the {int((verdict == v).sum())} items whose verdict is {names[v]} has a label"
        for v in (1, 0)
        if v not in seen and (verdict == v).any()
    ]


def missing_votes(panel: Panel) -> list[str]:
    """Return a sentence where judges left items out."""
    of = len(panel.judges) * panel.n_items
    missing = of - int(panel.answered.sum())
    told = f"{percent(missing / of)} of the votes are missing: a verdict is of those who answered."
    return [told] if missing else []


def gold_remarks(gold: Gold, found: Estimate | None, level: float) -> list[str]:
    """Return a sentence where all labels are alike, and one where annotators differ."""
    told = [f"Labels: {note}." for note in gold.notes]
    n, passes = len(gold), gold.values.sum()
    if found is not None and passes in (0, n):
        of, end = ("failures", 1 - found.low) if passes else ("passes", found.high)
        told.append(
            f"{how_many(n, 'label')}, no {of}: at most {percent(end)} {of}, at {level_text(level)}."
        )
    if gold.agreement is not None and gold.agreement < 1:
        told.append(
            f"Two annotators of an item agree in {percent(gold.agreement, 0)}: labels that err pull a rate "
            "towards one half."
        )
    return told
