"""All claims of all papers, run and counted, and the pages that show them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from algeval.errors import DataError
from algeval.progress import steps
from algeval.result import Result, Status
from algeval.result.numbers import how_many
from algeval.result.tables import Table
from algeval_papers.claims import VERDICTS, Claim, Replicated

__all__ = [
    "PAPERS",
    "Paper",
    "Replication",
    "claims",
    "errata_page",
    "replicate",
    "replication_page",
]


# --- All claims of all papers, run and counted.


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper, and the module that holds its claims."""

    number: str
    authors: str
    title: str
    home: str

    @property
    def name(self) -> str:
        """Authors and title."""
        return f"{self.authors}, {self.title}"


PAPERS = {
    paper.number: paper
    for paper in (
        Paper(
            "000",
            "Balasubramanian, Podkopaev and Kasiviswanathan",
            "Dependence-Aware Label Aggregation for LLM-as-a-Judge via Ising Models",
            "ising",
        ),
        Paper("001", "Corrada-Emmanuel", "Algebraic Evaluation Theorems", "algebraic"),
        Paper(
            "002",
            "The CARE authors",
            "CARE: Confounder-Aware Aggregation for Reliable LLM Evaluation",
            "care",
        ),
        Paper(
            "003",
            "Corrada-Emmanuel",
            "No-Knowledge Alarms for Misaligned LLMs-as-Judges",
            "logic",
        ),
        Paper("004", "Dorner and Hardt", "Don't Label Twice", "labels"),
    )
}
"""The papers by number."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Replication(Result):
    """Claims computed again.

    Attributes
    ----------
    status : Status
        ok; inconsistent where some computation contradicts its verdict.
    claims : tuple of Replicated
    """

    schema: ClassVar[str] = "algeval.replication/1"

    claims: tuple[Replicated, ...]

    @property
    def unconfirmed(self) -> tuple[Replicated, ...]:
        """Claims whose computation contradicts their verdict."""
        return tuple(claim for claim in self.claims if claim.confirmed is False)

    @property
    def only_read(self) -> tuple[Replicated, ...]:
        """Claims that nothing was computed for: what they need is missing, or two sentences disagree."""
        return tuple(claim for claim in self.claims if claim.confirmed is None)

    def counts(self) -> Counter[str]:
        """How many claims have each verdict."""
        return Counter(claim.verdict for claim in self.claims)

    def as_tables(self) -> tuple[Table, ...]:
        """Row per claim."""
        names = ("id", "place", "paraphrase", "ours", "verdict", "note")
        return (
            Table.of_rows("Claims", names, [[getattr(c, n) for n in names] for c in self.claims]),
        )

    def summary(self) -> str:
        """Counts, and every claim that is not as printed."""
        lines = [self.message]
        for claim in self.claims:
            if claim.verdict != "reproduced":
                lines.append(
                    f"  {claim.id} ({claim.place}): {claim.verdict}: {claim.note or claim.ours}"
                )
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """JSON types."""
        return {"schema": self.schema, "claims": [claim.to_dict() for claim in self.claims]}


def claims(paper: str | None = None, only: Iterable[str] | None = None) -> tuple[Claim, ...]:
    """Claims of a paper, or of all; `only` names some of them by id.

    Raises
    ------
    DataError
        For a paper or an id that is not known.
    """
    if paper is not None and paper not in PAPERS:
        raise DataError(
            f"paper must be one of {', '.join(PAPERS)}; got {paper!r}; leave it out for all"
        )
    chosen = PAPERS.values() if paper is None else (PAPERS[paper],)
    every = tuple(claim for chosen_paper in chosen for claim in _of(chosen_paper))
    if only is None:
        return every
    wanted = list(only)
    by_id = {claim.id: claim for claim in every}
    unknown = [name for name in wanted if name not in by_id]
    if unknown:
        near = [name for name in by_id if name.startswith(unknown[0][:5])][:5]
        raise DataError(
            f"only must name claims by id; got {unknown[0]!r}; ids are like {', '.join(near or [*by_id][:5])}"
        )
    return tuple(by_id[name] for name in wanted)


def _of(paper: Paper) -> tuple[Claim, ...]:
    from algeval_papers import algebraic, care, ising, labels, logic

    rooms: dict[str, Callable[[], tuple[Claim, ...]]] = {
        "algebraic": algebraic.claims,
        "care": care.claims,
        "ising": ising.claims,
        "labels": labels.claims,
        "logic": logic.claims,
    }
    return rooms[paper.home]()


def replicate(
    paper: str | None = None,
    *,
    only: Iterable[str] | None = None,
    progress: Callable[[Replicated], None] | None = None,
) -> Replication:
    """Compute every checkable claim of the papers again, and say which are as printed.

    Parameters
    ----------
    paper : str, optional
        Number of one paper; all by default.
    only : iterable of str, optional
        Ids of claims.
    progress : callable, optional
        Called with each claim when it is done.

    Returns
    -------
    Replication

    Raises
    ------
    DataError
        For a paper or an id that is not known.

    Examples
    --------
    >>> replicate("001", only=["001-n4"]).claims[0].ours
    '200200'
    """
    done = []
    for claim in steps(claims(paper, only), "computing the claims of the papers", even=False):
        done.append(claim.run())
        if progress is not None:
            progress(done[-1])
    computed = [result for result in done if result.confirmed is not None]
    counts = Counter(result.verdict for result in done)
    by_verdict = ", ".join(f"{n} {verdict}" for verdict, n in counts.most_common())
    confirmed = all(result.confirmed for result in computed)
    return Replication(
        status=Status.OK if confirmed else Status.INCONSISTENT,
        message=f"{how_many(len(done), 'claim')}, {len(computed)} of them computed again and "
        f"{len(done) - len(computed)} only read: {by_verdict}.",
        claims=tuple(done),
    )


# --- The ledger as Markdown: every claim with its verdict, and the errata by themselves.


_MADE = "<!-- Made by `algeval replicate -o docs`; a test fails when it is stale. -->"


def replication_page(replication: Replication) -> str:
    """Page of all claims, paper by paper."""
    counts, papers = replication.counts(), len({claim.paper for claim in replication.claims})
    lines = [
        "# Replication",
        "",
        _MADE,
        "",
        f"{how_many(len(replication.claims), 'claim')} of {how_many(papers, 'paper')}. "
        f"`algeval replicate` computes {len(replication.claims) - len(replication.only_read)} of them again; "
        f"{len(replication.only_read)} were only read "
        "(marked *not computed*), because what they need is missing, or because two printed sentences "
        "disagree. Claims are paraphrased, formulas and what stands in quotes as the text we read has them. "
        "Verdicts:",
        "",
        *(f"* **{verdict}** ({counts[verdict]}): {says}." for verdict, says in VERDICTS.items()),
        "",
        "In brackets: how near the value must lie, where it need not be exact, and why. Errata, with their "
        "proofs, are on [a page of their own](errata.md).",
    ]
    for number, claims in _by_paper(replication):
        lines += ["", f"## {PAPERS[number].name}", "", *_table(claims)]
    return "\n".join(lines) + "\n"


def errata_page(replication: Replication) -> str:
    """Page of the claims that are not as printed, with what was proved of each."""
    lines = [
        "# Errata of the papers",
        "",
        _MADE,
        "",
        "What is printed and does not hold, holds only under a condition, or contradicts another sentence. "
        "Each was computed again by `algeval replicate`, but for those marked *not computed*, which were "
        "read; nothing here is taken from an author. Claims are paraphrased, formulas and quotes as the text "
        "we read has them. A machine made that text from the printed pages: where a formula may have been "
        "misread, the entry says so.",
    ]
    for number, claims in _by_paper(replication):
        wrong = [
            claim for claim in claims if claim.verdict in ("erratum", "conditional", "wording")
        ]
        if wrong:
            lines += ["", f"## {PAPERS[number].name}"]
        for claim in wrong:
            lines += ["", f"### {_cell(claim.place)}", "", *_erratum(claim)]
    return "\n".join(lines) + "\n"


def _by_paper(replication: Replication) -> Iterator[tuple[str, list[Replicated]]]:
    for number in PAPERS:
        claims = [claim for claim in replication.claims if claim.paper == number]
        if claims:
            yield number, claims


def _table(claims: Sequence[Replicated]) -> list[str]:
    return ["| where | claimed | computed now | verdict |", "|---|---|---|---|", *map(_row, claims)]


def _row(claim: Replicated) -> str:
    near = f" *({_cell(claim.tolerance)})*" if claim.tolerance not in ("", "exact") else ""
    note = f": {_cell(claim.note)}" if claim.note else ""
    cells = (
        f"{_cell(claim.place)} <br> {_cell(claim.id)}",
        _claimed(claim),
        "*not computed*" if claim.confirmed is None else f"{_cell(claim.ours)}{near}",
        f"**{claim.verdict}**{note}",
    )
    return f"| {' | '.join(cells)} |"


def _claimed(claim: Replicated) -> str:
    quote = f' ("{_cell(claim.quote)}")' if claim.quote else ""
    return f"{_cell(claim.paraphrase)}{quote}"


def _erratum(claim: Replicated) -> list[str]:
    lines = [f"*{claim.verdict}, {claim.id}.* Claimed: {_claimed(claim)}."]
    lines += ["*Not computed.*" if claim.confirmed is None else f"Computed: {_cell(claim.ours)}."]
    lines += [f"{_cell(_sentence(claim.note))}."] if claim.note else []
    lines += [MACHINE_READ] if claim.machine_read else []
    lines += ["", *(f"* {_cell(proof.message)}" for proof in claim.proofs)] if claim.proofs else []
    return lines


MACHINE_READ = (
    "This may be a slip of the text we read, which a machine made from the page, and "
    "not of the paper."
)

_SYMBOL = re.compile(
    r"(sigma|lambda|pi|eps|epsilon|theta|eta|kappa|delta|beta|gamma|alpha|mu|[b-z])\b|\w*[_^*]"
)


def _sentence(text: str) -> str:
    """Text with a capital first letter, unless it begins with a symbol: U is not u."""
    return text if _SYMBOL.match(text) else text[:1].upper() + text[1:]


_MARKED = str.maketrans({c: f"\\{c}" for c in "|*_<>$`[]"} | {"\n": " "})


def _cell(text: str) -> str:
    return text.translate(_MARKED).rstrip(".")
