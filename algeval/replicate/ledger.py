"""All claims of all papers, run and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

from algeval.errors import DataError
from algeval.progress import steps
from algeval.replicate.claim import Claim, Replicated
from algeval.result import Result, Status
from algeval.result.numbers import how_many
from algeval.result.tables import Table

__all__ = ["PAPERS", "Paper", "Replication", "claims", "replicate"]


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper, and the package that holds its claims."""

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
        return tuple(one for one in self.claims if one.confirmed is False)

    @property
    def only_read(self) -> tuple[Replicated, ...]:
        """Claims that nothing was computed for: what they need is missing, or two sentences disagree."""
        return tuple(one for one in self.claims if one.confirmed is None)

    def counts(self) -> Counter[str]:
        """Return how many claims have each verdict."""
        return Counter(one.verdict for one in self.claims)

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per claim."""
        names = ("id", "place", "printed", "ours", "verdict", "note")
        return (
            Table.of_rows("Claims", names, [[getattr(c, n) for n in names] for c in self.claims]),
        )

    def summary(self) -> str:
        """Return the counts, and every claim that is not as printed."""
        lines = [self.message]
        for one in self.claims:
            if one.verdict != "reproduced":
                lines.append(f"  {one.id} ({one.place}): {one.verdict}: {one.note or one.ours}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON types."""
        return {"schema": self.schema, "claims": [one.to_dict() for one in self.claims]}


def claims(paper: str | None = None, only: Iterable[str] | None = None) -> tuple[Claim, ...]:
    """Return the claims of a paper, or of all; `only` names some of them by id.

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
    found = tuple(claim for one in chosen for claim in _of(one))
    if only is None:
        return found
    wanted = list(only)
    known = {claim.id: claim for claim in found}
    unknown = [name for name in wanted if name not in known]
    if unknown:
        near = [name for name in known if name.startswith(unknown[0][:5])][:5]
        raise DataError(
            f"only must name claims by id; got {unknown[0]!r}; ids are like {', '.join(near or [*known][:5])}"
        )
    return tuple(known[name] for name in wanted)


def _of(paper: Paper) -> tuple[Claim, ...]:
    found: tuple[Claim, ...] = import_module(f"algeval.replicate.{paper.home}").claims()
    return found


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
    computed = [one for one in done if one.confirmed is not None]
    counts = Counter(one.verdict for one in done)
    by_verdict = ", ".join(f"{n} {verdict}" for verdict, n in counts.most_common())
    return Replication(
        status=Status.OK if all(one.confirmed for one in computed) else Status.INCONSISTENT,
        message=f"{how_many(len(done), 'claim')}, {len(computed)} of them computed again and "
        f"{len(done) - len(computed)} only read: {by_verdict}.",
        claims=tuple(done),
    )
