"""A report as one page that needs no other file, no network and no script, and as a fragment."""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
from base64 import b64encode
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.resources import files
from io import StringIO
from typing import Any, NamedTuple

from algeval._version import __version__
from algeval.data import Scores
from algeval.data.reading import Data, as_counts
from algeval.report.parts import Page, Shown, Table
from algeval.report.pictures import pictures
from algeval.result import json_visible

__all__ = ["fragment", "page"]

_PACKED = 50_000
"""Counts of more bytes are packed."""


def fragment(report: Page) -> str:
    """Return the report as an HTML fragment with its short tables; every text is escaped."""
    shown = Shown.of(report)
    return _render("fragment", report=shown, figures={}, downloads=_no_downloads, whole=False)


def page(
    report: Page,
    data: Data | Scores,
    results: Mapping[str, Any],
    proofs: Mapping[str, Any],
    made: str = "",
) -> str:
    """Return the report as a page, with its figures, its proofs and what checks them.

    Parameters
    ----------
    report : Page
    data : Votes, Sketch, KeyedSketch, Summary or Scores
        What it speaks of; the counts go along with the proofs.
    results : mapping
        What its sections were made from, by name.
    proofs : mapping from name to Certificate
    made : str
        The command or call that made it.
    """
    from markupsafe import Markup

    shown = Shown.of(report)
    drawn: dict[str, list[Markup]] = {}
    for picture in pictures(data, results):
        drawn.setdefault(picture.section, []).append(Markup(picture.svg))
    figures = _Sections(drawn)
    body = _render("fragment", report=shown, figures=figures, downloads=_csv_link, whole=True)
    return _render(
        "page",
        report=shown,
        body=Markup(body),
        proofs=_proofs(data, proofs) if proofs else None,
        made=made,
        version=__version__,
        date=_today(),
    )


class _Sections(dict[str, Any]):
    """Figures by the first words of a section's title."""

    def of(self, title: str) -> list[Any]:
        return [svg for start, found in self.items() if title.startswith(start) for svg in found]


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
        told = json.dumps(proof.to_dict())
        link = _link(f"{name}.json", told.encode(), "application/json")
        certificates.append((link, json_visible(told)))
    command = f"python3 verify.py {certificates[0][0].name} {held.name}"
    return _Proofs(certificates, held, _link("verify.py", verifier, "text/x-python"), command)


def _link(name: str, content: bytes, kind: str) -> _Link:
    return _Link(name, f"data:{kind};base64,{b64encode(content).decode()}")


def _no_downloads(table: Table) -> None:
    return None


def _csv_link(table: Table) -> _Link | None:
    """Return the rows of a table as a CSV file, if it has a name for one."""
    if not table.download:
        return None
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(table.file_rows)
    return _link(table.download, stream.getvalue().encode(), "text/csv")


def _anchor(title: str) -> str:
    return re.sub("[^a-z0-9]+", "-", title.split(",")[0].lower()).strip("-")


def _today() -> str:
    """Return the day, in UTC; that of SOURCE_DATE_EPOCH where it is set, for pages to be repeated."""
    stamp = os.environ.get("SOURCE_DATE_EPOCH")
    now = datetime.now(UTC) if stamp is None else datetime.fromtimestamp(int(stamp), UTC)
    return f"{now:%Y-%m-%d}"


def _render(name: str, **values: object) -> str:
    from jinja2 import DictLoader, Environment

    folder = files("algeval.report").joinpath("templates")
    sources = {
        f"{part}.html": folder.joinpath(f"{part}.html").read_text(encoding="utf-8")
        for part in ("fragment", "page", "parts")
    }
    sources |= {
        part: folder.joinpath(part).read_text(encoding="utf-8") for part in ("page.css", "page.js")
    }
    environment = Environment(loader=DictLoader(sources), autoescape=True, trim_blocks=True)
    return environment.get_template(f"{name}.html").render(anchor=_anchor, **values)
