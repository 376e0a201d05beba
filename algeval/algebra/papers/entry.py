"""One numbered equation of a paper, and how it is proved or corrected by machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal

from algeval.algebra.proving.proofs import Counterexample, Proof
from algeval.algebra.proving.prove import prove
from algeval.algebra.proving.vocabulary import ProofModel
from algeval.result import Result, Status

__all__ = ["Entry", "Outcome", "erratum", "proved"]

Verdict = Literal["proved", "erratum"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcome(Result):
    """What running an entry found.

    Attributes
    ----------
    number : str
        The equation.
    verdict : str
        "proved", "erratum", or "not confirmed" where the machine contradicts the entry.
    proofs : tuple of Proof
        Of the printed form, or of the corrected one.
    refutations : tuple of Counterexample
        Of the printed form of an erratum.
    """

    schema: ClassVar[str] = "algeval.outcome/1"

    number: str
    verdict: str
    proofs: tuple[Proof, ...]
    refutations: tuple[Counterexample, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One numbered equation.

    Attributes
    ----------
    number, paper : str
        Where it stands.
    statement : str
        What it claims, in the names of `prove`.
    verdict : {"proved", "erratum"}
        What `run` confirms.
    note : str
        What is wrong with an erratum, or what the statement leaves unsaid.
    printed : tuple of str
        Identities as printed (all must be proved, or for an erratum each refuted).
    corrected : tuple of str
        What should stand instead; all must be proved.
    model, labels, judges
        As for `prove`.
    check : callable, optional
        For claims that are no identity: returns whether they hold (or fail, for an erratum).
    """

    number: str
    paper: str = "001"
    statement: str
    verdict: Verdict
    note: str = ""
    printed: tuple[str, ...] = ()
    corrected: tuple[str, ...] = ()
    model: ProofModel = "independent"
    labels: int = 2
    judges: int = 3
    check: Callable[[], bool] | None = None

    def run(self) -> Outcome:
        """Prove the entry, or refute its printed form and prove the corrected one."""
        ask = partial(prove, labels=self.labels, judges=self.judges, model=self.model)
        found = [ask(text) for text in self.printed]
        fixed = [ask(text) for text in self.corrected]
        right = self.verdict == "proved"
        confirmed = (
            all(one.holds == right for one in found)
            and all(one.holds for one in fixed)
            and (self.check is None or self.check())
        )
        verdict = self.verdict if confirmed else "not confirmed"
        return Outcome(
            status=Status.OK if confirmed else Status.INCONSISTENT,
            message=f"{self.number}: {verdict}. {self.statement}"
            + (f" ({self.note})" if self.note else ""),
            number=self.number,
            verdict=verdict,
            proofs=tuple(one for one in (*found, *fixed) if isinstance(one, Proof)),
            refutations=tuple(one for one in found if isinstance(one, Counterexample)),
        )


def proved(number: str, statement: str, *printed: str, **more: Any) -> Entry:
    """Return an entry whose printed identities are all to be proved."""
    return Entry(number=number, statement=statement, verdict="proved", printed=printed, **more)


def erratum(number: str, statement: str, *printed: str, **more: Any) -> Entry:
    """Return an entry whose printed identities are all to be refuted."""
    return Entry(number=number, statement=statement, verdict="erratum", printed=printed, **more)
