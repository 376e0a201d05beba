"""The heat map of agreement against shares counted by hand."""

import numpy as np
import pytest

import algeval as ae
from algeval.aggregate import agreement
from algeval.report.figures import draw


def shown(figure):
    axes = figure.axes[0]
    names = [text.get_text() for text in axes.get_yticklabels()]
    table = axes.images[0].get_array()
    return {
        (a, b): None if table.mask[i, j] else float(table[i, j])
        for i, a in enumerate(names)
        for j, b in enumerate(names)
        if i < j
    }


def test_shares_and_kappas_by_hand(four):
    # x and y agree on 4 of 4; either agrees with z on 2 of 4, which is what chance gives
    told = {frozenset(k): v for k, v in shown(draw("agreement", four)).items()}
    pairs = [frozenset(p) for p in ("xy", "xz", "yz")]
    assert [told[p] for p in pairs] == [1.0, 0.5, 0.5]
    told = {frozenset(k): v for k, v in shown(draw("agreement", four, measure="kappa")).items()}
    assert [told[p] for p in pairs] == [1.0, 0.0, 0.0]


def test_judges_without_a_common_item_are_left_blank():
    votes = ae.Votes.from_columns({"x": ["a", None, "b"], "y": [None, "a", None], "z": list("aab")})
    figure = draw("agreement", votes, groups=None)
    told = {frozenset(k): v for k, v in shown(figure).items()}
    assert told[frozenset("xy")] is None
    assert told[frozenset("xz")] == 1.0
    assert "1 pair without any" in figure.get_label()


def test_copies_stand_together_in_a_frame():
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 400)

    def judge(right):
        return np.where(rng.random(400) < right, truth, 1 - truth)

    first = judge(0.7)
    columns = {"p": judge(0.85), "copy": first, "q": judge(0.8), "r": judge(0.75)}
    columns["echo"] = np.where(rng.random(400) < 0.97, first, 1 - first)
    votes = ae.Votes.from_columns({k: [str(a) for a in v] for k, v in columns.items()})
    groups = ae.judge_groups(votes)
    assert groups.groups == (("copy", "echo"),)
    for figure in (draw("agreement", votes), draw("agreement", agreement(votes), groups=groups)):
        axes = figure.axes[0]
        names = [text.get_text() for text in axes.get_yticklabels()]
        assert set(names[:2]) == {"copy", "echo"}
        (box,) = axes.patches
        assert (box.get_xy(), box.get_width()) == ((-0.5, -0.5), 2)
        assert "Framed as near copies: copy, echo." in figure.get_label()
    assert not draw("agreement", votes, groups=None).axes[0].patches


@pytest.mark.parametrize("n_judges", [3, 25, 60])
def test_numbers_are_written_where_there_is_room(make_votes, n_judges):
    figure = draw("agreement", make_votes(n_judges, ["a", "b"]), groups=None)
    assert len(figure.axes[0].texts) == (6 if n_judges == 3 else 0)
    assert figure.axes[0].images[0].get_array().shape == (n_judges, n_judges)


def test_refusals(four):
    with pytest.raises(ae.DataError, match="measure must be one of"):
        draw("agreement", four, measure="beauty")
    with pytest.raises(ae.DataError, match="two judges or more"):
        draw("agreement", four.select(judges=["x"]))
    with pytest.raises(ae.DataError, match="got Summary"):
        draw("agreement", four.summary())
