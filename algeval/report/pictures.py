"""The figures of a page, drawn from what the report found, as SVG that reads on light and dark."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from algeval.data import Scores
from algeval.data.reading import Data
from algeval.errors import AlgevalError
from algeval.logic import threshold as ask_threshold
from algeval.logic.results import Threshold
from algeval.progress import steps
from algeval.report.sections.system import TITLE

__all__ = ["Picture", "pictures"]

_SECONDS = 5.0
"""For the logical questions behind the two curves, each."""
_MOST_TABLES = 12
"""Confusion matrices of more judges are left to their table."""


class Picture(NamedTuple):
    """One figure: the section it belongs to, by its title's first words, and its SVG text."""

    section: str
    svg: str


def pictures(data: Data | Scores, results: Mapping[str, Any]) -> list[Picture]:
    """Return the figures there are; one that its data do not allow is left out."""
    from algeval.report.figures import to_svg

    found = []
    for section, draw in steps(
        [*_asked(data, results), *_of_system(results)], "drawing", even=False
    ):
        try:
            found.append(Picture(section, to_svg(draw(), page=True)))
        except AlgevalError:  # a figure too large, or of a kind that these data do not have
            continue
    return found


def _thresholds(data: Data, found: Threshold) -> list[Threshold]:
    """Return the threshold the report has, and before it those of lower orders."""
    orders = range(1, 3 if found.order == "full" else int(found.order))
    options: dict[str, Any] = {"missing": found.missing_rule, "time_limit": _SECONDS}
    return [*(ask_threshold(data, order=order, **options) for order in orders), found]


def _of_system(results: Mapping[str, Any]) -> Iterator[tuple[str, Callable[[], Any]]]:
    if "rate" in results:
        yield TITLE, results["rate"].plot


def _asked(
    data: Data | Scores, results: Mapping[str, Any]
) -> Iterator[tuple[str, Callable[[], Any]]]:
    from algeval.report.figures import draw, plot

    def of(kind: str, of_what: Any, **options: Any) -> Callable[[], Any]:
        return lambda: draw(kind, of_what, **options)

    if isinstance(data, Scores):
        yield "Consensus", lambda: plot(results["consensus"])
        if "shared" in results:
            for kind in ("loadings", "attributes", "shift"):
                yield "What the judges share", of(kind, results["shared"])
        return
    comparison = results.get("comparison")
    threshold = results["threshold"]
    if comparison is not None:
        ceiling = threshold if threshold.upper < 1 else None
        yield "overview", of("accuracies", comparison, ceiling=ceiling)
    yield (
        "What is logically possible",
        lambda: draw("threshold-curve", _thresholds(data, threshold)),
    )
    yield "What is logically possible", of("panel-curve", data, time_limit=_SECONDS)
    if "agreement" in results:
        groups = results.get("groups")
        yield "How much the judges agree", of("agreement", results["agreement"], groups=groups)
    if comparison is None:
        return
    model = results.get("recommended")
    if model is not None and model.evaluation is not None:
        yield "Consensus labels", of("posterior", model)
        yield "Items that judges differ on", of("disagreement", data, result=model)
        if len(model.judges) <= _MOST_TABLES:
            yield "Side by side", of("confusion", model)
