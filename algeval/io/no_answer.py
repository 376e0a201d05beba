"""Texts by which a program says that it got no answer, and -1 where it may mean no label."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from algeval.data.names import folded
from algeval.errors import DataError

if TYPE_CHECKING:
    from algeval.io.answers import Rules

__all__ = ["failures", "failures_note", "refuse_doubtful_minus_one"]

_FAILED = frozenset(
    {"error", "[error]", "ignore", "ignored", "invalid", "[invalid]", "grader_failed"}
    | {"no_answer", "#div/0!", "#ref!", "#value!", "#name?", "#num!", "#null!"}
)
"""In folded form. What a program writes in place of an answer; no reader of a list of labels would."""


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


def refuse_doubtful_minus_one(found: Iterable[str], rules: Rules) -> None:
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
