"""E.9 and E.10: sweeps of a confounder, and views along the graph, on planted judges."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from algeval.aggregate import aggregate
from algeval.aggregate.scores.care_tensor import fit_states, searched, view_moments
from algeval.models.gaussian_states import (
    GaussianStates,
    second_order_insufficient,
    second_order_sufficient,
)
from algeval.replicate.care.designs import grouped, table_of
from algeval.replicate.claim import Claim
from algeval.replicate.computed import fact

__all__ = ["synthetic"]

ITEMS = 2000
STRENGTHS = (0.25, 0.5, 1.0)


def synthetic() -> tuple[Claim, ...]:
    """Return the claims in the order of the appendix."""
    return (*_of_the_sweeps(), *_of_the_views())


@cache
def _share_right(design: Callable[[float], GaussianStates], strength: float, method: str) -> float:
    """Return the share of items on the right side of the median, whichever way round."""
    law = design(strength)
    states, values = law.sample(ITEMS, 0)
    scores = table_of(values)
    setting = {"tol": 1e-6} if method == "care-svd" else {}
    traits = aggregate(scores, method, **setting).item_traits
    right = float(((traits > np.median(traits)) == states // 2).mean())
    return max(right, 1 - right)


def _row(design: Callable[[float], GaussianStates], method: str) -> list[float]:
    return [_share_right(design, strength, method) for strength in STRENGTHS]


def _told(**rows: list[float]) -> str:
    return "; ".join(f"{name} {', '.join(f'{x:.2f}' for x in row)}" for name, row in rows.items())


def _sufficient_svd() -> tuple[str, bool]:
    found = _row(second_order_sufficient, "care-svd")
    return _told(**{"CARE-SVD": found}), min(found) > 0.95


def _sufficient_average() -> tuple[str, bool]:
    found = _row(second_order_sufficient, "average")
    return _told(average=found), found[-1] < found[0] - 0.05 < found[0]


def _insufficient_baselines() -> tuple[str, bool]:
    found = _row(second_order_insufficient, "average")
    return _told(average=found), found[0] > 0.85 and found[-1] < 0.6


def _insufficient_svd() -> tuple[str, bool]:
    found = _row(second_order_insufficient, "care-svd")
    return _told(**{"CARE-SVD": found}), found[0] > 0.9 and found[-1] < 0.6


def _tensor(named_by: str, together: float) -> float:
    """Return the accuracy of the states at strength 1, one judge a view seeing Q and C `together`.

    Views are given; states are named by 300 labelled items, or along the leading direction.
    """
    plain = second_order_insufficient(1.0)
    means = plain.means.copy()
    means[:, [7, 15, 23]] += together * np.array([1.0, -1, -1, 1])[:, None]
    states, values = GaussianStates(plain.shares, means).sample(4000, 0)
    views = [list(map(str, range(8 * v, 8 * v + 8))) for v in range(3)]
    scores = table_of(values)
    labels = {str(k): int(states[k] // 2) for k in range(300)}
    told: dict[str, Any] = {"anchors": labels} if named_by == "anchors" else {"named_by": named_by}
    found = aggregate(scores, "care-tensor", n_states=4, views=views, **told)
    return float(((found.decisions == 1) == states // 2)[300:].mean())


def _tensor_by_labels() -> tuple[str, bool]:
    added, joined = _tensor("anchors", 0.0), _tensor("anchors", 0.5)
    told = f"{added:.2f} right at strength 1 where Q and C add, {joined:.2f} where they also do more together"
    return told, 0.9 < added < joined


def _tensor_without_labels() -> tuple[str, bool]:
    right = _tensor("leading", 0.5)
    return f"CARE-Tensor {right:.2f} right at strength 1", abs(right - 0.5) < 0.1


def _of_the_sweeps() -> tuple[Claim, ...]:
    own = "the design's means are not printed: amplitudes of our own; strengths .25, .5, 1"
    staged: dict[str, Any] = {
        "verdict": "re-staged",
        "tolerance": "2,000 seeded items, standard error at most .011",
        "note": own,
    }
    return (
        Claim(
            id="002-E.9.1-svd",
            place="E.9.1, Figure 6a",
            printed="where pairs still show quality, CARE-SVD keeps its accuracy as the confounder grows",
            compute=fact(_sufficient_svd),
            **staged,
        ),
        Claim(
            id="002-E.9.1-average",
            place="E.9.1, Figure 6a",
            printed="where pairs still show quality, averages fall as the confounder grows",
            compute=fact(_sufficient_average),
            **staged,
        ),
        Claim(
            id="002-E.9.2-baselines",
            place="E.9.2, Figure 6b",
            printed="where the confounder is what pairs show, averages fall towards chance",
            compute=fact(_insufficient_baselines),
            **staged,
        ),
        Claim(
            id="002-E.9.2-svd",
            place="E.9.2, Figure 6b",
            printed="where the confounder is what pairs show, CARE-SVD falls to chance",
            compute=fact(_insufficient_svd),
            **staged,
        ),
        Claim(
            id="002-E.9.2-tensor",
            place="E.9.2, Figure 6b",
            printed="CARE-Tensor, its states named by a small labelled set, stays high",
            verdict="re-staged",
            compute=fact(_tensor_by_labels),
            tolerance="above .9; 3,700 seeded items, standard error .004",
            note="means and views of our own; where Q and C add the search does not settle, as the "
            "states are not unique "
            "(002-E.9.2-unique)",
        ),
        Claim(
            id="002-E.9.2-named",
            place="sections 1 and 3.3, E.9.2",
            printed="confounders are separated without labels, by the leading eigenvector",
            verdict="conditional",
            compute=fact(_tensor_without_labels),
            tolerance="3,700 seeded items, standard error .008",
            note="not here: named by the leading direction the same states are at chance; the experiment "
            "used labels",
        ),
    )


DESIGNS = 5


def _error(seed: int, views: Any) -> float:
    """Return the error of the means with the true views, or with those that a rule finds in the scores."""
    design = grouped(seed, 10_000)
    chosen = design.views if views is None else views(design.values, np.random.default_rng(seed))
    found = fit_states(view_moments(design.values, chosen), 4, np.random.default_rng(0))
    return design.error(found.means)


@cache
def _known() -> list[float]:
    return [_error(seed, None) for seed in range(DESIGNS)]


def _at_random(_: Any, rng: np.random.Generator) -> Any:
    return rng.permutation(np.repeat(range(3), 4))


def _by_precision(values: Any, rng: np.random.Generator) -> Any:
    return searched(np.linalg.inv(np.corrcoef(values.T)), rng)[0].views


def _graph_against_random() -> tuple[str, bool]:
    random = float(np.median([_error(seed, _at_random) for seed in range(DESIGNS)]))
    known = float(np.median(_known()))
    return (
        f"median error {known:.2f} with true views, {random:.2f} with random ones",
        random > 10 * known,
    )


def _empirical_precision() -> tuple[str, bool]:
    found = [_error(seed, _by_precision) for seed in range(DESIGNS)]
    good = sum(error < 2 * known for error, known in zip(found, _known(), strict=True))
    told = ", ".join(f"{x:.2f}" for x in found)
    return (
        f"errors {told}: as good as true views in {good} of {DESIGNS} designs",
        0 < good < DESIGNS,
    )


def _of_the_views() -> tuple[Claim, ...]:
    own = "5 seeded designs of 10,000 items; means, density and number of items are not printed: our own"
    return (
        Claim(
            id="002-E.10",
            place="E.10, Figure 8",
            printed="views along the graph miss the means by less than a tenth of what random views do",
            verdict="re-staged",
            compute=fact(_graph_against_random),
            tolerance="5 seeded designs of 10,000 items",
            note="means, density and number of items are not printed: our own",
        ),
        Claim(
            id="002-E.10-empirical",
            place="E.10",
            printed="views are found by the fewest links across them in the empirical precision",
            verdict="conditional",
            compute=fact(_empirical_precision),
            tolerance=own,
            note="in some designs: the latents link judges of different views there; the split's sparse part "
            "is meant",
        ),
    )
