"""What is said of the things judges share: a verdict in two sentences, and what to beware of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from algeval.aggregate import policy
from algeval.aggregate.score_checks.results import (
    ONE,
    Association,
    Confounders,
    FactorCount,
    factor_name,
)
from algeval.data import Scores
from algeval.result.wording import how_many

__all__ = ["left_out_note", "repeated_note", "unread_note", "verdict", "voices_notes"]

_NUMBER = {0: "no factor", 1: "one factor", 2: "two factors", 3: "three factors"}
_FEWEST = 5  # judges: fewer correlations fit two factors in endlessly many ways


def verdict(found: Confounders) -> str:
    """Return whether judges share more than one thing, and what goes with it."""
    return f"{_how_many_things(found)} {_what_goes_with_them(found)}"


def _how_many_things(found: Confounders) -> str:
    judges = how_many(len(found.judges), "judge")
    several = [count for count in found.choice if count.k > 1]
    if not several:
        return (
            f"The {judges} are too few to tell two shared things from one ({_FEWEST} whose scores vary are "
            "needed)."
        )
    shared = found.shared
    if shared is not None:
        return (
            f"The {judges} share more than one thing: {_NUMBER[shared.k]} predict held-out scores better "
            f"than one, by {_gain(shared)}."
        )
    if several[0].gain is None:
        return (
            f"Whether the {judges} share more than one thing is open: a single cluster leaves nothing to "
            "hold out."
        )
    none = found.choice[0]
    if none.gain is not None and none.gain > -policy.BEYOND * (none.error or 0.0):
        return (
            f"Nothing shows that the {judges} share anything: without any factor held-out scores are "
            f"predicted as well as with one (by {_gain(none)})."
        )
    return (
        f"Nothing shows that the {judges} share more than one thing: {_NUMBER[2]} predict held-out scores "
        f"no better than one (by {_gain(several[0])})."
    )


def _gain(count: FactorCount) -> str:
    return f"{count.gain or 0.0:.2f} nats an item, standard error {count.error or 0.0:.2f}"


def _what_goes_with_them(found: Confounders) -> str:
    looks, end = len(found.associations), "nothing here says which is quality."
    if not looks:
        return f"No attributes were given that could say what they share; {end}"
    if not found.more_than_one:
        one = found.named(ONE)
        told = _none(found) if one is None else f"What they share goes most with {one.words()}"
        return f"{told}; nothing here says whether that is quality."
    narrow, broad = (found.named(factor_name(k)) for k in (1, 0))
    if narrow is None and broad is None:
        return f"{_none(found)}; {end}"
    return f"The narrower one goes most with {_told(narrow)}, the broader one with {_told(broad)}; {end}"


def _told(attribute: Association | None) -> str:
    return "no attribute beyond chance" if attribute is None else attribute.words()


def _none(found: Confounders) -> str:
    many = len({one.attribute for one in found.associations})
    return f"None of {how_many(many, 'attribute')} goes with what they share beyond chance"


def voices_notes(found: Confounders) -> tuple[str, ...]:
    """Return a sentence on each factor that listens to few of many judges; on two only if two are there."""
    if len(found.judges) < policy.MANY_JUDGES:
        return ()
    names = found.factors
    return tuple(
        f"The score of {name} listens to {heard:.1f} of {len(found.judges)} judges: near copies may be "
        "the factor."
        for name, heard in zip(names, found.voices.tolist(), strict=True)
        if heard < policy.FEW_VOICES and (name == ONE or found.more_than_one)
    )


def left_out_note(n_held: int, n_items: int) -> tuple[str, ...]:
    """Return a sentence where only some items were held out in turn."""
    if n_held in (0, n_items):
        return ()
    return (f"For time, {n_held} of {n_items} items, drawn at random, were held out in turn.",)


def repeated_note(data: Scores) -> tuple[str, ...]:
    """Return a sentence where many items have exactly the scores of others, though judges give many."""
    levels = [len(np.unique(column[~np.isnan(column)])) for column in data.values.T]
    rows = len(np.unique(data.values, axis=0, equal_nan=False))
    if np.median(levels) < policy.MANY_LEVELS or 2 * rows > data.n_items:
        return ()
    return (
        f"The {data.n_items} items have {rows} different rows of scores: items that belong together count "
        "as often as they are there; name them with cluster.",
    )


def unread_note(names: Sequence[str]) -> tuple[str, ...]:
    """Return a sentence on attributes that hold no numbers, or do not vary."""
    if not names:
        return ()
    return (f"Attributes without numbers that vary were not looked at: {', '.join(names)}.",)
