"""`plot` and `draw`: the kinds of figures, their style, and what they share."""

from __future__ import annotations

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
from time import monotonic
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
    """How many judges fall short at each level asked: at least `fewest`, and `most` is enough.

    Attributes
    ----------
    order : int or "full"
    n_judges : int
    levels : tuple of Fraction
        Ascending.
    fewest, most : tuples of int
        Neither ever falls along the levels.
    """

    order: Order
    n_judges: int
    levels: tuple[Fraction, ...]
    fewest: tuple[int, ...]
    most: tuple[int, ...]

    @property
    def left_open(self) -> tuple[Fraction, ...]:
        """The levels at which the two differ."""
        both = zip(self.levels, self.fewest, self.most, strict=True)
        return tuple(level for level, low, high in both if low < high)


class _Time:
    """The seconds that are left for all questions together."""

    def __init__(self, limit: float | None) -> None:
        self._end = None if limit is None else monotonic() + limit

    def share(self, questions: int) -> float | None:
        """Part of one of so many questions."""
        return None if self._end is None else max(0.0, self._end - monotonic()) / max(questions, 1)


def _orders_up(data: Data) -> tuple[Order, ...]:
    """Orders that the data support, the lowest first."""
    return orders_down_from(data, resolve_order(data, None))[::-1]


def threshold_brackets(
    data: Data, *, missing: str = "excluded", time_limit: float | None = 60.0
) -> tuple[Bracket, ...]:
    """Threshold of every order the data support, the lowest order first.

    What a lower order refutes is impossible at a higher one, and what a higher one allows is possible
    at a lower one: each bracket is held to that. An order whose program is too large tells nothing
    else.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> grades = {"authors": {"a": 5, "b": 10, "tie": 10}, "gpt4": {"a": 4, "b": 18, "tie": 3}}
    >>> [str(b.upper) for b in threshold_brackets(Summary.from_counts(grades))]
    ['2/3']
    """
    clock, pairs_ = _Time(time_limit), []
    orders, upper = _orders_up(data), Fraction(1)
    for index, order in enumerate(orders):
        lower = Fraction(0)
        try:
            seconds = clock.share(len(orders) - index)
            text = threshold(data, order=order, missing=missing, time_limit=seconds)
            lower, upper = text.lower, min(upper, text.upper)
        except TooLargeError:
            pass
        pairs_.append(Bracket(order, lower, upper))
    lowers = accumulate((b.lower for b in reversed(pairs_)), max)
    pairs = zip(reversed(pairs_), lowers, strict=True)
    return tuple(bracket._replace(lower=lower) for bracket, lower in pairs)[::-1]


def panel_steps(
    data: Data,
    levels: Sequence[object],
    *,
    missing: str = "excluded",
    time_limit: float | None = 60.0,
) -> tuple[PanelSteps, ...]:
    """For every order how many judges fall short of each level, the lowest order first.

    Asked by halves: between two levels with the same answer every level has it too.

    Examples
    --------
    >>> from algeval.data import Summary
    >>> three = {"x": {"a": 0, "b": 2}, "y": {"a": 1, "b": 1}, "z": {"a": 2, "b": 0}}
    >>> panel_steps(Summary.from_counts(three), ["1/2", 1])[0].fewest
    (1, 2)
    """
    wanted = tuple(sorted({exact(level, "level") for level in levels}))
    clock, pairs = _Time(time_limit), []
    orders, n_judges = _orders_up(data), read_exam(data, missing).n_judges
    below = (0,) * len(wanted)
    for index, order in enumerate(orders):

        def ask(
            k: int, open_: int, order: Order = order, left: int = len(orders) - index
        ) -> tuple[int, int]:
            seconds = clock.share(open_ + (left - 1) * len(wanted))
            try:
                text = panel(data, wanted[k], order=order, missing=missing, time_limit=seconds)
            except TooLargeError:
                return 0, n_judges
            return text.min_violators, n_judges - len(text.largest_panel)

        fewest, most = _by_halves(ask, below, n_judges)
        pairs.append(PanelSteps(order, n_judges, wanted, fewest, most))
        below = fewest
    above = [n_judges] * len(wanted)
    for index in range(len(pairs) - 1, -1, -1):
        above = list(map(min, above, pairs[index].most))
        pairs[index] = pairs[index]._replace(most=tuple(above))
    return tuple(pairs)


def _by_halves(
    ask: Callable[[int, int], tuple[int, int]], below: Sequence[int], n_judges: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Lower and upper ends at all places; neither falls, so ends settle what lies between."""
    n = len(below)
    fewest, most = list(below), [n_judges] * n
    waiting = [n - 1, *([0] if n > 1 else []), *_halves(0, n - 1)]
    for done, k in enumerate(waiting):
        if fewest[k] == most[k]:
            continue
        low, high = ask(k, n - done)
        fewest[k:] = [max(low, entry) for entry in fewest[k:]]
        most[: k + 1] = [min(high, entry) for entry in most[: k + 1]]
    return tuple(fewest), tuple(most)


def _halves(low: int, high: int) -> list[int]:
    """Places between two, the middle ones first."""
    pairs, spans = [], [(low, high)]
    for a, b in spans:
        if b - a > 1:
            middle = (a + b) // 2
            pairs.append(middle)
            spans += [(a, middle), (middle, b)]
    return pairs


# --- What methods say of the judges, read from votes or from results that are there already.


METHOD = "recommended"
HELD_BACK = (METHOD, "pooled-dawid-skene")


class Fit(NamedTuple):
    """What one method says: its evaluation in floats, and the intervals around it, if any.

    A method that holds its posteriors back for errors that judges may share also grades judges by
    them: `shared`, by judge.
    """

    name: str
    evaluation: Evaluation
    n_items: int
    intervals: Bootstrap | None = None
    shared: dict[str, float] | None = None


class Told(NamedTuple):
    """What methods say, what the key says of the items whose label is known, and who said nothing."""

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
) -> Told:
    """Read what methods say of judges; votes are fitted, a result is taken as it is.

    Parameters
    ----------
    data : Votes, Sketch, KeyedSketch, Aggregation, Bootstrap, Comparison or Evaluation
    methods : sequence of str, optional
        Of a comparison those to take; of votes those to fit, by default 'recommended'.
    intervals : "auto" or int
        Refits for intervals where there are none yet.
    key : Votes or KeyedSketch, optional
        Data with a key, where `data` has none.

    Raises
    ------
    DataError
        If no method gave an evaluation, or the data are of another kind.
    """
    intervals = check_intervals(intervals)
    fits = _read(data, methods, intervals)
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


def _read(data: Any, methods: Sequence[str] | None, intervals: int | str) -> Told:
    if isinstance(data, Comparison):
        return _of_comparison(data, methods)
    if isinstance(data, Votes | Sketch | KeyedSketch):
        return _of_votes(data, methods or (METHOD,), intervals)
    if methods is not None:
        raise DataError(
            f"methods= must come with votes or a comparison; got {type(data).__name__}, which is of "
            "one method; leave it out"
        )
    if isinstance(data, Aggregation):
        return Told([_of_fit(data, shown_intervals(data, intervals))])
    if isinstance(data, Bootstrap):
        made = data if data.status.ok else None
        return Told([Fit(data.method, data.evaluation.to_floats(), data.n_items, made)])
    if isinstance(data, Evaluation):
        return Told([Fit("evaluation", data.to_floats(), 0)])
    raise refuse_data(data, "votes, an Aggregation, its bootstrap(), a Comparison or an Evaluation")


def _of_comparison(data: Comparison, methods: Sequence[str] | None) -> Told:
    estimates = list(data.estimates) if methods is None else [data[name] for name in methods]
    fits = []
    for e in estimates:
        if e.evaluation is not None:
            made = e.intervals if e.intervals is not None and e.intervals.status.ok else None
            floats = e.evaluation.to_floats()
            fits.append(Fit(e.method, floats, data.n_items, made, _shared(e.fit)))
    silent = tuple(e.method for e in estimates if e.evaluation is None)
    truth = None if data.truth is None else data.truth.to_floats()
    return Told(fits, truth, data.n_keyed, silent)


def _of_votes(data: Joint, methods: Sequence[str], intervals: int | str) -> Told:
    blind, _, keyed = split_key(data)
    results = [aggregate(blind, method) for method in methods]
    fits = [_of_fit(fit, shown_intervals(fit, intervals)) for fit in results if fit.evaluation]
    silent = tuple(fit.method for fit in results if fit.evaluation is None)
    if keyed is None:
        return Told(fits, silent=silent)
    return Told(fits, keyed.evaluation().to_floats(), keyed.n_items, silent)


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
    """Fit that a figure of one method shows: a result, one of a comparison, or a new one.

    Raises
    ------
    DataError
        If there is none, or it decided nothing.
    """
    result = _one_fit(data, method)
    if isinstance(result, Aggregation) and result.evaluation is None:
        raise DataError(f"the result must hold a fit to be drawn; got none: {result.message}")
    return result


def _one_fit(data: Any, method: str | None) -> Aggregation | ScoreAggregation:
    if isinstance(data, Aggregation | ScoreAggregation):
        if method not in (None, data.method):
            raise DataError(
                f"method must be that of the result, {data.method!r}; got {method!r}; leave it out"
            )
        return data
    if isinstance(data, Comparison):
        return _of_comparison_one(data, method)
    if isinstance(data, Votes | Sketch | KeyedSketch):
        return aggregate(split_key(data)[0], method or METHOD)
    if isinstance(data, Scores):
        fit: Aggregation | ScoreAggregation = aggregate(data, method or METHOD)
        return fit
    raise refuse_data(data, "votes, scores, an Aggregation or a Comparison")


def _of_comparison_one(data: Comparison, method: str | None) -> Aggregation:
    fits = {e.method: e.fit for e in data.estimates if e.fit is not None}
    if not fits:
        raise DataError("the comparison must hold a fit; got none; draw the votes instead")
    if method is None:
        return fits.get(METHOD, list(fits.values())[-1])
    check_choice("method", method, list(fits))
    return fits[method]


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
    """Tell what a figure shows with its main numbers, for those who cannot see it; return it.

    The sentences are the figure's label, which `to_svg` writes as its description.
    """
    figure.set_label(" ".join(sentence for sentence in sentences if sentence))
    return figure


def plain(name: str, most: int = 28) -> str:
    """Name as it can be drawn: control characters replaced, cut to `most` letters.

    Examples
    --------
    >>> plain("a judge with a name too long to write"), plain("x" + chr(0))
    ('a judge with a name too lon\N{HORIZONTAL ELLIPSIS}', 'x\N{REPLACEMENT CHARACTER}')
    """
    safe = _printable(name)
    return safe if len(safe) <= most else f"{safe[: most - 1]}\N{HORIZONTAL ELLIPSIS}"


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def colour_of(index: int) -> str:
    """Colour of the label or answer at a place: eight, then eight lighter, then grey."""
    if index >= len(COLOURS):
        return LIGHTER[index - len(COLOURS)] if index < MOST_COLOURS else GREY
    return COLOURS[index]


def legend_below(figure: Figure, columns: int = 3, **options: Any) -> None:
    """Write the legend under all axes, where it crosses nothing, in at most so many columns."""
    handles = options.get("handles") or [
        entry for axes in figure.axes for entry in axes.get_legend_handles_labels()[0]
    ]
    longest = max((len(str(handle.get_label())) for handle in handles), default=0)
    fits = int(_LEGEND_LETTERS * figure.get_figwidth() / (longest + 6))
    figure.legend(loc="outside lower center", ncols=max(1, min(columns, fits)), **options)


def show_levels(axis: Any) -> None:
    """Show an axis of accuracies as percentages from 0 to 100."""
    from matplotlib.ticker import PercentFormatter

    axis.set_major_formatter(PercentFormatter(1.0))


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
_DARK, _LIGHT = "#111111", "#f5f5f5"


def show_table(
    axes: Any,
    table: NDArray[np.float64],
    *,
    colours: str,
    least: float,
    most: float,
    form: Callable[[float], str] | None = None,
) -> Any:
    """Draw (rows, columns) numbers as squares, NaN as none; `form` writes them in, as text."""
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
    if form is not None:
        for (row, column), value in np.ndenumerate(table):
            if value == value:
                _write(axes, image, row, column, value, form)
    return image


def _write(
    axes: Any, image: Any, row: int, column: int, value: float, form: Callable[[float], str]
) -> None:
    red, green, blue, _ = image.cmap(image.norm(value))
    bright = 0.299 * red + 0.587 * green + 0.114 * blue > 0.5
    axes.text(
        column,
        row,
        form(value),
        ha="center",
        va="center",
        fontsize=7.5,
        color=_DARK if bright else _LIGHT,
    )


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


def frame(axes: Any, first: int, many: int, colour: str) -> None:
    """Draw a frame around so many rows and columns from `first` on."""
    from matplotlib.patches import Rectangle

    axes.add_patch(
        Rectangle(
            (first - 0.5, first - 0.5), many, many, fill=False, edgecolor=colour, linewidth=2.2
        )
    )


# --- Figures as SVG text that a page can hold: titled, described, without ids of its own.


METADATA = {"Date": None, "Creator": "algeval"}

_PREFIXES = {
    "http://www.w3.org/2000/svg": "",
    "http://www.w3.org/1999/xlink": "xlink:",
    "http://www.w3.org/XML/1998/namespace": "xml:",
}
_HREF = "xlink:href"
_FONT = "font-family: 'DejaVu Sans', sans-serif"
_LONG = re.compile(r"-?\d+\.\d{3,}")
_PAGE_COLOURS = {
    "#000000": "currentColor",
    INK: "currentColor",
    GRID: "currentColor; stroke-opacity: 0.2",
}


def to_svg(
    figure: Figure,
    title: str | None = None,
    description: str | None = None,
    *,
    page: bool = False,
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
    title_ = figure.get_suptitle() if title is None else title
    about = str(figure.get_label()) if description is None else description
    text = _drawn(figure, transparent=page)
    heading = " ".join(title_.split()) or "Figure"
    body = _safe(about) or heading
    mark = sha256("\n".join([text, heading, body]).encode()).hexdigest()[:8]
    root = _without_namespaces(ET.fromstring(text))
    _rename(root, f"f{mark}-")
    _strip(root)
    _shorten(root)
    _head(root, f"f{mark}-", _safe(heading), body)
    if page:
        _take_the_colours_of_the_page(root)
    return ET.tostring(root, encoding="unicode") + "\n"


def _drawn(figure: Figure, *, transparent: bool) -> str:
    from matplotlib import rc_context

    buffer = BytesIO()
    with rc_context(STYLE), warnings.catch_warnings():
        # letters are drawn by who shows the text, who may have the fonts
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure.savefig(buffer, format="svg", metadata=METADATA, transparent=transparent)
    return buffer.getvalue().decode("utf-8")


def _safe(text: str) -> str:
    """Text without the characters that XML cannot hold."""
    return "".join(c if c.isprintable() else " " for c in text)


def _without_namespaces(root: ET.Element) -> ET.Element:
    """Give every element and attribute the name it has in the text, which ids then stand beside."""
    for element in root.iter():
        element.tag = _name(element.tag)
        for key in [key for key in element.attrib if key.startswith("{")]:
            element.set(_name(key), element.attrib.pop(key))
    root.set("xmlns", "http://www.w3.org/2000/svg")
    root.set("xmlns:xlink", "http://www.w3.org/1999/xlink")
    return root


def _name(tag: str) -> str:
    space, _, name = tag.removeprefix("{").rpartition("}")
    return _PREFIXES.get(space, "") + name


def _strip(root: ET.Element) -> None:
    """Leave out metadata and the style sheet, which would speak to the whole page."""
    for element in [root, *root.findall("defs")]:
        for tag in ("metadata", "style"):
            for child in element.findall(tag):
                element.remove(child)
    root.set("style", f"stroke-linejoin: round; stroke-linecap: butt; {_FONT}")
    for defs in [child for child in root.findall("defs") if not len(child)]:
        root.remove(defs)


def _shorten(root: ET.Element) -> None:
    """Write what is said anyway once, coordinates in hundredths of a point, and no empty groups."""
    _unwrap(root)
    _join(root)
    for element in root.iter():
        element.text = (element.text or "").strip() or None
        element.tail = "\n"
        if element.tag in ("path", "use", "text"):
            for key in [key for key in ("d", "x", "y") if key in element.attrib]:
                short = _LONG.sub(_short, element.attrib[key])
                element.set(key, " ".join(short.split()))
        if element.tag == "text":
            _shorten_text(element)


def _shorten_text(element: ET.Element) -> None:
    """Leave out the font, which stands at the root, and a turn by nothing."""
    style = [part for part in element.get("style", "").split("; ") if part != _FONT]
    element.set("style", "; ".join(style))
    if element.get("transform", "").startswith("rotate(-0 "):
        del element.attrib["transform"]


def _unwrap(element: ET.Element) -> None:
    """Put what stands in groups that say nothing in the place of the group."""
    inside: list[ET.Element] = []
    for child in element:
        _unwrap(child)
        inside += list(child) if child.tag == "g" and not child.attrib else [child]
    element[:] = inside


def _join(element: ET.Element) -> None:
    """Put neighbouring groups that say the same into one: points of a cloud share their frame."""
    kept: list[ET.Element] = []
    for child in element:
        _join(child)
        if child.tag == "g" and kept and (kept[-1].tag, kept[-1].attrib) == ("g", child.attrib):
            kept[-1].extend(child)
        else:
            kept.append(child)
    element[:] = kept


def _short(number: re.Match[str]) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


def _references(root: ET.Element) -> Iterator[tuple[ET.Element, str, str]]:
    """Yield every (element, attribute, id) that points somewhere."""
    for element in root.iter():
        for key, value in element.attrib.items():
            if key == _HREF and value.startswith("#"):
                yield element, key, value[1:]
            elif "url(#" in value:
                yield element, key, value.split("url(#")[1].split(")")[0]


def _rename(root: ET.Element, prefix: str) -> None:
    """Keep only ids that something points to, short and unique to this figure."""
    result = list(_references(root))
    short = {name: f"{prefix}{k}" for k, name in enumerate(dict.fromkeys(n for *_, n in result))}
    for element, key, target in result:
        element.set(key, element.attrib[key].replace(f"#{target}", f"#{short[target]}"))
    for element in root.iter():
        name = element.attrib.pop("id", None)
        if name in short:
            element.set("id", short[name])


def _head(root: ET.Element, prefix: str, title: str, description: str) -> None:
    root.set("role", "img")
    root.set("aria-labelledby", f"{prefix}title {prefix}desc")
    for index, (tag, text) in enumerate((("title", title), ("desc", description))):
        child = ET.Element(tag, {"id": f"{prefix}{tag}"})
        child.text = text
        root.insert(index, child)


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
    "accuracies": Kind("judges:draw_accuracies", _JUDGES, "accuracy of each judge, intervals"),
    "agreement": Kind("judges:draw_agreement", _JUDGES, "how often two judges agree; copies"),
    "confusion": Kind("judges:draw_confusion", _JUDGES, "what each judge answers to each label"),
    "couplings": Kind("judges:draw_couplings", _JUDGES, "errors that two judges share"),
    "posterior": Kind("judges:draw_posterior", _ITEMS, "how sure a method is of its labels"),
    "disagreement": Kind("judges:draw_disagreement", _ITEMS, "where judges disagree most"),
    "reliability": Kind("judges:draw_reliability", _ITEMS, "how sure and how often right"),
    "learning-curve": Kind(
        "judges:draw_learning_curve", _ITEMS, "what more items are worth (needs a key)"
    ),
    "loadings": Kind("scores:draw_loadings", _SHARED, "who follows what judges share"),
    "attributes": Kind(
        "scores:draw_attributes", _SHARED, "which attributes of the items go with it"
    ),
    "shift": Kind("scores:draw_shift", _SHARED, "items that another consensus would move"),
    "threshold-curve": Kind(
        "logic:draw_threshold_curve", _POSSIBLE, "how good all judges can be, by order"
    ),
    "panel-curve": Kind(
        "logic:draw_panel_curve", _POSSIBLE, "how many judges fall short of each level"
    ),
    "bounds": Kind("logic:draw_bounds", _POSSIBLE, "lowest and highest grade of each judge"),
    "conflicts": Kind("logic:draw_conflicts", _POSSIBLE, "judges that exclude one another"),
    "evaluations": Kind(
        "logic:draw_evaluations", _PAPER, "all evaluations of one judge, two labels"
    ),
    "correctness": Kind(
        "logic:draw_correctness", _PAPER, "what two or three judges can have right"
    ),
    "thresholds": Kind("logic:draw_thresholds", _PAPER, "share of answer keys that allow a level"),
    "label-thresholds": Kind("logic:draw_label_thresholds", _PAPER, "the same label by label"),
    "q-complex": Kind("logic:draw_key_map", _PAPER, "the same as a map of the answer keys"),
    "rate": Kind("systems:draw_rate", _SYSTEMS, "what each assumption leaves of a rate"),
    "difference": Kind(
        "systems:draw_difference",
        _SYSTEMS,
        "whether one of two systems is better (algeval versus --plot)",
        "versus --plot",
    ),
    "leaderboard": Kind(
        "systems:draw_leaderboard",
        _SYSTEMS,
        "ratings, and the ranks each system may have (algeval leaderboard --plot)",
        "leaderboard --plot",
    ),
    "label-plan": Kind(
        "systems:draw_labels",
        _BEFORE,
        "what labels buy (algeval plan --plot)",
        "plan --plot",
    ),
    "label-stream": Kind(
        "systems:draw_stream", _SYSTEMS, "labels one at a time, and when to stop", None
    ),
    "plan": Kind(
        "systems:draw_plan", _BEFORE, "labels per item (algeval plan --plot)", "plan --plot"
    ),
    "rule-risks": Kind(
        "systems:draw_rule_risks", _LAWS, "risk of each rule, by number of judges", None
    ),
}
"""Modules load when a figure of the kind is drawn."""

KINDS = tuple(TABLE)
"""The figures there are."""


OF_SCORES = ("loadings", "attributes", "shift")
"""Those that take scores alone."""


def drawer_of(kind: str) -> Callable[..., Figure]:
    """Function that draws a kind."""
    return load("algeval.report.figures", TABLE[kind].place)


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
