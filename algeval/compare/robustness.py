"""What copies, judges taken greedily, false positives and more items do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import METHODS, SCORE_METHODS, aggregate
from algeval.aggregate.results import Floats as Floats_of_results
from algeval.aggregate.results import decide
from algeval.aggregate.score_fitting import anchor_values
from algeval.aggregate.score_results import cluster_of
from algeval.compare.comparison import Moved, Robustness, on_panel_scale, settings_of
from algeval.data import NOT_ANSWERED, Scores, Votes
from algeval.data.names import check_choice, check_number, check_whole
from algeval.data.reading import Source
from algeval.door import score_table
from algeval.errors import AlgevalError, DataError, option
from algeval.progress import steps
from algeval.result import Result, Status, percent
from algeval.result.base import Record
from algeval.result.numbers import as_float, how_many
from algeval.result.tables import Table

# --- How far a perturbation that leaves the content alone moves a consensus, and each judge.


def robustness(
    before: Source | Scores,
    after: Source | Scores,
    methods: Sequence[str] = ("average", "median", "rank-factor", "factor"),
    *,
    by: str | None = None,
    fit: str = "together",
    cluster: str | Sequence[Any] | None = None,
    n_samples: int = 1000,
    seed: int = 0,
    settings: Mapping[str, Mapping[str, Any]] | None = None,
) -> Robustness:
    """Compare consensus scores of the same items before and after a perturbation of no content.

    Use it on answers dressed up (emojis, a made-up citation) and scored again by the same judges. A
    small change is good only if the perturbation should change nothing, and a consensus that never
    moves is as useless as it is robust: read `relative`, and accuracy elsewhere. No key is read.

    Parameters
    ----------
    before, after : Scores, or tables of them
        Judges of both tables are compared, items matched.
    methods : sequence of str
        Methods of scores; the first is the one others are compared with.
    by : str, optional
        Attribute that names the item in both tables; by default the item ids do.
    fit : "together" or "apart"
        "together" fits a method once to both versions: one law, one scale and one threshold, so that a
        difference is the perturbation's; but what the perturbation adds is among what is fitted.
        "apart" fits each version by itself, as two runs would: differences then hold those of the two
        laws, and a threshold taken from the prevalence follows the perturbation. Average and median
        have the same scores either way.
    cluster : str or sequence, optional
        Attribute of `before`, or an id per item of it, of items that are resampled together.
    n_samples, seed : int
        Bootstrap resamples of items or clusters; the laws are held fixed.
    settings : mapping from method to its settings, optional

    Returns
    -------
    Robustness

    Raises
    ------
    DataError
        If no item or judge is in both tables, or `by` does not tell items apart.

    Notes
    -----
    The protocol of CARE, section 5.4, whose data are not published with judges' scores.

    Examples
    --------
    >>> x = Scores.from_columns({"i": [1, 2, 8, 9], "j": [1, 3, 2, 4], "k": [0, 1, 1, 2]})
    >>> y = Scores(x.items, x.judges, x.values + [1.0, 0.0, 0.0])
    >>> found = robustness(x, y, ["average", "median"])
    >>> round(found["average"].change, 3), found["i"].change
    (0.333, 1.0)
    """
    check_choice("fit", fit, ("together", "apart"))
    if isinstance(methods, str) or not methods:
        raise DataError(f"methods must be a list of at least one name; got {methods!r}")
    pair = _Pair.of(score_table(before, "before"), score_table(after, "after"), by, cluster)
    options = settings_of(methods, settings)
    take = _together if fit == "together" else _apart
    versions = [take(pair, name, options[name]) for name in steps(methods, "fitting twice")]
    judges = [_judge(pair, index) for index in range(pair.before.n_judges)]
    error = _Errors.of(
        [*versions, *judges],
        pair.clusters,
        check_whole("n_samples", n_samples, 2),
        check_whole("seed", seed, 0),
    )
    n, k = len(versions), len(methods)
    moved = tuple(_moved(name, versions[m], error, m, k) for m, name in enumerate(methods))
    failed = next((v.status for v in versions if v.status is not Status.OK), Status.OK)
    return Robustness(
        status=failed,
        message=(
            f"{how_many(pair.before.n_items, 'item')} and {how_many(pair.before.n_judges, 'judge')} before "
            f"and after; each method fitted to both {fit}; standard errors from {n_samples} resamples of "
            f"{how_many(int(pair.clusters.max()) + 1, 'item' if cluster is None else 'cluster')}, the fits "
            "held fixed."
        ),
        methods=moved,
        judges=tuple(
            _moved(name, judges[j], error, n + j, 0) for j, name in enumerate(pair.before.judges)
        ),
        n_items=pair.before.n_items,
        n_clusters=int(pair.clusters.max()) + 1,
        fit=fit,
        n_samples=n_samples,
        seed=seed,
        settings=options,
        warnings=tuple(pair.notes),
    )


class _Pair(NamedTuple):
    """The same items and judges before and after, in the same order; the cluster of each; notes."""

    before: Scores
    after: Scores
    clusters: NDArray[np.intp]
    notes: list[str]

    @classmethod
    def of(cls, before: Scores, after: Scores, by: str | None, cluster: Any) -> _Pair:
        judges = [judge for judge in before.judges if judge in after.judges]
        old, new = _places(before, by, "before"), _places(after, by, "after")
        common = [name for name in old if name in new]
        if not judges or not common:
            what = "judge" if not judges else "item"
            raise DataError(
                f"before and after must have a {what} in common; they have none; are the names the same?"
            )
        kept = before.select(judges, [old[name] for name in common]).without_key()
        there = after.select(judges, [new[name] for name in common]).without_key()
        of_all = dict(zip(before.items, cluster_of(before, cluster).tolist(), strict=True))
        clusters = np.unique([of_all[item] for item in kept.items], return_inverse=True)[1]
        left = {
            "item": len(old) + len(new) - 2 * len(common),
            "judge": before.n_judges + after.n_judges - 2 * len(judges),
        }
        notes = [
            f"{how_many(n, what + ' is', what + 's are')} in one of the tables only, and left out."
            for what, n in left.items()
            if n
        ]
        return cls(kept, there, clusters, notes)


def _places(table: Scores, by: str | None, which: str) -> dict[str, str]:
    """Mapping {name of the item: its id}."""
    if by is None:
        return {item: item for item in table.items}
    column = (table.attributes or {}).get(by)
    if column is None:
        raise DataError(
            f"attribute {by!r} must be in both tables; {which} has {list(table.attributes or {})}; leave "
            "it out to match on item ids"
        )
    pairs = [
        (name, item) for name, item in zip(column, table.items, strict=True) if name is not None
    ]
    column_of = dict(pairs)
    if len(column_of) < len(pairs):
        raise DataError(
            f"attribute {by!r} must name each item once; in {which} it repeats a name; choose one that does"
        )
    return column_of


class _Version(NamedTuple):
    """Scores (n_items,) before and after, the classes of both if there are any, and how the fit ended."""

    before: Floats_of_results
    after: Floats_of_results
    classes: tuple[NDArray[np.int16], NDArray[np.int16]] | None
    status: Status


def _together(pair: _Pair, method: str, settings: dict[str, Any]) -> _Version:
    n = pair.before.n_items
    items = [f"{when}: {item}" for when in ("before", "after") for item in pair.before.items]
    columns, two = pair.before.attributes or {}, pair.after.attributes or {}
    attributes = {name: (*columns[name], *two[name]) for name in columns if name in two}
    values = np.vstack([pair.before.values, pair.after.values])
    fit = aggregate(
        Scores(items, pair.before.judges, values, None, attributes),  # type: ignore[arg-type]
        method,
        **settings,
    )
    scores, classes = fit.item_scores, fit.decisions
    return _Version(scores[:n], scores[n:], (classes[:n], classes[n:]), fit.status)


def _apart(pair: _Pair, method: str, settings: dict[str, Any]) -> _Version:
    fit, two = (aggregate(table, method, **settings) for table in (pair.before, pair.after))
    status = two.status if fit.status.ok else fit.status
    return _Version(fit.item_scores, two.item_scores, (fit.decisions, two.decisions), status)


def _judge(pair: _Pair, index: int) -> _Version:
    return _Version(pair.before.values[:, index], pair.after.values[:, index], None, Status.OK)


class _Errors(NamedTuple):
    """Mean absolute changes (rows,) and their bootstrap draws (n_samples, rows); NaN without a fit."""

    change: Floats_of_results
    draws: Floats_of_results

    @classmethod
    def of(
        cls, versions: Sequence[_Version], clusters: NDArray[np.intp], n_samples: int, seed: int
    ) -> _Errors:
        change = np.column_stack([np.abs(v.after - v.before) for v in versions])
        seen = ~np.isnan(change)
        m = int(clusters.max()) + 1
        total, count = np.zeros((m, len(versions))), np.zeros((m, len(versions)))
        np.add.at(total, clusters, np.where(seen, change, 0.0))
        np.add.at(count, clusters, seen)
        rng = np.random.default_rng(seed)
        draws = np.full((n_samples, len(versions)), np.nan)
        if m < 2:
            return cls(_ratio(total.sum(axis=0), count.sum(axis=0)), draws)
        for k in steps(range(n_samples), "resampling items for errors"):
            times = rng.multinomial(m, np.full(m, 1 / m))
            draws[k] = _ratio(times @ total, times @ count)
        return cls(_ratio(total.sum(axis=0), count.sum(axis=0)), draws)


def _ratio(total: Floats_of_results, count: Floats_of_results) -> Floats_of_results:
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def _moved(name: str, version: _Version, errors: _Errors, row: int, n_methods: int) -> Moved:
    """What became of one method, or judge (n_methods 0)."""
    both = ~np.isnan(version.before) & ~np.isnan(version.after)
    if not both.any():
        none: dict[str, Any] = dict.fromkeys(("change", "error", "shift", "spread"))
        return Moved(name=name, n_items=0, status=version.status.value, **none)
    x, y = version.before[both], version.after[both]
    compared = n_methods > 1 and row > 0 and not np.isnan(errors.change[0])
    apart = errors.draws[:, row] - errors.draws[:, 0]
    return Moved(
        name=name,
        n_items=int(both.sum()),
        change=float(errors.change[row]),
        error=_deviation(errors.draws[:, row]),
        shift=float((y - x).mean()),
        spread=float(x.std()),
        flipped=None if version.classes is None else _flipped(*version.classes),
        difference=float(errors.change[row] - errors.change[0]) if compared else None,
        difference_error=_deviation(apart) if compared else None,
        status=version.status.value,
    )


def _deviation(draws: Floats_of_results) -> float | None:
    return None if np.isnan(draws).all() else float(np.nanstd(draws, ddof=1))


def _flipped(before: NDArray[np.int16], after: NDArray[np.int16]) -> float:
    """Share of the items decided both times, and differently."""
    decided = (before != NOT_ANSWERED) & (after != NOT_ANSWERED)
    return float((decided & (before != after)).mean())


# --- How accuracy grows with items and with judges: fit on some items, predict the rest, score.


_SURE = 1e-15
_TIE = 1e-9
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """One method at one size.

    Attributes
    ----------
    method : str
    n_items, n_judges : int
        Items fitted to and judges used.
    n_done : int
        Repeats that gave a fit; the others failed, and are not in the means.
    accuracy, accuracy_error : float or None
        Mean share of the unseen keyed items labelled right (a tie of k labels counts 1/k), and the
        standard error of that mean over repeats (None with fewer than two).
    log_loss, log_loss_error : float or None
        The same for -log of the probability of the true label, nats.
    """

    method: str
    n_items: int
    n_judges: int
    n_done: int
    accuracy: float | None
    accuracy_error: float | None
    log_loss: float | None
    log_loss_error: float | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LearningCurve(Result):
    """Accuracy and log loss on unseen items, by method and size.

    Attributes
    ----------
    status : Status
        ok; not_identifiable where some method gave no fit in some repeat.
    points : tuple of CurvePoint
    methods : tuple of str
    sizes, n_judges : tuples of int
    n_repeats, seed : int
    settings : dict
        Settings of the methods.
    """

    schema: ClassVar[str] = "algeval.learning_curve/1"

    points: tuple[CurvePoint, ...]
    methods: tuple[str, ...]
    sizes: tuple[int, ...]
    n_judges: tuple[int, ...]
    n_repeats: int
    seed: int
    settings: dict[str, Any]

    def of(self, method: str, *, n_judges: int | None = None) -> list[CurvePoint]:
        """One method's points in order of size, for one number of judges (default: most)."""
        if method not in self.methods:
            raise DataError(f"method {method!r} is not on the curve; choose from {self.methods}")
        wanted = max(self.n_judges) if n_judges is None else n_judges
        return [p for p in self.points if p.method == method and p.n_judges == wanted]

    def as_tables(self) -> tuple[Table, ...]:
        """Row per point, with the fields of `CurvePoint`."""
        return (Table.of_records("Unseen items", CurvePoint, self.points),)

    def summary(self) -> str:
        """One line per point."""
        return "\n".join([self.message, *(_line(point) for point in self.points)])


def _line(point: CurvePoint) -> str:
    text = f"  {point.method}, {how_many(point.n_judges, 'judge')}, {how_many(point.n_items, 'item')}: "
    if point.accuracy is None:
        return text + "no fit"
    error = f" +- {point.accuracy_error:.4f}" if point.accuracy_error is not None else ""
    return text + f"accuracy {point.accuracy:.4f}{error}, log loss {point.log_loss:.3f}"


def learning_curve(
    votes: Votes,
    methods: Sequence[str] = ("majority", "dawid-skene", "recommended"),
    *,
    sizes: Sequence[int],
    n_judges: Sequence[int] | None = None,
    n_repeats: int = 10,
    seed: int = 0,
    settings: Mapping[str, Mapping[str, Any]] | None = None,
) -> LearningCurve:
    """Fit each method on n items without the key, predict the other items, score against the key.

    Use it to see how many items or judges are worth their cost, on votes that carry a key. The
    same items and judges are drawn for every method of a repeat, so methods can be compared pair
    by pair; with more items, the ones drawn before stay. Error bars are over repeats, which share
    items: they understate how much another test would differ.

    Parameters
    ----------
    votes : Votes
        With a key; it is taken off before any fit. Unkeyed items are fitted to, not scored.
    methods : sequence of str
        Of `aggregate`.
    sizes : sequence of int
        Items to fit on, each below the number of items.
    n_judges : sequence of int, optional
        Judges to draw; by default all.
    n_repeats, seed : int
    settings : mapping from method to its settings, optional

    Returns
    -------
    LearningCurve

    Raises
    ------
    DataError
        If there is no key, or a size leaves no keyed item to predict.

    Notes
    -----
    The protocol of Figure 3 of Balasubramanian et al.: fit on n items, predict the rest.

    Examples
    --------
    >>> import algeval as ae
    >>> votes = Votes.from_columns({j: list("aabbab") for j in "ijk"}, key=list("aabbaa"))
    >>> curve = learning_curve(votes, ["majority"], sizes=[2, 4], n_repeats=3)
    >>> [point.n_items for point in curve.of("majority")]
    [2, 4]
    """
    counts = (votes.n_judges,) if n_judges is None else tuple(n_judges)
    _check(votes, methods, tuple(sizes), counts, n_repeats)
    options = {name: dict((settings or {}).get(name, {})) for name in methods}
    shape = (len(methods), len(counts), len(sizes), n_repeats)
    right, loss = np.full(shape, np.nan), np.full(shape, np.nan)
    for repeat in steps(range(n_repeats), "fitting on parts of the items"):
        rng = np.random.default_rng([seed, repeat])
        order, panel = rng.permutation(votes.n_items), rng.permutation(votes.n_judges)
        for k, judges in enumerate(counts):
            part = votes.select(judges=[votes.judges[j] for j in np.sort(panel[:judges])])
            for s, size in enumerate(sizes):
                for m, name in enumerate(methods):
                    result = _once(part, order[:size], order[size:], name, options[name])
                    right[m, k, s, repeat], loss[m, k, s, repeat] = result
    points = tuple(
        _point(name, counts[k], sizes[s], right[m, k, s], loss[m, k, s])
        for m, name in enumerate(methods)
        for k in range(len(counts))
        for s in range(len(sizes))
    )
    failed = int(np.isnan(right).sum())
    message = f"Accuracy on unseen items over {n_repeats} repeats of {len(points)} points"
    return LearningCurve(
        status=Status.NOT_IDENTIFIABLE if failed else Status.OK,
        message=f"{message}; {failed} fits failed and are left out." if failed else f"{message}.",
        points=points,
        methods=tuple(methods),
        sizes=tuple(int(size) for size in sizes),
        n_judges=tuple(int(judges) for judges in counts),
        n_repeats=n_repeats,
        seed=seed,
        settings=options,
    )


def _once(
    votes: Votes, seen: NDArray[np.intp], unseen: NDArray[np.intp], name: str, settings: Any
) -> tuple[float, float]:
    """Accuracy and log loss on unseen keyed items, NaN where the method gave no fit."""
    key: Any = votes.key
    unseen = unseen[key[unseen] != NOT_ANSWERED]
    train = votes.select(items=[votes.items[i] for i in np.sort(seen)]).without_key()
    rest = votes.select(items=[votes.items[i] for i in unseen]).without_key()
    try:
        fitted = aggregate(train, name, **settings)
    except DataError:
        raise
    except AlgevalError:
        return np.nan, np.nan
    if fitted.evaluation is None:
        return np.nan, np.nan
    return _score(fitted.predict(rest), key[unseen])


def _score(posterior: Floats, truth: NDArray[Any]) -> tuple[float, float]:
    first = posterior >= posterior.max(axis=1, keepdims=True) - _TIE
    rows = np.arange(len(truth))
    credit = first[rows, truth] / first.sum(axis=1)
    loss = -np.log(np.maximum(posterior[rows, truth], _SURE))
    return float(credit.mean()), float(loss.mean())


def _point(name: str, judges: int, size: int, right: Floats, loss: Floats) -> CurvePoint:
    done = ~np.isnan(right)
    accuracy, accuracy_error = _mean(right[done])
    log_loss, log_loss_error = _mean(loss[done])
    return CurvePoint(
        method=name,
        n_items=int(size),
        n_judges=int(judges),
        n_done=int(done.sum()),
        accuracy=accuracy,
        accuracy_error=accuracy_error,
        log_loss=log_loss,
        log_loss_error=log_loss_error,
    )


def _mean(values: Floats) -> tuple[float | None, float | None]:
    if not len(values):
        return None, None
    error = float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else None
    return float(values.mean()), error


def _check(
    votes: Votes, methods: Sequence[str], sizes: Sequence[int], judges: Sequence[int], repeats: int
) -> None:
    if not isinstance(votes, Votes) or votes.key is None:
        raise DataError(
            f"votes must carry a key to score with; got none; pass {option('key')} when reading"
        )
    if not methods or not sizes or not judges:
        raise DataError("methods, sizes and n_judges must not be empty; name at least one of each")
    n_unkeyed = int((votes.key == NOT_ANSWERED).sum())
    most = votes.n_items - n_unkeyed - 1
    for size in sizes:
        check_whole("sizes", size, 1, most)
    for number in judges:
        check_whole("n_judges", number, 1, votes.n_judges)
    check_whole("n_repeats", repeats)


# --- Programs as judges: added one by one while anchors say that the consensus gets better.


@dataclass(frozen=True, slots=True, kw_only=True)
class GreedyStep(Record):
    """The panel after one addition.

    Attributes
    ----------
    added : str or None
        The judge; None of the panel as it was.
    n_judges : int
    validation_error : float
        Mean absolute error on the anchors that chose, so optimistic.
    held_out_error : float or None
        The same on those that did not; None where none were kept.
    """

    added: str | None
    n_judges: int
    validation_error: float
    held_out_error: float | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GreedyJudges(Result):
    """Which judges were worth adding, by known scores of some items.

    Attributes
    ----------
    status : Status
        ok; that of the fit of the base panel where it has none.
    steps : tuple of GreedyStep
        The base panel first; up to `patience` steps beyond the best.
    chosen : tuple of str
        Those added up to the step of the smallest validation error, in order.
    gain, gain_error : float or None
        Error on the held-out anchors before less after, and its standard error, paired by anchor.
    n_validation, n_held_out : int
        Labels used to choose, and to measure.
    method, patience, seed
    settings : dict
        Of the method.
    """

    schema: ClassVar[str] = "algeval.greedy_judges/1"

    steps: tuple[GreedyStep, ...]
    chosen: tuple[str, ...]
    gain: float | None
    gain_error: float | None
    n_validation: int
    n_held_out: int
    method: str
    patience: int
    seed: int
    settings: dict[str, Any] = field(default_factory=dict)

    def as_tables(self) -> tuple[Table, ...]:
        """Row per step."""
        return (Table.of_records("Judges added", GreedyStep, self.steps),)

    def summary(self) -> str:
        """Verdict and one line per step."""
        return "\n".join([self.message, *map(_line_of_greedy, self.steps)])


def _line_of_greedy(step: GreedyStep) -> str:
    text = f"  {'base panel' if step.added is None else '+ ' + step.added}: "
    text += f"error {step.validation_error:.4g} on the anchors that chose"
    return text + (
        "" if step.held_out_error is None else f", {step.held_out_error:.4g} on those held out"
    )


def greedy_judges(
    base: Source | Scores,
    candidates: Source | Scores,
    validation: Mapping[Any, Any],
    *,
    method: str = "factor",
    patience: int = 4,
    held_out: float = 0.5,
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
) -> GreedyJudges:
    """Add the candidate that lowers the error on known scores most, again and again.

    Use it to see whether cheap programs (length, overlap, keywords) are worth a place beside the judges.
    It is supervised: it uses the known scores, though no method reads them. The least of many
    errors is too good to be true, so a part of the anchors chooses and the rest says what that was
    worth.

    Parameters
    ----------
    base : Scores, or a table of them
    candidates : Scores, or a table of them
        Other judges, joined on item ids; each is brought to the mean and spread of the base panel.
        Items beyond those of the base are left out.
    validation : {item: score}
        Known scores on the judges' scale, at least 2 to choose by and 2 to hold out.
    method : str
        Of scores.
    patience : int
        Steps without a new least error after which it stops.
    held_out : number from 0 to below 1
        Share of the anchors that never choose; 0 leaves none to measure by.
    seed : int
        Of the split.
    settings : {name: value}, optional
        Of the method.

    Returns
    -------
    GreedyJudges

    Raises
    ------
    DataError
        If an anchor is no item of the base, anchors are too few, or a candidate is a judge of the base.

    Notes
    -----
    The protocol of CARE, section 5.3, which reports the error at the chosen step; there the anchors were
    10% of the training items.

    Examples
    --------
    >>> x = np.arange(12.0)
    >>> s = Scores.from_columns({"i": x + x % 2, "j": x + x % 3, "k": x - x % 5})
    >>> program = Scores.from_columns({"noise": x % 4, "good": 100 * x})
    >>> greedy_judges(s, program, {k + 1: x[k] for k in range(12)}, method="average").chosen[0]
    'good'
    """
    patience = check_whole("patience", patience)
    panel, programs = score_table(base, "base"), score_table(candidates, "candidates")
    path = _Search.of(panel, programs, validation, held_out, seed)._replace(
        method=method, settings=dict(settings or {})
    )
    start = path.errors(())
    if start is None:
        status = aggregate(panel, method, **path.settings).status
        return path.result((), [], status, patience, seed)
    added: tuple[str, ...] = ()
    steps, best = [(added, start)], 0
    while len(steps) - 1 - best < patience:
        result = path.next(added)
        if result is None:
            break
        added = result[0]
        steps.append(result)
        if path.chooses(result[1]) < path.chooses(steps[best][1]):
            best = len(steps) - 1
    return path.result(steps[best][0], steps, Status.OK, patience, seed)


Step = tuple[tuple[str, ...], Floats_of_results]


class _Search(NamedTuple):
    """The joined panel, and the known scores: which of them choose, and which are held out."""

    panel: Scores
    n_base: int
    known: Floats_of_results
    choosing: NDArray[np.intp]
    held: NDArray[np.intp]
    method: str = ""
    settings: Mapping[str, Any] = {}

    @classmethod
    def of(
        cls,
        base: Scores,
        candidates: Scores,
        validation: Mapping[Any, Any],
        held_out: float,
        seed: int,
    ) -> _Search:
        check_number("held_out", held_out, least=0.0, most=1.0)
        anchors: Any = anchor_values(base.items, validation or {})
        order = np.random.default_rng(seed).permutation(np.flatnonzero(~np.isnan(anchors)))
        n_held = round(held_out * len(order))
        if len(order) - n_held < 2 or (held_out > 0 and n_held < 2):
            raise DataError(
                f"validation must hold at least 2 anchors to choose by and 2 held out; got {len(order)}; "
                "give more, or held_out=0"
            )
        blind = base.without_key()
        scaled = on_panel_scale(candidates.values, base.values)
        more = Scores(candidates.items, candidates.judges, scaled)
        panel = blind.join(more).select(items=base.items)
        held, choosing = np.split(order, [n_held])
        return cls(panel, base.n_judges, anchors, choosing, held)

    def errors(self, added: tuple[str, ...]) -> Floats_of_results | None:
        """(n_items,): absolute errors of the panel with these judges, NaN without an anchor."""
        judges = [*self.panel.judges[: self.n_base], *added]
        fit = aggregate(self.panel.select(judges=judges), self.method, **self.settings)
        scores: Floats_of_results = fit.item_scores
        return np.abs(scores - self.known) if fit.status in _FITTED else None

    def chooses(self, errors: Floats_of_results) -> float:
        """Mean error on the anchors that choose."""
        return float(errors[self.choosing].mean())

    def next(self, added: tuple[str, ...]) -> Step | None:
        """Best panel with one judge more, or None where no candidate is left to fit."""
        left = [judge for judge in self.panel.judges[self.n_base :] if judge not in added]
        each = steps(left, "trying one more judge")
        tried = [((*added, judge), self.errors((*added, judge))) for judge in each]
        fitted = [(judges, errors) for judges, errors in tried if errors is not None]
        return min(fitted, key=lambda step: self.chooses(step[1]), default=None)

    def result(
        self, chosen: tuple[str, ...], steps: list[Step], status: Status, patience: int, seed: int
    ) -> GreedyJudges:
        labels = f"{how_many(len(self.choosing), 'label')} chose and {len(self.held)} measured"
        gain = error = None
        if len(self.held) and steps:
            end = next(errors for judges, errors in steps if judges == chosen)
            apart = (steps[0][1] - end)[self.held]
            gain, error = float(apart.mean()), float(apart.std(ddof=1) / np.sqrt(len(apart)))
        text = (
            f"{how_many(len(chosen), 'judge')} of {self.panel.n_judges - self.n_base} were worth adding to "
            f"{self.n_base} by {self.method!r}; {labels}"
        )
        if not steps:
            text = f"Method {self.method!r} gave the base panel no consensus"
        elif gain is not None:
            moved = "fell" if gain >= 0 else "rose"
            text += f": the error {moved} by {abs(gain):.3g} (standard error {error:.2g}) on anchors held out"
        return GreedyJudges(
            status=status,
            message=f"{text}.",
            steps=tuple(self.step(*step) for step in steps),
            chosen=chosen,
            gain=gain,
            gain_error=error,
            n_validation=len(self.choosing),
            n_held_out=len(self.held),
            method=self.method,
            patience=patience,
            seed=seed,
            settings=dict(self.settings),
        )

    def step(self, judges: tuple[str, ...], errors: Floats_of_results) -> GreedyStep:
        return GreedyStep(
            added=judges[-1] if judges else None,
            n_judges=self.n_base + len(judges),
            validation_error=self.chooses(errors),
            held_out_error=float(errors[self.held].mean()) if len(self.held) else None,
        )


_FITTED = (Status.OK, Status.NOT_CONVERGED)


# --- How often wrong answers pass: rates on responses that are wrong by construction, against the majority.


MAJORITY = "majority"


@dataclass(frozen=True, slots=True, kw_only=True)
class PassRate(Record):
    """How often one method lets wrong responses pass.

    Attributes
    ----------
    group : str or None
        Which responses; None where there is one group.
    method : str
    n_items, n_positive, n_undecided : int
        Responses somebody scored, those called positive, those left undecided.
    lower, upper : float
        Exact (Clopper-Pearson) interval of the rate, responses drawn independently.
    caught, missed : int
        Responses that the majority calls positive and the method does not, and the other way round.
    p_value : float
        Exact McNemar test of the two being equally frequent.
    """

    group: str | None
    method: str
    n_items: int
    n_positive: int
    n_undecided: int
    lower: float
    upper: float
    caught: int
    missed: int
    p_value: float

    @property
    def rate(self) -> float:
        """Share of the responses called positive."""
        return self.n_positive / self.n_items


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FalsePositives(Result):
    """Rates at which responses that are wrong by construction are called positive.

    Attributes
    ----------
    status : Status
        ok; that of the first method that gave no fit, whose rows are left out.
    rates : tuple of PassRate
        The majority first, then the methods, for each group in turn.
    cut : float
    level : float
        Of the intervals.
    fitted_to : "reference" or "data"
    settings : dict
    warnings : tuple of str
    """

    schema: ClassVar[str] = "algeval.false_positives/1"

    rates: tuple[PassRate, ...]
    cut: float
    level: float
    fitted_to: str
    settings: dict[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    def of(self, method: str, group: str | None = None) -> PassRate:
        """Rate of a method, on one group where there are several."""
        for result in self.rates:
            if (result.method, result.group) == (method, group):
                return result
        pairs = sorted({(rate.method, rate.group) for rate in self.rates}, key=str)
        raise DataError(f"method {method!r} on group {group!r} is not here; choose from {pairs}")

    def as_tables(self) -> tuple[Table, ...]:
        """Row per group and method."""
        title, rates = "Wrong responses called positive", [rate.rate for rate in self.rates]
        return (Table.of_records(title, PassRate, self.rates, rate=rates),)

    def summary(self) -> str:
        """One line per rate, and the warnings."""
        lines = [self.message, *(_line_of_false_positives(rate) for rate in self.rates)]
        return "\n".join([*lines, *(f"Note: {warning}" for warning in self.warnings)])


def _line_of_false_positives(rate: PassRate) -> str:
    where = "" if rate.group is None else f"{rate.group!r}, "
    text = (
        f"  {where}{rate.method}: {percent(rate.rate)} of {rate.n_items} pass "
        f"({percent(rate.lower)} to {percent(rate.upper)})"
    )
    if rate.method == MAJORITY:
        return text
    return (
        f"{text}; of the majority's it catches {rate.caught}, of others it lets {rate.missed} pass "
        f"(p = {rate.p_value:.2g})"
    )


def false_positives(
    data: Source | Scores,
    methods: Sequence[str] = ("average", "rank-factor"),
    *,
    cut: object,
    reference: Scores | None = None,
    by: str | None = None,
    level: float = 0.95,
    settings: Mapping[str, Mapping[str, Any]] | None = None,
) -> FalsePositives:
    """How often responses that are wrong by construction pass, for the majority and each method.

    Use it on responses made to fool judges, such as "Let's think step by step" in place of an answer.
    No key is read: that all of them are wrong is what you say. Give the judges' scores of ordinary
    responses as `reference`. Methods are then fitted to those and asked about these; fitted to wrong
    responses alone, a method that takes a share of the items for positive finds some to call positive,
    none at a small share and nearly all at a large one, whatever the responses are.

    Parameters
    ----------
    data : Scores, or a table of them
        Of wrong responses only; 0 and 1 where judges gave votes.
    methods : sequence of str
        Of scores; methods of votes read the votes at the cut.
    cut : number or text
        From where on a score calls a response right: for the votes, and for methods whose settings say
        nothing of `prevalence` or `cut`.
    reference : Scores, optional
        Of ordinary responses, by the same judges or more.
    by : str, optional
        Attribute that groups the responses, such as the kind of attack.
    level : number between 0 and 1
    settings : mapping from method to its settings, optional

    Returns
    -------
    FalsePositives
        An undecided response has not passed.

    Raises
    ------
    DataError
        If nobody scored any response, or a judge is not in the reference.

    Notes
    -----
    The protocol of CARE, section 5.5, whose data are not published with judges' scores. Intervals and
    tests take responses for independent, which several attacks on one question are not.

    Examples
    --------
    >>> wrong = Scores.from_columns({"i": [1, 0, 1], "j": [1, 0, 0], "k": [1, 0, 0]})
    >>> round(false_positives(wrong, ["average"], cut="1/2").of("average").rate, 3)
    0.333
    """
    level = check_number("level", level, least=0.0, most=1.0, strict=True)
    data = score_table(data)
    rated = ~np.isnan(data.values).all(axis=1)
    if not rated.any():
        raise DataError("data must hold at least one score; got none; check the columns")
    wrong = data.without_key().select(items=[data.items[index] for index in np.flatnonzero(rated)])
    groups = _groups(wrong, by)
    options = settings_of(methods, settings)
    calls, ended = {MAJORITY: _majority(wrong, cut)}, Status.OK
    models = [name for name in methods if name != MAJORITY]
    for name in steps(models, "calling the responses by each method", even=False):
        result = _called(wrong, reference, name, cut, options[name])
        ended = result.status if ended.ok else ended
        if result.codes is not None:
            calls[name] = result.codes
    n = how_many(wrong.n_items, "wrong response")
    where = "to these alone" if reference is None else f"to {reference.n_items} ordinary responses"
    return FalsePositives(
        status=ended,
        message=f"{n}, called positive from {cut} on; methods fitted {where}.",
        rates=tuple(
            _rate(group, name, codes[rows], calls[MAJORITY][rows], level)
            for group, rows in groups
            for name, codes in calls.items()
        ),
        cut=as_float(cut, "cut"),
        level=level,
        fitted_to="data" if reference is None else "reference",
        settings=options,
        warnings=() if reference is not None else (_ALONE,),
    )


_ALONE = (
    "The methods were fitted to wrong responses alone: how many one calls positive then follows from "
    "the share it takes for positive, not from the responses; give reference=, scores of ordinary responses."
)


def _groups(data: Scores, by: str | None) -> list[tuple[str | None, NDArray[np.intp]]]:
    """Each group and the places of its items; one group of all without an attribute."""
    if by is None:
        return [(None, np.arange(data.n_items))]
    column = (data.attributes or {}).get(by)
    if column is None:
        raise DataError(
            f"attribute {by!r} must be one of {list(data.attributes or {})}; it is not; leave it out"
        )
    names = dict.fromkeys(str(name) for name in column)
    return [(n, np.flatnonzero([str(value) == n for value in column])) for n in names]


def _majority(data: Scores, cut: object) -> NDArray[np.int16]:
    """1 where most votes at the cut are positive, 0 where fewer are, -1 of a tie."""
    codes = data.cut(cut).codes
    ones, zeros = (codes == 1).sum(axis=1), (codes == 0).sum(axis=1)
    return np.where(ones == zeros, NOT_ANSWERED, ones > zeros).astype(np.int16)


class _Called(NamedTuple):
    """What a method calls each response, None without a fit, and how its fit ended."""

    codes: NDArray[np.int16] | None
    status: Status


def _called(
    data: Scores, reference: Scores | None, name: str, cut: object, settings: dict[str, Any]
) -> _Called:
    of_votes = name in METHODS and name not in SCORE_METHODS
    source = data if reference is None else reference.without_key()
    to_fit: Scores | Votes = source.cut(cut) if of_votes else source
    to_call: Scores | Votes = data.cut(cut) if of_votes else data
    if not of_votes and not {"cut", "prevalence"} & set(settings):
        settings = settings | {"cut": cut}
    fit = aggregate(to_fit, name, **settings)
    if fit.status not in (Status.OK, Status.NOT_CONVERGED):
        return _Called(None, fit.status)
    posterior: Floats_of_results = (
        fit.posterior_items if reference is None else fit.predict(to_call)  # type: ignore[arg-type]
    )
    return _Called(decide(posterior), fit.status)


def _rate(
    group: str | None, method: str, codes: NDArray[np.int16], base: NDArray[np.int16], level: float
) -> PassRate:
    from scipy.stats import binomtest  # takes half a second to load

    passed, before = codes == 1, base == 1
    caught, missed = int((before & ~passed).sum()), int((passed & ~before).sum())
    ends = binomtest(int(passed.sum()), len(codes)).proportion_ci(level, "exact")
    return PassRate(
        group=group,
        method=method,
        n_items=len(codes),
        n_positive=int(passed.sum()),
        n_undecided=int((codes == NOT_ANSWERED).sum()),
        lower=float(ends.low),
        upper=float(ends.high),
        caught=caught,
        missed=missed,
        p_value=float(binomtest(caught, caught + missed).pvalue) if caught + missed else 1.0,
    )
