"""Ways of computing a claim: a number, several, a fact, identities. Each can fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from algeval.replicate.claim import Found
from algeval.result.numbers import how_many

__all__ = ["entry", "fact", "identities", "number", "numbers", "unlike"]

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
        found = abs(ours - right) <= tolerance and abs(ours - printed) > tolerance
        return Found(_text(ours), bool(found))

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
        told = [f"{text} is proved" for text, one in zip(true, proved, strict=True) if one.holds]
        told += [
            f"{one.identity} fails: {one.left} against {one.right} on {one.exam.n_items} items"
            for one in refuted
            if one.holds is False
        ]
        return Found("; ".join(told), len(told) == len(true) + len(false), (*proved, *refuted))

    return run


def entry(*labels: str) -> Compute:
    """Confirm entries of the catalogue of equations."""

    def run() -> Found:
        from algeval.algebra import catalogue

        found = [one.run() for one in catalogue(labels)]
        proofs = [proof for one in found for proof in one.proofs]
        refuted = [exam for one in found for exam in one.refutations]
        told = [f"{how_many(len(proofs), 'identity', 'identities')} proved"] * bool(proofs)
        told += [f"{len(refuted)} refuted by an exam"] * bool(refuted)
        good = all(one.status.ok for one in found)
        return Found(", ".join(told) or "checked", good, (*proofs, *refuted))

    return run
