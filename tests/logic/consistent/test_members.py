"""Listing and membership: two engines and brute force, and the traps another package falls into."""

import importlib.util
import subprocess
import sys
from collections import Counter
from itertools import combinations_with_replacement, islice, product
from pathlib import Path

import numpy as np
import pytest

from algeval.data import KeyedSketch, Sketch, Summary
from algeval.errors import DataError, TooLargeError
from algeval.logic import (
    Cells,
    Point,
    Tables,
    alarm,
    axioms,
    count_consistent,
    evaluations,
    is_consistent,
    members,
)

_spec = importlib.util.spec_from_file_location(
    "brute_members", Path(__file__).parents[1] / "brute_members.py"
)
brute = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(brute)

SEEN = Summary.from_counts({"x": {"a": 4, "b": 6}})
TRIO = Sketch.from_counts({"baa": 1, "aba": 1, "aab": 1, "bbb": 1})


def plain(member):
    return tuple(part for part in member if part != ())


def orders_of(sketch):
    return [1, 2, "full"] if sketch.n_judges == 3 else [1, "full"]


@pytest.mark.parametrize("seed", range(12))
def test_listing_equals_brute_force(seed):
    sketch = brute.random_sketch(seed)
    for order, expected in brute.consistent(sketch).items():
        listed = members(sketch, order=order)
        found = list(islice(listed, 200_000))
        assert len(found) == listed.count
        assert {plain(member) for member in found} == expected
        assert found == sorted(found, reverse=True)
        key = found[len(found) // 2].key_counts
        at_key = list(members(sketch, order=order, key_counts=key))
        assert at_key == [member for member in found if member.key_counts == key]


SMALL = [
    Sketch.from_counts({"ab": 1, "ba": 1}),
    Sketch.from_counts({"aa": 2, "ab": 1}),
    Sketch.from_counts({"a.": 1, ".b": 1, "bb": 1}),
    Sketch.from_counts({"aba": 1, "bab": 1, "bbb": 1}),
    TRIO,
    Sketch.from_counts({"abc": 1, "cba": 1}),
    Sketch.from_counts({"an": 1, "bb": 2}, labels=list("ab"), answers=list("abn")),
]


@pytest.mark.parametrize("place", range(len(SMALL)))
def test_the_engines_agree_member_by_member(place):
    sketch = SMALL[place]
    for order in orders_of(sketch):
        listed = members(sketch, order=order)
        if listed.count > 130:
            key = next(iter(listed)).key_counts
            key = (key[0] - 1, 1, *key[2:])
            listed = members(sketch, order=order, key_counts=key)
        program = members(sketch, order=order, key_counts=listed.key_counts, engine="pulp")
        assert list(program) == list(listed)


def test_the_engines_agree_at_a_key():
    for key in product(range(5), repeat=2):
        if sum(key) == 4:
            for order in (2, "full"):
                one = members(TRIO, order=order, key_counts=key)
                other = members(TRIO, order=order, key_counts=key, engine="pulp")
                assert list(one) == list(other)


def small_exams(judges, n_items):
    tuples = ["".join(u) for u in product("ab", repeat=judges)]
    for chosen in combinations_with_replacement(tuples, n_items):
        yield Sketch.from_counts(Counter(chosen), labels=["a", "b"])


@pytest.mark.slow
@pytest.mark.parametrize(("judges", "n_items"), [(2, 1), (2, 2), (2, 3), (3, 1), (3, 2)])
def test_the_engines_agree_on_every_small_exam(judges, n_items):
    for sketch in small_exams(judges, n_items):
        for order in orders_of(sketch):
            program = members(sketch, order=order, engine="pulp")
            assert list(program) == list(members(sketch, order=order))


def test_the_peer_s_valid_points_are_the_members():
    """Where the peer's generator starts from enough capacity it is right, and agrees with ours."""
    peer = pytest.importorskip("ntqr.evaluations")
    counts = {("a", "a"): 2, ("a", "b"): 1, ("b", "b"): 3}
    sketch = Sketch.from_counts(counts, judges=["i", "j"])
    known = peer.ConsistentSet(("a", "b"), ("i", "j"), {("b", "a"): 0, **counts})
    for key in ((3, 3), (2, 4), (6, 0)):
        theirs = set()
        for point in known.set_generator(key):
            cells = np.array([part.toarray().ravel() for part in point]).T
            theirs.add(tuple(map(tuple, cells[cells.sum(1) > 0].tolist())))
        ours = members(sketch, order="full", key_counts=key)
        assert theirs == {member.cells for member in ours}


def test_no_point_above_the_largest_key_count():
    """Responses (4, 6) at q = (5, 5): five tables, each with five items of each label."""
    found = list(members(SEEN, key_counts=(5, 5)))
    assert [m.tables[0] for m in found] == [((4 - k, k), (1 + k, 5 - k)) for k in range(5)]
    assert all(is_consistent(member, SEEN) for member in found)


def test_the_axioms_are_not_ignored():
    """Responses (4, 6) at q = (6, 4): 25 tables have the right columns, 5 of them obey the axioms."""
    columns = [
        ((x, y), (6 - x, 4 - y)) for x in range(5) for y in range(5) if 6 - x <= 6 and 4 - y <= 6
    ]
    assert len(columns) == 25
    verdicts = [is_consistent(Tables((6, 4), (table,)), SEEN) for table in columns]
    assert sum(v.ok for v in verdicts) == 5 == members(SEEN, key_counts=(6, 4)).count
    broken = [v for v in verdicts if not v.ok]
    assert all(
        v.violated[0].startswith("observation axiom: x = a was seen 4 times") for v in broken
    )


def test_the_axioms_are_not_ignored_at_order_two():
    """Two binary judges at q = (6, 4), pairs aa 3, ab 1, ba 2, bb 4: brute force over every table."""
    sketch = Sketch.from_counts({"aa": 3, "ab": 1, "ba": 2, "bb": 4})
    ranges = [range(n + 1) for n in (3, 1, 2, 4)]
    by_hand = {d for d in product(*ranges) if sum(d) == 6}
    found = list(members(sketch, order=2, key_counts=(6, 4)))
    assert {tuple(cell[0] for cell in m.cells) for m in found} == by_hand
    assert len(found) == len(by_hand)


def test_every_member_obeys_the_generated_axioms():
    sketch = Sketch.from_counts({"ab": 1, "ba": 2, "bb": 1}, judges=list("ij"))
    known = axioms(2)
    for member in members(sketch, order="full"):
        assert set(known.residuals(member.keyed(sketch))) == {0}


def test_points_of_the_tables_are_the_evaluations():
    seen = Summary.from_counts({"x": {"a": 2, "b": 1, "c": 1}, "y": {"b": 4}}, labels=list("abc"))
    shadows = {(m.key_counts, m.correct) for m in members(seen)}
    assert shadows == {(p.key_counts, p.correct) for p in evaluations(seen)}


def test_membership_equals_brute_force_on_points():
    """Every conceivable point of small exams, at every order."""
    for seed in (0, 1, 4, 5):
        sketch = brute.random_sketch(seed)
        n_items, labels, judges = sketch.n_items, sketch.n_labels, sketch.n_judges
        everything = brute.consistent(sketch)
        inside = {
            order: {brute.point(sketch, m) for m in listed} for order, listed in everything.items()
        }
        rng = np.random.default_rng(seed)
        for _ in range(60):
            cuts = sorted(rng.integers(0, n_items + 1, labels - 1).tolist())
            key = tuple(b - a for a, b in zip([0, *cuts], [*cuts, n_items], strict=True))
            correct = tuple(tuple(int(rng.integers(0, q + 1)) for q in key) for _ in range(judges))
            for order, points in inside.items():
                verdict = is_consistent(Point(key, correct), sketch, order=order)
                assert verdict.ok == ((key, correct) in points), (seed, key, correct, order)
                assert bool(verdict.violated) != verdict.ok


def test_membership_of_tables_at_higher_orders():
    """Tables of order 1 and 2 lie under something of full order exactly when a listing says so."""
    cells = list(members(TRIO, order="full", key_counts=(2, 2)))
    pairs = list(members(TRIO, order=2, key_counts=(2, 2)))
    singles = list(members(TRIO, order=1, key_counts=(2, 2)))
    with_pairs = {m.tables for m in pairs}
    full = {judge_tables(TRIO, m) for m in cells}
    for member in singles:
        assert is_consistent(member, TRIO, order=2).ok == (member.tables in with_pairs)
        assert is_consistent(member, TRIO, order="full").ok == (member.tables in full)
    verdicts = [is_consistent(member, TRIO, order="full") for member in pairs]
    assert any(v.ok for v in verdicts)
    failing = [v for v in verdicts if not v.ok]
    assert failing  # pairwise tables that no full table realises
    assert failing[0].violated == ("no answer key laid on the decision tuples gives this",)
    assert is_consistent(pairs[0], TRIO, order=1).ok


def judge_tables(sketch, member):
    cells = np.array(member.cells)
    found = []
    for i in range(sketch.n_judges):
        table = np.zeros((sketch.n_answers, sketch.n_labels), int)
        np.add.at(table, sketch.codes[:, i], cells)
        found.append(tuple(map(tuple, table.tolist())))
    return tuple(found)


def test_each_axiom_is_named_with_its_numbers():
    said = {
        "size axiom: the answer-key counts sum to 9, not 10": Point((6, 3), ((2, 1),)),
        "counts are not negative: the answer key has -1 items of b": Point((11, -1), ((2, 0),)),
        "x is right 5 times on a but answered it only 4 times": Point((7, 3), ((5, 1),)),
        "x is right 4 times on b but only 3 items are b": Point((7, 3), ((4, 4),)),
        "counts are not negative: x is right -1 times on a": Point((7, 3), ((-1, 1),)),
        "single-judge axiom of x on b: 1 - 3 + 4 = 2 answers other than b are on other items, "
        "but 3 are right there": Point((7, 3), ((3, 1),)),
        "observation axiom: x = a was seen 4 times, but by true label [3, 2] sum to 5": Tables(
            (7, 3), (((3, 2), (4, 1)),)
        ),
        "simplex axiom: the answers of x on items of a sum to 6, not 7": Tables(
            (7, 3), (((3, 1), (3, 3)),)
        ),
        "counts are not negative: x = b has [8, -2]": Tables((7, 3), (((-1, 5), (8, -2)),)),
    }
    for sentence, member in said.items():
        verdict = is_consistent(member, SEEN)
        assert not verdict.ok
        assert sentence in verdict.violated
        assert sentence in verdict.summary()


def test_pair_axioms_are_named_with_their_numbers():
    good = next(iter(members(TRIO, order=2, key_counts=(2, 2))))
    i, j, table = good.pairs[0]
    swapped = tuple(tuple(cell[::-1] for cell in row) for row in table)
    wrong = good._replace(pairs=((i, j, swapped), *good.pairs[1:]))
    verdict = is_consistent(wrong, TRIO)
    assert any(
        text.startswith("marginalisation axiom: the pair 1, 2 has") for text in verdict.violated
    )
    more = tuple(tuple((cell[0] + 1, cell[1]) for cell in row) for row in table)
    verdict = is_consistent(good._replace(pairs=((i, j, more), *good.pairs[1:])), TRIO)
    assert "observation axiom: 1, 2 = a, a was seen 1 times" in verdict.violated[0]
    assert is_consistent(good, TRIO).ok


def test_full_order_and_keyed_sketches():
    sketch = Sketch.from_counts({"ab": 2, "ba": 1}, judges=list("ij"))
    keyed = KeyedSketch.from_counts({"a": {"ab": 2}, "b": {"ba": 1}}, judges=list("ij"))
    assert is_consistent(keyed, sketch)
    assert is_consistent(Cells((2, 1), ((2, 0), (0, 1))), sketch)
    bad = is_consistent(Cells((2, 1), ((1, 1), (0, 1))), sketch)
    assert bad.violated == (
        "simplex axiom: the answers of decision tuples on items of a sum to 1, not 2",
        "simplex axiom: the answers of decision tuples on items of b sum to 2, not 1",
    )
    seen = is_consistent(Cells((2, 1), ((1, 0), (1, 1))), sketch).violated[0]
    assert seen == "observation axiom: a, b was seen 2 times, but by true label [1, 0] sum to 1"
    with pytest.raises(DataError, match="member must be an exam with these votes"):
        is_consistent(keyed, Sketch.from_counts({"ab": 1, "ba": 2}, judges=list("ij")))


def test_the_row_of_items_left_out_may_be_left_out():
    sketch = Sketch.from_counts({"a": 1, "b": 1, ".": 1}, judges=["x"])
    for member in members(sketch):
        assert len(member.tables[0]) == 3
        assert is_consistent(member, sketch)
        assert is_consistent(Tables(member.key_counts, (member.tables[0][:2],)), sketch)


def test_arrays_and_lists_are_members_too():
    assert is_consistent(Point([7, 3], np.array([[2, 1]])), SEEN)
    assert is_consistent(Tables(np.array([7, 3]), [[[2, 2], [5, 1]]]), SEEN)
    assert is_consistent(Cells((2, 2), np.array([[0, 1], [1, 0], [0, 1], [1, 0]])), TRIO)
    assert not is_consistent(Point([7, 3], np.array([[3, 1]])), SEEN)


def test_an_alarm_set_exactly_at_what_is_attained_is_silent():
    """Floats are read as the decimals they print: 0.7 is 7/10, and 7 of 10 attains it."""
    pair = Summary.from_counts({"x": {"a": 7, "b": 13}, "y": {"a": 13, "b": 7}})
    assert not alarm(pair, at_least=0.7).triggered
    assert alarm(pair, at_least=0.7001).triggered
    grades = {"authors": {"a": 5, "b": 10, "tie": 10}, "gpt4": {"a": 4, "b": 18, "tie": 3}}
    bench = Summary.from_counts(grades)
    assert not alarm(bench, at_least="2/3").triggered
    assert alarm(bench, at_least="2000001/3000000").triggered


def test_checks_hold_without_asserts():
    """Python's -O removes assert; the input checks and verdicts must not go with it."""
    code = (
        "from algeval.logic import Point, is_consistent, members, sample_consistent, axioms\n"
        "from algeval.data import Summary\n"
        "from algeval.errors import DataError\n"
        "seen = Summary.from_counts({'x': {'a': 4, 'b': 6}})\n"
        "calls = [lambda: members(seen, key_counts=(5, 6)), lambda: is_consistent((5, 5), seen),\n"
        "         lambda: sample_consistent(seen, -1), lambda: axioms(0),\n"
        "         lambda: is_consistent(Point((5, 5), ((1,),)), seen)]\n"
        "refused = 0\n"
        "for call in calls:\n"
        "    try:\n"
        "        call()\n"
        "    except DataError:\n"
        "        refused += 1\n"
        "print(__debug__, refused, is_consistent(Point((7, 3), ((3, 1),)), seen).ok,\n"
        "      members(seen, key_counts=(5, 5)).count)\n"
    )
    done = subprocess.run(
        [sys.executable, "-O", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "5", "False", "5"]


def test_listing_is_lazy():
    huge = Summary(list("uvwxyz"), ["a", "b"], ["a", "b"], np.full((6, 2), 50), 100)
    first = list(islice(members(huge), 2))
    assert [m.key_counts for m in first] == [(100, 0), (99, 1)]
    assert members(huge).count == count_consistent(huge)


def test_what_is_refused():
    triple = Summary(list("xyz"), ["a", "b"], ["a", "b"], np.full((3, 2), 20), 40)
    with pytest.raises(TooLargeError, match="9261 integer programs would be solved, more than"):
        members(triple, key_counts=(20, 20), engine="pulp")
    with pytest.raises(DataError, match="engine must be one of"):
        members(SEEN, engine="cbc")
    with pytest.raises(DataError, match="member must be a Point, Tables, Cells or KeyedSketch"):
        is_consistent((5, 5), SEEN)
    with pytest.raises(DataError, match=r"correct must be whole numbers of shape \(1, 2\)"):
        is_consistent(Point((5, 5), ((1.0, 2.0),)), SEEN)
    with pytest.raises(DataError, match="order must be 'full' for cells"):
        is_consistent(Cells((2, 2), ((0, 1),) * 4), TRIO, order=1)
    good = next(iter(members(TRIO, order=2)))
    with pytest.raises(DataError, match="pairs must be"):
        is_consistent(good._replace(pairs=good.pairs[:1]), TRIO)


def test_the_results_say_what_they_hold():
    found = members(SEEN, key_counts=(6, 4))
    assert found.message == "5 tables are consistent with how 1 judge answered."
    assert "not probable" in found.summary()
    document = found.to_dict()
    assert document["schema"] == "algeval.members/1"
    assert document["count"] == 5
    assert "found" not in document
    assert is_consistent(Point((6, 4), ((4, 4),)), SEEN).to_dict()["ok"] is True
