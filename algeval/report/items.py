"""The items of a page as data that its script shows: every vote, the human label, what was made of both."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import Aggregation, ScoreAggregation
from algeval.aggregate.em import vote_entropy
from algeval.aggregate.results import SHARES, Indices
from algeval.data import NOT_ANSWERED, Scores, Votes
from algeval.data.names import Codes
from algeval.data.votes import Texts
from algeval.io.items import KeySource, waves_of
from algeval.io.journal import is_journal
from algeval.io.results import Results
from algeval.io.tables import is_path
from algeval.rates.inputs import read_gold
from algeval.report.first import certainty_refuted
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
    """JSON text that may stand inside a script element, what it shows, and sentences on what was left out."""

    document: str
    about: str
    notes: tuple[str, ...]


_ABOUT = {
    "votes": "Where the consensus differs from a human label first, then where the judges differ most. A row "
    "opens every vote, the human label, the probability of each label and the texts.",
    "scores": "Where the consensus differs from a human label first, then where the class is least sure. A "
    "row opens every score, the human label, the probability of each class and the item's attributes.",
}


def with_human_labels(data: Any, gold: Any) -> Any:
    """Votes whose key also has the labels of people that a rate was made from; other data as they are."""
    if gold is None or not isinstance(data, Votes) or is_key(gold):
        return data
    labels = read_gold(gold, data, data.labels[0])
    labelled = labels.truth < data.n_labels
    key = np.full(data.n_items, NOT_ANSWERED, np.int16) if data.key is None else data.key.copy()
    key[labels.rows[labelled]] = labels.truth[labelled]
    drawn = data.drawn
    files = waves_of(gold)
    if all(map(is_path, files)) and (labels.inclusion is not None or any(map(is_journal, files))):
        # which intervals hold, and what each label counts, is told by how its items were drawn
        drawn = KeySource(table=gold, name="human").for_items(data.items)[0].drawn
    return replace(data, key=key, drawn=drawn)


class Origin(NamedTuple):
    """What a results table has of its items beside votes: whose output each is, and what each person said."""

    system_of: Mapping[str, str]
    people: Mapping[str, Mapping[str, str]]

    @classmethod
    def of(cls, table: Results | None) -> Origin:
        """Origin of the items of a table, empty without; one person alone is the human label itself."""
        if table is None:
            return cls({}, {})
        people: dict[str, dict[str, str]] = {}
        for name, (texts, codes) in table.said.items():
            rows = np.flatnonzero(codes >= 0).tolist()
            people[name] = {table.items[row]: texts[codes[row]] for row in rows}
        several = len(set(table.system_of)) > 1
        systems = dict(zip(table.items, table.system_of, strict=True)) if several else {}
        return cls(systems, people if len(people) > 1 else {})


_NOWHERE = Origin({}, {})


def items_of(data: Any, results: Mapping[str, Any], origin: Origin = _NOWHERE) -> Items | None:
    """Items of votes or scores with their consensus; None where there are no items.

    Those on which the consensus differs from the key, the labels of people, come first; then of votes the
    most disputed, of scores those whose class is least sure. `origin` is what a results table says beside.
    """
    if isinstance(data, Scores):
        return _of_scores(data, results["consensus"], origin)
    fits = [results.get(name) for name in ("recommended", "majority")]
    fit = next((f for f in fits if f is not None and f.evaluation is not None), None)
    if not isinstance(data, Votes) or fit is None or fit.item_pattern is None:
        return None
    labels = np.full(data.n_items, NOT_ANSWERED, np.int16) if data.key is None else data.key
    order, entropy = _order(fit, labels)
    kept = _first(order, data.n_judges, labels)
    used, patterns = np.unique(fit.item_pattern[kept.rows], return_inverse=True)
    document = {
        "kind": "votes",
        "judges": _names(data.judges),
        "labels": _names(data.labels),
        "answers": _names(data.answers),
        "method": fit.method,
        "certainty": _certainty(fit),
        "patterns": [_pattern(fit, row, entropy[row]) for row in used.tolist()],
    }
    texts = (*_said(data.items, origin), *data.texts)
    refuted = certainty_refuted(results["comparison"]) if "comparison" in results else ""
    kept = kept._replace(notes=(*filter(None, (refuted,)), *kept.notes))
    return _items(
        document | _systems(data.items, kept, origin), data.items, kept, patterns.tolist(), texts
    )


def _certainty(fit: Aggregation) -> str:
    if fit.method == "majority":
        return "share of votes"
    return "smoothed share of votes" if fit.parameters["chosen"] == SHARES else "probability"


def _of_scores(data: Scores, fit: ScoreAggregation, origin: Origin) -> Items | None:
    if not fit.status.ok:
        return None
    labels = np.full(data.n_items, NOT_ANSWERED, np.int16)
    if data.key_kind == "class" and set(data.key or ()) <= {"0", "1", None}:
        labels[:] = [NOT_ANSWERED if text is None else int(text) for text in data.key or ()]
    differs = (labels != NOT_ANSWERED) & (fit.decisions != labels)
    order = np.lexsort((fit.posterior.max(axis=1), ~differs))
    kept = _first(order, data.n_judges, labels)
    values = data.values[kept.rows]
    numbers = np.unique(values[~np.isnan(values)])
    codes = np.where(np.isnan(values), NOT_ANSWERED, np.searchsorted(numbers, values))
    decisions, shares = fit.decisions[kept.rows].tolist(), map(_shares, fit.posterior[kept.rows])
    document = {
        "kind": "scores",
        "judges": _names(data.judges),
        "labels": ["lower class", "higher class"],
        "answers": [f"{number:.6g}" for number in numbers.tolist()],
        "method": fit.method,
        "certainty": "probability",
        "patterns": [*map(list, zip(codes.tolist(), decisions, shares, strict=True))],
    }
    texts = [
        Texts(name, tuple(None if cell is None else str(cell) for cell in column))
        for name, column in (data.attributes or {}).items()
    ]
    texts = [*_said(data.items, origin), *texts]
    document |= _systems(data.items, kept, origin)
    return _items(document, data.items, kept, range(len(kept.rows)), texts)


def _said(items: Sequence[str], origin: Origin) -> list[Texts]:
    """What each person said, a text each, where several did."""
    return [
        Texts(f"{name} (a person)", tuple(map(cells.get, items)))
        for name, cells in origin.people.items()
    ]


def _systems(items: Sequence[str], kept: _Kept, origin: Origin) -> dict[str, Any]:
    """Names of the systems, and which of them each item shown is of; empty where there are none."""
    if not origin.system_of:
        return {}
    names = list(dict.fromkeys(origin.system_of.values()))
    lookup = {name: code for code, name in enumerate(names)}
    codes = (lookup.get(origin.system_of.get(items[k], ""), -1) for k in kept.rows.tolist())
    return {"systems": _names(names), "system_of": list(codes)}


class _Kept(NamedTuple):
    """Items that there is room for, the label of people of every item, and a sentence on those left out."""

    rows: Indices
    labels: Codes
    notes: tuple[str, ...]


def _first(order: Indices, n_judges: int, labels: Codes) -> _Kept:
    rows = order[: max(1, min(MOST_ITEMS, _MOST_CELLS // n_judges))]
    if len(rows) == len(order):
        return _Kept(rows, labels, ())
    first = ", those that differ from a human label first" if (labels >= 0).any() else ""
    text = f"The table has the {len(rows)} most disputed of {len(order)} items{first}; "
    return _Kept(rows, labels, (f"{text}algeval aggregate writes all.",))


def _items(
    document: dict[str, Any],
    names: Sequence[str],
    kept: _Kept,
    patterns: Sequence[int],
    texts: Sequence[Texts],
) -> Items:
    """Items of a document that has all but them; `patterns` are those of the kept ones."""
    cells, n_with_texts = _texts(texts, kept.rows)
    notes = kept.notes
    if n_with_texts < len(kept.rows):
        limit = f"{_MOST_BYTES / 1e6:.1f} MB"
        first = how_many(n_with_texts, "item")
        notes = (*notes, f"Only the first {first} have their texts here: {limit} is the limit.")
    document["texts"] = _names([text.name for text in texts])
    document["items"] = [
        [_name(names[item]), pattern, int(kept.labels[item]), *row]
        for item, pattern, row in zip(kept.rows.tolist(), patterns, cells, strict=True)
    ]
    return Items(inert_json(document), _ABOUT[document["kind"]], notes)


def inert_json(document: Any) -> str:
    """JSON text without any letter that could end a script element or begin another."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def _order(fit: Aggregation, labels: Codes) -> tuple[Indices, NDArray[np.float64]]:
    """Items, the ones to look at first before the others, and the entropy of the votes of each pattern."""
    assert fit.item_pattern is not None
    _, entropy = vote_entropy(fit.patterns, len(fit.answers))
    rows = fit.item_pattern
    differs = (labels != NOT_ANSWERED) & (fit.decisions[rows] != labels)
    top = fit.posterior.max(axis=1)
    return np.lexsort((top[rows], -entropy[rows].round(9), ~differs)), entropy


def _pattern(fit: Aggregation, row: int, bits: float) -> list[Any]:
    """Votes, the label chosen, the most probable labels with their probabilities, and the entropy."""
    shares = _shares(fit.posterior[row])
    return [fit.patterns[row].tolist(), int(fit.decisions[row]), shares, round(float(bits), 3)]


def _shares(posterior: NDArray[np.float64]) -> list[list[Any]]:
    first = np.argsort(-posterior, kind="stable")[:_MOST_LABELS].tolist()
    return [[label, percent(posterior[label])] for label in first]


def _texts(texts: Sequence[Texts], shown: Indices) -> tuple[list[list[str | None]], int]:
    """Texts of each item, none from where they would be too much; and how many items have theirs."""
    cells: list[list[str | None]] = []
    size = 0
    for item in shown.tolist():
        row = [_text(text.cells[item]) for text in texts]
        size += sum(len(cell.encode()) for cell in row if cell)
        if size > _MOST_BYTES:
            break
        cells.append(row)
    n = len(cells)
    return cells + [[None] * len(texts)] * (len(shown) - n), n


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
