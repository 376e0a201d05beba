"""Results of a consensus of scores, and their scale."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import policy
from algeval.aggregate.results import Floats, Indices, Learned, read_learned
from algeval.data import NOT_ANSWERED, Scores
from algeval.data.names import Codes, Counts, expect_schema, read_only
from algeval.errors import DataError, either_way, option
from algeval.result import Result, Status, percent
from algeval.result.numbers import did_you_mean, how_many
from algeval.result.tables import Table

# --- What aggregators of scores return: a consensus score and a class for every item.


CLASSES = ("0", "1")
"""The lower and the higher class, named as `Scores.cut` names its labels."""

_ARRAYS = ("item_scores", "item_traits", "item_spread", "posterior", "loadings", "noise")


class Standing(NamedTuple):
    """Where a consensus puts the items: traits (n_items,), and classes (n_items,)."""

    traits: Floats
    decisions: Codes


@dataclass(frozen=True, slots=True)
class Shift:
    """How far an act moved the consensus of one factor, and what whoever acts says is true.

    Attributes
    ----------
    act : str
        The setting, as it was given.
    correlation : float
        Of the item traits with those of one factor.
    flipped : float
        Share of the items whose class is another one.
    asserts : str
        What the user says by it, which no scores can confirm.
    taken : bool
        Whether the consensus is the moved one; a guard may have kept the other.
    """

    act: str
    correlation: float
    flipped: float
    asserts: str
    taken: bool = True

    @classmethod
    def between(cls, act: str, asserts: str, before: Standing, after: Standing) -> Self:
        """How far an act moved the items from one standing to another.

        The correlation is 0 where one of the two puts all items at the same place.
        """
        first, two = before.traits, after.traits
        varied = np.ptp(first) > 0 and np.ptp(two) > 0
        correlation = float(np.corrcoef(first, two)[0, 1]) if varied else 0.0
        return cls(act, correlation, float((before.decisions != after.decisions).mean()), asserts)

    def sentence(self) -> str:
        """Return it as a sentence."""
        kept = "" if self.taken else " It was not taken."
        return (
            f"{self.act}: correlation {self.correlation:.3f} with the score of one factor, "
            f"{percent(self.flipped)} of the items change their class.{kept} By this you say: "
            f"{self.asserts}."
        )


@dataclass(frozen=True, slots=True)
class Anchored:
    """What known scores of some items did to the scale of all.

    Attributes
    ----------
    calibration : "shift" or "isotonic"
        Which of them `item_scores` has; "auto" takes the one that is nearer at the end of the curve.
    n_anchors : int
    error_before : float
        Mean absolute error on the anchors, on the judges' scale.
    curve : tuple of (n, shift, isotonic)
        Mean absolute error on the anchors left out, when n of them are used, over random draws.
    """

    calibration: str
    n_anchors: int
    error_before: float
    curve: tuple[tuple[int, float, float], ...]

    def sentence(self) -> str:
        """Return it as a sentence."""
        used = how_many(self.n_anchors, "anchor was", "anchors were")
        words = (
            f"{used} used to calibrate the scores ({self.calibration}); "
            f"before, these were {self.error_before:.3g} off on average"
        )
        if not self.curve:
            return f"{words}; there are too few of them to say what is left."
        steps = ", ".join(f"{n}: {shift:.3g} / {iso:.3g}" for n, shift, iso in self.curve)
        return (
            f"{words}. Mean absolute error on anchors left out, by anchors used, shift / isotonic: "
            f"{steps}."
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreAggregation(Result):
    """Consensus scores, classes and judge loadings, from scores alone.

    Attributes
    ----------
    status : Status
        ok; not_converged; not_identifiable or undetermined, then posteriors are the prevalence and
        nothing is decided; inconsistent where no judges of the assumed kind give such scores.
    method : str
    settings : dict
        Every setting that produced the result.
    judges : tuple of str
    labels : ("0", "1")
        The lower and the higher class, as `Scores.cut` names them.
    items : tuple of str
    item_scores : (n_items,) array
        The consensus on the scale that `settings["scale"]` names, by default that of the judges; of an
        item nobody scored, the middle of it. Calibrated where there are anchors.
    item_traits : (n_items,) array
        Where the item stands on what the judges share, in standard deviations over the items; 0 for
        an item nobody scored.
    item_spread : (n_items,) array
        Standard deviation of that, from 0 (settled) to 1 (nobody scored it).
    posterior : (n_items, 2) array
        Probability of the lower and the higher class; rows sum to 1.
    decisions : (n_items,) int array
        0, 1, or -1 where both are equally probable.
    loadings : (N, k) array
        Correlation of each judge with each thing judges share, the consensus first.
    noise : (N,) array
        Share of each judge's variance that nothing shared explains.
    prevalence : float
        Share of the higher class that was taken.
    log_likelihood : float or None
        Nats, up to a constant of the method.
    n_iter, converged, trace
        Of the iteration; see `Aggregation`.
    shifts : tuple of Shift
        What each discounting that was asked for moved, and what it asserts.
    learned : Learned or None
        What human labels of classes changed; their items are sure of them.
    anchored : Anchored or None
    warnings : tuple of str
    parameters : dict
        Whatever `predict` needs beyond these, and what the method says more.
    """

    schema: ClassVar[str] = "algeval.score_aggregation/1"
    frame_table: ClassVar[int] = -1

    method: str
    settings: dict[str, Any]
    judges: tuple[str, ...]
    labels: tuple[str, ...] = CLASSES
    items: tuple[str, ...]
    item_scores: Floats
    item_traits: Floats
    item_spread: Floats
    posterior: Floats
    decisions: Codes
    loadings: Floats
    noise: Floats
    prevalence: float
    log_likelihood: float | None = None
    n_iter: int = 0
    converged: bool = True
    trace: tuple[float, ...] = ()
    shifts: tuple[Shift, ...] = ()
    anchored: Anchored | None = None
    learned: Learned | None = None
    warnings: tuple[str, ...] = ()
    parameters: dict[str, Any] = field(default_factory=dict)

    @property
    def n_items(self) -> int:
        """Number of items, Q."""
        return len(self.items)

    @property
    def loading(self) -> Floats:
        """(N,) the loading of each judge on the consensus."""
        return self.loadings[:, 0]

    @property
    def standing(self) -> Standing:
        """Where the consensus puts the items."""
        return Standing(self.item_traits, self.decisions)

    @property
    def counts(self) -> Counts:
        """(n_items,) ones: every item is a row of its own."""
        return np.ones(self.n_items, np.int64)

    @property
    def item_pattern(self) -> Indices:
        """(n_items,) the row of each item: its own place."""
        return np.arange(self.n_items)

    @property
    def n_undecided(self) -> int:
        """Number of items without a class of their own."""
        return int((self.decisions == NOT_ANSWERED).sum())

    @property
    def posterior_items(self) -> Floats:
        """(n_items, 2) the probabilities of the lower and the higher class, in item order."""
        return self.posterior

    @property
    def item_labels(self) -> list[str | None]:
        """The class chosen for each item, None where nothing was decided."""
        names: list[str | None] = [*self.labels, None]
        return [names[code] for code in self.decisions.tolist()]

    def predict(self, data: Scores) -> Floats:
        """Return (n_items, 2) the posterior of other scores under the fitted parameters.

        Parameters
        ----------
        data : Scores
            Judges are matched by name; a judge left out counts as not scoring. Where a method reads
            ranks, a score between two that were seen takes a rank between theirs, one beyond all of
            them the last rank.
        """
        from algeval.aggregate.registry import learned_predictor, predictor

        if not isinstance(data, Scores):
            raise DataError(
                f"data must be Scores; got {type(data).__name__}; "
                f"{either_way('use read_scores', 'pass --scores')}"
            )
        unknown = [judge for judge in data.judges if judge not in self.judges]
        if unknown:
            raise DataError(
                f"judge {unknown[0]!r} must be one of those fitted {list(self.judges)}; it is not; "
                "leave it out with select(judges=...)"
            )
        if not self.status.ok and not self.parameters:
            raise DataError(f"the result must hold a fit to predict from; got none: {self.message}")
        values = np.full((data.n_items, len(self.judges)), np.nan)
        values[:, [self.judges.index(judge) for judge in data.judges]] = data.values
        if self.learned is not None:
            moved: Floats = learned_predictor("scores")(self, values)
            return moved
        posterior: Floats = predictor(self.method, "scores")(self, values)
        return posterior

    def as_tables(self) -> tuple[Table, ...]:
        """Judges, and a row per item: score, trait, spread, probabilities, decision."""
        judges: dict[str, Any] = {"judge": self.judges, "loading": self.loading}
        judges |= {
            f"loading {k + 1}": self.loadings[:, k] for k in range(1, self.loadings.shape[1])
        }
        judges["noise"] = self.noise
        items: dict[str, Any] = {"item": self.items, "score": self.item_scores}
        items |= {"trait": self.item_traits, "spread": self.item_spread}
        items |= {label: self.posterior[:, t] for t, label in enumerate(self.labels)}
        items |= {"decision": self.item_labels}
        return Table("Judges", judges), Table("Items", items)

    def summary(self) -> str:
        """Lines a person reads: verdict, judges, what was discounted, warnings."""
        lines = [self.message]
        lines += [
            f"{judge}: correlates {load:+.2f} with what the judges share"
            for judge, load in zip(self.judges[: policy.MOST_SHOWN], self.loading, strict=False)
        ]
        left_out = len(self.judges) - policy.MOST_SHOWN
        lines += [f"... and {left_out} more judges"] * (left_out > 0)
        lines += [shift.sentence() for shift in self.shifts]
        lines += [] if self.anchored is None else [self.anchored.sentence()]
        lines += [] if self.learned is None else [self.learned.sentence()]
        return "\n".join([*lines, *(f"Note: {warning}" for warning in self.warnings)])

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        expect_schema(document, cls.schema)
        body = {name: value for name, value in document.items() if name != "schema"}
        for name in ("judges", "labels", "items", "trace", "warnings"):
            body[name] = tuple(body[name])
        for name in _ARRAYS:
            body[name] = read_only(np.array(body[name], float))
        body["decisions"] = read_only(np.array(body["decisions"], np.int16))
        body["shifts"] = tuple(Shift(**shift) for shift in body["shifts"])
        if body.get("learned") is not None:
            body["learned"] = read_learned(body["learned"])
        if body["anchored"] is not None:
            anchored = dict(body["anchored"])
            body["anchored"] = Anchored(
                **anchored | {"curve": tuple(map(tuple, anchored["curve"]))}
            )
        return cls(**body | {"status": Status(body["status"])})


# --- What is known of items besides scores, as numbers: attributes, and the clusters they belong
# to.


Columns = Mapping[str, Sequence[Any]]


def attribute_names(data: Scores, supplied: Columns | None = None) -> list[str]:
    """Names of the attributes of the scores and of those given beside them."""
    return list({**(data.attributes or {}), **(supplied or {})})


def numeric_attribute(data: Scores, name: str, supplied: Columns | None = None) -> Floats:
    """Return (n_items,) numbers of an attribute, NaN where it is not known.

    `supplied`: attributes beside those the scores carry.
    """
    column = _column(data, name, supplied)
    numbers = np.full(data.n_items, np.nan)
    for row, value in enumerate(column):
        if value is None or value == "":
            continue
        try:
            numbers[row] = float(value)
        except (TypeError, ValueError):
            raise DataError(
                f"attribute {name!r} must hold numbers; got {value!r} on item {data.items[row]!r}; "
                "leave it out, or code it as numbers"
            ) from None
    return numbers


def numeric_attributes(data: Scores, supplied: Columns | None = None) -> dict[str, Floats]:
    """Return {name: (n_items,) numbers} of the attributes that hold numbers and vary; others are left out."""
    columns_ = {}
    for name in attribute_names(data, supplied):
        try:
            numbers = numeric_attribute(data, name, supplied)
        except DataError:
            continue
        finite = numbers[~np.isnan(numbers)]
        if len(finite) > 1 and np.ptp(finite) > 0:
            columns_[name] = numbers
    return columns_


def cluster_of(
    data: Scores, cluster: str | Sequence[Any] | None, supplied: Columns | None = None
) -> NDArray[np.intp]:
    """Return (n_items,) the number of the cluster of each item; its own where there are none.

    cluster : the name of an attribute, or a cluster id per item.
    """
    if cluster is None:
        return np.arange(data.n_items)
    if not isinstance(cluster, Iterable):
        raise DataError(
            f"cluster must name an attribute, or have one id per item; got {cluster!r}; change it"
        )
    column = _column(data, cluster, supplied) if isinstance(cluster, str) else list(cluster)
    if len(column) != data.n_items:
        raise DataError(
            f"cluster must have one id per item ({data.n_items}); got {len(column)}; name an attribute, "
            "or give as many"
        )
    ids = [f"item {k}" if value is None else f"id {value}" for k, value in enumerate(column)]
    numbers: NDArray[np.intp] = np.unique(ids, return_inverse=True)[1]
    return numbers


def _column(data: Scores, name: str, supplied: Columns | None) -> Sequence[Any]:
    names = {**(data.attributes or {}), **(supplied or {})}
    if name not in names:
        near = did_you_mean(name, names, f"give it with {option('attributes')}")
        raise DataError(f"attribute {name!r} must be one of {list(names)}; it is not; {near}")
    column = names[name]
    if len(column) != data.n_items:
        raise DataError(
            f"attribute {name!r} must have one value per item ({data.n_items}); got {len(column)}; "
            "give None where it is not known"
        )
    return column
