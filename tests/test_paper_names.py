"""Papers go by their authors and titles: numbers of papers are known to nobody else."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "algeval"
NUMBER = re.compile(r"\bpapers? 00\d", re.IGNORECASE)
FOLDERS = [
    ROOT / "papers",
    *sorted(p for p in PACKAGE.iterdir() if p.is_dir() and p.name not in {"report", "__pycache__"}),
]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_no_text_speaks_of_a_paper_by_number(folder):
    found = [
        f"{path.name}: {line.strip()}"
        for path in sorted(folder.rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if NUMBER.search(line)
    ]
    assert found == []
