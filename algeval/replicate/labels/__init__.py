"""Claims, none yet."""

from algeval.replicate.claim import Claim

__all__ = ["claims"]


def claims() -> tuple[Claim, ...]:
    """Return the claims in the order of the paper."""
    return ()
