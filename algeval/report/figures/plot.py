"""The figure of a result: which kinds show it, the usual one first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from algeval.data.settings import check_choice
from algeval.errors import DataError
from algeval.report.figures.figures import draw

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from algeval.result import Result

__all__ = ["plot"]

_KINDS = {
    "algeval.agreement": ("agreement",),
    "algeval.aggregation": ("accuracies", "confusion", "posterior", "couplings", "reliability"),
    "algeval.aggregation_bootstrap": ("accuracies", "confusion"),
    "algeval.bounds": ("bounds",),
    "algeval.comparison": ("accuracies", "confusion", "posterior", "reliability"),
    "algeval.confounders": ("loadings", "attributes", "shift"),
    "algeval.judge_groups": ("agreement",),
    "algeval.leaderboard": ("leaderboard",),
    "algeval.learning_curve": ("learning-curve",),
    "algeval.pair_test": ("couplings",),
    "algeval.panel": ("conflicts", "panel-curve"),
    "algeval.risk_curve": ("rule-risks",),
    "algeval.plan": ("plan",),
    "algeval.plan-labels": ("label-plan",),
    "algeval.rate": ("rate",),
    "algeval.score": ("reliability",),
    "algeval.score_aggregation": ("posterior", "loadings", "reliability"),
    "algeval.score_test": ("couplings",),
    "algeval.system-comparison": ("difference",),
    "algeval.threshold": ("threshold-curve",),
}
"""By schema, as two kinds of results have the same type name: figures of each, the usual one first."""

_TOLD = (
    "those of threshold, panel, bounds, aggregate and its bootstrap, compare, score, agreement, "
    "pair_test, score_test, confounders, learning_curve, rate, "
    "compare_systems, leaderboard, plan and risk_curve"
)


def plot(result: Result, kind: str | None = None, **options: Any) -> Figure:
    """Draw the figure of a result; nothing is computed again that it holds.

    Parameters
    ----------
    result : Result
    kind : str, optional
        One of several figures of it: of an aggregation "accuracies", "confusion", "posterior",
        "couplings" or "reliability" (with `key`); of a comparison the same but couplings; of a
        panel "conflicts" or "panel-curve"; of confounders "loadings", "attributes" or "shift". By
        default the first.
    **options
        Of the kind; see `draw`.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    DataError
        If the result has no figure, not this one, or does not hold what it needs.

    Examples
    --------
    >>> import algeval as ae
    >>> figure = plot(ae.threshold(ae.example("mt-bench"), order=1))
    >>> figure.get_suptitle().splitlines()[0][:22]
    'Can every judge be thi'
    """
    kinds = _KINDS.get(str(getattr(result, "schema", "")).partition("/")[0])
    if kinds is None:
        raise DataError(
            f"the result must be one that has a figure, {_TOLD}; got {type(result).__name__}; read its "
            "summary(), or draw the votes with algeval.report.figures.draw"
        )
    if kind is not None:
        check_choice("kind", kind, kinds)
    return draw(kind or kinds[0], result, **options)
