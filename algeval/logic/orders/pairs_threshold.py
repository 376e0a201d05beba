"""The bracket of the threshold at order 2: whole-number witnesses below, refutations above.

The relaxation's own threshold comes first, raised from point to point (Dinkelbach's rule: the next
level is the lowest accuracy of the point with the largest surplus). Just above it a relaxation
refutes; just below it whole numbers are laid out; halving among attainable fractions does the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from algeval.data import Sketch
from algeval.logic.demand import Frame
from algeval.logic.exam import Exam
from algeval.logic.orders.order1 import Decision
from algeval.logic.orders.pair_counts import pair_counts
from algeval.logic.orders.pairs import decide_pairs, pair_witness, whole_pairs
from algeval.logic.orders.rows import PairLayout, pair_shares
from algeval.logic.proof.branching import Clock
from algeval.logic.proof.certificate import Certificate, claim
from algeval.logic.proof.farey import farey_floor, next_fraction, previous_fraction
from algeval.logic.proof.shares import Ints
from algeval.logic.proof.tree import relax_shares, root_refutation

__all__ = ["PairBracket", "bracket_pairs"]

_LEVELS = 12
_SMALL = 3_000
"""Up to this many unknowns every level is decided, whether or not an exact answer was asked for."""
_PATIENCE = 15.0
"""Seconds for one look for a witness, where no time limit was given."""


@dataclass(slots=True, eq=False)
class PairBracket:
    """Between which levels the threshold of order 2 lies, with the proofs of both ends."""

    lower: Fraction
    upper: Fraction
    key: tuple[int, ...] = ()
    witness: Certificate | None = None
    refutation: Certificate | None = None

    @property
    def exact(self) -> bool:
        """Whether the ends meet."""
        return self.lower >= self.upper


def bracket_pairs(
    sketch: Sketch,
    exam: Exam,
    frame: Frame,
    order1: PairBracket,
    clock: Clock,
    *,
    exact: bool = False,
) -> PairBracket:
    """Bracket the threshold of order 2 from that of order 1, which it never exceeds.

    order1 : its upper end and the refutation above it (None where that is 1).
    exact : close the bracket, whatever it takes within the time.
    """
    return _Ascent(sketch, exam, frame, order1, clock).run(exact=exact)


class _Ascent:
    def __init__(
        self, sketch: Sketch, exam: Exam, frame: Frame, order1: PairBracket, clock: Clock
    ) -> None:
        self.sketch, self.exam, self.frame, self.clock = sketch, exam, frame, clock
        self.observed = pair_counts(sketch)
        self.ends = PairBracket(Fraction(-1), order1.upper, refutation=None)
        if order1.refutation is not None:
            self._refuted_above(order1.upper, dict(order1.refutation.evidence))

    def run(self, *, exact: bool) -> PairBracket:
        """Return the bracket; `witness` is None when time ran out before any was found."""
        layout = self.layout(Fraction(0))
        self._attain(layout, Fraction(0))
        top = self._relaxed_threshold()
        self._refute_above(top)
        self._attain_below(top)
        if exact or layout.shares.n_columns <= _SMALL:
            self._halve(self.ends.lower, self.ends.upper)
        return self.ends

    def layout(self, x: Fraction) -> PairLayout:
        """Return the program of a level."""
        spec = self.frame.specification(x, strict=False)
        return pair_shares(self.sketch, self.exam, spec, self.observed)

    def patience(self) -> Clock:
        """Return the time for one look: a third of what is left."""
        left = self.clock.left
        return Clock(_PATIENCE if left is None else left / 3)

    def _refuted_above(self, upper: Fraction, evidence: dict[str, object]) -> None:
        spec = self.frame.specification(upper, strict=True)
        stated = claim(self.exam.digest, 2, self.exam.rule, spec, possible=False)
        self.ends.upper, self.ends.refutation = upper, Certificate(stated, evidence)

    def _attain(self, layout: PairLayout, x: Fraction) -> bool:
        """Look for whole numbers that reach x; keep the level they really reach."""
        relaxed = relax_shares(layout.shares, layout.shares.root(), self.clock)
        if relaxed is None or relaxed.amount > 1e-9:
            return False
        found = whole_pairs(layout, relaxed.shares, self.patience())
        if found is None:
            return False
        self._offer(layout, found)
        return self.ends.lower >= x

    def _offer(self, layout: PairLayout, shares: Ints) -> None:
        level = self._lowest(layout, shares)
        level = Fraction(1) if level is None else min(level, self.ends.upper)
        if level > self.ends.lower:
            spec = self.frame.specification(level, strict=False)
            self.ends.lower, self.ends.key = level, tuple(shares[0].tolist())
            self.ends.witness = pair_witness(self.exam, spec, layout.evidence(self.exam, shares))

    def _lowest(self, layout: PairLayout, shares: Ints) -> Fraction | None:
        """Return the lowest accuracy of whole-number shares; None where nothing is to be met."""
        levels = []
        for i in range(self.exam.n_judges):
            for t in range(self.exam.n_labels):
                right = int(shares[layout.single[i, t], t])
                held = int(self._held(layout, shares, i)[t])
                if held:
                    levels.append(Fraction(right, held))
        return min(levels, default=None)

    def _held(self, layout: PairLayout, shares: Ints, i: int) -> Ints:
        if not self.exam.excused[i]:
            key: Ints = shares[0]
            return key
        own = [layout.single[i, a] for a in range(len(self.exam.answers))]
        total: Ints = shares[own].sum(0)
        return total

    def _relaxed_threshold(self) -> float:
        """Return the highest level the relaxation allows, or a little less."""
        x = max(self.ends.lower, Fraction(0))
        best = float(x)
        for _ in range(_LEVELS):
            layout = self.layout(x)
            root, all_items = layout.shares.root(), float(self.exam.n_items)
            relaxed = relax_shares(layout.shares, root, self.clock, surplus=all_items)
            if relaxed is None or relaxed.amount > 0:
                break
            level = self._lowest_real(layout, relaxed.shares)
            if level <= best + 1e-9:
                break
            best = level
            x = min(Fraction(level).limit_denominator(10**6), self.ends.upper)
            if x >= self.ends.upper:
                break
        return best

    def _lowest_real(self, layout: PairLayout, shares: Ints) -> float:
        levels = [1.0]
        for i in range(self.exam.n_judges):
            held = self._held(layout, shares, i)
            for t in range(self.exam.n_labels):
                if held[t] > 1e-6:
                    levels.append(float(shares[layout.single[i, t], t] / held[t]))
        return min(levels)

    def _refute_above(self, top: float) -> None:
        """Refute a level just above the relaxation's threshold, coarser until one is."""
        items = self.exam.n_items
        for more in (0.0, 1e-9, 1e-7, 1e-5, 1e-3, 1e-2):
            x = next_fraction(farey_floor(Fraction(top + more), items), items)
            if x > self.ends.upper or self.clock.over:
                return
            evidence, _ = root_refutation(self.layout(x).shares, self.clock)
            if evidence is not None:
                self._refuted_above(previous_fraction(x, items), evidence)
                return

    def _attain_below(self, top: float) -> None:
        """Look for whole numbers at the upper end, then lower and lower."""
        items = self.exam.n_items
        for steps in (0, 1, 4, 16, 64, 256):
            x = (
                farey_floor(min(self.ends.upper, Fraction(top)), items)
                if steps
                else self.ends.upper
            )
            x = farey_floor(x - Fraction(steps, 4 * items), items)
            if x <= self.ends.lower or self.clock.over:
                return
            if self._attain(self.layout(x), x):
                return

    def _halve(self, floor: Fraction, ceiling: Fraction) -> None:
        """Decide level after level among the attainable fractions; undecided ones are left below."""
        items, undecided = self.exam.n_items, 0
        x = next_fraction(max(floor, Fraction(0)), items)
        while undecided < 3 and not self.clock.over:
            floor, ceiling = max(floor, self.ends.lower), min(ceiling, self.ends.upper)
            if floor >= ceiling:
                return
            if not floor < x <= ceiling:
                middle = farey_floor((floor + ceiling) / 2, items)
                x = middle if middle > floor else next_fraction(floor, items)
            if not self._learn(x, self._decide(x)):
                floor, undecided = x, undecided + 1

    def _decide(self, x: Fraction) -> Decision:
        spec = self.frame.specification(x, strict=False)
        share = self.patience()
        return decide_pairs(self.sketch, self.exam, spec, share, observed=self.observed)

    def _learn(self, x: Fraction, found: Decision) -> bool:
        if found.certificate is None:
            return False
        evidence = dict(found.certificate.evidence)
        if not found.possible:
            self._refuted_above(previous_fraction(x, self.exam.n_items), evidence)
            return True
        layout = self.layout(x)
        self._offer(layout, layout.read(evidence))
        return True
