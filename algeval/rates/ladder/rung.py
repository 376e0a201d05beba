"""One rung of the ladder: what an assumption leaves possible, and what it takes to be wrong."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from algeval.result import Status, percent
from algeval.result.base import Record

__all__ = ["End", "Ends", "Rung", "apart", "brief", "shown", "side_of"]

End = Fraction | float
"""An end of an interval: a fraction where it is exact, a float where it is estimated."""

Ends = tuple[End, End]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rung(Record):
    """What one assumption says of a rate.

    Attributes
    ----------
    name : str
        Short and unique on its ladder, as "every judge right on at least 70%".
    assumption : str
        What has to hold, in words.
    low, high : Fraction, float or None
        Nothing outside is possible (exact rungs, fractions) or probable (estimated ones, floats).
        None where the assumption is impossible or the rung has no interval.
    estimate : Fraction, float or None
        The point, where there is one.
    against : "above", "below" or "undetermined"
        Where the interval lies beside the rate compared with. It is no verdict: a rung is as good as
        its assumption.
    breaks_at : str
        What it takes for the rung to be wrong.
    status : Status
        `ok`; `inconsistent` where the votes contradict the assumption; else why there is no interval.
    target : "items" or "population"
        Whose rate it is.
    exact : bool
        Whether the ends are logic, not estimates.
    order : int, "full" or None
        How many judges' joint answers an exact rung used.
    """

    name: str
    assumption: str
    low: End | None
    estimate: End | None
    high: End | None
    against: str
    breaks_at: str
    status: Status = Status.OK
    target: str = "items"
    exact: bool = False
    order: int | str | None = None

    @property
    def ends(self) -> Ends | None:
        """Both ends, None where there are none."""
        return None if self.low is None or self.high is None else (self.low, self.high)


def side_of(
    low: End | None, high: End | None, against: Fraction, between: str = "undetermined"
) -> str:
    """Return "above" or "below" where a whole interval lies on one side, and `between` else.

    Examples
    --------
    >>> side_of(Fraction(3, 5), Fraction(1), Fraction(1, 2)), side_of(0.5, 0.7, Fraction(1, 2), "open")
    ('above', 'open')
    """
    if low is not None and low > against:
        return "above"
    if high is not None and high < against:
        return "below"
    return between


def apart(one: Rung, other: Rung) -> bool:
    """Whether the sets of two rungs have no rate in common; a rung without interval is its estimate.

    Examples
    --------
    >>> rungs = [
    ...     Rung(name="x", assumption="", low=a, estimate=None, high=b, against="", breaks_at="")
    ...     for a, b in ((0.1, 0.2), (0.3, 0.4))
    ... ]
    >>> apart(*rungs)
    True
    """
    first, second = _set(one), _set(other)
    if first is None or second is None:
        return False
    return first[1] < second[0] or second[1] < first[0]


def _set(rung: Rung) -> Ends | None:
    if rung.ends is None and rung.estimate is not None:
        return rung.estimate, rung.estimate
    return rung.ends


def shown(value: End | None) -> str:
    """Return an end as a percentage, a dash where there is none."""
    return "-" if value is None else percent(value)


_BRIEF = {"nothing": "votes alone", "every judge right on at least": " + accuracy"}


def brief(name: str) -> str:
    """Return the name of a rung as it stands in a table of narrow columns.

    Examples
    --------
    >>> brief("every judge right on at least 70%")
    ' + accuracy 70%'
    """
    for long, short in _BRIEF.items():
        name = name.replace(long, short)
    return name
