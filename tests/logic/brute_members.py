"""Every answer key of a small exam, item by item, and what each order sees of it."""

from itertools import combinations, product

import numpy as np

from algeval.data import Sketch


def random_sketch(seed):
    """A small exam; some have missing answers or answers that are no label."""
    rng = np.random.default_rng(seed)
    judges = 2 + seed % 2
    labels = 2 + (seed // 2) % 2
    answers = labels + (seed % 5 == 0)
    n_items = {2: 5, 3: 4}[labels]
    low = -1 if seed % 3 == 0 else 0
    codes = rng.integers(low, answers, (n_items, judges))
    names = "abcd"
    return Sketch(
        list("xyz"[:judges]),
        list(names[:labels]),
        list(names[:answers]),
        codes,
        np.ones(n_items, int),
    )


def consistent(sketch):
    """Return {order: set of (q, tables, pairs or cells)} by full search at orders 1 and 2."""
    result = {1: order_1(sketch), "full": full(sketch)}
    if sketch.n_judges == 3:
        result[2] = order_2(sketch)
    return result


def table(rows, truth, height, labels):
    """Count (row, true label) into a table of nested tuples."""
    counts = np.zeros((height, labels), int)
    for a, t in zip(rows, truth, strict=True):
        counts[a, t] += 1
    return tuple(map(tuple, counts.tolist()))


def items(sketch):
    """Return one row of answers per item, an item left out as the last answer."""
    codes = np.repeat(sketch.codes, sketch.counts, axis=0).astype(int)
    codes[codes < 0] = sketch.n_answers
    return codes


def height(sketch):
    return sketch.n_answers + (not sketch.complete)


def order_1(sketch):
    """Each judge's items may have any true labels, as long as the key counts are the same."""
    labels, codes = sketch.n_labels, items(sketch)
    by_key = {}
    truths = list(product(range(labels), repeat=len(codes)))
    for i in range(sketch.n_judges):
        for truth in truths:
            key = tuple(truth.count(t) for t in range(labels))
            found = by_key.setdefault(key, [set() for _ in range(sketch.n_judges)])
            found[i].add(table(codes[:, i], truth, height(sketch), labels))
    return {(key, tables) for key, options in by_key.items() for tables in product(*options)}


def pair_of(codes, i, j, truth, size, labels):
    counts = np.zeros((size, size, labels), int)
    for row, t in zip(codes, truth, strict=True):
        counts[row[i], row[j], t] += 1
    return tuple(tuple(map(tuple, plane)) for plane in counts.tolist())


def order_2(sketch):
    """Each pair's items may have any true labels, as long as the judges' tables are the same."""
    labels, codes, size = sketch.n_labels, items(sketch), height(sketch)
    options = {}
    for i, j in combinations(range(3), 2):
        found = options[i, j] = {}
        for truth in product(range(labels), repeat=len(codes)):
            margins = tuple(table(codes[:, k], truth, size, labels) for k in (i, j))
            found.setdefault(margins, set()).add(pair_of(codes, i, j, truth, size, labels))
    result = set()
    for key, tables in order_1(sketch):
        pairs = [
            options[i, j].get((tables[i], tables[j]), ()) for i, j in combinations(range(3), 2)
        ]
        for chosen in product(*pairs):
            named = [(i, j, p) for (i, j), p in zip(combinations(range(3), 2), chosen, strict=True)]
            result.add((key, tables, tuple(named)))
    return result


def full(sketch):
    labels = sketch.n_labels
    place = np.repeat(np.arange(len(sketch)), sketch.counts)
    result = set()
    for truth in product(range(labels), repeat=len(place)):
        key = tuple(truth.count(t) for t in range(labels))
        result.add((key, table(place, truth, len(sketch), labels)))
    return result


def point(sketch, member):
    """Project a member on (q, correct counts)."""
    labels = range(sketch.n_labels)
    if (
        len(member) == 2
        and len(member[1]) == len(sketch)
        and not isinstance(member[1][0][0], tuple)
    ):
        cells = np.array(member[1]).reshape(len(sketch), -1)
        correct = tuple(
            tuple(int(cells[sketch.codes[:, i] == t, t].sum()) for t in labels)
            for i in range(sketch.n_judges)
        )
        return member[0], correct
    return member[0], tuple(tuple(m[t][t] for t in labels) for m in member[1])
