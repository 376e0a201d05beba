"""The bracket of the full-order threshold: its two ends, and how they close in.

The upper end is a weight certificate or label caps, the lower end an integer witness; halving among
attainable fractions and deciding each level closes what is left.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algeval.logic.orders.full_decide import Decided, decide, without_tree
from algeval.logic.orders.full_leaf import cap_evidence
from algeval.logic.orders.full_program import FullProgram, Ints, Levels, uniform
from algeval.logic.orders.full_relax import condition_rows, key_rows, relax
from algeval.logic.orders.full_whole import repair, round_cells
from algeval.logic.orders.weights import WeightBound, best_bound, weights_evidence
from algeval.logic.proof.farey import farey_floor, next_fraction, previous_fraction

__all__ = ["Bracketing", "FullBracket", "cap_bound"]

_MOST_UNDECIDED = 3
_MOST_HALVINGS = 20


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FullBracket:
    """Between which levels the full-order threshold lies, each end with its evidence.

    Attributes
    ----------
    lower, lower_cells : Fraction, (U, R) int array
        A level that is attained, and the labelling n(u;t) that attains it.
    upper, upper_evidence : Fraction, dict or None
        No key exceeds `upper`: evidence against "> upper", read with one condition per pair.
        None when nothing can be above (upper = 1 and nothing to check), or when the bound is the
        one of order 1 that was passed in (`upper_is_order1`), whose own certificate holds.
    exact : bool
        Whether lower is the threshold (upper = lower).
    keys : tuple of tuples
        Answer keys known to attain `lower`: the witness's own.
    relaxation : Fraction or None
        The best weight bound found, before it is lowered to an attainable fraction; None when
        weights refute nothing.
    status : "ok" or "time_limit"
        "time_limit": exact was asked for, and time or effort ran out before the ends met.
    """

    lower: Fraction
    lower_cells: Ints
    upper: Fraction
    upper_evidence: dict[str, Any] | None
    upper_is_order1: bool = False
    exact: bool
    keys: tuple[tuple[int, ...], ...]
    relaxation: Fraction | None
    status: str = "ok"


def cap_bound(program: FullProgram, mask: Ints) -> Fraction | None:
    """Return the order-1 threshold over judges held to every item (Jefferson's apportionment).

    The largest x with sum_t floor(m[t] / x) >= Q, m[t] the least count of label t among those
    judges; None when some label is capped by nobody.
    """
    asked = mask & program.always[:, None]
    if not asked.any(0).all():
        return None
    observed = program.observed()
    m = [int(observed[asked[:, t], t].min()) for t in range(program.n_labels)]
    x = Fraction(sum(m), program.n_items)
    if not x:
        return x
    k = [n * x.denominator // x.numerator for n in m]
    while sum(k) < program.n_items:
        x = max(Fraction(n, have + 1) for n, have in zip(m, k, strict=True) if n)
        k = [have + (Fraction(n, have + 1) == x) for n, have in zip(m, k, strict=True)]
    return x


class Bracketing:
    """The two ends of a bracket while they close in."""

    def __init__(self, program: FullProgram, mask: Ints, time_limit: float | None) -> None:
        self.program, self.mask = program, mask
        self.until = None if time_limit is None else time.monotonic() + time_limit
        self.conditions = np.zeros(mask.shape, np.int64)
        self.upper = Fraction(1)
        self.evidence: dict[str, Any] | None = None
        self.is_order1 = False
        self.lower = Fraction(-1)
        self.cells = np.zeros((len(program.counts), program.n_labels), np.int64)
        self.relaxation: Fraction | None = None
        self.ended = True

    def run(self, order1_cap: Fraction | None, *, exact: bool) -> FullBracket:
        """Bound from above, attain from below, close; return what is known."""
        self._offer(self._any_labelling())
        if self._vacuous():
            return self._result()
        bound = self._bound_above(order1_cap)
        self._attain(bound)
        if self.program.bounded:
            self._lower_upper_end()
        self._close_gap()
        if exact:
            self._close_exactly()
        return self._result()

    def _result(self) -> FullBracket:
        key = tuple(self.cells.sum(0).tolist())
        closed = self.lower >= self.upper
        return FullBracket(
            lower=self.lower,
            lower_cells=self.cells,
            upper=self.upper,
            upper_evidence=self.evidence,
            upper_is_order1=self.is_order1,
            exact=closed,
            keys=(key,),
            relaxation=self.relaxation,
            status="ok" if self.ended or closed else "time_limit",
        )

    def _offer(self, cells: Ints) -> bool:
        """Keep a labelling if it attains more than what is known."""
        if not self.program.key_fits(cells):
            return False
        level = self.program.lowest(cells, self.mask)
        level = Fraction(1) if level is None else level
        if level <= self.lower:
            return False
        self.lower, self.cells = level, cells
        return True

    def _any_labelling(self) -> Ints:
        """Return some labelling whose key lies within its bounds."""
        program = self.program
        key, left = list(program.low), program.n_items - sum(program.low)
        for t, most in enumerate(program.high):
            more = min(left, most - key[t])
            key[t] += more
            left -= more
        ends = np.cumsum(program.counts)
        starts, cuts = ends - program.counts, np.cumsum(key)
        cells = np.zeros_like(self.cells)
        for t, cut in enumerate(cuts):
            begin = cut - key[t]
            cells[:, t] = np.maximum(np.minimum(ends, cut) - np.maximum(starts, begin), 0)
        return cells

    def _lower_upper_end(self) -> None:
        """Bring the upper end down by halving, where bounds on the key say more than weights."""
        floor = self.lower
        for _ in range(_MOST_HALVINGS):
            x = farey_floor((floor + self.upper) / 2, self.program.n_items)
            if x <= floor or self._late():
                return
            levels = self._levels(x)
            if not self._learn(
                x, without_tree(self.program, levels, self.conditions, until=self.until)
            ):
                floor = x
            floor = max(floor, self.lower)

    def _vacuous(self) -> bool:
        """Whether some labelling leaves nothing to check: then the threshold is 1."""
        for t in range(self.program.n_labels):
            cells = np.zeros_like(self.cells)
            cells[:, t] = self.program.counts
            self._offer(cells)
        return self.program.lowest(self.cells, self.mask) is None

    def _levels(self, x: Fraction) -> Levels:
        return uniform(x, self.mask)

    def _bound_above(self, order1_cap: Fraction | None) -> WeightBound | None:
        program, items = self.program, self.program.n_items
        bound = best_bound(program, self.mask, next_fraction(Fraction(1), items), until=self.until)
        if bound is not None:
            self.relaxation = bound.value
            self.upper = min(farey_floor(bound.value, items), Fraction(1))
            self.evidence = weights_evidence(bound.weights)
        caps = cap_bound(program, self.mask)
        if caps is not None and caps < self.upper:
            following = self._levels(next_fraction(caps, items))
            evidence = cap_evidence(program, following, self.conditions)
            if evidence is not None:
                self.upper, self.evidence = caps, evidence
        if order1_cap is not None and order1_cap < self.upper:
            self._take_order1(farey_floor(order1_cap, items))
        return bound

    def _take_order1(self, cap: Fraction) -> None:
        levels = self._levels(next_fraction(cap, self.program.n_items))
        found = without_tree(self.program, levels, self.conditions, until=self.until)
        self.upper, self.evidence = cap, found.evidence
        self.is_order1 = found.evidence is None

    def _late(self) -> bool:
        return self.until is not None and time.monotonic() >= self.until

    def _attain(self, bound: WeightBound | None) -> None:
        """Round and repair at the upper end, then at levels halfway down to what is attained."""
        if bound is not None:
            self._offer(round_cells(self.program, bound.cells))
        target = self.upper
        for _ in range(8):
            if self.lower >= self.upper or self._late():
                return
            if not self._try_labelling(target):
                target = (self.lower + target) / 2
            else:
                target = (self.lower + self.upper) / 2
            target = farey_floor(target, self.program.n_items)
            if target <= self.lower:
                return

    def _try_labelling(self, x: Fraction) -> bool:
        levels = self._levels(x)
        left = None if self.until is None else self.until - time.monotonic()
        bounds = key_rows(self.program, self.program.low, self.program.high)
        rows = condition_rows(levels) + bounds
        relaxed = relax(self.program, rows, levels, time_limit=left)
        starts = [self.cells] if relaxed is None else [round_cells(self.program, relaxed.cells)]
        better = False
        for cells in (*starts, self.cells):
            better |= self._offer(cells)
            better |= self._offer(repair(self.program, cells, levels))
        return better

    def _close_gap(self) -> None:
        """Refute the next fraction above what is attained, if one relaxation can."""
        if self.lower < self.upper and not self._late():
            x = next_fraction(self.lower, self.program.n_items)
            self._learn(
                x, without_tree(self.program, self._levels(x), self.conditions, until=self.until)
            )

    def _learn(self, x: Fraction, found: Decided) -> bool:
        """Use a decision at level x; False when there was none."""
        if found.cells is not None:
            self._offer(found.cells)
        elif found.evidence is not None:
            self.upper = previous_fraction(x, self.program.n_items)
            self.evidence, self.is_order1 = found.evidence, False
        return found.feasible is not None

    def _close_exactly(self) -> None:
        """Halve the bracket among attainable fractions, each level decided one way or the other.

        Where a level stays undecided in its share of the time, the easier levels above it are
        still tried, then those below; the bracket says what remains.
        """
        self._halve(self.lower, self.upper)
        if self.lower < self.upper:
            self.ended = False
            self._halve(self.lower, (self.lower + self.upper) / 2)

    def _halve(self, floor: Fraction, ceiling: Fraction) -> None:
        items, undecided = self.program.n_items, 0
        while undecided < _MOST_UNDECIDED:
            floor, top = max(floor, self.lower), min(ceiling, self.upper)
            middle = farey_floor((floor + top) / 2, items)
            x = middle if middle > floor else next_fraction(floor, items)
            if x > top or self._late():
                return
            found = decide(self.program, self._levels(x), self.conditions, until=self._share())
            if not self._learn(x, found):
                floor, undecided = x, undecided + 1

    def _share(self) -> float | None:
        """Return the time by which one level is to be decided: a third of what is left."""
        now = time.monotonic()
        return None if self.until is None else now + (self.until - now) / 3
