"""The one table of methods: reading it loads nothing; compare, diagnose and the guard read it."""

import subprocess
import sys

import pytest

from algeval.aggregate import METHODS
from algeval.aggregate.checks.identified import MODELS
from algeval.aggregate.registry import law_of, method, predictor
from algeval.compare.diagnosis import _independent_methods
from algeval.errors import DataError


def test_reading_the_table_loads_no_method():
    code = (
        "import sys, algeval.aggregate as a; [m.assumes for m in a.METHODS.values()]; "
        "print([m for m in sys.modules if '.methods.' in m or m in ('scipy', 'sympy')])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_the_guard_table_is_that_of_the_records():
    assert {key: model.minimum for key, model in MODELS.items()} == {
        "independent": 3,
        "ising": 4,
        "ising-class-dependent": 5,
        "log-linear": 5,
    }
    assert [model.couplings for model in MODELS.values()] == [0, 1, 2, 1]
    assert MODELS["log-linear"].order == 3


def test_the_advice_names_every_method_that_multiplies_votes():
    told = _independent_methods()
    assert all((repr(m.name) in told) == m.independent for m in METHODS.values())
    assert told.endswith(" or 'mace'")


@pytest.mark.parametrize("look_up", [method, predictor])
def test_unknown_names_are_refused(look_up):
    with pytest.raises(DataError, match="method 'borda' is not known; choose from"):
        look_up("borda")


def test_a_refused_fit_has_no_law():
    from algeval.aggregate import aggregate
    from algeval.data import Sketch

    refused = aggregate(Sketch.from_counts({"ab": 3, "aa": 4}), "dawid-skene")
    with pytest.raises(DataError, match=r"'dawid-skene' holds none \(status not_identifiable\)"):
        law_of(refused)
