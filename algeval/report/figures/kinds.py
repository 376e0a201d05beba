"""The kinds of figures: where each is drawn, and a line on what it shows."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["KINDS", "OF_SCORES", "TABLE", "Kind", "drawer_of", "options_of", "takers_of"]

_HOME = "algeval.report.figures"


class Kind(NamedTuple):
    """Where a figure is drawn, as module:function, which heading it stands under, what it shows.

    `command` draws it, option and all; none does where it is drawn from laws.
    """

    place: str
    heading: str
    line: str
    command: str | None = "figure"


_JUDGES, _ITEMS = "How good the judges are, and how they go together", "The items"
_SHARED = "What judges who give scores share"
_LAWS = "What laws of votes say"
_POSSIBLE, _PAPER = "What the votes allow", "What order 1 allows, answer key by answer key"
_BEFORE = "Before labels are paid"
_SYSTEMS = "The systems that judges judge"

TABLE: dict[str, Kind] = {
    "accuracies": Kind("accuracies:draw_accuracies", _JUDGES, "accuracy of each judge, intervals"),
    "agreement": Kind("agreement:draw_agreement", _JUDGES, "how often two judges agree; copies"),
    "confusion": Kind("confusion:draw_confusion", _JUDGES, "what each judge answers to each label"),
    "couplings": Kind("couplings:draw_couplings", _JUDGES, "errors that two judges share"),
    "posterior": Kind("posterior:draw_posterior", _ITEMS, "how sure a method is of its labels"),
    "disagreement": Kind("disagreement:draw_disagreement", _ITEMS, "where judges disagree most"),
    "reliability": Kind("reliability:draw_reliability", _ITEMS, "how sure and how often right"),
    "learning-curve": Kind(
        "learning_curve:draw_learning_curve", _ITEMS, "what more items are worth (needs a key)"
    ),
    "loadings": Kind("scores.loadings:draw_loadings", _SHARED, "who follows what judges share"),
    "attributes": Kind(
        "scores.attributes:draw_attributes", _SHARED, "which attributes of the items go with it"
    ),
    "shift": Kind("scores.shift:draw_shift", _SHARED, "items that another consensus would move"),
    "threshold-curve": Kind(
        "threshold_curve:draw_threshold_curve", _POSSIBLE, "how good all judges can be, by order"
    ),
    "panel-curve": Kind(
        "panel_curve:draw_panel_curve", _POSSIBLE, "how many judges fall short of each level"
    ),
    "bounds": Kind("ranges:draw_bounds", _POSSIBLE, "lowest and highest grade of each judge"),
    "conflicts": Kind("panel:draw_conflicts", _POSSIBLE, "judges that exclude one another"),
    "evaluations": Kind(
        "evaluations:draw_evaluations", _PAPER, "all evaluations of one judge, two labels"
    ),
    "correctness": Kind(
        "correctness:draw_correctness", _PAPER, "what two or three judges can have right"
    ),
    "thresholds": Kind("keys:draw_thresholds", _PAPER, "share of answer keys that allow a level"),
    "label-thresholds": Kind("keys:draw_label_thresholds", _PAPER, "the same label by label"),
    "q-complex": Kind("key_map:draw_key_map", _PAPER, "the same as a map of the answer keys"),
    "rate": Kind("systems.rate:draw_rate", _SYSTEMS, "what each assumption leaves of a rate"),
    "difference": Kind(
        "systems.difference:draw_difference",
        _SYSTEMS,
        "whether one of two systems is better (algeval versus --plot)",
        "versus --plot",
    ),
    "leaderboard": Kind(
        "systems.leaderboard:draw_leaderboard",
        _SYSTEMS,
        "ratings, and the ranks each system may have (algeval leaderboard --plot)",
        "leaderboard --plot",
    ),
    "label-plan": Kind(
        "systems.labels:draw_labels",
        _BEFORE,
        "what labels buy (algeval plan --plot)",
        "plan --plot",
    ),
    "label-stream": Kind(
        "systems.stream:draw_stream", _SYSTEMS, "labels one at a time, and when to stop", None
    ),
    "plan": Kind(
        "budgets.plan:draw_plan", _BEFORE, "labels per item (algeval plan --plot)", "plan --plot"
    ),
    "rule-risks": Kind(
        "laws.risks:draw_rule_risks", _LAWS, "risk of each rule, by number of judges", None
    ),
}
"""Modules load when a figure of the kind is drawn."""

KINDS = tuple(TABLE)
"""The figures there are."""


OF_SCORES = ("loadings", "attributes", "shift")
"""Those that take scores alone."""


def drawer_of(kind: str) -> Callable[..., Figure]:
    """Return the function that draws a kind."""
    module, name = TABLE[kind].place.split(":")
    drawer: Callable[..., Any] = getattr(import_module(f"{_HOME}.{module}"), name)
    return drawer


def options_of(kind: str) -> tuple[str, ...]:
    """Return the options a kind takes."""
    return tuple(drawer_of(kind).__kwdefaults__ or {})


def takers_of(option: str) -> list[str]:
    """Return the kinds that take an option."""
    return [kind for kind in KINDS if option in options_of(kind)]
