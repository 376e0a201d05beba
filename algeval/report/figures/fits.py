"""What methods say of the judges, read from votes or from results that are there already."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from algeval.aggregate import Aggregation, Bootstrap, aggregate
from algeval.aggregate.bootstrap import check_intervals, shown_intervals
from algeval.aggregate.checks.posterior_grades import posterior_grades
from algeval.aggregate.score_results import ScoreAggregation
from algeval.compare.comparison import Comparison
from algeval.data import Evaluation, KeyedSketch, Scores, Sketch, Votes
from algeval.data.reading import Joint, keyed_part, split_key
from algeval.data.settings import check_choice
from algeval.errors import DataError

__all__ = ["Fit", "Told", "fitted", "read_fits", "refuse_data"]

METHOD = "recommended"
HELD_BACK = (METHOD, "pooled-dawid-skene")


class Fit(NamedTuple):
    """What one method says: its evaluation in floats, and the intervals around it, if any.

    A method that holds its posteriors back for errors that judges may share also grades judges by
    them: `shared`, by judge.
    """

    name: str
    evaluation: Evaluation
    n_items: int
    intervals: Bootstrap | None = None
    shared: dict[str, float] | None = None


class Told(NamedTuple):
    """What methods say, what the key says of the items whose label is known, and who said nothing."""

    fits: list[Fit]
    truth: Evaluation | None = None
    n_keyed: int = 0
    silent: tuple[str, ...] = ()


def read_fits(
    data: Any,
    *,
    methods: Sequence[str] | None = None,
    intervals: int | str = 0,
    key: Joint | None = None,
) -> Told:
    """Read what methods say of judges; votes are fitted, a result is taken as it is.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Aggregation, Bootstrap, Comparison or Evaluation
    methods : sequence of str, optional
        Of a comparison those to take; of votes those to fit, by default 'recommended'.
    intervals : "auto" or int
        Refits for intervals where there are none yet.
    key : Votes or KeyedSketch, optional
        Data with a key, where `data` has none.

    Raises
    ------
    DataError
        If no method gave an evaluation, or the data are of another kind.
    """
    intervals = check_intervals(intervals)
    told = _read(data, methods, intervals)
    if not told.fits:
        raise DataError(
            "some method must have told how good the judges are; got none that did; choose others "
            "with methods="
        )
    keyed = None if key is None else keyed_part(key)
    if key is not None and keyed is None:
        raise DataError("key must be votes that carry a key; these have none; leave it out")
    if keyed is None:
        return told
    return told._replace(truth=keyed.evaluation().to_floats(), n_keyed=keyed.n_items)


def _read(data: Any, methods: Sequence[str] | None, intervals: int | str) -> Told:
    if isinstance(data, Comparison):
        return _of_comparison(data, methods)
    if isinstance(data, Votes | Sketch | KeyedSketch):
        return _of_votes(data, methods or (METHOD,), intervals)
    if methods is not None:
        raise DataError(
            f"methods= must come with votes or a comparison; got {type(data).__name__}, which is of "
            "one method; leave it out"
        )
    if isinstance(data, Aggregation):
        return Told([_of_fit(data, shown_intervals(data, intervals))])
    if isinstance(data, Bootstrap):
        made = data if data.status.ok else None
        return Told([Fit(data.method, data.evaluation.to_floats(), data.n_items, made)])
    if isinstance(data, Evaluation):
        return Told([Fit("evaluation", data.to_floats(), 0)])
    raise refuse_data(data, "votes, an Aggregation, its bootstrap(), a Comparison or an Evaluation")


def _of_comparison(data: Comparison, methods: Sequence[str] | None) -> Told:
    asked = list(data.estimates) if methods is None else [data[name] for name in methods]
    fits = []
    for e in asked:
        if e.evaluation is not None:
            made = e.intervals if e.intervals is not None and e.intervals.status.ok else None
            told = e.evaluation.to_floats()
            fits.append(Fit(e.method, told, data.n_items, made, _shared(e.fit)))
    silent = tuple(e.method for e in asked if e.evaluation is None)
    truth = None if data.truth is None else data.truth.to_floats()
    return Told(fits, truth, data.n_keyed, silent)


def _of_votes(data: Joint, methods: Sequence[str], intervals: int | str) -> Told:
    blind, _, keyed = split_key(data)
    found = [aggregate(blind, method) for method in methods]
    fits = [_of_fit(one, shown_intervals(one, intervals)) for one in found if one.evaluation]
    silent = tuple(one.method for one in found if one.evaluation is None)
    if keyed is None:
        return Told(fits, silent=silent)
    return Told(fits, keyed.evaluation().to_floats(), keyed.n_items, silent)


def _of_fit(found: Aggregation, made: Bootstrap | None) -> Fit:
    if found.evaluation is None:
        raise DataError(f"the result must hold a fit to be drawn; got none: {found.message}")
    shown = made if made is not None and made.status.ok else None
    return Fit(found.method, found.evaluation.to_floats(), found.n_items, shown, _shared(found))


def _shared(found: Aggregation | None) -> dict[str, float] | None:
    if found is None or found.method not in HELD_BACK:
        return None
    return dict(zip(found.judges, posterior_grades(found).tolist(), strict=True))


def fitted(data: Any, method: str | None) -> Aggregation | ScoreAggregation:
    """Return the fit that a figure of one method shows: a result, one of a comparison, or a new one.

    Raises
    ------
    DataError
        If there is none, or it decided nothing.
    """
    found = _one_fit(data, method)
    if isinstance(found, Aggregation) and found.evaluation is None:
        raise DataError(f"the result must hold a fit to be drawn; got none: {found.message}")
    return found


def _one_fit(data: Any, method: str | None) -> Aggregation | ScoreAggregation:
    if isinstance(data, Aggregation | ScoreAggregation):
        if method not in (None, data.method):
            raise DataError(
                f"method must be that of the result, {data.method!r}; got {method!r}; leave it out"
            )
        return data
    if isinstance(data, Comparison):
        return _of_comparison_one(data, method)
    if isinstance(data, Votes | Sketch | KeyedSketch):
        return aggregate(split_key(data)[0], method or METHOD)
    if isinstance(data, Scores):
        found: Aggregation | ScoreAggregation = aggregate(data, method or METHOD)
        return found
    raise refuse_data(data, "votes, scores, an Aggregation or a Comparison")


def _of_comparison_one(data: Comparison, method: str | None) -> Aggregation:
    fits = {e.method: e.fit for e in data.estimates if e.fit is not None}
    if not fits:
        raise DataError("the comparison must hold a fit; got none; draw the votes instead")
    if method is None:
        return fits.get(METHOD, list(fits.values())[-1])
    check_choice("method", method, list(fits))
    return fits[method]


def refuse_data(data: object, needed: str) -> DataError:
    """Return the complaint about data that a figure cannot be drawn from."""
    return DataError(
        f"data must be {needed} for this figure; got {type(data).__name__}; draw another kind"
    )
