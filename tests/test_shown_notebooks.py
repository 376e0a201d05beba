"""The notebooks that are shipped: one for each text, of the same cells, without a trace of where they ran."""

import importlib
import re
import sys
from pathlib import Path

import nbformat
import pytest

DOCS = Path(__file__).resolve().parents[1] / "docs"
sys.path.insert(0, str(DOCS))
shown_notebooks = importlib.import_module("shown_notebooks")
sys.path.remove(str(DOCS))
FOLDER = shown_notebooks.FOLDER
SOURCES = shown_notebooks.sources()
SHIPPED = sorted(FOLDER.glob("*.ipynb"))
MOST_BYTES = 300_000
PLACES = re.compile(
    r" at 0x[0-9a-f]{6,}|/(?:home|root|tmp|usr|opt|Users|private|work)/|[A-Z]:\\\\|site-packages"
)
"""Addresses in memory and folders of a machine."""


def each_shipped(function):
    return pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)(function)


def outputs(path):
    notebook = nbformat.read(path, as_version=4)
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def test_every_text_has_its_notebook_and_every_notebook_its_text():
    texts, shipped = ({path.stem for path in paths} for paths in (SOURCES, SHIPPED))
    missing = " ".join(sorted(texts - shipped))
    assert not missing, f"run: python docs/shown_notebooks.py {missing}"
    assert not shipped - texts, "these have no text and must go"


@each_shipped
def test_the_cells_are_those_of_the_text(path):
    shipped = nbformat.read(path, as_version=4)
    wanted = shown_notebooks.in_cells(path.with_suffix(".md"))
    assert [(c.cell_type, c.id, c.source) for c in shipped.cells] == [
        (c.cell_type, c.id, c.source) for c in wanted.cells
    ], f"run: python docs/shown_notebooks.py {path.stem}"
    counts = [cell.execution_count for cell in shipped.cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1))


@each_shipped
def test_it_is_valid_and_small_and_nothing_failed_or_warned(path):
    nbformat.validate(nbformat.read(path, as_version=4))
    assert path.stat().st_size < MOST_BYTES
    assert outputs(path)
    assert all(output.output_type != "error" for output in outputs(path))
    assert all(output.get("name") != "stderr" for output in outputs(path))


@each_shipped
def test_it_does_not_say_where_and_when_it_ran(path):
    notebook = nbformat.read(path, as_version=4)
    assert notebook.metadata == shown_notebooks.in_cells(path.with_suffix(".md")).metadata
    assert all("execution" not in cell.metadata for cell in notebook.cells)
    assert not PLACES.findall(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("text", ["<a at 0x7f3a12345678>", "/tmp/x", "C:\\\\Users", "/home/me/x"])
def test_traces_are_found(text):
    assert PLACES.search(text)
