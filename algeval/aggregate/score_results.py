"""What aggregators of scores return: a consensus score and a class for every item."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from algeval.aggregate import policy
from algeval.aggregate.inputs import Places
from algeval.aggregate.results import Floats
from algeval.data import NOT_ANSWERED, Scores
from algeval.data.names import Codes, Counts, expect_schema, read_only
from algeval.errors import DataError
from algeval.result import Result, Status
from algeval.result.tables import Table

__all__ = ["CLASSES", "ScoreAggregation"]

CLASSES = ("0", "1")
"""The lower and the higher class, named as `Scores.cut` names its labels."""

_ARRAYS = ("item_scores", "item_spread", "posterior", "loading", "noise")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreAggregation(Result):
    """Consensus scores, classes and judge loadings, from scores alone.

    Attributes
    ----------
    status : Status
        ok; not_converged; not_identifiable, then posteriors are the prevalence and nothing is
        decided.
    method : str
    settings : dict
        Every setting that produced the result.
    judges : tuple of str
    labels : ("0", "1")
        The lower and the higher class, as `Scores.cut` names them.
    items : tuple of str
    item_scores : (n_items,) array
        Where the item stands on what the judges share: the mean of the trait given its scores, in
        standard deviations over the items; 0 for an item nobody scored.
    item_spread : (n_items,) array
        Standard deviation of that, from 0 (settled) to 1 (nobody scored it).
    posterior : (n_items, 2) array
        Probability of the lower and the higher class; rows sum to 1.
    decisions : (n_items,) int array
        0, 1, or -1 where both are equally probable.
    loading, noise : (N,) arrays
        Correlation of each judge's normal scores with the trait, and what it does not explain.
    prevalence : float
        Share of the higher class that was taken.
    log_likelihood : float or None
        Of the correlations, nats, up to a constant.
    n_iter, converged, trace
        Of the iteration; see `Aggregation`.
    warnings : tuple of str
    parameters : dict
        Whatever `predict` needs beyond these.
    """

    schema: ClassVar[str] = "algeval.score_aggregation/1"
    frame_table: ClassVar[int] = -1

    method: str
    settings: dict[str, Any]
    judges: tuple[str, ...]
    labels: tuple[str, ...] = CLASSES
    items: tuple[str, ...]
    item_scores: Floats
    item_spread: Floats
    posterior: Floats
    decisions: Codes
    loading: Floats
    noise: Floats
    prevalence: float
    log_likelihood: float | None = None
    n_iter: int = 0
    converged: bool = True
    trace: tuple[float, ...] = ()
    warnings: tuple[str, ...] = ()
    parameters: dict[str, Any] = field(default_factory=dict)

    @property
    def n_items(self) -> int:
        """Number of items, Q."""
        return len(self.items)

    @property
    def counts(self) -> Counts:
        """(n_items,) ones: every item is a row of its own."""
        return np.ones(self.n_items, np.int64)

    @property
    def item_pattern(self) -> Places:
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
            Judges are matched by name; a judge left out counts as not scoring. A score between two
            that were seen takes a rank between theirs, one beyond all of them the last rank.
        """
        from algeval.aggregate.registry import predictor

        if not isinstance(data, Scores):
            raise DataError(f"data must be Scores; got {type(data).__name__}; use read_scores")
        unknown = [judge for judge in data.judges if judge not in self.judges]
        if unknown:
            raise DataError(
                f"judge {unknown[0]!r} must be one of those fitted {list(self.judges)}; it is not; "
                "leave it out with select(judges=...)"
            )
        values = np.full((data.n_items, len(self.judges)), np.nan)
        values[:, [self.judges.index(judge) for judge in data.judges]] = data.values
        posterior: Floats = predictor(self.method)(self, values)
        return posterior

    def as_tables(self) -> tuple[Table, ...]:
        """Return the judges, and a row per item: score, spread, probability of each class, decision."""
        judges = {"judge": self.judges, "loading": self.loading, "noise": self.noise}
        items: dict[str, Any] = {"item": self.items}
        items |= {"score": self.item_scores, "spread": self.item_spread}
        items |= {label: self.posterior[:, t] for t, label in enumerate(self.labels)}
        items |= {"decision": self.item_labels}
        return Table("Judges", judges), Table("Items", items)

    def summary(self) -> str:
        """Return the lines a person reads: verdict, judges, warnings."""
        lines = [self.message]
        lines += [
            f"{judge}: correlates {load:+.2f} with what the judges share"
            for judge, load in zip(self.judges[: policy.MOST_SHOWN], self.loading, strict=False)
        ]
        left_out = len(self.judges) - policy.MOST_SHOWN
        lines += [f"... and {left_out} more judges"] * (left_out > 0)
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
        return cls(**body | {"status": Status(body["status"])})
