"""What a name stands for: a kind, and positions of judges, answers and a true label."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Meaning"]


class Meaning(NamedTuple):
    """What a name stands for; judges, answers and label are positions, label None is "any".

    Kinds: P, rate, d, g, Q, f, n, share, Delta, Gamma, R; of statistics those in `statistics`.
    """

    kind: str
    judges: tuple[int, ...] = ()
    answers: tuple[int, ...] = ()
    label: int | None = None
