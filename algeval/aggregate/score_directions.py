"""Which direction among several factors is taken for the consensus, and what that asserts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from algeval.aggregate import policy
from algeval.aggregate.results import Floats
from algeval.aggregate.score_attributes import attribute_names, numeric_attribute
from algeval.aggregate.score_kernels.factors import FactorLaw, FactorPosterior
from algeval.aggregate.score_kernels.normal_scores import NormalScores
from algeval.aggregate.score_kernels.rotation import varimax
from algeval.data import Scores
from algeval.errors import DataError
from algeval.result.wording import how_many

__all__ = ["Direction", "Sought", "directions", "without_attribute"]


@dataclass(frozen=True, slots=True, eq=False)
class Sought:
    """What was asked to be taken out, or nothing.

    Attributes
    ----------
    rotate : bool
    attribute : str or None
    ranks : (n_items,) array or None
        Normal scores of the attribute, NaN where it is not known.
    anchors : (n_items,) array or None
        Known scores, NaN elsewhere.
    """

    rotate: bool
    attribute: str | None
    ranks: Floats | None
    anchors: Floats | None

    @classmethod
    def of(
        cls,
        data: Scores,
        rotate: str | None,
        discount: str | None,
        attributes: Mapping[str, Sequence[Any]] | None,
        anchors: Floats | None,
    ) -> Self:
        """Read the settings, or say what is wrong with them."""
        if rotate is not None and anchors is not None:
            known = anchors[~np.isnan(anchors)]
            if len(known) < policy.CHOOSING_ANCHORS or np.ptp(known) == 0:
                raise DataError(
                    f"anchors must be at least {policy.CHOOSING_ANCHORS} scores, not all alike, to choose a "
                    f"factor; got {known.tolist()}; give more, or leave out rotate"
                )
        if rotate is not None and discount is not None:
            raise DataError(
                "rotate and discount must not both be given: each takes one direction out; got "
                f"{rotate!r} and {discount!r}; choose one"
            )
        name = None if discount is None else _named(data, discount, attributes)
        if name is None:
            return cls(rotate is not None, None, None, anchors)
        numbers = numeric_attribute(data, name, attributes)[:, None]
        known = numbers[~np.isnan(numbers)]
        if len(known) < 3 or np.ptp(known) == 0:
            raise DataError(
                f"attribute {name!r} must vary over the items to be discounted; it does not; leave it out"
            )
        ranks = NormalScores.of(numbers).transform(numbers)[:, 0]
        return cls(rotate is not None, name, ranks, anchors)


def _named(data: Scores, discount: str, attributes: Mapping[str, Sequence[Any]] | None) -> str:
    names = attribute_names(data, attributes)
    if not isinstance(discount, str):
        raise DataError(
            f"discount must name one attribute of {names}; got {discount!r}; write its name"
        )
    if discount != "attribute" or discount in names:
        return discount
    given = list(attributes or names)
    if len(given) != 1:
        raise DataError(
            f"discount must name one attribute of {given}; got 'attribute'; write for example "
            f"discount={(given or ['length'])[0]!r}"
        )
    return given[0]


@dataclass(frozen=True, slots=True, eq=False)
class Direction:
    """The direction taken.

    Attributes
    ----------
    turn : (k, k) array
        Orthogonal; its first column is the consensus, the others what is left.
    what : str
        What it is, for the message.
    act, asserts : str
        What was asked, and what whoever asks says is true.
    one_factor : bool
        Whether one factor was preferred to all of them.
    """

    turn: Floats
    what: str
    act: str
    asserts: str
    one_factor: bool = False


def directions(
    sought: Sought, found: FactorPosterior, one: Floats, law: FactorLaw
) -> Direction | None:
    """Return the direction that was sought, or None where nothing was.

    Parameters
    ----------
    sought : Sought
    found : FactorPosterior
        Of the items' factors.
    one : (n_items,) array
        The consensus of one factor.
    law : FactorLaw
    """
    if sought.ranks is not None:
        turn = without_attribute(found.mean, one, sought.ranks)
        turn[:, 1:] *= np.where((law.standard_loading @ turn[:, 1:]).sum(axis=0) < 0, -1.0, 1.0)
        return Direction(
            turn,
            f"what goes with one factor but not with {sought.attribute}",
            f"discount={sought.attribute!r}",
            f"{sought.attribute} is no part of what you mean, and items that differ in it do not differ "
            "in quality because of it",
        )
    if not sought.rotate:
        return None
    turn = varimax(law.standard_loading).turn
    if sought.anchors is None:
        return Direction(
            turn,
            "the varimax factor that most judges share",
            "rotate='varimax'",
            "what few judges share with one another, beyond what most share, is no part of what you mean",
        )
    return _anchored(sought.anchors, found.mean @ turn, one, turn)


def _anchored(anchors: Floats, means: Floats, one: Floats, turn: Floats) -> Direction:
    """Return the turned factor, or one factor, that goes with the anchors most."""
    known = ~np.isnan(anchors)
    candidates = {"one factor": one}
    candidates |= {f"varimax factor {k + 1}": means[:, k] for k in range(means.shape[1])}
    with_anchors = {n: _correlation(c[known], anchors[known]) for n, c in candidates.items()}
    best = max(with_anchors, key=lambda name: with_anchors[name])
    n = int(known.sum())
    told = ", ".join(f"{name} {r:.2f}" for name, r in with_anchors.items())
    place = 0 if best == "one factor" else int(best.split()[-1]) - 1
    order = [place, *(k for k in range(means.shape[1]) if k != place)]
    return Direction(
        turn[:, order],
        f"{best}, which goes with the {how_many(n, 'anchor')} most ({told})",
        f"rotate='varimax' with {how_many(n, 'anchor')}",
        "the anchors are right, and their items are like the others",
        one_factor=best == "one factor",
    )


def without_attribute(means: Floats, one: Floats, ranks: Floats) -> Floats:
    """Return a (k, k) turn whose first axis goes with `one` and is uncorrelated with an attribute.

    Among directions w of the factor means F with cov(F w, attribute) = 0 it is the one whose F w
    correlates most with `one`.

    Parameters
    ----------
    means : (n, k) array, k at least 2
    one : (n,) array
    ranks : (n,) array
        The attribute, NaN where it is not known; those items are left out.

    Examples
    --------
    >>> f = np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]])
    >>> without_attribute(f, f @ [0.8, 0.6], f[:, 1])[:, 0].round(6).tolist()
    [1.0, 0.0]
    """
    known = ~np.isnan(ranks)
    centred = means[known] - means[known].mean(axis=0)
    size = centred.T @ centred
    aim = np.linalg.solve(size, centred.T @ (one[known] - one[known].mean()))
    against = centred.T @ (ranks[known] - ranks[known].mean())
    leaning = np.linalg.solve(size, against)
    left = aim - leaning * float(against @ aim) / float(against @ leaning)
    first = left / np.linalg.norm(left)
    basis = np.linalg.qr(np.column_stack([first, np.eye(len(first))]))[0][:, : len(first)]
    basis[:, 0] = first
    return basis


def _correlation(x: Floats, y: Floats) -> float:
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return 0.0
    return float(np.corrcoef(x, y)[0, 1])
