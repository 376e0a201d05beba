"""The constants of logic: each is used, each says why it has its value, and none hides elsewhere."""

import re
from pathlib import Path

import pytest

from algeval.logic import policy

HOME = Path(policy.__file__).parent
LINES = [
    line
    for line in Path(policy.__file__).read_text().splitlines()
    if re.match("[A-Z][A-Z_0-9, ]* = ", line)
]
NAMES = [name for line in LINES for name in line.split(" = ")[0].split(", ")]
TEXT = "\n".join(p.read_text() for p in HOME.rglob("*.py") if p.name != "policy.py")


@pytest.mark.parametrize("name", NAMES)
def test_every_constant_is_used(name):
    assert len(re.findall(rf"\b{name}\b", TEXT)) > 1, "imported, and used"


def test_every_constant_says_why():
    assert len(NAMES) == len(set(NAMES)) > 50
    assert [line for line in LINES if "  # " not in line] == []


def test_no_other_module_of_logic_keeps_tuning_constants_of_its_own():
    found = re.findall(r"^(_?[A-Z][A-Z_0-9]+) = [\d(][\d.e<(]", TEXT, re.MULTILINE)
    assert found == []
