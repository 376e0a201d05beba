"""The items of a page as data that its script shows: every vote, the human label, what was made of both."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import Aggregation
from algeval.aggregate.em import vote_entropy
from algeval.data import NOT_ANSWERED, Votes
from algeval.data.names import Codes
from algeval.rates.inputs import read_gold
from algeval.report.sections import is_key
from algeval.result import percent, visible
from algeval.result.numbers import how_many

MOST_ITEMS = 2000
_MOST_CELLS = 500_000
"""Votes of all items shown: of very many judges fewer items are."""
_MOST_LETTERS = 4000
"""Of one text; and of one name half as many."""
_MOST_BYTES = 4_500_000
"""Of all texts together."""
_MOST_LABELS = 12
"""Labels of an item whose probability is written."""


class Items(NamedTuple):
    """JSON text that may stand inside a script element, and sentences on what was left out."""

    document: str
    notes: tuple[str, ...]


def with_human_labels(data: Any, gold: Any) -> Any:
    """Votes whose key also has the labels of people that a rate was made from; other data as they are."""
    if gold is None or not isinstance(data, Votes) or is_key(gold):
        return data
    labels = read_gold(gold, data, data.labels[0])
    labelled = labels.truth < data.n_labels
    key = np.full(data.n_items, NOT_ANSWERED, np.int16) if data.key is None else data.key.copy()
    key[labels.rows[labelled]] = labels.truth[labelled]
    return replace(data, key=key)


def items_of(data: Any, results: Mapping[str, Any]) -> Items | None:
    """Items of votes with their consensus, the most disputed first; None where there are no items.

    Those on which the consensus differs from the key, the labels of people, come before all others.
    """
    fits = [results.get(name) for name in ("recommended", "majority")]
    fit = next((f for f in fits if f is not None and f.evaluation is not None), None)
    if not isinstance(data, Votes) or fit is None or fit.item_pattern is None:
        return None
    labels = np.full(data.n_items, NOT_ANSWERED, np.int16) if data.key is None else data.key
    order, entropy = _order(fit, labels)
    shown = order[: max(1, min(MOST_ITEMS, _MOST_CELLS // data.n_judges))]
    notes = []
    if len(shown) < data.n_items:
        first = ", those that differ from a human label first" if (labels >= 0).any() else ""
        notes.append(
            f"The table has the {len(shown)} most disputed of {data.n_items} items{first}; "
            "algeval aggregate writes all."
        )
    texts, n_with_texts = _texts(data, shown)
    if n_with_texts < len(shown):
        limit = f"{_MOST_BYTES / 1e6:.1f} MB"
        notes.append(
            f"Only the first {how_many(n_with_texts, 'item')} have their texts here: {limit} is the limit."
        )
    rows = fit.item_pattern[shown]
    used, positions = np.unique(rows, return_inverse=True)
    document = {
        "judges": _names(data.judges),
        "labels": _names(data.labels),
        "answers": _names(data.answers),
        "method": fit.method,
        "certainty": "share of votes" if fit.method == "majority" else "probability",
        "texts": _names([text.name for text in data.texts]),
        "patterns": [_pattern(fit, row, entropy[row]) for row in used.tolist()],
        "items": [
            [_name(data.items[item]), pattern, int(labels[item]), *cells]
            for item, pattern, cells in zip(shown.tolist(), positions.tolist(), texts, strict=True)
        ],
    }
    return Items(inert_json(document), tuple(notes))


def inert_json(document: Any) -> str:
    """JSON text without any letter that could end a script element or begin another."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def _order(fit: Aggregation, labels: Codes) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Items, the ones to look at first before the others, and the entropy of the votes of each pattern."""
    assert fit.item_pattern is not None
    _, entropy = vote_entropy(fit.patterns, len(fit.answers))
    rows = fit.item_pattern
    differs = (labels != NOT_ANSWERED) & (fit.decisions[rows] != labels)
    top = fit.posterior.max(axis=1)
    return np.lexsort((top[rows], -entropy[rows].round(9), ~differs)), entropy


def _pattern(fit: Aggregation, row: int, bits: float) -> list[Any]:
    """Votes, the label chosen, the most probable labels with their probabilities, and the entropy."""
    posterior = fit.posterior[row]
    first = np.argsort(-posterior, kind="stable")[:_MOST_LABELS].tolist()
    shares = [[label, percent(posterior[label])] for label in first]
    return [fit.patterns[row].tolist(), int(fit.decisions[row]), shares, round(float(bits), 3)]


def _texts(data: Votes, shown: NDArray[np.intp]) -> tuple[list[list[str | None]], int]:
    """Texts of each item, none from where they would be too much; and how many items have theirs."""
    cells: list[list[str | None]] = []
    size = 0
    for item in shown.tolist():
        row = [_text(text.cells[item]) for text in data.texts]
        size += sum(len(cell.encode()) for cell in row if cell)
        if size > _MOST_BYTES:
            break
        cells.append(row)
    n = len(cells)
    return cells + [[None] * len(data.texts)] * (len(shown) - n), n


def _text(text: str | None) -> str | None:
    if text is None:
        return None
    whole = text.replace("\r\n", "\n").replace("\t", "    ")
    cut = visible(whole[:_MOST_LETTERS], lines=True)
    more = f"\n[cut: the first {_MOST_LETTERS} of {len(whole)} letters]"
    return cut + more * (len(whole) > _MOST_LETTERS)


def _name(name: str) -> str:
    cut = visible(name[: _MOST_LETTERS // 2])
    return f"{cut}..." if len(name) > _MOST_LETTERS // 2 else cut


def _names(names: Sequence[str]) -> list[str]:
    return [_name(name) for name in names]
