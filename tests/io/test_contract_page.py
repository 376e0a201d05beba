"""The page of the contract is what the lists in the code say."""

import importlib
import sys
from pathlib import Path

from algeval.data.column_words import LISTS
from algeval.data.contract import RULES

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_is_what_the_lists_say():
    sys.path.insert(0, str(DOCS))
    try:
        made = importlib.import_module("contract_page").page()
    finally:
        sys.path.remove(str(DOCS))
    there = (DOCS / "reference" / "contract.md").read_text(encoding="utf-8")
    assert there == made, "run python docs/contract_page.py"
    for words in [*(w for _, w in LISTS.values()), RULES]:
        assert all(f"`{word}`" in there or f"| {word} |" in there for word in words)
