"""Checking a certificate of twice the size takes about twice the time and memory, whatever its kind.

Every kind is made at a size n and at 2n, valid in both, and checked to its end. What grows is the
evidence in some cases and the data in others; a check may cost the size of the one times that of the
other, and never more than that.
"""

import json
import time
import tracemalloc
from fractions import Fraction as F
from itertools import product

import pytest

import algeval as ae
from algeval.data import Sketch, Specification
from algeval.verify import verify

MOST = 1.25
"""Times the growth of the file that grows, seconds and memory may grow: 2.5 for twice the size."""

MEMORY = 64
"""Bytes of memory for each byte of the two files, at most."""

SMALL = 1 << 16
"""Bytes by which the tables of Python itself may grow at once."""

HALF = Specification.at_least("1/2")


def document(data, order, evidence, spec=HALF, least=None, verdict="impossible", **claim):
    """Certificate on some data as JSON objects."""
    spec = spec.to_dict() | {"min_judges": least}
    claim |= {"verdict": verdict, "data": data.digest, "order": order, "missing": "excluded"}
    claim["specification"] = spec
    made = {"schema": "algeval.certificate/1", "claim": claim, "evidence": evidence}
    return made, data.to_dict()


def strangers(n_judges, n_labels=2):
    """One item on which every judge gave an answer that is no label, so that nobody is ever right."""
    labels = [f"l{t}" for t in range(n_labels)]
    return Sketch.from_counts({("z",) * n_judges: 1}, labels=labels)


def mixed(n_tuples, n_judges=12):
    """Distinct decision tuples of two labels, none of them near agreement."""
    rows = [row for row in product("ab", repeat=n_judges) if 4 <= row.count("a") <= 8]
    return Sketch.from_counts(dict.fromkeys(rows[:n_tuples], 3), labels=["a", "b"])


HIGH = Specification.at_least("9/10")


def cap(n):
    return document(strangers(1, n), 1, {"kind": "cap", "judges": ["1"] * n})


def weights(n):
    return document(mixed(n), "full", {"kind": "weights", "weights": [["1", "1"]] * 12}, HIGH)


def weights_of_few_judges(n):
    """Judges without a weight are named by null."""
    data = strangers(n)
    return document(data, "full", {"kind": "weights", "weights": [["1", "1"]] + [None] * (n - 1)})


def multipliers(n):
    """Each condition once, and of each tuple what its commonest label lacks."""
    data = mixed(n)
    rows = [[["condition", 0, i, t], "1"] for i in range(12) for t in (0, 1)]
    rows += [[["label", t], "-54/5"] for t in (0, 1)]
    for u, codes in enumerate(data.codes.tolist()):
        lacking = F(54, 5) - max(codes.count(0), codes.count(1))
        rows.append([["tuple", u], str(lacking)])
    return document(data, "full", {"kind": "multipliers", "rows": rows}, HIGH)


def multipliers_of_many_conditions(n):
    """Distinct rows, each as long as the data, which do not change."""
    data = mixed(200)
    spec = HIGH
    for k in range(n):
        spec = spec & Specification.accuracy(">=", F(1, k + 2), judge="1")
    rows = multipliers(200)[0]["evidence"]["rows"]
    rows += [[["condition", k + 1, 0, 0], "0"] for k in range(n)]
    return document(data, "full", {"kind": "multipliers", "rows": rows}, spec)


def branches(n):
    """Splits on how much a judge has right, which is as long as the data, which do not change."""
    inner = weights(400)[0]["evidence"]
    for s in reversed(range(n)):
        low = {"kind": "multipliers", "rows": [[["split", s], "1"]]}
        inner = {"split": ["correct", s % 12, 0], "at": -1, "low": low, "high": inner}
    return document(mixed(400), "full", {"kind": "branches", "tree": inner}, HIGH)


def chains(n):
    """Two judges who never agree, at order 2: a case for every number of items of the first label."""
    low = ["1", ["condition", 0, 0], []]
    high = ["2", ["condition", 0, 0], [["1", "together"]]]
    cases = [{"items": [q, q], "at_least": low, "at_most": high} for q in range(n + 1)]
    cases[0] |= {"at_least": ["1", ["condition", 0, 1], []], "at_most": ["1", ["all"], []]}
    data = Sketch.from_counts({"ab": n // 2, "ba": n // 2}, labels=["a", "b"])
    return document(data, 2, {"kind": "chains", "cases": cases}, HIGH)


def together(n):
    """Two judges of many answers and a copy, who are seen together at order 2."""
    rows = {(f"z{k}", f"z{k + 1}", f"z{k}"): 1 for k in range(n)}
    inner = {"kind": "weights", "weights": [["1", "1"], ["1", "1"], ["0", "0"]]}
    data = Sketch.from_counts(rows, labels=["a", "b"])
    return document(data, 2, {"kind": "together", "evidence": inner})


def conflicts(n, pairs=None):
    """Judges that fail alone, one below the other, then pairs whose two branches meet again."""
    pairs = n // 10 if pairs is None else pairs
    data = strangers(n + 2 * pairs)
    names = data.judges
    twos = [list(names[n + 2 * b : n + 2 * b + 2]) for b in range(pairs)]
    sets = [[name] for name in names[:n]] + twos
    listed = [
        {"judges": members, "evidence": {"kind": "cap", "judges": [members[0]] * 2}}
        for members in sets
    ]
    nodes = [
        {"conflict": k, "children": dict.fromkeys(members, k + 1)} for k, members in enumerate(sets)
    ]
    evidence = {"kind": "conflicts", "conflicts": listed, "tree": 0, "nodes": [*nodes, None]}
    return document(data, 1, evidence, least=len(names) - len(sets) + 1)


def conflicts_of_many_tuples(n):
    """The same judges in ever other sets: what they answered together is not kept for each."""
    data = mixed(300)
    sets = [
        [name for name, bit in zip(data.judges, f"{k:012b}", strict=True) if bit == "0"]
        for k in range(n)
    ]
    listed = [
        {"judges": members, "evidence": {"kind": "weights", "weights": [["1", "1"]] * len(members)}}
        for members in sets
    ]
    evidence = {"kind": "conflicts", "conflicts": listed, "tree": 0}
    evidence["nodes"] = [{"conflict": 0, "children": dict.fromkeys(sets[0])}]
    return document(data, "full", evidence, Specification.at_least("1"), least=12)


def disjoint(n):
    """Judges whose intervals of key counts are empty stand in no chain."""
    return document(strangers(n), 1, {"kind": "conflicts", "chains": []}, least=1)


def tallies(n):
    spec = Specification.grade(">=", "9/10")
    return document(mixed(n), "full", {"kind": "tallies"}, spec, least=12)


def witness(data, order):
    found = ae.alarm(data, 0, order=order).certificate
    return found.to_dict(), data.to_dict()


def witness_of_judges(n):
    return witness(Sketch.from_counts({("a", "b") * (n // 2): 2, ("b", "a") * (n // 2): 3}), 1)


def witness_of_pairs(n):
    rows = {tuple("ab"[(i * k) % 2] for i in range(n)): k for k in range(1, 4)}
    return witness(Sketch.from_counts(rows, labels=["a", "b"]), 2)


def witness_of_triples(n):
    rows = {tuple("ab"[(i * k) % 2] for i in range(n)): k for k in range(1, 4)}
    return witness(Sketch.from_counts(rows, labels=["a", "b"]), 3)


def witness_of_tuples(n):
    return witness(mixed(n), "full")


def keys(n):
    """All answer keys of n items, and a tree that leaves one after the other."""
    data = Sketch.from_counts({"z": n}, labels=["a", "b"])
    shown = [
        {"kind": "witness", "key_counts": [q, n - q], "tables": [[[0, 0], [0, 0], [q, n - q]]]}
        for q in range(n + 1)
    ]
    tree = {"kind": "listed"}
    for q in reversed(range(n)):
        tree = {"split": ["key", 0], "at": q, "low": {"kind": "listed"}, "high": tree}
    evidence = {"kind": "keys", "witnesses": shown, "tree": tree}
    listed = [[q, n - q] for q in range(n + 1)]
    more = {"verdict": "keys", "keys": listed, "every": True}
    return document(data, 1, evidence, Specification.at_least(0), **more)


def floor(data, order, **more):
    claim = {"data": data.digest, "order": order, "judges": list(data.judges), "right": 10**6}
    evidence = {"kind": "tallies"}
    return {
        "schema": "algeval.floor/1",
        "claim": claim | more,
        "evidence": evidence,
    }, data.to_dict()


def floor_of_tuples(n):
    return floor(mixed(n), "full")


def floor_of_labels(n):
    labelled = [[codes, 0, 1] for codes in mixed(n).codes.tolist()]
    return floor(mixed(n), "full", labelled=labelled)


def floor_of_judges(n):
    return floor(strangers(n), 1)


SIZES = {
    cap: 3000,
    weights: 1000,
    weights_of_few_judges: 2000,
    multipliers: 1000,
    multipliers_of_many_conditions: 100,
    branches: 100,
    chains: 400,
    together: 1000,
    conflicts: 400,
    conflicts_of_many_tuples: 60,
    disjoint: 1500,
    tallies: 1000,
    witness_of_judges: 200,
    witness_of_pairs: 20,
    witness_of_triples: 8,
    witness_of_tuples: 1000,
    keys: 200,
    floor_of_tuples: 1000,
    floor_of_labels: 1000,
    floor_of_judges: 2000,
}
"""Each kind with its n."""


def cost(made, data):
    """Seconds of the processor (the least of some), and the most memory at a time."""
    seconds = []
    for _ in range(5):
        start = time.process_time()
        found = verify(made, data)
        seconds.append(time.process_time() - start)
        assert found, found.sentence
    tracemalloc.start()
    try:
        verify(made, data)
        memory = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    return min(seconds), memory


@pytest.mark.parametrize("kind", SIZES, ids=lambda kind: kind.__name__)
def test_twice_the_size_is_twice_the_cost(kind):
    n = SIZES[kind]
    small, large = kind(n), kind(2 * n)
    sizes = [[len(json.dumps(part)) for part in made] for made in (small, large)]
    growth = max(b / a for a, b in zip(*sizes, strict=True))
    for _ in range(3):  # a machine that others use may be slow for a moment
        (seconds, memory), (later, more) = cost(*small), cost(*large)
        assert more <= MEMORY * sum(sizes[1])
        if later <= MOST * growth * seconds and more <= MOST * growth * memory + SMALL:
            return
    raise AssertionError(
        f"{growth:.2f} times the size: {later / seconds:.2f} times the seconds, "
        f"{more / memory:.2f} times the memory"
    )


@pytest.mark.parametrize("pairs", [15, 18, 60])
def test_branches_of_blame_that_meet_again_are_followed_once(pairs):
    """2 ** pairs paths lead to the last judge, and as many sets of judges are blamed on them."""
    made, data = conflicts(300, pairs)
    seconds, memory = cost(made, data)
    assert memory < 4_000_000
    assert seconds < 5
    made["claim"]["specification"]["min_judges"] -= 1
    assert "at least" in verify(made, data).sentence
    assert not verify(made, data)


@pytest.mark.parametrize("order", [2, 10])
def test_tables_that_are_not_there_are_not_listed_to_say_so(order):
    """There are 3,160 pairs of 80 judges, and more than a million million sets of ten."""
    data = strangers(80)
    table = [[[0, 0], [0, 0], [1, 0]]] * 80
    name = "pairs" if order == 2 else "sets"
    evidence = {"kind": "witness", "key_counts": [1, 0], "tables": table, name: []}
    made, counts = document(data, order, evidence, Specification.at_least(0), verdict="possible")
    start = time.process_time()
    found = verify(made, counts)
    assert "the witness must have one table for each" in found.sentence
    assert time.process_time() - start < 5
