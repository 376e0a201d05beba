"""The ledger as Markdown: every claim with its verdict, and the errata by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from algeval.replicate.claim import VERDICTS, Replicated
from algeval.replicate.ledger import PAPERS, Replication
from algeval.result.numbers import how_many

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
        f"{how_many(len(found.claims), 'claim')} of {how_many(papers, 'paper')}. "
        f"`algeval replicate` computes {len(found.claims) - len(found.only_read)} of them again; "
        f"{len(found.only_read)} were only read "
        "(marked *not computed*), because what they need is missing, or because two printed sentences "
        "disagree. Claims are put in our words, formulas as the text we read has them. Verdicts:",
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
        "Each was computed again by `algeval replicate`, but for those marked *not computed*, which were "
        "read; nothing here is taken from an author. Claims are put in our words, formulas as the text we "
        "read has them. A machine made that text from the printed pages: where a formula may have been "
        "misread, the entry says so.",
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
    return ["| where | claimed | computed now | verdict |", "|---|---|---|---|", *map(_row, claims)]


def _row(one: Replicated) -> str:
    near = f" *({_cell(one.tolerance)})*" if one.tolerance not in ("", "exact") else ""
    note = f": {_cell(one.note)}" if one.note else ""
    cells = (
        f"{_cell(one.place)} <br> {_cell(one.id)}",
        _cell(one.printed),
        "*not computed*" if one.confirmed is None else f"{_cell(one.ours)}{near}",
        f"**{one.verdict}**{note}",
    )
    return f"| {' | '.join(cells)} |"


def _erratum(one: Replicated) -> list[str]:
    lines = [f"*{one.verdict}, {one.id}.* Claimed: {_cell(one.printed)}."]
    lines += ["*Not computed.*" if one.confirmed is None else f"Computed: {_cell(one.ours)}."]
    lines += [f"{_cell(_sentence(one.note))}."] if one.note else []
    lines += [MACHINE_READ] if one.machine_read else []
    lines += ["", *(f"* {_cell(proof.message)}" for proof in one.proofs)] if one.proofs else []
    return lines


MACHINE_READ = (
    "This may be a slip of the text we read, which a machine made from the page, and "
    "not of the paper."
)

_SYMBOL = re.compile(
    r"(sigma|lambda|pi|eps|epsilon|theta|eta|kappa|delta|beta|gamma|alpha|mu|[b-z])\b|\w*[_^*]"
)


def _sentence(text: str) -> str:
    """Return the text with a capital first letter, unless it begins with a symbol: U is not u."""
    return text if _SYMBOL.match(text) else text[:1].upper() + text[1:]


_MARKED = str.maketrans({c: f"\\{c}" for c in "|*_<>$`[]"} | {"\n": " "})


def _cell(text: str) -> str:
    return text.translate(_MARKED).rstrip(".")
