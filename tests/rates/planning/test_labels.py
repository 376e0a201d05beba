"""Closed forms of labels, against printed numbers, brute force over n, and simulated intervals."""

import re

import numpy as np
import pytest
from scipy.stats import binom, hypergeom, norm

import algeval as ae
from algeval.errors import DataError
from algeval.judges.drifting import exact_count
from algeval.judges.slicing import Stratum, slice_rate
from algeval.rates.intervals import exact_ends
from algeval.rates.sizes import (
    binomial_chances,
    exact_pairs,
    exact_power,
    labels_needed,
    most_by_chance,
    rows_to_decide,
    variance,
)
from tests.judges.test_slices import outcomes

Z = 1.959963984540054


def half_width(rho2, **more):
    return ae.plan(rate=0.7, half_width=0.05, rho2=rho2, items=2000, **more)


def way(plan, name):
    return next(one for one in plan.table if one.name == name)


def test_labels_for_a_rate_of_the_population():
    found = [half_width(rho2, target="population").labels for rho2 in (0, 0.24, 0.5, 0.8)]
    assert found == [340, 270, 186, 79]


def test_labels_for_a_rate_of_these_items():
    assert ae.plan(rate=0.7, half_width=0.05, rho2=0.8, items=200).labels == 51
    assert half_width(0.24).labels == 229
    assert half_width(0.24).table[0].labels == half_width(0).labels == 291


@pytest.mark.parametrize("population", [True, False])
def test_the_number_is_the_first_whose_variance_is_small_enough_and_never_above_the_items(
    population,
):
    """Brute force over every n of the variance in section 1, with awkward sizes among them."""
    for items in (5, 40, 323, 324, 2000):
        for rho2 in (0, 0.3, 0.8, 0.99, 1):
            for width in (0.02, 0.05, 0.3):
                alone = 0.21 * (Z / width) ** 2
                goal = (width / Z) ** 2 * (1 + 1e-9)
                enough = [
                    n
                    for n in range(1, items + 1)
                    if variance(n, 0.21, rho2, items, population=population) <= goal
                ]
                found = labels_needed(alone, rho2, items, population=population)
                assert found == (enough[0] if enough else None)


def test_more_items_and_not_labels():
    found = ae.plan(rate=0.7, half_width=0.02, rho2=0.8, items=2000, target="population")
    assert not found.feasible
    assert found.labels is None
    assert found.items_needed == 2064
    assert "it takes 2,064 items; get more items, not labels" in found.message
    enough = ae.plan(rate=0.7, half_width=0.02, rho2=0.8, items=2064, target="population")
    assert enough.feasible
    assert enough.labels <= 2064


def test_judges_are_not_asked_for_help_with_fewer_labels_than_show_it():
    found = ae.plan(rate=0.5, half_width=0.1, rho2=0.99)
    assert [one.labels for one in found.table] == [103, 10]
    assert "comes out wider by a tenth or so" in found.warnings[0]


@pytest.mark.parametrize("level", [0.95, 0.8])
@pytest.mark.parametrize(
    ("rate", "half_width"),
    [
        (0.99, 0.02),
        (0.98, 0.02),
        (0.99, 0.01),
        (0.01, 0.02),
        (0.999, 0.03),
        (0.7, 0.05),
        (0.5, 0.1),
    ],
)
def test_a_plan_holds_on_average_at_every_rate(rate, half_width, level):
    """Exact ends, as `rate` gives labels alone, over every outcome: so narrow, and not with one fewer."""

    def expected(n):
        widths = [np.diff(exact_ends(x, n, level))[0] / 2 for x in range(n + 1)]
        return binom.pmf(np.arange(n + 1), n, rate) @ widths

    n = ae.plan(rate=rate, half_width=half_width, level=level).labels
    assert expected(n) <= half_width < expected(n - 1)


def test_the_numbers_of_rare_failures():
    found = [ae.plan(rate=r, half_width=h).labels for r, h in ((0.99, 0.02), (0.98, 0.02))]
    assert [*found, ae.plan(rate=0.99, half_width=0.01).labels] == [149, 236, 478]
    # beyond 5,000 labels by the closed form, whose half row a side is 1/h labels
    assert ae.plan(rate=0.5, half_width=0.0138).labels == pytest.approx(
        0.25 * (Z / 0.0138) ** 2 + 1 / 0.0138, abs=1
    )


@pytest.mark.parametrize(("rate", "half_width", "items"), [(0.99, 0.02, 600), (0.8, 0.08, 300)])
def test_a_plan_for_these_items_holds_on_average(rate, half_width, items):
    """Hypergeometric ends are whole numbers of items, which may cost a part of one."""
    n = ae.plan(rate=rate, half_width=half_width, items=items).labels
    widths = [np.diff(exact_ends(x, n, n_items=items))[0] / 2 for x in range(n + 1)]
    expected = hypergeom.pmf(np.arange(n + 1), items, round(rate * items), n) @ widths
    assert expected <= half_width + 0.5 / items


@pytest.mark.parametrize("sides", [(0.97, 0.8), (0.99, 0.9)])
def test_a_plan_with_judges_holds_where_failures_are_rare(sides):
    """`rate` asks judges for help from three labels of a kind on, and so does the plan."""
    rate, items, (se, sp) = 0.98, 2000, sides
    said = rate * se + (1 - rate) * (1 - sp)
    rho2 = (rate * (se - said)) ** 2 / (rate * (1 - rate) * said * (1 - said))
    n = ae.plan(rate=rate, half_width=0.02, rho2=rho2, items=items).labels
    assert n >= 3 / (1 - rate)
    rng, halves = np.random.default_rng(3), []
    for _ in range(25):
        good = rng.random(items) < rate
        f = np.where(rng.random(items) < np.where(good, se, sp), good, ~good)
        votes = ae.Votes.from_columns({"j": np.where(f, "pass", "fail").tolist()})
        rows = rng.choice(items, n, replace=False)
        labels = {votes.items[k]: "pass" if good[k] else "fail" for k in rows}
        answer = ae.rate(votes, "pass", labels, time_limit=0)
        halves.append((answer.high - answer.low) / 2)
    assert np.mean(halves) <= 0.02 + 2 * np.std(halves) / 5


@pytest.mark.parametrize("rho2", [0.1, 0.5, 0.8])
@pytest.mark.parametrize("target", ["items", "population"])
def test_the_half_width_is_met_by_simulated_regressions(rho2, target):
    """A binary judge of this rho2 on N items, n of them labelled as planned: 1.96 SD is the half-width."""
    rng, items, rate = np.random.default_rng(7), 1500, 0.6
    plan = ae.plan(rate=rate, half_width=0.05, rho2=rho2, items=items, target=target)
    n = plan.labels
    together = rho2**0.5 * rate * (1 - rate)
    joint = np.outer([1 - rate, rate], [1 - rate, rate]) + together * np.array([[1, -1], [-1, 1]])
    misses = []
    for _ in range(1200):
        counts = rng.multinomial(items, joint.ravel())
        cells = np.repeat(np.arange(4), counts)
        y, f = cells // 2, cells % 2
        seen = rng.choice(items, n, replace=False)
        slope = np.cov(y[seen], f[seen])[0, 1] / f.var()
        estimate = y[seen].mean() - slope * (f[seen].mean() - f.mean())
        misses.append(estimate - (y.mean() if target == "items" else rate))
    assert Z * np.std(misses) == pytest.approx(0.05, rel=0.07)


PAIRED = [
    (0.2, 0.05, 626, 1319),
    (0.1, 0.03, 870, 3663),
    (0.3, 0.1, 234, 330),
    (0.05, 0.02, 979, 8242),
    (0.4, 0.05, 1254, 1319),
]


@pytest.mark.parametrize(("discordance", "margin", "pairs", "apart"), PAIRED)
def test_pairs_for_a_margin_and_unpaired_beside_them(discordance, margin, pairs, apart):
    found = ae.plan(margin=margin, discordance=discordance, power=0.8, rate=0.7)
    assert found.labels == pairs
    assert way(found, "other items each").labels == apart
    assert 1.02 < way(found, "the same, exact test").labels / pairs < 1.07


@pytest.mark.parametrize(
    ("discordance", "margin", "rho2", "items", "judged", "alone"),
    [
        (0.3, 0.1, 0.508, 3000, 117, 228),
        (0.2, 0.06, 0.657, 4000, 158, 429),
        (0.3, 0.1, 0.09, 3000, 209, 228),
    ],
)
def test_labels_for_a_margin_with_judges(discordance, margin, rho2, items, judged, alone):
    asked = {"margin": margin, "discordance": discordance, "target": "population"}
    found = ae.plan(**asked, rho2=rho2, items=items)
    assert found.labels == judged
    assert way(found, "same items, an interval").labels == alone
    few = ae.plan(**asked, rho2=rho2, items=alone - 1)
    assert not few.feasible
    assert "get more items, not labels" in few.message
    assert all(one.labels is None for one in few.table if one.name != "other items each")


def simulated_power(discordance, margin, n, *, exact):
    """The share of samples in which the better system is shown better: exactly, or by Wald's interval."""
    chances = [(discordance + margin) / 2, (discordance - margin) / 2, 1 - discordance]
    ahead, behind, _ = np.random.default_rng(1).multinomial(n, chances, 20_000).T
    if exact:
        return (2 * binom.cdf(behind, ahead + behind, 0.5) <= 0.05).mean()
    mean = (ahead - behind) / n
    error = np.sqrt(((ahead + behind) / n - mean**2) / n)
    return (mean - Z * error > 0).mean()


@pytest.mark.parametrize(("discordance", "margin", "pairs", "apart"), PAIRED)
def test_simulated_power_is_what_was_asked_for(discordance, margin, pairs, apart):
    assert simulated_power(discordance, margin, pairs, exact=False) == pytest.approx(0.80, abs=0.02)
    exact = exact_pairs(discordance, margin, 0.95, 0.8)
    assert simulated_power(discordance, margin, exact, exact=True) == pytest.approx(0.80, abs=0.02)


def test_the_exact_power_by_hand():
    """Of 8 pairs all differ: 8:0 and no less is shown at 95%, so the power is .9^8."""
    assert exact_power(8, 1.0, 0.8, 0.95) == pytest.approx(0.9**8 + 8 * 0.9**7 * 0.1 * 0, abs=1e-12)
    assert exact_power(5, 1.0, 0.8, 0.95) == 0.0
    needed = exact_pairs(0.3, 0.1, 0.95, 0.8)
    assert exact_power(needed, 0.3, 0.1, 0.95) >= 0.8 > exact_power(needed - 1, 0.3, 0.1, 0.95)


PILOT = ae.Votes.from_columns(
    {
        "a": ["p"] * 40 + ["f"] * 40 + ["p", "f"] * 60,
        "b": ["p"] * 35 + ["f"] * 45 + ["p", "f"] * 60,
        "c": ["p"] * 40 + ["f"] * 40 + ["f", "p"] * 60,
    }
)
GOLD = {item: "pf"[k % 10 < 1 if k < 40 else k % 10 > 0] for k, item in enumerate(PILOT.items[:80])}


def test_a_pilot_gives_a_range_and_never_the_point_alone():
    found = ae.plan(half_width=0.1, pilot=PILOT, gold=GOLD, label="p")
    # verdicts follow a and b where they agree, and c elsewhere: the first 40 of 80 are "p"
    assert found.rho2 == pytest.approx(0.64)  # 36 + 36 right of 80: a correlation of 0.8
    assert found.rate == 0.5
    assert found.items == 200
    assert found.rho2_low < 0.64 < found.rho2_high
    judged = way(found, "labels and judges")
    assert judged.fewest < judged.labels < judged.most
    assert f"{judged.fewest} to {judged.most} as far as the pilot can say" in found.message
    assert "a pilot of 80 labels knows rho2 poorly" in found.warnings[-1]
    by_hand = ae.plan(half_width=0.1, rate=0.5, rho2=found.rho2_low, items=200)
    assert judged.most == by_hand.labels


def test_the_range_of_rho2_covers():
    """Pilots of 60 labels from a known law: the truth is in nine of ten ranges or more."""
    rng, hits = np.random.default_rng(4), 0
    for _ in range(60):
        truth = rng.random(60) < 0.5
        right = rng.random(60) < 0.85
        votes = ae.Votes.from_columns({"j": ["nv"[int(v)] for v in truth == right]})
        gold = dict(zip(votes.items, ["nv"[int(t)] for t in truth], strict=True))
        found = ae.plan(half_width=0.05, pilot=votes, gold=gold, label="v")
        hits += found.rho2_low <= 0.49 <= found.rho2_high
    assert hits >= 52


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "exactly one goal: half_width= for a rate; margin= and discordance= for two systems;"),
        ({"budget": 9}, "got budget=; give one of these"),
        ({"half_width": 0.1, "judges": 3}, "got half_width=, judges=; give one"),
        (
            {"half_width": 0.1, "power": 0.8},
            "power must be left out of a plan with half_width= for a rate",
        ),
        ({"margin": 0.1, "discordance": 0.2, "half_width": 0.1}, "exactly one goal"),
        ({"half_width": 0}, "half_width must be above 0 and below 0.5; got 0"),
        ({"half_width": 0.1, "rate": 1}, "rate must be above 0 and below 1; got 1"),
        ({"half_width": 0.1, "rho2": 1.2}, "rho2 must be from 0 to 1; got 1.2"),
        ({"half_width": 0.1, "items": 0}, "items must be a whole number of at least 1"),
        ({"half_width": 0.1, "target": "all"}, "target must be one of"),
        ({"half_width": 0.1, "level": 95}, "level must be between 0 and 1"),
        ({"half_width": 0.1, "pilot": PILOT, "gold": GOLD}, "good must say whose rate"),
        ({"half_width": 0.1, "pilot": PILOT, "label": "p"}, "human='key' needs votes with a key"),
        (
            {"half_width": 0.1, "pilot": PILOT, "gold": GOLD, "label": "p", "rho2": 0.2},
            "rho2 must be given or come from a pilot; got both",
        ),
        (
            {"half_width": 0.1, "pilot": PILOT, "gold": dict(list(GOLD.items())[:9]), "label": "p"},
            "at least 10 labelled items with votes; got 9",
        ),
        (
            {"margin": 0.1, "discordance": 0.05},
            "discordance must be above 0, at most 1 and at least the",
        ),
        ({"margin": 1, "discordance": 1}, "margin must be above 0 and below 1"),
        ({"margin": 0.1, "discordance": 0.2, "power": 1}, "power must be above 0 and below 1"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(given, message):
    with pytest.raises(DataError, match=re.escape(message)):
        ae.plan(**given)


def test_numbers_are_read_as_written_and_told():
    one = ae.plan(rate="70%", half_width="1/20", rho2="24%", items=2000)
    assert one.to_dict() == half_width(0.24).to_dict()
    told = one.summary()
    assert told.startswith("229 labels tell the rate to within 0.05 at 95%; without judges 291.")
    assert "labels drawn at random, and right" in told
    assert one.to_frame("pandas")["labels"].tolist() == [291, 229]


def test_the_form_that_was_there_is_answered_as_before():
    given = {"budget": 100, "accuracy": 0.7, "margin": 0.05, "label_accuracy": (0.9, 0.8)}
    assert ae.plan(**given).to_dict() == ae.budgets.plan(**given).to_dict()
    with pytest.raises(DataError) as ours:
        ae.plan(**given | {"margin": 0.4})
    with pytest.raises(DataError) as before:
        ae.budgets.plan(**given | {"margin": 0.4})
    assert str(ours.value) == str(before.value)


def two_systems(n=400, n_labelled=120, seed=5):
    """Outputs of two systems on the same items, judged right nine times in ten."""
    rng = np.random.default_rng(seed)
    a = rng.random(n) < 0.7
    b = np.where(rng.random(n) < 0.75, a, rng.random(n) < 0.5)
    pilots, golds = [], []
    for truth in (a, b):
        seen = truth ^ (rng.random(n) < 0.1)
        votes = ae.Votes.from_columns({"j": ["nv"[int(one)] for one in seen]})
        pilots.append(votes)
        items = zip(votes.items[:n_labelled], truth[:n_labelled], strict=True)
        golds.append({item: "nv"[int(one)] for item, one in items})
    return tuple(pilots), tuple(golds)


def test_a_pilot_of_two_systems_gives_discordance_and_rho2():
    pilots, golds = two_systems()
    found = ae.plan(margin=0.05, pilot=pilots, gold=golds, label="v")
    truth = np.array([[g == "v" for g in gold.values()] for gold in golds], float)
    verdict = np.array([p.codes[:120, 0] == p.labels.index("v") for p in pilots], float)
    true, seen = truth[0] - truth[1], verdict[0] - verdict[1]
    assert found.discordance == pytest.approx(np.abs(true).mean())
    assert found.rho2 == pytest.approx(np.corrcoef(true, seen)[0, 1] ** 2)
    assert found.items == 400
    assert found.rho2_low < found.rho2 < found.rho2_high
    same = {"discordance": found.discordance, "rho2": found.rho2, "items": 400}
    assert found.labels == ae.plan(margin=0.05, **same).labels
    judged = found.table[-1]
    assert judged.fewest < judged.labels < judged.most <= 400
    assert f"({judged.fewest} to {judged.most} by the pilot)" in found.message


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"pilot": PILOT}, "pilot must be two tables for a margin, one of each system; got Votes"),
        ({"pilot": (PILOT, PILOT), "gold": GOLD}, "human must be two sets of labels for a margin"),
        (
            {"pilot": (PILOT, PILOT), "gold": (GOLD, GOLD)},
            "on which the systems differ; got none of 80",
        ),
        (
            {"pilot": (PILOT, PILOT), "rho2": 0.1},
            "rho2 must be given or come from a pilot; got both",
        ),
    ],
)
def test_a_pilot_of_two_systems_that_cannot_be_one(given, message):
    with pytest.raises(DataError, match=re.escape(message)):
        ae.plan(margin=0.05, label="p", **given)


@pytest.mark.parametrize("n", [1, 2, 5, 37, 900])
def test_binomials_are_those_of_scipy(n):
    m = np.arange(n + 1)
    for tail in (0.1, 0.025, 0.0005):
        assert (most_by_chance(tail, m) == binom.isf(tail, m, 0.5)).all()
    for p in (0.07, 0.5, 1.0):
        assert binomial_chances(n, p) == pytest.approx(binom.pmf(m, n, p), rel=1e-9)


# --- A judge, two judges, slices.


def test_labels_for_a_judges_accuracy_and_recall():
    """The card's interval: 139 and 76 rows at .9 and .95 are counted out by others."""
    assert ae.plan(half_width=0.05, accuracy=0.9).labels == 139
    assert ae.plan(half_width=0.05, accuracy="95%").labels == 76
    found = ae.plan(half_width=0.05, recall=0.9, rate=0.2)
    assert [(row.name, row.labels) for row in found.table] == [
        ("of that label", 139),
        ("drawn at random", 695),
    ]
    assert (found.goal, found.labels, found.rate) == ("recall", 695, 0.9)
    assert ae.plan(half_width=0.05, recall=0.9).labels == 139
    few = ae.plan(half_width=0.05, accuracy=0.9, items=138)
    assert not few.feasible
    assert "it takes 139 items; get more items" in few.message
    assert ae.plan(half_width=0.05, accuracy=0.9, items=139).feasible


def test_two_judges_need_labels_only_where_they_differ():
    """Of .2 the first is right on .7: 48 rows by the notes' table, whatever the share that differs."""
    for discordance in (0.2, 0.05):
        found = ae.plan(margin=0.4 * discordance, discordance=discordance)
        assert way(found, "where two judges differ").labels == 48
        assert "Of two judges, 48 items on which they differ do." in found.message
    few = ae.plan(margin=0.02, discordance=0.05, items=900, target="population")
    assert way(few, "where two judges differ").labels is None  # they differ on 45


@pytest.mark.parametrize(("rows", "right"), [(40, 28), (100, 70), (30, 25), (12, 7)])
def test_of_these_items_the_exact_set_decides_as_often_as_is_planned(rows, right):
    """Every outcome added up, by SciPy's law and the set that `drift` uses."""

    def chance(n):
        x = np.arange(n + 1)
        decided = [2 * exact_count(k, n, rows, 0.95)[0] > rows for k in x.tolist()]
        return float(hypergeom.pmf(x, rows, right, n) @ decided)

    n = rows_to_decide(right, rows)
    assert chance(n) >= 0.8 > chance(n - 1)
    assert all(chance(m) >= 0.8 for m in range(n, min(rows, n + 15) + 1))
    found = ae.plan(margin=(2 * right - rows) / 1000, discordance=rows / 1000, items=1000)
    assert way(found, "where two judges differ").labels == n
    assert rows_to_decide(rows // 2, rows) is None


@pytest.mark.parametrize(("rate", "half_width"), [(0.8, 0.1), (0.5, 0.1)])
def test_slices_that_hold_at_once_are_as_narrow_as_planned(rate, half_width):
    found = ae.plan(rate=rate, half_width=half_width, slices=8)
    n = found.labels
    widths = [
        slice_rate([Stratum(10**6, n, x)], found.own_level, target="population", exact=True)
        for x in range(n + 1)
    ]
    half = sum((w.high - w.low) / 2 * binom.pmf(x, n, rate) for x, w in enumerate(widths))
    assert 0.98 * half_width < half <= half_width
    assert f"in each of 8 slices ({8 * n:,} in all)" in found.message
    alone = ae.plan(rate=rate, half_width=half_width, slices=1)
    assert alone.labels == ae.plan(rate=rate, half_width=half_width).labels < n


def test_slices_of_a_judge_and_of_a_drop():
    one, many = (ae.plan(half_width=0.05, accuracy=0.9, slices=k) for k in (1, 5))
    assert many.labels == ae.plan(half_width=0.05, accuracy=0.9, level=0.99).labels > one.labels
    found = ae.plan(margin=0.25, discordance=0.35, slices=8)
    z = norm.isf(0.05 / 8) + norm.ppf(0.8)
    assert found.labels == int(np.ceil(0.35 * (z / 0.25) ** 2))
    assert "show in which slice the rate fell by 0.25" in found.message
    assert [row.name for row in found.table] == ["same items, an interval"]


@pytest.mark.slow
@pytest.mark.parametrize("target", ["items", "population"])
@pytest.mark.parametrize(("drop", "differ"), [(0.25, 0.35), (0.15, 0.25)])
def test_a_slice_that_fell_so_far_is_named_in_four_of_five(drop, differ, target):
    more = {"items": 150} if target == "items" else {}
    n = ae.plan(margin=drop, discordance=differ, slices=8, **more).labels
    named = outcomes(n, 400, drop=drop, differ=differ, target=target, agree=0.5)[1]
    print(f"{target}, drop {drop:g}: {n} labels a slice, named {named:.2f}")
    assert 0.7 <= named <= 0.9


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"accuracy": 0.9, "recall": 0.9}, "got both"),
        ({"accuracy": 0.9, "rate": 0.5}, "rate must be left out of a plan with accuracy="),
        ({"accuracy": 0.9, "rho2": 0.5}, "rho2 must be left out"),
        ({"accuracy": 0.9, "budget": 9}, "exactly one goal"),
        ({"accuracy": 1}, "accuracy must be above 0 and below 1"),
        ({"accuracy": 0.9, "slices": 0}, "slices must be a whole number"),
        ({"recall": 0.9, "rate": 1.5}, "rate must be above 0 and below 1"),
    ],
)
def test_what_is_no_plan_of_a_judge_is_said(given, message):
    with pytest.raises(DataError, match=message):
        ae.plan(half_width=0.05, **given)
