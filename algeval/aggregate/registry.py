"""Which aggregators there are, where they live, and which settings each of them takes.

A method is two functions in one module: ``fit(data, *, ...) -> Aggregation``, whose keyword-only
parameters are its settings, and ``predict(result, codes) -> (rows, R)``, which reads the fitted
parameters back from the result alone.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any

from algeval.errors import DataError

__all__ = ["METHODS", "method", "predictor", "settings_of"]

METHODS: dict[str, tuple[str, str]] = {
    "majority": ("methods.majority:majority", "methods.majority:predict"),
    "weighted-majority": ("methods.weighted_majority:weighted_majority", "naive_bayes:predict"),
    "recommended": ("methods.recommended:recommended", "methods.recommended:predict"),
    "dawid-skene": ("methods.dawid_skene:dawid_skene", "naive_bayes:predict"),
    "ising": ("methods.ising:ising", "methods.ising:predict"),
    "ising-class-dependent": ("methods.ising:ising_class_dependent", "methods.ising:predict"),
    "log-linear": ("methods.log_linear:log_linear", "methods.log_linear:predict"),
    "factor": ("methods.factor:factor", "methods.factor:predict"),
    "one-coin": ("methods.one_coin:one_coin", "naive_bayes:predict"),
    "triplets": ("methods.triplets:triplets", "naive_bayes:predict"),
    "glad": ("methods.glad:glad", "methods.glad:predict"),
    "mace": ("methods.mace:mace", "naive_bayes:predict"),
    "curie-weiss": ("methods.curie_weiss:curie_weiss", "methods.curie_weiss:predict"),
    "ising-pseudolikelihood-study": (
        "methods.ising_study:ising_pseudolikelihood_study",
        "methods.ising_study:predict",
    ),
}
"""{name: (where to fit, where to predict)}, both as "module:function" inside this package."""


def method(name: str) -> Callable[..., Any]:
    """Return the function that fits the method of this name."""
    return _load(_entry(name)[0])


def predictor(name: str) -> Callable[..., Any]:
    """Return the function that gives posteriors of new votes under a result of this method."""
    return _load(_entry(name)[1])


def settings_of(name: str) -> tuple[str, ...]:
    """Return the names of the settings a method takes."""
    parameters = inspect.signature(method(name)).parameters.values()
    return tuple(p.name for p in parameters if p.kind is p.KEYWORD_ONLY)


def _entry(name: str) -> tuple[str, str]:
    if name not in METHODS:
        raise DataError(f"method {name!r} is not known; choose from {sorted(METHODS)}")
    return METHODS[name]


def _load(place: str) -> Callable[..., Any]:
    module, function = place.split(":")
    found: Callable[..., Any] = getattr(import_module(f"algeval.aggregate.{module}"), function)
    return found
