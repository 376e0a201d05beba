"""Ties as outcome: a label worth one half, and how often the interval with it holds."""

import numpy as np
import pytest

import algeval as ae
from algeval.rates.inputs import panel_of, read_gold
from algeval.rates.intervals import gold_only, ppi

LABELS = ("A", "B", "tie")


def battles(seed=0, n_items=300, law=(0.5, 0.2, 0.3), right=0.8):
    """Return outcomes of battles, worth 1, 0 and 1/2, and the votes of three judges on them."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(3, n_items, p=law)
    noise = rng.random((n_items, 3)) > right
    codes = np.where(noise, rng.choice(3, (n_items, 3)), truth[:, None])
    items = tuple(f"q{k}" for k in range(n_items))
    return truth, ae.Votes(items, ("x", "y", "z"), LABELS, LABELS, codes)


TRUTH, VOTES = battles()
WORTH = np.array([1.0, 0.0, 0.5])
ROWS = np.random.default_rng(1).choice(300, 80, replace=False)
GOLD = {f"q{k}": LABELS[TRUTH[k]] for k in ROWS}


def test_a_tie_is_half_a_label():
    found = read_gold({"q0": "A", "q1": "Tie", "q2": "B"}, VOTES, "A", tie="tie")
    assert found.values.tolist() == [1, 0.5, 0]
    assert read_gold({"q0": "tie"}, VOTES, "A").values.tolist() == [0]


def test_people_may_tie_where_judges_must_choose():
    votes = ae.Votes.from_columns({"x": ["A", "B", "A"]}, items=["1", "2", "3"])
    found = read_gold({"1": "A", "2": "draw"}, votes, "A", tie="draw")
    assert found.values.tolist() == [1, 0.5]
    with pytest.raises(ae.DataError, match="must be one of the votes' labels"):
        read_gold({"1": "A", "2": "draw"}, votes, "A")


def test_a_vote_for_a_tie_is_half_a_vote():
    votes = ae.Votes.from_columns({"x": ["A", "tie", "B"], "y": ["tie", "tie", "tie"]})
    panel = panel_of(votes, "A", "Tie")
    assert panel.share.tolist() == [0.75, 0.5, 0.25]
    assert panel.verdict.tolist() == [1, -1, 0]
    assert panel_of(votes, "B", "tie").verdict.tolist() == [0, -1, 1]
    assert panel_of(votes, "A").share.tolist() == [0.5, 0, 0]


def test_rates_with_ties_mirror():
    gold = {f"q{row}": LABELS[TRUTH[row]] for row in ROWS}
    wins, losses = (ae.rate(VOTES, label, gold, tie="tie") for label in "AB")
    assert wins.rate + losses.rate == pytest.approx(1)
    assert (wins.low, wins.high) == pytest.approx((1 - losses.high, 1 - losses.low))


def test_a_rate_with_ties_is_that_of_wins_and_half_the_ties():
    found = ae.rate(VOTES, "A", GOLD, tie="tie")
    true = float(WORTH[TRUTH].mean())
    assert (found.method, found.settings["tie"]) == ("ppi", "tie")
    assert found.low < true < found.high
    assert true != pytest.approx(float((TRUTH == 0).mean()), abs=0.1)
    f = (VOTES.codes == 0).mean(axis=1) + (VOTES.codes == 2).mean(axis=1) / 2
    rows = np.sort(ROWS)
    by_hand = ppi(WORTH[TRUTH[rows]], f[rows], f)
    assert (found.low, found.rate, found.high) == pytest.approx(by_hand[:3])
    assert found.row("labels only").high - found.row("labels only").low > found.high - found.low


def test_few_labels_with_ties_go_without_judges():
    some = {item: GOLD[item] for item in list(GOLD)[:30]}
    found = ae.rate(VOTES, "A", some, tie="tie")
    y = np.array([WORTH[LABELS.index(label)] for label in some.values()])
    assert found.method == "wilson"
    assert (found.low, found.high) == pytest.approx(gold_only(y, 300)[::2][:2])
    assert "judges need 50 labels" in found.message


def test_where_no_label_is_a_tie_strata_hold():
    whole = {item: "A" if label == "tie" else label for item, label in GOLD.items()}
    assert ae.rate(VOTES, "A", whole, tie="tie").method == "strata"


def test_everything_labelled_is_known():
    every = {f"q{k}": LABELS[t] for k, t in enumerate(TRUTH)}
    found = ae.rate(VOTES, "A", every, tie="tie", target="items")
    assert (found.low, found.high) == pytest.approx((WORTH[TRUTH].mean(),) * 2)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"tie": "A"}, "tie must be another label"),
        ({"tie": "tie", "method": "strata"}, "counts whole labels; got ties"),
        ({"tie": "tie", "method": "profile"}, "counts whole labels; got ties"),
        ({"tie": "tie", "drawn": "elsewhere"}, "tie must be left out"),
        ({"tie": "tie", "gold": None}, "tie says what labels are worth"),
    ],
)
def test_what_ties_do_not_go_with_is_said(settings, words):
    given = {"gold": GOLD} | settings
    with pytest.raises(ae.DataError, match=words):
        ae.rate(VOTES, "A", **given)


def held(law, right, n, target, replicates):
    """Return the coverage of the regression, and its width beside that of the labels alone."""
    hits, widths = 0, np.zeros(2)
    for seed in range(replicates):
        truth, votes = battles(seed, 1000, law, right)
        y, f = WORTH[truth], WORTH[votes.codes].mean(axis=1)
        rows = np.random.default_rng(seed + 10**6).choice(1000, n, replace=False)
        found = ppi(y[rows], f[rows], f, target=target)
        alone = gold_only(y[rows], 1000, target=target)
        true = y.mean() if target == "items" else float(WORTH @ law)
        hits += found.low <= true <= found.high
        widths += found.high - found.low, alone.high - alone.low
    return hits / replicates, widths[0] / widths[1]


@pytest.mark.parametrize("target", ["items", "population"])
def test_a_slice_with_ties_holds(target):
    coverage, width = held((0.5, 0.2, 0.3), 0.6, 50, target, 300)
    assert coverage >= 0.91
    assert width < 0.8


@pytest.mark.slow
@pytest.mark.parametrize("target", ["items", "population"])
@pytest.mark.parametrize("n", [50, 100, 400])
@pytest.mark.parametrize("right", [0.3, 0.6, 0.9])
@pytest.mark.parametrize(
    "law", [(0.5, 0.2, 0.3), (0.2, 0.2, 0.6), (0.8, 0.05, 0.15), (0.02, 0.03, 0.95)]
)
def test_ties_hold(law, right, n, target):
    coverage, width = held(law, right, n, target, 2000)
    print(f"{law} right {right} n {n} {target}: {coverage:.3f}, width {width:.2f} of labels alone")
    assert coverage >= 0.91
    assert width <= 1.02
