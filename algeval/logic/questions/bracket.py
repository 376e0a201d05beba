"""The bracket of a threshold: whole-number witnesses below, exact refutations above, closing in.

The relaxation's own threshold comes first: by weights where an order has them, else raised from point
to point (Dinkelbach's rule: the next level is the lowest accuracy of the point with the largest
surplus). Just above it a relaxation refutes; just below it whole numbers are laid out; halving among
attainable fractions does the rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from algeval.logic.demand import Frame
from algeval.logic.orders.base import Order, decide
from algeval.logic.policy import (
    BEYOND,
    END_DENOMINATOR,
    HARDLY,
    LEVEL_SHARE,
    LEVELS_UNDECIDED,
    MET,
    NARROW,
    RAISES,
    ROUNDED_LEVELS,
    STEPS_BELOW,
)
from algeval.logic.proof.clock import Clock
from algeval.logic.proof.farey import farey_floor, next_fraction, previous_fraction
from algeval.logic.proof.outcome import Evidence, Outcome
from algeval.logic.proof.shares import Ints, Shares
from algeval.logic.proof.tree import relax, root_refutation

__all__ = ["Bracket"]


class Bracket:
    """Between which levels the threshold lies, while it closes in.

    Attributes
    ----------
    lower, shares : Fraction, (P, R) ints or None
        A level that is attained (-1 while none is known), and the shares that attain it.
    upper, refutation : Fraction, evidence or None
        Nothing is above `upper`; the evidence proves it, None where that is 1.
    relaxation : Fraction or None
        The best bound by weights, before it is lowered to an attainable fraction.
    settled : bool
        Whether closing, if it was asked for, came to an end.
    """

    def __init__(self, order: Order, frame: Frame, clock: Clock) -> None:
        self.order, self.frame, self.clock = order, frame, clock
        self.lower, self.upper = Fraction(-1), Fraction(1)
        self.shares: Ints | None = None
        self.refutation: Evidence | None = None
        self.relaxation: Fraction | None = None
        self.settled = True

    @property
    def items(self) -> int:
        """Number of items, Q: no accuracy has a larger denominator."""
        return self.order.exam.n_items

    @property
    def closed(self) -> bool:
        """Whether the ends meet."""
        return self.lower >= self.upper

    @property
    def narrow(self) -> bool:
        """Whether the ends of an order with large programs are so near that none is worth its time.

        An accuracy cannot be had much closer than one item of a label of average size, of the judge
        who is held to the fewest items.
        """
        exam = self.order.exam
        held = min(filter(None, map(exam.held, range(exam.n_judges))), default=self.items)
        least = max(NARROW, Fraction(exam.n_labels, held))
        return self.order.many and self.upper - self.lower < least

    def run(self, upper: Fraction, refutation: Evidence | None) -> None:
        """Close in cheaply from a bound of order 1, whose refutation (or None) holds here too."""
        if refutation is not None:
            self.upper, self.refutation = upper, refutation
        self._start()
        top = None if self.closed else self._bound()
        if self.closed or self.narrow:
            return
        if top is None or self.frame.bounded:
            top = self._relaxed_threshold()
            self._refute_above(top)
        elif upper < self.upper:
            self._refute(next_fraction(upper, self.items))
        self._attain(top)
        if not self.closed and not self.clock.over:
            self._refute(next_fraction(max(self.lower, Fraction(0)), self.items))

    def close(self, clock: Clock, *, exact: bool) -> None:
        """Search on for the threshold itself within the clock, to the end where it is to be `exact`."""
        if self.closed or not (exact or self.order.closes_always):
            return
        self.clock = clock
        self._halve(self.lower, self.upper)
        if exact and not self.closed:
            self.settled = False
            self._halve(self.lower, (self.lower + self.upper) / 2)

    # what is known

    def offer(self, shares: Ints) -> bool:
        """Keep whole-number shares that hang together, if they attain more than what is known."""
        level = self.lowest(shares)
        level = Fraction(1) if level is None else min(level, self.upper)
        if level <= self.lower:
            return False
        self.lower, self.shares = level, shares
        return True

    def lowest(self, shares: Ints) -> Fraction | None:
        """Return the lowest accuracy at whole-number shares; None where nothing is to be met."""
        right, held = self._counts(shares)
        pairs = zip(right.tolist(), held.tolist(), strict=True)
        return min((Fraction(c, d) for c, d in pairs if d), default=None)

    def _counts(self, shares: Ints) -> tuple[Ints, Ints]:
        layout, flat = self.order.layout, shares.ravel()
        return layout.correct @ flat, layout.held @ flat

    def above(self, x: Fraction, evidence: Evidence) -> None:
        """Take over that x, and so all above it, is refuted."""
        self.upper, self.refutation = previous_fraction(x, self.items), evidence

    def program(self, x: Fraction) -> Shares:
        """Return the program of a level."""
        return self.order.program(self.frame.specification(x, strict=False))

    # the upper end

    def _bound(self) -> Fraction | None:
        found = self.order.bound(self.clock)
        if found is None:
            return None
        value, evidence, shares = found
        self.relaxation = value
        limit = min(farey_floor(value, self.items), Fraction(1))
        if limit < self.upper:
            self.upper, self.refutation = limit, evidence
        self._offer_each([] if shares is None else [shares])
        return self.upper

    def _refute(self, x: Fraction) -> bool:
        """Refute x without a tree, or take over the whole numbers near its relaxation."""
        if x > self.upper or not self.order.in_time(self.clock):
            return False
        program = self.program(x)
        evidence, relaxed = root_refutation(program, self.clock)
        if evidence is not None:
            self.above(x, evidence)
        elif relaxed is not None:
            found = self.order.whole(program, relaxed.shares, self.clock)
            self._offer_each([] if found is None else [found])
        return evidence is not None

    def _refute_above(self, top: Fraction) -> None:
        """Refute a level just above the relaxation's threshold, coarser until one is."""
        for more in BEYOND:
            x = next_fraction(farey_floor(top + Fraction(more), self.items), self.items)
            if x > self.upper or self.clock.over or self._refute(x):
                return

    def _relaxed_threshold(self) -> Fraction:
        """Return the highest level the relaxation allows, or a little less."""
        best = max(self.lower, Fraction(0))
        for _ in range(RAISES):
            if not self.order.in_time(self.clock):
                break
            program = self.program(best.limit_denominator(END_DENOMINATOR))
            relaxed = relax(program, program.root(), self.clock, surplus=float(self.items))
            if relaxed is None or relaxed.amount > 0:
                break
            right, held = self._counts(relaxed.shares)
            asked = held > HARDLY
            level = Fraction(float((right[asked] / held[asked]).min(initial=1.0)))
            if level <= best + Fraction(MET):
                break
            best = min(level, self.upper)
            if best >= self.upper:
                break
        return best

    # the lower end

    def _start(self) -> None:
        shares = self.order.start(self.frame)
        if shares is not None:
            self.offer(shares)
        else:
            self._try(Fraction(0))

    def _attain(self, top: Fraction) -> None:
        """Look for whole numbers at the upper end, then lower and lower."""
        if self.order.rounds:
            self._by_rounding()
            return
        top = farey_floor(min(self.upper, top), self.items)
        for steps in STEPS_BELOW:
            x = farey_floor(top - Fraction(steps, 4 * self.items), self.items)
            x = x if steps else self.upper
            if x <= self.lower or self.clock.over or self._try(x):
                return

    def _by_rounding(self) -> None:
        """Round at the upper end, then at levels halfway down to what is attained."""
        target = self.upper
        for _ in range(ROUNDED_LEVELS):
            if self.closed or self.clock.over:
                return
            better = self._try(target, merely_better=True)
            target = farey_floor((self.lower + (self.upper if better else target)) / 2, self.items)
            if target <= self.lower:
                return

    def _try(self, x: Fraction, *, merely_better: bool = False) -> bool:
        """Look for whole numbers that reach x; keep the level they really reach."""
        if not self.order.in_time(self.clock):
            return False
        program = self.program(max(x, Fraction(0)))
        near = program.plain() if self.order.rounds else program
        relaxed = relax(near, near.root(), self.clock)
        known = self.lower
        if self.order.rounds:
            starts = [] if relaxed is None else [relaxed.shares]
            starts += [] if self.shares is None else [self.shares]
            for start in starts:
                rounded = self.order.near(start)
                self._offer_each([rounded, self.order.repaired(program, rounded, self.clock)])
        elif relaxed is not None and relaxed.amount <= MET:
            found = self.order.whole(program, relaxed.shares, self.clock)
            if found is None:
                found, _ = self.order.solve(program, self.patience())
            self._offer_each([] if found is None else [found])
        return self.lower > known if merely_better else self.lower >= x

    def _offer_each(self, found: Iterable[Ints]) -> None:
        """Offer shares whose answer key is of the kind in question."""
        low, high = np.array(self.frame.low), np.array(self.frame.high)
        for shares in found:
            if (shares[0] >= low).all() and (shares[0] <= high).all():
                self.offer(shares)

    # what lies between

    def patience(self) -> Clock:
        """Return the time for one level: a third of what is left."""
        return self.clock.part(share=LEVEL_SHARE)

    def _halve(self, floor: Fraction, ceiling: Fraction) -> None:
        """Decide level after level among the attainable fractions; undecided ones are left below.

        Where a level stays undecided in its share of the time, the easier levels above it are
        still tried.
        """
        undecided = 0
        while undecided < LEVELS_UNDECIDED and not self.clock.over:
            floor, ceiling = max(floor, self.lower), min(ceiling, self.upper)
            if floor >= ceiling:
                return
            middle = farey_floor((floor + ceiling) / 2, self.items)
            x = middle if middle > floor else next_fraction(floor, self.items)
            if x > ceiling:
                return
            spec = self.frame.specification(max(x, Fraction(0)), strict=False)
            if not self._learn(x, decide(self.order, spec, self.patience())):
                floor, undecided = x, undecided + 1

    def _learn(self, x: Fraction, found: Outcome) -> bool:
        """Use a decision at level x; False when there was none."""
        if found.witness is not None:
            self.offer(self.order.read(found.witness))
        elif found.refutation is not None:
            self.above(x, found.refutation)
        return found.possible is not None
