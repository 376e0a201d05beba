"""How often each rule is wrong, by the number of judges, and the limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from algeval.data.settings import check_choice
from algeval.models.risk_curves import RiskCurve
from algeval.report.figures.fits import refuse_data
from algeval.report.figures.style import BLUE, GREEN, ORANGE, describe, new_figure, show_levels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_rule_risks"]

_NAMES = {"bayes": "Bayes", "independent": "independence assumed", "threshold": "threshold on |M|"}
_COLOURS = {"bayes": BLUE, "independent": ORANGE, "threshold": GREEN}
_MARKERS = {"bayes": "o", "independent": "s", "threshold": "^"}
_MOST_MARKERS = 40
_AXES = {"risk": "share of items labelled wrong", "lost": "risk above Bayes"}


def draw_rule_risks(data: RiskCurve, *, measure: str = "risk", scale: str = "linear") -> Figure:
    """Draw the exact risk of each rule against the number of judges; dashes are the limits.

    Parameters
    ----------
    data : RiskCurve
    measure : "risk" or "lost"
        Risks, or what the other rules lose against Bayes.
    scale : "linear" or "log"
        Of the risks.

    Raises
    ------
    DataError
        If the data are something else, or an option is unknown.
    """
    if not isinstance(data, RiskCurve):
        raise refuse_data(data, "a RiskCurve, such as curie_weiss_risks(...)")
    check_choice("measure", measure, tuple(_AXES))
    check_choice("scale", scale, ("linear", "log"))
    figure = new_figure(6.0, 4.0, _title(data, measure))
    axes = figure.add_subplot()
    for rule in _rules(data, measure):
        _draw(axes, data, rule, measure)
    axes.set_xlabel("judges")
    axes.set_ylabel(_AXES[measure])
    if scale == "log":
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
        show_levels(axes.yaxis)
    axes.legend()
    return describe(figure, *_words(data, measure))


def _title(data: RiskCurve, measure: str) -> str:
    asked = "How often each rule is wrong" if measure == "risk" else "What a rule loses to Bayes"
    told = [f"{name} {v:.4g}" for name, v in data.settings.items() if isinstance(v, int | float)]
    return f"{asked}, by the number of judges\n" + ", ".join(
        [f"prevalence {data.prevalence:.4g}", *told]
    )


def _rules(data: RiskCurve, measure: str) -> list[str]:
    rules = [rule for rule in _NAMES if getattr(data.rows[0], rule) is not None]
    return rules if measure == "risk" else rules[1:]


def _value(held: Any, rule: str, measure: str) -> float | None:
    risk: float | None = getattr(held, rule)
    return risk if measure == "risk" or risk is None else risk - float(held.bayes)


def _draw(axes: Any, data: RiskCurve, rule: str, measure: str) -> None:
    colour = _COLOURS[rule]
    values = [_value(row, rule, measure) for row in data.rows]
    axes.plot(
        [row.n_judges for row in data.rows],
        values,
        label=_NAMES[rule],
        color=colour,
        marker=_MARKERS[rule] if len(values) <= _MOST_MARKERS else None,
        markersize=4,
    )
    limit = None if data.limit is None else _value(data.limit, rule, measure)
    if limit:
        axes.axhline(limit, color=colour, linestyle="--", linewidth=0.8)


def _words(data: RiskCurve, measure: str) -> list[str]:
    first, last = data.rows[0], data.rows[-1]
    words = [f"{_AXES[measure].capitalize()} against the number of judges, a line a rule."]
    for rule in _rules(data, measure):
        told = (
            f"{_NAMES[rule].capitalize()}: {_value(first, rule, measure):.4g} at {first.n_judges}, "
            f"{_value(last, rule, measure):.4g} at {last.n_judges}"
        )
        limit = None if data.limit is None else _value(data.limit, rule, measure)
        words.append(told + (f", limit {limit:.4g}." if limit is not None else "."))
    return words
