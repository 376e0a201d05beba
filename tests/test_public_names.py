"""The package's face: names, import time, and imports that stay away until they are needed."""

import subprocess
import sys

import pytest

import algeval as ae

HEAVY = ["numpy", "scipy", "sympy", "pulp", "networkx", "matplotlib", "duckdb", "narwhals", "flint"]


@pytest.mark.parametrize("name", ae.__all__)
def test_every_public_name_loads_and_is_documented(name):
    value = getattr(ae, name)
    assert value.__doc__
    assert name in dir(ae)


def test_unknown_names_are_attribute_errors():
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        ae.nothing  # noqa: B018


def run(code, *options):
    return subprocess.run(
        [sys.executable, *options, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_import_needs_the_standard_library_only():
    run("import algeval, algeval.verify; algeval.verify.verify", "-S")
    code = f"import algeval, sys; print([m for m in {HEAVY} if m in sys.modules])"
    assert run(code) == "[]"


@pytest.mark.parametrize("name", ["aggregate", "compare", "report", "verify"])
def test_a_module_named_like_its_function_can_be_called(name):
    code = (
        f"import algeval as ae, algeval.{name}; "
        f"print(callable(ae.{name}), ae.{name}.__name__, callable(ae.{name}.{name}))"
    )
    assert run(code) == f"True algeval.{name} True"
