"""How often two judges agree, judges that pass for copies of one another side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from algeval.aggregate import policy
from algeval.aggregate.checks.agreement import Agreement, agreement
from algeval.aggregate.checks.groups import JudgeGroups, judge_groups
from algeval.aggregate.results import Floats
from algeval.data import KeyedSketch, Sketch, Votes
from algeval.data.settings import check_choice
from algeval.errors import DataError
from algeval.report.figures.fits import refuse_data
from algeval.report.figures.heat import MOST_WRITTEN, frame, name_rows, show_table, table_figure
from algeval.report.figures.style import LEVELS, RED, describe, plain, show_levels
from algeval.result import percent
from algeval.result.wording import how_many

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_agreement"]

_WORDS = {"agreement": "share of common items answered alike", "kappa": "Cohen's kappa"}


def draw_agreement(
    data: Any,
    *,
    measure: str = "agreement",
    groups: JudgeGroups | Literal["auto"] | None = "auto",
) -> Figure:
    """Draw how often every two judges agree; a frame holds judges that pass for copies.

    Groups stand first, then the other judges, those who agree most with everybody first.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch or Agreement
    measure : "agreement" or "kappa"
        The share of common items answered alike, or Cohen's kappa.
    groups : JudgeGroups, "auto" or None
        "auto" looks for groups in votes, unless that would take long; None draws no frames.
    """
    check_choice("measure", measure, tuple(_WORDS))
    if isinstance(data, JudgeGroups):
        raise DataError(
            "data must be votes or an Agreement, as a JudgeGroups does not hold how often every two "
            "judges agree; got one; draw 'agreement' of the votes with groups= this result"
        )
    if not isinstance(data, Votes | Sketch | KeyedSketch | Agreement):
        raise refuse_data(data, "Votes, a Sketch, a KeyedSketch or an Agreement")
    found = data if isinstance(data, Agreement) else agreement(data)
    if len(found.judges) < 2:
        raise DataError("agreement must be of two judges or more; got one; choose more")
    framed, note = _groups(data, groups)
    table = _table(found, measure)
    judges = _order(found.judges, framed, table)
    places = [found.judges.index(judge) for judge in judges]
    figure = _draw(judges, table[np.ix_(places, places)], framed, measure)
    return describe(figure, *_words(found.judges, table, measure), _framed_words(framed), note)


def _groups(data: Any, groups: Any) -> tuple[list[tuple[str, ...]], str]:
    """Return the groups to frame, and what was not looked for."""
    if isinstance(groups, JudgeGroups):
        return list(groups.groups), ""
    if groups is None or isinstance(data, Agreement):
        return [], "Groups of copies were not looked for."
    sketch = data.sketch() if isinstance(data, Votes) else getattr(data, "sketch", data)
    sketch = sketch() if callable(sketch) else sketch
    if sketch.n_judges**2 * len(sketch) > policy.MOST_COPIES_WORK:
        return [], "Groups of copies were not looked for, as that would take long."
    return list(judge_groups(sketch).groups), ""


def _table(found: Agreement, measure: str) -> Floats:
    """Return (N, N) numbers, NaN on the diagonal and where there are none."""
    n = len(found.judges)
    if measure == "kappa":
        flat = [np.nan if v is None else float(v) for v in found.cohens().ravel().tolist()]
        return np.array(flat).reshape(n, n)
    alike = np.trace(found.pairs, axis1=2, axis2=3).astype(float)
    shared = found.shared().astype(float)
    table: Floats = np.divide(alike, shared, where=shared > 0, out=np.full((n, n), np.nan))
    np.fill_diagonal(table, np.nan)
    return table


def _order(judges: tuple[str, ...], framed: list[tuple[str, ...]], table: Floats) -> list[str]:
    grouped = [judge for group in framed for judge in group]
    with_others = np.array([np.nanmean(row) if np.isfinite(row).any() else -1.0 for row in table])
    rest = [judges[i] for i in np.argsort(-with_others, kind="stable") if judges[i] not in grouped]
    return [*grouped, *rest]


def _draw(judges: list[str], table: Floats, framed: list[tuple[str, ...]], measure: str) -> Figure:
    n = len(judges)
    figure, (axes,) = table_figure(judges, _title(framed, measure))
    finite = table[np.isfinite(table)]
    least = float(np.floor(10 * finite.min()) / 10) if len(finite) else 0.0
    form = "{:.0%}" if measure == "agreement" else "{:.2f}"
    image = show_table(
        axes,
        table,
        colours=LEVELS,
        least=least,
        most=1.0,
        form=form if n <= MOST_WRITTEN else None,
    )
    name_rows(axes, judges)
    first = 0
    for group in framed:
        frame(axes, first, len(group), RED)
        first += len(group)
    bar = figure.colorbar(image, ax=axes, shrink=0.75, label=_WORDS[measure])
    if measure == "agreement":
        show_levels(bar.ax.yaxis)
    return figure


def _title(framed: list[tuple[str, ...]], measure: str) -> str:
    what = "How often two judges agree" if measure == "agreement" else "Cohen's kappa of two judges"
    return f"{what}\nframed: pass for copies of one judge" if framed else what


def _words(judges: tuple[str, ...], table: Floats, measure: str) -> list[str]:
    n = len(judges)
    left, right = np.triu_indices(n, 1)
    values = table[left, right]
    words = [f"A table of {n} by {n} judges: {_WORDS[measure]}."]
    known = np.flatnonzero(np.isfinite(values))
    if len(known) < len(values):
        blank = how_many(len(values) - len(known), "pair")
        words.append(f"{blank} without any: left blank.")
    for what, place in (("most", np.argmax), ("least", np.argmin)) if len(known) else ():
        p = known[place(values[known])]
        number = percent(values[p]) if measure == "agreement" else f"{values[p]:.2f}"
        words.append(
            f"{plain(judges[left[p]])} and {plain(judges[right[p]])} agree {what}: {number}."
        )
    return words


def _framed_words(framed: list[tuple[str, ...]]) -> str:
    told = ["; ".join(", ".join(map(plain, group)) for group in framed)] if framed else []
    return "".join(f"Framed as near copies: {groups}." for groups in told)
