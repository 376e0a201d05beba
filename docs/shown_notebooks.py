"""Run the notebooks and write what they show: ``python docs/shown_notebooks.py [NAME ...]``.

The text ``notebooks/NAME.md`` is the source. ``notebooks/NAME.ipynb`` has the same cells and what each
printed and drew, and opens wherever notebooks open. Nothing in it tells the day or the machine, so that a
second run changes a file only where the text or the package changed.
"""

import contextlib
import io
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import jupytext
import nbformat
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from nbformat import NotebookNode
from traitlets.config import Config

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
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


class Shown:
    """What the cells of a notebook show, in order; `cell` is the list of outputs of the cell that runs."""

    def __init__(self) -> None:
        self.cell: list[NotebookNode] = []

    def add(self, kind: str, **content: Any) -> None:
        """Add one output."""
        self.cell.append(nbformat.v4.new_output(kind, **content))

    def classes(self) -> tuple[type[DisplayPublisher], type[DisplayHook]]:
        """Return the publisher and the hook of a shell whose pictures and values are added here."""
        shown = self

        class Publisher(DisplayPublisher):
            def publish(self, data: Any, metadata: Any = None, **_: Any) -> None:
                shown.add("display_data", data=data, metadata=metadata or {})

        class Hook(DisplayHook):
            def write_output_prompt(self) -> None:
                pass

            def write_format_data(self, format_dict: Any, md_dict: Any = None) -> None:
                count = self.prompt_count
                shown.add(
                    "execute_result",
                    data=format_dict,
                    metadata=md_dict or {},
                    execution_count=count,
                )

        return Publisher, Hook


class Stream(io.TextIOBase):
    """Printed text, which joins what was printed just before it."""

    def __init__(self, name: str, shown: Shown) -> None:
        self.name, self.shown = name, shown

    def write(self, text: str) -> int:
        """Add text to the last output of the cell if that is this stream, else to a new one."""
        cell = self.shown.cell
        if cell and cell[-1].get("name") == self.name:
            cell[-1].text += text
        elif text:
            self.shown.add("stream", name=self.name, text=text)
        return len(text)


@contextlib.contextmanager
def shell_in(folder: Path, shown: Shown) -> Iterator[InteractiveShell]:
    """Yield IPython in a namespace of its own and a folder; what it prints and warns of is shown."""
    main = sys.modules["__main__"]
    publisher, hook = shown.classes()
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance(
        config=Config(HistoryManager={"enabled": False}),
        display_pub_class=publisher,
        displayhook_class=hook,
    )
    out, err = Stream("stdout", shown), Stream("stderr", shown)
    try:
        with (
            contextlib.chdir(folder),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("default")
            warnings.simplefilter("ignore", DeprecationWarning)  # of libraries about libraries
            warnings.showwarning = lambda message, category, file, line, *_: err.write(
                warnings.formatwarning(message, category, file, line)
            )
            yield shell
    finally:
        InteractiveShell.clear_instance()
        sys.modules["__main__"] = main


def with_outputs(source: Path, folder: Path) -> NotebookNode:
    """Return a notebook with what its cells show when they are run in a folder, from top to bottom."""
    notebook = in_cells(source)
    shown = Shown()
    with shell_in(folder, shown) as shell:
        for number, cell in enumerate((c for c in notebook.cells if c.cell_type == "code"), 1):
            shown.cell, cell.execution_count = cell.outputs, number
            shell.run_cell(cell.source, store_history=True).raise_error()
    return notebook


def write(source: Path) -> None:
    """Run a text and write the notebook beside it."""
    with TemporaryDirectory() as folder:
        notebook = with_outputs(source, Path(folder))
    nbformat.write(notebook, source.with_suffix(".ipynb"))


if __name__ == "__main__":
    for name in sys.argv[1:] or [source.stem for source in sources()]:
        write(FOLDER / f"{Path(name).stem}.md")
