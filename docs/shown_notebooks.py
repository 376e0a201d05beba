"""Run the notebooks and write what they show: ``python docs/shown_notebooks.py [NAME ...]``.

The text ``notebooks/NAME.md`` is the source. ``notebooks/NAME.ipynb`` has the same cells and what each
printed and drew, and opens wherever notebooks open. Nothing in it tells the day or the machine, so that a
second run changes a file only where the text or the package changed.
"""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import jupytext
import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
SECONDS = 120
REAL = Path(os.environ.get("ALGEVAL_SHARED", FOLDER.parents[1] / "shared")) / "data"
"""Real votes, which are not shipped: a notebook that reads them is run where they are."""
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
LANGUAGE = {"file_extension": ".py", "name": "python", "pygments_lexer": "ipython3"}


def sources() -> list[Path]:
    """Return the text of every notebook."""
    return sorted(FOLDER.glob("*.md"))


def in_cells(source: Path) -> NotebookNode:
    """Return a text as a notebook that was not run: cells numbered, settings the same everywhere."""
    notebook = jupytext.read(source)
    notebook.metadata = NotebookNode(kernelspec=KERNEL, language_info=LANGUAGE)
    notebook.nbformat_minor = max(notebook.nbformat_minor, 5)  # from here on cells have ids
    for number, cell in enumerate(notebook.cells, 1):
        cell.id = f"cell-{number}"
    return notebook


def with_outputs(source: Path, folder: Path) -> NotebookNode:
    """Return a notebook with what its cells show when they are run in a folder, from top to bottom."""
    notebook = in_cells(source)
    os.environ.setdefault("ALGEVAL_SHARED", str(REAL.parent.resolve()))
    NotebookClient(
        notebook,
        timeout=SECONDS,
        kernel_name=KERNEL["name"],
        coalesce_streams=True,
        record_timing=False,
        resources={"metadata": {"path": str(folder)}},
        extra_arguments=["--log-level=ERROR"],
    ).execute()
    notebook.metadata.language_info = LANGUAGE  # the kernel has put its version there
    return notebook


def write(source: Path) -> None:
    """Run a text and write the notebook beside it."""
    with TemporaryDirectory() as folder:
        notebook = with_outputs(source, Path(folder))
    nbformat.write(notebook, source.with_suffix(".ipynb"))


if __name__ == "__main__":
    for name in sys.argv[1:] or [source.stem for source in sources()]:
        write(FOLDER / f"{Path(name).stem}.md")
