"""The package's face: names, import time, and imports that stay away until they are needed."""

import copy
import inspect
import multiprocessing
import pickle
import pydoc
import resource
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from pathlib import Path

import pytest

import algeval as ae

CALLED = ["aggregate", "compare", "report", "verify"]
MOVED = ["axioms", "half_votes", "if_others", "members", "multiplicities", "windows"]
MODULES = ["algebra", "budgets", "data", "figures", "io", "logic", "models"]
NAMES = Path(__file__).parent / "fixtures" / "public_names.txt"
HOMES = [
    "aggregate",
    "algebra",
    "budgets",
    "compare",
    "data",
    "errors",
    "io",
    "logic",
    "report",
    "result",
]
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


def test_a_first_report_loads_nothing_that_takes_half_a_second():
    slow = ["scipy.stats", "sympy", "networkx", "matplotlib", "pandas", "polars", "pyarrow"]
    slow += ["sklearn", "dask", "ibis", "pyspark", "flask", "algeval.label"]
    report = "import algeval as ae, sys; ae.report(ae.example('support-bot'), intervals=0)"
    assert run(f"{report}; print([m for m in {slow} if m in sys.modules])") == "[]"


def imported(code):
    """Microseconds until each module is loaded, with what it loads itself."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", code], capture_output=True, text=True, check=True
    )
    lines = (line.split("|") for line in done.stderr.splitlines() if "|" in line)
    return {name.strip(): int(took) for _, took, name in lines if took.strip().isdigit()}


def test_loading_the_report_keeps_to_its_budget():
    """No more than 20 times what numpy takes on the same machine; 7 to 12 were measured."""
    slow = {f"scipy.{name}" for name in ("optimize", "cluster", "fft", "linalg", "spatial")}

    def within():
        took = imported("import numpy, algeval.report.build")
        assert not slow & took.keys()
        return took["algeval.report.build"] < 20 * took["numpy"]

    assert any(within() for _ in range(3))


@pytest.mark.parametrize("name", CALLED)
def test_a_module_named_like_its_function_can_be_called(name):
    code = (
        f"import algeval as ae, algeval.{name}; "
        f"print(callable(ae.{name}), ae.{name}.__name__, callable(ae.{name}.{name}))"
    )
    assert run(code) == f"True algeval.{name} True"


@pytest.mark.parametrize("name", CALLED)
def test_a_callable_module_looks_like_its_function(name):
    module = getattr(ae, name)
    function = getattr(module, name)
    assert inspect.signature(module) == inspect.signature(function)
    assert "data" in inspect.signature(module).parameters
    assert module.__doc__ == function.__doc__
    assert function.__doc__.splitlines()[0] in pydoc.render_doc(module, renderer=pydoc.plaintext)


@pytest.mark.parametrize("name", CALLED)
def test_a_callable_module_is_copied_and_pickled_as_itself(name):
    module = getattr(ae, name)
    assert pickle.loads(pickle.dumps(module)) is module
    assert copy.copy(module) is module
    assert copy.deepcopy({"call": module})["call"] is module


def test_callable_modules_go_to_other_processes():
    sketch = ae.Sketch.from_counts({"aab": 5, "bbb": 7, "aba": 2})
    certificate = ae.alarm(sketch, "0.6", order=1).certificate
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        there = pool.submit(ae.aggregate, sketch, "majority").result()
        verdict = pool.submit(ae.verify, certificate, sketch).result()
    assert there.to_dict() == ae.aggregate(sketch, "majority").to_dict()
    assert verdict


def test_a_half_imported_callable_module_keeps_its_own_help():
    code = (
        "import sys, types; from algeval._callable import make_callable; "
        "sys.modules['half'] = m = types.ModuleType('half', 'own words'); "
        "make_callable('half', 'half'); print(m.__doc__)"
    )
    assert run(code) == "own words"


def test_public_names_are_the_same_objects_whatever_was_imported_before():
    """`ae.prove` was a function or a module, depending on what had been imported."""
    load = (
        "import pkgutil, importlib, algeval; "
        "[importlib.import_module(m.name) for m in pkgutil.walk_packages(algeval.__path__, 'algeval.')"
        " if not m.name.endswith('__main__')]; "
    )
    show = (
        "import algeval as ae; "
        "print([(n, type(v := getattr(ae, n)).__name__, getattr(v, '__module__', ''), "
        "getattr(v, '__qualname__', v)) for n in ae.__all__])"
    )
    assert run(load + show) == run(show)
    assert "('prove', 'function'" in run(show)


def public_names():
    """Return every public name by where it is public, a line each."""
    homes = ["algeval", *(f"algeval.{home}" for home in HOMES), "algeval_papers"]
    names = {home: {*import_module(home).__all__} for home in homes}
    names["algeval"] |= {"next"}  # a star import leaves it out
    return [f"{home}.{name}" for home in homes for name in sorted(names[home])]


def test_the_public_names_are_those_on_file():
    """After a change that is meant: ``python tests/test_public_names.py`` and a line in the changelog."""
    assert public_names() == NAMES.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", MOVED)
def test_a_name_that_moved_says_where_to_and_works(name):
    with pytest.warns(
        DeprecationWarning, match=rf"algeval\.{name} has moved .* algeval\.logic\.{name}"
    ):
        old = getattr(ae, name)
    assert old is getattr(ae.logic, name)
    assert name not in ae.__all__
    assert name not in dir(ae)


def test_the_warning_points_at_the_line_that_used_the_old_name():
    with pytest.warns(DeprecationWarning, match="algeval.logic.members") as caught:
        ae.members  # noqa: B018
    assert caught[0].filename == __file__


@pytest.mark.parametrize("name", MODULES)
def test_modules_load_on_first_use_and_complete(name):
    code = f"import algeval as ae; print([n for n in dir(ae.{name}) if n[0] != '_'])"
    shown = run(code)
    first = {"algebra": "decode", "data": "Votes", "figures": "draw", "io": "read_votes"}
    assert (
        repr(first.get(name, {"logic": "alarm", "models": "ising", "budgets": "plan"}.get(name)))
        in shown
    )
    assert "Any" not in shown


def test_a_model_loads_on_first_use():
    assert run("import algeval as ae; print(ae.models.ising.Ising.__name__)") == "Ising"
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        ae.models.nothing  # noqa: B018


@pytest.mark.parametrize("name", CALLED)
def test_a_callable_module_completes_to_its_public_names(name):
    shown = set(dir(getattr(ae, name)))
    assert name in shown
    assert not shown & {"Any", "TYPE_CHECKING", "import_module", "replace"} or name == "verify"


@pytest.mark.parametrize(("new", "old"), [("versus", "compare_systems"), ("next", "next_items")])
def test_a_function_with_two_names_is_one_that_says_the_old_name(new, old):
    assert getattr(ae, new) is getattr(ae, old)
    assert getattr(ae, new).__name__ == new
    assert f"`{old}`, the old" in " ".join(getattr(ae, new).__doc__.split())
    assert pickle.loads(pickle.dumps(getattr(ae, new))) is getattr(ae, new)


def test_a_star_import_leaves_the_next_of_python():
    for module in ("algeval", "algeval.rates"):
        assert run(f"from {module} import *; print(next(iter([7])))") == "7"


def test_nothing_of_the_machinery_is_a_name_of_the_package():
    plain = {name for name in vars(ae) if not name.startswith("_")}
    run("import algeval; assert {n for n in vars(algeval) if n[0] != '_'} == set()")
    assert not plain & {"Any", "TYPE_CHECKING", "import_module"}


def test_import_takes_next_to_no_time():
    """Processor time against bare Python, best of five; 0.1 s is some fifty times what it takes."""

    def used():
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        return spent.ru_utime + spent.ru_stime

    def best(code):
        spent = []
        for _ in range(5):
            start = used()
            run(code, "-S")
            spent.append(used() - start)
        return min(spent)

    assert best("import algeval") - best("pass") < 0.1


def test_dir_shows_public_names_only():
    ae.alarm  # noqa: B018  a name already loaded must not bring others along
    shown = {name for name in dir(ae) if not name.startswith("__")}
    assert shown == {*ae.__all__, "next"}
    assert "__version__" in dir(ae)


if __name__ == "__main__":
    NAMES.write_text("\n".join(public_names()) + "\n", encoding="utf-8")
