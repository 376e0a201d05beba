"""What a leaderboard says in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from algeval.io.layout import shown
from algeval.result.wording import how_many, level_text

__all__ = ["headline", "no_scale", "not_settled", "one_order"]

_MOST = 5


def headline(systems: Sequence[str], leaders: Sequence[str], level: float) -> str:
    """Return who may be first among all systems, from rank sets that hold together."""
    k, sure = len(systems), level_text(level)
    if len(leaders) == 1:
        return f"{leaders[0]} is first of {k} systems, at {sure} for all ranks together."
    if len(leaders) == k:
        return f"No system is shown to be behind another: each of the {k} may be first, at {sure}."
    return (
        f"{len(leaders)} of {k} systems may be first, at {sure} for all ranks together: "
        f"{_few(leaders)}."
    )


def no_scale(components: Sequence[Sequence[str]], unbeaten: Sequence[str]) -> str:
    """Return which systems battles do not put on one scale."""
    groups = "; ".join(_few(part) for part in components[:_MOST])
    more = f"; and {len(components) - _MOST} more" if len(components) > _MOST else ""
    told = f" Never beaten: {_few(unbeaten)}." if unbeaten else ""
    return (
        f"No wins both ways link the {how_many(len(components), 'group')} of systems {groups}{more}: they "
        f"have no common scale.{told} Let systems of different groups meet more often."
    )


def one_order() -> str:
    """Return why the effect of the order cannot be told."""
    return (
        "What being shown first does cannot be told: no two systems met in both orders. Ask in both, or "
        "leave order= out."
    )


def not_settled(cause: str) -> str:
    """Return why the likelihood has no maximum: `cause` is "ties", "order" or "gold"."""
    return {
        "ties": (
            "Ties and ratings cannot be told apart: battles tie, or go one way, too regularly for this "
            "model of ties. Use ties='half', or add battles."
        ),
        "order": (
            "What being shown first does cannot be told from strength: the outcomes go with the order too "
            "regularly. Add battles, or leave order= out."
        ),
    }.get(cause, "The fit did not end: gold and votes do not settle the ratings. Add gold.")


def _few(names: Sequence[str]) -> str:
    """Return names, the first few of many."""
    return shown(list(names), _MOST)
