"""What the cells of the voting columns mean together: labels, answers, and a code per cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from algeval.data.names import NOT_ANSWERED, Codes
from algeval.io.answers import Rules, answer_names, cut_column
from algeval.io.columns import Column, Places
from algeval.io.folding import Spelling, renamed_notes, spelling_of, tally
from algeval.io.no_answer import failures, failures_note, refuse_doubtful_minus_one

__all__ = ["Meaning", "encode_columns", "meaning_of"]

Found = Sequence[tuple[str, Sequence[str | None]]]
"""What each column holds: its name, and the answer each of its distinct values stands for."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """Labels and answers, the spelling of each, and the texts that stand for no answer."""

    labels: tuple[str, ...]
    answers: tuple[str, ...]
    spelling: Spelling
    failed: frozenset[str]
    codes: tuple[tuple[int, ...], ...]
    """Per column, the code of each of its distinct values."""
    notes: tuple[str, ...] = field(default=())


def meaning_of(found: Found, tallies: Mapping[str, tuple[int, int]], rules: Rules) -> Meaning:
    """Settle what answers mean: `tallies` gives {answer: (votes, place of the first)}."""
    refuse_doubtful_minus_one(tallies, rules)
    failed = failures(tallies, rules)
    said = failures_note({text: tallies[text][0] for text in failed})
    kept = {text: counted for text, counted in tallies.items() if text not in failed}
    texts = [(name, [None if t in failed else t for t in column]) for name, column in found]
    spelling = Spelling()
    if rules.cut is not None:
        texts = [(name, cut_column(name, column, rules.cut)) for name, column in texts]
    elif not rules.exact:
        spelling = spelling_of(kept, rules.labels)
        texts = [(name, spelling.all(column)) for name, column in texts]
    labels, answers = answer_names(texts, rules.labels)
    index: dict[str | None, int] = {name: place for place, name in enumerate(answers)}
    index[None] = NOT_ANSWERED
    codes = tuple(tuple(index[text] for text in column) for _, column in texts)
    return Meaning(labels, answers, spelling, failed, codes, (*said, *spelling.notes))


def encode_columns(
    columns: Sequence[Column], rules: Rules, weights: Places | None = None
) -> tuple[Meaning, Codes]:
    """Return what some columns mean, a judge each, and the code of every cell."""
    texts = [rules.read(column) for column in columns]
    found = [(column.name, text) for column, text in zip(columns, texts, strict=True)]
    meaning = meaning_of(found, tally(columns, texts, weights), rules)
    named = renamed_notes(rules.renamed, columns, rules.form, weights)
    meaning = replace(meaning, notes=(*named, *meaning.notes))
    codes = np.empty((len(columns[0].codes), len(columns)), np.int16)
    for place, (column, code) in enumerate(zip(columns, meaning.codes, strict=True)):
        codes[:, place] = column.look_up(code)
    return meaning, codes
