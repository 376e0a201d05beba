"""Draw the picture of architecture.md anew: ``python docs/architecture_figures.py``.

The stack is read from the layer contracts in pyproject.toml, so it cannot show another order
than the one that is checked. The drawing is kept in git; a test compares it with this script.
"""

import sys
import tomllib
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = Path(__file__).parent / "figures"

SAYS = {
    "algeval": {
        "cli": "commands: parse, call, print, exit codes",
        "gate": "a fixture of pytest",
        "label": "a page for labels: items, answers, stopping",
        "report": "text, page, JSON, figures",
        "sklearn": "an estimator for scikit-learn",
        "judges": "judges by people's labels",
        "compare": "all methods on one data set; diagnose",
        "rates": "win rates; systems compared; labels to buy",
        "certificates": "checked and saved",
        "algebra": "exact, if errors are independent",
        "logic": "possible or not, with a proof",
        "aggregate": "probable, under a stated model",
        "budgets": "labels still to pay",
        "door": "what people have becomes data, once",
        "models": "laws of votes, samplers, posteriors",
        "io": "readers, and counting where votes lie",
        "data": "Votes, Sketch, Summary, Evaluation, Specification; the shape of data is checked here",
        "result": "Result, Status with advice, exact numbers to and from JSON",
        "export": "certificates as text of other systems, whose kernels check them again",
        "errors": "one base, five kinds, one wording",
        "progress": "how far loops are, and who shows it",
        "_moved": "old places of modules, for one release",
        "_callable": "lets a package be called like its function",
        "_lazy": "names that load on first use",
        "_version": "the version",
    },
}
"""What each box holds; a layer that is missing here cannot be drawn."""

INK, PALE, LINE, ALONE = "#16222e", "#eaf1f8", "#4f6f8f", "#fdf1dc"
FONT = "font-family='Helvetica, Arial, sans-serif'"
GAP, STEP = 8, 66
"""Between two boxes, and from one row to the next."""


def text(x: float, y: float, words: str, size: int, *, bold: bool = False) -> str:
    """Return a line of text around the middle x."""
    weight = " font-weight='bold'" if bold else ""
    style = f"{FONT} font-size='{size}'{weight} fill='{INK}' text-anchor='middle'"
    return f"<text x='{x:g}' y='{y:g}' {style}>{escape(words)}</text>"


def wrapped(words: str, width: float, size: int) -> list[str]:
    """Return words as lines that fit into a width, at 0.6 of the size per letter."""
    most, lines = int(width / (0.6 * size)), [""]
    for word in words.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > most:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def box(x: float, y: float, size: tuple[float, float], name: str, says: str, fill: str) -> str:
    """Return a box with a name and what it holds."""
    width, height = size
    lines = wrapped(says, width - 8, 12) if says else []
    middle, top = x + width / 2, y + (height - 22 - 15 * len(lines)) / 2
    rect = f"<rect x='{x:g}' y='{y:g}' width='{width:g}' height='{height:g}' rx='6'"
    parts = [f"{rect} fill='{fill}' stroke='{LINE}'/>", text(middle, top + 16, name, 15, bold=True)]
    parts += [text(middle, top + 35 + 15 * k, line, 12) for k, line in enumerate(lines)]
    return "\n".join(parts)


def drawing(width: float, height: float, title: str, parts: list[str]) -> str:
    """Return a whole picture; its ground is clear, so that it stands on a light or a dark page."""
    size = f"width='{width:g}' height='{height:g}' viewBox='0 0 {width:g} {height:g}'"
    first = f"<svg xmlns='http://www.w3.org/2000/svg' role='img' {size}>"
    body = "\n".join([f"<title>{escape(title)}</title>", *parts])
    return f"{first}\n{body}\n</svg>\n"


def contracts() -> dict[str, list[list[str]]]:
    """Return the rows of each layer contract, top first, by package; optional layers are left out."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    result: dict[str, list[list[str]]] = {}
    for contract in settings["tool"]["importlinter"]["contracts"]:
        for container in contract["containers"] if contract["type"] == "layers" else ():
            rows = [[name.strip() for name in row.split("|")] for row in contract["layers"]]
            kept = [[name for name in row if not name.startswith("(")] for row in rows]
            result[container] = [row for row in kept if row]
    return result


def stack(
    container: str, rows: list[list[str]], x: float, width: float, height: float = STEP - GAP
) -> list[str]:
    """Return the boxes of a contract, one row below the other."""
    says, parts = SAYS[container], []
    for place, row in enumerate(rows):
        each = (width - GAP * (len(row) - 1)) / len(row)
        for k, name in enumerate(row):
            left, top = x + k * (each + GAP), place * (height + GAP) + 1
            parts.append(box(left, top, (each, height), name, says[name], PALE))
    return parts


def layers() -> str:
    """Return the layers of the package, and the verifier beside them."""
    rows = contracts()["algeval"]
    height = len(rows) * STEP
    parts = stack("algeval", rows, 1, 690)
    says = (
        "two files, the standard library only. They import nothing of the package. "
        "Of the package only cli, report and export may import them."
    )
    parts.append(box(712, 1, (137, height - GAP), "verify", says, ALONE))
    return drawing(850, height - GAP + 2, "The layers of algeval: a row imports only below", parts)


PICTURES = {"layers": layers}

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, draw in PICTURES.items():
        (FOLDER / f"{name}.svg").write_text(draw(), encoding="utf-8")
        sys.stdout.write(f"{FOLDER / name}.svg written\n")
