"""Refit an aggregation on resampled items, and turn the spread into intervals that cover."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import process_time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from algeval.aggregate import policy
from algeval.aggregate.em import naive_bayes, read_prevalence, vote_sums
from algeval.aggregate.fitting import best_naming
from algeval.aggregate.registry import method, settings_of
from algeval.aggregate.results import Aggregation, Bootstrap, Floats, Patterns, n_written
from algeval.data import NOT_ANSWERED, Evaluation, Sketch
from algeval.data.names import check_number, check_whole, is_sparse, read_only
from algeval.errors import AlgevalError, DataError
from algeval.progress import steps
from algeval.result import Status, percent
from algeval.result.numbers import how_many

__all__ = ["bootstrap", "check_intervals", "shown_intervals"]


def bootstrap(
    result: Aggregation,
    *,
    n: int = 200,
    level: float = 0.95,
    seed: int = 0,
    time_limit: float | None = None,
) -> Bootstrap:
    """Intervals of a fit; see `Aggregation.bootstrap`, which calls this."""
    n = check_whole("n", n, 2)
    seed = check_whole("seed", seed, 0)
    level = check_number("level", level, least=0, most=1, strict=True)
    if time_limit is not None:
        time_limit = check_number("time_limit", time_limit, least=0)
    if result.evaluation is None:
        raise DataError(f"the result must hold a fit to have intervals; got none: {result.message}")
    if result.learned is not None:
        raise DataError(
            "the result must be label-free to be fitted again; got one that learned from human labels; its "
            "intervals are in learned.judges"
        )
    refits = _Refits.of(result)
    drawn = refits.draw(n, np.random.default_rng(seed), time_limit)
    return _result(result, drawn, {"n": n, "level": level, "seed": seed})


def check_intervals(value: object) -> int | str:
    """Setting `intervals`: "auto", or how many refits (0: none)."""
    return "auto" if value == "auto" else check_whole("intervals", value, 0, _MOST_REFITS)


_MOST_REFITS = 1_000_000


def shown_intervals(result: object, wanted: int | str) -> Bootstrap | None:
    """Intervals to show beside a fit; None where they are not wanted or there is no fit.

    "auto" makes few refits, and none where their counted work is too long: the same votes always
    get the same answer.
    """
    if wanted == 0 or not isinstance(result, Aggregation) or result.evaluation is None:
        return None
    if result.learned is not None:
        return None
    if wanted != "auto":
        return bootstrap(result, n=check_whole("intervals", wanted, 2))
    n, seconds = policy.SHOWN_REFITS, policy.SHOWN_REFITS * _seconds_of_a_refit(result)
    if seconds <= policy.SHOWN_SECONDS:
        return bootstrap(result, n=n)
    settings = {"n": n, "level": 0.95, "seed": 0}
    return _result(result, _Drawn([], 0, seconds), settings)


def _seconds_of_a_refit(result: Aggregation) -> float:
    """Counted seconds of one refit: tuples x judges x labels, and what every fit costs."""
    cells = n_written(result.patterns) * len(result.labels)
    fixed, each = policy.REFIT_SECONDS[result.method in policy.LONG_REFITS]
    return fixed + each * cells


class _Numbers(NamedTuple):
    """What one fit says: (R,), (N, R, A), (N,), and the mean top posterior."""

    prevalence: Floats
    confusion: Floats
    accuracy: Floats
    consensus: Any

    @classmethod
    def of(cls, result: Aggregation, order: Any = slice(None)) -> _Numbers:
        """Read a fit whose class order[r] bears the name of label r."""
        evaluation = _evaluation(result)
        prevalence, confusion = evaluation.prevalence[order], evaluation.confusion[:, order]
        coverage = None if evaluation.coverage is None else evaluation.coverage[:, order]
        weight, right = _right(prevalence, confusion, coverage)
        total = weight.sum(axis=1)
        share = np.divide(
            (weight * right).sum(axis=1), total, where=total > 0, out=np.full(len(total), np.nan)
        )
        top = float(result.counts @ result.posterior.max(axis=1)) / result.n_items
        return cls(prevalence, confusion, share, np.array(top))


def _right(prevalence: Floats, confusion: Floats, coverage: Floats | None) -> tuple[Floats, Floats]:
    """Return (N, R): the share of items of each label that a judge answered, and its accuracy."""
    labels = np.arange(len(prevalence))
    right = confusion[:, labels, labels]
    weight = np.broadcast_to(prevalence, right.shape)
    weight = weight if coverage is None else weight * np.nan_to_num(coverage)
    return np.where(np.isnan(right), 0.0, weight), np.nan_to_num(right)


def _evaluation(result: Aggregation) -> Evaluation:
    if result.evaluation is None:  # pragma: no cover - refused before
        raise RuntimeError(result.message)
    return result.evaluation.to_floats()


class _Drawn(NamedTuple):
    """The numbers of every refit that ended ok, and why there are no more of them."""

    numbers: list[_Numbers]
    n_failed: int
    seconds: float | None = None
    """What all of them would have taken, where that was too long."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Refits:
    """What is needed to fit again: the fit, its function and settings, and where EM starts."""

    result: Aggregation
    fit: Callable[..., Any]
    settings: dict[str, Any]
    start: Floats
    nameless: bool
    """Whether nothing but the start ties the classes to names."""

    @classmethod
    def of(cls, result: Aggregation) -> _Refits:
        settings = {k: v for k, v in result.settings.items() if k in settings_of(result.method)}
        if isinstance(settings.get("evaluation"), dict):
            settings["evaluation"] = Evaluation.from_dict(settings["evaluation"])
        votes = vote_sums(result.patterns, len(result.answers))
        return cls(
            result=result,
            fit=method(result.method),
            settings=settings,
            start=naive_bayes(votes, _evaluation(result))[0],
            nameless=_nameless(settings.get("prevalence"), result.labels),
        )

    @property
    def _loosely(self) -> dict[str, Any]:
        """The settings, with a looser tolerance where it was left to the method."""
        tol = self.settings.get("tol")
        usual = inspect.signature(self.fit).parameters.get("tol")
        if tol is None or usual is None or tol != usual.default:
            return self.settings
        return self.settings | {"tol": max(tol, policy.REFIT_TOL)}

    def draw(self, n: int, rng: np.random.Generator, time_limit: float | None) -> _Drawn:
        """Refit n times, unless the first refits show that this takes longer than allowed."""
        shares = self.result.counts / self.result.n_items
        order = canonical_order(self.result)
        back = np.argsort(order)
        numbers, times = [], []
        for done in steps(range(1, n + 1), "refitting on resampled items for intervals"):
            began = process_time()
            counts = rng.multinomial(self.result.n_items, shares[order])[back]
            numbers_of_fit = self._refit(counts)
            times.append(process_time() - began)
            if numbers_of_fit is not None:
                numbers.append(numbers_of_fit)
            timed = done == policy.TIMED_REFITS or (time_limit or 0) < sum(times)
            if time_limit is not None and done <= policy.TIMED_REFITS and timed:
                # the fastest, for the first ones load modules
                seconds = min(times) * n
                if seconds > time_limit:
                    return _Drawn([], 0, seconds)
        return _Drawn(numbers, n - len(numbers))

    def _refit(self, counts: Any) -> _Numbers | None:
        """Return what a fit to these counts of the same patterns says; None if it did not end ok."""
        kept, of = counts > 0, self.result
        sketch = Sketch(of.judges, of.labels, of.answers, of.patterns[kept], counts[kept])
        with warnings.catch_warnings():
            # settings are echoed to the method, among them seeds that it no longer reads
            warnings.simplefilter("ignore", DeprecationWarning)
            try:
                refit = self.fit(self._resampled(sketch, kept), **self._loosely)
            except AlgevalError:
                return None
        if not refit.status.ok or refit.evaluation is None:
            return None
        if not self.nameless:
            return _Numbers.of(refit)
        agreement = (refit.posterior * refit.counts[:, None]).T @ of.posterior[kept]
        return _Numbers.of(refit, best_naming(agreement))

    def _resampled(self, sketch: Sketch, kept: Any) -> Patterns:
        near = self.result.parameters.get("near_copies")
        return Patterns(
            sketch=sketch,
            start=self.start[kept],
            near_copies=None if near is None else tuple(map(tuple, near)),
        )


def canonical_order(result: Aggregation) -> NDArray[np.intp]:
    """Order of the patterns that depends on no name and on no order of judges, labels and items.

    Colour refinement: rows, judges and answers are told apart by their counts, then by whom they meet. Those
    that are still alike are exchanged by a symmetry; the first of them is told apart, and so on.
    """
    codes = result.patterns
    seen = (codes.rows, codes.columns) if is_sparse(codes) else np.nonzero(codes != NOT_ANSWERED)
    met = (*seen, codes.values if is_sparse(codes) else codes[seen])
    never = np.arange(len(result.answers)) >= len(result.labels)
    kinds: tuple[Any, ...] = (result.counts, np.zeros(codes.shape[1]), never)
    colours = _refined([colour.astype(np.uint64) for colour in kinds], met)
    for kind in (1, 2):
        for step in range(colours[kind].size):
            alike = np.unique(colours[kind], return_inverse=True)[1]
            again = np.flatnonzero(np.bincount(alike) > 1)
            if not len(again):
                break
            # of more judges than these the rest are told apart at once, for time
            told = np.flatnonzero(alike == again[0])[: 1 if step < policy.MOST_ALIKE else None]
            colours[kind][told] += np.arange(1, len(told) + 1, dtype=np.uint64)
            colours = _refined(colours, met)
    return np.argsort(colours[0])


def _refined(colours: list[Any], met: tuple[Any, ...]) -> list[Any]:
    """Colours that tell apart whatever meets other colours, mixed to 64 bits (SplitMix64)."""
    n_colours = 0
    while n_colours < (n_colours := sum(len(np.unique(colour)) for colour in colours)):
        pairs = [
            _mixed(colour + np.uint64(kind + 1))[met[kind]] for kind, colour in enumerate(colours)
        ]
        colours = [_mixed(colour) for colour in colours]
        for kind, colour in enumerate(colours):
            np.add.at(colour, met[kind], _mixed(pairs[kind - 1] + _mixed(pairs[kind - 2])))
    return colours


def _mixed(x: Any) -> Any:
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        x = (x ^ (x >> np.uint64(shift))) * np.uint64(factor)
    return x ^ (x >> np.uint64(31))


_OF_VOTES = ("votes", "majority", "fit")
"""Rules of the prevalence that treat all labels alike."""


def _nameless(prevalence: Any, labels: tuple[str, ...]) -> bool:
    """Whether a setting of the prevalence treats all labels alike."""
    if prevalence is None or (isinstance(prevalence, str) and prevalence in _OF_VOTES):
        return True
    if isinstance(prevalence, int | float):
        return bool(prevalence == 1 / len(labels))
    if isinstance(prevalence, Mapping):
        return False
    return read_prevalence(prevalence, labels).symmetric


def ends_of(estimate: Floats, drawn: Floats, *, mass: Any, level: float) -> Floats:
    """Return (..., 2) the ends of the intervals around `found` from draws (B, ...).

    The hull of three intervals, cut to [0, 1]: found +- z sqrt(variance + bias^2), spread and bias
    of the draws around `found`; the quantiles of the draws; Wilson's of a share counted on `mass`
    items (NaN: no such share). NaN where fewer than half of the draws are known.
    """
    z = float(ndtri((1 + level) / 2))
    finite = np.isfinite(drawn)
    enough = 2 * finite.sum(axis=0) >= len(drawn)
    off = np.where(finite, drawn - estimate, 0.0)
    half = z * np.sqrt((off**2).sum(axis=0) / np.maximum(finite.sum(axis=0) - 1, 1))
    low, high = _quantiles(np.where(finite, drawn, np.nan), [(1 - level) / 2, (1 + level) / 2])
    mass = np.broadcast_to(np.asarray(mass, float), estimate.shape)
    center = (estimate * mass + z * z / 2) / (mass + z * z)
    spread = np.maximum(estimate * (1 - estimate), 0.0) * mass + z * z / 4
    wilson = z * np.sqrt(spread) / (mass + z * z)
    low = np.fmin(np.fmin(estimate - half, low), center - wilson)
    high = np.fmax(np.fmax(estimate + half, high), center + wilson)
    low, high = np.where(enough & np.isfinite(estimate), [low, high], np.nan)
    result: Floats = np.clip(np.stack([low, high], axis=-1), 0.0, 1.0)
    return result


def _quantiles(drawn: Floats, chances: list[float]) -> Floats:
    """Quantiles along the first axis of what is not NaN; numpy's own take 30 times as long."""
    ordered = np.sort(drawn, axis=0)  # NaN last
    last = np.maximum(np.isfinite(ordered).sum(axis=0) - 1, 0)
    quantiles = []
    for chance in chances:
        below = np.floor(chance * last).astype(int)
        ends = np.stack([below, np.minimum(below + 1, last)])
        lower, upper = np.take_along_axis(ordered, ends, axis=0)
        quantiles.append(lower + (upper - lower) * (chance * last - below))
    return np.stack(quantiles)


def _result(result: Aggregation, drawn: _Drawn, settings: dict[str, Any]) -> Bootstrap:
    estimate, evaluation = _Numbers.of(result), _evaluation(result)
    enough = 2 * len(drawn.numbers) >= settings["n"]
    weight, _ = _right(evaluation.prevalence, evaluation.confusion, evaluation.coverage)
    rows = np.repeat((weight * result.n_items)[:, :, None], len(result.answers), axis=2)
    masses = (result.n_items, rows, rows[:, :, 0].sum(axis=1), np.nan)
    ends = []
    for row, (value, mass) in enumerate(zip(estimate, masses, strict=True)):
        draws = np.array([numbers[row] for numbers in drawn.numbers if enough])
        draws = draws if len(draws) else np.full((1, *np.shape(value)), np.nan)
        value = np.asarray(value, float)
        ends.append(_alike(ends_of(value, draws, mass=mass, level=settings["level"]), value))
    thin = rows < 1 - policy.ROUNDING
    ends[1][thin] = np.nan
    status = Status.OK if enough else Status.UNDETERMINED
    return Bootstrap(
        status=status if drawn.seconds is None else Status.TIME_LIMIT,
        message=_message(result, drawn, settings, enough=enough),
        method=result.method,
        settings=result.settings,
        judges=result.judges,
        labels=result.labels,
        answers=result.answers,
        n_items=result.n_items,
        n_failed=drawn.n_failed,
        evaluation=evaluation,
        consensus=float(estimate.consensus),
        prevalence=read_only(ends[0]),
        confusion=read_only(ends[1]),
        accuracy=read_only(ends[2]),
        consensus_accuracy=read_only(ends[3]),
        warnings=tuple(_notes(result, drawn, thin)),
        **settings,
    )


def _alike(ends: Floats, values: Floats) -> Floats:
    """Ends (..., 2), of which equal values share the mean: what a symmetry exchanges has one interval."""
    order = np.argsort(values, axis=None)
    group = np.empty(values.size, int)
    group[order] = np.cumsum(np.r_[0, np.diff(values.ravel()[order]) > policy.EQUAL])[: values.size]
    sums = [np.bincount(group, ends.reshape(-1, 2)[:, side]) for side in (0, 1)]
    return (np.stack(sums, axis=1) / np.bincount(group)[:, None])[group].reshape(ends.shape)


def _message(result: Aggregation, drawn: _Drawn, settings: dict[str, Any], *, enough: bool) -> str:
    n, name = settings["n"], result.method
    if drawn.seconds is not None:
        return (
            f"No intervals of {name!r}: {how_many(n, 'refit')} would take about {drawn.seconds:.0f} s; give "
            f"intervals={n} (--intervals {n}) to have them all the same."
        )
    made = n - drawn.n_failed
    if not enough:
        return f"No intervals of {name!r}: only {made} of {how_many(n, 'refit')} on resampled items ended ok."
    return (
        f"{percent(settings['level'], 0)} intervals of {name!r} from {how_many(made, 'refit')} on "
        "resampled items; they hold if errors are independent."
    )


def _notes(result: Aggregation, drawn: _Drawn, thin: Any) -> list[str]:
    notes = []
    if drawn.n_failed:
        made = len(drawn.numbers) + drawn.n_failed
        notes.append(f"{drawn.n_failed} of {how_many(made, 'refit')} did not end ok, left out.")
    if not result.converged:
        notes.append("The fit itself did not converge, so the intervals are around no optimum.")
    if thin.any():
        n_rows = int(thin[:, :, 0].sum())
        rest = how_many(n_rows, "row rests", "rows rest")
        notes.append(f"{rest} on less than one expected item: no interval.")
    if result.parameters.get("overcounting") is not None:
        notes.append(
            "The consensus accuracy is of posteriors held back for shared errors: low on purpose "
            "where judges err independently."
        )
    return notes
