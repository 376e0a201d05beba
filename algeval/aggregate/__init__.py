"""Consensus labels and judge quality under models of how votes arise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, overload

from algeval._callable import make_callable
from algeval._lazy import homes, on_first_use
from algeval._moved import keep_old_paths
from algeval.aggregate.registry import METHODS, SCORE_METHODS, Method, entry, method, settings_of
from algeval.aggregate.results import Aggregation
from algeval.aggregate.score_results import ScoreAggregation
from algeval.data import Scores, Sketch
from algeval.data.reading import as_sketch, is_scores
from algeval.data.settings import check_choice
from algeval.errors import DataError
from algeval.io.sources import Source, read_data_or_scores
from algeval.result.wording import did_you_mean

if TYPE_CHECKING:
    from algeval.aggregate.checks.agreement import Agreement as Agreement
    from algeval.aggregate.checks.agreement import agreement as agreement
    from algeval.aggregate.checks.agreement import fleiss_kappa as fleiss_kappa
    from algeval.aggregate.checks.agreement import krippendorff_alpha as krippendorff_alpha
    from algeval.aggregate.checks.group_panel import group_weights as group_weights
    from algeval.aggregate.checks.group_panel import one_of_each as one_of_each
    from algeval.aggregate.checks.groups import JudgeGroup as JudgeGroup
    from algeval.aggregate.checks.groups import JudgeGroups as JudgeGroups
    from algeval.aggregate.checks.groups import judge_groups as judge_groups
    from algeval.aggregate.checks.held_out import HeldOut as HeldOut
    from algeval.aggregate.checks.held_out import held_out as held_out
    from algeval.aggregate.checks.identifiability import check_identifiable as check_identifiable
    from algeval.aggregate.checks.identifiability import generic_rank as generic_rank
    from algeval.aggregate.checks.pair_test import PairTest as PairTest
    from algeval.aggregate.checks.pair_test import pair_test as pair_test
    from algeval.aggregate.checks.score_test import ScoreTest as ScoreTest
    from algeval.aggregate.checks.score_test import score_test as score_test
    from algeval.aggregate.checks.scoring import Bin as Bin
    from algeval.aggregate.checks.scoring import Score as Score
    from algeval.aggregate.checks.scoring import score as score
    from algeval.aggregate.checks.suspects import Suspect as Suspect
    from algeval.aggregate.checks.suspects import suspects as suspects
    from algeval.aggregate.intervals import Bootstrap as Bootstrap
    from algeval.aggregate.methods.majority import evaluate_by_majority as evaluate_by_majority
    from algeval.aggregate.methods.weighted_majority import log_odds_weights as log_odds_weights
    from algeval.aggregate.prevalence import read_prevalence as read_prevalence
    from algeval.aggregate.score_checks.confounders import confounders as confounders
    from algeval.aggregate.score_checks.results import Confounders as Confounders

_LAZY = {
    "checks.agreement": "Agreement agreement fleiss_kappa krippendorff_alpha",
    "checks.group_panel": "group_weights one_of_each",
    "checks.groups": "JudgeGroup JudgeGroups judge_groups",
    "checks.held_out": "HeldOut held_out",
    "checks.identifiability": "check_identifiable generic_rank",
    "checks.pair_test": "PairTest pair_test",
    "checks.score_test": "ScoreTest score_test",
    "checks.scoring": "Bin Score score",
    "checks.suspects": "Suspect suspects",
    "methods.majority": "evaluate_by_majority",
    "methods.weighted_majority": "log_odds_weights",
    "intervals": "Bootstrap",
    "prevalence": "read_prevalence",
    "score_checks.confounders": "confounders",
    "score_checks.results": "Confounders",
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
]

_fit = method
make_callable(__name__, "aggregate")
keep_old_paths()


if not TYPE_CHECKING:
    __getattr__, __dir__ = on_first_use(__name__, _HOME)


@overload
def aggregate(data: Scores, method: str = "recommended", **settings: Any) -> ScoreAggregation: ...


@overload
def aggregate(
    data: Source,
    method: str = "recommended",
    *,
    groups: str | None = None,
    **settings: Any,
) -> Aggregation: ...


def aggregate(
    data: Source | Scores,
    method: str = "recommended",
    *,
    groups: str | None = None,
    **settings: Any,
) -> Aggregation | ScoreAggregation:
    """Find consensus labels and judge quality from the votes, or scores, alone.

    Use it to label items and grade judges when there is no key; each method states what it
    assumes. A key carried by `data` is never read.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Scores, or a table
        Items, or only the counts of decision tuples; posteriors per item need Votes or Scores. A table
        of numbers that look like scores is read as Scores.
    method : str
        A name in `METHODS`, or of scores in `SCORE_METHODS`; see the function of that name for its
        settings and assumptions.
    groups : "one-each" or "weights", optional
        Count near copies (see `judge_groups`) as one judge: read one of each group, or give each
        of a group its part of one judge's weight (methods with a setting `judge_weights`). Votes
        alone cannot tell copies from judges who are right together where all others err.
    settings
        Settings of the method, by name. Every method of scores takes `scale`, `anchors` and
        `calibration` too; see `score_scales.rescaled`.

    Returns
    -------
    Aggregation, or ScoreAggregation of Scores
        Status ok, not_converged, or not_identifiable. A warning of votes says so where the judges'
        answers are no more related to each other than those of coins (at 5%; see
        `checks.relatedness`): nothing can be told from them then.

    Raises
    ------
    DataError
        If the method or a setting is not known, a setting is out of range, or the method reads
        votes and got scores, or the other way round.

    Examples
    --------
    >>> s = Sketch.from_counts({"aab": 5, "bbb": 7, "aba": 2}, judges=["i", "j", "k"])
    >>> float(aggregate(s, "majority").evaluation.prevalence_of("a"))
    0.5
    """
    only_scores = method in SCORE_METHODS and method not in METHODS
    data = read_data_or_scores(data, as_scores=only_scores)
    if is_scores(data):
        return _of_scores(data, method, groups, settings)
    entry(method)
    _check_settings(method, settings, settings_of(method))
    if groups is not None:
        return _grouped(data, method, groups, settings)
    return _warned(_fit(method)(data, **settings))


def _check_settings(method: str, settings: Mapping[str, Any], known: Sequence[str]) -> None:
    unknown = [name for name in settings if name not in known]
    if unknown:
        near = did_you_mean(unknown[0], known, "")
        raise DataError(
            f"setting {unknown[0]!r} is not one of method {method!r}; choose from "
            f"{list(known)}{near and f'; {near}'}"
        )


def _of_scores(
    data: Scores, name: str, groups: str | None, settings: dict[str, Any]
) -> ScoreAggregation:
    """Fit a method of scores, which never sees the key, and tell the consensus on the scale asked for."""
    from algeval.aggregate.score_scales import SETTINGS, rescaled

    if groups is not None:
        raise DataError(
            "groups are found in votes; got Scores; call .cut(x) on them, or leave it out"
        )
    record = entry(name, "scores")
    own = settings_of(name, "scores")
    _check_settings(record.name, settings, [*own, *(s for s in SETTINGS if s not in own)])
    blind = data.without_key()
    fit = _fit(record.name, "scores")
    found: ScoreAggregation = fit(blind, **{k: v for k, v in settings.items() if k in own})
    return rescaled(found, blind, **{k: v for k, v in settings.items() if k in SETTINGS})


def _warned(result: Aggregation) -> Aggregation:
    """Return a result that says so where its judges could be coins, or near copies.

    Copies are looked for by the default method alone; who names another has chosen.
    """
    from algeval.aggregate.checks.groups import copies_note
    from algeval.aggregate.checks.relatedness import unrelated_note

    if result.evaluation is None:
        return result
    notes = unrelated_note(result.patterns, result.counts, len(result.answers))
    if result.method == "recommended":
        axes = result.judges, result.labels, result.answers
        notes += copies_note(Sketch(*axes, result.patterns, result.counts))
    return replace(result, warnings=(*notes, *result.warnings)) if notes else result


def _grouped(data: Any, name: str, groups: str, settings: dict[str, Any]) -> Aggregation:
    """Fit a method to a panel whose near copies count as one judge, and say which they were."""
    from algeval.aggregate.checks.group_panel import group_weights, one_of_each
    from algeval.aggregate.checks.groups import judge_groups

    check_choice("groups", groups, ("one-each", "weights"))
    if groups == "weights" and "judge_weights" not in settings_of(name):
        able = [m for m in METHODS if "judge_weights" in settings_of(m)]
        raise DataError(
            f"groups='weights' must be used with one of {able}; got {name!r}; or use 'one-each'"
        )
    found = judge_groups(data)
    fit, judges = _fit(name), as_sketch(data).judges
    result: Aggregation
    if groups == "one-each":
        result = fit(one_of_each(data, found.groups), **settings)
        left_out = [judge for judge in judges if judge not in result.judges]
        note = f"left out as near copies of others: {', '.join(left_out)}"
    else:
        result = fit(data, **settings | {"judge_weights": group_weights(judges, found.groups)})
        note = "judges of a group of near copies share one judge's weight"
    told = "; ".join(", ".join(group) for group in found.groups)
    note = f"Near copies: {told}; {note}." if told else "No judges are near copies."
    parameters = result.parameters | {"groups": [list(group) for group in found.groups]}
    return replace(result, parameters=parameters, warnings=(note, *result.warnings))
