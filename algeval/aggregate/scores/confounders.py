"""`confounders`: what judges who give scores share besides quality."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from algeval.aggregate import policy
from algeval.aggregate.registry import method
from algeval.aggregate.results import Floats
from algeval.aggregate.score_results import (
    ScoreAggregation,
    Shift,
    attribute_names,
    cluster_of,
    numeric_attributes,
)
from algeval.aggregate.scores.factor import (
    FactorLaw,
    Factors,
    HeldOut,
    breadth,
    criteria,
    fit_factors,
    freedom,
    held_out,
    posterior,
    residual_correlations,
    varimax,
    voices,
)
from algeval.aggregate.scores.simple import NormalScores, ranked, spearman
from algeval.data import Scores
from algeval.data.names import Codes, check_whole, expect_schema, read_only
from algeval.data.reading import Source
from algeval.data.scores import text_features
from algeval.door import score_table
from algeval.errors import DataError
from algeval.progress import steps
from algeval.result import Result, Status
from algeval.result.numbers import how_many
from algeval.result.tables import Table, free_name

# --- How far each way of discounting, and other plain methods, would move a consensus of one
# factor.


_PLAIN = {
    "average": "all judges use the scale alike, and none is better than another",
    "median": "all judges use the scale alike, none is better than another, and some are far off",
}


class Alternatives(NamedTuple):
    """Shifts from one factor, and traits and decisions (n_items, 1 + shifts), those of one factor first."""

    shifts: tuple[Shift, ...]
    traits: Floats
    decisions: Codes


def alternatives(
    data: Scores,
    plain: ScoreAggregation,
    *,
    rotate: bool,
    discounted: Mapping[str, Floats],
    cluster: Sequence[Any] | None,
    settings: Mapping[str, Any],
) -> Alternatives:
    """How far each alternative moves the consensus."""
    factor, options = method("factor", "scores"), dict(settings)
    acts: list[dict[str, Any]] = [{"rotate": "varimax"}] if rotate else []
    acts += [
        {"discount": name, "attributes": {name: _cells(numbers)}}
        for name, numbers in discounted.items()
    ]
    acts += [] if cluster is None else [{"cluster": cluster}]
    fits = [factor(data, **act, **options) for act in acts]
    shifted = [(fit.shifts[0], fit) for fit in fits if fit.shifts]
    options.pop("seed", None)
    for name, asserts in _PLAIN.items():
        other = method(name, "scores")(data, **options)
        if other.status.ok:
            shifted.append((Shift.between(name, asserts, plain.standing, other.standing), other))
    everything = [plain, *(fit for _, fit in shifted)]
    return Alternatives(
        tuple(shift for shift, _ in shifted),
        np.stack([fit.item_traits for fit in everything], axis=1),
        np.stack([fit.decisions for fit in everything], axis=1),
    )


def _cells(numbers: Floats) -> list[float | None]:
    return [None if value != value else value for value in numbers.tolist()]


# --- What is known of the things judges share: how many, who follows them, what goes with them.


ONE = "one factor"
"""The consensus of one factor, as an attribute goes with it."""

_MOST_LINES = 8


def factor_name(index: int) -> str:
    """Name of a varimax factor: factor 1 is the one that most judges share."""
    return f"factor {index + 1}"


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
        """Attribute with its correlation."""
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
        return {
            (association.attribute, association.name): association
            for name in self.factors
            for association in self.of(name)
        }

    def of(self, name: str, *, judge: bool = False) -> tuple[Association, ...]:
        """Return what goes with "one factor", "factor 1" or "factor 2", or with a judge, strongest first."""
        return tuple(
            association
            for association in self.associations
            if association.name == name and (association.kind == "judge") == judge
        )

    def named(self, name: str) -> Association | None:
        """Attribute that goes most with it, if that is beyond the luck of all the looks."""
        looks = len(self.associations)
        return next(
            (association for association in self.of(name) if association.beyond(looks)), None
        )

    def as_tables(self) -> tuple[Table, ...]:
        """Judges, the numbers of factors, attributes, residuals, alternatives, and the items."""
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
        """Lines a person reads: verdict, factors, judges, attributes, alternatives."""
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
        gains = [
            f"{count.k}: {count.gain:+.3f} ({count.error:.3f})"
            for count in self.choice
            if count.gain is not None and count.k != 1
        ]
        if not gains:
            return []
        best = min(self.choice, key=lambda count: count.extended_bic).k
        return [
            "Factors, and nats per held-out item above one factor (standard error): "
            f"{', '.join(gains)}. Extended BIC is lowest at {best}."
        ]

    def _judge_lines(self) -> list[str]:
        many = self.turned.shape[1]
        head = f"Loadings on one factor{' | on each of two varimax factors' if many else ''}:"
        lines = []
        shown = self.judges[: policy.MOST_SHOWN]
        for judge, loading, row in zip(shown, self.loading, self.turned, strict=False):
            two = "".join(f" {load:+.2f}" for load in row)
            lines.append(f"  {judge}: {loading:+.2f}{' |' * bool(two)}{two}")
        left_out = len(self.judges) - len(shown)
        return [head, *lines, *[f"  ... and {left_out} more judges"] * (left_out > 0)]

    def _pair_lines(self) -> list[str]:
        words = ", ".join(
            f"{pair.judge} and {pair.other} {pair.correlation:+.2f}" for pair in self.residuals[:3]
        )
        return [f"What one factor leaves correlates most in: {words}."] if words else []

    def _attribute_lines(self) -> list[str]:
        looks = len(self.associations)
        if not looks:
            return []
        lines = [
            f"Attributes (rank correlations; {looks} were looked at, so that about {looks / 20:.0f} lie "
            "beyond 2 standard errors by chance):"
        ]
        for name in self.factors:
            words = ", ".join(
                association.words()
                for association in self.of(name)[:_MOST_LINES]
                if association.beyond(looks)
            )
            lines.append(f"  {name}: {words or 'none beyond the luck of so many looks'}")
        return lines

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        expect_schema(document, cls.schema)
        body = {name: value for name, value in document.items() if name != "schema"}
        body |= {name: tuple(body[name]) for name in _TUPLES}
        for name, record in _RECORDS.items():
            body[name] = tuple(record(**part) for part in body[name])
        n_judges = len(body["judges"])
        body |= {name: read_only(np.array(body[name], float)) for name in _ARRAYS}
        body["turned"] = read_only(body["turned"].reshape(n_judges, -1))
        body["decisions"] = read_only(np.array(body["decisions"], np.int16))
        return cls(**body | {"status": Status(body["status"])})


# --- Which attributes of the items go with what judges share.


def associations(
    data: Scores, factors: Floats, attributes: Mapping[str, Floats], clusters: NDArray[np.intp]
) -> tuple[Association, ...]:
    """Every attribute with one factor, each turned factor and each judge, strongest first.

    `factors` (n_items, 1 + k): where items stand on one factor, and on each turned one.
    `clusters` (n_items,): of the items that may say the same twice.
    """
    scored = ~np.isnan(data.values).all(axis=1)
    columns = [("score" if k == 0 else "factor", _name(k), f) for k, f in enumerate(factors.T)]
    columns = [(kind, name, np.where(scored, f, np.nan)) for kind, name, f in columns]
    columns += [("judge", judge, f) for judge, f in zip(data.judges, data.values.T, strict=True)]
    placed = [(kind, name, ranked(column)) for kind, name, column in columns]
    results = []
    for attribute, numbers in attributes.items():
        ranks = ranked(numbers)
        for kind, name, other in placed:
            correlation = spearman(ranks, other, clusters)
            if np.isfinite(correlation.error):
                results.append(Association(attribute, kind, name, *correlation))
    return tuple(sorted(results, key=lambda one: -abs(one.correlation)))


def _name(index: int) -> str:
    return ONE if index == 0 else factor_name(index - 1)


# --- The factors behind scores, fitted in every number there may be.


Ranks = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class SharedFactors:
    """Factors behind normal scores: one, two turned by varimax, and how well each number does.

    `fits`: by number of factors, from 0 on.
    `turn` (k, k): of two factors; (0, 0) where they cannot be told apart.
    `held`: what held-out scores say; None where there are too few clusters. `n_held`: items held out.
    """

    values: Floats
    fits: tuple[Factors, ...]
    turn: Floats
    held: HeldOut | None
    n_held: int

    @classmethod
    def of(cls, data: Scores, clusters: Ranks, *, folds: int, seed: int) -> SharedFactors:
        """Fit the scores, which must settle one factor."""
        values = NormalScores.of(data.values).transform(data.values)

        def fitted(k: int) -> Factors:
            return fit_factors(values, k, rng=np.random.default_rng(seed))

        single = fitted(1)
        speaking = int((~single.silent).sum())
        ks = [k for k in range(policy.MOST_SHARED + 1) if k < 2 or freedom(speaking, k) >= 0]
        fits = tuple(
            single if k == 1 else fitted(k) for k in steps(ks, "fitting factors", even=False)
        )
        turn = varimax(fits[2].law.standard_loading).turn if len(fits) > 2 else np.zeros((0, 0))
        rng = np.random.default_rng(seed)
        rows = _sample(values, clusters, rng)
        if len(np.unique(clusters[rows])) < 2:
            return cls(values, fits, turn, None, 0)
        gains = held_out(values[rows], clusters[rows], rng=rng, ks=tuple(ks), folds=folds)
        return cls(values, fits, turn, gains, len(rows))

    @property
    def one(self) -> FactorLaw:
        """The law of one factor."""
        return self.fits[1].law

    @property
    def two(self) -> FactorLaw | None:
        """The law of two factors after the turn."""
        if not len(self.turn):
            return None
        law = self.fits[2].law
        return law._replace(loading=law.loading @ self.turn)

    @property
    def converged(self) -> bool:
        """Whether every climb did."""
        return all(fit.end.converged for fit in self.fits) and (
            self.held is None or self.held.converged
        )

    def choice(self) -> tuple[FactorCount, ...]:
        """How well each number of factors does."""
        n_items = int((~np.isnan(self.values)).any(axis=1).sum())
        speaking = int((~self.fits[1].silent).sum())
        choices = []
        for k, fit in enumerate(self.fits):
            plain, extended = criteria(fit.log_likelihood, k, n_items, speaking)
            choices.append(FactorCount(k, *self._held(k), bic=plain, extended_bic=extended))
        return tuple(choices)

    def _held(self, k: int) -> tuple[float | None, float | None, float | None]:
        if self.held is None:
            return None, None, None
        per_item, gain, error = self.held.per_item, self.held.gain, self.held.gain_se
        return float(per_item[k]), float(gain[k]), float(error[k])

    def residuals(self, judges: tuple[str, ...]) -> tuple[ResidualPair, ...]:
        """Pairs of judges whose residuals correlate most, either way, strongest first."""
        left = residual_correlations(self.one, self.values)
        pairs = sorted(combinations(range(len(judges)), 2), key=lambda pair: -abs(left[pair]))
        return tuple(
            ResidualPair(judges[i], judges[j], float(left[i, j]))
            for i, j in pairs[: policy.MOST_PAIRS]
            if left[i, j] != 0
        )

    def noise(self, law: FactorLaw | None) -> Floats:
        """Return (N,) the share of each judge's variance that a law leaves; nothing without one."""
        if law is None:
            return np.zeros(0)
        size = law.variance
        return np.where(size > 0, law.noise / np.where(size > 0, size, 1.0), 1.0)

    def turned_loading(self) -> Floats:
        """Return (N, 2) loadings on the turned factors, or (N, 0)."""
        return (
            np.zeros((self.values.shape[1], 0)) if self.two is None else self.two.standard_loading
        )

    def scores(self) -> Floats:
        """Return (n_items, 1 + k) where items stand on one factor and on each turned factor."""
        laws = [self.one] if self.two is None else [self.one, self.two]
        return np.column_stack([posterior(law, self.values).mean for law in laws])

    def heard(self) -> tuple[Floats, Floats]:
        """Return (k,) how many judges load on each turned factor, and (1 + k,) how many each score hears."""
        two = np.zeros(0) if self.two is None else voices(self.two)
        return breadth(self.turned_loading()), np.concatenate([voices(self.one), two])


def _sample(values: Floats, clusters: Ranks, rng: np.random.Generator) -> Ranks:
    """Rows of whole clusters, drawn at random, of at most `policy.HELD_OUT_CELLS` cells."""
    rows = np.arange(len(values))
    if values.size <= policy.HELD_OUT_CELLS:
        return rows
    order = rng.permutation(int(clusters.max()) + 1)
    sizes = np.bincount(clusters, minlength=len(order))[order]
    taken = order[np.cumsum(sizes) * values.shape[1] <= policy.HELD_OUT_CELLS]
    chosen: Ranks = rows[np.isin(clusters, taken)]
    return chosen


# --- What is said of the things judges share: a verdict in two sentences, and what to beware of.


_NUMBER = {0: "no factor", 1: "one factor", 2: "two factors", 3: "three factors"}
_FEWEST = 5  # judges: fewer correlations fit two factors in endlessly many ways


def verdict(outcome: Confounders) -> str:
    """Whether judges share more than one thing, and what goes with it."""
    return f"{_how_many_factors(outcome)} {_what_goes_with_them(outcome)}"


def _how_many_factors(outcome: Confounders) -> str:
    judges = how_many(len(outcome.judges), "judge")
    several = [factors for factors in outcome.choice if factors.k > 1]
    if not several:
        return (
            f"The {judges} are too few to tell two shared things from one ({_FEWEST} whose scores vary are "
            "needed)."
        )
    count = outcome.shared
    if count is not None:
        return (
            f"The {judges} share more than one thing: {_NUMBER[count.k]} predict held-out scores better "
            f"than one, by {_gain(count)}."
        )
    if several[0].gain is None:
        return (
            f"Whether the {judges} share more than one thing is open: a single cluster leaves nothing to "
            "hold out."
        )
    none = outcome.choice[0]
    if none.gain is not None and none.gain > -policy.BEYOND * (none.error or 0.0):
        return (
            f"Nothing shows that the {judges} share anything: without any factor held-out scores are "
            f"predicted as well as with one (by {_gain(none)})."
        )
    return (
        f"Nothing shows that the {judges} share more than one thing: {_NUMBER[2]} predict held-out scores "
        f"no better than one (by {_gain(several[0])})."
    )


def _gain(count: FactorCount) -> str:
    return f"{count.gain or 0.0:.2f} nats an item, standard error {count.error or 0.0:.2f}"


def second_factor_note(data: Scores) -> list[str]:
    """Sentence where two factors predict each half of the items from the other better than one does."""
    values, rng = NormalScores.of(data.values).transform(data.values), np.random.default_rng(0)
    values = values[_sample(values, np.arange(len(values)), rng)]
    speaking = int((np.nan_to_num(values) != 0).any(axis=0).sum())
    if len(values) < policy.FEWEST_HALVED or freedom(speaking, 2) < 0:
        return []
    held = held_out(values, np.arange(len(values)), rng=rng, ks=(1, 2), folds=2, tol=1e-3)
    per_item, gain, error = (float(x[1]) for x in (held.per_item, held.gain, held.gain_se))
    count = FactorCount(2, per_item, gain, error, bic=0.0, extended_bic=0.0)
    if not count.better:
        return []
    return [
        f"Two factors predict held-out scores better than one, by {_gain(count)}: judges share more than "
        "one thing, and nothing here says which is quality; see confounders."
    ]


def _what_goes_with_them(outcome: Confounders) -> str:
    looks, end = len(outcome.associations), "nothing here says which is quality."
    if not looks:
        return f"No attributes were given that could say what they share; {end}"
    if not outcome.more_than_one:
        strongest = outcome.named(ONE)
        sentence = (
            _none(outcome)
            if strongest is None
            else f"What they share goes most with {strongest.words()}"
        )
        return f"{sentence}; nothing here says whether that is quality."
    narrow, broad = (outcome.named(factor_name(k)) for k in (1, 0))
    if narrow is None and broad is None:
        return f"{_none(outcome)}; {end}"
    return f"The narrower one goes most with {_named(narrow)}, the broader one with {_named(broad)}; {end}"


def _named(attribute: Association | None) -> str:
    return "no attribute beyond chance" if attribute is None else attribute.words()


def _none(outcome: Confounders) -> str:
    many = len({association.attribute for association in outcome.associations})
    return f"None of {how_many(many, 'attribute')} goes with what they share beyond chance"


def voices_notes(outcome: Confounders) -> tuple[str, ...]:
    """Sentence on each factor that listens to few of many judges; on two only if two are there."""
    if len(outcome.judges) < policy.MANY_JUDGES:
        return ()
    names = outcome.factors
    return tuple(
        f"The score of {name} listens to {voices:.1f} of {len(outcome.judges)} judges: near copies may be "
        "the factor."
        for name, voices in zip(names, outcome.voices.tolist(), strict=True)
        if voices < policy.FEW_VOICES and (name == ONE or outcome.more_than_one)
    )


def left_out_note(n_held: int, n_items: int) -> tuple[str, ...]:
    """Sentence where only some items were held out in turn."""
    if n_held in (0, n_items):
        return ()
    return (f"For time, {n_held} of {n_items} items, drawn at random, were held out in turn.",)


def repeated_note(data: Scores) -> tuple[str, ...]:
    """Sentence where many items have exactly the scores of others, though judges give many."""
    levels = [len(np.unique(column[~np.isnan(column)])) for column in data.values.T]
    rows = len(np.unique(data.values, axis=0, equal_nan=False))
    if np.median(levels) < policy.MANY_LEVELS or 2 * rows > data.n_items:
        return ()
    return (
        f"The {data.n_items} items have {rows} different rows of scores: items that belong together count "
        "as often as they are there; name them with cluster.",
    )


def unread_note(names: Sequence[str]) -> tuple[str, ...]:
    """Sentence on attributes that hold no numbers, or do not vary."""
    if not names:
        return ()
    return (f"Attributes without numbers that vary were not looked at: {', '.join(names)}.",)


# --- Whether judges share more than one thing, and what goes with it.


Columns = Mapping[str, Sequence[Any]]


def confounders(
    data: Source | Scores,
    *,
    attributes: Columns | None = None,
    texts: Mapping[Any, Any] | Sequence[Any] | None = None,
    cluster: str | Sequence[Any] | None = None,
    prevalence: Any = None,
    cut: object = None,
    folds: int = 5,
    seed: int = 0,
) -> Confounders:
    """Whether judges share more than one thing, who follows what, and which attributes go with it.

    Use it before you trust a consensus of scores: judges may share a taste, such as one for long
    texts, beside what you mean. Scores show that there is more than one shared thing; they cannot
    show which is quality. So nothing is corrected here. The result lists what each correction would
    move, and what you would assert by it.

    Parameters
    ----------
    data : Scores, or a table of scores
        A key is never read.
    attributes : {name: sequence of n_items}, optional
        What else is known of the items, beside the attributes that the scores carry; None where it is
        not known. Those that hold numbers are used.
    texts : {item: text}, or sequence of n_items, optional
        The texts that were judged; their `text_features` become attributes.
    cluster : str or sequence of n_items, optional
        Attribute, or ids, of items that belong together, such as answers to one question. Whole
        clusters are held out, and standard errors are over clusters.
    prevalence, cut
        Where the higher class begins, as of the method 'factor'; matters for the items that flip.
    folds : int
        At least 2.
    seed : int
        Of the folds and the starts.

    Returns
    -------
    Confounders
        Status ok; not_converged; undetermined where the judges are too few to tell two shared things
        from one (5 are needed); not_identifiable where they settle not even one.

    Raises
    ------
    DataError
        If there are no scores, an attribute is not known or too short, or a setting is out of range.

    Notes
    -----
    Factors as of `factor`, on normal scores; held-out log-likelihood by clusters; varimax for two.
    Correlations are Spearman's, with errors by the delta method over clusters; that the factors are
    estimated is left out of them. Very large tables are held out in part, which a warning says.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> quality, length = rng.normal(size=(2, 300))
    >>> likes = {f"j{k}": quality + (k > 3) * length + rng.normal(size=300) for k in range(7)}
    >>> found = confounders(likes, attributes={"length": length})
    >>> found.more_than_one, found.named("factor 2").attribute
    (True, 'length')
    """
    scores = score_table(data)
    check_whole("folds", folds, 2)
    blind = scores.without_key()
    supplied = _with_texts(blind, attributes, texts)
    clusters = cluster_of(blind, cluster, supplied)
    settings = {"prevalence": prevalence, "cut": cut, "seed": seed}
    plain = method("factor", "scores")(blind, **settings)
    options = plain.settings | {"folds": folds, "cluster": _spelled(cluster)}
    options = {name: options[name] for name in ("prevalence", "cut", "cluster", "folds", "seed")}
    if plain.status is Status.NOT_IDENTIFIABLE:
        return _refused(blind, options, clusters, plain)
    factors = SharedFactors.of(blind, clusters, folds=folds, seed=seed)
    numbers = numeric_attributes(blind, supplied)
    links = associations(blind, factors.scores(), numbers, clusters)
    others = alternatives(
        blind,
        plain,
        rotate=factors.two is not None,
        discounted={name: numbers[name] for name in _to_discount(links)},
        cluster=None if cluster is None else clusters.tolist(),
        settings=settings,
    )
    breadth, voices = factors.heard()
    outcome = Confounders(
        status=_status(factors),
        message="",
        judges=blind.judges,
        items=blind.items,
        settings=options,
        n_clusters=len(np.unique(clusters)),
        choice=factors.choice(),
        loading=read_only(factors.one.standard_loading[:, 0]),
        noise=read_only(factors.noise(factors.one)),
        turned=read_only(factors.turned_loading()),
        turned_noise=read_only(factors.noise(factors.two)),
        breadth=read_only(breadth),
        voices=read_only(voices),
        residuals=factors.residuals(blind.judges),
        associations=links,
        alternatives=others.shifts,
        acts=(ONE, *(shift.act for shift in others.shifts)),
        traits=read_only(others.traits),
        decisions=read_only(others.decisions),
    )
    notes = (
        *plain.warnings,
        *voices_notes(outcome),
        *left_out_note(factors.n_held, blind.n_items),
        *(repeated_note(blind) if cluster is None else ()),
        *unread_note(
            [n for n in attribute_names(blind, supplied) if n not in numbers and n != cluster]
        ),
    )
    return replace(outcome, message=verdict(outcome), warnings=notes)


def _with_texts(
    data: Scores, attributes: Columns | None, texts: Mapping[Any, Any] | Sequence[Any] | None
) -> Columns:
    """Attributes given, and those of the texts under names that are free."""
    if attributes is not None and not isinstance(attributes, Mapping):
        raise DataError(
            f"attributes must be columns by name; got {attributes!r}; write {{column: cells}}"
        )
    columns = dict(attributes or {})
    if texts is None:
        return columns
    if isinstance(texts, Mapping):
        by_item = {str(item): text for item, text in texts.items()}
        texts = [by_item.get(item) for item in data.items]
    if isinstance(texts, str) or len(texts) != data.n_items:
        raise DataError(
            f"texts must be one per item ({data.n_items}); got {len(texts)}; give {{item: text}}, or None "
            "where there is none"
        )
    taken = [*(data.attributes or {}), *columns]
    return columns | {free_name(n, taken): column for n, column in text_features(texts).items()}


def _spelled(cluster: str | Sequence[Any] | None) -> str | None:
    return cluster if isinstance(cluster, str | None) else "given"


def _to_discount(links: Sequence[Association]) -> list[str]:
    """Attributes that go most with the second factor, beyond the luck of all the looks."""
    sure = [link for link in links if link.name == factor_name(1) and link.beyond(len(links))]
    return [link.attribute for link in sure if link.kind == "factor"][: policy.MOST_DISCOUNTED]


def _status(factors: SharedFactors) -> Status:
    if factors.two is None or factors.held is None:
        return Status.UNDETERMINED
    return Status.OK if factors.converged else Status.NOT_CONVERGED


def _refused(
    data: Scores, settings: dict[str, Any], clusters: NDArray[np.intp], plain: ScoreAggregation
) -> Confounders:
    """Result where the scores settle not even one factor: nothing."""
    n_judges, n_items = data.n_judges, data.n_items
    return Confounders(
        status=plain.status,
        message=plain.message,
        judges=data.judges,
        items=data.items,
        settings=settings,
        n_clusters=len(np.unique(clusters)),
        choice=(),
        loading=read_only(np.zeros(n_judges)),
        noise=read_only(np.ones(n_judges)),
        turned=read_only(np.zeros((n_judges, 0))),
        turned_noise=read_only(np.zeros(0)),
        breadth=read_only(np.zeros(0)),
        voices=read_only(np.zeros(0)),
        residuals=(),
        associations=(),
        alternatives=(),
        acts=(),
        traits=read_only(np.zeros((n_items, 0))),
        decisions=read_only(np.zeros((n_items, 0), np.int16)),
        warnings=plain.warnings,
    )
