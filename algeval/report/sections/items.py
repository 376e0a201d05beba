"""The items judges differ on, those they differ on most first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np

from algeval.aggregate import Aggregation
from algeval.aggregate.results import Floats
from algeval.aggregate.votes import vote_entropy
from algeval.compare import Comparison
from algeval.data.names import Counts
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
    counted, entropy = vote_entropy(model.patterns, len(model.answers))
    rows = tuple(islice(_rows(majority, model, counted, entropy), _IN_FILE))
    what, weight = ("item", model.counts) if model.items is not None else ("decision tuple", 1)
    columns = (what, "votes", "disagreement", "majority", model.method, "sure")
    many = weight * np.ones(len(entropy), int)
    split, total = int(many[entropy.round(2) > 0].sum()), int(many.sum())
    lines = [f"Judges differ on {split} of {total} {what}s."]
    if total > _IN_FILE:
        lines.append(
            f"The file has the {_IN_FILE} they differ on most; `algeval aggregate` writes all."
        )
    table = Table(
        columns=columns,
        rows=rows[:_ON_PAGE],
        note=_left_out(total, _ON_PAGE),
        download="items.csv",
        file_rows=rows,
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


def _rows(
    majority: Aggregation, model: Aggregation, counted: Counts, entropy: Floats
) -> Iterator[Row]:
    """Yield a row for each item, or for each decision tuple where items are not known."""
    top = model.posterior.max(axis=1)
    items = _items(model)
    for row in np.lexsort((top, -entropy.round(9))).tolist():
        told = (
            _votes(counted[row], model.answers),
            _bits(entropy[row]),
            _label(majority, row),
            _label(model, row),
            percent(top[row]),
        )
        yield from ((name, *told) for name in (items[row] if items else [_tuple(model, row)]))


def _items(model: Aggregation) -> list[list[str]]:
    """Return the items of each distinct tuple; nothing where they are unknown."""
    if model.items is None or model.item_pattern is None:
        return []
    found: list[list[str]] = [[] for _ in model.counts]
    for name, row in zip(model.items, model.item_pattern.tolist(), strict=True):
        found[row].append(name)
    return found


def _tuple(model: Aggregation, row: int) -> str:
    answers, n = (*model.answers, "-"), int(model.counts[row])
    text = ", ".join(answers[code] for code in model.patterns[row].tolist())
    return f"{text} (x {n})" if n > 1 else text


def _bits(value: float) -> str:
    return f"{value:.2f}"


def _votes(counts: Counts, answers: tuple[str, ...]) -> str:
    order = np.argsort(-counts, kind="stable").tolist()
    return ", ".join(f"{answers[a]} {counts[a]}" for a in order if counts[a]) or "none"


def _label(fit: Aggregation, row: int) -> str:
    code = int(fit.decisions[row])
    return fit.labels[code] if code >= 0 else "-"
