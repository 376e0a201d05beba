"""Plans for several labels: chances by listing, theorems and counterexamples in exact fractions."""

import json
from fractions import Fraction as F
from itertools import product
from random import Random

import pytest

import algeval as ae
from algeval.budgets import LabelAccuracy, Plan, Rivals, gap_chances
from algeval.budgets.model import plurality_accuracy
from algeval.errors import DataError
from algeval_papers.conjecture import Differing, exact_wins, plurality_law


def listed_plurality(law, m):
    """Chance of each label to be commonest, by every tuple of labels."""
    chances = [F(0)] * len(law)
    for labels in product(range(len(law)), repeat=m):
        weight = F(1)
        for t in labels:
            weight *= law[t]
        counts = [labels.count(t) for t in range(len(law))]
        best = [t for t, k in enumerate(counts) if k == max(counts)]
        for t in best:
            chances[t] += weight / len(best)
    return tuple(chances)


@pytest.mark.parametrize("m", range(1, 6))
def test_pluralities_by_listing_all_labels(m):
    for law in ((F(1, 2), F(1, 3), F(1, 6)), (F(2, 5), F(1, 5), F(1, 5), F(1, 5))):
        assert plurality_law(law, m) == listed_plurality(law, m)


def test_the_plurality_of_wrong_labels_alike_is_the_exact_one():
    for n_labels, m, q in product((2, 3, 5), (1, 2, 4, 7), (F(3, 5), F(9, 10))):
        law = (q, *((1 - q) / (n_labels - 1),) * (n_labels - 1))
        exact = float(plurality_law(law, m)[0])
        assert plurality_accuracy(float(q), m, n_labels) == pytest.approx(exact, rel=1e-12)
    assert plurality_accuracy(0.4, 99, 3) > plurality_accuracy(0.4, 98, 3) > 0.7
    assert plurality_accuracy(1, 99, 20) == pytest.approx(1)


@pytest.mark.parametrize("n_labels", [2, 3, 4])
def test_what_a_label_says_by_listing_truth_answers_and_labels(n_labels):
    p_w, p_b, q, m = F(3, 5), F(7, 10), F(4, 5), 3

    def spread(right, t):
        return right if t == 0 else (1 - right) / (n_labels - 1)

    votes = listed_plurality(tuple(spread(q, t) for t in range(n_labels)), m)
    up = down = F(0)
    for worse, better in product(range(n_labels), repeat=2):  # the truth is label 0
        if worse != better:
            weight = spread(p_w, worse) * spread(p_b, better)
            up, down = up + weight * votes[better], down + weight * votes[worse]
    rivals = Rivals.independent(p_w, p_b - p_w, n_labels)
    found = gap_chances(rivals, LabelAccuracy.of(q, n_labels), m)
    assert [float(x) for x in found] == pytest.approx([float(up), float(down)], rel=1e-12)


ASKED = {"budget": 200, "accuracy": 0.7, "label_accuracy": 0.8, "n_labels": 3, "most_labels": 20}


@pytest.mark.parametrize(
    ("given", "verdict", "why"),
    [
        ({"margin": 0.05}, "computed", "Conjecture 18 says"),
        ({"better_if_wrong": 1, "better_if_right": 1}, "computed", "Theorem 16"),
        (
            {"better_if_wrong": 1, "better_if_right": 1, "label_accuracy": 1},
            "proved",
            "Proposition 17",
        ),
        ({"accuracy": 0.3, "margin": 0.05}, "computed", "neither a theorem nor a conjecture"),
        ({"margin": 0.05, "item_cost": 2}, "computed", "items cost"),
    ],
)
def test_a_plan_says_on_which_side_of_the_conjecture_it_stands(given, verdict, why):
    found = ae.plan(**ASKED | given)
    assert (found.verdict, why in found.why) == (verdict, True)
    assert [row.m for row in found.table][:4] == [1, 2, 3, 4]
    again = Plan.from_dict(json.loads(json.dumps(found.to_dict())))
    assert again.win_probability(3) == pytest.approx(found.table[2].win, rel=1e-12)


def test_a_plan_for_two_labels_is_as_before_and_old_files_are_read():
    plain = {"budget": 150, "accuracy": 0.8, "margin": 0.05, "label_accuracy": 0.8}
    two, named = ae.plan(**plain), ae.plan(**plain, n_labels=2)
    assert two.to_dict() == named.to_dict()
    old = json.loads(json.dumps(two.to_dict()))
    del old["settings"]["n_labels"]
    assert Plan.from_dict(old).win_probability(1) == two.win


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"label_accuracy": (0.8, 0.9)}, "label_accuracy must be"),
        ({"label_accuracy": "1/3"}, "must be one number above 1/3"),
        ({"n_labels": 1}, "n_labels must be a whole number"),
        ({"most_labels": 101}, "most_labels must be"),
    ],
)
def test_what_does_not_fit_several_labels_is_refused(given, message):
    with pytest.raises(DataError, match=message):
        ae.plan(**ASKED | {"margin": 0.05} | given)


def test_the_two_counterexamples():
    better = Differing(F(51, 200), (F(3, 5), F(2, 5), F(0)), 0, 1)
    worse = Differing(F(1, 4), (F(9, 20), F(1, 4), F(3, 10)), 1, 0)
    assert [x > y for x, y in (exact_wins([better, worse], 3, n) for n in (1, 40, 60))] == [
        False,
        True,
        True,
    ]
    law = (F(4, 5), F(1, 10), F(1, 10))
    kinds = [Differing(F(1, 100), law, 0, 1), Differing(F(49, 100), law, 1, 2)]
    assert all(several > one for several, one in (exact_wins(kinds, m, 300) for m in (5, 9)))


def random_law(draw, n_labels):
    parts = [draw.randint(0, 9) for _ in range(n_labels)]
    return tuple(F(part, max(1, sum(parts))) for part in parts) if sum(parts) else None


def theorem_16(draw):
    """Compare both sides where the theorem applies; None where it does not."""
    law, s = random_law(draw, draw.randint(2, 4)), F(draw.randint(1, 20), 20)
    if law is None:
        return None
    a, b = s * law[0], s * law[1]
    if a < b or a + b >= 1 or 4 * a * b > (1 - a - b) ** 2:
        return None
    several, one = exact_wins(
        [Differing(s, law, 0, 1)], draw.randint(2, 5), draw.randint(1, 4), coin=True
    )
    return several <= one


def proposition_17(draw):
    """Compare both sides where no label sides with the worse classifier."""
    kinds, left = [], F(9, 10)
    for _ in range(draw.randint(1, 3)):
        law, share = random_law(draw, 4), left * F(draw.randint(1, 9), 10)
        if law is None:
            return None
        left -= share
        kinds.append(Differing(share, (*law, F(0)), 0, 4))
    if not any(kind.law[0] for kind in kinds):
        return None
    several, one = exact_wins(kinds, draw.randint(2, 5), draw.randint(1, 4))
    return several < one


@pytest.mark.parametrize("statement", [theorem_16, proposition_17])
def test_theorem_16_and_proposition_17_at_random_points(statement):
    draw = Random(5)
    seen = [holds for holds in (statement(draw) for _ in range(60)) if holds is not None]
    assert len(seen) > 15
    assert all(seen)


@pytest.mark.slow
@pytest.mark.parametrize("statement", [theorem_16, proposition_17])
def test_theorem_16_and_proposition_17_at_many_points(statement):
    draw = Random(6)
    seen = [holds for holds in (statement(draw) for _ in range(3_000)) if holds is not None]
    print(len(seen))
    assert len(seen) > 500
    assert all(seen)
