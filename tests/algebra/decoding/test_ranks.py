"""Who is blind: against planted confusion tables whose rank is known."""

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest

import algeval as ae
from algeval.algebra.trios import blind_judges, flattening_ranks, trio_of
from algeval.data import Evaluation, Sketch
from algeval.models.independent import exact_exam

SEES = [[F(4, 5), F(1, 10), F(1, 10)], [F(1, 10), F(7, 10), F(1, 5)], [F(1, 5), F(1, 5), F(3, 5)]]
HALF = [[F(4, 5), F(1, 10), F(1, 10)], [F(1, 10), F(1, 2), F(2, 5)], [F(1, 10), F(1, 2), F(2, 5)]]
BLIND = [[F(1, 2), F(1, 4), F(1, 4)]] * 3
RANK = {"s": 3, "h": 2, "b": 1}
TABLE = {"s": SEES, "h": HALF, "b": BLIND}


def exam(kinds, labels="abc"):
    tables = np.array([TABLE[kind] for kind in kinds])
    shares = np.array([F(1, 5), F(3, 10), F(1, 2)])
    return exact_exam(Evaluation([*"xyz"], [*labels], [*labels], shares, tables)).sketch


@pytest.mark.parametrize("kinds", [k for k in product("shb", repeat=3) if "s" in k], ids="".join)
def test_beside_a_judge_who_sees_everything_ranks_are_those_of_the_tables(kinds):
    found = flattening_ranks(trio_of(exam(kinds)))
    sees = kinds.index("s")
    assert [r for i, r in enumerate(found) if i != sees] == [
        RANK[k] for i, k in enumerate(kinds) if i != sees
    ]
    assert all(rank <= RANK[kind] for rank, kind in zip(found, kinds, strict=True))


def test_decode_names_the_blind_judge_of_three_labels():
    found = ae.decode(exam("ssb"))
    assert found.status.value == "undetermined"
    assert found.ranks == (3, 3, 1)
    assert found.uninformative == ("z",)
    assert "z cannot tell the labels apart" in found.message
    assert (
        "told apart, of 3: x 3, y 3, z 1 (one evaluation, by Kruskal's condition: 8 in all)"
        in found.message
    )


def test_two_judges_who_confuse_the_same_labels_are_told():
    found = ae.decode(exam("shh"))
    assert found.status.value == "undetermined"
    assert found.ranks[1:] == (2, 2)
    assert found.uninformative == ()


def test_two_labels():
    blind = {"aa": 3, "bb": 4, "ab": 1, "ba": 2}
    both = Sketch.from_counts({f"{x}{said}": n for x in "ab" for said, n in blind.items()})
    found = ae.decode(both)
    assert found.ranks == (1, 2, 2)
    assert found.uninformative == (both.judges[0],)
    coins = ae.decode(Sketch.from_counts({"".join(t): 1 for t in product("ab", repeat=3)}))
    assert coins.ranks == (1, 1, 1)
    assert coins.uninformative == ()


def test_where_trios_are_decoded_or_empty_there_are_no_ranks():
    assert ae.decode(ae.example("acs")).ranks == ()
    empty = Sketch.from_counts({("a", None, "b"): 2, ("b", "a", None): 1}, labels=["a", "b"])
    assert ae.decode(empty).ranks == ()


def test_no_judge_is_called_blind_unless_somebody_sees_everything():
    assert blind_judges((2, 1, 2), 3) == ()
    assert blind_judges((3, 1, 2), 3) == (1,)
