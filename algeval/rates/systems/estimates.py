"""The two estimates of a difference, from labels alone and with the judges, by how labels were drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.rates.inputs.pairs import UNJUDGED, Pairs, Places
from algeval.rates.intervals.paired import Difference, paired_strata
from algeval.rates.intervals.paired_regression import Labelled, paired_regression
from algeval.rates.policy import FEWEST_GOLD

__all__ = ["Design", "labels_alone", "with_judges"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """Labelled differences and how their items were drawn.

    Attributes
    ----------
    labelled : Labelled
        On open items: those on which the two systems can differ.
    open_items : (n_items,) bool array
    clusters : (n_items,) int array or None
    target : "items" or "population"
    level : float
    random : int
        Seed of posterior draws.
    """

    labelled: Labelled
    open_items: NDArray[np.bool_]
    clusters: Places | None
    target: str
    level: float
    random: int

    @property
    def _whole(self) -> bool:
        """Whether no difference is graded."""
        return bool(np.isin(self.labelled.values, (-1, 0, 1)).all())

    def strata_hold(self, codes: Places) -> bool:
        """Whether labels of one stratum were drawn with one chance, item by item, and are not graded."""
        if self.clusters is not None or not self._whole:
            return False
        chances, strata = self.labelled.chances, codes[self.labelled.rows]
        return all(np.ptp(chances[strata == code]) < 1e-9 for code in np.unique(strata))

    def by_strata(self, codes: Places) -> Difference:
        """Return the difference from labels in strata numbered from 0."""
        n_strata = int(codes.max()) + 1
        counts = np.zeros((n_strata, 3), np.int64)
        outcome = self.labelled.values.astype(np.int64) + 1
        np.add.at(counts, (codes[self.labelled.rows], outcome), 1)
        sizes = np.bincount(codes[self.open_items], minlength=n_strata)
        return paired_strata(
            counts, sizes, same=int((~self.open_items).sum()), **self._settings, random=self.random
        )

    def by_regression(self, judged: Floats) -> Difference:
        """Return the difference by regression on what the judges say."""
        return paired_regression(
            self.labelled,
            judged,
            open_items=self.open_items,
            clusters=self.clusters,
            **self._settings,
        )

    @property
    def _settings(self) -> dict[str, Any]:
        return {"target": self.target, "level": self.level}


def labels_alone(design: Design) -> Difference:
    """Return what the labels say without the judges."""
    one = np.zeros(len(design.open_items), np.int64)
    if design.strata_hold(one):
        return design.by_strata(one)
    return design.by_regression(one.astype(np.float64))


def with_judges(design: Design, pairs: Pairs, method: str) -> tuple[Difference, str, Floats]:
    """Return the difference that labels and judges give, how, and the judges' differences used.

    method : "auto", "strata" of the verdicts' difference, or "ppi" on the shares'.
    """
    verdicts = pairs.verdicts.astype(np.int64)
    codes = np.where(verdicts == UNJUDGED, 3, verdicts + 1)
    plain = np.where(verdicts == UNJUDGED, 0, verdicts).astype(np.float64)
    if len(design.labelled.values) < FEWEST_GOLD:
        return labels_alone(design), "labels alone", plain
    if method != "ppi" and (method == "strata" or design.strata_hold(codes)):
        return design.by_strata(codes), "strata of the verdicts", plain
    judged = pairs.shares if method == "ppi" else plain
    how = "shares" if method == "ppi" else "verdicts"
    return design.by_regression(judged), f"regression on the {how}", judged
