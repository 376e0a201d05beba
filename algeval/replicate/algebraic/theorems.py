"""Theorems 0.1 to 0.3 beyond their equations, and what is said of other work."""

from __future__ import annotations

from algeval.replicate.claim import Claim

__all__ = ["theorems"]


def theorems() -> tuple[Claim, ...]:
    """Return the claims in the order of the text."""
    return ()
