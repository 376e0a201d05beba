"""A report as HTML, with its pictures."""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from importlib.resources import files
from io import StringIO
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from algeval._version import __version__
from algeval.aggregate.em import vote_entropy
from algeval.data import Scores, Votes
from algeval.data.reading import Data, as_counts
from algeval.errors import AlgevalError, DataError
from algeval.logic import threshold as ask_threshold
from algeval.logic.results import Threshold
from algeval.progress import steps
from algeval.report.first import by_people, certainty_refuted, votes_with_labels
from algeval.report.items import Origin, items_of
from algeval.report.parts import Card, Page, Shown, Table
from algeval.report.sections import TITLE
from algeval.result import json_visible

if TYPE_CHECKING:
    from algeval.compare.comparison import Comparison
    from algeval.io.results import Results

# --- The figures of a page, drawn from what the report found, as SVG that reads on light and dark.


_SECONDS = 5.0
"""For the logical questions behind the two curves, each."""
_SAME = 0.005
"""Probabilities this near to each other are one bar."""
_MOST_TABLES = 12
"""Confusion matrices of more judges are left to their table."""


class Picture(NamedTuple):
    """One figure: the section it belongs to, by its title's first words, and its SVG text."""

    section: str
    svg: str


def pictures(data: Data | Scores, results: Mapping[str, Any]) -> list[Picture]:
    """Figures there are, without those that the data do not allow and those that would say nothing."""
    from algeval.report.figures import to_svg

    collected = []
    for section, draw in steps(list(_drawings(data, results)), "drawing", even=False):
        try:
            figure = draw()
        except AlgevalError:  # a figure too large, or of a kind that these data do not have
            continue
        if figure is not None:
            collected.append(Picture(section, to_svg(figure, page=True)))
    return collected


def _threshold_curve(data: Data, threshold: Threshold) -> Any:
    """Threshold the report has below those of lower orders; None where they say the same, or nothing."""
    from algeval.report.figures import draw

    orders = range(1, 3 if threshold.order == "full" else int(threshold.order))
    options: dict[str, Any] = {"missing": threshold.missing_rule, "time_limit": _SECONDS}
    bars = [*(ask_threshold(data, order=order, **options) for order in orders), threshold]
    if len({(bar.lower, bar.upper) for bar in bars}) < min(len(bars), 2) or bars[-1].upper == 1:
        return None
    return draw("threshold-curve", bars)


def _panel_curve(data: Data) -> Any:
    """Curve of the judges that fall short; None where as many do at every level."""
    from algeval.report.figures import draw
    from algeval.report.figures.drawing import panel_steps
    from algeval.report.figures.logic import PANEL_LEVELS

    lines = panel_steps(data, PANEL_LEVELS, time_limit=_SECONDS)
    return draw("panel-curve", lines) if any(len(set(line.fewest)) > 1 for line in lines) else None


def _drawings(
    data: Data | Scores, results: Mapping[str, Any]
) -> Iterator[tuple[str, Callable[[], Any]]]:
    from algeval.report.figures import draw

    if isinstance(data, Scores):
        yield "Consensus", results["consensus"].plot
        if "shared" in results:
            for kind in ("loadings", "attributes", "shift"):
                yield "What the judges share", partial(draw, kind, results["shared"])
    elif not isinstance(data, Votes) or data.judges:
        yield from _of_votes(data, results)
    if "rate" in results:
        yield TITLE, results["rate"].plot


def _accuracies(
    data: Data, comparison: Comparison, threshold: Threshold
) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Accuracies by labels of people, where there are any, and by models else."""
    from algeval.report.figures import draw
    from algeval.report.figures.judges import draw_by_labels

    ceiling = threshold if threshold.upper < 1 else None
    labelled = votes_with_labels(data)
    if labelled is None:
        yield "overview", partial(draw, "accuracies", comparison, ceiling=ceiling)
        return
    rows = by_people(labelled, "")
    counted = [(row.judge, row.right, row.n, row.accuracy[1:]) for row in rows if row.n]
    if counted:
        whenever = any(row.looked is not None for row in rows)
        yield "overview", partial(draw_by_labels, counted, whenever=whenever)


def _of_votes(data: Data, results: Mapping[str, Any]) -> Iterator[tuple[str, Callable[[], Any]]]:
    from algeval.report.figures import draw
    from algeval.report.figures.judges import draw_confusion_by_labels

    comparison, threshold = results.get("comparison"), results["threshold"]
    if comparison is not None:
        yield from _accuracies(data, comparison, threshold)
    possible = "What is logically possible"
    yield possible, partial(_threshold_curve, data, threshold)
    yield possible, partial(_panel_curve, data)
    if "agreement" in results and len(results["agreement"].judges) > 2:
        named = {"groups": results.get("groups")}
        agreement = results["agreement"]
        yield "How much the judges agree", partial(draw, "agreement", agreement, **named)
    model = None if comparison is None else results.get("recommended")
    if comparison is None or model is None or model.evaluation is None:
        return
    if np.ptp(model.posterior.max(axis=1)) > _SAME and not certainty_refuted(comparison):
        yield "Consensus labels", partial(draw, "posterior", model)
    entropy = vote_entropy(model.patterns, len(model.answers))[1]
    if len(np.unique(entropy.round(9))) > 2:  # else all disputed items are split alike
        yield "Items that judges differ on", partial(draw, "disagreement", data, result=model)
    if len(model.judges) > _MOST_TABLES:
        return
    if comparison.truth is not None:
        yield "Side by side", partial(draw_confusion_by_labels, comparison)
    else:
        yield "Side by side", partial(draw, "confusion", model)


# --- A report as one page that needs no other file, no network and no script, and as a fragment.


_PACKED = 50_000
"""Counts of more bytes are packed."""


def fragment(report: Page) -> str:
    """Report as an HTML fragment with its short tables; every text is escaped."""
    shown = Shown.of(report)
    nothing = {"figures": {}, "downloads": lambda table: None, "items": None, "slides": ()}
    return _render("fragment.html", report=shown, whole=False, **nothing)


def page(
    report: Page,
    data: Data | Scores,
    results: Mapping[str, Any],
    proofs: Mapping[str, Any],
    made: str = "",
    table: Results | None = None,
) -> str:
    """Report as a page, with its figures, its proofs and what checks them.

    `data` are what it speaks of: the counts go along with the proofs. `results` are what its sections were
    made from, by name; `made` is the command or call that made it; `table` is where the data stood.
    """
    from markupsafe import Markup

    date = _today()  # first, as it may be refused
    shown = Shown.of(report)
    drawn: dict[str, list[Markup]] = {}
    for picture in pictures(data, results):
        drawn.setdefault(picture.section, []).append(Markup(picture.svg))
    figures = _Sections(drawn)
    script = files("algeval.report").joinpath("templates/page.js").read_text(encoding="utf-8")
    items = items_of(data, results, Origin.of(table))
    parts = {"figures": figures, "downloads": _csv_link, "items": items}
    parts["slides"] = _slides(shown.source, shown.overview.cards)
    body = _render("fragment.html", report=shown, whole=True, **parts)
    return _render(
        "page.html",
        report=shown,
        body=Markup(body),
        items=None if items is None else {"document": Markup(items.document)},
        script=Markup(script),
        script_hash=f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}",
        proofs=_proofs(data, proofs) if proofs else None,
        made=made,
        version=__version__,
        date=date,
    )


class _Sections(dict[str, Any]):
    """Figures by the first words of a section's title."""

    def of(self, title: str) -> list[Any]:
        return [svg for start, result in self.items() if title.startswith(start) for svg in result]


class _Link(NamedTuple):
    """A file inside the page: its name, and the address that holds it."""

    name: str
    href: str


class _Proofs(NamedTuple):
    """Certificates as text and as files, the counts, the two files of the verifier, and the command."""

    certificates: list[tuple[_Link, str]]
    counts: _Link
    verifier: list[_Link]
    command: str


def _proofs(data: Data | Scores, proofs: Mapping[str, Any]) -> _Proofs:
    counts = as_counts(data)  # type: ignore[arg-type]
    document = counts.to_dict()
    kind = document["schema"].split(".")[1].split("/")[0]
    text = json.dumps(document).encode()
    held = _link(f"{kind}.json", text, "application/json")
    if len(text) > _PACKED:
        held = _link(f"{kind}.json.gz", gzip.compress(text, mtime=0), "application/gzip")
    verifier = [
        _link(name, files("algeval").joinpath(name).read_bytes(), "text/x-python")
        for name in ("verify.py", "verify_alarm.py")
    ]
    certificates = []
    for name, proof in proofs.items():
        sentence = json.dumps(proof.to_dict())
        link = _link(f"{name}.json", sentence.encode(), "application/json")
        certificates.append((link, json_visible(sentence)))
    command = f"python3 verify.py {certificates[0][0].name} {held.name}"
    return _Proofs(certificates, held, verifier, command)


def _link(name: str, content: bytes, kind: str) -> _Link:
    return _Link(name, f"data:{kind};base64,{b64encode(content).decode()}")


def _csv_link(table: Table) -> _Link | None:
    """Rows of a table as a CSV file, if it has a name for one."""
    if not table.download:
        return None
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(table.file_rows)
    return _link(table.download, stream.getvalue().encode(), "text/csv")


def _today() -> str:
    """Day, in UTC; that of SOURCE_DATE_EPOCH where it is set, for pages to be repeated."""
    stamp = os.environ.get("SOURCE_DATE_EPOCH")
    try:
        now = datetime.now(UTC) if stamp is None else datetime.fromtimestamp(int(stamp), UTC)
    except (ValueError, OverflowError, OSError):
        raise DataError(
            f"SOURCE_DATE_EPOCH must be seconds since 1970, a whole number; got {stamp!r}; unset it"
        ) from None
    return f"{now:%Y-%m-%d}"


def _render(name: str, **values: object) -> str:
    from jinja2 import DictLoader, Environment
    from markupsafe import Markup, escape

    folder = files("algeval.report").joinpath("templates")
    sources = {
        f"{part}.html": folder.joinpath(f"{part}.html").read_text(encoding="utf-8")
        for part in ("fragment", "page", "parts")
    }
    for source in ("page.css", "slide.svg"):
        sources[source] = folder.joinpath(source).read_text(encoding="utf-8")
    environment = Environment(loader=DictLoader(sources), autoescape=True, trim_blocks=True)

    def unbroken(text: str) -> Markup:  # 68-77% and --good stay on one line
        words = r"(--[a-z][\w-]*|\(?\d[\d.]*-\d[\d.]*%?\)?)"
        return Markup(re.sub(words, r'<span class="range">\1</span>', str(escape(text))))

    environment.filters["unbroken"] = unbroken

    def anchor(title: str) -> str:
        return re.sub("[^a-z0-9]+", "-", title.split(",")[0].lower()).strip("-")

    return environment.get_template(name).render(anchor=anchor, **values)


# --- Cards for slides: a rate with its interval, on how many labels, and what it does not mean.


class _Slide(NamedTuple):
    """A card as an element of the page, and as a file."""

    svg: Any
    link: _Link


_SCALE = (72, 1208)
"""Where the ends of its scale stand on a card."""
_CARD_LETTERS, _CARD_LINES = 76, 3


def _slides(source: str, cards: Sequence[Card]) -> list[_Slide]:
    """Cards as pictures, each with a file name of its own."""
    from markupsafe import Markup

    slides = []
    for number, card in enumerate(cards):
        first, last = card.ends

        def at(share: float, first: float = first, last: float = last) -> float:
            left, right = _SCALE
            inside = min(max((float(share) - first) / (last - first), 0.0), 1.0)
            return round(left + (right - left) * inside, 1)

        marks = [first + k / 4 * (last - first) for k in range(5)]
        shown = {
            "id": f"slide-{number}",
            "source": _cut(source, 72),
            "title": _cut(card.title, 40),
            "value": card.value,
            "interval": card.interval,
            "size": card.size,
            "caveat": _lines(card.caveat, _CARD_LETTERS, _CARD_LINES),
            "marks": [
                (at(mark), f"{100 * mark:+g}".replace("+0", "0") if first < 0 else f"{mark:.0%}")
                for mark in marks
            ],
            **{"low": at(card.low), "high": at(card.high), "point": at(card.point)},
        }
        svg = _render("slide.svg", card=shown)
        same = [other.name for other in cards[:number]].count(card.name)
        name = card.name.replace(".svg", f"-{same + 1}.svg") if same else card.name
        slides.append(_Slide(Markup(svg), _link(name, svg.encode(), "image/svg+xml")))
    return slides


def _cut(text: str, most: int) -> str:
    """Text in one line of so many letters, wide ones counted twice."""
    return "".join(_lines(text, most, 1))


def _lines(text: str, most: int, lines: int) -> list[str]:
    """Text in at most so many lines; dots end the last one where there is more."""
    from rich.cells import cell_len, set_cell_size
    from rich.console import Console
    from rich.text import Text

    wrapped = Text(text).wrap(Console(width=most), most, overflow="fold")
    parts = [line.plain.rstrip() for line in wrapped]
    if len(parts) > lines:
        last = parts[lines - 1]
        parts[lines - 1] = f"{set_cell_size(last, min(cell_len(last), most - 3)).rstrip()}..."
    return parts[:lines]
