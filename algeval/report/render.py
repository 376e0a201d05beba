"""A report as HTML, with its pictures."""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from importlib.resources import files
from io import StringIO
from math import inf
from typing import Any, NamedTuple

from algeval._version import __version__
from algeval.data import Scores
from algeval.data.evaluation import is_share
from algeval.data.reading import Data, as_counts
from algeval.errors import AlgevalError, DataError
from algeval.logic import threshold as ask_threshold
from algeval.logic.results import Threshold
from algeval.progress import steps
from algeval.report.items import items_of
from algeval.report.parts import Page, Shown, Table
from algeval.report.sections import TITLE
from algeval.result import json_visible, visible

# --- The figures of a page, drawn from what the report found, as SVG that reads on light and dark.


_SECONDS = 5.0
"""For the logical questions behind the two curves, each."""
_MOST_TABLES = 12
"""Confusion matrices of more judges are left to their table."""


class Picture(NamedTuple):
    """One figure: the section it belongs to, by its title's first words, and its SVG text."""

    section: str
    svg: str


def pictures(data: Data | Scores, results: Mapping[str, Any]) -> list[Picture]:
    """Figures there are; one that its data do not allow is left out."""
    from algeval.report.figures import to_svg

    collected = []
    for section, draw in steps(list(_drawings(data, results)), "drawing", even=False):
        try:
            collected.append(Picture(section, to_svg(draw(), page=True)))
        except AlgevalError:  # a figure too large, or of a kind that these data do not have
            continue
    return collected


def _thresholds(data: Data, threshold: Threshold) -> list[Threshold]:
    """Threshold the report has, and before it those of lower orders."""
    orders = range(1, 3 if threshold.order == "full" else int(threshold.order))
    options: dict[str, Any] = {"missing": threshold.missing_rule, "time_limit": _SECONDS}
    return [*(ask_threshold(data, order=order, **options) for order in orders), threshold]


def _drawings(
    data: Data | Scores, results: Mapping[str, Any]
) -> Iterator[tuple[str, Callable[[], Any]]]:
    from algeval.report.figures import draw

    if isinstance(data, Scores):
        yield "Consensus", results["consensus"].plot
        if "shared" in results:
            for kind in ("loadings", "attributes", "shift"):
                yield "What the judges share", partial(draw, kind, results["shared"])
    else:
        yield from _of_votes(data, results)
    if "rate" in results:
        yield TITLE, results["rate"].plot


def _of_votes(data: Data, results: Mapping[str, Any]) -> Iterator[tuple[str, Callable[[], Any]]]:
    from algeval.report.figures import draw

    comparison, threshold = results.get("comparison"), results["threshold"]
    if comparison is not None:
        ceiling = threshold if threshold.upper < 1 else None
        yield "overview", partial(draw, "accuracies", comparison, ceiling=ceiling)
    possible = "What is logically possible"
    yield possible, lambda: draw("threshold-curve", _thresholds(data, threshold))
    yield possible, partial(draw, "panel-curve", data, time_limit=_SECONDS)
    if "agreement" in results:
        named = {"groups": results.get("groups")}
        agreement = results["agreement"]
        yield "How much the judges agree", partial(draw, "agreement", agreement, **named)
    model = None if comparison is None else results.get("recommended")
    if model is not None and model.evaluation is not None:
        yield "Consensus labels", partial(draw, "posterior", model)
        yield "Items that judges differ on", partial(draw, "disagreement", data, result=model)
        if len(model.judges) <= _MOST_TABLES:
            yield "Side by side", partial(draw, "confusion", model)


# --- A report as one page that needs no other file, no network and no script, and as a fragment.


_PACKED = 50_000
"""Counts of more bytes are packed."""


def fragment(report: Page) -> str:
    """Report as an HTML fragment with its short tables; every text is escaped."""
    shown = Shown.of(report)
    nothing = {"figures": {}, "downloads": lambda table: None, "items": None}
    return _render("fragment", report=shown, whole=False, **nothing)


def page(
    report: Page,
    data: Data | Scores,
    results: Mapping[str, Any],
    proofs: Mapping[str, Any],
    made: str = "",
) -> str:
    """Report as a page, with its figures, its proofs and what checks them.

    `data` are what it speaks of: the counts go along with the proofs. `results` are what its sections were
    made from, by name; `made` is the command or call that made it.
    """
    from markupsafe import Markup

    date = _today()  # first, as it may be refused
    shown = _worst_first(Shown.of(report), results)
    drawn: dict[str, list[Markup]] = {}
    for picture in pictures(data, results):
        drawn.setdefault(picture.section, []).append(Markup(picture.svg))
    figures = _Sections(drawn)
    script = files("algeval.report").joinpath("templates/page.js").read_text(encoding="utf-8")
    items = items_of(data, results)
    parts = {"figures": figures, "downloads": _csv_link, "items": items}
    body = _render("fragment", report=shown, whole=True, **parts)
    return _render(
        "page",
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


def _worst_first(shown: Shown, results: Mapping[str, Any]) -> Shown:
    """Same with the judges who are least often right by the labels of people first, where there are any."""
    comparison = results.get("comparison")
    if comparison is None or comparison.truth is None:
        return shown
    grades = {visible(judge): comparison.truth.grade(judge) for judge in comparison.judges}
    table = shown.overview.table

    def grade(row: tuple[str, ...]) -> float:
        share = grades.get(row[0])
        return inf if share is None or not is_share(share) else float(share)

    rows = tuple(sorted(table.rows, key=grade))
    note = f"{table.note} The least accurate by the key stand first.".strip()
    overview = replace(shown.overview, table=replace(table, rows=rows, note=note))
    return replace(shown, overview=overview)


class _Sections(dict[str, Any]):
    """Figures by the first words of a section's title."""

    def of(self, title: str) -> list[Any]:
        return [svg for start, result in self.items() if title.startswith(start) for svg in result]


class _Link(NamedTuple):
    """A file inside the page: its name, and the address that holds it."""

    name: str
    href: str


class _Proofs(NamedTuple):
    """Certificates as text and as files, the counts, the verifier, and the command that checks them."""

    certificates: list[tuple[_Link, str]]
    counts: _Link
    verifier: _Link
    command: str


def _proofs(data: Data | Scores, proofs: Mapping[str, Any]) -> _Proofs:
    counts = as_counts(data)  # type: ignore[arg-type]
    document = counts.to_dict()
    kind = document["schema"].split(".")[1].split("/")[0]
    text = json.dumps(document).encode()
    held = _link(f"{kind}.json", text, "application/json")
    if len(text) > _PACKED:
        held = _link(f"{kind}.json.gz", gzip.compress(text, mtime=0), "application/gzip")
    verifier = files("algeval").joinpath("verify.py").read_bytes()
    certificates = []
    for name, proof in proofs.items():
        sentence = json.dumps(proof.to_dict())
        link = _link(f"{name}.json", sentence.encode(), "application/json")
        certificates.append((link, json_visible(sentence)))
    command = f"python3 verify.py {certificates[0][0].name} {held.name}"
    return _Proofs(certificates, held, _link("verify.py", verifier, "text/x-python"), command)


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

    folder = files("algeval.report").joinpath("templates")
    sources = {
        f"{part}.html": folder.joinpath(f"{part}.html").read_text(encoding="utf-8")
        for part in ("fragment", "page", "parts")
    }
    sources["page.css"] = folder.joinpath("page.css").read_text(encoding="utf-8")
    environment = Environment(loader=DictLoader(sources), autoescape=True, trim_blocks=True)

    def anchor(title: str) -> str:
        return re.sub("[^a-z0-9]+", "-", title.split(",")[0].lower()).strip("-")

    return environment.get_template(f"{name}.html").render(anchor=anchor, **values)
