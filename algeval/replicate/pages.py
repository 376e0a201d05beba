"""The ledger as Markdown: every claim with its verdict, and the errata by themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from algeval.replicate.claim import VERDICTS, Replicated
from algeval.replicate.ledger import PAPERS, Replication
from algeval.result.wording import how_many

__all__ = ["errata_page", "replication_page"]

_MADE = "<!-- Made by `algeval replicate -o docs`; a test fails when it is stale. -->"


def replication_page(found: Replication) -> str:
    """Return the page of all claims, paper by paper."""
    counts, papers = found.counts(), len({one.paper for one in found.claims})
    lines = [
        "# Replication",
        "",
        _MADE,
        "",
        f"{how_many(len(found.claims), 'claim')} of {how_many(papers, 'paper')}, each computed "
        "again by `algeval replicate`. Verdicts:",
        "",
        *(f"* **{verdict}** ({counts[verdict]}): {says}." for verdict, says in VERDICTS.items()),
        "",
        "In brackets: how near the value must lie, where it need not be exact, and why. Errata, with their "
        "proofs, are on [a page of their own](errata.md).",
    ]
    for number, claims in _by_paper(found):
        lines += ["", f"## {PAPERS[number].name}", "", *_table(claims)]
    return "\n".join(lines) + "\n"


def errata_page(found: Replication) -> str:
    """Return the page of the claims that are not as printed, with what was proved of each."""
    lines = [
        "# Errata of the papers",
        "",
        _MADE,
        "",
        "What is printed and does not hold, holds only under a condition, or contradicts another sentence. "
        "Each was computed again by `algeval replicate`; nothing here is taken from an author.",
    ]
    for number, claims in _by_paper(found):
        wrong = [one for one in claims if one.verdict in ("erratum", "conditional", "wording")]
        if wrong:
            lines += ["", f"## {PAPERS[number].name}"]
        for one in wrong:
            lines += ["", f"### {_cell(one.place)}", "", *_erratum(one)]
    return "\n".join(lines) + "\n"


def _by_paper(found: Replication) -> Iterator[tuple[str, list[Replicated]]]:
    for number in PAPERS:
        claims = [one for one in found.claims if one.paper == number]
        if claims:
            yield number, claims


def _table(claims: Sequence[Replicated]) -> list[str]:
    return ["| where | printed | computed now | verdict |", "|---|---|---|---|", *map(_row, claims)]


def _row(one: Replicated) -> str:
    near = f" *({_cell(one.tolerance)})*" if one.tolerance not in ("", "exact") else ""
    note = f": {_cell(one.note)}" if one.note else ""
    cells = (
        f"{_cell(one.place)} <br> {_cell(one.id)}",
        _cell(one.printed),
        f"{_cell(one.ours)}{near}",
        f"**{one.verdict}**{note}",
    )
    return f"| {' | '.join(cells)} |"


def _erratum(one: Replicated) -> list[str]:
    lines = [f"*{one.verdict}, {one.id}.* Printed: {_cell(one.printed)}."]
    lines += [f"Computed: {_cell(one.ours)}."] if one.ours else []
    note = one.note[:1].upper() + one.note[1:]
    lines += [f"{_cell(note)}."] if note else []
    lines += ["", *(f"* {_cell(proof.message)}" for proof in one.proofs)] if one.proofs else []
    return lines


_MARKED = str.maketrans({c: f"\\{c}" for c in "|*_<>$`[]"} | {"\n": " "})


def _cell(text: str) -> str:
    return text.translate(_MARKED).rstrip(".")
