"""Which interval is taken, by a rule that was fixed before anyone looked, and what it gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from algeval.errors import DataError
from algeval.rates.inputs import Gold, Panel
from algeval.rates.intervals.clustered import clustered, drawn_by_cluster
from algeval.rates.intervals.estimate import Estimate, gold_only, too_few
from algeval.rates.intervals.ppi import ppi
from algeval.rates.intervals.profile import profile_interval
from algeval.rates.intervals.strata import strata_interval, strata_of
from algeval.rates.intervals.transfer import Elsewhere, transfer
from algeval.rates.intervals.weighted import weighted
from algeval.rates.policy import FEWEST_CLUSTERS, FEWEST_GRADED
from algeval.rates.rating.predictors import Predictor
from algeval.result import Status
from algeval.result.wording import how_many

__all__ = ["METHODS", "Answer", "Drawn", "answer_of", "labels_only"]

METHODS = ("auto", "strata", "ppi", "profile", "wilson")
"""What may be asked for where labels were drawn at random."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Labels, how they were drawn, and what the judges say of the items.

    Attributes
    ----------
    gold : Gold
    panel : Panel
    predictor : Predictor
    target : "items" or "population"
    level : float
    random : int
    clusters : (n_items,) int array or None
    inclusion : (n,) float array or None
        Where chances were unequal.
    elsewhere : Elsewhere or None
        Where the labels are of other items.
    """

    gold: Gold
    panel: Panel
    predictor: Predictor
    target: str
    level: float
    random: int
    clusters: NDArray[np.int64] | None = None
    inclusion: NDArray[np.float64] | None = None
    elsewhere: Elsewhere | None = None

    @property
    def labelled(self) -> NDArray[np.float64]:
        """The judges' numbers of the labelled items."""
        return self.predictor.values[self.gold.rows]

    @property
    def stratum(self) -> NDArray[Any]:
        """What items are put in strata by: a predictor of two values that was named, or the verdict."""
        if self.predictor.named and not self.predictor.graded:
            return self.predictor.values
        return self.panel.verdict

    def compared(self, method: str) -> NDArray[np.float64]:
        """Return the numbers of all items that a method compares the labels with."""
        if method not in ("strata", "profile", "transfer"):
            return self.predictor.values
        stratum = np.asarray(self.stratum, np.float64)
        return np.where(stratum < 0, stratum[stratum >= 0].mean(), stratum)

    @property
    def whole(self) -> bool:
        """Whether every label is one or the other, and none a tie."""
        return bool(np.isin(self.gold.values, (0.0, 1.0)).all())

    @property
    def plainly_drawn(self) -> Gold | None:
        """The labels where each is as likely as any other, so that grades of judges have a bound."""
        return None if self.settled_by else self.gold

    @property
    def settled_by(self) -> str:
        """Which setting leaves no choice of the method; empty where there is one."""
        if self.elsewhere is not None:
            return "drawn='elsewhere'"
        if self.inclusion is not None:
            return "drawn='unequal'"
        return "cluster" if self.by_cluster else ""

    @property
    def by_cluster(self) -> bool:
        """Whether the clusters are the unit of the interval."""
        if self.clusters is None:
            return False
        return self.target == "population" or drawn_by_cluster(self.gold.rows, self.clusters)


@dataclass(frozen=True, slots=True)
class Answer:
    """An interval, and how it came about.

    Attributes
    ----------
    method : str
    estimate : Estimate or None
        None where there is none, for the reason in `why`.
    why : str
        A clause on the choice.
    status : Status
    """

    method: str
    estimate: Estimate | None
    why: str
    status: Status = Status.OK


def answer_of(drawn: Drawn, method: str) -> Answer:
    """Return the interval of the labels and the judges together."""
    settled = drawn.settled_by
    if settled and method != "auto":
        raise DataError(
            f"method must be 'auto' where {settled} settles it; got {method!r}; leave one of them out"
        )
    if drawn.elsewhere is not None:
        return _transferred(drawn, drawn.elsewhere)
    if drawn.inclusion is not None:
        return _weighted(drawn, drawn.inclusion)
    if drawn.clusters is not None and drawn.by_cluster:
        return _clustered(drawn, drawn.clusters)
    if method in ("strata", "profile") and not drawn.whole:
        raise DataError(
            f"method {method!r} counts whole labels; got ties; take 'ppi', 'wilson' or 'auto'"
        )
    if method == "auto":
        method, why = _chosen(drawn)
    else:
        why = "as asked for"
    if method == "ppi" and too_few(drawn.gold.values):
        method, why = "wilson", TOO_FEW
    return Answer(method, _METHODS[method](drawn), why)


TOO_FEW = "too few labels, or too much alike, to use the judges"


def _chosen(drawn: Drawn) -> tuple[str, str]:
    """Return the default: strata of the verdict, or the labels alone where the judges cannot help."""
    if too_few(drawn.gold.values):
        return "wilson", TOO_FEW
    if not drawn.whole:
        return _with_ties(drawn)
    if drawn.predictor.named and drawn.predictor.graded:
        if len(drawn.gold) >= FEWEST_GRADED:
            return "ppi", f"labels regressed on {drawn.predictor.name}"
        few = f"{drawn.predictor.name} needs {FEWEST_GRADED} labels"
        return _stratified(drawn, f"{few}; items in strata by the panel's verdict instead")
    return _stratified(drawn, "items in strata by the panel's verdict")


def _with_ties(drawn: Drawn) -> tuple[str, str]:
    if len(drawn.gold) >= FEWEST_GRADED:
        return "ppi", f"ties count one half; labels regressed on {drawn.predictor.name}"
    return "wilson", f"ties count one half, and with them judges need {FEWEST_GRADED} labels"


def _stratified(drawn: Drawn, why: str) -> tuple[str, str]:
    if len(np.unique(drawn.stratum)) == 1:
        return "wilson", "the panel says the same of every item"
    return "strata", why


def _wilson(drawn: Drawn) -> Estimate:
    n_items = drawn.panel.n_items
    return gold_only(drawn.gold.values, n_items, target=drawn.target, level=drawn.level)


def _strata(drawn: Drawn) -> Estimate:
    counts = strata_of(drawn.gold.values, drawn.gold.rows, drawn.stratum)
    return strata_interval(counts, target=drawn.target, level=drawn.level, random=drawn.random)


def _profile(drawn: Drawn) -> Estimate:
    counts = strata_of(drawn.gold.values, drawn.gold.rows, drawn.stratum)
    return profile_interval(counts, target=drawn.target, level=drawn.level)


def _ppi(drawn: Drawn) -> Estimate:
    f = drawn.predictor.values
    return ppi(drawn.gold.values, drawn.labelled, f, target=drawn.target, level=drawn.level)


_METHODS: dict[str, Callable[[Drawn], Estimate]] = {
    "wilson": _wilson,
    "strata": _strata,
    "profile": _profile,
    "ppi": _ppi,
}


def _clustered(
    drawn: Drawn, clusters: NDArray[np.int64], f: NDArray[np.float64] | None = None
) -> Answer:
    groups = len(np.unique(clusters[drawn.gold.rows]))
    if groups < FEWEST_CLUSTERS:
        few = f"labels lie in {how_many(groups, 'cluster')}, and {FEWEST_CLUSTERS} are needed"
        return Answer("clustered", None, few, Status.UNDETERMINED)
    f = drawn.predictor.values if f is None else f
    found = clustered(
        drawn.gold.values,
        f[drawn.gold.rows],
        f,
        rows=drawn.gold.rows,
        clusters=clusters,
        target=drawn.target,
        level=drawn.level,
    )
    return Answer("clustered", found, f"clusters are the unit, {groups} of them with labels")


def _weighted(
    drawn: Drawn, inclusion: NDArray[np.float64], f: NDArray[np.float64] | None = None
) -> Answer:
    f = drawn.predictor.values if f is None else f
    found = weighted(
        drawn.gold.values,
        f[drawn.gold.rows],
        f,
        inclusion,
        target=drawn.target,
        level=drawn.level,
    )
    return Answer("weighted", found, "each label counts one over the chance of its item")


def _transferred(drawn: Drawn, elsewhere: Elsewhere) -> Answer:
    judged = drawn.panel.verdict >= 0
    found = transfer(
        float((drawn.panel.verdict == 1).sum()),
        float(judged.sum()),
        elsewhere,
        level=drawn.level,
    )
    if found is None:
        return Answer("transfer", None, "no rate fits these error rates", Status.INCONSISTENT)
    everything = (found.low, found.high) == (0.0, 1.0)
    why = "the verdict's error rates elsewhere are carried over"
    status = Status.NOT_IDENTIFIABLE if everything else Status.OK
    return Answer("transfer", found, why, status)


def labels_only(drawn: Drawn) -> Estimate | None:
    """Return the interval that the same labels give without the judges, None where they are elsewhere."""
    nothing = np.zeros(drawn.panel.n_items)
    if drawn.elsewhere is not None:
        return None
    if drawn.inclusion is not None:
        return _weighted(drawn, drawn.inclusion, nothing).estimate
    if drawn.clusters is not None and drawn.by_cluster:
        return _clustered(drawn, drawn.clusters, nothing).estimate
    return _wilson(drawn)
