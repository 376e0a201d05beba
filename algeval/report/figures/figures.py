"""Figures, as matplotlib objects that no global state knows of, and as files that never change."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from algeval.data.settings import check_choice
from algeval.errors import DataError
from algeval.report.figures.keys import draw_key_map, draw_label_thresholds, draw_thresholds
from algeval.report.figures.panel import draw_conflicts
from algeval.report.figures.space import draw_correctness, draw_evaluations
from algeval.report.figures.style import STYLE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["KINDS", "draw", "save", "to_svg"]

_DRAWERS: dict[str, Callable[..., Figure]] = {
    "evaluations": draw_evaluations,
    "correctness": draw_correctness,
    "thresholds": draw_thresholds,
    "label-thresholds": draw_label_thresholds,
    "q-complex": draw_key_map,
    "conflicts": draw_conflicts,
}

KINDS = tuple(_DRAWERS)
"""The figures there are."""


def draw(kind: str, data: Any, **options: Any) -> Figure:
    """Draw a figure of what the votes allow.

    Use it in papers, reports and teaching; the exact numbers behind each figure come from
    `algeval.report.figures.data`. All of them speak of order 1: each judge's counts alone.

    Parameters
    ----------
    kind : str
        "evaluations": every evaluation of one judge, two labels (`stage`, `space`, `judge`);
        "correctness": squares or cubes of correct answers at one answer key (`q`, `at_least`);
        "thresholds": the level each answer key allows (`levels`, `also`), "label-thresholds": label
        by label; "q-complex": the same as a map (`at_least`); "conflicts": the judges of a panel
        that exclude one another (`at_least`).
    data : Votes, Sketch, KeyedSketch or Summary
        A key is never read. "conflicts" also takes a Panel.
    **options
        Of the kind; most take `missing`.

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
    Paper 003, figures 1 to 8.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> figure = draw("q-complex", Summary.from_counts({"x": {"a": 4, "b": 6}}))
    >>> len(figure.axes)
    1
    """
    from matplotlib import rc_context

    check_choice("kind", kind, KINDS)
    drawer = _DRAWERS[kind]
    known = list(drawer.__kwdefaults__ or {})
    unknown = [name for name in options if name not in known]
    if unknown:
        raise DataError(f"options of {kind!r} are {known}; got {unknown[0]!r}; leave it out")
    with rc_context(STYLE):
        return drawer(data, **options)


_METADATA: dict[str, dict[str, Any]] = {
    ".svg": {"Date": None, "Creator": "algeval"},
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
    if suffix not in _METADATA:
        raise DataError(f"path must end in .svg, .png or .pdf; got {str(path)!r}; rename it")
    with rc_context(STYLE):
        figure.savefig(path, format=suffix[1:], metadata=_METADATA[suffix])


def to_svg(figure: Figure) -> str:
    """Return a figure as SVG text, for a web page or ``IPython.display.SVG``.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> figure = draw("q-complex", Summary.from_counts({"x": {"a": 4, "b": 6}}))
    >>> "answer keys" in to_svg(figure)
    True
    """
    from matplotlib import rc_context

    buffer = BytesIO()
    with rc_context(STYLE):
        figure.savefig(buffer, format="svg", metadata=_METADATA[".svg"])
    return buffer.getvalue().decode("utf-8")
