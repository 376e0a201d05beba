"""Names of a package that load on first use, so that importing it stays fast."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module

__all__ = ["homes", "on_first_use"]


def homes(names: Mapping[str, str]) -> dict[str, str]:
    """Return where each name lives, from the names of each module, separated by blanks.

    Examples
    --------
    >>> homes({"plan": "LabelPlan plan"})
    {'LabelPlan': 'plan', 'plan': 'plan'}
    """
    return {name: home for home, listed in names.items() for name in listed.split()}


def on_first_use(
    package: str, home: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return the ``__getattr__`` and ``__dir__`` of a package whose names live in modules below it."""

    def find(name: str) -> object:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{home[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    def known() -> list[str]:
        own = vars(sys.modules[package])
        return sorted({*own["__all__"], *(name for name in own if name.startswith("__"))})

    return find, known
