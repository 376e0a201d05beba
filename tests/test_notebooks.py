"""Every notebook runs from top to bottom, ends in asserts, and shows what is shipped with it."""

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
NOTEBOOKS = shown_notebooks.sources()


DECIMAL = re.compile(r"\d+\.\d+(?:e[+-]\d+)?")


def alike(old, new):
    """Whether two texts differ in nothing but the last digits of decimals, which libraries may round."""
    if not isinstance(old, str) or not isinstance(new, str):
        return old == new
    if DECIMAL.sub("#", old).split() != DECIMAL.sub("#", new).split():
        return False
    pairs = zip(DECIMAL.findall(old), DECIMAL.findall(new), strict=True)
    return all(abs(float(a) - float(b)) <= last_place(a) + 1e-6 * abs(float(a)) for a, b in pairs)


def last_place(text):
    """Return a little more than one unit of the last digit printed."""
    digits, _, power = text.partition("e")
    return 1.01 * 10.0 ** (int(power or 0) - len(digits.split(".")[1]))


def same(old, new):
    """Whether two outputs are of one kind and alike."""
    old, new = shown(old), shown(new)
    if isinstance(old, tuple) or isinstance(new, tuple):
        return isinstance(old, tuple) and isinstance(new, tuple) and all(map(alike, old, new))
    return old.keys() == new.keys() and all(alike(old[mime], new[mime]) for mime in old)


def shown(output):
    """Return what must stay as it is: text, of a picture its type and no byte of it."""
    if output.output_type == "stream":
        return output.name, output.text
    return {
        mime: "a picture" if mime.startswith("image/") else content
        for mime, content in output.get("data", {}).items()
    }


def compare(shipped, made, name):
    """Fail at the first cell that is not shipped as it is."""
    again = f"run: python docs/shown_notebooks.py {name}"
    assert len(shipped.cells) == len(made.cells), f"{name}: cells came or went; {again}"
    for number, (old, new) in enumerate(zip(shipped.cells, made.cells, strict=True), 1):
        where = f"notebooks/{name}.ipynb, cell {number}"
        assert old.source == new.source, f"{where}: the text is another; {again}"
        before, after = old.get("outputs", []), new.get("outputs", [])
        told = f"{where}: shows something else; {again}"
        assert len(before) == len(after), told
        assert all(map(same, before, after)), told


def test_there_are_notebooks():
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_needs_nothing_but_the_clone(path):
    cells = shown_notebooks.in_cells(path).cells
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    assert not re.search(r"environ|getenv|https?://|read_csv|__file__", code)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs_and_shows_what_is_shipped(path, tmp_path):
    made = shown_notebooks.with_outputs(path, tmp_path)
    last = [cell.source for cell in made.cells if cell.cell_type == "code"][-1]
    assert any(line.startswith("assert ") for line in last.splitlines()), "must end in asserts"
    for beside in path.parent.iterdir():  # what a notebook writes, and is shipped, is as shipped
        written = tmp_path / beside.name
        assert not written.exists() or written.read_bytes() == beside.read_bytes(), written
    shipped = path.with_suffix(".ipynb")
    assert shipped.exists(), f"run: python docs/shown_notebooks.py {path.stem}"
    compare(nbformat.read(shipped, as_version=4), made, path.stem)


@pytest.fixture
def small():
    """A notebook of three cells: words, a number printed and shown, a picture."""
    v4 = nbformat.v4
    printed = v4.new_output("stream", name="stdout", text="1\n")
    value = v4.new_output("execute_result", data={"text/plain": "2", "text/latex": "$2$"})
    picture = v4.new_output("display_data", data={"image/svg+xml": "<svg/>", "text/plain": "<SVG>"})
    return v4.new_notebook(
        cells=[
            v4.new_markdown_cell("words"),
            v4.new_code_cell("print(1)\n2", outputs=[printed, value]),
            v4.new_code_cell("show()", outputs=[picture]),
        ]
    )


def test_another_drawing_of_a_picture_is_no_difference(small):
    other = nbformat.from_dict(small)
    other.cells[2].outputs[0].data["image/svg+xml"] = "<svg><g/></svg>"
    compare(small, other, "small")


@pytest.mark.parametrize(
    ("old", "new", "is_alike"),
    [
        ("0.123", "0.124", True),
        ("0.123", "0.126", False),
        ("12 of 13", "12 of 14", False),
        ("a 0.5 b", "a 0.5 c", False),
        ("1.250e-09", "1.251e-09", True),
        ("1.250e-09", "1.250e-08", False),
    ],
)
def test_only_the_last_digit_of_a_decimal_may_move(old, new, is_alike):
    assert alike(old, new) is is_alike


def another_word(cells):
    cells[0].source = "word"


def another_number_printed(cells):
    cells[1].outputs[0].text = "3\n"


def another_formula(cells):
    cells[1].outputs[1].data["text/latex"] = "$3$"


def a_warning(cells):
    cells[1].outputs.append(nbformat.v4.new_output("stream", name="stderr", text="1\n"))


def no_picture(cells):
    del cells[2].outputs[0].data["image/svg+xml"]


def nothing_shown(cells):
    cells[2].outputs = []


def one_cell_less(cells):
    del cells[2]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (another_word, "cell 1: the text is another"),
        (another_number_printed, "cell 2: shows something else"),
        (another_formula, "cell 2: shows something else"),
        (a_warning, "cell 2: shows something else"),
        (no_picture, "cell 3: shows something else"),
        (nothing_shown, "cell 3: shows something else"),
        (one_cell_less, "small: cells came or went"),
    ],
)
def test_what_differs_is_told_and_how_to_write_it_anew(small, change, told):
    other = nbformat.from_dict(small)
    change(other.cells)
    with pytest.raises(AssertionError, match=f"{told}; run: python docs/shown_notebooks.py small"):
        compare(small, other, "small")


TEXT = """---
kernelspec:
  display_name: my own
  language: python
  name: mine
---

# Title

```{code-cell} ipython3
print(1)
print(2)
```

```{code-cell} ipython3
import os
print(3)
sorted(os.listdir())
```
"""


def test_a_text_is_run_and_written_the_same_every_time(tmp_path):
    source = tmp_path / "text.md"
    source.write_text(TEXT, encoding="utf-8")
    written = []
    for _ in range(2):
        shown_notebooks.write(source)
        written.append((tmp_path / "text.ipynb").read_bytes())
    assert written[0] == written[1]
    made = nbformat.read(tmp_path / "text.ipynb", as_version=4)
    assert [cell.id for cell in made.cells] == ["cell-1", "cell-2", "cell-3"]
    assert [cell.get("execution_count") for cell in made.cells] == [None, 1, 2]
    assert made.metadata.kernelspec.name == "python3"
    assert "version" not in made.metadata.language_info
    assert made.cells[1].outputs[0].text == "1\n2\n"  # one stream
    assert made.cells[2].outputs[1].data["text/plain"] == "[]"  # an empty folder of its own


def test_warnings_are_shown_and_an_error_ends_the_run(tmp_path):
    source = tmp_path / "text.md"
    source.write_text(
        TEXT + "\n```{code-cell} ipython3\nimport warnings\nwarnings.warn('so')\n```\n",
        encoding="utf-8",
    )
    (warned,) = shown_notebooks.with_outputs(source, tmp_path).cells[-1].outputs
    assert warned.name == "stderr"
    assert "UserWarning: so" in warned.text
    source.write_text(TEXT + "\n```{code-cell} ipython3\n1 / 0\n```\n", encoding="utf-8")
    with pytest.raises(ZeroDivisionError):
        shown_notebooks.with_outputs(source, tmp_path)
