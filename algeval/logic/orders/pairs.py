"""Order 2: settle a specification from how often each two judges gave each pair of answers.

What order 1 refutes is refuted here as well, so its certificates stand. Otherwise one relaxation
refutes, whole numbers are laid out on the answer key, and a tree closes what is left between.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from algeval.data import Sketch, Specification
from algeval.logic.exam import Exam
from algeval.logic.orders.order1 import Decision, decide
from algeval.logic.orders.pair_counts import Pairs
from algeval.logic.orders.rows import PairLayout, pair_shares
from algeval.logic.proof.branching import Clock
from algeval.logic.proof.certificate import Certificate, claim
from algeval.logic.proof.shares import Ints
from algeval.logic.proof.tree import branch_shares, find_shares, root_refutation

__all__ = ["at_order", "decide_pairs", "pair_witness", "whole_pairs"]

_MOST_NODES = 2_000
_SMALL = 400
"""Below this many unknowns all are asked to be whole numbers at once."""


def decide_pairs(
    sketch: Sketch,
    exam: Exam,
    spec: Specification,
    clock: Clock,
    *,
    most: int = _MOST_NODES,
    observed: Pairs | None = None,
) -> Decision:
    """Settle at order 2 whether all judges can meet the conditions together.

    most : how many nodes a tree may have.
    observed : the counts of pairs, where they are known already.
    """
    first = decide(exam, spec, clock)
    if first.certificate is not None and not first.possible:
        return at_order(first, exam, spec, 2)
    layout = pair_shares(sketch, exam, spec, observed)
    evidence, relaxed = root_refutation(layout.shares, clock)
    if evidence is None and relaxed is not None:
        found = whole_pairs(layout, relaxed.shares, clock)
        if found is None and not clock.over:
            settled = branch_shares(layout.shares, clock, most=most)
            found, evidence = settled.shares, settled.evidence
        if found is not None:
            return Decision(True, pair_witness(exam, spec, layout.evidence(exam, found)))
    if evidence is None:
        return Decision()
    stated = claim(exam.digest, 2, exam.rule, spec, possible=False)
    return Decision(False, Certificate(stated, evidence), tuple(range(exam.n_judges)))


def at_order(decision: Decision, exam: Exam, spec: Specification, order: int | str) -> Decision:
    """Return a refutation of order 1 as one of another order, where its evidence is valid too."""
    if decision.certificate is None:
        return decision
    stated = claim(exam.digest, order, exam.rule, spec, possible=False)
    return replace(decision, certificate=Certificate(stated, decision.certificate.evidence))


def pair_witness(
    exam: Exam,
    spec: Specification,
    evidence: dict[str, Any],
    *,
    judges: tuple[str, ...] | None = None,
) -> Certificate:
    """Return the certificate of a solution of order 2."""
    if judges is not None:
        evidence = evidence | {"judges": list(judges)}
    return Certificate(claim(exam.digest, 2, exam.rule, spec, possible=True), evidence)


def whole_pairs(layout: PairLayout, relaxed: Ints, clock: Clock) -> Ints | None:
    """Return whole-number shares, checked, or None.

    Whole tables of single judges come first: with them given, two labels have whole pair tables
    wherever they have real ones, and more labels nearly always.
    """
    shares = layout.shares
    rounded = np.rint(relaxed).astype(np.int64)
    if shares.satisfied(rounded):
        return rounded
    if shares.n_columns > _SMALL:
        whole = np.arange(len(shares.totals)) < shares.n_first
        found, finished = find_shares(shares, clock, whole=whole)
        if found is None:
            return None if finished else _all_whole(layout, clock)
        if shares.satisfied(found):
            return found
        fixed = np.where(whole[:, None], found, -1)
        found, _ = find_shares(shares, clock, fixed=fixed)
        if found is not None and shares.satisfied(found):
            return found
    return _all_whole(layout, clock)


def _all_whole(layout: PairLayout, clock: Clock) -> Ints | None:
    found, _ = find_shares(layout.shares, clock)
    return found if found is not None and layout.shares.satisfied(found) else None
