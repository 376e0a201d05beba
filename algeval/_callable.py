"""Let a module be called like the function it is named after.

``algeval.report`` is both a package and the function everybody wants from it.
Importing the package binds its name on ``algeval``, so the module itself must answer the call.
"""

import sys
from types import ModuleType
from typing import Any

__all__ = ["make_callable"]


class _CallableModule(ModuleType):
    """A module whose call is forwarded to the function named in ``__call_target__``."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return getattr(self, self.__call_target__)(*args, **kwargs)


def make_callable(module: str, function: str) -> None:
    """Make calling the module named `module` the same as calling its `function`."""
    target = sys.modules[module]
    target.__dict__["__call_target__"] = function
    target.__class__ = _CallableModule
