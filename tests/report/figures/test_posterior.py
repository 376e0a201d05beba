"""The histogram of posteriors counts every item once."""

import pytest

import algeval as ae
from algeval.report.figures import draw


def bars(figure):
    """Return {label: [(left edge, right edge, items)]} of the bars that are there."""
    found = {}
    for container in figure.axes[0].containers:
        found[container.get_label()] = [
            (b.get_x(), b.get_x() + b.get_width(), b.get_height())
            for b in container
            if b.get_height()
        ]
    return found


@pytest.mark.parametrize("n_labels", [2, 10])
def test_every_item_stands_in_the_bin_of_its_probability(make_votes, n_labels):
    labels = [f"l{k}" for k in range(n_labels)]
    votes = make_votes(5, labels, n_items=150).without_key()
    fit = ae.aggregate(votes, "dawid-skene")
    width = (1 - 1 / n_labels) / 20
    expected = {}
    for row, label in zip(fit.posterior_items.tolist(), fit.item_labels, strict=True):
        place = min(int((max(row) - 1 / n_labels) / width), 19)
        key = ("undecided" if label is None else label, place)
        expected[key] = expected.get(key, 0) + 1
    drawn = {
        (label, round((left - 1 / n_labels) / width)): n
        for label, group in bars(draw("posterior", fit)).items()
        for left, _, n in group
    }
    assert drawn == expected


def test_the_description_has_the_numbers():
    sketch = ae.Sketch.from_counts({"aaa": 6, "aab": 2, "bbb": 2})
    fit = ae.aggregate(sketch, "majority")
    top = fit.posterior.max(axis=1)
    told = draw("posterior", fit).get_label()
    assert "of 10 items, by majority" in told
    assert f"below 60% for {int(fit.counts[top < 0.6].sum())}" in told
    assert "0 items are undecided" in told


def test_a_comparison_names_its_methods(four):
    compared = ae.compare(four, ["majority", "dawid-skene"], intervals=0)
    assert "majority" in draw("posterior", compared, method="majority").get_suptitle()
    with pytest.raises(ae.DataError, match="method must be one of"):
        draw("posterior", compared, method="mace")
    fit = compared["majority"].fit
    with pytest.raises(ae.DataError, match="must be that of the result"):
        draw("posterior", fit, method="mace")
    with pytest.raises(ae.DataError, match="got Summary"):
        draw("posterior", four.summary())


def test_scores_have_a_posterior_too():
    scores = ae.Scores.from_columns({j: [k + s for k in range(12)] for s, j in enumerate("xyz")})
    fit = ae.aggregate(scores, prevalence=0.5)
    assert sum(n for group in bars(draw("posterior", fit)).values() for *_, n in group) == 12
