"""Consensus labels and judge quality under models of how votes arise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from algeval._callable import make_callable
from algeval._lazy import homes, on_first_use
from algeval.aggregate import policy
from algeval.aggregate.registry import METHODS, SCORE_METHODS, Method, entry, method, settings_of
from algeval.aggregate.results import Aggregation, decide, fit_seconds, size_of
from algeval.aggregate.score_results import ScoreAggregation
from algeval.data import KeyedSketch, Scores, Sketch, Summary, Votes
from algeval.data.names import check_choice, check_time_limit, check_work, read_only
from algeval.data.reading import Source, as_sketch, is_scores, judged_by_some
from algeval.door import labelled as read_labelled
from algeval.door import n_people, reads_as_named, table_or_scores
from algeval.errors import DataError, option
from algeval.progress import TimeUp, time_is_up, until
from algeval.result import Status
from algeval.result.base import with_reading
from algeval.result.numbers import did_you_mean, how_many

if TYPE_CHECKING:
    from algeval.aggregate.checks.groups import JudgeGroup as JudgeGroup
    from algeval.aggregate.checks.groups import JudgeGroups as JudgeGroups
    from algeval.aggregate.checks.groups import group_weights as group_weights
    from algeval.aggregate.checks.groups import judge_groups as judge_groups
    from algeval.aggregate.checks.groups import one_of_each as one_of_each
    from algeval.aggregate.checks.identified import ScoreTest as ScoreTest
    from algeval.aggregate.checks.identified import check_identifiable as check_identifiable
    from algeval.aggregate.checks.identified import generic_rank as generic_rank
    from algeval.aggregate.checks.identified import score_test as score_test
    from algeval.aggregate.checks.pairs import Agreement as Agreement
    from algeval.aggregate.checks.pairs import PairTest as PairTest
    from algeval.aggregate.checks.pairs import Suspect as Suspect
    from algeval.aggregate.checks.pairs import agreement as agreement
    from algeval.aggregate.checks.pairs import fleiss_kappa as fleiss_kappa
    from algeval.aggregate.checks.pairs import krippendorff_alpha as krippendorff_alpha
    from algeval.aggregate.checks.pairs import pair_test as pair_test
    from algeval.aggregate.checks.pairs import suspects as suspects
    from algeval.aggregate.checks.quality import Bin as Bin
    from algeval.aggregate.checks.quality import HeldOut as HeldOut
    from algeval.aggregate.checks.quality import Score as Score
    from algeval.aggregate.checks.quality import held_out as held_out
    from algeval.aggregate.checks.quality import score as score
    from algeval.aggregate.em import read_prevalence as read_prevalence
    from algeval.aggregate.methods.voting import evaluate_by_majority as evaluate_by_majority
    from algeval.aggregate.methods.voting import log_odds_weights as log_odds_weights
    from algeval.aggregate.results import Bootstrap as Bootstrap
    from algeval.aggregate.scores.confounders import Confounders as Confounders
    from algeval.aggregate.scores.confounders import confounders as confounders

_LAZY = {
    "checks.groups": "JudgeGroup JudgeGroups group_weights judge_groups one_of_each",
    "checks.identified": "ScoreTest check_identifiable generic_rank score_test",
    "checks.pairs": (
        "Agreement PairTest Suspect agreement fleiss_kappa krippendorff_alpha pair_test suspects"
    ),
    "checks.quality": "Bin HeldOut Score held_out score",
    "em": "read_prevalence",
    "methods.voting": "evaluate_by_majority log_odds_weights",
    "results": "Bootstrap",
    "scores.confounders": "Confounders confounders",
}
_HOME = homes(_LAZY)
"""Names loaded on first use, and where they live."""

__all__ = [  # noqa: PLE0604
    "METHODS",
    "SCORE_METHODS",
    "Aggregation",
    "Method",
    "ScoreAggregation",
    "aggregate",
    "settings_of",
    *_HOME,
    "read_only",
    "decide",
]

_fit = method
make_callable(__name__, "aggregate")

if not TYPE_CHECKING:
    __getattr__, __dir__ = on_first_use(__name__, _HOME)


@overload
def aggregate(
    data: Scores, method: str = "recommended", *, human: Any = None, **settings: Any
) -> ScoreAggregation: ...


@overload
def aggregate(
    data: Source,
    method: str = "recommended",
    *,
    human: Any = None,
    groups: str | None = None,
    time_limit: float | None = None,
    **settings: Any,
) -> Aggregation: ...


@reads_as_named
def aggregate(
    data: Source | Scores,
    method: str = "recommended",
    *,
    human: Any = None,
    groups: str | None = None,
    time_limit: float | None = None,
    **settings: Any,
) -> Aggregation | ScoreAggregation:
    """Consensus label of each item and accuracy of each judge, from votes or scores, and a few labels.

    Use it to label items and grade judges when there is no key; each method states what it
    assumes. Human labels are read only as `human`: a key that `data` carry takes no part by itself.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Scores, or a table
        Items, or only the counts of decision tuples; posteriors per item need Votes or Scores. A table
        of numbers that look like scores is read as Scores. A wide lazy frame is counted in its engine, and
        `join` of the result labels its rows there.
    method : str
        A name in `METHODS`, or of scores in `SCORE_METHODS`; see the function of that name for its
        settings and assumptions.
    human : {item: label}, column, Series, table, file, or "key", optional
        Human labels of some items, drawn at random or with chances in a column 'inclusion'; "key" for those
        that `data` carry. They move the label-free log-odds by averaged penalised fits: with few labels
        the share of each label, with more each judge; `learned` says how much. Items with a label carry it.
    groups : "one-each" or "weights", optional
        Count near copies (see `judge_groups`) as one judge: read one of each group, or give each
        of a group its part of one judge's weight (methods with a setting `judge_weights`). Votes
        alone cannot tell copies from judges who are right together where all others err.
    time_limit : float, optional
        Seconds, of votes: a fit that is under way ends where it stands, and what was not looked for is
        named. Without it the same votes always give the same answer.
    settings
        Settings of the method, by name. Every method of scores takes `scale`, `anchors` and
        `calibration` too; see `score_scales.rescaled`.

    Returns
    -------
    Aggregation, or ScoreAggregation of Scores
        Status ok, not_converged, not_identifiable, or time_limit: the fit was stopped before it
        settled, or had not begun to have labels. A warning of votes says so where the judges'
        answers are no more related to each other than those of coins (at 5%; see
        `checks.relatedness`): nothing can be told from them then.

    Raises
    ------
    DataError
        If the method or a setting is not known, a setting is out of range, or the method reads
        votes and got scores, or the other way round.
    TooLargeError
        Where the fit is counted to take more than about a minute, and there is no `time_limit`.

    Examples
    --------
    >>> s = Sketch.from_counts({"aab": 5, "bbb": 7, "aba": 2}, judges=["i", "j", "k"])
    >>> float(aggregate(s, "majority").evaluation.prevalence_of("a"))
    0.5
    """
    only_scores = method in SCORE_METHODS and method not in METHODS
    table = data
    if human is not None and not (isinstance(human, Mapping) and not human):
        data, human = read_labelled(data, human)
    else:
        human = None
    data = judged_by_some(table_or_scores(data, as_scores=only_scores, of_frames=False))
    if is_scores(data):
        if time_limit is not None:
            raise DataError("time_limit must be left out of scores; got one; their fits are short")
        fitted = _of_scores(data, method, groups, settings)
        if human is None:
            return fitted
        from algeval.aggregate.labelled import learned_scores

        return learned_scores(fitted, data, human)
    entry(method)
    _check_settings(method, settings, settings_of(method))
    with until(check_time_limit(time_limit)):
        if method not in policy.QUICK_METHODS and not isinstance(data, Summary):
            counts = data.sketch if isinstance(data, KeyedSketch) else data
            check_work(f"the fit of {method!r}", size_of(counts), fit_seconds(method, counts))
        try:
            if groups is not None:
                fit = _grouped(data, method, groups, settings)
            else:
                fit = _fit(method)(data, **settings)
        except TimeUp:
            if time_limit is None:  # it is that of a larger question, which names this part
                raise
            return with_reading(_not_begun(data, method, settings, time_limit), data)
        if time_is_up() and not fit.converged and fit.evaluation is not None:
            message = f"{fit.message} The time limit stopped it."
            fit = replace(fit, status=Status.TIME_LIMIT, message=message)
        fit = fit if groups is not None else _warned(fit)
        return with_reading(_with_labels(fit, data, human, table), data)


def _with_labels(fit: Aggregation, data: Any, human: Any, table: Any) -> Aggregation:
    """Result that has learned from human labels, or says that there are some that took no part."""
    if human is None:
        people = n_people(table)
        if not people:
            return fit
        some = how_many(people, "human label")
        note = f"{some} of the table took no part: {option('human', 'key')} lets them."
        return replace(fit, warnings=(*fit.warnings, note))
    if not isinstance(data, Votes):
        raise DataError(
            f"{option('human')} must go with votes item by item; got counts; pass Votes"
        )
    from algeval.aggregate.labelled import learned, read_labels

    labels = read_labels(human, data)
    return learned(fit, data, labels) if len(labels.rows) else fit


def _not_begun(
    data: Any, method: str, settings: Mapping[str, Any], time_limit: float
) -> Aggregation:
    """Result of a fit that was stopped before it had labels."""
    from algeval.aggregate.fitting import refused
    from algeval.aggregate.results import read_patterns

    why = f"{method!r} had no labels yet when the time limit of {time_limit:g} s stopped it."
    plain_settings = {
        name: value for name, value in settings.items() if isinstance(value, str | int | float)
    }
    return replace(
        refused(read_patterns(data), method, plain_settings, why), status=Status.TIME_LIMIT
    )


def _check_settings(method: str, settings: Mapping[str, Any], names: Sequence[str]) -> None:
    unknown = [name for name in settings if name not in names]
    if unknown:
        near = did_you_mean(unknown[0], names, "")
        raise DataError(
            f"setting {unknown[0]!r} is not one of method {method!r}; choose from "
            f"{list(names)}{near and f'; {near}'}"
        )


def _of_scores(
    data: Scores, name: str, groups: str | None, settings: dict[str, Any]
) -> ScoreAggregation:
    """Fit a method of scores, which never sees the key, and tell the consensus on the scale asked for."""
    from algeval.aggregate.score_fitting import SETTINGS, rescaled
    from algeval.aggregate.scores.confounders import second_factor_note

    if groups is not None:
        raise DataError(
            "groups are found in votes; got Scores; call .cut(x) on them, or leave it out"
        )
    record = entry(name, "scores")
    own = settings_of(name, "scores")
    _check_settings(record.name, settings, [*own, *(s for s in SETTINGS if s not in own)])
    blind = data.without_key()
    fit = _fit(record.name, "scores")
    fitted = _over_range(fit, blind, {k: v for k, v in settings.items() if k in own})
    if fitted.status.ok:
        fitted = replace(fitted, warnings=(*fitted.warnings, *second_factor_note(blind)))
    return rescaled(fitted, blind, **{k: v for k, v in settings.items() if k in SETTINGS})


def _over_range(fit: Any, data: Scores, settings: Mapping[str, Any]) -> ScoreAggregation:
    """Fit of scores; of a range of the higher class's share, where it is nearest to one half."""
    from algeval.aggregate.em import read_shares
    from algeval.aggregate.score_results import CLASSES

    stated = settings.get("prevalence")
    if not isinstance(stated, list | tuple | Mapping):
        fitted: ScoreAggregation = fit(data, **settings)
        return fitted
    shares = read_shares(stated, CLASSES)
    share = shares.nearest(np.full(2, 0.5)).tolist()
    nearest: ScoreAggregation = fit(data, **{**settings, "prevalence": share})
    own = dict(nearest.settings) | {"prevalence": shares.setting}
    return replace(nearest, settings=own, message=f"{nearest.message} Told: {shares.words}.")


def _warned(result: Aggregation) -> Aggregation:
    """Result that says so where its judges could be coins, or near copies.

    Copies are looked for by the default method alone; who names another has chosen.
    """
    from algeval.aggregate.checks.groups import copies_note
    from algeval.aggregate.checks.pairs import unrelated_note

    if result.evaluation is None:
        return result
    if time_is_up():
        left = "whether judges are related to each other, and near copies, were not looked for"
        return replace(result, warnings=(f"Time ran out: {left}.", *result.warnings))
    notes = unrelated_note(result.patterns, result.counts, len(result.answers))
    if result.method == "recommended":
        axes = result.judges, result.labels, result.answers
        try:
            notes += copies_note(Sketch(*axes, result.patterns, result.counts))
        except TimeUp:
            notes.append("Time ran out: near copies were not looked for.")
    return replace(result, warnings=(*notes, *result.warnings)) if notes else result


def _grouped(data: Any, name: str, groups: str, settings: dict[str, Any]) -> Aggregation:
    """Fit a method to a panel whose near copies count as one judge, and say which they were."""
    from algeval.aggregate.checks.groups import group_weights, judge_groups, one_of_each

    check_choice("groups", groups, ("one-each", "weights"))
    if groups == "weights" and "judge_weights" not in settings_of(name):
        able = [m for m in METHODS if "judge_weights" in settings_of(m)]
        raise DataError(
            f"{option('groups', 'weights')} must be used with one of {able}; got {name!r}; or use 'one-each'"
        )
    panel = judge_groups.core(data)
    fit, judges = _fit(name), as_sketch(data).judges
    result: Aggregation
    if groups == "one-each":
        result = fit(one_of_each.core(data, panel.groups), **settings)
        left_out = [judge for judge in judges if judge not in result.judges]
        note = f"left out as near copies of others: {', '.join(left_out)}"
    else:
        result = fit(data, **settings | {"judge_weights": group_weights(judges, panel.groups)})
        note = "judges of a group of near copies share one judge's weight"
    words = "; ".join(", ".join(group) for group in panel.groups)
    note = f"Near copies: {words}; {note}." if words else "No judges are near copies."
    parameters = result.parameters | {"groups": [list(group) for group in panel.groups]}
    return replace(result, parameters=parameters, warnings=(note, *result.warnings))
