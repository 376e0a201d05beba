"""Labels that come one at a time: an interval after each that holds however often one looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import log, sqrt
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from algeval.data.names import check_number, check_whole, expect_schema
from algeval.errors import DataError, parameter
from algeval.rates.policy import (
    LEVEL,
    STREAM_FIRST_WEIGHT,
    STREAM_MISLED,
    STREAM_PRIOR,
    STREAM_RIDGE,
    STREAM_STAKE,
    STREAM_STEPS,
)
from algeval.result import Status, exact
from algeval.result.numbers import how_many, level_text

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# --- Two gamblers bet on every rate at once; a rate at which one of them has grown rich is excluded.
#
# At the true rate no bet has an edge, so neither gambler multiplies the first stake by 2/alpha with a chance
# above alpha/2, ever: what is excluded may be looked at after every label.


@dataclass(frozen=True, slots=True, eq=False)
class Capital:
    """What the gamblers own at each rate of the grid that is still open."""

    first: int  # place on the grid of the first of these rates
    # (n_open,), logarithms of the capital of who bets that the rate is higher, and of who bets that it is
    # lower. Along the rates the one never rises and the other never falls, so that open rates are neighbours
    above: Floats
    below: Floats

    @classmethod
    def start(cls) -> Capital:
        """Capital before the first bet: one, at every rate."""
        return cls(0, np.zeros(STREAM_STEPS + 1), np.zeros(STREAM_STEPS + 1))

    @property
    def last(self) -> int:
        """Place on the grid of the last open rate."""
        return self.first + len(self.above) - 1

    def after(
        self,
        x: float,
        ends: tuple[float, float],
        bet: float,
        seen: tuple[float, float] = (0.0, 0.0),
    ) -> Capital:
        """Capital when `x`, known to lie between `ends`, has come.

        `bet`: the share of the capital staked a unit of x, chosen before x was seen; `seen`: share of all
        items that have a label, and the sum of these labels over all items: the bet is then on the mean of
        the others, as a rate of all items leaves it.
        """
        rates = np.arange(self.first, self.last + 1) / STREAM_STEPS
        share, total = seen
        rates = np.clip((rates - total) / (1 - share), 0.0, 1.0)
        low, high = ends
        with np.errstate(divide="ignore"):  # no stake is too high at the end that x cannot pass
            up = np.minimum(bet, STREAM_STAKE / (rates - low))
            down = np.minimum(bet, STREAM_STAKE / (high - rates))
        return Capital(
            self.first,
            self.above + np.log1p(up * (x - rates)),
            self.below + np.log1p(-down * (x - rates)),
        )

    def torn(self, alpha: float) -> bool:
        """Whether no rate is left between those that the two gamblers exclude."""
        return sum(self._rich(alpha)) > len(self.above)

    def without_excluded(self, alpha: float) -> Capital:
        """Open rates and their excluded neighbours, which are the ends; all, if torn."""
        if self.torn(alpha):
            return self
        up, down = self._rich(alpha)
        start, stop = max(up - 1, 0), len(self.below) - max(down - 1, 0)
        return Capital(self.first + start, self.above[start:stop], self.below[start:stop])

    def _rich(self, alpha: float) -> tuple[int, int]:
        """How many rates each gambler excludes, from either end; an end that moved was excluded."""
        rich = log(2 / alpha)
        up, down = int((self.above >= rich).sum()), int((self.below >= rich).sum())
        return max(up, self.first > 0), max(down, self.last < STREAM_STEPS)


def stake(n: int, squares: float, alpha: float) -> float:
    """Bet for the next value after n of them: bold while little is known, then ever smaller.

    `squares`: sum of squared distances of the values so far from their running mean.
    """
    t = n + 1
    variance = (0.25 + squares) / t
    return sqrt(2 * log(2 / alpha) / (variance * t * log(1 + t)))


def far_off(total: float, n: int) -> bool:
    """Whether a sum of so many shares less their mean is too far from 0, at whatever number one looks."""
    spread = STREAM_PRIOR + n / 4
    reach = sqrt(spread * (log(spread / STREAM_PRIOR) - 2 * log(STREAM_MISLED)))
    return abs(total) > reach


# --- Labels one at a time, an interval after each, and a rule for when to stop.


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
        """Judges' weight for the next label, from those before it."""
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
    """Human labels one at a time: an interval valid at every look, and when to stop.

    Use it where nobody knows beforehand how many labels will do. The interval holds at all times at once:
    with the chance `level` the rate lies in every interval that is ever shown, however often you look and
    whenever you stop. The price is a width about 1.6 to 1.9 times that of a planned number of labels with
    one look at the end; `plan` is cheaper where the number can be planned.

    It assumes that each label is of an item drawn at random, with replacement or from an endless stream,
    whatever came before, and that the rate does not change meanwhile. With `n_items` it is of an item drawn
    at random from those without a label.

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
    n_items : int, optional
        How many items there are, each labelled once at most. The rate is then that of these items, and the
        interval a point once all have a label.

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
        n_items: object = None,
    ) -> None:
        self.fbar = None if fbar is None else check_number("fbar", fbar, least=0, most=1)
        self.level = check_number("level", level, least=0, most=1, strict=True)
        self.against = exact(against, "against")
        if not 0 <= self.against <= 1:
            raise DataError(
                f"{parameter('against')} must be a rate from 0 to 1; got {against!r}; pass for example 0.5"
            )
        self.width = None if width is None else check_number("width", width, least=0, most=1)
        self.n_items = None if n_items is None else check_whole("n_items", n_items)
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
        sums, fbar, seen = self._sums, self.fbar or 0.0, (0.0, 0.0)
        if self.n_items is not None:
            if sums.n == self.n_items:
                raise DataError(
                    f"n_items must be at least the number of labels; got {sums.n} labels of {self.n_items} "
                    "items, and one more; start the stream with the number there is"
                )
            seen = sums.n / self.n_items, sums.y / self.n_items
            fbar = (fbar - sums.f / self.n_items) / (1 - seen[0])  # of the items without a label
            fbar = min(max(fbar, 0.0), 1.0)
        weight = 0.0 if self.fbar is None else sums.weight()
        x = label + weight * (fbar - share)
        ends = weight * (fbar - 1), 1 + weight * fbar
        alpha = 1 - self.level
        grown = self._capital.after(x, ends, stake(sums.n, sums.squares, alpha), seen)
        self._torn = self._torn or grown.torn(alpha)
        self._capital = grown.without_excluded(alpha)
        sums.add(label, share, x)
        return self.stop

    @property
    def _misled(self) -> bool:
        """Whether the judges' shares cannot have the mean `fbar`, at any number of labels.

        By the normal mixture for sums of numbers from 0 to 1 (Robbins 1970).
        """
        return far_off(self._sums.f - self.n * (self.fbar or 0.0), self.n)

    def _share(self, f: object) -> float:
        if (f is None) != (self.fbar is None):
            complaint = "must come with each label" if f is None else "is of no use"
            with_it = "with" if f is None else "without"
            raise DataError(
                f"f {complaint} {with_it} fbar; got {f!r}; start the stream with both or neither"
            )
        return 0.0 if f is None else check_number("f", f, least=0, most=1)

    @property
    def n(self) -> int:
        """Labels so far."""
        return self._sums.n

    @property
    def rate(self) -> float | None:
        """The mean so far, helped by the judges; None without labels."""
        if not self.n:
            return None
        rate = min(max(self._sums.x / self.n, 0.0), 1.0)
        least, most = self._certain
        return min(max(rate, least), most)

    @property
    def low(self) -> float:
        """Lower end."""
        low = self._capital.first / STREAM_STEPS
        least, most = self._certain
        return min(max(low, least), most)

    @property
    def high(self) -> float:
        """Upper end."""
        high = self._capital.last / STREAM_STEPS
        least, most = self._certain
        return max(min(high, most), least)

    @property
    def _certain(self) -> tuple[float, float]:
        """The rates that the labels leave, whatever the other items are."""
        if self.n_items is None:
            return 0.0, 1.0
        n_items = self.n_items
        return self._sums.y / n_items, (self._sums.y + n_items - self.n) / n_items

    @property
    def _side(self) -> int:
        """1 above `against`, -1 below, 0 while it is inside; exact."""
        above = Fraction(self._capital.first, STREAM_STEPS) > self.against
        below = Fraction(self._capital.last, STREAM_STEPS) < self.against
        if self.n_items is not None:
            least, most = map(Fraction, self._certain)
            above, below = above or least > self.against, below or most < self.against
        return above - below

    @property
    def _narrow(self) -> bool:
        if self.width is None:
            return False
        if self.n_items is not None and self.high - self.low <= self.width:
            return True
        return self._capital.last - self._capital.first <= self.width * STREAM_STEPS

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
        """Message."""
        return self.message

    def to_dict(self) -> dict[str, Any]:
        """All that is needed to go on later as JSON types (schema `algeval.label-stream/1`)."""
        return {
            "schema": SCHEMA,
            "fbar": self.fbar,
            "level": self.level,
            "against": str(self.against),
            "width": self.width,
            "n_items": self.n_items,
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
            document["fbar"],
            document["level"],
            document["against"],
            width=document["width"],
            n_items=document.get("n_items"),
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


# --- Labels in the order their items were drawn, at random or at random within strata, as one interval.


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """Items in the order drawn, each at random among those of its stratum without a label."""

    rows: Ints  # (n,), places among all items
    values: Floats  # (n,), from 0 to 1; NaN where nobody could tell, which may be anything
    strata: Ints | None = None  # (n_items,), the stratum of every item; None where there is one
    numbers: Ints | None = None  # (n,), the place of each among the draws of all systems
    by_prompt: bool = False  # whether prompts were drawn, each with the outputs of both systems


class AnytimeEnds(NamedTuple):
    """An interval that holds whenever one stops, and the rate it is about."""

    low: float
    rate: float
    high: float


def anytime(
    draws: Draws,
    shares: Floats | None,
    certain: tuple[Ints, Floats],
    weights: Floats,
    level: float,
) -> AnytimeEnds:
    """Rate over all items, whenever one stops labelling.

    Each stratum has a stream of its own, and the streams share the chance of a miss. What nobody could tell
    is a 0 in a stream for the lower end and a 1 in another for the upper end.

    Parameters
    ----------
    shares : (n_items,), what the judges say of each item, from 0 to 1; None to do without
    certain : labelled items that were not drawn, and their values; they count for themselves
    weights : (n_items,), how many items each row stands for
    """
    left = weights.copy()
    left[certain[0]] -= 1
    strata = np.zeros(len(weights), np.int64) if draws.strata is None else draws.strata
    kinds = np.unique(strata[left > 0])
    sums = np.full(3, float(certain[1].sum()))
    for kind in kinds.tolist():
        own = np.where(strata == kind, left, 0.0)
        rows = strata[draws.rows] == kind
        fbar = None if shares is None else float(np.average(shares, weights=own))
        f = None if shares is None else shares[draws.rows[rows]]
        size = round(float(own.sum()))
        ends = stream_ends(draws.values[rows], f, fbar, size, 1 - (1 - level) / len(kinds))
        sums += size * np.array(ends)
    low, rate, high = (sums / weights.sum()).tolist()
    return AnytimeEnds(low, rate, high)


def stream_ends(
    values: Floats, shares: Floats | None, fbar: float | None, n_items: int | None, level: float
) -> AnytimeEnds:
    """Ends for the items of one stratum, or, without their number, for what they were drawn from."""
    unclear = np.isnan(values)
    streams = []
    for either in (0.0, 1.0) if unclear.any() else (0.0,):
        stream = LabelStream(fbar, level, n_items=n_items)
        for k, y in enumerate(np.where(unclear, either, values).tolist()):
            stream.add(y, None if shares is None else shares[k])
        streams.append(stream)
    rate = sum(0.5 if s.rate is None else s.rate for s in streams) / len(streams)
    return AnytimeEnds(streams[0].low, rate, streams[-1].high)


# --- The difference of two systems, from labels in the order drawn.


@dataclass(frozen=True, slots=True, eq=False)
class DrawnPairs:
    """Prompts in the order in which both outputs were drawn, and the differences of their labels.

    A prompt is closed where an output of it has a label whose draw is not known: it counts for itself.
    """

    free: NDArray[np.bool_]  # (n_prompts,), those that are not closed
    rows: Ints  # (n,), places among the free prompts
    values: Floats  # (n,), -1 to 1; NaN where nobody could tell one of the two
    closed: Floats  # differences of the others; NaN where one is not known


def paired_ends(
    pairs: DrawnPairs, judged: Floats | None, level: float, *, finite: bool = True
) -> AnytimeEnds:
    """Mean difference over all prompts, whenever one stops; not `finite`: of prompts like these.

    Prompts both of whose outputs were drawn come in a random order, whether prompts were drawn or outputs one
    by one: their differences, halved and moved into 0 to 1, are a stream like any other.

    judged : (n_prompts,), the judges' difference on every prompt; None to do without
    """
    own = None if judged is None or not finite else (judged[pairs.free] + 1) / 2
    shares = None if own is None or not len(own) or not np.ptp(own) else own
    fbar = None if shares is None else float(shares.mean())
    f = None if shares is None else shares[pairs.rows]
    n_free = int(pairs.free.sum())
    if finite and not n_free:
        ends = np.zeros(3)
    else:
        size = n_free if finite else None
        ends = 2 * np.array(stream_ends((pairs.values + 1) / 2, f, fbar, size, level)) - 1
    if finite and len(pairs.closed):
        unknown = int(np.isnan(pairs.closed).sum())
        certain = np.nansum(pairs.closed) + np.array([-unknown, 0, unknown])
        ends = (ends * n_free + certain) / len(pairs.free)
    return AnytimeEnds(*ends.tolist())


def unpaired_ends(a: AnytimeEnds, b: AnytimeEnds) -> AnytimeEnds:
    """Difference of two rates, each with an interval that misses with half of the chance."""
    return AnytimeEnds(a.low - b.high, a.rate - b.rate, a.high - b.low)


def common_ends(ends: Sequence[AnytimeEnds]) -> AnytimeEnds:
    """What all intervals leave, around the last one's rate; the first, if they leave nothing."""
    low, high = max(e.low for e in ends), min(e.high for e in ends)
    if low > high:
        return ends[0]
    return AnytimeEnds(low, min(max(ends[-1].rate, low), high), high)
