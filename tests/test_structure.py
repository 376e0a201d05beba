"""The shape of the package: no import goes in a circle, rooms stay small, tests mirror the code."""

import ast
from collections import Counter
from pathlib import Path

import networkx
import pytest

ROOT = Path(__file__).parents[1]
PACKAGE, PAPERS, TESTS = ROOT / "algeval", ROOT / "papers" / "algeval_papers", ROOT / "tests"
MOST_MODULES = 25
MOST_LINES = 60
NOT_MIRRORED = {"attack", "benchmarks", "fixtures"}


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
    for node in ast.walk(tree):
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
        tree = ast.parse(path.read_text(encoding="utf-8"))
        graph.add_edges_from((name, other) for other in imports(tree, known) if other != name)
    return graph


def circles(*packages):
    parts = networkx.strongly_connected_components(graph_of(*packages))
    return {frozenset(part) for part in parts if len(part) > 1}


def functions():
    for path in modules().values():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
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
