"""Tables joined on item ids: every cell where its item and judge say, contradictions refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algeval as ae
from algeval.errors import DataError

ITEMS = [f"q{k}" for k in range(6)]


@st.composite
def tables(draw):
    parts = []
    for judge in draw(st.lists(st.sampled_from("abcd"), min_size=1, max_size=4, unique=True)):
        items = draw(st.lists(st.sampled_from(ITEMS), min_size=1, unique=True))
        scores = draw(st.lists(st.integers(0, 9), min_size=len(items), max_size=len(items)))
        parts.append(ae.Scores.from_columns({judge: scores}, items=items))
    return parts


@given(tables())
def test_every_score_is_where_its_item_and_judge_say(parts):
    found = parts[0].join(*parts[1:])
    told = {
        (item, table.judges[0]): score
        for table in parts
        for item, score in zip(table.items, table.values[:, 0], strict=True)
    }
    assert set(found.items) == {item for item, _ in told}
    for row, item in enumerate(found.items):
        for column, judge in enumerate(found.judges):
            assert found.values[row, column] == pytest.approx(
                told.get((item, judge), np.nan), nan_ok=True
            )


def test_keys_and_attributes_are_filled_from_whichever_table_knows():
    one = ae.Scores(["a", "b"], ["i"], [[1], [2]], [1.5, None], {"n": ["3", None]})
    two = ae.Scores(["c", "b"], ["j"], [[3], [4]], [2.5, 0.5], {"n": [None, "7"], "m": ["x", "y"]})
    found = one.join(two)
    assert found.items == ("a", "b", "c")
    assert (found.key, found.key_kind) == ((1.5, 0.5, 2.5), "number")
    assert dict(found.attributes) == {"n": ("3", "7", None), "m": (None, "y", "x")}
    assert one.join() == one


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (ae.Scores(["a"], ["i"], [[1]]), "'i' in two; rename it"),
        (ae.Scores(["a"], ["j"], [[1]], [2.5]), "key must be the same .* 1.5 and 2.5 for item 'a'"),
        (ae.Scores(["a"], ["j"], [[1]], None, {"n": ["4"]}), "n must be the same .* '3' and '4'"),
        (3, "others must be Scores; got int"),
        (ae.Scores(["b"], ["j"], [[1]], ["good"]), "keys must hold classes in every table"),
    ],
)
def test_contradictions_are_refused(other, message):
    one = ae.Scores(["a"], ["i"], [[1]], [1.5], {"n": ["3"]})
    with pytest.raises(DataError, match=message):
        one.join(other)
