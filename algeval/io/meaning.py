"""What the cells of the voting columns mean together: labels, answers, no answer, and a code per cell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from algeval.data.names import NOT_ANSWERED, Codes, folded
from algeval.errors import DataError
from algeval.io.answers import Rules, answer_names, cut_column
from algeval.io.columns import Column, Places
from algeval.io.folding import Spelling, renamed_notes, spelling_of, tally

__all__ = ["Meaning", "encode_columns", "failures", "failures_note", "meaning_of"]

_FAILED = frozenset(
    {"error", "[error]", "ignore", "ignored", "invalid", "[invalid]", "grader_failed"}
    | {"no_answer", "#div/0!", "#ref!", "#value!", "#name?", "#num!", "#null!"}
)
"""In folded form. What a program writes in place of an answer; no reader of a list of labels would."""

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
    _refuse_doubtful_minus_one(tallies, rules)
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


def failures(found: Iterable[str], rules: Rules) -> frozenset[str]:
    """Return the texts found that say there is no answer.

    A label may be called so: what `labels=` or a map names stays an answer, and so do all of them
    where fewer than two other answers are left.
    """
    texts = set(found)
    kept = {folded(name) for name in (*(rules.labels or ()), *rules.renamed.values())}
    failed = {text for text in texts if _form(text) in _FAILED and folded(text) not in kept}
    others = {folded(text) for text in texts - failed}
    return frozenset(failed) if len(others) > 1 else frozenset()


def _form(text: str) -> str:
    """Return the folded form, keeping the mark that ends a spreadsheet's error."""
    return text.casefold() if text.startswith("#") else folded(text)


def failures_note(votes: Mapping[str, int]) -> tuple[str, ...]:
    """Say which texts were taken as votes not given, and how many votes that concerns."""
    if not votes:
        return ()
    shown = ", ".join(f"{text!r} ({n})" for text, n in sorted(votes.items()))
    return (
        f"votes that failed, taken as not given: {shown}; name one in labels= if it is a label",
    )


def _refuse_doubtful_minus_one(found: Iterable[str], rules: Rules) -> None:
    """Refuse -1 beside 0, 1, ...: numbered classes write "no label" so, opinions "worse".

    Raises
    ------
    DataError
        If the answers are -1 and classes numbered from 0, and nothing said what -1 means.
    """
    texts = set(found)
    if rules.labels or rules.cut is not None or rules.renamed or rules.exact:
        return
    if "-1" not in texts or not {"0", "1"} <= texts:
        return
    if all(text.isdecimal() for text in texts - {"-1"}):
        raise DataError(
            f"answers must be clear; got -1 beside {len(texts) - 1} classes numbered from 0, where it can "
            "mean 'no label' or a label; name -1 in missing= for no label, or name every label in labels="
        )
