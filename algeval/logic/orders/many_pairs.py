"""Order 2 with many judges: messages above, whole tables below, without a large program.

Floats propose both at once (`pair_interior`). Messages are rounded and checked in whole numbers; real
tables at levels a little lower are rounded judge by judge and pair by pair.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algeval.logic.orders.labelling import Levels
from algeval.logic.orders.pair_interior import Middle, pairs_at_levels, pairs_at_threshold
from algeval.logic.orders.pair_messages import Messages, refuting_messages
from algeval.logic.orders.pair_tables import PairTables
from algeval.logic.orders.whole_pairs import WholePairs, lay_out
from algeval.logic.policy import (
    BEYOND,
    END_DENOMINATOR,
    HARDLY,
    PAIR_HALVINGS,
    PAIR_STEPS_BELOW,
    PAIR_STEPS_CLOSER,
    PAIRS_APART,
)
from algeval.logic.proof.clock import Clock
from algeval.logic.proof.farey import farey_floor, next_fraction

__all__ = ["PairBound", "settle_pairs", "shared_pair_level"]


@dataclass(frozen=True, slots=True, eq=False)
class PairBound:
    """Levels (N, R) that messages refute, next above an attainable one; whole tables below, or None."""

    value: Fraction
    levels: Levels
    messages: Messages
    whole: WholePairs | None


def shared_pair_level(tables: PairTables, clock: Clock) -> PairBound | None:
    """Return the best bound on the level that all judges can share, and tables close below it.

    None where no messages refute any attainable level.
    """
    found = pairs_at_threshold(tables, clock)
    low, found = _closer(tables, found, clock)
    above = _refuted(tables, found, clock)
    if above is None:
        return None
    return PairBound(*above, _highest(tables, min(low, above[0]), clock))


def settle_pairs(
    tables: PairTables, levels: Levels, key: tuple[Any, Any], clock: Clock
) -> tuple[Messages | None, WholePairs | None]:
    """Return messages that refute levels, or whole tables that reach them within bounds on the key.

    Both are checked exactly; both None where it is too close to call, or time ran out.
    """
    busy = (tables.losses().sum(1) > 0).tolist()
    asked = np.array([[bool(x and b) for x in row] for row, b in zip(levels, busy, strict=True)])
    if not asked.any():
        return None, None
    floats = np.array([[float(x or 0) for x in row] for row in levels])
    found = pairs_at_levels(tables, floats, asked, clock)
    if found.most < 0:
        return refuting_messages(tables, found, levels, clock), None
    whole = None if clock.over or found.least < 0 else lay_out(tables, found, levels, clock)
    return None, whole if whole is not None and _reaches(tables, whole, levels, key) else None


def _alike(tables: PairTables, x: Fraction) -> Levels:
    return [[x] * tables.n_labels] * tables.n_judges


def _at(tables: PairTables, x: Fraction, clock: Clock) -> Middle:
    levels = np.full((tables.n_judges, tables.n_labels), float(x))
    return pairs_at_levels(tables, levels, np.ones(levels.shape, bool), clock)


def _reached(tables: PairTables, found: Middle) -> Fraction:
    """Return the lowest accuracy of real tables."""
    right = (tables.hits() * found.single).sum(1)
    held = (tables.losses()[:, :, None] * found.single).sum(1)
    asked = held * tables.n_items > HARDLY
    return Fraction(float((right[asked] / held[asked]).min(initial=1.0)))


def _closer(tables: PairTables, found: Middle, clock: Clock) -> tuple[Fraction, Middle]:
    """Halve what is left between the level of real tables and that above which messages refute."""
    low, high = _reached(tables, found), Fraction(float(found.levels.max()))
    apart = max(PAIRS_APART, Fraction(1, 10 * tables.fewest_held))
    for _ in range(PAIR_HALVINGS):
        if high - low < apart or clock.over:
            break
        middle = ((low + high) / 2).limit_denominator(END_DENOMINATOR)
        tried = _at(tables, middle, clock)
        if tried.most < 0:
            high, found = middle, tried
        elif tried.least >= 0:
            low = max(middle, min(_reached(tables, tried), high))
        else:
            break
    return low, found


def _refuted(
    tables: PairTables, found: Middle, clock: Clock
) -> tuple[Fraction, Levels, Messages] | None:
    """Return the highest attainable level that is not refuted, the next one, and the messages."""
    level = Fraction(float(found.levels.max()))
    for more in BEYOND:
        value = farey_floor(level + Fraction(more), tables.n_items)
        levels = _alike(tables, next_fraction(value, tables.n_items))
        messages = refuting_messages(tables, found, levels, clock)
        if messages is not None:
            return value, levels, messages
    return None


def _highest(tables: PairTables, top: Fraction, clock: Clock) -> WholePairs | None:
    """Return whole tables at a level below the top, then at higher ones while some are found."""
    unit = Fraction(tables.n_labels, 4 * tables.fewest_held)
    for steps in PAIR_STEPS_BELOW:
        best = _laid_out(tables, top - steps * unit, clock)
        if best is not None:
            break
    else:
        return None
    for halved in range(1, PAIR_STEPS_CLOSER + 1):
        better = _laid_out(tables, top - steps * unit / 2**halved, clock)
        if better is None:
            break
        best = better
    return best


def _laid_out(tables: PairTables, x: Fraction, clock: Clock) -> WholePairs | None:
    """Return whole tables at a level."""
    x = x.limit_denominator(END_DENOMINATOR)
    if x <= 0 or clock.over:
        return None
    found = _at(tables, x, clock)
    return None if clock.over else lay_out(tables, found, _alike(tables, x), clock)


def _reaches(tables: PairTables, whole: WholePairs, levels: Levels, key: tuple[Any, Any]) -> bool:
    """Whether whole tables reach all levels, at a key within bounds, exactly."""
    total, (low, high) = whole.single[0].sum(0), key
    if (total < low).any() or (total > high).any():
        return False
    right, held = (part.tolist() for part in whole.right_and_held(tables))
    return all(
        not x or c * x.denominator >= x.numerator * d
        for row in zip(levels, right, held, strict=True)
        for x, c, d in zip(*row, strict=True)
    )
