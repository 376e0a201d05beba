"""Wilson's score interval of a share."""

from __future__ import annotations

from math import sqrt

from scipy.special import ndtri

__all__ = ["normal_quantile", "wilson"]


def normal_quantile(level: float) -> float:
    """Return z of a two-sided interval: 1.96 at the level .95."""
    return float(ndtri((1 + level) / 2))


def wilson(
    passes: float, n: float, level: float = 0.95, *, z: float | None = None
) -> tuple[float, float]:
    """Return the ends of Wilson's score interval, which never leaves [0, 1] nor has width zero.

    Parameters
    ----------
    passes, n : float
        How many of how many; fractions are accepted, where n is an effective number.
    level : float
        Coverage, from 0 to 1.
    z : float, optional
        A quantile in place of the normal one, for example Student's.

    Examples
    --------
    >>> low, high = wilson(14, 20)
    >>> round(low, 3), round(high, 3)
    (0.481, 0.855)
    """
    z = normal_quantile(level) if z is None else z
    share, pull = passes / n, z * z / n
    middle = (share + pull / 2) / (1 + pull)
    half = z * sqrt(max(share * (1 - share), 0.0) / n + pull / (4 * n)) / (1 + pull)
    return max(middle - half, 0.0), min(middle + half, 1.0)
