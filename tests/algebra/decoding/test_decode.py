"""The public function: what it accepts, what it echoes, what it refuses."""

from fractions import Fraction

import pytest

from algeval.algebra.decoding import decode
from algeval.algebra.trios import Trio, trio_of
from algeval.data import KeyedSketch, Sketch, Summary, Votes
from algeval.errors import DataError, TooLargeError
from algeval.result import Status


def test_votes_sketch_and_keyed_sketch_decode_alike():
    columns = {"i": list("aabb"), "j": list("abab"), "k": list("abbb")}
    votes = Votes.from_columns(columns, key=list("aabb"))
    results = [decode(data) for data in (votes, votes.sketch(), votes.keyed_sketch())]
    assert isinstance(votes.keyed_sketch(), KeyedSketch)
    assert len({r.sketch_digest for r in results}) == 1
    assert len({r.status for r in results}) == 1


def test_items_not_all_three_answered_are_left_out_and_counted():
    full = {"aaa": 1, "aab": 1, "aba": 1, "abb": 1, "baa": 1, "bab": 1, "bba": 1, "bbb": 9}
    data = Sketch.from_counts(full | {"a.b": 4, "..b": 3})
    result = decode(data)
    assert (result.n_items, result.n_used, result.n_left_out) == (23, 16, 7)
    assert "7 left out because not all three judges answered" in result.message
    assert result.status is Status.OK
    assert result.best.prevalence_of("a") == Fraction(1, 2)


def test_no_common_item_is_undetermined():
    result = decode(Sketch.from_counts({"a.b": 4, ".ab": 3}))
    assert result.status is Status.UNDETERMINED
    assert "no item was answered by all three" in result.message
    assert (result.moments, result.evaluations, result.best) == (None, (), None)
    assert list(result.orders()) == []


def test_judges_are_chosen_by_name_and_in_order():
    data = Sketch.from_counts({"aaab": 5, "abab": 3, "bbaa": 2}, judges=list("wxyz"))
    assert decode(data, ["z", "x", "w"]).judges == ("z", "x", "w")
    trio = trio_of(data, ["z", "x", "w"])
    assert isinstance(trio, Trio)
    assert trio.table[1][0][0] == 5


def test_a_tie_shows_both_solutions_and_has_no_best():
    # skills 1/2, 1/2 and -1 at prevalence 1/2: X = 1/16, Y = Z = -1/8, 1/X + 1/Y + 1/Z = 0
    cells = {}
    for truth in "ab":
        wrong = "ba"["ab".index(truth)]
        for first, n in ((truth, 3), (wrong, 1)):
            for second, m in ((truth, 3), (wrong, 1)):
                key = first + second + wrong
                cells[key] = cells.get(key, 0) + n * m
    result = decode(Sketch.from_counts(cells))
    assert result.status is Status.OK
    assert result.tie
    assert result.best is None
    assert len(result.evaluations) == 2
    assert "both label orders" in result.message
    assert "Solution 2 of 2" in result.summary()
    found = {tuple(map(tuple, e.accuracies().tolist())) for e in result.evaluations}
    right, wrong = (Fraction(3, 4),) * 2, (Fraction(1, 4),) * 2
    zero, one = (Fraction(0),) * 2, (Fraction(1),) * 2
    assert found == {(right, right, zero), (wrong, wrong, one)}


def test_irrational_says_only_what_it_means(acs_sketch):
    result = decode(acs_sketch)
    assert result.status is Status.IRRATIONAL
    assert result.message.startswith("1, 2 and 3 can be graded as if their errors were independent")
    assert "on this finite test these are not exactly independent" in result.message
    assert "nearly every real test" in result.status.advice


def test_irrational_and_out_of_range_is_said_in_one_message():
    sketch = Sketch.from_counts({"aab": 1, "aba": 1, "baa": 1, "bbb": 5})
    result = decode(sketch)
    assert (result.status, result.in_range) == (Status.IRRATIONAL, False)
    assert "an accuracy leaves [0, 1] and the solution is irrational" in result.message


def test_orders_lists_both_labelings_with_the_best_first(acs_sketch):
    result = decode(acs_sketch)
    orders = list(result.orders())
    assert len(orders) == 2
    for one, other in zip(orders, result.evaluations, strict=True):
        assert one.prevalence.tolist() == other.prevalence.tolist()
        assert one.confusion.tolist() == other.confusion.tolist()


def test_to_dict_is_json_with_exact_numbers(acs_sketch):
    document = decode(acs_sketch).to_dict()
    assert document["schema"] == "algeval.decoding/1"
    assert document["moments"]["trio"] == "-1836336489/500000000000"
    assert document["evaluations"][0]["prevalence"][0]["sqrt"] == 3190087950361
    assert document["status"] == "irrational"


@pytest.mark.parametrize(
    ("data", "settings", "message"),
    [
        (Sketch.from_counts({"ab": 1}), {}, "exactly three judges; got 2"),
        (Sketch.from_counts({"aba": 1}), {"engine": "magic"}, "engine must be one of"),
        (Sketch.from_counts({"aaa": 1}), {}, "at least two labels"),
        (Sketch.from_counts({"abc": 1}), {"engine": "closed"}, "use engine='pencil'"),
        (Summary.from_counts({"i": {"a": 1, "b": 1}}), {}, "data must be Votes, a Sketch"),
        (Sketch.from_counts({"aba": 1}), {"judges": ["1", "2", "9"]}, "judge '9' is not known"),
    ],
)
def test_refusals_name_the_rule(data, settings, message):
    with pytest.raises(DataError, match=message):
        decode(data, **settings)


def test_too_many_answers_are_refused_with_the_size():
    answers = [str(n) for n in range(65)]
    data = Sketch.from_counts({(a, a, a): 1 for a in answers})
    with pytest.raises(TooLargeError, match="274625 cells"):
        decode(data)
