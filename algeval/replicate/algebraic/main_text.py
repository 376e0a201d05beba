"""Numbers of the main text, of Table 1 and of the design."""

from __future__ import annotations

from math import comb, factorial

from algeval.replicate.claim import Claim
from algeval.replicate.computed import number

__all__ = ["main_text"]


def main_text() -> tuple[Claim, ...]:
    """Return the claims in the order of the text."""
    return (
        Claim(
            id="001-n4",
            place="Materials and methods",
            printed="13 features into four sets of three, one left out: 200,200 ways",
            compute=number(200_200, lambda: comb(13, 12) * factorial(12) // (6**4 * factorial(4))),
        ),
    )
