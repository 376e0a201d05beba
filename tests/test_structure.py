"""The shape of the package: no import goes in a circle, rooms stay small, tests mirror the code."""

import ast
from collections import Counter
from functools import cache
from pathlib import Path

import networkx
import pytest

ROOT = Path(__file__).parents[1]
PACKAGE, PAPERS, TESTS = ROOT / "algeval", ROOT / "papers" / "algeval_papers", ROOT / "tests"
MOST_MODULES = 25
MOST_LINES = 60
BY_NAME = {
    *("import_module", "__import__", "spec_from_file_location", "run_module", "run_path"),
    *("find_loader", "exec_module", "load_module"),
}
MAY_IMPORT_BY_NAME = {
    "algeval": "the table of public names",
    "algeval._lazy": "tables of names, of methods, of figures and of commands",
    "algeval._moved": "the table of old paths",
    "algeval._callable": "pickles a module as its own name",
    "algeval.verify": "the same; and loads its other half from beside itself, wherever both were copied",
}
NOT_MIRRORED = {"attack", "benchmarks", "fixtures"}


@cache
def text_of(path):
    return path.read_text(encoding="utf-8")


@cache
def tree_of(path):
    return ast.parse(text_of(path))


@cache
def nodes_of(tree):
    """Return the nodes of a tree, walked once for all tests."""
    return tuple(ast.walk(tree))


def name_of(path, root=ROOT):
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def modules(*packages):
    return {
        name_of(path, package.parent): path
        for package in packages or (PACKAGE, PAPERS)
        for path in sorted(package.rglob("*.py"))
    }


def imports(tree, known):
    """Yield the modules of the package that a file imports, wherever in it that is written."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Import):
            yield from (part.name for part in node.names if part.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            for part in node.names:
                inner = f"{node.module}.{part.name}"
                yield inner if inner in known else node.module


def graph_of(*packages):
    known = modules(*packages)
    graph = networkx.DiGraph()
    for name, path in known.items():
        tree = tree_of(path)
        graph.add_edges_from((name, other) for other in imports(tree, known) if other != name)
    return graph


def circles(*packages):
    parts = networkx.strongly_connected_components(graph_of(*packages))
    return {frozenset(part) for part in parts if len(part) > 1}


def functions():
    for path in modules().values():
        for node in nodes_of(tree_of(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{path.relative_to(ROOT)}:{node.name}", node


def length(node):
    """Return the lines of a function's body, its docstring left out."""
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    if len(body) == 1 and isinstance(getattr(body[0], "value", None), ast.Tuple | ast.List):
        return 1  # a table that is written down: no steps to follow
    return body[-1].end_lineno - body[0].lineno + 1 if body else 0


def test_no_import_goes_in_a_circle():
    assert graph_of().number_of_edges() > 500
    assert not circles()


@pytest.mark.parametrize(
    "place",
    ["{}", "def f():\n    {}", "if TYPE_CHECKING:\n    {}"],
    ids=["top", "in a function", "for types"],
)
def test_a_circle_is_found_wherever_the_import_stands(tmp_path, place):
    package = tmp_path / "toy"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "one.py").write_text(place.format("from toy.two import x"))
    (package / "two.py").write_text(place.format("from toy import one"))
    (package / "three.py").write_text("import toy.one")
    assert circles(package) == {frozenset({"toy.one", "toy.two"})}


def imports_by_name(tree):
    """Yield the lines that import a module by its name in a string, or hand the means to do so on."""
    for node in nodes_of(tree):
        names = []
        if isinstance(node, ast.Name | ast.Attribute):
            names = [node.id if isinstance(node, ast.Name) else node.attr]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("importlib"):
            names = [part.name for part in node.names]
        if BY_NAME.intersection(names):
            yield node.lineno


def test_modules_are_imported_by_statements_which_tools_can_see():
    trees = {name: tree_of(path) for name, path in modules().items()}
    hidden = {name: lines for name, tree in trees.items() if (lines := [*imports_by_name(tree)])}
    assert set(hidden) == set(MAY_IMPORT_BY_NAME)


@pytest.mark.parametrize(
    "text",
    [
        "from importlib import import_module\nimport_module('algeval.report')",
        "from importlib import import_module as load",
        "import importlib\nimportlib.import_module('algeval.report')",
        "__import__('algeval.report')",
        "f = __import__",
        "import importlib.util as u\nu.spec_from_file_location('a', 'b')",
        "import runpy\nrunpy.run_module('algeval.report')",
    ],
)
def test_an_import_by_name_is_seen(text):
    assert [*imports_by_name(ast.parse(text))]


def test_a_table_of_functions_names_functions_below_its_package():
    """What `load` of `_lazy` is handed: the package is written out, and is the caller's own."""
    calls = [
        (name, node)
        for name, path in modules().items()
        for node in (nodes_of(tree_of(path)) if "_lazy import" in text_of(path) else ())
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"load", "submodule"}
        if name != "algeval._lazy"
    ]
    packages = {
        (name, ast.unparse(node.args[0]).strip("'") if node.args else "") for name, node in calls
    }
    assert packages
    for name, package in packages:
        assert package == "__name__" or name.startswith(f"{package}."), (name, package)


def test_no_folder_holds_too_many_modules():
    rooms = Counter(path.parent for path in modules().values() if path.name != "__init__.py")
    crowded = {str(room): n for room, n in rooms.items() if n > MOST_MODULES}
    assert not crowded


def test_no_function_is_too_long_to_read():
    long = {name: length(node) for name, node in functions() if length(node) > MOST_LINES}
    assert not long


def test_the_docstring_of_a_function_does_not_count():
    text = 'def f():\n    """One.\n\n    Two.\n    """\n    x = 1\n    return x\n'
    assert length(ast.parse(text).body[0]) == 2


def test_a_table_that_a_function_returns_does_not_count_and_its_making_does():
    table = "def f():\n    return (\n        1,\n        2,\n    )\n"
    made = "def f():\n    return g(\n        1,\n        2,\n    )\n"
    assert length(ast.parse(table).body[0]) == 1
    assert length(ast.parse(made).body[0]) == 4


def test_every_test_folder_mirrors_the_package():
    """A folder of tests has the name of a folder or module of the package, or of the papers beside it."""
    folders = {path.parent.relative_to(TESTS) for path in TESTS.rglob("test_*.py")} - {Path()}
    strange = [
        str(folder)
        for folder in folders
        if folder.parts[0] not in {*NOT_MIRRORED, PAPERS.parent.name}
        and not (PACKAGE / folder.parts[0]).is_dir()
        and not (PACKAGE / folder.parts[0]).with_suffix(".py").is_file()
    ]
    assert folders
    assert not strange
