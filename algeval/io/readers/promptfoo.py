"""Results of promptfoo: the JSON of an evaluation, or its JSON lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from algeval.errors import DataError
from algeval.io.columns import plain
from algeval.io.readers.files import Files, keys_of, must_have
from algeval.io.readers.gathered import Gathered, Wanted
from algeval.io.readers.questions import keep_one_question

__all__ = ["fits", "read"]

_KNOWN_VERSION = 3


def fits(files: Files) -> bool:
    """Whether the file holds results of promptfoo."""
    if files.several:
        return False
    document = files.document()
    if document is None:
        return {"gradingResult", "testIdx"} <= keys_of(files.first_row())
    results = document.get("results") if isinstance(document, dict) else None
    if isinstance(results, dict) and isinstance(results.get("results"), list):
        return True
    return {"gradingResult", "testIdx"} <= keys_of(document)


def read(files: Files, wanted: Wanted) -> Gathered:
    """Return the votes of every assertion on every output."""
    document = files.document()
    held = document.get("results") if isinstance(document, dict) else None
    version = _metadata(document).get("promptfooVersion")
    found = Gathered(f"promptfoo {version}" if version else "promptfoo")
    if isinstance(held, dict):
        rows: Any = held["results"]
        if held.get("version") != _KNOWN_VERSION:
            found.notes.append(
                f"results of version {held.get('version')!r}, read as version {_KNOWN_VERSION}"
            )
    else:
        rows = [document] if document is not None else [row for _, row in files.rows()]
    found.notes.append("item: test, prompt and provider; judge: assertion; answer: pass or fail")
    for number, row in enumerate(rows, start=1):
        _read_row(found, row, f"result {number} of {files.name}")
    keep_one_question(found, {}, wanted, files.name)
    return found


def _metadata(document: Any) -> dict[str, Any]:
    found = document.get("metadata") if isinstance(document, dict) else None
    return found if isinstance(found, dict) else {}


def _read_row(found: Gathered, row: Any, where: str) -> None:
    item = _item(row, where)
    graded = row.get("gradingResult")
    if row.get("failureReason") == 2 or not isinstance(graded, dict):
        found.left_out["outputs that were not graded (errors)"] += 1
        return
    parts = graded.get("componentResults") or []
    if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
        raise DataError(
            f"componentResults of {where} must be a list of objects; export the file again"
        )
    if not parts:
        found.left_out["outputs without assertions"] += 1
    for judge, part in _named(parts, where):
        about = part.get("metadata")
        if isinstance(about, dict) and about.get("graderError"):
            found.no_vote(item, judge, "grader error")
        elif not isinstance(part.get("pass"), bool):
            found.no_vote(item, judge, "no verdict")
        else:
            found.vote(item, judge, "pass" if part["pass"] else "fail")


def _item(row: Any, where: str) -> str:
    test, prompt = (must_have(row, name, int, where) for name in ("testIdx", "promptIdx"))
    provider = must_have(row, "provider", (str, dict), where)
    if isinstance(provider, dict):
        named = "label" if provider.get("label") else "id"
        provider = must_have(provider, named, str, f"the provider of {where}")
    return f"{test}:{prompt}:{provider}"


def _named(parts: list[Any], where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each assertion's verdict by a name of its own: its metric, or its type and place."""
    names = []
    for place, part in enumerate(parts, start=1):
        assertion = part.get("assertion")
        if part.get("componentResults"):
            raise DataError(
                f"assertions must stand side by side; {where} has a set of them within another; take the "
                "assert-set apart in the configuration"
            )
        kind = assertion if isinstance(assertion, dict) else {}
        metric, what = (
            plain(kind[name]) if isinstance(kind.get(name), str) else None
            for name in ("metric", "type")
        )
        names.append(metric or f"{what or 'assertion'} {place}")
    again = Counter(names)
    for place, (name, part) in enumerate(zip(names, parts, strict=True), start=1):
        yield (f"{name} {place}" if again[name] > 1 else name), part
