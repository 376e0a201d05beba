"""Names and functions that load on first use, so that importing the package stays fast.

Nothing else in the package imports by name: what a table here says is loaded is loaded here.
"""

import sys
import warnings
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

__all__ = ["homes", "load", "on_first_use", "provided", "submodule"]

provided: dict[str, Callable[..., Any]] = {}
"""Functions of higher layers that a lower one calls, by name; the front of the package puts them here."""


@cache
def load(package: str, entry: str) -> Callable[..., Any]:
    """Function that a table of the package names as "module:function".

    Examples
    --------
    >>> load("algeval", "_lazy:homes") is homes
    True
    """
    module, name = entry.split(":")
    function: Callable[..., Any] = getattr(submodule(package, module), name)
    return function


def submodule(package: str, name: str) -> ModuleType:
    """Module of a package."""
    return import_module(f"{package}.{name}")


def homes(names: Mapping[str, str]) -> dict[str, str]:
    """Module of each name, from the names in each module, separated by blanks.

    Examples
    --------
    >>> homes({"plan": "LabelPlan plan"})
    {'LabelPlan': 'plan', 'plan': 'plan'}
    """
    return {name: home for home, listed in names.items() for name in listed.split()}


def on_first_use(
    package: str, home: Mapping[str, str], moved: Mapping[str, str] | None = None
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package whose names live in modules below it.

    Names in `moved` live in the module named there, and a warning says so.
    """

    def find(name: str) -> object:
        if moved and name in moved:
            here, there = f"{package}.{name}", f"{moved[name]}.{name}"
            text = f"{here} has moved and will be removed: use {there}"
            warnings.warn(text, DeprecationWarning, stacklevel=2)
            return getattr(import_module(moved[name]), name)
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{home[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        own = vars(sys.modules[package])
        return sorted({*own["__all__"], *(name for name in own if name.startswith("__"))})

    return find, names
