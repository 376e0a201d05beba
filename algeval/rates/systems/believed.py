"""What beliefs about the judges leave possible of a difference: the ladder's rungs of both systems."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from algeval.logic.proof.clock import Clock
from algeval.rates.ladder.beliefs import Belief, beliefs_in
from algeval.rates.ladder.exact_rungs import Proofs, contradictions, of_belief, refused
from algeval.rates.ladder.ground import Ground, ground_of
from algeval.rates.ladder.rung import Ends, brief, side_of
from algeval.rates.systems.question import Question
from algeval.rates.systems.result import Line
from algeval.result import percent

__all__ = ["belief_lines", "difference_allowed"]


def belief_lines(q: Question) -> tuple[tuple[Line, ...], Proofs]:
    """Return what follows from what is believed, or from some beliefs to look at, and the proofs.

    What is believed holds of the judges on both systems.
    """
    if q.at_least is None and not q.usual:
        return (), {}
    a, b = (list(_sides(q, ground)) for ground in _grounds(q))
    proofs = {
        f"{name}: {what}": proof
        for name, sides in zip(q.names, (a, b), strict=True)
        for side in sides
        for what, proof in side.proofs.items()
    }
    return tuple(_line(q, *both) for both in zip(a, b, strict=True)), proofs


class _Side(NamedTuple):
    """What a belief leaves possible of one system: `ends` are None where nothing is."""

    belief: Belief
    ends: Ends | None
    exact: bool
    proofs: Proofs


def _grounds(q: Question) -> tuple[Ground, ...]:
    """Return the ground of each system's ladder: the items that both answered, half the error each."""
    clock = Clock(q.time_limit)
    half = (1 + q.level) / 2
    return tuple(
        ground_of(
            votes.select(items=q.pairs.items) if len(rows) < votes.n_items else votes,
            q.pairs.panel_a.label,
            against=Fraction(1, 2),
            target=q.target,
            level=half,
            clock=clock,
        )
        for votes, rows in zip(q.votes, (q.pairs.rows_a, q.pairs.rows_b), strict=True)
    )


def _sides(q: Question, ground: Ground) -> Iterator[_Side]:
    told = contradictions(ground)
    for belief in beliefs_in(ground.exam, q.at_least, q.usual):
        if belief.asked or q.at_least is None:
            rung, proofs = of_belief(ground, belief)
            possible = not rung.exact or refused(ground, belief, told) is None
            yield _Side(belief, rung.ends if possible else None, rung.exact, proofs)


def _line(q: Question, a: _Side, b: _Side) -> Line:
    exact = a.exact and b.exact
    n_open = int(q.open_items.sum())
    most = Fraction(n_open, q.pairs.n_items) if q.target == "items" else Fraction(1)
    ends = difference_allowed(a.ends, b.ends, most)
    low, high = ends or (None, None)
    remark = "of these items alone" if exact and q.target != "items" else ""
    return Line(
        name=brief(a.belief.name),
        assumption=f"{a.belief.assumption}, for both systems",
        low=low,
        estimate=None,
        high=high,
        against="impossible" if ends is None else side_of(*ends, Fraction(0), "open"),
        breaks_at=a.belief.breaks_at + ("" if exact else f"; chance ({percent(1 - q.level, 0)})"),
        remark=remark if ends else "impossible: the votes contradict it",
    )


def difference_allowed(a: Ends | None, b: Ends | None, most: Fraction) -> Ends | None:
    """Return between what the difference of two rates lies, given what each may be.

    most : the share of the items on which the two can differ.

    Examples
    --------
    >>> a, b = (Fraction(3, 5), Fraction(4, 5)), (Fraction(0), Fraction(2, 5))
    >>> difference_allowed(a, b, Fraction(1))
    (Fraction(1, 5), Fraction(4, 5))
    """
    if a is None or b is None:
        return None
    low, high = max(a[0] - b[1], -most), min(a[1] - b[0], most)
    return (low, high) if low <= high else None
