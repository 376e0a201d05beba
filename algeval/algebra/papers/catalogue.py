"""Numbered equations of the papers that are identities, proved or corrected by machine.

The papers are Corrada-Emmanuel's Algebraic Evaluation Theorems (001) and No-Knowledge Alarms (003).

An entry holds the identity as printed and, where that is wrong, the corrected one; running it
proves the one and refutes the other. Coefficients a, b, c of the paper's linear equations are
checked inside their equation: a misprinted one is put into the equation that is otherwise right.
Several numbers may be one claim (S16 to S19 and S85). Definitions that assert nothing are left out,
and so are the majority vote's own estimates (5), (S2) to (S8), and the choice of a root (4).
"""

from __future__ import annotations

from collections.abc import Iterable

from algeval.algebra.papers.entry import Entry, Outcome
from algeval.algebra.papers.equations_001 import equations_001
from algeval.algebra.papers.equations_003 import equations_003
from algeval.errors import DataError

__all__ = ["Entry", "Outcome", "catalogue"]


def catalogue(numbers: Iterable[str] | None = None) -> tuple[Entry, ...]:
    """Return the entries, or those with the given numbers; `entry.run()` checks one.

    Examples
    --------
    >>> (entry,) = catalogue(["S18"])
    >>> entry.run().verdict
    'proved'
    """
    entries = (*equations_001(), *equations_003())
    if numbers is None:
        return entries
    wanted = list(numbers)
    known = {entry.number: entry for entry in entries}
    unknown = [number for number in wanted if number not in known]
    if unknown:
        raise DataError(
            f"numbers must be in the catalogue; got {unknown[0]!r}; choose from {', '.join(known)}"
        )
    return tuple(known[number] for number in wanted)
