"""A leaderboard: Bradley-Terry on judged battles, by clusters, with ranks that hold at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from algeval.data.names import read_only
from algeval.data.settings import check_choice, check_number, check_whole
from algeval.errors import DataError
from algeval.io.sources import Tabular
from algeval.rates import policy
from algeval.rates.leaderboards.battles import Named, read_battles
from algeval.rates.leaderboards.estimate import Asked, Estimate, estimate
from algeval.rates.leaderboards.flips import flips_of
from algeval.rates.leaderboards.gold import gold_outcomes
from algeval.rates.leaderboards.likelihood import MODELS
from algeval.rates.leaderboards.outcomes import UNKNOWN
from algeval.rates.leaderboards.ranking import Ranking, ranking, rated
from algeval.rates.leaderboards.results import Leaderboard, OrderEffect
from algeval.rates.leaderboards.units import units_of
from algeval.rates.leaderboards.wording import headline, no_scale, not_settled, one_order
from algeval.result import Status
from algeval.result.wording import how_many

__all__ = ["leaderboard"]


def leaderboard(
    pairs: Tabular,
    cluster: str | Sequence[Any] | None = None,
    *,
    ties: str = "davidson",
    order: str | None = None,
    gold: Any = None,
    level: float = policy.LEVEL,
    random: int = 0,
    first: str | None = None,
    second: str | None = None,
    winner: str | None = None,
    judge: str | None = None,
    item: str | None = None,
) -> Leaderboard:
    """Rate systems from judged battles between two of them, and say which ranks each may have.

    Votes on one prompt hang together, so intervals rest on clusters, and rank sets hold for all systems
    at once: two systems are apart only if no chance of the prompts explains it. Ratings are those of the
    judges. With `gold` for some battles they are those of the truth.

    Parameters
    ----------
    pairs : path, data frame, records or columns
        A row per vote: two systems (model_a and model_b; the first is taken as shown first), who won
        (a name, first, second or tie, model_a or model_b), and where there is one the prompt, the
        judge, and a column `shown_first`.
    cluster : str or sequence, optional
        Column of what was drawn independently, or an entry per row; by default the prompt.
    ties : "davidson", "half" or "rao-kupper"
        Davidson's ties, half a win for each, or Rao and Kupper's threshold.
    order : str, optional
        "first" adds an effect of being shown first; any other text names the column that says which
        system was. Two systems must have met in both orders.
    gold : str, path or table, optional
        True winners of battles drawn at random: a column, blank where unknown, or a table joined by
        prompt and systems.
    level : float
        Of each interval, and of all rank sets together.
    random : int
        Seed of the draws behind the rank sets.
    first, second, winner, judge, item : str, optional
        Columns, where their names are not recognised.

    Returns
    -------
    Leaderboard

    Raises
    ------
    DataError
        If the table is none of battles, or a setting is out of range.

    Notes
    -----
    Davidson (1970) for ties, Rao and Kupper (1967) for thresholds; rank sets after Mogstad, Romano,
    Shaikh and Wilhelm (2024).

    Examples
    --------
    >>> rows = [("x", "y", "x")] * 6 + [("x", "y", "y")] * 2 + [("y", "x", "tie")] * 2
    >>> found = leaderboard([dict(zip(("model_a", "model_b", "winner"), r)) for r in rows])
    >>> found.systems, found.rank_sets["x"]
    (('x', 'y'), (1, 2))
    """
    check_choice("ties", ties, list(MODELS))
    level = check_number("level", level, least=0, most=1, strict=True)
    column = None if order in (None, "first") else order
    battles, table = read_battles(pairs, Named(first, second, winner, judge, item, column))
    units = units_of(table, battles, cluster)
    true = None if gold is None else gold_outcomes(gold, table, battles)
    if true is not None and (order is not None or ties == "rao-kupper"):
        raise DataError(
            "gold must stand without order= and with ties='davidson' or 'half': it puts the votes right "
            f"whatever made them wrong; got order={order!r} and ties={ties!r}; leave them out"
        )
    found = estimate(Asked(battles, units.codes, true, ties, order is not None))
    numbers = ranking(found, level, check_whole("random", random, 0))
    names = battles.systems
    flips = flips_of(battles)
    status, message = _said(names, found, numbers, level)
    return Leaderboard(
        status=status,
        message=message,
        table=rated(battles, numbers),
        components=tuple(tuple(names[k] for k in part) for part in found.standing.components),
        level=level,
        ties=ties,
        tie_parameter=_tie_parameter(found, order is not None),
        order_effect=None if order is None else _order_effect(found, numbers),
        n_pairs_swapped=flips.n_pairs,
        flip_rate=flips.rate,
        accuracy_ceiling=flips.ceiling,
        n_battles=len(battles),
        n_clusters=len(np.unique(units.codes)),
        cluster=units.name,
        n_gold=0 if true is None else int((true != UNKNOWN).sum()),
        lambda_=None if found.found is None else found.found.lambda_,
        random=random,
        warnings=(*units.warnings, *_few_clusters(found)),
        notes=battles.notes,
        covariance=read_only(numbers.covariance[np.ix_(numbers.order, numbers.order)]),
    )


def _said(
    names: Sequence[str], found: Estimate, numbers: Ranking, level: float
) -> tuple[Status, str]:
    if found.failed == "gold":
        return Status.NOT_CONVERGED, not_settled("gold")
    if found.failed in ("ties", "order"):
        return Status.NOT_IDENTIFIABLE, not_settled(found.failed)
    if found.failed == "one order":
        return Status.NOT_IDENTIFIABLE, one_order()
    if not found.standing.connected:
        groups = [[names[k] for k in part] for part in found.standing.components]
        unbeaten = [
            name for name, end in zip(names, found.standing.ends, strict=True) if end == np.inf
        ]
        return Status.NOT_IDENTIFIABLE, no_scale(groups, unbeaten)
    leaders = [names[k] for k in numbers.order if numbers.ranks[k][0] == 1]
    return Status.OK, headline(names, leaders, level)


def _few_clusters(found: Estimate) -> tuple[str, ...]:
    n, k = found.n_clusters, len(found.main)
    if not k or n >= max(policy.FEWEST_CLUSTERS, k):
        return ()
    told = f"intervals rest on {how_many(n, 'cluster')} for {how_many(k, 'system')}"
    return (f"{told}, too few to hold at their level; add prompts",)


def _tie_parameter(found: Estimate, ordered: bool) -> float | None:
    if found.found is None:
        return None
    at = found.found.fit.parameters[len(found.main) + ordered :]
    return float(np.exp(at[0])) if len(at) else None


def _order_effect(found: Estimate, numbers: Ranking) -> OrderEffect | None:
    if found.found is None:
        return None
    place = len(found.main)
    at = float(found.found.fit.parameters[place])
    reach = numbers.wide * float(np.sqrt(found.found.covariance[place, place]))
    return OrderEffect(effect=at, low=at - reach, high=at + reach)
