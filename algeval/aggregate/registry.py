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
    "majority": ("majority:majority", "majority:predict"),
    "weighted-majority": ("weighted_majority:weighted_majority", "naive_bayes:predict"),
    "recommended": ("recommended:recommended", "recommended:predict"),
    "dawid-skene": ("dawid_skene:dawid_skene", "naive_bayes:predict"),
    "ising": ("ising:ising", "ising:predict"),
    "ising-class-dependent": ("ising:ising_class_dependent", "ising:predict"),
    "log-linear": ("log_linear:log_linear", "log_linear:predict"),
    "factor": ("factor:factor", "factor:predict"),
    "one-coin": ("one_coin:one_coin", "naive_bayes:predict"),
    "triplets": ("triplets:triplets", "naive_bayes:predict"),
    "glad": ("glad:glad", "glad:predict"),
    "mace": ("mace:mace", "naive_bayes:predict"),
    "curie-weiss": ("curie_weiss:curie_weiss", "curie_weiss:predict"),
    "ising-pseudolikelihood-study": (
        "ising_study:ising_pseudolikelihood_study",
        "ising_study:predict",
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
