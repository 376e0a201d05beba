"""Votes worked by hand, and names that no figure may stumble over."""

import numpy as np
import pytest

import algeval as ae

WILD = (
    "<script>alert(1)</script>",
    "$x$",
    "$\\frac",
    "_hidden & \"quoted\" 'name'",
    "\N{HIRAGANA LETTER A}\N{CJK UNIFIED IDEOGRAPH-8A9E}",
)


@pytest.fixture
def four():
    """Four items: x and y say aabb, so does the majority; z says abab, and so does the key."""
    columns = {"x": list("aabb"), "y": list("aabb"), "z": list("abab")}
    return ae.Votes.from_columns(columns, key=list("abab"))


def drawn_votes(n_judges, labels, *, n_items=60, missing=0.1, seed=0, names=None):
    """Return votes of judges right on 9 to 6 of 10 items, with their key."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, len(labels), n_items)
    columns = {}
    for j in range(n_judges):
        right = rng.random(n_items) < 0.9 - 0.3 * j / n_judges
        said = np.where(right, truth, rng.integers(0, len(labels), n_items))
        gone = rng.random(n_items) < missing
        name = f"judge {j}" if names is None else names[j]
        columns[name] = [None if g else labels[a] for g, a in zip(gone, said, strict=True)]
    return ae.Votes.from_columns(columns, key=[labels[t] for t in truth], labels=labels)


@pytest.fixture(scope="session")
def make_votes():
    return drawn_votes


@pytest.fixture(scope="session")
def wild():
    """Votes whose judges and labels have names made to break a figure."""
    return drawn_votes(5, ["$a$", "</svg><b>"], n_items=30, names=WILD)
