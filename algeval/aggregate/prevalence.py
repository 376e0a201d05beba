"""What is known about the prevalence: nothing, its value, or a Dirichlet prior."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from algeval.aggregate import policy
from algeval.aggregate.results import Floats
from algeval.errors import DataError
from algeval.result import exact

__all__ = ["PrevalenceRule", "ToldShare", "read_prevalence", "share_of_second", "told_share"]

_HOW = "write 'free', 'equal', one share per label that add up to 1, or ('prior', alpha) with alpha >= 1"


@dataclass(frozen=True, slots=True, eq=False)
class PrevalenceRule:
    """How the prevalence is estimated.

    Attributes
    ----------
    fixed : (R,) array or None
        The value, where it is known.
    pseudo : (R,) array
        Pseudo-counts, alpha - 1, added to the expected number of items of each label.
    setting : str or list
        The setting as JSON types, for the result to echo.
    """

    fixed: Floats | None
    pseudo: Floats
    setting: Any

    def update(self, mass: Floats) -> Floats:
        """Return the prevalence that maximises the objective, given expected counts (R,)."""
        if self.fixed is not None:
            return self.fixed
        total = mass + self.pseudo
        share: Floats = total / total.sum()
        return share

    def log_prior(self, prevalence: Floats) -> float:
        """Return the log of the prior, up to a constant; 0 when there is none."""
        used = self.pseudo > 0
        return float(self.pseudo[used] @ np.log(prevalence[used]))

    @property
    def symmetric(self) -> bool:
        """Whether renaming the labels leaves the rule as it is."""
        told = self.pseudo if self.fixed is None else self.fixed
        return bool(np.ptp(told) == 0)


def read_prevalence(value: object, labels: Sequence[str]) -> PrevalenceRule:
    """Read the setting `prevalence` of every method that has one.

    Parameters
    ----------
    value : "free", "equal", sequence of R shares, mapping from label to share, or ("prior", alpha)
        "equal" is a known share of 1/R each. alpha is one number or one per label, each at least
        1; 1 is no prior.
    labels : sequence of str

    Raises
    ------
    DataError
        If the shares are not one per label, leave [0, 1] or do not add up to 1 (to 1e-9), or an
        alpha is below 1.

    Examples
    --------
    >>> read_prevalence({"a": 0.25, "b": "3/4"}, ["a", "b"]).fixed.tolist()
    [0.25, 0.75]
    """
    if isinstance(value, str) and value == "free":
        return PrevalenceRule(None, np.zeros(len(labels)), "free")
    if isinstance(value, str) and value == "equal":
        return PrevalenceRule(np.full(len(labels), 1 / len(labels)), np.zeros(len(labels)), "equal")
    if isinstance(value, Mapping):
        if set(value) != set(labels):
            raise DataError(f"prevalence must name {list(labels)}; got {list(value)}; {_HOW}")
        value = [value[label] for label in labels]
    if isinstance(value, str) or not isinstance(value, Sequence | np.ndarray):
        raise DataError(f"prevalence must be a rule or shares; got {value!r}; {_HOW}")
    if len(value) == 2 and isinstance(value[0], str) and value[0] == "prior":
        return _prior(value[1], len(labels))
    return _fixed(value, labels)


def _prior(alpha: Any, n_labels: int) -> PrevalenceRule:
    try:
        told = np.broadcast_to(np.asarray(alpha, float), (n_labels,))
    except (ValueError, TypeError):
        raise DataError(
            f"prevalence prior must be one number or {n_labels}; got {alpha!r}; {_HOW}"
        ) from None
    if not (np.isfinite(told) & (told >= 1)).all():
        raise DataError(f"prevalence prior must be at least 1; got {alpha!r}; {_HOW}")
    return PrevalenceRule(None, told - 1.0, ["prior", np.asarray(alpha, float).tolist()])


def _fixed(shares: Any, labels: Sequence[str]) -> PrevalenceRule:
    told = [exact(share, "prevalence") for share in shares]
    if len(told) != len(labels):
        raise DataError(
            f"prevalence must have one share per label ({len(labels)}); got {len(told)}; {_HOW}"
        )
    if any(share < 0 for share in told) or abs(sum(told, Fraction(-1))) > policy.ADD_UP:
        raise DataError(
            f"prevalence must be shares that add up to 1; got {[float(s) for s in told]}; {_HOW}"
        )
    values = np.array([float(share) for share in told])
    return PrevalenceRule(values / values.sum(), np.zeros(len(labels)), values.tolist())


def share_of_second(shares: Floats) -> float:
    """Return the second of two shares, or refuse an exam of one label."""
    share = float(shares[1])
    if not 0 < share < 1:
        raise DataError(
            f"prevalence must give both labels a positive share; got {shares.tolist()}; "
            "with one label only there is nothing to find"
        )
    return share


class ToldShare(NamedTuple):
    """Where a share comes from: the setting as JSON types, the words of a message, and if it was told."""

    setting: Any
    why: str
    told: bool = True


def told_share(
    value: object, labels: Sequence[str], share_of_votes: float
) -> tuple[float, ToldShare]:
    """Read the share of the second of two labels, for methods that cannot estimate it.

    Parameters
    ----------
    value : "equal", "votes", a number between 0 and 1, or shares as in `read_prevalence`
        "equal" is one half, "votes" the share of votes given to the second label, a number is its
        share.
    labels : sequence of two str
    share_of_votes : float

    Raises
    ------
    DataError
        If it is none of these, or leaves a label without a share.

    Examples
    --------
    >>> told_share(0.25, ["a", "b"], 0.4)[0], told_share("votes", ["a", "b"], 0.4)[0]
    (0.25, 0.4)
    """
    if isinstance(value, str) and value == "votes":
        edge = policy.SHARE_OF_VOTES_EDGE
        return min(max(share_of_votes, edge), 1 - edge), ToldShare(
            "votes", "as the votes have it", told=False
        )
    if isinstance(value, int | float | Fraction) and not isinstance(value, bool):
        told = Fraction(exact(value, "prevalence"))
        if not 0 < told < 1:
            raise DataError(
                f"prevalence must be above 0 and below 1, the share of {labels[1]!r}; got {value!r}; "
                "with one label only there is nothing to find"
            )
        value = [1 - told, told]
    rule = read_prevalence(value, labels)
    if rule.fixed is None:
        raise DataError(
            f"prevalence must be told to this method, which cannot estimate it; got {value!r}; "
            "write 'equal', 'votes' or a share"
        )
    share = share_of_second(rule.fixed)
    balanced = rule.setting == "equal"
    return share, ToldShare(rule.setting, "taken as balanced, not told" if balanced else "told")
