"""Let a module be called like the function it is named after.

``algeval.report`` is both a package and the function everybody wants from it.
Importing the package binds its name on ``algeval``, so the module itself must answer the call, and
look like the function: to ``help``, to ``inspect.signature``, and to ``pickle``, which sends it to
other processes by name.
"""

import inspect
import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

__all__ = ["make_callable"]


class _CallableModule(ModuleType):
    """A module that stands for the function named in ``__call_target__``."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return getattr(self, self.__call_target__)(*args, **kwargs)

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(getattr(self, self.__call_target__))

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        """The function's, or the module's own as long as that is still being imported."""
        shown = self.__dict__.get(self.__call_target__)
        own: str | None = self.__dict__["__doc__"]
        return own if shown is None else shown.__doc__

    def __reduce__(self) -> tuple[Callable[[str], ModuleType], tuple[str]]:
        return import_module, (self.__name__,)


def make_callable(module: str, function: str) -> None:
    """Make calling the module named `module` the same as calling its `function`."""
    target = sys.modules[module]
    target.__dict__["__call_target__"] = function
    target.__class__ = _CallableModule
