"""A claim that a paper prints, how it is computed again, and what came out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from time import perf_counter
from typing import Any, Literal

import numpy as np

from algeval.result.base import Record

__all__ = [
    "VERDICTS",
    "Claim",
    "Found",
    "Replicated",
    "Verdict",
    "fact",
    "identities",
    "number",
    "numbers",
    "unlike",
]


# --- One claim a paper prints that a machine can confirm, refute, or mark as not checkable.


Verdict = Literal[
    "reproduced", "re-staged", "erratum", "conditional", "not reproducible", "wording"
]

VERDICTS: dict[str, str] = {
    "reproduced": "computed here, and as printed",
    "re-staged": "the paper's own data or parameters are not printed; its conclusion holds in a setting "
    "of the same kind with parameters of our own",
    "erratum": "computed here, and not as printed; what should stand is given",
    "conditional": "holds under a condition that is not printed, or only its conclusion holds",
    "not reproducible": "data or a detail that would be needed are not published, or cannot be had here",
    "wording": "a slip of the pen, or two printed statements that contradict each other",
}
"""What each verdict says."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a computation found: the value as text, whether it bears the verdict out, and proofs.

    `proofs` are results of `prove`: of what is claimed true, or counterexamples to what is printed.
    """

    ours: str
    confirmed: bool
    proofs: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Replicated(Record):
    """A claim after it was computed again.

    Attributes
    ----------
    id, paper, place, paraphrase, quote, verdict, tolerance, note
        As of the claim; the verdict is "not confirmed" where the computation contradicts it.
    ours : str
        The value computed now; empty where nothing can be.
    confirmed : bool or None
        Whether the computation bears the verdict out; None where the claim was read and nothing computed.
    machine_read : bool
        Whether the formula may have been misread by the machine that turned the page into text.
    seconds : float
    proofs : tuple
        `Proof` and `Counterexample` of what was proved and refuted.
    """

    id: str
    paper: str
    place: str
    paraphrase: str
    ours: str
    verdict: str
    tolerance: str
    note: str
    confirmed: bool | None
    seconds: float
    quote: str = ""
    machine_read: bool = False
    proofs: tuple[Any, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """JSON types; proofs as what they say."""
        text = ("id", "paper", "place", "paraphrase", "quote")
        names = (*text, "ours", "verdict", "tolerance", "note")
        fields = {name: getattr(self, name) for name in names}
        return fields | {
            "confirmed": self.confirmed,
            "machine_read": self.machine_read,
            "proofs": [proof.message for proof in self.proofs],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One claim.

    Attributes
    ----------
    id : str
        Number of the paper, a dash, and the place in short.
    place : str
        Where it is printed.
    paraphrase : str
        What is claimed there, in our words; numbers and formulas as printed.
    quote : str
        The paper's own words, where a verdict hangs on them.
    verdict : str
        What the computation bears out; a key of `VERDICTS`.
    compute : callable or None
        Computes it now; None where nothing can be computed.
    tolerance : str
        How near the value must lie, and why.
    note : str
        What is wrong, what is missing, or under which condition it holds.
    machine_read : bool
        Whether the slip may be one of the text we read, a machine's reading of the printed formulas.
    """

    id: str
    place: str
    paraphrase: str
    quote: str = ""
    verdict: Verdict = "reproduced"
    compute: Callable[[], Found] | None = None
    tolerance: str = "exact"
    note: str = ""
    machine_read: bool = False

    @property
    def paper(self) -> str:
        """The number of the paper."""
        return self.id.split("-", 1)[0]

    def run(self) -> Replicated:
        """Compute the claim again, where it can be computed."""
        start = perf_counter()
        result = None if self.compute is None else self.compute()
        contradicted = result is not None and not result.confirmed
        return Replicated(
            id=self.id,
            paper=self.paper,
            place=self.place,
            paraphrase=self.paraphrase,
            quote=self.quote,
            ours="" if result is None else result.ours,
            verdict="not confirmed" if contradicted else self.verdict,
            tolerance="" if result is None else self.tolerance,
            note=self.note,
            confirmed=None if result is None else result.confirmed,
            machine_read=self.machine_read,
            seconds=perf_counter() - start,
            proofs=() if result is None else result.proofs,
        )


# --- Ways of computing a claim: a number, several, a fact, identities. Each can fail.


Compute = Callable[[], Found]
_SHOWN = 6


def _text(value: Any) -> str:
    if isinstance(value, int | np.integer | Fraction | str | bool):
        return str(value)
    return f"{float(value):.6g}"


def number(printed: Any, compute: Callable[[], Any], *, tolerance: Any = 0) -> Compute:
    """Confirm that a number is the printed one, within a tolerance."""

    def run() -> Found:
        ours = compute()
        return Found(_text(ours), bool(abs(ours - printed) <= tolerance))

    return run


def numbers(
    printed: Sequence[Any], compute: Callable[[], Sequence[Any]], *, tolerance: Any = 0
) -> Compute:
    """Confirm that several numbers are the printed ones, in order."""

    def run() -> Found:
        ours = list(compute())
        near = len(ours) == len(printed) and all(
            abs(a - b) <= tolerance for a, b in zip(ours, printed, strict=True)
        )
        more = f" and {len(ours) - _SHOWN} more" if len(ours) > _SHOWN else ""
        return Found(", ".join(map(_text, ours[:_SHOWN])) + more, near)

    return run


def unlike(printed: Any, right: Any, compute: Callable[[], Any], *, tolerance: Any = 0) -> Compute:
    """Confirm that a number is `right`, and is not the printed one."""

    def run() -> Found:
        ours = compute()
        correct = abs(ours - right) <= tolerance and abs(ours - printed) > tolerance
        return Found(_text(ours), bool(correct))

    return run


def fact(compute: Callable[[], tuple[Any, bool]]) -> Compute:
    """Confirm what a computation says of itself: a value to show, and whether it bears the claim out."""

    def run() -> Found:
        ours, confirmed = compute()
        return Found(_text(ours), bool(confirmed))

    return run


def identities(*true: str, false: Sequence[str] = (), **options: Any) -> Compute:
    """Confirm that identities or inequalities are proved, and others refuted; options as of `prove`."""

    def run() -> Found:
        from algeval.algebra import prove

        proved: list[Any] = [prove(text, **options) for text in true]
        refuted: list[Any] = [prove(text, **options) for text in false]
        texts = [
            f"{text} is proved" for text, proof in zip(true, proved, strict=True) if proof.holds
        ]
        texts += [
            f"{proof.identity} fails: {proof.left} against {proof.right} on {proof.exam.n_items} items"
            for proof in refuted
            if proof.holds is False
        ]
        return Found("; ".join(texts), len(texts) == len(true) + len(false), (*proved, *refuted))

    return run
