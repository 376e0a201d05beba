"""What each assumption leaves of a rate: a row a rung, the answer marked, the rate compared with a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from algeval.data import Scores, Votes
from algeval.errors import DataError
from algeval.rates.rating import RateResult, rate
from algeval.rates.rating.page import RAW
from algeval.rates.rating.results import Row as Rung
from algeval.report.figures.style import describe, legend_below, new_figure, plain, show_levels
from algeval.report.figures.systems.rows import Row, draw_rows, legend_of, mark_level
from algeval.result import percent
from algeval.result.wording import how_many

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_rate"]


def draw_rate(
    data: RateResult | Votes | Scores, *, label: str | None = None, gold: Any = None
) -> Figure:
    """Draw the interval of each row of a rate, the fewest assumptions at the top.

    Parameters
    ----------
    data : RateResult, Votes or Scores
        A result is drawn as it is.
    label : str, optional
        Of votes: whose rate.
    gold : mapping, path, table or "key", optional
        Of votes: true labels of some items; see `rate`.
    """
    found = data if isinstance(data, RateResult) else _asked(data, label, gold)
    rows = [_row(rung, found) for rung in _telling(found)]
    figure = new_figure(6.4, 1.9 + 0.27 * len(rows), _title(found))
    axes = figure.add_subplot()
    mark_level(axes, float(found.against), f"compared with {percent(found.against)}")
    draw_rows(axes, rows)
    axes.set(xlim=(0, 1), xlabel=f"rate of {plain(found.label)}")
    show_levels(axes.xaxis)
    legend_below(figure, 2, handles=legend_of(axes, rows, "votes of each judge"))
    return describe(figure, *_words(found))


def _asked(data: Any, label: str | None, gold: Any) -> RateResult:
    if not isinstance(data, Votes | Scores):
        raise DataError(
            f"the figure must be of a RateResult, or of Votes with a label; got {type(data).__name__}; pass "
            "what ae.rate returns"
        )
    return rate(data, label, gold)


def _telling(found: RateResult) -> list[Rung]:
    """Return the rows without those that leave everything open again."""
    first = next((row for row in found.table if (row.low, row.high) == (0, 1)), None)
    return [
        row for row in found.table if row.answer or row is first or (row.low, row.high) != (0, 1)
    ]


def _row(rung: Rung, found: RateResult) -> Row:
    low, estimate, high = (
        None if end is None else float(end) for end in (rung.low, rung.estimate, rung.high)
    )
    kind = "answer" if rung.answer else "refuted" if rung.refuted else "belief"
    shares = [said["votes_for_it"] for said in found.judged.values()]
    points = [share for share in shares if share is not None] if rung.name == RAW else []
    return Row(rung.name, low, estimate, high, kind=kind, points=points)


def _title(found: RateResult) -> str:
    gold = how_many(found.n_gold, "label") if found.n_gold else "no label"
    who = f"{how_many(found.n_items, 'item')}, {how_many(len(found.judges), 'judge')}, {gold}"
    return f"Rate of {plain(found.label)}: what each assumption leaves open\n{who}"


def _words(found: RateResult) -> list[str]:
    words = [f"Intervals of the rate of {plain(found.label)}, from the least assumed to the most."]
    if found.rate is None:
        words.append("The votes alone have no point and decide no interval.")
    else:
        level = percent(found.level, 0)
        ends = f"{percent(found.low)} to {percent(found.high)}"
        words.append(f"By the labels it is {percent(found.rate)}, {level} interval {ends}.")
    wrong = [row.name for row in found.table if row.refuted]
    if wrong:
        words.append(f"Refuted by the labels: {', '.join(wrong)}.")
    none = [row.name for row in found.table if row.against == "impossible"]
    if none:
        words.append(f"Impossible with these votes: {', '.join(none)}.")
    return [*words, f"The line is at {percent(found.against)}."]
