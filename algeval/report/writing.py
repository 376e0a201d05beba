"""Where a report may be written, and in which form."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from algeval.data import Scores
from algeval.data.reading import Data
from algeval.report.document import Report
from algeval.report.html import page
from algeval.report.markdown import render_markdown
from algeval.result.files import OF_TABLES, check_place, write_text

__all__ = ["REPORT_ENDINGS", "check_path", "write"]

REPORT_ENDINGS = (".html", ".md", ".json", ".txt", *OF_TABLES)


def check_path(path: str | Path | None) -> None:
    """Refuse a path of another form, or in a folder that is not there."""
    if path is not None:
        check_place(path, REPORT_ENDINGS)


def write(
    report: Report,
    path: str | Path,
    data: Data | Scores,
    proofs: Mapping[str, Any],
    made: str,
) -> None:
    """Write all of a report; a page also holds the counts of `data` and the proofs."""
    suffix = Path(path).suffix.lower()
    if suffix in OF_TABLES:
        report.to_file(path)
        return
    if suffix == ".html":
        text = page(report, data, report.results, proofs, made)
    elif suffix == ".md":
        text = render_markdown(report)
    elif suffix == ".json":
        text = json.dumps(report.to_dict(), indent=1) + "\n"
    else:
        text = report.full()
    write_text(path, text)
