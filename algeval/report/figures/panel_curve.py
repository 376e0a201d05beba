"""How many judges must fall short, against the level asked of each on every label."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from algeval.data.reading import Data, as_counts
from algeval.errors import DataError
from algeval.logic.exam import order_words
from algeval.logic.results import Panel
from algeval.report.figures.stairs import PanelSteps, panel_steps
from algeval.report.figures.style import (
    COLOURS,
    describe,
    legend_below,
    new_figure,
    show_levels,
)
from algeval.result import percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_panel_curve"]

_LEVELS = tuple(Fraction(k, 20) for k in range(8, 21))
_STYLES = ("-", "--", "-.")


def draw_panel_curve(
    data: Data | Panel | Sequence[PanelSteps],
    *,
    levels: Sequence[object] = _LEVELS,
    missing: str = "excluded",
    time_limit: float | None = 60.0,
) -> Figure:
    """Draw how many judges fall short at least, whatever the answer key, against the level asked.

    A line an order: so many fall short, proved. Above it a band where more may have to.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Summary, Panel or what `steps.panel_steps` returned
        A Panel is one level: what it proves holds of every higher one.
    levels : numbers
        Those to ask, by default from 40% to 100% in steps of 5%.
    missing : "excluded" or "wrong"
    time_limit : float, seconds, or None
        For all questions together; what is not settled by then is left as a band.
    """
    found = _read(data, levels, missing, time_limit)
    n = found[0].n_judges
    figure = new_figure(
        6.6, 4.2, f"How many of {n} judges must fall short, whatever the answer key"
    )
    axes: Any = figure.add_subplot()
    for place, steps in enumerate(found):
        _curve(axes, steps, place)
    least = float(found[0].levels[0]) if len(found[0].levels) > 1 else 0.0
    axes.set(
        xlabel="accuracy asked of every judge on every label",
        ylabel="judges that fall short, at least",
        xlim=(least - 0.01, 1.01),
        ylim=(-0.03 * n, 1.03 * n),
    )
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.grid(axis="y")
    show_levels(axes.xaxis)
    legend_below(figure, 1 if any(s.left_open for s in found) else 3)
    return describe(figure, *_words(found))


def _read(data: Any, levels: Any, missing: str, time_limit: float | None) -> list[PanelSteps]:
    if isinstance(data, Panel):
        return [_of_panel(data)]
    if isinstance(data, list | tuple):
        if not data or not all(isinstance(one, PanelSteps) for one in data):
            raise DataError("panels must be what panel_steps returned; got others; draw the votes")
        return list(data)
    as_counts(data)
    if not list(levels):
        raise DataError("levels must name at least one level; got none; leave it out for defaults")
    return list(panel_steps(data, levels, missing=missing, time_limit=time_limit))


def _of_panel(data: Panel) -> PanelSteps:
    """Return the one level of a panel."""
    level = data.specification.level
    if level is None:
        raise DataError(
            "the panel must be of one level for all judges and labels to stand on a curve; got "
            f"{data.specification.short()}; draw its 'conflicts' instead"
        )
    n = len(data.judges)
    return PanelSteps(
        data.order, n, (level[0],), (data.min_violators,), (n - len(data.largest_panel),)
    )


def _curve(axes: Any, steps: PanelSteps, place: int) -> None:
    """Draw certified steps: `fewest` holds from its level on, `most` up to its level."""
    levels = [float(level) for level in steps.levels]
    colour = COLOURS[(0, 5, 2)[place % 3]]
    name = order_words(steps.order)
    if steps.left_open:
        name += (
            f" ({len(steps.left_open)} of {len(levels)} levels open: more may have to, in the band)"
        )
    axes.step(
        [*levels, 1.0],
        [*steps.fewest, steps.fewest[-1]],
        _STYLES[place % 3],
        where="post",
        color=colour,
        linewidth=2.0,
        label=name,
    )
    axes.plot(levels, steps.fewest, "o", color=colour, markersize=3.5)
    _band(axes, steps, levels, colour)


def _band(axes: Any, steps: PanelSteps, levels: Sequence[float], colour: str) -> None:
    """Shade what is possible from one level to the next where either is open."""
    if len(levels) == 1:
        axes.plot([*levels, *levels], [steps.fewest[0], steps.most[0]], color=colour, alpha=0.4)
    open_ = [low < high for low, high in zip(steps.fewest, steps.most, strict=True)]
    for k in range(len(levels) - 1):
        if open_[k] or open_[k + 1]:
            ends, high = levels[k : k + 2], steps.most[k + 1]
            axes.fill_between(ends, steps.fewest[k], high, color=colour, alpha=0.18, linewidth=0)


def _words(found: Sequence[PanelSteps]) -> list[str]:
    n = found[0].n_judges
    words = [f"How many of {n} judges fall short at least, against the level asked of every judge."]
    for steps in found:
        first = next((x for x, k in zip(steps.levels, steps.fewest, strict=True) if k), None)
        start = "none at any level asked" if first is None else f"the first at {percent(first, 0)}"
        words.append(
            f"With {order_words(steps.order)}: {start}, {steps.fewest[-1]} at {percent(steps.levels[-1], 0)}."
        )
        if steps.left_open:
            shown = ", ".join(percent(level, 0) for level in steps.left_open)
            words.append(f"Open at {shown}: more may have to fall short.")
    return words
