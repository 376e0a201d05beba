"""A rate as a page of plain text: the answer first, then a row per assumption, warnings last."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from algeval.rates.ladder.rung import brief
from algeval.result import percent
from algeval.result.wording import how_many, level_text, percent_up

__all__ = ["RAW", "answer", "page", "short", "span", "table_of", "votes_decide", "worth"]

RateResult: TypeAlias = Any  # the result shows itself by this page, which so may not import it
Row: TypeAlias = Any


def page(found: RateResult) -> str:
    """Return the lines of a rate."""
    lines = [_headline(found), found.message, *_table(found), *votes_decide(found)]
    lines += [*found.remarks, *(f"Warning: {warning}." for warning in found.warnings)]
    return "\n".join([*lines, f"What this does not mean: {found.meaning}"])


def _headline(found: RateResult) -> str:
    these = "these" if found.target == "items" else "a population behind these"
    parts = [f"{these} {how_many(found.n_items, 'item')}", how_many(len(found.judges), "judge")]
    parts += [how_many(found.n_gold, "label")] if found.n_gold else ["no label"]
    return f"{answer(found)}        {', '.join(parts)}"


def answer(found: RateResult) -> str:
    """Return the rate with its interval, or that it is not determined."""
    digits = _digits(found)
    name = f"RATE OF {found.label}"
    if found.rate is None and found.verdict in ("above", "below"):
        ends = f"{short(found.low, digits)} to {short(found.high, digits)}"
        return f"{name} from {ends} under the belief given"
    if found.rate is None:
        return f"{name} not determined by {'the labels' if found.n_gold else 'these votes'}"
    level = level_text(found.level)
    ends = f"{short(found.low, digits)} to {short(found.high, digits)}"
    return f"{name} {short(found.rate, digits)}, {level} interval {ends}"


def short(value: Fraction | float, digits: int = 2) -> str:
    """Return a share as it stands in a column.

    Examples
    --------
    >>> short(0.625), short(1.0), short(0.0)
    ('0.62', '1.00', '0.00')
    """
    return f"{float(value):.{digits}f}"


def _digits(found: RateResult) -> int:
    """Return 2, or more where the interval is narrower than a few hundredths."""
    width = found.high - found.low
    return 2 if width >= 0.04 else 3 if width >= 0.004 else 4


def worth(n: int, saving: tuple[float, float], n_items: int) -> str:
    """Return how many labels without judges these labels were worth, as a range; of all, none.

    They cannot be worth more than a label of every item, judges or not: with kappa = 1 - rho^2 the worth m
    has 1/m - 1/N = kappa (1/n - 1/N).

    Examples
    --------
    >>> worth(100, (0.17, 0.5), 10**6), worth(100, (0.17, 0.5), 400), worth(400, (0.17, 0.5), 400)
    ('100 labels did the work of about 120 to 200.', '100 labels did the work of about 110 to 160.', '')
    """
    if n >= n_items:
        return ""
    low, high = (1 / (1 / n_items + (1 - r) * (1 / n - 1 / n_items)) for r in saving)
    return f"{how_many(n, 'label')} did the work of about {_rounded(low)} to {_rounded(high)}."


def _rounded(value: float) -> str:
    return f"{float(f'{value:.2g}') if value < 1e4 else float(f'{value:.3g}'):,.0f}"


def table_of(found: RateResult) -> tuple[list[str], list[list[str]]]:
    """Return the head and the rows of a rate's table as text."""
    digits = _digits(found)
    beside = f"vs {float(found.against):.2f}"
    head = ["row", "you must believe", "low", "rate", "high", beside, "fails if"]
    return head, [_cells(row, found, digits) for row in _telling(found)]


def _table(found: RateResult) -> list[str]:
    head, rows = table_of(found)
    widths = [max(len(row[k]) for row in [head, *rows]) for k in range(len(head))]
    left = (0, 1, 5, 6)
    return [
        "  ".join(
            cell.ljust(w) if k in left else cell.rjust(w)
            for k, (cell, w) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in [head, *rows]
    ]


def _telling(found: RateResult) -> list[Row]:
    """Return the rows without those that leave everything open again, or that a sentence below says."""
    return [
        row
        for place, row in enumerate(found.table)
        if not (place > 1 and (row.low, row.high) == (0, 1) and not row.answer)
        and not _THRESHOLD.match(row.name)
    ]


_THRESHOLD = re.compile("every judge right on (?!at least)")


def _named(row: Row) -> str:
    name = brief(row.name)
    return f"{name}  <-" if row.answer else name


def _believed(assumption: str) -> str:
    """Return an assumption in few words: what it says up to its first stop.

    Examples
    --------
    >>> _believed("nothing: every answer key is possible with these votes")
    'nothing'
    >>> _believed("every judge is right on at least 80% of the items it answered")
    'each judge right on >= 80%'
    """
    return _brief(re.split(r"[:;,(]", assumption, maxsplit=1)[0].strip())


_BRIEF = (
    (r"every judge is right on at least (\S+) of .*", r"each judge right on >= \1"),
    (r"the judges err independently.*", "errors independent"),
    (r"the labelled items were (drawn at random)", r"labels \1"),
    (r"labelled items not drawn at random; chance \((.*)\)", r"labels picked; \1 bad luck"),
    (r"one judge right on less than [^;]*", "one judge is worse"),
    (r"(they err: \S+ right) on the labels", r"\1"),
    (r"; chance \((.*)\)", r"; \1 bad luck"),
    (r"(errors) shared on both labels, (correlated about \S+):.*", r"\1 \2"),
    (r"errors that the model does not know,.*", "errors it does not know"),
    (r"the votes arise as the model .* says", "the model"),
)
"""Words of a row that the page shortens; the result keeps them whole."""


def _brief(text: str) -> str:
    for long, short_ in _BRIEF:
        text = re.sub(long, short_, text)
    return text


def _cells(row: Row, found: RateResult, digits: int) -> list[str]:
    ends = ["" if end is None else short(end, digits) for end in (row.low, row.estimate, row.high)]
    if row.name == RAW:
        shares = [said["votes_for_it"] for said in found.judged.values()]
        ends[1] = span([share for share in shares if share is not None])
    return [_named(row), _believed(row.assumption), *ends, row.against or "-", _fails(row)]


RAW = "raw judge votes"
"""The row whose rates are one per judge."""


def _fails(row: Row) -> str:
    if not row.refuted:
        return _brief(row.breaks_at)
    by = "" if row.standard_errors is None else f" ({row.standard_errors:.1f} se)"
    return f"REFUTED by your labels{by}"


def span(shares: Sequence[float]) -> str:
    """Return the lowest and the highest of some shares.

    Examples
    --------
    >>> span([0.5, 0.7, 0.6]), span([0.5])
    ('0.50-0.70', '0.50')
    """
    low, high = short(min(shares)), short(max(shares))
    return low if low == high else f"{low}-{high}"


def votes_decide(found: RateResult) -> list[str]:
    """Return what the votes would decide without any label."""
    threshold, most = found.conclusion_threshold, found.possible_up_to
    if threshold is None or most is None:
        return []
    begun = "Without labels" if found.n_gold else "The votes"
    beyond = f"over {percent_up(most)} is impossible"
    if found.winner is None:
        return [f"{begun}: no belief about accuracy separates the sides ({beyond})."]
    side = f"{found.winner} {percent(found.against)}"
    who = f"for anyone who holds that every judge is right on more than {percent_up(threshold)}"
    return [f"{begun}: {side} {who} ({beyond})."]
