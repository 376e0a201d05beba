"""Changes to JSON documents: numbers, names, rows, signs, deletions, and text that is hardly JSON."""

from __future__ import annotations

import copy
import json
from fractions import Fraction

HOSTILE = [
    None, True, False, 0, -1, 1.0, 0.5, float("nan"), float("inf"), 10**30, -(10**400), 10**5000,
    "", "1/0", "-1/2", "1/-2", "nan", "inf", "1e9", "１/２", " 1/2 ", "0x1", "1_0", [], {}, [[]],
    "j0", "\u202e", "full", 2**63,
]  # fmt: skip
"""Values that a field of a certificate should not have, or hardly ever."""


def places(document):
    """Every (container, key) of a JSON document."""
    found, waiting = [], [document]
    while waiting:
        inside = waiting.pop()
        keys = list(inside) if isinstance(inside, dict) else range(len(inside))
        for key in keys:
            found.append((inside, key))
            if isinstance(inside[key], dict | list):
                waiting.append(inside[key])
    return found


def changed_number(rng, value):
    """Return a number near, far, or on the other side of zero; fractions stay text."""
    number = Fraction(value)
    steps = [
        Fraction(1),
        Fraction(-1),
        -2 * number,
        number,
        Fraction(rng.randint(-9, 9), rng.randint(1, 9)),
    ]
    new = number + rng.choice(steps)
    if isinstance(value, str):
        return str(new)
    return int(new)


def is_number(value):
    """Whether a value is a whole number or a fraction in text."""
    if isinstance(value, str):
        return value.replace("/", "", 1).lstrip("-").isdigit() and not value.endswith(("/", "/0"))
    return isinstance(value, int) and not isinstance(value, bool)


def change_value(rng, document):
    """Change one number, or put one name in the place of another."""
    inside, key = rng.choice(places(document))
    value = inside[key]
    if is_number(value) and rng.random() < 0.9:
        inside[key] = changed_number(rng, value)
    elif isinstance(value, str):
        inside[key] = rng.choice([v[k] for v, k in places(document) if isinstance(v[k], str)])
    else:
        change_rows(rng, document)


def change_rows(rng, document):
    """Drop, repeat, swap or reverse what a list or an object holds."""
    whole = [v[k] for v, k in places(document) if isinstance(v[k], list) and v[k]]
    if not whole:
        return
    rows = rng.choice(whole)
    place, other = rng.randrange(len(rows)), rng.randrange(len(rows))
    action = rng.choice(["drop", "repeat", "swap", "swap", "reverse"])
    if action == "drop":
        del rows[place]
    elif action == "repeat":
        rows.insert(other, copy.deepcopy(rows[place]))
    elif action == "swap":
        rows[place], rows[other] = rows[other], rows[place]
    else:
        rows.reverse()


def change_field(rng, document):
    """Delete a field, rename it, or add one."""
    fields = [(v, k) for v, k in places(document) if isinstance(v, dict)]
    inside, key = rng.choice(fields)
    value = inside[key] if rng.random() < 0.5 else inside.pop(key)
    if rng.random() < 0.5:
        inside[rng.choice([k for _, k in fields] + ["more"])] = value


def change_kind(rng, document):
    """Put something hostile where something else was."""
    inside, key = rng.choice(places(document))
    inside[key] = rng.choice(HOSTILE)


def change_subtree(rng, document):
    """Put a part of the document in the place of another part."""
    inside, key = rng.choice(places(document))
    other, where = rng.choice(places(document))
    inside[key] = copy.deepcopy(other[where])


def change_claim(rng, document):
    """Claim something else of the same evidence."""
    claim = document["claim"]
    spec = claim["specification"]
    action = rng.choice(
        ["verdict", "order", "missing", "min_judges", "condition", "condition", "drop"]
    )
    if action == "verdict":
        claim["verdict"] = rng.choice(["possible", "impossible"])
    elif action == "order":
        claim["order"] = rng.choice([1, 2, 3, "full"])
    elif action == "missing":
        claim["missing"] = rng.choice(["excluded", "wrong"])
    elif action == "min_judges":
        spec["min_judges"] = rng.choice([None, 1, 2, 3])
    elif action == "drop":
        rng.shuffle(spec["conditions"])
        del spec["conditions"][1:]
    else:
        change_condition(rng, rng.choice(spec["conditions"]))


def change_condition(rng, condition):
    """Ask a little more, a little less, or of somebody else."""
    field = rng.choice(["value", "value", "sense", "judge", "label"])
    if field == "value":
        step = Fraction(rng.choice([-1, 1]), rng.choice([3, 8, 50, 1000]))
        condition["value"] = str(
            min(Fraction(1), max(Fraction(0), Fraction(condition["value"]) + step))
        )
    elif field == "sense":
        condition["sense"] = rng.choice([">=", ">", "<="])
    else:
        names = [None, "j0", "j1"] if field == "judge" else [None, "a", "b", "c"]
        condition[field] = rng.choice(names)


CHANGES = [
    change_value, change_value, change_value, change_rows, change_field, change_kind, change_subtree,
    change_claim, change_claim,
]  # fmt: skip


def mutant(rng, document):
    """Return the document with one to three changes; a document without a claim may stay as it is."""
    changed = copy.deepcopy(document)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        try:
            rng.choice(CHANGES)(rng, changed)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, ZeroDivisionError):
            continue  # an earlier change took away what this one needs
    return changed


def mutant_text(rng, text):
    """Return the text of a document with keys repeated, numbers that are none, or bytes lost."""
    action = rng.choice(["repeat", "constant", "cut", "digit", "byte", "deep"])
    place = rng.randrange(len(text))
    if action == "repeat":
        return text.replace('"kind":', '"kind": "witness", "kind":', 1)
    if action == "constant":
        numbers = [i for i, c in enumerate(text) if c.isdigit()]
        place = rng.choice(numbers or [0])
        return (
            text[:place] + rng.choice(["NaN", "Infinity", "1e400", "-0", "01"]) + text[place + 1 :]
        )
    if action == "cut":
        return text[:place]
    if action == "digit":
        return text.replace(str(rng.randint(0, 9)), rng.choice("０１２９٣"), 1)
    if action == "deep":
        return text.replace("[", "[" * rng.choice([2, 5000]), 1)
    return text[:place] + chr(rng.randrange(0x250)) + text[place + 1 :]


def as_text(document):
    """Return the document as JSON, NaN and Infinity included."""
    return json.dumps(document)
