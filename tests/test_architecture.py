"""The page on the architecture says what is checked, and names every folder."""

import importlib
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "algeval"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def contracts():
    """Return {package: rows of layers} as import-linter reads them, without optional layers."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return {
        container: [
            names
            for row in contract["layers"]
            if (names := [n.strip() for n in row.split("|") if not n.strip().startswith("(")])
        ]
        for contract in settings["tool"]["importlinter"]["contracts"]
        if contract["type"] == "layers"
        for container in contract["containers"]
    }


def told():
    """Return {package: rows of layers} as the page lists them."""
    block = re.search(r"<!-- layers -->\n```text\n(.*?)```", PAGE, re.DOTALL)[1]
    lines = block.replace(">\n    ", "> ").splitlines()
    return {
        package: [row.split(" | ") for row in rows.split(" > ")]
        for package, rows in (line.split(": ") for line in lines)
    }


def folders():
    """Return every folder of the package that holds a module."""
    found = {path.parent.relative_to(ROOT).as_posix() for path in PACKAGE.rglob("*.py")}
    return found - {"algeval"}


def test_the_layers_told_are_those_that_are_checked():
    assert told() == contracts()


@pytest.mark.parametrize("package", contracts())
def test_every_layer_is_a_module_or_a_folder(package):
    home = (ROOT / "papers" if package == "algeval_papers" else ROOT) / package.replace(".", "/")
    for name in (name for row in contracts()[package] for name in row):
        assert (home / name / "__init__.py").exists() or (home / f"{name}.py").exists(), name


def test_the_folders_told_are_those_of_the_package():
    rows = re.findall(r"^\| `(algeval/[\w/]+)` \|", PAGE, re.MULTILINE)
    assert len(rows) == len(set(rows))
    assert set(rows) == folders()


def test_every_file_named_exists():
    named = set(re.findall(r"`((?:[a-z_0-9]+/)+[a-z_0-9]+\.py)`", PAGE))
    assert named
    assert [
        path
        for path in sorted(named)
        if not any((home / path).exists() for home in (ROOT, PACKAGE))
    ] == []


@pytest.mark.parametrize("name", ["layers"])
def test_the_pictures_are_those_the_script_draws(name, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    script = importlib.import_module("architecture_figures")
    drawn = (ROOT / "docs" / "figures" / f"{name}.svg").read_text(encoding="utf-8")
    assert script.PICTURES[name]() == drawn, "run python docs/architecture_figures.py"
