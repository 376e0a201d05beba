"""How far a perturbation that leaves the content alone moves a consensus, and each judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import aggregate
from algeval.aggregate.results import Floats
from algeval.aggregate.score_attributes import cluster_of
from algeval.compare.moved import Moved, Robustness
from algeval.compare.panels import settings_of
from algeval.data import NOT_ANSWERED, Scores
from algeval.data.settings import check_choice, check_whole
from algeval.errors import DataError
from algeval.io.sources import Source, read_score_table
from algeval.progress import steps
from algeval.result import Status
from algeval.result.wording import how_many

__all__ = ["robustness"]


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
    pair = _Pair.of(
        read_score_table(before, "before"), read_score_table(after, "after"), by, cluster
    )
    told = settings_of(methods, settings)
    take = _together if fit == "together" else _apart
    versions = [take(pair, name, told[name]) for name in steps(methods, "fitting twice")]
    judges = [_judge(pair, place) for place in range(pair.before.n_judges)]
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
        settings=told,
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
    """Return {name of the item: its id}."""
    if by is None:
        return {item: item for item in table.items}
    column = (table.attributes or {}).get(by)
    if column is None:
        raise DataError(
            f"attribute {by!r} must be in both tables; {which} has {list(table.attributes or {})}; leave "
            "it out to match on item ids"
        )
    told = [
        (name, item) for name, item in zip(column, table.items, strict=True) if name is not None
    ]
    found = dict(told)
    if len(found) < len(told):
        raise DataError(
            f"attribute {by!r} must name each item once; in {which} it repeats a name; choose one that does"
        )
    return found


class _Version(NamedTuple):
    """Scores (n_items,) before and after, the classes of both if there are any, and how the fit ended."""

    before: Floats
    after: Floats
    classes: tuple[NDArray[np.int16], NDArray[np.int16]] | None
    status: Status


def _together(pair: _Pair, method: str, settings: dict[str, Any]) -> _Version:
    n = pair.before.n_items
    items = [f"{when}: {item}" for when in ("before", "after") for item in pair.before.items]
    one, two = pair.before.attributes or {}, pair.after.attributes or {}
    attributes = {name: (*one[name], *two[name]) for name in one if name in two}
    values = np.vstack([pair.before.values, pair.after.values])
    found = aggregate(
        Scores(items, pair.before.judges, values, None, attributes),  # type: ignore[arg-type]
        method,
        **settings,
    )
    scores, classes = found.item_scores, found.decisions
    return _Version(scores[:n], scores[n:], (classes[:n], classes[n:]), found.status)


def _apart(pair: _Pair, method: str, settings: dict[str, Any]) -> _Version:
    one, two = (aggregate(table, method, **settings) for table in (pair.before, pair.after))
    status = two.status if one.status.ok else one.status
    return _Version(one.item_scores, two.item_scores, (one.decisions, two.decisions), status)


def _judge(pair: _Pair, place: int) -> _Version:
    return _Version(pair.before.values[:, place], pair.after.values[:, place], None, Status.OK)


class _Errors(NamedTuple):
    """Mean absolute changes (rows,) and their bootstrap draws (n_samples, rows); NaN without a fit."""

    change: Floats
    draws: Floats

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


def _ratio(total: Floats, count: Floats) -> Floats:
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def _moved(name: str, version: _Version, errors: _Errors, row: int, n_methods: int) -> Moved:
    """Return what became of one method, or judge (n_methods 0)."""
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


def _deviation(draws: Floats) -> float | None:
    return None if np.isnan(draws).all() else float(np.nanstd(draws, ddof=1))


def _flipped(before: NDArray[np.int16], after: NDArray[np.int16]) -> float:
    """Return the share of the items decided both times, and differently."""
    decided = (before != NOT_ANSWERED) & (after != NOT_ANSWERED)
    return float((decided & (before != after)).mean())
