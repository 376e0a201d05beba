"""Small tables as grids of texts, however they are written: files, pages, documents, frames."""

from __future__ import annotations

import codecs
import csv
import json
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from algeval.errors import DataError
from algeval.io.formats import open_parquet
from algeval.io.tables import FileTable, is_excel, is_path, with_index

MOST_ROWS = 2_000
"""Tables of counts are smaller; larger sources are not looked at."""

_MOST_BYTES = 1 << 20
_MOST_CELLS = 20_000
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class Grid:
    """A head and rows of texts, "" where a cell is empty."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""  # what stands above the table, or the name that it has in a document
    form: str = "table"  # "table", "page" (Markdown, LaTeX, print), "nested" (names inside and out)
    counts: bool = False  # its type says that the numbers are counts
    mark: str = ""  # what parts the cells, where "1.204" may be a thousand
    n_items: str = ""  # a number of items that stands beside it

    def columns(self) -> dict[str, list[str | None]]:
        """Columns as a source of votes; "" where the head is empty becomes a number."""
        names = [name or f"column {k}" for k, name in enumerate(self.head, start=1)]
        cells = zip(*self.rows, strict=True) if self.rows else [()] * len(names)
        return {
            name: [c or None for c in column] for name, column in zip(names, cells, strict=True)
        }


def grids_of(source: Any) -> list[Grid]:
    """Grids in a source that may hold a table of counts; none of a large one, or of what is none."""
    if is_path(source):
        return _of_file(Path(source))
    if isinstance(source, Mapping):
        return _of_mapping(source)
    if isinstance(source, Sequence) and not isinstance(source, str | bytes):
        records = len(source) <= MOST_ROWS and all(isinstance(row, Mapping) for row in source)
        grid = _of_records(source) if records and source else None
        return [] if grid is None else [grid]
    return _of_frame(source)


def is_page(path: Path, text: str) -> bool:
    """Whether a text file is a page with tables in it, and no CSV."""
    if path.suffix.lower() in (".md", ".markdown", ".tex"):
        return True
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    listed = sum(re.match(r"[^:=]+:[^:,;=]+=\s*\d", line) is not None for line in lines)
    if listed > 1:
        return True
    barred = sum(line[0] in "|│┃" for line in lines)
    commas = [min(line.count(mark) for line in lines) for mark in ",;\t"] if lines else [1]
    printed = path.suffix.lower() == ".txt" and not any(commas)
    return barred > 1 or "\\begin{tabular}" in text or printed


# --- Files.


def _of_file(path: Path) -> list[Grid]:
    """Grids in a file."""
    try:
        if not path.is_file() or path.stat().st_size > _MOST_BYTES:
            return []
        if path.suffix.lower() == ".parquet":
            return _of_parquet(path)
        if is_excel(path):
            return _of_workbook(path)
        data = path.read_bytes()
    except (OSError, DataError):
        return []
    if b"\0" in data and data[:2] not in _WIDE:
        return []
    text = _decoded(data)
    tabular = path.suffix.lower() in (".csv", ".tsv", ".md", ".tex")
    if text.lstrip()[:1] in ("{", "[") and not tabular:
        return _of_json_text(text)
    if is_page(path, text):
        grids = _of_latex(text) if "\\begin{tabular" in text else _of_bars(text)
        return grids or _of_print(text)
    return _of_csv(text, path.suffix.lower())


def _decoded(data: bytes) -> str:
    for encoding in ("utf-16",) if data[:2] in _WIDE else ("utf-8-sig", "cp1252"):
        with suppress(UnicodeDecodeError):
            return data.decode(encoding)
    return data.decode("latin-1")


def _of_csv(text: str, ending: str) -> list[Grid]:
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines or len(lines) > MOST_ROWS:
        return []
    least = {mark: min(line.count(mark) for line in lines[-3:]) for mark in ("\t", ";", ",")}
    mark = "\t" if ending == ".tsv" else max(least, key=lambda m: least[m])
    try:
        rows = list(csv.reader(text.splitlines(), delimiter=mark))
    except csv.Error:
        return []
    return [replace(grid, mark=mark) for grid in _blocks(rows)]


def _of_workbook(path: Path) -> list[Grid]:
    from openpyxl import load_workbook

    grids: list[Grid] = []
    with zipfile.ZipFile(path) as archive:
        if sum(member.file_size for member in archive.infolist()) > 16 * _MOST_BYTES:
            return []
    with path.open("rb") as stream, suppress(Exception):  # which the reader of workbooks tells
        for sheet in load_workbook(stream, read_only=True, data_only=True).worksheets:
            sheet.reset_dimensions()
            rows = sheet.iter_rows(max_row=MOST_ROWS, max_col=60, values_only=True)
            blocks = _blocks([_texts(row) for row in rows])
            grids += [replace(grid, title=f"{sheet.title}: {grid.title}") for grid in blocks]
    return grids


def _of_parquet(path: Path) -> list[Grid]:
    """Grid of a Parquet file; an index that pandas wrote without a name has an empty head."""
    table = FileTable(open_parquet(path))
    index = [name for name in table.names if re.fullmatch(r"__index_level_\d+__", name)]
    names = [*index, *(name for name in table.names if name not in index)]
    if not names or len(table.column(names[0]).codes) > MOST_ROWS:
        return []
    columns = [table.column(name) for name in names[:200]]
    cells = [[None if k < 0 else c.values[k] for k in c.codes.tolist()] for c in columns]
    head = ["" if name in index else name for name in names[:200]]
    return _made(head, [*zip(*cells, strict=True)])


def _texts(row: Iterable[object]) -> list[str]:
    """Cells as texts; whole floats without a point."""
    return [_text(cell) for cell in row]


def _text(cell: object) -> str:
    if cell is None or cell != cell:
        return ""
    if hasattr(cell, "item"):  # a NumPy scalar
        cell = cell.item()
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).strip()


def _made(head: Iterable[object], rows: Sequence[Sequence[object]], **more: Any) -> list[Grid]:
    """Grid of a head and rows, none where these are no table."""
    names = tuple(map(_text, head))
    if not names or not rows or len(rows) > MOST_ROWS or len(rows) * len(names) > _MOST_CELLS:
        return []
    if any(isinstance(cell, list | tuple | set | dict) for row in rows for cell in row):
        return []
    return [Grid(names, tuple(tuple(_texts(row)) for row in rows), **more)]


def _blocks(rows: Sequence[Sequence[str]], title: str = "", form: str = "table") -> list[Grid]:
    """Grids of rows that blank rows part; rows of one cell above a table are its title."""
    grids, block = [], []
    for row in [*rows, []]:
        if any(cell.strip() for cell in row):
            block.append([cell.strip() for cell in row])
            continue
        width = max(map(len, block), default=0)
        block = [[*cells, *[""] * (width - len(cells))] for cells in block]
        kept = [k for k in range(width) if any(cells[k] for cells in block)]
        block = [[cells[k] for k in kept] for cells in block]
        while len(block) > 1 and sum(map(bool, block[0])) == 1 < len(kept):
            title = " ".join([title, *filter(None, block.pop(0))]).strip()
        if len(block) > 1 and len(kept) > 1:
            grids += _made(block[0], block[1:], title=title, form=form)
            title = ""
        elif block:
            title = " ".join([title, *(cell for cells in block for cell in cells)]).strip()
        block = []
    return grids


# --- Pages: Markdown and boxes, LaTeX, what pandas or R prints.

_RULE = re.compile(r"[\s|│┃:+\-=─━┌┬┐├┼┤└┴┘┏┳┓┡╇┩╞╪╡╘╧╛╒╤╕╭╮╰╯┠╂┨┗┻┛┣╋┫]*")
_MARKED = re.compile(r"(\*\*|__|`)(.+?)\1")


def _of_bars(text: str) -> list[Grid]:
    """Tables between bars."""
    grids: list[Grid] = []
    title, rows = "", []
    for line in [*text.splitlines(), ""]:
        line = line.strip()
        if line[:1] in ("|", "│", "┃"):
            if not _RULE.fullmatch(line):
                cells = re.split(r"(?<!\\)\||│|┃", line)[1:]
                rows.append([_unmarked(c) for c in (cells if cells[-1].strip() else cells[:-1])])
        elif line and _RULE.fullmatch(line):
            continue
        else:
            if rows:
                signs = any(cell == "+" for row in rows for cell in row)
                said = rows if signs else [[c if c != "-" else "" for c in row] for row in rows]
                grids += _blocks(said, title, "page")
                title, rows = "", []
            title = f"{title} {_unmarked(line.lstrip('#'))}".strip() if line else title
    return grids


def _unmarked(text: str) -> str:
    """Text without marks of Markdown."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", _MARKED.sub(r"\2", text.strip())).strip()


def _of_latex(text: str) -> list[Grid]:
    grids: list[Grid] = []
    for match in re.finditer(r"\\begin\{tabular[x*]?\}(.*?)\\end\{tabular[x*]?\}", text, re.DOTALL):
        environment = text[
            text.rfind("\\begin{table", 0, match.start()) + 1 : text.find(
                "\\end{table", match.end()
            )
        ]
        caption = re.search(r"\\caption\{(.*)\}", environment)
        rows = []
        body = re.sub(r"(?<!\\)%.*", "", re.sub(r"^(\{[^{}]*\}|\[[^\]]*\])+", "", match[1].strip()))
        for line in re.split(r"\\\\(?:\[[^\]]*\])?", body):
            line = re.sub(
                r"\\(top|mid|bottom|h)(rule|line)|\\c(mid|line)\w*(\([^)]*\))?\{[^}]*\}|\\addlinespace",
                "",
                line,
            )
            rows.append([cell for raw in re.split(r"(?<!\\)&", line) for cell in _latex_cell(raw)])
        title = "" if caption is None else _latex_text(caption[1])
        grids += _blocks([row for row in rows if any(row)], title, "page")
    return grids


def _latex_cell(raw: str) -> list[str]:
    spans = re.match(r"\s*\\multicolumn\{(\d+)\}\{[^}]*\}\{(.*)\}\s*$", raw, re.DOTALL)
    return (
        [_latex_text(raw)]
        if spans is None
        else [_latex_text(spans[2]), *[""] * (int(spans[1]) - 1)]
    )


def _latex_text(raw: str) -> str:
    text = re.sub(r"\\(begin|end)\{[^}]*\}(\{[^}]*\})*", "", raw)
    for _ in range(3):
        text = re.sub(r"\\[a-zA-Z]+\*?(?:\[[^\]]*\])?\{([^{}]*)\}", r"\1", text)
    text = re.sub(r"\\(?:,|;|!| |[a-zA-Z]+\b)", "", text.replace("{,}", ","))
    return (
        re.sub(r"\\([%&_#$\\])", r"\1", re.sub(r"(?<!\\)[${}]", "", text)).replace("~", " ").strip()
    )


def _of_print(text: str) -> list[Grid]:
    """Tables in columns of blanks, and lines such as `name: a=4, b=7`."""
    listed = _of_lines(text)
    if listed:
        return listed
    grids: list[Grid] = []
    title = ""
    for block in re.split(r"\n\s*\n", text):
        lines = [line.rstrip() for line in block.splitlines() if line.strip()]
        made = _printed(lines, title)
        title = "" if made else " ".join([title, *lines]).strip()
        grids += made
    return grids


def _printed(lines: list[str], title: str) -> list[Grid]:
    tail = re.search(r"^(Name: .*|dtype: .*)$", lines[-1]) if lines else None
    body = lines[:-1] if tail is not None else lines
    wide = [re.split(r"\s{2,}|\t", line.strip()) for line in body]
    cells = wide if len({len(row) for row in wide}) == 1 else [line.split() for line in body]
    width = max(map(len, cells), default=0)
    alone = [k for k, row in enumerate(cells[:4]) if k and len(row) == 1]  # the name of an index
    short = [k for k, row in enumerate(cells[:4]) if len(row) > 1 and _is_number(row[-1])]
    short = [
        k + (k == 0 and len(cells[0]) == width - 1) for k in short[:1]
    ]  # labels that are numbers
    first = alone[-1] + 1 if alone else short[0] if short else 0
    if not 0 < first < len(cells) or not all(_is_number(row[-1]) for row in cells[first:]):
        return []
    heads, rows = cells[:first], cells[first:]
    width = max(map(len, rows))
    for k, row in enumerate(rows):  # what an index repeats is not printed again
        if len(row) < width and k:
            rows[k] = [*rows[k - 1][: width - len(row)], *row]
    if len(heads) > 1 and len(heads[-1]) == 1 and len(heads[-2]) in (width, width - 1):
        top = heads[-2] if len(heads[-2]) == width else ["", *heads[-2]]
        title = " ".join([title, *(word for row in heads[:-2] for word in row), top[0]]).strip()
        head = [heads[-1][0], *top[1:]]
    else:
        title = " ".join([title, *(word for row in heads[:-1] for word in row)]).strip()
        head = heads[-1]
    if len(head) == width - 1:
        head = [*head, "count"] if tail is not None else ["", *head]
    if len(head) != width or any(len(row) != width for row in rows):
        return []
    return _made(
        head, rows, title=title, form="page", counts=tail is not None and "count" in tail[0]
    )


def _of_lines(text: str) -> list[Grid]:
    rows: dict[str, dict[str, str]] = {}
    lines = [line.strip(" *-\t") for line in text.splitlines()]
    for line in lines:
        match = re.fullmatch(r"([^:=]+):\s*((?:[^,;=]+=\s*\d[\d,' ]*[,;]?\s*)+)", line)
        if match is not None:
            pairs = re.findall(r"([^,;=]+)=\s*(\d+)", match[2])
            rows[match[1].strip()] = {name.strip(): number for name, number in pairs}
    if len(rows) < 2:
        return []
    title = " ".join(line for line in lines if ":" not in line).strip()
    names = dict.fromkeys(name for row in rows.values() for name in row)
    cells = [[who, *(row.get(name, "") for name in names)] for who, row in rows.items()]
    return _made(["", *names], cells, title=title, form="page")


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?\d[\d.,]*%?", text) is not None


# --- JSON, and what Python holds.

_BESIDE = ("n_items", "n_paired_items", "num_items", "n", "N", "items", "total", "Q")


def _of_json_text(text: str) -> list[Grid]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        try:
            value = [json.loads(line) for line in text.splitlines() if line.strip()]
        except (ValueError, RecursionError):
            return []
    if isinstance(value, Mapping) and isinstance(value.get("schema"), str):
        return []
    return list(_of_json(value, "", "", 0))


def _of_json(value: Any, title: str, beside: str, depth: int) -> Iterator[Grid]:
    """Yield the grids in a document, outermost first."""
    if depth > 6 or not isinstance(value, Mapping | list) or not value or len(value) > MOST_ROWS:
        return
    if isinstance(value, list):
        if all(isinstance(row, Mapping) for row in value):
            grid = _of_records(value, title)
            if grid is not None:
                yield replace(grid, n_items=beside)
        return
    number = next((value[n] for n in _BESIDE if isinstance(value.get(n), int)), None)
    beside = beside if number is None else str(number)
    made = _of_key_names(value, title) or _of_nested(value, title)
    if made:
        yield from (replace(grid, n_items=beside) for grid in made)
        return
    for name, held in value.items():
        yield from _of_json(held, f"{title} {name}".strip(), beside, depth + 1)


def _of_key_names(value: Mapping[str, Any], title: str) -> list[Grid]:
    columns, data = value.get("columns"), value.get("data")
    if (
        isinstance(columns, list)
        and isinstance(data, list)
        and all(isinstance(r, list) for r in data)
    ):
        index = value.get("index")
        rows = data if index is None else [[k, *row] for k, row in zip(index, data, strict=False)]
        head = columns if index is None else ["", *columns]
        return (
            _made(head, rows, title=title, form="nested")
            if {len(r) for r in rows} == {len(head)}
            else []
        )
    patterns, judges = value.get("patterns"), value.get("judges") or value.get("graders")
    if isinstance(patterns, list) and isinstance(judges, list) and patterns:
        rows = []
        for entry in patterns:
            votes = next((entry[k] for k in ("votes", "answers", "pattern") if k in entry), None)
            if not isinstance(votes, list) or "count" not in entry or len(votes) != len(judges):
                return []
            rows.append([*votes, entry["count"]])
        return _made([*judges, "count"], rows, title=title, counts=True)
    labels, matrix = value.get("labels"), value.get("confusion_matrix")
    if isinstance(labels, list) and isinstance(matrix, list) and len(matrix) == len(labels):
        rows = [[label, *row] for label, row in zip(labels, matrix, strict=True)]
        if {len(row) for row in rows} == {len(labels) + 1}:
            return _made(["true \\ answered", *labels], rows, title=title)
    return []


def _of_nested(value: Mapping[Any, Any], title: str = "", form: str = "nested") -> list[Grid]:
    """{name: {name: number}}, {tuple: number} and {grader: {truth: {answer: number}}}; none of others."""
    held = list(value.values())
    if all(isinstance(v, Mapping) and v for v in held):
        inner = [w for v in held for w in v.values()]
        if all(map(_is_cell, inner)):
            names = dict.fromkeys(str(n) for v in held for n in v)
            cells = [
                [who, *({str(n): c for n, c in v.items()}.get(n) for n in names)]
                for who, v in value.items()
            ]
            return _made(["", *names], cells, title=title, form=form)
        deep = [w for w in inner if isinstance(w, Mapping) and w]
        square = len(deep) == len(inner) and all(
            {*v} <= {a for w in v.values() for a in w} for v in held
        )
        if square and all(map(_is_cell, (c for w in deep for c in w.values()))):
            rows = [
                [who, truth, answer, c]
                for who, v in value.items()
                for truth, w in v.items()
                for answer, c in w.items()
            ]
            return _made(["grader", "truth", "answer", "count"], rows, title=title, counts=True)
    if all(isinstance(v, int) and not isinstance(v, bool) for v in held) and len(held) > 1:
        return _made(["pattern", "count"], list(value.items()), title=title, form=form)
    return []


def _is_cell(value: object) -> bool:
    return (
        value is None
        or (isinstance(value, int | float) and not isinstance(value, bool))
        or hasattr(value, "dtype")
    )


def _of_records(records: Sequence[Mapping[Any, Any]], title: str = "") -> Grid | None:
    names = dict.fromkeys(name for row in records for name in row)
    made = _made(names, [[row.get(name) for name in names] for row in records], title=title)
    return made[0] if made else None


def _of_mapping(source: Mapping[Any, Any]) -> list[Grid]:
    """Grids of {grader: {label: count}}, a Counter of tuples, or {column: cells}."""
    held = list(source.values())
    if not held:
        return []
    if all(isinstance(key, tuple) for key in source) and all(map(_is_cell, held)):
        width = {len(key) for key in source}
        if len(width) == 1:
            head = [*(f"judge {k + 1}" for k in range(*width)), "count"]
            return _made(head, [[*key, n] for key, n in source.items()], counts=True)
    if all(_is_series(v) and not _counts_rows(v.index) for v in held):
        source = {
            name: dict(zip(v.index.tolist(), v.tolist(), strict=True)) for name, v in source.items()
        }
        held = list(source.values())
    if all(isinstance(v, Mapping) for v in held):
        counter = all(isinstance(v, Counter) for v in held)
        return [replace(g, counts=g.counts or counter) for g in _of_nested(source)]
    if isinstance(source, Counter):
        return [replace(grid, counts=True) for grid in _of_nested(source)]
    if any(isinstance(v, str) or not hasattr(v, "__len__") or len(v) > MOST_ROWS for v in held):
        return []
    if len({len(v) for v in held}) != 1 or any(isinstance(v, Mapping) for v in held):
        return []
    return _made(source, list(zip(*held, strict=True)))


def _is_series(value: Any) -> bool:
    return hasattr(value, "index") and hasattr(value, "to_frame") and hasattr(value, "tolist")


def _counts_rows(index: Any) -> bool:
    return type(index).__name__ == "RangeIndex"


def _of_frame(source: Any) -> list[Grid]:
    """Grid of a data frame or a Series of pandas, or of a frame of polars or pyarrow."""
    counts, title = False, ""
    if _is_series(source):
        if _counts_rows(source.index) or len(source) > MOST_ROWS:
            return []
        counts, name = (
            source.name in ("count", "size") or source.name is None,
            source.name or "count",
        )
        source = source.rename(name).reset_index()
    elif hasattr(source, "index") and hasattr(source, "reset_index"):
        if len(source) > MOST_ROWS:
            return []
        named = getattr(source.columns, "name", None)
        # a frame whose columns have a name is one that counted: a crosstab, an unstacked size
        title, counts = str(named or ""), named is not None
        frame = with_index(source)[0]
        if frame is not source and all(name is None for name in source.index.names):
            frame = frame.rename(columns={frame.columns[0]: ""})
        elif title and frame is not source:
            title = ""  # the head of the rows says who they are
        source = frame
    if hasattr(source, "itertuples"):
        rows: Any = list(source.itertuples(index=False, name=None))
    elif hasattr(type(source), "iter_rows") and len(source) <= MOST_ROWS:
        rows = list(source.iter_rows())
    else:
        return []
    names = list(map(str, source.columns))
    try:
        made = _made(names, rows, title=title, counts=counts)
    except (TypeError, ValueError):
        return []
    return [g for g in made if len(set(g.head)) == len(g.head)]
