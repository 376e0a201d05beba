"""Samples that the LM evaluation harness logs: a file per model and task, models as judges."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

from algeval.errors import DataError
from algeval.io.layout import shown
from algeval.io.readers.files import Files, keys_of, must_have
from algeval.io.readers.gathered import Gathered, Wanted
from algeval.io.readers.questions import one_question

__all__ = ["fits", "read"]

_FILE = re.compile(r"samples_(.+)_(\d{4}-\d\d-\d\dT[\d.\-]+)$")
_FIELDS = {"doc_id", "doc_hash", "filtered_resps"}


def fits(files: Files) -> bool:
    """Whether a file, or one in the folder, holds logged samples."""
    return any(keys_of(files.first_row(path)) >= _FIELDS for path in files.paths)


def read(files: Files, wanted: Wanted) -> Gathered:
    """Return each model's answer to the documents of one task."""
    task, filter_, metric = _split(wanted.question)
    task, chosen = _files(files, task)
    found = Gathered("lm-eval", key_name="target")
    hashes: dict[str, tuple[str, str]] = {}
    filters: Counter[str] = Counter()
    for model, path in chosen.items():
        for place, row in files.rows(path):
            where = f"{place} ({model})"
            name = str(row.get("filter", "none"))
            filters[name] += 1
            if filter_ in (None, name):
                _row(found, model, row, where, hashes, metric)
    one_question(
        filter_,
        filters,
        f"{files.name}, filtered in several ways,",
        noun="response",
        before=f"{task}/",
    )
    what = (
        "index of the likeliest choice, or the filtered answer" if metric is None else f"{metric!r}"
    )
    found.notes.insert(0, f"item: document; judge: model; answer: {what}")
    return found


def _split(question: str | None) -> tuple[str | None, str | None, str | None]:
    """Return task, filter and metric of "task", "task/filter" or "task/filter/metric"."""
    parts = [*(question or "").split("/"), "", ""]
    task, filter_, metric = (part or None for part in parts[:3])
    return task, filter_, metric


def _files(files: Files, task: str | None) -> tuple[str, dict[str, Path]]:
    """Return the one task, and the newest file of each model."""
    known: dict[str, dict[str, list[tuple[str, Path]]]] = {}
    for path in files.paths:
        if not keys_of(files.first_row(path)) >= _FIELDS:
            continue
        told = _FILE.fullmatch(path.stem)
        name, when = (told[1], told[2]) if told else (path.stem, "")
        model = path.parent.name.replace("__", "/") if told else path.stem
        known.setdefault(name, {}).setdefault(model, []).append((when, path))
    models = {name: len(runs) for name, runs in known.items()}
    task = one_question(task, models, files.name, noun="model")
    return task, {model: max(runs)[1] for model, runs in known[task].items()}


def _row(
    found: Gathered,
    model: str,
    row: Any,
    where: str,
    hashes: dict[str, tuple[str, str]],
    metric: str | None,
) -> None:
    item = str(must_have(row, "doc_id", (int, str), where))
    mark = must_have(row, "doc_hash", str, where)
    other = hashes.setdefault(item, (mark, model))
    if other[0] != mark:
        raise DataError(
            f"a document must be the same for every model; document {item} of {model!r} is another than that "
            f"of {other[1]!r}; run them on one version of the task"
        )
    if metric and metric not in row:
        known = [name for name, held in row.items() if isinstance(held, float)]
        raise DataError(
            f"question must end with a metric of the samples; got {metric!r}; {where} has {shown(known)}"
        )
    answer = row[metric] if metric else _answer(row, where)
    key = None if metric else row.get("target")
    if answer is None or answer in ("", "[invalid]"):
        found.no_vote(item, model, "no valid answer", key)
    else:
        found.vote(item, model, _whole(answer), key)


def _whole(answer: Any) -> Any:
    return int(answer) if isinstance(answer, float) and answer.is_integer() else answer


def _chance(pair: Any, where: str) -> float:
    """Return the log-likelihood of a choice, which stands as text beside whether it is the greedy one."""
    try:
        return float(pair[0])
    except (TypeError, ValueError, IndexError, KeyError, OverflowError):
        raise DataError(
            f"every choice must have a log-likelihood; got {str(pair)[:40]!r} in {where}; run it again"
        ) from None


def _answer(row: Any, where: str) -> Any:
    """Return the place of the likeliest choice, or the one filtered response."""
    given = must_have(row, "filtered_resps", list, where)
    if given and isinstance(given[0], list):
        chances = [_chance(pair, where) for pair in given]
        known = all(chance == chance for chance in chances)
        return chances.index(max(chances)) if known else None
    if len(given) > 1:
        raise DataError(
            f"a model must give one answer; {where} has {len(given)} filtered responses; use a filter that "
            "keeps one"
        )
    return given[0] if given else None
