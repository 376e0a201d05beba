"""The items judges differ on, those they differ on most first."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from algeval.aggregate import Aggregation
from algeval.aggregate.results import Floats
from algeval.compare import Comparison
from algeval.report.parts import Section, Table
from algeval.result import percent

__all__ = ["items_section"]

_IN_TEXT, _ON_PAGE, _IN_FILE = 12, 200, 1000

Row = tuple[str, ...]


def items_section(comparison: Comparison) -> Section | None:
    """Return the section, or None where no two fits of the same votes are there to lay side by side."""
    majority, model = (comparison[name].fit for name in ("majority", "recommended"))
    if majority is None or model is None or model.evaluation is None:
        return None
    rows = tuple(_rows(majority, model))
    what = "item" if model.items is not None else "decision tuple"
    columns = (what, "votes", "disagreement", "majority", model.method, "sure")
    split = sum(row[2] != _bits(0.0) for row in rows)
    total, more = len(rows), max(0, len(rows) - _IN_FILE)
    lines = [f"Judges differ on {split} of {total} {what}s."]
    if more:
        lines.append(
            f"The file has the {_IN_FILE} they differ on most; `algeval aggregate` writes all."
        )
    table = Table(
        columns=columns,
        rows=rows[:_ON_PAGE],
        note=_left_out(total, _ON_PAGE),
        download="items.csv",
        file_rows=rows[:_IN_FILE],
    )
    short = Table(columns=columns, rows=rows[:_IN_TEXT], note=_left_out(total, _IN_TEXT))
    return Section(
        title="Items that judges differ on",
        lines=tuple(lines),
        tables=(short,),
        page_tables=(table,),
        caveat=(
            "Items that all judges answer alike are not settled: all may be wrong. Disagreement is the "
            "entropy of the votes in bits: 0 where all agree, 1 where two answers have half each."
        ),
    )


def _left_out(total: int, shown: int) -> str:
    return f"... and {total - shown} more." if total > shown else ""


def _rows(majority: Aggregation, model: Aggregation) -> Iterator[Row]:
    """Yield a row for each item, or for each decision tuple where items are not known."""
    places = range(len(model.answers))
    counted = np.stack([(model.patterns == a).sum(axis=1) for a in places], axis=1).astype(float)
    entropy = _entropy(counted)
    top = model.posterior.max(axis=1)
    order = np.lexsort((top, -entropy.round(9)))
    items = _names(model)
    for row in order.tolist():
        told = (
            _votes(counted[row], model.answers),
            _bits(entropy[row]),
            _label(majority, row),
            _label(model, row),
            percent(top[row]),
        )
        yield from ((name, *told) for name in items[row])


def _names(model: Aggregation) -> list[list[str]]:
    """Return the items of each distinct tuple; the tuple itself and its count where they are unknown."""
    if model.items is None or model.item_pattern is None:
        answers = [*model.answers, "-"]
        said = [", ".join(answers[code] for code in row) for row in model.patterns.tolist()]
        pairs = zip(said, model.counts.tolist(), strict=True)
        return [[f"{text} (x {n})" if n > 1 else text] for text, n in pairs]
    found: list[list[str]] = [[] for _ in model.counts]
    for name, row in zip(model.items, model.item_pattern.tolist(), strict=True):
        found[row].append(name)
    return found


def _entropy(counted: Floats) -> Floats:
    """Return the entropy in bits of each row of vote counts; 0 for a row without votes."""
    total = counted.sum(axis=1, keepdims=True)
    shares = counted / np.maximum(total, 1)
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    found: Floats = np.maximum(-(shares * logs).sum(axis=1), 0.0)
    return found


def _bits(value: float) -> str:
    return f"{value:.2f}"


def _votes(counts: Floats, answers: tuple[str, ...]) -> str:
    order = np.argsort(-counts, kind="stable").tolist()
    return ", ".join(f"{answers[a]} {counts[a]:.0f}" for a in order if counts[a]) or "none"


def _label(fit: Aggregation, row: int) -> str:
    code = int(fit.decisions[row])
    return fit.labels[code] if code >= 0 else "-"
