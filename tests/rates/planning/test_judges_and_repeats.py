"""What a panel is worth, and labels once or twice: printed numbers, simulations, and refusals."""

import re

import numpy as np
import pytest

import algeval as ae
from algeval.errors import DataError
from algeval.rates.planning import accuracy_of_agreement, noise


def test_seventeen_real_judges_and_their_ceiling():
    found = ae.plan(judges=17, rho1=0.340, vote_correlation=0.442)
    assert found.rho2 == pytest.approx(0.2435, abs=1e-4)
    assert found.ceiling == pytest.approx(0.262, abs=1e-3)
    assert found.table[0].rho2 == pytest.approx(0.34**2)
    assert [size.judges for size in found.table] == [1, 2, 3, 5, 10, 17, 20, 50]
    assert all(size.rho2 < found.ceiling for size in found.table)
    assert found.message.startswith("17 judges of this kind save 0.243 of the labels")


def test_a_pilot_tells_both_correlations_and_the_share_of_votes_bears_them_out():
    """Judges who err alike by a shared coin: the formula meets the correlation measured on 40,000 items."""
    rng, n, k = np.random.default_rng(0), 40_000, 7
    truth = rng.random(n) < 0.5
    shared = rng.random(n) < 0.25
    own = rng.random((k, n)) < 0.25
    wrong = np.where(rng.random((k, n)) < 0.6, shared, own)
    votes = truth ^ wrong
    table = ae.Votes.from_columns(
        {f"j{i}": ["nv"[int(v)] for v in row] for i, row in enumerate(votes)}
    )
    gold = dict(zip(table.items, ["nv"[int(t)] for t in truth], strict=True))
    found = ae.plan(judges=k, pilot=table, gold=gold, label="v")
    measured = np.corrcoef(votes.mean(axis=0), truth)[0, 1] ** 2
    assert found.rho2 == pytest.approx(measured, abs=0.01)
    pairs = np.corrcoef(votes)[np.triu_indices(k, 1)]
    assert found.vote_correlation == pytest.approx(pairs.mean(), abs=1e-9)
    assert found.n_labels == n


@pytest.mark.parametrize(("accuracy", "rate"), [(0.8, None), (0.7, 0.2)])
def test_accuracies_of_judges_who_err_independently_say_what_their_votes_save(accuracy, rate):
    found = ae.plan(judges=5, accuracy=accuracy, rate=rate)
    rng, n, k = np.random.default_rng(2), 60_000, 5
    truth = rng.random(n) < (rate or 0.5)
    votes = truth ^ (rng.random((k, n)) > accuracy)
    assert found.rho1 == pytest.approx(np.corrcoef(votes[0], truth)[0, 1], abs=0.015)
    assert found.rho2 == pytest.approx(np.corrcoef(votes.mean(0), truth)[0, 1] ** 2, abs=0.015)
    assert found.reach == ae.reach(5, accuracy, prevalence=rate).limit
    assert [row.reach for row in found.table if row.judges == 2] == [
        pytest.approx(1 - accuracy * (1 - accuracy))
    ]
    assert "would bring it to" in found.message
    assert "  logic refutes above" in found.summary()


def test_votes_that_are_missing_are_left_out_pair_by_pair():
    table = ae.Votes.from_columns(
        {"a": list("ppffpf") * 2, "b": ["p", None, "f", "p", "p", "f"] * 2}
    )
    gold = dict(zip(table.items, "ppfffp" * 2, strict=True))
    found = ae.plan(judges=2, pilot=table, gold=gold, label="p")
    a, y = (np.array([c == "p" for c in cells]) for cells in ("ppffpf", "ppfffp"))
    b = np.array([True, False, False, True, True, False])
    has = np.array([True, False, True, True, True, True])
    first = np.corrcoef(a, y)[0, 1], np.corrcoef(b[has], y[has])[0, 1]
    assert found.rho1 == pytest.approx(np.mean(first), abs=1e-12)
    assert found.vote_correlation == pytest.approx(np.corrcoef(a[has], b[has])[0, 1])


@pytest.mark.parametrize(
    ("accuracy", "best"),
    [(0.8, (1, 2, 3, 5)), (0.9, (1, 1, 2, 3)), (0.95, (1, 1, 1, 2))],
)
def test_labels_per_item_by_what_an_item_costs(accuracy, best):
    asked = {"budget": 10**6, "rate": 0.7, "label_accuracy": accuracy}
    found = tuple(ae.plan(**asked, item_cost=cost).labels_per_item for cost in (0, 1, 3, 10))
    assert found == best


def test_the_real_optimum_is_where_the_variance_is_least():
    found = ae.plan(budget=10**5, rate=0.7, label_accuracy=0.8, item_cost=3, label_cost=2)
    grid = np.linspace(0.2, 9, 80_001)
    spent = (0.21 + 0.16 / 0.36 / grid) * (3 + 2 * grid)
    assert found.best_real == pytest.approx(grid[spent.argmin()], abs=1e-3)


def test_the_half_width_is_that_of_simulated_labels():
    """300 items with two labels each that are right 80% of the time, the rate put right for it."""
    found = ae.plan(budget=600, rate=0.7, label_accuracy=0.8)
    two = next(row for row in found.table if row.m == 2)
    assert two.items == 300
    rng = np.random.default_rng(2)
    truth = rng.random((20_000, 300)) < 0.7
    share = (truth[..., None] == (rng.random((20_000, 300, 2)) < 0.8)).mean(axis=(1, 2))
    rate = (share - 0.2) / 0.6
    assert rate.mean() == pytest.approx(0.7, abs=0.002)
    assert 1.96 * rate.std() == pytest.approx(two.half_width, rel=0.02)


def test_label_accuracy_from_labels_that_agree():
    rng = np.random.default_rng(3)
    right = rng.random((10**6, 2)) < 0.87
    agreement = (right[:, 0] == right[:, 1]).mean()
    assert accuracy_of_agreement(agreement) == pytest.approx(0.87, abs=0.002)
    assert ae.plan(budget=100, rate=0.7, agreement=0.82).label_accuracy == 0.9
    assert noise(1.0) == 0


def test_one_label_each_comes_with_the_advice_to_repeat_some():
    found = ae.plan(budget=100, rate=0.7, label_accuracy=0.9)
    assert found.labels_per_item == 1
    assert "Label 30 to 50 of them twice" in found.message
    assert "1      100  0.1161" in found.summary()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"judges": 0, "rho1": 0.3, "vote_correlation": 0.4}, "judges must be a whole number"),
        ({"judges": 3}, "by rho1 and vote_correlation, by accuracy, or by a pilot; got neither"),
        ({"judges": 3, "rho1": 0.3}, "got rho1; give the two or one of the others"),
        ({"judges": 3, "rate": 0.3}, "rate must go with accuracy; got 0.3"),
        ({"judges": 3, "accuracy": 0.8, "rho1": 0.3}, "rho1 must not go with accuracy; got 0.3"),
        ({"judges": 3, "accuracy": 1.8}, "accuracy must be from 0 to 1"),
        ({"judges": 3, "rho1": 1.1, "vote_correlation": 0.4}, "rho1 must be from 0 to 1"),
        (
            {"judges": 20, "rho1": 0.9, "vote_correlation": 0.1},
            "vote_correlation must be large enough",
        ),
        (
            {"budget": 100, "rate": 0.7},
            "label_accuracy or the agreement of two labels; got neither",
        ),
        ({"budget": 100, "rate": 0.7, "agreement": 0.5}, "agreement must be above 1/2"),
        ({"budget": 100, "rate": 0.7, "label_accuracy": 0.5}, "label_accuracy must be above 0.5"),
        ({"budget": 100, "rate": 0.7, "label_accuracy": 1.2}, "label_accuracy must be above 0.5"),
        (
            {"budget": 1, "rate": 0.7, "label_accuracy": 0.8, "item_cost": 3},
            "pay at least one item",
        ),
        (
            {"budget": 9, "rate": 0.7, "accuracy": 0.8, "label_accuracy": 0.8},
            "got rate=, budget=, accuracy=, label_accuracy=",
        ),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(given, message):
    with pytest.raises(DataError, match=re.escape(message)):
        ae.plan(**given)


def test_real_judges_save_what_the_formula_says(real_votes):
    """17 complete judges of comments, cut at 4.5: .244 by the formula, .247 measured, .262 the ceiling."""
    table = np.genfromtxt(
        real_votes / "civilcomments_judge_scores.csv", delimiter=",", names=True, dtype=None,
        encoding="utf-8", missing_values="", filling_values=np.nan,
    )  # fmt: skip
    names = [name for name in table.dtype.names if name not in ("item", "gold")]
    scores = {name: np.asarray(table[name], float) for name in names}
    complete = {name: cells for name, cells in scores.items() if not np.isnan(cells).any()}
    votes = ae.Votes.from_columns(
        {name: ["ab"[int(cell >= 4.5)] for cell in cells] for name, cells in complete.items()}
    )
    gold = dict(zip(votes.items, ["ab"[int(g)] for g in table["gold"]], strict=True))
    found = ae.plan(judges=len(complete), pilot=votes, gold=gold, label="b")
    assert found.n_judges == 17
    assert (found.rho1, found.vote_correlation) == pytest.approx((0.340, 0.442), abs=6e-4)
    assert (found.rho2, found.ceiling) == pytest.approx((0.244, 0.262), abs=6e-4)
    share = np.mean([cells >= 4.5 for cells in complete.values()], axis=0)
    measured = np.corrcoef(share, table["gold"])[0, 1] ** 2
    assert found.rho2 == pytest.approx(measured, abs=0.004)
