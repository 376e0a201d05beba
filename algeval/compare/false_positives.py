"""How often wrong answers pass: rates on responses that are wrong by construction, against the majority."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from algeval.aggregate import METHODS, SCORE_METHODS, aggregate
from algeval.aggregate.results import Floats, decide
from algeval.compare.panels import settings_of
from algeval.data import NOT_ANSWERED, Scores, Votes
from algeval.data.settings import check_number
from algeval.errors import DataError
from algeval.io.sources import Source, read_score_table
from algeval.progress import steps
from algeval.result import Result, Status, exact, percent
from algeval.result.base import Record
from algeval.result.tables import Table
from algeval.result.wording import how_many

__all__ = ["FalsePositives", "PassRate", "false_positives"]

MAJORITY = "majority"


@dataclass(frozen=True, slots=True, kw_only=True)
class PassRate(Record):
    """How often one method lets wrong responses pass.

    Attributes
    ----------
    group : str or None
        Which responses; None where there is one group.
    method : str
    n_items, n_positive, n_undecided : int
        Responses somebody scored, those called positive, those left undecided.
    lower, upper : float
        Exact (Clopper-Pearson) interval of the rate, responses drawn independently.
    caught, missed : int
        Responses that the majority calls positive and the method does not, and the other way round.
    p_value : float
        Exact McNemar test of the two being equally frequent.
    """

    group: str | None
    method: str
    n_items: int
    n_positive: int
    n_undecided: int
    lower: float
    upper: float
    caught: int
    missed: int
    p_value: float

    @property
    def rate(self) -> float:
        """Share of the responses called positive."""
        return self.n_positive / self.n_items


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FalsePositives(Result):
    """Rates at which responses that are wrong by construction are called positive.

    Attributes
    ----------
    status : Status
        ok; that of the first method that gave no fit, whose rows are left out.
    rates : tuple of PassRate
        The majority first, then the methods, for each group in turn.
    cut : float
    level : float
        Of the intervals.
    fitted_to : "reference" or "data"
    settings : dict
    warnings : tuple of str
    """

    schema: ClassVar[str] = "algeval.false_positives/1"

    rates: tuple[PassRate, ...]
    cut: float
    level: float
    fitted_to: str
    settings: dict[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    def of(self, method: str, group: str | None = None) -> PassRate:
        """Return the rate of a method, on one group where there are several."""
        for found in self.rates:
            if (found.method, found.group) == (method, group):
                return found
        known = sorted({(rate.method, rate.group) for rate in self.rates}, key=str)
        raise DataError(f"method {method!r} on group {group!r} is not here; choose from {known}")

    def as_tables(self) -> tuple[Table, ...]:
        """Return a row per group and method."""
        title, rates = "Wrong responses called positive", [one.rate for one in self.rates]
        return (Table.of_records(title, PassRate, self.rates, rate=rates),)

    def summary(self) -> str:
        """Return one line per rate, and the warnings."""
        lines = [self.message, *(_line(rate) for rate in self.rates)]
        return "\n".join([*lines, *(f"Note: {warning}" for warning in self.warnings)])


def _line(rate: PassRate) -> str:
    where = "" if rate.group is None else f"{rate.group!r}, "
    told = (
        f"  {where}{rate.method}: {percent(rate.rate)} of {rate.n_items} pass "
        f"({percent(rate.lower)} to {percent(rate.upper)})"
    )
    if rate.method == MAJORITY:
        return told
    return (
        f"{told}; of the majority's it catches {rate.caught}, of others it lets {rate.missed} pass "
        f"(p = {rate.p_value:.2g})"
    )


def false_positives(
    data: Source | Scores,
    methods: Sequence[str] = ("average", "rank-factor"),
    *,
    cut: object,
    reference: Scores | None = None,
    by: str | None = None,
    level: float = 0.95,
    settings: Mapping[str, Mapping[str, Any]] | None = None,
) -> FalsePositives:
    """Count how often responses that are wrong by construction pass, for the majority and each method.

    Use it on responses made to fool judges, such as "Let's think step by step" in place of an answer.
    No key is read: that all of them are wrong is what you say. Give the judges' scores of ordinary
    responses as `reference`. Methods are then fitted to those and asked about these; fitted to wrong
    responses alone, a method that takes a share of the items for positive finds some to call positive,
    none at a small share and nearly all at a large one, whatever the responses are.

    Parameters
    ----------
    data : Scores, or a table of them
        Of wrong responses only; 0 and 1 where judges gave votes.
    methods : sequence of str
        Of scores; methods of votes read the votes at the cut.
    cut : number or text
        From where on a score calls a response right: for the votes, and for methods whose settings say
        nothing of `prevalence` or `cut`.
    reference : Scores, optional
        Of ordinary responses, by the same judges or more.
    by : str, optional
        Attribute that groups the responses, such as the kind of attack.
    level : number between 0 and 1
    settings : mapping from method to its settings, optional

    Returns
    -------
    FalsePositives
        An undecided response has not passed.

    Raises
    ------
    DataError
        If nobody scored any response, or a judge is not in the reference.

    Notes
    -----
    The protocol of CARE, section 5.5, whose data are not published with judges' scores. Intervals and
    tests take responses for independent, which several attacks on one question are not.

    Examples
    --------
    >>> wrong = Scores.from_columns({"i": [1, 0, 1], "j": [1, 0, 0], "k": [1, 0, 0]})
    >>> round(false_positives(wrong, ["average"], cut="1/2").of("average").rate, 3)
    0.333
    """
    level = check_number("level", level, least=0.0, most=1.0, strict=True)
    data = read_score_table(data)
    heard = ~np.isnan(data.values).all(axis=1)
    if not heard.any():
        raise DataError("data must hold at least one score; got none; check the columns")
    wrong = data.without_key().select(items=[data.items[place] for place in np.flatnonzero(heard)])
    groups = _groups(wrong, by)
    told = settings_of(methods, settings)
    calls, ended = {MAJORITY: _majority(wrong, cut)}, Status.OK
    models = [name for name in methods if name != MAJORITY]
    for name in steps(models, "calling the responses by each method", even=False):
        found = _called(wrong, reference, name, cut, told[name])
        ended = found.status if ended.ok else ended
        if found.codes is not None:
            calls[name] = found.codes
    n = how_many(wrong.n_items, "wrong response")
    where = "to these alone" if reference is None else f"to {reference.n_items} ordinary responses"
    return FalsePositives(
        status=ended,
        message=f"{n}, called positive from {cut} on; methods fitted {where}.",
        rates=tuple(
            _rate(group, name, codes[rows], calls[MAJORITY][rows], level)
            for group, rows in groups
            for name, codes in calls.items()
        ),
        cut=float(exact(cut, "cut")),
        level=level,
        fitted_to="data" if reference is None else "reference",
        settings=told,
        warnings=() if reference is not None else (_ALONE,),
    )


_ALONE = (
    "The methods were fitted to wrong responses alone: how many one calls positive then follows from "
    "the share it takes for positive, not from the responses; give reference=, scores of ordinary responses."
)


def _groups(data: Scores, by: str | None) -> list[tuple[str | None, NDArray[np.intp]]]:
    """Return each group and the places of its items; one group of all without an attribute."""
    if by is None:
        return [(None, np.arange(data.n_items))]
    column = (data.attributes or {}).get(by)
    if column is None:
        raise DataError(
            f"attribute {by!r} must be one of {list(data.attributes or {})}; it is not; leave it out"
        )
    names = dict.fromkeys(str(name) for name in column)
    return [(n, np.flatnonzero([str(value) == n for value in column])) for n in names]


def _majority(data: Scores, cut: object) -> NDArray[np.int16]:
    """Return 1 where most votes at the cut are positive, 0 where fewer are, -1 of a tie."""
    codes = data.cut(cut).codes
    ones, zeros = (codes == 1).sum(axis=1), (codes == 0).sum(axis=1)
    return np.where(ones == zeros, NOT_ANSWERED, ones > zeros).astype(np.int16)


class _Called(NamedTuple):
    """What a method calls each response, None without a fit, and how its fit ended."""

    codes: NDArray[np.int16] | None
    status: Status


def _called(
    data: Scores, reference: Scores | None, name: str, cut: object, settings: dict[str, Any]
) -> _Called:
    of_votes = name in METHODS and name not in SCORE_METHODS
    source = data if reference is None else reference.without_key()
    to_fit: Scores | Votes = source.cut(cut) if of_votes else source
    to_call: Scores | Votes = data.cut(cut) if of_votes else data
    if not of_votes and not {"cut", "prevalence"} & set(settings):
        settings = settings | {"cut": cut}
    fit = aggregate(to_fit, name, **settings)
    if fit.status not in (Status.OK, Status.NOT_CONVERGED):
        return _Called(None, fit.status)
    posterior: Floats = fit.posterior_items if reference is None else fit.predict(to_call)  # type: ignore[arg-type]
    return _Called(decide(posterior), fit.status)


def _rate(
    group: str | None, method: str, codes: NDArray[np.int16], base: NDArray[np.int16], level: float
) -> PassRate:
    from scipy.stats import binomtest  # takes half a second to load

    passed, before = codes == 1, base == 1
    caught, missed = int((before & ~passed).sum()), int((passed & ~before).sum())
    ends = binomtest(int(passed.sum()), len(codes)).proportion_ci(level, "exact")
    return PassRate(
        group=group,
        method=method,
        n_items=len(codes),
        n_positive=int(passed.sum()),
        n_undecided=int((codes == NOT_ANSWERED).sum()),
        lower=float(ends.low),
        upper=float(ends.high),
        caught=caught,
        missed=missed,
        p_value=float(binomtest(caught, caught + missed).pvalue) if caught + missed else 1.0,
    )
