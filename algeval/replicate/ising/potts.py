"""Several labels: Potts laws, as Ising laws of indicators in which each judge gives one answer."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from algeval.models.binary import Floats, patterns
from algeval.models.ising import Ising
from algeval.replicate.ising.laws import random_classes

__all__ = ["potts_log_odds_are_quadratic"]

_JUDGES = 3
_PAIRS = np.arange(2 * _JUDGES).reshape(_JUDGES, 2)
"""Judge j answers a (both indicators 0), b (the first is 1) or c (the second)."""


def _answers() -> NDArray[np.int8]:
    rows = patterns(2 * _JUDGES)
    one_each = (rows[:, _PAIRS].sum(axis=2) <= 1).all(axis=1)
    kept: NDArray[np.int8] = rows[one_each]
    return kept


def _log_law(law: Ising, rows: NDArray[np.int8]) -> Floats:
    logs = law.log_probability(rows)
    kept: Floats = logs - np.log(np.exp(logs).sum())
    return kept


def _highest_term(values: Floats, rows: NDArray[np.int8], n_judges: int) -> float:
    """Return the largest residual when values are fitted by products of so many judges' indicators."""
    J = rows.astype(float)
    columns = [np.ones(len(J)), *J.T]
    if n_judges == 2:
        columns += [J[:, i] * J[:, j] for i in range(6) for j in range(i) if i // 2 != j // 2]
    design = np.stack(columns, axis=1)
    fitted = design @ np.linalg.lstsq(design, values, rcond=None)[0]
    return float(np.abs(values - fitted).max())


def potts_log_odds_are_quadratic() -> tuple[str, bool]:
    """See, for three answers, that log-odds are quadratic in indicators, linear if couplings are shared."""
    rows = _answers()
    left = {}
    for shared in (True, False):
        _, no, yes = random_classes(2 * _JUDGES, 1, shared=shared)
        laws = [_log_law(law, rows) for law in (no, yes)]
        odds = laws[1] - laws[0]
        left[shared] = [_highest_term(odds, rows, n) < 1e-9 for n in (1, 2)]
    told = (
        f"log-odds on {len(rows)} answer patterns of 3 judges: linear in indicators with shared couplings, "
        "quadratic with couplings per class"
    )
    return told, left == {True: [True, True], False: [False, True]}
