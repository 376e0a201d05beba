"""Where a report may be written, and in which form."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from algeval.data import Scores
from algeval.data.reading import Data
from algeval.errors import DataError
from algeval.report.document import Report
from algeval.report.html import page
from algeval.report.markdown import render_markdown

__all__ = ["check_path", "write"]

_ENDINGS = (".html", ".md", ".json", ".txt")


def check_path(path: str | Path | None) -> None:
    """Refuse a path of another form, or in a folder that is not there."""
    if path is None:
        return
    if Path(path).suffix not in _ENDINGS:
        told = f"{', '.join(_ENDINGS[:-1])} or {_ENDINGS[-1]}"
        raise DataError(f"path must end in {told}; got {str(path)!r}; rename it")
    folder = Path(path).parent
    if not folder.is_dir():
        raise DataError(
            f"path must lie in a folder that exists; got {str(path)!r}; make {str(folder)!r} first"
        )


def write(
    report: Report,
    path: str | Path,
    data: Data | Scores,
    proofs: Mapping[str, Any],
    made: str,
) -> None:
    """Write all of a report; a page also holds the counts of `data` and the proofs."""
    suffix = Path(path).suffix
    if suffix == ".html":
        text = page(report, data, report.results, proofs, made)
    elif suffix == ".md":
        text = render_markdown(report)
    elif suffix == ".json":
        text = json.dumps(report.to_dict(), indent=1) + "\n"
    else:
        text = report.full()
    Path(path).write_text(text, encoding="utf-8")
