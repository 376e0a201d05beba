"""What is known of the things judges share: how many, who follows them, what goes with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from scipy.special import ndtri

from algeval.aggregate import policy
from algeval.aggregate.results import Floats
from algeval.aggregate.score_results import Shift
from algeval.data.names import Codes, expect_schema, read_only
from algeval.result import Result, Status
from algeval.result.tables import Table, free_name

__all__ = ["ONE", "Association", "Confounders", "FactorCount", "ResidualPair", "factor_name"]

ONE = "one factor"
"""The consensus of one factor, as an attribute goes with it."""

_MOST_LINES = 8


def factor_name(place: int) -> str:
    """Return the name of a varimax factor: factor 1 is the one that most judges share."""
    return f"factor {place + 1}"


@dataclass(frozen=True, slots=True)
class FactorCount:
    """How well a number of factors does.

    Attributes
    ----------
    k : int
    per_item, gain, error : float or None
        Nats per item that was held out, how many more than under one factor, and the standard error
        of that over clusters. None where there are too few clusters to hold some out.
    bic, extended_bic : float
        On all items, in nats x 2, the smaller the better; both take every item for independent.
    """

    k: int
    per_item: float | None
    gain: float | None
    error: float | None
    bic: float
    extended_bic: float

    @property
    def better(self) -> bool:
        """Whether it predicts held-out scores better than one factor, beyond chance."""
        if self.gain is None or self.error is None:
            return False
        return self.gain > policy.BEYOND * self.error


@dataclass(frozen=True, slots=True)
class ResidualPair:
    """Two judges, and the correlation of what one factor leaves of their scores."""

    judge: str
    other: str
    correlation: float


@dataclass(frozen=True, slots=True)
class Association:
    """How an attribute of the items goes with what judges share, or with one judge.

    Attributes
    ----------
    attribute : str
    kind : "score", "factor" or "judge"
    name : str
        "one factor", "factor 1", "factor 2", or the judge.
    correlation, error : float
        Spearman's, and its standard error over clusters, which is approximate.
    n_items : int
        Items where both are known.
    """

    attribute: str
    kind: str
    name: str
    correlation: float
    error: float
    n_items: int

    def beyond(self, looks: int) -> bool:
        """Whether it is too large to be the luck of so many looks."""
        limit = -float(ndtri(policy.LOOKS / 2 / max(looks, 1)))
        return abs(self.correlation) > limit * self.error

    def words(self) -> str:
        """Return the attribute with its correlation."""
        return f"{self.attribute} ({self.correlation:+.2f}, standard error {self.error:.2f})"


_TUPLES = ("judges", "items", "acts", "warnings")
_ARRAYS = ("loading", "noise", "turned", "turned_noise", "breadth", "voices", "traits")
_RECORDS: dict[str, Any] = {
    "choice": FactorCount,
    "residuals": ResidualPair,
    "associations": Association,
    "alternatives": Shift,
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Confounders(Result):
    """What judges share, as far as scores can say: how many things, who follows them, what goes with them.

    Attributes
    ----------
    status : Status
        ok; not_converged; undetermined with too few judges to tell two shared things from one;
        not_identifiable where even one factor is not, and everything is empty.
    judges, items : tuples of str
    settings : dict
    n_clusters : int
        Independent groups of items.
    choice : tuple of FactorCount
        For each number of factors how well it does.
    loading, noise : (N,) arrays
        Correlation of each judge with one factor, and the share of its variance that is left.
    turned, turned_noise : (N, 2) and (N,) arrays
        The same of two varimax factors, the one that most judges share first; (N, 0) where two
        cannot be told apart.
    breadth : (k,) array
        How many judges load on each varimax factor.
    voices : (1 + k,) array
        How many judges the score of one factor, and of each varimax factor, listens to.
    residuals : tuple of ResidualPair
        What one factor leaves most related, strongest first.
    associations : tuple of Association
        Of every numeric attribute with the score of one factor, each varimax factor and each judge;
        strongest first.
    alternatives : tuple of Shift
        How far each way of discounting, and other plain methods, would move the consensus.
    acts : tuple of str
        Names of the columns of `traits`: "one factor", then each alternative.
    traits : (n_items, 1 + alternatives) array
        Where each item stands.
    decisions : (n_items, 1 + alternatives) int array
        0 for the lower class, 1 for the higher, -1 where both are equally probable.
    warnings : tuple of str
    """

    schema: ClassVar[str] = "algeval.confounders/1"

    judges: tuple[str, ...]
    items: tuple[str, ...]
    settings: dict[str, Any]
    n_clusters: int
    choice: tuple[FactorCount, ...]
    loading: Floats
    noise: Floats
    turned: Floats
    turned_noise: Floats
    breadth: Floats
    voices: Floats
    residuals: tuple[ResidualPair, ...]
    associations: tuple[Association, ...]
    alternatives: tuple[Shift, ...]
    acts: tuple[str, ...]
    traits: Floats
    decisions: Codes
    warnings: tuple[str, ...] = ()

    @property
    def n_items(self) -> int:
        """Number of items, Q."""
        return len(self.items)

    @property
    def shared(self) -> FactorCount | None:
        """The smallest number of factors, from two on, that predicts better than one; None if none does."""
        return next((count for count in self.choice if count.k > 1 and count.better), None)

    @property
    def more_than_one(self) -> bool:
        """Whether judges share more than one thing, as far as held-out scores can say."""
        return self.shared is not None

    @property
    def factors(self) -> tuple[str, ...]:
        """Names of what was fitted: "one factor", and "factor 1" and "factor 2" where two were."""
        return (ONE, *map(factor_name, range(self.turned.shape[1])))

    @property
    def links(self) -> dict[tuple[str, str], Association]:
        """Associations by attribute and factor; those of single judges are left out."""
        return {(one.attribute, one.name): one for name in self.factors for one in self.of(name)}

    def of(self, name: str, *, judge: bool = False) -> tuple[Association, ...]:
        """Return what goes with "one factor", "factor 1" or "factor 2", or with a judge, strongest first."""
        return tuple(
            one for one in self.associations if one.name == name and (one.kind == "judge") == judge
        )

    def named(self, name: str) -> Association | None:
        """Return the attribute that goes most with it, if that is beyond the luck of all the looks."""
        looks = len(self.associations)
        return next((one for one in self.of(name) if one.beyond(looks)), None)

    def as_tables(self) -> tuple[Table, ...]:
        """Return the judges, the numbers of factors, attributes, residuals, alternatives, and the items."""
        tables = [
            self._judges(),
            Table.of_records("How many factors", FactorCount, self.choice),
            Table.of_records("Attributes", Association, self.associations),
            Table.of_records("What one factor leaves", ResidualPair, self.residuals),
            Table.of_records("Alternatives", Shift, self.alternatives),
            self._items(),
        ]
        return tuple(tables)

    def _judges(self) -> Table:
        columns: dict[str, Any] = {"judge": self.judges, ONE: self.loading, "noise": self.noise}
        for k in range(self.turned.shape[1]):
            columns[factor_name(k)] = self.turned[:, k]
        more = {"noise of two": self.turned_noise} if self.turned.shape[1] else {}
        return Table("Judges", columns | more)

    def _items(self) -> Table:
        columns: dict[str, Any] = {"item": self.items}
        for k, act in enumerate(self.acts):
            columns[free_name(act, list(columns))] = self.traits[:, k]
        return Table("Items", columns)

    def summary(self) -> str:
        """Return the lines a person reads: verdict, factors, judges, attributes, alternatives."""
        if self.status is Status.NOT_IDENTIFIABLE:
            return self.message
        parts = (
            [self.message],
            self._choice_lines(),
            self._judge_lines(),
            self._pair_lines(),
            self._attribute_lines(),
            [shift.sentence() for shift in self.alternatives],
            [f"Note: {warning}" for warning in self.warnings],
        )
        return "\n".join(line for part in parts for line in part)

    def _choice_lines(self) -> list[str]:
        told = [
            f"{count.k}: {count.gain:+.3f} ({count.error:.3f})"
            for count in self.choice
            if count.gain is not None and count.k != 1
        ]
        if not told:
            return []
        best = min(self.choice, key=lambda count: count.extended_bic).k
        return [
            "Factors, and nats per held-out item above one factor (standard error): "
            f"{', '.join(told)}. Extended BIC is lowest at {best}."
        ]

    def _judge_lines(self) -> list[str]:
        many = self.turned.shape[1]
        head = f"Loadings on one factor{' | on each of two varimax factors' if many else ''}:"
        lines = []
        shown = self.judges[: policy.MOST_SHOWN]
        for judge, one, row in zip(shown, self.loading, self.turned, strict=False):
            two = "".join(f" {load:+.2f}" for load in row)
            lines.append(f"  {judge}: {one:+.2f}{' |' * bool(two)}{two}")
        left_out = len(self.judges) - len(shown)
        return [head, *lines, *[f"  ... and {left_out} more judges"] * (left_out > 0)]

    def _pair_lines(self) -> list[str]:
        told = ", ".join(
            f"{pair.judge} and {pair.other} {pair.correlation:+.2f}" for pair in self.residuals[:3]
        )
        return [f"What one factor leaves correlates most in: {told}."] if told else []

    def _attribute_lines(self) -> list[str]:
        looks = len(self.associations)
        if not looks:
            return []
        lines = [
            f"Attributes (rank correlations; {looks} were looked at, so that about {looks / 20:.0f} lie "
            "beyond 2 standard errors by chance):"
        ]
        for name in self.factors:
            told = ", ".join(
                one.words() for one in self.of(name)[:_MOST_LINES] if one.beyond(looks)
            )
            lines.append(f"  {name}: {told or 'none beyond the luck of so many looks'}")
        return lines

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        expect_schema(document, cls.schema)
        body = {name: value for name, value in document.items() if name != "schema"}
        body |= {name: tuple(body[name]) for name in _TUPLES}
        for name, record in _RECORDS.items():
            body[name] = tuple(record(**told) for told in body[name])
        n_judges = len(body["judges"])
        body |= {name: read_only(np.array(body[name], float)) for name in _ARRAYS}
        body["turned"] = read_only(body["turned"].reshape(n_judges, -1))
        body["decisions"] = read_only(np.array(body["decisions"], np.int16))
        return cls(**body | {"status": Status(body["status"])})
