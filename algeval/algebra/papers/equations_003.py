"""The numbered equations of No-Knowledge Alarms."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from algeval.algebra.papers.entry import Entry, proved

__all__ = ["equations_003"]


def equations_003() -> list[Entry]:
    """No-Knowledge Alarms: the axioms of one judge (9) and of a pair, for two and three labels."""
    entries = []
    for labels in (2, 3):
        names = "ABC"[:labels]
        common: dict[str, Any] = {"paper": "003", "model": "axioms", "labels": labels, "judges": 2}
        entries += [
            proved(
                f"003 (9), R={labels}",
                "R_{l;l} - Q_l + sum of R_l' - sum of R_{l';l''} = 0 over l', l'' != l",
                *(_single_axiom(names, true) for true in names),
                note="proved from (12) and (13)",
                **common,
            ),
            proved(
                f"003 (9) sum, R={labels}",
                "the R axioms add up to zero identically once the answers add up to Q",
                " + ".join(f"({_single_axiom(names, t)})" for t in names),
                " + ".join(f"R_i{t}" for t in names) + " = Q",
                **common,
            ),
            proved(
                f"003 M=2, R={labels}",
                "the axiom of a pair, one per label",
                *(_pair_axiom(names, true) for true in names),
                note="proved from (16) and (17); the scan of the equation was read by its structure",
                **common,
            ),
            proved(
                f"003 (12)-(13), R={labels}",
                "a judge's answers split by true label, and a label's items by answer",
                *(f"R_i{a} = " + " + ".join(f"R_i{a}_{t}" for t in names) for a in names),
                *(f"Q_{t} = " + " + ".join(f"R_i{a}_{t}" for a in names) for t in names),
                **common,
            ),
            proved(
                f"003 (19), R={labels}",
                "g_i is the sum over labels of (Q_l/Q)(R_{l;l}/Q_l)",
                "g_i = " + " + ".join(f"(Q_{t}/Q)*(R_i{t}_{t}/Q_{t})" for t in names),
                **common,
            ),
        ]
    return entries


def _single_axiom(names: Sequence[str], true: str, judge: str = "i") -> str:
    others = [a for a in names if a != true]
    plus = "".join(f" + R_{judge}{a}" for a in others)
    minus = "".join(f" - R_{judge}{a}_{t}" for a, t in product(others, others))
    return f"R_{judge}{true}_{true} - Q_{true}{plus}{minus}"


def _pair_axiom(names: Sequence[str], true: str) -> str:
    others = [a for a in names if a != true]
    text = f"R_i{true}_j{true}_{true} - Q_{true}"
    for judge in "ij":
        text += "".join(f" + R_{judge}{a}" for a in others)
        text += "".join(f" - R_{judge}{a}_{t}" for a, t in product(others, others))
    text += "".join(f" - R_i{a}_j{b}" for a, b in product(others, others))
    return text + "".join(f" + R_i{a}_j{b}_{t}" for a, b, t in product(others, repeat=3))
