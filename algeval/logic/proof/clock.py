"""A time limit that is passed around."""

from __future__ import annotations

from time import monotonic

__all__ = ["Clock"]


class Clock:
    """Seconds from now until work should stop; None never runs out."""

    def __init__(self, limit: float | None) -> None:
        self.end = None if limit is None else monotonic() + limit

    @property
    def left(self) -> float | None:
        """Seconds left, or None."""
        return None if self.end is None else max(0.0, self.end - monotonic())

    @property
    def over(self) -> bool:
        """Whether time has run out."""
        return self.end is not None and monotonic() >= self.end

    def allows(self, work: float) -> bool:
        """Whether work that takes so many seconds, all at once, ends before the time does."""
        return self.end is None or monotonic() + work <= self.end

    def part(self, most: float | None = None, *, share: float = 1.0) -> Clock:
        """Return a clock for one step: a share of what is left, and at most `most` seconds."""
        left = self.left
        if left is None:
            return Clock(most)
        return Clock(share * left if most is None else min(most, share * left))
