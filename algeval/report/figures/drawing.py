"""`plot` and `draw`: the kinds of figures, their style, and what they share."""

from __future__ import annotations

import json
import re
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from hashlib import sha256
from io import BytesIO
from itertools import accumulate
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval._lazy import load
from algeval.aggregate import Aggregation, Bootstrap, aggregate
from algeval.aggregate.bootstrap import check_intervals, shown_intervals
from algeval.aggregate.checks.quality import posterior_grades
from algeval.aggregate.score_results import ScoreAggregation
from algeval.compare.comparison import Comparison
from algeval.data import Evaluation, KeyedSketch, Scores, Sketch, Votes
from algeval.data.names import check_choice
from algeval.data.reading import Data, Joint, keyed_part, split_key
from algeval.errors import DataError, TooLargeError
from algeval.logic import panel, threshold
from algeval.logic.exam import orders_down_from, read_exam, resolve_order
from algeval.logic.policy import QUESTION_WORK
from algeval.logic.proof import work_of_questions
from algeval.progress import CountedClock
from algeval.result import exact
from algeval.result.files import whole_file, write_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from algeval.result import Result


# --- What each order says of a threshold or of panels, asked in turn within one time limit.


Order = int | str


class Bracket(NamedTuple):
    """The threshold of an order: some answer key allows `lower`, none more than `upper`."""

    order: Order
    lower: Fraction
    upper: Fraction


class PanelSteps(NamedTuple):
    """How many judges fall short at each level: at least `fewest`, and `most` is enough.

    Levels ascend, and neither number falls along them.
    """

    order: Order
    n_judges: int
    levels: tuple[Fraction, ...]
    fewest: tuple[int, ...]
    most: tuple[int, ...]

    @property
    def left_open(self) -> tuple[Fraction, ...]:
        """Levels at which the two differ."""
        both = zip(self.levels, self.fewest, self.most, strict=True)
        return tuple(level for level, low, high in both if low < high)


def _part(clock: CountedClock, questions: int) -> float | None:
    """Seconds for one of so many questions, of those that are left."""
    return None if clock.left is None else clock.left / max(questions, 1)


def _orders_up(data: Data) -> tuple[Order, ...]:
    """Orders that the data support, the lowest first."""
    return orders_down_from(data, resolve_order(data, None))[::-1]


def threshold_brackets(
    data: Data, *, missing: str = "excluded", time_limit: float | None = None
) -> tuple[Bracket, ...]:
    """Threshold of every order the data support, the lowest order first.

    What a lower order refutes is impossible at a higher one, and what a higher one allows is possible
    at a lower one: each bracket is held to that. An order whose program is too large says nothing more.
    """
    clock, brackets = CountedClock(time_limit), []
    orders, upper = _orders_up(data), Fraction(1)
    for index, order in enumerate(orders):
        lower = Fraction(0)
        try:
            seconds = _part(clock, len(orders) - index)
            with work_of_questions(QUESTION_WORK / len(orders)):
                result = threshold(data, order=order, missing=missing, time_limit=seconds)
            lower, upper = result.lower, min(upper, result.upper)
        except TooLargeError:
            pass
        brackets.append(Bracket(order, lower, upper))
    lowers = accumulate((b.lower for b in reversed(brackets)), max)
    pairs = zip(reversed(brackets), lowers, strict=True)
    return tuple(bracket._replace(lower=lower) for bracket, lower in pairs)[::-1]


def panel_steps(
    data: Data,
    levels: Sequence[object],
    *,
    missing: str = "excluded",
    time_limit: float | None = None,
) -> tuple[PanelSteps, ...]:
    """For every order how many judges fall short of each level, the lowest order first.

    Asked by halves: between two levels with the same answer every level has it too.
    """
    wanted = tuple(sorted({exact(level, "level") for level in levels}))
    clock, steps = CountedClock(time_limit), []
    orders, n_judges = _orders_up(data), read_exam(data, missing).n_judges
    below = (0,) * len(wanted)
    for index, order in enumerate(orders):

        def ask(
            k: int, open_: int, order: Order = order, left: int = len(orders) - index
        ) -> tuple[int, int]:
            seconds = _part(clock, open_ + (left - 1) * len(wanted))
            try:
                with work_of_questions(QUESTION_WORK / (len(orders) * len(wanted))):
                    result = panel(
                        data, wanted[k], order=order, missing=missing, time_limit=seconds
                    )
            except TooLargeError:
                return 0, n_judges
            return result.min_violators, n_judges - len(result.largest_panel)

        below, most = _by_halves(ask, below, n_judges)
        steps.append(PanelSteps(order, n_judges, wanted, below, most))
    above = [n_judges] * len(wanted)
    for index in range(len(steps) - 1, -1, -1):
        above = list(map(min, above, steps[index].most))
        steps[index] = steps[index]._replace(most=tuple(above))
    return tuple(steps)


def _by_halves(
    ask: Callable[[int, int], tuple[int, int]], below: Sequence[int], n_judges: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Lower and upper ends at all levels; neither falls, so ends settle what lies between."""
    n = len(below)
    fewest, most = list(below), [n_judges] * n
    waiting, spans = [n - 1, *([0] if n > 1 else [])], [(0, n - 1)]
    for a, b in spans:  # the middle of each span, then of its halves
        if b - a > 1:
            middle = (a + b) // 2
            waiting.append(middle)
            spans += [(a, middle), (middle, b)]
    for done, k in enumerate(waiting):
        if fewest[k] == most[k]:
            continue
        low, high = ask(k, n - done)
        fewest[k:] = [max(low, entry) for entry in fewest[k:]]
        most[: k + 1] = [min(high, entry) for entry in most[: k + 1]]
    return tuple(fewest), tuple(most)


# --- What methods say of the judges, read from votes or from results that are there already.


METHOD = "recommended"
HELD_BACK = (METHOD, "pooled-dawid-skene")


class Fit(NamedTuple):
    """What a method says: its evaluation in floats, and the intervals around it, if any.

    A method that holds its posteriors back for errors that judges may share also grades judges by
    them: `shared`, by judge.
    """

    name: str
    evaluation: Evaluation
    n_items: int
    intervals: Bootstrap | None = None
    shared: dict[str, float] | None = None


class Fits(NamedTuple):
    """What methods say, what the key says of the items it labels, and methods that say nothing."""

    fits: list[Fit]
    truth: Evaluation | None = None
    n_keyed: int = 0
    silent: tuple[str, ...] = ()


def read_fits(
    data: Any,
    *,
    methods: Sequence[str] | None = None,
    intervals: int | str = 0,
    key: Joint | None = None,
) -> Fits:
    """What methods say of judges; votes are fitted, a result is taken as it is.

    `methods` are those of a comparison to take, or those to fit to votes; `intervals` are refits, where
    there are no intervals yet; `key` is data with a key, where `data` has none.
    """
    fits = _read(data, methods, check_intervals(intervals))
    if not fits.fits:
        raise DataError(
            "some method must have told how good the judges are; got none that did; choose others "
            "with methods="
        )
    keyed = None if key is None else keyed_part(key)
    if key is not None and keyed is None:
        raise DataError("key must be votes that carry a key; these have none; leave it out")
    if keyed is None:
        return fits
    return fits._replace(truth=keyed.evaluation().to_floats(), n_keyed=keyed.n_items)


def _read(data: Any, methods: Sequence[str] | None, intervals: int | str) -> Fits:
    if isinstance(data, Comparison):
        return _of_comparison(data, methods)
    if isinstance(data, Votes | Sketch | KeyedSketch):
        blind, _, keyed = split_key(data)
        results = [aggregate(blind, method) for method in methods or (METHOD,)]
        fits = [_of_fit(fit, shown_intervals(fit, intervals)) for fit in results if fit.evaluation]
        silent = tuple(fit.method for fit in results if fit.evaluation is None)
        if keyed is None:
            return Fits(fits, silent=silent)
        return Fits(fits, keyed.evaluation().to_floats(), keyed.n_items, silent)
    if methods is not None:
        raise DataError(
            f"methods= must come with votes or a comparison; got {type(data).__name__}, which is of "
            "one method; leave it out"
        )
    if isinstance(data, Aggregation):
        return Fits([_of_fit(data, shown_intervals(data, intervals))])
    if isinstance(data, Bootstrap):
        made = data if data.status.ok else None
        return Fits([Fit(data.method, data.evaluation.to_floats(), data.n_items, made)])
    if isinstance(data, Evaluation):
        return Fits([Fit("evaluation", data.to_floats(), 0)])
    raise refuse_data(data, "votes, an Aggregation, its bootstrap(), a Comparison or an Evaluation")


def _of_comparison(data: Comparison, methods: Sequence[str] | None) -> Fits:
    estimates = list(data.estimates) if methods is None else [data[name] for name in methods]
    fits = []
    for e in estimates:
        if e.evaluation is not None:
            made = e.intervals if e.intervals is not None and e.intervals.status.ok else None
            floats = e.evaluation.to_floats()
            fits.append(Fit(e.method, floats, data.n_items, made, _shared(e.fit)))
    silent = tuple(e.method for e in estimates if e.evaluation is None)
    truth = None if data.truth is None else data.truth.to_floats()
    return Fits(fits, truth, data.n_keyed, silent)


def _of_fit(fit: Aggregation, made: Bootstrap | None) -> Fit:
    if fit.evaluation is None:
        raise DataError(f"the result must hold a fit to be drawn; got none: {fit.message}")
    shown = made if made is not None and made.status.ok else None
    return Fit(fit.method, fit.evaluation.to_floats(), fit.n_items, shown, _shared(fit))


def _shared(fit: Aggregation | None) -> dict[str, float] | None:
    if fit is None or fit.method not in HELD_BACK:
        return None
    return dict(zip(fit.judges, posterior_grades(fit).tolist(), strict=True))


def fitted(data: Any, method: str | None) -> Aggregation | ScoreAggregation:
    """Fit that a figure of one method shows: a result, one of a comparison, or a new one."""
    result: Aggregation | ScoreAggregation
    if isinstance(data, Aggregation | ScoreAggregation):
        if method not in (None, data.method):
            raise DataError(
                f"method must be that of the result, {data.method!r}; got {method!r}; leave it out"
            )
        result = data
    elif isinstance(data, Comparison):
        fits = {e.method: e.fit for e in data.estimates if e.fit is not None}
        if not fits:
            raise DataError("the comparison must hold a fit; got none; draw the votes instead")
        if method is not None:
            check_choice("method", method, list(fits))
        result = fits.get(method or METHOD, list(fits.values())[-1])
    elif isinstance(data, Votes | Sketch | KeyedSketch | Scores):
        blind = data if isinstance(data, Scores) else split_key(data)[0]
        result = aggregate(blind, method or METHOD)
    else:
        raise refuse_data(data, "votes, scores, an Aggregation or a Comparison")
    if isinstance(result, Aggregation) and result.evaluation is None:
        raise DataError(f"the result must hold a fit to be drawn; got none: {result.message}")
    return result


def refuse_data(data: object, needed: str) -> DataError:
    """Complaint about data that a figure cannot be drawn from."""
    return DataError(
        f"data must be {needed} for this figure; got {type(data).__name__}; draw another kind"
    )


# --- How figures look: one size of text, colours that colour-blind readers can tell apart.


BLUE, ORANGE, GREEN, RED, GREY = "#0072b2", "#e69f00", "#009e73", "#d55e00", "#8c8c8c"
COLOURS = (BLUE, ORANGE, GREEN, "#cc79a7", "#56b4e9", RED, "#000000", "#f0e442")
"""Okabe and Ito's colours."""
PALE_RED = "#ecb48c"
"""A ground that dark letters can be read on, on any page."""
LIGHTER = ("#8cbfdd", "#f4d392", "#8cd3bf", "#e8c4d9", "#b6ddf5", PALE_RED, "#a6a6a6", "#f8f2ab")
MOST_COLOURS = len(COLOURS) + len(LIGHTER)
MARKERS = "os^Dv<>P"
LEVELS = "cividis"
INK = "#444444"
"""Lines of axes and frames; a page shows them in its own colour of text, as it does black."""
GRID = "#dddddd"
DARK_TEXT, LIGHT_TEXT = "#111111", "#f5f5f5"
"""Text on coloured grounds, which a page leaves as it is."""

STYLE: Any = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9.0,
    "text.usetex": False,
    "text.parse_math": False,
    "axes.titlesize": 9.5,
    "axes.labelsize": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": INK,
    "axes.axisbelow": True,
    "axes.grid": False,
    "axes.formatter.use_mathtext": False,
    "figure.facecolor": "white",
    "figure.titlesize": 10.5,
    "axes3d.xaxis.panecolor": (1.0, 1.0, 1.0, 0.0),
    "axes3d.yaxis.panecolor": (1.0, 1.0, 1.0, 0.0),
    "axes3d.zaxis.panecolor": (1.0, 1.0, 1.0, 0.0),
    "grid.color": GRID,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "algeval",
    "savefig.dpi": 120,
}
"""Names in data are text: neither TeX nor mathematics is looked for in them."""

_TITLE_LETTERS = 11.0
"""Letters of a title that fit an inch."""
_LEGEND_LETTERS = 12.5
"""Letters of a legend that do."""


def new_figure(width: float, height: float, title: str) -> Figure:
    """Empty figure that no global state knows of, in inches; its title is wrapped."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    letters = int(_TITLE_LETTERS * width)
    figure.suptitle("\n".join(fill(_printable(line), letters) for line in title.split("\n")))
    return figure


def describe(figure: Figure, *sentences: str) -> Figure:
    """Figure with its main numbers in words as its label, which `to_svg` writes as its description."""
    figure.set_label(" ".join(sentence for sentence in sentences if sentence))
    return figure


_VALUES, _NEXT = (
    "values: ",
    "\u2028",
)  # in the id of an artist; a line separator stays as it is in XML


def with_values(artist: Any, texts: Sequence[str]) -> None:
    """Attach to each mark of an artist what a page shows of it to who points at it; see `to_svg`."""
    artist.set_gid(_VALUES + _NEXT.join(_printable(text) for text in texts))


_POINTED, _CELLS = "pointed: ", "cells: "
_MOST_CELLS = 10_000
"""Larger tables have no values to point at, so that pages stay small."""


class Cells(NamedTuple):
    """What a page says of a square who points at it: these words around the names of its row and column."""

    rows: Sequence[str]
    columns: Sequence[str]
    before: str = ""
    between: str = ", "


def values_at(
    axes: Any, boxes: Sequence[tuple[float, float, float, float]], texts: Sequence[str]
) -> None:
    """Attach a value to each box (left, right, low, high) of the axes, which a page alone has, unseen."""
    _unseen(axes, boxes, _POINTED + _NEXT.join(map(_printable, texts)))


def _unseen(axes: Any, boxes: Sequence[tuple[float, float, float, float]], name: str) -> None:
    from matplotlib.collections import PolyCollection

    corners = [[(a, c), (b, c), (b, d), (a, d)] for a, b, c, d in boxes]
    style: dict[str, Any] = {"facecolors": (0, 0, 0, 1e-9), "edgecolors": "none", "zorder": 9}
    area = PolyCollection(corners, **style)
    area.set_in_layout(False)
    area.set_gid(name)
    axes.add_collection(area, autolim=False)


def _cells(axes: Any, table: NDArray[np.float64], form: Callable[[float], str], of: Cells) -> None:
    """Attach to a table what its squares say; the script of a page reads it."""
    down, across = table.shape
    if table.size > _MOST_CELLS:
        return
    values = ["" if value != value else form(value) for value in table.ravel().tolist()]
    names = ([_printable(plain(name, 60)) for name in part] for part in (of.rows, of.columns))
    document = json.dumps([*names, _printable(of.before), of.between, values])
    _unseen(axes, [(-0.5, across - 0.5, -0.5, down - 0.5)], _CELLS + document)


def plain(name: str, most: int = 28) -> str:
    """Name as it can be drawn: control characters replaced, cut to `most` letters."""
    safe = _printable(name)
    return safe if len(safe) <= most else f"{safe[: most - 1]}\N{HORIZONTAL ELLIPSIS}"


def _printable(text: str, instead: str = "\N{REPLACEMENT CHARACTER}") -> str:
    return "".join(c if c.isprintable() else instead for c in text)


def colour_of(index: int) -> str:
    """Colour of a label or answer: eight, then eight lighter, then grey."""
    return [*COLOURS, *LIGHTER][index] if index < MOST_COLOURS else GREY


def legend_below(figure: Figure, columns: int = 3, **options: Any) -> None:
    """Write the legend under all axes, where it crosses nothing, in at most so many columns."""
    handles = options.get("handles") or [
        entry for axes in figure.axes for entry in axes.get_legend_handles_labels()[0]
    ]
    longest = max((len(str(handle.get_label())) for handle in handles), default=0)
    fits = int(_LEGEND_LETTERS * figure.get_figwidth() / (longest + 6))
    figure.legend(loc="outside lower center", ncols=max(1, min(columns, fits)), **options)


def show_levels(*axes: Any, digits: int | None = None) -> None:
    """Show axes of accuracies as percentages from 0 to 100, with as many digits as tell the ticks apart."""
    from matplotlib.ticker import AutoLocator, MaxNLocator, PercentFormatter

    for axis in axes:
        if isinstance(axis.get_major_locator(), AutoLocator):  # no ticks at 82.5, shown as 82
            axis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 5, 10]))
        axis.set_major_formatter(PercentFormatter(1.0, decimals=digits))


def log_ticks(axes: Any, values: Sequence[int]) -> None:
    """Show these whole numbers along a logarithmic axis, as powers of ten would need mathematics drawn."""
    from matplotlib.ticker import NullFormatter, NullLocator

    axes.set_xscale("log")
    axes.set_xticks(values, [str(value) for value in values])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_minor_formatter(NullFormatter())


def name_each(axes: Any, names: Sequence[str], below: float = 0.6, above: float = 0.6) -> None:
    """Write a name beside each row, the first row on top."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 1 + below, -above)
    axes.tick_params(axis="y", length=0)


def could(judges: Sequence[str]) -> str:
    """Judges as the subject of "could ... reach"."""
    if len(judges) == 1:
        return f"{plain(judges[0])} could"
    return (
        f"{plain(judges[0])} and {plain(judges[1])} could both"
        if len(judges) == 2
        else f"{len(judges)} judges could all"
    )


# --- Tables of numbers as coloured squares: one picture each, so that large ones stay small files.


MOST_WRITTEN = 12
"""Numbers are written into the squares of tables with at most so many rows."""
_MANY = 30


def show_table(
    axes: Any,
    table: NDArray[np.float64],
    *,
    colours: str,
    least: float,
    most: float,
    form: Callable[[float], str] | None = None,
    written: bool = True,
    cells: Cells | None = None,
) -> Any:
    """Draw (rows, columns) numbers as squares, NaN as none; `form` is each as text, and `written` in it.

    A page shows the number of a square, with the names in `cells`, to who points at it.
    """
    image = axes.imshow(
        np.ma.masked_invalid(table),
        cmap=colours,
        vmin=least,
        vmax=max(most, least + 1e-9),
        interpolation="none",
        aspect="auto",
    )
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    if form is not None and cells is not None:
        _cells(axes, table, form, cells)
    if form is None or not written:
        return image
    for (row, column), value in np.ndenumerate(table):
        if value == value:
            red, green, blue, _ = image.cmap(image.norm(value))
            bright = 0.299 * red + 0.587 * green + 0.114 * blue > 0.5
            style: dict[str, Any] = {"fontsize": 7.5, "color": DARK_TEXT if bright else LIGHT_TEXT}
            axes.text(column, row, form(value), ha="center", va="center", **style)
    return image


def table_figure(names: Sequence[str], title: str, *, tables: int = 1) -> tuple[Figure, Any]:
    """Figure with room for square tables with these names beside and under, and its axes."""
    n = len(names)
    side = max(2.4, n * (0.42 if n <= MOST_WRITTEN else 0.24 if n <= _MANY else 0.17))
    longest = max(len(plain(name)) for name in names)
    room = 0.15 + 0.6 * _letter_size(n) / 72 * longest
    lines = 1 + title.count("\n")
    figure = new_figure(tables * (side + room) + 1.2, side + room + 0.2 * lines, title)
    return figure, figure.subplots(1, tables, squeeze=False)[0]


def _letter_size(n: int) -> float:
    return 8.0 if n <= _MANY else 6.5


def name_rows(axes: Any, names: Sequence[str]) -> None:
    """Write the same names beside the rows and under the columns."""
    size = _letter_size(len(names))
    shown = [plain(name) for name in names]
    axes.set_yticks(range(len(names)), shown, fontsize=size)
    axes.set_xticks(range(len(names)), shown, fontsize=size, rotation=90)


# --- Figures as SVG text that a page can hold: titled, described, without ids of its own.


METADATA = {"Date": None, "Creator": "algeval"}

_PREFIXES = {
    "http://www.w3.org/2000/svg": "",
    "http://www.w3.org/1999/xlink": "xlink:",
    "http://www.w3.org/XML/1998/namespace": "xml:",
}
_FONT = "font-family: 'DejaVu Sans', sans-serif"
_LONG = re.compile(r"-?\d+\.\d{3,}")
_PAGE_COLOURS = {
    "#000000": "currentColor",
    INK: "currentColor",
    GRID: "currentColor; stroke-opacity: 0.2",
}


def to_svg(
    figure: Figure, title: str | None = None, description: str | None = None, *, page: bool = False
) -> str:
    """Figure as SVG text, for a file, a web page or ``IPython.display.SVG``.

    Readers of a screen hear the title and the description. The same figure gives the same text.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    title, description : str, optional
        By default those that the figure was drawn with.
    page : bool
        Whether it will stand inside a page: the background is left out, and text and axes have the
        page's own colour of text, so that it can be read on light and on dark.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> from algeval.report.figures import draw
    >>> figure = draw("q-complex", Summary.from_counts({"x": {"a": 4, "b": 6}}))
    >>> to_svg(figure, page=True).count("<title")
    1
    """
    from matplotlib import rc_context

    buffer = BytesIO()
    with rc_context(STYLE), warnings.catch_warnings():
        # letters are drawn by who shows the text, who may have the fonts
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure.savefig(buffer, format="svg", metadata=METADATA, transparent=page)
    text = buffer.getvalue().decode("utf-8")
    title_ = figure.get_suptitle() if title is None else title
    about = str(figure.get_label()) if description is None else description
    heading = " ".join(title_.split()) or "Figure"
    body = _printable(about, " ") or heading
    prefix = f"f{sha256(chr(10).join([text, heading, body]).encode()).hexdigest()[:8]}-"
    root = _without_namespaces(ET.fromstring(text))
    _show_values(root, page)
    _rename(root, prefix)
    for element in [root, *root.findall("defs")]:  # a style sheet would speak to the whole page
        for child in [child for child in element if child.tag in ("metadata", "style")]:
            element.remove(child)
    root.set("style", f"stroke-linejoin: round; stroke-linecap: butt; {_FONT}")
    for defs in [child for child in root.findall("defs") if not len(child)]:
        root.remove(defs)
    _shorten(root)
    root.set("role", "img")
    root.set("aria-labelledby", f"{prefix}title {prefix}desc")
    for index, (tag, words) in enumerate((("title", _printable(heading, " ")), ("desc", body))):
        child = ET.Element(tag, {"id": f"{prefix}{tag}"})
        child.text = words
        root.insert(index, child)
    if page:
        _take_the_colours_of_the_page(root)
    return ET.tostring(root, encoding="unicode") + "\n"


def _without_namespaces(root: ET.Element) -> ET.Element:
    """Tree in which every element and attribute has the name of the text, which ids then stand beside."""

    def name(tag: str) -> str:
        space, _, short = tag.removeprefix("{").rpartition("}")
        return _PREFIXES.get(space, "") + short

    for element in root.iter():
        element.tag = name(element.tag)
        for key in [key for key in element.attrib if key.startswith("{")]:
            element.set(name(key), element.attrib.pop(key))
    root.set("xmlns", "http://www.w3.org/2000/svg")
    root.set("xmlns:xlink", "http://www.w3.org/1999/xlink")
    return root


def _shorten(root: ET.Element) -> None:
    """Leave out what is said anyway: parts of coordinates, empty groups, the font, a turn by nothing."""
    _join(root)
    for element in root.iter():
        element.text = (element.text or "").strip() or None
        element.tail = "\n"
        if element.tag in ("path", "use", "text"):
            for key in [key for key in ("d", "x", "y") if key in element.attrib]:
                short = _LONG.sub(
                    lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."),
                    element.attrib[key],
                )
                element.set(key, " ".join(short.split()))
        if element.tag == "text":
            style = [part for part in element.get("style", "").split("; ") if part != _FONT]
            element.set("style", "; ".join(style))
            if element.get("transform", "").startswith("rotate(-0 "):
                del element.attrib["transform"]


def _join(element: ET.Element) -> None:
    """Replace groups that say nothing by what they hold, and neighbours that say the same by one group."""
    inside: list[ET.Element] = []
    for child in element:
        _join(child)
        parts = list(child) if child.tag == "g" and not child.attrib else [child]
        for part in parts:
            if (
                part.tag == "g"
                and inside
                and (inside[-1].tag, inside[-1].attrib) == ("g", part.attrib)
            ):
                inside[-1].extend(part)
            else:
                inside.append(part)
    element[:] = inside


def _references(root: ET.Element) -> Iterator[tuple[ET.Element, str, str]]:
    """Yield every (element, attribute, id) that points somewhere."""
    for element in root.iter():
        for key, value in element.attrib.items():
            if key == "xlink:href" and value.startswith("#"):
                yield element, key, value[1:]
            elif "url(#" in value:
                yield element, key, value.split("url(#")[1].split(")")[0]


def _rename(root: ET.Element, prefix: str) -> None:
    """Keep only ids that something points to, short and unique to this figure."""
    references = list(_references(root))
    names = dict.fromkeys(target for *_, target in references)
    short = {name: f"{prefix}{k}" for k, name in enumerate(names)}
    for element, key, target in references:
        element.set(key, element.attrib[key].replace(f"#{target}", f"#{short[target]}"))
    for element in root.iter():
        name = element.attrib.pop("id", None)
        if name in short:
            element.set("id", short[name])


def _show_values(root: ET.Element, page: bool) -> None:
    """Give each mark the title that was attached, where there are as many as marks; outside a page none."""
    if not page:
        for parent in list(root.iter("g")):
            for group in [g for g in parent if g.get("id", "").startswith((_POINTED, _CELLS))]:
                parent.remove(group)
        return
    for group in [g for g in root.iter("g") if g.get("id", "").startswith(_CELLS)]:
        for area in group.iter("path"):
            area.set("data-cells", group.get("id", "").removeprefix(_CELLS))
    for group in [g for g in root.iter("g") if g.get("id", "").startswith((_VALUES, _POINTED))]:
        texts = group.get("id", "").removeprefix(_VALUES).removeprefix(_POINTED).split(_NEXT)
        hidden = {id(part) for defs in group.iter("defs") for part in defs.iter()}
        marks = list(group.iter("use")) or list(group.iter("path"))
        marks = [mark for mark in marks if id(mark) not in hidden]
        if len(marks) == len(texts):
            for mark, text in zip(marks, texts, strict=True):
                ET.SubElement(mark, "title").text = text


def _take_the_colours_of_the_page(root: ET.Element) -> None:
    for element in root.iter():
        style = element.get("style", "")
        if element.tag == "text" and "fill:" not in style:
            style = f"{style}; fill: currentColor"
        for colour, own in _PAGE_COLOURS.items():
            style = style.replace(f" {colour}", f" {own}")
        if style:
            element.set("style", style)
    root.set("style", f"{root.get('style')}; max-width: 100%; height: auto")


# --- The kinds of figures: where each is drawn, and a line on what it shows.


class Kind(NamedTuple):
    """The module that draws a kind of figure, the heading it stands under, and what it shows.

    `command` draws it, option and all; none does where it is drawn from laws.
    """

    module: str
    heading: str
    line: str
    command: str | None = "figure"


_JUDGES, _ITEMS = "How good the judges are, and how they go together", "The items"
_SHARED = "What judges who give scores share"
_LAWS = "What laws of votes say"
_POSSIBLE, _PAPER = "What the votes allow", "What order 1 allows, answer key by answer key"
_BEFORE = "Before labels are paid"
_SYSTEMS = "The systems that judges judge"
_ON_RANKS = "ratings, and the ranks each system may have (algeval leaderboard --plot)"
_ON_TWO = "whether one of two systems is better (algeval versus --plot)"

TABLE: dict[str, Kind] = {
    "accuracies": Kind("judges", _JUDGES, "accuracy of each judge, intervals"),
    "agreement": Kind("judges", _JUDGES, "how often two judges agree; copies"),
    "confusion": Kind("judges", _JUDGES, "what each judge answers to each label"),
    "judge-card": Kind("judges", _JUDGES, "judges by people's labels, and what they confuse"),
    "slices": Kind(
        "judges", _SYSTEMS, "the rate of each slice (algeval slices --plot)", "slices --plot"
    ),
    "couplings": Kind("judges", _JUDGES, "errors that two judges share"),
    "posterior": Kind("judges", _ITEMS, "how sure a method is of its labels"),
    "disagreement": Kind("judges", _ITEMS, "where judges disagree most"),
    "reliability": Kind("judges", _ITEMS, "how sure and how often right"),
    "learning-curve": Kind("judges", _ITEMS, "what more items are worth (needs a key)"),
    "loadings": Kind("scores", _SHARED, "who follows what judges share"),
    "attributes": Kind("scores", _SHARED, "which attributes of the items go with it"),
    "shift": Kind("scores", _SHARED, "items that another consensus would move"),
    "threshold-curve": Kind("logic", _POSSIBLE, "how good all judges can be, by order"),
    "panel-curve": Kind("logic", _POSSIBLE, "how many judges miss each level"),
    "reach": Kind("logic", _POSSIBLE, "level logic refutes (algeval plan --plot)", "plan --plot"),
    "bounds": Kind("logic", _POSSIBLE, "lowest and highest grade of each judge"),
    "conflicts": Kind("logic", _POSSIBLE, "judges that exclude one another"),
    "evaluations": Kind("logic", _PAPER, "all evaluations of one judge, two labels"),
    "correctness": Kind("logic", _PAPER, "what two or three judges can have right"),
    "thresholds": Kind("logic", _PAPER, "share of answer keys that allow a level"),
    "label-thresholds": Kind("logic", _PAPER, "the same label by label"),
    "q-complex": Kind("logic", _PAPER, "the same as a map of the answer keys"),
    "rate": Kind("systems", _SYSTEMS, "what each assumption leaves of a rate"),
    "difference": Kind("systems", _SYSTEMS, _ON_TWO, "versus --plot"),
    "leaderboard": Kind("systems", _SYSTEMS, _ON_RANKS, "leaderboard --plot"),
    "label-plan": Kind("systems", _BEFORE, "what labels buy (algeval plan --plot)", "plan --plot"),
    "label-stream": Kind("systems", _SYSTEMS, "labels one at a time, and when to stop", None),
    "plan": Kind("systems", _BEFORE, "labels per item (algeval plan --plot)", "plan --plot"),
    "rule-risks": Kind("systems", _LAWS, "risk of each rule, by number of judges", None),
}
"""Modules load when a figure of the kind is drawn."""

KINDS = tuple(TABLE)
"""The figures there are."""


OF_SCORES = ("loadings", "attributes", "shift")
"""Those that take scores alone."""


def drawer_of(kind: str) -> Callable[..., Figure]:
    """Function that draws a kind."""
    return load("algeval.report.figures", f"{TABLE[kind].module}:draw_{kind.replace('-', '_')}")


def options_of(kind: str) -> tuple[str, ...]:
    """Options a kind takes."""
    return tuple(drawer_of(kind).__kwdefaults__ or {})


def takers_of(option: str) -> list[str]:
    """Kinds that take an option."""
    return [kind for kind in KINDS if option in options_of(kind)]


# --- Figures, as matplotlib objects that no global state knows of, and as files that never change.


def draw(kind: str, data: Any, **options: Any) -> Figure:
    """Draw a figure of votes, or of a result that is there already.

    Use it in papers, reports and teaching. The exact numbers behind the figures of order 1 come
    from `algeval.report.figures.logic`. Every figure carries a title and a description in words.

    Parameters
    ----------
    kind : str
        How good the judges are: "accuracies" (`methods`, `label`, `ceiling`, `intervals`, `key`),
        "agreement" (`measure`, `groups`), "confusion" (`judges`, `method`, `page`), "judge-card"
        (`most`), "couplings" (`label`). The items: "posterior" (`method`), "disagreement" (`most`, `result`),
        "reliability" (`methods`, `key`, `title`), "learning-curve" (`measure`, `over`, `methods`,
        `sizes`). What judges who give scores share: "loadings", "attributes" (both `most`), "shift"
        (`method`). What the votes allow: "threshold-curve", "panel-curve" (`levels`), both with
        `time_limit`; of a `Reach` "reach" (`points`); "bounds" (`of`, `judges`, `order`); "conflicts"
        (`at_least`). Answer key by answer key, order 1: "evaluations" (`stage`, `space`, `judge`),
        "correctness" (`q`, `at_least`),
        "thresholds" (`levels`, `also`), "label-thresholds", "q-complex" (`at_least`). Of systems: "rate"
        (`good`, `human`); of a `SystemComparison` "difference", of a `Leaderboard` "leaderboard" (`scale`,
        `most`), of a `LabelStream` "label-stream" (`labels`), of a `LabelPlan` "label-plan". Of a `Plan`
        alone: "plan". Of a curve of risks (`algeval_papers.separation`): "rule-risks" (`measure`, `scale`).
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
    possible = options_of(kind)
    unknown = [name for name in options if name not in possible]
    if unknown:
        takers = takers_of(unknown[0])
        text = f", which {' and '.join(takers)} take" if takers else ""
        raise DataError(
            f"options of {kind!r} are {list(possible)}; got {unknown[0]!r}{text}; leave it out"
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
        write_text(path, to_svg(figure))
        return
    if suffix not in _METADATA:
        raise DataError(f"path must end in .svg, .png or .pdf; got {str(path)!r}; rename it")
    with rc_context(STYLE), whole_file(path) as beside:
        figure.savefig(beside, format=suffix[1:], metadata=_METADATA[suffix])


# --- The figure of a result: which kinds show it, the usual one first.


_KINDS = {
    "algeval.agreement": ("agreement",),
    "algeval.aggregation": ("accuracies", "confusion", "posterior", "couplings", "reliability"),
    "algeval.aggregation_bootstrap": ("accuracies", "confusion"),
    "algeval.bounds": ("bounds",),
    "algeval.comparison": ("accuracies", "confusion", "posterior", "reliability"),
    "algeval.confounders": ("loadings", "attributes", "shift"),
    "algeval.judge_card": ("judge-card",),
    "algeval.judge_groups": ("agreement",),
    "algeval.leaderboard": ("leaderboard",),
    "algeval.learning_curve": ("learning-curve",),
    "algeval.pair_test": ("couplings",),
    "algeval.panel": ("conflicts", "panel-curve"),
    "algeval.risk_curve": ("rule-risks",),
    "algeval.plan": ("plan",),
    "algeval.plan-labels": ("label-plan",),
    "algeval.plan-judges": ("reach",),
    "algeval.rate": ("rate",),
    "algeval.reach": ("reach",),
    "algeval.slices": ("slices",),
    "algeval.score": ("reliability",),
    "algeval.score_aggregation": ("posterior", "loadings", "reliability"),
    "algeval.score_test": ("couplings",),
    "algeval.system-comparison": ("difference",),
    "algeval.threshold": ("threshold-curve",),
}
"""By schema, as two kinds of results have the same type name: figures of each, the usual one first."""

_DRAWN = (
    "those of threshold, panel, bounds, aggregate and its bootstrap, compare, score, agreement, "
    "judge_card, slices, pair_test, score_test, confounders, learning_curve, rate, "
    "versus, leaderboard, plan, reach and risk_curve"
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
            f"the result must be one that has a figure, {_DRAWN}; got {type(result).__name__}; read its "
            "summary(), or draw the votes with algeval.report.figures.draw"
        )
    if kind is not None:
        check_choice("kind", kind, kinds)
    return draw(kind or kinds[0], result, **options)
