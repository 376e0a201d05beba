"""Do rates in [0, 1] exist: against the closed form on every small table, and planted laws of four judges."""

from fractions import Fraction as F
from itertools import combinations_with_replacement, product
from math import lcm, prod

import numpy as np
import pytest

import algeval as ae
from algeval.algebra import rates_exist
from algeval.data import Sketch
from algeval.errors import DataError, TooLargeError

CELLS = ["".join(cell) for cell in product("ab", repeat=3)]


def law(share, rates):
    """{decision tuple: share} of judges who say a with chance x on label a and y on label b."""
    return {
        t: share * prod(x if said == "a" else 1 - x for said, (x, _) in zip(t, rates, strict=True))
        + (1 - share)
        * prod(y if said == "a" else 1 - y for said, (_, y) in zip(t, rates, strict=True))
        for t in product("ab", repeat=len(rates))
    }


def counted(table):
    items = lcm(*(share.denominator for share in table.values()))
    counts = {t: int(share * items) for t, share in table.items() if share}
    return Sketch.from_counts(
        counts, judges=[f"j{i}" for i in range(len(next(iter(table))))], labels=["a", "b"]
    )


def determinant(m):
    (a, b, c), (d, e, f), (g, h, i) = m
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def check(found, counts):
    """A no must come with numbers that prove it; they are checked here from scratch."""
    if found.minor is not None:
        assert determinant(found.minor.counts) == found.minor.determinant != 0
        sides = zip(found.minor.rows, found.minor.counts, strict=True)
        for row, values in sides:
            for column, value in zip(found.minor.columns, values, strict=True):
                said = dict(part.split("=") for part in f"{row} {column}".split())
                assert counts.get(tuple(said[j] for j in found.judges), 0) == value
    if found.violated:
        n = len(found.judges)
        assert {one.high for one in found.violated} == {
            h for h in product("ab", repeat=n) if h[0] == "b"
        }
    for one in found.violated:
        for place, high in enumerate(one.high):
            pair = {one.one[place], one.other[place]}
            assert one.join[place] == (high if high in pair else one.one[place])
            assert {one.meet[place], one.join[place]} == pair
        got = tuple(counts.get(t, 0) for t in (one.one, one.other, one.meet, one.join))
        assert got == one.counts
        assert got[0] * got[1] > got[2] * got[3]


def test_every_table_of_at_most_five_items_has_the_answer_of_the_closed_form():
    """1,286 tables: rates exist where decode finds them in [0, 1], or finds a whole family of them."""
    seen = set()
    for size in range(1, 6):
        for chosen in combinations_with_replacement(range(8), size):
            counts = {tuple(CELLS[i]): chosen.count(i) for i in set(chosen)}
            sketch = Sketch.from_counts(counts, labels=["a", "b"])
            decoded, found = ae.decode(sketch), rates_exist(sketch)
            assert found.exist is (bool(decoded.in_range) or decoded.status.value == "undetermined")
            assert found.minor is None
            assert bool(found.violated) is not found.exist
            check(found, counts)
            seen.add((decoded.status.value, found.exist))
    assert {("ok", True), ("irrational", False), ("out_of_range", False)} <= seen


@pytest.mark.parametrize("n_judges", [2, 3, 4, 5])
def test_planted_rates_exist_and_one_item_more_breaks_four_judges(n_judges):
    rates = [
        (F(3, 4), F(1, 3)),
        (F(1, 5), F(2, 3)),
        (F(1, 2), F(5, 6)),
        (F(1), F(1, 4)),
        (F(2, 3), F(0)),
    ]
    table = law(F(2, 5), rates[:n_judges])
    sketch = counted(table)
    assert rates_exist(sketch).exist
    counts = dict(sketch.to_counts())
    counts[next(iter(counts))] += 1
    moved = rates_exist(Sketch.from_counts(counts, judges=sketch.judges, labels=["a", "b"]))
    assert moved.exist is (n_judges < 4)
    assert (moved.minor is not None) is (n_judges >= 4)
    check(moved, counts)


def test_rates_beyond_one_have_ranks_of_two_and_are_refused_by_binomials():
    """Laws whose counts are whole and not negative, though a rate is not between 0 and 1."""
    rng = np.random.default_rng(4)
    refused = 0
    while refused < 12:
        rates = [(F(int(rng.integers(0, 5)), 4), F(int(rng.integers(0, 5)), 4)) for _ in range(3)]
        rates.append((F(int(rng.integers(5, 7)), 4), F(int(rng.integers(0, 4)), 4)))
        table = law(F(int(rng.integers(1, 4)), 4), rates)
        ranks = [x != y for x, y in rates]
        if min(table.values()) < 0 or sum(ranks) < 3:
            continue
        sketch = counted(table)
        found = rates_exist(sketch)
        assert not found.exist
        assert found.minor is None
        assert len(found.violated) == 8
        check(found, sketch.to_counts())
        refused += 1


def test_items_that_somebody_left_out_do_not_count():
    rows = {("a", "a", "a"): 4, ("b", "b", "b"): 3, ("a", "b", None): 9}
    assert rates_exist(Sketch.from_counts(rows, labels=["a", "b"])).n_used == 7


def test_words_tables_and_json():
    no = rates_exist(Sketch.from_counts({"aab": 3, "aba": 2, "baa": 2, "bbb": 1}))
    assert no.status.value == "inconsistent"
    assert "b,b,b higher: n(a,a,b)*n(a,b,a) > n(a,a,a)*n(a,b,b): 6 > 0" in no.summary()
    assert no.to_dict()["violated"][0]["counts"] == [3, 2, 0, 0]
    four = rates_exist(Sketch.from_counts({"aaaa": 5, "aabb": 3, "bbbb": 4, "abab": 2, "bbaa": 1}))
    assert "determinant other than 0" in four.message
    assert "5 0 3; 0 2 0; 1 0 4" in four.summary()
    yes = rates_exist(ae.example("acs"))
    assert yes.exist
    assert yes.message.startswith("Yes")


def test_what_is_refused():
    with pytest.raises(DataError, match="two or more judges who gave two answers"):
        rates_exist(Sketch.from_counts({"abc": 2}))
    with pytest.raises(DataError, match="got 1 judge"):
        rates_exist(Sketch.from_counts({"a": 2, "b": 1}))
    with pytest.raises(TooLargeError, match="at most 9 judges; got 10"):
        rates_exist(Sketch.from_counts({"a" * 10: 2, "b" * 10: 1}))
