"""The caps that the chapter on order 1 prints, against brute force: "at least x" and "more than x"."""

import random
from fractions import Fraction
from itertools import product
from math import ceil, floor

import algeval as ae


def keys(n_items, n_labels):
    """Every answer-key count, by listing all vectors."""
    return [q for q in product(range(n_items + 1), repeat=n_labels) if sum(q) == n_items]


def meets(key, rows, x, strict):
    """Whether every judge can be right at x, or at more, on every label of this key."""
    rates = [(min(r, q), q) for row in rows for r, q in zip(row, key, strict=True) if q]
    return all(c > x * q if strict else c >= x * q for c, q in rates)


def caps(rows, x, strict):
    least = [min(column) for column in zip(*rows, strict=True)]
    if not strict:
        return [floor(m / x) for m in least]
    return [max(0, ceil(m / x) - 1) if x < 1 else 0 for m in least]


def test_caps_add_up_to_the_items_exactly_where_a_key_exists():
    rng = random.Random(5)
    seen = set()
    for _ in range(300):
        n_labels, n_items = rng.choice([2, 3]), rng.randint(1, 9)
        rows = [rng.choice(keys(n_items, n_labels)) for _ in range(rng.randint(1, 3))]
        x, strict = Fraction(rng.randint(1, 10), 10), rng.random() < 0.5
        possible = any(meets(key, rows, x, strict) for key in keys(n_items, n_labels))
        assert possible == (sum(caps(rows, x, strict)) >= n_items), (rows, x, strict)
        seen.add((possible, strict))
        summary = ae.Summary.from_counts(
            {f"j{i}": dict(zip("abc", row, strict=False)) for i, row in enumerate(rows)}
        )
        sign = ">" if strict else ">="
        alarm = ae.alarm(summary, f"accuracy {sign} {x}", order=1)
        assert alarm.triggered == (not possible), (rows, x, strict)
    assert len(seen) == 4
