"""Which name each label found by the algebra should carry: greatest total accuracy, exactly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any

import numpy as np

__all__ = ["best_orders"]

_EXACT_LABELS = 10
_MOST_ORDERS = 1000


def best_orders(weights: Sequence[Sequence[Any]]) -> list[tuple[int, ...]]:
    """Return the injective assignments of components to labels of greatest total weight.

    Parameters
    ----------
    weights : (r, R) numbers, r <= R
        weights[component][label]: total accuracy gained if the component is the label.

    Returns
    -------
    list of tuple
        order[component] = label; every optimum, up to a thousand of them, when the weights are
        exact and R is at most 10, else one found by `scipy.optimize.linear_sum_assignment`.
    """
    r, n_labels = len(weights), len(weights[0])
    if n_labels > _EXACT_LABELS or any(isinstance(w, float) for row in weights for w in row):
        from scipy.optimize import linear_sum_assignment

        rows, columns = linear_sum_assignment(np.array(weights, float), maximize=True)
        return [tuple(int(c) for c in columns[np.argsort(rows)])]

    @cache
    def most(component: int, taken: int) -> Any:
        if component == r:
            return 0
        return max(
            weights[component][label] + most(component + 1, taken | 1 << label)
            for label in range(n_labels)
            if not taken >> label & 1
        )

    def trace(component: int, taken: int) -> Iterator[tuple[int, ...]]:
        if component == r:
            yield ()
            return
        for label in range(n_labels):
            if taken >> label & 1:
                continue
            after = taken | 1 << label
            if weights[component][label] + most(component + 1, after) == most(component, taken):
                yield from ((label, *rest) for rest in trace(component + 1, after))

    return list(islice(trace(0, 0), _MOST_ORDERS))
