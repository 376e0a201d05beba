"""Figures, as matplotlib objects that no global state knows of, and as files that never change."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from algeval.data.settings import check_choice
from algeval.errors import DataError
from algeval.report.figures.kinds import KINDS, drawer_of, options_of, takers_of
from algeval.report.figures.style import STYLE
from algeval.report.figures.svg import to_svg

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw", "save"]


def draw(kind: str, data: Any, **options: Any) -> Figure:
    """Draw a figure of votes, or of a result that is there already.

    Use it in papers, reports and teaching. The exact numbers behind the figures of order 1 come
    from `algeval.report.figures.data`. Every figure carries a title and a description in words.

    Parameters
    ----------
    kind : str
        How good the judges are: "accuracies" (`methods`, `label`, `ceiling`, `intervals`, `key`),
        "agreement" (`measure`, `groups`), "confusion" (`judges`, `method`, `page`), "couplings"
        (`label`). The items: "posterior" (`method`), "disagreement" (`most`, `result`),
        "reliability" (`methods`, `key`, `title`), "learning-curve" (`measure`, `over`, `methods`,
        `sizes`). What judges who give scores share: "loadings", "attributes" (both `most`), "shift"
        (`method`). What the votes allow: "threshold-curve", "panel-curve" (`levels`), both with
        `time_limit`; "bounds" (`of`, `judges`, `order`); "conflicts" (`at_least`). Answer key by answer
        key, order 1: "evaluations" (`stage`, `space`, `judge`), "correctness" (`q`, `at_least`),
        "thresholds" (`levels`, `also`), "label-thresholds", "q-complex" (`at_least`). Of systems: "rate"
        (`label`, `gold`); of a `SystemComparison` "difference", of a `Leaderboard` "leaderboard" (`scale`,
        `most`), of a `LabelStream` "label-stream" (`labels`), of a `LabelPlan` "label-plan". Of a `Plan`
        alone: "plan". Of a curve of risks (`algeval.models.separation`): "rule-risks" (`measure`, `scale`).
    data : Votes, Sketch, KeyedSketch, Summary, or a result
        Results are drawn as they are, nothing is fitted again; see `plot`. A key is read only where
        its own numbers are drawn, and they are called that.
    **options
        Of the kind.

    Returns
    -------
    matplotlib.figure.Figure
        Free of pyplot and of its current figure.

    Raises
    ------
    DataError
        If the kind, an option or the data does not fit.
    TooLargeError
        If there is more to show than a figure can hold.

    Notes
    -----
    The figures of order 1 are 1 to 8 of "No-Knowledge Alarms".

    Examples
    --------
    >>> from algeval.data import Summary
    >>> figure = draw("q-complex", Summary.from_counts({"x": {"a": 4, "b": 6}}))
    >>> len(figure.axes)
    1
    """
    from matplotlib import rc_context

    check_choice("kind", kind, KINDS)
    known = options_of(kind)
    unknown = [name for name in options if name not in known]
    if unknown:
        takers = takers_of(unknown[0])
        told = f", which {' and '.join(takers)} take" if takers else ""
        raise DataError(
            f"options of {kind!r} are {list(known)}; got {unknown[0]!r}{told}; leave it out"
        )
    with rc_context(STYLE):
        return drawer_of(kind)(data, **options)


_METADATA: dict[str, dict[str, Any]] = {
    ".png": {"Software": "algeval"},
    ".pdf": {"CreationDate": None, "Creator": "algeval", "Producer": None},
}


def save(figure: Figure, path: str | Path) -> None:
    """Write a figure as .svg, .png or .pdf; the same figure gives the same bytes.

    Raises
    ------
    DataError
        If the path ends in something else.
    """
    from matplotlib import rc_context

    suffix = Path(path).suffix.lower()
    if suffix == ".svg":
        Path(path).write_text(to_svg(figure), encoding="utf-8", newline="\n")
        return
    if suffix not in _METADATA:
        raise DataError(f"path must end in .svg, .png or .pdf; got {str(path)!r}; rename it")
    with rc_context(STYLE):
        figure.savefig(path, format=suffix[1:], metadata=_METADATA[suffix])
