"""Threshold and alarm from the whole sketch: kernels, arrays in and exact numbers out.

The upper end is a weight certificate (or label caps), the lower end an integer witness; an exact
threshold is a witness at L and a refutation of the next fraction that could be attained.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algeval.logic.orders.full_bracket import Bracketing, FullBracket
from algeval.logic.orders.full_decide import decide
from algeval.logic.orders.full_program import FullProgram, Ints, Levels, uniform
from algeval.logic.orders.full_tree import attaining_keys

__all__ = ["FullBracket", "FullDecision", "full_alarm", "full_keys", "full_threshold"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FullDecision:
    """Whether levels can be met: True with `cells`, False with `evidence`, None when undecided."""

    feasible: bool | None
    cells: Ints | None = None
    evidence: dict[str, Any] | None = None
    status: str = "ok"


def full_alarm(
    codes: Ints,
    counts: Ints,
    n_labels: int,
    targets: Any,
    *,
    missing: str,
    conditions: Ints | None = None,
    low: Sequence[int] | None = None,
    high: Sequence[int] | None = None,
    time_limit: float | None = None,
) -> FullDecision:
    """Decide whether some answer key lets every judge reach its targets.

    Parameters
    ----------
    codes, counts : (U, N) and (U,) int arrays
        A sketch; -1 where a judge did not answer.
    n_labels : int
        R; answers from R on are never correct.
    targets : (N, R) of Fraction or None
        C >= x D is asked of each pair, nothing where None. A strict target is to be given as the
        next fraction of denominator at most Q.
    missing : "excluded" or "wrong"
    conditions : (N, R) int array, optional
        Which condition of the specification each target comes from (evidence cites it); default 0.
    low, high : (R,) ints, optional
        Bounds on the answer key, as conditions on prevalences state them.
    time_limit : float, optional
        Seconds; None for no limit (a limit on the size of the tree remains).
    """
    program = FullProgram.build(codes, counts, n_labels, missing=missing, low=low, high=high)
    levels: Levels = [list(row) for row in targets]
    until = None if time_limit is None else time.monotonic() + time_limit
    cited = np.zeros((program.n_judges, n_labels), np.int64) if conditions is None else conditions
    found = decide(program, levels, cited, until=until)
    status = "time_limit" if found.feasible is None else "ok"
    return FullDecision(
        feasible=found.feasible, cells=found.cells, evidence=found.evidence, status=status
    )


def full_keys(
    codes: Ints,
    counts: Ints,
    n_labels: int,
    level: Fraction,
    *,
    missing: str,
    targets: Ints | None = None,
    low: Sequence[int] | None = None,
    high: Sequence[int] | None = None,
    time_limit: float | None = None,
) -> list[tuple[int, ...]] | None:
    """Return every answer key (counts by label) that lets every judge reach `level`.

    None when time ran out. `targets` (N, R) bool: of which pairs the level is asked; default all.
    `low` and `high` (R,): bounds on the answer key.
    """
    program = FullProgram.build(codes, counts, n_labels, missing=missing, low=low, high=high)
    mask = _mask(program, targets)
    until = None if time_limit is None else time.monotonic() + time_limit
    return attaining_keys(program, uniform(level, mask), np.zeros_like(mask, int), until=until)


def full_threshold(
    codes: Ints,
    counts: Ints,
    n_labels: int,
    *,
    missing: str,
    exact: bool = False,
    time_limit: float | None = None,
    order1_cap: Fraction | None = None,
    targets: Ints | None = None,
    low: Sequence[int] | None = None,
    high: Sequence[int] | None = None,
) -> FullBracket:
    """Bracket the highest accuracy that every judge can have on every label at once.

    Parameters
    ----------
    codes, counts : (U, N) and (U,) int arrays
        A sketch; -1 where a judge did not answer.
    n_labels : int
    missing : "excluded" or "wrong"
    exact : bool
        Close the bracket, by trees if need be.
    time_limit : float, optional
        Seconds; what is known by then is returned.
    order1_cap : Fraction, optional
        The threshold of order 1, which no key exceeds.
    targets : (N, R) bool array, optional
        Of which pairs (judge, label) the level is asked; default all.
    low, high : (R,) ints, optional
        Bounds on the answer key, low <= q <= high, that some key meets. Evidence then needs the
        conditions on prevalences that state them, after the one on accuracies.
    """
    program = FullProgram.build(codes, counts, n_labels, missing=missing, low=low, high=high)
    return Bracketing(program, _mask(program, targets), time_limit).run(order1_cap, exact=exact)


def _mask(program: FullProgram, targets: Ints | None) -> Ints:
    shape = (program.n_judges, program.n_labels)
    return np.ones(shape, bool) if targets is None else np.asarray(targets, bool)
