"""`VerdictStream`: has the pass rate of verdicts moved away from a baseline, at whatever time one looks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import inf, isfinite, log, pi
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaincc, betaln

from algeval.data.names import check_number, check_whole, expect_fields, expect_schema
from algeval.errors import DataError, either_way, parameter
from algeval.rates.intervals import exact_ends
from algeval.result import percent
from algeval.result.numbers import how_many, level_text

Floats = NDArray[np.float64]

SCHEMA = "algeval.verdict-stream/1"
WINDOW = 200
_PRIOR = 20.0  # verdicts that the mixture over other rates counts as
_SHIFTS = (0.02, 0.05, 0.1, 0.2, 0.3)  # alternatives of the fast mode
_TINY = 1e-250  # below it log(I) is computed from a continued fraction
_FRACTION_STEPS = 500
_CHUNK = 4096  # verdicts that are searched at once

Side = Literal["below", "above"]


class StreamAnswer(NamedTuple):
    """Where a stream stands after a verdict, or a batch of them.

    Attributes
    ----------
    alarm : bool
        Whether the pass rate has moved; once True it stays.
    at : int or None
        Number of the verdict at which the alarm came, from 1.
    side : str or None
        "below" or "above" the baseline.
    n : int
        Verdicts so far.
    rate : float or None
        Share of passes so far.
    """

    alarm: bool
    at: int | None
    side: Side | None
    n: int
    rate: float | None


# --- Evidence against "the rate is at least p0": a mixture of likelihood ratios over lower rates.


def _log_betainc(a: Floats, b: Floats, x: float) -> Floats:
    """Log of the regularised incomplete beta function, where the function itself underflows too."""
    value, rest = betainc(a, b, x), betaincc(a, b, x)
    with np.errstate(divide="ignore"):
        result = np.where(rest < 0.5, np.log1p(-np.minimum(rest, 0.5)), np.log(value))
    small = value < _TINY
    if small.any():
        result[small] = _log_by_fraction(a[small], b[small], x)
    return np.asarray(result, float)


def _log_by_fraction(a: Floats, b: Floats, x: float) -> Floats:
    """Log of I_x(a, b) for x far below a / (a + b), by Lentz's continued fraction."""
    c = np.ones_like(a)
    d = 1 / (1 - (a + b) * x / (a + 1))
    h = d.copy()
    for m in range(1, _FRACTION_STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d, c = 1 / (1 + even * d), 1 + even / c
        h *= d * c
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d, c = 1 / (1 + odd * d), 1 + odd / c
        h *= d * c
        if (np.abs(d * c - 1) < 1e-15).all():
            break
    return np.asarray(a * log(x) + b * np.log1p(-x) - np.log(a) - betaln(a, b) + np.log(h), float)


def log_evidence(passes: Floats, n: Floats, p0: float) -> Floats:
    """Log of the e-process against "at least p0", after `passes` of `n` verdicts; it starts at 0."""
    a, b = _PRIOR * p0, _PRIOR * (1 - p0)
    fails = n - passes
    start = _log_betainc(np.array([a]), np.array([b]), p0)[0]
    return np.asarray(
        betaln(a + passes, b + fails)
        - betaln(a, b)
        + _log_betainc(a + passes, b + fails, p0)
        - start
        - passes * log(p0)
        - fails * np.log1p(-p0),
        float,
    )


@lru_cache(maxsize=64)
def _window_table(p0: float) -> Floats:
    """[n, passes]: log evidence within a window; -inf where there are more passes than verdicts."""
    n, passes = np.indices((WINDOW + 1, WINDOW + 1), float)
    table = np.full(n.shape, -inf)
    inside = passes <= n
    table[inside] = log_evidence(passes[inside], n[inside], p0)
    return table


def _first_crossing(passes: NDArray[np.int64], n: int, p0: float, limit: float) -> int | None:
    """First k with evidence of at least `limit` after `passes[k]` of n + k + 1 verdicts, by halving.

    A verdict that fails raises the evidence and a pass lowers it, so that no crossing lies in a stretch
    whose first number of passes would not cross at the stretch's end.
    """
    for start in range(0, len(passes), _CHUNK):
        first = np.array([start])
        end = np.array([min(start + _CHUNK, len(passes))])
        while len(first):
            over = log_evidence(passes[first].astype(float), (n + end).astype(float), p0) >= limit
            first, end = first[over], end[over]
            split = end - first > 1
            if len(first) and not split.any():
                return int(first.min())
            middle = (first + end) // 2
            first = np.concatenate([first, middle[split]])
            end = np.concatenate([np.where(split, middle, end), end[split]])
    return None


# --- One side of a stream.


class _Test:
    """Evidence on one side: all verdicts together, and windows of 200."""

    def __init__(self, side: Side, p0: float, alpha: float, windows: bool) -> None:
        self.side, self.windows = side, windows
        self.p0 = p0 if side == "below" else 1 - p0
        self.whole = log((2 if windows else 1) / alpha)
        self.each = log(2 * pi**2 / 6 / alpha)  # and w^2 for window w

    def crossing(self, good: NDArray[np.bool_], n: int, passes: int, recent: int) -> int | None:
        """Position in `good` of the verdict that brings an alarm; `recent` passes in the open window."""
        if self.side == "above":
            good, passes, recent = ~good, n - passes, n % WINDOW - recent
        sums = np.cumsum(good)
        first = _first_crossing(sums + passes, n, self.p0, self.whole)
        if not self.windows:
            return first
        late = self._in_windows(good, n, recent)
        return min((k for k in (first, late) if k is not None), default=None)

    def _in_windows(self, good: NDArray[np.bool_], n: int, recent: int) -> int | None:
        table, opened = _window_table(self.p0), n % WINDOW
        window = n // WINDOW
        pad = -(opened + len(good)) % WINDOW
        values = np.zeros(opened + len(good) + pad, np.int64)
        values[opened : opened + len(good)] = good
        if opened:
            values[0] = recent  # what the open window holds, in one
        sums = values.reshape(-1, WINDOW).cumsum(axis=1)
        limits = self.each + 2 * np.log(window + 1 + np.arange(len(sums)))
        evidence = table[np.arange(1, WINDOW + 1)[None, :], sums].ravel()
        over = (evidence >= np.repeat(limits, WINDOW))[opened : opened + len(good)]
        return int(over.argmax()) if over.any() else None


class _Detector:
    """The fast mode on one side: sums of likelihood ratios that start anew at each verdict."""

    def __init__(self, side: Side, p0: float) -> None:
        self.side = side
        p = p0 if side == "below" else 1 - p0
        rates = [max(0.0, p - shift * min(1.0, p / 0.3)) for shift in _SHIFTS]
        self.of_pass = [q / p for q in rates]
        self.of_fail = [(1 - q) / (1 - p) for q in rates]
        self.sums = [0.0] * len(rates)

    def add(self, good: bool) -> None:
        factors = self.of_pass if good == (self.side == "below") else self.of_fail
        self.sums = [(r + 1) * x for r, x in zip(self.sums, factors, strict=True)]


def detector_evidence(verdicts: Iterable[bool], p0: float) -> list[float]:
    """Mean of the sums of the fast mode below p0, after each verdict."""
    detector, means = _Detector("below", p0), []
    for good in verdicts:
        detector.add(bool(good))
        means.append(sum(detector.sums) / len(detector.sums))
    return means


def _baseline(baseline: object) -> tuple[float | None, tuple[int, int] | None]:
    """A rate, or passes of how many verdicts."""
    name = parameter("baseline")
    counts = either_way("(passes, verdicts), as (450, 500)", "PASSES/VERDICTS, as 450/500")
    if isinstance(baseline, tuple | list):
        if len(baseline) != 2:
            raise DataError(
                f"{name} must be a rate or {counts}; got {baseline!r}; give two numbers"
            )
        total = check_whole(f"{name} verdicts", baseline[1], 1)
        passes = check_whole(f"{name} passes", baseline[0], 0)
        if passes > total:
            raise DataError(
                f"{name} must be {counts}, passes first; got {passes} of {total}; swap them"
            )
        return None, (passes, total)
    rate = check_number("baseline", baseline, least=0, most=1)
    if rate in (0, 1):
        raise DataError(
            f"{name} must lie between 0 and 1; got {rate:g}, from which any other verdict would be a "
            f"change; give the rate you defend, or {counts}"
        )
    return rate, None


def as_verdicts(verdict: object) -> NDArray[np.bool_]:
    """One verdict or a batch as booleans, True a pass."""
    values = np.atleast_1d(np.asarray(verdict))
    if values.dtype == bool and values.ndim == 1:
        return values
    if values.ndim == 1 and values.dtype.kind in "iuf":
        good = values == 1
        if (good | (values == 0)).all():
            return np.asarray(good)
    elif values.ndim == 1 and values.dtype == object and len(values):
        if all(isinstance(v, bool | int | np.bool_) and v in (0, 1) for v in values.tolist()):
            return values.astype(bool)
    elif not values.size:
        return np.zeros(0, bool)
    raise DataError(
        f"verdict must be True or False, 1 or 0, or an array of them; got {_shown(values)}; leave missing "
        "verdicts out, and turn words and scores into passes first"
    )


def _shown(values: NDArray[Any]) -> str:
    if values.ndim != 1:
        return f"an array of {values.ndim} dimensions"
    bad = next((v for v in values.tolist() if isinstance(v, str) or v not in (0, 1)), None)
    return repr(bad)[:60]


class VerdictStream:
    """Watch verdicts one at a time for a pass rate that moves away from a baseline.

    Use it on a judge's verdicts in production, without labels. It tells that *verdicts* have changed: the
    system, its traffic or the judge; `drift` on a fixed set of items judged again tells the judge from the
    rest. With the chance `level` no alarm ever comes while the rate stays on the baseline's side,
    however long you watch and however often you look. It assumes that, whatever came before, each
    verdict passes with the baseline's chance; several verdicts of one prompt are not like that.

    Parameters
    ----------
    baseline : number or (passes, verdicts)
        The rate you defend, or the verdicts it was estimated from, whose own uncertainty then counts.
    level : float
        Chance that there is never a false alarm.
    side : {"both", "below", "above"}
        Which change to look for.
    mode : {"anytime", "fast"}
        "fast" finds changes sooner and has another guarantee: one false alarm in at least `every` verdicts
        on average, where the baseline is a rate; where it was estimated, with probability `level`.
    every : int
        Of the fast mode.

    Attributes
    ----------
    alarm : bool
        Whether there was an alarm; it stays.
    alarm_at : int or None
        The verdict that brought it.
    alarm_side : str or None
    n, passes : int
    message : str

    Raises
    ------
    DataError
        If a setting is out of range, or the baseline is 0 or 1.

    Notes
    -----
    The evidence is a mixture of likelihood ratios over rates on the other side, an e-process (Ville). Half
    of the error is spent on all verdicts together, half on windows of 200, which find late changes; the
    w-th has the share 6 / (pi w)^2. An estimated baseline spends half of the error on its Clopper-Pearson
    end. The fast mode is an e-detector (Shin, Ramdas and Rinaldo 2023).

    Examples
    --------
    >>> stream = VerdictStream(0.82)
    >>> stream.update([True, False] * 40).alarm
    True
    >>> stream.alarm_at, stream.alarm_side
    (28, 'below')
    """

    def __init__(
        self,
        baseline: object,
        *,
        level: float = 0.95,
        side: str = "both",
        mode: str = "anytime",
        every: int = 10_000,
    ) -> None:
        self.baseline, self.counted = _baseline(baseline)
        self.level = check_number("level", level, least=0, most=1, strict=True)
        for name, value, choices in (
            ("side", side, ("both", "below", "above")),
            ("mode", mode, ("anytime", "fast")),
        ):
            if value not in choices:
                raise DataError(f"{name} must be one of {choices}; got {value!r}; leave it out")
        self.side, self.mode = side, mode
        self.every = check_whole("every", every, 2)
        self.n = self.passes = self._recent = 0
        self.alarm_at: int | None = None
        self.alarm_side: Side | None = None
        ends = self._ends()
        self._tests = [_Test(s, p, self._alpha, True) for s, p in ends]
        self._detectors = [_Detector(s, p) for s, p in ends] if mode == "fast" else []

    @property
    def _alpha(self) -> float:
        """Error left to each side, and to the end of an estimated baseline."""
        alpha = 1 - self.level
        parts = (1 if self.counted is None else 2) * (2 if self.side == "both" else 1)
        if self.mode == "fast":
            parts = 2 if self.side == "both" else 1
        return alpha / parts

    def _ends(self) -> list[tuple[Side, float]]:
        """The sides watched, and the rate that each defends."""
        sides: list[Side] = ["below", "above"] if self.side == "both" else [self.side]  # type: ignore[list-item]
        if self.baseline is not None:
            return [(s, self.baseline) for s in sides]
        passes, total = self.counted or (0, 1)
        low, high = exact_ends(passes, total, 1 - 2 * self._alpha)
        ends = [(s, low if s == "below" else high) for s in sides]
        ends = [(s, p) for s, p in ends if 0 < p < 1]
        if not ends:
            raise DataError(
                f"baseline must leave room {self.side} it; got {passes} of {total}; watch the other side"
            )
        return ends

    def update(self, verdict: object) -> StreamAnswer:
        """Take one verdict or an array of them, and say where the stream stands.

        One by one or in batches is the same.

        Parameters
        ----------
        verdict : bool, 0 or 1, or 1-d array
            True or 1 for a pass.

        Raises
        ------
        DataError
            If something else is among them; nothing is added then.
        """
        good = as_verdicts(verdict)
        if self.alarm_at is None and len(good):
            if self.mode == "fast":
                self._detect(good)
            else:
                crossings = [
                    (k, test.side)
                    for test in self._tests
                    if (k := test.crossing(good, self.n, self.passes, self._recent)) is not None
                ]
                if crossings:
                    k, self.alarm_side = min(crossings)
                    self.alarm_at = self.n + k + 1
        opened = (self.n + len(good)) % WINDOW
        kept = good[len(good) - min(opened, len(good)) :] if opened else good[:0]
        before = self._recent if opened == self.n % WINDOW + len(good) else 0
        self._recent = before + int(kept.sum())
        self.n += len(good)
        self.passes += int(good.sum())
        return self.answer

    def _detect(self, good: NDArray[np.bool_]) -> None:
        goal = self.every * len(_SHIFTS) * len(self._detectors)
        for k, passed in enumerate(good.tolist(), 1):
            for detector in self._detectors:
                detector.add(passed)
            if sum(sum(d.sums) for d in self._detectors) >= goal:
                self.alarm_at = self.n + k
                self.alarm_side = max(self._detectors, key=lambda d: sum(d.sums)).side
                return

    @property
    def answer(self) -> StreamAnswer:
        """Where the stream stands."""
        return StreamAnswer(self.alarm, self.alarm_at, self.alarm_side, self.n, self.rate)

    @property
    def alarm(self) -> bool:
        """Whether there was an alarm."""
        return self.alarm_at is not None

    @property
    def rate(self) -> float | None:
        """Share of passes so far; None without verdicts."""
        return self.passes / self.n if self.n else None

    @property
    def message(self) -> str:
        """Where the stream stands, in a sentence."""
        if self.counted is None:
            baseline = percent(self.baseline or 0.0, 1)
        else:
            baseline = f"{self.counted[0]} of {self.counted[1]}"
        so_far = f"{how_many(self.n, 'verdict')}"
        if self.n:
            so_far += f", {percent(self.passes / self.n, 1)} passes"
        if self.alarm_at is None:
            return f"No alarm: {so_far}; the baseline is {baseline}. Small or late changes may not show yet."
        guarantee = (
            f"{level_text(self.level)} sure never to be a false alarm"
            if self.mode == "anytime"
            else f"one false alarm in at least {self.every:,} verdicts on average"
        )
        if self.mode == "fast" and self.counted is not None:
            guarantee += f", with {level_text(self.level)} confidence in the baseline"
        return (
            f"Alarm at verdict {self.alarm_at}: the pass rate is {self.alarm_side} the baseline {baseline} "
            f"({guarantee}); {so_far}. The verdicts have changed: the system, its traffic or the judge."
        )

    def summary(self) -> str:
        """Message."""
        return self.message

    def __repr__(self) -> str:
        return f"VerdictStream({self.n} verdicts, alarm={self.alarm})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, VerdictStream) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]  # it grows

    def to_dict(self) -> dict[str, Any]:
        """All that is needed to go on later as JSON types (schema `algeval.verdict-stream/1`)."""
        return {
            "schema": SCHEMA,
            "baseline": self.baseline,
            "counted": None if self.counted is None else list(self.counted),
            "level": self.level,
            "side": self.side,
            "mode": self.mode,
            "every": self.every,
            "n": self.n,
            "passes": self.passes,
            "recent": self._recent,
            "alarm_at": self.alarm_at,
            "alarm_side": self.alarm_side,
            "sums": [detector.sums for detector in self._detectors],
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
        expect_fields(document, _FIELDS, "a saved stream")
        counted = document["counted"]
        stream = cls(
            document["baseline"] if counted is None else tuple(counted),
            level=document["level"],
            side=document["side"],
            mode=document["mode"],
            every=document["every"],
        )
        for name, attribute in (("n", "n"), ("passes", "passes"), ("recent", "_recent")):
            setattr(stream, attribute, check_whole(name, document[name], 0))
        if not (
            stream.passes <= stream.n and stream._recent <= min(stream.n % WINDOW, stream.passes)
        ):
            raise DataError(
                f"a saved stream must not hold more passes than verdicts; got {stream.passes} of {stream.n}; "
                "was the file changed?"
            )
        if document["alarm_at"] is not None:
            stream.alarm_at = check_whole("alarm_at", document["alarm_at"], 1)
            stream.alarm_side = "below" if document["alarm_side"] == "below" else "above"
        sums = document["sums"]
        fits = len(sums) == len(stream._detectors) and all(len(s) == len(_SHIFTS) for s in sums)
        if not fits or not all(isfinite(x) and x >= 0 for s in sums for x in s):
            raise DataError("a saved stream must hold its sums; got others; was the file changed?")
        for detector, kept in zip(stream._detectors, sums, strict=True):
            detector.sums = [float(x) for x in kept]
        return stream


_FIELDS = [
    *("baseline", "counted", "level", "side", "mode", "every"),
    *("n", "passes", "recent", "alarm_at", "alarm_side", "sums"),
]
