"""Closed forms: how many labels a rate or a difference takes, with judges who know rho2 of it.

All rest on one variance. Of n labels drawn at random from N items, on which a judge's verdict has squared
correlation rho2 with the truth, the rate has `V (1 - rho2) (1/n - 1/N)` about that of these items, and V/N
more about that of the population they come from.
"""

from __future__ import annotations

from math import ceil, inf

__all__ = ["connor", "labels_needed", "unpaired", "variance"]


def labels_needed(alone: float, rho2: float, items: float, *, population: bool) -> int | None:
    """Return the fewest labels that do, None if all items labelled do not.

    Parameters
    ----------
    alone : float
        Labels it takes without judges from endless items: V over the variance that is aimed at.
    rho2 : float
        From 0 to 1.
    items : float
        N; inf where items are endless.
    population : bool
        Whether the items are a sample of what the rate is about.

    Examples
    --------
    >>> [labels_needed(322.7, r, 2000, population=True) for r in (0, 0.24, 0.5, 0.8)]
    [323, 256, 176, 75]
    """
    if not population:
        return _up(0.0 if rho2 == 1 else 1 / (1 / (alone * (1 - rho2)) + 1 / items))
    if alone > items:
        return None
    return min(_up(alone * (1 - rho2) / (1 - alone * rho2 / items)), _up(items))


def variance(n: int, spread: float, rho2: float, items: float, *, population: bool) -> float:
    """Return the variance of a rate or a difference from n labels."""
    return spread * ((1 - rho2) * (1 / n - 1 / items) + population / items)


def connor(discordance: float, margin: float, z_level: float, z_power: float) -> int:
    """Return the pairs that a test of discordant pairs takes (Connor 1987).

    Examples
    --------
    >>> connor(0.2, 0.05, 1.959964, 0.841621)
    626
    """
    root = z_level * discordance**0.5 + z_power * (discordance - margin**2) ** 0.5
    return _up((root / margin) ** 2)


def unpaired(rate: float, margin: float, z_level: float, z_power: float) -> int:
    """Return the items per system if each system has its own."""
    return _up(2 * rate * (1 - rate) * ((z_level + z_power) / margin) ** 2)


def _up(number: float) -> int:
    """Return the next whole number, at least 1, and none more for rounding."""
    return max(1, ceil(number - 1e-9)) if number < inf else 0
