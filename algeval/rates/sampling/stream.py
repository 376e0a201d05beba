"""Labels one at a time, an interval after each, and a rule for when to stop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import log, sqrt
from typing import Any, Self

import numpy as np

from algeval.data.names import expect_schema
from algeval.data.settings import check_number
from algeval.errors import DataError
from algeval.rates.policy import (
    LEVEL,
    STREAM_FIRST_WEIGHT,
    STREAM_MISLED,
    STREAM_PRIOR,
    STREAM_RIDGE,
    STREAM_STEPS,
)
from algeval.rates.sampling.betting import Capital, stake
from algeval.result import Status, exact
from algeval.result.wording import how_many, level_text

__all__ = ["LabelStream"]

SCHEMA = "algeval.label-stream/1"


@dataclass(slots=True)
class _Sums:
    """What is kept of the labels, the judges' shares beside them, and the values bet on."""

    n: int = 0
    y: float = 0.0
    f: float = 0.0
    yf: float = 0.0
    ff: float = 0.0
    x: float = 0.0
    squares: float = 0.0

    def weight(self) -> float:
        """Return the judges' weight for the next label, from those before it."""
        if self.n < STREAM_FIRST_WEIGHT:
            return 0.0
        together = self.yf - self.y * self.f / self.n
        spread = self.ff - self.f * self.f / self.n
        return min(max(together / (spread + STREAM_RIDGE), 0.0), 1.0)

    def add(self, y: float, f: float, x: float) -> None:
        self.n += 1
        self.y += y
        self.f += f
        self.yf += y * f
        self.ff += f * f
        self.x += x
        self.squares += (x - (0.5 + self.x) / (self.n + 1)) ** 2


class LabelStream:
    """Add labels as people give them, look after each, and stop when it is decided.

    Use it where nobody knows beforehand how many labels will do. The interval holds at all times at once:
    with the chance `level` the rate lies in every interval that is ever shown, however often you look and
    whenever you stop. The price is a width about 1.6 to 1.9 times that of a planned number of labels with
    one look at the end; `plan` is cheaper where the number can be planned.

    It assumes that each label is of an item drawn at random, with replacement or from an endless stream,
    whatever came before, and that the rate does not change meanwhile.

    Parameters
    ----------
    fbar : number from 0 to 1, optional
        Mean over all items, those without a label too, of what the judges say: the share of votes for
        the label. Given with it, each label needs the judges' share for its item. Good judges then narrow the
        interval, late; bad ones get no weight, and none can bias it.
    level : float
        Chance that no interval ever misses the rate.
    against : number
        Stop when the interval leaves this rate out; a half by default.
    width : number, optional
        Stop also when the interval is no wider than this.

    Attributes
    ----------
    low, high : float
        Ends of the interval; they never widen.
    n : int
        Labels so far.
    rate : float or None
        The mean so far, helped by the judges; None without labels.
    stop : bool
        Whether the rule says so.
    status : Status
        ok when it does; undetermined before; inconsistent where no single rate fits all labels, or the
        judges' shares cannot have the mean `fbar`.
    message : str

    Raises
    ------
    DataError
        If a setting is out of range.

    Notes
    -----
    Hedged betting (Waudby-Smith and Ramdas 2024) on x = y + weight (fbar - f), which has
    the mean of y whatever the weight is, as long as earlier labels alone decide it.

    Examples
    --------
    >>> stream = LabelStream()
    >>> while not stream.add(1): pass
    >>> stream.n, stream.low > 0.5
    (10, True)
    """

    def __init__(
        self,
        fbar: object = None,
        level: float = LEVEL,
        against: object = Fraction(1, 2),
        width: object = None,
    ) -> None:
        self.fbar = None if fbar is None else check_number("fbar", fbar, least=0, most=1)
        self.level = check_number("level", level, least=0, most=1, strict=True)
        self.against = exact(against, "against")
        if not 0 <= self.against <= 1:
            raise DataError(
                f"against must be a rate from 0 to 1; got {against!r}; pass for example 0.5"
            )
        self.width = None if width is None else check_number("width", width, least=0, most=1)
        self._sums = _Sums()
        self._capital = Capital.start()
        self._torn = False

    def add(self, y: object, f: object = None) -> bool:
        """Take the label of one more item, and return whether to stop.

        Parameters
        ----------
        y : bool or number from 0 to 1
            1 where the label is the one whose rate is asked for, 0 where it is another.
        f : number from 0 to 1
            Share of the judges who say so of this item; needed with `fbar`, and refused without.

        Raises
        ------
        DataError
            If a number is out of range, or f is missing or not wanted; nothing is added then.
        """
        plain = float(y) if isinstance(y, bool | np.bool_) else y
        label = check_number("y", plain, least=0, most=1)
        share = self._share(f)
        sums, fbar = self._sums, self.fbar or 0.0
        weight = 0.0 if self.fbar is None else sums.weight()
        x = label + weight * (fbar - share)
        ends = weight * (fbar - 1), 1 + weight * fbar
        alpha = 1 - self.level
        grown = self._capital.after(x, ends, stake(sums.n, sums.squares, alpha))
        self._torn = self._torn or grown.torn(alpha)
        self._capital = grown.without_excluded(alpha)
        sums.add(label, share, x)
        return self.stop

    @property
    def _misled(self) -> bool:
        """Whether the judges' shares cannot have the mean `fbar`, at any number of labels.

        By the normal mixture for sums of numbers from 0 to 1 (Robbins 1970).
        """
        spread = STREAM_PRIOR + self.n / 4
        reach = sqrt(spread * (log(spread / STREAM_PRIOR) - 2 * log(STREAM_MISLED)))
        return abs(self._sums.f - self.n * (self.fbar or 0.0)) > reach

    def _share(self, f: object) -> float:
        if (f is None) != (self.fbar is None):
            told = "must come with each label" if f is None else "is of no use"
            with_it = "with" if f is None else "without"
            raise DataError(
                f"f {told} {with_it} fbar; got {f!r}; start the stream with both or neither"
            )
        return 0.0 if f is None else check_number("f", f, least=0, most=1)

    @property
    def n(self) -> int:
        """Labels so far."""
        return self._sums.n

    @property
    def rate(self) -> float | None:
        """The mean so far, helped by the judges; None without labels."""
        return min(max(self._sums.x / self.n, 0.0), 1.0) if self.n else None

    @property
    def low(self) -> float:
        """Lower end."""
        return self._capital.first / STREAM_STEPS

    @property
    def high(self) -> float:
        """Upper end."""
        return self._capital.last / STREAM_STEPS

    @property
    def _side(self) -> int:
        """1 above `against`, -1 below, 0 while it is inside; exact."""
        above = Fraction(self._capital.first, STREAM_STEPS) > self.against
        return above - (Fraction(self._capital.last, STREAM_STEPS) < self.against)

    @property
    def _narrow(self) -> bool:
        steps = self._capital.last - self._capital.first
        return self.width is not None and steps <= self.width * STREAM_STEPS

    @property
    def stop(self) -> bool:
        """Whether the interval leaves `against` out, or is as narrow as asked for."""
        return bool(self._side) or self._narrow or self._torn or self._misled

    @property
    def status(self) -> Status:
        """How far it has come."""
        if self._torn or self._misled:
            return Status.INCONSISTENT
        return Status.OK if self.stop else Status.UNDETERMINED

    @property
    def message(self) -> str:
        """The interval and what to do, in a sentence."""
        if not self.n:
            return "No label yet: the rate may be anything; add one."
        between = (
            f"After {how_many(self.n, 'label')} the rate lies between {self.low:.3f} and {self.high:.3f} "
            f"({level_text(self.level)}, however often you look)"
        )
        return f"{between}: {self._advice()}."

    def _advice(self) -> str:
        if self._misled:
            return (
                f"do not use it, f averages {self._sums.f / self.n:.2f} here and fbar is {self.fbar:.2f}, "
                "which must be the mean of f over all that labels are drawn from"
            )
        if self._torn:
            return "stop, no single rate fits all these labels, so what is sampled has changed"
        if self._side:
            side = "above" if self._side > 0 else "below"
            return f"stop, it is {side} {float(self.against):g}"
        if self._narrow:
            return f"stop, it is no wider than {self.width:g}"
        return f"go on, {float(self.against):g} is inside"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LabelStream) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]  # it grows

    def __repr__(self) -> str:
        return f"LabelStream({self.n} labels, {self.low:.3f} to {self.high:.3f}, stop={self.stop})"

    def summary(self) -> str:
        """Return the message."""
        return self.message

    def to_dict(self) -> dict[str, Any]:
        """Return all that is needed to go on later as JSON types (schema `algeval.label-stream/1`)."""
        return {
            "schema": SCHEMA,
            "fbar": self.fbar,
            "level": self.level,
            "against": str(self.against),
            "width": self.width,
            "sums": asdict(self._sums),
            "torn": self._torn,
            "first": self._capital.first,
            "above": self._capital.above.tolist(),
            "below": self._capital.below.tolist(),
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote; the stream goes on as if it had never stopped, to the last bit.

        Raises
        ------
        DataError
            If it is no document of a stream.
        """
        expect_schema(document, SCHEMA)
        stream = cls(
            document["fbar"], document["level"], document["against"], width=document["width"]
        )
        stream._sums = _Sums(**document["sums"])
        stream._torn = bool(document["torn"])
        above, below = (np.array(document[name], np.float64) for name in ("above", "below"))
        first = int(document["first"])
        if len(above) != len(below) or not 0 < len(above) <= STREAM_STEPS + 1 - first:
            raise DataError(
                "a saved stream must hold two lists of one length, inside the grid; got "
                f"{len(above)} and {len(below)} from {first} on; was the file cut short?"
            )
        stream._capital = Capital(first, above, below)
        return stream
