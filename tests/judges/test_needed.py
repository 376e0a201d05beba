"""How many more labels: the numbers of the notes, each outcome added up, and draws that keep the promise."""

import numpy as np
import pytest
from scipy.stats import binom

import algeval as ae
from algeval.errors import DataError
from algeval.judges.drifting import labels_to_decide
from algeval.judges.intervals import mcnemar, share
from algeval.judges.needed import pair_needed
from algeval.rates.sizes import expected_half_width, rows_for_width, rows_to_tell


@pytest.mark.parametrize(
    ("half_width", "rows"), [(0.1, [94, 60, 35, 22]), (0.05, [382, 245, 139, 76])]
)
def test_rows_for_a_width(half_width, rows):
    assert [rows_for_width(p, half_width) for p in (0.5, 0.8, 0.9, 0.95)] == rows
    assert rows_for_width(0.5, 0.005) == 38415  # z^2 p (1 - p) / h^2


@pytest.mark.parametrize(("n", "p", "level"), [(1, 0.5, 0.95), (20, 0.9, 0.95), (37, 0.3, 0.8)])
def test_the_expected_width_is_a_sum_over_outcomes(n, p, level):
    widths = [share(x, n, level) for x in range(n + 1)]
    wanted = sum(
        binom.pmf(x, n, p) * (i.high - i.low) / 2 for x, i in zip(range(n + 1), widths, strict=True)
    )
    assert expected_half_width(p, n, level) == pytest.approx(wanted, abs=1e-9)


def test_rows_that_tell_two_judges_apart():
    assert [rows_to_tell(d) for d in (0.6, 0.65, 0.7, 0.8, 0.9)] == [198, 89, 48, 22, 11]
    assert rows_to_tell(0.2) == rows_to_tell(0.8)
    assert rows_to_tell(0.5) is None
    assert rows_to_tell(0.51) > 5000


@pytest.mark.parametrize("d", [0.7, 0.9])
def test_the_chance_stays_above(d):
    def chance(n):
        return sum(
            binom.pmf(x, n, d) for x in range(n + 1) if x > n - x and mcnemar(x, n - x) <= 0.05
        )

    n = rows_to_tell(d)
    assert chance(n - 1) < 0.8
    assert all(chance(m) >= 0.8 for m in range(n, n + 60))


def test_a_pair():
    told = pair_needed(("x", "y"), (6, 2, 8, 63), 0.95, binary=True)
    assert told.these_items == labels_to_decide(6, 8, 71, 0.95, anytime=False) > 0
    assert told.like_these == rows_to_tell(3 / 4) - 8
    half = pair_needed(("x", "y"), (6, 2, 16, 63), 0.95, binary=False)  # on half, both are wrong
    assert half.these_items is None
    assert half.like_these == 2 * told.like_these
    assert pair_needed(("x", "y"), (3, 3, 6, 10), 0.95, binary=True).like_these is None
    assert pair_needed(("x", "y"), (30, 1, 31, 0), 0.95, binary=True)[5:] == (0, 0)
    assert pair_needed(("x", "y"), (0, 0, 0, 0), 0.95, binary=True)[5:] == (0, None)


def test_a_card_says_how_many():
    card = ae.judge_card(ae.example("support-bot"))
    needed = card.labels_needed()
    assert (needed.pair.first, needed.pair.second) == ("claude", "gpt4o")
    votes, gold = ae.example("support-bot").votes, card.n_gold
    codes = votes.codes[:, [votes.judges.index(j) for j in ("claude", "gpt4o")]]
    differ = (codes >= 0).all(axis=1) & (codes[:, 0] != codes[:, 1])
    assert needed.pair.differ == int((differ & (votes.key < 0)).sum())
    row = next(w for w in needed.widths if w.judge == "gemini")
    right = card.row("gemini").accuracy.value * 79
    assert row.accuracy == rows_for_width((right + 1) / 81, 0.05) - 79
    found, n = card.row("gemini").recall["fail"].value * 21, 21
    rows = rows_for_width((found + 1) / (n + 2), 0.05)
    assert row.recall["fail"] == int(np.ceil((rows - n) * gold / 21))
    assert card.labels_needed(0.3).widths[0].accuracy == 0
    assert "decide with a chance of 80%" in needed.summary()
    assert len(needed.as_tables()) == 2
    with pytest.raises(DataError, match="half_width must be"):
        card.labels_needed(0.7)


def test_what_cannot_be_planned_is_said():
    one = ae.judge_card({"id": list("abc"), "x": ["p"] * 3, "human": ["p", "p", "f"]})
    assert one.labels_needed(0.2).pair is None
    rows = {
        "id": list("abcd"),
        "x": list("pfpf"),
        "y": list("ppff"),
        "human": ["p", "p", None, None],
    }
    needed = ae.judge_card(rows).labels_needed(0.2)
    assert needed.widths[0].recall["f"] is None
    assert "recall of f not known" in needed.summary()


@pytest.mark.slow
def test_intervals_come_out_so_narrow_and_tests_decide_as_often():
    rng = np.random.default_rng(1)
    n = rows_for_width(0.85, 0.06)
    widths = [share(int(x), n) for x in rng.binomial(n, 0.85, 2000)]
    assert np.mean([(i.high - i.low) / 2 for i in widths]) == pytest.approx(0.06, abs=0.0006)
    m = rows_to_tell(0.75)
    decided = [
        mcnemar(int(x), m - int(x)) <= 0.05 and x > m / 2 for x in rng.binomial(m, 0.75, 4000)
    ]
    assert 0.78 < np.mean(decided) < 0.86
