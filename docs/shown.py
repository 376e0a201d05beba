"""Run what the pages show, and write its output into them anew: ``python docs/shown.py [PAGE ...]``.

A page is run from top to bottom in an empty folder of its own. Blocks of Python share their names; of a
shell block the lines that call algeval, its verifier, or print a file are run. A block of text right after
one of these blocks is what it printed, with long lines folded; a line "..." in it stands for lines left out.
A comment like "# 3" or "# True" after an expression must be its value.
"""

import io
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent, indent, wrap

from algeval.cli.main import run

DOCS = Path(__file__).parent
CHAPTERS = ("methods", "scores", "checks", "algebra", "separation", "budgets", "rates")
RUN = (".", "howto", *(f"chapters/{name}" for name in CHAPTERS))
WIDTH = 100
LEFT_OUT = "..."
PRINTS = ("python3 -S proof/", "python3 proof/", "head ", "cat ")

FENCE = re.compile(
    r"^(?P<pad> *)```(?P<language>python|bash)\n(?P<code>.*?)^(?P=pad)```\n"
    r"(?:\n(?P=pad)```text\n(?P<told>.*?)^(?P=pad)```\n)?",
    re.MULTILINE | re.DOTALL,
)
VALUE = re.compile(
    r"^(?P<expression>[^\s#][^#]*)# (?P<value>True|False|None|Fraction\(\d+, \d+\)|\d+|\[.*\])$"
)


def pages() -> list[Path]:
    """Return the pages that are run: those at the top, the how-tos, and the chapters of algorithms."""
    return sorted(page for folder in RUN for page in (DOCS / folder).glob("*.md"))


def written_anew(page: Path) -> str:
    """Return the text of a page with the output that its blocks print now."""
    with TemporaryDirectory() as folder, chdir(folder):
        return "".join(_parts(page.read_text(encoding="utf-8"), page.name))


def _parts(text: str, name: str) -> Iterator[str]:
    """Yield the text as it should be, running each block when it is met."""
    names: dict[str, object] = {"__name__": "page"}
    end = 0
    for fence in FENCE.finditer(text):
        code = dedent(fence["code"])
        python = fence["language"] == "python"
        printed = _python(code, names, name) if python else _shell(code, name)
        if fence["told"] is None:
            yield text[end : fence.end()]
        else:
            yield text[end : fence.start("told")]
            yield indent(as_shown(printed, dedent(fence["told"])), fence["pad"])
            yield text[fence.end("told") : fence.end()]
        end = fence.end()
    yield text[end:]


def _python(code: str, names: dict[str, object], name: str) -> str:
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(code, name, "exec"), names)
    for line in code.splitlines():
        if told := VALUE.match(line):
            _compare(told["expression"], told["value"], names, name)
    return out.getvalue()


def _compare(expression: str, value: str, names: dict[str, object], name: str) -> None:
    try:
        asked = compile(expression, name, "eval")
    except SyntaxError:  # an assignment; the comment says what was assigned, in words
        return
    found, wanted = eval(asked, names), eval(value, {"Fraction": Fraction})
    if found != wanted:
        raise RuntimeError(f"{name}: {expression.strip()} is {found!r}, not {wanted!r}")


def _shell(code: str, name: str) -> str:
    return "".join(_command(line.strip(), name) for line in code.replace("\\\n", " ").splitlines())


def _command(line: str, name: str) -> str:
    """Return what a line prints; a line that this page is not to run prints nothing."""
    line = line.removesuffix("|| exit 1")
    if line.startswith(PRINTS):
        return subprocess.run(
            shlex.split(line, comments=True), capture_output=True, text=True, check=True
        ).stdout
    if not line.startswith("algeval "):
        return ""
    words = shlex.split(line, comments=True)[1:]
    target = None
    if ">" in words:
        words, target = words[: words.index(">")], words[words.index(">") + 1]
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run(words)
    if code not in (0, 1):
        raise RuntimeError(f"{name}: {line}: exit code {code}: {err.getvalue()}")
    if target is None:
        return out.getvalue()
    Path(target).write_text(out.getvalue(), encoding="utf-8")
    return ""


def as_shown(printed: str, before: str) -> str:
    """Return output folded to the width of a page, leaving out as much as was left out before."""
    lines = [part for line in printed.splitlines() for part in _folded(line.rstrip())]
    shown = before.splitlines()
    if LEFT_OUT in shown:
        head = shown.index(LEFT_OUT)
        tail = len(shown) - head - 1
        lines = [*lines[:head], LEFT_OUT, *lines[max(head, len(lines) - tail) :]]
    return "\n".join([*lines, ""])


def _folded(line: str) -> list[str]:
    if len(line) <= WIDTH:
        return [line]
    return wrap(line, WIDTH, break_long_words=False, break_on_hyphens=False)


if __name__ == "__main__":
    for page in [Path(name).resolve() for name in sys.argv[1:]] or pages():
        page.write_text(written_anew(page), encoding="utf-8")
