"""The forest of accuracies shows what was counted, estimated and bounded, judge by judge."""

import numpy as np
import pytest

import algeval as ae
from algeval.aggregate import registry
from algeval.aggregate.checks.quality import posterior_if_shared
from algeval.report.figures import draw, drawing


def rows_of(axes):
    """Return {name: {judge: accuracy}} and {name: {judge: (low, high)}} as they are drawn."""
    judges = [text.get_text() for text in axes.get_yticklabels()]
    marks, bars = {}, {}
    for container in axes.containers:
        line, _, lines = container.lines
        name = container.get_label()
        marks[name] = dict(zip(judges, line.get_xdata().tolist(), strict=True))
        for collection in lines:
            segments = collection.get_segments()
            ends = [(float(s[0, 0]), float(s[-1, 0])) for s in segments]
            bars[name] = dict(zip(judges, ends, strict=True))
    return marks, bars


def test_marks_are_the_shares_counted_by_hand(four):
    axes = draw("accuracies", four, methods=["majority"], intervals=0).axes[0]
    marks, bars = rows_of(axes)
    assert marks == {
        "majority": {"x": 1.0, "y": 1.0, "z": 0.5},
        "by human labels (4 items)": {"x": 0.5, "y": 0.5, "z": 1.0},
    }
    assert bars == {}


def test_one_label_is_shown_by_itself(four):
    blind = four.without_key()
    axes = draw("accuracies", blind, methods=["majority"], label="b", intervals=0).axes[0]
    assert rows_of(axes)[0] == {"majority": {"x": 1.0, "y": 1.0, "z": 0.5}}
    with pytest.raises(ae.DataError, match="label"):
        draw("accuracies", blind, methods=["majority"], label="c", intervals=0)


def test_intervals_are_those_of_the_bootstrap_and_the_best_judge_is_first(make_votes):
    votes = make_votes(5, ["a", "b", "c"], n_items=200)
    fit = ae.aggregate(votes.without_key(), "dawid-skene")
    made = fit.bootstrap(n=20)
    marks, bars = rows_of(draw("accuracies", made).axes[0])
    told = marks["dawid-skene"]
    assert list(told.values()) == sorted(told.values(), reverse=True)
    for judge, value in told.items():
        assert value == pytest.approx(float(made.evaluation.grade(judge)))
        assert bars["dawid-skene"][judge] == pytest.approx(made.accuracy_of(judge))


def test_a_comparison_is_drawn_side_by_side_and_nothing_is_fitted_again(four, monkeypatch):
    compared = ae.compare(four, ["majority", "dawid-skene", "algebra"], intervals=0)

    def refuse(*_):
        raise AssertionError("fitted again")

    monkeypatch.setattr(drawing, "aggregate", refuse)
    monkeypatch.setattr(registry, "method", refuse)
    marks, _ = rows_of(draw("accuracies", compared).axes[0])
    shown = [e.method for e in compared.estimates if e.evaluation is not None]
    assert list(marks) == [*shown, "by human labels (4 items)"]
    only, _ = rows_of(draw("accuracies", compared, methods=["majority"]).axes[0])
    assert list(only) == ["majority", "by human labels (4 items)"]
    with pytest.raises(ae.DataError, match="was not compared"):
        draw("accuracies", compared, methods=["mace"])


def test_a_key_can_come_beside_a_result(four):
    fit = ae.aggregate(four.without_key(), "majority")
    marks, _ = rows_of(draw("accuracies", fit, key=four, intervals=0).axes[0])
    assert marks["by human labels (4 items)"] == {"x": 0.5, "y": 0.5, "z": 1.0}
    with pytest.raises(ae.DataError, match="these have none"):
        draw("accuracies", fit, key=four.without_key(), intervals=0)


def test_the_ceiling_is_the_upper_end_of_the_threshold(four):
    ceiling = ae.threshold(four)
    axes = draw("accuracies", four, methods=["majority"], intervals=0, ceiling=ceiling).axes[0]
    assert {float(ceiling.upper)} == set(axes.lines[-1].get_xdata())
    axes = draw("accuracies", four, methods=["majority"], intervals=0, ceiling="60%").axes[0]
    assert set(axes.lines[-1].get_xdata()) == {0.6}


@pytest.mark.parametrize(("n_judges", "n_labels"), [(3, 2), (25, 2), (60, 10)])
def test_every_judge_has_a_row_with_room(make_votes, n_judges, n_labels):
    votes = make_votes(n_judges, [f"label {k}" for k in range(n_labels)])
    figure = draw("accuracies", votes, methods=["majority"], intervals=0)
    names = [text.get_text() for text in figure.axes[0].get_yticklabels()]
    assert sorted(names) == sorted(votes.judges)
    assert figure.get_figheight() / n_judges > 0.2
    assert f"for {n_judges} judges" in figure.get_label()


def test_what_holds_no_fit_is_refused(four):
    none = ae.aggregate(four.without_key().select(judges=["x", "y"]), "dawid-skene")
    assert none.evaluation is None
    with pytest.raises(ae.DataError, match="must hold a fit"):
        draw("accuracies", none)
    with pytest.raises(ae.DataError, match="must have told how good"):
        draw("accuracies", four.select(judges=["x", "y"]), methods=["dawid-skene"])
    with pytest.raises(ae.DataError, match="leave it out"):
        draw("accuracies", ae.aggregate(four.without_key(), "majority"), methods=["mace"])
    with pytest.raises(ae.DataError, match="got Summary"):
        draw("accuracies", four.summary())


def test_an_accuracy_that_rests_on_no_item_has_no_mark():
    votes = ae.Votes.from_columns(
        {"x": list("aaa"), "y": list("aaa"), "z": list("aab")}, labels=["a", "b"]
    )
    axes = draw("accuracies", votes, methods=["majority"], label="b", intervals=0).axes[0]
    assert np.isnan(list(rows_of(axes)[0]["majority"].values())).all()


def test_a_fit_held_back_has_a_second_mark(make_votes):
    votes = make_votes(5, ["a", "b"], n_items=80).without_key()
    fit = ae.aggregate(votes)
    marks, bars = rows_of(draw("accuracies", fit, intervals=10).axes[0])
    assert list(marks) == ["recommended, if errors are shared", "recommended"]
    assert list(bars) == ["recommended"]
    assert fit.parameters["weight"] > 0  # what it gives to independence is not in the second mark
    held_back = posterior_if_shared(fit)[fit.item_pattern]
    assert (held_back.max(axis=1) <= fit.posterior_items.max(axis=1) + 1e-9).all()
    for judge, value in marks["recommended, if errors are shared"].items():
        said = votes.codes[:, votes.judges.index(judge)]
        by_hand = [held_back[i, code] for i, code in enumerate(said) if code >= 0]
        assert value == pytest.approx(np.mean(by_hand))
